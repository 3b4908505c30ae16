"""Absent players: the others' choices when time is up, nudging, taking over, turns played for them, coming back."""

from __future__ import annotations

import sys
from dataclasses import replace
from enum import StrEnum

from bot import calls, clocks, consent
from bot.clocks import Rest, resting_until
from bot.errors import AlreadyNudged, HasTime, NotPossible, Problem, Resting, TurnOver, need_current
from bot.moment import Moment
from bot.occupants import USUAL, Person, StandInReason
from bot.pace import DAY
from bot.proposal import Proposal, ProposalKind
from bot.storage.rows import ActionRow
from bot.table import Automatic, NoteKind, Stage, Status, Table
from bot.tables import seating
from bot.tables.agreeing import ask_others, need_voice
from bot.tables.computers import think
from bot.tables.effects import Effect, News, NewsKind, need, need_game, need_no_cup, note
from bot.tables.endings import drop_person, is_last_player, remove_member, win_for_last
from bot.tables.friends import Friends, has_seen_hand
from bot.tables.playing import let_wait, play_action
from bot.tables.profiles import check_member
from bot.tables.transactions import Service
from engine import ActionKind, Game, Phase


class Remedy(StrEnum):
    """The choices of the others about a player who does not answer; see `bot.consent`."""

    WAIT = "wait"
    PLAY = "play"
    COMPUTER = "computer"
    OFFER = "offer"


