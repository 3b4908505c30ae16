"""Nothing lost, nothing twice: `python -m tools.campaigns.soak kills|faults|outage|held|gone|stops`.

People at games of every rule system play on while the process is killed, answers are lost, Discord is away. They write
down every action that was acknowledged. Afterwards the log, the boards and the calls are checked:

- no acknowledged action is missing, none is in the log twice, and no row that was seen has changed;
- seeds are as they were, so no card was dealt differently;
- no player was called twice for a decision;
- at every table one board has buttons, and it can be played on.

`make soak` makes long runs; short ones are tests. All of it on 127.0.0.1, bounded, ending by itself.
"""

import argparse
import asyncio
import contextlib
import random
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any

import discord

from tools.campaigns.crowd import PATIENCE, Stage, stage
from tools.campaigns.figures import percentile
from tools.campaigns.filling import DAY, GUILD_GAMES, Place
from tools.campaigns.players import SYSTEMS, Players, Report
from tools.wire.faults import CALLBACKS, EDITS, POSTS, Fault
from tools.wire.mirror import Mirror
from tools.wire.people import until

IN_DMS_EVERY = 3
"""Every third game of kills, failing posts and outages is played in direct messages."""

LATE = (0.0, 8.0)
"""Seconds by which late answers follow their effect."""


@asynccontextmanager
async def course(report: Report, players: Players, *, tracebacks: bool = False) -> AsyncIterator[None]:
    """Let people play during the block, then check everything and add the figures to the report.

    `tracebacks`: True if any in the log are to be expected.
    """
    players.begin()
    yield
    await players.rest()
    report.faults += await players.settle(within=PATIENCE)
    report.faults += players.faults()
    report.faults += await players.find_stuck(within=PATIENCE)
    report.rows = [
        ("actions tried", f"{len(players.deeds)}"),
        ("acknowledged", f"{players.done}"),
        *players.tally.rows,
        ("calls", f"{sum(map(len, players.calls.values()))}"),
        *report.rows,
    ]
    _look_for_traces(players.on, report, expected=tracebacks)


@asynccontextmanager
async def people(
    report: Report,
    queues: Sequence[Sequence[int]],
    seed: int,
    *,
    tracebacks: bool = False,
    in_dms: Collection[int] = (),
) -> AsyncIterator[Players]:
    """Do the same with one process, on a stage with these games, some of them `in_dms`; yields the players."""
    async with stage(max(map(max, queues)), system=SYSTEMS, start=False, in_dms=in_dms) as on:
        await on.start(on.bot)
        players = Players(on, queues, seed)
        async with course(report, players, tracebacks=tracebacks):
            yield players


def _look_for_traces(on: Stage, report: Report, *, expected: bool = False) -> None:
    found = sum(bot.tracebacks() for bot in on.bots)
    report.rows.append(("tracebacks", f"{found}"))
    if found and not expected:
        report.faults.append("there are tracebacks in the log")


def _each_alone(games: int) -> list[list[int]]:
    return [[number] for number in range(1, games + 1)]


async def kills(
    times: int, games: int = 10, seed: int = 1, *, within: float = PATIENCE, minutes: float = 600
) -> Report:
    """Send SIGKILL at random moments; see `strike`."""
    report = Report("")
    rounds = 1 + times // 25
    queues = [range(first, games * rounds + 1, games) for first in range(1, games + 1)]
    in_dms = [number for queue in queues for number in queue if number % IN_DMS_EVERY == 0]
    async with people(report, queues, seed, tracebacks=True, in_dms=in_dms) as players:
        await strike(report, players, times, every=(0.2, 2.0), within=within, seconds=60 * minutes)
        report.title += f", {games} games of all systems at once"
    return report


