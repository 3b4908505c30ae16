"""Captions: words above a picture, which itself stays as it was."""

from io import BytesIO

import pytest
from PIL import Image

from engine import Game
from render import RenderError, Scene, board_png, hand_png
from render.share import captioned_png
from render.themes import THEMES


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
def test_caption_stands_above_the_unchanged_picture(theme: str) -> None:
    game = Game.new("classic", 4, bytes(32))
    for picture in (board_png(Scene.from_view(game.view(None)), theme, 360), hand_png(["5", "A"], {0}, theme)):
        plain = opened(picture)
        width, height = plain.size
        found = [opened(captioned_png(picture, words, theme)) for words in ("1. Played", "1. Better")]
        bands = []
        for one in found:
            band = one.height - height
            assert one.crop((0, band, width, one.height)).tobytes() == plain.tobytes()
            bands.append(one.crop((0, 0, width, band)))
            assert band >= width / 16, "still read where the picture is 400 pixels wide"
            assert len(bands[-1].getcolors(9999) or ()) > 2
        assert bands[0].tobytes() != bands[1].tobytes()


def test_a_picture_of_something_else_is_refused() -> None:
    data = BytesIO()
    Image.new("RGB", (64, 64)).save(data, "PNG")
    with pytest.raises(RenderError):
        captioned_png(data.getvalue(), "1. Played")
