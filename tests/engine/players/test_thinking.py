"""How the better computer players think: ratings, reasons, weights and levels."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import SYSTEMS, Action, ActionKind, Game, NotLegal, board_for
from engine.hidden.knowledge import Knowledge
from engine.hidden.worlds import NoWorld
from engine.players import best, choose, levels
from engine.players.best import Rated, chances, interval, is_same, loss_of, rate, resolve_for
from engine.players.candidates import Candidate, candidates
from engine.players.courtesy import Offence, choose_courteous, offences, price
from engine.players.motives import MotiveKind, motives
from engine.players.playouts import Playout
from engine.players.policy import Greedy
from engine.players.search import Effort, Tried
from engine.players.selfplay import play_games
from engine.players.weights import Weights, plain_weights, shares, weights_for
from engine.rules import moves
from engine.rules.moves import Play, plays
from engine.rules.resolved import Resolved
from engine.rules.state import GameState, RoundStage
from tests.engine.staging import KINDS, SEED, exchanging, staged

SMALL = Effort(4, 3)


def rated(game: Game, seat: int = 0, effort: Effort = SMALL) -> tuple[Rated, ...]:
    return rate(Knowledge.of(game, seat), random.Random(1), effort)


# Twice as many where the engine is compiled.
@pytest.mark.parametrize(("players", "worlds"), [(2, (96, 192)), (3, (96, 192)), (4, (32, 64)), (5, (32, 64))])
def test_strong_tries_more_worlds_where_few_play(
    players: int, worlds: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    spent: list[Effort] = []
    real = levels.search

    def search(known: Knowledge, weights: Weights, rng: random.Random, choices: list[Resolved], effort: Effort) -> Any:
        spent.append(effort)
        return real(known, weights, rng, choices, SMALL)

    monkeypatch.setattr(levels, "search", search)
    game = Game.new("royal-basic", players, SEED)
    levels.play_strong(Knowledge.of(game, 0), random.Random(1))
    assert spent == [Effort(6, worlds[not str(moves.__file__).endswith(".py")])]


def test_few_worlds_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new("royal-basic", 2, SEED)
    known = Knowledge.of(game, 0)
    real, asked = Knowledge.sample, 0

    def rare(known: Knowledge, rng: random.Random) -> GameState:
        nonlocal asked
        asked += 1
        if asked > 2:
            raise NoWorld
        return real(known, rng)

    monkeypatch.setattr(Knowledge, "sample", rare)
    assert {one.worlds for one in rate(known, random.Random(1), Effort(3, 8, even=True))} == {8}
    assert asked == 3, "no more is looked for in vain"
    with pytest.raises(NoWorld):
        rate(known, random.Random(1), Effort(3, 8, even=True))


@pytest.mark.parametrize(("system", "players"), KINDS[::2])
def test_ratings_are_legal_ordered_and_repeatable(system: str, players: int) -> None:
    game = Game.new(system, players, SEED)
    dice = random.Random(f"{system} {players}")
    asked = 0
    while game.to_act and game.number < 60:
        seat = dice.choice(game.to_act)
        if dice.random() < 0.1 or game.number in (0, 1):
            found = rated(game, seat)
            assert {one.action for one in found} <= set(game.legal(seat))
            assert len({one.action for one in found}) == len(found)
            assert all(0 <= one.low <= one.value <= one.high <= 1 for one in found)
            assert (found[0].behind, found[0].behind_low, found[0].behind_high) == (0, 0, 0)
            assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)
            assert found == rated(game, seat)
            for one in found:
                assert motives(Knowledge.of(game, seat), one.does, len(found))
            asked += 1
        game = game.play(seat, choose("random", game, seat, dice))
    assert asked > 2


def test_ratings_are_ordered_despite_unequal_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    game = staged("classic", 4, hands={0: "5 6 9 10", 1: "2 3", 2: "4", 3: "9"}, pieces={0: "20 30", 1: "26", 2: "25"})
    does = [candidate.does for candidate in candidates(Knowledge.of(game, 0), weights_for(game.board))]
    results = ([0.6, 0.6, 0.6, 0.6], [0.5, 0.5, 0.5, 0.5], [0.56, 0.56], [0.7])
    tried = [Tried(*one) for one in zip(does[:4], map(list, results), strict=True)]
    monkeypatch.setattr(best, "search", lambda *_: tried)
    found = rated(game)
    assert [one.does for one in found] == [does[0], does[3], does[2], does[1]]
    assert [round(one.value, 2) for one in found] == [0.6, 0.6, 0.56, 0.5]
    assert all(one.behind_low <= one.behind <= one.behind_high for one in found)


def test_cost_of_an_action_needs_both_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    game = staged("classic", 4, hands={0: "5 6", 1: "2 3", 2: "4", 3: "9"}, pieces={0: "20 30", 1: "26", 2: "25"})
    known, board = Knowledge.of(game, 0), game.board
    worse, better = (resolve_for(game, 0, Action.parse(text)) for text in ("5 20>25", "6 20>26"))
    costs = {weights_for(board): (0.1, 0.14), plain_weights(board): (-0.06, -0.02)}
    asked = 0

    def outcome(_: Knowledge, weights: Weights, does: Resolved, *__: object) -> float:
        nonlocal asked
        asked += 1
        return 0.5 if does == better else 0.5 - costs[weights][asked // 4 % 2]

    monkeypatch.setattr(best, "outcome", outcome)
    lost = loss_of(known, worse, better, random.Random(1), 40)
    assert asked == 40 * 2 * 2
    assert lost.chance == 0.5
    assert lost.loss == pytest.approx(-0.04)
    assert -0.06 < lost.low < -0.04
    assert 0.12 < lost.high < 0.14


def test_costs_are_compared_in_the_same_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    game = staged("classic", 4, hands={0: "5 6", 1: "2 3", 2: "4", 3: "9"}, pieces={0: "20 30", 1: "26", 2: "25"})
    worse, better = (resolve_for(game, 0, Action.parse(text)) for text in ("5 20>25", "6 20>26"))
    seen: list[tuple[object, ...]] = []

    def outcome(_: Knowledge, __: Weights, ___: Resolved, world: Any, rng: random.Random) -> float:
        seen.append((tuple(map(tuple, world.cards.hands)), tuple(world.cards.deck), rng.random()))
        world.cards.deck.clear()
        return 0.5

    monkeypatch.setattr(best, "outcome", outcome)
    loss_of(Knowledge.of(game, 0), worse, better, random.Random(1), 6)
    assert len(set(seen)) == 6
    assert all(len(set(seen[at : at + 4])) == 1 for at in range(0, len(seen), 4))


def test_a_winning_action_is_certain() -> None:
    game = staged("classic", 4, hands={0: "3 5", 1: "2"}, pieces={0: "63 b c d", 2: "a b c d", 1: "4 20 34 50"})
    best = rated(game)[0]
    assert (str(best.action), best.value, best.low) == ("3 63>a", 1, 1)


def test_worlds_are_spent_only_where_they_matter() -> None:
    game = staged("classic", 4, hands={0: "3 5 2 4", 1: "2"}, pieces={0: "63 b c d", 2: "a b c d", 1: "4 20 34 50"})
    clear = rated(game, effort=Effort(4, 40))
    assert str(clear[0].action) == "3 63>a"
    assert max(one.worlds for one in clear) <= 12
    even = rated(game, effort=Effort(4, 20, even=True))
    assert {one.worlds for one in even} == {20}
    assert str(even[0].action) == "3 63>a"


def test_what_is_asked_for_is_rated_too() -> None:
    game = staged("classic", 4, hands={0: "5 6 9 10", 1: "2 3", 2: "4", 3: "9"}, pieces={0: "20 30", 1: "26", 2: "25"})
    known = Knowledge.of(game, 0)
    worst = candidates(known, weights_for(game.board))[-1].does
    found = rate(known, random.Random(1), Effort(1, 4, even=True), also=[worst])
    assert [one.does == worst for one in found].count(True) == 1
    assert {one.worlds for one in found} == {4}


def test_stuck_partner_gets_a_way_out() -> None:
    game = exchanging("classic", {0: "2 9 A K X 5"})
    known = Knowledge.of(game, 0)
    best = candidates(known, weights_for(game.board))[0].does
    assert best.what in ("A", "K", "X")
    assert motives(known, best)[0].kind is MotiveKind.PARTNER_NEEDS_OUT


def test_gift_keeps_the_only_own_way_out() -> None:
    known = Knowledge.of(exchanging("classic", {0: "2 9 A 10 8 5"}), 0)
    assert candidates(known, weights_for(known.board))[0].does.what != "A"


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_play_outs_keep_to_the_rules(system: str, players: int) -> None:
    """Whatever the quick policy chooses is legal by the slow rules, and it finds something whenever they do."""
    dice = random.Random(f"quick {system} {players}")
    weights = weights_for(board_for(system, players))
    game = Game.new(system, players, dice.randbytes(32))
    chosen = 0
    while game.to_act and game.number < 120:
        seat = dice.choice(game.to_act)
        state = game._state
        if state.stage == RoundStage.TURN:
            hand = state.cards.hands[seat]
            found = Greedy(state.pieces, weights).choose(seat, hand, state.last_card, state.victim)
            all_of_it = list(plays(state.pieces, seat, hand, state.last_card, state.victim))
            assert (found is None) == (not all_of_it)
            if found is not None:
                card, _, move = found
                changes = [state.pieces.change(play.move) for play in all_of_it if play.card == card]
                assert state.pieces.change(move) in changes
                chosen += 1
        game = game.play(seat, choose("heuristic" if dice.random() < 0.7 else "random", game, seat, dice))
    assert chosen > 20


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_play_out_ends_with_round_or_game(system: str, players: int) -> None:
    dice = random.Random(4)
    game = Game.new(system, players, SEED)
    while game.phase != "turn":
        game = game.play(game.to_act[0], choose("heuristic", game, game.to_act[0], dice))
    course = Playout(Knowledge.of(game, game.to_act[0]).sample(dice), weights_for(game.board))
    course.finish(dice)
    assert course.winners or not any(course.hands)
    assert sum(course.chances()) == pytest.approx(1)


def test_easy_beats_chance_and_loses_to_the_heuristic() -> None:
    assert play_games("classic", 4, 12, 1, ["easy", "random"]).wins[0] >= 10
    assert play_games("classic", 4, 20, 1, ["easy", "heuristic"]).wins[0] < 10


def test_chances_of_all_are_what_everybody_sees() -> None:
    game = staged("classic", 4, hands={0: "3 5", 1: "2"}, pieces={0: "63 b c d", 2: "a b c d", 1: "4 20 34 50"})
    found = chances(game)
    assert found[0] == found[2] > 0.7
    assert found[0] + found[1] == pytest.approx(1)
    assert chances(game.play(0, "3 63>a")) == {0: 1, 1: 0, 2: 1, 3: 0}


def test_what_a_person_did_can_be_compared() -> None:
    game = staged("classic", 4, hands={0: "6 4 K 2", 1: "3 4"}, pieces={0: "20 62", 1: "26"})
    known = Knowledge.of(game, 0)
    mine = resolve_for(game, 0, Action.parse("2 20>22"))
    found = rate(known, random.Random(1), Effort(2, 6, even=True), also=[mine])
    did = next(one for one in found if is_same(known, one.does, mine))
    assert did.worlds == 6
    assert did.behind > 0
    with pytest.raises(NotLegal):
        resolve_for(game, 0, Action.parse("2 20>23"))


def test_intervals_hold_what_they_say() -> None:
    dice = random.Random(2)
    inside = 0
    for _ in range(400):
        low, high = interval([dice.random() for _ in range(12)])
        inside += low <= 0.5 <= high
    assert 0.9 < inside / 400 < 0.99


# -- weights


def test_learnt_weights_fit_the_features_of_their_board() -> None:
    folder = Path("engine/players/weights")
    learnt = {file.stem for file in folder.iterdir()}
    assert learnt <= {f"{system}-{players}" for system, players in KINDS}
    for system, players in ((system, players) for system, players in KINDS if f"{system}-{players}" in learnt):
        file = folder / f"{system}-{players}.json"
        board = board_for(system, players)
        weights = weights_for(board)
        data = json.loads(file.read_text("utf-8"))
        assert set(data["round"]) | set(data["turn"]) <= set(weights.features.names)
        assert data["version"] == SYSTEMS[system].version
        assert file.stat().st_size < 8_000


def test_weights_of_another_rules_version_are_ignored() -> None:
    system = SYSTEMS["classic"]
    another = weights_for(board_for(replace(system, version=system.version + 1), 4))
    assert another.round == plain_weights(another.features.board).round
    assert another.round != weights_for(board_for(system, 4)).round


def test_chances_are_shared_out_among_all() -> None:
    assert shares([0, 0]) == [0.5, 0.5]
    assert sum(shares([3, -1000, 2, 900])) == pytest.approx(1)


def test_actions_of_other_kinds_are_rated() -> None:
    game = staged("royal-basic", 2, hands={0: "switch 9 12", 2: "2"})
    assert {one.action.kind for one in rated(game)} == {ActionKind.DISCARD}


# -- partners


@pytest.mark.parametrize("level", ["normal", "strong"])
@pytest.mark.parametrize(("gain", "chosen"), [(0.01, "2 20>22"), (0.2, "5 20>25")])
def test_partners_piece_is_spared_for_small_gains(
    level: str, gain: float, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = staged("classic", 4, hands={0: "5 6 2", 1: "2 3", 2: "4 8", 3: "9 5"}, pieces={0: "20 40", 2: "25 26"})
    rude, kind = (resolve_for(game, 0, Action.parse(text)) for text in ("5 20>25", "2 20>22"))
    # Whatever the weights of the day make of this position, the rude play looks better here.
    looks = {rude: 0.5 + gain, kind: 0.5}
    monkeypatch.setattr(levels, "candidates", lambda *_: [Candidate(does, chance) for does, chance in looks.items()])
    monkeypatch.setattr(levels, "search", lambda *_: [Tried(does, [chance]) for does, chance in looks.items()])
    assert str(choose(level, game, 0, random.Random(1))) == chosen


def test_what_a_partner_would_mind() -> None:
    game = staged("classic", 4, hands={0: "5 J 2 K", 1: "2"}, pieces={0: "20", 1: "10", 2: "25 30 62"})
    known = Knowledge.of(game, 0)

    def minded(text: str) -> set[Offence]:
        play = resolve_for(game, 0, Action.parse(text)).what
        assert isinstance(play, Play)
        return set(offences(known, play))

    assert minded("5 20>25") == {Offence.SENT_HOME}
    assert minded("2 20>22") == set()
    assert minded("K ->1") == {Offence.LEFT_BLOCKED}
    assert minded("J 20<>2.30") == {Offence.SWAPPED_BACK}
    assert minded("J 20<>2.62") == set()
    assert minded("J 20<>1.10") == set()


@pytest.mark.parametrize("level", ["normal", "strong"])
def test_courtesy_sometimes_changes_choices_in_partners_favour(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = 0

    def watched(known: Knowledge, looks: Sequence[tuple[Resolved, float]]) -> Resolved:
        nonlocal changed
        chosen = choose_courteous(known, looks)
        (first, chance), given = looks[0], dict(looks)[chosen]
        if chosen != first:
            changed += 1
            assert isinstance(first.what, Play)
            assert offences(known, first.what) - offences_of(known, chosen)
            assert chance - given < price(known, first) - price(known, chosen)
        return chosen

    monkeypatch.setattr(levels, "choose_courteous", watched)
    monkeypatch.setattr(levels, "strong_effort", lambda _: Effort(4, 4))
    # In the first of these games, both levels do so early.
    for number in (7, *range(7)):
        game = Game.new("classic", 4, bytes([number]) * len(SEED))
        dice = random.Random(number)
        while game.to_act and game.number < 90:
            seat = game.to_act[0]
            game = game.play(seat, choose(level, game, seat, dice))
        if changed:
            return
    raise AssertionError("courtesy never changed a choice")


def offences_of(known: Knowledge, does: Resolved) -> frozenset[Offence]:
    assert isinstance(does.what, Play)
    return offences(known, does.what)


def test_courtesy_gives_up_a_little_and_not_much() -> None:
    game = staged("classic", 4, hands={0: "5 2", 1: "2"}, pieces={0: "20", 2: "25"})
    known = Knowledge.of(game, 0)
    rude, kind = (resolve_for(game, 0, Action.parse(text)) for text in ("5 20>25", "2 20>22"))
    assert choose_courteous(known, [(rude, 0.5), (kind, 0.49)]) == kind
    assert choose_courteous(known, [(rude, 0.5), (kind, 0.3)]) == rude
    assert choose_courteous(known, [(kind, 0.5), (rude, 0.49)]) == kind
    assert price(known, rude) > price(known, kind) == 0
