"""The people of a lobby: whom a request names (guests, partners, friends who play), and a user who has sat down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import discord

from bot.delivery.members import global_name_of, name_of
from bot.errors import MayNotPlay, NotPossible, Problem, TooOften
from bot.interactions.answers import SayInstead
from bot.interactions.permissions import roles_from_afar, roles_of
from bot.interactions.request import Request
from bot.languages import mark as _
from bot.occupants import Person
from bot.rights import INVITE_IN_DMS, INVITED_BY_ONE, INVITED_IN_DMS, may_play
from bot.table import Table
from bot.texts.markup import stack
from bot.texts.public import invitations, letters

INVITE = _("Who to invite")
"""The option of commands that invite."""

SEATED = "seated"
"""The key under which it is remembered that a user has had a seat."""


async def is_first_table(request: Request) -> bool:
    """Return True if the user has opened or joined no table yet."""
    return SEATED not in (await request.preferences()).learned


async def answer_seated(request: Request, told: str = "") -> None:
    """Answer a user who has opened or joined a table, with what is `told` if there is anything."""
    learned = (await request.preferences()).learned
    if SEATED not in learned:
        await request.tables.users.prefer(request.user_id, learned={**learned, SEATED: 1})
    await (request.say(told) if told else request.done())


async def dm_note(request: Request, table: Table) -> str:
    """Return, for a player of a table in direct messages who accepts none, what they miss; otherwise empty."""
    await request.tables.settled(table.id)
    if await request.bot.delivery.letters.arrive(table.id, request.user_id):
        return ""
    await request.tables.users.prefer(request.user_id, dm_told=True)
    return letters.closed_here(request.language)


@dataclass(frozen=True)
class Guests:
    """The people that a host invites, and a sentence about those who are left out."""

    people: Sequence[Person] = ()
    note: str = ""


def check_named(request: Request, *named: discord.User | None, in_dms: bool = False) -> list[Person]:
    """Return the users named, each once, without the user of the request. Raises SayInstead: one of them is a bot.

    `in_dms`: under their own names, since what they are called on a server is not told elsewhere.
    """
    named_users = {user.id: user for user in named if user is not None and user.id != request.user_id}
    if any(user.bot for user in named_users.values()):
        raise SayInstead(invitations.nobody_can_be_invited(request.language))
    if in_dms:
        return [Person(user.id, global_name_of(user)) for user in named_users.values()]
    return [Person(user.id, name_of(user), roles=roles_of(user)) for user in named_users.values()]


async def find_guests(request: Request, *named: discord.User | None, in_dms: bool = False) -> Guests:
    """Return those of the users named who can be invited; `in_dms`: they are written to.

    Those who want no invitations are left out, and in direct messages those who have had enough of them. Raises
    SayInstead: one of them is a bot, or the user has invited enough.
    """
    people, users = check_named(request, *named, in_dms=in_dms), request.tables.users
    unwilling = await users.find_uninvited(guest.id for guest in people)
    people = [guest for guest in people if guest.id not in unwilling]
    note = invitations.want_none(request.language, unwilling) if unwilling else ""
    if not in_dms:
        return Guests(people, note)
    # A person who has blocked the host is not written to.
    written = await users.without_blockers(request.user_id, [guest.id for guest in people])
    enough = [guest.id for guest in people if not _may_be_invited(request, guest.id, is_written=guest.id in written)]
    left_out = invitations.enough_invitations(request.language, enough) if enough else ""
    return Guests([guest for guest in people if guest.id not in enough], stack(note, left_out))


async def find_friend(request: Request, user: discord.User) -> tuple[Person, int | None]:
    """Return a user who is to be asked, in a direct message, to play for the user of a request; as often as invited.

    With the guild where they are a member, if it is asked on one.

    Raises NotPossible, without a reason: they cannot be asked. Raises SayInstead: the user has asked enough, or a bot.
    """
    guests = await find_guests(request, user, in_dms=True)
    if not guests.people:
        raise NotPossible(Problem.NO_STAND_IN)
    named: object = user
    return replace(guests.people[0], roles=roles_of(user)), named.guild.id if isinstance(
        named, discord.Member
    ) else None


async def find_playable(request: Request, tables: Iterable[Table]) -> list[Table]:
    """Return those of these tables whose guilds demand no role of those who play that the user lacks.

    Raises `MayNotPlay` if there are tables, but none of these.
    """
    playable: list[Table] = []
    lacked: int | None = None
    for table in tables:
        settings = await request.tables.moderation.guild(table.guild_id)
        if settings.play_role is not None and not table.in_dms:
            roles = await roles_from_afar(request.interaction, table.guild_id)
            if not may_play(replace(request.person, roles=roles), settings):
                lacked = settings.play_role
                continue
        playable.append(table)
    if lacked is not None and not playable:
        raise MayNotPlay((lacked,))
    return playable


def _may_be_invited(request: Request, user_id: int, *, is_written: bool) -> bool:
    """Count an invitation in direct messages; False if the person has had enough of them.

    Raises SayInstead: the user has invited enough.
    """
    spend, now = request.bot.limits.spend_deed, request.now
    try:
        spend("invite in dms", INVITE_IN_DMS, request.user_id, None, now)
    except TooOften:
        raise SayInstead(invitations.enough_sent(request.language)) from None
    try:
        spend(f"invited by {request.user_id}", INVITED_BY_ONE, user_id, None, now)
        if is_written:
            spend("invited", INVITED_IN_DMS, user_id, None, now)
    except TooOften:
        return False
    return True
