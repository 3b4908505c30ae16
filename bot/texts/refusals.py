"""Refusals as friendly sentences: those that errors hold are filled in, what the rules refuse is worded here.

Why a card cannot be played is told in the private dialogue, and beside a hand that is laid down.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from bot.errors import OUR_FAULT, OVER, Banned, BotError, TableError
from bot.languages import Language
from bot.languages import mark as _
from bot.storage.faults import Fault, FaultKind
from bot.table import Automatic, Logged, Table
from bot.texts import buttons
from bot.texts.dialogue import Speaker
from bot.texts.markup import bold, channel, fixed, item, moment, moment_from, role, safe, user
from bot.texts.moves import tell_own
from bot.texts.names import (
    SUBJECT,
    Names,
    capital,
    card_name,
    colour,
    owners_piece,
    place_name,
    printed,
    quote,
    rank_name,
    round_name,
    said,
    sentences,
    shorten,
    the_card,
)
from bot.texts.plans import only_moves
from bot.texts.public.lobbies import wrong_house
from engine import (
    SLOTS,
    ActionKind,
    Card,
    DogError,
    Entry,
    EventKind,
    GameOver,
    MustPlay,
    NoSuchCard,
    NotLegal,
    NotYourTurn,
    OptionRefused,
    Reason,
    Refusal,
    WrongKind,
)

_NO_MOVE = _("That isn't a move. Pick one from the list, or use the buttons of `/dog hand`.")

blocked = said("The operator of this bot has blocked you or this server.")
only_on_servers = said("That only works on a server.")
no_game_of_yours = said("You aren't in a game right now. Open one with `/dog new`.")
channel_unseen = said("I can't see that channel. Let me in, or choose another.")
not_understood = said("I didn't get that. Please pick one from the list.")
"""Answers a command that is not ours, or not in its present form: Discord's list may be outdated."""


def not_installed(language: Language, link: str) -> str:
    """Return that the app was added to an account, but the bot is not on the server where something is asked."""
    return language.t("I'm not on this server yet. A server manager can add me: {link}", link=link)


no_move = said(_NO_MOVE)
no_seat_here = said("You aren't playing in this channel. See your games: `/dog games`.")
no_game_here = said("There's no game in this channel. Open one with `/dog new`.")
unknown_button = said("This button is out of date. Try `/dog board`.")
game_gone = said("That game is gone or private. See yours: `/dog games`.")
"""The game that a button belongs to is gone, or not one that the reader may look at."""

_RULES: Mapping[type[Exception], str] = {
    GameOver: OVER,
    NotYourTurn: _("It isn't your turn."),
    WrongKind: _("You can't do that right now."),
    Refusal: _("The rules don't allow that move."),
    DogError: _NO_MOVE,
}
"""Sentences for what the rules refuse in the same words each time, by the nearest of the error's kinds."""

_GAPS: Sequence[tuple[str, str, Callable[[Language, Any], str]]] = (
    ("again_at", "moment", lambda language, second: moment_from(second)),
    ("again_at", "end", lambda language, second: buttons.named(language, buttons.END)),
    ("allowed", "allowed", lambda language, values: language.listed(map(str, values), "or")),
    ("anyone_at", "when", lambda language, second: "" if second is None else moment_from(second)),
    ("channel_id", "channel", lambda language, channel_id: channel(channel_id)),
    ("channels", "channels", lambda language, channel_ids: language.listed(map(channel, channel_ids))),
    ("city", "city", lambda language, city: city),
    ("code", "code", lambda language, code: bold(code)),
    ("command", "command", lambda language, command: fixed(f"/{command}")),
    ("asked_from", "when", lambda language, second: moment_from(second)),
    ("half_at", "when", lambda language, second: moment_from(second)),
    ("host_id", "host", lambda language, user_id: user(user_id)),
    ("kind", "why", lambda language, kind: language.t(kind.sentence) if isinstance(kind, FaultKind) else ""),
    ("last", "last", lambda language, number: str(number)),
    ("not_before", "when", lambda language, second: moment(second, "T")),
    ("players", "players", lambda language, players: str(players)),
    ("roles", "roles", lambda language, role_ids: language.listed(map(role, role_ids))),
    ("seat", "colour", colour),
    ("seats", "seats", lambda language, seats: language.listed(colour(language, seat) for seat in seats)),
    ("until", "until", lambda language, second: moment_from(second, "t")),
    ("user_id", "user", lambda language, user_id: user(user_id)),
    ("value", "value", lambda language, value: str(value)),
    ("which", "code", lambda language, code: safe(shorten(str(code), 32))),
    ("zone", "zone", lambda language, zone: safe(zone)),
)
"""The fields of errors that fill the gaps of their sentences: field, gap, and how it is shown. `count` fills itself."""


