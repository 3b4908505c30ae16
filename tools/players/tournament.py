"""Tournaments of computer players: `python -m tools.players.tournament run`, and their table in docs/measured.md.

Deals are played twice, with the seats swapped, so that luck with the cards affects both. If two players meet on boards
with more than two teams, one team (or seat) of the first plays all others of the second, and the deals are played once
from every side. Every deal is a line of a JSON-lines file, so a run can be stopped at any time and continued later; the
table is made from the lines that are there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from engine import SYSTEMS, Board, board_for
from engine.players import player_of
from engine.players.selfplay import play_out
from engine.rules.routes import routes_for
from engine.rules.shuffle import SEED_BYTES
from engine.rules.state import GameState

RESULTS = Path("tools/players/tournaments.jsonl")
PAGE = Path("docs/measured.md")
BEGIN, END = "<!-- tournaments -->", "<!-- /tournaments -->"
CHANCE = "random"
USUAL = 400
"""How many games of a match are played unless said otherwise; the table tells how many if there are fewer."""


@dataclass(frozen=True)
class Match:
    """One player against another on one board."""

    rules: str
    players: int
    one: str
    other: str

    @property
    def board(self) -> Board:
        """The board it is played on."""
        return board_for(self.rules, self.players)

    @property
    def fair(self) -> float:
        """The share of games that one of several equal teams wins."""
        return 1 / len(self.board.teams)


STRONG: Mapping[str, float] = {
    "classic 4": 0.85,
    "family 4": 0.85,
    "dobney 4": 0.83,
    "dobney 6": 0.63,
    "royal 2": 0.94,
    "royal 4": 0.86,
    "royal 3": 0.78,
    "royal-basic 4": 0.88,
    "royal 6": 0.72,
    "royal 5": 0.58,
    "royal-basic 2": 0.94,
    "royal-basic 3": 0.78,
    "royal-basic 5": 0.58,
    "royal-basic 6": 0.72,
}
"""What strong should score against the heuristic, by rules and number of players, the most played systems first."""
QUICK = (("normal", "heuristic", 0.55), ("easy", "random", 0.95), ("easy", "heuristic", None))


def _match(board: str, one: str, other: str) -> Match:
    rules, players = board.split()
    return Match(rules, int(players), one, other)


WANTED = tuple((_match(board, "strong", "heuristic"), least) for board, least in STRONG.items())
OTHERS = tuple((_match(board, one, other), least) for one, other, least in QUICK for board in STRONG)
"""The quick players against each other, head to head; easy should lose to the heuristic."""


def play_deal(match: Match, deal: int) -> list[bool]:
    """Play one deal once from each team's place: whether the first player won each of these games."""
    board = match.board
    routes = routes_for(board)
    one, other = player_of(match.one), player_of(match.other)
    dice = Random(f"{match.rules} {match.players} {deal}")
    seed = dice.randbytes(SEED_BYTES)
    won = []
    for team in board.teams:
        state = GameState.begin(routes, seed)
        state.events = None
        by_seat = {seat: one if seat in team else other for seat in board.seats}
        play_out(state, by_seat, Random(f"{deal} {team}"))
        won.append(state.winners == team)
    return won


