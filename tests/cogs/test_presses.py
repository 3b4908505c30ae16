"""How many presses a turn takes, and what they say, through the real buttons."""

from __future__ import annotations

import random

from bot.showing.dialogue import Go
from bot.showing.presses import parse
from engine import ActionKind
from engine.secret import whole
from tests.cogs.playing import on_turn, past_the_exchange, seat_everyone, take_turn, the_table
from tests.simtable import SimTable


async def test_a_plain_move_takes_two_presses_and_a_part_one_more(table: SimTable) -> None:
    """Presses are the card, the choice between several ways, and Play; a joker adds what it stands for."""
    await seat_everyone(table, computers=3)
    ann, rng = table.members[0], random.Random(3)
    plain = 0
    for _ in range(12):
        opened = await the_table(table)
        assert opened.game is not None
        legal = whole(opened.game).legal(0)
        action, presses = await take_turn(table, ann, rng)
        ways = [one for one in legal if (one.card, one.named) == (action.card, action.named)]
        named = 1 if action.named else 0
        if len(ways) == 1:
            assert presses <= 2 + named
            plain += action.kind is ActionKind.PLAY
        else:
            assert presses <= 2 + named + len(action.parts)
    assert plain, "some card had a single way to go"


async def test_after_the_exchange_the_hand_says_who_gave_what(table: SimTable) -> None:
    await past_the_exchange(table)
    opened = await the_table(table)
    assert opened.game is not None
    for seat, member in enumerate(table.members):
        view = whole(opened.game).view(seat)
        answer = await table.slash(member, "dog hand")
        partner = table.members[(seat + 2) % 4].name
        assert f"{partner}** gave you " in answer.text
        assert "You gave " in answer.text
        assert view.got in (view.hand or ())
    member = await on_turn(table)
    await take_turn(table, member, random.Random(1))
    assert "gave you" not in (await table.slash(member, "dog hand")).text, "it is told until a card is played"


async def test_no_button_of_the_dialogue_is_longer_than_a_button_bears(table: SimTable) -> None:
    await past_the_exchange(table)
    for _ in range(4):
        member = await on_turn(table)
        answer = await table.slash(member, "dog hand")
        assert answer.shown is not None
        onward = [one for one in answer.shown.custom_ids if isinstance(parse(one), Go)]
        shown = answer.shown
        if onward:
            pressed = (await table.press(member, onward[-1], on=answer.shown)).shown
            assert pressed is not None
            shown = pressed
        assert all(len(button.label) <= 45 for button in shown.buttons)
        assert not shown.menus or len(shown.choices) > 15
        await take_turn(table, member, random.Random(2))
