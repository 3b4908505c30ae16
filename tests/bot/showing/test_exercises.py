"""Lessons and puzzles: every lesson can be done with the buttons it shows, and every puzzle has its one solution."""

import asyncio
import random

import pytest

from bot.choosing import NoSuchPath
from bot.languages import Language
from bot.occupants import Person
from bot.showing.components import view_of
from bot.showing.lessons import Book, Progress, Try, TryPlay, Tutor, attempt_at, step_of
from bot.showing.panels import Button, Menu, Reply
from bot.showing.presses import parse
from bot.storage.puzzles import PuzzleResult
from bot.tables.learning.exercises import (
    Lesson,
    Puzzle,
    PuzzleKind,
    attempt,
    find_threat,
    lessons,
    puzzle_of,
    puzzles,
    starter_of,
    streak,
)
from bot.texts.names import sign
from bot.texts.teaching import learning
from engine import SYSTEMS, Position
from tests.bot.gaming import refused
from tests.bot.shown import Drawn
from tools.puzzles import solutions

NAMED = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)


def tutor(look: str | None = None) -> Tutor:
    return Tutor(Drawn(), Language("en"), Person(1, "Ann"), look, as_public=False)  # type: ignore[arg-type]


def presses_of(reply: Reply) -> list[Try | TryPlay]:
    """What the buttons and menus of a reply stand for, read back from their custom ids."""
    assert view_of(reply.panel).children, "Discord would refuse this"
    found = []
    for item in () if reply.panel is None else reply.panel.items:
        if isinstance(item, Button) and isinstance(item.press, Try | TryPlay):
            found.append(parse(item.press.custom_id("1")))
        elif isinstance(item, Menu) and isinstance(item.press, Try):
            read = parse(item.press.custom_id("1"))
            assert isinstance(read, Try)
            found += [read.with_choice(int(one.value)) for one in item.lines]
    return [one for one in found if isinstance(one, Try | TryPlay)]


async def presses_to_do(page: Progress) -> int:
    """How many presses it takes at least to do a step of a lesson, with what is shown."""
    step, start = step_of(page), await tutor().open(page)
    looking, seen = [(start, 0)], set[str]()
    while looking:
        reply, count = looking.pop(0)
        for press in presses_of(reply):
            here, path = Progress.of(press)
            assert here == page
            if isinstance(press, TryPlay):
                if step.reached_by(step.exercise.game(), tutor().dialogue(here).chosen(path).action):
                    return count + 1
            elif press.custom_id() not in seen:
                seen.add(press.custom_id())
                looking.append((await tutor().dialogue(here).at(path), count + 1))
    raise AssertionError("it cannot be done")


@NAMED
async def test_a_lesson_takes_three_to_six_presses(lesson: Lesson) -> None:
    number = lessons().index(lesson)
    counts = [await presses_to_do(Progress(Book.LESSONS, number, (step,))) for step in range(len(lesson.steps))]
    assert 3 <= sum(counts) <= 6


@NAMED
def test_goal_of_a_lesson_needs_a_certain_action(lesson: Lesson) -> None:
    for step in lesson.steps:
        game = step.exercise.game()
        good = [action for action in game.legal if step.reached_by(game, action)]
        assert good
        wanted = bool(step.pieces or step.gives)
        assert not wanted or len(good) < len(game.legal) or len(game.view.hand or ()) > 1


def test_lessons_common_to_all_and_by_system() -> None:
    assert sum(not lesson.is_extra for lesson in lessons()) == 6
    about = {lesson.about for lesson in lessons()}
    assert "ranks" in about or not any(system.ranks for system in SYSTEMS.values())
    paths = any(one.shape.paths for system in SYSTEMS.values() for one in system.seatings.values())
    assert "paths" in about or not paths


async def test_board_is_shown_in_words_on_request() -> None:
    reply = await tutor("text").open(Progress(Book.LESSONS, 0, (0,)))
    assert reply.picture is None
    assert "24" in reply.content


@pytest.mark.parametrize(
    "page",
    [
        Progress(Book.LESSONS, 99, (0,)),
        Progress(Book.LESSONS, 0, (9,)),
        Progress(Book.LESSONS, 0),
        Progress(Book.LESSONS, 0, (0, 0)),
        Progress(Book.PUZZLES, 0, (9_999,)),
    ],
)
async def test_every_page_belongs_to_a_book(page: Progress) -> None:
    await refused(NoSuchPath, tutor().open(page))


def test_puzzles_of_both_kinds_exist_in_every_grade() -> None:
    found = puzzles()
    assert len(found) >= 120
    assert len({one.exercise.position.system.id for one in found}) > 3
    assert {(one.kind, one.grade) for one in found} == {(kind, grade) for kind in PuzzleKind for grade in (1, 2, 3)}
    assert len({str(one.exercise.position) for one in found}) == len(found)
    assert puzzle_of(3) == puzzle_of(3 + len(found))


@pytest.mark.parametrize("number", random.Random(1).sample(range(len(puzzles())), 12))
async def test_puzzle_has_one_solution_found_from_what_shows(number: int) -> None:
    puzzle = puzzles()[number]
    assert await asyncio.to_thread(solutions, puzzle.kind, puzzle.exercise.position) == [puzzle.solution]
    page = Progress(Book.PUZZLES, number)
    for text in puzzle.solution:
        before = attempt_at(page)
        assert not before.over
        legal = before.exercise.game().legal
        index = next(index for index, action in enumerate(legal) if str(action) == text)
        assert presses_of(await tutor().open(page))
        page = Progress(Book.PUZZLES, number, (*page.done, index))
    assert attempt_at(page).solved


