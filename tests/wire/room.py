"""A channel with two people in it, and the real process: what short runs begin with."""

from __future__ import annotations

from tests.wire.people import Person, boards, verbs
from tests.wire.process import BotProcess
from tests.wire.server import Wire
from tests.wire.world import Channel, Message


class Room:
    """Ann and Ben in a channel of a guild, and the bot, which is not started yet."""

    def __init__(self, wire: Wire, bot: BotProcess) -> None:
        self.wire, self.bot = wire, bot
        guild = wire.world.add_guild()
        self.channel: Channel = wire.world.add_channel(guild)
        self.ann, self.ben = (Person(wire, wire.world.add_user(name, guild)) for name in ("ann", "ben"))

    async def board(self, verb: str) -> Message:
        """The newest board, once it has this button."""
        await self.ann.wait_for(lambda: bool(boards(self.channel)) and verb in verbs(boards(self.channel)[-1]))
        return boards(self.channel)[-1]

    async def press(self, verb: str, then: str) -> None:
        """Ann presses a button under the newest board, and waits for the one that follows from it."""
        await self.ann.click(boards(self.channel)[-1], verb)
        await self.board(then)

    async def begin(self) -> None:
        """Get Ann's game against a computer under way."""
        await self.ann.slash(self.channel, "dog new", rules="royal-basic", players=2)
        await self.board("add_computer")
        await self.press("add_computer", "start")
        await self.press("start", "hand")
