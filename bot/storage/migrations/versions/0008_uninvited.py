"""People can choose not to be invited to tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("users", sa.Column("uninvited", sa.Boolean(), server_default=sa.false(), nullable=False))
