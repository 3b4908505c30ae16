"""Discord's rate limits: buckets per route, and the global limit."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

BUCKETS = {
    "POST /channels/{channel_id}/messages": (5, 5.0),
    "PATCH /channels/{channel_id}/messages/{message_id}": (5, 5.0),
    "DELETE /channels/{channel_id}/messages/{message_id}": (5, 1.0),
    "GET /channels/{channel_id}/messages": (10, 5.0),
    "GET /guilds/{guild_id}/members/{user_id}": (10, 2.0),
    "POST /webhooks/{webhook_id}/{webhook_token}": (5, 2.0),
    "POST /users/@me/channels": (10, 10.0),
}
"""Requests allowed in this many seconds; measured by many people on Discord, which guarantees none of these figures."""


@dataclass
class Verdict:
    """Headers for the answer, and the seconds for which the request is refused (None: it is not)."""

    headers: dict[str, str]
    retry_after: float | None = None
    everywhere: bool = False


@dataclass
class Limits:
    """Counts requests. `everywhere`: requests per second in all (Discord: 50), None for no limit."""

    everywhere: int | None = 50
    buckets: bool = True
    refused: int = 0
    slots: Mapping[str, tuple[int, float]] = field(default_factory=lambda: BUCKETS)
    _windows: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict)
    _second: tuple[float, int] = (0.0, 0)
    _held_until: float = 0.0

    def hold(self, seconds: float) -> None:
        """Refuse everything but answers to interactions for this long, as the global limit does."""
        self._held_until = time.monotonic() + seconds

    def ask(self, route: str, major: str) -> Verdict:
        now, answers = time.monotonic(), "/webhooks/" in route or "/interactions/" in route
        if not answers and now < self._held_until:
            return self._all(self._held_until - now)
        if not answers and self.everywhere is not None:
            begun, count = self._second
            if now - begun >= 1:
                begun, count = now, 0
            if count >= self.everywhere:
                return self._all(begun + 1 - now)
            self._second = (begun, count + 1)
        if not self.buckets or route not in self.slots:
            return Verdict({})
        limit, seconds = self.slots[route]
        begun, count = self._windows.get((route, major), (now, 0))
        if now - begun >= seconds:
            begun, count = now, 0
        left = begun + seconds - now
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - count - 1)),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": hashlib.blake2b(route.encode(), digest_size=8).hexdigest(),
        }
        if count >= limit:
            self.refused += 1
            return Verdict({**headers, "X-RateLimit-Scope": "user", "Retry-After": str(int(left) + 1)}, left)
        self._windows[route, major] = (begun, count + 1)
        return Verdict(headers)

    def _all(self, left: float) -> Verdict:
        self.refused += 1
        headers = {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global", "Retry-After": str(int(left) + 1)}
        return Verdict(headers, left, everywhere=True)
