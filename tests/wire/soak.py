"""Nothing lost, nothing twice: `python -m tests.wire.soak kills|faults|outage|held|gone|stops`.

People at games of every rule system play on while the process is killed, answers are lost, Discord is away. They write
down every action that was acknowledged. Afterwards the log, the boards and the calls are looked at:

- no acknowledged action is missing, none is in the log twice, and no row that was seen has changed;
- seeds are as they were, so that no card was dealt differently;
- nobody was called twice for one decision;
- at every table one board has buttons, and it can be played on.

Long runs by `make soak`; short ones are tests. All of it on 127.0.0.1, bounded, ending by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord

from engine import ActionKind, Game
from tests.wire.calls import Asked, Call, calls_by_decision
from tests.wire.faults import CALLBACKS, EDITS, POSTS, Fault
from tests.wire.figures import ms, percentile, show
from tests.wire.filling import DAY, Place
from tests.wire.load import Stage, card_of, stage
from tests.wire.mirror import Logged, Mirror
from tests.wire.people import Answer, Person
from tests.wire.world import Channel, Message

SYSTEMS = "classic,family,dobney,royal-basic,royal"
LATE = (0.0, 8.0)
"""Between which seconds late answers come after their effect."""
PATIENCE = 600
"""Seconds that a start may take where other work keeps the machine busy, or stops us for a while."""
DONE = "✅"
"""How an answer begins that says: this action is done."""


@dataclass
class Deed:
    """An action that somebody tried: at which table, on which seat, after which row of the log."""

    game: int
    seat: int
    text: str
    after: int
    acknowledged: bool = False


@dataclass
class Report:
    """What a run came to. `faults`: what must not be; none where all is well."""

    title: str
    rows: list[tuple[str, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        text = show(self.title, self.rows)
        return text + "".join(f"\n  FAULT {fault}" for fault in self.faults[:40])


class Players:
    """The people at the filled-in games: each game goes on by itself, one action after the other."""

    patience = 6.0
    """Seconds for which somebody waits for an answer."""

    def __init__(self, on: Stage, games: Sequence[int], seed: int = 1) -> None:
        self.on, self.games = on, list(games)
        self.mirror = self._open()
        self.deeds: list[Deed] = []
        self.calls: dict[int, list[Call]] = {game: [] for game in games}
        self._begun = {game: self.mirror.game(game).number for game in games}
        self.unanswered = 0
        self.waits: list[float] = []
        self._dice = random.Random(seed)
        self._seeds = {game: self._seed(game) for game in games}
        self._seen: dict[int, list[Logged]] = {game: [] for game in games}
        self._by_channel = {Place(game).channel: game for game in games}
        self._tasks: list[asyncio.Task[None]] = []
        self._going = True
        on.wire.world.on_message.append(self._called)

    def begin(self) -> None:
        """Let everybody play."""
        self._going = True
        self._tasks = [asyncio.create_task(self._play(game)) for game in self.games]

    async def rest(self) -> None:
        """Let everybody finish what they do, and stop."""
        self._going = False
        await asyncio.gather(*self._tasks)
        self._tasks = []

    @property
    def done(self) -> int:
        """Actions that were acknowledged."""
        return sum(deed.acknowledged for deed in self.deeds)

    async def _play(self, game: int) -> None:
        while self._going:
            if not self.on.bot.running or not self.on.wire.gateway.ready.is_set():
                await asyncio.sleep(0.05)
                continue
            if not await self.act(game):
                return
            await asyncio.sleep(self._dice.uniform(0.05, 0.4))

    async def act(self, number: int) -> bool:
        """Whoever is to act in this game does something; False if it has ended."""
        self.look(number)
        game = self.mirror.game(number)
        if not game.to_act:
            return False
        if not free(game):
            # The bot folds by itself; that may take a moment.
            await asyncio.sleep(0.1)
            return True
        seat = self._dice.choice(game.to_act)
        legal = game.legal(seat)
        action = self._dice.choice(legal)
        if not free(game, seat):
            return True
        deed = Deed(number, seat, str(action), game.number)
        self.deeds.append(deed)
        place = Place(number)
        person = self.on.crowd.people[place.user(seat)]
        channel = self.on.wire.world.channels.get(place.channel)
        if channel is None:
            return False
        person.patience = self.patience
        answer = await person.slash(channel, "dog play", card=card_of(action), move=str(action), game=place.code)
        deed.acknowledged = answer.text.startswith(DONE)
        if answer.acknowledged is None:
            self.unanswered += 1
        else:
            self.waits.append(answer.acknowledged)
        self.on.wire.interactions.forget(answer.made)
        # People look at the board before they go on.
        begun = time.perf_counter()
        while deed.acknowledged and self._going and time.perf_counter() - begun < 4:
            if self.on.crowd.shown.get(place.channel, 0) > answer.made.begun:
                break
            await asyncio.sleep(0.03)
        return True

    def look(self, number: int) -> None:
        """Remember what the log says now."""
        seen = self._seen[number]
        seen.extend(self.mirror.log(number, seen[-1].number if seen else 0))

    def _called(self, message: Message) -> None:
        number = self._by_channel.get(message.channel_id)
        if number is None or not message.mentions:
            return
        game = self.mirror.game(number)
        for seat in range(game.players):
            if Place(number).user(seat) in message.mentions:
                self.calls[number].append(Call(seat, game.number, message.content))

    def _open(self) -> Mirror:
        """What the bot has committed."""
        return Mirror(self.on.bot.database)

    def _seed(self, number: int) -> bytes:
        return bytes(self.mirror.row(f"SELECT seed FROM games WHERE id = {number}")[0])

    def faults(self) -> list[str]:
        """What must not be."""
        found = []
        for number in self.games:
            if self._seed(number) != self._seeds[number]:
                found.append(f"game {number} has another seed")
            log = self.mirror.log(number)
            seen = self._seen[number]
            if log[: len(seen)] != seen:
                found.append(f"game {number}: rows of its log have changed")
            mine = [deed for deed in self.deeds if deed.game == number]
            for deed in mine:
                rows = [
                    row for row in log if row.number > deed.after and (row.seat, row.text) == (deed.seat, deed.text)
                ]
                if deed.acknowledged and not rows:
                    found.append(f"game {number}: {deed.text!r} of seat {deed.seat} was acknowledged and is lost")
            first = min((deed.after for deed in mine), default=len(log))
            played = [row for row in log if row.number > first and row.actor.isdigit()]
            if len(played) > len(mine):
                found.append(f"game {number}: {len(played)} actions in the log, {len(mine)} were tried")
        for number, calls in self.calls.items():
            people = [row.number for row in self.mirror.log(number) if row.actor.isdigit()]
            decisions = calls_by_decision(calls, self._asked(number), people, self._begun[number])
            for (seat, decision), heard in decisions.items():
                if len(heard) > 1:
                    texts = "; ".join(f"after {one.number} actions {one.text!r}" for one in heard)
                    found.append(f"game {number}: seat {seat} was called {len(heard)} times for {decision}: {texts}")
        return found

    def _asked(self, number: int) -> Asked:
        """What the seats of a game are asked after this many actions, by its log."""
        states = self.mirror.course(number)
        return lambda number: {seat: states[number].decision(seat) or 0 for seat in states[number].to_act}

    async def settled(self, *, within: float = 120) -> list[str]:
        """Wait until every game's newest state is shown on the only board with buttons; what is not, in the end."""
        until = time.perf_counter() + within
        wrong: list[str] = []
        while time.perf_counter() < until:
            wrong = [fault for number in self.games if (fault := self._board_fault(number)) is not None]
            if not wrong:
                return []
            await asyncio.sleep(0.25)
        return wrong

    def _board_fault(self, number: int) -> str | None:
        row = self.mirror.row(f"SELECT version, shown_version, lost, board_message_id FROM games WHERE id = {number}")
        channel = self.on.wire.world.channels.get(Place(number).channel)
        if channel is None or row[2] is not None:
            return None
        if row[0] != row[1]:
            return f"game {number}: version {row[1]} is shown of {row[0]}"
        live = [one for one in channel.messages.values() if one.live and one.attachments]
        if [one.id for one in live] != [row[3]]:
            return f"game {number}: {len(live)} boards have buttons, the newest is {row[3]}"
        return None

    async def playable(self, games: Sequence[int] | None = None, *, within: float = 60) -> tuple[float, list[str]]:
        """Seconds until somebody at every table (or at these) has been shown their hand; and those where nobody was."""
        begun = time.perf_counter()

        async def one(number: int) -> str | None:
            place = Place(number)
            channel = self.on.wire.world.channels[place.channel]
            while time.perf_counter() - begun < within:
                answer = await self.ask(self.on.crowd.people[place.user(0)], channel, place.code)
                if place.code in answer.text:
                    return None
                if self.mirror.status(number) != "playing":
                    return None
                await asyncio.sleep(0.2)
            return f"game {number} cannot be played on"

        faults = [fault for fault in await asyncio.gather(*map(one, games or self.games)) if fault is not None]
        return time.perf_counter() - begun, faults

    async def ask(self, person: Person, channel: Channel, code: str) -> Answer:
        """Somebody looks at their hand."""
        made = person.type(channel, "dog hand", game=code)
        answer = await person.hear(made, patience=self.patience)
        if answer.acknowledged is not None:
            self.waits.append(answer.acknowledged)
        else:
            self.unanswered += 1
        self.on.wire.interactions.forget(made)
        return answer


