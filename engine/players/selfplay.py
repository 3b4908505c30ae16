"""Computer players against each other: whole games without events and texts, for measuring and comparing."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from engine.errors import SetupError
from engine.game import Log
from engine.hidden.knowledge import Knowledge
from engine.players import Player, player_of
from engine.players.best import action_for
from engine.record import Record, Sitter
from engine.rules.board import board_for
from engine.rules.options import Options
from engine.rules.resolved import carry_out
from engine.rules.routes import routes_for
from engine.rules.shuffle import SEED_BYTES, commitment_of, seed_of
from engine.rules.state import GameState, RoundStage


@dataclass(frozen=True)
class Tally:
    """The sum over some games: `plies` are actions of all kinds, `wins` the games won by each seat.

    `seconds` are processor time, so that other programs on the machine matter little.
    """

    rules: str
    players: int
    player: str
    games: int
    plies: int
    seconds: float
    plies_per_second: float
    wins: dict[int, int]

    def to_json(self) -> dict[str, Any]:
        """Return the tally as a JSON object."""
        return asdict(self) | {"wins": {str(seat): count for seat, count in self.wins.items()}}


def play_games(
    rules: str,
    players: int,
    games: int,
    seed: int,
    names: Sequence[str],
    options: Options | None = None,
    keep: Callable[[int, Record], None] | None = None,
) -> Tally:
    """Play games to the end; the same arguments give the same games, apart from the time taken.

    Args:
        names: a computer player for each seat in turn order, or fewer, which then repeat in that order.
        keep: is given the number of each game, counting from 1, and its record.

    Raises:
        SetupError: unknown rule system, number of players, option or computer player, more computer players than seats,
            or a number out of range.
    """
    board = board_for(rules, players, options)
    _check_number("seed", seed)
    if _check_number("games", games) < 1:
        raise SetupError("games", "must be at least 1")
    among = [player_of(name) for name in names]
    if not among:
        raise SetupError("player", "must be named")
    if len(among) > players:
        raise SetupError("player", f"must be at most {players}, one for each seat")
    routes = routes_for(board)
    by_seat = {seat: among[index % len(among)] for index, seat in enumerate(board.seats)}
    rng = Random(seed)
    plies = 0
    wins = dict.fromkeys(board.seats, 0)
    begun = time.process_time()
    for number in range(1, games + 1):
        secret = rng.randbytes(SEED_BYTES)
        state = GameState.begin(routes, seed_of(secret, {}))
        state.events = None
        log: list[tuple[int, str]] | None = None if keep is None else []
        play_out(state, by_seat, rng, log)
        plies += state.number
        for seat in state.winners:
            wins[seat] += 1
        if keep is not None and log is not None:
            keep(number, _record(state, secret, dict(zip(board.seats, itertools.cycle(names))), tuple(log)))
    seconds = time.process_time() - begun
    shown = ",".join(names)
    return Tally(rules, players, shown, games, plies, round(seconds, 3), int(plies / max(seconds, 1e-9)), wins)


def play_out(
    state: GameState, by_seat: Mapping[int, Player], rng: Random, log: list[tuple[int, str]] | None = None
) -> None:
    """Play a game to its end, in place; seats and record texts go to the log."""
    while (stage := state.stage) is not RoundStage.END:
        seat = state.turn if stage is RoundStage.TURN else state.to_act()[0]
        known = Knowledge(state, seat)
        chosen = by_seat[seat](known, rng)
        if log is not None:
            log.append((seat, str(action_for(known, chosen))))
        carry_out(state, seat, chosen)


def _record(state: GameState, secret: bytes, names: Mapping[int, str], log: Log) -> Record:
    """Return the record of a game of computer players, who contribute nothing to the seed."""
    system = state.board.system
    sitters = {seat: Sitter(name, name) for seat, name in names.items()}
    game = (system.id, system.version, state.board.players, state.options)
    return Record(
        *game, sitters, (), commitment_of(secret), secret, {}, state.cards.seed, state.winners, awarded=False, log=log
    )


def _check_number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SetupError(name, "must be a whole number")
    return value
