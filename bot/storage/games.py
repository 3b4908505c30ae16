"""Games and what belongs to them: reads rows, and changes a game in one transaction or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, fields, replace
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    RowMapping,
    Select,
    Table,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    union,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks import HOST_SEAT
from bot.errors import Conflict
from bot.guild_records import LogEntry
from bot.message import About, Message
from bot.occupants import Occupant, StandInReason
from bot.plans import Plan
from bot.proposal import Proposal, ProposalKind
from bot.shards import Shards
from bot.storage import schema
from bot.storage.database import Database, StorePart
from bot.storage.faults import broken_rule
from bot.storage.members import is_member, meet, names_in, newest, people_in, with_names
from bot.storage.rows import ActionRow, OverRow, PlaceRow, Snapshot
from bot.table import IN_DMS, OPEN, Note, SeatClock, Seek, Status, Terms
from bot.table import Table as GameTable
from engine import board_for

_games, _seats, _actions, _notes = schema.games.c, schema.seats.c, schema.actions.c, schema.notes.c
_messages, _deadlines, _proposals = schema.messages.c, schema.deadlines.c, schema.proposals.c
_plans = schema.plans.c

ONE_OPEN = frozenset(
    {
        "uq_games_open_code",
        "games.guild_id, games.code",
        "uq_games_open_rematch",
        "games.rematch_of",
        "uq_games_cup_game",
        "games.cup_id, games.cup_game",
    }
)
"""The messages, on PostgreSQL and on SQLite, for an open game that already has this code or follows this game."""


IS_OPEN = _games.status.in_(OPEN)

IS_BOARD = (_messages.about == About.BOARD) & _messages.message_id.is_not(None)
_BOARDS = exists().where(_messages.game_id == _games.id, IS_BOARD)
HAS_BOARD = _BOARDS.correlate(schema.games)
"""Condition: the game has a board."""
BOARD_IS_NEWEST = _BOARDS.where(_messages.version == _games.version).correlate(schema.games)
"""Condition: the game has a board that shows its newest state."""

AT_TABLE = schema.deadlines.c.seat < 0
"""Condition: it is due at the table itself (see `is_at_table`)."""


def in_shards(shards: Shards) -> tuple[ColumnElement[bool], ...]:
    """Return the condition for games of these shards, by Discord's formula."""
    if shards.everything:
        return ()
    # A 32-bit number, as PostgreSQL wants it here; the low precedence produces the brackets.
    shard = _games.guild_id.op(">>", precedence=0)(literal_column("22")) % shards.count
    return (shard.in_(sorted(shards.ids)),)


def of_games_in(shards: Shards, game_id: Column[int]) -> tuple[ColumnElement[bool], ...]:
    """Return the condition for rows whose `game_id` names a game of these shards."""
    mine = in_shards(shards)
    return (game_id.in_(select(_games.id).where(*mine)),) if mine else ()


TERMS = tuple(field.name for field in fields(Terms))
"""The columns of `games` with the terms."""
_OF_TABLE = tuple(field.name for field in fields(GameTable) if field.name in schema.games.c)
"""The columns of `games` that are fields of a `GameTable`."""


def changed_columns(before: GameTable, after: GameTable) -> dict[str, object]:
    """Return the columns of the game's row in which two snapshots differ, apart from what every change writes."""
    names = (name for name in _OF_TABLE if name not in ("version", "changed_at"))
    changed = {name: value for name in names if (value := getattr(after, name)) != getattr(before, name)}
    if after.terms is not before.terms:
        terms = ((name, getattr(after.terms, name)) for name in TERMS)
        changed |= {name: value for name, value in terms if value != getattr(before.terms, name)}
    return changed


