"""The first tables: games, seats, actions, notes, what people and guilds prefer, and a memory."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
IS_OPEN = sa.text("status IN ('lobby', 'playing', 'paused')")


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "games",
        sa.Column("id", SERIAL, nullable=False),
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
        sa.Column("seed", sa.LargeBinary(32)),
        sa.Column("outcome", sa.JSON()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("board_channel_id", sa.BigInteger()),
        sa.Column("board_message_id", sa.BigInteger()),
        sa.Column("shown_version", sa.Integer()),
        sa.Column("shown_number", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.CheckConstraint(
            "status IN ('lobby', 'playing', 'paused', 'over', 'cancelled')", name=op.f("ck_games_status")
        ),
        sa.CheckConstraint("status IN ('lobby', 'cancelled') OR seed IS NOT NULL", name=op.f("ck_games_seed")),
    )
    op.create_index(
        "uq_games_open_code",
        "games",
        ["guild_id", "code"],
        unique=True,
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    )
    op.create_index("ix_games_channel_id_status", "games", ["channel_id", "status"])
    op.create_index("ix_games_status", "games", ["status"])
    op.create_table(
        "seats",
        sa.Column("game_id", SERIAL, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("computer", sa.String(16)),
        sa.Column("name", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seats")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id"), ondelete="CASCADE"),
        sa.UniqueConstraint("game_id", "user_id", name=op.f("uq_seats_game_id_user_id")),
        sa.CheckConstraint("user_id IS NOT NULL OR computer IS NOT NULL", name=op.f("ck_seats_somebody")),
    )
    op.create_index("ix_seats_user_id", "seats", ["user_id"])
    op.create_table(
        "actions",
        sa.Column("game_id", SERIAL, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("actor", sa.String(24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_actions")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_actions_game_id"), ondelete="CASCADE"),
    )
    op.create_table(
        "notes",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("game_id", SERIAL, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", sa.BigInteger()),
        sa.Column("seat", sa.Integer()),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notes_game_id"), ondelete="CASCADE"),
    )
    op.create_index("ix_notes_game_id", "notes", ["game_id"])
    op.create_table(
        "players",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("locale", sa.String(16)),
        sa.Column("theme", sa.String(32)),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_players")),
    )
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("locale", sa.String(16)),
        sa.Column("theme", sa.String(32)),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
    )
    op.create_table(
        "memory",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_memory")),
    )


def downgrade() -> None:
    """Go back to the revision before."""
    for name in ("memory", "guilds", "players", "notes", "actions", "seats", "games"):
        op.drop_table(name)
