"""Commands: one decorator for each, and the groups `/dog` and `/dog-admin` that the cogs share.

    class Looking(DogCog):
        @command("board", Deed.LOOK, game=Which.SEEN)
        async def board(self, interaction: Interaction, table: Table, text: bool = False) -> None: ...

The decorator states the name, who may (`bot.rights`), and which game is meant. The method's remaining parameters are
the command's options (`from_` is the option `from`); discord.py's own `choices` goes below it. What Discord shows
beside the command and its options is in `bot.texts.commands`. Everything that may be refused is answered by the one
guard in `cogs.answers`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, TypeVar

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot import rights
from bot.client import DogBot
from bot.errors import BrokenLog
from bot.rates import COMMANDS
from bot.rights import Deed
from bot.table import Table
from bot.texts.commands import ADMIN, DOG, GAME
from bot.texts.commands import COMMANDS as TEXTS
from cogs.answers import Interaction, bot_of, guarded
from cogs.choices import Suggest, game_choices, guild_game_choices, over_game_choices, quietly
from cogs.guard import allow, bound
from cogs.permissions import person_of
from cogs.which import LONGEST, last_over, table_for


class Which(Enum):
    """Which game a command is about if none is named: see `cogs.which`."""

    OWN = "own"
    """One where the person has a seat."""
    SEEN = "seen"
    """One that they can look at."""
    EVEN_BROKEN = "even broken"
    """The same, including games whose log does not replay."""
    OVER = "over"
    """One that was played to its end, if there is one."""


Method = Callable[..., Coroutine[Any, Any, None]]
M = TypeVar("M", bound=Method)


@dataclass(frozen=True)
class Spec:
    """What the decorator says about a command. `suggest`: suggestions for options while they are being typed."""

    name: str
    deed: Deed
    game: Which | None = None
    within: str | None = None
    suggest: Mapping[str, Suggest] = field(default_factory=dict)


def command(
    name: str,
    deed: Deed,
    *,
    game: Which | None = None,
    within: str | None = None,
    suggest: Mapping[str, Suggest] | None = None,
) -> Callable[[M], M]:
    """Make a cog's method a command of its group; `within`: of this subgroup.

    With `game`, the method receives the table as `table`, and the command has an option `game` for its code.
    """

    def mark(method: M) -> M:
        method.__dog_command__ = Spec(name, deed, game, within, suggest or {})  # type: ignore[attr-defined]
        return method

    return mark


class DogCog(commands.Cog):
    """A cog about one subject; its commands belong to the group `GROUP`, which it shares with others."""

    GROUP: ClassVar[str] = DOG

    def __init__(self, bot: DogBot) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Add the commands to their group."""
        for method, spec in specs(type(self)):
            group = _group(self.bot, self.GROUP, spec.within)
            group.add_command(_command(getattr(self, method), spec, self.GROUP))

    async def cog_unload(self) -> None:
        """Remove the commands from their group."""
        for _, spec in specs(type(self)):
            _group(self.bot, self.GROUP, spec.within).remove_command(spec.name)


def specs(cog: type[commands.Cog]) -> list[tuple[str, Spec]]:
    """The commands of a cog: the name of each method, and what the decorator says about it."""
    found = ((name, getattr(cog.__dict__[name], "__dog_command__", None)) for name in cog.__dict__)
    return [(name, spec) for name, spec in found if spec is not None]


def _group(bot: DogBot, name: str, within: str | None) -> app_commands.Group:
    """The group with this name, created when it is first asked for."""
    group = bot.tree.get_command(name)
    if not isinstance(group, app_commands.Group):
        # Members do not see a command if they lack its default permissions.
        permissions = discord.Permissions(manage_messages=True) if name == ADMIN else None
        group = app_commands.Group(
            name=locale_str(name), description=_text(name), guild_only=True, default_permissions=permissions
        )
        bot.tree.add_command(group)
    if within is None:
        return group
    inner = group.get_command(within)
    if not isinstance(inner, app_commands.Group):
        inner = app_commands.Group(name=locale_str(within), description=_text(f"{name} {within}"), parent=group)
    return inner


def _command(method: Method, spec: Spec, group: str) -> app_commands.Command[Any, ..., Any]:
    """The command in discord.py's form: its options are the method's parameters, and the game's code."""
    wanted = list(inspect.signature(method, eval_str=True).parameters.values())
    options = [one for one in wanted[1:] if one.name != "table"]
    if spec.game is not None:
        options.append(
            inspect.Parameter("game", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=_CODE | None, default=None)
        )

    async def callback(interaction: Interaction, **given: Any) -> None:
        await guarded(interaction, _run(method, spec, interaction, given))

    callback.__signature__ = inspect.Signature([wanted[0], *options])  # type: ignore[attr-defined]
    _copy_choices(method, callback)
    suggest = {name: quietly(one) for name, one in spec.suggest.items()}
    if spec.game is not None:
        suggest["game"] = quietly(guild_game_choices if group == ADMIN else _SUGGESTED.get(spec.game, game_choices))
    if suggest:
        app_commands.autocomplete(**suggest)(callback)
    rate = COMMANDS[spec.deed.rule.cost]
    app_commands.checks.cooldown(rate.times, rate.seconds)(callback)
    path = " ".join(part for part in (group, spec.within, spec.name) if part)
    _describe(callback, path, [one.name for one in options])
    return app_commands.Command(name=locale_str(spec.name), description=_text(path), callback=callback)


def _text(path: str) -> locale_str:
    """What Discord shows beside a command or group. Raises `KeyError` if `bot.texts.commands` lacks it."""
    return locale_str(TEXTS[path].text)


def _describe(callback: Method, path: str, options: Sequence[str]) -> None:
    """Give a command's options their names and texts. Raises `KeyError` for one without a text."""
    texts = {"game": GAME, **TEXTS[path].options}
    if options:
        app_commands.describe(**{one: locale_str(texts[one.rstrip("_")]) for one in options})(callback)
    renamed = {one: one.rstrip("_") for one in options if one.endswith("_")}
    if renamed:
        app_commands.rename(**renamed)(callback)


_SUGGESTED: Mapping[Which, Suggest] = {Which.OVER: over_game_choices}
_CODE = app_commands.Range[str, 1, LONGEST]


async def _run(method: Method, spec: Spec, interaction: Interaction, given: dict[str, Any]) -> None:
    with bot_of(interaction).rates.working(interaction.user.id):
        if spec.game is None:
            rights.need(spec.deed, person_of(interaction))
            bound(interaction, spec.deed)
            await method(interaction, **given)
            return
        table = await _table(interaction, given.pop("game", None), spec.game)
        await allow(interaction, spec.deed, table)
        await method(interaction, table, **given)


async def _table(interaction: Interaction, code: str | None, game: Which) -> Table:
    try:
        if game is Which.OVER and not code and (over := await last_over(interaction)) is not None:
            return over
        return await table_for(interaction, code, seated=game is Which.OWN)
    except BrokenLog as broken:
        if game is not Which.EVEN_BROKEN:
            raise
        return await bot_of(interaction).tables.get_unplayable(broken.table_id)


def _copy_choices(method: Method, callback: Method) -> None:
    """Copy what discord.py's decorators noted on a method to the callback that represents it."""
    for name, value in vars(getattr(method, "__func__", method)).items():
        if name.startswith("__discord_app_commands_"):
            setattr(callback, name, dict(value) if isinstance(value, dict) else value)
