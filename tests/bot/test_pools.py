"""Pools: pictures drawn in another process are the same, few may wait for films, and nothing hangs on one process."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

import bot.pools
from bot.errors import Busy
from bot.pools import MOST_FILMS, Pools
from bot.workers import _serve
from engine import SYSTEMS, Game
from render import Scene, board_png


@pytest.fixture(scope="module")
def processes() -> Iterator[Pools]:
    pools = Pools(1)
    yield pools
    pools.close()


@pytest.mark.parametrize("system", list(SYSTEMS))
async def test_a_board_is_the_same_wherever_it_is_drawn(system: str, processes: Pools) -> None:
    game = Game.new(system, max(SYSTEMS[system].players), bytes(32))
    scene = Scene.from_view(game.view(None), names={seat: f"Player {seat}" for seat in game.seats})
    assert await processes.draw(board_png, scene, "slate") == board_png(scene, "slate")


async def test_drawing_is_done_by_another_process_and_a_lost_one_is_replaced(processes: Pools) -> None:
    first = await processes.draw(os.getpid)
    assert first != os.getpid()
    await processes.draw(os.getpid)
    with pytest.raises(Exception, match="terminated"):
        await processes.draw(os._exit, 1)
    assert await processes.draw(os.getpid) not in (first, os.getpid())


async def test_few_may_wait_for_films_and_drawing_goes_on() -> None:
    pools, go_on = Pools(), threading.Event()
    try:
        films = [asyncio.create_task(pools.film(go_on.wait)) for _ in range(MOST_FILMS)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await pools.film(os.getpid)
        assert await pools.draw(os.getpid) == os.getpid(), "films do not keep boards waiting"
        go_on.set()
        assert all(await asyncio.gather(*films))
        assert await pools.film(os.getpid) == os.getpid(), "there is room again"
    finally:
        go_on.set()
        pools.close()


def draws_ahead() -> bool:
    """Whether this process is drawing ahead."""
    return any(thread.name == "drawing ahead" for thread in threading.enumerate())


async def test_a_process_draws_ahead_from_its_start_on() -> None:
    ahead, plain = Pools(1, ("slate",)), Pools(1)
    try:
        ahead.begin()
        plain.begin()
        assert await ahead.draw(draws_ahead)
        assert not await plain.draw(draws_ahead)
        assert not draws_ahead()
    finally:
        ahead.close()
        plain.close()


async def test_drawing_ahead_leaves_off_while_somebody_waits_and_when_the_bot_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[object] = []
    drawing, go_on, asked, drawn, ended = (threading.Event() for _ in range(5))

    def picture() -> None:
        drawing.set()
        go_on.wait()
        done.append("picture")

    def ahead(themes: Sequence[str], stop: Callable[[], bool]) -> None:
        asked.set()
        assert not stop()
        done.append(themes)
        drawn.set()
        while not stop():
            pass
        ended.set()

    monkeypatch.setattr(bot.pools, "warm", ahead)
    pools = Pools(0, ("wood",))
    try:
        waiting = asyncio.create_task(pools.draw(picture))
        await asyncio.to_thread(drawing.wait)
        pools.begin()
        await asyncio.to_thread(asked.wait)
        go_on.set()
        await waiting
        await asyncio.to_thread(drawn.wait)
        assert done == ["picture", ("wood",)]
    finally:
        go_on.set()
        pools.close()
    assert await asyncio.to_thread(ended.wait, 20)


def test_a_worker_whose_bot_is_killed_ends_without_a_trace() -> None:
    interrupts = signal.getsignal(signal.SIGINT)
    ours, theirs = socket.socketpair()
    ours.send(b"an answer that nobody has read")
    theirs.close()
    try:
        _serve(ours, lambda: None, ())
    finally:
        signal.signal(signal.SIGINT, interrupts)
    assert ours.fileno() == -1
