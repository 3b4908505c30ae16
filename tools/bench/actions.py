"""The cost of a whole action: decided, committed, answered with the hand's picture, and followed by a new board.

The real tables service, store, pictures, dialogue and delivery are at work; Discord is a stand-in that accepts
everything and costs nothing. Random legal actions are played at a few tables in turn, by people only.
"""

from __future__ import annotations

import io
import logging
import random
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from sqlalchemy import event

from bot import metrics
from bot.delivery.delivery import Delivery
from bot.delivery.members import Members
from bot.delivery.watching import PlaceWatch
from bot.languages import language_for
from bot.logs import formatter
from bot.message import About, Why
from bot.occupants import Person, Scope
from bot.showing.dialogue import Dialogue, HandNews
from bot.showing.pictures import Pictures
from bot.storage import Store
from bot.table import Status, Table, Terms
from bot.tables.service import Tables
from tools.bench.tables import NOW, fill

GUILD = 1_000
FIRST_PERSON = 1_000_000_000
BOUNDS = ("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "SAVEPOINT", "RELEASE")
"""The statements that begin and end transactions, which are not counted."""


@dataclass
class Counted:
    """Counts since the last `clear`: SQL statements, the bytes in them and their values, bytes sent."""

    statements: list[str] = field(default_factory=list)
    bytes: int = 0
    sent: int = 0

    def clear(self) -> None:
        """Start counting again."""
        self.statements.clear()
        self.bytes = self.sent = 0

    def watch(self, store: Store) -> None:
        """Count what this store does."""
        for engine in store.engines:
            event.listen(engine.sync_engine, "before_cursor_execute", self._note)

    def _note(self, _connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if not statement.startswith(BOUNDS):
            self.statements.append(statement)
            self.bytes += len(statement) + len(repr(values))


class StandIn:
    """A Discord that accepts every message at once; `cost` counts the bytes of their texts and pictures."""

    def __init__(self, cost: Counted) -> None:
        self._cost = cost
        self._ids = count(1)

    def get_guild(self, _guild_id: int) -> None:
        """Return None: no guild is known, so no member is looked up."""
        return

    def get_partial_messageable(self, _channel_id: int, **_: Any) -> Any:
        """Return a channel."""
        return SimpleNamespace(send=self._send, get_partial_message=self._message)

    def _message(self, message_id: int) -> Any:
        return SimpleNamespace(id=message_id, edit=self._send, delete=self._send)

    async def _send(self, content: str = "", **extra: Any) -> Any:
        files = extra.get("attachments") or list(filter(None, [extra.get("file")]))
        self._cost.sent += len(content.encode()) + sum(file.fp.getbuffer().nbytes for file in files)
        return self._message(next(self._ids))


class Workshop:
    """The working parts of the bot, put together as in `bot.client`; `close` ends them."""

    def __init__(self, folder: str, seed: int = 1, **tables: Any) -> None:
        self.cost = Counted()
        self._dice = random.Random(seed)
        self.store = Store(f"sqlite+aiosqlite:///{(Path(folder) / 'dog.db').as_posix()}")
        self.tables = Tables(self.store, draw_secret=lambda: self._dice.randbytes(32), rng=self._dice, **tables)
        self.pictures = Pictures()
        client: Any = StandIn(self.cost)
        self.members = Members(client, self.tables)
        places = PlaceWatch(client, self.tables)
        self.delivery = Delivery(client, self.tables, self.pictures, self.members, places, lambda table_ids: None)

    async def open(self, others: int = 0) -> None:
        """Open the store, and show every table from now on; at `others`, games go on and players have hands open."""
        await self.store.open()
        await fill(self.store, others, 20)
        english = language_for("en-US")
        for number in range(1, others + 1):
            asked: Any = SimpleNamespace(user=SimpleNamespace(id=number * 10 + 1), guild_id=GUILD)
            asked.is_user_integration = asked.is_guild_integration = lambda: True
            self.delivery.hands.expect(asked, cast(Table, SimpleNamespace(id=number, number=20, shown=None)), english)
        self.cost.watch(self.store)
        self.tables.aftermath.deliver = self.delivery.deliver
        self.members.on_unseen = self.delivery.once.tell_unseeing
        self.tables.deadlines.start()

    async def close(self) -> None:
        """Shut everything down."""
        self.delivery.close()
        await self.tables.close()
        await self.store.close()

    async def begin_game(self, number: int, terms: Terms | None = None) -> Table:
        """Start a game for four people, in its own channel."""
        people = [Person(FIRST_PERSON + number * 10 + seat, f"Player {seat}", frozenset(Scope)) for seat in range(1, 5)]
        table = await self.tables.lobby.open(people[0], GUILD, number, terms or Terms())
        for person in people[1:]:
            await self.tables.lobby.join(table.id, person)
        table = await self.tables.lobby.start(table.id, people[0])
        await self.tables.settled(table.id)
        return table

    async def act(self, table_id: int) -> bool:
        """Take an action for a person who is asked, as a press does; False if none is. What follows is started."""
        table = await self.tables.get(table_id)
        if table.game is None or not table.waiting_for:
            return False
        seat, user_id = next(iter(table.waiting_for.items()))
        action = self._dice.choice(self.tables.seated(table, user_id).game.legal)
        table = await self.tables.turns.act(table_id, user_id, table.decision(seat), action)
        table = await self.tables.aftermath.drive(table_id) or table
        prefers = await self.tables.users.preferences(user_id)
        dialogue = Dialogue(
            self.pictures,
            language_for("en-US"),
            self.tables.seated(table, user_id),
            prefers.theme or table.terms.theme,
            news=HandNews(undoable=await self.tables.proposals.can_undo(table_id, user_id)),
        )
        reply = await dialogue.hand()
        self.cost.sent += len(reply.picture or b"")
        return True


@asynccontextmanager
async def workshop(others: int = 0, **tables: Any) -> AsyncIterator[Workshop]:
    """Yield a workshop in a folder that is deleted with it."""
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(folder, **tables)
        await shop.open(others)
        try:
            yield shop
        finally:
            await shop.close()


async def measure(actions: int, tables: int = 4, others: int = 0) -> dict[str, float]:
    """Return averages for an action: `ms` of processor in all, `statements`, `bytes` of them, bytes `sent`.

    `others`: the number of games besides, with a hand open at each.
    """
    async with workshop(others, clock=lambda: NOW + time.perf_counter()) as shop:
        ids = [(await shop.begin_game(number)).id for number in range(1, tables + 1)]
        for table_id in ids * 10:
            await shop.act(table_id)
            await shop.tables.settled(table_id)
        shop.cost.clear()
        done, busy = 0, time.process_time()
        while done < actions:
            for table_id in ids:
                if not await shop.act(table_id):
                    ids[ids.index(table_id)] = (await shop.begin_game(1_000 + done)).id
                await shop.tables.settled(table_id)
                done += 1
        spent = time.process_time() - busy
        cost = shop.cost
        return {
            "ms": 1_000 * spent / done,
            "statements": len(cost.statements) / done,
            "bytes": cost.bytes / done,
            "sent": cost.sent / done,
        }


def measure_logs(actions: int = 2000) -> float:
    """Return the milliseconds of processor for an action's lines and figures: two presses, a post, a ping, a board."""
    logger, written = logging.getLogger("bot.deeds"), logging.StreamHandler(io.StringIO())
    written.setFormatter(formatter("json"))
    before = logger.level, logger.propagate
    logger.addHandler(written)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    occupants = {0: SimpleNamespace(plays=5)}
    table: Any = SimpleNamespace(guild_id=GUILD, id=7, moment="12", status=Status.PLAYING, occupants=occupants)
    message: Any = SimpleNamespace(about=About.BOARD, to_id=3, moment="12", marks={0: "12"})
    try:
        busy = time.process_time()
        for _ in range(actions):
            begun = time.perf_counter()
            for name in ("go", "play"):
                metrics.ACKNOWLEDGED.observe(time.perf_counter() - begun)
                metrics.record_request("press", name, "ok", begun, interaction=1, guild=GUILD, table=7, moment="12")
                with metrics.measure_drawing():
                    metrics.record_change(7)
            metrics.record_post(table, message, 9, [5], Why.TURN)
            metrics.record_board(table, "post")
            metrics.drop_change(7)
            for _ in range(4):
                metrics.REQUESTS.labels("200").inc()
        return 1_000 * (time.process_time() - busy) / actions
    finally:
        logger.removeHandler(written)
        logger.level, logger.propagate = before
