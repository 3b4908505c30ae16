"""Time in words: moments, days, and the deadlines under a board."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.languages import Language
from bot.table import Status, Table
from bot.texts.markup import moment as moment_of
from bot.texts.markup import until
from bot.texts.words import Names, listing


def day(moment: int, time_zone: str | None) -> str:
    """The day on which a moment falls in a time zone, written so that readers in other zones see the same date."""
    date = datetime.fromtimestamp(moment, ZoneInfo(time_zone or "UTC"))
    noon = int(datetime(date.year, date.month, date.day, 12, tzinfo=UTC).timestamp())
    return moment_of(noon, "D")


def paused_line(language: Language, table: Table) -> str:
    """Why the clock of a paused game stands still."""
    if table.paused_by is None:
        return language.t("💤 Nobody is playing right now. The game continues when somebody takes a seat back or over.")
    return language.t("⏸️ A moderator has paused this game. The clock stands still.")


def time_left(language: Language, table: Table) -> str:
    """How long those who are asked still have, for the end of a line; empty if no clock is running."""
    if table.status is not Status.PLAYING:
        return ""
    by_end: dict[int, list[int]] = {}
    for seat, clock in table.clocks.items():
        if clock.ends_at is not None and not clock.overdue:
            by_end.setdefault(clock.ends_at, []).append(seat)
    if len(by_end) < 2:
        return "".join(f"⏳ {runs_out(language, moment)}" for moment in by_end)
    names = Names.of(table, language)
    parts = (
        language.t("{names} {when}", names=listing(language, map(names.marked, seats)), when=until(moment))
        for moment, seats in sorted(by_end.items())
    )
    return language.t("⏳ Time runs out for {people}.", people=listing(language, parts))


def runs_out(language: Language, moment: int) -> str:
    """When somebody's time runs out (Unix seconds)."""
    return language.t("Time runs out {when}.", when=until(moment))


def overdue_lines(language: Language, table: Table) -> list[str]:
    """Whose time is up, one line each."""
    if table.status is not Status.PLAYING:
        return []
    names = Names.of(table, language)
    return [
        language.t(
            "⌛ {name}'s time is up. The others choose what happens; otherwise a computer plays {when}.",
            name=names.marked(seat),
            when=until(clock.ends_at),
        )
        for seat, clock in table.clocks.items()
        if clock.overdue and clock.ends_at is not None
    ]
