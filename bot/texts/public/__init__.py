"""What a channel reads, and letters: lobbies, boards, notices, the story of a game."""
