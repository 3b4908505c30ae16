"""`python -m bot`: run the bot on Discord with the token from the environment or `.env`."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys

import discord

from bot.client import create_bot
from bot.errors import SettingsError
from bot.settings import load_settings

log = logging.getLogger("bot")


async def run() -> int:
    """Run until SIGINT or SIGTERM. Returns the exit code: 0 after a clean stop, 2 if a setting is wrong."""
    try:
        settings = load_settings()
        token = settings.require_token()
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    discord.utils.setup_logging(level=logging.getLevelName(settings.log_level), root=True)
    bot = create_bot(settings)
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        # discord.py leaves SIGTERM to the system, which would end the process in the middle of a commit.
        loop.add_signal_handler(name, stop.set)
    running = asyncio.create_task(bot.start(token), name="bot")
    stopping = asyncio.create_task(stop.wait(), name="signal")
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    await bot.close()
    stopping.cancel()
    try:
        await running
    except discord.LoginFailure:
        print("Discord refused the token: check DISCORD_TOKEN in .env.", file=sys.stderr)
        return 2
    log.info("stopped")
    return 0


def main() -> None:
    """The entry point of `make run`."""
    raise SystemExit(asyncio.run(run()))


if __name__ == "__main__":
    main()
