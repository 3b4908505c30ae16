"""Whether what is stored of a game is sound: its log, replayed from the seed, leads to what its row says.

Of a game that is over, its record is computed anew too, with every shuffle and every card.
"""

from __future__ import annotations

from bot.errors import BrokenLog
from bot.storage import Store
from bot.table import Status
from bot.tables.finished.records import Records
from bot.tables.memory import replayed
from engine.errors import DogError


async def faults_of(store: Store, records: Records, game_id: int) -> tuple[str, ...]:
    """What is wrong with a game that was started, one sentence each; nothing if it is sound. Nothing is changed."""
    snapshot = await store.games.snapshot(game_id)
    if snapshot is None:
        return ("there is no such game",)
    table = snapshot.table
    if snapshot.seed is None or snapshot.actions is None:
        return ("it has not started",)
    numbers = [action.number for action in snapshot.actions]
    if numbers != list(range(1, len(numbers) + 1)):
        return ("actions are missing from its log",)
    try:
        course = replayed(snapshot)
    except BrokenLog:
        return (f"{len(numbers)} actions, and one of them is not allowed by its rules",)
    except DogError as problem:
        return (f"its rules cannot be used: {type(problem).__name__}",)
    assert course is not None
    found = []
    if table.status in (Status.PLAYING, Status.PAUSED) and course.game.winners:
        found.append("it was won, and is still being played")
    if table.status is Status.OVER and course.game.winners and table.won != course.game.winners:
        found.append(f"seats {course.game.winners} won, and it says {table.won}")
    if not set(table.people) <= set(course.game.seats):
        found.append("somebody has a seat that it does not have")
    if table.status is Status.OVER:
        found += [f"record: {difference}" for difference in (await records.verify(game_id)).differences]
    return tuple(found)
