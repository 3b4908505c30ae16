"""The looks to choose from: colours of table, board and writing, and the eight seats' colours and marks.

The seats look the same in every theme, so that "the green squares" are the same pieces to all. Their colours
were chosen to stay distinct for every kind of colour-blind eye (the tests hold the figures), and each has its own shape
as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from render.drawing.colour import RGB, brighten, contrast, fade, luminance, mix, readable, rgb
from render.errors import RenderError


def tone(text: str) -> RGB:
    """Return a flat colour from `#rrggbb`, rounded to multiples of four.

    Pillow looks colours up in a palette by their upper six bits, so these are found exactly.
    """
    return snap(rgb(text))


def snap(colour: RGB) -> RGB:
    """Return the nearest colour whose components are multiples of four (or full)."""
    red, green, blue = (255 if part > 253 else min(252, (part + 2) // 4 * 4) for part in colour)
    return red, green, blue


INK = tone("#10131a")
PAPER = tone("#fdfcf7")
SEATS: tuple[RGB, ...] = tuple(
    map(tone, ("#1c44b0", "#f8b028", "#44ac90", "#a858f0", "#c02c40", "#fcfc70", "#4c2810", "#84e8f8"))
)
"""Blue, amber, green, violet, red, yellow, brown, cyan."""
MARKS = ("circle", "triangle", "square", "diamond", "star", "cross", "moon", "heart")
BROWN = 6
"""The side whose colour looks like dirt in small scraps."""
UNUSED = tone("#7c8496")
LOUD = 1.45
"""The least contrast of a piece to an empty lane of its own colour."""
SEEN = 1.12
"""The least contrast of a lane to the ground it lies on."""
RING = 2.4
"""The least contrast of a start's ring to the lane it lies on."""
SHAPE = 1.5
"""The least contrast of the ground of a seat's name, or of its kennel, to a dark table."""
DIM = 1.9
"""The least contrast of a seat's tint to a dark table."""
DARK, PALER = 0.2, 0.25
"""Below which luminance a seat's colour is dark, and how much paler its outlines then are."""


