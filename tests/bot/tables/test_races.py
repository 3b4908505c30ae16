"""Two things at once: if they exclude each other, exactly one happens, and the other gets a clear refusal.

Hypothesis chooses how many steps of the event loop each contender waits before it begins, and whether both run in one
program or in two on the same database, so they can collide at every point.
"""

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.errors import BotError
from bot.table import Status, Table
from bot.tables.service import Tables
from engine import DogError, Game
from engine.secret import whole
from tests.bot.gaming import Programs, after_exchange, lobby, play_on, rest, started, stored_in, turn, waited
from tests.bot.people import ANN, BEN, BY_ID, CAT, DAN, EVE, FAY, FOUR, MOD
from tests.template import fresh_database

DELAYS = st.lists(st.integers(0, 60), min_size=2, max_size=2)
races = settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
)

Contender = Callable[[Tables], Awaitable[Any]]


async def meet(programs: Sequence[Tables], delays: Sequence[int], contenders: Sequence[Contender]) -> list[Any]:
    """Start each contender after its delay, in the next program; returns what each returned, or its refusal.

    Anything other than a refusal of ours is raised.
    """

    async def one(index: int, contender: Contender) -> Any:
        for _ in range(delays[index % len(delays)]):
            await asyncio.sleep(0)
        try:
            return await contender(programs[index % len(programs)])
        except (BotError, DogError) as refused:
            return refused

    results = await asyncio.gather(*(one(index, contender) for index, contender in enumerate(contenders)))
    for tables in programs:
        await tables.settled()
    return list(results)


def race(
    most: int = 2,
) -> Callable[[Callable[[Programs, list[Tables], list[int]], Awaitable[None]]], Callable[[], None]]:
    """Run a scenario on a database of its own, with one program or up to this many, and with any delays."""

    def made(scenario: Callable[[Programs, list[Tables], list[int]], Awaitable[None]]) -> Callable[[], None]:
        async def tried(delays: list[int], number: int) -> None:
            with tempfile.TemporaryDirectory() as folder:
                programs = Programs(fresh_database(Path(folder) / "dog.db"))
                try:
                    await scenario(programs, [await programs.run() for _ in range(number)], delays)
                finally:
                    await programs.stop()

        def test(delays: list[int], number: int) -> None:
            asyncio.run(tried(delays, number))

        # Hypothesis draws by the name.
        test.__name__ = scenario.__name__
        return races(given(DELAYS, st.integers(1, most))(test))

    return made


def won(results: Sequence[Any]) -> list[Any]:
    """The results that are not refusals."""
    return [one for one in results if not isinstance(one, Exception)]


def replayed(table: Table) -> Game:
    """The game replayed from its own log, which shows that what is stored leads to what is shown."""
    game = whole(table.game)
    again = Game.replay(table.system, table.players, game.seed, table.options, game.log)
    assert again.log == game.log
    return again


@race()
async def test_one_of_two_clicks_on_a_decision_counts(
    programs: Programs, tables: list[Tables], delays: list[int]
) -> None:
    table = await turn(tables[0])
    seat, user = waited(table)
    legal, decision = whole(table.game).legal(seat), table.decision(seat)
    chosen = (legal[0], legal[-1])
    results = await meet(
        tables, delays, [lambda at, action=action: at.turns.act(table.id, user, decision, action) for action in chosen]
    )
    assert len(won(results)) == 1
    after = replayed(await rest(tables[0], table.id))
    assert [entry[0] for entry in after.log[table.number :]].count(seat) == 1


@race()
async def test_one_of_two_people_gets_the_seat(programs: Programs, tables: list[Tables], delays: list[int]) -> None:
    table = await lobby(tables[0], ANN, BEN, CAT)
    (free,) = table.free
    results = await meet(
        tables, delays, [lambda at: at.lobby.join(table.id, EVE, free), lambda at: at.lobby.join(table.id, FAY, free)]
    )
    assert len(won(results)) == 1
    assert len((await tables[0].get(table.id)).occupants) == 4


@race()
async def test_game_starts_once_with_its_seats_fixed(
    programs: Programs, tables: list[Tables], delays: list[int]
) -> None:
    table = await lobby(tables[0], *FOUR)
    results = await meet(
        tables,
        delays,
        [
            lambda at: at.lobby.start(table.id, ANN),
            lambda at: at.lobby.leave(table.id, DAN),
            lambda at: at.lobby.start(table.id, BEN),
        ],
    )
    after = await rest(tables[0], table.id)
    began = [one for one in won(results) if isinstance(one, Table) and one.status is Status.PLAYING]
    assert len(began) == (1 if after.status is Status.PLAYING else 0)
    assert (DAN.id in after.owners) == (after.status is Status.PLAYING)


@race(most=1)
async def test_deadline_and_click_leave_one_of_both(
    programs: Programs, tables: list[Tables], delays: list[int]
) -> None:
    table = await turn(tables[0], pace="live")
    seat, user = waited(table)
    legal, decision = whole(table.game).legal(seat), table.decision(seat)
    # Time is up for the second time: the clock plays for the absent person.
    programs.clock.now += 180
    await tables[0].deadlines.catch_up()
    await tables[0].settled()
    programs.clock.now += 10_000
    results = await meet(
        tables,
        delays,
        [lambda at: at.turns.act(table.id, user, decision, legal[0]), lambda at: at.deadlines.catch_up()],
    )
    log = await tables[0].log(table.id)
    mine = [row for row in log if row.number > table.number and row.seat == seat]
    assert mine[0].actor == (user if won(results)[:1] and isinstance(results[0], Table) else "clock")
    replayed(await tables[0].get(table.id))


@race()
async def test_undo_during_a_computers_move_leaves_game_whole(
    programs: Programs, tables: list[Tables], delays: list[int]
) -> None:
    table = await after_exchange(tables[0], (await started(tables[0], ANN, computers=3)).id)
    seat, user = waited(table)
    action, decision = whole(table.game).legal(seat)[0], table.decision(seat)
    results = await meet(
        tables[:1],
        delays,
        [
            lambda at: at.turns.act(table.id, user, decision, action),
            lambda at: at.proposals.undo(table.id, BY_ID[user]),
        ],
    )
    assert isinstance(results[0], Table)
    after = await rest(tables[0], table.id)
    replayed(after)
    assert (await stored_in(tables[0], table.id)) == list(whole(after.game).log)
    # The game goes on, whichever of the two was faster.
    assert (await play_on(tables[0], table.id, random.Random(1), 2)).number > after.number


@race()
async def test_action_undo_and_cancel_are_serialised(
    programs: Programs, tables: list[Tables], delays: list[int]
) -> None:
    table = await turn(tables[0])
    seat, user = waited(table)
    action, decision = whole(table.game).legal(seat)[0], table.decision(seat)
    await meet(
        tables,
        delays,
        [
            lambda at: at.turns.act(table.id, user, decision, action),
            lambda at: at.proposals.undo(table.id, BY_ID[user]),
            lambda at: at.turns.leave_game(table.id, BY_ID[user]),
            lambda at: at.turns.cancel(table.id, MOD, "spam"),
        ],
    )
    after = await rest(tables[0], table.id)
    assert after.status in (Status.CANCELLED, Status.OVER)
    assert after.game is None or (await stored_in(tables[0], table.id)) == list(replayed(after).log)
