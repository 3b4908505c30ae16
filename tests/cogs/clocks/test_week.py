"""A week of a slow game of four: a plan, a weekend, an outage, time away with a friend who plays, a bank that lasts."""

import random
from datetime import UTC, datetime

import discord

from bot.occupants import Person
from bot.plans import Case, Planned
from engine.secret import whole
from tests.cogs.playing import act, can_plan, meanwhile, member_of, next_seat, pass_time, past_the_exchange, the_table
from tests.simtable import SimTable

DAY = 86_400


async def test_week_of_a_slow_game(table: SimTable) -> None:
    eve = table.guild.add_member(table.env.create_user("eve"))
    await past_the_exchange(table, hours=8, bank=3, weekends=False)
    assert (await the_table(table)).terms.pace == "steady-w"
    for member in table.members:
        await table.slash(member, "dog me forced", where="never")

    # Thursday, 1 January 2026: the next player leaves a plan, and is not called for that turn.
    now = await meanwhile(table, random.Random(3), can_plan)
    seat = next_seat(now)
    planner = member_of(table, now.occupants[seat].user_id or 0)
    (on_turn,) = now.waiting_for
    wanted = next(one for one in whole(now.game).if_asked(seat).legal(seat) if one.card)  # type: ignore[union-attr]
    step = Planned(str(wanted), Case.ANY, None, now.moment)
    await table.run(table.bot.tables.planning.add(now.id, Person(planner.id, planner.name), step))
    calls = table.calls(planner)
    first = whole(now.game).legal(on_turn)[0]
    await table.run(table.bot.tables.turns.act(now.id, now.waiting_for[on_turn], None, first))
    after = await the_table(table)
    assert (await table.bot.tables.log(now.id))[now.number + 1].actor == planner.id
    assert table.calls(planner) == calls

    # Friday evening to Monday: nobody's time runs.
    while discord.utils.utcnow().weekday() != 5:
        await pass_time(table, 3_600)
    before = {place: clock.ends_at for place, clock in (await the_table(table)).clocks.items()}
    await pass_time(table, 2 * DAY)
    assert {place: clock.ends_at for place, clock in (await the_table(table)).clocks.items()} == before
    used = dict((await the_table(table)).banked)

    # Monday: the bot is down for a day, which costs no bank.
    await table.wait(3_600)
    await table.bot.close()
    await table.wait(DAY)
    await table.start()
    waiting = (await the_table(table)).clocks
    assert all(clock.ends_at > discord.utils.utcnow().timestamp() + DAY for clock in waiting.values() if clock.ends_at)

    # Wednesday: a player is away; first a computer plays, then a friend, who has been asked and agrees.
    asked = (await the_table(table)).waiting_for.values()
    away = next(one for one in table.members if one.id not in asked)
    day = datetime.fromtimestamp(discord.utils.utcnow().timestamp() + 3 * DAY, UTC).date().isoformat()
    await table.slash(away, "dog me away", until=day, friend=eve)
    now = await the_table(table)
    seat = now.owners[away.id]
    assert now.occupants[seat].plays is None
    await table.click(eve, "Play for them", on=table.letters(eve)[-1])
    assert (await the_table(table)).occupants[seat].plays == eve.id
    for _ in range(8):
        await table.run(act(table, await the_table(table), settled=True))
    after = await the_table(table)
    assert after.number >= now.number + 8
    assert sum(after.banked.values()) >= sum(used.values())
    actors = {row.actor for row in await table.bot.tables.log(now.id) if row.seat == seat and row.number > now.number}
    assert actors == {eve.id}

    # Friday: the player is back, and plays.
    await pass_time(table, 4 * DAY)
    after = await the_table(table)
    assert after.occupants[after.owners[away.id]].plays == away.id
