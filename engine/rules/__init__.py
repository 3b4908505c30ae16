"""The rules: systems, boards, cards and moves as data, and the course of a game that follows from them."""
