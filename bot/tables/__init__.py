"""The tables service: everything that people do to a table, without Discord and texts."""
