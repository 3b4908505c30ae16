"""What a process remembers: when it may be handed out without asking the database, and the newest states of a game.

These are the same as a replay of its log would lead to, however they came to be kept.
"""

import random

import pytest

from bot.shards import ALL, Shards
from bot.tables.cache import own_shards
from bot.tables.courses import KEPT, Course
from engine import Game
from tests.engine.staging import SEED, course

MINE = Shards(4, frozenset({1, 2}))


@pytest.mark.parametrize(
    ("shards", "guild_id", "current"),
    [
        (MINE, 1 << 22, True),
        (MINE, 6 << 22, True),
        (MINE, 3 << 22, False),
        # People's preferences belong to no guild: any process may change them.
        (MINE, None, False),
        (Shards(4, frozenset({0, 1})), None, False),
        (ALL, 3 << 22, True),
        (ALL, None, True),
    ],
)
def test_what_we_serve_is_current_while_we_hear(shards: Shards, guild_id: int | None, current: bool) -> None:
    hears = True
    is_current = own_shards(shards, lambda: hears)
    assert is_current(guild_id) is current
    hears = False
    assert not is_current(guild_id)


def grown(actions: int) -> list[Game]:
    """The states of one random game, from the beginning to this many actions."""
    return course(Game.new("classic", 4, SEED), random.Random(3), actions)


STATES = grown(KEPT + 10)


def test_newest_states_are_kept_and_earlier_ones_replayed() -> None:
    course = Course(STATES[:1])
    for number in range(1, len(STATES), 3):
        course = course.after(STATES[number : number + 3])
    assert course.game is STATES[-1]
    assert len(course.states) == KEPT
    assert course.first == STATES[-1].number - KEPT + 1
    for number, state in enumerate(STATES):
        found = course.at(number)
        assert (found.number, found.log) == (number, state.log)
        assert (found is state) is (number >= course.first)


def test_a_game_just_loaded_has_the_same_course() -> None:
    for game in (STATES[0], STATES[5], STATES[KEPT - 1], STATES[KEPT], STATES[-1]):
        course = Course.of(game)
        assert course.game is game
        assert course.first == max(0, game.number - KEPT + 1)
        assert [state.log for state in course.states] == [state.log for state in STATES[course.first : game.number + 1]]


def test_events_come_from_kept_states_or_the_log() -> None:
    course = Course.of(STATES[-1])
    for first in (0, course.first - 1, course.first, course.first + 1, STATES[-1].number):
        assert course.entries(first) == STATES[-1].history(first)


def test_rounds_are_counted_as_the_game_goes_on() -> None:
    states = grown(80)
    course = Course.of(states[0])
    assert course.rounds().ended == ()
    for number in range(1, len(states), 2):
        course = course.after(states[number : number + 2])
        if number % 10 == 1:
            assert course.rounds() == Course.of(course.game).rounds()
    assert course.rounds().ended, "one has ended"
    assert course.until(states[-2]).rounds().ended == Course.of(states[-2]).rounds().ended
    assert course.back(states[75]).rounds() == Course.of(states[75]).rounds()


def test_gap_or_takeback_drops_what_is_outdated() -> None:
    course = Course.of(STATES[10])
    assert course.after([STATES[12]]).states == (STATES[12],)
    back = course.back(STATES[7])
    assert [state.number for state in back.states] == list(range(8))
    assert back.game is STATES[7]
    assert back.after([STATES[8]]).game is STATES[8]


def test_course_up_to_a_state_ends_with_it() -> None:
    course = Course(tuple(STATES[3:9]))
    assert course.until(STATES[8]) is course
    assert course.until(STATES[5]).states == tuple(STATES[3:6])
    assert course.until(STATES[2]) is None
    assert course.until(STATES[9]) is None
    assert course.until(grown(5)[5]) is None, "it equals one that is kept, but comes from somewhere else"
