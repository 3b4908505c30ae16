"""Replays: a whole game as one animated GIF, its frames sharing the theme's palette.

A frame stores only what changed. Pillow's GIF encoder keeps Python's global lock, but is only ever given one frame's
changes (about a millisecond), so `await asyncio.to_thread(replay_gif, scenes)` leaves the event loop free between
frames; a caller that wants to stop early or to share the thread takes `replay_parts` instead, a piece at a time.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Iterator

from PIL import Image, ImageChops

from render.board import numbers
from render.errors import RenderError
from render.palette import palette_for
from render.scene import Scene
from render.themes import theme_of

DELAY = 1.2
"""Seconds that a frame stands."""
LAST = 5.0
"""Seconds that the last frame stands."""

_UNCHANGED = 255
_CHANGED = bytes([0]) + bytes([255]) * 255


def replay_gif(
    scenes: Iterable[Scene], theme: str = "slate", size: int = 512, delay: float = DELAY, last: float = LAST
) -> bytes:
    """The scenes one after the other as an animated GIF; raises RenderError.

    `delay` and `last` say in seconds how long a frame and the last one stand.
    """
    return b"".join(replay_parts(scenes, theme, size, delay, last))


def replay_parts(
    scenes: Iterable[Scene], theme: str = "slate", size: int = 512, delay: float = DELAY, last: float = LAST
) -> Iterator[bytes]:
    """The same, piece by piece: join all pieces for the file. There is about one piece a scene."""
    look = theme_of(theme)
    if not 0 < delay <= 60 or not 0 < last <= 60:
        raise RenderError("delay", "must be more than 0 and at most 60 seconds")
    before: Image.Image | None = None
    held: tuple[Image.Image, int, int] | None = None
    for scene in scenes:
        picture = _grey(numbers(scene, look, size))
        if before is None:
            yield _head(size, palette_for(look).colours)
            held = picture, 0, 0
        else:
            changes = _changes(before, picture)
            if held is not None:
                yield _frame(*held, delay)
            held = changes
        before = picture
    if held is None:
        raise RenderError("scenes", "a replay needs at least one scene")
    yield _frame(*held, last)
    yield b";"


def _grey(picture: Image.Image) -> Image.Image:
    """The palette's numbers as grey values, which can be compared."""
    return Image.frombytes("L", picture.size, picture.tobytes())


def _changes(before: Image.Image, after: Image.Image) -> tuple[Image.Image, int, int]:
    """The part that differs, with everything in it that does not marked as unchanged, and where it lies."""
    difference = ImageChops.difference(before, after)
    box = difference.getbbox()
    if box is None:
        return Image.new("L", (1, 1), _UNCHANGED), 0, 0
    part = Image.new("L", (box[2] - box[0], box[3] - box[1]), _UNCHANGED)
    part.paste(after.crop(box), (0, 0), difference.crop(box).point(list(_CHANGED)))
    return part, box[0], box[1]


def _head(size: int, colours: bytes) -> bytes:
    """Everything before the first frame: size, palette, and that it plays for ever."""
    table = colours + bytes(768 - len(colours))
    return b"".join(
        (
            b"GIF89a",
            struct.pack("<HHBBB", size, size, 0xF7, 0, 0),
            table,
            b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00",
        )
    )


def _frame(part: Image.Image, left: int, top: int, delay: float) -> bytes:
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x05, round(delay * 100), _UNCHANGED, 0)
    place = struct.pack("<BHHHHB", 0x2C, left, top, part.width, part.height, 0)
    return control + place + _compressed(part)


def _compressed(part: Image.Image) -> bytes:
    """The pixels of a frame as GIF stores them, cut out of a GIF of this frame alone."""
    file = io.BytesIO()
    part.save(file, "GIF", optimize=False, interlace=False)
    data = file.getvalue()
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    while data[at] == 0x21:
        at += 2
        while data[at]:
            at += data[at] + 1
        at += 1
    flags = data[at + 9]
    at += 10 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    end = at + 1
    while data[end]:
        end += data[end] + 1
    return data[at : end + 1]
