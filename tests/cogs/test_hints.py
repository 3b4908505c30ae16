"""Hints in the private dialogue: only where the table allows them, with a preview and a reason, never in the way."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.errors import Busy
from bot.languages import language_for
from bot.moment import START
from bot.showing.dialogue import Hint, PlayNow
from bot.showing.presses import parse
from bot.table import Table
from bot.tables import hints
from bot.tables.hints import _suggest
from bot.texts.advice import why
from bot.texts.names import Names
from engine import Action, Game
from engine.hidden import worlds
from engine.hidden.knowledge import Knowledge
from engine.hidden.worlds import NoWorld
from engine.players import choose
from engine.players.best import Rated, rate, resolve_for
from engine.players.motives import Motive, MotiveKind
from engine.players.search import Effort
from tests.cogs.playing import the_table
from tests.engine.staging import SEED, exchanging, staged
from tests.engine.twins import arranging, recorded, twin
from tests.simtable import Answer, SimTable


async def begin(table: SimTable, **options: Any) -> Table:
    ann = table.members[0]
    await table.slash(ann, "dog new", **options)
    await table.click(ann, "Fill with computers")
    await table.click(ann, "Start")
    return await the_table(table)


def advised(answer: Answer) -> bool:
    """Whether an answer holds a hint; its sign must begin a line, since the title contains it too."""
    shown = [seen for seen in (answer.shown, *answer.more) if seen is not None]
    return any(line.startswith("💡") for seen in shown for line in seen.text.splitlines())


async def test_a_hint_shows_an_action_and_why_and_plays_nothing(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new", hints=True)
    assert "Hints are allowed" in table.board().text
    await table.click(ann, "Fill with computers")
    await table.click(ann, "Start")
    opened = await the_table(table)
    assert "hints allowed" in table.board().text
    await table.slash(ann, "dog hand")
    hint = await table.click(ann, "Hint")
    assert hint.private
    assert advised(hint)
    plays = [
        press
        for seen in (hint.shown, *hint.more)
        if seen
        for one in seen.custom_ids
        if isinstance(press := parse(one), PlayNow)
    ]
    assert len(plays) == 1
    assert (await the_table(table)).number == opened.number
    await table.click(ann, "Confirm")
    assert (await the_table(table)).number > opened.number


async def test_without_the_term_there_is_no_hint_not_even_by_a_forged_button(table: SimTable) -> None:
    ann, ben = table.members[:2]
    opened = await begin(table)
    hand = await table.slash(ann, "dog hand")
    assert hand.shown is not None
    assert "Hint" not in hand.shown.labels
    assert "hints" not in table.board().text
    press = Hint(opened.id, opened.decision(0) or START)
    answer = await table.forge(ann, press.custom_id(), on=table.board())
    assert "not agreed on" in answer.text
    answer = await table.forge(ben, press.custom_id(), on=table.board())
    assert "no seat" in answer.text


async def test_the_only_thing_to_do_needs_nobody_to_think(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = table.members[0]
    opened = await begin(table, hints=True)
    legal = Game.legal

    async def busy(*_: object) -> None:
        raise Busy

    monkeypatch.setattr(table.bot.pools, "think", busy)
    monkeypatch.setattr(Game, "legal", lambda game, seat: legal(game, seat)[:1])
    press = Hint(opened.id, opened.decision(0) or START)
    answer = await table.forge(ann, press.custom_id(), on=table.board())
    assert "There is nothing else you can do" in answer.text


async def test_when_nobody_has_time_to_think_it_is_refused_politely(
    table: SimTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = table.members[0]
    await begin(table, hints=True)
    await table.slash(ann, "dog hand")

    async def busy(*_: object) -> None:
        raise Busy

    monkeypatch.setattr(table.bot.pools, "think", busy)
    answer = await table.click(ann, "Hint")
    assert "busy" in answer.text
    assert answer.private


async def test_who_is_not_asked_gets_no_hint_nor_who_names_a_game_that_is_not_there(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", hints=True)
    await table.click(ben, "Join")
    await table.click(ann, "Fill with computers")
    await table.click(ann, "Start")
    opened = await the_table(table)
    seat = opened.seat_of(ben.id)
    press = Hint(opened.id, opened.decision(seat) or START)
    await table.slash(ben, "dog me away", until="2026-01-05", meanwhile="computer")
    answer = await table.forge(ben, press.custom_id(), on=table.board())
    assert answer.private
    assert "A computer is playing your seat" in answer.text
    assert "moved on" not in answer.text
    answer = await table.forge(ben, Hint(opened.id + 9, press.decision).custom_id(), on=table.board())
    assert answer.private
    assert "gone" in answer.text


@pytest.mark.parametrize("system", ["classic", "family"])
def test_without_any_world_the_hint_is_what_looks_best(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any) -> None:
        raise NoWorld

    monkeypatch.setattr(worlds.Dealer, "deal", none)
    game = Game.new(system, 4, bytes(32))
    for _ in range(6):
        seat = game.to_act[0]
        hint, motive = _suggest(game, seat, 5)
        assert motive.kind in MotiveKind
        assert hint == str(choose("normal", game, seat, random.Random(1)))
        game = game.play(seat, hint)


@pytest.mark.parametrize("system", ["classic", "family"])
def test_a_hint_does_not_depend_on_what_the_seat_cannot_know(system: str) -> None:
    dice = random.Random(8)
    compared = 0
    while compared < 3:
        with arranging():
            recording = recorded((system, 4, False), dice, dice.randrange(40))
            game = recording.game
            if not game.to_act:
                continue
            seat = game.to_act[0]
            other = twin(recording, seat, dice)
            if other is None:
                continue
            assert _suggest(other, seat, 5) == _suggest(game, seat, 5)
            compared += 1


@pytest.mark.parametrize(("players", "worlds"), [(2, 96), (4, 32)])
def test_a_hint_is_thought_about_as_long_as_strong_would(
    players: int, worlds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent: list[Effort] = []

    def rated(known: Knowledge, rng: random.Random, effort: Effort) -> tuple[Rated, ...]:
        spent.append(effort)
        return rate(known, rng, Effort(2, 1))

    monkeypatch.setattr(hints, "rate", rated)
    _suggest(Game.new("royal-basic", players, SEED), 0, 5)
    assert spent == [Effort(6, worlds)]


def rated_as(monkeypatch: pytest.MonkeyPatch, game: Game, *texts: str) -> None:
    """Let these actions be rated, the first a little better than the others."""
    found = [
        Rated(Action.parse(text), resolve_for(game, 0, Action.parse(text)), 0.5 - number / 100, 0, 1, 8, 0, 0, 0)
        for number, text in enumerate(texts)
    ]
    monkeypatch.setattr(hints, "rate", lambda *_: tuple(found))


def test_a_hint_considers_the_partner_as_strong_does(monkeypatch: pytest.MonkeyPatch) -> None:
    game = staged("classic", 4, hands={0: "5 2", 1: "2"}, pieces={0: "20", 2: "25"})
    rated_as(monkeypatch, game, "5 20>25", "2 20>22")
    assert _suggest(game, 0, 5)[0] == "2 20>22"


def test_a_hint_names_what_the_next_best_action_does_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    game = staged("classic", 4, hands={0: "6 X 3 K"}, pieces={0: "20 62", 1: "26"})
    rated_as(monkeypatch, game, "6 20>26", "X:6 20>26")
    assert _suggest(game, 0, 5)[1] == Motive(MotiveKind.KEEPS_CARD, card="X")
    rated_as(monkeypatch, game, "6 20>26", "3 20>23")
    assert _suggest(game, 0, 5)[1].kind is MotiveKind.TAKES
    # Where there is no such thing, it is what the action does.
    game = staged("classic", 4, hands={0: "6 4"}, pieces={0: "20 22", 1: "26"})
    rated_as(monkeypatch, game, "6 20>26", "4 22>26")
    assert _suggest(game, 0, 5)[1].kind is MotiveKind.TAKES


def test_a_call_for_help_is_explained_before_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    game = exchanging("family", {0: "2 5 9"})
    rated_as(monkeypatch, game, "ask 2", "ask 5")
    assert _suggest(game, 0, 5)[1].kind is MotiveKind.NEEDS_HELP


@pytest.mark.parametrize(
    ("motive", "told"),
    [
        (Motive(MotiveKind.MOVES_ON, 0, count=1), "This takes a piece 1 space further."),
        (Motive(MotiveKind.MOVES_ON, 0, count=5), "This takes a piece 5 spaces further."),
        (Motive(MotiveKind.SWAPS_BACK, 1, "30", 1), "The swap puts 🟠 **Ben**'s piece 1 space back."),
        (Motive(MotiveKind.SWAPS_BACK, 1, "30", 12, rank="K"), "The swap puts 🟠 **Ben**'s king 12 spaces back."),
        (Motive(MotiveKind.TAKES, 1, "30", 1), "This sends a piece of 🟠 **Ben** home."),
        (Motive(MotiveKind.TAKES, 1, "30", 2), "This sends 2 pieces of 🟠 **Ben** home."),
        (Motive(MotiveKind.FIRST_PIECE, rank="K"), "Begin with the king: hardly any piece may take it."),
        (
            Motive(MotiveKind.FIRST_PIECE, rank="N"),
            "Begin with the knight: it gets past starts that stop everybody else.",
        ),
        (
            Motive(MotiveKind.FIRST_PIECE, rank="C"),
            "Begin with the citizen: from a special space it may go on to the next.",
        ),
        (
            Motive(MotiveKind.FIRST_PIECE, rank="J"),
            "Begin with the jester: entering its lane, it may leave up to 2 points of a card unused.",
        ),
        (Motive(MotiveKind.FIRST_PIECE, rank="Z"), "Begin with the Z: I found nothing better."),
    ],
)
def test_the_sentence_says_exactly_what_the_reason_holds(motive: Motive, told: str) -> None:
    assert why(language_for("en-US"), Names({0: "Ann", 1: "Ben"}), motive) == f"💡 {told}"


@pytest.mark.parametrize("kind", list(MotiveKind))
def test_there_is_a_sentence_for_every_reason(kind: MotiveKind) -> None:
    language = language_for("en-US")
    names = Names({0: "Ann", 1: "Ben"})
    told = why(language, names, Motive(kind, 1, "26", 2, "7", "K"))
    assert told.startswith("💡")
    assert "{" not in told


async def test_the_help_says_that_hints_are_off_unless_the_host_turns_them_on(table: SimTable) -> None:
    answer = await table.slash(table.members[0], "dog help")
    assert "hints are off unless its host turns them on with `hints`" in answer.text
    await table.slash(table.members[0], "dog new")
    assert "Hints" not in table.board().text
