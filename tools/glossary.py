"""The words of `docs/glossary.md` in the catalogues, one for one thing; `tools.catalogues check` looks after it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Message

GLOSSARY = Path(__file__).parents[1] / "docs" / "glossary.md"

ANOTHER_SENSE = re.compile(
    r"[Tt]able talk|"
    r"[Rr]ound robin|way round|change hands|Hand the|hands \{|^Start(?: another| manually| automatically|$)|"
    r"(?:can|host|\{\w+\}) starts? (?:the game|it)|game starts|[iI]t starts|host starts|start it|"
    r"starts with|can start|^Start(?: over|,)|a start and|start from scratch|"
    r"at the start|Start another|(?:swapped|days|far|cards?|spaces) away"
)
"""Places where a word of the glossary means something else, or nothing by itself."""

LOOSE = {"card", "hand", "away", "nudge", "fold", "discards", "host", "rating", "record", "review", "slot"}
"""Words that a sentence can often do without, or says with a verb: half of the translations have them."""

EXCUSED = {
    # Said without the noun, or with a pronoun.
    "A piece that crosses the space where a path leaves, or stands on it, can turn in.",
    "One of your pieces on the track goes forward to the space right behind the next piece ahead.",
    "Path {name} leaves the track at {leaves}, runs from {first} to {last} and rejoins at {rejoins}.",
    "Use a set of house rules for new games by default",
    "So you can't bring out a second piece while one of yours stands there.",
    "Take a seat, or choose what you mix into the shuffles",
    "Two teams, a shorter board: partners give cards only when asked, only fresh pieces block.",
    "Two to eight, the boxed family game: fresh pieces block, and sevens are split.",
    "With six players, two shortcuts lead through the middle. One leaves the track at 23: take it.",
    "Won without sending a piece back.",
    "DOG: a card race for partners",
    "The result changes ratings (default: on)",
    "{card} goes backwards: from your start, that's almost a lap saved.",
    "Everyone begins with {points} points. Beating strong opponents earns more",
    "Fair shuffle",
    "In a game: Ann's jack has just moved a piece from 58 to 69.",
    "In a game: Ann's queen has just moved a piece from 50 to 62.",
    "Now move your piece on: a number card moves one piece forward by that many spaces.",
    "Play a card: one of your pieces moves that many spaces.",
    "Swiss rounds",
    "start",
    "{name} is buying the next round.",
    "no clock",
    "{cards}: that many spaces.",
    "🔔 People can invite you to tables again.",
    "💡 The swap brings your piece {count} space closer to its lane.",
    "Going backwards with a 4, the piece one space past the start (A) gets to b, the one two past it (B) to a.",
    "Spaces left over when your last piece comes in go to just one of your team's other pieces.",
    "From 23 to 75, that's 8 spaces instead of 52. On a shortcut, pieces only go forward.",
    "Match public board",
    # The spaces of a card, which other languages call points.
    "Three spaces from 20 to 23 send back Ben's piece on 22, three more lead from 28 to 31, and the last is used "
    "inside the lane.",
    "You can't use all {points} spaces.",
    "You must use all its spaces, and each piece moves at most once. Pieces in the lane can use some, too.",
    "{rank}: can leave up to {count} space unused in the move that takes it into its lane.",
    "💡 Begin with {piece}: entering its lane, it can leave {count} space of a card unused.",
    "is out of this round",
    "piece sent back",
    "{piece} ({rank}) can't move {steps} spaces.",
}
"""Texts that at least one language says without the word."""


def deviations(languages: Mapping[str, Iterable[Message]], excused: Set[str] = EXCUSED) -> Iterator[str]:
    """Yield a line for each word that translations, by language code, do not say as the glossary does.

    Languages without a column in the glossary are left out.
    """
    for code, column, row, missing, found in _unsaid(languages):
        wrong = [text for text in missing if text not in excused]
        if wrong and not (row["English"] in LOOSE and 2 * len(wrong) <= found):
            yield from (f"{code}: {text!r} does not say {row[column]!r} for {row['English']!r}" for text in wrong)


def needless_excuses(languages: Mapping[str, Iterable[Message]], excused: Set[str] = EXCUSED) -> Iterator[str]:
    """Yield a line for each excused text with which all translations keep to the glossary."""
    used = {text for _code, _column, _row, missing, _found in _unsaid(languages) for text in missing}
    yield from (f"{text!r} is excused from the glossary, but every language keeps to it" for text in excused - used)


def _unsaid(
    languages: Mapping[str, Iterable[Message]],
) -> Iterator[tuple[str, str, Mapping[str, str], list[str], int]]:
    """Yield each word in each language: code, column and row, the texts that lack it, how many have the English."""
    for code, messages in languages.items():
        column = str(Locale.parse(code).get_display_name()).capitalize()
        for row in rows():
            if column in row:
                yield code, column, row, *find_unsaid(row, column, messages)


def rows() -> Iterator[dict[str, str]]:
    """Yield the rows of all tables, by the heads of their columns."""
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
    """Return a text without gaps, commands, capitals and accents; doubled Hungarian letters written out."""
    told = re.sub(r"`[^`]*`|\{\w+\}", " ", text).casefold()
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", told) if not unicodedata.combining(sign))
    return plain.replace("lly", "lyly").replace("ssz", "szsz")


def has_word(text: str, word: str) -> bool:
    """Return True if a text has a word, with any ending; short words only at the beginning of a word."""
    # Arabic words begin with their article and prepositions, and their feminine ending changes.
    parts = [part.removesuffix("ة") for part in bare(word).split()]
    stems = [re.sub(r"(?:en|es|ar|er|ir|[aeiou])$", "", part) if len(part) > 4 else part for part in parts]
    return all(
        stem in text if len(stem) > 3 or not stem.isascii() else re.search(rf"\b{stem}", text) is not None
        for stem in stems
    )


def find_unsaid(row: Mapping[str, str], column: str, messages: Iterable[Message]) -> tuple[list[str], int]:
    """Return the texts with the English word whose translations lack the column's; and the number of texts with it."""
    english = re.compile(rf"\b(?:{'|'.join(row['English'].split(', '))})(?:s|es)?\b", re.IGNORECASE)
    missing, found = [], 0
    for message in messages:
        forms = [message.id] if isinstance(message.id, str) else list(message.id)
        translated = [message.string] if isinstance(message.string, str) else list(message.string or ())
        said = re.sub(r"`[^`]*`|\{\w+\}", " ", forms[0])
        if message.context in ("command", "option") or not (translated and all(translated)):
            continue
        if not english.search(said) or ANOTHER_SENSE.search(forms[0]):
            continue
        found += 1
        if not all(any(has_word(bare(form), word) for word in row[column].split(", ")) for form in translated):
            missing.append(forms[0])
    return missing, found