class Absence(Service):
    """Seats whose players are missing."""

    async def answer_absence(
        self,
        table_id: int,
        person: Person,
        seat: int,
        remedy: Remedy,
        decision: Moment | None = None,
        waited: int | None = None,
    ) -> Table:
        """Decide, or ask the others, about the seat of a player who does not answer; any other player may.

        With a `decision`, only while that player is waited for with it.

        WAIT: the whole pace once more, once; later all others must agree. PLAY: a computer plays this turn. COMPUTER:
        without a clock, it plays on until the owner is back, if most others agree. OFFER: another member may take the
        seat over, if most others agree; in a game of two after two days. `waited`: how often the person knew that this
        turn had waited; if it is more, another has chosen the same, and nothing changes. Raises `WrongStatus`,
        `NotAtTable`, `OWN_SEAT`, `NO_SUCH_SEAT`, `COMPUTER_PLAYS`, `NOT_OVERDUE`, `NO_MORE_WAITING`, `NOT_SILENT`,
        `NOT_GONE`, `PROPOSAL_OPEN`, `Declined`, `IN_CUP`, `TurnOver`.
        """

        async def decide(table: Table) -> Effect:
            clock = table.clocks.get(seat)
            need_current(decision, None if clock is None else clock.decision, TurnOver())
            mine = seating.need_seat(table.occupants, person.id)
            if seat not in table.seats:
                raise NotPossible(Problem.NO_SUCH_SEAT)
            if seat == mine:
                raise NotPossible(Problem.OWN_SEAT)
            need_voice(table, person.id)
            now = self._now()
            if remedy is Remedy.OFFER:
                need(table, Status.PLAYING)
                need_no_cup(table)
                if table.occupants[seat].why not in consent.GONE or table.occupants[seat].offered:
                    raise NotPossible(Problem.NOT_GONE)
                return await self._ask(table, ProposalKind.OFFER, mine, seat, person.id)
            need_game(table)
            if remedy is Remedy.COMPUTER:
                if clock is None or not clock.silent:
                    raise NotPossible(Problem.NOT_SILENT)
                return await self._ask(table, ProposalKind.STAND_IN, mine, seat, person.id)
            if clock is not None and remedy is Remedy.WAIT and clock.waited:
                if waited is not None and clock.waited > waited:
                    return Effect(table)
                if len(table.others_of(seat)) < consent.FEWEST_TO_WAIT_ON:
                    raise NotPossible(Problem.NO_MORE_WAITING)
                return await self._ask(table, ProposalKind.WAIT, mine, seat, person.id)
            if clock is None or not clock.overdue:
                raise NotPossible(Problem.NOT_OVERDUE)
            if remedy is Remedy.WAIT:
                return let_wait(table, seat, person.id, now)
            return play_for(table, seat, now, by=person.id)

        return await self._change(table_id, decide)

    async def _ask(self, table: Table, kind: ProposalKind, mine: int, about: int, user_id: int) -> Effect:
        """Return the table with a proposal of the player on `mine` about another seat, or with what follows."""
        decision, now = table.decision(about), self._now()
        number = 0 if kind is ProposalKind.OFFER or decision is None else decision.number
        must_agree = consent.to_ask(table, kind, mine, about)
        proposal = Proposal(kind, mine, user_id, number, now, must_agree, about=about)
        return ask_others(table, proposal, await self._memory.notes(table.id))

    async def reclaim(self, table_id: int, person: Person) -> Table:
        """Give a person their seat back. Raises `WrongStatus`, `NotAtTable`, `NOTHING_TO_RECLAIM`."""

        async def decide(table: Table) -> Effect:
            need(table, Status.PLAYING, Status.PAUSED)
            seat = seating.need_seat(table.occupants, person.id)
            if not table.occupants[seat].may_reclaim:
                raise NotPossible(Problem.NOTHING_TO_RECLAIM)
            noted = note(table, NoteKind.RECLAIMED, self._now(), person.id, seat, name=person.name)
            occupants = seating.give_back(table.occupants, seat)
            if table.occupants[seat].why is StandInReason.FRIEND:
                return await Friends(self._transactions).pass_on(table, seat, occupants, noted)
            return Effect(replace(table, occupants=occupants), [noted])

        return await self._change(table_id, decide)

    async def take_over(self, table_id: int, person: Person, seat: int, *, rehearse: bool = False) -> Table:
        """Sit down on an abandoned or offered seat; from then on its hand is `person`'s.

        Raises `WrongStatus`, `Banned`, `AlreadySeated`, `NO_SUCH_SEAT`, `SEAT_NOT_OPEN`, `TooManyOfYours`, `IN_CUP`,
        `SAW_OTHER_HAND` for a member who had another seat in this game before, since no one may know two hands, and
        `NOT_ADMITTED` for those who may not join the host's tables, or this one unless most players have offered the
        seat to all. `rehearse`: nothing changes, but what it would raise is raised.
        """

        async def decide(table: Table) -> Effect:
            await self._profiles.check_ban(table.guild_id, person.id)
            settings = await self._profiles.guilds.get(table.guild_id)
            need(table, Status.PLAYING, Status.PAUSED)
            need_no_cup(table)
            occupants = seating.take_over(table.occupants, table.seats, person, seat)
            notes = await self._memory.notes(table.id)
            turned_away = person.id in seating.find_turned_away(notes)
            is_open = table.occupants[seat].why in consent.GONE or seating.admits(table, person)
            if turned_away or not is_open or await self._profiles.is_blocked(table, person):
                raise NotPossible(Problem.NOT_ADMITTED)
            for seen in notes:
                if seen.seat not in (None, seat) and has_seen_hand(seen, person.id):
                    raise NotPossible(Problem.SAW_OTHER_HAND)
            old = table.occupants[seat]
            names = {"name": person.name, "old_name": old.name, "old_user_id": old.user_id}
            noted = note(table, NoteKind.TAKEN_OVER, self._now(), person.id, seat, **names)
            news = [] if old.user_id is None else [News(NewsKind.TAKEN, seat, old.user_id)]
            effect = Effect(replace(table, occupants=occupants), [noted], news=news)
            return replace(effect, check=lambda change: check_member(change, settings, person))

        return await self._change(table_id, decide, rehearse=rehearse)

    async def nudge(self, table_id: int, person: Person, seat: int | None = None) -> tuple[int, ...]:
        """Remind those the game is waiting for (on `seat`, or on any), once per decision; returns whom to mention.

        Where a clock runs, that is possible from half of the time on. Raises `WrongStatus`, `NotAtTable`,
        `NOBODY_TO_NUDGE`, `YOU_FIRST`, `AlreadyNudged`, `HasTime`, `NOT_OVERDUE` if the clock does not run, `Resting`.
        """
        nudged: list[int] = []

        async def decide(table: Table) -> Effect:
            nudged.clear()
            need_game(table)
            seating.need_seat(table.occupants, person.id)
            now = self._now()
            waiting = {
                place: clock
                for place, clock in table.clocks.items()
                if clock.user_id != person.id and seat in (None, place) and place in table.waiting_for
            }
            if not waiting:
                raise NotPossible(Problem.NOBODY_TO_NUDGE)
            if person.id in table.waiting_for.values():
                raise NotPossible(Problem.YOU_FIRST)
            left = {place: clock for place, clock in waiting.items() if not clock.nudged}
            if not left:
                raise AlreadyNudged(next(iter(waiting.values())).user_id)
            late = {place: clock for place, clock in left.items() if clock.stage is not Stage.HALF}
            if not late:
                first = min(left.values(), key=lambda clock: clock.due_at or sys.maxsize)
                raise NotPossible(Problem.NOT_OVERDUE) if first.due_at is None else HasTime(first.user_id, first.due_at)
            left = late
            rests = await self._profiles.rests(clock.user_id for clock in left.values())
            asleep = {user_id: resting_until(now, rest) for user_id, rest in rests.items()}
            awake = {place: clock for place, clock in left.items() if asleep[clock.user_id] is None}
            if not awake:
                user_id = next(iter(left.values())).user_id
                raise Resting(user_id, asleep[user_id] or now)
            nudged.extend(clock.user_id for clock in awake.values())
            after = {**table.clocks, **{place: replace(clock, nudged=True) for place, clock in awake.items()}}
            notes = [note(table, NoteKind.NUDGED, now, person.id, place) for place in awake]
            return Effect(replace(table, clocks=after), notes)

        await self._transactions.change(table_id, decide)
        return tuple(nudged)

    async def wait_for_unreached(self, table_id: int, user_id: int, reason: str) -> Table:
        """Give a player a day more who cannot see the call for a decision, and whom no message reaches; once for each.

        `reason`: why they cannot, told to the others.
        """

        async def decide(table: Table) -> Effect:
            seat = table.played_by(user_id)
            clock, pace = None if seat is None else table.clocks.get(seat), table.pace.seconds
            if seat is None or clock is None or pace is None or clock.held or clock.overdue:
                return Effect(table)
            if clock.allowed > pace + clock.bank:
                return Effect(table)
            now, rest = self._now(), clocks.at_pace(await self._profiles.rest(user_id), table.terms.pace)
            longer = clocks.run(replace(clocks.hold(clock, now, rest), allowed=clock.allowed + DAY), now, rest)
            noted = note(table, NoteKind.UNREACHED, now, None, seat, reason=reason)
            return Effect(replace(table, clocks={**table.clocks, seat: longer}), [noted])

        return await self._change(table_id, decide)

    async def member_left(self, guild_id: int, user_id: int) -> tuple[Table, ...]:
        """Free the lobby seats of a member who has left the guild, and let computers play their games.

        Others may take those seats over; a member who comes back may reclaim theirs. A game that all its players have
        left ends. Returns the tables that changed.
        """
        await Friends(self._transactions).leave(user_id, guild_id)

        def decide(table: Table) -> Effect:
            seat = table.seat_of(user_id)
            if seat is None or not table.is_open or table.occupants[seat].why is StandInReason.LEFT_GUILD:
                return Effect(table)
            if table.status is Status.LOBBY:
                return remove_member(
                    table, user_id, StandInReason.LEFT_GUILD, self._now(), NoteKind.LEFT_GUILD, user_id
                )
            noted = note(table, NoteKind.LEFT_GUILD, self._now(), user_id, seat, name=table.occupants[seat].name)
            if is_last_player(table, seat):
                over = win_for_last(table, seat, self._now())
                return replace(over, notes=[noted, *over.notes])
            occupants = seating.stand_in(table.occupants, seat, StandInReason.LEFT_GUILD)
            effect = drop_person(table, occupants, Person(user_id, table.occupants[seat].name), self._now())
            return replace(effect, notes=[noted, *effect.notes])

        return await self._transactions.everywhere(guild_id, user_id, decide)


