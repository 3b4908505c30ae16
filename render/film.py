"""Replays: a whole game as one animated GIF in which pieces glide; all frames share the theme's palette.

A frame stores only what changed. Pillow's GIF encoder holds Python's global lock, but it is only ever given one frame's
changes (about a millisecond), so `await asyncio.to_thread(replay_gif, scenes)` leaves the event loop free between
frames; a caller that wants to stop early or to share the thread uses `replay_parts`, which goes step by step.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PIL import Image, ImageChops

from render.board.assembly import animate
from render.errors import RenderError
from render.palette import palette_for
from render.scene import Scene, captured_sides
from render.themes import theme_of

WHOLE = 60.0
"""Seconds that a film should take, as long as its scenes are then shown neither too long nor too briefly."""
SHORTEST, LONGEST = 0.35, 1.5
"""The least and the most seconds for which a scene is shown."""
CAPTURE = 1.6
"""A scene in which pieces are sent home is shown this many times longer."""
LAST = 6.0
"""Seconds for which the last frame is shown."""
GLIDE = 0.28
"""Seconds that pieces glide, and then those that were sent home; included in the time of their scene."""
TWEENS = 4
"""Pictures per glide; long films have none."""
LONG = 8
"""From so many spaces on, a walk has half as many pictures again, and takes as much longer."""
MANY = 260
"""With more scenes than this nothing glides: the film would get too large for the little that shows at that pace."""
SCENE = 40_000
"""Bytes that a scene hardly ever needs at the largest size."""
SIZES = (512, 448, 400, 352, 320, 288, 256)
"""In pixels; the largest that fits is used."""

_UNCHANGED = 255


@dataclass(frozen=True)
class Tempo:
    """Speed of a film, in seconds."""

    scene: float
    tweens: int = TWEENS
    last: float = LAST
    loops: bool = True

    @classmethod
    def of(cls, count: int, loops: bool = True) -> Tempo:
        """Return the pace for this many scenes: about a minute in all, with each scene long enough to be seen."""
        return cls(min(LONGEST, max(SHORTEST, WHOLE / max(1, count))), TWEENS if count <= MANY else 0, loops=loops)

    def of_scene(self, scene: Scene) -> float:
        """Return the seconds for which this scene is shown."""
        return self.scene * (CAPTURE if captured_sides(scene.moves) else 1.0)


@dataclass(frozen=True)
class Film:
    """A finished film, which takes so many `seconds`."""

    data: bytes
    scenes: int
    pace: Tempo
    size: int
    seconds: int


def film(scenes: Sequence[Scene], theme: str = "slate", most: int = 8 << 20, loops: bool = True) -> Film:
    """Return all scenes as a GIF of at most this many bytes; raises RenderError.

    A long film goes faster and is smaller, but no scene is ever left out. Its size is estimated from the first scenes,
    so that few films are started in vain.
    """
    pace = Tempo.of(len(scenes), loops)
    sizes = list(SIZES)
    sample = 24
    if len(scenes) > 2 * sample and len(scenes) * SCENE > most:
        middle = len(scenes) // 2
        tried = scenes[middle - sample // 2 : middle + sample // 2]
        weight = len(replay_gif(tried, theme, sizes[0], pace)) * len(scenes) / sample
        sizes = [size for size in sizes if weight * (size / sizes[0]) ** 1.5 < most] or sizes[-1:]
    data = b""
    for size in sizes:
        parts, weight = [], 0
        for part in replay_parts(scenes, theme, size, pace):
            parts.append(part)
            weight += len(part)
            if weight > most:
                break
        else:
            seconds = round(sum(map(pace.of_scene, scenes[:-1])) + pace.last)
            return Film(b"".join(parts), len(scenes), pace, size, seconds)
        data = b"".join(parts)
    raise RenderError("scenes", f"{len(scenes)} of them make more than {len(data)} bytes")


def replay_gif(scenes: Iterable[Scene], theme: str = "slate", size: int = 512, pace: Tempo | None = None) -> bytes:
    """Return the scenes in turn as an animated GIF; raises RenderError. Without a pace, the usual for their number."""
    return b"".join(replay_parts(scenes, theme, size, pace))


def replay_parts(
    scenes: Iterable[Scene], theme: str = "slate", size: int = 512, pace: Tempo | None = None
) -> Iterator[bytes]:
    """Yield the GIF in parts, about one per picture; joined, they make the file."""
    look = theme_of(theme)
    story = list(scenes)
    if not story:
        raise RenderError("scenes", "a replay needs at least one scene")
    pace = pace or Tempo.of(len(story))
    if not 0 < pace.scene <= 60 or not 0 < pace.last <= 60 or not 0 <= pace.tweens <= 20:
        raise RenderError("pace", "must be more than 0 and at most 60 seconds, with at most 20 pictures between")
    yield _head(size, palette_for(look).colours, pace.loops)
    before: Image.Image | None = None
    for number, scene in enumerate(story):
        walked = max((len(step.path) for _, steps in scene.moves[-1:] for step in steps), default=0)
        tweens = 0 if number == 0 else pace.tweens * (3 if walked > LONG else 2) // 2
        glide = [(index + 1) / (tweens + 1) for index in range(tweens + 1)]
        pictures = [_grey(picture) for picture in animate(scene, look, size, glide, story[max(0, number - 1)])]
        between = GLIDE / pace.tweens if len(pictures) > 1 else 0.0
        for index, picture in enumerate(pictures):
            if index < len(pictures) - 1:
                delay = between
            elif number == len(story) - 1:
                delay = pace.last
            else:
                delay = max(0.1, pace.of_scene(scene) - between * (len(pictures) - 1))
            part = (picture, 0, 0) if before is None else _changes(before, picture)
            yield _frame(*part, delay)
            before = picture
    yield b";"


def _grey(picture: Image.Image) -> Image.Image:
    """Return the palette numbers as grey values, which can be compared."""
    return Image.frombytes("L", picture.size, picture.tobytes())


def _changes(before: Image.Image, after: Image.Image) -> tuple[Image.Image, int, int]:
    """Return the part that differs, with unchanged pixels in it marked as such, and its corner."""
    difference = ImageChops.difference(before, after)
    box = difference.getbbox()
    if box is None:
        return Image.new("L", (1, 1), _UNCHANGED), 0, 0
    changed = difference.crop(box)
    part = Image.new("L", changed.size, _UNCHANGED)
    part.paste(after.crop(box), (0, 0), ImageChops.add(changed, changed, 1 / 255))
    return part, box[0], box[1]


def _head(size: int, colours: bytes, loops: bool) -> bytes:
    """Return everything before the first frame: size, palette, and whether it plays forever or once."""
    table = colours + bytes(768 - len(colours))
    return b"".join(
        (
            b"GIF89a",
            struct.pack("<HHBBB", size, size, 0xF7, 0, 0),
            table,
            b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00" if loops else b"",
        )
    )


def _frame(part: Image.Image, left: int, top: int, delay: float) -> bytes:
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x05, round(delay * 100), _UNCHANGED, 0)
    place = struct.pack("<BHHHHB", 0x2C, left, top, part.width, part.height, 0)
    return control + place + _compress(part)


def _compress(part: Image.Image) -> bytes:
    """Return the pixels of a frame in GIF's compressed form: the bits of a pixel, the blocks, their end."""
    return b"\x08" + part.tobytes("gif", "L", 8, 0) + b"\0"
