"""Advice from a computer player: hints, and reviews of finished games, with a reason for each."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Table
from bot.texts import questions
from bot.texts.markup import bold
from bot.texts.names import SUBJECT, Names, owners_piece, place_name, the_card, the_rank
from engine import Action, ActionKind, Preview, Rank, all_systems
from engine.players.motives import Motive, MotiveKind


def not_asked(language: Language) -> str:
    """Somebody asks for a hint while the game asks nothing of them."""
    return language.t("You get hints when it is your turn.")


def why(language: Language, names: Names, motive: Motive) -> str:
    """The sentence for a reason."""
    t, kind = language.t, motive.kind
    name = "" if motive.side is None else names.marked(motive.side)
    card = the_card(language, motive.card) if motive.card else ""
    place = place_name(language, motive.place) if motive.place else ""
    match kind:
        case MotiveKind.ONLY:
            return t("💡 There is nothing else you can do.")
        case MotiveKind.WINS:
            return t("💡 This wins the game.")
        case MotiveKind.PAST_LANE:
            return t("💡 Going on to {place} would take the citizen past its lane.", place=place)
        case MotiveKind.BETTER_AHEAD:
            return t("💡 The citizen is better off on {place}.", place=place)
        case MotiveKind.BETTER_HERE:
            return t("💡 The citizen is better off where it is.")
        case MotiveKind.FIRST_PIECE:
            return _first(language, motive.rank or "")
        case MotiveKind.BEST:
            return t("💡 No single reason stands out, but I found nothing better.")
        case _:
            pass
    return (
        _about_swaps(language, motive, name)
        or _about_pieces(language, motive, name, place)
        or _about_cards(language, motive, name, card)
        or _about_gifts(language, motive, name, card)
    )


def _first(language: Language, letter: str) -> str:
    """What a rank is good for, as the piece to begin with."""
    t, piece = language.t, the_rank(language, letter)
    rank = next((rank for system in all_systems() for rank in system.ranks if rank.letter == letter), None)
    match rank:
        case Rank(royal=True):
            return t("💡 Begin with {piece}: hardly any piece may take it.", piece=piece)
        case Rank(vaults=True):
            return t("💡 Begin with {piece}: it gets past starts that stop everybody else.", piece=piece)
        case Rank(jumps=True):
            return t("💡 Begin with {piece}: from a special space it may go on to the next.", piece=piece)
        case Rank(spares=count) if count:
            return language.n(
                "💡 Begin with {piece}: entering its lane, it may leave {count} point of a card unused.",
                "💡 Begin with {piece}: entering its lane, it may leave up to {count} points of a card unused.",
                count,
                piece=piece,
            )
        case _:
            return t("💡 Begin with {piece}: I found nothing better.", piece=piece)


def _about_swaps(language: Language, motive: Motive, name: str) -> str:
    """What a swap does."""
    n, count = language.n, motive.count
    piece = owners_piece(language, name, motive.rank)
    match motive.kind:
        case MotiveKind.SWAPS_BACK:
            return n(
                "💡 The swap puts {piece} {count} space back.",
                "💡 The swap puts {piece} {count} spaces back.",
                count,
                piece=piece,
            )
        case MotiveKind.SWAPS_AHEAD:
            return n(
                "💡 The swap takes your piece {count} space further.",
                "💡 The swap takes your piece {count} spaces further.",
                count,
            )
        case MotiveKind.PARTNER_AHEAD:
            return n(
                "💡 The swap takes {piece} {count} space further.",
                "💡 The swap takes {piece} {count} spaces further.",
                count,
                piece=piece,
            )
        case _:
            return ""


def _about_pieces(language: Language, motive: Motive, name: str, place: str) -> str:
    """What an action does on the board."""
    t, n, count = language.t, language.n, motive.count
    match motive.kind:
        case MotiveKind.GOES_HOME:
            return n("💡 This brings a piece into its lane.", "💡 This brings {count} pieces into the lane.", count)
        case MotiveKind.STOPS:
            piece = owners_piece(language, name, motive.rank, SUBJECT)
            return t("💡 Otherwise {piece} could soon reach its lane.", piece=piece)
        case MotiveKind.TAKES_LEADER:
            return n(
                "💡 This sends home a piece of {name}, who is ahead of everybody.",
                "💡 This sends home {count} pieces of {name}, who is ahead of everybody.",
                count,
                name=name,
            )
        case MotiveKind.TAKES:
            return n(
                "💡 This sends a piece of {name} home.",
                "💡 This sends {count} pieces of {name} home.",
                count,
                name=name,
            )
        case MotiveKind.LEAVES_PARTNER:
            return t("💡 This leaves {name}'s pieces in peace.", name=name)
        case MotiveKind.COMES_OUT:
            return t("💡 This brings a piece out of the kennel.")
        case MotiveKind.SAVES:
            return t("💡 This takes the piece on {place} out of danger.", place=place)
        case MotiveKind.LESS_DANGER:
            return t("💡 On {place} the piece is in less danger.", place=place)
        case MotiveKind.SAFE:
            return t("💡 On {place} no opponent can take the piece next.", place=place)
        case MotiveKind.CLEARS_PARTNER:
            return t("💡 This clears the way for {name}.", name=name)
        case MotiveKind.MAKES_ROOM:
            return t("💡 This makes room in the lane for the pieces behind.")
        case MotiveKind.DRAWS:
            return t("💡 The special space {place} lets you draw a card.", place=place)
        case MotiveKind.NEARS_HOME:
            return t("💡 From {place} the lane is within reach.", place=place)
        case MotiveKind.BLOCKS:
            return n(
                "💡 On its start the piece stands in the way of {count} opposing piece.",
                "💡 On its start the piece stands in the way of {count} opposing pieces.",
                count,
            )
        case MotiveKind.MOVES_ON:
            return n(
                "💡 This takes a piece {count} space further.", "💡 This takes a piece {count} spaces further.", count
            )
        case _:
            return ""


def _about_cards(language: Language, motive: Motive, name: str, card: str) -> str:
    """What stays in the hand."""
    t = language.t
    match motive.kind:
        case MotiveKind.KEEPS_FOR_LANE:
            return t("💡 This keeps {card}, which could bring a piece into its lane next.", card=card)
        case MotiveKind.KEEPS_TO_TAKE:
            return t("💡 This keeps {card}, which could send a piece of {name} home next.", card=card, name=name)
        case MotiveKind.KEEPS_WAY_OUT:
            return t("💡 This keeps {card}, your only way out of the kennel.", card=card)
        case MotiveKind.KEEPS_CARD:
            return t("💡 This keeps {card}, which is worth a lot.", card=card)
        case _:
            return ""


def _about_gifts(language: Language, motive: Motive, name: str, card: str) -> str:
    """What speaks for giving a card or discarding it, for calling for help or not."""
    t = language.t
    match motive.kind:
        case MotiveKind.NEEDS_HELP:
            return t("💡 You have no piece on the track, and no card to come out with.")
        case MotiveKind.NEEDS_NONE:
            return t("💡 You can play without help.")
        case MotiveKind.NEEDS_OWN:
            return t("💡 You need {card} yourself, to come out of the kennel.", card=card)
        case MotiveKind.CANNOT_HELP:
            return t("💡 None of your cards would bring a piece out of the kennel for {name}.", name=name)
        case MotiveKind.PARTNER_NEEDS_OUT:
            return t("💡 {name} has no piece on the track, and can come out with {card}.", name=name, card=card)
        case MotiveKind.PARTNER_GETS_HOME:
            return t("💡 With {card}, {name} can bring a piece into the lane.", name=name, card=card)
        case MotiveKind.PARTNER_CAN_TAKE:
            return t("💡 {name} can send an opponent's piece home with {card}.", name=name, card=card)
        case MotiveKind.SPARES:
            return t("💡 You can spare {card} most easily.", card=card)
        case MotiveKind.CAN_SPARE:
            return t("💡 You can spare {card}.", card=card)
        case MotiveKind.GIVES_LITTLE:
            return t("💡 Of your cards, {card} helps {name} least.", card=card, name=name)
        case _:
            return t("💡 There is no card you need less than {card}.", card=card)


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
