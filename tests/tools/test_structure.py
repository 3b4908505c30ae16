"""The structure: who may import what from outside, and that the pages for people refer to things that exist."""

import ast
import doctest
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "render", "bot", "cogs", "tools")
PAGES = sorted(
    file
    for place in (".", "docs/**", "tests", *(f"{package}/**" for package in PACKAGES))
    for file in ROOT.glob(f"{place}/*.md")
)


def imported(package: str) -> Iterator[tuple[str, str]]:
    """Every (file, top-level name) that a package imports, wherever in the file."""
    for file in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((file.name, alias.name.split(".")[0]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield file.name, str(node.module).split(".")[0]


# isal makes compression faster where it is installed; render works without it too.
@pytest.mark.parametrize(
    ("package", "allowed"), [("engine", {"engine"}), ("render", {"engine", "render", "PIL", "isal"})]
)
def test_what_a_package_stands_on(package: str, allowed: set[str]) -> None:
    assert [found for found in imported(package) if found[1] not in allowed | sys.stdlib_module_names] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    local = [target.partition("#")[0] for target in targets if "://" not in target and not target.startswith("#")]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_are_there(page: Path) -> None:
    paths = re.findall(r"`((?:engine|render|bot|cogs|tools|tests|docs)/[\w./-]+)`", page.read_text(encoding="utf-8"))
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_maps_of_packages_name_exactly_their_files() -> None:
    """Each package has a README that names its files; so have some of the folders in it. A path only refers to one."""
    there = {file.name for place in (*PACKAGES, "tests") for file in (ROOT / place).rglob("*.py")}
    for page in (ROOT / package / "README.md" for package in PACKAGES):
        rooms = {one.parent: one.read_text(encoding="utf-8") for one in page.parent.rglob("README.md")}
        named = {room: Counter(re.findall(r"(?<![\w/])\w+\.py\b", text)) for room, text in rooms.items()}
        files: dict[Path, Counter[str]] = {room: Counter() for room in rooms}
        for file in page.parent.rglob("*.py"):
            if "migrations" not in file.parts and file.name != "__init__.py":
                files[next(one for one in file.parents if one in rooms)][file.name] += 1
        assert {room: missing for room in rooms if (missing := files[room] - named[room])} == {}
        assert [name for text in rooms.values() for name in re.findall(r"\b\w+\.py\b", text) if name not in there] == []


def test_examples_in_the_readme_run() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried
    assert not failed


def test_readme_says_who_can_read_the_database() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "**the person who runs the bot can read its database**" in text
    assert "Report a vulnerability" in " ".join((ROOT / "SECURITY.md").read_text(encoding="utf-8").split())


def test_make_says_which_python_is_missing(tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    made = subprocess.run(
        ["make", "play", "PYTHONS=no-such-python"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert made.returncode != 0
    assert "needs Python 3.11 or newer" in made.stderr
    assert not (tmp_path / ".venv").exists()


def test_make_lists_what_it_can() -> None:
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(f"make {word} " in listed for word in ("play", "run", "test", "lint", "messages", "pictures"))


def test_example_settings_name_every_setting() -> None:
    from bot.settings import Settings

    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    shown = dict(found.groups() for line in lines if (found := re.match(r"(?:# )?([A-Z_]+)=(.*)$", line)))
    assert {name.lower() for name in shown} == set(Settings.model_fields)
    defaults = Settings(_env_file=None)
    assert shown["DATABASE_URL"] == defaults.database_url
    assert shown["LOG_LEVEL"] == defaults.log_level
    assert shown["CACHE_GAMES"] == str(defaults.cache_games)
    assert shown["DRAWING_PROCESSES"] == str(defaults.drawing_processes)


def test_invite_link_asks_for_what_the_bot_uses() -> None:
    from bot.client import PERMISSIONS

    link = re.search(r"scope=bot\+applications\.commands&permissions=(\d+)", (ROOT / "README.md").read_text("utf-8"))
    assert link
    assert int(link[1]) == PERMISSIONS.value
