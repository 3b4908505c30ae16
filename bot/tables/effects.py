"""Effects of changes: pure functions from one snapshot of a table to the next, and writing the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from bot import clocks, consent
from bot.errors import BadTerms, Moderators, NotModerator, NotPossible, Problem, TooManySeated, WrongStatus
from bot.moment import Moment
from bot.occupants import Occupant, Person, StandInReason
from bot.pace import PACES, pace_of
from bot.preferences import LogEntry
from bot.storage.games import GameWriter
from bot.storage.rows import ActionRow, deadlines_of
from bot.table import (
    BY_PLAYERS,
    FULL_LIFE,
    LOBBY_LIFE,
    STARTS_AFTER,
    Actor,
    Automatic,
    Feature,
    Note,
    NoteKind,
    Proposal,
    ProposalKind,
    Status,
    Table,
    Terms,
)
from bot.tables import seating
from bot.tables.seating import Occupants
from engine import (
    SLOTS,
    SYSTEMS,
    Action,
    Board,
    Entry,
    EventKind,
    Game,
    Options,
    Phase,
    PublicGame,
    RuleSystem,
    board_for,
    place_of,
    spaces_to_home,
    why_refused,
)
from engine.rules.origins import check_origin
from engine.secret import whole

FEWEST_TO_START = 2
"""The fewest people with whom a lobby starts by itself."""


class Decision(StrEnum):
    """The reasons why a cup ends a game."""

    CAPPED = "capped"
    """Its rounds of cards are over."""
    PIECES = "pieces"
    """Its round of the cup is over."""
    COMPUTERS = "computers"
    MODERATOR = "moderator"
    CANCELLED = "cancelled"


class NewsKind(StrEnum):
    """Kinds of news from deadlines."""

    HALF = "half"
    NINETY = "ninety"
    UP = "up"
    HANDED = "handed"
    OFFERED = "offered"
    FREED = "freed"
    TAKEN = "taken"
    SEEKING = "seeking"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class News:
    """News that the state of a table does not show: for which seat, whose, and for which decision."""

    kind: NewsKind
    seat: int | None = None
    user_id: int | None = None
    decision: Moment | None = None


Check = Callable[[GameWriter], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a change: the next snapshot, notes, and the actions if there were any.

    `cut`: the first action taken back, if any. `logged`: a line for the guild's log. `games`: the game after each of
    the actions. `call_again`: the seats whose people are to be called again. `check`: looks at the store in the middle
    of the change, and raises a `TableError` to undo it. `news`: what else is to be said at the table.
    """

    after: Table
    notes: Sequence[Note] = ()
    actions: Sequence[ActionRow] = field(default=(), repr=False)
    cut: int | None = None
    logged: LogEntry | None = None
    games: Sequence[Game] = field(default=(), repr=False)
    call_again: frozenset[int] = frozenset()
    check: Check | None = None
    news: Sequence[News] = ()


def note(
    table: Table, kind: NoteKind, at: int, actor: int | None = None, seat: int | None = None, /, **data: object
) -> Note:
    """Return a note about what happened at this table."""
    return Note(kind, at, table.number, actor, seat, data)


def entry_of_game(table: Table, kind: str, at: int, actor: int | None = None) -> LogEntry:
    """Return what the guild's log channel is told of this table: one of the kinds in `FOR_CHANNEL`."""
    return LogEntry(table.guild_id, at, kind, actor, None, table.id)


def play_action(table: Table, game: Game, seat: int, action: Action, actor: Actor, at: int) -> Effect:
    """Return the table after an action that led to `game`; over if that was the last one.

    A requested takeback lapses if a player acts instead, or if cards are dealt. A proposal to concede does not.
    """
    after = replace(table, game=PublicGame(game))
    if table.proposals and (actor not in (Automatic.COMPUTER, Automatic.RULE) or has_deal(game.history(game.number))):
        after = replace(after, proposals=drop_proposal(table, ProposalKind.TAKEBACK))
    notes: Sequence[Note] = ()
    if game.phase is Phase.END:
        after, notes = _win(after, game.winners, at)
    elif table.cap is not None and game.round > table.cap:
        ended = end_by_cup(after, leading_team(game), Decision.CAPPED, at)
        after, notes = ended.after, ended.notes
    return Effect(after, notes, [ActionRow(game.number, seat, str(action), actor, at)], games=[game])


