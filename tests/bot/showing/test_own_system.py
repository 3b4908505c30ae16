"""A further system with its own card and rank plays, draws, explains its rules and is translated, all without code."""

import ast
import gettext
import random
from dataclasses import replace
from pathlib import Path
from typing import TypeGuard

import pytest

from bot.languages import Language, language_for
from bot.showing.rulebook import Rulebook
from bot.texts import positions
from bot.texts.moves import tell
from bot.texts.names import Names, card_label, place_name, rank_name, the_card
from bot.texts.public import history
from bot.texts.teaching.rules import topics
from engine import ROYAL, STANDARD, SYSTEMS, Action, Card, Colour, Game, Options, Phase, Rank, RuleSystem
from engine.rules import systems
from engine.rules.cards import Backward, Forward, Motif, Out
from engine.rules.definition import RankSign
from render import Scene, board_png, hand_png
from render.board import sprites
from render.themes import THEMES
from tests.bot.shown import rows, table_of
from tests.engine.staging import course
from tools.catalogues import names_in_data

ROOT = Path(__file__).resolve().parents[3]
ENGLISH = language_for("en")
DRAGON_CARD = Card("14", (Out(), Forward(14), Backward(2)), Colour.RED_GREEN, "fourteen")


@pytest.fixture
def dragons(monkeypatch: pytest.MonkeyPatch) -> RuleSystem:
    royal = SYSTEMS["royal"]
    cards = {**royal.cards, "14": DRAGON_CARD}
    ranks = (Rank("D", "dragon", 5, jumps=True, spares=1), *royal.ranks[1:])
    made = replace(royal, id="dragons", name="Dragon DOG", cards=cards, pack={**royal.pack, "14": 6}, ranks=ranks)
    monkeypatch.setitem(systems._BY_ID, "dragons", made)
    return made


def played(system: RuleSystem, players: int, seed: int, most: int = 10_000) -> Game:
    dice = random.Random(seed)
    return course(Game.new(system.id, players, dice.randbytes(32)), dice, most, "heuristic")[-1]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_own_system_plays_out_and_reads_back(dragons: RuleSystem, players: int) -> None:
    game = played(dragons, players, 3)
    assert game.phase is Phase.END
    texts = [text for _, text in game.log]
    assert any(text.startswith("14 ") for text in texts)
    assert any("D->" in text or text == "place D" for text in texts)
    assert all(str(Action.parse(text)) == text for text in texts)
    assert Game.replay("dragons", players, game.seed, Options(), game.log).view() == game.view()


def test_it_is_told_and_drawn(dragons: RuleSystem) -> None:
    game = played(dragons, 4, 5, 60)
    table, view, entries = table_of(game), game.view(), game.history(0)
    told = " ".join(tell(ENGLISH, Names.of(table, ENGLISH), entries))
    assert "Fourteen: dragon backwards" in told
    assert "dragon" in positions.alt(ENGLISH, table, view, entries[-2:])
    assert history.pages(ENGLISH, table, entries, (), rows(game))
    names = dict.fromkeys(game.seats, "Ann")
    assert board_png(Scene.from_view(view, names=names), "slate").startswith(b"\x89PNG")
    assert hand_png(["14", "=", "2"], deck=dragons.cards).startswith(b"\x89PNG")


def test_it_tells_its_rules(dragons: RuleSystem) -> None:
    found = {topic.id: "\n".join(topic.lines) for topic in topics(ENGLISH, dragons, 4)}
    assert "Fourteen: out of the kennel, 14 or 2 backwards." in found["cards"]
    assert "Dragon: can leave up to 1 space unused" in found["ranks"]
    assert "4, 10 and fourteen" in found["ranks"]
    assert "Dragon > knight > citizen > jester" in found["ranks"]


def test_own_system_names_its_pieces_and_cards(dragons: RuleSystem) -> None:
    theme = THEMES["slate"]

    def piece(rank: Rank) -> bytes:
        return sprites.piece(theme, 0, 40, rank).colours.tobytes()

    dragon = dragons.ranks[0]
    drawn = {piece(dragon), *(piece(replace(dragon, sign=sign)) for sign in RankSign)}
    assert len(drawn) == len(RankSign) + 1, "its letter, or the sign that it is given"

    def card(**changes: object) -> bytes:
        return hand_png(["14"], deck={"14": replace(DRAGON_CARD, **changes)})  # type: ignore[arg-type]

    assert card(barred=True) != card(), "no rule tells a card what is printed on it"
    suited = {card(colour=Colour.NONE, motif=motif) for motif in (None, *Motif)}
    assert len(suited) == len(Motif), "a card without as many pips shows its number, as one without a motif does"


def test_printed_crown_agrees_with_the_kings_range() -> None:
    for system in SYSTEMS.values():
        least = min((rank.longest for rank in system.ranks if rank.longest is not None), default=None)
        for card in system.cards.values() if least is not None else ():
            steps = [power.steps for power in card.powers if isinstance(power, Forward)]
            assert card.barred is any(one > least for one in steps), card.id


@pytest.mark.parametrize("package", ["engine", "render", "bot", "cogs"])
def test_code_names_no_rank_card_system_or_theme(package: str) -> None:
    """Nothing is compared with such a name; where the names are defined is another matter."""
    names = {rank.letter for system in SYSTEMS.values() for rank in system.ranks} | {*SYSTEMS, *THEMES}
    names |= {card for card in (*STANDARD, *ROYAL) if not card.isdigit()}
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and all(isinstance(op, _SAME) for op in node.ops):
                told = {one.value for side in (node.left, *node.comparators) for one in ast.walk(side) if _is_text(one)}
                assert not told & names, f"{path.relative_to(ROOT)}:{node.lineno}"


_SAME = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def _is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


async def test_its_rulebook_has_a_picture(dragons: RuleSystem) -> None:
    reply = await Rulebook(ENGLISH, "slate").at(dragons, 4, Options())
    assert reply.picture
    assert reply.content.startswith("## Dragon DOG, 4 players")


def test_it_is_translated_like_the_others(dragons: RuleSystem) -> None:
    names = {(None, "Dragon DOG"), (None, "fourteen"), ("rank", "dragon")}
    wanted = names | {("object", "the fourteen"), ("subject rank", "the dragon"), ("subject", "{owner}'s dragon")}
    assert wanted <= {(text.context, text.forms[0]) for text in names_in_data()}

    class German(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return {"fourteen": "Vierzehn"}.get(message, message)

        def pgettext(self, context: str, message: str) -> str:
            words = {("object", "the fourteen"): "die Vierzehn", ("rank", "dragon"): "Drache"}
            return words.get((context, message), message)

    german = Language("de", German())
    assert card_label(german, "14") == "14 · Vierzehn"
    assert the_card(german, "14") == "die Vierzehn"
    assert rank_name(german, "D") == "Drache"


def test_places_are_named_for_all_ranks_and_paths() -> None:
    assert [place_name(ENGLISH, place) for place in ("D-", "-", "17*", "b", "P3")] == [
        "kennel",
        "kennel",
        "17",
        "lane b",
        "path P3",
    ]
