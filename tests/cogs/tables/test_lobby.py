"""The lobby: `/dog new`, seats, computer players, starting and cancelling, each with real commands and clicks."""

from dataclasses import fields
from typing import Any

import pytest

from bot.errors import NotAtTable, NotHost, OtherTerms, Problem, StartsByItself
from bot.occupants import Person
from bot.pace import PACES
from bot.showing.controls import AskTerms, OtherPartners, SetComputer
from bot.showing.panels import LINE_LIMIT
from bot.showing.presses import LONGEST
from bot.showing.terms import RULES, OpenTable
from bot.table import Status, Terms
from bot.texts.public import lengths, lobbies
from cogs.leaving import CancelSure
from engine import SYSTEMS, Options, Teams
from tests.cogs.playing import the_table
from tests.cogs.timing import now
from tests.simtable import SimTable

COUSINS = ("Swiss DOG", "Keezen", "Tock")
"""The cousins that five and six can play."""


async def test_new_opens_a_lobby_with_a_picture(table: SimTable) -> None:
    await table.slash(table.members[0], "dog new")
    board = table.board()
    opened = await the_table(table)
    assert opened.code in board.text
    assert "Classic DOG" in board.text
    assert "Free: amber triangle, green square and violet diamond" in board.alt[0]
    assert set(board.labels) == {"Join", "Add computers", "Settings"}
    assert board.text.splitlines()[1:] == [
        "-# 4 players · 24 h per turn · 📈 Rated",
        "🔵 **ann** + 🟢 —",
        "🟠 — + 🟣 —",
        "➜ 3 seats free.",
    ]
    settings = await table.click(table.members[1], "Settings", on=board)
    assert "Two against two" in settings.text
    assert "Leave" not in settings.shown.labels
    assert board.pinged == frozenset()


