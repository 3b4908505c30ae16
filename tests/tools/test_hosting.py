"""Putting the bot up: the files for Docker, Compose and systemd, and every command of the pages about them.

There is no Docker here: the Dockerfile and compose.yaml are checked by their linters, what they copy and set is looked
at, and the steps of the build are carried out in a folder. The pages' commands are run in a shell, with stand-ins for
what would change the machine.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import babel
import pytest
import yaml

from bot.program import main
from bot.settings import Settings
from bot.storage import Store
from tests.bot.operating.portal import TOKEN
from tools.licences import read_pins

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "hosting").glob("*.md"))
SYSTEM = 65_000_000
"""Bytes of the image that the bot's is built on."""
REMOVED = (".dll", ".pyx", ".pxd", ".pyi")
"""Kinds of files that packages bring and that the image leaves out."""


def run(*words: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False, **more)


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines if line]


# Docker


def test_the_linter_has_nothing_against_the_dockerfile() -> None:
    checked = run(Path(sys.executable).with_name("hadolint"), ROOT / "Dockerfile")
    assert (checked.returncode, checked.stdout) == (0, "")


def test_the_image_has_two_stages_and_no_root() -> None:
    stages = [words for word, words in instructions() if word == "FROM"]
    assert len(stages) == 2
    assert stages[1].endswith(":nonroot")
    assert [word for word, _ in instructions()].count("HEALTHCHECK") == 1


def test_what_is_copied_is_there_and_not_ignored() -> None:
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    sources = [
        one for word, words in instructions() if word == "COPY" and "--from" not in words for one in words.split()[:-1]
    ]
    assert sorted(sources) == sorted(kept)
    assert [one for one in sources if not (ROOT / one).exists()] == []


