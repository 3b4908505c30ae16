"""Tournaments: deals are swapped, runs resume where they stopped, and the table says what was played."""

import json
from pathlib import Path

import pytest

from tools.players import partnership, tournament
from tools.players.tournament import (
    BEGIN,
    END,
    Match,
    Total,
    describe,
    main,
    play_deal,
    read,
    run,
    score,
    table,
    write,
    write_table,
)

MATCH = Match("royal", 2, "heuristic", "random")


def test_every_team_plays_every_deal() -> None:
    assert play_deal(Match("royal", 3, "normal", "random"), 0) == 3
    assert play_deal(MATCH, 1) == play_deal(MATCH, 1)
    # Of a deal that goes the same way from both places, equal players win exactly one game.
    same = [play_deal(Match("royal", 2, "random", "random"), deal) for deal in range(6)]
    assert 2 <= sum(same) <= 10


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    other = Match("royal", 2, "random", "random")
    assert run(MATCH, 4, file) == 4
    assert run(other, 2, file) == 2
    first = read(file)
    assert run(MATCH, 4, file) == 0
    assert read(file) == first
    assert run(MATCH, 7, file) == 4
    assert read(file)[other] == first[other]
    assert read(file).keys() == first.keys()
    won = [play_deal(MATCH, deal) for deal in range(4)]
    assert read(file)[MATCH].deals == tuple(map(won.count, range(3)))


def test_a_share_has_its_interval() -> None:
    all_won = score((0, 0, 50))
    assert (all_won.games, all_won.share, all_won.high) == (100, 1.0, pytest.approx(1.0))
    assert all_won.low > 0.9
    half = score((0, 200, 0))
    even = score((100, 0, 100))
    assert half.share == even.share == 0.5
    # Games that always go together in a deal say less than as many that do not.
    assert even.high - even.low > half.high - half.low
    assert str(half).startswith("50% (")


def test_each_of_several_teams_is_an_opponent() -> None:
    # Of 300 games of three, 120 won: the other two won 90 each, so of 210 games against one of them 120.
    found = score((0, 80, 20, 0))
    assert found.share == pytest.approx(0.4)
    one = found.against_one(3)
    assert one.share == pytest.approx(120 / 210)
    assert one.low < one.share < one.high
    assert score((0, 100, 0, 0)).against_one(3).share == pytest.approx(0.5)
    assert found.against_one(2) == found


def test_the_table_says_what_was_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, file = tmp_path / "measured.md", tmp_path / "results.jsonl"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", "utf-8")
    write(file, {Match("royal", 2, "easy", other): Total((0, 0, 1)) for other in ("heuristic", "random")})
    assert main(["table", "--results", str(file), "--page", str(page)]) == 0
    text = page.read_text("utf-8")
    assert "| royal | 2 | 50% |  |  | 100% (" in text
    assert "), 2 games |\n\nAgainst `random`, easy wins 100% or more on every board." in text
    assert "old" not in text
    assert text.startswith("before")
    assert text.endswith("after\n")
    write_table(read(file), page)
    assert page.read_text("utf-8") == text
    assert len(table({}).splitlines()) == 2
    assert "| dobney | 6 | 33% |  | 33% (" in table({Match("dobney", 6, "normal", "heuristic"): Total((0, 1, 0, 0))})
    assert main(["run", "royal:2:random:random", "--games", "2", "--results", str(file)]) == 0
    assert "royal 2 random random: " in capsys.readouterr().out


def test_result_is_told_with_its_target() -> None:
    said = describe(Match("royal", 3, "normal", "heuristic"), score((0, 0, 30, 0)))
    assert said.startswith("royal 3 normal heuristic: 67% (")
    assert ", head to head 80% (" in said
    assert said.endswith("), wanted 55% head to head")
    assert describe(Match("classic", 4, "strong", "heuristic"), score((0, 0, 1))).endswith(" of 2, wanted 85%")
    assert "wanted" not in describe(MATCH, score((0, 0, 1)))


def test_every_match_of_the_lists_can_be_played() -> None:
    for match, least in (*tournament.WANTED, *tournament.OTHERS):
        assert match.board.players == match.players
        assert least is None or least > match.fair


def test_what_partners_mind_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert partnership.main(["random", "normal", "--games", "3"]) == 0
    chance, normal = map(json.loads, capsys.readouterr().out.splitlines())
    assert chance["sent home"] > 0.5
    assert normal["sent home"] <= 0.1
    assert partnership.main(["normal", "--partner", "random", "--games", "3"]) == 0
    mixed = json.loads(capsys.readouterr().out)
    assert mixed["partner"] == "random"
    assert mixed["sent home"] <= 0.3 < chance["sent home"]
