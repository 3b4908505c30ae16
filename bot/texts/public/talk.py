"""Table talk: what players may say to each other, from a list that says nothing about cards."""

from __future__ import annotations

from bot.languages import Language
from bot.languages import mark as _
from bot.texts.names import said

PHRASES = {
    "hello": _("👋 Hello, everybody!"),
    "luck": _("🎲 Good luck!"),
    "well": _("👍 Well played!"),
    "thanks": _("🙋 Thanks, partner!"),
    "sorry": _("👎 Sorry about that."),
    "mean": _("👎 That was mean."),
    "wow": _("🏆 What a turn!"),
    "oops": _("💡 Oops."),
    "hmm": _("💡 Hmm, let me think."),
    "time": _("⏳ Take your time."),
    "soon": _("⏳ Back in a moment."),
    "there": _("💤 Is anybody there?"),
    "woof": _("💬 Woof!"),
    "howl": _("💬 Aaaooouuu!"),
    "never": _("🏳️ We are not beaten yet."),
    "again": _("🔁 Shall we play again after this?"),
    "night": _("🌙 Good night, see you tomorrow."),
    "game": _("🏁 Good game!"),
}
"""What can be said, by the word under which it is noted."""

ask = said("What do you want to say? Once a turn; everybody at the table reads it.")


def phrase(language: Language, key: object) -> str:
    """A phrase by the word under which it is noted; empty if there is none any more."""
    return language.t(PHRASES[key]) if isinstance(key, str) and key in PHRASES else ""
