"""What a seat knows: worlds made from it agree with everything the seat can tell, and depend on nothing else."""

import random
from collections import Counter

import pytest

from engine import Game
from engine.hidden.knowledge import Knowledge
from engine.players import PLAYERS, choose
from engine.rules.state import GameState
from tests.engine.staging import KINDS, LARGEST, SEED, all_cards, staged
from tests.engine.twins import arranging, changed, recorded, twin


def as_game(world: GameState, game: Game) -> Game:
    return Game(world, game.players, SEED, (), game.history(game.number)[0])


def world_of(game: Game, seat: int, seed: int = 1) -> Game:
    return as_game(Knowledge.of(game, seat).sample(random.Random(seed)), game)


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_world_looks_like_the_game_to_its_seat(system: str, players: int) -> None:
    dice = random.Random(f"worlds {system} {players}")
    others = 0
    game = Game.new(system, players, dice.randbytes(32))
    while game.to_act and game.number < 70:
        for seat in game.seats:
            if dice.random() < 0.15:
                world = world_of(game, seat, dice.randrange(1000))
                assert world.view(seat) == game.view(seat)
                assert all_cards(world) == Counter(game.board.deck)
                others += any(world.view(other).hand != game.view(other).hand for other in game.seats)
        acting = dice.choice(game.to_act)
        game = game.play(acting, choose("heuristic" if dice.random() < 0.5 else "random", game, acting, dice))
    assert others > 5


@pytest.mark.parametrize(("system", "players"), LARGEST)
def test_a_world_can_be_played_to_its_end(system: str, players: int) -> None:
    dice = random.Random(5)
    game = Game.new(system, players, SEED)
    for _ in range(12):
        game = game.play(game.to_act[0], choose("random", game, game.to_act[0], dice))
    world = world_of(game, game.to_act[0])
    while world.to_act:
        seat = world.to_act[0]
        world = world.play(seat, choose("heuristic", world, seat, dice))
        assert world.number < 10_000
    assert world.winners


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_choices_and_worlds_ignore_hidden_cards(system: str, players: int) -> None:
    dice = random.Random(f"choices {system} {players}")
    compared = 0
    with arranging():
        for _ in range(3):
            recording = recorded((system, players, ""), dice, dice.randrange(1, 90))
            game = recording.game
            for seat in game.seats:
                other = twin(recording, seat, dice)
                if other is None or not changed(game, other):
                    continue
                worlds = [Knowledge.of(one, seat).sample(random.Random(7)) for one in (game, other)]
                assert worlds[0].cards.hands == worlds[1].cards.hands
                assert worlds[0].cards.deck == worlds[1].cards.deck
                assert worlds[0].aside == worlds[1].aside
                # Those who think for long are asked only a few times.
                asked = [name for name in PLAYERS if name != "strong" or compared < 1] if seat in game.to_act else []
                for name in asked:
                    assert choose(name, game, seat, random.Random(3)) == choose(name, other, seat, random.Random(3))
                compared += 1
    assert compared > 1


def test_given_card_stays_with_partner_until_shown() -> None:
    game = Game.new("classic", 4, SEED)
    given = {seat: (game.view(seat).hand or ())[0] for seat in game.seats}
    for seat in game.seats:
        game = game.play(seat, f"give {given[seat]}")
    for seed in range(30):
        world = world_of(game, 0, seed)
        assert given[0] in (world.view(2).hand or ())


def test_stuck_seat_held_nothing_playable() -> None:
    game = staged("royal-basic", 2, hands={0: "9 8 6", 2: "2 3 5"}, pieces={2: "40"}, turn=0)
    game._state.came = [hand[:] for hand in game._state.cards.hands]
    game._state.record = Game.new("royal-basic", 2, SEED)._state.record
    dealt = game._state.record[0]
    game._state.record[0] = type(dealt)((), 0, 3)
    game._state.cards.deck += game._state.cards.discards
    game._state.cards.discards = []
    after = game.play(0, "discard 9")
    held = [card for seed in range(40) for card in world_of(after, 2, seed)._state.cards.hands[0]]
    assert len(held) == 40 * 3
    # Two of the three were there when nothing could be played: neither of those brings a piece out of the kennel.
    for seed in range(40):
        hand = world_of(after, 2, seed)._state.cards.hands[0]
        assert sum(card in ("1/11", "13") for card in hand) <= 1


def test_knowledge_of_a_game_holds_no_hidden_card() -> None:
    game = Game.new("family", 4, SEED)
    game = game.play(0, f"ask {(game.view(0).hand or ())[0]}")
    state = Knowledge.of(game, 2)._state
    assert state.cards.deck == []
    assert [bool(hand) for hand in state.cards.hands] == [False, False, True, False]
    assert (state.aside, state.gave) == ({}, {})
    assert state.declared == {0: False}
    assert state.cards.seed == bytes(32)
    assert [bool(cards) for cards in state.came] == [False, False, True, False]


def test_declared_partner_may_have_asked_for_help() -> None:
    """Both are possible until the other partner has declared too, whichever it was (rules, section 3)."""
    game = Game.new("family", 4, SEED)
    for done in ("none", f"ask {(game.view(0).hand or ())[0]}"):
        declared = game.play(0, done)
        worlds = [world_of(declared, 1, seed)._state for seed in range(20)]
        assert {world.declared[0] for world in worlds} == {False, True}
        assert all((0 in world.aside) is world.declared[0] for world in worlds)
