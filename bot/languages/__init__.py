"""Languages: every text for people passes through here, from the English source to the reader's language.

The English text is the key. Translations are gettext catalogues, `locales/<language>.po`; `known` has a row for each
language. What is not translated is shown in English. Texts name what they fill in:
`language.t("{who} plays {card}.", who=..., card=...)`. They name a command as it is typed in English, in code marks
("`/dog hand` shows your cards"); readers see it as something to click. The names of commands and options have the
contexts `COMMAND` and `OPTION`. Lists, numbers and spans of time are written as Babel knows them of each language.
"""

from __future__ import annotations

import gettext
import io
import logging
import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Literal, overload

from babel import Locale, UnknownLocaleError
from babel.dates import format_timedelta
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from babel.numbers import format_decimal, format_percent

from bot.languages import direction
from bot.languages.known import LANGUAGES

log = logging.getLogger(__name__)

LOCALES = Path(__file__).resolve().parents[2] / "locales"
ENGLISH = "en"
COMMAND, OPTION = "command", "option"
"""The contexts of the names of commands and of their options, which people type."""

_COMMAND = re.compile(r"`/(?P<group>dog(?:-admin)?)(?P<rest>(?: [a-z]+)+)(?: (?P<option>[a-z_]+):(?P<value>[^` ]*))?`")

_ORDINAL = re.compile(r"^(\{\w+\})\. ")
"""A number that a translation begins with ("3. forduló"); Discord would take it for a list, without a word joiner."""

_command_ids: dict[str, int] = {}
"""The ids of the command groups, by name, as last reported by Discord; the same for all languages."""


class BrokenCatalogue(Exception):
    """A file of translations cannot be read. The text is for the person who runs the bot."""


def learn_commands(ids: Mapping[str, int]) -> None:
    """Remember the ids of the command groups by name, so that texts mention commands; without any they are typed."""
    _command_ids.clear()
    _command_ids.update(ids)


@overload
def mark(text: str, /) -> str: ...
@overload
def mark(text: str, plural: str, /) -> tuple[str, str]: ...
@overload
def mark(text: str, /, *, context: str) -> tuple[str, str]: ...
def mark(text: str, plural: str | None = None, /, *, context: str | None = None) -> str | tuple[str, str]:
    """Mark a text for the catalogues where it is written, to be translated later; imported as `_`.

    Return the text for `Language.t`, the text and its plural for `Language.n`, or the context and the text for
    `Language.p`.
    """
    if context is not None:
        return context, text
    return text if plural is None else (text, plural)


class Language:
    """A language with its code (`de`, `pt_BR`) and its catalogue; without one it is plain English.

    Texts are filled in as by `str.format`, by name only; a literal brace is doubled. A translation that cannot be
    filled in is a mistake in the catalogue: it is logged, and the English text is shown.
    """

    def __init__(self, code: str, catalogue: gettext.NullTranslations | None = None) -> None:
        self.code = code
        self._locale = _locale(code)
        self.is_leftward = self._locale.text_direction == "rtl"
        self._catalogue = catalogue or gettext.NullTranslations()

    def t(self, text: str, /, **values: object) -> str:
        """Return the text in this language, with `values` filled in."""
        return self._fill(self._catalogue.gettext(text) if text else "", text, values)

    def n(self, singular: str, plural: str, count: int, /, *, context: str | None = None, **values: object) -> str:
        """Return the text for this many (as used in `context`, if given), with `count` and `values` filled in."""
        forms = singular, plural, count
        translated = self._catalogue.npgettext(context, *forms) if context else self._catalogue.ngettext(*forms)
        return self._fill(translated, singular if count == 1 else plural, {"count": self.number(count), **values})

    def tn(self, text: str | tuple[str, str], count: int, /, **values: object) -> str:
        """Return a marked text, or that of its two forms which is for this many, with `values` filled in."""
        if isinstance(text, str):
            return self.t(text, count=count, **values)
        return self.n(*text, count, context=None, **values)

    def p(self, context: str, text: str, /, **values: object) -> str:
        """Return the text as used in `context`: a word with several translations, or part of the sentence it names."""
        return self._fill(self._catalogue.pgettext(context, text), text, values)

    def find(self, text: str, context: str | None = None) -> str | None:
        """Return the translation of a text exactly as it is in the catalogue, or None if there is none."""
        translated = text and (self._catalogue.pgettext(context, text) if context else self._catalogue.gettext(text))
        return None if translated == text or not translated else translated

    def listed(self, items: Iterable[str], kind: Literal["standard", "or"] = "standard") -> str:
        """Return a list in words: a, b and c; or, with `or`, a, b or c."""
        listing = format_list([str(self._part(item)) for item in items], kind, self._locale)
        known = LANGUAGES.get(self._locale.language)
        for hard, soft in known.soft if known else ():
            listing = hard.sub(soft, listing)
        return listing

    def point(self, what: str, place: str) -> str:
        """Return something with an arrow from it to its place, in the direction of this language."""
        line = f"{self._part(what)} ➜ {self._part(place)}"
        return direction.keep_leftward(direction.turn_arrows(line)) if self.is_leftward else line

    def number(self, value: float) -> str:
        """Return a number: 1,494 or 1.6."""
        return format_decimal(value, locale=self._locale)

    def change(self, value: float) -> str:
        """Return a whole number with its sign: +14."""
        return format_decimal(value, "+#,##0;-#,##0", self._locale)

    def percent(self, share: float) -> str:
        """Return a share (0 to 1) in whole percent: 48%."""
        return format_percent(share, locale=self._locale)

    def span(self, seconds: float, least: Literal["minute", "second"] = "second") -> str:
        """Return a span of time, roughly, in its largest unit, which is not below `least`: 3 hours."""
        return format_timedelta(timedelta(seconds=seconds), least, _MANY, locale=self._locale)

    def _fill(self, translated: str, source: str, values: dict[str, object]) -> str:
        if translated != source:
            if translated.startswith("{") and not source.startswith("{"):
                translated = _ORDINAL.sub("\\1\u2060. ", translated)
            if self.is_leftward:
                translated = direction.mark_moves(translated)
                values = {name: self._part(value) for name, value in values.items()}
            try:
                filled = self._with_commands(translated.format(**values))
                return direction.keep_leftward(filled) if self.is_leftward else filled
            except (LookupError, ValueError, AttributeError):
                log.error("the %s translation of %r cannot be filled in", self.code, source)
        return self._with_commands(source.format(**values))

    def _part(self, value: object) -> object:
        """Return a part of a text: marked if it reads the other way."""
        return direction.embed(value) if self.is_leftward else value

    def _with_commands(self, text: str) -> str:
        """Return a text with its commands as mentions or, while their ids are unknown, as typed in this language."""
        return _COMMAND.sub(self._command, text) if "`/dog" in text else text

    def _command(self, found: re.Match[str]) -> str:
        group, rest = found["group"], found["rest"]
        if group in _command_ids:
            named, option = f"</{group}{rest}:{_command_ids[group]}>", self._option(found)
            return str(self._part(f"{named} `{option}`" if option else named))
        words = (self.find(word, COMMAND) or word for word in (group, *rest.split()))
        return str(self._part("`/" + " ".join(filter(None, (*words, self._option(found)))) + "`"))

    def _option(self, found: re.Match[str]) -> str:
        """Return the option that is typed after a command, with its value."""
        name = found["option"]
        return f"{self.find(name, OPTION) or name}:{found['value']}" if name else ""


