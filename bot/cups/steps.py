"""The next step of a cup: a pure function of the cup, its games and the time.

Each step is small, and may be done again: what a program that ended in the middle has left is found by the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.cup import FEWEST, Cup, CupStage, Overdue
from bot.cups.pairing import rounds_of
from bot.table import OPEN, Status

OPENED, END = "open", "end"
"""The posts about a cup's opening and its end; between them come those of `of_round`, `of_game` and `to_decide`."""


SETTLES = 600
"""Seconds after the end of a ladder until its standings are final: by then all that has ended in it is counted."""


def of_round(number: int) -> str:
    """Return the name of the post about the beginning of a round."""
    return f"round {number}"


def of_game(number: int) -> str:
    """Return the name of the post in the place of a game."""
    return f"game {number}"


def to_decide(number: int) -> str:
    """Return the name of the post that asks moderators to decide the tables of a round."""
    return f"decide {number}"


@dataclass(frozen=True, slots=True)
class SayOnce:
    """Post something, once; `game`: about a game, in its place."""

    about: str
    game: int | None = None


@dataclass(frozen=True, slots=True)
class Begin:
    """Draw the next round."""


@dataclass(frozen=True, slots=True)
class Open:
    """Open a game, by its number in the cup."""

    game: int


@dataclass(frozen=True, slots=True)
class NoteOutcome:
    """Note the outcome of a game that has ended."""

    game: int


@dataclass(frozen=True, slots=True)
class Decide:
    """Decide a game that has not ended with its round."""

    game: int


@dataclass(frozen=True, slots=True)
class Finish:
    """End the cup; `cancelled`: without having been played."""

    cancelled: bool = False


Step = SayOnce | Begin | Open | NoteOutcome | Decide | Finish


def next_step(cup: Cup, games: Mapping[int, Status], now: int) -> Step | None:
    """Return what is to be done now; None: nothing, until time passes or a game ends. `games`: those opened so far."""
    if cup.stage is CupStage.DRAFT or (not cup.is_open and OPENED not in cup.posts):
        return None
    if _is_unsaid(cup, OPENED):
        return SayOnce(OPENED)
    match cup.stage:
        case CupStage.OPEN:
            if cup.starts_at is None or cup.starts_at > now:
                return None
            return Begin() if is_enough(cup) else Finish(cancelled=True)
        case CupStage.RUNNING if cup.plan.is_ladder:
            return Finish() if _closes_at(cup) <= now else None
        case CupStage.RUNNING:
            return _in_round(cup, games, now)
        case _:
            left = next((number for number, status in sorted(games.items()) if status in OPEN), None)
            if left is not None:
                return Decide(left)
            return SayOnce(END) if _is_unsaid(cup, END) else None


def _in_round(cup: Cup, games: Mapping[int, Status], now: int) -> Step | None:
    """Return the next step of a cup that is played."""
    round, number = cup.rounds[-1], len(cup.rounds)
    playing = [
        match.games[len(match.outcomes)]
        for match in round.matches
        if not match.is_over(cup.plan.best_of) and len(match.games) > len(match.outcomes)
    ]
    for game in playing:
        if game not in games or games[game] is Status.LOBBY:
            return Open(game)
    for game in playing:
        if _is_unsaid(cup, of_game(game)):
            return SayOnce(of_game(game), game)
    if _is_unsaid(cup, of_round(number)):
        return SayOnce(of_round(number))
    for game in playing:
        if games[game] not in OPEN:
            return NoteOutcome(game)
    if playing:
        if round.ends_at is None or round.ends_at > now:
            return None
        if cup.plan.overdue is not Overdue.MODERATOR:
            return Decide(playing[0])
        return SayOnce(to_decide(number)) if _is_unsaid(cup, to_decide(number)) else None
    return Begin() if goes_on(cup) else Finish()


def _closes_at(cup: Cup) -> int:
    """Return the Unix second from which on a ladder that is played can be closed."""
    ends_at = cup.rounds[-1].ends_at
    assert ends_at is not None, "a ladder has an end from its opening on"
    return ends_at + SETTLES


def goes_on(cup: Cup) -> bool:
    """Return True if a cup that is played has another round: enough are left for a table."""
    number = len(cup.rounds)
    left = len(cup.sides(number + 1))
    return number < rounds_of(cup.plan, len(cup.sides(1))) and left >= cup.plan.sides_at_table


def is_enough(cup: Cup) -> bool:
    """Return True if enough have entered to begin; in pairs, those without a partner are drawn together."""
    entered = len(cup.entries)
    return entered >= FEWEST and entered // cup.plan.size >= max(cup.plan.sides_at_table, 2)


def due_at(cup: Cup, now: int) -> int | None:
    """Return the next Unix second at which time alone brings a step; None if there is none."""
    ends = cup.rounds[-1].ends_at if cup.stage is CupStage.RUNNING and cup.rounds else None
    if cup.plan.is_ladder and ends is not None:
        ends = _closes_at(cup)
    waits = [at for at in (cup.starts_at if cup.stage is CupStage.OPEN else None, ends) if at is not None and at > now]
    return min(waits, default=None)


def _is_unsaid(cup: Cup, about: str) -> bool:
    """Return True if this has not been posted, as far as is known."""
    post = cup.posts.get(about)
    return post is None or post.message_id is None
