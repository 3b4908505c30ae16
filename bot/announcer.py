"""The announcer: makes the channel show the newest state of a table.

It does not send "messages about moves". It looks at what the channel shows and at the table, and closes the gap; it can
be asked again at any time, and after a restart it is simply asked for every open table. A turn is a new message
(edits do not ping, and old messages are edited under a stricter limit), the one before loses its buttons. What changes
nothing about whose decision it is (a gift in the exchange, somebody resigning) is an edit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from io import BytesIO

import discord

from bot.languages import Language, language_for
from bot.panels import Panel, Press
from bot.pictures import Pictures
from bot.table import Shown, Status, Table
from bot.tables import Tables
from bot.texts import boards
from bot.texts.folds import reasons_of_folds
from bot.texts.words import Names
from engine import Entry, EventKind, Phase, View

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
MISSING_ACCESS, MISSING_PERMISSIONS = 50001, 50013
RETRY_FIRST, RETRY_LONGEST = 10, 900
"""Seconds until a post that failed for Discord's reasons is tried again: doubled each time, up to the longest."""

NOTHING_TOLD = -1
"""The number that a lobby message shows: not even the first deal (entry 0) has been told."""

_QUIET = frozenset(
    {
        EventKind.GAVE,
        EventKind.DECLARED,
        EventKind.NEEDS_NONE,
        EventKind.ANSWERED_GAVE,
        EventKind.DECLINED,
        EventKind.EXCHANGED,
    }
)
"""Events that, while an exchange goes on, change nothing but who is still missing."""

_EXCHANGING = frozenset({Phase.EXCHANGE, Phase.ANSWER})


class Announcer:
    """Posts and edits the public messages of tables, with the bot's own token.

    Register `reconcile` with `Tables.on_change`; it is never run twice at once for one table.
    """

    def __init__(self, client: discord.Client, tables: Tables, pictures: Pictures) -> None:
        self._client = client
        self._tables = tables
        self._pictures = pictures
        self._failures: dict[int, int] = {}
        self._troubles: dict[int, str] = {}
        self._retries: dict[int, asyncio.TimerHandle] = {}

    def trouble(self, table_id: int) -> str | None:
        """Why the channel could not be brought up to date: `access`, `permissions`, `gone`, `discord`, or None."""
        return self._troubles.get(table_id)

    def close(self) -> None:
        """Forget the retries that are waiting."""
        for handle in self._retries.values():
            handle.cancel()
        self._retries.clear()

    async def reconcile(self, table_id: int) -> None:
        """Make the channel show the table's newest state. Never raises for what Discord refuses; it tries again."""
        table = await self._tables.get(table_id)
        if table.shown is not None and table.shown.version == table.version:
            return
        try:
            if table.game is None:
                await self._show_lobby(table)
            else:
                await self._show_board(table)
        except discord.HTTPException as error:
            self._failed(table_id, error)
        except (TimeoutError, OSError) as error:
            self._retry(table_id, error)
        else:
            self._failures.pop(table_id, None)
            self._troubles.pop(table_id, None)

    async def _show_lobby(self, table: Table) -> None:
        language = language_for(table.terms.locale)
        picture = await self._pictures.lobby(table, language)
        content = boards.lobby(language, table)
        alt = boards.lobby_alt(language, table)
        await self._edit_or_post(table, content, picture, alt, lobby_panel(language, table), ping=())

    async def _show_board(self, table: Table) -> None:
        assert table.game is not None
        language = language_for(table.terms.locale)
        view = table.game.view(None)
        shown = table.shown
        entries = await asyncio.to_thread(table.game.history, shown.number + 1 if shown is not None else 0)
        news = shown is None or _is_news(entries) or (bool(entries) and view.phase not in _EXCHANGING)
        if not news:
            entries = await asyncio.to_thread(table.game.history, await self._first_told(table, table.number))
        asides = await asyncio.to_thread(reasons_of_folds, language, table, entries)
        content = boards.board(language, table, view, entries, asides)
        picture = await self._pictures.board(table, view, entries, language)
        alt = boards.alt(language, table, view, entries)
        panel = board_panel(language, table, view)
        if not news:
            await self._edit_or_post(table, content, picture, alt, panel, ping=())
            return
        ping = _newly_asked(table, NOTHING_TOLD if shown is None else shown.number)
        await self._post(table, content, picture, alt, panel, ping)
        if shown is not None:
            await self._retire(shown)

    async def _first_told(self, table: Table, number: int) -> int:
        """The first action that the message about the state after `number` tells: what the last person did."""
        assert table.game is not None
        rows = await self._tables.log(table.id)
        quiet = {entry.number for entry in await asyncio.to_thread(table.game.history) if not _is_news((entry,))}
        return max((row.number for row in rows[:number] if row.actor.isdigit() and row.number not in quiet), default=0)

    async def _edit_or_post(
        self, table: Table, content: str, picture: bytes, alt: str, panel: Panel, ping: Sequence[int]
    ) -> None:
        shown = table.shown
        if shown is not None:
            try:
                await self._message(shown).edit(
                    content=content,
                    attachments=[_file(picture, alt)],
                    view=panel,
                    allowed_mentions=discord.AllowedMentions.none(),
                )
            except discord.HTTPException as error:
                if error.status >= 500 or error.code in (MISSING_ACCESS, MISSING_PERMISSIONS, UNKNOWN_CHANNEL):
                    raise
                log.info("table %s: message %s cannot be edited (%s), posting anew", table.id, shown.message_id, error)
            else:
                await self._remember(table, shown.channel_id, shown.message_id)
                return
        await self._post(table, content, picture, alt, panel, ping)
        if shown is not None:
            await self._retire(shown)

    async def _post(
        self, table: Table, content: str, picture: bytes, alt: str, panel: Panel, ping: Sequence[int]
    ) -> None:
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        message = await channel.send(
            content,
            file=_file(picture, alt),
            view=panel,
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, replied_user=False, users=[discord.Object(user) for user in ping]
            ),
        )
        await self._remember(table, table.channel_id, message.id)

    async def _remember(self, table: Table, channel_id: int, message_id: int) -> None:
        """Note what is shown now; a lobby shows less than the first deal, which is entry 0."""
        number = NOTHING_TOLD if table.game is None else table.number
        await self._tables.remember_board(table.id, channel_id, message_id, table.version, number)

    async def _retire(self, shown: Shown) -> None:
        """Take the buttons off a message that has been followed by another; it may be gone already."""
        try:
            await self._message(shown).edit(view=None)
        except discord.HTTPException as error:
            log.info("message %s keeps its buttons: %s", shown.message_id, error)

    def _message(self, shown: Shown) -> discord.PartialMessage:
        return self._client.get_partial_messageable(shown.channel_id).get_partial_message(shown.message_id)

    def _failed(self, table_id: int, error: discord.HTTPException) -> None:
        if error.code == MISSING_PERMISSIONS:
            self._troubles[table_id] = "permissions"
        elif error.code == MISSING_ACCESS:
            self._troubles[table_id] = "access"
        elif error.code == UNKNOWN_CHANNEL:
            self._troubles[table_id] = "gone"
        else:
            self._retry(table_id, error)
            return
        log.warning("table %s cannot be shown: %s", table_id, error)

    def _retry(self, table_id: int, error: Exception) -> None:
        self._troubles[table_id] = "discord"
        tries = self._failures.get(table_id, 0)
        self._failures[table_id] = tries + 1
        seconds = min(RETRY_FIRST * 2**tries, RETRY_LONGEST)
        log.warning("table %s cannot be shown now (%s), again in %s s", table_id, error, seconds)
        previous = self._retries.pop(table_id, None)
        if previous is not None:
            previous.cancel()
        self._retries[table_id] = asyncio.get_running_loop().call_later(seconds, self._again, table_id)

    def _again(self, table_id: int) -> None:
        self._retries.pop(table_id, None)
        self._tables.touch(table_id)


