"""The local table: the real bot on a simulated Discord, played in a browser on this machine.

`make play` runs this. Nothing in the bot is replaced: SimCord takes the place of Discord's servers and shows the
channel as a page. There is no token, no account and no network; games are kept in a temporary folder that is deleted at
the end.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path

log = logging.getLogger("tools.local")

PORT = 8123
FASTEST = 10_000
"""The highest speed of time; beyond that, clicks could not come in between."""


class NoTable(Exception):
    """The table cannot be opened; the text is the sentence that the person at the terminal reads."""


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.local", description="Play DOG in the browser, without Discord."
    )
    parser.add_argument("--port", type=int, default=PORT, help="of the page on 127.0.0.1; 0 takes any free one")
    parser.add_argument("--no-browser", action="store_true", help="print the address, open nothing")
    parser.add_argument(
        "--locale", default="en-US", help="the language the client is set to (de, es, es-419); xx: a made-up one"
    )
    parser.add_argument("--speed", type=speed, default=1.0, help="how many times faster time passes, such as 120")
    parser.add_argument("--scenario", help="begin in the middle of this game of bot/scenarios/, such as royal-endgame")
    parser.add_argument("--verbose", action="store_true", help="show what the bot logs, and where things fail")
    return parser.parse_args(words)


def speed(text: str) -> float:
    """Parse how many times faster time should pass. Raises ArgumentTypeError for nonsense."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 1 <= value <= FASTEST:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {FASTEST}")
    return value


def check_port(port: int) -> None:
    """Raise NoTable if the page cannot be served on this port."""
    if not 0 <= port <= 65535:
        raise NoTable(f"There is no port {port}; take one between 1024 and 65535.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise NoTable(
                f"Port {port} cannot be used ({error.strerror}). Another table may be open; "
                f"try: make play PORT={port + 1 if port < 65535 else PORT}"
            ) from error


def find_locale(typed: str) -> str:
    """Return the locale of a client for what was typed: one of Discord's, in full or its language, or a code of ours.

    Discord may lack a language that people choose in the bot; here a client can be set to it. Raises NoTable.
    """
    from discord import Locale

    from bot.languages.known import LANGUAGES
    from tools import pseudo

    locales = [locale.value for locale in Locale]
    wanted = (typed, f"{typed}-{typed.upper()}", *(locale for locale in locales if locale.startswith(f"{typed}-")))
    found = next((locale for locale in wanted if locale in locales), None)
    if found is None and typed not in (*LANGUAGES, pseudo.CODE):
        ours = ", ".join(("en", *LANGUAGES, pseudo.CODE))
        raise NoTable(f"There is no language {typed}. The bot has {ours}; Discord has {', '.join(locales)}.")
    return found or typed


def can_open_browser() -> bool:
    """Return True if there is a desktop; otherwise `webbrowser` would take over the terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


async def play(options: argparse.Namespace) -> None:
    """Open the table, print its address, and serve it until the page ends the session or the task is cancelled.

    Raises NoTable if it cannot be opened.
    """
    check_port(options.port)
    try:
        from bot import languages
        from bot.program import make_bot
        from bot.settings import Settings
        from bot.showing.scenarios import ScenarioError, load
        from tools import pseudo
        from tools.local.simulated import SimulatedDiscord
        from tools.scenarios import make_opener, play_scenario
    except ModuleNotFoundError as error:
        raise NoTable(f"Something is not installed ({error.name}); `make play` installs it.") from error

    locale = find_locale(options.locale)
    languages.offer(locale.partition("-")[0])
    with tempfile.TemporaryDirectory(prefix="dog-table-", ignore_cleanup_errors=True) as folder:
        if locale == pseudo.CODE:
            pseudo.speak(Path(folder))
        database = Path(folder, "dog.sqlite3").as_posix()
        bot = make_bot(Settings(_env_file=None, database_url=f"sqlite+aiosqlite:///{database}", shard_count=1))
        begun = None
        if options.scenario:
            try:
                begun = make_opener(bot, (scenario := load(options.scenario)), play_scenario(scenario), locale)
            except ScenarioError as error:
                raise NoTable(str(error)) from None
        async with SimulatedDiscord(bot, port=options.port, locale=locale, speed=options.speed, opening=begun) as place:
            print(f"Local table: {place.address}", flush=True)
            for name, address in place.dm_addresses.items():
                print(f"Direct messages of {name}: {address}", flush=True)
            print("Type /dog new in the page, press Enter, then the arrow. Ctrl+C here closes the table.", flush=True)
            if not options.no_browser and can_open_browser():
                await asyncio.to_thread(webbrowser.open, place.address)
            await place.serve()


async def run(options: argparse.Namespace) -> int:
    """Play until the end or a signal. Returns the exit code: 0 after a clean end, 1 if there was no table."""
    playing = asyncio.create_task(play(options), name="local table")
    loop = asyncio.get_running_loop()

    def leave(number: signal.Signals) -> None:
        # A second signal ends the program at once, should closing ever hang.
        loop.remove_signal_handler(number)
        playing.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, leave, number)
    try:
        await playing
    except asyncio.CancelledError:
        print("\nTable closed.", flush=True)
    except NoTable as error:
        print(error, file=sys.stderr)
        return 1
    except Exception as error:
        log.debug("no table", exc_info=True)
        print(f"The table broke: {type(error).__name__}: {error}", file=sys.stderr)
        print("Run it again with --verbose to see where.", file=sys.stderr)
        return 1
    else:
        print("Table closed.", flush=True)
    return 0


def main(words: Sequence[str] | None = None) -> int:
    """Run the local table for `make play`."""
    options = arguments(words)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.ERROR, format="%(levelname)s %(name)s: %(message)s"
    )
    for chatty in ("asyncio", "aiosqlite", "PIL", "aiohttp.access", "alembic", "markdown_it"):
        logging.getLogger(chatty).setLevel(logging.WARNING if options.verbose else logging.ERROR)
    return asyncio.run(run(options))


if __name__ == "__main__":
    sys.exit(main())
