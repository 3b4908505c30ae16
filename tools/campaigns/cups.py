"""Cups of every format and size to their end: `python -m tools.campaigns.cups all|week|pairing`.

The service and its steps run on a database in a file and a Discord that only counts, in virtual time.

`all`: the program is killed right after each thing that it does for the first time, requests fail, players leave, enter
late, or do not act; everyone else acts once, and dice decide. Afterwards is checked that nothing was paired, opened or
said twice, that everyone had one place in each round, and that rematches, partners, byes and seats are as they should
be. With more than 16 players, where one step is repeated for up to 64 tables, the program is killed after the first of
each kind of thing in each round, and after one in sixteen of the others; `--each`: after all. A ladder has rated games
whose results are written as they would be. `week`: a cup of eight people over a week, with a day in which the bot is
down, whose pictures go to a folder. `pairing`: milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, patch

import discord
from sqlalchemy import func, insert, select

from bot.cup import Cup, CupCourse, CupPlan, CupStage, Format, Match, Outcome, Overdue, Round, Side
from bot.cups import steps
from bot.cups.pairing import pair, rounds_of
from bot.cups.service import Cups
from bot.cups.standings import sides_at, standings
from bot.delivery import cup_runner, posting
from bot.delivery.cup_runner import CupRunner
from bot.delivery.first_letters import FirstLetters
from bot.occupants import Person, Scope
from bot.pools import Pools
from bot.results import Result
from bot.showing.pictures import Pictures
from bot.storage import Store, schema
from bot.table import Status, Terms
from bot.tables.endings import CupEnding
from bot.tables.finished.rating import rate
from bot.tables.service import Tables
from engine import Options, Teams
from engine.secret import whole
from tools.unthreaded import AtOnce, NoThread

GUILD, CHANNEL, HOST = 1, 2, 3
DAY = 86_400
SIZES = (5, 8, 16, 64, 128)
SEED = bytes(range(32))
_TWO, _FOUR = Terms("keezen", 2), Terms("classic", 4, Options(teams=Teams.ALONE))

PLANS = {
    "drawn": CupPlan(),
    "drawn, capped": CupPlan(scoring="pieces", cap=8, rounds=3),
    "drawn, in direct messages": CupPlan(rounds=3, in_dms=True),
    "drawn in six": CupPlan(Terms("dobney", 6), rounds=3),
    "pairs": CupPlan(format=Format.PAIRS),
    "pairs, all play all": CupPlan(format=Format.PAIRS, course=CupCourse.ALL),
    "pairs, knockout": CupPlan(format=Format.PAIRS, course=CupCourse.KNOCKOUT),
    "alone in two": CupPlan(_TWO, Format.ALONE),
    "alone in three": CupPlan(Terms("keezen", 3), Format.ALONE, rounds=4),
    "alone in four": CupPlan(_FOUR, Format.ALONE, rounds=4),
    "alone, all play all": CupPlan(_TWO, Format.ALONE, CupCourse.ALL),
    "alone, best of three": CupPlan(_TWO, Format.ALONE, CupCourse.KNOCKOUT, best_of=3),
    "ladder": CupPlan(format=Format.ALONE, course=CupCourse.LADDER, any_rules=True, again=True),
}
"""Every format in every course, by name."""

FAILS = 0.2
"""The part of looks at a cup before which a few requests fail."""


SPARED, ONE_IN = 16, 16
"""The number of players above which the program is not killed after each repetition, but after one in so many."""


CHANNEL_GONE = 10003
"""Discord's code for a channel that was deleted."""


class Killed(BaseException):
    """The program ends here."""


