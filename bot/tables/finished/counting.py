"""Results, ratings and statistics of finished games.

Everything follows from the game's log, seats, notes and times, so all of it can be made again (`Results.rebuild`). A
game is rated if its host has not chosen otherwise, people sat down on all seats, without hints and open hands, and,
should it have been resigned, from its third round on. It belongs to those who sat down: a player who does not play the
seat at the end has left, in whatever way, and has lost even if the team wins; a stand-in during an announced absence
does not count as leaving. A victory of which others have decided more than half of the seat's actions changes nothing
for its owner. In other games a seat counts for the person who decided at least half of its actions, apart from those
that the rules forced.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from bot.occupants import StandInReason
from bot.pools import Pools
from bot.results import ALL_SYSTEMS, RESIGNED_FROM, CupLine, Feat, RankedLine, Rating, Result, Stats
from bot.table import Automatic, Logged, Note, NoteKind, Status, Table
from bot.tables.finished.rating import rate
from bot.tables.transactions import Service, Transactions
from engine import Event, Game, Phase
from engine.rules.actions import read_action
from engine.rules.cards import Card, Forward, Out, Split
from engine.rules.checks import resolve
from engine.rules.resolved import carry_out
from engine.rules.state import GameState
from engine.secret import whole

log = logging.getLogger(__name__)

LEAVES = frozenset({NoteKind.TAKEN_OVER, NoteKind.LEFT, NoteKind.REMOVED})
"""The notes by which a seat loses its owner."""

STANDING_IN = frozenset({StandInReason.AWAY, StandInReason.FRIEND})
"""The reasons why another plays a seat that its owner has not left."""

PARTNERS, COURSE, PLACES, CUPS = 3, 400, 10, 6
"""The most partners, ratings, lines of a leaderboard, and winners of cups below it that are shown."""

LIVES, PREY = 7, 3
"""For feats: the pieces that a winner loses, and the pieces that a single seven takes."""


@dataclass(slots=True)
class Figures:
    """Figures of a seat in a game; `asked`: by number of its actions, the action since which it had been asked."""

    captures: int = 0
    suffered: int = 0
    home: int = 0
    seven: int = 0
    kings: int = 0
    feats: set[Feat] = field(default_factory=set)
    asked: dict[int, int] = field(default_factory=dict)


def figures(game: Game) -> dict[int, Figures]:
    """Count what each seat did, by playing the log once more."""
    return count_figures(game.earlier(0).state.copy(), game.log)


def count_figures(state: GameState, log: Sequence[tuple[int, str]]) -> dict[int, Figures]:
    """Count what each seat does by these actions; `state` is played on in place."""
    cards = state.board.system.cards
    figures_of = {seat: Figures() for seat in state.board.seats}
    for number, (seat, text) in enumerate(log, start=1):
        figures_of[seat].asked[number] = state.since.get(seat, number - 1)
        resolved = resolve(state, seat, read_action(text, cards))
        state.events = []
        carry_out(state, seat, resolved)
        for event in state.events or ():
            if event.card is not None and event.seat is not None:
                _count(state, figures_of, event, event.seat, cards[event.named or event.card])
    if state.winners:
        last, won = log[-1][0], [figures_of[seat] for seat in state.winners]
        if any(step.side != last for event in state.events or () for step in event.steps):
            figures_of[last].feats.add(Feat.HELPER)
        for winner in won:
            winner.feats |= {Feat.LAMB} if not winner.captures else set()
            winner.feats |= {Feat.SEVEN_LIVES} if winner.suffered >= LIVES else set()
            winner.feats |= {Feat.NO_KING} if not winner.kings and any(map(_is_king, cards.values())) else set()
    return figures_of


def _count(state: GameState, found: Mapping[int, Figures], event: Event, seat: int, card: Card) -> None:
    """Add what a card did on the board."""
    board, mine = state.board, found[seat]
    team = next(team for team in board.teams if seat in team)
    mine.kings += _is_king(card)
    entered: Counter[int] = Counter()
    taken = 0
    moved: list[tuple[int, str]] = []
    for step in event.steps:
        for side, place in step.sent_home:
            taken += 1
            found[side].suffered += 1
            if side in team:
                mine.feats.add(Feat.FRIENDLY_FIRE)
            else:
                mine.captures += 1
            if place == str((board.start(side) - 2) % board.length + 1):
                found[side].feats.add(Feat.SO_CLOSE)
        entered[step.side] += step.comes_home
        if (origin := (step.side, step.origin)) in moved:
            moved.remove(origin)
        moved.append((step.side, step.target))
    mine.home += entered.total()
    if any(isinstance(power, Split) for power in card.powers):
        mine.seven = max(mine.seven, len(moved))
        if taken >= PREY:
            mine.feats.add(Feat.WOLF)
        if any(count > 1 and state.pieces.is_finished(side) for side, count in entered.items()):
            mine.feats.add(Feat.FULL_LANE)


def _is_king(card: Card) -> bool:
    """Return True if a card does what a king does: bring a piece out, or move one by 13."""
    return Out() in card.powers and Forward(13) in card.powers


def results_of(
    table: Table, log: Sequence[Logged], found: Mapping[int, Figures], notes: Sequence[Note] = ()
) -> tuple[Result, ...]:
    """Return the result of each seat of a finished game."""
    game = table.game
    assert game is not None, "a game that is over has begun"
    first = _first_owners(table, notes)
    people = all(first.get(seat) is not None for seat in table.seats)
    decided, friends = _decided(table, log), {(n.seat, n.actor_id) for n in notes if n.kind is NoteKind.STANDS_IN}
    # What a friend does for a player is the player's, apart from what a rating rises for.
    own = _decided(table, [row for row in log if (row.seat, row.actor) not in friends]) if friends else decided
    players: Mapping[int, int | None] = first if people else _players(table, own)
    played_out = game.phase is Phase.END or game.round >= RESIGNED_FROM
    may_be_rated = table.terms.rated and not (table.terms.hints or game.board.system.open_hands)
    is_rated = people and played_out and may_be_rated
    at = {0: table.started_at or 0, **{row.number: row.at for row in log}}
    results = []
    for team, seats in enumerate(game.board.teams):
        for seat in seats:
            did, user_id, owner = found[seat], players.get(seat), table.occupants.get(seat)
            acted = [row for row in log if row.seat == seat and row.actor == user_id]
            times = [max(0, row.at - at[did.asked[row.number]]) for row in acted]
            stayed = owner is not None and owner.user_id == user_id
            if people:
                stayed = stayed and owner is not None and (owner.plays == user_id or owner.why in STANDING_IN)
            results.append(
                Result(
                    table.id,
                    seat,
                    table.guild_id,
                    user_id,
                    table.system,
                    table.players,
                    table.ended_at or 0,
                    rated=is_rated and not (stayed and seat in table.won and decided.get(seat) != user_id),
                    people=people,
                    team=team,
                    won=seat in table.won,
                    left_early=user_id is not None and not stayed,
                    rounds=table.rounds,
                    captures=did.captures,
                    suffered=did.suffered,
                    home=did.home,
                    seven=did.seven,
                    time_to_move=int(median(times)) if times else None,
                    feats=tuple(sorted(did.feats)) if user_id is not None and stayed else (),
                )
            )
    return tuple(results)


def _first_owners(table: Table, notes: Sequence[Note]) -> Mapping[int, int | None]:
    """Return who sat down on each seat (None: a computer), from the owners at the end and the notes of changes."""
    owners = {seat: who.user_id for seat, who in table.occupants.items()}
    for note in reversed(notes):
        if note.seat is None or note.kind not in LEAVES:
            continue
        names = {NoteKind.TAKEN_OVER: "old_user_id", NoteKind.REMOVED: "user_id"}
        user = note.data.get(names[note.kind]) if note.kind in names else note.actor_id
        owners[note.seat] = user if isinstance(user, int) else None
    return owners


def _decided(table: Table, log: Sequence[Logged]) -> Mapping[int, int]:
    """Return by seat the person who decided at least half of its actions; without any, its owner."""
    chosen: dict[int, int] = {}
    for seat in table.seats:
        actors = Counter(row.actor for row in log if row.seat == seat and row.actor != Automatic.RULE)
        owner = table.occupants[seat].user_id if seat in table.occupants else None
        people = [actor for actor in actors if isinstance(actor, int)]
        if not actors and owner is not None:
            chosen[seat] = owner
        elif people and 2 * actors[most := max(people, key=lambda actor: actors[actor])] >= actors.total():
            chosen[seat] = most
    return chosen


def _players(table: Table, chosen: Mapping[int, int]) -> Mapping[int, int]:
    """Return by seat the person for whom it counts, if there is one, of those who decided it; no one twice."""
    owned = {who.user_id: seat for seat, who in table.occupants.items()}
    players: dict[int, int] = {}
    # A player who took over another seat counts where they stayed.
    for seat, user_id in sorted(chosen.items(), key=lambda item: owned.get(item[1]) != item[0]):
        if user_id not in players.values():
            players[seat] = user_id
    return players


class Results(Service):
    """Results, ratings and statistics."""

    def __init__(self, transactions: Transactions, pools: Pools) -> None:
        super().__init__(transactions)
        self._pools = pools

    async def names(self, guild_id: int, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return the names of these people in a guild, or in that of their last finished game (`EVERYWHERE`)."""
        return await self._store.results.names(guild_id, user_ids)

    async def write_down(self, table: Table) -> None:
        """Store the results of a game that is over; once, however often this is called.

        A game that began in the middle of another one leaves none.
        """
        if table.status is not Status.OVER or table.game is None or table.terms.origin is not None:
            return
        rows = await self._memory.log(table.id)
        # Playing a game once more takes some milliseconds, so it is done elsewhere.
        counted = await self._pools.draw(figures, whole(table.game))
        notes = await self._memory.notes(table.id)
        if table.in_dms and table.cup_id is not None:
            # It counts where its cup is held.
            table = replace(table, guild_id=await self._store.cups.guild_of(table.cup_id))
        await self._store.results.record(results_of(table, rows, counted, notes), rate)

    async def of_game(self, table_id: int) -> tuple[Sequence[Result], Mapping[int, Rating]]:
        """Return the results of a game's seats, except of people left out; and their ratings, by user."""
        results, ratings = await self._store.results.of_game(table_id)
        users = await self._profiles.users.several(result.user_id for result in results if result.user_id is not None)
        return [result for result in results if result.user_id and not users[result.user_id].unlisted], ratings

    async def stats(self, user_id: int, guild_id: int, system: str = ALL_SYSTEMS) -> Stats:
        """Return a person's statistics in a guild or `EVERYWHERE`; empty for people who are left out."""
        if (await self._profiles.users.get(user_id)).unlisted:
            return Stats()
        store = self._store.results
        return Stats(
            await store.of_member(user_id, guild_id, system),
            await store.partners(user_id, guild_id, system, PARTNERS),
            await store.ratings(user_id, guild_id, system, COURSE),
            await self._store.cups.of_member(user_id, guild_id) if system == ALL_SYSTEMS else (),
        )

    async def cups_won(self, guild_id: int, since: int | None = None, until: int | None = None) -> Sequence[CupLine]:
        """Return who has won the last cups of a guild, the newest first; ended `since` a Unix second, until one."""
        return await self._store.cups.won(guild_id, since or 0, until, CUPS)

    async def ranked(
        self, guild_id: int, system: str = ALL_SYSTEMS, since: int | None = None, until: int | None = None
    ) -> Sequence[RankedLine]:
        """Return the best of a guild: by their ratings, or by what they have gained since a Unix second, until one."""
        return await self._store.results.ranked(guild_id, system, since, until, PLACES)

    async def rebuild(self) -> int:
        """Make all results and ratings anew, while no game is played; return the number of sound games."""
        await self._store.results.erase()
        count = 0
        for game_id in await self._store.results.games_over():
            try:
                await self.write_down(await self._memory.get(game_id))
                count += 1
            except Exception as problem:
                log.error("table %s is left out: %s", game_id, problem)
        return count
