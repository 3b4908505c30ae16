"""The rules, where a sentence is not about one card: deals, exchanges, turns and the end."""
