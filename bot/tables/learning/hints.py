"""Advice: hints in a game, and tips for a person's first games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.errors import Busy, NotPossible, Problem, need_current
from bot.moment import Moment
from bot.pools import Pools
from bot.tables import seating
from bot.tables.computers import dice_from
from bot.tables.effects import need_game
from bot.tables.transactions import Service, Transactions
from bot.workers import WorkerDied
from engine import KENNEL_TEXT, SLOTS, Action, ActionKind, Game, SeatGame, View
from engine.hidden.knowledge import Knowledge
from engine.hidden.worlds import NoWorld
from engine.players.best import action_for, rate, strong_effort
from engine.players.courtesy import choose_courteous
from engine.players.heuristic import needs_out
from engine.players.levels import play_normal
from engine.players.motives import Motive, MotiveKind, motives, preparation
from engine.rules.definition import Opening
from engine.rules.resolved import Resolved

BUDGET = 2.0
"""Seconds that a hint may take, waiting included."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An action that a seat might take, and the motive that speaks for it most."""

    action: Action
    motive: Motive


class Hints(Service):
    """Asked for by players where the table allows it."""

    def __init__(self, transactions: Transactions, pools: Pools) -> None:
        super().__init__(transactions)
        self._pools = pools

    async def hint(self, table_id: int, user_id: int, decision: Moment) -> Suggestion:
        """Return a suggestion for this member's decision; nothing changes.

        Raises `WrongStatus`, `NotAtTable`, `COMPUTER_PLAYS`, `NO_HINTS`, `HINTS_ON_TURN`, `MovedOn`, and `Busy` if
        there is no time to think.
        """
        table = await self._memory.get(table_id)
        game = need_game(table)
        seat = seating.need_play(table.occupants, user_id)
        if not table.hints:
            raise NotPossible(Problem.NO_HINTS)
        if table.decision(seat) is None:
            raise NotPossible(Problem.HINTS_ON_TURN)
        legal = game.legal(seat)
        if len(legal) == 1:  # nothing to think about, so it need not wait for a process either
            hint = Suggestion(legal[0], Motive(MotiveKind.ONLY))
        else:
            try:
                hint = await self._pools.think(BUDGET, _suggest, game, seat, table_id)
            except (TimeoutError, WorkerDied):
                raise Busy from None
        # Perhaps it was a long thought.
        need_current(decision, (await self._memory.get(table_id)).decision(seat))
        return hint


def _suggest(game: Game, seat: int, table_id: int) -> Suggestion:
    known = Knowledge.of(game, seat)
    dice = dice_from(b"hint|%d|%d|%d" % (table_id, game.number, seat))
    choices = len(game.legal(seat))
    try:
        rated = [(option.does, option.value) for option in rate(known, dice, strong_effort(known.board))]
    except NoWorld:  # very rare: what looks best without any world is still a hint
        does = play_normal(known, dice)
        return Suggestion(action_for(known, does), motives(known, does, choices)[0])
    does = _settle_gift(known, rated, choose_courteous(known, rated))
    return Suggestion(action_for(known, does), _motive(known, does, rated, choices))


CLOSE = 0.06
"""The chance to win that a hint gives up for a gift with which a waiting partner comes out, as the tip says."""


def _settle_gift(known: Knowledge, rated: Sequence[tuple[Resolved, float]], best: Resolved) -> Resolved:
    """Return the gift that agrees with the tips.

    The only way out that the giver needs is kept. Else a partner who waits for it gets a way out, if that is nearly as
    good as the best action.
    """
    cards, taker = known.board.system.cards, known.board.taker(known.seat)
    if best.kind is not ActionKind.GIVE:
        return best
    outs = sum(cards[card].brings_out for card in known.hand)
    keeps = outs == 1 and needs_out(known.pieces, known.seat)
    waits = taker is not None and taker in known.board.partners(known.seat) and needs_out(known.pieces, taker)
    gifts = [(each, value) for each, value in rated if each.kind is ActionKind.GIVE]
    if keeps and cards[str(best.what)].brings_out:
        return next((each for each, _ in gifts if not cards[str(each.what)].brings_out), best)
    if keeps or not waits or cards[str(best.what)].brings_out:
        return best
    least = rated[0][1] - CLOSE
    return next((each for each, value in gifts if value >= least and cards[str(each.what)].brings_out), best)


