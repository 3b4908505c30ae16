"""What is logged, and what never is: hands, seeds and tokens are kept out at every level.

At DEBUG, some libraries log everything they send and receive: interaction tokens (with which anybody can answer in the
bot's name), the alt text of private pictures (a hand), statements and rows (seeds, secret gifts). They are kept above
that level, and anything in an address that looks like a token is removed from every line, whoever wrote it.

A line stays one line: texts from people and answers from elsewhere may end up in messages and errors, so control
characters and direction marks are written as escapes, and the lines of a traceback are indented.
"""

from __future__ import annotations

import logging
import re
import traceback
import unicodedata

import aiohttp
import discord

from bot.storage.faults import Fault

REVEALING = ("discord.gateway", "discord.http", "discord.webhook", "aiosqlite", "sqlalchemy", "asyncpg", "aiohttp")
"""Loggers that reveal secrets at DEBUG, some at INFO, together with everything below them."""

_TOKEN = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.%-]+")
_SUGGESTING = "Ignoring exception in autocomplete"
_LOST = (discord.HTTPException, aiohttp.ClientError, OSError)
_RECONNECT = ("Attempting a reconnect", "Failed to connect for shard_id")


def set_up_logging(level: str) -> None:
    """Log to standard error from `level` up (`DEBUG`, `INFO` ...), without secrets."""
    handler = logging.StreamHandler()
    handler.addFilter(tidy)
    discord.utils.setup_logging(handler=handler, level=logging.getLevelName(level), root=True)
    # The bot never speaks, so nobody needs to read at every start that two voice libraries are missing.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    for name in REVEALING:
        logging.getLogger(name).setLevel(logging.WARNING)
    # It is worth knowing that the connection was made or resumed, and INFO reveals no more than that.
    logging.getLogger("discord.gateway").setLevel(logging.INFO)


def tidy(record: logging.LogRecord) -> bool:
    """Remove tokens and control characters from a line, and the traceback where the line says it all.

    That is the case for a lost connection, suggestions that could not be delivered, and a database in trouble. Always
    returns True: no line is held back.
    """
    problem = record.exc_info[1] if record.exc_info else None
    lost = record.name.startswith("discord.") and str(record.msg).startswith(_RECONNECT)
    undelivered = str(record.msg).startswith(_SUGGESTING) and isinstance(problem, _LOST)
    if problem is not None and (lost or undelivered or isinstance(problem, Fault)):
        record.msg, record.args = f"{record.getMessage()} ({type(problem).__name__}: {problem})", ()
        record.exc_info = record.exc_text = None
    if record.exc_info and record.exc_info[0] is not None:
        trace = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
        record.exc_text = "\n".join(f"    {_tidied(line)}" for line in trace.split("\n"))
        record.exc_info = None
    try:
        line = record.getMessage()
    except (TypeError, ValueError):
        return True
    tidied = _tidied(line)
    if tidied != line:
        record.msg, record.args = tidied, ()
    return True


def _tidied(line: str) -> str:
    """A line without tokens, and without anything that could end it, reverse it or control a terminal."""
    escaped = "".join(
        one if unicodedata.category(one) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else ascii(one)[1:-1] for one in line
    )
    return _TOKEN.sub(r"\1...", escaped)
