"""The lobby: opening a table, its code (`FOX-7`), seats, levels of computers, starting, rematches."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bot import rights
from bot.clocks import lobby_deadline
from bot.consent import HOST_WAITS
from bot.errors import (
    BadTerms,
    Conflict,
    FeatureOff,
    MayNotOpen,
    NoSuchTable,
    NotAtTable,
    NotHost,
    NotPossible,
    OtherTerms,
    Problem,
    SeatsFree,
    StartsByItself,
    WrongStatus,
)
from bot.guild_records import OPENED, LogEntry
from bot.guild_settings import GuildSettings, Openers
from bot.occupants import USUAL, Level, Occupant, Person, Scope, StandInReason
from bot.preferences import AwayHow
from bot.storage.games import GameWriter
from bot.table import IN_DMS, LOBBY_LIFE, SEEK_LIFE, STARTS_AFTER, Feature, Note, NoteKind, Seek, Status, Table, Terms
from bot.tables import seating
from bot.tables.codes import SECRET, SHORT, draw_code
from bot.tables.effects import Effect, News, NewsKind, need, note
from bot.tables.endings import call_off, drop_person
from bot.tables.profiles import check_member, check_room
from bot.tables.seating import Occupants, choose_seat, seat_again
from bot.tables.terms import check_terms
from bot.tables.transactions import Service, Transactions, try_again
from engine import Game, PublicGame, board_for
from engine.rules.shuffle import check_contribution, commitment_of, seed_of


class Lobby(Service):
    """Tables before the game. `draw_secret` gives 32 fresh bytes for each table, `rng` is for codes."""

    def __init__(self, transactions: Transactions, draw_secret: Callable[[], bytes], rng: random.Random) -> None:
        super().__init__(transactions)
        self.draw_secret, self._rng = draw_secret, rng

    async def open(
        self,
        person: Person,
        guild_id: int,
        channel_id: int,
        terms: Terms | None = None,
        *,
        parent_id: int | None = None,
        invited: Sequence[Person] = (),
        first: bool = False,
        seat: int | None = None,
        computers: Occupants = MappingProxyType({}),
        seeks: Sequence[Seek] = (),
    ) -> Table:
        """Open a table in the lobby; `person` is its host and sits on `seat`, or the first that is not a computer's.

        Without `terms`, the guild's defaults apply. `parent_id`: if `channel_id` is a thread, its channel. `invited`:
        for whom seats are kept, as far as there are any; those who may not play are left out. `first`: it is their
        first table, at which they get a card to come out with if they play alone. `seeks`: the searches, the person's
        own among them, that end with it, until it expires. Raises `BadTerms`, `Banned`, `ChannelNotAllowed`,
        `FeatureOff`, `MayNotOpen`, `TooManyHere`, `TooManyOfYours`, and `Conflict` if one of the searches has ended.
        """
        await self._profiles.check_ban(guild_id, person.id)
        settings = await self._profiles.check_channel(guild_id, channel_id, parent_id)
        terms = terms or settings.terms()
        check_terms(terms)
        if terms.hints and Feature.HINTS in settings.off:
            raise FeatureOff(Feature.HINTS)
        seats = board_for(terms.system, terms.players, terms.options).seats
        if computers and Feature.COMPUTERS in settings.off:
            raise FeatureOff(Feature.COMPUTERS)
        occupants = seating.join(computers, seats, person, seat)
        may_come = (guest for guest in invited if guest.id != person.id and rights.may_play(guest, settings))
        guests = {guest.id: Occupant(guest.name, guest.id) for guest in may_come}
        for ban in await self._store.guilds.bans(guild_id, *guests) if guests else ():
            del guests[ban.user_id]
        kept = dict(zip((free for free in seats if free not in occupants), guests.values(), strict=False))
        place = (channel_id, parent_id)
        return await self._open(person, settings, *place, terms, occupants, None, kept, first=first, seeks=seeks)

    async def rematch(self, table_id: int, person: Person, *, free_seat: bool = False) -> Table:
        """Open a lobby for the people of a finished game, each on their seat; the first to ask is its host.

        Only `person` and the computers are seated: the others are invited, and join if they want to.

        If there is a lobby already, those who ask are seated there: in their own seat if it is free, else on another
        free seat, else in place of a computer. With `free_seat` one seat is left free (`seat_again`). Members who have
        been banned since, or whom `person` has blocked, are left out.

        Raises `WrongStatus` (also for a lobby that has started without `person`), `NotAtTable`, `TABLE_FULL` and
        what `open` raises.
        """
        table = await self._memory.get(table_id)
        if table.is_open or table.started_at is None:
            raise WrongStatus(table.status, (Status.OVER, Status.CANCELLED))
        if table.seat_of(person.id) is None:
            raise NotAtTable(person.id)
        following = await self._store.games.id_of_rematch(table_id)
        if following is not None:
            return await self._come_along(following, person)
        await self._profiles.check_ban(table.guild_id, person.id)
        settings = await self._profiles.check_channel(table.guild_id, table.channel_id, table.parent_id)
        banned = {ban.user_id for ban in await self._store.guilds.bans(table.guild_id)}
        banned |= set(await self._store.users.blocks(person.id))
        meant = seat_again(table, person, free_seat=free_seat)
        here = (person.id,) if Feature.COMPUTERS in settings.off else (None, person.id)
        own = {seat: who for seat, who in meant.items() if who.user_id in here}
        occupants = seating.contribute(own, person.id, person.contribution)
        invited = {
            seat: who
            for seat, who in meant.items()
            if seat not in occupants and (who.user_id or 0) > 0 and who.user_id not in banned
        }
        place = (table.channel_id, table.parent_id)
        terms = replace(table.terms, hints=table.terms.hints and Feature.HINTS not in settings.off)
        opened = await self._open(person, settings, *place, terms, occupants, table_id, invited)
        # Another player may have been faster, which makes it their lobby.
        return await self._come_along(opened.id, person)

    async def _come_along(self, table_id: int, person: Person) -> Table:
        """Return the lobby of a rematch, with this person in it."""
        table = await self._memory.get(table_id)
        return table if table.seat_of(person.id) is not None else await self.join(table_id, person)

    async def _open(
        self,
        person: Person,
        settings: GuildSettings,
        channel_id: int,
        parent_id: int | None,
        terms: Terms,
        occupants: seating.Occupants,
        rematch_of: int | None,
        invited: seating.Occupants | None = None,
        *,
        first: bool = False,
        seeks: Sequence[Seek] = (),
    ) -> Table:
        if Scope.MODERATE_GUILD not in person.moderates and not _may_open(person, settings):
            raise MayNotOpen(settings.openers, settings.roles)
        now = self._now()
        secret = self._draw_kind_secret(terms, occupants) if first and not invited else self.draw_secret()
        row: dict[str, Any] = {"guild_id": settings.guild_id, "channel_id": channel_id, "parent_id": parent_id}
        row |= {"host_id": person.id, "rematch_of": rematch_of, "expires_at": now + LOBBY_LIFE}

        async def once() -> Table:
            following = await self._store.games.id_of_rematch(rematch_of) if rematch_of is not None else None
            if following is not None:
                return await self._memory.get(following)
            async with self.create(terms, occupants, secret, **row, invited=invited or {}) as writer:
                await check_room(writer, settings, parent_id or channel_id)
                await check_member(writer, settings, person)
                await writer.meet(settings.guild_id, {person.id: person.name})
                await writer.end_seek(settings.guild_id, person.id)
                for seek in seeks:
                    if seek.user_id != person.id and not await writer.end_seek(seek.guild_id, seek.user_id):
                        raise Conflict(writer.game_id)
                await writer.note(Note(NoteKind.OPENED, now, 0, person.id, data=_keep(seeks)))
                await writer.set_deadlines(lobby_deadline(now + LOBBY_LIFE), {})
                if settings.log_in is not None:
                    await writer.log(LogEntry(settings.guild_id, now, OPENED, person.id, None, writer.game_id))
            return await self._transactions.follow_up(writer.game_id)

        return await try_again(once)

    @asynccontextmanager
    async def create(
        self, terms: Terms, occupants: seating.Occupants, secret: bytes, *, guild_id: int, **row: Any
    ) -> AsyncIterator[GameWriter]:
        """Yield the writer of a new table with a code of its own. Raises `Conflict` if another process takes that."""
        now, taken = self._now(), await self._store.games.open_codes(guild_id)
        # Who knows the code of a table in direct messages may join it.
        code = draw_code(taken, self._rng, SECRET if guild_id == IN_DMS else SHORT)
        async with self._store.games.create(
            terms,
            code=code,
            guild_id=guild_id,
            status=Status.LOBBY,
            secret=secret,
            commitment=commitment_of(secret),
            created_at=now,
            changed_at=now,
            host_seen=now,
            **row,
        ) as writer:
            await writer.seat(occupants)
            yield writer

    async def join(self, table_id: int, person: Person, seat: int | None = None) -> Table:
        """Seat a person: on `seat`, or on the first free one, or else in place of a computer, which is noted.

        An invited person gets the seat that is kept for them, and a player of a rematch their own if it is free;
        others get those last. Their search for a table ends. Raises `WrongStatus`, `AlreadySeated`,
        `NO_SUCH_SEAT`, `SeatTaken`, `TABLE_FULL`, `Banned`, `TooManyOfYours`, the engine's `SetupError` for a
        contribution that will not do, and `NOT_ADMITTED`, which does not say why: the host has freed their seat, admits
        others only, or has blocked them.
        """

        async def decide(table: Table) -> Effect:
            await self._profiles.check_ban(table.guild_id, person.id)
            if person.contribution is not None:
                check_contribution(person.contribution)
            settings = await self._profiles.guilds.get(table.guild_id)
            own = await self._own_seat(person, table) if seat is None else None
            need(table, Status.LOBBY)
            turned_away = person.id in seating.find_turned_away(await self._memory.notes(table.id))
            if turned_away or await self._profiles.is_blocked(table, person) or not seating.admits(table, person):
                raise NotPossible(Problem.NOT_ADMITTED)
            wanted = choose_seat(table, person, own) if seat is None else seat
            occupants = seating.join(table.occupants, table.seats, person, wanted)
            mine = seating.need_seat(occupants, person.id)
            before = table.occupants.get(mine)
            notes = []
            if before is not None:
                notes.append(note(table, NoteKind.REPLACED, self._now(), person.id, mine, name=before.name))

            async def check(writer: GameWriter) -> None:
                await check_member(writer, settings, person)
                await writer.end_seek(table.guild_id, person.id)

            return Effect(replace(table, occupants=occupants), notes, check=check)

        return await self._change(table_id, decide)

    async def contribute(self, table_id: int, person: Person, text: str) -> Table:
        """Let a member contribute a text of their own to the shuffles, in place of what they contributed before.

        Raises `WrongStatus`, `NotAtTable`, and the engine's `SetupError` for a text that will not do.
        """

        def decide(table: Table) -> Effect:
            need(table, Status.LOBBY)
            return _reseat(table, seating.contribute(table.occupants, person.id, check_contribution(text)))

        return await self._change(table_id, decide)

    async def _own_seat(self, person: Person, table: Table) -> int | None:
        """Return a person's seat in a rematch, that of the game before; None for other people."""
        if table.rematch_of is None:
            return None
        try:
            before = await self._memory.get_without_game(table.rematch_of)
        except NoSuchTable:
            return None
        return before.seat_of(person.id)

    async def leave(self, table_id: int, person: Person) -> Table:
        """Leave the lobby; without any person left it is cancelled. Raises `WrongStatus`, `NotAtTable`."""

        async def decide(table: Table) -> Effect:
            need(table, Status.LOBBY)
            now = self._now()
            left = drop_person(table, seating.leave(table.occupants, person.id), person, now)
            if left.after.is_open:
                return left
            return look_on(left, await self._memory.notes(table.id), find_matched(table, person), now)

        return await self._change(table_id, decide)

    async def move_seat(self, table_id: int, person: Person, seat: int) -> Table:
        """Move, or trade with a computer. Raises `WrongStatus`, `NotAtTable`, `NO_SUCH_SEAT`, `SeatTaken`."""

        def decide(table: Table) -> Effect:
            need(table, Status.LOBBY)
            return _reseat(table, seating.move(table.occupants, table.seats, person.id, seat))

        return await self._change(table_id, decide)

    async def add_computer(self, table_id: int, person: Person, seat: int | None = None, level: str = USUAL) -> Table:
        """Seat a computer player on `seat` or on the first free one; any player at the table may.

        Raises `WrongStatus`, `NotAtTable`, `NO_SUCH_SEAT`, `SeatTaken`, `TABLE_FULL`, `BadTerms` for an unknown level.
        """

        def decide(table: Table) -> Effect:
            _need_part(table, person)
            check_level(level)
            return _reseat(table, seating.add_computer(table.occupants, table.seats, level, seat))

        return await self._change(table_id, decide)

    async def fill(self, table_id: int, person: Person, level: str = USUAL) -> Table:
        """Seat computers on all free seats. Raises `WrongStatus`, `NotAtTable`, `TABLE_FULL`, `BadTerms`."""

        def decide(table: Table) -> Effect:
            _need_part(table, person)
            check_level(level)
            if not table.free:
                raise NotPossible(Problem.TABLE_FULL)
            occupants = table.occupants
            for seat in table.free:
                occupants = seating.add_computer(occupants, table.seats, level, seat)
            return _reseat(table, occupants)

        return await self._change(table_id, decide)

    async def remove_computer(self, table_id: int, person: Person, seat: int) -> Table:
        """Free a computer's seat; any player here may. Raises `WrongStatus`, `NotAtTable`, `NO_COMPUTER`."""

        def decide(table: Table) -> Effect:
            _need_part(table, person)
            return _reseat(table, seating.remove_computer(table.occupants, seat))

        return await self._change(table_id, decide)

    async def set_level(self, table_id: int, person: Person, seat: int, level: str) -> Table:
        """Make the computer player on a seat stronger or weaker, from its next decision on; noted during a game.

        Once several people play, computers keep the level that all have seen in the lobby. One that stands in for an
        absent person plays at the usual level. Raises `WrongStatus`, `NotHost`, `LEVELS_FIXED`, `NO_SUCH_SEAT`,
        `NOT_A_COMPUTER`, `BadTerms` for an unknown level.
        """

        def decide(table: Table) -> Effect:
            check_level(level)
            need(table, Status.LOBBY, Status.PLAYING, Status.PAUSED)
            rights.need(rights.Deed.SET_LEVEL, person, table)
            if table.status is not Status.LOBBY and len(table.owners) > 1:
                raise NotPossible(Problem.LEVELS_FIXED)
            if seat not in table.seats:
                raise NotPossible(Problem.NO_SUCH_SEAT)
            who = table.occupants.get(seat)
            if who is None or not who.is_computer:
                raise NotPossible(Problem.NOT_A_COMPUTER)
            if who.computer == level:
                return Effect(table)
            after = replace(table, occupants={**table.occupants, seat: replace(who, computer=level)})
            if table.status is Status.LOBBY:
                return Effect(after)
            now = self._now()
            return Effect(after, [note(table, NoteKind.LEVEL, now, person.id, seat, level=level, was=who.computer)])

        return await self._change(table_id, decide)

    async def start(self, table_id: int, person: Person) -> Table:
        """Deal the first round; a player other than the host once the lobby has been full for an hour.

        Raises `WrongStatus`, `NotHost`, `StartsByItself`, `NotAtTable`, `SeatsFree`, and `OtherTerms` just after the
        host has changed the game of people who sit there.
        """

        async def decide(table: Table) -> Effect:
            need(table, Status.LOBBY)
            rights.need(rights.Deed.START, person, table)
            anyone_at = None if table.full_since is None else table.full_since + HOST_WAITS
            if person.id != table.host_id and (anyone_at is None or anyone_at > self._now()):
                if table.starts_at is not None:
                    raise StartsByItself(table.host_id)
                raise NotHost(table.host_id, anyone_at=anyone_at)
            if table.free:
                raise SeatsFree(table.free)
            if table.not_before is not None and table.not_before > self._now():
                raise OtherTerms(table.not_before)
            return await self.begin(table, person.id)

        return await self._change(table_id, decide)

    async def expire(self, table: Table) -> Effect:
        """Return the table after its end, if it is a lobby that was not started in time.

        If it was to bring people together who looked for a table, those who have come look on.
        """
        now = self._now()
        if table.status is not Status.LOBBY or table.expires_at is None or table.expires_at > now:
            return Effect(table)
        over = call_off(table, now, note(table, NoteKind.EXPIRED, now))
        return look_on(over, await self._memory.notes(table.id), table.owners, now)

    async def start_if_full(self, table: Table) -> Effect:
        """Return the table after its start, if it is a lobby that starts by itself now.

        If its players have not been told when it starts, or the bot was down then, they get that time once more.
        """
        now = self._now()
        if table.status is not Status.LOBBY or table.starts_at is None or table.starts_at > now:
            return Effect(table)
        if now > table.starts_at + STARTS_AFTER or not table.told_of_start:
            return Effect(replace(table, starts_at=now + STARTS_AFTER))
        return await self.begin(table, None)

    async def free_seat(self, table_id: int, person: Person, user_id: int) -> Table:
        """Free the seat of another player, who cannot come back to this lobby.

        The host can invite them again. Raises `WrongStatus`, `NotHost`, `OWN_SEAT`, `NO_PLAYER_THERE`.
        """

        def decide(table: Table) -> Effect:
            need(table, Status.LOBBY)
            rights.need(rights.Deed.SET_TERMS, person, table)
            seat = table.seat_of(user_id)
            if seat is None:
                raise NotPossible(Problem.NO_PLAYER_THERE)
            if user_id == person.id:
                raise NotPossible(Problem.OWN_SEAT)
            invited = {place: who for place, who in table.invited.items() if who.user_id != user_id}
            after = replace(table, occupants=seating.leave(table.occupants, user_id), invited=invited)
            name = table.occupants[seat].name
            freed = note(table, NoteKind.FREED, self._now(), person.id, None, user_id=user_id, name=name)
            return Effect(after, [freed], news=[News(NewsKind.FREED, seat, user_id)])

        return await self._change(table_id, decide)

    def _draw_kind_secret(self, terms: Terms, occupants: seating.Occupants) -> bytes:
        """Return a secret that deals these players cards to come out with, as long as no other player joins.

        What another player adds to the shuffles cannot be foreseen, and makes of the secret one like any other.
        """
        given = {seat: who.contribution for seat, who in occupants.items() if who.contribution is not None}
        drawn = dict[bytes, None]()
        while len(drawn) < KIND_TRIES and (secret := self.draw_secret()) not in drawn:
            drawn[secret] = None
            game = Game.new(terms.system, terms.players, seed_of(secret, given), terms.options, terms.origin)
            hands = [game.view(seat).hand or () for seat in given]
            if all(any(game.system.cards[card].brings_out for card in hand) for hand in hands):
                return secret
        return next(reversed(drawn))

    async def begin(self, table: Table, by: int | None) -> Effect:
        """Return the table after its first deal; a computer plays for those who are away and chose that."""
        prefers = await self._profiles.users.several(table.owners)
        seed = seed_of(await self._store.games.secret(table.id), table.contributions)
        game = Game.new(table.system, table.players, seed, table.options, table.terms.origin)
        now = self._now()
        levels = {str(seat): who.computer for seat, who in table.occupants.items() if who.is_computer}
        data: dict[str, Any] = {"levels": levels} if levels else {}
        notes = [note(table, NoteKind.STARTED, now, by, **data)]
        occupants = table.occupants
        for user_id, seat in table.owners.items():
            own = prefers[user_id]
            waits = own.away_how is AwayHow.SLOW and table.is_slow
            if own.away_how is None or waits or (own.away_until or 0) <= now:
                continue
            occupants = seating.stand_in(occupants, seat, StandInReason.AWAY)
            away = {"until": own.away_until, "how": AwayHow.COMPUTER.value, "zone": own.time_zone}
            notes.append(note(table, NoteKind.AWAY, now, user_id, seat, **away))
        return Effect(
            replace(table, status=Status.PLAYING, game=PublicGame(game), started_at=now, occupants=occupants), notes
        )


