"""How many rounds and turns games take, measured in games between computer players; written for the lobby.

    python -m tools.players.lengths --games 20

The middle game counts (the median), since a few are very long. A turn is a card played, or a hand laid down.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from statistics import median

from engine import SYSTEMS, board_for
from engine.players import player_of
from engine.players.selfplay import play_out
from engine.rules.routes import routes_for
from engine.rules.shuffle import SEED_BYTES, seed_of
from engine.rules.state import GameState

TABLE = Path(__file__).parents[2] / "bot" / "texts" / "public" / "lengths.py"
PLAYER = "heuristic"


def main() -> None:
    """Measure every rule system with every number of players, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="how many of each kind")
    games = parser.parse_args().games
    lines = [
        f'    ("{system}", {players}): {measured(system, players, games)},\n'
        for system, one in SYSTEMS.items()
        for players in one.players
    ]
    TABLE.write_text(text_of(games, lines), encoding="utf-8")


def measured(system: str, players: int, games: int) -> tuple[int, int]:
    """The rounds of a game, and the turns of each player in it."""
    board = board_for(system, players)
    routes, rng = routes_for(board), Random(players)
    by_seat = dict.fromkeys(board.seats, player_of(PLAYER))
    rounds, turns = [], []
    for _ in range(games):
        state = GameState.begin(routes, seed_of(rng.randbytes(SEED_BYTES), {}))
        state.events = None
        log: list[tuple[int, str]] = []
        play_out(state, by_seat, rng, log)
        rounds.append(state.round)
        turns.append(sum(1 for _, text in log if text.split()[0] not in ("give", "ask", "none", "decline")) / players)
    return round(median(rounds)), round(median(turns))


def text_of(games: int, lines: list[str]) -> str:
    """The file with the table."""
    return (
        '"""How long games take: measured by `python -m tools.players.lengths`, which writes this file."""\n\n'
        "from __future__ import annotations\n\n"
        "from collections.abc import Mapping\n\n"
        "LENGTHS: Mapping[tuple[str, int], tuple[int, int]] = {\n" + "".join(lines) + "}\n"
        f'"""Rounds, and turns of each player, in the middle one of {games} games of the heuristic player against '
        'itself, by rule\nsystem and number of players.\n"""\n'
    )


if __name__ == "__main__":
    main()
