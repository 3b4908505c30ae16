"""What the pictures beside the rules show: for each file of `bot/examples` its topic and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.languages import Language
from bot.languages import mark as _
from engine import RuleSystem


class Example(NamedTuple):
    """A picture: its rule system and number of players, its topic, and what it shows (in English)."""

    system: str
    players: int
    topic: str
    shows: str


EXAMPLES: Mapping[str, Example] = {
    "classic-game": Example("classic", 4, "short", _("In a game: Ann's 9 has just led from 58 into her lane.")),
    "classic-block": Example(
        "classic",
        4,
        "start",
        _("Nothing gets past Ben's piece on 17, nor onto it: A and B must wait, or be swapped away."),
    ),
    "classic-lane": Example(
        "classic", 4, "lane", _("With a 5, the piece A on 62 may turn into the lane (B) or walk on (C).")
    ),
    "classic-seven": Example(
        "classic",
        4,
        "seven",
        _(
            "Three points from 20 to 23 burn Ben's piece on 22, three more go from 28 to 31, and one is used inside "
            "the lane."
        ),
    ),
    "family-game": Example("family", 4, "short", _("In a game: Ann's 4 has just led backwards into her lane.")),
    "family-four": Example(
        "family",
        4,
        "lane",
        _("With a 4 backwards, one space past the start (A) leads to b, two spaces past (B) to a."),
    ),
    "dobney-six": Example(
        "dobney", 6, "short", _("In a game of six: Ann's 9 has just led from 20 onto the short cut, to P6.")
    ),
    "dobney-four": Example(
        "dobney",
        4,
        "lane",
        _("Each of these pieces may go in with a 4 backwards: A to a, B to b, C to c, D (not fresh) to d."),
    ),
    "dobney-crossing": Example(
        "dobney",
        6,
        "paths",
        _("Ann's seven runs along path P and burns Eve's piece, which came to the crossing by path Q."),
    ),
    "royal-basic-game": Example("royal-basic", 4, "short", _("In a game: Ann's 10 has just led from 20 to 30.")),
    "royal-basic-magnet": Example("royal-basic", 4, "magnet", _("From 12 up to 29, right behind Cleo's piece on 30.")),
    "royal-game": Example("royal", 4, "short", _("In a game: Ann's jester has just gone from 20 to 30.")),
    "royal-ranks": Example(
        "royal",
        4,
        "ranks",
        _("With a 6, king, knight and citizen get past Ben's citizen on 24 (to K, N and C). The jester does not."),
    ),
    "royal-citizen": Example(
        "royal",
        4,
        "spaces",
        _("The 5 leads to the special space 11 and gives a card. 27 is taken, so the citizen may go on to 43 (A)."),
    ),
}
"""Keyed by the name of the file."""


def example_of(system: RuleSystem, players: int, topic: str) -> str | None:
    """The picture for a topic, if there is one: with this many players if possible, otherwise with another number."""
    fitting = [name for name, one in EXAMPLES.items() if (one.system, one.topic) == (system.id, topic)]
    return min(fitting, key=lambda name: EXAMPLES[name].players != players, default=None)


def empty_board(language: Language) -> str:
    """What a picture of the board alone shows, in one sentence."""
    return language.t("The empty board with its kennels, starts and lanes.")


def shown(language: Language, name: str) -> str:
    """What a picture shows, in one sentence."""
    return language.t(EXAMPLES[name].shows)
