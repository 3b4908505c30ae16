"""`/dog` in direct messages: what is about oneself or one's games works there; what needs a server says so."""

import random
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord

from bot.calls import HERE
from bot.errors import NoSuchTable
from bot.interactions.serve import is_asking
from bot.preferences import Notify
from tests.cogs.playing import choosing, command, elsewhere, resigned, seat_everyone, take_turn, the_table
from tests.cogs.timing import duel, solo
from tests.simtable import Answer, SimTable


async def in_dm(table: SimTable, member: Any, path: str, **options: str) -> Answer:
    """Type a command in the member's direct messages with the bot."""
    filled = [(name, 3, value) for name, value in options.items()]
    return await table.forge_command(member, command(path, *filled), in_dm=True)


async def test_commands_are_offered_in_dms(table: SimTable) -> None:
    offered = {one["name"]: one for one in table.env.backend.commands[None].values()}
    assert offered["dog"]["contexts"] == [0, 1, 2]
    assert offered["dog-admin"]["contexts"] == [0]
    assert offered["dog"]["integration_types"] == [0, 1]
    assert offered["dog-admin"]["integration_types"] == [0]


OWN = (
    *("hand", "board", "history", "next", "games", "takeback", "learn", "rules", "help", "puzzle", "stats"),
    *("me notify", "me privacy", "me away", "table resign", "table hints", "table nudge", "play"),
)
"""Commands about oneself or one's games."""


async def test_what_is_ones_own_works_in_dms(table: SimTable) -> None:
    ann = await solo(table)
    for path in OWN:
        options = {"me notify": {"where": "dm"}, "play": {"card": "A"}}.get(path, {})
        said = (await in_dm(table, ann, path, **options)).text
        assert said, path
        assert "only works on a server" not in said, path
        assert "went wrong" not in said, path


async def test_a_move_is_played_in_dms(table: SimTable) -> None:
    asked, _other = await duel(table)
    before = (await the_table(table)).number
    hand = await in_dm(table, asked, "hand")
    assert hand.shown.pictures
    shown = hand.shown
    while "Play" not in shown.labels and "Confirm" not in shown.labels:
        plays = [label for label in shown.labels if label not in ("Hint", "Back", "Go to board")]
        shown = (await table.click(asked, plays[0], on=shown)).shown
    await table.click(asked, "Play" if "Play" in shown.labels else "Confirm", on=shown)
    assert (await the_table(table)).number > before


async def test_a_code_in_dms_means_ones_own_game(table: SimTable) -> None:
    asked, other = await duel(table)
    code = (await the_table(table)).code
    assert code in (await in_dm(table, other, "board", game=code)).text
    stranger = table.members[3]
    assert (await in_dm(table, stranger, "board", game=code)).is_refused(NoSuchTable)
    assert asked


async def test_same_code_on_two_servers_is_asked(table: SimTable) -> None:
    ann = table.members[0]
    channel, (there,) = await elsewhere(table, ann)
    await table.slash(ann, "dog new", rules="classic")
    code = (await the_table(table)).code
    table.bot.tables.lobby._rng = Same(code)
    await table.slash(there, "dog new", channel=channel, rules="classic")
    assert code in table.newest(channel=channel).text
    asked = await in_dm(table, ann, "board", game=code)
    guild, other = asked.shown.labels
    assert guild.endswith("· Guild")
    answer = await table.click(ann, other, on=asked.shown)
    assert other.endswith("· Elsewhere")
    assert f"## {code}" in answer.text


def test_question_in_dms_waits_for_its_press() -> None:
    message = SimpleNamespace(flags=discord.MessageFlags(), created_at=discord.utils.utcnow())
    context = SimpleNamespace(private_channel=False)
    client = SimpleNamespace(since=message.created_at - timedelta(hours=1))
    asked = SimpleNamespace(message=message, guild_id=None, context=context, client=client)
    assert is_asking(asked)
    message.created_at -= timedelta(minutes=20)
    assert not is_asking(asked)


class Same:
    """Dice that always fall on the same code."""

    def __init__(self, code: str) -> None:
        self.word, _, self.number = code.partition("-")

    def choice(self, _words: object) -> str:
        return self.word

    def randint(self, _lowest: int, _highest: int) -> int:
        return int(self.number)


async def test_an_ended_game_is_looked_at_in_dms(table: SimTable) -> None:
    await seat_everyone(table)
    ann, code = table.members[0], (await resigned(table, 4)).code
    assert (await in_dm(table, ann, "card")).shown.pictures
    assert code in (await in_dm(table, ann, "board", game=code)).text
    assert "✅" in (await in_dm(table, ann, "verify")).text
    assert (await in_dm(table, ann, "review")).pages[0].pictures
    assert (await in_dm(table, ann, "replay")).shown.pictures


async def test_what_needs_a_server_says_so(table: SimTable) -> None:
    said = (await in_dm(table, table.members[0], "leaderboard")).text
    assert said == "That only works on a server."
    asked, _other = await duel(table)
    assert str(table.channel.id) in (await in_dm(table, asked, "leaderboard")).text, "a link to where they play"


async def test_one_hand_is_open_in_dms(table: SimTable) -> None:
    asked, other = await duel(table)
    here = asked.user.dm_channel
    first = (await table.slash(asked, "dog next", channel=here)).shown
    second = (await table.slash(asked, "dog next", channel=here)).shown
    assert (table.exists(first), table.exists(second)) == (False, True)
    await table.run(table.bot.tables.users.prefer(asked.id, notify=Notify.DM))
    await table.wait(HERE + 60)
    while asked.id not in (await the_table(table)).waiting_for.values() or table.letters(asked)[-1] == second:
        member = asked if asked.id in (await the_table(table)).waiting_for.values() else other
        await take_turn(table, member, random.Random(1), by="letter" if member is asked else "slash")
        await table.wait(HERE + 60)
    assert choosing(table.letters(asked)[-1])
    assert not table.exists(second), "the letter has the hand"


async def test_a_player_asks_the_others_from_dms(table: SimTable) -> None:
    asked, _other = await duel(table)
    await in_dm(table, asked, "table hints")
    assert "Agree" in table.newest().labels


async def test_player_without_view_asks_nothing_in_channel(table: SimTable) -> None:
    asked, _other = await duel(table)
    await table.deny_roles("view_channel")
    assert "view channel" in (await in_dm(table, asked, "table hints")).text
