"""Code that talks to people cannot reach a whole game through the types it is given; `make lint` checks its imports."""

import importlib
import inspect
import pickle
import pkgutil
import random
import types
import typing
from collections.abc import Callable, Iterator

import pytest

import bot.showing
import bot.texts
import cogs
import render
from bot.table import Logged, Note, SeatTable, Table
from bot.tables.computers import AutoSeat
from bot.tables.courses import Course, PublicCourse
from engine import ActionKind, Game, PublicGame, SeatGame
from engine.hidden.knowledge import Knowledge
from engine.record import Record
from engine.rules.piles import Cards
from engine.rules.state import GameState
from tests.engine.staging import course

SECRET = frozenset({Game, GameState, Cards, Course, Knowledge, Record})
ROOMS = (bot.texts, bot.showing, cogs, render)


def modules() -> Iterator[types.ModuleType]:
    """All modules that talk to people or draw for them."""
    for room in ROOMS:
        yield room
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def named(hint: object) -> Iterator[type]:
    """The classes in a type."""
    if isinstance(hint, type) and typing.get_origin(hint) is None:
        yield hint
    for part in typing.get_args(hint):
        for one in part if isinstance(part, list) else (part,):
            yield from named(one)


def hints(of: Callable[..., object] | type) -> Iterator[type]:
    """The classes in the signature of a function, or in the public fields, properties and methods of a class."""
    where = vars(importlib.import_module(of.__module__))
    if isinstance(of, type):
        for name, hint in typing.get_type_hints(of, where).items():
            if not name.startswith("_"):
                yield from named(hint)
        for name, member in inspect.getmembers(of):
            function = member.fget if isinstance(member, property) else member
            if not name.startswith("_") and inspect.isfunction(function):
                yield from named(typing.get_type_hints(function, where).get("return"))
    else:
        for hint in typing.get_type_hints(of, where).values():
            yield from named(hint)


def reached(start: type) -> set[type]:
    """All classes of the project that can be reached from this one."""
    known: set[type] = set()
    ahead = [start]
    while ahead:
        one = ahead.pop()
        if one in known or one.__module__.split(".")[0] not in ("bot", "engine", "render"):
            continue
        known.add(one)
        ahead += hints(one)
    return known


@pytest.mark.parametrize("given", [Table, SeatTable, PublicCourse, PublicGame, SeatGame, Logged, Note])
def test_no_shown_type_leads_to_a_game(given: type) -> None:
    assert not reached(given) & SECRET


def test_a_way_to_the_game_would_be_found() -> None:
    assert Game in reached(Course)


def test_no_shown_function_takes_or_returns_a_game() -> None:
    looked_at = 0
    for module in modules():
        for name, member in vars(module).items():
            if getattr(member, "__module__", "") != module.__name__:
                continue
            functions = (
                [one for one in vars(member).values() if inspect.isfunction(one)] if inspect.isclass(member) else []
            )
            for function in [*functions, *([member] if inspect.isfunction(member) else [])]:
                try:
                    found = set(hints(function))
                except NameError:
                    continue  # It names something imported for types alone.
                looked_at += 1
                assert not found & SECRET, f"{module.__name__}.{name}"
    assert looked_at > 500


def test_game_at_a_table_hides_its_seed() -> None:
    seed = random.Random(1).randbytes(32)
    game = Game.new("classic", 4, seed)
    for shown in (PublicGame(game), SeatGame(game, 0)):
        assert not {"seed", "log", "play", "knowledge"} & set(dir(shown))
        assert seed.hex() not in repr(shown)
        with pytest.raises(TypeError):
            pickle.dumps(shown)


def test_logged_computer_action_shows_no_card() -> None:
    seed = random.Random(1).randbytes(32)
    seat = AutoSeat(Game.new("classic", 4, seed), 0, "heuristic")
    action = seat.action()
    assert action.kind is ActionKind.GIVE
    assert seed.hex() not in repr(seat)
    assert str(action) not in repr(seat)
    assert "hand" not in repr(seat)


def test_only_what_a_fold_laid_open_is_explained() -> None:
    dice = random.Random(5)
    game = course(Game.new("classic", 4, dice.randbytes(32)), dice, 120)[-1]
    public = PublicCourse(Course((game,)))
    folds = 0
    for entry in game.history(1):
        told = public.why_folded(entry.number)
        fold = entry.kind is ActionKind.FOLD
        folds += fold and bool(told)
        assert fold or not told
    assert folds
