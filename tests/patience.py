"""SimCord with patience: results do not depend on how busy the machine is, and nothing waits on the wall clock.

SimCord looks at the bot every few milliseconds of real time until it rests. Sleeps end by themselves once that much
real time has passed, and if the bot does not rest within some seconds, SimCord gives up. Here it waits until the event
loop has nothing to do: then either a thread is at work for the bot, which is waited for as long as it takes, or only
time can wake it. In that case a short sleep ends at once, and the clock moves on by its length. A long sleep is left
alone until `advance_time` ends it.
"""

import asyncio
import copy
import marshal
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import simcord
import simcord._dpy_internals
import simcord._runtime
import simcord.components
import simcord.gateway
import simcord.http.router
from simcord._dpy_internals import _REAL_MONOTONIC
from simcord._runtime import _BOT_SCOPE, _CallbackRecord, _selected_env, _track_callback

LONG = 9.0
"""Sleeps of at least this many seconds count as long: less than the bot's shortest sleep that a test expects to outlast
(`bot.delivery.retries.FIRST`)."""

PATIENCE = 240.0
"""Seconds of real time after which something must be hanging; a test's own time-out follows soon after."""


def copied(payload: Any) -> Any:
    """A deep copy. SimCord copies every payload several times; nearly all are plain dicts, lists, texts and numbers."""
    try:
        return marshal.loads(marshal.dumps(payload))
    except ValueError:
        return copy.deepcopy(payload)


simcord.components.deepcopy = copied
simcord.gateway.copy = simcord.http.router.copy = SimpleNamespace(deepcopy=copied)


def _never(*_: Any) -> bool:
    return False


# Each time the bot is looked at, SimCord looks for waits of discord.py's own. The bot has none, and not looking saves a
# twentieth of a game. With one, nothing would come to rest, and tests would end by their time-out.
for _wait in (
    *("is_listener_future", "is_wait_for_listener", "is_view_wait_future", "view_expiry_task", "tasks_loop_sleep"),
    "is_intentional_wait_wakeup",
):
    setattr(simcord._dpy_internals, _wait, _never)


def _monotonic() -> float:
    """SimCord's clock, without looking for its module at each of the loop's turns."""
    env = _selected_env(driver=False)
    return _REAL_MONOTONIC() if env is None else env._virtual_time


simcord._dpy_internals._clock_monotonic = _monotonic
# Each callback is looked for in a list of those under way, and compared by all of its fields.
_CallbackRecord.__eq__ = object.__eq__


class _Soon:
    """SimCord's record of what is called soon for the bot, and the call itself, in one object."""

    __slots__ = ("__simcord_original_callback__", "_error", "_work", "handle", "label")
    when = real_handle = None

    def __init__(self, callback: Any, work: Any, error: Any) -> None:
        self.__simcord_original_callback__, self.label = callback, callback
        self._work, self._error, self.handle = work, error, None

    def __call__(self, *args: Any) -> None:
        with suppress(ValueError):
            self._work.callbacks.remove(self)
        try:
            self.label(*args)
        except BaseException as problem:
            self._error(problem)
            raise


def _track(work: Any, original: Any, callback: Any, args: Any, *, context: Any, when: float | None, **more: Any) -> Any:
    """SimCord's tracking, which costs each callback as much as the loop itself, with less work for what has no time."""
    if when is not None:
        return _track_callback(work, original, callback, args, context=context, when=when, **more)
    identity, bound = more["identity"], getattr(callback, "__self__", None)
    theirs = None if context is None else context.get(_BOT_SCOPE)
    if isinstance(bound, asyncio.Task):
        owner = work.tasks.get(bound)
        scope = theirs if owner is None else (identity[0], owner.generation)
    else:
        scope = _BOT_SCOPE.get() or theirs
        if context is not None and theirs != scope:
            context = more["context_for_scope"](context, scope)
    if scope is None or scope != identity:
        return original(callback, *args, context=context)
    record = _Soon(callback, work, more["record_error"])
    work.callbacks.append(record)
    record.handle = original(record, *args, context=context)
    return record.handle


simcord._runtime._track_callback = _track


class _State:
    """The state that SimCord asks about itself, several times at each of the loop's turns; its own is slow to make."""

    __slots__ = ("advancing", "bot", "generation", "last_dispatch", "loop", "virtual_time", "work")

    def __init__(self, env: Any) -> None:
        self.work, self.bot, self.loop, self.virtual_time = env._work, env.bot, env._loop, env._virtual_time
        self.advancing, self.generation, self.last_dispatch = env._advancing, env._generation, env._last_dispatch


class _Looking:
    """The loop's selector; `nothing_to_do` is set when the loop would begin to wait.

    While the loop has something to do, the system is asked for news only now and then.
    """

    def __init__(self, selector: Any) -> None:
        self._selector = selector
        self._turns = 0
        self.nothing_to_do: asyncio.Future[None] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._selector, name)

    def select(self, timeout: float | None = None) -> Any:
        if timeout == 0:
            self._turns += 1
            return [] if self._turns % 32 else self._selector.select(0)
        if self.nothing_to_do is None:
            return self._selector.select(timeout)
        found = self._selector.select(0)
        if not found:
            self.nothing_to_do.set_result(None)
            self.nothing_to_do = None
        return found


class PatientEnv(simcord.Env):
    """A simulated Discord where only its own clock ends sleeps."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **{"check_errors": False, "settle_timeout": PATIENCE, **named})
        self._short: list[Any] = []
        """SimCord's records of sleeps that began as short ones."""

    def _settlement_state(self) -> Any:
        return _State(self)

    def _schedule_timer(self, record: Any, *_: Any) -> None:
        """Take note of a short sleep; SimCord would let real time end it."""
        if record.when - self._virtual_time < LONG:
            self._short.append(record)

    async def _settle_internal(self, **named: Any) -> None:
        # SimCord gives a start five seconds, whatever `settle_timeout` says.
        named.pop("timeout", None)
        await self._rest()
        await super()._settle_internal(**named)

    async def _rest(self) -> None:
        """Wait until only time can wake the bot; short sleeps end meanwhile."""
        loop: Any = asyncio.get_running_loop()
        if not isinstance(loop._selector, _Looking):
            loop._selector = _Looking(loop._selector)
        looking = loop._selector
        while True:
            looking.nothing_to_do = looking.nothing_to_do or loop.create_future()
            await asyncio.shield(looking.nothing_to_do)
            if self._work.executors:
                await asyncio.wait(tuple(self._work.executors), return_when=asyncio.FIRST_COMPLETED)
            elif self._advancing or (short := self._next_short()) is None:
                return
            else:
                await self._advance_to(short, loop.time() + PATIENCE)

    def _next_short(self) -> float | None:
        """When the first of the short sleeps ends."""
        under_way = self._work.callbacks
        self._short = [one for one in self._short if one in under_way and not one.handle.cancelled()]
        return min((one.when for one in self._short), default=None)
