"""What is said for an action is true: every kind of motive against the position, by the second reading of the rules."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from engine import Action, ActionKind, Game, Options, board_for
from engine.hidden.knowledge import Knowledge
from engine.players import choose
from engine.players.best import resolve_for
from engine.players.exchange import playing_gain
from engine.players.features import features_for
from engine.players.motives import Motive, MotiveKind, motives
from engine.players.policy import Greedy
from engine.players.weights import weights_for
from tests.engine.staging import KINDS, exchanging, staged
from tests.reference import naive
from tests.reference.board import ROYAL_CARDS, STANDARD_CARDS, in_lane, on_track, place_of, spot, standing

K = MotiveKind
Placement = Mapping[int, tuple[str, ...]]
COMPLEX = Options(complex=True)
OUT = ("A", "K", "X", "1/11", "13")


@dataclass(frozen=True)
class Case:
    """A motive for an action of a game, with where the pieces stand before and after it."""

    game: Game
    seat: int
    action: Action
    motive: Motive
    before: Placement
    after: Placement

    @property
    def ranked(self) -> bool:
        return self.game.system.id == "royal"

    @property
    def partner(self) -> int | None:
        return next(iter(read(self.game, self.seat, self.before).board.partners(self.seat)), None)

    @property
    def team(self) -> set[int]:
        return {seat for seat in (self.seat, self.partner) if seat is not None}

    @property
    def hand(self) -> list[str]:
        return list(self.game.view(self.seat).hand or ())

    @property
    def kept(self) -> list[str]:
        kept = self.hand
        kept.remove(self.action.card)
        return kept

    def count(self, placement: Placement, side: int, test: Callable[[str], bool]) -> int:
        return sum(test(bare(self.ranked, text)) for text in placement[side])

    def at(self, placement: Placement, side: int, place: str | None) -> bool:
        """Whether a piece of a side (of the motive's rank, if it names one) stands at a place."""
        texts = [text.rstrip("*") for text in placement[side]]
        if self.ranked:
            return any(text[1:] == place and self.motive.rank in (None, text[0]) for text in texts)
        return place in texts

    def ends(self) -> Iterator[tuple[int, str, str]]:
        """The side, origin and target of every piece that the action moves; of a swap, both."""
        for part in self.action.parts:
            side = self.seat if part.side is None else part.side
            origin = bare(self.ranked and "-" in part.origin, part.origin)
            if part.swap:
                other, place = part.target.split(".")
                yield side, origin, place
                yield int(other), place, origin
            else:
                yield side, origin, part.target


def bare(ranked: bool, text: str) -> str:
    return text[1:] if ranked else text


def position(game: Game, seat: int, placement: Placement, hand: Sequence[str] = ()) -> dict[str, object]:
    where = {"rules": game.system.id, "players": game.players, "seat": seat, "pieces": placement}
    return {**where, "hand": list(hand), "last": None, "options": {}}


def read(game: Game, seat: int, placement: Placement) -> naive.Reading:
    return naive.Reading(position(game, seat, placement))


def moves_of_one(reading: naive.Reading, card: str) -> Iterator[naive.Pieces]:
    """The boards after one piece has gone by a card, or by some of a seven's points."""
    if card == "7":
        for piece in reading.movable(reading.pieces, reading.movers):
            for points in range(1, 8):
                for way in naive.routes(reading, piece, reading.pieces[piece], points):
                    after = naive.walk(reading, reading.pieces, piece, way, seven=True)
                    if after is not None:
                        yield after
        return
    if card not in ("J", "switch", "magnet", "X", "="):
        for play in naive.plays(reading, card):
            yield play.pieces


def can_go_home(case: Case, placement: Placement, side: int, place: str, cards: tuple[str, ...] = ()) -> bool:
    """Whether a card (any, if none are given) brings a side's piece from a place on the track into its lane."""
    reading = read(case.game, side, placement)
    for piece, text in reading.pieces.items():
        if piece.side == side and place_of(text) == place:
            for card in cards or (ROYAL_CARDS if reading.board.royal else STANDARD_CARDS):
                if any(in_lane(after[piece]) for after in moves_of_one(reading, card)):
                    return True
    return False


def enemies_of(case: Case, placement: Placement, side: int, place: str) -> int:
    """How many opposing pieces could take a side's piece at a place with one card; a kennel counts once."""
    found = set()
    team = set(read(case.game, side, placement).board.team(side))
    for seat in case.game.seats:
        if seat in team:
            continue
        reading = read(case.game, seat, placement)
        if reading.helping:
            continue
        target = standing(reading.pieces)[spot(side, place)]
        assert target.side == side
        for card in ROYAL_CARDS if reading.board.royal else STANDARD_CARDS:
            for after in moves_of_one(reading, card):
                if after[target] == "-":
                    movers = {one for one, text in after.items() if one.side == seat and text != reading.pieces[one]}
                    found |= {(seat, "-" if reading.pieces[one] == "-" else one.name) for one in movers}
    return len(found)


def followers(case: Case, placement: Placement, place: str, sides: set[int]) -> int:
    """How many pieces of some sides stand 1 to 13 spaces behind a track space; knights, which get past, left out."""
    board = read(case.game, case.seat, placement).board
    found = 0
    for side in sides:
        for text in placement[side]:
            where = place_of(bare(case.ranked, text))
            if on_track(where) and not text.startswith("N"):
                found += 0 < (int(place) - int(where)) % board.length <= 13
    return found


def way(case: Case, side: int, place: str) -> int:
    """How many spaces of its lap a piece on the track has gone; on its own start all, where it may enter from there."""
    board = read(case.game, case.seat, case.before).board
    gone = (int(place) - board.start(side)) % board.length
    return gone or (board.length if board.system in ("classic", "dobney", "swiss", "tock") else 0)


def walkers(case: Case, placement: Placement, side: int) -> int:
    return case.count(placement, side, lambda text: text != "-" and not in_lane(text))


def waiting(case: Case, placement: Placement, side: int) -> int:
    return case.count(placement, side, lambda text: text == "-")


def at_home(case: Case, placement: Placement, side: int) -> int:
    return case.count(placement, side, in_lane)


def stuck(case: Case, seat: int) -> bool:
    """Whether a seat has a piece in the kennel and none to walk with (the partner's count, once all its own are in)."""
    side = read(case.game, seat, case.before).movers[0]
    return waiting(case, case.before, side) > 0 and walkers(case, case.before, side) == 0


def opposing(case: Case) -> set[int]:
    return set(case.game.seats) - case.team


def worth(case: Case, seat: int, card: str, share: float) -> float:
    """What a card is worth to a seat: its value for later and (a share of) what it gains now."""
    known = Knowledge.of(case.game, case.seat)
    weights = weights_for(case.game.board)
    return weights.cost[card] + share * playing_gain(Greedy(known.pieces, weights), seat, card)


def least(case: Case, seat: int, *, alone: bool) -> bool:
    card = case.motive.card
    others = set(case.hand) - {card}
    margin = 1e-9 if alone else -1e-9
    return not any(
        worth(case, seat, other, share) < worth(case, seat, card, share) + margin
        for other in others
        for share in (0.5, 1.0)
    )


def not_needed(case: Case) -> bool:
    """Whether giving the card away leaves a joker and a way out of the kennel, where there are such."""
    side = read(case.game, case.seat, case.before).movers[0]
    ways = [card for card in case.hand if card in OUT]
    return case.motive.card != "X" and not (ways == [case.motive.card] and waiting(case, case.before, side))


def after_card(case: Case, seat: int, card: str, placement: Placement) -> Iterator[list[tuple[int, str, str]]]:
    """By each move of one piece with a card other than a seven: the side of every piece, where it was, and is."""
    reading = read(case.game, seat, placement)
    for named in naive.JOKER_NAMES if card == "X" else (card,):
        for after in () if named == "7" else moves_of_one(reading, named):
            yield [(piece.side, text, after[piece]) for piece, text in reading.pieces.items()]


def takes_with(case: Case, seat: int, card: str, placement: Placement, victims: set[int]) -> bool:
    moves = after_card(case, seat, card, placement)
    return any(is_ == "-" != was and side in victims for move in moves for side, was, is_ in move)


def goes_home_with(case: Case, seat: int, card: str, placement: Placement) -> bool:
    return any(
        in_lane(is_) and not in_lane(was) for move in after_card(case, seat, card, placement) for _, was, is_ in move
    )


# -- what each kind of motive claims


def goes_home(case: Case) -> bool:
    more = sum(at_home(case, case.after, side) - at_home(case, case.before, side) for side in case.team)
    return more == case.motive.count > 0 and case.at(case.after, case.motive.side, case.motive.place)


def swaps_back(case: Case) -> bool:
    side, place, to = next(end for end in case.ends() if end[0] == case.motive.side)
    lost = way(case, side, place) - way(case, side, to)
    return side in opposing(case) and place == case.motive.place and lost == case.motive.count > 0


def swaps_both(case: Case) -> bool:
    mine = next(end for end in case.ends() if end[0] == case.seat)
    gained = way(case, case.seat, mine[2]) - way(case, case.seat, mine[1])
    side, place, to = next(end for end in case.ends() if end[0] == case.motive.side)
    is_back = side in opposing(case) and place == case.motive.place and way(case, side, to) < way(case, side, place)
    return is_back and gained == case.motive.count > 0


def stops(case: Case) -> bool:
    side, place = case.motive.side, case.motive.place
    if side not in opposing(case) or not can_go_home(case, case.before, side, place):
        return False
    if any(owner == side for owner, _, _ in case.ends()):
        to = next(target for owner, _, target in case.ends() if owner == side)
        return not can_go_home(case, case.after, side, to)
    return waiting(case, case.after, side) > waiting(case, case.before, side)


def takes(case: Case) -> bool:
    side = case.motive.side
    more = waiting(case, case.after, side) - waiting(case, case.before, side)
    return side in opposing(case) and more == case.motive.count > 0 and case.at(case.before, side, case.motive.place)


def takes_several(case: Case) -> bool:
    taken = [waiting(case, case.after, side) - waiting(case, case.before, side) for side in opposing(case)]
    return sum(taken) == case.motive.count > max(taken)


def drives_past(case: Case) -> bool:
    ((side, origin, to),) = case.ends()
    where = (case.motive.side, case.motive.place)
    return side in opposing(case) and (side, origin) == where and way(case, side, to) < way(case, side, origin)


def shares(case: Case) -> bool:
    ends = [end for end in case.ends() if on_track(end[1]) and on_track(end[2]) and end[0] in case.team]
    return 0 < case.motive.count <= len(ends)


def spares_own(case: Case) -> bool:
    ((side, origin, _),) = case.ends()
    return side in opposing(case) and (side, origin) == (case.motive.side, case.motive.place)


def takes_leader(case: Case) -> bool:
    gone = features_for(case.game.board).gone

    def ahead(side: int) -> float:
        known = Knowledge.of(case.game, case.seat).pieces
        return sum(gone[side][known.loc[piece]] for piece in case.game.board.pieces_of[side])

    side = case.motive.side
    others = [other for other in case.game.seats if other != side]
    home = at_home(case, case.before, side)
    first = all(ahead(side) > ahead(other) and home >= at_home(case, case.before, other) for other in others)
    return takes(case) and first


def comes_out(case: Case) -> bool:
    side = case.motive.side
    return side in case.team and waiting(case, case.after, side) < waiting(case, case.before, side)


def target_of(case: Case) -> tuple[int, str]:
    """Where the piece goes that stood at the motive's place."""
    if case.action.kind is ActionKind.JUMP:
        known = Knowledge.of(case.game, case.seat)
        return case.motive.side, case.game.board.place_texts[known.jumper[1]]
    return next(
        (side, to) for side, origin, to in case.ends() if (side, origin) == (case.motive.side, case.motive.place)
    )


def out_of_reach(case: Case, side: int, place: str) -> bool:
    board = read(case.game, side, case.after).board
    if in_lane(place):
        return True
    if on_track(place):
        guarded = int(place) == board.start(side) and board.system not in ("family", "dobney", "swiss")
        if guarded:
            return True
        if any(
            on_track(where) and 0 < (int(place) - int(where)) % board.length <= 13
            for other in opposing(case)
            for where in (place_of(bare(case.ranked, text)) for text in case.after[other])
        ):
            return False
    return enemies_of(case, case.after, side, place) == 0


def saves(case: Case) -> bool:
    side, place = target_of(case)
    return enemies_of(case, case.before, side, case.motive.place) > 0 and out_of_reach(case, side, place)


def safe(case: Case) -> bool:
    side, place = case.motive.side, case.motive.place
    return case.at(case.after, side, place) and side in case.team and out_of_reach(case, side, place)


def less_danger(case: Case) -> bool:
    side, place = case.motive.side, case.motive.place
    if case.action.kind is ActionKind.JUMP:
        known = Knowledge.of(case.game, case.seat)
        origin = case.game.board.place_texts[known.pieces.loc[known.jumper[0]]]
    else:
        origin = next(start for owner, start, to in case.ends() if (owner, to) == (side, place))
    return enemies_of(case, case.after, side, place) < enemies_of(case, case.before, side, origin)


def clears_partner(case: Case) -> bool:
    place, partner = case.motive.place, case.partner
    board = read(case.game, case.seat, case.before).board
    if not case.at(case.before, case.seat, place):
        return False
    if int(place) == board.start(partner):
        return stuck(case, partner) and not any(
            case.at(case.after, side, place) for side in case.game.seats if side != partner
        )
    guarded = {spot(case.seat, text): text for text in (bare(case.ranked, one) for one in case.before[case.seat])}
    fresh = board.system not in ("family", "dobney", "swiss") or guarded[place].endswith("*")
    left = not any(place_of(bare(case.ranked, text)) == place for text in case.after[case.seat])
    return (
        int(place) == board.start(case.seat) and fresh and left and followers(case, case.before, place, {partner}) > 0
    )


def makes_room(case: Case) -> bool:
    side = case.motive.side
    deeper = any(in_lane(origin) and in_lane(to) and origin < to for owner, origin, to in case.ends() if owner == side)
    return deeper and walkers(case, case.after, side) > 0


def draws(case: Case) -> bool:
    ends = [to for _, _, to in case.ends()]
    return ends == [case.motive.place] and (int(ends[0]) - 11) % 16 == 0 and case.ranked


def swaps_ahead(case: Case) -> bool:
    side, origin, to = next(case.ends())
    more = way(case, side, to) - way(case, side, origin)
    return (side, to, more) == (case.seat, case.motive.place, case.motive.count) and more > 0


def partner_ahead(case: Case) -> bool:
    side, origin, to = next(end for end in case.ends() if end[0] == case.motive.side)
    more = way(case, side, to) - way(case, side, origin)
    return side == case.partner and (to, more) == (case.motive.place, case.motive.count) and more > 0


def nears_home(case: Case) -> bool:
    side, place = case.motive.side, case.motive.place
    return case.at(case.after, side, place) and can_go_home(case, case.after, side, place)


def blocks(case: Case) -> bool:
    side, place = case.motive.side, case.motive.place
    board = read(case.game, side, case.after).board
    guarded = {place + "*"} if board.system in ("family", "dobney", "swiss") else {place, place + "*"}
    stands = any(bare(case.ranked, text) in guarded for text in case.after[side])
    on_start = int(place) == board.start(side) and side in case.team
    return stands and on_start and followers(case, case.after, place, opposing(case)) == case.motive.count > 0


def keeps_for_lane(case: Case) -> bool:
    card = case.motive.card
    return card in case.kept and goes_home_with(case, case.seat, card, case.after)


def keeps_to_take(case: Case) -> bool:
    card = case.motive.card
    return card in case.kept and takes_with(case, case.seat, card, case.after, {case.motive.side})


def keeps_way_out(case: Case) -> bool:
    ways = [card for card in case.kept if card in OUT]
    return (
        ways == [case.motive.card] and waiting(case, case.after, read(case.game, case.seat, case.after).movers[0]) > 0
    )


def can_spare(case: Case) -> bool:
    card = case.motive.card
    others = set(case.hand) - {card}
    as_much = sum(worth(case, case.seat, other, 1.0) >= worth(case, case.seat, card, 1.0) for other in others)
    return not_needed(case) and 2 * as_much >= len(others) > 0


def least_use(case: Case) -> bool:
    if case.motive.card == "1-7" and {"2", "3", "5", "6"} & set(case.hand):
        return False
    return least(case, case.seat, alone=False)


def jump_ends(case: Case) -> tuple[str, str]:
    known = Knowledge.of(case.game, case.seat)
    texts = case.game.board.place_texts
    return texts[known.pieces.loc[known.jumper[0]]], texts[known.jumper[1]]


def past_lane(case: Case) -> bool:
    here, there = jump_ends(case)
    side = case.motive.side
    return case.motive.place == there and way(case, side, there) < way(case, side, here)


def moves_on(case: Case) -> bool:
    """One piece walks, and the figure is what the card says (a magnet: what lies between); never past the own lane."""
    ((side, origin, to),) = case.ends()
    count = case.motive.count
    reading = read(case.game, side, case.before)
    if on_track(origin) and on_track(to):
        fresh = origin == str(reading.board.start(side))
        gone = way(case, side, to) - (0 if fresh else way(case, side, origin))
        return count == (int(to) - int(origin)) % reading.board.length == gone
    piece = next(one for one, text in reading.pieces.items() if one.side == side and place_of(text) == origin)
    ways = naive.routes(reading, piece, reading.pieces[piece], count)
    return any(one[-1] == to for one in ways)


SIMPLE: Mapping[MotiveKind, Callable[[Case], bool]] = {
    K.ONLY: lambda case: len(case.game.legal(case.seat)) == 1,
    K.WINS: lambda case: all(at_home(case, case.after, side) == 4 for side in case.team),
    K.LEAVES_PARTNER: lambda case: (
        case.motive.side == case.partner and case.before[case.partner] == case.after[case.partner]
    ),
    K.COSTS_CARD: lambda case: case.motive.side == case.action.victim,
    K.KEEPS_CARD: lambda case: case.motive.card == "X" and "X" in case.kept and case.action.card != "X",
    K.NEEDS_HELP: lambda case: stuck(case, case.seat) and not any(card in OUT for card in case.hand),
    K.NEEDS_NONE: lambda case: bool(naive.actions(position(case.game, case.seat, case.before, case.hand))),
    K.NEEDS_OWN: lambda case: (
        stuck(case, case.seat) and [card for card in case.hand if card in OUT] == [case.motive.card]
    ),
    K.CANNOT_HELP: lambda case: stuck(case, case.partner) and not any(card in OUT for card in case.hand),
    K.PARTNER_NEEDS_OUT: lambda case: (
        case.motive.side == case.partner and stuck(case, case.partner) and case.motive.card in OUT
    ),
    K.PARTNER_GETS_HOME: lambda case: goes_home_with(case, case.partner, case.motive.card, case.before),
    K.PARTNER_CAN_TAKE: lambda case: takes_with(case, case.partner, case.motive.card, case.before, opposing(case)),
    K.PARTNER_CAN_OUT: lambda case: (
        case.motive.card in OUT and any(text.endswith("-") for side in case.team for text in case.before[side])
    ),
    K.PARTNER_USES: lambda case: all(
        worth(case, case.seat, case.motive.card, share) < worth(case, case.partner, case.motive.card, share)
        for share in (0.5, 1.0)
    ),
    K.SPARES: lambda case: not_needed(case) and least(case, case.seat, alone=True),
    K.GIVES_LITTLE: lambda case: case.motive.side in opposing(case) and least(case, case.motive.side, alone=True),
    K.FIRST_PIECE: lambda case: case.action.rank == case.motive.rank,
    K.BETTER_AHEAD: lambda case: case.action.kind is ActionKind.JUMP and jump_ends(case)[1] == case.motive.place,
    K.BETTER_HERE: lambda case: case.action.kind is ActionKind.STAY and jump_ends(case)[0] == case.motive.place,
    K.KEEPS_BEST: lambda case: (
        case.motive.card in case.kept
        and all(
            worth(case, case.seat, other, share) <= worth(case, case.seat, case.motive.card, share) + 1e-9
            for other in case.hand
            for share in (0.5, 1.0)
        )
    ),
    K.PREPARES: lambda case: {case.motive.card, case.motive.then} <= set(case.kept),
    K.CLOSE: lambda case: True,
    K.BEST: lambda case: True,
}

CLAIMS: Mapping[MotiveKind, Callable[[Case], bool]] = {
    kind: SIMPLE.get(kind) or globals()[kind.name.lower()] for kind in MotiveKind
}
"""By kind of motive: whether it is true."""


def cases(system: str, players: int, dice: random.Random, actions: int) -> Iterator[Case]:
    """What is said for some actions, of any quality, in positions of a random game."""
    game = Game.new(system, players, dice.randbytes(32))
    while True:
        if not game.to_act:
            game = Game.new(system, players, dice.randbytes(32))
        seat = dice.choice(game.to_act)
        legal = game.legal(seat)
        if dice.random() < 0.15:
            known = Knowledge.of(game, seat)
            for action in dice.sample(legal, min(actions, len(legal))):
                before, after = game.view().pieces, game.play(seat, action).view().pieces
                does = resolve_for(game, seat, action)
                said = motives(known, does, len(legal))
                apart = motives(known, does, len(legal), against=resolve_for(game, seat, dice.choice(legal)))
                relative = {one for one in apart if one.kind in (K.LEAVES_PARTNER, K.SAFE)}
                assert set(apart) <= {*said, Motive(K.BEST), *relative}
                for motive in dict.fromkeys((*said, *apart)):
                    yield Case(game, seat, action, motive, before, after)
        level = "normal" if dice.random() < 0.7 else "random"
        game = game.play(seat, choose(level, game, seat, dice))


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_whatever_is_said_for_an_action_is_true(system: str, players: int) -> None:
    dice = random.Random(f"motives {system} {players}")
    told: Counter[MotiveKind] = Counter()
    for number, case in enumerate(cases(system, players, dice, 2)):
        told[case.motive.kind] += 1
        assert CLAIMS[case.motive.kind](case), (case.motive, str(case.action), case.seat, case.hand, case.before)
        if number > 80:
            break
    assert len(told) > 8


# -- sentences that were false or missing, one position each


class Said(NamedTuple):
    """An action in a position, and what is said for it; that nothing false is said is tested above.

    `game`: system and players (4 if left out); `hands`, `pieces`: by seat, of seat 0 if none is named. `says`: motives
    (`takes 1 @26 x1`, or only their kind) that are said; `^`: first; `=`: alone; `!`: not, though it would be true.
    """

    game: str
    hands: str
    pieces: str
    action: str
    says: str
    against: str | None = None
    turn: int = 0
    options: Options = Options()

    def told(self) -> list[Motive]:
        system, _, players = self.game.partition(" ")
        seats = {"hands": by_seat(self.hands), "pieces": by_seat(self.pieces)}
        game = staged(system, int(players or 4), turn=self.turn, options=self.options, **seats)
        return list(of(game, self.action, self.turn, self.against))


def by_seat(text: str) -> dict[int, str]:
    parts = [part.partition(":") for part in (text if ":" in text else f"0: {text}").split("|")]
    return {int(seat): texts.strip() for seat, _, texts in parts}


def text_of(motive: Motive) -> str:
    """`takes 1 @26 x1`: the kind, whose piece, where, how many, which card, which rank."""
    found = {"": motive.side, "@": motive.place, "x": motive.count or None, "+": motive.card, "^": motive.rank}
    return " ".join([motive.kind.name.lower(), *(f"{sign}{one}" for sign, one in found.items() if one is not None)])


def of(game: Game, text: str, seat: int = 0, against: str | None = None) -> tuple[Motive, ...]:
    known = Knowledge.of(game, seat)
    other = None if against is None else resolve_for(game, seat, Action.parse(against))
    return motives(known, resolve_for(game, seat, Action.parse(text)), len(game.legal(seat)), against=other)


def holds(told: list[Motive], claim: str) -> bool:
    """Whether a claim is true of what is said."""
    sign, words = (claim[0], claim[1:]) if claim[0] in "^=!" else ("", claim)
    found = [words in (text_of(one), one.kind.name.lower()) for one in told]
    return {"": any(found), "!": not any(found), "^": found[:1] == [True], "=": found == [True]}[sign]


SAID = (
    # Spaces are counted where a piece gets ahead by them.
    Said("classic", "5 4 10", "39 56", "5 39>44", "moves_on 0 x5"),
    Said("dobney 6", "9 Q", "17 20", "9 17>P3", "moves_on 0 x9"),
    # A swap that puts an opponent back says by how much.
    Said("classic", "J 2", "0: 20 | 1: 14", "J 20<>1.14", "^swaps_back 1 @14 x58; stops 1 @14"),
    Said("classic", "J 2", "0: 14 | 1: 20", "J 14<>1.20", "^swaps_ahead 0 @20 x6; !swaps_back"),
    Said("classic", "J 2", "0: 14 | 3: 45", "J 14<>3.45", "^swaps_both 3 @45 x31; swaps_back 3 @45 x31"),
    # Only the piece that is ahead of all belongs to the leader: not if the seat itself, or its partner, is further on.
    Said("royal-basic 3", "5 2", "1: 30 b c d | 2: 60 15 | 0: 25", "5 25>30", "^takes_leader 1 @30 x1"),
    Said("royal-basic 3", "5 2", "1: 30 b c d | 2: 60 15 | 0: 25 b c d", "5 25>30", "^takes 1 @30 x1"),
    Said("royal-basic 6", "5 2", "0: 25 | 1: 30 | 4: a b c d | 3: 2 3", "5 25>30", "^takes 1 @30 x1"),
    # The lane is within reach by a card.
    Said("royal-basic 6", "5 2", "82", "5 82>87", "^nears_home 0 @87"),
    # Out of danger is where nobody reaches.
    Said("classic", "K 2", "0: 30 | 1: 26 28", "K 30>43", "saves 0 @30"),
    Said("classic", "J 2", "0: 30 2 | 1: 26 28 | 3: 29 45", "J 30<>3.45", "saves 0 @30"),
    # Room is made for pieces on their way, and a piece comes out that sends none of its like back.
    Said("classic", "2 3", "b 20", "2 b>d", "^makes_room"),
    Said("family", "K 3", "2", "K ->1", "comes_out"),
    # What another action does as well is left out; what the partner is spared is a reason against it.
    Said("classic", "6 X 3 K", "0: 20 | 1: 26", "6 20>26", "^takes"),
    Said("classic", "6 X 3 K", "0: 20 | 1: 26", "6 20>26", "=keeps_card +X", "X:6 20>26"),
    Said("classic", "6 X 3 K", "0: 20 | 1: 26", "6 20>26", "^takes", "3 20>23"),
    Said("classic", "6 X 3 K", "0: 20 | 1: 26", "X:6 20>26", "=best", "6 20>26"),
    Said("classic", "5 J 2 9", "0: 20 | 1: 10 | 2: 25 30", "2 20>22", "!leaves_partner", "9 20>29"),
    Said("classic", "5 J 2 9", "0: 20 | 1: 10 | 2: 25 30", "2 20>22", "leaves_partner 2", "5 20>25"),
    Said("classic", "5 J 2 9", "0: 20 | 1: 10 | 2: 25 30", "2 20>22", "leaves_partner 2", "J 20<>2.30"),
    Said("royal-basic 3", "2: 5 1-7 switch", "0: 20 | 1: 19 | 2: d", "discard 5", "least_use", turn=2),
    # A safe stop is told if something could have been taken: where it was, or where the other action would stop.
    Said("classic", "5 6 2", "0: 20 40 | 2: 30", "5 20>25", "!safe"),
    Said("classic", "5 A 2", "0: 20 40 | 1: 36", "5 20>25", "!safe"),
    Said("classic", "5 A 2", "0: 20 40 | 1: 36", "5 20>25", "safe 0 @25", "5 40>45"),
    Said("classic", "J 2", "0: 20 | 1: 16 | 2: 50", "J 20<>2.50", "safe"),
    # What is kept.
    Said("royal-basic 2", "13 5 =", "20", "5 20>25", "!keeps_way_out"),
    Said("royal-basic 2", "13 5 6", "20", "5 20>25", "keeps_way_out +13"),
    Said("classic", "6 4 K", "0: 20 62 | 1: 26", "6 20>26", "^takes 1 @26 x1; keeps_for_lane +4; keeps_way_out +K"),
    Said("classic", "6 4 K", "0: 20 62 | 1: 26", "4 62>a", "^goes_home"),
    Said("classic", "6 4 K", "0: 20 62 | 1: 26", "K ->1", "comes_out"),
    # Winning, or the only thing to do, needs no other reason.
    Said("classic", "0: 3 5 | 1: 2", "0: 63 b c d | 2: a b c d", "3 63>a", "=wins"),
    Said("classic", "0: 2 | 1: 3", "20", "2 20>22", "=only"),
    # A piece that would be home soon is named first.
    Said("classic", "6 2 K", "0: 8 | 1: 14", "6 8>14", "^stops 1 @14"),
    Said("royal", "5 2 9", "0: C9 | 1: J14", "5 9>14", "^stops 1 @14 ^J"),
    # Cards that act on others say what they do to whom.
    Said("tock", "0: 10 2 | 1: 3 4 | 2: 5 | 3: 6", "30", "10 robs 1", "^costs_card 1"),
    Said("jackaroo", "0: 10 2 | 1: 3 4", "30", "10 robs 1", "^costs_card 1", options=COMPLEX),
    Said("tock", "0: 5 2 | 1: 3", "0: 30 | 1: 17 60 | 2: 50", "5 1.17>22", "^drives_past 1 @17"),
    Said("tock", "0: 5 2 | 1: 3", "0: 30 | 1: 17 60 | 2: 50", "5 1.60>65", "=spares_own 1 @60"),
    Said("tock", "0: 5 2 | 1: 3", "0: 30 | 1: 17 60 | 2: 50", "5 2.50>55", "moves_on 2 x5"),
    # What a king sweeps away is counted over all opponents; a shared seven says how many pieces get ahead.
    Said(
        *("jackaroo", "0: K 2 | 1: 3", "0: 30 | 1: 33 | 3: 36", "K 30>43", "^takes_several x2; moves_on 0 x13"),
        options=COMPLEX,
    ),
    Said("keezen", "0: 7 2 | 1: 3", "20 30", "7 20>23 30>34", "shares x2"),
    Said("keezen", "0: 7 2 | 1: 3", "20 30", "7 20>27", "shares x1"),
)


@pytest.mark.parametrize("said", SAID, ids=lambda said: f"{said.game}: {said.action}")
def test_motives_are_complete_and_not_excessive(said: Said) -> None:
    told = said.told()
    for claim in said.says.split("; "):
        assert holds(told, claim), (claim, [text_of(one) for one in told])


def kinds(game: Game, text: str) -> set[MotiveKind]:
    return {motive.kind for motive in of(game, text)}


def test_joker_and_only_way_out_cannot_be_spared() -> None:
    game = exchanging("family", {0: "X 6 7"}, {0: "20", 2: "30"})
    assert not {K.SPARES, K.CAN_SPARE} & kinds(game, "ask X")
    game = exchanging("classic", {0: "A 6 7 8 9 10"}, {0: "20", 2: "30"})
    assert not {K.SPARES, K.CAN_SPARE} & kinds(game, "give A")
    game = exchanging("classic", {0: "A K 7 8 9 10"}, {0: "20 b c d", 2: "30"})
    spared = [card for card in "AK789" if K.SPARES in kinds(game, f"give {card}")]
    assert len(spared) <= 1, "only one can be spared most easily"


def test_a_call_for_help_says_first_why() -> None:
    game = exchanging("family", {0: "2 5 9"})
    assert of(game, "ask 5")[0].kind is K.NEEDS_HELP
    assert of(game, "none") == (Motive(K.BEST),), "nothing can be played without help"
    game = exchanging("family", {0: "2 5 9"}, {0: "20"})
    assert of(game, "none") == (Motive(K.NEEDS_NONE),)
    assert K.NEEDS_HELP not in kinds(game, "ask 5")


def test_declining_says_what_is_needed_or_lacking() -> None:
    game = exchanging("family", {0: "A 5 9", 2: "2 3"}, asking="2")
    assert of(game, "decline") == (Motive(K.NEEDS_OWN, card="A"),)
    game = exchanging("family", {0: "4 5 9", 2: "2 3"}, asking="2")
    assert of(game, "decline") == (Motive(K.CANNOT_HELP, 2),)
    game = exchanging("family", {0: "A K 9", 2: "2 3"}, asking="2")
    assert of(game, "decline") == (Motive(K.BEST),)
    assert of(game, "give A")[0] == Motive(K.PARTNER_NEEDS_OUT, 2, card="A")


def test_thinking_about_reasons_adds_no_feature() -> None:
    board = board_for("royal-basic", 6)
    before = list(features_for(board).names)
    game = staged("royal-basic", 6, hands={0: "5 2"}, pieces={0: "82"})
    assert of(game, "5 82>87")
    assert features_for(board).names == before
