"""The engine on the command line: `python -m engine actions`, `best` and `selfplay`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from functools import partial

from engine.analysis import answers
from engine.errors import SetupError
from engine.players import PLAYERS
from engine.players.best import STRONG
from engine.players.search import Effort
from engine.players.selfplay import play_games
from engine.players.situation import best_actions
from engine.rules.systems import SYSTEMS, Options


def main(words: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status: 0, or 2 if the arguments are wrong."""
    parser = _parser()
    given = parser.parse_args(words)
    try:
        if given.command == "actions":
            for line in answers(sys.stdin.buffer):
                print(line, flush=True)
        elif given.command == "best":
            effort = Effort(_at_least_one("candidates", given.candidates), _at_least_one("worlds", given.worlds))
            for line in answers(sys.stdin.buffer, partial(best_actions, seed=given.seed, effort=effort)):
                print(line, flush=True)
        else:
            options = Options(canadian_seven=given.canadian_seven)
            names = [name.strip() for name in given.player.split(",")]
            tally = play_games(given.rules, given.players, given.games, given.seed, names, options)
            print(json.dumps(tally.to_json()), flush=True)
    except SetupError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever was reading the answers has gone. Python would complain again when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _at_least_one(name: str, number: int) -> int:
    if number < 1:
        raise SetupError(name, "must be at least 1")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description="The rules of DOG, without anything around.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("actions", help="read one position a line (JSON), answer with all actions, one line each")
    best = commands.add_parser("best", help="read one position a line (JSON), answer with its best actions, rated")
    best.add_argument("--candidates", type=int, default=STRONG.candidates, help="how many actions are tried")
    best.add_argument("--worlds", type=int, default=STRONG.worlds, help="in how many worlds each, on average")
    best.add_argument("--seed", type=int, default=1, help="another number, other worlds (default: 1)")
    selfplay = commands.add_parser("selfplay", help="let computer players play whole games, and print a tally (JSON)")
    selfplay.add_argument("--rules", default="classic", help=f"{', '.join(SYSTEMS)} (default: classic)")
    selfplay.add_argument("--players", type=int, default=4, help="how many (default: 4)")
    selfplay.add_argument("--games", type=int, default=50, help="how many (default: 50)")
    selfplay.add_argument("--seed", type=int, default=1, help="another number, other games (default: 1)")
    names = ", ".join(PLAYERS)
    selfplay.add_argument(
        "--player", default="random", help=f"{names}; several with commas sit down in turn (default: random)"
    )
    selfplay.add_argument("--canadian-seven", action="store_true", help="play with this house rule")
    return parser


if __name__ == "__main__":
    sys.exit(main())
