"""The tables of the database, readable in a minute.

A game is its row in `games` (rule system, options, seed), who sits where (`seats`) and its numbered `actions`: these
are the truth. Position, hands and whose turn it is follow from them and are not stored. `notes` record what else
happened at a table. Times are Unix seconds; Discord's ids are integers of up to 64 bits. The migrations in
`migrations/versions/` build exactly this (a test compares them): whoever changes something here makes the next one with
`alembic revision --autogenerate --rev-id 0002 -m "What changes"` and reads it through. The bot's next start applies it,
after copying the database.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

from bot.errors import OutOfRange

# The types of columns: what they cannot hold is refused before it reaches SQL, alike on every database. SQLite would
# accept any text and fail on a long number deep in its driver; PostgreSQL refuses some texts altogether.


class _Whole(TypeDecorator[int]):
    """A signed integer of this many bits."""

    cache_ok = True
    bits = 64
    impl: Any = BigInteger

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        """The number, unchanged. Raises `OutOfRange`."""
        if value is not None and not -(2 ** (self.bits - 1)) <= value < 2 ** (self.bits - 1):
            raise OutOfRange(f"a number of {value.bit_length()} bits")
        return value


class Id(_Whole):
    """A Discord id, or a moment in Unix seconds: 64 bits."""

    cache_ok = True


class Serial(_Whole):
    """An auto-incrementing id; SQLite offers that only for plain INTEGER."""

    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """INTEGER on SQLite, BIGINT elsewhere."""
        return dialect.type_descriptor(Integer() if dialect.name == "sqlite" else BigInteger())


class Count(_Whole):
    """A small number: 32 bits."""

    cache_ok = True
    bits = 32
    impl = Integer


class _Words(TypeDecorator[str]):
    """A text without characters that a database cannot hold."""

    cache_ok = True
    impl: Any = Text

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text, unchanged. Raises `OutOfRange`."""
        if value is None:
            return None
        length = getattr(self.impl, "length", None)
        if length is not None and len(value) > length:
            raise OutOfRange(f"a text of {len(value)} signs where {length} fit")
        if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
            raise OutOfRange("a text with signs that cannot be stored")
        return value


class Words(_Words):
    """A text of limited length."""

    cache_ok = True
    impl = String


class Prose(_Words):
    """A text of any length."""

    cache_ok = True


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

IS_OPEN = text("status IN ('lobby', 'playing', 'paused')")

games = Table(
    "games",
    metadata,
    Column("id", Serial, primary_key=True),
    Column("code", Words(16), nullable=False),
    Column("guild_id", Id, nullable=False),
    Column("channel_id", Id, nullable=False),
    Column("host_id", Id, nullable=False),
    Column("status", Words(12), nullable=False),
    Column("version", Count, nullable=False),
    # The terms: what is agreed on before the start. `hints`: whether players may ask for them.
    Column("system", Words(32), nullable=False),
    Column("players", Count, nullable=False),
    Column("options", JSON, nullable=False),
    Column("pace", Words(12), nullable=False),
    Column("locale", Words(16), nullable=False),
    Column("theme", Words(32), nullable=False),
    Column("hints", Boolean, nullable=False, server_default=false()),
    # From the start on: the version of the rule system with which the game began, and which it keeps, and the seed
    # from which everything random follows.
    Column("rules", Count, nullable=False, server_default="1"),
    Column("seed", LargeBinary(32)),
    Column("outcome", JSON(none_as_null=True)),
    Column("created_at", Id, nullable=False),
    Column("changed_at", Id, nullable=False),
    Column("started_at", Id),
    Column("ended_at", Id),
    # The channel of the thread it is played in; why the place cannot be used; the game it follows.
    Column("parent_id", Id),
    Column("lost", Words(16)),
    Column("rematch_of", Id),
    # Takebacks so far; by seat, the takeback since which it is asked again; the moderator who paused the game.
    Column("takebacks", Count, nullable=False, server_default="0"),
    Column("anew", JSON, nullable=False, server_default="{}"),
    Column("paused_by", Id),
    CheckConstraint("status IN ('lobby', 'playing', 'paused', 'over', 'cancelled')", name="status"),
    CheckConstraint("status IN ('lobby', 'cancelled') OR seed IS NOT NULL", name="seed"),
    Index("uq_games_open_code", "guild_id", "code", unique=True, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
    Index("uq_games_open_rematch", "rematch_of", unique=True, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
    Index("ix_games_channel_id_status", "channel_id", "status"),
    Index("ix_games_status", "status"),
    Index("ix_games_rematch_of", "rematch_of"),
)
"""One row per game, from the lobby on. `version` grows by one with every change, so that no two writers overlap."""

seats = Table(
    "seats",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Count, primary_key=True, autoincrement=False),
    Column("user_id", Id),
    Column("computer", Words(16)),
    Column("name", Words(100), nullable=False),
    Column("why", Words(16)),
    Column("offered", Boolean, nullable=False, server_default=false()),
    Column("missed", Count, nullable=False, server_default="0"),
    UniqueConstraint("game_id", "user_id"),
    CheckConstraint("user_id IS NOT NULL OR computer IS NOT NULL", name="somebody"),
    Index("ix_seats_user_id", "user_id"),
)
"""Who sits where; free seats have no row. If both `user_id` and `computer` are set, a computer plays for that person.

`why` a computer took over; `offered`: others may take the seat; `missed`: turns in a row played because time was up.
"""

actions = Table(
    "actions",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Count, primary_key=True, autoincrement=False),
    Column("seat", Count, nullable=False),
    Column("text", Words(200), nullable=False),
    Column("actor", Words(24), nullable=False),
    Column("at", Id, nullable=False),
)
"""The log of each game, numbered from 1. `actor`: a user id as text, or `computer`, `rule` (forced), `clock`."""

