"""Time zones: their names, those that are suggested, and what else people write for theirs."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones


@lru_cache(1)
def time_zones() -> tuple[str, ...]:
    """Return the names of all time zones that are suggested, in alphabetical order: those of cities."""
    areas = ("Africa/", "America/", "Antarctica/", "Arctic/", "Asia/", "Atlantic/", "Australia/", "Europe/")
    seas = ("Indian/", "Pacific/")
    return tuple(sorted(name for name in available_timezones() if name.startswith(areas + seas)))


def is_time_zone(name: str) -> bool:
    """Return True if a person can live by this time zone: one of a place, of one with summer time, or UTC."""
    return name in _known() and (has_summer_time(name) or city_for(name) is None)


def has_summer_time(name: str) -> bool:
    """Return True if this is a time zone in which clocks are put forward and back."""
    zone = find_zone(name) if name in _known() else None
    return len({datetime(2026, month, 1, tzinfo=zone).utcoffset() for month in range(1, 13)}) > 1


@lru_cache(1)
def _known() -> frozenset[str]:
    """Return all names except placeholders: no zone, and the setting of this machine."""
    return frozenset(available_timezones()) - {"Factory", "localtime"}


CITIES = {
    "Europe/London": "GMT BST GMT0 GREENWICH",
    "Europe/Lisbon": "WET WEST",
    "Europe/Berlin": "CET CEST MEZ MESZ MET MEST",
    "Europe/Athens": "EET EEST OEZ OESZ",
    "Europe/Moscow": "MSK",
    "Europe/Istanbul": "TRT",
    "Africa/Lagos": "WAT",
    "Africa/Johannesburg": "SAST CAT",
    "Africa/Nairobi": "EAT",
    "Asia/Dubai": "GST",
    "Asia/Karachi": "PKT",
    "Asia/Kolkata": "IST",
    "Asia/Dhaka": "BDT",
    "Asia/Bangkok": "ICT",
    "Asia/Jakarta": "WIB",
    "Asia/Singapore": "SGT",
    "Asia/Hong_Kong": "HKT",
    "Asia/Manila": "PHT PHST",
    "Asia/Tokyo": "JST",
    "Asia/Seoul": "KST",
    "Australia/Perth": "AWST",
    "Australia/Adelaide": "ACST ACDT",
    "Australia/Sydney": "AEST AEDT",
    "Pacific/Auckland": "NZST NZDT NZT",
    "America/St_Johns": "NST NDT",
    "America/Halifax": "AST ADT",
    "America/New_York": "EST EDT ET EST5EDT",
    "America/Chicago": "CST CDT CT CST6CDT",
    "America/Denver": "MST MDT MT MST7MDT",
    "America/Los_Angeles": "PST PDT PT PST8PDT",
    "America/Anchorage": "AKST AKDT",
    "Pacific/Honolulu": "HST",
    "America/Bogota": "COT",
    "America/Sao_Paulo": "BRT BRST",
    "America/Argentina/Buenos_Aires": "ART",
}
"""Abbreviations that people write for their time zone, by a city where they are used."""

_CITY = {short: city for city, all_of_it in CITIES.items() for short in all_of_it.split()}

_BY_HOUR = (
    *("Pacific/Pago_Pago", "Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver"),
    *("America/Chicago", "America/New_York", "America/Halifax", "America/Sao_Paulo", "America/Noronha"),
    *("Atlantic/Azores", "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow", "Asia/Dubai"),
    *("Asia/Karachi", "Asia/Dhaka", "Asia/Bangkok", "Asia/Singapore", "Asia/Tokyo", "Australia/Sydney"),
    *("Pacific/Noumea", "Pacific/Auckland", "Pacific/Tongatapu", "Pacific/Kiritimati"),
)
"""A city for each number of hours from UTC in winter, from -11 to 14."""

_BY_MINUTE = {
    -210: "America/St_Johns",
    210: "Asia/Tehran",
    270: "Asia/Kabul",
    330: "Asia/Kolkata",
    345: "Asia/Kathmandu",
    390: "Asia/Yangon",
    570: "Australia/Adelaide",
    765: "Pacific/Chatham",
}
"""A city for each difference from UTC that is no whole number of hours, in minutes."""

_OFFSET = re.compile(r"(ETC/)?(?:GMT|UTC|UCT|Z)? ?([+-])(\d{1,2}):?([0-5]\d)?")


def city_for(name: str) -> str | None:
    """Return a time zone with a city that fits an abbreviation or a fixed difference from UTC; None for others.

    Nearly all of those are the same all year, and an hour off for half of it where there is summer time. UTC itself is
    a time zone that a person may mean.
    """
    short = name.strip().upper()
    if (city := _CITY.get(short.removeprefix("ETC/"))) is not None:
        return city
    offset = _OFFSET.fullmatch(short)
    if offset is None:
        return None
    # The zones of the family Etc/ have the opposite sign.
    east = (offset[2] == "+") != bool(offset[1])
    minutes = (1 if east else -1) * (int(offset[3]) * 60 + int(offset[4] or 0))
    if minutes % 60:
        return _BY_MINUTE.get(minutes)
    hours = minutes // 60
    # Where it is 12 hours earlier than in Greenwich, there is no city.
    return _BY_HOUR[max(hours, -11) + 11] if -12 <= hours <= 14 else None


def find_zone(name: str) -> ZoneInfo | None:
    """Return a time zone; None if this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
