"""The golden pictures: what they show, and how two pictures are compared as an eye would compare them.

`python -m tests.render.pictures` draws them all again; look at the gallery first.
"""

import io
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from render import THEMES, board_png, hand_png
from render.share import share_png
from tools.pictures import samples

FOLDER = Path(__file__).parent / "golden"
SIZE = 256


def goldens() -> dict[str, Callable[[], bytes]]:
    """What is drawn for each golden picture, by file name."""
    found: dict[str, Callable[[], bytes]] = {}
    for system, players in samples.BOARDS:
        found[f"board-{system}-{players}"] = lambda s=system, p=players: board_png(samples.standard(s, p), size=SIZE)
    for theme in THEMES:
        for name in ("capture", "inner-path", "royal-copy"):
            found[f"{theme}-{name}"] = lambda n=name, t=theme: board_png(samples.moves()[n], t, SIZE)
    for group, scenes in (("move", samples.moves()), ("state", samples.states()), ("preview", samples.previews())):
        for name, scene in scenes.items():
            found[f"{group}-{name}"] = lambda s=scene: board_png(s, size=SIZE)
    for name, (cards, playable, deck) in samples.HANDS.items():
        found[f"hand-{name}"] = lambda c=cards, p=playable, d=deck: small(hand_png(c, p, deck=d))
    for name, game in samples.SHARES.items():
        found[f"share-{name}"] = lambda g=game: small(share_png(*samples.share(*g)))
    for name, chart in samples.CHARTS.items():
        found[f"chart-{name}"] = lambda c=chart: small(c("slate"))
    return found


def small(data: bytes) -> bytes:
    """A picture at a quarter of its size."""
    picture = Image.open(io.BytesIO(data)).convert("RGB").reduce(4)
    file = io.BytesIO()
    picture.quantize(128).save(file, "PNG", optimize=True)
    return file.getvalue()


def difference(one: bytes, other: bytes) -> tuple[float, float]:
    """How much two pictures differ: on average, and where they differ most; 0 to 255.

    Both are first reduced to blocks of eight pixels: an edge smoothed a little differently does not count, a piece in a
    different place does.
    """
    first, second = (Image.open(io.BytesIO(data)).convert("RGB") for data in (one, other))
    if first.size != second.size:
        return 255.0, 255.0
    coarse = ImageChops.difference(first.reduce(8), second.reduce(8))
    return sum(ImageStat.Stat(coarse).mean) / 3, float(max(high for _, high in coarse.getextrema()))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    for file_name, draw in goldens().items():
        (FOLDER / f"{file_name}.png").write_bytes(draw())
