"""The words on the picture of a finished game, and what is said beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.languages import Language
from bot.table import Table
from bot.texts.markup import bold
from bot.texts.words import Names, days, listing, system_name
from engine import Entry, StepKind


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be counted in a game's public history: pieces sent home, and the longest walk in spaces."""

    captures: int
    longest: int


def count(entries: Iterable[Entry]) -> Figures:
    """Count the steps of all entries."""
    steps = [step for entry in entries for event in entry.events for step in event.steps]
    walks = (StepKind.FORWARD, StepKind.BACKWARD, StepKind.MAGNET)
    return Figures(
        captures=sum(len(step.sent_home) for step in steps),
        longest=max((len(step.path) - 1 for step in steps if step.kind in walks), default=0),
    )


def title(language: Language, table: Table) -> str:
    """Which rules, how many players, which game."""
    return language.n(
        "{system} · {count} player · {code}",
        "{system} · {count} players · {code}",
        table.players,
        system=system_name(language, table.system),
        code=table.code,
    )


def parties(language: Language, table: Table) -> list[tuple[tuple[int, ...], str, bool]]:
    """Who played together: seats, names, and whether they have won."""
    names = Names.of(table, language)
    return [
        (team, " & ".join(names.bare(seat) for seat in team), any(seat in table.won for seat in team))
        for team in table.board.teams
    ]


def facts(language: Language, rounds: int, moves: int, figures: Figures, seconds: int | None) -> list[tuple[str, str]]:
    """The figures, each with what it counts."""
    found = [
        (str(rounds), language.np("figure", "round", "rounds", rounds)),
        (str(moves), language.np("figure", "move in all", "moves in all", moves)),
        (str(figures.captures), language.np("figure", "piece sent home", "pieces sent home", figures.captures)),
        (str(figures.longest), language.p("figure", "spaces in the longest walk")),
    ]
    if seconds is not None:
        found.append((lasted(language, seconds), language.p("figure", "from the start to the end")))
    return found


def lasted(language: Language, seconds: int) -> str:
    """A span of time, roughly: minutes, hours or days."""
    minutes = max(1, round(seconds / 60))
    if minutes < 100:
        return language.n("{count} minute", "{count} minutes", minutes)
    hours = round(minutes / 60)
    if hours < 48:
        return language.n("{count} hour", "{count} hours", hours)
    return days(language, round(hours / 24))


def alt(language: Language, table: Table, told: Iterable[tuple[str, str]]) -> str:
    """The picture, for people who cannot see it."""
    names = Names.of(table, language)
    return language.t(
        "The end of game {code}: {names} won. {facts}.",
        code=table.code,
        names=listing(language, (names.bare(seat) for seat in table.won)),
        facts=", ".join(language.p("figure", "{value} {what}", value=value, what=what) for value, what in told),
    )


def not_over(language: Language, table: Table) -> str:
    """There is no such picture, because nobody has won the game."""
    return language.t(
        "{code} has not been won yet; there will be a picture to share once it is.", code=bold(table.code)
    )
