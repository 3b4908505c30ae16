"""`/dog nudge`: anybody at the table may ask for the move they are waiting for, once a turn, and not at night."""

from tests.cogs.playing import on_turn, past_the_exchange, the_table
from tests.cogs.timing import duel, since
from tests.simtable import SimTable

HOUR = 3_600


async def test_there_is_one_nudge_a_turn_also_over_a_restart(table: SimTable) -> None:
    ann, ben = await duel(table)
    board = table.board()
    await table.slash(ben, "dog nudge")
    (nudge,) = since(table, board)
    assert nudge.pinged == {ann.id}
    assert "ben" in nudge.text
    await table.restart(crash=True)
    assert "already" in (await table.slash(ben, "dog nudge")).text
    assert since(table, board) == [nudge]


async def test_a_nudge_goes_where_its_reader_wants_to_be_told(table: SimTable) -> None:
    ann, ben = await duel(table)
    await table.slash(ann, "dog me notify", where="dm")
    letters = len(table.mail(ann))
    board = table.board()
    await table.slash(ben, "dog nudge")
    assert all(seen.pinged == frozenset() for seen in since(table, board))
    (letter,) = table.mail(ann)[letters:]
    assert "waiting for your move" in letter.text


async def test_who_is_nudged_but_has_left_gives_way_even_without_a_clock(table: SimTable) -> None:
    await past_the_exchange(table, pace="none")
    absent = await on_turn(table)
    other = next(member for member in table.members if member.id != absent.id)
    table.guild.remove_member(absent)
    await table.slash(other, "dog nudge")
    opened = await the_table(table)
    assert absent.id not in opened.waiting_for.values()
    assert all(absent.id not in seen.pinged for seen in table.messages()[-2:])
