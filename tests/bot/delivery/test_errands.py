"""What a table wants to say, and what is to be done for that: decided without Discord, and without time passing."""

from dataclasses import replace

import pytest

from bot.calls import call_again, find_to_call
from bot.delivery import notices
from bot.delivery.errands import Amend, Remove, Say, ShowBoard, find_doubtful, find_errands, find_replaced, past_boards
from bot.message import NONCE_LIFE, About, Message
from bot.moment import Moment
from bot.occupants import StandInReason
from bot.preferences import Preferences
from bot.proposal import Proposal, ProposalKind
from bot.table import Lost, SeatClock, Stage, Status, Table
from bot.tables import seating
from engine import Game
from tests.bot.shown import table_of

AT = 1_000
"""When everything was said."""


def message(table: Table, about: About, nonce: str = "n", **fields: object) -> Message:
    """A message of this table, in its channel."""
    usual = Message(nonce, about, table.channel_id, 50, AT, "", {}, table.version, table.moment)
    return replace(usual, **fields)  # type: ignore[arg-type]


def clock(decision: Moment, stage: Stage = Stage.HALF) -> SeatClock:
    """A clock that runs out at 9,000."""
    return SeatClock(decision, 100, stage, 0, 0, 9_000, 9_000, 9_000)


@pytest.fixture
def table() -> Table:
    """A game that has just begun: everybody gives a card, and the board shows that."""
    found = table_of(Game.new("classic", 4, bytes(32)))
    return replace(found, messages=(message(found, About.BOARD, "board"),))


def test_current_board_needs_nothing(table: Table) -> None:
    assert find_errands(table) == ()
    assert find_doubtful(table, AT) == ()
    assert past_boards(table) == ()


@pytest.mark.parametrize(
    "change",
    [{"version": 7}, {"channel_id": 77}, {"lost": Lost.PERMISSIONS, "status": Status.OVER}, {"messages": ()}],
    ids=["changed", "moved", "its place was lost", "never shown"],
)
def test_any_other_board_is_brought_up_to_date(table: Table, change: dict[str, object]) -> None:
    assert find_errands(replace(table, **change)) == (ShowBoard(),)  # type: ignore[arg-type]


def test_the_board_comes_last(table: Table) -> None:
    clocks = {1: clock(Moment(0, 0), Stage.AUTO)}
    assert find_errands(replace(table, version=7, clocks=clocks)) == (
        Say(About.UP, {1: "9000"}, frozenset()),
        ShowBoard(),
    )


def test_followed_boards_lose_their_buttons(table: Table) -> None:
    old, new = message(table, About.BOARD, "old", version=-3), message(table, About.BOARD, "new", version=9)
    other = message(table, About.BOARD, "doubtful", version=10, message_id=None)
    assert past_boards(replace(table, messages=(old, new, other))) == (old,)


def test_possibly_sent_is_looked_up_unless_sent_again(table: Table) -> None:
    lost = [
        message(table, About.BOARD, "older", version=table.version - 1, message_id=None),
        message(table, About.REMINDER, "notice", message_id=None),
    ]
    again = [
        message(table, About.BOARD, "newest", message_id=None),
        message(table, About.LETTER, "letter", message_id=None),
    ]
    told = message(table, About.LOST, "by letter", message_id=0)
    table = replace(table, messages=(*lost, *again, told))
    assert list(find_doubtful(table, AT)) == lost
    assert list(find_doubtful(table, AT + NONCE_LIFE + 1)) == [*lost, again[0]], "Discord no longer knows its nonce"


def test_reminder_goes_with_its_decision_or_deadline(table: Table) -> None:
    now = clock(Moment(0, 0))
    said = message(table, About.REMINDER, marks={1: "0"})
    table = replace(table, messages=(*table.messages, said), clocks={1: now})
    assert find_errands(table) == ()
    assert find_errands(replace(table, clocks={1: clock(Moment(0, 4))})) == (Remove(said),)
    assert find_errands(replace(table, clocks={})) == (Remove(said),)
    assert find_errands(replace(table, status=Status.PAUSED)) == (Remove(said),)
    up = find_errands(replace(table, clocks={1: replace(now, stage=Stage.AUTO)}))
    assert up == (Remove(said), Say(About.UP, {1: "9000"}, frozenset()))


def test_notice_is_amended_while_it_concerns_a_person(table: Table) -> None:
    said = message(table, About.REMINDER, marks={1: "0", 2: "0"})
    table = replace(table, messages=(*table.messages, said), clocks={2: clock(Moment(0, 0))})
    assert find_errands(table) == (Amend(said, {2: "0"}),)


