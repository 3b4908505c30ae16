"""The menus with which a lobby's host changes the game, and a guild its named house rules, in private."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from bot.languages import Language, available, language_for, own_name
from bot.pace import DAY, HOUR, NO_WEEKENDS, PACES, name_pace, pace_of
from bot.preferences import House
from bot.rights import Deed
from bot.showing.controls import AskCancel, OtherPartners, with_no
from bot.showing.paging import TURN, menu_page
from bot.showing.panels import Line, Panel, Reply, Style, line
from bot.showing.presses import Press
from bot.table import INVITED, Feature, Table, Terms
from bot.tables.terms import fit_options
from bot.texts import buttons
from bot.texts.names import HOUSE_RULES, MARKS, Names, pace_name, system_name
from bot.texts.public import lobbies
from engine import SYSTEMS, Options, RuleSystem, Teams, available_options, why_refused

RULES = tuple(name for name in Options.names() if name != "teams")
"""The house rules that are on or off. All menus and numbers follow from them."""

TEAMS = (None, *Teams)
"""The teams that can be chosen; None: the usual teams."""

SET = 1_000
"""Added to the number of a named set in the menu of house rules."""


FREE = 1_000
"""Added to a seat in the menu of players, for freeing it."""

LOCK = 500
"""Before the seats to be freed in the menu of players: the lobby is open to all (LOCK) or to those who are invited."""

LOCKS = (buttons.OPEN_LOBBY, buttons.LOCK_LOBBY)
"""The ways in which a lobby can be open."""

STARTS = (buttons.BY_ITSELF, buttons.BY_HAND)
"""The ways in which a full lobby can start."""

WEEKENDS = (buttons.WEEKENDS_OFF, buttons.WEEKENDS_ON)
"""Clocks stand still at weekends, or run."""

RATED = (buttons.UNRATED, buttons.RATED)
"""The game counts for ratings, or does not."""


SAME = ("players", "hints", "talk", "by_hand", "rated")
"""The terms that a button for other rules holds as they are."""


def number_of(options: Options) -> int:
    """Return house rules as a number for a press."""
    on = sum(1 << index for index, name in enumerate(RULES) if getattr(options, name))
    return on + (TEAMS.index(options.teams) << len(RULES))


def options_of(number: int) -> Options:
    """Return the house rules that a number stands for; other bits of it are ignored."""
    chosen: dict[str, Any] = {name: True for index, name in enumerate(RULES) if number >> index & 1}
    teams = number >> len(RULES)
    return Options(**chosen, teams=TEAMS[teams] if teams < len(TEAMS) else None)


def switch_rule(options: Options, value: int) -> Options | None:
    """Return the options with a rule switched on or off, as the menu's value says; None if there is no such rule."""
    index, on = divmod(value, 2)
    if index >= len(RULES):
        return None
    return Options.from_json({**options.to_json(), RULES[index]: bool(on)})


class OpenTable(Press, verb="open", deed=Deed.OPEN):
    """Open a table with rules other than those asked for; `system`, `pace` and `language` are indexes in their lists.

    It carries every other option of `/dog new` but invitations; `house`: the house rules as a number.
    """

    system: int
    players: int
    pace: int
    thread: bool
    house: int
    hints: bool
    talk: bool
    language: int
    by_hand: bool
    rated: bool
    locked: bool
    role: int
    hours: int
    bank: int
    weekends: bool

    @classmethod
    def of(cls, terms: Terms, *, thread: bool) -> OpenTable:
        """Return the press that opens a table with these terms, as far as they can differ from a guild's usual ones."""
        base, time = terms.pace.removesuffix(NO_WEEKENDS), pace_of(terms.pace) or PACES[Terms().pace]
        own = base not in PACES
        return cls(
            table=0,
            system=tuple(SYSTEMS).index(terms.system),
            pace=tuple(PACES).index(Terms().pace if own else base),
            thread=thread,
            house=number_of(terms.options),
            language=available().index(language_for(terms.locale).code),
            locked=terms.admits == INVITED,
            role=terms.admits or 0,
            hours=(time.seconds or 0) // HOUR if own else 0,
            bank=time.bank // DAY if own else 0,
            weekends=time.weekends,
            **{name: getattr(terms, name) for name in SAME},
        )

    def terms(self, usual: Terms) -> Terms | None:
        """Return the terms that `of` was given, with what else is `usual`; None if the numbers stand for none."""
        if self.system >= len(SYSTEMS) or self.pace >= len(PACES):
            return None
        pace = name_pace(tuple(PACES)[self.pace], self.hours, self.bank, weekends=self.weekends)
        changed = replace(
            usual,
            system=tuple(SYSTEMS)[self.system],
            options=options_of(self.house),
            pace=pace,
            locale=available()[self.language % len(available())],
            admits=INVITED if self.locked else self.role or None,
            **{name: getattr(self, name) for name in SAME},
        )
        return None if pace_of(pace) is None else changed


