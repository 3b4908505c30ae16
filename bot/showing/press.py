"""A press as such: a value that is written into a custom id as small numbers and read back from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Self, get_type_hints

from bot.moment import Moment
from bot.rights import Deed
from bot.table import Table

PREFIX = "dog2"
"""The generation of custom ids; changed when the numbers in them change their meaning."""

LONGEST = 100
"""The most characters in a custom id (Discord's limit)."""

MOST = 2**63 - 1
"""The greatest number that a press may carry: what the database can hold."""


@dataclass(frozen=True, slots=True)
class Press:
    """Something to press at a table (0: at none); `deed` says who may."""

    verb: ClassVar[str]
    deed: ClassVar[Deed]
    broken: ClassVar[bool] = False
    """Whether it can also be pressed at a table whose log does not replay."""

    table: int

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether what this was made for has passed, for this person; for those that never are, the tables decide."""
        return False

    def choosing(self, value: int) -> Press | None:
        """The press with what was chosen in its menu; None for one without a menu."""
        return None

    def custom_id(self, tag: str = "") -> str:
        """The text for Discord. `tag` keeps two identical presses in one message apart."""
        numbers: list[object] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Enum):
                numbers.append(tuple(type(value)).index(value))
            elif isinstance(value, Moment):
                numbers.append(value)
            elif isinstance(value, tuple):
                numbers.extend(value)
            elif value is not None:
                numbers.append(int(value))
        text = f"{PREFIX}:{self.verb}:{'.'.join(map(str, numbers))}"
        return text + (f"#{tag}" if tag else "")

    @classmethod
    def of_numbers(cls, numbers: Sequence[str]) -> Self | None:
        """The press with these numbers in the order of its fields; None if they do not fit."""
        left = list(numbers)
        values: dict[str, Any] = {}
        for name, kind in _kinds(cls).items():  # type: ignore[arg-type]
            if kind is Moment and left:
                values[name] = Moment.parse(left.pop(0))
            elif any("-" in one for one in (left if kind is tuple else left[:1])):
                return None
            elif kind is tuple:
                values[name], left = tuple(map(int, left)), []
            elif not left:
                continue
            else:
                number = int(left.pop(0))
                if isinstance(kind, type) and issubclass(kind, Enum):
                    members = tuple(kind)
                    if number >= len(members):
                        return None
                    values[name] = members[number]
                else:
                    values[name] = bool(number) if kind is bool else number
        try:
            return None if left else cls(**values)
        except TypeError:
            return None


@cache
def _kinds(press: type[Press]) -> Mapping[str, Any]:
    """What each field of a press holds: `int`, `bool`, `Moment`, an enum, or `tuple` for all remaining numbers."""
    hints = get_type_hints(press)
    found: dict[str, Any] = {}
    for field in fields(press):
        hint = hints[field.name]
        if hint == tuple[int, ...]:
            found[field.name] = tuple
        else:
            found[field.name] = {int | None: int, Moment | None: Moment}.get(hint, hint)
    return found
