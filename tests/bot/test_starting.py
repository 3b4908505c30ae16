"""Starting the program: any obstacle is reported in one line, with a status that says whether to try again."""

import ast
import asyncio
import errno
import logging
import os
import resource
import runpy
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace

import discord
import pytest

from bot import program
from bot.client import DogBot
from bot.errors import SettingsError
from bot.operating.retry_after import seconds_asked
from bot.program import LATER, WRONG, main, warn_of
from bot.settings import load_settings
from bot.storage import connection
from bot.storage.connection import parse_url
from bot.surroundings import RIVAL, RIVAL_ANSWERS, Surroundings, wrong_clock
from tests.bot.gaming import hold, no_locks
from tests.bot.operating.portal import TOKEN

Start = Callable[..., None]

ROOT = Path(__file__).parents[2]


class Portal:
    """Answers in Discord's place: one status for every request, and a count of them."""

    def __init__(self) -> None:
        self.status = 401
        self.requests = 0
        self.body = b'{"message": "no", "code": 0}'
        self.headers = {"Content-Type": "application/json"}
        portal = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                portal.requests += 1
                self.send_response(portal.status)
                for name, value in portal.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(portal.body)))
                self.end_headers()
                self.wfile.write(portal.body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def portal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Portal]:
    made = Portal()
    made.thread.start()
    monkeypatch.setattr(discord.http.Route, "BASE", made.address)
    yield made
    made.server.shutdown()
    made.thread.join()
    made.server.server_close()


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """Normally the program has umask and logging to itself; here it shares them with other tests."""
    root = logging.getLogger()
    handlers, level, mask = list(root.handlers), root.level, os.umask(0o022)
    yield
    os.umask(mask)
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, portal: Portal, capfd: pytest.CaptureFixture[str]) -> Start:
    """Start the program with these settings, and see it end with this status and one line, in which these words are.

    Discord refuses the token, in a word: `token` is the furthest that it gets.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(connection, "PATIENCE", 0)

    def run(status: int, *words: str, asked: int = 0, **settings: str) -> None:
        portal.requests = 0
        values = {"DISCORD_TOKEN": TOKEN, "LOG_LEVEL": "ERROR"} | {name.upper(): one for name, one in settings.items()}
        with monkeypatch.context() as patch:
            for name, text in values.items():
                patch.setenv(name, text)
            assert main([]) == status
        said = capfd.readouterr().err
        assert [word for word in words if word not in said] == [], said
        assert "Traceback" not in said
        assert TOKEN not in said
        assert said.count("\n") == 1, said
        assert portal.requests == asked, "everything else is looked at before the login"

    return run


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database file of the bot, as one start leaves it."""
    import asyncio

    from bot.storage import Store

    async def make() -> None:
        store = Store(f"sqlite+aiosqlite:///{path.as_posix()}")
        await store.open()
        await store.close()

    path = tmp_path / "data" / "dog.db"
    asyncio.run(make())
    return path


# Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GUILD_IDS", "99999999999999999999"),
        ("CACHE_GAMES", "0"),
        ("SHARD_COUNT", "0"),
        ("SHARD_COUNT", "many"),
        ("DISCORD_TOKEN", "Bot abc"),
        ("DISCORD_TOKEN", "töken"),
        ("DISCORD_TOKEN", "your-token-here"),
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "sqlite:///dog.db"),
        ("DATABASE_URL", "mysql+aiomysql://x/y"),
        ("DATABASE_URL", "postgresql+asyncpg://u:p@h:port/x"),
    ],
)
def test_a_wrong_setting_is_named(start: Start, name: str, value: str) -> None:
    start(WRONG, name, **{name: value})


