"""Sentences about cups that have to be true of everyone in it: where a player stands, and how a round ended."""

from dataclasses import replace

import pytest

from bot.cup import Cup, CupCourse, CupEntry, CupPlan, CupStage, Format, Match, Outcome, Round
from bot.languages import language_for
from bot.texts.cups import path, view
from tests.bot.cups.simulated import FOUR_ALONE, TWO

ENGLISH = language_for(None)
DUELS = CupPlan(TWO, Format.ALONE, CupCourse.KNOCKOUT)


def cup_of(plan: CupPlan, *rounds: Round, players: int = 4) -> Cup:
    """A cup that is played, in which P1, P2 and so on are."""
    entries = {number: CupEntry(number, 100 + number, f"P{number}") for number in range(1, players + 1)}
    return Cup(1, 1, 1, 1, "Cup", CupStage.RUNNING, plan, bytes(32), 1, 0, rounds=rounds, entries=entries)


def match_of(*players: int, game: int = 1, won: int | None = None, over: bool = True) -> Match:
    """A table of a game, over or not."""
    outcomes = (Outcome(won, tuple(0 for _ in players)),) if over else ()
    return Match(tuple((player,) for player in players), (game,), outcomes)


def state(cup: Cup, number: int) -> str:
    """The texts about a player's own state."""
    return view(ENGLISH, cup, cup.entries[number], {2: 7}).split("\n")[-1]


@pytest.mark.parametrize(
    ("player", "told"),
    [
        (1, "You're in. Your next table opens with the next round."),
        (2, "You've been knocked out of the cup."),
        (3, "➜ Your table: <#7>"),
    ],
)
def test_players_of_a_knockout_read_where_they_stand(player: int, told: str) -> None:
    tables = (match_of(1, 2, won=0), match_of(3, 4, game=2, over=False))
    assert state(cup_of(DUELS, Round(tables)), player) == told


def test_no_next_table_is_promised_after_the_last() -> None:
    plan = CupPlan(TWO, Format.ALONE, rounds=1)
    cup = cup_of(plan, Round((match_of(1, 2, won=0), match_of(3, 4, game=5, over=False))))
    assert state(cup, 2).startswith("You've played all your tables.")
    assert state(cup, 3).endswith("opens in a moment."), "its thread is being opened"
    assert "next round" in state(replace(cup, plan=replace(plan, rounds=2)), 2)


@pytest.mark.parametrize(
    ("missed", "until", "told"),
    [
        (2, 1, "You're out of the cup: you missed 2 tables."),
        (0, 1, "You're no longer in the cup."),
    ],
)
def test_players_who_are_out_read_why(missed: int, until: int, told: str) -> None:
    cup = cup_of(DUELS, Round((match_of(1, 2, won=0), match_of(3, 4, won=1))))
    cup = replace(cup, entries={**cup.entries, 1: replace(cup.entries[1], missed=missed, until=until)})
    assert state(cup, 1) == told


@pytest.mark.parametrize(
    ("won", "told"),
    [
        (0, "won against **P2** · **P3** · **P4**"),
        (2, "lost to **P3**"),
        (None, "no winner against **P2** · **P3** · **P4**"),
    ],
)
def test_a_round_is_lost_only_to_those_who_won(won: int | None, told: str) -> None:
    cup = cup_of(CupPlan(FOUR_ALONE, Format.ALONE), Round((match_of(1, 2, 3, 4, won=won),)))
    assert path(ENGLISH, cup, (1,), 32)[-1] == f"Round 1: {told}"
