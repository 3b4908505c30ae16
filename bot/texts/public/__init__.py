"""Texts for channels, and letters: lobbies, boards, notices, the story of a game."""
