"""Texts of lessons and puzzles; tips for a player's first games; `/dog help`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.languages import Language
from bot.languages import mark as _
from bot.pace import DAY
from bot.storage.puzzles import PuzzleResult
from bot.tables.learning.exercises import Lesson, LessonStep, Puzzle, PuzzleKind, PuzzleStanding
from bot.tables.learning.hints import Tip
from bot.texts import buttons
from bot.texts.markup import bold, heading, item, moment, plain
from bot.texts.moves import card_and_moves, tell_steps
from bot.texts.names import (
    SUBJECT,
    Names,
    capital,
    card_as,
    card_name,
    colour,
    option,
    said,
    sentences,
    sign,
    system_name,
    the_card,
)
from engine import Action, View
from engine.analysis import PossibleAction

PUZZLE = "🧩"
"""The beginning of every puzzle."""

MOST_SOLVERS = 12
"""The most solvers of a puzzle that are listed."""

you = said("You")
"""The name of the solver's seat in a public puzzle."""

all_learned = said("🎓 That's all you need. Ready?")
solved_already = said("✅ You've solved today's puzzle. The next one comes at midnight UTC.")
no_more_tips = said("Tips are off. `/dog learn` and `/dog rules` are there whenever you need them.")


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
    if lesson.is_extra:
        end = language.t("Lesson done: {title}.", title=bold(language.t(lesson.title)))
    else:
        end = language.t("Lesson {number} is done.", number=number + 1)
    return f"{reached(language, lesson.steps[-1])}\n🎓 {end}"


def reached(language: Language, step: LessonStep) -> str:
    """Say that a step of a lesson is done."""
    return f"✅ {language.t(step.done)}"


def allowed_but(language: Language, step: LessonStep, *, harms: bool = False) -> str:
    """Answer a move that is allowed but not the one the step is about; with the reason, if there is one.

    `harms`: it sends back a piece of the reader's own team.
    """
    why = language.t("That sends back a piece of your own team.") if harms else language.t(step.but)
    why = why or language.t("That's allowed, but this lesson wants something else.")
    return f"❌ {sentences(why, language.t('Try again, or ask for a hint.'))}"


def hint(language: Language, step: LessonStep) -> str:
    """Return the hint of a step."""
    return f"💡 {language.t(step.hint)}"


_ASKED: Mapping[PuzzleKind, tuple[str, str]] = {
    PuzzleKind.HOME: (
        _("Home in one hand"),
        _("Bring all your pieces ({mine}) home with these cards. Only you play."),
    ),
    PuzzleKind.SAVE: (
        _("Save your partner"),
        _(
            "Play one card so that the next player ({next}) can't send back any of your partner's pieces "
            "({partner}), whatever cards they hold."
        ),
    ),
}
"""The title of each kind of puzzle, and its task."""


def puzzle_title(language: Language, puzzle: Puzzle) -> str:
    """Return the kind of a puzzle."""
    return language.t(_ASKED[puzzle.kind][0])


def _called(language: Language, names: Names, seat: int) -> str:
    """Name a seat and what its pieces look like: "Luna, green square"."""
    return language.p("puzzle", "{name}, {sign}", name=names.plain[seat], sign=sign(language, seat))


