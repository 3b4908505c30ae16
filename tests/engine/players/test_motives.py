"""What is said for an action is true: every kind of motive against the position, by the second reading of the rules."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest

from engine import Action, ActionKind, Game, Options, board_for
from engine.hidden.knowledge import Knowledge
from engine.players import choose
from engine.players.best import resolve_for
from engine.players.exchange import use
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


def read(game: Game, seat: int, placement: Placement, hand: tuple[str, ...] = ()) -> naive.Reading:
    return naive.Reading(
        {
            "rules": game.system.id,
            "players": game.players,
            "seat": seat,
            "hand": list(hand),
            "last": None,
            "options": {},
            "pieces": placement,
        }
    )


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


def movers_after(case: Case) -> int:
    return read(case.game, case.seat, case.after).movers[0]


def opposing(case: Case) -> set[int]:
    return set(case.game.seats) - case.team


def worth(case: Case, seat: int, card: str, share: float) -> float:
    """What a card is worth to a seat: its value for later and (a share of) what it gains now."""
    known = Knowledge.of(case.game, case.seat)
    weights = weights_for(case.game.board)
    return weights.cost[card] + share * use(Greedy(known.pieces, weights), seat, card)


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


def takes_with(case: Case, seat: int, card: str, placement: Placement, victims: set[int]) -> bool:
    reading = read(case.game, seat, placement)
    for named in naive.JOKER_NAMES if card == "X" else (card,):
        for after in () if named == "7" else moves_of_one(reading, named):
            if any(after[one] == "-" != text for one, text in reading.pieces.items() if one.side in victims):
                return True
    return False


def goes_home_with(case: Case, seat: int, card: str, placement: Placement) -> bool:
    reading = read(case.game, seat, placement)
    for named in naive.JOKER_NAMES if card == "X" else (card,):
        for after in () if named == "7" else moves_of_one(reading, named):
            if any(in_lane(after[one]) and not in_lane(text) for one, text in reading.pieces.items()):
                return True
    return False


# -- what each kind of motive claims


def goes_home(case: Case) -> bool:
    more = sum(at_home(case, case.after, side) - at_home(case, case.before, side) for side in case.team)
    return more == case.motive.count > 0 and case.at(case.after, need(case.motive.side), case.motive.place)


def need(value: int | None) -> int:
    return value


def swaps_back(case: Case) -> bool:
    side, place, to = next(end for end in case.ends() if end[0] == case.motive.side)
    lost = way(case, side, place) - way(case, side, to)
    return side in opposing(case) and place == case.motive.place and lost == case.motive.count > 0


def stops(case: Case) -> bool:
    side, place = need(case.motive.side), case.motive.place or ""
    if side not in opposing(case) or not can_go_home(case, case.before, side, place):
        return False
    if any(owner == side for owner, _, _ in case.ends()):
        to = next(target for owner, _, target in case.ends() if owner == side)
        return not can_go_home(case, case.after, side, to)
    return waiting(case, case.after, side) > waiting(case, case.before, side)


def takes(case: Case) -> bool:
    side = need(case.motive.side)
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

    side = need(case.motive.side)
    others = [other for other in case.game.seats if other != side]
    home = at_home(case, case.before, side)
    first = all(ahead(side) > ahead(other) and home >= at_home(case, case.before, other) for other in others)
    return takes(case) and first


def comes_out(case: Case) -> bool:
    side = need(case.motive.side)
    return side in case.team and waiting(case, case.after, side) < waiting(case, case.before, side)


def target_of(case: Case) -> tuple[int, str]:
    """Where the piece goes that stood at the motive's place."""
    if case.action.kind is ActionKind.JUMP:
        known = Knowledge.of(case.game, case.seat)
        return need(case.motive.side), case.game.board.place_texts[known.jumper[1]]
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
    return enemies_of(case, case.before, side, case.motive.place or "") > 0 and out_of_reach(case, side, place)


def safe(case: Case) -> bool:
    side, place = need(case.motive.side), case.motive.place or ""
    return case.at(case.after, side, place) and side in case.team and out_of_reach(case, side, place)


