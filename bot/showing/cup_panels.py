"""Cups: the menus with which one is planned, and the buttons under its announcement and in private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from bot.cup import CAPS, ROUNDS, SCORINGS, Cup, CupCourse, CupEntry, CupStage, Format, Overdue
from bot.cups.changes import change_system, has_stake, takes_entries
from bot.guild_records import House
from bot.languages import Language
from bot.pace import DAY, HOUR, PACES
from bot.rights import Deed
from bot.showing.panels import MENU_LIMIT, MenuChoice, Panel, Reply, Style, line, lines_of
from bot.showing.presses import Press
from bot.showing.terms import Changes, list_house, list_players
from bot.table import Status
from bot.tables.terms import fit_options
from bot.texts import buttons, cup_rules, cups
from bot.texts.names import pace_name, system_name
from bot.texts.public.lobbies import house_menu, players_option
from engine import SYSTEMS, Options

LENGTHS = (2 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, None)
"""Seconds that a round can last; None: until all its tables are over."""
STARTS = (HOUR, DAY, 3 * DAY, 7 * DAY, None)
"""Seconds from its opening to a cup's first round; None: when its host says so."""
KINDS = (
    *(
        (kind, course, best_of)
        for kind in Format
        for course, best_of in (
            (CupCourse.SWISS, 1),
            (CupCourse.ALL, 1),
            (CupCourse.KNOCKOUT, 1),
            (CupCourse.KNOCKOUT, 3),
        )
        if kind is not Format.DRAWN or course is CupCourse.SWISS
    ),
    (Format.ALONE, CupCourse.LADDER, 1),
)
"""The choices for the kind of a cup: its format, its course, and the games of which most are won."""
RULES = tuple((scoring, overdue) for scoring in SCORINGS for overdue in Overdue)
NO_TEAM = 9
"""In place of a team, where none has won; added to ten times the game's number in the menu of tables."""


class PlanPart(Enum):
    """The part of a plan that a menu changes."""

    KIND = auto()
    SYSTEM = auto()
    RULES = auto()
    TIME = auto()
    PACE = auto()
    PLACE = auto()
    HOUSE = auto()


class _OfCup(Press):
    """Something to press at a cup."""

    cup: int


class PlanCup(_OfCup, verb="plan_cup", deed=Deed.PLAN_CUP, menu="value"):
    """Change a part of the cup that a person plans, by the number of the choice."""

    topic: PlanPart
    value: int | None = None


class PlanHouse(_OfCup, verb="plan_house", deed=Deed.PLAN_CUP):
    """Choose the house rules of the cup that a person plans."""


class OpenCup(_OfCup, verb="open_cup", deed=Deed.OPEN_CUP):
    """Announce the cup that a person has planned."""


class EnterCup(_OfCup, verb="enter_cup", deed=Deed.ENTER_CUP):
    """Enter a cup alone."""


class LeaveCup(_OfCup, verb="leave_cup", deed=Deed.LEAVE_CUP):
    """Leave a cup."""


class PartnerYes(_OfCup, verb="partner_yes", deed=Deed.ENTER_CUP):
    """Become the partner of the player who asked, by user id; only the one who was asked may."""

    asker: int
    asked: int


class ShowCup(_OfCup, verb="show_cup", deed=Deed.READ):
    """Show a cup in private."""


class ShowStandings(_OfCup, verb="cup_standings", deed=Deed.READ):
    """Show the standings of a cup."""


class SaveDraws(_OfCup, verb="save_draws", deed=Deed.READ):
    """Get a file from which the draws of a cup can be computed again."""


class StartCup(_OfCup, verb="start_cup", deed=Deed.RUN_CUP):
    """Close the entries of a cup."""


class ExtendRound(_OfCup, verb="extend_round", deed=Deed.RUN_CUP):
    """Give the round of a cup a day more."""


class RepeatLadder(_OfCup, verb="repeat_ladder", deed=Deed.RUN_CUP):
    """Let another ladder follow the one that goes on, or none."""

    again: bool


class CancelCup(_OfCup, verb="cancel_cup", deed=Deed.RUN_CUP):
    """Cancel a cup, or ask first."""

    sure: bool = False


class DecideTable(_OfCup, verb="decide_table", deed=Deed.DECIDE_CUP, menu="value"):
    """Decide a table of a cup: ten times its game's number, and the team that has won."""

    value: int | None = None


