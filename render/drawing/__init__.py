"""How anything is drawn: shapes, letters, colours, files, and what is kept. Knows nothing of boards or cards."""
