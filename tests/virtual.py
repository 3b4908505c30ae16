"""An event loop in virtual time: a sleep ends at once, and the clock has moved on by its length.

For code that sleeps and computes but waits for nothing outside the loop (no threads, no sockets). A test on it takes
the same steps however busy the machine is.
"""

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any


class _Impatient(selectors.DefaultSelector):
    """Never waits; tells the loop how long it would have waited."""

    def __init__(self) -> None:
        super().__init__()
        self.waited = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("nothing will ever happen: everything waits for something that nobody does")
        self.waited += max(0.0, timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop itself; `time` begins at 0."""

    def __init__(self) -> None:
        self._impatient = _Impatient()
        super().__init__(self._impatient)

    def time(self) -> float:
        """The seconds slept so far."""
        return self._impatient.waited


def on_virtual_time(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test in virtual time. Its fixtures are made outside the loop."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(test(*args, **kwargs))

    return run
