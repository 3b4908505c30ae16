"""Computer players: the seats that need no person, the time and choice of their actions, and thinking in processes.

Folds that the rules force need no person either. Thinking is a pure function of the game, so it can run in another
process, be discarded if a player has acted in the meantime, and gives the same move after a restart. The whole game
goes to the worker, seed included; the player in it gets no more than its seat's knowledge, and dice. The dice are a
hash of the seed, from which the seed cannot be recovered; the deck is drawn from other hashes.

In live games computers take their time like people, in slow ones they act at once. The time depends only on the game
and its log, so a restart changes nothing.

Decisions that take a few milliseconds are made on the event loop, one at a time, with other work in between. Longer
ones are made in other processes, within a budget; if these are busy, slow or dead, or anything else goes wrong there,
the next lower level answers at once, and the log says when the trouble begins and when it is over.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.errors import Busy
from bot.occupants import Level, Occupant
from bot.pools import Pools
from bot.table import Automatic, Logged, Table
from bot.workers import WorkerDied
from engine import Action, ActionKind, DogError, Game, players
from engine.secret import whole

log = logging.getLogger(__name__)

SLOW = frozenset({Level.STRONG})
"""The levels that need more than a few milliseconds for an action: they think in another process."""

LOWER: Mapping[str, str] = {Level.STRONG: Level.NORMAL, Level.NORMAL: "heuristic", Level.EASY: "heuristic"}
"""The level that answers instead of one that fails or has no time; for levels not listed here, chance decides."""


@dataclass(frozen=True, slots=True)
class AutoSeat:
    """A seat whose action needs no person: `level` of the computer player, None for a fold forced by the rules."""

    game: Game
    seat: int
    level: str | None

    @property
    def quick(self) -> bool:
        """Return True if the action is found within a few milliseconds."""
        return self.level not in SLOW or len(self.game.legal(self.seat)) == 1

    @property
    def actor(self) -> Automatic:
        """The actor: a computer player, or a rule."""
        return Automatic.RULE if self.level is None else Automatic.COMPUTER

    def action(self) -> Action:
        """Return the seat's action."""
        return self.game.legal(self.seat)[0] if self.level is None else think(self.game, self.seat, self.level)


def auto_seats(game: Game, occupants: Mapping[int, Occupant]) -> Iterator[AutoSeat]:
    """All seats being asked now that need no person, in turn order."""
    for seat in game.to_act:
        level = occupants[seat].computer
        if level is not None:
            yield AutoSeat(game, seat, level)
        elif all(action.kind is ActionKind.FOLD for action in game.legal(seat)) and not lays_down(
            game, seat, occupants
        ):
            yield AutoSeat(game, seat, None)


def lays_down(game: Game, seat: int, occupants: Mapping[int, Occupant]) -> bool:
    """Return True if a person alone with computers lays their hand down themselves, so that they see their round.

    They do until they have acted in it. Where others play, the rules do it at once, since they would wait.
    """
    people = [other for other, who in occupants.items() if who.plays is not None]
    return people == [seat] and not game.has_acted(seat)


def think(game: Game, seat: int, level: str) -> Action:
    """Return the action of a computer player of this level; always the same for the same game and seat.

    In another process too: the game travels there as it stands, since replaying its log would take longer than most
    decisions do. If the player fails, the next lower level answers, and in the end any legal action will do, so that a
    bug in it cannot hold up a table.
    """
    legal = game.legal(seat)
    if len(legal) == 1:
        return legal[0]
    tried: str | None = level if level in players.PLAYERS else LOWER[Level.NORMAL]
    while tried is not None:
        dice = dice_of(game, seat)
        try:
            action = players.choose(tried, game, seat, dice)
            game.preview(seat, action)
        except DogError:
            log.error("computer player %s chose an action that is not legal", tried)
        except Exception as problem:
            # Only the type: the exception's text could reveal a hand.
            log.error("computer player %s failed with %s", tried, type(problem).__name__)
        else:
            return action
        tried = LOWER.get(tried)
    return dice_of(game, seat).choice(legal)


def dice_of(game: Game, seat: int) -> random.Random:
    """Return a computer player's dice for one decision: the same after a restart, and not those of the shuffles."""
    return dice_from(b"computer|%d|%d|" % (game.number, seat) + game.seed)


def dice_from(words: bytes) -> random.Random:
    """Dice that follow from these words, which cannot be recovered from them."""
    return random.Random(hashlib.sha256(words).digest())


QUICKEST, SPREAD = 1.0, 1.0
"""At the pace `LIVE`: the fewest seconds that a computer player waits, and how many more at most."""

ROUNDED = 1.0
"""Times in the log are whole seconds, so this much more may pass: one to three seconds in all."""


def is_thinking(table: Table) -> bool:
    """Return True if a computer player at this table is taking its time now; meanwhile the table is shown as it is."""
    return table.is_live and any(table.occupants[seat].computer is not None for seat in table.to_act)


def who_acts_next(table: Table, rows: Sequence[Logged]) -> tuple[AutoSeat, float] | None:
    """Return the seat that acts next without a person, and when (Unix seconds; 0: at once); None if there is none.

    `rows`: the actions so far, if computer players take their time, which starts when each was asked. A forced fold
    takes no time.
    """
    if table.game is None:
        return None
    automatic = list(auto_seats(whole(table.game), table.occupants))
    if not automatic:
        return None
    if not table.is_live:
        return automatic[0], 0.0
    when, index = min(
        (0.0 if seat.level is None else acts_at(seat, _find_asked_at(table, seat, rows)), index)
        for index, seat in enumerate(automatic)
    )
    return automatic[index], when


def acts_at(auto_seat: AutoSeat, since: float) -> float:
    """Return when a computer player that was asked at `since` acts; both are Unix seconds."""
    game = auto_seat.game
    dice = dice_from(b"pause|%d|%d|" % (game.decision(auto_seat.seat) or 0, auto_seat.seat) + game.seed)
    return since + ROUNDED + QUICKEST + SPREAD * dice.random()


def _find_asked_at(table: Table, auto_seat: AutoSeat, rows: Sequence[Logged]) -> float:
    """Return when a seat was asked for its current decision."""
    number = auto_seat.game.decision(auto_seat.seat) or 0
    return rows[number - 1].at if 0 < number <= len(rows) else table.started_at or table.created_at


BUDGET = 0.6
"""Seconds that a slow level may think, waiting included; then the next lower level answers, in some milliseconds."""

CALM_AFTER = 60.0
"""Seconds without trouble after which it counts as over; until then, nothing more is logged about it."""

_TROUBLES: Mapping[type[Exception], str] = {Busy: "are busy", TimeoutError: "are too slow", WorkerDied: "have ended"}


class Thinking:
    """Decides for computer players: one at a time on the event loop, the slow ones in `pools`."""

    def __init__(self, pools: Pools) -> None:
        self._pools = pools
        self._turn = asyncio.Lock()
        self._trouble_at: float | None = None
        self._lowered = 0

    async def action(self, auto_seat: AutoSeat) -> Action:
        """Return the seat's action; always an answer, by a lower level if there is none in time."""
        level = auto_seat.level
        if level is not None and not auto_seat.quick:
            try:
                action = await self._pools.think(BUDGET, think, auto_seat.game, auto_seat.seat, level)
            except Exception as problem:
                # Also the unexpected: no clock runs for a computer, so nothing else would play on.
                self._lower(problem)
                auto_seat = replace(auto_seat, level=LOWER[level])
            else:
                self._well()
                return action
        async with self._turn:
            # Clicks and everything else that is waiting get their turn between two decisions.
            await asyncio.sleep(0)
            return auto_seat.action()

    def _lower(self, problem: Exception) -> None:
        now = asyncio.get_running_loop().time()
        if self._trouble_at is None:
            # Only the type: the exception's text could reveal a hand.
            trouble = _TROUBLES.get(type(problem), f"fail with {type(problem).__name__}")
            log.warning("the processes that think %s: computer players answer at a lower level meanwhile", trouble)
            self._lowered = 0
        self._trouble_at = now
        self._lowered += 1

    def _well(self) -> None:
        if self._trouble_at is None or asyncio.get_running_loop().time() - self._trouble_at < CALM_AFTER:
            return
        log.info("computer players think as they should again; %s answered at a lower level", self._lowered)
        self._trouble_at = None
