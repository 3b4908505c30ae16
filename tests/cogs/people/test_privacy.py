"""`/dog me privacy`: what is stored, as a file for oneself alone; and being forgotten, asked twice."""

import json

from bot.errors import TooOften
from tests.cogs.playing import seat_everyone, the_table
from tests.simtable import SimTable


async def test_the_export_is_a_private_file(table: SimTable) -> None:
    ann, *_ = table.members
    await seat_everyone(table)
    answer = await table.slash(ann, "dog me privacy")
    assert answer.text.count("\n") == 6, "five lines, with a heading and whether statistics show them"
    found = json.loads((await table.click(ann, "Export", on=answer.shown)).pages[-1].pictures[0])
    assert found["user_id"] == ann.id
    assert [row["name"] for row in found["seats"]] == ["ann"]


async def test_being_forgotten_asks_twice_and_games_continue(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await seat_everyone(table)
    first = await table.click(ann, "Forget me", on=(await table.slash(ann, "dog me privacy")).shown)
    second = await table.click(ann, "Yes, forget me", on=first.shown)
    assert "ann" in str((await the_table(table)).occupants)
    await table.click(ann, "Forget everything", on=second.shown)
    after = await the_table(table)
    assert after.seat_of(ann.id) is None
    assert "ann" not in str(after.occupants)
    assert after.host_id == ben.id
    assert str(ann.id) not in json.dumps(await table.bot.tables.privacy.export(ben.id))


async def test_somebody_can_be_left_out_and_come_back(table: SimTable) -> None:
    ann, *_ = table.members
    answer = await table.slash(ann, "dog me privacy")
    out = await table.click(ann, "Hide my statistics", on=answer.shown)
    assert (await table.bot.tables.users.preferences(ann.id)).unlisted
    await table.click(ann, "Show my statistics", on=out.shown)
    assert not (await table.bot.tables.users.preferences(ann.id)).unlisted


async def test_export_of_everything_is_rationed(table: SimTable) -> None:
    ann, *_ = table.members
    answer = await table.slash(ann, "dog me privacy")
    for _ in range(3):
        await table.click(ann, "Export", on=answer.shown)
    assert (await table.click(ann, "Export", on=answer.shown)).is_refused(TooOften)
