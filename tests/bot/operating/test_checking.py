"""`dog-bot check`: what is wrong is named, with how to put it right, and nothing that is there is touched."""

import json
import os
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import discord
import pytest
from aiohttp import web

from bot import languages
from bot.client import PERMISSIONS
from bot.operating import checking, healthy
from bot.operating.checking import LATER, WRONG, CheckResult
from bot.program import main
from bot.storage import Store, connection
from bot.surroundings import RIVAL
from tests.bot.gaming import hold, no_locks, no_memory
from tests.bot.operating.portal import APPLICATION, TOKEN, Portal, found, wrongs


@pytest.fixture
async def portal(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Portal]:
    made = Portal()
    app = web.Application()
    app.router.add_get("/{path:.*}", made.serve)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    yield made
    await runner.cleanup()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return tmp_path


async def test_check_before_the_first_start_makes_nothing(home: Path) -> None:
    findings = await found()
    assert wrongs(findings) == {}
    assert "will be made" in findings["database"].text
    assert list(home.iterdir()) == []


async def test_a_database_is_there_and_up_to_date(home: Path) -> None:
    store = Store("sqlite+aiosqlite:///data/dog.db")
    await store.open()
    await store.close()
    assert "up to date" in (await found())["database"].text


async def test_a_database_that_another_process_serves(home: Path) -> None:
    store = Store("sqlite+aiosqlite:///data/dog.db")
    await store.open()
    await store.close()
    other = hold(home / "data" / "dog.db")
    database = (await found())["database"]
    other.kill()
    other.communicate()
    assert (database.status, f"process {other.pid}" in database.text) == (LATER, True)


async def test_a_bot_that_runs_here_is_well(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store("sqlite+aiosqlite:///data/dog.db")
    await store.open()
    await store.remember(RIVAL, str(int(time.time()) - 600))
    await store.close()
    other = hold(home / "data" / "dog.db")
    monkeypatch.setattr(healthy, "ask", lambda: "ok")
    findings = await found()
    assert "the bot runs here, and is well" in findings["database"].text
    assert wrongs(findings) == {"other bots": WRONG}
    assert "noticed 10 minutes ago" in findings["other bots"].text
    monkeypatch.setattr(healthy, "ask", lambda: "starting")
    assert wrongs(await found())["database"] == LATER
    other.kill()
    other.communicate()


async def test_chosen_channel_that_cannot_be_used(home: Path, portal: Portal) -> None:
    store = Store("sqlite+aiosqlite:///data/dog.db")
    await store.open()
    await store.guilds.prefer(1, channels=(5, 6), puzzle_in=7)
    await store.guilds.prefer(2, channels=(8,), left_at=1)
    await store.close()
    role = {"name": "@everyone", "color": 0, "hoist": False, "position": 0, "managed": False, "mentionable": False}
    needed = str(PERMISSIONS.value)
    denied = {"id": "1", "type": 0, "allow": "0", "deny": str(discord.Permissions(attach_files=True).value)}
    portal.more = {
        "/guilds/1": {"id": "1", "name": "A", "owner_id": "9", "roles": [role | {"id": "1", "permissions": needed}]},
        f"/guilds/1/members/{APPLICATION}": {
            "user": {"id": str(APPLICATION), "username": "DOG", "discriminator": "0", "avatar": None},
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "flags": 0,
        },
        "/guilds/1/channels": [
            {"id": str(n), "type": 0, "name": "a", "position": 0, "permission_overwrites": [denied] * (n == 6)}
            for n in (5, 6)
        ],
    }
    channels = (await found(online=True))["channels"]
    assert channels.status == WRONG
    assert "6 in server 1 (attach_files)." in channels.text


async def test_an_empty_database(home: Path) -> None:
    (home / "data").mkdir()
    (home / "data" / "dog.db").touch()
    assert wrongs(await found()) == {"database": WRONG}


async def test_a_foreign_database(home: Path) -> None:
    (home / "data").mkdir()
    with closing(sqlite3.connect(home / "data" / "dog.db")) as rows, rows:
        rows.execute("CREATE TABLE customers (name TEXT)")
    rows.close()
    assert wrongs(await found()) == {"database": WRONG}


@pytest.mark.parametrize("token", ["hunter2", "a.b.c", "x" * 70, f"!{TOKEN[1:]}"], ids=range(4))
async def test_what_is_no_token(home: Path, monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)
    findings = await found()
    assert wrongs(findings) == {"token": WRONG}
    assert token not in str(findings)


async def test_a_catalogue_that_cannot_be_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await found())["texts"].text.startswith("en, ar, de, ")
    monkeypatch.setattr(languages, "LOCALES", home)
    (home / "de.po").write_text("no catalogue\n")
    findings = await found()
    assert wrongs(findings) == {"texts": WRONG}
    assert str(home / "de.po") in findings["texts"].text


