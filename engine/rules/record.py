"""What everybody has seen of the cards in the current round, in order: the public memory of a game.

Players reason from it; see `engine.hidden.knowledge`. It holds nothing that only some have seen.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round was dealt: `open_cards` lay open before it, `count` cards went to each seat, one at a time in turn."""

    open_cards: tuple[str, ...]
    starter: int
    count: int


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Each seat in `group` passed a hidden card to the next one in it."""

    group: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LaidOpen:
    """A seat played, discarded or laid down these cards."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stuck:
    """A seat could not play any of its cards: where the pieces were (`nodes`), and what a copy would have stood for."""

    seat: int
    nodes: tuple[int, ...]
    last: str | None


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew a card."""

    seat: int


Fact = Dealt | Exchanged | LaidOpen | Stuck | Drew
