"""What people set for all their games, said back to them: where they are told, quiet hours, being away."""

from __future__ import annotations

from collections.abc import Sequence

from bot.languages import Language
from bot.preferences import AwayHow, Notify, Preferences
from bot.table import Table
from bot.texts.clock import day
from bot.texts.words import listing


def notify_set(language: Language, notify: Notify) -> str:
    """Where the person is told from now on."""
    match notify:
        case Notify.CHANNEL:
            return language.t("🔔 When it is your turn you are mentioned in the game's channel.")
        case Notify.DM:
            return language.t("🔔 Turns and hands come to you by direct message; channels only name you.")
        case Notify.BOTH:
            return language.t("🔔 You are mentioned in the channel and get a direct message with your hand.")
        case _:
            return language.t("🔕 You are told nowhere. `/dog games` and `/dog next` show where it is your turn.")


def quiet_set(language: Language, prefers: Preferences) -> str:
    """The quiet hours as they are now."""
    if prefers.quiet_from is None or prefers.quiet_until is None:
        return language.t("Your time zone is {zone}. You have no quiet hours.", zone=prefers.time_zone or "UTC")
    return language.t(
        "🌙 Quiet hours from {first} to {last} ({zone}): your clock stands still, and nobody nudges you.",
        first=_time(prefers.quiet_from),
        last=_time(prefers.quiet_until),
        zone=prefers.time_zone or "UTC",
    )


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def away_set(language: Language, prefers: Preferences, tables: Sequence[Table]) -> str:
    """The absence as it is now."""
    date = day(prefers.away_until or 0, prefers.time_zone)
    if prefers.away_how is AwayHow.COMPUTER:
        said = language.t("🏖️ You are away until {day}: a computer plays for you.", day=date)
    else:
        said = language.t("🏖️ You are away until {day}: your clock stands still.", day=date)
    said += " " + language.t("`/dog away` without a day ends it.")
    return f"{said}\n{_games(language, tables)}".rstrip()


def back(language: Language, was_away: bool, tables: Sequence[Table]) -> str:
    """The person is back, or was never away."""
    if not was_away:
        return language.t("You are not away. `/dog away` with a day says that you will be.")
    told = language.t("Welcome back! You are not away any more.")
    return f"{told}\n{_games(language, tables)}".rstrip()


def _games(language: Language, tables: Sequence[Table]) -> str:
    if not tables:
        return ""
    return language.t("Games: {codes}", codes=listing(language, (f"**{table.code}**" for table in tables)))
