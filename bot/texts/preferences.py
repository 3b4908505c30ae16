"""Answers about what people set for all their games: notices, quiet hours, being away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.languages import Language, own_name
from bot.languages import mark as _
from bot.preferences import AwayHow, Notify, OnlyMove, Preferences
from bot.table import Table
from bot.texts.markup import bold, day_in, item, stack, user
from bot.texts.names import look_name, option, said, sentences

ONLY_MOVE: Mapping[OnlyMove, str] = {
    OnlyMove.SLOW: _("slow games: a day or more per turn"),
    OnlyMove.ALL: _("all games but live ones"),
    OnlyMove.NEVER: _("no games"),
}
"""The games in which a person's only move is played for them."""

ONLY_MOVE_SET: Mapping[OnlyMove, str] = {
    OnlyMove.SLOW: _("⏭️ In slow games, your only possible move is played at once."),
    OnlyMove.ALL: _("⏭️ Except in live games, your only possible move is played at once."),
    OnlyMove.NEVER: _("⏭️ You play every move yourself."),
}
"""Answers by where a person's only move is played for them."""

no_time = said("Write times as hours and minutes, such as 22:00.")
no_day = said("Write the day as year-month-day, such as 2026-12-24.")

NOTIFIED: Mapping[Notify, str] = {
    Notify.CHANNEL: _("🔔 You'll be mentioned in the game's channel when it's your turn and you aren't there."),
    Notify.ALWAYS: _("🔔 You'll be mentioned in the channel at each of your turns, even while you're playing."),
    Notify.DM: _("🔔 You will get your hand by direct message on your turn; in channels you are only named."),
    Notify.BOTH: _("🔔 You will be mentioned in the channel and get a direct message with your hand."),
    Notify.SILENT: _("🔕 You won't be notified. `/dog games` and `/dog next` show where it is your turn."),
}
"""Answers by the place of notices."""


