"""The lobby: opening a table, who sits where, starting; and playing again with the same people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.errors import (
    BadTerms,
    MayNotOpen,
    NotAtTable,
    Outrun,
    SeatsFree,
    WrongStatus,
)
from bot.preferences import GuildSettings, Openers
from bot.storage import LOBBY_SEAT, DeadlineRow, NoteRow
from bot.table import LEVELS, LOBBY_LIFE, NoteKind, Occupant, Person, Status, Table, Terms
from bot.tables import seats
from bot.tables.codes import draw_code
from bot.tables.desk import TRIES, Desk
from bot.tables.limits import Check, check_member, check_room
from bot.tables.steps import LOBBY, Step, check_terms, columns, need, need_host, rows, without
from engine import Game, board_for


class Lobbies(Desk):
    """Tables before the game."""

    async def open_lobby(
        self,
        person: Person,
        guild_id: int,
        channel_id: int,
        terms: Terms | None = None,
        *,
        parent_id: int | None = None,
    ) -> Table:
        """Open a table in the lobby; `person` is its host and sits on the first seat.

        Without `terms` the guild's defaults count. `parent_id`: the channel of the thread that `channel_id` is.
        Raises `BadTerms`, `Banned`, `ChannelNotAllowed`, `MayNotOpen`, `TooManyHere`, `TooManyOfYours`.
        """
        await self._check_ban(guild_id, person.id)
        settings = await self._check_channel(guild_id, channel_id, parent_id)
        terms = terms or settings.terms()
        check_terms(terms)
        people = seats.join({}, board_for(terms.system, terms.players).seats, person)
        return await self._open(person, settings, (channel_id, parent_id), terms, people, None)

    async def rematch(self, table_id: int, person: Person, *, free_seat: bool = False) -> Table:
        """A lobby with the people of a finished game, each one seat further; `person` is its host.

        Asked twice, it is the same lobby. With `free_seat` the seats that computers played are free; if there were
        none, only `person` sits. Who is banned by now is left out. Raises `WrongStatus`, `NotAtTable` and what
        `open_lobby` raises.
        """
        table = await self.get(table_id)
        if table.is_open or table.started_at is None:
            raise WrongStatus(table.status, (Status.OVER, Status.CANCELLED))
        if table.seat_of(person.id) is None:
            raise NotAtTable(person.id)
        following = await self._store.id_of_rematch(table_id)
        if following is not None:
            return await self.get(following)
        await self._check_ban(table.guild_id, person.id)
        settings = await self._check_channel(table.guild_id, table.channel_id, table.parent_id)
        banned = {row["user_id"] for row in await self._store.bans(table.guild_id)}
        people = again(table, person, free_seat=free_seat)
        people = {seat: who for seat, who in people.items() if who.user_id not in banned}
        place = (table.channel_id, table.parent_id)
        return await self._open(person, settings, place, table.terms, people, table_id)

    async def _open(
        self,
        person: Person,
        settings: GuildSettings,
        place: tuple[int, int | None],
        terms: Terms,
        people: seats.Seating,
        rematch_of: int | None,
    ) -> Table:
        if not person.moderator and not _may_open(person, settings):
            raise MayNotOpen(settings.openers, settings.roles)
        now = self._now()
        channel_id, parent_id = place
        expires_at = now + LOBBY_LIFE
        for attempt in range(TRIES):
            code = draw_code(await self._store.open_codes(settings.guild_id), self._rng)
            try:
                async with self._store.create(
                    code=code,
                    guild_id=settings.guild_id,
                    channel_id=channel_id,
                    parent_id=parent_id,
                    host_id=person.id,
                    status=Status.LOBBY,
                    rematch_of=rematch_of,
                    created_at=now,
                    changed_at=now,
                    **columns(terms),
                ) as change:
                    await check_room(change, settings, parent_id or channel_id)
                    await check_member(change, settings, person)
                    await change.seat(rows(people))
                    await change.note(NoteRow(0, NoteKind.OPENED, now, person.id, None, {}))
                    await change.set_deadlines(
                        [DeadlineRow(LOBBY_SEAT, LOBBY, 0, None, None, 0, 0, expires_at, expires_at)]
                    )
            except Outrun:
                following = await self._store.id_of_rematch(rematch_of) if rematch_of is not None else None
                if following is not None:
                    return await self.get(following)
                if attempt == TRIES - 1:
                    raise
                continue
            break
        self._scheduler.poke(expires_at)
        self.touch(change.game_id)
        return await self.get(change.game_id)

    async def configure(self, table_id: int, person: Person, terms: Terms) -> Table:
        """Change what is agreed on; people keep their seats where the new ones allow it.

        Raises `WrongStatus`, `NotHost`, `BadTerms`, `TableFull`.
        """
        check_terms(terms)

        def decide(table: Table) -> Step:
            need(table, Status.LOBBY)
            need_host(table, person)
            places = board_for(terms.system, terms.players).seats
            return Step(replace(table, terms=terms, seats=places, people=seats.reseat(table.people, places)))

        return await self._change(table_id, decide)

    async def join(self, table_id: int, person: Person, seat: int | None = None) -> Table:
        """Seat a person: on `seat`, or on the first free one, or else in place of a computer.

        Raises `WrongStatus`, `AlreadySeated`, `NoSuchSeat`, `SeatTaken`, `TableFull`, `Banned`, `TooManyOfYours`.
        """
        guild_id = (await self.get(table_id)).guild_id
        await self._check_ban(guild_id, person.id)
        settings = await self._settings(guild_id)
        return await self._reseat(
            table_id,
            lambda table: seats.join(table.people, table.seats, person, seat),
            check=lambda change: check_member(change, settings, person),
        )

    async def leave(self, table_id: int, person: Person) -> Table:
        """Leave the lobby. The next person becomes the host; without persons the table is cancelled.

        Raises `WrongStatus`, `NotAtTable`.
        """

        def decide(table: Table) -> Step:
            need(table, Status.LOBBY)
            return without(table, seats.leave(table.people, person.id), person, self._now())

        return await self._change(table_id, decide)

    async def move_seat(self, table_id: int, person: Person, seat: int) -> Table:
        """Move to a free seat, or change places with a computer.

        Raises `WrongStatus`, `NotAtTable`, `NoSuchSeat`, `SeatTaken`.
        """
        return await self._reseat(table_id, lambda table: seats.move(table.people, table.seats, person.id, seat))

    async def add_computer(
        self, table_id: int, person: Person, seat: int | None = None, level: str = LEVELS[0]
    ) -> Table:
        """Seat a computer player on `seat` or on the first free one; anyone at the table may.

        Raises `WrongStatus`, `NotAtTable`, `NoSuchSeat`, `SeatTaken`, `TableFull`, `BadTerms` for an unknown level.
        """
        if level not in LEVELS:
            raise BadTerms("level", level, LEVELS)

        def add(table: Table) -> seats.Seating:
            seats.seat_of(table.people, person.id)
            return seats.add_computer(table.people, table.seats, level, seat)

        return await self._reseat(table_id, add)

    async def remove_computer(self, table_id: int, person: Person, seat: int | None = None) -> Table:
        """Free the seat of a computer player (the last one's by default); anyone at the table may.

        Raises `WrongStatus`, `NotAtTable`, `NoSuchSeat`, `NoComputerThere`.
        """

        def remove(table: Table) -> seats.Seating:
            seats.seat_of(table.people, person.id)
            return seats.remove_computer(table.people, table.seats, seat)

        return await self._reseat(table_id, remove)

    async def start(self, table_id: int, person: Person) -> Table:
        """Draw the seed and deal. Raises `WrongStatus`, `NotHost`, `SeatsFree`."""

        def decide(table: Table) -> Step:
            need(table, Status.LOBBY)
            need_host(table, person)
            if table.free:
                raise SeatsFree(table.free)
            game = Game.new(table.system, table.players, self._seeds(), table.options)
            now = self._now()
            after = replace(table, status=Status.PLAYING, game=game, started_at=now)
            return Step(after, [NoteRow(0, NoteKind.STARTED, now, person.id, None, {})])

        return await self._change(table_id, decide)

    async def _reseat(
        self, table_id: int, seating: Callable[[Table], seats.Seating], *, check: Check | None = None
    ) -> Table:
        def decide(table: Table) -> Step:
            need(table, Status.LOBBY)
            people = seating(table)
            return Step(table if people is table.people else replace(table, people=people))

        return await self._change(table_id, decide, check=check)


def again(table: Table, person: Person, *, free_seat: bool) -> seats.Seating:
    """Who sits where when the people of a game play again: everybody one seat further, as they sat at the start."""
    people: seats.Seating = {
        seat: Occupant(who.name, who.user_id, who.computer if who.user_id is None else None)
        for seat, who in table.people.items()
    }
    if free_seat:
        absent = {seat for seat, who in table.people.items() if who.plays is None and who.user_id != person.id}
        stay = set(people) - absent if absent else {seat for seat, who in people.items() if who.user_id == person.id}
        people = {seat: people[seat] for seat in stay}
    return seats.rotated(people, table.seats)


def _may_open(person: Person, settings: GuildSettings) -> bool:
    if settings.openers is Openers.ROLES:
        return not person.roles.isdisjoint(settings.roles)
    return settings.openers is Openers.EVERYONE
