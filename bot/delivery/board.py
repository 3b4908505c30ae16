"""The board: drawn, posted or edited, and left without buttons once there is a newer one."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot import metrics
from bot.calls import find_invited, find_lobby_calls, find_present
from bot.delivery.board_content import BoardContent, board_content, past_board
from bot.delivery.errands import find_unsent_letters, is_here, is_newest_board, past_boards, without_letter
from bot.delivery.members import Members
from bot.delivery.presence import Presence
from bot.delivery.retries import Retries
from bot.delivery.sending import (
    SURE,
    TROUBLE,
    Recent,
    allow_mentions,
    is_temporary,
    loss_reason,
    new_message,
    partial_message,
)
from bot.delivery.sentences import Sentences
from bot.delivery.unix_time import now
from bot.delivery.watching import PlaceWatch
from bot.guild_settings import OldBoards
from bot.message import About, Message, Why
from bot.moment import Moment
from bot.priority import Gate
from bot.showing.components import edit_of, message_of
from bot.showing.controls import board_panel, lobby_panel
from bot.showing.emojis import dress
from bot.showing.panels import Reply
from bot.showing.pictures import SMALL, Pictures
from bot.table import Lost, Status, Table
from bot.tables.service import Tables
from bot.texts import positions, stats
from bot.texts.markup import stack
from bot.texts.public import invitations, letters, lobbies
from engine import PublicGame

log = logging.getLogger(__name__)

MOST_DRAWN = 3
"""Number of boards drawn at the same time."""

IN_SIGHT = 3_000
"""Seconds for which a board may be edited in place of a new one: Discord limits edits after an hour."""

JUST_NOW = 10
"""Seconds for which a board that was refused for good is not tried again."""


class HasPassed(Exception):
    """The state to be shown is no longer the newest."""


class Boards:
    """Shows tables' newest states, and retires past boards."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        pictures: Pictures,
        members: Members,
        places: PlaceWatch,
        retries: Retries,
        sentences: Sentences,
        presence: Presence,
    ) -> None:
        self._client, self._tables, self._pictures, self._members = client, tables, pictures, members
        self._places, self._retries, self._sentences, self._presence = places, retries, sentences, presence
        self._drawing = Gate(MOST_DRAWN)
        self._left: Recent[int, Moment] = Recent()
        """By table, up to which moment the last board that was left behind has told the story."""
        self._given_up: Recent[tuple[int, int], float] = Recent()
        """By table and channel, when Discord has refused its board there for good."""

    async def show(self, table: Table) -> None:
        """Show the newest state, if its place can be used. Raises what Discord does, and `HasPassed`."""
        reason = None if table.lost is None else await self._places.why_unusable(table.guild_id, table.channel_id)
        if reason is not None:
            if not table.is_open and reason is Lost.GONE:
                await self._tables.messages.drop_all(table.id)
            return
        if self._given_up.get((table.id, table.channel_id), -JUST_NOW) + JUST_NOW > now():
            # That the place is lost is no reason to ask again.
            return
        content = await (self._lobby(table) if table.game is None else self._board(table, table.game))
        if table.in_dms:
            await self._note_state(table, content)
        else:
            board = await self._drawn(table, content)
            try:
                new = content.why_new and not (content.calm and await self._is_in_sight(table))
                if new or not is_here(table) or not await self._edit(table, content, board):
                    await self._post(table, content, board)
            except discord.HTTPException as error:
                if is_temporary(error):
                    raise
                await self._handle_refusal(table, error)
                return
        await self._tell_awaited(table, content.calls.awaited)
        if table.lost is not None:
            await self._tables.places.note_found(table.id)

    async def _tell_awaited(self, table: Table, users: Iterable[int]) -> None:
        """Write to those who are expected to look: of an end or an invitation; in a game, see whether they can."""
        if table.status is Status.LOBBY:
            for user in users:
                self._sentences.invite(table, user)
        elif table.is_open:
            self._members.look(table, users)
        else:
            ended = letters.ended if table.status is Status.OVER else letters.cancelled
            say = letters.because(ended, await self._tables.notes(table.id))
            for user in users:
                self._sentences.write(table.id, user, say, Why.OVER)

    async def _note_state(self, table: Table, content: BoardContent) -> None:
        """Note which state a table in direct messages shows, and the letters of those who are called or have none.

        The letters follow the note; a call counts once its letter is there. Raises `HasPassed`.
        """
        if self._tables.has_passed(table):
            raise HasPassed
        prefers = await self._tables.users.at_table(table, table.people)
        reachable = (user for user in without_letter(table) if prefers[user].dm_closed_at is None)
        new, old = _new_letters(table, content.calls.letters, tuple(reachable) if table.is_open else ())
        marks, shown = await self._marks(table, content), table.shown
        if shown is None:
            record = new_message(table, About.BOARD, marks, message_id=0, moment=table.to_tell)
            await self._tables.messages.add(table.id, record, *new, instead=old)
        else:
            if new:
                await self._tables.messages.add(table.id, *new, instead=old)
            record = replace(shown, marks=marks, version=table.version, moment=table.to_tell)
            await self._tables.messages.change(table.id, record)
        written = {table.people[user] for user in content.calls.letters}
        called = {seat: decision for seat, decision in content.calls.called.items() if seat not in written}
        await self._tables.deadlines.note_called(table.id, called)

    async def _lobby(self, table: Table) -> BoardContent:
        language, users = table.language, self._tables.users
        invited = await users.without_blockers(table.host_id, find_invited(table))
        calls = find_lobby_calls(table, invited, await users.several(invited))
        news = await self._tables.notes(table.id)
        role = await self._tables.finding.role_to_tell(table) if table.shown is None and table.lost is None else None
        text = stack(lobbies.lobby(language, table, news), "" if role is None else invitations.told_role(role))
        return BoardContent(text=text, calls=calls, role=role)

    async def _board(self, table: Table, game: PublicGame) -> BoardContent:
        notes, rows = await self._tables.notes(table.id), await self._tables.log(table.id)
        preferences = await self._tables.users.at_table(table, table.people)
        left: Sequence[str] = ()
        if table.status is Status.OVER:
            left = stats.changes_by_game(table.language, table, *await self._tables.results.of_game(table.id))
        chosen = await self._tables.users.several(table.people)
        there = find_present(table, chosen, self._presence.idle(table), now())
        course = self._tables.course(table)
        return board_content(table, game, course, preferences, notes, rows, left=left, there=there)

    async def _drawn(self, table: Table, content: BoardContent) -> Reply:
        """Return a board with its picture and buttons."""
        language, text = table.language, content.text
        if table.game is None:
            picture = await self._draw(table, lambda: self._pictures.lobby(table, language))
            return Reply(text, lobby_panel(language, table), picture, lobbies.lobby_alt(language, table))
        view, preferences = table.game.view(), await self._tables.users.several(table.people)
        picture = await self._draw(table, lambda: self._pictures.board(table, view, content.entries, language))
        alt = positions.alt(language, table, view, content.entries)
        in_words = any(prefers.in_words for prefers in preferences.values())
        return Reply(text, board_panel(language, table, in_words=in_words), picture, alt)

    async def _draw(self, table: Table, draw: Callable[[], Awaitable[bytes]]) -> bytes:
        """Draw a board in its turn, the most urgent first. Raises `HasPassed` if it is not the newest any more."""
        async with self._drawing:
            if self._tables.has_passed(table):
                raise HasPassed
            return await draw()

    async def _edit(self, table: Table, content: BoardContent, board: Reply) -> bool:
        """Show a state on the board that is there; False if it cannot be edited."""
        shown = table.shown
        assert shown is not None
        try:
            await partial_message(self._client, shown).edit(**edit_of(board), allowed_mentions=allow_mentions(()))
        except discord.HTTPException as error:
            # An archived thread accepts no edits, but a new message reopens it. If that is refused too, the place
            # is lost.
            if is_temporary(error):
                raise
            log.info("table %s: its message cannot be edited (%s), posting a new one", table.id, error)
            return False
        self._retries.resume(shown.to_id)
        marks = await self._marks(table, content)
        edited = replace(shown, text=content.text, marks=marks, version=table.version, moment=table.to_tell)
        await self._tables.messages.change(table.id, edited)
        metrics.record_board(table, "edit")
        await self._tables.deadlines.note_called(table.id, content.calls.called)
        return True

    async def _post(self, table: Table, content: BoardContent, board: Reply) -> None:
        """Show a state on a new board. Raises what Discord does, and `HasPassed`."""
        if self._tables.has_passed(table):
            # Drawing took its time. The players asked may have acted, and are not called for what has been decided.
            raise HasPassed
        unconfirmed = (known for known in table.messages if known.is_doubtful)
        message = next((known for known in unconfirmed if is_newest_board(table, known)), None)
        new: list[Message] = []
        if message is None:
            marks = await self._marks(table, content)
            message = new_message(table, About.BOARD, marks, text=content.text, moment=table.to_tell)
            # Letters that were sent lose their buttons once the new ones are there.
            new, old = _new_letters(table, content.calls.letters)
            await self._tables.messages.add(table.id, message, *new, instead=old)
            if self._tables.has_passed(table):
                await self._tables.messages.drop(table.id, message, *new)
                raise HasPassed
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        try:
            sent = await channel.send(
                dress(content.text),
                nonce=message.nonce,
                allowed_mentions=allow_mentions(content.calls.ping, content.role),
                **message_of(board),
            )
        except discord.HTTPException as error:
            if not is_temporary(error):
                await self._tables.messages.drop(table.id, message, *new)
            raise
        self._retries.resume(table.channel_id)
        await self._tables.messages.note_arrived(table.id, message, sent.id)
        metrics.record_post(table, message, sent.id, content.calls.ping, content.why_new or Why.NO_BOARD)
        metrics.record_board(table, "post")
        await self._tables.deadlines.note_called(table.id, content.calls.called)

    async def _is_in_sight(self, table: Table) -> bool:
        """Return True if the board is young, and nothing was said below it, so that an edit of it is seen."""
        if table.shown is None or table.shown.at + IN_SIGHT < now():
            return False
        try:
            channel: Any = await self._client.http.get_channel(table.channel_id)
        except TROUBLE as error:
            log.info("table %s: what stands below its board is not known: %s", table.id, error)
            return False
        return int(channel.get("last_message_id") or 0) <= table.shown.posted_id

    async def _marks(self, table: Table, content: BoardContent) -> Mapping[int, str]:
        """Return the decisions for which players have been called once this board is there."""
        shown = (await self._tables.get(table.id)).shown
        return content.calls.mark({} if shown is None else shown.marks, table.pace.seconds)

    async def _handle_refusal(self, table: Table, error: discord.HTTPException) -> None:
        """Deal with what Discord has refused for good: the game waits, and its players are told why.

        What is not plainly a matter of the place is tried once more before. Raises the error then.
        """
        reason = loss_reason(error)
        if table.lost is None and reason not in SURE and not self._retries.has_failed((table.id, "messages")):
            raise error
        if not table.is_open:
            log.warning("the end of table %s is not shown: %s", table.id, error)
            await self._tables.messages.drop_all(table.id)
            return
        log.warning("table %s cannot be shown: %s", table.id, error)
        if reason not in SURE:
            self._given_up[table.id, table.channel_id] = now()
        await self._tables.places.note_lost(table.id, reason)

    async def retire(self, table: Table) -> None:
        """Remove buttons, mentions and the large picture from past boards, or all of them; raises what may pass."""
        trouble: Exception | None = None
        for board in past_boards(table):
            if self._tables.messages.is_done(board):
                continue
            language, kept = table.language, (await self._tables.moderation.guild(table.guild_id)).old_boards
            notes, rows = await self._tables.notes(table.id), await self._tables.log(table.id)
            course = None if table.game is None else self._tables.course(table)
            left = past_board(language, table, board, notes, rows, course, self._left.get(table.id))
            shown = Reply(left.text)
            if left.game is not None and kept is OldBoards.PICTURE:
                then, view = replace(table, game=left.game), left.game.view()
                picture = await self._pictures.board(then, view, left.entries, language, size=SMALL)
                shown = Reply(left.text, None, picture, positions.alt(language, then, view, left.entries))
            there = partial_message(self._client, board)
            try:
                if kept is OldBoards.GONE or not (shown.content or shown.picture):
                    await there.delete()
                else:
                    await there.edit(**edit_of(shown), allowed_mentions=allow_mentions(()))
                    if left.tells:
                        self._left[table.id] = max(board.moment, self._left.get(table.id, board.moment))
            except TROUBLE as error:
                log.info("table %s: board %s keeps its buttons: %s", table.id, board.message_id, error)
                if is_temporary(error):
                    trouble = error
                    continue
                if table.is_open and not isinstance(error, discord.NotFound):
                    # The permission may come back; it is tried whenever the table is shown.
                    continue
            self._tables.messages.done(table.id, board)
        if trouble is not None:
            raise trouble


def _new_letters(
    table: Table, called: Mapping[int, Moment], others: Iterable[int] = ()
) -> tuple[list[Message], list[Message]]:
    """Return direct messages that call players to decisions, and for `others`; and unsent ones that they replace."""
    marks = {user: {table.people[user]: str(decision)} for user, decision in called.items()}
    new = [
        new_message(table, About.LETTER, marks.get(user, {}), to_id=user, moment=table.to_tell)
        for user in dict.fromkeys((*called, *others))
    ]
    return new, [letter for letter in find_unsent_letters(table) if letter.to_id in called]