def change_house(options: Options, value: int, houses: Sequence[House]) -> Options | None:
    """Return the options after a choice in the menu of house rules; None if the value stands for nothing."""
    if value < SET:
        return switch_rule(options, value)
    return next((house.options for house in houses if house.number == value - SET), None)


class Part(Enum):
    """The part of the terms that a menu or button changes."""

    SYSTEM = auto()
    PLAYERS = auto()
    PACE = auto()
    HINTS = auto()
    TALK = auto()
    HOUSE = auto()


class Arrange(Press, verb="arrange", deed=Deed.SET_TERMS, menu="value"):
    """Change a part of the terms: to a system or pace by its index, to `value` players, on (1) or off (0).

    Behind the systems stand the languages; behind the paces the ways to start, whether the game is rated, and whether
    weekends count; behind the numbers of players (from LOCK on) who may join, and the seats to be freed.
    """

    part: Part
    value: int | None = None

    @property
    def turns(self) -> tuple[Part, int] | None:
        """The menu to be turned and its page, if a page was chosen."""
        value = self.value or 0
        return (self.part, value - TURN) if value >= TURN else None

    @property
    def frees(self) -> int | None:
        """The seat to be freed, if a seat was chosen."""
        value = self.value or 0
        return value - FREE if self.part is Part.PLAYERS and value >= FREE else None

    def changes(self, terms: Terms, houses: Sequence[House]) -> dict[str, Any] | None:
        """Return the changed fields of these terms, by their names; None if the value stands for nothing."""
        value = self.value
        if value is None:
            return None
        match self.part:
            case Part.SYSTEM:
                if value < len(SYSTEMS):
                    return {"system": tuple(SYSTEMS)[value]}
                spoken = available()[value - len(SYSTEMS) :][:1]
                return {"locale": spoken[0]} if spoken else None
            case Part.PLAYERS if value >= LOCK:
                return {"admits": INVITED if value > LOCK else None} if value - LOCK < len(LOCKS) else None
            case Part.PLAYERS:
                return change_players(terms, value)
            case Part.PACE:
                return _pace_changes(value, terms)
            case Part.HINTS:
                return {"hints": bool(value)}
            case Part.TALK:
                return {"talk": bool(value)}
            case Part.HOUSE:
                found = change_house(terms.options, value, houses)
        return None if found is None else {"options": found}


def list_players(language: Language, system: RuleSystem, first: int = 0) -> list[Line]:
    """Return the lines for the numbers of players and teams of a system; their values begin with `first`."""
    return [
        line(lobbies.players_option(language, count, teams), first + 10 * count + index)
        for count in system.players
        for index, teams in enumerate(TEAMS)
        if teams is None or why_refused(system, count, Options(teams=teams)) is None
    ]


def change_players(terms: Terms, value: int) -> dict[str, Any] | None:
    """Return the changed fields for a value of these lines, without their `first`; None if it stands for nothing."""
    players, teams = divmod(value, 10)
    system = SYSTEMS[terms.system]
    if teams >= len(TEAMS) or players not in system.players:
        return None
    return {"players": players, "options": fit_options(system, players, replace(terms.options, teams=TEAMS[teams]))}


def _pace_changes(value: int, terms: Terms) -> dict[str, Any] | None:
    """Return the changed fields for a value of the menu of paces; None if it stands for nothing."""
    base, off = terms.pace.removesuffix(NO_WEEKENDS), terms.pace.endswith(NO_WEEKENDS)
    if value < len(PACES):
        name = tuple(PACES)[value]
        return {"pace": name + NO_WEEKENDS if off and pace_of(name + NO_WEEKENDS) else name}
    field, on = divmod(value - len(PACES), 2)
    match field:
        case 0 | 1:
            return {("by_hand", "rated")[field]: bool(on)}
        case 2:
            return {"pace": base if on else base + NO_WEEKENDS}
        case _:
            return None


class FreeSeat(Press, verb="free_seat", deed=Deed.SET_TERMS):
    """Free the seat of a player, by user id, also if another player sits there now."""

    user: int


def asking_to_free(language: Language, table: Table, seat: int) -> Reply | None:
    """Return the question whether to remove the player of a seat; None if no player sits there."""
    user = table.occupants[seat].user_id if seat in table.occupants else None
    if user is None:
        return None
    label = language.t(buttons.REMOVE, name=Names.of(table, language).label(seat))
    panel = Panel().button(label, FreeSeat(table.id, user), style=Style.DANGER, emoji=MARKS[seat])
    return Reply(lobbies.ask_free(language, table, seat), with_no(language, panel))


