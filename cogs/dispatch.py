"""From what somebody types or presses to the method that serves it: commands, buttons and menus.

    class LookingCog(DogCog):
        @command("dog board", _("Look at the newest board, in private"), Deed.LOOK, game=Which.SEEN, text=_("In words"))
        async def board(self, request: Request, text: bool = False) -> None: ...

        @on_press(ShowText)
        async def board_in_words(self, request: Request) -> None: ...

The decorators state what Discord shows beside a command and its options, who may (`bot.rights`), and which game is
meant. A method gets a `Request`, which was admitted: it knows the person, their language and the table; and the press,
if it has a parameter `press`. A command's other parameters are its options (`from_` is the option `from`). A method can
have several decorators, of both kinds. Every refusal is answered by `Request.guarded`.
"""

from __future__ import annotations

import contextlib
import inspect
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot import seeing
from bot.client import DogBot
from bot.door import admits
from bot.errors import BotError, NoSuchTable, StorageError
from bot.languages import mark as _
from bot.rates import COMMANDS, DEAD, SUGGESTIONS
from bot.rights import Deed
from bot.showing import presses
from bot.showing.components import chosen_values
from bot.showing.panels import LINE_LIMIT, MENU_LIMIT, Panel, Reply
from bot.showing.presses import Press
from bot.table import Table
from bot.texts import refusals
from bot.texts.names import shorten, system_name
from bot.texts.public import lobbies
from cogs.answers import LIFE, LOST, Interaction, SayInstead
from cogs.requests import Request
from cogs.which import LONGEST, Unclear, Which, suggest_in_guild, suggest_open, suggest_over, table_meant
from engine import DogError

log = logging.getLogger(__name__)

Method = Callable[..., Coroutine[Any, Any, None]]
M = TypeVar("M", bound=Method)
Suggest = Callable[[Request, str], Coroutine[Any, Any, Iterable[tuple[str, str]]]]
"""What could be suggested for an option, given what has been typed so far: values, and how they are shown."""

ADMIN = "dog-admin"
GROUPS: Mapping[str, str] = {
    "dog": _("Play DOG with friends, a move here and there"),
    "dog table": _("Everything about one table: people, place, end"),
    "dog me": _("Your settings for all your games"),
    ADMIN: _("Moderate DOG games on this server"),
    "dog-admin house": _("Named sets of house rules"),
    "dog-admin moderate": _("Bans from games, and the moderation log"),
}
"""The groups of commands, and what Discord shows beside them."""

GAME = _("Code of the game, such as FOX-7")
"""What Discord shows beside the option of every command about one game."""

ReasonText = app_commands.Range[str, 0, 200]
"""Why a moderator does something, in their own words."""

WAITING = 500
"""How many questions which game is meant are kept."""

DEAD_PRESS = "dead press"
"""The name under which presses that lead nowhere are counted."""


@dataclass(frozen=True)
class Option:
    """What Discord shows beside an option; its values with their English names; what is suggested during typing."""

    text: str
    choices: Mapping[Any, str] = field(default_factory=dict)
    suggest: Suggest | None = None


@dataclass(frozen=True)
class Spec:
    """What the decorator says about a command; `path` is the command as it is typed, without the slash."""

    path: str
    text: str
    deed: Deed
    game: Which | None
    options: Mapping[str, Option]


def command(
    path: str, text: str, deed: Deed, /, *, game: Which | None = None, **options: Option | str
) -> Callable[[M], M]:
    """Make a cog's method the command that is typed like this; `text`: what Discord shows beside it.

    With `game`, the command has an option `game` for its code, and `request.table` is that game.
    """

    def mark(method: M) -> M:
        found = {name: Option(one) if isinstance(one, str) else one for name, one in options.items()}
        if game is not None:
            suggest = suggest_in_guild if path.startswith(ADMIN) else _SUGGESTED.get(game, suggest_open)
            found["game"] = Option(GAME, suggest=suggest)
        before = getattr(method, "__dog_commands__", ())
        method.__dog_commands__ = (*before, Spec(path, text, deed, game, found))  # type: ignore[attr-defined]
        return method

    return mark


_SUGGESTED: Mapping[Which, Suggest] = {Which.OVER: suggest_over}


def on_press(*kinds: type[Press]) -> Callable[[M], M]:
    """Mark a cog's method as the one that serves these kinds of presses."""

    def mark(method: M) -> M:
        method.__dog_presses__ = (*getattr(method, "__dog_presses__", ()), *kinds)  # type: ignore[attr-defined]
        return method

    return mark


