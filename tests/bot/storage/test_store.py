"""Rows: what is written can be read back, a second writer loses cleanly, errors reveal no values; on every database."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from bot.errors import Conflict, SettingsError, Violation
from bot.guild_records import Ban, LogEntry
from bot.guild_settings import GuildSettings
from bot.message import About, Message
from bot.moment import Moment
from bot.occupants import Occupant
from bot.preferences import Preferences
from bot.storage import Store
from bot.storage import connection as connections
from bot.storage.rows import ActionRow
from bot.table import Note, NoteKind, Status, Terms
from tests.bot.gaming import refused

SEED = bytes(range(32))

LOBBY: dict[str, Any] = {
    "code": "FOX-7",
    "guild_id": 2**62,
    "channel_id": 20,
    "host_id": 30,
    "status": "lobby",
    "secret": SEED[::-1],
    "commitment": bytes(32),
    "created_at": 1_000,
    "changed_at": 1_000,
}


PEOPLE = {0: Occupant("Ann", 30), 1: Occupant("Rex", computer="easy")}


@pytest.fixture
def address(database: str, tmp_path: Path) -> str:
    return database or f"sqlite+aiosqlite:///{(tmp_path / 'dog.db').as_posix()}"


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = Store(address)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def rival(address: str, store: Store) -> AsyncIterator[Store]:
    """A second process on the same database, as far as the database can tell."""
    opened = Store(address)
    yield opened
    await opened.close()


async def lobby(store: Store, **values: object) -> int:
    async with store.games.create(Terms(), **{**LOBBY, **values}) as writer:
        await writer.seat(PEOPLE)
    return writer.game_id


# Rows


async def test_what_is_written_is_read_again(store: Store) -> None:
    game_id = await lobby(store)
    async with store.games.change(game_id, 1, at=2_000, status="playing", seed=SEED, started_at=2_000) as writer:
        await writer.append(ActionRow(1, 0, "give K", 30, 2_000))
        await writer.note(Note(NoteKind.STARTED, 2_000, 0, 30, None, {"a": [1]}))
    snapshot = await store.games.snapshot(game_id)
    table = snapshot.table
    assert (table.guild_id, table.version, table.changed_at, snapshot.seed) == (2**62, 2, 2_000, SEED)
    assert (table.status, table.terms, table.occupants) == (Status.PLAYING, Terms(), PEOPLE)
    assert snapshot.actions == (ActionRow(1, 0, "give K", 30, 2_000),)
    assert await store.games.notes(game_id) == (Note(NoteKind.STARTED, 2_000, 0, 30, None, {"a": [1]}),)
    assert (await store.games.snapshot(game_id, lambda version: version == 2)).actions is None
    assert await store.games.snapshot(game_id + 1) is None


async def test_secrets_are_in_no_repr(store: Store) -> None:
    game_id = await lobby(store, status="playing", seed=SEED)
    snapshot = await store.games.snapshot(game_id)
    assert snapshot.seed == SEED
    assert await store.games.secret(game_id) == SEED[::-1]
    assert repr(SEED)[2:20] not in repr(snapshot)
    assert repr(SEED[::-1])[2:20] not in repr(snapshot)
    assert "give" not in repr(ActionRow(1, 0, "give K", 30, 0))


async def test_lookups_find_open_games_newest_first(store: Store) -> None:
    first = await lobby(store)
    second = await lobby(store, code="OWL-1")
    other = await lobby(store, code="FOX-7", guild_id=11, channel_id=21)
    over = await lobby(store, code="CAT-1", status="over", seed=SEED, started_at=1, ended_at=5)
    assert await store.games.open_codes(2**62) == {"FOX-7", "OWL-1"}
    assert await store.games.ids_in_channel(20) == (second, first)
    assert await store.games.ids_of_member(30) == (other, second, first)
    assert await store.games.ids_of_member(31) == ()
    assert await store.games.id_by_code(11, "FOX-7") == other
    assert await store.games.id_by_code(2**62, "CAT-1") == over
    assert await store.games.id_by_code(2**62, "CAT-2") is None
    assert await store.games.id_last_ended(20) == over
    assert await store.games.id_last_ended(21) is None


async def test_finished_games_are_found_by_channel_and_member(store: Store) -> None:
    await lobby(store)
    ended = {"status": "over", "seed": SEED, "started_at": 1}
    here = await lobby(store, code="CAT-1", ended_at=5, **ended)
    elsewhere = await lobby(store, code="OWL-1", channel_id=21, ended_at=6, **ended)
    await lobby(store, code="BEE-1", guild_id=11, ended_at=7, **ended)
    await lobby(store, code="ELK-1", status="cancelled", seed=SEED, started_at=1, ended_at=8)

    async def found(user: int, channel: int, most: int = 9) -> list[tuple[int, str, bool]]:
        return [(one.id, one.code, one.mine) for one in await store.games.find_finished(2**62, user, channel, most)]

    assert await found(30, 20) == [(elsewhere, "OWL-1", True), (here, "CAT-1", True)]
    assert await found(30, 20, 1) == [(elsewhere, "OWL-1", True)]
    assert await found(31, 20) == [(here, "CAT-1", False)]
    assert await found(31, 22) == []


async def test_open_game_precedes_finished_ones_of_its_code(store: Store) -> None:
    open_one = await lobby(store)
    await lobby(store, status="over", seed=SEED)
    assert await store.games.id_by_code(2**62, "FOX-7") == open_one


async def test_errors_of_the_database_quote_no_values(store: Store) -> None:
    game_id = await lobby(store)

    async def wrong() -> None:
        async with store.games.change(game_id, 1, at=5, code="hush", status="nonsense"):
            pass

    assert "hush" not in str(await refused(Violation, wrong()))


# Two writers


async def test_two_open_games_have_distinct_codes(store: Store) -> None:
    await lobby(store)
    await refused(Conflict, lobby(store))
    await lobby(store, guild_id=11)
    await lobby(store, status="cancelled")


async def test_second_writer_of_a_number_writes_nothing(store: Store, rival: Store) -> None:
    game_id = await lobby(store, status="playing", seed=SEED)

    async def write(into: Store, actor: int) -> None:
        async with into.games.change(game_id, 1, at=5) as writer:
            await writer.note(Note(NoteKind.STARTED, 5, 0, actor))
            await writer.append(ActionRow(1, 0, "fold", actor, 5))

    results = await asyncio.gather(write(store, 1), write(rival, 2), return_exceptions=True)
    assert [type(result) for result in results].count(Conflict) == 1
    assert results.count(None) == 1
    (action,) = await store.games.actions(game_id)
    (note,) = await store.games.notes(game_id)
    assert note.actor_id == action.actor == 1 + results.index(None)


async def test_log_refuses_a_second_action_of_a_number(store: Store) -> None:
    game_id = await lobby(store, status="playing", seed=SEED)
    async with store.games.change(game_id, 1, at=5) as writer:
        await writer.append(ActionRow(1, 0, "give K", 1, 5))

    async def again() -> None:
        async with store.games.change(game_id, 2, at=6, host_id=99) as writer:
            await writer.append(ActionRow(1, 1, "give Q", 2, 6))

    caught = await refused(Conflict, again())
    assert (caught.table_id, caught.number) == (game_id, 1)
    assert caught.__cause__ is None
    assert "give" not in str(caught)
    snapshot = await store.games.snapshot(game_id)
    assert (snapshot.table.version, snapshot.table.host_id) == (2, 30), "nothing of the loser was written"


async def test_a_change_that_fails_leaves_no_trace(store: Store) -> None:
    game_id = await lobby(store)

    async def fail() -> None:
        async with store.games.change(game_id, 1, at=5) as writer:
            await writer.seat({})
            raise RuntimeError

    await refused(RuntimeError, fail())
    snapshot = await store.games.snapshot(game_id)
    assert snapshot.table.version == 1
    assert len(snapshot.table.occupants) == 2


async def test_a_game_that_is_gone_counts_as_outrun(store: Store) -> None:
    with pytest.raises(Conflict):
        async with store.games.change(77, 1, at=5):
            pass


async def test_messages_do_not_change_the_games_version(store: Store) -> None:
    game_id = await lobby(store)
    board = Message("a", About.BOARD, 7, None, 10, "A board", {0: "7"}, 1, Moment(0, 0))
    letter = Message("b", About.LETTER, 5, None, 11)
    await store.messages.add(game_id, [board, letter])
    assert await store.messages.ids_to_wake() == (game_id,)
    await store.messages.change("a", message_id=3)
    snapshot = await store.games.snapshot(game_id)
    assert snapshot.table.version == 1
    assert snapshot.table.messages == (replace(board, message_id=3), letter)
    following = replace(board, nonce="c", message_id=4, at=12)
    await store.messages.add(game_id, [following], instead=["b"])
    assert await store.messages.ids_to_wake() == (game_id,), "a board was followed by another one"
    await store.messages.drop(["a"])
    assert await store.messages.ids_to_wake() == ()
    await store.messages.drop_all(game_id)
    assert (await store.games.snapshot(game_id)).table.messages == ()
    assert await store.messages.ids_to_wake() == (game_id,), "it has no board"


async def test_preferences_are_kept(store: Store) -> None:
    assert await store.users.several([5]) == {5: Preferences(5)}
    await store.users.prefer(5, theme="wood")
    await store.users.prefer(5, locale="de", quiet_from=60, quiet_until=600, time_zone="Europe/Zurich", dm_closed_at=7)
    await store.guilds.prefer(5, locale="hu")
    assert (await store.users.several([5, 6]))[5] == Preferences(
        5, locale="de", theme="wood", time_zone="Europe/Zurich", quiet_from=60, quiet_until=600, dm_closed_at=7
    )
    assert await store.guilds.preferences(5) == GuildSettings(5, locale="hu")


async def test_a_ban_and_the_moderators_log_are_kept(store: Store) -> None:
    entry = LogEntry(5, 10, "banned", 900, 7, None, {"reason": "noise"})
    for reason in ("noise", "more noise"):
        await store.guilds.ban(entry, reason)
    assert await store.guilds.bans(5) == (Ban(7, 900, 10, "more noise"),)
    assert await store.guilds.bans(5, 8) == ()
    assert [await store.guilds.unban(replace(entry, kind="unbanned")) for _ in range(2)] == [True, False]
    assert [row.kind for row in await store.guilds.log(5, 9)] == ["unbanned", "banned", "banned"]


async def test_facts_are_remembered(store: Store) -> None:
    assert await store.recall("commands") is None
    await store.remember("commands", "a")
    await store.remember("commands", "b")
    await store.remember("other", "c")
    assert await store.recall("commands") == "b"


# Connections


async def test_writer_cancelled_while_it_waits_begins_nothing(store: Store, rival: Store) -> None:
    waits, engine = asyncio.Event(), rival.engines[-1].sync_engine
    event.listen(engine, "begin", lambda _: waits.set(), insert=True)
    async with store.writing() as connection:
        await connection.execute(text("DELETE FROM facts"))
        writing = asyncio.create_task(rival.remember("writer", "cancelled"))
        await waits.wait()
        writing.cancel()
    await asyncio.wait([writing])
    await rival.remember("writer", "the next")
    await store.remember("other", "not held up")
    assert await store.recall("writer") == "the next"


@pytest.mark.parametrize("database", [""])
async def test_every_connection_to_a_file_is_set_up(store: Store) -> None:
    async with store.reading() as one, store.reading() as other:
        for connection in (one, other):
            for pragma, value in {
                "journal_mode": "wal",
                "foreign_keys": 1,
                "busy_timeout": round(connections.PATIENCE * 1000),
                "synchronous": 2,
            }.items():
                assert (await connection.exec_driver_sql(f"PRAGMA {pragma}")).scalar() == value, pragma


@pytest.mark.parametrize(
    "bad", ["nonsense", "sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:", "sqlite:///dog.db", "nosuch+db://x/y"]
)
def test_a_bad_address_is_explained(bad: str) -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL"):
        Store(bad)
