"""At DEBUG the real process logs no token, no hand, no seed and no description of a private picture."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.wire.people import Person, boards, verbs
from tests.wire.process import BotProcess
from tests.wire.server import TOKEN, Wire


async def test_nothing_secret_is_logged_at_debug(wire: Wire, tmp_path: Path) -> None:
    guild = wire.world.add_guild()
    channel = wire.world.add_channel(guild)
    ann = Person(wire, wire.world.add_user("ann", guild))
    async with BotProcess(wire, tmp_path, settings={"LOG_LEVEL": "DEBUG"}) as bot:
        answers = [await ann.slash(channel, "dog new")]
        await ann.wait_for(lambda: bool(boards(channel)))
        for _ in range(3):
            answers.append(await ann.click(boards(channel)[-1], "add_computer"))
        await ann.wait_for(lambda: "start" in verbs(boards(channel)[-1]))
        answers.append(await ann.click(boards(channel)[-1], "start"))
        await ann.wait_for(lambda: "hand" in verbs(boards(channel)[-1]))
        for command in ("dog hand", "dog board"):
            answers.append(await ann.slash(channel, command))
        await bot.stop()
    log = bot.log_text()
    assert "DEBUG" in log
    assert "IDENTIFY" not in log
    hidden = [one["description"] for answer in answers for message in answer.messages for one in message.attachments]
    assert len(hidden) >= 2
    assert all(hidden)
    with closing(sqlite3.connect(bot.database)) as rows:
        seeds = [bytes(seed) for (seed,) in rows.execute("SELECT seed FROM games")]
    assert len(seeds) == 1
    secrets = [TOKEN, *(answer.made.token for answer in answers), *hidden]
    secrets += [form for seed in seeds for form in (seed.hex(), repr(seed))]
    assert [secret for secret in secrets if secret in log] == []