def puzzle_head(language: Language, names: Names, day: int, puzzle: Puzzle) -> str:
    """Head a puzzle: which it is, how hard, and its task; `names`: those on its board."""
    _title, question = _ASKED[puzzle.kind]
    position = puzzle.exercise.position
    board, seat = position.board, position.seat
    text = language.t(
        question,
        mine=colour(language, seat),
        next=_called(language, names, board.next_seat(seat)),
        partner=language.listed(_called(language, names, other) for other in board.partners(seat)),
    )
    stars = "★" * puzzle.grade + "☆" * (3 - puzzle.grade)
    head = " · ".join(
        (
            bold(puzzle_title(language, puzzle)),
            system_name(language, position.system.id),
            moment(day * DAY + DAY // 2, "D"),
            stars,
        )
    )
    return f"{PUZZLE} {head}\n🎯 {text} {language.t('Only one way works.')}"


def puzzle_missed(language: Language, tried: PuzzleResult | None, why: str) -> str:
    """Answer a wrong solution; `tried`: how often it was tried, if that counts; `why`: what is wrong with it."""
    if tried is None or tried.solved:
        return f"❌ {sentences(language.t('Not quite.'), why)}"
    first = language.n("Not quite (first try).", "Not quite ({count} tries so far).", tried.tries)
    return f"❌ {sentences(first, why)}"


def puzzle_left(language: Language, left: int) -> str:
    """Return how many pieces a try has not brought home; empty if that is not what is wrong."""
    text = language.n("{count} piece is still on its way.", "{count} pieces are still on their way.", left)
    return text if left else ""


def puzzle_refuted(language: Language, names: Names, seat: int, threat: PossibleAction) -> str:
    """Return with what a seat answers a try."""
    action, steps = threat.action, threat.preview.steps
    card = capital(card_as(language, card_name(language, action.card or ""), action.named))
    what = card_and_moves(language, card, tell_steps(language, names, steps, seat))
    return language.t("{name} can answer: {what}.", name=names.marked(seat), what=what)


def puzzle_hint(language: Language, puzzle: Puzzle) -> str:
    """Return the first card of the solution."""
    card = the_card(language, Action.parse(puzzle.solution[0]).card or "")
    return f"💡 {language.t('It begins with {card}.', card=card)}"


def puzzle_solution(language: Language, lines: Sequence[str]) -> str:
    """Return the solution of a puzzle: its cards, one in a line."""
    return "\n".join([f"🏁 {language.t('The solution:')}", *map(item, lines)])


def puzzle_solved(language: Language, names: Names, day: int, puzzle: Puzzle, tried: PuzzleResult | None) -> str:
    """Answer the right solution to the puzzle of a day, and say why it is right; `names`: those on its board."""
    if tried is None:
        text = language.t("Solved! It isn't today's puzzle, so it's just for fun.")
    else:
        text = language.n("Solved on the first try!", "Solved after {count} tries!", tried.tries)
    if puzzle.kind is PuzzleKind.HOME:
        why = language.t("All your pieces are home.")
    else:
        position = puzzle.exercise.position
        next_name = names.marked(position.board.next_seat(position.seat))
        why = language.t("Now {name} can't send back any of your partner's pieces.", name=next_name)
    following = language.t("The next puzzle comes at {when}.", when=moment((day + 1) * DAY, "t"))
    return f"✅ {sentences(text, why, '' if tried is None else following)}"


def standing(language: Language, found: PuzzleStanding) -> str:
    """Say who has solved today's puzzle, and the reader's own streak."""
    lines = []
    if found.streak:
        lines.append("🔥 " + language.n("Your streak: {count} day.", "Your streak: {count} days.", found.streak))
    if found.solvers:
        lines.append(language.t("Solved here today:"))
        lines += solver_lines(language, found.solvers)
    return "\n".join(lines)


def solver_lines(language: Language, solvers: Sequence[PuzzleResult]) -> list[str]:
    """Return a line for each of the best solvers, and one for the others."""
    lines = [
        f"{place}. {plain(tried.name)}: " + language.n("{count} try", "{count} tries", tried.tries)
        for place, tried in enumerate(solvers[:MOST_SOLVERS], start=1)
    ]
    more = len(solvers) - MOST_SOLVERS
    return [*lines, language.n("{count} other", "{count} others", more)] if more > 0 else lines


def puzzle_post(language: Language, head: str, yesterday: Sequence[PuzzleResult]) -> str:
    """Return the puzzle as it is posted in a channel, with those who solved the one before."""
    lines = [head]
    lines.append(language.t("Press {solve} to answer in private.", solve=buttons.named(language, buttons.SOLVE)))
    if yesterday:
        lines += [language.t("Yesterday's was solved by:"), *solver_lines(language, yesterday)]
    return "\n".join(lines)


_TIPS: Mapping[Tip, str] = {
    Tip.KEEP: _("Keep {outs}: it's your only way out of the kennel."),
    Tip.GIVE: _("Your partner has no piece on the track: {outs} would bring one out."),
    Tip.SAFE: _("A piece is safe in its lane, and on its start until it first moves."),
    Tip.EXACT: _("You need the exact number to reach a free space in your lane."),
    Tip.FILL: _("Send the first piece far into the lane: pieces can't pass each other there."),
    Tip.BACK: _("{card} goes backwards: from your start, that's almost a lap saved."),
    Tip.HELP: _("All your pieces are home: now you move your team's."),
}
"""One line for each tip; each holds in every system in which it is shown."""


def tip(language: Language, shown: Tip, view: View) -> str:
    """Return a tip about the hand of a view, in one line."""
    cards = view.board.system.cards
    outs = [held for held in dict.fromkeys(view.hand or ()) if cards[held].brings_out]
    back = next((held for held in view.hand or () if cards[held].goes_back), "")
    text = language.t(
        _TIPS[shown],
        outs=language.listed((the_card(language, held, SUBJECT) for held in outs), "or"),
        card=capital(the_card(language, back, SUBJECT)) if back else "",
    )
    return f"💡 {text}"


_HELP = (
    _("`/dog new` opens a table: friends press {join}, computers take free seats."),
    _("`/dog learn` shows how to play in five minutes, `/dog rules` has the rules."),
    _("`/dog hand` shows your cards, `/dog games` your games."),
    _("`/dog me notify` chooses how you hear about your turns."),
    _("`/dog table resign` leaves your seat to a computer."),
)
"""The first things to know."""

_COMMANDS = (
    _("`/dog hand` shows your cards and lets you play, `/dog play` plays by keyboard"),
    _("`/dog board` shows the newest board, with {text} in words"),
    _("`/dog games` lists your games, `/dog next` opens your most urgent hand"),
    _("`/dog takeback` takes your last move back, `/dog table nudge` nudges the others"),
    _("`/dog history` tells the story of the game, `/dog replay` shows it"),
    _("`/dog me notify` chooses how you hear about your turns, `/dog me quiet` and `/dog me away` stop your clock"),
    _("`/dog me theme` changes the theme, or puts boards into words"),
    _("`/dog me language` chooses the language I speak to you"),
    _("`/dog table computer` adds a computer or sets its level (host), `/dog table hints` asks to allow hints"),
    _(
        "`/dog table move` moves a game elsewhere, `/dog table resign` leaves it to a computer, `/dog "
        "table cancel` ends it (host)"
    ),
    _("`/dog review` looks back at a finished game, `/dog card` is a picture of it, `/dog verify` checks its shuffles"),
    _("`/dog puzzle` is new every day, `/dog stats` shows your games and rating, `/dog me privacy` your data"),
)
"""The commands in the order in which people need them."""


def overview(language: Language) -> str:
    """Return the first things to know, in one message."""
    join = buttons.named(language, buttons.JOIN)
    lines = (language.t(text, join=join) for text in _HELP)
    return "\n".join([heading(language.t("DOG: a card race for partners")), *lines])


def list_commands(language: Language) -> str:
    """Return all commands, in one message."""
    return "\n".join(item(language.t(text, text=option(language, "text"))) for text in _COMMANDS)
