"""The local table: opens, follows the real clock, shows what the bot says on its own, and closes without a trace."""

import asyncio
import re
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import simcord
from discord import app_commands
from simcord.preview import _commands

from bot.languages import language_for
from bot.texts import buttons
from tools.local import __main__ as local_table
from tools.local import simulated
from tools.local.simulated import PEOPLE, SimulatedDiscord

ROOT = Path(__file__).resolve().parents[2]


class Echo(discord.Client):
    """The smallest bot that does what the table is for: it answers, and later speaks up on its own."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(app_commands.Command(name="later", description="speak later", callback=self.later))
        self.tree.add_command(app_commands.Command(name="ponder", description="think", callback=self.ponder))
        self.tree.add_command(app_commands.Command(name="aside", description="open a thread", callback=self.aside))
        self.thought = threading.Event()
        self.said: list[discord.Locale] = []

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def later(self, interaction: discord.Interaction) -> None:
        self.said.append(interaction.locale)
        await interaction.response.send_message("wait", ephemeral=True)
        # The click itself would wait for any sleep shorter than SimCord's patience.
        self.speaking = asyncio.create_task(self.speak(interaction))

    async def aside(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("there", ephemeral=True)
        thread = await interaction.channel.create_thread(name="aside", type=discord.ChannelType.public_thread)
        await thread.send("in the thread")

    async def ponder(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await asyncio.to_thread(self.thought.wait)
        await interaction.followup.send("that is how it went", ephemeral=True)

    async def speak(self, interaction: discord.Interaction) -> None:
        await asyncio.sleep(5.5)
        await interaction.channel.send("there you are")


class Page:
    """What the page in the browser does, without the browser."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self.session = session
        self.base, _, key = address.partition("#")
        self.headers = {"X-Simcord-Capability": key}

    async def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        method = self.session.get if body is None else self.session.post
        async with method(self.base + path, headers=self.headers, **({} if body is None else {"json": body})) as answer:
            return await answer.json()

    async def open(self) -> dict[str, Any]:
        state = await self.ask("api/pages", {})
        self.headers["X-Simcord-Context"] = state["context"]["id"]
        return state

    async def run(self, command: str, *, behind: int = 0) -> dict[str, Any]:
        state = await self.ask("api/state")
        entry = next(one for one in (await self.ask("api/commands"))["entries"] if one["path"] == [command])
        return await self.ask(
            "api/action",
            {
                "protocol_version": 3,
                "sequence": 1,
                "request_id": "one",
                "generation": state["context"]["generation"],
                "bot_generation": state["botGeneration"],
                "published_revision": state["publishedRevision"] - behind,
                "kind": "run_command",
                "command_id": entry["commandId"],
                "path": entry["path"],
                "schema_fingerprint": entry["schemaFingerprint"],
                "options": {},
            },
        )

    async def text(self) -> str:
        return str((await self.ask("api/state"))["messages"])


@pytest.fixture(autouse=True)
def one_language_here_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The local table lets everybody speak one language; the tests after this one get their own back."""
    monkeypatch.setattr(simcord.interactions, "base_payload", simcord.interactions.base_payload)
    monkeypatch.setattr(_commands, "_authorized_catalog", _commands._authorized_catalog)


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def test_page_shows_the_channel_to_four_people(session: aiohttp.ClientSession) -> None:
    async with SimulatedDiscord(Echo(), port=0) as place:
        state = await Page(session, place.address).open()
    assert [viewer["name"] for viewer in state["viewers"]] == list(PEOPLE)
    assert "Welcome" in str(state["messages"])


async def test_each_person_has_a_page_of_direct_messages(
    session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated, "TICK", 0.01)
    async with SimulatedDiscord(Echo(), port=0, speed=600) as place:
        assert list(place.dm_addresses) == list(PEOPLE)
        alex, kim = (Page(session, place.dm_addresses[name]) for name in ("Alex", "Kim"))
        for page in (alex, kim):
            await page.open()
        assert (await alex.run("later"))["settlement"] == "settled"
        serving = asyncio.create_task(place.serve())
        while "there you are" not in await alex.text():
            assert not serving.done()
        assert "there you are" not in await kim.text()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def test_press_counts_when_another_page_was_first(session: aiohttp.ClientSession) -> None:
    async with SimulatedDiscord(Echo(), port=0) as place:
        page = Page(session, place.address)
        await page.open()
        assert (await page.run("aside", behind=1))["settlement"] == "settled"


async def test_each_thread_has_a_page_for_all(session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "TICK", 0.01)
    async with SimulatedDiscord(Echo(), port=0) as place:
        page = Page(session, place.address)
        await page.open()
        assert (await page.run("aside"))["settlement"] == "settled"
        serving = asyncio.create_task(place.serve())
        while "Thread [aside]" not in await page.text():
            assert not serving.done()
        state = await Page(session, place.thread_addresses[0]).open()
        assert [viewer["name"] for viewer in state["viewers"]] == list(PEOPLE)
        assert "in the thread" in str(state["messages"])
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def test_bots_own_messages_reach_the_page(
    session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated, "TICK", 0.01)
    bot = Echo()
    async with SimulatedDiscord(bot, port=0, locale="de", speed=600) as place:
        page = Page(session, place.address)
        await page.open()
        assert (await page.run("later"))["settlement"] == "settled"
        assert "there you are" not in await page.text()
        # The clock starts running, at ten minutes a second.
        serving = asyncio.create_task(place.serve())
        while "there you are" not in await page.text():
            assert not serving.done()
        assert bot.said == [discord.Locale.german]
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
    assert bot.is_closed()


async def test_answer_slower_than_the_simulation_arrives(
    session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A review takes many seconds; SimCord waits for five, and then calls the outcome uncertain."""
    bot = Echo()
    settle = simcord.Env._settle_internal
    gave_up = 0

    async def soon(env: simcord.Env, **named: Any) -> None:
        nonlocal gave_up
        try:
            await settle(env, **named)
        except TimeoutError:
            gave_up += 1
            if gave_up >= 2:
                bot.thought.set()
            raise

    monkeypatch.setattr(simcord.Env, "_settle_internal", soon)
    async with SimulatedDiscord(bot, port=0) as place:
        page = Page(session, place.address)
        await page.open()
        place._env.settle_timeout = 0.02
        try:
            receipt = await page.run("ponder")
        finally:
            bot.thought.set()
        assert gave_up >= 2
        assert receipt["settlement"] == "settled"
        assert not receipt["uncertain"]
        assert "that is how it went" in await page.text()


