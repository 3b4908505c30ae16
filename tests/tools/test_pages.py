"""Pages in other languages: all of them there, built like the English, with commands and buttons as people see them."""

import os
import re
from pathlib import Path

import pytest

from bot.languages import OPTION, Language, language_for
from tests.spoken import NAMED, WHOLE
from tools.pages import DOCS, begun_with, languages, link_page, page_of, retarget, translated_pages, written

PAGES = [
    (language, name)
    for language in (NAMED or languages())
    for name in translated_pages()
    if page_of(language, name).exists()
]
BEFORE_RELEASE = pytest.mark.skipif(not WHOLE, reason="make languages")


def bare(page: Path) -> str:
    """A page without the line of languages, which is its own."""
    return re.sub(r"^🌐.*\n", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)


def headings(text: str) -> list[str]:
    return re.findall(r"^(#+) ", re.sub(r"```.*?```", "", text, flags=re.DOTALL), flags=re.MULTILINE)


def targets(page: Path) -> set[str]:
    """Where links and pictures lead, as the English page of the same name has it."""
    text = re.sub(r"```.*?```", "", bare(page), flags=re.DOTALL)
    english = {page_of(language, name): page_of("en", name) for language in written() for name in translated_pages()}
    found = set()
    for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text):
        path, mark, anchor = target.partition("#")
        there = Path(os.path.normpath(page.parent / path)) if path and "://" not in path else None
        found.add(str(english.get(there, there)) + mark + anchor if there else target)
    return found


def spans(text: str) -> set[tuple[str, ...]]:
    """The commands and options that a page names, without the values of options."""
    found = re.findall(r"`(/dog[^`]*|[\w-]+:[^`]*)`", text)
    return {tuple(re.sub(r":.*", ":", word) for word in one.split()) for one in found}


def as_seen(language: Language, words: tuple[str, ...]) -> tuple[str, ...]:
    """A command or option as a client in this language shows it."""
    if words[0].startswith("/"):
        return tuple(language.t(f"`{' '.join(words)}`").strip("`").split())
    return tuple(f"{language.find(word[:-1], OPTION) or word[:-1]}:" if word[-1] == ":" else word for word in words)


def buttons(text: str) -> list[str]:
    return [re.sub(r"[ \n]+", " ", one) for one in re.findall(r"(?<![*\w])\*([^*]{2,60})\*(?![*\w])", text)]


@pytest.mark.parametrize("name", translated_pages())
def test_each_page_leads_to_the_others(name: str) -> None:
    for language in ("en", *written()):
        page = page_of(language, name)
        if page.exists():
            assert page.read_text(encoding="utf-8") == link_page(language, name), "python -m tools.pages writes it anew"


def test_language_has_all_pages_or_the_first_two() -> None:
    for language in written():
        there = [name for name in translated_pages() if page_of(language, name).exists()]
        assert there in (translated_pages(), begun_with())
        assert set((DOCS / language).rglob("*.md")) <= {page_of(language, name) for name in translated_pages()}


def test_links_lead_to_english_where_a_language_lacks_the_page() -> None:
    assert retarget("nl", "first-evening.md", "playing.md#undo") == "../playing.md#undo"
    assert retarget("nl", "README.md", "docs/cups.md") == "../cups.md"
    assert retarget("nl", "README.md", "docs/img/board.png") == "../img/board.png"


@BEFORE_RELEASE
@pytest.mark.parametrize(("language", "name"), PAGES)
def test_a_translation_is_built_like_the_english(language: str, name: str) -> None:
    page, english = page_of(language, name), page_of("en", name)
    text, source = bare(page), bare(english)
    assert headings(text) == headings(source)
    assert targets(page) == targets(english)
    assert re.findall(r"^```.*?^```", text, re.DOTALL | re.MULTILINE) == re.findall(
        r"^```.*?^```", source, re.DOTALL | re.MULTILINE
    )
    rows = re.compile(r"^\|", re.MULTILINE)
    assert len(rows.findall(text)) == len(rows.findall(source)), "rows of tables"


@BEFORE_RELEASE
@pytest.mark.parametrize(("language", "name"), PAGES)
def test_commands_and_buttons_have_their_translated_names(language: str, name: str) -> None:
    told, english = page_of(language, name).read_text(encoding="utf-8"), page_of("en", name).read_text(encoding="utf-8")
    own = language_for(language)
    seen = {as_seen(own, words) for words in spans(english)}
    # Pages need no marks of direction.
    assert spans(told) == {tuple(re.sub(r"[`\u2066-\u2069]", "", word) for word in words) for words in seen}
    assert ({own.find(one) for one in buttons(english)} - {None}) <= set(buttons(told))
