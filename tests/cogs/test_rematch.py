"""Playing again: the same people one seat further, or with a free seat."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table import Status, Table
from tests.cogs.playing import the_table
from tests.simtable import SimTable


async def given_up(table: SimTable, computers: int = 0, **options: Any) -> Table:
    """A game that the first member's team has given up; their partner, seat 2, is a computer or agrees."""
    ann = table.members[0]
    await table.slash(ann, "dog new", **options)
    if computers:
        for member, seat in zip(table.members[1:], ("Amber", "Violet"), strict=False):
            if computers < 4 - table.members.index(member):
                await table.choose(member, f"{seat}: free", on=table.board())
        for _ in range(computers):
            await table.click(ann, "Add computer", on=table.board())
    else:
        for member in table.members[1:]:
            await table.click(member, "Join", on=table.board())
    await table.click(ann, "Start", on=table.board())
    opened = await the_table(table)
    asked = await table.slash(ann, "dog resign")
    await table.click(ann, "Give the game up" if computers else "End the game with my partner", on=asked.shown)
    if not computers:
        question = next(seen for seen in table.messages() if "Agree" in seen.labels and not seen.pictures)
        await table.click(table.members[2], "Agree", on=question)
    over: Table = await table.bot.tables.get(opened.id)
    assert over.status is Status.OVER
    return over


def names(table: Table) -> dict[int, str]:
    """Who sits where."""
    return {seat: who.name for seat, who in table.people.items()}


@pytest.mark.parametrize("restart", [False, True], ids=["at once", "after a crash"])
async def test_a_rematch_seats_everyone_one_seat_further_with_the_same_terms(table: SimTable, restart: bool) -> None:
    await given_up(table, rules="dobney", pace="relaxed", canadian_seven=True)
    if restart:
        await table.restart(crash=True)
    await table.click(table.members[1], "Rematch", on=table.board())
    after = await the_table(table)
    assert names(after) == {0: "dan", 1: "ann", 2: "ben", 3: "cleo"}
    assert after.host_id == table.members[1].id
    assert (after.system, after.terms.pace, after.options.canadian_seven) == ("dobney", "relaxed", True)
    assert "Start" in table.board().labels
    await table.click(table.members[1], "Start", on=table.board())
    assert (await the_table(table)).status is Status.PLAYING


async def test_computers_come_along_to_a_rematch(table: SimTable) -> None:
    over = await given_up(table, computers=3)
    await table.click(table.members[0], "Rematch", on=table.board())
    after = await the_table(table)
    assert names(after) == {(seat + 1) % 4: name for seat, name in names(over).items()}
    assert after.free == ()


async def test_again_with_a_free_seat_sends_the_computers_away(table: SimTable) -> None:
    await given_up(table, computers=2)
    ann, ben = table.members[:2]
    await table.click(ben, "Again with a free seat", on=table.board())
    after = await the_table(table)
    assert names(after) == {1: "ann", 2: "ben"}
    assert set(after.free) == {0, 3}
    guest = table.guild.add_member(table.env.create_user("guest"))
    await table.click(guest, "Join", on=table.board())
    assert guest.id in (await the_table(table)).persons
    assert ann.id in (await the_table(table)).persons


async def test_a_spectator_opens_no_rematch(table: SimTable) -> None:
    await given_up(table)
    guest = table.guild.add_member(table.env.create_user("guest"))
    for label in ("Rematch", "Again with a free seat"):
        answer = await table.click(guest, label, on=table.board())
        assert answer.private
        assert "no seat" in answer.text
    assert await table.bot.tables.in_channel(table.channel.id) == ()


async def test_who_is_banned_by_now_is_not_in_the_rematch(table: SimTable, moderator: Any) -> None:
    await given_up(table)
    ann, ben = table.members[:2]
    await table.slash(moderator, "dog moderate ban", member=ben.user)
    refused = await table.click(ben, "Rematch", on=table.board())
    assert "Moderators keep you away" in refused.text
    await table.click(ann, "Rematch", on=table.board())
    assert names(await the_table(table)) == {0: "dan", 1: "ann", 3: "cleo"}


async def test_whose_seat_a_computer_had_at_the_end_sits_in_the_rematch_but_not_at_a_free_seat(
    table: SimTable,
) -> None:
    ann, ben, cleo, dan = table.members
    await table.slash(ann, "dog new")
    for member in (ben, cleo, dan):
        await table.click(member, "Join", on=table.board())
    await table.click(ann, "Start", on=table.board())
    await table.slash(dan, "dog away", until="2026-01-05", meanwhile="computer")
    asked = await table.slash(ann, "dog resign")
    await table.click(ann, "End the game with my partner", on=asked.shown)
    question = next(seen for seen in table.messages() if "Agree" in seen.labels and not seen.pictures)
    await table.click(cleo, "Agree", on=question)
    await table.click(ann, "Again with a free seat", on=table.board())
    after = await the_table(table)
    assert names(after) == {1: "ann", 2: "ben", 3: "cleo"}
    assert after.free == (0,)


async def test_all_who_press_rematch_at_once_meet_in_one_lobby(table: SimTable) -> None:
    over = await given_up(table)
    final = table.board()
    answers = await table.click_together([(member, "Rematch", final) for member in table.members])
    assert len({answer.text for answer in answers}) == 1
    (lobby,) = await table.bot.tables.in_channel(table.channel.id)
    assert set(lobby.persons) == set(over.persons)
