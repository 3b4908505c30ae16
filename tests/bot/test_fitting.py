"""Nothing is cut on a button or in a menu: in every language, with the longest names, in every system."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.languages import available, language_for
from bot.moment import Moment
from bot.people import Occupant
from bot.showing import controls, panels, terms
from bot.showing.choices import Go
from bot.showing.dialogue import Dialogue
from bot.showing.panels import Button, Menu, Panel, Reply
from bot.table import SeatClock, SeatTable, Stage, Status, Table
from bot.texts.names import NAME_LIMIT
from bot.texts.teaching import rules
from engine import SYSTEMS, Game, SeatGame
from tests.bot.shown import table_of
from tests.engine.staging import LARGEST, course

LANGUAGES = available()


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The labels that were too long for their place."""
    found: list[str] = []

    def shorten(text: str, limit: int) -> str:
        if len(text) > limit:
            found.append(f"{limit}: {text}")
        return text[:limit]

    monkeypatch.setattr(panels, "shorten", shorten)
    return found


def crowded(game: Game, **changes: Any) -> Table:
    """A table whose people all have the longest names."""
    people = {seat: Occupant(f"{seat}".ljust(NAME_LIMIT, "W"), 100 + seat) for seat in game.seats}
    return replace(table_of(game), people=people, **changes)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("system", "players"), LARGEST)
def test_public_buttons_and_menus_fit(code: str, system: str, players: int, cut: list[str]) -> None:
    language = language_for(code)
    game = course(Game.new(system, players, bytes(32)), random.Random(1), 1)[0]
    table = crowded(game)
    computers = {
        seat: Occupant(who.name, computer="strong") if seat else who for seat, who in table.people.items() if seat != 1
    }
    lobby = replace(table, status=Status.LOBBY, game=None, people=computers)
    controls.lobby_panel(language, lobby)
    controls.seat_panel(language, lobby)
    terms.arranging(language, lobby, ())
    controls.board_panel(language, table, game.view(None), in_words=True)
    controls.board_panel(language, replace(table, status=Status.OVER, won=(0,)), game.view(None))
    controls.talk_panel(language, table)
    controls.reclaim_button(Panel(), language, table)
    offered = {seat: replace(who, offered=True) for seat, who in table.people.items()}
    for people in (table.people, offered):
        clocks = dict.fromkeys(game.seats, SeatClock(Moment(0, 1), 101, Stage.AUTO, 0, 60, 60, due_at=50, ends_at=50))
        controls.time_up_panel(language, replace(table, people=people, clocks=clocks), tuple(game.seats))
    for topic in rules.topics(language, SYSTEMS[system], players):
        panels.line(topic.title, 0)
    assert cut == []


class Undrawn:
    """Stands in for pictures."""

    async def preview(self, *words: Any, **named: Any) -> bytes:
        return b""

    async def hand(self, *words: Any, **named: Any) -> bytes:
        return b""


def further(reply: Reply) -> Iterator[tuple[int, ...]]:
    """The paths to the next questions."""
    for one in reply.panel.items if reply.panel is not None else ():
        if isinstance(one, Button) and isinstance(one.press, Go):
            yield one.press.path
        elif isinstance(one, Menu):
            pressed = (one.press.choosing(int(line.value)) for line in one.lines)
            yield from (press.path for press in pressed if isinstance(press, Go))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("system", "players"), LARGEST)
async def test_what_can_be_played_fits(code: str, system: str, players: int, cut: list[str]) -> None:
    """A hand, and what each of its cards leads to, now and then in a game."""
    language = language_for(code)
    dice = random.Random(f"{system} {players}")
    for game in course(Game.new(system, players, dice.randbytes(32)), dice, 120)[::20]:
        for seat in game.to_act[:1]:
            seated = SeatTable(crowded(game), SeatGame(game, seat))
            talk = Dialogue(Undrawn(), language, seated, "slate")  # type: ignore[arg-type]
            for path in {*further(await talk.at(()))}:
                await talk.at(path)
    assert cut == []