def list_choices(language: Language, cup: Cup, topic: PlanPart, houses: Sequence[House] = ()) -> list[MenuChoice[Cup]]:
    """Return the choices for a part of a cup that is planned, with the cup that each leads to.

    `houses`: the sets of house rules that the guild has named.
    """
    plan, terms = cup.plan, cup.plan.terms

    def lead(**changes: Any) -> Cup:
        return replace(cup, plan=replace(plan, **changes))

    def change_terms(changes: Changes) -> Cup:
        return lead(terms=replace(terms, **changes))

    def set_house(options: Options) -> Cup:
        return change_terms({"options": fit_options(SYSTEMS[terms.system], terms.players, options)})

    alone, ladder = not plan.is_ladder, plan.is_ladder
    match topic:
        case PlanPart.KIND:
            return [
                *(
                    MenuChoice(
                        cup_rules.kind_name(language, *kind), lead(format=kind[0], course=kind[1], best_of=kind[2])
                    )
                    for kind in KINDS
                ),
                *(MenuChoice(cup_rules.rounds_name(language, count), lead(rounds=count), alone) for count in ROUNDS),
            ]
        case PlanPart.SYSTEM:
            return [
                *(
                    MenuChoice(system_name(language, key), replace(cup, plan=change_system(plan, key)))
                    for key in SYSTEMS
                ),
                MenuChoice(cup_rules.all_rules(language), lead(any_rules=True) if ladder else None, ladder),
                *(each.then(change_terms) for each in list_players(language, terms) if alone),
            ]
        case PlanPart.RULES:
            return [
                *(
                    MenuChoice(
                        language.t(cup_rules.SCORES[scoring]),
                        lead(scoring=scoring, overdue=overdue),
                        about=language.t(cup_rules.OVERDUE[overdue]),
                    )
                    for scoring, overdue in RULES
                ),
                *(MenuChoice(cup_rules.cap_name(language, count), lead(cap=count)) for count in CAPS),
            ]
        case PlanPart.TIME:
            waits = {wait: None if wait is None else cup.created_at + wait for wait in STARTS}
            return [
                *(
                    MenuChoice(cup_rules.length_name(language, seconds), lead(length=seconds), alone)
                    for seconds in LENGTHS
                ),
                *(
                    MenuChoice(cup_rules.start_name(language, wait), replace(cup, starts_at=at), alone)
                    for wait, at in waits.items()
                ),
                *(MenuChoice(cup_rules.again_name(language, again=on), lead(again=on), ladder) for on in (False, True)),
            ]
        case PlanPart.PACE:
            # A server's usual pace may be one of its own, which no button leads back to.
            paces = tuple(PACES)
            following = paces[(paces.index(terms.pace) + 1) % len(paces)] if terms.pace in paces else paces[0]
            label = pace_name(language, terms.pace)
            return [MenuChoice(label, change_terms({"pace": pace}), pace == following, emoji="⏳") for pace in paces]
        case PlanPart.PLACE:
            label = cup_rules.place_name(language, in_dms=plan.in_dms)
            return [MenuChoice(label, lead(in_dms=in_dms), in_dms is not plan.in_dms) for in_dms in (False, True)]
        case PlanPart.HOUSE:
            return [each.then(set_house) for each in list_house(language, terms, houses)]


def planning(language: Language, cup: Cup) -> Reply:
    """Return the form in which a cup is planned: rows, each of which says what it is set to."""
    plan, panel = cup.plan, Panel()
    wait = None if cup.starts_at is None else cup.starts_at - cup.created_at
    capped = () if plan.cap is None else (cup_rules.cap_name(language, plan.cap),)
    players = players_option(language, plan.terms.players, plan.terms.options.teams)
    menus = {PlanPart.KIND: cup_rules.kind_name(language, plan.format, plan.course, plan.best_of)}
    if plan.is_ladder:
        menus[PlanPart.SYSTEM] = cup_rules.rules_of_ladder(language, plan)
        menus[PlanPart.TIME] = cup_rules.again_name(language, again=plan.again)
    else:
        menus[PlanPart.SYSTEM] = f"{system_name(language, plan.terms.system)} · {players}"
        menus[PlanPart.RULES] = " · ".join((*capped, cup_rules.rules_name(language, plan.scoring, plan.overdue)))
        menus[PlanPart.TIME] = (
            f"{cup_rules.length_name(language, plan.length)} · {cup_rules.start_name(language, wait)}"
        )
    for row, (topic, label) in enumerate(menus.items()):
        panel.menu(label, PlanCup(0, cup.id, topic), lines_of(list_choices(language, cup, topic)), row=row)
    row = len(menus)
    if not plan.is_ladder:
        for topic in (PlanPart.PACE, PlanPart.PLACE):
            for switch in lines_of(list_choices(language, cup, topic)):
                press = PlanCup(0, cup.id, topic, int(switch.value))
                panel.button(switch.label, press, emoji=switch.emoji, row=row)
        if lines_of(list_house(language, plan.terms, ())):
            panel.button(language.t(buttons.HOUSE), PlanHouse(0, cup.id), row=row)
    label, is_playable = language.t(buttons.OPEN_CUP), plan.is_ladder or plan.is_playable
    panel.button(label, OpenCup(0, cup.id), style=Style.MAIN, disabled=not is_playable, row=row)
    return Reply(cups.planning(language, cup), panel)