def end_by_cup(table: Table, won: Sequence[int] | None, how: Decision, at: int) -> Effect:
    """Return a game that its cup ends for the seats of a team, or for none."""
    told = note(table, NoteKind.DECIDED, at, how=how)
    if won is None or table.game is None:
        return call_off(table, at, told)
    over, ended = _win(table, won, at)
    return Effect(over, [told, *ended])


def _win(table: Table, team: Sequence[int], at: int) -> tuple[Table, Sequence[Note]]:
    """Return the table with its game over, won by these seats, and the note about it."""
    over = replace(table, status=Status.OVER, ended_at=at, won=tuple(team), proposals={})
    return over, [note(over, NoteKind.ENDED, at, winners=list(team))]


def call_off(table: Table, at: int, told: Note) -> Effect:
    """Return a lobby or game that has ended without a winner; `told`: the note about it."""
    return Effect(replace(table, status=Status.CANCELLED, ended_at=at, proposals={}), [told])


def leading_team(game: Game) -> Sequence[int] | None:
    """Return the team with more pieces home, or else with less left to walk; None if those are equal."""
    placed = game.view().pieces
    ranked = {team: _far(game.board, team, placed) for team in game.board.teams}
    best = max(ranked.values())
    first = [team for team, far in ranked.items() if far == best]
    return first[0] if len(first) == 1 else None


def count_home(board: Board, team: Sequence[int], placed: Mapping[int, tuple[str, ...]]) -> int:
    """Return how many pieces of a team are in its lanes."""
    return sum(place_of(piece) in SLOTS for side in team for piece in placed[side])


def _far(board: Board, team: Sequence[int], placed: Mapping[int, tuple[str, ...]]) -> tuple[int, int]:
    """Return how far a team is: its pieces home, and how little its other pieces have left to walk."""
    left = sum(spaces_to_home(board, side, piece) for side in team for piece in placed[side])
    return count_home(board, team, placed), -left


def complete(before: Table, effect: Effect, at: int) -> Effect:
    """Return the effect, together with what follows from who plays now.

    Questions ask only those whose consent counts; what all who are left have agreed to happens as soon as the last one
    missing goes. The game is asleep if no seat is played by a person any more (`_sleep`). It is won by the last player,
    whom all others have left, once no one plays it. Another person becomes host if the host of `before` has gone.
    """
    effect = _fill(before, _drop_questions(effect, at), at)
    after = effect.after
    if after.asleep and after.paused_by is None and (last := _last_player_of(after)) is not None:
        effect = _chain(effect, win_for_last(after, last, at))
    elif after.status is Status.PLAYING:
        effect = _sleep(before, effect, at)
    return _note_sitters(before, _pass_on_host(before, effect, at), at)


def _sleep(before: Table, effect: Effect, at: int) -> Effect:
    """Return the effect, with a note when a game falls asleep, and when that ends it: not if one will be back."""
    after = effect.after
    expected = any(who.why is StandInReason.AWAY for who in after.occupants.values())
    ends = after.paused_until or at + consent.ASLEEP if after.asleep and not expected else None
    if ends != after.paused_until:
        effect = replace(effect, after=replace(after, paused_until=ends))
    if not after.asleep or (before.status is Status.PLAYING and before.asleep):
        return effect
    return replace(effect, notes=[*effect.notes, note(after, NoteKind.ASLEEP, at)])


