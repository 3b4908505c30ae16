"""People who are at the table: their turns edit the board without a ping; once they have gone, none is lost."""

import random

import pytest

from bot.calls import find_called_quietly, find_to_call
from engine import Phase
from engine.secret import whole
from tests.cogs.playing import choosing, on_turn, play_to_the_end, take_turn, the_table
from tests.cogs.timing import duel
from tests.simtable import Seen, SimTable

pytestmark = pytest.mark.there


async def turn_by_turn(table: SimTable, turns: int) -> None:
    """Let the players who are asked play, one after the other."""
    for turn in range(turns):
        await take_turn(table, await on_turn(table), random.Random(turn))


async def test_turns_of_present_players_edit_the_board(table: SimTable) -> None:
    asked, other = await duel(table)
    await turn_by_turn(table, 2)
    posts, pings, board = table.posts(), [table.calls(one) for one in (asked, other)], table.board()
    await turn_by_turn(table, 4)
    assert table.posts() == posts
    assert [table.calls(one) for one in (asked, other)] == pings
    assert table.read(board).text != board.text
    assert find_to_call(await the_table(table)) == {}, "their clocks run"


async def test_board_comes_anew_below_what_was_said(table: SimTable) -> None:
    asked, _ = await duel(table)
    await turn_by_turn(table, 2)
    posts, pings = table.posts(), table.calls(asked)
    await table.members[0].send(table.channel, "hello")
    await turn_by_turn(table, 1)
    assert table.posts() == posts + 1
    assert table.calls(asked) == pings


async def test_player_who_has_gone_is_pinged_once(table: SimTable) -> None:
    await duel(table)
    await turn_by_turn(table, 3)
    late = await on_turn(table)
    pings, before = table.calls(late), table.board()
    clock = next(iter((await the_table(table)).clocks.values()))
    await table.wait(540)
    assert table.calls(late) == pings
    await table.wait(120)
    assert table.calls(late) == pings + 1
    assert not table.exists(before), "the newest board tells the same"
    assert next(iter((await the_table(table)).clocks.values())).ends_at == clock.ends_at
    await table.wait(700)
    assert table.calls(late) == pings + 1


async def test_restart_pings_who_was_called_quietly(table: SimTable) -> None:
    await duel(table)
    await turn_by_turn(table, 3)
    late = await on_turn(table)
    pings = table.calls(late)
    await table.restart(crash=True)
    assert table.calls(late) == pings + 1
    await table.restart(crash=True)
    assert table.calls(late) == pings + 1


async def test_exchange_after_silence_posts_one_board(table: SimTable) -> None:
    host, *others = table.members
    await table.slash(host, "dog new")
    for member in others:
        await table.wait(10)
        await table.click(member, "Join", on=table.board())
    await table.click(host, "Start", on=table.board())
    assert len(find_called_quietly(await the_table(table))) == 4
    posts = table.posts()
    for _ in range(92):
        # Each goes at another second.
        await table.wait(10)
    for member in table.members:
        await take_turn(table, member, random.Random(1))
        await table.wait(5)
    assert whole((await the_table(table)).game).phase is not Phase.EXCHANGE
    assert table.posts() == posts + 1


async def test_later_absences_in_an_exchange_wait(table: SimTable) -> None:
    asked, other = table.members[:2]
    await table.slash(asked, "dog new", rules="royal-basic", players=2)
    await table.click(other, "Join", on=table.board())
    await table.click(asked, "Start", on=table.board())
    posts = table.posts()
    await table.wait(590)
    await table.click(other, "History", on=table.board())
    await table.wait(305)
    assert table.posts() == posts, "a quarter of an hour is not over"
    await table.wait(10)
    assert (table.posts(), table.calls(asked)) == (posts + 1, 1)


async def test_every_ping_can_be_chosen(table: SimTable) -> None:
    asked, other = await duel(table)
    await table.slash(asked, "dog me notify", where="always")
    await turn_by_turn(table, 2)
    pings = table.calls(asked), table.calls(other)
    await turn_by_turn(table, 4)
    assert (table.calls(asked), table.calls(other)) == (pings[0] + 2, pings[1])


async def test_open_hand_tells_the_turn(table: SimTable) -> None:
    asked, other = await duel(table)
    await turn_by_turn(table, 2)
    hand = (await table.click(other, "My hand", on=table.board())).shown
    assert not choosing(hand)
    await take_turn(table, asked, random.Random(5))
    assert choosing(table.read(hand))


async def test_letter_of_a_present_player_is_edited(table: SimTable) -> None:
    asked, _ = await duel(table)
    await table.slash(asked, "dog me notify", where="dm")
    while (await on_turn(table)).id == asked.id:
        await turn_by_turn(table, 1)
    await table.wait(700)
    letters: list[Seen] = []
    for _ in range(6):
        member = await on_turn(table)
        await take_turn(table, member, random.Random(5), by="letter" if member.id == asked.id else "button")
        letters = letters or table.letters(asked)
    assert len(letters) == 1
    assert len(table.letters(asked)) == 1


@pytest.mark.slow
async def test_four_friends_at_the_table_are_quiet(table: SimTable) -> None:
    await play_to_the_end(table, "classic", 60)
    assert table.posts() <= 6
    assert sum(table.calls(member) for member in table.members) <= 4 + 4
