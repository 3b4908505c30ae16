"""Lessons and puzzles: positions with a hand and a goal; and the progress of people."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from bot.occupants import Occupant, Person
from bot.pace import DAY
from bot.storage import Store
from bot.storage.puzzles import PuzzlePost, PuzzleResult
from bot.table import SeatTable, Status, Table, Terms
from bot.tables.seating import COMPUTER_NAMES
from engine import KENNEL_TEXT, SLOTS, Action, ActionKind, Placement, Position, PublicGame, SeatGame, parse_position
from engine.analysis import PossibleAction, position_actions
from engine.staged import stage

_FOLDER = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position with a hand, at a seat's turn or, with `exchanging`, in the exchange."""

    position: Position
    exchanging: bool = False

    def seated(self, person: Person, title: str) -> SeatTable:
        """Return the exercise as a table at which this person sits with computers; `title`: in place of its code."""
        position = self.position
        game = stage(position, exchanging=self.exchanging)
        others = iter(COMPUTER_NAMES)
        occupants = {
            seat: Occupant(person.name, person.id) if seat == position.seat else Occupant(next(others), None, "normal")
            for seat in game.seats
        }
        table = Table(
            id=0,
            code=title,
            guild_id=0,
            channel_id=0,
            host_id=person.id,
            status=Status.PLAYING,
            terms=Terms(system=position.system.id, players=position.players, pace="none"),
            seats=game.seats,
            occupants=occupants,
            game=PublicGame(game),
            version=0,
            created_at=0,
            changed_at=0,
        )
        return SeatTable(table, SeatGame(game, position.seat))

    def game(self) -> SeatGame:
        """Return the game as its seat knows it."""
        return SeatGame(stage(self.position, exchanging=self.exchanging), self.position.seat)

    @property
    def can_play(self) -> bool:
        """Return True if its seat can play a card."""
        return any(action.kind is ActionKind.PLAY for action in self.game().legal)

    def after(self, action: Action) -> Exercise:
        """Return the exercise after this card, with no other seat playing. Raises what the engine refuses."""
        position = self.position
        placement = self.game().preview(action).placement
        left = list(position.hand)
        left.remove(action.card or "")
        last = action.named or action.card
        return Exercise(replace(position, pieces=placement, hand=tuple(left), last=last))


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A move of a lesson, in English: `say` what to reach, a `hint`, and what is said when it is `done`.

    `pieces`: where pieces of each side have to be afterwards; `gives`: the cards that are good to give; `but`: why
    other moves that are allowed do not do it, if that can be said.
    """

    exercise: Exercise
    say: str
    hint: str
    done: str
    pieces: Mapping[int, Sequence[str]] = field(default_factory=dict)
    gives: Sequence[str] = ()
    but: str = ""

    def reached_by(self, game: SeatGame, action: Action) -> bool:
        """Return True if an action that is allowed does what the step asks for."""
        if self.gives:
            return action.card in self.gives
        placement = game.preview(action).placement
        return all(not Counter(wanted) - Counter(placement[side]) for side, wanted in self.pieces.items())


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: its `title` in English, its steps, and `about`: what a system needs to have for it, if anything."""

    name: str
    title: str
    steps: tuple[LessonStep, ...]
    about: str | None = None

    @property
    def is_extra(self) -> bool:
        """Return True if only some systems need it."""
        return self.about is not None


def progress(lesson: Lesson, learned: Mapping[str, int]) -> int:
    """Return how many steps of a lesson are done, given what a person has learned."""
    return min(learned.get(key(lesson), 0), len(lesson.steps))


