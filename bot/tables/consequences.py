"""The consequences of each change: of who plays then (asleep, another host), and in a lobby. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot import consent
from bot.occupants import Occupant, StandInReason
from bot.table import FULL_LIFE, LOBBY_LIFE, STARTS_AFTER, NoteKind, Status, Table
from bot.tables import seating
from bot.tables.agreeing import can_carry_out, carry_out
from bot.tables.effects import Effect, NewsKind, chain, drop_proposal, note
from bot.tables.endings import last_player_of, win_for_last

FEWEST_TO_START = 2
"""The fewest people with whom a lobby starts by itself."""


def complete(before: Table, effect: Effect, at: int) -> Effect:
    """Return the effect, together with what follows from who plays now.

    Proposals ask only those whose consent counts; what all who are left have agreed to happens as soon as the last one
    missing goes. The game is asleep if no seat is played by a person any more (`_sleep`). It is won by the last player,
    whom all others have left, once no one plays it. Another person becomes host if the host of `before` has gone.
    """
    effect = _fill(before, _drop_proposals(effect, at), at)
    after = effect.after
    if after.asleep and after.paused_by is None and (last := last_player_of(after)) is not None:
        effect = chain(effect, win_for_last(after, last, at))
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


def _drop_proposals(effect: Effect, at: int) -> Effect:
    """Return the effect without proposals to those who have gone.

    A proposal lapses with its maker, with what it is about, or if there is no one left to ask.
    """
    table = effect.after
    for kind, proposal in table.proposals.items():
        must_agree = consent.still_asked(table, proposal)
        alone = not must_agree and bool(proposal.must_agree)
        kept = {**table.proposals, kind: replace(proposal, must_agree=must_agree)}
        if alone or proposal.user_id not in table.voices or consent.is_moot(table, proposal):
            kept = drop_proposal(table, kind)
        elif not consent.is_notice(proposal) and consent.is_agreed(kept[kind]) and can_carry_out(table, kind):
            return _drop_proposals(chain(effect, carry_out(table, kept[kind], at)), at)
        if kept != table.proposals:
            return _drop_proposals(replace(effect, after=replace(table, proposals=kept)), at)
    return effect


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


def _pass_on_host(before: Table, effect: Effect, at: int) -> Effect:
    """Return the effect, with another host if it makes the host of `before` go.

    A host has gone if they no longer have a seat (left, banned, taken over) or have left the guild; one who is only
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
    return seat is None or table.occupants[seat].why is StandInReason.LEFT_GUILD
