"""Consent: who must agree to a decision that costs other players something, and its limits.

This is the whole answer, from top to bottom; `bot.rights` says who may ask at all, `bot.tables` carries it out, and
docs/playing.md shows it to players.

    decision                        whose yes                               limit
    -----------------------------------------------------------------------------------------------------------
    take one's own move back        no one's until another player acted     never past a card that was seen
      later                         opponents, players who acted since      once a move, one at a time, in one deal
      an only move played for one   as above                                with the move before it, never alone
    give the game up                the own team                            two teams
    end a game that others left     no one's                                its last player leaves or is absent: a win
    end a game that no one plays    no one's                                after half a year, unless one will be back
    allow hints                     all other owners                        the game is no longer rated
    nudge a player                  any other's who has played              once a turn, from half of the time on
    time is up: wait once           no one's                                one more full pace, then a computer plays
    wait even longer                all other players, two at least         one more pace for each time all agree
    a computer plays this turn      no one's                                only once the player's time is up
    a computer plays on             no one's, after three missed turns      the owner takes the seat back at any time
      no clock: until they return   most other players                      only after seven days of silence
    a friend plays for a player     that player's and the friend's          that hand only, and no vote; not in cups
      again, while a clock runs     the same                                once between two actions
    offer the seat to others        most other players                      only after three missed turns
      in a game of two              no one's, but two days' notice          the owner takes the seat back at any time
    take over a seat that was left  the member's own                        only those who could join the host's table
    cancel a running game           all players                             before the first card: the host alone
      with a reason                 a moderator's who has never played it   all its players read it, and the log
    pause, renew a pause            all other players                       seven days
      as a moderator                that of one who has never played it     seven days; the log says so
    ban a player                    a moderator's                           not from games which that one has played
    end a pause of the players      all other players                       it ends by itself after seven days
    start a full lobby              no one's, after two minutes             the host may wait, but only for an hour
      after its terms were changed  no one's, two minutes later             the host cannot start it before that either
    what only the host may do       the host's                              after two silent days, one's who acted since
    move a game elsewhere           the host's; any player's of a lost one  only where all its players can see it
    cancel a cup that is played     a moderator's who does not play in it   with a reason, which all its players read
    give its round a day more       its host's who does not play in it      two weeks from then
    decide one of its tables        a moderator's who is not at that table  none of one's own cup while a round lasts
    invite to a table               that of a player at it; any may refuse  six in five minutes; by letter five a day
    match with strangers            that of each one's own search           a day; never with those who are blocked
    begin a season, or end it       a moderator's                           with a reason that all read; ratings go on
    free a seat in a lobby          the host's                              the player is told, and can be invited again
    ask again what was refused      no one's                                a day later; to give the game up, an hour

Filling seats of a lobby with computers, or changing their level, needs no delay before the start: a game that begins
with computers is not rated, so it and leaving it cost no one anything, and the start says how strong each of them is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from bot.moment import Moment
from bot.occupants import StandInReason
from bot.pace import DAY, HOUR
from bot.proposal import Proposal, ProposalKind
from bot.table import Note, NoteKind, Table
from engine import EventKind

FEWEST_TO_WAIT_ON = 2
"""The fewest others who can let a turn wait more than once."""

HOST_WAITS = HOUR
"""Seconds after which any player may start a full lobby."""

HOST_SILENT = 2 * DAY
"""Seconds without a sign of the host after which another player becomes host."""

NOTICE = 2 * DAY
"""Seconds between the announcement that a seat is to be offered and the offer, in a game of two."""

PAUSE = 7 * DAY
"""Seconds that a pause lasts."""

ASLEEP = 180 * DAY
"""Seconds after which a game ends that no one plays and to which no one is announced to return."""

CALL_AGAIN = 6 * HOUR
"""Seconds of a pause after which those whom the game waits for are called again when it ends."""

SILENCE = 7 * DAY
"""Seconds without an answer after which, without a clock, the others may let a computer play on."""

PROPOSAL_LIFE = DAY
"""Seconds for which a proposal keeps others of its kind from being made."""

AGAIN = HOUR
"""Seconds after which a team may be asked again whether it gives the game up; for all else it is `PROPOSAL_LIFE`."""

GONE = frozenset({StandInReason.ABSENT, StandInReason.HANDED})
"""The reasons why a computer plays for a player who has stopped answering."""


class Asked(Enum):
    """The players whose answer a proposal needs."""

    TEAM = "team"
    """The partners of the player who asks."""
    OPPONENTS = "opponents"
    """Everyone on another team, and everyone else whose action would go too."""
    OWNERS = "owners"
    """Every other owner of a seat: one who may come back has not agreed by being away."""
    PLAYERS = "players"
    """Every other player who is here or away, except the one whom it is about."""


@dataclass(frozen=True, slots=True)
class Need:
    """The consent that a kind of proposal needs: all who are asked, or `most` of those whom it does not concern."""

    asks: Asked
    most: bool = False


CONSENT: Mapping[ProposalKind, Need] = {
    ProposalKind.TAKEBACK: Need(Asked.OPPONENTS),
    ProposalKind.RESIGN: Need(Asked.TEAM),
    ProposalKind.HINTS: Need(Asked.OWNERS),
    ProposalKind.WAIT: Need(Asked.PLAYERS),
    ProposalKind.STAND_IN: Need(Asked.PLAYERS, most=True),
    ProposalKind.OFFER: Need(Asked.PLAYERS, most=True),
    ProposalKind.CANCEL: Need(Asked.OWNERS),
    ProposalKind.PAUSE: Need(Asked.PLAYERS),
    ProposalKind.RESUME: Need(Asked.PLAYERS),
}
"""By kind of proposal, the consent that it needs."""


def to_ask(table: Table, kind: ProposalKind, seat: int, about: int | None = None, number: int = 0) -> tuple[int, ...]:
    """Return the user ids of those who must answer a proposal of the player on `seat`, in the order of seats.

    `about`: the seat that the proposal concerns; `number`: the first action that would be taken back.
    """
    asker = table.occupants[seat].user_id
    concerned = None if about is None else table.occupants[about].user_id
    owners = [user for user in reachable(table) if user not in (asker, concerned)]
    match CONSENT[kind].asks:
        case Asked.TEAM:
            return tuple(user for user in owners if user in table.voices and _same_team(table, user, seat))
        case Asked.OPPONENTS:
            acted = {entry.seat for entry in (() if table.game is None else table.game.history(number))}
            asked = tuple(user for user in owners if not _same_team(table, user, seat) or table.owners[user] in acted)
            # Against computers alone, the partner is asked.
            return asked or tuple(owners)
        case Asked.OWNERS:
            return tuple(owners)
        case Asked.PLAYERS:
            return tuple(user for user in owners if user in table.voices)


def still_asked(table: Table, proposal: Proposal) -> tuple[int, ...]:
    """Return those who must still be asked, as far as their consent counts now."""
    owners = CONSENT[proposal.kind].asks in (Asked.OWNERS, Asked.OPPONENTS)
    counted = reachable(table) if owners else table.voices
    return tuple(user for user in proposal.must_agree if user in counted)


def is_agreed(proposal: Proposal) -> bool:
    """Return True if enough of those asked have said yes."""
    asked, agreed = set(proposal.must_agree), set(proposal.must_agree) & set(proposal.agreed)
    if CONSENT[proposal.kind].most:
        # The player who asks has a vote too; those who have gone since have none.
        return 2 * (1 + len(agreed)) > 1 + len(asked)
    return asked == agreed


def is_refused(proposal: Proposal) -> bool:
    """Return True if enough have said no that the others cannot decide it any more."""
    asked, refused = set(proposal.must_agree), set(proposal.must_agree) & set(proposal.refused)
    if CONSENT[proposal.kind].most:
        return 2 * (1 + len(asked - refused)) <= 1 + len(asked)
    return bool(refused)


def is_moot(table: Table, proposal: Proposal) -> bool:
    """Return True if a proposal about a seat has been answered by what happened at that seat."""
    about = proposal.about
    match proposal.kind:
        case ProposalKind.WAIT | ProposalKind.STAND_IN:
            decision = None if about is None else table.decision(about)
            return about not in table.waiting_for or decision is None or decision[1] != proposal.number
        case ProposalKind.OFFER:
            return about is None or about not in table.occupants or table.occupants[about].why not in GONE
        case ProposalKind.RESUME:
            return not table.paused_by_players
        case _:
            return False


def declined_until(proposal: Proposal, notes: Sequence[Note]) -> int | None:
    """Return from when the player may ask this again, if the others have refused it or it was withdrawn; else None.

    A proposal about a turn is a new one in the next turn. `notes`: what has happened at the table, oldest first.
    """
    span = AGAIN if proposal.kind is ProposalKind.RESIGN else PROPOSAL_LIFE
    since = proposal.at - span
    of_turn, declined = proposal.kind in (ProposalKind.WAIT, ProposalKind.STAND_IN), False
    for noted in reversed(notes):
        if noted.at <= since:
            return None
        data = noted.data
        if data.get("kind") != proposal.kind:
            continue
        if noted.kind is NoteKind.DECLINED:
            declined = True
        elif noted.kind is NoteKind.PROPOSED and noted.actor_id == proposal.user_id:
            asked_at = Moment.parse(str(data["move"])).number
            if data.get("about") == proposal.about and (not of_turn or asked_at == proposal.number):
                return noted.at + span if declined else None
    return None


def can_wait_longer(table: Table, seat: int) -> bool:
    """Return True if the others can ask each other to let a turn wait that has waited, and have not yet."""
    clock, asked = table.clocks.get(seat), table.proposals.get(ProposalKind.WAIT)
    is_asked = asked is not None and asked.about == seat
    return clock is not None and clock.ends_wait and not is_asked and len(table.others_of(seat)) >= FEWEST_TO_WAIT_ON


def is_notice(proposal: Proposal) -> bool:
    """Return True for an offer in a game of two, which needs no one's yes and waits for its day."""
    return proposal.kind is ProposalKind.OFFER and not proposal.must_agree


def has_begun(table: Table) -> bool:
    """Return True once the first card of the game has been played."""
    entries = () if table.game is None else table.game.history(1)
    return any(event.kind is EventKind.PLAYED for entry in entries for event in entry.events)


def reachable(table: Table) -> tuple[int, ...]:
    """Return the owners of seats, except those who have left the server."""
    return tuple(
        user for user, seat in table.owners.items() if table.occupants[seat].why is not StandInReason.LEFT_GUILD
    )


def _same_team(table: Table, user: int, seat: int) -> bool:
    return any({table.owners[user], seat} <= set(team) for team in table.board.teams)
