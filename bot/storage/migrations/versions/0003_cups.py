"""Cups."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "cups",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("rounds", sa.JSON(), nullable=False),
        sa.Column("posts", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cups")),
    )
    with op.batch_alter_table("cups", schema=None) as batch_op:
        batch_op.create_index("ix_cups_guild_id_stage", ["guild_id", "stage"], unique=False)
        batch_op.create_index("ix_cups_stage", ["stage"], unique=False)

    op.create_table(
        "cup_entries",
        sa.Column("cup_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("partner", sa.Integer(), nullable=True),
        sa.Column("asked", sa.BigInteger(), nullable=True),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=True),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["cup_id"], ["cups.id"], name=op.f("fk_cup_entries_cup_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("cup_id", "number", name=op.f("pk_cup_entries")),
        sa.UniqueConstraint("cup_id", "user_id", name=op.f("uq_cup_entries_cup_id_user_id")),
    )
    with op.batch_alter_table("cup_entries", schema=None) as batch_op:
        batch_op.create_index("ix_cup_entries_user_id", ["user_id"], unique=False)

    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cup_id", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("cup_game", sa.Integer(), nullable=True))
        batch_op.create_index("uq_games_cup_game", ["cup_id", "cup_game"], unique=True)

    with op.batch_alter_table("guilds", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cups", sa.Boolean(), server_default=sa.true(), nullable=False))
        batch_op.add_column(sa.Column("cup_role", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("guilds", schema=None) as batch_op:
        batch_op.drop_column("cup_role")
        batch_op.drop_column("cups")

    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_index("uq_games_cup_game")
        batch_op.drop_column("cup_game")
        batch_op.drop_column("cup_id")

    with op.batch_alter_table("cup_entries", schema=None) as batch_op:
        batch_op.drop_index("ix_cup_entries_user_id")

    op.drop_table("cup_entries")
    with op.batch_alter_table("cups", schema=None) as batch_op:
        batch_op.drop_index("ix_cups_stage")
        batch_op.drop_index("ix_cups_guild_id_stage")

    op.drop_table("cups")
