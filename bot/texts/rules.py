"""How to play: `/dog help`, and the rules in short, whose sentences are chosen by the data of a rule system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bot.languages import Language
from bot.languages import mark as _
from bot.texts import buttons
from bot.texts.markup import bold, fixed, heading
from bot.texts.names import capital, card_name, listing, look_name, rank_name, said, sentences, system_name
from bot.texts.positions import IN_WORDS
from engine import SYSTEMS, Board, Card, Exchange, Options, Position, Rank, RuleSystem, board_for
from engine.analysis import position_actions
from engine.rules.cards import Backward, Copy, Forward, Magnet, Out, Split, Swap
from engine.rules.systems import BackwardEntry, Guard, IdleSwap, Opening, Spill, StuckRule

empty_board = said("The empty board with its kennels, starts and lanes.")
"""What a picture of the board alone shows."""


def help_overview(language: Language) -> str:
    """First steps and all commands, in one message."""
    t = language.t
    lines = [
        heading(t("DOG: a card race for partners")),
        t(
            "Open a table with `/dog new`, let friends join or add computer players, and press {start}. "
            "Press {my_hand} to see your cards; nobody else ever sees them. "
            "Partners do not tell each other their cards.",
            start=buttons.named(language, buttons.START),
            my_hand=buttons.named(language, buttons.MY_HAND),
        ),
        "",
        t(
            "`/dog new` opens a table in this channel; hints are off unless its host turns them on with {option}",
            option=fixed(t("hints")),
        ),
        t("`/dog hand` shows your cards and lets you play"),
        t("`/dog play` plays a card from the keyboard"),
        t(
            "`/dog board` shows the newest board, with your own side at the bottom; with {option}, in words",
            option=fixed(t("text")),
        ),
        t("`/dog history` tells what has happened, `/dog replay` shows it as an animation"),
        t("`/dog games` lists your games, `/dog next` opens the most urgent one"),
        t(
            "`/dog me notify` chooses where you are told about your turns; "
            "`/dog me quiet` and `/dog me away` stop your clock"
        ),
        t("`/dog computer` adds a computer player or chooses how strong one plays (host)"),
        t("`/dog review` looks back at a finished game"),
        t("`/dog card` makes a picture of a finished game, to share"),
        t(
            "`/dog me theme` changes the look of what only you see; {text} plays without pictures",
            text=look_name(language, IN_WORDS),
        ),
        t("`/dog nudge` nudges whoever you are waiting for; `/dog takeback` takes your last move back"),
        t("`/dog move` takes a game to another channel or thread"),
        t("`/dog-admin` is for moderators: settings, pausing, ending any game, bans"),
        t("`/dog rules` explains the rules"),
        t("`/dog resign` hands your seat to a computer player"),
        t("`/dog cancel` ends a game for everyone (host and moderators)"),
    ]
    return "\n".join(lines)


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
    t, board = language.t, board_for(system, players)
    found = (
        ("short", t("In short"), _short(language, system, board, options)),
        ("start", language.p("topic", "Start"), _start(language, system)),
        ("lane", t("Lane"), _lane(language, system, board)),
        ("seven", _named(language, system.cards_with(Split)), _seven(language, system, options)),
        ("swap", _named(language, system.cards_with(Swap)), _swap(language, system, board)),
        ("magnet", _named(language, system.cards_with(Magnet)), _magnet(language, system)),
        ("copy", _named(language, system.cards_with(Copy)), _copy(language, system)),
        ("ranks", t("Ranks"), _ranks(language, system)),
        ("spaces", t("Special spaces"), _spaces(language, system, board)),
        ("paths", t("Short cuts"), _paths(language, board)),
        ("pile", t("Cards run out"), _pile(language, board)),
    )
    title = system.name if system.id not in SYSTEMS else system_name(language, system.id)
    head = heading(t("{system}, {players} players", system=title, players=players))
    return tuple(
        Topic(key, button, "\n".join([head if key == "short" else bold(button), *filter(None, lines)]))
        for key, button, lines in found
        if lines
    )


def _named(language: Language, found: Iterable[Card]) -> str:
    """The title of a topic about these cards: their names."""
    return capital(listing(language, (card_name(language, card.id) for card in found)))


# Each of the following gives the sentences of a topic, with empty ones where a rule does not apply.


def _short(language: Language, system: RuleSystem, board: Board, options: Options | None) -> list[str]:
    t = language.t
    house = options is not None and options.canadian_seven
    sections = (
        (t("Aim"), _aim(language, board)),
        (t("Words"), _words(language, system)),
        (t("Cards"), _cards(language, system)),
        (t("A round"), _round(language, system, board)),
        (t("Moving"), _moving(language, system)),
        (
            t("House rule"),
            [t("Canadian seven: a seven may be shared among your and your partner's pieces at any time.")] * house,
        ),
    )
    return [f"{bold(title)} {sentences(*lines)}" for title, lines in sections if lines]


def _aim(language: Language, board: Board) -> list[str]:
    t, alone = language.t, board.partner(board.seats[0]) is None
    return [
        t(
            "Bring your four pieces {direction} around {length} spaces into your lane.",
            direction=t("clockwise") if board.clockwise else t("anticlockwise"),
            length=board.length,
        ),
        t("Everyone plays for themselves; the first with all four in wins.") if alone else "",
        "" if alone else t("Once yours are in, you move your partner's as if they were yours."),
        "" if alone else t("A team with all eight in wins at once."),
    ]


def _words(language: Language, system: RuleSystem) -> list[str]:
    t = language.t
    return [
        t("*Kennel*: where pieces wait, and go back to when they are taken."),
        t("*Start*: the space where your pieces come out."),
        t("*Lane*: your four slots a, b, c, d at the end of the lap; nobody is taken in there."),
        t("*Fresh*: a piece on its start that has not moved since it came out.") if system.marks_fresh else "",
    ]


_EXCHANGES: Mapping[Exchange, str] = {
    Exchange.TEAM: _("Partners give each other one card, both choosing before they see what they get."),
    Exchange.ASK: _(
        "You may ask your partner for help, offering a card face down; they give one in return, or decline."
    ),
    Exchange.NEXT: _("Everyone gives one card to the next seat, before seeing what they get."),
}
_OPENINGS: Mapping[Opening, str] = {
    Opening.ONE_OUT: _("Everyone begins with a piece on the start."),
    Opening.CHOSEN: _("After the first exchange everyone places a piece of their choice on the start."),
}


def _round(language: Language, system: RuleSystem, board: Board) -> list[str]:
    t, dealt = language.t, [system.cards_dealt(number) for number in range(1, 12)]
    return [
        t("The seat that begins is drawn at random; in later rounds it is the next one in turn."),
        t("Everyone gets {count} cards.", count=dealt[0])
        if len(set(dealt)) == 1
        else t("Everyone gets {counts} ... cards, round by round.", counts=", ".join(map(str, dealt[:8]))),
        t(_EXCHANGES[board.exchange]),
        t(_OPENINGS.get(system.opening, "")),
        t("If you can play, you must; which card and how is up to you."),
        t("If you cannot, you show your hand, lay it down and are out until the next deal.")
        if board.stuck is StuckRule.FOLD
        else t("If you cannot, you discard a card and draw one; if that does not help, you discard another."),
    ]


def _moving(language: Language, system: RuleSystem) -> list[str]:
    t = language.t
    return [
        t("Landing on any piece, even your own, sends it home."),
        t("Passing is free, except past blocking pieces, in lanes and by rank.")
        if system.ranks
        else t("Passing is free, except past blocking pieces and in lanes."),
    ]


def _start(language: Language, system: RuleSystem) -> list[str]:
    t = language.t
    if system.start_guard is Guard.ALWAYS:
        return [
            t("A piece on its own start, however it got there, cannot be taken and blocks everyone."),
            t("So no second piece can come out while one of yours stands there."),
            t("A piece that comes out takes any other player's piece on your start."),
            t("On somebody else's start a piece is an ordinary piece."),
        ]
    return [
        t("A fresh piece on its start cannot be taken and blocks everyone, forwards and backwards."),
        t("A piece that has come back to its start is an ordinary piece."),
        t("A piece that comes out takes any piece on your start, even your own if it is not fresh."),
        t("If that is all you can play, you must."),
    ]


def _lane(language: Language, system: RuleSystem, board: Board) -> list[str]:
    t = language.t
    if system.branch_offset == 0:
        branches = [
            t("The lane branches off at your start. A piece that walks across it may turn in."),
            t("A blocking piece of your own on the start shuts the door."),
        ]
    elif system.branch_offset == -1:
        branches = [t("The lane branches off at the space before your start. A piece that walks through may turn in.")]
    else:
        branches = [
            t(
                "The lane branches off at space {space} (for the first seat). A piece that walks through may turn in.",
                space=board.branch(board.seats[0]),
            )
        ]
    if not system.enter_standing:
        standing = t("A piece that stands there already may not: it has to come past it again.")
    elif system.branch_offset == 0:
        standing = t("A piece that stands on it may turn in too, unless it is fresh.")
    else:
        standing = t("A piece that stands on it may turn in too.")
    return [
        *branches,
        standing,
        *_backward(language, system, board),
        t("Inside, pieces only go forward and nobody passes."),
        t("The number must fit: a card that is too high means another lap."),
    ]


def _backward(language: Language, system: RuleSystem, board: Board) -> list[str]:
    """From where a card enters the lane backward, found by trying."""
    t, p, lines = language.t, language.p, []
    for card in system.cards_with(Backward):
        name = capital(card_name(language, card.id))
        if system.enter_backward is BackwardEntry.NEVER:
            lines.append(t("{card}: it never goes backwards into the lane.", card=name))
            continue
        steps = max(power.steps for power in card.powers if isinstance(power, Backward))
        slots = {past: _slots(system, board, card.id, past) for past in range(steps + 1)}
        ways = [
            p("way into the lane", "from start +{count} into {slot}", count=past, slot=slot)
            if past
            else p("way into the lane", "from the start itself (not fresh) into {slot}", slot=slot)
            for past, found in slots.items()
            for slot in found
        ]
        lines.append(t("{card} backwards: {ways}.", card=name, ways=", ".join(ways)))
        if not slots[0]:
            lines.append(t("Never from your start itself."))
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
    t = language.t
    order = capital(" > ".join(rank_name(language, rank.letter) for rank in system.ranks))
    green = listing(language, (card_name(language, card.id) for card in system.cards.values() if card.green))
    return [
        t("{order}: a piece passes only its own rank and lower ones.", order=order),
        t("With a green card ({cards}, in every direction) rank does not matter.", cards=green) if green else "",
        *(f"• {line}" for rank in system.ranks for line in _powers(language, rank)),
        t(
            "A piece that comes out or ends its move on its own start takes any other player's piece there, whatever "
            "its rank."
        ),
    ]


def _powers(language: Language, rank: Rank) -> Iterable[str]:
    t, name = language.t, capital(rank_name(language, rank.letter))
    if rank.royal:
        yield t(
            "{rank}: taken only by another seat's piece of this rank, or by any piece that comes onto its own start.",
            rank=name,
        )
    if rank.longest is not None:
        yield t(
            "{rank}: moves with values up to {steps}; coming out, swaps and magnets are not limited.",
            rank=name,
            steps=rank.longest,
        )
    if rank.vaults:
        yield t(
            "{rank}: may pass a start with a piece of that side on it, by rank or with a green card; never ends there.",
            rank=name,
        )
    if rank.jumps:
        yield t(
            "{rank}: may go on from a special space to the next free one, past anyone; that draws no card.", rank=name
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
    swaps = [capital(card_name(language, card.id)) for card in system.cards_with(Swap)]
    return [
        language.t(
            "{spaces}: if you end a move there by a number or a magnet, you draw a card at once.",
            spaces=listing(language, map(str, board.specials)),
        ),
        *(language.t("{card}: a piece that it puts there draws nothing.", card=name) for name in swaps),
    ]


def _paths(language: Language, board: Board) -> list[str]:
    if not board.paths:
        return []
    t, crossing = language.t, listing(language, (f"{name}{number}" for name, number in board.crossing))
    paths = [
        t(
            "Path {name} leaves the track at {leaves}, has spaces {first} to {last} and comes back at {rejoins}.",
            name=path.name,
            leaves=path.leaves,
            first=f"{path.name}1",
            last=f"{path.name}{path.spaces}",
            rejoins=path.rejoins,
        )
        for path in board.paths
    ]
    return [
        *paths,
        t("A piece that walks through the space where a path leaves, or stands on it, may turn in."),
        t("Inside a path it only goes forward; nothing goes backwards in a path or into one."),
        t("{spaces} are one space, where the paths cross: there is room for only one piece.", spaces=crossing)
        if crossing
        else "",
    ]


def _pile(language: Language, board: Board) -> list[str]:
    t, drawing = language.t, board.stuck is StuckRule.REDRAW or bool(board.specials)
    return [
        t("Played and discarded cards lie open for everyone to see."),
        t("When the draw pile is used up, all open cards are shuffled into a new one, and play goes on."),
        t("The card that was just played or discarded is among them: it may come straight back.") if drawing else "",
        t("If there is nothing left to draw at all, nothing is drawn.") if drawing else "",
    ]


def _cards(language: Language, system: RuleSystem) -> list[str]:
    """Each card of a system and what it does; those that only move forward by their number are told together."""
    plain = [card.id for card in system.cards.values() if card.id.isdigit() and card.powers == (Forward(int(card.id)),)]
    return [
        language.t("{cards}: that many spaces.", cards=", ".join(plain)) if plain else "",
        *(
            f"{capital(card_name(language, card.id))}: {_power(language, card)}."
            for card in system.cards.values()
            if card.id not in plain
        ),
    ]


def _power(language: Language, card: Card) -> str:
    p = language.p
    forward = [power.steps for power in card.powers if isinstance(power, Forward)]
    words = []
    if any(isinstance(power, Out) for power in card.powers):
        words.append(p("what a card does", "out of the kennel"))
    if len(forward) > 2:
        words.append(p("what a card does", "one piece, {first} to {last}", first=forward[0], last=forward[-1]))
    else:
        words += map(str, forward)
    for power in card.powers:
        match power:
            case Backward(steps):
                words.append(p("what a card does", "{steps} backwards", steps=steps))
            case Split(points):
                words.append(
                    p(
                        "what a card does",
                        "{points}, shared among your pieces as you like, taking all it passes",
                        points=points,
                    )
                )
            case Swap():
                words.append(p("what a card does", "swap one of your pieces with another seat's"))
            case Magnet():
                words.append(p("what a card does", "move up behind the next piece ahead"))
            case Copy():
                words.append(p("what a card does", "counts as the card last played in this round"))
    if card.wild:
        words.append(p("what a card does", "any other card"))
    if len(words) == 1:
        return words[0]
    return p("what a card does", "{first} or {last}", first=", ".join(words[:-1]), last=words[-1])


def _seven(language: Language, system: RuleSystem, options: Options | None) -> list[str]:
    """How a card's points are shared among pieces (rules, section 6); empty if no card's are."""
    t, rule = language.t, system.seven
    if rule is None:
        return []
    canadian = options is not None and options.canadian_seven
    spill = (
        t("What is left when your last piece comes in goes to exactly one of your partner's pieces.")
        if rule.spill is Spill.ONE
        else t("What is left when your last piece comes in is shared among your partner's pieces.")
    )
    return [
        t("All points must be used, and each piece moves at most once. Pieces in the lane may take some too."),
        t("Every piece on the track that is passed goes home, your own included. Blocking pieces cannot be passed."),
        t("The parts go one after the other: a piece taken by an earlier part gets no points."),
        t("Ending on a piece sends it home, too.") if rule.takes_at_end else t("Every part must end on a free space."),
        "" if canadian else spill,
        "" if canadian else t("These may be in their lane. If the points cannot be used in full, it is not allowed."),
        t("When the team's last piece comes in, points left over lapse.") if rule.lapse else "",
    ]


_IDLE: Mapping[IdleSwap, str] = {
    IdleSwap.ALLOWED: _("{card}: if all pieces on the track are yours, it may be played without effect."),
    IdleSwap.LAST: _(
        "{card}: if all pieces on the track are yours and no card in your hand allows anything else, it is played "
        "without effect."
    ),
    IdleSwap.NEVER: _("{card}: with nobody to swap with it cannot be played."),
}


def _swap(language: Language, system: RuleSystem, board: Board) -> list[str]:
    """Which pieces a swap may touch (rules, section 7); empty if no card swaps."""
    found = system.cards_with(Swap)
    if not found:
        return []
    t, last = language.t, system.swap.partner_last
    return [
        t("One of your pieces on the track changes places with an opponent's.")
        if last
        else t("One of your pieces on the track changes places with one of any other seat."),
        t("Nobody goes home."),
        t("With your partner's only if no opponent's piece can be swapped.") if last else "",
        t("Pieces on the short cuts can be swapped, too.") if board.paths else "",
        t("Pieces on their own start, in lanes and in kennels stay where they are.")
        if system.swap_guard is Guard.ALWAYS
        else t("Fresh pieces and pieces in lanes and kennels stay where they are."),
        t("A piece that is put on its own start is not fresh.") if system.marks_fresh else "",
        t(_IDLE[system.swap.idle], card=capital(card_name(language, found[0].id))),
    ]


def _magnet(language: Language, system: RuleSystem) -> list[str]:
    """How a magnet moves a piece (rules, section 8); empty if there is none."""
    if not system.cards_with(Magnet):
        return []
    t = language.t
    return [
        t("One of your pieces on the track goes forward to the space right behind the next piece ahead."),
        t("It does not matter whose that is. The piece moves at least one space and never into the lane."),
        t("It passes nobody. With no other piece on the track it cannot be played."),
    ]


def _copy(language: Language, system: RuleSystem) -> list[str]:
    """What a copy stands for (rules, section 3.2); empty if there is none."""
    if not system.cards_with(Copy):
        return []
    t = language.t
    return [
        t("It counts as the card that anyone played last in this round, used in any way that card allows."),
        t("A copy of a copy is the card that the first one stood for. Discarded cards were not played."),
        t("Before any card has been played in the round it cannot be played."),
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


def shown(language: Language, name: str) -> str:
    """What a picture shows, in one sentence."""
    return language.t(EXAMPLES[name].shows)
