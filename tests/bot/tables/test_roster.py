"""What players are called now, wherever their names stand; who is on the lists of a guild, and who takes them off."""

import asyncio
import random
from dataclasses import replace

import pytest

from bot.errors import NotModerator
from bot.languages import language_for
from bot.occupants import Occupant
from bot.table import NoteKind, Table
from bot.tables.effects import Effect
from bot.tables.service import Tables
from bot.texts.public import history
from tests.bot.gaming import Programs, act, later, lobby, play_on, started
from tests.bot.people import ANN, BEN, CAT, DAN, EVE, FOUR, GUILD, MOD

DAY = 86_400
ENGLISH = language_for("en")


async def names(tables: Tables, table_id: int) -> list[str]:
    """What the people at a table are called."""
    return [who.name for who in (await tables.get(table_id)).occupants.values()]


async def told(tables: Tables, table: Table) -> str:
    """The history of a game."""
    table = await tables.get(table.id)
    entries = tables.course(table).entries(0)
    log, notes = await tables.log(table.id), await tables.notes(table.id)
    return "\n".join(map(str, history.story(ENGLISH, table, entries, notes, log)))


async def finished(tables: Tables) -> Table:
    """A rated game of four that is over."""
    return await play_on(tables, (await started(tables, *FOUR)).id, random.Random(1))


async def test_new_name_reaches_tables_and_restarts(programs: Programs) -> None:
    tables = await programs.run()
    table, elsewhere = await started(tables, *FOUR), await started(tables, *FOUR, guild=GUILD + 1)
    await tables.roster.note_name(GUILD, ANN.id, "Anna")
    assert await names(tables, table.id) == ["Anna", "Ben", "Cat", "Dan"]
    assert (await tables.get(table.id)).version == table.version, "nothing is posted for that"
    await act(tables, await tables.get(table.id))
    assert await names(tables, elsewhere.id) == ["Ann", "Ben", "Cat", "Dan"]
    tables = await programs.restart()
    assert await names(tables, table.id) == ["Anna", "Ben", "Cat", "Dan"]
    assert await names(tables, elsewhere.id) == ["Ann", "Ben", "Cat", "Dan"]


async def test_new_name_stands_in_finished_games_and_records(tables: Tables) -> None:
    over = await finished(tables)
    await tables.roster.note_name(GUILD, ANN.id, "Anna")
    assert "Anna" in await names(tables, over.id)
    record = await tables.records.text(over.id)
    assert "Anna" in record
    assert "Ann\n" not in record
    assert not (await tables.records.verify(over.id)).differences
    assert "Anna" in [line.name for line in await tables.results.ranked(GUILD)]
    assert (await tables.results.names(GUILD, [ANN.id])) == {ANN.id: "Anna"}


