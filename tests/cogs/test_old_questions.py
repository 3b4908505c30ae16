"""Questions asked a while ago: a late "yes" does not do to today's game what it was meant to do then."""

import random

import pytest

from bot.table import Status
from tests.cogs.playing import play_on, seat_everyone, the_table
from tests.simtable import SimTable


async def test_an_old_lobbys_yes_does_not_cancel_the_running_game(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    asked = await table.click(ann, "Cancel", on=table.board())
    await table.click(ben, "Join", on=table.board())
    await table.click(ann, "Start", on=table.board())
    code = (await the_table(table)).code
    late = await table.click(ann, f"Yes, cancel {code}", on=asked.shown)
    assert "has moved on since that question was asked. </dog cancel:" in late.text
    assert (await the_table(table)).status is Status.PLAYING


async def test_a_lobby_in_which_somebody_has_sat_down_meanwhile_is_still_the_same_lobby(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    code = (await the_table(table)).code
    asked = await table.click(ann, "Cancel", on=table.board())
    await table.click(ben, "Join", on=table.board())
    assert "is cancelled" in (await table.click(ann, f"Yes, cancel {code}", on=asked.shown)).text
    assert await table.bot.tables.places.in_guild(table.guild.id) == ()


@pytest.mark.parametrize(("command", "label"), [("dog cancel", "Yes, cancel {code}"), ("dog resign", "Yes, resign")])
async def test_a_yes_from_before_a_move_ends_nothing(table: SimTable, command: str, label: str) -> None:
    await seat_everyone(table, rules="royal-basic", players=2)
    ann = table.members[0]
    before = await the_table(table)
    asked = await table.slash(ann, command)
    await play_on(table, random.Random(5), 1)
    late = await table.click(ann, label.format(code=before.code), on=asked.shown)
    assert f"</{command}:" in late.text
    after = await the_table(table)
    assert after.status is Status.PLAYING
    assert after.persons == before.persons
    again = await table.slash(ann, command)
    await table.click(ann, label.format(code=before.code), on=again.shown)
    assert ann.id not in {seated for one in await table.bot.tables.of_member(ann.id) for seated in one.persons}


async def test_a_lobbys_question_does_not_resign_from_the_running_game(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    asked = await table.slash(ann, "dog resign")
    await table.click(ben, "Join", on=table.board())
    await table.click(ann, "Start", on=table.board())
    if asked.shown is not None and "Yes, resign" in asked.shown.labels:
        await table.click(ann, "Yes, resign", on=asked.shown)
    assert (await the_table(table)).people[0].plays == ann.id


async def test_the_cancel_button_of_a_lobby_does_not_ask_about_a_running_game(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    lobby = table.board()
    old = next(one for one in lobby.custom_ids if ":cancel:" in one)
    await table.click(ben, "Join", on=lobby)
    await table.click(ann, "Start", on=table.board())
    answer = await table.forge(ann, old, on=table.board())
    assert "has already started" in answer.text
    assert answer.shown.labels == []
