"""Names of people and seats, cards and pieces, places, systems, paces, levels; and how to list them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from bot.guild_settings import EVERYONE, MODERATORS
from bot.languages import OPTION, Language
from bot.languages import mark as _
from bot.languages.direction import isolate
from bot.pace import NO_WEEKENDS, pace_of
from bot.table import IN_DMS, Table
from bot.texts import buttons, markup
from engine import KENNEL_TEXT, SLOTS, SYSTEMS, Card, Options, all_systems
from engine.rules.cards import Colour, Motif

MARKS = ("🔵", "🟠", "🟢", "🟣", "🔴", "🟡", "🟤", "🩵")
"""The seat's colour in a line of text, by seat number; the pictures use the same colours."""

_COLOURS = (_("blue"), _("amber"), _("green"), _("violet"), _("red"), _("yellow"), _("brown"), _("cyan"))
_SIGNS = (
    *(_("blue circle"), _("amber triangle"), _("green square"), _("violet diamond")),
    *(_("red star"), _("yellow cross"), _("brown moon"), _("cyan heart")),
)

WORD_LIMIT = 21
"""The most characters of the sign of a card or rank."""

NAME_LIMIT = 32
"""The most characters of a name that are shown."""

FREE_SEAT, OUT = _("free seat"), _("out")
"""Words in the picture, and the name of a free seat."""

UNNAMED = _("a player")
"""The name of a person who is forgotten, or whose name is no longer kept."""

_OWN_WORDS = (_("computer"), EVERYONE, FREE_SEAT, MODERATORS, OUT, "DOG", "bot")
"""The bot's own words for things; a person with such a name is shown with their colour."""

LEVEL_NAMES = {"easy": _("easy"), "normal": _("normal"), "strong": _("strong")}
"""The names of the levels of computer players, in English."""

PACE_NAMES = {
    "live": _("live: 3 minutes a turn"),
    "brisk": _("brisk: 1 hour a turn"),
    "steady": _("steady: 8 hours a turn, 3-day time bank"),
    "daily": _("daily: 24 hours a turn"),
    "relaxed": _("relaxed: 72 hours a turn"),
    "none": _("no clock"),
}
"""The names of the paces, in English; translated by `pace_name`, and by Discord's command lists."""

PACE_LABELS = {
    "live": _("3 min per turn"),
    "brisk": _("1 h per turn"),
    "daily": _("24 h per turn"),
    "relaxed": _("72 h per turn"),
    "none": PACE_NAMES["none"],
}
"""The paces as labels."""

HOUSE_RULES = {
    "canadian_seven": _("Canadian seven: split a 7 among all your team's pieces at any time."),
    "no_exchange": _("No card exchange."),
    "no_joker_finish": _("A joker can't bring your last piece home."),
    "stuck_discard_one": _("Can't play? Discard one card and stay in."),
    "quick": _("Quick game: you begin with a piece on your start, as if it had already moved."),
    "open_hands": _("Open hands: all players see all cards."),
    "own_safe": _("You can't send back pieces of your own team."),
    "four_forward": _("A 4 can go forward, too."),
    "pass_own": _("You can pass your own pieces."),
    "pass_pairs": _("You can pass two pieces side by side."),
    "starter_stays": _("The same player goes first for three rounds in a row."),
    "complex": _("The complex game: some cards do more."),
    "alone": _("Everyone plays for themselves."),
    "two": _("Two teams, seated alternately."),
}
"""The sentence for each house rule, by its name or by the teams chosen."""

OBJECT, SUBJECT = "object", "subject"
"""The role of a card or piece in its sentence, as the context of its name: played or given, or acting."""

RANK = "rank"
"""The context of the name of a piece by its rank, for a card may have the same: the king."""


def said(text: str) -> Callable[[Language], str]:
    """Return a sentence that is always the same."""
    return lambda language: language.t(text)


def said_of_user(text: str) -> Callable[[Language, int], str]:
    """Return a sentence that fills in the mention of a `{user}`."""
    return lambda language, user_id: language.t(text, user=markup.user(user_id))


class SaidOfTable(Protocol):
    """A sentence about a table, and perhaps a seat there; the log calls it by its name."""

    __name__: str

    def __call__(self, language: Language, table: Table, seat: int | None = None, /) -> str:
        """Return the sentence in a language."""


