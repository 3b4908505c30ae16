"""Nothing is cut on a button, in a menu or in a picture: in every language, with the longest names, in every system.

What is made in a cog is looked at in `tests/cogs/people/test_every_language.py`, captions in `test_captions.py`.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot import languages
from bot.languages import Language, language_for
from bot.moment import Moment
from bot.occupants import Occupant
from bot.results import ALL_SYSTEMS
from bot.showing import controls, panels, terms
from bot.showing.dialogue import Dialogue
from bot.showing.panels import Panel
from bot.showing.pictures import Pictures
from bot.table import SeatClock, SeatTable, Stage, Status, Table
from bot.texts import pictures as words
from bot.texts import stats
from bot.texts.names import NAME_LIMIT, round_name
from bot.texts.teaching import advice, rules
from engine import SYSTEMS, Game, SeatGame
from render.chart import Ranked, Spell, Words, ranking_png, rating_png, scale
from render.curve import TeamCurve, curve_png
from render.drawing import text as letters
from render.drawing.cache import CACHES
from render.share import captioned_png
from tests.bot.shown import Drawn, paths, table_of
from tests.engine.staging import LARGEST, course
from tests.spoken import IDS, MEASURED
from tools import pseudo

LEGIBLE = 24
"""The least height of letters in a picture of 1024 pixels."""


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The labels that were too long for their place."""
    found: list[str] = []

    def shorten(text: str, limit: int) -> str:
        if len(text) > limit:
            found.append(f"{limit}: {text}")
        return text[:limit]

    monkeypatch.setattr(panels, "shorten", shorten)
    return found


def crowded(game: Game, **changes: Any) -> Table:
    """A table whose people all have the longest names."""
    people = {seat: Occupant(f"{seat}".ljust(NAME_LIMIT, "W"), 100 + seat) for seat in game.seats}
    return replace(table_of(game), occupants=people, **changes)


@pytest.mark.parametrize("language", MEASURED, ids=IDS)
@pytest.mark.parametrize(("system", "players"), LARGEST)
def test_public_buttons_and_menus_fit(language: Language, system: str, players: int, cut: list[str]) -> None:
    game = course(Game.new(system, players, bytes(32)), random.Random(1), 1)[0]
    table = crowded(game)
    computers = {
        seat: Occupant(who.name, computer="strong") if seat else who
        for seat, who in table.occupants.items()
        if seat != 1
    }
    lobby = replace(table, status=Status.LOBBY, game=None, occupants=computers)
    controls.lobby_panel(language, lobby)
    controls.settings_panel(language, lobby, lobby.host_id)
    terms.arranging(language, lobby, ())
    controls.board_panel(language, table, in_words=True)
    controls.board_panel(language, replace(table, status=Status.OVER, won=(0,)))
    controls.talk_panel(language, table)
    controls.reclaim_button(Panel(), language, table)
    offered = {seat: replace(who, offered=True) for seat, who in table.occupants.items()}
    for people in (table.occupants, offered):
        clocks = dict.fromkeys(game.seats, SeatClock(Moment(0, 1), 101, Stage.AUTO, 0, 60, 60, due_at=50, ends_at=50))
        controls.time_up_panel(language, replace(table, occupants=people, clocks=clocks), tuple(game.seats))
    for topic in rules.topics(language, SYSTEMS[system], players):
        panels.line(topic.title, 0)
    assert cut == []


@pytest.mark.parametrize("language", MEASURED, ids=IDS)
@pytest.mark.parametrize(("system", "players"), LARGEST)
async def test_what_can_be_played_fits(language: Language, system: str, players: int, cut: list[str]) -> None:
    """A hand, and what each of its cards leads to, now and then in a game."""
    dice = random.Random(f"{system} {players}")
    for game in course(Game.new(system, players, dice.randbytes(32)), dice, 120)[::20]:
        for seat in game.to_act[:1]:
            seated = SeatTable(crowded(game), SeatGame(game, seat))
            talk = Dialogue(Drawn(), language, seated, "slate")  # type: ignore[arg-type]
            for path in {path for path, acts in paths(await talk.at(())) if not acts}:
                await talk.at(path)
    assert cut == []


