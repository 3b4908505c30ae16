"""The database's state of health: which fault is in the way, reported once when it comes and once when it has gone."""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.storage.faults import Fault

log = logging.getLogger(__name__)

Listener = Callable[[Fault | None], None]


class Health:
    """The fault that is in the way at present, if any. Code that reads or writes the database reports here."""

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self._listeners: list[Listener] = []

    def on_change(self, listener: Listener) -> None:
        """Have `listener(fault)` called when a fault occurs, and with None when it has gone."""
        self._listeners.append(listener)

    def failed(self, fault: Fault) -> None:
        """Report a fault."""
        if type(self.fault) is type(fault):
            return
        self.fault = fault
        log.critical("%s Nothing is written until then; what people ask for is refused.", fault)
        self._tell()

    def worked(self) -> None:
        """Report that something was written."""
        if self.fault is None:
            return
        self.fault = None
        log.warning("the database can be written again")
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener(self.fault)
