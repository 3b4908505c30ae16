"""When a computer player that takes its time acts: counted from the moment at which it was asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.table import Logged, Occupant, Status, Table, Terms
from bot.tables.computers import QUICKEST, ROUNDED, SPREAD, soonest
from engine import Game, PublicGame

STARTED = 1_000


def table_of(game: Game, pace: str) -> Table:
    """A game for two between Ann and a computer player, begun at `STARTED`."""
    people = {0: Occupant("Ann", user_id=1), 2: Occupant("Rex", computer="normal")}
    return Table(
        1,
        "FOX-1",
        1,
        1,
        1,
        Status.PLAYING,
        Terms(game.system.id, 2, pace=pace),
        (0, 2),
        people,
        PublicGame(game),
        1,
        None,
        STARTED - 100,
        STARTED,
        started_at=STARTED,
    )


def until_it_is_asked(numbers: Sequence[int]) -> Game:
    """A game in which the computer player on seat 2 is asked something after so many actions, one of `numbers`."""
    for seed in range(200):
        game = Game.new("royal", 2, bytes([seed] * 32))
        while game.number <= max(numbers):
            if 2 in game.to_act and len(game.legal(2)) > 1 and (game.decision(2) or 0) in numbers:
                return game
            seat = game.to_act[0]
            game = game.play(seat, game.legal(seat)[0])
    raise AssertionError("nobody is asked then")


@pytest.mark.parametrize("number", [0, 2, 3])
def test_the_pause_begins_when_the_seat_was_asked(number: int) -> None:
    game = until_it_is_asked([number])
    log = [Logged(one, 0, 1, STARTED + 1_000 * one) for one in range(1, game.number + 1)]
    found = soonest(table_of(game, "live"), log)
    assert found is not None
    seat, when = found
    assert seat.seat == 2
    asked = STARTED + 1_000 * number
    assert asked + ROUNDED + QUICKEST <= when <= asked + ROUNDED + QUICKEST + SPREAD


def test_at_other_paces_it_acts_at_once() -> None:
    found = soonest(table_of(until_it_is_asked([2]), "daily"), ())
    assert found is not None
    assert found[1] == 0
