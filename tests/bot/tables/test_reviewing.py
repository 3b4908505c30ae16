"""What a review calls a mistake, what it says speaks for the better action, and how it words what was lost."""

from dataclasses import replace
from typing import Any

import pytest

from bot.languages import Language
from bot.showing.replaying import lead_changes
from bot.tables.finished import reviewing
from bot.tables.finished.reviewing import LEAST, SURELY, CurvePoint, Turn, _clearly_worse, _motive
from bot.texts.dialogue import Speaker
from bot.texts.teaching import advice
from engine import Action, ActionKind, Game
from engine.hidden.knowledge import Knowledge
from engine.players.best import Loss, Rated, resolve_for
from engine.players.motives import Motive, MotiveKind
from tests.bot.shown import peopled
from tests.engine.staging import staged

ENGLISH = Language("en")
CLEAR = Loss(0.6, 0.1, 0.05, 0.2)


def judged(
    monkeypatch: pytest.MonkeyPatch, game: Game, played: str, better: str, lost: Loss, behind: float = 0.1
) -> Turn | None:
    """What is found of an action if another one looks better by `behind`, and costs this much in the judges' eyes."""

    def rate(known: Knowledge, *_: Any, also: Any) -> tuple[Rated, ...]:
        texts = (better, played) if behind >= 0 else (played, better)
        actions = [Action.parse(text) for text in texts]
        return tuple(
            Rated(action, resolve_for(game, known.seat, action), 0.6 - less, 0.4, 0.7, 32, less, less, less)
            for action, less in zip(actions, (0.0, abs(behind)), strict=True)
        )

    monkeypatch.setattr(reviewing, "rate", rate)
    monkeypatch.setattr(reviewing, "loss_of", lambda *_: lost)
    return _clearly_worse(game, 0, Action.parse(played), 1)


@pytest.fixture(scope="module")
def game() -> Game:
    """Seat 0 can take a piece with the 6 and not with the 5; its partner stands at 34, three spaces ahead."""
    return staged(
        "classic", 4, hands={0: "5 6 4 2", 1: "2 3", 2: "4", 3: "9"}, pieces={0: "20 30 62", 1: "26", 2: "34"}
    )


