"""What exchanges and calls for help say: to each partner what they gave and got, to everybody that they did."""

import random
from typing import Any

from bot.languages import Language
from bot.texts.names import the_card
from engine.secret import whole
from tests.cogs.playing import any_card, in_hand, on_turn, past_the_exchange, seat_everyone, take_turn, the_table
from tests.cogs.timing import history, marked
from tests.simtable import SimTable


async def exchanged(table: SimTable, member: Any) -> tuple[str, str]:
    """What this member gave and got, with the cards named as in the middle of a sentence."""
    opened = await the_table(table)
    view = whole(opened.game).view(opened.seat_of(member.id))
    english = Language("en")
    return the_card(english, view.gave), the_card(english, view.got)


def swapped(gave: str, got: str) -> str:
    """The end of the line about an exchange."""
    english = Language("en")
    return f" {the_card(english, gave)} and got {the_card(english, got)}."


async def test_completing_giver_reads_the_received_card_at_once(table: SimTable) -> None:
    await seat_everyone(table)
    ann, _, cleo, _ = table.members
    await take_turn(table, ann, random.Random(1))
    assert "⇄ " not in (await in_hand(table, ann)).text, "cleo has not chosen yet"
    done = await any_card(table, cleo, await in_hand(table, cleo))
    assert len((await the_table(table)).waiting_for) == 2
    view = whole((await the_table(table)).game).view(0)
    assert swapped(view.got, view.gave) in done.text
    assert swapped(view.gave, view.got) in (await table.slash(ann, "dog hand")).text


async def test_an_exchange_for_help_is_told_as_one(table: SimTable) -> None:
    await seat_everyone(table, rules="family")
    ann, ben, cleo, dan = table.members
    for member in (ben, cleo, dan):
        await in_hand(table, member, "Go on without help")
    await any_card(table, ann, await in_hand(table, ann, "Ask for help"))
    done = await any_card(table, cleo, await in_hand(table, cleo, "Give a card"))
    helper, asker = await marked(table, cleo), await marked(table, ann)
    told = f"{helper} helps {asker}: they exchange a card."
    assert told in await history(table, ben)
    assert told in table.board().text
    assert "exchanged cards" not in table.board().text
    gave, got = await exchanged(table, cleo)
    assert (got, gave) == await exchanged(table, ann)
    assert "Help: you gave the " in done.text
    assert f" from {asker}." in done.text
    mine = await in_hand(table, ann)
    assert f"Help: you gave {got} and got {gave} from {helper}." in mine.text
    assert all(seen.text.count("Help: ") == 0 for seen in table.messages()), "which cards stays private"


async def test_hand_tells_the_exchange_afterwards(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    opened = await the_table(table)
    for seat, member in enumerate(table.members):
        view = whole(opened.game).view(seat)
        if seat in view.out:
            continue  # a hand that cannot be played is laid down at once
        answer = await table.slash(member, "dog hand")
        assert swapped(view.gave, view.got) in answer.text
        assert view.got in (view.hand or ())
    assert len(view.out) < len(table.members)
    member = await on_turn(table)
    await take_turn(table, member, random.Random(1))
    assert "⇄ " not in (await table.slash(member, "dog hand")).text, "it is told until a card is played"