async def strike(
    report: Report,
    players: Players,
    times: int,
    *,
    every: tuple[float, float],
    actions: int = 0,
    within: float = PATIENCE,
    seconds: float = 36_000,
    seed: int = 1,
) -> None:
    """Kill a process now and then (`every`: seconds), or at the very moment when it has posted something.

    This goes on until this many kills and acknowledged actions, or for `seconds` if those are over first. After
    each start every table of the process has to be playable `within` seconds, not counting those in which it could have
    worked if other programs had not had the cores. Losses are looked for after each kill; after every tenth people rest
    until everything is shown and boards and calls can be checked too. Both are reported on standard error, so that a
    run that is cut off has said how far it got. SIGTERM ends the run with its verdict.
    """
    dice, on = random.Random(seed), players.on
    back: list[float] = []
    waited: list[float] = []
    ends = time.perf_counter() + seconds
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)

    def over() -> bool:
        enough = len(back) >= times and players.done >= actions
        return enough or told.is_set() or players.ended or time.perf_counter() >= ends

    while not over():
        if await until(over, dice.uniform(*every)):
            break
        bot = dice.choice(on.bots)
        if dice.random() < 0.5:
            await bot.strike_at_post(lambda message, bot=bot: on.serves(bot, message))  # type: ignore[misc]
        await bot.kill()
        begun = time.perf_counter()
        await on.start(bot)
        mine = [number for number in players.playing if on.process_of(number) is bot]
        stuck = await players.find_stuck(mine, within=PATIENCE)
        back.append(time.perf_counter() - begun)
        waited.append(bot.held_up())
        report.faults += [*stuck, *players.losses()]
        if back[-1] - waited[-1] > within:
            report.faults.append(f"kill {len(back)}: playable after {back[-1] - waited[-1]:.1f} s only")
        _tell(
            f"{len(back)} kills, {players.done} actions: playable after {back[-1]:.1f} s, of them {waited[-1]:.1f} s "
            f"without a core; {len(report.faults)} faults"
        )
        if len(back) % 10 == 0:
            await players.rest()
            report.faults += await players.settle(within=PATIENCE)
            _tell(f"after {len(back)} kills: " + ("; ".join(report.faults + players.faults()) or "all is well"))
            players.begin()
    report.title = f"{len(back)} kills"
    at_most = max((took - lost for took, lost in zip(back, waited, strict=True)), default=0)
    report.rows += [
        ("playable after a kill p50", f"{percentile(back, 0.5):.1f} s"),
        ("at most", f"{max(back, default=0):.1f} s"),
        ("without waiting for a core at most", f"{at_most:.1f} s"),
    ]


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


async def faults(actions: int, games: int = 10, seed: int = 1) -> Report:
    """Let a third of all posts fail, before or after taking effect; cut off answers and reset connections."""
    report = Report(f"a third of posts failing, {games} games of all systems")
    in_dms = range(IN_DMS_EVERY, games + 1, IN_DMS_EVERY)
    async with people(report, _each_alone(games), seed, tracebacks=True, in_dms=in_dms) as players:
        on = players.on
        rule = on.wire.faults.add(*Fault, route=POSTS, share=1 / 3, status=503, late=LATE)
        await until(lambda: len(players.deeds) >= actions, 600)
        on.wire.faults.rules.remove(rule)
        struck = ", ".join(f"{count} {kind.value}" for kind, count in on.wire.faults.counts.items())
        report.rows = [(f"faults: {struck}", "")]
    return report


