"""The REST side: routes of API v10 as the bot uses them, with Discord's permissions, limits and refusals."""

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

from tools.wire import description, errors
from tools.wire.errors import Refused, check_message
from tools.wire.faults import Fault, Faults
from tools.wire.gateway import Gateway
from tools.wire.interactions import Interactions
from tools.wire.limits import Limits
from tools.wire.world import DM, PUBLIC_THREAD, TEXT, Channel, Message, World

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.wire00." + "x" * 40
API = "/api/v10"
OPEN = ("/callback", "{webhook_token}", "{webhook_token}/messages/{message_id}", "GET /gateway")
"""Routes that need no token except that in their address."""

Json = dict[str, Any] | list[Any] | None


@dataclass
class Call:
    """A request, read."""

    route: str
    at: dict[str, str]
    query: dict[str, str]
    body: Any
    files: dict[int, tuple[str, bytes]]


Handler = Callable[[Call], Json]


def reply(body: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """Return an answer in JSON, with exactly Discord's header: discord.py compares it character by character."""
    data = json.dumps(body, separators=(",", ":")).encode()
    return web.Response(body=data, status=status, headers={**(headers or {}), "Content-Type": "application/json"})


def parts(body: bytes, kind: str) -> Iterator[tuple[str, str, bytes]]:
    boundary = re.search("boundary=([^;]+)", kind)
    assert boundary is not None
    for part in body.split(b"--" + boundary[1].encode())[1:-1]:
        head, _, data = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        named = dict(re.findall(r'(name|filename)="([^"]*)"', head.decode()))
        yield named["name"], named.get("filename", ""), data.removesuffix(b"\r\n")


class Wire:
    """A Discord on 127.0.0.1. `async with Wire() as wire:`; `strict`: check requests against Discord's description.

    `log` counts requests by route and status, `refusals` records what the bot sent that Discord would not accept.
    """

    def __init__(self, *, strict: bool = True, everywhere: int | None = 50, buckets: bool = True) -> None:
        self.world = World()
        self.gateway = Gateway(self.world, TOKEN)
        self.interactions = Interactions(self.world)
        self.limits = Limits(everywhere, buckets)
        self.faults = Faults()
        self.log: Counter[tuple[str, int]] = Counter()
        self.refusals: list[str] = []
        self.away = False
        """True while Discord is down: every request is answered with 503, and no connection is accepted."""
        self.url = ""
        self._description = description.Description() if strict and description.is_here() else None
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=30 * 1024 * 1024)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_get("/gateway", self.gateway.handle)
        for route, handler in self._routes().items():
            method, path = route.split(" ")
            app.router.add_route(method, API + path, self._serve(route, handler))
        app.router.add_route("*", API + "/{rest:.*}", self._nothing)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}{API}"
        self.gateway.url = f"ws://127.0.0.1:{port}/gateway/"
        return self

    async def __aexit__(self, *problem: object) -> None:
        assert self._runner is not None
        await self.gateway.close()
        await self._runner.cleanup()

    def go_down(self) -> None:
        """Take Discord down: connections break, and none is accepted until `come_back`."""
        self.away, self.gateway.open = True, False
        self.gateway.cut()

    def come_back(self) -> None:
        """Bring Discord up again; sessions can be resumed."""
        self.away, self.gateway.open = False, True

    # --- serving

    def _serve(self, route: str, handler: Handler) -> Callable[[web.Request], Any]:
        async def serve(request: web.Request) -> web.StreamResponse:
            status, fault = 0, None
            try:
                call = await self._read(route, request)
                if self.away:
                    return reply({"message": "out"}, status=503)
                fault = self.faults.strike(route)
                if fault is not None and fault.kind is Fault.ERROR_BEFORE:
                    return reply({"message": "fault", "code": 0}, status=(status := fault.status))
                if fault is not None and fault.kind is Fault.RESET_BEFORE:
                    return self._reset(request)
                if request.headers.get("Authorization") != f"Bot {TOKEN}" and not route.endswith(OPEN):
                    raise errors.UNAUTHORIZED
                response = self._answer(call, handler)
                status = response.status
                if fault is None:
                    return response
                if fault.kind is Fault.LATE_AFTER:
                    await asyncio.sleep(fault.seconds)
                    return response
                if fault.kind is Fault.ERROR_AFTER:
                    return reply({"message": "fault", "code": 0}, status=(status := fault.status))
                if fault.kind is Fault.RESET_AFTER:
                    return self._reset(request)
                return await self._cut(request, response)
            except Refused as refused:
                status = refused.status
                self._note(route, refused)
                return reply({"code": refused.code, "message": refused.message}, status=status)
            finally:
                self.log[route, status] += 1

        return serve

    def _answer(self, call: Call, handler: Handler) -> web.Response:
        major = call.at.get("channel_id") or call.at.get("guild_id") or call.at.get("webhook_token") or ""
        verdict = self.limits.ask(call.route, major)
        if verdict.retry_after is not None:
            told = {"message": "You are being rate limited.", "retry_after": verdict.retry_after, "code": 0}
            headers = {**verdict.headers, "Via": "1.1 wire"}
            return reply({**told, "global": verdict.everywhere}, status=429, headers=headers)
        if self._description is not None:
            faults = self._description.faults(call.route, call.body, multipart=bool(call.files))
            if faults:
                raise errors.invalid("; ".join(faults))
        errors.check_emojis_shown(call.body, self.world.emojis)
        answer = handler(call)
        if answer is None:
            return web.Response(status=204, headers=verdict.headers)
        return reply(answer, headers=verdict.headers)

    async def _read(self, route: str, request: web.Request) -> Call:
        body: Any = None
        files: dict[int, tuple[str, bytes]] = {}
        if request.content_type == "multipart/form-data":
            for name, filename, data in parts(await request.read(), request.headers["Content-Type"]):
                if name == "payload_json":
                    body = json.loads(data)
                else:
                    files[int(name.removeprefix("files[").removesuffix("]"))] = (filename, data)
        elif request.can_read_body:
            body = json.loads(await request.read() or b"null")
        return Call(route, dict(request.match_info), dict(request.query), body, files)

    def _reset(self, request: web.Request) -> web.StreamResponse:
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=500)

    async def _cut(self, request: web.Request, response: web.Response) -> web.StreamResponse:
        """Send half of an answer, then break the connection."""
        whole = bytes(response.body or b"") if isinstance(response.body, bytes) else b""
        half = web.StreamResponse(status=response.status, headers={"Content-Type": "application/json"})
        half.content_length = max(len(whole), 2)
        await half.prepare(request)
        await half.write(whole[: len(whole) // 2])
        if request.transport is not None:
            request.transport.abort()
        return half

    def _note(self, route: str, refused: Refused) -> None:
        if refused.code in (50035, 50006, 40005, 0):
            self.refusals.append(f"{route}: {refused}")

    async def _nothing(self, request: web.Request) -> web.Response:
        self.refusals.append(f"{request.method} {request.path}: there is no such route here")
        return reply({"code": 0, "message": "404: Not Found"}, status=404)

    # --- routes

    def _routes(self) -> dict[str, Handler]:
        return {
            "GET /users/@me": lambda call: self.world.bot.json(),
            "GET /oauth2/applications/@me": lambda call: self._application(),
            "GET /applications/@me": lambda call: self._application(),
            "GET /users/@me/guilds": lambda call: self.world.own_guilds(),
            "GET /gateway": lambda call: {"url": self.gateway.url},
            "GET /gateway/bot": self._gateway_bot,
            "GET /applications/{application_id}/commands": self._get_commands,
            "PUT /applications/{application_id}/commands": self._put_commands,
            "GET /applications/{application_id}/guilds/{guild_id}/commands": self._get_commands,
            "PUT /applications/{application_id}/guilds/{guild_id}/commands": self._put_commands,
            "GET /applications/{application_id}/emojis": lambda call: {"items": list(self.world.emojis.values())},
            "POST /applications/{application_id}/emojis": self._add_emoji,
            "DELETE /applications/{application_id}/emojis/{emoji_id}": self._delete_emoji,
            "POST /users/@me/channels": self._open_dm,
            "GET /users/{user_id}": self._get_user,
            "GET /channels/{channel_id}": lambda call: self._channel(call).json(self.world.bot.id),
            "PATCH /channels/{channel_id}": self._edit_channel,
            "GET /channels/{channel_id}/messages": self._get_messages,
            "POST /channels/{channel_id}/messages": self._post,
            "GET /channels/{channel_id}/messages/{message_id}": lambda call: self._message(call, read=True).json(),
            "PATCH /channels/{channel_id}/messages/{message_id}": self._edit,
            "DELETE /channels/{channel_id}/messages/{message_id}": self._delete,
            "POST /channels/{channel_id}/threads": self._open_thread,
            "GET /guilds/{guild_id}": self._get_guild,
            "GET /guilds/{guild_id}/channels": self._get_channels,
            "GET /guilds/{guild_id}/members/{user_id}": self._get_member,
            "POST /interactions/{interaction_id}/{interaction_token}/callback": self._callback,
            "POST /webhooks/{webhook_id}/{webhook_token}": self._followup,
            "GET /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": self._get_followup,
            "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": self._edit_followup,
            "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": self._delete_followup,
        }

    def _application(self) -> dict[str, Any]:
        bot = self.world.bot
        own = {"id": str(bot.id), "name": bot.name, "owner": bot.json(), "verify_key": "0" * 64, "flags": 0}
        said = {"icon": None, "team": None, "description": "", "summary": ""}
        return {**own, **said, "bot_public": True, "bot_require_code_grant": False}

    def _gateway_bot(self, call: Call) -> Json:
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 16}
        shards = max(1, -(-len(self.world.guilds) // 1000))
        return {"url": self.gateway.url, "shards": shards, "session_start_limit": limit}

    def _get_commands(self, call: Call) -> Json:
        return self.world.commands

    def _put_commands(self, call: Call) -> Json:
        names = [command["name"] for command in call.body]
        if len(set(names)) < len(names) or len(names) > 100:
            raise errors.invalid("commands: too many, or two of one name")
        for command in call.body:
            if len(command.get("options") or ()) > 25:
                raise errors.invalid(f"{command['name']}: options: Must be 25 or fewer in length.")
        mine = {"application_id": str(self.world.bot.id)}
        ids = ({name: str(self.world.snowflake()) for name in ("id", "version")} for _ in call.body)
        self.world.commands = [{"type": 1, **given, **mine, **new} for given, new in zip(call.body, ids, strict=True)]
        return self.world.commands

    def _add_emoji(self, call: Call) -> Json:
        errors.check_emoji(call.body, self.world.emojis.values())
        made = self.world.snowflake()
        flags = {"require_colons": True, "managed": False, "animated": False, "available": True}
        said = {"id": str(made), "name": call.body["name"], "roles": [], "user": self.world.bot.json()}
        self.world.emojis[made] = {**said, **flags}
        return self.world.emojis[made]

    def _delete_emoji(self, call: Call) -> Json:
        if self.world.emojis.pop(int(call.at["emoji_id"]), None) is None:
            raise errors.unknown("emoji")
        return None

    def _open_dm(self, call: Call) -> Json:
        user = self.world.users.get(int(call.body["recipient_id"]))
        if user is None:
            raise errors.unknown("user")
        return self.world.open_dm(user).json()

    def _get_user(self, call: Call) -> Json:
        user = self.world.users.get(int(call.at["user_id"]))
        if user is None:
            raise errors.unknown("user")
        return user.json()

    def _get_guild(self, call: Call) -> dict[str, Any]:
        guild = self.world.guilds.get(int(call.at["guild_id"]))
        if guild is None:
            raise errors.NO_ACCESS
        return self.world.guild_json(guild)

    def _get_channels(self, call: Call) -> Json:
        channels: Json = self._get_guild(call)["channels"]
        return channels

    def _get_member(self, call: Call) -> Json:
        guild = self.world.guilds.get(int(call.at["guild_id"]))
        if guild is None:
            raise errors.NO_ACCESS
        user_id = int(call.at["user_id"])
        if user_id not in guild.members:
            raise errors.unknown("member" if user_id in self.world.users else "user")
        return self.world.member_json(guild, self.world.users[user_id])

    def _channel(self, call: Call) -> Channel:
        """Return the channel of a route, which the bot must be able to see."""
        channel = self.world.channels.get(int(call.at["channel_id"]))
        if channel is None:
            raise errors.unknown("channel")
        if not self.world.rights(self.world.bot.id, channel).view_channel:
            raise errors.NO_ACCESS
        return channel

    def _message(self, call: Call, *, read: bool = False) -> Message:
        channel = self._channel(call)
        if read and not self.world.rights(self.world.bot.id, channel).read_message_history:
            raise errors.NO_ACCESS
        message = channel.messages.get(int(call.at["message_id"]))
        if message is None:
            raise errors.unknown("message")
        return message

    def _get_messages(self, call: Call) -> Json:
        channel = self._channel(call)
        if not self.world.rights(self.world.bot.id, channel).read_message_history:
            return []
        found = sorted(channel.messages.values(), key=lambda message: -message.id)
        if "before" in call.query:
            found = [message for message in found if message.id < int(call.query["before"])]
        if "after" in call.query:
            found = [message for message in found if message.id > int(call.query["after"])]
        limit = int(call.query.get("limit", 50))
        if not 1 <= limit <= 100:
            raise errors.invalid("limit: 1 to 100")
        found = found[-limit:] if "after" in call.query else found[:limit]
        return [message.json() for message in found]

    def _post(self, call: Call) -> Json:
        channel = self._channel(call)
        if channel.kind == DM:
            if channel.recipient is not None and channel.recipient.closed:
                raise errors.CLOSED
            if channel.recipient is not None and self.world.are_apart(channel.recipient):
                raise errors.APART
        else:
            may = self.world.rights(self.world.bot.id, channel)
            thread = channel.kind == PUBLIC_THREAD
            if not (may.send_messages_in_threads if thread else may.send_messages):
                raise errors.NO_PERMISSION
            if call.files and not may.attach_files:
                raise errors.NO_PERMISSION
            if thread and channel.locked:
                raise errors.ARCHIVED
        check_message(call.body, call.files, new=True)
        return self.world.post(channel, self.world.bot, call.body, call.files).json()

    def _edit(self, call: Call) -> Json:
        message = self._message(call)
        channel = self.world.channels[message.channel_id]
        if channel.archived:
            raise errors.ARCHIVED
        if message.author is not self.world.bot:
            raise errors.NOT_OURS
        check_message(call.body, call.files, new=False)
        self.world.fill(message, call.body, call.files)
        message.edited = time.time()
        for listener in self.world.on_edit:
            listener(message)
        return message.json()

    def _delete(self, call: Call) -> Json:
        message = self._message(call)
        if self.world.channels[message.channel_id].archived:
            raise errors.ARCHIVED
        self.world.delete_message(message)
        return None

    def _edit_channel(self, call: Call) -> Json:
        channel = self._channel(call)
        if channel.kind != PUBLIC_THREAD:
            raise errors.NO_PERMISSION
        now = {"archived": channel.archived, "locked": channel.locked}
        if changed := {name: bool(call.body[name]) for name in now if name in call.body}:
            self.world.archive(channel, **(now | changed))
        return channel.json(self.world.bot.id)

    def _open_thread(self, call: Call) -> Json:
        channel = self._channel(call)
        if channel.kind != TEXT or not self.world.rights(self.world.bot.id, channel).create_public_threads:
            raise errors.NO_PERMISSION
        return self.world.add_thread(channel, call.body["name"]).json(self.world.bot.id)

    def _callback(self, call: Call) -> Json:
        token = call.at["interaction_token"]
        try:
            told = self.interactions.callback(int(call.at["interaction_id"]), token, call.body, call.files)
        except Refused as refused:
            if (made := self.interactions.by_token.get(token)) is not None:
                made.faults.append(str(refused))
            raise
        return told if call.query.get("with_response") in ("1", "true") else None

    def _followup(self, call: Call) -> Json:
        return self.interactions.followup(call.at["webhook_token"], call.body, call.files).json()

    def _get_followup(self, call: Call) -> Json:
        made = self.interactions.of_token(call.at["webhook_token"])
        return self.interactions.find(made, call.at["message_id"]).json()

    def _edit_followup(self, call: Call) -> Json:
        token, message = call.at["webhook_token"], call.at["message_id"]
        return self.interactions.edit(token, message, call.body, call.files).json()

    def _delete_followup(self, call: Call) -> Json:
        self.interactions.delete(call.at["webhook_token"], call.at["message_id"])
        return None