class DogCog(commands.Cog):
    """A cog about one subject."""

    def __init__(self, bot: DogBot) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Add the commands to their groups."""
        for method, spec in specs(type(self)):
            _group(self.bot, spec.path.rpartition(" ")[0]).add_command(_command(getattr(self, method), spec))


def specs(cog: type[commands.Cog]) -> list[tuple[str, Spec]]:
    """The commands of a cog: the name of each method, and what a decorator says about it."""
    methods = cog.__dict__.items()
    return [(name, spec) for name, method in methods for spec in getattr(method, "__dog_commands__", ())]


def _group(bot: DogBot, path: str) -> app_commands.Group:
    """The group that is typed like this, created when it is first asked for."""
    above, _space, name = path.rpartition(" ")
    parent = _group(bot, above) if above else None
    found = (parent or bot.tree).get_command(name)
    if isinstance(found, app_commands.Group):
        return found
    # Members do not see a command if they lack its default permissions.
    permissions = discord.Permissions(manage_messages=True) if path == ADMIN else None
    group = app_commands.Group(
        name=locale_str(name),
        description=locale_str(GROUPS[path]),
        parent=parent,
        guild_only=parent is None,
        default_permissions=permissions,
    )
    if parent is None:
        bot.tree.add_command(group)
    return group


def _command(method: Method, spec: Spec) -> app_commands.Command[Any, ..., Any]:
    """The command in discord.py's form: its options are the method's parameters, and the game's code."""
    interaction, *parameters = (
        one for one in inspect.signature(method, eval_str=True).parameters.values() if one.name != "press"
    )
    if spec.game is not None:
        code, kind = app_commands.Range[str, 1, LONGEST], inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(inspect.Parameter("game", kind, annotation=code | None, default=None))

    async def callback(interaction: Interaction, **given: Any) -> None:
        request = Request(interaction)
        await request.guarded(lambda: _serve_command(method, spec, request, given))

    callback.__signature__ = inspect.Signature([interaction, *parameters])  # type: ignore[attr-defined]
    if parameters:
        options = {one.name: spec.options[one.name] for one in parameters}
        app_commands.describe(**{name: locale_str(one.text) for name, one in options.items()})(callback)
        app_commands.rename(**{name: name.rstrip("_") for name in options if name.endswith("_")})(callback)
        app_commands.choices(**{name: _choices(one.choices) for name, one in options.items() if one.choices})(callback)
        app_commands.autocomplete(**{name: _quietly(one.suggest) for name, one in options.items() if one.suggest})(
            callback
        )
    rate = COMMANDS[spec.deed.rule.cost]
    app_commands.checks.cooldown(rate.times, rate.seconds)(callback)
    return app_commands.Command(
        name=locale_str(spec.path.rpartition(" ")[2]), description=locale_str(spec.text), callback=callback
    )


def _choices(named: Mapping[Any, str]) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=locale_str(name), value=str(value)) for value, name in named.items()]


@dataclass(frozen=True)
class _Waiting:
    """A command that waits for somebody to choose a game: what was asked, until which Unix second, and what it does."""

    request: Request
    until: float
    go: Callable[[Request], Coroutine[Any, Any, None]]


class Mean(Press, verb="mean", deed=Deed.LOOK):
    """Choose the game that a command means, and do what it asks; `command`: its interaction."""

    command: int


