"""The people of many filled-in games on a wire, with the bot in front of them: the setup of long runs."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tools.campaigns.filling import Place, fill
from tools.wire.people import Person
from tools.wire.process import BotProcess
from tools.wire.server import Wire
from tools.wire.world import Channel, Message

PATIENCE = 600
"""Seconds that a start may take if other work keeps the machine busy, or halts us for a while."""


class Crowd:
    """The people in many filled-in games, and the boards they see."""

    def __init__(self, wire: Wire, tables: int, in_dms: Collection[int] = ()) -> None:
        self.wire = wire
        self.in_dms = in_dms
        """The games that are played in direct messages."""
        self.channels: dict[int, Channel] = {}
        self.people: dict[int, Person] = {}
        self.shown: dict[int, float] = {}
        """By channel, the moment when its newest board arrived."""
        self._waiting: dict[int, asyncio.Event] = {}
        for number in range(1, tables + 1):
            self._seat(Place(number))
        wire.world.on_message.append(self._board)
        wire.world.on_edit.append(self._board)

    def _seat(self, place: Place) -> None:
        world = self.wire.world
        guild = world.guilds.get(place.guild) or world.add_guild(guild_id=place.guild)
        for seat in range(4):
            user = world.add_user(f"p{place.number}x{seat}", guild, user_id=place.user(seat))
            self.people[user.id] = Person(self.wire, user, patience=30)
            direct = world.dm(user, channel_id=place.dm(seat))
            if place.number in self.in_dms:
                letter = Message(place.letter(seat), direct.id, world.bot, content=place.code)
                direct.messages[letter.id] = letter
        if place.number in self.in_dms:
            return
        channel = world.add_channel(guild, place.code.lower(), channel_id=place.channel)
        board = Message(place.board, channel.id, world.bot, content=place.code)
        channel.messages[board.id] = board
        self.channels[place.number] = channel

    def place_of(self, number: int, seat: int = 0) -> Channel | None:
        """Return where the person on a seat plays a game: its channel or, without one, their direct messages."""
        place = Place(number)
        if number in self.in_dms:
            return self.wire.world.find_dm(self.people[place.user(seat)].user)
        return self.wire.world.channels.get(place.channel)

    def _board(self, message: Message) -> None:
        if message.attachments:
            self.shown[message.channel_id] = time.perf_counter()
            if (waiting := self._waiting.pop(message.channel_id, None)) is not None:
                waiting.set()
            # Old boards are no longer needed, unless they have kept their buttons.
            stored = self.wire.world.channels[message.channel_id].messages
            if len(stored) > 8 and (old := next((key for key in sorted(stored) if not stored[key].live), None)):
                del stored[old]

    async def wait_for_board(self, channel_id: int, since: float, seconds: float) -> bool:
        """Return True if a board comes within this many seconds, or has come `since` that moment."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.shown.get(channel_id, 0) <= since:
                    await self._waiting.setdefault(channel_id, asyncio.Event()).wait()
        return self.shown.get(channel_id, 0) > since


@dataclass
class Stage:
    """A bot on a wire with filled-in games. `bots`: the processes among which the games are shared."""

    wire: Wire
    crowd: Crowd
    bots: list[BotProcess]

    @property
    def bot(self) -> BotProcess:
        return self.bots[0]

    def process_of(self, number: int) -> BotProcess:
        """Return the process that serves the guild of a game."""
        return self.bot

    def serves(self, bot: BotProcess, message: Message) -> bool:
        """Return True if this process posts a message like this."""
        return True

    def is_up(self, number: int) -> bool:
        return self.bot.is_running and self.wire.gateway.ready.is_set()

    async def start(self, bot: BotProcess) -> None:
        await bot.start(within=PATIENCE)


@asynccontextmanager
async def stage(
    tables: int,
    *,
    behind: int = 0,
    system: str = "classic",
    start: bool = True,
    everywhere: int | None = None,
    in_dms: Collection[int] = (),
) -> AsyncIterator[Stage]:
    """Fill in the games and start the bot; at the end it is killed and everything is thrown away.

    `everywhere`: the global limit of requests a second, if there is to be one; `in_dms`: the games played there.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        await asyncio.to_thread(fill, folder / "dog.db", tables, behind, system, in_dms)
        async with Wire(strict=False, everywhere=everywhere) as wire:
            crowd = Crowd(wire, tables, in_dms)
            bot = BotProcess(wire, folder, gauge=True, settings={"LOG_LEVEL": "WARNING"})
            try:
                if start:
                    await bot.start(within=PATIENCE)
                    await asyncio.sleep(3)
                yield Stage(wire, crowd, [bot])
            finally:
                await bot.kill()
