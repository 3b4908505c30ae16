"""The engine on the command line: `python -m engine actions` and `python -m engine selfplay`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from engine.analysis import answers
from engine.errors import SetupError
from engine.players import PLAYERS
from engine.selfplay import play_games
from engine.systems import SYSTEMS, Options


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; the exit status: 0, or 2 when the arguments are wrong."""
    parser = _parser()
    given = parser.parse_args(words)
    try:
        if given.command == "actions":
            for line in answers(sys.stdin.buffer):
                print(line, flush=True)
        else:
            options = Options(canadian_seven=given.canadian_seven)
            tally = play_games(given.rules, given.players, given.games, given.seed, given.player.split(","), options)
            print(json.dumps(tally.to_json()), flush=True)
    except SetupError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the answers has gone. Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description="The rules of DOG, without anything around.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("actions", help="read one position a line (JSON), answer with all actions, one line each")
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
