"""Whether somebody has left a guild is asked when it matters, but not about anybody who was there a moment ago."""

import asyncio
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.delivery import watching
from bot.delivery.members import AT_ONCE, AWAITED, LATELY, MOST_SEEN, OWNERS, WINDOW, Members
from bot.occupants import Occupant, StandInReason
from tests.virtual import on_virtual_time

GUILD, ANN, BEN = 7, 101, 102


class Guild:
    """A guild with some people in it; it remembers who was asked about."""

    id = GUILD

    def __init__(self) -> None:
        self.people = {ANN, BEN}
        self.looked_up: list[int] = []
        self.slow: asyncio.Event | None = None
        self.trouble: Exception | None = None

    def get_channel_or_thread(self, channel_id: int) -> None:
        """No channel is known here."""

    async def fetch_member(self, user_id: int) -> Any:
        self.looked_up.append(user_id)
        if self.slow is not None:
            await self.slow.wait()
        if self.trouble is not None:
            raise self.trouble
        if user_id not in self.people:
            answer: Any = SimpleNamespace(status=404, reason="Not Found")
            raise discord.NotFound(answer, {"code": 10007, "message": "Unknown Member"})
        return SimpleNamespace(display_name=f"Member {user_id}", name="", is_timed_out=lambda: False)


class Absence:
    """Records whose seats were freed."""

    def __init__(self) -> None:
        self.freed: list[int] = []

    async def member_left(self, _guild_id: int, user_id: int) -> None:
        self.freed.append(user_id)


