"""The lengths of games: measured by `python -m tools.players.lengths`, which writes this file."""

from __future__ import annotations

from collections.abc import Mapping

LENGTHS: Mapping[tuple[str, int], tuple[int, int]] = {
    ("classic", 4): (12, 41),
    ("family", 4): (12, 39),
    ("dobney", 4): (15, 51),
    ("dobney", 6): (16, 57),
    ("royal-basic", 2): (10, 54),
    ("royal-basic", 3): (10, 53),
    ("royal-basic", 4): (15, 66),
    ("royal-basic", 5): (14, 69),
    ("royal-basic", 6): (17, 74),
    ("royal", 2): (10, 58),
    ("royal", 3): (10, 64),
    ("royal", 4): (13, 60),
    ("royal", 5): (14, 86),
    ("royal", 6): (16, 79),
    ("swiss", 2): (11, 40),
    ("swiss", 3): (13, 43),
    ("swiss", 4): (13, 46),
    ("swiss", 5): (17, 58),
    ("swiss", 6): (16, 58),
    ("swiss", 8): (21, 73),
    ("keezen", 2): (13, 49),
    ("keezen", 3): (16, 58),
    ("keezen", 4): (16, 56),
    ("keezen", 5): (21, 73),
    ("keezen", 6): (22, 78),
    ("keezen", 7): (26, 99),
    ("keezen", 8): (26, 94),
    ("tock", 2): (15, 57),
    ("tock", 3): (22, 77),
    ("tock", 4): (18, 66),
    ("tock", 5): (32, 122),
    ("tock", 6): (30, 111),
    ("tock", 7): (35, 125),
    ("tock", 8): (42, 155),
    ("jackaroo", 4): (16, 53),
}
"""Rounds, and turns of each player, in the middle one of 20 games of the heuristic player against itself, by rule
system and number of players.
"""
