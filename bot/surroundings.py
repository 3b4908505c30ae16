"""Faults around the bot: a clock that is not Discord's, and another bot with the same token."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime

import aiohttp

from bot.errors import StorageError
from bot.pace import HOUR
from bot.storage import Store

log = logging.getLogger(__name__)

APART = 10.0
"""Seconds by which the clock may differ from Discord's."""

COMPARE_AGAIN = HOUR
"""Seconds after which the clock is compared again."""

RIVAL = "rival_seen_at"
"""The key of the time (Unix seconds) at which another bot with the same token was noticed, in the store."""

RIVAL_ANSWERS, RIVAL_WITHIN = 3, 600.0
"""The number of answers that another bot gives first, and the seconds in which that is no accident of the network."""

RIVAL_SAID = (
    "Another bot answers with this token, on another machine or in another folder, and each opens tables of its own: "
    "stop one of them, or press Reset Token in the developer portal."
)


class Surroundings:
    """Looks out for these faults while the bot runs, and logs them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._compared = 0.0
        """When the clock was compared with Discord's, in `time.monotonic` seconds; 0: not yet."""
        self._answered_first: list[float] = []
        """When, in the same seconds, another bot seems to have answered before us."""

    async def compare_clocks(self, _session: object, _context: object, about: aiohttp.TraceRequestEndParams) -> None:
        """Warn of a clock that is not Discord's, since deadlines follow it; once an hour."""
        if self._compared and time.monotonic() - self._compared < COMPARE_AGAIN:
            return
        self._compared = time.monotonic()
        if wrong := wrong_clock(about.response.headers.get("Date"), time.time()):
            log.error(wrong)

    async def note_rival(self) -> None:
        """Note that an interaction had an answer before ours; several times in a row, another bot has our token."""
        moment = time.monotonic()
        recent = [when for when in self._answered_first if moment - when < RIVAL_WITHIN]
        self._answered_first = [*recent, moment]
        if len(self._answered_first) == RIVAL_ANSWERS:
            log.error("%s", RIVAL_SAID)
            with suppress(StorageError):
                await self._store.remember(RIVAL, str(int(time.time())))


def wrong_clock(said: str | None, at: float) -> str:
    """Return what is wrong with our clock, which showed `at` when Discord's showed `said`; empty if nothing is."""
    try:
        apart = parsedate_to_datetime(said).timestamp() - at if said else 0.0
    except ValueError:
        return ""
    if abs(apart) <= APART:
        return ""
    return (
        f"this machine's clock is {abs(apart):.0f} s {'behind' if apart > 0 else 'ahead of'} Discord's, and "
        "deadlines with it: let it follow a time server (timedatectl set-ntp true)."
    )
