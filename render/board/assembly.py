"""Board pictures: puts everything together, from a scene to PNG bytes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from PIL import Image

from engine import PositionError
from engine.rules.placement import covered_share, to_nodes
from render import cards
from render.board import candidates, centre, corners, ground, halos, patches, plates, ribbons, sprites, strokes
from render.board.geometry import Layout
from render.drawing import files, shapes
from render.drawing.art import GRID, Canvas, Pixels, touched
from render.drawing.cache import Cache
from render.errors import RenderError
from render.palette import palette_for
from render.scene import LABELS, Scene, Spot
from render.themes import Theme, theme_of

SMALLEST, LARGEST = 128, 2048

_layouts: Cache[Layout] = Cache("layouts", 16 << 20, lambda layout: 96 << 10)


def layout_of(scene: Scene, size: int, bare: bool = False, blank: bool = False) -> Layout:
    """Return the layout of the scene's picture; raises RenderError. For `bare` and `blank` see `Layout`."""
    if type(size) is not int or not SMALLEST <= size <= LARGEST:
        raise RenderError("size", f"must be {SMALLEST} to {LARGEST} pixels")
    turned = 0 if scene.turned is None else scene.turned
    key = (scene.board, size, turned, bare, blank, not (scene.plate or scene.winners))
    return _layouts.get(key, lambda: Layout(*key))


def check(scene: Scene) -> None:
    """Raise RenderError if the pieces do not fit the board, or a card not the deck."""
    sides = set(scene.placement)
    if sides != set(scene.board.seats):
        raise RenderError("placement", f"must have the sides {', '.join(map(str, scene.board.seats))}")
    try:
        to_nodes(scene.board, scene.placement)
    except (PositionError, TypeError) as error:
        raise RenderError("placement", str(error)) from error
    for text in scene.pile:
        face = cards.Face.parse(text)
        for card in (face.card, face.named):
            if card is not None and card not in scene.board.system.cards:
                raise RenderError("pile", f"{card!r} is not in the deck of {scene.board.system.id}")


def _draw_bar_and_cards(canvas: Canvas, layout: Layout, theme: Theme, side: int, now: corners.SeatStatus) -> None:
    corners.draw_bar(canvas, layout, theme, side, now)
    corners.draw_cards(canvas, layout, theme, side, now)


def paint(scene: Scene, theme: Theme, size: int, blank: bool = False) -> Canvas:
    """Return the scene in true colours; `blank`: its board has no numbers."""
    return _paint(scene, theme, size, blank=blank)[0]


def _paint(
    scene: Scene,
    theme: Theme,
    size: int,
    moving: Collection[Spot] = (),
    still: Scene | None = None,
    blank: bool = False,
    plain: bool = False,
    padded: bool = False,
) -> tuple[Canvas, Image.Image]:
    """Return the scene in true colours, and a palette picture that shows it wherever the canvas has not changed.

    The pieces `moving` are left out, and if `plain`, whatever lies around and above pieces; the others are drawn as in
    `still`. `padded`: the palette picture is one column wider, as `files.png` likes it.
    """
    check(scene)
    layout, now = layout_of(scene, size), {side: seat_status(scene, side) for side in scene.board.seats}
    still = still or scene
    if scene.winners:
        scene, still = (plates.final_scene(layout, drawn) for drawn in (scene, still))
    below = layout_of(scene, size, bool(layout.board.paths) and plates.has_plate(layout, scene), blank)
    base = patches.board(below, theme, bool(scene.back))
    canvas, numbers = Canvas(base.image.copy()), files.pad(base.numbers) if padded else base.numbers.copy()
    lines = strokes.trails(scene, layout)
    # Moves that do not walk may cross names and kennels, between the two layers: such a corner is drawn part by part.
    flown = strokes.flight_points(scene, layout, lines)
    stirred = [side for side in now if side not in scene.back and flown and layout.corners[side].is_near(flown)]
    for side, status in now.items():
        if side in stirred:
            corners.draw_kennel(canvas, layout, theme, side, status)
        else:
            patches.draw(canvas.image, numbers, below, theme, still, side, status, side in scene.back)
    if scene.winners:
        plates.confetti(canvas, layout, theme, scene)
    for side in {*scene.free, *scene.finished, *scene.winners} & set(now):
        patches.lane(canvas, below, theme, scene, side)
    signs = [] if plain else halos.signs(layout, theme, scene, lines)
    ribbons.draw(canvas, layout, theme, scene, lines, None if plain else [at for at, _ in signs])
    ribbons.draw_ways(canvas, layout, theme, scene)
    sprites.draw_grounds(canvas, layout, theme, still, moving)
    for side in stirred:
        corners.draw(canvas, layout, theme, side, now[side])
        corners.draw_name(canvas, theme, side, now[side], corners.name_of(layout, side, now[side]))
        _draw_bar_and_cards(canvas, layout, theme, side, now[side])
    centre.draw(canvas, layout, theme, scene)
    if not plain:
        halos.draw(canvas, layout, theme, scene, lines)
    for side in stirred:
        sprites.draw_home(canvas, layout, theme, still, side)
    sprites.draw_pieces(canvas, layout, theme, still, moving or candidates.covered_captures(scene, layout))
    for (x, y), sign in signs:
        sign.onto(canvas, x, y)
    if scene.candidates and not plain:
        candidates.draw(canvas, layout, theme, scene)
    ground.erase_touched_arrows(canvas, below, base.image)
    return canvas, numbers


