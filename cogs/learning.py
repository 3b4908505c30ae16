"""Learning: lessons, tips, and the puzzle of the day; all of it in private."""

from __future__ import annotations

from dataclasses import replace

from bot.choosing import NoSuchPath
from bot.interactions.commands import DogCog, command
from bot.interactions.request import Request
from bot.languages import mark as _
from bot.rights import Deed
from bot.showing.lessons import (
    HINT_AFTER,
    SOLUTION_AFTER,
    Book,
    Lessons,
    NoTips,
    Progress,
    ShowPuzzle,
    Try,
    TryHint,
    TryPlay,
    TrySolution,
    TryWhy,
    Tutor,
    attempt_at,
    puzzle_at,
    step_of,
)
from bot.showing.paging import split_page
from bot.showing.panels import Panel, Reply
from bot.tables.learning.exercises import STARTS, PuzzleStanding, key, lessons, progress
from bot.texts import buttons
from bot.texts.markup import stack
from bot.texts.names import Names
from bot.texts.teaching import learning
from engine import Action


class LearningCog(DogCog):
    """Lessons, tips and puzzles."""

    @command("dog learn", _("Learn to play in short lessons, in private"), Deed.LEARN, away=True)
    async def learn(self, request: Request, press: Lessons | None = None) -> None:
        """Begin a lesson, or go on where the user has left off: with the first if they have begun none, or done all."""
        learned, all_lessons = (await request.preferences()).learned, lessons()
        if press is not None and press.lesson is not None:
            number, step = press.lesson, 0
        else:
            undone = (
                index for index, lesson in enumerate(all_lessons) if progress(lesson, learned) < len(lesson.steps)
            )
            first = next(undone, 0)
            number = 0 if all_lessons[first].is_extra else first
            step = progress(all_lessons[number], learned) % len(all_lessons[number].steps)
        tutor = await self._tutor(request)
        opened = await tutor.open(Progress(Book.LESSONS, number, (step,)), learned=learned)
        # A lobby's settings stay open, and follow it.
        await (request.send if press is not None and press.table else request.replace)(opened)

    @command("dog puzzle", _("Solve the puzzle of the day, in private"), Deed.PUZZLE, away=True)
    async def puzzle(self, request: Request, press: ShowPuzzle | None = None) -> None:
        """Show today's puzzle, whatever day's the button was under; once it is solved, the user's standing."""
        puzzles = request.tables.puzzles
        standing = await puzzles.standing(request.server_id or 0, request.user_id)
        if standing.solved and not (press and press.anew):
            await request.replace(self._standing(request, standing))
        else:
            tutor = await self._tutor(request)
            # Below a post it is the puzzle that stands there.
            posted = press is not None and not request.is_private
            book = Book.STARTERS if standing.days < STARTS and not posted else Book.PUZZLES
            await request.replace(await tutor.open(Progress(book, puzzles.today())))

    def _standing(self, request: Request, found: PuzzleStanding, note: str = "") -> Reply:
        language = request.language
        panel = Panel().button(language.t(buttons.AGAIN), ShowPuzzle(0, anew=True), emoji="🧩")
        head = note or learning.solved_already(language)
        return Reply(stack(head, learning.standing(language, found)), panel)

    async def solution(self, request: Request, press: TrySolution) -> None:
        """Show the solution of a puzzle that was tried often enough."""
        page, _path = Progress.of(press)
        await self._need_tries(request, page, SOLUTION_AFTER)
        await request.replace(await (await self._tutor(request, page)).solution(page))

    async def _need_tries(self, request: Request, page: Progress, least: int) -> None:
        """Raise NoSuchPath unless the user has tried a puzzle this often; those of other days are for practice."""
        tries = await request.tables.puzzles.tries(page.number, request.user_id)
        if page.book is Book.LESSONS or (tries is not None and tries < least):
            raise NoSuchPath("it was not tried often enough")

    async def choose(self, request: Request, press: Try | TryWhy | TryHint) -> None:
        """Answer a question of an exercise, go back, ask why a card cannot be played, or for a hint."""
        page, path = Progress.of(press)
        tutor = await self._tutor(request, page)
        if isinstance(press, TryHint) and page.book is not Book.LESSONS:
            await self._need_tries(request, page, HINT_AFTER)
            hint = learning.puzzle_hint(request.language, puzzle_at(page))
            await request.replace(await tutor.open(replace(page, done=()), hint))
            return
        dialogue = tutor.dialogue(page)
        if split_page(path)[0]:
            await request.replace(await dialogue.at(path))
            return
        if path:
            reply = await dialogue.at(path)
        elif isinstance(press, TryWhy):
            reply = await dialogue.why()
        else:
            reply = await dialogue.hand(
                learning.hint(request.language, step_of(page)) if isinstance(press, TryHint) else ""
            )
        await request.replace(tutor.add_ways_on(page, reply, (await request.preferences()).learned))

    async def play(self, request: Request, press: TryPlay) -> None:
        """Play a card of an exercise, and show its next part, its end, or what was wrong."""
        page, path = Progress.of(press)
        tutor = await self._tutor(request, page)
        action = tutor.dialogue(page).chosen(path).action
        if page.book is Book.LESSONS:
            await request.replace(await self._after_step(request, tutor, page, action))
        else:
            number = attempt_at(page).exercise.game().legal.index(action)
            await request.replace(await self._after_card(request, tutor, replace(page, done=(*page.done, number))))

    async def _after_step(self, request: Request, tutor: Tutor, page: Progress, action: Action) -> Reply:
        step, lesson, learned = step_of(page), lessons()[page.number], (await request.preferences()).learned
        if not step.reached_by(step.exercise.game(), action):
            return await tutor.open(page, tutor.missed_step(page, action), learned)
        done = page.done[0] + 1
        learned = {**learned, key(lesson): max(done, progress(lesson, learned))}
        await request.tables.users.prefer(request.user_id, learned=learned)
        if done == len(lesson.steps):
            tables = await request.tables.of_member(request.user_id)
            return tutor.lesson_done(page.number, learned, next(iter(tables), None))
        return await tutor.open(replace(page, done=(done,)), learning.reached(request.language, step), learned)

    async def _after_card(self, request: Request, tutor: Tutor, page: Progress) -> Reply:
        reached, puzzles, language = attempt_at(page), request.tables.puzzles, request.language
        if not reached.over:
            return await tutor.open(page)
        guild = request.server_id or 0
        tried = await puzzles.count_try(page.number, guild, request.person, solved=reached.solved)
        if not reached.solved:
            return await tutor.missed(page, tried)
        names = Names.of(tutor.dialogue(page).seated.table, language)
        text = learning.puzzle_solved(language, names, page.number, puzzle_at(page), tried)
        standing = await puzzles.standing(guild, request.user_id)
        return await tutor.solved(page, self._standing(request, standing, text))

    async def _tutor(self, request: Request, page: Progress | None = None) -> Tutor:
        """Return the tutor of the user. Raises NoSuchPath for a puzzle that is still to come, and `FeatureOff`."""
        if page is not None and page.book is not Book.LESSONS:
            await request.allow(Deed.PUZZLE)
            if page.number > request.tables.puzzles.today():
                raise NoSuchPath("that day is still to come")
        prefers = await request.preferences()
        return Tutor(self.bot.pictures, request.language, request.person, prefers.theme, as_public=prefers.as_public)

    async def no_tips(self, request: Request, press: NoTips) -> None:
        await request.tables.users.prefer(request.user_id, tips=False)
        await request.say(learning.no_more_tips(request.language))
