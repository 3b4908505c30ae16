"""Days at random: whatever people, clocks and restarts do, the newest state is shown and everybody is called once."""

import random
from typing import Any

import pytest

from bot.calls import find_to_call
from bot.table import Status
from tests.cogs.playing import seat_everyone, the_table
from tests.cogs.timing import BRISK, play
from tests.simtable import Seen, SimTable

STEPS = 40


async def something_happens(table: SimTable, moderator: Any, rng: random.Random) -> None:
    """One thing that people do or that happens to them; much of it is refused, which is fine."""
    opened = await the_table(table)
    member = rng.choice(table.members)
    waiting = [one for one in table.members if one.id in opened.waiting_for.values()]
    match rng.choice(
        ["play"] * 6
        + ["wait"] * 4
        + ["long", "takeback", "answer", "away", "back", "back", "reclaim", "choose"]
        + ["pause", "resume", "resume", "resume", "restart", "crash", "notify", "nudge", "trouble"]
        + ["deny", "allow", "allow", "allow"]
    ):
        case "play" if waiting:
            await play(table, rng.choice(waiting))
        case "wait":
            await table.wait(rng.choice([30, 700, BRISK / 2]))
        case "long":
            await table.wait(BRISK * 1.2)
        case "takeback":
            await table.slash(member, "dog takeback")
        case "answer" if asking(table):
            await table.click(member, rng.choice(["Agree", "Disagree"]), on=asking(table)[-1])
        case "away":
            await table.slash(
                member, "dog me away", until="2026-01-04", meanwhile=rng.choice(["slow", "slow", "computer"])
            )
        case "back":
            if "End" in (shown := await table.slash(member, "dog me away")).shown.labels:
                await table.click(member, "End", on=shown.shown)
        case "reclaim" if "Take my seat back" in table.board().labels:
            await table.click(member, "Take my seat back", on=table.board())
        case "choose":
            for seen in reversed(table.messages()):
                if seen.text.startswith("⌛") and seen.labels:
                    await table.click(member, rng.choice(seen.labels), on=seen)
                    break
        case "pause" | "resume" as command:
            await table.slash(moderator, f"dog-admin {command}")
        case "restart" | "crash" as end:
            await table.restart(crash=end == "crash")
        case "notify":
            await table.slash(member, "dog me notify", where=rng.choice(["channel", "dm", "both", "silent"]))
        case "nudge":
            await table.slash(member, "dog table nudge")
        case "deny":
            await table.deny_bot("send_messages")
        case "allow":
            await table.deny_bot()
        case "trouble":
            table.refuse(rng.choice(["POST", "PATCH", "DELETE"]))
            await table.wait(rng.choice([5, 100, 2_000]))
            table.heal()
            await table.wait(1_000)


def asking(table: SimTable) -> list[Seen]:
    """The messages that ask people for their consent."""
    return [seen for seen in table.messages() if "Agree" in seen.labels and not seen.pictures]


async def check(table: SimTable) -> None:
    """Check what must hold whenever nothing is under way."""
    opened = await the_table(table)
    if opened.lost is not None:
        return
    boards = table.boards()
    assert all(not seen.buttons and "<@" not in seen.text for seen in boards[:-1])
    assert (opened.shown.message_id, opened.shown.version) == (boards[-1].id, opened.version)
    assert len(asking(table)) == len(opened.proposals)
    if opened.status is Status.PLAYING:
        people = await table.bot.tables.users.several(opened.waiting_for.values())
        assert all(people[user].is_away_waiting for user in find_to_call(opened).values())
        assert set(opened.clocks) == set(opened.waiting_for)
    snapshot = await table.bot.store.games.snapshot(opened.id)
    assert [row for row in snapshot.table.messages if row.message_id is None] == [], (
        "nothing is in doubt, no letter waits"
    )


@pytest.mark.parametrize("seed", range(2))
async def test_long_days_call_all_and_leave_nothing_behind(table: SimTable, moderator: Any, seed: int) -> None:
    rng = random.Random(seed)
    calls: dict[tuple[int, int], int] = {}
    await seat_everyone(table, pace="brisk")
    for _ in range(STEPS):
        before: dict[Any, int] = {member.id: table.calls(member, by_boards=True) for member in table.members}
        await something_happens(table, moderator, rng)
        opened = await the_table(table)
        if opened.status in (Status.OVER, Status.CANCELLED):
            break
        await check(table)
        for seat, user in opened.waiting_for.items():
            member = next(one for one in table.members if one.id == user)
            key = (seat, opened.decision(seat))
            calls[key] = calls.get(key, 0) + table.calls(member, by_boards=True) - before[user]
            assert calls[key] <= 1, "one turn, one call"
