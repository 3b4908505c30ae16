"""Refusals as friendly sentences: what cannot be done, and why; what is wrong with the database.

Why a card cannot be played is told in the private dialogue, and beside a hand that is laid down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil

from bot import errors
from bot.languages import Language, mark_n
from bot.languages import mark as _
from bot.rights import Relation
from bot.storage import faults as kinds
from bot.storage.faults import Fault
from bot.table import Automatic, Logged, Status, Table
from bot.texts import buttons
from bot.texts.markup import bold, channel, item, moment, role, safe, small, user
from bot.texts.moves import tell_event
from bot.texts.names import (
    SUBJECT,
    Names,
    capital,
    card_name,
    colour,
    owners_piece,
    place_name,
    quoted,
    rank_name,
    said,
    sentences,
    shorten,
    the_card,
)
from bot.texts.public.boards import NOBODY_PLAYS
from bot.texts.public.lobbies import changed_since, wrong_house
from engine import (
    ActionKind,
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

_MOVED_ON = _("The board has moved on. Here is the newest state.")
_NO_MOVE = _("That is not a move. Choose one from the list, or use the buttons of `/dog hand`.")
_OVER = _("This game is over. Start another with `/dog new`.")
_OUR_FAULT = _("Something went wrong on our side. Before you try again, check whether it went through.")
_NO_PREFERENCE = _("{value} is not possible here.")
_QUIET = _("Quiet hours last at most 10 hours a day, and need a beginning and an end.")

blocked = said("The operator of this bot has blocked you or this server.")
only_on_servers = said("That works only on a server.")
channel_unseen = said("I cannot see that channel or thread. Let me in there, or choose another.")
not_understood = said("I did not understand that. Type the command again and choose from its list.")
"""Answers a command that is not ours, or not in its present form: Discord's list may be outdated."""


def not_installed(language: Language, link: str) -> str:
    """The app was added to an account, but the bot is not on the server where something is asked."""
    return language.t("I am not on this server yet. A member who manages it can invite me: {link}", link=link)


moved_on = said(_MOVED_ON)
no_move = said(_NO_MOVE)
no_seat_here = said("You have no seat at a table in this channel. `/dog games` lists your games.")
no_game_of_yours = said("You aren't in a game right now. Open one on a server with `/dog new`.")
no_game_here = said("There is no game in this channel. Open one with `/dog new`.")
unknown_button = said("This button belongs to another version of the game. Try `/dog board`.")
game_gone = said("That game is gone, or not yours to look at. `/dog games` lists yours.")
"""The game that a button belongs to is gone, or not one that the reader may look at."""

