"""A channel gets a line about what happens on a server."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("guilds", sa.Column("log_in", sa.BigInteger(), nullable=True))
    op.add_column("guilds", sa.Column("logged_id", sa.BigInteger(), nullable=True))
