"""Seats' marks as emojis of the application: uploaded once, shown in messages, and never needed."""

from collections.abc import Iterator

import discord
import pytest

from bot.pools import Pools
from bot.showing import emojis
from bot.showing.components import view_of
from bot.showing.controls import ShowHand
from bot.showing.panels import Panel, line
from bot.texts.markup import MESSAGE_LIMIT
from tools.wire.server import Wire
from tools.wire.world import Channel

LIST, UPLOAD = "GET /applications/{application_id}/emojis", "POST /applications/{application_id}/emojis"


@pytest.fixture(autouse=True)
def nothing_learned(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No waiting between uploads, and no emojis left for other tests."""
    monkeypatch.setattr(emojis, "GENTLY", 0)
    yield
    emojis.learn({})


async def bring(client: discord.Client, *, uploads: bool = True) -> None:
    pools = Pools()
    try:
        await emojis.bring(client, pools, uploads=uploads)
    finally:
        pools.close()


async def test_each_is_uploaded_once(wire: Wire, client: discord.Client) -> None:
    await bring(client)
    names = sorted(emoji["name"] for emoji in wire.world.emojis.values())
    assert len(names) == wire.log[UPLOAD, 200]
    assert {name.rpartition("_")[0] for name in names} >= {
        "dog_violet",
        "dog_card_X",
        "dog_card_red_1_11",
        "dog_rank_K",
    }
    emojis.learn({})
    await bring(client, uploads=False)
    assert wire.log[UPLOAD, 200] == len(names)
    assert emojis.dress("🔵").startswith("<:dog_blue_")
    assert wire.refusals == []


async def test_old_drawings_go_when_room_is_needed(wire: Wire, client: discord.Client) -> None:
    for number in range(emojis.MOST - 1):
        name = f"dog_blue_{number:06}" if number < 60 else f"own_{number}"
        made = wire.world.snowflake()
        wire.world.emojis[made] = {"id": str(made), "name": name}
    await bring(client)
    names = [emoji["name"] for emoji in wire.world.emojis.values()]
    assert len(names) == emojis.MOST
    assert sum(name.startswith("own_") for name in names) == emojis.MOST - 61
    needed = sum(name.rpartition("_")[0] != "dog_blue" for name in names if name.startswith("dog_"))
    assert f"dog_blue_{needed - 1:06}" not in names
    assert f"dog_blue_{needed:06}" in names


async def test_what_goes_wrong_leaves_signs(wire: Wire, client: discord.Client) -> None:
    for number in range(emojis.MOST):
        wire.world.emojis[number] = {"id": str(number), "name": f"own_{number}"}
    await bring(client)
    assert (emojis.dress("🔵"), emojis.instead_of("🔵")) == ("🔵", "🔵")


async def test_messages_show_them(wire: Wire, client: discord.Client) -> None:
    await bring(client)
    channel: Channel = wire.world.add_channel(wire.world.add_guild())
    place = client.get_partial_messageable(channel.id, guild_id=channel.guild_id)
    text = "🔵 **Ann** played ✅ `🟠`\n```\n🟠\n```\n🟠 <t:1:R>"

    def panel() -> Panel:
        lines = [line("Ann", 0, emoji="🔵"), line("Lock", 1, emoji="🔒")]
        panel = Panel().button("Hand", ShowHand(1), emoji="🟠").button("6", ShowHand(1), emoji="card_6")
        return panel.menu("Who", ShowHand(1), lines)

    sent = await place.send(emojis.dress(text), view=view_of(panel()))
    assert sent.content.count("<:dog_") == 2
    assert "`🟠`\n```\n🟠\n```\n<:dog_amber_" in sent.content
    assert emojis.undress(sent.content) == text
    shown = channel.messages[sent.id].controls
    assert shown[0]["emoji"]["name"].startswith("dog_amber_")
    assert shown[1]["emoji"]["name"].startswith("dog_card_6_")
    assert [option["emoji"]["name"][:9] for option in shown[2]["options"]] == ["dog_blue_", "🔒"]
    wire.world.emojis.clear()
    with pytest.raises(discord.HTTPException) as refused:
        await place.send("Next", view=view_of(panel()))
    assert emojis.forget_refused(refused.value)
    sent = await place.send("Next", view=view_of(panel()))
    assert [item.get("emoji", {}).get("name") for item in channel.messages[sent.id].controls[:2]] == ["🟠", None]


def test_a_long_text_keeps_its_signs() -> None:
    emojis.learn({"🔵": discord.PartialEmoji(name="dog_blue_000000", id=10**18)})
    long = "🔵" + "a" * (MESSAGE_LIMIT - 20)
    assert emojis.dress(long) == long
    assert len(emojis.dress(long[:-30])) <= MESSAGE_LIMIT