@dataclass
class Counting:
    """A Discord with one channel that notes what is posted and opened; the same nonce posts nothing twice."""

    posts: dict[str, tuple[int, str, list[int]]] = field(default_factory=dict)
    edits: list[str] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    threads: list[Any] = field(default_factory=list)
    deadly: bool = False
    """True: the program is killed right after each thing that it does for the first time."""
    spares: random.Random | None = None
    """Dice for which repetitions of the same kind the program is killed after; None: it is after each."""
    step: object = None
    """The kind of step that is done, and in which round."""
    died: set[object] = field(default_factory=set)
    kinds: set[object] = field(default_factory=set)
    """The kinds of things after which the program was killed."""
    fails: int = 0
    """The number of requests that fail before one succeeds."""
    refuses: int = 0
    """Discord's code for posts that it refuses for good; 0: for none."""
    letters: list[int] = field(default_factory=list)
    """The users who were written to."""

    def client(self) -> Any:
        """Return what a runner needs of a client."""
        channel = Mock(spec=discord.TextChannel, id=CHANNEL)
        channel.is_news.return_value = False
        channel.create_thread = self.create_thread
        guild = channel.guild = SimpleNamespace(
            id=GUILD,
            me=SimpleNamespace(id=1),
            unavailable=False,
            get_channel=lambda _: None if self.refuses == CHANNEL_GONE else channel,
            get_channel_or_thread=lambda _: None,
            active_threads=self.active_threads,
        )
        return SimpleNamespace(
            get_guild=lambda _: guild, get_partial_messageable=self.messageable, create_dm=self.create_dm
        )

    async def create_dm(self, user: Any) -> Any:
        """Return a person's direct messages."""

        async def send(_content: str) -> None:
            self.letters.append(user.id)

        return SimpleNamespace(send=send)

    def messageable(self, channel_id: int, **_: Any) -> Any:
        """Return a channel to which can be posted."""

        async def send(content: str, nonce: str, allowed_mentions: Any, file: Any = None, **_: Any) -> Any:
            self.trouble()
            if self.refuses:
                response: Any = SimpleNamespace(status=403, reason="Forbidden")
                raise discord.Forbidden(response, {"code": self.refuses, "message": "no"})
            pinged = [user.id for user in allowed_mentions.users]
            self.posts.setdefault(nonce, (channel_id, content, pinged))
            if file is not None:
                self.pictures[nonce] = file.fp.read()
            self.die("post", nonce)
            return SimpleNamespace(id=1 + [*self.posts].index(nonce))

        async def edit(content: str, **_: Any) -> None:
            self.edits.append(content)

        return SimpleNamespace(send=send, get_partial_message=lambda _: SimpleNamespace(edit=edit))

    async def active_threads(self) -> Sequence[Any]:
        """Return all threads."""
        return self.threads

    async def create_thread(self, name: str, **_: Any) -> Any:
        """Open a thread."""
        self.trouble()
        thread = SimpleNamespace(id=1000 + len(self.threads), name=name, parent_id=CHANNEL, owner_id=1)
        self.threads.append(thread)
        self.die("thread", name)
        return thread

    def die(self, kind: str, after: object) -> None:
        """Kill the program, once after each thing, or where that is spared, after some of each kind."""
        if not self.deadly or after in self.died:
            return
        self.died.add(after)
        known = (self.step, kind) in self.kinds
        self.kinds.add((self.step, kind))
        if not known or self.spares is None or not self.spares.randrange(ONE_IN):
            raise Killed

    def trouble(self) -> None:
        """Fail, as long as requests are to fail."""
        if self.fails:
            self.fails -= 1
            raise TimeoutError

    def faults(self) -> list[str]:
        """Return what was said or opened twice."""
        said = Counter((channel, text) for channel, text, _ in self.posts.values())
        names = Counter(thread.name for thread in self.threads)
        return [f"{count} times: {what}" for what, count in (*said.items(), *names.items()) if count > 1]


