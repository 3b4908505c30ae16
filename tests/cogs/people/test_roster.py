"""On Discord: players are called what they are called now, and leaderboards list members alone."""

import random
from typing import Any

from bot.errors import Moderators
from tests.cogs.playing import meanwhile, on_turn, past_the_exchange, resign, seat_everyone, take_turn, the_table
from tests.simtable import SimTable


def rename(table: SimTable, member: Any, nick: str, guild: Any = None) -> None:
    """Give a member a nickname, which the bot sees when they next ask for something."""
    table.env.backend.guilds[(guild or table.guild).id].members[member.id].nick = nick


async def rated(table: SimTable) -> None:
    """A game of the members that is over and counts."""
    await seat_everyone(table)
    await meanwhile(table, random.Random(3), lambda now: now.game is not None and now.game.round >= 3)
    await resign(table, table.members[0])


async def test_the_next_board_has_the_new_name(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await on_turn(table)
    rename(table, member, "Sir (Barks) a Lot")
    called = r"**Sir \[Barks\] a Lot**"
    await take_turn(table, member, random.Random(1))
    assert "Sir [Barks] a Lot" in " ".join(table.board().alt)
    history = await table.slash(member, "dog history")
    assert called in history.text
    assert f"**{member.name}**" not in history.text


async def test_who_has_left_is_not_ranked(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await rated(table)
    table.guild.remove_member(ann)
    await table.env.settle()
    assert "ann" not in (await table.slash(ben, "dog leaderboard")).text


async def test_moderators_take_members_off_the_leaderboard(table: SimTable, moderator: Any) -> None:
    ann, ben, *_ = table.members
    await rated(table)
    command = "dog-admin moderate leaderboard"
    table.let_command(ben, "dog-admin")
    assert (await table.slash(ben, command, member=ann.user)).is_refused(Moderators.GUILD_MODERATOR)
    assert "ann" in (await table.slash(ben, "dog leaderboard")).text
    await table.slash(moderator, command, member=ann.user, reason="her name")
    assert "ann" not in (await table.slash(ben, "dog leaderboard")).text
    assert "A moderator has taken you off" in (await table.slash(ann, "dog stats")).text
    assert f"<@{ann.id}>" in (await table.slash(moderator, command)).text
    log = (await table.slash(moderator, "dog-admin moderate log")).text
    assert "off the leaderboard" in log
    assert "her name" in log
    await table.slash(moderator, command, member=ann.user, back=True)
    assert "ann" in (await table.slash(ben, "dog leaderboard")).text


async def test_names_are_those_of_each_server(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new")
    rename(table, ann, "Anna")
    await table.slash(ben, "dog stats", member=ann)
    opened = await the_table(table)
    assert opened.occupants[0].name == "Anna", "seen in what another member asked"
    other = table.env.create_guild("Elsewhere")
    there, again = other.create_text_channel("dog"), other.add_member(ann.user)
    await again.slash(there, "dog games")
    assert (await the_table(table)).occupants[0].name == "Anna"
