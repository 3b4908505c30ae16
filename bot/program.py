"""The program behind `dog-bot` and `python -m bot`: its commands, the order in which it starts, and how it ends.

A start that cannot succeed ends in one line on standard error that says what is wrong and how to fix it, with status 2
if the operator has to change something, 75 (as in sysexits.h) if it may succeed later. The settings are read first,
then the database is locked and opened, and only then does the bot log in. If Discord asks to be left alone for a
while, the bot waits for that long before it tries again, so that operators who start it anew do not make it longer.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import gc
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import aiohttp
import discord

from bot.client import DogBot
from bot.errors import BotError, SettingsError
from bot.interactions.tree import DogTree
from bot.languages import BrokenCatalogue
from bot.logs import hide, set_up_logging, set_up_sentry
from bot.metrics import version_of_the_bot
from bot.operating.checking import LATER, WRONG, check
from bot.operating.healthy import main as answer_healthy
from bot.operating.monitoring import serve_monitoring, tell_health
from bot.operating.operators import add_to, count, take_orders
from bot.operating.retry_after import cause_of, format_seconds, is_cloudflare, seconds_asked
from bot.pools import Pools
from bot.settings import ENV_FILE, Settings, load_settings, misspelt, no_file, others_can_read
from bot.storage.backup import CannotCopy, back_up, back_up_into, copy, restore
from bot.storage.connection import lock_file
from bot.storage.faults import Fault
from bot.table import Terms

log = logging.getLogger("bot")

STOPPED_WITHIN = 4.5
"""Seconds after a signal by which the process ends, whatever is still under way."""

GOODBYE = 0.5
"""Seconds for the connections to notice that they were closed."""

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that stop the bot. The last comes when its terminal closes; Windows has none."""

NEW_OBJECTS = (2_000, 4, 1_000_000)
"""The garbage collector's thresholds: how many new objects trigger a look at the newest generation, how many such looks
include the second, and how many of those would include everything: practically never."""

LOAD_OVER = 5.0
"""Seconds over which the load is measured to find a quiet moment."""

QUIET = 0.02
"""The share of a core that the process uses at most while it is not asked for anything."""

COLLECT_AFTER = 600.0
"""Seconds after which all garbage is collected again, in a quiet moment."""

COLLECT_AT_LAST = 6 * 3600.0
"""Seconds after which that is done even if no moment was quiet."""

_USED_UP = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT)
"""The system's errors for used-up resources."""

