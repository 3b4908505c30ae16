"""The private dialogue as values, without Discord: what it asks, and with which buttons and letters."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.choosing import Asks, Question, choose
from bot.errors import Busy
from bot.languages import Language
from bot.showing.dialogue import AT_ONCE, Dialogue
from bot.showing.panels import Button, Menu, Reply
from bot.table import SeatTable
from bot.texts.names import card_name
from bot.texts.questions import letters_for
from engine import SYSTEMS, ActionKind, Game, Phase, SeatGame, Step, StepKind, View
from tests.bot.shown import table_of
from tests.engine.staging import course


class Drawn:
    """Stands in for pictures, and remembers what it was asked to draw."""

    def __init__(self) -> None:
        self.labels: dict[tuple[int, str], str] = {}
        self.marked: frozenset[str] = frozenset()

    async def preview(self, *words: Any, labels: Any = None, **named: Any) -> bytes:
        self.labels = dict(labels or {})
        return b"board"

    async def hand(self, *words: Any, marked: Any = (), **named: Any) -> bytes:
        self.marked = frozenset(marked)
        return b"hand"


class TooMany(Drawn):
    """Draws nothing, because too many are waiting for pictures already."""

    async def preview(self, *words: Any, labels: Any = None, **named: Any) -> bytes:
        raise Busy

    async def hand(self, *words: Any, marked: Any = (), **named: Any) -> bytes:
        raise Busy


def dialogue(game: Game, seat: int, drawn: Drawn | None = None) -> Dialogue:
    seated = SeatTable(table_of(game), SeatGame(game, seat))
    return Dialogue(drawn or Drawn(), Language("en"), seated, "slate")  # type: ignore[arg-type]


def states(system: str, players: int, seeds: range = range(60)) -> Iterator[Game]:
    """The states of random games; captures and sevens turn up sooner or later."""
    for dice in map(random.Random, seeds):
        yield from (one for one in course(Game.new(system, players, dice.randbytes(32)), dice, 150) if one.to_act)


def first_state(system: str, players: int, wanted: Callable[[View], bool]) -> tuple[Game, int]:
    for game in states(system, players):
        for seat in game.to_act:
            if wanted(game.view(seat)):
                return game, seat
    raise AssertionError("no such state")


def card_path(view: View, card: str) -> tuple[int, ...]:
    step = choose(view.legal)
    if not isinstance(step, Question) or step.asks is not Asks.CARD:
        return ()
    return next((index,) for index, answer in enumerate(step.answers) if answer.value == card)


def buttons(reply: Reply, verb: str) -> list[Button]:
    assert reply.panel is not None
    return [one for one in reply.panel.items if isinstance(one, Button) and one.press.verb == verb]


def ways(view: View, card: str) -> int:
    return sum(action.card == card for action in view.legal)


async def test_a_few_ways_stand_on_buttons_with_their_letters() -> None:
    game, seat = first_state(
        "classic", 4, lambda view: any(1 < ways(view, card) <= 15 for card in "235689") and view.phase is Phase.TURN
    )
    view = game.view(seat)
    card = next(card for card in "235689" if 1 < ways(view, card) <= 15)
    drawn = Drawn()
    reply = await dialogue(game, seat, drawn).at(card_path(view, card))
    shown = buttons(reply, "go")
    answers = [one for one in shown if one.label != "Back"]
    assert len(answers) == ways(view, card)
    assert [one.label[:4] for one in answers] == [f"{letter} · " for letter in "ABCDEFGH"[: len(answers)]]
    assert all("→" in one.label for one in answers)
    assert sorted(drawn.labels.values()) == [one.label[0] for one in answers]


async def test_a_seven_takes_one_press_a_part_and_its_ways_are_sorted_by_steps() -> None:
    game, seat = first_state(
        "classic",
        4,
        lambda view: (
            view.phase is Phase.TURN
            and len({a.parts[0].origin for a in view.legal if a.card == "7" and len(a.parts) > 1}) > 1
        ),
    )
    view = game.view(seat)
    path = card_path(view, "7")
    legal = [action for action in view.legal if action.card == "7"]
    reply = await dialogue(game, seat).at(path)
    assert reply.panel is not None
    labels = [
        label
        for item in reply.panel.items
        for label in ([one.label for one in item.options] if isinstance(item, Menu) else [item.label])
        if " step" in label
    ]
    by_piece: dict[str, list[int]] = {}
    for label in labels:
        head, _, rest = label.partition(" · ")
        by_piece.setdefault(rest.partition(": ")[2].partition(" →")[0], []).append(int(rest.split()[0]))
        assert head.isupper()
    assert by_piece
    assert all(steps == sorted(steps) for steps in by_piece.values())
    longest = max(legal, key=lambda action: len(action.parts))
    assert presses(view, longest) <= 2 + len(longest.parts)


def presses(view: View, action: Any) -> int:
    """How many presses lead to an action once the hand is open, `Play` included."""
    path: tuple[int, ...] = ()
    while isinstance(step := choose(view.legal, path), Question):
        index = next(number for number, answer in enumerate(step.answers) if action in answer.actions)
        path = (*path, index)
    return len(path) + 1


@pytest.mark.parametrize(("system", "players"), [("classic", 4), ("family", 4), ("dobney", 6), ("royal", 3)])
def test_no_action_takes_more_presses_than_a_card_a_name_its_parts_and_play(system: str, players: int) -> None:
    for game in states(system, players, range(2)):
        seat = game.to_act[0]
        view = game.view(seat)
        for action in random.Random(game.number).sample(view.legal, min(8, len(view.legal))):
            extra = (action.named is not None) + (len(action.parts) > 1) + (len({a.kind for a in view.legal}) > 1)
            assert presses(view, action) <= 2 + extra + len(action.parts)


async def test_the_only_playable_card_is_not_asked_for_and_the_others_say_why() -> None:
    game, seat = first_state(
        "classic",
        4,
        lambda view: (
            view.phase is Phase.TURN
            and len({action.card for action in view.legal}) == 1
            and len(set(view.hand or ())) > 1
        ),
    )
    view = game.view(seat)
    (card,) = {action.card for action in view.legal}
    reply = await dialogue(game, seat).hand()
    assert "Only the " in reply.content
    assert "can be played" in reply.content
    assert len(buttons(reply, "why")) == len(set(view.hand or ())) - 1
    assert card is not None


async def test_a_forced_discard_and_doing_without_help_happen_at_once() -> None:
    game, seat = first_state(
        "royal", 3, lambda view: any(a.kind is ActionKind.DISCARD for a in view.legal) and len(set(view.hand or ())) > 1
    )
    shown = buttons(await dialogue(game, seat).hand(), "play")
    assert len(shown) == len(set(game.view(seat).hand or ()))
    game, seat = first_state("family", 4, lambda view: any(a.kind is ActionKind.NONE for a in view.legal))
    assert [one.label for one in buttons(await dialogue(game, seat).hand(), "play")] == ["I need no help"]
    assert {ActionKind.DISCARD, ActionKind.NONE} == AT_ONCE


async def test_what_was_drawn_is_said_and_marked() -> None:
    for before in states("royal", 3, range(6)):
        seat = before.to_act[0]
        for action in before.legal(seat):
            after = before.play(seat, action)
            cards = SeatGame(after, seat).drawn_since(SeatGame(before, seat))
            if cards and action.kind is ActionKind.DISCARD:
                assert len(cards) == 1
                drawn = Drawn()
                reply = await dialogue(after, seat, drawn).with_drawn(cards).hand()
                assert "You drew the " in reply.content
                if drawn.marked:
                    assert drawn.marked == frozenset(cards)
                    return
    raise AssertionError("nobody drew")


async def test_a_card_from_the_exchange_is_said_and_marked() -> None:
    game, seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN and view.got is not None)
    other = next(one for one in game.seats if one != seat)
    for one in (seat, other):
        drawn = Drawn()
        view = game.view(one)
        reply = await dialogue(game, one, drawn).hand()
        assert "gave you the " in reply.content
        if drawn.marked:
            assert drawn.marked == {view.got}


async def test_a_jump_names_its_target() -> None:
    game, seat = first_state("royal", 4, lambda view: view.phase is Phase.JUMP)
    jump = next(action for action in game.legal(seat) if action.kind is ActionKind.JUMP)
    target = game.preview(seat, jump).steps[0].target
    reply = await dialogue(game, seat).hand()
    assert f"Jump on to {target}" in [one.label for one in buttons(reply, "go")]


async def test_a_royal_swap_names_both_ranks() -> None:
    game, seat = first_state("royal", 4, lambda view: any(part.swap for a in view.legal for part in a.parts))
    view = game.view(seat)
    swap = next(a for a in view.legal if any(part.swap for part in a.parts))
    step = game.preview(seat, swap).steps[0]
    assert step.other is not None
    owner, place = step.other
    assert f"{step.other_rank}{place}" in {piece.rstrip("*") for piece in view.pieces[owner]}


def walked(side: int, origin: str, target: str, value: int = 0, other: tuple[int, str] | None = None) -> Step:
    kind = StepKind.FORWARD if other is None else StepKind.SWAP
    return Step(kind, side, origin, target, (origin, target), other=other, value=value)


def test_letters_stand_on_pieces_with_one_way_each_and_on_places_where_there_are_more() -> None:
    lone = letters_for([walked(0, "12", "17"), walked(0, "20", "25"), None])
    assert lone.spots == {(0, "12"): "A", (0, "20"): "B"}
    assert lone.heads == ("A", "B", "")
    several = letters_for([walked(0, "12", "13"), walked(0, "12", "23"), walked(0, "20", "21")])
    assert several.spots == {(0, "13"): "A", (0, "23"): "B", (0, "21"): "C"}
    shared = letters_for([walked(0, "12", "13"), walked(0, "12", "23"), walked(0, "22", "23")])
    assert shared.spots == {(0, "12"): "A", (0, "22"): "B"}
    assert shared.heads == ("A", "A", "B")


def test_a_swap_has_a_letter_at_both_ends() -> None:
    swaps = [walked(0, "12", target, other=(1, target)) for target in ("30", "40")]
    assert letters_for(swaps).heads == ("A ⇄ B", "A ⇄ C")
    assert letters_for(swaps).spots == {(0, "12"): "A", (1, "30"): "B", (1, "40"): "C"}


@pytest.mark.parametrize("system", sorted(SYSTEMS))
async def test_no_reply_is_larger_than_a_message_bears(system: str) -> None:
    players = SYSTEMS[system].players[-1]
    for number, game in enumerate(states(system, players, range(1))):
        if number % 7:
            continue
        for seat in game.to_act:
            view = game.view(seat)
            step = choose(view.legal)
            paths = [()] if not isinstance(step, Question) else [(), *((i,) for i in range(len(step.answers)))]
            for path in paths:
                reply = await dialogue(game, seat).with_undo().with_link().at(path)
                assert reply.panel is not None
                menus = [item for item in reply.panel.items if isinstance(item, Menu)]
                rest = len(reply.panel.items) - len(menus)
                assert len(menus) + -(-rest // 5) <= 5
                assert len(reply.content) <= 2000


async def test_while_too_many_wait_for_pictures_the_same_is_told_in_words() -> None:
    game, seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN and len(view.legal) > 3)
    busy = dialogue(game, seat, TooMany())
    said = await busy.hand()
    assert said.picture is None
    assert said.panel == (await dialogue(game, seat).hand()).panel
    for card in game.view(seat).hand or ():
        assert card_name(Language("en"), card) in said.content
    step, path = choose(game.view(seat).legal), list[int]()
    while isinstance(step, Question):
        path.append(0)
        step = choose(game.view(seat).legal, path)
    told, drawn = await busy.at(path), await dialogue(game, seat).at(path)
    assert told.picture is None
    assert drawn.picture is not None
    assert len(told.content) > len(drawn.content), "the board stands there in words"
    assert told.panel == drawn.panel
