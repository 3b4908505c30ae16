"""Whether somebody has left a guild is asked when it matters, but not about anybody who was there a moment ago."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.showing import members
from bot.showing.members import LATELY, MOST_SEEN, Members

GUILD, ANN, BEN = 7, 101, 102


class Guild:
    """A guild with some people in it; it remembers who was asked about."""

    id = GUILD

    def __init__(self) -> None:
        self.people = {ANN, BEN}
        self.asked: list[int] = []

    async def fetch_member(self, user_id: int) -> None:
        self.asked.append(user_id)
        if user_id not in self.people:
            answer: Any = SimpleNamespace(status=404, reason="Not Found")
            raise discord.NotFound(answer, {"code": 10007, "message": "Unknown Member"})


class Seats:
    """Records whose seats were freed."""

    def __init__(self) -> None:
        self.freed: list[int] = []

    async def member_left(self, _guild_id: int, user_id: int) -> None:
        self.freed.append(user_id)


@pytest.fixture
def guild() -> Guild:
    return Guild()


@pytest.fixture
def looked_up(guild: Guild) -> Members:
    client: Any = SimpleNamespace(get_guild=lambda guild_id: guild if guild_id == GUILD else None)
    tables: Any = SimpleNamespace(seats=Seats())
    return Members(client, tables)


TABLE: Any = SimpleNamespace(guild_id=GUILD)


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let time pass."""
    then = discord.utils.utcnow().timestamp() + seconds
    there = SimpleNamespace(utcnow=lambda: SimpleNamespace(timestamp=lambda: then))
    monkeypatch.setattr(members.discord, "utils", there)


async def test_nobody_is_asked_for_who_was_there_lately(
    looked_up: Members, guild: Guild, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up.saw(GUILD, ANN)
    assert await looked_up.left(TABLE, [ANN, BEN], lately=True) == frozenset()
    assert guild.asked == [BEN]
    assert await looked_up.left(TABLE, [ANN, BEN], lately=True) == frozenset()
    assert guild.asked == [BEN], "an answer counts too"
    later(monkeypatch, LATELY + 1)
    guild.people.clear()
    assert await looked_up.left(TABLE, [ANN], lately=True) == {ANN}


async def test_when_it_matters_most_everybody_is_asked_for(looked_up: Members, guild: Guild) -> None:
    looked_up.saw(GUILD, ANN)
    guild.people.clear()
    assert await looked_up.left(TABLE, [ANN]) == {ANN}


async def test_elsewhere_or_in_private_says_nothing_about_a_guild(looked_up: Members, guild: Guild) -> None:
    looked_up.saw(GUILD + 1, ANN)
    looked_up.saw(None, ANN)
    await looked_up.left(TABLE, [ANN], lately=True)
    assert guild.asked == [ANN]


async def test_not_everybody_is_remembered_for_ever(looked_up: Members, guild: Guild) -> None:
    for user_id in range(MOST_SEEN + 1):
        looked_up.saw(GUILD, user_id)
    await looked_up.left(TABLE, [0], lately=True)
    assert guild.asked == [0]
