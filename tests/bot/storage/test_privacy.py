"""People's own data: where it may be, that all of it is exported, that nothing of it is left once it is forgotten."""

import json
import random
from typing import Any

import pytest
from sqlalchemy import JSON, BigInteger, LargeBinary, String, select
from sqlalchemy.types import TypeDecorator

from bot.message import About, Message
from bot.occupants import Person, Scope
from bot.preferences import AwayHow
from bot.proposal import ProposalKind
from bot.storage import privacy, schema
from bot.table import IN_DMS, Status, Table
from bot.tables.service import Tables
from tests.bot.gaming import Programs, act, later, lobby, play_on, rest, started
from tests.bot.people import ANN, BEN, CAT, CHANNEL, DAN, EVE, FOUR, GUILD, MOD

ZOE = Person(777_123_456_789, "Zoe Zebra", moderates=frozenset(Scope))
DAY = 86_400

GOING = {
    schema.seats.c.name: schema.seats.c.user_id,
    schema.puzzle_tries.c.name: schema.puzzle_tries.c.user_id,
    schema.cup_entries.c.name: schema.cup_entries.c.user_id,
    schema.members.c.name: schema.members.c.user_id,
    schema.users.c.time_zone: schema.users.c.user_id,
    schema.users.c.quiet_choice: schema.users.c.user_id,
    schema.users.c.learned: schema.users.c.user_id,
    schema.messages.c.to_id: schema.messages.c.text,
    schema.plans.c.steps: schema.plans.c.user_id,
}
"""What goes or becomes empty together with another column: names, preferences, letters (sent to a person's id)."""

KEPT = {
    schema.bans.c.user_id: "a ban must hold for somebody who comes back",
    schema.bans.c.reason: "a ban must say why",
    schema.seats.c.contribution: "without it, nobody could recompute a game's shuffles; everybody at it has read it",
    schema.blocks.c.blocked_id: "a block must hold for somebody who comes back",
    schema.facts.c.value: "whom the operator has blocked, for the same reason; commands and secrets of the program",
}
"""What is not forgotten, and why; bans are exported."""

NOTHING = frozenset(
    [
        *(f"games.{name}" for name in ("id", "code", "guild_id", "channel_id", "system", "options", "pace", "locale")),
        *(f"games.{name}" for name in ("theme", "seed", "secret", "commitment", "won", "created_at", "changed_at")),
        *("games.started_at", "games.ended_at", "games.origin"),
        *(
            f"games.{name}"
            for name in (
                "parent_id",
                "rematch_of",
                "cup_id",
                "asked_since",
                "announced",
                "paused_until",
                "full_since",
                "not_before",
                "starts_at",
                "expires_at",
                "host_seen",
            )
        ),
        *(f"guilds.{name}" for name in ("guild_id", "locale", "theme", "channels", "system", "pace", "roles")),
        *(f"guilds.{name}" for name in ("puzzle_in", "cup_role", "left_at", "tell_role", "told_role_at")),
        *(f"guilds.{name}" for name in ("log_in", "logged_id", "play_role", "off")),
        *(f"cups.{name}" for name in ("id", "guild_id", "channel_id", "name", "plan", "seed", "created_at")),
        *(f"cups.{name}" for name in ("starts_at", "ended_at", "rounds", "posts")),
        *("games.closes_at", "games.origin", "seasons.guild_id", "seasons.began_at", "seasons.ended_at"),
        *(f"cup_entries.{name}" for name in ("cup_id", "since", "until")),
        *(f"users.{name}" for name in ("language", "locale", "theme", "dm_closed_at", "away_until", "away_times")),
        *("houses.guild_id", "houses.name", "houses.options", "facts.key"),
        *(f"puzzle_posts.{name}" for name in ("guild_id", "channel_id", "nonce", "at", "message_id")),
        *("puzzle_tries.guild_id", "members.guild_id", "members.checked_at"),
        *(f"seeks.{name}" for name in ("guild_id", "system", "pace", "at", "ends_at")),
        *("actions.game_id", "actions.text", "actions.at"),
        *(f"deadlines.{name}" for name in ("game_id", "decision", "since", "due_at", "ends_at")),
        *(f"messages.{name}" for name in ("nonce", "game_id", "message_id", "at", "marks", "moment")),
        *("notes.id", "notes.game_id", "notes.at", "proposals.game_id", "proposals.at"),
        *(f"ratings.{name}" for name in ("guild_id", "system", "game_id", "at")),
        *(f"results.{name}" for name in ("game_id", "guild_id", "system", "ended_at", "feats")),
        *(
            "seats.game_id",
            "seats.computer",
            "bans.guild_id",
            "bans.at",
            "blocks.at",
            "games.admits",
            "plans.game_id",
            "games.banked",
        ),
        *("users.only_move", "users.dm_id"),
        *(f"guild_log.{name}" for name in ("id", "guild_id", "at", "kind", "game_id")),
    ]
)
"""Columns of a type that could hold ids or words and hold none of a person's: ids of other things, moments, marks."""


