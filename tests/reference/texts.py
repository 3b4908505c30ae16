"""The record texts of a position's actions, carried out by the naive reading: they must lead where the engine says."""

import json
import re
from collections.abc import Mapping
from typing import Any

from engine import Action
from engine.analysis import answer
from tests.reference import naive
from tests.reference.board import LANE, Piece, Pieces, place_of, spot, standing

_PART = re.compile(r"(?:(\d)\.)?([KNCJ]?-|\w+)(?:>(\w+)|<>(\d)\.(\w+))")


def problem(position: Mapping[str, Any]) -> str | None:
    """What is wrong with a text, or with the order of the pieces in an answer; None if nothing is."""
    for action in answer(json.dumps(position))["actions"]:
        text = action["text"]
        if str(Action.parse(text)) != text:
            return f"{text!r} is read as {str(Action.parse(text))!r}"
        for pieces in (action["pieces"], action["jump"]):
            if pieces is not None and pieces != _in_order(position["rules"], pieces):
                return f"{text!r}: {pieces} is not in canonical order"
        reading = naive.Reading(position)
        try:
            reached = reading.placement(_carried_out(reading, text))
        except (LookupError, ValueError) as error:
            return f"{text!r} cannot be carried out: {error!r}"
        if reached != tuple((int(side), tuple(sorted(texts))) for side, texts in sorted(action["pieces"].items())):
            return f"{text!r} leads to {reached}, the engine says {action['pieces']}"
    return None


def _in_order(rules: str, pieces: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Kennel, track ascending, inner paths, lane; in `royal` king, knight, citizen, jester."""
    if rules == "royal":
        return {side: sorted(texts, key=lambda text: "KNCJ".index(text[0])) for side, texts in sorted(pieces.items())}
    return {side: sorted(texts, key=_rank) for side, texts in sorted(pieces.items())}


def _rank(text: str) -> tuple[int, int, str]:
    if text == "-":
        return 0, 0, ""
    if text in LANE:
        return 3, 0, text
    return (1, int(place_of(text)), text) if text[0].isdigit() else (2, 0, text)


def _carried_out(reading: naive.Reading, text: str) -> Pieces:
    """The board after the parts of a text, one after another; raises LookupError or ValueError if that fails."""
    card, _, rest = text.partition(" ")
    name, _, named = card.partition(":")
    if name not in reading.hand:
        raise ValueError("the card is not in the hand")
    meant = named or name
    pieces = reading.pieces
    if rest in ("idle", f"robs {reading.victim}"):
        return pieces
    points = 0
    for part in rest.split():
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError(part)
        side_text, origin, target, other_side, other_place = match.groups()
        side = int(side_text) if side_text else reading.seat
        if side_text and side == reading.seat:
            raise ValueError("the own side is named")
        piece = _at(reading, pieces, side, origin)
        if other_place is not None:
            other = _at(reading, pieces, int(other_side), other_place)
            there, here = place_of(pieces[other]), place_of(pieces[piece])
            pieces = {**pieces, piece: there, other: here}
        elif meant == "K" and reading.complex and origin != "-":
            ways = naive.routes(reading, piece, pieces[piece], 13)
            swept = [naive.walk(reading, pieces, piece, way, king=True) for way in ways if way[-1] == target]
            pieces = next(after for after in swept if after is not None)
        elif meant == "7":
            used, pieces = _seven_part(reading, pieces, piece, target, 7 - points)
            points += used
        else:
            taken = standing(pieces).get(spot(side, target))
            pieces = {**pieces, **({taken: "-"} if taken is not None else {})}
            fresh = origin == "-" and reading.board.marks_fresh
            pieces[piece] = target + ("*" if fresh else "")
    if meant == "7" and points != 7 and not naive.lapses(reading, pieces):
        raise ValueError(f"{points} points are used")
    return pieces


def _at(reading: naive.Reading, pieces: Pieces, side: int, origin: str) -> Piece:
    """The piece of a side at a place; `N-` is the knight in the kennel."""
    for piece, text in pieces.items():
        if piece.side == side and place_of(text) == origin[-1 if origin.endswith("-") else 0 :]:
            if reading.board.ranked and origin.endswith("-") and piece.name != origin[0]:
                continue
            return piece
    raise LookupError(f"{side}.{origin}")


def _seven_part(reading: naive.Reading, pieces: Pieces, piece: Piece, target: str, left: int) -> tuple[int, Pieces]:
    """One part of a seven, walked: the points used, and the board after it."""
    for points in range(1, left + 1):
        for way in naive.routes(reading, piece, pieces[piece], points):
            if way[-1] == target:
                after = naive.walk(reading, pieces, piece, way, seven=True)
                if after is not None:
                    return points, after
    raise ValueError(f"no way to {target}")
