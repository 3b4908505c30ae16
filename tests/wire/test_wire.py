"""The Discord on the wire behaves like Discord, towards an unmodified discord.py."""

import asyncio
import contextlib
import logging
from io import BytesIO
from typing import Any

import aiohttp
import discord
import pytest
from discord.backoff import ExponentialBackoff

from tests.wire.conftest import CALM
from tools.wire import description
from tools.wire.faults import POSTS, Fault
from tools.wire.interactions import COMMAND, COMPONENT, FOLLOWUPS
from tools.wire.people import Person, until
from tools.wire.server import TOKEN, Wire
from tools.wire.world import DM, EPHEMERAL, NEW_DMS, Channel, World


@pytest.fixture
def channel(wire: Wire) -> Channel:
    """A channel of a guild."""
    return wire.world.add_channel(wire.world.add_guild())


def place(client: discord.Client, channel: Channel) -> discord.PartialMessageable:
    return client.get_partial_messageable(channel.id, guild_id=channel.guild_id)


async def test_what_is_posted_stands_there(wire: Wire, client: discord.Client, channel: Channel) -> None:
    view = discord.ui.View().add_item(discord.ui.Button(label="Play", custom_id="one"))
    sent = await place(client, channel).send(
        "Hello <@7>",
        file=discord.File(BytesIO(b"picture"), "board.png", description="a board"),
        view=view,
        allowed_mentions=discord.AllowedMentions(users=[discord.Object(7)]),
    )
    stored = channel.messages[sent.id]
    assert (stored.content, stored.live, stored.mentions) == ("Hello <@7>", ["one"], [7])
    assert stored.attachments[0]["description"] == "a board"
    assert stored.attachments[0]["size"] == 7
    await place(client, channel).get_partial_message(sent.id).edit(content="Bye", view=None)
    assert (stored.content, stored.live, len(stored.attachments)) == ("Bye", [], 1)
    await place(client, channel).get_partial_message(sent.id).delete()
    assert not channel.messages
    assert wire.refusals == []


def refused(world: World, channel: Channel, why: str) -> Channel:
    """Let something be in the way of a message; returns where it would go."""
    match why:
        case "channel gone":
            world.delete_channel(channel)
        case "thread locked":
            thread = world.add_thread(channel, "DOG")
            world.archive(thread, locked=True)
            return thread
        case "no server in common":
            return world.dm(world.add_user("eve"))
        case "letters closed":
            ann = world.add_user("ann")
            ann.closed = True
            return world.dm(ann)
        case _:
            world.restrict(channel, deny=discord.Permissions(**{why: True}))
    return channel


@pytest.mark.parametrize(
    ("why", "code"),
    [
        *(("view_channel", 50001), ("send_messages", 50013), ("attach_files", 50013), ("channel gone", 10003)),
        *(("thread locked", 50083), ("letters closed", 50007), ("no server in common", 50278)),
    ],
)
async def test_what_is_in_the_way_refuses(
    wire: Wire, client: discord.Client, channel: Channel, why: str, code: int
) -> None:
    where = refused(wire.world, channel, why)
    with pytest.raises(discord.HTTPException) as caught:
        await place(client, where).send("a", file=discord.File(BytesIO(b"a"), "a.png"))
    assert caught.value.code == code


async def test_missing_message_is_unknown_and_archived_thread_opens(
    wire: Wire, client: discord.Client, channel: Channel
) -> None:
    sent = await place(client, channel).send("a")
    wire.world.delete_message(channel.messages[sent.id])
    with pytest.raises(discord.NotFound) as caught:
        await place(client, channel).get_partial_message(sent.id).edit(content="b")
    assert caught.value.code == 10008
    thread = wire.world.add_thread(channel, "DOG")
    wire.world.archive(thread)
    await place(client, thread).send("a")
    assert not thread.archived


async def test_buckets_and_global_limit_delay_discord_py(wire: Wire, client: discord.Client, channel: Channel) -> None:
    wire.limits.slots = {POSTS: (5, 0.3)}
    for _ in range(5):
        assert wire.limits.ask(POSTS, str(channel.id)).retry_after is None
    await place(client, channel).send("a")
    assert wire.log[POSTS, 429] == 1
    other = wire.world.add_channel(wire.world.guilds[channel.guild_id or 0])
    wire.limits.hold(0.3)
    await place(client, other).send("a")
    assert wire.log[POSTS, 429] == 2
    assert len(other.messages) == 1


