"""Boards in words: for anybody who asks once, and whole games for those who want no pictures at all."""

import random
from typing import Any

import pytest

from bot.showing import dialogue
from bot.showing.choices import PlayNow
from bot.showing.paging import TURN
from bot.showing.presses import parse
from tests.cogs.playing import play_on, seat_everyone
from tests.simtable import Answer, Seen, SimTable


async def test_a_board_in_words_for_once(table: SimTable) -> None:
    await seat_everyone(table)
    ann = table.members[0]
    answer = await table.slash(ann, "dog board", text=True)
    assert not answer.shown.pictures
    for member in table.members:
        assert member.name in answer.text.lower()
    assert "left to draw" in answer.text
    assert "cards in hand" in answer.text
    assert "```\n 1 .  ." in answer.text
    assert (await table.slash(ann, "dog board")).shown.pictures


async def test_a_button_under_boards_once_somebody_wants_words(table: SimTable) -> None:
    await seat_everyone(table)
    assert "Show as text" not in table.board().labels
    await table.slash(table.members[0], "dog me theme", look="text")
    await play_on(table, random.Random(5), 6)
    assert "Show as text" in table.board().labels
    answer = await table.click(table.members[1], "Show as text", on=table.board())
    assert not answer.shown.pictures
    assert "```" in answer.text


async def test_who_wants_words_plays_without_a_picture(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every private answer over several turns is text only; previews describe the board after the move."""
    await seat_everyone(table)
    for member in table.members:
        await table.slash(member, "dog me theme", look="text")
    shown: list[Seen] = []
    answered = table._answer

    def noted(*words: Any) -> Answer:
        answer = answered(*words)
        shown.extend(one for one in (answer.shown,) if one is not None)
        return answer

    monkeypatch.setattr(table, "_answer", noted)
    await play_on(table, random.Random(5), 8)
    assert len(shown) > 8
    previews = 0
    for seen in shown:
        assert not seen.pictures, seen.text
        assert len(seen.text) <= 2000
        assert "Choices: " not in seen.text, "buttons tell them, and letters mark a picture"
        kinds = [type(parse(custom_id)) for custom_id in seen.custom_ids]
        previews += PlayNow in kinds and "After this move:" in seen.text
    assert previews >= 1


async def test_a_hand_in_words_on_several_pages(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one message is not enough, buttons turn the pages, after a restart too; others there are not."""
    await seat_everyone(table)
    ann = table.members[0]
    await table.slash(ann, "dog me theme", look="text")
    monkeypatch.setattr(dialogue, "MESSAGE_LIMIT", 70)
    monkeypatch.setattr(dialogue, "A_PAGE", 60)
    tip = (await table.slash(ann, "dog hand")).shown
    assert "Page" not in tip.text
    first = (await table.click(ann, "Next page", on=tip)).shown
    assert "Page 1 of" in first.text
    await table.restart()
    second = (await table.click(ann, "Next page", on=first)).shown
    assert "Page 2 of" in second.text
    assert "Previous page" in second.labels
    forged = next(one for one in second.custom_ids if str(TURN) in one).replace(str(TURN), str(TURN + 99))
    told, count = await table.forge(ann, forged, on=second), second.text.split()[-1]
    assert f"Page {count} of {count}" in told.text


async def test_replay_in_words_opens_step_by_step(table: SimTable) -> None:
    await seat_everyone(table)
    ann = table.members[0]
    await table.slash(ann, "dog me theme", look="text")
    await play_on(table, random.Random(5), 6)
    shown = (await table.slash(ann, "dog replay", since="game")).shown
    assert not shown.pictures
    assert "```" in shown.text
    assert {"Later", "Last"} <= set(shown.labels)
    last = (await table.click(ann, "Last", on=shown)).shown
    assert "Next: " in last.text
    assert "your turn" not in last.text


async def test_a_letter_in_words_leads_to_the_board(table: SimTable) -> None:
    await seat_everyone(table)
    ann = table.members[0]
    await table.slash(ann, "dog me theme", look="text")
    hand = (await table.slash(ann, "dog hand", channel=ann.user.dm_channel)).shown
    assert hand.text.count(" in the kennel;") == 4
    answer = await table.click(ann, "Whole board", on=hand)
    assert "```" in answer.text
