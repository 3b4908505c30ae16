"""A proxy: from settings to requests, past it where NO_PROXY says so, and without its password in any text."""

import base64
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from discord.http import HTTPClient

from bot.client import DogBot
from bot.errors import SettingsError
from bot.program import LATER, WRONG, explain
from bot.proxies import Proxies
from bot.settings import load_settings
from tests.bot.operating.portal import TOKEN, Portal, found, wrongs

# aiohttp's old way, which is discord.py's.
pytestmark = pytest.mark.filterwarnings("ignore:The 'proxy_auth' parameter is deprecated:DeprecationWarning")

PASSWORD = "p@ss/w:rd%"
WRITTEN = "p%40ss%2Fw%3Ard%25"

Configure = Callable[..., None]


class Proxy(Portal):
    """A proxy that answers for Discord itself, and keeps what it was asked for and with which password."""

    def __init__(self) -> None:
        super().__init__()
        self.hosts: set[str] = set()
        self.passwords: set[str] = set()
        self.admits = True

    async def serve(self, request: web.Request) -> web.Response:
        self.hosts.add(str(request.url.host))
        scheme, _, given = request.headers.get("Proxy-Authorization", "").partition(" ")
        assert scheme in ("", "Basic")
        self.passwords.add(base64.b64decode(given).decode())
        return await super().serve(request) if self.admits else web.Response(status=407)


@pytest.fixture
async def proxy(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Proxy]:
    made = Proxy()
    app = web.Application()
    app.router.add_get("/{path:.*}", made.serve)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setenv("HTTPS_PROXY", f"http://dog:{WRITTEN}@127.0.0.1:{runner.addresses[0][1]}")
    # A name that no network knows: only the proxy can answer for it.
    monkeypatch.setattr(discord.http.Route, "BASE", "http://discord.invalid")
    yield made
    await runner.cleanup()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    for name in ("DATABASE_URL", "HTTPS_PROXY", "NO_PROXY", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


async def test_discord_is_asked_through_the_proxy(proxy: Proxy) -> None:
    findings = await found(online=True)
    assert wrongs(findings) == {}
    assert proxy.hosts == {"discord.invalid"}
    assert proxy.passwords == {f"dog:{PASSWORD}"}
    assert "for discord.invalid and gateway.discord.gg" in findings["proxy"].text


async def test_the_check_never_shows_its_password(proxy: Proxy) -> None:
    proxy.admits = False
    findings = await found(online=True)
    assert wrongs(findings) == {"Discord": WRONG}
    assert "HTTPS_PROXY" in findings["Discord"].text
    assert PASSWORD not in str(findings)
    assert WRITTEN not in str(findings)


async def test_a_proxy_that_is_away_is_named(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "dog:secret@127.0.0.1:1")
    findings = await found(online=True)
    assert wrongs(findings) == {"Discord": LATER}
    assert "The proxy 127.0.0.1:1 cannot be reached" in findings["Discord"].text
    assert "secret" not in str(findings)


@pytest.mark.parametrize(
    ("without", "served"),
    [
        ("", (True, True)),
        ("*", (False, False)),
        ("discord.com", (False, True)),
        ("example.org, .discord.gg", (True, False)),
        ("cord.com", (True, True)),
    ],
)
def test_hosts_that_no_proxy_names(without: str, served: tuple[bool, bool]) -> None:
    proxies = Proxies.of("http://proxy:3128", without)
    assert (proxies.serves("discord.com"), proxies.serves("gateway.discord.gg")) == served
    assert not proxies.serves("127.0.0.1")


@pytest.mark.parametrize(("without", "through"), [("", True), ("discord.gg", False)])
async def test_the_gateway_goes_through_it_too(monkeypatch: pytest.MonkeyPatch, without: str, through: bool) -> None:
    used: list[tuple[str | None, aiohttp.BasicAuth | None]] = []

    async def connect(http: HTTPClient, url: str, *, compress: int = 0) -> Any:
        used.append((http.proxy, http.proxy_auth))

    monkeypatch.setattr(HTTPClient, "ws_connect", connect)
    monkeypatch.setenv("HTTPS_PROXY", f"dog:{WRITTEN}@proxy:3128")
    monkeypatch.setenv("NO_PROXY", without)
    async with DogBot(load_settings(None)) as bot:
        await bot.http.ws_connect("wss://gateway-eu.discord.gg/?v=10")
    auth = bot.settings.proxies.auth
    assert auth is not None
    assert auth.password == PASSWORD
    assert used == [("http://proxy:3128", auth) if through else (None, None)]
    assert (bot.http.proxy, bot.http.proxy_auth) == ("http://proxy:3128", auth), "webhooks take it from here"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("socks5://dog:hunter2@proxy:1080", "only proxies"),
        ("http://dog:hun@ter2@proxy:3128", "@ is written %40"),
        ("http://dog:hunter2@proxy:hunter2", "http://host:port"),
        ("http://", "http://host:port"),
        ("http://proxy:3128/hunter2", "http://host:port"),
    ],
)
def test_a_proxy_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, address: str, said: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", address)
    with pytest.raises(SettingsError, match=said) as caught:
        load_settings(None)
    assert str(caught.value).startswith("Put these settings right in .env: HTTPS_PROXY: ")
    assert "hunter2" not in str(caught.value)
    assert "ter2" not in str(caught.value)


def test_what_a_proxy_refuses_is_its_own_cause() -> None:
    about: Any = None
    for status, ends in ((407, WRONG), (403, LATER), (502, LATER)):
        ending = explain(aiohttp.ClientHttpProxyError(about, (), status=status, message="no"))
        assert ending is not None
        assert (ending[1], "proxy" in ending[0], str(status) in ending[0]) == (ends, True, True)


def test_its_password_is_in_no_repr() -> None:
    assert PASSWORD not in repr(Proxies.of(f"http://dog:{WRITTEN}@proxy:3128"))
