"""No English word for whoever reads another language: the end of a game of every system, a walk past everything.

Four people read in four languages at one table, one of them the pseudo-language, in which every word that bypasses the
catalogues shows (`tests/reading.py`). `make languages` plays whole games of each system, in each language.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest

from bot import languages
from bot.languages import available, language_for, own_name
from bot.showing import panels
from bot.tables.seating import COMPUTER_NAMES
from bot.texts import buttons
from engine import SYSTEMS
from tests import reading
from tests.cogs.playing import play_to_the_end
from tests.simtable import SimTable
from tests.spoken import WHOLE, spoken
from tools import pseudo

pytestmark = pytest.mark.drawn


def locale_of(code: str) -> str:
    """Discord's code of a language; itself if Discord lacks it: there people choose it in the bot."""
    return next((str(one) for one in discord.Locale if language_for(str(one)).code == code), code)


LOCALES = (pseudo.CODE, *map(locale_of, spoken() if WHOLE else spoken()[:3]))
"""Of the pseudo-language and others than English."""
GAMES = [
    (system, locale)
    for index, system in enumerate(SYSTEMS)
    for locale in (LOCALES if WHOLE else (LOCALES[index % len(LOCALES)],))
]
LAST = 16
"""How many actions of a game are played unless it is a whole one; cards are exchanged in them, too."""


@pytest.fixture(autouse=True, scope="module")
def pseudo_language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The bot speaks the pseudo-language, too, and the words in pictures are noted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(languages, "LOCALES", languages.LOCALES)
        pseudo.speak(Path(tmp_path_factory.mktemp("locales")))
        reading.note_drawn(patch)
        yield


@pytest.fixture(autouse=True)
def nothing_cut(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No button or line of a menu that anybody gets is too long, in whatever cog it is made."""
    found = []

    def shorten(text: str, limit: int) -> str:
        # The pseudo-language is longer than any that there is.
        if len(text) > limit and not {"ţ", "ŕ", "ļ"} & set(text):
            found.append(f"{limit}: {text}")
        return text[:limit]

    monkeypatch.setattr(panels, "shorten", shorten)
    yield
    assert found == []


def speak(table: SimTable, first: int) -> dict[int, str]:
    """Let each member read in another language, beginning with this one; returns the locales by their ids."""
    speaks = {one.id: LOCALES[(first + index) % len(LOCALES)] for index, one in enumerate(table.members)}
    for member in table.members:
        table.speak(member, speaks[member.id])
    return speaks


def nothing_english(table: SimTable, speaks: dict[int, str], public: str) -> None:
    """Fail if anybody got an English word."""
    found = reading.faults(
        table, speaks, public, *COMPUTER_NAMES, "Guild", "table", "TestBot", "mod", *map(own_name, available())
    )
    assert not found, "\n\n".join(f"{sorted(wrong)} in {text}" for text, wrong in found.items())


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("system", "locale"), GAMES)
async def test_a_game_to_its_end(table: SimTable, system: str, locale: str) -> None:
    """In a whole game every fourth lap is clicked, another one in each language."""
    turn = LOCALES.index(locale)
    speaks = speak(table, turn)
    await play_to_the_end(table, system, 10_000 if WHOLE else LAST, locale, turn if WHOLE else None)
    over = await table.bot.tables.get(1)
    asker = next(member for member in table.members if speaks[member.id] == locale)
    await table.click(asker, over.language.t(buttons.PICTURE), on=table.board())
    for command in ("dog stats", "dog leaderboard"):
        await table.slash(asker, command)
    nothing_english(table, speaks, locale)


ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    *((f"dog {name}", {}) for name in ("help", "games", "next", "hand", "history", "stats", "leaderboard", "learn")),
    *((f"dog {name}", {}) for name in ("puzzle", "rules", "takeback", "replay", "review", "verify", "card", "join")),
    *((f"dog table {name}", {}) for name in ("hints", "seek", "nudge", "resign", "cancel")),
    *((f"dog me {name}", {}) for name in ("theme", "quiet", "away", "privacy", "language")),
    ("dog board", {"text": True}),
    ("dog new", {"rules": "classic", "players": 6}),
    ("dog me notify", {"where": "dm"}),
    ("dog me theme", {"look": "text"}),
    ("dog me quiet", {"until": "7"}),
    ("dog-admin settings", {}),
    *((f"dog-admin {name}", {}) for name in ("status", "house list", "moderate bans", "moderate log", "pause")),
)
"""What everybody can ask, at a table that plays."""


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("everything_counts")
@pytest.mark.parametrize("locale", LOCALES)
async def test_whatever_can_be_asked(table: SimTable, moderator: Any, locale: str) -> None:
    members = [*table.members, moderator]
    speaks = {member.id: locale for member in members}
    for member in members:
        table.speak(member, locale)
    ann, ben, *_ = members
    t = language_for(locale).t
    await table.slash(ann, "dog new", pace="live", language=language_for(locale).code)
    settings = (await table.click(ann, t(buttons.SETTINGS), on=table.board())).shown
    await table.click(ann, t(buttons.RULES), on=settings)
    await table.click(ann, t(buttons.ARRANGE), on=settings)
    await table.click(ben, t(buttons.JOIN), on=table.board())
    await table.click(ann, t(buttons.FILL), on=table.board())
    await table.click(ann, t(buttons.START), on=table.board())
    for command, options in ASKED:
        await table.slash(moderator if "admin" in command else ann, command, **options)
    for option in ("card", "move"):
        await table.suggestions(ann, "dog play", option)
    await table.slash(moderator, "dog-admin resume")
    # Nobody plays: reminders, and the choice of the others when the time is up.
    for _ in range(4):
        await table.wait(60)
    await table.click(ann, t(buttons.RESIGN), on=(await table.slash(ann, "dog table resign")).shown)
    for label in (buttons.REPLAY, buttons.REVIEW):
        await table.click(ann, t(label), on=table.board())
    nothing_english(table, speaks, locale)
