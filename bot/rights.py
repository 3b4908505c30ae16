"""Rights: one table of who may do what, used by the tables service, by commands and buttons, and by docs/.

A `Deed` is something a person may want to do; its `Rule` says who may: people in one of its `Relation`s. What Discord
grants is passed in as `Scope`s of the `Person`. What a guild's settings keep people from is said here too
(`need_allowed`), and three things are checked before the tables are asked at all:
whether the person can see the game (`sight`), whether they could post where the bot is going to post (`post`), and
whether it was asked too often recently (`bound`, counted by `bot.limits`).
"""

# ruff: noqa: PIE796 (two deeds may have the same rule, and are two deeds all the same)
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from bot.errors import FeatureOff, MayNotPlay, Moderators, NotAtTable, NotHost, NotModerator, TableError
from bot.guild_settings import GuildSettings
from bot.occupants import Person, Scope
from bot.pace import DAY, HOUR
from bot.table import Feature, Table


class Relation(StrEnum):
    """The relation of a person to a table, or to the guild."""

    ANYONE = "anyone"
    PLAYER = "player"
    HOST = "host"
    STAND_IN = "stand_in"
    """A person who plays a seat for its owner."""
    STRANDED = "stranded"
    """A player of a game that has lost its channel."""
    MODERATOR = "moderator"
    """A member who may manage messages in the table's channel, or the server, and does not play at the table.

    Those who have played there do not decide either (`need_outsider` in `bot.tables.effects`).
    """
    GUILD_MODERATOR = "guild_moderator"
    """A member who may manage messages in the whole guild, or the server."""
    MANAGER = "manager"
    """A member who may manage the server."""
    OWNER = "owner"
    """The member to whom the server belongs."""


class Post(StrEnum):
    """The places where a person must be allowed to view and send, because the bot posts something for them."""

    NOWHERE = "nowhere"
    THERE = "there"
    """In the table's channel or thread."""
    TARGET = "target"
    """In the channel or thread they name (or ask in); they must also be allowed to open threads if they want one."""


@dataclass(frozen=True, slots=True)
class Rate:
    """This many within this many seconds; after that, one more every `seconds / times`."""

    times: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Bound:
    """The rates at which a person, and all members of a guild together, may do something, by command or by button."""

    person: Rate
    guild: Rate | None = None


# Not equal by content, since every rule in the table is a deed of its own, even if another says the same.
@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """The rule of a deed: people in one of the relations `who` may do it, if they may post where the bot does for them.

    `sight`: it concerns a game, and people without a seat there must be able to see its channel. `bound`: of what
    reaches others or takes long. `plays`: it takes part in games, for which a guild may demand a role. `feature`: what
    it belongs to, which a guild may have switched off.
    """

    who: frozenset[Relation]
    sight: bool
    post: Post
    bound: Bound | None
    plays: bool
    feature: Feature | None


def _by(
    *who: Relation,
    sight: bool = True,
    post: Post = Post.NOWHERE,
    person: tuple[int, float] | None = None,
    guild: tuple[int, float] | None = None,
    plays: bool = False,
    feature: Feature | None = None,
) -> Rule:
    """Return a line of the table; `person` and `guild`: how many times, in how many seconds."""
    bound = None if person is None or guild is None else Bound(Rate(*person), Rate(*guild))
    return Rule(frozenset(who), sight, post, bound, plays, feature)


_MOVERS = (Relation.HOST, Relation.STRANDED, Relation.MODERATOR)


