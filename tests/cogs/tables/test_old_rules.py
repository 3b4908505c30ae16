"""A game that began under earlier rules is shown, asked about, ended and reviewed under them, by every command."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from engine import SYSTEMS, Exchange, system_of
from engine.rules import systems
from tests.cogs.playing import seat_everyone, the_table
from tests.simtable import SimTable

OLD = SYSTEMS["classic"]
ALONE = replace(OLD.seatings[4], teams=((0,), (3,), (2,), (1,)), exchange=Exchange.NEXT, seats=(0, 3, 2, 1))
NEW = replace(OLD, version=2, seatings=MappingProxyType({4: ALONE}), span=20, clockwise=not OLD.clockwise)
"""Everybody plays alone, on a longer board, in the other direction."""


@pytest.mark.drawn
async def test_game_keeps_the_rules_it_began_with(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = table.members[0]
    await seat_everyone(table, hints=True)
    board = table.board().text
    await table.slash(ann, "dog hand")  # with a tip, which is given once
    hand = await table.slash(ann, "dog hand")
    resign = await table.slash(ann, "dog table resign")
    rules = await table.slash(ann, "dog rules")
    words = await table.slash(ann, "dog board")
    assert "cleo" in hand.text
    assert "Ask my team to resign" in resign.shown.labels
    # Those that games have begun under are kept.
    monkeypatch.setitem(systems._BY_ID, "classic", NEW)
    monkeypatch.setattr(systems, "EARLIER", MappingProxyType({("classic", 1): OLD}))
    assert system_of("classic") is NEW
    await table.restart()
    assert table.board().text == board
    again = await the_table(table)
    assert again.board.system is OLD
    assert again.seats == (0, 1, 2, 3)
    assert (await table.slash(ann, "dog hand")).text == hand.text
    assert (await table.slash(ann, "dog table resign")).shown.labels == resign.shown.labels
    assert (await table.slash(ann, "dog rules")).text == rules.text
    now = await table.slash(ann, "dog board")
    assert now.text == words.text
    assert now.shown.pictures == words.shown.pictures
