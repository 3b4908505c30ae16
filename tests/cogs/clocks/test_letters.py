"""Letters (direct messages): a turn from its call to the line that is left, the end, people who accept none."""

import io
import random
from typing import Any

import pytest
from PIL import Image

from engine import SYSTEMS
from tests.cogs.playing import (
    asked_directly,
    choosing,
    on_turn,
    pass_time,
    past_the_exchange,
    play_on,
    play_to_the_end,
    seat_everyone,
    take_turn,
    the_table,
)
from tests.cogs.timing import duel, now, play, quiet, since
from tests.simtable import SimTable
from tests.spoken import WHOLE


async def test_direct_message_has_hand_game_and_link(table: SimTable) -> None:
    ben = table.members[1]
    await table.slash(ben, "dog me notify", where="dm")
    await seat_everyone(table)
    opened = await the_table(table)
    full, letter = table.letters(ben)
    assert "all seats are taken" in full.text
    assert opened.code in letter.text
    assert letter.pictures
    links = [button.url for button in letter.buttons if button.url]
    assert links == [f"https://discord.com/channels/{table.guild.id}/{table.channel.id}/{opened.shown.message_id}"]
    board = table.board()
    assert ben.id not in board.pinged
    assert f"<@{ben.id}>" not in board.text
    assert "ben" in board.text


async def test_the_whole_dialogue_works_in_a_direct_message(table: SimTable) -> None:
    ben = table.members[1]
    await table.slash(ben, "dog me notify", where="dm")
    await seat_everyone(table)
    letter = table.letters(ben)[-1]
    await table.press(ben, choosing(letter)[0], on=letter)
    confirm = table.read(letter)
    assert "Confirm" in confirm.labels
    await table.click(ben, "Confirm", on=confirm)
    assert "✅" in table.read(letter).text
    assert ben.id not in (await the_table(table)).waiting_for.values()


@pytest.mark.drawn
async def test_letter_has_board_above_hand(table: SimTable) -> None:
    asked, _ = await duel(table, pace="none")
    await table.slash(asked, "dog me notify", where="dm")
    await play_on(table, random.Random(5), 2)
    letter = table.letters(asked)[-1]
    width, height = Image.open(io.BytesIO(letter.pictures[0])).size
    assert height > width
    assert {"History", "Say something"} <= set(letter.labels)


async def test_only_the_newest_letter_can_be_pressed(table: SimTable) -> None:
    asked, other = await duel(table, pace="none")
    await table.slash(asked, "dog me notify", where="dm")
    for _ in range(3):
        await take_turn(table, other if (await on_turn(table)).id == other.id else asked, random.Random(5))
    while (await on_turn(table)).id != asked.id:
        await take_turn(table, other, random.Random(5))
    *old, newest = table.letters(asked)
    assert old
    for letter in old:
        assert not letter.custom_ids, letter.text
        assert not letter.pictures
    assert newest.pictures
    assert choosing(newest)


async def test_turn_played_elsewhere_ends_its_letter(table: SimTable) -> None:
    asked, _ = await duel(table, pace="none")
    await table.slash(asked, "dog me notify", where="dm")
    await play_on(table, random.Random(5), 2)
    assert (await on_turn(table)).id == asked.id
    await table.slash(asked, "dog me notify", where="dm")
    letter = table.letters(asked)[-1]
    assert choosing(letter)
    assert letter.text.count((await the_table(table)).code) == 1
    assert "Your move?" not in letter.text, "the line above asks that"
    await take_turn(table, asked, random.Random(5))
    assert table.read(letter).text != letter.text
    assert not choosing(table.read(letter))


