"""Replays: the public course of a game as scenes, and as an animated picture."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

from bot.languages import Language
from bot.showing.pictures import MOVED, computers_of
from bot.table import Logged, Table
from bot.texts import boards, moves
from bot.texts.words import Names
from engine import Entry, EventKind
from render import Scene
from render.replay import replay_gif

MOST_FRAMES = 300
"""The newest frames are kept; longer games would not fit into an upload."""

MOST_BYTES = 8 * 1024 * 1024
"""A replay is made smaller until it fits: servers without boosts take no larger uploads for sure."""

SIZES = (512, 400, 320)
"""Pixels, tried in this order."""

Film = Callable[..., Awaitable[bytes]]
"""Runs a plain function with these arguments where it keeps nobody waiting."""

_SHOWN = MOVED | {EventKind.FOLDED, EventKind.DEALT, EventKind.WON}


async def replay(
    table: Table,
    language: Language,
    *,
    first: int = 0,
    theme: str = "slate",
    turned: int | None = None,
    film: Film = asyncio.to_thread,
) -> bytes | None:
    """The game from action number `first` on as GIF bytes, or None when nothing has happened since.

    Told in a worker thread, drawn and encoded by `film`; only what spectators saw is in it. Raises what `film` does.
    """
    frames = await asyncio.to_thread(_frames, table, language, first, turned)
    return await film(_replay, frames, theme) if frames else None


def _frames(table: Table, language: Language, first: int, turned: int | None) -> list[Scene]:
    return list(scenes(table, language, first, turned))[-MOST_FRAMES:]


def _replay(frames: list[Scene], theme: str) -> bytes:
    picture = b""
    for size in SIZES:
        picture = replay_gif(frames, theme, size)
        if len(picture) <= MOST_BYTES:
            break
    return picture


def scenes(table: Table, language: Language, first: int = 0, turned: int | None = None) -> Iterator[Scene]:
    """A scene for every action from number `first` on that shows on the board, made from the spectator's view."""
    state = table.game
    if state is None:
        return
    names = Names.of(table, language)
    computers = computers_of(table)
    game = state.earlier(0)
    if first == 0:
        yield Scene.from_view(game.view(None), names=names.plain, computers=computers, turned=turned)
    for number, (seat, text) in enumerate(state.log, start=1):
        game = game.play(seat, text)
        if number < first:
            continue
        view = game.view(None)
        entry = view.last
        if entry is None or not _shows(entry):
            continue
        scene = Scene.from_view(
            view,
            names=names.plain,
            computers=computers,
            caption=moves.caption(language, names, (entry,)),
            labels=boards.summary(language, view),
            turned=turned,
        )
        # Whoever acted is lit, not who is next.
        yield replace(scene, to_act=() if view.winners or entry.seat is None else (entry.seat,))


def _shows(entry: Entry) -> bool:
    return any(event.kind in _SHOWN for event in entry.events)


def since_last_turn(log: tuple[Logged, ...], user_id: int) -> int:
    """The number of the first action after the person's own last one; 0 if they have not acted yet."""
    return max((row.number + 1 for row in log if row.actor == str(user_id)), default=0)