def _fill(before: Table, effect: Effect, at: int) -> Effect:
    """Return the effect, with when a lobby of several people starts by itself, and when it ends.

    It starts a while after a player has taken the last seat. That begins anew when seats or terms change, so that all
    see what they are about to play. A computer on the last seat starts nothing: the host does, who is held up too after
    terms were changed for players who sat there (`delay_start`).
    """
    after = effect.after
    if after.status is not Status.LOBBY:
        return effect
    alone = len(after.owners) < FEWEST_TO_START
    if alone and after.not_before is not None:
        after = replace(after, not_before=None)
    if after.free or alone:
        if before.full_since is not None:
            after = replace(after, full_since=None, starts_at=None, expires_at=at + LOBBY_LIFE)
        return replace(effect, after=after)
    sat = not after.owners.keys() <= before.owners.keys()
    if sat or before.full_since is None:
        # Those who sat here when the terms changed are called now.
        held = None if after.not_before is None else at + STARTS_AFTER
        after = replace(after, full_since=at, not_before=held, expires_at=at + FULL_LIFE)
    differs = (before.owners, before.terms) != (after.owners, after.terms)
    filled = before.full_since is None and _count_computers(after) <= _count_computers(before)
    may_again = before.terms.by_hand or before.lost is not None
    if after.terms.by_hand or after.lost is not None:
        after = replace(after, starts_at=None)
    elif sat or filled or may_again or (differs and after.starts_at is not None):
        after = replace(after, starts_at=at + STARTS_AFTER)
    return replace(effect, after=after)


def delay_start(table: Table, at: int) -> Table:
    """Return a lobby whose host has changed what is played: the others get as long to see it as before any start."""
    others = table.owners.keys() - {table.host_id}
    return replace(table, not_before=at + STARTS_AFTER) if others else table


def _count_computers(table: Table) -> int:
    """Return how many computer players sit at a table."""
    return sum(who.is_computer for who in table.occupants.values())


def _note_sitters(before: Table, effect: Effect, at: int) -> Effect:
    """Return the effect, with a note for each seat that changes its player, and at the start for all."""
    after = effect.after
    if after.game is None:
        return effect
    was = {} if before.game is None else before.occupants
    friends = {noted.seat: noted.data["name"] for noted in effect.notes if noted.kind is NoteKind.STANDS_IN}
    notes = [
        note(
            after,
            NoteKind.SITS,
            at,
            None,
            seat,
            name=friends.get(seat, who.name),
            user_id=who.user_id if who.plays is None else who.plays,
            computer=who.computer,
        )
        for seat, who in sorted(after.occupants.items())
        if seat not in was or _sits(was[seat]) != _sits(who)
    ]
    return replace(effect, notes=[*notes, *effect.notes]) if notes else effect


def _sits(who: Occupant) -> tuple[int | None, str | None, int | None]:
    """Return what is noted of who plays a seat."""
    return who.user_id, who.computer, who.plays


def _drop_questions(effect: Effect, at: int) -> Effect:
    """Return the effect without questions to those who have gone.

    A question lapses with its maker, with what it is about, or if there is no one left to ask.
    """
    table = effect.after
    for kind, proposal in table.proposals.items():
        must_agree = consent.still_asked(table, proposal)
        alone = not must_agree and bool(proposal.must_agree)
        kept = {**table.proposals, kind: replace(proposal, must_agree=must_agree)}
        if alone or proposal.user_id not in table.voices or consent.is_moot(table, proposal):
            kept = drop_proposal(table, kind)
        elif not consent.is_notice(proposal) and consent.is_agreed(kept[kind]) and can_carry_out(table, kind):
            return _drop_questions(_chain(effect, carry_out(table, kept[kind], at)), at)
        if kept != table.proposals:
            return _drop_questions(replace(effect, after=replace(table, proposals=kept)), at)
    return effect


def _chain(effect: Effect, done: Effect) -> Effect:
    """Return an effect together with one that follows from its table."""
    return replace(
        effect,
        after=done.after,
        notes=[*effect.notes, *done.notes],
        cut=effect.cut if done.cut is None else done.cut,
        call_again=effect.call_again | done.call_again,
        news=[*effect.news, *done.news],
    )


def drop_proposal(table: Table, kind: ProposalKind) -> dict[ProposalKind, Proposal]:
    """Return the table's proposals except this one."""
    return {other: proposal for other, proposal in table.proposals.items() if other != kind}


def has_deal(entries: Sequence[Entry]) -> bool:
    """Return True if cards were dealt."""
    return any(event.kind is EventKind.DEALT for entry in entries for event in entry.events)


