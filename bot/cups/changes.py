"""The course of a cup: entries, rounds, outcomes, places; and who may do what to it. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.cup import MISSED, Cup, CupCourse, CupEntry, CupPlan, CupStage, How, Match, Outcome, Round, Side, is_pair
from bot.cups.hints import is_much
from bot.cups.ladder import end_of
from bot.cups.pairing import complete_pairs
from bot.cups.standings import Standing, standings
from bot.errors import CupProblem, NotInCup
from bot.occupants import USUAL, Occupant, Person, Scope
from bot.tables.cup_games import Ended
from bot.tables.endings import CupEnding
from bot.tables.terms import fit_options
from engine import SYSTEMS


def is_host(cup: Cup, person: Person) -> bool:
    """Return True if a person runs a cup: its host, or a moderator of the guild."""
    return person.id == cup.host_id or Scope.MODERATE_GUILD in person.moderates


def need_host(cup: Cup, person: Person) -> None:
    """Raise `NOT_YOURS` unless a person runs a cup."""
    if not is_host(cup, person):
        raise NotInCup(CupProblem.NOT_YOURS)


def need_arbiter(cup: Cup, person: Person) -> None:
    """Raise `NOT_YOURS` unless a person runs a cup, and `OWN_CUP` if they play in it: moderators are players there."""
    need_host(cup, person)
    if has_stake(cup, cup.entry_of(person.id)):
        raise NotInCup(CupProblem.OWN_CUP)


def has_stake(cup: Cup, entry: CupEntry | None) -> bool:
    """Return True if a player is in the round that is played; in a ladder, those who have left have won games too."""
    return entry is not None and (cup.plan.is_ladder or entry.plays(len(cup.rounds)))


def takes_entries(cup: Cup) -> bool:
    """Return True if a cup can be entered: before it begins, in a Swiss course until the last draw, a ladder always."""
    if cup.stage is CupStage.RUNNING:
        return cup.plan.is_ladder or (cup.plan.course is CupCourse.SWISS and len(cup.rounds) < cup.plan.rounds)
    return cup.stage is CupStage.OPEN


def outcome_of(cup: Cup, match: Match, ended: Ended) -> Outcome:
    """Return what a game brought: those who did not play it to its end have lost it.

    A team none of whose players stayed does not win against one that did; then the best of the others does.
    """
    absent, folded, here = [], [], dict.fromkeys(range(len(match.teams)), False)
    for team, (seats, numbers) in enumerate(zip(cup.plan.teams, match.teams, strict=True)):
        for seat, number in zip(seats, numbers, strict=True):
            if ended.here.get(seat) == cup.entries[number].user_id:
                here[team] = True
            else:
                absent.append(number)
            if is_much(ended.folds.get(seat, 0), ended.rounds):
                folded.append(number)
    won = ended.won
    stayed = [team for team, present in here.items() if present]
    if won is not None and stayed and won not in stayed:
        won = max(stayed, key=lambda team: ended.home[team])
    how = How.PLAYED if ended.won is not None else How.ENDED
    if ended.resigned:
        how = How.RESIGNED
    elif ended.decision is not None:
        how = How.ENDED if ended.decision is CupEnding.CANCELLED else How(ended.decision.value)
    return Outcome(won, ended.home, ended.rounds, tuple(absent), how, tuple(folded))


def make_entry(cup: Cup, person: Person, now: int) -> CupEntry:
    """Return an entry for a person, from the next round on; in a ladder from now on. Raises `FULL`."""
    if len(cup.entries) >= cup.plan.most:
        raise NotInCup(CupProblem.FULL)
    number = max(cup.entries, default=0) + 1
    return CupEntry(number, person.id, person.name, since=now if cup.plan.is_ladder else len(cup.rounds) + 1)


def put_entry(cup: Cup, *entries: CupEntry) -> Cup:
    """Return a cup with these entries, in place of those of the same numbers."""
    return replace(cup, entries={**cup.entries, **{entry.number: entry for entry in entries}})


def drop_entry(cup: Cup, entry: CupEntry) -> Cup:
    """Return a cup that a player has left; once a round was drawn, their number stays.

    Their partner waits for another in a Swiss course, and is out with them in any other.
    """
    if number := len(cup.rounds):
        gone = replace(entry, until=number)
        partner = cup.entries.get(entry.partner or 0)
        if partner is None or partner.until is not None or not is_pair(cup.entries, entry):
            return put_entry(cup, gone)
        if cup.plan.course is CupCourse.SWISS:
            return put_entry(cup, gone, replace(partner, partner=None, since=number + 1))
        return put_entry(cup, gone, replace(partner, until=number))
    left = {
        number: replace(other, partner=None) if other.partner == entry.number else other
        for number, other in cup.entries.items()
        if number != entry.number
    }
    return replace(cup, entries=left)


def put_round(cup: Cup, last: Round) -> Cup:
    """Return a cup with this in place of its last round."""
    return replace(cup, rounds=(*cup.rounds[:-1], last))


def add_round(cup: Cup, matches: Sequence[Match], byes: tuple[Side, ...]) -> Cup:
    """Return a cup with a round that was drawn for it, each of whose matches has a game."""
    last = max((game for each in cup.rounds for match in each.matches for game in match.games), default=0)
    numbered = tuple(replace(match, games=(last + index,)) for index, match in enumerate(matches, start=1))
    return replace(cup, stage=CupStage.RUNNING, rounds=(*cup.rounds, Round(numbered, byes)))


def occupants_of(cup: Cup, game: int) -> dict[int, Occupant]:
    """Return the people of a game by seat; computers in place of those who were forgotten since it was drawn."""
    cup_game = cup.game(game)
    assert cup_game is not None, "only games of a drawn round are opened"
    match = cup.rounds[cup_game[0]].matches[cup_game[1]]
    return {
        seat: Occupant(entry.name, entry.user_id) if entry.user_id > 0 else Occupant(entry.name, computer=USUAL)
        for team, numbers in zip(cup.plan.teams, match.teams, strict=True)
        for seat, number in zip(team, numbers, strict=True)
        for entry in [cup.entries[number]]
    }


def add_outcome(cup: Cup, game: int, ended: Ended, now: int) -> Cup:
    """Return a cup after a game, once; a match that is still open gets another game, if its round goes on."""
    cup_game = cup.game(game)
    assert cup_game is not None, "only games of a drawn round end"
    index, place, at = cup_game
    last = cup.rounds[index]
    match = last.matches[place]
    if at < len(match.outcomes):
        return cup
    outcome = outcome_of(cup, match, ended)
    closed = last.ends_at is not None and last.ends_at <= now
    match = replace(match, outcomes=(*match.outcomes, outcome), closed=closed)
    if not match.is_over(cup.plan.best_of):
        following = 1 + max(game for each in cup.rounds for other in each.matches for game in other.games)
        match = replace(match, games=(*match.games, following))
    after = put_round(cup, replace(last, matches=(*last.matches[:place], match, *last.matches[place + 1 :])))
    return count_missed(after, outcome)


def begin_month(cup: Cup, now: int) -> Cup:
    """Return a ladder that opens now: with one round, to the end of a month."""
    return replace(cup, stage=CupStage.RUNNING, starts_at=None, rounds=(Round((), ends_at=end_of(now)),))


def next_month(cup: Cup, now: int) -> Cup:
    """Return the ladder that follows one: those who have not left it are in, and games under way count there."""
    stays = (entry for entry in cup.entries.values() if entry.until is None)
    entries = {
        number: CupEntry(number, entry.user_id, entry.name, since=entry.since)
        for number, entry in enumerate(stays, start=1)
    }
    began = cup.rounds[-1].ends_at or 0
    return begin_month(replace(cup, id=0, created_at=began, posts={}, entries=entries), now)


def count_missed(cup: Cup, outcome: Outcome) -> Cup:
    """Return the cup after a game that some have missed; after two, their place is gone."""
    for number in outcome.absent:
        entry = replace(cup.entries[number], missed=cup.entries[number].missed + 1)
        cup = put_entry(cup, entry)
        if entry.missed >= MISSED and entry.until is None:
            cup = drop_entry(cup, entry)
    return cup


def give_places(cup: Cup, lines: Sequence[Standing]) -> Cup:
    """Return a cup that is over with the place of everyone who played in it."""
    placed = {number: line.place for line in lines if line.played or line.points for number in line.side}
    return put_entry(cup, *(replace(cup.entries[number], place=place) for number, place in placed.items()))


def compute_standings(cup: Cup) -> list[Standing]:
    """Return the standings of a cup with rounds."""
    return standings(cup.plan, cup.seed, cup.all_sides, cup.rounds)


def pair_up(cup: Cup) -> Cup:
    """Return the cup with pairs drawn among those who have no partner; one may be left over, and waits."""
    number = len(cup.rounds) + 1
    alone = [entry.number for entry in cup.entries.values() if entry.until is None and entry.partner is None]
    pairs, _left = complete_pairs(cup.seed, alone)
    for first, second in pairs:
        entries = (replace(cup.entries[first], partner=second), replace(cup.entries[second], partner=first))
        cup = put_entry(cup, *(replace(entry, since=max(entry.since, number)) for entry in entries))
    return cup


def change_system(plan: CupPlan, system: str) -> CupPlan:
    """Return a plan with another rule system, and what does not fit it changed."""
    players = plan.terms.players if plan.terms.players in SYSTEMS[system].players else SYSTEMS[system].players[0]
    options = fit_options(SYSTEMS[system], players, plan.terms.options)
    return replace(plan, terms=replace(plan.terms, system=system, players=players, options=options), any_rules=False)
