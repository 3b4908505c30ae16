"""Metrics: figures and lines of deeds, on a port of this machine and in the log, with nothing hidden in them."""

import asyncio
import io
import json
import logging
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from prometheus_client import REGISTRY, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from bot import metrics
from bot.errors import SettingsError
from bot.logs import scrubbed, set_up_logging
from bot.metrics import version_of_the_bot
from bot.operating.healthy import main as answer_healthy
from bot.operating.monitoring import find_trouble, serve_monitoring, tell_health
from bot.showing.controls import AskTerms
from bot.storage.faults import Fault, FaultKind
from tests.simtable import SimTable

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def get(port: int, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


def value(text: str, sample: str, **labels: str) -> float:
    samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
    return sum(one.value for one in samples if one.name == sample and labels.items() <= one.labels.items())


async def test_the_figures_of_a_table(table: SimTable, port: int) -> None:
    ann, ben, *_ = table.members
    before = generate_latest().decode()
    await table.slash(ann, "dog new")
    await table.forge(ben, AskTerms(1).custom_id(), on=table.board())
    async with serve_monitoring(table.bot, port):
        assert await get(port, "/healthz") == (200, "ok\n")
        status, now = await get(port, "/metrics")
    assert status == 200
    assert value(now, "dog_guilds") == 1
    assert value(now, "dog_info", version=version_of_the_bot()) == 1
    assert value(now, "dog_disk_free_bytes") > 0
    assert value(now, "dog_backup_age_seconds") == float("inf")

    def more(sample: str, **labels: str) -> float:
        return value(now, sample, **labels) - value(before, sample, **labels)

    assert more("dog_interactions_total", kind="command", result="ok") == 1
    assert more("dog_interactions_total", kind="press", result="refused") == 1
    assert more("dog_acknowledged_seconds_count") == 2
    assert more("dog_posts_total", about="board") == 1
    assert more("dog_board_seconds_count") == 1
    assert more("dog_drawing_seconds_count") >= 1
    assert value(now, "dog_tables", status="lobby") == 1
    assert value(now, "dog_database_faulty") == 0


async def test_each_command_and_press_leaves_one_line(table: SimTable, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "bot.deeds")
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new")
    await table.forge(ben, AskTerms(1).custom_id(), on=table.board())
    asked = [one.msg for one in caplog.records if one.name == "bot.deeds" and one.msg["event"] in ("command", "press")]
    assert [(one["event"], one["name"], one["result"]) for one in asked] == [
        ("command", "dog new", "ok"),
        ("press", "ask_terms", "refused"),
    ]
    assert all(one["guild"] == table.guild.id and one["interaction"] and one["ms"] >= 0 for one in asked)
    assert (asked[1]["table"], asked[1]["refusal"]) == (1, "NotHost")
    assert "ann" not in str(asked)


async def test_what_ails_the_bot(table: SimTable, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(table.bot.store, "fault", Fault(FaultKind.FULL, "dog.db"))
        async with serve_monitoring(table.bot, port):
            status, text = await get(port, "/healthz")
            assert (status, "no room left" in text) == (503, True)
            assert value((await get(port, "/metrics"))[1], "dog_database_faulty") == 1
    ready = SimpleNamespace(is_closed=lambda: False, store=SimpleNamespace(fault=None), is_ready=lambda: False)
    assert find_trouble(ready) == "starting"


async def test_a_port_that_is_taken_is_named(table: SimTable) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(SettingsError, match="METRICS_PORT"):
            async with serve_monitoring(table.bot, taken.getsockname()[1]):
                pass


async def test_health_is_told_without_a_port(
    table: SimTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHARD_IDS", "3-5")
    async with tell_health(table.bot):
        assert await asyncio.to_thread(answer_healthy) == 0
        with monkeypatch.context() as failing:
            failing.setattr(table.bot.store, "fault", Fault(FaultKind.FULL, "dog.db"))
            assert await asyncio.to_thread(answer_healthy) == 1
        monkeypatch.setenv("SHARD_IDS", "0-2")
        assert await asyncio.to_thread(answer_healthy) == 1
    assert not list((tmp_path / "data").iterdir())
    ok, full, other = capsys.readouterr().out.splitlines()
    assert (ok, "no room left" in full, "0-2.healthy" in other) == ("ok", True, True)


def named_in(text: str) -> set[str]:
    return set(re.findall(r"\bdog_[a-z_]+", text))


def test_dashboard_and_alerts_name_figures_that_exist() -> None:
    import yaml

    exist = {one.name for family in REGISTRY.collect() for one in family.samples} | {
        name
        for family in REGISTRY.collect()
        if family.name.startswith("dog_")
        for name in (
            family.name,
            f"{family.name}_total",
            *(f"{family.name}_{part}" for part in ("bucket", "count", "sum")),
        )
    }
    folder = ROOT / "deploy" / "monitoring"
    alerts = yaml.safe_load((folder / "alerts.yml").read_text(encoding="utf-8"))["groups"][0]["rules"]
    assert len(alerts) == 7
    for rule in alerts:
        assert named_in(rule["expr"]) <= exist, rule["alert"]
        assert rule["annotations"]["summary"]
    dashboard = json.loads((folder / "grafana.json").read_text(encoding="utf-8"))
    shown = {name for panel in dashboard["panels"] for one in panel["targets"] for name in named_in(one["expr"])}
    assert shown <= exist
    families = {family.name for family in REGISTRY.collect() if family.name.startswith("dog_")}
    base = {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in shown}
    assert base == families, "every figure is on the dashboard"


# The log


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], io.StringIO]]:
    """Begin to log in this form; returns what is written."""
    root = logging.getLogger()
    before = list(root.handlers), root.level

    def begin(form: str) -> io.StringIO:
        stream = io.StringIO()
        monkeypatch.setattr("sys.stderr", stream)
        set_up_logging("INFO", form)
        return stream

    yield begin
    root.handlers[:], root.level = before


