"""PNG files from palette pictures.

Pillow's own encoder would do, but pictures are saved so often that a few lines pay off: the rows go to a faster
compressor if there is one (`deflate`). Nothing here calls `save` on an image that another thread may be using.
"""

from __future__ import annotations

import struct
import zlib

from PIL import Image

from render import deflate


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode(image: Image.Image, palette: bytes) -> bytes:
    """A PNG of a picture in mode `P` or `L` whose pixels index a palette of red, green and blue bytes."""
    width, height = image.size
    # One extra column on the left: its zeros are the "no filter" byte that begins each row of a PNG.
    rows = Image.new(image.mode, (width + 1, height))
    rows.paste(image, (1, 0))
    data = deflate.compress(rows.tobytes())
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
