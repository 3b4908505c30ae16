"""The state of this Discord: guilds, channels, roles, members, messages; and their JSON."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import discord

from tools.wire.errors import TOO_MANY_DMS

TEXT, DM, PUBLIC_THREAD = 0, 1, 11
EPHEMERAL, LOADING = 1 << 6, 1 << 7
EPOCH = 1_420_070_400_000
"""The first moment of Discord's ids, in milliseconds."""

NONCE_SECONDS = 300.0
"""Seconds for which a nonce stands for its message."""

Emit = Callable[[int | None, str, dict[str, Any]], None]
"""Passes an event (guild or None, name, data) to all that are connected."""

NEW_DMS = 10
"""Direct messages that the bot may open for the first time within a minute; Discord tells no figure."""

_FRESH = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    create_public_threads=True,
    read_message_history=True,
    use_application_commands=True,
)
"""Permissions in a new guild, of the only role that there is."""


def when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


@dataclass
class User:
    """An account; `closed`: it accepts no direct messages; `installed`: it has added the app."""

    id: int
    name: str
    bot: bool = False
    closed: bool = False
    installed: bool = False

    def json(self) -> dict[str, Any]:
        own = {"id": str(self.id), "username": self.name, "global_name": self.name.capitalize(), "bot": self.bot}
        return {**own, "discriminator": "0", "avatar": None, "public_flags": 0, "flags": 0}


@dataclass
class Message:
    """A message. Only the size and digest of uploads are kept, so that hours of boards fit into memory."""

    id: int
    channel_id: int
    author: User
    content: str = ""
    components: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    """The users pinged when it was posted; an edit pings none."""
    flags: int = 0
    nonce: str | None = None
    seen_by: int | None = None
    """The only person who sees it, if it is ephemeral."""
    gone: bool = False
    """True for an ephemeral message that the bot has removed."""
    edited: float | None = None
    posted: float = field(default_factory=time.time)

    @property
    def controls(self) -> list[dict[str, Any]]:
        return [item for row in self.components for item in row.get("components", ())]

    @property
    def live(self) -> list[str]:
        return [item["custom_id"] for item in self.controls if "custom_id" in item and not item.get("disabled")]

    def json(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "channel_id": str(self.channel_id),
            "author": self.author.json(),
            "content": self.content,
            "timestamp": when(self.posted),
            "edited_timestamp": None if self.edited is None else when(self.edited),
            "attachments": self.attachments,
            "type": 0,
            "flags": self.flags,
            "components": self.components,
            **dict.fromkeys(("tts", "mention_everyone", "pinned"), False),
            **{name: [] for name in ("mentions", "mention_roles", "embeds")},
            **({"nonce": self.nonce} if self.nonce is not None else {}),
        }


@dataclass
class Channel:
    """A channel, thread or direct message. `denied`: permissions taken from all."""

    id: int
    kind: int
    name: str
    guild_id: int | None = None
    parent_id: int | None = None
    recipient: User | None = None
    archived: bool = False
    locked: bool = False
    denied: int = 0
    messages: dict[int, Message] = field(default_factory=dict)

    def json(self, owner: int = 0) -> dict[str, Any]:
        last = max(self.messages, default=None)
        shared = {
            "id": str(self.id),
            "type": self.kind,
            "name": self.name,
            "last_message_id": None if last is None else str(last),
            "flags": 0,
        }
        if self.kind == DM:
            return {**shared, "recipients": [self.recipient.json()] if self.recipient else []}
        shared |= {"guild_id": str(self.guild_id), "parent_id": None if self.parent_id is None else str(self.parent_id)}
        if self.kind == PUBLIC_THREAD:
            return {
                **shared,
                "owner_id": str(owner),
                "message_count": len(self.messages),
                "member_count": 1,
                "rate_limit_per_user": 0,
                "thread_metadata": {
                    "archived": self.archived,
                    "locked": self.locked,
                    "auto_archive_duration": 1440,
                    "archive_timestamp": when(time.time()),
                    "create_timestamp": when(time.time()),
                },
            }
        return {
            **shared,
            "position": 0,
            "nsfw": False,
            "topic": None,
            "rate_limit_per_user": 0,
            "permission_overwrites": [{"id": str(self.guild_id), "type": 0, "allow": "0", "deny": str(self.denied)}],
        }


