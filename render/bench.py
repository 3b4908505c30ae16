"""How fast pictures are drawn, beside the same picture drawn from scratch: `python -m render bench`."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from render import samples
from render.board import board_png, preview_png
from render.cache import CACHES
from render.hand import hand_png
from render.replay import replay_gif
from render.scene import Scene

FRAMES = 300


def clear() -> None:
    """Forget everything that was drawn before."""
    for cache in CACHES:
        cache.clear()


def _median(draw: Callable[[], bytes], times: int) -> float:
    """Milliseconds of processor time on this thread, the middle one of several runs."""
    taken = []
    for _ in range(times):
        began = time.thread_time()
        draw()
        taken.append((time.thread_time() - began) * 1000)
    return statistics.median(taken)


def compare(draw: Callable[[], bytes], times: int = 30) -> dict[str, float | int]:
    """A picture with warm caches and from scratch: milliseconds, their ratio, bytes."""

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
    """Seconds from the start of a fresh Python process to its first board."""
    program = "from render import board_png, samples; board_png(samples.moves()['capture'])"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return round(time.perf_counter() - began, 2)


def long_story(frames: int) -> list[Scene]:
    """As many turns as wanted, no two alike."""
    told = samples.story()
    return [
        replace(told[i % len(told)], round=i // len(told) + 1, caption=f"{told[i % len(told)].caption} ({i})")
        for i in range(frames)
    ]


def run() -> dict[str, Any]:
    """All figures."""
    moves, previews = samples.moves(), samples.previews()
    figures: dict[str, Any] = {
        "board_4": compare(lambda: board_png(moves["capture"])),
        "board_4_walk": compare(lambda: board_png(moves["forward"])),
        "board_6": compare(lambda: board_png(moves["inner-path"])),
        "preview": compare(lambda: preview_png(previews["targets"])),
        "hand": compare(lambda: hand_png(*samples.HANDS["six"][:2])),
        "first_picture_s": first_picture(),
    }
    story = long_story(FRAMES)
    clear()
    began = time.thread_time()
    data = replay_gif(story)
    figures["replay"] = {"frames": FRAMES, "s": round(time.thread_time() - began, 2), "bytes": len(data)}
    figures["caches"] = {
        "held_bytes": sum(cache.bytes for cache in CACHES),
        "limit_bytes": sum(cache.limit for cache in CACHES),
    }
    return figures
