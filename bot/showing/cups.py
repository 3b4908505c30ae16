"""Cups: the menus with which one is planned, and the buttons under its announcement and in private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto

from bot.cup import CAPS, ROUNDS, SCORINGS, Cup, CupCourse, CupEntry, CupStage, Format, Overdue
from bot.cups.changes import change_system, has_stake, takes_entries
from bot.languages import Language
from bot.pace import DAY, HOUR, PACES
from bot.preferences import House
from bot.rights import Deed
from bot.showing.panels import MENU_LIMIT, Panel, Reply, Style, line
from bot.showing.presses import Press
from bot.showing.terms import change_house, change_players, house_lines, list_players
from bot.table import Status
from bot.tables.terms import fit_options
from bot.texts import buttons, cups
from bot.texts.names import pace_name, system_name
from bot.texts.public.lobbies import house_menu, players_option
from engine import SYSTEMS

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


class Topic(Enum):
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

    topic: Topic
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


def planned(cup: Cup, topic: Topic, value: int, houses: Sequence[House] = ()) -> Cup | None:
    """Return a planned cup with one part chosen; None if the value stands for nothing.

    `houses`: the sets of house rules that the guild has named.
    """
    plan = cup.plan
    match topic:
        case Topic.KIND if value < len(KINDS):
            kind, course, best_of = KINDS[value]
            return replace(cup, plan=replace(plan, format=kind, course=course, best_of=best_of))
        case Topic.KIND if value - len(KINDS) in ROUNDS:
            return replace(cup, plan=replace(plan, rounds=value - len(KINDS)))
        case Topic.SYSTEM if plan.is_ladder and value == len(SYSTEMS):
            return replace(cup, plan=replace(plan, any_rules=True))
        case Topic.SYSTEM if value < len(SYSTEMS):
            return replace(cup, plan=change_system(plan, tuple(SYSTEMS)[value]))
        case Topic.SYSTEM:
            chosen = change_players(plan.terms, value - len(SYSTEMS))
            if chosen is not None:
                return replace(cup, plan=replace(plan, terms=replace(plan.terms, **chosen)))
        case Topic.RULES if value < len(RULES):
            scoring, overdue = RULES[value]
            return replace(cup, plan=replace(plan, scoring=scoring, overdue=overdue))
        case Topic.RULES if value - len(RULES) < len(CAPS):
            return replace(cup, plan=replace(plan, cap=CAPS[value - len(RULES)]))
        case Topic.TIME if plan.is_ladder and value < 2:
            return replace(cup, plan=replace(plan, again=value == 1))
        case Topic.TIME if value < len(LENGTHS):
            return replace(cup, plan=replace(plan, length=LENGTHS[value]))
        case Topic.TIME if value - len(LENGTHS) < len(STARTS):
            wait = STARTS[value - len(LENGTHS)]
            return replace(cup, starts_at=None if wait is None else cup.created_at + wait)
        case Topic.PLACE:
            return replace(cup, plan=replace(plan, in_dms=value == 1))
        case Topic.HOUSE:
            chosen_rules, terms = change_house(plan.terms.options, value, houses), plan.terms
            if chosen_rules is not None:
                options = fit_options(SYSTEMS[terms.system], terms.players, chosen_rules)
                return replace(cup, plan=replace(plan, terms=replace(terms, options=options)))
        case Topic.PACE if value < len(PACES):
            return replace(cup, plan=replace(plan, terms=replace(plan.terms, pace=tuple(PACES)[value])))
    return None


def planning(language: Language, cup: Cup) -> Reply:
    """Return the form in which a cup is planned: five rows, each of which says what it is set to."""
    t, plan, panel = language.t, cup.plan, Panel()

    kinds = [line(cups.kind_name(language, *each), index) for index, each in enumerate(KINDS)]
    rounds = [line(cups.rounds_name(language, count), len(KINDS) + count) for count in ROUNDS]
    chosen = cups.kind_name(language, plan.format, plan.course, plan.best_of)
    if plan.is_ladder:
        return _planning_ladder(language, cup, panel.menu(chosen, PlanCup(0, cup.id, Topic.KIND), kinds, row=0))
    panel.menu(chosen, PlanCup(0, cup.id, Topic.KIND), [*kinds, *rounds], row=0)
    system = SYSTEMS[plan.terms.system]
    systems = [line(system_name(language, key), index) for index, key in enumerate(SYSTEMS)]
    players = list_players(language, system, len(SYSTEMS))
    chosen = (
        f"{system_name(language, system.id)} · {players_option(language, plan.terms.players, plan.terms.options.teams)}"
    )
    panel.menu(chosen, PlanCup(0, cup.id, Topic.SYSTEM), [*systems, *players], row=1)

    lines = [line(t(cups.SCORES[each]), index, t(cups.OVERDUE[rest])) for index, (each, rest) in enumerate(RULES)]
    lines += [line(cups.cap_name(language, count), len(RULES) + index) for index, count in enumerate(CAPS)]
    chosen = cups.rules_name(language, plan.scoring, plan.overdue)
    if plan.cap is not None:
        chosen = f"{cups.cap_name(language, plan.cap)} · {chosen}"
    panel.menu(chosen, PlanCup(0, cup.id, Topic.RULES), lines, row=2)
    times = [line(cups.length_name(language, seconds), index) for index, seconds in enumerate(LENGTHS)]
    times += [line(cups.start_name(language, seconds), len(LENGTHS) + index) for index, seconds in enumerate(STARTS)]
    wait = None if cup.starts_at is None else cup.starts_at - cup.created_at
    chosen = f"{cups.length_name(language, plan.length)} · {cups.start_name(language, wait)}"
    panel.menu(chosen, PlanCup(0, cup.id, Topic.TIME), times, row=3)
    # A server's usual pace may be one of its own, which no button leads back to.
    following = (tuple(PACES).index(plan.terms.pace) + 1) % len(PACES) if plan.terms.pace in PACES else 0
    panel.button(pace_name(language, plan.terms.pace), PlanCup(0, cup.id, Topic.PACE, following), emoji="⏳", row=4)
    place = cups.place_name(language, in_dms=plan.in_dms)
    panel.button(place, PlanCup(0, cup.id, Topic.PLACE, 0 if plan.in_dms else 1), row=4)
    if house_lines(language, system, plan.terms, ()):
        panel.button(t(buttons.HOUSE), PlanHouse(0, cup.id), row=4)
    panel.button(t(buttons.OPEN_CUP), OpenCup(0, cup.id), style=Style.MAIN, disabled=not plan.is_playable, row=4)
    return Reply(cups.planning(language, cup), panel)


def choosing_house(language: Language, cup: Cup, houses: Sequence[House]) -> Reply:
    """Return the menu of house rules for a cup that is planned; each choice leads back to the form."""
    lines = house_lines(language, SYSTEMS[cup.plan.terms.system], cup.plan.terms, houses)
    panel = Panel().menu(house_menu(language, cup.plan.terms.options), PlanCup(0, cup.id, Topic.HOUSE), lines)
    panel.button(language.t(buttons.BACK), PlanCup(0, cup.id, Topic.PLACE, int(cup.plan.in_dms)))
    return Reply(cups.planning(language, cup), panel)


def _planning_ladder(language: Language, cup: Cup, panel: Panel) -> Reply:
    """Return the form in which a ladder is planned, given its first menu: what else there is to choose."""
    systems = [line(system_name(language, key), index) for index, key in enumerate(SYSTEMS)]
    systems.append(line(cups.all_rules(language), len(SYSTEMS)))
    panel.menu(cups.rules_of_ladder(language, cup.plan), PlanCup(0, cup.id, Topic.SYSTEM), systems, row=1)
    times = [line(cups.again_name(language, again=again), int(again)) for again in (False, True)]
    chosen = cups.again_name(language, again=cup.plan.again)
    panel.menu(chosen, PlanCup(0, cup.id, Topic.TIME), times, row=2)
    panel.button(language.t(buttons.OPEN_CUP), OpenCup(0, cup.id), style=Style.MAIN, row=3)
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
