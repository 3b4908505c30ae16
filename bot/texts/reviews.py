"""The review of a finished game in words: its course, the turns to think about, and how sure the figures are."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Table
from bot.texts import questions
from bot.texts.hints import reason
from bot.texts.markup import bold
from bot.texts.words import Names, the_card, the_rank
from engine import Action, ActionKind, Preview
from engine.thinking.motives import Motive


def curve_title(language: Language, table: Table) -> str:
    """The heading of the curve."""
    return language.t("Chance to win, round by round · {code}", code=table.code)


def curve_alt(language: Language, table: Table, ups: int) -> str:
    """The curve, for people who cannot see it. `ups`: how often the lead changed."""
    if not ups:
        return language.t("The chances to win of game {code} as a curve. The lead never changed.", code=table.code)
    if ups == 1:
        return language.t("The chances to win of game {code} as a curve. The lead changed once.", code=table.code)
    return language.n(
        "The chances to win of game {code} as a curve. The lead changed {count} time.",
        "The chances to win of game {code} as a curve. The lead changed {count} times.",
        ups,
        code=table.code,
    )


def in_line(language: Language, ahead: int) -> str:
    """What is said at once to somebody who has to wait. `ahead`: how many people's reviews come first."""
    return language.n(
        "⏳ One review comes before yours, which follows here by itself.",
        "⏳ {count} reviews come before yours, which follows here by itself.",
        ahead,
    )


def head(language: Language, table: Table, turns: int, looked_at: int | None) -> str:
    """Above the curve: whose turns are shown, if any, and how reliable the figures are. See `Review`."""
    code = bold(table.code)
    if looked_at is None:
        return language.t(
            "{code}: everybody's chances, judging by what all could see. The figures are estimates. "
            "Those who played also see turns of their own to think about.",
            code=code,
        )
    if not looked_at:
        return language.t(
            "{code}: everybody's chances, judging by what all could see. The figures are estimates. "
            "There was no decision of yours to look at.",
            code=code,
        )
    if not turns:
        return language.n(
            "{code}: everybody's chances, judging by what all could see. I looked at one decision of yours, and no "
            "other action was clearly better. The figures are estimates, so small differences do not count.",
            "{code}: everybody's chances, judging by what all could see. I looked at {count} decisions of yours, and "
            "in none of them was another action clearly better. The figures are estimates, so small differences do not "
            "count.",
            looked_at,
            code=code,
        )
    return language.n(
        "{code}: everybody's chances, judging by what all could see. Below is one of your turns in which another "
        "action was clearly better, judging by what you could know then. The figures are estimates, so small "
        "differences do not count.",
        "{code}: everybody's chances, judging by what all could see. Below are {count} of your turns in which another "
        "action was clearly better, judging by what you could know then. The figures are estimates, so small "
        "differences do not count.",
        turns,
        code=code,
    )


def cost(language: Language, index: int, round_: int, before: float, loss: float, low: float, high: float) -> str:
    """How much a turn cost, in percent of the chance to win, with the interval."""
    number = bold(f"{index}.")
    chance = round(before * 100)
    after = max(0, chance - round(loss * 100))
    # A loss that was found is one: no interval begins at 0.
    least = max(1, round(low * 100))
    most = max(least, round(high * 100))
    if least == most:
        return language.n(
            "{number} Round {round}: the chance to win was about {before} %, and {after} % after your action (about "
            "{count} point less).",
            "{number} Round {round}: the chance to win was about {before} %, and {after} % after your action (about "
            "{count} points less).",
            most,
            number=number,
            round=round_,
            before=chance,
            after=after,
        )
    return language.t(
        "{number} Round {round}: the chance to win was about {before} %, and {after} % after your action "
        "({low} to {high} points less).",
        number=number,
        round=round_,
        before=chance,
        after=after,
        low=least,
        high=most,
    )


def played(language: Language, index: int) -> str:
    """Written above the picture of what was played."""
    return language.t("{number}. Played", number=index)


def better(language: Language, index: int) -> str:
    """Written above the picture of what would have been better."""
    return language.t("{number}. Better", number=index)


def instead(language: Language, names: Names, seat: int, action: Action, preview: Preview, to: str) -> str:
    """What would have been better. `to`: who would have got a card that is given away."""
    t, card = language.t, the_card(language, action.card or "")
    match action.kind:
        case ActionKind.GIVE:
            return t("Better, judging by what you could know: you give {name} {card}.", name=to, card=card)
        case ActionKind.ASK:
            return t(
                "Better, judging by what you could know: you offer {name} {card} and ask for help.", name=to, card=card
            )
        case ActionKind.NONE:
            return t("Better, judging by what you could know: you do without help.")
        case ActionKind.DECLINE:
            return t("Better, judging by what you could know: you decline to help.")
        case ActionKind.DISCARD:
            return t("Better, judging by what you could know: you discard {card}.", card=card)
        case ActionKind.PLACE:
            rank = the_rank(language, action.rank or "")
            return t("Better, judging by what you could know: you begin with {rank}.", rank=rank)
        case ActionKind.JUMP:
            return t("Better, judging by what you could know: the citizen jumps on.")
        case ActionKind.STAY:
            return t("Better, judging by what you could know: the citizen stays.")
        case _:
            what = questions.confirm_line(language, names, seat, action, preview, to)
            return t("Better, judging by what you could know: {what}", what=what)


def why(language: Language, names: Names, motive: Motive) -> str:
    """What speaks for the better action."""
    return reason(language, names, motive)
