"""Who is invited to a rematch: kept in the note about its opening until they join or somebody else takes the seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.table import Note, NoteKind, Occupant, Status, Table
from bot.tables.seating import Occupants


def as_data(invited: Occupants) -> Mapping[str, object]:
    """The invited people by seat, as the note about the opening stores them."""
    if not invited:
        return {}
    return {"invited": {str(seat): [who.user_id, who.name] for seat, who in invited.items()}}


def invited_to(table: Table, notes: Iterable[Note]) -> Occupants:
    """Who is invited to which free seat of a lobby and has not sat down anywhere."""
    if table.status is not Status.LOBBY:
        return {}
    kept = next((note.data.get("invited") for note in notes if note.kind == NoteKind.OPENED), None)
    if not isinstance(kept, dict):
        return {}
    people = {int(seat): Occupant(str(name), user_id=int(user)) for seat, (user, name) in kept.items()}
    return {seat: who for seat, who in people.items() if seat in table.free and who.user_id not in table.persons}
