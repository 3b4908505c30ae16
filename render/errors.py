"""Error of a request for a picture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class RenderError(ValueError):
    """A picture cannot be drawn: an unknown theme, a position that does not fit its board, a broken font file.

    `field` names the part of the request at fault, `detail` says what is wrong with it.
    """

    field: str
    detail: str

    def __str__(self) -> str:
        return f"{self.field}: {self.detail}"
