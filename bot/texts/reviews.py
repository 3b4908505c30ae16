"""The review of a finished game in words: its course, the turns to think about, and how sure the figures are."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Table
from bot.texts.hints import reason
from bot.texts.markup import bold
from bot.texts.words import Names
from engine.thinking.motives import Motive


def curve_title(language: Language, table: Table) -> str:
    """The heading of the curve."""
    return language.t("Chance to win, round by round · {code}", code=table.code)


def curve_alt(language: Language, table: Table, ups: int) -> str:
    """The curve, for people who cannot see it. `ups`: how often the lead changed."""
    return language.n(
        "The chances to win of game {code} as a curve. The lead changed {count} time.",
        "The chances to win of game {code} as a curve. The lead changed {count} times.",
        ups,
        code=table.code,
    )


def head(language: Language, table: Table, turns: int, looked_at: int) -> str:
    """Above the curve: whose turns are shown, if any, and how reliable the figures are."""
    code = bold(table.code)
    if not looked_at:
        return language.t(
            "{code}: how the chances changed, by what all could see. The figures are estimates. "
            "Those who played also see turns of their own to think about.",
            code=code,
        )
    if not turns:
        return language.t(
            "{code}: how the chances changed, by what all could see. In none of your turns was another action clearly "
            "better; smaller differences are within the noise of the estimate.",
            code=code,
        )
    return language.n(
        "{code}: how the chances changed, by what all could see. In one of your turns another action was clearly "
        "better, by what you could know then. The figures are estimates; differences within their noise are left out.",
        "{code}: how the chances changed, by what all could see. In {count} of your turns another action was clearly "
        "better, by what you could know then. The figures are estimates; differences within their noise are left out.",
        turns,
        code=code,
    )


def cost(language: Language, index: int, round_: int, before: float, after: float, low: float, high: float) -> str:
    """How much a turn cost, in percent of the chance to win, with the interval."""
    return language.t(
        "{number} Round {round}: the chance to win was about {before} %, and {after} % after your action "
        "({low} to {high} points less).",
        number=bold(f"{index}."),
        round=round_,
        before=round(before * 100),
        after=round(after * 100),
        low=round(low * 100),
        high=round(high * 100),
    )


def instead(language: Language, what: str) -> str:
    """What would have been better; `what`: the action as the preview words it."""
    return language.t("Better, judging by what you could know: {what}", what=what)


def why(language: Language, names: Names, motive: Motive) -> str:
    """What speaks for the better action."""
    return reason(language, names, motive)
