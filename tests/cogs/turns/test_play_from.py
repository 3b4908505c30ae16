"""Playing on from a moment of a game that is over: from its replay, from a record, in direct messages."""

import random
from typing import Any

from bot.errors import Problem
from bot.occupants import Person
from bot.showing.controls import PlayFrom
from bot.table import Status
from engine.secret import whole
from tests.cogs.playing import elsewhere, meanwhile, resigned, seat_everyone, take_turn, the_table, words_in
from tests.engine.records import EXAMPLE
from tests.simtable import SimTable


async def test_replay_opens_a_table_from_its_moment(table: SimTable) -> None:
    ann = table.members[0]
    await seat_everyone(table)
    running = await the_table(table)
    forged = await table.forge(ann, PlayFrom(running.id, 0).custom_id(), on=table.board())
    assert forged.is_refused(Problem.NOT_OVER)
    over = await resigned(table, 12)
    last = await table.click(ann, "Step by step", on=(await table.slash(ann, "dog replay", game=over.code)).shown)
    moment = await table.click(ann, "Last", on=last.shown)
    await table.click(ann, "Play from here", on=moment.shown)
    opened = await the_table(table)
    assert opened.status is Status.LOBBY
    assert "from a position, unrated" in table.board().text
    assert opened.seat_of(ann.id) == over.seat_of(ann.id)
    settings = (await table.click(ann, "Settings", on=table.board())).shown
    assert "Unrated" not in str(settings.choices)
    assert "**ann** has the same cards" in settings.text
    await table.click(ann, "Add computers", on=table.board())
    await table.click(ann, "Start", on=table.board())
    begun = await the_table(table)
    assert begun.terms.origin == opened.terms.origin
    assert whole(begun.game).earlier(0).view().pieces == over.game.view().pieces
    assert "from a position of another game" in (await table.slash(ann, "dog history")).text


async def test_unseen_games_cannot_be_played_on(table: SimTable) -> None:
    ann, ida = table.members[0], table.guild.add_member(table.env.create_user("ida"))
    await seat_everyone(table)
    over = await resigned(table, 6)
    channel, (ida_there, _) = await elsewhere(table, ida, ann)
    there = await words_in(table, ida_there, channel)
    await table.forge(ida_there, PlayFrom(over.id, 3).custom_id(), on=there)
    assert await table.bot.tables.in_channel(channel.id) == ()


async def test_in_dms_it_begins_with_computers(table: SimTable) -> None:
    ann = table.members[0]
    await seat_everyone(table, computers=3)
    await meanwhile(table, random.Random(2), lambda now: now.number >= 12)
    over = await the_table(table)
    await table.run(table.bot.tables.turns.cancel(over.id, Person(ann.id, ann.name)))
    replay = await table.slash(ann, "dog replay", channel=ann.user.dm_channel, game=over.code)
    moment = await table.click(ann, "Step by step", on=replay.shown)
    told = await table.click(ann, "Play from here", on=moment.shown)
    begun = await the_table(table)
    assert (begun.in_dms, begun.status) == (True, Status.PLAYING)
    assert "You have the same cards" in told.text
    await take_turn(table, ann, random.Random(3), by="letter")


async def test_alone_with_computers_it_starts_at_once(table: SimTable) -> None:
    ann = table.members[0]
    await seat_everyone(table, computers=3)
    over = await the_table(table)
    await table.run(table.bot.tables.turns.cancel(over.id, Person(ann.id, ann.name)))
    told = await table.forge(ann, PlayFrom(over.id, 0).custom_id(), on=table.board())
    begun = await the_table(table)
    assert begun.status is Status.PLAYING
    assert "You have the same cards" in told.text
    seat = over.seat_of(ann.id)
    assert whole(begun.game).earlier(0).view(seat).hand == whole(over.game).earlier(0).view(seat).hand


async def test_record_as_a_file_opens_a_table(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new", record=("example.txt", EXAMPLE), move=57)
    opened = await the_table(table)
    assert (opened.system, opened.players, opened.terms.rated) == ("classic", 4, False)
    assert opened.terms.origin
    alone = Problem.RECORD_AND_MOVE
    for options, why in (
        ({"record": ("a.txt", b"rain"), "move": 1}, Problem.NOT_A_RECORD),
        ({"move": 1}, alone),
        ({"record": ("a.txt", EXAMPLE)}, alone),
    ):
        assert (await table.slash(ann, "dog new", **options)).is_refused(why)
    answer = await table.slash(ann, "dog new", record=("a.txt", EXAMPLE), move=3, rules="tock")
    assert answer.is_refused(Problem.OTHER_RULES)
    assert len(await table.bot.tables.in_channel(table.channel.id)) == 1


async def test_what_is_off_is_left_out(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    await seat_everyone(table, computers=2, hints=True)
    over = await the_table(table)
    await table.run(table.bot.tables.turns.cancel(over.id, Person(ann.id, ann.name)))
    for feature in ("hints", "computers"):
        await table.slash(moderator, "dog-admin settings", feature=feature)
    await table.forge(ann, PlayFrom(over.id, 0).custom_id(), on=table.board())
    opened = await the_table(table)
    assert (opened.terms.origin is None, opened.terms.hints, len(opened.free)) == (False, False, 3)
