"""The engine and the second reading agree: over thousands of positions, and over games watched by the referee.

How many sequences of actions whole games have is recorded in `golden/` (`perft.py`).

`make fuzz` does the same for a hundred thousand positions and more, and follows games to their end.
"""

import itertools
import json
import random

import pytest

from engine import Game, Options
from engine.players.selfplay import play_games
from engine.record import load_record
from tests.reference import perft
from tests.reference.compare import difference, smallest
from tests.reference.positions import CANADIAN, CONFIGURATIONS, HOUSES, KINDS, name, stream
from tests.reference.referee import follow, replay

POSITIONS = 40
CANADIAN_POSITIONS = 4
HOUSE_POSITIONS = 16
CANADIAN_MOST = 5  # the naive reading's canadian sevens grow tenfold with every two more pieces; `make fuzz` has them
ACTIONS = 60
SEQUENCES_EACH = 250
SEQUENCES = json.loads(perft.GOLDEN.read_text(encoding="utf-8"))


def _agree(system: str, players: int, count: int, house: str = "") -> None:
    for position in itertools.islice(stream(int(house == CANADIAN), system, players, house, CANADIAN_MOST), count):
        if difference(position) is not None:
            bare = smallest(position, difference)
            pytest.fail(f"{json.dumps(bare)}\n{difference(bare)}", pytrace=False)


@pytest.mark.parametrize(("system", "players"), CONFIGURATIONS)
def test_two_readings_agree(system: str, players: int) -> None:
    _agree(system, players, POSITIONS)


@pytest.mark.parametrize(("system", "players", "house"), HOUSES)
def test_two_readings_agree_with_house_rules(system: str, players: int, house: str) -> None:
    _agree(system, players, CANADIAN_POSITIONS if house == CANADIAN else HOUSE_POSITIONS, house)


@pytest.mark.parametrize(("system", "players", "house"), KINDS)
def test_a_game_goes_as_the_referee_says(system: str, players: int, house: str) -> None:
    rng = random.Random(f"{system} {players} {house}")
    follow(Game.new(system, players, rng.randbytes(32), Options.from_words(house)), rng, ACTIONS)


@pytest.mark.parametrize(("system", "players"), dict(reversed(CONFIGURATIONS)).items())
def test_record_agrees_with_the_second_reading(system: str, players: int) -> None:
    kept: list[str] = []
    play_games(system, players, 1, 5, ["heuristic"], keep=lambda _, record: kept.append(record.text()))
    record = load_record(kept[0].encode())
    assert replay(record).winners == record.winners != ()


@pytest.mark.parametrize(("system", "players", "house"), KINDS)
def test_games_have_as_many_sequences_as_recorded(system: str, players: int, house: str) -> None:
    recorded = SEQUENCES[name(system, players, house)]
    for game, counts in zip(perft.games(system, players, house), recorded, strict=True):
        quick = [count for count in counts if count <= SEQUENCES_EACH]
        assert [perft.sequences(game, depth) for depth in range(1, 1 + len(quick))] == quick
