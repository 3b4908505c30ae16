"""Each kind of screen fits a phone together with its picture, in every language: measured in a real browser.

The screens are built as the bot builds them, posted in the local table, and measured on its page by Chromium, which is
driven over its own debugging protocol. Without a browser the test is skipped.
"""

import asyncio
import random
import re
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
import discord
import pytest
import simcord
from discord import app_commands
from PIL import Image

from bot.delivery.board_content import board_content
from bot.languages import Language
from bot.message import About, Message
from bot.moment import Moment
from bot.occupants import Occupant, Person
from bot.showing import emojis
from bot.showing.choices import Go
from bot.showing.components import message_of
from bot.showing.controls import board_panel, lobby_panel
from bot.showing.dialogue import Dialogue, HandNews
from bot.showing.lessons import Book, Lessons, Progress, Tutor
from bot.showing.panels import Button, Menu, Panel, Reply
from bot.showing.pictures import Pictures
from bot.showing.rulebook import Rulebook
from bot.table import Automatic, SeatTable, Status, Table
from bot.tables.courses import Course, PublicCourse
from bot.texts import buttons
from bot.texts.moves import tell_own
from bot.texts.names import Names
from bot.texts.public import boards, history, lobbies, winks
from bot.texts.teaching.learning import overview
from cogs.looking import ShowCommands
from engine import SYSTEMS, ActionKind, EventKind, Game, Options, PublicGame, SeatGame
from engine.players import choose
from tests.bot.shown import Drawn, rows, table_of
from tests.engine.staging import staged
from tests.spoken import IDS, MEASURED
from tools.local.simulated import SimulatedDiscord

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WIDTH, HEIGHT = 420, 900
"""The pixels of a phone."""

HEAD = 48
"""The pixels of the lines above a message that tell its author, and that only one person sees it."""

DAY = 20_000
"""A day with a puzzle."""

MOST_WORDS = {"lobby": 20, "first board": 17, "board": 20, "hand": 20, "help": 65, "end": 48}
"""The most words of a screen in English, buttons and menus included."""


MOST_IN_GAMES = {"board": 24, "hand": 18}
"""The most words over whole games: the median of boards of a person alone with computers, and of hands."""


def games() -> tuple[Game, Game]:
    """Return a game in its third round, at a turn with several moves before it, and the same at its end."""
    game, dice, turn = Game.new("classic", 4, bytes(32)), random.Random(3), None
    while game.to_act:
        seat = game.to_act[0]
        if turn is None and game.round >= 3 and seat == 0 and game.phase.value == "turn" and len(game.legal(0)) > 3:
            turn = game
        game = game.play(seat, choose("heuristic", game, seat, dice))
    assert turn is not None
    return turn, game


def named(table: Table) -> Table:
    """Return a table with names of a usual length."""
    names = ("Marianne", "Ben", "Çelik", "Luna")
    return replace(table, occupants={seat: Occupant(names[seat], 100 + seat) for seat in table.occupants})


async def screens(language: Language) -> dict[str, Reply]:
    """Return the screens that a player meets, at usual lengths."""
    turn, end = games()
    pictures, table = Pictures(), named(table_of(turn))
    log, entries, dialogue = rows(turn), turn.history(turn.number - 5), seat_dialogue(pictures, language, table, turn)
    waiting = replace(
        table, status=Status.LOBBY, game=None, occupants={0: table.occupants[0], 1: table.occupants[1]}, started_at=None
    )
    start = Game.new("classic", 4, bytes(32))
    first = replace(table, game=PublicGame(start))
    shown = (await dialogue.hand()).panel
    assert shown is not None
    moves = [item.press for item in shown.items if isinstance(item, Button) and "→" in item.label]
    path = next(press.path for press in moves if isinstance(press, Go))
    told_since = history.since(language, table, turn.history(turn.number - 9), log, 0, by_board=True)
    dialogue = replace(dialogue, news=HandNews(told=told_since, undoable=True))
    alone = staged("classic", 4, hands={0: "5 J J J J J", 1: "2"}, pieces={0: "12"})
    only = seat_dialogue(pictures, language, named(table_of(alone)), alone)
    over = replace(table, game=PublicGame(end), status=Status.OVER)
    last, course = end.history(end.number - 3), end.history(0)
    final = winks.winks(language, over, last)
    told = [
        *history.story(language, over, last, (), rows(end), after=final, most=history.MOST_LAST),
        *winks.tale(language, over, course),
    ]
    story = history.story(language, table, entries, (), log, after=winks.winks(language, table, entries))
    tutor = Tutor(pictures, language, Person(100, "Marianne"), None, as_public=False)
    helping = Panel().button(language.t(buttons.ALL_COMMANDS), ShowCommands(0))
    helping.button(language.t(buttons.LEARN), Lessons(0), emoji="🎓")
    return {
        "lobby": Reply(
            lobbies.lobby(language, waiting), lobby_panel(language, waiting), await pictures.lobby(waiting, language)
        ),
        "first board": Reply(
            boards.board(language, first, start.view(), history.story(language, first, start.history(0), (), ())),
            board_panel(language, first),
            await pictures.board(first, start.view(), start.history(0), language),
        ),
        "board": Reply(
            boards.board(language, table, turn.view(), story),
            board_panel(language, table),
            await pictures.board(table, turn.view(), entries, language),
        ),
        "hand": await dialogue.hand(),
        "preview": await dialogue.at(path),
        "only move": await only.hand(),
        "help": Reply(overview(language), helping),
        "rules": await Rulebook(language, "slate").at(SYSTEMS["classic"], 4, Options()),
        "end": Reply(
            boards.board(language, over, end.view(), told),
            board_panel(language, over),
            await pictures.board(over, end.view(), last, language),
        ),
        "puzzle": await tutor.open(Progress(Book.STARTERS, DAY)),
    }


