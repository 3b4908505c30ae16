"""Discord as `dog-bot check` asks it, and what it found."""

import base64
import json
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

from aiohttp import web

from bot.client import PERMISSIONS
from bot.operating import checking
from bot.operating.checking import CheckResult
from bot.program import explain

APPLICATION = 123456789012345678
TOKEN = f"{base64.b64encode(str(APPLICATION).encode()).decode().rstrip('=')}.GabcdE.{'x' * 30}"


class Portal:
    """The answers of Discord to a bot that asks about itself."""

    def __init__(self) -> None:
        self.flags, self.time = 0, None
        self.remaining, self.shards = 1000, 1
        self.permissions = [PERMISSIONS.value] * 3
        self.login = 200
        self.ban = 0
        self.asked = 0
        self.more: dict[str, Any] = {}

    def answers(self) -> dict[str, Callable[[], Any]]:
        about = {"id": str(APPLICATION), "name": "DOG", "username": "DOG", "discriminator": "0", "avatar": None}
        application = about | {
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "",
            "summary": "",
            "owner": about,
            "team": None,
            "icon": None,
        }
        limit = {"total": 1000, "reset_after": 600_000, "max_concurrency": 1}
        return {
            "/gateway": dict,
            "/users/@me": lambda: about,
            "/oauth2/applications/@me": lambda: application | {"flags": self.flags},
            "/users/@me/guilds": lambda: [
                {"id": str(n), "permissions": str(p)} for n, p in enumerate(self.permissions)
            ],
            "/gateway/bot": lambda: {
                "url": "wss://x",
                "shards": self.shards,
                "session_start_limit": limit | {"remaining": self.remaining},
            },
        }

    async def serve(self, request: web.Request) -> web.Response:
        self.asked += 1
        if self.ban:
            headers = {"Content-Type": "text/html", "Retry-After": "3600"}
            return web.Response(status=self.ban, text="<!doctype html>error code: 1015", headers=headers)
        if request.path == "/users/@me" and self.login != 200:
            return web.Response(status=self.login)
        headers = {} if self.time is None else {"Date": formatdate(self.time, usegmt=True)}
        answer = json.dumps(self.more.get(request.path) or self.answers()[request.path]()).encode()
        return web.Response(body=answer, content_type="application/json", headers=headers)


async def found(online: bool = False) -> dict[str, CheckResult]:
    return {one.about: one for one in await checking.check(explain, online=online)}


def wrongs(findings: dict[str, CheckResult]) -> dict[str, int]:
    return {about: one.status for about, one in findings.items() if one.status}
