"""Write `docs/licences.md`: the licence of everything that is shipped with the bot or installed for it.

`python -m tools.licences` reads the list of pins for running the bot, and asks the installed packages for their
licences. A package for another platform or Python, or installed in another version, is downloaded to look at its
metadata.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from email import message_from_bytes
from email.message import Message
from importlib import metadata
from pathlib import Path

from tools.lock import PINS, ROOT

PAGE = ROOT / "docs" / "licences.md"

BUNDLED: Mapping[str, tuple[str, str, str]] = {
    "render/fonts": ("Inter and Noto fonts", "OFL-1.1", "render/fonts/LICENSE-OFL-1.1.txt"),
}
"""Parts of this repository by others, by folder: the name, the licence, and the file with the licence."""

START = """\
# Licences of what is shipped

The bot itself is under the [MIT licence](../LICENSE). This page is written by `make lock` and says what comes with it.

## In this repository

| what | where | licence |
|---|---|---|
"""

PACKAGES = """
## Installed to run it

Exactly these versions, from the Python Package Index; each brings the text of its licence along.

| licence | packages |
|---|---|
"""


def read_pins(name: str) -> Iterator[tuple[str, str]]:
    """Yield the packages in a list of pins, with their versions."""
    for line in (PINS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"([a-z0-9-]+)==(\S+)", line):
            yield found[1], found[2]


def licence_of(facts: Mapping[str, Sequence[str]]) -> str:
    """Return the licence in a package's metadata: the expression, else the classifiers, else the short free text."""
    expression = [text for text in facts.get("license-expression", ()) if text]
    if expression:
        return expression[0]
    named = [text for text in facts.get("classifier", ()) if text.startswith("License :: ")]
    texts = [text for text in facts.get("license", ()) if text and "\n" not in text and len(text) < 60]
    short = [text.rpartition(" :: ")[2] for text in named if text != "License :: OSI Approved"]
    return "; ".join(texts or short) or "see its files"


def is_installed(package: str, version: str) -> bool:
    """Return True if exactly this version is installed here; others may have another licence."""
    try:
        return metadata.version(package) == version
    except metadata.PackageNotFoundError:
        return False


def facts_of(package: str, version: str) -> Mapping[str, Sequence[str]]:
    """Return a package's metadata in this version: as installed here, else as in the index."""
    found: Message
    if is_installed(package, version):
        found = metadata.metadata(package)  # type: ignore[assignment]
    else:
        found = fetch_metadata(package, version)
    return {key: found.get_all(name) or () for key, name in NAMES.items()}


NAMES = {"license-expression": "License-Expression", "license": "License", "classifier": "Classifier"}


def fetch_metadata(package: str, version: str) -> Message:
    """Return the metadata of a package for another platform or Python; pip downloads it and installs nothing."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--dest", folder),
            *("--only-binary", ":all:", "--python-version", "3.13", f"{package}=={version}"),
        ]
        subprocess.run(command, check=True, capture_output=True)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            name = next(file for file in wheel.namelist() if file.endswith(".dist-info/METADATA"))
            return message_from_bytes(wheel.read(name))


def page() -> str:
    """Return the text of the page."""
    lines = [
        f"| {what} | [{folder}](../{folder}) | [{licence}](../{text}) |"
        for folder, (what, licence, text) in BUNDLED.items()
    ]
    groups: dict[str, list[str]] = {}
    for name, version in read_pins("run"):
        groups.setdefault(licence_of(facts_of(name, version)), []).append(f"{name} {version}")
    packages = [f"| {licence} | {', '.join(groups[licence])} |" for licence in sorted(groups)]
    return START + "\n".join(lines) + "\n" + PACKAGES + "\n".join(packages) + "\n"


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
