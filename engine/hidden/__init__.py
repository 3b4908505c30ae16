"""A seat's knowledge of the hidden cards, and worlds that agree with it."""
