"""A worker: a process of its own that does one thing at a time and talks to the event loop over a socket.

The loop writes and reads the socket itself. A `ProcessPoolExecutor` uses two threads for that, which wake the loop
three times for every picture, and it accepts work before its turn. Measured with the real process, 200 tables, 15
actions a second, four times each in turn on two cores: with it an action took 57 to 66 ms of processor, answers p99 268
to 284 ms, boards p95 0.4 to 3.5 s; here 57 to 61 ms, 141 to 212 ms and 0.11 to 0.18 s. The next piece of work may be
sent while the worker is busy with the one before, so that it does not stand idle until a busy loop gets round to it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import signal
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bot.priority import Gate

_LENGTH = struct.Struct("!Q")
"""The number of bytes that follow: precedes every message in both directions."""

Begin = Callable[..., object]
"""Called in the process before its first piece of work."""


class WorkerDied(Exception):
    """The process ended before its work was done, which was `begun` (perhaps the reason) or only lay ready."""

    def __init__(self, message: str, *, begun: bool = True) -> None:
        super().__init__(message)
        self.begun = begun


class Worker:
    """One process, which works in the order in which it is asked. It ends with this process, however that ends.

    `begin(*words)` is called in it first. Only module-level functions and picklable values are used. `niceness`: how
    much further than this process it gives way to others, from its first moment on. Raises OSError if the system has no
    room for another process.
    """

    def __init__(self, begin: Begin, *words: object, niceness: int = 0) -> None:
        self._socket, theirs = socket.socketpair()
        try:
            self._socket.setblocking(False)
            context = multiprocessing.get_context("spawn")
            self._process = context.Process(target=_serve, args=(theirs, begin, words), daemon=True)
            self._process.start()
            if niceness and self._process.pid is not None and hasattr(os, "setpriority"):
                # Our own is added: only the superuser may lower the niceness of a process.
                own = os.getpriority(os.PRIO_PROCESS, 0)
                os.setpriority(os.PRIO_PROCESS, self._process.pid, own + niceness)
        except OSError:
            self._socket.close()
            raise
        finally:
            theirs.close()
        self._sending = Gate(1)
        self._newest: asyncio.Future[bool] | None = None
        """Done once the answer to the newest piece of work has been read (True), or will never come (False)."""
        self._busy = 0
        self._closed = False

    @property
    def has_ended(self) -> bool:
        """Return True if the process has ended by itself."""
        return not self._process.is_alive()

    async def do(self, work: Callable[..., Any], *args: Any) -> Any:
        """Return the result of `work(*args)` there. Raises whatever it raises, and `WorkerDied`."""
        message = pickle.dumps((work, args), pickle.HIGHEST_PROTOCOL)
        read = asyncio.get_running_loop().create_future()
        answered = False
        self._busy += 1
        try:
            async with self._sending:
                await asyncio.get_running_loop().sock_sendall(self._socket, _LENGTH.pack(len(message)) + message)
                before, self._newest = self._newest, read
            if before is not None and not before.done():
                await asyncio.wait((before,))
            if before is not None and not before.result():
                raise WorkerDied("the process has terminated", begun=False)
            (length,) = _LENGTH.unpack(await self._receive(_LENGTH.size))
            answer = await self._receive(length)
            answered = True
        except OSError as lost:
            raise WorkerDied("the process has terminated") from lost
        finally:
            self._busy -= 1
            read.set_result(answered)
            if self._closed and not self._busy:
                self._socket.close()
        worked, result = pickle.loads(answer)
        if not worked:
            raise result
        return result

    async def _receive(self, length: int) -> bytearray:
        """Return this many bytes. Raises `WorkerDied` if they do not come."""
        loop, received, got = asyncio.get_running_loop(), bytearray(length), 0
        with memoryview(received) as room:
            while got < length:
                count = await loop.sock_recv_into(self._socket, room[got:])
                if not count:
                    raise WorkerDied("the process has terminated")
                got += count
        return received

    def close(self) -> None:
        """End the process; whatever it was doing is dropped."""
        self._closed = True
        self._process.terminate()
        if self._busy:
            # The caller who waits for an answer notices that none comes, and closes it.
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        else:
            self._socket.close()


def _serve(ours: socket.socket, begin: Begin, words: tuple[object, ...]) -> None:
    """Do the work that arrives in the process, until nothing arrives any more."""
    # Ctrl+C is for the bot, which ends this process when it chooses.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    ours.setblocking(True)
    begin(*words)
    # A bot that was killed reads nothing more, which deserves no traceback.
    with suppress(ConnectionError), ours, ours.makefile("rwb") as stream:
        while header := stream.read(_LENGTH.size):
            work, args = pickle.loads(stream.read(_LENGTH.unpack(header)[0]))
            answer = pickle.dumps(done(work, args), pickle.HIGHEST_PROTOCOL)
            stream.write(_LENGTH.pack(len(answer)))
            stream.write(answer)
            stream.flush()


def done(work: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any]:
    """Return True with the result of the work, or False with what it raised."""
    try:
        return True, work(*args)
    except Exception as problem:
        return False, problem


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(0)
