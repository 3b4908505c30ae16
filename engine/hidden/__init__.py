"""What a seat knows of the hidden cards, and worlds that agree with it."""