class GameStore(StorePart):
    """Reads and changes games."""

    async def snapshot(self, game_id: int, knows: Callable[[int], bool] = lambda version: False) -> Snapshot | None:
        """Return a game, its people and its log as of one moment, or None; no log if the reader `knows` its version."""
        async with self._database.reading() as connection:

            async def rows(statement: Select[Any]) -> list[dict[str, Any]]:
                result = await connection.execute(statement, {"this": game_id})
                return [dict(row) for row in result.mappings()]

            if not (games := await rows(_GAME)):
                return None
            (game,) = games
            guests = [who.user_id for who in game["invited"].values() if who.user_id is not None]
            names = await names_in(connection, game_id, guests)
            game["invited"] = {
                seat: replace(who, name=names.get(who.user_id or 0, who.name)) for seat, who in game["invited"].items()
            }
            seated = await rows(_SEATS)
            plans = {}
            for row in seated:
                planner, steps, played = row.pop("planner"), row.pop("steps"), row.pop("played")
                if planner is not None:
                    plans[row["seat"]] = Plan(planner, steps, played)
            table = GameTable(
                terms=Terms(**{name: game[name] for name in TERMS}),
                seats=board_for(game["system"], game["players"]).seats,
                occupants={row.pop("seat"): Occupant(**row) for row in seated},
                game=None,
                clocks={row.pop("seat"): SeatClock(**row) for row in await rows(_CLOCKS)},
                proposals={row["kind"]: Proposal(**row) for row in await rows(_PROPOSALS)},
                messages=tuple(Message(**row) for row in await rows(_MESSAGES)),
                off=game["off"] or (),
                **{name: game[name] for name in _OF_TABLE},
            )
            actions = None if knows(table.version) else tuple(ActionRow(**row) for row in await rows(_ACTIONS))
            return Snapshot(table, game["rules"], game["seed"], actions, plans)

    async def note_hosts_seen(self, seen: Mapping[int, int], silent: int) -> None:
        """Note when the hosts of these games last did something there; they are silent after `silent` more seconds."""
        rows = [{"this": game_id, "at": at, "silent_at": at + silent} for game_id, at in seen.items()]
        async with self._database.writing() as connection:
            await connection.execute(_SAW_HOST, rows)
            await connection.execute(_HEARD_HOST, rows)

    async def schedule_host_check(self, game_id: int, at: int) -> None:
        """Check at this Unix second for a sign of a game's host."""
        async with self._database.writing() as connection:
            await connection.execute(_HEARD_HOST, {"this": game_id, "silent_at": at})

    async def secret(self, game_id: int) -> bytes:
        """Return the secret from which a game's shuffles follow; until the game is over, only for its start."""
        secret = await self._database.value(select(_games.secret).where(_games.id == game_id))
        assert isinstance(secret, bytes), "every game has a secret"
        return secret

    async def actions(self, game_id: int) -> tuple[ActionRow, ...]:
        """Return the log of a game."""
        rows = await self._database.rows(_ACTIONS, this=game_id)
        return tuple(ActionRow(**row) for row in rows)

    async def notes(self, game_id: int) -> tuple[Note, ...]:
        """Return a table's notes, oldest first."""
        async with self._database.reading() as connection:
            result = await connection.execute(_NOTES, {"this": game_id})
            notes = [Note(**row) for row in result.mappings()]
            people = {user_id for note in notes for user_id in people_in(note).values()}
            names = await names_in(connection, game_id, people)
        return tuple(with_names(note, names) for note in notes)

    async def id_of_rematch(self, game_id: int) -> int | None:
        """Return the open game that follows this one, or None."""
        return await self._database.value(select(_games.id).where(IS_OPEN, _games.rematch_of == game_id))

    async def ids_of_cup(self, cup_id: int) -> Mapping[int, tuple[int, Status]]:
        """Return the ids and statuses of a cup's games, by their numbers in it."""
        mine = select(_games.cup_game, _games.id, _games.status).where(_games.cup_id == cup_id)
        return {row["cup_game"]: (row["id"], row["status"]) for row in await self._database.rows(mine)}

    async def open_codes(self, guild_id: int) -> frozenset[str]:
        """Return the codes of a guild's open games."""
        return frozenset(await self._database.column(select(_games.code).where(IS_OPEN, _games.guild_id == guild_id)))

    async def codes(self, game_ids: Iterable[int]) -> Mapping[int, str]:
        """Return the codes of these games, by id; those that are gone are left out."""
        rows = await self._database.rows(select(_games.id, _games.code).where(_games.id.in_(tuple(game_ids))))
        return {row["id"]: row["code"] for row in rows}

    async def ids_in_channel(self, channel_id: int) -> tuple[int, ...]:
        """Return the ids of the open games of a channel, newest first."""
        here = select(_games.id).where(IS_OPEN, _games.channel_id == channel_id)
        return await self._database.column(here.order_by(_games.id.desc()))

    async def ids_of_member(self, user_id: int) -> tuple[int, ...]:
        """Return the ids of the open games in which this member owns a seat or is named a friend, newest first."""
        named = or_(_seats.user_id == user_id, _seats.friend == user_id)
        theirs = select(_games.id).join(schema.seats, _seats.game_id == _games.id).where(named).distinct()
        return await self._database.column(theirs.where(IS_OPEN).order_by(_games.id.desc()))

    async def open_ids(self) -> tuple[int, ...]:
        """Return the ids of all open games, the oldest first."""
        return await self._database.column(select(_games.id).where(IS_OPEN).order_by(_games.id))

    async def guilds(self) -> tuple[int, ...]:
        """Return the guilds with open games."""
        in_guilds = IS_OPEN & (_games.guild_id != IN_DMS)
        return await self._database.column(select(_games.guild_id).where(in_guilds).distinct())

    async def places(self, guild_id: int) -> tuple[PlaceRow, ...]:
        """Return the places of a guild's open games, and of those whose end could not be shown, oldest first."""
        unseen = _games.lost.is_not(None) & HAS_BOARD & ~BOARD_IS_NEWEST
        rows = await self._database.rows(
            select(_games.id, _games.channel_id, _games.parent_id, _games.lost)
            .where(IS_OPEN | unseen, _games.guild_id == guild_id)
            .order_by(_games.id)
        )
        return tuple(PlaceRow(**row) for row in rows)

    async def ids(self) -> tuple[int, ...]:
        """Return the ids of all games that were started, the oldest first."""
        return await self._database.column(select(_games.id).where(_games.seed.is_not(None)).order_by(_games.id))

    async def ids_by_code(self, code: str) -> tuple[int, ...]:
        """Return the ids of the open games with this code in any guild, else of the finished, newest first."""
        coded = select(_games.id).where(_games.code == code).order_by(_games.id.desc())
        return await self._database.column(coded.where(IS_OPEN)) or await self._database.column(coded)

    async def overview(self) -> Sequence[RowMapping]:
        """Return a row for each open game, for the operator: its kind, progress and earliest deadline."""
        number = select(func.count()).where(_actions.game_id == _games.id).scalar_subquery()
        due = (_deadlines.game_id == _games.id) & (_deadlines.seat != HOST_SEAT)
        first = select(func.min(_deadlines.due_at)).where(due).scalar_subquery()
        columns = (
            _games.id,
            _games.code,
            _games.guild_id,
            _games.channel_id,
            _games.status,
            _games.system,
            _games.players,
        )
        more = (_games.pace, _games.lost, _games.announced, _games.changed_at)
        wanted = select(*columns, *more, number.label("actions"), first.label("due_at"))
        return await self._database.rows(wanted.where(IS_OPEN).order_by(_games.id))

    async def by_guild(self) -> Sequence[RowMapping]:
        """Return for each guild, for the operator, how many games it has had, and when the last one changed."""
        changed = func.max(_games.changed_at).label("last")
        counted = select(_games.guild_id, func.count().label("games"), changed)
        return await self._database.rows(counted.group_by(_games.guild_id))

    async def open_by_status(self) -> Mapping[str, int]:
        """Return the number of open games by status."""
        counted = select(_games.status, func.count().label("count")).where(IS_OPEN)
        rows = await self._database.rows(counted.group_by(_games.status))
        return {str(row["status"]): row["count"] for row in rows}

    async def ids_of_lobbies(self, guild_id: int, most: int) -> tuple[int, ...]:
        """Return the ids of a guild's tables that have not started, the oldest first."""
        waiting = (_games.guild_id == guild_id) & (_games.status == "lobby")
        return await self._database.column(select(_games.id).where(waiting).order_by(_games.id).limit(most))

    async def ids_playing(self, guild_id: int, most: int) -> tuple[int, ...]:
        """Return the ids of a guild's games that are being played, the newest first."""
        playing = (_games.guild_id == guild_id) & (_games.status == "playing")
        return await self._database.column(select(_games.id).where(playing).order_by(_games.id.desc()).limit(most))

    async def id_by_code(self, guild_id: int, code: str) -> int | None:
        """Return the open game with this code in a guild, else the newest finished game, else None."""
        return await self._database.value(_BY_CODE, guild=guild_id, code=code)

    async def id_last_ended(self, channel_id: int) -> int | None:
        """Return the game of a channel that ended last (won or cancelled after its start), or None."""
        ended = (_games.channel_id == channel_id) & _games.ended_at.is_not(None) & _games.started_at.is_not(None)
        newest = select(_games.id).where(ended).order_by(_games.ended_at.desc(), _games.id.desc())
        return await self._database.value(newest.limit(1))

    async def own_ids_by_code(self, user_id: int, code: str) -> tuple[int, ...]:
        """Return the ids of the games with a code that a person plays, their own or a friend's: of each guild one.

        The open one, else the newest.
        """
        stands_in = (_seats.friend == user_id) & (_seats.why == StandInReason.FRIEND)
        rows = await self._database.rows(
            select(_games.id, _games.guild_id)
            .join(schema.seats, _seats.game_id == _games.id)
            .where((_seats.user_id == user_id) | stands_in, _games.code == code)
            .order_by(IS_OPEN.desc(), _games.id.desc())
        )
        return tuple({row["guild_id"]: row["id"] for row in reversed(rows)}.values())

    async def find_finished(
        self, guild_id: int | None, user_id: int, channel_id: int, most: int
    ) -> tuple[OverRow, ...]:
        """Return the games that were played to their end in a channel or by a member, the newest first.

        They are those of a guild, or of all guilds.
        """
        own = select(_seats.game_id).where(_seats.user_id == user_id)
        mine = _games.id.in_(own)
        # By id, or SQLite would go through all finished games there are.
        of_guild = () if guild_id is None else (_games.guild_id == guild_id,)
        either = union(own, select(_games.id).where(_games.channel_id == channel_id, _games.status == "over"))
        rows = await self._database.rows(
            select(_games.id, _games.code, _games.system, _games.channel_id, mine.label("mine"))
            .where(_games.id.in_(either), _games.status == "over", *of_guild)
            .order_by(_games.ended_at.desc(), _games.id.desc())
            .limit(most)
        )
        return tuple(OverRow(**{**row, "mine": bool(row["mine"])}) for row in rows)

    @asynccontextmanager
    async def create(self, terms: Terms, **values: object) -> AsyncIterator[GameWriter]:
        """Insert a game at version 1 and go on changing it in the same transaction; `values`: columns of its row.

        Raises `Conflict` if the guild already has an open game with this code, or another that follows the same game.
        """
        values |= {name: getattr(terms, name) for name in TERMS}
        async with self._database.writing() as connection:
            try:
                result = await connection.execute(insert(schema.games).values(version=1, **values))
            except IntegrityError as problem:
                if broken_rule(problem) not in ONE_OPEN:
                    raise
                raise Conflict(0) from None
            key = result.inserted_primary_key
            assert key is not None, "an insert of one row has a key"
            yield GameWriter(self._database, connection, key[0])

    @asynccontextmanager
    async def change(self, game_id: int, version: int, at: int, **values: object) -> AsyncIterator[GameWriter]:
        """Change a game that is at `version`, in one transaction; afterwards it is at `version` + 1.

        `values`: further columns of its row. Everything is undone if the block raises. Raises `Conflict` if the game is
        at another version (or gone).
        """
        row = {"this": game_id, "at_version": version, "version": version + 1, "changed_at": at, **values}
        async with self._database.writing() as connection:
            raised = await connection.execute(_CHANGE, row)
            if raised.rowcount != 1:
                raise Conflict(game_id)
            yield GameWriter(self._database, connection, game_id)

    async def plan(self, game_id: int, seat: int, plan: Plan, told: str | None) -> None:
        """Make these the plans for a seat, none if there are no steps; `told`: the name of another process to tell."""
        gone = delete(schema.plans).where(_plans.game_id == game_id, _plans.seat == seat)
        async with self._database.writing() as connection:
            await connection.execute(gone)
            if plan.steps:
                row = {"user_id": plan.user_id, "steps": plan.steps, "played": plan.played}
                await connection.execute(insert(schema.plans).values(game_id=game_id, seat=seat, **row))
            if told is not None:
                await GameWriter(self._database, connection, game_id).announce(told)

    @asynccontextmanager
    async def look(self, game_id: int) -> AsyncIterator[GameWriter]:
        """Yield a writer on a reading connection; nothing may be changed."""
        async with self._database.reading() as connection:
            yield GameWriter(self._database, connection, game_id)


