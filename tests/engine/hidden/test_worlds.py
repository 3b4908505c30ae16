"""Worlds of rounds in which the draw pile runs out: where its last cards can be, and where they cannot.

Every round is dealt from one pile or, if that runs out, from what is left of it and then from the cards that had been
open. What is known of both must come true in every world.
"""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest

from engine import Board, Game, board_for
from engine.hidden.knowledge import Knowledge
from engine.hidden.worlds import Dealer, World
from engine.players import PLAYERS
from engine.rules.piles import Dealt, Drew, Exchanged, Fact, LaidOpen, Stuck
from engine.rules.resolved import carry_out
from engine.rules.routes import routes_for
from engine.rules.state import GameState, RoundStage
from tests.engine.staging import KINDS, SEED, staged

WORLDS = 60


def begun(system: str, players: int, pile: Sequence[str], *, viewer: int, came: str, count: int) -> GameState:
    """A round as a seat knows it right after the deal, when the draw pile had held only these cards."""
    state = Game.new(system, players, SEED).state.copy()
    shown = Counter(state.board.deck) - Counter(pile)
    state.turn = state.starter = 0
    state.record = [Dealt(tuple(shown.elements()), 0, count)]
    state.came = [[] for _ in range(state.board.sides)]
    state.came[viewer] = came.split()
    state.cards.hands = [["?"] * count if side in state.board.seats else [] for side in range(state.board.sides)]
    state.cards.hands[viewer] = came.split()
    state.cards.deck, state.cards.discards = [], []
    return state


def worlds(state: GameState, viewer: int) -> list[list[list[str]]]:
    """The hands of some worlds."""
    known = Knowledge.of_state(state, viewer)
    return [known.sample(random.Random(seed)).cards.hands for seed in range(WORLDS)]


def exchanged(state: GameState, viewer: int, gave: str, got: str) -> None:
    """Note that partners have exchanged cards."""
    state.undeclared.clear()
    state.record += [Exchanged((0, 2)), Exchanged((1, 3))]
    state.gave, state.got = {viewer: gave}, {viewer: got}
    state.cards.hands[viewer].remove(gave)
    state.cards.hands[viewer].append(got)


def test_last_cards_stay_where_they_were_dealt() -> None:
    """Eight aces were left, all there are: two for each of four players."""
    state = begun("classic", 4, ["A"] * 8, viewer=0, came="A A 2 3 4 5", count=6)
    for hands in worlds(state, 0):
        assert [hand.count("A") for hand in hands] == [2, 2, 2, 2]


def test_last_cards_may_have_been_exchanged() -> None:
    state = begun("classic", 4, ["A"] * 8, viewer=0, came="A A 2 3 4 5", count=6)
    exchanged(state, 0, gave="A", got="9")
    found = {tuple(hand.count("A") for hand in hands) for hands in worlds(state, 0)}
    assert found == {(1, 3, 3, 1), (1, 2, 3, 2), (1, 1, 3, 3)}


def test_card_only_the_pile_held_comes_from_it() -> None:
    """Three aces can only be with somebody whose partner gave one away, so that the partner is left with one."""
    state = begun("classic", 4, ["A"] * 8, viewer=0, came="A A 2 3 4 5", count=6)
    exchanged(state, 0, gave="A", got="9")
    state.record += [LaidOpen(1, ("A",)), LaidOpen(1, ("A",)), LaidOpen(1, ("A",))]
    state.cards.discards = ["A"] * 3
    for hands in worlds(state, 0):
        assert [hand.count("A") for hand in hands] == [1, 0, 3, 1]


def test_later_card_comes_from_the_shuffled_ones() -> None:
    """Seat 0 was dealt three cards of the old pile, and everybody knows which: the 3 can only be the one it drew."""
    state = begun("royal-basic", 2, ["2", "9", "8", "12", "10"], viewer=2, came="9 12 5", count=3)
    state.pieces = staged("royal-basic", 2, hands={}, pieces={2: "40"}).state.pieces
    nodes = tuple(state.pieces.loc)
    state.undeclared.clear()
    state.record += [
        Stuck(0, nodes, None, None),
        LaidOpen(0, ("2",)),
        Drew(0),
        Stuck(0, nodes, None, None),
        LaidOpen(0, ("3",)),
    ]
    state.cards.discards = ["2", "3"]
    for hands in worlds(state, 2):
        assert sorted(hands[0]) == ["10", "8"]


# -- random games


def cards_by_pile(board: Board, facts: Sequence[Fact]) -> tuple[list[Counter[str]], dict[int, list[int]]]:
    """The draw piles of a round, and for each seat the numbers of the piles from which it was dealt its cards."""
    piles: list[Counter[str]] = []
    open_cards: Counter[str] = Counter()
    drawn = 0
    got: dict[int, list[int]] = {seat: [] for seat in board.seats}

    def draw(seat: int) -> None:
        nonlocal drawn, open_cards
        if drawn == piles[-1].total():
            piles.append(open_cards)
            open_cards, drawn = Counter(), 0
        drawn += 1
        got[seat].append(len(piles) - 1)

    for fact in facts:
        match fact:
            case Dealt():
                open_cards = Counter(fact.open_cards)
                piles.append(Counter(board.deck) - open_cards)
                for _ in range(fact.each):
                    for seat in board.turns[fact.starter]:
                        draw(seat)
            case Drew():
                draw(fact.seat)
            case LaidOpen():
                open_cards.update(fact.cards)
            case _:
                pass
    return piles, got