_LITTLE = frozenset({MotiveKind.MOVES_ON, MotiveKind.SHARES, MotiveKind.SPARES_OWN, MotiveKind.BEST})
"""Motives that say less than anything else an action is good for."""


AS_GOOD = 0.02
"""Actions whose chances to win differ by less are about as good."""


def _motive(known: Knowledge, does: Resolved, rated: Sequence[tuple[Resolved, float]], choices: int) -> Motive:
    """Return what sets an action apart from the next best, of another kind if possible; if nothing, what it does.

    Where that is little, it is what it prepares, or that another action is about as good.
    """
    chances = {id(option): chance for option, chance in rated}
    others = [option for option, _ in rated if option is not does]
    other = next((option for option in others if option.kind is not does.kind), None)
    if other is None and others and does.kind is not ActionKind.ASK:  # whether to call comes before what to give
        other = others[0]
    apart, alone = motives(known, does, choices, against=other)[0], motives(known, does, choices)[0]
    telling = next((motive for motive in (apart, alone) if motive.kind not in _LITTLE), preparation(known, does))
    if telling is not None:
        return telling
    is_close = any(abs(chances[id(does)] - chances[id(option)]) < AS_GOOD for option in others)
    return Motive(MotiveKind.CLOSE) if is_close else apart


TIP_TIMES = 2
"""The times that a tip is shown to a person."""


class Tip(StrEnum):
    """The subject of a tip; the interface words it."""

    KEEP = "keep"
    GIVE = "give"
    HELP = "help"
    FILL = "fill"
    EXACT = "exact"
    BACK = "four"
    SAFE = "safe"


def tip_for(game: SeatGame, learned: Mapping[str, int]) -> Tip | None:
    """Return the tip that a person should see now, given how often each was shown; None if none fits."""
    view = game.view
    if not view.legal:
        return None
    return next(
        (tip for tip, fits in _fitting(view).items() if fits and learned.get(tip_key(tip), 0) < TIP_TIMES), None
    )


def tip_key(tip: Tip) -> str:
    """Return the key under which the times that a tip was shown are stored."""
    return f"tip:{tip.value}"


def _fitting(view: View) -> Mapping[Tip, bool]:
    """Return which tips fit, the most urgent first."""
    seat = view.viewer
    assert seat is not None, "only a seat gets tips"
    board, kinds = view.board, {action.kind for action in view.legal}
    partners = board.partners(seat)
    mine = view.pieces[seat]
    home = sum(text[-1] in SLOTS for text in mine)
    parts = [part for action in view.legal for part in action.parts]
    taker = board.taker(seat)
    waits = taker is not None and taker in partners and _is_stuck(view, taker)
    cards = board.system.cards
    outs = sum(cards[card].brings_out for card in view.hand or ())
    goes_back = any(cards[card].goes_back for card in view.hand or ())
    fresh = any(text.endswith("*") for text in mine)
    out = any(_is_out(text) for text in mine)
    stuck = _is_stuck(view, seat)
    gives, turn = bool(kinds & {ActionKind.GIVE, ActionKind.ASK}), ActionKind.PLAY in kinds
    enters = any(part.target in SLOTS and part.origin not in SLOTS for part in parts)
    return {
        Tip.KEEP: gives and stuck and outs == 1,
        Tip.GIVE: gives and waits and outs > stuck,
        Tip.HELP: turn and home == len(mine) and bool(partners),
        Tip.FILL: turn and enters and not home,
        Tip.EXACT: turn and home == len(mine) - 1 and out and not any(rank.spares for rank in board.system.ranks),
        Tip.BACK: turn and goes_back and fresh,
        Tip.SAFE: turn and out and not board.system.ranks,
    }


def _is_stuck(view: View, seat: int) -> bool:
    """Return True if a seat has no piece on the track, and needs a card to bring one out."""
    begins = view.round == 1 and view.board.system.opening is Opening.CHOSEN  # a piece comes out before the first turn
    texts = view.pieces[seat]
    return not begins and not any(map(_is_out, texts)) and any(text.endswith(KENNEL_TEXT) for text in texts)


def _is_out(text: str) -> bool:
    return text[-1] not in SLOTS and not text.endswith(KENNEL_TEXT)
