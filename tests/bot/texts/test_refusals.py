"""Errors as people read them: each has a sentence of its own, with its gaps filled in every language."""

from collections.abc import Iterator

import pytest

from bot.errors import (
    OUR_FAULT,
    AlreadyNudged,
    AlreadySeated,
    AskAgain,
    AwayTooLong,
    BadPreference,
    BadTerms,
    Banned,
    BotError,
    BrokenLog,
    Busy,
    ChannelNotAllowed,
    Conflict,
    CupProblem,
    Declined,
    FeatureOff,
    HasTime,
    Load,
    MayNotOpen,
    MayNotPlay,
    Moderators,
    MovedOn,
    NoSuchMove,
    NoSuchTable,
    NoSummerTime,
    NotAtTable,
    NotHost,
    NotInCup,
    NotModerator,
    NotPossible,
    OtherTerms,
    Problem,
    QuietTooSoon,
    Resting,
    SeatsFree,
    SeatTaken,
    SitsHere,
    StartsByItself,
    StorageError,
    TableError,
    TooManyHere,
    TooManyOfYours,
    TooManySeated,
    TooOften,
    TurnOver,
    WrongStatus,
)
from bot.languages import Language, available, language_for
from bot.rights import Relation
from bot.storage.faults import Fault, FaultKind
from bot.table import Feature, Status
from bot.texts.refusals import refusal

ENGLISH = Language("en")
ERRORS: tuple[BotError, ...] = (
    *map(NotPossible, Problem),
    *map(NotInCup, CupProblem),
    *map(NotModerator, Moderators),
    *map(Busy, Load),
    *(Fault(kind, "dog.db") for kind in FaultKind),
    *(WrongStatus(status, ()) for status in Status),
    *(BadPreference(field, None) for field in ("time_zone", "quiet_from", "house", "houses", "away_until", "notify")),
    *(TooOften(seconds) for seconds in (0, 0.5, 30)),
    *map(FeatureOff, Feature),
    MayNotPlay((5,)),
    *(MayNotOpen(who, roles) for who, roles in (("moderators", ()), ("roles", ()), ("roles", (5, 6)))),
    *(NotHost(7, *rest) for rest in ((), (True,), (False, 3_600))),
    NotAtTable(7),
    NotAtTable(7, or_moderator=True),
    NoSuchMove(311),
    NoSuchTable("FOX-7"),
    MovedOn(None),
    TurnOver().at("FOX-7"),
    AskAgain("dog table cancel").at("FOX-7"),
    BrokenLog(1),
    Conflict(1),
    SeatTaken(1, 7),
    AlreadySeated(2),
    SitsHere(7),
    TooManySeated(2, 3),
    SeatsFree((0, 3)),
    StartsByItself(7),
    OtherTerms(3_600),
    Resting(7, 3_600),
    HasTime(7, 3_600),
    AlreadyNudged(7),
    Declined(3_600),
    BadTerms("players", 9, (2, 4)),
    AwayTooLong(1),
    NoSummerTime("EST", "New York"),
    QuietTooSoon(3_600),
    Banned("noise"),
    ChannelNotAllowed((5, 6)),
    *(kind(count, *rest) for kind, rest in ((TooManyHere, (9,)), (TooManyOfYours, ())) for count in (1, 3)),
)


def kinds_of(kind: type) -> Iterator[type]:
    """Return the classes below one."""
    for below in kind.__subclasses__():
        yield below
        yield from kinds_of(below)


@pytest.mark.parametrize("code", available())
def test_every_error_fills_its_sentence(code: str) -> None:
    language = language_for(code)
    for error in ERRORS:
        told = refusal(language, error)
        assert told not in ("", language.t(OUR_FAULT)), error
        assert "{" not in told, error


def test_no_table_error_is_left_out() -> None:
    assert set(kinds_of(TableError)) <= set(map(type, ERRORS))


def test_an_error_for_operators_says_nothing_of_itself() -> None:
    assert refusal(ENGLISH, StorageError("/home/dog.db")) == OUR_FAULT


def test_a_refusal_names_its_table() -> None:
    assert refusal(ENGLISH, NotPossible(Problem.NO_TALK).at("FOX-7")).startswith("**FOX-7**: ")
    assert "FOX-7" not in refusal(ENGLISH, Banned("noise").at("FOX-7"))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Resting(7, 3_600), "<@7> is taking a break until <t:3600:t>."),
        (HasTime(7, 60), "<@7> still has time. You can nudge them from <t:60:f>."),
        (HasTime(7, 61), "<@7> still has time. You can nudge them from <t:120:f>."),
        (OtherTerms(61), "The host changed the game: look it over. It can start from <t:61:T>."),
        (NotHost(7, anyone_at=60), "Only <@7>, the host, can start the game for now. From <t:60:f>, any player can."),
        (StartsByItself(7), "The game starts automatically. Only <@7> can start it sooner."),
        (SeatsFree((0, 1)), "Seats still free: blue and amber. Wait for players, or add computers."),
        (BadTerms("players", 9, (2, 4)), "9 isn't possible here. Choose 2 or 4."),
        (
            TooManyHere(2, 9),
            "<#9> and its threads can have 2 open games. Wait until one ends.",
        ),
        (TooOften(0.2), "Too fast! Try again in 1 second."),
        (NoSuchTable("F*X*"), "There's no game F\\*X\\* here. See yours: `/dog games`."),
        (
            Banned("noise"),
            "You're banned from games on this server. Reason: “noise”",
        ),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, BotError) else "",
)
def test_gaps_are_filled_as_people_read_them(error: BotError, told: str) -> None:
    assert refusal(ENGLISH, error) == told


def test_who_changes_a_paused_game_hears_that_it_has_begun() -> None:
    began = WrongStatus(Status.PLAYING, (Status.LOBBY,))
    assert WrongStatus(Status.PAUSED, (Status.LOBBY,)).sentence == began.sentence


def test_moderators_are_named_like_relations() -> None:
    assert {kind.name for kind in Moderators} <= set(Relation.__members__)


def test_logs_name_the_problem() -> None:
    assert NotPossible(Problem.NO_TALK).label == "NotPossible(NO_TALK)"
    assert NotHost(7).label == "NotHost"
