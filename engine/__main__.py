"""The engine on the command line: `python -m engine actions`, `best`, `selfplay`, `replay` and `verify`."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from engine.analysis import answers
from engine.errors import RecordError, SetupError
from engine.players import PLAYERS
from engine.players.best import STRONG
from engine.players.search import Effort
from engine.players.selfplay import play_games
from engine.players.situation import best_actions
from engine.record import MOST_BYTES, Record, load_record, read
from engine.rules.options import Options
from engine.rules.systems import SYSTEMS

_MOST_DIFFERENCES = 20


def main(words: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status: 0, 2 if arguments or input are wrong, 1 if `verify` finds something."""
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
        elif given.command == "replay":
            _replay(load_record(file_of(given.file)))
        elif given.command == "verify":
            return _verify(file_of(given.file))
        else:
            options = Options.from_words(given.house)
            names = [name.strip() for name in given.player.split(",")]
            keep = None if given.records is None else partial(_keep, _folder(given.records), given.rules)
            tally = play_games(given.rules, given.players, given.games, given.seed, names, options, keep)
            print(json.dumps(tally.to_json()), flush=True)
    except (SetupError, RecordError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader of the answers has gone. Python would complain again when it closes standard output.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130
    return 0


def file_of(path: str) -> bytes:
    """Read a file that may be a record, up to one byte more than a record can have; raises OSError."""
    with open(path, "rb") as file:
        return file.read(MOST_BYTES + 1)


def _folder(path: str) -> Path:
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _keep(folder: Path, rules: str, number: int, record: Record) -> None:
    (folder / f"{rules}-{record.players}-{number:04}.dog").write_text(record.text(), encoding="utf-8", newline="\n")


def _replay(record: Record) -> None:
    """Print every deal, shuffle and draw, who won, and the result as JSON."""
    lines = [line for line in record.lines() if line.startswith(("#", "result: ", "+ deal", "+ draw", "+ shuffle"))]
    result = next(line for line in lines if line.startswith("result: "))
    for line in lines:
        if line is not result:
            print(line.lstrip("#+ "))
    print(result)
    print(json.dumps({"winners": list(record.winners), "actions": len(record.log)}), flush=True)


def _verify(data: bytes) -> int:
    """Print the differences, at most `_MOST_DIFFERENCES`, and return the exit status."""
    differences = read(data).differences()
    found = list(itertools.islice(differences, _MOST_DIFFERENCES))
    for error in found:
        print(error)
    more = sum(1 for _ in differences)
    if more:
        print(f"and {more} more")
    if not found:
        print("everything is as the rules, the secret and the contributions give it")
    return 1 if found else 0


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
    rules = ", ".join(Options.names())
    selfplay.add_argument("--house", default="", help=f"house rules, as in 'quick teams=two': {rules}")
    selfplay.add_argument("--records", metavar="DIR", help="write each game as a record into this folder")
    replay = commands.add_parser("replay", help="play a record, print every deal and, as JSON, the result")
    verify = commands.add_parser("verify", help="recompute everything in a record, and print what differs")
    for command in (replay, verify):
        command.add_argument("file", metavar="FILE")
    return parser


if __name__ == "__main__":
    sys.exit(main())
