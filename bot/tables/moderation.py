"""Powers of moderators over tables, and the settings and log of a guild."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot import rights
from bot.consent import PAUSE
from bot.errors import BadPreference, NotPossible, Problem
from bot.guild_records import HOUSE_NAME, LOG_ENDED, MOST_HOUSES, Ban, House, LogEntry
from bot.guild_settings import SETTINGS, GuildSettings, check_settings
from bot.occupants import Person, StandInReason
from bot.pace import DAY
from bot.table import NoteKind, Status, Table
from bot.tables import seating
from bot.tables.effects import Effect, need, need_outsider, note
from bot.tables.endings import cancel_game, remove_member
from bot.tables.friends import Friends
from bot.tables.playing import resume_game
from bot.tables.transactions import Service, Transactions
from engine import Options

ANNOUNCED = "announced"
"""The key of the announcement in the store."""


class Moderation(Service):
    """Tables and guilds as seen by their moderators. Everything done here goes into the guild's log."""

    def __init__(self, transactions: Transactions) -> None:
        super().__init__(transactions)
        self.on_log_ended: Callable[[int, LogEntry], None] = lambda channel_id, entry: None
        """Called with a channel that is the log no more, and with what ended that."""

    async def guild(self, guild_id: int) -> GuildSettings:
        """Return the settings of a guild."""
        return await self._profiles.guilds.get(guild_id)

    async def codes(self, game_ids: Iterable[int]) -> Mapping[int, str]:
        """Return the codes of these games, by id; those that are gone are left out."""
        return await self._store.games.codes(game_ids)

    async def bans(self, guild_id: int, *members: int) -> tuple[Ban, ...]:
        """Return the bans of a guild, newest first; only those of these members, if any are named."""
        return await self._store.guilds.bans(guild_id, *members)

    async def guild_log(self, guild_id: int, limit: int = 50) -> tuple[LogEntry, ...]:
        """Return the most recent lines of a guild's log about moderators, newest first."""
        return await self._store.guilds.log(guild_id, limit)

    async def houses(self, guild_id: int) -> tuple[House, ...]:
        """Return the sets of house rules that a guild has named, by their names."""
        return await self._store.guilds.houses(guild_id)

    async def with_unposted(self) -> tuple[int, ...]:
        """Return the guilds whose log channel does not have all entries."""
        return await self._store.guilds.with_unposted()

    async def note_posted(self, guild_id: int, number: int) -> None:
        """Note that a guild's log channel has the entries up to this number."""
        await self._store.guilds.note_posted(guild_id, number)

    async def pause(self, table_id: int, person: Person, reason: str = "") -> Table:
        """Stop a game, even one asleep, for seven days or until a moderator resumes it.

        Raises `NotModerator` (also for a moderator who plays it, or has played it), `WrongStatus`.
        """

        async def decide(table: Table) -> Effect:
            await self._need_moderator(person, table)
            need(table, Status.PLAYING)
            now = self._now()
            after = replace(table, status=Status.PAUSED, paused_by=person.id, paused_until=now + PAUSE)
            why = {"reason": reason} if reason else {}
            return _log(table, Effect(after, [note(table, NoteKind.PAUSED, now, person.id, **why)]), person, **why)

        return await self._change(table_id, decide)

    async def resume(self, table_id: int, person: Person) -> Table:
        """Resume a paused game; clocks continue with the time they had left.

        If no person plays it at present, it is asleep until an owner reclaims a seat, or another member takes one over.
        Raises `NotModerator` (also for a moderator who plays it, or has played it), `WrongStatus`, and `NOBODY_PLAYS`
        for a game that was not paused but is asleep.
        """

        async def decide(table: Table) -> Effect:
            await self._need_moderator(person, table)
            if table.status is Status.PLAYING and table.asleep:
                raise NotPossible(Problem.NOBODY_PLAYS)
            need(table, Status.PAUSED)
            return _log(table, resume_game(table, self._now(), person.id), person)

        return await self._change(table_id, decide)

    async def _need_moderator(self, person: Person, table: Table) -> None:
        """Raise `NotModerator` for one who does not moderate the table, or has played there."""
        rights.need_moderator(person, table)
        need_outsider(await self._memory.notes(table.id), person)

    async def ban(self, person: Person, guild_id: int, user_id: int, reason: str = "") -> tuple[Table, ...]:
        """Bar a member and free their seats; returns the tables that changed. Raises `NotModerator`.

        At tables where the moderator plays too, or has played, the member keeps the seat to the end of the game: no
        player removes another.
        """
        rights.need(rights.Deed.BAN, person)
        now = self._now()
        await self._store.guilds.ban(
            LogEntry(guild_id, now, "banned", person.id, user_id, None, {"reason": reason}), reason
        )

        await Friends(self._transactions).leave(user_id, guild_id)

        async def decide(table: Table) -> Effect:
            if seating.has_played(await self._memory.notes(table.id), person.id):
                return Effect(table)
            why, kind = StandInReason.BANNED, NoteKind.REMOVED
            return remove_member(table, user_id, why, now, kind, person.id, user_id=user_id)

        return await self._transactions.everywhere(guild_id, user_id, decide)

    async def unban(self, person: Person, guild_id: int, user_id: int) -> bool:
        """Let a member take part in games again; False if they were not banned. Raises `NotModerator`."""
        rights.need(rights.Deed.BAN, person)
        return await self._store.guilds.unban(LogEntry(guild_id, self._now(), "unbanned", person.id, user_id))

    async def announce(self, text: str | None) -> tuple[int, ...]:
        """Tell all open tables something, for as long as clocks stand; None: it is over. Returns those that changed.

        Their boards follow when they are next looked at. Games that start meanwhile are told too.
        """
        await self._store.remember(ANNOUNCED, text or "")
        self._transactions.announced = text
        changed = []

        def decide(table: Table) -> Effect:
            if table.announced != text and table.is_open:
                changed.append(table.id)
                return Effect(replace(table, announced=text))
            return Effect(table)

        for table_id in await self._store.games.open_ids():
            await self._transactions.change(table_id, decide, even_broken=True, follow=False)
        return tuple(dict.fromkeys(changed))

    async def obey_announcement(self) -> str | None:
        """Return the announcement in force, perhaps of another process; games that start from now on are told."""
        self._transactions.announced = await self._store.recall(ANNOUNCED) or None
        return self._transactions.announced

    async def configure_guild(self, person: Person, guild_id: int, **changes: object) -> GuildSettings:
        """Change a guild's settings, by the names of `GuildSettings`. Raises `NotModerator`, `BadPreference`."""
        rights.need(rights.Deed.SET_UP, person)
        values = check_settings(changes)
        before = await self._profiles.guilds.get(guild_id)
        after = replace(before, **values)
        if values:
            more: dict[str, object] = {}
            if values.get("log_in") is not None:
                # What happened before a channel was chosen is not told there.
                more["logged_id"] = await self._store.guilds.last_logged(guild_id)
            await self._profiles.set_guild(guild_id, **values, **more)
            if "off" in values:
                await self._transactions.switch_off(guild_id, after.off)
            entry = LogEntry(guild_id, self._now(), "settings", person.id, None, None, values)
            await self._store.guilds.write_log(entry)
            if before.log_in not in (None, after.log_in):
                self.on_log_ended(before.log_in, replace(entry, kind=LOG_ENDED))
        return await self._profiles.guilds.get(guild_id)

    async def reset_guild(self, person: Person, guild_id: int) -> GuildSettings:
        """Put all settings of a guild back to their defaults; named house rules stay. Raises `NotModerator`."""
        return await self.configure_guild(person, guild_id, **{name: row.default for name, row in SETTINGS.items()})

    async def end_all(self, person: Person, guild_id: int) -> int:
        """End all open games of a guild, before its data are deleted; returns how many. Raises `NotModerator`."""
        rights.need(rights.Deed.WIPE, person)
        now = self._now()

        def decide(table: Table) -> Effect:
            return cancel_game(table, person, now) if table.is_open else Effect(table)

        places = await self._store.games.places(guild_id)
        for place in places:
            await self._transactions.change(place.id, decide, even_broken=True)
        return len(places)

    async def wipe(self, person: Person, guild_id: int) -> None:
        """Delete everything of a guild, with the games that `end_all` has ended; the log says who did it.

        Raises `NotModerator`.
        """
        rights.need(rights.Deed.WIPE, person)
        log_in = (await self._profiles.guilds.get(guild_id)).log_in
        for game_id in await self._store.privacy.delete_guild(guild_id):
            self._memory.forget(game_id)
        self._profiles.members.clear()
        # Forgets what is remembered of the settings.
        await self._profiles.set_guild(guild_id, left_at=None)
        entry = LogEntry(guild_id, self._now(), "wiped", person.id)
        await self._store.guilds.write_log(entry)
        if log_in is not None:
            self.on_log_ended(log_in, entry)

    # The log channel

    async def list_unposted(self, guild_id: int, limit: int) -> Sequence[tuple[int, LogEntry]]:
        """Return what a guild's log channel does not have yet, the oldest first; not what is older than a day."""
        return await self._store.guilds.unposted(guild_id, self._now() - DAY, limit)

    # House rules that have a name

    async def make_house(self, person: Person, guild_id: int, name: str) -> House:
        """Return the set with this name, in any case, or a new empty one. Raises `NotModerator`, `BadPreference`."""
        rights.need(rights.Deed.SET_UP, person)
        if not 1 <= len(name) <= HOUSE_NAME:
            raise BadPreference("house_name", name)
        houses = await self.houses(guild_id)
        existing = next((house for house in houses if house.name.casefold() == name.casefold()), None)
        if existing is not None:
            return existing
        taken = {house.number for house in houses}
        number = next((free for free in range(1, MOST_HOUSES + 1) if free not in taken), None)
        if number is None:
            raise BadPreference("houses", name)
        return await self._keep(person, guild_id, House(number, name, Options()))

    async def set_house(self, person: Person, guild_id: int, number: int, options: Options) -> House:
        """Change what a set says; games that are open keep what they have. Raises `NotModerator`, `BadPreference`."""
        rights.need(rights.Deed.SET_UP, person)
        return await self._keep(person, guild_id, replace(await self.house(guild_id, number), options=options))

    async def house(self, guild_id: int, number: int) -> House:
        """Return the set with this number. Raises `BadPreference`."""
        for house in await self.houses(guild_id):
            if house.number == number:
                return house
        raise BadPreference("house", number)

    async def use_house(self, person: Person, guild_id: int, number: int | None) -> GuildSettings:
        """Make a set (None: none) what new games are played by. Raises `NotModerator`, `BadPreference`."""
        if number is not None:
            await self.house(guild_id, number)
        return await self.configure_guild(person, guild_id, house=number)

    async def drop_house(self, person: Person, guild_id: int, number: int) -> None:
        """Forget a set; new games are no longer played by it. Raises `NotModerator`, `BadPreference`."""
        rights.need(rights.Deed.SET_UP, person)
        gone = await self.house(guild_id, number)
        if (await self._profiles.guilds.get(guild_id)).house == number:
            await self._profiles.set_guild(guild_id, house=None)
        await self._store.guilds.drop_house(guild_id, number)
        await self._log_house(person, guild_id, gone.name, None)

    async def _keep(self, person: Person, guild_id: int, house: House) -> House:
        await self._store.guilds.keep_house(guild_id, house)
        await self._log_house(person, guild_id, house.name, ", ".join(house.options.to_json()))
        return house

    async def _log_house(self, person: Person, guild_id: int, name: str, rules: str | None) -> None:
        data = {"house": name, "rules": rules}
        await self._store.guilds.write_log(LogEntry(guild_id, self._now(), "settings", person.id, None, None, data))


def _log(before: Table, effect: Effect, person: Person, **data: Any) -> Effect:
    """Return an effect that is written to the guild's log too, under the name of its last note."""
    last = effect.notes[-1]
    return replace(effect, logged=LogEntry(before.guild_id, last.at, last.kind.value, person.id, None, before.id, data))
