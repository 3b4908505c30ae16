"""How many presses a turn takes, and what they say, through the real buttons."""

import random

from engine.secret import whole
from tests.cogs.playing import on_turn, past_the_exchange, take_turn, the_table
from tests.simtable import SimTable


async def test_after_the_exchange_the_hand_says_who_gave_what(table: SimTable) -> None:
    await past_the_exchange(table)
    opened = await the_table(table)
    for seat, member in enumerate(table.members):
        view = whole(opened.game).view(seat)
        if seat in view.out:
            continue  # a hand that cannot be played is laid down at once
        answer = await table.slash(member, "dog hand")
        partner = table.members[(seat + 2) % 4].name
        assert f"{partner}** gave you " in answer.text
        assert "You gave " in answer.text
        assert view.got in (view.hand or ())
    assert len(view.out) < len(table.members)
    member = await on_turn(table)
    await take_turn(table, member, random.Random(1))
    assert "gave you" not in (await table.slash(member, "dog hand")).text, "it is told until a card is played"
