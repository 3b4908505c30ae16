"""Refusals as friendly sentences: what cannot be done, and why; and what is wrong with the database."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from bot import errors
from bot.languages import Language
from bot.languages import mark as _
from bot.rights import Relation
from bot.storage import Fault
from bot.storage import faults as kinds
from bot.table import Status
from bot.texts import buttons
from bot.texts.markup import bold, channel, moment, quoted, role, safe, user
from bot.texts.names import (
    Names,
    card_name,
    colour,
    listing,
    sentences,
    shorten,
    the_card,
)
from bot.texts.preferences import unknown_time_zone
from bot.texts.reasons import reason
from engine import DogError, GameOver, MustPlay, NoSuchCard, NotationError, NotLegal, NotYourTurn, Refusal, WrongKind


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
    return f"{bold(error.code)}: {told}" if isinstance(error, errors.TableError) and error.code is not None else told


def _refusal(language: Language, error: Exception, names: Names | None, seat: int | None) -> str:
    t = language.t
    match error:
        case errors.NoSuchTable():
            return t(
                "There is no game {code} here. `/dog games` lists yours.", code=safe(shorten(str(error.which), 32))
            )
        case errors.WrongStatus():
            return _wrong_status(language, error)
        case errors.NotAtTable():
            return t("You have no seat at this table. You can watch, or open your own with `/dog new`.")
        case errors.NotHost() if error.or_moderator:
            return t("Only the host, {host}, or a moderator of its channel can do that.", host=user(error.host_id))
        case errors.NotHost():
            return t("Only the host, {host}, can do that.", host=user(error.host_id))
        case errors.BadTerms():
            allowed = listing(language, (str(value) for value in error.allowed))
            return t("{value} is not possible here. Possible: {allowed}.", value=str(error.value), allowed=allowed)
        case errors.NoSuchSeat():
            return t("There is no such seat at this table.")
        case errors.SeatTaken():
            return t("{user} already sits there. Choose another seat.", user=user(error.user_id))
        case errors.AlreadySeated():
            return t("You already sit at this table ({colour}).", colour=colour(language, error.seat))
        case errors.TableFull():
            return t("Every seat is taken.")
        case errors.NotOver():
            return t("This game is not over: a review now would reveal what is hidden.")
        case errors.NoHints():
            return t("Hints were not agreed on when this table was opened.")
        case errors.NoComputerThere():
            if error.seat is not None:
                return t(
                    "You can choose the level of computer players only, not of a person's seat, even while a computer "
                    "plays there."
                )
            return t("There is no computer player to remove.")
        case errors.SeatsFree():
            free = listing(language, (colour(language, one) for one in error.seats))
            return t("Some seats are still free: {seats}. Add computer players to fill them.", seats=free)
        case errors.ComputerPlays():
            return t("A computer is playing your seat. Take it back with the button under the board.")
        case errors.NudgeError():
            return _nudge(language, error)
        case errors.TakebackError():
            return _takeback(language, error)
        case errors.ProposalError():
            return _proposal(language, error)
        case errors.LimitError():
            return _limit(language, error)
        case errors.SeatError():
            return _seat(language, error)
        case errors.NotModerator():
            return _no_moderator(language, error.which)
        case errors.NobodyPlays():
            return t("Nobody is playing right now. The game continues as soon as somebody takes a seat back or over.")
        case errors.BadPreference():
            return _preference(language, error)
        case errors.QuietTooSoon():
            return t(
                "Quiet hours can be changed once a day. You can change yours again {moment}; {end} below "
                "`/dog quiet` ends them at any time.",
                end=buttons.named(language, buttons.END),
                moment=moment(error.again_at),
            )
        case errors.TooOften(seconds=0):
            return t("One thing at a time, please: I am still working on what you asked for before.")
        case errors.TooOften():
            return language.n(
                "That was a lot at once. Try again in {count} second.",
                "That was a lot at once. Try again in {count} seconds.",
                ceil(error.seconds),
            )
        case errors.Crowded():
            return t("Very many people are playing right now, and I cannot keep up. Please try again in a few seconds.")
        case errors.ManyReviews():
            return t("I am reviewing very many games right now. Please ask for yours in a few minutes: `/dog review`.")
        case errors.Busy():
            return language.t("I am busy with several of these right now. Please try again in a minute.")
        case errors.StaleBoard() | errors.Conflict():
            return moved_on(language)
        case errors.BrokenLog():
            return t("The record of this game is damaged, so it cannot go on. `/dog cancel` with its code ends it.")
        case Fault():
            return not_saved(language, error)
        case Refusal():
            return _engine_refusal(language, error, names, seat)
        case NotationError() | DogError():
            return no_move(language)
        case _:
            return t("Something went wrong on our side. Nothing was changed; please try again.")


def _wrong_status(language: Language, error: errors.WrongStatus) -> str:
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


def _seat(language: Language, error: errors.SeatError) -> str:
    t = language.t
    match error:
        case errors.OwnSeat():
            return t("This is your own seat: the others decide. Just play!")
        case errors.NotOverdue():
            return t("This player still has time.")
        case errors.SeatNotOpen():
            return t("That seat cannot be taken over now.")
        case errors.SawOtherHand():
            return t("You have seen another hand of this game, so you cannot take over this one.")
        case errors.NothingToReclaim():
            return t("You play for yourself already.")
        case _:
            return t("That cannot be done with this seat.")


def _nudge(language: Language, error: errors.NudgeError) -> str:
    match error:
        case errors.AlreadyNudged():
            return language.t("Somebody has already been nudged this turn. Once is enough.")
        case errors.Resting():
            return language.t(
                "{user} is resting until {until}.", user=user(error.user_id), until=moment(error.until, "t")
            )
        case _:
            return language.t("The game is not waiting for anybody else.")


def _takeback(language: Language, error: errors.TakebackError) -> str:
    t = language.t
    match error:
        case errors.UndoRefused(reason=errors.NoUndo.ACTED):
            return t("The game has moved on since. `/dog takeback` goes back further, if the others agree.")
        case errors.UndoRefused(reason=errors.NoUndo.REVEALED):
            return t("That move revealed something hidden. `/dog takeback` takes it back, if the others agree.")
        case errors.UndoRefused(reason=errors.NoUndo.SEEN):
            return t("Something hidden has been seen since, and there is nobody else to agree: that move stands.")
        case errors.UndoRefused():
            return t("A minute has passed. `/dog takeback` takes it back, if the others agree.")
        case errors.AcrossDeal():
            return t("New cards have been dealt since: that move stands.")
        case _:
            return t("You have nothing to take back.")


def _proposal(language: Language, error: errors.ProposalError) -> str:
    t = language.t
    match error:
        case errors.NoProposal():
            return t("That question is settled already.")
        case errors.NotAsked():
            return t("You were not asked, or have already answered.")
        case _:
            return t("A team can give up only in a game of two teams.")


def _limit(language: Language, error: errors.LimitError) -> str:
    t = language.t
    match error:
        case errors.Banned():
            told = t("Moderators have banned you from games on this server.")
            if not error.reason:
                return told
            reason = t("Their reason: {reason}", reason=quoted(error.reason))
            return sentences(told, reason)
        case errors.ChannelNotAllowed():
            channels = listing(language, map(channel, error.channels[:20]))
            return t("Games are played elsewhere on this server: {channels}.", channels=channels)
        case errors.MayNotOpen(who="roles", roles=()):
            return t(
                "Nobody may open games here yet: somebody who manages the server must choose a role. You can join."
            )
        case errors.MayNotOpen(who="roles"):
            roles = listing(language, map(role, error.roles[:20]))
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
            return t("That is not allowed on this server.")


def _preference(language: Language, error: errors.BadPreference) -> str:
    t = language.t
    match error.field:
        case "time_zone":
            return unknown_time_zone(language)
        case "quiet_from" | "quiet_until":
            return t("Quiet hours last at most 10 hours a day, and need a beginning and an end.")
        case "until" | "away_until":
            return t("That day is past, or more than 30 days away.")
        case _:
            return t("{value} is not possible here.", value=str(error.value))


def _no_moderator(language: Language, which: str) -> str:
    match which:
        case Relation.MODERATOR:
            return language.t("Only those who manage messages in the game's channel can do that.")
        case Relation.GUILD_MODERATOR:
            return language.t("Only those who manage the server or its messages, in all channels, can do that.")
        case _:
            return language.t("Only those who manage the server can see and change its settings.")


_HELD = _("Another program holds the bot's database.")


_FAULTS: Mapping[type[Fault], str] = {
    kinds.DatabaseFull: _("The bot's disk is full."),
    kinds.DiskTrouble: _("The bot's disk is failing."),
    kinds.DatabaseLocked: _HELD,
    kinds.DatabaseInUse: _HELD,
    kinds.DatabaseReadOnly: _("The bot may not write to its database."),
    kinds.DatabaseUnreachable: _("The bot's database server does not answer."),
    kinds.DatabaseRefused: _("The bot's database server refuses it."),
    kinds.DatabaseDamaged: _("The bot's database is damaged."),
    kinds.DatabaseForeign: _("The bot's database belongs to another program."),
    kinds.DatabaseGone: _("The bot's database was removed or replaced."),
}


def _fault(language: Language, fault: Fault) -> str:
    """What is wrong, in a sentence."""
    return language.t(_FAULTS.get(type(fault), _("The bot's database is in trouble.")))


def not_saved(language: Language, fault: Fault) -> str:
    """Said to somebody who asked for something that could not be saved."""
    return language.t(
        "Games cannot be saved right now, so nothing was changed. {why} Please try again in a minute.",
        why=_fault(language, fault),
    )


def fault_line(language: Language, fault: Fault | None) -> str:
    """For moderators, above what they asked for; empty while all is well."""
    if fault is None:
        return ""
    return language.t(
        "⚠️ **Games cannot be saved at present.** {why} The bot's log says how to fix it.",
        why=_fault(language, fault),
    )
