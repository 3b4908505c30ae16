"""Tournaments of computer players: `python -m tools.players.tournament run`, and their table in docs/measured.md.

Deals are played twice, with the seats swapped, so that luck with the cards affects both. If two players meet on boards
with more than two teams, one team (or seat) of the first plays all others of the second, and the deals are played once
from every side. A file has a line of JSON with the totals of each match. It is written anew after every deal, so a run
can be stopped at any time and continued later, though not two at once with one file; the table is made from its lines.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from random import Random

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
"""Games of a match unless said otherwise; the table gives the number if there are fewer."""


@dataclass(frozen=True)
class Match:
    """A match of the player `first` against another on a board."""

    rules: str
    players: int
    first: str
    other: str

    @property
    def board(self) -> Board:
        """The board it is played on."""
        return board_for(self.rules, self.players)

    @property
    def fair(self) -> float:
        """The share of games that each of several equal teams wins."""
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
"""Wanted scores of strong against the heuristic, by rules and number of players, most played systems first."""
QUICK = (("normal", "heuristic", 0.55), ("easy", "random", 0.95), ("easy", "heuristic", None))


def _match(board: str, first: str, other: str) -> Match:
    rules, players = board.split()
    return Match(rules, int(players), first, other)


WANTED = tuple((_match(board, "strong", "heuristic"), least) for board, least in STRONG.items())
OTHERS = tuple((_match(board, first, other), least) for first, other, least in QUICK for board in STRONG)
"""The quick players against each other, head to head; easy should lose to the heuristic."""


@dataclass(frozen=True)
class Total:
    """The part of a match that was played, from deal 0 on.

    `deals`: the numbers of deals of which the first player won none of the games, one, and so on to all; `seconds`
    of processor time.
    """

    deals: tuple[int, ...]
    seconds: float = 0.0

    def plus(self, won: int, seconds: float) -> Total:
        """Return the total with another deal, of which the first player won this many games."""
        deals = (count + (number == won) for number, count in enumerate(self.deals))
        return Total(tuple(deals), round(self.seconds + seconds, 2))


def play_deal(match: Match, deal: int) -> int:
    """Play a deal once from each team's place; returns the games that the first player won."""
    board = match.board
    routes = routes_for(board)
    first, other = player_of(match.first), player_of(match.other)
    dice = Random(f"{match.rules} {match.players} {deal}")
    seed = dice.randbytes(SEED_BYTES)
    won = 0
    for team in board.teams:
        state = GameState.begin(routes, seed)
        state.events = None
        by_seat = {seat: first if seat in team else other for seat in board.seats}
        play_out(state, by_seat, Random(f"{deal} {team}"))
        won += state.winners == team
    return won


def read(file: Path) -> dict[Match, Total]:
    """Read the matches in the file."""
    lines = map(json.loads, file.read_text("utf-8").splitlines()) if file.exists() else ()
    return {Match(*line["match"]): Total(tuple(line["deals"]), line["seconds"]) for line in lines}


def write(file: Path, totals: Mapping[Match, Total]) -> None:
    """Write these matches into the file, or leave it as it is."""
    lines = (json.dumps({"match": [*vars(match).values()], **vars(total)}) for match, total in totals.items())
    new = file.with_suffix(".new")
    new.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    os.replace(new, file)


