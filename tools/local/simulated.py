"""A simulated Discord on one machine: a server, a channel, four people, a running clock, and a page that shows it.

SimCord is made for tests: its clock stands still and its page shows what was true after the last click. Here the clock
follows real time, and the page is refreshed when the bot speaks on its own (a deadline, a reminder).
"""

from __future__ import annotations

import asyncio
import datetime
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any

import discord
import simcord
import simcord.interactions
from simcord.backend.ops.messages import MessageMixin

from bot.languages import COMMAND, Language, language_for
from bot.showing import emojis
from bot.texts import buttons
from bot.texts.markup import bold
from tools.local.page import mend, name_commands

log = logging.getLogger(__name__)

PEOPLE = ("Guest", "Alex", "Kim", "Robin")
"""The people you can play as; the page starts with the first and switches with "Viewing as"."""

TICK = 0.5
"""Seconds between two looks at the clock: fine enough for deadlines, and next to no work."""

PATIENCE = 120.0
"""Seconds that a press may take, so that even a review of a long game is answered on the page that asked for it."""

VIEWING = "Viewing as"
"""The page's name for the choice of whom to play as."""


class SimulatedDiscord:
    """A place to run a bot in: `async with SimulatedDiscord(bot, port=8123) as place: await place.serve()`.

    `speed`: how many times faster time passes there than outside, so that a game of days can be seen in minutes.
    `opening`: what happens before people come, with the ids of the server and the channel, and of the people by name.
    """

    def __init__(
        self,
        bot: discord.Client,
        *,
        port: int,
        locale: str = "en-US",
        speed: float = 1.0,
        opening: Callable[[int, int, Mapping[str, int]], Awaitable[None]] | None = None,
    ) -> None:
        self._bot = bot
        self._bring = emojis.bring
        self._opening = opening
        self._speed = speed
        self._port = port
        self._locale = locale
        self._env = simcord.Env(bot, check_errors=False)
        _wait_for_work(self._env)
        self._preview: simcord.Preview
        self._channel: Any
        self._usher: Any
        self._people: Sequence[Any]
        self._known: str
        """The language of the pages."""
        self._dms: dict[str, simcord.Preview] = {}
        """The pages of direct messages, by whose they are."""
        self._threads: dict[int, simcord.Preview] = {}
        """The pages of threads, by their ids."""
        # SimCord allows one operation at a time and refuses a second, so clicks and the clock take turns.
        self._turn = asyncio.Lock()
        self._several_pages = False

    @property
    def address(self) -> str:
        """The page's address, including the key that the page asks for."""
        return self._preview.url

    @property
    def dm_addresses(self) -> Mapping[str, str]:
        """The addresses of the pages that show people's direct messages with the bot, by name."""
        return {name: page.url for name, page in self._dms.items()}

    @property
    def thread_addresses(self) -> Sequence[str]:
        """The addresses of the pages that show threads, to each person of *Viewing as*."""
        return [page.url for page in self._threads.values()]

    @property
    def _pages(self) -> Sequence[simcord.Preview]:
        return (self._preview, *self._dms.values(), *self._threads.values())

    async def __aenter__(self) -> SimulatedDiscord:
        env = self._env
        now = datetime.datetime.now(datetime.UTC)
        env.backend.advance_clock(max(0.0, (now - env.now()).total_seconds()))
        env.backend.edit_bot_profile("DOG")
        _pretend(self._locale)
        name_commands(self._locale)
        leave_out_private_answers()
        _keep_signs()
        await env.start()
        try:
            await self._furnish()
        except BaseException:
            await self._leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        emojis.bring = self._bring
        await self._leave()

    async def _furnish(self) -> None:
        """Create server, channel, people and page."""
        env = self._env
        # The page and servers know Discord's languages only.
        known = self._locale if self._locale in {locale.value for locale in discord.Locale} else "en-US"
        guild = env.create_guild("Local table", preferred_locale=known)
        channel = self._channel = guild.create_text_channel("dog", topic="Type /dog new, press Enter, then the arrow")
        may = discord.Permissions(manage_guild=True, manage_messages=True)
        manager = guild.create_role("Manager", permissions=may)
        people = [
            guild.add_member(env.create_user(name.lower(), global_name=name), roles=[manager] if first else [])
            for first, name in zip((True, False, False, False), PEOPLE, strict=True)
        ]
        usher = self._usher = guild.add_member(env.create_user("usher", global_name="Local table", bot=True))
        self._people, self._known = people, known
        language = language_for(self._locale)
        await usher.send(channel, welcome(language, self._locale == known))
        if self._opening is not None:
            await self._opening(
                guild.id, channel.id, {name: person.id for name, person in zip(PEOPLE, people, strict=True)}
            )
        mend(self._speed, env.now)
        self._preview = await self._open_page(channel, people, known, self._port)
        for number, person in enumerate(people, start=1):
            port = self._port and self._port + number
            page = await self._open_page(person.user.dm_channel, [person.user], known, port)
            self._dms[person.user.name.capitalize()] = page
        links = " · ".join(f"[{name}]({page.url})" for name, page in self._dms.items())
        await usher.send(channel, language.t("Direct messages with the bot: {links}", links=links))
        await self._preview.refresh()
        self._forget_requests()

    async def _open_page(self, place: Any, viewers: Sequence[Any], locale: str, port: int) -> simcord.Preview:
        """Open a page that shows a channel, or the direct messages of its only viewer.

        SimCord has one page for each environment; here it is the one that acts.
        """
        env = self._env
        env._preview = None
        preview = env.preview(place, viewers=viewers, layout="channel", locale=locale, port=port)
        admit = preview._action

        async def in_turn(context: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
            async with self._turn:
                env._preview = preview
                answer = await admit(context, body)
                if any(found["code"] == "stale-revision" for found in answer["diagnostics"]):
                    # Another page was pressed meanwhile. What the button means now, the bot itself says.
                    answer = await admit(context, {**body, "published_revision": answer["revision"]})
                # A click only updates its own page; if a second is open, the clock does the rest.
                self._forget_requests()
                self._several_pages = sum(len(page._pages) for page in self._pages) > len(self._pages) + 1
                return answer

        preview._action = in_turn  # type: ignore[method-assign, assignment]
        return await preview.__aenter__()

    async def serve(self) -> None:
        """Keep the clock and the page going until "End preview session" is pressed on the page."""
        clock = asyncio.create_task(self._keep_time(), name="clock")
        try:
            await self._preview.wait_closed()
        finally:
            clock.cancel()
            await asyncio.gather(clock, return_exceptions=True)

    async def _keep_time(self) -> None:
        env = self._env
        start, origin = time.monotonic(), env.now()
        while True:
            await asyncio.sleep(TICK)
            async with self._turn:
                behind = (time.monotonic() - start) * self._speed - (env.now() - origin).total_seconds()
                try:
                    await env.advance_time(max(0.0, behind))
                    opened = await self._open_threads()
                    if self._forget_requests() or self._several_pages or opened:
                        self._several_pages = False
                        for page in self._pages:
                            await page.refresh()
                except TimeoutError:
                    log.warning("the bot is busy; the clock waits for it")
                except simcord.SetupError:
                    return  # the page has been closed

    async def _open_threads(self) -> bool:
        """Open a page for each thread that has none, and link to it in the channel; True if there was one."""
        new = [thread for thread in self._channel.threads if thread.id not in self._threads]
        for thread in new:
            self._threads[thread.id] = page = await self._open_page(thread, self._people, self._known, 0)
            link = f"[{thread.name}]({page.url})"
            await self._usher.send(self._channel, language_for(self._locale).t("Thread {link}", link=link))
        return bool(new)

    def _forget_requests(self) -> bool:
        """Return True if the bot has made any requests to Discord since the last call, and forget them."""
        made = bool(self._env.http_requests)
        self._env.http_requests.clear()
        self._env.backend.transcript.clear()
        return made

    async def _leave(self) -> None:
        """Close page, bot and simulation, in this order; nothing here may keep the program from ending."""
        env = self._env
        for closing in (env._run_pre_shutdown, self._bot.close, env.shutdown):
            try:
                await asyncio.wait_for(closing(), timeout=10)
            except Exception:
                log.warning("closing did not go smoothly", exc_info=True)


def welcome(language: Language, names_commands: bool) -> str:
    """Return the first message on the page. `names_commands`: the page calls commands as this language does."""
    new = (names_commands and language.find("new", COMMAND)) or "new"
    return language.t(
        "Welcome to the local table. Type {command} below, press Enter, then the arrow on the right "
        "(options are in the list above it). Press {fill}, then {start}. Only you see your cards. With "
        "{viewing} you can sit in the other chairs, too.",
        # Not in code marks: it would become something to click, which shows the English name.
        command=bold(f"/dog {new}"),
        fill=buttons.named(language, buttons.FILL),
        start=buttons.named(language, buttons.START),
        viewing=bold(VIEWING),
    )


def _wait_for_work(env: simcord.Env) -> None:
    """Let a press last for as long as the bot works on its answer, for `PATIENCE` seconds at most.

    SimCord gives the bot five seconds and then calls the outcome uncertain. Its limit cannot simply be raised: it would
    then also wait for all shorter sleeps, such as those of computer players that take their time.
    """
    settle = env._settle_internal

    async def patiently(*words: Any, **named: Any) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                await settle(*words, **named)
            except TimeoutError:
                # The clock has a deadline of its own, and tries again at its next look.
                if "_deadline" in named or time.monotonic() >= until:
                    raise
            else:
                return

    env._settle_internal = patiently  # type: ignore[method-assign]


_commit = MessageMixin.commit_message


def _commit_in_sight(backend: Any, message: Any, **named: Any) -> Any:
    channel = backend.get_channel(message.channel_id)
    before = channel.last_message_id
    found = _commit(backend, message, **named)
    if message.is_ephemeral:
        channel.last_message_id = before
    return found


def leave_out_private_answers() -> None:
    """Leave private answers out of what stands last in a channel, as Discord does; SimCord itself counts them."""
    MessageMixin.commit_message = _commit_in_sight  # type: ignore[assignment, method-assign]


def _keep_signs() -> None:
    """Show signs in place of application emojis, which SimCord's page cannot show."""

    async def bring(*_words: object, **_named: object) -> None:
        return None

    emojis.bring = bring


def _pretend(locale: str) -> None:
    """Make every interaction say that the person's client is set to this language; SimCord itself knows only one."""
    build = simcord.interactions.base_payload

    def payload(*words: Any, **named: Any) -> Any:
        record, wire = build(*words, **named)
        wire["locale"] = locale
        if "guild_locale" in wire:
            wire["guild_locale"] = locale
        return record, wire

    simcord.interactions.base_payload = payload