def take_back(table: Table, number: int, seat: int, user_id: int, now: int, *, agreed: bool = False) -> Effect:
    """Return the table as it was before action `number`, for the member who asked; `agreed`: others had to agree.

    Seats that are still being asked the same as before keep that decision; they are not asked again. Raises
    `ACROSS_DEAL` if cards have been dealt since.
    """
    game = need_game(table)
    if has_deal(game.history(number)):
        raise NotPossible(Problem.ACROSS_DEAL)
    before = game.earlier(number - 1)
    acted = {actor for actor, _ in game.log[number - 1 :]}
    takebacks = table.takebacks + 1
    same = {each for each in table.seats if each not in acted and game.decision(each) == before.decision(each)}
    asked_since = {each: table.asked_since.get(each, 0) if each in same else takebacks for each in table.seats}
    # The turns that these questions are about are over.
    gone = (ProposalKind.TAKEBACK, ProposalKind.WAIT, ProposalKind.STAND_IN)
    left = {kind: proposal for kind, proposal in table.proposals.items() if kind not in gone}
    after = replace(table, game=PublicGame(before), takebacks=takebacks, asked_since=asked_since, proposals=left)
    count = game.number - before.number
    noted = note(after, NoteKind.UNDONE, now, user_id, seat, number=number, count=count, agreed=agreed)
    return Effect(after, [noted], cut=number)


def can_carry_out(table: Table, kind: ProposalKind) -> bool:
    """Return True if what was asked can be done while the table has this status, and nothing is off that it takes."""
    if kind is ProposalKind.HINTS and Feature.HINTS in table.off:
        return False
    while_paused = (ProposalKind.CANCEL, ProposalKind.PAUSE, ProposalKind.RESUME)
    return table.status is Status.PLAYING or (table.status is Status.PAUSED and kind in while_paused)


def carry_out(table: Table, proposal: Proposal, at: int) -> Effect:
    """Return the table after a question was agreed on. Raises `ACROSS_DEAL`."""
    who, seat, about = proposal.user_id, proposal.seat, proposal.about
    table = replace(table, proposals=drop_proposal(table, proposal.kind))
    match proposal.kind:
        case ProposalKind.TAKEBACK:
            return take_back(table, proposal.number, seat, who, at, agreed=True)
        case ProposalKind.HINTS:
            after = replace(table, terms=replace(table.terms, hints=True))
            return Effect(after, [note(table, NoteKind.CHANGED, at, who, seat, hints=True)])
        case ProposalKind.CONCEDE:
            teams = need_game(table).board.teams
            won = next(team for team in teams if seat not in team)
            lost = next(team for team in teams if seat in team)
            over, ended = _win(table, won, at)
            return Effect(over, [note(table, NoteKind.CONCEDED, at, who, seat, seats=list(lost)), *ended])
        case ProposalKind.CANCEL:
            return cancel_game(table, Person(who, table.occupants[seat].name), at)
        case ProposalKind.PAUSE:
            by = BY_PLAYERS if table.paused_by is None else table.paused_by
            after = replace(table, status=Status.PAUSED, paused_by=by, paused_until=at + consent.PAUSE)
            return Effect(after, [note(table, NoteKind.PAUSED, at, who, seat)])
        case ProposalKind.RESUME:
            return resume_game(table, at, who, seat)
        case ProposalKind.WAIT | ProposalKind.STAND_IN | ProposalKind.OFFER:
            assert about is not None, "these questions concern a seat"
            return _decide_about(table, proposal.kind, about, who, at)


def _decide_about(table: Table, kind: ProposalKind, seat: int, by: int, at: int) -> Effect:
    """Return the table after the others have decided about the seat of a player who does not answer."""
    owner = table.occupants[seat]
    if kind is ProposalKind.WAIT:
        return let_wait(table, seat, by, at)
    if kind is ProposalKind.STAND_IN:
        after = replace(table, occupants=seating.stand_in(table.occupants, seat, StandInReason.HANDED))
        told, due = NoteKind.HANDED, NewsKind.HANDED
    else:
        after = replace(table, occupants={**table.occupants, seat: replace(owner, offered=True)})
        told, due = NoteKind.OFFERED, NewsKind.OFFERED
    noted = note(table, told, at, by, seat, user_id=owner.user_id, name=owner.name)
    return Effect(after, [noted], news=[News(due, seat, owner.user_id)])


