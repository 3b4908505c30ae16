"""The engine: how a game goes, what always holds, and what it refuses."""
