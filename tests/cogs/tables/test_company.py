"""Bringing people and tables together: invitations and searches, with real commands and clicks."""

from bot.errors import BadTerms, NotAtTable, Problem
from tests.cogs.playing import seat_everyone, the_table
from tests.simtable import SimTable


async def test_invited_people_are_called_once_and_seated(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    await table.slash(ann, "dog new")
    await table.slash(ann, "dog table invite", player=ben, player2=cleo)
    question = table.newest()
    assert question.pinged == {ben.id, cleo.id}
    assert "ben (invited)" in table.board().text
    await table.click(ben, "Join", on=question)
    await table.click(cleo, "Join", on=question)
    assert (await the_table(table)).owners == {ann.id: 0, ben.id: 1, cleo.id: 2}
    assert len(table.messages()) == 1, "the invitation has done its work"


async def test_opening_with_invitations_calls_once(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", invite=ben, thread=True)
    assert table.calls(ben) == 1


async def test_invitations_need_an_own_table_and_come_once(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    await table.slash(ann, "dog new")
    assert "aren't playing" in (await table.slash(ben, "dog table invite", player=cleo)).text
    await table.slash(ann, "dog table invite", player=cleo)
    assert (await table.slash(ann, "dog table invite", player=cleo)).is_refused(Problem.NOBODY_TO_INVITE)
    assert table.calls(cleo) == 1


async def test_search_is_told_once_when_a_table_opens(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    for member in (ben, cleo):
        answer = await table.slash(member, "dog table seek", rules="royal")
        assert "No table yet" in answer.text
    assert "1 other person is looking" in answer.text
    await table.click(cleo, "Stop looking", on=answer.shown)
    await table.slash(ann, "dog new")
    assert table.calls(ben) == 0, "that is another game"
    question = await table.click(
        ann, "Change the game", on=(await table.click(ann, "Settings", on=table.board())).shown
    )
    await table.choose(ann, "DOG Royal", on=question.shown)
    assert (table.calls(ben), table.calls(cleo)) == (1, 0)
    found = table.newest()
    await table.click(ann, "Allow hints", on=question.shown)
    assert table.calls(ben) == 1
    await table.click(ben, "Join", on=found)
    assert (await the_table(table)).seat_of(ben.id) == 1


async def test_whoever_looks_joins_a_table_that_is_open(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    await table.slash(ben, "dog table seek", players=4)
    assert (await the_table(table)).seat_of(ben.id) == 1
    assert (await table.slash(ben, "dog table seek", rules="classic", players=5)).is_refused(BadTerms)


async def test_open_tables_with_free_seats_are_listed(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    opened = await the_table(table)
    answer = await table.slash(ben, "dog games")
    assert opened.code in answer.text
    assert "3 free seats" in answer.text
    assert "with a free seat" not in (await table.slash(ann, "dog games")).text


async def test_talk_stands_on_board_and_in_history(table: SimTable) -> None:
    ann, _, _, dan = table.members
    await seat_everyone(table, computers=2)
    refused = await table.click(dan, "Say something", on=table.board())
    assert refused.is_refused(NotAtTable)
    assert refused.shown.labels == ["Replay", "History"], "what a person can do who watches"
    question = await table.click(ann, "Say something", on=table.board())
    calls = table.calls(ann)
    await table.choose(ann, "🎲 Good luck!", on=question.shown)
    assert "**ann**: 🎲 Good luck!" in table.board().text
    assert table.calls(ann) == calls
    assert "Good luck" in (await table.click(dan, "History", on=table.board())).text
    game = await the_table(table)
    assert (await table.forge(ann, f"dog:talk:{game.id}.1", on=table.board())).is_refused(Problem.SAID_ALREADY)
    await table.forge(ann, f"dog:talk:{game.id}.99", on=table.board())
    assert (await the_table(table)).version == game.version


async def test_player_alone_is_not_asked_to_talk(table: SimTable) -> None:
    await seat_everyone(table, computers=3)
    assert table.board().labels == ["My hand", "History"]


async def test_silent_table_has_no_talk_button(table: SimTable) -> None:
    await table.slash(table.members[0], "dog new", talk=False)
    assert "🤐 No table talk" in table.board().text
    await seat_everyone(table, computers=2, talk=False)
    assert "Say something" not in table.board().labels
