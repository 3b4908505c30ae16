"""No card is revealed: games that differ only in cards a viewer never saw look the same to them, byte for byte."""

import random

import pytest

from engine import EventKind, Exchange, Game, board_for
from engine.rules.definition import StuckRule
from tests.engine.staging import KINDS, staged
from tests.engine.twins import arranging, compared, recorded, twin

GAMES = 3
"""Games of each kind, with a few twins for every viewer; `python -m tests.fuzz --twins 2000` takes more."""
TWINS = 2
"""Pairs for every viewer of a game; some games allow none."""


@pytest.mark.slow
@pytest.mark.parametrize(("system", "players"), KINDS)
def test_twins_look_the_same(system: str, players: int) -> None:
    found = compared((system, players, ""), random.Random(f"alike {system} {players}"), GAMES, TWINS)
    assert found.leaks == []
    assert found.pairs >= GAMES * TWINS * (players + 1) // 2
    board = board_for(system, players)
    ways = {EventKind.DISCARDED, EventKind.DREW} if board.stuck is StuckRule.REDRAW else {EventKind.FOLDED}
    if board.exchange is Exchange.ASK:
        ways |= {EventKind.ASKED, EventKind.DECLINED}
    if board.exchange is not Exchange.NONE:
        ways.add(EventKind.EXCHANGED)
    assert {one for one in ways if not found.happened[one]} == set()


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_twins_look_the_same_at_every_moment(system: str, players: int) -> None:
    dice = random.Random(f"moments {system} {players}")
    seen = 0
    with arranging():
        for _ in range(2):
            recording = recorded((system, players, ""), dice, 30)
            game = recording.game
            for viewer in (None, *game.seats):
                other = twin(recording, viewer, dice)
                if other is None:
                    continue
                pair = [Game.new(system, players, one.seed, one.options) for one in (game, other)]
                for (seat, mine), (_, theirs) in zip(game.log, other.log, strict=True):
                    assert repr(pair[0].view(viewer)) == repr(pair[1].view(viewer))
                    pair = [pair[0].play(seat, mine), pair[1].play(seat, theirs)]
                    seen += 1
    assert seen > 60


def test_laid_down_hand_hides_the_last_card() -> None:
    shown = []
    for cards in ("9 Q 8", "8 9 Q", "Q 9 8"):
        game = staged("classic", 4, hands={0: cards, 1: "2"}, pieces={0: "c d"}, deck=50)
        game = game.play(0, "fold")
        shown.append((game.view().discards[-3:], game.view(1), game.history(1)))
    assert shown[0][0] == ("8", "9", "Q")
    assert shown[1:] == shown[:1] * 2


def test_shuffles_continue_for_logs_of_running_games() -> None:
    """The order that people see is not the order that is shuffled, or else stored games would be dealt differently."""
    game = staged("classic", 4, hands={0: "9 8", 1: "2"}, pieces={0: "c d"}, deck=50)
    after = game.play(0, "fold")
    assert after.view().discards[-2:] == ("8", "9")
    assert after._state.cards.discards[-2:] == ["9", "8"]