def could_hold(column: Any) -> bool:
    """Whether a column's type has room for somebody's id or words: not small numbers, not values of ours."""
    kind = column.type
    while isinstance(kind, TypeDecorator):
        kind = kind.impl
    return isinstance(kind, BigInteger | String | JSON | LargeBinary)


def named() -> dict[str, str]:
    """Where each column is named: by what becomes of it."""
    found: dict[str, str] = {}
    groups = {"OWN": privacy.OWN, "IDS": privacy.IDS, "WORDS": privacy.WORDS}
    for group, columns in (groups | {"GOING": GOING, "KEPT": KEPT, "NOTHING": NOTHING}).items():
        for one in columns:
            name = one if isinstance(one, str) else f"{one.table.name}.{one.name}"
            assert name not in found, f"{name} stands in {found.get(name)} and in {group}"
            found[name] = group
    return found


def test_every_personal_column_is_named() -> None:
    columns = {f"{table.name}.{column.name}": column for table in schema.metadata.sorted_tables for column in table.c}
    assert not named().keys() - columns.keys(), "there is no such column"
    enumerations = {"status", "lost", "openers", "old_boards", "notify", "away_how", "kind", "why", "stage", "about"}
    missing = [
        name
        for name, column in columns.items()
        if could_hold(column) and column.name not in enumerations and name not in named()
    ]
    assert not missing, f"{missing} is neither exported nor forgotten: name it in bot/storage/privacy.py or here"


async def everything(tables: Tables) -> str:
    """The whole database as text."""
    found = []
    for table in schema.metadata.sorted_tables:
        for row in await tables._store.rows(select(table)):
            found.append(f"{table.name} {json.dumps({**row}, default=str)}")
    return "\n".join(found)


async def busy(tables: Tables) -> dict[str, Table]:
    """Zoe has been everywhere: in games that are over, running and opening, as a moderator, banned, and in letters."""
    over = await play_on(tables, (await started(tables, ZOE, BEN, CAT, DAN)).id, random.Random(1))
    running = await started(tables, ZOE, CAT, BEN, computers=1)
    running = await rest(tables, (await act(tables, running)).id)
    await tables.proposals.propose_resigning(running.id, ZOE)
    opening = await lobby(tables, BEN, ZOE)
    letter = Message("nonce z", About.LETTER, ZOE.id, 5, 0, "Your hand, Zoe Zebra")
    board = Message("nonce b", About.BOARD, CHANNEL, 6, 0, f"<@{ZOE.id}> and **Zoe Zebra** to play.")
    await tables.messages.add(running.id, letter, board)
    again = await tables.lobby.rematch(over.id, BEN)
    left = await started(tables, ZOE, BEN, CAT, DAN)
    await tables.turns.leave_game(left.id, ZOE)
    paused = await started(tables, BEN, CAT, computers=2)
    await tables.moderation.pause(paused.id, ZOE, "Zoe Zebra wants tea")
    await tables.moderation.ban(ZOE, GUILD, EVE.id, "rude")
    await tables.moderation.ban(MOD, GUILD + 1, ZOE.id, "loud")
    await tables.users.block(ZOE.id, EVE.id)
    await tables.users.prefer(ZOE.id, theme="light", time_zone="Europe/Zurich")
    await tables.users.set_away(ZOE, 1_000_000 + 5 * DAY, AwayHow.SLOW)
    await rest(tables, running.id)
    return {"over": over, "running": running, "opening": opening, "again": again, "left": left}


async def test_export_has_all_of_one_person_only(tables: Tables) -> None:
    games = await busy(tables)
    found = json.loads(json.dumps(await tables.privacy.export(ZOE.id)))
    assert {
        *("users", "games", "seats", "actions", "notes", "results", "ratings", "messages", "guild_log", "bans")
    } <= set(found)
    assert found["users"][0]["theme"] == "light"
    assert {row["game_id"] for row in found["seats"]} >= {games["over"].id, games["running"].id}
    assert all(row["actor"] == ZOE.id for row in found["actions"])
    assert [row["blocked_id"] for row in found["blocks"]] == [EVE.id]
    assert "blocks" not in await tables.privacy.export(EVE.id), "nobody learns who has blocked them"
    assert [row["reason"] for row in found["bans"] if row["user_id"] == ZOE.id] == ["loud"]
    text = json.dumps(found)
    for other in (BEN, CAT, DAN):
        assert f'"{other.name}"' not in text
        assert f'"user_id": {other.id},' not in text
    assert "seed" not in found["games"][0]


async def test_nothing_leads_to_somebody_who_is_forgotten(tables: Tables) -> None:
    games = await busy(tables)
    assert "Zoe" in await everything(tables)
    await tables.privacy.forget(ZOE.id)
    await tables.settled()
    left = [line for line in (await everything(tables)).splitlines() if str(ZOE.id) in line or "Zoe" in line]
    assert [line.partition(" ")[0] for line in left] == ["bans"], "a ban must hold"
    assert set(await tables.privacy.export(ZOE.id)) == {"user_id", "exported_at", "bans"}
    over = await tables.get(games["over"].id)
    assert over.seat_of(ZOE.id) is None
    assert over.status is Status.OVER
    assert over.game is not None
    assert len(over.occupants) == 4
    running = await tables.get(games["running"].id)
    assert running.seat_of(ZOE.id) is None
    assert len(running.open_seats) == 1
    assert set((await tables.get(games["opening"].id)).owners) == {BEN.id}
    assert ProposalKind.RESIGN not in running.proposals


