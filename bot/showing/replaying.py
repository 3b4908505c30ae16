"""Replays and reviews: the course of a game as scenes, as a film, and turn by turn with better actions."""

from __future__ import annotations

import asyncio
import hashlib
import pickle
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bot.languages import Language
from bot.preferences import Preferences
from bot.showing.pictures import MOVED, Held, Pictures, who_sits
from bot.table import Logged, Table
from bot.tables.finished.reviewing import CurvePoint, Review, Turn
from bot.texts import dialogue, pictures, positions
from bot.texts.markup import ALT_LIMIT, fit, unmarked
from bot.texts.names import Names, round_name
from bot.texts.pictures import best_caption
from bot.texts.teaching import advice
from engine import Action, EventKind, SeatGame, View
from render import Scene, board_png
from render.curve import Mark, TeamCurve, curve_png
from render.drawing.cache import Cache
from render.film import Film, film
from render.share import captioned_png

MOST_BYTES = 8 * 1024 * 1024
"""A replay is made smaller until it fits. Discord accepts 10 MiB everywhere; less arrives sooner."""

Filming = Callable[..., Awaitable[Film]]
"""Runs a module-level function with these arguments outside the event loop."""

_SHOWN = MOVED | {EventKind.FOLDED, EventKind.DEALT, EventKind.WON}

_films: Cache[Film] = Cache("films", 32 << 20, lambda made: len(made.data))
"""The newest films, in case they are asked for again."""


async def replay(
    table: Table,
    language: Language,
    *,
    first: int = 0,
    theme: str = "slate",
    turned: int | None = None,
    filming: Filming = asyncio.to_thread,
) -> Film | None:
    """Return the game from action number `first` on as a GIF, or None if nothing has happened since.

    The whole game plays in a loop. What has happened since `first` is played once, and begins and ends with the present
    position, so that a still of it shows the same as the board. Told in a worker thread, drawn and encoded by
    `filming`, cached by what it shows; it contains only what spectators saw. Raises whatever `filming` does.
    """
    scenes = await asyncio.to_thread(told_scenes, table, language, first, turned)
    if not scenes:
        return None
    key = (hashlib.blake2b(pickle.dumps(scenes)).digest(), theme, first == 0)
    made = _films.find(key)
    if made is None:
        made = await filming(film, scenes, theme, MOST_BYTES, first == 0)
        _films.get(key, lambda: made)
    return made


def told_scenes(table: Table, language: Language, first: int = 0, turned: int | None = None) -> list[Scene]:
    """Return the scenes of a film; one of only the newest moves begins with the present position."""
    scenes = [_scene(table, language, view, turned) for view in _shown_views(table, first)]
    return (
        [replace(scenes[-1], counter=None), *scenes[:-1], replace(scenes[-1], counter=None)]
        if first and scenes
        else scenes
    )


def _shown_views(table: Table, first: int) -> Iterator[View]:
    """Yield the spectators' view at the beginning, and after every action from `first` on that shows on the board."""
    for view in () if table.game is None else table.game.views(first):
        if view.number == 0 or (view.last and any(event.kind in _SHOWN for event in view.last.events)):
            yield view


def _scene(table: Table, language: Language, view: View, turned: int | None) -> Scene:
    """Return a view as a scene, numbered by its last action, as in the history."""
    names, entry = Names.of(table, language), view.last
    details = {
        **who_sits(table, names),
        "labels": pictures.summary(language, view),
        "turned": turned,
        "counter": (view.number, table.number),
    }
    if entry is None or view.number == 0:
        return Scene.from_view(view, **details)
    scene = Scene.from_view(view, **details, caption=pictures.caption(language, names, (entry,)))
    # The seat that acted is lit, not the next.
    return replace(scene, to_act=() if view.winners or entry.seat is None else (entry.seat,))


@dataclass(frozen=True, slots=True)
class Still:
    """A moment of a replay: its picture, the spectators' view, and the action numbers of the moments around it."""

    scene: Scene
    view: View
    first: int
    before: int
    after: int
    last: int


def still(table: Table, language: Language, at: int, turned: int | None = None) -> Still:
    """Return the first moment from action number `at` on, or the last. Takes as long as replaying the game."""
    views = list(_shown_views(table, 0))
    index = next((index for index, view in enumerate(views) if view.number >= at), len(views) - 1)
    around = (0, max(0, index - 1), min(index + 1, len(views) - 1), -1)
    return Still(_scene(table, language, views[index], turned), views[index], *(views[near].number for near in around))


async def best_move(pictures: Pictures, language: Language, table: Table, seat: int, number: int) -> tuple[bytes, str]:
    """Draw a player's best move, action `number`, as they saw it, with a caption; return it with its alt text."""
    shown = await asyncio.to_thread(still, table, language, number, seat)
    caption, theme = best_caption(language, table, seat), table.terms.theme
    picture = await pictures.draw(board_png, replace(shown.scene, counter=None), theme)
    entries = () if shown.view.last is None else (shown.view.last,)
    alt = f"{caption}. {positions.alt(language, table, shown.view, entries)}"
    return await pictures.draw(captioned_png, picture, caption, theme), fit(alt.split(" "), ALT_LIMIT, " ")


