"""Caches that know how many bytes they hold and drop what has been unused longest. Thread-safe."""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PIL import Image

from render.drawing.files import compress, decompress

T = TypeVar("T")
P = TypeVar("P")


class Cache(Generic[T]):
    """A cache of made objects, at most `limit` bytes in all.

    Two threads that ask for the same new object at once may both make it; the first is kept. Nothing is locked
    while an object is made, so making one may ask for another.
    """

    def __init__(self, name: str, limit: int, weigh: Callable[[T], int]) -> None:
        self.name = name
        self.limit = limit
        self._weigh = weigh
        self._held: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        CACHES.append(self)

    @property
    def bytes(self) -> int:
        """The number of bytes held at the moment."""
        return self._bytes

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the object for the key, made first if necessary."""
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
                return found[0]
        made = make()
        weight = self._weigh(made)
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                return found[0]
            self._held[key] = made, weight
            self._bytes += weight
            while self._bytes > self.limit and len(self._held) > 1:
                _, (_, lost) = self._held.popitem(last=False)
                self._bytes -= lost
        return made

    def find(self, key: Hashable) -> T | None:
        """Return the object for the key, or None."""
        with self._lock:
            found = self._held.get(key)
            if found is None:
                return None
            self._held.move_to_end(key)
            return found[0]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._held.clear()
            self._bytes = 0


class PackedCache(Generic[T, P]):
    """A cache of the newest objects as they are, and of many more in a smaller form that is soon unpacked."""

    def __init__(self, plain: Cache[T], packed: Cache[P], pack: Callable[[T], P], unpack: Callable[[P], T]) -> None:
        self._plain, self._packed = plain, packed
        self._pack, self._unpack = pack, unpack

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the object for the key, unpacked or made first if necessary."""
        return self._plain.get(key, lambda: self._fetch(key, make))

    def _fetch(self, key: Hashable, make: Callable[[], T]) -> T:
        packed = self._packed.find(key)
        if packed is not None:
            return self._unpack(packed)
        made = make()
        self._packed.get(key, lambda: self._pack(made))
        return made


@dataclass(frozen=True)
class Packed:
    """An image of mode `RGB` or `P`, compressed."""

    mode: str
    size: tuple[int, int]
    data: bytes
    palette: bytes

    @classmethod
    def of(cls, image: Image.Image, soon: bool = False) -> Packed:
        """Pack an image, in the least space if that is done once and undone often, or `soon`."""
        data = (compress if soon else zlib.compress)(image.tobytes())
        return cls(image.mode, image.size, data, bytes(image.getpalette() or ()))

    @property
    def bytes(self) -> int:
        """Its size in memory."""
        return len(self.data) + len(self.palette) + 300

    def unpack(self) -> Image.Image:
        """Return the image as it was."""
        image = Image.frombytes(self.mode, self.size, decompress(self.data))
        if self.palette:
            image.putpalette(self.palette)
        return image


CACHES: list[Cache[Any]] = []
"""All caches, so that their sizes can be reported and tested."""
