"""The menus with which a lobby's host changes the game, and a guild its named house rules, in private."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from bot.guild_records import MOST_HOUSES, House
from bot.languages import Language, available, language_for, own_name
from bot.pace import DAY, HOUR, NO_WEEKENDS, PACES, name_pace, pace_of
from bot.rights import Deed
from bot.showing.controls import AskCancel, OtherPartners, with_no
from bot.showing.paging import TURN, menu_page
from bot.showing.panels import MenuChoice, Panel, Reply, Style, chosen, lines_of
from bot.showing.presses import Press
from bot.table import INVITED, Feature, Table, Terms
from bot.tables.terms import fit_options
from bot.texts import buttons
from bot.texts.names import HOUSE_RULES, MARKS, Names, pace_name, system_name
from bot.texts.public import lobbies
from engine import SYSTEMS, Options, Teams, available_options, why_refused

Changes = Mapping[str, Any]
"""Changed fields of terms, by their names."""

RULES = tuple(name for name in Options.names() if name != "teams")
"""The house rules that are on or off. All menus and numbers follow from them."""

TEAMS = (None, *Teams)
"""The teams that can be chosen; None: the usual teams."""

COUNTS = sorted({players for system in SYSTEMS.values() for players in system.players})
"""The numbers of players of all systems."""

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


class TermsPart(Enum):
    """The part of the terms that a menu or button changes."""

    SYSTEM = auto()
    PLAYERS = auto()
    PACE = auto()
    HINTS = auto()
    TALK = auto()
    HOUSE = auto()


class Arrange(Press, verb="arrange", deed=Deed.SET_TERMS, menu="value"):
    """Change a part of the terms, by the index of a choice (`list_choices`)."""

    part: TermsPart
    value: int | None = None

    @property
    def turns(self) -> tuple[TermsPart, int] | None:
        """The menu to be turned and its page, if a page was chosen."""
        value = self.value or 0
        return (self.part, value - TURN) if value >= TURN else None


def list_choices(
    language: Language, table: Table, part: TermsPart, houses: Sequence[House]
) -> list[MenuChoice[Changes]]:
    """Return the choices of a lobby's menu, with the fields of its terms that each changes.

    `houses`: the sets that the guild has named. The field `free` is none of them: a seat whose player is to be removed.
    """
    t, terms = language.t, table.terms
    match part:
        case TermsPart.SYSTEM:
            systems = [
                MenuChoice(system_name(language, key), {"system": key}, about=t(lobbies.SYSTEM_KINDS.get(key, "")))
                for key in SYSTEMS
            ]
            spoken = [
                MenuChoice(t(buttons.LANGUAGE, language=own_name(code)), {"locale": code}, emoji="🌐")
                for code in available()
            ]
            return [*systems, *spoken]
        case TermsPart.PLAYERS:
            names, is_open = Names.of(table, language), terms.admits is None
            taken = {seat for user, seat in table.owners.items() if user != table.host_id}
            return [
                *list_players(language, terms),
                MenuChoice(t(buttons.OPEN_LOBBY), {"admits": None}, not is_open),
                MenuChoice(t(buttons.LOCK_LOBBY), {"admits": INVITED}, is_open, emoji="🔒"),
                *(
                    MenuChoice(
                        t(buttons.REMOVE, name=names.label(seat)), {"free": seat}, seat in taken, emoji=MARKS[seat]
                    )
                    for seat in table.board.seats
                ),
            ]
        case TermsPart.PACE:
            base, off = terms.pace.removesuffix(NO_WEEKENDS), terms.pace.endswith(NO_WEEKENDS)
            can_rest = pace_of(base + NO_WEEKENDS) is not None
            paces = {name: name + NO_WEEKENDS if off and pace_of(name + NO_WEEKENDS) else name for name in PACES}
            return [
                *(MenuChoice(pace_name(language, name), {"pace": pace}) for name, pace in paces.items()),
                MenuChoice(t(buttons.BY_ITSELF), {"by_hand": False}, terms.by_hand),
                MenuChoice(t(buttons.BY_HAND), {"by_hand": True}, not terms.by_hand),
                MenuChoice(t(buttons.UNRATED), {"rated": False}, table.can_be_rated and terms.rated),
                MenuChoice(t(buttons.RATED), {"rated": True}, table.can_be_rated and not terms.rated),
                MenuChoice(t(buttons.WEEKENDS_OFF), {"pace": base + NO_WEEKENDS}, can_rest and not off),
                MenuChoice(t(buttons.WEEKENDS_ON), {"pace": base}, can_rest and off),
            ]
        case TermsPart.HINTS:
            can = Feature.HINTS not in table.off
            return [
                MenuChoice(t(buttons.HINTS_OFF), {"hints": False}, can and terms.hints, emoji="💡"),
                MenuChoice(t(buttons.HINTS_ON), {"hints": True}, can and not terms.hints, emoji="💡"),
            ]
        case TermsPart.TALK:
            can = Feature.PHRASES not in table.off
            return [
                MenuChoice(t(buttons.TALK_OFF), {"talk": False}, can and terms.talk, emoji="💬"),
                MenuChoice(t(buttons.TALK_ON), {"talk": True}, can and not terms.talk, emoji="💬"),
            ]
        case TermsPart.HOUSE:
            return [each.then(lambda options: {"options": options}) for each in list_house(language, terms, houses)]


def list_players(language: Language, terms: Terms) -> list[MenuChoice[Changes]]:
    """Return the numbers of players and the teams, with the fields of the terms that each changes."""
    system = SYSTEMS[terms.system]

    def change(players: int, teams: Teams | None) -> Changes | None:
        if players not in system.players:
            return None
        options = fit_options(system, players, replace(terms.options, teams=teams))
        return {"players": players, "options": options}

    return [
        MenuChoice(
            lobbies.players_option(language, count, teams),
            change(count, teams),
            count in system.players and (teams is None or why_refused(system, count, Options(teams=teams)) is None),
        )
        for count in COUNTS
        for teams in TEAMS
    ]


def list_house(language: Language, terms: Terms, houses: Sequence[House]) -> list[MenuChoice[Options]]:
    """Return the sets of house rules, of which those are shown that fit as they are; then the rules by themselves."""
    system, named = SYSTEMS[terms.system], {house.number: house for house in houses}
    sets = [
        MenuChoice(house.name, house.options, why_refused(system, terms.players, house.options) is None, emoji="📦")
        if (house := named.get(number)) is not None
        else MenuChoice[Options]("", None, shown=False)
        for number in range(1, MOST_HOUSES + 1)
    ]
    return [*sets, *_rules(language, terms.options, available_options(system, terms.players))]


def _rules(language: Language, options: Options, sensible: Container[str]) -> list[MenuChoice[Options]]:
    """Return the rules to switch off or on: those that are on can be switched off, those that make sense, on."""
    return [
        MenuChoice(
            language.t(HOUSE_RULES[name]),
            Options.from_json({**options.to_json(), name: on}),
            on is not getattr(options, name) and (not on or name in sensible),
            emoji=None if on else "✅",
        )
        for name in RULES
        for on in (False, True)
    ]


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
    language: Language, table: Table, houses: Sequence[House], turned: tuple[TermsPart, int] | None = None
) -> Reply:
    """Return the menus of a lobby's host; each says what it is set to.

    `houses`: the sets that the guild has named; `turned`: the menu that shows another page than its first, and which.
    """
    panel, terms = Panel(), table.terms
    menus = {
        TermsPart.SYSTEM: f"{system_name(language, terms.system)} · {own_name(terms.locale)}",
        TermsPart.PLAYERS: lobbies.players_menu(language, table),
        TermsPart.PACE: lobbies.pace_menu(language, table),
        TermsPart.HOUSE: lobbies.house_menu(language, terms.options),
    }
    for row, (part, label) in enumerate(menus.items()):
        if lines := lines_of(list_choices(language, table, part, houses)):
            page = turned[1] if turned is not None and turned[0] is part else 0
            panel.menu(label, Arrange(table.id, part), menu_page(language, lines, page), row=row)
    for part in (TermsPart.HINTS, TermsPart.TALK):
        for switch in lines_of(list_choices(language, table, part, houses)):
            panel.button(switch.label, Arrange(table.id, part, int(switch.value)), emoji=switch.emoji, row=4)
    if any(len(team) > 1 for team in table.board.teams):
        panel.button(language.t(buttons.OTHER_PARTNERS), OtherPartners(table.id), emoji="🔀", row=4)
    panel.button(language.t(buttons.CANCEL), AskCancel(table.id), style=Style.DANGER, row=4)
    return Reply(lobbies.arranging(language, table), panel)


class SetHouse(Press, verb="house", deed=Deed.SET_UP, menu="value"):
    """Change a set of house rules that a guild has named, by its number and the index of a choice."""

    number: int
    value: int | None = None

    def changed(self, language: Language, options: Options) -> Options | None:
        """Return the house rules after this; None if the value stands for nothing."""
        return chosen(_list_set(language, options), self.value)


def _list_set(language: Language, options: Options) -> list[MenuChoice[Options]]:
    """Return the rules of a set to switch, and other teams."""
    teams = [
        MenuChoice(
            lobbies.teams_option(language, kind),
            replace(options, teams=kind),
            emoji="✅" if kind is options.teams else None,
        )
        for kind in TEAMS
    ]
    return [*_rules(language, options, RULES), *teams]


def house_panel(language: Language, house: House) -> Panel:
    """Return the menu with which managers change a set of house rules."""
    lines = lines_of(_list_set(language, house.options))
    return Panel().menu(lobbies.house_menu(language, house.options), SetHouse(0, house.number), lines)