_ALWAYS: Mapping[type[Exception], str] = {
    errors.NotAtTable: _("You have no seat at this table. You can watch, or open your own with `/dog new`."),
    errors.NotOver: _("This game is not over: that would reveal what is hidden."),
    errors.NoHints: _("This table has not agreed on hints. `/dog table hints` asks the others."),
    errors.HintsAllowed: _("Hints are on already: the button is in your hand when it is your turn."),
    errors.NoTalk: _("This table has agreed not to talk."),
    errors.SaidAlready: _("You have said something already. Once a turn is enough."),
    errors.NobodyPlays: NOBODY_PLAYS,
    errors.StaleBoard: _MOVED_ON,
    errors.Conflict: _MOVED_ON,
    errors.BrokenLog: _(
        "The record of this game is damaged, so it cannot go on. `/dog table cancel` with its code ends it."
    ),
    # Seats
    errors.SeatError: _("That cannot be done with this seat."),
    errors.NoSuchSeat: _("There is no such seat at this table."),
    errors.TableFull: _("Every seat is taken."),
    errors.NobodyToInvite: _("They already sit here, have been invited, or may not play on this server."),
    errors.ComputerPlays: _("A computer is playing your seat. Take it back with the button under the board."),
    errors.OwnSeat: _("This is your own seat: the others decide. Just play!"),
    errors.NotOverdue: _("This player still has time."),
    errors.NoMoreWaiting: _("This turn has waited once already. When its time is up, a computer plays it."),
    errors.NotSilent: _("This player can still answer: a computer may play on after seven days of silence."),
    errors.NotGone: _("Only the seat of a player who has missed three turns can be offered."),
    errors.LevelsFixed: _("With other players at the table, computers keep their level until the end."),
    errors.NoReason: _("Several people play this game. Say why you end it: `/dog-admin cancel` with a reason."),
    errors.SeatNotOpen: _("That seat cannot be taken over now."),
    errors.SawOtherHand: _("You have seen another hand of this game, so you cannot take over this one."),
    errors.NoPlayerThere: _("That player has no seat here any more."),
    errors.SeatFreed: _("The host has freed your seat. Join another table, or open one with `/dog new`."),
    errors.NothingToReclaim: _("You play for yourself already."),
    errors.AlreadyNudged: _("Somebody has already been nudged this turn. Once is enough."),
    errors.NudgeError: _("The game is not waiting for anybody else."),
    # Agreeing
    errors.AcrossDeal: _("New cards have been dealt since: that move stands."),
    errors.TakebackError: _("You have nothing to take back."),
    errors.NoProposal: _("That question is settled already."),
    errors.NotAsked: _("You were not asked, or have already answered."),
    errors.AskedAlready: _("You have asked about this move already: it stands."),
    errors.QuestionOpen: _("The players are still answering another question like this. Ask again tomorrow."),
    errors.NoConcession: _("A team can give up only in a game of two teams."),
    # Limits
    errors.LimitError: _("That is not allowed on this server."),
    errors.Busy: _("I am busy with several of these right now. Please try again in a minute."),
    errors.ManyReviews: _(
        "I am reviewing a lot of games right now. Please ask for yours in a few minutes: `/dog review`."
    ),
    errors.Crowded: _("So many people are playing right now that I cannot keep up. Please try again in a few seconds."),
    # The rules
    GameOver: _OVER,
    NotYourTurn: _("It is not your turn."),
    WrongKind: _("That is not what the game is asking you to do now."),
    Refusal: _("The rules do not allow this move."),
    DogError: _NO_MOVE,
}
"""What is refused in the same words each time, by the nearest of the error's kinds."""

_WRONG_STATUS: Mapping[str, str] = {
    Status.LOBBY: _("This game has not started yet."),
    Status.PLAYING: _("This game has already started."),
    Status.PAUSED: _("This game is paused."),
    Status.OVER: _OVER,
    Status.CANCELLED: _("This game was cancelled. Start another with `/dog new`."),
}

_NO_UNDO: Mapping[errors.NoUndo, str] = {
    errors.NoUndo.ACTED: _("The game has moved on since. `/dog takeback` asks your opponents."),
    errors.NoUndo.REVEALED: _("That move revealed something hidden. `/dog takeback` asks your opponents."),
    errors.NoUndo.SEEN: _("Something hidden has been seen since, and there is nobody else to agree: that move stands."),
}

_PREFERENCES: Mapping[str, str] = {
    "time_zone": _("I do not know a time zone by that name. Choose one from the list."),
    "quiet_from": _QUIET,
    "quiet_until": _QUIET,
    "house": _("There is no set of house rules with this name."),
    "house_name": _("A name must have 1 to 40 characters."),
    "houses": _("There are 20 sets of house rules already. Delete one first."),
    "away_until": _("That day has begun already, or is more than 30 days away."),
}
"""What is wrong with a preference, by its field."""

_MODERATORS: Mapping[str, str] = {
    Relation.MODERATOR: _(
        "Only those who manage messages in the game's channel, and do not play this game, can do that."
    ),
    Relation.GUILD_MODERATOR: _("Only those who manage the server or its messages, in all channels, can do that."),
    Relation.MANAGER: _("Only those who manage the server can see and change its settings."),
}

_TROUBLE = _("The bot's database is in trouble.")
_HELD = _("Another program is using the bot's database.")