_FATAL_CLOSES = {
    4004: "Discord refused the token: check DISCORD_TOKEN in .env.",
    4010: "Discord refused the shard: check SHARD_IDS and SHARD_COUNT.",
    4011: "The bot is in too many servers for its shards: raise SHARD_COUNT.",
    4013: "Discord refused the intents of this version of the bot: update it.",
    4014: "Discord refused the intents: the bot needs no privileged ones, so this copy has been modified.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command given by the arguments; returns the exit status."""
    parsed = _parser().parse_args(arguments)
    work: Callable[[argparse.Namespace], Coroutine[Any, Any, int | None]] = parsed.work
    # Whatever is written is for the owner's eyes only: the database, its log beside it, copies.
    os.umask(0o077)
    try:
        _go_home(parsed.home)
        return asyncio.run(work(parsed)) or 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The program that reads what we write has ended, such as `head`; Python would complain of that once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except Exception as problem:
        ending = explain(problem)
        if ending is None:
            raise
        text, status = ending
        print(text, file=sys.stderr)
        return status


def explain(problem: BaseException) -> tuple[str, int] | None:
    """Return the line and exit status for what ended the program; None for a bug, which shows its traceback."""
    problem = cause_of(problem)
    match problem:
        case Fault():
            return str(problem), LATER if problem.kind.passing else WRONG
        case BotError() | BrokenCatalogue():
            return _line(str(problem)), WRONG
        case discord.LoginFailure():
            return "Discord refused the token: check DISCORD_TOKEN in .env.", WRONG
        case discord.PrivilegedIntentsRequired():
            return _FATAL_CLOSES[4014], WRONG
        case discord.ConnectionClosed():
            text = _FATAL_CLOSES.get(problem.code)
            return (text, WRONG) if text else (f"Discord closed the connection ({problem.code}): try later.", LATER)
        case discord.HTTPException() if is_cloudflare(problem):
            span = format_seconds(seconds_asked(problem) or 0)
            return (
                f"Cloudflare, the shield before Discord, refuses this machine's address (HTTP {problem.status}): "
                f"do not try again for {span}. Each try makes that longer; other programs at this address count too.",
                LATER,
            )
        case discord.Forbidden():
            return f"Discord refused what the bot asked for ({_line(problem.text)}): check GUILD_IDS.", WRONG
        case discord.HTTPException() if problem.status == 407:
            return _PROXY_REFUSES, WRONG
        case discord.HTTPException() if problem.status >= 500:
            return f"Discord cannot serve us at present (HTTP {problem.status}): try again in some minutes.", LATER
        case discord.HTTPException():
            return f"Discord refused what the bot asked for (HTTP {problem.status}: {_line(problem.text)}).", WRONG
        case discord.RateLimited():
            return f"Discord asks the bot to wait: do not try again for {format_seconds(problem.retry_after)}.", LATER
        case discord.GatewayNotFound():
            return "Discord cannot serve us at present: try again in some minutes.", LATER
        case aiohttp.ClientHttpProxyError() if problem.status == 407:
            return _PROXY_REFUSES, WRONG
        case aiohttp.ClientHttpProxyError():
            return f"The proxy does not let the bot reach Discord (HTTP {problem.status}): ask who runs it.", LATER
        case aiohttp.ClientProxyConnectionError():
            there = f"{problem.host}:{problem.port}"
            return f"The proxy {there} cannot be reached: check HTTPS_PROXY, or try again later.", LATER
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return (
                f"The answer is not certified as Discord's ({_line(str(problem))}): set this machine's clock, update "
                "its certificates (ca-certificates), and look for a proxy or firewall that reads along.",
                LATER,
            )
        case OSError() if problem.errno in _USED_UP:
            return f"This machine has no more ({problem.strerror}): look at its limits, memory and disk.", LATER
        case OSError() if problem.filename is not None:
            return f"{problem.filename} cannot be used ({problem.strerror}): look at the file and its rights.", WRONG
        case aiohttp.ClientError() | OSError() | TimeoutError():
            return f"Discord cannot be reached ({_line(str(problem))}): check the network, try again later.", LATER
        case _:
            return None


_PROXY_REFUSES = (
    "The proxy refuses the bot (HTTP 407): check user and password in HTTPS_PROXY; in a password, @ is written %40."
)


def _line(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dog-bot", description="Run the DOG bot on Discord, or look after its database."
    )
    parser.add_argument(
        "--home", type=Path, metavar="FOLDER", help="where .env and data/ are, as if it were started there"
    )
    parser.add_argument("--version", action="version", version=version_of_the_bot())
    parser.set_defaults(work=_run)
    words = parser.add_subparsers(metavar="COMMAND", title="instead of running it")
    checked = words.add_parser("check", help="look at settings, token, database, disk, fonts, clock and Discord")
    checked.add_argument("--offline", action="store_true", help="do not ask Discord")
    checked.add_argument("--json", action="store_true", help="for scripts")
    checked.set_defaults(work=_check)
    healthy = words.add_parser("healthy", help="say whether the bot that runs here serves people; for health checks")
    healthy.set_defaults(work=_healthy)
    add_to(words)
    backup = words.add_parser("backup", help="write all games into a new file; the bot may go on running")
    backup.add_argument("file", type=Path, help="a new file; with --keep, a folder")
    backup.add_argument("--keep", type=int, metavar="N", help="a file of its own in the folder, and the newest N stay")
    backup.set_defaults(work=_back_up)
    back = words.add_parser("restore", help="put a backup in the place of the database; the bot must not run")
    back.add_argument("file", type=Path)
    back.set_defaults(work=_restore)
    moved = words.add_parser("copy", help="copy a database into an empty one, such as a PostgreSQL; no bot must run")
    moved.add_argument("source", metavar="FROM", help="an address as in DATABASE_URL")
    moved.add_argument("target", metavar="TO", help="another one")
    moved.set_defaults(work=_copy)
    return parser


def _go_home(folder: Path | None) -> None:
    """Work in this folder, where `.env` is and `data/` will be. Raises SettingsError if that is impossible."""
    if folder is None:
        return
    try:
        os.chdir(folder)
    except OSError as problem:
        raise SettingsError(f"--home {folder}: {problem.strerror}; make the folder first.") from None


async def _check(arguments: argparse.Namespace) -> int:
    """Print what a start would meet; the status is that of the start, 2 before 75."""
    findings = await check(explain, online=not arguments.offline)
    if arguments.json:
        print(json.dumps([finding.to_json() for finding in findings], indent=1))
    else:
        print(*findings, sep="\n")
    statuses = {finding.status for finding in findings}
    return next((status for status in (WRONG, LATER) if status in statuses), 0)


async def _healthy(_: argparse.Namespace) -> int:
    return answer_healthy()


async def _back_up(arguments: argparse.Namespace) -> None:
    url, file = load_settings().database_url, arguments.file
    if arguments.keep is None:
        content = await back_up(url, file)
    elif arguments.keep < 1:
        raise CannotCopy("--keep 0 would delete the backup too: keep 1 at least.")
    else:
        file, content = await back_up_into(url, file, arguments.keep)
    print(
        f"{file}: {count(content.games, 'game')}, {content.running} of them running. It holds the seeds of running "
        "games: anyone who reads it knows every hand that will be dealt. Keep it as secret as the token."
    )


async def _restore(arguments: argparse.Namespace) -> None:
    url = load_settings().database_url
    aside = await restore(arguments.file, url)
    kept = "" if aside is None else f" The database that was there is kept in {aside}."
    print(f"{arguments.file} is the database now.{kept}")


async def _copy(arguments: argparse.Namespace) -> None:
    # Both addresses are named, but a password may be set.
    load_settings()
    counts = await copy(arguments.source, arguments.target)
    rows = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    print(f"Copied and compared: {rows or 'nothing, for there was nothing'}.")


async def _run(_: argparse.Namespace) -> None:
    """Run the bot until a signal stops it."""
    settings = load_settings()
    token = settings.require_token()
    set_up_logging(settings.log_level, settings.log_format)
    hide(*settings.secrets)
    if settings.sentry_dsn is not None:
        proxy = settings.https_proxy.get_secret_value() if settings.https_proxy else None
        set_up_sentry(settings.sentry_dsn.get_secret_value(), proxy)
    warn_of(ENV_FILE)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def end() -> None:
        stop.set()
        _end_within(STOPPED_WITHIN)

    for name in SIGNALS:
        number = getattr(signal, name, None)
        # discord.py leaves SIGTERM to the system, which would end the process in the middle of a commit. What is
        # started with nohup ignores SIGHUP.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, end)
    while True:
        try:
            await _serve(settings, token, stop)
        except Exception as problem:
            seconds = seconds_asked(problem)
            said = explain(problem)
            if seconds is None or said is None:
                raise
            until = datetime.now(UTC) + timedelta(seconds=seconds)
            log.error("%s The bot asks nothing until %s UTC, and then tries again.", said[0], f"{until:%Y-%m-%d %H:%M}")
            if await is_stopped_within(stop, seconds):
                break
        else:
            break
    log.info("stopped")


async def is_stopped_within(stop: asyncio.Event, seconds: float) -> bool:
    """Wait for this long; returns True, earlier, if the program is to stop."""
    try:
        async with asyncio.timeout(seconds):
            return await stop.wait()
    except TimeoutError:
        return False


def make_bot(settings: Settings, **options: Any) -> DogBot:
    """Return the bot with everything that serves people; `options` are those of `DogBot`."""
    # By name, since the cogs know the bot and not the other way round.
    return DogBot(settings, tree_cls=DogTree, add_cogs=import_module("cogs").setup, **options)


async def _serve(settings: Settings, token: str, stop: asyncio.Event) -> None:
    """Run the bot until it is to stop. Raises what is in the way of that."""
    with lock_file(settings.database_url):
        # With shards, a client can only be closed before it has logged in if it has been entered.
        pools = Pools(settings.drawing_processes, ahead=(Terms().theme,))
        async with make_bot(settings, pools=pools) as bot, contextlib.AsyncExitStack() as stack:
            await bot.store.open()
            await bot.store.locks.take()
            log.info("version %s, serving %s", version_of_the_bot(), bot.serving)
            await stack.enter_async_context(tell_health(bot))
            await stack.enter_async_context(serve_monitoring(bot, settings.metrics_port))
            await stack.enter_async_context(take_orders(bot))
            running = asyncio.create_task(bot.start(token), name="bot")
            stopping = asyncio.create_task(stop.wait(), name="signal")
            holding = asyncio.create_task(bot.store.locks.keep(), name="locks")
            collecting = asyncio.create_task(_collect(bot), name="collect garbage")
            await asyncio.wait({running, stopping, holding}, return_when=asyncio.FIRST_COMPLETED)
            collecting.cancel()
            holding.cancel()
        stopping.cancel()
        await asyncio.wait({running, holding}, timeout=GOODBYE)
        if not running.done():
            # A shard that is just connecting does not notice that everything was closed.
            running.cancel()
        if not holding.cancelled():
            # Another process serves what was ours.
            await asyncio.wait({running})
            await holding
        # A login that was cut off complains about that.
        with contextlib.suppress(asyncio.CancelledError, *([Exception] if stop.is_set() else [])):
            await running


async def _collect(bot: DogBot) -> None:
    await bot.wait_until_ready()
    await collect_when_quiet()


async def collect_when_quiet() -> None:
    """Leave full garbage collections to quiet moments. Never returns; call it when the start is complete.

    Reference counting frees nearly everything at once; the collector is for reference cycles. It goes through all old
    objects whenever enough of them are new, and with a thousand games in memory that blocks the event loop for a third
    of a second. What is left over from the start is never searched: it stays anyway.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*NEW_OBJECTS)
    collected, used = time.monotonic(), time.process_time()
    while True:
        await asyncio.sleep(LOAD_OVER)
        before, used = used, time.process_time()
        if collects_now(time.monotonic() - collected, (used - before) / LOAD_OVER):
            gc.collect()
            collected, used = time.monotonic(), time.process_time()


def collects_now(since: float, share: float) -> bool:
    """Return True if all garbage is collected now: `since` in seconds, `share` of a core in use."""
    return since >= COLLECT_AT_LAST or (since >= COLLECT_AFTER and share <= QUIET)


def _end_within(seconds: float) -> None:
    """Make sure the process has ended by then, whatever hangs; what is acknowledged is committed, and stays."""

    def end() -> None:
        log.warning("stopped in the middle of something; the next start continues with it")
        logging.shutdown()
        os._exit(0)

    watch = threading.Timer(seconds, end)
    watch.daemon = True
    watch.start()


def warn_of(file: Path) -> None:
    """Warn if others can read the file with the token, and of what in it, or instead of it, is of no effect.

    Raises SettingsError if the address of the database is misspelt.
    """
    if problem := no_file(file):
        log.warning(problem)
    wrong = misspelt(file)
    if "DATABASE_URL" in wrong.values() and not os.environ.get("DATABASE_URL"):
        # The bot would begin anew in a database that was not meant.
        name = next(name for name, meant in wrong.items() if meant == "DATABASE_URL")
        raise SettingsError(f"{name} in {file.absolute()} is no setting: write DATABASE_URL=, or remove the line.")
    for name, meant in wrong.items():
        log.warning("%s in %s is no setting: %s= is probably meant", name, file, meant)
    if others_can_read(file):
        log.warning("others on this machine can read %s with the bot's token: chmod 600 %s", file, file)
