"""A request of a user, by a command, a button or a menu: its user and table, and lookups made once.

`serve` makes it of an interaction and hands it to the cog's method.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import discord

from bot import metrics, rights
from bot.delivery.hands import Hands
from bot.delivery.members import name_of
from bot.delivery.unix_time import now
from bot.delivery.where_asked import is_away, is_in_dm
from bot.errors import BrokenLog, NoSuchTable, NotHost, StorageError
from bot.interactions.answers import Answers, Interaction, SayInstead
from bot.interactions.permissions import (
    NOWHERE,
    Allowed,
    allowed_at,
    allowed_from_afar,
    everywhere,
    person_of,
    refuse_lacking,
    roles_from_afar,
)
from bot.languages.commands import language_of
from bot.occupants import Person
from bot.preferences import Preferences
from bot.proposal import ProposalKind
from bot.rights import Deed, Post
from bot.showing.controls import with_no
from bot.showing.panels import Panel, Reply, Style
from bot.showing.presses import Press
from bot.table import IN_DMS, Table
from bot.tables.service import Tables
from bot.texts import refusals
from bot.texts.markup import stack
from bot.texts.names import Names
from bot.texts.public import letters, places, proposals
from bot.texts.public.boards import board_link


class Request(Answers):
    """A request with its answers; `person` and `table` are as they were when it was admitted.

    `aside`: the message that was pressed only asked a question, so the answer is a new message.
    """

    def __init__(self, interaction: Interaction, *, aside: bool = False) -> None:
        super().__init__(interaction, aside=aside)
        self.bot = interaction.client
        self.refused: str | None = None
        """The kind of refusal, if it was refused."""
        self.fallback = ""
        """The answer if what should show a deed that is done already fails; see `fall_back_on`."""
        self.user_id = interaction.user.id
        self.language = language_of(interaction)
        self._table: Table | None = None
        self._allowed: dict[int, Allowed] = {}
        """The user's rights where a table is played, by the table's id."""

    @property
    def tables(self) -> Tables:
        """The tables service."""
        return self.bot.tables

    @property
    def hands(self) -> Hands:
        """The hands of players."""
        return self.bot.delivery.hands

    @property
    def table(self) -> Table:
        """The table of this request."""
        assert self._table is not None, "this is about no table"
        return self._table

    @property
    def table_if_any(self) -> Table | None:
        """The table of this request, or None."""
        return self._table

    @property
    def seat(self) -> int | None:
        """The user's seat at the table of this request."""
        return self.table.seat_of(self.user_id)

    @property
    def guild_id(self) -> int:
        """The guild of a request that needs one. Raises SayInstead: it was asked in direct messages."""
        if self.server_id is None:
            link = "" if self._table is None else board_link(self._table)
            raise SayInstead(stack(refusals.only_on_servers(self.language), link))
        return self.server_id

    @property
    def is_away(self) -> bool:
        """True where the bot is not: the user has added the app to their account."""
        return is_away(self.interaction)

    @property
    def server_id(self) -> int | None:
        """The guild of this request; None in direct messages, and where the bot is not."""
        return None if self.is_away else self.interaction.guild_id

    @property
    def home_id(self) -> int:
        """The guild in which a table is opened here; `IN_DMS` in direct messages, and where the bot is not."""
        return self.server_id or IN_DMS

    @property
    def person(self) -> Person:
        """The user, with their rights in the guild and at the table of this request.

        At a table of another guild, and in direct messages, they keep the name they have there. At a table in direct
        messages, what a guild grants and calls them does not count.
        """
        table = self._table
        if self.is_away or (table is not None and table.in_dms):
            person = everywhere(self.interaction)
        else:
            person = person_of(self.interaction, self._allowed_here)
        seat = None if table is None else table.seat_of(self.user_id)
        if table is None or seat is None or table.in_dms or table.guild_id == self.server_id:
            return person
        return replace(person, name=table.occupants[seat].name)

    @property
    def now(self) -> float:
        """The time in Unix seconds."""
        return now()

    # Admission

    async def recognise(self) -> None:
        """Use the language that the user has chosen, and update their name."""
        with suppress(StorageError):
            await self.preferences()
            await self.note_names(self.interaction.user)
            if is_in_dm(self.interaction):
                await self.tables.roster.note_name(IN_DMS, self.user_id, name_of(self.interaction.user))
                await self.tables.users.note_dm(self.user_id, self.interaction.channel_id)
        self.language = language_of(self.interaction)

    async def note_names(self, *people: object) -> None:
        """Remember the names of members of this guild among these values; ignore the others."""
        for member in people:
            if isinstance(member, discord.Member) and not self.is_away:
                await self.tables.roster.note_name(member.guild.id, member.id, name_of(member))

    async def can_see(self, table: Table) -> bool:
        """Return True if the user may look at a table: they have a seat there, or can see its channel."""
        if table.played_by(self.user_id) is not None:
            return True
        if table.in_dms:
            return self.user_id in (who.user_id for who in table.expected.values())
        return self.server_id == table.guild_id and (await self._allowed_at(table)).sees

    async def attach_table(self, table: Table) -> None:
        """Attach the table to this request; what its host does is a sign that the host is there."""
        await self._allowed_at(table)
        self._table = table
        self.bot.delivery.presence.note(table.id, self.user_id)
        if table.host_id == self.user_id and table.is_open:
            self.tables.hosts.note_sign(table.id)

    async def find(self, named: int | str, *, even_broken: bool = False) -> Table:
        """Return the table with this id, or this code here.

        It comes without its game if the log is broken and `even_broken` allows that.

        Raises:
            NoSuchTable: there is none, or the user may not look at it.
            BrokenLog: its record is damaged.
        """
        fault = None
        try:
            tables = self.tables
            table = await (tables.get(named) if isinstance(named, int) else tables.by_code(self.guild_id, named))
        except BrokenLog as found:
            fault, table = found, await self.tables.get_even_broken(found.table_id)
        if not await self.can_see(table):
            raise NoSuchTable(named)
        if fault is not None and not even_broken:
            raise fault
        return table

    async def allow(self, deed: Deed) -> None:
        """Check that the user may do this, at the table of this request if it needs one.

        Raises:
            NotHost, NotAtTable, NotModerator: they may not.
            TooOften: they have done it too often recently, or their guild has.
            FeatureOff, MayNotPlay: the settings of the table's guild, or of this one, are against it.
            SayInstead: the bot would post something where they may not post.
        """
        try:
            rights.need(deed, self.person, self._table)
        except NotHost:
            if self.seat is None:
                raise
            # What a host does not do for two days is up to the next player.
            self._table = await self.tables.hosts.succeed(self.table.id, self.user_id)
            rights.need(deed, self.person, self._table)
        self.spend(deed)
        await self._need_allowed(deed)
        if deed.rule.post is Post.THERE and not self.table.in_dms:
            allowed = self._allowed_here
            if self.server_id is None:
                # Discord tells nothing of the server in direct messages.
                allowed = await allowed_from_afar(self.interaction, self.table)
            if allowed.lacks:
                raise refuse_lacking(self.language, self.table.channel_id, allowed.lacks)

    def spend(self, deed: Deed) -> None:
        """Count that the user does this. Raises `TooOften`: they, or their guild, have done it too often recently."""
        if (bound := deed.rule.bound) is not None:
            self.bot.limits.spend_deed(deed.name, bound, self.user_id, self.interaction.guild_id, self.now)

    async def _need_allowed(self, deed: Deed) -> None:
        """Raise `FeatureOff` or `MayNotPlay` if a guild's settings are against it; who has a seat keeps it."""
        guild_id = self.home_id if self._table is None else self._table.guild_id
        if guild_id == IN_DMS or not (deed.rule.plays or deed.rule.feature):
            return
        settings, person = await self.tables.moderation.guild(guild_id), self.person
        if self._table is not None and self._table.is_open and self.seat is not None:
            settings = replace(settings, play_role=None)
        if deed.rule.plays and settings.play_role is not None and guild_id != self.server_id:
            person = replace(person, roles=await roles_from_afar(self.interaction, guild_id))
        rights.need_allowed(deed, person, settings)

    async def _allowed_at(self, table: Table) -> Allowed:
        """Return the user's rights where a table is played; looked up once."""
        if table.id not in self._allowed:
            is_known, place = not table.in_dms and not self.is_away, (table.channel_id, table.parent_id)
            self._allowed[table.id] = await allowed_at(self.interaction, *place) if is_known else NOWHERE
        return self._allowed[table.id]

    @property
    def _allowed_here(self) -> Allowed:
        """The user's rights where the table of this request is played."""
        return NOWHERE if self._table is None else self._allowed[self._table.id]

    # What the user sees

    async def preferences(self) -> Preferences:
        """Return the user's present preferences."""
        return await self.tables.users.preferences(self.user_id)

    def fall_back_on(self, done: str) -> str:
        """Return `done`, a deed in words; from now on it is the answer if showing what came of it fails."""
        self.fallback = done
        return done

    async def confirm(self, told: str, label: str, sure: Press, *, instead: bool = False) -> None:
        """Ask before something is done for good: in private, or `instead` of what was pressed."""
        panel = with_no(self.language, Panel().button(label, sure, style=Style.DANGER))
        await (self.replace if instead else self.send)(Reply(told, panel))

    async def say_asked(self, table: Table, kind: ProposalKind) -> None:
        """Say that the others have been asked; later the answer says what came of it."""
        await self.say(proposals.others_asked(self.language, table, kind))
        self.note_asked(table, kind)

    def note_asked(self, table: Table, kind: ProposalKind | None) -> None:
        """Let the answer say what becomes of a question of this kind that the user has asked, once it is over."""
        asked = None if kind is None else table.proposals.get(kind)
        if asked is not None and asked.user_id == self.user_id and not is_in_dm(self.interaction):
            self.bot.delivery.notices.note_asker(table, asked, self.interaction)

    def trouble_note(self, table: Table) -> str:
        """Return a sentence about why the channel does not show the newest board; empty if it does."""
        self.bot.delivery.try_again(table)
        trouble = table.lost or self.bot.delivery.trouble(table.id)
        return places.not_shown(self.language, table, trouble)

    async def closed_note(self, table: Table | None = None) -> str:
        """Return a sentence, once, for a user whose direct messages turn out to be closed; otherwise empty.

        At a table in direct messages that is told even there: what can be answered there may still not be written.
        """
        prefers, in_dms = await self.preferences(), table is not None and table.in_dms
        if prefers.dm_closed_at is None or prefers.dm_told or (is_in_dm(self.interaction) and not in_dms):
            return ""
        await self.tables.users.prefer(self.user_id, dm_told=True)
        return (letters.closed_here if in_dms else letters.closed)(self.language)

    # Refusals

    def refusal(self, error: Exception, table: Table | None = None) -> str:
        """Return the words for an error; at a table, with names."""
        if table is None:
            return refusals.refusal(self.language, error)
        return refusals.refusal(self.language, error, Names.of(table, self.language), table.seat_of(self.user_id))

    def log_result(self, kind: str, name: str, result: str) -> None:
        """Log the end of a request (`result`, in a word), and count it."""
        interaction, table = self.interaction, self._table
        metrics.record_request(
            kind,
            name,
            result,
            self.began,
            refusal=self.refused,
            interaction=interaction.id,
            user=self.user_id,
            guild=interaction.guild_id,
            table=None if table is None else table.id,
            moment=None if table is None else str(table.moment),
        )