@dataclass(frozen=True, eq=False)
class Theme:
    """A look; there is a single object of each, so that it is found quickly in caches."""

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
    """Less prominent writing and signs."""
    ribbon: RGB
    chevron: RGB
    rim: RGB
    """The rim of the pieces."""
    gold: RGB
    """Special spaces."""
    paths: tuple[RGB, RGB]
    """The bands of the two inner paths: at their crossing, the tint shows which way each goes on."""
    shadow: float
    """Darkness of shadows, 0 to 1."""
    grain: tuple[RGB, ...] = ()
    """The tones of the wood, from darkest to lightest; empty for a flat band."""
    bevel: float = 0.0
    """The strength of light and shadow along the band's edges, 0 to 1."""
    ribbon_edge: float = 0.0
    """Width of an edge around the last move's ribbon, in pixels of a 1024 px picture."""
    outline: float = 1.5
    """Width of the band's edge in pixels of a 1024 px picture."""

    def seat(self, side: int) -> RGB:
        """Return the colour of a side."""
        return SEATS[side]

    def mark(self, side: int) -> RGB:
        """Return the colour of the mark on a side's pieces."""
        return readable(SEATS[side], INK, PAPER)

    @property
    def plate(self) -> RGB:
        """The ground of rows: where the inside of a board is as black as the table, they are like its track."""
        return self.inner if self.inner != self.table else self.band

    @property
    def bright(self) -> bool:
        """True if the table is so bright that a glow has to be deeper, not lighter."""
        return luminance(self.table) > 0.5

    @property
    def pill_rim(self) -> RGB:
        """The rim of the name of a seat that is to move."""
        return INK if self.bright else self.rim

    def lit(self, side: int) -> RGB:
        """Return a side's colour where it glows: brighter than the table around it, or deeper on a bright table.

        It stands out from a band that has stepped back: ways are drawn in it, too.
        """
        towards, least, apart = (INK, 9, 4.0) if self.bright else (PAPER, 7, 3.2)
        band = fade(self.band, self.table, self.back)
        shares = (fade(self.tint(side), towards, share / 20) for share in range(least, 21))
        return next(snap(colour) for colour in shares if contrast(colour, band) >= apart)

    def loud(self, side: int) -> RGB:
        """Return a side's own colour, or its glow where that is dark on a dark table: in grey, it would be lost."""
        return self.lit(side) if luminance(SEATS[side]) < DARK and not self.bright else SEATS[side]

    def lit_ground(self, side: int) -> RGB:
        """Return the ground of a glowing corner."""
        return snap(fade(self.lit(side), self.table, 0.7))

    def edge(self, side: int) -> RGB:
        """Return a side's colour as a line on the table: deeper where that is bright, else lighter if needed."""
        return self.lit(side) if self.bright else self.tint(side)

    def outline_colour(self, side: int, colour: RGB) -> RGB:
        """Return the outline in this colour of a side's kennel or lane: paler for a dark side on a dark table.

        In grey, that is all that shows where these end.
        """
        return mix(colour, PAPER, PALER) if not self.bright and luminance(SEATS[side]) < DARK else colour

    def tint(self, side: int) -> RGB:
        """Return a side's colour as part of a ground: lighter where a dark table would swallow it."""
        if self.bright:
            return SEATS[side]
        shares = (brighten(SEATS[side], 1 + share / 20) for share in range(60))
        return next(snap(colour) for colour in shares if contrast(colour, self.table) >= DIM)

    def lane(self, side: int) -> RGB:
        """Return the ground of a side's lane: its colour faded until a piece of that colour stands out from it."""
        seat = SEATS[side]
        quiet = [snap(fade(seat, self.inner, share)) for share in (0.6, 0.7, 0.8, 0.85)]
        # Nothing on a bright table is much lighter than yellow: its lane is dusty, as pale as the others.
        dusty = mix(seat, self.inner, 0.6) if self.bright else seat
        quiet += [snap(mix(dusty, INK, share / 10)) for share in range(1 if self.bright else 2, 9)]
        # Nothing is much darker than brown, so its lane is lighter.
        quiet += [snap(brighten(seat, 1 + share / 5)) for share in range(1, 6)]
        return next(tone for tone in quiet if contrast(tone, seat) >= LOUD and contrast(tone, self.inner) >= SEEN)

    def start(self, side: int) -> tuple[RGB, RGB, RGB]:
        """Return ground, edge and number of an empty start: its colour, but no piece is less bright.

        On a bright table what is dark stands out, and it is paler instead.
        """
        seat, towards = SEATS[side], self.space if self.bright else INK
        grounds = (snap(mix(seat, towards, share / 20)) for share in range(11 if self.bright else 8, 20))
        ground = next(tone for tone in grounds if contrast(tone, readable(tone, INK, PAPER)) >= 5.0)
        ways = (INK, self.edge(side)) if self.bright else (PAPER, seat)
        edges = (snap(fade(ways[1], ways[0], share / 20)) for share in range(20))
        edge = next(tone for tone in edges if contrast(tone, self.lane(side)) >= RING)
        return ground, edge, readable(ground, INK, PAPER)

    def start_mark(self, side: int) -> RGB:
        """Return the colour of a seat's mark below the number of its empty start, which stays readable."""
        ground, _, number = self.start(side)
        tones = (snap(mix(ground, ink, share)) for ink in (INK, PAPER) for share in (0.22, 0.5))
        return max((tone for tone in tones if contrast(tone, number) >= 5.0), key=lambda tone: contrast(tone, ground))

    def slot(self, side: int) -> tuple[RGB, RGB, RGB]:
        """Return ground, edge and letter of a slot in a side's lane."""
        seat = SEATS[side]
        ground = snap(mix(seat, self.space, 0.86) if self.bright else mix(seat, INK, 0.84))
        towards = INK if self.bright else PAPER
        letters = [mix(seat, towards, share) for share in (0.55, 0.65, 0.75, 0.85, 0.95)]
        letter = next(colour for colour in letters if contrast(colour, ground) >= 5.0)
        return ground, mix(self.lane(side), towards, 0.25), letter

    def well(self, side: int, lit: bool = False) -> RGB:
        """Return the ground of a side's kennel."""
        return snap(fade(self.tint(side), self.table, min(0.48, self.pale(side)) if lit else self.pale(side)))

    def pale(self, side: int) -> float:
        """Return how far a side's colour fades into the table as a ground: less where a dark table would swallow it."""
        shares = () if self.bright else (0.6, 0.55, 0.5, 0.45, 0.4, 0.35)
        grounds = ((share, fade(self.tint(side), self.table, share)) for share in shares)
        return next((share for share, ground in grounds if contrast(ground, self.table) >= SHAPE), 0.6)

    @cached_property
    def back(self) -> float:
        """Fading of what steps back into the table: until even a bright band is quiet."""
        shares = (share / 20 for share in range(11, 20))
        return next(share for share in shares if contrast(fade(self.band, self.table, share), self.table) < 2)


