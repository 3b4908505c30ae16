"""Pictures are drawn in several threads at once, and what is kept for later ones stays within bounds."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from render import board_png
from render.board import ribbons, sprites
from render.drawing.art import build_cache
from render.drawing.cache import CACHES, Cache, PackedCache
from render.themes import THEMES
from tools.pictures import samples

LIMIT = 150 << 20


def test_threads_draw_the_same_as_one_alone() -> None:
    scenes = [*list(samples.moves().values())[:5], samples.standard("dobney", 6)]
    orders = [(scene, theme) for theme in ("slate", "wood") for scene in scenes]
    alone = [board_png(scene, theme, 200) for scene, theme in orders]
    for cache in CACHES:
        cache.clear()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda order: board_png(order[0], order[1], 200), orders * 2))
    assert together == alone * 2


def test_caches_together_stay_below_their_limit() -> None:
    # The bot keeps films in a different process from the one that draws them.
    assert sum(cache.limit for cache in CACHES if cache.name != "films") <= LIMIT
    for size in (256, 512):
        for theme in ("slate", "light"):
            for system, players in samples.BOARDS[::4]:
                board_png(samples.standard(system, players), theme, size)
    for cache in CACHES:
        assert cache.bytes <= cache.limit, cache.name


def test_cache_drops_the_least_recently_used() -> None:
    cache: Cache[bytes] = Cache("test", 100, len)
    made: list[str] = []

    def make(name: str, size: int) -> bytes:
        made.append(name)
        return bytes(size)

    for name in ("a", "b", "a", "c", "a", "b"):
        cache.get(name, lambda n=name: make(n, 40))
    assert made == ["a", "b", "c", "b"]
    assert cache.bytes == 80
    cache.get("huge", lambda: make("huge", 500))
    assert cache.bytes == 500
    cache.clear()
    assert cache.bytes == 0
    CACHES.remove(cache)


def test_what_no_longer_fits_is_kept_packed() -> None:
    plain: Cache[str] = Cache("plain", 10, len)
    packed: Cache[bytes] = Cache("packed", 8, len)
    cache = PackedCache(plain, packed, lambda text: text[:2].encode(), lambda data: data.decode() * 3)
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name * 3

    def get(name: str) -> str:
        return cache.get(name, lambda: make(name))

    # Six letters each: one fits as it is, four fit packed.
    assert [get(name) for name in ("ab", "cd", "ab", "ef", "ab", "gh", "ij")] == [
        name * 3 for name in ("ab", "cd", "ab", "ef", "ab", "gh", "ij")
    ]
    assert made == ["ab", "cd", "ef", "gh", "ij"]
    assert (plain.bytes, packed.bytes) == (6, 8)
    get("cd")
    assert made[5:] == ["cd"], "unused for longest, even packed"
    for one in (plain, packed):
        CACHES.remove(one)


def test_a_sprite_kept_packed_is_the_same() -> None:
    cache = build_cache("test", 1, 1 << 20)
    drawn = {
        "piece": sprites.piece(THEMES["slate"], 0, 20.0),
        "mask": ribbons.band(((9.0, 9.0), (40.0, 20.0)), 5.0),
    }
    for name, sprite in drawn.items():
        cache.get(name, lambda sprite=sprite: sprite)
    for name, sprite in drawn.items():
        for other in drawn:
            cache.get(other, lambda: pytest.fail("drawn anew"))
        found = cache.get(name, lambda: pytest.fail("drawn anew"))
        assert (found.colours.tobytes(), found.mask.tobytes()) == (sprite.colours.tobytes(), sprite.mask.tobytes())
        assert (found.x, found.y, found.bytes) == (sprite.x, sprite.y, sprite.bytes)
    for one in CACHES[-2:]:
        CACHES.remove(one)


def test_simultaneous_results_are_cached_once() -> None:
    cache: Cache[object] = Cache("test", 100, lambda thing: 10)
    barrier = threading.Barrier(4)

    def slow() -> object:
        return cache.get("key", lambda: (barrier.wait(), object())[1])

    with ThreadPoolExecutor(4) as pool:
        things = [future.result() for future in [pool.submit(slow) for _ in range(4)]]
    assert len(set(map(id, things))) == 1
    assert cache.bytes == 10
    CACHES.remove(cache)