class Deed(Enum):
    """Everything that can be asked of the bot.

    By whom, what they must see, where they must be allowed to post, how often.
    """

    READ = _by(Relation.ANYONE, sight=False)
    LEARN = _by(Relation.ANYONE, sight=False)
    PUZZLE = _by(Relation.ANYONE, sight=False, feature=Feature.PUZZLE)
    PREFER = _by(Relation.ANYONE, sight=False)
    BLOCK = _by(Relation.ANYONE, sight=False, person=(20, 600), guild=(60, 60))
    EXPORT = _by(Relation.ANYONE, sight=False, person=(3, 600), guild=(20, 60))
    FORGET = _by(Relation.ANYONE, sight=False, person=(3, 600), guild=(20, 60))
    OPEN = _by(Relation.ANYONE, sight=False, post=Post.TARGET, person=(10, 60), guild=(60, 60), plays=True)
    REMATCH = _by(Relation.PLAYER, post=Post.THERE, person=(10, 60), guild=(60, 60), plays=True)
    LOOK = _by(Relation.ANYONE)
    FILM = _by(Relation.ANYONE, person=(4, 60), guild=(40, 60))
    POST_PICTURE = _by(Relation.PLAYER, post=Post.THERE, person=(1, 60), guild=(20, 60))
    PLAY_ON = _by(Relation.ANYONE, post=Post.TARGET, person=(4, 60), guild=(40, 60), plays=True)
    JOIN = _by(Relation.ANYONE, person=(40, 60), guild=(600, 60), plays=True)
    LEAVE_LOBBY = _by(Relation.PLAYER, person=(40, 60), guild=(600, 60))
    FILL = _by(Relation.PLAYER, person=(40, 60), guild=(600, 60), feature=Feature.COMPUTERS)
    SET_LEVEL = _by(Relation.HOST, person=(40, 60), guild=(600, 60), feature=Feature.COMPUTERS)
    SET_TERMS = _by(Relation.HOST, person=(60, 60), guild=(600, 60))
    INVITE = _by(Relation.PLAYER, post=Post.THERE, person=(6, 300), guild=(60, 60))
    SEEK = _by(Relation.ANYONE, sight=False, person=(10, 60), guild=(120, 60))
    SEEK_HERE = _by(Relation.ANYONE, sight=False, plays=True, feature=Feature.SEEKS)
    START = _by(Relation.PLAYER)
    HAND = _by(Relation.PLAYER, Relation.STAND_IN)
    PLAY = _by(Relation.PLAYER, Relation.STAND_IN)
    PLAN = _by(Relation.PLAYER, person=(60, 60), guild=(600, 60))
    HINT = _by(Relation.PLAYER, Relation.STAND_IN, person=(6, 60), guild=(60, 60), feature=Feature.HINTS)
    RECORD = _by(Relation.ANYONE, person=(6, 60), guild=(60, 60))
    REVIEW = _by(Relation.ANYONE, person=(6, 60), guild=(30, 60))
    TAKE_BACK = _by(Relation.PLAYER, Relation.STAND_IN, person=(20, 60), guild=(240, 60))
    ASK_BACK = _by(Relation.PLAYER, post=Post.THERE, person=(10, 300), guild=(120, 60))
    ASK_HINTS = _by(Relation.PLAYER, post=Post.THERE, person=(10, 300), guild=(120, 60), feature=Feature.HINTS)
    TALK = _by(Relation.PLAYER, post=Post.THERE, person=(10, 60), guild=(120, 60), feature=Feature.PHRASES)
    ANSWER = _by(Relation.PLAYER)
    NUDGE = _by(Relation.PLAYER, post=Post.THERE, person=(10, 60), guild=(120, 60))
    DECIDE_ABSENCE = _by(Relation.PLAYER)
    ASK_FRIEND = _by(Relation.PLAYER, person=(6, 300), guild=(60, 60))
    STAND_IN = _by(Relation.ANYONE, sight=False, person=(20, 300), guild=(120, 60))
    RECLAIM = _by(Relation.PLAYER)
    TAKE_OVER = _by(Relation.ANYONE, plays=True)
    LEAVE_GAME = _by(Relation.PLAYER)
    RESIGN = _by(Relation.PLAYER, post=Post.THERE, person=(10, 300), guild=(120, 60))
    CANCEL = _by(Relation.PLAYER, Relation.MODERATOR, person=(10, 300), guild=(120, 60))
    MOVE = _by(*_MOVERS, post=Post.TARGET, person=(10, 60), guild=(60, 60))
    ASK_PAUSE = _by(Relation.PLAYER, post=Post.THERE, person=(10, 300), guild=(120, 60))
    PAUSE = _by(Relation.PLAYER, Relation.MODERATOR)
    RESUME = _by(Relation.PLAYER, Relation.MODERATOR)
    BAN = _by(Relation.GUILD_MODERATOR, sight=False)
    LIST = _by(Relation.GUILD_MODERATOR, sight=False)
    READ_LOG = _by(Relation.GUILD_MODERATOR, sight=False)
    SEE_STATUS = _by(Relation.GUILD_MODERATOR, sight=False)
    SET_UP = _by(Relation.MANAGER, sight=False)
    WIPE = _by(Relation.OWNER, sight=False)
    OPEN_CUP = _by(
        Relation.ANYONE, sight=False, post=Post.TARGET, person=(10, 300), guild=(30, 300), feature=Feature.CUPS
    )
    PLAN_CUP = _by(Relation.ANYONE, sight=False, person=(60, 60), guild=(600, 60))
    ENTER_CUP = _by(Relation.ANYONE, sight=False, person=(20, 60), guild=(600, 60), plays=True)
    LEAVE_CUP = _by(Relation.ANYONE, sight=False, person=(20, 60), guild=(600, 60))
    ASK_PARTNER = _by(Relation.ANYONE, sight=False, post=Post.TARGET, person=(4, 600), guild=(60, 600), plays=True)
    RUN_CUP = _by(Relation.ANYONE, sight=False, person=(20, 60), guild=(60, 60))
    DECIDE_CUP = _by(Relation.GUILD_MODERATOR, sight=False, person=(60, 60), guild=(120, 60))

    @property
    def rule(self) -> Rule:
        """Its line in the table."""
        return self.value


