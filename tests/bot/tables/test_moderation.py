"""Moderators, what a guild sets, and places."""

from dataclasses import replace

import pytest

from bot.errors import (
    BadPreference,
    Banned,
    BrokenLog,
    ChannelNotAllowed,
    MayNotOpen,
    NotHost,
    NotModerator,
    Problem,
    WrongStatus,
)
from bot.guild_records import MOST_HOUSES
from bot.guild_settings import GuildSettings, Openers, copy_settings, read_settings
from bot.preferences import AwayHow
from bot.table import Status
from bot.tables.service import Tables
from engine import Options
from tests.bot.gaming import Ear, Programs, kinds, later, lobby, refused, rest, shown_as, started, turn, waited
from tests.bot.people import ANN, BEN, CHANNEL, DAILY, EVE, GUILD, MOD

pytestmark = pytest.mark.on_a_file


async def test_only_moderators_moderate(tables: Tables) -> None:
    table = await turn(tables)
    await refused(
        NotModerator,
        tables.moderation.pause(table.id, ANN),
        tables.moderation.resume(table.id, ANN),
        tables.moderation.ban(ANN, GUILD, EVE.id),
        tables.moderation.unban(ANN, GUILD, EVE.id),
        tables.moderation.configure_guild(ANN, GUILD, pace="live"),
    )
    await refused(WrongStatus, tables.moderation.resume(table.id, MOD))


async def test_everything_moderators_do_is_logged(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    await tables.moderation.pause(table.id, MOD, "dinner")
    await tables.moderation.resume(table.id, MOD)
    await tables.moderation.ban(MOD, GUILD, EVE.id, "noise")
    await tables.moderation.unban(MOD, GUILD, EVE.id)
    await tables.moderation.configure_guild(MOD, GUILD, pace="live")
    await tables.places.move(table.id, MOD, 77)
    await tables.turns.cancel(table.id, MOD, "spam")
    entries = await (await programs.restart()).moderation.guild_log(GUILD)
    assert [one.kind for one in entries] == [
        *("cancelled", "moved", "settings", "unbanned", "banned", "resumed", "paused")
    ]
    assert {one.actor_id for one in entries} == {MOD.id}
    assert (entries[4].target_id, entries[4].data) == (EVE.id, {"reason": "noise"})
    assert entries[0].game_id == table.id
    assert await programs.opened[0][1].moderation.guild_log(GUILD + 1) == ()
    assert len(await programs.opened[0][1].moderation.guild_log(GUILD, 2)) == 2


async def test_banned_member_leaves_all_games_and_opens_none(tables: Tables) -> None:
    game, waiting, own = await turn(tables), await lobby(tables, BEN, ANN), await lobby(tables, ANN)
    assert {one.id for one in await tables.moderation.ban(MOD, GUILD, ANN.id, "noise")} == {game.id, waiting.id, own.id}
    table = await rest(tables, game.id)
    assert table.seat_of(ANN.id) is None
    assert len(table.open_seats) == 1
    assert "removed" in await kinds(tables, game.id)
    assert (await tables.get(waiting.id)).seat_of(ANN.id) is None
    assert (await tables.get(own.id)).status is Status.CANCELLED
    for attempt in (tables.lobby.open(ANN, GUILD, CHANNEL), tables.lobby.join(waiting.id, ANN)):
        assert (await refused(Banned, attempt)).reason == "noise"
    (ban,) = await tables.moderation.bans(GUILD)
    assert (ban.user_id, ban.by) == (ANN.id, MOD.id)
    await tables.lobby.open(ANN, GUILD + 1, CHANNEL)
    assert await tables.moderation.unban(MOD, GUILD, ANN.id)
    assert not await tables.moderation.unban(MOD, GUILD, ANN.id)
    await tables.lobby.join(waiting.id, ANN)


async def test_a_guilds_settings_are_defaults_and_limits(tables: Tables, programs: Programs) -> None:
    await tables.moderation.configure_guild(
        MOD, GUILD, channels=[CHANNEL, 9], system="royal", pace="brisk", locale="de", theme="wood", thread=True
    )
    table = await tables.lobby.open(ANN, GUILD, CHANNEL)
    assert (table.system, table.terms.pace, table.terms.locale, table.terms.theme) == ("royal", "brisk", "de", "wood")
    assert (await refused(ChannelNotAllowed, tables.lobby.open(ANN, GUILD, 10))).channels == (CHANNEL, 9)
    assert (await tables.lobby.open(ANN, GUILD, 10, parent_id=9)).parent_id == 9
    await refused(ChannelNotAllowed, tables.places.move(table.id, ANN, 10))
    again = await (await programs.restart()).moderation.guild(GUILD)
    assert (again.channels, again.thread, again.per_member) == ((CHANNEL, 9), True, 10)


async def test_who_may_open_games(tables: Tables) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, openers=Openers.ROLES, roles=[5, 6])
    caught = await refused(MayNotOpen, tables.lobby.open(ANN, GUILD, CHANNEL))
    assert (caught.who, caught.roles) == ("roles", (5, 6))
    table = await tables.lobby.open(replace(ANN, roles=frozenset({6, 7})), GUILD, CHANNEL)
    await tables.moderation.configure_guild(MOD, GUILD, openers="moderators")
    await refused(MayNotOpen, tables.lobby.open(replace(ANN, roles=frozenset({6})), GUILD, CHANNEL))
    await tables.lobby.open(MOD, GUILD, CHANNEL)
    await tables.lobby.join(table.id, BEN)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"per_member": 0}, {"per_member": True}, {"close_after": 169}, {"pace": "hasty"}, {"system": "ludo"}),
        *({"openers": "friends"}, {"openers": None}, {"thread": 1}, {"off": ["cats"]}, {"off": "cups"}),
        *({"log_in": "here"}, {"channels": 5}, {"channels": ["5"]}, {"left_at": 1}, {"colour": 3}),
    ],
)
async def test_settings_that_cannot_be(tables: Tables, wrong: dict[str, object]) -> None:
    await refused(BadPreference, tables.moderation.configure_guild(MOD, GUILD, **wrong))


