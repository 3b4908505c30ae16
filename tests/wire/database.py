"""The database in trouble under the real process: `make soak SOAK=database`.

The database is locked, for six seconds and for longer than the bot waits; the disk is full; the file is removed and
put back: each while people play. An action is answered at once and kept, or refused in words and not kept; the log
and the moderators are told; and afterwards play goes on. On 127.0.0.1, bounded, ending by itself: a part that does not
finish in time is a fault, and so is an end from outside (SIGTERM); either way there is a verdict.
"""

import asyncio
import contextlib
import functools
import resource
import signal
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing

import discord

from tests.wire.crowd import Stage, card_of, stage
from tests.wire.figures import ms
from tests.wire.filling import Place
from tests.wire.interactions import COMMAND
from tests.wire.mirror import Mirror
from tests.wire.people import Answer, Person
from tests.wire.players import SYSTEMS, Report, free, is_done

GAMES = 5
WITHIN = 300.0
"""Seconds that each part may take: ten times what it takes when the machine has nothing else to do."""
PATIENCE = 600.0
"""Seconds after which an answer will never come."""

REFUSED = "cannot be saved"
SAID = "Nothing is written until then"
WRITABLE = "the database can be written again"
MOST = 200
"""More actions than a full disk can take."""


class NoEnd(Exception):
    """A part was given up; the text says why."""


