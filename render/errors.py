"""What can be wrong with a request for a picture."""

from __future__ import annotations


class RenderError(ValueError):
    """A picture cannot be drawn: an unknown theme, a position that does not fit its board, a broken font file.

    `field` names the part of the request at fault, `detail` says what is wrong with it.
    """

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail
