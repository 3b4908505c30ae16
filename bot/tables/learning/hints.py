"""Hints: what a strong computer player would do on a person's seat, and why, judging by what that seat can know.

They are computed in the computer players' pool, within a budget; the dice come from the table and the moment, not from
the seed, so that nothing hidden can influence them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.errors import Busy, NoHints, StaleBoard
from bot.moment import Moment
from bot.pools import Pools
from bot.tables import seating
from bot.tables.computers import dice_from
from bot.tables.effects import need_game
from bot.tables.transactions import Service, Transactions
from bot.workers import WorkerDied
from engine import Action, ActionKind, Game
from engine.hidden.knowledge import Knowledge
from engine.hidden.worlds import NoWorld
from engine.players.best import action_for, rate, strong_effort
from engine.players.courtesy import courteous
from engine.players.levels import play_normal
from engine.players.motives import Motive, MotiveKind, motives
from engine.rules.resolved import Resolved

BUDGET = 2.0
"""Seconds that a hint may take, waiting included."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An action that a seat might take, and what speaks for it most."""

    action: Action
    motive: Motive


class Hints(Service):
    """Asked for by players where the table allows it."""

    def __init__(self, transactions: Transactions, pools: Pools) -> None:
        super().__init__(transactions)
        self._pools = pools

    async def hint(self, table_id: int, user_id: int, decision: Moment) -> Suggestion:
        """What this member might do in this decision; nothing changes.

        Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, `NoHints`, `StaleBoard`, and `Busy` if there is no time to
        think.
        """
        table = await self._transactions.get(table_id)
        game = need_game(table)
        seat = seating.need_play(table.people, user_id)
        if not table.hints:
            raise NoHints().at(table.code)
        if table.decision(seat) != decision:
            raise StaleBoard(decision, table.decision(seat))
        legal = game.legal(seat)
        if len(legal) == 1:  # nothing to think about, so it need not wait for a process either
            return Suggestion(legal[0], Motive(MotiveKind.ONLY))
        try:
            text, motive = await self._pools.think(BUDGET, _suggest, game, seat, table_id)
        except (TimeoutError, WorkerDied):
            raise Busy from None
        return Suggestion(Action.parse(text), motive)


def _suggest(game: Game, seat: int, table_id: int) -> tuple[str, Motive]:
    known = Knowledge.of(game, seat)
    dice = dice_from(b"hint|%d|%d|%d" % (table_id, game.number, seat))
    try:
        rated = [(one.does, one.value) for one in rate(known, dice, strong_effort(known.board))]
    except NoWorld:  # very rare: what looks best without any world is still a hint
        does = play_normal(known, dice)
        return str(action_for(known, does)), motives(known, does, len(game.legal(seat)))[0]
    does = courteous(known, rated)
    return str(action_for(known, does)), _motive(known, does, [one for one, _ in rated], len(game.legal(seat)))


_LITTLE = frozenset({MotiveKind.MOVES_ON, MotiveKind.SHARES, MotiveKind.SPARES_OWN, MotiveKind.BEST})
"""Motives that say less than anything else an action is good for."""


def _motive(known: Knowledge, does: Resolved, rated: Sequence[Resolved], choices: int) -> Motive:
    """What sets an action apart from the next best one, of another kind if there is one; if nothing, what it does."""
    others = [one for one in rated if one is not does]
    other = next((one for one in others if one.kind is not does.kind), None)
    if other is None and others and does.kind is not ActionKind.ASK:  # whether to call comes before what to give
        other = others[0]
    apart = motives(known, does, choices, against=other)[0]
    return motives(known, does, choices)[0] if apart.kind in _LITTLE else apart