_NOTHING = (
    *("icon", "splash", "afk_channel_id", "system_channel_id", "rules_channel_id", "public_updates_channel_id"),
    *("vanity_url_code", "description", "banner", "application_id"),
)
_ZERO = (
    *("verification_level", "default_message_notifications", "explicit_content_filter", "mfa_level", "nsfw_level"),
    *("premium_tier", "system_channel_flags"),
)
_NONE = (
    *("features", "emojis", "stickers", "voice_states", "presences", "stage_instances", "guild_scheduled_events"),
    "soundboard_sounds",
)
"""Fields of a new guild that are null, that are 0, and that are empty lists."""


@dataclass
class Guild:
    """A server."""

    id: int
    name: str
    owner_id: int
    members: set[int] = field(default_factory=set)
    channels: dict[int, Channel] = field(default_factory=dict)

    def json(self, bot: dict[str, Any]) -> dict[str, Any]:
        channels = self.channels.values()
        threads = [channel for channel in channels if channel.kind == PUBLIC_THREAD and not channel.archived]
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner_id),
            "preferred_locale": "en-US",
            "joined_at": when(time.time()),
            "member_count": len(self.members),
            "roles": [self._everyone()],
            "channels": [channel.json() for channel in channels if channel.kind != PUBLIC_THREAD],
            "threads": [thread.json(int(bot["user"]["id"])) for thread in threads],
            "members": [bot],
            "afk_timeout": 300,
            **dict.fromkeys(_NOTHING),
            **dict.fromkeys(_ZERO, 0),
            **dict.fromkeys(("premium_progress_bar_enabled", "large", "unavailable"), False),
            **{name: [] for name in _NONE},
        }

    def _everyone(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "name": "@everyone",
            "permissions": str(_FRESH.value),
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            **dict.fromkeys(("color", "position", "flags"), 0),
            **dict.fromkeys(("hoist", "managed", "mentionable"), False),
            **dict.fromkeys(("icon", "unicode_emoji")),
        }


