"""Games that begin in the middle of another one: what they keep, what is dealt anew, their records, what is refused."""

import json
import random
from dataclasses import replace

import pytest

from engine import Game, Options, RecordError, SetupError
from engine.hidden.knowledge import Knowledge
from engine.record import Record, Sitter, load_record
from engine.rules.origins import check_origin, write_origin
from engine.rules.shuffle import commitment_of, seed_of
from engine.rules.state import RoundStage
from tests.engine.records import verify
from tests.engine.staging import LARGEST, course

SECRET = bytes(range(32))
SEED = seed_of(SECRET, {})


def states(system: str, players: int, options: Options | None = None, most: int = 120) -> list[Game]:
    return course(Game.new(system, players, SEED, options), random.Random(5), most)


def from_here(game: Game, seed: bytes = SEED, keeps: int | None = None) -> Game:
    origin = write_origin(game.state, keeps)
    return Game.new(game.system.base or game.system, game.players, seed, game.options, origin)


def record_of(game: Game) -> Record:
    given = (game.system.id, game.system.version, game.players, game.options)
    sitters = {seat: Sitter("Ann") for seat in game.seats}
    chance = (commitment_of(SECRET), SECRET, {}, game.seed)
    return Record(*given, sitters, (), *chance, game.winners, False, game.log, game.origin)


@pytest.mark.parametrize(("system", "players"), LARGEST)
def test_origin_keeps_what_spectators_saw(system, players):
    for game in states(system, players)[:-1:7]:
        again = from_here(game)
        was, now = game.view(), again.view()
        assert (now.pieces, now.discards, now.round, now.starter) == (was.pieces, was.discards, was.round, was.starter)
        assert check_origin(again.board, again.origin) == again.origin == write_origin(again.state)
        if game.state.stage != RoundStage.EXCHANGE:
            assert (now.to_act, now.hands, now.last_card, now.out) == (was.to_act, was.hands, was.last_card, was.out)


@pytest.mark.parametrize(("system", "players"), LARGEST)
def test_games_from_origins_play_on_and_replay(system, players):
    for game in states(system, players)[5:-1:37]:
        later = course(from_here(game), random.Random(6), 25)[-1]
        again = Game.replay(game.system.id, players, SEED, game.options, later.log, later.origin)
        assert again.view() == later.view()
        text = record_of(later).text()
        assert load_record(text.encode()).text() == text


def test_hidden_cards_are_dealt_anew():
    game = states("classic", 4)[30]
    one, other = from_here(game, SEED), from_here(game, bytes(32))
    assert one.state.cards.hands != other.state.cards.hands
    cards = one.state.cards
    held = sorted([*cards.deck, *cards.discards, *(card for hand in cards.hands for card in hand)])
    assert held == sorted(card for card, count in game.board.deck.items() for _ in range(count))


def test_open_hands_are_kept():
    game = states("classic", 4, Options(open_hands=True))[30]
    again = from_here(game, bytes(32))
    assert again.view().shown == game.view().shown
    assert again.state.cards.deck != game.state.cards.deck


@pytest.mark.parametrize("at", [2, 30], ids=["exchange", "turns"])
def test_a_seat_keeps_its_hand(at):
    game = states("classic", 4)[at]
    seat = game.to_act[0]
    one, other = from_here(game, SEED, seat), from_here(game, bytes(32), seat)
    assert one.view(seat).hand == other.view(seat).hand == game.view(seat).hand
    partner = game.board.partners(seat)[0]
    assert one.view(partner).hand != other.view(partner).hand
    assert one.view().hands == other.view().hands
    cards = one.state.cards
    held = sorted([*cards.deck, *cards.discards, *(card for hand in cards.hands for card in hand)])
    assert held == sorted(card for card, count in game.board.deck.items() for _ in range(count))


@pytest.mark.parametrize("keeps", [None, 1])
def test_worlds_agree_with_an_origin(keeps):
    game = course(from_here(states("classic", 4)[30], SEED, keeps), random.Random(7), 3)[-1]
    world = Knowledge.of(game, game.to_act[0]).sample(random.Random(8))
    assert [len(hand) for hand in world.cards.hands] == [len(hand) for hand in game.state.cards.hands]


GOOD = json.loads(write_origin(states("classic", 4)[30].state))


@pytest.mark.parametrize(
    "changes",
    [
        {"stage": "end"},
        {"stage": ["turn"]},
        {"stage": "exchange"},
        {"stage": "place"},
        {"stage": "jump", "jumps": 0},
        {"stage": "lose", "robbed": 0},
        {"round": 10**30},
        {"round": True},
        {"seat": 9},
        {"starter": "0"},
        {"hands": {"0": 99}},
        {"hands": dict.fromkeys("0123", 0)},
        {"hands": dict.fromkeys("0123", 60)},
        {"hands": dict.fromkeys("0123", "Z")},
        {"discards": " ".join(["A"] * 50)},
        {"discards": "Z"},
        {"pieces": {}},
        {"pieces": {key: ["a", "b", "c", "d"] for key in "0123"}},
        {"pieces": {key: ["5", "5", "-", "-"] for key in "0123"}},
        {"out": [GOOD["seat"]]},
        {"out": 1},
        {"last": "Z"},
        {"jumps": 3},
        {"robbed": 1},
        {"deck": "A"},
    ],
)
def test_origin_is_refused(changes):
    with pytest.raises(SetupError):
        Game.new("classic", 4, SEED, None, json.dumps(GOOD | changes))


@pytest.mark.parametrize("text", ["", "[]", "{", "7", "[" * 5000, "{}"])
def test_no_origin_is_refused(text):
    with pytest.raises(SetupError):
        Game.new("classic", 4, SEED, None, text)


def test_forged_origin_of_record_is_refused():
    record = record_of(from_here(states("classic", 4)[30]))
    text = record.text().replace('"round":', '"round":1')
    with pytest.raises(RecordError):
        load_record(text.encode())
    with pytest.raises(RecordError):
        load_record(replace(record, origin=None).text().encode().replace(b"deck:", b"origin: {}\ndeck:"))


@pytest.mark.parametrize(("options", "keeps"), [(None, None), (None, 0), (None, 2), (Options(open_hands=True), None)])
def test_stand_alone_check_follows_origins(options, keeps):
    for game in states("classic", 4, options)[2:60:10]:
        text = record_of(course(from_here(game, SEED, keeps), random.Random(6), 80)[-1]).text()
        assert load_record(text.encode()).text() == text
        assert list(verify.differences(text.encode())) == []
        assert list(verify.differences(text.replace(" 8*K", " 7*K").encode()))
