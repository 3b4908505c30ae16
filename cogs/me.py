"""Users' settings for all their games: where they are told, the look, quiet hours, being away; and their own data."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import discord
from discord import app_commands

from bot.errors import Problem
from bot.interactions.answers import Attachment, SayInstead
from bot.interactions.commands import DogCog, Option, Suggest, command
from bot.interactions.guests import find_friend
from bot.interactions.lookup import parse_language, suggest_language
from bot.interactions.request import Request
from bot.languages import available, own_name
from bot.languages import mark as _
from bot.occupants import Person
from bot.pace import DAY
from bot.preferences import IN_WORDS, LONGEST_AWAY, AwayHow, Notify, OnlyMove
from bot.rights import Deed
from bot.showing.controls import SetInvited, invitations_button, no_invitations_button, operators_links
from bot.showing.panels import Line, Panel, Reply, Style, line
from bot.showing.presses import Press
from bot.texts import buttons, leaving, preferences
from bot.texts.markup import stack
from bot.time_zones import city_for, time_zones
from render import THEMES

T = TypeVar("T")

LOOKS = {**{name: name for name in THEMES}, IN_WORDS: _("text, without pictures")}
"""The looks that a user can choose for everything that only they see."""

OWN, PUBLIC = "own", "public"

SPANS = tuple((hour * 60, (hour + length) % 24 * 60) for hour in (21, 22, 23, 0) for length in (8, 9, 10))
"""Quiet hours to choose from: first and last minute of the day."""

AWAY_LENGTHS = (1, 2, 3, 4, 5, 7, 10, 14, 21, 28)
"""The numbers of days to choose from."""

LARGEST = 8_000_000
"""The most bytes of a file that is sent as it is; Discord takes 10 MB."""

AWAY_DAYS = LONGEST_AWAY // DAY
"""The longest absence that can be announced, in days."""


class _Setting(Press, deed=Deed.PREFER, menu="value"):
    """Set what is chosen in the menu, an index in a list; without a menu, end what is set."""

    value: int | None = None


class SetTheme(_Setting, verb="theme"):
    """Choose the look of everything private, or leave it to the tables."""


class SetLanguage(_Setting, verb="language"):
    """Choose the language of everything private, or leave it to the user's Discord."""


class SetBottom(_Setting, verb="bottom"):
    """Turn everything private as in public (1), or with the user's own side at the bottom (0)."""


class SetQuiet(_Setting, verb="quiet"):
    """Choose quiet hours, or end them."""


class SetAway(_Setting, verb="away"):
    """Be away for some days."""


class SetListed(Press, verb="listed", deed=Deed.PREFER):
    """Appear in statistics, or be left out of them."""

    listed: bool


class Unblock(Press, verb="unblock", deed=Deed.BLOCK):
    """No longer block a person, by user id."""

    user: int


class Export(Press, verb="export", deed=Deed.EXPORT):
    """Get everything that is stored about the user."""


class Forget(Press, verb="forget", deed=Deed.FORGET):
    """Be forgotten; `sure`: how often that has been confirmed."""

    sure: int


def _of(values: Sequence[T], index: int | None) -> T | None:
    return None if index is None else values[index % len(values)]


_CHANGES: Mapping[type[_Setting], Callable[[int | None], dict[str, object]]] = {
    SetTheme: lambda value: {"theme": _of(tuple(LOOKS), value)},
    SetLanguage: lambda value: {"language": _of(available(), value)},
    SetBottom: lambda value: {"as_public": bool(value)},
    SetQuiet: lambda value: dict(zip(("quiet_from", "quiet_until"), _of(SPANS, value) or (None, None), strict=True)),
}
"""The changes that settings make, by the names of `Preferences`."""


async def _zones(request: Request, current: str) -> Iterable[tuple[str, str]]:
    """Suggest first the zones whose city begins with what was typed; for an abbreviation, a city where it is used."""
    wanted = current.lower().replace(" ", "_")
    zones = sorted(time_zones(), key=lambda zone: (not zone.lower().rpartition("/")[2].startswith(wanted), zone))
    city = city_for(current)
    return [*([] if city is None else [(city, f"{city} ({current.strip()})")]), *zip(zones, zones, strict=True)]


def _hours(first: int) -> Suggest:
    """Suggest every hour of the day, beginning with `first`."""

    async def hours(request: Request, current: str) -> Iterable[tuple[str, str]]:
        return [(hour, hour) for step in range(24) for hour in [f"{(first + step) % 24:02}:00"]]

    return hours


