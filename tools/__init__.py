"""For developers and newcomers: the local table, the pins, drawing helpers."""
