"""Moments of a game: values that only grow, takebacks first, then actions."""

from __future__ import annotations

import re
from typing import NamedTuple

_TEXT = re.compile(r"(?:(\d{1,19})-)?(-?\d{1,19})")


class Moment(NamedTuple):
    """Takebacks and actions so far: it only grows. A decision is named by the moment since which it has been asked."""

    takebacks: int
    number: int

    def __str__(self) -> str:
        """Return its text in custom ids and columns: `17`, or `2-17` after two takebacks."""
        return f"{self.takebacks}-{self.number}" if self.takebacks else str(self.number)

    @classmethod
    def parse(cls, text: str) -> Moment:
        """Read `str(moment)`. Raises ValueError."""
        matched = _TEXT.fullmatch(text)
        if matched is None:
            raise ValueError(f"no moment: {text!r}")
        return cls(int(matched[1] or 0), int(matched[2]))


START = Moment(0, 0)
"""The moment after the first deal, before any action."""

NOTHING_TOLD = Moment(0, -1)
"""The moment that a lobby has told: not even the first deal (entry 0 of a game's history)."""
