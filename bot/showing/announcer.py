"""The announcer: makes the channel show the newest state of a table.

It does not send "messages about moves". It looks at what the channel shows and at the table, and closes the gap; it can
be asked again at any time, and after a restart it is simply asked for every open table. A turn is a new message
(edits do not ping, and old messages are edited under a stricter limit), the one before loses its buttons. What changes
nothing about whose decision it is (a gift in the exchange, somebody resigning) is an edit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO

import discord

from bot.languages import language_for
from bot.showing.controls import board_panel, lobby_panel
from bot.showing.mail import Mail
from bot.showing.members import Members
from bot.showing.nonces import nonce
from bot.showing.panels import Panel
from bot.showing.pictures import Pictures
from bot.storage import Store
from bot.table import TAKEBACK_STEP, Note, NoteKind, Shown, Table
from bot.tables import Tables
from bot.texts import boards
from bot.texts.folds import reasons_of_folds
from engine import Entry, EventKind, Game, Phase

log = logging.getLogger(__name__)

LOST: Mapping[int, str] = {10003: "gone", 50001: "access", 50013: "permissions", 50083: "archived"}
"""Discord's error codes that mean: this place cannot be used; and what the table remembers of it."""

RETRY_FIRST, RETRY_LONGEST = 10, 900
"""Seconds until a post that failed for Discord's reasons is tried again: doubled each time, up to the longest."""

NOTHING_TOLD = -1
"""The moment that a lobby message shows: not even the first deal (entry 0) has been told."""

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


@dataclass(frozen=True, slots=True)
class _Told:
    """What people have been told of a game.

    `moment`: the `Table.moment` of the last message. `number`: the last action told of that still stands. `undone`: how
    many were taken back since; `agreed`: others had to agree to that, so that hours may have gone by.
    """

    moment: int
    number: int
    undone: int = 0
    agreed: bool = False


