"""People's ids and words in the database: what is exported, forgotten, and deleted in time.

A person who is forgotten gets a random negative id instead of their own and an empty name. So the games of others stay
whole, and what they have won from that person can still be counted again from the logs.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from sqlalchemy import Column, Table, cast, delete, exists, func, or_, select, update
from sqlalchemy import Text as TextType
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.message import About
from bot.occupants import Occupant
from bot.pace import DAY
from bot.results import EVERYWHERE
from bot.storage import schema
from bot.storage.database import StorePart
from bot.storage.locks import FORGOTTEN
from bot.storage.results import renew

_games, _seats, _notes, _actions = schema.games.c, schema.seats.c, schema.notes.c, schema.actions.c

OWN = (
    schema.users.c.user_id,
    schema.members.c.user_id,
    schema.seeks.c.user_id,
    schema.blocks.c.user_id,
    schema.puzzle_tries.c.user_id,
    schema.deadlines.c.user_id,
    schema.plans.c.user_id,
)
"""Ids of the person to whom alone a row belongs: it is exported, and goes."""

IDS = (
    _games.host_id,
    _games.paused_by,
    _seats.user_id,
    _seats.friend,
    _notes.actor_id,
    _actions.actor,
    schema.proposals.c.user_id,
    schema.guild_log.c.actor_id,
    schema.guild_log.c.target_id,
    schema.bans.c.by,
    schema.results.c.user_id,
    schema.ratings.c.user_id,
    schema.cups.c.host_id,
    schema.cup_entries.c.user_id,
    schema.cup_entries.c.asked,
)
"""Ids of a person in rows that belong to others too: they are exported, and become a person's without a name."""

WORDS = (
    _games.invited,
    _notes.data,
    schema.proposals.c.must_agree,
    schema.proposals.c.agreed,
    schema.proposals.c.refused,
    schema.guild_log.c.data,
    schema.seasons.c.reason,
    schema.seasons.c.end_reason,
    schema.cups.c.reason,
    schema.messages.c.text,
)
"""JSON and texts in which ids and names of people occur, or what people have written: they are taken out of them."""

GONE_AFTER = 30 * DAY
"""Seconds after which what a guild has left behind is deleted."""

_TO_PERSONS = (About.LETTER, About.ASKED, About.TOLD)
"""The messages of a table that are written to a person."""

BATCH = 200
"""Games changed in one transaction, so that no other writer waits for long."""

KEPT_UNTIL = "names kept until"
"""The key under which the store remembers up to which end of games names are gone."""


