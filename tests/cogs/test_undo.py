"""Undo among computers: offered exactly while only they have acted since and nothing hidden was seen."""

from __future__ import annotations

import random

from engine import Entry, EventKind
from engine.secret import whole
from tests.cogs.playing import take_turn, the_table
from tests.cogs.timing import solo
from tests.simtable import SimTable

SHOWS = frozenset({EventKind.DEALT, EventKind.DREW, EventKind.EXCHANGED, EventKind.FOLDED})
"""Events that reveal hidden cards."""

TURNS = 40


def shown_in(entries: tuple[Entry, ...]) -> bool:
    """Whether these entries revealed hidden cards; a fold with an empty hand reveals none."""
    events = (event for entry in entries for event in entry.events if event.kind in SHOWS)
    return any(event.kind is not EventKind.FOLDED or event.cards for event in events)


async def test_it_is_offered_exactly_while_computers_have_acted_and_shown_nothing(table: SimTable) -> None:
    ann = await solo(table, pace="none")
    rng = random.Random(4)
    offers: set[tuple[bool, bool]] = set()
    taken_back = False
    for _ in range(TURNS):
        before = await the_table(table)
        await take_turn(table, ann, rng)
        after = await the_table(table)
        assert before.game is not None
        assert after.game is not None
        entries = after.game.history(before.number + 1)
        assert entries[0].seat == 0, "her own action comes first, the computers' follow"
        shown = (await table.slash(ann, "dog hand")).shown
        assert shown is not None
        offered = "Undo" in shown.labels
        assert offered is not shown_in(entries)
        offers.add((offered, len(entries) > 1))
        if offered and len(entries) > 1 and not taken_back:
            await table.click(ann, "Undo", on=shown)
            again = await the_table(table)
            assert again.game is not None
            assert again.number == before.number
            assert whole(again.game).view(0) == whole(before.game).view(0), (
                "the computers' moves are taken back with it"
            )
            assert list(again.waiting_for.values()) == [ann.id]
            assert "taken back" in table.board().text
            taken_back = True
        if taken_back and {(True, True), (False, True)} <= offers:
            return
    raise AssertionError(f"in {TURNS} turns there was only {offers}")
