"""Planning ahead: what a player leaves for the next decision of their seat, and what is then played in their name.

A plan is played as if its owner had pressed, where computers and forced folds are: before the table shows its next
state. So its time tells nothing that theirs would not. It lapses if it is not legal then, if the case is another one,
once its seat has acted, cards have been dealt, or something was taken back; then the player is called as usual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.errors import Conflict, NotPossible, Problem
from bot.moment import Moment
from bot.occupants import Person
from bot.plans import MOST, Case, Plan, Planned
from bot.preferences import Preferences
from bot.storage.games import GameWriter
from bot.table import Note, NoteKind, Table
from bot.tables import seating
from bot.tables.courses import Course, find_only_move
from bot.tables.effects import Effect, need_game
from bot.tables.playing import has_deal, play_action, plays_only_move
from bot.tables.transactions import Service
from bot.tables.turns import take_turn
from engine import Action, ActionKind, DogError, Entry, EventKind, StepKind
from engine.secret import whole


@dataclass(frozen=True, slots=True)
class Following:
    """An action to be played in its owner's name; `left`: the plans that stay, None if it was the only legal move."""

    seat: int
    action: Action
    left: Plan | None


class Planning(Service):
    """Plans of players."""

    def of(self, table: Table, user_id: int) -> Plan:
        """Return what a player has planned, without what has lapsed."""
        seat = table.seat_of(user_id)
        plan = None if seat is None else self._memory.plans(table.id).get(seat)
        if seat is None or plan is None or plan.user_id != user_id:
            return Plan(user_id)
        course = self._memory.course(table)
        return replace(plan, steps=tuple(step for step in plan.steps if _stands(table, course, seat, step)))

    async def add(self, table_id: int, person: Person, step: Planned) -> Plan:
        """Add a plan for the next decision of a person's seat, behind those there are.

        Raises `WrongStatus`, `NotAtTable`, `COMPUTER_PLAYS`, `NO_PLANS`, `PLAN_NOW`, `PLANS_FULL`.
        """
        return await self._save(table_id, person, step)

    async def drop(self, table_id: int, person: Person) -> Plan:
        """Drop all plans of a person for their seat. Raises `WrongStatus`, `NotAtTable`, `COMPUTER_PLAYS`."""
        return await self._save(table_id, person, None)

    async def _save(self, table_id: int, person: Person, step: Planned | None) -> Plan:
        async with self._transactions.hold(table_id) as table:
            need_game(table)
            seat = seating.need_play(table.occupants, person.id)
            if table.is_live:
                raise NotPossible(Problem.NO_PLANS)
            plan = self.of(table, person.id)
            if step is None:
                plan = replace(plan, steps=())
            else:
                if table.decision(seat) is not None:
                    raise NotPossible(Problem.PLAN_NOW)
                alike = [each for each in plan.steps if (each.case is Case.EXCHANGE) == (step.case is Case.EXCHANGE)]
                if len(alike) >= MOST:
                    raise NotPossible(Problem.PLANS_FULL)
                if step not in plan.steps:
                    plan = replace(plan, steps=(*plan.steps, step))
            await self._store.games.plan(table_id, seat, plan, self._transactions.channel_of(table.guild_id))
            self._memory.keep_plan(table_id, seat, plan)
            return plan


def _stands(table: Table, course: Course, seat: int, step: Planned) -> bool:
    """Return True if a plan has not lapsed: nothing taken back, no action of the seat and no deal since it was made."""
    if table.game is None or step.since.takebacks != table.takebacks:
        return False
    acted = [text for actor, text in whole(table.game).log[step.since.number :] if actor == seat]
    if step.case is Case.EXCHANGE:
        return not any(Action.parse(text).kind is ActionKind.GIVE for text in acted)
    return not acted and not has_deal(_since(course, step.since))


def _since(course: Course, since: Moment) -> Sequence[Entry]:
    """Return what has happened since a plan was made."""
    return course.entries(since.number + 1) if since.number < course.game.number else ()


