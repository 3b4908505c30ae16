"""What direct messages say; each names its game, and where it is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.languages import Language
from bot.languages import mark as _
from bot.table import Table
from bot.texts.clock import until

Sentence = Callable[[Language, Table], str]

_LOST: Mapping[str, str] = {
    "gone": _("⚠️ The channel of **{code}** is gone."),
    "archived": _("⚠️ The thread of **{code}** is archived."),
    "access": _("⚠️ I can no longer see the channel of **{code}** (<#{channel}>)."),
    "permissions": _(
        "⚠️ I cannot post in <#{channel}>, where **{code}** is played: I need to view the channel, send messages and "
        "attach files there."
    ),
}


def your_turn(language: Language, table: Table) -> str:
    """The turn notice, with the time that is left."""
    ends = [clock.ends_at for clock in table.clocks.values() if clock.ends_at is not None]
    said = language.t("🎲 **{code}** in <#{channel}>: it is your turn.", code=table.code, channel=table.channel_id)
    return _timed(language, said, ends)


def new_hand(language: Language, table: Table) -> str:
    """The cards have been dealt."""
    return language.t("🃏 **{code}** in <#{channel}>: your new hand.", code=table.code, channel=table.channel_id)


def lost(language: Language, table: Table) -> str:
    """Why the game's place cannot be used, and what to do."""
    reason = _LOST.get(table.lost or "", _LOST["access"])
    told = language.t(reason, code=table.code, channel=table.channel_id)
    safe = language.t("Nothing is lost and no clock runs: `/dog move` takes the game to another channel.")
    return f"{told} {safe}"


def reminded(language: Language, table: Table) -> str:
    """The reminder by direct message."""
    ends = [clock.ends_at for clock in table.clocks.values() if clock.ends_at is not None]
    said = language.t(
        "⏳ **{code}** in <#{channel}>: it is still your turn.", code=table.code, channel=table.channel_id
    )
    return _timed(language, said, ends)


def handed(language: Language, table: Table) -> str:
    """A computer plays the reader's seat now."""
    return language.t(
        "🤖 **{code}** in <#{channel}>: a computer plays for you now. "
        "Take your seat back with the button under the board.",
        code=table.code,
        channel=table.channel_id,
    )


def back(language: Language, table: Table) -> str:
    """The reader's time away is over, and it is their turn."""
    return language.t(
        "🏖️ **{code}** in <#{channel}>: welcome back, it is your turn.", code=table.code, channel=table.channel_id
    )


def nudged(language: Language, table: Table) -> str:
    """Somebody at the table waits for the reader."""
    return language.t(
        "👋 **{code}** in <#{channel}>: the others wait for your move.", code=table.code, channel=table.channel_id
    )


def _timed(language: Language, said: str, ends: Sequence[int]) -> str:
    """A sentence, and until when there is time, if a clock runs."""
    if not ends:
        return said
    left = language.t("Time runs out {when}.", when=until(min(ends)))
    return f"{said} {left}"
