"""The pins: plain lines, one version a package, and everything that pyproject.toml asks for among them."""

import re
import tomllib
from itertools import chain

import pytest

from tools.lock import ROOT, TARGET, LockError, main, merge, normal, render


def test_pins_are_plain_exact_versions() -> None:
    lines = [line for line in TARGET.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert lines == sorted(lines, key=lambda line: line.partition("==")[0])
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9a-z.+]+", line) for line in lines)


def test_everything_wished_for_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wishes = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    names = {normal(re.match(r"[\w.-]+", wish)[0]) for wish in wishes} - {"dog-bot"}
    pinned = {line.partition("==")[0] for line in TARGET.read_text(encoding="utf-8").splitlines()}
    assert names <= pinned


def test_names_have_one_spelling() -> None:
    assert normal("Discord.py") == normal("discord_py") == "discord-py"


def test_pythons_are_put_together() -> None:
    merged = merge({"3.11": {"b": "1", "a": "2"}, "3.13": {"b": "1", "c": "3"}})
    assert list(merged.items()) == [("a", "2"), ("b", "1"), ("c", "3")]
    assert render(["3.11", "3.13"], merged).endswith("a==2\nb==1\nc==3\n")


def test_pythons_must_agree() -> None:
    with pytest.raises(LockError, match=r"b: 1, but 2 on Python 3\.13"):
        merge({"3.11": {"b": "1"}, "3.13": {"b": "2"}})


def test_missing_python_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    before = TARGET.read_bytes()
    assert main(["/nowhere/python"]) == 1
    assert "/nowhere/python" in capsys.readouterr().err
    assert TARGET.read_bytes() == before
