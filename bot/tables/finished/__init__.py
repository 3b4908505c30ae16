"""Finished games: records and their checks, results and ratings, reviews."""
