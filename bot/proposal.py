"""Proposals: what players ask the others at their table; `bot.consent` says whose yes each needs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ProposalKind(StrEnum):
    """A kind of proposal; `bot.consent` says which of the other players answer it."""

    TAKEBACK = "takeback"
    """Take actions back."""
    RESIGN = "resign"
    """Resign the game to the other team."""
    HINTS = "hints"
    """Allow hints."""
    WAIT = "wait"
    """Let a turn whose time was up wait once more."""
    STAND_IN = "stand_in"
    """Let a computer play on for a player who has been silent at a table without a clock."""
    OFFER = "offer"
    """Offer the seat of an absent player to others."""
    CANCEL = "cancel"
    """End the game without a winner."""
    PAUSE = "pause"
    """Pause the game, or let its pause last longer."""
    RESUME = "resume"
    """End a pause that the players agreed on."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question of one player to the others, and their answers."""

    kind: ProposalKind
    seat: int
    """The seat of the player who asks."""
    user_id: int
    """The player who asks."""
    number: int
    """For a takeback, the first action that would be taken back; for a turn that waits, the number of its decision."""
    at: int
    """Unix seconds."""
    must_agree: tuple[int, ...]
    """The members who are asked."""
    agreed: tuple[int, ...] = ()
    """Those of them who have agreed."""
    refused: tuple[int, ...] = ()
    """Those who have refused."""
    about: int | None = None
    """The seat that it concerns, if it concerns one."""
