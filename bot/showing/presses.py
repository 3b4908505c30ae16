"""What a button or menu means: a value for each verb, with what it was made for, when it is stale, and who may.

A press is written into a custom id as small numbers: never a card, hand or deck, since anybody who sees the message can
read it. Nothing is kept in memory, so every button of every message works after a restart. Buttons posted by versions
of the bot before these values existed are read by `bot.showing.old_presses`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from bot.moment import START, Moment
from bot.rights import Deed
from bot.showing.press import LONGEST, MOST, PREFIX, Press
from bot.table import Level, ProposalKind, Table
from bot.tables.absence import Remedy

_NUMBER = "[0-9]{1,19}(?:-[0-9]{1,19})?"
_PRESS = re.compile(rf"{PREFIX}:(?P<verb>[a-z_]{{1,20}}):(?P<numbers>{_NUMBER}(?:\.{_NUMBER}){{0,20}})(?:#.*)?")


# The lobby. None of these is ever stale: outside a lobby, the tables refuse them.


@dataclass(frozen=True, slots=True)
class Join(Press):
    """Take the first free seat."""

    verb = "join"
    deed = Deed.JOIN


@dataclass(frozen=True, slots=True)
class TakeSeat(Press):
    """Take a certain seat, chosen in the menu."""

    verb = "seat"
    deed = Deed.JOIN
    seat: int | None = None

    def choosing(self, value: int) -> TakeSeat:
        """The press for this seat."""
        return replace(self, seat=value)


@dataclass(frozen=True, slots=True)
class Leave(Press):
    """Free one's seat."""

    verb = "leave"
    deed = Deed.LEAVE


@dataclass(frozen=True, slots=True)
class AddComputer(Press):
    """Seat a computer player."""

    verb = "add_computer"
    deed = Deed.FILL


@dataclass(frozen=True, slots=True)
class Fill(Press):
    """Seat computer players on all free seats."""

    verb = "fill"
    deed = Deed.FILL


@dataclass(frozen=True, slots=True)
class OpenTable(Press):
    """Open a table with rules other than those asked for; `system` and `pace` are indexes in their lists.

    It carries every other option of `/dog new`; buttons of earlier versions lack the last two.
    """

    verb = "open"
    deed = Deed.OPEN
    system: int
    players: int
    pace: int
    thread: bool
    canadian_seven: bool = False
    hints: bool = False


@dataclass(frozen=True, slots=True)
class RemoveComputer(Press):
    """Remove a computer player."""

    verb = "remove_computer"
    deed = Deed.FILL


@dataclass(frozen=True, slots=True)
class SetLevel(Press):
    """Make a computer player stronger or weaker; `what` is its seat and the index of the level in `Level`."""

    verb = "level"
    deed = Deed.SET_LEVEL
    what: int | None = None

    def choosing(self, value: int) -> SetLevel:
        """The press for this seat and level."""
        return replace(self, what=value)

    @staticmethod
    def value_of(seat: int, level: Level) -> int:
        """The number for a seat and a level in the menu."""
        return seat * 10 + tuple(Level).index(level)

    @property
    def chosen(self) -> tuple[int, Level] | None:
        """The seat and the level; None if the number does not stand for any."""
        seat, index = divmod(self.what or 0, 10)
        return (seat, tuple(Level)[index]) if self.what is not None and index < len(Level) else None


@dataclass(frozen=True, slots=True)
class Start(Press):
    """Deal the first round."""

    verb = "start"
    deed = Deed.START


@dataclass(frozen=True, slots=True)
class ReadRules(Press):
    """Read the rules of this table."""

    verb = "rules"
    deed = Deed.LOOK


@dataclass(frozen=True, slots=True)
class AskCancel(Press):
    """Ask whether the lobby is to be cancelled."""

    verb = "cancel"
    deed = Deed.CANCEL


# Looking and playing.


@dataclass(frozen=True, slots=True)
class ShowHand(Press):
    """Show the newest hand, whatever board the button was under."""

    verb = "hand"
    deed = Deed.PLAY


@dataclass(frozen=True, slots=True)
class ShowHistory(Press):
    """Show a page of the history; the newest one by default."""

    verb = "history"
    deed = Deed.LOOK
    page: int | None = None


