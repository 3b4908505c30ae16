"""A board whose post may have taken effect without being noted is remembered with its game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("games", sa.Column("posting", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_column("games", "posting")