class Roster:
    """Records who was seen and who has left; Discord is asked about each person on a list once."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.gone: list[int] = []
        self.asked: set[int] = set()

    async def note_name(self, _guild_id: int, user_id: int, name: str) -> None:
        self.names[user_id] = name

    async def note_left(self, _guild_id: int, user_id: int) -> None:
        self.gone.append(user_id)

    async def to_check(self, _guild_id: int, user_ids: Iterable[int]) -> list[int]:
        wanted = [one for one in user_ids if one not in self.asked]
        self.asked.update(wanted)
        return wanted


@pytest.fixture
def guild() -> Guild:
    return Guild()


@pytest.fixture
def looked_up(guild: Guild) -> Members:
    client: Any = SimpleNamespace(get_guild=lambda guild_id: guild if guild_id == GUILD else None)
    tables: Any = SimpleNamespace(absence=Absence(), roster=Roster())
    return Members(client, tables)


def freed(looked_up: Members) -> list[int]:
    """Whose seats were freed."""
    seats: Any = looked_up._tables.absence
    return list(seats.freed)


TABLE: Any = SimpleNamespace(id=1, guild_id=GUILD, channel_id=7, occupants={})


def played_for(why: StandInReason, friend: int | None = None) -> Any:
    """A table at which another plays Ann's seat."""
    seat = Occupant("Ann", ANN, None if friend else "normal", why, friend=friend)
    return SimpleNamespace(**{**vars(TABLE), "occupants": {0: seat}})


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let time pass."""
    then = discord.utils.utcnow().timestamp() + seconds
    there = SimpleNamespace(utcnow=lambda: SimpleNamespace(timestamp=lambda: then))
    monkeypatch.setattr(watching.discord, "utils", there)


async def background(looked_up: Members) -> None:
    """Wait until nobody is being looked up in the background."""
    while tasks := looked_up._background.tasks:
        await asyncio.wait(tasks)


async def test_nobody_is_asked_for_who_was_there_lately(
    looked_up: Members, guild: Guild, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up.note_seen(GUILD, ANN)
    looked_up.look(TABLE, [ANN, BEN])
    await background(looked_up)
    assert guild.looked_up == [BEN]
    looked_up.look(TABLE, [ANN, BEN])
    await background(looked_up)
    assert guild.looked_up == [BEN], "an answer counts too"
    later(monkeypatch, LATELY + 1)
    guild.people.clear()
    looked_up.look(TABLE, [ANN])
    await background(looked_up)
    assert guild.looked_up == [BEN, ANN]
    assert freed(looked_up) == [ANN]


async def test_when_it_matters_most_everybody_is_asked_for(looked_up: Members, guild: Guild) -> None:
    looked_up.note_seen(GUILD, ANN)
    guild.people.clear()
    assert await looked_up.find_left(TABLE, [ANN]) == {ANN}
    assert freed(looked_up) == [ANN]


async def test_friend_goes_with_the_owner_who_left(looked_up: Members, guild: Guild) -> None:
    table = played_for(StandInReason.FRIEND, BEN)
    assert await looked_up.find_left(table, [BEN]) == frozenset()
    guild.people.remove(ANN)
    assert await looked_up.find_left(table, [BEN]) == {ANN, BEN}
    assert freed(looked_up) == [ANN], "the friend has not left"


@pytest.mark.parametrize(("why", "friend"), [(StandInReason.FRIEND, BEN), (StandInReason.AWAY, None)])
async def test_owners_who_do_not_play_are_looked_up_daily(
    looked_up: Members, guild: Guild, monkeypatch: pytest.MonkeyPatch, why: StandInReason, friend: int | None
) -> None:
    table = played_for(why, friend)
    looked_up.note_seen(GUILD, ANN)
    later(monkeypatch, LATELY + 1)
    looked_up.look(table, [])
    await background(looked_up)
    assert guild.looked_up == []
    guild.people.remove(ANN)
    later(monkeypatch, OWNERS + 1)
    looked_up.look(table, [])
    await background(looked_up)
    assert freed(looked_up) == [ANN]


async def test_elsewhere_and_private_say_nothing_about_a_guild(looked_up: Members, guild: Guild) -> None:
    looked_up.note_seen(GUILD + 1, ANN)
    looked_up.note_seen(None, ANN)
    looked_up.look(TABLE, [ANN])
    await background(looked_up)
    assert guild.looked_up == [ANN]


async def test_not_everybody_is_remembered_for_ever(looked_up: Members, guild: Guild) -> None:
    for user_id in range(MOST_SEEN + 1):
        looked_up.note_seen(GUILD, user_id)
    looked_up.look(TABLE, [0])
    await background(looked_up)
    assert guild.looked_up == [0]


def test_nothing_waits_for_more_answers_than_discord_gives(guild: Guild, looked_up: Members) -> None:
    guild.people.clear()

    @on_virtual_time
    async def burst() -> None:
        many = range(1, AWAITED + 3)
        assert await looked_up.find_left(TABLE, many) == frozenset(many), "the first question may be about more"
        assert await looked_up.find_left(TABLE, [ANN]) == frozenset(), "as if they were there; they are looked up later"
        assert ANN not in guild.looked_up
        await background(looked_up)
        assert ANN in freed(looked_up)
        await asyncio.sleep(WINDOW)
        for user in range(50, 50 + AWAITED):
            assert await looked_up.find_left(TABLE, [user]) == {user}
        assert await looked_up.find_left(TABLE, [BEN]) == frozenset()
        # While somebody is looked up in the background, nothing waits behind that.
        guild.slow = asyncio.Event()
        await asyncio.sleep(WINDOW)
        assert await looked_up.find_left(TABLE, [ANN]) == frozenset()
        guild.slow.set()
        await background(looked_up)
        assert freed(looked_up)[-2:] == [BEN, ANN]

    burst()


async def test_background_lookups_of_a_guild_run_singly(looked_up: Members, guild: Guild) -> None:
    guild.slow = asyncio.Event()
    looked_up.look(TABLE, [1, 2])
    looked_up.look(TABLE, [2, 3])
    for _ in range(5):
        await asyncio.sleep(0)
    assert guild.looked_up == [1]
    assert len(looked_up._background.tasks) == 1
    guild.slow.set()
    await background(looked_up)
    assert guild.looked_up == [1, 2, 3]
    assert freed(looked_up) == [1, 2, 3]
    looked_up.look(TABLE, [])
    assert not looked_up._background.tasks


async def test_shutdown_ends_lookups(looked_up: Members, guild: Guild) -> None:
    guild.slow = asyncio.Event()
    looked_up.look(TABLE, [1, 2])
    await asyncio.sleep(0)
    looked_up.close()
    await background(looked_up)
    assert guild.looked_up == [1]
    # Boards that are being posted when the program ends may still ask.
    looked_up.look(TABLE, [3])
    assert not looked_up._background.tasks


async def test_failed_lookup_is_logged_and_the_next_works(
    looked_up: Members, guild: Guild, caplog: pytest.LogCaptureFixture
) -> None:
    guild.trouble = RuntimeError("no such thing")
    looked_up.look(TABLE, [1])
    await background(looked_up)
    assert "could not look up members" in caplog.text
    guild.trouble = None
    looked_up.look(TABLE, [1])
    await background(looked_up)
    assert freed(looked_up) == [1]


def lines(looked_up: Members, *people: int) -> Any:
    """What reads a leaderboard with these people, as long as they have not left."""
    roster: Any = looked_up._tables.roster

    async def read() -> Sequence[Any]:
        return [SimpleNamespace(user_id=one) for one in people if one not in roster.gone]

    return read


async def test_leaderboard_leaves_out_those_who_left(looked_up: Members, guild: Guild) -> None:
    listed = await looked_up.drop_left(GUILD, lines(looked_up, ANN, 5, BEN))
    assert [one.user_id for one in listed] == [ANN, BEN]
    assert freed(looked_up) == [5]
    guild.people.clear()
    assert len(await looked_up.drop_left(GUILD, lines(looked_up, ANN, BEN))) == 2, "asked about once a day"
    assert sorted(guild.looked_up) == [5, ANN, BEN]


async def test_leaderboard_keeps_those_discord_does_not_answer_about(looked_up: Members, guild: Guild) -> None:
    guild.trouble = TimeoutError()
    assert len(await looked_up.drop_left(GUILD, lines(looked_up, ANN, 5))) == 2
    assert len(await looked_up.drop_left(GUILD + 1, lines(looked_up, ANN, 5))) == 2, "the bot is not there"


def test_leaderboard_does_not_wait_for_slow_answers(guild: Guild, looked_up: Members) -> None:
    @on_virtual_time
    async def ask() -> None:
        guild.slow = asyncio.Event()
        assert len(await looked_up.drop_left(GUILD, lines(looked_up, ANN, 5))) == 2
        guild.slow.set()
        await background(looked_up)
        assert len(await looked_up.drop_left(GUILD, lines(looked_up, ANN, 5))) == 1

    ask()


async def test_names_come_with_answers_about_people(looked_up: Members) -> None:
    looked_up.look(TABLE, [ANN])
    await background(looked_up)
    roster: Any = looked_up._tables.roster
    assert roster.names == {ANN: f"Member {ANN}"}


def test_a_thread_of_an_unknown_channel_grants_nothing_known() -> None:
    thread: Any = object.__new__(discord.Thread)
    thread.guild, thread.parent_id = SimpleNamespace(get_channel=lambda _: None), 5
    assert watching.granted_in(thread, thread.guild) is None


async def test_guilds_take_turns_with_lookups() -> None:
    guilds = {GUILD + number: Guild() for number in range(5)}
    for guild_id, guild in guilds.items():
        guild.id, guild.slow = guild_id, asyncio.Event()
    client: Any = SimpleNamespace(get_guild=guilds.get)
    tables: Any = SimpleNamespace(absence=Absence(), roster=Roster())
    looked_up = Members(client, tables)
    for guild_id in guilds:
        looked_up.look(SimpleNamespace(**{**vars(TABLE), "guild_id": guild_id}), [ANN])  # type: ignore[arg-type]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert sum(len(guild.looked_up) for guild in guilds.values()) == AT_ONCE
    for guild in guilds.values():
        assert guild.slow is not None
        guild.slow.set()
    await background(looked_up)
    assert all(guild.looked_up == [ANN] for guild in guilds.values())
