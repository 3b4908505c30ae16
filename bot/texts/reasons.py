"""Why a card cannot be played, in the private dialogue and beside a hand that is laid down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.languages import Language, mark_n
from bot.languages import mark as _
from bot.table import Automatic, Logged, Table
from bot.texts.markup import item, small
from bot.texts.moves import tell_event
from bot.texts.names import (
    SUBJECT,
    Names,
    capital,
    card_name,
    owners_piece,
    place_name,
    rank_name,
    sentences,
    the_card,
)
from engine import ActionKind, Entry, EventKind, Reason

_REASONS: Mapping[str, str | tuple[str, str]] = {
    "in_kennel": _("No piece is on its way: all are in the kennel or in the lane."),
    "blocked": _("{piece} is blocked by {by} on {on}."),
    "protected": _("{piece} would land on {by}'s protected piece on {on}."),
    "lane_occupied": _("{piece} cannot pass or land on {on}: another piece stands there."),
    "lane_overrun": mark_n(
        "{piece} does not have {count} space left in the lane.",
        "{piece} does not have {count} spaces left in the lane.",
    ),
    "rank_higher": _("{piece} cannot pass {other} on {on}."),
    "royal": _("{piece} cannot take {other} on {on}."),
    "too_long": _("{piece} ({rank}) never moves {steps} spaces."),
    "not_back": _("{piece} cannot walk backwards."),
    "kennel_empty": _("There is no piece left in the kennel."),
    "start_taken": _("A piece of the same colour stands on the start {on}."),
    "not_in_full": _("The {points} points cannot all be used."),
    "no_own_swap": _("None of your pieces can be swapped."),
    "nothing_to_swap": _("There is no other piece to swap with."),
    "nobody_ahead": _("{piece} has no piece ahead to move up to."),
    "nothing_to_copy": _("No card has been played in this round yet."),
    "nothing_fits": _("No card that it could stand for can be played."),
    "no_lap": _("{piece} may not go past its lane."),
    "own_passed": _("{piece} cannot pass another one of its colour on {on}."),
    "own_swept": _("{piece} takes none of its own colour, and one stands on {on}."),
    "pair_passed": _("{piece} cannot pass the two pieces on {on} and next to it."),
    "team_safe": _("{piece} would take {by}'s piece on {on}, which is safe from its own team."),
    "nobody_to_push": _("No other player has a piece on the track."),
    "not_moved": _("{piece} is protected on its start and is not moved by others."),
    "nobody_to_rob": _("No opponent holds a card."),
}
"""By the codes of `engine.rules.why`: `piece` cannot move, `by` or `other` on the place `on` is in its way."""

_OF_OTHERS: Mapping[str, str] = {"no_own_swap": _("None of that player's pieces can be swapped.")}
"""The same where everybody reads it."""

MOST = 3
"""The most reasons told for one fold; more would only repeat that nothing fits."""


def why_not(language: Language, names: Names, seat: int, card: str, why: Iterable[Reason]) -> str:
    """Why a card cannot be played, with all reasons, one line each."""
    head = capital(language.t("{card} cannot be played now:", card=the_card(language, card, SUBJECT)))
    return "\n".join([head, *map(item, in_words(language, names, seat, why))])


def in_words(language: Language, names: Names, seat: int | None, why: Iterable[Reason]) -> list[str]:
    """Different reasons in a sentence each, for the person on `seat` or for everybody (None)."""
    return list(dict.fromkeys(_reason(language, names, seat, one) for one in why))


def _reason(language: Language, names: Names, seat: int | None, why: Reason) -> str:
    data, rank = why.data, str(why.data.get("rank", ""))
    side, place = data.get("side", seat), place_name(language, str(data.get("place", "-")))
    if side is None or side == seat:
        piece = language.p("subject", "Your piece on {place}", place=place)
    else:
        owned = owners_piece(language, names.safe(int(side)), case=SUBJECT)
        piece = language.p("subject", "{piece} on {place}", piece=owned, place=place)
    by = names.safe(int(data["by"])) if "by" in data else ""
    told = language.tn(
        _OF_OTHERS.get(why.code, _REASONS[why.code]) if seat is None else _REASONS[why.code],
        int(data.get("steps", 0)),
        piece=piece,
        on=place_name(language, str(data.get("on", "-"))),
        by=by,
        other=owners_piece(language, by, rank),
        rank=rank_name(language, rank) if rank else "",
        steps=data.get("steps", ""),
        points=data.get("points", ""),
    )
    return capital(told, by, *(() if side is None else (names.safe(int(side)),)))


def happened(
    language: Language,
    names: Names,
    seat: int,
    entries: Iterable[Entry],
    log: Sequence[Logged],
    why: Callable[[int], Iterable[Reason]],
) -> list[str]:
    """What has happened to a hand without the person on this seat: folded, with the reasons, or played by a computer.

    `log`: who took which action; `why`: the reasons of a fold, by the entry's number.
    """
    told: list[str] = []
    for entry in (one for one in entries if one.seat == seat):
        actor = log[entry.number - 1].actor if entry.number <= len(log) else Automatic.RULE
        for event in entry.events:
            if event.kind is EventKind.FOLDED:
                cards = language.listed(card_name(language, card) for card in event.cards)
                reasons = in_words(language, names, seat, why(entry.number))[:MOST]
                folded = language.t("You could play none of your cards and laid them down: {cards}.", cards=cards)
                told.append(sentences(folded, *reasons))
            elif actor in (Automatic.COMPUTER, Automatic.CLOCK) and (line := tell_event(language, names, event)):
                told.append(language.t("🤖 In your place: {what}", what=line))
    return told[-MOST:]


def reasons_of_folds(
    language: Language, table: Table, entries: Iterable[Entry], why: Callable[[int], Iterable[Reason]]
) -> Mapping[int, str]:
    """A small line for each person's fold among the entries, by entry number.

    The reasons are those that held just before the fold, for the cards that it laid open; `why` finds them by the
    entry's number.
    """
    lines: dict[int, str] = {}
    for entry in entries:
        who = None if entry.seat is None else table.occupants.get(entry.seat)
        if entry.kind is not ActionKind.FOLD or entry.seat is None or who is None or who.user_id is None:
            continue
        names = Names.of(table, language)
        if told := in_words(language, names, None, why(entry.number))[:MOST]:
            lines[entry.number] = small(sentences(*told))
    return lines
