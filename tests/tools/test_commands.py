"""The tables in docs/commands.md and docs/permissions.md say what the code does."""

import re
from dataclasses import replace

import pytest

from bot.errors import NotAtTable, NotHost, NotModerator
from bot.occupants import Occupant, Person, Scope
from bot.rights import Deed, Relation, is_related, may, need
from bot.showing.presses import PRESSES
from bot.table import Status, Table, Terms
from cogs import all_commands
from tools import commands

TABLE = Table(
    id=1,
    code="FOX-7",
    guild_id=1,
    channel_id=2,
    host_id=101,
    status=Status.LOBBY,
    terms=Terms(),
    seats=(0, 1, 2, 3),
    occupants={0: Occupant("ann", 101), 1: Occupant("ben", 102)},
    game=None,
    version=1,
    created_at=0,
    changed_at=0,
)
LOST = replace(TABLE, lost="gone")
ANN, BEN, EVE = Person(101, "ann"), Person(102, "ben"), Person(103, "eve")


def with_power(power: Scope) -> Person:
    return Person(104, "mod", frozenset({power}))


@pytest.mark.parametrize("name", commands.PAGES)
def test_pages_are_up_to_date(name: str) -> None:
    assert (commands.DOCS / name).read_text(encoding="utf-8") == commands.page(name), "python -m tools.commands"


def test_every_command_is_listed_once() -> None:
    listed = re.findall(r"^\| `/([a-z -]+)` \|", commands.command_tables(), re.MULTILINE)
    assert sorted(listed) == sorted(all_commands())


@pytest.mark.parametrize("deed", Deed)
def test_exactly_the_listed_people_may(deed: Deed) -> None:
    people = (ANN, BEN, EVE, *map(with_power, Scope))
    for table in (TABLE, LOST):
        for person in people:
            expected = any(is_related(relation, person, table) for relation in deed.rule.who)
            assert may(deed, person, table) is expected
            if not expected:
                with pytest.raises((NotHost, NotAtTable, NotModerator)):
                    need(deed, person, table)


def test_the_parts_are_what_they_are_called() -> None:
    assert [relation for relation in Relation if is_related(relation, ANN, TABLE)] == [
        Relation.ANYONE,
        Relation.PLAYER,
        Relation.HOST,
    ]
    assert [relation for relation in Relation if is_related(relation, BEN, LOST)] == [
        Relation.ANYONE,
        Relation.PLAYER,
        Relation.STRANDED,
    ]
    assert [relation for relation in Relation if is_related(relation, EVE, LOST)] == [Relation.ANYONE]
    for power, relation in (
        (Scope.MODERATE_TABLE, Relation.MODERATOR),
        (Scope.MODERATE_GUILD, Relation.GUILD_MODERATOR),
        (Scope.MANAGE_GUILD, Relation.MANAGER),
    ):
        assert [one for one in Relation if is_related(one, with_power(power), TABLE)] == [Relation.ANYONE, relation]


def test_every_deed_has_a_command_or_button() -> None:
    asked = {spec.deed for spec in all_commands().values()} | {kind.deed for kind in PRESSES.values()}
    options = {Deed.ASK_BACK, Deed.ASK_PARTNER, Deed.SEEK_HERE}
    assert set(Deed) - asked == options, "of /dog takeback, /dog cup and /dog table seek"
    assert commands.WHO.keys() == set(Relation)
