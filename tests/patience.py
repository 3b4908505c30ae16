"""SimCord with patience: results do not depend on how busy the machine is, and come a fifth sooner.

SimCord waits some seconds of real time for the bot to come to rest, and then gives up; a longer sleep of the bot's is
left alone, but ends by itself once that much real time has passed. On a busy machine both happen in the middle of a
test. Here the two are kept apart: only `advance_time` ends a long sleep, and the bot may take as long as it needs, when
it starts too.
"""

import copy
import marshal
from types import SimpleNamespace
from typing import Any

import simcord
import simcord._dpy_internals
import simcord.components
import simcord.gateway
import simcord.http.router

LONG = 9.0
"""Sleeps of at least this many seconds count as long: less than the bot's shortest sleep that a test expects to outlast
(`bot.delivery.sending.FIRST`). Shorter ones are waited for."""

PATIENCE = 240.0
"""Seconds of real time after which something must be hanging; a test's own time-out follows soon after."""


def _copied(payload: Any) -> Any:
    """A deep copy. SimCord copies every payload several times; nearly all are plain dicts, lists, texts and numbers."""
    try:
        return marshal.loads(marshal.dumps(payload))
    except ValueError:
        return copy.deepcopy(payload)


simcord.components.deepcopy = _copied
simcord.gateway.copy = simcord.http.router.copy = SimpleNamespace(deepcopy=_copied)


def _never(*_: Any) -> bool:
    return False


# Each time the bot is looked at, SimCord looks for waits of discord.py's own. The bot has none, and not looking saves a
# twentieth of a game. With one, nothing would come to rest, and tests would end by their time-out.
for _wait in (
    *("is_listener_future", "is_wait_for_listener", "is_view_wait_future", "view_expiry_task", "tasks_loop_sleep"),
    "is_intentional_wait_wakeup",
):
    setattr(simcord._dpy_internals, _wait, _never)

IDLE = 0.01
"""Seconds of real time after which the bot is looked at again: SimCord's own pause is most of a long game."""


class PatientEnv(simcord.Env):
    """A simulated Discord where only its own clock ends long sleeps."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **{"check_errors": False, "settle_timeout": PATIENCE, **named})

    def _schedule_timer(self, record: Any, *rest: Any) -> None:
        if record.when - self._virtual_time < LONG:
            super()._schedule_timer(record, *rest)

    async def _settle_internal(self, **named: Any) -> None:
        # SimCord gives a start five seconds, whatever `settle_timeout` says.
        named.pop("timeout", None)
        await super()._settle_internal(**{**named, "idle": IDLE})
