"""The cups of a store: planning, entering, leaving, and what each step of a cup changes.

Every change reads the cup, decides, and writes it if no one else has meanwhile; otherwise it decides again. What has to
be said or opened on Discord is done by `bot.delivery.cup_runner`, step by step (`bot.cups.steps`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from bot import rights
from bot.cup import CUP_NAME, FEWEST, Cup, CupPlan, CupPost, CupStage, Format, Overdue, is_pair
from bot.cups import ladder, steps
from bot.cups.changes import (
    add_outcome,
    add_round,
    begin_month,
    compute_standings,
    drop_entry,
    give_places,
    make_entry,
    need_arbiter,
    need_host,
    next_month,
    occupants_of,
    pair_up,
    put_entry,
    put_round,
    takes_entries,
)
from bot.cups.pairing import pair
from bot.cups.standings import Standing
from bot.errors import Banned, Conflict, CupProblem, NotInCup, TableError
from bot.guild_records import LogEntry
from bot.guild_settings import GuildSettings
from bot.occupants import Person, Scope
from bot.pace import DAY, HOUR
from bot.pools import Pools
from bot.results import ALL_SYSTEMS, RatedGame
from bot.storage import Store
from bot.table import IN_DMS, Feature, Status, Table
from bot.tables.endings import CupEnding
from bot.tables.service import Tables
from bot.tables.transactions import try_again
from bot.tasks import Locks

MOST_OPEN = 3
"""The most cups that go on in a guild at once."""

MOST_SHOWN = 5
"""The most cups that are over shown in a guild."""


LONGEST = 14 * DAY
"""The most seconds that a round which is given more time has left."""

LINGERS = 7 * DAY
"""Seconds after its end for which a cup is looked at for something left to say."""

Decider = Callable[[Cup], Cup]


class Cups:
    """Cups. Methods raise `NotInCup`, and `Banned` for a member who may not play."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        pools: Pools,
        draw_seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    ) -> None:
        self._store, self._tables, self._pools, self._draw_seed = store, tables, pools, draw_seed
        # Two who open a cup at the same moment are counted one after the other.
        self._opening: Locks[int] = Locks()
        self.on_change: Callable[[], None] = lambda: None
        """Called when a cup may have something to do."""
        self._given_back: dict[int, int] = {}
        """By cup, until when time has been given back in which Discord refused what one of its tables says."""

    def note_change(self, before: Table | None, after: Table, *_: object) -> None:
        """Look at the cup of a table that has just closed."""
        if after.cup_id is not None and not after.is_open and (before is None or before.is_open):
            self.on_change()

    # Looking

    async def get(self, cup_id: int, guild_id: int | None = None) -> Cup:
        """Return a cup, of a guild if that is given. Raises `GONE`."""
        cup = await self._store.cups.get(cup_id)
        if cup is None or guild_id not in (None, cup.guild_id):
            raise NotInCup(CupProblem.GONE)
        return cup

    async def of_guild(self, guild_id: int) -> Sequence[Cup]:
        """Return a guild's cups that go on, and then the last ones that are over."""
        return await self._store.cups.of_guild(guild_id, MOST_SHOWN)

    async def at_work(self) -> Sequence[Cup]:
        """Return the cups of our guilds that may have something to do."""
        return await self._store.cups.at_work(self._tables.now() - LINGERS)

    async def games(self, cup: Cup) -> Mapping[int, tuple[int, Status]]:
        """Return the ids and statuses of a cup's games, by their numbers in it."""
        return await self._tables.cup_games.of_cup(cup.id)

    async def standings(self, cup: Cup) -> list[Standing]:
        """Return the standings so far; of a ladder, those who have played."""
        if cup.plan.is_ladder:
            return await self._pools.draw(ladder.rank, await self._counting(cup))
        return compute_standings(cup)

    async def played(self, cup: Cup) -> Cup:
        """Return a cup with all that was played in it: to a ladder come the games that count so far."""
        if not cup.plan.is_ladder or not cup.rounds:
            return cup
        return put_round(cup, replace(cup.rounds[-1], matches=ladder.matches_of(await self._counting(cup))))

    async def _counting(self, cup: Cup) -> Sequence[RatedGame]:
        """Return the games that count in a ladder so far."""
        system, ends_at = ALL_SYSTEMS if cup.plan.any_rules else cup.plan.terms.system, cup.rounds[-1].ends_at
        rated = await self._store.results.rated_among(cup.id, cup.guild_id, system, cup.created_at, ends_at or 0)
        return ladder.games_of(cup.entries, rated)

    async def lose_channel(self, guild_id: int, channel_id: int, *, was_public: bool) -> None:
        """Note that a channel was deleted: what all members could see there may still be told to all."""
        if was_public:
            await self._store.cups.note_public(guild_id, channel_id)

    async def may_open(self, person: Person, guild_id: int) -> bool:
        """Return True if a member may open cups here."""
        return _may_open(person, await self._tables.moderation.guild(guild_id))

    # Planning and opening

    async def plan(self, person: Person, guild_id: int, channel_id: int, name: str, plan: CupPlan) -> Cup:
        """Begin to plan a cup, in place of the person's last plan. Raises `FeatureOff`, `MAY_NOT_OPEN`, `NAME`."""
        await self._need_opener(person, guild_id)
        if not 1 <= len(name) <= CUP_NAME:
            raise NotInCup(CupProblem.NAME)
        now = self._tables.now()
        drawn = Cup(0, guild_id, channel_id, person.id, name, CupStage.DRAFT, plan, b"", 1, now, now + DAY)
        return await self.get(await self._store.cups.create(drawn))

    async def draft_of(self, person: Person, guild_id: int) -> Cup | None:
        """Return the cup that a person has begun to plan here within the last hour, or None."""
        draft = await self._store.cups.draft_of(guild_id, person.id)
        return None if draft is None or draft.created_at < self._tables.now() - HOUR else draft

    async def change_plan(self, cup_id: int, person: Person, guild_id: int, change: Decider) -> Cup:
        """Change what is planned. Raises `GONE`, `NOT_YOURS`."""

        def decide(cup: Cup) -> Cup:
            if cup.stage is not CupStage.DRAFT or cup.host_id != person.id:
                raise NotInCup(CupProblem.GONE)
            return change(cup)

        return await self._change(cup_id, decide, guild_id)

    async def open(self, cup_id: int, person: Person, guild_id: int) -> Cup:
        """Announce a planned cup. Raises `FeatureOff`, `MAY_NOT_OPEN`, `GONE`, `NOT_PLAYABLE`, `TOO_MANY`."""
        await self._need_opener(person, guild_id)
        now = self._tables.now()

        def decide(cup: Cup) -> Cup:
            if cup.stage is not CupStage.DRAFT or cup.host_id != person.id:
                raise NotInCup(CupProblem.GONE)
            if not cup.plan.is_playable:
                raise NotInCup(CupProblem.NOT_PLAYABLE)
            # What was chosen as a time from the beginning of planning counts from now.
            if cup.plan.is_ladder:
                return begin_month(replace(cup, created_at=now), now)
            starts = None if cup.starts_at is None else now + cup.starts_at - cup.created_at
            return replace(cup, stage=CupStage.OPEN, created_at=now, starts_at=starts)

        async with self._opening.of(guild_id):
            if sum(cup.is_open for cup in await self.of_guild(guild_id)) >= MOST_OPEN:
                raise NotInCup(CupProblem.TOO_MANY)
            return await self._change(cup_id, decide, guild_id)

    # Entering and leaving

    async def enter(
        self, cup_id: int, person: Person, guild_id: int, partner: Person | None = None, outside: str = ""
    ) -> Cup:
        """Let a person enter, late too where that is possible; with a `partner`, who is asked, or who has asked them.

        `outside`: what they are called outside the guild, at tables in direct messages.
        Those who have asked each other are a pair. Raises `Banned`, `GONE`, `CLOSED`, `FULL`,
        `ENTERED`, `NO_PARTNERS`, `NOT_YOURSELF`, `PARTNER_TAKEN`,
        `PARTNER_BARRED`.
        """
        await self._tables.check_ban(guild_id, person.id)
        if partner is not None:
            try:
                await self._tables.check_ban(guild_id, partner.id)
            except Banned:
                raise NotInCup(CupProblem.PARTNER_BARRED) from None

        now = self._tables.now()

        def decide(cup: Cup) -> Cup:
            if not takes_entries(cup):
                raise NotInCup(CupProblem.CLOSED)
            mine = cup.entry_of(person.id)
            if mine is not None and mine.until is not None:
                # Those who were put out for missing tables, or left, do not come back.
                raise NotInCup(CupProblem.CLOSED)
            if partner is None:
                if mine is not None:
                    raise NotInCup(CupProblem.ENTERED)
                return put_entry(cup, make_entry(cup, person, now))
            if cup.plan.format is not Format.PAIRS:
                raise NotInCup(CupProblem.NO_PARTNERS)
            if partner.id == person.id:
                raise NotInCup(CupProblem.NOT_YOURSELF)
            theirs = cup.entry_of(partner.id)
            if any(entry is not None and is_pair(cup.entries, entry) for entry in (mine, theirs)):
                raise NotInCup(CupProblem.PARTNER_TAKEN)
            if mine is None:
                cup = put_entry(cup, mine := make_entry(cup, person, now))
            if theirs is None or theirs.until is not None or theirs.asked != person.id:
                return put_entry(cup, replace(mine, asked=partner.id))
            first, second = (replace(entry, since=max(mine.since, theirs.since)) for entry in (mine, theirs))
            return put_entry(cup, replace(first, partner=second.number), replace(second, partner=first.number))

        entered = await self._change(cup_id, decide, guild_id)
        if outside and entered.plan.in_dms:
            await self._store.members.meet(IN_DMS, {person.id: outside})
        return entered

    async def leave(self, cup_id: int, person: Person, guild_id: int) -> Cup:
        """Let a person leave: at once before the first round, otherwise after the round that is played.

        In a pair, the partner waits for another, where sides can still enter; otherwise the pair is out. Raises `GONE`,
        `NOT_ENTERED`.
        """

        def decide(cup: Cup) -> Cup:
            entry = cup.entry_of(person.id)
            if entry is None or not cup.is_open or entry.until is not None:
                raise NotInCup(CupProblem.NOT_ENTERED)
            if cup.plan.is_ladder:
                # What they have begun by now still counts.
                return put_entry(cup, replace(entry, until=self._tables.now()))
            return drop_entry(cup, entry)

        return await self._change(cup_id, decide, guild_id)

    # Running it

    async def begin_now(self, cup_id: int, person: Person, guild_id: int) -> Cup:
        """Close the entries, so that the first round begins. Raises `NOT_YOURS`, `TOO_FEW`, `NOT_RUNNING`."""
        now = self._tables.now()

        def decide(cup: Cup) -> Cup:
            need_host(cup, person)
            if cup.stage is not CupStage.OPEN:
                raise NotInCup(CupProblem.NOT_RUNNING)
            if not steps.is_enough(cup):
                raise NotInCup(CupProblem.TOO_FEW)
            return replace(cup, starts_at=now)

        return await self._change(cup_id, decide, guild_id)

    async def extend(self, cup_id: int, person: Person, guild_id: int) -> Cup:
        """Give the round that is played a day more; no one who plays in the cup does.

        Raises `NOT_YOURS`, `OWN_CUP`, `NOT_RUNNING`, `LONG_ENOUGH`.
        """

        def decide(cup: Cup) -> Cup:
            need_arbiter(cup, person)
            if cup.stage is not CupStage.RUNNING or cup.plan.is_ladder or cup.rounds[-1].ends_at is None:
                raise NotInCup(CupProblem.NOT_RUNNING)
            ends_at = max(cup.rounds[-1].ends_at, self._tables.now()) + DAY
            if ends_at > self._tables.now() + LONGEST:
                raise NotInCup(CupProblem.LONG_ENOUGH)
            posts = {about: post for about, post in cup.posts.items() if about != steps.to_decide(len(cup.rounds))}
            return put_round(replace(cup, posts=posts), replace(cup.rounds[-1], ends_at=ends_at))

        after = await self._change(cup_id, decide, guild_id)
        await self._log(after, person, "extended")
        return after

    async def repeat(self, cup_id: int, person: Person, guild_id: int, *, again: bool) -> Cup:
        """Let another ladder follow the one that goes on, or none. Raises `NOT_YOURS`, `NOT_RUNNING`."""

        def decide(cup: Cup) -> Cup:
            need_host(cup, person)
            if not cup.is_open or not cup.plan.is_ladder:
                raise NotInCup(CupProblem.NOT_RUNNING)
            return replace(cup, plan=replace(cup.plan, again=again))

        return await self._change(cup_id, decide, guild_id)

    async def cancel(self, cup_id: int, person: Person, guild_id: int, reason: str = "") -> Cup:
        """Cancel a cup; its games end without a winner.

        Once it is played, only a moderator who does not play in it does so, with a `reason`. Raises `NOT_YOURS`,
        `OWN_CUP`, `NO_REASON`, `GONE`.
        """

        def decide(cup: Cup) -> Cup:
            need_host(cup, person)
            if not cup.is_open:
                raise NotInCup(CupProblem.GONE)
            if cup.stage is CupStage.RUNNING:
                need_arbiter(cup, person)
                if Scope.MODERATE_GUILD not in person.moderates:
                    raise NotInCup(CupProblem.NOT_YOURS)
                if not reason:
                    raise NotInCup(CupProblem.NO_REASON)
            return replace(cup, stage=CupStage.CANCELLED, ended_at=self._tables.now(), reason=reason)

        after = await self._change(cup_id, decide, guild_id)
        why: dict[str, Any] = {"reason": reason} if reason else {}
        await self._log(after, person, "cancelled", **why)
        if reason:
            # Players read at their tables who ended them, and why; what fails here ends with the next step.
            moderator = replace(person, moderates=person.moderates | {Scope.MODERATE_TABLE})
            for table_id, status in (await self.games(after)).values():
                if status in (Status.PLAYING, Status.PAUSED):
                    with suppress(TableError):
                        await self._tables.turns.cancel(table_id, moderator, reason)
        return after

    async def decide(self, cup_id: int, person: Person, guild_id: int, game: int, team: int | None) -> Cup:
        """Let a moderator decide a table for a team, or for none.

        Not one at which they play; while its round lasts, none of a cup in which they play. Raises `NOT_YOURS`,
        `OWN_TABLE`, `OWN_CUP`, `DECIDED`.
        """
        cup = await self.get(cup_id, guild_id)
        cup_game = cup.game(game)
        if Scope.MODERATE_GUILD not in person.moderates:
            raise NotInCup(CupProblem.NOT_YOURS)
        games = await self.games(cup)
        if cup_game is None or game not in games or games[game][1] not in (Status.PLAYING, Status.PAUSED):
            raise NotInCup(CupProblem.DECIDED)
        match = cup.rounds[cup_game[0]].matches[cup_game[1]]
        if any(cup.entries[number].user_id == person.id for number in match.players):
            raise NotInCup(CupProblem.OWN_TABLE)
        ends_at, mine = cup.rounds[-1].ends_at, cup.entry_of(person.id)
        if mine is not None and mine.until is None and (ends_at is None or ends_at > self._tables.now()):
            raise NotInCup(CupProblem.OWN_CUP)
        if team is not None and team >= len(match.teams):
            raise NotInCup(CupProblem.DECIDED)
        await self._tables.cup_games.decide(games[game][0], team, CupEnding.MODERATOR)
        await self._log(cup, person, "decided", game_id=games[game][0])
        self.on_change()
        return cup

    # The steps

    async def begin(self, cup: Cup) -> Cup:
        """Draw the next round, once: a round drawn for another state of the cup is not written."""
        drawn = await self._ready(cup)
        first = drawn.sides(1) if drawn.rounds else None
        sides = drawn.sides(len(drawn.rounds) + 1)
        matches, byes = await self._pools.draw(pair, drawn.plan, drawn.seed, sides, drawn.rounds, first)
        return await self._store.cups.change(cup, add_round(drawn, matches, byes))

    async def _ready(self, cup: Cup) -> Cup:
        """Return the cup without those who may not go on, and before the first round with its seed and all pairs."""
        cup = await self._without_banned(cup)
        if not cup.rounds:
            cup = replace(cup, seed=self._draw_seed())
        return pair_up(cup) if cup.plan.format is Format.PAIRS else cup

    async def _without_banned(self, cup: Cup) -> Cup:
        """Return the cup without those who were banned or forgotten."""
        banned = {ban.user_id for ban in await self._store.guilds.bans(cup.guild_id)}
        for entry in cup.entries.values():
            # Those who were forgotten have a number below zero.
            if entry.until is None and (entry.user_id < 0 or entry.user_id in banned):
                cup = drop_entry(cup, entry)
        return cup

    async def open_game(self, cup: Cup, game: int) -> Table:
        """Return the table of a game, which waits to be begun; opened once.

        It is in direct messages if the cup's are, and none of its players is known to accept none.
        """
        people = occupants_of(cup, game)
        in_dms = cup.plan.in_dms and not await self.find_closed([who.user_id for who in people.values()])
        place = (IN_DMS, IN_DMS) if in_dms else (cup.guild_id, cup.channel_id)
        table_id = await self._tables.cup_games.open(cup.id, game, *place, cup.plan.terms, people, cup.plan.cap)
        return await self._tables.get(table_id)

    async def find_closed(self, users: Iterable[int | None]) -> list[int]:
        """Return those of these people who are known to accept no direct messages."""
        prefers = await self._tables.users.several(user for user in users if user is not None)
        return [user for user, each in prefers.items() if each.dm_closed_at is not None]

    async def begin_game(self, cup: Cup, game: int, table: Table, channel_id: int, parent_id: int | None) -> Table:
        """Deal a game in its place, once."""
        return await self._tables.cup_games.begin(table.id, occupants_of(cup, game), channel_id, parent_id)

    async def note_outcome(self, cup: Cup, game: int, table_id: int) -> Cup:
        """Note how a game has ended, once; a match that is still open gets another game, if its round goes on."""
        after = add_outcome(cup, game, await self._tables.cup_games.find_end(table_id), self._tables.now())
        return cup if after == cup else await self._store.cups.change(cup, after)

    async def decide_overdue(self, cup: Cup, table_id: int) -> None:
        """Decide a game whose round is over as the plan says; of a cup that has ended, for no one."""
        if not cup.is_open:
            await self._tables.cup_games.decide(table_id, None, CupEnding.CANCELLED)
        elif cup.plan.overdue is Overdue.COMPUTERS:
            await self._tables.cup_games.play_out(table_id)
        else:
            await self._tables.cup_games.decide_by_pieces(table_id)

    async def finish(self, cup: Cup, *, cancelled: bool, is_placed: bool = True) -> Cup:
        """End a cup; its players keep the places that they have then.

        A ladder in which too few have played counts as cancelled. With any other, the next one opens if one is to
        follow: its host is still there, its channel is too (`is_placed`), and the guild has not switched cups off.
        """
        lines = [] if cancelled else await self.standings(cup)
        if cup.plan.is_ladder and len(lines) < FEWEST:
            cancelled = True
        stage = CupStage.CANCELLED if cancelled else CupStage.OVER
        ended = replace(cup, stage=stage, ended_at=self._tables.now())
        if cancelled:
            return await self._store.cups.change(cup, ended)
        off = (await self._tables.moderation.guild(cup.guild_id)).off
        wanted = cup.plan.is_ladder and cup.plan.again and is_placed
        follows = wanted and cup.host_id > 0 and Feature.CUPS not in off
        following = next_month(await self._without_banned(cup), self._tables.now()) if follows else None
        return await self._store.cups.change(cup, give_places(ended, lines), following)

    async def write_post(self, cup: Cup, about: str, post: CupPost) -> Cup:
        """Write down a post before it is sent, or that it is there; with the first round's, its time begins."""
        after = replace(cup, posts={**cup.posts, about: post})
        length = cup.plan.length
        if about == steps.of_round(len(cup.rounds)) and about not in cup.posts and length is not None:
            after = put_round(after, replace(after.rounds[-1], ends_at=post.at + length))
        return await self._store.cups.change(cup, after)

    async def skip(self, seconds: int) -> None:
        """Let the rounds that are played last longer by the time in which the bot was down."""
        if not seconds:
            return
        for cup in await self.at_work():
            # A ladder ends with its month.
            if cup.stage is CupStage.RUNNING and not cup.plan.is_ladder and cup.rounds[-1].ends_at is not None:
                later = replace(cup.rounds[-1], ends_at=cup.rounds[-1].ends_at + seconds)
                with suppress(Conflict):
                    await self._store.cups.change(cup, put_round(cup, later))

    async def give_back(self, table: Table, begun: int) -> None:
        """Let the round of a table last longer by the time since `begun`, in which Discord refused what it says.

        Time in which several tables of a cup waited for Discord is given back once.
        """
        if table.cup_id is None:
            return
        now = self._tables.now()
        seconds = now - max(begun, self._given_back.get(table.cup_id, 0))
        self._given_back[table.cup_id] = now

        def decide(cup: Cup) -> Cup:
            if seconds <= 0 or cup.stage is not CupStage.RUNNING or cup.rounds[-1].ends_at is None:
                return cup
            return put_round(cup, replace(cup.rounds[-1], ends_at=cup.rounds[-1].ends_at + seconds))

        await self._change(table.cup_id, decide, None)

    async def unsay(self, cup: Cup, abouts: Collection[str]) -> Cup:
        """Let a cup say these things once more. Raises `GONE`."""
        now = self._tables.now()

        def decide(cup: Cup) -> Cup:
            unsaid = [about for about in abouts if about in cup.posts and not cup.posts[about].message_id]
            again = {about: CupPost(secrets.token_hex(12), now) for about in unsaid}
            return replace(cup, posts={**cup.posts, **again}) if again else cup

        return await self._change(cup.id, decide, cup.guild_id)

    # How changes are made

    async def _change(self, cup_id: int, decide: Decider, guild_id: int | None) -> Cup:
        async def once() -> Cup:
            before = await self.get(cup_id, guild_id)
            return await self._store.cups.change(before, decide(before))

        changed = await try_again(once)
        self.on_change()
        return changed

    async def _need_opener(self, person: Person, guild_id: int) -> None:
        """Raise `FeatureOff` or `MAY_NOT_OPEN` unless a member may open cups here."""
        settings = await self._tables.moderation.guild(guild_id)
        rights.need_allowed(rights.Deed.OPEN_CUP, person, settings)
        if not _may_open(person, settings):
            raise NotInCup(CupProblem.MAY_NOT_OPEN)
        await self._tables.check_ban(guild_id, person.id)

    async def _log(self, cup: Cup, person: Person, what: str, game_id: int | None = None, **more: Any) -> None:
        """Write to the guild's log what a person did to a cup."""
        data = {"cup": cup.name, **more}
        entry = LogEntry(cup.guild_id, self._tables.now(), f"cup_{what}", person.id, game_id=game_id, data=data)
        await self._store.guilds.write_log(entry)


def _may_open(person: Person, settings: GuildSettings) -> bool:
    by_role = settings.cup_role is not None and settings.cup_role in person.roles
    return Feature.CUPS not in settings.off and (Scope.MODERATE_GUILD in person.moderates or by_role)