def _keep(seeks: Sequence[Seek]) -> Mapping[str, object]:
    """Return the data of the note about a lobby that ends these searches."""
    return {"seeks": [[seek.user_id, seek.system, seek.players, seek.pace] for seek in seeks]} if seeks else {}


def find_matched(table: Table, person: Person) -> Collection[int]:
    """Return the users who sit at a table or are invited to it, but for this person."""
    users = (*table.owners, *(who.user_id for who in table.expected.values()))
    return [user_id for user_id in users if user_id is not None and user_id != person.id]


def look_on(over: Effect, notes: Sequence[Note], users: Collection[int], now: int) -> Effect:
    """Return the end of a table with the searches of these users that it has ended, which begin again now."""
    kept: Any = next((noted.data.get("seeks", ()) for noted in notes if noted.kind is NoteKind.OPENED), ())
    seeks = [
        Seek(IN_DMS, user_id, system, players, pace, now, now + SEEK_LIFE)
        for user_id, system, players, pace in kept
        if user_id in users
    ]

    async def seek_again(writer: GameWriter) -> None:
        for seek in seeks:
            await writer.seek(seek)

    news = [*over.news, *(News(NewsKind.SEEKING, None, seek.user_id) for seek in seeks)]
    return replace(over, check=seek_again if seeks else over.check, news=news)


def _need_part(table: Table, person: Person) -> None:
    """Raise `WrongStatus` or `NotAtTable` unless this is a lobby and the person sits in it."""
    need(table, Status.LOBBY)
    seating.need_seat(table.occupants, person.id)


def _reseat(table: Table, occupants: Occupants) -> Effect:
    return Effect(table if occupants is table.occupants else replace(table, occupants=occupants))


def _may_open(person: Person, settings: GuildSettings) -> bool:
    if settings.openers is Openers.ROLES:
        return not person.roles.isdisjoint(settings.roles)
    return settings.openers is Openers.EVERYONE


def check_level(level: str) -> None:
    """Raise `BadTerms` for a level at which no computer player can be seated."""
    if level not in list(Level):
        raise BadTerms("level", level, tuple(Level))


KIND_TRIES = 30
"""The most secrets drawn for a first hand with a card to come out with."""
