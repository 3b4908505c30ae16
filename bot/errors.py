"""Everything the tables service may refuse, each refusal its own type with the data that its text needs.

    BotError
    ├── SettingsError           a setting is missing or wrong; its text is for the person who runs the bot
    ├── StorageError
    │   ├── DatabaseTooNew      the database was written by a newer version of the bot
    │   ├── BrokenLog           the stored log does not replay; the game cannot go on
    │   └── Outrun              somebody else committed first; load again and look
    └── TableError              people see these; `bot.texts` turns them into words
        ├── NoSuchTable         no game with this id or code
        ├── WrongStatus         not possible while the table is in lobby, playing, paused, over or cancelled
        ├── NotAtTable          this member has no seat here
        ├── NotHost             only the host (or a moderator) may do this
        ├── BadTerms            no such rule system, number of players or pace
        ├── SeatError
        │   ├── NoSuchSeat      the table has no such seat
        │   ├── SeatTaken       another member sits there
        │   ├── AlreadySeated   a member has at most one seat at a table
        │   ├── TableFull       every seat is taken by a person
        │   ├── NoComputerThere the seat is not a computer's
        │   ├── SeatsFree       the game cannot start, seats are still free
        │   └── ComputerPlays   a computer plays this seat for its owner at present
        └── StaleBoard          the click belongs to a board that has moved on

What the rules refuse comes from the engine (`engine.Refusal`) and passes through unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence


class BotError(Exception):
    """The root of everything this package raises on purpose."""


class SettingsError(BotError):
    """A setting is missing or wrong. The text tells the person who runs the bot what to do."""


class StorageError(BotError):
    """The store could not do what was asked."""


class DatabaseTooNew(StorageError):
    """The database knows a revision that this version of the bot does not."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        super().__init__(
            f"the database is at revision {revision}, which this version of the bot does not know: "
            "it was written by a newer version"
        )


class BrokenLog(StorageError):
    """The stored log of a game does not replay under the rules; the game cannot go on, only be cancelled."""

    def __init__(self, table_id: int) -> None:
        self.table_id = table_id
        super().__init__(f"the stored log of table {table_id} does not replay")


class Outrun(StorageError):
    """Another writer changed this table first; nothing of ours was written."""

    def __init__(self, table_id: int, number: int | None = None) -> None:
        self.table_id = table_id
        self.number = number
        what = "" if number is None else f" (action {number})"
        super().__init__(f"table {table_id} was changed by somebody else first{what}")


class TableError(BotError):
    """A member asked a table for something it cannot do."""


class NoSuchTable(TableError):
    """There is no table with this id or code."""

    def __init__(self, which: int | str) -> None:
        self.which = which
        super().__init__(f"no table {which}")


class WrongStatus(TableError):
    """The table's status does not allow this. `needed` lists the statuses that would."""

    def __init__(self, status: str, needed: Sequence[str]) -> None:
        self.status = status
        self.needed = tuple(needed)
        super().__init__(f"the table is {status}, this needs {' or '.join(needed)}")


class NotAtTable(TableError):
    """This member has no seat at this table."""

    def __init__(self, user_id: int) -> None:
        self.user_id = user_id
        super().__init__(f"member {user_id} has no seat at this table")


class NotHost(TableError):
    """Only the host may do this."""

    def __init__(self, host_id: int) -> None:
        self.host_id = host_id
        super().__init__("only the host may do this")


class BadTerms(TableError):
    """The rule system, number of players, pace or another of the table's terms does not exist.

    `field` is the attribute of `Terms`, `value` what was asked for, `allowed` what would do.
    """

    def __init__(self, field: str, value: object, allowed: Sequence[object]) -> None:
        self.field = field
        self.value = value
        self.allowed = tuple(allowed)
        super().__init__(f"{field} cannot be {value!r}, only one of {', '.join(map(str, allowed))}")


class SeatError(TableError):
    """Something about a seat is in the way."""


class NoSuchSeat(SeatError):
    """The table has no such seat."""

    def __init__(self, seat: int, seats: Sequence[int]) -> None:
        self.seat = seat
        self.seats = tuple(seats)
        super().__init__(f"no seat {seat}, only {', '.join(map(str, seats))}")


class SeatTaken(SeatError):
    """Another member sits there."""

    def __init__(self, seat: int, user_id: int) -> None:
        self.seat = seat
        self.user_id = user_id
        super().__init__(f"seat {seat} is taken")


class AlreadySeated(SeatError):
    """This member already has a seat at this table."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"already sitting on seat {seat}")


class TableFull(SeatError):
    """No seat is left: `join` found only persons, `add_computer` found no free seat."""

    def __init__(self) -> None:
        super().__init__("every seat is taken")


class NoComputerThere(SeatError):
    """There is no computer player to remove (on this seat, or at all when `seat` is None)."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        super().__init__("no computer player there")


class SeatsFree(SeatError):
    """The game cannot start while these seats are free."""

    def __init__(self, seats: Sequence[int]) -> None:
        self.seats = tuple(seats)
        super().__init__(f"seats still free: {', '.join(map(str, seats))}")


class ComputerPlays(SeatError):
    """A computer plays this seat for its owner until the owner reclaims it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"a computer plays seat {seat} at present")


class StaleBoard(TableError):
    """The decision this click belongs to has passed.

    `decision` is the one that was clicked, `current` the one the seat is asked for now (None: none).
    """

    def __init__(self, decision: int, current: int | None) -> None:
        self.decision = decision
        self.current = current
        super().__init__("the board has moved on")