def less_danger(case: Case) -> bool:
    side, place = need(case.motive.side), case.motive.place or ""
    if case.action.kind is ActionKind.JUMP:
        known = Knowledge.of(case.game, case.seat)
        origin = case.game.board.place_texts[known.pieces.loc[known.jumper[0]]]
    else:
        origin = next(start for owner, start, to in case.ends() if (owner, to) == (side, place))
    return enemies_of(case, case.after, side, place) < enemies_of(case, case.before, side, origin)


def clears_partner(case: Case) -> bool:
    place, partner = case.motive.place or "", need(case.partner)
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
    side = need(case.motive.side)
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
    side, place = need(case.motive.side), case.motive.place or ""
    return case.at(case.after, side, place) and can_go_home(case, case.after, side, place)


def blocks(case: Case) -> bool:
    side, place = need(case.motive.side), case.motive.place or ""
    board = read(case.game, side, case.after).board
    guarded = {place + "*"} if board.system in ("family", "dobney", "swiss") else {place, place + "*"}
    stands = any(bare(case.ranked, text) in guarded for text in case.after[side])
    on_start = int(place) == board.start(side) and side in case.team
    return stands and on_start and followers(case, case.after, place, opposing(case)) == case.motive.count > 0


def keeps_for_lane(case: Case) -> bool:
    card = case.motive.card or ""
    return card in case.kept and goes_home_with(case, case.seat, card, case.after)


def keeps_to_take(case: Case) -> bool:
    card = case.motive.card or ""
    return card in case.kept and takes_with(case, case.seat, card, case.after, {need(case.motive.side)})


def keeps_way_out(case: Case) -> bool:
    ways = [card for card in case.kept if card in OUT]
    return ways == [case.motive.card] and waiting(case, case.after, movers_after(case)) > 0


def position_of(case: Case) -> dict[str, object]:
    return {
        "rules": case.game.system.id,
        "players": case.game.players,
        "seat": case.seat,
        "hand": case.hand,
        "last": None,
        "options": {},
        "pieces": case.before,
    }


def can_spare(case: Case) -> bool:
    card = case.motive.card or ""
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
    side = need(case.motive.side)
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
        case.motive.side == case.partner and case.before[need(case.partner)] == case.after[need(case.partner)]
    ),
    K.COSTS_CARD: lambda case: case.motive.side == case.action.victim,
    K.KEEPS_CARD: lambda case: case.motive.card == "X" and "X" in case.kept and case.action.card != "X",
    K.NEEDS_HELP: lambda case: stuck(case, case.seat) and not any(card in OUT for card in case.hand),
    K.NEEDS_NONE: lambda case: bool(naive.actions(position_of(case))),
    K.NEEDS_OWN: lambda case: (
        stuck(case, case.seat) and [card for card in case.hand if card in OUT] == [case.motive.card]
    ),
    K.CANNOT_HELP: lambda case: stuck(case, need(case.partner)) and not any(card in OUT for card in case.hand),
    K.PARTNER_NEEDS_OUT: lambda case: (
        case.motive.side == case.partner and stuck(case, need(case.partner)) and case.motive.card in OUT
    ),
    K.PARTNER_GETS_HOME: lambda case: goes_home_with(case, need(case.partner), case.motive.card or "", case.before),
    K.PARTNER_CAN_TAKE: lambda case: takes_with(
        case, need(case.partner), case.motive.card or "", case.before, opposing(case)
    ),
    K.SPARES: lambda case: not_needed(case) and least(case, case.seat, alone=True),
    K.GIVES_LITTLE: lambda case: case.motive.side in opposing(case) and least(case, need(case.motive.side), alone=True),
    K.FIRST_PIECE: lambda case: case.action.rank == case.motive.rank,
    K.BETTER_AHEAD: lambda case: case.action.kind is ActionKind.JUMP and jump_ends(case)[1] == case.motive.place,
    K.BETTER_HERE: lambda case: case.action.kind is ActionKind.STAY and jump_ends(case)[0] == case.motive.place,
    K.BEST: lambda case: True,
}

CLAIMS: Mapping[MotiveKind, Callable[[Case], bool]] = {
    kind: SIMPLE.get(kind) or globals()[kind.name.lower()] for kind in MotiveKind
}
"""By kind of motive: whether it is true."""


def after_of(game: Game, seat: int, action: Action) -> Placement:
    """Where the pieces stand after an action."""
    return game.play(seat, action).view(None).pieces


