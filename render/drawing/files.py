"""Bytes: PNG files from palette pictures, and compressing, by the fast `isal` if it is installed, otherwise by zlib.

`isal` takes about a fifth of zlib's time to compress, and half of it to decompress. Pillow's own PNG encoder would do,
but pictures are saved so often that a few lines pay off. Nothing here calls `save` on an image that another thread may
be using.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

from PIL import Image

_ZEROS = bytes(2048)


def _functions() -> tuple[Callable[[bytes, int], bytes], Callable[[bytes], bytes]]:
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib.compress, zlib.decompress
    return isal_zlib.compress, isal_zlib.decompress


_COMPRESS, _DECOMPRESS = _functions()


def compress(data: bytes) -> bytes:
    """Compress the data as quickly as possible."""
    found = _COMPRESS(data, 2)
    _clear_registers()
    return found


def decompress(data: bytes) -> bytes:
    """Decompress the data."""
    found = _DECOMPRESS(data)
    _clear_registers()
    return found


def _clear_registers() -> None:
    # isal leaves wide vector registers in use, which halves the speed of everything Pillow does on this thread until
    # something clears them. A search by the C library does.
    _ZEROS.find(b"x")


def pad(image: Image.Image) -> Image.Image:
    """Return a copy of a picture with one more column of zeros on its right."""
    return image.crop((0, 0, image.width + 1, image.height))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(image: Image.Image, palette: bytes, padded: bool = False) -> bytes:
    """Return a PNG of a picture in mode `P` or `L` whose pixels index a palette of red, green and blue bytes.

    `padded`: the picture ends before the last column, whose pixels are all 0.
    """
    if not padded:
        image = pad(image)
    width, height = image.width - 1, image.height
    # A zero ends each row and so stands before the next one, as the byte for "no filter" that begins it in a PNG.
    data = compress(b"".join((b"\0", memoryview(image.tobytes())[:-1])))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette),
            _chunk(b"IDAT", data),
            _chunk(b"IEND", b""),
        )
    )
