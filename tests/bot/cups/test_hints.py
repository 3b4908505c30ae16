"""Hints for moderators: what players did for the same opponents again and again."""

from bot.cup import Cup, CupEntry, CupPlan, CupStage, How, Match, Outcome, Round
from bot.cups.hints import Hint, HintKind, find_hints, is_much

ENTRIES = {number: CupEntry(number, 100 + number, f"P{number}") for number in range(1, 5)}


def cup(*outcomes: Outcome) -> Cup:
    rounds = tuple(Round((Match(((1, 2), (3, 4)), (number,), (outcome,)),)) for number, outcome in enumerate(outcomes))
    return Cup(1, 1, 1, 1, "Cup", CupStage.RUNNING, CupPlan(), b"", 1, 0, rounds=rounds, entries=ENTRIES)


def test_games_resigned_again_and_again_are_named() -> None:
    resigned = Outcome(0, (8, 2), 9, how=How.RESIGNED)
    assert find_hints(cup(resigned)) == []
    assert set(find_hints(cup(resigned, resigned))) == {
        Hint(HintKind.TOGETHER, 3, 4, 2),
        *(Hint(HintKind.RESIGNED, one, two, 2) for one in (3, 4) for two in (1, 2)),
    }


def test_one_game_resigned_early_is_named() -> None:
    kinds = {hint.kind for hint in find_hints(cup(Outcome(1, (0, 0), 2, how=How.RESIGNED)))}
    assert kinds == {HintKind.EARLY}


def test_ordinary_losses_are_not_named() -> None:
    assert find_hints(cup(*[Outcome(1, (3, 8), 9)] * 5)) == []


def test_tables_missed_for_the_same_opponents_are_named() -> None:
    found = find_hints(cup(*[Outcome(1, (3, 8), 9, absent=(1,))] * 2))
    assert set(found) == {Hint(HintKind.ABSENT, 1, two, 2) for two in (3, 4)}


def test_folding_again_and_again_is_named() -> None:
    found = find_hints(cup(*[Outcome(0, (8, 2), 9, folded=(3,))] * 2))
    assert set(found) == {Hint(HintKind.FOLDED, 3, two, 2) for two in (1, 2)}
    assert find_hints(cup(*[Outcome(1, (8, 2), 9, folded=(3,))] * 2)) == [], "they have won"


def test_much_folding_is_most_of_a_long_game() -> None:
    assert is_much(6, 9)
    assert not is_much(5, 9)
    assert not is_much(3, 3)
