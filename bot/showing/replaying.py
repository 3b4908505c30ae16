"""Replays: the public course of a game as scenes, and as an animated picture."""

from __future__ import annotations

import asyncio
import hashlib
import pickle
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace

from bot.languages import Language
from bot.showing.pictures import MOVED, who_sits
from bot.table import Logged, Table
from bot.texts import pictures
from bot.texts.names import Names
from engine import EventKind, View
from render import Scene
from render.drawing.cache import Cache
from render.film import Film, film

MOST_BYTES = 8 * 1024 * 1024
"""A replay is made smaller until it fits: only servers with boosts are sure to accept larger uploads."""

Filming = Callable[..., Awaitable[Film]]
"""Runs a module-level function with these arguments where it keeps nobody waiting."""

_SHOWN = MOVED | {EventKind.FOLDED, EventKind.DEALT, EventKind.WON}

_films: Cache[Film] = Cache("films", 32 << 20, lambda made: len(made.data))
"""The newest films, in case somebody asks again."""


async def replay(
    table: Table,
    language: Language,
    *,
    first: int = 0,
    theme: str = "slate",
    turned: int | None = None,
    filming: Filming = asyncio.to_thread,
) -> Film | None:
    """The game from action number `first` on as a GIF, or None if nothing has happened since.

    The whole game plays in a loop. What has happened since `first` is played once, and begins and ends with the present
    position, so that a still of it shows the same as the board. Told in a worker thread, drawn and encoded by
    `filming`, cached by what it shows; it contains only what spectators saw. Raises whatever `filming` does.
    """
    told = await asyncio.to_thread(told_scenes, table, language, first, turned)
    if not told:
        return None
    key = (hashlib.blake2b(pickle.dumps(told)).digest(), theme, first == 0)
    made = _films.find(key)
    if made is None:
        made = await filming(film, told, theme, MOST_BYTES, first == 0)
        _films.get(key, lambda: made)
    return made


def told_scenes(table: Table, language: Language, first: int = 0, turned: int | None = None) -> list[Scene]:
    """The scenes of a film, numbered; a film of only the newest moves begins with the present position."""
    told = list(scenes(table, language, first, turned))
    told = [replace(scene, counter=(number, len(told))) for number, scene in enumerate(told, start=1)]
    return [replace(told[-1], counter=None), *told[:-1], replace(told[-1], counter=None)] if first and told else told


def scenes(table: Table, language: Language, first: int = 0, turned: int | None = None) -> Iterator[Scene]:
    """A scene for every action from number `first` on that shows on the board, made from the spectator's view."""
    return (_scene(table, language, view, turned) for view in _shown(table, first))


def _shown(table: Table, first: int) -> Iterator[View]:
    """What spectators saw after every action from number `first` on that shows on the board, and at the beginning."""
    for view in () if table.game is None else table.game.views(first):
        if view.number == 0 or (view.last and any(event.kind in _SHOWN for event in view.last.events)):
            yield view


def _scene(table: Table, language: Language, view: View, turned: int | None) -> Scene:
    names, entry = Names.of(table, language), view.last
    told = {**who_sits(table, names), "labels": pictures.summary(language, view), "turned": turned}
    if entry is None or view.number == 0:
        return Scene.from_view(view, **told)
    scene = Scene.from_view(view, **told, caption=pictures.caption(language, names, (entry,)))
    # The seat that acted is lit, not the next one.
    return replace(scene, to_act=() if view.winners or entry.seat is None else (entry.seat,))


@dataclass(frozen=True, slots=True)
class Still:
    """One moment of a replay: its picture, what everybody saw, and the action numbers of the moments around it."""

    scene: Scene
    view: View
    number: int
    """Which moment it is, counted from 1."""
    count: int
    first: int
    before: int
    after: int
    last: int


def still(table: Table, language: Language, at: int, turned: int | None = None) -> Still:
    """The first moment from action number `at` on, or the last one. Takes as long as replaying the game."""
    views = list(_shown(table, 0))
    index = next((index for index, view in enumerate(views) if view.number >= at), len(views) - 1)
    scene = replace(_scene(table, language, views[index], turned), counter=(index + 1, len(views)))
    around = (0, max(0, index - 1), min(index + 1, len(views) - 1), -1)
    return Still(scene, views[index], index + 1, len(views), *(views[one].number for one in around))


def since_last_turn(log: tuple[Logged, ...], user_id: int) -> int:
    """The number of the first action after the person's own last one; 0 if they have not acted yet."""
    return max((row.number + 1 for row in log if row.actor == user_id), default=0)