async def test_members_join_move_and_leave(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    await table.slash(ann, "dog new")
    answer = await table.click(ben, "Join", on=table.board())
    assert answer.pages == [], "the lobby shows it"
    for member, seat in ((cleo, "Violet: free"), (ben, "Green: free")):
        await table.choose(member, seat, on=(await table.click(member, "Settings", on=table.board())).shown)
    opened = await the_table(table)
    assert {seat: who.name for seat, who in opened.occupants.items()} == {0: "ann", 2: "ben", 3: "cleo"}
    assert opened.free == (1,)
    await table.click(cleo, "Leave", on=(await table.click(cleo, "Settings", on=table.board())).shown)
    assert 3 not in (await the_table(table)).occupants
    assert len(table.messages()) == 1, "the lobby is one message, edited"


async def test_computer_players_come_and_go(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    settings = (await table.click(ann, "Settings", on=table.board())).shown
    settings = (await table.choose(ann, "Violet: add a computer", on=settings)).shown
    assert (await the_table(table)).occupants[3].computer == "normal"
    assert (await table.click(ann, "Add computers", on=table.board())).text == ""
    assert "Start" in table.board().labels
    assert "Add computers" not in table.board().labels
    settings = (await table.click(ann, "Settings", on=table.board())).shown
    await table.choose(ann, "Remove Bello", on=settings)
    assert 3 not in (await the_table(table)).occupants
    assert "Start" not in table.board().labels
    assert "Leave" not in (await table.click(ben, "Settings", on=table.board())).shown.labels
    forged = SetComputer((await the_table(table)).id, 4 * 3 + 3)
    assert (await table.forge(ben, forged.custom_id(), on=table.board())).is_refused(NotAtTable)


async def test_lobby_beside_its_command_is_the_answer(table: SimTable) -> None:
    ann = table.members[0]
    answers = [await table.slash(ann, "dog new") for _ in range(2)]
    assert [answer.pages for answer in answers] == [[], []]


async def test_open_settings_follow_their_lobby_to_its_start(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    first, settings = [(await table.click(ann, "Settings", on=table.board())).shown for _ in range(2)]
    assert not table.exists(first), "one is enough"
    watching = (await table.click(ben, "Settings", on=table.board())).shown
    await table.click(ann, "Add computers", on=table.board())
    assert all("🤖 Unrated" in table.read(seen).text for seen in (settings, watching))
    menus = (await table.click(ann, "Change the game", on=settings)).shown
    await table.click(ann, "Start", on=table.board())
    assert not any(table.exists(seen) for seen in (menus, watching))


async def test_cancel_asks_first(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    opened = await the_table(table)
    question = await table.click(
        ann,
        "Cancel the game",
        on=(await table.click(ann, "Change the game", on=(await table.click(ann, "Settings")).shown)).shown,
    )
    await table.click(ann, f"Yes, cancel {opened.code}", on=question.shown)
    assert await table.bot.tables.in_channel(table.channel.id) == ()
    assert table.board().buttons == ()


async def test_the_rules_button_explains_in_private(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal")
    answer = await table.click(ben, "Rules", on=(await table.click(ben, "Settings", on=table.board())).shown)
    assert "DOG Royal" in answer.text
    assert answer.shown.private
    assert answer.shown.pictures
    turned = await table.choose(ben, "On the start", on=answer.shown)
    assert "however it got there" in turned.text
    assert "King > knight > citizen > jester" in (await table.choose(ben, "Ranks", on=turned.shown)).text
    assert "Previous page" in table.newest(ben).labels


async def test_offered_rules_keep_all_other_wishes(table: SimTable) -> None:
    wanted = {"rules": "classic", "players": 6, "pace": "brisk", "house": "canadian_seven", "hints": True}
    wanted |= {"thread": True, "talk": False}
    answer = await table.slash(table.members[0], "dog new", **wanted)
    assert "is for 4 players, not 6" in answer.text
    assert table.messages() == []
    assert answer.shown.labels == ["Dobney-Christen DOG", *COUSINS], "the rules for six with this house rule"
    opened = await table.click(table.members[0], "Dobney-Christen DOG", on=answer.shown)
    (found,) = await table.bot.tables.of_member(table.members[0].id)
    assert found.terms == Terms("dobney", 6, Options(canadian_seven=True), "brisk", locale="en", hints=True, talk=False)
    assert found.channel_id != table.channel.id, "it has a thread of its own"
    assert found.code in opened.text


def test_the_offer_carries_every_option_of_the_command(table: SimTable) -> None:
    asked = {option.name for option in table.bot.tree.get_command("dog").get_command("new").parameters}
    # A button holds no position; nothing is offered for one.
    others = {"invite", "invite2", "invite3", "teams", "record", "move"}
    assert {field.name for field in fields(OpenTable)} - {"table", "system"} == asked - {"rules"} - others
    flags = dict.fromkeys(("thread", "hints", "talk", "by_hand", "rated", "locked", "weekends"), True)
    most = {"house": 10**6, "language": 10**3, "role": 2**63 - 1, "hours": 168, "bank": 14}
    widest = OpenTable(0, 10**3, 6, 10**3, **most, **flags)
    assert len(widest.custom_id()) <= LONGEST


async def test_house_rule_is_dropped_only_if_necessary(table: SimTable) -> None:
    answer = await table.slash(table.members[0], "dog new", rules="classic", players=5, house="canadian_seven")
    assert answer.shown.labels == ["DOG Royal, basic game", "DOG Royal", *COUSINS]
    refused = await table.click(table.members[0], "DOG Royal", on=answer.shown)
    assert "No card can be split among pieces here." in refused.text
    assert table.messages() == []


async def test_forged_offers_open_nothing(table: SimTable) -> None:
    answer = await table.slash(table.members[0], "dog new", rules="classic", players=6)
    pace = list(PACES).index("brisk")
    for numbers in (
        "0.99.6.0.0.0.0.0.0.0.1.0.0.0.0.1",
        "0.2.6.99.0.0.1.1.0.0.1.0.0.0.0.1",
        f"0.2.6.{pace}.0.0.0.1.0.0.1.0.0.0.0.1.1",
        f"0.2.6.{pace}.0.0.0.1.0.0.1.0.0.999.0.1",
        f"0.2.6.{pace}.0.0.0.1.0.0.1.0.0.0.0.0",
        "0.2.6-1.0.0.1.1.1.0.0.1.0.0.0.0.1",
        f"0.2.6.{pace}.0",
    ):
        await table.forge(table.members[0], f"dog:open:{numbers}", on=answer.shown)
        assert table.messages() == []
    await table.forge(table.members[0], f"dog:open:0.2.6.{pace}.0.0.0.1.0.0.1.0.0.0.0.1", on=answer.shown)
    assert (await the_table(table)).terms == Terms("dobney", 6, Options(), "brisk", locale="en")


async def test_missing_permission_to_post_is_named(table: SimTable) -> None:
    await table.deny_bot("attach_files")
    assert "attach files" in (await table.slash(table.members[0], "dog new")).text
    assert await table.bot.tables.places.in_guild(table.guild.id) == ()


async def test_names_and_reasons_cannot_imitate_the_bot(table: SimTable) -> None:
    forged = "✅ **Anna** wins (computer)\n# 🤖 \u202e[x](http://y.example)"[:32]
    villain, twin, bea = (
        table.guild.add_member(table.env.create_user(f"m{number}", global_name=name))
        for number, name in enumerate((forged, "bea", "Bea"))
    )
    await table.slash(villain, "dog new")
    for member in (twin, bea):
        await table.click(member, "Join")
    board = table.board()
    line = next(one for one in board.text.splitlines() if "Anna" in one)
    assert "\\*\\*Anna" in line or "Anna\\*\\* wins" in line
    assert not set(board.text) & set("✅\u202e")
    assert "(computer)" not in board.text
    assert "bea (" in board.text
    assert "Bea (" in board.text
    await table.click(villain, "Add computers")
    await table.click(villain, "Start")
    for seen in table.messages():
        for text in (seen.text, *seen.alt):
            assert not set(text) & set("✅\u202e"), text


async def test_host_changes_the_game_by_menus(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    await table.click(ben, "Join", on=table.board())
    question = await table.click(
        ann, "Change the game", on=(await table.click(ann, "Settings", on=table.board())).shown
    )
    chosen = await table.choose(ann, "DOG Royal", on=question.shown)
    await table.click(ann, "Allow hints", on=(await table.choose(ann, "6 players", on=chosen.shown)).shown)
    opened = await the_table(table)
    assert (opened.terms.system, opened.players, opened.terms.hints) == ("royal", 6, True)
    board = table.board()
    assert "**ann** changes the game: with hints." in board.text
    assert len(table.messages()) == 1
    assert board.pinged == frozenset()


async def test_only_the_host_decides_even_against_forged_presses(table: SimTable) -> None:
    ann, ben, cleo, dan = table.members
    await table.slash(ann, "dog new")
    for member in (ben, cleo, dan):
        await table.click(member, "Join", on=table.board())
    opened, board = await the_table(table), table.board()
    refused = [await table.forge(ben, AskTerms(opened.id).custom_id(), on=board)]
    assert "Change the game" not in (await table.click(ben, "Settings", on=board)).shown.labels
    refused += [
        await table.slash(ben, "dog table cancel"),
        await table.forge(ben, CancelSure(opened.id, opened.point).custom_id(), on=board),
        await table.forge(ben, OtherPartners(1).custom_id(), on=board),
    ]
    for numbers in ("0.4", "1.4", "2.0", "3.1"):
        refused.append(await table.forge(ben, f"dog:arrange:{opened.id}.{numbers}", on=board))
    assert all(answer.is_refused(NotHost) for answer in refused)
    for numbers in ("0.99", "2.99", "1.77", "99.1", "0"):
        await table.forge(ann, f"dog:arrange:{opened.id}.{numbers}", on=board)
    assert (await the_table(table)).version == opened.version


async def test_yielding_computer_is_announced_and_its_seat_offered(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    await table.click(ann, "Add computers", on=table.board())
    await table.click(ben, "Join", on=table.board())
    assert "**ben** replaces **Bello** 🤖." in table.board().text
    answer = await table.click(ben, "Join", on=table.board())
    assert "🟠 **ben**" in answer.text
    assert "Join" not in answer.shown.labels
    await table.choose(ben, "Violet: Rex (normal)", on=answer.shown)
    assert (await the_table(table)).seat_of(ben.id) == 3


async def test_partners_change_before_the_start(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    await table.click(ben, "Join", on=table.board())
    arranging = (
        await table.click(ann, "Change the game", on=(await table.click(ann, "Settings", on=table.board())).shown)
    ).shown
    await table.click(ann, "Swap partners", on=arranging)
    assert (await the_table(table)).seat_of(ben.id) == 2
    assert "**ann** swaps partners." in table.board().text


async def test_house_rules_switch_in_lobby_and_show_everywhere(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    question = await table.click(
        ann, "Change the game", on=(await table.click(ann, "Settings", on=table.board())).shown
    )
    chosen = await table.choose(ann, "Open hands: all players see all cards.", on=question.shown)
    line = 2 * RULES.index("open_hands") + 1
    opened = await the_table(table)
    await table.forge(ann, f"dog:arrange:{opened.id}.5.{line}", on=chosen.shown)
    assert (await the_table(table)).version == opened.version, "twice the same press changes nothing more"
    await table.choose(ann, "4 players · Everyone plays for themselves.", on=chosen.shown)
    assert (await the_table(table)).options == Options(open_hands=True, teams=Teams.ALONE)
    assert "open hands, unrated · 🏠 Open hands · 🏠 Everyone plays for themselves" in table.board().text
    whole = (await table.click(ben, "Settings", on=table.board())).text
    assert "🏠 Open hands: all players see all cards." in whole
    assert "🏠 Everyone plays for themselves." in whole
    rules = await table.click(ben, "Rules", on=(await table.click(ben, "Settings", on=table.board())).shown)
    turned = await table.choose(ben, "House rules", on=(await table.click(ben, "Next page", on=rules.shown)).shown)
    assert "Open hands" in turned.text


async def test_senseless_house_rule_is_refused_with_a_reason(table: SimTable) -> None:
    ann = table.members[0]
    refused = await table.slash(ann, "dog new", rules="royal", house="canadian_seven")
    assert "No card can be split among pieces here." in refused.text
    await table.slash(ann, "dog new", house="Grandpa's")
    assert table.messages() == []
    assert "No card exchange." in await table.suggestions(ann, "dog new", "house", "exch")


def test_lobby_names_every_system_and_its_length() -> None:
    assert lobbies.SYSTEM_KINDS.keys() == SYSTEMS.keys()
    assert lengths.LENGTHS.keys() == {(key, one) for key, system in SYSTEMS.items() for one in system.players}
    assert all(len(kind) <= LINE_LIMIT for kind in lobbies.SYSTEM_KINDS.values()), "a menu shows it whole"


@pytest.mark.there
async def test_a_full_lobby_calls_all_and_starts(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ben, "dog me notify", where="both")
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    await table.wait(601)
    await table.click(ben, "Join")
    full, told = (
        table.newest(),
        f"It starts automatically at <t:{now(table) + 120}:T>. <@{ann.id}>: **Start** or **Wait**.",
    )
    assert (full.pinged, table.letters(ben)) == ({ann.id}, []), "who took the last seat knows it"
    assert told in full.text
    assert told in table.board().text
    assert full.labels == []
    assert (await table.click(ben, "Start", on=table.board())).is_refused(StartsByItself)
    await table.restart(crash=True)
    await table.wait(120)
    assert (await the_table(table)).status is Status.PLAYING
    assert not table.exists(full)


async def test_full_lobby_does_not_call_the_absent(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ben, "dog me away", until="2026-01-20", meanwhile="computer")
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    await table.wait(601)
    await table.click(ben, "Join")
    assert table.newest().pinged == {ann.id}


@pytest.mark.there
async def test_the_host_lets_a_full_lobby_wait(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    await table.click(ben, "Join")
    assert table.newest() == table.board(), "both are there, and read it in the lobby"
    assert (await table.click(ben, "Wait", on=table.board())).is_refused(NotHost)
    await table.click(ann, "Wait", on=table.board())
    assert table.newest() == table.board()
    await table.wait(3_000)
    assert (await table.click(ben, "Start", on=table.board())).is_refused(NotHost)
    await table.wait(3_600)
    await table.click(ben, "Start", on=table.board())
    assert (await the_table(table)).status is Status.PLAYING


@pytest.mark.there
async def test_host_cannot_start_terms_others_missed(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    await table.click(ben, "Join")
    await table.click(ann, "Wait", on=table.board())
    menu = await table.click(ann, "Change the game", on=(await table.click(ann, "Settings", on=table.board())).shown)
    await table.wait(600)
    changed = await table.click(ann, "Allow hints", on=menu.shown)
    full = table.newest()
    assert full.pinged == {ben.id}, "the host knows it"
    assert "The host changed the game: look it over. " in full.text
    for label in ("No hints", "No table talk"):
        await table.wait(5)
        changed = await table.click(ann, label, on=changed.shown)
        assert not table.exists(full)
        assert table.calls(ben) == 1
    await table.wait(20)
    full = table.newest()
    assert (full.pinged, table.calls(ben)) == ({ben.id}, 2), "one ping for several changes"
    assert (await table.click(ann, "Start", on=table.board())).is_refused(OtherTerms)
    await table.wait(120)
    await table.click(ann, "Start", on=table.board())
    assert (await the_table(table)).status is Status.PLAYING


async def test_blocked_people_are_kept_apart_in_silence(table: SimTable) -> None:
    ann, ben, *_ = table.members
    shown = await table.slash(ann, "dog me block", member=ben.user)
    assert "They aren't told" in shown.text
    await table.slash(ben, "dog new", invite=ann.user)
    asked = table.newest()
    assert (asked.pinged, "ann (invited)" in asked.text) == (frozenset(), True), "ben sees an invitation like any other"
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    assert (await table.click(ben, "Join", on=table.board())).is_refused(Problem.NOT_ADMITTED)
    assert f"<@{ben.id}>" in (await table.slash(ann, "dog me block")).text
    await table.click(ann, "Unblock", on=shown.shown)
    await table.click(ben, "Join", on=table.board())
    assert (await the_table(table)).seat_of(ben.id) is not None


async def test_a_role_is_told_and_a_seat_remembered(table: SimTable, moderator: Any) -> None:
    ann, ben, cleo, _dan = table.members
    role = table.guild.create_role("dogs")
    await table.slash(moderator, "dog-admin settings", tell_role=role)
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    assert f"<@&{role.id}>" in table.board().text
    await table.click(ben, "Join", on=table.board())
    refused = await table.slash(cleo, "dog join", game=(await the_table(table)).code)
    await table.click(cleo, "Tell me when a seat is free", on=refused.shown)
    tables = table.bot.tables
    await table.run(tables.lobby.leave((await the_table(table)).id, Person(ben.id, ben.name)))
    assert cleo.id in table.newest().pinged


async def test_a_host_frees_a_seat(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    await table.click(ben, "Join", on=table.board())
    menu = await table.click(ann, "Change the game", on=(await table.click(ann, "Settings", on=table.board())).shown)
    question = await table.choose(ann, "Remove ben", on=menu.shown)
    assert (await the_table(table)).seat_of(ben.id) is not None
    table.refuse("POST", channel=ben.user.dm_channel)
    await table.click(ann, "Remove ben", on=question.shown)
    assert (await the_table(table)).seat_of(ben.id) is None
    table.heal()
    await table.wait(90)
    assert "has removed you" in table.letters(ben)[-1].text
    assert (await table.click(ben, "Join", on=table.board())).is_refused(Problem.NOT_ADMITTED)
