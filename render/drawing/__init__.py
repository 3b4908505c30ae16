"""Drawing of anything: shapes, letters, colours, files and caches. Knows nothing of boards or cards."""
