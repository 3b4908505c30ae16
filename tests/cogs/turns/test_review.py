"""Reviewing a finished game: a curve for everybody, and each player's own turns for that player only."""

import random
from typing import Any

import discord
import pytest

from bot.errors import Load, Problem, TooOften, WrongStatus
from bot.showing.controls import ShowReview
from bot.tables.finished import reviewing
from engine import Action, ActionKind, Game
from engine.players import choose
from engine.players.best import Rated
from engine.players.search import Effort
from engine.rules.resolved import Resolved
from tests.cogs.playing import cancel, elsewhere, resigned, seat_everyone, the_table, words_in
from tests.engine.twins import arranging, changed, recorded, twin
from tests.simtable import SimTable


@pytest.mark.usefixtures("everything_counts")
async def test_players_see_curve_and_own_turns(table: SimTable) -> None:
    await seat_everyone(table)
    over = await resigned(table, 16)
    ann, eva = table.members[0], table.guild.add_member(table.env.create_user("eva"))
    first, *turns = (await table.slash(ann, "dog review", game=over.code)).pages
    assert len(first.pictures) == 1
    assert "estimates" in first.text
    assert turns
    for turn in turns:
        assert len(turn.pictures) == 2
        assert "this cut your chance of winning by about " in turn.text
        assert "\nYour hand: " in turn.text
        assert "(0 to" not in turn.text
    answer = await table.slash(eva, "dog review", game=over.code)
    assert [len(seen.pictures) for seen in answer.pages] == [1]
    assert "Players also see" in answer.text
    await table.restart()
    again = await table.slash(ann, "dog review", game=over.code)
    assert [seen.text for seen in again.pages] == [seen.text for seen in (first, *turns)]


async def test_last_finished_game_is_the_default(table: SimTable) -> None:
    await seat_everyone(table)
    over = await resigned(table, 16)
    ann = table.members[0]
    await table.slash(ann, "dog new")
    running = (await table.run(table.bot.tables.in_channel(over.channel_id)))[0]
    for command in ("dog review", "dog card"):
        offered = await table.suggestions(ann, command, "game")
        assert list(offered.values()) == [over.code]
        assert list(await table.suggestions(ann, command, "game", over.code[:2].lower())) == list(offered)
        assert await table.suggestions(ann, command, "game", "zzz") == {}
    assert list((await table.suggestions(ann, "dog board", "game")).values()) == [running.code]
    assert over.code in (await table.slash(ann, "dog review")).text
    assert (await table.slash(ann, "dog card")).shown.pictures


@pytest.mark.parametrize(
    ("state", "kind"), [("a lobby", WrongStatus), ("running", Problem.NOT_OVER), ("cancelled", WrongStatus)]
)
async def test_unfinished_game_has_no_review(table: SimTable, state: str, kind: type[Exception]) -> None:
    ann = table.members[0]
    await (table.slash(ann, "dog new") if state != "running" else seat_everyone(table))
    opened = await the_table(table)
    if state == "cancelled":
        await cancel(table, ann, opened.code)
    for answer in (
        await table.slash(ann, "dog review", game=opened.code),
        await table.forge(ann, ShowReview(opened.id).custom_id(), on=table.board()),
    ):
        assert answer.is_refused(kind)
        assert all(not seen.pictures for seen in answer.pages)


async def test_review_is_for_those_who_see_the_game(table: SimTable) -> None:
    ann, ida = table.members[0], table.guild.add_member(table.env.create_user("ida"))
    await seat_everyone(table)
    over = await resigned(table, 2)
    assert (await table.click(ann, "Review", on=table.board())).pages[0].pictures
    press = ShowReview(over.id).custom_id()
    other = table.guild.create_text_channel("other")
    here = await words_in(table, ann, other)
    channel, (ida_there, ann_there) = await elsewhere(table, ida, ann)
    there = await words_in(table, ann_there, channel)

    async def looks(who: Any, place: Any, where: Any) -> list[bool]:
        """Whether the button and the command show the game to somebody."""
        asked = [await table.forge(who, press, on=where)]
        asked.append(await table.slash(who, "dog review", channel=place, game=over.code))
        return [any(seen.pictures for seen in one.pages) for one in asked]

    assert await looks(ida, other, here) == [True, True], "in the server, everybody who sees the channel may"
    assert await looks(ida_there, channel, there) == [False, False], "from another server, whatever one may do there"
    assert (await looks(ann_there, channel, there))[0], "except for those who played"
    table.overwrite(table.channel, {ida: discord.PermissionOverwrite(view_channel=False)})
    assert await looks(ida, other, here) == [False, False], "nor does anybody who cannot see the channel"
    assert "gone" in (await table.forge(ann, ShowReview(over.id + 7).custom_id(), on=here)).text