def checked(case: Case) -> None:
    """Fail unless what is said is true."""
    assert CLAIMS[case.motive.kind](case), (case.motive, str(case.action), case.seat, case.hand, case.before)


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
                before, after = game.view(None).pieces, after_of(game, seat, action)
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
        checked(case)
        if number > 80:
            break
    assert len(told) > 8


# -- sentences that were false, one position each


def of(game: Game, text: str, seat: int = 0, against: str | None = None) -> tuple[Motive, ...]:
    known = Knowledge.of(game, seat)
    other = None if against is None else resolve_for(game, seat, Action.parse(against))
    return motives(known, resolve_for(game, seat, Action.parse(text)), len(game.legal(seat)), against=other)


def kinds(game: Game, text: str, seat: int = 0) -> set[MotiveKind]:
    return {motive.kind for motive in of(game, text, seat)}


def test_spaces_are_counted_only_where_a_piece_gets_ahead_by_them() -> None:
    game = staged("classic", 4, hands={0: "5 4 10"}, pieces={0: "39 56"})
    assert Motive(K.MOVES_ON, 0, count=5) in of(game, "5 39>44")
    assert K.MOVES_ON not in kinds(game, "4 39>35")
    assert K.MOVES_ON not in kinds(game, "10 56>2"), "past its lane"
    game = staged("dobney", 6, hands={0: "9 Q"}, pieces={0: "17 20"})
    assert Motive(K.MOVES_ON, 0, count=9) in of(game, "9 17>P3")
    assert K.MOVES_ON not in kinds(game, "Q 20>76"), "a short cut gains more than it walks"
    game = staged("royal", 4, hands={0: "switch 2"}, pieces={0: "K45", 2: "C29"})
    assert kinds(game, "switch 45<>2.29") <= {K.PARTNER_AHEAD, K.SAFE, K.BEST}


def test_a_swap_that_puts_an_opponent_back_says_by_how_much() -> None:
    game = staged("classic", 4, hands={0: "J 2"}, pieces={0: "20", 1: "14"})
    assert of(game, "J 20<>1.14")[0] == Motive(K.SWAPS_BACK, 1, "14", 58)
    assert Motive(K.STOPS, 1, "14") in of(game, "J 20<>1.14")
    game = staged("classic", 4, hands={0: "J 2"}, pieces={0: "14", 1: "20"})
    swapped = of(game, "J 14<>1.20")
    assert swapped[0] == Motive(K.SWAPS_AHEAD, 0, "20", 6)
    assert K.SWAPS_BACK not in {motive.kind for motive in swapped}


def test_only_the_piece_that_is_ahead_of_all_belongs_to_the_leader() -> None:
    pieces = {1: "30 b c d", 2: "60 15", 0: "25"}
    game = staged("royal-basic", 3, hands={0: "5 2"}, pieces=pieces)
    assert of(game, "5 25>30")[0] == Motive(K.TAKES_LEADER, 1, "30", 1)
    game = staged("royal-basic", 3, hands={0: "5 2"}, pieces={**pieces, 0: "25 b c d"})
    assert of(game, "5 25>30")[0] == Motive(K.TAKES, 1, "30", 1), "the seat itself is further on"
    game = staged("royal-basic", 6, hands={0: "5 2"}, pieces={0: "25", 1: "30", 4: "a b c d", 3: "2 3"})
    assert of(game, "5 25>30")[0] == Motive(K.TAKES, 1, "30", 1), "its partner is ahead, it is not"


def test_the_lane_is_within_reach_only_by_a_card() -> None:
    game = staged("royal-basic", 6, hands={0: "5 2"}, pieces={0: "74"})
    assert K.NEARS_HOME not in kinds(game, "5 74>79")
    game = staged("royal-basic", 6, hands={0: "5 2"}, pieces={0: "82"})
    assert of(game, "5 82>87")[0] == Motive(K.NEARS_HOME, 0, "87")
    game = staged("royal", 6, hands={0: "5 2"}, pieces={0: "K82"})
    assert K.NEARS_HOME not in kinds(game, "5 82>87"), "a king goes 7 at most"


