"""The rules in short, whose sentences are chosen by the data of a rule system.

What a topic says is a table: each sentence stands beside the facts under which it holds (see `_facts`). Only what is
said of each card, rank or path, or found by trying, has a function of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.languages import Language
from bot.languages import mark as _
from bot.texts.markup import bold, heading
from bot.texts.names import HOUSE_RULES, capital, card_name, house_rules, rank_name, said, system_name
from bot.texts.teaching.cards import describe_cards
from engine import SLOTS, SYSTEMS, Board, Card, Options, Position, RuleSystem, board_for
from engine.analysis import position_actions
from engine.rules.cards import Backward, Copy, Magnet, Out, Power, Push, Rob, Split, Swap, Sweep
from engine.rules.definition import BackwardEntry, StuckRule

empty_board = said("The empty board with its kennels, starts and lanes.")
"""The alt text of a picture of the board alone."""
WRITTEN = _("{system}.md", context="address")
"""A system's page, from `docs/rules/`: in a language with pages of its own, "../de/rules/{system}.md" or the like."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One part of the rules: `id` names it in code, `title` is what it is called, `lines` is what is said.

    `cards`: for a part about cards, those that each line is about.
    """

    id: str
    title: str
    lines: tuple[str, ...]
    cards: tuple[tuple[str, ...], ...] = ()

    @property
    def pages(self) -> tuple[Page, ...]:
        """Return its lines, a few on each page."""
        size = len(self.lines) if self.id == FIRST else -(-len(self.lines) // -(-len(self.lines) // A_PAGE))
        pages = []
        for first in range(0, len(self.lines), size):
            last = first + size
            text = "\n".join((bold(self.title), *self.lines[first:last]))
            pages.append(Page(self.id, text, tuple(card for cards in self.cards[first:last] for card in cards)))
        return tuple(pages)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules: its topic, its lines, and the cards it is about, if it is about cards."""

    topic: str
    text: str
    cards: tuple[str, ...] = ()


FIRST = "turn"
"""The topic that tells a whole system on one page."""

A_PAGE = 3
"""The most lines on a page of another topic."""


Lines = tuple[tuple[str, str], ...]
"""Sentences, each preceded by the facts under which it holds: all of these words, and none of those with a `-`."""

_MUST = _("If that's all you can play, you must.")

