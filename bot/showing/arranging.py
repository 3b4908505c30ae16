"""The menus with which a lobby's host changes the game, in private."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

from bot.languages import Language
from bot.rights import Deed
from bot.showing.panels import Panel, Reply, line
from bot.showing.presses import Press
from bot.table import PACES, Table
from bot.texts import buttons, lobbies
from bot.texts.names import pace_name, system_name
from engine import SYSTEMS


class Part(Enum):
    """What of the terms a menu or button changes."""

    SYSTEM = auto()
    PLAYERS = auto()
    PACE = auto()
    HINTS = auto()
    TALK = auto()


class Arrange(Press, verb="arrange", deed=Deed.SET_TERMS, menu="value"):
    """Change a part of the terms: to a system or pace by its index, to so many players, on (1) or off (0)."""

    part: Part
    value: int | None = None

    def changes(self) -> dict[str, Any] | None:
        """What it changes, by the names of `Terms`; None if the value stands for nothing."""
        value = self.value
        if value is None:
            return None
        match self.part:
            case Part.SYSTEM:
                return {"system": tuple(SYSTEMS)[value]} if value < len(SYSTEMS) else None
            case Part.PLAYERS:
                return {"players": value}
            case Part.PACE:
                return {"pace": tuple(PACES)[value]} if value < len(PACES) else None
            case Part.HINTS:
                return {"hints": bool(value)}
            case Part.TALK:
                return {"talk": bool(value)}


def arranging(language: Language, table: Table) -> Reply:
    """The menus of a lobby's host; each says what it is set to."""
    terms, panel = table.terms, Panel()
    systems = [
        line(system_name(language, key), index, language.t(lobbies.SYSTEM_KINDS.get(key, "")))
        for index, key in enumerate(SYSTEMS)
    ]
    panel.menu(system_name(language, terms.system), Arrange(table.id, Part.SYSTEM), systems, row=0)
    players = [line(lobbies.players_option(language, one), one) for one in SYSTEMS[terms.system].players]
    panel.menu(lobbies.players_option(language, terms.players), Arrange(table.id, Part.PLAYERS), players, row=1)
    paces = [line(pace_name(language, key), index) for index, key in enumerate(PACES)]
    panel.menu(pace_name(language, terms.pace), Arrange(table.id, Part.PACE), paces, row=2)
    hints, talk = not terms.hints, not terms.talk
    label = buttons.HINTS_ON if hints else buttons.HINTS_OFF
    panel.button(language.t(label), Arrange(table.id, Part.HINTS, int(hints)), emoji="💡", row=4)
    label = buttons.TALK_ON if talk else buttons.TALK_OFF
    panel.button(language.t(label), Arrange(table.id, Part.TALK, int(talk)), emoji="💬", row=4)
    return Reply(lobbies.arranging(language, table), panel)
