"""Tables without a server: opened, joined and played in direct messages alone."""

import random
from typing import Any

import pytest

from bot.calls import HERE
from bot.errors import NoSuchTable, Problem, TooOften
from bot.occupants import Person
from bot.rights import INVITE_IN_DMS, INVITED_IN_DMS
from bot.table import Status, Table
from engine import SYSTEMS
from tests.cogs.playing import (
    choosing,
    meanwhile,
    member_of,
    open_in_dms,
    play_to_the_end,
    shown_lobby,
    take_turn,
    the_table,
)
from tests.cogs.timing import BRISK, DAY, LIVE, now
from tests.simtable import SimTable
from tests.spoken import WHOLE


async def test_one_person_plays_computers_in_dms(table: SimTable) -> None:
    ann = table.members[0]
    opened = await open_in_dms(table, players=2)
    assert opened.in_dms
    assert not [seen for seen in table.letters(ann) if seen.private], "what is answered there stays"
    assert opened.code in table.letters(ann)[0].text
    await table.click(ann, "Add computers", on=shown_lobby(table, ann))
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    for _ in range(4):
        await take_turn(table, ann, random.Random(3), by="letter")
    assert not table.messages(), "nothing is posted on the server"
    *past, newest = [seen for seen in table.letters(ann) if opened.code in seen.text and seen.pictures]
    assert past == [], "one message shows the game"
    assert newest.labels


async def test_open_settings_follow_their_lobby_in_dms(table: SimTable) -> None:
    ann = table.members[0]
    await open_in_dms(table, players=2)
    settings = (await table.click(ann, "Settings", on=shown_lobby(table, ann))).shown
    await table.click(ann, "Add computers", on=shown_lobby(table, ann))
    assert "🤖 Unrated" in table.read(settings).text
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    assert not table.exists(settings)


