"""The announcer: makes the channel show the newest state of a table.

It does not send "messages about moves". It looks at what the channel shows and at the table, and closes the gap; it can
be asked again at any time, and after a restart it is simply asked for every table that is behind. A turn is a new
message (edits do not ping, and edits of old messages are limited more strictly), and the previous one loses its
buttons. Whatever does not change whose decision it is (a gift in the exchange, somebody resigning) is an edit.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO

import discord

from bot.languages import language_for
from bot.moment import NOTHING_TOLD, Moment
from bot.showing.components import view_of
from bot.showing.controls import board_panel, lobby_panel
from bot.showing.mail import Mail
from bot.showing.members import Members
from bot.showing.nonces import nonce
from bot.showing.panels import Panel
from bot.showing.pictures import SMALL, Pictures
from bot.showing.places import LOST, PlaceWatch
from bot.showing.retries import TROUBLE, Outage, Retries, passes
from bot.showing.unconfirmed import find, is_confirmed_by_sending
from bot.storage import PAST, StandingRow
from bot.table import Logged, Lost, Note, NoteKind, Status, Table
from bot.tables import Tables
from bot.tables.computers import has_rhythm, is_thinking
from bot.tables.lobby import invited_to
from bot.tables.memory import PublicCourse
from bot.texts import boards, lobbies, mails, positions
from bot.texts.history import story
from bot.texts.places import DISCORD, Trouble
from bot.texts.reasons import reasons_of_folds
from bot.urgency import Gate
from engine import Entry, EventKind, Phase, PublicGame

log = logging.getLogger(__name__)

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
"""Events that, during an exchange, change nothing but who is still missing."""

MOST_DRAWN = 3
"""How many boards are drawn at the same time."""

_EXCHANGING = frozenset({Phase.EXCHANGE, Phase.ANSWER})


class _HasPassed(Exception):
    """The state to be shown is no longer the newest."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What people have been told about a game.

    `number`: the last action they were told that still stands. `undone`: how many have been taken back since; `agreed`:
    others had to agree to that, so hours may have passed.
    """

    number: int
    undone: int = 0
    agreed: bool = False


class Announcer:
    """Posts and edits tables' public messages with the bot's own token.

    Register `reconcile` with `Tables.on_change`; it never runs twice at the same time for one table.
    """

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        pictures: Pictures,
        mail: Mail,
        members: Members,
        places: PlaceWatch,
        outage: Outage,
    ) -> None:
        self._client = client
        self._tables = tables
        self._pictures = pictures
        self._mail = mail
        self._members = members
        self._places = places
        self._retries = Retries(tables.touch, outage)
        self._troubles: dict[int, Trouble] = {}
        self._drawing = Gate(MOST_DRAWN)
        self._under_way = 0
        self._closed = False

    def close(self) -> None:
        """Do not try anything again."""
        self._closed = True
        self._retries.close()

    def trouble(self, table_id: int) -> Trouble | None:
        """Why the channel is not up to date, if it is not."""
        return self._troubles.get(table_id)

    async def reconcile(self, table_id: int) -> None:
        """Make the channel show the table's newest state. Never raises for what Discord refuses; it tries again."""
        self._under_way += 1
        try:
            await self._reconcile(table_id)
        finally:
            self._under_way -= 1
        if not self._under_way:
            # While others are being shown, retired boards are noted together with theirs.
            await self._tables.telling.write_retired()

    async def _reconcile(self, table_id: int) -> None:
        table = await self._tables.get(table_id)
        try:
            await self._bring_up_to_date(table)
        except _HasPassed:
            # Whatever made a newer state has it shown, with everything this one would have told.
            return
        except Exception as error:
            if self._closed:
                # The connection is closed while the program ends; the next start shows the table.
                log.info("table %s is shown at the next start: %s", table_id, type(error).__name__)
                return
            if isinstance(error, TROUBLE):
                await self._failed(table, error)
            else:
                log.exception("table %s could not be shown; it is tried again", table_id)
                self._retries.failed(table_id)
        else:
            self._retries.worked(table_id)
            self._troubles.pop(table_id, None)
        await self._mail.deliver(table_id)

    async def _bring_up_to_date(self, table: Table) -> None:
        reason = None if table.lost is None else await self._places.unusable(table.guild_id, table.channel_id)
        if reason is not None:
            if not table.is_open and reason is Lost.GONE:
                await self._tables.places.forget_board(table.id)
            return
        table = await self._confirm(table)
        if not _is_newest(table):
            await (self._show_lobby(table) if table.game is None else self._show_board(table, table.game))
        if table.lost is not None:
            await self._tables.places.found(table.id)
        await self._retire(table)

    async def _confirm(self, table: Table) -> Table:
        """Find out about a board that may have been posted before posting another; returns the table as it is then."""
        posting, now = table.posting, discord.utils.utcnow().timestamp()
        if posting is None or is_confirmed_by_sending(table, posting, now):
            return table
        found = None
        if table.shown is None or table.shown.version < posting.version:
            found = await find(self._client, table, posting)
        if found is None:
            await self._tables.telling.end_post(table.id)
        else:
            log.info("table %s: found the board whose post was not answered", table.id)
            await self._tables.telling.posted(table.id, posting, found)
        return await self._tables.get(table.id)

    async def _show_lobby(self, table: Table) -> None:
        language = language_for(table.terms.locale)
        picture = await self._draw(table, lambda: self._pictures.lobby(table, language))
        invited = invited_to(table, await self._tables.notes(table.id))
        people = await self._tables.people.several(who.user_id for who in invited.values() if who.user_id is not None)
        ping = [user for user, one in people.items() if one.wants_channel_ping and not one.is_resting]
        content = lobbies.lobby(language, table, invited)
        alt = lobbies.lobby_alt(language, table)
        await self._edit_or_post(table, content, picture, alt, lobby_panel(language, table), ping=ping)

    async def _show_board(self, table: Table, game: PublicGame) -> None:
        language = language_for(table.terms.locale)
        view = game.view()
        notes, rows = await self._tables.notes(table.id), await self._tables.log(table.id)
        told = _told(table, table.told, notes)
        course = self._tables.course(table)
        entries = course.entries(told.number + 1)
        people = await self._tables.people.several(table.persons)
        asked = [user for user in _asked(table, game, told, entries, rows) if not people[user].is_resting]
        dealt = any(event.kind is EventKind.DEALT for entry in entries for event in entry.events)
        over = table.status is Status.OVER
        if over:
            # The last board calls everybody once, whether they won or lost.
            asked = [user for user in table.persons if not people[user].is_resting]
        ended = over and view.phase is not Phase.END
        # While a computer player takes its time, the current board is kept up to date, and nobody is called.
        moving = is_thinking(table) and told.number >= 0
        happened_now = _is_news(entries) or (bool(entries) and view.phase not in _EXCHANGING)
        news = bool(asked) or ended or told.agreed or (happened_now and not moving)
        if not entries or not news:
            entries = _last_told(course, game, rows)
        elif has_rhythm(table):
            # That board has told some of it already, but only now is somebody called to it.
            entries = _longer(_last_told(course, game, rows), entries)
        asides = reasons_of_folds(language, table, entries, course.why_folded)
        happened = story(language, table, entries, notes, rows, asides)
        content = boards.board(language, table, view, happened, people, told.undone)
        picture = await self._draw(table, lambda: self._pictures.board(table, view, entries, language))
        alt = positions.alt(language, table, view, entries)
        in_words = any(prefers.theme == positions.IN_WORDS for prefers in people.values())
        panel = board_panel(language, table, view, in_words=in_words)
        # People who are away are called when they are back.
        called = table.calling(seat for seat, user in table.uncalled.items() if not people[user].is_resting)
        if news or not _is_here(table):
            ping = [user for user in asked if people[user].wants_channel_ping]
            players = (who.plays for who in table.people.values())
            letters = [
                user
                for user in players
                if user is not None
                and people[user].wants_dm
                and not people[user].is_resting
                and (dealt or user in asked)
                and not over
            ]
            await self._post(table, content, picture, alt, panel, ping, called, letters)
        else:
            await self._edit_or_post(table, content, picture, alt, panel, called)
        if over:
            for user in asked:
                self._mail.note(table.id, user, mails.ended)
        else:
            self._members.look(table, asked)

    async def _draw(self, table: Table, draw: Callable[[], Awaitable[bytes]]) -> bytes:
        """Draw a board, if it is still the newest when its turn comes. Raises `_HasPassed`.

        Few boards are drawn at a time, the most urgent first; one that is outdated before its turn is not drawn.
        """
        async with self._drawing:
            if self._tables.has_passed(table):
                raise _HasPassed
            return await draw()

    async def _edit_or_post(
        self,
        table: Table,
        content: str,
        picture: bytes,
        alt: str,
        panel: Panel,
        called: Mapping[int, Moment] | None = None,
        ping: Sequence[int] = (),
    ) -> None:
        if _is_here(table):
            assert table.shown is not None
            try:
                await self._message(table.channel_id, table.shown.message_id).edit(
                    content=content,
                    attachments=[_file(picture, alt)],
                    view=view_of(panel),
                    allowed_mentions=discord.AllowedMentions.none(),
                )
            except discord.HTTPException as error:
                # An archived thread accepts no edits, but a new message reopens it. If that is refused too, the place
                # is lost.
                if passes(error):
                    raise
                log.info("table %s: its message cannot be edited (%s), posting a new one", table.id, error)
            else:
                self._retries.answered()
                await self._tables.places.remember_board(table, table.shown.message_id, called)
                return
        await self._post(table, content, picture, alt, panel, ping, called)

    async def _post(
        self,
        table: Table,
        content: str,
        picture: bytes,
        alt: str,
        panel: Panel,
        ping: Sequence[int],
        called: Mapping[int, Moment] | None = None,
        letters: Iterable[int] = (),
    ) -> None:
        if self._tables.has_passed(table):
            # Drawing took its time. Whoever this state asks may have acted; nobody is called for what has been decided.
            raise _HasPassed
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        telling, now = self._tables.telling, int(discord.utils.utcnow().timestamp())
        posting = telling.begin_post(table, called or {}, letters, now)
        try:
            message = await channel.send(
                content,
                file=_file(picture, alt),
                view=view_of(panel),
                nonce=nonce(table, "board", table.version),
                allowed_mentions=discord.AllowedMentions(
                    everyone=False, roles=False, replied_user=False, users=[discord.Object(user) for user in ping]
                ),
            )
        except discord.HTTPException as error:
            if not passes(error):
                await telling.end_post(table.id)
            raise
        self._retries.answered()
        await telling.posted(table.id, posting, message.id)

    async def _retire(self, table: Table) -> None:
        """Remove buttons, mentions and the large picture from boards that have been followed by another one.

        A message that is gone needs nothing more; one that cannot be reached now is tried again.
        """
        followed = [row for row in await self._tables.telling.standing(table.id) if row.about == PAST]
        if not followed:
            return
        trouble: Exception | None = None
        notes, rows = await self._tables.notes(table.id), await self._tables.log(table.id)
        course = None if table.game is None else self._tables.course(table)
        for row in followed:
            past = _past(table, row, notes, rows, course)
            try:
                await self._message(row.channel_id, row.message_id).edit(
                    content=past.text,
                    view=None,
                    attachments=await self._small(table, past),
                    allowed_mentions=discord.AllowedMentions.none(),
                )
            except TROUBLE as error:
                log.info("message %s keeps its buttons: %s", row.message_id, error)
                if passes(error):
                    trouble = error
                    continue
                if table.is_open and not isinstance(error, discord.NotFound):
                    # The permission may come back; it is tried whenever the table is shown.
                    continue
            await self._tables.telling.retired(table.id, row)
        if trouble is not None:
            raise trouble

    async def _small(self, table: Table, past: _Past) -> list[discord.File]:
        """The picture that a board keeps after it has been followed by another one, if the guild wants that."""
        if past.game is None or not (await self._tables.moderation.guild(table.guild_id)).old_pictures:
            return []
        language, view = language_for(table.terms.locale), past.game.view()
        then = replace(table, game=past.game)
        picture = await self._pictures.board(then, view, past.entries, language, size=SMALL)
        return [_file(picture, positions.alt(language, then, view, past.entries))]

    def _message(self, channel_id: int, message_id: int) -> discord.PartialMessage:
        return self._client.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def _failed(self, table: Table, error: Exception) -> None:
        """What Discord refused: if for good, the game waits and its players are told; otherwise it is tried again."""
        reason = None if not isinstance(error, discord.HTTPException) else LOST.get(error.code)
        if not table.is_open and not passes(error):
            log.warning("the end of table %s is not shown: %s", table.id, error)
            self._retries.worked(table.id)
            self._troubles.pop(table.id, None)
            await self._tables.places.forget_board(table.id)
            return
        if reason is None:
            self._troubles[table.id] = DISCORD
            log.warning("table %s cannot be shown now, it is tried again: %s", table.id, error)
            self._retries.failed(table.id)
            return
        self._troubles[table.id] = reason
        log.warning("table %s cannot be shown: %s", table.id, error)
        await self._tables.places.lost(table.id, reason)


