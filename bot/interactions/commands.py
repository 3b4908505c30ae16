"""Commands and presses: how a cog declares what it serves.

    class LookingCog(DogCog):
        @command("dog board", _("Look at the board"), Deed.LOOK, game=GameScope.VISIBLE, text=_("In words"))
        async def board(self, request: Request, text: bool = False) -> None: ...

        async def board_in_words(self, request: Request, press: ShowText) -> None: ...

The decorators state the description of a command and of its options, who may (`bot.rights`), and which game is meant.
A method gets a `Request`, which was admitted: it knows the user, their language and the table. A method with a
parameter `press` serves presses of the kinds that this takes; None stands for the command that it serves too. A
command's other parameters are its options (`from_` is the option `from`). `bot.interactions.serve` leads to the method,
and answers every refusal.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot import metrics
from bot.client import DogBot
from bot.errors import BotError
from bot.interactions.answers import Interaction, SayInstead
from bot.interactions.lookup import LONGEST, GameScope, suggest_in_guild, suggest_open, suggest_over
from bot.interactions.request import Request
from bot.interactions.serve import WHICH, Command, Method, Pressed, admit, is_asking, serve, turn_away
from bot.interactions.tree import add_check
from bot.languages import mark as _
from bot.limits import SUGGESTION
from bot.rights import Deed
from bot.showing import presses
from bot.showing.components import chosen_values
from bot.showing.panels import LINE_LIMIT, MENU_LIMIT
from bot.showing.presses import Press
from bot.texts.markup import plain
from bot.texts.names import shorten
from bot.texts.public import lobbies
from engine import SYSTEMS, DogError

log = logging.getLogger(__name__)

M = TypeVar("M", bound=Method)
Suggest = Callable[[Request, str], Coroutine[Any, Any, Iterable[tuple[str, str]]]]
"""Returns suggestions for an option, given what has been typed so far: values, and their labels."""

ADMIN = "dog-admin"
GROUPS: Mapping[str, str] = {
    "dog": _("Play DOG with friends, a move now and then"),
    "dog table": _("Manage a table: invite, move, pause, nudge, leave"),
    "dog me": _("Your settings for all your games"),
    ADMIN: _("Moderate DOG games on this server"),
    "dog-admin house": _("Named sets of house rules"),
    "dog-admin moderate": _("Bans from games, and the moderation log"),
}
"""The groups of commands, with their descriptions."""

GAME = _("The game's code, such as FOX-7")
"""The description of the option `game` of every command about a game."""

ReasonText = app_commands.Range[str, 0, 200]
"""A moderator's reason, in their own words."""

REASON = _("The reason players see")
"""The option of commands that end what others play."""

SYSTEM_CHOICES = {key: system.name for key, system in SYSTEMS.items()}
"""The rule systems, for an option."""


@dataclass(frozen=True)
class Option:
    """An option: its description, its values with their English names, and suggestions during typing.

    `kind`: the type of the values of an option that the method takes with `**`, and that need not be given.
    """

    text: str
    choices: Mapping[Any, str] = field(default_factory=dict)
    suggest: Suggest | None = None
    kind: Any = None


@dataclass(frozen=True, eq=False)
class Spec:
    """The declaration of a command; `path` is the command as it is typed, without the slash.

    `away`: it works where the bot is not, for people who have added the app to their account.
    """

    path: str
    text: str
    deed: Deed
    game: GameScope | None
    options: Mapping[str, Option]
    away: bool


def command(
    path: str,
    text: str,
    deed: Deed,
    /,
    *,
    game: GameScope | None = None,
    away: bool = False,
    **options: Option | str,
) -> Callable[[M], M]:
    """Make a cog's method the command that is typed like this; `text`: its description.

    With `game`, the command has an option `game` for its code, and `request.table` is that game. For `away`, see
    `Spec`.
    """

    def mark(method: M) -> M:
        described = {name: Option(value) if isinstance(value, str) else value for name, value in options.items()}
        if game is not None:
            suggest = suggest_in_guild if path.startswith(ADMIN) else _SUGGESTED.get(game, suggest_open)
            described["game"] = Option(GAME, suggest=suggest)
        before = getattr(method, "__dog_commands__", ())
        method.__dog_commands__ = (*before, Spec(path, text, deed, game, described, away))  # type: ignore[attr-defined]
        return method

    return mark


_SUGGESTED: Mapping[GameScope, Suggest] = {GameScope.FINISHED: suggest_over}


