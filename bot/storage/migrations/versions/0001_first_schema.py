"""First schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    is_open, newest = sa.text("status IN ('lobby', 'playing', 'paused')"), sa.text("newest")
    op.create_table(
        "bans",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("by", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_bans")),
    )
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked_id", name=op.f("pk_blocks")),
    )
    op.create_index("ix_blocks_blocked_id", "blocks", ["blocked_id"])
    op.create_table(
        "cups",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("rounds", sa.JSON(), nullable=False),
        sa.Column("posts", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("was_public", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cups")),
    )
    op.create_index("ix_cups_guild_id_stage", "cups", ["guild_id", "stage"])
    op.create_index("ix_cups_stage", "cups", ["stage"])
    op.create_table(
        "facts",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_facts")),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("code", sa.String(length=16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(length=32), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("pace", sa.String(length=12), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("theme", sa.String(length=32), nullable=False),
        sa.Column("hints", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("talk", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("by_hand", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("rated", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("admits", sa.BigInteger(), nullable=True),
        sa.Column("origin", sa.Text(), nullable=True),
        sa.Column("rules", sa.Integer(), server_default="1", nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=True),
        sa.Column("secret", sa.LargeBinary(length=32), nullable=False),
        sa.Column("commitment", sa.LargeBinary(length=32), nullable=False),
        sa.Column("won", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("parent_id", sa.BigInteger(), nullable=True),
        sa.Column("closes_at", sa.BigInteger(), nullable=True),
        sa.Column("lost", sa.String(length=16), nullable=True),
        sa.Column("rematch_of", sa.BigInteger(), nullable=True),
        sa.Column("full_since", sa.BigInteger(), nullable=True),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("not_before", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("host_seen", sa.BigInteger(), nullable=True),
        sa.Column("takebacks", sa.Integer(), server_default="0", nullable=False),
        sa.Column("asked_since", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("banked", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("paused_by", sa.BigInteger(), nullable=True),
        sa.Column("paused_until", sa.BigInteger(), nullable=True),
        sa.Column("announced", sa.String(length=300), nullable=True),
        sa.Column("invited", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("cup_id", sa.BigInteger(), nullable=True),
        sa.Column("cup_game", sa.Integer(), nullable=True),
        sa.Column("cap", sa.Integer(), nullable=True),
        sa.CheckConstraint("status IN ('lobby', 'cancelled') OR seed IS NOT NULL", name=op.f("ck_games_seed")),
        sa.CheckConstraint(
            "status IN ('lobby', 'playing', 'paused', 'over', 'cancelled')", name=op.f("ck_games_status")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_index("ix_games_channel_id_status", "games", ["channel_id", "status"])
    op.create_index("ix_games_rematch_of", "games", ["rematch_of"])
    op.create_index("ix_games_status", "games", ["status"])
    op.create_index("uq_games_cup_game", "games", ["cup_id", "cup_game"], unique=True)
    op.create_index(
        "uq_games_open_code", "games", ["guild_id", "code"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_index(
        "uq_games_open_rematch", "games", ["rematch_of"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_table(
        "guild_log",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("target_id", sa.BigInteger(), nullable=True),
        sa.Column("game_id", sa.BigInteger(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guild_log")),
    )
    op.create_index("ix_guild_log_guild_id", "guild_log", ["guild_id"])
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=True),
        sa.Column("theme", sa.String(length=32), nullable=True),
        sa.Column("channels", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("system", sa.String(length=32), nullable=True),
        sa.Column("pace", sa.String(length=12), nullable=True),
        sa.Column("openers", sa.String(length=12), server_default="everyone", nullable=False),
        sa.Column("roles", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("per_channel", sa.Integer(), server_default="20", nullable=True),
        sa.Column("per_member", sa.Integer(), server_default="10", nullable=True),
        sa.Column("thread", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("old_boards", sa.String(length=12), server_default="text", nullable=False),
        sa.Column("close_after", sa.Integer(), nullable=True),
        sa.Column("monthly", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("puzzle_in", sa.BigInteger(), nullable=True),
        sa.Column("tell_role", sa.BigInteger(), nullable=True),
        sa.Column("told_role_at", sa.BigInteger(), nullable=True),
        sa.Column("log_in", sa.BigInteger(), nullable=True),
        sa.Column("logged_id", sa.BigInteger(), nullable=True),
        sa.Column("house", sa.Integer(), nullable=True),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.Column("cup_role", sa.BigInteger(), nullable=True),
        sa.Column("play_role", sa.BigInteger(), nullable=True),
        sa.Column("off", sa.JSON(), server_default="[]", nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
    )
    op.create_table(
        "houses",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "number", name=op.f("pk_houses")),
    )
    op.create_table(
        "members",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("checked_at", sa.BigInteger(), nullable=True),
        sa.Column("gone", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("unlisted", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_members")),
    )
    op.create_index("ix_members_user_id", "members", ["user_id"])
    op.create_table(
        "puzzle_posts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("nonce", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_puzzle_posts")),
    )
    op.create_table(
        "puzzle_tries",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("day", "user_id", name=op.f("pk_puzzle_tries")),
    )
    op.create_index("ix_puzzle_tries_guild_id_day", "puzzle_tries", ["guild_id", "day"])
    op.create_index("ix_puzzle_tries_user_id", "puzzle_tries", ["user_id"])
    op.create_table(
        "seasons",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("end_reason", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "number", name=op.f("pk_seasons")),
    )
    op.create_table(
        "seeks",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("system", sa.String(length=32), nullable=True),
        sa.Column("players", sa.Integer(), nullable=True),
        sa.Column("pace", sa.String(length=12), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_seeks")),
    )
    op.create_table(
        "users",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("locale", sa.String(length=16), nullable=True),
        sa.Column("theme", sa.String(length=32), nullable=True),
        sa.Column("as_public", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("notify", sa.String(length=12), server_default="channel", nullable=False),
        sa.Column("time_zone", sa.String(length=64), nullable=True),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_until", sa.Integer(), nullable=True),
        sa.Column("quiet_choice", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("dm_id", sa.BigInteger(), nullable=True),
        sa.Column("dm_closed_at", sa.BigInteger(), nullable=True),
        sa.Column("dm_told", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("away_until", sa.BigInteger(), nullable=True),
        sa.Column("away_how", sa.String(length=12), nullable=True),
        sa.Column("away_times", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("only_move", sa.String(length=12), nullable=True),
        sa.Column("tips", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("learned", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("unlisted", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("uninvited", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_users")),
    )
    op.create_index("ix_users_away_until", "users", ["away_until"])
    op.create_table(
        "actions",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("actor", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_actions_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_actions")),
    )
    op.create_table(
        "cup_entries",
        sa.Column("cup_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("partner", sa.Integer(), nullable=True),
        sa.Column("asked", sa.BigInteger(), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["cup_id"], ["cups.id"], name=op.f("fk_cup_entries_cup_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("cup_id", "number", name=op.f("pk_cup_entries")),
        sa.UniqueConstraint("cup_id", "user_id", name=op.f("uq_cup_entries_cup_id_user_id")),
    )
    op.create_index("ix_cup_entries_user_id", "cup_entries", ["user_id"])
    op.create_table(
        "deadlines",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("decision", sa.String(length=24), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("allowed", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.Column("nudged", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("waited", sa.Integer(), server_default="0", nullable=False),
        sa.Column("bank", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_deadlines_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_deadlines")),
    )
    op.create_index("ix_deadlines_due_at", "deadlines", ["due_at"])
    op.create_table(
        "messages",
        sa.Column("nonce", sa.String(length=24), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("about", sa.String(length=12), nullable=False),
        sa.Column("to_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("marks", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("moment", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_messages_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("nonce", name=op.f("pk_messages")),
    )
    op.create_index("ix_messages_game_id", "messages", ["game_id"])
    op.create_table(
        "notes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notes_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
    )
    op.create_index("ix_notes_game_id", "notes", ["game_id"])
    op.create_table(
        "plans",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("steps", sa.JSON(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_plans_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_plans")),
    )
    op.create_index("ix_plans_user_id", "plans", ["user_id"])
    op.create_table(
        "proposals",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("must_agree", sa.JSON(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.Column("refused", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("about", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_proposals_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "kind", name=op.f("pk_proposals")),
    )
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("system", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("gain", sa.Float(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("newest", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_ratings_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("guild_id", "system", "user_id", "game_id", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_game_id", "ratings", ["game_id"])
    op.create_index("ix_ratings_guild_id_system_at", "ratings", ["guild_id", "system", "at"])
    op.create_index(
        "ix_ratings_newest", "ratings", ["guild_id", "system", "user_id"], sqlite_where=newest, postgresql_where=newest
    )
    op.create_index("ix_ratings_user_id", "ratings", ["user_id"])
    op.create_table(
        "results",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("system", sa.String(length=32), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("people", sa.Boolean(), nullable=False),
        sa.Column("team", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("left_early", sa.Boolean(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("captures", sa.Integer(), nullable=False),
        sa.Column("suffered", sa.Integer(), nullable=False),
        sa.Column("home", sa.Integer(), nullable=False),
        sa.Column("seven", sa.Integer(), nullable=False),
        sa.Column("pause", sa.Integer(), nullable=True),
        sa.Column("feats", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_results_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_results")),
    )
    op.create_index("ix_results_user_id_guild_id", "results", ["user_id", "guild_id"])
    op.create_table(
        "seats",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("computer", sa.String(length=16), nullable=True),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("why", sa.String(length=16), nullable=True),
        sa.Column("offered", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("missed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("contribution", sa.String(length=60), nullable=True),
        sa.Column("friend", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("user_id IS NOT NULL OR computer IS NOT NULL", name=op.f("ck_seats_somebody")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "user_id", name=op.f("uq_seats_game_id_user_id")),
    )
    op.create_index("ix_seats_friend", "seats", ["friend"])
    op.create_index("ix_seats_user_id", "seats", ["user_id"])
