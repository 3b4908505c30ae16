"""Who may do what: power over a guild, over one table, over a place, and what is not theirs to look at.

Each point is tried as Discord's own clients would, and forged: with commands that were never shown, codes that nobody
was given, and buttons that the message does not carry.
"""

from typing import Any

import discord
import pytest

from bot.errors import BrokenLog, MayNotOpen, Moderators, NoSuchTable, NotAtTable, NotHost, TooManyOfYours
from bot.moment import START
from bot.showing.controls import AskCancel, Join, LeaveLobby, ReadRules, Rematch, ShowHand, ShowHistory, Start, TakeOver
from bot.table import Status, Table
from cogs.leaving import CancelSure
from tests.cogs.playing import cancel, seat_everyone, spoil, the_table
from tests.simtable import SimTable

ADMIN = "dog-admin"


async def game(table: SimTable) -> Table:
    """A running game of ann and ben in the table's channel."""
    await seat_everyone(table, rules="royal-basic", players=2)
    return await the_table(table)


def channel_where(table: SimTable, member: Any, **permissions: bool) -> Any:
    """A channel in which this member has or lacks these permissions."""
    overwrites = {member: discord.PermissionOverwrite(**permissions)}
    return table.guild.create_text_channel("elsewhere", overwrites=overwrites)


async def out_of_sight(table: SimTable, *others: Any) -> tuple[Any, Table]:
    """A channel that only the first member and these can see, with a lobby of that member's in it."""
    ann = table.members[0]
    overwrites: dict[Any, Any] = {table.guild.default_role: discord.PermissionOverwrite(view_channel=False)}
    overwrites |= {one: discord.PermissionOverwrite(view_channel=True) for one in (ann, *others, table.guild.me)}
    hidden = table.guild.create_text_channel("hidden", overwrites=overwrites)
    await table.slash(ann, "dog new", channel=hidden, rules="royal-basic", players=2)
    return hidden, (await table.bot.tables.in_channel(hidden.id))[0]


# --- the command of moderators


async def test_moderators_see_a_command_that_members_do_not(table: SimTable, moderator: Any) -> None:
    shown = set(moderator.available_commands(table.channel)) - set(table.members[0].available_commands(table.channel))
    assert shown == {
        f"{ADMIN} {name}"
        for name in (
            *("settings", "status", "pause", "resume", "cancel", "cup"),
            *(
                "moderate ban",
                "moderate unban",
                "moderate bans",
                "moderate log",
                "moderate leaderboard",
                "moderate season",
            ),
            *("house make", "house list", "house use", "house delete"),
        )
    }


@pytest.mark.parametrize("where", ["shown the command", "a permission in one channel"])
async def test_neither_makes_a_moderator(table: SimTable, where: str) -> None:
    opened = await game(table)
    dan, shown = table.members[3], where == "shown the command"
    channel = table.channel if shown else channel_where(table, dan, manage_messages=True)
    if shown:
        table.let_command(dan, ADMIN)
    ben = {"member": table.members[1].user}
    for command, options in (
        ("settings", {"pace": "live"}),
        *(("status", {}), ("house make", {"name": "Mine"})),
        *((f"moderate {word}", ben if word in ("ban", "unban") else {}) for word in ("ban", "unban", "bans", "log")),
        *((word, {"game": opened.code}) for word in ("pause", "resume", "cancel")),
    ):
        answer = await table.slash(dan, f"{ADMIN} {command}", channel=channel, **options)
        assert (answer.refusal or "").startswith(("NotModerator", "NotAtTable")), command
    question = await table.slash(dan, "dog table cancel", channel=channel, game=opened.code)
    assert question.shown.labels == []
    sure = CancelSure(opened.id, opened.point).custom_id("0")
    assert (await table.forge(dan, sure, on=question.shown)).is_refused(NotAtTable)
    assert (await table.slash(dan, "dog table move", channel=channel, game=opened.code)).is_refused(NotHost)
    after = await the_table(table)
    assert (after.status, after.channel_id, after.owners) == (Status.PLAYING, table.channel.id, opened.owners)
    assert (await table.bot.tables.moderation.guild(table.guild.id)).pace is None