def deadly(on: Counting, work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Return work after which the program is killed."""

    async def done(*args: Any, **named: Any) -> Any:
        found = await work(*args, **named)
        on.die(work.__name__, (getattr(found, "version", found), str(args[:2])[:40]))
        return found

    return done


async def arrive(table_id: int, user_id: int) -> None:
    """Let letters arrive at once."""


_STORE = ("get", "of_guild", "of_member", "won", "guild_of", "draft_of", "at_work", "create")
_DEEDS = (("cup_games", "open"), ("cup_games", "begin"), ("cup_games", "decide_by_pieces"))


@dataclass
class Hall:
    """A hall where cups are played: the database, the clock, and Discord; `begin` starts a program."""

    store: Store
    clock: Any
    discord: Counting = field(default_factory=Counting)
    pools: Pools = field(default_factory=Pools)
    programs: int = 0

    def begin(self) -> tuple[Tables, Cups, CupRunner]:
        """Start a program that remembers nothing."""
        store, on = self.store, self.discord
        self.programs += 1
        tables = Tables(store, clock=self.clock, rng=random.Random(1), freshness=lambda _: False)
        cups = Cups(store, tables, self.pools, lambda: SEED)
        tables.on_change(cups.note_change)
        tables.deadlines.on_refused = cups.give_back
        if on.deadly:
            parts = SimpleNamespace(**{name: getattr(store.cups, name) for name in _STORE})
            parts.change = deadly(on, store.cups.change)
            others = {name: getattr(store, name) for name in ("guilds", "members", "results")}
            cups._store = SimpleNamespace(cups=parts, **others)  # type: ignore[assignment]
            for part, name in _DEEDS:
                setattr(getattr(tables, part), name, deadly(on, getattr(getattr(tables, part), name)))
        runner = CupRunner(on.client(), tables, cups, Pictures(), arrive, FirstLetters())
        cups.on_change = runner.poke
        do = runner._do

        async def noted(cup: Cup, step: steps.Step) -> None:
            # Posts about a game, or about a round, are of one kind.
            about = getattr(step, "about", "").split(" ")[0]
            on.step = (cup.id, len(cup.rounds), type(step).__name__, about)
            await do(cup, step)

        runner._do = noted  # type: ignore[method-assign]
        return tables, cups, runner

    async def work(self) -> Tables:
        """Do everything that is to be done, in as many programs as it takes."""
        for _ in range(2_000):
            tables, _cups, runner = self.begin()
            try:
                await runner.work()
            except Killed:
                continue
            finally:
                await tables.settled()
            return tables
        raise AssertionError("it never ends")

    async def cup(self) -> Cup:
        """Return the newest cup."""
        _, cups, _ = self.begin()
        return (await cups.of_guild(GUILD))[0]


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: float = 1_000_000.5

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def people(count: int) -> list[Person]:
    """Return this many people."""
    return [Person(10_000 + number, f"P{number}") for number in range(1, count + 1)]


MODERATOR = Person(HOST, "Host", moderates=frozenset(Scope))


async def opened(hall: Hall, plan: CupPlan, entered: Sequence[Person], name: str = "Spring") -> Cup:
    """Return a cup that these people have entered, and that begins now."""
    _, cups, _ = hall.begin()
    cup = await cups.plan(MODERATOR, GUILD, CHANNEL, name, plan)
    cup = await cups.change_plan(cup.id, MODERATOR, GUILD, lambda before: replace(before, starts_at=None))
    cup = await cups.open(cup.id, MODERATOR, GUILD)
    for person in entered:
        cup = await cups.enter(cup.id, person, GUILD)
    if plan.is_ladder:
        return cup
    return await cups.begin_now(cup.id, MODERATOR, GUILD)


async def act_once(hall: Hall, tables: Tables, without: Sequence[int] = ()) -> None:
    """Let everyone act, so that they count as there, except these people."""
    for table_id in await hall.store.games.open_ids():
        for _ in range(40):
            # A player's only legal move may be played for them.
            await tables.settled(table_id)
            table = await tables.get(table_id)
            waiting = [(seat, user) for seat, user in table.waiting_for.items() if user not in without]
            acted = {row.actor for row in await tables.log(table_id)}
            if not waiting or table.owners.keys() - {*without} <= acted:
                break
            seat, user = waiting[0]
            assert table.game is not None, "a game that waits for someone has begun"
            await tables.turns.act(table_id, user, table.decision(seat), whole(table.game).legal(seat)[0])


async def play(hall: Hall, plan: CupPlan, size: int, dice: random.Random, kills: bool) -> Cup:
    """Play a cup to its end, with all that can go wrong, and return it."""
    entered = people(size)
    absent = [person.id for person in entered[3::20]] if size >= 16 else []
    cup = await opened(hall, plan, entered[: size - size // 16])
    late, number = entered[size - size // 16 :], 0
    for _ in range(400):
        hall.discord.deadly = kills
        hall.discord.fails = dice.randrange(1, 4) if dice.random() < FAILS else 0
        tables = await hall.work()
        hall.discord.deadly, cup = False, await hall.cup()
        if hall.discord.fails or (not cup.is_open and _is_told(cup)):
            if not cup.is_open:
                return cup
            continue
        await act_once(hall, tables, absent)
        _, cups, _ = hall.begin()
        if len(cup.rounds) > number:
            number = len(cup.rounds)
            if late and plan.course is CupCourse.SWISS and number < plan.rounds:
                await cups.enter(cup.id, late.pop(), GUILD)
            if size >= 16 and number == 2:
                await cups.leave(cup.id, entered[dice.randrange(4, 12)], GUILD)
        for table_id in await hall.store.games.open_ids():
            if dice.random() < 0.9:
                table = await tables.get(table_id)
                await tables.cup_games.decide(table_id, dice.randrange(len(table.board.teams)), CupEnding.MODERATOR)
        # Those that are left are decided by the plan, once the round's time is up.
        hall.clock.now += 8 * DAY
    raise AssertionError("it never ends")


def _is_told(cup: Cup) -> bool:
    post = cup.posts.get("end")
    return post is not None and post.message_id is not None


async def faults_of(hall: Hall, cup: Cup) -> list[str]:
    """Return what is not as it should be in a cup that is over."""
    faults, plan = hall.discord.faults(), cup.plan
    games = await hall.store.games.ids_of_cup(cup.id)
    begun = [game for round in cup.rounds for match in round.matches for game in match.games]
    if sorted(begun) != sorted(games) or len({*begun}) != len(begun):
        faults.append("games were not opened once each")
    if cup.stage is not CupStage.OVER or not all(round.is_over(plan.best_of) for round in cup.rounds):
        faults.append("it did not come to its end")
    seated = {number for round in cup.rounds for match in round.matches for number in match.players}
    if any(cup.entries[number].place is None for number in seated):
        faults.append("a player has no place")
    return [*faults, *find_unfair(cup, [entry.number for entry in cup.entries.values() if entry.until is None])]


async def write_game(store: Store, began_at: int, ended_at: int, *teams: Sequence[int], **more: Any) -> int:
    """Write a rated game of these people, which the first team has won, as one that was played; return its id.

    `more`: what else its results say.
    """
    rows, players = schema.games, sum(map(len, teams))
    row: dict[str, Any] = {"code": "LADR", "guild_id": GUILD, "channel_id": CHANNEL, "host_id": HOST, "version": 1}
    row |= {"system": "classic", "players": players, "options": Options(), "pace": "daily", "locale": "en-US"}
    row |= {"theme": "slate", "seed": SEED, "secret": SEED, "commitment": SEED, "status": Status.OVER}
    row |= {"created_at": began_at, "changed_at": ended_at, "started_at": began_at, "ended_at": ended_at}
    await store.write(insert(rows).values(**row))
    game_id = int(await store.value(select(func.max(rows.c.id))) or 0)
    results = [
        Result(
            game_id, seat, GUILD, user, "classic", players, ended_at, rated=True, people=True, team=team, won=not team,
            left_early=False, rounds=9, captures=1, suffered=1, home=0 if team else 4, seven=2,
            time_to_move=60, feats=(),
        )
        for seat, (team, user) in enumerate((team, user) for team, users in enumerate(teams) for user in users)
    ]  # fmt: skip
    await store.results.record([replace(result, **more) for result in results], rate)
    return game_id


async def play_ladder(hall: Hall, plan: CupPlan, size: int, dice: random.Random, kills: bool) -> tuple[Cup, list[str]]:
    """Play a ladder for two months, with all that can go wrong; return the first, and what is not as it should be."""
    entered, outside, on = people(size), 99_999, hall.discord
    first = cup = await opened(hall, plan, entered[: size - size // 8 - 1])
    late, gone, ends_at = entered[size - size // 8 - 1 :], list[int](), first.rounds[-1].ends_at or 0
    played = list[tuple[int, list[int]]]()
    for week in range(14):
        on.deadly, on.fails = kills, dice.randrange(1, 4) if dice.random() < FAILS else 0
        for _ in range(4):
            await hall.work()
        on.fails = 0
        on.deadly, cup = False, await hall.cup()
        if not cup.is_open:
            break
        _, cups, _ = hall.begin()
        if cup.id != first.id and cup.plan.again:
            await cups.repeat(cup.id, MODERATOR, GUILD, again=False)
        while late and week:
            await cups.enter(cup.id, late.pop(), GUILD)
        if week == 2:
            await cups.leave(cup.id, entered[0], GUILD)
            gone.append(entered[0].id)
            hall.clock.now += 1
        there = [person.id for person in entered if person not in late]
        for _ in range(size):
            began_at = int(hall.clock())
            ended_at = began_at + dice.randrange(5 * DAY)
            seated = dice.sample([*there, *([outside] if dice.random() < 0.2 else [])], 4)
            await write_game(hall.store, began_at, ended_at, seated[:2], seated[2:])
            if outside not in seated and not {*gone} & {*seated}:
                played.append((ended_at, seated))
        hall.clock.now += 7 * DAY
    faults, (_, cups, _) = on.faults(), hall.begin()
    both = sorted(await cups.of_guild(GUILD), key=lambda cup: cup.id)
    if [(cup.stage, cup.plan.again) for cup in both] != [(CupStage.OVER, True), (CupStage.OVER, False)]:
        faults.append("there are not two ladders")
    for cup in both:
        games = sorted(game for game in played if (game[0] < ends_at) == (cup.id == first.id))
        lines = {cup.entries[line.side[0]].user_id: line for line in await cups.standings(cup)}
        if {user: line.played for user, line in lines.items()} != count_ladder(seated for _, seated in games):
            faults.append("games are counted wrongly")
        if any(cup.entries[line.side[0]].place != line.place for line in lines.values()):
            faults.append("a player has not the place of their points")
    return await cups.played(both[0]), faults


def count_ladder(games: Iterable[Sequence[int]]) -> Mapping[int, int]:
    """Return how many of these games, two against two, count for each player."""
    met, counted = Counter[tuple[int, int]](), Counter[int]()
    for one, two, three, four in games:
        teams = {one: (three, four), two: (three, four), three: (one, two), four: (one, two)}
        for player in [player for player, others in teams.items() if all(met[player, each] < 5 for each in others)]:
            counted[player] += 1
            met.update((player, each) for each in teams[player])
    return counted


def find_unfair(cup: Cup, stayed: Sequence[int]) -> list[str]:
    """Return which properties of fair pairing do not hold; `stayed`: those who were in the cup to the end."""
    faults, plan, rounds = list[str](), cup.plan, cup.rounds
    for number, round in enumerate(rounds, start=1):
        placed = [*itertools.chain(*round.byes), *(number for match in round.matches for number in match.players)]
        if len(placed) != len({*placed}):
            faults.append(f"round {number}: a player has two places")
    if plan.course is not CupCourse.SWISS:
        return faults
    met, together, seats, byes = (
        Counter[frozenset[Any]](),
        Counter[frozenset[int]](),
        Counter[tuple[int, int]](),
        Counter[int](),
    )
    for round in rounds:
        byes.update(itertools.chain(*round.byes))
        for match in round.matches:
            sides = [sides_at(plan, match, team) for team in range(len(match.teams))]
            for side, other in itertools.combinations(sides, 2):
                met.update(frozenset(both) for both in itertools.product(side, other))
            for team, numbers in enumerate(match.teams):
                together.update(frozenset(both) for both in itertools.combinations(numbers, 2))
                seats.update((number, plan.teams[team][place]) for place, number in enumerate(numbers))
    always = [number for number in stayed if cup.entries[number].since == 1]
    opponents = plan.terms.players - len(plan.teams[0]) if plan.size == 1 else plan.sides_at_table - 1
    if len(always) // plan.size > 3 * opponents * len(rounds) and max(met.values()) > 1:
        faults.append("a rematch that could be avoided")
    if plan.format is Format.DRAWN and len(always) > plan.terms.players + 4 and max(together.values()) > 1:
        faults.append("the same partners twice")
    if max((byes[number] for number in always), default=0) - min((byes[number] for number in always), default=0) > 1:
        faults.append("byes are not shared out")
    spread = [
        max(each) - min(each)
        for number in always
        for each in [[seats[number, seat] for team in plan.teams for seat in team]]
    ]
    if max(spread, default=0) > 3:
        faults.append("seats are not spread evenly")
    return faults


@patch.multiple("aiosqlite.core", SimpleQueue=AtOnce, Thread=NoThread)
async def run_all(sizes: Sequence[int], names: Sequence[str], kills: bool, each: bool) -> int:
    """Play cups of these sizes and formats, and return how many have faults."""
    faulty = 0
    asyncio.get_running_loop().set_exception_handler(_forgive_killed)
    heads = ("rounds", 6), ("games", 6), ("programs", 8), ("seconds", 8), ("processor", 9), ("pairing ms", 10)
    print(f"{'format':28} {'players':>7}", *(f"{head:>{width}}" for head, width in heads))
    for name, size in itertools.product(names, sizes):
        plan, dice = PLANS[name], random.Random(f"{name} {size}")
        if size > plan.most or size // plan.size < max(plan.sides_at_table, 2) or size - size // 16 < 4:
            continue
        spent = list[float]()
        with tempfile.TemporaryDirectory() as folder:
            used = time.process_time()
            store, begun = Store(f"sqlite+aiosqlite:///{folder}/cups.db"), time.perf_counter()
            await store.open()
            hall = Hall(store, Clock())
            hall.discord.spares = random.Random(size) if size > SPARED and not each else None
            with (
                patch.object(cup_runner, "now", hall.clock),
                patch.object(posting, "now", hall.clock),
                patch.object(cup_runner, "PATIENCE", 600.0),
                patch.object(cup_runner, "poster_png", lambda *_: b""),
                patch.object(cup_runner, "standings_png", lambda *_: b""),
                patch("bot.cups.service.pair", _timed(spent)),
            ):
                if plan.is_ladder:
                    cup, faults = await play_ladder(hall, plan, size, dice, kills)
                else:
                    cup = await play(hall, plan, size, dice, kills)
                    faults = await faults_of(hall, cup)
            await store.close()
        took = (
            f"{time.perf_counter() - begun:8.1f} {time.process_time() - used:9.1f} {1000 * max(spent, default=0):10.0f}"
        )
        print(f"{name:28} {size:7} {len(cup.rounds):6} {cup.games:6} {hall.programs:8} {took}", *faults, flush=True)
        faulty += bool(faults)
    return faulty


def _forgive_killed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say nothing of a second cup whose work ends because the program was killed."""
    if not isinstance(context.get("exception"), Killed):
        loop.default_exception_handler(context)


def _timed(spent: list[float]) -> Callable[..., Any]:
    def timed(*args: Any) -> Any:
        begun = time.thread_time()
        found = pair(*args)
        spent.append(time.thread_time() - begun)
        return found

    return timed


def measure_pairing(players: int) -> None:
    """Print how long each round of each format takes to pair, in milliseconds of processor."""
    for name, plan in PLANS.items():
        if plan.is_ladder:
            continue
        count = min(players, plan.most)
        sides = entered_sides(plan, count)
        rounds, took, dice = list[Round](), list[float](), random.Random(1)
        for _ in range(rounds_of(plan, len(sides))):
            begun = time.process_time()
            matches, byes = pair(plan, SEED, sides, rounds)
            took.append(1000 * (time.process_time() - begun))
            rounds.append(Round(tuple(decide(plan, match, dice) for match in matches), byes))
        print(f"{name:28} {count:4} players: {', '.join(f'{each:.0f}' for each in took)} ms", flush=True)


def entered_sides(plan: CupPlan, players: int) -> list[Side]:
    """Return the sides of a cup that this many players have entered; in pairs, one may be left over."""
    numbers = range(1, players + 1)
    return [*zip(numbers[::2], numbers[1::2], strict=False)] if plan.size == 2 else [(number,) for number in numbers]


def decide(plan: CupPlan, match: Match, dice: random.Random) -> Match:
    """Return a table with all its outcomes, decided by dice."""
    while not match.is_over(plan.best_of):
        won, full = dice.randrange(len(match.teams)), [4 * len(team) for team in match.teams]
        home = tuple(most if team == won else dice.randrange(most) for team, most in enumerate(full))
        match = replace(match, outcomes=(*match.outcomes, Outcome(won, home, dice.randrange(5, 15))))
    return match


async def week(folder: Path) -> None:
    """Play a cup of eight people over a week and write down what it says, with its pictures.

    One enters late, one never acts, and the bot is down for a day; computers play the games out.
    """
    names = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gül", "Hannelore von Thun")
    entered = [Person(10_001 + number, name) for number, name in enumerate(names)]
    with tempfile.TemporaryDirectory() as place:
        store = Store(f"sqlite+aiosqlite:///{place}/cups.db")
        await store.open()
        hall = Hall(store, Clock())
        with (
            patch.object(cup_runner, "now", hall.clock),
            patch.object(posting, "now", hall.clock),
            patch.object(cup_runner, "PATIENCE", 600.0),
        ):
            await opened(hall, CupPlan(rounds=3, length=2 * DAY, overdue=Overdue.COMPUTERS), entered[:7], "Herbstcup")
            for number in (1, 2, 3):
                tables = await hall.work()
                await act_once(hall, tables, [entered[3].id])
                cup = await hall.cup()
                _, cups, _ = hall.begin()
                if number == 1:
                    await cups.enter(cup.id, entered[7], GUILD)
                if number == 2:
                    # The bot comes back after a day, which counts for no one.
                    hall.clock.now += DAY
                    await cups.skip(DAY)
                hall.clock.now += 2 * DAY + 60
            await hall.work()
            cup = await hall.cup()
        await store.close()
    folder.mkdir(parents=True, exist_ok=True)
    for index, (nonce, (channel, text, pinged)) in enumerate(hall.discord.posts.items(), start=1):
        print(f"-- {index}, in {channel}, pings {len(pinged)}\n{text}")
        if nonce in hall.discord.pictures:
            (folder / f"{index}.png").write_bytes(hall.discord.pictures[nonce])
    for line in standings(cup.plan, cup.seed, cup.all_sides, cup.rounds):
        (number,) = line.side
        print(cup.entries[number].name, line.place, line.points, "missed", cup.entries[number].missed)


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("all", "week", "pairing"))
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--formats", nargs="*", choices=PLANS, default=[*PLANS])
    parser.add_argument("--no-kills", action="store_true")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--folder", type=Path, default=Path("build/cups"))
    asked = parser.parse_args()
    match asked.what:
        case "all":
            return asyncio.run(run_all(asked.sizes, asked.formats, not asked.no_kills, asked.each))
        case "week":
            asyncio.run(week(asked.folder))
        case _:
            measure_pairing(max(asked.sizes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
