"""Scenes are made from views, and from nothing that a viewer may not know."""

import random

import pytest

from engine import SYSTEMS, Event, EventKind, Game, Position, Step, StepKind, board_for
from engine.players import choose
from render import Scene, board_png
from render.scene import moves_of
from tools.pictures import samples


def played(system: str, players: int, actions: int) -> list[Game]:
    game = Game.new(system, players, bytes(range(32)))
    dice = random.Random(3)
    games = [game]
    while game.to_act and game.number < actions:
        seat = game.to_act[0]
        game = game.play(seat, choose("random", game, seat, dice))
        games.append(game)
    return games


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_view_of_a_game_can_be_drawn(system: str) -> None:
    for players in SYSTEMS[system].players:
        for game in played(system, players, 90)[::30]:
            seat = game.to_act[0] if game.to_act else None
            board_png(Scene.from_view(game.view(seat), names={0: "Anna"}, turned=seat), size=128)


def test_scene_shows_the_views_last_entry() -> None:
    for game in played("classic", 4, 120):
        view = game.view(None)
        scene = Scene.from_view(view)
        assert scene.placement == view.pieces
        assert scene.hands == view.hands
        entry = view.last
        steps = [step for event in entry.events for step in event.steps] if entry else []
        assert [step for _, parts in scene.moves for step in parts] == steps
        if entry and any(event.named for event in entry.events):
            assert ":" in scene.pile[-1]


def test_consecutive_steps_of_a_seat_are_one_move() -> None:
    step = Step(StepKind.FORWARD, 0, "1", "2", ("1", "2"))
    events = [
        Event(EventKind.PLAYED, seat=0, card="7", steps=(step,)),
        Event(EventKind.JUMPED, seat=0, steps=(step,)),
        Event(EventKind.FOLDED, seat=1, cards=("7",)),
        Event(EventKind.PLAYED, seat=1, card="7", steps=(step,)),
    ]
    assert moves_of(events) == ((0, (step, step)), (1, (step,)))


def test_a_bare_position_can_be_drawn() -> None:
    scene = samples.standard("royal", 4)
    position = Position(SYSTEMS["royal"], 4, dict(scene.placement), 1, ("13", "4"), "12")
    bare = Scene.from_position(position)
    assert bare.board is board_for("royal", 4)
    assert (bare.hands, bare.pile, bare.to_act) == ({1: 2}, ("12",), (1,))
    board_png(bare, size=128)
