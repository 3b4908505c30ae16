"""Games of cups have a cap; a cup's players keep their places."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("games", sa.Column("cap", sa.Integer(), nullable=True))
    op.add_column("cup_entries", sa.Column("place", sa.Integer(), nullable=True))