class Trouble:
    """One run: games on a stage, and what was found wrong."""

    def __init__(self, on: Stage, report: Report) -> None:
        self.on, self.report = on, report
        self._turn = 0
        self._now = ""

    async def act(
        self,
        *,
        kept: bool | None,
        meanwhile: Callable[[], object] = lambda: None,
        at: tuple[int, int, Mirror] | None = None,
    ) -> Answer:
        """Let somebody at the next table (or this game and seat) act; once it is acknowledged, `meanwhile` happens.

        `kept`: whether the action has to be kept (None: either); the answer must agree with what happened.
        """
        number, seat, mirror = at or await self.free_seat()
        game, place = mirror.game(number), Place(number)
        mirror.close()
        person: Person = self.on.crowd.people[place.user(seat)]
        action = game.legal(seat)[0]
        channel = self.on.wire.world.channels[place.channel]
        made = person.type(channel, "dog play", card=card_of(action), move=str(action), game=place.code)
        answer = Answer(made)
        while made.acknowledged is None:
            made.changed.clear()
            await made.changed.wait()
        meanwhile()
        await person.hear(made, patience=PATIENCE)
        done, refused = is_done(answer.text, action.kind), REFUSED in answer.text
        if done == refused or kept not in (None, done):
            self.wrong(f"an action was answered {answer.text!r}")
        return answer

    async def free_seat(self) -> tuple[int, int, Mirror]:
        """A game and a seat whose person has a choice to make now, once the bot has nothing left that it can do.

        The bot cannot come to rest while something is in its way, so ask before holding the database.
        """
        mirror = Mirror(self.on.bot.database)
        while True:
            self._turn = self._turn % GAMES + 1
            game = mirror.game(self._turn)
            at_rest = self.in_trouble() or not mirror.behind()
            if at_rest and game.to_act and free(game, game.to_act[0]) and game.number == len(mirror.log(self._turn)):
                return self._turn, game.to_act[0], mirror
            await asyncio.sleep(0.05)

    def in_trouble(self) -> bool:
        """Whether the last thing that the log says about the database is that it cannot be written to."""
        return SAID in self.on.bot.log_text().rpartition(WRITABLE)[2]

    async def told(self) -> None:
        """A moderator and the log must hear of the trouble, unless something could be written again meanwhile."""
        place = Place(1)
        channel, person = self.on.wire.world.channels[place.channel], self.on.crowd.people[place.user(0)]
        powers = discord.Permissions.all().value
        made = person.raw(COMMAND, channel, person._command("dog-admin settings", []), permissions=powers)
        answer = await person.hear(made, patience=PATIENCE)
        if SAID not in self.on.bot.log_text():
            self.wrong("the log does not say it")
        elif REFUSED not in answer.text and self.in_trouble():
            self.wrong(f"a moderator reads {answer.text!r}")

    def wrong(self, what: str) -> None:
        """Note something that should not have happened."""
        self.report.faults.append(f"{self._now}: {what}")

    async def begun(self) -> None:
        """Start the bot; the owner of the guild is the one who asks as a moderator."""
        self.on.wire.world.guilds[Place(1).guild].owner_id = Place(1).user(0)
        await self.on.bot.start(within=PATIENCE)

    async def part(self, name: str, work: Awaitable[None], within: float) -> None:
        """Do one part; faults noted meanwhile are about it. Raises `NoEnd` after so many seconds, and at SIGTERM."""
        self._now = name
        print(f"{name} ...", file=sys.stderr, flush=True)
        doing = asyncio.ensure_future(work)
        loop, told = asyncio.get_running_loop(), asyncio.Event()
        loop.add_signal_handler(signal.SIGTERM, told.set)
        ended = asyncio.create_task(told.wait())
        try:
            await asyncio.wait({doing, ended}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                raise NoEnd("ended from outside" if told.is_set() else f"no end within {within:g} s")
            await doing
        finally:
            loop.remove_signal_handler(signal.SIGTERM)
            for task in (doing, ended):
                task.cancel()
            await asyncio.wait({doing, ended})

    def seen(self, answer: Answer) -> None:
        """Note how soon an answer was acknowledged, and when it came."""
        took = (answer.made.completed or time.perf_counter()) - answer.made.begun
        self.report.rows.append(
            (f"{self._now}: acknowledged, answered", f"{ms(answer.acknowledged or 0)}, {took:.1f} s")
        )


@contextlib.contextmanager
def locked(on: Stage) -> Iterator[sqlite3.Connection]:
    """Another program writes, and does not finish."""
    with closing(sqlite3.connect(on.bot.database, isolation_level=None, check_same_thread=False)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield holder


async def locked_for(run: Trouble, seconds: float) -> None:
    """The lock ends this long after somebody's action was acknowledged: the action is kept."""
    at = await run.free_seat()
    with locked(run.on) as holder:
        loop = asyncio.get_running_loop()
        run.seen(await run.act(kept=True, at=at, meanwhile=lambda: loop.call_later(seconds, holder.rollback)))


async def locked_for_good(run: Trouble) -> None:
    """Nobody waits longer than the bot does: they are told that the action was not kept."""
    at = await run.free_seat()
    with locked(run.on):
        run.seen(await run.act(kept=False, at=at))
        await run.told()
    await run.act(kept=True)


async def full(run: Trouble) -> None:
    """The disk takes no more: what it took is kept, the rest is refused."""
    pid, limit = run.on.bot.pid, resource.RLIMIT_FSIZE
    most = resource.prlimit(pid, limit)
    grown = max(file.stat().st_size for file in run.on.bot.folder.iterdir())
    resource.prlimit(pid, limit, (grown + 65_536, most[1]))
    for _ in range(MOST):
        answer = await run.act(kept=None)
        if REFUSED in answer.text:
            run.seen(answer)
            await run.told()
            break
    else:
        run.wrong("it was never full")
    # The next action comes after there is room again, and nothing that failed before may be in its way.
    resource.prlimit(pid, limit, most)
    await run.act(kept=True)


async def removed(run: Trouble) -> None:
    """The file disappears: nothing is written elsewhere, and once it is put back, play goes on."""
    at = await run.free_seat()
    file = run.on.bot.database
    aside = file.rename(file.with_name("aside.db"))
    run.seen(await run.act(kept=False, at=at))
    await run.told()
    if file.exists():
        run.wrong("an empty database stands in its place")
    aside.rename(file)
    await run.act(kept=True)


async def trouble(locks: Sequence[float], *, for_good: bool, within: float = WITHIN) -> Report:
    """All of it, one part after another: locks of these lengths, perhaps one for good, then the rest.

    Each part may take `within` seconds. After one that does not finish, nothing more is tried.
    """
    report = Report(f"a database in trouble, {GAMES} games of all systems")
    parts: list[tuple[str, Callable[[Trouble], Awaitable[None]]]] = [
        (f"locked for {seconds:g} s", functools.partial(locked_for, seconds=seconds)) for seconds in locks
    ]
    parts += [("locked for good", locked_for_good)] if for_good else []
    parts += [("disk full", full), ("file removed", removed)]
    async with stage(GAMES, system=SYSTEMS, start=False) as on:
        run = Trouble(on, report)
        try:
            await run.part("start", run.begun(), within)
            for name, part in parts:
                await run.part(name, part(run), within)
        except NoEnd as problem:
            run.wrong(str(problem))
        report.rows.append(("tracebacks", f"{on.bot.tracebacks()}"))
    return report