@dataclass(frozen=True, slots=True)
class ShowReplay(Press):
    """Show the whole game as an animation."""

    verb = "replay"
    deed = Deed.FILM


@dataclass(frozen=True, slots=True)
class ShowText(Press):
    """Show the board in words."""

    verb = "text"
    deed = Deed.LOOK


@dataclass(frozen=True, slots=True)
class ShowReview(Press):
    """Review a finished game: its course, and one's own turns that could have been better."""

    verb = "review"
    deed = Deed.REVIEW


@dataclass(frozen=True, slots=True)
class ShowCard(Press):
    """Show the picture of a finished game that is made for posting elsewhere."""

    verb = "card"
    deed = Deed.LOOK


@dataclass(frozen=True, slots=True)
class ShowTopic(Press):
    """Turn the rulebook to a topic; it belongs to no table. `system` and `topic` are indexes in their lists."""

    verb = "topic"
    deed = Deed.READ
    system: int
    players: int
    canadian: bool
    topic: int


@dataclass(frozen=True, slots=True)
class _OfDecision(Press):
    """Part of the private dialogue about one decision."""

    decision: Moment

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether by now the seat is being asked something else, or nothing."""
        seat = table.seat_of(user_id)
        return table.game is None or seat is None or table.decision(seat) != self.decision


@dataclass(frozen=True, slots=True)
class Go(_OfDecision):
    """Answer the next question on the way to an action, or go back; `path`: the answers so far."""

    verb = "go"
    deed = Deed.PLAY
    path: tuple[int, ...] = ()

    def choosing(self, value: int) -> Go:
        """The press that gives this answer."""
        return replace(self, path=(*self.path, value))


@dataclass(frozen=True, slots=True)
class AskWhy(_OfDecision):
    """Say why a card cannot be played; `card` is its index among the different cards of the hand."""

    verb = "why"
    deed = Deed.PLAY
    card: int


@dataclass(frozen=True, slots=True)
class Hint(_OfDecision):
    """Say what a computer player would do, and why."""

    verb = "hint"
    deed = Deed.HINT


@dataclass(frozen=True, slots=True)
class PlayNow(_OfDecision):
    """Play the action at the end of `path`."""

    verb = "play"
    deed = Deed.PLAY
    path: tuple[int, ...] = ()


def acted_at(table: Table, seat: int) -> Moment:
    """The moment of a seat's last action, whatever others have done since; that of the deal if it has not acted."""
    return Moment(table.takebacks, 0 if table.game is None else table.game.last_of(seat))


@dataclass(frozen=True, slots=True)
class Undo(Press):
    """Take back the action that was the newest of one's own seat at this moment (see `acted_at`)."""

    verb = "undo"
    deed = Deed.TAKE_BACK
    moment: Moment

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether the seat has acted again, or something was taken back."""
        seat = table.seat_of(user_id)
        return seat is None or acted_at(table, seat) != self.moment


@dataclass(frozen=True, slots=True)
class AnswerProposal(Press):
    """Agree to a proposal, or refuse it; `at`: when it was made."""

    verb = "answer"
    deed = Deed.ANSWER
    kind: ProposalKind
    at: int
    yes: bool

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether that proposal is settled."""
        proposal = table.proposals.get(self.kind)
        return proposal is None or proposal.at != self.at


# Absence.


@dataclass(frozen=True, slots=True)
class Absent(Press):
    """Choose what happens to a seat whose time is up; the seat may be chosen in the menu."""

    verb = "absent"
    deed = Deed.DECIDE_ABSENCE
    remedy: Remedy
    seat: int | None = None
    decision: Moment | None = None

    def choosing(self, value: int) -> Absent:
        """The press for this seat."""
        return replace(self, seat=value)

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether that seat is no longer overdue, or is so with another decision."""
        clock = None if self.seat is None else table.clocks.get(self.seat)
        return clock is None or not clock.overdue or self.decision not in (None, clock.decision)


@dataclass(frozen=True, slots=True)
class Reclaim(Press):
    """Take one's own seat back."""

    verb = "reclaim"
    deed = Deed.RECLAIM