def run(match: Match, games: int, file: Path) -> int:
    """Play until the file holds this many games of a match; returns the number of games played now."""
    teams = len(match.board.teams)
    totals = read(file)
    total = totals.get(match, Total((0,) * (teams + 1)))
    deals = range(sum(total.deals), -(-games // teams))
    for deal in deals:
        begun = time.process_time()
        won = play_deal(match, deal)
        totals[match] = total = total.plus(won, time.process_time() - begun)
        write(file, totals)
    return teams * len(deals)


@dataclass(frozen=True)
class Score:
    """The number of games, and the share won with its 95 % interval."""

    games: int
    share: float
    low: float
    high: float

    def against_one(self, teams: int) -> Score:
        """Return the score head to head: of the games won by the first player's team or by a certain other team.

        With two teams that is the share of all games. With more, the others share what the first team does not win.
        """

        def against(share: float) -> float:
            return share / (share + (1 - share) / (teams - 1))

        return Score(self.games, against(self.share), against(self.low), against(self.high))

    def __str__(self) -> str:
        return f"{self.share:.0%} ({self.low:.0%} to {self.high:.0%})"


def score(deals: Sequence[int]) -> Score:
    """Return the share won, from deals as in `Total`. The interval is Wilson's, allowing for games of one deal."""
    # As many games as teams.
    size, count = len(deals) - 1, sum(deals)
    games = size * count
    share = sum(won * times for won, times in enumerate(deals)) / games
    # Games of one deal are not independent: together they are worth fewer (or more) independent games.
    between = sum(times * (won - share * size) ** 2 for won, times in enumerate(deals)) / max(1, count - 1)
    alone = size * share * (1 - share)
    effect = min(2.0, max(0.5, between / alone)) if alone > 0 and count > 20 else 1.0
    worth = games / effect
    z = 1.96
    middle = (share + z * z / (2 * worth)) / (1 + z * z / worth)
    reach = z / (1 + z * z / worth) * sqrt(share * (1 - share) / worth + z * z / (4 * worth * worth))
    return Score(games, share, middle - reach, middle + reach)


def table(totals: Mapping[Match, Total]) -> str:
    """Return all listed matches with games, in Markdown: a row for each board, and a line for those against chance."""
    scores = {match: score(total.deals) for match, total in totals.items()}
    listed = [match for match, _ in (*WANTED, *OTHERS)]
    pairs = list(dict.fromkeys((match.first, match.other) for match in listed if match.other != CHANCE))
    heads = ["board", "players", "fair", *(f"{first} against {other}" for first, other in pairs)]
    boards = {(match.rules, match.players) for match in (*listed, *scores)}
    rows = []
    for rules, players in sorted(boards, key=lambda board: (list(SYSTEMS).index(board[0]), board[1])):
        row = [Match(rules, players, first, other) for first, other in pairs]
        if any(match in scores for match in row):
            cells = [_cell(scores[match]) if match in scores else "" for match in row]
            rows.append([rules, str(players), f"{row[0].fair:.0%}", *cells])
    chance = [scores[match].share for match in listed if match.other == CHANCE and match in scores]
    below = [f"\nAgainst `{CHANCE}`, easy wins {min(chance):.0%} or more on every board."] if chance else []
    return "\n".join([_row(heads), "|---" * len(heads) + "|", *map(_row, rows), *below])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(result: Score) -> str:
    few = f", {result.games} games" if result.games < USUAL else ""
    return f"{result.share:.0%} ({100 * result.low:.0f}–{100 * result.high:.0f}){few}"


def describe(match: Match, result: Score) -> str:
    """Return a match's result in a line, with the head to head of more than two teams, and the wanted score."""
    least = dict((*WANTED, *OTHERS)).get(match)
    teams = len(match.board.teams)
    said = [f"{match.rules} {match.players} {match.first} {match.other}: {result} of {result.games}"]
    if teams > 2:
        said.append(f"head to head {result.against_one(teams)}")
    if least is not None:
        head = " head to head" if teams > 2 and match.first != "strong" else ""
        said.append(f"wanted {least:.0%}{head}")
    return ", ".join(said)


def write_table(totals: Mapping[Match, Total], page: Path) -> None:
    """Put the table between its marks on a page."""
    text = page.read_text("utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    page.write_text(f"{before}{BEGIN}\n\n{table(totals)}\n\n{END}{after}", "utf-8")


def parse_matches(words: Sequence[str]) -> Iterator[Match]:
    """Yield the matches named as RULES:PLAYERS:ONE:OTHER, or `strong`, `quick` for lists of them."""
    for word in words:
        if word == "strong":
            yield from (match for match, _ in WANTED)
        elif word == "quick":
            yield from (match for match, _ in OTHERS)
        else:
            rules, players, first, other = word.split(":")
            yield Match(rules, int(players), first, other)


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
    for command in (running, writing):
        command.add_argument("--results", type=Path, default=RESULTS, help=f"lines of JSON (default: {RESULTS})")
    writing.add_argument("--page", type=Path, default=PAGE, help=f"(default: {PAGE})")
    given = parser.parse_args(words)
    if given.command == "run":
        for match in parse_matches(given.match or ["strong", "quick"]):
            run(match, given.games, given.results)
            print(describe(match, score(read(given.results)[match].deals)), flush=True)
    else:
        write_table(read(given.results), given.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