def let_wait(table: Table, seat: int, by: int, at: int) -> Effect:
    """Return the table with a turn that waits for one more pace, which begins when the change is committed."""
    clock, owner, pace = table.clocks[seat], table.occupants[seat], table.pace.seconds
    assert pace is not None, "without a pace nothing runs out"
    noted = note(table, NoteKind.WAITED, at, by, seat, user_id=owner.user_id, name=owner.name)
    return Effect(replace(table, clocks={**table.clocks, seat: clocks.wait_again(clock, pace)}), [noted])


def resume_game(table: Table, at: int, by: int | None = None, seat: int | None = None, **data: object) -> Effect:
    """Return the table after a pause, with the time each had left; after a long one, they are called again."""
    after = replace(table, status=Status.PLAYING, paused_by=None, paused_until=None)
    long_ = table.paused_until is None or at >= table.paused_until - consent.PAUSE + consent.CALL_AGAIN
    again = frozenset(after.waiting_for.keys() & after.called.keys() if long_ else ())
    after = replace(after, messages=after.messages_calling_again(again))
    return Effect(after, [note(table, NoteKind.RESUMED, at, by, seat, **data)], call_again=again)


def find_unattended(before: Table, after: Table) -> Mapping[int, int]:
    """Return by seat the friends who played for others, and have stopped answering."""
    return {
        seat: who.friend
        for seat, who in before.occupants.items()
        if who.why is StandInReason.FRIEND and who.friend is not None
        if seat in after.occupants and after.occupants[seat].why in consent.GONE
    }


def excuse_owner(effect: Effect, seat: int, friend: int, at: int) -> Effect:
    """Return an effect that hands a seat to a computer, as that of an owner who is away and of a friend who stops."""
    after = effect.after
    occupants = seating.stand_in(after.occupants, seat, StandInReason.AWAY)
    notes = [noted for noted in effect.notes if (noted.kind, noted.seat) != (NoteKind.HANDED, seat)]
    return replace(
        effect,
        after=replace(after, occupants=occupants),
        notes=[*notes, note(after, NoteKind.STOOD_DOWN, at, friend, seat, user_id=friend)],
        news=[each for each in effect.news if (each.kind, each.seat) != (NewsKind.HANDED, seat)],
    )


def drop_person(table: Table, occupants: Occupants, person: Person, at: int) -> Effect:
    """Return the table after `person` has gone; cancelled if all others have left the server, or the game, before."""
    after = replace(table, occupants=occupants)
    return Effect(after) if consent.reachable(after) else cancel_game(after, person, at, deserted=True)


def end_asleep(table: Table, at: int) -> Effect:
    """Return a game that no one has played for long, ended without a winner."""
    return call_off(table, at, note(table, NoteKind.CANCELLED, at, asleep=True))


def remove_member(
    table: Table, user_id: int, why: StandInReason, at: int, kind: NoteKind, by: int, /, **data: Any
) -> Effect:
    """Return the table without a member: their seat is free in a lobby, a computer's in a game; `by`: who did that."""
    seat = table.seat_of(user_id)
    if seat is None or not table.is_open:
        return Effect(table)
    gone = Person(user_id, table.occupants[seat].name)
    if table.status is Status.LOBBY:
        return drop_person(table, seating.leave(table.occupants, user_id), gone, at)
    told = note(table, kind, at, by, seat, name=gone.name, **data)
    if is_last_player(table, seat):
        return _chain(Effect(table, [told]), win_for_last(table, seat, at))
    effect = drop_person(table, seating.vacate(table.occupants, user_id, why), gone, at)
    return replace(effect, notes=[told, *effect.notes])


def is_last_player(table: Table, seat: int) -> bool:
    """Return True if a game ends once the player on this seat leaves: the last one, whom all opponents have left."""
    if any(user != table.occupants[seat].user_id for user in consent.reachable(table)) or not consent.has_begun(table):
        return False
    team = next(team for team in table.board.teams if seat in team)
    left = (StandInReason.RESIGNED, StandInReason.BANNED, StandInReason.LEFT)
    return all(table.occupants[other].why in left for other in table.seats if other not in team)


def win_for_last(table: Table, seat: int, at: int) -> Effect:
    """Return the table, won by the team of the last of several players: those who left before have lost."""
    won = next(team for team in table.board.teams if seat in team)
    return Effect(*_win(replace(table, occupants=seating.give_back(table.occupants, seat)), won, at))


