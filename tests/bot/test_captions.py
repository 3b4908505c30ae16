"""The words in the middle of the picture: short, and drawn to the last character, in whole games of every system."""

from __future__ import annotations

import random
from functools import cache

import pytest

from bot.languages import available, language_for
from bot.texts import pictures
from bot.texts.names import Names
from engine import Game, View, board_for
from render.board.centre import LEAST, caption_rows
from render.board.geometry import Layout
from render.board.middle import middle_of
from render.drawing.text import UNKNOWN, clean, width_of
from tests.engine.staging import KINDS, course

NAMES = Names({0: "Anna", 1: "Bálint", 2: "Çelik", 3: "Íñigo", 4: "Jürgen", 5: "Őrsi"})


@cache
def seen(system: str, players: int) -> list[View]:
    """What spectators see after every action of a game between computers playing at random."""
    return [one.view(None) for one in course(Game.new(system, players, bytes([5]) * 32), random.Random(5), 1500)]


@pytest.mark.parametrize("locale", sorted({"en", *available()}))
@pytest.mark.parametrize(("system", "players"), KINDS, ids=str)
def test_every_sign_of_a_caption_can_be_drawn(system: str, players: int, locale: str) -> None:
    language = language_for(locale)
    told = set()
    for view in seen(system, players):
        assert view.last is not None
        words = [pictures.caption(language, NAMES, (view.last,)), *pictures.summary(language, view).values()]
        for text in words:
            assert UNKNOWN not in clean(text), text
            assert not any(sign in text for sign in UNKNOWN), text
        told.add(words[0])
    assert len(told) > 50


@pytest.mark.parametrize(("system", "players"), KINDS, ids=str)
def test_captions_fit_without_being_cut(system: str, players: int) -> None:
    board = board_for(system, players)
    told = {
        text
        for language in map(language_for, available())
        for view in seen(system, players)
        if view.last is not None and not view.winners and (text := pictures.caption(language, NAMES, (view.last,)))
    }
    for turned in range(board.sides):
        spot = middle_of(Layout(board, 1024, turned))
        room = spot.words[2] - spot.words[0]
        for text in told:
            rows, size = caption_rows(text, room, spot.letters, LEAST)
            assert " ".join(rows) == clean(text)
            assert all(width_of(row, size) <= room for row in rows)