def since_last_turn(log: tuple[Logged, ...], user_id: int) -> int:
    """Return the number of the first action after the player's own last; 0 if they have not acted yet."""
    return max((row.number + 1 for row in log if row.actor == user_id), default=0)


_AHEAD = 0.02
"""The difference in chances from which on a team leads."""


@dataclass(frozen=True, slots=True)
class ReplayMessage:
    """A private message: text, pictures with their alt texts, and the moment from which it can be played on."""

    content: str
    pictures: tuple[tuple[bytes, str], ...] = ()
    at: int | None = None


async def pages(
    pictures: Pictures, language: Language, table: Table, review: Review, prefers: Preferences
) -> list[ReplayMessage]:
    """Return the messages of a review, the curve first, with words instead of pictures of turns if preferred."""
    curve = await _curve(pictures, language, table, review, prefers.look(table.terms.theme))
    turns = enumerate(review.turns, start=1)
    return [curve, *[await _turn(pictures, language, table, index, *turn, prefers) for index, turn in turns]]


async def _curve(pictures: Pictures, language: Language, table: Table, review: Review, theme: str) -> ReplayMessage:
    teams = table.board.teams
    names = Names.of(table, language)
    lines = [
        TeamCurve(
            team,
            tuple(point.chances[team[0]] for point in review.curve),
            tuple(names.plain[seat] for seat in team),
            language.percent(review.curve[-1].chances[team[0]]),
        )
        for team in teams
    ]
    rounds: dict[int, int] = {}
    for index, point in enumerate(review.curve):
        rounds.setdefault(point.round, index)
    marks = [Mark(turn.number - 1, turn.seat, str(index)) for index, (_, turn) in enumerate(review.turns, start=1)]
    title, first, axis = advice.curve_title(language, table), round_name(language, 1), advice.curve_axis(language)
    shares = tuple(map(language.percent, (0.0, 0.25, 0.5, 0.75, 1.0)))
    picture = await pictures.draw(curve_png, lines, rounds, title, marks, theme, first, axis, shares)
    text = advice.head(language, table, len(review.turns), review.looked_at)
    return ReplayMessage(text, ((picture, advice.curve_alt(language, table, lead_changes(review.curve, teams))),))


def lead_changes(curve: tuple[CurvePoint, ...], teams: Sequence[tuple[int, ...]]) -> int:
    """Count the changes of the lead; a team that is ahead by less than can be seen does not lead yet."""
    leaders: list[tuple[int, ...]] = []
    for point in curve:
        second, first = sorted(teams, key=lambda team: point.chances[team[0]])[-2:]
        if point.chances[first[0]] - point.chances[second[0]] > _AHEAD:
            leaders.append(first)
    return sum(1 for before, after in pairwise(leaders) if before != after)


async def _turn(
    pictures: Pictures, language: Language, table: Table, index: int, game: SeatGame, turn: Turn, prefers: Preferences
) -> ReplayMessage:
    speaker = dialogue.Speaker.of(language, table, turn.seat)
    done = advice.done(speaker, turn.played, game.preview(turn.played))
    better = advice.instead(speaker, turn.better, game.preview(turn.better))
    lines = [
        advice.cost(language, index, game.view.round, turn.loss),
        *([dialogue.hand_line(language, game.view.hand)] if game.view.hand else []),
        done,
        better,
    ]
    lines.append(advice.won_more(language) if turn.motive is None else advice.why(language, speaker.names, turn.motive))
    content = "\n".join(lines)
    if prefers.in_words:
        return ReplayMessage(content, at=turn.number - 1)
    theme, shown = prefers.look(table.terms.theme), []
    for action, alt, caption in (
        (turn.played, done, advice.played(language, index)),
        (turn.better, better, advice.better(language, index)),
    ):
        picture = await _picture(pictures, language, table, game, action, theme, prefers.bottom(turn.seat))
        captioned = await pictures.draw(captioned_png, picture, caption, theme)
        shown.append((captioned, fit(unmarked(alt).split(" "), ALT_LIMIT, " ")))
    return ReplayMessage(content, tuple(shown), turn.number - 1)


async def _picture(
    pictures: Pictures,
    language: Language,
    table: Table,
    game: SeatGame,
    action: Action,
    theme: str,
    turned: int | None,
) -> bytes:
    """Draw what an action did on the board, or mark its card in the hand."""
    preview = game.preview(action)
    view = game.view
    if preview.steps or not view.hand:
        return await pictures.preview(table, view, language, theme, turned=turned, card=action.card, preview=preview)
    card = {action.card} if action.card else set()
    return await pictures.hand(Held(view.hand, card, view.board.system.cards), theme)
