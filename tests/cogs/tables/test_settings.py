"""The role a server demands of players, and what it switches off: commands, buttons and invitations alike."""

from typing import Any

import discord
import pytest

from bot.errors import FeatureOff, MayNotPlay, Problem
from bot.showing.controls import AskTalk, Fill, Join, OpenUsual, Rematch
from bot.showing.lessons import ShowPuzzle
from bot.table import Status
from cogs.admin import ChangeSetting, ChooseSetting
from tests.cogs.playing import cancel, past_the_exchange, seat_everyone, the_table
from tests.simtable import SimTable


async def test_only_the_role_plays(table: SimTable, moderator: Any) -> None:
    ann, ben, *_ = table.members
    role = table.guild.create_role("players", permissions=discord.Permissions())
    dora, finn = (table.guild.add_member(table.env.create_user(name), roles=[role]) for name in ("dora", "finn"))
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    told = await table.slash(moderator, "dog-admin settings", play_role=role)
    assert f"Who can play: <@&{role.id}>" in told.text
    # Who has a seat keeps it, and may start; a new table is another matter.
    await table.click(dora, "Join")
    await table.click(ann, "Start", on=table.board())
    before = await the_table(table)
    assert before.status is Status.PLAYING
    for refused in (
        await table.slash(ben, "dog new"),
        await table.slash(ben, "dog table seek"),
        await table.forge(ben, OpenUsual(0).custom_id(), on=table.board()),
        await table.slash(ann, "dog new"),
    ):
        assert refused.is_refused(MayNotPlay)
        assert f"<@&{role.id}>" in refused.text
    await table.slash(finn, "dog new")
    opened = next(one for one in await table.bot.tables.in_channel(table.channel.id) if one.host_id == finn.id)
    assert (await table.forge(ben, Join(opened.id).custom_id(), on=table.board())).is_refused(MayNotPlay)
    invite = {"game": opened.code, "player": ben.user}
    assert (await table.slash(finn, "dog table invite", **invite)).is_refused(Problem.NOBODY_TO_INVITE)
    assert "History" in table.board().labels or (await table.slash(ben, "dog board", game=before.code)).shown
    role_of_all = table.guild.default_role
    await table.slash(moderator, "dog-admin settings", play_role=role_of_all)
    assert not (await table.click(ben, "Join", on=table.board())).refusal


async def test_role_is_looked_up_for_direct_messages(table: SimTable, moderator: Any) -> None:
    role = table.guild.create_role("players", permissions=discord.Permissions())
    dora = table.guild.add_member(table.env.create_user("dora"), roles=[role])
    over = []
    for member in (table.members[0], dora):
        await table.slash(member, "dog me notify", where="dm")
        await table.slash(member, "dog new")
        await table.click(member, "Add computers", on=table.board())
        await table.click(member, "Start", on=table.board())
        over.append(await the_table(table))
        await cancel(table, member, over[-1].code)
    await table.slash(moderator, "dog-admin settings", play_role=role)
    for member, game, refused in zip((table.members[0], dora), over, (True, False), strict=True):
        await table.slash(member, "dog help", channel=member.user.dm_channel)
        answer = await table.forge(member, Rematch(game.id).custom_id(), on=table.letters(member)[-1])
        assert answer.is_refused(MayNotPlay) is refused


async def test_what_is_off_has_no_buttons(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    await seat_everyone(table, computers=2, hints=True)
    table_id = (await the_table(table)).id
    hand = await table.slash(ann, "dog hand")
    assert {"Hint"} <= set(hand.shown.labels)
    assert "Say something" in table.board().labels
    for feature in ("hints", "phrases", "computers", "puzzle", "seeks"):
        told = await table.slash(moderator, "dog-admin settings", feature=feature)
    assert "Turned off: hints, table talk, computer players, the puzzle of the day" in told.text
    assert "Hint" not in (await table.slash(ann, "dog hand")).shown.labels
    for refused in (
        await table.forge(
            ann, next(one.custom_id for one in hand.shown.buttons if one.label == "Hint"), on=table.board()
        ),
        await table.forge(ann, AskTalk(table_id).custom_id(), on=table.board()),
        await table.forge(ann, ShowPuzzle(0).custom_id(), on=table.board()),
        await table.slash(ann, "dog puzzle"),
        await table.slash(ann, "dog table seek"),
        await table.slash(ann, "dog new", hints=True),
    ):
        assert refused.is_refused(FeatureOff)
    await table.slash(ann, "dog new")
    assert "Add computers" not in table.board().labels
    (lobby,) = (one for one in await table.bot.tables.in_channel(table.channel.id) if one.status is Status.LOBBY)
    assert (await table.forge(ann, Fill(lobby.id).custom_id(), on=table.board())).is_refused(FeatureOff)
    assert not (await table.slash(ann, "dog puzzle", channel=ann.user.dm_channel)).refusal
    await table.slash(moderator, "dog-admin settings", feature="computers")
    await table.click(ann, "Settings", on=table.board())
    await table.forge(ann, Fill(lobby.id).custom_id(), on=table.board())
    assert not (await table.bot.tables.get(lobby.id)).free


async def test_settings_change_in_menus(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    shown = (await table.slash(moderator, "dog-admin settings")).shown
    chosen = (await table.choose(moderator, "Default time per turn", on=shown)).shown
    assert "brisk: 1 hour a turn" in chosen.choices
    await table.choose(moderator, "brisk: 1 hour a turn", on=chosen)
    assert (await table.bot.tables.moderation.guild(table.guild.id)).pace == "brisk"
    chosen = (await table.choose(moderator, "Turn this off, or back on", on=table.read(shown))).shown
    assert "Turned off: hints" in (await table.choose(moderator, "hints", on=chosen)).text
    which = ChooseSetting(0).custom_id()
    assert (await table.forge(ann, which, on=table.read(shown), values=["0"])).refusal
    for custom_id, value in (
        (which, "99"),
        (ChangeSetting(0, 99).custom_id(), "0"),
        (ChangeSetting(0, 0).custom_id(), "99"),
    ):
        assert (
            "I didn't get that" in (await table.forge(moderator, custom_id, on=table.read(shown), values=[value])).text
        )


@pytest.mark.parametrize("feature", ["phrases", "hints"])
async def test_off_is_remembered_by_running_games(table: SimTable, moderator: Any, feature: str) -> None:
    await past_the_exchange(table, pace="brisk")
    await table.slash(moderator, "dog-admin settings", feature=feature)
    known = (await the_table(table)).off
    await table.restart()
    assert (await the_table(table)).off == known == (feature,)
