"""What disappears while a board is being drawn: the previous board, the channel, a permission, the whole server.

The action that the board shows is kept, nobody sees an error, and play goes on as soon as there is a place for it.
"""

import logging
from collections.abc import Callable
from typing import Any

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from bot.table import Status
from tests.cogs.playing import on_turn, seat_everyone
from tests.cogs.timing import asked_and_other, duel, play
from tests.simtable import SimTable, Unanswered


def while_drawing(table: SimTable, monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None]) -> list[int]:
    """Let this happen once, while the next board is drawn; the list returned will hold the id of that board's table."""
    draw, drawn = table.bot.pictures.board, []

    async def draws(now: Any, *rest: Any, **named: Any) -> bytes:
        picture = await draw(now, *rest, **named)
        if not drawn:
            drawn.append(now.id)
            happens()
        return picture

    monkeypatch.setattr(table.bot.pictures, "board", draws)
    return drawn


def no_errors(records: list[logging.LogRecord]) -> None:
    assert [record.getMessage() for record in records if record.levelno >= logging.ERROR] == []


async def test_the_board_before_is_deleted(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, _ = await duel(table)
    before = table.board()
    assert while_drawing(table, monkeypatch, lambda: table.delete(before)) == []
    await play(table, asked)
    assert not table.exists(before)
    assert [seen.id for seen in table.messages() if seen.pictures and seen.buttons] == [table.board().id]
    await play(table, await on_turn(table))
    assert [seen.id for seen in table.messages() if seen.pictures and seen.buttons] == [table.board().id]


async def test_a_board_that_is_edited_is_deleted(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gift edits the board that is there; if that is gone, a new one is posted, and nobody is called again."""
    await seat_everyone(table, rules="royal-basic", players=2)
    before, calls = table.board(), [table.calls(member) for member in table.members]
    drawn = while_drawing(table, monkeypatch, lambda: table.delete(before))
    await play(table, table.members[0])
    assert drawn
    assert not table.exists(before)
    assert "My hand" in table.board().labels
    assert [table.calls(member) for member in table.members] == calls


async def test_the_channel_is_deleted(
    table: SimTable, monkeypatch: pytest.MonkeyPatch, bot_log: list[logging.LogRecord]
) -> None:
    asked, other = await duel(table)
    number = (await table.bot.tables.of_member(asked.id))[0].number
    drawn = while_drawing(table, monkeypatch, lambda: table.env.backend.delete_channel(table.channel.id))
    table.provoked = True
    # Whether the answer still arrives before the channel goes depends on which of two threads finishes first.
    unheard = ""
    try:
        await play(table, asked)
    except Unanswered as unanswered:
        unheard = str(unanswered)
    assert not unheard or "/callback" in unheard, "an answer was sent, though there was nowhere left for it"
    (kept,) = await table.bot.tables.of_member(asked.id)
    assert drawn == [kept.id]
    assert kept.number > number
    assert (kept.lost, kept.status) == ("gone", Status.PLAYING)
    assert [len(table.letters(member)) for member in (asked, other)] == [1, 1]
    no_errors(bot_log)
    there = table.guild.create_text_channel("there")
    await table.slash(asked, "dog table move", channel=there)
    (kept,) = await table.bot.tables.of_member(asked.id)
    assert (kept.lost, kept.channel_id) == (None, there.id)
    assert "My hand" in table.newest(channel=there).labels


@pytest.mark.parametrize("taken", ["attach_files", "the bot is removed"])
async def test_what_the_bot_needs_is_taken(
    table: SimTable, monkeypatch: pytest.MonkeyPatch, bot_log: list[logging.LogRecord], taken: str
) -> None:
    asked, other = await duel(table)
    number = (await table.bot.tables.of_member(asked.id))[0].number
    calls, backend, removed = table.calls(other), table.env.backend, taken == "the bot is removed"
    if removed:
        table.refuse("POST", "PATCH", "DELETE", status=403, code=50001)

    def takes() -> None:
        if removed:
            backend.emit("GUILD_DELETE", {"id": str(table.guild.id)})
            return
        denied = discord.Permissions(**{taken: True}).value
        overwrite = Overwrite(target_id=backend.bot_user.id, type=OverwriteType.MEMBER, deny=denied)
        backend.edit_channel(table.channel.id, {}, overwrites=[overwrite])

    drawn = while_drawing(table, monkeypatch, takes)
    await play(table, asked)
    (kept,) = await table.bot.tables.of_member(asked.id)
    assert drawn == [kept.id]
    assert kept.number > number
    assert kept.lost in ("permissions", "access")
    no_errors(bot_log)
    await (table.invite_bot() if removed else table.deny_bot())
    (kept,) = await table.bot.tables.of_member(asked.id)
    assert kept.lost is None
    assert [seen.id for seen in table.messages() if seen.pictures and seen.buttons] == [table.board().id]
    assert table.calls(other) == calls + (other.id in kept.waiting_for.values())
    now, _ = await asked_and_other(table)
    await play(table, now)