async def test_channel_permission_is_power_over_its_games(table: SimTable) -> None:
    ann, dan = table.members[0], table.members[3]
    own = channel_where(table, dan, manage_messages=True)
    await table.slash(ann, "dog new", channel=own)
    (opened,) = await table.bot.tables.in_channel(own.id)
    question = await table.slash(dan, f"{ADMIN} cancel", channel=own)
    await table.click(dan, f"Yes, cancel {opened.code}", on=question.shown)
    assert (await table.bot.tables.get(opened.id)).status is Status.CANCELLED


async def test_channel_denial_overrides_a_moderator_elsewhere(table: SimTable) -> None:
    ann = table.members[0]
    role = table.guild.create_role("helpers", permissions=discord.Permissions(manage_messages=True))
    helper = table.guild.add_member(table.env.create_user("helper"), roles=[role])
    denied = table.guild.create_text_channel(
        "denied", overwrites={role: discord.PermissionOverwrite(manage_messages=False)}
    )
    await table.slash(ann, "dog new", channel=denied)
    (opened,) = await table.bot.tables.in_channel(denied.id)
    assert (await table.slash(helper, f"{ADMIN} cancel", game=opened.code)).is_refused(NotAtTable)
    await game(table)
    await table.slash(helper, f"{ADMIN} pause", channel=table.channel)
    assert (await the_table(table)).status is Status.PAUSED
    assert "nothing here yet" not in (await table.slash(helper, f"{ADMIN} moderate log")).text
    assert (await table.slash(helper, f"{ADMIN} settings", pace="brisk")).is_refused(Moderators.MANAGER)


async def test_channel_moderator_keeps_the_guilds_limits(table: SimTable, moderator: Any) -> None:
    dan = table.members[3]
    own = channel_where(table, dan, manage_messages=True)
    await table.slash(moderator, f"{ADMIN} settings", per_member=1)
    await table.slash(dan, "dog new", channel=own)
    assert (await table.slash(dan, "dog new", channel=own)).is_refused(TooManyOfYours)
    await table.slash(moderator, f"{ADMIN} settings", per_member=0, openers="moderators")
    assert (await table.slash(dan, "dog new", channel=own)).is_refused(MayNotOpen)


# --- the bot does not lend out its permissions


@pytest.mark.parametrize(
    ("command", "lacking"),
    [("move", "send_messages"), ("move", "view_channel"), ("move", "create_public_threads"), ("new", "send_messages")],
)
async def test_game_moves_only_where_its_mover_may_post(table: SimTable, command: str, lacking: str) -> None:
    opened, ann = await game(table), table.members[0]
    restricted = channel_where(table, ann, **{lacking: False})
    if command == "new":
        answer = await table.slash(ann, "dog new", channel=restricted)
    elif lacking == "create_public_threads":
        answer = await table.slash(ann, "dog table move", to=restricted, thread=True)
        here = await table.slash(ann, "dog new", channel=restricted, thread=True)
        assert "stays in this channel" in here.text
    else:
        answer = await table.forge_slash(ann, "dog table move", to=restricted)
    assert f"You need permission to **{lacking.replace('_', ' ')}**" in answer.text
    assert (await table.bot.tables.get(opened.id)).channel_id == table.channel.id
    assert restricted.threads == []
    assert len(table.messages(channel=restricted)) == (lacking == "create_public_threads")


async def test_source_moderator_needs_permission_at_the_target(table: SimTable, moderator: Any) -> None:
    await game(table)
    restricted = channel_where(table, moderator, send_messages=False)
    assert "send messages" in (await table.slash(moderator, "dog table move", to=restricted)).text
    assert (await the_table(table)).channel_id == table.channel.id


async def test_silenced_member_does_not_make_the_bot_post(table: SimTable) -> None:
    opened = await game(table)
    ann, elsewhere = table.members[0], table.guild.create_text_channel("elsewhere")
    table.overwrite(table.channel, {ann: discord.PermissionOverwrite(send_messages=False)})
    before, silenced = len(table.messages()), "You need permission to **send messages**"
    assert silenced in (await table.slash(ann, "dog table nudge", channel=elsewhere, game=opened.code)).text
    await table.slash(ann, "dog takeback", channel=elsewhere, game=opened.code)
    assert len(table.messages()) == before
    await cancel(table, ann, opened.code)
    assert silenced in (await table.forge(ann, Rematch(opened.id).custom_id("0"), on=table.board())).text
    assert await table.bot.tables.places.in_guild(table.guild.id) == ()


# --- what is not theirs to look at


LOOKS = ("board", "history", "replay", "review", "hand", "table nudge", "table resign", "table cancel", "table move")