def seat_dialogue(pictures: Pictures, language: Language, table: Table, game: Game) -> Dialogue:
    return Dialogue(pictures, language, SeatTable(table, SeatGame(game, 0)), "slate", news=HandNews(undoable=True))


def blank(reply: Reply) -> Reply:
    """Return a reply with an empty picture of the same size, which the browser loads at once."""
    if reply.picture is None:
        return reply
    data = BytesIO()
    Image.new("1", Image.open(BytesIO(reply.picture)).size).save(data, "PNG")
    return replace(reply, picture=data.getvalue())


class Poster(discord.Client):
    """A bot that posts these replies, one message each."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self._replies = replies

    async def post(self, _guild: int, channel_id: int, _people: object) -> None:
        place = await self.fetch_channel(channel_id)
        assert isinstance(place, discord.TextChannel)
        for reply in self._replies:
            await place.send(emojis.dress(reply.content), **message_of(reply))


class Browser:
    """A page of Chromium, over the debugging protocol."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._count = socket, 0

    async def ask(self, method: str, **words: Any) -> dict[str, Any]:
        self._count += 1
        await self._socket.send_json({"id": self._count, "method": method, "params": words})
        while (answer := await self._socket.receive_json(timeout=240)).get("id") != self._count:
            pass
        return answer["result"]

    async def value(self, code: str) -> Any:
        found = await self.ask("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        return found["result"].get("value")


@asynccontextmanager
async def browsing(folder: Path, address: str) -> AsyncIterator[Browser]:
    """Open an address in a browser of its own, as wide and high as a phone."""
    process = await asyncio.create_subprocess_exec(
        str(BROWSER),
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
        *("--remote-debugging-port=0", f"--user-data-dir={folder}", f"--window-size={WIDTH},{HEIGHT}", "about:blank"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        while b"DevTools listening on" not in (line := await asyncio.wait_for(process.stderr.readline(), 60)):
            assert line, "the browser has ended"
        port = line.decode().partition("127.0.0.1:")[2].partition("/")[0]
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                page = next(one for one in await answer.json() if one["url"] == "about:blank")
            async with session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                browser = Browser(socket)
                size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
                await browser.ask("Emulation.setDeviceMetricsOverride", **size)
                await browser.ask("Page.navigate", url=address)
                yield browser
    finally:
        process.terminate()
        await process.communicate()


MEASURE = """
new Promise((done) => {
  let left = 900, before = "";
  const measure = () => {
    const messages = [...document.querySelectorAll(".channel-message")];
    const found = messages.map((one) => [one.getBoundingClientRect().height, one.scrollWidth,
      Math.max(0, ...[...one.querySelectorAll("img")].map((each) => each.getBoundingClientRect().height))]);
    const loaded = [...document.images].every((one) => one.complete && one.naturalWidth);
    const settled = loaded && innerWidth === WIDTH && JSON.stringify(found) === before;
    before = JSON.stringify(found);
    if (left-- && !(settled && found.filter((one) => one[2] > 60).length === COUNT)) {
      messages[left % Math.max(1, messages.length)]?.scrollIntoView();
      setTimeout(measure, 200);
    } else done(found);
  };
  measure();
})
"""
"""Once nothing changes any more: the height and width of each message, and the height of its picture."""


def words(reply: Reply) -> int:
    """Count the words that a screen shows: what has a letter or a digit in it, and mentions as names."""
    items = [] if reply.panel is None else reply.panel.items
    shown = " ".join([reply.content, *(item.hint if isinstance(item, Menu) else item.label for item in items)])
    spoken = re.sub(r"<t:\d+:R>", "in 24 hours", re.sub(r"</([a-z -]+):\d+>", r"/\1", re.sub(r"<@\d+>", "Ann", shown)))
    return sum(any(map(str.isalnum, word)) for word in spoken.split())


async def test_screens_keep_to_their_words(record_property: Callable[[str, object], None]) -> None:
    counted = {kind: words(reply) for kind, reply in (await screens(Language("en"))).items() if kind in MOST_WORDS}
    for kind, count in counted.items():
        record_property(kind, count)
    assert counted.keys() == MOST_WORDS.keys()
    assert all(count <= MOST_WORDS[kind] for kind, count in counted.items()), counted


def board_alone(states: Sequence[Game], table: Table, acted: int) -> Reply:
    """Return the board at which a person alone with computers is asked; `acted`: the number of their last action."""
    course, shown = PublicCourse(Course(tuple(states))), Message("n", About.BOARD, 2, 9, 0, moment=Moment(0, acted - 1))
    log = [replace(row, actor=100 if row.seat == 0 else Automatic.COMPUTER) for row in rows(states[-1])]
    told = replace(table, messages=(shown,))
    content = board_content(told, course.at(states[-1].number), course, {}, (), log, left=(), there=(100,))
    return Reply(content.text, board_panel(Language("en"), told))


async def hand_beside_it(game: Game, table: Table, acted: int) -> Reply:
    """Return the hand beside a board, without *Hint*."""
    language, (own, *later) = Language("en"), game.history(max(acted, 1)) or (None,)
    told = history.since(language, table, later, rows(game), 0, by_board=True)
    exchanged = any(event.kind is EventKind.EXCHANGED for entry in game.history(acted) for event in entry.events)
    dialogue = Dialogue(Drawn(), language, SeatTable(table, SeatGame(game, 0)), "slate")  # type: ignore[arg-type]
    dialogue.news = HandNews(since=later, told=told, exchanged=exchanged, undoable=bool(acted))
    if own is None or own.kind is not ActionKind.PLAY:
        return await dialogue.hand()
    above = f"✅ {tell_own(language, Names.of(table, language), own)}"
    dialogue.again = dialogue.news.is_next_turn_of(dialogue.seated)
    return await dialogue.hand(above=above)


async def test_games_keep_to_their_words(record_property: Callable[[str, object], None]) -> None:
    counted: dict[str, list[int]] = {kind: [] for kind in MOST_IN_GAMES}
    for seed in range(2):
        states, dice, acted = [Game.new("classic", 4, bytes([seed]) * 32)], random.Random(seed), 0
        while (game := states[-1]).to_act:
            seat = game.to_act[0]
            if seat == 0:
                table = named(table_of(game))
                computers = {
                    other: replace(table.occupants[other], user_id=None, computer="normal") for other in (1, 2, 3)
                }
                table = replace(table, occupants={**table.occupants, **computers})
                counted["board"].append(words(board_alone(states, table, acted)))
                counted["hand"].append(words(await hand_beside_it(game, named(table_of(game)), acted)))
                acted = game.number + 1
            states.append(game.play(seat, choose("heuristic", game, seat, dice)))
    medians = {kind: median(found) for kind, found in counted.items()}
    for kind, found in medians.items():
        record_property(f"{kind} in games", found)
    assert all(found <= MOST_IN_GAMES[kind] for kind, found in medians.items()), medians


@pytest.mark.skipif(BROWSER is None, reason="no browser")
@pytest.mark.full_size
@pytest.mark.parametrize("language", MEASURED, ids=IDS)
async def test_every_kind_of_screen_fits_a_phone(
    language: Language, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simcord.interactions, "base_payload", simcord.interactions.base_payload)
    # Another test may have left the bot with emojis, which SimCord's page cannot show.
    monkeypatch.setattr(emojis, "_there", {})
    made = await screens(language)
    bot = Poster([blank(reply) for reply in made.values()])
    async with (
        SimulatedDiscord(bot, port=0, opening=bot.post) as place,
        browsing(tmp_path, place.address) as browser,
    ):
        pictures = sum(reply.picture is not None for reply in made.values())
        measured = await browser.value(MEASURE.replace("COUNT", str(pictures)).replace("WIDTH", str(WIDTH)))
    # The usher's welcome stands before them, and the links to direct messages after them.
    found = dict(zip(made, measured[1:-1], strict=True))
    for name, (height, width, picture) in found.items():
        assert (picture > 60) is (made[name].picture is not None), name
        assert width <= WIDTH, name
        assert height + HEAD <= HEIGHT, (name, height)