def key(lesson: Lesson) -> str:
    """Return the key under which a person's progress in a lesson is stored."""
    return f"lesson:{lesson.name}"


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons, in the order in which they are learned."""
    lessons_read = []
    for file in sorted((_FOLDER / "lessons").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        lessons_read.append(Lesson(file.stem, data["title"], tuple(map(_step, data["steps"])), data.get("about")))
    return tuple(lessons_read)


def _step(data: Mapping[str, Any]) -> LessonStep:
    exercise = Exercise(parse_position(data["position"]), data.get("exchanging", False))
    pieces = {int(side): tuple(texts) for side, texts in data.get("after", {}).items()}
    gives = tuple(data.get("gives", ()))
    return LessonStep(exercise, data["say"], data["hint"], data["done"], pieces, gives, data.get("but", ""))


class PuzzleKind(StrEnum):
    """The goal of a puzzle."""

    HOME = "home"
    """Bring all of the seat's pieces into the lane with the cards of one hand, while no other seat plays."""
    SAVE = "save"
    """Find an action after which the next player can take no piece of the partner's, with any card."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle with its only solution, as texts of actions; `grade`: how hard it is, from 1 to 3."""

    kind: PuzzleKind
    grade: int
    exercise: Exercise
    solution: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's progress with a puzzle: the exercise before them, and what they have played."""

    exercise: Exercise
    played: tuple[str, ...]
    solved: bool
    over: bool
    """True if nothing more can be played, or the puzzle is solved."""

    @property
    def left(self) -> int:
        """The number of the seat's pieces that are not in the lane."""
        position = self.exercise.position
        return sum(text[-1] not in SLOTS for text in position.pieces[position.seat])


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles, in the order in which they come."""
    lines = (_FOLDER / "puzzles" / "puzzles.json").read_text(encoding="utf-8")
    return tuple(
        Puzzle(PuzzleKind(row["kind"]), row["grade"], Exercise(parse_position(row["position"])), tuple(row["solution"]))
        for row in json.loads(lines)
    )


def puzzle_of(day: int) -> Puzzle:
    """Return the puzzle of a day, counted from 1 January 1970."""
    all_puzzles = puzzles()
    return all_puzzles[day % len(all_puzzles)]


STARTS = 7
"""The puzzles that a person solves first by the usual rules."""

HARDEST_START = 2
"""The highest grade of these."""


def starter_of(day: int) -> Puzzle:
    """Return the puzzle of a day for a person who has solved fewer than `STARTS`."""
    usual = Terms().system
    starters = [each for each in puzzles() if each.exercise.position.system.id == usual and each.grade <= HARDEST_START]
    return starters[day % len(starters)]


def find_threat(position: Position) -> PossibleAction | None:
    """Return an action of the next seat, with any card, that sends back a piece of the partner of the position's seat.

    None if there is none. A card that stands for others comes last.
    """
    board, cards = position.board, position.system.cards
    (partner,), enemy = board.partners(position.seat), board.next_seat(position.seat)
    waiting = _count_in_kennel(position.pieces, partner)
    threat = replace(position, seat=enemy, hand=tuple(sorted(cards, key=lambda card: cards[card].wild)), last=None)
    threats = (each for each in position_actions(threat) if _count_in_kennel(each.placement, partner) > waiting)
    return min(threats, key=lambda each: cards[each.action.card or ""].wild, default=None)


def _count_in_kennel(pieces: Placement, side: int) -> int:
    return sum(text.endswith(KENNEL_TEXT) for text in pieces[side])


def attempt(puzzle: Puzzle, numbers: Sequence[int]) -> Attempt:
    """Return the attempt after these actions, as numbers among those allowed then. Raises IndexError if too many."""
    exercise, played = puzzle.exercise, list[str]()
    for number in numbers:
        if not exercise.can_play:
            raise IndexError(number)
        action = exercise.game().legal[number]
        played.append(str(action))
        exercise = exercise.after(action)
    done = len(played) == len(puzzle.solution)
    solved = tuple(played) == puzzle.solution
    over = solved or (done and puzzle.kind is PuzzleKind.SAVE) or not exercise.can_play
    return Attempt(exercise, tuple(played), solved, over)


LONGEST_STREAK = 1_000
"""The most days that are looked at for a streak."""


@dataclass(frozen=True, slots=True)
class PuzzleStanding:
    """A person's standing: today's solvers in their guild, whether they have solved it, their streak in days.

    `days`: on how many days they have solved one.
    """

    solvers: tuple[PuzzleResult, ...]
    solved: bool
    streak: int
    days: int = 0


class Puzzles:
    """Tries and posts. `clock` gives Unix seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store.puzzles, clock

    async def solvers(self, day: int, guild_id: int) -> tuple[PuzzleResult, ...]:
        """Return the members of a guild who have solved the puzzle of a day, the fewest tries first."""
        return await self._store.solvers(day, guild_id)

    async def note_posted(self, post: PuzzlePost, message_id: int) -> None:
        """Note that a post is there (0: that it cannot be)."""
        await self._store.posted(post, message_id)

    async def forget_refusal(self, guild_id: int) -> None:
        """Forget that a guild's puzzle could not be posted, so that it is wanted again."""
        await self._store.forget_refusal(guild_id)

    def today(self) -> int:
        """Return the number of the current day."""
        return int(self._clock()) // DAY

    def seconds_left(self) -> float:
        """Return the seconds until the next day."""
        return DAY - self._clock() % DAY

    async def count_try(self, day: int, guild_id: int, person: Person, *, solved: bool) -> PuzzleResult | None:
        """Count a try at today's puzzle; those of other days are for practice, and None is returned."""
        if day != self.today():
            return None
        return await self._store.tried(day, guild_id, person.id, person.name, solved=solved)

    async def standing(self, guild_id: int, user_id: int) -> PuzzleStanding:
        """Return a person's standing today in a guild (0: nowhere)."""
        today = self.today()
        solvers = await self.solvers(today, guild_id) if guild_id else ()
        days = await self._store.days_solved(user_id, LONGEST_STREAK)
        return PuzzleStanding(solvers, today in days[:1], streak(days, today), len(days))

    async def tries(self, day: int, user_id: int) -> int | None:
        """Return how often a person has tried the puzzle of today; None for those of other days, which do not count."""
        return await self._store.tries(day, user_id) if day == self.today() else None

    async def to_post(self) -> tuple[PuzzlePost, ...]:
        """Claim and return the posts of today's puzzle for all channels that may not have it yet."""
        today, now = self.today(), int(self._clock())
        claimed = [
            await self._store.claim(PuzzlePost(guild_id, today, channel_id, secrets.token_hex(12), now))
            for guild_id, channel_id in await self._store.unposted(today)
        ]
        return tuple(post for post in claimed if post is not None)

    async def list_refused(self) -> Sequence[tuple[int, int]]:
        """Return the guilds whose puzzle of today could not be posted, with the channels where it is wanted."""
        return await self._store.refused(self.today())


def streak(days: Sequence[int], today: int) -> int:
    """Return how many days in a row, up to today or yesterday, are among these, newest first."""
    if not days or days[0] < today - 1:
        return 0
    count = 1
    while count < len(days) and days[count] == days[0] - count:
        count += 1
    return count
