"""`/dog rules`: every topic of every system says what the definition says, and its picture can be drawn."""

from dataclasses import replace

import pytest

from bot.languages import language_for
from bot.showing.panels import Button, Link, Menu
from bot.showing.presses import parse
from bot.showing.rulebook import Rulebook, ShowPage
from bot.showing.scenarios import laid_out
from bot.texts.teaching.rules import A_PAGE, FIRST, topics
from engine import SYSTEMS, Options, available_options, board_for, place_of
from engine.rules.definition import BackwardEntry, Guard, IdleSwap, SwapRule
from tests.engine.staging import KINDS

ENGLISH = language_for("en")


def told(system: str, players: int, options: Options | None = None) -> dict[str, str]:
    return {topic.id: "\n".join(topic.lines) for topic in topics(ENGLISH, SYSTEMS[system], players, options)}


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_pages_are_short_and_whole(system: str, players: int) -> None:
    names = available_options(SYSTEMS[system], players) - {"teams"}
    for options in (Options(), *(Options.from_json({name: True}) for name in names)):
        for topic in topics(ENGLISH, SYSTEMS[system], players, options):
            pages = topic.pages
            assert sum(page.text.count("\n") for page in pages) == len(topic.lines)
            for page in pages:
                assert topic.id == FIRST or page.text.count("\n") <= A_PAGE
                assert len(page.text) < 700
                assert "…" not in page.text


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_topics_are_those_that_the_system_has(system: str, players: int) -> None:
    found = told(system, players).keys()
    data, board = SYSTEMS[system], board_for(system, players)
    assert ("seven" in found) is (data.seven is not None)
    assert ("ranks" in found) is bool(data.ranks)
    assert ("spaces" in found) is bool(board.specials)
    assert ("paths" in found) is bool(board.paths)
    assert {"words", "aim", "start", "lane", "round", "cards", "swap", "pile"} <= found


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_lane_and_fresh_are_explained_on_use(system: str, players: int) -> None:
    found = told(system, players)
    assert list(found)[:2] == ["turn", "words"], "before any of them is used"
    assert "*Lane*" in found["words"]
    used = any("fresh" in text for text in found.values())
    assert used is ("*Fresh*" in found["words"]) is SYSTEMS[system].marks_fresh


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_every_card_is_in_the_list(system: str, players: int) -> None:
    names = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King", "X": "Joker", "=": "Copy"}
    text = told(system, players)["cards"]
    pictured = [
        card for topic in topics(ENGLISH, SYSTEMS[system], players) for page in topic.pages for card in page.cards
    ]
    assert sorted(pictured) == sorted(SYSTEMS[system].cards)
    for card in SYSTEMS[system].cards:
        assert names.get(card, card.capitalize()) in text


def test_four_turns_in_where_the_rules_say() -> None:
    assert "4 backwards: from 1 past the start into b, from 2 past the start into a." in told("family", 4)["lane"]
    assert "Never from your start itself" in told("family", 4)["lane"]
    ways = (
        "(not fresh) into d, from 1 past the start into c, from 2 past the start into b, from 3 past the start into a"
    )
    assert f"from the start itself {ways}" in told("dobney", 4)["lane"]
    for system in ("classic", "royal", "royal-basic"):
        assert "4: going backwards, it never turns into the lane, but can go past it." in told(system, 4)["lane"]


def test_own_definition_is_described_by_its_data() -> None:
    changed = replace(SYSTEMS["classic"], id="other", enter_backward=BackwardEntry.OVER_START, start_guard=Guard.FRESH)
    found = {topic.id: "\n".join(topic.lines) for topic in topics(ENGLISH, changed, 4)}
    assert "4 backwards" in found["lane"]
    assert "A fresh piece on its start" in found["start"]
    last = replace(changed, swap=SwapRule(partner_last=False, idle=IdleSwap.LAST))
    found = {topic.id: "\n".join(topic.lines) for topic in topics(ENGLISH, last, 4)}
    assert "you can't play anything else" in found["swap"]


def test_swaps() -> None:
    dobney = told("dobney", 4)["swap"]
    assert "only if no opponent's piece can be swapped" in dobney
    assert "you can't play anything else" in dobney
    assert "without effect" in told("family", 4)["swap"]
    assert "anything else" not in told("family", 4)["swap"]
    assert "you can't play it without" in told("classic", 4)["swap"]
    assert "Fresh pieces and pieces in lanes and kennels" in told("classic", 4)["swap"]
    assert "Pieces on their own start, in lanes and in kennels" in told("royal", 4)["swap"]


