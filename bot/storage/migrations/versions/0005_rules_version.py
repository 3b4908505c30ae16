"""Games go on by the version of their rules that they began with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision; up to now there was one version of every rule system."""
    op.add_column("games", sa.Column("rules", sa.Integer(), nullable=False, server_default="1"))


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_column("games", "rules")