_TOPICS: Mapping[str, Lines] = {
    "turn": (
        ("", _("Play a card: one of your pieces moves that many spaces.")),
        ("outs", _("{outs}: a piece comes out of its kennel onto your start.")),
        ("seven", _("{seven}: split the spaces among your pieces.")),
        ("swap", _("{swap}: one of your pieces swaps with another player's.")),
        ("-house:own_safe", _("Land on a piece, even your own, and it goes back to its kennel.")),
        ("house:own_safe", _("Land on an opponent's piece, and it goes back to its kennel.")),
        ("stuck:FOLD", _("Nothing to play? You're out until the next deal.")),
        ("stuck:DISCARD", _("Nothing to play? Discard a card.")),
        ("stuck:REDRAW", _("Nothing to play? Discard a card and draw one.")),
        ("alone", _("Go once around and into your lane. All four in: you win.")),
        ("-alone", _("Go once around and into your lane. Your whole team in: you win together.")),
    ),
    "words": (
        ("", _("*Kennel*: where pieces wait, and where they go when they are sent back.")),
        ("", _("*Start*: the space where your pieces come out.")),
        ("", _("*Lane*: your four spaces at the end of the lap, lane a to lane d, where you are safe.")),
        ("fresh", _("*Fresh*: a piece on its start that hasn't moved since it came out.")),
    ),
    "aim": (
        ("", _("Bring your four pieces {direction} around {length} spaces and into your lane.")),
        ("alone", _("Everyone plays for themselves. The first with all four in wins.")),
        ("-alone", _("Once yours are in, you move your team's other pieces as if they were yours.")),
        ("-alone", _("A team wins as soon as all its pieces are in.")),
        ("sources", _("From {sources}. Where they leave a question open, this page answers it.")),
    ),
    "round": (
        ("-starts", _("A random player goes first. Each round after that, the next player does.")),
        ("starts", _("A random player goes first. After every third round, the next player does.")),
        ("wild", _("There are {deck} cards, {jokers} of them jokers.")),
        ("-wild", _("There are {deck} cards.")),
        ("even", _("Everyone gets {count} cards.")),
        ("-even", _("Cards per player, round by round: {counts} ...")),
        ("anew", _("When all cards have been dealt, they're shuffled again.")),
        ("exchange:NONE", _("No cards change hands.")),
        (
            "-pairs exchange:TEAM",
            _("Everyone gives a card to the next player in their team before seeing what they get."),
        ),
        ("pairs exchange:TEAM", _("Partners give each other a card, and both choose before they see what they get.")),
        (
            "exchange:ASK",
            _("You can ask your partner for help, offering a card face down. They give one in return, or decline."),
        ),
        ("exchange:NEXT", _("Everyone gives a card to the next player before seeing what they get.")),
        ("opening:ONE_OUT", _("Everyone begins with a piece on their start.")),
        ("opening:CHOSEN", _("After the first exchange, everyone puts a piece of their choice on their start.")),
        ("", _("If you can play, you must. Which card, and how, is up to you.")),
        ("stuck:FOLD", _("If you can't, you lay your hand down face up, and you're out until the next deal.")),
        ("stuck:DISCARD", _("If you can't, you discard one card and stay in.")),
        (
            "stuck:REDRAW",
            _("If you can't, you discard a card and draw one. If that doesn't help, you discard another."),
        ),
    ),
    "moving": (
        ("-house:own_safe", _("Landing on any piece, even your own, sends it back to its kennel.")),
        ("house:own_safe", _("Landing on an opponent's piece sends it back to its kennel.")),
        ("ranks", _("You can pass any piece, unless it's blocking, in a lane or of a higher rank.")),
        ("-ranks", _("You can pass any piece, unless it's blocking or in a lane.")),
        ("-pass_own", _("No piece can pass another of its colour.")),
        ("-pass_pairs", _("No piece can pass two on neighbouring spaces.")),
    ),
    "house": tuple((f"house:{name}", text) for name, text in HOUSE_RULES.items()),
    "start": (
        ("start:ALWAYS", _("A piece on its own start, however it got there, is protected and blocks everyone.")),
        ("start:ALWAYS", _("So you can't bring out a second piece while one of yours stands there.")),
        (
            "start:ALWAYS -house:own_safe",
            _("Coming out sends back any other player's piece on your start."),
        ),
        ("start:ALWAYS", _("On another player's start, a piece isn't safe.")),
        ("-start:ALWAYS", _("A fresh piece on its start is protected and blocks everyone, forwards and backwards.")),
        ("-start:ALWAYS", _("A piece that comes back to its start isn't safe there.")),
        (
            "-start:ALWAYS -house:own_safe",
            _("Coming out sends back any piece on your start, even your own if it isn't fresh."),
        ),
        ("-start:ALWAYS -house:own_safe", _MUST),
    ),
    "lane": (
        ("branch:0", _("The lane branches off at your start. A piece that crosses it can turn in.")),
        ("branch:0", _("Your own piece blocking the start closes the way in, too.")),
        (
            "branch:-1",
            _("The lane branches off at the space before your start. A piece that crosses it can turn in there."),
        ),
        (
            "branch:-2",
            _("The lane branches off two spaces before your start. A piece that crosses that space can turn in."),
        ),
        (
            "-branch:0 -branch:-1 -branch:-2",
            _("The lane branches off at {branch} (for the first player). A piece that crosses it can turn in."),
        ),
        ("-standing", _("A piece already on it can't: it has to come around again.")),
        ("laps standing branch:0", _("A piece standing on it can turn in too, unless it's fresh.")),
        ("laps standing -branch:0", _("A piece standing on it can turn in too.")),
        ("-laps standing branch:0", _("A piece standing on it can only turn in, unless it's fresh.")),
        ("-laps standing -branch:0", _("A piece standing on it can only turn in.")),
        ("", "{backward}"),
        ("", _("Inside, pieces only go forward and can't pass each other.")),
        ("laps", _("The number must fit: a card that's too high means another lap.")),
        ("-laps", _("The number must fit: a card that's too high can't take a piece past its lane.")),
    ),
    "seven": (
        (
            "",
            _("You must use all its spaces, and each piece moves at most once. Pieces in the lane can use some, too."),
        ),
        ("most -canadian", _("You can split it among at most {most} of your pieces.")),
        ("most canadian", _("You can split it among at most {most} pieces.")),
        ("-burns", _("Pieces it passes stay where they are. It can't pass blocking pieces.")),
        (
            "burns house:own_safe",
            _(
                "It sends back every opponent's piece it passes on the track. It can't pass blocking pieces or your "
                "team's."
            ),
        ),
        (
            "burns -house:own_safe",
            _("It sends back every piece it passes on the track, even your own. It can't pass blocking pieces."),
        ),
        ("", _("The parts go one after the other: a piece sent back by an earlier part can't take a later one.")),
        ("takes-at-end -house:own_safe", _("Landing on a piece sends it back, too.")),
        ("-takes-at-end", _("Each part must end on a free space.")),
        (
            "-alone -canadian spill:ONE",
            _("Spaces left over when your last piece comes in go to just one of your team's other pieces."),
        ),
        (
            "-alone -canadian -spill:ONE",
            _("What's left when your last piece comes in is split among your team's other pieces."),
        ),
        (
            "-alone -canadian",
            _("They can be in their lane. If you can't use everything that's left, the move isn't allowed."),
        ),
        ("lapse", _("When the team's last piece comes in, anything left over is ignored.")),
    ),
    "swap": (
        ("partner-last", _("One of your pieces on the track swaps with an opponent's.")),
        ("-partner-last", _("One of your pieces on the track swaps with any other player's.")),
        ("", _("Nothing is sent back.")),
        ("partner-last", _("You can swap with a partner's only if no opponent's piece can be swapped.")),
        ("paths", _("Pieces on the shortcuts can be swapped, too.")),
        ("swapped:ALWAYS", _("Pieces on their own start, in lanes and in kennels can't be swapped.")),
        (
            "swapped:OTHERS",
            _("Only its owner can swap a piece on its own start. Pieces in lanes and kennels can't be swapped."),
        ),
        ("swapped:FRESH", _("Fresh pieces and pieces in lanes and kennels can't be swapped.")),
        ("fresh", _("A piece swapped onto its own start isn't fresh.")),
        ("idle:ALLOWED", _("{swap}: if all pieces on the track are yours, you can play it without effect.")),
        (
            "idle:LAST",
            _(
                "{swap}: if all pieces on the track are yours and you can't play anything else, it's played without "
                "effect."
            ),
        ),
        ("idle:NEVER", _("{swap}: you can't play it without a piece to swap with.")),
    ),
    "push": (
        ("", _("It moves another player's piece on the track, but not one on its own start.")),
        ("", _("The piece goes past its lane, never into it, and sends back any piece it lands on.")),
        ("", _MUST),
    ),
    "rob": (
        (
            "-chosen",
            _(
                "If you don't move a piece with it, the next opponent with cards loses one, drawn at random and "
                "laid face up."
            ),
        ),
        (
            "chosen",
            _("If you don't move a piece with it, the next opponent with cards lays one of their choice down at once."),
        ),
        ("", _MUST),
    ),
    "sweep": (
        ("", _("A piece that moves with this card sends back every piece it passes or lands on.")),
        ("", _("It leaves pieces of its own colour alone, and never ends on one.")),
        ("", _("A protected piece stops it. Two on neighbouring spaces don't.")),
    ),
    "magnet": (
        ("", _("One of your pieces on the track goes forward to the space right behind the next piece ahead.")),
        ("", _("It doesn't matter whose that is. Your piece moves at least one space, and never into the lane.")),
        ("", _("It never passes a piece. With no other piece on the track, you can't play it.")),
    ),
    "copy": (
        ("", _("It counts as the last card played this round, used in any way that card allows.")),
        ("", _("A copy of a copy is the card the first one stood for. Discarded cards don't count as played.")),
        ("", _("You can't play it as the first card of a round.")),
    ),
    "ranks": (
        ("", _("{order}: a piece can pass only its own rank and lower ones.")),
        ("green", _("With a green card ({greens}, in either direction), rank doesn't matter.")),
        ("", "{powers}"),
        (
            "",
            _(
                "A piece that comes out or ends its move on its own start sends back any other player's piece "
                "there, whatever its rank."
            ),
        ),
    ),
    "spaces": (
        ("", _("{specials}: end a move there with a number or a magnet, and you draw a card at once.")),
        ("swap", _("{swap}: a piece swapped there draws no card.")),
    ),
    "paths": (
        ("", "{ways}"),
        ("", _("A piece that crosses the space where a path leaves, or stands on it, can turn in.")),
        ("", _("On a path, it only goes forward. Nothing goes backwards on a path or into one.")),
        ("crossing", _("{crossing} are one space, where the paths cross: there's room for only one piece.")),
    ),
    "pile": (
        ("", _("Played and discarded cards lie face up for everyone to see.")),
        ("", _("When the draw pile runs out, all face-up cards are shuffled into a new one, and play goes on.")),
        ("draws", _("That includes the card just played or discarded: it may come straight back.")),
        ("draws", _("If there's nothing left to draw, you draw nothing.")),
    ),
}
"""The sentences about each topic but the cards, of which `cards.py` tells."""

