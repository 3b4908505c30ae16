"""Contents of a picture as plain data: made from a view of the engine or by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from engine import (
    Board,
    DogError,
    Event,
    EventKind,
    Exchange,
    Phase,
    Position,
    Step,
    View,
    parse_position,
)
from render.errors import RenderError

DrawnMove = tuple[int, tuple[Step, ...]]
"""A seat and the steps of its pieces."""

Spot = tuple[int, str]
"""A side, and a place as that side names it: `(0, "17")`, `(2, "b")`, `(1, "-")`, with ranks also `(1, "K-")`."""

LABELS: Mapping[str, str] = MappingProxyType(
    {"round": "", "cards": "", "out": "out", "winner": "wins", "winners": "win", "free": "free seat"}
)
"""Words inside the picture, in English; `Scene.labels` overrides them. `round` and `cards` are given complete ("Round
3", "5 cards"); without them, they are made from the numbers. Further lines of `free` are shorter ways to say it."""


@dataclass(frozen=True)
class Scene:
    """Everything a picture shows."""

    board: Board
    placement: Mapping[int, tuple[str, ...]]
    """By side, four piece texts."""
    names: Mapping[int, str] = field(default_factory=dict)
    """By seat."""
    to_act: tuple[int, ...] = ()
    hands: Mapping[int, int] = field(default_factory=dict)
    """The number of cards in each hand."""
    out: frozenset[int] = frozenset()
    """The seats out this round."""
    finished: frozenset[int] = frozenset()
    """The seats with all four pieces in."""
    winners: tuple[int, ...] = ()
    round: int = 0
    dealt: int = 0
    """The cards dealt to each this round."""
    pile: tuple[str, ...] = ()
    """The open cards, newest last, as the record writes them (`X:7` for a joker that stood for a 7)."""
    caption: str = ""
    """The move in words."""
    moves: tuple[DrawnMove, ...] = ()
    """The last is drawn bright, those before it faint."""
    computers: frozenset[int] = frozenset()
    """The seats played by computers."""
    strengths: Mapping[int, int] = field(default_factory=dict)
    """From 1 (weak) to 3 (strong), where the faces of computers should show it."""
    turned: int | None = None
    """The side at the bottom."""
    candidates: Mapping[Spot, str] = field(default_factory=dict)
    """Letters on pieces and places to choose from; where there is no piece of that side, a ghost is drawn."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Words in the reader's language, see `LABELS`."""
    actor: int | None = None
    """Who played the newest card."""
    deck: int | None = None
    """The cards left to draw."""
    viewer: int | None = None
    """The seat whose partner's pieces are marked."""
    free: frozenset[int] = frozenset()
    """The seats not yet taken."""
    invited: Mapping[int, str] = field(default_factory=dict)
    """The words on those free seats that are kept for a player; further lines are shorter ways to say it."""
    plate: str = ""
    """A line under the game's name on a plate in the middle, shown instead of cards."""
    counter: tuple[int, int] | None = None
    """Which moment of a film this is, of how many: (12, 99)."""
    exchange: tuple[tuple[int, ...], ...] = ()
    """Groups of seats in which each gives a card to the next, while they do."""
    chooser: int | None = None
    """The seat that is being asked something: everything but what it is about steps back."""
    ways: tuple[Step, ...] = ()
    """The ways of its pieces to the places with letters."""

    @property
    def back(self) -> frozenset[int]:
        """The seats whose corners and lanes step back: all but the seat that is asked, all but the winners."""
        forward = self.winners or self.seats_asked
        return frozenset(self.board.seats) - set(forward) if forward else frozenset()

    @property
    def seats_asked(self) -> tuple[int, ...]:
        """The seat that is being asked something, if any."""
        return () if self.chooser is None else (self.chooser,)

    @property
    def asked_about(self) -> frozenset[Spot]:
        """The pieces that a question or a preview is about."""
        steps = [step for _, moved in self.moves for step in moved]
        others = [step.other for step in steps if step.other is not None]
        return self.movable | set(self.candidates) | {(step.side, step.target) for step in steps} | set(others)

    @property
    def movable(self) -> frozenset[Spot]:
        """The pieces that could go to the places with letters."""
        return frozenset((step.side, step.origin) for step in self.ways)

    @classmethod
    def from_view(cls, view: View, **more: Any) -> Scene:
        """Return the picture of a view; `more`: fields it does not have, or other values of those it does.

        Without `moves`, the last entry of its history is drawn if it moved pieces.
        """
        known: dict[str, Any] = {
            "moves": moves_of(view.last.events) if view.last is not None else (),
            "pile": pile_of(view),
            "actor": actor_of(view),
            "exchange": groups_of(view) if view.phase is Phase.EXCHANGE else (),
            "viewer": more.get("turned") if view.viewer is None else view.viewer,
        }
        known |= {name: getattr(view, name) for name in _SHARED}
        return cls(placement=view.pieces, **(known | more))

    @classmethod
    def from_position(cls, position: Position, turned: int | None = None) -> Scene:
        """Return the picture of a bare position."""
        hands = {position.seat: len(position.hand)} if position.hand else {}
        pile = (position.last,) if position.last else ()
        return cls(
            board=position.board,
            placement=position.pieces,
            to_act=(position.seat,),
            hands=hands,
            pile=pile,
            finished=frozenset(
                side for side, pieces in position.pieces.items() if all(text[-1:] in "abcd" for text in pieces)
            ),
            turned=turned,
        )

    @classmethod
    def from_json(cls, data: object, turned: int | None = None) -> Scene:
        """Return the picture of a position in the analysis form; raises RenderError.

        In addition to that form's own fields, `names` (by side), `caption` and `turned` are accepted.
        """
        extra: dict[str, Any] = {}
        if isinstance(data, dict):
            data = dict(data)
            extra = {name: data.pop(name) for name in ("names", "caption", "turned") if name in data}
        try:
            scene = cls.from_position(parse_position(data), turned)
        except DogError as error:
            raise RenderError("position", str(error)) from error
        names = extra.get("names", {})
        if not isinstance(names, dict) or not all(isinstance(n, str) for n in names.values()):
            raise RenderError("names", "must be an object with a text for each side")
        if not all(str(key).isascii() and str(key).isdigit() for key in names):
            raise RenderError("names", "must be by side number")
        caption = extra.get("caption", "")
        if not isinstance(caption, str):
            raise RenderError("caption", "must be a text")
        side = extra.get("turned", turned)
        if side is not None and (not isinstance(side, int) or isinstance(side, bool)):
            raise RenderError("turned", "must be a side number")
        return replace(scene, names={int(k): v for k, v in names.items()}, caption=caption, turned=side)


_SHARED = ("board", "to_act", "hands", "out", "finished", "winners", "round", "dealt", "deck")
"""Fields that a view has under the same names."""


def moves_of(events: Iterable[Event]) -> tuple[DrawnMove, ...]:
    """Return the moves described by events: consecutive steps of the same seat are one move."""
    moves: list[DrawnMove] = []
    for event in events:
        if not event.steps or event.seat is None:
            continue
        if moves and moves[-1][0] == event.seat:
            moves[-1] = event.seat, moves[-1][1] + event.steps
        else:
            moves.append((event.seat, event.steps))
    return tuple(moves)


def actor_of(view: View) -> int | None:
    """Return the player of the newest open card, if the last entry of a view has it."""
    if view.last is None or not view.discards:
        return None
    laid = (EventKind.PLAYED, EventKind.FOLDED, EventKind.DISCARDED, EventKind.LOST)
    return next((event.seat for event in reversed(view.last.events) if event.kind in laid), None)


def groups_of(view: View) -> tuple[tuple[int, ...], ...]:
    """Return the groups in which each seat gives a card to the next in an exchange; none where a seat has to ask."""
    if view.board.exchange is Exchange.ASK:
        return ()
    return view.board.groups


def captured_sides(moves: Sequence[DrawnMove]) -> tuple[int, ...]:
    """Return the sides of the pieces that the last of some moves sent home, in order."""
    return tuple(side for step in moves[-1][1] for side, _ in step.sent_home) if moves else ()


def pile_of(view: View, most: int = 3) -> tuple[str, ...]:
    """Return the newest open cards of a view, with what a joker or copy stood for if the last entry has it."""
    pile = list(view.discards[-most:])
    for event in view.last.events if view.last is not None else ():
        if event.kind is EventKind.PLAYED and event.named and pile and pile[-1] == event.card:
            pile[-1] = f"{event.card}:{event.named}"
    return tuple(pile)
