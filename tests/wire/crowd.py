"""The people of many filled-in games on a wire, with the bot in front of them: what long runs set up.

`stage` fills the games in and starts the bot; `Crowd` are the people, who act and count what they see.
"""

import asyncio
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from engine import Action
from tests.wire.filling import Place, fill
from tests.wire.mirror import Mirror
from tests.wire.people import Answer, Person, to_play
from tests.wire.process import TREE, BotProcess
from tests.wire.server import Wire
from tests.wire.world import Channel, Message


def always(_moment: float) -> bool:
    """Any time."""
    return True


@dataclass
class Tally:
    """What happened in one run. Times in seconds; of acknowledgements and boards also when they were asked for."""

    acknowledged: list[tuple[float, float | None]] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    boards: list[tuple[float, float]] = field(default_factory=list)
    actions: int = 0
    interactions: int = 0
    refused: int = 0
    memory: list[float] = field(default_factory=list)

    def answers(self, when: Callable[[float], bool] = always) -> list[float]:
        """Acknowledgements of what was asked for then; those that came too late or never count as three seconds."""
        return [3.0 if took is None else took for moment, took in self.acknowledged if when(moment)]

    def unanswered(self, when: Callable[[float], bool] = always) -> int:
        """How many of those asked for then were not acknowledged."""
        return sum(took is None for moment, took in self.acknowledged if when(moment))

    def shown(self, when: Callable[[float], bool] = always) -> list[float]:
        """Seconds until the board came, for actions of that time."""
        return [took for moment, took in self.boards if when(moment)]


class Crowd:
    """The people in many filled-in games, and what they see."""

    def __init__(self, wire: Wire, tables: int) -> None:
        self.wire = wire
        self.channels: dict[int, Channel] = {}
        self.people: dict[int, Person] = {}
        self.tally = Tally()
        self.shown: dict[int, float] = {}
        """When the newest board of a channel arrived."""
        self._waiting: dict[int, asyncio.Event] = {}
        for number in range(1, tables + 1):
            self._seat(Place(number))
        wire.world.on_message.append(self._board)
        wire.world.on_edit.append(self._board)

    def _seat(self, place: Place) -> None:
        world = self.wire.world
        guild = world.guilds.get(place.guild) or world.add_guild(guild_id=place.guild)
        channel = world.add_channel(guild, place.code.lower(), channel_id=place.channel)
        board = Message(place.board, channel.id, world.bot, content=place.code)
        channel.messages[board.id] = board
        self.channels[place.number] = channel
        for seat in range(4):
            user = world.add_user(f"p{place.number}x{seat}", guild, user_id=place.user(seat))
            self.people[user.id] = Person(self.wire, user, patience=30)

    def _board(self, message: Message) -> None:
        if message.attachments:
            self.shown[message.channel_id] = time.perf_counter()
            if (waiting := self._waiting.pop(message.channel_id, None)) is not None:
                waiting.set()
            # Nobody looks at old boards any more, unless one has kept its buttons.
            stored = self.wire.world.channels[message.channel_id].messages
            if len(stored) > 8 and (old := next((one for one in sorted(stored) if not stored[one].live), None)):
                del stored[old]

    async def act(
        self, mirror: Mirror, number: int, dice: random.Random, *, buttons: bool, tally: Tally | None = None
    ) -> None:
        """Let one person who is to act in this game do so; counted in `tally`, by default that of the run."""
        tally = tally or self.tally
        game = mirror.game(number)
        if not game.to_act:
            return
        seat = dice.choice(game.to_act)
        action = dice.choice(game.legal(seat))
        person, channel = self.people[Place(number).user(seat)], self.channels[number]
        tally.actions += 1
        begun = time.perf_counter()
        if buttons:
            board = Message(Place(number).board, channel.id, self.wire.world.bot)
            hand = self._count(await person.press(board, f"dog:hand:{number}#0"), tally)
            await to_play(person, hand.shown, dice, lambda answer: self._count(answer, tally))
        else:
            answer = await person.slash(
                channel, "dog play", card=card_of(action), move=str(action), game=Place(number).code
            )
            self._count(answer, tally)
        if not await self._comes(channel.id, begun, 5) and not mirror.log(number, game.number):
            tally.refused += 1
            return
        if await self._comes(channel.id, begun, 55):
            tally.boards.append((begun, self.shown[channel.id] - begun))

    async def _comes(self, channel_id: int, since: float, seconds: float) -> bool:
        """Whether a board comes within this many seconds, or has come `since` that moment."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.shown.get(channel_id, 0) <= since:
                    await self._waiting.setdefault(channel_id, asyncio.Event()).wait()
        return self.shown.get(channel_id, 0) > since

    def _count(self, answer: Answer, tally: Tally) -> Answer:
        tally.interactions += 1
        tally.acknowledged.append((answer.made.begun, answer.acknowledged))
        if answer.took is not None:
            tally.read.append(answer.took)
        self.wire.interactions.forget(answer.made)
        return answer


def card_of(action: Action) -> str:
    """What `/dog play` calls the card of an action: its kind if it has none."""
    return action.card or action.kind.value


@dataclass
class Stage:
    """A bot on a wire with filled-in games."""

    wire: Wire
    crowd: Crowd
    bot: BotProcess


@asynccontextmanager
async def stage(
    tables: int,
    *,
    tree: Path = TREE,
    behind: int = 0,
    system: str = "classic",
    start: bool = True,
    everywhere: int | None = None,
    level: str = "WARNING",
) -> AsyncIterator[Stage]:
    """Fill in the games and start the bot; at the end it is killed and everything is thrown away.

    `everywhere`: the global limit of requests a second, if there is to be one.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if tree == TREE:
            await asyncio.to_thread(fill, folder / "dog.db", tables, behind, system)
        else:
            words = [str(folder / "dog.db"), "--tables", str(tables), "--behind", str(behind), "--system", system]
            await asyncio.to_thread(
                subprocess.run,
                [sys.executable, str(Path(__file__).with_name("filling.py")), *words],
                cwd=tree,
                env={"PYTHONPATH": str(tree), "PATH": "/usr/bin:/bin"},
                check=True,
                stderr=subprocess.DEVNULL,
            )
        async with Wire(strict=False, everywhere=everywhere) as wire:
            crowd = Crowd(wire, tables)
            bot = BotProcess(wire, folder, tree=tree, gauges=True, settings={"LOG_LEVEL": level})
            try:
                if start:
                    await bot.start(within=120)
                    await asyncio.sleep(3)
                yield Stage(wire, crowd, bot)
            finally:
                await bot.kill()
