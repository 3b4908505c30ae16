"""Whole evenings among strangers, played to the end: one of them is hostile; the bot is down for hours."""

import random

from bot.table import Status, Table
from engine import players
from engine.secret import whole
from tests.cogs.playing import meanwhile, past_the_exchange, question, resign, the_table
from tests.cogs.timing import BRISK, down, is_time_up, now
from tests.simtable import SimTable

GAME, NO_ONE = 1, 0


async def let_play(table: SimTable, rng: random.Random, *, but: int = NO_ONE) -> Table:
    """Let all act, as computers would, until only the user `but` is waited for or the game is over."""

    async def play() -> Table:
        while (opened := await table.bot.tables.get(GAME)).status is Status.PLAYING:
            asked = [(seat, user) for seat, user in opened.waiting_for.items() if user != but]
            if not asked:
                break
            seat, user = asked[0]
            action = players.choose("heuristic", whole(opened.game), seat, rng)
            await table.bot.tables.turns.act(GAME, user, None, action)
            await table.bot.tables.settled(GAME)
        return opened

    return await table.run(play())


def owners(opened: Table) -> dict[int, int | None]:
    """Who owns each seat."""
    return {seat: who.user_id for seat, who in opened.occupants.items()}


async def test_hostile_stranger_does_not_spoil_an_evening(table: SimTable) -> None:
    rng = random.Random(7)
    await past_the_exchange(table, rules="keezen", pace="brisk")
    ann, ben, cleo, dan = table.members
    seats = owners(await the_table(table))
    await let_play(table, rng, but=dan.id)
    # He asks to end it, and to stop it: the first no is the end of that.
    ask = await table.slash(dan, "dog table cancel")
    await table.click(dan, f"Yes, cancel {(await the_table(table)).code}", on=ask.shown)
    asked = question(table)
    assert asked.pinged == {ann.id, ben.id, cleo.id}
    await table.click(ann, "Disagree", on=asked)
    await table.slash(dan, "dog table pause")
    assert (await the_table(table)).status is Status.PLAYING
    # While another sleeps he makes them wait, again and again.
    assert ben.id in (await let_play(table, rng, but=ben.id)).waiting_for.values()
    await table.wait(BRISK)
    up = next(seen for seen in reversed(table.messages()) if is_time_up(seen))
    await table.click(dan, f"Wait for {ben.name}", on=up)
    begun = (await the_table(table)).number
    for _ in range(3):
        await table.forge(dan, str(up.custom_ids[0]), on=table.newest())
    await table.wait(BRISK * 1.1 + 1)
    assert (await the_table(table)).number > begun, "one more pace, and no more"
    # Then he never plays again, and wants to be waited for.
    turns = 0
    while (opened := await let_play(table, rng, but=dan.id)).status is Status.PLAYING and turns < 9:
        number, turns = opened.number, turns + 1
        await table.wait(BRISK)
        up = next(seen for seen in reversed(table.messages()) if is_time_up(seen))
        await table.forge(dan, str(up.custom_ids[0]), on=up)
        await table.wait(BRISK / 10 + 1)
        assert (await table.bot.tables.get(GAME)).number > number, "no one had to press anything"
    over = await table.bot.tables.get(GAME)
    assert turns == 3, "after three missed turns in a row, a computer plays on"
    assert over.status is Status.OVER
    assert owners(over) == seats
    results, _ = await table.bot.tables.results.of_game(GAME)
    his = next(one for one in results if one.user_id == dan.id)
    assert (his.rated, his.left_early) == (True, True)
    assert all(one.rated and not one.left_early for one in results if one is not his)


async def test_outage_of_three_hours_costs_no_time(table: SimTable) -> None:
    await past_the_exchange(table, rules="keezen", pace="brisk")
    before = await meanwhile(table, random.Random(11), lambda now: now.number >= 40)
    await table.wait(1_200)
    seat = next(iter(before.waiting_for))
    ends_at = (await the_table(table)).clocks[seat].ends_at
    assert ends_at is not None
    left = ends_at - now(table)
    calls = [table.calls(one) for one in table.members]
    await down(table, 3 * 3_600)
    assert (await the_table(table)).clocks[seat].ends_at == now(table) + left
    assert [table.calls(one) for one in table.members] == calls
    assert "I was offline for 3 hours" in table.board().text
    over = await resign(table, table.members[0])
    assert over.status is Status.OVER
    results, _ = await table.bot.tables.results.of_game(GAME)
    assert [(one.rated, one.left_early) for one in results] == [(True, False)] * 4
