"""Pools: pictures drawn in another process are the same, few may wait for films, and nothing depends on one process."""

import asyncio
import errno
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import pytest

import bot.pools
from bot.errors import Busy, Load
from bot.pools import AT_HAND, LONGEST_REVIEW, MOST_FILMS, MOST_REVIEWS, Pools
from bot.workers import Worker, WorkerDied, _serve
from engine import SYSTEMS, Game
from render import Scene, board_png
from tests.bot.conftest import CALM
from tests.bot.gaming import refused

PATIENCE = 250.0
"""Seconds in which a process starts and answers, however busy the machine is."""


@pytest.fixture(scope="module")
def processes() -> Iterator[Pools]:
    pools = Pools(1)
    yield pools
    pools.close()


@pytest.mark.parametrize("system", ["classic", "royal"])
async def test_board_is_the_same_in_every_process(system: str, processes: Pools) -> None:
    game = Game.new(system, max(SYSTEMS[system].players), bytes(32))
    scene = Scene.from_view(game.view(None), names={seat: f"Player {seat}" for seat in game.seats})
    assert await processes.draw(board_png, scene, "slate") == board_png(scene, "slate")


async def test_lost_drawing_process_is_replaced(processes: Pools) -> None:
    first = await processes.draw(os.getpid)
    assert first != os.getpid()
    await processes.draw(os.getpid)
    await refused(Busy, processes.draw(os._exit, 1))
    assert await processes.draw(os.getpid) not in (first, os.getpid())


async def test_raising_work_leaves_no_waiter() -> None:
    with closing(Pools()) as pools:
        with pytest.raises(RuntimeError):
            await pools.draw(next, iter(()))
        assert await pools.draw(os.getpid) == os.getpid()


async def test_waiting_films_are_limited_and_drawing_continues() -> None:
    pools, go_on = Pools(), threading.Event()
    try:
        films = [asyncio.create_task(pools.film(go_on.wait)) for _ in range(MOST_FILMS)]
        await asyncio.sleep(0)
        await refused(Busy, pools.film(os.getpid))
        assert await pools.draw(os.getpid) == os.getpid(), "films do not keep boards waiting"
        go_on.set()
        assert all(await asyncio.gather(*films))
        assert await pools.film(os.getpid) == os.getpid(), "there is room again"
    finally:
        go_on.set()
        pools.close()


async def test_reviews_wait_without_blocking_other_work() -> None:
    tables = 6
    assert tables * 6 + tables <= MOST_REVIEWS, "everybody at six tables of six, and the course of each game"
    pools, go_on = Pools(), threading.Event()
    done: list[int] = []

    def one(number: int) -> None:
        go_on.wait()
        done.append(number)

    try:
        reviews = [asyncio.create_task(pools.review(one, number)) for number in range(MOST_REVIEWS)]
        await asyncio.sleep(0)
        await refused(Load.REVIEWS, pools.review(os.getpid))
        assert await pools.draw(os.getpid) == os.getpid()
        assert await pools.think(CALM, os.getpid) == os.getpid()
        go_on.set()
        await asyncio.gather(*reviews)
        assert done == list(range(MOST_REVIEWS)), "whoever asks first is served first"
        assert await pools.review(os.getpid) == os.getpid(), "there is room again"
    finally:
        go_on.set()
        pools.close()


async def test_review_that_would_be_late_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LONGEST_REVIEW < 15 * 60, "Discord takes no answer after that"
    with closing(Pools(1)) as pools:
        first = await pools.review(os.getpid)
        await refused(Load.REVIEWS, pools.review(os._exit, 1))
        assert await pools.review(os.getpid) != first, "another process goes on"
        monkeypatch.setattr(bot.pools, "LONGEST_REVIEW", 0.0)
        await refused(Load.REVIEWS, pools.review(os.getpid))
        assert pools._reviews.length == 0


def draws_ahead() -> bool:
    """Whether this process is drawing ahead."""
    return any(thread.name == "drawing ahead" for thread in threading.enumerate())


async def test_a_process_draws_ahead_from_its_start_on(processes: Pools) -> None:
    with closing(Pools(1, ("slate",))) as ahead:
        assert await ahead.draw(draws_ahead)
    assert not await processes.draw(draws_ahead)
    assert not draws_ahead()