def test_built_bot_is_smaller_than_210_mb(tmp_path: Path) -> None:
    """Everything but fetching the read_pins packages, which are those that are installed here."""
    source, made = tmp_path / "source", tmp_path / "dog"
    steps = [words for word, words in instructions() if word == "RUN"]
    assert len(steps) == 2
    assert "--require-hashes --target /dog --requirement pins/run.txt" in steps[0]
    for word, words in instructions():
        if word == "COPY" and "--from" not in words:
            *names, target = words.split()
            for name in names:
                there = source / target if len(names) == 1 and target != "./" else source / name
                there.parent.mkdir(parents=True, exist_ok=True)
                if (ROOT / name).is_dir():
                    shutil.copytree(ROOT / name, there, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(ROOT / name, there)
    step = re.sub(r"(?<![\w/])/dog\b", str(made), steps[1]).replace("/empty", str(tmp_path / "empty"))
    shutil.copytree(Path(babel.__file__).parent, made / "babel", ignore=shutil.ignore_patterns("__pycache__"))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python").symlink_to(sys.executable)
    (tools / "pip").write_text(f'#!/bin/sh\nPYTHONPATH= exec {sys.executable} -m pip "$@"\n')
    (tools / "pip").chmod(0o755)
    built = run("sh", "-ec", step, cwd=source, env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"})
    assert built.returncode == 0, built.stderr
    assert (made / "bin" / "dog-bot").read_text().startswith("#!/usr/bin/python3\n")
    assert {"root.dat", "en.dat", "en_GB.dat"} <= {one.name for one in (made / "babel" / "locale-data").iterdir()}
    ours = sum(one.stat().st_size for one in made.rglob("*") if one.is_file())
    theirs = 0
    for name, _ in read_pins("run"):
        if name in {"babel", "setuptools"}:
            continue
        try:
            files = metadata.files(name) or ()
        except metadata.PackageNotFoundError:
            # For another Python.
            continue
        for file in (file for file in files if "tests" not in file.parts):
            size = file.locate().stat().st_size if Path(str(file.locate())).exists() else 0
            # Compiled, a module is a little larger than its source.
            theirs += size * {".py": 2.3, ".pyc": 0, **dict.fromkeys(REMOVED, 0)}.get(file.suffix, 1)
    assert theirs > 20_000_000
    assert all(kind[1:] in step for kind in REMOVED)
    assert ours + theirs + SYSTEM < 210_000_000, (ours, theirs)


def environments() -> dict[str, dict[str, str]]:
    """The environment of each process of the bot, as Compose makes it of the page's `.env`."""
    page = (ROOT / "docs" / "hosting" / "compose.md").read_text(encoding="utf-8")
    given = dict(re.findall(r"^echo '([A-Z_]+)=(.*)' >", page, flags=re.MULTILINE))
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    return {
        name: given | {key: str(value) for key, value in service["environment"].items()}
        for name, service in services.items()
        if name.startswith("dog")
    }


def test_compose_is_of_its_form_and_hardened() -> None:
    checker = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    checked = run(*checker, "compose.yaml", cwd=ROOT)
    assert checked.returncode == 0, checked.stdout
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    for name in environments():
        service = services[name]
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["volumes"] == ["games:/srv/dog/data"]
    assert services["dog"].get("profiles") is None
    assert {name: services[name]["profiles"] for name in services if name != "dog"} == {
        "dog-2": ["shards"],
        "dog-3": ["shards"],
        "database": ["postgres"],
    }


def test_three_processes_share_all_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    ids: list[int] = []
    for environment in environments().values():
        with monkeypatch.context() as patch:
            for name, text in environment.items():
                patch.setenv(name, text)
            settings = Settings(_env_file=None)
        assert settings.database_url == "postgresql+asyncpg://dog@database/dog"
        assert settings.shard_count == 9
        ids += settings.shard_ids
    assert sorted(ids) == list(range(9))


# systemd


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize("name", ["dog-bot.service", "dog-bot@.service", "dog-bot-backup.service"])
def test_the_unit_is_sound_and_hardened(name: str, tmp_path: Path) -> None:
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    unit = tmp_path / name.replace("@", "@0-2")
    unit.write_text(text.replace("/opt/dog-bot/bin/dog-bot", "/bin/true").replace("User=dog", "User=daemon"))
    checked = run("systemd-analyze", "verify", unit)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert run("systemd-analyze", "security", "--offline=yes", "--threshold=20", unit).returncode == 0


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_the_timer_is_sound(tmp_path: Path) -> None:
    (tmp_path / "dog-bot-backup.service").write_text("[Service]\nType=oneshot\nExecStart=/bin/true\n")
    timer = shutil.copy(ROOT / "deploy" / "dog-bot-backup.timer", tmp_path)
    checked = run("systemd-analyze", "verify", timer)
    assert (checked.returncode, checked.stderr) == (0, "")


# The pages


SUDO = """#!/bin/sh
[ "$1" = -u ] && shift 2
[ "$1" = /usr/bin/python3 ] && shift && set -- python3 "$@"
exec "$@"
"""
STARTED = """#!/bin/sh
# The bot as it is installed, with a Discord that nobody answers for.
exec {python} -c "
import discord, sys
discord.http.Route.BASE = 'http://127.0.0.1:9'
from bot.__main__ import run
run()
" "$@"
"""
TALKS = re.compile(r"docker (build|run|logs|exec|cp|rm|compose (run|up|exec)) .+")


async def migrate_at(file: Path) -> None:
    store = Store(f"sqlite+aiosqlite:///{file.as_posix()}")
    await store.open()
    await store.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    home, tools, copy = tmp_path / "home", tmp_path / "tools", tmp_path / "copy"
    for folder in (home, tools, copy, tmp_path / "etc/systemd/system", tmp_path / "opt", tmp_path / "var/lib/dog-bot"):
        folder.mkdir(parents=True)
    (copy / "deploy").symlink_to(ROOT / "deploy")

    def tool(name: str, text: str) -> None:
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)

    started = STARTED.format(python=sys.executable)
    note = f'#!/bin/sh\necho "$(basename $0) $*" >> {tmp_path}/noted\n'
    for name in ("docker", "systemctl", "useradd", "chown", "createuser", "createdb"):
        tool(name, note)
    tool("sudo", SUDO)
    tool("dog-bot", started)
    # Making environments is what tests/tools/test_wheel.py does; here they come with the same bot.
    tool("pipx", note)
    there = f"{tmp_path}/opt/dog-bot/bin"
    tool("python3", f"{note}mkdir -p {there} && ln -sf {tools}/dog-bot {tools}/pip {there}/\n")
    tool("pip", note)
    text = page.read_text(encoding="utf-8")
    if page.stem == "systemd":
        asyncio.run(migrate_at(tmp_path / "var/lib/dog-bot/data/dog.db"))
    commands = "\n".join(re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL))
    assert commands
    for place in ("/opt", "/etc", "/var"):
        commands = commands.replace(f" {place}/", f" {tmp_path}{place}/")
    commands = commands.replace("PUT-THE-TOKEN-HERE", TOKEN)
    environment = {"PATH": f"{tools}:/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": str(ROOT)}
    for command in commands.splitlines():
        done = run("bash", "-c", command, cwd=copy, env=environment)
        # Discord cannot be reached: 75 says so.
        expected = {0, 75} if "dog-bot --home" in command else {0}
        assert done.returncode in expected, (command, done.stdout, done.stderr)
        assert "unrecognized" not in done.stderr
    noted = (tmp_path / "noted").read_text().splitlines()
    assert [line for line in noted if line.startswith("docker") and not TALKS.fullmatch(line)] == []
    if page.stem == "pipx":
        assert (home / "dog" / "data" / "dog.db").exists()
    if page.stem == "compose":
        assert "COMPOSE_PROFILES=postgres,shards" in (copy / ".env").read_text()
    if page.stem == "systemd":
        assert (tmp_path / "etc/systemd/system/dog-bot.service").exists()


def test_what_is_run_beside_the_bot_exists(capsys: pytest.CaptureFixture[str]) -> None:
    """Commands of the bot itself that the pages hand to a container."""
    with pytest.raises(SystemExit):
        main(["--help"])
    known = capsys.readouterr().out
    for page in [*PAGES, *(ROOT / "docs" / f"{name}.md" for name in ("operating", "monitoring", "backups"))]:
        text = page.read_text(encoding="utf-8")
        code = " ".join(re.findall(r"`[^`]+`|```sh.*?```", text, re.DOTALL))
        used = re.findall(r"(?<![/@])(?<!runpip )dog-bot (?:--home \S+ )?([a-z]+)\b", code)
        assert [word for word in used if not re.search(rf"^    {word}\b", known, re.MULTILINE)] == [], page.name
