"""Interactions: their arrival, their answers, and the three seconds and fifteen minutes they last."""

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from tools.wire import errors
from tools.wire.errors import check_choices, check_message
from tools.wire.world import DM, EPHEMERAL, LOADING, Channel, Message, User, World

COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
"""Kinds of interactions."""
SAY, LATER, LATER_UPDATE, UPDATE, SUGGEST, ASK = 4, 5, 6, 7, 8, 9
"""Kinds of answers."""

FOLLOWUPS = 5
"""Messages that can follow the first answer where the bot is not."""


@dataclass
class Interaction:
    """An interaction and its answer. Moments are those of `time.perf_counter`."""

    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    payload: dict[str, Any]
    source: Message | None = None
    away: bool = False
    """True where the bot is not: at most five messages can follow the first answer."""
    begun: float = field(default_factory=time.perf_counter)
    acknowledged: float | None = None
    completed: float | None = None
    late: float | None = None
    """Seconds after which an answer arrived too late."""
    answer_kind: int | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    choices: list[dict[str, Any]] = field(default_factory=list)
    form: dict[str, Any] | None = None
    faults: list[str] = field(default_factory=list)
    """Refusals of its answers."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def loading(self) -> bool:
        return self.answer_kind == LATER and self.original is not None and bool(self.original.flags & LOADING)

    @property
    def complete(self) -> bool:
        """True if the person has something to read and is waiting for nothing more."""
        if self.acknowledged is None:
            return False
        if self.answer_kind == LATER_UPDATE:
            return self.completed is not None
        return not self.loading

    def touch(self) -> None:
        if self.complete and self.completed is None and self.answer_kind != LATER_UPDATE:
            self.completed = time.perf_counter()
        self.changed.set()


class Interactions:
    """All of them. `answer_within` and `token_lives` are Discord's limits, in seconds."""

    external_apps = True
    """True if members may *Use External Apps*: where they may not, only they see what an app answers."""
    answer_within = 3.0
    token_lives = 900.0

    def __init__(self, world: World) -> None:
        self._world = world
        self.by_token: dict[str, Interaction] = {}

    def begin(
        self,
        kind: int,
        user: User,
        channel: Channel,
        data: dict[str, Any],
        source: Message | None = None,
    ) -> Interaction:
        """Begin an interaction of a user; the bot is told over the gateway."""
        world, is_dm = self._world, channel.kind == DM and channel.recipient is not None
        token = secrets.token_urlsafe(32)
        is_here = is_dm or world.has_bot(channel.guild_id)
        owners = {"0": str(channel.guild_id or 0)} if is_here else {}
        owners |= {"1": str(user.id)} if user.installed else {}
        assert owners, "the app is neither here nor on the account"
        interaction_id = world.snowflake()
        payload: dict[str, Any] = {
            "id": str(interaction_id),
            "application_id": str(world.bot.id),
            "type": kind,
            "token": token,
            "version": 1,
            "data": data,
            "channel_id": str(channel.id),
            "channel": {**channel.json(world.bot.id), "permissions": str(world.rights(user.id, channel).value)},
            "locale": "en-US",
            "app_permissions": str(world.rights(world.bot.id, channel).value),
            "entitlements": [],
            "authorizing_integration_owners": owners,
            "attachment_size_limit": 10 * 1024 * 1024,
        }
        if channel.kind == DM:
            # A conversation of others, which the bot cannot see, has no recipient here.
            payload |= {"user": user.json(), "context": 1 if is_dm else 2}
        else:
            guild = world.guilds[channel.guild_id or 0]
            payload |= {
                "guild_id": str(guild.id),
                "guild": {"id": str(guild.id), "locale": "en-US", "features": []},
                "guild_locale": "en-US",
                "member": {**world.member_json(guild, user), "permissions": str(world.rights(user.id, channel).value)},
                "context": 0,
            }
        if source is not None:
            payload["message"] = source.json()
        made = Interaction(interaction_id, token, kind, user, channel, payload, source, away=not is_here)
        self.by_token[token] = made
        world.emit(channel.guild_id if is_here else None, "INTERACTION_CREATE", payload)
        return made

    def resend(self, made: Interaction) -> None:
        self._world.emit(None if made.away else made.channel.guild_id, "INTERACTION_CREATE", made.payload)

    def forget(self, made: Interaction) -> None:
        """Drop an interaction whose token has expired and which is no longer needed."""
        self.by_token.pop(made.token, None)

    def callback(
        self, interaction_id: int, token: str, body: dict[str, Any], files: dict[int, tuple[str, bytes]]
    ) -> dict[str, Any]:
        """Take the bot's first answer. Raises `Refused`."""
        made = self.by_token.get(token)
        if made is None or made.id != interaction_id:
            raise errors.TOO_LATE
        if made.acknowledged is not None:
            raise errors.ANSWERED
        if (late := time.perf_counter() - made.begun) > self.answer_within:
            made.late = made.late or late
            made.changed.set()
            raise errors.TOO_LATE
        kind, data = body["type"], body.get("data") or {}
        self._check_kind(made, kind)
        if kind in (LATER_UPDATE, UPDATE) and (made.source is None or made.source.gone):
            raise errors.unknown("message")
        world = self._world
        match kind:
            case 4:
                check_message(data, files, new=True)
                made.original = self._message(made, data, files)
            case 5:
                made.original = self._message(made, {"flags": int(data.get("flags") or 0) | LOADING}, {})
            case 6:
                made.original = made.source
            case 7:
                check_message(data, files, new=False)
                assert made.source is not None
                world.fill(made.source, data, files)
                made.source.edited = time.time()
                made.original = made.source
            case 8:
                made.choices = data.get("choices") or []
                check_choices(made.choices)
            case 9:
                made.form = data
        made.answer_kind, made.acknowledged = kind, time.perf_counter()
        made.touch()
        original = made.original
        told = {
            "id": str(made.id),
            "type": made.kind,
            "response_message_id": None if original is None else str(original.id),
            "response_message_loading": made.loading,
            "response_message_ephemeral": bool(original and original.flags & EPHEMERAL),
        }
        resource: dict[str, Any] = {"type": kind}
        if original is not None and kind in (SAY, UPDATE):
            resource["message"] = original.json()
        return {"interaction": told, "resource": resource}

    def _check_kind(self, made: Interaction, kind: int) -> None:
        fits = {
            COMMAND: (SAY, LATER, ASK),
            COMPONENT: (SAY, LATER, LATER_UPDATE, UPDATE, ASK),
            AUTOCOMPLETE: (SUGGEST,),
            FORM: (SAY, LATER, LATER_UPDATE, UPDATE),
        }
        if kind not in fits[made.kind]:
            raise errors.invalid(f"type: an interaction of kind {made.kind} is not answered with {kind}")

    def _message(self, made: Interaction, data: dict[str, Any], files: dict[int, tuple[str, bytes]]) -> Message:
        flags = int(data.get("flags") or 0)
        if made.away and not self.external_apps:
            flags |= EPHEMERAL
        world = self._world
        message = Message(world.snowflake(), made.channel.id, world.bot, flags=flags)
        message.seen_by = made.user.id if flags & EPHEMERAL else None
        world.fill(message, data, files)
        if message.seen_by is None:
            made.channel.messages[message.id] = message
        return message

    def of_token(self, token: str) -> Interaction:
        """Return the interaction with this token, which has had its first answer. Raises `Refused`."""
        made = self.by_token.get(token)
        if made is None or time.perf_counter() - made.begun > self.token_lives:
            raise errors.EXPIRED
        if made.acknowledged is None:
            raise errors.unknown("webhook")
        return made

    def followup(self, token: str, body: dict[str, Any], files: dict[int, tuple[str, bytes]]) -> Message:
        """Take a further answer; the first after an announcement replaces it, with the same visibility."""
        made = self.of_token(token)
        check_message(body, files, new=True)
        if made.loading:
            return self._fill_original(made, body, files)
        if made.away and len(made.followups) >= FOLLOWUPS:
            raise errors.TOO_MANY_FOLLOWUPS
        message = self._message(made, body, files)
        made.followups.append(message)
        made.completed = made.completed or time.perf_counter()
        made.touch()
        return message

    def edit(self, token: str, message_id: str, body: dict[str, Any], files: dict[int, tuple[str, bytes]]) -> Message:
        """Change an answer: `@original`, or a followup by its id."""
        made = self.of_token(token)
        check_message(body, files, new=False)
        message = self.find(made, message_id)
        if message.gone:
            raise errors.unknown("message")
        if message is made.original:
            return self._fill_original(made, body, files)
        self._world.fill(message, body, files)
        made.touch()
        return message

    def _fill_original(self, made: Interaction, body: dict[str, Any], files: dict[int, tuple[str, bytes]]) -> Message:
        assert made.original is not None
        self._world.fill(made.original, body, files)
        made.original.flags &= ~LOADING
        made.original.edited = time.time()
        made.completed = made.completed or time.perf_counter()
        made.touch()
        return made.original

    def find(self, made: Interaction, message_id: str) -> Message:
        """Return an answer by its id. Raises `Refused`."""
        known = {str(message.id): message for message in made.followups}
        if made.original is not None:
            known |= {"@original": made.original, str(made.original.id): made.original}
        if message_id not in known:
            raise errors.unknown("message")
        return known[message_id]

    def delete(self, token: str, message_id: str) -> None:
        made = self.of_token(token)
        message = self.find(made, message_id)
        if message is made.original:
            made.original = None
            made.completed = made.completed or time.perf_counter()
        else:
            made.followups.remove(message)
        message.gone = message.seen_by is not None
        made.channel.messages.pop(message.id, None)
        made.touch()
