"""The picture to share: by command and by button once a game has been won, in private, and not before."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from tests.cogs.test_rematch import given_up
from tests.cogs.timing import solo
from tests.simtable import Answer, SimTable


def size(answer: Answer) -> tuple[int, int]:
    """The size of the only picture in a private answer."""
    assert answer.private
    assert answer.shown is not None
    (picture,) = answer.shown.pictures
    with Image.open(BytesIO(picture)) as opened:
        return opened.size


async def test_the_command_and_the_button_send_the_same_picture(table: SimTable) -> None:
    over = await given_up(table, 3)
    assert over.won
    ann = table.members[0]
    by_command = await table.slash(ann, "dog card", game=over.code)
    assert size(by_command) == (1200, 630)
    by_button = await table.click(ann, "Picture to share", on=table.board())
    assert size(by_button) == (1200, 630)
    assert by_command.shown is not None
    assert by_button.shown is not None
    assert by_command.shown.pictures == by_button.shown.pictures


async def test_there_is_none_of_a_game_that_goes_on(table: SimTable) -> None:
    ann = await solo(table)
    assert "Picture to share" not in table.board().labels
    answer = await table.slash(ann, "dog card")
    assert answer.private
    assert "has not been won yet" in answer.text
