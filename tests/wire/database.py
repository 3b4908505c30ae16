"""The database in trouble under the real process: `python -m tests.wire.database`.

Locked for six seconds and for thirty, a disk that is full, a file that is removed, and one that is overwritten: each
while people play. An action is answered at once and kept, or refused in words and not kept; the log and the moderators
are told; and afterwards play goes on. On 127.0.0.1, bounded, ending by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import re
import resource
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import discord

from tests.wire.figures import ms
from tests.wire.filling import Place
from tests.wire.interactions import COMMAND
from tests.wire.load import Stage, card_of, stage
from tests.wire.mirror import Mirror
from tests.wire.people import Answer, Person
from tests.wire.players import DONE, SYSTEMS, Report, free

GAMES = 5
PATIENCE = 600.0
"""Seconds after which no answer comes any more."""

REFUSED = "cannot be saved"
TRIES = 3
"""How often somebody tries again once there is room: what was under way may have failed just then."""
MOST = 200
"""More actions than a disk takes that has no room left."""


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
        """Somebody at the next table (or this game and seat) acts; once they are acknowledged, `meanwhile` happens.

        `kept`: whether that has to be kept (None: either), and said accordingly.
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
        done, refused = answer.text.startswith(DONE), REFUSED in answer.text
        if done == refused or kept not in (None, done):
            self.wrong(f"an action was answered {answer.text!r}")
        return answer

    async def free_seat(self) -> tuple[int, int, Mirror]:
        """A game and a seat whose person has something to choose now, once the bot has nothing left to do."""
        mirror = Mirror(self.on.bot.database)
        while True:
            self._turn = self._turn % GAMES + 1
            game = mirror.game(self._turn)
            at_rest = not mirror.value("SELECT count(*) FROM games WHERE shown_version IS NOT version")
            if at_rest and game.to_act and free(game, game.to_act[0]) and game.number == len(mirror.log(self._turn)):
                return self._turn, game.to_act[0], mirror
            await asyncio.sleep(0.05)

    async def anew(self, database: bytes) -> None:
        """Put these games in their place, and start the bot on them."""
        await self.on.bot.kill()
        for file in self.on.bot.folder.glob("dog.db*"):
            file.unlink()
        self.on.bot.database.write_bytes(database)
        await self.on.bot.start(within=PATIENCE)
        await self.act(kept=True)

    async def told(self) -> None:
        """A moderator and the log must name the trouble."""
        place = Place(1)
        channel, person = self.on.wire.world.channels[place.channel], self.on.crowd.people[place.user(0)]
        powers = discord.Permissions.all().value
        made = person.raw(COMMAND, channel, person._command("dog-admin settings", []), permissions=powers)
        answer = await person.hear(made, patience=PATIENCE)
        if REFUSED not in answer.text:
            self.wrong(f"a moderator reads {answer.text!r}")
        if "Nothing is written until then" not in self.on.bot.log_text():
            self.wrong("the log does not say it")

    async def logged(self, pattern: str) -> str:
        """What the log says, as soon as it says this."""
        while (found := re.search(pattern, self.on.bot.log_text())) is None:  # noqa: ASYNC110  # another process's log
            await asyncio.sleep(0.05)
        return found[1]

    def wrong(self, what: str) -> None:
        """Note what must not be."""
        self.report.faults.append(f"{self._now}: {what}")

    def begin(self, name: str) -> None:
        """What follows is about this trouble."""
        self._now = name

    def seen(self, answer: Answer) -> None:
        """Note how soon an answer was acknowledged, and when it came."""
        took = (answer.made.completed or time.perf_counter()) - answer.made.begun
        self.report.rows.append(
            (f"{self._now}: acknowledged, answered", f"{ms(answer.acknowledged or 0)}, {took:.1f} s")
        )


