"""The pins: exact versions with hashes, lists that agree, and everything that pyproject.toml asks for."""

import re
import subprocess
from itertools import chain

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.lock import LISTS, PINS, digest, main, project


def entries(name: str) -> dict[str, str]:
    """The pins in a list, each with its text."""
    text = (PINS / f"{name}.txt").read_text(encoding="utf-8")
    found = re.findall(r"^([a-z0-9-]+==[^\n]*(?:\n    [^\n]*)*)", text, flags=re.MULTILINE)
    return {one.partition("==")[0]: one for one in found}


@pytest.mark.parametrize("name", LISTS)
def test_every_pin_is_an_exact_version_with_hashes(name: str) -> None:
    found = entries(name)
    assert list(found) == sorted(found)
    for text in found.values():
        assert re.match(r"[a-z0-9-]+==[0-9a-z.+]+(?: ; [^\\]+)? \\\n", text)
        assert re.search(r"--hash=sha256:[0-9a-f]{64}$", text)
    lines = (PINS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if not line.startswith(("#", "    --hash="))]) == len(found)


@pytest.mark.parametrize("name", LISTS)
def test_the_lists_are_those_of_today(name: str) -> None:
    first = (PINS / f"{name}.txt").read_text(encoding="utf-8").splitlines()[1]
    assert digest(project()) in first, "dependencies have changed: make lock"


@pytest.mark.parametrize("name", LISTS)
def test_the_lists_agree(name: str) -> None:
    everything = entries(next(iter(LISTS)))
    for package, text in entries(name).items():
        assert text.split()[0] == everything[package].split()[0]
        assert set(re.findall(r"sha256:\w+", text)) == set(re.findall(r"sha256:\w+", everything[package]))


@pytest.mark.parametrize("name", LISTS)
def test_everything_wished_for_is_pinned_and_fits(name: str) -> None:
    table = project()["project"]
    wishes = chain(table["dependencies"], *(table["optional-dependencies"][extra] for extra in LISTS[name]))
    found = entries(name)
    for wish in map(Requirement, wishes):
        if canonicalize_name(wish.name) != "dog-bot":
            version = re.match(r"[a-z0-9-]+==(\S+)", found[canonicalize_name(wish.name)])
            assert wish.specifier.contains(version[1])


@pytest.mark.parametrize("system", ["linux", "darwin"])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_packages_for_some_pythons_are_pinned_for_them(python: str, system: str) -> None:
    environment = {"python_version": python, "python_full_version": f"{python}.1", "sys_platform": system}
    chosen = set()
    for package, text in entries("run").items():
        marker = re.search(r" ; ([^\\]+) \\\n", text)
        if marker is None or Marker(marker[1]).evaluate(environment):
            chosen.add(package)
    assert ("audioop-lts" in chosen) is (python == "3.13")
    assert {"discord-py", "sqlalchemy", "aiosqlite", "setuptools"} <= chosen


def test_a_wish_that_changes_changes_the_digest() -> None:
    wishes = project()
    before = digest(wishes)
    wishes["project"]["dependencies"].append("left-pad")
    assert digest(wishes) != before


def test_what_cannot_be_resolved_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise subprocess.CalledProcessError(1, "uv", stderr="no solution found\n")

    monkeypatch.setattr(subprocess, "run", refuse)
    before = (PINS / "dev.txt").read_bytes()
    with pytest.raises(SystemExit, match=r"^dev: no solution found$"):
        main([])
    assert (PINS / "dev.txt").read_bytes() == before
