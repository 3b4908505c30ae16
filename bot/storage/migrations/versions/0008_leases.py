"""Several processes on one database: who serves which shards, and until when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
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


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_table("leases")
