"""Nonsense handed to any public function is refused with a typed error that names the field."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import (
    SYSTEMS,
    Action,
    ActionKind,
    Card,
    DogError,
    Game,
    NotationError,
    Options,
    Part,
    Position,
    PositionError,
    Refusal,
    SetupError,
    board_for,
    parse_position,
)
from engine.analysis import position_actions
from engine.players import choose
from engine.players.selfplay import play_games
from engine.rules.actions import read_action
from engine.rules.cards import Forward
from tests.engine.staging import SEED


class Stranger:
    """An object of no known kind; its name is the same in every process, as pytest-xdist requires."""

    def __repr__(self) -> str:
        return "stranger"


NONSENSE: list[Any] = [None, True, -1, 99, 1.5, "", "x", "0", b"x", [], {}, (), Stranger(), float("nan"), [[]]]
SOMETHING = NONSENSE[1:]


def game() -> Game:
    return Game.new("classic", 4, SEED)


ASKED: dict[str, tuple[type[DogError], list[Any], list[Callable[[Any], object]]]] = {
    "rules": (
        SetupError,
        [*NONSENSE, "Classic", "classic "],
        [lambda one: Game.new(one, 4, SEED), lambda one: board_for(one, 4)],
    ),
    "players": (
        SetupError,
        [*NONSENSE, 2, 3, 5, 6, 4.0],
        [lambda one: Game.new("classic", one, SEED), lambda one: board_for("classic", one)],
    ),
    "seed": (
        SetupError,
        [*NONSENSE, bytes(31), bytes(33), bytearray(32), "0" * 32],
        [lambda one: Game.new("classic", 4, one)],
    ),
    "options": (
        SetupError,
        SOMETHING,
        [lambda one: Game.new("classic", 4, SEED, one)],
    ),
    "seat": (
        SetupError,
        SOMETHING,
        [
            lambda one: game().play(one, "fold"),
            lambda one: game().legal(one),
            lambda one: game().decision(one),
            lambda one: game().view(one),
            lambda one: game().preview(one, "fold"),
            lambda one: game().why_not(one, "A"),
        ],
    ),
    "log": (
        SetupError,
        [
            *(None, 5, "give A", b"x", {"a": 1}, [0], ["give A"]),
            *([(0,)], [(0, "none", 1)], [("0", "none")], [(0, None)], [(True, "none")]),
        ],
        [lambda one: Game.replay("family", 4, SEED, Options(), one)],
    ),
    "first": (SetupError, [None, True, "1", 1.5, []], [lambda one: game().history(one)]),
    "player": (
        SetupError,
        NONSENSE,
        [lambda one: choose(one, game(), 0, random.Random(1)), lambda one: choose("random", game(), 0, one)],
    ),
    "action": (
        NotationError,
        [
            *NONSENSE,
            Action("fold"),
            Action(ActionKind.FOLD, "A"),
            Action(ActionKind.GIVE),
            Action(ActionKind.GIVE, "99"),
            Action(ActionKind.PLACE),
            Action(ActionKind.PLAY),
            Action(ActionKind.PLAY, "5", parts=[Part(None, "1", "6")]),
            Action(ActionKind.PLAY, "5", parts=(1, 2)),
            Action(ActionKind.PLAY, "5", parts=(Part(None, "x y", "6"),)),
            Action(ActionKind.PLAY, "5", rank="K", parts=(Part(None, "1", "6"),)),
        ],
        [lambda one: game().play(0, one), lambda one: game().preview(0, one)],
    ),
    "text": (NotationError, NONSENSE, [Action.parse, lambda one: read_action(one, SYSTEMS["classic"].cards)]),
    "card": (DogError, NONSENSE, [lambda one: game().why_not(0, one)]),
    "position": (PositionError, NONSENSE, [parse_position, position_actions]),
}
"""What is asked for: how anything else is refused, what is tried, and where it can be handed in."""


@pytest.mark.parametrize(("what", "value"), [(what, value) for what in ASKED for value in ASKED[what][1]], ids=repr)
def test_nonsense_is_refused_for_what_it_is(what: str, value: Any) -> None:
    error, _, ways = ASKED[what]
    for ask in ways:
        with pytest.raises(error) as refused:
            ask(value)
        if isinstance(refused.value, SetupError) and what != "player":
            assert refused.value.field == what


def test_an_option_that_the_system_does_not_know() -> None:
    with pytest.raises(SetupError) as refused:
        Game.new("royal", 4, SEED, Options(canadian_seven=True))
    assert refused.value.field == "options.canadian_seven"


@pytest.mark.parametrize("value", [[], "x", 1, {"jump": True}, {1: True}, {"canadian_seven": 1}], ids=repr)
def test_options_from_json(value: Any) -> None:
    with pytest.raises(SetupError) as refused:
        Options.from_json(value)
    assert refused.value.field.startswith("options")


@pytest.mark.parametrize(
    "text",
    [
        "give", "give A:2", "give  A", " give A", "ask", "none A", "place", "place KN", "place k", "discard",
        "fold now", "jump 11", "A", "A ", "5 12", "5 12>", "5 >12", "5 12>>13", "5 12-13", "5 012>13", "5 1000>3",
        "5 e>f", "5 12>-", "X: 12>13", "X:é 12>13", ":7 12>13", "J idle idle", "J 12<>30", "J 12<>1.", "5 10.12>13",
        "5\n12>17", "5\t12>17", "５ 12>17", "5 12>17 ", "give A\n", "\x00", "7 " + "1>2 " * 100,
    ],
)  # fmt: skip
def test_texts_that_are_no_action(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        Action.parse(text)
    assert refused.value.text == text
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("text", ["give 99", "give 1/11", "99 12>13", "X:99 12>13", "A:switch 12<>1.30"])
def test_cards_that_the_system_does_not_have(text: str) -> None:
    with pytest.raises(NotationError):
        game().play(0, text)
    with pytest.raises(NotationError):
        Game.replay("classic", 4, SEED, None, [(0, text)])


@pytest.mark.parametrize("card", ["", "give", "a b", "7:", "1>2", "é", "x" * 17])
def test_card_ids_that_a_record_could_not_hold(card: str) -> None:
    cards = {**SYSTEMS["classic"].cards, card: Card(card, (Forward(1),))}
    with pytest.raises(SetupError):
        replace(SYSTEMS["classic"], cards=cards)


def test_corrupt_logs() -> None:
    whole = [(seat, "none") for seat in range(4)]
    for log, error in [
        ([(9, "none")], Refusal),
        ([(0, "nothing")], NotationError),
        ([(0, "none"), (0, "none")], Refusal),
        ([(0, "fold")], Refusal),
        ([(0, "ask 2"), (0, "ask 2")], Refusal),
        ([*whole, (0, "none")], Refusal),
        ([*whole, (0, "5 1>6"), (1, "5 1>6"), (2, "5 1>6"), (3, "5 1>6")], Refusal),
    ]:
        with pytest.raises(error):
            Game.replay("family", 4, SEED, Options(), log)


def test_history_outside_the_game_is_empty_or_whole() -> None:
    assert game().history(7) == ()
    assert len(game().history(-5)) == 1


POSITION: dict[str, Any] = {
    "system": SYSTEMS["royal"],
    "players": 2,
    "pieces": {0: ("K-", "N-", "C-", "J1"), 2: ("K-", "N-", "C-", "J-")},
    "seat": 0,
    "hand": ("2",),
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("system", "royal"), ("system", None), ("players", 9), ("players", "2"), ("pieces", None), ("pieces", {}),
        ("pieces", {0: "KNCJ", 2: ()}), ("pieces", {0: (1, 2, 3, 4), 2: (1, 2, 3, 4)}), ("seat", 1), ("seat", None),
        ("seat", "0"), ("hand", None), ("hand", "2"), ("hand", ("A",)), ("hand", (None,)), ("last", "="), ("last", 5),
        ("options", None), ("options", Options(canadian_seven=True)),
    ],
)  # fmt: skip
def test_positions_made_of_nonsense(field: str, value: Any) -> None:
    with pytest.raises(PositionError) as refused:
        position_actions(Position(**(POSITION | {field: value})))
    assert refused.value.field.split(".")[0] == {"system": "rules"}.get(field, field)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("x", 4, 1, 1, ["random"]), "rules"),
        (("classic", 3, 1, 1, ["random"]), "players"),
        (("classic", 4, 0, 1, ["random"]), "games"),
        (("classic", 4, "1", 1, ["random"]), "games"),
        (("classic", 4, 1, None, ["random"]), "seed"),
        (("classic", 4, 1, 1, []), "player"),
        (("classic", 4, 1, 1, "random"), "player"),
        (("classic", 4, 1, 1, ["random"] * 5), "player"),
        (("royal", 4, 1, 1, ["random"], Options(canadian_seven=True)), "options.canadian_seven"),
    ],
)
def test_no_self_play(arguments: tuple[Any, ...], field: str) -> None:
    with pytest.raises(SetupError) as refused:
        play_games(*arguments)
    assert refused.value.field == field
