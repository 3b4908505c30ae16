"""Commands without options: they show how things are, with buttons to change and to end it, and erase nothing."""

import pytest

from bot.errors import BadPreference
from cogs.me import AWAY_DAYS, SetAway
from tests.cogs.playing import seat_everyone
from tests.simtable import SimTable


@pytest.mark.parametrize(
    ("command", "options", "field", "choice"),
    [
        ("quiet", {"time_zone": "Europe/Zurich"}, "quiet_from", "23:00 – 07:00"),
        ("away", {}, "away_until", "3 days"),
        ("theme", {}, "theme", "wood"),
    ],
)
async def test_own_settings_are_shown_changed_and_ended(
    table: SimTable, command: str, options: dict[str, str], field: str, choice: str
) -> None:
    ann, users = table.members[0], table.bot.tables.users
    bare = await table.slash(ann, f"dog me {command}", **options)
    assert "End" not in bare.shown.labels
    assert getattr(await users.preferences(ann.id), field) is None
    await table.choose(ann, choice, on=bare.shown)
    then = await users.preferences(ann.id)
    assert getattr(then, field) is not None
    again = await table.slash(ann, f"dog me {command}")
    assert await users.preferences(ann.id) == then, "looking changes nothing"
    await table.click(ann, "End", on=again.shown)
    assert getattr(await users.preferences(ann.id), field) is None
    assert "End" not in (await table.slash(ann, f"dog me {command}")).shown.labels


async def test_words_lead_back_to_pictures(table: SimTable) -> None:
    ann = table.members[0]
    shown = (await table.slash(ann, "dog me theme", look="text")).shown
    assert shown.labels == ["Pictures again"], "the sides of boards say nothing to them"
    assert "Match public board" in (await table.click(ann, "Pictures again", on=shown)).shown.labels


@pytest.mark.drawn
async def test_private_boards_are_turned_as_their_reader_chose(table: SimTable) -> None:
    await seat_everyone(table)
    ben = table.members[1]
    own = await table.slash(ben, "dog board")
    chosen = await table.slash(ben, "dog me theme", bottom="public")
    assert "the same way as the public one" in chosen.text
    assert (await table.slash(ben, "dog board")).shown.pictures != own.shown.pictures
    await table.click(ben, "My side at the bottom", on=chosen.shown)
    assert (await table.slash(ben, "dog board")).shown.pictures == own.shown.pictures


async def test_forged_lengths_of_an_absence_are_refused(table: SimTable, caplog: pytest.LogCaptureFixture) -> None:
    ann = table.members[0]
    bare = await table.slash(ann, "dog me away")
    for value in (0, AWAY_DAYS + 2, 2**31 - 1, 2**31, 2**53, 2**63 - 1):
        answer = await table.forge(ann, SetAway(0).with_choice(value).custom_id(), on=bare.shown)
        assert answer.is_refused(BadPreference)
    assert (await table.bot.tables.users.preferences(ann.id)).away_until is None
    assert "Traceback" not in caplog.text


async def test_leaving_works_in_the_lobby_too(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new")
    await table.click(ben, "Join", on=table.board())
    question = await table.slash(ben, "dog table resign")
    assert "hasn't started" in question.text
    await table.click(ben, "Leave", on=question.shown)
    assert "ben" not in table.board().text
