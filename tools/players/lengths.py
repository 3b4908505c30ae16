"""`python -m tools.players.lengths`: rounds and turns of games of computer players; written for the lobby.

The middle game counts (the median), since a few are very long. A turn is a card played, or a hand laid down.
"""

from __future__ import annotations

import re
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
GAMES = 20
"""Games of each kind."""


def main() -> None:
    """Measure every rule system with every number of players, and write the table into its file."""
    lines = "".join(
        f'    ("{system}", {players}): {measure(system, players)},\n'
        for system, rules in SYSTEMS.items()
        for players in rules.players
    )
    text = re.sub(r"^    \(.*\n", "", TABLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    TABLE.write_text(text.replace("= {\n", f"= {{\n{lines}", 1), encoding="utf-8")


def measure(system: str, players: int) -> tuple[int, int]:
    """Measure the rounds of a game, and the turns of each player in it."""
    board = board_for(system, players)
    routes, rng = routes_for(board), Random(players)
    by_seat = dict.fromkeys(board.seats, player_of(PLAYER))
    rounds, turns = [], []
    for _ in range(GAMES):
        state = GameState.begin(routes, seed_of(rng.randbytes(SEED_BYTES), {}))
        state.events = None
        log: list[tuple[int, str]] = []
        play_out(state, by_seat, rng, log)
        rounds.append(state.round)
        turns.append(sum(1 for _, text in log if text.split()[0] not in ("give", "ask", "none", "decline")) / players)
    return round(median(rounds)), round(median(turns))


if __name__ == "__main__":
    main()