async def test_settings_and_their_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n")
    (home / ".env").chmod(0o644)
    assert "chmod 600" in (await found())["settings"].text
    monkeypatch.setenv("SHARD_COUNT", "many")
    assert list(wrongs(await found())) == ["settings"]


async def test_line_that_sets_nothing_is_named(home: Path) -> None:
    (home / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n# a note\n\nCACHE_GAMES 1000\n")
    settings = (await found())["settings"]
    assert (settings.status, "line 4: write NAME=value" in settings.text) == (WRONG, True)


async def test_settings_that_have_no_effect_are_named(home: Path) -> None:
    (home / ".env").write_text("DATABSE_URL=hunter2\n")
    (home / ".env").chmod(0o600)
    settings = (await found())["settings"]
    assert (settings.status, "DATABSE_URL is no setting (DATABASE_URL=?)" in settings.text) == (WRONG, True)
    assert "hunter2" not in settings.text


@pytest.mark.parametrize("kept", [False, True])
async def test_a_drive_without_locks(home: Path, monkeypatch: pytest.MonkeyPatch, kept: bool) -> None:
    if kept:
        (home / "data").mkdir()
        sqlite3.connect(home / "data" / "dog.db").close()
    before = sorted(home.rglob("*"))
    monkeypatch.setattr(connection.fcntl, "lockf", no_locks)
    database = (await found())["database"]
    assert (database.status, "no file locks" in database.text) == (WRONG, True)
    assert "process" not in database.text
    assert sorted(home.rglob("*")) == before


async def test_a_drive_without_shared_memory(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection.sqlite3, "connect", no_memory)
    database = (await found())["database"]
    assert (database.status, "no shared memory" in database.text) == (WRONG, True)


async def test_shield_that_refuses_is_asked_once(home: Path, portal: Portal) -> None:
    portal.ban = 429
    findings = await found(online=True)
    assert list(findings)[-1] == "Discord"
    assert (findings["Discord"].status, "for 60 minutes" in findings["Discord"].text) == (LATER, True)
    assert portal.asked == 1


async def test_full_disk_and_unset_clock(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "ROOM", 10**12)
    monkeypatch.setattr(checking, "BUILT", 1e12)
    assert wrongs(await found()) == {"disk": LATER, "clock": WRONG}


async def test_discord_is_asked(home: Path, portal: Portal) -> None:
    findings = await found(online=True)
    assert wrongs(findings) == {}
    assert f"client_id={APPLICATION}" in findings["login"].text
    assert "3 servers" in findings["permissions"].text


async def test_what_discord_may_have_against_it(home: Path, portal: Portal) -> None:
    portal.flags, portal.time, portal.remaining, portal.permissions[1] = 1 << 18, 0, 0, 0
    findings = await found(online=True)
    assert wrongs(findings) == {"Discord": WRONG, "permissions": WRONG, "shards": LATER}
    assert "message_content" in findings["intents"].text
    assert "1 of 3 servers" in findings["permissions"].text
    portal.login = 401
    assert (await found(online=True))["login"] == CheckResult(
        "login", WRONG, "Discord refused the token: check DISCORD_TOKEN in .env."
    )


def test_check_exits_with_the_status_of_a_start(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mask = os.umask(0o022)
    try:
        assert main(["check", "--offline"]) == 0
        assert all(line.startswith("ok ") for line in capsys.readouterr().out.splitlines())
        monkeypatch.setattr(checking, "ROOM", 10**12)
        assert main(["check", "--offline", "--json"]) == LATER
        assert {one["about"]: one["status"] for one in json.loads(capsys.readouterr().out)}["disk"] == LATER
        monkeypatch.setenv("DISCORD_TOKEN", "")
        assert main(["check", "--offline"]) == WRONG
        assert main(["--home", "nowhere", "check"]) == WRONG
        assert "make the folder first" in capsys.readouterr().err
        (home / "here").mkdir()
        monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
        monkeypatch.setattr(checking, "ROOM", 0)
        assert main(["--home", "here", "check", "--offline"]) == 0
        assert str(home / "here") in capsys.readouterr().out
    finally:
        os.umask(mask)
