"""A table on a simulated Discord, in the words of the people at it: they type, click, choose, look and read.

    async def test_joining(table):
        ann, ben = table.members[:2]
        await table.slash(ann, "dog new")
        answer = await table.click(ben, "Join")
        assert "seat" in answer.text
        assert "ben" in table.newest().text

`table` is a fixture. Every action returns once the bot has finished reacting. An interaction that the bot leaves
unanswered fails the test, and so do an answer in a server that others can read too, and every error that the bot logs
or swallows, unless the test provoked it.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NoReturn, Self, TypeVar

import discord
import simcord
import simcord.interactions
from simcord.backend import serializers
from simcord.backend.models import EPHEMERAL_FLAG, Message
from simcord.backend.models.channel import Overwrite
from simcord.backend.models.interaction import ResponseKind
from simcord.components import walk_components
from simcord.enums import ComponentType, InteractionType, OverwriteType

from bot.showing.emojis import undress
from tests.simcord_gaps import Gaps

T = TypeVar("T")

NAMES = ("ann", "ben", "cleo", "dan")


@dataclass(frozen=True)
class Button:
    """A button as somebody sees it; `custom_id` is None on links."""

    label: str
    custom_id: str | None
    disabled: bool
    url: str | None = None


@dataclass(frozen=True)
class Menu:
    """A select menu as somebody sees it; `options` maps labels to values."""

    custom_id: str
    placeholder: str
    options: dict[str, str]
    disabled: bool


@dataclass(frozen=True)
class Seen:
    """A message as it was when it was read; `table.read(seen)` reads it again."""

    id: int
    channel_id: int
    text: str
    buttons: tuple[Button, ...]
    menus: tuple[Menu, ...]
    alt: tuple[str, ...]
    pictures: tuple[bytes, ...]
    pinged: frozenset[int]
    private: bool
    components: Sequence[dict[str, Any]]

    @property
    def labels(self) -> list[str]:
        return [button.label for button in self.buttons if not button.disabled]

    @property
    def choices(self) -> list[str]:
        """The labels of everything that can be chosen in the menus."""
        return [label for menu in self.menus if not menu.disabled for label in menu.options]

    @property
    def custom_ids(self) -> list[str]:
        return [item.custom_id for item in (*self.buttons, *self.menus) if item.custom_id is not None]


@dataclass(frozen=True)
class Answer:
    """The answer of the bot to an interaction: `shown` is the answer itself, `more` what followed it.

    `refusal`: the name of the error's class in the log, if it was refused.
    """

    result: simcord.InteractionResult
    shown: Seen | None
    more: tuple[Seen, ...]
    refusal: str | None

    @property
    def pages(self) -> list[Seen]:
        return [seen for seen in (self.shown, *self.more) if seen is not None]

    @property
    def text(self) -> str:
        return "\n".join(seen.text for seen in self.pages)

    def is_refused(self, kind: type[Exception] | Enum) -> bool:
        """Return True if an error of this very class, or kind, was the answer."""
        refusal = self.refusal or ""
        return refusal == kind.__name__ if isinstance(kind, type) else refusal.endswith(f"({kind.name})")


class Unanswered(AssertionError):
    """The bot left an interaction without an answer: "The application did not respond"."""


class SimTable:
    """One guild with one channel, its members, and the bot among them."""

    def __init__(
        self, env: simcord.Env, gaps: Gaps, guild: simcord.GuildHandle, make_bot: Callable[[], discord.Client]
    ) -> None:
        self.env, self._gaps = env, gaps
        self.guild = guild
        self.channel = guild.create_text_channel("table")
        self.members: list[simcord.MemberActor] = []
        self.make_bot = make_bot
        self.provoked = False
        """Whether this test makes the bot fail on purpose; if so, its errors do not fail the test."""
        self._usual: dict[int, int] = {}
        """What the roles allowed before `deny_roles` changed them."""

    @classmethod
    async def open(cls, env: simcord.Env, gaps: Gaps, make_bot: Callable[[], discord.Client]) -> Self:
        """A guild with a channel and four members. `make_bot` makes the bot that runs after a restart."""
        table = cls(env, gaps, env.create_guild("Guild"), make_bot)
        for name in NAMES:
            table.members.append(table.guild.add_member(env.create_user(name)))
        await env.settle()
        return table

    @property
    def bot(self) -> Any:
        """The running bot; another one after a restart."""
        return self.env.bot

    # --- people act

    async def slash(
        self,
        member: simcord.MemberActor,
        command: str,
        /,
        *,
        channel: simcord.ChannelHandle | None = None,
        **options: Any,
    ) -> Answer:
        """Type a slash command, such as `dog new`, with its options; in a channel, or the member's direct messages."""
        if channel is not None and channel.id == self.env.backend.dm_channels.get(member.id):
            return self._answer(await member.user.slash(command, **options), f"/{command}")
        return self._answer(await member.slash(channel or self.channel, command, **options), f"/{command}")

    async def suggestions(
        self, member: simcord.MemberActor, command: str, option: str, typed: str = "", /, **filled: Any
    ) -> dict[str, Any]:
        """What is suggested while an option is being typed: values by label, in order."""
        offered = await member.autocomplete(self.channel, command, option, typed, **filled)
        return {choice["name"]: choice["value"] for choice in offered}

    async def click(self, member: simcord.MemberActor, label: str, *, on: Seen | None = None) -> Answer:
        """Click the button with this label: on that message, or on the newest one where the member sees it."""
        message, button = self._button(member, label, on)
        clicked = await self._actor(member, message).click(self._discord(message), custom_id=button.custom_id)
        return self._answer(clicked, f"click on {label!r}")

    async def press(self, member: simcord.MemberActor, custom_id: str, *, on: Seen) -> Answer:
        """Click the button with this custom id on that message."""
        return self._answer(await self._actor(member, on).click(self._discord(on), custom_id=custom_id), custom_id)

    async def choose(self, member: simcord.MemberActor, *labels: str, on: Seen | None = None) -> Answer:
        """Choose these labels in a menu: on that message, or in the newest menu where the member sees them."""
        looked = [on] if on is not None else self._newest_first(member)
        for message in looked:
            for menu in message.menus:
                if not menu.disabled and all(label in menu.options for label in labels):
                    values = [menu.options[label] for label in labels]
                    chosen = await self._actor(member, message).select(
                        self._discord(message), values, custom_id=menu.custom_id
                    )
                    return self._answer(chosen, f"choice of {labels}")
        offered = [menu.options for message in looked for menu in message.menus]
        raise AssertionError(f"{member.name} sees no menu with {labels}; menus: {offered}")

    async def submit(self, member: simcord.MemberActor, shown: Answer, values: dict[str, Any]) -> Answer:
        """Fill in the form that an answer opened, by custom ids."""
        return self._answer(await member.submit_modal(shown.result, values), "form")

    async def click_together(self, clicks: Iterable[tuple[simcord.MemberActor, str, Seen | None]]) -> list[Answer]:
        """Click several buttons at the same moment: all arrive before the bot has begun to handle the first."""
        results = []
        for member, label, on in clicks:
            message, button = self._button(member, label, on)
            results.append(self._send_press(member, str(button.custom_id), message, ()))
        await self.env.settle()
        return [self._answer(result, "simultaneous click") for result in results]

    async def forge(
        self, member: simcord.MemberActor, custom_id: str, *, on: Seen, values: Sequence[str] = ()
    ) -> Answer:
        """Press something that the message does not have (or no longer has), as a modified or slow client could.

        `values` are what a menu would send.
        """
        result = self._send_press(member, custom_id, on, values)
        await self.env.settle()
        return self._answer(result, f"forged press {custom_id!r}")

    def let_command(self, member: simcord.MemberActor, name: str) -> None:
        """Let this member use a top-level command, as a server's administrators can, whatever its defaults are."""
        backend = self.env.backend
        allowed = [{"id": str(member.id), "type": 2, "permission": True}]
        for command in backend.commands[None].values():
            if command["name"] == name:
                backend.set_command_permissions(self.guild.id, int(command["id"]), allowed)

    async def forge_slash(self, member: simcord.MemberActor, command: str, /, **channels: Any) -> Answer:
        """Send a slash command of two words whose options are channels that the member's client would not offer."""
        result = self.send_slash(member, command, **channels)
        await self.env.settle()
        return self._answer(result, f"forged /{command}")

    def send_slash(self, member: simcord.MemberActor, command: str, /, **options: Any) -> simcord.InteractionResult:
        """Send a slash command with texts and channels without waiting for the bot's reaction."""
        backend = self.env.backend
        root, *groups, sub = command.split()
        known = next(one for one in backend.commands[None].values() if one["name"] == root)
        places = {name: value for name, value in options.items() if not isinstance(value, str)}
        filled = [
            {"name": name, "type": 7, "value": str(value.id)}
            if name in places
            else {"name": name, "type": 3, "value": value}
            for name, value in options.items()
        ]
        found = [serializers.channel_payload(backend, backend.get_channel(place.id)) for place in places.values()]
        resolved = {str(one["id"]): {**one, "permissions": "0"} for one in found}
        nested = [{"name": sub, "type": 1, "options": filled}]
        for group in reversed(groups):
            nested = [{"name": group, "type": 2, "options": nested}]
        data = {"id": known["id"], "name": root, "type": 1, "options": nested, "resolved": {"channels": resolved}}
        return self._send(InteractionType.APPLICATION_COMMAND, member, self.channel.id, data)

    async def forge_command(self, member: simcord.MemberActor, data: Any, *, in_dm: bool = False) -> Answer:
        """Send the data of a command as another program could, in the channel or in the member's direct messages."""
        channel = member.user.dm_channel.id if in_dm else self.channel.id
        result = self._send(InteractionType.APPLICATION_COMMAND, member, channel, data)
        await self.env.settle()
        return self._answer(result, f"forged {data}")

    async def forge_typing(self, member: simcord.MemberActor, data: Any) -> object:
        """Return the suggestions for the data of a command that is being typed."""
        result = self._send(InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, member, self.channel.id, data)
        await self.env.settle()
        return result.autocomplete_choices

    def _send_press(
        self, member: simcord.MemberActor, custom_id: str, message: Seen, values: Sequence[str]
    ) -> simcord.InteractionResult:
        kind = ComponentType.STRING_SELECT if values else ComponentType.BUTTON
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": int(kind)}
        if values:
            data["values"] = list(values)
        return self._send(InteractionType.MESSAGE_COMPONENT, member, message.channel_id, data, message)

    def _send(
        self, kind: InteractionType, member: simcord.MemberActor, channel: int, data: Any, source: Seen | None = None
    ) -> simcord.InteractionResult:
        backend = self.env.backend
        # There is no guild in direct messages.
        where = {"channel_id": channel, "guild_id": backend.get_channel(channel).guild_id}
        record, wire = simcord.interactions.base_payload(backend, type=kind, user_id=member.id, data=data, **where)
        if source is not None:
            wire["message"] = dict(serializers.message_payload(backend, backend.get_message(channel, source.id)))
            record.source_message_id = source.id
        backend.emit("INTERACTION_CREATE", wire)
        return simcord.InteractionResult(self.env, record)

    # --- people look

    def messages(
        self, viewer: simcord.MemberActor | None = None, *, channel: simcord.ChannelHandle | None = None
    ) -> list[Seen]:
        """The messages in the channel, oldest first: as everybody sees them, or as a viewer does, private ones too."""
        stored = self.env.backend.messages.get((channel or self.channel).id, {}).values()
        viewer_id = viewer.id if viewer is not None else None
        return [self._see(one) for one in sorted(stored, key=lambda one: one.id) if one.visible_to(viewer_id)]

    def newest(
        self, viewer: simcord.MemberActor | None = None, *, channel: simcord.ChannelHandle | None = None
    ) -> Seen:
        """The newest message of the channel: in public, or as this viewer sees it."""
        return self.messages(viewer, channel=channel)[-1]

    def board(self) -> Seen:
        """The newest public message with a picture."""
        return next(seen for seen in reversed(self.messages()) if seen.pictures)

    def boards(self) -> list[Seen]:
        """Every board of a game in the channel, oldest first, including those that others have followed."""
        return [seen for seen in self.messages() if seen.id in self._gaps.boards]

    def private(self, member: simcord.MemberActor) -> list[Seen]:
        """What only this member sees in the channel, oldest first."""
        return [seen for seen in self.messages(member) if seen.private]

    def letters(self, member: simcord.MemberActor) -> list[Seen]:
        """What the bot wrote to this member in DMs, oldest first."""
        return self.messages(member, channel=member.user.dm_channel)

    def read(self, seen: Seen) -> Seen:
        return self._see(self.env.backend.get_message(seen.channel_id, seen.id))

    def exists(self, seen: Seen) -> bool:
        return seen.id in self.env.backend.messages.get(seen.channel_id, {})

    def posts(self, channel: simcord.ChannelHandle | None = None) -> int:
        """How often the bot has tried to post in the channel."""
        path = f"/channels/{(channel or self.channel).id}/messages"
        return sum((request.method, request.path) == ("POST", path) for request in self.env.http_requests)

    def calls(self, member: simcord.MemberActor, *, by_boards: bool = False) -> int:
        """How many messages (or only boards) have pinged this member; an edit pings nobody, and takes no ping back."""
        return sum(user == member.id and (board or not by_boards) for user, board in self._gaps.pings)

    # --- things happen

    async def wait(self, seconds: float) -> None:
        """Let time pass, instantly."""
        await self.env.advance_time(seconds)

    async def restart(self, *, crash: bool = False) -> None:
        """Stop the bot and start another one on the same database; with `crash`, the old one is not shut down first."""
        old = self.bot
        if not crash:
            await old.close()
        await self.start()
        if crash:
            await old.store.close()

    async def start(self) -> None:
        await self.env.restart_bot(self.make_bot())

    def kill(self) -> NoReturn:
        """End what the bot is doing, as a kill in its midst does: it shows nothing more until `restart(crash=True)`."""
        self.provoked = True
        self.bot.tables.aftermath.deliver = None
        raise asyncio.CancelledError

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something as the bot would: on its clock, and counted as its work."""
        with self.env._bot_scope():
            task = asyncio.get_running_loop().create_task(work)
        result = await task
        await self.env.settle()
        return result

    def speak(self, member: simcord.MemberActor, locale: str) -> None:
        """Set the language of a member's client, such as `de`."""
        self._gaps.locales[member.id] = locale

    def close_dms(self, member: simcord.MemberActor) -> None:
        """Make this member accept no more direct messages."""
        path = f"/channels/{member.user.dm_channel.id}/messages"
        self.fail("POST", path, status=403, code=50007, message="Cannot send messages to this user", times=None)

    def fail(
        self,
        method: str,
        path: str,
        *,
        status: int = 500,
        code: int = 0,
        message: str = "Internal Server Error",
        times: int | None = 1,
    ) -> None:
        """Make matching requests of the bot fail, `times` times (None: always); `*` matches anything in the path."""
        self.provoked = True
        self.env.inject_error(method, path, status=status, code=code, message=message, times=times)

    def refuse(
        self, *methods: str, channel: simcord.ChannelHandle | None = None, status: int = 500, code: int = 0
    ) -> None:
        """Make Discord refuse the bot's messages in a channel until `heal`: POST new ones, PATCH edits, DELETE."""
        path = f"/channels/{(channel or self.channel).id}/messages"
        for method in methods:
            self.fail(method, path if method == "POST" else f"{path}/*", status=status, code=code, times=None)

    def heal(self) -> None:
        """End all failures started by `fail`, `refuse` and `close_dms`."""
        self.env.backend.faults.clear()

    def delete(self, seen: Seen) -> None:
        self.env.backend.delete_message(seen.channel_id, seen.id)

    async def deny_bot(self, *permissions: str, channel: simcord.ChannelHandle | None = None) -> None:
        """Take these permissions, such as `send_messages`, away from the bot in the channel; with none, restore all."""
        self.provoked = True
        backend = self.env.backend
        denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
        overwrite = Overwrite(target_id=backend.bot_user.id, type=OverwriteType.MEMBER, deny=denied)
        backend.edit_channel((channel or self.channel).id, {}, overwrites=[overwrite] if denied else [])
        await self.env.settle()

    def overwrite(self, channel: simcord.ChannelHandle, overwrites: Mapping[Any, discord.PermissionOverwrite]) -> None:
        """Set the permissions of roles and members in a channel, replacing those it had."""
        found = []
        for target, overwrite in overwrites.items():
            allow, deny = overwrite.pair()
            kind = OverwriteType.ROLE if isinstance(target, simcord.RoleHandle) else OverwriteType.MEMBER
            found.append(Overwrite(target_id=target.id, type=kind, allow=allow.value, deny=deny.value))
        self.env.backend.edit_channel(channel.id, {}, overwrites=found)

    async def private_thread(self, *members: simcord.MemberActor, with_bot: bool = True) -> simcord.ChannelHandle:
        """A private thread that the first of these members has opened in the channel, with the others (and the bot)."""
        backend, kind = self.env.backend, simcord.enums.ChannelType.PRIVATE_THREAD
        made = backend.create_thread(self.channel.id, "secret", owner_id=members[0].id, type=kind)
        for one in (*(member.id for member in members), *([backend.bot_user.id] if with_bot else [])):
            backend.add_thread_member(made.id, one)
        await self.env.settle()
        return next(thread for thread in self.channel.threads if thread.id == made.id)

    async def deny_roles(self, *permissions: str) -> None:
        """Take these permissions away from the bot's own role and from @everyone; with none, restore all."""
        self.provoked = True
        backend = self.env.backend
        roles = backend.guilds[self.guild.id].roles
        denied = discord.Permissions(**dict.fromkeys(permissions, True), administrator=bool(permissions)).value
        for role in [role for role in roles.values() if role.managed or role.id == self.guild.id]:
            usual = self._usual.setdefault(role.id, role.permissions)
            backend.edit_role(self.guild.id, role.id, {"permissions": usual & ~denied})
        await self.env.settle()

    async def equip_bot(self, role: simcord.RoleHandle, *, held: bool) -> None:
        """Give the bot a role, or take it away, and tell the bot, which SimCord does not do."""
        backend, guild_id, me = self.env.backend, self.guild.id, self.env.backend.bot_user.id
        (backend.add_member_role if held else backend.remove_member_role)(guild_id, me, role.id)
        guild = backend.guilds[guild_id]
        told = {**serializers.member_payload(backend, guild, guild.members[me]), "guild_id": str(guild_id)}

        async def hear() -> None:
            self.bot._connection.parsers["GUILD_MEMBER_UPDATE"](told)

        await self.run(hear())

    async def delete_channel(self, channel: simcord.ChannelHandle) -> None:
        """Delete a channel with its threads, as somebody who manages the guild would; threads go without notice."""
        backend = self.env.backend
        for thread in [one for one in backend.channels.values() if one.is_thread and one.parent_id == channel.id]:
            backend.guilds[self.guild.id].thread_ids.remove(thread.id)
            del backend.channels[thread.id]
            backend.messages.pop(thread.id, None)
        backend.delete_channel(channel.id)
        await self.env.settle()

    async def remove_bot(self) -> None:
        """Remove the bot from the guild: its messages there are refused (50001) until `invite_bot`."""
        self.refuse("POST", "PATCH", "DELETE", status=403, code=50001)
        self.env.backend.emit("GUILD_DELETE", {"id": str(self.guild.id)})
        await self.env.settle()

    async def invite_bot(self) -> None:
        """Invite the bot again after `remove_bot`."""
        self.heal()
        backend = self.env.backend
        backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, backend.guilds[self.guild.id]))
        await self.env.settle()

    async def archive(self, thread: simcord.ChannelHandle) -> None:
        """Archive a thread; posts and edits in it are then refused (50083) until `heal`."""
        self.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
        path = f"/channels/{thread.id}/messages"
        self.fail("POST", path, status=400, code=50083, message="archived", times=None)
        self.fail("PATCH", f"{path}/*", status=400, code=50083, message="archived", times=None)
        await self.env.settle()

    # --- how it works

    def _answer(self, result: simcord.InteractionResult, what: str) -> Answer:
        if not result.acknowledged:
            raise Unanswered(f"{what}: the bot did not respond\n{self.env.transcript()[-6000:]}")
        record = result._interaction
        found = self.env.backend.messages.get(record.channel_id, {})
        # A press that is acknowledged without words says nothing; the message that was pressed is not its answer.
        silent = result._interaction.response_kind is ResponseKind.DEFERRED_UPDATE
        shown = found.get(record.message_id) if record.message_id is not None and not silent else None
        more = tuple(self._see(found[one]) for one in record.followup_ids if one in found)
        refusal = self._gaps.refusals.pop(record.id, None)
        answer = Answer(result, self._see(shown) if shown is not None else None, more, refusal)
        channel = self.env.backend.channels.get(record.channel_id)
        if channel is None or channel.guild_id is not None:  # none: it was deleted meanwhile
            public = [seen.text for seen in answer.pages if not seen.private]
            assert not public, f"{what}: everybody reads {public}"
        return answer

    def _newest_first(self, member: simcord.MemberActor) -> list[Seen]:
        seen = self.messages(member)
        dm = self.env.backend.dm_channels.get(member.id)
        if dm is not None:
            seen += [self._see(one) for one in self.env.backend.messages.get(dm, {}).values()]
        for thread in self.channel.threads:
            seen += self.messages(member, channel=thread)
        return sorted(seen, key=lambda one: -one.id)

    def _button(self, member: simcord.MemberActor, label: str, on: Seen | None) -> tuple[Seen, Button]:
        looked = [on] if on is not None else self._newest_first(member)
        for message in looked:
            for button in message.buttons:
                if button.label == label and not button.disabled and button.custom_id is not None:
                    return message, button
        raise AssertionError(f"{member.name} sees no button {label!r}; buttons: {[seen.labels for seen in looked]}")

    def _actor(self, member: simcord.MemberActor, message: Seen) -> Any:
        """Who clicks: SimCord treats somebody in a guild and the same person in DMs as two different things."""
        return member.user if message.channel_id == self.env.backend.dm_channels.get(member.id) else member

    def _discord(self, seen: Seen) -> simcord.ResponseMessage:
        return simcord.ResponseMessage(self.env, self.env.backend.get_message(seen.channel_id, seen.id))

    def _see(self, message: Message) -> Seen:
        parts = list(walk_components(message.components))
        texts = [message.content, *(part["content"] for part in parts if part["type"] == ComponentType.TEXT_DISPLAY)]
        alt = [item.get("description") or "" for part in parts for item in part.get("items", ())]
        alt += [part.get("description") or "" for part in parts if part["type"] == ComponentType.THUMBNAIL]
        alt += [one["description"] for one in message.attachments if one.get("description")]
        blobs = (self.env.backend.cdn.get(str(one["url"])) for one in message.attachments)
        return Seen(
            id=message.id,
            channel_id=message.channel_id,
            # Application emojis stand in the place of signs; what is told is the same.
            text=undress("\n".join(text for text in texts if text)),
            buttons=tuple(
                Button(_label(part), part.get("custom_id"), bool(part.get("disabled")), part.get("url"))
                for part in parts
                if part["type"] == ComponentType.BUTTON
            ),
            menus=tuple(
                Menu(
                    part["custom_id"],
                    part.get("placeholder") or "",
                    {option["label"]: option["value"] for option in part.get("options") or ()},
                    bool(part.get("disabled")),
                )
                for part in parts
                if part["type"] == ComponentType.STRING_SELECT
            ),
            alt=tuple(alt),
            pictures=tuple(blob for blob in blobs if blob is not None),
            pinged=frozenset(message.ping_user_ids),
            private=bool(message.flags & EPHEMERAL_FLAG),
            components=message.components,
        )


def _label(button: dict[str, Any]) -> str:
    """What names a button: its label, or its emoji if it has no words."""
    return button.get("label") or (button.get("emoji") or {}).get("name") or ""


def unexpected(env: simcord.Env, records: Iterable[logging.LogRecord]) -> list[str]:
    """What went wrong in the bot without the test asking for it, one line each.

    Refusals that the bot answers politely are not errors, however they arrived.
    """
    from bot.errors import BotError
    from engine import DogError

    lines = []
    for error in env.errors:
        inner = getattr(error, "original", error)
        if not isinstance(inner, BotError | DogError | discord.app_commands.CommandOnCooldown):
            lines.append(f"{type(inner).__name__}: {inner}")
    for record in records:
        if record.levelno >= logging.ERROR and record.name.split(".")[0] in ("bot", "cogs", "discord"):
            lines.append(
                f"{record.name}: {record.getMessage()} {record.exc_info[1]!r}"
                if record.exc_info
                else f"{record.name}: {record.getMessage()}"
            )
    return lines
