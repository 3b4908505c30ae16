"""What stands in the way in long games, as friendly sentences: absence, taking back, proposals, limits, preferences."""

from __future__ import annotations

from bot import errors
from bot.languages import Language
from bot.rights import Relation
from bot.texts import buttons
from bot.texts.markup import channel, moment, quoted, role, user
from bot.texts.preferences import unknown_time_zone
from bot.texts.words import listing, sentences


def obstacle(language: Language, error: errors.TableError) -> str:
    """The sentence for a refusal that has to do with time, absence or moderation; empty for any other."""
    match error:
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
            return language.t(
                "Nobody is playing right now. The game continues as soon as somebody takes a seat back or over."
            )
        case errors.BadPreference():
            return _preference(language, error)
        case errors.QuietTooSoon():
            return language.t(
                "Quiet hours can be changed once a day. You can change yours again {moment}; {end} below "
                "`/dog quiet` ends them at any time.",
                end=buttons.named(language, buttons.END),
                moment=moment(error.again_at),
            )
        case _:
            return ""


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
            return ""


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
