"""Computer players: what they choose, and why."""
