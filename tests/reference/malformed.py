"""Malformed positions must be refused with a typed error that names the field, leaving everything as it was.

Each is a lawful one with one thing wrong; each corruption knows which field the error should name.
"""

import copy
import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engine import PositionError, parse_position
from engine.analysis import answer
from tests.reference.board import LANE, PATH_SPACES, RANKS, ROYAL_CARDS, STANDARD_CARDS, Board
from tests.reference.positions import CONFIGURATIONS, Position, lawful


class Malformed(NamedTuple):
    """A position that must be refused: what was done to it, the field the error should name, and the result."""

    what: str
    field: str
    position: Any


_NOT_TEXT: tuple[Any, ...] = (None, 7, 0, -1, 1.5, True, [], ["1"], {}, {"a": 1})
_NOT_NUMBER: tuple[Any, ...] = (None, "4", "", 4.5, True, False, [], [4], {}, "four", float("nan"), float("inf"))
_NOT_LIST: tuple[Any, ...] = (None, 7, "7", "", True, {}, {"0": "7"}, 1.5)
_NOT_DICT: tuple[Any, ...] = (None, 7, "", "pieces", [], [1], True, 1.5)
_UNKNOWN_WORDS = ("", " ", "?", "chess", "CLASSIC", "Royal", "classic ", "royal_basic", "d\u00f6g", "\x00", "0" * 5000)
_BAD_PLACES = (
    *("", " ", "0", "-1", "--", "+5", " 5", "5 ", "05", "5.0", "1e1", "0x1", "e", "A", "D", "ab", "a ", "*", "-*"),
    *("a*", "5**", "*5", "5*5", "p3", "P", "P0", "P8", "P03", "P-1", "P3*", "R1", "Q10", "97", "1000"),
    *("\u0663", "\u00b2", "5\n"),
    *("five", "a1", "1a", "None", "null", "\u00bd", "\x00", "\U0001d7d3", "1_0", "9" * 5000),
)
_BAD_CARDS = (
    *("", " ", "1", "11", "14", "0", "-2", "7 ", " 7", "07", "a", "j", "x", "Joker", "7:2", "AA", "\u0667", "\x00"),
    *("SWITCH", "1/12", "1-8", "==", "7" * 5000),
)


def _values(position: Position) -> dict[str, tuple[Any, ...]]:
    """By field: what it must not be."""
    rules, players, royal = position["rules"], position["players"], position["rules"].startswith("royal")
    some = {"classic": (2, 3, 5, 6, 7), "family": (2, 3, 5, 6, 7), "dobney": (2, 3, 5, 7), "keezen": (), "tock": ()}
    counts = some.get(rules, (7,))
    unused = {2: (3, 4), 3: (3, 4), 4: (4, 5), 5: (5, 6), 6: (6, 7), 7: (7, 8), 8: (8, 9)}[players]
    sevens = ("yes", 2, [], None, *([True] * 3 if royal else []))
    return {
        "rules": (*_NOT_TEXT, *_UNKNOWN_WORDS),
        "players": (*_NOT_NUMBER, *counts, 0, 1, 9, -4, 10**30),
        "seat": (*_NOT_NUMBER, *unused, -1, -4, 100, 10**30, "0"),
        "hand": (*_NOT_LIST, position["hand"][0], dict.fromkeys(position["hand"])),
        "last": (*_NOT_TEXT[1:], *_BAD_CARDS, *_other_deck(position), *(("=",) if royal else ())),
        "options": (
            *(*_NOT_DICT[1:], *({"canadian_seven": one} for one in sevens)),
            *({"canadian": True}, {"": False}, {"canadian_seven": False, "undo": True}),
        ),
        "pieces": (*_NOT_DICT, list(position["pieces"].values())),
    }


def _field(rng: random.Random, position: Position) -> str:
    field, wrong = rng.choice(list(_values(position).items()))
    position[field] = rng.choice(wrong)
    return field


def _hand_card(rng: random.Random, position: Position) -> str:
    wrong = rng.choice((*_NOT_TEXT, *_BAD_CARDS, *_other_deck(position)))
    position["hand"].insert(rng.randint(0, len(position["hand"])), wrong)
    return "hand"


