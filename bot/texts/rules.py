"""The rules in short, for `/dog rules`: topics whose sentences are chosen by the data of a rule system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bot.languages import Language
from bot.languages import mark as _
from bot.texts.markup import bold, heading
from bot.texts.names import capital, card_name, listing, rank_name, system_name
from engine import SYSTEMS, Board, Card, Exchange, Options, Position, Rank, RuleSystem, board_for
from engine.analysis import position_actions
from engine.rules.cards import Backward, Copy, Forward, Magnet, Out, Split, Swap
from engine.rules.systems import BackwardEntry, Guard, IdleSwap, Opening, Spill, StuckRule

LIMIT = 2000
"""The most characters in one message (Discord's limit)."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One part of the rules: `id` names it in code, `button` is its label, `text` is all of it."""

    id: str
    button: str
    text: str


def topics(language: Language, system: RuleSystem, players: int, options: Options | None = None) -> tuple[Topic, ...]:
    """The rules of a system for this many players, the essentials first; each text at most 2,000 characters.

    Raises:
        engine.SetupError: it cannot be played by this many.
    """
    board = board_for(system, players)
    found = (
        ("short", language.t("In short"), _short(language, system, board, options)),
        ("start", language.p("topic", "Start"), _start(language, system)),
        ("lane", language.t("Lane"), _lane(language, system, board)),
        ("seven", named(language, system, system.shared_cards), seven_lines(language, system, options)),
        ("swap", named(language, system, system.cards_with(Swap)), swap_lines(language, system, board)),
        ("magnet", named(language, system, system.cards_with(Magnet)), magnet_lines(language, system)),
        ("copy", named(language, system, system.cards_with(Copy)), copy_lines(language, system)),
        ("ranks", language.t("Ranks"), _ranks(language, system)),
        ("spaces", language.t("Special spaces"), _spaces(language, system, board)),
        ("paths", language.t("Short cuts"), _paths(language, board)),
        ("pile", language.t("Cards run out"), _pile(language, board)),
    )
    title = system.name if system.id not in SYSTEMS else system_name(language, system.id)
    head = heading(language.t("{system}, {players} players", system=title, players=players))
    return tuple(
        Topic(key, button, "\n".join([head if key == "short" else bold(button), *lines]))
        for key, button, lines in found
        if lines
    )


def _short(language: Language, system: RuleSystem, board: Board, options: Options | None) -> list[str]:
    sections = (
        (language.t("Aim"), _aim(language, system, board)),
        (language.t("Words"), _words(language, system)),
        (language.t("Cards"), cards(language, system)),
        (language.t("A round"), _round(language, system, board)),
        (language.t("Moving"), _moving(language, system)),
        (language.t("House rule"), _house(language, options)),
    )
    return [f"{bold(title)} {' '.join(lines)}" for title, lines in sections if lines]


def _aim(language: Language, system: RuleSystem, board: Board) -> list[str]:
    direction = language.t("clockwise") if board.clockwise else language.t("anticlockwise")
    lap = language.t(
        "Bring your four pieces {direction} around {length} spaces into your lane.",
        direction=direction,
        length=board.length,
    )
    if board.partner(board.seats[0]) is None:
        return [lap, language.t("Everyone plays for themselves; the first with all four in wins.")]
    return [
        lap,
        language.t("Once yours are in, you move your partner's as if they were yours."),
        language.t("A team with all eight in wins at once."),
    ]


def _words(language: Language, system: RuleSystem) -> list[str]:
    lines = [
        language.t("*Kennel*: where pieces wait, and go back to when they are taken."),
        language.t("*Start*: the space where your pieces come out."),
        language.t("*Lane*: your four slots a, b, c, d at the end of the lap; nobody is taken in there."),
    ]
    if system.marks_fresh:
        lines.append(language.t("*Fresh*: a piece on its start that has not moved since it came out."))
    return lines


def _round(language: Language, system: RuleSystem, board: Board) -> list[str]:
    dealt = [system.cards_dealt(number) for number in range(1, 12)]
    lines = [language.t("The seat that begins is drawn at random; in later rounds it is the next one in turn.")]
    if len(set(dealt)) == 1:
        lines.append(language.t("Everyone gets {count} cards.", count=dealt[0]))
    else:
        lines.append(
            language.t("Everyone gets {counts} ... cards, round by round.", counts=", ".join(map(str, dealt[:8])))
        )
    lines.append(
        {
            Exchange.TEAM: language.t(
                "Partners give each other one card, both choosing before they see what they get."
            ),
            Exchange.ASK: language.t(
                "You may ask your partner for help, offering a card face down; they give one in return, or decline."
            ),
            Exchange.NEXT: language.t("Everyone gives one card to the next seat, before seeing what they get."),
        }[board.exchange]
    )
    if system.opening is Opening.ONE_OUT:
        lines.append(language.t("Everyone begins with a piece on the start."))
    elif system.opening is Opening.CHOSEN:
        lines.append(language.t("After the first exchange everyone places a piece of their choice on the start."))
    lines.append(language.t("If you can play, you must; which card and how is up to you."))
    lines.append(
        language.t("If you cannot, you show your hand, lay it down and are out until the next deal.")
        if board.stuck is StuckRule.FOLD
        else language.t("If you cannot, you discard a card and draw one; if that does not help, you discard another.")
    )
    return lines


def _moving(language: Language, system: RuleSystem) -> list[str]:
    lines = [language.t("Landing on any piece, even your own, sends it home.")]
    if system.ranks:
        lines.append(language.t("Passing is free, except past blocking pieces, in lanes and by rank."))
    else:
        lines.append(language.t("Passing is free, except past blocking pieces and in lanes."))
    return lines


def _start(language: Language, system: RuleSystem) -> list[str]:
    if system.start_guard is Guard.ALWAYS:
        return [
            language.t("A piece on its own start, however it got there, cannot be taken and blocks everyone."),
            language.t("So no second piece can come out while one of yours stands there."),
            language.t("A piece that comes out takes any other player's piece on your start."),
            language.t("On somebody else's start a piece is an ordinary piece."),
        ]
    return [
        language.t("A fresh piece on its start cannot be taken and blocks everyone, forwards and backwards."),
        language.t("A piece that has come back to its start is an ordinary piece."),
        language.t("A piece that comes out takes any piece on your start, even your own if it is not fresh."),
        language.t("If that is all you can play, you must."),
    ]


def _lane(language: Language, system: RuleSystem, board: Board) -> list[str]:
    lines = []
    if system.branch_offset == 0:
        lines.append(language.t("The lane branches off at your start. A piece that walks across it may turn in."))
        lines.append(language.t("A blocking piece of your own on the start shuts the door."))
    elif system.branch_offset == -1:
        lines.append(
            language.t("The lane branches off at the space before your start. A piece that walks through may turn in.")
        )
    else:
        lines.append(
            language.t(
                "The lane branches off at space {space} (for the first seat). A piece that walks through may turn in.",
                space=board.branch(board.seats[0]),
            )
        )
    if not system.enter_standing:
        lines.append(language.t("A piece that stands there already may not: it has to come past it again."))
    elif system.branch_offset == 0:
        lines.append(language.t("A piece that stands on it may turn in too, unless it is fresh."))
    else:
        lines.append(language.t("A piece that stands on it may turn in too."))
    lines += _backward(language, system, board)
    lines.append(language.t("Inside, pieces only go forward and nobody passes."))
    lines.append(language.t("The number must fit: a card that is too high means another lap."))
    return lines


def _backward(language: Language, system: RuleSystem, board: Board) -> list[str]:
    """From where a card enters the lane backward, found by trying."""
    lines = []
    for card in system.cards.values():
        steps = max((power.steps for power in card.powers if isinstance(power, Backward)), default=0)
        if not steps:
            continue
        name = capital(card_name(language, card.id))
        if system.enter_backward is BackwardEntry.NEVER:
            lines.append(language.t("{card}: it never goes backwards into the lane.", card=name))
            continue
        ways = [
            language.p("way into the lane", "from start +{count} into {slot}", count=past, slot=slot)
            if past
            else language.p("way into the lane", "from the start itself (not fresh) into {slot}", slot=slot)
            for past in range(steps + 1)
            for slot in _slots(system, board, card.id, past)
        ]
        lines.append(language.t("{card} backwards: {ways}.", card=name, ways=", ".join(ways)))
        if not any(_slots(system, board, card.id, 0)):
            lines.append(language.t("Never from your start itself."))
    return lines


def _slots(system: RuleSystem, board: Board, card: str, past: int) -> list[str]:
    """The slots that a card reaches from this many spaces past the start of the first seat."""
    seat = board.seats[0]
    space = str((board.start(seat) + past - 1) % board.length + 1)
    ranks = [rank.letter for rank in system.ranks] or [""] * 4
    pieces = {side: tuple(f"{rank}-" for rank in ranks) for side in board.seats}
    pieces[seat] = (*pieces[seat][:3], f"{ranks[3]}{space}")
    position = Position(system, board.players, pieces, seat, (card,))
    ends = [action.action.parts[0].target for action in position_actions(position) if action.action.parts]
    return [end for end in ends if end in {"a", "b", "c", "d"}]


def _ranks(language: Language, system: RuleSystem) -> list[str]:
    if not system.ranks:
        return []
    order = capital(" > ".join(rank_name(language, rank.letter) for rank in system.ranks))
    lines = [language.t("{order}: a piece passes only its own rank and lower ones.", order=order)]
    green = [card_name(language, card.id) for card in system.cards.values() if card.green]
    if green:
        lines.append(
            language.t(
                "With a green card ({cards}, in every direction) rank does not matter.", cards=listing(language, green)
            )
        )
    for rank in system.ranks:
        lines += [f"• {line}" for line in _powers(language, rank)]
    lines.append(
        language.t(
            "A piece that comes out or ends its move on its own start takes any other player's piece there, whatever "
            "its rank."
        )
    )
    return lines


def _powers(language: Language, rank: Rank) -> Iterable[str]:
    name = capital(rank_name(language, rank.letter))
    if rank.royal:
        yield language.t(
            "{rank}: taken only by another seat's piece of this rank, or by any piece that comes onto its own start.",
            rank=name,
        )
    if rank.longest is not None:
        yield language.t(
            "{rank}: moves with values up to {steps}; coming out, swaps and magnets are not limited.",
            rank=name,
            steps=rank.longest,
        )
    if rank.vaults:
        yield language.t(
            "{rank}: may pass a start with a piece of that side on it, by rank or with a green card; never ends there.",
            rank=name,
        )
    if rank.jumps:
        yield language.t(
            "{rank}: may go on from a special space to the next free one, past anyone; that draws no card.",
            rank=name,
        )
    if rank.spares:
        yield language.n(
            "{rank}: may leave up to {count} point unused in the move that takes it into its lane.",
            "{rank}: may leave up to {count} points unused in the move that takes it into its lane.",
            rank.spares,
            rank=name,
        )


def _spaces(language: Language, system: RuleSystem, board: Board) -> list[str]:
    if not board.specials:
        return []
    lines = [
        language.t(
            "{spaces}: if you end a move there by a number or a magnet, you draw a card at once.",
            spaces=listing(language, map(str, board.specials)),
        )
    ]
    for card in system.cards_with(Swap):
        name = capital(card_name(language, card.id))
        lines.append(language.t("{card}: a piece that it puts there draws nothing.", card=name))
    return lines


def _paths(language: Language, board: Board) -> list[str]:
    if not board.paths:
        return []
    lines = [
        language.t(
            "Path {name} leaves the track at {leaves}, has spaces {first} to {last} and comes back at {rejoins}.",
            name=path.name,
            leaves=path.leaves,
            first=f"{path.name}1",
            last=f"{path.name}{path.spaces}",
            rejoins=path.rejoins,
        )
        for path in board.paths
    ]
    lines.append(language.t("A piece that walks through the space where a path leaves, or stands on it, may turn in."))
    lines.append(language.t("Inside a path it only goes forward; nothing goes backwards in a path or into one."))
    if board.crossing:
        crossing = listing(language, (f"{name}{number}" for name, number in board.crossing))
        lines.append(
            language.t(
                "{spaces} are one space, where the paths cross: there is room for only one piece.", spaces=crossing
            )
        )
    return lines


def _pile(language: Language, board: Board) -> list[str]:
    lines = [
        language.t("Played and discarded cards lie open for everyone to see."),
        language.t("When the draw pile is used up, all open cards are shuffled into a new one, and play goes on."),
    ]
    if board.stuck is StuckRule.REDRAW or board.specials:
        lines.append(language.t("The card that was just played or discarded is among them: it may come straight back."))
        lines.append(language.t("If there is nothing left to draw at all, nothing is drawn."))
    return lines


def _house(language: Language, options: Options | None) -> list[str]:
    if options is None or not options.canadian_seven:
        return []
    return [language.t("Canadian seven: a seven may be shared among your and your partner's pieces at any time.")]


def named(language: Language, system: RuleSystem, found: Iterable[Card]) -> str:
    """The title of a topic about these cards: their names."""
    return capital(listing(language, (card_name(language, card.id) for card in found)))


def cards(language: Language, system: RuleSystem) -> list[str]:
    """Each card of a system and what it does; those that only move forward by their number are told together."""
    plain = [card.id for card in system.cards.values() if card.id.isdigit() and card.powers == (Forward(int(card.id)),)]
    lines = [language.t("{cards}: that many spaces.", cards=", ".join(plain))] if plain else []
    lines += [
        f"{capital(card_name(language, card.id))}: {_power(language, card)}."
        for card in system.cards.values()
        if card.id not in plain
    ]
    return lines


def _power(language: Language, card: Card) -> str:
    forward = [power.steps for power in card.powers if isinstance(power, Forward)]
    words = []
    if any(isinstance(power, Out) for power in card.powers):
        words.append(language.p("what a card does", "out of the kennel"))
    if len(forward) > 2:
        words.append(language.p("what a card does", "one piece, {first} to {last}", first=forward[0], last=forward[-1]))
    else:
        words += [str(steps) for steps in forward]
    for power in card.powers:
        match power:
            case Backward(steps):
                words.append(language.p("what a card does", "{steps} backwards", steps=steps))
            case Split(points):
                words.append(
                    language.p(
                        "what a card does",
                        "{points}, shared among your pieces as you like, taking all it passes",
                        points=points,
                    )
                )
            case Swap():
                words.append(language.p("what a card does", "swap one of your pieces with another seat's"))
            case Magnet():
                words.append(language.p("what a card does", "move up behind the next piece ahead"))
            case Copy():
                words.append(language.p("what a card does", "counts as the card last played in this round"))
    if card.wild:
        words.append(language.p("what a card does", "any other card"))
    return (
        language.p("what a card does", "{first} or {last}", first=", ".join(words[:-1]), last=words[-1])
        if len(words) > 1
        else words[0]
    )


def seven_lines(language: Language, system: RuleSystem, options: Options | None) -> list[str]:
    """How a card's points are shared among pieces (rules, section 6); empty if no card's are."""
    rule = system.seven
    if rule is None:
        return []
    lines = [
        language.t("All points must be used, and each piece moves at most once. Pieces in the lane may take some too."),
        language.t(
            "Every piece on the track that is passed goes home, your own included. Blocking pieces cannot be passed."
        ),
        language.t("The parts go one after the other: a piece taken by an earlier part gets no points."),
        language.t("Ending on a piece sends it home, too.")
        if rule.takes_at_end
        else language.t("Every part must end on a free space."),
    ]
    if options is None or not options.canadian_seven:
        lines.append(
            language.t("What is left when your last piece comes in goes to exactly one of your partner's pieces.")
            if rule.spill is Spill.ONE
            else language.t("What is left when your last piece comes in is shared among your partner's pieces.")
        )
        lines.append(language.t("These may be in their lane. If the points cannot be used in full, it is not allowed."))
    if rule.lapse:
        lines.append(language.t("When the team's last piece comes in, points left over lapse."))
    return lines


def swap_lines(language: Language, system: RuleSystem, board: Board) -> list[str]:
    """Which pieces a swap may touch (rules, section 7); empty if no card swaps."""
    found = system.cards_with(Swap)
    if not found:
        return []
    card = capital(card_name(language, found[0].id))
    lines = [
        language.t("One of your pieces on the track changes places with an opponent's.")
        if system.swap.partner_last
        else language.t("One of your pieces on the track changes places with one of any other seat."),
        language.t("Nobody goes home."),
    ]
    if system.swap.partner_last:
        lines.append(language.t("With your partner's only if no opponent's piece can be swapped."))
    if board.paths:
        lines.append(language.t("Pieces on the short cuts can be swapped, too."))
    lines.append(
        language.t("Pieces on their own start, in lanes and in kennels stay where they are.")
        if system.swap_guard is Guard.ALWAYS
        else language.t("Fresh pieces and pieces in lanes and kennels stay where they are.")
    )
    if system.marks_fresh:
        lines.append(language.t("A piece that is put on its own start is not fresh."))
    if system.swap.idle is IdleSwap.ALLOWED:
        lines.append(
            language.t("{card}: if all pieces on the track are yours, it may be played without effect.", card=card)
        )
    elif system.swap.idle is IdleSwap.LAST:
        lines.append(
            language.t(
                "{card}: if all pieces on the track are yours and no card in your hand allows anything else, it is "
                "played without effect.",
                card=card,
            )
        )
    else:
        lines.append(language.t("{card}: with nobody to swap with it cannot be played.", card=card))
    return lines


def magnet_lines(language: Language, system: RuleSystem) -> list[str]:
    """How a magnet moves a piece (rules, section 8); empty if there is none."""
    if not system.cards_with(Magnet):
        return []
    return [
        language.t("One of your pieces on the track goes forward to the space right behind the next piece ahead."),
        language.t("It does not matter whose that is. The piece moves at least one space and never into the lane."),
        language.t("It passes nobody. With no other piece on the track it cannot be played."),
    ]


def copy_lines(language: Language, system: RuleSystem) -> list[str]:
    """What a copy stands for (rules, section 3.2); empty if there is none."""
    if not system.cards_with(Copy):
        return []
    return [
        language.t("It counts as the card that anyone played last in this round, used in any way that card allows."),
        language.t("A copy of a copy is the card that the first one stood for. Discarded cards were not played."),
        language.t("Before any card has been played in the round it cannot be played."),
    ]


class Example(NamedTuple):
    """A picture: its rule system and number of players, its topic, and what it shows (in English)."""

    system: str
    players: int
    topic: str
    shows: str


EXAMPLES: Mapping[str, Example] = {
    "classic-game": Example("classic", 4, "short", _("In a game: Ann's 9 has just led from 58 into her lane.")),
    "classic-block": Example(
        "classic",
        4,
        "start",
        _("Nothing gets past Ben's piece on 17, nor onto it: A and B must wait, or be swapped away."),
    ),
    "classic-lane": Example(
        "classic", 4, "lane", _("With a 5, the piece A on 62 may turn into the lane (B) or walk on (C).")
    ),
    "classic-seven": Example(
        "classic",
        4,
        "seven",
        _(
            "Three points from 20 to 23 burn Ben's piece on 22, three more go from 28 to 31, and one is used inside "
            "the lane."
        ),
    ),
    "family-game": Example("family", 4, "short", _("In a game: Ann's 4 has just led backwards into her lane.")),
    "family-four": Example(
        "family",
        4,
        "lane",
        _("With a 4 backwards, one space past the start (A) leads to b, two spaces past (B) to a."),
    ),
    "dobney-six": Example(
        "dobney", 6, "short", _("In a game of six: Ann's 9 has just led from 20 onto the short cut, to P6.")
    ),
    "dobney-four": Example(
        "dobney",
        4,
        "lane",
        _("Each of these pieces may go in with a 4 backwards: A to a, B to b, C to c, D (not fresh) to d."),
    ),
    "dobney-crossing": Example(
        "dobney",
        6,
        "paths",
        _("Ann's seven runs along path P and burns Eve's piece, which came to the crossing by path Q."),
    ),
    "royal-basic-game": Example("royal-basic", 4, "short", _("In a game: Ann's 10 has just led from 20 to 30.")),
    "royal-basic-magnet": Example("royal-basic", 4, "magnet", _("From 12 up to 29, right behind Cleo's piece on 30.")),
    "royal-game": Example("royal", 4, "short", _("In a game: Ann's jester has just gone from 20 to 30.")),
    "royal-ranks": Example(
        "royal",
        4,
        "ranks",
        _("With a 6, king, knight and citizen get past Ben's citizen on 24 (to K, N and C). The jester does not."),
    ),
    "royal-citizen": Example(
        "royal",
        4,
        "spaces",
        _("The 5 leads to the special space 11 and gives a card. 27 is taken, so the citizen may go on to 43 (A)."),
    ),
}
"""Keyed by the name of the file."""


def example_of(system: RuleSystem, players: int, topic: str) -> str | None:
    """The picture for a topic, if there is one: with this many players if possible, otherwise with another number."""
    fitting = [name for name, one in EXAMPLES.items() if (one.system, one.topic) == (system.id, topic)]
    return min(fitting, key=lambda name: EXAMPLES[name].players != players, default=None)


def empty_board(language: Language) -> str:
    """What a picture of the board alone shows, in one sentence."""
    return language.t("The empty board with its kennels, starts and lanes.")


def shown(language: Language, name: str) -> str:
    """What a picture shows, in one sentence."""
    return language.t(EXAMPLES[name].shows)
