"""A socket of this machine, on which the bot answers its own commands; without it the bot runs all the same."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bot.storage.files import leave_to_owner, make_folder

log = logging.getLogger(__name__)

LONGEST = 64_000
"""The longest line that is read, in bytes."""


@asynccontextmanager
async def listen(
    path: Path,
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    lacking: str,
    level: int = logging.INFO,
) -> AsyncIterator[None]:
    """Serve those who connect until the block ends; `lacking` is logged if there can be no socket."""
    server = None
    try:
        make_folder(path.parent)
        _remove(path)
        # The program's umask keeps other users out.
        server = await asyncio.start_unix_server(serve, path, limit=LONGEST)
        os.chmod(path, 0o600)
        leave_to_owner(path)
    except (OSError, AttributeError, NotImplementedError) as problem:
        log.log(level, "%s on %s: %s", lacking, path, problem)
    try:
        yield
    finally:
        if server is not None:
            server.close()
            _remove(path)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