@pytest.mark.parametrize(
    ("kind", "standing"),
    [
        *((Fault.ERROR_BEFORE, 0), (Fault.ERROR_AFTER, 1), (Fault.RESET_BEFORE, 0), (Fault.RESET_AFTER, 1)),
        (Fault.CUT_AFTER, 1),
    ],
)
async def test_post_can_fail_before_or_after_its_effect(
    wire: Wire, client: discord.Client, channel: Channel, kind: Fault, standing: int
) -> None:
    # discord.py itself does not retry a 503.
    wire.faults.add(kind, route=POSTS, times=1, status=503)
    with pytest.raises((discord.DiscordServerError, aiohttp.ClientError, OSError)):
        await place(client, channel).send("a", nonce="one")
    assert len(channel.messages) == standing
    assert (await place(client, channel).send("a", nonce="one")).id in channel.messages
    assert len(channel.messages) == 1
    assert wire.faults.counts[kind] == 1


async def test_what_discord_would_refuse_is_refused_and_noted(
    wire: Wire, client: discord.Client, channel: Channel
) -> None:
    wire.limits.buckets = False
    for body in (
        {"content": "x" * 2001},
        {"content": ""},
        {"content": "a", "attachments": [{"id": "0", "description": "x" * 1025}]},
        {"content": "a", "components": [{"type": 1, "components": [_button(f"{number}") for number in range(6)]}]},
        {"content": "a", "components": [{"type": 1, "components": [_button("same"), _button("same")]}]},
        {"content": "a", "components": [{"type": 1, "components": [_button("x" * 101)]}]},
        {"content": "a", "components": [{"type": 1, "components": [_button("a", label="x" * 81)]}]},
    ):
        async with (
            aiohttp.ClientSession(headers={"Authorization": f"Bot {TOKEN}"}) as session,
            session.post(f"{wire.url}/channels/{channel.id}/messages", json=body) as answer,
        ):
            assert answer.status == 400, body
            assert (await answer.json())["code"] in (50035, 50006)
    assert len(wire.refusals) == 7
    assert not channel.messages


def _button(custom_id: str, label: str = "a") -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": label, "custom_id": custom_id}


@pytest.mark.skipif(not description.is_here(), reason="Discord's description does not lie beside the project")
def test_a_request_is_held_against_the_description() -> None:
    checks = description.Description()
    assert checks.faults(POSTS, {"content": "a", "attachments": [{"id": 0, "filename": "a"}]}, multipart=False) == []
    assert checks.faults(POSTS, {"content": 3}, multipart=False)
    assert checks.faults("POST /channels/{channel_id}/nowhere", {}, multipart=False)


class Echo(discord.Client):
    """Answers every interaction as its data says."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.heard = 0
        self.began, self.over = asyncio.Event(), asyncio.Event()
        self.refused: list[tuple[int, int]] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do not pause between two connections, though Discord would want it."""

    async def on_ready(self) -> None:
        self.began.set()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        self.heard += 1
        data: Any = interaction.data
        match data.get("custom_id", data.get("name")):
            case "say":
                await interaction.response.send_message("said", ephemeral=True)
            case "defer":
                await interaction.response.defer(ephemeral=True, thinking=True)
                await interaction.followup.send("later", ephemeral=False)
                await interaction.followup.send("more", ephemeral=True)
            case "update":
                await interaction.response.edit_message(content="changed", attachments=[], view=None)
            case "original":
                await interaction.response.defer()
                await interaction.edit_original_response(content="edited")
            case "many":
                assert interaction.is_user_integration()
                assert not interaction.is_guild_integration()
                await interaction.response.send_message("hello")
                self.refused = []
                for number in range(FOLLOWUPS + 1):
                    try:
                        await interaction.followup.send(str(number))
                    except discord.HTTPException as refused:
                        self.refused.append((number, refused.code))
                self.over.set()
            case "twice":
                await interaction.response.send_message("once")
                interaction.response._response_type = None
                with contextlib.suppress(discord.HTTPException):
                    await interaction.response.send_message("twice")


