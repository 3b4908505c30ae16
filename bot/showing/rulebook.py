"""`/dog rules`, page by page: a picture with two or three sentences, and a menu of topics."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urljoin

from bot.languages import Language
from bot.preferences import Preferences
from bot.rights import Deed
from bot.showing.paging import nearest
from bot.showing.panels import Panel, Reply, Style, line
from bot.showing.presses import Press
from bot.showing.scenarios import NAMES, Scenario, laid_out
from bot.showing.terms import number_of, options_of
from bot.table import Terms
from bot.tables.terms import fit_options
from bot.texts import buttons
from bot.texts.markup import small, stack
from bot.texts.names import capital, card_name
from bot.texts.teaching.rules import FIRST, WRITTEN, Page, empty_board, heading_of, page_of, topics
from engine import SYSTEMS, Options, RuleSystem, board_for
from render import Scene, board_png, hand_png


class ShowPage(Press, verb="page", deed=Deed.READ, menu="page"):
    """Turn the rulebook to a page; it belongs to no table.

    `system` is an index in the list of systems, `house`: the house rules as a number.
    """

    system: int
    players: int
    house: int = 0
    page: int = 0


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules in one language, with pictures in one theme. `url`: where the full pages are; empty if nowhere."""

    language: Language
    theme: str
    url: str = ""

    @staticmethod
    def of(language: Language, prefers: Preferences, url: str) -> Rulebook:
        """Return the rules in the theme that a user prefers for pictures."""
        return Rulebook(language, prefers.look(Terms().theme), url)

    async def at(self, system: RuleSystem, players: int, options: Options, page: int = 0) -> Reply:
        """Return the page with this number, with ways to the others."""
        language = self.language
        chapters = topics(language, system, players, options)
        pages = [page for topic in chapters for page in topic.pages]
        number = nearest(page, len(pages))
        here, press = pages[number], _press(system, players, options)
        panel = Panel()
        earlier, later = (replace(press, page=nearest(number + step, len(pages))) for step in (-1, 1))
        panel.button(language.t(buttons.PAGE_BACK), earlier, emoji="◀️", disabled=number == 0)
        panel.button(language.t(buttons.PAGE_ON), later, style=Style.MAIN, emoji="▶️", disabled=number == len(pages) - 1)
        if self.url:
            address = urljoin(f"{self.url.rstrip('/')}/", language.p(*WRITTEN, system=system.id))
            panel.link(language.t(buttons.WHOLE_RULES), address)
        first = {page.topic: index for index, page in reversed(list(enumerate(pages)))}
        # A menu's choice is the page itself, so its press leaves the page out.
        panel.menu(language.t(buttons.TOPICS), press, [line(topic.title, first[topic.id]) for topic in chapters])
        head = heading_of(language, system, players) if number == 0 else ""
        picture, alt = await asyncio.to_thread(self._picture, system, players, here)
        # The first page is the system on one screen: its picture needs no words.
        shown = "" if here.cards or number == 0 else small(alt)
        lines = [head, here.text, shown, small(page_of(language, number, len(pages)))]
        return Reply(stack(*lines), panel, picture, alt)

    def _picture(self, system: RuleSystem, players: int, page: Page) -> tuple[bytes, str]:
        """Return the picture of a page and its alt text: its cards, an example, or the empty board."""
        if page.cards:
            alt = capital(self.language.listed(card_name(self.language, card) for card in page.cards))
            return _cards(system, page.cards, self.theme), alt
        example = example_of(system, players, "aim" if page.topic == FIRST else page.topic)
        if example is not None:
            return _example(example, self.theme), self.language.t(example.about)
        return _opening(system, players, self.theme), empty_board(self.language)

    async def pressed(self, press: ShowPage) -> Reply:
        """Return the page that a press leads to; the first page of the first system for a press that is not ours."""
        chosen = tuple(SYSTEMS.values())[press.system if press.system < len(SYSTEMS) else 0]
        players = press.players if press.players in chosen.players else chosen.players[0]
        return await self.at(chosen, players, fit_options(chosen, players, options_of(press.house)), press.page)


def _press(system: RuleSystem, players: int, options: Options) -> ShowPage:
    """Return the press for the first page."""
    ids = tuple(SYSTEMS)
    number = ids.index(system.id) if system.id in ids else 0
    return ShowPage(0, number, players, number_of(options))


@lru_cache(maxsize=32)
def _opening(system: RuleSystem, players: int, theme: str) -> bytes:
    board = board_for(system, players)
    kennel = tuple(f"{rank.letter}-" for rank in system.ranks) or ("-",) * 4
    names = {seat: NAMES[seat] for seat in board.seats}
    return board_png(Scene(board=board, placement=dict.fromkeys(board.seats, kennel), names=names), theme)


@lru_cache(maxsize=64)
def _cards(system: RuleSystem, cards: tuple[str, ...], theme: str) -> bytes:
    return hand_png(cards, None, theme, dict(system.cards))


@lru_cache(maxsize=64)
def _example(example: Scenario, theme: str) -> bytes:
    return board_png(example.scene(), theme)


def example_of(system: RuleSystem, players: int, topic: str) -> Scenario | None:
    """Return the picture for a topic, with this many players if possible; None if there is none."""
    fitting = [scenario for scenario in laid_out() if (scenario.rules, scenario.topic) == (system.id, topic)]
    return min(fitting, key=lambda scenario: scenario.players != players, default=None)
