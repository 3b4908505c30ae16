"""What a change makes of a table, and writing it: pure steps from one snapshot to the next, then one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.errors import BadTerms, NotHost, WrongStatus
from bot.seats import Seating
from bot.storage import ActionRow, Change, NoteRow, SeatRow
from bot.table import PACES, NoteKind, Person, Status, Table, Terms
from engine import SYSTEMS, Action, Game, Phase


@dataclass(frozen=True, slots=True)
class Step:
    """What a change makes of a table: the next snapshot, what to note, and the action if there was one."""

    after: Table
    notes: Sequence[NoteRow] = ()
    action: ActionRow | None = field(default=None, repr=False)


def played(table: Table, game: Game, seat: int, action: Action, actor: str, at: int) -> Step:
    """The table after an action that led to `game`; over, if that was the last one."""
    after = replace(table, game=game)
    notes = []
    if game.phase is Phase.END:
        after = replace(after, status=Status.OVER, ended_at=at)
        notes.append(NoteRow(game.number, NoteKind.ENDED, at, None, None, {"winners": list(game.winners)}))
    return Step(after, notes, ActionRow(game.number, seat, str(action), actor, at))


def without(table: Table, people: Seating, person: Person, at: int) -> Step:
    """The table after `person` has gone: perhaps with another host, or cancelled when no person is left."""
    after = replace(table, people=people)
    owners = [people[seat].user_id for seat in table.seats if seat in people]
    heir = next((user_id for user_id in owners if user_id is not None), None)
    if heir is None:
        return cancelled(after, person, at)
    if table.host_id != person.id:
        return Step(after)
    return Step(replace(after, host_id=heir), [NoteRow(table.number, NoteKind.HOSTED, at, heir, None, {})])


def cancelled(table: Table, person: Person, at: int) -> Step:
    """The table ended without a winner by `person`."""
    note = NoteRow(table.number, NoteKind.CANCELLED, at, person.id, None, {"name": person.name})
    return Step(replace(table, status=Status.CANCELLED, ended_at=at), [note])


def check_terms(terms: Terms) -> None:
    """Raise `BadTerms` for terms that no game can have, and the engine's `SetupError` for house rules."""
    if terms.system not in SYSTEMS:
        raise BadTerms("system", terms.system, tuple(SYSTEMS))
    system = SYSTEMS[terms.system]
    if terms.players not in system.players:
        raise BadTerms("players", terms.players, system.players)
    if terms.pace not in PACES:
        raise BadTerms("pace", terms.pace, tuple(PACES))
    terms.options.check(system)


def need(table: Table, *statuses: Status) -> None:
    """Raise `WrongStatus` unless the table has one of these."""
    if table.status not in statuses:
        raise WrongStatus(table.status, statuses)


def need_host(table: Table, person: Person) -> None:
    """Raise `NotHost` unless it is the host who asks."""
    if table.host_id != person.id:
        raise NotHost(table.host_id)


def need_game(table: Table) -> Game:
    """The game that is being played. Raises `WrongStatus`."""
    if table.status is not Status.PLAYING or table.game is None:
        raise WrongStatus(table.status, (Status.PLAYING,))
    return table.game


def columns(terms: Terms) -> dict[str, object]:
    """The columns that hold the terms."""
    return {
        "system": terms.system,
        "players": terms.players,
        "options": terms.options.to_json(),
        "pace": terms.pace,
        "locale": terms.locale,
        "theme": terms.theme,
    }


def rows(people: Seating) -> list[SeatRow]:
    """The rows that hold the people."""
    return [SeatRow(seat, one.user_id, one.computer, one.name) for seat, one in people.items()]


async def write(change: Change, before: Table, step: Step) -> None:
    """Write what a step changes: the columns and seats in which the snapshots differ, the action, the notes."""
    after = step.after
    values: dict[str, object] = {}
    if after.terms != before.terms:
        values |= columns(after.terms)
    if after.game is not None and before.game is None:
        values["seed"] = after.game.seed
    for name in ("status", "host_id", "channel_id", "started_at", "ended_at"):
        if getattr(after, name) != getattr(before, name):
            values[name] = getattr(after, name)
    if after.is_open != before.is_open:
        values["outcome"] = {"winners": [] if after.game is None else list(after.game.winners)}
    if values:
        await change.set(**values)
    if after.people != before.people:
        await change.seat(rows(after.people))
    if step.action is not None:
        await change.append(step.action)
    for note in step.notes:
        await change.note(note)
