"""The list of licences: everything that is shipped is on it, under the licence that it states itself."""

import re
from importlib import metadata

import pytest

from tools.licences import BUNDLED, PAGE, facts_of, is_installed, licence_of, read_pins
from tools.lock import ROOT

FREE = re.compile(r"MIT|BSD|Apache|PSF|ISC|MPL|HPND|Python Software Foundation|0BSD|Unlicense|CC0|OFL", re.IGNORECASE)


def rows() -> dict[str, tuple[str, str]]:
    lines = re.findall(r"^\| ([^|\[]+) \| ([a-z0-9][^|\[]* [0-9][^|\[]*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    found = [(licence, *one) for licence, links in lines for one in re.findall(r"([a-z0-9-]+) ([^\s,]+)", links)]
    return {name: (version, licence) for licence, name, version in found}


def test_every_runtime_package_is_listed() -> None:
    assert {name: version for name, (version, _) in rows().items()} == dict(read_pins("run"))


@pytest.mark.parametrize(("name", "version"), list(read_pins("run")))
def test_package_has_the_licence_it_names(name: str, version: str) -> None:
    licence = rows()[name][1]
    assert FREE.search(licence), licence
    if is_installed(name, version):
        assert licence == licence_of(facts_of(name, version))


def test_a_package_of_another_version_is_not_asked() -> None:
    name, version = "pillow", metadata.version("pillow")
    assert is_installed(name, version)
    assert not is_installed(name, version + ".1")
    assert not is_installed("there-is-no-such-package", "1.0")


def test_foreign_files_are_listed() -> None:
    foreign = {".ttf", ".otf", ".woff", ".woff2"}
    folders = {
        str(file.parent.relative_to(ROOT))
        for package in ("engine", "render", "bot", "cogs", "tools", "docs")
        for file in (ROOT / package).rglob("*")
        if file.suffix in foreign
    }
    assert folders == set(BUNDLED)
    for folder, (_, licence, text) in BUNDLED.items():
        assert f"[{folder}](../{folder}) | [{licence}](../{text})" in PAGE.read_text("utf-8")
        assert (ROOT / text).is_file()


def test_the_expression_counts_first() -> None:
    assert licence_of({"license-expression": ["MIT"], "license": ["BSD"]}) == "MIT"
    assert licence_of({"license": ["long\ntext"], "classifier": ["License :: OSI Approved :: BSD License"]}) == (
        "BSD License"
    )
    assert licence_of({"license": ["MIT"], "classifier": ["License :: OSI Approved :: MIT License"]}) == "MIT"
    assert licence_of({}) == "see its files"
