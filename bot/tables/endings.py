"""Ends of games and lobbies: won, called off, left by the last player, ended by their cup. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from bot import consent
from bot.occupants import Person, StandInReason
from bot.table import Note, NoteKind, Status, Table
from bot.tables import seating
from bot.tables.effects import Effect, chain, note
from bot.tables.seating import Occupants
from engine import SLOTS, Board, Game, place_of, spaces_to_home


class CupEnding(StrEnum):
    """The reasons why a cup ends a game."""

    CAPPED = "capped"
    """Its rounds of cards are over."""
    PIECES = "pieces"
    """Its round of the cup is over."""
    COMPUTERS = "computers"
    MODERATOR = "moderator"
    CANCELLED = "cancelled"


def end_by_cup(table: Table, won: Sequence[int] | None, how: CupEnding, at: int) -> Effect:
    """Return a game that its cup ends for the seats of a team, or for none."""
    noted = note(table, NoteKind.DECIDED, at, how=how)
    if won is None or table.game is None:
        return call_off(table, at, noted)
    over, ended = win_game(table, won, at)
    return Effect(over, [noted, *ended])


def win_game(table: Table, team: Sequence[int], at: int) -> tuple[Table, Sequence[Note]]:
    """Return the table with its game over, won by these seats, and the note about it."""
    over = replace(table, status=Status.OVER, ended_at=at, won=tuple(team), proposals={})
    return over, [note(over, NoteKind.ENDED, at, winners=list(team))]


def call_off(table: Table, at: int, told: Note) -> Effect:
    """Return a lobby or game that has ended without a winner; `told`: the note about it."""
    return Effect(replace(table, status=Status.CANCELLED, ended_at=at, proposals={}), [told])


def leading_team(game: Game) -> Sequence[int] | None:
    """Return the team with more pieces home, or else with less left to walk; None if those are equal."""
    placed = game.view().pieces
    ranked = {team: _far(game.board, team, placed) for team in game.board.teams}
    best = max(ranked.values())
    first = [team for team, far in ranked.items() if far == best]
    return first[0] if len(first) == 1 else None


def count_home(team: Sequence[int], placed: Mapping[int, tuple[str, ...]]) -> int:
    """Return how many pieces of a team are in its lanes."""
    return sum(place_of(piece) in SLOTS for side in team for piece in placed[side])


def _far(board: Board, team: Sequence[int], placed: Mapping[int, tuple[str, ...]]) -> tuple[int, int]:
    """Return how far a team is: its pieces home, and how little its other pieces have left to walk."""
    left = sum(spaces_to_home(board, side, piece) for side in team for piece in placed[side])
    return count_home(team, placed), -left


def drop_person(table: Table, occupants: Occupants, person: Person, at: int) -> Effect:
    """Return the table after `person` has gone; cancelled if all others have left the server, or the game, before."""
    after = replace(table, occupants=occupants)
    return Effect(after) if consent.reachable(after) else cancel_game(after, person, at, deserted=True)


def end_asleep(table: Table, at: int) -> Effect:
    """Return a game that no one has played for long, ended without a winner."""
    return call_off(table, at, note(table, NoteKind.CANCELLED, at, asleep=True))


def remove_member(
    table: Table, user_id: int, why: StandInReason, at: int, kind: NoteKind, by: int, /, **data: Any
) -> Effect:
    """Return the table without a member: their seat is free in a lobby, a computer's in a game; `by`: who did that."""
    seat = table.seat_of(user_id)
    if seat is None or not table.is_open:
        return Effect(table)
    gone = Person(user_id, table.occupants[seat].name)
    if table.status is Status.LOBBY:
        return drop_person(table, seating.leave(table.occupants, user_id), gone, at)
    noted = note(table, kind, at, by, seat, name=gone.name, **data)
    if is_last_player(table, seat):
        return chain(Effect(table, [noted]), win_for_last(table, seat, at))
    effect = drop_person(table, seating.vacate(table.occupants, user_id, why), gone, at)
    return replace(effect, notes=[noted, *effect.notes])


def is_last_player(table: Table, seat: int) -> bool:
    """Return True if a game ends once the player on this seat leaves: the last one, whom all opponents have left."""
    if any(user != table.occupants[seat].user_id for user in consent.reachable(table)) or not consent.has_begun(table):
        return False
    team = next(team for team in table.board.teams if seat in team)
    left = (StandInReason.LEFT, StandInReason.BANNED, StandInReason.LEFT_GUILD)
    return all(table.occupants[other].why in left for other in table.seats if other not in team)


def win_for_last(table: Table, seat: int, at: int) -> Effect:
    """Return the table, won by the team of the last of several players: those who left before have lost."""
    won = next(team for team in table.board.teams if seat in team)
    return Effect(*win_game(replace(table, occupants=seating.give_back(table.occupants, seat)), won, at))


def last_player_of(table: Table) -> int | None:
    """Return the seat of the only player who has not left an open game, if all opponents have; None otherwise."""
    left = consent.reachable(table) if table.is_open else ()
    seat = table.seat_of(left[0]) if len(left) == 1 else None
    return seat if seat is not None and is_last_player(table, seat) else None


def cancel_game(table: Table, person: Person, at: int, reason: str = "", *, deserted: bool = False) -> Effect:
    """Return the table, ended without a winner by `person`.

    `reason`: why a moderator did so; `deserted`: all its players have left, `person` as the last one.
    """
    why: dict[str, object] = {"reason": reason} if reason else {"deserted": True} if deserted else {}
    return call_off(table, at, note(table, NoteKind.CANCELLED, at, person.id, name=person.name, **why))
