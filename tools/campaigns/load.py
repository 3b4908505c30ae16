"""Load of the real process: `python -m tools.campaigns.load run|ramp|start|burst|computers`.

`run`: N open games, R actions a second for T seconds by people who type `/dog play` (and, with `--buttons`, press their
way); with `--rest`, afterwards a while of rest. `ramp`: the same with growing R, until answers break down. `start`: a
start with N games of which M are behind. `burst`: many deadlines at one moment. `computers`: many people act within
seconds, each against computers. Everything happens over the wire on 127.0.0.1 and ends by itself. The global limit of
50 requests a second is lifted, as Discord does for large bots; the limits of channels apply.
"""

import argparse
import asyncio
import itertools
import signal
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

from tools.campaigns.crowd import Stage, stage
from tools.campaigns.figures import ms, percentile, show
from tools.campaigns.filling import DAY
from tools.campaigns.players import Players, Tally
from tools.wire.mirror import Mirror

WARMING = 10
"""Actions a second before anything is measured, so that each table has been seen once."""

CALM = 5.0
"""Seconds without a message after which a burst counts as finished."""

ASKING = 200
"""People who look at their hands, one after another, while a start is measured."""

FELT = ("interactions without an answer", "acknowledged p50", "acknowledged p99", "acknowledged max", "board p95")
"""The figures that people at other tables notice."""

ELSEWHERE = 50
"""Tables besides those that a burst or a crowd is about, where people's waits are measured."""

MANY = 4096
"""Presses that may wait for an answer at once; beyond that people stop trying."""

Rows = list[tuple[str, str]]


