"""Acknowledging: whatever takes long is acknowledged first, and the answer then replaces the acknowledgement."""

import asyncio
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import Busy
from bot.interactions import answers
from bot.interactions.request import Request
from bot.interactions.serve import answering
from bot.preferences import Preferences
from bot.showing.panels import Reply

SAID = Reply("here it is")
REFUSED: Any = SimpleNamespace(status=404, reason="Not Found")
LOUD = {"ephemeral": True, "thinking": True}
"""How what is awaited is announced where there is nothing to look at yet."""


class StandIn:
    """An interaction that records what would be asked of Discord; `private`: a press on a private message.

    With `refuses`, Discord refuses with this code what would change the message that was pressed.
    """

    def __init__(
        self, pools: SimpleNamespace, *, private: bool = False, pressed: bool = False, refuses: int | None = None
    ) -> None:
        self.client = SimpleNamespace(pools=pools, tables=SimpleNamespace(users=SimpleNamespace(known=Preferences)))
        self.id, self.command = 1, None
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.came: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self.locale, self.guild_id = "en-US", 1
        self.is_user_integration = self.is_guild_integration = lambda: True
        self.user = SimpleNamespace(id=7)
        flags = SimpleNamespace(ephemeral=private)
        self.message = SimpleNamespace(flags=flags) if private or pressed else None
        self._refuses = refuses
        first = {"send_message": "send", "edit_message": "edit", "defer": "defer"}
        self.response = SimpleNamespace(
            is_done=lambda: bool(self.requests), **{method: self._taking(what) for method, what in first.items()}
        )
        self.followup = SimpleNamespace(send=self._taking("follow"))
        self.edit_original_response = self._taking("edit original")
        self.delete_original_response = self._taking("delete original")

    def _taking(self, what: str) -> Any:
        async def take(*_: object, **more: Any) -> None:
            await asyncio.sleep(0)
            if self._refuses is not None and (what == "edit" or (what == "defer" and not more)):
                self.came["refusal"].set()
                raise discord.NotFound(REFUSED, {"code": self._refuses, "message": "Unknown"})
            self.requests.append((what, more))
            self.came[what].set()

        return take

    @property
    def steps(self) -> list[str]:
        """What was asked of Discord, in this order."""
        return [what for what, _ in self.requests]


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Pools where drawing is not behind, of a bot that runs out of patience at once."""
    found = SimpleNamespace(is_behind=False)
    monkeypatch.setattr(answers, "PATIENCE", 0)
    return found


async def given(made: Any, answer: Any, *, after: str | None = None) -> None:
    """Give `answer(request)`; with `after`, only once Discord has been asked for that."""
    request = Request(made)
    async with answering(request, "command", "test"):
        if after is not None:
            await made.came[after].wait()
        await answer(request)


@pytest.mark.parametrize(
    ("made", "answer", "steps", "announced"),
    [
        # Discord lets the first followup be what was announced.
        ({}, lambda one: one.replace(SAID), ["defer", "follow"], LOUD),
        # Nothing is shown until the answer is there.
        ({"private": True}, lambda one: one.replace(SAID), ["defer", "edit original"], {}),
        ({"pressed": True}, lambda one: one.done(), ["defer", "delete original"], LOUD),
    ],
    ids=["a command", "a press on a private message", "no words follow"],
)
async def test_slow_answer_replaces_its_announcement(
    pools: SimpleNamespace, made: dict[str, bool], answer: Any, steps: list[str], announced: dict[str, bool]
) -> None:
    stand_in = StandIn(pools, **made)
    await given(stand_in, answer, after="defer")
    assert stand_in.steps == steps
    assert stand_in.requests[0][1] == announced


async def test_what_is_answered_at_once_is_not_announced(pools: SimpleNamespace) -> None:
    made = StandIn(pools)
    await given(made, lambda one: one.say("here"))
    assert made.steps == ["send"]


async def test_slow_drawing_is_announced_before_it_begins(pools: SimpleNamespace) -> None:
    pools.is_behind = True
    made = StandIn(pools)
    seen: list[list[str]] = []

    async def answer(one: Any) -> None:
        seen.append(list(made.steps))
        await one.say("here")

    await given(made, answer)
    assert seen == [["defer"]]
    assert made.steps == ["defer", "follow"]


@pytest.mark.parametrize("behind", [True, False], ids=["drawing is behind", "it takes long"])
async def test_press_on_a_removed_hand_is_answered_anew(pools: SimpleNamespace, behind: bool) -> None:
    pools.is_behind = behind
    made = StandIn(pools, private=True, refuses=answers.GONE)
    await given(made, lambda one: one.replace(SAID), after="defer")
    assert made.steps == ["defer", "follow"]
    assert made.requests[0][1] == LOUD


async def test_silent_press_on_a_removed_message_is_acknowledged(pools: SimpleNamespace) -> None:
    made = StandIn(pools, private=True, refuses=answers.GONE)
    await Request(made).done()
    assert made.steps == ["defer", "delete original"]
    assert made.requests[0][1] == LOUD


@pytest.mark.parametrize("behind", [True, False], ids=["drawing is behind", "it takes long"])
async def test_late_work_is_done_without_announcement(pools: SimpleNamespace, behind: bool) -> None:
    pools.is_behind = behind
    made, done = StandIn(pools, private=True, refuses=10062), []

    async def work(_: Any) -> None:
        done.append(1)

    await given(made, work, after="refusal")
    assert done == [1]


async def test_who_announces_in_time_is_not_announced_again(pools: SimpleNamespace) -> None:
    made = StandIn(pools)

    async def answer(one: Any) -> None:
        await asyncio.gather(one.think(), one.think())
        await one.say("here")

    await given(made, answer)
    assert made.steps == ["defer", "follow"]


async def test_a_refusal_after_the_announcement_is_heard(pools: SimpleNamespace) -> None:
    made = StandIn(pools)

    async def answer(_: Any) -> None:
        raise Busy

    await given(made, answer, after="defer")
    assert made.steps == ["defer", "follow"]
