"""The languages in which texts are measured: each text in its longest, so that one more language costs nothing.

`make languages` sets EVERY_LANGUAGE and measures in every language itself; with codes in it (`LOCALE=fr`), in these,
listed or not.
"""

import os
from collections.abc import Callable, Iterable
from typing import Any, Literal

from bot.languages import LOCALES, Language, available, language_for, offer
from bot.languages.known import LANGUAGES
from tools import catalogues

WHOLE = "EVERY_LANGUAGE" in os.environ
NAMED = [code for code in os.environ.get("EVERY_LANGUAGE", "").split(",") if code in LANGUAGES]
for _code in NAMED:
    offer(_code)


def spoken() -> tuple[str, ...]:
    """The codes of the languages that are looked at one by one, other than English."""
    return tuple(NAMED) or available()[1:]


class Longest(Language):
    """Says each text in the language in which it has the most characters."""

    def __init__(self, codes: Iterable[str]) -> None:
        super().__init__("en")
        self._languages = [language_for(code) for code in codes]

    def _longest(self, say: Callable[[Language], str]) -> str:
        return max(map(say, self._languages), key=len)

    def t(self, text: str, /, **values: object) -> str:
        return self._longest(lambda language: language.t(text, **values))

    def n(self, singular: str, plural: str, count: int, /, *, context: str | None = None, **values: object) -> str:
        return self._longest(lambda language: language.n(singular, plural, count, context=context, **values))

    def p(self, context: str, text: str, /, **values: object) -> str:
        return self._longest(lambda language: language.p(context, text, **values))

    def find(self, text: str, context: str | None = None) -> str | None:
        return self._longest(lambda language: language.find(text, context) or "") or None

    def listed(self, items: Iterable[str], kind: Literal["standard", "or"] = "standard") -> str:
        told = list(items)
        return self._longest(lambda language: language.listed(told, kind))

    def number(self, value: float) -> str:
        return self._longest(lambda language: language.number(value))

    def change(self, value: float) -> str:
        return self._longest(lambda language: language.change(value))

    def percent(self, share: float) -> str:
        return self._longest(lambda language: language.percent(share))

    def span(self, seconds: float, least: Literal["minute", "second"] = "second") -> str:
        return self._longest(lambda language: language.span(seconds, least))


MEASURED: list[Any] = list(map(language_for, NAMED or available())) if WHOLE else [Longest(available())]
IDS = list(NAMED or available()) if WHOLE else ["longest"]
"""The name of the tests of `MEASURED`."""


def longest_of(*files: str) -> list[Any]:
    """The language whose texts of these files are longest: for places where several stand together."""
    if WHOLE:
        return MEASURED
    template = catalogues.texts(catalogues.read(LOCALES / "dog.pot"))
    texts = [text for (_, text), found in template.items() if isinstance(text, str) and found.locations[0][0] in files]
    languages = map(language_for, available())
    return [max(languages, key=lambda language: sum(len(language.find(text) or text) for text in texts))]