def free(game: Game, seat: int | None = None) -> bool:
    """Whether somebody (or this seat) has something to choose, so that the bot does not fold for them."""
    seats = game.to_act if seat is None else (seat,)
    return any(any(action.kind is not ActionKind.FOLD for action in game.legal(one)) for one in seats)


async def kills(times: int, games: int = 10, seed: int = 1, minutes: float = 600) -> Report:
    """SIGKILL at random moments: by the clock, or at the very moment when a message has been posted.

    So often, or for so many minutes if they are over before.
    """
    dice = random.Random(seed)
    back: list[float] = []
    until = time.perf_counter() + 60 * minutes
    report = Report("")
    async with stage(games, system=SYSTEMS, start=False) as on:
        await on.bot.start(within=PATIENCE)
        players = Players(on, range(1, games + 1), seed)
        players.begin()
        while len(back) < times and time.perf_counter() < until:
            at_post = dice.random() < 0.5
            await _moment(on, at_post=at_post, seconds=dice.uniform(0.2, 2.0))
            await on.bot.kill()
            back.append(await on.bot.start(within=PATIENCE))
            took, faults = await players.playable(within=PATIENCE)
            back[-1] += took
            report.faults += faults
        await asyncio.sleep(1)
        await players.rest()
        report.faults += await players.settled(within=PATIENCE)
        report.faults += players.faults()
        report.title = f"{len(back)} kills, {games} games of all systems"
        report.rows = [
            *_usual(players),
            ("playable after a start p50", f"{percentile(back, 0.5):.1f} s"),
            ("playable after a start at most", f"{max(back):.1f} s"),
            ("tracebacks", f"{on.bot.tracebacks()}"),
        ]
    return report