def test_out_of_danger_is_where_nobody_reaches() -> None:
    game = staged("classic", 4, hands={0: "5 2"}, pieces={0: "30", 1: "20 26 28", 3: "50"})
    assert K.SAVES not in kinds(game, "2 30>32")
    game = staged("classic", 4, hands={0: "K 2"}, pieces={0: "30", 1: "26 28"})
    assert Motive(K.SAVES, 0, "30") in of(game, "K 30>43")
    game = staged("classic", 4, hands={0: "J 2"}, pieces={0: "30 2", 1: "26 28", 3: "29 45"})
    away = of(game, "J 30<>3.45")
    assert Motive(K.LESS_DANGER, 0, "45") in away or Motive(K.SAVES, 0, "30") in away


def test_room_is_made_only_for_pieces_on_their_way() -> None:
    game = staged("classic", 4, hands={0: "2 3"}, pieces={0: "b 20"})
    assert of(game, "2 b>d")[0].kind is K.MAKES_ROOM
    game = staged("classic", 4, hands={0: "2 A"}, pieces={0: "b"})
    assert of(game, "2 b>d")[0].kind is not K.MAKES_ROOM


def test_a_piece_that_sends_its_like_back_does_not_come_out_for_anybody() -> None:
    game = staged("family", 4, hands={0: "K 3"}, pieces={0: "1"})
    assert K.COMES_OUT not in kinds(game, "K ->1")
    game = staged("family", 4, hands={0: "K 3"}, pieces={0: "2"})
    assert K.COMES_OUT in kinds(game, "K ->1")


def test_neither_the_joker_nor_the_only_way_out_can_be_spared() -> None:
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


def test_what_another_action_does_as_well_is_left_out() -> None:
    game = staged("classic", 4, hands={0: "6 X 3 K"}, pieces={0: "20", 1: "26"})
    assert of(game, "6 20>26")[0].kind is K.TAKES
    assert of(game, "6 20>26", against="X:6 20>26") == (Motive(K.KEEPS_CARD, card="X"),)
    assert of(game, "6 20>26", against="3 20>23")[0].kind is K.TAKES
    assert of(game, "X:6 20>26", against="6 20>26") == (Motive(K.BEST),)


def test_what_the_partner_is_spared_is_a_reason_against_another_action() -> None:
    game = staged("classic", 4, hands={0: "5 J 2 9"}, pieces={0: "20", 1: "10", 2: "25 30"})
    spared = Motive(K.LEAVES_PARTNER, 2)
    assert spared in of(game, "2 20>22", against="5 20>25")
    assert spared in of(game, "2 20>22", against="J 20<>2.30")
    assert spared not in of(game, "2 20>22", against="9 20>29")
    assert spared not in of(game, "J 20<>2.25", against="5 20>25")


def test_a_card_that_does_more_is_not_of_least_use() -> None:
    game = staged("royal-basic", 3, hands={2: "5 1-7 switch"}, pieces={0: "20", 1: "19", 2: "d"}, turn=2)
    assert K.LEAST_USE not in kinds(game, "discard 1-7", seat=2)
    assert K.LEAST_USE in kinds(game, "discard 5", seat=2)


def test_thinking_about_reasons_adds_no_feature() -> None:
    board = board_for("royal-basic", 6)
    before = list(features_for(board).names)
    game = staged("royal-basic", 6, hands={0: "5 2"}, pieces={0: "82"})
    assert of(game, "5 82>87")
    assert features_for(board).names == before


def test_a_safe_stop_is_worth_telling_only_if_something_could_have_been_taken() -> None:
    game = staged("classic", 4, hands={0: "5 6 2"}, pieces={0: "20 40", 2: "30"})
    assert K.SAFE not in kinds(game, "5 20>25"), "nobody can take anything"
    game = staged("classic", 4, hands={0: "5 6 2"}, pieces={0: "20", 1: "16"})
    assert K.SAFE not in kinds(game, "2 20>22"), "it can still be taken"
    game = staged("classic", 4, hands={0: "5 A 2"}, pieces={0: "20 40", 1: "36"})
    assert K.SAFE not in kinds(game, "5 20>25")
    apart = of(game, "5 20>25", against="5 40>45")
    assert Motive(K.SAFE, 0, "25") in apart, "the other one would stop within reach"
    game = staged("classic", 4, hands={0: "J 2"}, pieces={0: "20", 1: "16", 2: "50"})
    assert K.SAFE in kinds(game, "J 20<>2.50"), "it could have been taken where it was"


