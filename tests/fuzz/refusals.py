"""Malformed positions must be refused with a typed error that names the field, leaving everything as it was."""

import copy
import itertools
import json

from engine import PositionError, parse_position
from engine.analysis import answer
from tests.reference.malformed import NOT_JSON, NOT_POSITIONS, Malformed, stream


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