def refusal(language: Language, error: Exception, names: Names | None = None, seat: int | None = None) -> str:
    """Word `error` for the person whose click or command ran into it. `seat` is theirs, if there is a game.

    A table's refusal is told with the table's code, if its sentence does not name it.
    """
    text = _worded(language, error) if isinstance(error, BotError) else _ruled(language, error, names, seat)
    if not isinstance(error, TableError) or error.code is None or "{code}" in error.sentence:
        return text
    return f"{bold(error.code)}: {text}"


def _worded(language: Language, error: BotError) -> str:
    """Fill the sentence of an error from its fields."""
    given = vars(error)
    shown = {gap: show(language, given[field]) for field, gap, show in _GAPS if field in given}
    text = language.tn(error.sentence, getattr(error, "count", 0), **shown)
    if isinstance(error, Banned) and error.reason:
        return sentences(text, language.t("Reason: {reason}", reason=quote(language, error.reason)))
    return text


def _ruled(language: Language, error: Exception, names: Names | None, seat: int | None) -> str:
    """Word what the rules refuse, or what nobody expected."""
    t = language.t
    match error:
        case NotYourTurn() if names is not None and error.to_act:
            return t("Not your turn yet: {names} to play.", names=names.listed(language, error.to_act))
        case OptionRefused():
            return wrong_house(language, error.option, error.why)
        case NoSuchCard():
            return not_in_hand(language, error.card)
        case MustPlay():
            cards = language.listed(card_name(language, card) for card in error.cards)
            return t("You can still play, so you must. Playable: {cards}.", cards=cards)
    text = t(next((_RULES[kind] for kind in type(error).__mro__ if kind in _RULES), OUR_FAULT))
    if isinstance(error, NotLegal) and names is not None and seat is not None and error.reasons:
        return sentences(text, *in_words(language, names, seat, error.reasons))
    return text


def not_in_hand(language: Language, card: str) -> str:
    """Return that the card is not in the reader's hand."""
    return language.t("You don't have {card} in your hand.", card=the_card(language, card))


def fault_line(language: Language, fault: Fault | None) -> str:
    """Return what is wrong with the database, for moderators, above what they asked for; empty while all is well."""
    if fault is None:
        return ""
    return language.t(
        "⚠️ **I can't save games right now.** {why} The bot's log says how to fix it.",
        why=language.t(fault.kind.sentence),
    )


# Cards

_REASONS: Mapping[str, str | tuple[str, str]] = {
    "in_kennel": _("You have no piece on the track."),
    "blocked": _("{piece} is blocked by {by} on {on}."),
    "protected": _("{piece} would land on {by}'s protected piece on {on}."),
    "lane_occupied": _("{piece} can't pass or land on {on}: another piece stands there."),
    "lane_overrun": _(
        "{piece} doesn't have {count} space left in the lane.",
        "{piece} doesn't have {count} spaces left in the lane.",
    ),
    "rank_higher": _("{piece} can't pass {other} on {on}."),
    "royal": _("{piece} can't send back {other} on {on}."),
    "too_long": _("{piece} ({rank}) can't move {steps} spaces."),
    "not_back": _("{piece} can't move backwards."),
    "kennel_empty": _("No piece is left in the kennel."),
    "start_taken": _("A piece of the same colour is on the start {on}."),
    "not_in_full": _("You can't use all {points} spaces."),
    "no_own_swap": _("You have no piece you can swap."),
    "nothing_to_swap": _("There's no piece to swap with."),
    "nobody_ahead": _("{piece} has no piece ahead to catch up with."),
    "nothing_to_copy": _("No card has been played in this round yet."),
    "nothing_fits": _("It can't stand for any card you could play."),
    "no_lap": _("{piece} can't go past its lane."),
    "own_passed": _("{piece} can't pass its own colour on {on}."),
    "own_swept": _("{piece} can't send back its own colour on {on}."),
    "pair_passed": _("{piece} can't pass the two pieces on {on} and next to it."),
    "team_safe": _("{piece} can't send back {by}'s piece on {on}: they're on the same team."),
    "nobody_to_push": _("No other player has a piece on the track."),
    "not_moved": _("{piece} is protected on its start, so you can't move it."),
    "nobody_to_rob": _("Your opponents have no cards."),
}
"""By the codes of `engine.rules.why`: `piece` cannot move, `by` or `other` on the place `on` is in its way."""