@pytest.fixture(params=[*MEASURED, pseudo.CODE], ids=[*IDS, pseudo.CODE])
def reader(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Language:
    """The reader's language; one of them is a pseudo-language with long words."""
    if request.param == pseudo.CODE:
        monkeypatch.setattr(languages, "LOCALES", languages.LOCALES)
        pseudo.speak(tmp_path)
        return language_for(pseudo.CODE)
    return request.param


def tight(least: int) -> set[str]:
    """What has been written cut, or smaller than this, since the last call, other than the longest names.

    What is drawn once and kept is written once.
    """
    written = {
        (text, size)
        for text, size, _ in letters._inks._held
        if len(text.strip("W0123456789…\u2066\u2067\u2068\u2069")) > 1
    }
    letters._inks.clear()
    return {f"{size}: {text}" for text, size in written if size < least or "…" in text}


async def in_place(work: Callable[..., bytes], *args: Any) -> bytes:
    return work(*args)


@pytest.fixture(scope="module")
def nothing_drawn() -> None:
    """Other tests may have written the same words. Readers share what is drawn: it was looked at for the first one."""
    for cache in CACHES:
        # No word is written on an empty board.
        if not cache.name.startswith("boards"):
            cache.clear()


@pytest.mark.usefixtures("nothing_drawn")
async def test_words_in_pictures_fit(reader: Language) -> None:
    # Words that are longer than any language's may become smaller, but nothing is cut.
    least = 0 if reader.code == pseudo.CODE else LEGIBLE
    for system, players in LARGEST:
        await pictures_fit(reader, system, players, least)
    for ranked in (ALL_SYSTEMS, *SYSTEMS):
        charts_fit(reader, ranked, least)


@lru_cache
def below() -> bytes:
    """A picture as wide as a board, to stand under a caption."""
    picture = BytesIO()
    Image.new("P", (1024, 64)).save(picture, "PNG")
    return picture.getvalue()


async def pictures_fit(reader: Language, system: str, players: int, least: int) -> None:
    pictures, game = Pictures(in_place), Game.new(system, players, bytes(32))
    table = crowded(game)
    free = {seat: who for seat, who in table.occupants.items() if seat}
    await pictures.lobby(replace(table, status=Status.LOBBY, game=None, occupants=free), reader)
    assert not tight(least), f"the lobby of {system}"
    view = game.view(None)
    for told in (view, replace(view, out=frozenset(game.seats)), replace(view, winners=game.board.teams[0])):
        await pictures.board(table, told, (), reader)
        assert not tight(least), f"a board of {system}"
    over = replace(table, status=Status.OVER, won=game.board.teams[0], started_at=0, ended_at=90_000)
    await pictures.shared(over, view, reader, words.share_facts(reader, over, view, ()))
    assert not tight(least), f"the picture to share of {system}"
    chances = [
        TeamCurve(team, (1.0, 0.0), tuple(over.occupants[seat].name for seat in team)) for team in game.board.teams
    ]
    title, first, axis = advice.curve_title(reader, over), round_name(reader, 1), advice.curve_axis(reader)
    shares = [reader.percent(share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    await pictures.draw(curve_png, chances, {1: 0}, title, (), "slate", first, axis, shares)
    assert not tight(least), f"the curve of a review of {system}"
    for caption in (advice.played(reader, 9), advice.better(reader, 9), words.best_caption(reader, over, 0)):
        await pictures.draw(captioned_png, below(), caption, "slate")
    assert not tight(least), f"captions above pictures of {system}"


def charts_fit(reader: Language, system: str, least: int) -> None:
    spells = [Spell(-1234.5, 300.0), Spell(2345.6, 300.0)]
    words = Words(**stats.chart_words(reader, 1_234))
    marks = {mark: stats.points(reader, mark) for mark in scale(spells)}
    rating_png(spells, [True], stats.title(reader, "W", system), words, marks)
    assert not tight(least), "ratings"
    line = Ranked("W" * NAME_LIMIT, 1234.5, reader.change(-1_234), 9.0, True)
    ranking_png([line], stats.ranking_title(reader, system, reader.t("this month")), words)
    assert not tight(least), "a leaderboard"
