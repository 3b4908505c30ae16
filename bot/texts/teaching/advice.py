"""Advice from a computer player: hints, and reviews of finished games, with a reason for each."""

from __future__ import annotations

from collections.abc import Mapping

from bot.languages import Language
from bot.languages import mark as _
from bot.table import Table
from bot.texts.dialogue import Speaker, confirm_line, done_line, in_words
from bot.texts.markup import bold
from bot.texts.names import OBJECT, SUBJECT, Names, owners_piece, place_name, said, sentences, the_card, the_rank
from engine import Action, ActionKind, Preview, Rank, all_systems
from engine.players.motives import Motive, MotiveKind

won_more = said("💡 No single reason: it won more often when I played it out.")
"""The reason why something would have been better, if no motive says so."""

_MOTIVES: Mapping[MotiveKind, str | tuple[str, str]] = {
    MotiveKind.ONLY: _("💡 It's your only move."),
    MotiveKind.WINS: _("💡 This wins the game."),
    MotiveKind.BEST: _("💡 No single reason: it won most often when I played it out."),
    # What an action does on the board
    MotiveKind.GOES_HOME: _("💡 This brings a piece into its lane.", "💡 This brings {count} pieces into the lane."),
    MotiveKind.STOPS: _("💡 This stops {piece}, which could soon reach its lane."),
    MotiveKind.DRIVES_PAST: _("💡 This pushes {piece} past its lane: one more lap."),
    MotiveKind.TAKES_SEVERAL: _(
        "💡 This sends back an opponent's piece.", "💡 This sends back {count} opponents' pieces."
    ),
    MotiveKind.TAKES_LEADER: _(
        "💡 {name} is in the lead, and this sends back one of their pieces.",
        "💡 {name} is in the lead, and this sends back {count} of their pieces.",
    ),
    MotiveKind.TAKES: _("💡 This sends back one of {name}'s pieces.", "💡 This sends back {count} of {name}'s pieces."),
    MotiveKind.LEAVES_PARTNER: _("💡 This leaves {name}'s pieces alone."),
    MotiveKind.COMES_OUT: _("💡 This brings a piece out of the kennel."),
    MotiveKind.SAVES: _("💡 This gets the piece on {place} out of danger."),
    MotiveKind.LESS_DANGER: _("💡 The piece is safer on {place}."),
    MotiveKind.SAFE: _("💡 On {place}, no opponent can send it back next turn."),
    MotiveKind.CLEARS_PARTNER: _("💡 This clears the way for {name}."),
    MotiveKind.MAKES_ROOM: _("💡 This makes room in the lane for the pieces behind."),
    MotiveKind.DRAWS: _("💡 The special space {place} lets you draw a card."),
    MotiveKind.COSTS_CARD: _("💡 This costs {name} a card."),
    MotiveKind.NEARS_HOME: _("💡 From {place} the lane is within reach."),
    MotiveKind.BLOCKS: _(
        "💡 On its start, the piece blocks {count} opposing piece.",
        "💡 On its start, the piece blocks {count} opposing pieces.",
    ),
    MotiveKind.MOVES_ON: _(
        "💡 This brings a piece {count} space closer to its lane.",
        "💡 This brings a piece {count} spaces closer to its lane.",
    ),
    MotiveKind.SHARES: _(
        "💡 This brings a piece closer to its lane.", "💡 This brings {count} pieces closer to their lanes."
    ),
    MotiveKind.SPARES_OWN: _("💡 This moves {piece} and leaves yours where they are."),
    MotiveKind.PREPARES: _("💡 Next, {card} could take a piece to {place}, and then {then} into the lane."),
    MotiveKind.CLOSE: _("💡 A close call: other choices are about as good."),
    MotiveKind.SWAPS_BOTH: _(
        "💡 The swap brings your piece {count} space closer to its lane, and puts {piece} back.",
        "💡 The swap brings your piece {count} spaces closer to its lane, and puts {piece} back.",
    ),
    MotiveKind.SWAPS_BACK: _(
        "💡 The swap puts {piece} {count} space back.", "💡 The swap puts {piece} {count} spaces back."
    ),
    MotiveKind.SWAPS_AHEAD: _(
        "💡 The swap brings your piece {count} space closer to its lane.",
        "💡 The swap brings your piece {count} spaces closer to its lane.",
    ),
    MotiveKind.PARTNER_AHEAD: _(
        "💡 The swap brings {piece} {count} space closer to its lane.",
        "💡 The swap brings {piece} {count} spaces closer to its lane.",
    ),
    MotiveKind.PAST_LANE: _("💡 Jumping ahead to {place} would take the citizen past its lane."),
    MotiveKind.BETTER_AHEAD: _("💡 The citizen is better off on {place}."),
    MotiveKind.BETTER_HERE: _("💡 The citizen is better off where it is."),
    # What stays in the hand
    MotiveKind.KEEPS_FOR_LANE: _("💡 This keeps {card}, which could bring a piece into its lane next."),
    MotiveKind.KEEPS_TO_TAKE: _("💡 This keeps {card}, which could send back one of {name}'s pieces next."),
    MotiveKind.KEEPS_WAY_OUT: _("💡 This keeps {card}, your only way out of the kennel."),
    MotiveKind.KEEPS_CARD: _("💡 This keeps {card}, which is worth a lot."),
    # Giving a card or discarding it, calling for help or not
    MotiveKind.NEEDS_HELP: _("💡 You have no piece on the track, and no card to come out with."),
    MotiveKind.NEEDS_NONE: _("💡 You don't need any help right now."),
    MotiveKind.NEEDS_OWN: _("💡 You need {card} yourself, to come out of the kennel."),
    MotiveKind.CANNOT_HELP: _("💡 None of your cards would bring a piece out of the kennel for {name}."),
    MotiveKind.PARTNER_NEEDS_OUT: _("💡 {name} has no piece on the track, and can come out with {card}."),
    MotiveKind.PARTNER_GETS_HOME: _("💡 With {card}, {name} can bring a piece into the lane."),
    MotiveKind.PARTNER_CAN_TAKE: _("💡 {name} can send back an opponent's piece with {card}."),
    MotiveKind.PARTNER_CAN_OUT: _("💡 With {card}, {name} can bring another piece out."),
    MotiveKind.PARTNER_USES: _("💡 {name} has more use for {card} than you."),
    MotiveKind.SPARES: _("💡 You can spare {card} most easily."),
    MotiveKind.CAN_SPARE: _("💡 You can spare {card}."),
    MotiveKind.GIVES_LITTLE: _("💡 Of your cards, {card} helps {name} least."),
    MotiveKind.KEEPS_BEST: _("💡 You keep {card}, your best card."),
    MotiveKind.LEAST_USE: _("💡 You need {card} least."),
}
"""Reasons of a computer player, from the engine's motives, which hold nothing hidden."""