async def _days(request: Request, current: str) -> Iterable[tuple[str, str]]:
    today = discord.utils.utcnow().date()
    return [(day, day) for count in range(1, AWAY_DAYS) for day in [(today + timedelta(days=count)).isoformat()]]


class MeCog(DogCog):
    """Users' settings for all their games: `/dog me`."""

    @command(
        "dog me notify",
        _("Choose where you hear about your turns"),
        Deed.PREFER,
        where=Option(
            _("Where to tell you it's your turn"),
            {
                Notify.CHANNEL: _("in the channel"),
                Notify.ALWAYS: _("in the channel, even while I'm playing"),
                Notify.DM: _("by direct message, with your hand"),
                Notify.BOTH: _("both"),
                Notify.SILENT: _("nowhere"),
            },
        ),
    )
    async def notify(self, request: Request, where: str) -> None:
        chosen, locale = Notify(where), str(request.interaction.locale)
        await request.tables.users.prefer(request.user_id, notify=chosen, locale=locale)
        await request.say(request.language.t(preferences.NOTIFIED[chosen]))

    @command(
        "dog me theme",
        _("Theme of boards and hands only you see"),
        Deed.PREFER,
        look=Option(_("Theme. Leave empty to see them all"), LOOKS),
        bottom=Option(
            _("Which side is at the bottom of boards only you see"),
            {OWN: _("my own side"), PUBLIC: _("as everyone sees it")},
        ),
    )
    async def theme(self, request: Request, look: str | None = None, bottom: str | None = None) -> None:
        changes: dict[str, object] = {} if look is None else {"theme": look}
        changes |= {} if bottom is None else {"as_public": bottom == PUBLIC}
        if changes:
            await request.tables.users.prefer(request.user_id, **changes)
        await request.send(await self._theme(request))

    async def set(self, request: Request, press: SetTheme | SetLanguage | SetBottom | SetQuiet) -> None:
        """Change a setting, and show it as it is now."""
        shown = {SetLanguage: self._language, SetQuiet: self._quiet}.get(type(press), self._theme)
        await request.tables.users.prefer(request.user_id, **_CHANGES[type(press)](press.value))
        await request.replace(await shown(request))

    async def _theme(self, request: Request) -> Reply:
        """Return the present look, with the alternatives."""
        language, prefers = request.language, await request.preferences()
        looks = [line(language.t(look), number) for number, look in enumerate(LOOKS.values())]
        panel = Panel().menu(language.t(buttons.CHANGE_LOOK), SetTheme(0), looks)
        if prefers.theme is not None:
            panel.button(language.t(buttons.PICTURES_AGAIN if prefers.in_words else buttons.END), SetTheme(0))
        if not prefers.in_words:
            label = buttons.OWN_SIDE if prefers.as_public else buttons.AS_IN_PUBLIC
            panel.button(language.t(label), SetBottom(0, int(not prefers.as_public)), emoji="🔄")
        return Reply(preferences.theme_status(language, prefers), panel)

    @command(
        "dog me language",
        _("The language of what only you see"),
        Deed.PREFER,
        language=Option(_("The language. Leave empty to see them all"), suggest=suggest_language),
    )
    async def language(self, request: Request, language: app_commands.Range[str, 1, 40] | None = None) -> None:
        if language is not None:
            await request.tables.users.prefer(request.user_id, language=parse_language(request, language))
        await request.send(await self._language(request))

    async def _language(self, request: Request) -> Reply:
        """Return the present language, in that language, with the alternatives."""
        await request.recognise()
        prefers = await request.preferences()
        names = [line(own_name(code), number) for number, code in enumerate(available())]
        panel = _panel(request, SetLanguage, names, ends=prefers.language is not None)
        return Reply(preferences.language_status(request.language, prefers), panel)

    @command(
        "dog me quiet",
        _("Hours when your clock stops"),
        Deed.PREFER,
        from_=Option(_("Start, such as 22:00. Leave blank to see and change them"), suggest=_hours(22)),
        until=Option(_("End, such as 07:30, at most 10 hours later"), suggest=_hours(7)),
        time_zone=Option(_("Where you live, such as Europe/Zurich"), suggest=_zones),
    )
    async def quiet(
        self, request: Request, from_: str | None = None, until: str | None = None, time_zone: str | None = None
    ) -> None:
        """Set the daily quiet hours, or see and change them."""
        zone = time_zone or (await request.preferences()).time_zone
        if (from_ or until) and zone is None:
            raise SayInstead(preferences.no_time_zone(request.language))
        times = (("quiet_from", from_), ("quiet_until", until))
        changes: dict[str, object] = {name: _minutes(request, time) for name, time in times if time is not None}
        if changes or time_zone:
            await request.tables.users.prefer(request.user_id, time_zone=zone, **changes)
        await request.send(await self._quiet(request))

    async def _quiet(self, request: Request) -> Reply:
        """Return the present quiet hours, with the alternatives once the time zone is known."""
        prefers = await request.preferences()
        spans = [line(preferences.hours(*span), number) for number, span in enumerate(SPANS)]
        panel = _panel(
            request, SetQuiet, spans if prefers.time_zone is not None else [], ends=prefers.quiet_from is not None
        )
        return Reply(preferences.quiet_set(request.language, prefers), panel)

    @command(
        "dog me away",
        _("Say how long you'll be away, or that you're back"),
        Deed.PREFER,
        until=Option(_("The day you're back, such as 2026-12-24. Leave empty to see it"), suggest=_days),
        meanwhile=Option(
            _("What your games do (default: a computer plays)"),
            {AwayHow.COMPUTER: _("a computer plays for me"), AwayHow.SLOW: _("slow games wait for me")},
        ),
        friend=_("Who plays for you, if they agree"),
    )
    async def away(
        self,
        request: Request,
        until: str | None = None,
        meanwhile: str = AwayHow.COMPUTER.value,
        friend: discord.User | None = None,
    ) -> None:
        if until is None and friend is not None:
            raise SayInstead(preferences.no_end(request.language))
        if until is None:
            status = preferences.away_status(request.language, await request.preferences())
            await request.send(Reply(status, await self._away(request)))
            return
        await self._leave(request, until, AwayHow(meanwhile), friend)

    async def set_away(self, request: Request, press: SetAway) -> None:
        prefers = await request.tables.users.preferences(request.user_id)
        if press.value is None:
            tables = await request.tables.users.come_back(request.person)
            language, was_away = request.language, prefers.away_until is not None
            text = preferences.back(language, tables) if was_away else preferences.never_away(language)
            await request.replace(Reply(text))
            return
        today = discord.utils.utcnow().astimezone(ZoneInfo(prefers.time_zone or "UTC")).date()
        # A forged number may be larger than any date allows: whatever is too long is refused as too long.
        until = today + timedelta(days=min(press.value, AWAY_DAYS + 2))
        await self._leave(request, until.isoformat(), prefers.away_how or AwayHow.COMPUTER)

    async def _leave(self, request: Request, day: str, how: AwayHow, friend: discord.User | None = None) -> None:
        users = request.tables.users
        moment = _day(request, day, (await users.preferences(request.user_id)).time_zone)
        person = None if friend is None else await find_friend(request, friend)
        tables = await users.set_away(request.person, moment, how)
        prefers = await request.preferences()
        text = preferences.away_set(request.language, prefers, tables, prefers.away_left(int(request.now)))
        if person is not None:
            text = stack(text, await self._ask_friend(request, *person))
        await request.replace(Reply(text, await self._away(request)))

    async def _ask_friend(self, request: Request, friend: Person, here: int | None) -> str:
        """Ask a friend, once, to play the user's games; return what came of it."""
        asked = await request.tables.friends.ask_everywhere(request.person, friend, here)
        if not asked:
            return request.language.t(Problem.NO_GAME_TO_PLAY.value)
        if not await self.bot.delivery.once.ask_friend(asked[0], request.user_id, friend.id):
            return leaving.friend_unreached(request.language, friend.id)
        return leaving.friend_asked(request.language, friend.id, asked)

    async def _away(self, request: Request) -> Panel:
        """Return the lengths of absence to choose from, and the button that ends it."""
        lengths = [line(request.language.span(count * DAY), count) for count in AWAY_LENGTHS]
        return _panel(request, SetAway, lengths, ends=(await request.preferences()).away_until is not None)

    @command(
        "dog me forced",
        _("Have your forced moves played for you at once"),
        Deed.PREFER,
        where=Option(_("In which games (not in exchanges)"), preferences.ONLY_MOVE),
    )
    async def forced(self, request: Request, where: str) -> None:
        chosen = OnlyMove(where)
        await request.tables.users.prefer(request.user_id, only_move=chosen)
        await request.say(request.language.t(preferences.ONLY_MOVE_SET[chosen]))

    @command(
        "dog me block",
        _("Block someone from inviting, joining or being matched with you"),
        Deed.BLOCK,
        member=_("Who to block or unblock. Leave empty to see who's blocked"),
    )
    async def block(self, request: Request, member: discord.User | None = None) -> None:
        users, language = request.tables.users, request.language
        if member is None:
            await request.send(await self._blocks(request))
            return
        if member.id not in await users.blocks(request.user_id):
            await users.block(request.user_id, member.id)
        panel = Panel().button(language.t(buttons.UNBLOCK), Unblock(0, member.id))
        await request.send(Reply(preferences.blocked(language, member.id), panel))

    async def _blocks(self, request: Request) -> Reply:
        """Return whom the user has blocked, and whether they are invited, which the button changes."""
        language, prefers = request.language, await request.preferences()
        change = invitations_button if prefers.uninvited else no_invitations_button
        blocked = await request.tables.users.blocks(request.user_id)
        return Reply(preferences.blocked_list(language, blocked, prefers), change(Panel(), language))

    async def set_invited(self, request: Request, press: SetInvited) -> None:
        """Be invited or not; an invitation under which that is pressed stays."""
        language = request.language
        await request.tables.users.prefer(request.user_id, uninvited=not press.invited)
        sentence = preferences.invitations if press.invited else preferences.no_invitations
        await request.send(Reply(sentence(language), None if press.invited else invitations_button(Panel(), language)))

    async def unblock(self, request: Request, press: Unblock) -> None:
        await request.tables.users.unblock(request.user_id, press.user)
        await request.replace(Reply(preferences.unblocked(request.language, press.user)))

    @command("dog me privacy", _("See, export or delete the data I store about you"), Deed.PREFER)
    async def privacy(self, request: Request) -> None:
        await request.send(await self._privacy(request))

    async def _privacy(self, request: Request) -> Reply:
        language, prefers = request.language, await request.tables.users.preferences(request.user_id)
        panel = Panel().button(language.t(buttons.EXPORT), Export(0))
        other = buttons.COUNT_IN if prefers.unlisted else buttons.LEAVE_OUT
        panel.button(language.t(other), SetListed(0, prefers.unlisted))
        panel.button(language.t(buttons.FORGET_ME), Forget(0, 0), style=Style.DANGER)
        text = preferences.privacy(language, prefers, self.bot.settings.keep_days)
        return Reply(text, operators_links(panel, language, self.bot.settings))

    async def set_listed(self, request: Request, press: SetListed) -> None:
        await request.tables.users.prefer(request.user_id, unlisted=not press.listed)
        await request.replace(await self._privacy(request))

    async def export(self, request: Request, press: Export) -> None:
        await request.think()
        exported = await request.tables.privacy.export(request.user_id)
        data, name = await asyncio.to_thread(_file_of, exported)
        text = preferences.exported(request.language)
        await request.attach(text, Attachment(data, name, ""))

    async def forget(self, request: Request, press: Forget) -> None:
        """Ask twice, then forget the user."""
        language = request.language
        if press.sure > 1:
            await request.tables.privacy.forget(request.user_id)
            await request.replace(Reply(preferences.forgotten(language)))
            return
        label = buttons.FORGET_ALL if press.sure else buttons.YES_FORGET
        ask = preferences.forget_again if press.sure else preferences.forget_first
        await request.confirm(ask(language), language.t(label), Forget(0, press.sure + 1), instead=True)


