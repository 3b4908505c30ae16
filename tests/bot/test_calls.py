"""Who is at a table, and whom its board pings: decided without Discord, and without time passing."""

from dataclasses import replace

import pytest

from bot.calls import (
    EXCHANGE_LASTS,
    HERE,
    Calls,
    find_gone,
    find_invited,
    find_lobby_calls,
    find_next_look,
    find_present,
    find_readers,
)
from bot.message import About, CallMark, FullMark, Message
from bot.moment import START, Moment
from bot.occupants import Occupant
from bot.preferences import Notify, Preferences
from bot.table import STARTS_AFTER, Status, Table
from engine import Game, Options
from tests.bot.shown import table_of

AT = 1_000
"""When the board was posted, and now."""


def called(table: Table, mark: str = "0?") -> Table:
    """This table with a board that has called its players quietly."""
    board = Message("board", About.BOARD, 2, 50, AT, "", dict.fromkeys(table.waiting_for, mark), 0, START)
    return replace(table, messages=(board,))


def preferred(table: Table, **more: Notify) -> dict[int, Preferences]:
    """The preferences of the people at a table: usually calls in the channel."""
    return {user: Preferences(user, notify=more.get(f"of_{user}", Notify.CHANNEL)) for user in table.people}


@pytest.fixture
def turn() -> Table:
    """A game in which one player, 101, is asked."""
    table = table_of(Game.new("classic", 4, bytes([1]) * 32, Options(no_exchange=True)))
    assert tuple(table.waiting_for.values()) == (101,)
    return table


@pytest.fixture
def exchange() -> Table:
    """A game in which all four are asked for a card."""
    return table_of(Game.new("classic", 4, bytes(32)))


@pytest.fixture
def lobby(turn: Table) -> Table:
    """A lobby of two, with two people invited."""
    invited = {2: Occupant("Cat", 102), 3: Occupant("Dan", 103)}
    seated = {seat: turn.occupants[seat] for seat in (0, 1)}
    return replace(turn, status=Status.LOBBY, game=None, occupants=seated, invited=invited)


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        (CallMark(Moment(2, 17)), "2-17"),
        (CallMark(Moment(0, 3), quietly=True), "3?"),
        (FullMark(5, None, None), "5 None None"),
        (FullMark(5, 6, 70), "5 6 70"),
    ],
)
def test_marks_read_what_they_write(mark: CallMark | FullMark, text: str) -> None:
    assert str(mark) == text
    assert type(mark).parse(text) == mark


def test_recent_press_makes_present(turn: Table) -> None:
    idle = {100: HERE - 1.0, 101: HERE, 102: 0.0}
    assert find_present(turn, preferred(turn), idle, AT) == {100, 102}
    assert find_present(turn, preferred(turn, of_102=Notify.ALWAYS), idle, AT) == {100}, "who wants every ping"


def test_board_for_one_gone_calls_the_leaving(turn: Table) -> None:
    table, idle = called(turn), {100: HERE / 2, 102: HERE / 2 - 1}
    assert find_present(table, preferred(table), {**idle, 101: 0.0}, AT) == {100, 101, 102}
    assert find_present(table, preferred(table), idle, AT) == {102}


def test_exchange_keeps_those_called_quietly(exchange: Table) -> None:
    table = called(exchange)
    wanted = preferred(table, of_103=Notify.ALWAYS)
    assert find_present(table, wanted, {}, AT + EXCHANGE_LASTS - 1) == {100, 101, 102}
    assert find_present(table, wanted, {}, AT + EXCHANGE_LASTS) == frozenset()


def test_gone_are_those_called_quietly(turn: Table, exchange: Table) -> None:
    table = called(turn)
    assert find_gone(table, {101: HERE - 1.0}, AT) == ()
    assert find_gone(table, {101: HERE}, AT) == find_gone(table, {}, AT) == (101,)
    assert find_gone(called(turn, "0"), {}, AT) == (), "who was pinged"
    assert find_gone(called(exchange), {}, AT) == ()


def test_next_look_is_when_the_first_goes(turn: Table, exchange: Table) -> None:
    assert find_next_look(turn, {}, AT) is None
    assert find_next_look(called(turn), {101: 40.0}, AT) == HERE - 40
    assert find_next_look(called(turn), {}, AT) == 1
    assert find_next_look(called(exchange), {100: 40.0}, AT + 100) == EXCHANGE_LASTS - 100


def test_readers_pressed_after_the_change(lobby: Table) -> None:
    idle = {100: 5.0, 101: 4.0}
    assert find_readers(lobby, idle, AT) == (100, 101)
    assert find_readers(replace(lobby, not_before=AT + STARTS_AFTER - 1), idle, AT) == ()
    assert find_readers(replace(lobby, not_before=AT + STARTS_AFTER - 2), idle, AT) == (101,)


def test_first_board_of_a_lobby_calls_the_invited(lobby: Table) -> None:
    known = {102: Preferences(102, uninvited=True), 103: Preferences(103, notify=Notify.DM)}
    assert find_invited(lobby) == (102, 103)
    assert find_invited(called(lobby)) == ()
    assert find_lobby_calls(lobby, (102, 103), known) == Calls(ping=(102,), awaited=(102, 103))
    assert find_lobby_calls(replace(lobby, rematch_of=7), (102, 103), known) == Calls(awaited=(103,))
