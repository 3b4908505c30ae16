"""Reviewing a finished game: a curve for everybody, and each player's own turns for that player only."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.errors import Busy
from bot.showing.presses import ShowReview
from bot.table import Table
from bot.tables import reviewing
from engine import Game, worlds
from engine.players import choose
from engine.thinking.search import Effort
from engine.worlds import NoWorld
from tests.cogs.playing import play_on, seat_everyone, the_table
from tests.engine.twins import arranging, changed, recorded, twin
from tests.simtable import Answer, Seen, SimTable


async def given_up(table: SimTable, turns: int = 10, *, seated: bool = False) -> Table:
    """A game of four that ends early, because seats 1 and 3 give it up. `seated`: it has already begun."""
    if not seated:
        await seat_everyone(table)
    await play_on(table, random.Random(2), turns)
    opened = await the_table(table)
    people = {seat: next(one for one in table.members if one.id == who.user_id) for seat, who in opened.people.items()}
    asked = await table.slash(people[1], "dog resign")
    await table.click(people[1], "End the game with my partner", on=asked.shown)
    await table.click(people[3], "Agree")
    return await table.run(table.bot.tables.get(opened.id))


def pages(answer: Answer) -> list[Seen]:
    """The messages sent in answer, in order."""
    return [seen for seen in (answer.shown, *answer.more) if seen is not None]


async def test_who_played_sees_the_curve_and_their_own_turns(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    # Every difference counts, so that even a short game has something to show.
    monkeypatch.setattr(reviewing, "CAUTION", 0.0)
    monkeypatch.setattr(reviewing, "LEAST", 0.0)
    monkeypatch.setattr(reviewing, "REVIEW", reviewing.FIRST_LOOK)
    over = await given_up(table)
    ann, eva = table.members[0], table.guild.add_member(table.env.create_user("eva"))
    answer = await table.slash(ann, "dog review", game=over.code)
    assert answer.private
    first, *turns = pages(answer)
    assert len(first.pictures) == 1
    assert "estimates" in first.text
    assert turns
    for turn in turns:
        assert len(turn.pictures) == 2
        assert "points less" in turn.text
        assert "💡" in turn.text
    answer = await table.slash(eva, "dog review", game=over.code)
    assert [len(seen.pictures) for seen in pages(answer)] == [1]
    assert "Those who played" in answer.text
    await table.restart()
    again = await table.slash(ann, "dog review", game=over.code)
    assert [seen.text for seen in pages(again)] == [seen.text for seen in (first, *turns)]


async def test_a_running_game_is_not_looked_back_at_not_even_by_a_forged_button(table: SimTable) -> None:
    ann = table.members[0]
    await seat_everyone(table)
    opened = await the_table(table)
    for answer in (
        await table.slash(ann, "dog review"),
        await table.forge(ann, ShowReview(opened.id).custom_id(), on=table.board()),
    ):
        assert "not over" in answer.text
        assert answer.private


async def test_the_last_board_leads_there_and_games_of_others_do_not(table: SimTable) -> None:
    over = await given_up(table, 2)
    ann = table.members[0]
    answer = await table.click(ann, "Review", on=table.board())
    assert answer.private
    assert pages(answer)[0].pictures
    answer = await table.forge(ann, ShowReview(over.id + 7).custom_id(), on=table.board())
    assert "gone" in answer.text


async def test_whoever_asks_meanwhile_waits_for_the_same_look(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    over = await given_up(table, 4)
    ann = table.members[0]
    looks = []
    review = table.bot.pools.review

    async def counted(*words: Any) -> Any:
        looks.append(words)
        return await review(*words)

    monkeypatch.setattr(table.bot.pools, "review", counted)
    answers = await table.click_together([(ann, "Review", table.board())] * 3)
    texts = [pages(answer)[0].text for answer in answers]
    assert texts == texts[:1] * 3
    assert "how the chances changed" in texts[0]
    await table.slash(ann, "dog review", game=over.code)
    assert len(looks) == 1


async def test_too_many_at_a_time_are_refused(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    over = await given_up(table, 2)

    async def busy(*_: Any) -> None:
        raise Busy

    monkeypatch.setattr(table.bot.pools, "review", busy)
    answer = await table.slash(table.members[0], "dog review", game=over.code)
    assert "busy" in answer.text


@pytest.mark.parametrize("system", ["classic", "family", "royal"])
def test_what_is_called_a_mistake_does_not_depend_on_what_the_seat_could_not_know(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that differ only in hidden cards are judged alike, turn by turn."""
    monkeypatch.setattr(reviewing, "CAUTION", 0.0)
    monkeypatch.setattr(reviewing, "LEAST", 0.0)
    monkeypatch.setattr(reviewing, "REVIEW", Effort(3, 4, even=True))
    dice = random.Random(12)
    found = 0
    while not found:
        with arranging():
            recording = recorded((system, 4, False), dice, dice.randrange(20, 50))
            game = recording.game
            for seat in game.seats:
                other = twin(recording, seat, dice)
                if other is None or not changed(game, other):
                    continue
                mine = tuple(number for number, (actor, _) in enumerate(game.log, start=1) if actor == seat)
                judged = reviewing._look_back(game, mine[-6:], 1)
                assert reviewing._look_back(other, mine[-6:], 1) == judged
                found += len(judged[1])


def test_turns_for_which_no_world_is_found_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new("classic", 4, bytes(31) + b"1")
    dice = random.Random(3)
    while game.number < 16:
        game = game.play(game.to_act[0], choose("random", game, game.to_act[0], dice))

    def none(*_: Any) -> None:
        raise NoWorld

    monkeypatch.setattr(worlds.Dealer, "deal", none)
    curve, found = reviewing._look_back(game, tuple(range(1, game.number + 1)), 1)
    assert len(curve) == game.number + 1
    assert found == ()


def test_what_is_found_is_worse_by_more_than_the_noise_and_the_same_every_time() -> None:
    dice = random.Random(3)
    game = Game.new("classic", 4, bytes(31) + b"1")
    while game.number < 24:
        seat = game.to_act[0]
        game = game.play(seat, choose("random" if seat == 0 else "heuristic", game, seat, dice))
    mine = tuple(number for number, (seat, _) in enumerate(game.log, start=1) if seat == 0)
    curve, found = reviewing._look_back(game, mine, 1)
    assert reviewing._look_back(game, mine, 1) == (curve, found)
    assert len(curve) == game.number + 1
    assert all(0 <= chance <= 1 for point in curve for chance in point.chances.values())
    assert len(found) <= reviewing.SHOWN
    for turn in found:
        assert turn.number in mine
        assert 0 < turn.low <= turn.before - turn.after + 1e-9
        assert turn.played != turn.better
