"""Drawing ahead: what every picture is put together from, made in the background when a program starts.

Drawing a card takes as long as assembling a whole board from cards. So all cards are drawn once, in all the sizes,
angles and dimmings in use; after that, a hand or a board only pastes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from engine import SYSTEMS, board_for
from render import cards, hand
from render.board import centre
from render.board.geometry import Layout
from render.board.middle import WHOLE, middle_of
from render.palette import palette_for
from render.themes import Theme, theme_of

HANDS = (4, 5, 6)
"""Hands of up to this many cards differ in card width; those with fewer than four use the width for four."""
ALIKE = 2
"""Number of cards of a kind drawn ahead, each with its own suit; a hand rarely has more."""


def warm(themes: Iterable[str] = ("slate",), stop: Callable[[], bool] = lambda: False) -> int:
    """Draw ahead what boards and hands in these themes are made of; returns how many pictures were made.

    Call it once, in a worker thread or process. Between two pictures (some milliseconds each) it asks `stop` whether to
    give up; it may share the processor with pictures that people are waiting for. Raises RenderError.
    """
    done = 0
    for draw in drawings([theme_of(theme) for theme in themes]):
        if stop():
            break
        draw()
        done += 1
    return done


def drawings(themes: Iterable[Theme]) -> Iterator[Callable[[], object]]:
    """Yield everything to be drawn, what is needed first at the beginning."""
    looks = list(themes)
    for theme in looks:
        yield partial(palette_for, theme)
    piles: list[tuple[cards.Deck, int, float, bool]] = []
    decks: list[cards.Deck] = []
    for system in SYSTEMS.values():
        if system.cards not in decks:
            decks.append(system.cards)
        for players in system.players:
            spot = middle_of(Layout(board_for(system, players), WHOLE))
            for place, turn in enumerate(centre.TURNS[-spot.shown :]):
                pile = (system.cards, centre.pile_width(spot, place == spot.shown - 1, 1.0), turn, centre.is_slim(spot))
                if pile not in piles:
                    piles.append(pile)
    for theme in looks:
        for deck in decks:
            for count in HANDS:
                width = hand.Form(count).width
                for copy in range(ALIKE):
                    for card in deck:
                        face = cards.Face(card, copy)
                        for bright in (True, False):
                            yield partial(hand.hand_card, face, width, deck, theme, bright, False)
    for deck, width, turn, slim in piles:
        for card in deck:
            yield partial(cards.card, cards.Face(card), width, deck, turn, slim=slim)