@pytest.mark.on_a_file
async def test_tables_in_dms_are_exported_and_forgotten(tables: Tables) -> None:
    running = await started(tables, ZOE, BEN, computers=2, guild=IN_DMS)
    opening = await tables.lobby.open(BEN, IN_DMS, IN_DMS, invited=[ZOE])
    letters = [Message(f"nonce {one.id}", About.LETTER, one.id, one.id, 0, one.name) for one in (ZOE, BEN)]
    await tables.messages.add(running.id, *letters)
    await tables.finding.seek_anywhere(ZOE, "en", players=6, system="royal")
    found = await tables.privacy.export(ZOE.id)
    assert {row["id"] for row in found["games"]} == {running.id, opening.id}
    assert [row["to_id"] for row in found["messages"]] == [ZOE.id]
    assert {"seats", "seeks", "members"} <= found.keys()
    await tables.privacy.forget(ZOE.id)
    await tables.settled()
    text = await everything(tables)
    assert str(ZOE.id) not in text
    assert "Zoe" not in text
    after = await tables.get(running.id)
    assert after.owners.keys() == {BEN.id}
    assert [letter.to_id for letter in after.messages if letter.about is About.LETTER] == [BEN.id]
    assert not (await tables.get(opening.id)).invited


async def test_others_wins_stay_and_can_be_recounted(tables: Tables) -> None:
    over = await play_on(tables, (await started(tables, ZOE, BEN, CAT, DAN)).id, random.Random(1))
    await play_on(tables, (await started(tables, ZOE, BEN, CAT, DAN)).id, random.Random(2))
    before = {user: await tables.results.stats(user, GUILD) for user in (BEN.id, CAT.id, DAN.id)}
    await tables.privacy.forget(ZOE.id)
    stats = await tables.results.stats(ZOE.id, GUILD)
    assert (list(stats.results), list(stats.course)) == ([], [])
    await tables.results.rebuild()
    for user, known in before.items():
        now = await tables.results.stats(user, GUILD)
        assert (now.results, now.course) == (known.results, known.course)
        assert ZOE.id not in now.partners
        assert all(partner > 0 for partner in now.partners)
    assert all(place.user_id > 0 for place in await tables.results.ranked(GUILD))
    again = await tables.lobby.rematch(over.id, BEN)
    assert {who.user_id for who in again.invited.values()} == {CAT.id, DAN.id}, "nobody invites the forgotten"


@pytest.mark.parametrize("days", [10, 400])
async def test_names_and_moderation_are_kept_for_a_while(programs: Programs, tables: Tables, days: int) -> None:
    games = await busy(tables)
    await tables.turns.cancel(games["again"].id, BEN)
    await later(tables, programs.clock, days * DAY)
    await tables.privacy.sweep(365, lambda _: True)
    over = await tables.get(games["over"].id)
    kept = days < 365
    assert [who.name for who in over.occupants.values()].count("") == (0 if kept else 4)
    assert bool(await tables.moderation.guild_log(GUILD)) == kept
    assert (await tables._store.games.snapshot(games["again"].id) is not None) == kept
    assert over.owners.keys() == {ZOE.id, BEN.id, CAT.id, DAN.id}, "who it was is still counted"
    running = await tables.get(games["running"].id)
    assert any(who.name == "Ben" for who in running.occupants.values())


async def test_left_guild_is_deleted_after_a_month(programs: Programs, tables: Tables) -> None:
    games = await busy(tables)
    await tables.privacy.sweep(365, lambda _: False)
    programs.clock.now += 20 * DAY
    await tables.privacy.sweep(365, lambda _: True)
    programs.clock.now += 20 * DAY
    await tables.privacy.sweep(365, lambda _: False)
    assert (await tables.get(games["over"].id)).status is Status.OVER, "it was back in between"
    programs.clock.now += 30 * DAY
    await tables.privacy.sweep(365, lambda guild_id: guild_id != GUILD)
    assert await tables._store.games.snapshot(games["over"].id) is None
    text = await everything(tables)
    assert f'"guild_id": {GUILD},' not in text
    assert not [line for line in text.splitlines() if line.startswith(("games", "results", "ratings", "actions"))]
    assert [line for line in text.splitlines() if line.startswith("users")], "what people prefer is theirs"


async def test_ratings_everywhere_outlive_a_guild(tables: Tables) -> None:
    for guild in (GUILD, GUILD + 1):
        await play_on(tables, (await started(tables, *FOUR, guild=guild)).id, random.Random(guild))
    before = (await tables.results.stats(ANN.id, 0)).course
    await tables._store.privacy.delete_guild(GUILD + 1)
    after = (await tables.results.stats(ANN.id, 0)).course
    assert [one.mu for one in after] == [before[0].mu]
    assert after[0].newest
