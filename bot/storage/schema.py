"""The tables of the database, readable in a minute.

A game is its row in `games` (rule system, options, seed), who sits where (`seats`) and its numbered `actions`: these
are the truth. Position, hands and whose turn it is follow from them and are not stored. `notes` record what else
happened at a table. Times are Unix seconds; Discord's ids are integers of up to 64 bits. The migrations in
`migrations/versions/` build exactly this (a test compares them); README.md says how to make the next one.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
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
    true,
)

from bot import cup
from bot.guild_settings import OldBoards, Openers
from bot.message import About
from bot.occupants import StandInReason
from bot.preferences import AwayHow, Notify, OnlyMove
from bot.proposal import ProposalKind
from bot.storage import columns
from bot.table import OPEN, Lost, NoteKind, Stage, Status

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

IS_OPEN = text(f"status IN ({', '.join(map(repr, map(str, OPEN)))})")
IS_NEWEST = text("newest")

games = Table(
    "games",
    metadata,
    Column("id", columns.SERIAL, primary_key=True),
    Column("code", String(16), nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("host_id", BigInteger, nullable=False),
    Column("status", columns.Kept(String(12), Status), nullable=False),
    Column("version", Integer, nullable=False),
    # The terms: what is agreed on before the start. `hints`: whether players may ask for them; `talk`: whether they may
    # say something from a list; `by_hand`: whether the host starts the game; `rated`: whether ratings may change;
    # `admits`: which role may join the lobby (0: only those who are invited).
    Column("system", String(32), nullable=False),
    Column("players", Integer, nullable=False),
    Column("options", columns.OPTIONS, nullable=False),
    Column("pace", String(12), nullable=False),
    Column("locale", String(16), nullable=False),
    Column("theme", String(32), nullable=False),
    Column("hints", Boolean, nullable=False, server_default=false()),
    Column("talk", Boolean, nullable=False, server_default=true()),
    Column("by_hand", Boolean, nullable=False, server_default=false()),
    Column("rated", Boolean, nullable=False, server_default=true()),
    Column("admits", BigInteger),
    # The position of another game from which it begins, as `engine.rules.origins` writes it.
    Column("origin", Text),
    # From the start on: the version of the rule system with which the game began, and which it keeps, and the seed
    # from which everything random follows.
    Column("rules", Integer, nullable=False, server_default="1"),
    Column("seed", LargeBinary(32)),
    # From the opening on: what the seed follows from, together with the seats' contributions, and what is published of
    # it at once. Nothing but the start and the record of a game that is over reads the secret.
    Column("secret", LargeBinary(32), nullable=False),
    Column("commitment", LargeBinary(32), nullable=False),
    Column("won", columns.SEVERAL, nullable=False, server_default="[]"),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    # The channel of the thread it is played in; when this is closed after the end; why the place cannot be used; the
    # game it follows.
    Column("parent_id", BigInteger),
    Column("closes_at", BigInteger),
    Column("lost", columns.Kept(String(16), Lost)),
    Column("rematch_of", BigInteger),
    # Since when a lobby has been full, when it starts by itself, until when nothing starts it, and when it ends; when
    # its host was last seen to do something there.
    Column("full_since", BigInteger),
    Column("starts_at", BigInteger),
    Column("not_before", BigInteger),
    Column("expires_at", BigInteger),
    Column("host_seen", BigInteger),
    # Takebacks so far; by seat, the takeback since which it is asked again, and seconds used
    # of its bank; who paused the game, and until when.
    Column("takebacks", Integer, nullable=False, server_default="0"),
    Column("asked_since", columns.BY_SEAT, nullable=False, server_default="{}"),
    Column("banked", columns.BY_SEAT, nullable=False, server_default="{}"),
    Column("paused_by", BigInteger),
    Column("paused_until", BigInteger),
    # The operator's announcement; clocks stand until that is over.
    Column("announced", String(300)),
    # By seat, who is invited to the lobby: user id and name.
    Column("invited", columns.INVITED, nullable=False, server_default="{}"),
    # The cup to a round of which it belongs, its number among the cup's games, and the rounds of cards that it has.
    Column("cup_id", BigInteger),
    Column("cup_game", Integer),
    Column("cap", Integer),
    CheckConstraint("status IN ('lobby', 'playing', 'paused', 'over', 'cancelled')", name="status"),
    CheckConstraint("status IN ('lobby', 'cancelled') OR seed IS NOT NULL", name="seed"),
    Index("uq_games_open_code", "guild_id", "code", unique=True, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
    Index("uq_games_open_rematch", "rematch_of", unique=True, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
    Index("uq_games_cup_game", "cup_id", "cup_game", unique=True),
    Index("ix_games_channel_id_status", "channel_id", "status"),
    Index("ix_games_status", "status"),
    Index("ix_games_rematch_of", "rematch_of"),
)
"""One row per game, from the lobby on. `version` grows by one with every change, so that no two writers overlap."""

seats = Table(
    "seats",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger),
    Column("computer", String(16)),
    Column("name", String(100), nullable=False),
    Column("why", columns.Kept(String(16), StandInReason)),
    Column("offered", Boolean, nullable=False, server_default=false()),
    Column("missed", Integer, nullable=False, server_default="0"),
    Column("contribution", String(60)),
    Column("friend", BigInteger),
    UniqueConstraint("game_id", "user_id"),
    CheckConstraint("user_id IS NOT NULL OR computer IS NOT NULL", name="somebody"),
    Index("ix_seats_user_id", "user_id"),
    Index("ix_seats_friend", "friend"),
)
"""The occupants of seats; free seats have no row. With `user_id` and `computer`, a computer plays for that person.

