"""The house rules that a table can choose (rules, section 13; cousins, "Options"); what they change: `house.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from engine.errors import SetupError


class Teams(StrEnum):
    """Other teams than the usual ones."""

    ALONE = "alone"
    """Each seat plays alone."""
    TWO = "two"
    """Two teams of every other seat."""


@dataclass(frozen=True)
class Options:
    """The house rules chosen for a game, off unless said."""

    canadian_seven: bool = False
    """A seven may be shared among own and partners' pieces at any time."""
    no_exchange: bool = False
    """No cards change hands after the deal."""
    no_joker_finish: bool = False
    """The last piece of a side may not come home by a joker."""
    stuck_discard_one: bool = False
    """A seat that cannot play discards one card and stays in."""
    quick: bool = False
    """Each side begins with one piece on its start, not fresh."""
    open_hands: bool = False
    """All seats see all hands."""
    own_safe: bool = False
    """Own and partners' pieces cannot be taken."""
    four_forward: bool = False
    """A card that only goes back may go forward too."""
    pass_own: bool = False
    """Pieces may pass others of their side."""
    pass_pairs: bool = False
    """Pieces may pass two that stand on neighbouring spaces."""
    starter_stays: bool = False
    """The seat that starts changes only after three rounds."""
    complex: bool = False
    """The complex game of the system: some cards do more."""
    teams: Teams | None = None

    @classmethod
    def from_json(cls, data: object) -> Options:
        """Read options from a JSON object; None means no options. Raises SetupError."""
        if data is None:
            return cls()
        if not isinstance(data, Mapping):
            raise SetupError("options", "must be an object")
        read: dict[str, Any] = {}
        for key, value in data.items():
            if not isinstance(key, str) or key not in cls.names():
                raise SetupError("options", f"unknown option {str(key)[:40]!r}")
            if key == "teams":
                if value is not None and value not in list(Teams):
                    raise SetupError("options.teams", f"must be one of {', '.join(Teams)}")
                read[key] = None if value is None else Teams(value)
            elif not isinstance(value, bool):
                raise SetupError(f"options.{key}", "must be true or false")
            else:
                read[key] = value
        return cls(**read)

    @classmethod
    def from_words(cls, words: str) -> Options:
        """Read options from a text such as `quick teams=two`, as on the command line; raises SetupError."""
        pairs = (word.partition("=") for word in words.split())
        return cls.from_json({name: value if is_set else True for name, is_set, value in pairs})

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all options."""
        return tuple(item.name for item in fields(cls))

    def to_json(self) -> dict[str, Any]:
        """Return the options that are on, as a JSON object."""
        return {name: True if value is True else str(value) for name in self.names() if (value := getattr(self, name))}