_WOOD = ("#7c5024", "#845428", "#8c5c2c")
"""Three tones, close to each other: edges between tones cost bytes, and a sharp edge is no grain."""

THEMES: dict[str, Theme] = {
    theme.id: theme
    for theme in (
        Theme(
            id="slate",
            table=tone("#171b25"),
            inner=tone("#202838"),
            band=tone("#414c67"),
            band_edge=tone("#56648a"),
            space=tone("#121622"),
            space_edge=tone("#5d6b8d"),
            number=tone("#98a4c4"),
            number_strong=tone("#c0cbe2"),
            text=tone("#eef1f8"),
            quiet=tone("#8793b0"),
            ribbon=tone("#efeadb"),
            chevron=tone("#1b2030"),
            rim=tone("#ffffff"),
            gold=tone("#e8b63c"),
            paths=(tone("#343c54"), tone("#4c5c7c")),
            shadow=0.55,
            bevel=0.16,
        ),
        Theme(
            id="wood",
            table=tone("#1e2f29"),
            inner=tone("#27413a"),
            band=tone("#7c5024"),
            band_edge=tone("#bc8848"),
            space=tone("#28160c"),
            space_edge=tone("#a4783c"),
            number=tone("#c8a470"),
            number_strong=tone("#fcdca4"),
            text=tone("#f6efdf"),
            quiet=tone("#9db3a4"),
            ribbon=tone("#fffaf0"),
            chevron=tone("#2c1a10"),
            rim=tone("#ffffff"),
            gold=tone("#ffd35c"),
            paths=(tone("#6c5034"), tone("#486c58")),
            shadow=0.6,
            grain=tuple(tone(shade) for shade in _WOOD),
            bevel=0.4,
            outline=0.8,
            ribbon_edge=2.6,
        ),
        Theme(
            id="light",
            table=tone("#e6eaf2"),
            inner=tone("#f6f8fc"),
            band=tone("#c3ccdf"),
            band_edge=tone("#a9b5cd"),
            space=tone("#e4e9f2"),
            space_edge=tone("#a0acc6"),
            number=tone("#5c6886"),
            number_strong=tone("#303c5c"),
            text=tone("#1b2233"),
            quiet=tone("#67728c"),
            ribbon=tone("#2a3350"),
            chevron=tone("#f4f1e6"),
            rim=tone("#ffffff"),
            gold=tone("#e0a41f"),
            paths=(tone("#b8c0cc"), tone("#a4b8d8")),
            shadow=0.28,
            bevel=0.3,
        ),
        Theme(
            id="contrast",
            table=tone("#000000"),
            inner=tone("#000000"),
            band=tone("#2a2a2a"),
            band_edge=tone("#b8b8b8"),
            space=tone("#000000"),
            space_edge=tone("#8c8c8c"),
            number=tone("#a4a4a4"),
            number_strong=tone("#dcdcdc"),
            text=tone("#ffffff"),
            quiet=tone("#d0d0d0"),
            ribbon=tone("#ffffff"),
            chevron=tone("#000000"),
            rim=tone("#ffffff"),
            gold=tone("#ffd400"),
            paths=(tone("#262626"), tone("#203048")),
            shadow=0.0,
            outline=3.0,
        ),
    )
}


def theme_of(name: str) -> Theme:
    """Return the theme of that name; raises RenderError."""
    try:
        return THEMES[name]
    except (KeyError, TypeError):
        raise RenderError("theme", f"must be one of {', '.join(THEMES)}, not {str(name)[:20]!r}") from None
