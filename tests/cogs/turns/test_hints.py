"""Hints: only where the table allows them, for whoever is asked, from anywhere, with a preview and a reason."""

import random
from typing import Any

import pytest

from bot.errors import Busy, Load, NotAtTable, Problem, WrongStatus
from bot.languages import language_for
from bot.moment import START, Moment
from bot.showing.choices import PlayNow
from bot.showing.dialogue import AskHint
from bot.showing.presses import parse
from bot.table import Table
from bot.tables.learning import hints
from bot.tables.learning.hints import Tip, _suggest, tip_for
from bot.texts.names import Names
from bot.texts.teaching.advice import why
from engine import Action, Game, SeatGame
from engine.hidden import worlds
from engine.hidden.knowledge import Knowledge
from engine.hidden.worlds import NoWorld
from engine.players import choose
from engine.players.best import Rated, rate, resolve_for
from engine.players.motives import Motive, MotiveKind
from engine.players.search import Effort
from tests.cogs.playing import (
    cancel,
    elsewhere,
    on_turn,
    past_the_exchange,
    play_on,
    seat_everyone,
    the_table,
    words_in,
)
from tests.engine.staging import SEED, exchanging, staged
from tests.engine.twins import arranging, recorded, twin
from tests.simtable import Answer, SimTable


def advised(answer: Answer) -> bool:
    """Whether an answer holds a hint; its sign must begin a line, since the title contains it too."""
    return any(line.startswith("💡") for line in answer.text.splitlines())


def hint_of(opened: Table, seat: int) -> str:
    """The custom id of the hint button in this seat's dialogue as it is now."""
    return AskHint(opened.id, opened.decision(seat) or START).custom_id()


