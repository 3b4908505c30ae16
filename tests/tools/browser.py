"""A person at the local table, in a headless Chromium: opens a table, fills it with computers, and plays to the end.

`python -m tests.tools.browser --shots FOLDER` starts a table of its own, plays a whole game there and saves pictures of
the page. It needs the package playwright and a Chromium (found on the PATH, or named with --chromium).
"""

import argparse
import asyncio
import random
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

STOP_WORDS = ("Back", "Refresh", "History", "Rules", "My hand", "Rematch", "Pause")
"""Buttons that do not lead on in a dialogue."""


def chromium() -> str | None:
    """The path of a Chromium, if there is one."""
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return next(filter(None, found), None)


@asynccontextmanager
async def local_table(*words: str) -> AsyncIterator[str]:
    """A local table in a process of its own, which must end cleanly; yields the address of its page."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools.local", "--no-browser", *words, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
        yield line.removeprefix("Local table: ").strip()
    finally:
        process.terminate()
        await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 0


class Player:
    """Somebody using the page."""

    def __init__(self, page: Any, shots: Path | None = None, seed: int = 1) -> None:
        self.page = page
        self.shots = shots
        self.rng = random.Random(seed)
        self.shot_number = 0
        self.turns = 0

    async def shoot(self, name: str) -> None:
        """Save a picture of the page, if pictures are wanted."""
        if self.shots is not None:
            self.shot_number += 1
            await self.page.wait_for_function(
                "() => [...document.querySelectorAll('article img')].every(one => one.naturalWidth > 0)",
                timeout=30_000,
            )
            await self.page.wait_for_timeout(200)
            await self.page.screenshot(path=self.shots / f"{self.shot_number:03}-{name}.png")

    async def enter(self, address: str) -> None:
        """Open the page and wait until it shows the channel."""
        await self.page.goto(address)
        await self.page.get_by_role("textbox", name=re.compile("Message")).wait_for(timeout=15_000)

    async def idle(self) -> None:
        """Wait until the page has shown the outcome of the last click."""
        await self.page.wait_for_timeout(250)
        await self.page.wait_for_function(
            "() => !/Completing|Updating|awaiting/i.test(document.querySelector('header')?.innerText || '')",
            timeout=30_000,
        )
        await self.page.wait_for_timeout(350)

    async def type(self, command: str) -> None:
        """Type a slash command without options and send it."""
        await self.page.get_by_role("textbox", name=re.compile("Message")).click()
        await self.page.keyboard.type(command, delay=20)
        await self.page.wait_for_timeout(500)
        await self.page.keyboard.press("Enter")
        await self.page.wait_for_timeout(300)
        await self.page.get_by_role("button", name="Send").click()
        await self.idle()

    def messages(self, *, private: bool) -> Any:
        """The messages of one kind, oldest first."""
        note = self.page.locator(".message-ephemeral-note")
        everything = self.page.locator("article.channel-message")
        return everything.filter(has=note) if private else everything.filter(has_not=note)

    async def click(self, label: str, *, private: bool = False) -> bool:
        """Click the newest enabled button with this label; False if there is none."""
        buttons = (
            self.messages(private=private)
            .locator(".component-button")
            .filter(has=self.page.locator(".button-label", has_text=re.compile(rf"^\s*{re.escape(label)}\s*$")))
        )
        for index in range(await buttons.count() - 1, -1, -1):
            button = buttons.nth(index)
            if await button.get_attribute("aria-disabled") != "true":
                await button.scroll_into_view_if_needed()
                await button.click()
                await self.idle()
                return True
        return False

    async def open_table(self, command: str = "/dog new", computers: int = 3) -> None:
        """Open a table, fill the other seats with computers, and start."""
        await self.type(command)
        await self.shoot("lobby")
        assert not computers or await self.click("Fill with computers")
        await self.shoot("lobby-full")
        assert await self.click("Start")
        await self.shoot("started")

    async def last_text(self, *, private: bool = False) -> str:
        """What the newest message says."""
        return str(await self.messages(private=private).last.inner_text())

    async def turn(self, *, shoot: bool = False) -> bool:
        """Look at the hand and answer every question in it; False if there was nothing to answer."""
        if not await self.click("My hand"):
            return False
        self.turns += 1
        for step in range(12):
            dialogue = self.messages(private=True).last
            if shoot:
                await self.shoot(f"turn{self.turns}-{step}")
            if await self.click_in(dialogue, "Play") or await self.click_in(dialogue, "Confirm"):
                if shoot:
                    await self.shoot(f"turn{self.turns}-played")
                return True
            if not await self.answer(dialogue):
                return step > 0
        raise AssertionError("the dialogue does not end")

    async def click_in(self, message: Any, label: str) -> bool:
        """Click a button of this message, if it is there."""
        exact = self.page.locator(".button-label", has_text=re.compile(rf"^\s*{re.escape(label)}\s*$"))
        button = message.locator(".component-button").filter(has=exact)
        if not await button.count():
            return False
        await button.first.click()
        await self.idle()
        return True

    async def answer(self, message: Any) -> bool:
        """Give one of the offered answers, by button or menu."""
        answers = []
        for button in await message.locator(".component-button.button-style-1").all():
            label = (await button.locator(".button-label").inner_text()).strip()
            if label not in STOP_WORDS and await button.get_attribute("aria-disabled") != "true":
                answers.append(button)
        if answers:
            await self.rng.choice(answers).click()
            await self.idle()
            return True
        menus = message.locator(".select-trigger")
        if not await menus.count():
            return False
        await menus.first.click()
        options = self.page.locator('[role="listbox"] [role="option"]:visible')
        await options.first.wait_for(timeout=5_000)
        await options.nth(self.rng.randrange(await options.count())).click()
        await self.page.keyboard.press("Escape")
        await self.idle()
        return True


@asynccontextmanager
async def player(address: str, shots: Path | None = None, executable: str | None = None) -> AsyncIterator[Player]:
    """Somebody using the page at this address."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable or chromium(), args=list(FLAGS))
        page = await browser.new_page(viewport={"width": 1280, "height": 1000})
        person = Player(page, shots)
        await person.enter(address)
        yield person
        await browser.close()


async def whole_game(shots: Path, executable: str | None, limit: int) -> int:
    """Play until the game is won; returns the number of turns that took."""
    shots.mkdir(parents=True, exist_ok=True)
    async with local_table("--port", "0") as address, player(address, shots, executable) as person:
        await person.open_table()
        for _ in range(limit):
            text = await person.last_text()
            if re.search(r"\bw[io]ns?\b|\bwon\b", text):
                await person.shoot("won")
                print(text)
                return person.turns
            if not await person.turn(shoot=person.turns < 12 or person.turns % 25 == 0):
                await person.page.wait_for_timeout(500)
        await person.shoot("unfinished")
        raise AssertionError(f"no winner after {person.turns} turns")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shots", type=Path, default=ROOT / "build" / "shots", help="where pictures of the page go")
    parser.add_argument("--chromium", help="the browser to use")
    parser.add_argument("--limit", type=int, default=400, help="give up after so many looks at the hand")
    chosen = parser.parse_args()
    print(asyncio.run(whole_game(chosen.shots, chosen.chromium, chosen.limit)), "turns")
