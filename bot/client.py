"""The running bot: one object owns the store, the tables, the pictures and the delivery, and talks to Discord."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot import metrics
from bot.cups.service import Cups
from bot.delivery.cup_runner import CupRunner
from bot.delivery.daily import DailyPuzzle
from bot.delivery.delivery import Delivery
from bot.delivery.log_channel import LogChannel
from bot.delivery.members import Members
from bot.delivery.unix_time import now
from bot.delivery.watching import PlaceWatch
from bot.errors import StorageError, TableError
from bot.languages import learn_commands, read_all
from bot.languages.commands import CatalogueTranslator
from bot.limits import Limits
from bot.pools import Pools
from bot.proxies import Proxies
from bot.settings import Settings
from bot.showing import emojis
from bot.showing.pictures import Pictures
from bot.storage import Store
from bot.storage.faults import Fault
from bot.surroundings import Surroundings
from bot.tables.service import Tables
from bot.tasks import Background

log = logging.getLogger(__name__)

WAKE_AGAIN = 60
"""Seconds until the open tables are looked at again if that failed at the start."""

COMMANDS_AGAIN = 60
"""Seconds after which a process that does not send the commands asks again whether they have been sent."""

ANSWERING = ("discord.py: on_interaction", "CommandTree-invoker")
"""Discord.py's names for the tasks in which presses and commands are answered."""

ANSWERS_FINISH = 1.0
"""Seconds for which a stop waits for answers that are under way."""

POSTS_FINISH = 1.5
"""Seconds for which it then waits for boards being posted; the next start finds those that take longer."""

HANG_UP = 0.7
"""Seconds that Discord then has to say goodbye."""

BLOCKED = "blocked"
"""The key of the blocked users and servers in the store."""

FOLLOW_AGAIN = 60
"""Seconds between two polls for what an operator has decided, perhaps through another process."""

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    create_public_threads=True,
)
"""The permissions that the bot needs in a channel where it plays; the invite link asks for exactly these."""


