"""In a real browser: a table is opened, filled and started with clicks, and some turns are played."""

import pytest

from tests.tools.browser import chromium, local_table, player

pytest.importorskip("playwright", reason="playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium"),
    pytest.mark.timeout(300),
]


async def test_first_turns_in_the_browser() -> None:
    async with local_table("--port", "0") as address, player(address) as person:
        await person.open_table()
        while person.turns < 4:
            await person.turn()
        assert await person.messages(private=False).locator("img.gallery-image, .message-attachments img").count()
