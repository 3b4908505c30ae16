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
    """The day on which a moment falls in a time zone, such that readers in other zones see the same date."""
    date = datetime.fromtimestamp(moment, ZoneInfo(time_zone or "UTC"))
    noon = int(datetime(date.year, date.month, date.day, 12, tzinfo=UTC).timestamp())
    return moment_of(noon, "D")


def clock_lines(language: Language, table: Table) -> list[str]:
    """The deadlines under a board: until when each seat has time, or that the clock stands still."""
    if table.status is Status.PAUSED and table.paused_by is None:
        return [language.t("💤 Nobody plays at present. The game goes on when somebody takes a seat back or over.")]
    if table.status is Status.PAUSED:
        return [language.t("⏸️ This game is paused by a moderator. The clock stands still.")]
    if table.status is not Status.PLAYING:
        return []
    names = Names.of(table, language)
    lines = []
    by_end: dict[int, list[int]] = {}
    for seat, clock in table.clocks.items():
        if clock.ends_at is None:
            continue
        if clock.overdue:
            lines.append(
                language.t(
                    "⌛ The time of {name} is up. The others choose what happens; else a computer plays {when}.",
                    name=names.marked(seat),
                    when=until(clock.ends_at),
                )
            )
        else:
            by_end.setdefault(clock.ends_at, []).append(seat)
    for moment, seats in sorted(by_end.items()):
        if len(by_end) == 1:
            lines.append(language.t("⏳ Time runs out {when}.", when=until(moment)))
        else:
            people = listing(language, (names.marked(seat) for seat in seats))
            lines.append(language.t("⏳ {names}: time runs out {when}.", names=people, when=until(moment)))
    return lines