_FAULTS: Mapping[type[Fault], str] = {
    kinds.DatabaseFull: _("The bot's disk is full."),
    kinds.DiskTrouble: _("The bot's disk is failing."),
    kinds.DatabaseLocked: _HELD,
    kinds.DatabaseInUse: _HELD,
    kinds.DatabaseReadOnly: _("The bot may not write to its database."),
    **dict.fromkeys(
        (kinds.DatabaseUnreachable, kinds.NoSocket),
        _("The bot's database server does not answer."),
    ),
    **dict.fromkeys(
        (kinds.DatabaseRefused, kinds.SocketClosed, kinds.Unencrypted),
        _("The bot's database server refuses it."),
    ),
    kinds.DatabaseDamaged: _("The bot's database is damaged."),
    kinds.DatabaseForeign: _("The bot's database belongs to another program."),
    kinds.DatabaseGone: _("The bot's database was removed or replaced."),
}


def refusal(language: Language, error: Exception, names: Names | None = None, seat: int | None = None) -> str:
    """What to say to the person whose click or command ran into `error`. `seat` is theirs, if there is a game.

    A table's refusal is told with the table's code.
    """
    told = _refusal(language, error, names, seat)
    return f"{bold(error.code)}: {told}" if isinstance(error, errors.TableError) and error.code is not None else told


def _refusal(language: Language, error: Exception, names: Names | None, seat: int | None) -> str:
    t = language.t
    match error:
        case errors.NoSuchTable():
            return t(
                "There is no game {code} here. `/dog games` lists yours.", code=safe(shorten(str(error.which), 32))
            )
        case errors.WrongStatus(status=Status.PAUSED) if Status.LOBBY in error.needed:
            return t(_WRONG_STATUS[Status.PLAYING])
        case errors.WrongStatus():
            return t(_WRONG_STATUS[error.status])
        case errors.NotAtTable(or_moderator=True):
            return t("Only players of this game, and those who manage messages in its channel, can do that.")
        case errors.OtherTerms():
            return changed_since(language, error.not_before)
        case errors.NotHost() if error.anyone_at is not None:
            host, when = user(error.host_id), moment(error.anyone_at)
            return t("Only the host, {host}, can start the game; from {when} on, any player can.", host=host, when=when)
        case errors.NotHost() if error.or_moderator:
            return t("Only the host, {host}, or a moderator of its channel can do that.", host=user(error.host_id))
        case errors.NotHost():
            return t("Only the host, {host}, can do that.", host=user(error.host_id))
        case errors.NotModerator():
            return t(_MODERATORS[error.which])
        case errors.BadTerms():
            allowed = language.listed(map(str, error.allowed), "or")
            return t("{value} is not possible here. Possible: {allowed}.", value=str(error.value), allowed=allowed)
        case errors.BadPreference():
            return t(_PREFERENCES.get(error.field, _NO_PREFERENCE), value=str(error.value))
        case errors.AwayTooLong():
            return language.n(
                "Games can wait for you 45 days a year, and you have {count} left. Let a computer play meanwhile.",
                "Games can wait for you 45 days a year, and you have {count} left. Let a computer play meanwhile.",
                error.left // 86_400,
            )
        case errors.NoSummerTime():
            return t(
                "{zone} is the same in summer and winter. Choose your city instead, such as {city}.",
                zone=safe(error.zone),
                city=error.city,
            )
        case errors.QuietTooSoon():
            return t(
                "Quiet hours can be changed once a day. You can change yours again {moment}; {end} below "
                "`/dog me quiet` ends them at any time.",
                end=buttons.named(language, buttons.END),
                moment=moment(error.again_at),
            )
        case errors.SeatTaken():
            return t("{user} already sits there. Choose another seat.", user=user(error.user_id))
        case errors.AlreadySeated():
            return t("You already sit at this table ({colour}).", colour=colour(language, error.seat))
        case errors.TooManySeated():
            return t(
                "{count} people sit here, but only {players} can play. Somebody has to leave first.",
                count=error.seated,
                players=error.players,
            )
        case errors.NoComputerThere(seat=None):
            return t("There is no computer player to remove.")
        case errors.NoComputerThere():
            return t(
                "You can choose the level of computer players only, not of a person's seat, even while a computer "
                "plays there."
            )
        case errors.SeatsFree():
            free = language.listed(colour(language, one) for one in error.seats)
            return t("Some seats are still free: {seats}. Add computer players to fill them.", seats=free)
        case errors.Resting():
            return t("{user} is resting until {until}.", user=user(error.user_id), until=moment(error.until, "t"))
        case errors.UndoRefused():
            return t(_NO_UNDO[error.reason])
        case errors.LimitError():
            return _limit(language, error)
        case errors.TooOften(seconds=0):
            return t("One thing at a time, please: I am still working on what you asked for before.")
        case errors.TooOften():
            return language.n(
                "That was a lot at once. Try again in {count} second.",
                "That was a lot at once. Try again in {count} seconds.",
                ceil(error.seconds),
            )
        case Fault():
            return t(
                "Games cannot be saved right now, so nothing was changed. {why} Please try again in a minute.",
                why=_fault(language, error),
            )
        case NotYourTurn() if names is not None and error.to_act:
            return t("It is not your turn: {names} to play.", names=names.listed(language, error.to_act))
        case OptionRefused():
            return wrong_house(language, error.option, error.why)
        case NoSuchCard():
            return not_in_hand(language, error.card)
        case MustPlay():
            cards = language.listed(card_name(language, card) for card in error.cards)
            return t("You can still play, so you must. Playable: {cards}.", cards=cards)
        case NotLegal() if names is not None and seat is not None and error.reasons:
            return sentences(_always(language, error), *in_words(language, names, seat, error.reasons))
        case _:
            return _always(language, error)


