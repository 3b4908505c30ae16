"""Moves in words: one sentence per event, and single steps for menus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from bot.languages import Language
from bot.languages import mark as _
from bot.texts.names import (
    SUBJECT,
    Names,
    capital,
    card_as,
    card_name,
    owners_piece,
    place_name,
    printed,
    rank_name,
    the_card,
    the_rank,
)
from engine import Entry, Event, EventKind, Step, StepKind

NO_EFFECT = _("no effect")
"""The words for a card that moves no piece."""

FROM_TO = _("{origin} → {target}", context="move")
OUT = _("out to {target}", context="move")
SWAPPED = _("{origin} ⇄ {owner} {place}", context="move")
TAKES = _("{move} ⚔ {name}", context="move")
"""Ways in signs: of a piece, of one that comes out, of a swap, and of a move that sends back pieces of a player."""

_ON = _("{piece} on {place}", context="object")


def tell(
    language: Language,
    names: Names,
    entries: Iterable[Entry],
    *,
    leave_out: Collection[EventKind] = (),
) -> list[str]:
    """Return one sentence for each public event worth telling, oldest first; `leave_out`: the kinds told elsewhere."""
    told: list[str] = []
    for entry in entries:
        helps = any(event.kind is EventKind.ANSWERED_GAVE for event in entry.events)
        for event in entry.events:
            if event.kind in leave_out or (helps and event.kind is EventKind.EXCHANGED):
                # Giving a card in return for the partner's is an exchange: one sentence tells both.
                continue
            if sentence := tell_event(language, names, event, _partners(entry, event)):
                told.append(sentence)
    return told


def _partners(entry: Entry, event: Event) -> tuple[int, ...]:
    """Return the partners with whom this event's seat exchanged cards in the same entry."""
    seats = (seat for other in entry.events if other.kind is EventKind.EXCHANGED for seat in other.seats)
    return tuple(seat for seat in seats if seat != event.seat)


def tell_event(language: Language, names: Names, event: Event, partners: Sequence[int] = ()) -> str:
    """Return the sentence for an event, or an empty text. `partners`: with whom cards were exchanged."""
    t, who = language.t, "" if event.seat is None else names.marked(event.seat)
    match event.kind:
        case EventKind.DEALT if not event.count:
            return t("Round {round}, from a position of another game.", round=event.round)
        case EventKind.DEALT:
            return language.n(
                "Round {round}: {count} card for everyone.",
                "Round {round}: {count} cards for everyone.",
                event.count,
                round=event.round,
            )
        case EventKind.EXCHANGED:
            return t("{names} exchanged cards.", names=names.listed(language, event.seats))
        case EventKind.ASKED:
            return t("{name} asks for help.", name=who)
        case EventKind.ANSWERED_GAVE:
            helped = names.listed(language, partners)
            return t("{name} helps {partner}: they exchange a card.", name=who, partner=helped)
        case EventKind.DECLINED:
            return t("{name} declines.", name=who)
        case EventKind.PLAYED:
            return f"{who} · {_tell_played(language, names, event)}"
        case EventKind.FOLDED:
            cards = " ".join(printed(language, card) for card in event.cards)
            return t("{name} folds: {cards}.", name=who, cards=cards)
        case EventKind.LOST:
            return t("{name} loses {card}.", name=who, card=the_card(language, event.card or ""))
        case EventKind.DISCARDED:
            return t("{name} discards {card}.", name=who, card=the_card(language, event.card or ""))
        case EventKind.DREW:
            return language.n("{name} draws a card.", "{name} draws {count} cards.", event.count, name=who)
        case EventKind.PLACED:
            rank = next((step.rank for step in event.steps if step.rank), "")
            return t("{name} places {rank} on the start.", name=who, rank=the_rank(language, rank))
        case EventKind.STAYED:
            return t("{name}'s citizen stays where it is.", name=who)
        case EventKind.SHUFFLED:
            return t("The discards are shuffled into a new pile.")
        case EventKind.JUMPED:
            moves = tell_steps(language, names, event.steps, event.seat)
            return t("{name}'s citizen jumps ahead: {moves}.", name=who, moves=moves)
        case EventKind.WON if len(event.seats) == 1:
            return t("{name} has won!", name=names.marked(event.seats[0]))
        case EventKind.WON:
            return t("{names} have won!", names=names.listed(language, event.seats))
        case _:
            return ""


def _tell_played(language: Language, names: Names, event: Event) -> str:
    """Return the card of an event, and what it did."""
    card = capital(card_as(language, card_name(language, event.card or ""), event.named))
    moves = tell_steps(language, names, event.steps, event.seat)
    if not event.steps and event.seats:
        moves = loses_card(language, names.listed(language, event.seats))
    elif not event.steps:
        moves = language.t(NO_EFFECT)
    return card_and_moves(language, card, moves)


def tell_own(language: Language, names: Names, entry: Entry) -> str:
    """Tell an entry to the player whose it is, who need not be named: "5: 12 → 17"."""
    told = (
        _tell_played(language, names, event)
        if event.kind is EventKind.PLAYED
        else tell_event(language, names, event, _partners(entry, event))
        for event in entry.events
        if event.kind not in (EventKind.DEALT, EventKind.SHUFFLED, EventKind.WON)
    )
    return " ".join(filter(None, told))


