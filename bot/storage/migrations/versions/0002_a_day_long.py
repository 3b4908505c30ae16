"""Games that last days: deadlines, proposals, places, people's and guilds' preferences, bans, moderators' log."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def added() -> dict[str, tuple[sa.Column[Any], ...]]:
    """The new columns of tables that were there before."""
    return {
        "games": (
            sa.Column("parent_id", sa.BigInteger()),
            sa.Column("lost", sa.String(16)),
            sa.Column("rematch_of", sa.BigInteger()),
            sa.Column("takebacks", sa.Integer(), nullable=False, server_default="0"),
        ),
        "seats": (
            sa.Column("why", sa.String(16)),
            sa.Column("offered", sa.Boolean(), nullable=False, server_default=sa.false()),
            sa.Column("missed", sa.Integer(), nullable=False, server_default="0"),
        ),
        "players": (
            sa.Column("notify", sa.String(12), nullable=False, server_default="channel"),
            sa.Column("time_zone", sa.String(64)),
            sa.Column("quiet_from", sa.Integer()),
            sa.Column("quiet_until", sa.Integer()),
            sa.Column("dm_closed_at", sa.BigInteger()),
            sa.Column("dm_told", sa.Boolean(), nullable=False, server_default=sa.false()),
            sa.Column("away_until", sa.BigInteger()),
            sa.Column("away_how", sa.String(12)),
        ),
        "guilds": (
            sa.Column("channels", sa.JSON(), nullable=False, server_default="[]"),
            sa.Column("system", sa.String(32)),
            sa.Column("pace", sa.String(12)),
            sa.Column("openers", sa.String(12), nullable=False, server_default="everyone"),
            sa.Column("roles", sa.JSON(), nullable=False, server_default="[]"),
            sa.Column("per_channel", sa.Integer(), server_default="20"),
            sa.Column("per_member", sa.Integer(), server_default="10"),
            sa.Column("thread", sa.Boolean(), nullable=False, server_default=sa.false()),
        ),
    }


def upgrade() -> None:
    """Go to this revision."""
    for table, columns in added().items():
        for column in columns:
            op.add_column(table, column)
    op.create_index("ix_games_rematch_of", "games", ["rematch_of"])
    op.create_index("ix_players_away_until", "players", ["away_until"])
    op.create_table(
        "deadlines",
        sa.Column("game_id", SERIAL, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stage", sa.String(12), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("since", sa.BigInteger()),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("allowed", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.BigInteger()),
        sa.Column("ends_at", sa.BigInteger()),
        sa.Column("nudged", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_deadlines")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_deadlines_game_id"), ondelete="CASCADE"),
    )
    op.create_index("ix_deadlines_due_at", "deadlines", ["due_at"])
    op.create_table(
        "proposals",
        sa.Column("game_id", SERIAL, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "kind", name=op.f("pk_proposals")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_proposals_game_id"), ondelete="CASCADE"),
    )
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
        "guild_log",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("actor_id", sa.BigInteger()),
        sa.Column("target_id", sa.BigInteger()),
        sa.Column("game_id", sa.BigInteger()),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guild_log")),
    )
    op.create_index("ix_guild_log_guild_id", "guild_log", ["guild_id"])


def downgrade() -> None:
    """Go back to the revision before."""
    for name in ("guild_log", "bans", "proposals", "deadlines"):
        op.drop_table(name)
    op.drop_index("ix_players_away_until", "players")
    op.drop_index("ix_games_rematch_of", "games")
    for table, columns in added().items():
        for column in columns:
            op.drop_column(table, column.name)
