"""The words in the middle of the picture: short, and drawn to the last character, in games of every system."""

import random

import pytest

from bot.texts import pictures
from bot.texts.names import Names
from engine import Game, board_for
from render.board.centre import LEAST, caption_rows
from render.board.geometry import Layout
from render.board.middle import middle_of
from render.drawing.text import UNKNOWN, clean, width_of
from tests.engine.staging import KINDS, course
from tests.spoken import MEASURED

NAMES = Names({0: "Anna", 1: "Bálint", 2: "Çelik", 3: "Íñigo", 4: "Jürgen", 5: "Őrsi"})


@pytest.mark.parametrize(("system", "players"), KINDS, ids=str)
def test_captions_fit_without_being_cut(system: str, players: int) -> None:
    board, told = board_for(system, players), set[str]()
    for game in course(Game.new(system, players, bytes([5]) * 32), random.Random(5), 150)[1:]:
        view = game.view(None)
        for language in MEASURED:
            told.add(pictures.caption(language, NAMES, (view.last,)))
            for text in pictures.summary(language, view).values():
                assert UNKNOWN not in clean(text), text
    assert len(told) > 50
    assert not any(UNKNOWN in clean(text) for text in told)
    for turned in range(board.sides):
        spot = middle_of(Layout(board, 1024, turned))
        room = spot.words[2] - spot.words[0]
        for text in told:
            rows, size = caption_rows(text, room, spot.letters, LEAST)
            assert " ".join(rows) == clean(text)
            assert all(width_of(row, size) <= room for row in rows)
