"""For tests with clocks: games, the time of day, and what has been posted since."""

import random
from collections.abc import Sequence
from typing import Any

from bot.pace import PACES
from bot.texts.names import MARKS
from tests.cogs.playing import on_turn, past_the_exchange, seat_everyone, take_turn, the_table
from tests.simtable import Seen, SimTable

LIVE, BRISK, DAILY, RELAXED = 180, 3_600, 86_400, 259_200
"""The seconds that a seat has, by pace."""

DAY = 86_400


def now(table: SimTable) -> int:
    """The time of day, in Unix seconds."""
    return int(table.env.now().timestamp())


async def duel(table: SimTable, pace: str = "brisk") -> tuple[Any, Any]:
    """A game of two after the exchange: the member who is asked now, and the other one."""
    await past_the_exchange(table, rules="royal-basic", players=2, pace=pace)
    return await asked_and_other(table)


async def solo(table: SimTable, pace: str = "brisk") -> Any:
    """A game of the first member against three computers, waiting for the card to give away."""
    await seat_everyone(table, computers=3, pace=pace)
    return table.members[0]


async def six(table: SimTable, pace: str = "brisk") -> Sequence[Any]:
    """A game of six who all have a card to give away; returns them in turn order."""
    for name in ("eva", "finn"):
        table.members.append(table.guild.add_member(table.env.create_user(name)))
    await seat_everyone(table, rules="dobney", players=6, pace=pace)
    return table.members


async def asked_and_other(table: SimTable) -> tuple[Any, Any]:
    """The two in a duel: the one who is asked now, and the other."""
    asked = await on_turn(table)
    return asked, next(member for member in table.members[:2] if member.id != asked.id)


async def play(table: SimTable, member: Any) -> None:
    """Let this member act once."""
    await take_turn(table, member, random.Random(3))


async def until_asked(table: SimTable, member: Any) -> None:
    """Let the others play until the game is waiting for this member only."""
    for _ in range(30):
        waiting = set((await the_table(table)).waiting_for.values())
        if waiting == {member.id}:
            return
        await play(table, next(one for one in table.members if one.id in waiting - {member.id}))
    raise AssertionError(f"{member.name} is never asked")


async def missed(table: SimTable, notify: str = "channel", pace: str = "relaxed") -> tuple[Any, Any]:
    """A game of two in which one has missed three turns, so that a computer plays; the absent member, and the other."""
    absent, other = await duel(table, pace)
    if notify != "channel":
        await table.slash(absent, "dog me notify", where=notify)
    for _ in range(200):
        if await plays(table, absent) is None:
            return absent, other
        if other.id in (await the_table(table)).waiting_for.values():
            await play(table, other)
        else:
            await table.wait((PACES[pace].seconds or 0) * 1.1 + 1)
    raise AssertionError(f"{absent.name} keeps the seat")


async def down(table: SimTable, seconds: float) -> None:
    """Let the bot be down for this long."""
    await table.bot.close()
    await table.wait(seconds)
    await table.start()


def since(table: SimTable, before: Seen) -> list[Seen]:
    """The public messages in the channel after this one."""
    return [seen for seen in table.messages() if seen.id > before.id]


def is_time_up(seen: Seen) -> bool:
    """Whether this message says whose time is up (and lets others at the table choose what happens)."""
    return seen.text.startswith("⌛ **")


async def plays(table: SimTable, member: Any) -> int | None:
    """Who plays this member's seat: their own id, or None for a computer."""
    opened = await the_table(table)
    return opened.occupants[opened.seat_of(member.id)].plays


async def marked(table: SimTable, member: Any) -> str:
    """A member as public texts name them: the seat's mark, and the name."""
    seat = (await the_table(table)).seat_of(member.id)
    return f"{MARKS[seat]} **{member.name}**"


async def quiet(table: SimTable, member: Any, first: str, last: str, zone: str = "Europe/London") -> None:
    """Choose quiet hours."""
    hours: dict[str, Any] = {"from": first, "until": last, "time_zone": zone}
    assert (await table.slash(member, "dog me quiet", **hours)).refusal is None


async def history(table: SimTable, member: Any, code: str | None = None) -> str:
    """The newest page of the history."""
    named: dict[str, Any] = {"game": code} if code else {}
    return (await table.slash(member, "dog history", **named)).text


async def log(table: SimTable, moderator: Any) -> list[str]:
    """The lines of the moderators' log, newest first."""
    return (await table.slash(moderator, "dog-admin moderate log")).text.splitlines()
