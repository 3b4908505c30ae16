"""Lessons and puzzles: the dialogue of a hand over a position of no table, with the board.

The progress stands in the custom ids, as everywhere, so that every button works after a restart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum

from bot.choosing import NoSuchPath
from bot.errors import Busy
from bot.languages import Language
from bot.occupants import Person
from bot.rights import Deed
from bot.showing.choices import Go, PlayNow
from bot.showing.controls import OpenUsual
from bot.showing.dialogue import AskWhy, Dialogue, InWords, Said
from bot.showing.panels import Button, Menu, Panel, Reply, Style, line
from bot.showing.pictures import Pictures
from bot.showing.presses import Press
from bot.storage.puzzles import PuzzleResult
from bot.table import Table, Terms
from bot.tables.learning.exercises import (
    Attempt,
    Exercise,
    LessonStep,
    Puzzle,
    PuzzleKind,
    attempt,
    find_threat,
    lessons,
    progress,
    puzzle_of,
    starter_of,
)
from bot.texts import buttons, positions
from bot.texts.dialogue import Speaker, confirm_line, hand_line, is_harmful
from bot.texts.markup import ALT_LIMIT, unmarked
from bot.texts.names import Names
from bot.texts.public.boards import board_link
from bot.texts.teaching import learning
from engine import Action, Preview, View
from engine.analysis import PossibleAction

HINT_AFTER, SOLUTION_AFTER = 2, 4
"""The wrong tries after which a puzzle has a hint, and shows its solution."""


class Book(Enum):
    """The source of an exercise: pages are lessons, or days."""

    LESSONS = "lessons"
    PUZZLES = "puzzles"
    STARTERS = "starters"
    """The puzzles that a person solves first."""


class Lessons(Press, verb="lesson", deed=Deed.LEARN, menu="lesson"):
    """Begin the lesson with this number; None: go on where the user has left off."""

    lesson: int | None = None


class ShowPuzzle(Press, verb="puzzle", deed=Deed.PUZZLE):
    """Show today's puzzle; `anew`: from the beginning, even if it is solved."""

    anew: bool = False


class NoTips(Press, verb="no_tips", deed=Deed.PREFER):
    """Show no tips any more."""


class _OfExercise(Press):
    """Part of an exercise: `page` of a book, and `at`: a count, that many numbers (what has been done), then the path.

    Of a lesson the only number is its step; of a puzzle they are the actions played.
    """

    book: Book
    page: int
    at: tuple[int, ...] = ()


class Try(_OfExercise, verb="try", deed=Deed.LEARN, menu="at"):
    """Answer the next question of an exercise, or go back."""


class TryPlay(_OfExercise, verb="try_play", deed=Deed.LEARN):
    """Play what stands at the end of the path of an exercise."""


class TryWhy(_OfExercise, verb="try_why", deed=Deed.LEARN):
    """Say why the other cards of an exercise cannot be played."""


class TryHint(_OfExercise, verb="try_hint", deed=Deed.LEARN):
    """Show the hint of a lesson or, after some tries, of a puzzle."""


class TrySolution(_OfExercise, verb="try_solution", deed=Deed.LEARN):
    """Show the solution of a puzzle, after some tries."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A user's progress in an exercise: a page of a book, and what has been done there."""

    book: Book
    number: int
    done: tuple[int, ...] = ()

    @classmethod
    def of(cls, press: Try | TryPlay | TryWhy | TryHint | TrySolution) -> tuple[Progress, tuple[int, ...]]:
        """Return the page that a press was made for, and its path. Raises NoSuchPath."""
        count = press.at[0] if press.at else -1
        if not 0 <= count < len(press.at):
            raise NoSuchPath("it does not say what has been done")
        return cls(press.book, press.page, press.at[1 : 1 + count]), press.at[1 + count :]

    @property
    def at(self) -> tuple[int, ...]:
        """The progress as presses carry it."""
        return (len(self.done), *self.done)

    def pressed(self, press: Press) -> Press | None:
        """Return the press of an exercise for a press of the dialogue; None if there is none."""
        match press:
            case Go(path=path):
                return Try(0, self.book, self.number, (*self.at, *path))
            case PlayNow(path=path):
                return TryPlay(0, self.book, self.number, (*self.at, *path))
            case AskWhy():
                return TryWhy(0, self.book, self.number, self.at)
            case _:
                return None