async def _moment(on: Stage, *, at_post: bool, seconds: float) -> None:
    """Wait for this long; then, if wanted, for the next post, and kill the bot before it can hear of its effect."""
    await asyncio.sleep(seconds)
    if not at_post:
        return
    struck = asyncio.Event()

    def strike(message: Message) -> None:
        if not struck.is_set():
            struck.set()
            with contextlib.suppress(ProcessLookupError):
                on.bot.strike()

    on.wire.world.on_message.append(strike)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(3):
            await struck.wait()
    on.wire.world.on_message.remove(strike)


async def faults(actions: int, games: int = 10, seed: int = 1) -> Report:
    """A third of all posts fail, before or after their effect; answers are cut off and connections reset."""
    report = Report(f"a third of posts failing, {games} games of all systems")
    async with stage(games, system=SYSTEMS, start=False) as on:
        await on.bot.start(within=PATIENCE)
        players = Players(on, range(1, games + 1), seed)
        rule = on.wire.faults.add(*Fault, route=POSTS, share=1 / 3, status=503, late=LATE)
        players.begin()
        await _until(lambda: len(players.deeds) >= actions, 600)
        on.wire.faults.rules.remove(rule)
        await players.rest()
        report.faults += await players.settled(within=300)
        report.faults += players.faults()
        struck = ", ".join(f"{count} {kind.value}" for kind, count in on.wire.faults.counts.items())
        report.rows = [*_usual(players), ("tracebacks", f"{on.bot.tracebacks()}"), (f"faults: {struck}", "")]
    return report


