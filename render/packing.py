"""Images in less space, without loss: for pictures that may be wanted again, though others are wanted more often."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from PIL import Image

from render import deflate


@dataclass(frozen=True)
class Packed:
    """An image of mode `RGB` or `P`, compressed."""

    mode: str
    size: tuple[int, int]
    data: bytes
    palette: bytes

    @classmethod
    def of(cls, image: Image.Image) -> Packed:
        """Pack an image, with the slower compressor that needs less space: it is done once, undone often."""
        return cls(image.mode, image.size, zlib.compress(image.tobytes()), bytes(image.getpalette() or ()))

    @property
    def bytes(self) -> int:
        """Its size in memory."""
        return len(self.data) + len(self.palette) + 300

    def opened(self) -> Image.Image:
        """The image as it was."""
        image = Image.frombytes(self.mode, self.size, deflate.decompress(self.data))
        if self.palette:
            image.putpalette(self.palette)
        return image