async def start(*words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tools.local",
        "--no-browser",
        *words,
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def test_real_bot_opens_and_closes_on_a_signal(session: aiohttp.ClientSession) -> None:
    process = await start("--port", "0")
    try:
        first = (await process.stdout.readline()).decode()
        address = re.fullmatch(r"Local table: (http://127\.0\.0\.1:\d+/#\S+)\n", first)
        assert address, first + (await process.stderr.read()).decode()
        await Page(session, address[1]).open()
    finally:
        process.send_signal(signal.SIGINT)
        rest, errors = await process.communicate()
    assert (process.returncode, errors) == (0, b"")
    assert rest.decode().endswith("Table closed.\n")


async def test_port_in_use_is_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = await start("--port", str(port))
        _, errors = await process.communicate()
    assert process.returncode == 1
    assert f"Port {port} cannot be used" in errors.decode()
    assert "Traceback" not in errors.decode()


def test_port_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert local_table.main(["--no-browser", "--port", "99999"]) == 1
    assert "no port 99999" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "locale"),
    [("de", "de"), ("es", "es-ES"), ("es-419", "es-419"), ("en", "en-US"), ("fr", "fr"), ("ar", "ar"), ("xx", "xx")],
)
def test_locale_may_be_a_language(typed: str, locale: str) -> None:
    assert local_table.find_locale(typed) == locale


def test_language_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert local_table.main(["--no-browser", "--port", "0", "--locale", "qq"]) == 1
    assert "no language qq. The bot has en, de" in capsys.readouterr().err


def test_table_welcomes_in_the_language_of_its_client() -> None:
    german = language_for("de")
    told = simulated.welcome(german, names_commands=True)
    assert "**/dog neu**" in told
    assert buttons.named(german, buttons.FILL) in told
    assert "**/dog new**" in simulated.welcome(german, names_commands=False)


async def test_page_calls_commands_as_the_client_does(session: aiohttp.ClientSession) -> None:
    bot = Echo()
    names = {"later": "später", "wait": "warte"}

    class German(app_commands.Translator):
        async def translate(
            self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
        ) -> str | None:
            return names.get(string.message) if locale is discord.Locale.german else None

    @app_commands.command(name=app_commands.locale_str("wait"), description="wait")
    async def wait(interaction: discord.Interaction, later: int = 0) -> None:
        await interaction.response.send_message(f"{later} is over", ephemeral=True)

    bot.tree.add_command(wait)
    set_up = bot.setup_hook

    async def setup_hook() -> None:
        await bot.tree.set_translator(German())
        await set_up()

    bot.setup_hook = setup_hook  # type: ignore[method-assign]
    async with SimulatedDiscord(bot, port=0, locale="de") as place:
        page = Page(session, place.address)
        await page.open()
        shown = {one["invocation"]: one for one in (await page.ask("api/commands"))["entries"]}
        assert shown["warte"]["options"][0]["label"] == "später"
        assert (await page.run("wait"))["settlement"] == "settled"
        assert "0 is over" in await page.text()
