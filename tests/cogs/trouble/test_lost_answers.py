"""Answers that get lost on the way back: no board is left with live buttons, and nobody is called twice.

A post can take effect although its answer never arrives: the connection breaks, Discord fails afterwards, the program
is killed. Here that happens at every such place, and the table moves on before the bot learns what became of the post.
"""

import random
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest

from engine.secret import whole
from tests.cogs.playing import on_turn, past_the_exchange, play_on, take_turn, the_table
from tests.cogs.timing import duel, play, until_asked
from tests.simtable import Seen, SimTable

LATER = 30
"""Seconds after which whatever failed has been tried again."""


class Broken:
    """Loses the answers to posts in the channel while it is `on`; with `effect` False nothing is posted either."""

    def __init__(self, table: SimTable, monkeypatch: pytest.MonkeyPatch, error: Callable[[], BaseException]) -> None:
        self.on, self.effect, self.lost = False, True, 0
        self._send, self._error = table.bot.http.send_message, error
        monkeypatch.setattr(table.bot.http, "send_message", self._post)

    async def _post(self, channel_id: int, *, params: object) -> Any:
        if not self.on:
            return await self._send(channel_id, params=params)
        self.lost += 1
        if self.effect:
            await self._send(channel_id, params=params)
        raise self._error()


def live(table: SimTable) -> list[Seen]:
    """The public messages that have a picture and buttons to press."""
    return [seen for seen in table.messages() if seen.pictures and seen.buttons]


async def moves_on(table: SimTable, broken: Broken, rng: random.Random) -> tuple[Any, Any]:
    """Somebody plays, the answer to the board's post is lost, and the next one plays too before it is tried again."""
    first = await on_turn(table)
    table.provoked = True
    broken.on = True
    await take_turn(table, first, rng)
    second = await on_turn(table)
    await take_turn(table, second, rng)
    broken.on = False
    return first, second


@pytest.mark.parametrize("may_read", [True, False], ids=["looked up", "asked for by its nonce"])
async def test_board_with_lost_answer_is_found_later(
    table: SimTable, monkeypatch: pytest.MonkeyPatch, may_read: bool
) -> None:
    await past_the_exchange(table)
    if not may_read:
        await table.deny_bot("read_message_history")
    broken = Broken(table, monkeypatch, TimeoutError)
    before = {member.id: table.calls(member) for member in table.members}
    rng = random.Random(5)
    _, second = await moves_on(table, broken, rng)
    assert broken.lost >= 1
    await table.wait(LATER)
    assert len(live(table)) == 1, "only the newest board has buttons"
    assert live(table)[0].id == table.boards()[-1].id
    assert table.calls(second) == before[second.id] + 1, "called once, by the board whose answer was lost"
    assert (await the_table(table)).shown.message_id == table.boards()[-1].id
    await play_on(table, rng, 2)
    assert len(live(table)) == 1


