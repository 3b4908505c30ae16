"""How much the real process carries: `python -m tests.wire.load run|ramp|overload|start|burst|computers`.

`run`: N open games, R actions a second for T seconds by people who type `/dog play` (and, with `--buttons`, press their
way). `ramp`: the same with growing R, until answers break down. `overload`: more than can be carried, then a minute of
rest. `start`: a start with N games of which M are behind. `burst`: many deadlines at one moment. `computers`: many
people act within seconds, each against computers. Everything happens over the wire on 127.0.0.1 and ends by itself.
`--tree` measures the bot of another checkout. The global limit of 50 requests a second is lifted, as Discord does for
large bots; the limits of channels apply.
"""

import argparse
import asyncio
import itertools
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.wire.crowd import Stage, Tally, stage
from tests.wire.figures import Stolen, ms, percentile, show, stolen, yardstick
from tests.wire.filling import DAY, Place
from tests.wire.mirror import Mirror
from tests.wire.process import TREE, BotProcess

PROMPT = 2.5
"""Seconds: an acknowledgement that takes longer counts as slow; after three, Discord shows a failure."""

REST = 60.0
"""Seconds of rest after an overload."""

WARMING = 10
"""Actions a second before anything is measured, so that each table has been seen once."""

LOOKING = 10
"""How many boards are drawn before a rate is derived from what they cost."""

CALM = 5.0
"""Seconds without a message after which a burst is taken as told."""

ASKING = 200
"""How many people look at their hands, one after another, while a start is measured."""

FELT = ("acknowledged p50", "acknowledged p99", "acknowledged max", "board shown p95")
"""The figures that people at other tables notice."""

ELSEWHERE = 50
"""Tables besides those that a burst or a crowd is about, where people's waits are measured."""

MANY = 4096
"""Presses that may wait for an answer at once; beyond that nobody tries."""