@pytest.fixture
def nobody_thinks(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every process that thinks has too much to do."""

    async def busy(*_: object) -> None:
        raise Busy

    monkeypatch.setattr(table.bot.pools, "think", busy)


async def test_hint_shows_action_and_reason_and_plays_nothing(table: SimTable) -> None:
    ann = table.members[0]
    await seat_everyone(table, computers=3, hints=True)
    assert "has begun" in table.messages()[0].text
    opened = await the_table(table)
    await table.slash(ann, "dog hand")
    hint = await table.click(ann, "Hint")
    assert advised(hint)
    assert sum(isinstance(parse(one), PlayNow) for seen in hint.pages for one in seen.custom_ids) == 1
    assert (await the_table(table)).number == opened.number
    await table.click(ann, "Confirm")
    assert (await the_table(table)).number > opened.number


async def test_hints_need_the_term_even_when_forged(table: SimTable) -> None:
    ann, _, cleo = table.members[:3]
    await seat_everyone(table, computers=2)
    assert "Hint" not in (await table.slash(ann, "dog hand")).shown.labels
    assert "hints" not in "".join(seen.text for seen in table.messages()).lower()
    opened, board = await the_table(table), table.board()
    assert (await table.forge(ann, hint_of(opened, 0), on=board)).is_refused(Problem.NO_HINTS)
    assert (await table.forge(cleo, hint_of(opened, 0), on=board)).is_refused(NotAtTable)


async def test_players_agree_on_hints_while_they_play(table: SimTable) -> None:
    ann, ben, cleo = table.members[:3]
    lobby = await table.slash(ann, "dog new")
    assert "Change the game" in (await table.slash(ann, "dog table hints")).text, lobby.text
    await table.click(ben, "Join")
    await table.click(ann, "Add computers")
    await table.click(ann, "Start")
    assert (await table.slash(cleo, "dog table hints", game=(await the_table(table)).code)).is_refused(NotAtTable)
    asking = await table.slash(ann, "dog table hints")
    question = next(seen for seen in table.messages() if "Agree" in seen.labels)
    assert (await table.click(ben, "Agree", on=question)).pages == []
    assert not table.exists(question), "the board tells the rest"
    assert not table.exists(asking.shown)
    assert (await the_table(table)).terms.hints
    assert "Hint" in (await table.slash(ann, "dog hand")).shown.labels
    assert (await table.slash(ben, "dog table hints")).is_refused(Problem.HINTS_ALLOWED)


async def test_whoever_plays_alone_has_hints(table: SimTable) -> None:
    await seat_everyone(table, computers=3)
    assert "Hint" in (await table.slash(table.members[0], "dog hand")).shown.labels


@pytest.mark.usefixtures("nobody_thinks")
async def test_only_action_needs_no_thinking(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    await seat_everyone(table, computers=3, hints=True)
    legal = Game.legal
    monkeypatch.setattr(Game, "legal", lambda game, seat: legal(game, seat)[:1])
    answer = await table.forge(table.members[0], hint_of(await the_table(table), 0), on=table.board())
    assert "It's your only move" in answer.text


@pytest.mark.usefixtures("nobody_thinks")
async def test_hint_without_a_free_thinker_is_refused(table: SimTable) -> None:
    await seat_everyone(table, computers=3, hints=True)
    await table.slash(table.members[0], "dog hand")
    assert (await table.click(table.members[0], "Hint")).is_refused(Load.WORK)


async def test_hint_works_in_direct_messages(table: SimTable) -> None:
    ben = table.members[1]
    await table.slash(ben, "dog me notify", where="dm")
    await seat_everyone(table, hints=True)
    opened = await the_table(table)
    letter = table.letters(ben)[-1]
    assert advised(await table.click(ben, "Hint", on=letter))
    assert (await the_table(table)).number == opened.number
    old = await table.forge(ben, AskHint(opened.id, Moment(3, 5)).custom_id(), on=letter)
    assert "moved on" in old.text
    assert not advised(old)
    stranger = table.guild.add_member(table.env.create_user("ida"))
    assert "gone" in (await table.forge(stranger, hint_of(opened, 1), on=letter)).text


async def test_hint_from_elsewhere_is_for_the_player_only(
    table: SimTable,
) -> None:
    ann, ben, eva = *table.members[:2], table.guild.add_member(table.env.create_user("ida"))
    await seat_everyone(table, hints=True)
    opened = await the_table(table)
    here = await words_in(table, ann, table.guild.create_text_channel("other"))
    assert advised(await table.forge(ann, hint_of(opened, 0), on=here))
    assert (await table.forge(eva, hint_of(opened, 0), on=here)).is_refused(NotAtTable)
    assert "gone" in (await table.forge(ben, AskHint(opened.id + 9, START).custom_id(), on=here)).text
    channel, (ann_there, eva_there) = await elsewhere(table, ann, eva)
    there = await words_in(table, ann_there, channel)
    assert advised(await table.forge(ann_there, hint_of(opened, 0), on=there))
    assert "gone" in (await table.forge(eva_there, hint_of(opened, 0), on=there)).text
    assert (await the_table(table)).number == opened.number
    await table.slash(ben, "dog me away", until="2026-01-05", meanwhile="computer")
    answer = await table.forge(ben, hint_of(opened, 1), on=here)
    assert answer.is_refused(Problem.COMPUTER_PLAYS)
    await cancel(table, ann, opened.code)
    assert (await table.forge(ann, hint_of(opened, 0), on=here)).is_refused(WrongStatus)


async def test_simultaneous_hints_each_reach_their_player(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await seat_everyone(table, hints=True)
    hands = [(await table.slash(member, "dog hand")).shown for member in (ann, ben)]
    answers = await table.click_together([(ann, "Hint", hands[0]), (ben, "Hint", hands[1]), (ann, "Hint", hands[0])])
    assert all(advised(answer) for answer in answers)
    assert answers[0].text == answers[2].text
    assert ["dan" in answer.text for answer in answers] == [False, True, False]


async def test_outdated_hint_is_no_advice_on_the_next(table: SimTable) -> None:
    await past_the_exchange(table, hints=True)
    member = await on_turn(table)
    opened = await the_table(table)
    old = hint_of(opened, opened.owners[member.id])
    await play_on(table, random.Random(2), 1)
    answer = await table.forge(member, old, on=table.board())
    assert answer.is_refused(Problem.HINTS_ON_TURN)
    assert not advised(answer)


@pytest.mark.parametrize("system", ["classic", "family"])
def test_hint_without_worlds_is_what_looks_best(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any) -> None:
        raise NoWorld

    monkeypatch.setattr(worlds.Dealer, "deal", none)
    game = Game.new(system, 4, bytes(32))
    for _ in range(6):
        seat = game.to_act[0]
        suggested = _suggest(game, seat, 5)
        hint, motive = str(suggested.action), suggested.motive
        assert motive.kind in MotiveKind
        assert hint == str(choose("normal", game, seat, random.Random(1)))
        game = game.play(seat, hint)


@pytest.mark.parametrize("system", ["classic", "family"])
def test_hint_uses_only_what_the_seat_knows(system: str) -> None:
    dice = random.Random(8)
    compared = 0
    while compared < 3:
        with arranging():
            recording = recorded((system, 4, ""), dice, dice.randrange(40))
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
def test_hint_thinks_as_long_as_strong(players: int, worlds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[Effort] = []

    def rated(known: Knowledge, rng: random.Random, effort: Effort) -> tuple[Rated, ...]:
        spent.append(effort)
        return rate(known, rng, Effort(2, 1))

    monkeypatch.setattr(hints, "rate", rated)
    _suggest(Game.new("royal-basic", players, SEED), 0, 5)
    assert spent == [Effort(6, worlds)]


def rated_as(monkeypatch: pytest.MonkeyPatch, game: Game, *texts: str, apart: float = 0.01) -> None:
    """Let these actions be rated, each better than the next by so much."""
    found = [
        Rated(Action.parse(text), resolve_for(game, 0, Action.parse(text)), 0.5 - number * apart, 0, 1, 8, 0, 0, 0)
        for number, text in enumerate(texts)
    ]
    monkeypatch.setattr(hints, "rate", lambda *_: tuple(found))


def test_a_hint_considers_the_partner_as_strong_does(monkeypatch: pytest.MonkeyPatch) -> None:
    game = staged("classic", 4, hands={0: "5 2", 1: "2"}, pieces={0: "20", 2: "25"})
    rated_as(monkeypatch, game, "5 20>25", "2 20>22")
    assert str(_suggest(game, 0, 5).action) == "2 20>22"


def test_hint_gives_a_way_out_as_the_tip_says(monkeypatch: pytest.MonkeyPatch) -> None:
    game = exchanging("classic", {0: "A 8 J X 2 3"}, {0: "20"})
    rated_as(monkeypatch, game, "give J", "give 8", "give A")
    assert str(_suggest(game, 0, 5).action) == "give A"
    assert _suggest(game, 0, 5).motive.kind is MotiveKind.PARTNER_NEEDS_OUT
    out = exchanging("classic", {0: "A 8 J X 2 3"}, {0: "20", 2: "30"})
    rated_as(monkeypatch, out, "give J", "give 8", "give A")
    assert str(_suggest(out, 0, 5).action) == "give J"


@pytest.mark.parametrize(
    ("hand", "own", "shown", "given"),
    [
        ("X 8 J 3 2 3", "", Tip.KEEP, "give J"),
        ("X A J 8 2 3", "", Tip.GIVE, "give X"),
        ("X 8 J 3 2 3", "20", Tip.GIVE, "give X"),
    ],
)
def test_tip_at_the_exchange_agrees_with_the_hint(
    monkeypatch: pytest.MonkeyPatch, hand: str, own: str, shown: Tip, given: str
) -> None:
    game = exchanging("classic", {0: hand}, {0: own})
    rated_as(monkeypatch, game, "give X", "give J", apart=0.01)
    assert tip_for(SeatGame(game, 0), {}) is shown
    assert str(_suggest(game, 0, 5).action) == given


def test_first_pieces_of_royal_need_no_card() -> None:
    assert tip_for(SeatGame(exchanging("royal", {0: "13 8 10 3 2 6"}), 0), {}) is None


def test_hint_names_what_the_second_best_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    game = staged("classic", 4, hands={0: "6 X 3 K"}, pieces={0: "20 62", 1: "26"})
    rated_as(monkeypatch, game, "6 20>26", "X:6 20>26")
    assert _suggest(game, 0, 5).motive == Motive(MotiveKind.KEEPS_CARD, card="X")
    rated_as(monkeypatch, game, "6 20>26", "3 20>23")
    assert _suggest(game, 0, 5).motive.kind is MotiveKind.TAKES
    # Where there is no such thing, it is what the action does.
    game = staged("classic", 4, hands={0: "6 4"}, pieces={0: "20 22", 1: "26"})
    rated_as(monkeypatch, game, "6 20>26", "4 22>26")
    assert _suggest(game, 0, 5).motive.kind is MotiveKind.TAKES


def test_hint_of_a_small_step_says_what_comes_next(monkeypatch: pytest.MonkeyPatch) -> None:
    game = staged("classic", 4, hands={0: "2 4 6 10"}, pieces={0: "1"})
    rated_as(monkeypatch, game, "2 1>3", "10 1>11")
    assert _suggest(game, 0, 5).motive == Motive(MotiveKind.PREPARES, 0, "63", card="4", then="6")


@pytest.mark.parametrize(("apart", "kind"), [(0.01, MotiveKind.CLOSE), (0.05, MotiveKind.MOVES_ON)])
def test_hint_admits_that_others_are_as_good(apart: float, kind: MotiveKind, monkeypatch: pytest.MonkeyPatch) -> None:
    game = staged("classic", 4, hands={0: "2 3 10"}, pieces={0: "20"})
    rated_as(monkeypatch, game, "3 20>23", "2 20>22", apart=apart)
    assert _suggest(game, 0, 5).motive.kind is kind
    rated_as(monkeypatch, game, "2 20>22", "3 20>23", apart=0.05)
    assert _suggest(game, 0, 5).motive.kind is MotiveKind.BEST, "two spaces are no reason beside three"


@pytest.mark.parametrize("kind", list(MotiveKind))
def test_there_is_a_sentence_for_every_reason(kind: MotiveKind) -> None:
    language = language_for("en-US")
    told = why(language, Names({0: "Ann", 1: "Ben"}), Motive(kind, 1, "26", 2, "7", "K"))
    assert told.startswith("💡")
    assert "{" not in told


def test_lane_is_to_be_filled_only_by_its_first_piece() -> None:
    for pieces, fits in (("60", True), ("d 60", False)):
        game = staged("classic", 4, hands={0: "5 6", 1: "2"}, pieces={0: pieces})
        assert (tip_for(SeatGame(game, 0), {}) is Tip.FILL) is fits, pieces