async def test_a_post_without_effect_leaves_nothing_behind(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    await past_the_exchange(table)
    await table.deny_bot("read_message_history")
    broken = Broken(table, monkeypatch, TimeoutError)
    broken.effect = False
    count = len(table.messages())
    await moves_on(table, broken, random.Random(5))
    await table.wait(LATER)
    assert len(live(table)) == 1
    assert len(table.messages()) == count, "one board tells of both moves; the one before told nothing, and is gone"


async def test_board_posted_before_a_kill_is_found(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    await past_the_exchange(table)
    send = table.bot.http.send_message

    async def moves_on_and_dies(channel_id: int, *, params: object) -> Any:
        await send(channel_id, params=params)
        now = await the_table(table)
        seat, user = next(iter(now.waiting_for.items()))
        await table.bot.tables.turns.act(now.id, user, None, whole(now.game).legal(seat)[0])
        table.kill()

    monkeypatch.setattr(table.bot.http, "send_message", moves_on_and_dies)
    before = {member.id: table.calls(member) for member in table.members}
    await take_turn(table, await on_turn(table), random.Random(5))
    (second,) = [one for one in table.members if table.calls(one) > before[one.id]]
    assert [one.message_id for one in (await the_table(table)).messages].count(None) == 1
    await table.restart(crash=True)
    await table.wait(LATER)
    assert len(live(table)) == 1
    assert table.calls(second) == before[second.id] + 1
    assert None not in [one.message_id for one in (await the_table(table)).messages]


async def test_decision_made_while_drawing_calls_no_player(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that takes long to draw is not posted once its state has passed, so each decision makes one call."""
    await past_the_exchange(table)
    draw, played = table.bot.pictures.board, []

    async def slow(now: Any, *rest: Any, **named: Any) -> bytes:
        picture = await draw(now, *rest, **named)
        if not played:
            seat, user = next(iter(now.waiting_for.items()))
            played.append(user)
            await table.bot.tables.turns.act(now.id, user, None, whole(now.game).legal(seat)[0])
        return picture

    monkeypatch.setattr(table.bot.pictures, "board", slow)
    before = {member.id: table.calls(member) for member in table.members}
    count = len(table.boards())
    await take_turn(table, await on_turn(table), random.Random(5))
    (user,) = played
    opened = await the_table(table)
    assert len(table.boards()) == count + 1, "one board tells of both moves"
    assert len(live(table)) == 1
    expected = before[user] + (user in opened.waiting_for.values())
    assert next(table.calls(member) for member in table.members if member.id == user) == expected


def notices(table: SimTable) -> list[Seen]:
    """The messages other than boards that have buttons."""
    return [seen for seen in table.messages() if not seen.pictures and seen.buttons]


@pytest.mark.parametrize(("may_read", "effect"), [(True, True), (False, False)], ids=["posted", "not posted"])
async def test_nudge_with_lost_answer_goes_with_its_turn(
    table: SimTable, monkeypatch: pytest.MonkeyPatch, may_read: bool, effect: bool
) -> None:
    asked, other = await duel(table, "none")
    if not may_read:
        await table.deny_bot("read_message_history")
    broken = Broken(table, monkeypatch, TimeoutError)
    table.provoked, broken.on, broken.effect = True, True, effect
    await table.slash(other, "dog table nudge")
    assert broken.lost
    assert len(notices(table)) == effect
    broken.on = False
    calls = table.calls(asked)
    await table.wait(LATER)
    assert len(notices(table)) == effect, "found, and neither posted again nor taken away while it is true"
    assert table.calls(asked) == calls
    await play(table, asked)
    await until_asked(table, other)
    assert notices(table) == []


@pytest.mark.parametrize("effect", [True, False], ids=["written", "not written"])
async def test_letter_with_lost_answer_is_written_once(
    table: SimTable, monkeypatch: pytest.MonkeyPatch, effect: bool
) -> None:
    asked, other = await duel(table)
    await table.slash(other, "dog me notify", where="dm")
    letters, calls = len(table.letters(other)), table.calls(other, by_boards=True)
    send, lost = table.bot.http.send_message, []

    async def loses_letters(channel_id: int, *, params: object) -> Any:
        if channel_id == table.channel.id or len(lost) >= 5:
            return await send(channel_id, params=params)
        lost.append(channel_id)
        if effect:
            await send(channel_id, params=params)
        raise TimeoutError

    monkeypatch.setattr(table.bot.http, "send_message", loses_letters)
    table.provoked = True
    await play(table, asked)
    await until_asked(table, other)
    await table.wait(1_000)
    assert lost
    assert len(table.letters(other)) == letters + 1
    assert table.calls(other, by_boards=True) == calls
    assert notices(table) == []


async def test_lost_edits_and_deletions_are_repeated(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = await duel(table, "none")
    await play(table, first)
    await until_asked(table, second)
    await table.slash(first, "dog table nudge")
    http, lost = table.bot.http, []

    def losing(name: str) -> None:
        does = getattr(http, name)

        async def loses(*what: Any, **more: Any) -> Any:
            done = await does(*what, **more)
            if len(lost) < 4:
                lost.append(name)
                raise TimeoutError
            return done

        monkeypatch.setattr(http, name, loses)

    losing("edit_message")
    losing("delete_message")
    table.provoked = True
    await play(table, second)
    await until_asked(table, first)
    await table.wait(300)
    assert set(lost) == {"edit_message", "delete_message"}
    assert notices(table) == []
    assert len(live(table)) == 1
    assert len((await the_table(table)).messages) == 1, "only the board is left"


@pytest.mark.parametrize(("error", "effect"), [(TimeoutError, False), (aiohttp.ServerDisconnectedError, True)])
async def test_a_thread_whose_answer_is_lost_is_found(
    table: SimTable, monkeypatch: pytest.MonkeyPatch, error: type[Exception], effect: bool
) -> None:
    begin = table.bot.http.start_thread_without_message

    async def loses(*what: Any, **more: Any) -> Any:
        if effect:
            await begin(*what, **more)
        raise error

    monkeypatch.setattr(table.bot.http, "start_thread_without_message", loses)
    ann = table.members[0]
    answer = await table.slash(ann, "dog new", thread=True)
    (opened,) = await table.bot.tables.of_member(ann.id)
    assert [thread.id for thread in table.channel.threads] == ([opened.channel_id] if effect else [])
    assert ("stays in this channel" in answer.text) is not effect