async def test_whole_table_can_ask_at_once(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "REVIEW", reviewing.FIRST_LOOK)
    await seat_everyone(table)
    over = await resigned(table, 16)
    board = table.board()
    parts: list[str] = []
    review = table.bot.pools.review

    async def counted(work: Any, *words: Any) -> Any:
        parts.append(work.__name__)
        return await review(work, *words)

    monkeypatch.setattr(table.bot.pools, "review", counted)
    answers = await table.click_together([(member, "Review", board) for member in table.members[:4]])
    assert sorted(parts) == ["_curve", *["_look_back"] * 4], "the course of the game is worked out once"
    for ahead, answer in enumerate(answers):
        found = answer.pages
        assert ("is ahead of yours" in found[0].text) is (ahead == 1)
        assert (f"{ahead} reviews are ahead of yours" in found[0].text) is (ahead > 1)
        assert len(found[1 if ahead else 0].pictures) == 1
    assert {member.id for member in table.members[:4]} == {who.user_id for who in over.occupants.values()}


async def test_too_many_at_a_time_are_refused(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    await seat_everyone(table)
    over = await resigned(table, 2)
    monkeypatch.setattr(table.bot.pools._reviews, "_most", 0)
    assert (await table.slash(table.members[0], "dog review", game=over.code)).is_refused(Load.REVIEWS)
    with monkeypatch.context() as patch:
        patch.setattr(reviewing, "EACH", 0)
        answer = await table.slash(table.members[0], "dog review", game=over.code)
    assert answer.is_refused(TooOften), "one person cannot fill the line"
    monkeypatch.undo()
    answer = await table.slash(table.members[0], "dog review", game=over.code)
    assert any(seen.pictures for seen in answer.pages)


@pytest.mark.parametrize("system", ["family", "royal"])
def test_mistakes_use_only_what_the_seat_knew(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that differ only in hidden cards are judged alike, turn by turn."""
    monkeypatch.setattr(reviewing, "LEAST", -1.0)
    monkeypatch.setattr(reviewing, "SURELY", -1.0)
    monkeypatch.setattr(reviewing, "WORLDS", 4)
    monkeypatch.setattr(reviewing, "REVIEW", Effort(3, 4, even=True))
    dice = random.Random(12)
    found = 0
    while not found:
        with arranging():
            recording = recorded((system, 4, ""), dice, dice.randrange(20, 50))
            game = recording.game
            for seat in game.seats:
                other = twin(recording, seat, dice)
                if other is None or not changed(game, other):
                    continue
                mine = tuple(number for number, (actor, _) in enumerate(game.log, start=1) if actor == seat)
                judged = reviewing._look_back(game, mine[-6:], 1)
                assert reviewing._look_back(other, mine[-6:], 1) == judged
                found += len(judged.found)


def test_mistakes_exceed_noise_and_are_repeatable() -> None:
    dice = random.Random(3)
    game = Game.new("classic", 4, bytes(31) + b"1")
    while game.number < 24:
        seat = game.to_act[0]
        game = game.play(seat, choose("random" if seat == 0 else "heuristic", game, seat, dice))
    mine = tuple(number for number, (seat, _) in enumerate(game.log, start=1) if seat == 0)
    looked = reviewing._look_back(game, mine, 1)
    assert reviewing._look_back(game, mine, 1) == looked
    assert looked.found
    assert len(looked.found) <= reviewing.SHOWN
    for turn in looked.found:
        assert turn.number in mine
        assert reviewing.SURELY <= turn.low < turn.loss < turn.high
        assert reviewing.LEAST <= turn.loss <= turn.before
        assert turn.played != turn.better
    assert looked.examined == sum(len(game.earlier(number - 1).legal(0)) > 1 for number in mine) > 2


def test_turns_without_choice_or_worlds_are_not_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new("classic", 4, bytes(32))
    dice = random.Random(3)
    while game.number < 60:
        game = game.play(game.to_act[0], choose("random", game, game.to_act[0], dice))
    mine = [number for number, (seat, _) in enumerate(game.log, start=1) if seat == 0]
    choices = [number for number in mine if len(game.earlier(number - 1).legal(0)) > 1]
    assert 2 < len(choices) < len(mine)
    asked: list[int] = []

    def rated(state: Game, *_: Any) -> tuple[Rated, Rated] | None:
        asked.append(state.number + 1)
        one = Rated(Action.parse("fold"), Resolved(ActionKind.FOLD), 0.5, 0.4, 0.6, 8, 0, 0, 0)
        return None if len(asked) == 1 else (one, one)

    monkeypatch.setattr(reviewing, "_rated", rated)
    looked = reviewing._look_back(game, tuple(mine), 1)
    assert asked == choices
    assert looked.examined == len(choices) - 1


def test_the_curve_shows_every_action() -> None:
    game = Game.new("classic", 4, bytes(31) + b"1")
    dice = random.Random(3)
    while game.number < 24:
        game = game.play(game.to_act[0], choose("random", game, game.to_act[0], dice))
    curve = reviewing._curve(game)
    assert [point.number for point in curve] == list(range(25))
    assert all(0 <= chance <= 1 for point in curve for chance in point.chances.values())