class GameWriter:
    """Writer of one game in one transaction; made by `GameStore.change` and `GameStore.create`."""

    def __init__(self, database: Database, connection: AsyncConnection, game_id: int) -> None:
        self._database, self._connection = database, connection
        self.game_id = game_id

    async def call_again(self, seats: Iterable[int]) -> None:
        """Forget that the people on these seats have been called, so that they are to be called again."""
        messages, gone = schema.messages.c, frozenset(seats)
        boards = (messages.game_id == self.game_id) & (messages.about == About.BOARD)
        for nonce, marks in await self._connection.execute(select(messages.nonce, messages.marks).where(boards)):
            kept = {seat: mark for seat, mark in marks.items() if seat not in gone}
            await self._connection.execute(update(schema.messages).where(messages.nonce == nonce).values(marks=kept))

    async def seat(self, occupants: Mapping[int, Occupant]) -> None:
        """Make these the people at the table, in place of those who sat there."""
        await self._connection.execute(delete(schema.seats).where(_seats.game_id == self.game_id))
        rows = [{"game_id": self.game_id, "seat": seat, **asdict(occupant)} for seat, occupant in occupants.items()]
        if rows:
            await self._connection.execute(insert(schema.seats), rows)

    async def meet(self, guild_id: int, people: Mapping[int, str]) -> None:
        """Note that these people play in a guild, and their names there."""
        await meet(self._connection, guild_id, people)

    async def append(self, action: ActionRow) -> None:
        """Append an action to the log. Raises `Conflict` if the log already has an action with this number."""
        try:
            await self._connection.execute(_APPEND, {"game_id": self.game_id, **asdict(action)})
        except IntegrityError as problem:
            if broken_rule(problem) not in ("pk_actions", "actions.game_id, actions.number"):
                raise
            # Neither the statement nor its values may reach a log: the text can be a secret gift.
            raise Conflict(self.game_id, action.number) from None

    async def use_plan(self, seat: int, left: Plan) -> bool:
        """Note that a plan was carried out, and which are left; False if its owner has dropped it."""
        mine = (_plans.game_id == self.game_id) & (_plans.seat == seat) & (_plans.user_id == left.user_id)
        used = update(schema.plans).where(mine).values(steps=left.steps, played=left.played)
        return (await self._connection.execute(used)).rowcount == 1

    async def cut(self, number: int) -> None:
        """Remove the actions from `number` on from the log."""
        await self._connection.execute(
            delete(schema.actions).where(_actions.game_id == self.game_id, _actions.number >= number)
        )

    async def note(self, *notes: Note) -> None:
        """Write down things that are not actions, in this order."""
        rows = [{"game_id": self.game_id, **asdict(note)} for note in notes]
        if rows:
            await self._connection.execute(_WRITE_NOTES, rows)

    async def set_deadlines(self, new: Mapping[int, SeatClock], old: Mapping[int, SeatClock]) -> None:
        """Make these the game's deadlines, by seat. Unchanged rows stay; when a turn passes on, one row moves."""
        gone = [seat for seat in old if seat not in new]
        come = [seat for seat in new if seat not in old]
        moved = [(seat, seat) for seat in new if seat in old and new[seat] != old[seat]]
        moved += zip(gone, come, strict=False)
        if moved:
            rows = [{"this": self.game_id, "whose": was, "seat": seat, **asdict(new[seat])} for was, seat in moved]
            await self._connection.execute(_MOVE_DEADLINE, rows)
        if spare := gone[len(come) :]:
            mine = _deadlines.game_id == self.game_id
            await self._connection.execute(delete(schema.deadlines).where(mine, _deadlines.seat.in_(spare)))
        if added := come[len(gone) :]:
            rows = [{"game_id": self.game_id, "seat": seat, **asdict(new[seat])} for seat in added]
            await self._connection.execute(_ADD_DEADLINE, rows)

    async def propose(self, proposals: Mapping[ProposalKind, Proposal]) -> None:
        """Make these the game's proposals, in place of those it had."""
        await self._connection.execute(delete(schema.proposals).where(_proposals.game_id == self.game_id))
        rows = [{"game_id": self.game_id, **asdict(proposal)} for proposal in proposals.values()]
        if rows:
            await self._connection.execute(insert(schema.proposals), rows)

    async def log(self, entry: LogEntry) -> None:
        """Write a line to the guild's log."""
        await self._database.log(self._connection, entry)

    async def announce(self, channel: str) -> None:
        """Announce, once this is committed, that the game has changed, to the process that listens under this name."""
        await self._connection.execute(select(func.pg_notify(channel, str(self.game_id))))

    async def end_seek(self, guild_id: int, user_id: int) -> bool:
        """End a member's search for a table: they have one; False if there is none."""
        mine = (schema.seeks.c.guild_id == guild_id) & (schema.seeks.c.user_id == user_id)
        return bool((await self._connection.execute(delete(schema.seeks).where(mine))).rowcount)

    async def seek(self, seek: Seek) -> None:
        """Note a search for a table, unless the person has begun another."""
        mine = (schema.seeks.c.guild_id == seek.guild_id) & (schema.seeks.c.user_id == seek.user_id)
        if (await self._connection.execute(select(schema.seeks.c.user_id).where(mine))).first() is None:
            await self._connection.execute(insert(schema.seeks).values(**asdict(seek)))

    async def open_in_channel(self, channel_id: int) -> int:
        """Return the number of open games in a channel and its threads, without this one and those of cups."""
        place = (_games.channel_id == channel_id) | (_games.parent_id == channel_id)
        free = _games.cup_id.is_(None)
        return await self._count(select(func.count()).where(IS_OPEN, place, free, _games.id != self.game_id))

    async def open_of_member(self, guild_id: int, user_id: int) -> int:
        """Return the number of a guild's other open games, but those of cups, that this member plays or hosts."""
        seated = select(_seats.game_id).where(_seats.user_id == user_id)
        mine = (_games.guild_id == guild_id) & ((_games.host_id == user_id) | _games.id.in_(seated))
        free = _games.cup_id.is_(None)
        return await self._count(select(func.count()).where(IS_OPEN, mine, free, _games.id != self.game_id))

    async def _keep_others_out(self) -> None:
        """Keep other changes of this guild from counting its games until this one is committed.

        On SQLite there is one writer at a time; elsewhere, two that count at once would both get the last place.
        """
        if self._connection.dialect.name == "postgresql":
            guild = select(_games.guild_id).where(_games.id == self.game_id).scalar_subquery()
            await self._connection.execute(select(func.pg_advisory_xact_lock(guild)))

    async def _count(self, statement: object) -> int:
        await self._keep_others_out()
        return int((await self._connection.execute(statement)).scalar_one())  # type: ignore[call-overload]