async def test_past_turn_folds_once_another_acts(table: SimTable) -> None:
    await past_the_exchange(table)
    asked, rng = await on_turn(table), random.Random(5)
    await table.slash(asked, "dog me notify", where="dm")
    for _ in range(5):
        await take_turn(table, await on_turn(table), rng, by="slash")
    while (await on_turn(table)).id != asked.id:
        await take_turn(table, await on_turn(table), rng, by="slash")
    letter = table.letters(asked)[-1]
    await take_turn(table, asked, rng, by="letter")
    await table.click(asked, "Undo", on=table.read(letter))
    await take_turn(table, asked, rng, by="letter")
    assert "Undo" in table.read(letter).labels
    assert (await on_turn(table)).id != asked.id
    await take_turn(table, await on_turn(table), rng, by="slash")
    folded = table.read(letter)
    assert folded.labels == ["My hand", "Go to board"]
    assert not folded.pictures
    assert len(folded.text.splitlines()) == 2, "the game and the move"
    await table.click(asked, "My hand", on=folded)
    assert "History" in table.read(letter).labels
    assert (await on_turn(table)).id != asked.id
    await take_turn(table, await on_turn(table), rng, by="slash")
    assert table.read(letter).text == folded.text


async def test_history_leaves_the_letter_of_a_turn(table: SimTable) -> None:
    asked, _ = await duel(table, pace="none")
    await table.slash(asked, "dog me notify", where="dm")
    await play_on(table, random.Random(5), 2)
    letter = table.letters(asked)[-1]
    history = await table.click(asked, "History", on=letter)
    assert table.read(letter).custom_ids == letter.custom_ids
    proof = await table.click(asked, "Fair shuffle", on=history.shown)
    back = await table.click(asked, "History", on=proof.shown)
    assert back.shown.id == history.shown.id


async def test_hands_and_letters_follow_a_pause(table: SimTable, moderator: Any) -> None:
    asked, waiting = await duel(table, pace="none")
    await table.slash(asked, "dog me notify", where="dm")
    await play_on(table, random.Random(5), 2)
    letter = table.letters(asked)[-1]
    before = [table.read((await table.click(member, "My hand", on=table.board())).shown) for member in (asked, waiting)]
    assert "Plan ahead" in before[1].labels
    for command, goes_on in (("pause", False), ("resume", True)):
        await table.slash(moderator, f"dog-admin {command}")
        hands = [next(seen for seen in table.private(member)[::-1] if seen.pictures) for member in (asked, waiting)]
        for hand, was in zip([*hands, table.read(letter)], [*before, letter], strict=True):
            assert ("⏸️" in hand.text) is not goes_on
            assert set(hand.labels) >= set(was.labels) if goes_on else not choosing(hand)
            assert goes_on or "Plan ahead" not in hand.labels


async def test_reminder_goes_with_the_turn(table: SimTable) -> None:
    asked, _ = await duel(table, pace="brisk")
    await table.slash(asked, "dog me notify", where="dm")
    await play_on(table, random.Random(5), 2)
    await table.wait(max(clock.ends_at or 0 for clock in (await the_table(table)).clocks.values()) - now(table) - 60)
    letter, reminder = table.letters(asked)[-2:]
    assert "still your turn" in reminder.text
    await take_turn(table, asked, random.Random(5), by="slash")
    assert not table.exists(reminder)
    assert table.exists(letter)


@pytest.mark.slow
@pytest.mark.drawn
@pytest.mark.timeout(600)
@pytest.mark.parametrize("system", SYSTEMS if WHOLE else ("family", "royal", "jackaroo"))
async def test_a_game_is_played_from_letters_alone(table: SimTable, system: str) -> None:
    for member in table.members:
        await table.slash(member, "dog me notify", where="dm")
    await play_to_the_end(table, system, 10_000 if WHOLE else 16, by="letter")
    for member in table.members:
        *turns, last = table.letters(member)
        assert last.pictures
        assert "Review" in last.labels
        assert [letter.text for letter in turns if letter.buttons] == []


