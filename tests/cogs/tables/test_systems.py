"""Every rule system, by people through commands, buttons and menus; and a whole game to the win."""

import random

import pytest

from bot.showing.emojis import dress
from bot.table import Status
from engine import SYSTEMS, EventKind, Options, Phase, Teams
from engine.secret import whole
from tests.cogs.playing import (
    any_card,
    in_hand,
    meanwhile,
    on_turn,
    play_on,
    play_to_the_end,
    seat_everyone,
    take_turn,
    the_table,
)
from tests.simtable import SimTable

OTHER_TEAMS = {which: key for key, system in SYSTEMS.items() for which in system.teamings}
"""A system for each number of players in other teams than the usual ones."""


@pytest.mark.parametrize(("system", "players", "teams"), [(key, *which) for which, key in OTHER_TEAMS.items()])
async def test_a_person_plays_with_computers(table: SimTable, system: str, players: int, teams: Teams) -> None:
    await seat_everyone(table, computers=players - 1, rules=system, players=players, teams=str(teams))
    await play_on(table, random.Random(players), 2)
    opened = await the_table(table)
    assert whole(opened.game).system.id == system
    assert len(opened.game.seats) == players
    assert opened.options == Options(teams=teams)
    assert opened.game.number >= 2 + players - 1, "computers act too"
    board = table.board()
    assert opened.code in board.text
    assert 0 < len(board.alt[0]) <= 1024
    assert board.pictures[0].startswith(b"\x89PNG")


async def test_family_partners_ask_and_answer_in_private(table: SimTable) -> None:
    """Nobody learns of a wish before both partners have declared; only the partner is asked for the answer."""
    await seat_everyone(table, rules="family")
    ann, ben, cleo, dan = table.members
    before = table.board().text
    assert "Do you need help? 🟢 **cleo** can give you a card" in (await in_hand(table, ann)).text
    await any_card(table, ann, await in_hand(table, ann, "Ask for help"))
    assert "asks for help" not in table.board().text
    assert before.splitlines()[-1].split(" ➜ ")[0] == table.board().text.splitlines()[-1].split(" ➜ ")[0]
    for member in (cleo, ben):
        await in_hand(table, member, "Go on without help")
    assert "asks for help" in table.board().text
    assert set((await the_table(table)).waiting_for.values()) == {cleo.id, dan.id}
    await in_hand(table, cleo, "Decline", "Confirm")
    done = await in_hand(table, dan, "Go on without help")
    assert "You're going without help" in done.text, "there is nothing to confirm"
    assert (await the_table(table)).game.phase is Phase.TURN


async def test_royal_begins_with_placing_a_piece_of_choice(table: SimTable) -> None:
    await seat_everyone(table, rules="royal", players=4)
    await play_on(table, random.Random(1), 4)
    assert (await the_table(table)).game.phase is Phase.PLACE
    member = await on_turn(table)
    answer = await table.click(member, "My hand", on=table.board())
    assert {"King", "Knight", "Citizen", "Jester"} <= set(answer.shown.labels)
    answer = await table.click(member, "Jester", on=answer.shown)
    assert "jester" in answer.text
    await table.click(member, "Confirm", on=answer.shown)
    assert "places the jester" in table.board().text


async def test_alone_a_stuck_player_discards_and_draws(table: SimTable) -> None:
    """With two players nobody folds: a card is discarded and one drawn, with buttons like everything else."""
    await seat_everyone(table, rules="royal-basic", players=2)
    rng = random.Random(3)
    await meanwhile(table, rng, lambda now: whole(now.game).phase is Phase.REDRAW)
    await take_turn(table, await on_turn(table), rng)
    game = (await the_table(table)).game
    kinds = {event.kind for entry in game.history(1) for event in entry.events}
    assert EventKind.DISCARDED in kinds
    assert EventKind.DREW in kinds
    assert (await the_table(table)).status is Status.PLAYING


@pytest.mark.emojis
async def test_four_members_play_to_the_win(table: SimTable) -> None:
    await play_to_the_end(table, "swiss", 6)
    assert len((await table.bot.tables.get(1)).game.winners) == 2
    last = table.board()
    for member in table.members:
        assert last.text.count(f"<@{member.id}>") == 1, "everybody is mentioned once, won or lost"
    assert last.pinged == {member.id for member in table.members}
    assert "🏆" in last.text
    assert dress("🔵") != "🔵", "seats were shown as emojis"
    labels = ["History", "Replay", "Share a picture", "Review", "Rematch", "Rematch with a new player"]
    assert last.labels == labels
    assert len((await table.click(table.members[0], "Share a picture", on=last)).shown.pictures) == 1
    boards = [seen for seen in table.messages() if seen.pictures]
    assert all("My hand" not in seen.labels for seen in boards), "only the newest board has a hand button"