_INSTEAD: Mapping[ActionKind, str] = {
    ActionKind.GIVE: _("Better: give {name} {card}."),
    ActionKind.ASK: _("Better: offer {name} {card} and ask for help."),
    ActionKind.NONE: _("Better: do without help."),
    ActionKind.DECLINE: _("Better: decline to help."),
    ActionKind.DISCARD: _("Better: discard {card}."),
    ActionKind.PLACE: _("Better: begin with {rank}."),
    ActionKind.JUMP: _("Better: let the citizen jump ahead."),
    ActionKind.STAY: _("Better: let the citizen stay."),
}
"""Better actions than the one that was done."""


def why(language: Language, names: Names, motive: Motive) -> str:
    """Return the sentence for a motive."""
    if motive.kind is MotiveKind.FIRST_PIECE:
        return _first(language, motive.rank or "")
    name = "" if motive.side is None else names.marked(motive.side)
    case = SUBJECT if motive.kind in (MotiveKind.STOPS, MotiveKind.PREPARES) else OBJECT
    return language.tn(
        _MOTIVES[motive.kind],
        motive.count,
        name=name,
        piece=owners_piece(language, name, motive.rank, case),
        place=place_name(language, motive.place) if motive.place else "",
        card=the_card(language, motive.card, case) if motive.card else "",
        then=the_card(language, motive.then, case) if motive.then else "",
    )