def test_settings_file_that_is_not_text_is_named(start: Start, tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe\n")
    start(WRONG, ".env")


# The database


def test_the_database_is_opened_before_the_login(start: Start, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    start(WRONG, "data/dog.db", "cannot be written")


def test_a_foreign_database_is_left_alone(start: Start, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as rows, rows:
        rows.execute("CREATE TABLE customers (name TEXT)")
    rows.close()
    start(WRONG, "not one of this bot", database_url=f"sqlite+aiosqlite:///{other}")
    with closing(sqlite3.connect(other)) as rows, rows:
        assert rows.execute("SELECT name FROM sqlite_master").fetchall() == [("customers",)]
    rows.close()


def test_a_file_that_is_no_database(start: Start, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("milk, bread, " * 1000)
    start(WRONG, "notes.txt", database_url="sqlite+aiosqlite:///notes.txt")


def test_a_newer_database(start: Start, database: Path) -> None:
    with closing(sqlite3.connect(database)) as rows, rows:
        rows.execute("UPDATE alembic_version SET version_num = 'fff1'")
    rows.close()
    start(WRONG, "fff1", "newer version")


def test_a_damaged_database(start: Start, database: Path) -> None:
    content = bytearray(database.read_bytes())
    content[4096 : len(content)] = b"\xaa" * (len(content) - 4096)
    assert content.startswith(b"SQLite format 3\0")
    database.write_bytes(content)
    start(WRONG, "damaged", "restore")


def test_a_database_that_another_program_holds(start: Start, database: Path) -> None:
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    start(LATER, "locked")
    holder.close()


@pytest.mark.parametrize("room", [5_000, 20_000, 60_000])
def test_a_disk_without_room_for_a_first_database(start: Start, room: int) -> None:
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, most[1]))
    try:
        start(LATER, "disk", "dog.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    start(WRONG, "token", asked=1)


def test_a_disk_without_room_for_the_lock(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("bot.storage.connection.os.write", full)
        start(LATER, "no room left")
    start(WRONG, "token", asked=1)


def test_a_database_that_may_only_be_read(start: Start, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Not inside pytest's folder, which only its owner may enter.
    folder = Path(tempfile.mkdtemp())
    monkeypatch.chdir(folder)
    file = folder / "dog.db"
    file.write_bytes(database.read_bytes())
    file.chmod(0o444)
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        # Permissions do not stop root.
        os.seteuid(65534)
    try:
        start(WRONG, "cannot be written", database_url=f"sqlite+aiosqlite:///{file}")
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_second_process_says_so_and_stops(start: Start, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    first = hold(tmp_path / "data" / "dog.db")
    start(LATER, f"process {first.pid}")
    # Killed without a chance to tidy up; the lock goes with it.
    first.kill()
    first.communicate()
    start(WRONG, "token", asked=1)


def test_a_database_server_that_does_not_answer(start: Start) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        there = f"127.0.0.1:{port}/dog"
        # Like the token, the password must not be told.
        start(LATER, f"{there} does not answer", database_url=f"postgresql+asyncpg://dog:{TOKEN}@{there}")


@pytest.mark.parametrize("password", ["hunter2@secret", "hunter2/secret@x", "secret?hunter2@x", "secret#@hunter2"])
@pytest.mark.parametrize("user", ["dog", "do/g", "do?g", "dog@hunter2"])
def test_password_that_cuts_the_address_short(user: str, password: str) -> None:
    written = f"postgresql+asyncpg://{user}:{password}@127.0.0.1:1/x"
    if written.count("@") == 1 and user == "dog":
        pytest.skip("only an @ cuts a password short")
    with pytest.raises(SettingsError) as caught:
        parse_url(written)
    ending = program.explain(caught.value)
    assert ending is not None
    assert ending[1] == WRONG
    assert "%40" in ending[0]
    assert not [part for part in ("hunter2", "secret") if part in ending[0]]


@pytest.mark.parametrize("query", ["?sslmode=hunter2", "?hunter2=1", "?channel_binding=hunter2", "?ssl=on&hunter2=x"])
def test_what_the_address_of_a_server_cannot_have(query: str) -> None:
    with pytest.raises(SettingsError, match=r"DATABASE_URL: .*ssl") as caught:
        parse_url(f"postgresql://dog@127.0.0.1/dog{query}")
    assert "hunter2" not in str(caught.value)


def test_sslmode_is_what_the_driver_calls_ssl() -> None:
    assert parse_url("postgresql://dog@127.0.0.1/dog?sslmode=require").query == {"ssl": "require"}


def test_a_socket_that_is_not_there(start: Start, tmp_path: Path) -> None:
    start(LATER, "no socket", str(tmp_path), database_url=f"postgresql+asyncpg://dog@/dog?host={tmp_path}")


def test_a_server_without_encryption(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def refuse() -> None:
            there, _ = server.accept()
            there.recv(8)
            there.sendall(b"N")
            there.close()

        answering = threading.Thread(target=refuse)
        answering.start()
        start(WRONG, "encryption", database_url=f"postgresql+asyncpg://dog@127.0.0.1:{port}/dog?sslmode=require")
        answering.join()


def test_a_drive_without_locks_is_no_other_process(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(connection.fcntl, "lockf", no_locks)
        start(WRONG, "no file locks", "use a local disk")
    start(WRONG, "token", asked=1)


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        (sqlite3.SQLITE_IOERR_SHMMAP, WRONG, "no shared memory"),
        (sqlite3.SQLITE_IOERR_SHMLOCK, WRONG, "no file locks"),
        (sqlite3.SQLITE_IOERR_LOCK, WRONG, "no file locks"),
        (sqlite3.SQLITE_IOERR_SHMSIZE, LATER, "I/O error"),
        (sqlite3.SQLITE_IOERR_WRITE, LATER, "I/O error"),
    ],
)
def test_what_sqlite_says_of_a_drive(
    start: Start, monkeypatch: pytest.MonkeyPatch, code: int, status: int, said: str
) -> None:
    def fail(*_: object) -> None:
        problem = sqlite3.OperationalError("disk I/O error")
        problem.sqlite_errorcode = code
        raise problem

    monkeypatch.setattr(connection, "_prepare", fail)
    start(status, said)


def test_the_driver_of_postgresql_is_asked_for(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    start(WRONG, "dog-bot[postgres]", database_url="postgresql+asyncpg://dog@127.0.0.1/dog")


# Discord


@pytest.mark.parametrize(
    ("answer", "status", "word"),
    [(401, WRONG, "DISCORD_TOKEN"), (503, LATER, "HTTP 503"), (403, WRONG, "refused"), (418, WRONG, "HTTP 418")],
)
def test_what_discord_answers_to_the_login(start: Start, portal: Portal, answer: int, status: int, word: str) -> None:
    portal.status = answer
    start(status, word, asked=1)


@pytest.mark.parametrize(
    ("status", "said", "seconds"), [(429, "3600", 3600), (429, "", 900), (429, "soon", 900), (403, "60", 60)]
)
def test_start_waits_until_a_ban_ends(
    portal: Portal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    status: int,
    said: str,
    seconds: int,
) -> None:
    waits: list[float] = []

    async def wait(stop: object, seconds: float) -> bool:
        waits.append(seconds)
        portal.status = 401
        return False

    portal.status, portal.body = status, b"<!doctype html>error code: 1015"
    portal.headers = {"Content-Type": "text/html", **({"Retry-After": said} if said else {})}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(program, "is_stopped_within", wait)
    assert main([]) == WRONG
    assert (waits, portal.requests) == ([seconds], 2)
    told = capfd.readouterr().err
    assert f"Cloudflare, the shield before Discord, refuses this machine's address (HTTP {status})" in told
    assert "GUILD_IDS" not in told
    assert "Traceback" not in told


def test_waiting_for_a_ban_can_be_stopped(portal: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(stop: asyncio.Event, seconds: float) -> bool:
        with connection.lock_file("sqlite+aiosqlite:///data/dog.db"):
            # Meanwhile the database is free: nothing is played.
            os.kill(os.getpid(), signal.SIGTERM)
            return await waits(stop, seconds)

    portal.status, portal.headers = 429, {"Content-Type": "text/html", "Retry-After": "3600"}
    waits = program.is_stopped_within
    # It would end these tests too.
    monkeypatch.setattr(program, "_end_within", lambda seconds: None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(program, "is_stopped_within", wait)
    assert main([]) == 0
    assert portal.requests == 1


async def test_nothing_is_said_by_waiting_to_the_end() -> None:
    assert not await program.is_stopped_within(asyncio.Event(), 0)


def test_start_waits_for_what_discord_forbids() -> None:
    assert seconds_asked(discord.RateLimited(90_000)) == 86_400
    assert seconds_asked(discord.GatewayNotFound()) is None
    assert seconds_asked(ValueError()) is None


async def test_used_up_login_limit_wastes_no_login(monkeypatch: pytest.MonkeyPatch) -> None:
    async def left() -> tuple[int, str, dict[str, int]]:
        return 1, "wss://x", {"remaining": 0, "reset_after": 60_000}

    async with DogBot(load_settings(None)) as bot:
        monkeypatch.setattr(bot.http, "get_bot_gateway", left)
        with pytest.raises(discord.RateLimited) as refused:
            await bot.launch_shards()
    assert refused.value.retry_after == 60


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "has no more (Too many open files)"),
        (OSError(errno.ENOENT, "No such file or directory", "saved.db"), "saved.db cannot be used"),
        (ConnectionResetError(errno.ECONNRESET, "reset"), "Discord cannot be reached"),
        (discord.RateLimited(120), "do not try again for 2 minutes"),
    ],
    ids=["limits", "a file", "the network", "a limit of Discord's"],
)
def test_what_is_no_fault_of_discords(problem: Exception, said: str) -> None:
    ending = program.explain(problem)
    assert ending is not None
    assert said in ending[0]


def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    command = f"{sys.executable} -m bot check --offline | head -n 1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": TOKEN, "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.stderr == b""


def test_no_network(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{unused.getsockname()[1]}")
        start(LATER, "cannot be reached")


@pytest.mark.parametrize(
    ("ours", "said"), [(1_000_000_009, ""), (1_000_000_060, "60 s ahead"), (999_999_000, "1000 s behi")]
)
def test_clock_that_is_not_discords(ours: float, said: str) -> None:
    there = formatdate(1_000_000_000, usegmt=True)
    assert said in wrong_clock(there, ours)
    assert bool(wrong_clock(there, ours)) is bool(said)
    assert wrong_clock(None, ours) == wrong_clock("noon", ours) == ""


async def test_unwanted_servers_are_left() -> None:
    left: list[int] = []

    class Guild:
        def __init__(self, guild_id: int) -> None:
            self.id = guild_id

        async def leave(self) -> None:
            left.append(self.id)

    def bot(blocked: set[int], *allowed: int) -> SimpleNamespace:
        settings = SimpleNamespace(allowed_guilds=allowed)
        return SimpleNamespace(settings=settings, blocked=blocked, guilds=[Guild(1), Guild(2), Guild(3)])

    await DogBot.leave_unwanted(bot(set()))  # type: ignore[arg-type]
    assert left == []
    await DogBot.leave_unwanted(bot({2}))  # type: ignore[arg-type]
    await DogBot.leave_unwanted(bot({2}, 1, 2))  # type: ignore[arg-type]
    assert left == [2, 2, 3]


async def test_second_bot_with_the_token_is_noticed(caplog: pytest.LogCaptureFixture) -> None:
    noted: list[str] = []

    async def remember(key: str, value: str) -> None:
        noted.append(key)

    surroundings = Surroundings(SimpleNamespace(remember=remember))  # type: ignore[arg-type]
    for times in range(1, 5):
        await surroundings.note_rival()
        assert noted == [RIVAL] * (times >= RIVAL_ANSWERS)
    assert caplog.text.count("Another bot answers with this token") == 1


# Python


@pytest.mark.parametrize("name", ["__main__.py", "__init__.py"])
def test_old_pythons_can_read_the_first_files(name: str) -> None:
    source = (ROOT / "bot" / name).read_text("ascii")
    ast.parse(source, feature_version=(3, 0))
    assert "__future__" not in source


def test_old_python_is_refused_before_imports(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 10, "final", 0))
    monkeypatch.setitem(sys.modules, "bot.program", None)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "bot" / "__main__.py"), run_name="__main__")
    assert ended.value.code == 2
    assert capsys.readouterr().err == "The bot needs Python 3.11 or newer, and this is 3.8.\n"


def test_child_processes_do_not_import_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `dog-bot`, they read the first file again."""
    monkeypatch.setitem(sys.modules, "bot.program", None)
    assert "run" in runpy.run_path(str(ROOT / "bot" / "__main__.py"), run_name="__mp_main__")


def test_the_module_runs(tmp_path: Path) -> None:
    environment = {name: text for name, text in os.environ.items() if name != "DISCORD_TOKEN"}
    done = subprocess.run(
        [sys.executable, "-m", "bot"],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("DISCORD_TOKEN is not set.")
    assert done.stderr.count("\n") == 1


# Rights


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
def test_root_leaves_nothing_of_its_own(start: Start, database: Path, tmp_path: Path) -> None:
    for one in (tmp_path, *tmp_path.rglob("*")):
        os.chown(one, 1234, 1235)
    assert main(["--home", str(tmp_path), "backup", str(tmp_path / "saved.db")]) == 0
    assert main(["--home", str(tmp_path), "restore", str(tmp_path / "saved.db")]) == 0
    start(WRONG, "token", asked=1)
    start(WRONG, "token", asked=1, database_url="sqlite+aiosqlite:///first/start/dog.db")
    owners = {one.name: (one.stat().st_uid, one.stat().st_gid) for one in tmp_path.rglob("*")}
    assert {name: owner for name, owner in owners.items() if owner != (1234, 1235)} == {}
    assert any(name.startswith("dog.db.replaced-") for name in owners)


def test_the_database_is_its_owners_alone(start: Start, tmp_path: Path) -> None:
    start(WRONG, "token", asked=1, database_url="sqlite+aiosqlite:///data/deep/dog.db")
    folder = tmp_path / "data" / "deep"
    assert (folder.stat().st_mode & 0o777, folder.parent.stat().st_mode & 0o777) == (0o700, 0o700)
    assert {one.stat().st_mode & 0o777 for one in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("other", [False, True])
def test_only_the_database_is_closed_to_others(start: Start, database: Path, other: bool) -> None:
    if other:
        (database.parent / "holiday.jpg").write_bytes(b"")
    database.chmod(0o644)
    database.parent.chmod(0o755)
    start(WRONG, "token", asked=1)
    assert database.stat().st_mode & 0o777 == 0o600
    assert database.parent.stat().st_mode & 0o777 == (0o755 if other else 0o700)


def test_readable_settings_file_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / ".env"
    warn_of(file)
    assert not caplog.records
    file.write_text("GUILD_IDS=\n")
    for mode, warned in ((0o600, False), (0o640, True), (0o604, True)):
        caplog.clear()
        file.chmod(mode)
        warn_of(file)
        assert [f"chmod 600 {file}" in record.getMessage() for record in caplog.records] == [True] * warned