def bring_back(table: Table, user_id: int, now: int, before: Rest, after: Rest, *, call: bool = False) -> Effect:
    """Return the table with a person who was away back in their seat, if a computer played it meanwhile.

    Their clock continues where it stood: `before` and `after` say when it rests with and without the time away. With
    `call` they do not know yet: if the game is waiting for them, they are called again and get the whole time again.
    """
    seat = table.seat_of(user_id)
    if seat is None or table.status not in (Status.PLAYING, Status.PAUSED):
        return Effect(table)
    was, who = table, table.occupants[seat]
    noted = note(table, NoteKind.BACK, now, user_id, seat)
    if call:
        table = replace(table, messages=calls.call_again(table.messages, [seat]))
    call_again = frozenset({seat} & calls.find_called(was).keys() if call else ())
    if who.why in (StandInReason.AWAY, StandInReason.FRIEND):
        home = replace(table, occupants=seating.give_back(table.occupants, seat))
        return Effect(home, [noted], call_again=call_again)
    if who.plays != user_id or before == after:
        return Effect(was)
    rested = adjust_rest(table, now, user_id, before, after)
    pace = table.time_of(seat)
    if call and pace.seconds is not None and seat in rested.clocks:
        restarted = clocks.restart(rested.clocks[seat], pace, now, after)
        rested = replace(rested, clocks={**rested.clocks, seat: restarted})
    return Effect(rested, [noted], call_again=call_again)


