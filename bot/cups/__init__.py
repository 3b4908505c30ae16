"""Cups: pairing and standings as pure functions, and the service that takes a cup from its opening to its end."""
