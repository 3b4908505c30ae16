"""People on the wire: they type commands, press buttons, choose in menus, and read what comes back."""

import asyncio
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tools.wire.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, LATER_UPDATE, Interaction
from tools.wire.server import Wire
from tools.wire.world import EPHEMERAL, Channel, Message, User

BUTTON, MENU = 2, 3
GRACE = 1.0
"""Seconds for which people usually watch for a change of the message they pressed."""
_VERB = re.compile("dog[0-9]*:([a-z_]+):")
_ONWARD = re.compile("dog[0-9]*:go:")
_TYPES = {bool: 5, int: 4, str: 3}


@dataclass
class Answer:
    """The answer to an interaction."""

    made: Interaction

    @property
    def acknowledged(self) -> float | None:
        """Seconds until it was acknowledged; None if it was not."""
        return None if self.made.acknowledged is None else self.made.acknowledged - self.made.begun

    @property
    def took(self) -> float | None:
        """Seconds until there was something to read; None if there never was."""
        return None if self.made.completed is None else self.made.completed - self.made.begun

    @property
    def messages(self) -> list[Message]:
        return [*([self.made.original] if self.made.original is not None else []), *self.made.followups]

    @property
    def text(self) -> str:
        return "\n".join(message.content for message in self.messages)

    @property
    def private(self) -> bool:
        public = self.made.channel.guild_id is not None
        return all(message.flags & EPHEMERAL for message in self.messages) if public else True

    @property
    def shown(self) -> Message | None:
        return self.messages[-1] if self.messages else None


class Person:
    """A player.

    `patience`: the seconds after which they assume that no answer will come. `grace`: the seconds for which they watch
    for a change of a message they pressed, once the press is acknowledged.
    """

    def __init__(self, wire: Wire, user: User, *, patience: float = 90) -> None:
        self.wire, self.user, self.patience = wire, user, patience
        self.grace = GRACE

    @property
    def id(self) -> int:
        return self.user.id

    async def slash(self, channel: Channel, command: str, /, **options: Any) -> Answer:
        """Type a command such as `dog new`, and wait for the answer."""
        return await self.hear(self.type(channel, command, **options))

    def type(self, channel: Channel, command: str, /, **options: Any) -> Interaction:
        filled = [{"name": name, "type": _TYPES[type(value)], "value": value} for name, value in options.items()]
        return self.raw(COMMAND, channel, self._command(command, filled))

    async def suggestions(
        self, channel: Channel, command: str, option: str, typed: str = "", /, **options: Any
    ) -> list[dict[str, Any]]:
        filled = [{"name": name, "type": _TYPES[type(value)], "value": value} for name, value in options.items()]
        filled.append({"name": option, "type": 3, "value": typed, "focused": True})
        return (await self.hear(self.raw(AUTOCOMPLETE, channel, self._command(command, filled)))).made.choices

    async def press(self, message: Message, custom_id: str, *values: str) -> Answer:
        return await self.hear(self.touch(message, custom_id, *values))

    def touch(self, message: Message, custom_id: str, *values: str) -> Interaction:
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": MENU if values else BUTTON}
        if values:
            data["values"] = list(values)
        return self.raw(COMPONENT, self.wire.world.channels[message.channel_id], data, message)

    async def click(self, message: Message, verb: str) -> Answer:
        found = verbs(message)
        assert verb in found, f"no button {verb!r} among {message.live}"
        return await self.press(message, found[verb])

    def raw(self, kind: int, channel: Channel, data: dict[str, Any], message: Message | None = None) -> Interaction:
        return self.wire.interactions.begin(kind, self.user, channel, data, message)

    async def hear(self, made: Interaction, *, patience: float | None = None) -> Answer:
        """Wait until an interaction is answered, or patience runs out."""
        ends = time.perf_counter() + (self.patience if patience is None else patience)
        while not made.complete:
            if made.answer_kind == LATER_UPDATE and made.acknowledged is not None:
                # Often nothing follows: the result of the press appears elsewhere.
                ends = min(ends, made.acknowledged + self.grace)
            if (left := ends - time.perf_counter()) <= 0:
                break
            made.changed.clear()
            try:
                async with asyncio.timeout(left):
                    await made.changed.wait()
            except TimeoutError:
                continue
        return Answer(made)

    async def wait_for(self, so: Callable[[], bool]) -> None:
        """Wait until a condition holds.

        Raises:
            TimeoutError: it did not hold before patience ran out.
        """
        if not await until(so, self.patience):
            raise TimeoutError("what was waited for did not come")

    def _command(self, path: str, filled: list[dict[str, Any]]) -> dict[str, Any]:
        group, *subs = path.split()
        known = next((command for command in self.wire.world.commands if command["name"] == group), None)
        options: list[dict[str, Any]] = filled
        for depth, sub in enumerate(reversed(subs)):
            options = [{"name": sub, "type": 1 if depth == 0 else 2, "options": options}]
        return {"id": known["id"] if known else "1", "name": group, "type": 1, "options": options}


async def until(so: Callable[[], bool], within: float) -> bool:
    """Wait for something, for at most this many seconds; returns True if it came."""
    ends = time.perf_counter() + within
    while not so():
        if time.perf_counter() > ends:
            return False
        await asyncio.sleep(0.02)
    return True


def verbs(message: Message) -> dict[str, str]:
    """Return the custom ids that can be pressed on a message, by verb (the first of each)."""
    found: dict[str, str] = {}
    for custom_id in message.live:
        if (named := _VERB.match(custom_id)) is not None:
            found.setdefault(named[1], custom_id)
    return found


async def to_play(
    person: Person, shown: Message | None, dice: random.Random, count: Callable[[Answer], Answer]
) -> Answer | None:
    """Press on from a shown hand to *Play*, choosing at random; returns that answer, None if it does not lead there.

    `count` gets every answer.
    """
    for _ in range(16):
        known = {} if shown is None else verbs(shown)
        if shown is None or not known.keys() & {"play", "go"}:
            return None
        if "play" in known:
            return count(await person.press(shown, known["play"]))
        # Onward only, not back to an earlier question.
        ways = [way for way in shown.controls if _ONWARD.match(way.get("custom_id", "")) and not way.get("disabled")]
        depths = [way["custom_id"].partition("#")[0].count(".") + (way["type"] == MENU) for way in ways]
        chosen = dice.choice([way for way, depth in zip(ways, depths, strict=True) if depth == max(depths)])
        values = [dice.choice(chosen["options"])["value"]] if chosen["type"] == MENU else []
        shown = count(await person.press(shown, chosen["custom_id"], *values)).shown
    return None


def boards(channel: Channel) -> list[Message]:
    """Return the public messages of a channel with a picture, oldest first."""
    return [message for _, message in sorted(channel.messages.items()) if message.attachments]
