"""What others see of the project besides its code: the site of the docs, workflows, forms, and what a commit meets."""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
import yaml

from tools.pages import languages, written
from tools.site import AT_THE_ROOT, ROOT, rewrite

SCHEMAS = {
    "vendor.github-workflows": sorted((ROOT / ".github" / "workflows").glob("*.yml")),
    "vendor.github-issue-forms": sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    return folder


def test_site_has_every_page_and_rule_system(site: Path) -> None:
    pages = {"index.md", *AT_THE_ROOT.values()} | {
        name.replace("README.md", "index.md")
        for one in (ROOT / "docs").rglob("*.md")
        if (name := str(one.relative_to(ROOT / "docs"))).split("/")[0] not in set(written()) - set(languages())
    }
    made = {str(one.relative_to(site).parent) for one in site.rglob("index.html")}
    assert {str(PurePosixPath(page).with_suffix("")).removesuffix("index").rstrip("/") or "." for page in pages} <= made
    menu = (site / "playing" / "index.html").read_text(encoding="utf-8")
    systems = [one.stem for one in (ROOT / "docs" / "rules").glob("*.md") if one.stem not in ("index", "own-system")]
    assert [name for name in systems if f"rules/{name}/" not in menu] == []


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?://(?!localhost)[^"]+"', text) == [], page


def test_links_lead_to_pages_of_the_site() -> None:
    there = PurePosixPath("docs/rules/classic.md")
    assert rewrite("[x](../../README.md#a) ![y](img/z.png)", there) == "[x](../index.md#a) ![y](img/z.png)"
    assert rewrite("[code](../../engine/game.py), [out](https://x.y)", there) == "code, [out](https://x.y)"
    assert rewrite('<img src="docs/img/a.png">', PurePosixPath("README.md")) == '<img src="img/a.png">'


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_for_the_forge_are_of_their_form(schema: str) -> None:
    assert SCHEMAS[schema]
    checker = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *SCHEMAS[schema]]
    checked = subprocess.run(checker, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_workflows_run_the_same_on_every_python() -> None:
    test = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))["jobs"]["test"]
    assert ".ci/run" in [step.get("run") for step in test["steps"]]
    pythons = re.findall(r"python3\.\d+", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert {f"python{one}" for one in test["strategy"]["matrix"]["python"]} == set(pythons)
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    for file in SCHEMAS["vendor.github-workflows"]:
        assert set(re.findall(r"\bmake ([a-z]+)", file.read_text(encoding="utf-8"))) <= targets


def test_what_a_commit_meets_is_there() -> None:
    checked = [sys.executable, "-m", "pre_commit", "validate-config"]
    subprocess.run(checked, cwd=ROOT, check=True, capture_output=True)
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    tools = {hook["entry"].split()[0] for hook in hooks}
    assert [tool for tool in tools if not (Path(sys.executable).parent / Path(tool).name).exists()] == []
