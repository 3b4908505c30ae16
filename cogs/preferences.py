"""What people prefer: where they are notified, quiet hours, being away; and nudging those the game is waiting for."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import discord
from discord import app_commands

from bot.clocks import time_zones
from bot.preferences import LONGEST_AWAY, AwayHow, Notify, Preferences
from bot.rights import Deed
from bot.showing.panels import Panel, Reply, option
from bot.showing.presses import Press
from bot.table import Table
from bot.texts import buttons, commands, leaving, preferences
from bot.texts.names import Names, days, look_name
from cogs.answers import Interaction, SayInstead, language_of, replace, say, send
from cogs.arriving import think
from cogs.choices import LOOK_CHOICES, LOOKS, choices_of
from cogs.group import DogCog, Which, command
from cogs.permissions import person_of
from cogs.presses import on_press

SPANS = tuple((hour * 60, (hour + length) % 24 * 60) for hour in (21, 22, 23, 0) for length in (8, 9, 10))
"""Quiet hours to choose from: first and last minute of the day."""

AWAY_LENGTHS = (1, 2, 3, 4, 5, 7, 10, 14, 21, 28)
"""The numbers of days to choose from."""

AWAY_DAYS = LONGEST_AWAY // 86_400
"""The longest absence that can be announced, in days."""


class _Setting(Press, deed=Deed.PREFER, menu="value"):
    """Set what is chosen in the menu, an index in a list; without a menu, end what is set."""

    value: int | None = None


class SetTheme(_Setting, verb="theme"):
    """Choose the look of everything private."""


class SetQuiet(_Setting, verb="quiet"):
    """Choose quiet hours."""


class SetAway(_Setting, verb="away"):
    """Be away for some days."""


def _hours(current: str, first: int) -> list[app_commands.Choice[str]]:
    hours = [f"{(first + step) % 24:02}:00" for step in range(24)]
    return [app_commands.Choice(name=hour, value=hour) for hour in hours if current in hour]


async def _zones(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    wanted = current.lower().replace(" ", "_")
    found = [zone for zone in time_zones() if wanted in zone.lower()]
    found.sort(key=lambda zone: (not zone.lower().rpartition("/")[2].startswith(wanted), zone))
    return [app_commands.Choice(name=zone, value=zone) for zone in found[:25]]


async def _beginnings(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return _hours(current, 22)


async def _endings(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return _hours(current, 7)


async def _days(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    today = discord.utils.utcnow().date()
    days = [(today + timedelta(days=count)).isoformat() for count in range(1, AWAY_DAYS)]
    return [app_commands.Choice(name=day, value=day) for day in days if current in day][:25]


class PreferencesCog(DogCog):
    """What a person sets for all their games."""

    @command("notify", Deed.PREFER)
    @app_commands.choices(where=choices_of(commands.WHERE))
    async def notify(self, interaction: Interaction, where: str) -> None:
        """Choose where to be told about turns, reminders and nudges."""
        chosen = Notify(where)
        await self.bot.tables.people.prefer(interaction.user.id, notify=chosen, locale=str(interaction.locale))
        await say(interaction, preferences.notify_set(language_of(interaction), chosen))

    @command("theme", Deed.PREFER)
    @app_commands.choices(look=LOOK_CHOICES)
    async def theme(self, interaction: Interaction, look: str | None = None) -> None:
        """Choose the look of everything private."""
        if look is not None:
            await self.bot.tables.people.prefer(interaction.user.id, theme=look)
        await send(interaction, await self._theme(interaction))

    async def _theme(self, interaction: Interaction) -> Reply:
        language = language_of(interaction)
        prefers = await self.bot.tables.people.person(interaction.user.id)
        looks = [option(look_name(language, name), number) for number, name in enumerate(LOOKS)]
        panel = Panel().menu(language.t(buttons.CHANGE), SetTheme(0), looks)
        if prefers.theme is not None:
            panel.button(language.t(buttons.END), SetTheme(0))
        return Reply(preferences.theme_status(language, prefers), panel)

    @on_press(SetTheme)
    async def set_theme(self, interaction: Interaction, press: SetTheme, table: None) -> None:
        """Change the look of everything private, or leave it to the tables."""
        look = None if press.value is None else LOOKS[press.value % len(LOOKS)]
        await self.bot.tables.people.prefer(interaction.user.id, theme=look)
        await replace(interaction, await self._theme(interaction))

    @command(
        "quiet",
        Deed.PREFER,
        suggest={"time_zone": _zones, "from_": _beginnings, "until": _endings},
    )
    async def quiet(
        self,
        interaction: Interaction,
        from_: str | None = None,
        until: str | None = None,
        time_zone: str | None = None,
    ) -> None:
        """Set the daily quiet hours, or end them."""
        first, last, zone = from_, until, time_zone
        language, user = language_of(interaction), interaction.user.id
        if first is None and last is None and zone is None:
            await send(interaction, await self._quiet(interaction))
            return
        before = await self.bot.tables.people.person(user)
        zone = zone or before.time_zone
        if zone is None:
            raise SayInstead(preferences.no_time_zone(language))
        if zone not in time_zones():
            raise SayInstead(preferences.unknown_time_zone(language))
        if (first is None) != (last is None):
            raise SayInstead(preferences.half_a_span(language))
        changes: dict[str, object] = {"time_zone": zone}
        if first is not None and last is not None:
            changes |= {"quiet_from": _minutes(interaction, first), "quiet_until": _minutes(interaction, last)}
        await self.bot.tables.people.prefer(user, **changes)
        await send(interaction, await self._quiet(interaction))

    async def _quiet(self, interaction: Interaction) -> Reply:
        """The current quiet hours, with the alternatives once the time zone is known."""
        language = language_of(interaction)
        prefers = await self.bot.tables.people.person(interaction.user.id)
        panel = Panel()
        if prefers.time_zone is not None:
            spans = [option(preferences.hours(*span), number) for number, span in enumerate(SPANS)]
            panel.menu(language.t(buttons.CHANGE), SetQuiet(0), spans)
        if prefers.quiet_from is not None:
            panel.button(language.t(buttons.END), SetQuiet(0))
        return Reply(preferences.quiet_set(language, prefers), panel)

    @on_press(SetQuiet)
    async def set_quiet(self, interaction: Interaction, press: SetQuiet, table: None) -> None:
        """Change the quiet hours, or end them."""
        first, last = (None, None) if press.value is None else SPANS[press.value % len(SPANS)]
        await self.bot.tables.people.prefer(interaction.user.id, quiet_from=first, quiet_until=last)
        await replace(interaction, await self._quiet(interaction))

    @command(
        "away",
        Deed.PREFER,
        suggest={"until": _days},
    )
    @app_commands.choices(meanwhile=choices_of(commands.MEANWHILE))
    async def away(
        self, interaction: Interaction, until: str | None = None, meanwhile: str = AwayHow.SLOW.value
    ) -> None:
        """Be away until a day, or come back."""
        if until is None:
            await send(interaction, await self._away(interaction))
            return
        await self._leave(interaction, until, AwayHow(meanwhile))

    async def _away(self, interaction: Interaction) -> Reply:
        """Whether the person is away, for how long they could be, and how to end it."""
        language = language_of(interaction)
        prefers = await self.bot.tables.people.person(interaction.user.id)
        lengths = [option(days(language, count), count) for count in AWAY_LENGTHS]
        panel = Panel().menu(language.t(buttons.CHANGE), SetAway(0), lengths)
        if prefers.away_until is not None:
            panel.button(language.t(buttons.END), SetAway(0))
        return Reply(preferences.away_status(language, prefers), panel)

    async def _leave(self, interaction: Interaction, day: str, how: AwayHow) -> None:
        person = person_of(interaction)
        moment = _day(interaction, day, await self.bot.tables.people.person(person.id))
        tables = await self.bot.tables.people.set_away(person, moment, how)
        told = preferences.away_set(language_of(interaction), await self.bot.tables.people.person(person.id), tables)
        await replace(interaction, Reply(told, (await self._away(interaction)).panel))

    @on_press(SetAway)
    async def set_away(self, interaction: Interaction, press: SetAway, table: None) -> None:
        """Be away for some days from today on, or come back."""
        person = person_of(interaction)
        prefers = await self.bot.tables.people.person(person.id)
        if press.value is None:
            tables = await self.bot.tables.people.come_back(person)
            told = preferences.back(language_of(interaction), prefers.away_until is not None, tables)
            await replace(interaction, Reply(told))
            return
        today = discord.utils.utcnow().astimezone(ZoneInfo(prefers.time_zone or "UTC")).date()
        # A forged number may be larger than any date allows: whatever is too long is refused as too long.
        until = today + timedelta(days=min(press.value, AWAY_DAYS + 2))
        await self._leave(interaction, until.isoformat(), prefers.away_how or AwayHow.SLOW)

    @command("nudge", Deed.NUDGE, game=Which.OWN)
    async def nudge(self, interaction: Interaction, table: Table) -> None:
        """Remind those the game is waiting for."""
        await think(interaction)
        users = await self.bot.tables.absence.nudge(table.id, person_of(interaction))
        table = await self.bot.tables.get(table.id)
        language = language_of(interaction)
        who = Names.of(table, language).marked(table.persons[interaction.user.id])
        nudged = await self.bot.notices.nudge(table, who, users)
        await say(interaction, leaving.will_be_reminded(language, table, nudged))


def _minutes(interaction: Interaction, text: str) -> int:
    """The minute of the day that a person means by "22:00", "22.30" or "7"."""
    hours, _, minutes = text.strip().replace(".", ":").partition(":")
    if hours.isdecimal() and (minutes or "0").isdecimal() and int(hours) < 24 and int(minutes or 0) < 60:
        return int(hours) * 60 + int(minutes or 0)
    raise SayInstead(preferences.no_time(language_of(interaction)))


def _day(interaction: Interaction, text: str, prefers: Preferences) -> int:
    """The first second of the day that a person means, in their time zone, as Unix seconds."""
    language = language_of(interaction)
    try:
        day = datetime.fromisoformat(text.strip())
    except ValueError:
        raise SayInstead(preferences.no_day(language)) from None
    moment = int(day.replace(tzinfo=ZoneInfo(prefers.time_zone or "UTC")).timestamp())
    now = discord.utils.utcnow().timestamp()
    if moment <= now:
        raise SayInstead(preferences.day_begun(language))
    if moment > now + AWAY_DAYS * 86_400:
        raise SayInstead(preferences.too_long_away(language, AWAY_DAYS))
    return moment
