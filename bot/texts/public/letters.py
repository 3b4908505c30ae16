"""Texts of direct messages (each names its game and its place), and for when they are closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.clocks import MOST_MISSED
from bot.languages import Language
from bot.languages import mark as _
from bot.occupants import StandInReason
from bot.table import Lost, Note, Table, Unseen
from bot.texts.markup import bold, channel, small
from bot.texts.moves import tell
from bot.texts.names import Names, SaidOfTable, option, said, said_of_table, sentences
from bot.texts.public import boards
from bot.texts.public.history import why_over
from bot.texts.public.lobbies import how_it_starts, you_start
from bot.texts.public.notices import end_of
from engine import Entry

_LOST: Mapping[str, str] = {
    Lost.GONE: _("⚠️ The channel of {code} is gone."),
    Lost.ARCHIVED: _("⚠️ {code}'s thread has been archived."),
    Lost.ACCESS: _("⚠️ I can't see {code}'s channel any more ({place})."),
    Lost.FILTERED: _("⚠️ AutoMod blocks my messages in {place}, where {code} is played."),
    Lost.TOO_LARGE: _("⚠️ {code}'s boards are too big for {place}."),
    Lost.REFUSED: _("⚠️ Discord refuses my messages in {place}, where {code} is played."),
    Lost.PERMISSIONS: _(
        "⚠️ I can't post in {place}, where {code} is played. Let me view the channel, send messages and attach files."
    ),
}

_FILTERED = said_of_table("⚠️ AutoMod blocks one of my messages in {place}, where {code} is played.")
_REFUSED = said_of_table("⚠️ Discord refuses one of my messages in {place}, where {code} is played.")
_FULL = said_of_table("🎲 {game}: all seats are taken.")
_YOUR_TURN = said_of_table("🎲 {game}: it's your turn.")
_STILL_YOUR_TURN = said_of_table("⏳ {game}: it's still your turn.")
_WON = said_of_table("🏆 {game} is over: you won!")
_LOST_GAME = said_of_table("🏁 {game} is over: you lost.")
_LEFT_GAME = said_of_table("🏁 {game} is over: you lost, because a computer finished it for you.")

closed = said(
    "✉️ I can't message you. Allow direct messages in the server's privacy settings, then choose `/dog me notify` again."
)
"""The answer in private to a player whose direct messages turned out to be closed."""

closed_here = said(
    "✉️ I can't message you, so I can't send you this game's boards. Allow direct messages on a "
    "server we share, or play with `/dog next`."
)
"""The same, to a player of a table that is played in direct messages."""


friend_asked = said_of_table(
    "{name} asks you to play for them at {code} until they're back. You'll see only their cards, and "
    "the result is theirs."
)


def _rated(text: str, cost: str) -> SaidOfTable:
    """Return a sentence with another one about what it costs, if the game is rated."""
    sentence = said_of_table(text)

    def told(language: Language, table: Table, seat: int | None = None, /) -> str:
        return sentences(sentence(language, table, seat), language.t(cost) if table.is_rated else "")

    told.__name__ = text
    return told


_LOST_ONCE_TAKEN = _("It's rated: you lose once your seat is taken.")

handed = _rated(
    _("🤖 {game}: a computer is playing for you now. Take your seat back with the button under the board."),
    _("It's rated: you lose unless you come back."),
)
taken = _rated(
    _("🪑 {game}: another player has taken over your seat."),
    _("It's rated, so you've lost this game."),
)
offer_asked = _rated(
    _("📣 {game}: the others want to offer your seat. Take it back to keep it."),
    _LOST_ONCE_TAKEN,
)
offered = _rated(_("📣 {game}: your seat is open to others. Take it back before it's gone."), _LOST_ONCE_TAKEN)
_SECOND_LATE = _("It's your second late turn in a row. After a third, a computer plays on for you.")
_SECOND_LOSES = _(
    "It's your second late turn in a row. After a third, a computer plays on for you. "
    "You then lose unless you come back."
)
_TIME_UP = said_of_table("⌛ {game}: your time is up. Play now, before a computer does.")
UNSEEN: Mapping[Unseen, SaidOfTable] = {
    Unseen.HIDDEN: said_of_table("🙈 {code}: it's your turn, but you can't see its channel. Play here."),
    Unseen.TIMED_OUT: said_of_table("🙈 {code}: it's your turn, but you're timed out on its server. Play here."),
}
"""The letter to a player who cannot see or answer a call in the channel."""

silent = said_of_table("💤 {game}: you haven't played in seven days. The others can let a computer play.")
partner_late = said_of_table("⌛ {game}: your partner's time is up. You can give more time, once.")
cancelled = said_of_table("🛑 {game} was cancelled and doesn't count.")
invited = said_of_table("📨 {game}: you're invited to play. Press {join} there.")
found = said_of_table("🔎 {game} fits what you're looking for. Press {join} there.")
freed = said_of_table("🪑 {game}: the host has removed you. You can come back only if they invite you.")
_NOT_JOINED = said_of_table("🔎 {code}: the others didn't join in time. I'll keep looking for one more day.")
_NOT_PLAYED = said_of_table("🔎 {code} was cancelled. I'll keep looking for one more day.")
_FREED_HERE = said("🪑 The host has removed you.")
_LEFT_HERE = said("🪑 You've left this table.")
_NUDGED = said_of_table("👋 {game}: the others are waiting for your move.")
_NUDGED_FOR_CARD = said_of_table("👋 {game}: the others are waiting for your card.")


def nudged(language: Language, table: Table, seat: int | None = None, /) -> str:
    """Tell players that the others wait for their move, or for their card."""
    return (_NUDGED_FOR_CARD if table.asks_for_cards else _NUDGED)(language, table, seat)


def your_turn(language: Language, table: Table, seat: int | None = None, /) -> str:
    """Return the turn notice, with the time left."""
    return _timed(_YOUR_TURN(language, table), table, seat)


def past_turn(language: Language, table: Table, entry: Entry | None) -> str:
    """Return what is left of a letter: its game, and what came of the turn; empty if that cannot be told."""
    sentences_of_turn = () if entry is None else tell(language, Names.of(table, language), (entry,))
    if not sentences_of_turn:
        return ""
    return f"{boards.title(language, table, None)}\n{small(' '.join(sentences_of_turn))}"


def looks_on(language: Language, table: Table) -> str:
    """Return that a search begins again, since a table that was to bring people together has ended."""
    in_time = table.expires_at is None or (table.ended_at or 0) < table.expires_at
    return (_NOT_PLAYED if in_time else _NOT_JOINED)(language, table)


def past_seat(language: Language, table: Table, *, freed: bool) -> str:
    """Return what is left of a lobby's letter to a person who has left, or whose seat the host has `freed`."""
    sentence = _FREED_HERE if freed else _LEFT_HERE
    return f"{boards.title(language, table, None)}\n{small(sentence(language))}"


