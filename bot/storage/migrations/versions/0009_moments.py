"""Moments and decisions are texts of their own, no longer two counters in one number; quiet hours have a table.

`2000017` becomes `2-17`, after two takebacks and 17 actions; the JSON columns are read in both forms. What was
remembered of quiet hours as JSON under a key becomes rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

STEP = 1_000_000
KEY = "quiet:"
TEXT, NUMBER = sa.String(24), sa.Integer()


def text_of(number: int) -> str:
    """A moment that was one number, as a text."""
    takebacks, action = divmod(number, STEP) if number >= STEP else (0, number)
    return f"{takebacks}-{action}" if takebacks else str(action)


def number_of(text: str) -> int:
    """The other way."""
    takebacks, _, action = text.rpartition("-") if "-" in text[1:] else ("0", "", text)
    return int(takebacks) * STEP + int(action)


def upgrade() -> None:
    """Go to this revision."""
    connection = op.get_bind()
    for table, keys, column, kind in _COLUMNS:
        _retype(table, keys, column, sa.Integer() if kind is None else kind, TEXT, text_of)
    quiet = op.create_table(
        "quiet_choices",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=False),
        sa.Column("quiet_until", sa.Integer(), nullable=False),
        sa.Column("time_zone", sa.String(64)),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_quiet_choices")),
    )
    kept = connection.execute(sa.text("SELECT key, value FROM memory WHERE key LIKE 'quiet:%'")).all()
    rows = [(int(key.removeprefix(KEY)), *json.loads(value)) for key, value in kept]
    if rows:
        names = ("user_id", "changed_at", "quiet_from", "quiet_until", "time_zone")
        op.bulk_insert(quiet, [dict(zip(names, row, strict=True)) for row in rows])
    op.execute("DELETE FROM memory WHERE key LIKE 'quiet:%'")


def downgrade() -> None:
    """Go back to the revision before."""
    connection = op.get_bind()
    kept = connection.execute(
        sa.text("SELECT user_id, changed_at, quiet_from, quiet_until, time_zone FROM quiet_choices")
    ).all()
    memory = sa.table("memory", sa.column("key", sa.String), sa.column("value", sa.Text))
    if kept:
        op.bulk_insert(memory, [{"key": f"{KEY}{user}", "value": json.dumps(values)} for user, *values in kept])
    op.drop_table("quiet_choices")
    for table, keys, column, kind in _COLUMNS:
        _retype(table, keys, column, TEXT, sa.Integer() if kind is None else kind, number_of)
    _numbers_in_json()


_COLUMNS: tuple[tuple[str, tuple[str, ...], str, sa.types.TypeEngine[Any] | None], ...] = (
    ("games", ("id",), "told", None),
    ("deadlines", ("game_id", "seat"), "decision", None),
    ("letters", ("game_id", "user_id"), "moment", sa.BigInteger()),
)


def _retype(
    table: str,
    keys: tuple[str, ...],
    column: str,
    before: sa.types.TypeEngine[Any],
    after: sa.types.TypeEngine[Any],
    change: Callable[..., object],
) -> None:
    """Let a column hold what `change` makes of its values; the games' own table is not made anew for that."""
    connection = op.get_bind()
    old, nullable = f"old_{column}", table == "games"
    op.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO {old}")
    op.add_column(table, sa.Column(column, after, nullable=True))
    rows = connection.execute(sa.text(f"SELECT {', '.join(keys)}, {old} FROM {table} WHERE {old} IS NOT NULL")).all()
    where = " AND ".join(f"{key} = :{key}" for key in keys)
    if rows:
        values = [{**dict(zip(keys, row, strict=False)), "value": change(row[-1])} for row in rows]
        connection.execute(sa.text(f"UPDATE {table} SET {column} = :value WHERE {where}"), values)
    op.drop_column(table, old)
    if not nullable:
        with op.batch_alter_table(table) as batch:
            batch.alter_column(column, existing_type=after, nullable=False)


def _numbers_in_json() -> None:
    """Versions before this one read numbers in the JSON columns."""
    connection = op.get_bind()

    def numbers(found: dict[str, object]) -> dict[str, object]:
        return {key: number_of(value) if isinstance(value, str) else value for key, value in found.items()}

    games = sa.table("games", sa.column("id"), sa.column("called", sa.JSON), sa.column("posting", sa.JSON))
    for game, called, posting in connection.execute(sa.select(games)).all():
        if posting:
            posting = {**posting, **numbers({"told": posting["told"]}), "called": numbers(posting["called"])}
        if called or posting:
            values = {"called": numbers(called), **({"posting": posting} if posting else {})}
            connection.execute(games.update().where(games.c.id == game).values(**values))
    standing = sa.table("standing", sa.column("id"), sa.column("marks", sa.JSON))
    for message, marks in connection.execute(sa.select(standing)).all():
        connection.execute(standing.update().where(standing.c.id == message).values(marks=numbers(marks)))
