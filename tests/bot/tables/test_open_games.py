"""How many games may be open in a channel, and how many a member may play or host."""

import asyncio

import pytest

from bot.errors import TooManyHere, TooManyOfYours
from bot.occupants import Person, Scope
from bot.tables.service import Tables
from tests.bot.gaming import lobby, refused, rest, started
from tests.bot.people import ANN, BEN, CAT, CHANNEL, DAN, EVE, GUILD, MOD

pytestmark = pytest.mark.on_a_file

THERE_ONLY = Person(901, "mod", frozenset({Scope.MODERATE_TABLE}))
"""Somebody who moderates the table's channel, but not the guild."""


async def test_how_many_games_may_be_open(tables: Tables) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, per_channel=3, per_member=2)
    first = await tables.lobby.open(ANN, GUILD, CHANNEL)
    await tables.lobby.open(ANN, GUILD, 9)
    assert (await refused(TooManyOfYours, tables.lobby.open(ANN, GUILD, 9))).count == 2
    await tables.lobby.open(BEN, GUILD, CHANNEL)
    # Two people press at the same moment; a thread counts as its channel.
    results = await asyncio.gather(
        tables.lobby.open(CAT, GUILD, CHANNEL),
        tables.lobby.open(DAN, GUILD, 55, parent_id=CHANNEL),
        return_exceptions=True,
    )
    assert [type(one) for one in results].count(TooManyHere) == 1
    assert len(await tables.in_channel(CHANNEL)) + len(await tables.in_channel(55)) == 3
    await tables.lobby.open(EVE, GUILD + 1, CHANNEL + 1)
    await tables.turns.cancel(first.id, ANN)
    await tables.lobby.open(ANN, GUILD, CHANNEL)


async def test_simultaneous_moves_share_the_last_room_once(tables: Tables) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, per_channel=1)
    first, second = await tables.lobby.open(ANN, GUILD, 5), await tables.lobby.open(BEN, GUILD, 6)
    results = await asyncio.gather(
        tables.places.move(first.id, ANN, 7),
        tables.places.move(second.id, BEN, 71, parent_id=7),
        return_exceptions=True,
    )
    (refused,) = [one for one in results if isinstance(one, TooManyHere)]
    assert (refused.count, refused.channel_id) == (1, 7)
    assert refused.code in (first.code, second.code)


async def test_full_channel_takes_games_only_from_moderators(tables: Tables) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, per_channel=1)
    mine = await tables.lobby.open(ANN, GUILD, 5)
    await tables.lobby.open(BEN, GUILD, 6)
    for place, parent in ((6, None), (61, 6)):
        await refused(TooManyHere, tables.places.move(mine.id, ANN, place, parent, rehearse=True))
        await refused(TooManyHere, tables.places.move(mine.id, THERE_ONLY, place, parent))
    await tables.places.move(mine.id, MOD, 6)
    await tables.places.move(mine.id, ANN, 61, 6)  # it counts for this channel already


async def test_seat_counts_like_an_own_game(tables: Tables) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, per_member=1)
    first = await lobby(tables, ANN, BEN)
    second = await tables.lobby.open(CAT, GUILD, CHANNEL)
    for person in (ANN, BEN):
        await refused(TooManyOfYours, tables.lobby.open(person, GUILD, CHANNEL))
    for seat in (None, 3):
        await refused(TooManyOfYours, tables.lobby.join(second.id, BEN, seat))
    await tables.lobby.leave(first.id, BEN)
    await tables.lobby.join(second.id, BEN)
    await tables.lobby.open(BEN, GUILD + 1, 77)
    await tables.lobby.open(THERE_ONLY, GUILD, CHANNEL)
    await refused(TooManyOfYours, tables.lobby.open(THERE_ONLY, GUILD, CHANNEL))
    for table in (first, second):
        await tables.lobby.join(table.id, MOD)
    await tables.lobby.open(MOD, GUILD, CHANNEL)


async def test_simultaneous_joins_both_count(tables: Tables) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, per_member=1)
    first, second = await lobby(tables, ANN), await lobby(tables, CAT)
    joining = [tables.lobby.join(one.id, BEN) for one in (first, second)]
    results = await asyncio.gather(*joining, return_exceptions=True)
    assert [type(one) for one in results].count(TooManyOfYours) == 1
    assert len(await tables.of_member(BEN.id)) == 1


async def test_a_seat_that_is_taken_over_counts(tables: Tables) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, per_member=1)
    table = await started(tables, ANN, BEN, computers=2)
    await tables.turns.leave_game(table.id, BEN)
    await rest(tables, table.id)
    own = await tables.lobby.open(EVE, GUILD, CHANNEL)
    await refused(TooManyOfYours, tables.absence.take_over(table.id, EVE, 1))
    await tables.lobby.leave(own.id, EVE)
    assert EVE.id in (await tables.absence.take_over(table.id, EVE, 1)).owners


async def test_a_rematch_counts_like_any_other_game(tables: Tables) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, per_member=1)
    table = await started(tables, ANN, BEN, computers=2)
    await tables.turns.cancel(table.id, ANN)
    await tables.lobby.open(ANN, GUILD, CHANNEL)
    await refused(TooManyOfYours, tables.lobby.rematch(table.id, ANN))
    again = await tables.lobby.rematch(table.id, BEN)
    await refused(TooManyOfYours, tables.lobby.rematch(table.id, ANN))
    assert set((await tables.get(again.id)).owners) == {BEN.id}