async def test_new_name_of_a_player_who_has_gone(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    await tables.turns.leave_game(table.id, ANN)
    assert "Ann** leaves" in await told(tables, table)
    await tables.roster.note_name(GUILD, ANN.id, "Anna")
    assert "Anna** leaves" in await told(tables, table)
    await tables.absence.take_over(table.id, EVE, 0)
    await tables.roster.note_name(GUILD, EVE.id, "Eva")
    assert await names(tables, table.id) == ["Eva", "Ben", "Cat", "Dan"]
    (taken,) = [note for note in await tables.notes(table.id) if note.kind is NoteKind.TAKEN_OVER]
    assert taken.data["name"] == "Eva"


async def test_new_name_of_an_invited_player(tables: Tables) -> None:
    await lobby(tables, BEN)
    opened = await tables.lobby.open(ANN, GUILD, 3, invited=[BEN])
    await tables.roster.note_name(GUILD, BEN.id, "Benno")
    assert [who.name for who in (await tables.get(opened.id)).invited.values()] == ["Benno"]
    tables._memory.forget(opened.id)
    assert [who.name for who in (await tables.get(opened.id)).invited.values()] == ["Benno"]


async def test_change_under_way_keeps_the_new_name(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN)
    begun = asyncio.Event()

    async def decide(before: Table) -> Effect:
        begun.set()
        while "Anna" not in str(await tables._store.members.find(GUILD, ANN.id)):
            pass
        people = {**before.occupants, 3: Occupant("Bello", computer="easy")}
        return Effect(replace(before, occupants=people))

    changing = asyncio.create_task(tables._transactions.change(table.id, decide))
    await begun.wait()
    await tables.roster.note_name(GUILD, ANN.id, "Anna")
    await changing
    assert await names(tables, table.id) == ["Anna", "Ben", "Bello"]
    tables._memory.forget(table.id)
    assert await names(tables, table.id) == ["Anna", "Ben", "Bello"]


async def test_forgotten_players_stay_forgotten(tables: Tables) -> None:
    over = await finished(tables)
    await tables.privacy.forget(ANN.id)
    await tables.roster.note_name(GUILD, ANN.id, "Anna")
    assert "Anna" not in str(await names(tables, over.id))
    assert "Ann" not in str(await tables.notes(over.id))
    assert "Ann" not in await tables.records.text(over.id)
    assert len(await tables.results.ranked(GUILD)) == 3


async def test_names_that_time_took_do_not_return(programs: Programs) -> None:
    tables = await programs.run()
    over = await finished(tables)
    await later(tables, programs.clock, 10 * DAY)
    new = await started(tables, ANN, BEN, CAT, DAN)
    await tables.privacy.sweep(9, lambda _: True)
    await tables.roster.note_name(GUILD, ANN.id, "Anna")
    assert await names(tables, over.id) == [""] * 4
    assert "Ann" not in str(await tables.notes(over.id))
    assert "Anna" in await names(tables, new.id)


async def test_known_name_asks_the_database_nothing(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    await started(tables, *FOUR)
    await tables.roster.note_name(GUILD, ANN.id, ANN.name)
    asked: list[object] = []
    for method in ("find", "note_name"):
        monkeypatch.setattr(tables._store.members, method, lambda *words: asked.append(words))
    await tables.roster.note_name(GUILD, ANN.id, ANN.name)
    assert not asked


async def test_people_who_do_not_play_are_not_remembered(tables: Tables) -> None:
    await tables.roster.note_name(GUILD, EVE.id, "Eve")
    await tables.roster.note_name(GUILD, EVE.id, "Eva")
    assert "members" not in await tables.privacy.export(EVE.id)
    await lobby(tables, EVE)
    assert [one["name"] for one in (await tables.privacy.export(EVE.id))["members"]] == ["Eve"]


async def test_left_people_are_listed_again_when_seen(tables: Tables) -> None:
    await finished(tables)
    await tables.roster.note_left(GUILD, ANN.id)
    assert ANN.id not in [line.user_id for line in await tables.results.ranked(GUILD)]
    assert ANN.id not in [line.user_id for line in await tables.results.ranked(GUILD, since=0)]
    await tables.roster.note_name(GUILD, ANN.id, ANN.name)
    assert ANN.id in [line.user_id for line in await tables.results.ranked(GUILD)]


async def test_each_listed_person_is_checked_once_a_day(programs: Programs) -> None:
    tables = await programs.run()
    await finished(tables)
    people = [line.user_id for line in await tables.results.ranked(GUILD)]
    assert set(await tables.roster.to_check(GUILD, people)) == {one.id for one in FOUR}
    assert not await tables.roster.to_check(GUILD, people)
    programs.clock.now += DAY + 1
    assert await tables.roster.to_check(GUILD, [ANN.id]) == (ANN.id,)


async def test_moderators_take_people_off_lists_and_back_on(tables: Tables) -> None:
    await finished(tables)
    today = tables.puzzles.today()
    await tables.puzzles.count_try(today, GUILD, ANN, solved=True)
    with pytest.raises(NotModerator):
        await tables.roster.list_(BEN, GUILD, ANN.id, unlisted=True)
    assert await tables.roster.list_(MOD, GUILD, ANN.id, unlisted=True, reason="a name")
    assert not await tables.roster.list_(MOD, GUILD, ANN.id, unlisted=True), "pressed twice"
    assert await tables.roster.is_unlisted(GUILD, ANN.id)
    assert await tables.roster.list_unlisted(GUILD) == (ANN.id,)
    assert ANN.id not in [line.user_id for line in await tables.results.ranked(GUILD)]
    assert not await tables.puzzles.solvers(today, GUILD)
    await tables.roster.note_name(GUILD, ANN.id, "Anna")
    assert ANN.id not in [line.user_id for line in await tables.results.ranked(GUILD)], "another name does not help"
    assert await tables.roster.list_(MOD, GUILD, ANN.id, unlisted=False)
    assert [one.name for one in await tables.puzzles.solvers(today, GUILD)] == ["Anna"]
    await tables.users.prefer(ANN.id, unlisted=True)
    assert not await tables.puzzles.solvers(today, GUILD), "nor is named who wants to be left out"
    await tables.users.prefer(ANN.id, unlisted=False)
    assert "Anna" in [line.name for line in await tables.results.ranked(GUILD)]
    log = await tables.moderation.guild_log(GUILD)
    assert [(entry.kind, entry.target_id) for entry in log] == [("listed", ANN.id), ("unlisted", ANN.id)]
    assert not await tables.roster.list_(MOD, GUILD, EVE.id, unlisted=True), "she has not played here"
