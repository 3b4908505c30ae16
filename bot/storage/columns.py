"""The types of columns: what no column can hold is refused before it reaches SQL, alike on every database.

SQLite would accept any text and fail on a long number deep in its driver; PostgreSQL refuses some texts altogether.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Dialect, Integer, String, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

from bot.errors import OutOfRange


class _Whole(TypeDecorator[int]):
    """A signed integer of this many bits."""

    cache_ok = True
    bits = 64
    impl: Any = BigInteger

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        """The number, unchanged. Raises `OutOfRange`."""
        if value is not None and not -(2 ** (self.bits - 1)) <= value < 2 ** (self.bits - 1):
            raise OutOfRange(f"a number of {value.bit_length()} bits")
        return value


class Id(_Whole):
    """A Discord id, or a moment in Unix seconds: 64 bits."""

    cache_ok = True


class Serial(_Whole):
    """An auto-incrementing id; SQLite offers that only for plain INTEGER."""

    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """INTEGER on SQLite, BIGINT elsewhere."""
        return dialect.type_descriptor(Integer() if dialect.name == "sqlite" else BigInteger())


class Count(_Whole):
    """A small number: 32 bits."""

    cache_ok = True
    bits = 32
    impl = Integer


class _Words(TypeDecorator[str]):
    """A text without characters that a database cannot hold."""

    cache_ok = True
    impl: Any = Text

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text, unchanged. Raises `OutOfRange`."""
        if value is None:
            return None
        length = getattr(self.impl, "length", None)
        if length is not None and len(value) > length:
            raise OutOfRange(f"a text of {len(value)} signs where {length} fit")
        if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
            raise OutOfRange("a text with signs that cannot be stored")
        return value


class Words(_Words):
    """A text of limited length."""

    cache_ok = True
    impl = String


class Prose(_Words):
    """A text of any length."""

    cache_ok = True
