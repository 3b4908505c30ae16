"""Carrying out the steps of cups: their posts, the threads of their tables, draws and decisions.

What a post says follows from the cup, and its row is written before it is sent. Before a thread is opened, it is looked
for by its name. So every step can be done again, and nothing is said twice.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

import discord

from bot.cup import Cup, CupEntry, CupPost
from bot.cups import steps
from bot.cups.service import Cups
from bot.cups.standings import Standing
from bot.delivery.first_letters import FirstLetters
from bot.delivery.lost_posts import find_thread
from bot.delivery.posting import Doubt, Poster
from bot.delivery.sending import TROUBLE, allow_mentions, is_temporary, open_dm, open_thread
from bot.delivery.unix_time import now
from bot.errors import Conflict, NotInCup, StorageError
from bot.languages import Language, language_for
from bot.message import Why
from bot.showing import cup_panels
from bot.showing.components import view_of
from bot.showing.emojis import dress
from bot.showing.panels import Panel, Reply
from bot.showing.pictures import Pictures
from bot.table import IN_DMS, OPEN, Lost, Status, Table
from bot.tables.scheduler import Scheduler
from bot.tables.service import Tables
from bot.tasks import Runs
from bot.texts import cups as texts
from bot.texts.markup import ALT_LIMIT, fit, plain, unmarked
from render.standings import Placed, poster_png, standings_png

log = logging.getLogger("bot.delivery")

PATIENCE = 5.0
"""Seconds for which a look at all cups waits for their steps."""

MOST_STEPS = 1_000
"""The most steps of one cup in a row; the next look goes on."""


class CupRunner:
    """Does what the cups of our guilds have to do: now, when something changes, and when time brings it."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        cups: Cups,
        pictures: Pictures,
        reaches: Callable[[int, int], Awaitable[object]],
        first_letters: FirstLetters,
    ) -> None:
        """Take what the bot has; `reaches` waits for what is written to a player about a table."""
        self._reaches, self._first_letters = reaches, first_letters
        self._client, self._tables, self._cups, self._pictures = client, tables, cups, pictures
        self._scheduler = Scheduler(now, self._next_due, self.work, self._jumped)
        # A cup that waits for Discord keeps no other from going on.
        self._advancing = Runs[int](self._advance, "cup")
        self._refreshing = Runs[int](self._refresh, "the announcement of cup")
        self._poster: Poster[tuple[int, str]] = Poster(client, Why.CUP)

    def start(self) -> None:
        """Begin; whatever is to be done already is done at once."""
        self._scheduler.start()

    def poke(self) -> None:
        """Look soon at what is to be done."""
        self._scheduler.poke(0.0)

    async def close(self) -> None:
        """Begin no further step."""
        await self._scheduler.close()
        self._advancing.drop()
        self._refreshing.drop()
        if tasks := [*self._advancing.tasks.values(), *self._refreshing.tasks.values()]:
            _done, late = await asyncio.wait(tasks, timeout=PATIENCE)
            for task in late:
                task.cancel()

    def refused(self, cup: Cup) -> Lost | None:
        """Return why Discord has refused a post of a cup for good; None if it has not, as far as is known."""
        return next((why for (cup_id, _), (_, why) in self._poster.refused.items() if cup_id == cup.id), None)

    async def try_again(self, cup: Cup) -> None:
        """Post once more what Discord has refused for good: something may have changed."""
        refused = [key for key in self._poster.refused if key[0] == cup.id]
        if not refused:
            return
        for key in refused:
            del self._poster.refused[key]
        with suppress(NotInCup, Conflict):
            await self._cups.unsay(cup, [about for _, about in refused])
        self.poke()

    async def look(self, guild_id: int, _channel_id: int | None) -> None:
        """Try again what was refused in a guild where permissions or channels have changed."""
        for cup_id in {cup_id for cup_id, _ in self._poster.refused}:
            with suppress(NotInCup):
                await self.try_again(await self._cups.get(cup_id, guild_id))

    def refresh(self, cup: Cup) -> None:
        """Show in the announcement who has entered."""
        self._refreshing.begin(cup.id)

    async def ask_partner(self, cup: Cup, asker: CupEntry, user_id: int) -> bool:
        """Ask a member in the cup's channel to be a player's partner; False if that cannot be posted."""
        language = self._language(cup)
        reply = Reply(texts.question(language, cup, asker, user_id), cup_panels.asked(language, cup, asker, user_id))
        where, nonce = (cup.guild_id, cup.channel_id), secrets.token_hex(12)
        try:
            return await self._poster.post(None, where, reply, nonce, "cup partner", ping=[user_id]) is not None
        except TROUBLE as error:
            log.info("cup %s: the question for a partner is not posted: %s", cup.id, error)
            return False

    async def places(self, cup: Cup, player: int | None = None) -> Mapping[int, int]:
        """Return the channels of the games that are played, by their numbers; `player`: of this one's alone."""
        matches = cup.rounds[-1].matches if cup.rounds else ()
        playing = {game for match in matches if player is None or player in match.players for game in match.games}
        places_of = {}
        for number, (table_id, status) in (await self._cups.games(cup)).items():
            if number in playing and status is not Status.LOBBY:
                places_of[number] = (await self._tables.get_without_game(table_id)).channel_id
        return places_of

    # The steps

    async def _jumped(self, _now: float) -> None:
        """Do nothing special if the clock was put back: what is due is looked for again."""

    async def _next_due(self) -> int | None:
        moment = int(now())
        due = []
        for cup in await self._cups.at_work():
            if self._client.get_guild(cup.guild_id) is None:
                continue
            if await self._step_of(cup) is not None:
                return moment
            due.append(steps.due_at(cup, moment))
        return min((at for at in due if at is not None), default=None)

    async def _step_of(self, cup: Cup) -> steps.Step | None:
        games = await self._cups.games(cup)
        return steps.next_step(cup, {number: status for number, (_, status) in games.items()}, int(now()))

    async def work(self) -> None:
        """Do what is to be done now, while Discord is quick; what it refuses for the moment is tried again later."""
        for cup in await self._cups.at_work():
            if self._client.get_guild(cup.guild_id) is not None and not self._scheduler.closed:
                self._advancing.begin(cup.id)
        if tasks := [*self._advancing.tasks.values()]:
            done, _others = await asyncio.wait(tasks, timeout=PATIENCE)
            for task in done:
                task.result()

    async def _advance(self, cup_id: int) -> None:
        """Do one step of a cup after another."""
        try:
            for _ in range(MOST_STEPS):
                cup = await self._cups.get(cup_id)
                step = await self._step_of(cup)
                if step is None or self._scheduler.closed or await self._has_to_wait(cup, step):
                    return
                await self._do(cup, step)
        except Conflict:
            # Another was faster; the next look finds what is left.
            self.poke()
        except (StorageError, *TROUBLE) as problem:
            log.warning("cup %s goes on later: %s", cup_id, problem)
        except Exception:
            log.exception("a step of cup %s failed", cup_id)

    async def _has_to_wait(self, cup: Cup, step: steps.Step) -> bool:
        """Return True for a round that ends while Discord refuses a table of the cup: its players could not play."""
        deciding = isinstance(step, steps.Decide) and cup.is_open
        games = (await self._cups.games(cup)).values() if deciding else ()
        return any(self._tables.deadlines.is_stalled(table_id) for table_id, status in games if status in OPEN)

    async def _do(self, cup: Cup, step: steps.Step) -> None:
        match step:
            case steps.SayOnce(about, game):
                await self._say(cup, about, game)
            case steps.Begin():
                await self._cups.begin(cup)
                self.refresh(cup)
            case steps.Open(game):
                await self._open(cup, game)
            case steps.NoteOutcome(game):
                table_id, _ = (await self._cups.games(cup))[game]
                await self._cups.note_outcome(cup, game, table_id)
            case steps.Decide(game):
                table_id, _ = (await self._cups.games(cup))[game]
                await self._cups.decide_overdue(cup, table_id)
            case steps.Finish(cancelled):
                await self._cups.finish(cup, cancelled=cancelled, is_placed=self._is_placed(cup))
                self.refresh(cup)

    def _is_placed(self, cup: Cup) -> bool:
        """Return True if a cup has its channel, as far as is known."""
        guild = self._client.get_guild(cup.guild_id)
        return guild is None or guild.get_channel(cup.channel_id) is not None or guild.unavailable

    async def _open(self, cup: Cup, game: int) -> None:
        """Open a game in direct messages, or a thread of its own; in the channel itself if there can be none."""
        table = await self._cups.open_game(cup, game)
        if table.in_dms:
            await self._cups.begin_game(cup, game, table, IN_DMS, None)
            return
        thread = await self._thread(cup, game, table)
        place, parent = (cup.channel_id, None) if thread is None else (thread.id, cup.channel_id)
        await self._cups.begin_game(cup, game, table, place, parent)

    async def _thread(self, cup: Cup, game: int, table: Table) -> discord.Thread | None:
        """Return the thread of a table: that which was opened for it, or a new one; None if there can be none."""
        guild = self._client.get_guild(cup.guild_id)
        channel = None if guild is None else guild.get_channel(cup.channel_id)
        if not isinstance(channel, discord.TextChannel):
            return None
        name = texts.thread_name(cup, game, table.code)
        if (thread := await find_thread(channel, name)) is not None:
            return thread
        try:
            return await open_thread(channel, name)
        except discord.HTTPException as error:
            if is_temporary(error):
                raise
            log.warning("cup %s: table %s gets no thread: %s", cup.id, table.id, error)
            return None

    # Posts

    async def _say(self, cup: Cup, about: str, game: int | None) -> None:
        """Post something once. Raises what Discord does if it has to be tried again."""
        channel_id = cup.channel_id
        if game is not None:
            table_id, _ = (await self._cups.games(cup))[game]
            table = await self._tables.get_without_game(table_id)
            if table.in_dms and not await self._unreached(table):
                # Their first letters have told them.
                await self._cups.write_post(cup, about, CupPost("", int(now()), 0))
                return
            channel_id = table.channel_id or cup.channel_id
        post = cup.posts.get(about)
        if post is None:
            post = CupPost(secrets.token_hex(12), int(now()))
            cup = await self._cups.write_post(cup, about, post)
        # The ladder before has the same name.
        others = await self._cups.of_guild(cup.guild_id)
        known = {other.message_id for each in (cup, *others) for other in each.posts.values()}
        doubt = Doubt(post.at, lambda text: plain(cup.name) in plain(text), known)
        reply, ping = await self._compose(cup, about, game)
        # Players of a game are told by its table, like those of any other.
        key = None if game is not None else (cup.id, about)
        where, what = (cup.guild_id, channel_id), f"cup {about.split()[0]}"
        sent = await self._poster.post(key, where, reply, post.nonce, what, doubt=doubt, ping=ping)
        if key is not None and (refused := self._poster.refused.get(key)) is not None:
            await self._tell_host(cup, refused[1])
        await self._cups.write_post(cup, about, CupPost(post.nonce, post.at, 0 if sent is None else sent.id))

    async def _tell_host(self, cup: Cup, reason: Lost) -> None:
        """Tell the host of a cup directly what its channel cannot show."""
        prefers = await self._tables.users.preferences(cup.host_id)
        if prefers.dm_id is None:
            await self._first_letters.take()
        language = language_for(prefers.spoken(cup.plan.terms.locale))
        try:
            direct = await open_dm(self._client, prefers)
            await direct.send(dress(texts.not_posted(language, cup, reason)))
        except TROUBLE as error:
            log.info("cup %s: its host is not reached: %s", cup.id, error)

    async def _compose(self, cup: Cup, about: str, game: int | None) -> tuple[Reply, list[int]]:
        """Return what a post says, and whom it pings."""
        language = self._language(cup)
        if about == steps.OPENED:
            return await self._announcement(cup, language), []
        if about == steps.END:
            cup = await self._cups.played(cup)
            lines = await self._cups.standings(cup)
            return await self._with_standings(cup, lines, language, texts.ended(language, cup, lines), None), []
        if about == steps.to_decide(len(cup.rounds)):
            return Reply(texts.to_decide(language, cup)), [cup.host_id]
        if game is not None:
            cup_game = cup.game(game)
            assert cup_game is not None, "a game belongs to a round"
            table_id, _ = (await self._cups.games(cup))[game]
            table = await self._tables.get_without_game(table_id)
            if table.in_dms:
                # All are named, so that the channel does not read who accepts no direct messages.
                return Reply(texts.out_of_reach(language, cup, table)), await self._unreached(table)
            ping = await self._uncalled(cup, game)
            return Reply(texts.in_thread(language, cup, cup.rounds[cup_game[0]].matches[cup_game[1]], ping)), ping
        text = texts.round_begins(language, cup, await self.places(cup))
        panel = cup_panels.announced(language, cup)
        if len(cup.rounds) == 1:
            return Reply(text, panel), []
        return await self._with_standings(cup, await self._cups.standings(cup), language, text, panel), []

    async def _unreached(self, table: Table) -> list[int]:
        """Return the players of a table in direct messages whom its first letters did not reach."""
        await self._tables.settled(table.id)
        for user in table.owners:
            await self._reaches(table.id, user)
        return await self._cups.find_closed(table.owners)

    async def _uncalled(self, cup: Cup, game: int) -> list[int]:
        """Return the players of a game who want pings, and whom its board has not called."""
        table_id, _ = (await self._cups.games(cup))[game]
        table = await self._tables.get(table_id)
        rows = await self._tables.log(table_id)
        called = {*table.waiting_for.values(), *(row.actor for row in rows)}
        prefers = await self._tables.users.several(table.owners)
        return [user for user in table.owners if user not in called and prefers[user].wants_channel_ping]

    async def _announcement(self, cup: Cup, language: Language) -> Reply:
        lines = texts.poster(language, cup)
        picture = await self._pictures.draw(poster_png, plain(cup.name), lines, cup.plan.terms.theme)
        alt = fit([cup.name, *lines], ALT_LIMIT)
        return Reply(texts.opened(language, cup), cup_panels.announced(language, cup), picture, alt)

    async def _with_standings(
        self, cup: Cup, lines: Sequence[Standing], language: Language, told: str, panel: Panel | None
    ) -> Reply:
        if not lines or not any(match.outcomes for round in cup.rounds for match in round.matches):
            return Reply(told, panel)
        picture, alt = await self.standings(cup, lines, language, cup.plan.terms.theme)
        return Reply(told, panel, picture, alt)

    async def standings(self, cup: Cup, lines: Sequence[Standing], language: Language, theme: str) -> tuple[bytes, str]:
        """Return the picture of a cup's standings, and its words."""
        placed = [
            Placed(line.place, texts.side_name(language, cup, line.side), texts.figures(language, cup, line))
            for line in lines[: texts.MOST_LINES]
        ]
        title, heads = texts.standings_title(language, cup), texts.heads(language, cup)
        picture = await self._pictures.draw(standings_png, placed, title, heads, theme)
        return picture, fit(unmarked(texts.standings(language, cup, lines)).split("\n"), ALT_LIMIT)

    async def _refresh(self, cup_id: int) -> None:
        """Edit the announcement; if that fails, it stays as it is."""
        try:
            cup = await self._cups.get(cup_id)
            post = cup.posts.get(steps.OPENED)
            if post is None or not post.message_id:
                return
            language = self._language(cup)
            message = self._client.get_partial_messageable(cup.channel_id).get_partial_message(post.message_id)
            text, view = dress(texts.opened(language, cup)), view_of(cup_panels.announced(language, cup))
            await message.edit(content=text, view=view, allowed_mentions=allow_mentions(()))
        except (StorageError, *TROUBLE) as error:
            log.info("cup %s: its announcement stays as it is: %s", cup_id, error)

    def _language(self, cup: Cup) -> Language:
        return language_for(cup.plan.terms.locale)