def _written(scene: Scene, side: int) -> str:
    """Return the name on a seat; on a free one, in a line for each way to say it, who is invited or that it is free."""
    if side not in scene.free:
        return scene.names.get(side, "")
    return scene.invited.get(side) or corners.invitation(scene.labels.get("free") or LABELS["free"])


def seat_status(scene: Scene, side: int) -> corners.SeatStatus:
    """Return a seat's status in this scene."""
    # Before a game and after it nothing stands beside them, and the plate names the teams, as an exchange shows them.
    team = scene.board.team(side)
    shown = any({*group} == {*team} for group in scene.exchange)
    partnered = scene.names.get(side) and not scene.plate and not scene.winners and not shown
    return corners.SeatStatus(
        name=_written(scene, side),
        computer=side in scene.computers,
        strength=scene.strengths.get(side, shapes.USUAL),
        partners=tuple(seat for seat in team if seat != side and partnered),
        cards=None if scene.winners else scene.hands.get(side),
        active=side in (scene.seats_asked or scene.to_act),
        out=side in scene.out,
        finished=side in scene.finished,
        winner=side in scene.winners,
        out_label=(scene.labels.get("out") or LABELS["out"]) if side in scene.out and not scene.winners else "",
        free=side in scene.free,
        gone=corners.parts(covered_share(scene.board, side, scene.placement[side])) if scene.names.get(side) else None,
    )


def numbers(scene: Scene, theme: Theme, size: int) -> Image.Image:
    """Return the scene in the theme's palette: what differs from the base is quantised, the rest kept."""
    canvas, picture = _paint(scene, theme, size)
    return _quantise_changes(canvas, picture, theme)


def _quantise_changes(canvas: Canvas, picture: Image.Image, theme: Theme) -> Image.Image:
    """Update the palette picture with what has changed on the canvas."""
    palette_for(theme).update(picture, canvas.image, tiles(canvas.changed, canvas.image.width))
    return picture


def _undo_captures(scene: Scene, before: Scene) -> Scene:
    """Put the pieces that the last move sent home back to where they stood in the scene before."""
    placement = dict(scene.placement)
    for side, place in (spot for step in scene.moves[-1][1] for spot in step.sent_home):
        text = next((text for text in before.placement.get(side, ()) if sprites.place(text) == place), "")
        home = text.rstrip("*").removesuffix(place) + "-"
        if text and home in placement[side]:
            at = placement[side].index(home)
            placement[side] = (*placement[side][:at], text, *placement[side][at + 1 :])
    return replace(scene, placement=placement)


def animate(
    scene: Scene, theme: Theme, size: int, shares: Iterable[float], before: Scene | None = None
) -> Iterator[Image.Image]:
    """Yield the scene as from `numbers` with its moved pieces on their way: a picture for each share of the move.

    At share 1 it is the scene itself. Until then, what the move sends home stands where it did in the scene `before`;
    it goes home once the move is done and shown as such, in a second picture for each smaller share. From one picture
    to the next, only what a piece has covered or left is redrawn.
    """
    layout = layout_of(scene, size)
    going = strokes.movers(scene, layout)
    if not going:
        yield numbers(scene, theme, size)
        return
    still = None if before is None else _undo_captures(scene, before)
    struck = [] if before is None else strokes.captured_movers(scene, before, layout)
    shares = list(shares)
    part = [share for share in shares if share < 1]
    for pieces, under in ((going, struck), (struck, [])) if part else ():
        if not pieces:
            continue
        canvas, picture = _paint(
            scene, theme, size, [mover.spot for mover in (*pieces, *under)], still, plain=pieces is going
        )
        _quantise_changes(canvas, picture, theme)
        for share in part:
            here = Canvas(canvas.image.copy())
            # What is struck lies below the piece that comes.
            for mover, at in (*((mover, 0.0) for mover in under), *((mover, share) for mover in pieces)):
                sprites.draw_piece(here, layout, theme, scene, mover.side, mover.piece.rstrip("*"), mover.at(at))
            shown = picture.copy()
            boxes = (
                (max(0, left), max(0, top), min(size, right), min(size, bottom))
                for left, top, right, bottom in here.changed
            )
            palette_for(theme).update(shown, here.image, boxes)
            yield shown
    if len(part) < len(shares):
        yield numbers(scene, theme, size)


def tiles(boxes: Iterable[Pixels], size: int) -> list[Pixels]:
    """Return boxes that do not overlap and cover all the given boxes, aligned to a grid."""
    step = -(-size // GRID)
    found: list[Pixels] = []
    begun: dict[tuple[int, int], int] = {}
    for row, bits in enumerate(touched(boxes, size)):
        runs = set(_runs(bits))
        for run in [run for run in begun if run not in runs]:
            first, last = run
            found.append((first * step, begun.pop(run) * step, min(size, last * step), min(size, row * step)))
        for run in runs:
            begun.setdefault(run, row)
    return found


def _runs(bits: int) -> Iterator[tuple[int, int]]:
    """Yield the beginning and end of each run of set bits."""
    at = 0
    while bits:
        skip = (bits & -bits).bit_length() - 1
        at, bits = at + skip, bits >> skip
        length = (~bits & (bits + 1)).bit_length() - 1
        yield at, at + length
        at, bits = at + length, bits >> length


def board_png(scene: Scene, theme: str = "slate", size: int = 1024) -> bytes:
    """Return the board as PNG bytes, `size` pixels square; raises RenderError."""
    look = theme_of(theme)
    canvas, picture = _paint(scene, look, size, padded=True)
    return palette_for(look).png(_quantise_changes(canvas, picture, look), padded=True)
