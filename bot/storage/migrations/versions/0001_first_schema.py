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
        "games",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(32), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("pace", sa.String(12), nullable=False),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("theme", sa.String(32), nullable=False),
        sa.Column("hints", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("talk", sa.Boolean(), server_default=sa.true(), nullable=False),
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
        sa.Column("lost", sa.String(16), nullable=True),
        sa.Column("rematch_of", sa.BigInteger(), nullable=True),
        sa.Column("takebacks", sa.Integer(), server_default="0", nullable=False),
        sa.Column("asked_since", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("paused_by", sa.BigInteger(), nullable=True),
        sa.Column("announced", sa.String(300), nullable=True),
        sa.Column("invited", sa.JSON(), server_default="{}", nullable=False),
        sa.CheckConstraint("status IN ('lobby', 'cancelled') OR seed IS NOT NULL", name=op.f("ck_games_seed")),
        sa.CheckConstraint(
            "status IN ('lobby', 'playing', 'paused', 'over', 'cancelled')", name=op.f("ck_games_status")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index("ix_games_channel_id_status", ["channel_id", "status"], unique=False)
        batch_op.create_index("ix_games_rematch_of", ["rematch_of"], unique=False)
        batch_op.create_index("ix_games_status", ["status"], unique=False)
        batch_op.create_index(
            "uq_games_open_code",
            ["guild_id", "code"],
            unique=True,
            sqlite_where=sa.text("status IN ('lobby', 'playing', 'paused')"),
            postgresql_where=sa.text("status IN ('lobby', 'playing', 'paused')"),
        )
        batch_op.create_index(
            "uq_games_open_rematch",
            ["rematch_of"],
            unique=True,
            sqlite_where=sa.text("status IN ('lobby', 'playing', 'paused')"),
            postgresql_where=sa.text("status IN ('lobby', 'playing', 'paused')"),
        )

    op.create_table(
        "guild_log",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("target_id", sa.BigInteger(), nullable=True),
        sa.Column("game_id", sa.BigInteger(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guild_log")),
    )
    with op.batch_alter_table("guild_log", schema=None) as batch_op:
        batch_op.create_index("ix_guild_log_guild_id", ["guild_id"], unique=False)

    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("locale", sa.String(16), nullable=True),
        sa.Column("theme", sa.String(32), nullable=True),
        sa.Column("channels", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("system", sa.String(32), nullable=True),
        sa.Column("pace", sa.String(12), nullable=True),
        sa.Column("openers", sa.String(12), server_default="everyone", nullable=False),
        sa.Column("roles", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("per_channel", sa.Integer(), server_default="20", nullable=True),
        sa.Column("per_member", sa.Integer(), server_default="10", nullable=True),
        sa.Column("thread", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("old_pictures", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("puzzle_in", sa.BigInteger(), nullable=True),
        sa.Column("house", sa.Integer(), nullable=True),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
    )
    op.create_table(
        "houses",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "number", name=op.f("pk_houses")),
    )
    op.create_table(
        "seeks",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("system", sa.String(32), nullable=True),
        sa.Column("players", sa.Integer(), nullable=True),
        sa.Column("pace", sa.String(12), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_seeks")),
    )
    op.create_table(
        "leases",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("session", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("shard", name=op.f("pk_leases")),
    )
    op.create_table(
        "puzzle_posts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("nonce", sa.String(24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_puzzle_posts")),
    )
    op.create_table(
        "puzzle_tries",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("day", "user_id", name=op.f("pk_puzzle_tries")),
    )
    with op.batch_alter_table("puzzle_tries", schema=None) as batch_op:
        batch_op.create_index("ix_puzzle_tries_guild_id_day", ["guild_id", "day"], unique=False)
        batch_op.create_index("ix_puzzle_tries_user_id", ["user_id"], unique=False)

    op.create_table(
        "memory",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_memory")),
    )
    op.create_table(
        "players",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("language", sa.String(16), nullable=True),
        sa.Column("locale", sa.String(16), nullable=True),
        sa.Column("theme", sa.String(32), nullable=True),
        sa.Column("as_public", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("notify", sa.String(12), server_default="channel", nullable=False),
        sa.Column("time_zone", sa.String(64), nullable=True),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_until", sa.Integer(), nullable=True),
        sa.Column("quiet_choice", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("dm_closed_at", sa.BigInteger(), nullable=True),
        sa.Column("dm_told", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("away_until", sa.BigInteger(), nullable=True),
        sa.Column("away_how", sa.String(12), nullable=True),
        sa.Column("tips", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("learned", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("unlisted", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_players")),
    )
    with op.batch_alter_table("players", schema=None) as batch_op:
        batch_op.create_index("ix_players_away_until", ["away_until"], unique=False)

    op.create_table(
        "actions",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("actor", sa.String(24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_actions_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_actions")),
    )
    op.create_table(
        "deadlines",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stage", sa.String(12), nullable=False),
        sa.Column("decision", sa.String(24), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("allowed", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.Column("nudged", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_deadlines_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_deadlines")),
    )
    with op.batch_alter_table("deadlines", schema=None) as batch_op:
        batch_op.create_index("ix_deadlines_due_at", ["due_at"], unique=False)

    op.create_table(
        "messages",
        sa.Column("nonce", sa.String(24), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("about", sa.String(12), nullable=False),
        sa.Column("to_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("marks", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("moment", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_messages_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("nonce", name=op.f("pk_messages")),
    )
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.create_index("ix_messages_game_id", ["game_id"], unique=False)

    op.create_table(
        "notes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notes_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
    )
    with op.batch_alter_table("notes", schema=None) as batch_op:
        batch_op.create_index("ix_notes_game_id", ["game_id"], unique=False)

    op.create_table(
        "proposals",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_proposals_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "kind", name=op.f("pk_proposals")),
    )
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("system", sa.String(32), nullable=False),
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
    with op.batch_alter_table("ratings", schema=None) as batch_op:
        batch_op.create_index("ix_ratings_game_id", ["game_id"], unique=False)
        batch_op.create_index("ix_ratings_guild_id_system_at", ["guild_id", "system", "at"], unique=False)
        batch_op.create_index("ix_ratings_user_id", ["user_id"], unique=False)
        batch_op.create_index(
            "ix_ratings_newest",
            ["guild_id", "system", "user_id"],
            unique=False,
            sqlite_where=sa.text("newest"),
            postgresql_where=sa.text("newest"),
        )

    op.create_table(
        "results",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("system", sa.String(32), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("people", sa.Boolean(), nullable=False),
        sa.Column("team", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("quit", sa.Boolean(), nullable=False),
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
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.create_index("ix_results_user_id_guild_id", ["user_id", "guild_id"], unique=False)

    op.create_table(
        "seats",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("computer", sa.String(16), nullable=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("why", sa.String(16), nullable=True),
        sa.Column("offered", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("missed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("contribution", sa.String(length=60), nullable=True),
        sa.CheckConstraint("user_id IS NOT NULL OR computer IS NOT NULL", name=op.f("ck_seats_somebody")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "user_id", name=op.f("uq_seats_game_id_user_id")),
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index("ix_seats_user_id", ["user_id"], unique=False)
