"""Who may do what: one table, read by the tables service, by commands and buttons, and by docs/security.md.

A `Deed` is something a person may want; its `Rule` says who may: whoever is one of its `Part`s. What Discord grants
comes in as `Power`s of the `Person`, and two things are looked at before the tables are asked at all: whether the
person can see the game (`sight`), and whether they could post themselves where the bot is to post (`post`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.errors import NotAtTable, NotHost, NotModerator, TableError
from bot.table import Person, Power, Table


class Part(StrEnum):
    """What somebody is to a table, or to the guild."""

    ANYBODY = "anybody"
    PLAYER = "player"
    HOST = "host"
    STRANDED = "stranded"
    """A player of a game that has lost its channel."""
    MODERATOR = "moderator"
    """Who may manage messages in the table's channel, or the server."""
    GUILD_MODERATOR = "guild_moderator"
    """Who may manage messages in the whole guild, or the server."""
    MANAGER = "manager"
    """Who may manage the server."""


class Deed(StrEnum):
    """Everything that can be asked of the bot."""

    READ = "read"
    PREFER = "prefer"
    OPEN = "open"
    REMATCH = "rematch"
    LOOK = "look"
    FILM = "film"
    JOIN = "join"
    LEAVE = "leave"
    FILL = "fill"
    SET_LEVEL = "set_level"
    START = "start"
    CONFIGURE = "configure"
    PLAY = "play"
    HINT = "hint"
    REVIEW = "review"
    TAKE_BACK = "take_back"
    ASK_BACK = "ask_back"
    ANSWER = "answer"
    NUDGE = "nudge"
    DECIDE_ABSENCE = "decide_absence"
    RECLAIM = "reclaim"
    TAKE_OVER = "take_over"
    RESIGN = "resign"
    GIVE_UP = "give_up"
    CANCEL = "cancel"
    MOVE = "move"
    PAUSE = "pause"
    RESUME = "resume"
    BAN = "ban"
    READ_LOG = "read_log"
    SET_UP = "set_up"


class Post(StrEnum):
    """Where a person must be allowed to view and to send, because the bot posts something for them."""

    NOWHERE = "nowhere"
    THERE = "there"
    """At the table's place."""
    TARGET = "target"
    """In the channel or thread that they name (or ask in); to open threads too, if they want one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may do a deed: everybody who is one of `who`, and may post where the bot posts for them.

    `sight`: it is about a game, and whoever does not sit there must be able to see its channel.
    """

    who: frozenset[Part]
    sight: bool
    post: Post


def _rule(*who: Part, sight: bool = True, post: Post = Post.NOWHERE) -> Rule:
    return Rule(frozenset(who), sight, post)


RULES: Mapping[Deed, Rule] = {
    Deed.READ: _rule(Part.ANYBODY, sight=False),
    Deed.PREFER: _rule(Part.ANYBODY, sight=False),
    Deed.OPEN: _rule(Part.ANYBODY, sight=False, post=Post.TARGET),
    Deed.REMATCH: _rule(Part.PLAYER, post=Post.THERE),
    Deed.LOOK: _rule(Part.ANYBODY),
    Deed.FILM: _rule(Part.ANYBODY),
    Deed.JOIN: _rule(Part.ANYBODY),
    Deed.LEAVE: _rule(Part.PLAYER),
    Deed.FILL: _rule(Part.PLAYER),
    Deed.SET_LEVEL: _rule(Part.HOST),
    Deed.START: _rule(Part.HOST),
    Deed.CONFIGURE: _rule(Part.HOST),
    Deed.PLAY: _rule(Part.PLAYER),
    Deed.HINT: _rule(Part.PLAYER),
    Deed.REVIEW: _rule(Part.ANYBODY),
    Deed.TAKE_BACK: _rule(Part.PLAYER),
    Deed.ASK_BACK: _rule(Part.PLAYER, post=Post.THERE),
    Deed.ANSWER: _rule(Part.PLAYER),
    Deed.NUDGE: _rule(Part.PLAYER, post=Post.THERE),
    Deed.DECIDE_ABSENCE: _rule(Part.PLAYER),
    Deed.RECLAIM: _rule(Part.PLAYER),
    Deed.TAKE_OVER: _rule(Part.ANYBODY),
    Deed.RESIGN: _rule(Part.PLAYER),
    Deed.GIVE_UP: _rule(Part.PLAYER, post=Post.THERE),
    Deed.CANCEL: _rule(Part.HOST, Part.MODERATOR),
    Deed.MOVE: _rule(Part.HOST, Part.STRANDED, Part.MODERATOR, post=Post.TARGET),
    Deed.PAUSE: _rule(Part.MODERATOR),
    Deed.RESUME: _rule(Part.MODERATOR),
    Deed.BAN: _rule(Part.GUILD_MODERATOR, sight=False),
    Deed.READ_LOG: _rule(Part.GUILD_MODERATOR, sight=False),
    Deed.SET_UP: _rule(Part.MANAGER, sight=False),
}
"""Who may do what."""


_POWERS = (Part.MODERATOR, Part.GUILD_MODERATOR, Part.MANAGER)
"""The parts that Discord's permissions give, the least power first."""


def is_part(part: Part, person: Person, table: Table | None = None) -> bool:
    """Whether a person is that, at this table (or, without one, in the guild)."""
    seated = table is not None and table.seat_of(person.id) is not None
    match part:
        case Part.ANYBODY:
            return True
        case Part.PLAYER:
            return seated
        case Part.HOST:
            return table is not None and person.id == table.host_id
        case Part.STRANDED:
            return seated and table is not None and table.lost is not None
        case Part.MODERATOR:
            return Power.TABLE in person.powers
        case Part.GUILD_MODERATOR:
            return Power.GUILD in person.powers
        case Part.MANAGER:
            return Power.SERVER in person.powers


def may(deed: Deed, person: Person, table: Table | None = None) -> bool:
    """Whether a person may do something, as far as who they are is concerned."""
    return any(is_part(part, person, table) for part in RULES[deed].who)


def need(deed: Deed, person: Person, table: Table | None = None) -> None:
    """Raise `NotHost`, `NotAtTable` or `NotModerator` unless this person may do that."""
    if may(deed, person, table):
        return
    refused = _refusal(RULES[deed].who, person, table)
    refused.code = table.code if table is not None else None
    raise refused


def _refusal(who: frozenset[Part], person: Person, table: Table | None) -> TableError:
    if table is not None and Part.HOST in who:
        return NotHost(table.host_id, or_moderator=Part.MODERATOR in who)
    if Part.PLAYER in who:
        return NotAtTable(person.id)
    return NotModerator(next(part for part in _POWERS if part in who))
