"""Emojis: a changed drawing needs a new name, or it would never be uploaded."""

import hashlib
from io import BytesIO

from PIL import Image

from engine import all_systems
from render import emojis

DRAWN = (1, "000f07e5afecfae9")
"""The version, and the digest of all drawings in it."""


def test_changed_drawings_raise_the_version() -> None:
    systems = all_systems()
    cards = {card: None for system in systems for card in system.cards.values()}
    ranks = {rank: None for system in systems for rank in system.ranks}
    drawn = [emojis.seat_emoji(seat) for seat in range(8)]
    drawn += [*map(emojis.card_emoji, cards), *map(emojis.rank_emoji, ranks)]
    digest = hashlib.sha256()
    for png in drawn:
        with Image.open(BytesIO(png)) as image:
            assert image.size == (emojis.SIZE, emojis.SIZE)
            digest.update(image.tobytes())
    assert (emojis.VERSION, digest.hexdigest()[:16]) == DRAWN