def test_lost_place_is_told_once_and_left_alone(table: Table) -> None:
    table = replace(table, lost=Lost.GONE, clocks={1: clock(Moment(0, 0), Stage.AUTO)})
    assert find_errands(table) == (Say(About.LOST, {0: ""}, frozenset()), ShowBoard()), (
        "the board proves whether it is usable"
    )
    said = message(table, About.LOST, marks={0: ""}, to_id=12)
    told = replace(table, messages=(*table.messages, said))
    assert find_errands(told) == (ShowBoard(),), "wherever it was told"
    assert find_errands(replace(told, lost=None, clocks={})) == (Remove(said),)


def test_owner_is_told_of_a_seat_lost_here(table: Table) -> None:
    gone = {**table.occupants, 2: replace(table.occupants[2], computer="normal", why=StandInReason.ABSENT)}
    table = replace(table, occupants=gone)
    assert find_errands(table) == (Say(About.HANDED, {2: "102"}, frozenset()),)
    said = message(table, About.HANDED, marks={2: "102"})
    table = replace(table, messages=(*table.messages, said))
    assert find_errands(table) == ()
    moved = find_errands(replace(table, channel_id=77))
    assert moved == (Remove(said), Say(About.HANDED, {2: "102"}, frozenset({2})), ShowBoard())
    left = {**gone, 2: replace(gone[2], why=StandInReason.LEFT_GUILD)}
    assert find_errands(replace(table, occupants=left)) == (Remove(said),)


def test_one_message_tells_of_all_lost_seats(table: Table) -> None:
    lost = seating.stand_in(table.occupants, 2, StandInReason.ABSENT)
    said = message(table, About.HANDED, marks={2: "102"})
    table = replace(table, occupants=seating.stand_in(lost, 1, StandInReason.ABSENT), messages=(*table.messages, said))
    (say,) = find_errands(table)
    assert say == Say(About.HANDED, {1: "101", 2: "102"}, frozenset({2}))
    prefers = {user: Preferences(user) for user in (101, 102)}
    notice = notices.state(table, About.HANDED, say.marks, prefers, say.aware)
    assert notice is not None
    assert (notice.ping, dict(notice.marks)) == ((101,), {1: "101", 2: "102"})
    anew = message(table, About.HANDED, "anew", marks=notice.marks, text=notice.text)
    back = replace(table, occupants=lost, messages=(*table.messages, anew))
    assert find_replaced(back, anew) == (said,)
    amended = notices.amend(back, anew, {2: "102"})
    assert "a computer is playing for you" in amended.text
    assert "<@101>" not in amended.text


def test_reader_told_in_dms_is_noted_until_it_is_over(table: Table) -> None:
    asked = Proposal(ProposalKind.PAUSE, 0, 100, 0, AT, (101, 102))
    told = message(table, About.TOLD, "told", message_id=0, text="pause", marks={0: str(AT)}, to_id=101)
    table = replace(table, messages=(*table.messages, told), proposals={ProposalKind.PAUSE: asked})
    assert find_errands(table) == (Say(About.PAUSE, {0: str(AT)}, frozenset()),)
    assert find_errands(replace(table, proposals={})) == (Remove(told),)


def test_each_proposal_is_a_question_of_its_own(table: Table) -> None:
    asked = {
        kind: Proposal(kind, seat, 100 + seat, 0, AT, (100, 102))
        for seat, kind in enumerate((ProposalKind.TAKEBACK, ProposalKind.RESIGN))
    }
    table = replace(table, proposals=asked)
    said = message(table, About.TAKEBACK, marks={0: str(AT)})
    assert find_errands(replace(table, messages=(*table.messages, said))) == (
        Say(About.RESIGN, {1: str(AT)}, frozenset()),
    )
    assert find_errands(replace(table, proposals={}, messages=(*table.messages, said))) == (Remove(said),)


def test_notice_replaces_earlier_ones_about_its_seats(table: Table) -> None:
    said = [
        message(table, About.REMINDER, "one", marks={1: "0"}),
        message(table, About.REMINDER, "both", marks={1: "0", 2: "0"}),
        message(table, About.UP, "another", marks={1: "9000"}),
    ]
    table = replace(table, messages=(*table.messages, *said))
    assert list(find_replaced(table, message(table, About.REMINDER, "now", marks={1: "0"}))) == said[:1]


def test_pending_call_stays_pending(table: Table) -> None:
    called = {seat: str(decision) for seat, decision in table.decisions(table.seats).items()}
    table = replace(table, messages=(message(table, About.BOARD, marks=called),))
    assert find_to_call(table) == {}
    assert find_to_call(replace(table, messages=call_again(table.messages, [2]))) == {2: 102}
