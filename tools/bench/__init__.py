"""`make bench`: the speed of everything, and the parts of its measurements."""
