"""Old boards can be deleted, and the threads of games that are over closed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("guilds", sa.Column("old_boards", sa.String(length=12), server_default="text", nullable=False))
    op.add_column("guilds", sa.Column("close_after", sa.Integer(), nullable=True))
    op.execute("UPDATE guilds SET old_boards = 'picture' WHERE old_pictures")
    with op.batch_alter_table("guilds", schema=None) as batch_op:
        batch_op.drop_column("old_pictures")
    op.add_column("games", sa.Column("closes_at", sa.BigInteger(), nullable=True))