class Many(Players):
    """People who all play at once, at a rate; they see every board before they go on."""

    patience = 30.0
    looks = 55.0

    def __init__(self, on: Stage, numbers: Sequence[int], buttons: float = 0, *, seed: int = 1) -> None:
        super().__init__(on, [[number] for number in numbers], seed)
        self.pressing = buttons

    async def warm(self, seconds: float) -> None:
        """Play at one table after another, so that the process knows them as if it had run for a while."""
        if seconds:
            await self.play(WARMING, seconds, in_turn=True)

    async def play(self, rate: float, seconds: float, *, in_turn: bool = False) -> Rows:
        """Take actions at this rate for this long, open loop: people do not wait for each other. Returns figures.

        `in_turn`: at one table after another, by number, instead of anywhere.
        """
        self.tally, bot = Tally(), self.on.bot
        free = [number for number in self.games if self.mirror.status(number) == "playing"]
        tasks: set[asyncio.Task[None]] = set()
        tried, done, memory = len(self.deeds), self.done, [bot.memory()]
        held, spent, begun = len(bot.held()), bot.processor(), time.perf_counter()
        due, looked = begun, begun

        async def act(number: int) -> None:
            if await self.act(number):
                free.append(number)

        while (now := time.perf_counter()) < begun + seconds:
            if now < due:
                await asyncio.sleep(min(due - now, 0.05))
                continue
            due += 1 / rate
            if now - looked > 1:
                memory.append(bot.memory())
                looked = now
            if free and len(tasks) < MANY:
                task = asyncio.create_task(act(free.pop(0 if in_turn else self._dice.randrange(len(free)))))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        if tasks:
            await asyncio.wait(tasks, timeout=60)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        tally, tried, done = self.tally, len(self.deeds) - tried, self.done - done
        return [
            ("actions tried", f"{tried}"),
            ("told to try again, or not committed", f"{tried - done}"),
            *tally.rows,
            ("board p50", ms(percentile(tally.boards, 0.5))),
            ("board p95", ms(percentile(tally.boards, 0.95))),
            ("processor an action", ms((bot.processor() - spent) / max(1, done))),
            ("event loop held at most", ms(max(bot.held()[held:], default=0))),
            ("memory begin, middle, end", " ".join(f"{memory[at]:.0f}" for at in (0, len(memory) // 2, -1)) + " MB"),
            ("tracebacks", f"{bot.tracebacks()}"),
        ]


async def run(chosen: argparse.Namespace) -> None:
    """Measure a rate; after `rest` seconds, what was committed should be shown, and people be answered as before."""
    async with stage(chosen.tables, system=chosen.system) as on:
        people = Many(on, range(1, chosen.tables + 1), chosen.buttons)
        await people.warm(chosen.warm)
        figures = await people.play(chosen.rate, chosen.seconds)
        if chosen.rest:
            await asyncio.sleep(chosen.rest)
            behind = people.mirror.behind()
            calm = dict(await people.play(1, 10))
            figures += [
                ("boards behind after the rest", f"{behind}"),
                ("memory after that", f"{on.bot.memory():.0f} MB"),
                ("acknowledged p99 afterwards", calm["acknowledged p99"]),
            ]
    print(show(f"{chosen.tables} open games, {chosen.rate:g} actions a second for {chosen.seconds:g} s", figures))


async def ramp(chosen: argparse.Namespace) -> None:
    """Raise the rate at one process until the 99th percentile of acknowledgements is above half a second."""
    rate = chosen.rate
    async with stage(chosen.tables, system=chosen.system) as on:
        people = Many(on, range(1, chosen.tables + 1), chosen.buttons)
        # Each table is seen once, as in a process that has run for a while.
        await people.warm(chosen.warm or 1.1 * chosen.tables / WARMING)
        while rate <= chosen.most:
            print(show(f"{rate:g} actions a second", await people.play(rate, chosen.seconds)), flush=True)
            if percentile(people.tally.waits, 0.99) > 0.5:
                return
            rate *= chosen.step


async def start(chosen: argparse.Namespace) -> None:
    """Measure a start with many open games, some of them behind; people ask from the first moment."""
    async with stage(chosen.tables, behind=chosen.behind, start=False) as on:
        begun = time.perf_counter()
        connected = await on.bot.start(within=300)
        people, answered, peak = Players(on, []), None, 0.0
        people.patience = 3
        # Many people in turn at tables that are not behind: a single person would soon be asked to slow down.
        numbers = itertools.cycle(range(max(chosen.behind + 1, chosen.tables - ASKING + 1), chosen.tables + 1))
        while time.perf_counter() - begun < chosen.seconds:
            if (await people.ask(next(numbers))).acknowledged is not None:
                answered = answered or time.perf_counter() - begun
            peak = max(peak, on.bot.memory())
            if len(on.crowd.shown) >= chosen.behind and answered is not None:
                break
            await asyncio.sleep(0.2)
        shown = max(on.crowd.shown.values(), default=begun) - begun
        figures = [
            ("connected after", f"{connected:.1f} s"),
            ("first answer after", "never" if answered is None else f"{answered:.1f} s"),
            *people.tally.rows,
            ("boards shown", f"{len(on.crowd.shown)} of {chosen.behind}"),
            ("last board after", f"{shown:.1f} s"),
            ("processor", f"{on.bot.processor():.1f} s"),
            ("memory at most", f"{peak:.0f} MB"),
        ]
    print(show(f"start with {chosen.tables} open games, {chosen.behind} of them behind", figures))


async def burst(chosen: argparse.Namespace) -> None:
    """Measure many deadlines at one moment, while people in other games look at their hands."""
    async with stage(chosen.tables + ELSEWHERE, start=False) as on:
        moment = int(time.time()) + 20
        with closing(sqlite3.connect(on.bot.database)) as connection, connection:
            since = moment - (DAY if chosen.over else DAY // 2)
            due = connection.execute(
                "UPDATE deadlines SET due_at = ?, since = ? WHERE game_id <= ?", (moment, since, chosen.tables)
            ).rowcount
            if chosen.over:
                connection.execute(
                    "UPDATE deadlines SET stage = 'up', ends_at = ? WHERE game_id <= ?", (moment, chosen.tables)
                )
        await on.bot.start(within=300)
        await asyncio.sleep(max(0, moment - time.time() - 1))
        people, spent, held = Players(on, []), on.bot.processor(), len(on.bot.held())
        people.patience = 3
        posted: list[float] = []
        on.wire.world.on_message.append(lambda message: posted.append(time.perf_counter()))
        begun, left, done = time.perf_counter(), due, None
        numbers = itertools.cycle(range(chosen.tables + 1, chosen.tables + ELSEWHERE + 1))
        while time.perf_counter() - begun < chosen.seconds:
            await people.ask(next(numbers))
            left = people.mirror.value(f"SELECT count(*) FROM deadlines WHERE due_at = {moment}")
            if left == 0 and time.time() > moment + 1:
                done = done or time.perf_counter() - begun
                # What is said about them comes after they are done with.
                if time.perf_counter() - max([begun + done, *posted[-1:]]) > CALM:
                    break
            await asyncio.sleep(0.25)
        figures = [
            ("deadlines worked off", f"{due - left} of {due}"),
            ("after", "not in time" if done is None else f"{done:.1f} s"),
            ("messages about them", f"{len(posted)}"),
            ("  the last after", f"{max(posted, default=begun) - begun:.1f} s"),
            ("processor a deadline, messages included", ms((on.bot.processor() - spent) / max(1, due - left))),
            *people.tally.rows,
            ("event loop held at most", ms(max(on.bot.held()[held:], default=0))),
            ("memory", f"{on.bot.memory():.0f} MB"),
            ("tracebacks", f"{on.bot.tracebacks()}"),
        ]
    print(show(f"{due} deadlines at one moment", figures))


async def computers(chosen: argparse.Namespace) -> None:
    """Let many people act within seconds, each against computers; people elsewhere play on meanwhile."""
    async with stage(chosen.tables + ELSEWHERE, system=chosen.system, start=False) as on:
        numbers = range(1, chosen.tables + 1)
        people = Many(on, numbers)
        mirror = people.mirror
        acting = [(number, mirror.game(number).to_act[0]) for number in numbers]
        with closing(sqlite3.connect(on.bot.database)) as connection, connection:
            connection.executemany("DELETE FROM deadlines WHERE game_id = ? AND seat != ?", acting)
            connection.executemany(
                "UPDATE seats SET computer = ?, user_id = NULL WHERE game_id = ? AND seat != ?",
                [(chosen.level, *place) for place in acting],
            )
        others = Many(on, range(chosen.tables + 1, chosen.tables + ELSEWHERE + 1))
        await on.bot.start(within=300)
        await _wait_decided(mirror)
        await others.play(chosen.rate, chosen.warm)
        calm = dict(await others.play(chosen.rate, chosen.seconds))
        decided, begun = _decisions(mirror), time.perf_counter()
        meanwhile = asyncio.create_task(others.play(chosen.rate, chosen.seconds))

        async def act(number: int) -> None:
            await asyncio.sleep(chosen.within * number / chosen.tables)
            before = mirror.game(number).number
            # People who are told to try again do so.
            while mirror.game(number).number == before and time.perf_counter() - begun < chosen.seconds:
                if not await people.act(number):
                    return

        await asyncio.gather(*map(act, numbers))
        shown, busy = time.perf_counter() - begun, dict(await meanwhile)
        await _wait_decided(mirror)
        figures = [
            ("decisions of computers", f"{_decisions(mirror) - decided}"),
            *((f"people who set them off: {name}", figure) for name, figure in people.tally.rows),
            ("  all their boards after", f"{shown:.1f} s"),
            *((f"everyone else, before: {name}", calm[name]) for name in FELT),
            *((f"  meanwhile: {name}", busy[name]) for name in FELT),
            ("event loop held at most", busy["event loop held at most"]),
            ("tracebacks", f"{on.bot.tracebacks()}"),
        ]
    print(show(f"{chosen.tables} people within {chosen.within:g} s, each against {chosen.level} computers", figures))


def _decisions(mirror: Mirror) -> int:
    return mirror.value("SELECT count(*) FROM actions WHERE actor = 'computer'")


async def _wait_decided(mirror: Mirror) -> None:
    """Wait until no computer has decided anything for a while."""
    known = -1
    while known != (now := _decisions(mirror)):
        known = now
        await asyncio.sleep(CALM)


USUAL: Mapping[str, Mapping[str, Any]] = {
    "run": {"tables": 1000, "seconds": 60, "rate": 5, "warm": 5, "rest": 0},
    "ramp": {"tables": 1000, "seconds": 20, "rate": 2, "warm": 0, "most": 100, "step": 1.5},
    "start": {"tables": 10_000, "seconds": 240, "behind": 1000},
    "burst": {"tables": 10_000, "seconds": 240},
    "computers": {"tables": 200, "seconds": 30, "rate": 4, "warm": 30, "level": "strong", "within": 5},
}
"""Default options of each scenario."""

OPTIONS: tuple[tuple[str, Callable[[str], Any], str], ...] = (
    ("tables", int, "how many games are open"),
    ("seconds", float, "how long, at most"),
    ("system", str, "of the games"),
    ("rate", float, "actions a second (of everyone else)"),
    ("buttons", float, "run, ramp: share of actions that are pressed, not typed"),
    ("warm", float, "seconds to warm up; in a ramp 0: until all tables are"),
    ("rest", float, "run: seconds of rest afterwards"),
    ("most", float, "ramp: the highest rate to try"),
    ("step", float, "ramp: how much each rate is of the one before"),
    ("level", str, "computers: how they play"),
    ("within", float, "computers: seconds within which people act"),
    ("behind", int, "start: how many boards are outdated"),
)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.load", description=__doc__)
    scenarios = {scenario.__name__: scenario for scenario in (run, ramp, start, burst, computers)}
    parser.add_argument("scenario", choices=scenarios)
    for name, kind, says in OPTIONS:
        parser.add_argument(f"--{name}", type=kind, help=says)
    parser.add_argument("--over", action="store_true", help="burst: the times are up, instead of reminders")
    chosen = parser.parse_args(words)
    for name, value in {"system": "classic", "buttons": 0, **USUAL[chosen.scenario]}.items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, value)
    # Nor may a run that is ended from outside leave a process behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    asyncio.run(scenarios[chosen.scenario](chosen))


if __name__ == "__main__":
    main()
