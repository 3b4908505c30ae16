"""Presses: the meaning of a button or menu, written into its custom id as small numbers and read back from them.

Each kind of press stands beside the panel that shows it, in `bot/showing/` or in a cog; those that lead along the tree
of choices stand in `choices`. The method of a cog that takes it as `press` serves it. A press never contains a card,
hand or deck, since all who see the message can read its custom ids. Nothing is kept in memory, so every button works
after a restart, except those that ask which game a command means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Self, dataclass_transform, get_type_hints

from bot.moment import Moment
from bot.rights import Deed

PREFIX = "dog"
LONGEST = 100
"""The most characters in a custom id (Discord's limit)."""

MOST = 2**63 - 1
"""The greatest number that a press may carry: the greatest that the database can hold."""

_NUMBER = "[0-9]{1,19}(?:-[0-9]{1,19})?"
_PRESS = re.compile(rf"{PREFIX}:(?P<verb>[a-z_]{{1,20}}):(?P<numbers>{_NUMBER}(?:\.{_NUMBER}){{0,20}})(?:#.*)?")


PRESSES: dict[str, type[Press]] = {}
"""Everything that can be pressed, by its verb."""


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Press:
    """Something to press at a table (0: at none). Each kind says its `verb`, and the `deed` that decides who may.

    Every class that inherits from it is a frozen dataclass as well.
    """

    verb: ClassVar[str]
    deed: ClassVar[Deed]
    even_broken: ClassVar[bool] = False
    """True if it can also be pressed at a table whose log does not replay."""

    menu: ClassVar[str | None] = None
    """The field that a choice from its menu fills, or is added to if it holds several; None for a button."""

    table: int

    def __init_subclass__(
        cls, *, verb: str | None = None, deed: Deed | None = None, menu: str | None = None, even_broken: bool = False
    ) -> None:
        dataclass(frozen=True)(cls)
        if deed is not None:
            cls.deed = deed
        cls.menu, cls.even_broken = menu or cls.menu, even_broken
        if verb is not None:
            if verb in PRESSES:
                raise ValueError(f"the verb {verb!r} is used twice")
            cls.verb = verb
            PRESSES[verb] = cls

    def with_choice(self, value: int) -> Self | None:
        """Return the press with a value chosen in its menu; None for a press without a menu."""
        if self.menu is None:
            return None
        before = getattr(self, self.menu)
        chosen: dict[str, Any] = {self.menu: (*before, value) if isinstance(before, tuple) else value}
        return replace(self, **chosen)

    def custom_id(self, tag: str = "") -> str:
        """Return the text for Discord. `tag` keeps two identical presses in one message apart."""
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
        """Return the press with these numbers in the order of its fields; None if they do not fit."""
        left = list(numbers)
        values: dict[str, Any] = {}
        for name, kind in _kinds(cls).items():  # type: ignore[arg-type]
            if kind is Moment and left:
                values[name] = Moment.parse(left.pop(0))
            elif any("-" in number for number in (left if kind is tuple else left[:1])):
                return None
            elif kind is tuple:
                values[name], left = tuple(map(int, left)), []
            elif not left:
                continue
            else:
                value = int(left.pop(0))
                if isinstance(kind, type) and issubclass(kind, Enum):
                    members = tuple(kind)
                    if value >= len(members):
                        return None
                    values[name] = members[value]
                else:
                    values[name] = bool(value) if kind is bool else value
        try:
            return None if left else cls(**values)
        except TypeError:
            return None


@cache
def _kinds(press: type[Press]) -> Mapping[str, Any]:
    """Return the type of each field of a press: `int`, `bool`, `Moment`, an enum, or `tuple` for all numbers left."""
    hints = get_type_hints(press)
    kinds: dict[str, Any] = {}
    for field in fields(press):
        hint = hints[field.name]
        if hint == tuple[int, ...]:
            kinds[field.name] = tuple
        else:
            kinds[field.name] = {int | None: int, Moment | None: Moment}.get(hint, hint)
    return kinds


def parse(custom_id: str) -> Press | None:
    """Read a custom id; None if it is damaged, or none of ours."""
    match = _PRESS.fullmatch(custom_id) if len(custom_id) <= LONGEST else None
    if match is None or match["verb"] not in PRESSES:
        return None
    numbers = match["numbers"].split(".")
    fits = all(int(part) <= MOST for number in numbers for part in number.split("-"))
    return PRESSES[match["verb"]].of_numbers(numbers) if fits else None
