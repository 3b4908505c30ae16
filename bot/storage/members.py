"""The people who play in a guild: their newest names, and their absence from its lists.

A name is kept where it was said: with seats, notes and puzzles. Readers get the newest name, unless the kept name is
gone: then time has passed, or the person was forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, case, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.guild_records import LogEntry
from bot.storage import schema
from bot.storage.database import StorePart
from bot.table import Note, NoteKind

_members = schema.members.c


@dataclass(frozen=True, slots=True)
class Member:
    """A person who plays in a guild; see `schema.members`."""

    name: str
    gone: bool
    unlisted: bool


def is_member(guild_id: Any, user_id: Any) -> ColumnElement[bool]:
    """Return the condition that a row of `members` is about this person in this guild."""
    return and_(_members.guild_id == guild_id, _members.user_id == user_id)


def newest(kept: ColumnElement[str]) -> ColumnElement[str]:
    """Return the newest name of a person, where a name is `kept` and `members` is joined."""
    unknown = or_(kept == "", _members.name.is_(None), _members.name == "")
    return case((unknown, kept), else_=_members.name)


def off_lists(guild_id: int) -> Any:
    """Return the query for the people whom the lists of a guild leave out."""
    return select(_members.user_id).where(_members.guild_id == guild_id, or_(_members.gone, _members.unlisted))


async def meet(connection: AsyncConnection, guild_id: int, people: Mapping[int, str]) -> None:
    """Note that these people play in a guild, and their names there."""
    if not people:
        return
    new = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(schema.members)
    key = [_members.guild_id, _members.user_id]
    known = new.on_conflict_do_update(index_elements=key, set_={"name": new.excluded.name, "gone": False})
    rows = [{"guild_id": guild_id, "user_id": user_id, "name": name} for user_id, name in sorted(people.items())]
    await connection.execute(known, rows)


async def names_in(connection: AsyncConnection, game_id: int, user_ids: Collection[int]) -> Mapping[int, str]:
    """Return the newest known names of these people in the guild of a game, by id."""
    if not user_ids:
        return {}
    result = await connection.execute(_NAMES_IN, {"this": game_id, "users": sorted(user_ids)})
    return {user_id: name for user_id, name in result if name}


def people_in(note: Note) -> Mapping[str, int]:
    """Return the people whose names a note keeps, by the names' keys in its data."""
    if note.kind is NoteKind.REPLACED:
        # The name is that of a computer.
        return {}
    data = note.data
    beside = {"name": data.get("user_id", note.actor_id), "old_name": data.get("old_user_id")}
    return {key: user_id for key, user_id in beside.items() if data.get(key) and isinstance(user_id, int)}


def with_names(note: Note, names: Mapping[int, str]) -> Note:
    """Return a note with the newest names of the people in it."""
    names_by_key = {key: names[user_id] for key, user_id in people_in(note).items() if user_id in names}
    return replace(note, data={**note.data, **names_by_key}) if names_by_key else note


_KNOWN = select(_members.name, _members.gone, _members.unlisted).where(is_member(bindparam("guild"), bindparam("user")))
"""Built once, since it is used whenever a member is met for the first time."""

_NAMES_IN = (
    select(_members.user_id, _members.name)
    .join(schema.games, schema.games.c.guild_id == _members.guild_id)
    .where(schema.games.c.id == bindparam("this"), _members.user_id.in_(bindparam("users", expanding=True)))
)


class MemberStore(StorePart):
    """Reads and writes what is known of people in guilds."""

    async def find(self, guild_id: int, user_id: int) -> Member | None:
        """Return a person who has played in a guild, or None."""
        rows = await self._database.rows(_KNOWN, guild=guild_id, user=user_id)
        return Member(**rows[0]) if rows else None

    async def meet(self, guild_id: int, people: Mapping[int, str]) -> None:
        """Note the names of people in a guild."""
        async with self._database.writing() as connection:
            await meet(connection, guild_id, people)

    async def note_name(self, guild_id: int, user_id: int, name: str) -> None:
        """Note that a person who plays in a guild is there, under this name."""
        mine = is_member(guild_id, user_id)
        await self._database.write(update(schema.members).where(mine).values(name=name, gone=False))

    async def note_departure(self, guild_id: int, user_id: int) -> None:
        """Note that a person is no longer a member of a guild."""
        await self._database.write(update(schema.members).where(is_member(guild_id, user_id)).values(gone=True))

    async def claim_checks(self, guild_id: int, user_ids: Iterable[int], at: int, before: int) -> Sequence[int]:
        """Return those of these people about whom Discord was last asked before a moment; it is being asked `at`."""
        old = or_(_members.checked_at.is_(None), _members.checked_at < before)
        here = (_members.guild_id == guild_id, _members.user_id.in_(tuple(user_ids)))
        users = await self._database.column(select(_members.user_id).where(*here, old))
        if users:
            claimed = _members.user_id.in_(users)
            statement = update(schema.members).where(_members.guild_id == guild_id, claimed)
            await self._database.write(statement.values(checked_at=at))
        return users

    async def set_unlisted(self, entry: LogEntry, *, unlisted: bool) -> bool:
        """Take the target of a log entry off the lists of a guild or put them back, and log it; False if it is so."""
        mine = is_member(entry.guild_id, entry.target_id)
        async with self._database.writing() as connection:
            changed = await connection.execute(
                update(schema.members).where(mine, _members.unlisted.is_(not unlisted)).values(unlisted=unlisted)
            )
            if changed.rowcount == 0:
                return False
            await self._database.log(connection, entry)
            return True

    async def unlisted(self, guild_id: int) -> tuple[int, ...]:
        """Return the people whom moderators took off the lists of a guild."""
        mine = (_members.guild_id == guild_id) & _members.unlisted
        return await self._database.column(select(_members.user_id).where(mine).order_by(_members.user_id))
