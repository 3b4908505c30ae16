"""Whether a flood at one table delays another: `python -m tests.wire.flood`, against the real process.

People in other games act one after another, first undisturbed, then while members of one server send every command
there is, each as soon as the previous one is answered, animations above all. Everything happens on 127.0.0.1 and ends
by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.wire.crowd import Stage, stage
from tests.wire.figures import ms, percentile, show
from tests.wire.filling import Place
from tests.wire.load import play
from tests.wire.people import Person
from tests.wire.process import TREE

FLOODED = 1
"""The table that is flooded; the people whose answers are timed are at others."""
FILMS = 0.3
"""The share of animations among the commands sent."""
SAID: dict[str, dict[str, Any]] = {"play": {"card": "A"}, "me notify": {"where": "channel"}}
"""The options without which commands cannot be sent."""


async def flood(on: Stage, members: int, until: asyncio.Event, seed: int = 1) -> Counter[str]:
    """Send commands until told to stop; returns how many were answered, and how many were not."""
    world = on.wire.world
    channel = world.channels[Place(FLOODED).channel]
    guild = world.guilds[Place(FLOODED).guild]
    group = next(one for one in world.commands if one["name"] == "dog")
    inner = [
        (one["name"], [sub["name"] for sub in one.get("options", ()) if sub["type"] == 1]) for one in group["options"]
    ]
    names = [f"{name} {sub}".strip() for name, subs in inner for sub in subs or [""]]
    code = Place(FLOODED).code
    # Those with a seat there may see the game; the others are strangers who only share the channel.
    players = [on.crowd.people[Place(FLOODED).user(seat)] for seat in range(4)]
    strangers = [Person(on.wire, world.add_user(f"flood{one}", guild)) for one in range(members - len(players))]
    counted: Counter[str] = Counter()

    async def one(person: Person, dice: random.Random) -> None:
        while not until.is_set():
            name = "replay" if dice.random() < FILMS else dice.choice(names)
            options = {"game": code} if name == "replay" else SAID.get(name, {})
            answer = await person.slash(channel, f"dog {name}", **options)
            counted["not acknowledged" if answer.acknowledged is None else "acknowledged"] += 1
            on.wire.interactions.forget(answer.made)

    dice = random.Random(seed)
    tasks = [asyncio.create_task(one(person, random.Random(dice.random()))) for person in (*players, *strangers)]
    await until.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return counted


async def compare(members: int, tables: int, rate: float, seconds: float, tree: Path) -> list[tuple[str, str]]:
    """The same actions, undisturbed and during a flood; rows for people to read."""
    async with stage(tables, tree=tree) as on:
        del on.crowd.channels[FLOODED]  # nobody's action is timed there
        await play(on, rate, 5, 0, seed=2)
        quiet = dict(await play(on, rate, seconds, 0, seed=3))
        calm = on.crowd.tally.answers()
        until = asyncio.Event()
        flooding = asyncio.create_task(flood(on, members, until))
        await asyncio.sleep(1)
        begun = time.perf_counter()
        loud = dict(await play(on, rate, seconds, 0, seed=4))
        took = time.perf_counter() - begun
        hurried = on.crowd.tally.answers()
        until.set()
        counted = await flooding
        tracebacks = on.bot.tracebacks()
    sent = sum(counted.values())
    rows = [("commands of the flood", f"{sent}"), ("commands of the flood a second", f"{sent / took:.0f}")]
    rows += [(f"... {what}", f"{number}") for what, number in sorted(counted.items())]
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        before, then = percentile(calm, share), percentile(hurried, share)
        rows.append((f"acknowledged {name} in peace, in the flood", f"{ms(before)}, {ms(then)}"))
        rows.append((f"ratio of {name}", f"{then / max(before, 1e-6):.1f}"))
    for what in ("unanswered within 3 s", "board shown p95", "event loop held at most"):
        rows.append((f"{what} in peace, in the flood", f"{quiet[what]}, {loud[what]}"))
    return [*rows, ("tracebacks", f"{tracebacks}")]


def main(words: list[str] | None = None) -> int:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(prog="python -m tests.wire.flood", description=__doc__)
    parser.add_argument("--members", type=int, default=20, help="who floods (default 20, the table's four among them)")
    parser.add_argument("--tables", type=int, default=200, help="open games (default 200)")
    parser.add_argument("--rate", type=float, default=2, help="actions a second at the other tables (default 2)")
    parser.add_argument("--seconds", type=float, default=30, help="how long each part lasts (default 30)")
    parser.add_argument("--tree", type=Path, default=TREE, help="the checkout whose bot is measured")
    chosen = parser.parse_args(words)
    rows = asyncio.run(compare(chosen.members, chosen.tables, chosen.rate, chosen.seconds, chosen.tree.resolve()))
    print(show(f"{chosen.members} members flood one table, {chosen.rate:g} actions a second at others", rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