@dataclass(kw_only=True)
class ExerciseDialogue(Dialogue):
    """The dialogue of an exercise; `head`: the lines above it."""

    page: Progress
    head: str

    async def at(self, path: Sequence[int], note: str = "", above: str = "") -> Reply:
        """Return the dialogue after the answers in `path`. Raises NoSuchPath."""
        reply = await super().at(path, note, above)
        panel = Panel()
        for item in () if reply.panel is None else reply.panel.items:
            if isinstance(item, Button | Menu) and (press := self.page.pressed(item.press)) is not None:
                panel.items.append(replace(item, press=press))
        return replace(reply, panel=panel)

    def _headed(self, lines: Sequence[str], answers: Sequence[int]) -> Sequence[str]:
        return [self.head, *lines]

    async def _with_hand(self, lines: list[str], panels: list[Panel], playable: set[str] | None) -> Said:
        """Add the board as well, since there is none above."""
        hand, turned = self._view.hand or (), None if self.as_public else self._seat
        told = hand_line(self.language, hand)
        if not self._in_words:
            board = (self._table, self._view, (), self.language)
            with suppress(Busy):
                picture = await (
                    self.pictures.hand(self._held(playable), self.theme, above=(*board, turned))
                    if hand
                    else self.pictures.board(*board, theme=self.theme, turned=turned)
                )
                alt = positions.alt(self.language, self._table, self._view, (), ALT_LIMIT - len(told) - 1)
                return Said(lines, panels, picture, f"{told} {alt}")
        return Said([*lines, told], panels, board=self._board())

    def _add_board(self, panel: Panel, answers: tuple[int, ...]) -> None:
        """Add nothing, since the whole board is there."""

    def _choosing(self, view: View, spots: positions.Spots, heading: str = "") -> InWords:
        return self._board(view, spots, heading)

    def _changed(self, preview: Preview, heading: str) -> InWords:
        return self._board(replace(self._view, pieces=preview.placement), heading=heading)

    def _board(self, view: View | None = None, spots: positions.Spots | None = None, heading: str = "") -> InWords:
        """Return the whole board in words, since no button leads to it; `view`: another position than the game's."""
        shown = self._view if view is None else view
        return lambda room: positions.board(
            self.language, self._table, shown, (), spots, room, heading=heading, only_pieces=True
        )

    async def answered(self, answer: Exercise, threat: PossibleAction) -> bytes | None:
        """Draw another seat's action on the board of this exercise; None if it is told in words."""
        self._view, named = answer.game().view, threat.action.named
        card = threat.action.card if named is None else f"{threat.action.card}:{named}"
        return await self._preview(card=card, preview=threat.preview)

    async def board(self, text: str, panel: Panel) -> Reply:
        """Return the board and the hand below a text."""
        said = await self._with_hand([text], [panel], None)
        return Reply(self._text(said), panel, said.picture, said.alt)


