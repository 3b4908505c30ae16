"""Who was pinged for which decision: the messages with mentions that came to a channel, examined afterwards.

A message can be on its way while the person it pings is already acting. Then it belongs to the decision that has just
been made, not to the next one, even though the log has moved on by the time it arrives.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

Asked = Callable[[int], Mapping[int, int]]
"""For each number of actions so far: the decision of each seat that is being asked."""


@dataclass(frozen=True)
class Call:
    """A message that mentions the person in a seat; `number`: how many actions were in the log when it arrived."""

    seat: int
    number: int
    text: str


def calls_by_decision(
    calls: list[Call], asked: Asked, by_people: Collection[int], since: int
) -> dict[tuple[int, int], list[Call]]:
    """What the pings were about, by seat and decision, for pings in the order in which they arrived.

    A ping may be about what the seat was asked before a person's last action, if that action made the decision and the
    seat had not been pinged for it yet. `by_people`: the numbers of the actions that people took; the others follow by
    themselves. `since`: the number of actions at the beginning; nobody was pinged before that.
    """
    found: defaultdict[tuple[int, int], list[Call]] = defaultdict(list)
    for call in calls:
        now = asked(call.number).get(call.seat)
        last = max((number for number in by_people if since < number <= call.number), default=None)
        before = None if last is None else asked(last - 1).get(call.seat)
        if before is not None and before != now and not found[call.seat, before]:
            found[call.seat, before].append(call)
        elif now is not None:
            found[call.seat, now].append(call)
    return {key: heard for key, heard in found.items() if heard}