def after_exchange(facts: Sequence[Fact], counts: dict[int, int], sizes: dict[int, int]) -> list[dict[int, int]]:
    """How many cards of the old pile each seat may have after the exchanges: every way in which they may have gone."""
    found = [counts]
    for fact in facts:
        if not isinstance(fact, Exchanged):
            continue
        group = fact.group
        follow = []
        for now in found:
            for given in product((0, 1), repeat=len(group)):
                if all((now[s] if g else sizes[s] - now[s]) > 0 for s, g in zip(group, given, strict=True)):
                    new = dict(now)
                    for giver, taker, one in zip(group, group[1:] + group[:1], given, strict=True):
                        new[giver] -= one
                        new[taker] += one
                    follow.append(new)
        found = [dict(items) for items in {tuple(sorted(one.items())) for one in follow}]
    return found


def can_share(cards: list[tuple[str, int]], held: dict[int, Counter[str]], room: dict[int, int]) -> bool:
    """Whether the cards can be shared among seats that hold them, so that each gets exactly as many as it has room."""
    if not cards:
        return not any(room.values())
    (card, count), *rest = cards
    seats = [seat for seat in room if room[seat] and held[seat][card]]
    for parts in product(*(range(min(room[seat], held[seat][card], count) + 1) for seat in seats)):
        if sum(parts) == count:
            less = dict(zip(seats, parts, strict=True))
            if can_share(rest, held, {seat: left - less.get(seat, 0) for seat, left in room.items()}):
                return True
    return False


def agrees(board: Board, facts: Sequence[Fact], hands: Sequence[Sequence[str]]) -> bool:
    """Whether the whole first pile can have been dealt as everybody saw it, if these are the hands now."""
    piles, got = cards_by_pile(board, facts)
    held = {seat: Counter(hands[seat]) for seat in board.seats}
    for fact in facts:
        if isinstance(fact, LaidOpen):
            held[fact.seat].update(fact.cards)
    dealt = next(fact.each for fact in facts if isinstance(fact, Dealt))
    counts = {seat: got[seat][:dealt].count(0) for seat in board.seats}
    later = {seat: got[seat][dealt:].count(0) for seat in board.seats}
    for room in after_exchange(facts, counts, dict.fromkeys(board.seats, dealt)):
        whole = {seat: room[seat] + later[seat] for seat in room}
        rarest = sorted(piles[0].items(), key=lambda item: sum(held[seat][item[0]] > 0 for seat in held))
        if can_share(rarest, held, whole):
            return True
    return False


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_worlds_after_the_pile_ran_out_are_dealable(system: str, players: int) -> None:
    dice = random.Random(f"piles {system} {players}")
    looked_at = 0
    board = board_for(system, players)
    while looked_at < 6:
        state = GameState.begin(routes_for(board), dice.randbytes(32))
        state.events = None
        while state.stage != RoundStage.END:
            ready = not state.undeclared and not state.answering and dice.random() < 0.2
            piles = cards_by_pile(board, state.record)[0] if ready else []
            if len(piles) == 2:
                seat = dice.choice(board.seats)
                known = Knowledge.of_state(state, seat)
                world = known.sample(dice)
                dealer = Dealer(known)
                assert any(World(dealer, dice).complete() for _ in range(60)), "hardly any world comes out even"
                assert agrees(board, state.record, state.cards.hands)
                assert agrees(board, state.record, world.cards.hands)
                assert not Counter(world.cards.deck) - piles[-1]
                looked_at += 1
            acting = state.to_act()[0]
            player = PLAYERS["heuristic" if dice.random() < 0.5 else "random"]
            carry_out(state, acting, player(Knowledge(state, acting), dice))


def test_older_shown_card_is_likelier_with_fewer_alternatives() -> None:
    """A seat was stuck, so its three first cards are no ways out; of the two it holds when it shows a 3, one is newer.

    The 3 comes from either in proportion to how probable a 3 was there; only the newer one can be a way out.
    """
    state = Game.new("royal", 2, SEED).state.copy()
    mine = ["9", "8", "6"]
    state.turn = state.starter = 0
    state.undeclared.clear()
    state.stage = RoundStage.TURN
    state.came = [[], [], mine.copy(), []]
    state.cards.hands = [["?"], [], mine.copy(), []]
    state.cards.deck = []
    shown = [Stuck(0, tuple(state.pieces.loc), None, None), LaidOpen(0, ("2",)), Drew(0), LaidOpen(0, ("13",))]
    state.record = [Dealt((), 0, 3), *shown, LaidOpen(0, ("10",)), Drew(0), LaidOpen(0, ("3",))]
    state.cards.discards = ["2", "13", "10", "3"]
    state.turn = 2
    known = Knowledge.of_state(state, 2)
    left = Counter(state.board.deck) - Counter([*mine, "2", "13", "10"])
    (banned,) = Dealer(known).playable.values()
    ways_out = sum(left[card] for card in banned)
    older, newer = 1 / (left.total() - ways_out), 1 / left.total()
    wanted = older / (older + newer) * ways_out / left.total()
    dice = random.Random(5)
    out = sum(known.sample(dice).cards.hands[0][0] in banned for _ in range(2000))
    assert out / 2000 == pytest.approx(wanted, abs=0.03)
