"""Cups and those who have entered them: the store's part for cups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.cup import Cup, CupEntry, CupStage
from bot.errors import Conflict
from bot.results import EVERYWHERE, CupLine
from bot.shards import Shards
from bot.storage import schema
from bot.storage.database import Database, StorePart
from bot.storage.members import is_member, meet, newest, off_lists
from bot.storage.results import is_listed
from bot.table import IN_DMS

_cups, _entries = schema.cups.c, schema.cup_entries.c

COLUMNS = tuple(column.name for column in _cups if column.name not in ("id", "version"))
GOING = (CupStage.OPEN, CupStage.RUNNING)
DONE = (CupStage.OVER, CupStage.CANCELLED)


class CupStore(StorePart):
    """Reads and writes cups."""

    def __init__(self, database: Database, shards: Shards) -> None:
        super().__init__(database)
        self._shards = shards

    async def get(self, cup_id: int) -> Cup | None:
        """Return a cup, or None."""
        return next(iter(await self._find(_cups.id == cup_id)), None)

    async def guild_of(self, cup_id: int) -> int:
        """Return the guild in which a cup is held; `IN_DMS` once it is gone."""
        return await self._database.value(select(_cups.guild_id).where(_cups.id == cup_id)) or IN_DMS

    async def of_member(self, user_id: int, guild_id: int) -> Sequence[CupLine]:
        """Return the places of a person in the cups of a guild (or `EVERYWHERE`) that are over, the newest first."""
        here = () if guild_id == EVERYWHERE else (_cups.guild_id == guild_id,)
        return await self._lines(None, _entries.user_id == user_id, *here)

    async def won(self, guild_id: int, since: int, until: int | None, most: int) -> Sequence[CupLine]:
        """Return who has won the cups of a guild that have ended since a moment, and until one, the newest first.

        People who are not on its lists are left out.
        """
        listed = is_listed(_entries.user_id), _entries.user_id.not_in(off_lists(guild_id))
        ended = () if until is None else (_cups.ended_at < until,)
        return await self._lines(
            most, _cups.guild_id == guild_id, _cups.ended_at >= since, _entries.place == 1, *ended, *listed
        )

    async def _lines(self, most: int | None, *conditions: ColumnElement[bool]) -> Sequence[CupLine]:
        rows = await self._database.rows(
            select(
                *(_cups.id, _cups.name, _cups.channel_id, _cups.was_public),
                *(newest(_entries.name).label("player"), _entries.place),
            )
            .join(schema.cup_entries, _cups.id == _entries.cup_id)
            .outerjoin(schema.members, is_member(_cups.guild_id, _entries.user_id))
            .where(_cups.stage == CupStage.OVER, _entries.place.is_not(None), *conditions)
            .order_by(_cups.ended_at.desc(), _cups.id.desc(), _entries.number)
            .limit(most)
        )
        return tuple(CupLine(*row.values()) for row in rows)

    async def of_guild(self, guild_id: int, most: int) -> Sequence[Cup]:
        """Return the cups of a guild that are going on, and then its last ones, the newest first."""
        going = await self._find((_cups.guild_id == guild_id) & _cups.stage.in_(GOING))
        done = await self._find((_cups.guild_id == guild_id) & _cups.stage.in_(DONE), most)
        return [*going, *done]

    async def draft_of(self, guild_id: int, user_id: int) -> Cup | None:
        """Return the cup that a person is planning in a guild, or None."""
        theirs = (_cups.guild_id == guild_id) & (_cups.host_id == user_id) & (_cups.stage == CupStage.DRAFT)
        return next(iter(await self._find(theirs)), None)

    async def note_public(self, guild_id: int, channel_id: int) -> None:
        """Note that a channel with cups was deleted which all members could see."""
        here = (_cups.guild_id == guild_id) & (_cups.channel_id == channel_id)
        await self._database.write(update(schema.cups).where(here).values(was_public=True))

    async def at_work(self, since: int) -> Sequence[Cup]:
        """Return the cups of our guilds that are going on, or have ended since a moment."""
        cups = await self._find(_cups.stage.in_(GOING) | (_cups.ended_at >= since))
        return [cup for cup in cups if self._shards.serves(cup.guild_id)]

    async def create(self, cup: Cup) -> int:
        """Insert a cup in place of the person's plans before, and return its id."""
        theirs = (_cups.guild_id == cup.guild_id) & (_cups.host_id == cup.host_id) & (_cups.stage == CupStage.DRAFT)
        async with self._database.writing() as connection:
            await connection.execute(delete(schema.cups).where(theirs))
            return await _insert(connection, cup)

    async def change(self, before: Cup, after: Cup, following: Cup | None = None) -> Cup:
        """Write what differs between two snapshots, and with it the cup `following` this one.

        Raises `Conflict` if the cup has changed meanwhile.
        """
        values = {name: new for name in COLUMNS if (new := getattr(after, name)) != getattr(before, name)}
        gone = [number for number in before.entries if number not in after.entries]
        come = [entry for number, entry in after.entries.items() if before.entries.get(number) != entry]
        mine = _entries.cup_id == before.id
        async with self._database.writing() as connection:
            same = (_cups.id == before.id) & (_cups.version == before.version)
            changed = update(schema.cups).where(same).values(version=before.version + 1, **values)
            if (await connection.execute(changed)).rowcount != 1:
                raise Conflict(before.id)
            if following is not None:
                await _insert(connection, following)
            again = [*gone, *(entry.number for entry in come)]
            if again:
                await connection.execute(delete(schema.cup_entries).where(mine, _entries.number.in_(again)))
            if come:
                await _insert_entries(connection, before.id, come)
                new = {entry.user_id: entry.name for entry in come if entry.number not in before.entries}
                await meet(connection, before.guild_id, new)
        return replace(after, version=before.version + 1)

    async def _find(self, condition: ColumnElement[bool], most: int | None = None) -> Sequence[Cup]:
        rows = await self._database.rows(select(schema.cups).where(condition).order_by(_cups.id.desc()).limit(most))
        entries: dict[int, dict[int, CupEntry]] = {row["id"]: {} for row in rows}
        people = await self._database.rows(
            select(*(column for column in _entries if column is not _entries.name), newest(_entries.name).label("name"))
            .join(schema.cups, _cups.id == _entries.cup_id)
            .outerjoin(schema.members, is_member(_cups.guild_id, _entries.user_id))
            .where(_entries.cup_id.in_(tuple(entries)))
            .order_by(_entries.number)
        )
        for row in people:
            fields: dict[str, Any] = dict(row)
            entry = CupEntry(**{name: value for name, value in fields.items() if name != "cup_id"})
            entries[row["cup_id"]][entry.number] = entry
        return [Cup(**row, entries=entries[row["id"]]) for row in rows]


async def _insert(connection: AsyncConnection, cup: Cup) -> int:
    """Insert a cup with its entries, and return its id."""
    values = {name: getattr(cup, name) for name in COLUMNS}
    result = await connection.execute(insert(schema.cups).values(version=1, **values))
    key = result.inserted_primary_key
    assert key is not None, "an insert of one row has a key"
    if cup.entries:
        await _insert_entries(connection, int(key[0]), cup.entries.values())
    return int(key[0])


async def _insert_entries(connection: AsyncConnection, cup_id: int, entries: Iterable[CupEntry]) -> None:
    rows = [{"cup_id": cup_id, **asdict(entry)} for entry in entries]
    await connection.execute(insert(schema.cup_entries), rows)
