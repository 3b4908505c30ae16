"""The real process plays on the wire: nothing that Discord would refuse is sent, and it stops cleanly."""

from __future__ import annotations

from pathlib import Path

from tests.wire.people import Person, boards, verbs
from tests.wire.process import BotProcess
from tests.wire.server import Wire


async def test_a_game_begins_over_the_wire_and_the_process_ends_cleanly(wire: Wire, tmp_path: Path) -> None:
    guild = wire.world.add_guild()
    channel = wire.world.add_channel(guild)
    ann = Person(wire, wire.world.add_user("ann", guild))
    async with BotProcess(wire, tmp_path) as bot:
        opened = await ann.slash(channel, "dog new")
        assert opened.private
        await ann.wait_for(lambda: bool(boards(channel)))
        for _ in range(3):
            await ann.click(boards(channel)[-1], "add_computer")
        await ann.wait_for(lambda: "start" in verbs(boards(channel)[-1]))
        await ann.click(boards(channel)[-1], "start")
        await ann.wait_for(lambda: "hand" in verbs(boards(channel)[-1]))
        hand = await ann.click(boards(channel)[-1], "hand")
        assert hand.private
        assert hand.shown is not None
        assert hand.shown.attachments, hand.text + bot.log_text()[-3000:]
        assert await ann.suggestions(channel, "dog play", "card")
        assert wire.refusals == []
        code, _ = await bot.stop()
        assert code == 0
        assert bot.tracebacks() == 0
