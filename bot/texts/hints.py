"""Why a computer player would do something, in one sentence: from the engine's reasons, which hold nothing hidden."""

from __future__ import annotations

from bot.languages import Language
from bot.texts.words import SUBJECT, Names, owners_piece, place_name, the_card, the_rank
from engine.thinking.motives import Motive, MotiveKind


def reason(language: Language, names: Names, motive: Motive) -> str:
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
        case MotiveKind.NEEDS_HELP:
            return t("💡 You have no piece to walk with, and no card to come out with.")
        case MotiveKind.NEEDS_NONE:
            return t("💡 Your hand can do without help.")
        case MotiveKind.BETTER_AHEAD:
            return t("💡 Your citizen is better off on {place}.", place=place)
        case MotiveKind.BETTER_HERE:
            return t("💡 Your citizen is better off where it is.")
        case MotiveKind.STRONG_PIECE:
            return t("💡 Begin with {rank}: it can do most.", rank=the_rank(language, motive.rank or ""))
        case _:
            pass
    return _about_pieces(language, motive, name, place) or _about_cards(language, motive, name, card)


def _about_pieces(language: Language, motive: Motive, name: str, place: str) -> str:
    """What an action does on the board."""
    t, n, count = language.t, language.n, max(1, motive.count)
    match motive.kind:
        case MotiveKind.GOES_HOME:
            return n("💡 This brings a piece into its lane.", "💡 This brings {count} pieces into the lane.", count)
        case MotiveKind.STOPS:
            piece = owners_piece(language, name, motive.rank, SUBJECT)
            return t("💡 Otherwise {piece} could soon be home.", piece=piece)
        case MotiveKind.TAKES_LEADER:
            return t("💡 This sends home a piece of {name}, who is ahead of everybody.", name=name)
        case MotiveKind.TAKES:
            return t("💡 This sends a piece of {name} home.", name=name)
        case MotiveKind.COMES_OUT:
            return t("💡 This brings a piece out of the kennel.")
        case MotiveKind.SAVES:
            return t("💡 This takes the piece on {place} out of danger.", place=place)
        case MotiveKind.CLEARS_PARTNER:
            return t("💡 This clears the way for {name}.", name=name)
        case MotiveKind.MAKES_ROOM:
            return t("💡 This makes room in the lane for the pieces behind.")
        case MotiveKind.DRAWS:
            return t("💡 The special space {place} lets you draw a card.", place=place)
        case MotiveKind.SWAPS_AHEAD:
            return n(
                "💡 The swap takes your piece {count} space further.",
                "💡 The swap takes your piece {count} spaces further.",
                count,
            )
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
                "💡 This takes your pieces {count} space further.",
                "💡 This takes your pieces {count} spaces further.",
                count,
            )
        case _:
            return ""


def _about_cards(language: Language, motive: Motive, name: str, card: str) -> str:
    """What an action does for the hand."""
    t = language.t
    match motive.kind:
        case MotiveKind.KEEPS_FOR_LANE:
            return t("💡 This keeps {card} for your lane.", card=card)
        case MotiveKind.KEEPS_WAY_OUT:
            return t("💡 This keeps {card}, your only way out of the kennel.", card=card)
        case MotiveKind.KEEPS_CARD:
            return t("💡 This keeps {card}, which is worth a lot.", card=card)
        case MotiveKind.PARTNER_NEEDS_OUT:
            return t("💡 {name} has no piece to walk with, and comes out with {card}.", name=name, card=card)
        case MotiveKind.PARTNER_GETS_HOME:
            return t("💡 {name} can bring a piece home with {card}.", name=name, card=card)
        case MotiveKind.PARTNER_CAN_TAKE:
            return t("💡 {name} can send an opponent home with {card}.", name=name, card=card)
        case MotiveKind.SPARES:
            return t("💡 You can spare {card} most easily.", card=card)
        case MotiveKind.GIVES_LITTLE:
            return t("💡 Of your cards, {card} helps {name} least.", card=card, name=name)
        case MotiveKind.NEEDS_OWN:
            return t("💡 You need for yourself what would help there.")
        case _:
            return t("💡 No other card is of less use than {card}.", card=card)