_MANY = 1.6
"""From this many of a unit on, a span of time is told in it."""


def _locale(code: str) -> Locale:
    """Return Babel's locale of a language, British English if it is unknown."""
    try:
        # The texts are British: "a, b and c".
        return Locale.parse("en_GB" if code == ENGLISH else code)
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en_GB")


def available(root: Path | None = None) -> tuple[str, ...]:
    """Return the codes of the languages that people are offered, English first. `root`: the folder of catalogues."""
    return (ENGLISH, *sorted(path.stem for path in (root or LOCALES).glob("*.po") if path.stem in _offered))


_offered = {code for code, known in LANGUAGES.items() if known.is_listed}


def offer(code: str) -> None:
    """Offer a language that is not listed, in this process: to those who try it."""
    _offered.add(code)
    _language.cache_clear()


def language_for(locale: object, root: Path | None = None) -> Language:
    """Return the language for a Discord locale (`es-ES`, `pt-BR`, or a `discord.Locale`); English if there is none.

    A locale without its own catalogue uses that of its base language. Raises `BrokenCatalogue`.
    """
    return _language(str(locale or ENGLISH).replace("-", "_"), root or LOCALES)


def read_all() -> None:
    """Read all catalogues, so that none is read in the middle of a game: each takes some 50 ms."""
    for code in available():
        language_for(code)


def own_name(locale: str) -> str:
    """Return the own name of the language for a locale, offered or not, as in a list: Deutsch, Español."""
    return _own_name(locale if locale in LANGUAGES else language_for(locale).code)


@lru_cache(maxsize=64)
def _own_name(code: str) -> str:
    try:
        name = Locale.parse(code).get_display_name(code) or code
    except UnknownLocaleError:
        name = code
    return name[:1].upper() + name[1:]


def find_code(typed: str) -> str | None:
    """Return the code of the available language with this code or own name; None if there is none."""
    wanted = typed.strip().casefold()
    return next((code for code in available() if wanted in (code.casefold(), own_name(code).casefold())), None)


@lru_cache(maxsize=256)
def _language(locale: str, root: Path) -> Language:
    codes = available(root)
    code = next((code for code in (locale, locale.partition("_")[0]) if code in codes), ENGLISH)
    return _read(code, root)


@lru_cache(maxsize=64)
def _read(code: str, root: Path) -> Language:
    path = root / f"{code}.po"
    if not path.exists():
        return Language(code)
    compiled = io.BytesIO()
    try:
        with path.open("rb") as file:
            write_mo(compiled, read_po(file, locale=code, abort_invalid=True))
    except (PoFileError, UnicodeError) as problem:
        raise BrokenCatalogue(f"{path} cannot be read ({problem}): install this version of the bot again.") from None
    compiled.seek(0)
    return Language(code, gettext.GNUTranslations(compiled))
