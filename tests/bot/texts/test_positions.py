"""Positions in words are complete, and fit where they are shown."""

import random
from dataclasses import replace

import pytest

from bot.languages import language_for
from bot.texts import positions
from bot.texts.markup import ALT_LIMIT, MESSAGE_LIMIT
from bot.texts.names import Names
from engine import Board, Game, Phase, board_for, place_of, spaces_to_home
from tests.bot.shown import table_of
from tests.engine.staging import KINDS, SEED, course

ENGLISH = language_for("en-US")


def read(board: Board, drawn: str) -> dict[tuple[int | None, str], str]:
    """What stands where in a plan, by the side of the lane (None elsewhere) and the place; `-` those in the kennel."""
    found: dict[tuple[int | None, str], str] = {}
    wide = len(str(board.length)) + 1
    for line in drawn.splitlines():
        head, cells = line[:wide].strip(), line[wide:].lstrip() if line[wide - 1] == ":" else line[wide:]
        for index, cell in enumerate(cells[at : at + 3].rstrip() for at in range(0, len(cells), 3)):
            assert cell, "cells are told apart by blanks"
            if cell == ".":
                continue
            at = index
            if head.endswith(":"):
                found[int(head[:-1]) - 1, "abcd-"[at]] = cell
            elif head.isdigit():
                found[None, str(int(head) + at)] = cell
            else:
                found[None, f"{head}{at + 1}"] = cell
    return found


def games(system: str, players: int) -> list[Game]:
    return course(Game.new(system, players, SEED), random.Random(8), 200)[::20]


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_the_plan_says_where_every_piece_stands(system: str, players: int) -> None:
    board = board_for(system, players)
    for game in games(system, players):
        view = game.view(None)
        drawn = positions.plan(board, view.pieces)
        seen = read(board, drawn)
        standing: dict[tuple[int | None, str], str] = {}
        for side, pieces in view.pieces.items():
            standing[side, "-"] = f"({sum(place_of(piece) == '-' for piece in pieces)})"
            for piece in pieces:
                place = place_of(piece)
                if place != "-":
                    mark = piece[0] if board.system.ranks else "*" if piece.endswith("*") else ""
                    standing[(side if place in "abcd" else None), place] = f"{side + 1}{mark}"
        crossing = {(None, f"{name}{number}") for name, number in board.crossing}
        assert {at: cell for at, cell in seen.items() if at not in crossing} == {
            at: cell for at, cell in standing.items() if at not in crossing
        }
        assert {seen[at] for at in crossing & set(seen)} == {standing[at] for at in crossing & set(standing)}
        assert max(map(len, drawn.splitlines())) <= 40, "a braille line"
        wide = len(str(board.length))
        numbered = [int(line[:wide]) for line in drawn.splitlines() if line[wide - 1].isdigit() and line[wide] != ":"]
        assert set(numbered) >= {board.start(side) for side in range(board.sides)}


@pytest.mark.parametrize(("system", "players"), [("classic", 4), ("dobney", 6), ("royal", 6), ("royal", 2)])
def test_the_words_are_complete_and_fit(system: str, players: int) -> None:
    board = board_for(system, players)
    for game in games(system, players):
        table = table_of(game)
        view = game.view(None)
        entries = () if view.last is None else (view.last,)
        told = positions.board(ENGLISH, table, view, entries)
        assert len(told) <= MESSAGE_LIMIT
        assert "```" in told
        assert "left to draw" in told
        assert "The board as text: each row goes on from the space at its left; numbers in it are players" in told
        for line in positions.sides(ENGLISH, Names.of(table, ENGLISH), view, view.pieces, ways=True):
            assert line in told
        for seat, pieces in view.pieces.items():
            line = positions.sides(ENGLISH, Names.of(table, ENGLISH), view, {seat: pieces}, ways=True)[0]
            assert line.startswith(f"{seat + 1}: "), "whose pieces the numbers of the plan are"
            assert line.count(" to lane a") == sum(place_of(piece) not in ("-", *"abcd") for piece in pieces), line
            assert (next(iter(board.partners(seat)), None) is not None) == ("partner" in line)
        assert len(positions.alt(ENGLISH, table, view, entries)) <= ALT_LIMIT


def test_an_exchange_is_not_told_as_a_turn() -> None:
    seen = set()
    for game in games("classic", 4):
        view = game.view(None)
        told = positions.board(ENGLISH, table_of(game), view, ())
        if view.phase is Phase.EXCHANGE:
            assert "Card exchange" in told
        assert ("Next: " in told) == (view.phase is Phase.TURN), "its reader may be another"
        seen.add(view.phase)
    assert {Phase.EXCHANGE, Phase.TURN} <= seen


def test_choices_are_told_and_stand_in_the_plan() -> None:
    board = board_for("classic", 4)
    pieces = {0: ("-", "-", "1*", "12"), 1: ("-",) * 4, 2: ("-",) * 4, 3: ("-",) * 4}
    seen = read(board, positions.plan(board, pieces, {(0, "12"): "A", (0, "20"): "B"}))
    assert seen[None, "12"] == "A1"
    assert seen[None, "20"] == "B"
    assert seen[None, "1"] == "1*"


LONG = Names({0: "*" * 40, 1: "_" * 40, 2: "W" * 40, 3: "`" * 40, 4: "|" * 40, 5: "~" * 40})
"""Names that take twice their length in a message, because their signs are escaped."""


@pytest.mark.parametrize(("system", "players"), [("dobney", 6), ("royal", 4), ("royal", 6)])
def test_long_positions_are_brief_and_complete(system: str, players: int) -> None:
    board = board_for(system, players)
    for game in games(system, players):
        view, table = game.view(None), table_of(game)
        people = {seat: replace(who, name=LONG.plain[seat]) for seat, who in table.occupants.items()}
        table = replace(table, occupants=people)
        entries = () if view.last is None else (view.last,)
        spots = [
            (side, piece if board.system.ranks and piece.endswith("-") else place_of(piece))
            for side, own in view.pieces.items()
            for piece in own
            if side == 0 or not piece.endswith("-")
        ]
        letters = dict(zip(dict.fromkeys(spots), "ABCDEFGHIJKLMNOPQRSTUVWXYZ", strict=False))
        long = positions.board(ENGLISH, table, view, entries, spots=letters, room=9999)
        told = positions.board(ENGLISH, table, view, entries, spots=letters, room=min(1800, len(long) - 1))
        assert len(told) <= 1800
        rows = told.splitlines()
        for seat, own in view.pieces.items():
            line = next(line for line in rows if line.startswith(f"- {seat + 1}: "))
            for piece in own:
                place = place_of(piece)
                if place.isdigit():
                    assert f"{place} ({spaces_to_home(board, seat, piece)})" in line.replace(" (protected)", "")
                elif place != "-":
                    assert place in line
            assert f"{view.hands[seat]} card" in line or "out of this round" in line
        for (_, place), letter in letters.items():
            assert f"{letter}: " in told, place
        assert told.split("```")[1].strip("\n") == positions.plan(board, view.pieces, letters)
