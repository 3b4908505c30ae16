"""Refusals and reasons as friendly sentences: what cannot be done, and why."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from bot.errors import (
    AlreadySeated,
    BadPreference,
    BadTerms,
    BrokenLog,
    Busy,
    ComputerPlays,
    Conflict,
    Crowded,
    LimitError,
    ManyReviews,
    NobodyPlays,
    NoComputerThere,
    NoHints,
    NoSuchSeat,
    NoSuchTable,
    NotAtTable,
    NotHost,
    NotModerator,
    NotOver,
    NudgeError,
    ProposalError,
    QuietTooSoon,
    SeatError,
    SeatsFree,
    SeatTaken,
    StaleBoard,
    TableError,
    TableFull,
    TakebackError,
    TooOften,
    WrongStatus,
)
from bot.languages import Language
from bot.storage import Fault
from bot.table import Status
from bot.texts import trouble
from bot.texts.markup import bold, item, safe, user
from bot.texts.obstacles import obstacle
from bot.texts.words import (
    SUBJECT,
    Names,
    capital,
    card_name,
    colour,
    listing,
    owners_piece,
    place_name,
    rank_name,
    sentences,
    shorten,
    the_card,
)
from engine import Refusal
from engine.errors import (
    DogError,
    GameOver,
    MustPlay,
    NoSuchCard,
    NotationError,
    NotLegal,
    NotYourTurn,
    Reason,
    WrongKind,
)


def not_understood(language: Language) -> str:
    """What to say to a command that is not ours, or not in its present form: Discord's list may be outdated."""
    return language.t("I did not understand that. Type the command again and choose from its list.")


def moved_on(language: Language) -> str:
    """The button belongs to an older board; the newest one is shown below."""
    return language.t("The board has moved on. Here is the newest state.")


def no_move(language: Language) -> str:
    """What was typed is not a move."""
    return language.t("That is not a move. Choose one from the list, or use the buttons of `/dog hand`.")


def no_seat_here(language: Language) -> str:
    """There are games in the channel, or the reader has some elsewhere, but none where they have a seat here."""
    return language.t("You have no seat at a table in this channel. `/dog games` lists your games.")


def no_game_here(language: Language) -> str:
    """There is no game in the channel."""
    return language.t("There is no game in this channel. Open one with `/dog new`.")


def unknown_button(language: Language) -> str:
    """This version of the bot does not know the button."""
    return language.t("This button belongs to another version of the game. Try `/dog board`.")


def game_gone(language: Language) -> str:
    """The button belongs to a game that is gone, or that the reader may not look at."""
    return language.t("That game is gone, or not yours to look at. `/dog games` lists yours.")


def refusal(language: Language, error: Exception, names: Names | None = None, seat: int | None = None) -> str:
    """What to say to the person whose click or command ran into `error`. `seat` is theirs, if there is a game.

    A table's refusal is told with the table's code.
    """
    told = _refusal(language, error, names, seat)
    return f"{bold(error.code)}: {told}" if isinstance(error, TableError) and error.code is not None else told


def _refusal(language: Language, error: Exception, names: Names | None, seat: int | None) -> str:
    t = language.t
    match error:
        case NoSuchTable():
            return t(
                "There is no game {code} here. `/dog games` lists yours.", code=safe(shorten(str(error.which), 32))
            )
        case WrongStatus():
            return _wrong_status(language, error)
        case NotAtTable():
            return t("You have no seat at this table. You can watch, or open your own with `/dog new`.")
        case NotHost() if error.or_moderator:
            return t("Only the host, {host}, or a moderator of its channel can do that.", host=user(error.host_id))
        case NotHost():
            return t("Only the host, {host}, can do that.", host=user(error.host_id))
        case BadTerms():
            allowed = listing(language, (str(value) for value in error.allowed))
            return t("{value} is not possible here. Possible: {allowed}.", value=str(error.value), allowed=allowed)
        case NoSuchSeat():
            return t("There is no such seat at this table.")
        case SeatTaken():
            return t("{user} already sits there. Choose another seat.", user=user(error.user_id))
        case AlreadySeated():
            return t("You already sit at this table ({colour}).", colour=colour(language, error.seat))
        case TableFull():
            return t("Every seat is taken.")
        case NotOver():
            return t("This game is not over: a review now would reveal what is hidden.")
        case NoHints():
            return t("Hints were not agreed on when this table was opened.")
        case NoComputerThere():
            if error.seat is not None:
                return t(
                    "You can choose the level of computer players only, not of a person's seat, even while a computer "
                    "plays there."
                )
            return t("There is no computer player to remove.")
        case SeatsFree():
            free = listing(language, (colour(language, one) for one in error.seats))
            return t("Some seats are still free: {seats}. Add computer players to fill them.", seats=free)
        case ComputerPlays():
            return t("A computer is playing your seat. Take it back with the button under the board.")
        case NotModerator() | NobodyPlays() | LimitError() | BadPreference() | QuietTooSoon():
            return obstacle(language, error)
        case NudgeError() | TakebackError() | ProposalError():
            return obstacle(language, error)
        case SeatError():
            return obstacle(language, error) or t("That cannot be done with this seat.")
        case TooOften(seconds=0):
            return t("One thing at a time, please: I am still working on what you asked for before.")
        case TooOften():
            return language.n(
                "That was a lot at once. Try again in {count} second.",
                "That was a lot at once. Try again in {count} seconds.",
                ceil(error.seconds),
            )
        case Crowded():
            return t("Very many people are playing right now, and I cannot keep up. Please try again in a few seconds.")
        case ManyReviews():
            return t("I am reviewing very many games right now. Please ask for yours in a few minutes: `/dog review`.")
        case Busy():
            return language.t("I am busy with several of these right now. Please try again in a minute.")
        case StaleBoard() | Conflict():
            return moved_on(language)
        case BrokenLog():
            return t("The record of this game is damaged, so it cannot go on. `/dog cancel` with its code ends it.")
        case Fault():
            return trouble.refused(language, error)
        case Refusal():
            return _engine_refusal(language, error, names, seat)
        case NotationError() | DogError():
            return no_move(language)
        case _:
            return t("Something went wrong on our side. Nothing was changed; please try again.")