def _file_of(found: dict[str, Any]) -> tuple[bytes, str]:
    """Return an export as a file with its name: JSON, compressed if Discord would not take it otherwise."""
    data = json.dumps(found, indent=1, ensure_ascii=False).encode()
    return (data, "dog.json") if len(data) <= LARGEST else (gzip.compress(data), "dog.json.gz")


def _panel(request: Request, setting: type[_Setting], lines: list[Line], *, ends: bool) -> Panel:
    """Return a menu that changes a setting, and the button that ends it."""
    panel = Panel().menu(request.language.t(buttons.CHANGE), setting(0), lines)
    return panel.button(request.language.t(buttons.END), setting(0)) if ends else panel


def _minutes(request: Request, text: str) -> int:
    """Return the minute of the day that is meant by "22:00", "22.30" or "7"."""
    hours, _colon, minutes = text.strip().replace(".", ":").partition(":")
    if hours.isdecimal() and (minutes or "0").isdecimal() and int(hours) < 24 and int(minutes or 0) < 60:
        return int(hours) * 60 + int(minutes or 0)
    raise SayInstead(preferences.no_time(request.language))


def _day(request: Request, text: str, time_zone: str | None) -> int:
    """Return the first second of a day that was typed, in the user's time zone, as Unix seconds."""
    try:
        day = datetime.fromisoformat(text.strip())
    except ValueError:
        raise SayInstead(preferences.no_day(request.language)) from None
    return int(day.replace(tzinfo=ZoneInfo(time_zone or "UTC")).timestamp())