def _quietly(suggest: Suggest) -> Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Those of the suggestions that have what was typed in them; none if something is refused or fails.

    A suggestion is not worth an error.
    """

    async def suggestions(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        request = Request(interaction)
        seeing.INTERACTIONS.labels("suggestion", "ok").inc()
        try:
            request.bot.rates.bound("suggestions", SUGGESTIONS, request.user_id, interaction.guild_id, request.now)
            await request.recognise()
            return offered(await suggest(request, current[:LINE_LIMIT]), current[:LINE_LIMIT])
        except (SayInstead, Unclear, BotError, DogError) as refused:
            log.debug("nothing to suggest: %s", refused)
            return []

    return suggestions


def offered(suggested: Iterable[tuple[str, str]], typed: str) -> list[app_commands.Choice[str]]:
    """Return the suggestions that have what was typed in them, as Discord takes them.

    It refuses all of them if one has no name, or if its name or value is too long.
    """
    found: dict[str, app_commands.Choice[str]] = {}
    for value, name in suggested:
        told = shorten(name.strip(), LINE_LIMIT)
        fits = _plainly(typed) in _plainly(name) or typed == value
        if told and fits and 0 < len(value) <= LINE_LIMIT:
            found.setdefault(value, app_commands.Choice(name=told, value=value))
        if len(found) == MENU_LIMIT:
            break
    return list(found.values())


def _plainly(text: str) -> str:
    return text.casefold().replace("_", " ")


async def _serve_command(method: Method, spec: Spec, request: Request, given: dict[str, Any]) -> None:
    async def run(request: Request) -> None:
        await request.allow(spec.deed)
        await method(request, **given)

    with request.bot.rates.working(request.user_id):
        await request.recognise()
        with contextlib.suppress(StorageError):
            await request.saw(*given.values())
        if spec.game is not None:
            code = given.pop("game", None)
            # A command that names what it wants to read needs no table.
            needed = spec.game is not Which.PERHAPS or not any(given.values())
            try:
                found = await table_meant(request, spec.game, code) if code or needed else None
            except Unclear as unclear:
                await _ask_which(request, unclear.tables, run)
                return
            if found is not None:
                await request.about(found)
        await run(request)


async def _ask_which(
    request: Request, tables: Sequence[Table], run: Callable[[Request], Coroutine[Any, Any, None]]
) -> None:
    """Ask which of these games a command means; a press then continues it, unless too much time has passed."""
    waiting, command, language = request.bot.unclear, request.interaction.id, request.language
    for old in [key for key, one in waiting.items() if one.until <= request.now] or list(waiting)[:-WAITING]:
        del waiting[old]
    waiting[command] = _Waiting(request, request.now + LIFE, run)
    panel = Panel()
    for table in tables[:MENU_LIMIT]:
        panel.button(f"{table.code} · {system_name(language, table.system)}", Mean(table.id, command))
    await request.send(Reply(lobbies.which_game(language, tables, request.user_id), panel))


class PressCog(commands.Cog):
    """Listens to every press of a button or menu, and hands it to the method that serves its kind."""

    def __init__(self, bot: DogBot) -> None:
        self.bot = bot
        self.handlers: dict[type[Press], tuple[Method, bool]] = {}
        """The methods that serve presses, and whether they want to know the press."""
        cogs = (self, *bot.cogs.values())
        found = [(cog, name, method) for cog in cogs for name, method in type(cog).__dict__.items()]
        for cog, name, method in found:
            for kind in getattr(method, "__dog_presses__", ()):
                if kind in self.handlers:
                    raise ValueError(f"the press {kind.verb!r} is handled twice")
                self.handlers[kind] = getattr(cog, name), "press" in inspect.signature(method).parameters

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Serve a press, once; anything that is not a button or menu is left alone."""
        if interaction.type is not discord.InteractionType.component or not await admits(interaction):
            return
        data: Any = interaction.data or {}
        press = presses.parse(str(data.get("custom_id", "")))
        for value in chosen_values(data):
            press = None if press is None else press.choosing(int(value))
        request = Request(interaction)
        request.aside = isinstance(press, Mean)
        if press is not None:
            request.verb = press.verb
        await request.guarded(lambda: self._serve(request, press))

    async def _serve(self, request: Request, press: Press | None) -> None:
        rates, user = self.bot.rates, request.user_id
        rates.enter(user, request.now)
        with rates.working(user):
            rates.check(DEAD_PRESS, user, DEAD, request.now)
            await request.recognise()
            found = None if press is None else self.handlers.get(type(press))
            if press is None or found is None:
                self._count_dead(request)
                raise SayInstead(refusals.unknown_button(request.language))
            if press.deed.rule.sight:
                try:
                    table = await request.find(press.table, even_broken=press.even_broken)
                except NoSuchTable:
                    self._count_dead(request)
                    raise SayInstead(refusals.game_gone(request.language)) from None
                if press.is_stale(table, user):
                    self._count_dead(request)
                await request.about(table)
            await request.allow(press.deed)
            method, takes = found
            await (method(request, press=press) if takes else method(request))

    @on_press(Mean)
    async def meant(self, request: Request, press: Mean) -> None:
        """Do what a command asked, at the game that was chosen; the question has then been answered."""
        found = self.bot.unclear.get(press.command)
        if found is None or found.until <= request.now or found.request.user_id != request.user_id:
            raise SayInstead(lobbies.name_it(request.language, request.table))
        del self.bot.unclear[press.command]
        try:
            await found.go(request)
        finally:
            with contextlib.suppress(discord.HTTPException, *LOST):
                await found.request.interaction.delete_original_response()

    def _count_dead(self, request: Request) -> None:
        """Count a press that leads nowhere any more."""
        self.bot.rates.spend(DEAD_PRESS, request.user_id, DEAD, request.now)
