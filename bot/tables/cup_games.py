"""Games of cups: opened, begun and ended with their rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.guild_records import BEGUN
from bot.occupants import USUAL
from bot.pools import Pools
from bot.storage.rows import ActionRow
from bot.table import IN_DMS, Automatic, Note, NoteKind, Status, Table, Terms
from bot.tables.computers import think
from bot.tables.effects import Effect, entry_of_game
from bot.tables.endings import CupEnding, count_home, end_by_cup, leading_team
from bot.tables.lobby import Lobby
from bot.tables.seating import Occupants
from bot.tables.transactions import Service, Transactions, try_again
from engine import ActionKind, Game, Phase, PublicGame
from engine.secret import whole


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a game: the team that `won` (None: none), each team's pieces `home`, and the `rounds` it took.

    `here`: by seat, the person who played it to its end themselves. `decision`: the reason why its cup ended it;
    `resigned`: a team resigned it. `folds`: by seat, in how many rounds it folded.
    """

    won: int | None
    home: tuple[int, ...]
    rounds: int
    here: Mapping[int, int]
    decision: CupEnding | None = None
    resigned: bool = False
    folds: Mapping[int, int] = field(default_factory=dict)


class CupGames(Service):
    """Games that belong to a round of a cup."""

    def __init__(self, transactions: Transactions, pools: Pools, lobby: Lobby) -> None:
        super().__init__(transactions)
        self._pools, self._lobby = pools, lobby

    async def of_cup(self, cup_id: int) -> Mapping[int, tuple[int, Status]]:
        """Return the ids and statuses of a cup's games, by their numbers in it."""
        return await self._store.games.ids_of_cup(cup_id)

    async def open(
        self,
        cup_id: int,
        number: int,
        guild_id: int,
        channel_id: int,
        terms: Terms,
        occupants: Occupants,
        cap: int | None = None,
    ) -> int:
        """Return the id of a game of a cup: a table whose seats are all given, and which waits to be begun.

        `cap`: the rounds of cards that it has at most. It is opened once: called again, this returns the same. Until it
        is begun it is shown nowhere.
        """
        secret = self._lobby.draw_secret()
        people = {who.user_id: who.name for who in occupants.values() if who.user_id is not None}
        row: dict[str, Any] = {"guild_id": guild_id, "channel_id": channel_id, "host_id": next(iter(people))}
        row |= {"cup_id": cup_id, "cup_game": number, "cap": cap}

        async def once() -> int:
            known = await self.of_cup(cup_id)
            if number in known:
                return known[number][0]
            async with self._lobby.create(terms, occupants, secret, **row) as writer:
                if guild_id != IN_DMS:
                    # What they are called on a server is not told in direct messages of other tables.
                    await writer.meet(guild_id, people)
                await writer.note(Note(NoteKind.OPENED, self._now(), 0))
            return writer.game_id

        return await try_again(once)

    async def begin(self, table_id: int, occupants: Occupants, channel_id: int, parent_id: int | None) -> Table:
        """Deal the first round of a game in its place, to those for whom it was opened; once."""

        async def decide(table: Table) -> Effect:
            if table.status is not Status.LOBBY or table.cup_id is None:
                return Effect(table)
            placed = replace(table, channel_id=channel_id, parent_id=parent_id, occupants=occupants)
            effect = await self._lobby.begin(placed, None)
            if (await self._profiles.guilds.get(table.guild_id)).log_in is None:
                return effect
            return replace(effect, logged=entry_of_game(placed, BEGUN, self._now()))

        return await self._change(table_id, decide)

    async def find_end(self, table_id: int) -> Ended:
        """Return how a game that is over, or was cancelled, has ended."""
        table = await self._memory.get(table_id)
        if table.game is None:
            return Ended(None, (0,) * len(table.board.teams), 0, {})
        game = whole(table.game)
        notes = await self._memory.notes(table_id)
        reasons = [noted.data.get("how") for noted in notes if noted.kind is NoteKind.DECIDED]
        won = next((index for index, team in enumerate(game.board.teams) if set(table.won) & set(team)), None)
        rows = await self._memory.log(table_id)
        here = {}
        for seat, who in table.occupants.items():
            acted = [row.actor for row in rows if row.seat == seat and row.actor != Automatic.RULE]
            # Those whom only the cards dealt after the last round ask were not waited for.
            waited_for = bool(acted) or (seat in game.to_act and game.round == table.rounds)
            if who.plays is not None and (who.plays in acted or not waited_for):
                here[seat] = who.plays
        home = tuple(count_home(team, game.view().pieces) for team in game.board.teams)
        return Ended(
            won if table.status is Status.OVER else None,
            home,
            table.rounds,
            here,
            CupEnding(str(reasons[-1])) if reasons else None,
            any(noted.kind is NoteKind.RESIGNED for noted in notes),
            Counter(seat for seat, text in game.log if text == ActionKind.FOLD),
        )

    async def decide(self, table_id: int, won: int | None, how: CupEnding) -> Table:
        """End a game for a team, or for none; a game that is over stays as it is."""

        def decide(table: Table) -> Effect:
            if not table.is_open:
                return Effect(table)
            return end_by_cup(table, None if won is None else table.board.teams[won], how, self._now())

        return await self._change(table_id, decide)

    async def decide_by_pieces(self, table_id: int) -> Table:
        """End a game for the team with more pieces home, or else with less left to walk; for none if all are equal."""

        def decide(table: Table) -> Effect:
            if not table.is_open:
                return Effect(table)
            first = None if table.game is None else leading_team(whole(table.game))
            return end_by_cup(table, first, CupEnding.PIECES, self._now())

        return await self._change(table_id, decide)

    async def play_out(self, table_id: int) -> Table:
        """Let computers play a game to its end, all at once."""

        async def once() -> Table:
            table = await self._memory.get(table_id)
            if not table.is_open or table.game is None:
                return await self.decide(table_id, None, CupEnding.COMPUTERS)
            moves = await self._pools.draw(play_to_end, whole(table.game), table.cap)
            # Where a player is faster, it is done again from there.
            await self._transactions.commit(table, _played_out(table, moves, self._now()))
            return await self._transactions.follow_up(table_id)

        return await try_again(once)


def play_to_end(game: Game, cap: int | None = None) -> Sequence[tuple[int, str]]:
    """Return what computers do from here to the end, or until the rounds are over; run in another process."""
    moves = []
    while game.phase is not Phase.END and (cap is None or game.round <= cap):
        seat = game.to_act[0]
        action = think(game, seat, USUAL)
        game = game.play(seat, action)
        moves.append((seat, str(action)))
    return moves


def _played_out(table: Table, moves: Sequence[tuple[int, str]], at: int) -> Effect:
    """Return a game after these moves of computers, which end it."""
    actions, games = list[ActionRow](), list[Game]()
    assert table.game is not None, "only a game that has begun is played out"
    game = whole(table.game)
    for seat, text in moves:
        game = game.play(seat, text)
        actions.append(ActionRow(game.number, seat, text, Automatic.COMPUTER, at))
        games.append(game)
    played = replace(table, game=PublicGame(game))
    effect = end_by_cup(played, game.winners or leading_team(game), CupEnding.COMPUTERS, at)
    return replace(effect, actions=actions, games=games)
