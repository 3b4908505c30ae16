"""Finding tables: by code, channel or member; and the short codes that tell the games of a guild apart, like `FOX-7`.

The answers are remembered, since nearly every command asks.
"""

from __future__ import annotations

import random
import re
from collections.abc import Container

from bot.errors import NoSuchTable
from bot.storage import Store
from bot.storage.records import OverRow
from bot.table import Table
from bot.tables.memory import Cache, Freshness, one_by_one
from bot.tables.transactions import Transactions

MOST_OVER = 25
"""How many finished games are looked up: as many as Discord suggests."""


class Finding:
    """Answers which tables there are."""

    def __init__(self, transactions: Transactions, store: Store, freshness: Freshness) -> None:
        self._transactions = transactions
        self._store = store

        def of_all(_: object) -> bool:
            return freshness(None)

        self._channels = Cache(one_by_one(store.games.ids_in_channel), of_all)
        self._members = Cache(one_by_one(store.games.ids_of_member), of_all)
        self._codes = Cache(one_by_one(self._of_code), of_all)
        transactions.on_change(self._changed)

    async def _of_code(self, place: tuple[int, str]) -> tuple[int, ...]:
        """The id of the guild's game with this code, if there is one."""
        found = await self._store.games.id_by_code(*place)
        return () if found is None else (found,)

    async def by_code(self, guild_id: int, code: str) -> Table:
        """The open game of a guild with this code, else its last finished one. Raises `NoSuchTable`."""
        read = read_code(code)
        found = await self._codes.get((guild_id, read)) if read else ()
        if not found:
            raise NoSuchTable(code)
        return await self._transactions.get(found[0])

    async def in_channel(self, channel_id: int) -> tuple[Table, ...]:
        """The open tables of a channel, newest first."""
        return await self._transactions.several(await self._channels.get(channel_id))

    async def of_member(self, user_id: int) -> tuple[Table, ...]:
        """The open tables, in any guild, where this member owns a seat, newest first."""
        return await self._transactions.several(await self._members.get(user_id))

    async def last_ended(self, channel_id: int) -> Table | None:
        """The game of this channel that ended last, or None."""
        table_id = await self._store.games.id_last_ended(channel_id)
        return None if table_id is None else await self._transactions.get(table_id)

    async def over(self, guild_id: int, user_id: int, channel_id: int) -> tuple[OverRow, ...]:
        """Games of a guild that were played to their end, those first which a member in a channel most likely means.

        That is one of their own, better in this channel than elsewhere, and of those the newest.
        """
        found = await self._store.games.over(guild_id, user_id, channel_id, MOST_OVER)
        return tuple(sorted(found, key=lambda one: (not one.mine, one.channel_id != channel_id)))

    def _changed(self, before: Table | None, after: Table, *_: object) -> None:
        old = (None, False, ()) if before is None else (before.channel_id, before.is_open, tuple(before.persons))
        if old == (after.channel_id, after.is_open, tuple(after.persons)):
            return
        for table in (before, after):
            if table is not None:
                self._codes.forget((table.guild_id, table.code))
                self._channels.forget(table.channel_id)
                for user_id in table.persons:
                    self._members.forget(user_id)


ANIMALS = (
    "ANT", "APE", "BAT", "BEAR", "BEE", "BOAR", "CAMEL", "CARP", "CAT", "COW", "CRAB", "CROW", "DEER", "DOVE", "DUCK",
    "EAGLE", "EEL", "ELK", "EMU", "FOX", "FROG", "GNU", "GOAT", "GOOSE", "HARE", "HAWK", "HEN", "HERON", "IBIS", "JAY",
    "KOALA", "LAMB", "LARK", "LION", "LLAMA", "LYNX", "MOLE", "MOOSE", "MOUSE", "MULE", "NEWT", "OTTER", "OWL", "OX",
    "PANDA", "PIKE", "PONY", "PUMA", "QUAIL", "RAM", "RAVEN", "ROBIN", "SEAL", "SHEEP", "SLOTH", "SNAIL", "STORK",
    "SWAN", "TAPIR", "TIGER", "TOAD", "TROUT", "VIPER", "VOLE", "WASP", "WHALE", "WOLF", "WREN", "YAK", "ZEBRA",
)  # fmt: skip
"""Words of the codes: short, plain, known in many languages."""

FORM = re.compile(r"^\s*([A-Za-z]{2,8})[\s-]*([0-9]{1,6})\s*$")


def draw_code(taken: Container[str], rng: random.Random) -> str:
    """A code that is not `taken`; the number only gets a second digit when the short ones become scarce."""
    highest = 9
    while True:
        for _ in range(20):
            code = f"{rng.choice(ANIMALS)}-{rng.randint(1, highest)}"
            if code not in taken:
                return code
        highest = highest * 10 + 9


def read_code(text: str) -> str | None:
    """The code that somebody typed, whatever its case and dash (`fox 7` is `FOX-7`); None if it is not one."""
    found = FORM.match(text)
    return f"{found[1].upper()}-{int(found[2])}" if found else None