def arranging(
    language: Language, table: Table, houses: Sequence[House], turned: tuple[Part, int] | None = None
) -> Reply:
    """Return the menus of a lobby's host; each says what it is set to.

    `houses`: the sets that the guild has named; `turned`: the menu that shows another page than its first, and which.
    """

    def add(label: str, part: Part, lines: Sequence[Line], row: int) -> None:
        page = turned[1] if turned is not None and turned[0] is part else 0
        panel.menu(label, Arrange(table.id, part), menu_page(language, lines, page), row=row)

    terms, panel, system = table.terms, Panel(), SYSTEMS[table.system]
    systems = [
        line(system_name(language, key), index, language.t(lobbies.SYSTEM_KINDS.get(key, "")))
        for index, key in enumerate(SYSTEMS)
    ]
    systems += [
        line(language.t(buttons.LANGUAGE, language=own_name(code)), len(SYSTEMS) + index, emoji="🌐")
        for index, code in enumerate(available())
    ]
    add(f"{system_name(language, terms.system)} · {own_name(terms.locale)}", Part.SYSTEM, systems, 0)
    players = list_players(language, system)
    locks = terms.admits is None
    players.append(line(language.t(LOCKS[locks]), LOCK + locks, emoji="🔒" if locks else None))
    names = Names.of(table, language)
    players += [
        line(language.t(buttons.REMOVE, name=names.label(seat)), FREE + seat, emoji=MARKS[seat])
        for user, seat in table.owners.items()
        if user != table.host_id
    ]
    add(lobbies.players_menu(language, table), Part.PLAYERS, players, 1)
    paces = [line(pace_name(language, key), index) for index, key in enumerate(PACES)]
    start = not terms.by_hand
    paces.append(line(language.t(STARTS[start]), len(PACES) + start))
    if table.can_be_rated:
        paces.append(line(language.t(RATED[not terms.rated]), len(PACES) + len(STARTS) + (not terms.rated)))
    base, off = terms.pace.removesuffix(NO_WEEKENDS), terms.pace.endswith(NO_WEEKENDS)
    if pace_of(base + NO_WEEKENDS) is not None:
        paces.append(line(language.t(WEEKENDS[off]), len(PACES) + len(STARTS) + len(RATED) + off))
    add(lobbies.pace_menu(language, table), Part.PACE, paces, 2)
    rules = house_lines(language, system, terms, houses)
    if rules:
        add(lobbies.house_menu(language, terms.options), Part.HOUSE, rules, 3)
    hints, talk = not terms.hints, not terms.talk
    label = buttons.HINTS_ON if hints else buttons.HINTS_OFF
    if Feature.HINTS not in table.off:
        panel.button(language.t(label), Arrange(table.id, Part.HINTS, int(hints)), emoji="💡", row=4)
    label = buttons.TALK_ON if talk else buttons.TALK_OFF
    if Feature.PHRASES not in table.off:
        panel.button(language.t(label), Arrange(table.id, Part.TALK, int(talk)), emoji="💬", row=4)
    if any(len(team) > 1 for team in table.board.teams):
        panel.button(language.t(buttons.OTHER_PARTNERS), OtherPartners(table.id), emoji="🔀", row=4)
    panel.button(language.t(buttons.CANCEL), AskCancel(table.id), style=Style.DANGER, row=4)
    return Reply(lobbies.arranging(language, table), panel)


def house_lines(language: Language, system: RuleSystem, terms: Terms, houses: Sequence[House]) -> list[Line]:
    """Return lines to switch the house rules that make sense here, after those of the sets that fit as they are."""
    sets = [
        line(house.name, SET + house.number, emoji="📦")
        for house in houses
        if why_refused(system, terms.players, house.options) is None
    ]
    return [*sets, *_rules(language, terms.options, available_options(system, terms.players))]


def _rules(language: Language, options: Options, sensible: Container[str]) -> list[Line]:
    """Return lines to switch the rules that are on, and those that make sense."""
    return [
        line(language.t(HOUSE_RULES[name]), 2 * index + (not on), emoji="✅" if on else None)
        for index, name in enumerate(RULES)
        if (on := getattr(options, name)) or name in sensible
    ]


class SetHouse(Press, verb="house", deed=Deed.SET_UP, menu="value"):
    """Change a set of house rules that a guild has named, by its number: a rule on or off, or other teams."""

    number: int
    value: int | None = None

    def changed(self, options: Options) -> Options | None:
        """Return the house rules after this; None if the value stands for nothing."""
        if self.value is None:
            return None
        if self.value >= SET:
            teams = self.value - SET
            return replace(options, teams=TEAMS[teams]) if teams < len(TEAMS) else None
        return switch_rule(options, self.value)


def house_panel(language: Language, house: House) -> Panel:
    """Return the menu with which managers change a set of house rules."""
    teams = [
        line(lobbies.teams_option(language, kind), SET + index, emoji="✅" if kind is house.options.teams else None)
        for index, kind in enumerate(TEAMS)
    ]
    lines = [*_rules(language, house.options, RULES), *teams]
    return Panel().menu(lobbies.house_menu(language, house.options), SetHouse(0, house.number), lines)
