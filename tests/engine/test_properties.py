"""What holds in every game of every system: random games, and games played well."""

import dataclasses
import gc
import importlib
import pkgutil
import random
from collections import Counter
from functools import cache
from itertools import cycle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine import Action, DogError, EventKind, Game, Options, Phase, Position, Refusal, board_for, parse_position
from engine.analysis import position_actions
from engine.hidden.knowledge import Knowledge
from engine.players import PLAYERS, choose
from engine.rules.placement import to_nodes
from engine.rules.resolved import carry_out
from engine.rules.routes import routes_for
from engine.rules.state import GameState, RoundStage
from tests.engine.staging import all_cards
from tests.reference.positions import KINDS, Kind

ACTIONS = 120
"""How long the random games are whose moments are looked at."""
QUICK = [name for name in PLAYERS if name != "strong"]

lightly = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
Situation = tuple[Kind, int]
situations = st.tuples(st.sampled_from(KINDS), st.integers(0, ACTIONS))


@cache
def played(kind: Kind) -> list[Game]:
    """A random game from its beginning, and after each of its first actions."""
    system, players, house = kind
    rng = random.Random(str(kind))
    games = [Game.new(system, players, rng.randbytes(32), Options.from_words(house))]
    while not games[-1].winners and len(games) <= ACTIONS:
        game = games[-1]
        seat = rng.choice(game.to_act)
        games.append(game.play(seat, choose("random" if rng.random() < 0.5 else "heuristic", game, seat, rng)))
    return games


def at(situation: Situation) -> Game:
    """One moment of a random game."""
    kind, number = situation
    games = played(kind)
    return games[number % len(games)]


@pytest.mark.parametrize(("kind", "player"), [*zip(KINDS, cycle(QUICK), strict=False)], ids=str)
def test_games_end_lawfully_and_lose_nothing(kind: Kind, player: str) -> None:
    system, players, house = kind
    rng = random.Random(7)
    board = board_for(system, players, Options.from_words(house))
    state = GameState.begin(routes_for(board), rng.randbytes(32))
    state.events = None
    deck = Counter(board.deck)
    while state.stage != RoundStage.END:
        seat = rng.choice(state.to_act())
        carry_out(state, seat, PLAYERS[player](Knowledge(state, seat), rng))
        assert state.number < 50_000
        if state.number % 50 == 0:
            cards = state.cards
            held = [card for one in cards.hands for card in one]
            assert Counter([*cards.deck, *cards.discards, *state.aside.values(), *held]) == deck
            placement = state.pieces.placement()
            assert to_nodes(board, placement) is not None
            assert sum(map(len, placement.values())) == 4 * players
    assert state.winners in board.teams
    assert all({piece[-1] for piece in state.pieces.placement()[seat]} == set("abcd") for seat in state.winners)


@given(situations)
@lightly
def test_incremental_state_equals_the_placement(situation: Situation) -> None:
    field = at(situation)._state.pieces
    fresh = type(field).at(field.routes, field.loc)
    assert (field.occ, field.walls, field.in_lane) == (fresh.occ, fresh.walls, fresh.in_lane)
    if field.routes.system.ranks:
        assert field.rank_cells == fresh.rank_cells


@given(situations)
@lightly
def test_the_log_gives_the_same_game(situation: Situation) -> None:
    game = at(situation)
    again = Game.replay(game.system.id, game.players, game.seed, game.options, game.log)
    assert again.log == game.log
    assert all_cards(again) == Counter(game.board.deck)
    for viewer in (None, *game.seats):
        assert again.view(viewer) == game.view(viewer)
    assert again.history(0) == game.history(0)
    assert [entry.number for entry in game.history(0)] == list(range(game.number + 1))


@given(situations)
@lightly
def test_steps_lead_from_first_to_last_place(situation: Situation) -> None:
    for entry in at(situation).history(0):
        for event in entry.events:
            for step in event.steps:
                assert (step.path[0], step.path[-1]) == (step.origin, step.target)


@given(situations)
@lightly
def test_every_action_is_read_back_from_its_text(situation: Situation) -> None:
    game = at(situation)
    for seat in game.to_act:
        legal = game.legal(seat)
        assert legal
        assert len(set(map(str, legal))) == len(legal)
        for action in legal:
            assert Action.parse(str(action)) == action


