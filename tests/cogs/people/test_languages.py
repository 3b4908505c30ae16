"""Who reads what: private answers in the reader's language, what everybody sees in the table's."""

import random
import shutil
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from bot import languages
from bot.languages import available, language_for, own_name
from bot.languages.commands import CatalogueTranslator
from bot.languages.known import LANGUAGES, Known
from bot.texts import buttons
from tests.cogs.playing import seat_everyone, take_turn, the_table
from tests.simtable import SimTable
from tools import catalogues


def in_(locale: str, text: str, **values: object) -> str:
    return language_for(locale).t(text, **values)


async def started(table: SimTable, locale: str) -> None:
    """A game of the first two members and two computers, at a table of this language."""
    await seat_everyone(table, computers=2, language=locale)


async def test_each_person_reads_their_own_language(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    table.speak(ann, "es-419")
    table.speak(ben, "hu")
    table.speak(cleo, "tr")
    await started(table, "de")
    assert in_("de", buttons.MY_HAND) in table.board().labels
    hands = [await table.click(one, in_("de", buttons.MY_HAND), on=table.board()) for one in (ann, ben)]
    for locale, hand in zip(("es", "hu"), hands, strict=True):
        assert in_(locale, "Which card for {name}?", name="|").split("|")[0] in hand.text
    told = (await table.slash(cleo, "dog help")).text
    assert told == (await table.slash(table.members[3], "dog help")).text, "without a catalogue it is all English"


async def test_language_is_chosen_by_name_and_letters_follow(table: SimTable) -> None:
    ann, *_ = table.members
    table.speak(ann, "es-ES")
    offered = list(await table.suggestions(ann, "dog me language", "language"))
    assert offered == [own_name(code) for code in available()]
    assert "Español" in (await table.slash(ann, "dog me language")).text
    refused = await table.slash(ann, "dog me language", language="Klingon")
    assert refused.text == in_("es", "I don't speak that language. Pick one from the list.")
    chosen = await table.slash(ann, "dog me language", language="magyar")
    assert in_("hu", "What everyone sees: the table's language.") in chosen.text
    await table.slash(ann, "dog me notify", where="dm")
    await started(table, "en")
    assert in_("hu", buttons.TO_BOARD) in table.letters(ann)[-1].labels
    offered = await table.suggestions(ann, "dog play", "card")
    assert not set(offered) & {"Ace", "King", "Queen", "Jack", "Joker"}
    shown = (await table.slash(ann, "dog me language")).shown
    await table.choose(ann, "Deutsch", on=shown)
    assert in_("de", buttons.END) in table.read(shown).labels
    await table.click(ann, in_("de", buttons.END), on=table.read(shown))
    assert "Español" in table.read(shown).text


async def test_letter_is_in_its_readers_discord_language(table: SimTable) -> None:
    ann, *_ = table.members
    await started(table, "de")
    await table.slash(ann, "dog me notify", where="dm")
    table.speak(ann, "hu")
    await table.click(ann, in_("de", buttons.MY_HAND), on=table.board())
    prefers = await table.bot.tables.users.preferences(ann.id)
    assert (prefers.language, prefers.locale) == (None, "hu")


@pytest.fixture
def french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth language: one more file among the catalogues, and its row."""
    folder = tmp_path / "locales"
    folder.mkdir()
    for path in catalogues.translations():
        shutil.copy(path, folder)
    catalogue = Catalog(locale="fr")
    catalogue.update(catalogues.read(catalogues.LOCALES / "dog.pot"), no_fuzzy_matching=True)
    for message in catalogues.texts(catalogue).values():
        forms = (message.id,) if isinstance(message.id, str) else message.id
        made = tuple(f"{form}é" if form.isidentifier() else f"{form} é" for form in forms)
        message.string = made[0] if isinstance(message.id, str) else made
    catalogues.write(folder / "fr.po", catalogue)
    monkeypatch.setattr(languages, "LOCALES", folder)
    monkeypatch.setitem(LANGUAGES, "fr", Known(is_listed=True, is_long=True))
    monkeypatch.setattr(languages, "_offered", {*languages._offered, "fr"})


async def test_a_fifth_language_is_a_file_and_a_row(french: None, table: SimTable) -> None:
    ann, *_ = table.members
    table.speak(ann, "fr")
    tree = table.bot.tree
    hand = await tree.get_command("dog").get_command("hand").get_translated_payload(tree, CatalogueTranslator())
    assert hand["name_localizations"]["fr"] == "handé"
    assert hand["description_localizations"]["fr"].endswith(" é")
    assert (await table.suggestions(ann, "dog new", "language"))["Français"] == "fr"
    await table.slash(ann, "dog new", language="fr")
    await table.click(ann, "Add computers é", on=table.board())
    await table.click(ann, "Starté", on=table.board())
    assert "Classic DOG é" in table.board().text
    await take_turn(table, ann, random.Random(1))
    assert "your turn. é" in table.board().text
    assert table.private(ann)[-1].text.endswith(" é")


async def test_host_changes_the_tables_language_in_the_lobby(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new")
    settings = (await table.click(ann, buttons.SETTINGS, on=table.board())).shown
    question = await table.click(ann, buttons.ARRANGE, on=settings)
    await table.choose(ann, in_("en", buttons.LANGUAGE, language="Deutsch"), on=question.shown)
    assert (await the_table(table)).terms.locale == "de"
    assert in_("de", buttons.JOIN) in table.board().labels
    assert "Deutsch" in table.board().text
    assert any(menu.placeholder.endswith(" · Deutsch") for menu in table.read(question.shown).menus)
    assert "I don't speak that language" in (await table.slash(ben, "dog new", language="Klingon")).text


async def test_default_language_is_the_openers_or_the_communitys(
    table: SimTable,
) -> None:
    ann, *_ = table.members
    table.speak(ann, "de")
    await table.slash(ann, "dog new")
    assert (await the_table(table)).terms.locale == "de"
    table.bot.get_guild(table.guild.id).features = ["COMMUNITY"]
    await table.slash(ann, "dog new")
    code = table.board().text.split()[1]
    opened = await table.bot.tables.in_channel(table.channel.id)
    assert next(one for one in opened if one.code == code).terms.locale == "en-US"
