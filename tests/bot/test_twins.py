"""No card is told in texts, pictures and replays: games that differ only in what a member never saw look the same."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bot.languages import language_for
from bot.showing.dialogue import Dialogue
from bot.showing.pictures import Pictures
from bot.showing.replaying import replay, scenes
from bot.table import Logged, Occupant, Status, Table, Terms
from bot.tables.course import Course
from bot.texts import boards, history, positions
from bot.texts.folds import reasons_of_folds
from engine import Game
from tests.engine.staging import KINDS
from tests.engine.twins import arranging, changed, recorded, twin

ENGLISH = language_for("en-US")
MOMENTS = 3


def table_of(game: Game) -> Table:
    """A table of members at which this game is being played."""
    people = {seat: Occupant(f"Member {seat}", 100 + seat) for seat in game.seats}
    return Table(
        id=1,
        code="ELK-4",
        guild_id=1,
        channel_id=2,
        host_id=100,
        status=Status.PLAYING if game.to_act else Status.OVER,
        terms=Terms(game.system.id, game.players, game.options),
        seats=game.seats,
        people=people,
        game=game,
        version=game.number,
        shown=None,
        created_at=0,
        changed_at=0,
        started_at=0,
    )


def rows(game: Game) -> list[Logged]:
    return [Logged(number, seat, text, str(100 + seat), 0) for number, (seat, text) in enumerate(game.log, 1)]


def public(game: Game) -> Iterator[object]:
    """All that everybody may read."""
    table, view, entries = table_of(game), game.view(None), game.history(0)
    asides = reasons_of_folds(ENGLISH, table, entries, Course((game,)).at)
    story = history.story(ENGLISH, table, entries, (), rows(game), asides)
    yield boards.board(ENGLISH, table, view, story)
    yield positions.alt(ENGLISH, table, view, entries[-8:])
    yield positions.board(ENGLISH, table, view, entries[-8:])
    yield history.pages(ENGLISH, table, entries, (), rows(game))
    yield list(scenes(table, ENGLISH))


async def private(game: Game, seat: int) -> list[object]:
    """All that a member is shown on the way down to the first action, pictures included."""
    dialogue = Dialogue(Pictures(), ENGLISH, table_of(game), seat, "slate")
    path: tuple[int, ...] = ()
    shown: list[object] = [await dialogue.at(path)]
    while seat in game.to_act:
        try:
            dialogue.chosen(path)
            break
        except LookupError:
            path = (*path, 0)
            shown.append(await dialogue.at(path))
    return shown


@pytest.mark.slow
@pytest.mark.parametrize(("system", "players"), KINDS)
async def test_twins_read_and_look_the_same(system: str, players: int) -> None:
    dice = random.Random(f"shown {system} {players}")
    compared = 0
    with arranging():
        for moment in range(MOMENTS):
            recording = recorded((system, players, False), dice, dice.randrange(2, 80))
            game = recording.game
            seen = list(public(game))
            for viewer in (None, *game.seats):
                other = twin(recording, viewer, dice)
                if other is None or not changed(game, other):
                    continue
                compared += 1
                assert list(public(other)) == seen
                if viewer is not None and moment == 0:
                    assert await private(other, viewer) == await private(game, viewer)
    assert compared > 3


@pytest.mark.slow
@pytest.mark.parametrize(("system", "players"), [("classic", 4), ("family", 4), ("royal", 3)])
async def test_twins_have_the_same_pictures_and_the_same_film(system: str, players: int) -> None:
    dice = random.Random(f"drawn {system} {players}")
    with arranging():
        recording = recorded((system, players, False), dice, 40)
        twins = (twin(recording, None, dice) for _ in range(50))
        other = next(game for game in twins if game is not None and changed(recording.game, game))
        drawn = []
        for game in (recording.game, other):
            table, entries = table_of(game), game.history(0)
            picture = await Pictures().board(table, game.view(None), entries[-4:], ENGLISH)
            drawn.append((picture, await replay(table, ENGLISH, first=30)))
    assert drawn[0] == drawn[1]
