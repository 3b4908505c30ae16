"""Suggestions while a member types, and the labels of buttons and menus: all are there, short enough and translated."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.interactions.commands import to_choices
from bot.occupants import Occupant
from bot.showing.choices import Go, PlayNow
from bot.showing.dialogue import Dialogue
from bot.showing.panels import HINT_LIMIT, LABEL_LIMIT, LINE_LIMIT, MENU_LIMIT, Button, Menu, Panel, Reply
from bot.table import SeatTable, Table
from bot.texts.dialogue import Speaker
from bot.texts.names import shorten
from cogs import all_commands
from cogs.play import suggested_cards, suggested_moves
from engine import SYSTEMS, ActionKind, Game, SeatGame
from tests.bot.shown import Drawn, table_of
from tests.engine.staging import course
from tests.simtable import SimTable
from tests.spoken import MEASURED

WORDS = frozenset(kind.value for kind in ActionKind)
"""What the log calls what can be done; none of it is meant for people."""


def states(system: str) -> Iterable[tuple[Game, int]]:
    """Who is asked in random games of a system, of the fewest and of the most players, a state of each kind often."""
    dice = random.Random(8)
    for players in {min(SYSTEMS[system].players), max(SYSTEMS[system].players)}:
        seen: dict[object, int] = {}
        for game in course(Game.new(system, players, dice.randbytes(32)), dice, 400):
            for seat in game.to_act[:1]:
                kind = (game.phase, frozenset(action.kind for action in game.legal(seat)))
                seen[kind] = seen.get(kind, 0) + 1
                if seen[kind] <= 6:
                    yield game, seat


LONG = "Wolfeschlegelsteinhausenbergerdo"
"""A name as long as Discord allows."""


def at_table(game: Game) -> Table:
    """A table of people whose names are long and alike."""
    table = table_of(game)
    people = {seat: Occupant(f"{LONG[:-1]}{seat}", 100 + seat) for seat in game.seats}
    return replace(table, occupants=people)


def check(suggested: Sequence[tuple[str, str]]) -> None:
    """Each suggestion arrives, and is like no other."""
    arrived = [(one.value, one.name) for one in to_choices(suggested, "")]
    assert arrived == [(value, shorten(name, LINE_LIMIT)) for value, name in suggested[:MENU_LIMIT]]
    assert len(dict(suggested)) == len({name for _, name in suggested}) == len(suggested)
    assert not WORDS & {name for _, name in suggested}, "it is the word of the log"


def check_labels(reply: Reply) -> None:
    """Each button and each line of a menu says something, within Discord's limits."""
    assert reply.panel is not None
    for item in reply.panel.items:
        if isinstance(item, Menu):
            assert 0 < len(item.hint.strip()) <= HINT_LIMIT
            assert 0 < len(item.lines) <= MENU_LIMIT
            for one in item.lines:
                assert 0 < len(one.label.strip()) <= LINE_LIMIT
                assert one.label not in WORDS
                assert one.description is None or 0 < len(one.description.strip()) <= LINE_LIMIT
        else:
            assert 0 < len(item.label.strip()) <= LABEL_LIMIT
            assert item.label not in WORDS


@pytest.mark.parametrize("system", SYSTEMS)
async def test_all_that_can_be_played_is_named(system: str) -> None:
    for game, seat in states(system):
        seated, table = SeatGame(game, seat), at_table(game)
        for language in MEASURED:
            cards = suggested_cards(language, seated)
            check(cards)
            for card, _ in cards:
                moves = suggested_moves(Speaker.of(language, table, seat), seated, card)
                assert moves
                check(moves)
            talk = Dialogue(Drawn(), language, SeatTable(table, seated), "slate")  # type: ignore[arg-type]
            first = await talk.hand()
            check_labels(first)
            assert first.panel is not None
            for path in onward(first.panel):
                check_labels(await talk.at(path))


def onward(panel: Panel) -> Iterable[tuple[int, ...]]:
    """The paths on which the buttons and menus of a panel lead."""
    for item in panel.items:
        if isinstance(item, Menu):
            chosen = (item.press.with_choice(int(one.value)) for one in item.lines)
            yield from (press.path for press in chosen if isinstance(press, Go | PlayNow))
        elif isinstance(item, Button) and isinstance(item.press, Go | PlayNow):
            yield item.press.path


LOCALES = ("en-US", "de", "es-ES", "hu")

SUGGESTED = {
    option.suggest: (path, name.rstrip("_"))
    for path, spec in all_commands().items()
    for name, option in spec.options.items()
    if option.suggest is not None
}
"""Every list of suggestions, with a command and an option that has it."""


async def check_lists(table: SimTable, member: Any) -> dict[str, list[str]]:
    """Check all lists of suggestions for this member in every language; returns the English ones, by their commands."""
    found: dict[str, list[str]] = {}
    await table.wait(60)
    for locale in LOCALES:
        table.speak(member, locale)
        for path, option in SUGGESTED.values():
            names = [one["name"] for one in await member.autocomplete(table.channel, path, option, "")]
            assert all(0 < len(name.strip()) <= LINE_LIMIT for name in names)
            assert len(set(names)) == len(names) <= MENU_LIMIT
            if locale == LOCALES[0]:
                found[f"{path} {option}"] = names
    return found


async def test_all_lists_of_suggestions(table: SimTable, moderator: Any) -> None:
    await table.slash(moderator, "dog-admin house make", name="Grandma's rules")
    await table.slash(moderator, "dog new", rules="family", pace="daily")
    lists = await check_lists(table, moderator)
    assert lists["dog table computer seat"]
    assert lists["dog new house"]
    table.speak(moderator, LOCALES[0])
    await table.click(moderator, "Add computers", on=table.board())
    await table.click(moderator, "Start", on=table.board())
    lists = await check_lists(table, moderator)
    table.speak(moderator, LOCALES[0])
    assert "Go on without help" in lists["dog play card"]
    moves = await table.suggestions(moderator, "dog play", "move", "", card="none")
    assert moves == {"Go on without help": "none"}
    assert "✅" in (await table.slash(moderator, "dog play", card="none", move="none")).text


def test_suggestions_without_a_name_are_left_out() -> None:
    suggested = [("a", ""), ("b", "  "), ("", "nothing"), ("c", "x" * 300), ("v" * 101, "long"), ("d", "D"), ("d", "D")]
    assert [(one.value, one.name) for one in to_choices(suggested, "")] == [("c", "x" * 99 + "…"), ("d", "D")]