def _last_player_of(table: Table) -> int | None:
    """Return the seat of the only player who has not left an open game, if all opponents have; None otherwise."""
    left = consent.reachable(table) if table.is_open else ()
    seat = table.seat_of(left[0]) if len(left) == 1 else None
    return seat if seat is not None and is_last_player(table, seat) else None


def cancel_game(table: Table, person: Person, at: int, reason: str = "", *, deserted: bool = False) -> Effect:
    """Return the table, ended without a winner by `person`.

    `reason`: why a moderator did so; `deserted`: all its players have left, `person` as the last one.
    """
    why: dict[str, object] = {"reason": reason} if reason else {"deserted": True} if deserted else {}
    return call_off(table, at, note(table, NoteKind.CANCELLED, at, person.id, name=person.name, **why))


def ask_others(table: Table, proposal: Proposal, notes: Sequence[Note] = ()) -> Effect:
    """Return the table with a question that waits for answers, or what follows if there is no one to ask.

    Asking the same again changes nothing; asking the question that one is asked is a yes. `notes`: what has happened at
    the table, where that is a bound. Raises `QUESTION_OPEN`, and `DECLINED` for what the others have just refused.
    """
    before = table.proposals.get(proposal.kind)
    if before is not None and (before.number, before.about) == (proposal.number, proposal.about):
        if before.user_id == proposal.user_id:
            return Effect(table)
        if proposal.user_id in before.must_agree:
            return record_answer(table, before, proposal.user_id, proposal.at, yes=True)
    own = (ProposalKind.TAKEBACK, ProposalKind.CONCEDE)
    if before is not None and before.kind not in own and proposal.at - before.at < consent.QUESTION:
        raise NotPossible(Problem.QUESTION_OPEN)
    if consent.was_declined(proposal, notes):
        raise NotPossible(Problem.DECLINED)
    if consent.is_agreed(proposal) and not consent.is_notice(proposal):
        return carry_out(table, proposal, proposal.at)
    said: dict[str, object] = {"kind": proposal.kind, "move": str(Moment(table.takebacks, proposal.number))}
    if proposal.about is not None:
        said["about"] = proposal.about
    noted = note(table, NoteKind.PROPOSED, proposal.at, proposal.user_id, proposal.seat, **said)
    return Effect(replace(table, proposals={**table.proposals, proposal.kind: proposal}), [noted])


def record_answer(table: Table, proposal: Proposal, user_id: int, at: int, *, yes: bool) -> Effect:
    """Return the table after one of those asked has answered, for the first time or otherwise than before."""
    agreed = [user for user in proposal.agreed if user != user_id]
    refused = [user for user in proposal.refused if user != user_id]
    (agreed if yes else refused).append(user_id)
    after = replace(proposal, agreed=tuple(agreed), refused=tuple(refused))
    if consent.is_agreed(after):
        return carry_out(table, after, at)
    if not consent.is_refused(after):
        return Effect(replace(table, proposals={**table.proposals, proposal.kind: after}))
    seat = table.seat_of(user_id)
    noted = note(table, NoteKind.DECLINED, at, user_id, seat, kind=proposal.kind, withdrawn=False)
    return Effect(replace(table, proposals=drop_proposal(table, proposal.kind)), [noted])


def check_terms(terms: Terms) -> None:
    """Raise `BadTerms` for impossible terms, and the engine's `SetupError` for house rules."""
    if terms.system not in SYSTEMS:
        raise BadTerms("system", terms.system, tuple(SYSTEMS))
    system = SYSTEMS[terms.system]
    if terms.players not in system.players:
        raise BadTerms("players", terms.players, system.players)
    if pace_of(terms.pace) is None:
        raise BadTerms("pace", terms.pace, tuple(PACES))
    board = board_for(terms.system, terms.players, terms.options)
    if terms.origin is not None:
        check_origin(board, terms.origin)


def fit_options(system: RuleSystem, players: int, options: Options) -> Options:
    """Return these house rules without those that this many players cannot choose in a system."""
    while (refused := why_refused(system, players, options)) is not None:
        options = replace(options, **{refused[0]: getattr(Options(), refused[0])})
    return options


