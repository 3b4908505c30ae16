"""The texts of the bot and their catalogues: collected, whole, said once, in their place, complete."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import discord
import pytest
from babel.messages.catalog import Catalog, Message
from discord import app_commands

import cogs
from bot.client import DogBot
from bot.languages import language_for
from bot.languages.known import LANGUAGES, Known
from bot.texts.teaching.learning import list_commands, overview
from cogs import all_commands
from tools import catalogues, glossary
from tools.catalogues import COMMAND_LIMIT, LABELS, Text, faults


@pytest.mark.parametrize(
    ("code", "translation", "excused", "lines"),
    [
        ("de", "Zieh eine Figur.", set(), []),
        ("de", "Zieh einen Stein.", set(), ["de: 'Move a piece.' does not say 'Figur' for 'piece'"]),
        ("de", "Zieh einen Stein.", {"Move a piece."}, []),
        (
            "de",
            "Zieh eine Figur.",
            {"Move a piece."},
            ["'Move a piece.' is excused from the glossary, but every language keeps to it"],
        ),
        ("ar", "حرّك الحجر.", set(), []),
    ],
)
def test_glossary_check(code: str, translation: str, excused: set[str], lines: list[str]) -> None:
    told = {code: [Message("Move a piece.", translation)]}
    assert [*glossary.deviations(told, excused), *glossary.needless_excuses(told, excused)] == lines


async def test_every_command_option_and_choice_can_be_translated(simcord_bot: DogBot) -> None:
    met: set[str] = set()

    class Listening(app_commands.Translator):
        async def translate(
            self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
        ) -> None:
            met.add(string.message)

    await cogs.setup(simcord_bot)
    for command in simcord_bot.tree.get_commands():
        await command.get_translated_payload(simcord_bot.tree, Listening())
    template = catalogues.read(catalogues.ROOT / "locales" / "dog.pot")
    known = {text for _, text in catalogues.texts(template)}
    assert {"pace", "daily: 24 hours a turn", "house"} <= met
    assert met <= known, sorted(met - known)
    assert met == frozenset().union(*cogs.listed())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "bot" / "texts").mkdir(parents=True)
    (tmp_path / "bot" / "texts" / "a.py").write_text(
        'language.t("one {x}", x=1)\nlanguage.n("{count} two", "{count} twos", 2)\nlanguage.p("place", "three")\n'
        'WORDS = (_("four"), _("five"))\nlocale_str("six")\nprint("seven")\n'
        'language.n("{count} nine", "{count} nines", 2, context="place")\nTEN = _("ten", context="place")\n'
        "gone = said('thirteen')\nleft = said_of_table('{code} fourteen')\nTWO = _('{count} is', '{count} are')\n"
        "language.t('{x} fifteen' if x else '{x} sixteen', x=x)\n"
        "language.t(name)\nlanguage.t(names.get(name, _('eleven')), x=f\"{language.p('place', 'twelve')}\")\n"
    )
    catalogues.extract_all(tmp_path)
    return tmp_path


def test_every_keyword_is_collected(project: Path) -> None:
    found = set(catalogues.texts(catalogues.read(project / "locales" / "dog.pot")))
    named = {(name.context, name.forms[0]) for name in catalogues.names_in_data()}
    assert named <= found, "what commands and rule systems call things is said, too"
    assert found - named == {
        (None, "one {x}"),
        (None, ("{count} two", "{count} twos")),
        ("place", "three"),
        ("place", ("{count} nine", "{count} nines")),
        ("place", "ten"),
        ("place", "twelve"),
        (None, "eleven"),
        (None, "{x} fifteen"),
        (None, "{x} sixteen"),
        (None, "thirteen"),
        (None, "{code} fourteen"),
        (None, ("{count} is", "{count} are")),
        (None, "four"),
        (None, "five"),
        (None, "six"),
    }
    assert catalogues.problems(project) == []


def test_new_text_is_missing_until_collected(project: Path) -> None:
    (project / "bot" / "texts" / "b.py").write_text('language.t("eight")\n')
    (project / "bot" / "texts" / "a.py").write_text('language.t("one {x}", x=1)\n')
    found = catalogues.problems(project)
    assert any("lacks 'eight'" in line for line in found)
    assert any("has 'six'" in line for line in found)
    catalogues.extract_all(project)
    assert catalogues.problems(project) == []


def test_a_translation_is_kept_and_checked(project: Path) -> None:
    path = project / "locales" / "de.po"
    template = catalogues.read(project / "locales" / "dog.pot")
    german = Catalog(locale="de")
    german.update(template, no_fuzzy_matching=True)
    for message in catalogues.texts(german).values():
        forms = [f"x{form}" for form in ([message.id] if isinstance(message.id, str) else message.id)]
        message.string = forms[0] if isinstance(message.id, str) else tuple(forms)
    catalogues.write(path, german)
    assert catalogues.problems(project) == []

    catalogues.texts(german)[None, "one {x}"].string = "eins {y}"
    catalogues.texts(german)[None, "four"].string = ""
    catalogues.write(path, german)
    found = catalogues.problems(project)
    assert any("fills in y" in line for line in found)
    assert not any("'four'" in line for line in found), "it is shown in English"
    assert catalogues.missing(project) == {"de": [(None, "four")]}, "of what is listed"

    catalogues.extract_all(project)
    assert catalogues.texts(catalogues.read(path))[None, "six"].string == "xsix", "extracting keeps translations"


@pytest.mark.parametrize(
    ("text", "translation", "fault"),
    [
        ("Hello {name}.", "Hallo.", "leaves out name"),
        ("Hello {name}.", "Hallo {name}, {name}.", "not so often"),
        ("Hello {name}.", "Hallo {name.", "braces"),
        (("{count} of {name}", "{count} of {name}"), ("{name}", "{count}"), "leaves out name"),
        ("**Hello**", "Hallo", "other markup"),
        ("Hello\nyou", "Hallo du", "other markup"),
        ("⚠ Hello", "Hallo", "other markup or signs"),
        ("a → b", "a ⇄ b", "other markup or signs"),
        ("💡 Hello", "🔎 Hallo", "other markup or signs"),
        ("Use `/dog hand`.", "Nimm `/dog board`.", "other commands"),
        ("Use `/dog hand`.", "Nimm das.", "other commands"),
        ("Use it.", "Use it.", "still in English"),
        ("Review", "Review", "still in English"),
        ("Join", "Mitspielen" * 9, "does not fit on a button"),
        (
            "Take over for {name}",
            "Diesen Platz da jetzt gleich und ganz übernehmen für: {name}",
            "does not fit on a button",
        ),
        ("Read the rules in brief", "Die Regeln" * 11, "more than 100 characters"),
        (("command", "hand"), "Hand", "cannot be the name"),
        (("command", "hand"), "die hand", "cannot be the name"),
        (("option", "time_zone"), "z" * 33, "cannot be the name"),
        (("command", "hand"), "xgames", "the name of two things in 'dog'"),
        (("option", "talk"), "xpace", "the name of two things in '/dog new'"),
    ],
)
def test_unfit_translation_is_found(
    text: str | tuple[str, str], translation: str | tuple[str, str], fault: str
) -> None:
    """The names of all commands and options are translated as themselves with an x before them, but for one."""
    context, text = text if isinstance(text, tuple) and text[0] in ("command", "option") else (None, text)
    file = LABELS if text in ("Join", "Take over for {name}") else "a.py"
    catalogue = Catalog(locale="de")
    catalogue.add(text, translation, [(file, 0)], context=context)
    for kind, names in (("command", cogs.listed().commands), ("option", cogs.listed().options)):
        for name in names:
            if (kind, name) != (context, text):
                catalogue.add(name, f"x{name}", context=kind)
    found = list(catalogues.mistakes("de", catalogue))
    assert any(fault in line for line in found), found
    assert len(found) == 1


def test_mistakes_of_unlisted_languages_are_remarks(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "fr", Known())
    path, french = project / "locales" / "fr.po", Catalog(locale="fr")
    french.update(catalogues.read(project / "locales" / "dog.pot"), no_fuzzy_matching=True)
    catalogues.texts(french)[None, "one {x}"].string = "un {y}"
    catalogues.write(path, french)
    assert catalogues.problems(project) == []
    assert catalogues.missing(project) == {}
    assert any("fr (not listed): 'un {y}' fills in y" in line for line in catalogues.remarks(project))


def test_texts_that_lengthen_a_command_are_remarked(project: Path) -> None:
    french = Catalog(locale="fr")
    french.add("hand", "toutes-les-cartes-en-main", context="command")
    french.add("cup", "duo", context="command")
    catalogues.write(project / "locales" / "fr.po", french)
    found = [line for line in catalogues.remarks(project) if "stays English" in line]
    assert found == ["fr: 'toutes-les-cartes-en-main' stays English beside commands: over 4 characters"]


def test_unlisted_language_may_share_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "fr", Known())
    catalogue = Catalog(locale="fr")
    catalogue.add("Review", "Review")
    assert list(catalogues.mistakes("fr", catalogue)) == []
    catalogue.add("Use it.", "Use it.")
    assert list(catalogues.mistakes("fr", catalogue)) == ["'Use it.' is still in English"]


def test_longest_language_counts_for_command_size() -> None:
    assert max(catalogues.command_sizes([]).values()) < COMMAND_LIMIT
    longest = [catalogues.texts(catalogues.read(path)) for path in catalogues.translations(listed=True)]
    sizes = catalogues.command_sizes(longest)
    key = (None, "Read the rules in brief")
    assert catalogues.command_sizes([*longest, {key: Message(key[1], "x" * 100)}])["dog"] > sizes["dog"]


HOME = "bot/texts/public/boards.py"


def found(*texts: Text) -> list[str]:
    return list(faults(texts))


def said(*forms: str, context: str | None = None, file: str = HOME) -> Text:
    return Text(file, forms, context)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (said("Hello there.", file="cogs/lobby.py"), "stands outside bot/texts"),
        (said("Hello there.", file="bot/showing/dialogue.py"), "stands outside bot/texts"),
        (said(" and Luna"), "is glued"),
        (said("Cards: "), "is glued"),
        (said(", then"), "is glued"),
        (said("with a king"), "is glued"),
        (said("the bot's disk is full"), "is a part of a sentence"),
        (said("{count} card is left", "a card and more are left"), "is a part of a sentence"),
        (said("Play the {card} now."), "has a fixed article"),
        (said("A {rank} never walks."), "has a fixed article"),
        (said("An {piece} stands there.", context="subject"), "has a fixed article"),
        (said("`/dog hnad` shows your cards."), "there is not"),
        (said("Choose `time_zone` from the list."), "fill it in"),
    ],
)
def test_what_cannot_be_translated_well_is_refused(text: Text, fault: str) -> None:
    lines = found(text)
    assert len(lines) == 1
    assert fault in lines[0]
    assert lines[0].startswith(text.file)


@pytest.mark.parametrize(
    "text",
    [
        said("{name} plays {card}."),
        said("no limit"),
        said("out of the kennel", context="move"),
        said("Press {button}, or type `/dog hand`."),
        said("live: 3 minutes a turn"),
        said("{count} card", "{count} cards"),
    ],
)
def test_whole_sentences_names_and_contextual_parts_are_fine(text: Text) -> None:
    assert found(text) == []


def test_nothing_is_said_twice() -> None:
    assert len(found(said("Taken back."), said("↩️ **taken** back"))) == 1
    assert len(found(said("Taken back."), said("Taken back.", file="bot/texts/public/proposals.py"))) == 1
    assert found(said("Start"), said("start", context="topic")) == [], "another context, another thing"


def test_filled_in_names_can_be_translated() -> None:
    known = {(text.context, text.forms[0]) for text in catalogues.names_in_data()}
    assert {
        ("object", "the ace"),
        ("subject", "the {card}"),
        ("object", "{owner}'s jester"),
        (None, "joker"),
        ("object", "the 7"),
    } <= known


def test_help_names_the_first_commands() -> None:
    helped = set(re.findall(r"`/(dog(?: [a-z]+)+)`", overview(language_for("en")) + list_commands(language_for("en"))))
    # Discord lists all of them with what they do; the help is one message, which has no room for every further one.
    assert {"dog new", "dog hand", "dog play", "dog board", "dog rules"} <= helped <= set(all_commands())


def plain_texts(path: Path) -> Iterator[str]:
    """The strings in a file that look like sentences and are in no catalogue: not docstrings, logs or errors."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        elif isinstance(node, ast.Assert) and node.msg is not None:
            skipped.add(id(node.msg))
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            # What is marked is in the catalogues, which check that it stands at its place.
            if called in ("_", "LostWay") or called.startswith("log.") or called.endswith("Error"):
                skipped.update(map(id, ast.walk(node)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            words = node.value.split()
            if len(words) > 2 and not words[0].islower():
                yield node.value


@pytest.mark.parametrize("folder", ["cogs", "bot/showing", "bot/delivery"])
def test_showing_code_has_no_sentences(folder: str) -> None:
    files = sorted((catalogues.ROOT / folder).glob("*.py"))
    assert files
    assert {f"{path.name}: {text}" for path in files for text in plain_texts(path)} == set()


MARKUP = re.compile(r"<[@#:]|<t:|</|\]\(|^(?:-#|##?|>) |```")


@pytest.mark.parametrize("folder", ["cogs", "bot/showing", "bot/delivery", "bot/texts"])
def test_discords_markup_stands_in_one_module(folder: str) -> None:
    found = set()
    for path in sorted((catalogues.ROOT / folder).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and MARKUP.search(node.value):
                found.add(path.name)
    assert found <= {"markup.py"}
    assert (folder == "bot/texts") is bool(found), "the pattern finds what is there"
