"""Hints and reviews asked for from anywhere: direct messages, other channels and servers, twice, forged, too late."""

from __future__ import annotations

import random
from typing import Any

import discord
import pytest

from bot.moment import START, Moment
from bot.showing.controls import ShowReview
from bot.showing.dialogue import Hint
from bot.table import Status, Table
from tests.cogs.playing import on_turn, past_the_exchange, play_on, seat_everyone, the_table
from tests.cogs.test_hints import advised
from tests.cogs.test_review import given_up, pages
from tests.simtable import Answer, Seen, SimTable


async def elsewhere(table: SimTable, *members: Any) -> tuple[Any, list[Any]]:
    """A channel of another server with the bot and these people in it, the first as its manager."""
    other = table.env.create_guild("Elsewhere")
    channel = other.create_text_channel("dog")
    return channel, [other.add_member(member.user) for member in members]


def hint_of(opened: Table, seat: int) -> str:
    """The custom id of the hint button in this seat's dialogue as it is now."""
    return Hint(opened.id, opened.decision(seat) or START).custom_id()


async def words_in(table: SimTable, member: Any, channel: Any) -> Seen:
    """A message by this member in a channel, to press forged buttons on."""
    said = await member.send(channel, "here")
    return next(seen for seen in table.messages(channel=channel) if seen.id == said.id)


def refused(answer: Answer) -> str:
    """The text of a refusal, which shows no picture."""
    assert all(not seen.pictures for seen in pages(answer))
    return answer.text


# --- hints


async def test_a_hint_works_in_a_direct_message_and_plays_nothing(table: SimTable) -> None:
    ben = table.members[1]
    await table.slash(ben, "dog me notify", where="dm")
    await seat_everyone(table, hints=True)
    before = (await the_table(table)).number
    letter = table.mail(ben)[-1]
    assert "Hint" in letter.labels
    hint = await table.click(ben, "Hint", on=letter)
    assert advised(hint)
    assert (await the_table(table)).number == before


async def test_a_hint_forged_in_a_direct_message_is_for_ones_own_seat_only(table: SimTable) -> None:
    ben, dan = table.members[1], table.members[3]
    await table.slash(dan, "dog me notify", where="dm")
    await seat_everyone(table, hints=True)
    opened = await the_table(table)
    letter = table.mail(dan)[-1]
    await table.slash(ben, "dog me away", until="2026-01-05", meanwhile="computer")
    stranger = table.guild.add_member(table.env.create_user("ida"))
    assert "gone" in refused(await table.forge(stranger, hint_of(opened, 1), on=letter))
    old = await table.forge(dan, Hint(opened.id, Moment(3, 5)).custom_id(), on=letter)
    assert "moved on" in old.text
    assert not advised(old)


async def test_a_hint_is_there_for_who_plays_from_another_channel_and_server_and_for_nobody_else(
    table: SimTable,
) -> None:
    ann, eva = table.members[0], table.guild.add_member(table.env.create_user("ida"))
    await seat_everyone(table, hints=True)
    opened = await the_table(table)
    number = opened.number
    other = table.guild.create_text_channel("other")
    here = await words_in(table, ann, other)
    assert advised(await table.forge(ann, hint_of(opened, 0), on=here))
    assert "no seat" in refused(await table.forge(eva, hint_of(opened, 0), on=here))
    channel, (ann_there, eva_there) = await elsewhere(table, ann, eva)
    there = await words_in(table, ann_there, channel)
    assert advised(await table.forge(ann_there, hint_of(opened, 0), on=there))
    assert "gone" in refused(await table.forge(eva_there, hint_of(opened, 0), on=there))
    assert (await the_table(table)).number == number


