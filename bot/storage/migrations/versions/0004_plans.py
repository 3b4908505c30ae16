"""Players plan ahead, and choose where their only move is played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("users", sa.Column("only_move", sa.String(12), nullable=True))
    op.create_table(
        "plans",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("steps", sa.JSON(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_plans_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_plans")),
        sa.Index("ix_plans_user_id", "user_id"),
    )
