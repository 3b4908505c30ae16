"""Chance, drawn from a game's 256-bit seed: the same on every machine and in every version of Python.

Each use of chance has a label of its own: `first` is the draw of the first seat, `shuffle k` the k-th shuffle, `lost n`
the card lost in action n. Its bytes are HMAC-SHA256(seed, label, a zero byte, block) for block 0, 1, 2 ... in eight
bytes, and are read two at a time. `docs/fair-shuffles.md` says where the seed comes from, and how to check all this.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

from engine.errors import SetupError

T = TypeVar("T")

SEED_BYTES = 32
_WORDS = 1 << 16
_BLOCK = Struct(">16H")
_NOT_ONE_LINE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
LONGEST_TEXT = 60
"""The most characters of a contribution to a seed."""


def check_seed(seed: object) -> bytes:
    """Return a seed if it is valid; raises SetupError."""
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise SetupError("seed", f"must be {SEED_BYTES} bytes")
    return seed


def commitment_of(secret: bytes) -> bytes:
    """Return the SHA-256 of a secret of 32 bytes, published before any contribution. Raises SetupError."""
    return sha256(check_seed(secret)).digest()


def check_contribution(text: object) -> str:
    """Return a contribution to a seed if it is valid: one line of at most 60 characters; raises SetupError."""
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_TEXT or _NOT_ONE_LINE.search(text) is not None:
        raise SetupError("contribution", f"must be one line of at most {LONGEST_TEXT} characters")
    return text


def seed_of(secret: bytes, contributions: Mapping[int, str]) -> bytes:
    """Return the HMAC-SHA256 of a secret, with a line `SEAT TEXT` for each contribution; raises SetupError."""
    lines = [f"{seat} {check_contribution(text)}\n" for seat, text in sorted(contributions.items())]
    return hmac.digest(check_seed(secret), "".join(lines).encode(), "sha256")


def _words(seed: bytes, label: str) -> Iterator[int]:
    begin = label.encode() + b"\0"
    block = 0
    while True:
        yield from _BLOCK.unpack(hmac.digest(seed, begin + block.to_bytes(8, "big"), "sha256"))
        block += 1


def _below(limit: int, words: Iterator[int]) -> int:
    """Return a number below a limit, all equally likely: words beyond the limit's last full multiple are skipped."""
    fair = _WORDS - _WORDS % limit
    for word in words:
        if word < fair:
            return word % limit
    raise AssertionError("words never end")


def pick(seed: bytes, label: str, among: Sequence[T]) -> T:
    """Return one of these, all equally likely; each use in a game has another label."""
    return among[_below(len(among), _words(seed, label))]


def draw_first(seed: bytes, seats: Sequence[T]) -> T:
    """Return the seat that starts the first round."""
    return pick(seed, "first", seats)


def lost_card(seed: bytes, action: int, size: int) -> int:
    """Return the index of the card that a hand of this size loses by chance in an action."""
    return pick(seed, f"lost {action}", range(size))


def shuffle(seed: bytes, number: int, cards: Sequence[T]) -> list[T]:
    """Return the cards in the order of the game's shuffle with this number, counting from 1 (Fisher-Yates)."""
    pack = list(cards)
    words = _words(seed, f"shuffle {number}")
    for last in range(len(pack) - 1, 0, -1):
        limit = last + 1
        # What `_below` does; a game makes some 1,500 of these draws.
        other = next(words)
        while other >= _WORDS - _WORDS % limit:
            other = next(words)
        other %= limit
        pack[last], pack[other] = pack[other], pack[last]
    return pack
