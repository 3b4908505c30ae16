"""The catalogues use the words of `docs/glossary.md`, one for one thing."""

import re
import unicodedata
from collections.abc import Iterator

import pytest
from babel import Locale
from babel.messages.catalog import Message

from tools.catalogues import ROOT, read, texts, translations

GLOSSARY = ROOT / "docs" / "glossary.md"
LANGUAGES = {
    column: path.stem
    for path in translations()
    if (column := str(Locale.parse(path.stem).get_display_name()).capitalize()) in GLOSSARY.read_text(encoding="utf-8")
}
"""The languages that have a column, by what they call themselves, which is its head."""

ANOTHER_SENSE = re.compile(
    r"table talk|way round|change hands|Hand the|hands \{|^Start(?: another| by|$)|"
    r"(?:can|host|\{\w+\}) starts? (?:the game|it)|game starts|it starts|"
    r"starts with|at the start|Start another|(?:swapped|days|far|cards?|spaces) away"
)
"""Where a word of the glossary means something else, or nothing by itself."""

LOOSE = {"card", "hand", "away", "nudge", "fold", "discards", "host", "rating", "record", "review", "slot"}
"""Words that a sentence can often do without, or says with a verb: half of the translations have them."""

EXCUSED = {
    # Said without the noun, or with a pronoun.
    "A member may play or host {count} open game on this server, and you have one already.",
    "A piece must reach a free slot of the lane exactly; what is too much means another lap.",
    "A piece that walks through the space where a path leaves, or stands on it, may turn in.",
    "One of your pieces on the track goes forward to the space right behind the next piece ahead.",
    "Path {name} leaves the track at {leaves}, has spaces {first} to {last} and comes back at {rejoins}.",
    "Play new games by a set of house rules, unless somebody chooses otherwise",
    "So no second piece can come out while one of yours stands there.",
    "Take a seat, or choose what you mix into the shuffles",
    "Turn boards as in public",
    "Two teams, a shorter board: partners give cards only when asked, only fresh pieces block.",
    "Two to eight: the game of the family box, where fresh pieces block and sevens are shared out.",
    "With six players two short cuts lead through the middle; one leaves the track at 23: take it.",
    "Won without taking a piece.",
    "You can choose the level of computer players only, not of a person's seat, even while a computer plays there.",
    "You have no seat at a table in this channel. `/dog games` lists your games.",
    "You have no seat at this table. You can watch, or open your own with `/dog new`.",
    "is out of this round",
    "piece sent back",
    # A couple, or the team, instead of the partner.
    "DOG: a card race for partners",
    "Other partners",
    # The button's own word.
    "`/dog new` opens a table: friends press {join}, computers take free seats ({fill}), and {start} deals. "
    "{my_hand} shows your cards, to you alone, and what you can play.",
}
"""Texts that at least one language says without the word."""


def rows() -> Iterator[dict[str, str]]:
    """The rows of all tables, by the heads of their columns."""
    head: list[str] = []
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells and not head:
            head = cells
        elif not cells:
            head = []
        elif not set(cells[0]) <= {"-"}:
            yield dict(zip(head, cells, strict=True))


def bare(text: str) -> str:
    """A text without gaps and commands, in small letters without accents; doubled Hungarian letters written out."""
    told = re.sub(r"`[^`]*`|\{\w+\}", " ", text).casefold()
    plain = "".join(one for one in unicodedata.normalize("NFKD", told) if not unicodedata.combining(one))
    return plain.replace("lly", "lyly").replace("ssz", "szsz")


def says(text: str, word: str) -> bool:
    """Whether a text has a word, with any ending; short ones only at the beginning of a word."""
    stems = [re.sub(r"(?:en|es|ar|er|ir|[aeiou])$", "", one) if len(one) > 4 else one for one in bare(word).split()]
    return all(stem in text if len(stem) > 3 else re.search(rf"\b{stem}", text) is not None for stem in stems)


def unsaid(row: dict[str, str], column: str, messages: dict[object, Message]) -> tuple[list[str], int]:
    """The texts with the English word whose translations have none of the language's words; and how many have it."""
    english = re.compile(rf"\b(?:{'|'.join(row['English'].split(', '))})(?:s|es)?\b", re.IGNORECASE)
    missing, found = [], 0
    for message in messages.values():
        forms = [message.id] if isinstance(message.id, str) else list(message.id)
        translated = [message.string] if isinstance(message.string, str) else list(message.string)
        said = re.sub(r"`[^`]*`|\{\w+\}", " ", forms[0])
        if message.context in ("command", "option") or not all(translated):
            continue
        if not english.search(said) or ANOTHER_SENSE.search(forms[0]):
            continue
        found += 1
        if not all(any(says(bare(form), word) for word in row[column].split(", ")) for form in translated):
            missing.append(forms[0])
    return missing, found


@pytest.mark.parametrize("column", LANGUAGES)
def test_a_catalogue_calls_things_as_the_glossary_does(column: str) -> None:
    assert column in next(rows())
    messages = texts(read(ROOT / "locales" / f"{LANGUAGES[column]}.po"))
    told = [(row, *unsaid(row, column, dict(messages))) for row in rows()]
    assert sum(found for _, _, found in told) > 1_000
    wrong = {
        row["English"]: missing
        for row, all_missing, found in told
        if (missing := [text for text in all_missing if text not in EXCUSED])
        and not (row["English"] in LOOSE and 2 * len(missing) <= found)
    }
    assert wrong == {}


def test_only_what_some_language_says_otherwise_is_excused() -> None:
    catalogues = {column: dict(texts(read(ROOT / "locales" / f"{code}.po"))) for column, code in LANGUAGES.items()}
    told = {text for row in rows() for column, found in catalogues.items() for text in unsaid(row, column, found)[0]}
    assert told >= EXCUSED