class DogBot(commands.AutoShardedBot):
    """The DOG bot; `setup_hook` opens everything, `close` shuts everything down in order.

    The settings need no token. `draw_secret` supplies the 32 bytes from which a game's shuffles follow; tests pass
    their own. `pools`: where pictures are drawn; by default in threads. `tree_cls` and `add_cogs`: what
    serves commands and presses (see `bot.program.make_bot`).
    """

    def __init__(
        self,
        settings: Settings,
        *,
        draw_secret: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        pools: Pools | None = None,
        tree_cls: type[app_commands.CommandTree[Any]] = app_commands.CommandTree,
        add_cogs: Callable[[DogBot], Awaitable[None]] | None = None,
    ) -> None:
        self.settings = settings
        self.serving = settings.shards
        self.store = Store(settings.database_url, self.serving)
        self.surroundings = Surroundings(self.store)
        trace = metrics.trace_requests()
        trace.on_request_end.append(self.surroundings.compare_clocks)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=tree_cls,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=30,
            http_trace=trace,
            **settings.proxies.options(api_host()),
            # None: as many as Discord recommends.
            shard_count=settings.shard_count,
            shard_ids=sorted(settings.shard_ids) or None,  # type: ignore[arg-type]
        )
        self.http.request = _counting(self.http.request)  # type: ignore[method-assign]
        self.http.ws_connect = _gateway(self.http, settings.proxies)  # type: ignore[method-assign]
        self._add_cogs = add_cogs
        self.limits = Limits()
        self.pools = pools or Pools()
        self.tables = Tables(
            self.store,
            clock=now,
            draw_secret=draw_secret,
            cache_games=settings.cache_games,
            pools=self.pools,
            shards=self.serving,
        )
        self.pictures = Pictures(self.pools.draw)
        self.members = Members(self, self.tables)
        self.places = PlaceWatch(self, self.tables)
        self.delivery = Delivery(self, self.tables, self.pictures, self.members, self.places, self._catch_up)
        self.blocked: frozenset[int] = frozenset()
        """The users and servers that may not use the bot."""
        self._tries = False
        """True while it is tried whether the database can be written again."""
        self.since = discord.utils.utcnow()
        self.cups = Cups(self.store, self.tables, self.pools, draw_secret)
        reaches, first_letters = self.delivery.letters.arrive, self.delivery.first_letters
        self.cup_runner = CupRunner(self, self.tables, self.cups, self.pictures, reaches, first_letters)
        self.daily = DailyPuzzle(self, self.tables, self.pictures, self.places)
        self.log_channel = LogChannel(self, self.tables, self.places)
        self.awake = False
        """True once everything that was open at the start has been looked at."""
        self._background = Background()

    def _connect(self) -> None:
        """Let the parts tell each other what happens: the database, the service, cups, and what is posted."""
        self.store.on_fault = self._on_fault
        self.store.on_logged = self.log_channel.poke
        self.store.locks.on_change = self._changed_elsewhere
        self.store.locks.on_forgotten = self.tables.privacy.forgotten
        self.store.locks.on_gap = self._may_have_missed_changes
        self.tables.aftermath.deliver = self.delivery.deliver
        self.tables.on_change(self.cups.note_change)
        self.tables.deadlines.on_refused = self.cups.give_back
        self.tables.moderation.on_log_ended = self.log_channel.tell_end
        self.cups.on_change = self.cup_runner.poke
        self.members.on_unseen = self.delivery.once.tell_unseeing
        self.places.on_look += [self.cup_runner.look, self.daily.look, self.log_channel.look]

    async def launch_shards(self) -> None:
        """Connect, unless Discord allows too few more logins: beyond them it would take the token away."""
        _, _, limit = await self.http.get_bot_gateway()
        if limit["remaining"] < max(1, len(self.settings.shard_ids)):
            raise discord.RateLimited(limit["reset_after"] / 1000)
        await super().launch_shards()

    async def setup_hook(self) -> None:
        """Open the store, load the commands, tell Discord about them if they changed, and wake the open tables."""
        self.pools.begin()
        if not self.store.opened:
            await self.store.open()
        self._connect()
        if self._add_cogs is not None:
            await self._add_cogs(self)
        read_all()
        await self.tree.set_translator(CatalogueTranslator())
        if not await self._sync_commands():
            self._background.begin(self._learn_commands(), "learn the ids of the commands")
        if self.application_id is not None:
            for line in self._welcome(self.application_id) if self.store.is_new else ():
                log.info(line)
            if not self.store.is_new:
                log.info("invite the bot to a server: %s", invite_link(self.application_id))
        self._background.begin(self._wake(), "wake open tables")
        bringing = emojis.bring(self, self.pools, uploads=self.serving.serves(None))
        self._background.begin(bringing, "bring the emojis")
        self._background.begin(self.store.watch(self._sweep), "watch the database")
        self._background.begin(self._obey_orders(), "obey what an operator has decided")
        self._background.begin(self._post_daily(), "post the puzzle of the day")

    @property
    def invite_link(self) -> str:
        """The address where a server's owner adds this bot."""
        return invite_link(self.application_id or 0)

    def _welcome(self, application_id: int) -> tuple[str, ...]:
        """Return the lines of the first start: what was done, and what to do next."""
        return (
            f"Welcome. This is the first start here: from now on all games are kept in {self.store.where}.",
            f"Discord has let the bot in as {application_id}.",
            f"Invite it to a server: {invite_link(application_id)}",
            "There, type /dog new in a channel, press Add computers, then Start.",
            "Ctrl+C stops the bot at any time; games wait, and go on at the next start.",
            "dog-bot check says whether anything is missing; dog-bot backup FILE keeps a copy of all games.",
        )

    def set_blocked(self, ids: frozenset[int]) -> None:
        """Block these users and servers, and no others; leave the servers."""
        self.blocked = ids
        if self.awake:
            self._background.begin(self.leave_unwanted(), "leave servers")

    async def leave_unwanted(self) -> None:
        """Leave the servers that the operator has blocked, or has not allowed."""
        allowed = self.settings.allowed_guilds
        for guild in self.guilds:
            if guild.id in self.blocked or (allowed and guild.id not in allowed):
                why = "blocked" if guild.id in self.blocked else "not in ALLOWED_GUILDS"
                log.warning("server %s is %s: leaving it", guild.id, why)
                try:
                    await guild.leave()
                except discord.HTTPException as problem:
                    log.warning("server %s could not be left: %s", guild.id, problem)

    async def _obey_orders(self) -> None:
        """Poll for operator blocks and announcements, which may come through other processes."""
        last = None
        while True:
            with suppress(StorageError):
                self.set_blocked(frozenset(await blocked_in(self.store)))
                announced = await self.tables.moderation.obey_announcement()
                if announced is not None and announced != last:
                    log.warning("no time runs until `dog-bot announce --over`; boards say: %s", announced)
                last = announced
            if not self.store.shared:
                return
            await asyncio.sleep(FOLLOW_AGAIN)

    def _on_fault(self, fault: Fault | None) -> None:
        """Try again while the database cannot be written; look at every table once it can: boards may be late."""
        if fault is None:
            self._look_again()
        elif not self._tries:
            self._tries = True
            self._background.begin(self._try_database(), "try whether the database can be written")

    async def _try_database(self) -> None:
        try:
            await self.store.try_while_faulty()
        finally:
            self._tries = False

    def _look_again(self) -> None:
        if self.awake:
            self._background.begin(self._wake(), "wake open tables again")

    def _catch_up(self, table_ids: Collection[int]) -> None:
        """Show these tables, now that Discord is back."""
        self._background.begin(self.tables.touch_in_turn(table_ids), "catch up after an outage")

    def _changed_elsewhere(self, table_id: int) -> None:
        """Look at a table of this process that another one has changed."""
        self.tables.mark_outdated(table_id)
        if self.awake:
            self._background.begin(self._see_to(table_id), f"see to table {table_id}, changed elsewhere")

    def _may_have_missed_changes(self) -> None:
        """Look at all tables again: changes by other processes may have been missed."""
        self.tables.mark_outdated()
        self._look_again()

    async def _see_to(self, table_id: int) -> None:
        try:
            table = await self.tables.follow_up(table_id)
            self.log_channel.poke(table.guild_id)
        except (StorageError, TableError) as problem:
            log.error("table %s: %s", table_id, problem)

    async def _wake(self) -> None:
        """Look at everything that is open; if the database fails, try again until it succeeds."""
        await self.wait_until_ready()
        while True:
            try:
                await self.tables.wake()
                for guild_id in await self.tables.places.guilds_played_in():
                    await self.places.look(guild_id)
                if not self.awake:
                    await self.cups.skip(self.tables.deadlines.down_for)
            except Exception:
                log.exception("waking the open tables failed; again in %s s", WAKE_AGAIN)
                await asyncio.sleep(WAKE_AGAIN)
            else:
                if not self.awake:
                    self.awake = True
                    await self._say_ready()
                self.cup_runner.start()
                await self.log_channel.begin()
                return

    async def _say_ready(self) -> None:
        """Log what is served from now on, and leave the servers where the bot is not wanted."""
        tables = len(await self.store.games.open_ids())
        name, version = self.user or "the bot", metrics.version_of_the_bot()
        log.info("ready: version %s as %s, servers: %s, open tables: %s", version, name, len(self.guilds), tables)
        await self.leave_unwanted()

    async def _sweep(self) -> None:
        """Delete what is no longer kept, once it is known in which servers the bot is."""
        if self.awake:
            await self.tables.privacy.sweep(self.settings.keep_days, lambda guild_id: bool(self.get_guild(guild_id)))

    async def _post_daily(self) -> None:
        """Post the puzzle of each day, once the bot knows its guilds."""
        await self.wait_until_ready()
        await self.daily.run()

    async def _learn_commands(self) -> None:
        """Keep asking until the responsible process has sent the commands to Discord."""
        while True:
            await asyncio.sleep(COMMANDS_AGAIN)
            try:
                if await self._sync_commands():
                    return
            except (StorageError, discord.HTTPException) as problem:
                log.info("the ids of the commands are not known yet: %s", type(problem).__name__)

    async def _sync_commands(self) -> bool:
        """Send the commands to Discord, but only if they differ from those sent last (200 creates a day per guild).

        Of several processes, only the one with shard 0 sends them; returns False while it has not sent ours yet, so
        that texts write commands as they are typed.
        """
        guilds: list[discord.Object | None] = [discord.Object(guild) for guild in self.settings.guild_ids]
        for guild in guilds or [None]:
            if guild is not None:
                self.tree.copy_global_to(guild=guild)
            ours = self.tree.get_commands(guild=guild)
            payload = [await command.get_translated_payload(self.tree, CatalogueTranslator()) for command in ours]
            digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
            scope = f"commands:{'global' if guild is None else guild.id}"
            known = await self.tree.fetch_commands(guild=guild) if await self.store.recall(scope) == digest else []
            if not known and not self.serving.serves(None):
                return False
            if not known:
                known = await self.tree.sync(guild=guild)
                await self.store.remember(scope, digest)
                log.info("commands sent to Discord (%s)", scope)
            # In several guilds the same command has several ids, so texts write it as it is typed.
            learn_commands({command.name: command.id for command in known} if len(guilds) < 2 else {})
        return True

    async def _finish_answers(self) -> None:
        """Wait for answers that are under way while there still is a connection; what takes longer is abandoned."""
        answering = {task for task in asyncio.all_tasks() if task.get_name().startswith(ANSWERING)}
        answering.discard(asyncio.current_task())
        if not answering:
            return
        _, late = await asyncio.wait(answering, timeout=ANSWERS_FINISH)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=ANSWERS_FINISH)

    async def close(self) -> None:
        """Stop in order: no more posts, commits finished, store closed, connection closed. May be called twice."""
        self.limits.close()
        self._background.close()
        await self._finish_answers()
        self.delivery.close()
        self.daily.close()
        self.log_channel.close()
        await self.cup_runner.close()
        self.members.close()
        await self.tables.close(POSTS_FINISH)
        await self.store.close()
        self.pools.close()
        await self._hang_up()

    async def _hang_up(self) -> None:
        """Close the connections, with a goodbye if Discord answers."""
        try:
            async with asyncio.timeout(HANG_UP):
                await super().close()
        except TimeoutError:
            log.info("Discord does not answer the goodbye")
            await self.http.close()


