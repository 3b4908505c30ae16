"""Terms that can be played: checked, and brought in line with a rule system."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from bot.errors import BadTerms, TooManySeated
from bot.pace import PACES, pace_of
from bot.table import Terms
from engine import SYSTEMS, Options, RuleSystem, board_for, why_refused
from engine.rules.origins import check_origin


def check_terms(terms: Terms) -> None:
    """Raise `BadTerms` for impossible terms, and the engine's `SetupError` for house rules."""
    if terms.system not in SYSTEMS:
        raise BadTerms("system", terms.system, tuple(SYSTEMS))
    system = SYSTEMS[terms.system]
    if terms.players not in system.players:
        raise BadTerms("players", terms.players, system.players)
    if pace_of(terms.pace) is None:
        raise BadTerms("pace", terms.pace, tuple(PACES))
    board = board_for(terms.system, terms.players, terms.options)
    if terms.origin is not None:
        check_origin(board, terms.origin)


def fit_options(system: RuleSystem, players: int, options: Options) -> Options:
    """Return these house rules without those that this many players cannot choose in a system."""
    while (refused := why_refused(system, players, options)) is not None:
        options = replace(options, **{refused[0]: getattr(Options(), refused[0])})
    return options


def fit_terms(terms: Terms, given: Container[str], seated: int) -> Terms:
    """Return the terms with whatever was not `given` (fields of `Terms`) brought in line with the rule system.

    The number of players becomes the nearest that the system knows and at which the `seated` people have seats; house
    rules that it does not have go. Raises `TooManySeated`.
    """
    if terms.system in SYSTEMS and "players" not in given:
        most = max(SYSTEMS[terms.system].players)
        allowed = [players for players in SYSTEMS[terms.system].players if players >= seated]
        if not allowed:
            raise TooManySeated(most, seated)
        terms = replace(terms, players=min(allowed, key=lambda players: (abs(players - terms.players), -players)))
    if terms.players < seated:
        raise TooManySeated(terms.players, seated)
    system = SYSTEMS.get(terms.system)
    if "options" not in given and system is not None and terms.players in system.players:
        terms = replace(terms, options=fit_options(system, terms.players, terms.options))
    return terms
