"""The host chooses whether a game is rated and who may join; people block others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("games", sa.Column("rated", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("games", sa.Column("admits", sa.BigInteger(), nullable=True))
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked_id", name=op.f("pk_blocks")),
        sa.Index("ix_blocks_blocked_id", "blocked_id"),
    )
