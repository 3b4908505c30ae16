"""What every text must be: in its place, whole, said once, open to other word orders, naming only real commands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.languages import Language, language_for
from bot.texts import help_text
from bot.texts.names import OBJECT, SUBJECT, owners_piece, the_card, the_rank
from cogs import all_commands
from tools import catalogues
from tools.catalogues import Text, faults

HOME = "bot/texts/boards.py"


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
        said("live: 3 minutes a move"),
        said("{count} card", "{count} cards"),
    ],
)
def test_whole_sentences_names_and_parts_in_their_context_are_fine(text: Text) -> None:
    assert found(text) == []


def test_nothing_is_said_twice() -> None:
    assert len(found(said("Taken back."), said("↩️ **taken** back"))) == 1
    assert len(found(said("Taken back."), said("Taken back.", file="bot/texts/proposals.py"))) == 1
    assert found(said("Start"), said("start", context="topic")) == [], "another context, another thing"


def test_every_text_of_the_bot_is_so() -> None:
    assert list(faults(catalogues.written_texts())) == []


def test_a_name_brings_its_own_article(monkeypatch: pytest.MonkeyPatch) -> None:
    english = language_for("en")
    assert (the_card(english, "K"), the_card(english, "7", SUBJECT)) == ("the king", "the 7")
    assert (the_rank(english, "K"), owners_piece(english, "Ann")) == ("the king", "Ann's piece")
    translated = {
        ("object", "the king"): "den König",
        ("subject", "the king"): "der König",
        ("subject", "{owner}'s king"): "der König von {owner}",
    }
    german = Language("de")
    monkeypatch.setattr(german._catalogue, "pgettext", lambda context, text: translated[context, text])
    assert (the_card(german, "K", OBJECT), the_card(german, "K", SUBJECT)) == ("den König", "der König")
    assert owners_piece(german, "Ann", "K", SUBJECT) == "der König von Ann"


def test_what_is_filled_into_texts_as_a_name_can_be_translated() -> None:
    known = {(text.context, text.forms[0]) for text in catalogues.names_in_data()}
    assert {("object", "the ace"), ("subject", "the {card}"), ("object", "{owner}'s jester"), (None, "joker")} <= known


def test_help_and_readme_name_every_command() -> None:
    commands = set(all_commands())
    helped = set(re.findall(r"`/(dog(?: [a-z]+)+)`", help_text.overview(language_for("en"))))
    assert helped == {name for name in commands if name.startswith("dog ")} - {"dog help"}
    readme = (catalogues.ROOT / "README.md").read_text(encoding="utf-8")
    rows = [line for line in readme.splitlines() if line.startswith("| `/dog")]
    named = [name for row in rows for name in re.findall(r"`/(dog(?:-admin)?(?: [a-z]+)+)`", row)]
    assert set(named) - {"dog me theme text"} == commands
    assert len(named) == len(set(named)), "a command stands in the table twice"


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


@pytest.mark.parametrize("folder", ["cogs", "bot/showing"])
def test_no_sentence_stands_in_the_code_that_shows_it(folder: str) -> None:
    files = sorted((catalogues.ROOT / folder).glob("*.py"))
    assert files
    assert {f"{path.name}: {text}" for path in files for text in plain_texts(path)} == set()


MARKUP = re.compile(r"<[@#:]|<t:|</|\]\(|^(?:-#|##?|>) |```")


@pytest.mark.parametrize("folder", ["cogs", "bot/showing", "bot/texts"])
def test_discords_markup_stands_in_one_module(folder: str) -> None:
    found = set()
    for path in sorted((catalogues.ROOT / folder).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and MARKUP.search(node.value):
                found.add(path.name)
    assert found <= {"markup.py"}
    assert (folder == "bot/texts") is bool(found), "the pattern finds what is there"


def test_a_sentence_in_the_code_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        '"""A docstring of this file."""\nsay("There is no game here.")\nlog.info("So it is.")\n'
    )
    assert list(plain_texts(tmp_path / "a.py")) == ["There is no game here."]
