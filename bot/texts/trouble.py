"""What is wrong with the database, for people on Discord: the kind of trouble, without any path or address."""

from __future__ import annotations

from collections.abc import Mapping

from bot.languages import Language
from bot.languages import mark as _
from bot.storage import Fault
from bot.storage import faults as kinds

_HELD = _("Another program holds the bot's database.")

_KINDS: Mapping[type[Fault], str] = {
    kinds.DatabaseFull: _("The bot's disk is full."),
    kinds.DiskTrouble: _("The bot's disk is failing."),
    kinds.DatabaseLocked: _HELD,
    kinds.DatabaseInUse: _HELD,
    kinds.DatabaseReadOnly: _("The bot may not write to its database."),
    kinds.DatabaseUnreachable: _("The bot's database server does not answer."),
    kinds.DatabaseRefused: _("The bot's database server refuses it."),
    kinds.DatabaseDamaged: _("The bot's database is damaged."),
    kinds.DatabaseForeign: _("The bot's database belongs to another program."),
    kinds.DatabaseGone: _("The bot's database was removed or replaced."),
}


def why(language: Language, fault: Fault) -> str:
    """What is wrong, in a sentence."""
    return language.t(_KINDS.get(type(fault), _("The bot's database is in trouble.")))


def refused(language: Language, fault: Fault) -> str:
    """Said to somebody who asked for something that could not be saved."""
    return language.t(
        "Games cannot be saved right now, so nothing was changed. {why} Please try again in a minute.",
        why=why(language, fault),
    )


def line(language: Language, fault: Fault | None) -> str:
    """For moderators, above what they asked for; empty while all is well."""
    if fault is None:
        return ""
    return language.t(
        "⚠️ **Games cannot be saved at present.** {why} The bot's log says how to fix it.",
        why=why(language, fault),
    )
