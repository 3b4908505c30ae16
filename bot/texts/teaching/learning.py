"""Texts of lessons and puzzles; tips for a player's first games; `/dog help`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.clocks import SECONDS_A_DAY
from bot.languages import Language
from bot.languages import mark as _
from bot.storage.puzzles import Tried
from bot.tables.learning.exercises import Lesson, LessonStep, Puzzle, PuzzleKind, Standing
from bot.tables.learning.hints import Tip
from bot.texts import buttons
from bot.texts.markup import bold, heading, moment, plain
from bot.texts.names import colour, option, said, system_name

PUZZLE = "🧩"
"""The beginning of every puzzle."""

MOST_SOLVERS = 12
"""The most solvers of a puzzle that are listed."""

you = said("You")
"""The name of the solver's seat in a public puzzle."""

offer = said(
    "You have a seat. New to DOG? Six short lessons show how it is played, in a few minutes and only to you. "
    "`/dog learn` opens them at any time."
)
allowed_but = said("That is allowed, but here something else is wanted. Try again, or ask for a hint.")
all_learned = said(
    "🎓 That is all you need. Open a table with `/dog new`; computers take free seats, and `/dog puzzle` has a "
    "new puzzle every day."
)
solved_already = said("✅ You have solved today's puzzle. The next one comes at midnight UTC.")
no_more_tips = said("No more tips. `/dog learn` and `/dog rules` are there whenever you need them.")


def lesson_title(language: Language, number: int, lesson: Lesson) -> str:
    """Return the title of a lesson, such as "3: The seven"; with its system if not every system needs it."""
    title = language.t(lesson.title)
    if lesson.is_extra:
        system = system_name(language, lesson.steps[0].exercise.position.system.id)
        return language.p("lesson", "{system}: {title}", system=system, title=title)
    return language.p("lesson", "{number}: {title}", number=number + 1, title=title)


def lesson_head(language: Language, number: int, lesson: Lesson, step: int) -> str:
    """Head a lesson: which it is, how far it goes, and its aim."""
    parts = language.p("lesson", "part {number} of {count}", number=step + 1, count=len(lesson.steps))
    return f"🎓 {bold(lesson_title(language, number, lesson))} · {parts}\n🎯 {language.t(lesson.steps[step].say)}"


def lesson_done(language: Language, number: int, lesson: Lesson) -> str:
    """Say that a lesson is over."""
    end = language.t("Lesson done: {title}.", title=bold(lesson_title(language, number, lesson)))
    return f"{reached(language, lesson.steps[-1])}\n🎓 {end}"


def reached(language: Language, step: LessonStep) -> str:
    """Say that a step of a lesson is done."""
    return f"✅ {language.t(step.done)}"


def hint(language: Language, step: LessonStep) -> str:
    """Return the hint of a step."""
    return f"💡 {language.t(step.hint)}"


_ASKED: Mapping[PuzzleKind, tuple[str, str]] = {
    PuzzleKind.HOME: (
        _("Home in one hand"),
        _("Play these cards so that all your pieces ({mine}) are in the lane; nobody else plays meanwhile."),
    ),
    PuzzleKind.SAVE: (
        _("Save the partner"),
        _(
            "Play one card so that the next player ({next}) cannot send back any of your partner's pieces ({partner}), "
            "whatever card they hold."
        ),
    ),
}
"""The title of each kind of puzzle, and its task."""


def puzzle_title(language: Language, puzzle: Puzzle) -> str:
    """Return the kind of a puzzle."""
    return language.t(_ASKED[puzzle.kind][0])


