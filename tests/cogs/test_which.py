"""Which of several tables in a channel a command means."""

from dataclasses import replace

from bot.table import Status, Table
from cogs.which import foremost
from engine import Game, PublicGame
from tests.bot.shown import table_of

ANN, BEN = 100, 101
DEALT = Game.new("classic", 4, bytes(32))
ASKING_ALL = table_of(DEALT)
ASKING_OTHERS = replace(ASKING_ALL, game=PublicGame(DEALT.play(0, DEALT.legal(0)[0])))
LOBBY = replace(ASKING_ALL, status=Status.LOBBY, game=None)


def numbered(*tables: Table) -> list[Table]:
    """The tables, numbered in the order in which they were opened."""
    return [replace(table, id=number) for number, table in enumerate(tables, 1)]


def test_a_table_that_waits_for_the_person_comes_first() -> None:
    waits, newer, newest = numbered(ASKING_ALL, ASKING_OTHERS, LOBBY)
    assert foremost([newest, newer, waits], ANN) == waits


def test_a_game_comes_before_a_lobby() -> None:
    game, lobby = numbered(ASKING_OTHERS, LOBBY)
    assert foremost([lobby, game], ANN) == game


def test_otherwise_the_newest_is_meant() -> None:
    older, newer = numbered(ASKING_ALL, ASKING_ALL)
    assert foremost([older, newer], BEN) == newer
    assert foremost([newer, older], BEN) == newer
