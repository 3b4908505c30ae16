"""Before the game: terms set by the host, and invitations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from bot import rights
from bot.errors import FeatureOff, NotPossible, Problem, SitsHere
from bot.occupants import Occupant, Person
from bot.table import Feature, NoteKind, Status, Table, Terms
from bot.tables import seating
from bot.tables.consequences import delay_start
from bot.tables.effects import Effect, need, note
from bot.tables.seating import find_turned_away
from bot.tables.terms import check_terms, fit_terms
from bot.tables.transactions import Service
from engine import board_for

ARRANGED = frozenset(term.name for term in fields(Terms)) - {"theme", "origin"}
"""The terms that can be changed in the lobby."""

PLAYED = ARRANGED - {"by_hand", "locale", "admits"}
"""The terms that change what is played, which players have agreed to by sitting down."""


FIXED = frozenset({"system", "players", "options", "rated"})
"""The terms that follow from the position in which a game begins."""


class Arranging(Service):
    """Tables before the game, as their hosts want them."""

    async def set_terms(self, table_id: int, person: Person, changes: Mapping[str, Any]) -> Table:
        """Change terms, by their names in `ARRANGED`; others give way where they do not fit any more.

        Players keep their seats if these are still there; computer players go if there is no room for them. Raises
        `WrongStatus`, `NotHost`, `BadTerms`, `NEVER_RATED`, `FROM_POSITION`, `TooManySeated`, and the engine's
        `SetupError` for house rules that do not fit.
        """

        def decide(table: Table) -> Effect:
            need(table, Status.LOBBY)
            rights.need(rights.Deed.SET_TERMS, person, table)
            assert changes.keys() <= ARRANGED, "these are not up to the host"
            if table.terms.origin is not None and not FIXED.isdisjoint(changes):
                raise NotPossible(Problem.FROM_POSITION)
            if changes.get("hints") and Feature.HINTS in table.off:
                raise FeatureOff(Feature.HINTS)
            if changes.get("rated") and not table.can_be_rated:
                raise NotPossible(Problem.NEVER_RATED)
            terms = fit_terms(replace(table.terms, **changes), changes, len(table.owners))
            check_terms(terms)
            if terms == table.terms:
                return Effect(table)
            seats = board_for(terms.system, terms.players, terms.options).seats
            occupants = seating.fit(table.occupants, seats)
            free = iter(seat for seat in seats if seat not in occupants)
            invited = dict(zip(free, table.expected.values(), strict=False))
            differ = [name for name in sorted(ARRANGED) if getattr(terms, name) != getattr(table.terms, name)]
            changed: dict[str, Any] = {name: getattr(terms, name) for name in differ}
            if "options" in changed:
                changed["options"] = terms.options.to_json()
            now, after = self._now(), replace(table, terms=terms, seats=seats, occupants=occupants, invited=invited)
            after = after if PLAYED.isdisjoint(differ) else delay_start(after, now)
            return Effect(after, [note(table, NoteKind.CHANGED, now, person.id, **changed)])

        return await self._change(table_id, decide)

    async def other_partners(self, table_id: int, person: Person) -> Table:
        """Give all players another partner: all but the first seat move on by one. Raises `WrongStatus`, `NotHost`."""

        def decide(table: Table) -> Effect:
            need(table, Status.LOBBY)
            rights.need(rights.Deed.SET_TERMS, person, table)
            first, *others = table.seats
            moved = dict(zip(others, (*others[1:], others[0]), strict=True)) | {first: first}
            occupants = {moved[seat]: who for seat, who in table.occupants.items()}
            invited = {moved[seat]: who for seat, who in table.expected.items()}
            now = self._now()
            after = delay_start(replace(table, occupants=occupants, invited=invited), now)
            return Effect(after, [note(table, NoteKind.PARTNERS, now, person.id)])

        return await self._change(table_id, decide)

    async def invite(self, table_id: int, person: Person, persons: Iterable[Person]) -> Table:
        """Invite people to free seats; those who sit here, are invited already or may not play are left out.

        So are those whose seat the host has freed, unless the host invites them.

        Raises `WrongStatus`, `NotAtTable`, `TABLE_FULL` if there are not that many free seats, `SitsHere` for one who
        has a seat, and `NOBODY_TO_INVITE`.
        """
        guests = tuple(persons)

        async def decide(table: Table) -> Effect:
            need(table, Status.LOBBY)
            seating.need_seat(table.occupants, person.id)
            if len(guests) == 1 and guests[0].id in table.owners:
                raise SitsHere(guests[0].id)
            expected = table.expected
            known = {*table.owners, *(who.user_id for who in expected.values())}
            new = {guest.id: guest for guest in guests if guest.id not in known}
            left_out = {ban.user_id for ban in await self._store.guilds.bans(table.guild_id, *new)} if new else set()
            settings = await self._profiles.guilds.get(table.guild_id)
            left_out |= {guest.id for guest in new.values() if not rights.may_play(guest, settings)}
            if person.id != table.host_id:
                left_out |= find_turned_away(await self._memory.notes(table.id))
            for user_id in left_out:
                new.pop(user_id, None)
            if not new:
                raise NotPossible(Problem.NOBODY_TO_INVITE)
            free = [seat for seat in table.free if seat not in expected]
            if len(free) < len(new):
                raise NotPossible(Problem.TABLE_FULL)
            invited = {seat: Occupant(guest.name, guest.id) for seat, guest in zip(free, new.values(), strict=False)}
            noted = note(table, NoteKind.INVITED, self._now(), person.id, users=list(new))
            return Effect(replace(table, invited={**expected, **invited}), [noted])

        return await self._change(table_id, decide)