_TITLES: Mapping[str, tuple[str, str]] = {
    "turn": _("How a turn goes", context="topic"),
    "words": _("Words to know", context="topic"),
    "aim": _("Aim", context="topic"),
    "round": _("A round", context="topic"),
    "moving": _("Moving", context="topic"),
    "house": _("House rules", context="topic"),
    "cards": _("Cards", context="topic"),
    "start": _("On the start", context="topic"),
    "lane": _("Lane", context="topic"),
    "ranks": _("Ranks", context="topic"),
    "spaces": _("Special spaces", context="topic"),
    "paths": _("Shortcuts", context="topic"),
    "pile": _("Cards run out", context="topic"),
}
"""The titles of topics; those about a kind of card are called by its name."""

_KINDS: Mapping[str, type[Power]] = {
    "seven": Split,
    "swap": Swap,
    "push": Push,
    "rob": Rob,
    "sweep": Sweep,
    "magnet": Magnet,
    "copy": Copy,
}

_SOME = frozenset({"ranks", "spaces", "paths", *_KINDS})
"""Topics that not every system has."""

_ORDER = (
    *("turn", "words", "aim", "start", "ranks", "moving", "lane", "round", "cards"),
    *("seven", "swap", "push", "rob", "sweep", "magnet", "copy", "spaces", "paths", "pile", "house"),
)
"""The topics in an order in which words are explained before they are used."""