notes = Table(
    "notes",
    metadata,
    Column("id", Serial, primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("number", Count, nullable=False),
    Column("kind", Words(24), nullable=False),
    Column("at", Id, nullable=False),
    Column("actor_id", Id),
    Column("seat", Count),
    Column("data", JSON, nullable=False),
    Index("ix_notes_game_id", "game_id"),
)
"""What happened besides the actions, for the history: opened, started, resigned ... `number`: actions played then."""

deadlines = Table(
    "deadlines",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Count, primary_key=True, autoincrement=False),
    Column("stage", Words(12), nullable=False),
    Column("decision", Words(24), nullable=False),
    Column("user_id", Id),
    Column("since", Id),
    Column("spent", Count, nullable=False),
    Column("allowed", Count, nullable=False),
    Column("due_at", Id),
    Column("ends_at", Id),
    Column("nudged", Boolean, nullable=False, server_default=false()),
    Index("ix_deadlines_due_at", "due_at"),
)
"""The clock of each seat whose person is waited for, and (seat -1, stage `lobby`) when a lobby expires.

At `due_at` the `stage` is reached; NULL: the clock is held, or there is none. For the rest see `bot.table.SeatClock`.
"""

proposals = Table(
    "proposals",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", Words(16), primary_key=True),
    Column("seat", Count, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("number", Count, nullable=False),
    Column("at", Id, nullable=False),
    Column("asked", JSON, nullable=False),
    Column("agreed", JSON, nullable=False),
)
"""What is waiting for others to agree: a `takeback` of the actions from `number` on, or a `concede`."""

messages = Table(
    "messages",
    metadata,
    Column("nonce", Words(24), primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("about", Words(12), nullable=False),
    Column("place_id", Id, nullable=False),
    Column("message_id", Id),
    Column("at", Id, nullable=False),
    Column("text", Prose, nullable=False),
    Column("marks", JSON, nullable=False),
    Column("version", Count, nullable=False),
    Column("told", Words(24), nullable=False),
    Index("ix_messages_game_id", "game_id"),
)
"""What games say on Discord: a row is written before its message is sent, and goes with it; see `bot.table.Message`.

`message_id` NULL: the message may be there or not.
"""

players = Table(
    "players",
    metadata,
    Column("user_id", Id, primary_key=True, autoincrement=False),
    Column("locale", Words(16)),
    Column("theme", Words(32)),
    Column("notify", Words(12), nullable=False, server_default="channel"),
    Column("time_zone", Words(64)),
    Column("quiet_from", Count),
    Column("quiet_until", Count),
    Column("quiet_choice", JSON(none_as_null=True)),
    Column("dm_closed_at", Id),
    Column("dm_told", Boolean, nullable=False, server_default=false()),
    Column("away_until", Id),
    Column("away_how", Words(12)),
    Index("ix_players_away_until", "away_until"),
)
"""What a person prefers, in all their games. NULL: no choice made. `quiet_from`, `quiet_until`: minutes of the day.

`quiet_choice`: when quiet hours were last chosen, and those hours with their time zone; kept after they end, so that
they change once a day.
"""

guilds = Table(
    "guilds",
    metadata,
    Column("guild_id", Id, primary_key=True, autoincrement=False),
    Column("locale", Words(16)),
    Column("theme", Words(32)),
    Column("channels", JSON, nullable=False, server_default="[]"),
    Column("system", Words(32)),
    Column("pace", Words(12)),
    Column("openers", Words(12), nullable=False, server_default="everyone"),
    Column("roles", JSON, nullable=False, server_default="[]"),
    Column("per_channel", Count, server_default="20"),
    Column("per_member", Count, server_default="10"),
    Column("thread", Boolean, nullable=False, server_default=false()),
    Column("old_pictures", Boolean, nullable=False, server_default=false()),
)
"""What a guild has set for its games. NULL: no choice made, or no limit."""

bans = Table(
    "bans",
    metadata,
    Column("guild_id", Id, primary_key=True, autoincrement=False),
    Column("user_id", Id, primary_key=True, autoincrement=False),
    Column("by", Id, nullable=False),
    Column("at", Id, nullable=False),
    Column("reason", Prose, nullable=False),
)
"""The members who may not take part in games of a guild."""

guild_log = Table(
    "guild_log",
    metadata,
    Column("id", Serial, primary_key=True),
    Column("guild_id", Id, nullable=False),
    Column("at", Id, nullable=False),
    Column("kind", Words(24), nullable=False),
    Column("actor_id", Id),
    Column("target_id", Id),
    Column("game_id", Id),
    Column("data", JSON, nullable=False),
    Index("ix_guild_log_guild_id", "guild_id"),
)
"""What moderators did, guild by guild; kept even when the game is gone."""

memory = Table(
    "memory",
    metadata,
    Column("key", Words(64), primary_key=True),
    Column("value", Prose, nullable=False),
)
"""Single facts that the program needs after a restart, such as which commands Discord has been told about."""

leases = Table(
    "leases",
    metadata,
    Column("shard", Count, primary_key=True, autoincrement=False),
    Column("count", Count, nullable=False),
    Column("token", Words(32), nullable=False),
    Column("owner", Words(200), nullable=False),
    Column("session", Id, nullable=False),
    Column("until", Id, nullable=False),
)
"""Which process serves which shard of how many, on a shared database; shard -1: one process serves all.

A lease ends at `until` unless its owner renews it, or with the owner's `session` on the database server. `token` is
known only to the owner, `owner` names it for people.
"""
