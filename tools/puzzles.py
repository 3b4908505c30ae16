"""Finds puzzles of the day in games of the computer players, and writes those that have exactly one solution.

    python -m tools.puzzles --count 120 --seed 1     adds to bot/puzzles/puzzles.json until it has this many
    python -m tools.puzzles --grade 3 --rules swiss  adds only hard ones from one system; first take others out

Every position was reached in a game. Of each kind, at most a sixth of all is easy, a quarter of medium grade, and an
eighth from one system; hard ones are rare, so it takes a while. `solutions` is what the tests use, too.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Container, Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from bot.tables.learning.exercises import PuzzleKind, find_threat
from engine import SLOTS, ActionKind, Game, Position
from engine.analysis import PossibleAction, position_actions
from engine.players import choose

FILE = Path(__file__).resolve().parents[1] / "bot" / "puzzles" / "puzzles.json"

SYSTEMS = ("classic", "family", "dobney", "swiss", "keezen", "jackaroo")
"""The systems whose games give puzzles; those in which cards are drawn, or names asked for, during a turn do not."""

SHARES = {1: 6, 2: 4, 3: 2}
"""By grade, the part of all puzzles (a sixth, a quarter, a half) that may be of that grade and of one kind."""

LEAST = 8
"""The fewest ways to begin: with less there is nothing to find out."""

MOST = 2_500
"""The most positions that a search for a way home looks at."""


class TooMany(Exception):
    """There are too many ways to look at them all."""


def solutions(kind: PuzzleKind, position: Position) -> list[tuple[str, ...]]:
    """Return all solutions of a puzzle, at most two. Raises TooMany."""
    found = _ways_home(position) if kind is PuzzleKind.HOME else _rescues(position)
    return [way for way, _ in zip(found, range(2), strict=False)]


def _ways_home(position: Position) -> Iterator[tuple[str, ...]]:
    """Yield the ways to bring all pieces of the seat home with the hand, in order; each ends as soon as they are."""
    left = [MOST]

    def search(now: Position, played: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        missing = sum(text[-1] not in SLOTS for text in now.pieces[now.seat])
        if missing > _most_home(now):
            return
        left[0] -= 1
        if left[0] < 0:
            raise TooMany
        for possible in position_actions(now):
            way = (*played, str(possible.action))
            if all(text[-1] in SLOTS for text in possible.placement[now.seat]):
                yield way
            elif len(now.hand) > 1:
                yield from search(after(now, possible), way)

    return search(position, ())


def _most_home(position: Position) -> int:
    """Return the most pieces that the hand can bring home: one a card, or several by a card that is split."""
    return sum(4 if card in ("7", "X") else 1 for card in position.hand)


def after(position: Position, done: PossibleAction) -> Position:
    """Return the position after an action, while no other seat plays."""
    hand = list(position.hand)
    hand.remove(done.action.card or "")
    return replace(position, pieces=done.placement, hand=tuple(hand), last=done.action.named or done.action.card)


def _rescues(position: Position) -> Iterator[tuple[str, ...]]:
    """Yield the actions after which no card of the next player sends back a piece of the partner."""
    (partner,) = position.board.partners(position.seat)
    for possible in position_actions(position):
        now = replace(position, pieces=possible.placement)
        if _in_kennel(now, partner) <= _in_kennel(position, partner) and find_threat(now) is None:
            yield (str(possible.action),)


def _in_kennel(position: Position, side: int) -> int:
    return sum(text[-1] == "-" for text in position.pieces[side])


def candidates(rules: str, seed: int, wanted: Container[PuzzleKind]) -> Iterator[tuple[PuzzleKind, Position]]:
    """Yield the positions of a game that may make a puzzle of these kinds."""
    dice = random.Random(seed)
    game = Game.new(rules, 4, seed.to_bytes(32))
    while game.to_act:
        seat = game.to_act[0]
        position = Position.from_view(game.view(seat))
        if any(action.kind is ActionKind.PLAY for action in game.legal(seat)):
            missing = sum(text[-1] not in SLOTS for text in position.pieces[seat])
            if PuzzleKind.HOME in wanted and 2 <= len(position.hand) <= 4 and 1 <= missing <= 3:
                yield PuzzleKind.HOME, position
            if PuzzleKind.SAVE in wanted and missing and len(position.hand) >= 3 and find_threat(position) is not None:
                yield PuzzleKind.SAVE, position
        game = game.play(seat, choose("heuristic", game, seat, dice))


def grade_of(kind: PuzzleKind, position: Position, solution: Sequence[str]) -> int:
    """Return how hard a puzzle is, from 1 to 3: by how much there is to play, and how much to choose from."""
    ways = len(position_actions(position)) * max(1, len(solution) - 1)
    easy, hard = (25, 80) if kind is PuzzleKind.HOME else (15, 40)
    return 1 if ways < easy else 2 if ways < hard else 3


def find_puzzles(
    seed: int, wanted: Set[PuzzleKind], systems: Sequence[str] = SYSTEMS, least: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield puzzles of kinds still wanted and at least this grade, game by game; at most one of each kind a game."""
    number = seed
    while True:
        number += 1
        kinds = set(wanted)
        for kind, position in candidates(systems[number % len(systems)], number, kinds):
            if kind not in kinds or len(position_actions(position)) < LEAST:
                continue
            if grade_of(kind, position, position.hand) < least:  # no solution is longer than the hand
                continue
            try:
                ways = solutions(kind, position)
            except TooMany:
                continue
            if len(ways) != 1 or (kind is PuzzleKind.HOME and len(ways[0]) < 2):
                continue
            grade = grade_of(kind, position, ways[0])
            if grade < least:
                continue
            kinds.remove(kind)
            shown = {name: value for name, value in position.to_json().items() if value not in (None, {})}
            yield {"kind": kind.value, "grade": grade, "position": shown, "solution": list(ways[0])}


def main(argv: Sequence[str] | None = None) -> int:
    """Add puzzles until there are this many, half of each kind, mixed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the next has the next seed")
    parser.add_argument("--rules", choices=SYSTEMS, nargs="+", default=SYSTEMS)
    parser.add_argument("--grade", type=int, choices=SHARES, default=1, help="the least")
    parser.add_argument("--file", type=Path, default=FILE)
    given = parser.parse_args(argv)
    kept: list[dict[str, Any]] = []
    have: Counter[object] = Counter()
    before = json.loads(given.file.read_text(encoding="utf-8")) if given.file.exists() else []
    wanted = set(PuzzleKind)
    for puzzle in chain(before, find_puzzles(given.seed, wanted, given.rules, given.grade)):
        kind, grade, rules = puzzle["kind"], puzzle["grade"], puzzle["position"]["rules"]
        most = {kind: given.count // 2, (kind, grade): given.count // SHARES[grade], (kind, rules): given.count // 8}
        if any(have[what] >= limit for what, limit in most.items()):
            continue
        have.update(most.keys())
        kept.append(puzzle)
        if have[kind] >= given.count // 2:
            wanted.discard(PuzzleKind(kind))
        random.Random(given.seed).shuffle(kept)
        given.file.parent.mkdir(exist_ok=True)
        lines = (json.dumps(puzzle, separators=(",", ":")) for puzzle in kept)
        given.file.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
        print(f"{len(kept)}: {puzzle['kind']}, grade {puzzle['grade']}", file=sys.stderr)
        if len(kept) >= given.count // 2 * 2:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main())
