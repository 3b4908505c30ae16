"""Whether those who play may ask for hints is agreed on before the start."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("games", sa.Column("hints", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_column("games", "hints")