@given(situations)
@lightly
def test_an_outcome_is_what_playing_does(situation: Situation) -> None:
    game = at(situation)
    for seat in game.to_act:
        placements = set()
        for action in game.legal(seat)[:40]:
            outcome = game.preview(seat, action)
            after = game.play(seat, action)
            assert after.view().pieces == outcome.placement
            assert after.number == game.number + 1
            if outcome.draws:
                assert after.history(after.number)[0].events[0].count == 1
            assert (after.phase is Phase.JUMP) == (outcome.jump is not None)
            if outcome.jump is not None:
                assert after.play(seat, "jump").view().pieces == outcome.jump
            for step in outcome.steps:
                assert (step.path[0], step.path[-1]) == (step.origin, step.target)
            if action.kind == "play":
                placement = action.card, tuple(sorted(outcome.placement.items()))
                assert placement not in placements
                placements.add(placement)


@given(situations, st.integers(0, 10**6))
@lightly
def test_refusals_change_nothing(situation: Situation, foreign: int) -> None:
    game = at(situation)
    elsewhere = at((situation[0], foreign))
    views = [game.view(viewer) for viewer in (None, *game.seats)]
    legal = {seat: set(game.legal(seat)) for seat in game.seats}
    for seat in game.seats:
        for action in {a for one in elsewhere.seats for a in elsewhere.legal(one)[:15]} - legal[seat]:
            refusal, after = _tried(game, seat, action)
            if refusal is not None:
                assert refusal.code
            elif after is not None:
                # Another text for something that is allowed: the same pieces in another order.
                outcomes = [game.preview(seat, other).placement for other in legal[seat] if other.card == action.card]
                assert after.view().pieces in outcomes
    assert [game.view(viewer) for viewer in (None, *game.seats)] == views


def _tried(game: Game, seat: int, action: Action) -> tuple[Refusal | None, Game | None]:
    try:
        return None, game.play(seat, action)
    except Refusal as refusal:
        return refusal, None


@given(situations)
@lightly
def test_each_card_is_playable_or_says_why_not(situation: Situation) -> None:
    game = at(situation)
    if game.phase not in (Phase.TURN, Phase.REDRAW, Phase.DISCARD):
        return
    (seat,) = game.to_act
    playable = {action.card for action in game.legal(seat) if action.kind == "play"}
    for card in set(game.view(seat).hand or ()):
        assert (game.why_not(seat, card) == ()) == (card in playable)


@given(situations)
@lightly
def test_position_holds_all_a_turn_depends_on(situation: Situation) -> None:
    game = at(situation)
    if game.phase is not Phase.TURN:
        return
    (seat,) = game.to_act
    position = Position.from_view(game.view(seat))
    assert parse_position(position.to_json()) == position
    found = {str(candidate.action) for candidate in position_actions(position)}
    assert (found or {"fold"}) == set(map(str, game.legal(seat)))
    for candidate in position_actions(position)[:25]:
        outcome = candidate.preview
        assert (outcome.placement, outcome.draws, outcome.jump) == (
            candidate.placement,
            candidate.draws,
            candidate.jump,
        )


@given(situations, st.text(max_size=30))
@lightly
def test_no_text_breaks_a_game(situation: Situation, text: str) -> None:
    game = at(situation)
    for seat in game.seats:
        try:
            game.play(seat, text)
        except DogError:
            continue


def test_events_count_only_what_was_dealt_or_drawn() -> None:
    counting = {EventKind.DEALT, EventKind.PLAYED, EventKind.DREW}
    for kind in KINDS[::5]:
        happened = [event for entry in played(kind)[-1].history(0) for event in entry.events]
        assert {event.count for event in happened if event.kind not in counting} == {0}
        assert all(event.count >= 0 for event in happened)


def test_returned_values_cannot_be_changed() -> None:
    """All its dataclasses are frozen, except for refusals, to which Python adds, and one that thinking fills in."""
    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    # What stays through all tests is kept from the collector, which knows only of the rest.
    gc.unfreeze()
    found = [one for one in gc.get_objects() if isinstance(one, type) and dataclasses.is_dataclass(one)]
    gc.freeze()
    ours = [one for one in found if one.__module__.startswith("engine.") and not issubclass(one, Exception)]
    assert {one.__qualname__ for one in ours if not one.__dataclass_params__.frozen} == {"Tried"}
