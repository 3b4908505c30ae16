"""A forged command or press is answered with one private sentence, and no traceback."""

from logging import LogRecord
from typing import Any

import pytest
import simcord.interactions
from discord import app_commands

from bot.interactions.commands import list_served
from bot.interactions.tree import LARGEST, LONGEST, is_plain
from bot.showing import presses
from bot.showing.components import chosen_values
from cogs import COGS
from tests.cogs.playing import command, the_table
from tests.cogs.timing import solo
from tests.simtable import SimTable

NOT_TAKEN = (
    command("hand", group="cat"),
    command("nothing"),
    command(""),
    {"id": "1", "name": "dog", "type": 1},
    {"id": "1", "name": "dog", "type": 2, "target_id": "1"},
    command("hand", ("game", 3, 7)),
    command("hand", ("game", 3, None)),
    command("hand", ("game", 3, "a\x00b")),
    command("hand", ("game", 3, "\ud800")),
    command("hand", ("game", 3, "A" * (LONGEST + 1))),
    command("play"),
    command("new", ("players", 4, 9)),
    command("new", ("players", 4, "4")),
    command("new", ("players", 4, True)),
    command("new", ("players", 4, LARGEST * 2)),
    command("new", ("rules", 3, "chess")),
    command("new", ("thread", 5, "true")),
    command("table move", ("to", 7, "999")),
)

TAKEN = (
    command("hand"),
    command("hand", ("game", 3, "FOX-7")),
    command("new", ("players", 4, 4), ("rules", 3, "classic"), ("thread", 5, False)),
    command("play", ("card", 3, "A")),
)


async def test_a_forged_command_gets_one_sentence(table: SimTable, bot_log: list[LogRecord]) -> None:
    table.provoked = True
    for data in NOT_TAKEN:
        said = (await table.forge_command(table.members[0], data)).text
        assert said.startswith("I didn't get that."), data
    assert not bot_log, "no traceback"


async def test_a_real_command_gets_through(table: SimTable) -> None:
    for data in TAKEN:
        assert "I didn't get that" not in (await table.forge_command(table.members[0], data)).text, data


FORGED_TYPING = (
    command("play", ("card", 3, "")),
    command("play", ("card", 3, 1.5), focused="card"),
    command("new", ("players", 4, 4), focused="players"),
    command("nothing", ("card", 3, ""), focused="card"),
    {"id": "1", "name": "dog", "type": 1},
)


async def test_forged_typing_gets_no_suggestions(table: SimTable) -> None:
    for data in FORGED_TYPING:
        assert await table.forge_typing(table.members[0], data) == [], data


@pytest.mark.parametrize(
    "forged",
    [
        *("dog:hand:9999999999999999999", "dog:hand:99999999999999999999", "dog:hand:١", "dog:hand:-1"),
        *("dog:go:" + ".".join("1" * 60), "dog:" + "a" * 40 + ":1", "dog2:hand:1", "cat:hand:1:0", ""),
    ],
)
def test_a_forged_press_says_nothing(forged: str) -> None:
    assert presses.parse(forged) is None


async def test_unknown_press_is_answered_privately(table: SimTable) -> None:
    await table.slash(table.members[0], "dog new")
    for forged in ("cat:hand:1", "dog2:hand:1", "dog:nothing:1", "dog:hand:x"):
        answer = await table.forge(table.members[1], forged, on=table.board())
        assert "This button is out of date." in answer.text


def test_menus_give_small_numbers_and_nothing_else() -> None:
    assert tuple(chosen_values({"values": ["3", "12"]})) == ("3", "12")
    assert tuple(chosen_values({"values": ["-1", "²", "٣", "9" * 30, 7, None, {}, "x"]})) == ()
    assert tuple(chosen_values({"values": 7})) == ()


def test_texts_that_cannot_be_stored_are_known() -> None:
    assert is_plain("Luna 🐕")
    assert not is_plain("\udfff")


def test_one_method_serves_each_press() -> None:
    assert sorted(kind.verb for cog in COGS for kind, _ in list_served(cog)) == sorted(presses.PRESSES)


REQUIRED = {3: "A", 4: 1, 5: True, 6: "5", 7: "5"}
"""By its type, a value for an option that a command cannot do without."""


async def test_forged_commands_in_direct_messages_are_answered(table: SimTable) -> None:
    ann = table.members[0]
    commands = [one for one in table.bot.tree.walk_commands() if isinstance(one, app_commands.Command)]
    said = []
    for one in commands:
        needed = [parameter for parameter in one.parameters if parameter.required]
        filled = [
            (
                parameter.display_name,
                parameter.type.value,
                parameter.choices[0].value if parameter.choices else REQUIRED[parameter.type.value],
            )
            for parameter in needed
        ]
        group, _, path = one.qualified_name.partition(" ")
        people = {"5": {"id": "5", "username": "eva", "discriminator": "0", "avatar": None}}
        data = {**command(path, *filled, group=group), "resolved": {"users": people}}
        said.append((await table.forge_command(ann, data, in_dm=True)).text)
    assert len(said) > 40
    assert all(said)
    assert not any("went wrong" in text for text in said)
    assert sum("only works on a server" in text for text in said) >= 1


@pytest.mark.parametrize("path", ["table seek", "leaderboard", "history"])
async def test_user_installed_app_answers_with_an_invitation(
    table: SimTable, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    await table.remove_bot()
    install_for_users(monkeypatch)
    said = (await table.slash(table.members[0], f"dog {path}")).text
    assert f"client_id={table.bot.application_id}" in said
    assert "permission to" not in said


def install_for_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all that is asked from now on come from people who have added the app to their account."""
    usual = simcord.interactions.base_payload

    def elsewhere(backend: object, **named: Any) -> Any:
        record, wire = usual(backend, **named)
        return record, {**wire, "authorizing_integration_owners": {"1": str(named["user_id"])}}

    monkeypatch.setattr(simcord.interactions, "base_payload", elsewhere)


async def test_user_installed_app_plays_anywhere(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await solo(table)
    before = (await the_table(table)).number
    await table.remove_bot()
    install_for_users(monkeypatch)
    for path in ("hand", "games", "stats", "rules", "help", "learn", "puzzle"):
        answer = await table.slash(ann, f"dog {path}")
        assert answer.text, path
        assert "client_id" not in answer.text, path
    shown = (await table.slash(ann, "dog next")).shown
    assert shown.private
    shown = (await table.press(ann, next(one for one in shown.custom_ids if ":go:" in one), on=shown)).shown
    await table.click(ann, "Confirm", on=shown)
    assert (await the_table(table)).number > before


async def test_user_installed_app_offers_dms_and_invitation(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = table.members[0]
    await table.remove_bot()
    install_for_users(monkeypatch)
    offer = (await table.slash(ann, "dog new", rules="royal-basic", players=2)).shown
    assert [button for button in offer.buttons if "client_id" in str(button.url)]
    await table.click(ann, "Open in direct messages", on=offer)
    (opened,) = await table.bot.tables.of_member(ann.id)
    assert (opened.in_dms, opened.system, opened.players) == (True, "royal-basic", 2)
    assert opened.code in str([letter.text for letter in table.letters(ann)])
