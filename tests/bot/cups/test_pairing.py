"""Pairing: properties of simulated cups of every size and format."""

import itertools
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bot.cup import Cup, CupPlan, CupStage, Format, Match, Outcome, Round
from bot.cups.pairing import complete_pairs, pair
from bot.cups.published import main, other_rounds, write
from bot.cups.standings import sides_at, standings, winner_of
from tests.bot.cups.simulated import ALL, KNOCKOUT, SWISS, TWO, Played, played
from tools.campaigns.cups import SEED, entered_sides

SIZES = (5, 8, 16, 64, 128)


def meetings(cup: Played) -> Counter[frozenset[object]]:
    """Return the number of times two sides were opponents."""
    found: Counter[frozenset[object]] = Counter()
    for match in (match for round in cup.rounds for match in round.matches):
        teams = [sides_at(cup.plan, match, team) for team in range(len(match.teams))]
        for one, two in itertools.combinations(teams, 2):
            found.update(frozenset(both) for both in itertools.product(one, two))
    return found


def partners(cup: Played) -> Counter[frozenset[int]]:
    """Return the number of times two players were partners."""
    teams = (team for round in cup.rounds for match in round.matches for team in match.teams)
    return Counter(frozenset(both) for team in teams for both in itertools.combinations(team, 2))


def check_everyone_has_one_place(cup: Played) -> None:
    for round in cup.rounds:
        seated = [number for match in round.matches for number in match.players]
        assert sorted([*seated, *itertools.chain(*round.byes)]) == sorted(itertools.chain(*cup.sides))
        for match in round.matches:
            assert [len(team) for team in match.teams] == [len(team) for team in cup.plan.teams]


@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("name", SWISS)
def test_swiss_rounds_are_fair(name: str, players: int) -> None:
    cup = played(SWISS[name], players)
    plan, rounds = cup.plan, len(cup.rounds)
    check_everyone_has_one_place(cup)
    byes = Counter(side for round in cup.rounds for side in round.byes)
    assert max(byes.values(), default=0) - min(byes[side] for side in cup.sides) <= 1, "byes are shared out"
    if plan.format is Format.DRAWN and players > plan.terms.players + 2:
        assert max(partners(cup).values()) == 1, "no one has the same partner twice"
    opponents = plan.terms.players - len(plan.teams[0]) if plan.size == 1 else plan.sides_at_table - 1
    if len(cup.sides) > 3 * opponents * rounds:
        assert max(meetings(cup).values()) == 1, "no rematch while it can be avoided"
    seats = Counter(
        (number, plan.teams[team][place])
        for round in cup.rounds
        for match in round.matches
        for team, numbers in enumerate(match.teams)
        for place, number in enumerate(numbers)
    )
    all_seats = sorted(itertools.chain(*plan.teams))
    spread = [max(found) - min(found) for side in cup.sides for found in [[seats[side[0], at] for at in all_seats]]]
    assert max(spread) <= 3, "seats are spread evenly"
    assert sum(spread) / len(spread) <= 1.6


@pytest.mark.parametrize("players", [6, 7, 8])
def test_rematches_come_as_late_as_possible(players: int) -> None:
    plan = CupPlan(TWO, Format.ALONE, rounds=players - 1)
    cup = played(plan, players)
    # Seven rounds of eight leave a last one that chance may have closed; all earlier ones must be free of rematches.
    early = Played(plan, cup.sides, cup.rounds[: players - 3])
    assert max(meetings(early).values()) == 1


@pytest.mark.parametrize("players", [16, 64])
def test_like_scores_meet(players: int) -> None:
    cup = played(replace(SWISS["alone in two"], rounds=4), players)
    apart = []
    for index, round in enumerate(cup.rounds):
        points = {line.side: line.points for line in standings(cup.plan, SEED, cup.sides, cup.rounds[:index])}
        apart += [abs(points[match.teams[0]] - points[match.teams[1]]) for match in round.matches]
    assert sum(apart) / len(apart) < 0.5, "half a point's difference at most tables would be 1"
    assert max(apart) <= 4


@pytest.mark.parametrize("players", [5, 8, 16])
@pytest.mark.parametrize("name", ALL)
def test_all_play_all_once(name: str, players: int) -> None:
    cup = played(ALL[name], players)
    sides = cup.sides
    assert meetings(cup) == Counter(frozenset(both) for both in itertools.combinations(sides, 2))
    for round in cup.rounds:
        assert len(round.byes) == len(sides) % 2