def test_every_solution_holds_under_todays_rules() -> None:
    for puzzle in puzzles():
        done: tuple[int, ...] = ()
        for text in puzzle.solution:
            legal = [str(action) for action in attempt(puzzle, done).exercise.game().legal]
            done = (*done, legal.index(text))
        assert attempt(puzzle, done).solved


def test_attempt_ends_when_nothing_can_be_played() -> None:
    puzzle = next(one for one in puzzles() if one.kind is PuzzleKind.SAVE)
    legal = [str(action) for action in puzzle.exercise.game().legal]
    wrong = next(index for index, text in enumerate(legal) if (text,) != puzzle.solution)
    missed = attempt(puzzle, (wrong,))
    assert missed.over
    assert not missed.solved


async def test_wrong_try_is_refuted_and_then_helped() -> None:
    number = next(number for number, one in enumerate(puzzles()) if one.kind is PuzzleKind.SAVE)
    puzzle = puzzles()[number]
    legal = [str(action) for action in puzzle.exercise.game().legal]
    wrong = next(index for index, text in enumerate(legal) if (text,) != puzzle.solution)
    page = Progress(Book.PUZZLES, number, (wrong,))
    found = {tries: await tutor().missed(page, PuzzleResult(1, "Ann", tries, solved=False)) for tries in (1, 2, 4)}
    assert all(reply.picture and " can answer: " in reply.content for reply in found.values())
    labels = {tries: [item.label for item in reply.panel.items] for tries, reply in found.items()}
    assert labels == {1: labels[4][:1], 2: labels[4][:2], 4: labels[4]}
    assert labels[4] == ["Try again", "Hint", "Show solution"]
    told = await tutor().solution(page)
    assert told.picture
    assert told.content.count("\n") == len(puzzle.solution)


def test_first_puzzles_are_classic_and_not_hard() -> None:
    found = {starter_of(day).exercise.position.system.id for day in range(30)}
    assert found == {"classic"}
    assert {starter_of(day).grade for day in range(30)} == {1, 2}
    assert not find_threat(puzzle_after(next(one for one in puzzles() if one.kind is PuzzleKind.SAVE)))


def puzzle_after(puzzle: Puzzle) -> Position:
    """The position after the solution of a puzzle that takes one card."""
    legal = puzzle.exercise.game().legal
    return puzzle.exercise.after(next(action for action in legal if (str(action),) == puzzle.solution)).position


def test_streak_counts_days_up_to_today_or_yesterday() -> None:
    assert streak((10, 9, 8, 6), 10) == 3
    assert streak((10, 9, 8, 6), 11) == 3
    assert streak((10, 9, 8, 6), 12) == 0
    assert streak((), 12) == 0


async def test_texts_of_exercises_tell_only_the_pieces() -> None:
    """No game, cards of others, computers or turn: there are none; pieces by name and by what they look like."""
    number = next(number for number, one in enumerate(puzzles()) if one.kind is PuzzleKind.SAVE)
    told = (await tutor("text").open(Progress(Book.PUZZLES, number))).content
    assert "```" in told
    for other in ("DOG board", "in hand", "left to draw", "Computers", "your turn", "Round 1"):
        assert other not in told
    table = tutor().dialogue(Progress(Book.PUZZLES, number)).seated.table
    for seat in (table.board.next_seat(puzzles()[number].exercise.position.seat), *table.board.partners(0)):
        assert f"{table.occupants[seat].name}, {sign(Language('en'), seat)}" in told


async def test_solved_puzzle_is_shown_with_its_board() -> None:
    for kind in PuzzleKind:
        number = next(number for number, one in enumerate(puzzles()) if one.kind is kind)
        done: tuple[int, ...] = ()
        for text in puzzles()[number].solution:
            legal = [str(action) for action in attempt(puzzles()[number], done).exercise.game().legal]
            done = (*done, legal.index(text))
        told = await tutor().solved(Progress(Book.PUZZLES, number, done), Reply("Solved!"))
        assert (told.content, bool(told.picture)) == ("Solved!", True)


async def test_another_move_is_answered_with_the_reason() -> None:
    number = next(number for number, lesson in enumerate(lessons()) if lesson.name.startswith("5"))
    told = learning.allowed_but(Language("en"), lessons()[number].steps[0])
    assert "too far for your lane" in told
    page = Progress(Book.LESSONS, 1, (0,))
    legal = {str(action): action for action in lessons()[1].steps[0].exercise.game().legal}
    assert "a piece of your own team" in tutor().missed_step(page, legal["8 20>28"])
    assert tutor().missed_step(page, legal["8 40>48"]).startswith("❌ To send a piece back, land on it exactly. Try")


def test_every_lesson_ends_with_a_way_to_play() -> None:
    for number in range(len(lessons())):
        end = tutor().lesson_done(number, {}, None)
        assert "Play now" in [item.label for item in end.panel.items if isinstance(item, Button)]


async def test_exercise_draws_the_hand_at_its_first_question() -> None:
    """Also where that is about a piece, since there is only one card."""
    number = next(number for number, lesson in enumerate(lessons()) if lesson.name.startswith("3"))
    for page, cards in ((Progress(Book.LESSONS, 1, (0,)), 2), (Progress(Book.LESSONS, number, (1,)), 1)):
        drawing, reading = tutor(), tutor("text")
        told = (await drawing.open(page)).content
        assert ("which piece moves first?" in told) is (page.number == number)
        assert "Your hand" not in told
        assert "Your move?" not in told
        assert len(drawing.pictures.below.cards) == cards  # type: ignore[attr-defined]
        assert (await reading.open(page)).content.count("Your hand: ") == 1
