"""Chance, drawn from a game's 256-bit seed: the same on every machine and in every version of Python.

Each use of chance has its own number: 0 is the draw of the first seat, k the k-th shuffle. Its bytes are
SHA-256(seed, use, block) for block 0, 1, 2 ..., read two at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

from engine.errors import SetupError

T = TypeVar("T")

SEED_BYTES = 32
_WORDS = 1 << 16


def check_seed(seed: object) -> bytes:
    """The seed, if it is one; raises SetupError."""
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise SetupError("seed", f"must be {SEED_BYTES} bytes")
    return seed


def _words(seed: bytes, use: int) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(seed + use.to_bytes(8, "big") + block.to_bytes(8, "big")).digest()
        for index in range(0, len(digest), 2):
            yield digest[index] << 8 | digest[index + 1]
        block += 1


def _below(limit: int, words: Iterator[int]) -> int:
    """A number below a limit, all equally likely: words beyond the limit's last full multiple are skipped."""
    fair = _WORDS - _WORDS % limit
    for word in words:
        if word < fair:
            return word % limit
    raise AssertionError("words never end")


def draw_first(seed: bytes, seats: Sequence[T]) -> T:
    """The seat that starts the first round."""
    return seats[_below(len(seats), _words(seed, 0))]


def shuffled(seed: bytes, number: int, cards: Sequence[T]) -> list[T]:
    """The cards in the order of the game's shuffle with this number, counting from 1 (Fisher-Yates)."""
    pack = list(cards)
    words = _words(seed, number)
    for last in range(len(pack) - 1, 0, -1):
        other = _below(last + 1, words)
        pack[last], pack[other] = pack[other], pack[last]
    return pack
