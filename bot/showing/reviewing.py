"""The review of a finished game as messages: the curve for everybody, and a person's own turns with two pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.languages import Language
from bot.preferences import Preferences
from bot.showing.pictures import Pictures
from bot.table import Table
from bot.tables.finished.reviewing import CurvePoint, Review, Turn
from bot.texts import questions
from bot.texts.markup import ALT_LIMIT, MESSAGE_LIMIT, unmarked
from bot.texts.names import Names, round_name
from bot.texts.teaching import advice
from engine import Action, SeatGame
from render.curve import Line, Mark

_AHEAD = 0.02
"""How far ahead, as a chance, a team has to be to lead."""


@dataclass(frozen=True, slots=True)
class Page:
    """A private message: text, and pictures with their alt texts."""

    content: str
    pictures: tuple[tuple[bytes, str], ...] = ()


async def pages(
    pictures: Pictures, language: Language, table: Table, review: Review, prefers: Preferences
) -> list[Page]:
    """The messages of a review, the curve first; who prefers words gets them instead of the pictures of turns."""
    curve = await _curve(pictures, language, table, review, prefers.look(table.terms.theme))
    turns = enumerate(review.turns, start=1)
    return [curve, *[await _turn(pictures, language, table, index, *turn, prefers) for index, turn in turns]]


async def _curve(pictures: Pictures, language: Language, table: Table, review: Review, theme: str) -> Page:
    teams = table.board.teams
    names = Names.of(table, language)
    lines = [
        Line(team, tuple(point.chances[team[0]] for point in review.curve), tuple(names.bare(seat) for seat in team))
        for team in teams
    ]
    rounds: dict[int, int] = {}
    for index, point in enumerate(review.curve):
        rounds.setdefault(point.round, index)
    marks = [Mark(turn.number - 1, turn.seat, str(index)) for index, (_, turn) in enumerate(review.turns, start=1)]
    words = (advice.curve_title(language, table), round_name(language, 1), advice.curve_axis(language))
    shares = tuple(map(language.percent, (0.0, 0.5, 1.0)))
    picture = await pictures.curve(lines, rounds, marks, theme, words, shares)
    text = advice.head(language, table, len(review.turns), review.looked_at)
    return Page(text, ((picture, advice.curve_alt(language, table, lead_changes(review.curve, teams))),))


def lead_changes(curve: tuple[CurvePoint, ...], teams: Sequence[tuple[int, ...]]) -> int:
    """How often the lead changed; whoever is ahead by less than can be seen does not lead yet."""
    leaders: list[tuple[int, ...]] = []
    for point in curve:
        second, first = sorted(teams, key=lambda team: point.chances[team[0]])[-2:]
        if point.chances[first[0]] - point.chances[second[0]] > _AHEAD:
            leaders.append(first)
    return sum(1 for one, other in pairwise(leaders) if one != other)


async def _turn(
    pictures: Pictures, language: Language, table: Table, index: int, game: SeatGame, turn: Turn, prefers: Preferences
) -> Page:
    speaker = questions.Speaker.of(language, table, turn.seat)
    done = questions.done_line(speaker, turn.played, game.preview(turn.played))
    better = advice.instead(speaker, turn.better, game.preview(turn.better))
    hand = game.view.hand
    lines = [
        advice.cost(language, index, game.view.round, turn.before, turn.loss, turn.low, turn.high),
        *([questions.hand_line(language, hand)] if hand else []),
        done,
        better,
    ]
    lines.append(advice.won_more(language) if turn.motive is None else advice.why(language, speaker.names, turn.motive))
    content = "\n".join(lines)[:MESSAGE_LIMIT]
    if prefers.in_words:
        return Page(content)
    theme, shown = prefers.look(table.terms.theme), []
    for action, alt, caption in (
        (turn.played, done, advice.played(language, index)),
        (turn.better, better, advice.better(language, index)),
    ):
        picture = await _picture(pictures, language, table, game, action, theme, prefers.bottom(turn.seat))
        captioned = await pictures.captioned(picture, caption, theme)
        shown.append((captioned, unmarked(alt)[:ALT_LIMIT]))
    return Page(content, tuple(shown))


async def _picture(
    pictures: Pictures,
    language: Language,
    table: Table,
    game: SeatGame,
    action: Action,
    theme: str,
    turned: int | None,
) -> bytes:
    """What an action did on the board, or which card of the hand it was."""
    preview = game.preview(action)
    view = game.view
    if preview.steps or not view.hand:
        return await pictures.preview(table, view, language, theme, turned=turned, card=action.card, preview=preview)
    card = {action.card} if action.card else set()
    return await pictures.hand(view.hand, card, theme, deck=view.board.system.cards)
