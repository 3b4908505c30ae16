"""Pictures for messages: from views to PNG bytes, drawn elsewhere so that the event loop never waits.

Only views go in, so no picture can show what its viewer may not know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.languages import Language
from bot.occupants import Level
from bot.table import Table
from bot.texts import pictures
from bot.texts.names import Names
from engine import Card, Entry, EventKind, Preview, Step, View
from render import Scene, board_png, hand_png, turn_png
from render.share import Figure, Party, share_png

MOVED = frozenset({EventKind.PLAYED, EventKind.PLACED, EventKind.JUMPED})
"""The events in which pieces move and so leave a ribbon on the board."""

LARGE, SMALL = 1024, 360
"""The size of a board in pixels, and that of a board that has been followed by another."""

Labels = Mapping[tuple[int, str], str]
"""Big letters on the board, by side and place."""

Shown = tuple[Table, View, Sequence[Entry], Language, int | None]
"""The contents of a board: a table, the view of it, what has happened, the language, and the side at the bottom."""


@dataclass(frozen=True, slots=True)
class Held:
    """A hand to be drawn: its cards with the faces of their `deck`, dimmed if not in `playable` (None: none are).

    `marked`: different cards that have just come into the hand; they get a golden frame. `folded`: the cards of the
    hand before, which stay dimmed above it.
    """

    cards: Sequence[str]
    playable: Collection[str] | None
    deck: Mapping[str, Card]
    marked: Collection[str] = ()
    folded: Sequence[str] = ()

    def drawn(self, theme: str) -> tuple[object, ...]:
        """Return what is drawn, as `hand_png` takes it, and `turn_png` behind its board."""
        playable = self.playable
        bright = None if playable is None else {index for index, card in enumerate(self.cards) if card in playable}
        new = {self.cards.index(card) for card in self.marked if card in self.cards}
        # A plain dictionary, because it may travel to another process.
        return self.cards, bright, theme, dict(self.deck), new, self.folded


Draw = Callable[..., Awaitable[bytes]]
"""Runs a module-level function with these arguments outside the event loop."""


class Pictures:
    """Draws the pictures of messages. Every method returns PNG bytes; `draw` does the drawing elsewhere."""

    def __init__(self, draw: Draw = asyncio.to_thread) -> None:
        self.draw = draw

    async def lobby(self, table: Table, language: Language) -> bytes:
        """Draw the empty board with the names of those who have sat down, or are invited."""
        board = table.board
        kennel = tuple(f"{rank.letter}-" for rank in board.system.ranks) or ("-",) * 4
        expected = table.expected
        names = Names.of(replace(table, occupants={**expected, **table.occupants}), language)
        scene = Scene(
            board=board,
            placement=dict.fromkeys(table.seats, kennel),
            **who_sits(table, names),
            free=frozenset(table.free),
            invited={seat: pictures.invited(language, names.plain[seat]) for seat in expected},
            plate=pictures.plate(language, table),
            labels={"free": pictures.free(language)},
        )
        return await self.draw(board_png, scene, table.terms.theme)

    async def board(
        self,
        table: Table,
        view: View,
        entries: Sequence[Entry],
        language: Language,
        *,
        theme: str | None = None,
        turned: int | None = None,
        size: int = LARGE,
    ) -> bytes:
        """Draw the board with at most the last lap's moves; `turned` is the side at the bottom, `size` is in pixels."""
        scene = _board(table, view, entries, language, turned)
        return await self.draw(board_png, scene, theme or table.terms.theme, size)

    async def preview(
        self,
        table: Table,
        view: View,
        language: Language,
        theme: str,
        *,
        turned: int | None = None,
        card: str | None = None,
        preview: Preview | None = None,
        labels: Labels | None = None,
        ways: Sequence[Step] = (),
        below: Held | None = None,
    ) -> bytes:
        """Draw the board as `preview` would leave it, or as it is with `labels` on what there is to choose from.

        `card`: being played, as the record writes it; `ways`: the steps of pieces to the places with labels; `below`:
        the hand to draw below the board.
        """
        scene = Scene.from_view(
            view,
            **who_sits(table, Names.of(table, language)),
            caption="",
            moves=() if preview is None else ((view.viewer or 0, preview.steps),),
            labels=pictures.summary(language, view),
            turned=turned,
            candidates=labels or {},
        )
        pile = scene.pile if card is None else (card,)
        scene = replace(scene, chooser=view.viewer, actor=view.viewer, pile=pile, ways=tuple(ways))
        if preview is not None:
            scene = replace(scene, placement=preview.placement)
        if below is None:
            return await self.draw(board_png, scene, theme)
        return await self.draw(turn_png, scene, *below.drawn(theme))

    async def shared(self, table: Table, view: View, language: Language, facts: Sequence[tuple[str, str]]) -> bytes:
        """Draw the picture of a finished game, to post elsewhere; `facts`: figures, and what they count."""
        labels = pictures.summary(language, view)
        scene = Scene.from_view(view, **who_sits(table, Names.of(table, language)), labels=labels)
        parties = [Party(*party) for party in pictures.share_parties(language, table)]
        figures = [Figure(*fact) for fact in facts]
        return await self.draw(
            share_png, scene, pictures.share_title(language, table), parties, figures, table.terms.theme
        )

    async def hand(self, held: Held, theme: str, *, above: Shown | None = None) -> bytes:
        """Draw the cards of a hand; `above`: the board to draw above them."""
        if above is None:
            return await self.draw(hand_png, *held.drawn(theme))
        return await self.draw(turn_png, _board(*above), *held.drawn(theme))


def _board(table: Table, view: View, entries: Sequence[Entry], language: Language, turned: int | None) -> Scene:
    """Return a board's scene with at most the last lap's moves; `turned` is the side at the bottom."""
    names = Names.of(table, language)
    scene = Scene.from_view(
        view,
        **who_sits(table, names),
        caption=pictures.caption(language, names, entries),
        moves=_moves(entries)[-len(table.seats) :],
        labels=pictures.summary(language, view),
        turned=turned,
    )
    if table.is_open:
        return scene
    # Resigned, abandoned or cancelled: no seat is waited for, and no cards change hands.
    return replace(scene, to_act=(), exchange=(), winners=scene.winners or table.won)


def _moves(entries: Iterable[Entry]) -> tuple[tuple[int, tuple[Step, ...]], ...]:
    return tuple(
        (event.seat, event.steps)
        for entry in entries
        for event in entry.events
        if event.kind in MOVED and event.seat is not None and event.steps
    )


def who_sits(table: Table, names: Names) -> dict[str, Any]:
    """Return a scene's fields about the players: names, the seats that computers play at present, their strengths.

    The strength of stand-ins for people is unknown.
    """
    ranks = {level.value: number for number, level in enumerate(Level, start=1)}
    playing = {seat: who.computer for seat, who in table.occupants.items() if who.computer is not None}
    return {
        "names": dict(names.plain),
        "computers": frozenset(seat for seat, who in table.occupants.items() if who.plays is None),
        "strengths": {seat: ranks[level] for seat, level in playing.items() if level in ranks},
    }