def choosing_house(language: Language, cup: Cup, houses: Sequence[House]) -> Reply:
    """Return the menu of house rules for a cup that is planned; each choice leads back to the form."""
    lines = lines_of(list_house(language, cup.plan.terms, houses))
    panel = Panel().menu(house_menu(language, cup.plan.terms.options), PlanCup(0, cup.id, PlanPart.HOUSE), lines)
    panel.button(language.t(buttons.BACK), PlanCup(0, cup.id, PlanPart.PLACE, int(cup.plan.in_dms)))
    return Reply(cups.planning(language, cup), panel)


def announced(language: Language, cup: Cup) -> Panel | None:
    """Return the buttons under a cup's announcement."""
    if not cup.is_open:
        return None
    panel = Panel()
    if takes_entries(cup):
        panel.button(language.t(buttons.ENTER), EnterCup(0, cup.id), style=Style.MAIN, emoji="🏆")
    return panel.button(language.t(buttons.DETAILS), ShowCup(0, cup.id))


def asked(language: Language, cup: Cup, asker: CupEntry, user_id: int) -> Panel:
    """Return the button under the question to be a player's partner."""
    press = PartnerYes(0, cup.id, asker.user_id, user_id)
    return Panel().button(language.t(buttons.CONFIRM), press, style=Style.YES)


def in_private(
    language: Language,
    cup: Cup,
    mine: CupEntry | None,
    others: Sequence[Cup],
    games: Mapping[int, tuple[int, Status]],
    *,
    runs: bool,
    decides: bool,
) -> Panel:
    """Return the buttons under a cup that is shown to one person.

    `runs`: they run it; `decides`: they decide its tables; `others`: what else there is to look at.
    """
    t, panel = language.t, Panel()
    if takes_entries(cup) and mine is None:
        panel.button(t(buttons.ENTER), EnterCup(0, cup.id), style=Style.MAIN, row=0)
    elif mine is not None and mine.until is None and cup.is_open:
        panel.button(t(buttons.LEAVE), LeaveCup(0, cup.id), row=0)
    if cup.rounds:
        panel.button(t(buttons.STANDINGS), ShowStandings(0, cup.id), emoji="🏅", row=0)
    if cup.seed:
        panel.button(t(buttons.CHECK_DRAW), SaveDraws(0, cup.id), row=0)
    if runs and cup.is_open:
        if cup.stage is CupStage.OPEN:
            panel.button(t(buttons.START), StartCup(0, cup.id), style=Style.YES, row=1)
            panel.button(t(buttons.CANCEL_CUP), CancelCup(0, cup.id), style=Style.DANGER, row=1)
        elif cup.plan.is_ladder:
            label = buttons.ONE_MONTH if cup.plan.again else buttons.AGAIN_MONTHLY
            panel.button(t(label), RepeatLadder(0, cup.id, not cup.plan.again), row=1)
        elif not has_stake(cup, mine) and cup.rounds[-1].ends_at is not None:
            panel.button(t(buttons.EXTEND), ExtendRound(0, cup.id), row=1)
    if decides and cup.stage is CupStage.RUNNING:
        number = None if mine is None else mine.number
        lines = [
            line(
                cups.match_label(language, cup, match, team), 10 * match.games[-1] + (NO_TEAM if team is None else team)
            )
            for match in cup.rounds[-1].matches
            if not match.is_over(cup.plan.best_of) and match.games[-1] in games and number not in match.players
            for team in (*range(len(match.teams)), None)
        ]
        # Two menus: the tables that follow have their turn once these are decided.
        for row, first in ((2, 0), (3, MENU_LIMIT)):
            if some := lines[first : first + MENU_LIMIT]:
                panel.menu(t(buttons.DECIDE), DecideTable(0, cup.id), some, row=row)
    for other in others[:4]:
        panel.button(other.name, ShowCup(0, other.id), emoji="🏆", row=4)
    return panel