def _wrong_status(language: Language, error: WrongStatus) -> str:
    match error.status:
        case Status.LOBBY:
            return language.t("This game has not started yet.")
        case Status.PAUSED if Status.LOBBY not in error.needed:
            return language.t("This game is paused.")
        case Status.OVER:
            return _over(language)
        case Status.CANCELLED:
            return language.t("This game was cancelled. Start another with `/dog new`.")
        case _:
            return language.t("This game has already started.")


def _engine_refusal(language: Language, error: Refusal, names: Names | None, seat: int | None) -> str:
    t = language.t
    match error:
        case GameOver():
            return _over(language)
        case NotYourTurn():
            if names is None or not error.to_act:
                return t("It is not your turn.")
            waiting = listing(language, (names.marked(one) for one in error.to_act))
            return t("It is not your turn: {names} to play.", names=waiting)
        case WrongKind():
            return t("That is not what the game is asking you to do now.")
        case NoSuchCard():
            return not_in_hand(language, error.card)
        case MustPlay():
            cards = listing(language, (card_name(language, card) for card in error.cards))
            return t("You can still play, so you must. Playable: {cards}.", cards=cards)
        case NotLegal():
            if names is None or seat is None or not error.reasons:
                return _not_allowed(language)
            why = sentences(*(reason(language, names, seat, one) for one in error.reasons))
            return t("The rules do not allow this move. {why}", why=why)
        case _:
            return _not_allowed(language)


def _over(language: Language) -> str:
    return language.t("This game is over. Start another with `/dog new`.")


def _not_allowed(language: Language) -> str:
    return language.t("The rules do not allow this move.")


def not_in_hand(language: Language, card: str) -> str:
    """The card is not one of the reader's."""
    return language.t("You do not have {card} in your hand.", card=the_card(language, card))


def reasons(language: Language, names: Names, seat: int, card: str, why: Iterable[Reason]) -> str:
    """Why a card cannot be played, with all reasons, one line each."""
    told = list(dict.fromkeys(reason(language, names, seat, one) for one in why))
    head = language.t("{card} cannot be played now:", card=capital(the_card(language, card, SUBJECT)))
    return "\n".join([head, *(item(line) for line in told if line)])


def reason(language: Language, names: Names, seat: int | None, why: Reason) -> str:
    """One reason in words, for the person on `seat` or for everybody (None); see `engine.why` for codes and data."""
    t = language.t
    data = why.data
    side = data.get("side", seat)
    place = place_name(language, str(data.get("place", "")) or "-")
    on = place_name(language, str(data.get("on", "")) or "-")
    by = names.said(int(data["by"])) if "by" in data else ""
    piece = (
        language.p("subject", "Your piece on {place}", place=place)
        if side is None or side == seat
        else language.p(
            "subject",
            "{piece} on {place}",
            piece=owners_piece(language, names.said(int(side)), case=SUBJECT),
            place=place,
        )
    )
    rank = str(data["rank"]) if "rank" in data else None
    other = owners_piece(language, by, rank)
    match why.code:
        case "in_kennel":
            return t("No piece is on its way: all are waiting in the kennel or are home.")
        case "blocked":
            return t("{piece} is blocked by {by} on {on}.", piece=piece, by=by, on=on)
        case "protected":
            return t("{piece} would land on {by}'s protected piece on {on}.", piece=piece, by=by, on=on)
        case "lane_occupied":
            return t("{piece} cannot pass or land on {on}: it is taken.", piece=piece, on=on)
        case "lane_overrun":
            return language.n(
                "{piece} does not have {count} space left in the lane.",
                "{piece} does not have {count} spaces left in the lane.",
                int(data.get("steps", 0)),
                piece=piece,
            )
        case "rank_higher":
            return t("{piece} cannot pass {other} on {on}.", piece=piece, other=other, on=on)
        case "royal":
            return t("{piece} cannot take {other} on {on}.", piece=piece, other=other, on=on)
        case "too_long":
            return t(
                "{piece} ({rank}) never moves {steps} spaces.",
                piece=piece,
                rank=rank_name(language, rank or ""),
                steps=data.get("steps", ""),
            )
        case "not_back":
            return t("{piece} cannot walk backwards.", piece=piece)
        case "kennel_empty":
            return t("There is no piece left in the kennel.")
        case "start_taken":
            return t("The start {on} is taken by a piece of the same colour.", on=on)
        case "not_in_full":
            return t("The {points} points cannot all be used.", points=data.get("points", ""))
        case "no_own_swap":
            return t("None of your pieces can be swapped.")
        case "nothing_to_swap":
            return t("There is no other piece to swap with.")
        case "nobody_ahead":
            return t("{piece} has no piece ahead to move up to.", piece=piece)
        case "nothing_to_copy":
            return t("No card has been played in this round yet.")
        case "nothing_fits":
            return t("No card that it could stand for can be played.")
        case _:
            return ""
