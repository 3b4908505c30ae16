"""Who becomes host when the host has gone: the next person in turn order who plays."""

from __future__ import annotations

from dataclasses import replace

from bot.storage import NoteRow
from bot.table import NoteKind, StandInReason, Table
from bot.tables.effects import Effect


def hosted(before: Table, effect: Effect, at: int) -> Effect:
    """The effect, with another host if it makes the host of `before` go.

    A host has gone if they no longer have a seat (resigned, banned, taken over) or have left the guild; one who is only
    absent or away remains host. While no person plays, nobody can succeed.
    """
    after = effect.after
    if not after.is_open or not _gone(after):
        return effect
    old = before.seat_of(after.host_id)
    first = 0 if old is None or old not in after.seats else after.seats.index(old) + 1
    order = (*after.seats[first:], *after.seats[:first])
    heir = next((user_id for seat in order if seat in after.people and (user_id := after.people[seat].plays)), None)
    if heir is None:
        return effect
    note = NoteRow(after.number, NoteKind.HOSTED, at, heir, None, {})
    return replace(effect, after=replace(after, host_id=heir), notes=[*effect.notes, note])


def _gone(table: Table) -> bool:
    seat = table.seat_of(table.host_id)
    return seat is None or table.people[seat].why is StandInReason.LEFT
