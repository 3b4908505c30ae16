"""Buttons of messages posted by versions before `bot.showing.presses` existed: what they mean now.

Their custom ids had a verb, the table, one number for the version, the decision or the board, and a path. What can
still be understood becomes a present-day press. A step in the old dialogue leads to the newest hand, because answers
were numbered differently; an old "yes" that does not say when it was asked is stale, so that it is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from bot.moment import Moment
from bot.showing import presses
from bot.showing.press import LONGEST, MOST, Press
from bot.table import ProposalKind
from bot.tables.absence import Remedy

PREFIX = "dog"
_NUMBER = "[0-9]{1,18}"
_OLD = re.compile(
    rf"{PREFIX}:(?P<verb>[a-z_]{{1,20}}):(?P<table>{_NUMBER}):(?P<number>{_NUMBER})"
    rf"(?::(?P<path>{_NUMBER}(?:\.{_NUMBER})*)?)?(?:#.*)?"
)

NEVER = Moment(MOST, 0)
"""A point or moment that no game reaches: a press with it is stale."""
NOWHERE = MOST
"""An answer or a seat that exists nowhere."""

_MEANT: Mapping[str, Callable[[int, int, Sequence[int]], Press]] = {
    "join": lambda table, number, path: presses.Join(table),
    "seat": lambda table, number, path: presses.TakeSeat(table),
    "leave": lambda table, number, path: presses.Leave(table),
    "start": lambda table, number, path: presses.Start(table),
    "cancel": lambda table, number, path: presses.AskCancel(table),
    "rules": lambda table, number, path: presses.ReadRules(table),
    "add_computer": lambda table, number, path: presses.AddComputer(table),
    "remove_computer": lambda table, number, path: presses.RemoveComputer(table),
    "hand": lambda table, number, path: presses.ShowHand(table),
    "history": lambda table, number, path: presses.ShowHistory(table, path[0] if path else None),
    "replay": lambda table, number, path: presses.ShowReplay(table),
    "rule": lambda table, number, path: _topic(path),
    "go": lambda table, number, path: presses.Go(table, NEVER),
    "why": lambda table, number, path: presses.Go(table, NEVER),
    "play": lambda table, number, path: presses.PlayNow(table, _moment(number), (NOWHERE,)),
    "undo": lambda table, number, path: presses.Undo(table, NEVER),
    "agree": lambda table, number, path: presses.AnswerProposal(table, _kind(path), number, True),
    "refuse": lambda table, number, path: presses.AnswerProposal(table, _kind(path), number, False),
    "absent_wait": lambda table, number, path: _absent(table, number, path, Remedy.WAIT),
    "absent_play": lambda table, number, path: _absent(table, number, path, Remedy.PLAY),
    "absent_computer": lambda table, number, path: _absent(table, number, path, Remedy.COMPUTER),
    "absent_offer": lambda table, number, path: _absent(table, number, path, Remedy.OFFER),
    "reclaim": lambda table, number, path: presses.Reclaim(table),
    "take_over": lambda table, number, path: presses.TakeOver(table, path[0] if path else NOWHERE),
    "take_over_yes": lambda table, number, path: presses.TakeOverSure(table, path[0] if path else NOWHERE),
    "cancel_yes": lambda table, number, path: presses.CancelSure(table, NEVER),
    "cancel_sure": lambda table, number, path: presses.CancelSure(table, _moment(number)),
    "resign_yes": lambda table, number, path: presses.ResignSure(table, NEVER),
    "resign_sure": lambda table, number, path: presses.ResignSure(table, _moment(number)),
    "concede": lambda table, number, path: presses.GiveUp(table, _moment(number + 1)),
    "rematch": lambda table, number, path: presses.Rematch(table),
    "again": lambda table, number, path: presses.Rematch(table, True),
}


def read(custom_id: str) -> Press | None:
    """What an old custom id means now; None if it is not one."""
    match = _OLD.fullmatch(custom_id) if len(custom_id) <= LONGEST else None
    if match is None or match["verb"] not in _MEANT:
        return None
    path = tuple(int(part) for part in (match["path"] or "").split(".") if part)
    return _MEANT[match["verb"]](int(match["table"]), int(match["number"]), path)


def _moment(number: int) -> Moment:
    return Moment.parse(str(number))


def _kind(path: Sequence[int]) -> ProposalKind:
    kinds = tuple(ProposalKind)
    return kinds[path[0]] if path and path[0] < len(kinds) else kinds[0]


def _topic(path: Sequence[int]) -> Press:
    system, players, canadian, topic = (*path, 0, 0, 0, 0)[:4]
    return presses.ShowTopic(0, system, players, bool(canadian), topic)


def _absent(table: int, decision: int, path: Sequence[int], remedy: Remedy) -> Press:
    return presses.Absent(table, remedy, path[0], _moment(decision)) if path else presses.Absent(table, remedy)