MOST = 3
"""The most reasons told for one fold; more would only repeat that nothing fits."""


def why_not(language: Language, cards: Iterable[str], why: Iterable[str]) -> str:
    """Return why cards cannot be played; `why`: all reasons, one line each."""
    head = language.t("You can't play {card} now:", card=language.listed(the_card(language, card) for card in cards))
    return "\n".join([head, *map(item, why)])


def in_words(language: Language, names: Names, seat: int | None, why: Iterable[Reason]) -> list[str]:
    """Return different reasons in a sentence each, for the person on `seat`."""
    return list(dict.fromkeys(_reason(language, names, seat, reason) for reason in _worth_telling(why)))


def _worth_telling(why: Iterable[Reason]) -> list[Reason]:
    """Return reasons without those that follow from others, or are about pieces which that card can never move.

    Without a piece on the track there is none to swap either, and at the end of its lane a piece is done.
    """
    reasons = list(why)
    if any(reason.code == "in_kennel" for reason in reasons):
        reasons = [reason for reason in reasons if reason.code != "no_own_swap"]
    is_home = [reason.code == "lane_overrun" and str(reason.data.get("place", "")) == SLOTS[-1] for reason in reasons]
    moving = [reason for reason, home in zip(reasons, is_home, strict=True) if not home]
    return moving or ([Reason("in_kennel", {})] if reasons else [])


def _reason(language: Language, names: Names, seat: int | None, why: Reason) -> str:
    data, rank = why.data, str(why.data.get("rank", ""))
    side, place = data.get("side", seat), place_name(language, str(data.get("place", "-")))
    if side is None or side == seat:
        piece = language.p("subject", "Your piece on {place}", place=place)
    else:
        owned = owners_piece(language, names.safe(int(side)), case=SUBJECT)
        piece = language.p("subject", "{piece} on {place}", piece=owned, place=place)
    by = names.safe(int(data["by"])) if "by" in data else ""
    text = language.tn(
        _REASONS[why.code],
        int(data.get("steps", 0)),
        piece=piece,
        on=place_name(language, str(data.get("on", "-"))),
        by=by,
        other=owners_piece(language, by, rank),
        rank=rank_name(language, rank) if rank else "",
        steps=data.get("steps", ""),
        points=data.get("points", ""),
    )
    return capital(text, by, *(() if side is None else (names.safe(int(side)),)))


def nothing_to_play(
    language: Language, names: Names, seat: int, cards: Mapping[str, Card], why: Iterable[Reason], round_: int
) -> str:
    """Return why a player can only lay their hand down in this round; `cards`: those of the game."""
    reasons = tuple(why)
    told = [language.t("Nothing to play this round."), *_one_of_a_kind(language, names, seat, cards, reasons)]
    if round_ > 1 and {reason.code for reason in _worth_telling(reasons)} == {"in_kennel"}:
        told.append(language.t("Better luck next round!"))
    return sentences(*told)


