"""A role is pinged when a table opens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("guilds", sa.Column("tell_role", sa.BigInteger(), nullable=True))
    op.add_column("guilds", sa.Column("told_role_at", sa.BigInteger(), nullable=True))
