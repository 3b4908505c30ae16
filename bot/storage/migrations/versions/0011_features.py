"""A role for playing; features that are switched off, cups among them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("guilds", sa.Column("play_role", sa.BigInteger(), nullable=True))
    op.add_column("guilds", sa.Column("off", sa.JSON(), server_default="[]", nullable=False))
    op.execute("UPDATE guilds SET off = '[\"cups\"]' WHERE NOT cups")
    with op.batch_alter_table("guilds", schema=None) as batch_op:
        batch_op.drop_column("cups")