async def outage(tables: int, seconds: float) -> Report:
    """Take Discord away while time runs out at every table, and `seconds` more; afterwards each is told once, in turn.

    The deadlines are spread over these seconds. Afterwards the tables whose next moment is nearest are told first. At
    those in direct messages each of the four is told.
    """
    report = Report(f"an outage in which the time of {tables} tables ends")
    in_dms = range(IN_DMS_EVERY, tables + 1, IN_DMS_EVERY)
    async with stage(tables, start=False, everywhere=50, in_dms=in_dms) as on:
        moment = await _start_before_time_ends(on, int(seconds * 0.8), tables)
        before = len(on.wire.world.posted)
        on.wire.go_down()
        await asyncio.sleep(max(0.0, moment - time.time()) + seconds)
        on.wire.come_back()
        back = time.perf_counter()
        mirror = Mirror(on.bot.database)
        ends = mirror.ends()

        urgent = sorted(ends, key=lambda number: (ends[number], number))
        places = {number: [on.crowd.place_of(number, seat) for seat in range(4)] for number in urgent}
        turns = {place.id: turn for turn, number in enumerate(urgent) for place in places[number] if place is not None}

        def told() -> list[int]:
            return list(dict.fromkeys(turns[message.channel_id] for message in on.wire.world.posted[before:]))

        def untold() -> list[int]:
            reached = {message.channel_id for message in on.wire.world.posted[before:]}
            return [turn for place, turn in turns.items() if place not in reached]

        await until(lambda: not untold(), 240)
        early = [place - turn for turn, place in enumerate(told())]
        took = time.perf_counter() - back
        await asyncio.sleep(5)
        posted = on.wire.world.posted[before:]
        counts = Counter(message.channel_id for message in posted)
        report.faults += [f"{count} messages at {channel}" for channel, count in counts.items() if count > 1]
        report.faults += [f"not all were told at {urgent[turn]}" for turn in sorted(set(untold()))]
        mirror.close()
        report.rows = [
            ("tables told", f"{len(told())}"),
            ("messages", f"{len(posted)}"),
            ("after Discord was back", f"{took:.1f} s"),
            ("refused by the global limit", f"{on.wire.limits.refused}"),
            ("told out of turn by more than eight places", f"{sum(places > 8 for places in early)}"),
        ]
        if sum(places > 8 for places in early) > 8:
            report.faults.append("those with the least time were not told first")
        _look_for_traces(on, report)
    return report


async def _start_before_time_ends(on: Stage, seconds: int, tables: int) -> int:
    """Start the bot on tables whose time ends soon after, within `seconds`; returns the first Unix second."""
    filled, lead = on.bot.database.read_bytes(), 6
    while True:
        moment = int(time.time()) + lead
        with contextlib.closing(sqlite3.connect(on.bot.database)) as connection, connection:
            connection.execute(
                "UPDATE deadlines SET stage = 'up', due_at = ? + game_id * ? / ?, ends_at = ? + game_id * ? / ?, "
                "since = ? - ?",
                (moment, seconds, tables, moment, seconds, tables, moment, DAY),
            )
        await on.start(on.bot)
        if time.time() < moment - 1:
            return moment
        # The machine is busy, and the start took too long: begin again, with more time.
        await on.bot.kill()
        for file in on.bot.folder.glob("dog.db*"):
            file.unlink()
        on.bot.database.write_bytes(filled)
        lead *= 2


async def held(tables: int, seconds: float) -> Report:
    """Hold this many boards behind a global 429; clicks must still be answered."""
    report = Report(f"{tables} boards behind a global limit of {seconds:g} s")
    async with stage(tables, behind=tables, start=False) as on:
        await on.start(on.bot)
        on.wire.limits.hold(seconds)
        players = Players(on, _each_alone(tables))
        begun, number = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds:
            number = number % tables + 1
            await players.ask(number)
            await asyncio.sleep(0.1)
        await until(lambda: len(on.crowd.shown) >= tables, 300)
        took = time.perf_counter() - begun - seconds
        if players.tally.unanswered:
            report.faults.append(f"{players.tally.unanswered} clicks were not answered")
        if len(on.crowd.shown) < tables:
            report.faults.append(f"{tables - len(on.crowd.shown)} boards never came")
        report.rows = [*players.tally.rows, ("last board after the limit", f"{took:.1f} s")]
        _look_for_traces(on, report)
    return report


