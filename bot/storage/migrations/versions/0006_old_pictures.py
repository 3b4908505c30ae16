"""A guild chooses whether old boards keep a small picture."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("guilds", sa.Column("old_pictures", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_column("guilds", "old_pictures")
