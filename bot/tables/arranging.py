"""What a lobby's host arranges before the start: terms, partners; and whom people at the table invite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from bot import rights
from bot.errors import NobodyToInvite, TableFull
from bot.people import Occupant, Person
from bot.table import NoteKind, Status, Table, Terms
from bot.tables import seating
from bot.tables.effects import Effect, check_terms, fitting_terms, need, note
from bot.tables.transactions import Service, change
from engine import board_for

ARRANGED = frozenset(one.name for one in fields(Terms)) - {"theme"}
"""The terms that can be changed in the lobby."""


class Arranging(Service):
    """Tables before the game, as their hosts want them."""

    @change
    def set_terms(self, table: Table, person: Person, changes: Mapping[str, Any]) -> Effect:
        """Change terms, by their names in `ARRANGED`; what was not asked for gives way where it does not fit any more.

        Everybody keeps their seat if it is still there; computer players go if there is no room for them. Raises
        `WrongStatus`, `NotHost`, `BadTerms`, `TooManySeated`, and the engine's `SetupError` for house rules that do not
        fit.
        """
        need(table, Status.LOBBY)
        rights.need(rights.Deed.SET_TERMS, person, table)
        assert changes.keys() <= ARRANGED, "these are not up to the host"
        terms = fitting_terms(replace(table.terms, **changes), changes, len(table.persons))
        check_terms(terms)
        if terms == table.terms:
            return Effect(table)
        seats = board_for(terms.system, terms.players, terms.options).seats
        people = seating.fitted(table.people, seats)
        free = iter(seat for seat in seats if seat not in people)
        invited = dict(zip(free, table.expected.values(), strict=False))
        differ = [name for name in sorted(ARRANGED) if getattr(terms, name) != getattr(table.terms, name)]
        changed: dict[str, Any] = {name: _kept(getattr(terms, name)) for name in differ}
        after = replace(table, terms=terms, seats=seats, people=people, invited=invited)
        return Effect(after, [note(table, NoteKind.CHANGED, self._now(), person.id, **changed)])

    @change
    def other_partners(self, table: Table, person: Person) -> Effect:
        """Give everybody another partner: all but the first seat move on by one. Raises `WrongStatus`, `NotHost`."""
        need(table, Status.LOBBY)
        rights.need(rights.Deed.SET_TERMS, person, table)
        first, *others = table.seats
        moved = dict(zip(others, (*others[1:], others[0]), strict=True)) | {first: first}
        people = {moved[seat]: who for seat, who in table.people.items()}
        invited = {moved[seat]: who for seat, who in table.expected.items()}
        after = replace(table, people=people, invited=invited)
        return Effect(after, [note(table, NoteKind.PARTNERS, self._now(), person.id)])

    @change
    async def invite(self, table: Table, person: Person, people: Iterable[Person]) -> Effect:
        """Invite people to free seats; who sits here, is invited already or is banned is left out.

        Raises `WrongStatus`, `NotAtTable`, `TableFull` if there are not that many free seats, and `NobodyToInvite`.
        """
        need(table, Status.LOBBY)
        seating.need_seat(table.people, person.id)
        expected = table.expected
        known = {*table.persons, *(who.user_id for who in expected.values())}
        new = {one.id: one for one in people if one.id not in known}
        for ban in await self._store.guilds.bans(table.guild_id, *new) if new else ():
            new.pop(ban.user_id, None)
        if not new:
            raise NobodyToInvite
        free = [seat for seat in table.free if seat not in expected]
        if len(free) < len(new):
            raise TableFull
        invited = {seat: Occupant(one.name, one.id) for seat, one in zip(free, new.values(), strict=False)}
        noted = note(table, NoteKind.INVITED, self._now(), person.id, users=list(new))
        return Effect(replace(table, invited={**expected, **invited}), [noted])


def _kept(value: Any) -> object:
    """A term as a note stores it."""
    return value.to_json() if hasattr(value, "to_json") else value
