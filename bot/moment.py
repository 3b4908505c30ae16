"""The progress of a game: moments, values that only grow, takebacks first, then actions; and its rounds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from engine import Board, Entry, EventKind, StepKind

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


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The end of a round: the team whose pieces walked farthest, by how many spaces, and the pieces sent back.

    `number`: of the entry in which the next round was dealt.
    """

    number: int
    round: int
    team: tuple[int, ...]
    spaces: int
    sent: int


@dataclass(frozen=True, slots=True)
class RoundLog:
    """The ended rounds of a game, and the counts of the one being played, for boards."""

    ended: tuple[RoundEnd, ...] = ()
    walked: Mapping[tuple[int, ...], int] = field(default_factory=dict)
    """By team, the spaces that its pieces went forward less those they went back."""
    sent: int = 0

    def after(self, board: Board, entries: Iterable[Entry]) -> RoundLog:
        """Return the rounds after these entries, too."""
        ended, walked, sent = self.ended, Counter(self.walked), self.sent
        for entry in entries:
            for event in entry.events:
                if event.kind is EventKind.DEALT:
                    if event.round > 1 and walked:
                        team, spaces = walked.most_common(1)[0]
                        ended = (*ended, RoundEnd(entry.number, event.round - 1, team, spaces, sent))
                    walked, sent = Counter(), 0
                for step in event.steps:
                    sent += len(step.sent_home)
                    if step.side in board.seats:
                        walked[board.team(step.side)] += _spaces(step.kind, len(step.path) - 1)
        return RoundLog(ended, walked, sent)


def _spaces(kind: StepKind, length: int) -> int:
    """Return the spaces that a step of this kind counts for."""
    if kind is StepKind.BACKWARD:
        return -length
    return length if kind in (StepKind.FORWARD, StepKind.MAGNET) else 0
