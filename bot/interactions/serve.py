"""Serving interactions: from a command or a press to its answer.

Each of them passes through `serve`, from top to bottom. The differences between a command and a press (finding the
table, and calling the cog's method) are in `Command` and `Pressed`.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

import discord

from bot import metrics
from bot.choosing import NoSuchPath
from bot.delivery.open_answers import LIFE
from bot.delivery.unix_time import now
from bot.delivery.where_asked import is_in_dm
from bot.errors import BotError, NoSuchTable, NotAtTable, StorageError, TableError, TooOften
from bot.interactions.answers import GONE, LOST, AnswerLost, Interaction, SayInstead
from bot.interactions.hand import answer_in_hand, lock_letter
from bot.interactions.lookup import GameScope, find_tables
from bot.interactions.request import Request
from bot.languages import Language
from bot.limits import LEADS_NOWHERE
from bot.rights import Deed
from bot.showing.choices import OfDecision
from bot.showing.controls import watch_panel
from bot.showing.panels import LABEL_LIMIT, MENU_LIMIT, Panel, Reply
from bot.showing.presses import Press
from bot.table import Table
from bot.texts import refusals
from bot.texts.markup import plain
from bot.texts.names import shorten, system_name
from bot.texts.public import lobbies
from engine import DogError

log = logging.getLogger(__name__)

Method = Callable[..., Coroutine[Any, Any, None]]
"""A cog's method: it takes the request, and a command's options or the press as `press`."""

TOO_LATE = frozenset({10062, 50027, 40060, 10003, GONE})
"""Unknown interaction, expired token, already answered, no such channel or message: it cannot be answered any more."""


async def serve(interaction: Interaction, asked: Command | Pressed) -> None:
    """Serve a command or press once, and answer in time; presses on a direct message one after another."""
    if not interaction.client.limits.is_new(interaction.id):
        return
    request = Request(interaction, aside=isinstance(asked, Command) and asked.question is not None)
    async with answering(request, asked.kind, asked.name):
        admit(request)
        if request.is_away and not asked.away:
            raise SayInstead(refusals.not_installed(request.language, request.bot.invite_link), "not installed")
        with request.bot.limits.in_flight(request.user_id):
            await request.recognise()
            tables = await asked.find(request)
            if isinstance(asked, Command) and len(tables) > 1:
                await _ask_which(request, asked, tables)
                return
            if tables:
                await request.attach_table(tables[0])
            async with lock_letter(request):
                await request.allow(asked.deed)
                await asked.run(request)


def admit(request: Request, cost: float = 1) -> None:
    """Check that this user and server may ask anything now.

    Raises:
        TooOften: the user's bucket is empty.
        SayInstead: an operator has blocked them.
    """
    bot, interaction = request.bot, request.interaction
    bot.limits.spend(request.user_id, request.now, cost)
    bot.members.note_seen(interaction.guild_id, request.user_id)
    if not bot.blocked.isdisjoint((request.user_id, interaction.guild_id)):
        raise SayInstead(refusals.blocked(request.language), "blocked")


@dataclass(frozen=True)
class Command:
    """A command as it was typed."""

    kind: ClassVar[str] = "command"
    method: Method
    name: str
    deed: Deed
    game: GameScope | None
    """The game that it is about if none is named; None if it is about none."""
    away: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    table_id: int | None = None
    """The game that was chosen, if the command had to ask for it in the answer to `question`."""
    question: Interaction | None = None

    async def find(self, request: Request) -> Sequence[Table]:
        """Return the tables that the option `game`, or the place, can mean."""
        with suppress(StorageError):
            await request.note_names(*self.options.values())
        if self.game is None:
            return ()
        if self.table_id is not None:
            return (await request.find(self.table_id),)
        code, others = self.options.get("game"), [value for name, value in self.options.items() if name != "game"]
        if code is None and self.game is GameScope.OPTIONAL and any(others):
            # A command that names what it wants to read needs no table.
            return ()
        return await find_tables(request, self.game, code)

    async def run(self, request: Request) -> None:
        """Call the cog's method with the other options."""
        await self.method(request, **{name: value for name, value in self.options.items() if name != "game"})


@dataclass(frozen=True)
class Pressed:
    """A press of a button or menu; `press` and `method` are None if it is none of ours."""

    kind: ClassVar[str] = "press"
    press: Press | None
    method: Method | None = None
    away: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """The verb of the press."""
        return "unknown" if self.press is None else self.press.verb

    @property
    def deed(self) -> Deed:
        """The deed of the press."""
        return Deed.READ if self.press is None else self.press.deed

    async def find(self, request: Request) -> Sequence[Table]:
        """Return the table that the button is about. Raises `SayInstead` if it leads nowhere."""
        if self.press is None or self.method is None:
            request.bot.limits.charge(request.user_id, request.now, LEADS_NOWHERE)
            raise SayInstead(refusals.unknown_button(request.language))
        if not self.deed.rule.sight:
            return ()
        try:
            return (await request.find(self.press.table, even_broken=self.press.even_broken),)
        except NoSuchTable:
            request.bot.limits.charge(request.user_id, request.now, LEADS_NOWHERE)
            raise SayInstead(refusals.game_gone(request.language)) from None

    async def run(self, request: Request) -> None:
        """Call the cog's method; in a hand, unless the game has moved on."""
        assert self.method is not None
        answer = partial(self.method, request, press=self.press)
        await (answer_in_hand(request, answer, self.press) if isinstance(self.press, OfDecision) else answer())


