"""`/dog rules`: one topic of the rules at a time, with its picture and a button for every other topic."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.languages import Language
from bot.rights import Deed
from bot.showing.arranging import number_of, options_of
from bot.showing.panels import Panel, Reply, Style
from bot.showing.presses import Press
from bot.tables.effects import fitting_options
from bot.texts import buttons
from bot.texts.markup import small
from bot.texts.rules import empty_board, topics
from engine import SYSTEMS, Options, Position, Preview, RuleSystem, board_for, parse_position
from engine.analysis import position_actions
from render import Scene, board_png

EXAMPLES = {
    file.stem: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parents[1] / "examples").glob("*.json"))
}
"""Pictures for topics, by their files' names: the `topic`, what the picture `shows` (in English), `position` in the
analysis form and, optionally, `play` (an action's text: the picture shows the board after it, with the move drawn in)
and `marks` (letters by side and place)."""

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


class ShowTopic(Press, verb="topic", deed=Deed.READ):
    """Turn the rulebook to a topic; it belongs to no table. `system` and `topic` are indexes in their lists.

    `house`: the house rules as a number.
    """

    system: int
    players: int
    house: int
    topic: int


class Rulebook:
    """The rules in one language, with pictures in one theme. `url`: where the full pages are; empty if nowhere."""

    def __init__(self, language: Language, theme: str, url: str = "") -> None:
        self._language = language
        self._theme = theme
        self._url = url

    async def at(self, system: RuleSystem, players: int, options: Options, topic: int = 0) -> Reply:
        """The topic with this number (the first if there is none), with buttons for all others."""
        language = self._language
        found = topics(language, system, players, options)
        number = topic if 0 <= topic < len(found) else 0
        panel = Panel()
        for index, one in enumerate(found):
            style = Style.MAIN if index == number else Style.PLAIN
            panel.button(one.button, _press(system, players, options, index), style=style, disabled=index == number)
        if self._url:
            panel.link(language.t(buttons.WHOLE_RULES), f"{self._url.rstrip('/')}/{system.id}.md")
        name = example_of(system, players, found[number].id)
        text = found[number].text
        if name is not None:
            alt = language.t(EXAMPLES[name]["shows"])
            return Reply(f"{text}\n{small(alt)}", panel, await asyncio.to_thread(_example, name, self._theme), alt)
        if number:
            return Reply(text, panel)
        alt = empty_board(language)
        return Reply(text, panel, await asyncio.to_thread(_opening, system, players, self._theme), alt)

    async def pressed(self, press: ShowTopic) -> Reply:
        """The topic that a button of the rulebook leads to; the first of the first system if it is not one of ours."""
        chosen = tuple(SYSTEMS.values())[press.system if press.system < len(SYSTEMS) else 0]
        players = press.players if press.players in chosen.players else chosen.players[0]
        return await self.at(chosen, players, fitting_options(chosen, players, options_of(press.house)), press.topic)


def _press(system: RuleSystem, players: int, options: Options, topic: int) -> ShowTopic:
    ids = tuple(SYSTEMS)
    number = ids.index(system.id) if system.id in ids else 0
    return ShowTopic(0, number, players, number_of(options), topic)


@lru_cache(maxsize=32)
def _opening(system: RuleSystem, players: int, theme: str) -> bytes:
    board = board_for(system, players)
    kennel = tuple(f"{rank.letter}-" for rank in system.ranks) or ("-",) * 4
    names = {seat: NAMES[seat] for seat in board.seats}
    return board_png(Scene(board=board, placement=dict.fromkeys(board.seats, kennel), names=names), theme)


@lru_cache(maxsize=64)
def _example(name: str, theme: str) -> bytes:
    return board_png(scene_of(EXAMPLES[name]), theme)


def example_of(system: RuleSystem, players: int, topic: str) -> str | None:
    """The picture for a topic, if there is one: with this many players if possible, otherwise with another number."""
    fitting = {
        name: one["position"]["players"]
        for name, one in EXAMPLES.items()
        if (one["position"]["rules"], one["topic"]) == (system.id, topic)
    }
    return min(fitting, key=lambda name: fitting[name] != players, default=None)


def preview_of(position: Position, text: str) -> Preview:
    """What the action with this text does; raises ValueError if the position does not allow it."""
    for candidate in position_actions(position):
        if str(candidate.action) == text:
            return candidate.preview
    raise ValueError(f"{text!r} cannot be played here")


def scene_of(data: Mapping[str, Any]) -> Scene:
    """The picture that an example calls for; raises ValueError if its position or play is wrong."""
    position = parse_position(data["position"])
    scene = Scene.from_position(position)
    if "play" in data:
        preview = preview_of(position, data["play"])
        pile = (data["play"].split()[0],)
        scene = replace(
            scene, placement=preview.placement, moves=((position.seat, preview.steps),), pile=pile, hands={}, to_act=()
        )
    return replace(
        scene,
        names={seat: NAMES[seat] for seat in position.board.seats},
        candidates={
            (int(side), place): letter
            for side, letters in data.get("marks", {}).items()
            for place, letter in letters.items()
        },
    )