async def blocked_in(store: Store) -> dict[int, str]:
    """Return the reasons why users and servers are blocked, by their ids."""
    kept = json.loads(await store.recall(BLOCKED) or "{}")
    return {int(blocked): why for blocked, why in kept.items()}


def _counting(request: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Wrap the method that makes requests, to count what Discord refuses."""

    async def counted(*words: Any, **named: Any) -> Any:
        try:
            return await request(*words, **named)
        except discord.HTTPException as error:
            emojis.forget_refused(error)
            metrics.count_refusal(error.code or error.status)
            raise

    return counted


def _gateway(http: discord.http.HTTPClient, proxies: Proxies) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Return a method that connects to the gateway, through the proxy only if that serves the gateway's host."""

    async def connect(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        options = proxies.options(urlsplit(str(url)).hostname or "")
        # discord.py has one proxy for all hosts.
        there = copy.copy(http)
        there.proxy, there.proxy_auth = options.get("proxy"), options.get("proxy_auth")
        return await discord.http.HTTPClient.ws_connect(there, url, compress=compress)

    return connect


def api_host() -> str:
    """Return the host of Discord's REST side."""
    return urlsplit(discord.http.Route.BASE).hostname or ""


def invite_link(application_id: int) -> str:
    """Return the address where a server's owner adds the bot, with exactly the permissions it uses."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))
