"""The looks to choose from: colours of table, board and writing, and the six seats' colours and marks.

The seats look the same in every theme, so that "the green squares" are the green squares for everyone. Their colours
were chosen so that they stay apart for every kind of colour-blind eye (the tests hold the figures), and each has a
shape of its own besides.
"""

from __future__ import annotations

from dataclasses import dataclass

from render.colour import RGB, luminance, mix, readable, rgb
from render.errors import RenderError

INK = rgb("#10131a")
PAPER = rgb("#fdfcf7")
SEATS: tuple[RGB, ...] = tuple(map(rgb, ("#1c4eae", "#f7ae29", "#50ad90", "#b459ed", "#c73138", "#f9f478")))
"""Blue, amber, green, violet, red, yellow."""
MARKS = ("circle", "triangle", "square", "diamond", "star", "cross")
UNUSED = rgb("#7c8496")


@dataclass(frozen=True)
class Theme:
    """One look."""

    id: str
    table: RGB
    """Around the board, under the kennels."""
    inner: RGB
    """Inside the track."""
    band: RGB
    band_edge: RGB
    space: RGB
    space_edge: RGB
    number: RGB
    number_strong: RGB
    """Every fifth number."""
    text: RGB
    quiet: RGB
    """Writing and signs of less weight."""
    ribbon: RGB
    chevron: RGB
    rim: RGB
    """Around the pieces."""
    gold: RGB
    """Special spaces."""
    shadow: float
    """How dark shadows are, 0 to 1."""
    grain: bool = False
    outline: float = 1.5
    """Width of the band's edge in pixels of a 1024 px picture."""

    def seat(self, side: int) -> RGB:
        """The colour of a side."""
        return SEATS[side]

    def mark(self, side: int) -> RGB:
        """The colour of the mark on a side's pieces."""
        return readable(SEATS[side], INK, PAPER)

    def lit(self, side: int) -> RGB:
        """A side's colour where it shines: brighter than the table around it, or deeper on a bright one."""
        seat = SEATS[side]
        return mix(seat, INK, 0.18) if luminance(self.table) > 0.5 else mix(seat, PAPER, 0.3)

    def lane(self, side: int) -> RGB:
        """The ground of a side's lane."""
        return mix(SEATS[side], self.inner, 0.12)

    def well(self, side: int) -> RGB:
        """The ground of a side's kennel."""
        return mix(SEATS[side], self.table, 0.62)


THEMES: dict[str, Theme] = {
    theme.id: theme
    for theme in (
        Theme(
            id="slate",
            table=rgb("#171b25"),
            inner=rgb("#222836"),
            band=rgb("#414c67"),
            band_edge=rgb("#56648a"),
            space=rgb("#121622"),
            space_edge=rgb("#5d6b8d"),
            number=rgb("#aab5cf"),
            number_strong=rgb("#ffffff"),
            text=rgb("#eef1f8"),
            quiet=rgb("#8793b0"),
            ribbon=rgb("#efeadb"),
            chevron=rgb("#1b2030"),
            rim=rgb("#ffffff"),
            gold=rgb("#e8b63c"),
            shadow=0.55,
        ),
        Theme(
            id="wood",
            table=rgb("#1e2f29"),
            inner=rgb("#27413a"),
            band=rgb("#d9b27c"),
            band_edge=rgb("#f0d3a4"),
            space=rgb("#4a2f1b"),
            space_edge=rgb("#7d5732"),
            number=rgb("#e9cfa6"),
            number_strong=rgb("#ffffff"),
            text=rgb("#f6efdf"),
            quiet=rgb("#9db3a4"),
            ribbon=rgb("#fffaf0"),
            chevron=rgb("#3a2412"),
            rim=rgb("#ffffff"),
            gold=rgb("#ffd35c"),
            shadow=0.6,
            grain=True,
        ),
        Theme(
            id="light",
            table=rgb("#e6eaf2"),
            inner=rgb("#f6f8fc"),
            band=rgb("#c3ccdf"),
            band_edge=rgb("#a9b5cd"),
            space=rgb("#ffffff"),
            space_edge=rgb("#8f9cb9"),
            number=rgb("#4d5a78"),
            number_strong=rgb("#0e1424"),
            text=rgb("#1b2233"),
            quiet=rgb("#67728c"),
            ribbon=rgb("#2a3350"),
            chevron=rgb("#f4f1e6"),
            rim=rgb("#ffffff"),
            gold=rgb("#e0a41f"),
            shadow=0.28,
        ),
        Theme(
            id="contrast",
            table=rgb("#000000"),
            inner=rgb("#000000"),
            band=rgb("#2a2a2a"),
            band_edge=rgb("#ffffff"),
            space=rgb("#000000"),
            space_edge=rgb("#ffffff"),
            number=rgb("#ffffff"),
            number_strong=rgb("#ffffff"),
            text=rgb("#ffffff"),
            quiet=rgb("#d0d0d0"),
            ribbon=rgb("#ffffff"),
            chevron=rgb("#000000"),
            rim=rgb("#ffffff"),
            gold=rgb("#ffd400"),
            shadow=0.0,
            outline=3.0,
        ),
    )
}


def theme_of(name: str) -> Theme:
    """The theme of that name; raises RenderError."""
    try:
        return THEMES[name]
    except (KeyError, TypeError):
        raise RenderError("theme", f"must be one of {', '.join(THEMES)}, not {str(name)[:20]!r}") from None
