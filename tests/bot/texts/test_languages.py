"""Languages: looking texts up, filling them in, and the names of commands."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import discord
import pytest
from babel.messages.catalog import Catalog
from discord import app_commands
from discord.app_commands import TranslationContext, TranslationContextLocation

import cogs
from bot import languages
from bot.languages import LOCALES, Language, available, language_for, learn_commands
from bot.languages.commands import CatalogueTranslator
from bot.showing.emojis import dress, undress
from render.drawing.text import BOLD, UNKNOWN, clean, has_glyph
from tools import catalogues

GERMAN: list[tuple[str | tuple[str, str], str | tuple[str, str], str | None]] = [
    ("{who} plays {card}.", "{who} spielt {card}.", None),
    ("Round {number}", "{number}. Runde", None),
    (("{count} card", "{count} cards"), ("{count} Karte", "{count} Karten"), None),
    ("lane", "Zielgerade", "board"),
    ("hand", "blatt", "command"),
    ("hand", "karten", "option"),
    ("board", "Das Brett", "command"),
    ("board", "Das Brett", None),
    ("broken {name}", "kaputt {nome}", None),
    ("Say it.", "x" * 101, None),
]


@pytest.fixture
def locales(tmp_path: Path) -> Path:
    catalogue = Catalog(locale="de")
    for text, translated, context in GERMAN:
        catalogue.add(text, translated, context=context)
    catalogues.write(tmp_path / "de.po", catalogue)
    return tmp_path


def test_english_is_the_text_itself() -> None:
    english = language_for("en-GB")
    assert english.code == "en"
    assert english.t("{who} plays {card}.", who="Ann", card="K") == "Ann plays K."
    assert english.n("{count} card", "{count} cards", 1) == "1 card"
    assert english.n("{count} card", "{count} cards", 3) == "3 cards"
    assert english.p("board", "lane") == "lane"
    assert english.n("{count} lane", "{count} lanes", 2, context="board") == "2 lanes"
    assert english.t("") == ""


def test_unlisted_languages_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "_offered", languages._offered - {"fr"})
    languages._language.cache_clear()
    try:
        assert "fr" not in available()
        assert language_for(discord.Locale.french).code == "en"
        languages.offer("fr")
        assert language_for(discord.Locale.french).code == "fr"
    finally:
        monkeypatch.undo()
        languages._language.cache_clear()


def test_a_file_makes_a_language(locales: Path) -> None:
    assert available(locales) == ("en", "de")
    german = language_for(discord.Locale.german, locales)
    assert german.code == "de"
    assert german.t("{who} plays {card}.", who="Ann", card="K") == "Ann spielt K."
    assert german.n("{count} card", "{count} cards", 1) == "1 Karte"
    assert german.n("{count} card", "{count} cards", 0) == "0 Karten"
    assert german.t("Round {number}", number=3) == "3\u2060. Runde", "no list"
    assert german.p("board", "lane") == "Zielgerade"
    assert german.t("lane") == "lane"
    assert german.t("") == ""


@pytest.mark.parametrize(("locale", "code"), [("de-CH", "de"), ("fr", "en"), (None, "en"), ("", "en"), ("xx-YY", "en")])
def test_a_locale_gets_its_language_or_english(locales: Path, locale: str | None, code: str) -> None:
    assert language_for(locale, locales).code == code


def test_lists_numbers_and_spans_follow_the_language() -> None:
    english, german, hungarian = map(Language, ("en", "de", "hu"))
    assert english.listed(("a", "b", "c")) == "a, b and c"
    assert german.listed(("a", "b", "c"), "or") == "a, b oder c"
    spanish = Language("es")
    assert spanish.listed(("9", "imán")) == "9 e imán"
    assert spanish.listed(("7", "8"), "or") == "7 u 8"
    assert spanish.listed(("9", "comodín")) == "9 y comodín"
    assert (english.number(1494), german.number(1494), hungarian.number(1.6)) == ("1,494", "1.494", "1,6")
    assert (english.percent(0.48), german.percent(0.48)) == ("48%", "48\N{NO-BREAK SPACE}%")
    assert (english.change(14), german.change(-1400), english.change(0)) == ("+14", "-1.400", "+0")
    assert english.n("{count} game", "{count} games", 1480) == "1,480 games"
    assert [english.span(seconds) for seconds in (20, 90 * 60, 100 * 60, 86_400)] == [
        "20 seconds",
        "90 minutes",
        "2 hours",
        "24 hours",
    ]
    assert english.span(20, "minute") == "1 minute"
    assert Language("xx").listed(("a", "b")) == "a and b", "of a language that Babel does not know, as in English"


@pytest.fixture
def arabic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Language:
    catalogue = Catalog(locale="ar")
    for text, translated in (
        ("{who} plays {card}: {start} → {end}.", "لعب {who} {card}: {start} → {end}."),
        ("{count} spaces → {place}, +14", "{count} خانات → {place}, +14"),
        ("Open one with `/dog new`.", "افتح واحدة: `/dog new`."),
        ("ace", "إكة"),
    ):
        catalogue.add(text, translated)
    catalogues.write(tmp_path / "ar.po", catalogue)
    monkeypatch.setattr(languages, "_offered", {"ar"})
    return language_for("ar", tmp_path)


def test_parts_that_read_rightward_are_isolated(arabic: Language) -> None:
    """Between angle brackets here, for U+2066 and U+2069; a sentence between braces, with U+200F outside."""

    def seen(text: str) -> str:
        bare = re.sub("^\u200f\u2067(.*)\u2069\u200f$", "{\\1}", text, flags=re.MULTILINE)
        return bare.replace("\u2066", "<").replace("\u2069", ">").replace("\u2068", "«")

    told = arabic.t("{who} plays {card}: {start} → {end}.", who="Ann", card=arabic.t("ace"), start=4, end="P3")
    assert seen(told) == "{لعب <Ann> إكة: <4 → <P3>>.}"
    named = "\u2068أحمد\u2069"
    assert seen(arabic.t("{count} spaces → {place}, +14", count=3, place=named)) == "{3 خانات ← «أحمد>, <+14>}"
    assert seen(arabic.t("Open one with `/dog new`.")) == "{افتح واحدة: <`/dog new`>.}"
    bold = arabic.t("{count} spaces → {place}, +14", count=3, place="**ELK-4**")
    assert "**<ELK-4>**" in seen(bold), "the stars beside what they are for"
    assert seen(arabic.listed(("Ann", "إكة", "7"))) == "<Ann> وإكة و7"
    assert seen(arabic.point("Ann", "إكة")) == "{<Ann> ← إكة}"
    assert seen(arabic.t("Only in {place}.", place="<#7>")) == "Only in <#7>.", "a text that is shown in English"
    assert Language("de").listed(("Ann", "7")) == "Ann und 7", "in Arabic only"


def test_lines_of_messages_read_leftward(arabic: Language) -> None:
    told = arabic.t("Open one with `/dog new`.")
    message = f"**ELK-4** · {told}\n- {told}\n```\n17 18\n```\nEnglish"
    lines = dress(message).split("\n")
    assert lines[0] == f"\u200f\u2067**ELK-4** · {told}\u2069"
    assert lines[1] == f"- \u200f\u2067{told}\u2069"
    assert lines[2:] == ["```", "17 18", "```", "English"]
    assert undress(dress(message)) == message


def test_values_are_never_read_as_texts() -> None:
    assert language_for("en").t("Hello {name}", name="{who} {0} {{") == "Hello {who} {0} {{"


def test_a_broken_translation_shows_the_english_text(locales: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert language_for("de", locales).t("broken {name}", name="Ann") == "broken Ann"
    assert "cannot be filled in" in caplog.text


async def test_commands_are_translated_where_discord_takes_it(locales: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.languages.commands.language_for", lambda locale: language_for(locale, locales))
    translator = CatalogueTranslator()

    async def translated(text: str, where: TranslationContextLocation, locale: discord.Locale) -> str | None:
        context: Any = TranslationContext(location=where, data="")  # type: ignore[call-overload]
        return await translator.translate(app_commands.locale_str(text), locale, context)

    name, description = TranslationContextLocation.command_name, TranslationContextLocation.command_description
    german = discord.Locale.german
    assert await translated("hand", name, german) == "blatt"
    assert await translated("hand", TranslationContextLocation.parameter_name, german) == "karten"
    assert await translated("board", name, german) is None, "capitals and spaces would make the sync fail"
    assert await translated("board", description, german) == "Das Brett"
    assert await translated("Say it.", description, german) is None, "too long for a description"
    assert await translated("unknown", name, german) is None
    assert await translated("hand", name, discord.Locale.french) is None
    assert await translated("hand", name, discord.Locale.american_english) is None


async def test_text_that_lengthens_a_command_stays_english(locales: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Catalog(locale="fr")
    for text, translated in (("hand", "cartes"), ("hand", "main")):
        catalogue.add(text, translated, context="command" if translated == "cartes" else "option")
    catalogues.write(locales / "fr.po", catalogue)
    monkeypatch.setattr(languages, "_offered", {"de", "fr"})
    monkeypatch.setattr("bot.languages.commands.language_for", lambda locale: language_for(locale, locales))
    for where, wanted in (
        (TranslationContextLocation.command_name, None),
        (TranslationContextLocation.parameter_name, "main"),
    ):
        context: Any = TranslationContext(location=where, data="")  # type: ignore[call-overload]
        said = app_commands.locale_str("hand")
        assert await CatalogueTranslator().translate(said, discord.Locale.french, context) == wanted, "blatt, karten"


NAMED = re.compile(r"[-_'\w]{1,32}")
"""What Discord accepts as a name: letters and digits of any script."""


def longest(one: Mapping[str, Any], field: str) -> int:
    """The characters of a name or description in the language where it has the most."""
    return max(map(len, (one[field], *(one.get(f"{field}_localizations") or {}).values())))


def weight(node: Mapping[str, Any]) -> int:
    """The characters of a command or option, as Discord counts them: with everything in it, and its choices' values."""
    own = longest(node, "name") + longest(node, "description")
    choices = sum(longest(one, "name") + len(str(one["value"])) for one in node.get("choices") or ())
    return own + choices + sum(map(weight, node.get("options") or ()))