def _columns(table: Table) -> list[Column[Any]]:
    """Return the columns of a table in which rows belong to a game, without what identifies the row and the game."""
    return [column for column in table.columns if column.name not in ("id", "game_id")]


def _of_game(table: Table) -> Select[Any]:
    return select(*_columns(table)).where(table.c.game_id == bindparam("this"))


_GAME = (
    select(*(column for column in schema.games.c if column.name != "secret"), schema.guilds.c.off)
    .outerjoin(schema.guilds, schema.guilds.c.guild_id == _games.guild_id)
    .where(_games.id == bindparam("this"))
)
_SEATS = (
    select(
        *(c for c in _columns(schema.seats) if c is not _seats.name),
        newest(_seats.name).label("name"),
        _plans.user_id.label("planner"),
        _plans.steps,
        _plans.played,
    )
    .join(schema.games, _games.id == _seats.game_id)
    .outerjoin(schema.plans, (_plans.game_id == _seats.game_id) & (_plans.seat == _seats.seat))
    .outerjoin(schema.members, is_member(_games.guild_id, _seats.user_id))
    .where(_seats.game_id == bindparam("this"))
    .order_by(_seats.seat)
)
_CLOCKS, _PROPOSALS = _of_game(schema.deadlines).where(~AT_TABLE), _of_game(schema.proposals)
_ACTIONS = _of_game(schema.actions).order_by(_actions.number)
_MESSAGES = _of_game(schema.messages).order_by(_messages.at)
_NOTES = _of_game(schema.notes).order_by(_notes.id)
_BY_CODE = (
    select(_games.id)
    .where(_games.guild_id == bindparam("guild"), _games.code == bindparam("code"))
    .order_by(IS_OPEN.desc(), _games.id.desc())
    .limit(1)
)
_CHANGE = update(schema.games).where(_games.id == bindparam("this"), _games.version == bindparam("at_version"))
_APPEND = insert(schema.actions)
_WRITE_NOTES = insert(schema.notes)
_ADD_DEADLINE = insert(schema.deadlines)
_MOVE_DEADLINE = update(schema.deadlines).where(
    _deadlines.game_id == bindparam("this"), _deadlines.seat == bindparam("whose")
)
_SAW_HOST = update(schema.games).where(_games.id == bindparam("this")).values(host_seen=bindparam("at"))
_HEARD_HOST = (
    update(schema.deadlines)
    .where(_deadlines.game_id == bindparam("this"), _deadlines.seat == HOST_SEAT)
    .values(due_at=bindparam("silent_at"))
)
"""Statements of every action, and of the first look at a table: built once, since that costs more than running them."""