async def play(
    on: Stage,
    rate: float,
    seconds: float,
    buttons: float,
    seed: int = 1,
    *,
    in_turn: bool = False,
    cores: float = 0,
    above: int = 0,
) -> list[tuple[str, str]]:
    """Take actions at this rate for this long, open loop: nobody waits for anybody else. Returns rows for people.

    `in_turn`: at one table after another, by number, instead of anywhere. `cores`: as many a second as fill this many
    cores with their boards, instead of a fixed rate; it follows the machine, which may become slower and faster.
    `above`: only in games with greater numbers.
    """
    async with yardstick() as boards, stolen() as watched:
        if cores:
            await boards.drawn(LOOKING)
        crowd, bot = on.crowd, on.bot
        crowd.tally = tally = Tally()
        mirror, dice = Mirror(bot.database), random.Random(seed)
        free = [number for number in crowd.channels if number > above and mirror.status(number) == "playing"]
        tasks: set[asyncio.Task[None]] = set()
        gauged, spent, mine, begun = len(bot.gauged()), bot.processors(), time.process_time(), time.perf_counter()
        statements = _statements(bot)
        due, last = begun, begun
        while (now := time.perf_counter()) < begun + seconds:
            if now < due:
                await asyncio.sleep(min(due - now, 0.05))
                continue
            due += boards.lately() / cores if cores else 1 / rate
            if now - last > 1:
                tally.memory.append(bot.memory())
                last = now
            if not free or len(tasks) >= MANY:
                continue
            number = free.pop(0 if in_turn else dice.randrange(len(free)))

            async def one(number: int = number) -> None:
                await crowd.act(mirror, number, dice, buttons=dice.random() < buttons)
                if mirror.game(number).to_act:
                    free.append(number)

            task = asyncio.create_task(one())
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        # Wait for what has been asked so far, then work out the figures.
        ended = time.perf_counter()
        if tasks:
            await asyncio.wait(tasks, timeout=60)
        drained = time.perf_counter() - ended
        late = len(tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.gather(*tasks, return_exceptions=True)
        mirror.close()
        since = bot.gauged()[gauged:]
        held = [one["held"] for one in since]
        used = [after - before for after, before in zip(bot.processors(), spent, strict=True)]
        theirs, shown = time.process_time() - mine, max(1, len(tally.boards))
        board, waits, waits_shown = boards.board(), tally.answers(), tally.shown()
        return [
            ("actions tried", f"{tally.actions}"),
            ("interactions", f"{tally.interactions}"),
            ("unanswered within 3 s", f"{tally.unanswered()}"),
            ("acknowledged p50", ms(percentile(waits, 0.5))),
            ("acknowledged p99", ms(percentile(waits, 0.99))),
            ("acknowledged max", ms(max(waits, default=0))),
            (f"acknowledged later than {PROMPT} s", f"{sum(one > PROMPT for one in waits)}"),
            ("answer readable p95", ms(percentile(tally.read, 0.95))),
            ("board shown p50", ms(percentile(waits_shown, 0.5))),
            ("board shown p95", ms(percentile(waits_shown, 0.95))),
            ("boards shown", f"{len(tally.boards)}"),
            ("told to try again, or not committed", f"{tally.refused}"),
            ("processor an action", ms(sum(used) / shown)),
            ("  of that the bot itself, what draws", " ".join(f"{1000 * one / shown:.1f}" for one in used) + " ms"),
            ("people and Discord, an action", ms(theirs / shown)),
            ("a warm board of four meanwhile", "-" if board is None else f"{1000 * board:.1f} ms"),
            ("processor an action, in such boards", "-" if board is None else f"{sum(used) / shown / board:.1f}"),
            ("actions a second", f"{tally.actions / seconds:.1f}"),
            ("  in cores full of such boards", "-" if board is None else f"{tally.actions / seconds * board:.2f}"),
            ("statements an action", f"{(_statements(bot) - statements) / shown:.1f}"),
            ("event loop held at most", ms(max(held, default=0))),
            ("  by its own work at most", ms(max((one["used"] for one in since), default=0))),
            ("event loop held p95 of half seconds", ms(percentile(held, 0.95))),
            (
                "collecting garbage, of the bot itself, an action",
                f"{1000 * sum(one['collecting'] for one in since) / shown:.1f} ms",
            ),
            ("  the longest", _longest(since)),
            ("all shown after the end", f"{drained:.1f} s" if not late else f"{late} not"),
            ("memory begin, middle, end", _three(tally.memory)),
            ("tracebacks", f"{bot.tracebacks()}"),
            *_undisturbed(tally, watched),
        ]


async def _warm(on: Stage, rate: float, seconds: float, buttons: float) -> None:
    """Play for this long at one table after another, so that the process knows them as if it had run for a while."""
    if seconds:
        await play(on, rate, seconds, buttons, seed=2, in_turn=True)


def _longest(gauged: Sequence[dict[str, Any]]) -> str:
    took, used, generation = max((one["collecting_longest"] for one in gauged), default=(0.0, 0.0, 0))
    return f"{ms(took)}, {ms(used)} of processor, generation {generation}"


def _undisturbed(tally: Tally, watched: Stolen) -> list[tuple[str, str]]:
    """The same waits without those while the host gave much of this machine's time to others, or shortly after."""
    waits, boards = tally.answers(watched.undisturbed), tally.shown(watched.undisturbed)
    return [
        ("stolen by the host", f"{watched.share:.0%}"),
        ("interactions that it did not disturb", f"{len(waits)}"),
        ("  of these unanswered", f"{tally.unanswered(watched.undisturbed)}"),
        ("  acknowledged p99", ms(percentile(waits, 0.99))),
        ("  board shown p95", ms(percentile(boards, 0.95))),
    ]


def _statements(bot: BotProcess) -> int:
    return int(bot.gauged()[-1]["statements"]) if bot.gauged() else 0


def _three(values: Sequence[float]) -> str:
    if not values:
        return "-"
    return " ".join(f"{one:.0f}" for one in (values[0], values[len(values) // 2], values[-1])) + " MB"


async def run(chosen: argparse.Namespace) -> None:
    """Measure one rate."""
    async with stage(chosen.tables, tree=chosen.tree, system=chosen.system) as on:
        await _warm(on, WARMING, chosen.warm, chosen.buttons)
        figures = await play(on, chosen.rate, chosen.seconds, chosen.buttons, cores=chosen.cores)
    print(show(f"{chosen.tables} open games, {_asked(chosen)} for {chosen.seconds:g} s", figures))


def _asked(chosen: argparse.Namespace) -> str:
    """The rate that a command line asks for, in words."""
    return f"{chosen.cores:g} cores full of boards" if chosen.cores else f"{chosen.rate:g} actions a second"


COLUMNS = (
    *(("actions/s", 10, "rate"), ("p50", 10, "acknowledged p50"), ("p99", 10, "acknowledged p99")),
    *(("unanswered", 12, "unanswered within 3 s"), ("board p95", 12, "board shown p95")),
    *(("CPU/action", 12, "processor an action"), ("in boards", 10, "processor an action, in such boards")),
    *(("cores", 8, "  in cores full of such boards"), ("held", 10, "event loop held at most")),
    ("stolen", 8, "stolen by the host"),
)
"""The columns of a ramp: head, width, and which figure stands there."""


async def ramp(chosen: argparse.Namespace) -> None:
    """Growing rates at one process, until the 99th percentile of acknowledgements is above half a second."""
    print("".join(f"{head:>{width}}" for head, width, _ in COLUMNS))
    rate = chosen.rate
    async with stage(chosen.tables, tree=chosen.tree, system=chosen.system) as on:
        # Each table is seen once, as in a process that has run for a while.
        await _warm(on, WARMING, chosen.warm or 1.1 * chosen.tables / WARMING, chosen.buttons)
        while rate <= chosen.most:
            named = dict(await play(on, rate, chosen.seconds, chosen.buttons))
            worst = percentile(on.crowd.tally.answers(), 0.99)
            named["rate"] = f"{rate:g}"
            row = "".join(f"{named[name]:>{width}}" for _, width, name in COLUMNS)
            print(row, flush=True)
            if worst > 0.5:
                print(f"the 99th percentile breaks at {rate:g} actions a second")
                return
            rate *= chosen.step


async def overload(chosen: argparse.Namespace) -> None:
    """More than can be carried, then a minute at rest: what was committed is shown, and nothing is lost."""
    async with stage(chosen.tables, tree=chosen.tree, system=chosen.system) as on:
        await _warm(on, WARMING, chosen.warm, chosen.buttons)
        figures = await play(on, chosen.rate, chosen.seconds, chosen.buttons, cores=chosen.cores)
        before, begun = on.bot.memory(), time.perf_counter()
        await asyncio.sleep(REST)
        mirror = Mirror(on.bot.database)
        behind = mirror.behind()
        mirror.close()
        calm = await play(on, 1, 10, chosen.buttons, seed=3)
        figures += [
            ("boards behind after a minute of rest", f"{behind}"),
            ("memory after that", f"{before:.0f} {on.bot.memory():.0f} MB"),
            ("acknowledged p99 afterwards", dict(calm)["acknowledged p99"]),
        ]
        assert time.perf_counter() - begun >= REST
    print(show(f"{_asked(chosen)} for {chosen.seconds:g} s, more than can be carried", figures))


async def _look(on: Stage, number: int) -> float | None:
    """Somebody at a table looks at their hand: seconds until that was acknowledged, None if it was not in time."""
    person, place = on.crowd.people[Place(number).user(0)], Place(number)
    made = person.type(on.crowd.channels[number], "dog hand", game=place.code)
    return (await person.hear(made, patience=3)).acknowledged


async def start(chosen: argparse.Namespace) -> None:
    """A start with many open games, some of which are behind; clicks come from the first moment."""
    async with stage(chosen.tables, tree=chosen.tree, behind=chosen.behind, start=False) as on:
        begun = time.perf_counter()
        connected = await on.bot.start(within=300)
        answered: float | None = None
        waits: list[float] = []
        silent = 0
        peak = 0.0
        # Many people in turn at tables that are not behind: one alone would soon be asked to slow down.
        numbers = itertools.cycle(range(max(chosen.behind + 1, chosen.tables - ASKING + 1), chosen.tables + 1))
        while time.perf_counter() - begun < chosen.seconds:
            if (took := await _look(on, next(numbers))) is None:
                silent += 1
            else:
                answered = answered or time.perf_counter() - begun
                waits.append(took)
            peak = max(peak, on.bot.memory())
            if len(on.crowd.shown) >= chosen.behind and answered is not None:
                break
            await asyncio.sleep(0.2)
        shown = max(on.crowd.shown.values(), default=begun) - begun
        figures = [
            ("connected after", f"{connected:.1f} s"),
            ("first answer after", "never" if answered is None else f"{answered:.1f} s"),
            ("commands unanswered", f"{silent}"),
            ("acknowledged p50", ms(percentile(waits, 0.5))),
            ("acknowledged p99", ms(percentile(waits, 0.99))),
            ("boards shown", f"{len(on.crowd.shown)} of {chosen.behind}"),
            ("last board after", f"{shown:.1f} s"),
            ("processor", f"{on.bot.processor():.1f} s"),
            ("memory at most", f"{peak:.0f} MB"),
        ]
    print(show(f"start with {chosen.tables} open games, {chosen.behind} of them behind", figures))


async def burst(chosen: argparse.Namespace) -> None:
    """All deadlines at one moment, while people in other games look at their hands."""
    async with stage(chosen.tables + ELSEWHERE, tree=chosen.tree, start=False) as on:
        moment = int(time.time()) + 20
        with sqlite3.connect(on.bot.database) as connection:
            begun_at = moment - (DAY if chosen.over else DAY // 2)
            connection.execute(
                "UPDATE deadlines SET due_at = ?, since = ? WHERE game_id <= ?", (moment, begun_at, chosen.tables)
            )
            if chosen.over:
                connection.execute(
                    "UPDATE deadlines SET stage = 'up', ends_at = ? WHERE game_id <= ?", (moment, chosen.tables)
                )
            due = connection.execute("SELECT count(*) FROM deadlines WHERE due_at = ?", (moment,)).fetchone()[0]
        connection.close()
        await on.bot.start(within=300)
        await asyncio.sleep(max(0, moment - time.time() - 1))
        mirror, spent, begun = Mirror(on.bot.database), on.bot.processor(), time.perf_counter()
        gauged = len(on.bot.gauged())
        posted: list[float] = []
        on.wire.world.on_message.append(lambda message: posted.append(time.perf_counter()))
        waits: list[float] = []
        silent, left, done = 0, due, None
        number = chosen.tables + 1
        while time.perf_counter() - begun < chosen.seconds:
            if (took := await _look(on, number)) is None:
                silent += 1
            else:
                waits.append(took)
            left = mirror.value(f"SELECT count(*) FROM deadlines WHERE due_at = {moment}")
            if left == 0 and time.time() > moment + 1:
                done = done or time.perf_counter() - begun
                # What is said about them comes after they are done with.
                if time.perf_counter() - max([begun + done, *posted[-1:]]) > CALM:
                    break
            await asyncio.sleep(0.25)
            number = chosen.tables + 1 + (number - chosen.tables) % ELSEWHERE
        held = [one["held"] for one in on.bot.gauged()[gauged:]]
        mirror.close()
        figures = [
            ("deadlines worked off", f"{due - left} of {due}"),
            ("after", "not in time" if done is None else f"{done:.1f} s"),
            ("messages about them", f"{len(posted)}"),
            ("  the last after", f"{max(posted, default=begun) - begun:.1f} s"),
            ("processor a deadline, messages included", ms((on.bot.processor() - spent) / max(1, due - left))),
            ("acknowledged p50", ms(percentile(waits, 0.5))),
            ("acknowledged p99", ms(percentile(waits, 0.99))),
            ("acknowledged max", ms(max(waits, default=0))),
            ("commands unanswered", f"{silent}"),
            ("event loop held at most", ms(max(held, default=0))),
            ("memory", f"{on.bot.memory():.0f} MB"),
            ("tracebacks", f"{on.bot.tracebacks()}"),
        ]
    print(show(f"{due} deadlines at one moment", figures))


async def computers(chosen: argparse.Namespace) -> None:
    """Many people act within seconds, each against computers on all other seats; people elsewhere play on meanwhile."""
    async with stage(chosen.tables + ELSEWHERE, tree=chosen.tree, system=chosen.system, start=False) as on:
        mirror, dice = Mirror(on.bot.database), random.Random(4)
        numbers = range(1, chosen.tables + 1)
        people = [(number, mirror.game(number).to_act[0]) for number in numbers]
        with sqlite3.connect(on.bot.database) as connection:
            connection.executemany("DELETE FROM deadlines WHERE game_id = ? AND seat != ?", people)
            connection.executemany(
                "UPDATE seats SET computer = ?, user_id = NULL WHERE game_id = ? AND seat != ?",
                [(chosen.level, *one) for one in people],
            )
        connection.close()
        await on.bot.start(within=300)
        await _decided(mirror)
        await play(on, chosen.rate, chosen.warm, 0, seed=2, above=chosen.tables)
        calm = await play(on, chosen.rate, chosen.seconds, 0, seed=3, above=chosen.tables)
        decided, tally, begun = _decisions(mirror), Tally(), time.perf_counter()
        everywhere_else = asyncio.create_task(play(on, chosen.rate, chosen.seconds, 0, above=chosen.tables))

        async def one(number: int) -> None:
            await asyncio.sleep(chosen.within * number / chosen.tables)
            before = mirror.game(number).number
            # Whoever is told to try again does so.
            while (game := mirror.game(number)).number == before and game.to_act:
                if time.perf_counter() - begun > chosen.seconds:
                    return
                await on.crowd.act(mirror, number, dice, buttons=False, tally=tally)

        await asyncio.gather(*(one(number) for number in numbers))
        shown = time.perf_counter() - begun
        busy = dict(await everywhere_else)
        await _decided(mirror)
        waits = tally.answers()
        figures = [
            ("decisions of computers", f"{_decisions(mirror) - decided}"),
            ("people who set them off: unanswered", f"{tally.unanswered()} of {tally.interactions}"),
            ("  told to try again, or not committed", f"{tally.refused}"),
            ("  acknowledged p50", ms(percentile(waits, 0.5))),
            ("  acknowledged p99", ms(percentile(waits, 0.99))),
            ("  all their boards after", f"{shown:.1f} s"),
            ("everybody else: unanswered", busy["unanswered within 3 s"]),
            *((f"  {name}, before", dict(calm)[name]) for name in FELT),
            *((f"  {name}, meanwhile", busy[name]) for name in FELT),
            *((name, busy[name]) for name in ("event loop held at most", "  by its own work at most")),
            ("tracebacks", f"{on.bot.tracebacks()}"),
            ("stolen by the host", busy["stolen by the host"]),
        ]
        mirror.close()
    print(show(f"{chosen.tables} people within {chosen.within:g} s, each against {chosen.level} computers", figures))


def _decisions(mirror: Mirror) -> int:
    """How often computers have decided so far."""
    return mirror.value("SELECT count(*) FROM actions WHERE actor = 'computer'")


async def _decided(mirror: Mirror) -> None:
    """Until no computer has decided anything for a while."""
    known = -1
    while known != (now := _decisions(mirror)):
        known = now
        await asyncio.sleep(CALM)


USUAL: Mapping[str, Mapping[str, Any]] = {
    "run": {"tables": 1000, "seconds": 60, "rate": 5, "warm": 5},
    "ramp": {"tables": 1000, "seconds": 20, "rate": 2, "warm": 0, "most": 100, "step": 1.5},
    "overload": {"tables": 1000, "seconds": 30, "rate": 60, "warm": 5},
    "start": {"tables": 10_000, "seconds": 240, "behind": 1000},
    "burst": {"tables": 10_000, "seconds": 240},
    "computers": {"tables": 200, "seconds": 30, "rate": 4, "warm": 30, "level": "strong", "within": 5},
}
"""What a scenario takes unless something else is said."""

OPTIONS: tuple[tuple[str, Callable[[str], Any], str], ...] = (
    ("tables", int, "how many games are open"),
    ("seconds", float, "how long, at most"),
    ("tree", Path, "the checkout whose bot is measured"),
    ("system", str, "of the games"),
    ("rate", float, "actions a second (of everybody else)"),
    ("buttons", float, "share of actions that are pressed, not typed"),
    ("warm", float, "seconds to warm up; in a ramp 0: until all tables are"),
    ("cores", float, "run, overload: instead of a rate, how many cores the boards fill (50 a second of 7 ms: 0.35)"),
    ("most", float, "ramp: the highest rate to try"),
    ("step", float, "ramp: how much each rate is of the one before"),
    ("level", str, "computers: how they play"),
    ("within", float, "computers: seconds within which people act"),
    ("behind", int, "start: how many boards are outdated"),
)


def main(words: Sequence[str] | None = None) -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(prog="python -m tests.wire.load", description=__doc__)
    scenarios = {one.__name__: one for one in (run, ramp, overload, start, burst, computers)}
    parser.add_argument("scenario", choices=scenarios)
    for name, kind, says in OPTIONS:
        parser.add_argument(f"--{name}", type=kind, help=says)
    parser.add_argument("--over", action="store_true", help="burst: the times are up, instead of reminders")
    chosen = parser.parse_args(words)
    usual: dict[str, Any] = {"tree": TREE, "system": "classic", "buttons": 0, "cores": 0, **USUAL[chosen.scenario]}
    for name, value in usual.items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, value)
    chosen.tree = chosen.tree.resolve()
    # Nor may a run that is ended from outside leave a process behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    asyncio.run(scenarios[chosen.scenario](chosen))


if __name__ == "__main__":
    main()