def refused(node: Mapping[str, Any], path: str, locales: Sequence[str]) -> Iterator[str]:
    """What Discord would refuse of the options of a command, or of the choices of an option."""
    for kind in ("options", "choices"):
        for locale in locales:
            named = [
                (one.get("name_localizations") or {}).get(locale, one["name"]).lower() for one in node.get(kind) or ()
            ]
            yield from (f"{path}: two {kind} {name!r} in {locale}" for name in set(named) if named.count(name) > 1)
            yield from (f"{path}: {name!r} in {locale}" for name in named if not 0 < len(name) <= 100)
            if kind == "options":
                yield from (f"{path}: {name!r} in {locale} is no name" for name in named if not NAMED.fullmatch(name))
    for one in node.get("options") or ():
        if longest(one, "description") > 100:
            yield f"{path} {one['name']}: its description is too long"
        yield from refused(one, f"{path} {one['name']}", locales)


def offered(node: Mapping[str, Any]) -> set[str]:
    """The locales for which a command or anything in it has a translation."""
    own = {locale for field in ("name", "description") for locale in node.get(f"{field}_localizations") or {}}
    return own.union(*map(offered, node.get("options") or ()))


async def test_discord_takes_the_commands_in_every_language(simcord_bot: Any, caplog: pytest.LogCaptureFixture) -> None:
    await cogs.setup(simcord_bot)
    tree = simcord_bot.tree
    payloads = [await one.get_translated_payload(tree, CatalogueTranslator()) for one in tree.get_commands()]
    assert not caplog.records, "no translation is left out"
    for payload in payloads:
        locales = sorted(offered(payload))
        # People choose a language that Discord lacks in the bot.
        theirs = {str(one).partition("-")[0] for one in discord.Locale}
        assert {locale.partition("-")[0] for locale in locales} == theirs.intersection(available()) - {"en"}
        assert {"es-ES", "es-419"} <= set(locales)
        assert not list(refused(payload, payload["name"], locales))
        assert weight(payload) <= 8_000
        assert len(payload["options"]) <= 25
    assert {payload["name"] for payload in payloads} == {"dog", "dog-admin"}
    assert not any(payload.get("name_localizations") for payload in payloads), "these two are the same everywhere"