def test_a_way_out_is_the_only_one_unless_another_card_can_copy_one() -> None:
    game = staged("royal-basic", 2, hands={0: "13 5 ="}, pieces={0: "20"})
    assert K.KEEPS_WAY_OUT not in kinds(game, "5 20>25")
    game = staged("royal-basic", 2, hands={0: "13 5 6"}, pieces={0: "20"})
    assert Motive(K.KEEPS_WAY_OUT, card="13") in of(game, "5 20>25")


def test_it_may_be_told_why() -> None:
    game = staged("classic", 4, hands={0: "6 4 K"}, pieces={0: "20 62", 1: "26"})
    assert of(game, "6 20>26")[0].kind is K.TAKES
    taken = of(game, "6 20>26")[0]
    assert (taken.side, taken.place, taken.count) == (1, "26", 1)
    assert of(game, "4 62>a")[0].kind is K.GOES_HOME
    assert K.COMES_OUT in kinds(game, "K ->1")
    kept = [motive for motive in of(game, "6 20>26") if motive.kind is K.KEEPS_FOR_LANE]
    assert [motive.card for motive in kept] == ["4"]
    assert Motive(K.KEEPS_WAY_OUT, card="K") in of(game, "6 20>26")
    game = staged("classic", 4, hands={0: "3 5", 1: "2"}, pieces={0: "63 b c d", 2: "a b c d"})
    assert of(game, "3 63>a") == (Motive(K.WINS),)


def test_a_piece_that_would_be_home_soon_is_named_first() -> None:
    game = staged("classic", 4, hands={0: "6 2 K"}, pieces={0: "8", 1: "14"})
    stopped = of(game, "6 8>14")[0]
    assert (stopped.kind, stopped.side, stopped.place, stopped.rank) == (K.STOPS, 1, "14", None)
    game = staged("royal", 4, hands={0: "5 2 9"}, pieces={0: "C9", 1: "J14"})
    assert of(game, "5 9>14")[0] == Motive(K.STOPS, 1, "14", rank="J")
    game = staged("classic", 4, hands={0: "6 2 K"}, pieces={0: "20", 1: "26"})
    assert K.STOPS not in kinds(game, "6 20>26")


def test_the_only_thing_to_do_needs_no_other_reason() -> None:
    game = staged("classic", 4, hands={0: "2", 1: "3"}, pieces={0: "20"})
    assert of(game, "2 20>22") == (Motive(K.ONLY),)


def test_a_card_taken_from_the_next_opponent_is_a_reason() -> None:
    game = staged("tock", 4, hands={0: "10 2", 1: "3 4", 2: "5", 3: "6"}, pieces={0: "30"})
    assert of(game, "10 robs 1")[0] == Motive(K.COSTS_CARD, 1)
    assert Motive(K.COSTS_CARD, 1) in of(game, "10 robs 1", against="2 30>32")
    game = staged("jackaroo", 4, hands={0: "10 2", 1: "3 4"}, pieces={0: "30"}, options=COMPLEX)
    assert of(game, "10 robs 1")[0] == Motive(K.COSTS_CARD, 1)


def test_a_push_tells_what_it_does_to_whom() -> None:
    start = board_for("tock", 4).start(1)
    game = staged("tock", 4, hands={0: "5 2", 1: "3"}, pieces={0: "30", 1: f"{start - 2} 60", 2: "50"})
    assert of(game, f"5 1.{start - 2}>{start + 3}")[0] == Motive(K.DRIVES_PAST, 1, str(start - 2))
    assert of(game, "5 1.60>65") == (Motive(K.SPARES_OWN, 1, "60"),)
    assert Motive(K.MOVES_ON, 2, count=5) in of(game, "5 2.50>55")


def test_what_a_king_sweeps_away_is_counted_over_all_opponents() -> None:
    game = staged("jackaroo", 4, hands={0: "K 2", 1: "3"}, pieces={0: "30", 1: "33", 3: "36"}, options=COMPLEX)
    said = of(game, "K 30>43")
    assert said[0] == Motive(K.TAKES_SEVERAL, count=2)
    assert Motive(K.MOVES_ON, 0, count=13) in said


def test_a_shared_seven_says_how_many_pieces_get_ahead() -> None:
    game = staged("keezen", 4, hands={0: "7 2", 1: "3"}, pieces={0: "20 30"})
    assert Motive(K.SHARES, count=2) in of(game, "7 20>23 30>34")
    assert Motive(K.SHARES, count=1) in of(game, "7 20>27")
