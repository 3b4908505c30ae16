"""Games by four members, through commands, buttons and menus: to the win, and over restarts."""

import random

import pytest

from bot.table import Status
from engine.secret import whole
from tests.cogs.playing import meanwhile, play_on, seat_everyone, the_table
from tests.simtable import SimTable

pytestmark = pytest.mark.timeout(600)

TURNS = 3000
"""More than any game here needs."""


@pytest.mark.slow
async def test_four_members_play_to_the_win(table: SimTable) -> None:
    await seat_everyone(table)
    opened = await the_table(table)
    rng = random.Random(1)
    assert not await play_on(table, rng, 10)
    await meanwhile(table, rng, lambda now: bool(whole(now.game).view(None).finished))
    assert await play_on(table, rng, TURNS)
    after = await table.bot.tables.get(opened.id)
    assert after.status is Status.OVER
    assert len(after.game.winners) == 2
    last = table.board()
    for member in table.members:
        assert last.text.count(f"<@{member.id}>") == 1, "everybody is mentioned once, won or lost"
    assert last.pinged == {member.id for member in table.members}
    assert last.text.splitlines()[-1].startswith("🏆")
    assert last.labels == ["History", "Replay", "Picture to share", "Review", "Rematch", "Again with a free seat"]
    shared = await table.click(table.members[0], "Picture to share", on=last)
    assert len(shared.shown.pictures) == 1
    boards = [seen for seen in table.messages() if seen.pictures]
    assert all("My hand" not in seen.labels for seen in boards), "only the newest board has a hand button"
