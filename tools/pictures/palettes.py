"""Makes render/palettes.json from sample pictures: `python -m tools.pictures palettes`, after a change of colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace

from PIL import Image

from engine import Colour
from render import curve, hand, palette, share
from render.board import assembly, corners
from render.cards import RED_SUIT, faces, grey_out, tones
from render.drawing.colour import RGB, fade, mix, rgb
from render.palette import COLOURS, FILE
from render.themes import PAPER, SEATS, THEMES, Theme
from tools.pictures import samples


def sample_pictures(theme: Theme) -> Iterator[Image.Image]:
    """Yield everything that is ever drawn in a theme, in true colours."""
    scenes = [*samples.moves().values(), *samples.states().values(), *samples.previews().values()]
    for scene in (*scenes, *(samples.standard(*kind) for kind in samples.BOARDS)):
        yield assembly.paint(scene, theme, 768).image
    for scene in (samples.standard("dobney", 6), samples.standard("royal", 6)):
        for seat in scene.board.seats:
            yield assembly.paint(replace(scene, to_act=(seat,)), theme, 768).image
    for game in samples.SHARES.values():
        yield share.share(*samples.share(*game), theme)
    for held, playable, deck in samples.HANDS.values():
        for index, face in enumerate(faces(list(held))):
            yield hand.draw_card(face, hand.Form(len(held)).width, deck, theme, playable is None or index in playable)


def flat_colours(theme: Theme) -> list[RGB]:
    """Return the colours that must be reproduced exactly."""
    found: list[RGB] = [getattr(theme, field.name) for field in fields(theme) if field.type == "RGB"]
    found += [*theme.paths, *theme.grain, *SEATS]
    # Numbers and words beside the cards, and the arrows on the board.
    found += [_cell(mix(theme.quiet, theme.text, share)) for share in (0.25, 0.35)]
    found.append(_cell(mix(theme.inner, theme.quiet, 0.55)))
    # The curve's lines of up to four teams.
    found += [_cell(curve.colour(theme, side)) for side in range(4)]
    cards = [tone for colour in (Colour.RED, Colour.GREEN, Colour.BLUE) for tone in tones(colour)]
    found += map(_cell, cards)
    # Cards that cannot be played, whose red would else turn brown, and the joker's purple blue.
    for colour in (*cards, PAPER, RED_SUIT, rgb("#6b3fa0")):
        red, green, blue = grey_out(Image.new("RGBA", (1, 1), colour), theme.table).convert("RGB").tobytes()
        found.append(_cell((red, green, blue)))
    quiet = [theme.inner, theme.band, theme.band_edge, theme.space, theme.space_edge, theme.number, *theme.paths]
    quiet += theme.grain
    for side in range(len(SEATS)):
        quiet += [theme.lane(side), theme.well(side), theme.slot(side)[0]]
        quiet.append(corners.well_ground(theme, theme.well(side)))
        found += [theme.edge(side), theme.start_mark(side), theme.lit(side), theme.lit_ground(side)]
        found += corners.glow_steps(theme, side)
        # The kennel while it glows: yellow would else turn brown.
        found += [theme.well(side, True), corners.well_ground(theme, theme.well(side, True))]
    found += [*quiet, *(_cell(fade(colour, theme.table, theme.back)) for colour in quiet)]
    return list(dict.fromkeys(found))


def _cell(colour: RGB) -> RGB:
    """Return a colour rounded down to multiples of four, as Pillow does."""
    red, green, blue = (part & 0xFC for part in colour)
    return red, green, blue


def make(theme: Theme, pictures: Iterable[Image.Image]) -> bytes:
    """Return a palette for pictures in true colours."""
    exact = flat_colours(theme)
    counts: dict[RGB, int] = {}
    for picture in pictures:
        coarse = picture.point([(i & 0xFC) + 2 for i in range(256)] * 3)
        for count, colour in coarse.getcolors(1 << 24) or ():
            key: RGB = colour  # type: ignore[assignment]
            counts[key] = counts.get(key, 0) + count
    pixels = bytearray()
    for colour, count in counts.items():
        if min(_apart(colour, other) for other in exact) > 40:
            # Rare colours count too: the eye goes to the pieces, not to the table.
            pixels += bytes(colour) * max(1, round(count**0.42))
    picture = Image.frombytes("RGB", (len(pixels) // 3, 1), bytes(pixels))
    rest = picture.quantize(COLOURS - len(exact), Image.Quantize.MEDIANCUT, kmeans=12)
    colours = bytes(part for colour in exact for part in colour) + bytes(rest.getpalette() or b"")
    return colours[: 3 * COLOURS]


def _apart(first: RGB, second: RGB) -> int:
    return sum((a - b) ** 2 for a, b in zip(first, second, strict=True))


def write(palettes: dict[str, bytes]) -> None:
    """Replace the palette file."""
    lines = [f' "{name}": "{palettes[name].hex()}"' for name in THEMES if name in palettes]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    palette.palette_for.cache_clear()
