"""Names of things: seats and their colours, cards, ranks, places, systems, paces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.languages import Language
from bot.languages import mark as _
from bot.table import Table
from bot.texts.markup import safe
from engine import SYSTEMS

MARKS = ("🔵", "🟠", "🟢", "🟣", "🔴", "🟡")
"""The seat's colour in a line of text, by seat number; the pictures use the same colours."""

_COLOURS = (_("blue"), _("amber"), _("green"), _("violet"), _("red"), _("yellow"))
_SHAPES = (_("circle"), _("triangle"), _("square"), _("diamond"), _("star"), _("cross"))

_CARDS = {
    "A": _("ace"),
    "J": _("jack"),
    "Q": _("queen"),
    "K": _("king"),
    "X": _("joker"),
    "=": _("copy"),
    "switch": _("switch"),
    "magnet": _("magnet"),
}
_THE_CARDS = {
    "A": _("the ace"),
    "J": _("the jack"),
    "Q": _("the queen"),
    "K": _("the king"),
    "X": _("the joker"),
    "=": _("the copy"),
    "switch": _("the switch"),
    "magnet": _("the magnet"),
}
"""Cards with their article, which other languages choose by the word."""
_SYSTEMS = (
    _("Classic DOG"),
    _("Family DOG"),
    _("Dobney-Christen DOG"),
    _("DOG Royal, basic game"),
    _("DOG Royal"),
)
_RANKS = {"K": _("king"), "N": _("knight"), "C": _("citizen"), "J": _("jester")}
_THE_RANKS = {"K": _("the king"), "N": _("the knight"), "C": _("the citizen"), "J": _("the jester")}
PACE_NAMES = {
    "live": _("live: 3 minutes a move"),
    "brisk": _("brisk: 1 hour a move"),
    "daily": _("daily: 24 hours a move"),
    "relaxed": _("relaxed: 72 hours a move"),
    "none": _("no clock"),
}
"""What each pace is called, in English; translated by `pace_name`, and by Discord's command lists."""


def colour(language: Language, seat: int) -> str:
    """The colour of a seat, such as "blue"."""
    return language.t(_COLOURS[seat])


def shape(language: Language, seat: int) -> str:
    """The mark on a seat's pieces, such as "circle"."""
    return language.t(_SHAPES[seat])


def card_name(language: Language, card: str) -> str:
    """A card as people call it: "7", "ace", "joker", "1/11"."""
    return language.t(_CARDS[card]) if card in _CARDS else card


def the_card(language: Language, card: str) -> str:
    """A card with its article, in the midst of a sentence: "the 7", "the ace"."""
    return language.t(_THE_CARDS[card]) if card in _THE_CARDS else language.t("the {card}", card=card)


def card_title(language: Language, card: str) -> str:
    """A card at the beginning of a line: "7", "Ace", "Joker"."""
    return capital(card_name(language, card))


def card_label(language: Language, card: str) -> str:
    """A card for a button: the sign that is printed on it, with its name where the sign is a letter."""
    if card in {"switch", "magnet"}:
        return language.t(_CARDS[card])
    return f"{card} · {language.t(_CARDS[card])}" if card in _CARDS else card


def system_name(language: Language, system: str) -> str:
    """The name of a rule system, by its id."""
    return language.t(SYSTEMS[system].name)


def rank_name(language: Language, rank: str) -> str:
    """The rank of a Royal piece, by its letter."""
    return language.t(_RANKS[rank])


def the_rank(language: Language, rank: str) -> str:
    """A Royal piece with its article, by its letter: "the king"."""
    return language.t(_THE_RANKS[rank])


def capital(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def pace_name(language: Language, pace: str) -> str:
    """A pace with its time, such as "daily: 24 hours a move"."""
    return language.t(PACE_NAMES[pace])


def place_name(language: Language, place: str) -> str:
    """A place: "kennel", "17", "lane b", "path P3"."""
    spot = place.lstrip("KNCJ") if len(place) > 1 else place
    spot = spot.rstrip("*")
    if spot == "-":
        return language.t("kennel")
    if spot in {"a", "b", "c", "d"}:
        return language.t("lane {slot}", slot=spot)
    if spot[0] in "PQ":
        return language.t("path {space}", space=spot)
    return spot


def listing(language: Language, items: Iterable[str]) -> str:
    """A list in words: a, b and c."""
    parts = list(items)
    if len(parts) < 2:
        return "".join(parts)
    return language.t("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])


@dataclass(frozen=True, slots=True)
class Names:
    """Who sits where, for telling: plain names, cut to a bearable length."""

    plain: Mapping[int, str]

    @classmethod
    def of(cls, table: Table, language: Language) -> Names:
        """The names at a table; a free seat is named after its colour."""
        named = {
            seat: table.people[seat].name if seat in table.people else colour(language, seat).capitalize()
            for seat in table.seats
        }
        return cls({seat: shorten(" ".join(name.split()), 32) for seat, name in named.items()})

    def bare(self, seat: int) -> str:
        """The name alone, for pictures and alt text."""
        return self.plain[seat]

    def marked(self, seat: int) -> str:
        """The name with its colour, for a message: markdown in names is harmless."""
        return f"{MARKS[seat]} **{safe(self.plain[seat])}**"


def shorten(text: str, limit: int) -> str:
    """Cut `text` to `limit` characters, with an ellipsis where something is missing."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
