"""What is done for people who are not there: a turn played for them, and their return; pure functions."""

from __future__ import annotations

from dataclasses import replace

from bot.clocks import ticking
from bot.clocks.quiet import Rest
from bot.storage import ActionRow, NoteRow
from bot.table import PACES, USUAL, Automatic, NoteKind, StandInReason, Status, Table
from bot.tables import seating
from bot.tables.driver import think
from bot.tables.effects import Effect, need_game, played, woken
from engine import ActionKind, Game, Phase


def back(table: Table, user_id: int, now: int, before: Rest, after: Rest, *, call: bool = False) -> Effect:
    """The table with a person who was away back in their seat, if a computer played it meanwhile.

    Their clock continues where it stood: `before` and `after` say when it rests with and without the time away. With
    `call` they do not know yet: if the game is waiting for them, they are called again and get the whole time again.
    """
    seat = table.seat_of(user_id)
    if seat is None or table.status not in (Status.PLAYING, Status.PAUSED):
        return Effect(table)
    was, who = table, table.people[seat]
    note = NoteRow(table.number, NoteKind.BACK, now, user_id, seat, {})
    if call:
        table = replace(table, called={one: decision for one, decision in table.called.items() if one != seat})
    uncalled = frozenset({seat} & was.called.keys() if call else ())
    if who.why == StandInReason.AWAY:
        home = replace(table, people=seating.give_back(table.people, seat))
        return woken(table, Effect(home, [note], uncalled=uncalled))
    if who.plays != user_id or before == after:
        return Effect(was)
    rested = resting(table, now, user_id, before, after)
    pace = PACES[table.terms.pace]
    if call and pace is not None:
        anew = {one: ticking.again(clock, pace, now, after) for one, clock in rested.clocks.items() if one == seat}
        rested = replace(rested, clocks={**rested.clocks, **anew})
    return Effect(rested, [note], uncalled=uncalled)


def resting(table: Table, now: int, user_id: int, before: Rest, after: Rest) -> Table:
    """The table with this person's clocks adjusted to a different rest from now on; always a new snapshot."""
    clocks = {
        seat: ticking.rest_differently(clock, now, before, after) if clock.user_id == user_id else clock
        for seat, clock in table.clocks.items()
    }
    return replace(table, clocks=clocks)


def played_for(table: Table, seat: int, now: int, *, by: int | None) -> Effect:
    """The table after a computer has played this turn for an absent person; `by`: who chose that, if anybody did.

    Everything that belongs to the turn is played: a jump on offer, the play after a redraw. After `MOST_MISSED` turns
    in a row for which nobody chose it, a computer plays on.
    """
    after, game = table, need_game(table)
    actions: list[ActionRow] = []
    note = NoteRow(table.number, NoteKind.AUTO_PLAYED, now, by, seat, {"user_id": table.people[seat].user_id})
    notes = [note]
    games: list[Game] = []
    while True:
        phase = game.phase
        action = think(game, seat, USUAL)
        game = game.play(seat, action)
        effect = played(after, game, seat, action, Automatic.CLOCK, now)
        after = effect.after
        games.append(game)
        actions += effect.actions
        notes += effect.notes
        goes_on = game.phase is Phase.JUMP or (phase is Phase.REDRAW and action.kind is ActionKind.DISCARD)
        if not goes_on or game.to_act != (seat,):
            break
    owner = after.people[seat]
    people = {**after.people, seat: replace(owner, missed=owner.missed + (by is None))}
    if people[seat].missed >= ticking.MOST_MISSED and after.status is Status.PLAYING:
        people = dict(seating.stand_in(people, seat, USUAL, StandInReason.ABSENT))
        notes.append(
            NoteRow(game.number, NoteKind.HANDED, now, None, seat, {"user_id": owner.user_id, "name": owner.name})
        )
    return Effect(replace(after, people=people), notes, actions, games=games)