@dataclass(frozen=True, slots=True)
class Tutor:
    """Makes the replies of lessons and puzzles for a user; `look` is the theme they prefer, None for the usual."""

    pictures: Pictures
    language: Language
    person: Person
    look: str | None
    as_public: bool

    def dialogue(self, page: Progress) -> ExerciseDialogue:
        """Return the dialogue of a page. Raises NoSuchPath if there is no such page."""
        language = self.language
        if page.book is Book.LESSONS:
            step = step_of(page)
            lesson = lessons()[page.number]
            title = learning.lesson_title(language, page.number, lesson)
            head = learning.lesson_head(language, page.number, lesson, page.done[0])
            exercise = step.exercise
        else:
            puzzle = puzzle_at(page)
            title = learning.puzzle_title(language, puzzle)
            exercise = attempt_at(page).exercise
            names = Names.of(exercise.seated(self.person, title).table, language)
            head = learning.puzzle_head(language, names, page.number, puzzle)
        seated = exercise.seated(self.person, title)
        look = self.look or Terms().theme
        # The aim above asks for the move.
        return ExerciseDialogue(
            self.pictures, language, seated, look, self.as_public, called=True, page=page, head=head
        )

    async def open(self, page: Progress, note: str = "", learned: Mapping[str, int] | None = None) -> Reply:
        """Return a page at its first question, preceded by `note`. `learned`: the user's progress in the lessons."""
        return self.add_ways_on(page, await self.dialogue(page).hand(note), learned or {})

    def add_ways_on(self, page: Progress, reply: Reply, learned: Mapping[str, int]) -> Reply:
        """Add the buttons that lead elsewhere to the first question of a page."""
        panel = reply.panel or Panel()
        if page.book is Book.LESSONS:
            panel.button(self.language.t(buttons.HINT), TryHint(0, page.book, page.number, page.at), emoji="💡")
            self._add_lessons(panel, learned)
        elif page.done:
            self._add_again(panel, page, buttons.AGAIN)
        return replace(reply, panel=panel)

    def _add_again(self, panel: Panel, page: Progress, label: str) -> None:
        begin = replace(page, done=())
        panel.button(self.language.t(label), Try(0, page.book, page.number, begin.at), emoji="↩️")

    def missed_step(self, page: Progress, action: Action) -> str:
        """Return what answers an action that is not the one that the step of a lesson is about."""
        step, seated = step_of(page), self.dialogue(page).seated
        speaker = Speaker.of(self.language, seated.table, seated.seat)
        harms = is_harmful(speaker, seated.game.preview(action).steps)
        return learning.allowed_but(self.language, step, harms=harms)

    async def missed(self, page: Progress, tried: PuzzleResult | None) -> Reply:
        """Answer a wrong solution with what refutes it, as a picture too; after some tries with help."""
        language, puzzle, reached = self.language, puzzle_at(page), attempt_at(page)
        position, tries = reached.exercise.position, SOLUTION_AFTER if tried is None else tried.tries
        panel = Panel()
        self._add_again(panel, page, buttons.TRY_AGAIN)
        if tries >= HINT_AFTER:
            panel.button(language.t(buttons.HINT), TryHint(0, page.book, page.number, page.at), emoji="💡")
        if tries >= SOLUTION_AFTER:
            solution = TrySolution(0, page.book, page.number, page.at)
            panel.button(language.t(buttons.SOLUTION), solution, emoji="🏁")
        threat = await asyncio.to_thread(find_threat, position) if puzzle.kind is PuzzleKind.SAVE else None
        names = Names.of(self.dialogue(page).seated.table, language)
        if threat is None:
            reason = learning.puzzle_left(language, reached.left)
            return await self.dialogue(page).board(learning.puzzle_missed(language, tried, reason), panel)
        reason = learning.puzzle_refuted(language, names, position.board.next_seat(position.seat), threat)
        return await self._shown(page, learning.puzzle_missed(language, tried, reason), panel, threat)

    async def solution(self, page: Progress) -> Reply:
        """Return the solution of a puzzle, and the board after it."""
        puzzle, panel = puzzle_at(page), Panel()
        self._add_again(panel, page, buttons.AGAIN)
        done, moves = Progress(page.book, page.number), list[str]()
        for text in puzzle.solution:
            exercise = attempt_at(done).exercise
            game = exercise.game()
            number = next(number for number, action in enumerate(game.legal) if str(action) == text)
            speaker = Speaker.of(self.language, exercise.seated(self.person, "").table, exercise.position.seat)
            action = game.legal[number]
            moves.append(confirm_line(speaker, action, game.preview(action)))
            done = replace(done, done=(*done.done, number))
        return await self.dialogue(done).board(learning.puzzle_solution(self.language, moves), panel)

    async def solved(self, page: Progress, reply: Reply) -> Reply:
        """Return what answers a solution, with the board after it."""
        return await self.dialogue(page).board(reply.content, reply.panel or Panel())

    async def _shown(self, page: Progress, text: str, panel: Panel, threat: PossibleAction) -> Reply:
        """Return a text and the board with an opponent's answer to a try."""
        dialogue, position = self.dialogue(page), attempt_at(page).exercise.position
        card = threat.action.card or ""
        answer = Exercise(replace(position, seat=position.board.next_seat(position.seat), hand=(card,), last=None))
        picture = await dialogue.answered(answer, threat)
        return Reply(text, panel, picture, unmarked(text)[:ALT_LIMIT]) if picture else Reply(text, panel)

    async def post(self, day: int, yesterday: Sequence[PuzzleResult]) -> Reply:
        """Return the public post of a day's puzzle, with those who solved the puzzle before."""
        language = self.language
        dialogue = self.dialogue(Progress(Book.PUZZLES, day))
        text = learning.puzzle_post(language, dialogue.head, yesterday)
        panel = Panel().button(language.t(buttons.SOLVE), ShowPuzzle(0), style=Style.MAIN, emoji="🧩")
        return await dialogue.board(text, panel)

    def lesson_done(self, number: int, learned: Mapping[str, int], table: Table | None) -> Reply:
        """Return the end of a lesson, with the way to the next, and to the user's table or to a new one."""
        language, all_lessons = self.language, lessons()
        text = learning.lesson_done(language, number, all_lessons[number])
        panel = Panel()
        following = next(
            (later for later in range(number + 1, len(all_lessons)) if not all_lessons[later].is_extra), None
        )
        if following is None:
            text = f"{text}\n{learning.all_learned(language)}"
        else:
            press = Lessons(0, following)
            panel.button(language.t(buttons.NEXT_LESSON), press, style=Style.YES, emoji="▶️")
        if table is None:
            style = Style.YES if following is None else Style.PLAIN
            panel.button(language.t(buttons.PLAY_NOW), OpenUsual(0), style=style, emoji="🎲")
        else:
            panel.link(language.t(buttons.TO_TABLE), board_link(table))
        self._add_lessons(panel, learned)
        return Reply(text, panel)

    def _add_lessons(self, panel: Panel, learned: Mapping[str, int]) -> None:
        """Add a menu of all lessons; those done are marked."""
        language = self.language
        options = [
            line(
                learning.lesson_title(language, number, lesson),
                number,
                emoji="✅" if progress(lesson, learned) == len(lesson.steps) else None,
            )
            for number, lesson in enumerate(lessons())
        ]
        panel.menu(language.t(buttons.LESSONS), Lessons(0), options)


def step_of(page: Progress) -> LessonStep:
    """Return the step of a lesson at which a user is. Raises NoSuchPath."""
    all_lessons = lessons()
    if len(page.done) != 1 or page.number >= len(all_lessons) or page.done[0] >= len(all_lessons[page.number].steps):
        raise NoSuchPath("there is no such lesson")
    return all_lessons[page.number].steps[page.done[0]]


def puzzle_at(page: Progress) -> Puzzle:
    """Return the puzzle of a page."""
    return starter_of(page.number) if page.book is Book.STARTERS else puzzle_of(page.number)


def attempt_at(page: Progress) -> Attempt:
    """Return a user's progress with a puzzle. Raises NoSuchPath."""
    try:
        return attempt(puzzle_at(page), page.done)
    except IndexError:
        raise NoSuchPath("no such action") from None