def topics(language: Language, system: RuleSystem, players: int, options: Options | None = None) -> tuple[Topic, ...]:
    """Return the rules of a system for this many players, topic by topic.

    Raises engine.SetupError: it cannot be played by this many.
    """
    board = board_for(system, players, options)
    system = board.system
    facts, filled = _facts(system, board), _filled(language, system, board)
    chapters = []
    for key in _ORDER:
        if key in _SOME and key not in facts:
            continue
        cards = describe_cards(language, system) if key == "cards" else ()
        lines = [line for _, line in cards] or _tell(language, _TOPICS[key], facts, filled)
        kind = _KINDS.get(key)
        title = language.p(*_TITLES[key]) if kind is None else _listed(language, system.cards_with(kind))
        chapters += [Topic(key, title, tuple(lines), tuple(ids for ids, _ in cards))] if lines else []
    return tuple(chapters)


def heading_of(language: Language, system: RuleSystem, players: int) -> str:
    """Head the rules of a system."""
    title = system.name if system.id not in SYSTEMS else system_name(language, system.id)
    return heading(language.t("{system}, {players} players", system=title, players=players))


def page_of(language: Language, number: int, count: int) -> str:
    """Return the reader's page in the book; `number` counts from 0."""
    return language.t("Page {number} of {count}", number=number + 1, count=count)