async def test_two_who_are_asked_at_once_each_get_their_own(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await seat_everyone(table, hints=True)
    hands = [(await table.slash(member, "dog hand")).shown for member in (ann, ben)]
    answers = await table.click_together([(ann, "Hint", hands[0]), (ben, "Hint", hands[1]), (ann, "Hint", hands[0])])
    assert all(advised(answer) for answer in answers)
    assert answers[0].text == answers[2].text
    assert "dan" in answers[1].text
    assert "dan" not in answers[0].text


async def test_a_hint_asked_for_while_the_turn_is_played_is_no_advice_on_the_next(table: SimTable) -> None:
    await past_the_exchange(table, hints=True)
    member = await on_turn(table)
    opened = await the_table(table)
    old = hint_of(opened, opened.persons[member.id])
    await play_on(table, random.Random(2), 1)
    answer = await table.forge(member, old, on=table.board())
    assert answer.private
    assert "You get hints when it is your turn" in answer.text
    assert "moved on" not in answer.text
    assert not advised(answer)


@pytest.mark.parametrize("end", ["cancelled", "gone"])
async def test_a_hint_for_a_game_that_is_no_more_is_refused(table: SimTable, end: str) -> None:
    ann = table.members[0]
    await seat_everyone(table, hints=True)
    opened = await the_table(table)
    other = table.guild.create_text_channel("other")
    here = await words_in(table, ann, other)
    if end == "gone":
        await table.delete_channel(table.channel)
        # The game goes on without its channel, and so does advice for its players.
        assert advised(await table.forge(ann, hint_of(opened, 0), on=here))
        return
    asked = await table.slash(ann, "dog cancel")
    await table.click(ann, f"Yes, cancel {opened.code}", on=asked.shown)
    assert "was cancelled" in refused(await table.forge(ann, hint_of(opened, 0), on=here))


# --- reviews


async def test_a_review_is_for_those_who_can_see_the_game(table: SimTable) -> None:
    over = await given_up(table, 2)
    assert over.status is Status.OVER
    ann = table.members[0]
    ida = table.guild.add_member(table.env.create_user("ida"))
    press = ShowReview(over.id).custom_id()
    other = table.guild.create_text_channel("other")
    here = await words_in(table, ann, other)
    # In the server, everybody who sees the channel may look at the curve.
    assert "everybody's chances" in (await table.forge(ida, press, on=here)).text
    assert "everybody's chances" in (await table.slash(ida, "dog review", channel=other, game=over.code)).text
    # Not from another server, whatever one may do there; except for those who played.
    channel, (ida_there, ann_there) = await elsewhere(table, ida, ann)
    there = await words_in(table, ann_there, channel)
    assert "gone" in refused(await table.forge(ida_there, press, on=there))
    assert over.code in refused(await table.slash(ida_there, "dog review", channel=channel, game=over.code))
    assert "everybody's chances" in (await table.forge(ann_there, press, on=there)).text
    # Nor by anybody who cannot see the channel.
    await hide(table, ida)
    assert "gone" in refused(await table.forge(ida, press, on=here))
    assert over.code in refused(await table.slash(ida, "dog review", channel=other, game=over.code))


async def hide(table: SimTable, member: Any) -> None:
    """Hide the game's channel from this member."""
    table.overwrite(table.channel, {member: discord.PermissionOverwrite(view_channel=False)})


async def test_a_review_works_in_a_direct_message_for_who_played(table: SimTable) -> None:
    dan = table.members[3]
    await table.slash(dan, "dog me notify", where="dm")
    over = await given_up(table, 2)
    letter = table.mail(dan)[-1]
    press = ShowReview(over.id).custom_id()
    answer = await table.forge(dan, press, on=letter)
    assert "everybody's chances" in answer.text
    assert pages(answer)[0].pictures
    stranger = table.guild.add_member(table.env.create_user("ida"))
    assert "gone" in refused(await table.forge(stranger, press, on=letter))


async def test_damaged_and_invented_ids_lead_nowhere(table: SimTable) -> None:
    opened = await one_table(table)
    for press in (ShowReview(opened.id), Hint(opened.id, START)):
        before, after = press.custom_id().split(f":{opened.id}", 1)
        for number in ("99999999", "-1", "x", "", f"{opened.id}:1:2:3:4"):
            assert refused(await table.forge(table.members[0], f"{before}:{number}{after}", on=table.board()))


async def one_table(table: SimTable) -> Table:
    """A lobby."""
    await table.slash(table.members[0], "dog new", hints=True)
    return await the_table(table)


async def test_a_game_that_was_cancelled_before_it_began_has_no_review(table: SimTable) -> None:
    ann = table.members[0]
    opened = await one_table(table)
    early = await table.forge(ann, ShowReview(opened.id).custom_id(), on=table.board())
    assert "not started yet" in refused(early)
    asked = await table.click(ann, "Cancel", on=table.board())
    await table.click(ann, f"Yes, cancel {opened.code}", on=asked.shown)
    board = table.board()
    assert "was cancelled" in refused(await table.forge(ann, ShowReview(opened.id).custom_id(), on=board))
    assert "was cancelled" in refused(await table.forge(ann, Hint(opened.id, START).custom_id(), on=board))
