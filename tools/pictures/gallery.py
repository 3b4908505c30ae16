"""Every kind of picture in one folder, with a page that shows them all: `python -m tools.pictures gallery OUT/`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from io import BytesIO
from pathlib import Path

from PIL import Image

from bot.showing.scenarios import laid_out, load, tables
from render.board.assembly import board_png
from render.drawing import shapes
from render.drawing.art import Pen
from render.film import replay_gif
from render.hand import hand_png
from render.scene import Scene
from render.share import share_png
from render.themes import THEMES
from tools.pictures import samples
from tools.scenarios import play_scenario

AVATAR = 512
"""Pixels of the bot's own picture, in width and height."""

_STYLE = """
body { background: #313338; color: #f2f3f5; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 32px auto; max-width: 1280px; }
h1, h2 { font-weight: 650; margin: 40px 16px 8px; }
section { display: flex; flex-wrap: wrap; gap: 16px; padding: 0 16px; }
figure { margin: 0; }
img { display: block; border-radius: 8px; width: 400px; }
figcaption { color: #b5bac1; font-size: 14px; }
.phone img { width: 300px; }
"""


@dataclass(frozen=True)
class Picture:
    """A picture of the gallery."""

    chapter: str
    name: str
    data: bytes
    kind: str = "png"

    @property
    def file(self) -> str:
        """Its file name."""
        return f"{self.chapter}-{self.name}.{self.kind}".replace(" ", "-")


def pictures() -> Iterator[Picture]:
    """Draw and yield all pictures in turn."""
    for system, players in samples.BOARDS:
        scene = samples.standard(system, players)
        yield Picture("boards", f"{system}-{players}", board_png(scene))
    for theme in THEMES:
        for name, scene in _themed().items():
            yield Picture("themes", f"{theme}-{name}", board_png(scene, theme))
        yield Picture("themes", f"{theme}-hand", hand_png(*samples.HANDS["six"][:2], theme=theme))
    for name, scene in samples.moves().items():
        yield Picture("moves", name, board_png(scene))
    for name, scene in samples.states().items():
        yield Picture("states", name, board_png(scene))
    for name, scene in samples.previews().items():
        yield Picture("previews", name, board_png(scene))
    for board in laid_out():
        yield Picture("scenarios", board.name, board_png(board.scene()))
    for name in tables():
        view = play_scenario(load(name))[1].view(None)
        names = {side: samples.NAMES[side] for side in view.pieces}
        yield Picture("scenarios", name, board_png(Scene.from_view(view, names=names)))
    for name, (cards, playable, deck) in samples.HANDS.items():
        yield Picture("hands", name, hand_png(cards, playable, deck=deck))
    for name, game in samples.SHARES.items():
        yield Picture("shares", name, share_png(*samples.share(*game)))
    for theme in THEMES:
        for name, chart in samples.CHARTS.items():
            yield Picture("charts", f"{theme}-{name}", chart(theme))
    yield Picture("small", "four-400", board_png(samples.moves()["seven"], size=400))
    yield Picture("small", "six-400", board_png(samples.moves()["inner-path"], size=400))
    yield Picture("small", "royal-300", board_png(samples.moves()["royal-copy"], size=300))
    yield Picture("replay", "moves", replay_gif(samples.story()), "gif")


def _themed() -> dict[str, Scene]:
    moves = samples.moves()
    return {
        "classic": moves["capture"],
        "family": moves["family-lane"],
        "dobney-6": moves["inner-path"],
        "royal": moves["royal-copy"],
        "winners": samples.states()["winners"],
    }


def write(folder: Path) -> int:
    """Draw everything into a folder (created if necessary) and return the number of pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    chapters: dict[str, list[Picture]] = {}
    for picture in pictures():
        (folder / picture.file).write_bytes(picture.data)
        chapters.setdefault(picture.chapter, []).append(picture)
    (folder / "index.html").write_text(_page(chapters), encoding="utf-8")
    return sum(map(len, chapters.values()))


def _page(chapters: dict[str, list[Picture]]) -> str:
    parts = [
        f"<!doctype html><meta charset=utf-8><title>DOG pictures</title><style>{_STYLE}</style><h1>DOG pictures</h1>"
    ]
    for chapter, shown in chapters.items():
        parts.append(
            f'<h2>{escape(chapter.capitalize())}</h2><section class="{"phone" if chapter == "small" else ""}">'
        )
        for picture in shown:
            words = f"{escape(picture.name)}, {len(picture.data) // 1024} KB"
            link = escape(picture.file)
            parts.append(
                f'<figure><a href="{link}"><img src="{link}" alt=""></a><figcaption>{words}</figcaption></figure>'
            )
        parts.append("</section>")
    return "\n".join(parts) + "\n"


README_PICTURES: dict[str, tuple[str, str, int]] = {
    "board.png": ("seven", "slate", 1024),
    "royal.png": ("royal-copy", "wood", 1024),
    "six-sides.png": ("inner-path", "slate", 1024),
    "light.png": ("capture", "light", 1024),
}
"""File, scene, theme and size of the boards in the README."""


def write_readme(folder: Path) -> int:
    """Draw the pictures of README and docs into a folder, wordless since languages share them; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (scene, theme, size) in README_PICTURES.items():
        (folder / name).write_bytes(board_png(_wordless(samples.moves()[scene]), theme, size))
    (folder / "preview.png").write_bytes(board_png(_wordless(samples.previews()["targets"])))
    names = dict(enumerate(samples.NAMES[:4]))
    evening = play_scenario(load("classic-evening"))[1].view(None)
    (folder / "evening.png").write_bytes(board_png(_wordless(Scene.from_view(evening, names=names)), size=720))
    (folder / "hand.png").write_bytes(hand_png(*samples.HANDS["six"][:2]))
    (folder / "hand-royal.png").write_bytes(hand_png(*samples.HANDS["royal-red"][:2]))
    (folder / "avatar.png").write_bytes(_avatar())
    return len(README_PICTURES) + 5


def _avatar() -> bytes:
    """Draw a paw between four pieces: the bot's picture at Discord, which shows it round and small."""
    theme, middle = THEMES["wood"], AVATAR / 2
    picture = Image.new("RGB", (AVATAR, AVATAR), theme.table)

    def add(colour: tuple[int, int, int], draw: Callable[[Pen], None]) -> None:
        pen = Pen(AVATAR, AVATAR, 4)
        draw(pen)
        picture.paste(colour, (0, 0), pen.take())

    add(theme.band, lambda pen: pen.disc(middle, middle, 0.46 * AVATAR))
    add(theme.inner, lambda pen: pen.disc(middle, middle, 0.27 * AVATAR))
    add(theme.gold, lambda pen: shapes.paw(pen, middle, middle, 0.2 * AVATAR))
    spots = [(middle + 0.365 * AVATAR * x, middle + 0.365 * AVATAR * y) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    add(theme.rim, lambda pen: pen.discs(spots, 0.075 * AVATAR))
    for side, spot in enumerate(spots):
        add(theme.seat(side), partial(Pen.discs, points=[spot], radius=0.063 * AVATAR))
    data = BytesIO()
    picture.save(data, "PNG", optimize=True)
    return data.getvalue()


def _wordless(scene: Scene) -> Scene:
    """Return a scene that does not say its round."""
    return replace(scene, round=0)
