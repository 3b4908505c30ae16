"""Plans in words, for their owner alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.languages import Language
from bot.languages import mark as _
from bot.plans import Case, Planned
from bot.texts.moves import FROM_TO, OUT
from bot.texts.names import Names, capital, card_name, place_name, said
from engine import KENNEL_TEXT, Action, Part

CASES: Mapping[Case, tuple[str, str]] = {
    Case.ANY: _("if it's legal", context="case"),
    Case.UNTOUCHED: _("if your pieces are left alone", context="case"),
    Case.OUT: _("if {name} brings a piece out", context="case"),
    Case.HIT: _("if {name} sends back a piece of yours", context="case"),
    Case.FOLDED: _("if {name} folds", context="case"),
    Case.EXCHANGE: _("in the next exchange", context="case"),
}
"""The cases of plans, behind what is planned."""

on_top = said("📌 Plan your next move. If it's legal on your turn, I'll play it. If not, I'll ping you as usual.")
only_gifts = said("📌 You can't plan a move now. Plan a card for the next exchange:")
after_exchange = said("📌 You can plan a move once everyone has given a card.")
nothing = said("Nothing to plan: there's no exchange, and you can't plan a move now.")
asked = said("When shall I play it?")
planned = said("Planned, and only you can see it.")
dropped = said("Plans dropped.")
lapsed = said("📌 Your plan didn't work out, so it's your choice.")


def case(language: Language, names: Names, case: Case, seat: int | None) -> str:
    """Return a case in words."""
    return language.p(*CASES[case], name="" if seat is None else names.safe(seat))


def plan_line(language: Language, names: Names, step: Planned) -> str:
    """Return a plan in words."""
    action = Action.parse(step.action)
    card = capital(card_name(language, action.card or ""))
    if action.named is not None:
        card = f"{card} ({card_name(language, action.named)})"
    ways = [_way(language, each) for each in action.parts]
    what = f"{card}: {', '.join(ways)}" if ways else card
    return language.t("📌 {plan}, {case}", plan=what, case=case(language, names, step.case, step.seat))


def _way(language: Language, part: Part) -> str:
    """Return the way of a piece in a plan, its places without the side that they belong to."""
    origin, target = (place.rpartition(".")[2] for place in (part.origin, part.target))
    if origin.endswith(KENNEL_TEXT):
        return language.p(*OUT, target=place_name(language, target))
    return language.p(*FROM_TO, origin=place_name(language, origin), target=place_name(language, target))


def only_moves(language: Language, moves: Sequence[str]) -> str:
    """Tell a player what was played for them, as nothing else was legal, and where that is turned off."""
    return language.n(
        "➜ Your only move, played for you: {what} (`/dog me forced`)",
        "➜ Your only moves, played for you: {what} (`/dog me forced`)",
        len(moves),
        what=language.listed(moves),
    )


def played(language: Language, what: str) -> str:
    """Tell the owner of a plan that it was played."""
    return language.t("📌 As planned: {what}", what=what)