class DogCog(commands.Cog):
    """A cog about one subject."""

    def __init__(self, bot: DogBot) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Add the commands to their groups."""
        for method, spec in specs(type(self)):
            _group(self.bot, spec.path.rpartition(" ")[0]).add_command(copy(_command(type(self), method, spec)))


def specs(cog: type[commands.Cog]) -> list[tuple[str, Spec]]:
    """Return the commands of a cog: the name of each method, and its declaration."""
    methods = cog.__dict__.items()
    return [(name, spec) for name, method in methods for spec in getattr(method, "__dog_commands__", ())]


def list_served(cog: type[commands.Cog]) -> list[tuple[type[Press], str]]:
    """Return the kinds of presses that the methods of a cog serve, each with the name of its method."""
    public = [(name, method) for name, method in vars(cog).items() if inspect.isfunction(method) and name[0] != "_"]
    taken = {name: get_type_hints(method)["press"] for name, method in public if "press" in method.__annotations__}
    return [
        (kind, name) for name, kinds in taken.items() for kind in get_args(kinds) or (kinds,) if kind is not NoneType
    ]


def _group(bot: DogBot, path: str) -> app_commands.Group:
    """Return the group that is typed like this, created when it is first asked for."""
    above, _space, name = path.rpartition(" ")
    parent = _group(bot, above) if above else None
    existing = (parent or bot.tree).get_command(name)
    if isinstance(existing, app_commands.Group):
        return existing
    if parent is not None:
        return app_commands.Group(name=locale_str(name), description=locale_str(GROUPS[path]), parent=parent)
    # Members do not see a command if they lack its default permissions.
    permissions = discord.Permissions(manage_messages=True) if path == ADMIN else None
    group = app_commands.Group(
        name=locale_str(name),
        description=locale_str(GROUPS[path]),
        allowed_contexts=app_commands.AppCommandContext(
            guild=True, dm_channel=path != ADMIN, private_channel=path != ADMIN
        ),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=path != ADMIN),
        default_permissions=permissions,
    )
    bot.tree.add_command(group)
    return group


@cache
def _command(cog: type[DogCog], name: str, spec: Spec) -> app_commands.Command[Any, ..., Any]:
    """Return a cog's command in discord.py's form: its options are the method's parameters, and the game's code."""
    signature = inspect.signature(getattr(cog, name), eval_str=True)
    _self, interaction, *parameters = (item for item in signature.parameters.values() if item.name != "press")
    known, kind = {item.name: item for item in parameters}, inspect.Parameter.POSITIONAL_OR_KEYWORD
    if spec.game is not None:
        code = app_commands.Range[str, 1, LONGEST]
        known["game"] = inspect.Parameter("game", kind, annotation=code | None, default=None)
    options = spec.options
    parameters = [
        known.get(name) or inspect.Parameter(name, kind, annotation=option.kind | None, default=None)
        for name, option in options.items()
    ]
    parameters = [
        item.replace(annotation=add_check(item.annotation, options[item.name].choices)) for item in parameters
    ]

    async def callback(interaction: Interaction, **given: Any) -> None:
        method: Method = getattr(interaction.client.get_cog(cog.__cog_name__), name)
        await serve(interaction, Command(method, spec.path, spec.deed, spec.game, spec.away, given))

    callback.__signature__ = inspect.Signature([interaction, *parameters])  # type: ignore[attr-defined]
    if parameters:
        app_commands.describe(**{name: locale_str(option.text) for name, option in options.items()})(callback)
        app_commands.rename(**{name: name.rstrip("_") for name in options if name.endswith("_")})(callback)
        suggests = {name: option.suggest for name, option in options.items() if option.suggest}
        app_commands.autocomplete(**{name: _suggest_safely(suggest) for name, suggest in suggests.items()})(callback)
    return app_commands.Command(
        name=locale_str(spec.path.rpartition(" ")[2]), description=locale_str(spec.text), callback=callback
    )


def _suggest_safely(
    suggest: Suggest,
) -> Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Return only suggestions that contain what was typed, and none instead of an error."""

    async def suggestions(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        request, typed = Request(interaction), str(current)[:LINE_LIMIT]
        metrics.INTERACTIONS.labels("suggestion", "ok").inc()
        try:
            admit(request, SUGGESTION)
            await request.recognise()
            return to_choices(await suggest(request, typed), typed)
        except (SayInstead, BotError, DogError) as refused:
            log.debug("nothing to suggest: %s", refused)
            return []

    return suggestions


def to_choices(suggested: Iterable[tuple[str, str]], typed: str) -> list[app_commands.Choice[str]]:
    """Return the suggestions that contain what was typed, as Discord takes them.

    It would refuse them all for a name that is missing, or a name or value that is too long.
    """
    choices: dict[str, app_commands.Choice[str]] = {}
    for value, name in suggested:
        label = shorten(name.strip(), LINE_LIMIT)
        fits = _plainly(typed) in _plainly(name) or typed == value
        if label and fits and 0 < len(value) <= LINE_LIMIT:
            choices.setdefault(value, app_commands.Choice(name=label, value=value))
        if len(choices) == MENU_LIMIT:
            break
    return list(choices.values())


def _plainly(text: str) -> str:
    return text.casefold().replace("_", " ")


class PressCog(commands.Cog):
    """Listens to every press of a button or menu, and hands it to the method of `cogs` that serves its kind."""

    def __init__(self, bot: DogBot, cogs: Iterable[type[DogCog]]) -> None:
        self.bot = bot
        self._served: Mapping[type, tuple[str, str]] = {
            kind: (cog.__cog_name__, name) for cog in cogs for kind, name in list_served(cog)
        }

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Serve a press of a button or menu; the question for the game has a view of its own."""
        if interaction.type is not discord.InteractionType.component:
            return
        data: Any = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        if custom_id.startswith(WHICH):
            if not is_asking(interaction):
                code = plain(custom_id.removeprefix(WHICH).partition(".")[0])
                await turn_away(interaction, lambda language: lobbies.name_it(language, code))
            return
        press = presses.parse(custom_id)
        for value in chosen_values(data):
            press = None if press is None else press.with_choice(int(value))
        cog, name = self._served.get(type(press), ("", ""))
        await serve(interaction, Pressed(press, getattr(self.bot.get_cog(cog), name, None)))