async def test_hidden_game_looks_like_none(table: SimTable) -> None:
    ann, dan = table.members[0], table.members[3]
    _, opened = await out_of_sight(table)
    none = "YAK-9" if opened.code != "YAK-9" else "OWL-9"
    for command in LOOKS:
        answer = await table.slash(dan, f"dog {command}", game=opened.code)
        missing = await table.slash(dan, f"dog {command}", game=none)
        assert answer.text.replace(opened.code, none) == missing.text, command
        assert answer.shown.pictures == ()
    assert answer.is_refused(NoSuchTable)
    assert (await table.slash(ann, "dog board", game=opened.code)).shown.pictures


async def test_a_game_out_of_sight_is_not_suggested(table: SimTable, moderator: Any) -> None:
    ann, dan = table.members[0], table.members[3]
    await out_of_sight(table)
    assert await table.suggestions(dan, "dog board", "game") == {}
    assert await table.suggestions(moderator, f"{ADMIN} pause", "game") == {}
    seen = table.guild.create_text_channel("seen")
    await table.slash(ann, "dog new", channel=seen)
    (other,) = await table.bot.tables.in_channel(seen.id)
    assert await table.suggestions(moderator, f"{ADMIN} pause", "game") == {other.code: other.code}


async def test_buttons_do_not_lead_to_hidden_games(table: SimTable) -> None:
    ann, ben, _, dan = table.members
    _, opened = await out_of_sight(table, ben)
    await table.slash(dan, "dog new")
    here = table.board()
    told = set()
    for table_id in (opened.id, 99_999):
        for press in (
            *(Join(table_id), ReadRules(table_id), ShowHistory(table_id), ShowHand(table_id), Start(table_id)),
            *(TakeOver(table_id, 0), LeaveLobby(table_id), AskCancel(table_id), CancelSure(table_id, START)),
        ):
            told.add((await table.forge(dan, press.custom_id("0"), on=here)).text)
    (one,) = told
    assert one.startswith("That game is gone or private. See yours: </dog games:")
    assert (await table.bot.tables.get(opened.id)).owners == {ann.id: 0}


async def test_a_seat_is_enough_to_look_from_anywhere(table: SimTable) -> None:
    ben = table.members[1]
    hidden, opened = await out_of_sight(table, ben)
    await table.click(ben, "Join", on=table.messages(channel=hidden)[-1])
    table.overwrite(hidden, {table.guild.default_role: discord.PermissionOverwrite(view_channel=False)})
    assert (await table.slash(ben, "dog board", game=opened.code)).shown.pictures


async def test_private_thread_is_hidden_from_its_channel(table: SimTable) -> None:
    ann, dan = table.members[0], table.members[3]
    thread = await table.private_thread(ann)
    await table.slash(ann, "dog new", channel=thread)
    (opened,) = await table.bot.tables.in_channel(thread.id)
    assert (await table.slash(dan, "dog board", game=opened.code)).is_refused(NoSuchTable)
    assert (await table.slash(ann, "dog board", game=opened.code)).shown.pictures


async def test_lost_channels_game_stays_visible_to_its_people(table: SimTable, moderator: Any) -> None:
    ann, dan = table.members[0], table.members[3]
    doomed, refuge = table.guild.create_text_channel("doomed"), table.guild.create_text_channel("refuge")
    await table.slash(ann, "dog new", channel=doomed)
    (opened,) = await table.bot.tables.in_channel(doomed.id)
    await table.delete_channel(doomed)
    assert (await table.slash(dan, "dog board", game=opened.code)).is_refused(NoSuchTable)
    question = await table.slash(moderator, f"{ADMIN} cancel", channel=refuge, game=opened.code)
    await table.click(moderator, f"Yes, cancel {opened.code}", on=question.shown)
    assert (await table.bot.tables.get(opened.id)).status is Status.CANCELLED


async def test_damaged_hidden_game_looks_like_none(table: SimTable) -> None:
    ann, ben, _, dan = table.members
    hidden, opened = await out_of_sight(table, ben)
    await table.click(ben, "Join", on=table.messages(channel=hidden)[-1])
    await table.click(ann, "Start", on=table.messages(channel=hidden)[-2])
    await spoil(table, opened.id)
    assert (await table.slash(dan, "dog board", game=opened.code)).is_refused(NoSuchTable)
    assert (await table.slash(ann, "dog board", game=opened.code)).is_refused(BrokenLog)
