"""One position in the form in which programs exchange it: parsing, JSON and canonical form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import PositionError, SetupError
from engine.rules.board import Board, board_for
from engine.rules.cards import Rob
from engine.rules.definition import RuleSystem
from engine.rules.events import Placement
from engine.rules.options import Options
from engine.rules.placement import to_nodes, to_placement
from engine.view import View

_FIELDS = ("rules", "players", "pieces", "seat", "hand", "last", "options", "victim")
_REQUIRED = _FIELDS[:5]
_LONGEST_HAND = 120
_NUMBER = re.compile(r"0|[1-9][0-9]?")


@dataclass(frozen=True)
class Position:
    """The pieces, the seat to play, and its cards.

    `pieces` is in canonical order. `last` is the card that a copy would stand for; `victim`: whom a card can cost a
    card, the next opponent who holds any.
    """

    system: RuleSystem
    players: int
    pieces: Placement
    seat: int
    hand: tuple[str, ...] = ()
    last: str | None = None
    options: Options = field(default_factory=Options)
    victim: int | None = None

    @property
    def board(self) -> Board:
        """The board it is played on."""
        return board_for(self.system, self.players, self.options)

    def nodes(self) -> list[int]:
        """Return the pieces as nodes of the board; raises PositionError."""
        if not isinstance(self.pieces, Mapping):
            raise PositionError("pieces", "must be the pieces of each side")
        return to_nodes(self.board, self.pieces)

    def check(self) -> None:
        """Raise PositionError, naming the field, if anything but the pieces is wrong."""
        try:
            if not isinstance(self.system, RuleSystem):
                raise SetupError("rules", "must be a rule system")
            if not isinstance(self.options, Options):
                raise SetupError("options", "must be Options")
            board = board_for(self.system, self.players, self.options)
        except SetupError as error:
            raise PositionError(error.field, error.detail) from None
        if _read_seat(board, "seat", self.seat) != self.seat:
            raise PositionError("seat", "must be the number of its side")
        if _read_victim(board, self.seat, self.victim) != self.victim:
            raise PositionError("victim", "must be the number of its side")
        read_cards(self.system, "hand", self.hand)
        _read_last(self.system, self.last)

    def to_json(self) -> dict[str, Any]:
        """Return the position in the form that `parse_position` reads."""
        return {
            "rules": self.system.id,
            "players": self.players,
            "pieces": placement_to_json(self.pieces),
            "seat": self.seat,
            "hand": list(self.hand),
            "last": self.last,
            "options": self.options.to_json(),
        } | ({} if self.victim is None else {"victim": self.victim})

    @classmethod
    def from_view(cls, view: View) -> Position:
        """Return the position that a view shows, for the viewer's seat, or else the seat to act."""
        seat = view.viewer if view.viewer is not None else (view.to_act or view.winners or (view.starter,))[0]
        system = view.board.system.base or view.board.system
        hand, last = view.hand or (), view.last_card
        return cls(system, view.players, dict(view.pieces), seat, hand, last, view.options, victim_of(view, seat))


def victim_of(view: View, seat: int) -> int | None:
    """Return the seat that a seat's cards can cost a card: the next opponent in turn who holds any, or None."""
    team = view.board.team(seat)
    after = (other for other in view.board.after[seat] if view.hands[other] and other not in team)
    return next(after, None) if view.board.system.cards_with(Rob) else None


def placement_to_json(pieces: Mapping[int, tuple[str, ...]]) -> dict[str, list[str]]:
    """Return a placement keyed by text, for JSON."""
    return {str(side): list(texts) for side, texts in pieces.items()}


def parse_position(data: object) -> Position:
    """Read a position from a JSON object (as returned by `json.loads`); raises PositionError, naming the field."""
    if not isinstance(data, Mapping):
        raise PositionError("position", "must be an object")
    for name in data:
        if name not in _FIELDS:
            raise PositionError(str(name)[:40], "is not a field of a position")
    for name in _REQUIRED:
        if name not in data:
            raise PositionError(name, "is missing")
    try:
        options = Options.from_json(data.get("options"))
        board = board_for(data["rules"], data["players"], options)
    except SetupError as error:
        raise PositionError(error.field, error.detail) from None
    system = board.system
    pieces = to_placement(board, to_nodes(board, _read_pieces(board, data["pieces"])))
    seat = _read_seat(board, "seat", data["seat"])
    hand = read_cards(system, "hand", data["hand"])
    last = _read_last(system, data.get("last"))
    victim = _read_victim(board, seat, data.get("victim"))
    return Position(system.base or system, board.players, pieces, seat, hand, last, options, victim)


def _read_pieces(board: Board, data: object) -> dict[int, list[str]]:
    if not isinstance(data, Mapping):
        raise PositionError("pieces", "must be an object with the pieces of each side")
    pieces: dict[int, list[str]] = {}
    for key, texts in data.items():
        if not isinstance(key, str) or _NUMBER.fullmatch(key) is None or int(key) not in board.seats:
            raise PositionError("pieces", f"there is no side {str(key)[:20]!r} here")
        if not isinstance(texts, list | tuple):
            raise PositionError(f"pieces.{key}", "must be a list of four pieces")
        pieces[int(key)] = list(texts)
    for side in board.seats:
        if side not in pieces:
            raise PositionError(f"pieces.{side}", "is missing")
    return pieces


def _read_victim(board: Board, seat: int, victim: object) -> int | None:
    if victim is None:
        return None
    found = _read_seat(board, "victim", victim)
    if found in board.team(seat):
        raise PositionError("victim", "must be an opponent")
    return found


def _read_seat(board: Board, field: str, seat: object) -> int:
    if isinstance(seat, int) and not isinstance(seat, bool):
        if seat in board.seats:
            return seat
        if len(board.seats) == 2 and seat == 1:
            return board.seats[1]
    raise PositionError(field, f"must be one of {', '.join(map(str, board.seats))}")


def read_cards(system: RuleSystem, name: str, cards: object) -> tuple[str, ...]:
    """Read cards of a system from a list in the field with this name; raises PositionError."""
    if not isinstance(cards, list | tuple) or len(cards) > _LONGEST_HAND:
        raise PositionError(name, f"must be a list of at most {_LONGEST_HAND} cards")
    return tuple(_read_card(system, name, card) for card in cards)


def _read_last(system: RuleSystem, last: object) -> str | None:
    if last is None:
        return None
    card = _read_card(system, "last", last)
    if system.cards[card].copies:
        raise PositionError("last", "a copy never stands for a copy")
    return card


def _read_card(system: RuleSystem, name: str, card: object) -> str:
    if not isinstance(card, str) or card not in system.cards:
        raise PositionError(name, f"there is no card {str(card)[:20]!r} in {system.id}")
    return card
