"""Everything shown of a game at a table, to everybody and to one member: the basis for comparing twins."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from bot.choosing import Decided, Offered, choose, path_to
from bot.languages import language_for
from bot.occupants import Occupant
from bot.showing.choices import Go, PlayNow
from bot.showing.dialogue import Dialogue
from bot.showing.panels import Button, Menu, Reply
from bot.showing.pictures import Held, Pictures
from bot.showing.replaying import MOST_BYTES, told_scenes
from bot.table import Logged, SeatTable, Status, Table, Terms
from bot.texts import positions
from bot.texts.public import boards, history
from engine import Action, Game, PublicGame, SeatGame
from render.film import film
from tests.engine.twins import arranging, changed, recorded, twin

ENGLISH = language_for("en-US")
PEOPLE = ("Kim", "Alex", "Luna", "Bello")
LONGEST = 90
"""The most actions in a game that is compared with its twins."""
FILMED = 3
"""How many of a game's last actions are filmed."""


class Drawn:
    """Stands in for pictures, and remembers what it was asked to draw."""

    def __init__(self) -> None:
        self.labels: dict[tuple[int, str], str] = {}
        self.marked: frozenset[str] = frozenset()
        self.below: Held | None = None

    async def preview(self, *words: Any, labels: Any = None, below: Held | None = None, **named: Any) -> bytes:
        self.labels, self.below = dict(labels or {}), below
        return b"board"

    async def hand(self, held: Held, *words: Any, **named: Any) -> bytes:
        self.marked, self.below = frozenset(held.marked), held
        return b"hand"

    async def board(self, *words: Any, **named: Any) -> bytes:
        return b"board"


def leads_to(legal: Offered, path: tuple[int, ...], wanted: Action) -> bool:
    """Return True if this path is one to the action that is wanted."""
    step = choose(legal, path)
    if isinstance(step, Decided):
        return step.action == wanted
    return path_to(legal, wanted)[: len(path)] == path


def table_of(game: Game) -> Table:
    """A table whose members are playing this game."""
    occupants = {seat: Occupant(f"Member {seat}", 100 + seat) for seat in game.seats}
    return Table(
        id=1,
        code="ELK-4",
        guild_id=1,
        channel_id=2,
        host_id=100,
        status=Status.PLAYING if game.to_act else Status.OVER,
        terms=Terms(game.system.id, game.players, game.options),
        seats=game.seats,
        occupants=occupants,
        game=PublicGame(game),
        version=game.number,
        created_at=0,
        changed_at=0,
        started_at=0,
    )


def rows(game: Game) -> list[Logged]:
    """The log of a game as rows of the store."""
    return [Logged(number, seat, str(100 + seat), 0) for number, (seat, _) in enumerate(game.log, 1)]


def told(game: Game) -> Iterator[object]:
    """Everything that anybody may read."""
    table, view, entries = table_of(game), game.view(None), game.history(0)
    story = history.story(ENGLISH, table, entries, (), rows(game))
    yield boards.board(ENGLISH, table, view, story)
    yield positions.alt(ENGLISH, table, view, entries[-8:])
    yield positions.board(ENGLISH, table, view, entries[-8:])
    yield history.pages(ENGLISH, table, entries, (), rows(game))
    yield told_scenes(table, ENGLISH)


async def drawn(game: Game) -> bytes:
    """The picture of the board that everybody sees."""
    return await Pictures().board(table_of(game), game.view(None), game.history(0)[-4:], ENGLISH)


async def filmed(game: Game, first: int) -> bytes:
    """The animation that everybody sees, from this action on; drawn afresh, whatever is cached for its twin."""
    made = told_scenes(table_of(game), ENGLISH, first)
    return film(made, "slate", MOST_BYTES, first == 0).data if made else b""


async def private(game: Game, seat: int) -> list[object]:
    """Everything a member is shown on the way to the first action, pictures included."""
    dialogue = Dialogue(Pictures(), ENGLISH, SeatTable(table_of(game), SeatGame(game, seat)), "slate")
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


class Compared(NamedTuple):
    """The result of comparing what twins are shown."""

    pairs: int
    films: int
    leaks: list[str]
    """What differed, for whom, and the logs."""


async def compared(kind: tuple[str, int, str], dice: random.Random, games: int) -> Compared:
    """Compare texts, board, hands and previews of this many games with a twin for each viewer, and each film once."""
    pairs = films = 0
    leaks: list[str] = []
    with arranging():
        for _ in range(games):
            recording = recorded(kind, dice, dice.randrange(1, LONGEST))
            game = recording.game
            texts, board = list(told(game)), await drawn(game)
            unfilmed = True
            for viewer in (None, *game.seats):
                own = [] if viewer is None else await private(game, viewer)
                other = twin(recording, viewer, dice)
                if other is None or not changed(game, other):
                    continue
                pairs += 1
                differing = []
                if list(told(other)) != texts:
                    differing.append("texts")
                if await drawn(other) != board:
                    differing.append("board")
                if viewer is not None and await private(other, viewer) != own:
                    differing.append("dialogue")
                if unfilmed:
                    unfilmed, films, first = False, films + 1, max(0, game.number - FILMED)
                    if await filmed(other, first) != await filmed(game, first):
                        differing.append("film")
                leaks += [f"{what} of {kind} seen by {viewer}: {game.log} and {other.log}" for what in differing]
    return Compared(pairs, films, leaks)


def paths(reply: Reply) -> list[tuple[tuple[int, ...], bool]]:
    """The paths of a reply's buttons and menus, and whether they act."""
    pressed = [one.press for one in reply.panel.items if isinstance(one, Button)]
    for menu in reply.panel.items:
        if isinstance(menu, Menu):
            pressed += [one for line in menu.lines if (one := menu.press.with_choice(int(line.value))) is not None]
    return [(one.path, isinstance(one, PlayNow)) for one in pressed if isinstance(one, Go | PlayNow)]


def peopled(game: Game, status: Status = Status.PLAYING) -> Table:
    """A table where people with names play this game."""
    people = {seat: Occupant(PEOPLE[seat], user_id=100 + seat) for seat in game.seats}
    return replace(table_of(game), status=status, occupants=people)
