"""How fast everything is: `make bench`, and what its measurements are made of."""