def _first(language: Language, letter: str) -> str:
    """Say what a rank is good for, as the piece to begin with."""
    t, piece = language.t, the_rank(language, letter)
    match next((rank for system in all_systems() for rank in system.ranks if rank.letter == letter), None):
        case Rank(royal=True):
            return t("💡 Begin with {piece}: hardly any piece can send it back.", piece=piece)
        case Rank(vaults=True):
            return t("💡 Begin with {piece}: it gets past starts that stop all others.", piece=piece)
        case Rank(jumps=True):
            return t("💡 Begin with {piece}: from a special space it can jump ahead to the next.", piece=piece)
        case Rank(spares=count) if count:
            return language.n(
                "💡 Begin with {piece}: entering its lane, it can leave {count} space of a card unused.",
                "💡 Begin with {piece}: entering its lane, it can leave up to {count} spaces of a card unused.",
                count,
                piece=piece,
            )
        case _:
            return t("💡 Begin with {piece}: I found nothing better.", piece=piece)


def curve_title(language: Language, table: Table) -> str:
    """Return the heading of the curve."""
    return language.t("Round by round · {code}", code=table.code)


def curve_axis(language: Language) -> str:
    """Return the label of the curve's scale."""
    return language.p("scale", "chance of winning")


def curve_alt(language: Language, table: Table, ups: int) -> str:
    """Describe the curve for people who cannot see it. `ups`: how often the lead changed."""
    curve = language.t(
        "The chances of winning game {code} as a curve: {sides}.",
        code=table.code,
        sides=_sides(language, table, Names.of(table, language).unmarked()),
    )
    if not ups:
        return sentences(curve, language.t("The lead never changed."))
    if ups == 1:
        return sentences(curve, language.t("The lead changed once."))
    return sentences(curve, language.n("The lead changed {count} time.", "The lead changed {count} times.", ups))


def _sides(language: Language, table: Table, names: Names) -> str:
    """Say who played against whom."""
    teams = [names.listed(language, team) for team in table.board.teams]
    if len(teams) == 2:
        return language.t("{one} against {other}", one=teams[0], other=teams[1])
    return "; ".join(teams)


def in_line(language: Language, ahead: int) -> str:
    """Tell a player that they have to wait. `ahead`: how many people's reviews come first."""
    return language.n(
        "⏳ One review is ahead of yours. Yours will appear here.",
        "⏳ {count} reviews are ahead of yours. Yours will appear here.",
        ahead,
    )


def head(language: Language, table: Table, turns: int, looked_at: int | None) -> str:
    """Head the curve: whose turns are shown, if any, and how reliable the figures are. See `Review`."""
    t, n = language.t, language.n
    sides = _sides(language, table, Names.of(table, language))
    chances = t(
        "{code}: the chances of {sides}, judged only by what everyone could see.", code=bold(table.code), sides=sides
    )
    estimates = t("The figures are estimates.")
    if not looked_at:
        if looked_at is None:
            return sentences(chances, estimates, t("Players also see which of their own turns could have gone better."))
        return sentences(chances, estimates, t("You had no decisions to look at."))
    if not turns:
        summary = n(
            "I looked at one of your decisions and found nothing clearly better.",
            "I looked at {count} of your decisions and found nothing clearly better.",
            looked_at,
        )
    else:
        summary = n(
            "Here's one turn where you clearly had a better choice, going by what you knew.",
            "Here are {count} turns where you clearly had a better choice, going by what you knew.",
            turns,
        )
    return sentences(chances, summary, estimates)


def cost(language: Language, index: int, round_: int, loss: float) -> str:
    """Return the cost of a turn, in points of a hundred of the chance of winning."""
    return language.n(
        "{number} Round {round}: this cut your chance of winning by about {count} point.",
        "{number} Round {round}: this cut your chance of winning by about {count} points.",
        max(1, round(100 * loss)),
        number=bold(f"{index}."),
        round=round_,
    )


def done(speaker: Speaker, action: Action, preview: Preview) -> str:
    """Say what a player did."""
    sentence = done_line(speaker, action, preview)
    return speaker.language.t("You played {what}.", what=sentence) if action.kind is ActionKind.PLAY else sentence


def played(language: Language, index: int) -> str:
    """Head the picture of what was played."""
    return language.t("{number}. Played", number=index)


def better(language: Language, index: int) -> str:
    """Head the picture of what would have been better."""
    return language.t("{number}. Better", number=index)


def instead(speaker: Speaker, action: Action, preview: Preview) -> str:
    """Say what would have been better."""
    if sentence := in_words(speaker, _INSTEAD, action, preview):
        return sentence
    what = confirm_line(speaker, action, preview)
    return speaker.language.t("Better: {what}", what=what)
