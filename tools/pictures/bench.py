"""Speed of drawing pictures, compared with drawing the same from scratch: `python -m tools.pictures bench`."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from PIL import Image

from engine import SYSTEMS, Game
from engine.players import choose
from render.board import sprites
from render.board.assembly import board_png, layout_of, paint
from render.board.geometry import PIECE
from render.drawing.cache import CACHES
from render.film import film
from render.hand import hand_png
from render.palette import palette_for
from render.scene import Scene
from render.themes import THEMES
from tools.pictures import samples


def clear() -> None:
    """Forget everything that was drawn before."""
    for cache in CACHES:
        cache.clear()


def _median(draw: Callable[[], bytes], times: int) -> float:
    """Return the milliseconds of processor time on this thread, the median of several runs."""
    taken = []
    for _ in range(times):
        began = time.thread_time()
        draw()
        taken.append((time.thread_time() - began) * 1000)
    return statistics.median(taken)


def compare(draw: Callable[[], bytes], times: int = 30) -> dict[str, float | int]:
    """Measure a picture with warm caches and from scratch: milliseconds, their ratio, bytes."""

    def anew() -> bytes:
        clear()
        return draw()

    draw()
    scratch = _median(anew, 3)
    data = draw()
    warm = _median(draw, times)
    return {
        "ms": round(warm, 2),
        "scratch_ms": round(scratch, 1),
        "ratio": round(scratch / warm, 1),
        "bytes": len(data),
    }


def first_picture() -> float:
    """Return the processor seconds from the start of a fresh Python process to its first board."""
    program = (
        "import time; from render import board_png; from tools.pictures import samples;"
        "board_png(samples.moves()['capture']);"
        "print(time.process_time())"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return round(float(done.stdout), 2)


NAMES = dict(enumerate(samples.NAMES))


def course(system: str, players: int, seed: int, count: int) -> list[Scene]:
    """Return the first `count` moves of a game between computers that choose at random: no two scenes are alike."""
    dice = random.Random(seed)
    game = Game.new(system, players, bytes([seed]) * 32)
    found: list[Scene] = []
    while game.to_act and len(found) < count:
        seat = game.to_act[0]
        game = game.play(seat, choose("random", game, seat, dice))
        scene = Scene.from_view(game.view(None), names={side: NAMES[side] for side in game.view(None).pieces})
        if scene.moves:
            step = scene.moves[-1][1][0]
            words = f"{NAMES[scene.moves[-1][0]]} {step.origin} → {step.target}"
            found.append(replace(scene, caption=words))
    return found


def floor(scene: Scene, base: Image.Image) -> bytes:
    """Draw the least that any board costs: copy the base, paste the sprites, quantise and pack it all."""
    theme = THEMES["slate"]
    layout = layout_of(scene, 1024)
    image = base.copy()
    radius = PIECE * layout.pitch
    for side, pieces in scene.placement.items():
        for text, well in zip(pieces, layout.corners[side].wells, strict=True):
            place = sprites.place(text)
            spot = well if place == "-" else layout.place(side, place)
            fresh = (1, 1) if text.endswith("*") else None
            sprites.piece(theme, side, radius, scene.board.system.rank_of(text), fresh).paste(image, *spot)
    return palette_for(theme).png(image)


def against_floor(system: str, players: int, count: int = 60) -> dict[str, float | int]:
    """Measure boards of a game never drawn before, with warm caches, against the minimum for the same scenes.

    The two are drawn alternately, so that both meet the same load on the machine.
    """
    for seed in (1, 3, 4, 5):  # Every space has a quiet and a loud form.
        for scene in course(system, players, seed, count):
            board_png(scene)
    scenes = course(system, players, 2, count)
    base = paint(replace(samples.standard(system, players), to_act=()), THEMES["slate"], 1024).image
    drawn, least, largest = [], [], 0
    for scene in scenes:
        began = time.thread_time()
        data = board_png(scene)
        between = time.thread_time()
        floor(scene, base)
        ended = time.thread_time()
        drawn.append(between - began)
        least.append(ended - between)
        largest = max(largest, len(data))
    ms, floor_ms = statistics.mean(drawn) * 1000, statistics.mean(least) * 1000
    return {
        "ms": round(ms, 2),
        "floor_ms": round(floor_ms, 2),
        "ratio": round(ms / floor_ms, 2),
        "bytes": largest,
    }


def among_many(
    boards: Sequence[tuple[str, int]], *, turned: float = 0.0, tables: int = 1000, times: int = 300
) -> dict[str, float | int]:
    """Measure boards and hands as drawn by a process that serves many tables in any order, with different people.

    `boards`: the systems and numbers of players that are played; `turned`: the share of boards seen by a player from
    their own seat. Each alternates with a warm board of a single game, so that both meet the same load on the
    machine.
    """
    dice = random.Random(3)
    courses = [(board, course(*board, seed, 25)) for seed in range(max(2, 20 // len(boards))) for board in boards]
    played = [(system, scene) for (system, _), scenes in courses for scene in scenes]
    cases = []
    for _ in range(2 * times):
        system, game = dice.choice(played)
        table = dice.randrange(tables)
        names = {side: f"{NAMES[side]} {table}" for side in game.names}
        scene = replace(game, names=names, caption=game.caption.replace(NAMES[game.actor or 0], names[0]))
        if dice.random() < turned:
            scene = replace(scene, turned=dice.choice(scene.board.seats))
        deck = SYSTEMS[system].cards
        hand = [dice.choice(sorted(deck)) for _ in range(dice.randint(1, 6))]
        cases.append((scene, deck, hand, {index for index in range(len(hand)) if dice.random() < 0.6}))
    # Any board has been asked for before: drawing it for the first time is not what a request costs.
    for scene in {(scene.board, scene.turned): scene for scene, *_ in cases}.values():
        board_png(scene)
    warm = samples.moves()["capture"]
    drawn: list[float] = []
    held: list[float] = []
    single: list[float] = []
    for number, (scene, deck, hand, playable) in enumerate(cases):
        times_at = [time.thread_time()]
        for draw in (
            partial(board_png, scene),
            partial(hand_png, hand, playable, deck=deck),
            partial(board_png, warm),
        ):
            draw()
            times_at.append(time.thread_time())
        if number >= times:
            for found, (began, ended) in zip((drawn, held, single), pairwise(times_at), strict=True):
                found.append(ended - began)
    ms, hand_ms, warm_ms = (statistics.mean(found) * 1000 for found in (drawn, held, single))
    return {
        "ms": round(ms, 2),
        "hand_ms": round(hand_ms, 2),
        "warm_ms": round(warm_ms, 2),
        "ratio": round(ms / warm_ms, 2),
    }


def board() -> dict[str, float | int]:
    """Measure a board of four."""
    scene = samples.moves()["capture"]
    return compare(lambda: board_png(scene))


def run() -> dict[str, Any]:
    """Measure all figures, which takes a minute."""
    moves, previews = samples.moves(), samples.previews()
    figures: dict[str, Any] = {
        "board_4": board(),
        "game_4": against_floor("classic", 4),
        "game_6": against_floor("dobney", 6),
        "many_4": among_many([("classic", 4)]),
        "many_6": among_many([("dobney", 6)]),
        "mixed": among_many(samples.BOARDS, turned=0.5),
        "board_6": compare(lambda: board_png(moves["inner-path"])),
        "preview": compare(lambda: board_png(previews["targets"])),
        "hand": compare(lambda: hand_png(*samples.HANDS["six"][:2])),
        "first_picture_s": first_picture(),
    }
    for name, count in (("film", 100), ("film_600", 600)):
        story = course("dobney", 6, 4, count)
        began = time.thread_time()
        made = film(story)
        figures[name] = {
            "scenes": len(story),
            "s": round(time.thread_time() - began, 2),
            "bytes": len(made.data),
            "size": made.size,
        }
    figures["caches"] = {
        "held_bytes": sum(cache.bytes for cache in CACHES),
        "limit_bytes": sum(cache.limit for cache in CACHES),
    }
    return figures
