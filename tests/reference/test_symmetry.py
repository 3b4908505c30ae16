"""Turning the table turns the actions with it: every side of a board is treated alike."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.reference.board import PATH_LEAVES, Board, place_of
from tests.reference.compare import by_engine
from tests.reference.naive import Found, Placement
from tests.reference.positions import CONFIGURATIONS, HOUSES, stream

POSITIONS = 25
MOST = 3  # loop pieces of a team that shares a canadian seven
# Three and five players leave sides unused, so no turn maps their seats onto themselves; the two inner paths change
# places when the table is turned half way round.
SYMMETRIC = [(system, players) for system, players in CONFIGURATIONS if players not in (3, 5)]


def _turns(system: str, players: int) -> list[int]:
    """By how many sides the table can be turned."""
    board = Board(system, players)
    if players == 2:
        return [2]
    return [3] if board.inner_paths else list(range(1, board.sides))


def _turned_text(board: Board, text: str, turn: int) -> str:
    rank, place = (text[0], text[1:]) if board.ranked else ("", text)
    if place[0] in PATH_LEAVES:
        place = ("Q" if place[0] == "P" else "P") + place[1:]
    elif place[0].isdigit():
        space = (int(place_of(place)) - 1 + turn * board.span) % board.length + 1
        place = f"{space}{'*' if place.endswith('*') else ''}"
    return rank + place


def _turned_position(position: dict[str, Any], turn: int) -> dict[str, Any]:
    board = Board.of(position)
    victim = position.get("victim")
    return {
        **position,
        **({} if victim is None else {"victim": (victim + turn) % board.sides}),
        "seat": (position["seat"] + turn) % board.sides,
        "pieces": {
            str((int(side) + turn) % board.sides): [_turned_text(board, text, turn) for text in texts]
            for side, texts in position["pieces"].items()
        },
    }


def _turned_placement(board: Board, placement: Placement, turn: int) -> Placement:
    return tuple(
        sorted(
            ((side + turn) % board.sides, tuple(sorted(_turned_text(board, text, turn) for text in texts)))
            for side, texts in placement
        )
    )


def _turned(board: Board, found: Found, turn: int) -> Found:
    jump = None if found.jump is None else _turned_placement(board, found.jump, turn)
    return Found(found.card, _turned_placement(board, found.pieces, turn), found.draws, jump)


def _check(system: str, players: int, house: str) -> None:
    board = Board(system, players, house)
    turns = itertools.cycle(_turns(system, players))
    for position in itertools.islice(stream(50, system, players, house, MOST), POSITIONS):
        turn = next(turns)
        wanted = {_turned(board, found, turn) for found in by_engine(position)}
        assert set(by_engine(_turned_position(position, turn))) == wanted, (position, turn)


@pytest.mark.parametrize(("system", "players"), SYMMETRIC)
def test_a_turned_table_has_the_turned_actions(system: str, players: int) -> None:
    _check(system, players, "")


@pytest.mark.parametrize(("system", "players", "house"), [kind for kind in HOUSES if kind[1] not in (3, 5)])
def test_so_it_has_with_house_rules(system: str, players: int, house: str) -> None:
    _check(system, players, house)