class Announcer:
    """Posts and edits the public messages of tables, with the bot's own token.

    Register `reconcile` with `Tables.on_change`; it is never run twice at once for one table.
    """

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        pictures: Pictures,
        mail: Mail,
        members: Members,
        store: Store,
    ) -> None:
        self._client = client
        self._mail = mail
        self._members = members
        self._store = store
        self._tables = tables
        self._pictures = pictures
        self._failures: dict[int, int] = {}
        self._troubles: dict[int, str] = {}
        self._retries: dict[int, asyncio.TimerHandle] = {}

    def trouble(self, table_id: int) -> str | None:
        """Why the channel is not up to date: `access`, `permissions`, `gone`, `archived`, `discord`, or None."""
        return self._troubles.get(table_id)

    def close(self) -> None:
        """Forget the retries that are waiting."""
        for handle in self._retries.values():
            handle.cancel()
        self._retries.clear()

    async def reconcile(self, table_id: int) -> None:
        """Make the channel show the table's newest state. Never raises for what Discord refuses; it tries again."""
        table = await self._tables.drive(table_id)
        if table is None or (table.shown is not None and table.shown.version == table.version):
            return
        try:
            if table.game is None:
                await self._show_lobby(table)
            else:
                await self._show_board(table)
        except discord.HTTPException as error:
            await self._failed(table_id, error)
        except (TimeoutError, OSError) as error:
            self._retry(table_id, error)
        else:
            self._failures.pop(table_id, None)
            self._troubles.pop(table_id, None)
            if table.lost is not None:
                await self._tables.place_found(table_id)

    async def _show_lobby(self, table: Table) -> None:
        language = language_for(table.terms.locale)
        picture = await self._pictures.lobby(table, language)
        content = boards.lobby(language, table)
        alt = boards.lobby_alt(language, table)
        await self._edit_or_post(table, content, picture, alt, lobby_panel(language, table))

    async def _show_board(self, table: Table) -> None:
        assert table.game is not None
        language = language_for(table.terms.locale)
        view = table.game.view(None)
        shown = table.shown
        told = await self._told(table)
        entries = await asyncio.to_thread(table.game.history, told.number + 1)
        news = shown is None or told.agreed or _is_news(entries) or (bool(entries) and view.phase not in _EXCHANGING)
        asked = await self._newly_asked(table, told, entries)
        dealt = any(event.kind is EventKind.DEALT for entry in entries for event in entry.events)
        if not news or not entries:
            entries = await asyncio.to_thread(table.game.history, await self._first_told(table, table.game))
        people = await self._tables.people(table.persons)
        asides = await asyncio.to_thread(reasons_of_folds, language, table, entries)
        content = boards.board(language, table, view, entries, asides, people, told.undone)
        picture = await self._pictures.board(table, view, entries, language)
        alt = boards.alt(language, table, view, entries)
        panel = board_panel(language, table, view)
        if news:
            await self._post(
                table, content, picture, alt, panel, [user for user in asked if people[user].wants_channel_ping]
            )
            if shown is not None:
                await self._retire(table, shown)
        else:
            await self._edit_or_post(table, content, picture, alt, panel)
        gone = await self._members.left(table, asked)
        self._mail.turn(table, [user for user in asked if user not in gone], dealt=dealt)

    async def _told(self, table: Table) -> _Told:
        """What people have been told, wherever the game was shown then."""
        moment = NOTHING_TOLD
        if table.shown is not None:
            moment = table.shown.moment
        elif (remembered := await self._store.recall(_told_key(table.id))) is not None:
            moment = int(remembered)
        if moment < 0:
            return _Told(moment, moment)
        takebacks, number = divmod(moment, TAKEBACK_STEP)
        if takebacks == table.takebacks:
            return _Told(moment, number)
        undone = [note for note in await self._tables.notes(table.id) if note.kind == NoteKind.UNDONE][takebacks:]
        number = min(number, *(note.number for note in undone))
        return _Told(
            moment, number, sum(_count(note) for note in undone), any(note.data.get("agreed", False) for note in undone)
        )

    async def _newly_asked(self, table: Table, told: _Told, entries: Sequence[Entry]) -> tuple[int, ...]:
        """The persons who are asked for something since the last message: one mention each, never a second one.

        Who goes on with their own turn is there already, and so is who took an action back without asking anybody.
        """
        assert table.game is not None
        asked = {seat: user for seat, user in table.waiting_for.items() if (table.decision(seat) or 0) > told.moment}
        if told.undone and not told.agreed and not entries:
            return ()
        if not entries or table.game.phase in _EXCHANGING:
            return tuple(asked.values())
        rows = {row.number: row for row in await self._tables.log(table.id)}
        acted = {(rows[entry.number].seat, rows[entry.number].actor) for entry in entries if entry.number in rows}
        return tuple(user for seat, user in asked.items() if acted != {(seat, str(user))})

    async def moving(self, table: Table) -> None:
        """Remember what was told at the place that a table is about to leave."""
        if table.shown is not None:
            await self._store.remember(_told_key(table.id), str(table.shown.moment))

    async def moved_away(self, table: Table, channel_id: int) -> None:
        """Let the message at the place that a table has left lead to the new one. `table`: as it was before."""
        if table.shown is None:
            return
        language = language_for(table.terms.locale)
        text = language.t("➜ **{code}** goes on in <#{channel}>.", code=table.code, channel=channel_id)
        try:
            if table.game is not None:
                text = f"{await self._past(table, table.shown)}\n{text}"
            await self._message(table.shown).edit(
                content=text, view=None, allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.HTTPException as error:
            log.info("message %s keeps its buttons: %s", table.shown.message_id, error)

    async def _first_told(self, table: Table, game: Game) -> int:
        """The first action that the message about the state of `game` tells: what the last person did.

        A gift is nothing to tell of, but for those that complete an exchange once it is over.
        """
        rows = (await self._tables.log(table.id))[: game.number]
        exchanging = game.phase in _EXCHANGING
        quiet = {
            entry.number
            for entry in await asyncio.to_thread(game.history)
            if not _is_news((entry,)) and (exchanging or not _exchanged(entry))
        }
        return max((row.number for row in rows if row.actor.isdigit() and row.number not in quiet), default=0)

    async def _edit_or_post(self, table: Table, content: str, picture: bytes, alt: str, panel: Panel) -> None:
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
                if error.status >= 500 or error.code in LOST:
                    raise
                log.info("table %s: message %s cannot be edited (%s), posting anew", table.id, shown.message_id, error)
            else:
                await self._remember(table, shown.channel_id, shown.message_id)
                return
        await self._post(table, content, picture, alt, panel, ())
        if shown is not None:
            await self._retire(table, shown)

    async def _post(
        self, table: Table, content: str, picture: bytes, alt: str, panel: Panel, ping: Sequence[int]
    ) -> None:
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        message = await channel.send(
            content,
            file=_file(picture, alt),
            view=panel,
            nonce=nonce(table, "board", table.version),
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, replied_user=False, users=[discord.Object(user) for user in ping]
            ),
        )
        await self._remember(table, table.channel_id, message.id)

    async def _remember(self, table: Table, channel_id: int, message_id: int) -> None:
        """Note what is shown now; a lobby shows less than the first deal, which is entry 0."""
        moment = NOTHING_TOLD if table.game is None else table.moment
        await self._tables.remember_board(table.id, channel_id, message_id, table.version, moment)

    async def _retire(self, table: Table, shown: Shown) -> None:
        """Take buttons and mentions off a message that has been followed by another; it may be gone already."""
        try:
            content = await self._past(table, shown)
            await self._message(shown).edit(content=content, view=None, allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as error:
            log.info("message %s keeps its buttons: %s", shown.message_id, error)

    async def _past(self, table: Table, shown: Shown) -> str:
        """The text of a message about a state that has passed: what it told, without anybody's mention."""
        language = language_for(table.terms.locale)
        now = table.game
        if now is None or shown.moment < 0:
            return boards.lobby(language, table)
        number = min((await self._told(table)).number, now.number)
        then = await asyncio.to_thread(
            Game.replay, table.system, table.players, now.seed, table.options, now.log[:number]
        )
        entries = await asyncio.to_thread(then.history, await self._first_told(table, then))
        asides = await asyncio.to_thread(reasons_of_folds, language, replace(table, game=then), entries)
        return boards.past(language, table, then.view(None), entries, asides)

    def _message(self, shown: Shown) -> discord.PartialMessage:
        return self._client.get_partial_messageable(shown.channel_id).get_partial_message(shown.message_id)

    async def _failed(self, table_id: int, error: discord.HTTPException) -> None:
        """What Discord refused: for good, then the game waits and its players are told; else it is tried again."""
        reason = LOST.get(error.code)
        if reason is None:
            self._retry(table_id, error)
            return
        self._troubles[table_id] = reason
        log.warning("table %s cannot be shown: %s", table_id, error)
        await self._tables.place_lost(table_id, reason)

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


def _exchanged(entry: Entry) -> bool:
    """Whether cards changed hands with this action."""
    return any(event.kind is EventKind.EXCHANGED for event in entry.events)


def _count(note: Note) -> int:
    """How many actions a takeback took back."""
    count = note.data.get("count")
    return count if isinstance(count, int) else 1


def _told_key(table_id: int) -> str:
    return f"told:{table_id}"


def _file(picture: bytes, alt: str) -> discord.File:
    return discord.File(BytesIO(picture), "board.png", description=alt)