def said_of_table(text: str) -> SaidOfTable:
    """Return a sentence that fills in a table's `{code}`, its channel `{place}` and the button `{join}`.

    `{game}` is the code with the place. Given a seat, also the player's `{name}`, the seat's `{colour}` and the
    `{mark}` of that.
    """

    def told(language: Language, table: Table, seat: int | None = None, /) -> str:
        filled = {"code": markup.bold(table.code), "place": place_of(language, table)}
        # Of a game in direct messages they are told there.
        filled["game"] = filled["code"] if table.in_dms else language.p("where", "{code} in {place}", **filled)
        filled["join"] = markup.bold(language.t(buttons.JOIN))
        if seat is not None:
            filled["name"] = Names.of(table, language).marked(seat)
            filled |= {"colour": colour(language, seat), "mark": MARKS[seat]}
        return language.t(text, **filled)

    told.__name__ = text
    return told


def place_of(language: Language, table: Table) -> str:
    """Return where a table is played, in the middle of a sentence."""
    return place_named(language, table.channel_id)


def place_named(language: Language, channel_id: int) -> str:
    """Return a channel, or direct messages, in the middle of a sentence."""
    return language.t("direct messages") if channel_id == IN_DMS else markup.channel(channel_id)


def colour(language: Language, seat: int) -> str:
    """Return the colour of a seat, such as "blue"."""
    return language.t(_COLOURS[seat])


def sign(language: Language, seat: int) -> str:
    """Return the colour of a seat and the mark on its pieces, such as "blue circle"."""
    return language.t(_SIGNS[seat])


def card_name(language: Language, card: str) -> str:
    """Return the usual name of a card: "7", "ace", "joker", "1/11"."""
    name = _english_name(card)
    return language.t(name) if name else card


def the_card(language: Language, card: str, case: str = OBJECT) -> str:
    """Return a card with its article, for the middle of a sentence: "the 7", "the ace"."""
    name = _english_name(card) or card
    # A card of a system of the operator's own has no form of its own.
    return language.find(with_article(name), case) or language.p(case, with_article("{card}"), card=name)


def card_label(language: Language, card: str) -> str:
    """Return a card's label for a button: the sign printed on it, and its name unless that is printed there."""
    name = _english_name(card)
    if not name:
        return card
    return (
        capital(language.t(name))
        if name == card or _card(card).motif is Motif.JOKER
        else f"{card} · {language.t(name)}"
    )


def printed(language: Language, card: str) -> str:
    """Return what is printed on a card, to list many of them: "4", "K", "joker"."""
    name = _english_name(card)
    return language.t(name) if name and (name == card or _card(card).motif is Motif.JOKER) else card


def card_sign(card: Card) -> str:
    """Return the sign of a card, by its looks: shown as an emoji where there are any, else nowhere.

    In the letters that the name of an emoji may have.
    """
    colour = "" if card.colour is Colour.NONE else f"{card.colour}_"
    name = re.sub(r"\W+", "_", card.id if re.search("[A-Za-z0-9]", card.id) else card.name, flags=re.ASCII)
    return f"card_{colour}{name}".replace("-", "_")[:WORD_LIMIT]


def rank_sign(letter: str) -> str:
    """Return the sign of a rank, as that of a card."""
    return re.sub(r"\W+", "_", f"rank_{letter}", flags=re.ASCII)[:WORD_LIMIT]


def _english_name(card: str) -> str:
    """Return the name of a card in English, by its id; empty if it is called by its id."""
    return _card(card).name


def _card(card: str) -> Card:
    """Return a card by its id; a plain one if no system has it."""
    return next((system.cards[card] for system in all_systems() if card in system.cards), Card(card, ()))


def system_name(language: Language, system: str) -> str:
    """Return the name of a rule system, by its id."""
    return language.t(SYSTEMS[system].name)


def rank_name(language: Language, rank: str) -> str:
    """Return the rank of a piece, by its letter."""
    return language.p(RANK, _rank(rank))


def the_rank(language: Language, rank: str, case: str = OBJECT) -> str:
    """Return a piece of a rank with its article, by its letter: "the king"."""
    return language.p(rank_case(case), with_article(_rank(rank)))


