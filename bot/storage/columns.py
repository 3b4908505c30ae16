"""Types of columns: how values of ours are stored, and read again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from sqlalchemy import JSON, BigInteger, Dialect, Integer, String
from sqlalchemy.types import TypeDecorator, TypeEngine

from bot import cup
from bot.moment import Moment
from bot.occupants import Occupant
from bot.plans import Case, Planned
from bot.results import Feat
from bot.table import Actor, Automatic, Feature, Terms
from engine import Options

SERIAL = BigInteger().with_variant(Integer(), "sqlite")
"""An auto-incrementing id; SQLite offers that only for plain INTEGER."""


class Kept(TypeDecorator[Any]):
    """A value of ours in a column of type `impl`: `write` makes of it what is stored, `read` the reverse."""

    cache_ok = True
    impl: Any = String

    def __init__(self, impl: TypeEngine[Any], read: Callable[[Any], Any], write: Callable[[Any], Any] = str) -> None:
        super().__init__()
        self.impl, self.read, self.write = impl, read, write

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return the value to store."""
        return None if value is None else self.write(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return the value that was stored."""
        return None if value is None else self.read(value)


def _several(kind: Callable[[Any], Any]) -> Kept:
    """Return the type of a column with several values of a kind."""
    return Kept(JSON(), lambda stored: tuple(map(kind, stored)), list)


def _actor(stored: str) -> Actor:
    return int(stored) if stored.lstrip("-").isdecimal() else Automatic(stored)


def _plan(stored: dict[str, Any]) -> cup.CupPlan:
    terms = {**stored["terms"], "options": Options.from_json(stored["terms"]["options"])}
    kinds = {"format": cup.Format, "course": cup.CupCourse, "overdue": cup.Overdue}
    return cup.CupPlan(
        **{**stored, "terms": Terms(**terms)} | {name: kind(stored[name]) for name, kind in kinds.items()}
    )


def _as_plan(plan: cup.CupPlan) -> dict[str, Any]:
    terms = {**_fields(plan.terms), "options": plan.terms.options.to_json()}
    return {**_fields(plan), "terms": terms}


def _rounds(stored: list[dict[str, Any]]) -> tuple[cup.Round, ...]:
    return tuple(
        cup.Round(tuple(map(_match, row["matches"])), tuple(map(tuple, row["byes"])), row["ends_at"]) for row in stored
    )


def _match(stored: dict[str, Any]) -> cup.Match:
    several = ("home", "absent", "folded")
    outcomes = tuple(
        cup.Outcome(**row | {name: tuple(row[name]) for name in several} | {"how": cup.How(row["how"])})
        for row in stored["outcomes"]
    )
    return cup.Match(tuple(map(tuple, stored["teams"])), tuple(stored["games"]), outcomes, stored["closed"])


def _as_rounds(rounds: tuple[cup.Round, ...]) -> list[dict[str, Any]]:
    return [
        {
            **_fields(each),
            "matches": [{**_fields(match), "outcomes": list(map(_fields, match.outcomes))} for match in each.matches],
        }
        for each in rounds
    ]


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields of a value of ours."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


BY_SEAT = Kept(
    JSON(),
    lambda stored: {int(seat): value for seat, value in stored.items()},
    lambda by_seat: {str(seat): value for seat, value in by_seat.items()},
)
SEVERAL = Kept(JSON(), tuple, list)
OPTIONS = Kept(JSON(), Options.from_json, Options.to_json)
MOMENT = Kept(String(24), Moment.parse)
INVITED = Kept(
    JSON(),
    lambda stored: {int(seat): Occupant(str(name), user_id=int(user)) for seat, (user, name) in stored.items()},
    lambda by_seat: {str(seat): [who.user_id, who.name] for seat, who in by_seat.items()},
)
STEPS = Kept(
    JSON(),
    lambda stored: tuple(Planned(what, Case(case), seat, Moment.parse(since)) for what, case, seat, since in stored),
    lambda plan: [[each.action, each.case.value, each.seat, str(each.since)] for each in plan],
)
ACTOR = Kept(String(24), _actor)
PAIRS, FEATURES, FEATS = _several(tuple), _several(Feature), _several(Feat)
PLAN = Kept(JSON(), _plan, _as_plan)
ROUNDS = Kept(JSON(), _rounds, _as_rounds)
POSTS = Kept(
    JSON(),
    lambda stored: {about: cup.CupPost(*row) for about, row in stored.items()},
    lambda posts: {about: [post.nonce, post.at, post.message_id] for about, post in posts.items()},
)