def _always(language: Language, error: Exception) -> str:
    found = (_ALWAYS[kind] for kind in type(error).__mro__ if kind in _ALWAYS)
    return language.t(next(found, _OUR_FAULT))


def _limit(language: Language, error: errors.LimitError) -> str:
    t = language.t
    match error:
        case errors.Banned():
            told = t("Moderators have banned you from games on this server.")
            if not error.reason:
                return told
            return sentences(told, t("Their reason: {reason}", reason=quoted(language, error.reason)))
        case errors.ChannelNotAllowed():
            channels = language.listed(map(channel, error.channels))
            return t("Games are played elsewhere on this server: {channels}.", channels=channels)
        case errors.MayNotOpen(who="roles", roles=()):
            return t(
                "Nobody may open games here yet: somebody who manages the server must choose a role. You can join."
            )
        case errors.MayNotOpen(who="roles"):
            roles = language.listed(map(role, error.roles))
            return t("Only members with one of these roles open games here: {roles}. You can join.", roles=roles)
        case errors.MayNotOpen():
            return t("Only moderators open games here. You can join.")
        case errors.TooManyHere():
            return language.n(
                "Only {count} game may be open in {channel} and its threads, and there is one already.",
                "Only {count} games may be open in {channel} and its threads, and there are as many already.",
                error.limit,
                channel=channel(error.channel_id),
            )
        case errors.TooManyOfYours():
            return language.n(
                "A member may play or host {count} open game on this server, and you have one already.",
                "A member may play or host {count} open games on this server, and you have as many already.",
                error.limit,
            )
        case _:
            return _always(language, error)


def not_in_hand(language: Language, card: str) -> str:
    """The card is not one of the reader's."""
    return language.t("You do not have {card} in your hand.", card=the_card(language, card))


def _fault(language: Language, fault: Fault) -> str:
    """What is wrong with the database, in a sentence: the kind of trouble, without any path or address."""
    return language.t(_FAULTS.get(type(fault), _TROUBLE))


def fault_line(language: Language, fault: Fault | None) -> str:
    """What is wrong with the database, for moderators, above what they asked for; empty while all is well."""
    if fault is None:
        return ""
    return language.t(
        "⚠️ **Games cannot be saved at present.** {why} The bot's log says how to fix it.",
        why=_fault(language, fault),
    )


# Cards

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
