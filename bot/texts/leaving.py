"""Leaving a game, ending it early, and what becomes of an absent player's seat: said in private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.consent import is_notice
from bot.languages import Language
from bot.occupants import StandInReason
from bot.proposal import ProposalKind
from bot.results import RESIGNED_FROM
from bot.table import Table
from bot.tables.absence import Remedy
from bot.tables.endings import is_last_player
from bot.texts.markup import bold, user
from bot.texts.names import Names, SaidOfTable, said, said_of_table, sentences
from bot.texts.public.proposals import agreed_to, others_asked

nothing_changed = said("Nothing was changed.")
ask_cancel = said_of_table("Cancel {code} for everyone?")
ask_to_cancel = said_of_table("Ask the others to cancel {code}? Once they all agree, it ends and won't count.")
_CANCELLED = said_of_table("{code} is cancelled.")
paused = said_of_table("{code} is paused for seven days.")
ask_leave_lobby = said_of_table("Leave {code}? It hasn't started, so your seat becomes free.")
_ASK_LEAVE_GAME = said_of_table("Leave {code} for good? A computer plays on for you, and another player may take over.")
left = said_of_table("You've left {code}.")
_RESIGNED = said_of_table("{code} is over: you resigned.")
stood_down = said("You've stopped playing for them.")
"""The answer of a friend who was asked to play for a player, or did."""

reclaimed = said_of_table("Welcome back! You're playing at {code} again.")
taken_over = said_of_table("The seat at {code} is yours. Good luck!")

_ASK_LAST = said_of_table("Leave {code}? The others have left, so the game ends and you win.")
_ASK_TAKE_OVER = said_of_table("Take over for {name} at {code}? You'll see the cards and play to the end.")

_CHOSEN: Mapping[Remedy, SaidOfTable] = {
    Remedy.WAIT: said_of_table("{code}: {name} gets more time."),
    Remedy.PLAY: said_of_table("{code}: a computer plays this turn for {name}."),
    Remedy.COMPUTER: said_of_table("{code}: a computer will play for {name} until they take the seat back."),
    Remedy.OFFER: said_of_table("{code}: {name}'s seat is open to other players."),
}
"""Answers to a choice about the absent player of a seat."""

_NOTICE_GIVEN = said_of_table("{code}: I've told {name}. The seat opens to others in two days.")
_ASKED = {
    Remedy.WAIT: ProposalKind.WAIT,
    Remedy.COMPUTER: ProposalKind.STAND_IN,
    Remedy.OFFER: ProposalKind.OFFER,
}


def is_asked(table: Table, remedy: Remedy, seat: int) -> bool:
    """Return True if the others are asked about this choice."""
    proposal = table.proposals.get(_ASKED[remedy]) if remedy in _ASKED else None
    return proposal is not None and proposal.about == seat


def chosen(language: Language, table: Table, remedy: Remedy, seat: int, user_id: int) -> str:
    """Return what came of a choice of a user about the player of a seat, or that the others have been asked.

    If another player has asked them before, that was a yes.
    """
    if remedy is Remedy.PLAY and table.occupants[seat].why is StandInReason.ABSENT:
        # It was the last turn that they could miss.
        remedy = Remedy.COMPUTER
    if not is_asked(table, remedy, seat):
        return _CHOSEN[remedy](language, table, seat)
    kind = _ASKED[remedy]
    if is_notice(table.proposals[kind]):
        return _NOTICE_GIVEN(language, table, seat)
    if user_id in table.proposals[kind].agreed:
        return agreed_to(language, table, kind)
    return others_asked(language, table, kind)


def cancelled(language: Language, table: Table) -> str:
    """Return that the game was cancelled, or that the others have been asked."""
    if ProposalKind.CANCEL in table.proposals:
        return others_asked(language, table, ProposalKind.CANCEL)
    return _CANCELLED(language, table)


def resigned(language: Language, table: Table) -> str:
    """Say that a player resigned the game, or proposed it to their team."""
    if ProposalKind.RESIGN in table.proposals:
        return others_asked(language, table, ProposalKind.RESIGN)
    return _RESIGNED(language, table)


def ask_leave_game(language: Language, table: Table, seat: int) -> str:
    """Return the question whether to leave a game from this seat, and what that costs in a rated one."""
    if is_last_player(table, seat):
        return _ASK_LAST(language, table)
    if not table.is_rated:
        return _ASK_LEAVE_GAME(language, table)
    in_team = bool(table.board.partners(seat))
    lost = (
        language.t("It's rated: you lose, even if your team wins.") if in_team else language.t("It's rated: you lose.")
    )
    return sentences(_ASK_LEAVE_GAME(language, table), lost)


def ask_take_over(language: Language, table: Table, seat: int) -> str:
    """Return the question whether to play on for another player, and for whom a rated game counts."""
    counts = language.t("It's rated for the players it began with, not for you.") if table.is_rated else ""
    return sentences(_ASK_TAKE_OVER(language, table, seat), counts)


def ask_resigning(language: Language, table: Table, seat: int) -> str:
    """Compare resigning with leaving: in a game of two, and in teams; and say if a rated game would not count yet."""
    others = [other for other in table.seats if other != seat]
    early = table.is_rated and table.rounds < RESIGNED_FROM
    counts = language.t("That isn't rated before round {round}.", round=RESIGNED_FROM) if early else ""
    if len(others) == 1:
        name = Names.of(table, language).marked(others[0])
        return sentences(language.t("🏳️ Resigning ends the game: {name} wins.", name=name), counts)
    return sentences(language.t("🏳️ Resigning ends the game: the other team wins."), counts)


def will_be_reminded(language: Language, table: Table, users: tuple[int, ...]) -> str:
    """List those waited for (user ids) who will be reminded; none of them may be left."""
    if not users:
        return language.t(
            "{code}: the player you were waiting for has left. A computer plays on.", code=bold(table.code)
        )
    names = Names.of(table, language)
    listed = language.listed(names.marked(table.people[user]) for user in users if user in table.people)
    return language.n(
        "{code}: {names} will be nudged.",
        "{code}: {names} will be nudged.",
        len(users),
        code=bold(table.code),
        names=listed,
    )


def friend_asked(language: Language, friend: int, tables: Sequence[Table]) -> str:
    """Say that a friend was asked to play these games of the reader."""
    return language.n(
        "I've asked {user} to play for you at {codes}. Nothing changes until they agree.",
        "I've asked {user} to play for you at {codes}. Nothing changes until they agree.",
        len(tables),
        user=user(friend),
        codes=_codes(language, tables),
    )


def friend_unreached(language: Language, friend: int) -> str:
    """Say that a friend cannot be asked, since they accept no direct messages."""
    return language.t(
        "{user} doesn't accept direct messages from me, so I can't ask them. Ask another friend.", user=user(friend)
    )


def stands_in(language: Language, tables: Sequence[Table]) -> str:
    """Tell a friend where they play for the player who asked them."""
    return language.n(
        "You're playing for them at {codes}. See their cards: `/dog hand`. The result is theirs.",
        "You're playing for them at {codes}. See their cards: `/dog hand`. The results are theirs.",
        len(tables),
        codes=_codes(language, tables),
    )


def _codes(language: Language, tables: Sequence[Table]) -> str:
    return language.listed(bold(table.code) for table in tables)
