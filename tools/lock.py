"""Write `pins/`: one exact version of every package, with the hashes of its files, for every platform and Python.

`python -m tools.lock` resolves the dependencies in `pyproject.toml` with uv, once for all platforms and for every
supported Python. Pins that still fit are kept; `--upgrade` takes the newest versions instead. pip installs from the
lists in its hash mode, so nothing gets in that did not exist when they were written.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "pins"

LISTS: Mapping[str, tuple[str, ...]] = {
    "dev": ("dev", "fast", "play", "postgres", "sentry"),
    "play": ("fast", "play", "postgres"),
    "run": ("fast", "postgres", "sentry"),
}
"""The lists, and the extras in each; the first has everything, and the others use its versions."""

HEADER = """\
# {what}, for every platform and Python that pyproject.toml names.
# Written by `make lock` (wishes {digest}); change pyproject.toml, not this file.
"""


def project() -> dict[str, Any]:
    """Return the content of `pyproject.toml`."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def digest(wishes: Mapping[str, Any]) -> str:
    """Return a short digest of everything in `pyproject.toml` that determines the pins."""
    table = wishes["project"]
    known = [
        wishes["build-system"]["requires"],
        table["requires-python"],
        table["dependencies"],
        table["optional-dependencies"],
    ]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]


def compile_list(name: str, build: Sequence[str], *arguments: str) -> None:
    """Write one list with uv. Ends the program with a sentence if there is no solution."""
    oldest = project()["project"]["requires-python"].removeprefix(">=")
    extras = [word for extra in LISTS[name] for word in ("--extra", extra)]
    command = [
        *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"),
        *("--python-version", oldest, "--no-header", "--no-annotate", "--custom-compile-command", "make lock"),
        *extras,
        *arguments,
        *("--output-file", str(PINS / f"{name}.txt"), "pyproject.toml", "-"),
    ]
    try:
        # The build's own packages are listed too, since pip may not fetch anything unlisted in its hash mode.
        subprocess.run(command, cwd=ROOT, input="\n".join(build), check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{name}: {error.stderr.strip()}") from error


def write(arguments: Sequence[str] = ()) -> None:
    """Write every list."""
    wishes = project()
    PINS.mkdir(exist_ok=True)
    for name, extras in LISTS.items():
        first = next(iter(LISTS))
        keep = arguments if name == first else ("--constraint", str(PINS / f"{first}.txt"))
        file = PINS / f"{name}.txt"
        if name != first:
            file.unlink(missing_ok=True)
        compile_list(name, wishes["build-system"]["requires"], *keep)
        header = HEADER.format(what=f"What `{name}` needs ({', '.join(extras)})", digest=digest(wishes))
        file.write_text(header + file.read_text(encoding="utf-8"), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the lists."""
    parser = argparse.ArgumentParser(prog="python -m tools.lock", description=__doc__.splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    chosen = parser.parse_args(arguments)
    write(("--upgrade",) if chosen.upgrade else ())
    return 0


if __name__ == "__main__":
    sys.exit(main())