class PrivacyStore(StorePart):
    """Finds, forgets and deletes what the database knows of people and guilds."""

    async def export(self, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """Return by table all rows about a user, without ids and words of others."""
        letters = schema.messages.c.about.in_(_TO_PERSONS) & (schema.messages.c.to_id == user_id)
        exported: dict[str, list[dict[str, Any]]] = {}
        for table in schema.metadata.sorted_tables:
            ids = [column for column in (*OWN, *IDS, schema.bans.c.user_id) if column.table is table]
            conditions = [letters] if table is schema.messages else [column == user_id for column in ids]
            words = [column for column in WORDS if column.table is table and table is not schema.messages]
            conditions += [_mentions(column, user_id) for column in words]
            if not conditions:
                continue
            theirs = [column.name for column in (*ids, *words)] or [schema.messages.c.to_id.name]
            rows: list[dict[str, Any]] = []
            statement = select(table).where(or_(*conditions))
            async with self._database.reading() as connection, connection.stream(statement) as stream:
                async for part in stream.mappings().partitions(BATCH):
                    # There may be thousands, and others are playing.
                    rows += await asyncio.to_thread(_export_rows, table, part, user_id, theirs)
            if rows:
                exported[table.name] = rows
        return exported

    async def forget(self, user_id: int, instead: int) -> Sequence[int]:
        """Forget a user who has no seat in an open game: `instead` stands for them. Returns the games concerned."""
        games = set(await self._games_with(user_id))
        names = await self._find_names(user_id)
        async with self._database.writing() as connection:
            await connection.execute(
                delete(schema.messages).where(
                    schema.messages.c.about.in_(_TO_PERSONS), schema.messages.c.to_id == user_id
                )
            )
            for column in WORDS:
                await _rewrite(connection, column, games, user_id, names, instead)
            for named in (schema.seats, schema.cup_entries):
                await connection.execute(update(named).where(named.c.user_id == user_id).values(name=""))
            for column in OWN:
                await connection.execute(delete(column.table).where(column == user_id))
            for column in IDS:
                within = [_actions.game_id.in_(games)] if column is _actions.actor else []
                await connection.execute(
                    update(column.table).where(column == user_id, *within).values({column: instead})
                )
            if self._database.shared:
                # The server takes at most 8,000 bytes at once.
                for first in range(0, max(len(games), 1), BATCH):
                    told = " ".join(map(str, (user_id, *sorted(games)[first : first + BATCH])))
                    await connection.execute(select(func.pg_notify(FORGOTTEN, told)))
        return sorted(games)

    async def _games_with(self, user_id: int) -> Iterable[int]:
        """Return the games in which a user has acted, sat, hosted or been mentioned."""
        games: set[int] = set()
        for column in (_seats.user_id, _seats.friend, _notes.actor_id, _actions.actor, schema.results.c.user_id):
            rows = select(column.table.c.game_id).where(column == user_id).distinct()
            games.update(await self._database.column(rows))
        about = or_(_games.host_id == user_id, _games.paused_by == user_id, _mentions(_games.invited, user_id))
        games.update(await self._database.column(select(_games.id).where(about)))
        games.update(await self._database.column(select(_notes.game_id).where(_mentions(_notes.data, user_id))))
        return games

    async def _find_names(self, user_id: int) -> frozenset[str]:
        """Return all names that a user has had."""
        tries, members, entries = schema.puzzle_tries.c, schema.members.c, schema.cup_entries.c
        names = {
            *await self._database.column(select(_seats.name).where(_seats.user_id == user_id).distinct()),
            *await self._database.column(select(members.name).where(members.user_id == user_id).distinct()),
            *await self._database.column(select(entries.name).where(entries.user_id == user_id).distinct()),
            *await self._database.column(select(tries.name).where(tries.user_id == user_id).distinct()),
        }
        own = (_notes.actor_id == user_id) | _mentions(_notes.data, user_id)
        for row in await self._database.rows(select(_notes.actor_id, _notes.data).where(own)):
            names.update(_names_of_note(row["data"], user_id, row["actor_id"] == user_id))
        return frozenset(name for name in names if name)

    # In time

    async def delete_outlived(self, before: int) -> Sequence[int]:
        """Delete lobbies, log, messages and names from before a moment; returns games that changed, some at a time."""
        lobby = (_games.status == "cancelled") & _games.started_at.is_(None) & (_games.ended_at < before)
        since = int(await self._database.recall(KEPT_UNTIL) or 0)
        ended = await self._database.rows(
            select(_games.id, _games.ended_at)
            .where(_games.status.in_(("over", "cancelled")), _games.ended_at >= since, _games.ended_at < before)
            .order_by(_games.ended_at, _games.id)
            .limit(BATCH)
        )
        games = [row["id"] for row in ended]
        async with self._database.writing() as connection:
            await connection.execute(delete(schema.guild_log).where(schema.guild_log.c.at < before))
            await connection.execute(delete(schema.messages).where(schema.messages.c.game_id.in_(games)))
            people = _seats.user_id.is_not(None)
            await connection.execute(update(schema.seats).where(_seats.game_id.in_(games), people).values(name=""))
            await connection.execute(update(schema.games).where(_games.id.in_(games)).values(invited={}))
            outlived = select(schema.cups.c.id).where(schema.cups.c.ended_at < before)
            entries = schema.cup_entries.c
            await connection.execute(
                update(schema.cup_entries).where(entries.name != "", entries.cup_id.in_(outlived)).values(name="")
            )
            members = schema.members.c
            seated = exists().where(
                _seats.user_id == members.user_id,
                _seats.name != "",
                _seats.game_id == _games.id,
                _games.guild_id == members.guild_id,
            )
            await connection.execute(update(schema.members).where(members.name != "", ~seated).values(name=""))
            rows = await connection.execute(select(_notes.id, _notes.data).where(_notes.game_id.in_(games)))
            for note_id, data in rows.all():
                left = {key: "" if key in ("name", "old_name") else value for key, value in data.items()}
                if left != data:
                    await connection.execute(update(schema.notes).where(_notes.id == note_id).values(data=left))
            await connection.execute(delete(schema.games).where(lobby))
        until = ended[-1]["ended_at"] + 1 if len(ended) == BATCH else before
        await self._database.remember(KEPT_UNTIL, str(until))
        return games

    async def guilds(self) -> Mapping[int, int | None]:
        """Return the guilds of which there is anything, with the Unix second at which the bot left, or None."""
        known: dict[int, int | None] = dict.fromkeys(await self._database.column(select(_games.guild_id).distinct()))
        rows = await self._database.rows(select(schema.guilds.c.guild_id, schema.guilds.c.left_at))
        return known | {row["guild_id"]: row["left_at"] for row in rows}

    async def delete_guild(self, guild_id: int) -> Sequence[int]:
        """Delete everything that belongs to a guild; returns its games. Ratings everywhere stay as they were before."""
        games = await self._database.column(select(_games.id).where(_games.guild_id == guild_id))
        for first in range(0, len(games), BATCH):
            some = games[first : first + BATCH]
            async with self._database.writing() as connection:
                ratings = schema.ratings.c
                users = (
                    await connection.execute(select(ratings.user_id).where(ratings.game_id.in_(some)).distinct())
                ).scalars()
                await connection.execute(delete(schema.games).where(_games.id.in_(some)))
                await renew(connection, (ratings.guild_id == EVERYWHERE) & ratings.user_id.in_(users.all()))
        async with self._database.writing() as connection:
            for table in reversed(schema.metadata.sorted_tables):
                if "guild_id" in table.c and table is not schema.games:
                    await connection.execute(delete(table).where(table.c.guild_id == guild_id))
        return games


def _mentions(column: Column[Any], user_id: int) -> Any:
    """Return the condition that a column's text contains a user's id."""
    return cast(column, TextType).like(f"%{user_id}%")


def _contains(value: Any, user_id: int) -> bool:
    """Return True if a user's id is in a value of JSON, or is the value."""
    if isinstance(value, Occupant):
        return value.user_id == user_id
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        return any(_contains(item, user_id) for item in value)
    return bool(value == user_id)


def _export_rows(table: Table, rows: Sequence[Any], user_id: int, theirs: Sequence[str]) -> list[dict[str, Any]]:
    """Return as exported those of these rows that have a user's id in one of the columns `theirs`."""
    mine = (dict(row) for row in rows if any(_contains(row[name], user_id) for name in theirs))
    return [_export_row(table, row, user_id) for row in mine]


def _export_row(table: Table, row: dict[str, Any], user_id: int) -> dict[str, Any]:
    """Return a row as it is exported: without what identifies other people or is secret."""
    for column in table.c:
        value = row[column.name]
        if column in (*OWN, *IDS, schema.bans.c.user_id) and value != user_id:
            row[column.name] = None
        elif column in WORDS and table is not schema.messages:
            row[column.name] = _keep_own(value, user_id)
        elif isinstance(value, bytes):
            del row[column.name]
    if table is schema.seats and row["user_id"] is None:
        row["name"] = row["contribution"] = None
    return json.loads(json.dumps(row, default=_to_plain))  # type: ignore[no-any-return]


def _to_plain(value: Any) -> Any:
    """Return a value of ours for JSON."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def _keep_own(value: Any, user_id: int) -> Any:
    """Return a value of JSON without other people's ids and the names that stand beside them."""
    if isinstance(value, Occupant):
        return value.name if value.user_id == user_id else None
    if isinstance(value, Mapping):
        others = any(str(key).endswith("user_id") and item not in (None, user_id) for key, item in value.items())
        return {
            str(key): _keep_own(item, user_id)
            for key, item in value.items()
            if not (str(key).endswith("user_id") and item != user_id) and not (others and "name" in str(key))
        }
    if isinstance(value, list | tuple):
        others = any(isinstance(item, int) and item != user_id for item in value)
        return [_keep_own(item, user_id) for item in value if item == user_id or not others]
    return value


def _names_of_note(data: Any, user_id: int, acted: bool) -> set[str]:
    """Return the names beside a user's id in a note: the current and the old one."""
    names = set()
    if acted and data.get("user_id") in (None, user_id):
        names.add(data.get("name", ""))
    names |= {data.get(f"{old}name", "") for old in ("", "old_") if data.get(f"{old}user_id") == user_id}
    return names


def _remove_user(value: Any, user_id: int, names: frozenset[str], instead: int) -> Any:
    """Return a value of JSON without a user's id and names."""
    if isinstance(value, Mapping):
        return {key: _remove_user(item, user_id, names, instead) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_remove_user(item, user_id, names, instead) for item in value]
    if value == user_id and not isinstance(value, bool):
        return instead
    return _remove_names(value, user_id, names) if isinstance(value, str) else value


def _remove_names(text: str, user_id: int, names: frozenset[str]) -> str:
    """Return a text without a user's mention and names, empty if it is only a name."""
    if text in names:
        return ""
    text = text.replace(f"<@{user_id}>", "👤")
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "👤", text)
    return text


async def _rewrite(
    connection: AsyncConnection,
    column: Column[Any],
    games: Iterable[int],
    user_id: int,
    names: frozenset[str],
    instead: int,
) -> None:
    """Take a user's id and names out of a column: out of rows of their games, or out of those with their id."""
    table, key = column.table, tuple(column.table.primary_key)
    about = [_mentions(column, user_id)]
    if table in (schema.notes, schema.messages):
        about.append(table.c.game_id.in_(games))
    elif table is schema.guild_log:
        about += [schema.guild_log.c.actor_id == user_id, schema.guild_log.c.target_id == user_id]
    for row in (await connection.execute(select(*key, column).where(or_(*about)))).all():
        value: Any = row[-1]
        left: Any
        if column is schema.messages.c.text:
            left = _remove_names(value, user_id, names)
        elif column is _games.invited:
            left = {seat: who for seat, who in value.items() if who.user_id != user_id}
        else:
            left = _remove_user(value, user_id, names, instead)
        if left != value:
            same = [column == known for column, known in zip(key, row, strict=False)]
            await connection.execute(update(table).where(*same).values({column: left}))