def _told(table: Table, moment: Moment | None, notes: Sequence[Note]) -> _Told:
    """What people had been told at a moment, as far as it still stands."""
    takebacks, number = NOTHING_TOLD if moment is None else moment
    if moment is None or moment <= NOTHING_TOLD:
        return _Told(number)
    if takebacks == table.takebacks:
        return _Told(number)
    undone = [note for note in notes if note.kind == NoteKind.UNDONE][takebacks:]
    number = min(number, *(note.number for note in undone))
    return _Told(number, sum(_count(note) for note in undone), any(note.data.get("agreed", False) for note in undone))


def _asked(
    table: Table, game: PublicGame, told: _Told, entries: Sequence[Entry], rows: Sequence[Logged]
) -> tuple[int, ...]:
    """The people to call: one mention per decision, never a second one.

    Those who continue their own turn are not called, nor one who took an action back without asking: they are there.
    """
    if told.undone and not told.agreed and not entries:
        return ()
    if not entries or game.phase in _EXCHANGING:
        return tuple(table.uncalled.values())
    acted = {(row.seat, row.actor) for row in rows[max(entries[0].number, 1) - 1 : entries[-1].number]}
    return tuple(user for seat, user in table.uncalled.items() if acted != {(seat, user)})


def _last_told(course: PublicCourse, game: PublicGame, rows: Sequence[Logged]) -> tuple[Entry, ...]:
    """What the message about `game`, a state of this course, tells: everything since the last person acted.

    Gifts are not told, except those that complete an exchange once it is over. `rows`: the log, which may be longer
    than the game.
    """
    exchanging = game.phase in _EXCHANGING
    entries = {entry.number: entry for entry in course.entries(course.first)}

    def is_quiet(number: int) -> bool:
        if number not in entries:
            entries.update((entry.number, entry) for entry in course.entries(1))
        return not _is_news((entries[number],)) and (exchanging or not _exchanged(entries[number]))

    acted = (
        row.number for row in reversed(rows[: game.number]) if isinstance(row.actor, int) and not is_quiet(row.number)
    )
    first = max(1, next(acted, 1))
    return tuple(entry for entry in course.entries(first) if entry.number <= game.number)


