"""Cups on the simulated Discord: planned, entered, played in threads, ended; each said once."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.cup import Cup, CupEntry, CupPlan, CupStage
from bot.cups.hints import Hint, HintKind
from bot.cups.published import other_rounds
from bot.errors import CupProblem, FeatureOff, Problem
from bot.table import Status
from bot.tables.endings import CupEnding
from tests.simtable import SimTable

DAY = 86_400


async def planned(table: SimTable, moderator: Any) -> None:
    """A cup is planned and open."""
    await table.slash(moderator, "dog cup", name="Spring Cup")
    await table.choose(moderator, "2 rounds")
    await table.click(moderator, "Open the cup")


async def end_tables(table: SimTable, team: int = 0) -> None:
    """All tables that are open end: this team wins."""
    for table_id in await table.bot.store.games.open_ids():
        await table.run(table.bot.tables.cup_games.decide(table_id, team, CupEnding.MODERATOR))


async def test_a_cup_from_opening_to_podium(table: SimTable, moderator: Any) -> None:
    await planned(table, moderator)
    announced = table.board()
    assert "Spring Cup" in announced.text
    for member in table.members:
        await table.click(member, "Enter", on=announced)
    assert "4 in" in table.read(announced).text
    shown = await table.slash(moderator, "dog cup")
    await table.click(moderator, "Start", on=shown.shown)
    (thread,) = table.channel.threads
    assert [table.calls(member) for member in table.members] == [1] * 4
    assert "round 1 of 2" in table.newest().text
    await end_tables(table)
    assert len(table.channel.threads) == 2
    assert "round 2 of 2" in table.newest().text
    assert table.newest().pictures
    await end_tables(table)
    assert "🏅" in table.newest().text
    assert table.newest().pictures
    (cup,) = await table.bot.cups.of_guild(table.guild.id)
    assert cup.stage is CupStage.OVER
    assert thread.name.startswith("Spring Cup · 1 · ")
    hall, eve = table.guild.create_text_channel("hall"), table.guild.add_member(table.env.create_user("eve"))
    for hidden in (False, True):
        told = discord.PermissionOverwrite(view_channel=not hidden)
        table.overwrite(table.channel, {table.guild.default_role: told})
        board = await table.slash(eve, "dog leaderboard", channel=hall)
        stats = await table.slash(eve, "dog stats", channel=hall, member=table.members[0])
        for answer in (board, stats):
            assert ("Spring Cup" in answer.text) is not hidden, "a cup is named to those who see its channel"


async def test_a_cup_in_direct_messages(table: SimTable, moderator: Any) -> None:
    await table.slash(moderator, "dog cup", name="Post Cup")
    await table.choose(moderator, "2 rounds")
    await table.click(moderator, "Tables in threads")
    await table.click(moderator, "Open the cup")
    for member in table.members:
        await table.click(member, "Enter", on=table.board())
    await table.click(moderator, "Start", on=(await table.slash(moderator, "dog cup")).shown)
    assert not table.channel.threads
    assert "direct messages" in table.newest().text
    (table_id,) = await table.bot.store.games.open_ids()
    code = (await table.bot.tables.get(table_id)).code
    for member in table.members:
        (letter,) = table.letters(member)
        assert code in letter.text
        assert letter.pictures
    shown = await table.slash(table.members[0], "dog cup")
    assert "direct messages" in shown.text


async def test_only_moderators_or_the_role_plan(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    assert (await table.slash(ann, "dog cup", name="Mine")).is_refused(CupProblem.MAY_NOT_OPEN)
    role = table.guild.create_role("organisers", permissions=discord.Permissions())
    await table.slash(moderator, "dog-admin settings", cup_role=role)
    dora = table.guild.add_member(table.env.create_user("dora"), roles=[role])
    assert "Hers" in (await table.slash(dora, "dog cup", name="Hers")).text
    await table.slash(moderator, "dog-admin settings", feature="cups")
    assert (await table.slash(dora, "dog cup", name="Again")).is_refused(FeatureOff)


@pytest.mark.parametrize("crash", [False, True])
async def test_a_restart_repeats_nothing(table: SimTable, moderator: Any, crash: bool) -> None:
    await planned(table, moderator)
    for member in table.members:
        await table.click(member, "Enter", on=table.board())
    shown = await table.slash(moderator, "dog cup")
    await table.click(moderator, "Start", on=shown.shown)
    said, threads = [seen.text for seen in table.messages()], len(table.channel.threads)
    await table.restart(crash=crash)
    await table.wait(120)
    assert [seen.text for seen in table.messages()] == said
    assert len(table.channel.threads) == threads
    assert [table.calls(member) for member in table.members] == [1] * 4


async def test_partner_confirms(table: SimTable, moderator: Any) -> None:
    ann, ben, cleo, dan = table.members
    await table.slash(moderator, "dog cup", name="Pairs")
    await table.choose(moderator, "Fixed pairs · Swiss rounds")
    await table.click(moderator, "Open the cup")
    await table.slash(ann, "dog cup", partner=ben)
    question = table.newest()
    assert question.pinged == {ben.id}
    refused = await table.click(cleo, "Confirm", on=question)
    assert "isn't for you" in refused.text
    await table.click(ben, "Confirm", on=question)
    (cup,) = await table.bot.cups.of_guild(table.guild.id)
    assert cup.sides(1) == ((1, 2),)

    await table.run(table.bot.tables.users.prefer(cleo.id, uninvited=True))
    unasked = await table.slash(dan, "dog cup", partner=cleo)
    assert unasked.is_refused(CupProblem.PARTNER_UNWILLING)
    assert table.newest().id == question.id, "who wants no invitations is not pinged"
    await table.slash(cleo, "dog cup", partner=dan)
    await table.slash(dan, "dog cup", partner=cleo)
    (cup,) = await table.bot.cups.of_guild(table.guild.id)
    assert len(cup.sides(1)) == 2


async def test_partner_without_the_role_is_barred(table: SimTable, moderator: Any) -> None:
    role = table.guild.create_role("players", permissions=discord.Permissions())
    dora = table.guild.add_member(table.env.create_user("dora"), roles=[role])
    await table.slash(moderator, "dog cup", name="Pairs")
    await table.choose(moderator, "Fixed pairs · Swiss rounds")
    await table.click(moderator, "Open the cup")
    await table.slash(moderator, "dog-admin settings", play_role=role)
    refused = await table.slash(dora, "dog cup", partner=table.members[0])
    assert refused.is_refused(CupProblem.PARTNER_BARRED), "the one who asks may play"


async def test_players_of_a_cup_end_no_table(table: SimTable, moderator: Any) -> None:
    await planned(table, moderator)
    for member in table.members:
        await table.click(member, "Enter", on=table.board())
    await table.click(moderator, "Start", on=(await table.slash(moderator, "dog cup")).shown)
    (thread,) = table.channel.threads
    ann = table.members[0]
    assert (await table.slash(ann, "dog table cancel", channel=thread)).is_refused(Problem.IN_CUP)
    (table_id,) = await table.bot.store.games.open_ids()
    assert (await table.bot.tables.get(table_id)).status is Status.PLAYING


async def test_hidden_cups_and_hints_stay_hidden(
    table: SimTable, moderator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await planned(table, moderator)
    ann, ben, *_ = table.members
    await table.click(ann, "Enter", on=table.board())
    monkeypatch.setattr("cogs.cups.find_hints", lambda cup: [Hint(HintKind.EARLY, 1, 1)])
    assert "only moderators" in (await table.slash(moderator, "dog cup")).text
    assert "only moderators" not in (await table.slash(ann, "dog cup")).text
    table.overwrite(table.channel, {ben: discord.PermissionOverwrite(view_channel=False)})
    other = table.guild.create_text_channel("elsewhere")
    assert "Spring Cup" not in (await table.slash(ben, "dog cup", channel=other)).text


@pytest.mark.parametrize("public", [True, False])
async def test_deleted_channel_keeps_what_all_could_see(table: SimTable, moderator: Any, public: bool) -> None:
    ann = table.members[0]
    hall = table.guild.create_text_channel("hall")
    if not public:
        bot, seen = discord.Object(table.env.backend.bot_user.id), discord.PermissionOverwrite(view_channel=True)
        hidden = discord.PermissionOverwrite(view_channel=False)
        table.overwrite(hall, {table.guild.default_role: hidden, moderator: seen, bot: seen})
    cup = Cup(0, table.guild.id, hall.id, moderator.id, "Spring Cup", CupStage.OVER, CupPlan(), b"", 1, 0, ended_at=1)
    won = replace(cup, entries={1: CupEntry(1, table.members[1].id, "ben", place=1)})
    await table.bot.store.cups.create(won)
    await table.delete_channel(hall)
    told = [(await table.slash(ann, words)).text for words in ("dog leaderboard", "dog cup")]
    assert ["Spring Cup" in text for text in told] == [public] * 2


async def test_moderators_end_a_played_cup_with_a_reason(table: SimTable, moderator: Any) -> None:
    await planned(table, moderator)
    assert "No cup" in (await table.slash(moderator, "dog-admin cup", reason="too late")).text
    for member in table.members:
        await table.click(member, "Enter", on=table.board())
    await table.click(moderator, "Start", on=(await table.slash(moderator, "dog cup")).shown)
    (thread,) = table.channel.threads
    assert "Cancel" not in str((await table.slash(moderator, "dog cup")).shown.labels)
    asked = await table.slash(moderator, "dog-admin cup", reason="too late")
    await table.click(moderator, asked.shown.labels[0], on=asked.shown)
    (cup,) = await table.bot.cups.of_guild(table.guild.id)
    assert cup.stage is CupStage.CANCELLED
    assert "too late" in table.newest(channel=thread).text


async def test_a_ladder_is_planned_entered_and_stopped(table: SimTable, moderator: Any) -> None:
    await table.slash(moderator, "dog cup", name="Ladder")
    await table.choose(moderator, "Ladder season")
    await table.choose(moderator, "All rules")
    await table.choose(moderator, "A new one every month")
    await table.click(moderator, "Open the cup")
    announced = table.board()
    assert announced.pictures
    ann = table.members[0]
    shown = await table.click(ann, "Enter", on=announced)
    assert "You're in" in shown.text
    assert "1 in" in table.read(announced).text
    await table.click(ann, "Standings", on=shown.shown)
    shown = await table.slash(moderator, "dog cup")
    again = await table.click(moderator, "End after this month", on=shown.shown)
    assert "Repeat every month" in again.shown.labels
    await table.click(ann, "Leave", on=(await table.slash(ann, "dog cup")).shown)
    (cup,) = await table.bot.cups.of_guild(table.guild.id)
    assert (cup.plan.any_rules, cup.plan.again, cup.stage) == (True, False, CupStage.RUNNING)


async def test_house_rules_of_a_cup_are_its_tables(table: SimTable, moderator: Any) -> None:
    form = await table.slash(moderator, "dog cup", name="House Cup")
    await table.click(moderator, "House rules: on or off", on=form.shown)
    await table.choose(moderator, "No card exchange.")
    await table.click(moderator, "Open the cup")
    for member in table.members:
        await table.click(member, "Enter", on=table.board())
    await table.click(moderator, "Start", on=(await table.slash(moderator, "dog cup")).shown)
    (table_id,) = await table.bot.store.games.open_ids()
    assert (await table.bot.tables.get(table_id)).terms.options.no_exchange
    shown = await table.slash(table.members[0], "dog cup")
    answer = await table.click(table.members[0], "Check the draw", on=shown.shown)
    (file,) = answer.shown.pictures
    assert other_rounds(file.decode()) == []
