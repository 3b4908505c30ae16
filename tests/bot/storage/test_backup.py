"""Backups: complete even while people play, restored without mixing anything up, and honest about what they hold."""

import asyncio
import random
import resource
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import DatabaseTooNew
from bot.program import LATER, WRONG, main
from bot.storage import backup
from bot.storage.backup import CannotCopy, back_up, copy, look_into, restore
from bot.storage.faults import Fault, FaultKind
from bot.storage.files import BESIDE
from bot.table import Status, Terms
from engine.secret import whole
from tests.bot.gaming import THREE, Programs, hold, play_on, refused, started
from tests.bot.people import FOUR


@pytest.fixture
def database() -> str:
    """These tests are about the file."""
    return ""


def url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path.as_posix()}"


def log_of(path: Path) -> dict[int, list[int]]:
    """The numbers of all actions in a database file, by game."""
    found: dict[int, list[int]] = {}
    with closing(sqlite3.connect(path)) as rows:
        for game, number in rows.execute("SELECT game_id, number FROM actions ORDER BY game_id, number"):
            found.setdefault(game, []).append(number)
    return found


async def test_a_backup_is_whole_while_people_play(programs: Programs, tmp_path: Path) -> None:
    tables = await programs.run()
    games = [await started(tables, *FOUR, terms=Terms(system=system, pace="none")) for system in THREE]
    dice = random.Random(1)
    playing = [asyncio.create_task(play_on(tables, game.id, dice, actions=24)) for game in games]
    made: list[tuple[Path, dict[int, int]]] = []
    # On a slow machine the game may be over before the second one.
    while len(made) < 2 or not all(task.done() for task in playing):
        before = {game.id: (await tables.get(game.id)).number for game in games}
        file = tmp_path / f"backup-{len(made)}.db"
        assert (await back_up(url(programs.path), file)).games == len(games)
        made.append((file, before))
    await asyncio.gather(*playing)
    assert made[0][1] != made[-1][1], "nothing was played meanwhile"
    await programs.stop()
    for file, before in (made[0], made[len(made) // 2], made[-1]):
        assert not any(file.with_name(file.name + ending).exists() for ending in BESIDE)
        again = Programs(tmp_path / "again" / file.name)
        await restore(file, url(again.path))
        tables = await again.run()
        for game in games:
            assert (await tables.get(game.id)).number >= before[game.id]
        await play_on(tables, games[0].id, dice, actions=3)
        await again.stop()


async def test_a_restore_mixes_nothing_of_the_two(programs: Programs, tmp_path: Path) -> None:
    tables = await programs.run()
    game = await started(tables, *FOUR)
    early = await play_on(tables, game.id, random.Random(1), actions=6)
    await back_up(url(programs.path), tmp_path / "backup.db")
    late = await play_on(tables, game.id, random.Random(1), actions=20)
    # A hard end: the newest changes are in the log beside the database.
    kept = {ending: programs.path.with_name(programs.path.name + ending).read_bytes() for ending in ("", "-wal")}
    await programs.stop()
    for ending, content in kept.items():
        programs.path.with_name(programs.path.name + ending).write_bytes(content)
    aside = await restore(tmp_path / "backup.db", url(programs.path))
    assert log_of(aside) == {game.id: list(range(1, late.number + 1))}
    table = await (await programs.run()).get(game.id)
    assert table.number == early.number
    assert whole(table.game).view() == whole(early.game).view()
    assert programs.path.stat().st_mode & 0o777 == 0o600


async def test_a_damaged_database_is_replaced_and_kept(programs: Programs, tmp_path: Path) -> None:
    game = await started(await programs.run(), *FOUR)
    await back_up(url(programs.path), tmp_path / "backup.db")
    await programs.stop()
    programs.path.write_bytes(b"nonsense" * 4096)
    assert (await restore(tmp_path / "backup.db", url(programs.path))).read_bytes() == b"nonsense" * 4096
    assert (await (await programs.run()).get(game.id)).status is Status.PLAYING


async def test_invalid_backup_is_refused_and_replaces_nothing(programs: Programs, tmp_path: Path) -> None:
    game = await started(await programs.run(), *FOUR)
    good, file = tmp_path / "good.db", tmp_path / "bad.db"
    await back_up(url(programs.path), good)
    await programs.stop()
    before = programs.path.read_bytes()
    damaged = bytearray(good.read_bytes())
    damaged[8192:-4096] = b"\xaa" * (len(damaged) - 12288)
    for content, error in (
        (b"milk and bread" * 500, FaultKind.BACKUP_FOREIGN),
        (bytes(damaged), FaultKind.BACKUP_DAMAGED),
        (good.read_bytes()[: len(damaged) // 2], FaultKind.BACKUP_DAMAGED),
    ):
        file.write_bytes(content)
        caught = await refused(error, restore(file, url(programs.path)))
        assert (str(file) in str(caught), str(programs.path) in str(caught)) == (True, False)
    file.unlink()
    with closing(sqlite3.connect(file)) as rows:
        rows.execute("CREATE TABLE alembic_version (version_num TEXT)")
    await refused(FaultKind.BACKUP_FOREIGN, restore(file, url(programs.path)))
    with closing(sqlite3.connect(good)) as rows:
        rows.execute("UPDATE alembic_version SET version_num = 'fff1'")
        rows.commit()
    await refused(DatabaseTooNew, restore(good, url(programs.path)))
    assert programs.path.read_bytes() == before
    assert [one.name for one in programs.path.parent.glob("*.restoring*")] == []
    assert (await (await programs.run()).get(game.id)).status is Status.PLAYING


async def test_nothing_is_restored_under_a_running_bot(programs: Programs, tmp_path: Path) -> None:
    await programs.run()
    await back_up(url(programs.path), tmp_path / "backup.db")
    running = hold(programs.path)
    await refused(FaultKind.IN_USE, restore(tmp_path / "backup.db", url(programs.path)))
    running.communicate(b"")
    assert await restore(tmp_path / "backup.db", url(programs.path)) is not None


async def test_a_backup_replaces_no_file(programs: Programs, tmp_path: Path) -> None:
    await programs.run()
    file = tmp_path / "backup.db"
    file.write_text("something dear")
    await refused(CannotCopy, back_up(url(programs.path), file), match="exists already")
    assert file.read_text() == "something dear"
    await refused(CannotCopy, back_up(url(programs.path), tmp_path / "nowhere" / "backup.db"), match="no folder")
    await refused(CannotCopy, back_up(url(tmp_path / "other.db"), tmp_path / "backup-2.db"), match="no database")
    await refused(CannotCopy, restore(programs.path, url(programs.path)), match="database itself")
    assert [one.name for one in tmp_path.glob("*.part")] == []
    assert not (tmp_path / "other.db").exists()


async def test_damaged_database_is_not_blamed_on_its_backup(programs: Programs, tmp_path: Path) -> None:
    await started(await programs.run(), *FOUR)
    await programs.stop()
    programs.path.write_bytes(b"milk and bread" * 500)
    caught = await refused(Fault, back_up(url(programs.path), tmp_path / "backup.db"))
    assert str(programs.path) in str(caught)
    assert "DATABASE_URL" in str(caught)


async def test_a_backup_without_room_leaves_nothing_behind(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await started(await programs.run(), *FOUR)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, most[1]))
    try:
        caught = await refused(Fault, back_up(url(programs.path), tmp_path / "backup.db"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert caught.kind.passing
    assert str(tmp_path / "backup.db") in str(caught), "not the database, which is well"
    assert [one.name for one in tmp_path.glob("backup*")] == []


# On the command line


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with a running game; DATABASE_URL points to it."""

    async def play() -> None:
        programs = Programs(path)
        await started(await programs.run(), *FOUR)
        await programs.stop()

    path = tmp_path / "data" / "dog.db"
    asyncio.run(play())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", url(path))
    return path


def test_the_command_says_that_a_backup_is_secret(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "saved.db"]) == 0
    said = capsys.readouterr().out
    assert "1 game, 1 of them running" in said
    assert "holds the seeds of running games" in said
    assert "secret" in said
    assert (tmp_path / "saved.db").stat().st_mode & 0o777 == 0o600
    assert look_into(tmp_path / "saved.db").running == 1
    assert main(["restore", "saved.db"]) == 0
    assert "is kept in" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["backup", "data/dog.db"], WRONG),
        (["restore", "nothing.db"], WRONG),
        (["copy", "sqlite+aiosqlite:///nothing.db", "sqlite+aiosqlite:///new.db"], WRONG),
        (["copy", "sqlite+aiosqlite:///data/dog.db", "sqlite+aiosqlite:///data/dog.db"], WRONG),
        (["copy", "sqlite+aiosqlite:///data/dog.db", "nonsense"], WRONG),
        (["copy", "sqlite+aiosqlite:///data/dog.db", "postgresql://dog@127.0.0.1:1/dog"], LATER),
    ],
)
def test_what_cannot_be_done_is_one_line(
    played: Path, capsys: pytest.CaptureFixture[str], words: list[str], status: int
) -> None:
    assert main(words) == status
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err


async def test_a_copy_that_differs_is_not_kept(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await started(await programs.run(), *FOUR)
    await programs.stop()
    real: Callable[..., object] = backup._copy_table

    async def forgetful(old: object, new: object, table: object) -> object:
        return 0 if getattr(table, "name", "") == "seats" else await real(old, new, table)  # type: ignore[misc]

    monkeypatch.setattr(backup, "_copy_table", forgetful)
    await refused(CannotCopy, copy(url(programs.path), url(tmp_path / "other.db")), match="seats did not arrive")
    with closing(sqlite3.connect(tmp_path / "other.db")) as rows:
        assert rows.execute("SELECT count(*) FROM games").fetchone() == (0,)


def test_the_newest_backups_are_kept(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "backups"
    assert main(["backup", "--keep", "2", "backups"]) == 0
    (first,) = folder.iterdir()
    assert (look_into(first).games, folder.stat().st_mode & 0o777) == (1, 0o700)
    others = [
        "dog-20260101T000000Z.db",
        "dog-20260102T000000Z.db",
        "dog-20260103T000000Z.db",
        "dog-20260104T000000Z.db.part",
        "mine.db",
    ]
    for name in others:
        (folder / name).write_bytes(b"")
    first.unlink()
    assert main(["backup", "--keep", "2", "backups"]) == 0
    left = sorted(one.name for one in folder.iterdir())
    assert (len(left), left[0], left[2]) == (3, "dog-20260103T000000Z.db", "mine.db")
    assert main(["backup", "--keep", "0", "backups"]) == WRONG
    with closing(sqlite3.connect(played)) as rows:
        assert rows.execute("SELECT count(*) FROM facts WHERE key = ?", (backup.BACKED_UP,)).fetchone() == (1,)
    capsys.readouterr()


def test_backup_from_a_read_only_drive_has_everything(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest changes are in the log beside the file, as a crash leaves them."""
    writer = sqlite3.connect(played)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("INSERT INTO facts VALUES ('newest', 'here')")
    writer.commit()
    away = tmp_path / "away"
    away.mkdir()
    for ending in ("", "-wal"):
        (away / f"dog.db{ending}").write_bytes(played.with_name(f"dog.db{ending}").read_bytes())
    writer.close()
    before = (away / "dog.db").read_bytes()
    monkeypatch.setattr(backup, "is_on_read_only_drive", lambda path: path.parent == away)
    monkeypatch.setenv("DATABASE_URL", url(away / "dog.db"))
    assert main(["backup", "saved.db"]) == 0
    assert (away / "dog.db").read_bytes() == before
    assert sorted(one.name for one in away.iterdir()) == ["dog.db", "dog.db-wal"]
    with closing(sqlite3.connect(tmp_path / "saved.db")) as rows:
        assert rows.execute("SELECT value FROM facts WHERE key = 'newest'").fetchone() == ("here",)