async def outage(tables: int, seconds: float) -> Report:
    """Discord is away while the time of every table ends, and `seconds` more; afterwards each is told once, in turn.

    The time is compressed: all deadlines lie within the seconds that Discord is away, as they would within an hour.
    """
    report = Report(f"an outage in which the time of {tables} tables ends")
    async with stage(tables, start=False, everywhere=50) as on:
        await on.bot.start(within=PATIENCE)
        await asyncio.sleep(2)
        await on.bot.kill()
        moment = int(time.time()) + 8
        with contextlib.closing(sqlite3.connect(on.bot.database)) as connection, connection:
            connection.execute(
                "UPDATE deadlines SET stage = 'up', due_at = ? + game_id % 5, ends_at = ? + game_id % 5, since = ? - ?",
                (moment, moment, moment, DAY),
            )
        await on.bot.start(within=PATIENCE)
        # At once, however long the start took: nothing can have been told yet.
        before = len(on.wire.world.posted)
        on.wire.out()
        await asyncio.sleep(max(0.0, moment - time.time()) + seconds)
        on.wire.back()
        back = time.perf_counter()
        mirror = Mirror(on.bot.database)

        def told() -> set[int]:
            return {one.channel_id for one in on.wire.world.posted[before:]}

        await _until(lambda: len(told()) >= tables, 240)
        took = time.perf_counter() - back
        await asyncio.sleep(5)
        posted = on.wire.world.posted[before:]
        counts = Counter(one.channel_id for one in posted)
        report.faults += [f"{count} messages at {channel}" for channel, count in counts.items() if count > 1]
        if len(counts) < tables:
            report.faults.append(f"{tables - len(counts)} tables were not told")
        mirror.close()
        report.rows = [
            ("tables told", f"{len(counts)}"),
            ("messages", f"{len(posted)}"),
            ("after Discord was back", f"{took:.1f} s"),
            ("refused by the global limit", f"{on.wire.limits.refused}"),
            ("tracebacks", f"{on.bot.tracebacks()}"),
        ]
        if on.bot.tracebacks():
            report.faults.append("there are tracebacks in the log")
    return report


async def held(tables: int, seconds: float) -> Report:
    """This many boards wait behind a global 429, and clicks are still answered."""
    report = Report(f"{tables} boards behind a global limit of {seconds:g} s")
    async with stage(tables, behind=tables, start=False) as on:
        await on.bot.start(within=PATIENCE)
        on.wire.limits.hold(seconds)
        players = Players(on, range(1, tables + 1))
        begun = time.perf_counter()
        number = 1
        while time.perf_counter() - begun < seconds:
            place = Place(number)
            channel = on.wire.world.channels[place.channel]
            await players.ask(on.crowd.people[place.user(0)], channel, place.code)
            number = number % tables + 1
            await asyncio.sleep(0.1)
        await _until(lambda: len(on.crowd.shown) >= tables, 300)
        took = time.perf_counter() - begun - seconds
        if players.unanswered:
            report.faults.append(f"{players.unanswered} clicks were not answered")
        if len(on.crowd.shown) < tables:
            report.faults.append(f"{tables - len(on.crowd.shown)} boards never came")
        report.rows = [
            ("clicks", f"{len(players.waits)}"),
            ("acknowledged p50", ms(percentile(players.waits, 0.5))),
            ("acknowledged p99", ms(percentile(players.waits, 0.99))),
            ("last board after the limit", f"{took:.1f} s"),
            ("tracebacks", f"{on.bot.tracebacks()}"),
        ]
    return report