@dataclass(frozen=True, slots=True)
class TakeOver(Press):
    """Ask whether one wants to play on for somebody."""

    verb = "take_over"
    deed = Deed.TAKE_OVER
    seat: int

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether the seat is no longer open."""
        return self.seat not in table.open_seats


@dataclass(frozen=True, slots=True)
class TakeOverSure(TakeOver):
    """Play on for somebody."""

    verb = "take_over_sure"
    deed = Deed.TAKE_OVER


# What a person prefers, in all games; these belong to no table.


@dataclass(frozen=True, slots=True)
class _Setting(Press):
    """Set what is chosen in the menu, an index in a list; without a menu, end what is set."""

    deed = Deed.PREFER
    value: int | None = None

    def choosing(self, value: int) -> Self:
        """The press that sets this."""
        return replace(self, value=value)


@dataclass(frozen=True, slots=True)
class SetTheme(_Setting):
    """Choose the look of everything private."""

    verb = "theme"


@dataclass(frozen=True, slots=True)
class SetQuiet(_Setting):
    """Choose quiet hours."""

    verb = "quiet"


@dataclass(frozen=True, slots=True)
class SetAway(_Setting):
    """Be away for some days."""

    verb = "away"


# Ending, and playing again.


def point_of(table: Table) -> Moment:
    """Where the game is, for a question about its end: `START` in the lobby, then one action further than it is.

    Private messages remain for days, and what was meant in the lobby or ten moves ago may not be meant now.
    """
    return START if table.started_at is None else Moment(table.takebacks, table.number + 1)


@dataclass(frozen=True, slots=True)
class _Sure(Press):
    """The answer to a question about the end of the game that was asked at this point (see `point_of`)."""

    point: Moment

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether the game has continued since the question."""
        return table.is_open and point_of(table) != self.point


@dataclass(frozen=True, slots=True)
class CancelSure(_Sure):
    """Cancel the game for everyone."""

    verb = "cancel_sure"
    deed = Deed.CANCEL
    broken = True


@dataclass(frozen=True, slots=True)
class ResignSure(_Sure):
    """Give one's seat up for good."""

    verb = "resign_sure"
    deed = Deed.RESIGN


@dataclass(frozen=True, slots=True)
class GiveUp(_Sure):
    """Concede the game, once the partner agrees."""

    verb = "give_up"
    deed = Deed.GIVE_UP


@dataclass(frozen=True, slots=True)
class BanSure(Press):
    """Ban a member from games; it belongs to no table."""

    verb = "ban_sure"
    deed = Deed.BAN
    user: int


@dataclass(frozen=True, slots=True)
class Rematch(Press):
    """Play again with the same people; `free_seat`: with room for one more."""

    verb = "rematch"
    deed = Deed.REMATCH
    free_seat: bool = False


PRESSES: Mapping[str, type[Press]] = {
    kind.verb: kind
    for kind in (
        *(Join, TakeSeat, Leave, AddComputer, Fill, RemoveComputer, SetLevel, Start, ReadRules, AskCancel, OpenTable),
        *(
            ShowHand,
            ShowHistory,
            ShowReplay,
            ShowText,
            ShowCard,
            ShowReview,
            ShowTopic,
            Go,
            AskWhy,
            Hint,
            PlayNow,
            Undo,
            AnswerProposal,
        ),
        *(Absent, Reclaim, TakeOver, TakeOverSure),
        *(CancelSure, ResignSure, GiveUp, Rematch),
        *(SetTheme, SetQuiet, SetAway, BanSure),
    )
}
"""Everything that can be pressed, by its verb."""


def parse(custom_id: str) -> Press | None:
    """Read a custom id; None if it is not of this generation, or damaged."""
    match = _PRESS.fullmatch(custom_id) if len(custom_id) <= LONGEST else None
    if match is None or match["verb"] not in PRESSES:
        return None
    numbers = match["numbers"].split(".")
    fits = all(int(part) <= MOST for number in numbers for part in number.split("-"))
    return PRESSES[match["verb"]].of_numbers(numbers) if fits else None
