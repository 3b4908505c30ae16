"""A friend plays for a player who is away: asked by direct message, agreed to by a button, told on the board."""

import random

import pytest

from bot.delivery.members import OWNERS
from bot.errors import NotAtTable, Problem
from bot.occupants import Person, StandInReason
from bot.showing.controls import Reclaim, StandIn
from tests.cogs.playing import meanwhile, member_of, open_in_dms, past_the_exchange, shown_lobby, take_turn, the_table
from tests.simtable import SimTable


async def test_friend_plays_until_the_owner_is_back(table: SimTable) -> None:
    eve = table.guild.add_member(table.env.create_user("eve"))
    await past_the_exchange(table)
    now = await the_table(table)
    ((seat, user),) = now.waiting_for.items()
    ann = member_of(table, user)
    assert (await table.slash(eve, "dog hand", game=now.code)).is_refused(NotAtTable)
    forged = await table.forge(eve, StandIn(now.id, agrees=True).custom_id(), on=table.board())
    assert forged.is_refused(Problem.NOT_ASKED_TO_PLAY)
    sitting = next(member for member in table.members if member.id != user)
    refused = await table.slash(ann, "dog table friend", friend=sitting)
    assert refused.is_refused(Problem.NO_STAND_IN)

    await table.slash(ann, "dog table friend", friend=eve)
    letter = table.letters(eve)[-1]
    assert "see only their cards" in letter.text
    assert (await table.slash(eve, "dog hand", game=now.code)).is_refused(NotAtTable)
    await table.click(eve, "Play for them", on=letter)
    assert f"<@{eve.id}> plays for" in table.board().text
    assert (await the_table(table)).waiting_for == {seat: eve.id}
    await take_turn(table, eve, random.Random(1))
    assert (await table.slash(eve, "dog table resign", game=now.code)).is_refused(NotAtTable)

    await table.restart()
    await meanwhile(table, random.Random(2), lambda one: seat in one.waiting_for)
    await take_turn(table, ann, random.Random(1))
    after = await the_table(table)
    assert after.occupants[seat].plays == user
    assert "plays for" not in table.board().text
    assert (await table.slash(eve, "dog hand", game=now.code)).is_refused(NotAtTable)


@pytest.mark.parametrize("how", ["turn", "press"])
async def test_owner_who_leaves_is_noticed_behind_a_friend(table: SimTable, how: str) -> None:
    eve = table.guild.add_member(table.env.create_user("eve"))
    await past_the_exchange(table, pace="none")
    ((seat, user),) = (await the_table(table)).waiting_for.items()
    ann = member_of(table, user)
    await table.slash(ann, "dog table friend", friend=eve)
    await table.click(eve, "Play for them", on=table.letters(eve)[-1])
    hand = await table.slash(ann, "dog hand", channel=ann.user.dm_channel)
    table.guild.remove_member(ann)
    if how == "turn":
        await table.wait(OWNERS + 1)
        await take_turn(table, eve, random.Random(1))
    else:
        pressed = await table.forge(ann, Reclaim((await the_table(table)).id).custom_id(), on=hand.shown)
        assert pressed.is_refused(Problem.LEFT_SERVER)
    left = (await the_table(table)).occupants[seat]
    assert (left.why, left.plays) == (StandInReason.LEFT_GUILD, None)


async def test_friend_declines(table: SimTable) -> None:
    eve = table.guild.add_member(table.env.create_user("eve"))
    await past_the_exchange(table)
    now = await the_table(table)
    ((seat, user),) = now.waiting_for.items()
    await table.slash(member_of(table, user), "dog me away", until="2026-01-05", meanwhile="slow", friend=eve)
    letter = table.letters(eve)[-1]
    await table.click(eve, "Not now", on=letter)
    assert (await the_table(table)).occupants[seat].friend is None
    late = await table.forge(eve, StandIn(now.id, agrees=True).custom_id(), on=letter)
    assert late.is_refused(Problem.NOT_ASKED_TO_PLAY)


async def test_friend_who_blocks_the_owner_is_not_written_to(table: SimTable) -> None:
    eve = table.guild.add_member(table.env.create_user("eve"))
    await past_the_exchange(table)
    now = await the_table(table)
    ann = member_of(table, next(iter(now.waiting_for.values())))
    await table.run(table.bot.tables.users.block(eve.id, ann.id))
    assert (await table.slash(ann, "dog table friend", friend=eve)).refusal is None, "it looks like any other"
    assert table.letters(eve) == []


async def test_friend_who_wants_no_invitations_is_not_asked(table: SimTable) -> None:
    eve = table.guild.add_member(table.env.create_user("eve"))
    await past_the_exchange(table)
    now = await the_table(table)
    ann = member_of(table, next(iter(now.waiting_for.values())))
    await table.run(table.bot.tables.users.prefer(eve.id, uninvited=True))
    assert (await table.slash(ann, "dog table friend", friend=eve)).is_refused(Problem.NO_STAND_IN)
    away = await table.slash(ann, "dog me away", until="2026-01-05", meanwhile="slow", friend=eve)
    assert away.is_refused(Problem.NO_STAND_IN)
    assert table.letters(eve) == []


async def test_friend_plays_at_a_table_in_dms(table: SimTable) -> None:
    ann, ben, *_ = table.members
    eve, tables = table.guild.add_member(table.env.create_user("eve")), table.bot.tables
    opened = await open_in_dms(table, ben, players=2)
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    seat, user = next(iter((await the_table(table)).waiting_for.items()))
    friend = Person(eve.id, "eve")
    await table.run(tables.friends.ask(opened.id, Person(user, ""), friend))
    await table.run(tables.friends.agree(opened.id, friend))
    await table.run(tables.settled())
    shown = table.letters(eve)[-1]
    assert not {"Say something", "Plan ahead", "Take my seat back"} & set(shown.labels), "that is up to the owner"
    await take_turn(table, eve, random.Random(3), by="letter")
    assert not {"Say something", "Plan ahead", "Take my seat back"} & set(table.letters(eve)[-1].labels)
    assert [row.seat for row in await tables.log(opened.id) if row.actor == eve.id] == [seat]
    assert f"<@{eve.id}> is playing for" in table.letters(ann)[-1].text


@pytest.mark.parametrize("why", ["closed", "nowhere", "outage", "restart"])
async def test_friend_who_cannot_be_written_to(table: SimTable, why: str) -> None:
    eve = table.guild.add_member(table.env.create_user("eve"))
    await past_the_exchange(table)
    ann = member_of(table, next(iter((await the_table(table)).waiting_for.values())))
    match why:
        case "closed":
            table.close_dms(eve)
        case "nowhere":
            await table.slash(eve, "dog me notify", where="silent")
        case _:
            table.refuse("POST", channel=eve.user.dm_channel)
    answer = await table.slash(ann, "dog table friend", friend=eve)
    assert ("doesn't accept direct messages" in answer.text) is (why == "closed")
    assert table.letters(eve) == []
    if why == "restart":
        await table.restart(crash=True)
    table.heal()
    await table.wait(90)
    assert len(table.letters(eve)) == (why in ("outage", "restart")), "asked again once Discord is back"
    if why == "restart":
        await table.restart(crash=True)
        await table.wait(90)
        assert len(table.letters(eve)) == 1, "and no more"
