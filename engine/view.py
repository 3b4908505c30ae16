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


@dataclass(frozen=True)
class View:
    """A game as one seat or, with `viewer` None, a spectator sees it.

    `board` is the one it is played on, by the version of the rules that the game began with.
    `hand`, `legal`, `gave`, `got` and `decision` are the viewer's own; `hands` are sizes. To others `phase` is
    `turn` until a seat has found out whether it can play, and `hands` includes a card laid aside for a call for
    help until the call is shown. `declared`: seats that have given or declared in this exchange. `out`: seats that
    laid down their hand this round. `finished`: seats with all four pieces in their lane. `discards`: the open
    cards since the last shuffle, oldest first, with a hand laid down in the order of the catalogue. `last_card`:
    what a copy would stand for now. `shown`: with open hands, those of all seats. `deck`: the number of cards left to
    draw. `last`: the newest entry of the history.
    """

    board: Board
    viewer: int | None
    number: int
    phase: Phase
    round: int
    dealt: int
    starter: int
    to_act: tuple[int, ...]
    decision: int | None
    pieces: Mapping[int, tuple[str, ...]]
    hands: Mapping[int, int]
    hand: tuple[str, ...] | None
    legal: tuple[Action, ...]
    gave: str | None
    got: str | None
    out: frozenset[int]
    declared: frozenset[int]
    finished: frozenset[int]
    winners: tuple[int, ...]
    discards: tuple[str, ...]
    last_card: str | None
    deck: int
    options: Options
    last: Entry | None
    shown: Mapping[int, tuple[str, ...]] | None = None

    @property
    def system(self) -> str:
        """The id of the rule system."""
        return self.board.system.id

    @property
    def players(self) -> int:
        """The number of players."""
        return self.board.players
