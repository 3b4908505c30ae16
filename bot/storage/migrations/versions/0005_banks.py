"""Seats have a bank of time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("games", sa.Column("banked", sa.JSON(), server_default="{}", nullable=False))
    op.add_column("deadlines", sa.Column("bank", sa.Integer(), server_default="0", nullable=False))
