"""Answers to interactions get lost on the wire, with the real process: everybody is answered, and only once."""

import random
from collections.abc import AsyncIterator

import pytest

from tests.wire.conftest import Room
from tools.wire.faults import CALLBACKS, FOLLOWUPS, Fault
from tools.wire.interactions import LATER, SAY, Interaction
from tools.wire.mirror import Mirror
from tools.wire.people import Person, to_play, verbs
from tools.wire.world import EPHEMERAL, Message

LOSSES = (Fault.RESET_BEFORE, Fault.RESET_AFTER, Fault.CUT_AFTER, Fault.ERROR_AFTER)


@pytest.fixture
async def room(in_threads: None, room: Room) -> AsyncIterator[Room]:
    """With the bot started; it may not have had any trouble at the end."""
    async with room.bot:
        yield room
        assert room.bot.tracebacks() == 0, room.bot.log_text()[-3000:]
        assert room.wire.refusals == []


async def test_lost_answers_arrive_once_and_act_once(room: Room) -> None:
    """First answers, deferred ones and what follows, each lost in every way: before taking effect, and after."""
    wire, ann = room.wire, room.ann
    for fault in LOSSES:
        for route, command in ((CALLBACKS, "dog help"), (CALLBACKS, "dog rules"), (FOLLOWUPS, "dog rules")):
            wire.faults.add(fault, route=route, times=1)
            told = await ann.slash(room.channel, command)
            assert len(told.messages) == 1, fault
            assert told.text, fault
    assert sum(wire.faults.counts.values()) == 3 * len(LOSSES)
    for fault in LOSSES:
        wire.faults.add(fault, route=CALLBACKS, times=1)
        opened = await ann.slash(room.channel, "dog new", rules="royal-basic", players=2)
        assert "nothing" not in opened.text.lower()
        board = await room.board("fill")
        wire.faults.add(fault, route=CALLBACKS, times=1)
        await ann.click(board, "fill")
        board = await room.board("start")
        wire.faults.add(fault, route=CALLBACKS, times=1)
        await ann.click(board, "start")
        board = await room.board("hand")
        wire.faults.add(fault, route=CALLBACKS, times=1)
        hand = await ann.click(board, "hand")
        assert hand.shown is not None
        assert hand.shown.attachments
        mirror = Mirror(room.bot.database)
        assert mirror.value("SELECT count(*) FROM games") == mirror.value("SELECT count(*) FROM games WHERE started_at")
        mirror.close()


async def test_what_is_delivered_twice_is_done_once(room: Room) -> None:
    ann, ben = room.ann, room.ben
    made = ann.type(room.channel, "dog new", rules="royal-basic", players=2)
    room.wire.interactions.resend(made)
    await ann.hear(made)
    board = await room.board("join")
    pressed = ben.touch(board, verbs(board)["join"])
    room.wire.interactions.resend(pressed)
    await ben.hear(pressed)
    assert pressed.faults == []
    await room.board("start")
    mirror = Mirror(room.bot.database)
    assert mirror.value("SELECT count(*) FROM games") == 1
    assert mirror.value("SELECT count(*) FROM seats WHERE user_id IS NOT NULL") == 2
    mirror.close()
    assert made.faults == []


class Unlucky(Person):
    """A person whose private message is removed in the moment in which they press *Play* on it."""

    def touch(self, message: Message, custom_id: str, *values: str) -> Interaction:
        made = super().touch(message, custom_id, *values)
        message.gone = message.gone or ":play:" in custom_id
        return made


@pytest.mark.parametrize(
    ("room", "kind"),
    [({"WIRE_PATIENCE": "0"}, LATER), ({"WIRE_PATIENCE": "60"}, SAY)],
    indirect=["room"],
    ids=["late", "in time"],
)
async def test_press_on_a_removed_hand_acts_and_answers(room: Room, kind: int) -> None:
    """Discord refuses what would change the message: the announcement if the answer is late, or else the answer."""
    await room.begin()
    ann, mirror = Unlucky(room.wire, room.ann.user), Mirror(room.bot.database)
    hand = await ann.click(await room.board("hand"), "hand")
    (game,) = mirror.open_games()
    before = len(mirror.log(game))
    answer = await to_play(ann, hand.shown, random.Random(2), lambda given: given)
    assert answer is not None
    made, shown = answer.made, answer.shown
    assert len(made.faults) == 1
    assert "10008" in made.faults[0]
    assert made.answer_kind == kind
    assert shown is not None
    assert shown is not made.source
    assert not made.loading
    assert shown.flags & EPHEMERAL
    assert shown.content
    assert len(mirror.log(game)) > before, "what was pressed was done"
    mirror.close()
