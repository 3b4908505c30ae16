"""Discord's answers, code by code: again later, for good, or a place that is lost, and what people are told."""

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.delivery.sending import PASSING, REASONS, SURE, UNREACHABLE, is_temporary, loss_reason, retry_once
from bot.languages import language_for
from bot.occupants import StandInReason
from bot.table import Lost
from bot.texts.public import letters, places

LATER = [
    *((code, 429 if code in (20016, 20022, 20028, 20029, 40062) else 400) for code in sorted(PASSING)),
    *((0, status) for status in (429, 500, 502, 503, 504)),
]
FOR_GOOD = [
    (10003, 404, Lost.GONE, True),
    (50001, 403, Lost.ACCESS, True),
    (50013, 403, Lost.PERMISSIONS, True),
    (50083, 400, Lost.ARCHIVED, True),
    (160005, 403, Lost.ARCHIVED, True),
    (200000, 400, Lost.FILTERED, False),
    (200001, 400, Lost.FILTERED, False),
    (40005, 413, Lost.TOO_LARGE, False),
    (0, 413, Lost.TOO_LARGE, False),
    *((code, 400, Lost.REFUSED, False) for code in (0, 50006, 50024, 50035, 240000, 99999)),
    *((code, 403, Lost.REFUSED, False) for code in (0, 40333, *sorted(UNREACHABLE))),
    (0, 404, Lost.REFUSED, False),
]
HELPS = {
    Lost.GONE: "is gone",
    Lost.ACCESS: "can't see **FOX-7**'s channel",
    Lost.PERMISSIONS: "Let me view the channel, send messages and attach files",
    Lost.ARCHIVED: "has been archived",
    Lost.FILTERED: "AutoMod",
    Lost.TOO_LARGE: "too big",
    Lost.REFUSED: "Discord refuses my messages",
}


def answer(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, {"code": code, "message": ""})


@pytest.mark.parametrize(("code", "status"), LATER)
def test_what_passes_is_tried_again_later(code: int, status: int) -> None:
    error = answer(status, code)
    assert is_temporary(error)


@pytest.mark.parametrize(
    "error", [discord.RateLimited(9.0), aiohttp.ClientError(), TimeoutError(), OSError()], ids=repr
)
def test_a_broken_connection_passes(error: Exception) -> None:
    assert is_temporary(error)


@pytest.mark.parametrize(("code", "status", "reason", "sure"), FOR_GOOD)
async def test_what_is_refused_for_good_has_a_reason(code: int, status: int, reason: Lost, sure: bool) -> None:
    error = answer(status, code)
    assert (is_temporary(error), loss_reason(error), loss_reason(error) in SURE) == (False, reason, sure)
    tried = []

    async def send() -> None:
        tried.append(error)
        raise error

    with pytest.raises(discord.HTTPException):
        await retry_once(send)
    assert len(tried) == (1 if sure or code in UNREACHABLE else 2)


def test_every_code_of_the_table_is_tested() -> None:
    assert {code for code, *_ in LATER} - {0} == PASSING
    assert {code for code, *_ in FOR_GOOD} >= REASONS.keys() | UNREACHABLE


@pytest.mark.parametrize("reason", Lost)
def test_people_are_told_the_true_reason(reason: Lost) -> None:
    language = language_for("en-US")
    occupants = {0: SimpleNamespace(why=None), 1: SimpleNamespace(why=StandInReason.FRIEND)}
    table: Any = SimpleNamespace(lost=reason, code="FOX-7", channel_id=5, occupants=occupants)
    by_letter, in_private = letters.lost(language, table), places.not_shown(language, table, reason)
    assert HELPS[reason] in by_letter
    assert letters.lost(language, table, 0) == by_letter
    assert "`/dog table move`" not in letters.lost(language, table, 1), "a friend who plays cannot move the game"
    for told in (by_letter, in_private, places.no_puzzle(language, 5, reason)):
        assert "Discord is having trouble" not in told
    assert "`/dog table move`" in in_private or " me " in in_private
