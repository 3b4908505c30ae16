"""The bot in its own process: started, measured, stopped, killed."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from tools.wire.server import TOKEN, Wire
from tools.wire.world import Message

HERE = Path(__file__).resolve()
TREE = HERE.parents[2]
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "WIRE_NOTHING_AHEAD", "WIRE_BARE", "DRAWING_PROCESSES")
"""The environment variables that are passed on to it."""
_TICKS = os.sysconf("SC_CLK_TCK")


class DidNotStart(Exception):
    """The bot ended, or was not ready in time; the text is the end of its log."""


class BotProcess:
    """`python -m bot` against a wire, with its database and log in `folder`.

    `shards`: its own, if several processes share them. `gauge`: measure how long its event loop is held up.

    Used with `async with`, it is started and, at the end, killed.
    """

    def __init__(
        self,
        wire: Wire,
        folder: Path,
        *,
        settings: dict[str, str] | None = None,
        gauge: bool = False,
        shards: tuple[int, ...] | None = None,
    ) -> None:
        self.wire, self.folder, self.shards = wire, folder, shards
        self.database = folder / "dog.db"
        self.log_file = folder / "bot.log"
        self._settings = settings or {}
        self._gauge = folder / "gauge" if gauge else None
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.kill()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self, *, within: float = 280) -> float:
        """Start, and wait until it is connected; returns the seconds that took.

        Raises:
            DidNotStart: it ended, or was not ready in time.
        """
        self.wire.gateway.forget(self.shards)
        kept = {name: value for name, value in os.environ.items() if name in KEPT}
        environment = {
            **kept,
            "PYTHONPATH": str(TREE),
            "PYTHONUNBUFFERED": "1",
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": f"sqlite+aiosqlite:///{self.database.as_posix()}",
            "WIRE_API": self.wire.url,
            **({"WIRE_GAUGE": str(self._gauge)} if self._gauge else {}),
            **self._settings,
        }
        begun = time.perf_counter()
        with self.log_file.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, str(HERE.with_name("launch.py")), cwd=TREE, env=environment, stdout=log, stderr=log
            )
        ended = asyncio.create_task(self._process.wait())
        ready = asyncio.create_task(self._connected())
        done, _ = await asyncio.wait({ended, ready}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if ready not in done:
            await self.kill()
            raise DidNotStart(self.log_text()[-3000:])
        return time.perf_counter() - begun

    async def _connected(self) -> None:
        gateway = self.wire.gateway
        await gateway.ready.wait()
        if self.shards is not None:
            await gateway.all_of(self.shards)

    async def kill(self) -> None:
        """Send SIGKILL, as in a power cut."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        self.wire.gateway.forget(self.shards)

    async def strike_at_post(self, ours: Callable[[Message], bool] = lambda _: True) -> None:
        """Send SIGKILL the moment the next message (of ours) is posted, before it hears of that; give up after 3 s."""
        struck = asyncio.Event()

        def strike(message: Message) -> None:
            if self._process is not None and not struck.is_set() and ours(message):
                struck.set()
                with contextlib.suppress(ProcessLookupError):
                    self._process.kill()

        self.wire.world.on_message.append(strike)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(3):
                await struck.wait()
        self.wire.world.on_message.remove(strike)

    async def stop(self, *, within: float = 30) -> tuple[int, float]:
        """Send SIGTERM; returns the exit code and the seconds until it had ended (-9 if it had to be killed)."""
        assert self._process is not None
        begun = time.perf_counter()
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._process.wait()
        took = time.perf_counter() - begun
        await self.kill()
        return self._process.returncode or 0, took

    async def wait(self) -> int:
        """Wait until it ends by itself; returns the exit code."""
        assert self._process is not None
        return await self._process.wait()

    def log_text(self) -> str:
        return self.log_file.read_text("utf-8", errors="replace") if self.log_file.exists() else ""

    def tracebacks(self) -> int:
        return self.log_text().count("Traceback (most recent call last)")

    def processor(self) -> float:
        """Return the seconds of processor time that it and its workers have used."""
        return sum(map(_used, [self.pid, *self._children()]))

    def held_up(self) -> float:
        """Return the seconds for which its event loop was ready to run, but waited for a core."""
        try:
            fields = Path(f"/proc/{self.pid}/task/{self.pid}/schedstat").read_text().split()
        except OSError:
            return 0.0
        return int(fields[1]) / 1e9

    def memory(self) -> float:
        total = 0.0
        for pid in [self.pid, *self._children()]:
            try:
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            except OSError:
                continue
            total += sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))
        return total

    def held(self) -> list[float]:
        """Return for each half second so far the longest time for which its event loop was held up, in seconds."""
        if self._gauge is None or not self._gauge.exists():
            return []
        return [float(line) for line in self._gauge.read_text("utf-8").splitlines(keepends=True) if line.endswith("\n")]

    def _children(self) -> list[int]:
        try:
            return [int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]
        except OSError:
            return []


def _used(pid: int) -> float:
    """Return the seconds of processor time that a process has used; 0 if there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
