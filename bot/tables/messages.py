"""Messages of tables on Discord: written down before they are sent, and cached. No table's version changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from bot.message import Message
from bot.storage import Store
from bot.storage.faults import Fault
from bot.tables.memory import Memory


class Messages:
    """Writes messages down, in the store and in the cache of their tables."""

    def __init__(self, store: Store, memory: Memory) -> None:
        self._store = store.messages
        self._memory = memory
        self._done: list[Message] = []

    async def add(self, table_id: int, *messages: Message, instead: Sequence[Message] = ()) -> None:
        """Write down messages that are about to be sent. Those they are sent `instead` of, and all `done`, go."""
        done = tuple(self._done)
        await self._store.add(table_id, messages, instead=[gone.nonce for gone in (*instead, *done)])
        self._done = [message for message in self._done if message not in done]
        self._remember(table_id, messages, gone=instead)

    async def note_arrived(self, table_id: int, message: Message, message_id: int) -> None:
        """Write down that a message is there."""
        await self._store.change(message.nonce, message_id=message_id)

        def there(messages: tuple[Message, ...]) -> tuple[Message, ...]:
            return tuple(replace(old, message_id=message_id) if old.nonce == message.nonce else old for old in messages)

        self._memory.said(table_id, there)

    async def change(self, table_id: int, message: Message) -> None:
        """Write down that a message says something else now, about other seats or another state."""
        known = {name: getattr(message, name) for name in ("text", "marks", "version", "moment")}
        await self._store.change(message.nonce, **known)
        self._remember(table_id, [message])

    async def drop(self, table_id: int, *messages: Message) -> None:
        """Forget messages that are gone, or need nothing more."""
        await self._store.drop([message.nonce for message in messages])
        self._remember(table_id, gone=messages)

    def done(self, table_id: int, message: Message) -> None:
        """Forget a message that needs nothing more, in the store with the next one; after a kill it is done again."""
        self._remember(table_id, gone=[message])
        self._done.append(message)

    def is_done(self, message: Message) -> bool:
        """Return True if a message needs nothing more, even if the store does not know that yet."""
        return any(done.nonce == message.nonce for done in self._done)

    async def close(self) -> None:
        """Let the store know what is done."""
        if self._done:
            with suppress(Fault):
                await self._store.drop([message.nonce for message in self._done])

    async def drop_all(self, table_id: int) -> None:
        """Forget everything the table has said: its channel is gone, and nothing more is said there."""
        await self._store.drop_all(table_id)
        self._memory.said(table_id, lambda _: ())

    def _remember(self, table_id: int, put: Iterable[Message] = (), gone: Iterable[Message] = ()) -> None:
        new = {message.nonce: message for message in put}
        old = {message.nonce for message in gone}

        def said(messages: tuple[Message, ...]) -> tuple[Message, ...]:
            kept = [new.pop(message.nonce, message) for message in messages if message.nonce not in old]
            return (*kept, *new.values())

        self._memory.said(table_id, said)