async def test_everyone_sees_the_lobby_change(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    await open_in_dms(table, ben, cleo)
    for member in (ann, ben, cleo):
        lobby = shown_lobby(table, member)
        assert "cleo" in lobby.text
        assert "Join" not in lobby.labels
    await table.click(ben, "Leave", on=(await table.click(ben, "Settings", on=shown_lobby(table, ben))).shown)
    assert "ben" not in shown_lobby(table, ann).text


async def test_invited_people_join_from_their_dms(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    opened = await open_in_dms(table)
    await table.env.settle()
    await table.run(_invite(table, opened, ann, ben))
    invitation = table.letters(ben)[-1]
    assert "**ann**" in invitation.text
    await table.click(ben, "Join", on=invitation)
    assert (await the_table(table)).seat_of(ben.id) is not None
    assert not table.exists(invitation)
    forged = await table.forge(cleo, f"dog:join:{opened.id}#0", on=shown_lobby(table, ann))
    assert (await the_table(table)).seat_of(cleo.id) is None, forged.text


async def test_full_table_in_dms_begins_no_search(table: SimTable) -> None:
    _ann, ben, cleo, _ = table.members
    opened = await open_in_dms(table, ben, players=2)
    answer = await table.slash(cleo, "dog join", game=opened.code)
    assert answer.is_refused(Problem.TABLE_FULL)
    assert answer.shown is None or not answer.shown.labels, "it would be a search on all servers"


async def _invite(table: SimTable, opened: Table, by: object, *guests: object) -> None:
    """Invite members to a lobby, as the command does."""
    people = [Person(one.id, one.name) for one in guests]
    after = await table.bot.tables.arranging.invite(opened.id, Person(by.id, by.name), people)
    await table.bot.delivery.once.invite(after, Person(by.id, by.name), [one.id for one in guests])


async def test_a_person_is_invited_five_times_a_day(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    opened = await open_in_dms(table)
    for _ in range(5):
        table.bot.limits.spend_deed("invited", INVITED_IN_DMS, ben.id, None, now(table))
    before = len(table.letters(ben))
    await table.slash(ann, "dog table invite", player=ben.user, game=opened.code)
    assert len(table.letters(ben)) == before
    await table.slash(ann, "dog table invite", player=cleo.user, game=opened.code)
    assert "Join" in table.letters(cleo)[-1].labels


async def test_who_wants_no_invitations_gets_none(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    opened = await open_in_dms(table, invite=ben.user)
    await table.click(ben, "Block invitations", on=table.letters(ben)[-1])
    before = len(table.letters(ben))
    for refused in (
        await table.slash(cleo, "dog new", channel=cleo.user.dm_channel, invite=ben.user),
        await table.slash(cleo, "dog new", invite=ben.user),
    ):
        assert f"<@{ben.id}>" in refused.text
    assert len(table.letters(ben)) == before
    assert not (await the_table(table)).expected
    await table.slash(ben, "dog join", game=opened.code)
    assert (await table.bot.tables.get(opened.id)).seat_of(ben.id) is not None
    blocked = (await table.slash(ben, "dog me block")).shown
    await table.click(ben, "Allow invitations", on=blocked)
    await table.slash(ann, "dog new", channel=ann.user.dm_channel, invite=ben.user)
    assert "Join" in table.letters(ben)[-1].labels


async def test_one_person_invites_another_twice_a_day(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    for invited in (True, True, False):
        before = len(table.letters(ben))
        await table.slash(ann, "dog new", channel=ann.user.dm_channel, invite=ben.user)
        assert len(table.letters(ben)) == before + invited
    await table.slash(cleo, "dog new", channel=cleo.user.dm_channel, invite=ben.user)
    assert "**cleo**" in table.letters(ben)[-1].text, "others still can"
    for _ in range(6):
        table.bot.limits.spend_deed("invite in dms", INVITE_IN_DMS, ann.id, None, now(table))
    before = len(table.letters(cleo))
    await table.slash(ann, "dog new", channel=ann.user.dm_channel, invite=cleo.user)
    assert len(table.letters(cleo)) == before


async def test_seekers_on_any_servers_meet(table: SimTable) -> None:
    ann, ben, cleo, dan = table.members
    await table.run(table.bot.store.users.block(cleo.id, ben.id, 0))
    for member in (ben, cleo, dan):
        wanted = {"rules": "classic"} if member is dan else {"players": 2}
        await table.slash(member, "dog table seek", channel=member.user.dm_channel, **wanted)
    assert len(await table.run(table.bot.tables.finding.searches(0))) == 3
    await table.slash(ann, "dog table seek", rules="royal-basic", anywhere=True)
    opened = await the_table(table)
    assert (opened.system, opened.players, opened.in_dms) == ("royal-basic", 2, True)
    assert [who.user_id for who in opened.expected.values()] == [ben.id]
    assert [who.name for who in opened.expected.values()] == ["ben"]
    await table.click(ben, "Join", on=table.letters(ben)[-1])
    assert (await the_table(table)).free == ()
    assert len(table.letters(cleo)) == 1, "only the answer to their command"


async def test_match_not_confirmed_lets_the_others_look_on(table: SimTable) -> None:
    ann, ben = table.members[:2]
    for member in (ben, ann):
        await table.slash(member, "dog table seek", channel=member.user.dm_channel, rules="royal-basic", players=2)
    lobby = shown_lobby(table, ann)
    await table.wait(DAY + 60)
    assert "wasn't started in time" in table.read(lobby).text
    assert not table.read(lobby).custom_ids
    told = table.letters(ann)[-1]
    assert "Stop looking" in told.labels
    assert not [letter for letter in table.letters(ben) if "keep looking" in letter.text]
    await table.click(ann, "Stop looking", on=told)
    assert await table.run(table.bot.tables.finding.searches(0)) == ()


async def test_letter_of_a_freed_seat_ends(table: SimTable) -> None:
    _, ben, cleo, _ = table.members
    opened = await open_in_dms(table, ben, cleo)
    lobby = [shown_lobby(table, member) for member in (ben, cleo)]
    host = Person(table.members[0].id, "ann")
    await table.run(table.bot.tables.lobby.free_seat(opened.id, host, ben.id))
    await table.run(table.bot.tables.lobby.leave(opened.id, Person(cleo.id, "cleo")))
    freed, left = map(table.read, lobby)
    assert "The host has removed you." in freed.text
    assert "You've left this table." in left.text
    assert [seen.custom_ids or seen.pictures for seen in (freed, left)] == [(), ()]


async def test_turn_costs_one_post_and_three_edits(table: SimTable) -> None:
    ann, *others = table.members
    await open_in_dms(table, *others, players=4)
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    drawn: list[object] = []
    draw, dice, people = table.bot.pictures.draw, random.Random(2), {member.id: member for member in table.members}

    async def draw_and_count(*words: object) -> bytes:
        drawn.append(words)
        return await draw(*words)

    table.bot.pictures.draw = draw_and_count
    posts = 0
    for _ in range(10):
        asked, before = next(iter((await the_table(table)).waiting_for.values())), len(table.env.http_requests)
        drawn.clear()
        _, presses = await take_turn(table, people[asked], dice, by="letter")
        made = [one.method for one in table.env.http_requests[before:] if one.path.startswith("/channels/")]
        assert made.count("POST") <= 1, "to the next player; the one who played sees it in the letter they pressed"
        assert made.count("PATCH") <= 3, "two others look on, and the letter before loses its buttons"
        assert len(drawn) <= 4 + presses - 1, "a preview for each question, and a board for each player"
        posts += made.count("POST")
    assert posts


async def test_new_name_is_used_in_dms(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await open_in_dms(table, ben)
    table.env.backend.users[ben.id].global_name = "Benjamin"
    await table.slash(ben, "dog help", channel=ben.user.dm_channel)
    await table.click(ann, "Leave", on=(await table.click(ann, "Settings", on=shown_lobby(table, ann))).shown)
    assert "Benjamin" in shown_lobby(table, ben).text


async def test_codes_are_not_found_by_guessing(table: SimTable) -> None:
    ben, opened = table.members[1], await open_in_dms(table)
    assert int(opened.code.split("-")[1]) >= 100_000
    for number in range(10):
        assert (await table.slash(ben, "dog join", game=f"FOX-{100_000 + number}")).is_refused(NoSuchTable)
    assert (await table.slash(ben, "dog join", game=opened.code)).is_refused(TooOften)


async def test_blocked_players_are_not_seated_together(table: SimTable) -> None:
    _, ben, cleo, _ = table.members
    await table.run(table.bot.store.users.block(ben.id, cleo.id, 0))
    opened = await open_in_dms(table, ben, cleo)
    assert opened.seat_of(ben.id) is not None
    assert opened.seat_of(cleo.id) is None


@pytest.mark.parametrize("code", [50007, 50278], ids=["closed", "no server in common"])
async def test_closed_dms_are_told_on_joining(table: SimTable, code: int) -> None:
    ben, opened = table.members[1], await open_in_dms(table, players=2)
    table.refuse("POST", channel=ben.user.dm_channel, status=403, code=code)
    joined = await table.slash(ben, "dog join", game=opened.code)
    assert "can't message you" in joined.text
    tried = table.posts(ben.user.dm_channel)
    await table.click(table.members[0], "Start", on=shown_lobby(table, table.members[0]))
    await take_turn(table, table.members[0], random.Random(1), by="letter")
    assert table.posts(ben.user.dm_channel) == tried, "it is not tried again"
    assert (await table.slash(ben, "dog next")).shown.pictures, "the table goes on"


@pytest.mark.parametrize("code", [50007, 50278], ids=["closed", "no server in common"])
async def test_dms_closed_in_the_middle_stop_nothing(table: SimTable, code: int) -> None:
    ann, ben = table.members[:2]
    await open_in_dms(table, ben, players=2, pace="brisk")
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    table.refuse("POST", channel=ben.user.dm_channel, status=403, code=code)
    tried = table.posts(ben.user.dm_channel)
    for _ in range(2):
        asked = next(iter((await the_table(table)).waiting_for.values()))
        await take_turn(table, ann if asked == ann.id else ben, random.Random(1), by="letter")
    before = (await the_table(table)).number
    await table.wait(DAY / 10)
    assert (await the_table(table)).number > before, "a computer plays for the player"
    assert table.posts(ben.user.dm_channel) - tried == 1
    told = []
    while len(told) < 2:
        asked = next(iter((await the_table(table)).waiting_for.values()))
        member, by = (ann, "slash") if asked == ann.id else (ben, "letter")
        await take_turn(table, member, random.Random(1), by=by)
        told += ["can't message you" in table.letters(ben)[-1].text] if asked == ben.id else []
    assert told == [True, False]


async def test_questions_reach_the_others_in_dms(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await open_in_dms(table, ben, players=2)
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    for member in (ann, ben):
        await take_turn(table, member, random.Random(1), by="letter")
    await table.slash(ann, "dog table pause", channel=ann.user.dm_channel)
    question = table.letters(ben)[-1]
    assert "Agree" in question.labels
    await table.click(ben, "Agree", on=question)
    assert (await the_table(table)).status is Status.PAUSED
    assert not table.exists(question)


async def test_the_asker_hears_of_a_refusal_in_dms(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await open_in_dms(table, ben, players=2)
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    await table.slash(ann, "dog table pause", channel=ann.user.dm_channel)
    await table.click(ben, "Disagree", on=table.letters(ben)[-1])
    assert "disagreed, so the game continues" in table.letters(ann)[-1].text
    await table.slash(ann, "dog table hints", channel=ann.user.dm_channel)
    await table.click(ben, "Agree", on=table.letters(ben)[-1])
    assert not any("everyone agreed" in seen.text for seen in table.letters(ann)), "it shows"


async def test_a_vote_is_asked_once_over_a_restart(table: SimTable) -> None:
    ann, ben, cleo = table.members[:3]
    await open_in_dms(table, ben, cleo, players=3)
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    table.refuse("POST", channel=cleo.user.dm_channel)
    await table.slash(ann, "dog table pause", channel=ann.user.dm_channel)
    assert "Agree" in table.letters(ben)[-1].labels
    await table.restart(crash=True)
    await table.wait(120)
    table.heal()
    await table.wait(1_000)
    for member in (ben, cleo):
        asked = [seen for seen in table.letters(member) if "asks to pause" in seen.text and not seen.pictures]
        assert len(asked) == 1, member.name


async def test_silent_player_is_reminded_and_played_for(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await open_in_dms(table, ben, players=2, pace="brisk")
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    before = (await the_table(table)).number
    await table.wait(3_400)
    assert "still your turn" in table.letters(ben)[-1].text
    await table.wait(DAY / 4)
    assert (await the_table(table)).number > before


async def test_outage_costs_no_time_in_dms(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await open_in_dms(table, ben, players=2, pace="brisk")
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    for member in (ann, ben):
        await take_turn(table, member, random.Random(1), by="letter")
    asked = await asked_in_dms(table)
    await table.wait(HERE + 60)
    for member in (ann, ben):
        table.refuse("POST", "PATCH", channel=member.user.dm_channel)
    await take_turn(table, asked, random.Random(1), by="slash")
    before = (await the_table(table)).number
    await table.wait(1.1 * BRISK)
    assert (await the_table(table)).number == before, "no one could know"
    table.heal()
    await table.wait(200)
    member = await asked_in_dms(table)
    assert choosing(table.letters(member)[-1])
    await table.wait(3_000)
    assert (await the_table(table)).number == before, "all of their time is left"
    await take_turn(table, member, random.Random(1), by="slash")


async def asked_in_dms(table: SimTable) -> Any:
    """The member whose turn it is."""
    (user,) = (await the_table(table)).waiting_for.values()
    return member_of(table, user)


async def test_time_up_is_told_after_an_outage_in_dms(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await open_in_dms(table, ben, players=2, pace="brisk")
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    await take_turn(table, ann, random.Random(1), by="letter")
    before = (await the_table(table)).number
    table.refuse("POST", channel=ann.user.dm_channel)
    await table.wait(1.1 * BRISK)
    assert (await the_table(table)).number == before, "Ann could not know"
    table.heal()
    await table.wait(200)
    told = [seen for seen in table.letters(ann) if f"Wait for {ben.name}" in seen.labels]
    assert len(told) == 1
    await table.click(ann, f"Wait for {ben.name}", on=told[0])
    await table.wait(600)
    assert (await the_table(table)).number == before


async def test_first_letter_waits_its_turn(table: SimTable) -> None:
    ann, ben = table.members[:2]
    opened = await open_in_dms(table, players=2, pace="live")
    turns = table.bot.delivery.first_letters

    async def fill() -> None:
        while turns.take_at_once():
            pass
        for _ in range(16):
            table.bot._background.begin(turns.take(), "write to another player")

    await table.run(fill())
    await table.slash(ben, "dog join", game=opened.code)
    assert (await the_table(table)).seat_of(ben.id) is not None, "joining waits for no letter"
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    await take_turn(table, ann, random.Random(1), by="letter")
    number = (await the_table(table)).number
    await table.wait(230)
    assert table.letters(ben) == []
    assert (await the_table(table)).number == number, "no time has run out"
    await table.wait(40)
    assert choosing(table.letters(ben)[-1])
    clock = (await the_table(table)).clocks[opened.seats[1]]
    assert clock.ends_at is not None
    assert clock.ends_at - now(table) > LIVE - 60, "all of their time is left"
    await take_turn(table, ben, random.Random(1), by="letter")


async def fill_turns(table: SimTable) -> None:
    """For about a minute, others are written to for the first time."""
    turns = table.bot.delivery.first_letters
    while turns.take_at_once():
        pass
    for _ in range(4):
        table.bot._background.begin(turns.take(), "write to another player")


async def test_question_comes_after_the_first_letter(table: SimTable) -> None:
    ann, ben = table.members[:2]
    opened = await open_in_dms(table, players=2)
    await table.run(fill_turns(table))
    await table.slash(ben, "dog join", game=opened.code)
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    await table.slash(ann, "dog table pause", channel=ann.user.dm_channel)
    assert table.letters(ben) == []
    await table.wait(300)
    question = table.letters(ben)[-1]
    assert "Agree" in question.labels, "the letter before it does not ask"
    await table.click(ben, "Agree", on=question)
    assert (await the_table(table)).status is Status.PAUSED


async def test_invitation_outlives_the_process(table: SimTable) -> None:
    eve = table.guild.add_member(table.env.create_user("eve"))
    await open_in_dms(table, players=2)
    await table.run(fill_turns(table))
    await table.slash(table.members[0], "dog table invite", player=eve)
    await table.restart(crash=True)
    await table.wait(90)
    assert [("Join" in seen.labels) for seen in table.letters(eve)] == [True]


async def test_partner_is_told_once_that_time_is_up(table: SimTable) -> None:
    await open_in_dms(table, *table.members[1:], players=4, pace="brisk", by_hand=True)
    ann = table.members[0]
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    people = {member.id: member for member in table.members}
    opened = await meanwhile(table, random.Random(5), lambda now: len(now.waiting_for) == 1 and now.number > 4)
    ((seat, late),) = opened.waiting_for.items()
    (partner,) = (people[opened.occupants[side].user_id] for side in opened.board.partners(seat))
    before = len(table.letters(partner))
    await table.wait(3_700)
    told = [seen for seen in table.letters(partner)[before:] if "time is up" in seen.text]
    assert [f"Wait for {people[late].name}" in seen.labels for seen in told] == [True]


async def test_restart_sends_nothing_twice(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await open_in_dms(table, ben, players=2)
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    await take_turn(table, ann, random.Random(1), by="letter")
    before = {member.id: table.letters(member) for member in (ann, ben)}
    await table.restart(crash=True)
    assert {member.id: table.letters(member) for member in (ann, ben)} == before


async def test_other_account_of_the_bot_writes_elsewhere(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await open_in_dms(table, ben, players=2)
    await table.click(ann, "Start", on=shown_lobby(table, ann))
    await take_turn(table, ann, random.Random(1), by="letter")
    for member in (ann, ben):
        await table.bot.tables.users.note_dm(member.id, 5)
    await table.restart()
    seen = {member.id: table.letters(member)[-1] for member in (ann, ben)}
    await take_turn(table, await asked_in_dms(table), random.Random(1), by="slash")
    await table.wait(60)
    asked = await asked_in_dms(table)
    assert table.letters(asked)[-1] != seen[asked.id]
    assert choosing(table.letters(asked)[-1])
    assert (await table.bot.tables.users.preferences(asked.id)).dm_id == asked.user.dm_channel.id


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("system", SYSTEMS if WHOLE else ("swiss",))
async def test_a_whole_game_is_played_in_dms(table: SimTable, system: str) -> None:
    ann, dice = table.members[0], random.Random(7)
    players = min(SYSTEMS[system].players)
    await table.slash(ann, "dog new", channel=ann.user.dm_channel, rules=system, players=players)
    opened = await the_table(table)
    for label in ("Add computers", "Start"):
        await table.click(ann, label, on=shown_lobby(table, ann))
    while (await table.bot.tables.get(opened.id)).status is Status.PLAYING:
        before = len(table.env.http_requests)
        await take_turn(table, ann, dice, by="letter")
        made = [one.method for one in table.env.http_requests[before:] if one.path.startswith("/channels/")]
        assert made.count("POST") <= 1
        assert made.count("PATCH") <= 3
    *before, last = table.letters(ann)
    assert {"Review", "Rematch"} <= set(last.labels)
    assert {label for letter in before for label in letter.labels} <= {"Learn to play"}
    assert not table.messages(), "nothing is posted on the server"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("system", SYSTEMS if WHOLE else ("family",))
async def test_four_people_end_a_game_in_dms(table: SimTable, system: str) -> None:
    left = 10_000 if WHOLE else 16
    await play_to_the_end(table, system, left, by="letter", in_dms=True)
    for member in table.members:
        *turns, last = table.letters(member)
        assert {"Review", "Rematch"} <= set(last.labels)
        assert [letter.text for letter in turns if letter.buttons] == []
    assert not table.messages()