def _other_deck(position: Position) -> tuple[str, ...]:
    royal, standard = set(ROYAL_CARDS), set(STANDARD_CARDS)
    return tuple(sorted(standard - royal if position["rules"].startswith("royal") else royal - standard))


def _missing(rng: random.Random, position: Position) -> str:
    field = rng.choice(("rules", "players", "pieces", "seat", "hand"))
    del position[field]
    return field


def _unknown_key(rng: random.Random, position: Position) -> str:
    field = rng.choice(("", "piece", "Pieces", "deck", "hands", "rules ", "draws", "\x00"))
    position[field] = rng.choice((None, 1, "", [], {}))
    return field


def _side_missing(rng: random.Random, position: Position) -> str:
    del position["pieces"][_side(rng, position)]
    return "pieces"


def _side_unknown(rng: random.Random, position: Position) -> str:
    sides = Board(position["rules"], position["players"]).sides
    unused = [str(side) for side in range(sides) if str(side) not in position["pieces"]]
    key = rng.choice(
        (*unused, str(sides), "7", "-1", "", "a", "00", "01", " 0", "0 ", "1.0", "north", "\u0660", "9" * 5000)
    )
    position["pieces"][key] = list(position["pieces"]["0"])
    return "pieces"


def _side_renamed(rng: random.Random, position: Position) -> str:
    side = _side(rng, position)
    position["pieces"][rng.choice((side + " ", "0" + side, "+" + side, "side " + side))] = position["pieces"].pop(side)
    return "pieces"


def _side_not_list(rng: random.Random, position: Position) -> str:
    position["pieces"][_side(rng, position)] = rng.choice((*_NOT_LIST, "----", {"-": 4}))
    return "pieces"


def _count(rng: random.Random, position: Position) -> str:
    texts = position["pieces"][_side(rng, position)]
    if rng.random() < 0.5:
        del texts[rng.randrange(4)]
    else:
        texts.append(rng.choice(texts))
    return "pieces"


def _piece_not_text(rng: random.Random, position: Position) -> str:
    position["pieces"][_side(rng, position)][rng.randrange(4)] = rng.choice(_NOT_TEXT)
    return "pieces"


def _place(rng: random.Random, position: Position) -> str:
    board = Board(position["rules"], position["players"])
    wrong = [*_BAD_PLACES, str(board.length + 1), str(board.length + rng.randint(1, 40))]
    if not board.inner_paths:
        wrong += [f"{rng.choice('PQ')}{rng.randint(1, PATH_SPACES)}"] * 4
    _put(rng, position, rng.choice(wrong))
    return "pieces"


def _fresh(rng: random.Random, position: Position) -> str:
    board = Board(position["rules"], position["players"])
    side, number = _side(rng, position), rng.randrange(4)
    space = rng.choice((rng.randint(1, board.length), board.start(int(side)) + 1, board.branch(int(side))))
    space = rng.choice((space, board.start(rng.randrange(board.sides))))
    if space == board.start(int(side)) and not board.royal:
        space = board.ahead_of(space)
    _put(rng, position, f"{space}*", side, number)
    return "pieces"


def _rank(rng: random.Random, position: Position) -> str:
    texts = position["pieces"][_side(rng, position)]
    number = rng.randrange(4)
    if position["rules"] != "royal":
        texts[number] = rng.choice(RANKS) + texts[number]
    elif rng.random() < 0.3:
        texts[number] = texts[number][1:]
    else:
        other = rng.choice([rank for rank in RANKS if rank != texts[number][0]])
        texts[number] = rng.choice((other, "Q", "k", "X", "KK", " ", "\u2654")) + texts[number][1:]
    return "pieces"


def _shared_space(rng: random.Random, position: Position) -> str:
    board = Board(position["rules"], position["players"])
    first, second = rng.sample([(side, number) for side in position["pieces"] for number in range(4)], 2)
    text = rng.choice((str(rng.randint(1, board.length)), rng.choice(LANE)))
    if text in LANE:
        second = (first[0], (first[1] + 1) % 4)
    elif board.inner_paths and rng.random() < 0.5:
        text = f"{rng.choice('PQ')}{rng.randint(1, PATH_SPACES)}"
    other = {"P4": "Q4", "Q4": "P4"}.get(text, text)
    _put(rng, position, text, *first)
    _put(rng, position, rng.choice((text, other)), *second)
    return "pieces"


