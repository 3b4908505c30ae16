"""One ping: one mention when a person's turn comes, none twice, and none left behind on what has passed."""

from __future__ import annotations

import random

from tests.cogs.playing import play_on, seat_everyone, the_table
from tests.simtable import SimTable


async def test_stale_messages_lose_their_mentions_and_buttons(table: SimTable) -> None:
    await seat_everyone(table)
    await play_on(table, random.Random(5), 7)
    boards = [seen for seen in table.messages() if seen.pictures]
    assert len(boards) >= 4
    for seen in boards[:-1]:
        assert "<@" not in seen.text
        assert seen.buttons == ()
    assert boards[-1].text.count("<@") == 1


async def test_a_turn_pings_exactly_once_over_restarts(table: SimTable) -> None:
    await seat_everyone(table)
    await play_on(table, random.Random(5), 5)
    board = table.board()
    assert len(board.pinged) == 1
    before = len(table.messages())
    await table.restart()
    await table.restart(crash=True)
    assert len(table.messages()) == before
    assert table.board() == board


async def test_computers_and_forced_folds_are_never_pinged(table: SimTable) -> None:
    await seat_everyone(table, computers=3)
    rng = random.Random(6)
    ann = table.members[0]
    for _ in range(8):
        before = {seen.id for seen in table.messages()}
        asked = (await the_table(table)).waiting_for
        await play_on(table, rng, 1)
        posted = [seen for seen in table.messages() if seen.id not in before]
        assert len(posted) <= 1
        assert all(seen.pinged <= {ann.id} for seen in posted)
        assert set(asked.values()) == {ann.id}
