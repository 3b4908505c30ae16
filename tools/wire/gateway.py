"""The gateway: hello, identify, heartbeats, events by shard, resuming, and all the ways to lose a connection."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tools.wire.world import World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
KEPT = 2000
"""Events that a session keeps for a client that resumes it."""


@dataclass
class Session:
    """The session of a shard, kept even while its connection is broken."""

    id: str
    shard: tuple[int, int]
    sequence: int = 0
    kept: list[tuple[int, str]] = field(default_factory=list)
    line: Line | None = None

    def is_told(self, guild_id: int | None) -> bool:
        """Return True if this shard is told about a guild (or, for None, about direct messages)."""
        number, count = self.shard
        return number == (0 if guild_id is None else (guild_id >> 22) % count)

    def tell(self, event: str, data: dict[str, Any]) -> None:
        """Send an event, now or when the session is resumed."""
        self.sequence += 1
        text = json.dumps({"op": DISPATCH, "t": event, "s": self.sequence, "d": data}, separators=(",", ":"))
        self.kept.append((self.sequence, text))
        del self.kept[:-KEPT]
        if self.line is not None:
            self.line.say(text)


class Line:
    """A connection: a queue towards the client, compressed if it asked for that."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.socket = socket
        self._transport = request.transport
        self._queue: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._packer = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        self._task = asyncio.create_task(self._send())

    def say(self, message: str | dict[str, Any]) -> None:
        self._queue.put_nowait(message if isinstance(message, str) else json.dumps(message))

    async def _send(self) -> None:
        try:
            while True:
                text = await self._queue.get()
                if self._packer is None:
                    await self.socket.send_str(str(text))
                else:
                    raw = text.encode() if isinstance(text, str) else text
                    await self.socket.send_bytes(self._packer.compress(raw) + self._packer.flush(zlib.Z_SYNC_FLUSH))
        except (ConnectionError, RuntimeError):
            return

    def cut(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def close(self) -> None:
        self._task.cancel()


class Gateway:
    """All sessions. `open`: connections are accepted; `identified`: the number of sessions started."""

    def __init__(self, world: World, token: str) -> None:
        self._world = world
        self._token = token
        self.sessions: dict[str, Session] = {}
        self.open = True
        self.hangs_up = True
        """It answers a goodbye; otherwise the connection stays until the client's process is gone."""
        self.url = ""
        self.identified = 0
        self.resumed = 0
        self.ready = asyncio.Event()
        """Set once a client has been told about all guilds of a shard."""
        self._identifies = asyncio.Event()
        world.emit = self.emit

    def emit(self, guild_id: int | None, event: str, data: dict[str, Any]) -> None:
        """Send this to every shard that is told about this guild."""
        for session in self.sessions.values():
            if session.is_told(guild_id):
                session.tell(event, data)

    @property
    def lines(self) -> list[Line]:
        return [session.line for session in self.sessions.values() if session.line is not None]

    def forget(self, shards: Collection[int] | None = None) -> None:
        """Drop all earlier sessions (of these shards): the client is gone for good, as its process has ended."""
        gone = [session for session in self.sessions.values() if shards is None or session.shard[0] in shards]
        for session in gone:
            if session.line is not None:
                session.line.cut()
            del self.sessions[session.id]
        if shards is None:
            self.ready.clear()

    async def all_of(self, shards: Collection[int]) -> None:
        """Wait until all of these shards are connected."""
        while not self.connected(shards):
            self._identifies.clear()
            await self._identifies.wait()

    def connected(self, shards: Collection[int]) -> bool:
        return {session.shard[0] for session in self.sessions.values() if session.line is not None} >= set(shards)

    def cut(self) -> None:
        for line in self.lines:
            line.cut()

    def reconnect(self) -> None:
        for line in self.lines:
            line.say({"op": RECONNECT, "d": None})

    def invalidate(self) -> None:
        """End every session, so that clients must identify again."""
        lines = self.lines
        self.sessions.clear()
        for line in lines:
            line.say({"op": INVALID, "d": False})

    async def close(self) -> None:
        for line in self.lines:
            await line.socket.close(code=1001)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve a connection, from hello to its end."""
        if not self.open:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0, autoclose=False)
        await socket.prepare(request)
        line = Line(socket, request)
        line.say({"op": HELLO, "d": {"heartbeat_interval": 41250}, "s": None, "t": None})
        session: Session | None = None
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    continue
                said = json.loads(message.data)
                match said["op"]:
                    case 1:
                        line.say({"op": ACK, "d": None})
                    case 2:
                        session = await self._identify(socket, line, said["d"])
                    case 6:
                        session = self._resume(line, said["d"])
            if not self.hangs_up:
                await asyncio.Event().wait()
            await socket.close()
        finally:
            line.close()
            if session is not None and session.line is line:
                session.line = None
        return socket

    async def _identify(self, socket: web.WebSocketResponse, line: Line, data: dict[str, Any]) -> Session | None:
        if data["token"] != self._token:
            await socket.close(code=4004)
            return None
        number, count = data.get("shard") or (0, 1)
        session = Session(secrets.token_hex(8), (int(number), int(count)), line=line)
        self.sessions[session.id] = session
        self.identified += 1
        guilds = [
            guild
            for guild in self._world.guilds.values()
            if session.is_told(guild.id) and self._world.has_bot(guild.id)
        ]
        session.tell(
            "READY",
            {
                "v": 10,
                "user": {**self._world.bot.json(), "verified": True, "mfa_enabled": False, "email": None},
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "session_type": "normal",
                "resume_gateway_url": self.url,
                "shard": [number, count],
                "application": {"id": str(self._world.bot.id), "flags": 0},
                "private_channels": [],
                "relationships": [],
            },
        )
        for guild in guilds:
            session.tell("GUILD_CREATE", self._world.guild_json(guild))
        self.ready.set()
        self._identifies.set()
        return session

    def _resume(self, line: Line, data: dict[str, Any]) -> Session | None:
        session = self.sessions.get(data["session_id"])
        sequence = int(data["seq"] or 0)
        if session is None or (session.kept and session.kept[0][0] > sequence + 1):
            line.say({"op": INVALID, "d": False})
            return None
        for number, text in session.kept:
            if number > sequence:
                line.say(text)
        session.line = line
        self.resumed += 1
        session.tell("RESUMED", {"_trace": []})
        self.ready.set()
        self._identifies.set()
        return session