@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("name", KNOCKOUT)
def test_knockout_leaves_one(name: str, players: int) -> None:
    cup = played(KNOCKOUT[name], players)
    left = set(cup.sides)
    for round in cup.rounds:
        for match in round.matches:
            sides = [sides_at(cup.plan, match, team)[0] for team in range(2)]
            assert left.issuperset(sides), "those who have lost do not come back"
            left.discard(sides[1 - winner_of(SEED, match)])
    assert len(left) == 1
    assert standings(cup.plan, SEED, cup.sides, cup.rounds)[0].side == left.pop()


def test_knockout_goes_on_without_those_who_leave() -> None:
    plan, sides = KNOCKOUT["alone, best of three"], entered_sides(KNOCKOUT["alone, best of three"], 8)
    first = played(plan, 8).rounds[0]
    gone = [sides_at(plan, match, winner_of(SEED, match))[0] for match in first.matches[:2]]
    matches, byes = pair(plan, SEED, [side for side in sides if side not in gone], [first], sides)
    assert len(matches) == 1
    assert byes == (), "both neighbours have left"
    matches, byes = pair(plan, SEED, [side for side in sides if side != gone[0]], [first], sides)
    assert byes == (gone[1],)


@pytest.mark.parametrize("name", SWISS)
def test_a_round_follows_from_the_seed(name: str) -> None:
    one, again = played(SWISS[name], 16), played(SWISS[name], 16)
    assert one.rounds == again.rounds
    assert played(SWISS[name], 16, b"other").rounds[0].matches != one.rounds[0].matches


@pytest.mark.parametrize("name", [*SWISS, *ALL, *KNOCKOUT])
def test_a_file_gives_each_round_again(name: str) -> None:
    cup = played({**SWISS, **ALL, **KNOCKOUT}[name], 9)
    rounds = tuple(cup.rounds)
    text = write(Cup(1, 1, 1, 1, "Cup", CupStage.OVER, cup.plan, SEED, 1, 0, rounds=rounds))
    assert other_rounds(text) == []
    swapped = replace(rounds[1], matches=rounds[1].matches[::-1], byes=rounds[1].byes[::-1])
    if swapped != rounds[1]:
        forged = write(Cup(1, 1, 1, 1, "Cup", CupStage.OVER, cup.plan, SEED, 1, 0, rounds=(rounds[0], swapped)))
        assert other_rounds(forged) == [2]
    assert other_rounds(text.replace(SEED.hex(), SEED[::-1].hex()))[:1] == [1]


def test_a_file_names_no_hints() -> None:
    folded = Match(((1,), (2,)), (1,), (Outcome(0, (4, 0), 8, folded=(2,)),))
    text = write(
        Cup(1, 1, 1, 1, "Cup", CupStage.OVER, CupPlan(TWO, Format.ALONE), SEED, 1, 0, rounds=(Round((folded,)),))
    )
    assert json.loads(text)["rounds"][0]["matches"][0]["outcomes"][0]["folded"] == []


@pytest.mark.parametrize(
    ("text", "told"),
    [(None, "cannot be read: No such file"), ("a letter", "is not the file"), ('{"plan": 1}', "is not the file")],
)
def test_other_files_are_named_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, told: str
) -> None:
    file = tmp_path / "cup.json"
    if text is not None:
        file.write_text(text)
    assert main([str(file)]) == 2
    assert told in capsys.readouterr().out


def test_late_entries_and_leavers_are_paired() -> None:
    plan, sides = CupPlan(), entered_sides(CupPlan(), 9)
    rounds = played(plan, 9).rounds[:2]
    here = [*sides[2:], (10,), (11,)]
    matches, byes = pair(plan, SEED, here, rounds)
    assert len(byes) == 1
    assert sorted([*(n for match in matches for n in match.players), *byes[0]]) == sorted(n for (n,) in here)


def test_too_few_for_a_table_sit_out() -> None:
    matches, byes = pair(CupPlan(), SEED, [(1,), (2,), (3,)], [Round(())])
    assert not matches
    assert len(byes) == 3


def test_those_without_partner_are_drawn_together() -> None:
    pairs, left = complete_pairs(SEED, [3, 5, 8, 9, 11])
    assert sorted([*itertools.chain(*pairs), *left]) == [3, 5, 8, 9, 11]
    assert len(pairs) == 2
    assert complete_pairs(SEED, [11, 9, 8, 5, 3]) == (pairs, left)