class World:
    """Everything there is. All that are connected are told about changes made here."""

    def __init__(self) -> None:
        self._count = 0
        self.emit: Emit = lambda guild, event, data: None
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.commands: list[dict[str, Any]] = []
        self.emojis: dict[int, dict[str, Any]] = {}
        """The application's own emojis."""
        self.dms: dict[int, Channel] = {}
        """By user, the direct messages between them and the bot."""
        self.dms_opened: list[tuple[float, int]] = []
        """When the bot has opened direct messages for the first time, and with whom."""
        self.nonces: dict[tuple[int, str], Message] = {}
        self.posted: list[Message] = []
        """Every message the bot has ever posted, in order, including deleted ones."""
        self.on_message: list[Callable[[Message], None]] = []
        self.on_edit: list[Callable[[Message], None]] = []
        self.bot = self.add_user("dogbot", bot=True)

    def snowflake(self) -> int:
        self._count += 1
        return (int(time.time() * 1000) - EPOCH << 22) | self._count & 0x3FFFFF

    # --- making

    def add_user(self, name: str, *guilds: Guild, bot: bool = False, user_id: int | None = None) -> User:
        user = User(user_id or self.snowflake(), name, bot)
        self.users[user.id] = user
        for guild in guilds:
            guild.members.add(user.id)
        return user

    def add_guild(self, name: str = "Guild", *, guild_id: int | None = None, bot: bool = True) -> Guild:
        """Add a server; without the `bot`, which hears nothing of it."""
        guild = Guild(guild_id or self.snowflake(), name, owner_id=0)
        self.guilds[guild.id] = guild
        if bot:
            guild.members.add(self.bot.id)
            self.emit(guild.id, "GUILD_CREATE", self.guild_json(guild))
        return guild

    def has_bot(self, guild_id: int | None) -> bool:
        return guild_id in self.guilds and self.bot.id in self.guilds[guild_id].members

    def add_channel(self, guild: Guild, name: str = "table", *, channel_id: int | None = None) -> Channel:
        channel = Channel(channel_id or self.snowflake(), TEXT, name, guild.id)
        guild.channels[channel.id] = self.channels[channel.id] = channel
        if self.has_bot(guild.id):
            self.emit(guild.id, "CHANNEL_CREATE", channel.json())
        return channel

    def add_thread(self, parent: Channel, name: str) -> Channel:
        guild = self.guilds[parent.guild_id or 0]
        thread = Channel(self.snowflake(), PUBLIC_THREAD, name, guild.id, parent.id)
        guild.channels[thread.id] = self.channels[thread.id] = thread
        self.emit(guild.id, "THREAD_CREATE", {**thread.json(self.bot.id), "newly_created": True})
        return thread

    def find_dm(self, user: User) -> Channel | None:
        """Return the direct messages between the bot and a user, if there have been any."""
        return self.dms.get(user.id)

    def open_dm(self, user: User) -> Channel:
        """Return the same for the bot. Raises `Refused` if it opens too many that are new."""
        if self.find_dm(user) is None:
            lately = [at for at, _ in self.dms_opened if at > time.time() - 60]
            if len(lately) >= NEW_DMS:
                raise TOO_MANY_DMS
            self.dms_opened.append((time.time(), user.id))
        return self.dm(user)

    def dm(self, user: User, *, channel_id: int | None = None) -> Channel:
        """Return the direct messages between the bot and a user, opened by the user if need be."""
        if (known := self.find_dm(user)) is not None:
            return known
        channel = Channel(channel_id or self.snowflake(), DM, user.name, recipient=user)
        self.channels[channel.id] = self.dms[user.id] = channel
        return channel

    # --- taking away

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread, with its messages and its threads."""
        self.channels.pop(channel.id, None)
        guild = self.guilds[channel.guild_id or 0]
        guild.channels.pop(channel.id, None)
        for thread in [child for child in guild.channels.values() if child.parent_id == channel.id]:
            self.channels.pop(thread.id, None)
            guild.channels.pop(thread.id, None)
        event = "THREAD_DELETE" if channel.kind == PUBLIC_THREAD else "CHANNEL_DELETE"
        self.emit(guild.id, event, channel.json())

    def delete_message(self, message: Message) -> None:
        """Delete a message; the bot, which reads no messages, is not told."""
        if (channel := self.channels.get(message.channel_id)) is not None:
            channel.messages.pop(message.id, None)

    def delete_guild(self, guild: Guild) -> None:
        del self.guilds[guild.id]
        for channel in guild.channels.values():
            self.channels.pop(channel.id, None)
        self.emit(guild.id, "GUILD_DELETE", {"id": str(guild.id)})

    def restrict(self, channel: Channel, *, deny: discord.Permissions) -> None:
        """Take permissions from all in a channel; with none given, restore them."""
        channel.denied = deny.value
        self.emit(channel.guild_id, "CHANNEL_UPDATE", channel.json())

    def archive(self, thread: Channel, *, locked: bool = False, archived: bool = True) -> None:
        thread.archived, thread.locked = archived, locked
        self.emit(thread.guild_id, "THREAD_UPDATE", thread.json(self.bot.id))

    # --- asking

    def rights(self, user_id: int, channel: Channel) -> discord.Permissions:
        """Return the permissions of a user in a channel: those in a new guild without those denied there."""
        if channel.guild_id is None:
            return discord.Permissions.all()
        guild = self.guilds[channel.guild_id]
        if user_id == self.bot.id and user_id not in guild.members:
            return discord.Permissions.none()
        if user_id == guild.owner_id:
            return discord.Permissions.all()
        place = self.channels.get(channel.parent_id or 0, channel) if channel.kind == PUBLIC_THREAD else channel
        granted = discord.Permissions(_FRESH.value & ~place.denied)
        return granted if granted.view_channel else discord.Permissions.none()

    def are_apart(self, user: User) -> bool:
        """Return True if a user has no server in common with the bot, and has not added it to their account."""
        together = any({user.id, self.bot.id} <= guild.members for guild in self.guilds.values())
        return not (together or user.installed)

    def member_json(self, guild: Guild, user: User) -> dict[str, Any]:
        return {
            "user": user.json(),
            "roles": [],
            "joined_at": when(0),
            "flags": 0,
            **dict.fromkeys(("deaf", "mute", "pending"), False),
            **dict.fromkeys(("nick", "avatar", "banner", "premium_since", "communication_disabled_until")),
        }

    def guild_json(self, guild: Guild) -> dict[str, Any]:
        """Return a guild as GUILD_CREATE describes it."""
        return guild.json(self.member_json(guild, self.bot))

    def own_guilds(self) -> list[dict[str, Any]]:
        """Return the guilds of the bot as it is listed for itself."""
        nothing: dict[str, Any] = {
            "icon": None,
            "banner": None,
            "owner": False,
            "features": [],
            "permissions": str(_FRESH.value),
        }
        return [
            {**nothing, "id": str(each.id), "name": each.name, "approximate_member_count": len(each.members)}
            for each in self.guilds.values()
        ]

    # --- messages

    def post(
        self, channel: Channel, author: User, body: dict[str, Any], files: dict[int, tuple[str, bytes]]
    ) -> Message:
        """Post a message from a request's body; a nonce that was used already returns the existing message."""
        nonce = body.get("nonce")
        key = (channel.id, str(nonce))
        if nonce is not None and body.get("enforce_nonce"):
            known = self.nonces.get(key)
            if known is not None and time.time() - known.posted < NONCE_SECONDS:
                return known
        message = Message(self.snowflake(), channel.id, author, flags=int(body.get("flags") or 0))
        message.nonce = None if nonce is None else str(nonce)
        self.fill(message, body, files)
        allowed = body.get("allowed_mentions") or {}
        named = {int(user) for user in allowed.get("users", ())}
        message.mentions = sorted(user for user in named if f"<@{user}>" in message.content)
        channel.messages[message.id] = message
        if nonce is not None:
            self.nonces[key] = message
        if channel.kind == PUBLIC_THREAD and channel.archived:
            self.archive(channel, archived=False)
        self.posted.append(message)
        for listener in self.on_message:
            listener(message)
        return message

    def fill(self, message: Message, body: dict[str, Any], files: dict[int, tuple[str, bytes]]) -> None:
        """Write the content of a request's body into a message; fields that it does not name stay."""
        if "content" in body:
            message.content = body["content"] or ""
        if "components" in body:
            message.components = body["components"] or []
        if "attachments" in body or files:
            kept = {int(attachment["id"]): attachment for attachment in message.attachments}
            wanted = body.get("attachments")
            if wanted is None:
                wanted = [*kept.values(), *({"id": index} for index in files)]
            message.attachments = [
                kept.get(int(named["id"])) or self._attachment(message, named, files) for named in wanted or ()
            ]

    def _attachment(
        self, message: Message, named: dict[str, Any], files: dict[int, tuple[str, bytes]]
    ) -> dict[str, Any]:
        name, data = files[int(named["id"])]
        made = self.snowflake()
        return {
            "id": str(made),
            "filename": named.get("filename") or name,
            "description": named.get("description"),
            "size": len(data),
            "content_type": "image/png",
            "url": f"http://127.0.0.1/attachments/{message.channel_id}/{made}/{name}",
            "proxy_url": f"http://127.0.0.1/attachments/{message.channel_id}/{made}/{name}",
            "title": hashlib.blake2b(data, digest_size=8).hexdigest(),
        }