# The question for the game

WHICH = "which:"
"""The prefix of these buttons' custom ids; the listener of presses leaves them to the view."""


def is_asking(interaction: Interaction) -> bool:
    """Return True if the view that asked still waits: it ends after a while, and with the process."""
    asked, since = interaction.message, interaction.client.since.timestamp()
    private = asked is not None and (asked.flags.ephemeral or is_in_dm(interaction))
    return asked is not None and private and asked.created_at.timestamp() > max(since, now() - LIFE)


async def _ask_which(request: Request, asked: Command, tables: Sequence[Table]) -> None:
    """Ask for the game that a command means; the press serves the command again, for that game."""
    for first in range(0, len(tables), MENU_LIMIT):
        view, some = discord.ui.View(timeout=LIFE), tables[first : first + MENU_LIMIT]
        for table in some:
            view.add_item(_Game(asked, request.interaction, table, request.language))
        await request.ask(lobbies.which_game(request.language), view)


class _Game(discord.ui.Button[discord.ui.View]):
    """The button of a game that a command can mean."""

    def __init__(self, asked: Command, question: Interaction, table: Table, language: Language) -> None:
        label = f"{table.code} · {system_name(language, table.system)}"
        guild = question.client.get_guild(table.guild_id)
        if question.guild_id is None and guild is not None:
            # Two servers may have the same code.
            label = shorten(f"{label} · {plain(guild.name)}", LABEL_LIMIT)
        super().__init__(label=label, custom_id=f"{WHICH}{table.code}.{table.id}")
        self._question = question
        self._asked = replace(asked, table_id=table.id, question=question)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Serve the command, once, and remove the question."""
        assert self.view is not None
        self.view.stop()
        await serve(interaction, self._asked)
        with suppress(discord.HTTPException, *LOST):
            await self._question.delete_original_response()


# Refusals


async def turn_away(interaction: Interaction, sentence: Callable[[Language], str]) -> None:
    """Answer an interaction that no command accepts with this sentence."""
    if interaction.type is discord.InteractionType.autocomplete:
        with suppress(discord.HTTPException, *LOST):
            await interaction.response.autocomplete([])
        return
    request = Request(interaction)
    async with answering(request, "command", "unknown"):
        admit(request)
        raise SayInstead(sentence(request.language), "turned away")


@asynccontextmanager
async def answering(request: Request, kind: str, name: str) -> AsyncIterator[None]:
    """Answer in time, turn each refusal into a private sentence, and log the result.

    Precedence: advice (already worded); too often (said a number of times and then no more); refusals of the tables
    service and of the rules; an answer that was lost on its way or that Discord calls too late (only logged); and last
    anything unexpected, with its traceback. A user who has done something is told that (`Request.fall_back_on`), and
    not what failed after it.
    """
    result, text, panel, is_known = "ok", "", None, False
    try:
        if request.bot.pools.is_behind:
            await request.announce()
        async with request.announce_if_late():
            yield
    except SayInstead as advice:
        result, text = advice.result, str(advice)
    except TooOften as refused:
        result = "too often"
        if request.bot.limits.is_told(request.user_id, request.now):
            text = request.refusal(refused)
            is_known = request.is_private and request.bot.limits.was_told(request.user_id, request.now)
    except (BotError, DogError, NoSuchPath) as error:
        request.refused = error.label if isinstance(error, BotError) else type(error).__name__
        if isinstance(error, TableError) and error.code is None and request.table_if_any is not None:
            error.at(request.table.code)
        result, text, panel = "refused", request.refusal(error), _watching(request, error)
    except AnswerLost as lost:
        log.warning("an answer was lost: %s", lost.__cause__)
        result = "lost"
    except discord.HTTPException as error:
        metrics.count_refusal(error.code or error.status)
        if error.code in TOO_LATE:
            log.info("an answer came too late: %s", error.code)
            result = "too late"
        else:
            log.exception("Discord refused an answer")
            result, text = "failed", request.refusal(error)
    except Exception as error:
        log.exception("an interaction failed")
        result, text = "failed", request.refusal(error)
    if text:
        try:
            if is_known:
                # Another message would push what was pressed out of sight.
                await request.done()
            else:
                await request.send(Reply(request.fallback) if request.fallback else Reply(text, panel))
        except (discord.HTTPException, AnswerLost) as error:
            log.info("the user could not be told: %s", error.__cause__ or error)
    request.log_result(kind, name, result)


def _watching(request: Request, error: Exception) -> Panel | None:
    """Return what a person without a seat can do instead of what was refused, if they can only watch."""
    if not isinstance(error, NotAtTable) or error.or_moderator or request.table_if_any is None:
        return None
    return watch_panel(request.language, request.table)
