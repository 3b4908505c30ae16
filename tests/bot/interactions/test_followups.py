"""The number of messages that answer one interaction where the bot is not."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.interactions.answers import MOST_AWAY, Answers, Attachment
from bot.showing.panels import Panel, Reply

LONG = "\n".join(f"{number} {'x' * 1_500}" for number in range(12))


class Discord:
    """An interaction that counts what is sent; `here`: whether the bot is where it was asked."""

    def __init__(self, *, here: bool) -> None:
        self.guild_id, self.message, self.here = 1, None, here
        self.context = SimpleNamespace(private_channel=False)
        self.first: list[str] = []
        self.more: list[str] = []
        self.response = SimpleNamespace(
            is_done=lambda: bool(self.first), send_message=self._answer, defer=self._acknowledge
        )
        self.followup = SimpleNamespace(send=self._follow)

    def is_user_integration(self) -> bool:
        return True

    def is_guild_integration(self) -> bool:
        return self.here

    async def _answer(self, content: str, **parts: Any) -> None:
        self.first.append(content)

    async def _acknowledge(self, **parts: Any) -> None:
        self.first.append("")

    async def _follow(self, content: str, **parts: Any) -> None:
        self.more.append(content)


@pytest.mark.parametrize("thinks", [False, True])
async def test_at_most_five_messages_follow_elsewhere(thinks: bool) -> None:
    asked = Discord(here=False)
    answers = Answers(asked)  # type: ignore[arg-type]
    if thinks:
        await answers.think()
    await answers.send(Reply(LONG, Panel()))
    assert len(asked.more) == MOST_AWAY
    assert asked.more[-1].startswith("11 "), "the end, with the buttons, is sent"
    await answers.attach(LONG, Attachment(b"", "a.txt", ""))
    assert len(asked.more) == MOST_AWAY


async def test_all_pages_follow_where_the_bot_is() -> None:
    asked = Discord(here=True)
    await Answers(asked).send(Reply(LONG))  # type: ignore[arg-type]
    assert len(asked.first + asked.more) == 12
