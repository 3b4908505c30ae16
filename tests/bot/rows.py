"""Rows as the store takes them, shared by its tests."""

from __future__ import annotations

from typing import Any

LOBBY: dict[str, Any] = {
    "code": "FOX-7",
    "guild_id": 2**62,
    "channel_id": 20,
    "host_id": 30,
    "status": "lobby",
    "system": "classic",
    "players": 4,
    "options": {},
    "pace": "daily",
    "locale": "en-US",
    "theme": "slate",
    "created_at": 1_000,
    "changed_at": 1_000,
}
