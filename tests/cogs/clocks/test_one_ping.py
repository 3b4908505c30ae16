"""One ping: one mention when a person's turn comes, none twice, and none left behind once it is over."""

import random
from typing import Any

import pytest

from bot.errors import Problem
from engine import Phase, players
from engine.secret import whole
from tests.cogs.playing import (
    alone_on_turn,
    any_card,
    in_hand,
    member_of,
    on_turn,
    pass_time,
    past_the_exchange,
    play_on,
    question,
    seat_everyone,
    take_turn,
    the_table,
)
from tests.simtable import SimTable


def logged(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """The lines about posts and pings, which are then forgotten."""
    deeds = [record.msg for record in caplog.records if record.name == "bot.deeds"]
    caplog.clear()
    return [one for one in deeds if one["event"] in ("post", "ping")]


async def test_each_post_and_ping_logs_one_line(table: SimTable, caplog: pytest.LogCaptureFixture) -> None:
    await past_the_exchange(table, pace="brisk")
    caplog.set_level("INFO", "bot.deeds")
    first = await on_turn(table)
    logged(caplog)
    await take_turn(table, first, random.Random(5))
    asked, now = await on_turn(table), await the_table(table)
    assert first.id != asked.id
    of_table = {"guild": now.guild_id, "table": now.id, "moment": str(now.moment)}
    decisions = {seat: str(now.decision(seat)) for seat in now.waiting_for}
    assert len(decisions) == 1
    post, ping = {"event": "post", "channel": now.channel_id}, {"event": "ping", "users": [asked.id]}
    board = of_table | {"message": table.board().id, "why": "turn"}
    assert logged(caplog) == [post | board | {"about": "board"}, ping | board | {"decisions": decisions}]
    await table.wait(3_240)
    reminder = of_table | {"message": table.newest().id, "why": "reminder"}
    assert logged(caplog) == [post | reminder | {"about": "reminder"}, ping | reminder | {"decisions": decisions}]
    await table.slash(asked, "dog me notify", where="dm")
    await table.slash(first, "dog table nudge")
    letter = {"event": "post", "about": "letter", "user": asked.id, "result": "ok", "decisions": None}
    assert letter | of_table | {"why": "nudge"} in logged(caplog)


async def test_letters_line_names_its_decision(table: SimTable, caplog: pytest.LogCaptureFixture) -> None:
    await past_the_exchange(table)
    caplog.set_level("INFO", "bot.deeds")
    first = await on_turn(table)
    for member in table.members:
        await table.slash(member, "dog me notify", where="dm")
    logged(caplog)
    await take_turn(table, first, random.Random(5))
    now = await the_table(table)
    ((seat, user),) = now.waiting_for.items()
    letters = [one for one in logged(caplog) if one.get("about") == "letter"]
    assert [(one["user"], one["why"], one["moment"]) for one in letters] == [(user, "turn", str(now.moment))]
    assert letters[0]["decisions"] == {seat: str(now.decision(seat))}


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


async def test_agreed_takeback_calls_the_player_once(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await alone_on_turn(table, random.Random(1))
    await take_turn(table, await on_turn(table), random.Random(1))
    await table.slash(member, "dog takeback")
    before = {seen.id for seen in table.messages()}
    asked = question(table)
    assert (await table.click(member, "Agree", on=asked)).is_refused(Problem.NOT_ASKED)
    for user in (await the_table(table)).proposals["takeback"].must_agree:
        await table.click(member_of(table, user), "Agree", on=asked)
    assert not table.exists(asked) or table.read(asked).buttons == ()
    posted = [seen for seen in table.messages() if seen.id not in before]
    assert [seen.pinged for seen in posted] == [{member.id}]
    assert "taken back" in posted[0].text
    # The next player is called for the new turn, though they had been called for the one that was taken back.
    assert (await alone_on_turn(table, random.Random(2))).id == member.id
    following = (await the_table(table)).waiting_for.values()
    assert [seen.pinged for seen in table.messages() if seen.id not in before][-1] == set(following)


async def test_player_in_their_own_turn_is_not_recalled(table: SimTable) -> None:
    await seat_everyone(table, rules="royal-basic", players=2, pace="brisk")
    rng = random.Random(3)
    while whole((await the_table(table)).game).phase is not Phase.REDRAW:
        opened = await the_table(table)
        seat, user = next(iter(opened.waiting_for.items()))
        action = players.choose("heuristic", whole(opened.game), seat, rng)
        await table.run(table.bot.tables.turns.act(opened.id, user, None, action))
    member = await on_turn(table)
    before = {seen.id for seen in table.messages()}
    await take_turn(table, member, rng)
    opened = await the_table(table)
    posted = [seen for seen in table.messages() if seen.id not in before]
    assert len(posted) == 1
    assert set(opened.waiting_for.values()) == {member.id}
    assert posted[0].pinged == frozenset()


async def test_unannounced_turn_begins_when_told(table: SimTable) -> None:
    """The program ends between a move and its message, and comes back when the time would be up."""
    await past_the_exchange(table, pace="brisk")
    table.fail("POST", f"/channels/{table.channel.id}/messages", status=500, times=None)
    await take_turn(table, await on_turn(table), random.Random(1))
    before = [table.calls(member) for member in table.members]
    await table.bot.close()
    await pass_time(table, 2 * 3_600)
    table.heal()
    await table.start()
    opened = await the_table(table)
    asked = [member.id in opened.waiting_for.values() for member in table.members]
    assert [table.calls(member) - calls for member, calls in zip(table.members, before, strict=True)] == asked
    assert not any(clock.overdue for clock in opened.clocks.values())
    assert {clock.spent for clock in opened.clocks.values()} == {0}


async def test_uneditable_board_loses_its_mention_later(table: SimTable) -> None:
    await past_the_exchange(table)
    stale = table.board()
    table.refuse("PATCH", "DELETE", status=403, code=50013)
    await take_turn(table, await on_turn(table), random.Random(1))
    assert "<@" in table.read(stale).text
    table.heal()
    await take_turn(table, await on_turn(table), random.Random(1))
    assert not table.exists(stale), "it told nothing else"


async def test_call_held_by_a_pause_follows_it(table: SimTable, moderator: Any) -> None:
    await past_the_exchange(table)
    table.refuse("POST")
    await take_turn(table, await on_turn(table), random.Random(1))
    member = await on_turn(table)
    before = table.calls(member)
    await table.slash(moderator, "dog-admin pause")
    table.heal()
    await pass_time(table, 3_600)
    assert table.calls(member) == before
    await table.slash(moderator, "dog-admin resume")
    assert table.calls(member) == before + 1
    assert table.board().pinged == {member.id}


async def test_partner_asked_for_help_is_called_once(table: SimTable) -> None:
    await seat_everyone(table, rules="family")
    ann, ben, cleo, _ = table.members
    await in_hand(table, cleo, "Go on without help")
    # All have been called once before, since all seats were taken.
    assert [table.calls(member) for member in table.members] == [2, 2, 2, 2]
    await any_card(table, ann, await in_hand(table, ann, "Ask for help"))
    assert "asks for help" in table.board().text
    assert [table.calls(member) for member in table.members] == [2, 2, 3, 2]
    await in_hand(table, ben, "Go on without help")
    await table.restart(crash=True)
    assert [table.calls(member) for member in table.members] == [2, 2, 3, 2]
