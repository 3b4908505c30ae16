"""Scenarios: each file leads to a game that is as it says, and the local table begins with it."""

from pathlib import Path

import pytest

from bot.showing import scenarios
from bot.showing.scenarios import ScenarioError, load, tables
from tests.cogs.playing import cancel, question
from tests.simtable import SimTable
from tools.scenarios import make_opener, play_scenario

TOLD = {
    "royal-endgame": ("royal", 10),
    "classic-evening": ("classic", 2),
    "family-late": ("family", 5),
    "dobney-evening": ("dobney", 3),
}


@pytest.mark.parametrize("name", tables())
def test_scenario_is_a_game_with_a_question(name: str) -> None:
    scenario = load(name)
    game = play_scenario(scenario)[1]
    assert game.to_act
    people = scenario.people.split()
    assert len(people) == game.players
    assert people[game.seats.index(scenario.until["seat"])] == "Guest"
    assert len(game.legal(scenario.until["seat"])) > 1, "an only move would be played for the guest"
    if name in TOLD:
        system, home = TOLD[name]
        texts = [text for pieces in game.view(None).pieces.values() for text in pieces]
        assert (game.system.id, sum(text[-1] in "abcd" for text in texts) >= home) == (system, True)


def test_what_cannot_be_used_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ScenarioError, match=r"no scenario nothing.*royal-endgame"):
        load("nothing")
    with pytest.raises(ScenarioError, match=r"no table; tables are .*royal-endgame"):
        play_scenario(load("classic-seven"))
    monkeypatch.setattr(scenarios, "FOLDER", tmp_path)
    (tmp_path / "odd.json").write_text('{"about": 1}')
    with pytest.raises(ScenarioError, match=r"odd\.json cannot be used"):
        load("odd")


async def test_the_table_opens_where_people_are(table: SimTable) -> None:
    ann, ben, *_ = table.members
    scenario = load("royal-endgame")
    begin = make_opener(table.bot, scenario, play_scenario(scenario))
    await table.run(begin(table.channel.guild.id, table.channel.id, {"Guest": ann.id, "Alex": ben.id}))
    assert "FOX-1" in table.board().text
    assert "**Round 9**" in table.board().text
    hand = await table.slash(ann, "dog hand")
    assert "**FOX-1**" in hand.text
    assert any("→" in label for label in hand.shown.labels)
    found = await table.bot.tables.get(1)
    assert [one.user_id for one in found.occupants.values()] == [ann.id, ben.id, None, None]
    assert found.clocks[0].ends_at is not None
    await cancel(table, ann, "FOX-1")
    await table.click(ben, "Agree", on=question(table))
    record = await table.bot.tables.records.text(1)
    assert [line.split(":")[0] for line in record.splitlines() if line.startswith("seat ")] == [
        f"seat {seat}" for seat in found.occupants
    ]