def read(file: Path) -> list[dict[str, Any]]:
    """The lines in the file; one that was cut off by a stop is left out."""
    if not file.exists():
        return []
    found = []
    for line in file.read_text("utf-8").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def run(match: Match, games: int, file: Path) -> int:
    """Play until the file holds this many games of a match; returns how many were played now."""
    done = {line["deal"] for line in read(file) if line["match"] == _key(match)}
    if file.exists() and not file.read_bytes().endswith(b"\n"):
        with file.open("a", encoding="utf-8") as out:
            out.write("\n")
    deals = -(-games // len(match.board.teams))
    played = 0
    for deal in range(deals):
        if deal in done:
            continue
        begun = time.process_time()
        won = play_deal(match, deal)
        line = {"match": _key(match), "deal": deal, "won": won, "seconds": round(time.process_time() - begun, 2)}
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
        played += len(won)
    return played


def _key(match: Match) -> list[Any]:
    return [match.rules, match.players, match.one, match.other]


@dataclass(frozen=True)
class Score:
    """How many games were played, and the share won with its 95 % interval."""

    games: int
    share: float
    low: float
    high: float

    def against_one(self, teams: int) -> Score:
        """The same head to head: of the games won by the first player's team or by one certain other team.

        With two teams that is the share of all games. With more, the others share what the first team does not win.
        """

        def one(share: float) -> float:
            return share / (share + (1 - share) / (teams - 1))

        return Score(self.games, one(self.share), one(self.low), one(self.high))

    def __str__(self) -> str:
        return f"{self.share:.0%} ({self.low:.0%} to {self.high:.0%})"


def score(deals: Sequence[Sequence[bool]]) -> Score:
    """The share of games won. The interval is Wilson's, allowing for the correlation of games of one deal."""
    games = sum(len(won) for won in deals)
    wins = sum(sum(won) for won in deals)
    share = wins / games
    # Games of one deal are not independent: together they are worth fewer (or more) independent games.
    size = games / len(deals)
    between = sum((sum(won) - share * len(won)) ** 2 for won in deals) / max(1, len(deals) - 1)
    alone = size * share * (1 - share)
    effect = min(2.0, max(0.5, between / alone)) if alone > 0 and len(deals) > 20 else 1.0
    count = games / effect
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    reach = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return Score(games, share, middle - reach, middle + reach)


def table(lines: Iterable[dict[str, Any]]) -> str:
    """All listed matches with any games, in Markdown: a row for each board, and a line for those against chance."""
    deals: dict[Match, list[list[bool]]] = {}
    for line in lines:
        deals.setdefault(Match(*line["match"]), []).append(line["won"])
    listed = [match for match, _ in (*WANTED, *OTHERS)]
    pairs = list(dict.fromkeys((match.one, match.other) for match in listed if match.other != CHANCE))
    heads = ["board", "players", "fair", *(f"{one} against {other}" for one, other in pairs)]
    boards = {(match.rules, match.players) for match in (*listed, *deals)}
    rows = []
    for rules, players in sorted(boards, key=lambda board: (list(SYSTEMS).index(board[0]), board[1])):
        row = [Match(rules, players, one, other) for one, other in pairs]
        if any(match in deals for match in row):
            cells = [_cell(score(deals[match])) if match in deals else "" for match in row]
            rows.append([rules, str(players), f"{row[0].fair:.0%}", *cells])
    chance = [score(deals[match]).share for match in listed if match.other == CHANCE and match in deals]
    below = [f"\nAgainst `{CHANCE}`, easy wins {min(chance):.0%} or more on every board."] if chance else []
    return "\n".join([_row(heads), "|---" * len(heads) + "|", *map(_row, rows), *below])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(result: Score) -> str:
    few = f", {result.games} games" if result.games < USUAL else ""
    return f"{result.share:.0%} ({100 * result.low:.0f}–{100 * result.high:.0f}){few}"


def told(match: Match, result: Score) -> str:
    """A match's result in a line, with the head to head of more than two teams, and what is wanted of it."""
    least = dict((*WANTED, *OTHERS)).get(match)
    teams = len(match.board.teams)
    said = [f"{match.rules} {match.players} {match.one} {match.other}: {result} of {result.games}"]
    if teams > 2:
        said.append(f"head to head {result.against_one(teams)}")
    if least is not None:
        head = " head to head" if teams > 2 and match.one != "strong" else ""
        said.append(f"wanted {least:.0%}{head}")
    return ", ".join(said)


def write_table(lines: Iterable[dict[str, Any]], page: Path) -> None:
    """Put the table between its marks on a page."""
    text = page.read_text("utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    page.write_text(f"{before}{BEGIN}\n\n{table(lines)}\n\n{END}{after}", "utf-8")


def chosen(words: Sequence[str]) -> Iterator[Match]:
    """The matches named as RULES:PLAYERS:ONE:OTHER, or `strong`, `quick` for lists of them."""
    for word in words:
        if word == "strong":
            yield from (match for match, _ in WANTED)
        elif word == "quick":
            yield from (match for match, _ in OTHERS)
        else:
            rules, players, one, other = word.split(":")
            yield Match(rules, int(players), one, other)


def main(words: Sequence[str] | None = None) -> int:
    """Play matches, or write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.players.tournament", description="Let computer players compete."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="play matches until the file holds enough games of each")
    running.add_argument("match", nargs="*", help="RULES:PLAYERS:ONE:OTHER, strong, quick (default: strong quick)")
    running.add_argument("--games", type=int, default=USUAL, help=f"of each match (default: {USUAL})")
    writing = commands.add_parser("table", help="write the table into the page")
    for one in (running, writing):
        one.add_argument("--results", type=Path, default=RESULTS, help=f"lines of JSON (default: {RESULTS})")
    writing.add_argument("--page", type=Path, default=PAGE, help=f"(default: {PAGE})")
    given = parser.parse_args(words)
    if given.command == "run":
        for match in chosen(given.match or ["strong", "quick"]):
            run(match, given.games, given.results)
            deals = [line["won"] for line in read(given.results) if line["match"] == _key(match)]
            print(told(match, score(deals)), flush=True)
    else:
        write_table(read(given.results), given.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
