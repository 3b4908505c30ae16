"""Why a card cannot be played, in the private dialogue and beside a hand that is laid down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bot.languages import Language
from bot.table import Table
from bot.texts.markup import item, small
from bot.texts.names import (
    SUBJECT,
    Names,
    capital,
    owners_piece,
    place_name,
    rank_name,
    sentences,
    the_card,
)
from engine import ActionKind, Entry, Reason


def why_not(language: Language, names: Names, seat: int, card: str, why: Iterable[Reason]) -> str:
    """Why a card cannot be played, with all reasons, one line each."""
    told = list(dict.fromkeys(reason(language, names, seat, one) for one in why))
    head = language.t("{card} cannot be played now:", card=capital(the_card(language, card, SUBJECT)))
    return "\n".join([head, *(item(line) for line in told if line)])


def reason(language: Language, names: Names, seat: int | None, why: Reason) -> str:
    """One reason in words, for the person on `seat` or for everybody (None); codes and data: `engine.rules.why`."""
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


MOST = 3


"""The most reasons told for one fold; more would only repeat that nothing fits."""


def reasons_of_folds(
    language: Language, table: Table, entries: Iterable[Entry], why: Callable[[int], Iterable[Reason]]
) -> Mapping[int, str]:
    """A small line for each person's fold among the entries, by entry number.

    The reasons are those that held just before the fold, for the cards that it laid open; `why` finds them by the
    entry's number.
    """
    lines: dict[int, str] = {}
    for entry in entries:
        who = None if entry.seat is None else table.people.get(entry.seat)
        if entry.kind is not ActionKind.FOLD or entry.seat is None or who is None or who.user_id is None:
            continue
        names = Names.of(table, language)
        found = (reason(language, names, None, one) for one in why(entry.number))
        told = list(dict.fromkeys(line for line in found if line))[:MOST]
        if told:
            lines[entry.number] = small(sentences(*told))
    return lines
