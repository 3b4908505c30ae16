"""The engine compared with the naive reading: one position, and where the two disagree about it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.analysis import answer as engine_answer
from tests.reference import naive
from tests.reference.naive import Found, Placement

Position = Mapping[str, Any]


class Difference(NamedTuple):
    """What the naive reading finds and the engine does not, and vice versa."""

    missing: list[Found]
    surplus: list[Found]

    def __str__(self) -> str:
        lines = [f"  the engine lacks {show(found)}" for found in self.missing]
        lines += [f"  only the engine has {show(found)}" for found in self.surplus]
        return "\n".join(lines)


def show(found: Found) -> str:
    pieces = " | ".join(f"{side}: {' '.join(texts)}" for side, texts in found.pieces)
    extra = f", {found.draws} drawn, jump {found.jump}" if found.draws else ""
    return f"{found.card} -> {pieces}{extra}"


def by_engine(position: Position) -> list[Found]:
    """The engine's actions, from its analysis interface, in its order."""
    answer = engine_answer(json.dumps(position))
    if "actions" not in answer:
        raise AssertionError(f"the engine refuses {json.dumps(position)}: {answer}")
    actions: Sequence[Mapping[str, Any]] = answer["actions"]
    return [
        Found(
            action["card"],
            _value(action["pieces"]),
            action["draws"],
            None if action["jump"] is None else _value(action["jump"]),
        )
        for action in actions
    ]


def _value(pieces: Mapping[str, list[str]]) -> Placement:
    return tuple(sorted((int(side), tuple(sorted(texts))) for side, texts in pieces.items()))


def difference(position: Position) -> Difference | None:
    """Where the two readings disagree about a legal position, or None if they agree."""
    listed = by_engine(position)
    engine, wanted = set(listed), naive.actions(position)
    if len(listed) != len(engine):
        twice = sorted({found for found in engine if listed.count(found) > 1}, key=str)
        raise AssertionError(f"the engine lists an action twice in {json.dumps(position)}: {show(twice[0])}")
    if engine == wanted:
        return None
    return Difference(sorted(wanted - engine, key=str), sorted(engine - wanted, key=str))


def smallest(position: Position, differs: Callable[[Position], object]) -> Position:
    """A position made as small as possible while the two still disagree: fewer cards, more pieces in their kennels."""
    shrinking = True
    while shrinking:
        shrinking = False
        for simpler in _simpler(position):
            if differs(simpler):
                position, shrinking = simpler, True
                break
    return position


def _simpler(position: Position) -> Iterator[Position]:
    hand = position["hand"]
    for number in range(len(hand)):
        if len(hand) > 1:
            yield {**position, "hand": hand[:number] + hand[number + 1 :]}
    for side, texts in position["pieces"].items():
        for number, text in enumerate(texts):
            if text.endswith("-"):
                continue
            kennel = text[0] + "-" if position["rules"] == "royal" else "-"
            changed = [*texts[:number], kennel, *texts[number + 1 :]]
            yield {**position, "pieces": {**position["pieces"], side: changed}}
    if position["options"]:
        yield {**position, "options": {}}