def puzzle_head(language: Language, day: int, puzzle: Puzzle) -> str:
    """Head a puzzle: which it is, how hard, and its task."""
    _title, question = _ASKED[puzzle.kind]
    position = puzzle.exercise.position
    board, seat = position.board, position.seat
    told = language.t(
        question,
        mine=colour(language, seat),
        next=colour(language, board.next_seat(seat)),
        partner=language.listed(colour(language, other) for other in board.partners(seat)),
    )
    stars = "★" * puzzle.grade + "☆" * (3 - puzzle.grade)
    head = " · ".join(
        (
            bold(puzzle_title(language, puzzle)),
            system_name(language, position.system.id),
            moment(day * SECONDS_A_DAY + SECONDS_A_DAY // 2, "D"),
            stars,
        )
    )
    return f"{PUZZLE} {head}\n🎯 {told} {language.t('There is exactly one way.')}"


def puzzle_missed(language: Language, tried: Tried | None) -> str:
    """Answer a wrong solution; `tried`: how often it was tried, if that counts."""
    if tried is None or tried.solved:
        return "❌ " + language.t("That is not it. Here it is again from the beginning.")
    return "❌ " + language.n(
        "That is not it: your first try. Here it is again from the beginning.",
        "That is not it: {count} tries so far. Here it is again from the beginning.",
        tried.tries,
    )


def puzzle_solved(language: Language, tried: Tried | None) -> str:
    """Answer the right solution."""
    if tried is None:
        told = language.t("Solved! It is not today's puzzle, so it counts for nothing but the pleasure.")
    else:
        told = language.n("Solved on the first try!", "Solved after {count} tries!", tried.tries)
    return f"✅ {told}"


def standing(language: Language, found: Standing) -> str:
    """Say who has solved today's puzzle, and the reader's own streak."""
    lines = []
    if found.streak:
        lines.append(
            "🔥 "
            + language.n("Your streak: {count} day in a row.", "Your streak: {count} days in a row.", found.streak)
        )
    if found.solvers:
        lines.append(language.t("Solved here today:"))
        lines += solver_lines(language, found.solvers)
    return "\n".join(lines)


def solver_lines(language: Language, solvers: Sequence[Tried]) -> list[str]:
    """Return a line for each of the best solvers, and one for the others."""
    lines = [
        f"{place}. {plain(tried.name)}: " + language.n("{count} try", "{count} tries", tried.tries)
        for place, tried in enumerate(solvers[:MOST_SOLVERS], start=1)
    ]
    more = len(solvers) - MOST_SOLVERS
    return [*lines, language.n("{count} other", "{count} others", more)] if more > 0 else lines


def puzzle_post(language: Language, day: int, puzzle: Puzzle, hand: str, yesterday: Sequence[Tried]) -> str:
    """Return the puzzle as it is posted in a channel, with those who solved the one before."""
    lines = [puzzle_head(language, day, puzzle), hand]
    lines.append(language.t("{solve} lets you answer in private.", solve=buttons.named(language, buttons.SOLVE)))
    if yesterday:
        lines += [language.t("Yesterday's was solved by:"), *solver_lines(language, yesterday)]
    return "\n".join(lines)


_TIPS: Mapping[Tip, str] = {
    Tip.GIVE: _("If the partner who gets your card has no piece on the track, give one that brings a piece out."),
    Tip.SAFE: _(
        "A safe stop is the lane, your own start right after coming out, or a space that others cannot reach: no card "
        "goes further than 13 spaces."
    ),
    Tip.EXACT: _("A piece must reach a free slot of the lane exactly; what is too much means another lap."),
    Tip.FILL: _("Fill the lane from its end: nobody passes in there."),
    Tip.FOUR: _("A 4 also goes backwards: right after coming out, that leads almost to your lane."),
    Tip.HELP: _("All of your pieces are in, so you now move those of your team."),
}
"""One line for each tip."""


def tip(language: Language, shown: Tip) -> str:
    """Return a tip, in one line."""
    return f"💡 {language.t(_TIPS[shown])}"


_HELP = (
    _("New to it? `/dog learn` shows you how, `/dog rules` has a picture for each rule."),
    _(
        "`/dog new` opens a table: friends press {join}, computers take free seats ({fill}), and {start} deals. "
        "{my_hand} shows your cards, to you alone, and what you can play."
    ),
    _(
        "Others see what you play, how many cards you hold, and a hand that you lay down; "
        "only whoever gets it sees the card that you give."
    ),
    "",
    _("`/dog hand` shows your cards and lets you play, `/dog play` plays by keyboard"),
    _("`/dog board` shows the newest board; {text}: in words"),
    _("`/dog games` lists your games, `/dog next` opens your most urgent hand"),
    _("`/dog takeback` takes your last move back; `/dog table nudge` nudges others"),
    _("`/dog history` tells the game, `/dog replay` shows it"),
    _("`/dog me notify` chooses how you are told of turns; `/dog me quiet` and `/dog me away` stop your clock"),
    _("`/dog me theme` changes the look, or puts boards into words"),
    _("`/dog me language` chooses the language of what only you see"),
    _("`/dog table computer` adds a computer player or sets its level (host); `/dog table hints` asks to allow hints"),
    _(
        "`/dog table move` takes a game elsewhere, `/dog table resign` leaves it to a computer, `/dog table cancel` "
        "ends it (host)"
    ),
    _("`/dog review` looks back at a finished game, `/dog card` is a picture of it, `/dog verify` checks its shuffles"),
    _("`/dog puzzle` is new every day, `/dog stats` shows your games and rating, `/dog me privacy` your data"),
)
"""First steps, and the commands in the order in which people need them."""


def overview(language: Language) -> str:
    """Return first steps and all commands, in one message."""
    filled = {
        "join": buttons.named(language, buttons.JOIN),
        "fill": buttons.named(language, buttons.FILL),
        "start": buttons.named(language, buttons.START),
        "my_hand": buttons.named(language, buttons.MY_HAND),
        "text": option(language, "text"),
    }
    return "\n".join(
        [heading(language.t("DOG: a card race for partners")), *(language.t(text, **filled) for text in _HELP)]
    )