READ_RECORD = Bound(Rate(4, 60), Rate(20, 60))
"""Limit of reading records that people send, which takes up to seconds."""

TRY_CODE = Bound(Rate(10, HOUR))
"""Limit of trying codes of tables in direct messages, so that none is found by guessing."""

INVITE_IN_DMS = Bound(Rate(9, HOUR))
"""Limit of a person's invitations to others in direct messages."""

INVITED_IN_DMS = Bound(Rate(5, DAY))
"""Limit of invitations to a person there, by all others together."""

INVITED_BY_ONE = Bound(Rate(2, DAY))
"""Limit of invitations to a person there by the same other."""

PARTS = {
    "read a record": READ_RECORD,
    "try a code in direct messages": TRY_CODE,
    "invite in direct messages": INVITE_IN_DMS,
    "be invited there": INVITED_IN_DMS,
    "be invited there by the same person": INVITED_BY_ONE,
}
"""The bounds of what is only part of a deed."""


def is_related(relation: Relation, person: Person, table: Table | None = None) -> bool:
    """Return True if a person is in this relation to the table (or, without a table, to the guild)."""
    seated = table is not None and table.seat_of(person.id) is not None
    match relation:
        case Relation.ANYONE:
            return True
        case Relation.PLAYER:
            return seated
        case Relation.STAND_IN:
            return table is not None and not seated and table.played_by(person.id) is not None
        case Relation.HOST:
            return table is not None and person.id == table.host_id
        case Relation.STRANDED:
            return seated and table is not None and table.lost is not None
        case Relation.MODERATOR:
            # At their own table, moderators are players.
            plays = table is not None and table.played_by(person.id) is not None
            return Scope.MODERATE_TABLE in person.moderates and not plays
        case Relation.GUILD_MODERATOR:
            return Scope.MODERATE_GUILD in person.moderates
        case Relation.MANAGER:
            return Scope.MANAGE_GUILD in person.moderates
        case Relation.OWNER:
            return Scope.OWN_GUILD in person.moderates


def may(deed: Deed, person: Person, table: Table | None = None) -> bool:
    """Return True if a person may do something, judging only by who they are."""
    return any(is_related(relation, person, table) for relation in deed.rule.who)


def need(deed: Deed, person: Person, table: Table | None = None) -> None:
    """Raise `NotHost`, `NotAtTable` or `NotModerator` unless this person may do that."""
    if not may(deed, person, table):
        raise _refusal(deed.rule.who, person, table)


def may_play(person: Person, settings: GuildSettings) -> bool:
    """Return True if a guild lets this person take part in games, judging by their roles."""
    return settings.play_role is None or settings.play_role in person.roles


def need_allowed(deed: Deed, person: Person, settings: GuildSettings) -> None:
    """Raise `FeatureOff` or `MayNotPlay` if a guild's settings keep a person from this."""
    if deed.rule.feature in settings.off and deed.rule.feature is not None:
        raise FeatureOff(deed.rule.feature)
    if deed.rule.plays and settings.play_role is not None and not may_play(person, settings):
        raise MayNotPlay((settings.play_role,))


def need_moderator(person: Person, table: Table) -> None:
    """Raise `NotModerator` unless this person moderates the table, and does not play at it."""
    if not is_related(Relation.MODERATOR, person, table):
        raise NotModerator(Moderators.MODERATOR)


def _refusal(who: frozenset[Relation], person: Person, table: Table | None) -> TableError:
    if table is not None and Relation.HOST in who:
        return NotHost(table.host_id, or_moderator=Relation.MODERATOR in who)
    if Relation.PLAYER in who:
        return NotAtTable(person.id, or_moderator=Relation.MODERATOR in who)
    return NotModerator(next(kind for kind in Moderators if Relation[kind.name] in who))
