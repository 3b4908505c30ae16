"""A game as people may have it: as spectators see it (`PublicGame`), and as one seat sees it (`SeatGame`).

All code that talks to people gets these instead of a `Game`. Neither reveals the deck, the seed, or others' hands and
gifts; `engine.secret` is the only way from a `PublicGame` to its `Game`, and only the tables service may use it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NoReturn

from engine.errors import Reason
from engine.game import Game, Shares
from engine.rules.actions import Action
from engine.rules.board import Board
from engine.rules.events import Entry, EventKind, Preview
from engine.view import Phase, View


class PublicGame:
    """A game as a spectator sees it. It never changes."""

    __slots__ = ("_game", "_view")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._view: View | None = None

    def __repr__(self) -> str:
        return f"<PublicGame {self._game.system.id} of {self._game.players}, {self.number} actions>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a game at a table is not sent or stored: its seed would travel along")

    @property
    def number(self) -> int:
        """The number of actions carried out."""
        return self._game.number

    @property
    def board(self) -> Board:
        """The board it is played on, by the version of the rules that the game began with."""
        return self._game.board

    @property
    def round(self) -> int:
        """The number of the round, counting from 1."""
        return self._game.round

    @property
    def phase(self) -> Phase:
        """The kind of action that the table is waiting for, as far as a spectator knows."""
        return self.view().phase

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now; several in an exchange, none at the end."""
        return self._game.to_act

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats in turn order."""
        return self._game.seats

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty until the end."""
        return self._game.winners

    def decision(self, seat: int) -> int | None:
        """Return the number of the action since which this seat has been asked; None if it is not asked."""
        return self._game.decision(seat)

    def last_of(self, seat: int) -> int:
        """Return the number of this seat's latest action; 0 if it has not acted."""
        return max((number for number, (actor, _) in enumerate(self._game.log, start=1) if actor == seat), default=0)

    def view(self) -> View:
        """Return the spectators' view."""
        if self._view is None:
            self._view = self._game.view(None)
        return self._view

    def views(self, first: int = 0) -> Iterator[View]:
        """Yield the spectators' view after each action from number `first` on; 0 is the first deal."""
        game = self._game.earlier(0)
        if first <= 0:
            yield game.view(None)
        for seat, text in self._game.log:
            game = game.play(seat, text)
            if game.number >= first:
                yield game.view(None)

    def history(self, first: int = 1) -> tuple[Entry, ...]:
        """Return the public entries from number `first` on; 0 is the first deal."""
        return self._game.history(first)


class SeatGame:
    """A game as one seat sees it: its own view, what it may do, and what that would do. It never changes.

    Raises SetupError: there is no such seat.
    """

    __slots__ = ("_game", "seat", "view")

    def __init__(self, game: Game, seat: int) -> None:
        self._game = game
        self.seat = seat
        self.view: View = game.view(seat)

    def __repr__(self) -> str:
        return f"<SeatGame of seat {self.seat}, {self.view.number} actions>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a game at a table is not sent or stored: its seed would travel along")

    @property
    def legal(self) -> tuple[Action, ...]:
        """The actions that this seat may take now; empty if it is not asked."""
        return self.view.legal

    @property
    def unlisted(self) -> frozenset[tuple[str, str]]:
        """The cards, each with what it stands for, that may be played in more ways than `legal` lists."""
        return self._game.unlisted(self.seat)

    def shares(self, begun: Action) -> Shares:
        """Return the ways to share out the points of a card that begin with the parts of `begun`, in this order."""
        return self._game.shares(self.seat, begun)

    def preview(self, action: Action | str) -> Preview:
        """Return what an action that this seat may take now would do on the board.

        Raises NotationError, Refusal: it is not an action, or not allowed.
        """
        return self._game.preview(self.seat, action)

    def why_not(self, card: str) -> tuple[Reason, ...]:
        """Return why a card in this seat's hand cannot be played now; empty if it can.

        Raises NoSuchCard: the seat does not hold this card.
        """
        return self._game.why_not(self.seat, card)

    def if_asked(self) -> SeatGame | None:
        """Return the game as if it were this seat's turn now; None if that makes no sense (`Game.if_asked`)."""
        asked = self._game.if_asked(self.seat)
        return None if asked is None else SeatGame(asked, self.seat)

    def cards_drawn_since(self, before: SeatGame) -> tuple[str, ...]:
        """Return the cards this seat has drawn since an earlier state, in between playing one card."""
        events = [event for entry in self._game.history(before.view.number + 1) for event in entry.events]
        if any(event.kind is EventKind.DEALT for event in events):
            return ()
        if not any(event.kind is EventKind.DREW and event.seat == self.seat for event in events):
            return ()
        kept = Counter(before.view.hand or ())
        kept.subtract(event.card for event in events if event.seat == self.seat and event.card is not None)
        return tuple((Counter(self.view.hand or ()) - kept).elements())