def quiet_set(language: Language, prefers: Preferences) -> str:
    """Return the quiet hours as they are now."""
    if prefers.quiet_from is None or prefers.quiet_until is None:
        if prefers.time_zone is None:
            return language.t(
                "You have no quiet hours. `/dog me quiet` with {options} sets them.",
                options=language.listed(option(language, name) for name in ("from", "until", "time_zone")),
            )
        return language.t("You have no quiet hours. Your time zone is {zone}.", zone=prefers.time_zone)
    return language.t(
        "🌙 Quiet hours from {first} to {last} ({zone}): your clock stands still, and nobody can nudge you.",
        first=_time(prefers.quiet_from),
        last=_time(prefers.quiet_until),
        zone=prefers.time_zone or "UTC",
    )


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def away_set(language: Language, prefers: Preferences, tables: Sequence[Table], left: int | None = None) -> str:
    """Return the absence as it is now; `left`: seconds of a year for which games may still wait."""
    date = day_in(prefers.away_until or 0, prefers.time_zone)
    if prefers.away_how is AwayHow.COMPUTER:
        told = language.t("🏖️ You are away until {day}: a computer plays for you.", day=date)
    else:
        told = language.t("🏖️ You are away until {day}: slow games wait, in faster ones a computer plays.", day=date)
        if left is not None:
            days = max(0, left // 86_400)
            told = sentences(
                told,
                language.n(
                    "Within a year they can wait {count} more day.",
                    "Within a year they can wait {count} more days.",
                    days,
                ),
            )
    return _with_games(language, told, tables)


def away_status(language: Language, prefers: Preferences) -> str:
    """Say until when the person is away, if they are."""
    if prefers.away_until is None:
        return language.t("You are not away. Choose how long you will be away:")
    return away_set(language, prefers, ())


no_day = said("Say until when, too. For one game there is `/dog table friend`.")
never_away = said("You are not away.")
"""The answer to a person who says that they are back."""


def back(language: Language, tables: Sequence[Table]) -> str:
    """Say that the person is back, and plays at these tables again."""
    return _with_games(language, language.t("Welcome back! You are no longer away."), tables)


def _with_games(language: Language, told: str, tables: Sequence[Table]) -> str:
    """Return a text, with the games that it applies to in a line below."""
    if not tables:
        return told
    codes = language.listed(bold(table.code) for table in tables)
    games = language.t("Games: {codes}", codes=codes)
    return f"{told}\n{games}"


def theme_status(language: Language, prefers: Preferences) -> str:
    """Return the current look of everything private, and the turn of its boards."""
    if prefers.in_words:
        return language.t("Your boards and hands are described in words, without pictures.")
    if prefers.theme is None:
        look = language.t("Your boards and hands look like the boards of each table.")
    else:
        look = language.t("Your boards and hands are drawn in {look}.", look=bold(look_name(language, prefers.theme)))
    if prefers.as_public:
        return sentences(look, language.t("Boards that only you see are turned as they are in public."))
    return sentences(look, language.t("Your own side lies at the bottom of boards that only you see."))


def language_status(language: Language, prefers: Preferences) -> str:
    """Say that the person is answered in `language`, and why others may read another."""
    name = bold(own_name(language.code))
    if prefers.language is None:
        told = language.t("What only you see is in the language of your Discord: {language}.", language=name)
    else:
        told = language.t("What only you see is in {language}, as you have chosen.", language=name)
    return sentences(told, language.t("What everybody sees is in the language of the table."))


def hours(first: int, last: int) -> str:
    """Return a span of quiet hours (minutes of the day), as a choice."""
    return f"{_time(first)} – {_time(last)}"


def no_time_zone(language: Language) -> str:
    """Say that quiet hours need a time zone."""
    return language.t(
        "Say where you live as well: choose {option} from the list.", option=option(language, "time_zone")
    )


# The person's own data


def privacy(language: Language, prefers: Preferences, keep_days: int) -> str:
    """List what is stored about a person, why and for how long, and whether statistics show them."""
    t = language.t
    lines = [
        t("Your games: your id, your name there and what you played, so that games go on and can be looked at again."),
        t("Results and ratings, which follow from them, for `/dog stats` and `/dog leaderboard`."),
        t(
            "What you set with `/dog me`, what you have learned, and direct messages to you, until you change that or "
            "are forgotten."
        ),
        language.n(
            "Names in finished games, and the moderation log, are deleted after {count} day; bans stay until they are "
            "lifted.",
            "Names in finished games, and the moderation log, are deleted after {count} days; bans stay until they are "
            "lifted.",
            keep_days,
        ),
        t("Nothing else: no messages from others, nothing you do elsewhere; and nobody else gets any of it."),
    ]
    return "\n".join([t("**What is stored about you**"), *map(item, lines), listed(language, prefers)])


def listed(language: Language, prefers: Preferences) -> str:
    """Say whether statistics and leaderboards show the person."""
    if prefers.unlisted:
        return language.t("You are left out of statistics and leaderboards, on every server.")
    return language.t("You appear in the statistics and leaderboards of the servers where you play.")


def blocked(language: Language, user_id: int) -> str:
    """Say that a person is blocked, and what that means."""
    return language.t(
        "🔕 {user} is blocked: they can't invite you, join tables you host, or be matched with you. They aren't told.",
        user=user(user_id),
    )


no_invitations = said("🔕 No one can invite you to tables now. You can still join, and look for one.")
"""The answer to a person who wants no invitations."""

invitations = said("🔔 People can invite you to tables again.")


def unblocked(language: Language, user_id: int) -> str:
    """Say that a person is no longer blocked."""
    return language.t("{user} isn't blocked any more.", user=user(user_id))


def blocked_list(language: Language, users: Sequence[int], prefers: Preferences) -> str:
    """List whom a person has blocked; and say if no one can invite them."""
    uninvited = no_invitations(language) if prefers.uninvited else ""
    if not users:
        return stack(language.t("You haven't blocked anyone. `/dog me block` with a name does."), uninvited)
    people = language.listed(map(user, users))
    return stack(language.t("🔕 Blocked: {people}. `/dog me block` with a name unblocks.", people=people), uninvited)


exported = said("Everything that is stored about you:")
forget_first = said(
    "Do you want to be forgotten? Computers take over your seats in games that are being played; rated ones are lost. "
    "In finished games your seats have no name. Your settings, ratings and statistics are gone. This cannot be undone."
)
forget_again = said("Are you sure? After this, nothing leads from your games to you any more.")
forgotten = said("You have been forgotten. If you play again, you begin afresh.")
