"""The rules of a cup in a few words, and the choices of a host who plans one."""

from __future__ import annotations

from collections.abc import Mapping

from bot.cup import MOST_AGAINST, CupCourse, CupPlan, Format, Overdue
from bot.cups.ladder import START
from bot.languages import Language
from bot.languages import mark as _
from bot.texts.names import HOUSE_RULES, house_rules, pace_name, said, sentences, system_name

FORMATS: Mapping[Format, str] = {
    Format.DRAWN: _("New partners each round"),
    Format.PAIRS: _("Fixed pairs"),
    Format.ALONE: _("Singles"),
}
COURSES: Mapping[CupCourse, str] = {
    CupCourse.SWISS: _("Swiss rounds"),
    CupCourse.ALL: _("Round robin"),
    CupCourse.KNOCKOUT: _("Knockout"),
    CupCourse.LADDER: _("Ladder season"),
}
_BEST_OF_THREE = _("Knockout, best of three games")
SCORES: Mapping[str, str] = {
    "wins": _("1 point for a win"),
    "pieces": _("10 points for a win, 2 for each piece home"),
}
OVERDUE: Mapping[Overdue, str] = {
    Overdue.PIECES: _("Unfinished: most pieces home wins"),
    Overdue.COMPUTERS: _("Unfinished: computers play on"),
    Overdue.MODERATOR: _("Unfinished: a moderator decides"),
}
all_rules = said("All rules")


def facts(language: Language, plan: CupPlan) -> list[str]:
    """Return the rules of a cup, each in a few words."""
    t = language.t
    if plan.is_ladder:
        return [
            f"{t(COURSES[plan.course])} · {rules_of_ladder(language, plan)}",
            t("Only rated games where everyone is in the cup count"),
            language.n(
                "Only your first {count} game against each opponent counts",
                "Only your first {count} games against each opponent count",
                MOST_AGAINST,
            ),
            t(
                "Everyone begins with {points} points. Beating strong opponents earns more",
                points=language.number(START),
            ),
            again_name(language, again=plan.again),
        ]
    kind = kind_name(language, plan.format, plan.course, plan.best_of)
    if plan.course is CupCourse.SWISS:
        kind = f"{kind} · {rounds_name(language, plan.rounds)}"
    players = language.n("{count} player", "{count} players", plan.terms.players)
    lines = [
        kind,
        f"{system_name(language, plan.terms.system)} · {players} · {pace_name(language, plan.terms.pace)}",
    ]
    house = sentences(*(t(HOUSE_RULES[rule]) for rule in house_rules(plan.terms.options)))
    lines += [house] if house else []
    lines += [t(SCORES[plan.scoring])]
    lines += [] if plan.cap is None else [cap_name(language, plan.cap)]
    lines += [place_name(language, in_dms=True)] if plan.in_dms else []
    lines += [length_name(language, plan.length)]
    return lines if plan.length is None else [*lines, t(OVERDUE[plan.overdue])]


def kind_name(language: Language, kind: Format, course: CupCourse, best_of: int) -> str:
    """Return who sits together and in what order sides meet, in a few words."""
    if course is CupCourse.LADDER:
        return language.t(COURSES[course])
    name = language.t(_BEST_OF_THREE if best_of > 1 else COURSES[course])
    return f"{language.t(FORMATS[kind])} · {name}"


def rules_of_ladder(language: Language, plan: CupPlan) -> str:
    """Return by which rules the games of a ladder are played."""
    return all_rules(language) if plan.any_rules else system_name(language, plan.terms.system)


def again_name(language: Language, *, again: bool) -> str:
    """Return whether a ladder follows another."""
    return language.t("A new one every month") if again else language.t("For one month")


def rounds_name(language: Language, count: int) -> str:
    """Return a number of rounds."""
    return language.n("{count} round", "{count} rounds", count)


def rules_name(language: Language, scoring: str, overdue: Overdue) -> str:
    """Return how is counted, and how a table is decided that is not finished."""
    return f"{language.t(SCORES[scoring])} · {language.t(OVERDUE[overdue])}"


def place_name(language: Language, *, in_dms: bool) -> str:
    """Return where tables open."""
    return language.t("Tables in direct messages") if in_dms else language.t("Tables in threads")


def cap_name(language: Language, count: int | None) -> str:
    """Return the rounds of cards after which a game ends."""
    if count is None:
        return language.t("Games are played to the end")
    return language.n(
        "Games end after {count} round of cards: most pieces home wins",
        "Games end after {count} rounds of cards: most pieces home wins",
        count,
    )


def length_name(language: Language, seconds: int | None) -> str:
    """Return how long a round lasts."""
    if seconds is None:
        return language.t("Each round lasts until all its tables have finished")
    return language.t("Each round lasts {span} at most", span=language.span(seconds, "minute"))


def start_name(language: Language, seconds: int | None) -> str:
    """Return how long entries are open, once the cup is."""
    if seconds is None:
        return language.t("I'll start it myself")
    return language.t("Entries are open for {span}", span=language.span(seconds, "minute"))
