"""Logging: its setup, and what is never logged: hands, seeds and tokens are kept out at every level.

At DEBUG, some libraries log everything they send and receive: interaction tokens (which let their reader answer in the
bot's name), the alt text of private pictures (a hand), statements and rows (seeds, secret gifts). They are kept above
that level, and anything in an address that looks like a token is removed from every line, also of libraries.

A line stays one line: texts from people and answers from elsewhere may end up in messages and errors, so control
characters and direction marks are written as escapes, and the lines of a traceback are indented.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import traceback
import unicodedata
from typing import Any
from urllib.parse import quote, unquote

import aiohttp
import discord
import structlog

from bot.errors import SettingsError
from bot.storage.faults import Fault

REVEALING = (
    *("discord.gateway", "discord.http", "discord.webhook", "aiosqlite", "sqlalchemy", "asyncpg", "aiohttp"),
    "alembic",
)
"""Loggers that reveal secrets at DEBUG, some at INFO, together with everything below them."""

_TOKEN = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.%-]+")
_HIDDEN: set[str] = set()
"""The operator's own secrets, which are taken out of every line."""

SHORTEST_HIDDEN = 6
"""Shorter ones are not looked for: words of every line have them in them."""

_SUGGESTING = "Ignoring exception in autocomplete"
_LOST = (discord.HTTPException, aiohttp.ClientError, OSError)
_RECONNECT = ("Attempting a reconnect", "Failed to connect for shard_id")


def set_up_logging(level: str, form: str = "people") -> None:
    """Log to standard error from `level` up (`DEBUG`, `INFO` ...), without secrets; `form`: `people` or `json`."""
    handler = logging.StreamHandler()
    handler.addFilter(tidy)
    handler.setFormatter(Prioritized(formatter(form)) if _is_journal() else formatter(form))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level)
    # The bot never speaks, so its log need not say at every start that two voice libraries are missing.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    for name in REVEALING:
        logging.getLogger(name).setLevel(logging.WARNING)
    # It is worth knowing that the connection was made or resumed, and INFO reveals no more than that.
    logging.getLogger("discord.gateway").setLevel(logging.INFO)


class Prioritized(logging.Formatter):
    """Another formatter's lines, each with the priority by which systemd's journal sorts them."""

    def __init__(self, inner: logging.Formatter) -> None:
        super().__init__()
        self._inner = inner

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with `<3>` before each of its lines, if it is an error, and so on."""
        priority = next(number for level, number in _PRIORITIES if record.levelno >= level)
        return "\n".join(f"<{priority}>{line}" for line in self._inner.format(record).split("\n"))


_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6), (logging.NOTSET, 7))
"""The least level for each of syslog's priorities."""


def _is_journal() -> bool:
    """Return True if standard error is read by systemd's journal."""
    try:
        there = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError, AttributeError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{there.st_dev}:{there.st_ino}"


def hide(*secrets: str) -> None:
    """Take these out of every line from now on, also as they stand in an address."""
    for secret in secrets:
        _HIDDEN.update(
            form for form in (secret, quote(secret, safe=""), unquote(secret)) if len(form) >= SHORTEST_HIDDEN
        )


def formatter(form: str) -> logging.Formatter:
    """Return a formatter for lines of the standard library and of structlog, with time, level, logger and facts."""
    every: list[Any] = [structlog.stdlib.add_log_level, structlog.stdlib.add_logger_name, _traced]
    stamp = structlog.processors.TimeStamper("iso", utc=True)
    last: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if form == "json":
        last += [stamp, structlog.processors.JSONRenderer()]
    else:
        last += [stamp, _for_people]
    return structlog.stdlib.ProcessorFormatter(processors=[*every, *last])