def _tell(language: Language, lines: Lines, facts: frozenset[str], filled: Mapping[str, Any]) -> list[str]:
    """Return the sentences that hold, filled in; empty ones are left out."""
    lines_told = (
        language.t(text, **filled)
        for needed, text in lines
        if all((word[1:] not in facts) if word.startswith("-") else (word in facts) for word in needed.split())
    )
    return [line for text in lines_told for line in text.split("\n") if line]


def _facts(system: RuleSystem, board: Board) -> frozenset[str]:
    """Return the facts of a system for this many players, as the words that `Lines` name."""
    seven, dealt = system.seven, {system.cards_dealt(number) for number in range(1, 12)}
    holds = {
        "alone": len(board.teams[0]) == 1,
        "pairs": len(board.teams[0]) == 2,
        "sources": bool(system.sources),
        "wild": any(board.deck[card.id] for card in system.cards.values() if card.wild),
        "chosen": any(Rob(chosen=True) in card.powers for card in system.cards.values()),
        "starts": system.starts > 1,
        "anew": sum(system.deal_then) * board.players == sum(board.deck.values()),
        **{name: getattr(system, name) for name in ("laps", "pass_own", "pass_pairs")},
        "outs": bool(system.cards_with(Out)),
        "burns": seven is not None and seven.burns,
        "most": seven is not None and seven.most is not None,
        "fresh": system.marks_fresh,
        "even": len(dealt) == 1,
        "draws": board.stuck is StuckRule.REDRAW or bool(board.specials),
        "ranks": bool(system.ranks),
        "green": any(card.green for card in system.cards.values()),
        "spaces": bool(board.specials),
        "paths": bool(board.paths),
        "crossing": bool(board.crossing),
        "canadian": system.house.canadian_seven,
        "standing": system.enter_standing,
        "takes-at-end": seven is not None and seven.takes_at_end,
        "lapse": seven is not None and seven.lapse,
        "partner-last": system.swap.partner_last,
        **{key: bool(system.cards_with(kind)) for key, kind in _KINDS.items()},
    }
    kinds = {
        "exchange": board.exchange,
        "opening": system.opening,
        "stuck": board.stuck,
        "start": system.start_guard,
        "swapped": system.swap_guard,
        "idle": system.swap.idle,
        "spill": None if seven is None else seven.spill,
    }
    facts = {f"house:{name}" for name in house_rules(system.house)}
    facts |= {f"{key}:{kind.name}" for key, kind in kinds.items() if kind is not None}
    return frozenset(facts | {f"branch:{system.branch_offset}"} | {fact for fact, true in holds.items() if true})