def fit_terms(terms: Terms, given: Container[str], seated: int) -> Terms:
    """Return the terms with whatever was not `given` (fields of `Terms`) brought in line with the rule system.

    The number of players becomes the nearest that the system knows and at which the `seated` people have seats; house
    rules that it does not have go. Raises `TooManySeated`.
    """
    if terms.system in SYSTEMS and "players" not in given:
        most = max(SYSTEMS[terms.system].players)
        allowed = [players for players in SYSTEMS[terms.system].players if players >= seated]
        if not allowed:
            raise TooManySeated(most, seated)
        terms = replace(terms, players=min(allowed, key=lambda players: (abs(players - terms.players), -players)))
    if terms.players < seated:
        raise TooManySeated(terms.players, seated)
    system = SYSTEMS.get(terms.system)
    if "options" not in given and system is not None and terms.players in system.players:
        terms = replace(terms, options=fit_options(system, terms.players, terms.options))
    return terms


def need(table: Table, *statuses: Status) -> None:
    """Raise `WrongStatus` unless the table has one of these; `IN_CUP` for one of a cup that waits to be begun."""
    if table.status not in statuses:
        raise WrongStatus(table.status, statuses)
    if table.status is Status.LOBBY:
        need_no_cup(table)


def need_no_cup(table: Table) -> None:
    """Raise `IN_CUP` at a table of a cup: its players neither end it without a result nor give seats away."""
    if table.cup_id is not None:
        raise NotPossible(Problem.IN_CUP)


def need_outsider(notes: Sequence[Note], person: Person) -> None:
    """Raise `NotModerator` for one who has played this game: players who have left it, or lost it, do not judge it."""
    if seating.has_played(notes, person.id):
        raise NotModerator(Moderators.MODERATOR)


def need_game(table: Table) -> Game:
    """Return the game being played. Raises `WrongStatus`."""
    if table.status is not Status.PLAYING or table.game is None:
        raise WrongStatus(table.status, (Status.PLAYING,))
    return whole(table.game)


def new_people(before: Table | None, after: Table) -> dict[int, str]:
    """Return the names of those who have a seat, and had none at this table before, by their ids."""
    known = before.owners if before is not None else {}
    return {user_id: after.occupants[seat].name for user_id, seat in after.owners.items() if user_id not in known}


async def write(writer: GameWriter, before: Table, effect: Effect) -> None:
    """Write what an effect changes besides the game's row: rows that differ between the snapshots, actions, notes."""
    after = effect.after
    if effect.call_again:
        await writer.call_again(effect.call_again)
    if after.occupants != before.occupants:
        await writer.seat(after.occupants)
        await writer.meet(after.guild_id, new_people(before, after))
    if effect.cut is not None:
        await writer.cut(effect.cut)
    for action in effect.actions:
        await writer.append(action)
    await writer.note(*effect.notes)
    await writer.set_deadlines(deadlines_of(after), deadlines_of(before))
    if after.proposals != before.proposals:
        await writer.propose(after.proposals)
    if effect.logged is not None:
        await writer.log(effect.logged)


def _pass_on_host(before: Table, effect: Effect, at: int) -> Effect:
    """Return the effect, with another host if it makes the host of `before` go.

    A host has gone if they no longer have a seat (resigned, banned, taken over) or have left the guild; one who is only
    absent or away remains host. While no person plays, the host remains.
    """
    after = effect.after
    if not after.is_open or not _is_host_gone(after):
        return effect
    old = before.seat_of(after.host_id)
    first = 0 if old is None else after.seats.index(old) + 1
    order = (*after.seats[first:], *after.seats[:first])
    playing = (after.occupants[seat].plays for seat in order if seat in after.occupants)
    heir = next((user_id for user_id in playing if user_id in after.owners), None)
    if heir is None:
        return effect
    hosted = replace(after, host_id=heir, host_seen=at)
    return replace(effect, after=hosted, notes=[*effect.notes, note(after, NoteKind.HOSTED, at, heir)])


def _is_host_gone(table: Table) -> bool:
    seat = table.seat_of(table.host_id)
    return seat is None or table.occupants[seat].why is StandInReason.LEFT
