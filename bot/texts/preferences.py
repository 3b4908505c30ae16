"""Answers about what people set for all their games: notices, quiet hours, being away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.languages import Language, own_name
from bot.languages import mark as _
from bot.pace import DAY
from bot.preferences import AwayHow, Notify, OnlyMove, Preferences
from bot.table import Table
from bot.texts.markup import bold, day_in, item, stack, user
from bot.texts.names import look_name, option, said, said_of_user, sentences

ONLY_MOVE: Mapping[OnlyMove, str] = {
    OnlyMove.SLOW: _("slow games: a day or more per turn"),
    OnlyMove.ALL: _("all games but live ones"),
    OnlyMove.NEVER: _("no games"),
}
"""The games in which a person's only move is played for them."""

ONLY_MOVE_SET: Mapping[OnlyMove, str] = {
    OnlyMove.SLOW: _("⏭️ In slow games, I play your forced moves for you."),
    OnlyMove.ALL: _("⏭️ Except in live games, I play your forced moves for you."),
    OnlyMove.NEVER: _("⏭️ You play every move yourself."),
}
"""Answers by where a person's only move is played for them."""

no_time = said("Write times like this: 22:00.")
no_day = said("Write the day like this: 2026-12-24.")

NOTIFIED: Mapping[Notify, str] = {
    Notify.CHANNEL: _("🔔 I'll ping you in the game's channel on your turn, unless you're already playing."),
    Notify.ALWAYS: _("🔔 I'll ping you in the channel on each of your turns, even while you're playing."),
    Notify.DM: _(
        "🔔 On your turn, I'll send you your hand by direct message, unless you're already playing. In "
        "channels, I won't ping you."
    ),
    Notify.BOTH: _(
        "🔔 On your turn, I'll ping you in the channel and send you your hand by direct message, "
        "unless you're already playing."
    ),
    Notify.SILENT: _("🔕 I won't notify you. See where it's your turn: `/dog games`, `/dog next`."),
}
"""Answers by the place of notices."""


def quiet_set(language: Language, prefers: Preferences) -> str:
    """Return the quiet hours as they are now."""
    if prefers.quiet_from is None or prefers.quiet_until is None:
        if prefers.time_zone is None:
            return language.t(
                "You have no quiet hours. Set {options} in `/dog me quiet`.",
                options=language.listed(option(language, name) for name in ("from", "until", "time_zone")),
            )
        return language.t("You have no quiet hours. Your time zone is {zone}.", zone=prefers.time_zone)
    return language.t(
        "🌙 Quiet hours from {first} to {last} ({zone}). Your clock stops, and the others can't nudge you.",
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
        text = language.t("🏖️ You're away until {day}. A computer will play for you.", day=date)
    else:
        text = language.t("🏖️ You're away until {day}. Slow games wait, and a computer plays the others.", day=date)
        if left is not None:
            days = max(0, left // DAY)
            text = sentences(
                text,
                language.n(
                    "Slow games can wait {count} more day (45 a year at most).",
                    "Slow games can wait {count} more days (45 a year at most).",
                    days,
                ),
            )
    friends: dict[int, list[Table]] = {}
    for table in tables:
        if (friend := table.friend_of(prefers.user_id)) is not None:
            friends.setdefault(friend, []).append(table)
    text = _with_games(language, text, [table for table in tables if table.friend_of(prefers.user_id) is None])
    return stack(text, *(_still_plays(language, friend, played) for friend, played in friends.items()))


def _still_plays(language: Language, friend: int, tables: Sequence[Table]) -> str:
    codes = language.listed(bold(table.code) for table in tables)
    return language.t("{user} is still playing for you at {codes}.", user=user(friend), codes=codes)


def away_status(language: Language, prefers: Preferences) -> str:
    """Say until when the person is away, if they are."""
    if prefers.away_until is None:
        return language.t("You aren't away. How long will you be gone?")
    return away_set(language, prefers, ())


no_end = said("Give a return date. For a single game, use `/dog table friend`.")
never_away = said("You aren't away.")
"""The answer to a person who says that they are back."""


def back(language: Language, tables: Sequence[Table]) -> str:
    """Say that the person is back, and plays at these tables again."""
    return _with_games(language, language.t("Welcome back! You're no longer away."), tables)


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
        look = language.t("Your boards and hands use each table's theme.")
    else:
        look = language.t("Your boards and hands use the theme {look}.", look=bold(look_name(language, prefers.theme)))
    if prefers.as_public:
        return sentences(look, language.t("Your private boards face the same way as the public one."))
    return sentences(look, language.t("Your private boards have your side at the bottom."))


def language_status(language: Language, prefers: Preferences) -> str:
    """Say that the person is answered in `language`, and why others may read another."""
    name = bold(own_name(language.code))
    if prefers.language is None:
        status = language.t("What only you see: {language}, the same as your Discord.", language=name)
    else:
        status = language.t("What only you see: {language}, as you chose.", language=name)
    return sentences(status, language.t("What everyone sees: the table's language."))


def hours(first: int, last: int) -> str:
    """Return a span of quiet hours (minutes of the day), as a choice."""
    return f"{_time(first)} – {_time(last)}"


def no_time_zone(language: Language) -> str:
    """Say that quiet hours need a time zone."""
    return language.t("I need your time zone, too: pick {option} from the list.", option=option(language, "time_zone"))


# The person's own data


def privacy(language: Language, prefers: Preferences, keep_days: int) -> str:
    """List what is stored about a person, why and for how long, and whether statistics show them."""
    t = language.t
    lines = [
        t("Your games: your id, your name there and your moves, so that games can go on and be replayed."),
        t("Results and ratings from those games, for `/dog stats` and `/dog leaderboard`."),
        t(
            "Your settings in `/dog me`, what you've learned, and my direct messages to you, until you "
            "change them or I forget you."
        ),
        language.n(
            "Names in finished games and the moderation log are deleted after {count} day. Bans stay until "
            "they're lifted.",
            "Names in finished games and the moderation log are deleted after {count} days. Bans stay until "
            "they're lifted.",
            keep_days,
        ),
        t("Nothing else: no messages from others, and nothing you do elsewhere. None of it is shared."),
    ]
    return "\n".join([t("**What I store about you**"), *map(item, lines), listed(language, prefers)])


def listed(language: Language, prefers: Preferences) -> str:
    """Say whether statistics and leaderboards show the person."""
    if prefers.unlisted:
        return language.t("You're hidden from statistics and leaderboards on every server.")
    return language.t("You're shown in the statistics and leaderboards of servers where you play.")


blocked = said_of_user(
    "🔕 {user} is blocked: they can't invite you, join tables you host, or be matched with you. They aren't told."
)

no_invitations = said("🔕 You won't get any more invitations. You can still join tables, and look for one.")
"""The answer to a person who wants no invitations."""

invitations = said("🔔 People can invite you to tables again.")

unblocked = said_of_user("{user} isn't blocked any more.")


def blocked_list(language: Language, users: Sequence[int], prefers: Preferences) -> str:
    """List whom a person has blocked; and say if no one can invite them."""
    uninvited = no_invitations(language) if prefers.uninvited else ""
    if not users:
        return stack(language.t("Your block list is empty. Block a player: `/dog me block` with a name."), uninvited)
    people = language.listed(map(user, users))
    return stack(
        language.t("🔕 Blocked: {people}. To unblock one, use `/dog me block` with the name.", people=people), uninvited
    )


exported = said("Everything I store about you:")
forget_first = said(
    "Forget you? Computers take your seats in running games, and you lose the rated ones. Your name "
    "is removed from finished games. Your settings, ratings and statistics are deleted. You can't "
    "undo this."
)
forget_again = said("Are you sure? Nothing will link your games to you any more.")
forgotten = said("I've forgotten you. If you play again, you start from scratch.")
