"""Compressing and decompressing: by the fast `isal` if it is installed, otherwise by zlib.

`isal` takes about a fifth of zlib's time to compress, and half of it to decompress.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

_ZEROS = bytes(2048)


def _functions() -> tuple[Callable[[bytes, int], bytes], Callable[[bytes], bytes]]:
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib.compress, zlib.decompress
    return isal_zlib.compress, isal_zlib.decompress


_COMPRESS, _DECOMPRESS = _functions()


def compress(data: bytes) -> bytes:
    """The data in less space, as quickly as possible."""
    found = _COMPRESS(data, 2)
    _settle()
    return found


def decompress(data: bytes) -> bytes:
    """The data as they were."""
    found = _DECOMPRESS(data)
    _settle()
    return found


def _settle() -> None:
    # isal leaves wide vector registers in use, which halves the speed of everything Pillow does on this thread until
    # something clears them. A search by the C library does.
    _ZEROS.find(b"x")
