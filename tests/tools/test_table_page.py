"""The local table's page: presses that wait instead of being dropped, and times that follow the table's clock."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import simcord.preview

from tools.local.page import Changed, patch

STATIC = Path(simcord.preview.__file__).with_name("static")


def script(name: str) -> str:
    text = (STATIC / name).read_text(encoding="utf-8")
    return patch(f"/{name}", text, speed=120.0, virtual=5_000.0, real=1_000.0)


def test_press_during_an_update_waits() -> None:
    text = script("actions.js")
    assert "pageIntent(kind, extra); else later(kind, extra, metadata); return; }" in text
    assert "awaitingRevision > context.publishedRevision) { later(kind, extra, metadata); return; }" in text
    assert text.count("function later(") == 1
    assert "pressed = pressOf(kind, extra);\n    beforePage(kind, extra);" in text


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_second_press_of_a_double_click_is_dropped() -> None:
    """By the time the second one could be carried out, another button may stand in the place of the first."""
    text = script("actions.js")
    waiting = text[
        text.index("  const waiting = [];") : text.index("  /** @param {string} kind @param {ActionBody} [ex")
    ]
    code = (
        "const context = {closed: false}; let blocked = false, tick = null; const done = [];\n"
        "const admissionBlocked = () => blocked;\n"
        "const setInterval = (call) => { tick = call; return 1; }, clearInterval = () => { tick = null; };\n"
        "function dispatch(kind, extra, metadata) { if (blocked) { later(kind, extra, metadata); return; }\n"
        "  pressed = pressOf(kind, extra); done.push(extra.key); blocked = true; }\n"
        + waiting
        + 'for (const key of ["a", "a", "b", "a"]) dispatch("press", {key}, null);\n'
        "while (tick) { blocked = false; tick(); }\n"
        "console.log(JSON.stringify(done));"
    )
    run = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == ["a", "b"]


def test_relative_times_are_counted_by_the_tables_clock() -> None:
    text = script("text.js")
    assert "tableTimes.set(time" in text
    assert "(5000.0 + (Date.now() - 1000.0) * 120.0) / 1000" in text


def test_long_description_leaves_the_arrow_in_sight() -> None:
    """The field's only column is as wide as the page, instead of as wide as the description in it."""
    narrow = script("preview.css").split("@media (max-width: 760px)")[-1]
    assert ".channel-composer { grid-template-columns: minmax(0, 1fr); }" in narrow


def test_head_of_the_page_fits_a_phone() -> None:
    """Three rows of buttons, 32 px each with 5 px between them, and the state in the last of them."""
    text = script("preview.css")
    heights = [int(part.split("px")[0]) for part in text.split("--toolbar-height: ")[1:]]
    assert heights[-1] >= 3 * 32 + 2 * 5 + 2 * 6
    assert text.rindex("#action-status { flex: 1 1 0;") > text.index("#action-status { flex: 1 1 100%;")
    with pytest.raises(Changed):
        patch("/preview.css", "x", speed=1, virtual=0, real=0)


def test_other_scripts_are_served_as_they_are() -> None:
    assert patch("/app.js", "x", speed=1, virtual=0, real=0) == "x"


def test_changed_page_is_noticed() -> None:
    with pytest.raises(Changed):
        patch("/actions.js", "x", speed=1, virtual=0, real=0)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
@pytest.mark.parametrize("name", ["actions.js", "text.js"])
def test_the_mended_scripts_can_be_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "page.mjs").write_text(script(name), encoding="utf-8")
    assert subprocess.run(["node", "--check", str(tmp_path / "page.mjs")], check=False).returncode == 0


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_time_runs_as_fast_as_the_table() -> None:
    clock = script("text.js").split("const tableTimes")[1]
    code = (
        "const tableTimes" + clock.replace("}, 500);", "}, 500).unref();") + "\nDate.now = () => 1000 + 30_000;\n"
        "console.log(JSON.stringify([tableNow(), relativeTime(tableNow() + 7200, 'en-US')]));"
    )
    done = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [5 + 30 * 120, "in 2 hours"]
