"""What people write stays on one line, in its order, and unlike the bot's own lines; names of things have articles."""

import ast
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.languages import Language, language_for
from bot.occupants import Occupant
from bot.texts.markup import MARKS_IN_A_ROW, OWN_SIGNS, likeness, plain, safe
from bot.texts.names import MARKS, NAME_LIMIT, OBJECT, SUBJECT, Names, capital, owners_piece, quote, the_card, the_rank
from engine import Game, Options
from tests.bot.shown import table_of

ROOT = Path(__file__).parents[3]
ENGLISH = language_for("en-US")
NASTY = st.text(
    st.characters()
    | st.sampled_from("\u202e\u2066\u200f\u0489\u0301\u0336\n\t\u200b\u200d\ufe0f*_`[]()<>@#:/-—“”🏳🏼" + OWN_SIGNS)
)
TABLE = table_of(Game.new("keezen", 6, bytes(32), Options()))
SEATS = TABLE.seats
CROWDS = st.dictionaries(
    st.sampled_from(SEATS),
    NASTY | st.sampled_from(["Anna", "аnna", "ANNA", "A\u200dnna", "Blue", "computer", "—", "", "Anna [blue]"]),
)


@given(NASTY)
def test_a_name_keeps_its_line_and_its_order(text: str) -> None:
    found = plain(text)
    assert "\n" not in found
    assert found == plain(found)
    assert not any(
        unicodedata.bidirectional(one) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
        for one in found
    )
    row = 0
    for one in found:
        row = row + 1 if unicodedata.category(one) in ("Mn", "Me") and one != "\ufe0f" else 0
        assert row <= MARKS_IN_A_ROW


@given(NASTY)
def test_cleaned_text_has_no_markup_of_the_bot(text: str) -> None:
    found = plain(text).replace("🏳\ufe0f\u200d🌈", "").replace("🏳\u200d🌈", "")
    assert not set(found) & set(OWN_SIGNS.replace("🏳", ""))
    assert not set(found) & set("()“”„«»")
    assert not found.startswith(("#", "-", "—", ">", "*"))


def test_the_signs_are_those_that_the_bot_uses() -> None:
    used: set[str] = set("".join(MARKS))
    files = [*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").glob("*.py")]
    for file in (one for one in files if one.name != "markup.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used |= {one for one in node.value if ord(one) > 127 and unicodedata.category(one) in ("So", "Sm")}
    drawn = set("─│└├")  # the trees in docstrings
    assert used - drawn == set(OWN_SIGNS)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("✅ Anna wins", "Anna wins"),
        ("🤖", ""),
        ("🤖 Rex (computer)", "Rex [computer]"),
        ("—", ""),
        ("# Winner", "Winner"),
        ("-# small", "small"),
        (">>> quote", "quote"),
        ("🔵 **Ben** plays the 7: 12 → 19", "Ben** plays the 7: 12 19"),
        ("🏳️\u200d🪑 up", "up"),
        ("a\nb\r\u2028c", "a b c"),
        ("\u3164\u2800", ""),
        ("z\u0300\u0301\u0302\u0303a", "z\u0300\u0301a"),
    ],
)
def test_imitations_are_undone(name: str, shown: str) -> None:
    assert plain(name) == shown


@given(CROWDS)
@example({0: "ANNA", 1: "ANNA", 2: "ANNAB1UE"})
def test_nobody_at_a_table_looks_like_somebody_else(crowd: dict[int, str]) -> None:
    people = {seat: Occupant(name, user_id=seat) for seat, name in crowd.items()}
    names = Names.of(replace(TABLE, occupants=people), ENGLISH)
    assert len({likeness(name) for name in names.plain.values()}) == len(SEATS)
    assert all(0 < len(name) <= NAME_LIMIT for name in names.plain.values())
    for seat in SEATS:
        marked = names.marked(seat)
        assert marked.startswith(f"{MARKS[seat]} **")
        assert sum(marked.count(mark) for mark in MARKS) == 1
        assert "\n" not in marked


def test_names_like_the_bots_words_show_a_colour() -> None:
    people = {0: Occupant("Computer", user_id=1), 1: Occupant("blue", user_id=2), 2: Occupant("Bea", user_id=3)}
    assert Names.of(replace(TABLE, seats=TABLE.seats[:4], occupants=people), ENGLISH).plain == {
        0: "Computer (blue)",
        1: "blue (amber)",
        2: "Bea",
        3: "Violet",
    }


@pytest.mark.parametrize("name", ["محمد", "דוד 7"])
def test_right_to_left_names_leave_neighbours_in_place(name: str) -> None:
    assert safe(name) == f"\u2068{name}\u2069"


def test_a_reason_is_set_apart() -> None:
    assert quote(ENGLISH, "late” 🏆 Anna won") == "“late' Anna won”"
    assert quote(ENGLISH, " \n ") == ""


@given(NASTY)
def test_a_name_neither_mentions_nor_links(text: str) -> None:
    found = safe(plain(text))
    assert "<" not in found
    assert "://" not in found
    assert "@everyone" not in found
    assert "@here" not in found
    assert "](" not in found


@pytest.mark.parametrize(
    "name",
    [
        *("Zoë", "José", "李雷", "محمد", "👩\u200d👩\u200d👧", "❤\ufe0f", "O'Neil-Smith 3rd", "🏳\ufe0f\u200d🌈 Kim"),
        *("_kai_", "Marcel·lí"),
    ],
)
def test_names_that_people_have_stay_as_they_are(name: str) -> None:
    assert plain(name) == name


@pytest.mark.parametrize(
    ("name", "harmless"),
    [
        ("_ann_", r"\_ann\_"),
        ("**Bö**", r"Bö\*\*"),
        ("@everyone", "@\u200beveryone"),
        ("@1234", "@\u200b1234"),
        ("<@1>", "‹@\u200b1>"),
        ("[a](http://b.example)", "\\[a\\]\\[http:\u200b//b.example\\]"),
        ("# big", "big"),
        ("> quoted", "quoted"),
        ("back\\slash", r"back\\slash"),
        ("plain-name 7", "plain-name 7"),
    ],
)
def test_names_cannot_format_mention_or_link_anything(name: str, harmless: str) -> None:
    assert safe(name) == harmless


def test_a_name_brings_its_own_article(monkeypatch: pytest.MonkeyPatch) -> None:
    english = language_for("en")
    assert (the_card(english, "K"), the_card(english, "7", SUBJECT)) == ("the king", "the 7")
    assert (the_rank(english, "K"), owners_piece(english, "Ann")) == ("the king", "Ann's piece")
    translated = {
        ("object", "the king"): "den Heer",
        ("object rank", "the king"): "den König",
        ("subject", "the king"): "der Heer",
        ("subject", "{owner}'s king"): "der König von {owner}",
    }
    german = Language("de")
    monkeypatch.setattr(german._catalogue, "pgettext", lambda context, text: translated[context, text])
    assert (the_card(german, "K", OBJECT), the_card(german, "K", SUBJECT)) == ("den Heer", "der Heer")
    assert the_rank(german, "K") == "den König"
    assert owners_piece(german, "Ann", "K", SUBJECT) == "der König von Ann"


def test_sentences_begin_with_capitals_but_names_are_unchanged() -> None:
    assert capital("the piece on 5 is blocked.", "ben") == "The piece on 5 is blocked."
    assert capital("ben's piece is blocked.", "", "ben") == "ben's piece is blocked."
