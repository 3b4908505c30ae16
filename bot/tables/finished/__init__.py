"""What is left of a game that is over: its record, whether it is sound, what people see of it, a review."""
