"""Discord's refusals, by its own error numbers, and checks of texts, buttons, menus and uploads."""

import base64
import re
from collections.abc import Container, Iterable, Mapping
from typing import Any

from simcord.components import ComponentValidationError, validate_components


class Refused(Exception):
    """An error as an answer: HTTP status, Discord's code, and its message."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status, self.code, self.message = status, code, message


def unknown(what: str) -> Refused:
    """Return a 404 for something that does not exist."""
    codes = {"channel": 10003, "guild": 10004, "member": 10007, "message": 10008, "user": 10013}
    codes |= {"emoji": 10014, "webhook": 10015}
    return Refused(404, codes[what], f"Unknown {what.capitalize()}")


NO_ACCESS = Refused(403, 50001, "Missing Access")
NO_PERMISSION = Refused(403, 50013, "Missing Permissions")
ARCHIVED = Refused(400, 50083, "Thread is archived")
EMPTY = Refused(400, 50006, "Cannot send an empty message")
CLOSED = Refused(403, 50007, "Cannot send messages to this user")
APART = Refused(403, 50278, "Cannot send messages to this user due to having no mutual guilds")
TOO_MANY_DMS = Refused(400, 40003, "You are opening direct messages too fast")
TOO_MANY_FOLLOWUPS = Refused(400, 40094, "This interaction has reached the maximum number of follow up messages")
NOT_OURS = Refused(403, 50005, "Cannot edit a message authored by another user")
TOO_LATE = Refused(404, 10062, "Unknown interaction")
ANSWERED = Refused(400, 40060, "Interaction has already been acknowledged.")
EXPIRED = Refused(401, 50027, "Invalid Webhook Token")
TOO_LARGE = Refused(413, 40005, "Request entity too large")
UNAUTHORIZED = Refused(401, 0, "401: Unauthorized")


def invalid(why: str) -> Refused:
    """Return a 400 for a body that breaks a rule."""
    return Refused(400, 50035, f"Invalid Form Body: {why}")


UPLOAD = 10 * 1024 * 1024
EMOJIS, EMOJI_SIZE = 2_000, 256 * 1024
TOO_MANY_EMOJIS = Refused(400, 30008, f"Maximum number of emojis reached ({EMOJIS})")


def check_emoji(body: Mapping[str, Any], known: Iterable[Mapping[str, Any]]) -> None:
    """Raise `Refused` for a new emoji of an application that Discord does not accept."""
    if len(names := {emoji["name"] for emoji in known}) >= EMOJIS:
        raise TOO_MANY_EMOJIS
    kind, _, data = body["image"].partition(";base64,")
    if not re.fullmatch(r"\w{2,32}", body["name"], re.ASCII) or body["name"] in names:
        raise invalid("name: must be of 2 to 32 letters, and new")
    if kind != "data:image/png" or len(base64.b64decode(data)) > EMOJI_SIZE:
        raise invalid("image: File cannot be larger than 256.0 kb.")


def check_emojis_shown(body: Any, known: Container[int]) -> None:
    """Raise `Refused` for a button or menu with an emoji that is not there."""
    if isinstance(body, dict):
        emoji = body.get("emoji")
        if isinstance(emoji, dict) and emoji.get("id") and int(emoji["id"]) not in known:
            raise Refused(400, 50035, "Invalid Form Body: components: emoji: id: Invalid emoji")
        body = list(body.values())
    for part in body if isinstance(body, list) else ():
        check_emojis_shown(part, known)


def check_message(body: Mapping[str, Any], files: Mapping[int, tuple[str, bytes]], *, new: bool) -> None:
    """Raise `Refused` as Discord would. `new`: it is being posted, so it must not be empty."""
    content = body.get("content") or ""
    if len(content) > 2000:
        raise invalid(f"content: Must be 2000 or fewer in length. (is {len(content)})")
    attachments = body.get("attachments") or ()
    for attachment in attachments:
        if len(attachment.get("description") or "") > 1024:
            raise invalid("attachments: description: Must be 1024 or fewer in length.")
    if sum(len(data) for _, data in files.values()) > UPLOAD:
        raise TOO_LARGE
    named = {int(attachment["id"]) for attachment in attachments}
    if files and "attachments" in body and not set(files) <= named:
        raise invalid("attachments: a file is uploaded that no attachment names")
    rows = body.get("components") or []
    if new and not (content.strip() or files or rows or body.get("embeds") or body.get("sticker_ids")):
        raise EMPTY
    try:
        validate_components(rows)
    except ComponentValidationError as problem:
        raise invalid(str(problem)) from None


def check_choices(choices: list[dict[str, Any]]) -> None:
    """Raise `Refused` for suggestions that Discord does not accept."""
    if len(choices) > 25:
        raise invalid("choices: Must be 25 or fewer in length.")
    for choice in choices:
        if not 1 <= len(choice["name"]) <= 100 or not 1 <= len(str(choice["value"])) <= 100:
            raise invalid("choices: name and value are of 1 to 100")