def _longer(one: tuple[Entry, ...], other: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Whichever of these two ends of the story begins earlier."""
    return one if len(one) > len(other) else other


@dataclass(frozen=True, slots=True)
class _Past:
    """A board about a past state: its text, that state (None in the lobby), and the entries it told."""

    text: str
    game: PublicGame | None = None
    entries: tuple[Entry, ...] = ()


def _past(
    table: Table, row: StandingRow, notes: Sequence[Note], rows: Sequence[Logged], course: PublicCourse | None
) -> _Past:
    """What becomes of a board that has been followed: what it told, without any mentions, and where to."""
    language = language_for(table.terms.locale)
    moment, game = Moment.parse(str(row.marks["0"])), table.game
    then: PublicGame | None = None
    entries: tuple[Entry, ...] = ()
    if game is None or course is None or moment <= NOTHING_TOLD:
        text = lobbies.lobby(language, table)
    else:
        number = min(_told(table, moment, notes).number, game.number)
        then = course.at(number)
        entries = _last_told(course, then, rows)
        asides = reasons_of_folds(language, table, entries, course.why_folded)
        happened = story(language, table, entries, notes, rows, asides, besides=False)
        text = boards.past(language, table, then.view(), happened)
    if row.channel_id != table.channel_id:
        text = boards.onward(language, table, text)
    return _Past(text, then, entries)


def _is_newest(table: Table) -> bool:
    """Whether the newest state is shown where the table is played."""
    return _is_here(table) and table.shown is not None and table.shown.version == table.version


def _is_here(table: Table) -> bool:
    """Whether a board of the table is where the table is played; after a move it is elsewhere.

    If a place was lost, a new one is posted: nothing else proves that messages can be posted again.
    """
    return table.shown is not None and table.shown.channel_id == table.channel_id and table.lost is None


def _is_news(entries: Sequence[Entry]) -> bool:
    """Whether something happened that people will want to see."""
    return any(event.kind not in _QUIET for entry in entries for event in entry.events)


def _exchanged(entry: Entry) -> bool:
    """Whether cards changed hands through this action."""
    return any(event.kind is EventKind.EXCHANGED for event in entry.events)


def _count(note: Note) -> int:
    """How many actions a takeback took back."""
    count = note.data.get("count")
    return count if isinstance(count, int) else 1


def _file(picture: bytes, alt: str) -> discord.File:
    return discord.File(BytesIO(picture), "board.png", description=alt)