def owners_piece(language: Language, owner: str, rank: str | None = None, case: str = OBJECT) -> str:
    """Return an owner's piece, by the letter of its rank if it has one: "Anna's piece", "Anna's king"."""
    return language.p(case, owned(_rank(rank) if rank else "piece"), owner=owner)


def rank_case(case: str) -> str:
    """Return the context of a rank with its article, in a role."""
    return f"{case} {RANK}"


def _rank(letter: str) -> str:
    """Return the name of a rank in English; the letter itself if no system has it."""
    return next((rank.name for system in all_systems() for rank in system.ranks if rank.letter == letter), letter)


def with_article(name: str) -> str:
    """Return a name for the middle of an English sentence; other languages choose the article by the word."""
    return f"the {name}"


def owned(name: str) -> str:
    """Return an owner's piece in an English sentence; `{owner}` is to be filled in."""
    return f"{{owner}}'s {name}"


def quote(language: Language, text: str) -> str:
    """Quote a person's reason, apart from the bot's own words in a message; empty for no text."""
    words = markup.safe(text)
    return language.p("somebody's words", "“{words}”", words=words) if words else ""


def sentences(*said: str) -> str:
    """Join whole sentences; empty ones are left out."""
    return " ".join(text for text in said if text)


def capital(text: str, *names: str) -> str:
    """Return the text with a capital letter at its beginning, unless it begins with a name from `names`."""
    return text if any(name and text.startswith(name) for name in names) else text[:1].upper() + text[1:]


def house_rules(options: Options) -> tuple[str, ...]:
    """Return the names of the house rules chosen, as in `HOUSE_RULES`."""
    return tuple(name if value is True else str(value) for name, value in options.to_json().items())


def option(language: Language, name: str, value: str | None = None) -> str:
    """Return an option of a command as it is typed, with its value if that is given."""
    named = language.p(OPTION, name)
    return markup.fixed(named if value is None else f"{named}:{value}")


def pace_name(language: Language, pace: str) -> str:
    """Return a pace with its time, such as "daily: 24 hours a move"."""
    base, time = pace.removesuffix(NO_WEEKENDS), pace_of(pace)
    if base in PACE_NAMES or time is None:
        name = language.t(PACE_NAMES[base])
    elif time.bank:
        span, bank = language.span(time.seconds or 0), language.span(time.bank)
        name = language.t("{time} a turn, and a time bank of {bank}", time=span, bank=bank)
    else:
        name = language.t("{time} a turn", time=language.span(time.seconds or 0))
    return name if time is None or time.weekends else language.t("{pace}, weekends off", pace=name)


def pace_label(language: Language, pace: str) -> str:
    """Return the time of a pace as a label, such as "24 h per turn"."""
    # A pace of its own time, or with weekends off, says so.
    return language.t(PACE_LABELS[pace]) if pace in PACE_LABELS else pace_name(language, pace)


def look_name(language: Language, look: str) -> str:
    """Return the name of a look of pictures, by its id; themes are called by their ids."""
    return language.t(look)


def level_name(language: Language, level: str) -> str:
    """Return the level of a computer player, such as "strong"."""
    return language.t(LEVEL_NAMES[level])


def with_level(language: Language, name: str, level: str) -> str:
    """Return a computer player's name with its level."""
    return language.t("{name} ({level})", name=name, level=level_name(language, level))


def levels_of(table: Table) -> dict[int, str]:
    """Return the levels of the computer players at a table, by seat; stand-ins for people are left out."""
    return {seat: who.computer for seat, who in sorted(table.occupants.items()) if who.is_computer and who.computer}


def computers_line(language: Language, names: Names, levels: Mapping[int, str]) -> str:
    """List the computer players with their levels; empty if there are none."""
    if not levels:
        return ""
    computers = (with_level(language, names.marked(seat), level) for seat, level in levels.items())
    return language.n("Computer: {players}.", "Computers: {players}.", len(levels), players=language.listed(computers))


def place_name(language: Language, place: str) -> str:
    """Return a place: "kennel", "17", "lane b", "path P3". A rank before the kennel's sign is dropped."""
    spot = place.rstrip("*")
    if spot.endswith(KENNEL_TEXT):
        return language.t("kennel")
    if spot in SLOTS:
        return language.t("lane {slot}", slot=spot)
    if not spot[0].isdigit():
        return language.t("path {space}", space=spot)
    return spot


