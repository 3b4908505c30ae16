"""Faults on the wire: errors before and after the effect, resets, cut and late answers, delays."""

import random
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum


class Fault(Enum):
    """Kinds of failing requests. `AFTER`: it took effect, but the client is not told."""

    ERROR_BEFORE = "error before the effect"
    ERROR_AFTER = "error after the effect"
    RESET_BEFORE = "reset before the effect"
    RESET_AFTER = "reset after the effect"
    CUT_AFTER = "answer cut off after the effect"
    LATE_AFTER = "answer late after the effect"


POSTS = "POST /channels/{channel_id}/messages"
EDITS = "PATCH /channels/{channel_id}/messages/{message_id}"
NEVER = (1e6, 1e6)
"""Seconds of delay for an answer that only arrives after every test has ended."""
CALLBACKS = "POST /interactions/{interaction_id}/{interaction_token}/callback"
FOLLOWUPS = "POST /webhooks/{webhook_id}/{webhook_token}"


@dataclass
class Rule:
    """A kind of trouble: on routes beginning with `route`, for this share of requests, at most `times` times.

    `late`: by how many seconds late answers follow their effect; `NEVER` for those that never come.
    """

    kinds: tuple[Fault, ...]
    route: str = ""
    share: float = 1.0
    times: int | None = None
    status: int = 500
    late: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Struck:
    """A fault of a request: the kind, the status to answer with, and the seconds by which a late answer is late."""

    kind: Fault
    status: int
    seconds: float


@dataclass
class Faults:
    """The rules in force; `counts`: strikes by kind."""

    seed: int = 1
    rules: list[Rule] = field(default_factory=list)
    counts: Counter[Fault] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)

    def add(
        self,
        *kinds: Fault,
        route: str = "",
        share: float = 1.0,
        times: int | None = None,
        status: int = 500,
        late: tuple[float, float] = (0.0, 0.0),
    ) -> Rule:
        """Make this go wrong from now on; returns the rule, for `rules.remove`."""
        rule = Rule(kinds, route, share, times, status, late)
        self.rules.append(rule)
        return rule

    def clear(self) -> None:
        self.rules.clear()

    def strike(self, route: str) -> Struck | None:
        """Return the fault that strikes this request, or None."""
        for rule in self.rules:
            if not route.startswith(rule.route) or rule.times == 0 or self._dice.random() >= rule.share:
                continue
            if rule.times is not None:
                rule.times -= 1
            kind = self._dice.choice(rule.kinds)
            self.counts[kind] += 1
            return Struck(kind, rule.status, self._dice.uniform(*rule.late))
        return None
