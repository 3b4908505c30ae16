"""What people have been told: the current board, notices beside it, direct messages still to be sent.

None of this changes a table's version.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.errors import Conflict
from bot.moment import Moment
from bot.storage import BoardRow, LetterRow, StandingRow, Store
from bot.storage.faults import Fault
from bot.table import Posting, Shown, Table
from bot.tables.memory import Memory, Remembered

log = logging.getLogger(__name__)

MANY = 32
"""How many retired boards are noted in one transaction."""

TRIES = 5
"""How often to try again to note a board when another process has noted one meanwhile."""


class Telling:
    """Remembers messages, in the store and in memory."""

    def __init__(self, store: Store, memory: Memory) -> None:
        self._store = store
        self._memory = memory
        self._retired: list[tuple[int, StandingRow]] = []

    async def close(self) -> None:
        """Write whatever is still to be written."""
        await self.write_retired()

    async def standing(self, table_id: int) -> tuple[StandingRow, ...]:
        """The messages in the channel: notices, and boards that are to lose their buttons; oldest first."""
        standing = await self._memory.standing(table_id)
        gone = [board for at, board in self._retired if at == table_id]
        return tuple(one for one in standing if not any(_same(one, board) for board in gone)) if gone else standing

    async def remember_notice(self, table_id: int, message: StandingRow, instead: StandingRow | None = None) -> None:
        """Note a message in the channel, or how it has changed; `instead`: the one it replaces."""
        await self._store.telling.remember_notice(table_id, message, instead)

        def stands(known: Remembered) -> None:
            if known.standing is not None:
                gone = (message,) if instead is None else (message, instead)
                kept = (one for one in known.standing if not any(_same(one, other) for other in gone))
                known.standing = (*kept, message)

        self._memory.told(table_id, stands)

    async def forget_notice(self, table_id: int, message: StandingRow) -> None:
        """Note that a message is gone."""
        await self._store.telling.forget_notices([(table_id, message)])
        self._falls(table_id, message)

    def _falls(self, table_id: int, message: StandingRow) -> None:
        def falls(known: Remembered) -> None:
            if known.standing is not None:
                known.standing = tuple(one for one in known.standing if not _same(one, message))

        self._memory.told(table_id, falls)

    async def retired(self, table_id: int, board: StandingRow) -> None:
        """Note that a board which was followed by another one has lost its buttons.

        It is written together with others by `write_retired`, at the latest when there are `MANY`; a crash before that
        only means that these boards are edited once more.
        """
        self._falls(table_id, board)
        self._retired.append((table_id, board))
        if len(self._retired) >= MANY:
            await self.write_retired()

    async def write_retired(self) -> None:
        """Write which boards are retired; what cannot be written now is kept for later."""
        if not (writing := tuple(self._retired)):
            return
        try:
            await self._store.telling.forget_notices(writing)
        except Fault as fault:
            log.info("retired boards are noted later: %s", type(fault).__name__)
            return
        self._retired = [one for one in self._retired if one not in writing]

    async def letters(self, table_id: int) -> tuple[LetterRow, ...]:
        """The direct messages that are still to be sent."""
        return await self._memory.letters(table_id)

    async def sent(self, table_id: int, letter: LetterRow) -> None:
        """Note that a direct message was sent, or is no longer needed."""
        await self._store.telling.sent(table_id, letter)

        def gone(known: Remembered) -> None:
            if known.letters is not None:
                known.letters = tuple(one for one in known.letters if one != letter)

        self._memory.told(table_id, gone)

    def begin_post(self, table: Table, called: Mapping[int, Moment], letters: Iterable[int], at: int) -> Posting:
        """Remember that a board of this snapshot is being posted; until its message is known, it may exist or not.

        It is stored with the table's next change, so that another process knows of it too.
        """
        asked = set(table.waiting_for.values())
        written = tuple((user_id, user_id in asked) for user_id in letters)
        posting = Posting(table.version, table.channel_id, table.to_tell, dict(called), written, at)

        def begins(known: Remembered) -> None:
            known.table = replace(known.table, posting=posting)

        self._memory.told(table.id, begins)
        return posting

    async def end_post(self, table_id: int) -> None:
        """Remember that the board which may have been posted was not.

        This is stored before another one is posted; otherwise, after a kill, that one would be taken for this one.
        """

        def ends(known: Remembered) -> None:
            known.table = replace(known.table, posting=None)

        self._memory.told(table_id, ends)
        await self._store.telling.note_posting(table_id, None)

    async def posted(self, table_id: int, posting: Posting, message_id: int) -> None:
        """Note the message that a post has made, and everything that was told with it."""
        shown = Shown(posting.channel_id, message_id, posting.version)
        written = [LetterRow(user_id, str(posting.told), asked) for user_id, asked in posting.letters]
        for attempt in range(TRIES):
            try:
                now = await self._memory.table(table_id)
                past = await self._note_board(now, shown, posting.told, posting.called, written)
            except Conflict:
                # Another change was committed meanwhile; the message is there all the same.
                self._memory.forget(table_id)
                if attempt == TRIES - 1:
                    raise
                continue
            break

        def stands(known: Remembered) -> None:
            called = {**known.table.called, **posting.called}
            known.table = replace(known.table, shown=shown, told=posting.told, called=called, posting=None)
            if known.standing is not None and past is not None:
                known.standing = (*known.standing, past)
            if known.letters is not None and written:
                mine = {letter.user_id for letter in written}
                known.letters = (*(one for one in known.letters if one.user_id not in mine), *written)

        self._memory.told(table_id, stands)

    async def remember_board(
        self, table: Table, message_id: int, called: Mapping[int, Moment], letters: Iterable[int]
    ) -> None:
        """Note the message that shows this snapshot, and what was said with it; see `Places.remember_board`."""
        await self.posted(table.id, self.begin_post(table, called, letters, table.changed_at), message_id)

    async def _note_board(
        self, now: Table, shown: Shown, told: Moment, called: Mapping[int, Moment], letters: Sequence[LetterRow]
    ) -> StandingRow | None:
        old = now.shown
        before = BoardRow(
            None if old is None else old.channel_id,
            None if old is None else old.message_id,
            None if old is None else old.version,
            None if now.told is None else str(now.told),
            _texts(now.called),
        )
        board = BoardRow(shown.channel_id, shown.message_id, shown.version, str(told), _texts({**now.called, **called}))
        return await self._store.telling.remember_board(now.id, now.version, before, board, letters)

    async def forget_board(self, table_id: int) -> None:
        """Forget the message that shows the table, and those beside it: their channel is gone."""
        await self._store.telling.forget_board(table_id)

        def gone(known: Remembered) -> None:
            known.table = replace(known.table, shown=None)
            known.standing = ()

        self._memory.told(table_id, gone)


def _same(one: StandingRow, other: StandingRow) -> bool:
    return (one.channel_id, one.message_id, one.about) == (other.channel_id, other.message_id, other.about)


def _texts(called: Mapping[int, Moment]) -> Mapping[int, str]:
    return {seat: str(decision) for seat, decision in called.items()}