def full(language: Language, table: Table, seat: int | None = None, /) -> str:
    """Return that all seats of a lobby are taken, and how it starts, to its host in their own words."""
    hosts = seat is not None and table.occupants[seat].user_id == table.host_id
    return sentences(_FULL(language, table), (you_start if hosts else how_it_starts)(language, table))


def time_up(language: Language, table: Table, seat: int | None = None, /) -> str:
    """Return that the reader's time is up, and what the third missed turn in a row costs, one turn before too."""
    sentence = _TIME_UP(language, table)
    who = None if seat is None else table.occupants[seat]
    if who is None:
        return sentence
    counts = table.is_rated and who.why is not StandInReason.FRIEND
    if who.missed + 2 == MOST_MISSED:
        return sentences(sentence, language.t(_SECOND_LOSES if counts else _SECOND_LATE))
    if who.missed + 1 < MOST_MISSED:
        return sentence
    if counts:
        return sentences(sentence, language.t("Then a computer keeps your seat. It's rated: come back, or you lose."))
    return sentences(sentence, language.t("Then a computer keeps your seat until you come back."))


def reminded(language: Language, table: Table, seat: int | None = None, /) -> str:
    """Return the reminder by direct message."""
    return _timed(_STILL_YOUR_TURN(language, table), table, seat)


def lost(language: Language, table: Table, seat: int | None = None, /) -> str:
    """Say why the game's channel cannot be used, and what to do; a friend who plays for a player cannot move it."""
    reason = _LOST[table.lost or Lost.ACCESS]
    reason_said = language.t(reason, code=bold(table.code), place=channel(table.channel_id))
    if seat is not None and table.occupants[seat].why is StandInReason.FRIEND:
        return reason_said
    safe = language.t(
        "Nothing is lost, and all clocks are stopped. Move the game: `/dog table move` with {option}.",
        option=option(language, "game", table.code),
    )
    return sentences(reason_said, safe)


def unsaid(reason: Lost) -> SaidOfTable:
    """Return that Discord has refused a message at a table that would have called the reader, for this reason."""
    sentence = _FILTERED if reason is Lost.FILTERED else _REFUSED

    def said_so(language: Language, table: Table, seat: int | None = None, /) -> str:
        return sentences(sentence(language, table), language.t("The board shows where the game stands."))

    return said_so


def ended(language: Language, table: Table, seat: int | None = None, /) -> str:
    """Say that the game is over, and how."""
    who = None if seat is None else table.occupants[seat]
    if who is not None and table.is_rated and who.plays is None and who.why is not StandInReason.AWAY:
        return _LEFT_GAME(language, table)
    won = seat in table.won or (table.game is not None and seat in table.game.winners)
    return _WON(language, table) if won else _LOST_GAME(language, table)


def because(said: SaidOfTable, notes: Iterable[Note]) -> SaidOfTable:
    """Return what is said to a player at the end of a game, with the reason if it was not played out."""

    def told(language: Language, table: Table, seat: int | None = None, /) -> str:
        return sentences(said(language, table, seat), why_over(language, table, notes))

    told.__name__ = said.__name__
    return told


def _timed(said: str, table: Table, seat: int | None) -> str:
    """Return a sentence, followed by the reader's time left if their clock is running."""
    clock = None if seat is None else table.clocks.get(seat)
    if clock is None or clock.ends_at is None:
        return said
    return sentences(said, f"⏳ {end_of(clock)}")
