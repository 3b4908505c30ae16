"""`dog-bot healthy`: does the bot that was started here serve people? For health checks, such as Docker's.

It asks the bot on a socket in `data/`, whose name needs no settings, and imports nothing else: Docker asks every ten
seconds, and the whole program would take a quarter of a core for that.
"""

import os
import re
import socket
import sys
from pathlib import Path

ANSWERED = 4.0
"""Seconds to wait for the bot's answer."""

OK = "ok"


def health_socket() -> Path:
    """Return the path of the socket: one for each process, since those that share a folder differ in SHARD_IDS."""
    shards = re.sub(r"[^\d,-]", "", os.environ.get("SHARD_IDS", ""))
    return Path("data") / f"{shards or 'dog'}.healthy"


def ask() -> str:
    """Return what the bot that was started here says of itself, `OK` if it serves people; empty: none answers."""
    try:
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(ANSWERED)
            asked.connect(str(health_socket()))
            return asked.recv(1000).decode(errors="replace").strip()
    except (OSError, AttributeError):
        return ""


def main(home: str | None = None) -> int:
    """Print what the bot in this folder, by default the current one, answers; returns 0 if it serves people, else 1."""
    try:
        os.chdir(home or ".")
    except OSError as problem:
        sys.stdout.write(f"--home {home}: {problem.strerror}\n")
        return 1
    said = ask() or f"no bot answers on {health_socket().absolute()}"
    sys.stdout.write(f"{said}\n")
    return int(said != OK)
