"""Friends play for those who are away."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("seats", sa.Column("friend", sa.BigInteger(), nullable=True))
    op.create_index("ix_seats_friend", "seats", ["friend"])
