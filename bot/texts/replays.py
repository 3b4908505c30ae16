"""What is said beside a replay."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Table
from bot.texts.markup import bold

HURRIED = 1.6
"""A film faster than this says so."""


def whole(language: Language, table: Table, hurry: float = 1.0) -> str:
    """Beside the whole game; `hurry`: how many times faster it is than the leisurely pace."""
    if hurry >= HURRIED:
        return language.t(
            "{code} from the beginning, every move, at {times} times the usual speed",
            code=bold(table.code),
            times=f"{hurry:.1f}".rstrip("0").rstrip("."),
        )
    return language.t("{code} from the beginning", code=bold(table.code))


def since_last_turn(language: Language, table: Table) -> str:
    """Beside the moves since the reader's last turn."""
    return language.t("{code} since your last turn", code=bold(table.code))


def alt(language: Language, table: Table) -> str:
    """The animation, for people who cannot see it."""
    return language.t(
        "The moves of game {code}, one after another, as an animation. The history tells them in words.",
        code=table.code,
    )


def nothing(language: Language, table: Table) -> str:
    """There is nothing to replay."""
    return language.t("{code}: nothing has happened since your last turn.", code=bold(table.code))
