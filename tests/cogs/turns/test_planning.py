"""Planning ahead from the hand: in private, played at once, told afterwards; and refused to all others."""

import random
from typing import Any

from bot.errors import NotAtTable
from bot.moment import Moment
from bot.showing.choices import PlanGo
from bot.showing.dialogue import PlanThis
from bot.tables.courses import find_only_move
from engine import ActionKind
from engine.secret import whole
from tests.cogs.playing import can_plan, meanwhile, member_of, next_seat, past_the_exchange, the_table
from tests.simtable import Answer, SimTable


async def to_plan(table: SimTable) -> tuple[Any, Any]:
    """A slow game in which the next player can plan; that player, and the one on turn."""
    await past_the_exchange(table, pace="daily")
    for member in table.members:
        await table.slash(member, "dog me forced", where="never")
    now = await meanwhile(table, random.Random(3), can_plan)
    ids = [now.occupants[seat].user_id for seat in (next_seat(now), *now.waiting_for)]
    return member_of(table, ids[0]), member_of(table, ids[1])


async def to_the_case(table: SimTable, member: Any, answer: Answer) -> Answer:
    """Click on until the case is asked for."""
    for _ in range(20):
        shown = table.read(answer.shown)
        if "If it's legal" in shown.labels:
            return answer
        found = [one for one in shown.buttons if ":plan_go:" in str(one.custom_id) and one.label != "Back"]
        if found:
            answer = await table.press(member, str(found[0].custom_id), on=shown)
        else:
            answer = await table.choose(member, shown.choices[0], on=shown)
    raise AssertionError("no end")


async def test_a_planned_move_is_played_and_told(table: SimTable) -> None:
    planner, on_turn = await to_plan(table)
    before = table.board()
    answer = await table.click(planner, "My hand", on=before)
    answer = await to_the_case(table, planner, await table.click(planner, "Plan ahead", on=answer.shown))
    planned = await table.click(planner, "If it's legal", on=answer.shown)
    assert planned.text.count("📌") == 1, "the plan stands there once"
    assert table.read(before) == before, "nobody else sees anything"
    number, calls = (await the_table(table)).number, table.calls(planner)
    now = await the_table(table)
    (seat,) = now.waiting_for
    await table.run(table.bot.tables.turns.act(now.id, on_turn.id, None, whole(now.game).legal(seat)[0]))
    after = await the_table(table)
    assert after.number >= number + 2
    assert (await table.bot.tables.log(after.id))[number + 1].actor == planner.id
    assert table.calls(planner) == calls, "nobody is called for a turn that is over"
    told = "\n".join(seen.text for seen in (*table.private(planner), (await table.slash(planner, "dog hand")).shown))
    assert "As planned" in told
    assert "Planned, and only" not in told


async def test_plans_are_dropped_and_forged_ones_refused(table: SimTable) -> None:
    planner, on_turn = await to_plan(table)
    now = await the_table(table)
    answer = await table.slash(planner, "dog hand")
    answer = await to_the_case(table, planner, await table.click(planner, "Plan ahead", on=answer.shown))
    answer = await table.choose(planner, f"If {on_turn.name} brings a piece out", on=answer.shown)
    assert f"if {on_turn.name} brings a piece out" in answer.text
    await table.click(planner, "Drop plans", on=answer.shown)
    assert table.bot.tables.planning.of(await the_table(table), planner.id).steps == ()
    earlier = PlanGo(now.id, Moment(0, 0))
    assert "Plan your next move" in (await table.forge(planner, earlier.custom_id(), on=table.board())).text
    stranger = table.guild.add_member(table.env.create_user("eve"))
    for press in (PlanGo(now.id, now.moment), PlanThis(now.id, now.moment, 0, (0,))):
        assert (await table.forge(stranger, press.custom_id(), on=table.board())).is_refused(NotAtTable)
    for press in (PlanThis(now.id, now.moment, 99, (0,)), PlanThis(now.id, now.moment, 0, (99,))):
        await table.forge(planner, press.custom_id(), on=table.board())
    await table.forge(on_turn, PlanThis(now.id, now.moment, 0, (0,)).custom_id(), on=table.board())
    for member in (planner, on_turn):
        assert table.bot.tables.planning.of(await the_table(table), member.id).steps == ()


async def test_the_only_move_is_not_waited_for(table: SimTable) -> None:
    await past_the_exchange(table, pace="daily")
    dice = random.Random(4)
    ends = []
    for _ in range(40):
        now = await the_table(table)
        ends += [seat for seat in now.waiting_for if find_only_move(whole(now.game), seat, alone=False) is not None]
        await meanwhile(table, dice, lambda then, was=now: then.number > was.number)  # type: ignore[misc]
    assert ends == []


async def test_only_move_is_told_in_the_next_hand(table: SimTable) -> None:
    await past_the_exchange(table, pace="daily")
    dice = random.Random(4)
    while not (
        forced := [
            member for member in table.members if "our only move, played for you: " in await next_hand(table, member)
        ]
    ):
        number = (await the_table(table)).number
        await meanwhile(table, dice, lambda then, number=number: then.number > number)  # type: ignore[misc]
    told = await next_hand(table, forced[0])
    assert told.count("our only move, played for you: ") == 1
    now = await the_table(table)
    course, log = table.bot.tables.course(now), await table.bot.tables.log(now.id)
    own = [row.number for row in log if row.actor == forced[0].id]
    (pressed, *_rest) = course.entries(next(number for number in reversed(own) if not course.was_only_move(number)))
    assert told.count("✅ ") == (pressed.kind is ActionKind.PLAY), "what was pressed before it is told, if it moved"


async def next_hand(table: SimTable, member: Any) -> str:
    """Return the text of the hand of a player who is asked."""
    if member.id not in (await the_table(table)).waiting_for.values():
        return ""
    return (await table.slash(member, "dog hand")).text