async def test_both_means_ping_and_letter_silent_means_neither(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    await table.slash(ben, "dog me notify", where="both")
    await table.slash(cleo, "dog me notify", where="silent")
    await seat_everyone(table)
    assert ben.id in table.board().pinged
    assert cleo.id not in table.board().pinged
    assert len(table.letters(ben)) == 2, "that all seats are taken, and the hand"
    assert table.letters(cleo) == []
    assert table.letters(ann) == []


async def test_closed_direct_messages_are_told_once(table: SimTable) -> None:
    ben = table.members[1]
    await table.slash(ben, "dog me notify", where="dm")
    table.close_dms(ben)
    await seat_everyone(table)
    tried = table.posts(ben.user.dm_channel)
    assert tried == 1
    assert "can't message you" in (await table.slash(ben, "dog hand")).text
    assert "can't message you" not in (await table.slash(ben, "dog hand")).text
    await play_on(table, random.Random(5), 8)
    assert table.posts(ben.user.dm_channel) == tried
    table.heal()
    await table.slash(ben, "dog me notify", where="dm")
    for _ in range(24):
        await take_turn(table, await on_turn(table), random.Random(4))
        if table.letters(ben):
            return
    raise AssertionError("no letter after they were opened again")


@pytest.mark.parametrize("code", [50007, 50278], ids=["closed", "no server in common"])
async def test_unreached_player_is_called_once_in_the_channel(table: SimTable, code: int) -> None:
    asked, ben = await duel(table, pace="none")
    await table.slash(ben, "dog me notify", where="dm")
    table.refuse("POST", channel=ben.user.dm_channel, status=403, code=code)
    before = table.newest()
    await play(table, asked)
    (call,) = [seen for seen in since(table, before) if ben.id in seen.pinged]
    assert "it's your turn. I couldn't send you a direct message." in call.text
    assert call.labels == ["My hand"]
    calls = table.calls(ben)
    await pass_time(table, 10 * 3_600)
    await table.restart(crash=True)
    assert table.calls(ben) == calls


async def test_letter_tells_the_end_in_the_readers_zone(table: SimTable) -> None:
    ben = table.members[1]
    await table.slash(ben, "dog me notify", where="dm")
    await quiet(table, ben, "0:20", "7:20")
    await seat_everyone(table, rules="royal-basic", players=2, pace="brisk")
    assert f"⏳ <t:{now(table) + 8 * 3_600}:t>" in table.letters(ben)[-1].text


async def test_changed_gift_writes_no_second_letter(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ben, "dog me notify", where="dm")
    await seat_everyone(table)
    before = table.letters(ben)
    for _ in range(2):
        await play(table, ann)
        await table.slash(ann, "dog takeback")
    await play(table, ann)
    assert table.letters(ben) == before


async def test_winners_and_losers_get_one_last_letter(table: SimTable) -> None:
    ann, ben, cleo, dan = table.members
    for member, where in ((ann, "dm"), (ben, "dm"), (dan, "silent")):
        await table.slash(member, "dog me notify", where=where)
    await seat_everyone(table)
    code = (await the_table(table)).code
    before = {seen.id for member in table.members for seen in table.letters(member)}
    await table.click(ann, "Ask my team to resign", on=(await table.slash(ann, "dog table resign")).shown)
    table.provoked = True
    table.fail("POST", f"/channels/{table.channel.id}/messages")
    await table.click(cleo, "Agree", on=asked_directly(table, cleo))
    assert not any(seen.id not in before for one in (ann, ben) for seen in table.letters(one)), "the board comes first"
    await table.wait(30)
    news = {one.id: [seen.text for seen in table.letters(one) if seen.id not in before] for one in table.members}
    place = f"**{code}** in <#{table.channel.id}> is over"
    why = "🔵 **ann** and 🟢 **cleo** resigned. Not rated: it ended before round 3."
    assert [text for text in news[ann.id] if "is over" in text] == [f"🏁 {place}: you lost. {why}"]
    assert news[ben.id] == [f"🏆 {place}: you won! {why}"]
    assert (news[cleo.id], news[dan.id]) == ([f"**{code}**: {why}"], []), "the question tells how it ended"
    assert table.board().pinged == {cleo.id}, "the channel calls only who wants to be called there"
    for letter in (table.letters(ann)[-1], table.letters(ben)[-1]):
        assert [button.url for button in letter.buttons if button.url], "with a way to the last board"
    letters = {member.id: table.letters(member) for member in table.members}
    await table.restart(crash=True)
    assert {member.id: table.letters(member) for member in table.members} == letters, "nobody is told twice"