def card_and_moves(language: Language, card: str, moves: str) -> str:
    """Return a card and what it does, in one line: "5: 12 → 17"."""
    return language.p("move", "{card}: {moves}", card=card, moves=moves)


def loses_card(language: Language, name: str) -> str:
    """Return that another player's card costs this player one."""
    return language.p("move", "{name} loses a card", name=name)


def tell_steps(
    language: Language, names: Names, steps: Iterable[Step], seat: int | None, team: Sequence[int] = ()
) -> str:
    """Return the ways of all pieces that an action moves; `seat` played the card. See `tell_step` about `team`."""
    return ", ".join(tell_step(language, names, step, seat, team) for step in steps)


def tell_step(language: Language, names: Names, step: Step, seat: int | None, team: Sequence[int] = ()) -> str:
    """Return a piece's way, such as "28 → 34 ⚔ Çelik".

    `team`: those who play with the reader on `seat`, that seat included, if the reader is to be warned of what they
    lose: "28 → 34 (sends back ⚔ Çelik's piece on 34)".
    """
    owner = None if seat is None or step.side == seat else names.safe(step.side)
    if step.kind in (StepKind.OUT, StepKind.PLACE):
        told = _tell_out(language, step, owner)
    elif step.kind is StepKind.SWAP and step.other is not None:
        told = _tell_swap(language, names, step, step.other)
    else:
        piece = rank_name(language, step.rank) if step.rank else ""
        if owner is not None:
            piece = owners_piece(language, owner, step.rank, SUBJECT)
        told = tell_way(language, step, piece)
    if not step.sent_home:
        return told
    if not team:
        taken = (_owner_of_taken(language, names, step, *spot) for spot in step.sent_home)
        return language.p(*TAKES, move=told, name=language.listed(taken))
    pieces = language.listed(_taken(language, names, *spot, seat, team) for spot in step.sent_home)
    return language.p("move", "{move} (sends back {pieces})", move=told, pieces=pieces)


def _owner_of_taken(language: Language, names: Names, step: Step, side: int, place: str) -> str:
    """Return the owner of a piece that is sent back; where it stood, if that is not where the step ends."""
    owner = names.safe(side)
    on = place_name(language, place)
    return owner if place == step.target else language.p(*_ON, piece=owner, place=on)


def _taken(language: Language, names: Names, side: int, place: str, seat: int | None, team: Sequence[int]) -> str:
    """Name a piece that the reader's own action sends back, by its owner and place."""
    p, on = language.p, place_name(language, place)
    if side == seat and team:
        return p("object", "⚠ **your own piece on {place}**", place=on)
    if side in team and len(team) > 2:
        return p("object", "⚠ **your partner's piece on {place}** ({name})", place=on, name=names.safe(side))
    if side in team:
        return p("object", "⚠ **your partner's piece on {place}**", place=on)
    piece = owners_piece(language, names.safe(side))
    return f"⚔ {p(*_ON, piece=piece, place=on)}"


_WAYS = {
    StepKind.FORWARD: (FROM_TO, _("{piece} {origin} → {target}", context="move")),
    StepKind.BACKWARD: (
        _("backwards {origin} → {target}", context="move"),
        _("{piece} backwards {origin} → {target}", context="move"),
    ),
}
"""The ways of a piece by kind of step; with the piece if that matters."""


def tell_way(language: Language, step: Step, piece: str = "") -> str:
    """Return the way of a piece, such as "28 → 34" or "backwards 28 → 24"."""
    way = _WAYS.get(step.kind, _WAYS[StepKind.FORWARD])[bool(piece)]
    origin, target = place_name(language, step.origin), place_name(language, step.target)
    told = language.p(*way, piece=piece, origin=origin, target=target)
    within = any(is_on_path(place) for place in step.path[1:-1])
    ends = is_on_path(step.origin) or is_on_path(step.target)
    return language.p("move", "{way} via the shortcut", way=told) if within and not ends else told


def is_on_path(place: str) -> bool:
    """Return True if a place is on a short cut."""
    return place[:1].isalpha() and place[1:].isdigit()


def _tell_out(language: Language, step: Step, owner: str | None) -> str:
    if owner is not None:
        piece = owners_piece(language, owner, step.rank, SUBJECT)
    elif step.rank is None:
        return language.p(*OUT, target=place_name(language, step.target))
    else:
        piece = the_rank(language, step.rank, SUBJECT)
    return language.p("move", "{piece} comes out to {target}", piece=piece, target=place_name(language, step.target))


def _tell_swap(language: Language, names: Names, step: Step, with_: tuple[int, str]) -> str:
    side, place = with_
    filled = {"origin": place_name(language, step.origin), "place": place_name(language, place)}
    if step.rank is None:
        return language.p(*SWAPPED, owner=names.safe(side), **filled)
    filled["other"] = owners_piece(language, names.safe(side), step.other_rank, SUBJECT)
    piece = rank_name(language, step.rank)
    return language.p("move", "{piece} {origin} ⇄ {other} on {place}", piece=piece, **filled)