def open_hands(language: Language, names: Names, shown: Mapping[int, tuple[str, ...]]) -> list[str]:
    """List the hands where all hands are open, one line for each seat."""
    return [
        f"{names.marked(seat)}: {language.listed(card_name(language, card) for card in hand)}"
        for seat, hand in shown.items()
        if hand
    ]


def round_name(language: Language, number: int, last: int | None = None) -> str:
    """Return a round by its number, as a heading; `last`: the number of the last one, if there is one."""
    if last is None:
        return language.t("Round {round}", round=number)
    if number > last:
        return language.t("After the last round")
    return language.t("Round {round} of {last}", round=number, last=last)


def card_as(language: Language, card: str, named: str | None, case: str | None = None) -> str:
    """Return a named card with the id that it stands for, if any: "the joker as jack".

    `case`: that of the card, if it stands in a sentence.
    """
    if named is None:
        return card
    name = (case and language.find(_english_name(named), case)) or card_name(language, named)
    return language.p("card", "{card} as {named}", card=card, named=name)


@dataclass(frozen=True, slots=True)
class Names:
    """Names of the players in the seats, of limited length, for a message or for a place without markup."""

    plain: Mapping[int, str]
    in_message: bool = True
    always_isolated: bool = False
    """In a language that reads from right to left: names that read the other way are marked, too."""

    @classmethod
    def of(cls, table: Table, language: Language, limit: int = NAME_LIMIT) -> Names:
        """Return the names at a table; a free seat is named after its colour.

        A name that could be mistaken for another, or for one of the bot's own words, such as a colour or "computer",
        gets its colour as well.
        """
        seats, people = tuple(table.seats), table.occupants
        named = ((seat, people[seat].name or language.t(UNNAMED)) for seat in seats if seat in people)
        return _named(tuple(named), seats, language, limit)

    def unmarked(self) -> Names:
        """Return these names for pictures, labels and alt texts: without colours and markup."""
        return replace(self, in_message=False)

    def label(self, seat: int) -> str:
        """Return the name for a button's label, where only direction marks have an effect."""
        return isolate(self.plain[seat], always=self.always_isolated)

    def safe(self, seat: int) -> str:
        """Return the name, harmless in the middle of a sentence."""
        if not self.in_message:
            return self.label(seat)
        return isolate(markup.escape(self.plain[seat]), always=self.always_isolated)

    def marked(self, seat: int) -> str:
        """Return the name with its colour, where there is markup."""
        return f"{MARKS[seat]} {markup.bold(self.safe(seat))}" if self.in_message else self.plain[seat]

    def listed(self, language: Language, seats: Iterable[int]) -> str:
        """Return several names, marked, in a list."""
        return language.listed(map(self.marked, seats))


@lru_cache(maxsize=4_096)
def _named(sitting: tuple[tuple[int, str], ...], seats: tuple[int, ...], language: Language, limit: int) -> Names:
    """Name people by their seats (cached: every picture and nearly every line asks for it)."""
    given = {seat: shorten(markup.plain(name), limit) for seat, name in sitting}
    own = _own(language)
    coloured = {seat for seat, name in given.items() if markup.likeness(name) in own}
    while True:
        named: dict[int, str] = {}
        for seat in seats:
            name, its_colour = given.get(seat, ""), colour(language, seat)
            if not name:
                name = capital(its_colour)
            elif seat in coloured:
                name = f"{shorten(name, limit - len(its_colour) - 3)} ({its_colour})"
            named[seat] = name
        alike = Counter(map(markup.likeness, named.values()))
        # Adding a colour can make a name look like another, which is then shown with a colour as well.
        more = {seat for seat, name in named.items() if given.get(seat) and alike[markup.likeness(name)] > 1}
        if more <= coloured:
            return Names(named, always_isolated=language.is_leftward)
        coloured |= more


@lru_cache(maxsize=64)
def _own(language: Language) -> frozenset[str]:
    """Return the likenesses of the bot's own words, for which no name may be mistaken."""
    words = (*_OWN_WORDS, *_COLOURS)
    return frozenset(markup.likeness(text) for word in words for text in (word, language.t(word)))


def shorten(text: str, limit: int) -> str:
    """Cut `text` to `limit` characters, with an ellipsis where something is missing."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
