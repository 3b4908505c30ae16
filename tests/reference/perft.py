"""Perft of whole games: how many sequences of actions there are from certain points of games with fixed seeds.

`python -m tests.reference.perft` counts them again and writes `golden/games.json`, asking the naive reading at every
turn on the way and refusing to write if it finds other actions. Run it only after a change of the rules pages (or of
how seeds are dealt, which would make old records useless), and say in the commit why the figures changed.
"""

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

from engine import Action, Game, Options, Phase, Position
from tests.reference import naive
from tests.reference.positions import KINDS, name

GOLDEN = Path(__file__).parent / "golden" / "games.json"
POINTS = (0, 30, 100)
DEPTH = 4


def games(system: str, players: int, house: str) -> list[Game]:
    """One game with a fixed seed at fixed points, played by a fixed choice among the sorted texts of its actions."""
    kind = name(system, players, house)
    game = Game.new(system, players, _digest(kind), Options.from_words(house))
    reached = []
    for number in range(max(POINTS) + 1):
        if number in POINTS:
            reached.append(game)
        if not game.to_act:
            break
        seat = min(game.to_act)
        legal = sorted(game.legal(seat), key=str)
        game = game.play(seat, legal[int.from_bytes(_digest(f"{kind} {number}")[:8], "big") % len(legal)])
    return reached


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def trust(game: Game, seat: int, legal: tuple[Action, ...]) -> None:
    """Take the engine's word."""


def sequences(game: Game, depth: int, look: Callable[[Game, int, tuple[Action, ...]], None] = trust) -> int:
    """How many sequences of this many actions there are; in an exchange the lowest seat that is asked acts first."""
    if not game.to_act:
        return 0
    seat = min(game.to_act)
    legal = game.legal(seat)
    look(game, seat, legal)
    if depth == 1:
        return len(legal)
    return sum(sequences(game.play(seat, action), depth - 1, look) for action in legal)


def doubt(game: Game, seat: int, legal: tuple[Action, ...]) -> None:
    """Ask the naive reading for the number of plays; raises ValueError if it differs."""
    if game.phase is not Phase.TURN:
        return
    position = Position.from_view(game.view(seat)).to_json()
    wanted = len(naive.actions(position))
    if wanted != sum(action.card is not None for action in legal):
        raise ValueError(f"the naive reading finds {wanted} actions in {json.dumps(position)}")


def main() -> int:
    """Count, check and write; returns the exit status."""
    lines = []
    for kind in KINDS:
        try:
            figures = [[sequences(game, depth, doubt) for depth in range(1, DEPTH + 1)] for game in games(*kind)]
        except ValueError as error:
            print(f"{name(*kind)}: {error}; nothing is written", file=sys.stderr)
            return 1
        lines.append(f" {json.dumps(name(*kind))}: {json.dumps(figures)}")
        print(lines[-1], flush=True)
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
