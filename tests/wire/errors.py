"""Discord's refusals, by its own error numbers."""

from __future__ import annotations


class Refused(Exception):
    """An error as an answer: HTTP status, Discord's code, and its message."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status, self.code, self.message = status, code, message


def unknown(what: str) -> Refused:
    """404 for something that does not exist."""
    codes = {"channel": 10003, "guild": 10004, "member": 10007, "message": 10008, "user": 10013, "webhook": 10015}
    return Refused(404, codes[what], f"Unknown {what.capitalize()}")


NO_ACCESS = Refused(403, 50001, "Missing Access")
NO_PERMISSION = Refused(403, 50013, "Missing Permissions")
ARCHIVED = Refused(400, 50083, "Thread is archived")
EMPTY = Refused(400, 50006, "Cannot send an empty message")
CLOSED = Refused(403, 50007, "Cannot send messages to this user")
NOT_OURS = Refused(403, 50005, "Cannot edit a message authored by another user")
TOO_LATE = Refused(404, 10062, "Unknown interaction")
ANSWERED = Refused(400, 40060, "Interaction has already been acknowledged.")
EXPIRED = Refused(401, 50027, "Invalid Webhook Token")
TOO_LARGE = Refused(413, 40005, "Request entity too large")
UNAUTHORIZED = Refused(401, 0, "401: Unauthorized")


def invalid(why: str) -> Refused:
    """400 for a body that breaks a rule."""
    return Refused(400, 50035, f"Invalid Form Body: {why}")
