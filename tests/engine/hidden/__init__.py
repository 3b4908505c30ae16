"""What a seat knows, the worlds made from it, and that nothing else is shown."""
