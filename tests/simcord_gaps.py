"""Parts of Discord that SimCord leaves out, and notes of what passed, for tests: see `Gaps`."""

from dataclasses import dataclass, field
from typing import Any

import pytest
import simcord.interactions
from simcord.backend.models import Message
from simcord.http.routes import messages as routes

from bot import metrics
from bot.errors import TooOften
from tools.local.simulated import leave_out_private_answers


@dataclass(eq=False)
class Gaps:
    """Fills the gaps of one simulated Discord, from `fill` to the end of a test."""

    locales: dict[int, str] = field(default_factory=dict)
    """The languages of people's clients, by user id; others have American English."""
    pings: list[tuple[int, bool]] = field(default_factory=list)
    """All users pinged by messages, and whether the message had a picture."""
    boards: set[int] = field(default_factory=set)
    """The messages that had a picture when they were posted; a board that another one follows loses it."""
    refusals: dict[int, str | None] = field(default_factory=dict)
    """By interaction: the kind of refusal that the log names."""
    _sent: dict[str, Message] = field(default_factory=dict)
    """By nonce. No nonce is ever forgotten here, so repeated ones show."""

    def fill(self, patch: pytest.MonkeyPatch) -> None:
        """Put all of this in the place of SimCord's own."""
        self._build, self._post, self._served = (
            simcord.interactions.base_payload,
            routes.bot_message,
            metrics.record_request,
        )
        patch.setattr(simcord.interactions, "base_payload", self._build_in_language)
        patch.setattr(routes, "bot_message", self._post_once)
        patch.setattr(metrics, "record_request", self._note_refusal)
        leave_out_private_answers()

    def _build_in_language(self, backend: Any, **named: Any) -> Any:
        """SimCord's interaction, with the language of the person's client."""
        record, wire = self._build(backend, **named)
        wire["locale"] = self.locales.get(named["user_id"], "en-US")
        return record, wire

    def _post_once(self, ctx: Any, channel_id: int) -> Message:
        """SimCord's posting with Discord's `enforce_nonce`."""
        body = ctx.body()
        key = body.get("nonce") if body.get("enforce_nonce") else None
        if key is not None and key in self._sent:
            return self._sent[key]
        message = self._post(ctx, channel_id)
        self.pings.extend((user, bool(message.attachments)) for user in message.ping_user_ids)
        if message.attachments:
            self.boards.add(message.id)
        if key is not None:
            self._sent[key] = message
        return message

    def _note_refusal(self, kind: str, name: str, result: str, begun: float, **facts: Any) -> None:
        """Log what was asked for, and keep how it was refused."""
        self.refusals[facts["interaction"]] = TooOften.__name__ if result == "too often" else facts["refusal"]
        self._served(kind, name, result, begun, **facts)
