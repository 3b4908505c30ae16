"""Presence: when players have last pressed or typed something at a table (who is there: `bot.calls`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from bot.calls import HERE, find_next_look
from bot.delivery.unix_time import now
from bot.table import Table


class Presence:
    """Remembers who was at which table, and when; `touch(table_id)` has a table delivered."""

    def __init__(self, touch: Callable[[int], None]) -> None:
        self._touch = touch
        self._pressed: dict[tuple[int, int], float] = {}
        """By table and user, when they last pressed or typed something there; Unix seconds, oldest first."""
        self._timers: dict[int, asyncio.TimerHandle] = {}
        """By table, when it is looked at again since a person may have gone."""

    def close(self) -> None:
        """Look at no table again."""
        for timer in self._timers.values():
            timer.cancel()

    def note(self, table_id: int, user_id: int) -> None:
        """Remember that a user is at a table: they have just pressed or typed something there."""
        self._pressed.pop((table_id, user_id), None)
        self._pressed[table_id, user_id] = moment = now()
        while next(iter(self._pressed.values())) + HERE < moment:
            del self._pressed[next(iter(self._pressed))]

    def idle(self, table: Table) -> Mapping[int, float]:
        """Return by user the seconds since the people of a table pressed or typed something there, if they did."""
        moment, pressed = now(), {user: self._pressed.get((table.id, user)) for user in table.people}
        return {user: moment - at for user, at in pressed.items() if at is not None}

    def look_again(self, table: Table) -> None:
        """Have a table delivered once a person who was called without a ping may have gone without playing."""
        if (timer := self._timers.pop(table.id, None)) is not None:
            timer.cancel()
        wait = find_next_look(table, self.idle(table), now())
        if wait is not None:

            def look() -> None:
                del self._timers[table.id]
                self._touch(table.id)

            self._timers[table.id] = asyncio.get_running_loop().call_later(wait, look)
