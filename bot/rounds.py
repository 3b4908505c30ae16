"""The rounds of cards of a game: who walked farthest, and how many pieces were sent back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine import Board, Entry, EventKind, StepKind


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