@contextlib.asynccontextmanager
async def echoing(client: Echo) -> Any:
    running = asyncio.create_task(client.start(TOKEN))
    await client.began.wait()
    try:
        yield
    finally:
        await client.close()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.usefixtures("client")
async def test_interactions_are_answered_once_in_time_as_announced(wire: Wire, channel: Channel) -> None:
    guild = wire.world.guilds[channel.guild_id or 0]
    ann = Person(wire, wire.world.add_user("ann", guild))
    async with echoing(Echo()):
        assert (await ann.slash(channel, "say")).text == "said"
        deferred = await ann.slash(channel, "defer")
        await ann.hear(deferred.made)
        while len(deferred.messages) < 2:
            deferred.made.changed.clear()
            await deferred.made.changed.wait()
        assert [one.content for one in deferred.messages] == ["later", "more"]
        assert deferred.messages[0].flags & EPHEMERAL
        board = wire.world.post(channel, wire.world.bot, {"content": "board"}, {})
        await ann.press(board, "update")
        assert board.content == "changed"
        await ann.press(board, "original")
        assert board.content == "edited"
        twice = await ann.slash(channel, "twice")
        assert await until(lambda: bool(twice.made.faults), CALM)
        assert "40060" in twice.made.faults[0]
    wire.interactions.answer_within = 0
    late = ann.raw(COMMAND, channel, {"id": "1", "name": "say", "type": 1})
    with pytest.raises(Exception, match="10062"):
        wire.interactions.callback(late.id, late.token, {"type": 4, "data": {"content": "a"}}, {})
    wire.interactions.token_lives = 0
    with pytest.raises(Exception, match="50027"):
        wire.interactions.followup(deferred.made.token, {"content": "a"}, {})


@pytest.mark.usefixtures("client")
async def test_broken_connection_resumes_and_misses_nothing(
    wire: Wire, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExponentialBackoff, "delay", lambda _: 0.01)
    ann = Person(wire, wire.world.add_user("ann", wire.world.guilds[channel.guild_id or 0]))
    logging.getLogger("discord").setLevel(logging.CRITICAL)
    echo = Echo()
    async with echoing(echo):
        wire.gateway.cut()
        missed = ann.raw(COMPONENT, channel, {"custom_id": "say", "component_type": 2})
        assert (await ann.hear(missed)).text == "said"
        assert (wire.gateway.resumed, wire.gateway.identified) == (1, 1)
        wire.gateway.reconnect()
        assert await until(lambda: wire.gateway.resumed == 2, CALM)
        wire.gateway.invalidate()
        assert await until(lambda: wire.gateway.identified == 2, CALM)
        assert (await ann.slash(channel, "say")).text == "said"
    logging.getLogger("discord").setLevel(logging.NOTSET)


async def test_many_new_direct_messages_are_refused(wire: Wire, client: discord.Client) -> None:
    guild = wire.world.add_guild()
    users = [wire.world.add_user(f"p{number}", guild) for number in range(NEW_DMS + 2)]
    wire.world.dm(users[0])
    for user in users[:-1]:
        await client.create_dm(discord.Object(user.id))
    with pytest.raises(discord.HTTPException) as refused:
        await client.create_dm(discord.Object(users[-1].id))
    assert refused.value.code == 40003
    assert [user_id for _, user_id in wire.world.dms_opened] == [user.id for user in users[1:-1]], "one wrote first"


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("external", [True, False])
async def test_app_on_an_account_answers_where_no_bot_is(wire: Wire, external: bool) -> None:
    world = wire.world
    wire.interactions.external_apps = external
    world.add_guild()
    elsewhere, friends = world.add_guild("Elsewhere", bot=False), Channel(world.snowflake(), DM, "friends")
    eve = Person(wire, world.add_user("eve", elsewhere))
    eve.user.installed = True
    world.channels[friends.id] = friends
    async with echoing(echo := Echo()):
        for place, context in ((world.add_channel(elsewhere), 0), (friends, 2)):
            echo.over.clear()
            made = eve.type(place, "many")
            await echo.over.wait()
            assert made.payload["context"] == context
            assert made.original is not None
            assert bool(made.original.flags & EPHEMERAL) is not external
            assert echo.refused == [(FOLLOWUPS, 40094)]
