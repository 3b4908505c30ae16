"""Preferences of people and their effect on clocks."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.clocks import Rest, resting_until
from bot.errors import AwayTooLong, BadPreference, QuietTooSoon
from bot.occupants import Person, StandInReason
from bot.pace import DAY
from bot.preferences import (
    LONGEST_AWAY,
    PERSONAL,
    QUIET_CHANGE,
    QUIET_SLIP,
    AwayHow,
    Notify,
    Preferences,
    check_preferences,
)
from bot.table import NoteKind, Status, Table
from bot.tables import seating
from bot.tables.absence import adjust_rest, bring_back
from bot.tables.aftermath import Aftermath
from bot.tables.deadlines import Deadlines
from bot.tables.effects import Effect, note
from bot.tables.friends import Friends
from bot.tables.transactions import Service, Transactions

log = logging.getLogger(__name__)


MOST_BLOCKS = 100
"""The most people whom one person can block."""

QUIET_DAY = 36_000
"""Seconds by which quiet hours may lengthen a time away beyond what is left of the year's."""


class Users(Service):
    """Preferences of users, and their time away."""

    def __init__(self, transactions: Transactions, aftermath: Aftermath, deadlines: Deadlines) -> None:
        super().__init__(transactions)
        self._aftermath, self._deadlines = aftermath, deadlines

    async def preferences(self, user_id: int) -> Preferences:
        """Return what a person prefers."""
        return await self._profiles.users.get(user_id)

    async def several(self, user_ids: Iterable[int]) -> Mapping[int, Preferences]:
        """Return what these people prefer, by user id."""
        return await self._profiles.users.several(user_ids)

    def known(self, user_id: int) -> Preferences | None:
        """Return what a person prefers, if it need not be read."""
        return self._profiles.users.known(user_id)

    async def blocks(self, user_id: int) -> tuple[int, ...]:
        """Return the people whom a person has blocked, in the order of time."""
        return await self._store.users.blocks(user_id)

    async def unblock(self, user_id: int, other: int) -> bool:
        """Forget that a person has blocked another; False if it was not so."""
        return await self._store.users.unblock(user_id, other)

    async def prefer(self, user_id: int, **changes: object) -> Preferences:
        """Change what a person prefers, by the names of `Preferences` in `PERSONAL`.

        Choosing how to be notified makes the bot try direct messages again. Quiet hours apply from now on, even to
        clocks that are running. Raises `BadPreference`, `QuietTooSoon`.
        """
        for name, value in changes.items():
            if name not in PERSONAL:
                raise BadPreference(name, value)
        if "notify" in changes:
            try:
                changes["notify"] = Notify(str(changes["notify"]))
            except ValueError:
                raise BadPreference("notify", changes["notify"]) from None
            changes |= {"dm_closed_at": None, "dm_told": False}
        before = await self._profiles.users.get(user_id)
        after = replace(before, **changes)  # type: ignore[arg-type]
        check_preferences(after)
        changes |= self._quiet_choice(before, after)
        if changes:
            await self._profiles.prefer(user_id, **changes)
        await self._rest_differently(user_id, before.rest, after.rest)
        return after

    async def at_table(self, table: Table, users: Iterable[int]) -> Mapping[int, Preferences]:
        """Return what these people prefer, by user id, as it counts at a table."""
        preferences_of = await self.several(users)
        return (
            {user_id: prefers.in_dms() for user_id, prefers in preferences_of.items()}
            if table.in_dms
            else preferences_of
        )

    async def try_dms_again(self, user_id: int) -> None:
        """Forget that a person's direct messages were closed: they ask for a table there.

        That they were told of it is kept until a message arrives.
        """
        if (await self.preferences(user_id)).dm_closed_at is not None:
            await self._profiles.prefer(user_id, dm_closed_at=None)

    async def note_dm(self, user_id: int, channel_id: int | None) -> None:
        """Remember the channel in which a person and the bot write to each other directly; None to ask for it again."""
        if (await self.preferences(user_id)).dm_id != channel_id:
            await self._profiles.prefer(user_id, dm_id=channel_id)

    async def dm_closed(self, user_id: int) -> None:
        """Remember that a person's direct messages are closed, until they choose them again."""
        await self._profiles.prefer(user_id, dm_closed_at=self._now())

    async def set_away(self, person: Person, until: int, how: AwayHow) -> tuple[Table, ...]:
        """Mark the user away until a Unix second: slow games wait (SLOW), or computers play their seats (COMPUTER).

        A friend who plays for them by then plays on.

        Games that give less than a day for a decision do not wait: there, a computer plays in any case. If that second
        falls within quiet hours, the time away lasts until they end. Returns the open games affected. Raises
        `BadPreference` for a time that has passed or is too far off, and `AwayTooLong`.
        """
        now = self._now()
        if not now < until <= now + LONGEST_AWAY:
            raise BadPreference("away_until", until)
        before = await self._profiles.users.get(person.id)
        until = resting_until(until, replace(before.rest, away_until=None)) or until
        before_now = replace(before, away_times=before.away_ended(now))
        times = before_now.away_times
        if how is AwayHow.SLOW:
            if until - now > before_now.away_left(now) + QUIET_DAY:
                raise AwayTooLong(before_now.away_left(now) // DAY)
            times = (*times, (now, until))
        if before.away_how is AwayHow.COMPUTER and how is AwayHow.SLOW:
            await self._transactions.everywhere(
                None,
                person.id,
                lambda table: (
                    Effect(table)
                    if table.friend_of(person.id) is not None
                    else bring_back(table, person.id, now, before.rest, before.rest)
                ),
            )
        await self._profiles.prefer(person.id, away_until=until, away_how=how, away_times=times)
        after = replace(before, away_until=until, away_how=how)
        self._deadlines.poke(until)
        await Friends(self._transactions).leave(person.id)

        def decide(table: Table) -> Effect:
            seat = table.seat_of(person.id)
            if seat is None or table.status not in (Status.PLAYING, Status.PAUSED):
                return Effect(table)
            changed = adjust_rest(table, now, person.id, before.rest, after.rest)
            plays_on = how is AwayHow.COMPUTER or not table.is_slow
            if plays_on and table.occupants[seat].plays == person.id:
                changed = replace(changed, occupants=seating.stand_in(table.occupants, seat, StandInReason.AWAY))
            kind = AwayHow.COMPUTER if plays_on else AwayHow.SLOW
            data = {"until": until, "how": kind.value, "zone": before.time_zone}
            return Effect(changed, [note(table, NoteKind.AWAY, now, person.id, seat, **data)])

        return await self._transactions.everywhere(None, person.id, decide)

    async def come_back(self, person: Person) -> tuple[Table, ...]:
        """End a time away early, and give the person their seats back. Returns the games that changed."""
        now = self._now()
        before = await self._profiles.users.get(person.id)
        if before.away_until is None:
            return ()
        after = replace(before, away_until=None, away_how=None)

        def decide(table: Table) -> Effect:
            return bring_back(table, person.id, now, before.rest, after.rest)

        # The games first: should the program end in between, the end of the time away is still to come.
        await Friends(self._transactions).bring_back(person.id)
        changed = await self._transactions.everywhere(None, person.id, decide, follow=False)
        await self._profiles.prefer(person.id, away_until=None, away_how=None, away_times=before.away_ended(now))
        for table in changed:
            self._aftermath.touch(table.id)
        return changed

    async def block(self, user_id: int, other: int) -> None:
        """Keep another person from inviting this one, joining their lobbies or being matched with them, in silence.

        Raises `BadPreference` for oneself, and once as many are blocked as may be.
        """
        if user_id == other:
            raise BadPreference("block", other)
        if len(await self._store.users.blocks(user_id)) >= MOST_BLOCKS:
            raise BadPreference("blocks", other)
        await self._store.users.block(user_id, other, self._now())
        friends = Friends(self._transactions)
        await friends.leave(user_id, owner=other)
        await friends.leave(other, owner=user_id)

    async def find_uninvited(self, users: Iterable[int]) -> tuple[int, ...]:
        """Return those of these users who have chosen not to be invited to tables."""
        return tuple(user for user, prefers in (await self.several(users)).items() if prefers.uninvited)

    async def without_blockers(self, by: int, users: Sequence[int]) -> tuple[int, ...]:
        """Return those of these users who may be invited in this person's name: who have not blocked them."""
        blocks = await self._store.users.blocks_among((by, *users)) if users else ()
        return tuple(user for user in users if (user, by) not in blocks)

    def _quiet_choice(self, before: Preferences, after: Preferences) -> dict[str, object]:
        """Return the note of new quiet hours or another time zone.

        They change once a day: moved along, they could stop a clock forever.

        A slip may be corrected, ending them is always allowed, and so is choosing the last hours again. Raises
        `QuietTooSoon`.
        """
        hours = _quiet(after)
        # Moved along, a time zone could make a weekend last.
        same_zone = before.time_zone in (None, after.time_zone)
        if hours == _quiet(before) or (same_zone and None in (after.quiet_from, after.quiet_until)):
            return {}
        now = self._now()
        if before.quiet_choice is None:
            return {"quiet_choice": (now, *hours)}
        at, *known = before.quiet_choice
        if known == hours:
            return {}
        if at + QUIET_SLIP < now < at + QUIET_CHANGE:
            raise QuietTooSoon(at + QUIET_CHANGE)
        return {"quiet_choice": (at if now <= at + QUIET_SLIP else now, *hours)}

    async def _rest_differently(self, user_id: int, before: Rest, after: Rest) -> None:
        now = self._now()

        def decide(table: Table) -> Effect:
            changed = adjust_rest(table, now, user_id, before, after)
            return Effect(table if changed.clocks == table.clocks else changed)

        if before != after:
            await self._transactions.everywhere(None, user_id, decide)


def _quiet(prefers: Preferences) -> list[int | str | None]:
    """Return the quiet hours with their time zone."""
    return [prefers.quiet_from, prefers.quiet_until, prefers.time_zone]
