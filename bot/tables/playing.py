"""Actions, taking them back, turns that wait, and the end of a pause. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot import clocks, consent
from bot.calls import call_again, find_called
from bot.errors import NotPossible, Problem
from bot.preferences import OnlyMove, Preferences
from bot.proposal import ProposalKind
from bot.storage.rows import ActionRow
from bot.table import Actor, Automatic, Note, NoteKind, Status, Table
from bot.tables.effects import Effect, drop_proposal, need_game, note
from bot.tables.endings import CupEnding, end_by_cup, leading_team, win_game
from engine import Action, Entry, EventKind, Game, Phase, PublicGame

USUAL = OnlyMove.SLOW
"""The games in which the only legal move is played for a person who has not chosen."""


def play_action(table: Table, game: Game, seat: int, action: Action, actor: Actor, at: int) -> Effect:
    """Return the table after an action that led to `game`; over if that was the last one.

    A requested takeback lapses if a player acts instead, or if cards are dealt. A proposal to resign does not.
    """
    after = replace(table, game=PublicGame(game))
    if table.proposals and (actor not in (Automatic.COMPUTER, Automatic.RULE) or has_deal(game.history(game.number))):
        after = replace(after, proposals=drop_proposal(table, ProposalKind.TAKEBACK))
    notes: Sequence[Note] = ()
    if game.phase is Phase.END:
        after, notes = win_game(after, game.winners, at)
    elif table.cap is not None and game.round > table.cap:
        ended = end_by_cup(after, leading_team(game), CupEnding.CAPPED, at)
        after, notes = ended.after, ended.notes
    return Effect(after, notes, [ActionRow(game.number, seat, str(action), actor, at)], games=[game])


def has_deal(entries: Sequence[Entry]) -> bool:
    """Return True if cards were dealt."""
    return any(event.kind is EventKind.DEALT for entry in entries for event in entry.events)


def plays_only_move(table: Table, prefers: Preferences) -> bool:
    """Return True if a person's only legal move is played for them at this table, by their choice or usually.

    Alone with computers only by choice: no one waits there.
    """
    if prefers.only_move is None and table.is_solo:
        return False
    match prefers.only_move or USUAL:
        case OnlyMove.NEVER:
            return False
        case OnlyMove.ALL:
            return not table.is_live
        case _:
            return table.is_slow


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
    # The turns that these proposals are about are over.
    gone = (ProposalKind.TAKEBACK, ProposalKind.WAIT, ProposalKind.STAND_IN)
    left = {kind: proposal for kind, proposal in table.proposals.items() if kind not in gone}
    after = replace(table, game=PublicGame(before), takebacks=takebacks, asked_since=asked_since, proposals=left)
    count = game.number - before.number
    noted = note(after, NoteKind.UNDONE, now, user_id, seat, number=number, count=count, agreed=agreed)
    return Effect(after, [noted], cut=number)


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
    again = frozenset(after.waiting_for.keys() & find_called(after).keys() if long_ else ())
    after = replace(after, messages=call_again(after.messages, again))
    return Effect(after, [note(table, NoteKind.RESUMED, at, by, seat, **data)], call_again=again)
