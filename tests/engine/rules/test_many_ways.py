"""Sevens that very many pieces can share: some ways are listed, every other is found part by part."""

import itertools
import random
from functools import partial

import pytest

from engine import Action, parse_position
from engine.players import choose
from engine.rules.definition import SevenRule
from engine.rules.moves import seven_rule, sharers
from engine.rules.pieces import Pieces
from engine.rules.routes import routes_for
from engine.rules.sevens import MOST, Sharers, Tests, split_moves, splits_after
from tests.engine.staging import crowded
from tests.reference.positions import Kind, stream

MOST_HERE = 12
"""So few are listed here that small positions have more."""
KINDS: tuple[Kind, ...] = (
    ("classic", 4, "canadian_seven"),
    ("family", 4, "canadian_seven"),
    ("dobney", 6, "teams=two canadian_seven"),
    ("swiss", 8, "teams=two canadian_seven"),
    ("swiss", 6, "teams=two own_safe"),
    ("keezen", 4, "canadian_seven"),
    ("tock", 6, "canadian_seven"),
    ("jackaroo", 4, "canadian_seven"),
)


def passing(parts: list[tuple[int, int, int]]) -> Tests:
    return [partial(_is_part, piece, end) for piece, _, end in parts]


def _is_part(piece: int, end: int, moved: int, target: int) -> bool:
    return (moved, target) == (piece, end)


@pytest.mark.parametrize("kind", KINDS)
def test_every_way_is_found_part_by_part(kind: Kind) -> None:
    looked_at = 0
    for position in itertools.islice(stream(7, *kind, most=5), 20):
        found = parse_position(position)
        pieces = Pieces.at(routes_for(found.board), found.nodes())
        among = sharers(pieces, found.seat, pieces.routes.powers["7"])
        share = pieces, 7, seven_rule(pieces.routes), among
        wanted = {split.change for split in split_moves(*share)}
        if MOST_HERE < len(wanted) < 200:
            looked_at += 1
            assert _reached(share, []) == wanted, position
    assert looked_at


def _reached(share: tuple[Pieces, int, SevenRule, Sharers], begun: list[tuple[int, int, int]]) -> set[int]:
    """The placement bits that splits with these first parts change, found part by part."""
    some = splits_after(*share, passing(begun), MOST_HERE)
    changes = {split.change for split in some}
    if any(split.others for split in some):
        for part in dict.fromkeys(part for split in some for part in split.parts() if part not in begun):
            changes |= _reached(share, [*begun, part])
    return changes


def test_sixteen_pieces_take_no_longer_than_a_few() -> None:
    game = crowded()
    legal = game.legal(0)
    assert (len(legal), game.unlisted(0)) == (MOST, {("7", "7")})
    assert len({action.parts[0] for action in legal}) > 16
    assert all(game.preview(0, action).steps for action in legal[::50])
    assert game.why_not(0, "7") == ()
    # A way that is not listed is allowed all the same.
    whole = Action.parse("7 3>5 2.35>36 2.38>39 4.67>68 4.70>71 6.99>100")
    assert whole not in legal
    assert game.play(0, whole).number == game.number + 1


def test_shares_go_on_from_the_parts_begun() -> None:
    game = crowded()
    some = game.shares(0, Action.parse("7 3>4 6>7"))
    assert not some.whole
    assert all([*map(str, action.parts[:2])] == ["3>4", "6>7"] for action in some.actions)
    last = game.shares(0, Action.parse("7 3>4 6>11"))
    assert last.whole
    assert all(game.preview(0, action) for action in last.actions)
    assert game.shares(0, Action.parse("7 3>5 4>5")) == ((), True)
    assert game.shares(1, Action.parse("2 3>5")) == ((), True)


@pytest.mark.parametrize("level", ["random", "heuristic", "easy", "normal", "strong"])
def test_every_computer_plays_where_ways_are_many(level: str) -> None:
    game = crowded("7 7")
    assert game.play(0, choose(level, game, 0, random.Random(1))).number == game.number + 1