async def gone(games: int = 12, actions: int = 60, seed: int = 1) -> Report:
    """Remove messages, a channel, a guild, permissions and connections in the middle of play."""
    report = Report(f"things that go, {games} games of all systems")
    dice = random.Random(seed)
    # Another game is played in its own guild.
    elsewhere = GUILD_GAMES + 1
    async with people(report, [*_each_alone(games), [elsewhere]], seed) as players:
        on = players.on
        world = on.wire.world
        await until(lambda: players.done >= actions // 3, 120)
        # Boards disappear at every table, the channel at one, permissions at three others, and a whole guild.
        for number in range(1, games + 1):
            channel = world.channels[Place(number).channel]
            for message in list(channel.messages.values()):
                if dice.random() < 0.7:
                    world.delete_message(message)
        world.delete_channel(world.channels[Place(1).channel])
        world.delete_guild(world.guilds[Place(elsewhere).guild])
        for number, permission in ((2, "view_channel"), (3, "send_messages"), (4, "attach_files")):
            channel = world.channels[Place(number).channel]
            world.restrict(channel, deny=discord.Permissions(**{permission: True}))
        on.wire.gateway.cut()
        await until(lambda: players.done >= 2 * actions // 3, 120)
        for number in (2, 3, 4):
            world.restrict(world.channels[Place(number).channel], deny=discord.Permissions.none())
        await until(lambda: players.done >= actions, 120)
        await players.rest()
        for number in (1, elsewhere):
            players.games.remove(number)
    return report


async def stops(times: int, games: int = 10, seed: int = 1, *, within: float = 5) -> Report:
    """Send SIGTERM in the middle of play: status 0 within five seconds, no traceback, and the next start carries on."""
    dice = random.Random(seed)
    report = Report(f"{times} stops in the middle of play")
    lasted: list[float] = []
    async with people(report, _each_alone(games), seed) as players:
        on = players.on
        for route in (POSTS, EDITS, CALLBACKS):
            on.wire.faults.add(Fault.LATE_AFTER, route=route, share=1 / 3, late=LATE)
        for _ in range(times):
            await asyncio.sleep(dice.uniform(0.5, 2.5))
            code, seconds = await on.bot.stop()
            lasted.append(seconds)
            if code != 0:
                report.faults.append(f"ended with {code}")
            await on.start(on.bot)
        on.wire.faults.clear()
        await until(lambda: players.done > 0, 60)
        if max(lasted) > within:
            report.faults.append(f"a stop took {max(lasted):.1f} s")
        report.rows = [
            ("a stop p50", f"{percentile(lasted, 0.5):.2f} s"),
            ("a stop at most", f"{max(lasted):.2f} s"),
        ]
    return report


def main(words: Sequence[str] | None = None) -> int:
    """Run the given parts, or all; returns 1 if anything is wrong."""
    parts: dict[str, Callable[[argparse.Namespace], Any]] = {
        "kills": lambda chosen: kills(
            chosen.times, chosen.games, chosen.seed, within=chosen.within, minutes=chosen.minutes
        ),
        "faults": lambda chosen: faults(chosen.actions, chosen.games, chosen.seed),
        "outage": lambda chosen: outage(200, chosen.seconds),
        "held": lambda chosen: held(500, 25),
        "gone": lambda chosen: gone(actions=chosen.actions, seed=chosen.seed),
        "stops": lambda chosen: stops(max(1, chosen.times // 10), chosen.games, chosen.seed),
    }
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.soak", description=__doc__)
    parser.add_argument("part", nargs="*", choices=[*parts, []], help="all of them if you say nothing")
    parser.add_argument("--times", type=int, default=200, help="kills; a tenth as many stops")
    parser.add_argument("--actions", type=int, default=500)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--within", type=float, default=10, help="seconds after a kill until every table is playable")
    parser.add_argument("--seconds", type=float, default=60, help="for how long Discord is away")
    parser.add_argument("--minutes", type=float, default=600, help="the most that the kills take")
    chosen = parser.parse_args(words)
    bad = 0
    for part in chosen.part or list(parts):
        report = asyncio.run(parts[part](chosen))
        print(report, flush=True)
        bad += bool(report.faults)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
