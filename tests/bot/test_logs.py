"""What is logged: no token, hand, seed or alt text at any level, and one line for a lost connection."""

import io
import logging
from collections.abc import Iterator

import discord
import pytest

from bot import logs
from bot.logs import REVEALING, Prioritized, hide, set_up_logging
from bot.settings import Settings
from bot.storage.faults import Fault, FaultKind


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What a program that logs at DEBUG writes to standard error."""
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    root = logging.getLogger()
    before = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in REVEALING}
    for name in ("warn_nacl", "warn_dave"):
        monkeypatch.setattr(discord.VoiceClient, name, True)
    set_up_logging("DEBUG")
    yield stream
    root.handlers[:], root.level = before
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.parametrize(
    "name",
    ["discord.gateway", "discord.http", "discord.webhook.async_", "sqlalchemy.engine.Engine", "aiosqlite", "asyncpg"],
)
def test_libraries_that_tell_everything_are_held(written: io.StringIO, name: str) -> None:
    logging.getLogger(name).debug("a secret")
    assert written.getvalue() == ""
    logging.getLogger(name).warning("a warning")
    assert "a warning" in written.getvalue()


def test_other_loggers_speak_at_debug(written: io.StringIO) -> None:
    logging.getLogger("bot.tables").debug("table %s", 7)
    assert "table 7" in written.getvalue()


def test_tokens_in_addresses_are_removed(written: io.StringIO) -> None:
    line = "POST https://discord.com/api/v10/webhooks/123/aW50ZXJh.Y3Rp-b24_/messages and /interactions/9/abc/callback"
    logging.getLogger("aiohttp.client").error("refused: %s", line)
    assert "aW50" not in written.getvalue()
    assert "/abc" not in written.getvalue()
    assert "/webhooks/123/.../messages and /interactions/9/.../callback" in written.getvalue()


def test_operators_secrets_are_removed(written: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_HIDDEN", set())
    settings = Settings(
        _env_file=None,
        discord_token="odd.t0ken+/=",
        database_url="postgresql://dog:hun%40ter2%2F@h/x",
        https_proxy="http://dog:pr%40xy-pass@proxy:3128",
        sentry_dsn="https://sentry-key@example.org/1",
    )
    hide(*settings.secrets)
    for secret in ("odd.t0ken+/=", "hun@ter2/", "hun%40ter2%2F", "pr@xy-pass", "pr%40xy-pass", "sentry-key"):
        logging.getLogger("aiohttp.client").error("refused: %s", f"http://{secret}@h")
        failing("bot.tables", "table %s", secret, ValueError(secret))
        assert secret not in written.getvalue()
    assert "Traceback" in written.getvalue()


def failing(name: str, words: str, about: object, error: Exception) -> None:
    """Log an error as a logger of this name does where it catches one."""
    try:
        raise error
    except type(error):
        logging.getLogger(name).exception(words, about)


@pytest.mark.parametrize(
    ("name", "words", "about", "error", "said"),
    [
        (
            *("discord.client", "Attempting a reconnect in %.2fs", 1.5, ConnectionResetError("gone")),
            "Attempting a reconnect in 1.50s (ConnectionResetError: gone)",
        ),
        (
            *("bot.tables", "driving table %s failed", 7, Fault(FaultKind.FULL, "data/dog.db")),
            "driving table 7 failed (Fault: There is no room left",
        ),
        (
            *("discord.app_commands.tree", "Ignoring exception in autocomplete for %r", "play", OSError("reset")),
            "reset",
        ),
    ],
    ids=["a lost connection", "a database in trouble", "suggestions that nobody could be sent"],
)
def test_what_is_to_be_expected_is_one_line(
    written: io.StringIO, name: str, words: str, about: object, error: Exception, said: str
) -> None:
    failing(name, words, about, error)
    assert written.getvalue().count("\n") == 1
    assert said in written.getvalue()


def test_other_traces_stay(written: io.StringIO) -> None:
    failing("discord.client", "Ignoring exception in %s", "on_ready", ValueError("odd"))
    assert "Traceback" in written.getvalue()


def test_peoples_text_never_begins_a_line(written: io.StringIO) -> None:
    forged = "Ann\n[2026-01-01 00:00:00] [CRITICAL] bot: sold\r\x1b[2J\u202e\u2028\x00"
    logging.getLogger("bot.tables").error("refused %s", forged)
    assert written.getvalue().count("\n") == 1
    assert not set(written.getvalue()) & set("\r\u202e\u2028\x00")
    assert "\x1b[2J" not in written.getvalue()
    assert "refused Ann\\n[2026-01-01" in written.getvalue()


def test_trace_lines_are_indented_whatever_the_message(written: io.StringIO) -> None:
    error = ValueError("odd\n[2026-01-01 00:00:00] [CRITICAL] bot: sold\u202e /webhooks/1/secret")
    failing("bot.tables", "table %s", 7, error)
    first, *others = written.getvalue().splitlines()
    assert "table 7" in first
    assert len(others) > 3
    assert all(line.startswith("    ") for line in others)
    assert "\u202e" not in written.getvalue()
    assert "secret" not in written.getvalue()


def test_nothing_is_said_about_voice_at_the_start(written: io.StringIO) -> None:
    discord.Client(intents=discord.Intents.none())
    assert "voice" not in written.getvalue()


def test_lines_for_the_journal_have_priorities() -> None:
    plain = Prioritized(logging.Formatter("%(message)s"))
    for level, said in (
        (logging.CRITICAL, "<2>a\n<2>b"),
        (logging.WARNING, "<4>a\n<4>b"),
        (logging.INFO, "<6>a\n<6>b"),
    ):
        assert plain.format(logging.LogRecord("x", level, "", 0, "a\nb", (), None)) == said
