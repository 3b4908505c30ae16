"""Courtesy of computer players to partners: `python -m tools.players.partnership`, blunders per game, as JSON lines.

It counts what a partner would mind, if the player could have avoided it: sending home a piece of theirs, swapping it
back, standing guarded right before it (`engine.players.courtesy`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from random import Random

from engine import ActionKind, board_for
from engine.hidden.knowledge import Knowledge
from engine.players import player_of
from engine.players.courtesy import Offence, offences
from engine.rules.moves import Play, plays
from engine.rules.resolved import Resolved, carry_out
from engine.rules.routes import routes_for
from engine.rules.shuffle import SEED_BYTES
from engine.rules.state import GameState, RoundStage


def blunders(known: Knowledge, chosen: Play) -> frozenset[Offence]:
    """Return the offences to the partner that another play would have avoided."""
    done = offences(known, chosen)
    needed = done
    if needed:
        for other in plays(known.pieces, known.seat, known.hand, known.last_card, known.victim):
            needed &= offences(known, other)
    return done - needed


def count(rules: str, players: int, name: str, partner: str, games: int, seed: int) -> dict[str, float]:
    """Count blunders of each kind per game and player `name`, each of whom has the partner `partner`."""
    board = board_for(rules, players)
    routes = routes_for(board)
    by_name = {name: player_of(name), partner: player_of(partner)}
    names = {seat: partner if name != partner and seat != team[0] else name for team in board.teams for seat in team}
    counted = sum(seated == name for seated in names.values())
    rng = Random(seed)
    found: Counter[Offence] = Counter()
    for _ in range(games):
        state = GameState.begin(routes, rng.randbytes(SEED_BYTES))
        state.events = None
        while state.stage != RoundStage.END:
            seat = state.to_act()[0]
            known = Knowledge(state, seat)
            match chosen := by_name[names[seat]](known, rng):
                case Resolved(ActionKind.PLAY, Play() as play) if names[seat] == name:
                    found.update(blunders(known, play))
            carry_out(state, seat, chosen)
    return {kind.value: round(found[kind] / games / counted, 3) for kind in Offence}


def main(words: Sequence[str] | None = None) -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.players.partnership", description="How partners are treated."
    )
    parser.add_argument("player", nargs="*", default=["random", "heuristic", "easy", "normal", "strong"])
    parser.add_argument("--partner", help="who their partners are, in both teams (default: the same)")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    for name in given.player:
        partner = given.partner or name
        found = count(given.rules, given.players, name, partner, given.games, given.seed)
        line = {"rules": given.rules, "player": name, "partner": partner, "games": given.games, **found}
        print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