def test_lines_for_people(written: Callable[[str], io.StringIO]) -> None:
    stream = written("people")
    metrics.log.info("press", name="go", result="too often", ms=4, table=None)
    logging.getLogger("bot.x").warning("table %s\nis odd", 7)
    first, second = stream.getvalue().splitlines()
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ INFO bot\.deeds: press name=go result='too often' ms=4", first
    )
    assert second.endswith(r"WARNING bot.x: table 7\nis odd")


def test_lines_for_programs(written: Callable[[str], io.StringIO]) -> None:
    stream = written("json")
    metrics.log.info("press", name="go", why="/interactions/9/secret")
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("bot.x").exception("it failed")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert (first["event"], first["name"], first["level"], first["logger"]) == ("press", "go", "info", "bot.deeds")
    assert first["why"] == "/interactions/9/..."
    assert second["event"] == "it failed"
    assert "ValueError: two" in second["exception"]


def test_a_sentry_is_told_where_and_nothing_else() -> None:
    frame = {"filename": "bot/x.py", "function": "f", "lineno": 3, "vars": {"hand": "'K 7'"}, "context_line": "token"}
    event: dict[str, Any] = {
        "event_id": "1",
        "level": "error",
        "user": {"id": 5},
        "server_name": "home",
        "breadcrumbs": ["Ann plays"],
        "extra": {"seed": "ab"},
        "logentry": {"message": "table %s: %s", "params": [7, "Ann"], "formatted": "table 7: Ann"},
        "exception": {"values": [{"type": "ValueError", "value": "Ann holds K", "stacktrace": {"frames": [frame]}}]},
    }
    told = scrubbed(event, None)
    assert told["logentry"] == {"message": "table %s: %s"}
    assert told["exception"]["values"][0]["type"] == "ValueError"
    assert told["exception"]["values"][0]["stacktrace"]["frames"] == [
        {"filename": "bot/x.py", "function": "f", "lineno": 3}
    ]
    assert not any(secret in json.dumps(told) for secret in ("Ann", "K 7", "token", "seed", "home"))


def test_a_sentry_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import sentry_sdk

    from bot.logs import set_up_sentry

    with pytest.raises(SettingsError, match="SENTRY_DSN"):
        set_up_sentry("nonsense")
    got: list[Any] = []
    monkeypatch.setattr("sentry_sdk.client.make_transport", lambda options: None)
    set_up_sentry("https://key@127.0.0.1/1")
    client = sentry_sdk.get_client()
    monkeypatch.setitem(client.options, "before_send", lambda event, hint: got.append(scrubbed(event, hint)))
    try:
        raise RuntimeError("Ann holds K")
    except RuntimeError:
        logging.getLogger("bot.x").exception("table %s", 7)
    client.close()
    sentry_sdk.get_global_scope().set_client(None)
    (told,) = got
    assert told["exception"]["values"][0]["type"] == "RuntimeError"
    assert "Ann" not in json.dumps(told)
