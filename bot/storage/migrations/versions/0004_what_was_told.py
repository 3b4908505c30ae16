"""What people have been told is remembered: who was called, letters to write, messages to take away, whose pause it is.

The story that a channel has been told is kept apart from the message that tells it, since a game can move on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision. Who is waited for at that moment may be called once more."""
    op.execute("ALTER TABLE games RENAME COLUMN shown_number TO told")
    op.add_column("games", sa.Column("called", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("games", sa.Column("anew", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("games", sa.Column("paused_by", sa.BigInteger()))
    somebody = (
        "EXISTS (SELECT 1 FROM seats WHERE seats.game_id = games.id AND seats.user_id IS NOT NULL "
        "AND seats.computer IS NULL)"
    )
    op.execute(f"UPDATE games SET paused_by = 0 WHERE status = 'paused' AND {somebody}")
    op.create_table(
        "standing",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("about", sa.String(16), nullable=False),
        sa.Column("marks", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_standing_game_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_standing"),
    )
    op.create_index("ix_standing_game_id", "standing", ["game_id"])
    op.create_table(
        "letters",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_letters_game_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "user_id", name="pk_letters"),
    )
    op.execute("DELETE FROM memory WHERE key LIKE 'told:%' OR key LIKE 'notices:%'")


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_table("letters")
    op.drop_index("ix_standing_game_id", "standing")
    op.drop_table("standing")
    op.drop_column("games", "paused_by")
    op.drop_column("games", "anew")
    op.drop_column("games", "called")
    op.execute("ALTER TABLE games RENAME COLUMN told TO shown_number")