async def test_a_game_moves_without_losing_anything(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    await shown_as(tables, table, 5)
    moved = await tables.places.move(table.id, ANN, 70, parent_id=7)
    assert (moved.channel_id, moved.parent_id, moved.shown.moment) == (70, 7, table.moment)
    assert moved.shown.to_id == CHANNEL
    assert moved.clocks == table.clocks
    assert (await tables.in_channel(70))[0].id == table.id
    assert await tables.in_channel(CHANNEL) == ()
    note = (await tables.notes(table.id))[-1]
    assert (note.kind, note.data) == ("moved", {"from": CHANNEL, "to": 70})
    await refused(NotHost, tables.places.move(table.id, EVE, 71))


async def test_clocks_stand_still_while_the_place_is_lost(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table = await turn(tables)
    seat, _ = waited(table)
    programs.clock.now += 1_000
    for reason in ("gone", "gone", "access"):
        await tables.places.note_lost(table.id, reason)
    assert (await kinds(tables, table.id)).count("place_lost") == 1
    assert (await tables.get(table.id)).lost == "access"
    await later(tables, programs.clock, 9 * DAILY)
    assert ear.kinds() == []
    table = await tables.places.move(table.id, ANN, 70)
    assert table.lost is None
    assert table.clocks[seat].ends_at == int(programs.clock()) + DAILY - 1_000
    await tables.places.note_lost(table.id, "access")
    for _ in range(2):
        await tables.places.note_found(table.id)
    assert (await kinds(tables, table.id)).count("place_found") == 1


async def test_broken_game_that_loses_its_place_stays_broken(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    async with programs.opened[0][0].writing() as connection:
        await connection.exec_driver_sql(f"UPDATE actions SET text = 'fold' WHERE game_id = {table.id}")
        await connection.exec_driver_sql(f"UPDATE games SET version = version + 1 WHERE id = {table.id}")
    await tables.places.note_lost(table.id, "gone")
    await refused(BrokenLog, tables.get(table.id))
    assert (await tables.turns.cancel(table.id, ANN)).status is Status.CANCELLED


async def test_a_moderators_pause_is_lifted_by_no_homecoming(tables: Tables, programs: Programs) -> None:
    table = await started(tables, ANN, computers=3)
    await tables.moderation.pause(table.id, MOD)
    await tables.users.set_away(ANN, int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    await tables.users.come_back(ANN)
    assert (await rest(tables, table.id)).status is Status.PAUSED
    await tables.users.set_away(ANN, int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    await later(tables, programs.clock, DAILY)
    table = await rest(tables, table.id)
    assert (table.status, table.occupants[0].plays) == (Status.PAUSED, ANN.id)
    assert (await tables.moderation.resume(table.id, MOD)).status is Status.PLAYING


async def test_sleeping_game_that_is_paused_wakes_for_moderators(tables: Tables, programs: Programs) -> None:
    table = await started(tables, ANN, computers=3)
    await tables.users.set_away(ANN, int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    await refused(Problem.NOBODY_PLAYS, tables.moderation.resume(table.id, MOD))
    await tables.moderation.pause(table.id, MOD)
    await tables.users.come_back(ANN)
    assert (await rest(tables, table.id)).status is Status.PAUSED
    assert (await tables.moderation.resume(table.id, MOD)).status is Status.PLAYING


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_a_guild_names_sets_of_house_rules(tables: Tables, programs: Programs) -> None:
    made = await tables.moderation.make_house(MOD, GUILD, "Grandma's")
    assert await tables.moderation.make_house(MOD, GUILD, "GRANDMA'S") == made, "names differ by more than their case"
    quick = await tables.moderation.set_house(MOD, GUILD, made.number, Options(quick=True))
    assert await (await programs.run()).moderation.houses(GUILD) == (quick,)
    assert (await tables.moderation.use_house(MOD, GUILD, made.number)).house == made.number
    await tables.moderation.drop_house(MOD, GUILD, made.number)
    assert (await tables.moderation.guild(GUILD)).house is None
    assert (await tables.moderation.guild_log(GUILD))[0].data["house"] == "Grandma's"


async def test_managers_name_house_rules_within_limits(tables: Tables) -> None:
    await refused(
        NotModerator,
        tables.moderation.make_house(ANN, GUILD, "Mine"),
        tables.moderation.set_house(ANN, GUILD, 1, Options()),
        tables.moderation.drop_house(ANN, GUILD, 1),
        tables.moderation.use_house(ANN, GUILD, None),
    )
    for number in range(MOST_HOUSES):
        await tables.moderation.make_house(MOD, GUILD, f"Set {number}")
    await refused(
        BadPreference,
        tables.moderation.make_house(MOD, GUILD, "One more"),
        tables.moderation.make_house(MOD, GUILD, ""),
        tables.moderation.make_house(MOD, GUILD, "x" * 41),
        tables.moderation.set_house(MOD, GUILD, 99, Options()),
        tables.moderation.use_house(MOD, GUILD, 99),
    )


def test_copied_settings_are_only_what_a_guild_can_have() -> None:
    chosen = GuildSettings(1, channels=(5,), puzzle_in=5, pace="brisk", per_channel=None, thread=True)
    text = copy_settings(chosen)
    assert text == 'DOG {"pace":"brisk","per_channel":null,"thread":true}'
    read = read_settings(f"On another server, give this line: `{text}` ")
    assert replace(GuildSettings(2), **read) == replace(chosen, guild_id=2, channels=(), puzzle_in=None)
    for wrong in (
        "DOG",
        "DOG []",
        'DOG {"channels":[1]}',
        'DOG {"left_at":1}',
        'DOG {"pace":"never"}',
        'DOG {"pace":["brisk"]}',
        'DOG {"per_member":0}',
        'DOG {"per_member":true}',
        'DOG {"per_member":1e3}',
        'DOG {"thread":1}',
        'DOG {"thread":null}',
        'DOG {"locale":"xx"}',
        f"DOG {'[' * 100_000}",
    ):
        with pytest.raises(BadPreference):
            read_settings(wrong)
