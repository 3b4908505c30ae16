"""How far it is home, as one would count it on the board."""

import pytest

from engine import board_for, spaces_to_home
from engine.rules.placement import covered_share, lap


@pytest.mark.parametrize(
    ("system", "players", "side", "piece", "spaces"),
    [
        ("classic", 4, 0, "-", 66),
        ("classic", 4, 0, "1*", 65),
        ("classic", 4, 0, "64", 2),
        ("classic", 4, 1, "17*", 65),
        ("classic", 4, 1, "16", 2),
        ("classic", 4, 1, "20", 62),
        ("classic", 4, 0, "a", 0),
        ("classic", 4, 0, "d", 0),
        ("family", 4, 0, "-", 61),
        ("family", 4, 0, "1*", 60),
        ("family", 4, 0, "60", 1),
        ("family", 4, 0, "59", 2),
        ("royal", 4, 0, "K1", 65),
        ("royal", 4, 0, "N-", 66),
        ("royal", 4, 2, "Ja", 0),
        ("dobney", 4, 0, "1", 1),
        ("dobney", 4, 0, "1*", 65),
        ("dobney", 6, 0, "P7", 1 + 96 - 75 + 2),
        ("dobney", 6, 0, "P1", 7 + 96 - 75 + 2),
        ("dobney", 6, 1, "Q4", 4 + (17 - 27) % 96 + 1),
    ],
)
def test_distance_home(system: str, players: int, side: int, piece: str, spaces: int) -> None:
    assert spaces_to_home(board_for(system, players), side, piece) == spaces


def test_the_share_gone_runs_from_nothing_to_all() -> None:
    board = board_for("family", 4)
    assert lap(board, 0) == 59
    assert covered_share(board, 0, ("-",) * 4) == 0
    assert covered_share(board, 0, ("a", "b", "c", "d")) == 1
    assert 0 < covered_share(board, 0, ("-", "-", "-", "1*")) < covered_share(board, 0, ("-", "-", "-", "40")) < 0.25
