"""A viewer's knowledge of a game: all that people are ever shown of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.rules.actions import Action
from engine.rules.board import Board
from engine.rules.events import Entry
from engine.rules.options import Options


class Phase(StrEnum):
    """The kind of action that a table is waiting for."""

    EXCHANGE = "exchange"
    ANSWER = "answer"
    PLACE = "place"
    TURN = "turn"
    JUMP = "jump"
    LOSE = "lose"
    REDRAW = "redraw"
    DISCARD = "discard"
    END = "end"

    @property
    def is_exchange(self) -> bool:
        """Return True if players give each other cards: several are asked, and what they do is not told."""
        return self in (Phase.EXCHANGE, Phase.ANSWER)


@dataclass(frozen=True)
class View:
    """A game as one seat or, with `viewer` None, a spectator sees it."""

    board: Board
    """The board it is played on, by the version of the rules that the game began with."""
    viewer: int | None
    number: int
    phase: Phase
    """To others it is `turn` until a seat has found out whether it can play."""
    round: int
    dealt: int
    starter: int
    to_act: tuple[int, ...]
    decision: int | None
    """The viewer's own, as are `hand`, `legal`, `gave` and `got`."""
    pieces: Mapping[int, tuple[str, ...]]
    hands: Mapping[int, int]
    """The number of cards in each hand, with one laid aside for a call for help until the call is shown."""
    hand: tuple[str, ...] | None
    legal: tuple[Action, ...]
    gave: str | None
    got: str | None
    out: frozenset[int]
    """The seats that laid down their hand this round."""
    declared: frozenset[int]
    """The seats that have given or declared in this exchange."""
    finished: frozenset[int]
    """The seats with all four pieces in their lane."""
    winners: tuple[int, ...]
    discards: tuple[str, ...]
    """The open cards since the last shuffle, oldest first, with a hand laid down in the order of the catalogue."""
    last_card: str | None
    """The card for which a copy would stand now."""
    deck: int
    """The number of cards left to draw."""
    options: Options
    last: Entry | None
    """The newest entry of the history."""
    shown: Mapping[int, tuple[str, ...]] | None = None
    """With open hands, those of all seats."""

    @property
    def system(self) -> str:
        """The id of the rule system."""
        return self.board.system.id

    @property
    def players(self) -> int:
        """The number of players."""
        return self.board.players