@contextlib.contextmanager
def locked(on: Stage) -> Iterator[sqlite3.Connection]:
    """Another program writes, and does not come to an end."""
    with closing(sqlite3.connect(on.bot.database, isolation_level=None, check_same_thread=False)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield holder


async def locked_for(run: Trouble, seconds: float) -> None:
    """The lock ends so long after somebody was acknowledged: what they did is kept."""
    run.begin(f"locked for {seconds:g} s")
    with locked(run.on) as holder:
        loop = asyncio.get_running_loop()
        run.seen(await run.act(kept=True, meanwhile=lambda: loop.call_later(seconds, holder.rollback)))


async def locked_for_good(run: Trouble) -> None:
    """Nobody waits for longer than the bot does: they hear that it was not kept."""
    run.begin("locked for good")
    with locked(run.on):
        run.seen(await run.act(kept=False))
        await run.told()
    await run.act(kept=True)


async def full(run: Trouble) -> None:
    """The disk takes no more: what it took is kept, the rest refused."""
    run.begin("disk full")
    pid, limit = run.on.bot.pid, resource.RLIMIT_FSIZE
    most = resource.prlimit(pid, limit)
    grown = max(file.stat().st_size for file in run.on.bot.folder.iterdir())
    resource.prlimit(pid, limit, (grown + 65_536, most[1]))
    for _ in range(MOST):
        answer = await run.act(kept=None)
        if not answer.text.startswith(DONE):
            run.seen(answer)
            await run.told()
            break
    else:
        run.wrong("it was never full")
    resource.prlimit(pid, limit, most)
    for _ in range(TRIES):
        if (await run.act(kept=None)).text.startswith(DONE):
            return
    run.wrong("nothing is kept though there is room again")


async def removed(run: Trouble) -> None:
    """The file goes: nothing is written elsewhere, and the games are saved beside it, to be put back."""
    run.begin("file removed")
    at = await run.free_seat()
    known = logs(run.on.bot.database)
    for file in run.on.bot.folder.glob("dog.db*"):
        file.unlink()
    run.seen(await run.act(kept=False, at=at))
    await run.told()
    if run.on.bot.database.exists():
        run.wrong("an empty database stands in its place")
    saved = await run.logged(r"is saved in (\S+):")
    if logs(Path(saved)) != known:
        run.wrong("not all of it was saved")
    await run.anew(Path(saved).read_bytes())


async def overwritten(run: Trouble) -> None:
    """Something else stands in the file."""
    run.begin("file overwritten")
    at = await run.free_seat()
    before = copy_of(run.on.bot.database)
    with run.on.bot.database.open("r+b") as file:
        file.write(b"something else altogether")
    run.seen(await run.act(kept=False, at=at))
    await run.told()
    await run.anew(before)


def logs(database: Path) -> list[tuple[object, ...]]:
    """All actions of all games."""
    with closing(sqlite3.connect(database)) as rows:
        return rows.execute("SELECT * FROM actions ORDER BY game_id, number").fetchall()


def copy_of(database: Path) -> bytes:
    """What a database holds, its log included."""
    with closing(sqlite3.connect(database)) as rows, closing(sqlite3.connect(":memory:")) as copy:
        rows.backup(copy)
        return copy.serialize()


async def trouble(locks: Sequence[float], *, for_good: bool) -> Report:
    """All of it, one after the other: locks for so many seconds, perhaps one for good, then the rest."""
    report = Report(f"a database in trouble, {GAMES} games of all systems")
    async with stage(GAMES, system=SYSTEMS, start=False) as on:
        on.wire.world.guilds[Place(1).guild].owner_id = Place(1).user(0)
        await on.bot.start(within=PATIENCE)
        run = Trouble(on, report)
        for seconds in locks:
            await locked_for(run, seconds)
        if for_good:
            await locked_for_good(run)
        for part in (full, removed, overwritten):
            await part(run)
        report.rows.append(("tracebacks", f"{on.bot.tracebacks()}"))
    return report


def main(words: Sequence[str] | None = None) -> int:
    """Run it; 1 if anything is as it must not be."""
    argparse.ArgumentParser(prog="python -m tests.wire.database", description=__doc__).parse_args(words)
    report = asyncio.run(trouble([6.0], for_good=True))
    print(report, flush=True)
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
