"""Who may do what: one table, used by the tables service, by commands and buttons, and by docs/security.md.

A `Deed` is something a person may want to do; its `Rule` says who may: people in one of its `Relation`s. What Discord
grants is passed in as `Scope`s of the `Person`, and two things are checked before the tables are asked at all: whether
the person can see the game (`sight`), and whether they could post where the bot is going to post (`post`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.errors import NotAtTable, NotHost, NotModerator, TableError
from bot.table import Person, Scope, Table


class Relation(StrEnum):
    """What somebody is to a table, or to the guild."""

    ANYBODY = "anybody"
    PLAYER = "player"
    HOST = "host"
    STRANDED = "stranded"
    """A player of a game that has lost its channel."""
    MODERATOR = "moderator"
    """Somebody who may manage messages in the table's channel, or the server."""
    GUILD_MODERATOR = "guild_moderator"
    """Somebody who may manage messages in the whole guild, or the server."""
    MANAGER = "manager"
    """Somebody who may manage the server."""


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
    """Where a person must be allowed to view and send, because the bot posts something for them."""

    NOWHERE = "nowhere"
    THERE = "there"
    """In the table's channel or thread."""
    TARGET = "target"
    """In the channel or thread they name (or ask in); they must also be allowed to open threads if they want one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may do a deed: people in one of the relations `who`, if they may post where the bot posts for them.

    `sight`: it concerns a game, and people without a seat there must be able to see its channel.
    """

    who: frozenset[Relation]
    sight: bool
    post: Post


def _rule(*who: Relation, sight: bool = True, post: Post = Post.NOWHERE) -> Rule:
    return Rule(frozenset(who), sight, post)


RULES: Mapping[Deed, Rule] = {
    Deed.READ: _rule(Relation.ANYBODY, sight=False),
    Deed.PREFER: _rule(Relation.ANYBODY, sight=False),
    Deed.OPEN: _rule(Relation.ANYBODY, sight=False, post=Post.TARGET),
    Deed.REMATCH: _rule(Relation.PLAYER, post=Post.THERE),
    Deed.LOOK: _rule(Relation.ANYBODY),
    Deed.FILM: _rule(Relation.ANYBODY),
    Deed.JOIN: _rule(Relation.ANYBODY),
    Deed.LEAVE: _rule(Relation.PLAYER),
    Deed.FILL: _rule(Relation.PLAYER),
    Deed.SET_LEVEL: _rule(Relation.HOST),
    Deed.START: _rule(Relation.HOST),
    Deed.CONFIGURE: _rule(Relation.HOST),
    Deed.PLAY: _rule(Relation.PLAYER),
    Deed.HINT: _rule(Relation.PLAYER),
    Deed.REVIEW: _rule(Relation.ANYBODY),
    Deed.TAKE_BACK: _rule(Relation.PLAYER),
    Deed.ASK_BACK: _rule(Relation.PLAYER, post=Post.THERE),
    Deed.ANSWER: _rule(Relation.PLAYER),
    Deed.NUDGE: _rule(Relation.PLAYER, post=Post.THERE),
    Deed.DECIDE_ABSENCE: _rule(Relation.PLAYER),
    Deed.RECLAIM: _rule(Relation.PLAYER),
    Deed.TAKE_OVER: _rule(Relation.ANYBODY),
    Deed.RESIGN: _rule(Relation.PLAYER),
    Deed.GIVE_UP: _rule(Relation.PLAYER, post=Post.THERE),
    Deed.CANCEL: _rule(Relation.HOST, Relation.MODERATOR),
    Deed.MOVE: _rule(Relation.HOST, Relation.STRANDED, Relation.MODERATOR, post=Post.TARGET),
    Deed.PAUSE: _rule(Relation.MODERATOR),
    Deed.RESUME: _rule(Relation.MODERATOR),
    Deed.BAN: _rule(Relation.GUILD_MODERATOR, sight=False),
    Deed.READ_LOG: _rule(Relation.GUILD_MODERATOR, sight=False),
    Deed.SET_UP: _rule(Relation.MANAGER, sight=False),
}
"""Who may do what."""


_GRANTED = (Relation.MODERATOR, Relation.GUILD_MODERATOR, Relation.MANAGER)
"""The relations given by Discord's permissions, the least powerful first."""


def is_related(relation: Relation, person: Person, table: Table | None = None) -> bool:
    """Whether a person is in this relation to the table (or, without a table, to the guild)."""
    seated = table is not None and table.seat_of(person.id) is not None
    match relation:
        case Relation.ANYBODY:
            return True
        case Relation.PLAYER:
            return seated
        case Relation.HOST:
            return table is not None and person.id == table.host_id
        case Relation.STRANDED:
            return seated and table is not None and table.lost is not None
        case Relation.MODERATOR:
            return Scope.TABLE in person.moderates
        case Relation.GUILD_MODERATOR:
            return Scope.GUILD in person.moderates
        case Relation.MANAGER:
            return Scope.SERVER in person.moderates


def may(deed: Deed, person: Person, table: Table | None = None) -> bool:
    """Whether a person may do something, judging only by who they are."""
    return any(is_related(relation, person, table) for relation in RULES[deed].who)


def need(deed: Deed, person: Person, table: Table | None = None) -> None:
    """Raise `NotHost`, `NotAtTable` or `NotModerator` unless this person may do that."""
    if may(deed, person, table):
        return
    refused = _refusal(RULES[deed].who, person, table)
    refused.code = table.code if table is not None else None
    raise refused


def _refusal(who: frozenset[Relation], person: Person, table: Table | None) -> TableError:
    if table is not None and Relation.HOST in who:
        return NotHost(table.host_id, or_moderator=Relation.MODERATOR in who)
    if Relation.PLAYER in who:
        return NotAtTable(person.id)
    return NotModerator(next(relation for relation in _GRANTED if relation in who))