def _one_of_a_kind(
    language: Language, names: Names, seat: int, cards: Mapping[str, Card], why: Iterable[Reason]
) -> list[str]:
    """Return a sentence for each kind of reason: others would only repeat it about other cards."""
    kinds = {reason.code: reason for reason in _worth_telling(why)}
    outs = [the_card(language, name, SUBJECT) for name, card in cards.items() if card.brings_out]
    if outs and kinds.keys() == {"in_kennel"}:
        only = language.listed(outs, "or")
        return [language.t("You have no piece on the track, and only {cards} brings one out.", cards=only)]
    return in_words(language, names, seat, kinds.values())[:MOST]


def happened(
    language: Language,
    table: Table,
    seat: int,
    entries: Sequence[Entry],
    log: Sequence[Logged],
    why: Callable[[int], Iterable[Reason]],
    forced: Collection[int] = (),
) -> list[str]:
    """Return what was done with a player's cards without them, oldest first: a line for each of the newest rounds.

    `log`: who took which action; `why`: the reasons of a fold, by the entry's number; `forced`: the numbers of moves
    played for the player, as nothing else was legal. A line begins with its round, unless that is still being played.
    """
    here = 0 if table.game is None else table.game.view().round
    deals = [event.round for entry in entries for event in entry.events if event.kind is EventKind.DEALT]
    now, rounds = min(deals) - 1 if deals else here, dict[int, list[Entry]]()
    for entry in entries:
        if entry.seat == seat and _was_done_for(entry, log, forced):
            rounds.setdefault(now, []).append(entry)
        now = max([now, *(event.round for event in entry.events if event.kind is EventKind.DEALT)])
    earlier = [entry for done in list(rounds.values())[:-MOST] for entry in done]
    lines = [_played_before(language, earlier)] if earlier else []
    folds = [entry.number for done in rounds.values() for entry in done if entry.kind is ActionKind.FOLD]
    for number, done in list(rounds.items())[-MOST:]:
        line = _tell_done_for(language, table, seat, done, forced, why if folds[-1:] == [done[-1].number] else None)
        lines.append(line if number == here else f"{round_name(language, number, table.cap)}: {line}")
    return lines


def _was_done_for(entry: Entry, log: Sequence[Logged], forced: Collection[int]) -> bool:
    """Return True if an action of a player's seat was not their own choice."""
    actor = log[entry.number - 1].actor if entry.number <= len(log) else Automatic.RULE
    computer = actor in (Automatic.COMPUTER, Automatic.CLOCK)
    return computer or entry.kind is ActionKind.FOLD or entry.number in forced


def _played_before(language: Language, entries: Iterable[Entry]) -> str:
    """Return how many cards were played or laid down for a player, in rounds that are not told one by one."""
    laid = (event for entry in entries for event in entry.events if event.kind is EventKind.FOLDED)
    count = sum(entry.kind is not ActionKind.FOLD for entry in entries) + sum(len(event.cards) for event in laid)
    return language.n(
        "Before that, {count} card was played or laid down for you.",
        "Before that, {count} cards were played or laid down for you.",
        count,
    )


def _tell_done_for(
    language: Language,
    table: Table,
    seat: int,
    entries: Iterable[Entry],
    forced: Collection[int],
    why: Callable[[int], Iterable[Reason]] | None,
) -> str:
    """Return what was done for a player in one round; `why`: as in `happened`, if the reasons of a fold are told."""
    names, only, played, told = Names.of(table, language), list[str](), list[str](), list[str]()
    for entry in entries:
        if entry.kind is ActionKind.FOLD:
            cards = " ".join(printed(language, card) for event in entry.events for card in event.cards)
            reasons = (
                ()
                if why is None
                else _one_of_a_kind(language, names, seat, table.board.system.cards, why(entry.number))
            )
            told.append(sentences(language.t("You couldn't play: {cards}.", cards=cards), *reasons))
        elif any(event.kind is EventKind.GAVE for event in entry.events):
            to = Speaker.of(language, table, seat).to
            told.append(language.t("🤖 A computer gave {name} a card for you.", name=to))
        elif line := tell_own(language, names, entry):
            (only if entry.number in forced else played).append(line)
    if played:
        told.insert(0, language.t("🤖 Played for you: {what}", what=language.listed(played)))
    if only:
        told.insert(0, only_moves(language, only))
    return " · ".join(told)