`why` a computer took over; `offered`: others may take the seat; `missed`: turns in a row played because time was up.
`contribution`: what the seat adds to the game's shuffles; it stays when the seat changes hands. `friend`: who is asked
to play for the person or, with the reason `friend`, does.
"""

plans = Table(
    "plans",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False),
    Column("steps", columns.STEPS, nullable=False),
    Column("played", Integer),
    Index("ix_plans_user_id", "user_id"),
)
"""The plans of players for a seat's next decisions: secret from all others. `played`: the last action planned."""

actions = Table(
    "actions",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("text", String(200), nullable=False),
    Column("actor", columns.ACTOR, nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""The log of each game, numbered from 1. `actor`: a user id as text (below zero: forgotten), or `computer`,
`rule` (forced), `clock`.
"""

notes = Table(
    "notes",
    metadata,
    Column("id", columns.SERIAL, primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", columns.Kept(String(24), NoteKind), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("actor_id", BigInteger),
    Column("seat", Integer),
    Column("data", JSON, nullable=False),
    Index("ix_notes_game_id", "game_id"),
)
"""Events besides the actions, for the history: opened, started, left ... `number`: actions played then."""

deadlines = Table(
    "deadlines",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("stage", columns.Kept(String(12), Stage), nullable=False),
    Column("decision", columns.MOMENT, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("since", BigInteger),
    Column("spent", Integer, nullable=False),
    Column("allowed", Integer, nullable=False),
    Column("due_at", BigInteger),
    Column("ends_at", BigInteger),
    Column("nudged", Boolean, nullable=False, server_default=false()),
    Column("waited", Integer, nullable=False, server_default="0"),
    Column("bank", Integer, nullable=False, server_default="0"),
    Index("ix_deadlines_due_at", "due_at"),
)
"""The clock of each seat whose person is waited for; below zero, what is due at the table (see `bot.clocks`).

At `due_at` the `stage` is reached; NULL: the clock is held, or there is none. For the rest see `bot.table.SeatClock`.
"""

proposals = Table(
    "proposals",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", columns.Kept(String(16), ProposalKind), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("must_agree", columns.SEVERAL, nullable=False),
    Column("agreed", columns.SEVERAL, nullable=False),
    Column("refused", columns.SEVERAL, nullable=False, server_default="[]"),
    Column("about", Integer),
)
"""The proposals that wait for players' answers; see `bot.proposal.Proposal`."""

messages = Table(
    "messages",
    metadata,
    Column("nonce", String(24), primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("about", columns.Kept(String(12), About), nullable=False),
    Column("to_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("marks", columns.BY_SEAT, nullable=False),
    Column("version", Integer, nullable=False),
    Column("moment", columns.MOMENT, nullable=False),
    Index("ix_messages_game_id", "game_id"),
)
"""Messages of games: a row is written before its message is sent, and goes with it; see `bot.message.Message`.

`message_id` NULL: the message may be there or not.
"""

users = Table(
    "users",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("language", String(16)),
    Column("locale", String(16)),
    Column("theme", String(32)),
    Column("as_public", Boolean, nullable=False, server_default=false()),
    Column("notify", columns.Kept(String(12), Notify), nullable=False, server_default="channel"),
    Column("time_zone", String(64)),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("quiet_choice", columns.Kept(JSON(none_as_null=True), tuple, list)),
    Column("dm_id", BigInteger),
    Column("dm_closed_at", BigInteger),
    Column("dm_told", Boolean, nullable=False, server_default=false()),
    Column("away_until", BigInteger),
    Column("away_how", columns.Kept(String(12), AwayHow)),
    Column("away_times", columns.PAIRS, nullable=False, server_default="[]"),
    Column("only_move", columns.Kept(String(12), OnlyMove)),
    Column("tips", Boolean, nullable=False, server_default=true()),
    Column("learned", JSON, nullable=False, server_default="{}"),
    Column("unlisted", Boolean, nullable=False, server_default=false()),
    Column("uninvited", Boolean, nullable=False, server_default=false()),
    Index("ix_users_away_until", "away_until"),
)
"""A person's preferences, in all their games. NULL: no choice made. `quiet_from`, `quiet_until`: minutes of the day.

`only_move`: where their only legal move is played for them. `tips`: whether they want tips. `learned`: how often each
tip was shown, and how far they are in each lesson. `dm_id`: the channel of their direct messages with the bot.

`quiet_choice`: when quiet hours were last chosen, and those hours with their time zone; kept after they end, so that
they change once a day. `unlisted`: left out of statistics, everywhere; `uninvited`: not invited to tables.
"""

guilds = Table(
    "guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("locale", String(16)),
    Column("theme", String(32)),
    Column("channels", columns.SEVERAL, nullable=False, server_default="[]"),
    Column("system", String(32)),
    Column("pace", String(12)),
    Column("openers", columns.Kept(String(12), Openers), nullable=False, server_default="everyone"),
    Column("roles", columns.SEVERAL, nullable=False, server_default="[]"),
    Column("per_channel", Integer, server_default="20"),
    Column("per_member", Integer, server_default="10"),
    Column("thread", Boolean, nullable=False, server_default=false()),
    Column("old_boards", columns.Kept(String(12), OldBoards), nullable=False, server_default="text"),
    Column("close_after", Integer),
    Column("monthly", Boolean, nullable=False, server_default=false()),
    Column("puzzle_in", BigInteger),
    Column("tell_role", BigInteger),
    Column("told_role_at", BigInteger),
    Column("log_in", BigInteger),
    Column("logged_id", BigInteger),
    Column("house", Integer),
    Column("left_at", BigInteger),
    Column("cup_role", BigInteger),
    Column("play_role", BigInteger),
    Column("off", columns.FEATURES, nullable=False, server_default="[]"),
)
"""A guild's settings for its games. NULL: no choice made, or no limit. `house`: the number in `houses` of its usual
house rules. `left_at`: since when the bot is not there.
"""

houses = Table(
    "houses",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String(40), nullable=False),
    Column("options", columns.OPTIONS, nullable=False),
)
"""Sets of house rules that a guild has given a name."""

seeks = Table(
    "seeks",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("system", String(32)),
    Column("players", Integer),
    Column("pace", String(12)),
    Column("at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
)
"""Searches for a table in a guild: the kind of table (NULL: any), and until when."""

blocks = Table(
    "blocks",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_blocks_blocked_id", "blocked_id"),
)
"""The people with whom a person does not want to be brought together; those are not told."""

bans = Table(
    "bans",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("by", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)
"""The members who may not take part in games of a guild."""

members = Table(
    "members",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("checked_at", BigInteger),
    Column("gone", Boolean, nullable=False, server_default=false()),
    Column("unlisted", Boolean, nullable=False, server_default=false()),
    Index("ix_members_user_id", "user_id"),
)
"""The people who have had a seat, or tried a puzzle, in a guild.

`name`: what they are called there now, which is shown wherever a name was kept; empty if it was not seen for long.
`checked_at`: when Discord was last asked whether they are members, for the leaderboard; `gone`: they are not.
`unlisted`: a moderator took them off the leaderboard.
"""

puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("name", String(100), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("solved", Boolean, nullable=False),
    Index("ix_puzzle_tries_guild_id_day", "guild_id", "day"),
    Index("ix_puzzle_tries_user_id", "user_id"),
)
"""Tries at the puzzle of a day: how many, and solved or not. `day` counts from 1 January 1970."""

puzzle_posts = Table(
    "puzzle_posts",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("nonce", String(24), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("message_id", BigInteger),
)
"""The newest puzzle that each guild has in its channel; `message_id` NULL: it may be there or not."""

guild_log = Table(
    "guild_log",
    metadata,
    Column("id", columns.SERIAL, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(24), nullable=False),
    Column("actor_id", BigInteger),
    Column("target_id", BigInteger),
    Column("game_id", BigInteger),
    Column("data", JSON, nullable=False),
    Index("ix_guild_log_guild_id", "guild_id"),
)
"""The log of moderation in each guild, and what its log channel is told of games; kept even when the game is gone."""

results = Table(
    "results",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("user_id", BigInteger),
    Column("system", String(32), nullable=False),
    Column("players", Integer, nullable=False),
    Column("ended_at", BigInteger, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("people", Boolean, nullable=False),
    Column("team", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("left_early", Boolean, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("captures", Integer, nullable=False),
    Column("suffered", Integer, nullable=False),
    Column("home", Integer, nullable=False),
    Column("seven", Integer, nullable=False),
    Column("pause", Integer, key="time_to_move"),
    Column("feats", columns.FEATS, nullable=False),
    Index("ix_results_user_id_guild_id", "user_id", "guild_id"),
)
"""The results of each seat in a game that was played to its end; see `bot.results.Result`.

It follows from the log: `dog-bot rebuild-stats` makes all rows again. `user_id` NULL: it counts for no user.
"""

ratings = Table(
    "ratings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("system", String(32), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("gain", Float, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("newest", Boolean, nullable=False),
    Index("ix_ratings_newest", "guild_id", "system", "user_id", sqlite_where=IS_NEWEST, postgresql_where=IS_NEWEST),
    Index("ix_ratings_guild_id_system_at", "guild_id", "system", "at"),
    Index("ix_ratings_game_id", "game_id"),
    Index("ix_ratings_user_id", "user_id"),
)
"""The ratings of players after a rated game; see `bot.results.Rating`.

A rating is for a guild (0: everywhere) and a rule system (empty: all of them together); the `newest` row is the present
rating.
"""

seasons = Table(
    "seasons",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("began_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("reason", Text, nullable=False),
    Column("end_reason", Text, nullable=False, server_default=""),
)
"""The seasons of each guild's leaderboard, numbered from 1; `ended_at` NULL: it goes on.

`reason`: why it began, `end_reason`: why it ended without another; empty if a month did that.
"""

cups = Table(
    "cups",
    metadata,
    Column("id", columns.SERIAL, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("host_id", BigInteger, nullable=False),
    Column("name", String(40), nullable=False),
    Column("stage", columns.Kept(String(12), cup.CupStage), nullable=False),
    Column("plan", columns.PLAN, nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("starts_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("rounds", columns.ROUNDS, nullable=False),
    Column("posts", columns.POSTS, nullable=False),
    Column("reason", Text, nullable=False),
    Column("was_public", Boolean, nullable=False, server_default=false()),
    Index("ix_cups_guild_id_stage", "guild_id", "stage"),
    Index("ix_cups_stage", "stage"),
)
"""Cups, with their rounds; players are called by their numbers there. `version` grows by one with every change.

`seed`: drawn with the first round, and empty before; see `bot.cup.Cup`.
"""

cup_entries = Table(
    "cup_entries",
    metadata,
    Column("cup_id", ForeignKey("cups.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False),
    Column("name", String(100), nullable=False),
    Column("partner", Integer),
    Column("asked", BigInteger),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger),
    Column("missed", Integer, nullable=False),
    # Where they stood when it was over.
    Column("place", Integer),
    UniqueConstraint("cup_id", "user_id"),
    Index("ix_cup_entries_user_id", "user_id"),
)
"""The players of each cup by their numbers; see `bot.cup.CupEntry`."""

facts = Table(
    "facts",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Single facts that the program needs after a restart, such as the commands Discord has been told about."""
