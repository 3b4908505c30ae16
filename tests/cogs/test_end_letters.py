"""The end of a game by direct message: once to everybody who wants direct messages, and nothing to anybody else."""

from __future__ import annotations

from tests.cogs.playing import question, seat_everyone, the_table
from tests.simtable import SimTable


async def test_winners_and_losers_each_get_one_letter_about_the_end(table: SimTable) -> None:
    ann, ben, cleo, dan = table.members
    for member, where in ((ann, "dm"), (ben, "dm"), (dan, "silent")):
        await table.slash(member, "dog me notify", where=where)
    await seat_everyone(table)
    code = (await the_table(table)).code
    before = {member.id: len(table.mail(member)) for member in table.members}
    asked = await table.slash(ann, "dog resign")
    await table.click(ann, "End the game with my partner", on=asked.shown)
    await table.click(cleo, "Agree", on=question(table))
    news = {member.id: [seen.text for seen in table.mail(member)[before[member.id] :]] for member in table.members}
    place = f"**{code}** in <#{table.channel.id}> is over"
    assert [text for text in news[ann.id] if "is over" in text] == [f"🏁 {place}: you lost."]
    assert news[ben.id] == [f"🏆 {place}: you won!"]
    assert news[cleo.id] == news[dan.id] == []
    board = table.board()
    assert board.pinged == {cleo.id}, "the channel calls only who wants to be called there"
    for letter in (table.mail(ann)[-1], table.mail(ben)[-1]):
        assert [button.url for button in letter.buttons if button.url], "with a way to the last board"
    letters = {member.id: table.mail(member) for member in table.members}
    await table.restart(crash=True)
    assert {member.id: table.mail(member) for member in table.members} == letters, "nobody is told twice"
