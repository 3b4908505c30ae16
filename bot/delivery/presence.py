"""Who is there: players who have just pressed or typed something at a table, whom its board need not ping."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.calls import EXCHANGING, HERE, find_called_quietly
from bot.delivery.unix_time import now
from bot.table import STARTS_AFTER, Table

MOMENT = 3
"""The most seconds from a press until what it has changed."""


EXCHANGE_LASTS = 900
"""Seconds for which a board of an exchange, in which several are asked, is not followed by another for one who goes."""


def is_exchanging(table: Table) -> bool:
    """Return True if players who go during an exchange are not pinged yet, but later, together."""
    phase, shown = None if table.game is None else table.game.phase, table.shown
    return phase in EXCHANGING and shown is not None and shown.at + EXCHANGE_LASTS > now()


class Presence:
    """Remembers who is at which table; `touch(table_id)` has a table delivered."""

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

    def is_there(self, table_id: int, user_id: int, part: float = 1) -> bool:
        """Return True if a user has pressed or typed something at a table in the last ten minutes (`part` of them)."""
        return self._pressed.get((table_id, user_id), -HERE) + HERE * part > now()

    def reads_lobby(self, table: Table, user_id: int) -> bool:
        """Return True if a user is at a lobby; if its host has changed the game once it was full, at that moment."""
        if table.not_before is None:
            return self.is_there(table.id, user_id)
        return self._pressed.get((table.id, user_id), -HERE) > table.not_before - STARTS_AFTER - MOMENT

    def find_gone(self, table: Table) -> list[int]:
        """Return the users who were called without a ping, have gone without acting, and are to be pinged now."""
        if is_exchanging(table):
            return []
        return [user for user in find_called_quietly(table).values() if not self.is_there(table.id, user)]

    def look_again(self, table: Table) -> None:
        """Have a table delivered once a person who was called without a ping may have gone without playing."""
        pressed = [self._pressed.get((table.id, user), -HERE) for user in find_called_quietly(table).values()]
        if (timer := self._timers.pop(table.id, None)) is not None:
            timer.cancel()
        if pressed:

            def look() -> None:
                del self._timers[table.id]
                self._touch(table.id)

            held = table.shown.at + EXCHANGE_LASTS if is_exchanging(table) and table.shown is not None else 0
            wait = max(1, min(pressed) + HERE - now(), held - now())
            self._timers[table.id] = asyncio.get_running_loop().call_later(wait, look)