RULINGS = [
    ("keezen 4", "aim", "nk.keezbord.nl, keezers.net, keezenspelregels.blogspot.com and zijtaart.nl"),
    ("keezen 4", "lane", "at the space before your start"),
    ("keezen 3", "round", "There are 39 cards."),
    ("keezen 4", "seven", "at most 2 of your pieces"),
    ("keezen 4 canadian_seven", "seven", "at most 2 pieces"),
    ("swiss 8", "round", "There are 165 cards, 9 of them jokers."),
    ("swiss 6 teams=two", "round", "a card to the next player in their team"),
    ("swiss 6 teams=two", "aim", "your team's other pieces"),
    ("swiss 4 own_safe", "seven", "can't pass blocking pieces or your team's"),
    ("tock 4", "round", "you lay your hand down face up"),
    ("tock 4", "lane", "can't take a piece past its lane"),
    ("tock 4", "lane", "can only turn in, unless it's fresh"),
    ("tock 4", "push", "goes past its lane, never into it"),
    ("tock 4", "push", "If that's all you can play, you must."),
    ("tock 4", "rob", "drawn at random and laid face up"),
    ("jackaroo 4", "aim", "around 76 spaces"),
    ("jackaroo 4", "lane", "can only turn in."),
    ("jackaroo 4", "moving", "No piece can pass two on neighbouring spaces."),
    ("jackaroo 4 complex", "rob", "of their choice"),
    ("jackaroo 4 complex", "sweep", "A protected piece stops it. Two on neighbouring spaces don't."),
]


@pytest.mark.parametrize(("game", "topic", "sentence"), RULINGS)
def test_what_is_ruled_of_the_cousins_is_told(game: str, topic: str, sentence: str) -> None:
    system, players, house = f"{game} ".split(" ", 2)
    assert sentence in told(system, int(players), Options.from_words(house))[topic]


@pytest.mark.parametrize(
    ("game", "topic", "sentence"),
    [
        ("classic 4 own_safe", "start", "sends back any other player's"),
        ("swiss 4 own_safe", "start", "even your own"),
        ("swiss 4 own_safe", "seven", "Landing on a piece sends it back"),
        ("tock 4", "lane", "can turn in too"),
        ("jackaroo 4 pass_own", "moving", "No piece can pass another"),
    ],
)
def test_removed_rules_are_not_described(game: str, topic: str, sentence: str) -> None:
    system, players, house = f"{game} ".split(" ", 2)
    assert sentence not in told(system, int(players), Options.from_words(house))[topic]


def test_ranks_and_magnet() -> None:
    ranks = told("royal", 4)["ranks"]
    assert "(4 and 10, in either direction)" in ranks
    assert (
        "be sent back only by another player's piece of this rank, or by any piece coming onto its own start" in ranks
    )
    assert "up to 2 spaces" in ranks
    assert "can pass a piece on its own start" in ranks
    assert "at least one space, and never into the lane" in told("royal-basic", 2)["magnet"]


def test_short_cuts_name_their_spaces() -> None:
    paths = told("dobney", 6)["paths"]
    assert "Path P leaves the track at 23, runs from P1 to P7 and rejoins at 75." in paths
    assert "Path Q leaves the track at 71, runs from Q1 to Q7 and rejoins at 27." in paths
    assert "P4 and Q4 are one space" in paths


def test_the_pile() -> None:
    assert "come straight back" in told("royal-basic", 3)["pile"]
    assert "come straight back" in told("royal", 4)["pile"]
    assert "come straight back" not in told("classic", 4)["pile"]


def test_each_picture_has_a_topic_and_is_drawable() -> None:
    for example in laid_out():
        assert example.topic in told(example.rules, example.players)
        scene = example.scene()
        assert scene.board is board_for(example.rules, example.players)
        # A letter on a free place says that the rules allow to go there.
        targets = {(step.side, step.target) for step in scene.ways}
        standing = {(side, place_of(text)) for side, texts in scene.placement.items() for text in texts}
        assert {(side, place_of(text)) for side, text in scene.candidates} <= targets | standing


@pytest.mark.parametrize(("system", "players"), [("dobney", 6), ("swiss", 8)])
async def test_book_has_next_pages_and_a_menu(system: str, players: int) -> None:
    book = Rulebook(ENGLISH, "slate", "https://example.org/docs/rules/")
    options = Options(canadian_seven=True)
    reply = await book.at(SYSTEMS[system], players, options)
    found = topics(ENGLISH, SYSTEMS[system], players, options)
    pages = [page for topic in found for page in topic.pages]
    for number, page in enumerate(pages):
        assert page.text in reply.content
        assert f"Page {number + 1} of {len(pages)}" in reply.content
        assert reply.picture
        assert reply.alt
        back, on = (item for item in reply.panel.items if isinstance(item, Button))
        assert (back.disabled, on.disabled) == (number == 0, number == len(pages) - 1)
        assert [one.url for one in reply.panel.items if isinstance(one, Link)] == [
            f"https://example.org/docs/rules/{system}.md"
        ]
        read = parse(on.press.custom_id())
        assert isinstance(read, ShowPage)
        reply = await book.pressed(read)
    (menu,) = (item for item in reply.panel.items if isinstance(item, Menu))
    assert [one.label for one in menu.lines] == [topic.title for topic in found]
    for line, topic in zip(menu.lines, found, strict=True):
        press = menu.press.with_choice(int(line.value))
        assert isinstance(press, ShowPage)
        assert topic.pages[0].text in (await book.pressed(press)).content


async def test_missing_address_and_foreign_numbers_do_no_harm() -> None:
    book = Rulebook(ENGLISH, "slate")
    reply = await book.at(SYSTEMS["royal"], 2, Options(), page=99)
    assert not [item for item in reply.panel.items if isinstance(item, Link)]
    assert (await book.pressed(ShowPage(0, system=77, players=9, house=10**9, page=55))).content