def adjust_rest(table: Table, now: int, user_id: int, before: Rest, after: Rest) -> Table:
    """Return the table with this person's clocks adjusted to a different rest from now on; always a new snapshot."""
    pace = table.terms.pace
    before, after = clocks.at_pace(before, pace), clocks.at_pace(after, pace)
    adjusted = {
        seat: clocks.rest_differently(clock, now, before, after) if clock.user_id == user_id else clock
        for seat, clock in table.clocks.items()
    }
    return replace(table, clocks=adjusted)


def play_for(table: Table, seat: int, now: int, *, by: int | None) -> Effect:
    """Return the table after a computer has played this turn for an absent person; `by`: the player who chose that.

    Everything that belongs to the turn is played: a jump on offer, the play after a redraw. After `MOST_MISSED` such
    turns in a row, a computer plays on: that is news for the owner.
    """
    after, game = table, need_game(table)
    actions: list[ActionRow] = []
    notes = [note(table, NoteKind.AUTO_PLAYED, now, by, seat, user_id=table.occupants[seat].user_id)]
    games: list[Game] = []
    while True:
        phase = game.phase
        action = think(game, seat, USUAL)
        game = game.play(seat, action)
        effect = play_action(after, game, seat, action, Automatic.CLOCK, now)
        after = effect.after
        games.append(game)
        actions += effect.actions
        notes += effect.notes
        goes_on = game.phase is Phase.JUMP or (phase is Phase.REDRAW and action.kind is ActionKind.DISCARD)
        if not goes_on or game.to_act != (seat,):
            break
    owner = after.occupants[seat]
    occupants = {**after.occupants, seat: replace(owner, missed=owner.missed + 1)}
    news: list[News] = []
    if occupants[seat].missed >= clocks.MOST_MISSED and after.status is Status.PLAYING:
        occupants = dict(seating.stand_in(occupants, seat, StandInReason.ABSENT))
        notes.append(note(after, NoteKind.HANDED, now, None, seat, user_id=owner.user_id, name=owner.name))
        news.append(News(NewsKind.HANDED, seat, owner.user_id))
    return Effect(replace(after, occupants=occupants), notes, actions, news=news, games=games)
