"""The wheel: everything the bot needs is in it, and its command works in an environment of its own."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.bot.operating.portal import TOKEN

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("engine", "render", "bot", "cogs", "locales", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    tree = tmp_path_factory.mktemp("tree")
    for name in SHIPPED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tree / name)
    built = [*(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"), "-w", "dist", "."]
    subprocess.run(built, cwd=tree, check=True, capture_output=True)
    return next((tree / "dist").glob("*.whl"))


def test_wheel_has_everything_in_the_tree(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", *SHIPPED[:4], "locales/*.po"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    with zipfile.ZipFile(wheel) as content:
        assert set(listed.stdout.splitlines()) - set(content.namelist()) == set()


def test_command_works_in_a_clean_environment(wheel: Path, tmp_path: Path) -> None:
    environment, home = tmp_path / "environment", tmp_path / "home"
    home.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin" / "python"
    installed = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", wheel]
    subprocess.run(installed, check=True, capture_output=True)
    # What the bot stands on comes from where the tests run; a path in a .pth brings no editable installs along.
    site = next((environment / "lib").glob("python*")) / "site-packages"
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "DISCORD", "DATABASE"))}

    def run(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        command = [environment / "bin" / "dog-bot", *words]
        return subprocess.run(command, cwd=home, env=kept | settings, capture_output=True, text=True, check=False)

    before = sorted(site.rglob("*"))
    opened = (
        "import asyncio; from bot.storage import Store; asyncio.run(Store('sqlite+aiosqlite:///data/dog.db').open())"
    )
    subprocess.run([python, "-c", opened], cwd=home, check=True)
    checked = run("check", "--offline", DISCORD_TOKEN=TOKEN)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for said in ("texts: en", str(home), "up to date"):
        assert said in checked.stdout
    started = run("--home", str(tmp_path))
    assert (started.returncode, str(tmp_path / ".env") in started.stderr) == (2, True)
    assert [path for path in site.rglob("*") if path not in before and "__pycache__" not in path.parts] == []
