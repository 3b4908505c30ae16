"""Lessons, tips and the puzzle of the day on Discord: in private, from any button, across restarts."""

from typing import Any

from bot.showing.lessons import Book, Lessons, Progress, Try, TryHint, TryPlay, TrySolution, attempt_at
from bot.tables.learning.exercises import puzzle_of
from tests.cogs.playing import past_the_exchange
from tests.simtable import Answer, SimTable


async def solve(table: SimTable, who: Any, answer: Answer) -> Answer:
    """Play today's puzzle with its solution, beginning with what was answered."""
    day = table.bot.tables.puzzles.today()
    page, puzzle = Progress(Book.PUZZLES, day), puzzle_of(day)
    for text in puzzle.solution:
        legal = attempt_at(page).exercise.game().legal
        number = next(number for number, one in enumerate(legal) if str(one) == text)
        answer = await play(table, who, page, number, answer)
        page = Progress(Book.PUZZLES, day, (*page.done, number))
    return answer


async def play(table: SimTable, who: Any, page: Progress, number: int, answer: Answer) -> Answer:
    """Play an allowed action of an exercise, by its path."""
    from bot.choosing import list_offered, path_to

    game = attempt_at(page).exercise.game()
    path = path_to(list_offered(game), game.legal[number])
    return await table.forge(
        who, TryPlay(0, page.book, page.number, (*page.at, *path)).custom_id(), on=answer.pages[-1]
    )


async def test_lesson_continues_after_a_restart(table: SimTable) -> None:
    ann = table.members[0]
    answer = await table.slash(ann, "dog learn")
    assert answer.shown.private
    assert answer.shown.pictures
    assert "1: Out of the kennel" in answer.text
    assert "part 2 of 2" in (await table.click(ann, "Play", on=answer.shown)).text
    await table.restart(crash=True)
    again = await table.slash(ann, "dog learn")
    assert "part 2 of 2" in again.text
    card = next(label for label in again.shown.labels if label.startswith("5"))
    await table.click(ann, card, on=again.shown)
    assert "Lesson 1 is done." in (await table.click(ann, "Play")).text
    assert "2: Moving" in (await table.click(ann, "Next lesson")).text
    assert "3: The seven" in (await table.choose(ann, "3: The seven")).text


async def test_unwanted_action_is_refused_and_a_hint_helps(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog learn")
    lesson = await table.choose(ann, "2: Moving and sending back")
    eight = next(label for label in lesson.pages[-1].labels if label.startswith("8") and "40" in label)
    await table.click(ann, eight)
    answer = await table.click(ann, "Play")
    assert "part 1 of 2" in answer.text
    assert "exactly five" in (await table.click(ann, "Hint")).text


async def test_forged_lesson_press_gets_sentence_or_fresh_start(table: SimTable) -> None:
    ann = table.members[0]
    shown = (await table.slash(ann, "dog learn")).pages[-1]
    for press in (
        Lessons(0, 999),
        Try(0, Book.LESSONS, 0, (1, 0, 77)),
        Try(0, Book.LESSONS, 77, (1, 0)),
        TryPlay(0, Book.LESSONS, 0, (5, 0)),
        TryPlay(0, Book.PUZZLES, 10**6, (0, 0)),
        Try(0, Book.PUZZLES, 3, (2, 999, 999)),
        Try(0, Book.PUZZLES, 3),
    ):
        answer = await table.forge(ann, press.custom_id(), on=shown)
        assert answer.text, press
        assert all(page.private for page in answer.pages)
    assert not (await table.bot.tables.users.preferences(ann.id)).learned


async def test_lessons_open_beside_a_lobbys_settings(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    settings = (await table.click(ben, "Settings", on=table.board())).shown
    assert "1: Out of the kennel" in (await table.click(ben, "Learn to play", on=settings)).text
    await table.click(ann, "Add computers", on=table.board())
    assert "Unrated" in table.read(settings).text, "the settings stay, and follow the lobby"
    assert "1: Out of the kennel" in table.private(ben)[-1].text


async def test_tip_shows_twice_at_most_and_can_end(table: SimTable) -> None:
    ann = table.members[0]
    await past_the_exchange(table)
    learned = []
    for _ in range(20):
        await table.slash(ann, "dog hand")
        learned.append(dict((await table.bot.tables.users.preferences(ann.id)).learned))
    assert all(count <= 2 for name, count in learned[-1].items() if name.startswith("tip:"))
    assert learned[-1] == learned[-2]
    await table.bot.tables.users.prefer(ann.id, learned={})
    opened = await table.slash(ann, "dog hand")
    if "Turn tips off" in opened.pages[-1].labels:
        assert "dog learn" in (await table.click(ann, "Turn tips off")).text
        assert "Turn tips off" not in (await table.slash(ann, "dog hand")).pages[-1].labels


async def test_daily_puzzle_counts_tries_until_solved(table: SimTable) -> None:
    ann, ben = table.members[:2]
    day = table.bot.tables.puzzles.today()
    puzzle = puzzle_of(day)
    answer = await table.slash(ann, "dog puzzle")
    assert answer.shown.private
    assert answer.shown.pictures
    missed = answer
    done: tuple[int, ...] = ()
    while not attempt_at(Progress(Book.PUZZLES, day, done)).over:
        here = Progress(Book.PUZZLES, day, done)
        legal = attempt_at(here).exercise.game().legal
        wrong = next(
            n for n, one in enumerate(legal) if str(one) != puzzle.solution[min(len(done), len(puzzle.solution) - 1)]
        )
        missed = await play(table, ann, here, wrong, answer)
        done = (*done, wrong)
    assert "(first try)" in missed.text
    assert missed.shown.pictures
    assert not {"Hint", "Show solution"} & set(missed.shown.labels)
    for early in (TryHint(0, Book.PUZZLES, day, (0,)), TrySolution(0, Book.PUZZLES, day, (0,))):
        assert "first card" not in (await table.forge(ann, early.custom_id(), on=missed.shown)).text
    solved = await solve(table, ann, answer)
    assert "Solved after 2 tries" in solved.text
    assert "1. ann: 2 tries" in solved.text
    assert "ann: 2 tries" in (await solve(table, ann, answer)).text, "once it is solved, nothing changes"
    assert "Solved on the first try" in (await solve(table, ben, await table.slash(ben, "dog puzzle"))).text
    again = await table.slash(ben, "dog puzzle")
    assert "1. ben: 1 try\n2. ann: 2 tries" in again.text
    assert "1 day" in again.text
