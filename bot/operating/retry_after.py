"""Waiting times asked for by Discord, or by Cloudflare before it, which refuses whole addresses."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime

import discord

UNSAID = 15 * 60.0
"""Seconds to leave them alone if they do not say how long."""

LONGEST = 24 * 3600.0
"""The most seconds for which that is done without asking again."""


def cause_of(problem: BaseException) -> BaseException:
    """Return Discord's answer, where discord.py only says that it found no gateway."""
    return problem.__cause__ or problem if isinstance(problem, discord.GatewayNotFound) else problem


def is_cloudflare(problem: BaseException) -> bool:
    """Return True if Cloudflare refused this machine's address; Discord never saw the request then."""
    if not isinstance(problem, discord.HTTPException):
        return False
    # Discord itself answers in JSON.
    page = "html" in problem.response.headers.get("Content-Type", "")
    return problem.status == 429 or (problem.status == 403 and page)


def seconds_asked(problem: BaseException) -> float | None:
    """Return the seconds for which nothing may be asked after this error; None if it names none."""
    problem = cause_of(problem)
    if isinstance(problem, discord.RateLimited):
        return min(problem.retry_after, LONGEST)
    if not isinstance(problem, discord.HTTPException) or not is_cloudflare(problem):
        return None
    said = problem.response.headers.get("Retry-After", "")
    try:
        seconds = float(said) if said.strip().isdigit() else parsedate_to_datetime(said).timestamp() - time.time()
    except ValueError:
        seconds = UNSAID
    return max(1.0, min(seconds, LONGEST))


def format_seconds(seconds: float) -> str:
    """Return a span of time in words, in minutes beyond two of them."""
    return f"{round(seconds)} seconds" if seconds < 120 else f"{round(seconds / 60)} minutes"