async def gone(games: int = 12, actions: int = 60, seed: int = 1) -> Report:
    """Messages, channels and a guild go, permissions are taken and given back, in the middle of play."""
    report = Report(f"things that go, {games} games of all systems")
    dice = random.Random(seed)
    async with stage(games, system=SYSTEMS, start=False) as on:
        await on.bot.start(within=PATIENCE)
        world = on.wire.world
        players = Players(on, range(1, games + 1), seed)
        players.begin()
        await _until(lambda: players.done >= actions // 3, 120)
        # Boards go at every table, the channel at one, permissions at two others.
        for number in range(1, games + 1):
            channel = world.channels[Place(number).channel]
            for message in list(channel.messages.values()):
                if dice.random() < 0.7:
                    world.delete_message(message)
        world.delete_channel(world.channels[Place(1).channel])
        for number, permission in ((2, "view_channel"), (3, "send_messages"), (4, "attach_files")):
            channel = world.channels[Place(number).channel]
            world.restrict(channel, deny=discord.Permissions(**{permission: True}))
        on.wire.gateway.cut()
        await _until(lambda: players.done >= 2 * actions // 3, 120)
        for number in (2, 3, 4):
            world.restrict(world.channels[Place(number).channel], deny=discord.Permissions.none())
        await _until(lambda: players.done >= actions, 120)
        await players.rest()
        players.games.remove(1)
        report.faults += await players.settled(within=PATIENCE)
        report.faults += players.faults()
        _, stuck = await players.playable(within=PATIENCE)
        report.faults += stuck
        report.rows = [*_usual(players), ("tracebacks", f"{on.bot.tracebacks()}")]
        if on.bot.tracebacks():
            report.faults.append("there are tracebacks in the log")
    return report


async def stops(times: int, games: int = 10, seed: int = 1, *, within: float = 5) -> Report:
    """SIGTERM in the middle of play: status 0 within five seconds, no traceback, and all goes on at the next start."""
    dice = random.Random(seed)
    report = Report(f"{times} stops in the middle of play")
    lasted: list[float] = []
    async with stage(games, system=SYSTEMS, start=False) as on:
        await on.bot.start(within=PATIENCE)
        players = Players(on, range(1, games + 1), seed)
        players.begin()
        for route in (POSTS, EDITS, CALLBACKS):
            on.wire.faults.add(Fault.LATE_AFTER, route=route, share=1 / 3, late=LATE)
        for _ in range(times):
            await asyncio.sleep(dice.uniform(0.5, 2.5))
            code, seconds = await on.bot.stop()
            lasted.append(seconds)
            if code != 0:
                report.faults.append(f"ended with {code}")
            await on.bot.start(within=PATIENCE)
        on.wire.faults.clear()
        await _until(lambda: players.done > 0, 60)
        await players.rest()
        if max(lasted) > within:
            report.faults.append(f"a stop took {max(lasted):.1f} s")
        if on.bot.tracebacks():
            report.faults.append(f"{on.bot.tracebacks()} tracebacks in the log")
        report.faults += await players.settled(within=PATIENCE)
        report.faults += players.faults()
        report.rows = [
            *_usual(players),
            ("a stop p50", f"{percentile(lasted, 0.5):.2f} s"),
            ("a stop at most", f"{max(lasted):.2f} s"),
            ("tracebacks", f"{on.bot.tracebacks()}"),
        ]
    return report


def _usual(players: Players) -> list[tuple[str, str]]:
    return [
        ("actions tried", f"{len(players.deeds)}"),
        ("acknowledged", f"{players.done}"),
        ("left without an answer", f"{players.unanswered}"),
        ("calls", f"{sum(map(len, players.calls.values()))}"),
    ]


async def _until(so: Callable[[], bool], within: float) -> None:
    """Wait for something, at most this many seconds."""
    for _ in range(int(within / 0.05)):
        if so():
            return
        await asyncio.sleep(0.05)


def main(words: Sequence[str] | None = None) -> int:
    """Run what is asked for, or all of it; 1 if anything is as it must not be."""
    parts: dict[str, Callable[[argparse.Namespace], Any]] = {
        "kills": lambda chosen: kills(chosen.times, chosen.games, chosen.seed, chosen.minutes),
        "faults": lambda chosen: faults(chosen.actions, chosen.games, chosen.seed),
        "outage": lambda chosen: outage(200, 60),
        "held": lambda chosen: held(500, 25),
        "gone": lambda chosen: gone(actions=chosen.actions, seed=chosen.seed),
        "stops": lambda chosen: stops(max(1, chosen.times // 10), chosen.games, chosen.seed),
    }
    parser = argparse.ArgumentParser(prog="python -m tests.wire.soak", description=__doc__)
    parser.add_argument("part", nargs="*", choices=[*parts, []], help="all of them if you say nothing")
    parser.add_argument("--times", type=int, default=200, help="kills; a tenth as many stops")
    parser.add_argument("--actions", type=int, default=500)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
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
