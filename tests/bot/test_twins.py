"""No text, picture or replay reveals a card: games that differ only in what a member never saw look the same."""

import random
from collections.abc import Callable

import pytest

from engine import Game
from tests.bot import shown
from tests.engine.staging import LARGEST

GAMES = 1
"""Games of each system, on its largest board; `python -m tests.fuzz --shown 200` takes more, of every kind."""


@pytest.mark.slow
@pytest.mark.parametrize(("system", "players"), LARGEST)
async def test_twins_read_and_look_the_same(system: str, players: int) -> None:
    found = await shown.compared((system, players, ""), random.Random(f"shown {system} {players}"), GAMES)
    assert found.leaks == []
    assert found.pairs > GAMES * players
    assert found.films == GAMES


def hands(game: Game) -> list[list[str]]:
    """Every card of every hand, which nobody may be shown."""
    return [sorted(map(str, hand)) for hand in game._state.cards.hands]


async def telling(game: Game, *_: object) -> list[object]:
    """Something shown to one member, or drawn, that reveals all hands."""
    return [hands(game)]


@pytest.mark.parametrize(
    ("part", "leak", "what"),
    [
        ("told", hands, "texts"),
        ("drawn", telling, "board"),
        ("filmed", telling, "film"),
        ("private", telling, "dialogue"),
    ],
)
async def test_a_leak_is_found(
    part: str, leak: Callable[..., object], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*_: object) -> None:
        """Replaces what takes time and does not matter here."""

    for other in ("drawn", "filmed", "private"):
        monkeypatch.setattr(shown, other, nothing)
    monkeypatch.setattr(shown, part, leak)
    found = await shown.compared(("classic", 4, ""), random.Random(part), 1)
    assert {text.partition(" ")[0] for text in found.leaks} == {what}
