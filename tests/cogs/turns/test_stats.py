"""`/dog stats` and `/dog leaderboard`: of this server, in a picture and in words; and what the last board says."""

import random
from typing import Any

import pytest

from bot.results import Feat
from bot.table import Table
from bot.texts.stats import FEATS
from tests.cogs.playing import meanwhile, resign, seat_everyone
from tests.simtable import SimTable


async def ended(table: SimTable) -> Table:
    """A game that was resigned late enough to be rated."""
    await seat_everyone(table)
    await meanwhile(table, random.Random(3), lambda now: now.game is not None and now.game.round >= 3)
    return await resign(table, table.members[0])


async def test_the_lobby_says_whether_the_game_is_rated(table: SimTable) -> None:
    ann, *_ = table.members
    await table.slash(ann, "dog new")
    assert "📈 Rated" in table.board().text
    await table.click(ann, "Add computers", on=table.board())
    assert "🤖 Unrated" in table.board().text
    await table.slash(ann, "dog new", hints=True)
    assert "hints, unrated" in table.newest().text


async def test_last_board_and_stats_tell_the_same_change(table: SimTable) -> None:
    over = await ended(table)
    ann, ben, *_ = table.members
    (line,) = [line for line in table.newest().text.splitlines() if line.startswith("📈")]
    assert line.count("1,500 → ") == 4
    stats = await table.slash(ann, "dog stats")
    points = line.partition("ann** 1,500 → ")[2][:5]
    assert f"Rating: **{points}** ±" in stats.text
    assert "9 more rated games to go" in stats.text
    assert "Classic" in stats.text
    assert stats.pages[0].pictures
    assert f"{points} ±" in stats.pages[0].alt[0]
    board = await table.slash(ben, "dog leaderboard")
    assert [name in board.text for name in ("ann", "ben", "cleo", "dan")] == [True] * 4
    assert board.text.count("provisional") == 4
    assert (await table.slash(ben, "dog leaderboard", since="month")).text.count("+") == 2
    assert over.won
    # Who wants no pictures has all of it in words.
    await table.slash(ann, "dog me theme", look="text")
    for command in ("dog stats", "dog leaderboard"):
        answer = await table.slash(ann, command)
        assert "ann" in answer.text
        assert not answer.pages[0].pictures


async def test_other_servers_and_hidden_people_are_not_told(table: SimTable) -> None:
    await ended(table)
    ann, ben, *_ = table.members
    assert "only your own games" in (await table.slash(ann, "dog stats", member=ben, everywhere=True)).text
    assert "Games between people" in (await table.slash(ann, "dog stats", everywhere=True)).text
    assert "No finished games yet." in (await table.slash(ann, "dog stats", rules="royal")).text
    await table.run(table.bot.tables.users.prefer(ben.id, unlisted=True))
    assert "No finished games yet." in (await table.slash(ann, "dog stats", member=ben)).text
    assert "ben" not in (await table.slash(ann, "dog leaderboard")).text
    assert "hidden from" in (await table.slash(ben, "dog stats")).text
    assert "hidden from" not in (await table.slash(ann, "dog stats", member=ben)).text


@pytest.mark.parametrize("feat", Feat)
def test_every_feat_has_a_name(feat: Feat) -> None:
    assert all(FEATS[feat])


async def test_leaderboard_turns_through_seasons(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    assert not (await table.slash(ann, "dog leaderboard")).shown.labels
    await table.slash(moderator, "dog-admin moderate season", reason="spring")
    await ended(table)
    await table.wait(5)
    begun = await table.slash(moderator, "dog-admin moderate season", reason="a fresh *start*")
    assert "Season 1 is over" in begun.text
    shown = await table.slash(ann, "dog leaderboard")
    assert "Season 2" in shown.text
    assert "a fresh" in shown.text
    assert shown.shown.labels == ["Season 1", "All time"]
    first = await table.click(ann, "Season 1", on=shown.shown)
    assert first.text.count("+") == 2
    assert "spring" in first.text
    always = await table.click(ann, "All time", on=first.shown)
    assert always.text.count("provisional") == 4
    assert always.shown.labels == ["Season 2"]
    assert "No season" not in (await table.slash(moderator, "dog-admin moderate season", reason="over", end=True)).text
    assert "provisional" in (await table.slash(ann, "dog leaderboard")).text
