"""The real process plays on the wire: nothing that Discord would refuse is sent, nothing secret is logged at DEBUG."""

import asyncio
import re
import sqlite3
from contextlib import closing

import pytest

from bot.delivery.first_letters import AT_ONCE, EVERY
from tests.wire.conftest import Room
from tools.campaigns.hostile import attack
from tools.wire.people import Person
from tools.wire.server import TOKEN


@pytest.mark.parametrize("room", [{"LOG_LEVEL": "DEBUG", "WIRE_BARE": ""}], indirect=True)
async def test_process_plays_ends_cleanly_and_logs_no_secret(room: Room) -> None:
    """Neither a token, nor a hand, a seed, or the description of a private picture. It uploads emojis meanwhile."""
    ann, bot, channel = room.ann, room.bot, room.channel
    bot.database.unlink()
    async with bot:
        answers = [await ann.slash(channel, "dog new")]
        assert answers[0].private
        answers.append(await ann.click(await room.board("fill"), "fill"))
        answers.append(await ann.click(await room.board("start"), "start"))
        hand = await ann.click(await room.board("hand"), "hand")
        assert hand.private
        assert hand.shown is not None
        assert hand.shown.attachments, hand.text + bot.log_text()[-3000:]
        answers += [hand, await ann.slash(channel, "dog board")]
        assert await ann.suggestions(channel, "dog play", "card")
        await ann.wait_for(lambda: bool(room.wire.world.emojis))
        assert room.wire.refusals == []
        code, _ = await bot.stop()
        assert code == 0
        assert bot.tracebacks() == 0
    log = bot.log_text()
    assert "DEBUG" in log
    assert "IDENTIFY" not in log
    # The first start: six lines about what was done and what to do next, instead of a migration's log.
    told = log[log.index("Welcome. This is the first start here") :].splitlines()[:6]
    for word, line in zip(("dog.db", "let the bot in", "https://", "/dog new", "Ctrl+C", "check"), told, strict=True):
        assert word in line
    assert "alembic" not in log
    assert "press name=start result=ok" in log
    hidden = [one["description"] for answer in answers for message in answer.messages for one in message.attachments]
    assert len(hidden) >= 2
    assert all(hidden)
    with closing(sqlite3.connect(bot.database)) as rows:
        ((seed,),) = rows.execute("SELECT seed FROM games")
    secrets = [TOKEN, *(answer.made.token for answer in answers), *hidden, bytes(seed).hex(), repr(bytes(seed))]
    assert [secret for secret in secrets if secret in log] == []


@pytest.mark.usefixtures("in_threads")
async def test_first_letters_wait_and_outlive_the_process(room: Room) -> None:
    """The bot opens few direct messages at once; those who wait for theirs have their answer, and then the letter."""
    ann, bot, world = room.ann, room.bot, room.wire.world
    guild = world.guilds[room.channel.guild_id or 0]
    others = [Person(room.wire, world.add_user(f"p{number}", guild)) for number in range(AT_ONCE + 1)]

    def seen(person: Person) -> list[str]:
        dm = world.find_dm(person.user)
        return [] if dm is None else [message.content for message in dm.messages.values()]

    async with bot:
        opened = await ann.slash(world.dm(ann.user), "dog new", rules="dobney", players=6)
        code = re.findall(r"[A-Z]+-\d+", opened.text)[0]
        for joined in await asyncio.gather(*(each.slash(room.channel, "dog join", game=code) for each in others)):
            assert "You're in" in joined.text
        await ann.wait_for(lambda: len(world.dms_opened) >= AT_ONCE)
        begun = [at for at, _ in world.dms_opened]
        assert all(later - first > EVERY - 1 for first, later in zip(begun, begun[AT_ONCE:], strict=False))
        await bot.stop()
        await bot.start()
        await ann.wait_for(lambda: all(any(text.startswith("## ") for text in seen(each)) for each in others))
        assert sorted(user_id for _, user_id in world.dms_opened) == [each.id for each in others]
        assert all(len(set(seen(each))) == len(seen(each)) for each in others), "nothing is said twice"
        asked = [route for route, _ in room.wire.log.elements() if route == "POST /users/@me/channels"]
        assert len(asked) == len(others), "the channels of those before the restart are known"
        assert room.wire.refusals == []


@pytest.mark.usefixtures("in_threads")
async def test_hostile_interactions_change_nothing_and_leave_no_traceback() -> None:
    """Strangers send what no client of theirs would: all is answered privately or ignored."""
    result = await attack(300, within=60)
    assert not result.faults, str(result)
    assert result.answered > result.ignored