async def test_drawing_ahead_yields_to_waiting_work_and_shutdown(
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
    assert await asyncio.to_thread(ended.wait, PATIENCE)


async def test_thinking_processes_start_early_yield_and_are_replaced() -> None:
    with closing(Pools(1)) as pools:
        pools.begin()
        (ready,) = pools._thinking._given
        assert isinstance(ready, Worker)
        process, niceness = await pools.think(PATIENCE, _pid_and_niceness)
        assert tuple(pools._thinking._given) == (ready,)
        assert niceness == min(os.nice(0) + bot.pools.NICENESS, 19)
        os.kill(process, signal.SIGKILL)
        await asyncio.to_thread(ready._process.join)
        assert (await pools.think(PATIENCE, _pid_and_niceness))[0] != process
        assert ready not in pools._thinking._given


def _pid_and_niceness() -> tuple[int, int]:
    return os.getpid(), os.nice(0)


async def test_system_without_processes_refuses_work_and_closes_all(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sockets: list[socket.socket] = []
    real = socket.socketpair

    def pair() -> tuple[socket.socket, socket.socket]:
        sockets.extend(made := real())
        return made

    def no_more(_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with closing(Pools(1)) as pools:
        with monkeypatch.context() as patch:
            patch.setattr(socket, "socketpair", pair)
            patch.setattr(multiprocessing.get_context("spawn").Process, "start", no_more)
            pools.begin()
            await refused(WorkerDied, pools.think(PATIENCE, os.getpid))
            await refused(Busy, pools.draw(os.getpid), pools.film(os.getpid), pools.review(os.getpid))
        assert len(sockets) > 4
        assert {one.fileno() for one in sockets} == {-1}
        assert os.strerror(errno.EMFILE) in caplog.text
        assert await pools.think(PATIENCE, os.getpid) != os.getpid()


def test_worker_of_a_killed_bot_ends_silently() -> None:
    interrupts = signal.getsignal(signal.SIGINT)
    ours, theirs = socket.socketpair()
    ours.send(b"an answer that nobody has read")
    theirs.close()
    try:
        _serve(ours, lambda: None, ())
    finally:
        signal.signal(signal.SIGINT, interrupts)
    assert ours.fileno() == -1


def _bytes_and_pid(count: int) -> tuple[bytes, int]:
    """An answer too long to fit into the socket at once, and the process that gave it."""
    return bytes([count % 251]) * (1 << 20), os.getpid()


async def test_prefetched_pictures_go_to_their_own_callers(processes: Pools) -> None:
    await processes.draw(os.getpid)
    (worker,) = processes._drawing._given
    answers = [asyncio.create_task(processes.draw(_bytes_and_pid, count)) for count in range(12)]
    most = 0
    while not all(answer.done() for answer in answers):
        await asyncio.sleep(0)
        most = max(most, processes._drawing._given[worker])
    assert most == AT_HAND, "one is drawn, the next one lies ready, the others wait in order of urgency"
    found = [answer.result() for answer in answers]
    assert [data for data, _ in found] == [bytes([count]) * (1 << 20) for count in range(12)]
    assert {pid for _, pid in found} == {found[0][1]}


async def test_prefetched_work_of_a_dead_process_is_redone(processes: Pools) -> None:
    first = await processes.draw(os.getpid)
    lost = asyncio.create_task(processes.draw(_die_once, first))
    ready = asyncio.create_task(processes.draw(os.getpid))
    assert await lost != first
    assert await ready == await lost
    assert len(processes._drawing._given) == 1


async def test_deadly_picture_spares_the_prefetched_ones(processes: Pools) -> None:
    deadly = asyncio.create_task(processes.draw(os._exit, 1))
    harmless = asyncio.create_task(processes.draw(os.getpid))
    await refused(Busy, deadly)
    assert await harmless != os.getpid()
    assert processes._answers.length == 0


def _die_once(first: int) -> int:
    """End this process without an answer if it is the first one; otherwise return its id."""
    if os.getpid() == first:
        os._exit(1)
    return os.getpid()


async def test_work_is_spread_before_any_is_prefetched() -> None:
    with closing(Pools(2)) as pools:
        assert len({await pools.draw(os.getpid) for _ in range(2)}) == 1, "whoever is free is asked"
        assert len(set(await asyncio.gather(pools.draw(_slow_pid), pools.draw(_slow_pid)))) == 2


def _slow_pid() -> int:
    """The id of this process, after a little work."""
    sum(range(300_000))
    return os.getpid()
