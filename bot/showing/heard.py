"""Interactions that have arrived: each is served once, however often Discord delivers it.

After a connection breaks, Discord sends again what may not have arrived, although it may have. Otherwise a command
would be carried out twice, and the second time nobody could be answered.
"""

from __future__ import annotations

import logging
from collections import OrderedDict

log = logging.getLogger(__name__)

REMEMBERED = 4096
"""How many of the most recent ones are remembered; anything delivered again comes within seconds."""


class Heard:
    """The interactions that arrived most recently, by id."""

    def __init__(self, size: int = REMEMBERED) -> None:
        self._size = size
        self._ids: OrderedDict[int, None] = OrderedDict()
        self._closed = False

    def close(self) -> None:
        """Serve nothing any more: the program is ending, and what is begun now could not be finished."""
        self._closed = True

    def is_new(self, interaction_id: int) -> bool:
        """Whether this interaction should be served, that is, has not arrived before. From now on it has."""
        if self._closed:
            log.info("interaction %s came while the program ends", interaction_id)
            return False
        if interaction_id in self._ids:
            log.info("interaction %s was delivered again", interaction_id)
            return False
        self._ids[interaction_id] = None
        while len(self._ids) > self._size:
            self._ids.popitem(last=False)
        return True
