"""What direct messages say (each names its game, and where it is played), and what is said if they are closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.languages import Language
from bot.languages import mark as _
from bot.table import Lost, Table
from bot.texts.boards import runs_out
from bot.texts.markup import bold, channel, fixed
from bot.texts.names import sentences

Sentence = Callable[[Language, Table, int | None], str]
"""What is said about a table to the person on a seat (None: they no longer have one)."""

_LOST: Mapping[str, str] = {
    Lost.GONE: _("⚠️ The channel of {code} is gone."),
    Lost.ARCHIVED: _("⚠️ The thread of {code} is archived."),
    Lost.ACCESS: _("⚠️ I can no longer see the channel of {code} ({place})."),
    Lost.PERMISSIONS: _(
        "⚠️ I cannot post in {place}, where {code} is played: I need to view the channel, send messages and "
        "attach files there."
    ),
}


def your_turn(language: Language, table: Table, seat: int | None) -> str:
    """The turn notice, with the time left."""
    said = language.t("🎲 {code} in {place}: it is your turn.", code=bold(table.code), place=channel(table.channel_id))
    return _timed(language, said, table, seat)


def new_hand(language: Language, table: Table, seat: int | None) -> str:
    """The cards have been dealt."""
    return language.t("🃏 {code} in {place}: your new hand.", code=bold(table.code), place=channel(table.channel_id))


def lost(language: Language, table: Table, seat: int | None) -> str:
    """Why the game's channel cannot be used, and what to do."""
    reason = _LOST[table.lost or Lost.ACCESS]
    told = language.t(reason, code=bold(table.code), place=channel(table.channel_id))
    safe = language.t(
        "Nothing is lost and no clock runs: `/dog move` with {option} takes the game to another channel.",
        option=fixed(f"{language.t('game')}:{table.code}"),
    )
    return sentences(told, safe)


def ended(language: Language, table: Table, seat: int | None) -> str:
    """The game is over, and how."""
    place = channel(table.channel_id)
    if seat in table.won or (table.game is not None and seat in table.game.winners):
        return language.t(
            "🏆 {code} in {place} is over: you won!", code=bold(table.code), place=channel(table.channel_id)
        )
    return language.t("🏁 {code} in {place} is over: you lost.", code=bold(table.code), place=place)


def reminded(language: Language, table: Table, seat: int | None) -> str:
    """The reminder by direct message."""
    said = language.t(
        "⏳ {code} in {place}: it is still your turn.",
        code=bold(table.code),
        place=channel(table.channel_id),
    )
    return _timed(language, said, table, seat)


def handed(language: Language, table: Table, seat: int | None) -> str:
    """A computer plays the reader's seat now."""
    return language.t(
        "🤖 {code} in {place}: a computer plays for you now. Take your seat back with the button under the board.",
        code=bold(table.code),
        place=channel(table.channel_id),
    )


def taken(language: Language, table: Table, seat: int | None) -> str:
    """Somebody else has the reader's seat now."""
    return language.t(
        "🪑 {code} in {place}: somebody else has taken over your seat and plays on.",
        code=bold(table.code),
        place=channel(table.channel_id),
    )


def nudged(language: Language, table: Table, seat: int | None) -> str:
    """Somebody at the table is waiting for the reader."""
    return language.t(
        "👋 {code} in {place}: the others are waiting for your move.",
        code=bold(table.code),
        place=channel(table.channel_id),
    )


def closed(language: Language) -> str:
    """Said in private to somebody whose direct messages turned out to be closed."""
    return language.t(
        "✉️ You do not accept direct messages from me, so I send none. Allow them in the server's privacy settings and "
        "choose `/dog notify` again."
    )


def _timed(language: Language, said: str, table: Table, seat: int | None) -> str:
    """A sentence, followed by how long the reader has if their clock is running."""
    clock = None if seat is None else table.clocks.get(seat)
    if clock is None or clock.ends_at is None:
        return said
    return sentences(said, runs_out(language, clock.ends_at))