def _side(rng: random.Random, position: Position) -> str:
    side: str = rng.choice(list(position["pieces"]))
    return side


def _put(rng: random.Random, position: Position, text: str, side: str | None = None, number: int | None = None) -> None:
    """Write a place for one piece, keeping its rank."""
    texts = position["pieces"][side or _side(rng, position)]
    number = rng.randrange(4) if number is None else number
    texts[number] = (texts[number][0] if position["rules"] == "royal" else "") + text


_CORRUPTIONS: tuple[Callable[[random.Random, Position], str], ...] = (
    *(*[_field] * 7, _hand_card, _missing, _unknown_key, _side_missing),
    *(_side_unknown, _side_renamed, _side_not_list, _count, _piece_not_text, _place, _place, _fresh, _rank),
    *(_shared_space, _shared_space),
)

NOT_POSITIONS: tuple[Any, ...] = (None, True, 0, 1.5, "", "classic", [], [{}], {}, {"rules": "classic"}, [["rules", 1]])
"""JSON values that are not positions at all."""

NOT_JSON: tuple[bytes, ...] = (
    *(b"", b"{", b"}", b"{'rules': 'classic'}", b"rules=classic", b'{"rules": "classic",}', b'"unfinished', b"nul"),
    *(b"NaN", b"\xff", b"\xff\xfe\x00", b'{"rules": "\xc3\x28"}', b'{"rules": "\\ud800"}', b'{"a":1,"a":2}', b"\x00"),
    *(b"{} {}", b"[" * 100_000, b"1" * 90_000, b'{"pieces":' * 20_000),
    b'{"rules": "classic", "players": ' + b"9" * 6000 + b"}",
)
"""Lines that cannot be read, or only into something absurd."""


def stream(seed: int) -> Iterator[Malformed]:
    """An endless stream of malformed positions from a seed, for all systems and player counts in turn."""
    rng = random.Random(f"{seed} malformed")
    while True:
        for system, players in CONFIGURATIONS:
            corrupt = rng.choice(_CORRUPTIONS)
            position = copy.deepcopy(lawful(rng, system, players))
            field = corrupt(rng, position)
            yield Malformed(corrupt.__name__.strip("_"), field, position)


def check_malformed(seed: int, count: int) -> list[str]:
    """What is wrong with the refusals of this many malformed positions; empty if nothing is."""
    problems = (problem(malformed) for malformed in itertools.islice(stream(seed), count))
    return [text for text in problems if text is not None]


def problem(malformed: Malformed) -> str | None:
    """What is wrong with the refusal of one malformed position, or None."""
    before = copy.deepcopy(malformed.position)
    shown = f"{malformed.what}: {json.dumps(malformed.position)[:2000]}"
    try:
        parse_position(malformed.position)
    except PositionError as error:
        if error.field.split(".")[0] != malformed.field[:40]:
            return f"{shown}\n  names {error.field!r}, not {malformed.field!r}"
        if not error.detail or len(str(error)) > 300:
            return f"{shown}\n  says {str(error)[:400]!r}"
    except Exception as error:
        return f"{shown}\n  {type(error).__name__}: {error}"
    else:
        return f"{shown}\n  is accepted"
    # NaN differs from itself, so the two are compared as texts.
    if repr(before) != repr(malformed.position):
        return f"{shown}\n  was changed"
    return line_problem(json.dumps(malformed.position).encode())


def line_problem(line: bytes) -> str | None:
    """What is wrong with the analysis interface's answer to a line that is not a legal position, or None."""
    try:
        answered = answer(line)
    except Exception as error:
        return f"{line[:2000]!r}\n  {type(error).__name__}: {error}"
    if list(answered) == ["error"] and isinstance(answered["error"], str) and answered["error"]:
        return None
    return f"{line[:2000]!r}\n  is answered with {str(answered)[:400]}"


def check_lines() -> list[str]:
    """What is wrong with the answers to lines that are not even positions."""
    lines = [*NOT_JSON, *(json.dumps(value).encode() for value in NOT_POSITIONS)]
    return [text for text in map(line_problem, lines) if text is not None]
