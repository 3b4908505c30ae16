"""Where there is room on a board: boxes for cards and words that overlap no space, band or kennel.

What is in the way is drawn on a coarse mask once; after that, testing a box costs four look-ups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from PIL import Image, ImageDraw

from render.geometry import BAND, LANE, PATH, Box, Layout, Point

GRAIN = 4
"""How many pixels of a 1024 px picture make one pixel of the mask."""
WHOLE = 1024


class Room:
    """The free room on one board, in pixels of a picture 1024 px wide. `margin` is kept clear around everything."""

    def __init__(self, layout: Layout, margin: float = 4.0) -> None:
        self.layout = layout if layout.size == WHOLE else Layout(layout.board, WHOLE, layout.turned)
        self._count = WHOLE // GRAIN
        self._mask = Image.new("1", (self._count, self._count))
        self._draw = ImageDraw.Draw(self._mask)
        pitch = self.layout.pitch
        self._line(self.layout.outline, BAND * pitch + margin)
        for line in self.layout.path_lines.values():
            self._line(line, PATH * pitch + margin)
        for slots in self.layout.lanes:
            self._line(slots, LANE * pitch + margin)
        for corner in self.layout.corners:
            edge = corner.badge_radius * 1.15
            (x, y) = corner.badge
            for box in (*corner.panel, (x - edge, y - edge, x + edge, y + edge)):
                self.take(box)
        self._sums: list[list[int]] | None = None

    def _line(self, points: Iterable[Point], half: float) -> None:
        spots = [(x / GRAIN, y / GRAIN) for x, y in points]
        self._draw.line(spots, fill=1, width=round(2 * half / GRAIN) + 1)
        reach = half / GRAIN
        for x, y in spots:
            self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=1)

    def take(self, box: Box) -> None:
        """Mark a box as taken."""
        self._draw.rectangle([edge / GRAIN for edge in box], fill=1)
        self._sums = None

    def free(self, box: Box) -> bool:
        """Whether a box is within the picture and nothing is in it."""
        if self._sums is None:
            self._sums = self._add_up()
        left, top, right, bottom = (round(edge / GRAIN) for edge in box)
        if left < 0 or top < 0 or right >= self._count or bottom >= self._count:
            return False
        sums = self._sums
        return sums[bottom + 1][right + 1] - sums[top][right + 1] - sums[bottom + 1][left] + sums[top][left] == 0

    def _add_up(self) -> list[list[int]]:
        """For every pixel of the mask, how many of those above and to the left of it are taken."""
        data = self._mask.convert("L").point([0] + [1] * 255).tobytes()
        rows = [[0] * (self._count + 1)]
        for at in range(0, len(data), self._count):
            across = accumulate(data[at : at + self._count], initial=0)
            rows.append([above + here for above, here in zip(rows[-1], across, strict=True)])
        return rows

    def nearest(self, sizes: Iterable[tuple[float, float]], wish: Point, reach: float = 300.0) -> Box | None:
        """The first of the sizes (width, height) that fits within reach of a point, as near to it as possible."""
        spots = sorted(_around(wish, reach))
        for width, height in sizes:
            for _, x, y in spots:
                box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
                if self.free(box):
                    return box
        return None


def _around(wish: Point, reach: float) -> Iterator[tuple[float, float, float]]:
    """Points around another, nearest first."""
    steps = range(-round(reach), round(reach) + 1, 2 * GRAIN)
    for dy in steps:
        for dx in steps:
            yield (dx * dx + dy * dy) ** 0.5, wish[0] + dx, wish[1] + dy
