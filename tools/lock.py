"""Write `constraints.txt`: one exact version of every package, for every supported Python.

`python -m tools.lock 3.11 3.12 3.13` asks each of these Pythons (given as versions or paths) which packages pip would
install from the registry today. The versions must agree, so that a bug seen on one Python is looked for in the same
libraries on the other.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "constraints.txt"
HEADER = """\
# Exact versions of everything that is installed, for Python {pythons}.
# Written by `make lock`; change pyproject.toml, not this file.
"""


class LockError(Exception):
    """The pins cannot be written; the text says why."""


def normal(name: str) -> str:
    """The spelling of a package name that all its spellings share."""
    return re.sub(r"[-_.]+", "-", name).lower()


def resolve(python: str) -> dict[str, str]:
    """Versions by package name that pip would install for the project and all its extras under this Python.

    Raises LockError if that Python is missing or pip finds no solution.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder, "venv")
        report = Path(folder, "report.json")
        pip = [str(environment / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
        commands = (
            [python, "-m", "venv", str(environment)],
            [*pip, "install", "--upgrade", "pip"],
            [*pip, "install", "--dry-run", "--report", str(report), "--editable", f"{ROOT}[dev,fast,play]"],
        )
        for command in commands:
            try:
                subprocess.run(command, check=True, capture_output=True, text=True)
            except FileNotFoundError as error:
                raise LockError(f"{python}: there is no such Python") from error
            except subprocess.CalledProcessError as error:
                raise LockError(f"{python}: {error.stderr.strip()}") from error
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    packages = {normal(entry["metadata"]["name"]): str(entry["metadata"]["version"]) for entry in found}
    packages.pop("dog-bot", None)
    return packages


def merge(found: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """One version a package out of the answers of several Pythons; raises LockError where they differ."""
    merged: dict[str, str] = {}
    for python, packages in found.items():
        for name, version in packages.items():
            if merged.setdefault(name, version) != version:
                raise LockError(f"{name}: {merged[name]}, but {version} on Python {python}; bound it in pyproject.toml")
    return dict(sorted(merged.items()))


def render(pythons: Iterable[str], packages: Mapping[str, str]) -> str:
    """The text of the constraints file."""
    lines = [f"{name}=={version}\n" for name, version in packages.items()]
    return HEADER.format(pythons=", ".join(pythons)) + "".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file; 1 with a sentence on standard error if that is impossible."""
    parser = argparse.ArgumentParser(prog="python -m tools.lock", description=__doc__.splitlines()[0])
    parser.add_argument("python", nargs="+", help="a version (3.12: python3.12 is run) or the path of a Python")
    chosen: list[str] = parser.parse_args(arguments).python
    try:
        found: dict[str, dict[str, str]] = {}
        for name in chosen:
            python = f"python{name}" if re.fullmatch(r"3\.\d+", name) else name
            asked = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
            answer = subprocess.run(asked, capture_output=True, text=True, check=False)
            if answer.returncode:
                raise LockError(f"{python}: {answer.stderr.strip()}")
            found[answer.stdout.strip()] = resolve(python)
        TARGET.write_text(render(found, merge(found)), encoding="utf-8")
    except (LockError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{TARGET.name}: {len(merge(found))} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
