"""A whole game in a terminal, using the same private dialogue as on Discord: you against computer players.

`python -m tools.local.terminal --system royal --players 3` asks one question after another; type the number of an
answer to give it. `--seed` deals the same cards again. There is no Discord here, no bot and no database: just a game, a
table around it, and the dialogue; instead of pictures, their descriptions are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.languages import Language, language_for
from bot.people import Occupant
from bot.showing.choices import Go, PlayNow
from bot.showing.dialogue import AskWhy, Dialogue
from bot.showing.panels import Button, Menu, Reply
from bot.showing.pictures import Pictures
from bot.showing.presses import Press
from bot.table import SeatTable, Status, Table, Terms
from bot.tables.seating import COMPUTER_NAMES
from bot.texts.moves import tell
from bot.texts.names import Names
from engine import SYSTEMS, Action, Game, PublicGame, SeatGame, players

YOU = 0  # the seat of the person at the terminal


class NoPictures(Pictures):
    """Draws nothing: a terminal shows the descriptions."""

    async def preview(self, *words: Any, **named: Any) -> bytes:
        """No picture."""
        return b""

    hand = preview


@dataclass
class Terminal:
    """One game, told line by line. `read` returns what is typed, `write` prints."""

    table: Table
    game: Game
    language: Language
    read: Callable[[str], str]
    write: Callable[[str], None]
    drawn: tuple[str, ...] = ()
    rng: random.Random = field(default_factory=lambda: random.Random(0))

    async def play(self) -> Game:
        """Play to the end, or until the input ends (EOFError)."""
        self._tell(0)
        while self.game.to_act:
            if YOU in self.game.to_act:
                await self._turn()
            else:
                seat = self.game.to_act[0]
                self._act(seat, players.choose("heuristic", self.game, seat, self.rng))
        return self.game

    async def _turn(self) -> None:
        """Ask until an action is chosen, and take it."""
        press: Press | None = None
        while True:
            seated = SeatTable(self.table, SeatGame(self.game, YOU))
            dialogue = Dialogue(NoPictures(), self.language, seated, "slate").with_news((), self.drawn)
            if isinstance(press, PlayNow):
                self._act(YOU, dialogue.chosen(press.path).action)
                self.drawn = SeatGame(self.game, YOU).drawn_since(seated.game)
                return
            path = press.path if isinstance(press, Go) else ()
            press = self._ask(await (dialogue.why(press.card) if isinstance(press, AskWhy) else dialogue.at(path)))

    def _ask(self, reply: Reply) -> Press | None:
        """Show a reply with its answers, and read a choice."""
        self.write("\n" + plain(reply.content, self.table))
        self.write(f"({reply.alt})")
        answers: list[tuple[str, Press | None]] = []
        for item in reply.panel.items if reply.panel is not None else ():
            if isinstance(item, Button):
                answers.append((f"{item.emoji or ''} {item.label}".strip(), item.press))
            elif isinstance(item, Menu):
                answers += [(one.label, item.press.choosing(int(one.value))) for one in item.lines]
        for number, (label, _) in enumerate(answers, start=1):
            self.write(f"{number:>3}  {label}")
        while True:
            typed = self.read("> ").strip()
            if typed.isdecimal() and 0 < int(typed) <= len(answers):
                return answers[int(typed) - 1][1]
            self.write(f"1–{len(answers)}?")

    def _act(self, seat: int, action: Action) -> None:
        self.game = self.game.play(seat, action)
        self.table = replace(self.table, game=PublicGame(self.game), version=self.game.number)
        self._tell(self.game.number)

    def _tell(self, first: int) -> None:
        names = Names.of(self.table, self.language)
        self.write("\n".join(tell(self.language, names.unmarked(), self.game.history(first))))


def plain(text: str, table: Table) -> str:
    """A text without Discord's markup: nobody is mentioned here, and nothing is bold."""
    for who in table.people.values():
        text = text.replace(f"<@{who.user_id}>", who.name)
    return text.replace("**", "").replace("`", "")


def table_for(game: Game, name: str) -> Table:
    """A table for one person and computer players."""
    seats, public = game.seats, PublicGame(game)
    people = {seat: Occupant(COMPUTER_NAMES[number], computer="heuristic") for number, seat in enumerate(seats)}
    people[YOU] = Occupant(name, user_id=1)
    terms = Terms(game.system.id, game.players)
    return Table(1, "TERM-1", 0, 0, 1, Status.PLAYING, terms, seats, people, public, 0, created_at=0, changed_at=0)


def main(words: Sequence[str] | None = None, read: Callable[[str], str] = input) -> int:
    """The entry point; returns 0 after a game, 1 if the input ends before it."""
    parser = argparse.ArgumentParser(prog="python -m tools.local.terminal", description="Play DOG in the terminal.")
    parser.add_argument("--system", choices=tuple(SYSTEMS), default="classic")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=bytes.fromhex, help="32 bytes in hex: the same cards again")
    parser.add_argument("--name", default="Kim")
    parser.add_argument("--locale", default="en-US")
    chosen = parser.parse_args(words)
    if chosen.players not in SYSTEMS[chosen.system].players:
        parser.error(f"{chosen.system} is played by {', '.join(map(str, SYSTEMS[chosen.system].players))}")
    game = Game.new(chosen.system, chosen.players, chosen.seed or secrets.token_bytes(32))
    try:
        asyncio.run(Terminal(table_for(game, chosen.name), game, language_for(chosen.locale), read, print).play())
    except (EOFError, KeyboardInterrupt):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
