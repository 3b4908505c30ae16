"""Reminders, time-up messages and nudges: at most one message a table each time, gone once they are out of date.

Which of them stand in a channel is remembered in the store, so that a restart leaves none behind.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import discord

from bot.controls import time_up_panel
from bot.desk import Due, DueKind
from bot.languages import language_for
from bot.mail import Mail
from bot.panels import Panel
from bot.storage import Store
from bot.table import Table
from bot.tables import Tables
from bot.texts import clock as texts
from bot.texts import mails
from bot.texts.words import Names, listing

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Standing:
    """A message that stands in a channel: whom it is about (decision by seat), and whether it says time is up."""

    channel_id: int
    message_id: int
    up: bool
    seats: dict[int, int]


class Reminders:
    """Posts what the clock has to say, and removes it when it is no longer so."""

    def __init__(self, client: discord.Client, store: Store, tables: Tables, mail: Mail) -> None:
        self._client = client
        self._store = store
        self._tables = tables
        self._mail = mail

    async def told(self, table_id: int, news: Sequence[Due]) -> None:
        """Say what the clock has noticed; for `Tables.on_deadline`."""
        table = await self._tables.get(table_id)
        if await self._somebody_left(table, news):
            return
        late = [due for due in news if due.kind in (DueKind.HALF, DueKind.NINETY) and _current(table, due)]
        up = [due for due in news if due.kind is DueKind.UP and _current(table, due)]
        for due in news:
            if due.kind is DueKind.HANDED and due.user_id is not None:
                self._mail.note(table_id, due.user_id, mails.handed)
        if up:
            await self._time_up(table, [due.seat for due in up if due.seat is not None])
        elif late:
            await self._remind(table, late)

    async def nudge(self, table: Table, who: str, users: Iterable[int]) -> None:
        """Tell those who are waited for, each where they want to be told, that `who` asks for their move."""
        language = language_for(table.terms.locale)
        seats = {seat: user for seat, user in table.waiting_for.items() if user in set(users)}
        pinged = [user for user in seats.values() if (await self._tables.person(user)).wants_channel_ping]
        for user in seats.values():
            self._mail.note(table.id, user, mails.nudged)
        asked = _called(table, seats, pinged)
        await self._post(table, texts.nudge(language, table, who, asked), None, pinged, list(seats), up=False)

    async def tidy(self, table_id: int) -> None:
        """Remove what is out of date; for `Tables.on_change`, after the announcer."""
        standing = await self._standing(table_id)
        if not standing:
            return
        table = await self._tables.get(table_id)
        kept = [one for one in standing if _holds(table, one)]
        if len(kept) != len(standing):
            await self._keep(table_id, kept)
            for one in standing:
                if one not in kept:
                    await self._remove(one)

    async def _somebody_left(self, table: Table, news: Sequence[Due]) -> bool:
        """Whether somebody whose time runs has left the guild; then their seats are freed.

        Without the privileged members intent Discord tells nobody of it, so it is asked when somebody is late.
        """
        guild = self._client.get_guild(table.guild_id)
        left = False
        for due in news:
            if guild is None or due.user_id is None or due.kind not in (DueKind.HALF, DueKind.NINETY, DueKind.UP):
                continue
            try:
                await guild.fetch_member(due.user_id)
            except discord.NotFound:
                await self._tables.member_left(guild.id, due.user_id)
                left = True
            except discord.HTTPException as error:
                log.info("member %s could not be looked up: %s", due.user_id, error)
        return left

    async def _remind(self, table: Table, late: Sequence[Due]) -> None:
        language = language_for(table.terms.locale)
        users = {due.seat: due.user_id for due in late if due.seat is not None and due.user_id is not None}
        pinged = [user for user in users.values() if (await self._tables.person(user)).wants_channel_ping]
        for user in users.values():
            self._mail.note(table.id, user, mails.reminded)
        if not pinged:
            return
        seats = {seat: user for seat, user in users.items() if user in pinged}
        first = min((table.clocks[seat] for seat in seats), key=lambda clock: clock.ends_at or 0)
        text = texts.reminder(language, table, _called(table, seats, pinged), first)
        await self._post(table, text, None, pinged, list(seats), up=False)

    async def _time_up(self, table: Table, seats: Sequence[int]) -> None:
        language = language_for(table.terms.locale)
        text = "\n".join(texts.time_up(language, table, seat, table.clocks[seat]) for seat in seats)
        await self._post(table, text, time_up_panel(language, table, seats), (), seats, up=True)

    async def _post(
        self, table: Table, text: str, panel: Panel | None, pinged: Sequence[int], seats: Sequence[int], *, up: bool
    ) -> None:
        """Post one message about these seats, instead of those about them that stand there."""
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        allowed = discord.AllowedMentions(users=[discord.Object(user) for user in pinged])
        try:
            if panel is None:
                message = await channel.send(text, allowed_mentions=allowed)
            else:
                message = await channel.send(text, view=panel, allowed_mentions=allowed)
        except discord.HTTPException as error:
            log.warning("table %s: a reminder could not be posted: %s", table.id, error)
            return
        standing = await self._standing(table.id)
        gone = [one for one in standing if set(one.seats) <= set(seats)]
        decisions = {seat: table.clocks[seat].decision for seat in seats if seat in table.clocks}
        mine = _Standing(table.channel_id, message.id, up, decisions)
        await self._keep(table.id, [*(one for one in standing if one not in gone), mine])
        for one in gone:
            await self._remove(one)

    async def _remove(self, one: _Standing) -> None:
        channel = self._client.get_partial_messageable(one.channel_id)
        try:
            await channel.get_partial_message(one.message_id).delete()
        except discord.HTTPException as error:
            log.info("reminder %s stays: %s", one.message_id, error)

    async def _standing(self, table_id: int) -> list[_Standing]:
        found = json.loads(await self._store.recall(_key(table_id)) or "[]")
        return [_Standing(row[0], row[1], row[2], {int(seat): one for seat, one in row[3].items()}) for row in found]

    async def _keep(self, table_id: int, standing: Iterable[_Standing]) -> None:
        rows = [[one.channel_id, one.message_id, one.up, one.seats] for one in standing]
        await self._store.remember(_key(table_id), json.dumps(rows))


def _key(table_id: int) -> str:
    return f"reminders:{table_id}"


def _current(table: Table, due: Due) -> bool:
    """Whether what the clock noticed is still so."""
    clock = table.clocks.get(due.seat) if due.seat is not None else None
    return clock is not None and clock.decision == due.decision and clock.ends_at is not None


def _holds(table: Table, one: _Standing) -> bool:
    """Whether a message still tells the truth about one of its seats."""
    clocks = ((table.clocks.get(seat), decision) for seat, decision in one.seats.items())
    return any(
        clock is not None and clock.decision == decision and clock.overdue == one.up for clock, decision in clocks
    )


def _called(table: Table, seats: dict[int, int], pinged: Sequence[int]) -> str:
    """The persons on these seats, those who are to be pinged by mention, the others by name."""
    language = language_for(table.terms.locale)
    names = Names.of(table, language)
    return listing(language, (f"<@{user}>" if user in pinged else names.marked(seat) for seat, user in seats.items()))
