"""Hands and boards are put together from what was drawn ahead."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

from engine import SYSTEMS
from render import board_png, cards, hand_png, warm
from render.drawing.cache import CACHES
from tools.pictures import bench, samples


@pytest.fixture(scope="module", autouse=True)
def _warmed() -> None:
    bench.clear()
    warm()


@pytest.mark.parametrize("system", ["classic", "royal"])
def test_warming_covers_all_cards_of_hands(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(*_: object) -> None:
        raise AssertionError("a card was drawn anew")

    monkeypatch.setattr(cards, "_card", drawn)
    deck = SYSTEMS[system].cards
    ids = list(deck)
    for count in range(1, 7):
        hand_png(ids[:count], {0}, deck=deck)
        hand_png(ids[-count:], deck=deck)


@pytest.mark.parametrize(("system", "players"), samples.BOARDS)
def test_warming_covers_all_cards_of_boards(system: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(*_: object) -> None:
        raise AssertionError("a card was drawn anew")

    monkeypatch.setattr(cards, "_card", drawn)
    board_png(samples.standard(system, players))


def test_warming_fits_into_the_caches() -> None:
    for cache in CACHES:
        assert cache.bytes <= cache.limit
    held = {cache.name: cache for cache in CACHES}
    assert held["cards, packed"].bytes * 1.2 < held["cards, packed"].limit
    # Hands of three more themes fit before anything is forgotten.
    assert held["hands, packed"].bytes * 4 < held["hands, packed"].limit


def test_warming_leaves_off_when_asked() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 3

    assert warm(stop=stop) == 3


def test_spawned_process_draws_scenes_and_hands() -> None:
    scene = samples.moves()["seven"]
    assert pickle.loads(pickle.dumps(scene)) == scene
    # The very same board, so that whatever is kept for it is found.
    assert pickle.loads(pickle.dumps(scene)).board is scene.board
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(board_png, scene, "slate", 256).result() == board_png(scene, "slate", 256)
        assert pool.submit(hand_png, ["A", "7"], {0}).result() == hand_png(["A", "7"], {0})