def test_mistake_needs_two_sure_judges(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    found = judged(monkeypatch, game, "5 20>25", "6 20>26", CLEAR)
    assert (str(found.played), str(found.better)) == ("5 20>25", "6 20>26")
    assert (found.before, found.loss, found.low, found.high) == (0.6, 0.1, 0.05, 0.2)


@pytest.mark.parametrize(
    "lost",
    [
        Loss(0.6, -0.04, -0.06, 0.2),
        Loss(0.6, 0.05, -0.01, 0.2),
        Loss(0.6, 0.05, SURELY - 0.001, 0.06),
        Loss(0.6, LEAST - 0.001, LEAST - 0.001, 0.06),
    ],
)
def test_doubt_of_one_judge_means_no_mistake(monkeypatch: pytest.MonkeyPatch, game: Game, lost: Loss) -> None:
    assert judged(monkeypatch, game, "5 20>25", "6 20>26", lost) is None


def test_the_best_action_is_no_mistake(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    assert judged(monkeypatch, game, "5 20>25", "6 20>26", CLEAR, behind=-0.1) is None


def test_sacrifice_for_the_partner_is_no_mistake(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    kind, rude = "5 30>35", "4 30>34"
    assert judged(monkeypatch, game, kind, rude, CLEAR, behind=0.05) is None, "the courteous choice is the best one"
    assert judged(monkeypatch, game, kind, rude, Loss(0.6, 0.075, 0.065, 0.08)) is None
    assert judged(monkeypatch, game, kind, rude, Loss(0.6, 0.1, 0.08, 0.2)) is not None, "more than courtesy asks for"
    assert judged(monkeypatch, game, rude, kind, Loss(0.6, 0.075, 0.065, 0.08)) is not None


def said(game: Game, played: str, better: str) -> Motive | None:
    does = (resolve_for(game, 0, Action.parse(text)) for text in (played, better))
    return _motive(Knowledge.of(game, 0), *does)


def test_a_reason_speaks_for_the_better_action_alone(game: Game) -> None:
    assert said(game, "5 20>25", "6 20>26").kind is MotiveKind.TAKES
    assert said(game, "2 20>22", "4 62>a").kind is MotiveKind.GOES_HOME
    assert said(game, "4 62>a", "5 62>b") is None, "both bring the same piece home"
    assert said(game, "2 30>32", "5 30>35") is None, "both move on, and that says nothing"


def test_more_of_the_same_is_a_reason() -> None:
    two = staged("classic", 4, hands={0: "7"}, pieces={0: "63 64 20"})
    found = said(two, "7 20>23 63>b", "7 20>21 64>b 63>a")
    assert (found.kind, found.count) == (MotiveKind.GOES_HOME, 2)
    assert said(two, "7 20>21 64>b 63>a", "7 20>23 63>b") is None


@pytest.mark.parametrize(("loss", "told"), [(0.09, "9 points"), (0.0, "1 point")])
def test_a_turn_costs_one_figure(loss: float, told: str) -> None:
    assert advice.cost(ENGLISH, 1, 3, loss) == f"**1.** Round 3: this cut your chance of winning by about {told}."


def test_lead_changes_are_counted() -> None:
    table = peopled(Game.new("classic", 4, bytes(32)))
    ends = [advice.curve_alt(ENGLISH, table, ups).rpartition(". ")[2] for ups in (0, 1, 2)]
    assert ends == ["The lead never changed.", "The lead changed once.", "The lead changed 2 times."]


def test_what_was_looked_at_is_told() -> None:
    table = peopled(Game.new("classic", 4, bytes(32)))
    assert "Players also see" in advice.head(ENGLISH, table, 0, None)
    assert "no decisions to look at" in advice.head(ENGLISH, table, 0, 0)
    assert "at one of your decisions" in advice.head(ENGLISH, table, 0, 1)
    assert "at 30 of your decisions" in advice.head(ENGLISH, table, 0, 30)
    assert "one turn where" in advice.head(ENGLISH, table, 1, 30)
    assert "2 turns where" in advice.head(ENGLISH, table, 2, 30)
    assert advice.head(ENGLISH, table, 2, 30).count("judged") == 1


def test_what_was_played_is_told_as_done() -> None:
    game = staged("classic", 4, hands={0: "5"}, pieces={0: "20"})
    speaker, (action,) = Speaker.of(Language("en"), peopled(game), 0), game.legal(0)
    assert advice.done(speaker, action, game.preview(0, action)) == "You played 5: 20 → 25."


@pytest.mark.parametrize(
    ("first", "changes"),
    [
        ([0.5, 0.5, 0.5], 0),
        ([0.5, 0.495, 0.505, 0.7], 0),
        ([0.5, 0.495, 0.8, 0.2], 1),
        ([0.6, 0.505, 0.6], 0),
        ([0.6, 0.495, 0.4, 0.6], 2),
    ],
)
def test_lead_changes_only_visibly(first: list[float], changes: int) -> None:
    curve = tuple(CurvePoint(number, 1, {0: one, 2: one, 1: 1 - one, 3: 1 - one}) for number, one in enumerate(first))
    assert lead_changes(curve, ((0, 2), (1, 3))) == changes


def test_lead_of_three_teams_is_over_the_second() -> None:
    chances = [{0: 0.4, 1: 0.3, 2: 0.3}, {0: 0.4, 1: 0.41, 2: 0.19}, {0: 0.3, 1: 0.6, 2: 0.1}, {0: 0.1, 1: 0.1, 2: 0.8}]
    curve = tuple(CurvePoint(number, 1, one) for number, one in enumerate(chances))
    assert lead_changes(curve, ((0,), (1,), (2,))) == 2


def test_better_action_is_told_and_not_asked() -> None:
    game = Game.new("classic", 4, bytes(32))
    speaker = replace(Speaker.of(Language("en"), peopled(game), 0), to="Luna")
    seat = game.to_act[0]
    outcome = game.preview(seat, game.legal(seat)[0])
    told = set()
    for kind in set(ActionKind) - {ActionKind.FOLD}:
        text = advice.instead(speaker, Action(kind, card="3", rank="K"), outcome)
        assert text.startswith("Better: ")
        assert "?" not in text
        told.add(text)
    assert len(told) == len(ActionKind) - 1
    assert "Better: give Luna the 3." in told
