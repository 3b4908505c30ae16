"""What developers and newcomers run: the local table, the pins, drawing helpers."""