def find_following(
    table: Table, course: Course, plans: Mapping[int, Plan], prefers: Mapping[int, Preferences], *, undone: bool
) -> Following | None:
    """Return what is to be played for a person who is asked now, as planned or because nothing else is legal.

    `prefers`: of those in `find_forced`, by user id. `undone`: the last thing that happened was a takeback, after which
    players choose for themselves.
    """
    game = need_game(table)
    exchanging = game.phase.is_exchange
    for seat, user_id in table.waiting_for.items():
        plan = plans.get(seat)
        following = None
        if plan is not None and plan.user_id == user_id and not undone:
            following = _find_planned(table, course, seat, plan, exchanging=exchanging)
        if plan is not None and following is not None:
            left = tuple(step for step in plan.steps if (step.case is Case.EXCHANGE) != exchanging)
            return Following(seat, following, replace(plan, steps=left, played=game.number + 1))
        if not undone and user_id in prefers and plays_only_move(table, prefers[user_id]):
            return Following(seat, game.legal(seat)[0], None)
    return None


def find_forced(table: Table) -> Mapping[int, int]:
    """Return by seat the people whose only legal move could be played for them; none in live games."""
    game, waiting = need_game(table), {} if table.is_live else table.waiting_for
    forced = (seat for seat in waiting if find_only_move(game, seat, alone=table.is_solo) is not None)
    return {seat: waiting[seat] for seat in forced}


def _find_planned(table: Table, course: Course, seat: int, plan: Plan, *, exchanging: bool) -> Action | None:
    """Return the first of these plans that is legal now, in the case for which it was made."""
    for step in plan.steps:
        if (step.case is Case.EXCHANGE) != exchanging or not _stands(table, course, seat, step):
            continue
        action = Action.parse(step.action)
        if not exchanging and not _has_come(step, seat, action, _since(course, step.since)):
            continue
        try:
            course.game.preview(seat, action)
        except DogError:
            continue
        return action
    return None


def _has_come(step: Planned, seat: int, action: Action, entries: Sequence[Entry]) -> bool:
    """Return True if the case of a plan has come, by what has happened since it was made."""
    events = [event for entry in entries for event in entry.events]
    theirs = [event for event in events if event.seat == step.seat]
    match step.case:
        case Case.OUT:
            return any(each.kind is StepKind.OUT for event in theirs for each in event.steps)
        case Case.HIT:
            return any(side == seat for event in theirs for each in event.steps for side, _ in each.sent_home)
        case Case.FOLDED:
            return any(event.kind is EventKind.FOLDED for event in theirs)
        case Case.UNTOUCHED:
            sides = {seat, *(part.side for part in action.parts if part.side is not None)}
            touched = {
                side
                for event in events
                for each in event.steps
                for side in (each.side, *(side for side, _ in each.sent_home), *(each.other[:1] if each.other else ()))
            }
            return not sides & touched
        case _:
            return True


def carry_out_following(table: Table, following: Following, now: int) -> Effect:
    """Return the table after that action; its plan is used up in the same transaction, if it is still there."""
    user_id, seat, left = table.waiting_for[following.seat], following.seat, following.left
    if left is None:
        # No one chose anything: it is no sign that the player is there, and missed turns count on.
        return play_action(table, need_game(table).play(seat, following.action), seat, following.action, user_id, now)
    effect = take_turn(table, seat, following.action, user_id, now)

    async def use(writer: GameWriter) -> None:
        if not await writer.use_plan(seat, left):
            raise Conflict(table.id)

    return replace(effect, check=use)


def is_undone(table: Table, notes: Sequence[Note]) -> bool:
    """Return True if a takeback was the last thing that changed the game."""
    undone = [noted.number for noted in notes if noted.kind is NoteKind.UNDONE]
    return bool(undone) and undone[-1] == table.number
