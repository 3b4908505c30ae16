"""How commands are written in sentences: as clickable mentions if Discord has told us their ids, else as typed.

Texts name a command in English, in code marks: "`/dog hand` shows your cards". Everything that is said goes through
`written`, the one place that turns this into the command in the reader's language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_COMMAND = re.compile(r"`/(?P<group>dog(?:-admin)?)(?P<rest>(?: [a-z]+)+)`")

_ids: dict[str, int] = {}
"""The ids of the command groups, by name, as last reported by Discord; the same for all languages."""


def learn(ids: Mapping[str, int]) -> None:
    """Remember the ids of the commands; an empty mapping forgets them, so that commands are written as typed."""
    _ids.clear()
    _ids.update(ids)


def written(text: str, translate: Callable[[str], str | None]) -> str:
    """A text with its commands as mentions, or by their names in the reader's language (`translate`; None: English)."""
    if "`/dog" not in text:
        return text

    def one(found: re.Match[str]) -> str:
        group, rest = found["group"], found["rest"]
        if group in _ids:
            return f"</{group}{rest}:{_ids[group]}>"
        return "`/" + " ".join(translate(word) or word for word in (group, *rest.split())) + "`"

    return _COMMAND.sub(one, text)