def _filled(language: Language, system: RuleSystem, board: Board) -> Mapping[str, Any]:
    """Return the values for the sentences of a system; several sentences at once are one under the other."""
    t, dealt = language.t, [system.cards_dealt(number) for number in range(1, 9)]
    return {
        "direction": t("clockwise") if board.clockwise else t("anticlockwise"),
        "length": board.length,
        "sources": language.listed(system.sources),
        "deck": sum(board.deck.values()),
        "jokers": sum(board.deck[card.id] for card in system.cards.values() if card.wild),
        "count": dealt[0],
        "counts": ", ".join(map(str, dealt)),
        "branch": board.branch(board.seats[0]),
        "backward": "\n".join(_backward(language, system, board)),
        "outs": _listed(language, system.cards_with(Out)),
        "seven": _listed(language, system.cards_with(Split)),
        "swap": _listed(language, system.cards_with(Swap)),
        "order": capital(" > ".join(rank_name(language, rank.letter) for rank in system.ranks)),
        "greens": language.listed(card_name(language, card.id) for card in system.cards.values() if card.green),
        "powers": "\n".join(f"• {line}" for line in _powers(language, system)),
        "specials": language.listed(map(str, board.specials)),
        "ways": "\n".join(
            t(
                "Path {name} leaves the track at {leaves}, runs from {first} to {last} and rejoins at {rejoins}.",
                name=path.name,
                leaves=path.leaves,
                first=f"{path.name}1",
                last=f"{path.name}{path.spaces}",
                rejoins=path.rejoins,
            )
            for path in board.paths
        ),
        "crossing": language.listed(f"{name}{number}" for name, number in board.crossing),
        "most": None if system.seven is None else system.seven.most,
    }


def _listed(language: Language, found: Iterable[Card]) -> str:
    """Return the names of these cards, with a capital letter."""
    return capital(language.listed(card_name(language, card.id) for card in found))


def _backward(language: Language, system: RuleSystem, board: Board) -> list[str]:
    """Return the ways of backward cards into the lane, found by trying."""
    t, p, lines = language.t, language.p, []
    for card in system.cards_with(Backward):
        name = capital(card_name(language, card.id))
        if system.enter_backward is BackwardEntry.NEVER:
            lines.append(t("{card}: going backwards, it never turns into the lane, but can go past it.", card=name))
            continue
        steps = max(power.steps for power in card.powers if isinstance(power, Backward))
        slots = {past: _slots(system, board, card.id, past) for past in range(steps + 1)}
        ways = [
            p("way into the lane", "from {count} past the start into {slot}", count=past, slot=slot)
            if past
            else p("way into the lane", "from the start itself (not fresh) into {slot}", slot=slot)
            for past, ids in slots.items()
            for slot in ids
        ]
        lines.append(t("{card} backwards: {ways}.", card=name, ways=", ".join(ways)))
        if not slots[0]:
            lines.append(t("Never from your start itself."))
    return lines


def _slots(system: RuleSystem, board: Board, card: str, past: int) -> list[str]:
    """Return the slots that a card reaches from this many spaces past the start of the first seat."""
    seat = board.seats[0]
    space = str((board.start(seat) + past - 1) % board.length + 1)
    ranks = [rank.letter for rank in system.ranks] or [""] * 4
    pieces = {side: tuple(f"{rank}-" for rank in ranks) for side in board.seats}
    pieces[seat] = (*pieces[seat][:3], f"{ranks[3]}{space}")
    position = Position(system, board.players, pieces, seat, (card,))
    ends = [action.action.parts[0].target for action in position_actions(position) if action.action.parts]
    return [end for end in ends if end in SLOTS]


_RANKS: Mapping[str, str | tuple[str, str]] = {
    "royal": _(
        "{rank}: can be sent back only by another player's piece of this rank, or by any piece coming onto its "
        "own start."
    ),
    "longest": _("{rank}: moves only with numbers up to {count}. Coming out, swaps and magnets aren't limited."),
    "vaults": _("{rank}: can pass a piece on its own start, by rank or with a green card, but never stops there."),
    "jumps": _(
        "{rank}: can jump ahead from a special space to the next free one, past anything in the way. That draws "
        "no card."
    ),
    "spares": _(
        "{rank}: can leave up to {count} space unused in the move that takes it into its lane.",
        "{rank}: can leave up to {count} spaces unused in the move that takes it into its lane.",
    ),
}
"""The meaning of each power of a `Rank`, by its field."""


def _powers(language: Language, system: RuleSystem) -> list[str]:
    return [
        language.tn(text, int(power), rank=capital(rank_name(language, rank.letter)))
        for rank in system.ranks
        for field, text in _RANKS.items()
        if (power := getattr(rank, field))
    ]