def _traced(_logger: object, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Bring along the traceback that `tidy` has made ready."""
    trace = getattr(event["_record"], "trace", None)
    return event if trace is None else event | {"exception": trace}


def _for_people(_logger: object, _method: str, event: dict[str, Any]) -> str:
    """Format `2026-11-24T11:42:00Z INFO bot.deeds: press name=go result=ok ms=41`, with a traceback below."""
    stamp, level, name, trace = (event.pop(key, "") for key in ("timestamp", "level", "logger", "exception"))
    facts = "".join(f" {key}={_quoted(value)}" for key, value in event.items() if key != "event" and value is not None)
    return f"{stamp[:19]}Z {level.upper()} {name}: {event['event']}{facts}" + (f"\n{trace}" if trace else "")


def _quoted(value: object) -> str:
    text = str(value)
    return repr(text) if " " in text and isinstance(value, str) else text


def set_up_sentry(address: str, proxy: str | None = None) -> None:
    """Tell a Sentry of bugs: what was raised where, with no values, names or texts. Raises SettingsError.

    It is reached through `proxy`, or through that of the environment.
    """
    try:
        import sentry_sdk
        from sentry_sdk.integrations.logging import LoggingIntegration
        from sentry_sdk.utils import BadDsn
    except ImportError:
        raise SettingsError("SENTRY_DSN: install the extra of that name: pip install 'dog-bot[sentry]'") from None
    try:
        sentry_sdk.init(
            address,
            before_send=scrubbed,
            default_integrations=False,
            integrations=[LoggingIntegration(level=None, event_level=logging.ERROR)],
            include_local_variables=False,
            max_breadcrumbs=0,
            server_name="",
            https_proxy=proxy,
        )
    except BadDsn:
        raise SettingsError("SENTRY_DSN is no address of a Sentry: copy it from the project's settings.") from None


def scrubbed(event: Any, _hint: object) -> Any:
    """Return what a Sentry is told: kinds of errors and where they were raised, and log lines without their values."""
    kept = {
        key: event[key] for key in ("event_id", "timestamp", "level", "logger", "platform", "release") if key in event
    }
    template = (event.get("logentry") or {}).get("message")
    if isinstance(template, str):
        kept["logentry"] = {"message": _tidied(template)}
    values = (event.get("exception") or {}).get("values") or ()
    kept["exception"] = {
        "values": [
            {key: raised[key] for key in ("type", "module", "mechanism") if key in raised}
            | {
                "stacktrace": {
                    "frames": [
                        {
                            key: frame[key]
                            for key in ("filename", "function", "module", "lineno", "in_app")
                            if key in frame
                        }
                        for frame in (raised.get("stacktrace") or {}).get("frames", ())
                    ]
                }
            }
            for raised in values
        ]
    }
    return kept


def tidy(record: logging.LogRecord) -> bool:
    """Remove tokens and control characters from a line, and the traceback where the line says it all.

    That is the case for a lost connection, suggestions that could not be delivered, and a database in trouble. Always
    returns True: no line is held back.
    """
    if isinstance(record.msg, dict):
        # A deed (`bot.metrics`): facts by name.
        record.msg = {key: _tidied(fact) if isinstance(fact, str) else fact for key, fact in record.msg.items()}
        return True
    problem = record.exc_info[1] if record.exc_info else None
    lost = record.name.startswith("discord.") and str(record.msg).startswith(_RECONNECT)
    undelivered = str(record.msg).startswith(_SUGGESTING) and isinstance(problem, _LOST)
    if problem is not None and (lost or undelivered or isinstance(problem, Fault)):
        record.msg, record.args = f"{record.getMessage()} ({type(problem).__name__}: {problem})", ()
        record.exc_info = record.exc_text = None
    if record.exc_info and record.exc_info[0] is not None:
        trace = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
        record.trace = "\n".join(f"    {_tidied(line)}" for line in trace.split("\n"))
        record.exc_info = record.exc_text = None
    try:
        line = record.getMessage()
    except (TypeError, ValueError):
        return True
    tidied = _tidied(line)
    if tidied != line:
        record.msg, record.args = tidied, ()
    return True


def _tidied(line: str) -> str:
    """Return a line without tokens, and without anything that could end it, reverse it or control a terminal."""
    escaped = "".join(
        sign if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else ascii(sign)[1:-1] for sign in line
    )
    for secret in _HIDDEN:
        escaped = escaped.replace(secret, "...")
    return _TOKEN.sub(r"\1...", escaped)
