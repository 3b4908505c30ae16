"""Nobody can starve the others: a flood is refused politely, and a move at another table is answered at once."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot import limits
from bot.errors import TooOften
from bot.limits import IN_FLIGHT, LEADS_NOWHERE, SUGGESTION, TOLD
from bot.rights import Deed, Rate
from bot.showing.choices import PlayNow
from bot.showing.controls import Join, ShowHand
from bot.showing.presses import parse
from bot.table import Table
from tests.cogs.playing import on_turn, the_table, to_the_play_button
from tests.cogs.timing import duel, solo
from tests.simtable import SimTable


async def test_flood_of_commands_does_not_delay_a_move(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    await duel(table)
    member = await on_turn(table)
    shown = await to_the_play_button(table, member)
    last = next(one for one in shown.custom_ids if isinstance(parse(one), PlayNow))
    before = await the_table(table)
    film, move = table.bot.pools._filming.do, None

    async def slow(work: Callable[..., Any], *args: Any) -> Any:
        # No film ends before the move is answered.
        for _ in range(200_000):
            if move is not None and move.acknowledged:
                return await film(work, *args)
            await asyncio.sleep(0)
        raise AssertionError("the move waits for films")

    monkeypatch.setattr(table.bot.pools._filming, "do", slow)
    began = table.env.now()
    needed: dict[str, dict[str, Any]] = {"dog play": {"card": "A"}, "dog me notify": {"where": "channel"}}
    needed["dog me forced"] = {"where": "slow"}
    # People cannot be typed.
    typed = {name for name in member.available_commands(table.channel) if name.startswith("dog ")}
    typed -= {"dog table invite", "dog table friend"}
    crowd = [table.guild.add_member(table.env.create_user(f"crowd{number}")) for number in range(20)]
    floods = [table.send_slash(one, name, **needed.get(name, {})) for name in sorted(typed) for one in crowd]
    move = table._send_press(member, last, shown, ())
    await table.env.settle()
    assert table.env.now() == began, "no time has passed"
    assert move.acknowledged
    after: Table = await table.bot.tables.get(before.id)
    assert after.number > before.number
    assert all(flood.acknowledged for flood in floods)
    answers = [table._answer(flood, "flood") for flood in floods]
    assert sum(bool(answer.shown and answer.shown.pictures) for answer in answers) > 0


async def test_excess_requests_are_refused_politely(table: SimTable) -> None:
    ann = table.members[0]
    results = [table.send_slash(ann, "dog board") for _ in range(IN_FLIGHT + 5)]
    await table.env.settle()
    answers = [table._answer(result, "flood") for result in results]
    assert any(answer.is_refused(TooOften) for answer in answers)


async def test_presses_in_a_hand_are_refused_once(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await solo(table)
    monkeypatch.setattr(limits, "EVERYTHING", Rate(10, 20))
    hand = (await table.slash(ann, "dog hand")).shown
    hint = next(str(one.custom_id) for one in hand.buttons if one.label == "Hint")
    answers = [await table.forge(ann, hint, on=hand) for _ in range(12)]
    assert sum("Too fast!" in answer.text for answer in answers) == 1
    assert "Too fast!" not in answers[-1].text


async def test_endless_requests_are_refused_and_then_ignored(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EVERYTHING", Rate(10, 20))
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    board = table.board()
    settings_button = next(str(one.custom_id) for one in board.buttons if one.label == "Settings")
    for number in range(9):
        answer = await (table.slash(ann, "dog games") if number % 2 else table.click(ann, "Settings", on=board))
        assert answer.refusal is None
    for number in range(TOLD):
        answer = await (table.slash(ann, "dog games") if number % 2 else table.click(ann, "Settings", on=board))
        assert answer.is_refused(TooOften)
    unheard = table.send_slash(ann, "dog games"), table._send_press(ann, settings_button, board, ())
    await table.env.settle()
    assert [one.acknowledged for one in unheard] == [False, False]
    assert (await table.slash(ben, "dog games")).refusal is None, "nobody else is concerned"
    await table.wait(40)
    assert (await table.slash(ann, "dog games")).refusal is None


async def test_opening_tables_is_no_way_around_invitations(table: SimTable) -> None:
    ann, ben = table.members[:2]
    for _ in range(Deed.INVITE.rule.bound.person.times):
        assert (await table.slash(ann, "dog new", invite=ben)).refusal is None
    assert (await table.slash(ann, "dog new", invite=ben)).is_refused(TooOften)


async def test_suggestions_stop_for_a_while(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    monkeypatch.setattr(limits, "EVERYTHING", Rate(2, 20))
    for _ in range(int(2 / SUGGESTION)):
        assert await table.suggestions(ann, "dog board", "game")
    assert await table.suggestions(ann, "dog board", "game") == {}
    await table.wait(20)
    assert await table.suggestions(ann, "dog board", "game")


async def test_dead_buttons_are_not_looked_up_for_ever(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    board, looked = table.board(), []
    get = table.bot.tables.get

    async def counting(table_id: int) -> Any:
        looked.append(table_id)
        return await get(table_id)

    monkeypatch.setattr(table.bot.tables, "get", counting)
    monkeypatch.setattr(limits, "EVERYTHING", Rate(12, 24))
    for number in range(10):
        press = ShowHand(10_000 + number) if number % 2 else Join(10_000 + number)
        answer = await table.forge(ann, press.custom_id("0"), on=board)
    assert answer.is_refused(TooOften)
    assert len(looked) == 12 / (1 + LEADS_NOWHERE)
    ben = table.members[1]
    await table.forge(ben, Join((await the_table(table)).id).custom_id(), on=board)
    assert (await the_table(table)).seat_of(ben.id) is not None