def _is_news(entries: Sequence[Entry]) -> bool:
    """Whether something happened that people look at."""
    return any(event.kind not in _QUIET for entry in entries for event in entry.events)


def _newly_asked(table: Table, told: int) -> tuple[int, ...]:
    """The persons who are asked for something since the last message: one mention each, never a second one."""
    assert table.game is not None
    game = table.game
    return tuple(user for seat, user in table.waiting_for.items() if (game.decision(seat) or 0) > told)


def _file(picture: bytes, alt: str) -> discord.File:
    return discord.File(BytesIO(picture), "board.png", description=alt)


def lobby_panel(language: Language, table: Table) -> Panel:
    """The lobby's buttons; none once it is closed."""
    panel = Panel()
    if table.status is not Status.LOBBY:
        return panel
    from bot.texts.words import MARKS, colour

    def press(verb: str) -> Press:
        return Press(verb, table.id, table.version)

    names = Names.of(table, language)
    panel.button(language.t("Join"), press("join"), style=discord.ButtonStyle.primary, row=0)
    panel.button(language.t("Leave"), press("leave"), row=0)
    panel.button(
        language.t("Start"), press("start"), style=discord.ButtonStyle.success, disabled=bool(table.free), row=0
    )
    panel.button(language.t("Cancel"), press("cancel"), style=discord.ButtonStyle.danger, row=0)
    panel.button(language.t("Rules"), press("rules"), emoji="📖", row=0)
    panel.button(language.t("Add computer"), press("add_computer"), emoji="🤖", disabled=not table.free, row=1)
    some = any(who.user_id is None for who in table.people.values())
    panel.button(language.t("Remove computer"), press("remove_computer"), disabled=not some, row=1)
    options = [
        discord.SelectOption(
            label=language.t("{colour}: {name}", colour=colour(language, seat).capitalize(), name=names.bare(seat))
            if seat in table.people
            else language.t("{colour}: free", colour=colour(language, seat).capitalize()),
            value=str(seat),
            emoji=MARKS[seat],
        )
        for seat in table.seats
    ]
    panel.menu(language.t("Choose your seat"), press("seat"), options, row=2)
    return panel


def board_panel(language: Language, table: Table, view: View) -> Panel:
    """The buttons under a board."""
    panel = Panel()
    if table.status in (Status.PLAYING, Status.PAUSED):
        press = Press("hand", table.id, view.number)
        panel.button(language.t("My hand"), press, style=discord.ButtonStyle.primary, emoji="🃏")
    panel.button(language.t("History"), Press("history", table.id, view.number), emoji="📜")
    return panel
