"""SimCord with patience: how busy the machine is decides nothing.

SimCord waits for the bot to come to rest for some seconds of real time, and then gives up; and a sleep of the bot's
that is longer than this is let be, but ends by itself when so much real time has passed. On a busy machine both happen
in the middle of a test. Here the two are told apart: a long sleep is for `advance_time` alone to end, and the bot may
take as long as it needs.
"""

from __future__ import annotations

from typing import Any

import simcord

LONG = 9.0
"""Seconds from which on a sleep is long: below the shortest one of the bot that a test expects to go on
(`bot.showing.retries.FIRST`). A shorter one is waited for."""

PATIENCE = 240.0
"""Seconds of real time after which something hangs for sure; a test's own time-out comes soon after."""


class PatientEnv(simcord.Env):
    """A simulated Discord whose clock alone ends long sleeps."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **{"check_errors": False, "settle_timeout": PATIENCE, **named})

    def _schedule_timer(self, record: Any, *rest: Any) -> None:
        if record.when - self._virtual_time < LONG:
            super()._schedule_timer(record, *rest)
