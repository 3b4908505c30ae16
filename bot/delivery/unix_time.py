"""The time, by the clock that a simulated Discord may set."""

from __future__ import annotations

import discord


def now() -> float:
    """Return the time in Unix seconds."""
    return discord.utils.utcnow().timestamp()
