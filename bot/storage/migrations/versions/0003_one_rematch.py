"""At most one open game follows another one: who presses "Rematch" at the same moment meets in the same lobby."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

IS_OPEN = "status IN ('lobby', 'playing', 'paused')"


def upgrade() -> None:
    """Go to this revision; of several games that follow the same one, the first keeps the place."""
    following = f"SELECT min(id) FROM games WHERE {IS_OPEN} AND rematch_of IS NOT NULL GROUP BY rematch_of"
    op.execute(f"UPDATE games SET rematch_of = NULL WHERE {IS_OPEN} AND id NOT IN ({following})")
    where = sa.text(IS_OPEN)
    op.create_index(
        "uq_games_open_rematch", "games", ["rematch_of"], unique=True, sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_index("uq_games_open_rematch", "games")
