"""Terms that can be played: those of a new table; checked, and brought in line with a rule system."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from bot.errors import BadTerms, NotPossible, Problem, TooManySeated
from bot.pace import NO_WEEKENDS, PACES, name_pace, pace_of
from bot.table import Terms
from bot.tables.finished.records import Beginning
from engine import SYSTEMS, Options, RuleSystem, Teams, board_for, why_refused
from engine.rules.origins import check_origin


def choose_terms(
    usual: Terms,
    begins: Beginning | None = None,
    *,
    system: str | None = None,
    players: int | None = None,
    options: Options | None = None,
    teams: Teams | None = None,
    pace: str | None = None,
    hours: int = 0,
    bank: int = 0,
    weekends: bool = True,
    rated: bool | None = None,
) -> Terms:
    """Return the terms of a new table: what is asked for, else those of the game where it `begins`, else the `usual`.

    They may still be impossible (`check_terms`). Raises `OTHER_RULES` and `FROM_POSITION` if more is asked than the
    position leaves open; `NEVER_RATED`, `NO_WEEKENDS`, `NO_SUCH_PACE`.
    """
    if begins is not None:
        usual = begins.terms(usual)
    rules = SYSTEMS[system or usual.system]
    if players is None:
        players = usual.players if usual.players in rules.players else 4
    if options is None:
        can_fit = begins is None and players in rules.players
        options = fit_options(rules, players, usual.options) if can_fit else usual.options
    if teams is not None:
        options = replace(options, teams=teams)
    if begins is not None and (rules.id, players, options) != (usual.system, usual.players, usual.options):
        raise NotPossible(Problem.OTHER_RULES)
    if begins is not None and rated:
        raise NotPossible(Problem.FROM_POSITION)
    if rated and (usual.hints or options.open_hands):
        raise NotPossible(Problem.NEVER_RATED)
    time = name_pace(pace or usual.pace, hours, bank, weekends=weekends)
    if pace_of(time) is None:
        is_weekend = pace_of(time.removesuffix(NO_WEEKENDS)) is not None
        raise NotPossible(Problem.NO_WEEKENDS if is_weekend else Problem.NO_SUCH_PACE)
    is_rated = usual.rated and rated is not False
    return replace(usual, system=rules.id, players=players, options=options, pace=time, rated=is_rated)


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