def test_commands_with_known_ids_are_clickable(locales: Path) -> None:
    told = "`/dog hand` shows your cards, `/dog-admin moderate ban` is for moderators, `/x` is nothing of ours."
    german = language_for("de", locales)
    assert german.t(told).startswith("`/dog blatt` shows")
    assert german.t("`/dog new hand:`") == "`/dog new karten:`"
    assert german.t("`/dog hand hand:True` is both.") == "`/dog blatt karten:True` is both."
    learn_commands({"dog": 7})
    try:
        assert language_for("de", locales).t(told) == (
            "</dog hand:7> shows your cards, `/dog-admin moderate ban` is for moderators, `/x` is nothing of ours."
        )
        assert Language("en").t("Open one with `/dog new`.") == "Open one with </dog new:7>."
        assert german.t("`/dog hand hand:True` is both.") == "</dog hand:7> `karten:True` is both."
    finally:
        learn_commands({})


async def test_the_bot_learns_the_ids_of_its_commands(simcord_env: Any) -> None:
    try:
        told = Language("en").t("`/dog games` lists your games, `/dog-admin settings` are for managers.")
        assert "</dog games:" in told
        assert "</dog-admin settings:" in told
    finally:
        learn_commands({})


@pytest.mark.parametrize("code", available())
def test_every_character_of_a_language_can_be_drawn(code: str) -> None:
    found = catalogues.texts(catalogues.read(LOCALES / ("dog.pot" if code == "en" else f"{code}.po"))).values()
    said = [one.id if code == "en" else one.string for one in found]
    told = {sign for one in said for form in ([one] if isinstance(one, str) else one) for sign in form}
    assert {sign for sign in told if not sign.isspace() and UNKNOWN in clean(sign)} == set()
    if not language_for(code).is_leftward:
        assert {sign for sign in told if sign.isalpha() and not has_glyph(BOLD, ord(sign))} == set(), "all in one type"
