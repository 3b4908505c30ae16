"""A second, plain reading of how a game goes: deals, exchanges, turns, laying down, drawing, winning.

The referee watches a game and works out for itself who must act, with which cards and what for; it takes from the game
only what is random (the cards dealt and drawn, the first seat). `Disagreement` says where the two differ.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine import Action, ActionKind, Game
from engine.record import Record
from tests.reference import naive
from tests.reference.board import LANE, Board, house_of, options_of
from tests.reference.naive import Found

DECK = {"classic": 110, "family": 112, "dobney": 108, "royal-basic": 110, "royal": 110, "swiss": 110, "jackaroo": 52}
DEALS = {"keezen": (5, 4, 4), "tock": (5, 4, 4), "jackaroo": (4, 4, 5)}


class Disagreement(AssertionError):
    """The game and the referee disagree."""


class Referee:
    """Follows one game from its beginning; call `look` before every action and `note` after it."""

    def __init__(self, game: Game) -> None:
        view = game.view()
        self.board = Board(view.system, view.players, house_of(game.options.to_json()))
        self.house = self.board.house
        self.seats = self.board.seats
        self.round = 1
        self.starter = view.starter
        self.placed: set[int] = set()
        self.pieces = self._opening()
        self._deal(game)

    # -- what should be

    def _opening(self) -> dict[int, list[str]]:
        """Section 11: kennels; one piece on each start in royal-basic and quick games; in royal placed by choice."""
        if self.board.ranked:
            return {seat: [f"{rank}-" for rank in "KNCJ"] for seat in self.seats}
        out = self.board.royal or "quick" in self.house
        first = {seat: str(self.board.start(seat)) if out else "-" for seat in self.seats}
        return {seat: [first[seat], "-", "-", "-"] for seat in self.seats}

    def _cards_dealt(self) -> int:
        """Section 3: cards each in this round."""
        if self.board.royal:
            return 5
        if self.board.system in DEALS:
            return DEALS[self.board.system][(self.round - 1) % 3]
        if self.board.system == "family" and self.round > 5:
            return (5, 4, 3, 2)[(self.round - 6) % 4]
        return (6, 5, 4, 3, 2)[(self.round - 1) % 5]

    def _deal(self, game: Game) -> None:
        """A new round: everybody is in again, with a new hand."""
        self.hands = {seat: Counter(game.view(seat).hand or ()) for seat in self.seats}
        self._must({seat: self._cards_dealt() for seat in self.seats}, self._sizes(), "cards dealt")
        self.turn = self.starter
        self.out: set[int] = set()
        self.last: str | None = None
        self.given: dict[int, str] = {}
        self.arrived: set[int] = set()
        self.wishes: dict[int, str | None] = {}
        self.answers: set[int] = set()
        self.stage = "exchange"
        if self._passes() == "nothing":
            self._start()

    def _deck(self) -> int:
        """How many cards there are (section 3; cousins)."""
        if self.board.system in ("keezen", "tock"):
            return 13 * self.board.players
        return 165 if self.board.players == 8 else DECK[self.board.system]

    def _passes(self) -> str:
        """How cards change hands: on request, in the team, to the next seat, or not at all (section 3; cousins)."""
        system = self.board.system
        if "no_exchange" in self.house or system in ("keezen", "jackaroo"):
            return "nothing"
        if self.board.alone:
            return "nothing" if system in ("family", "tock") else "next"
        return "request" if system == "family" else "team"

    def _starts_changed(self) -> bool:
        """Whether the next round begins with the next seat (section 3; cousins)."""
        stays = self.board.system in ("tock", "jackaroo") or "starter_stays" in self.house
        return not stays or self.round % 3 == 1

    def _redraws(self) -> bool:
        """Whether a seat that cannot play discards and draws (section 9)."""
        return self.board.royal and self.board.alone

    def _partner(self, seat: int) -> int:
        (partner,) = self.board.partners(seat)
        return partner

    def _asked(self) -> set[int]:
        if self.stage == "end":
            return set()
        if self.stage != "exchange":
            return {self.victim} if self.stage == "lose" else {self.turn}
        if self._passes() != "request":
            return {seat for seat in self.seats if seat not in self.given}
        waiting = {seat for seat in self.seats if seat not in self.wishes}
        for seat in self.seats:
            partner = self._partner(seat)
            if seat in self.wishes and partner in self.wishes and seat not in self.answers:
                one_asks = self.wishes[seat] is None and self.wishes[partner] is not None
                waiting |= {seat} if one_asks else set()
        return waiting

    def _position(self) -> dict[str, Any]:
        return {
            "rules": self.board.system,
            "players": self.board.players,
            "pieces": {str(seat): list(texts) for seat, texts in self.pieces.items()},
            "seat": self.turn,
            "hand": list(self.hands[self.turn].elements()),
            "last": self.last,
            "options": options_of(" ".join(self.house)),
        } | self._victim()

    def _victim(self) -> dict[str, int]:
        """Whom a 10 would cost a card: the next opponent in turn order who holds any (cousins)."""
        seat = self._next(self.turn)
        while seat != self.turn:
            if self.hands[seat].total() and seat not in self.board.team(self.turn):
                return {"victim": seat} if self.board.robs else {}
            seat = self._next(seat)
        return {}

    # -- before an action

    def look(self, game: Game) -> None:
        """Check that the game waits for the seats it should, and offers them everything they may do."""
        view = game.view()
        self._must(self._asked(), set(game.to_act), "who acts")
        self._must(self._sides(self.pieces), self._sides(view.pieces), "pieces")
        self._must(self._shown_sizes(), dict(view.hands), "hand sizes")
        self._must(self.stage == "end", bool(view.winners), "over or not")
        if self.stage == "end":
            self._must(self._done(), set(view.winners), "winners")
            return
        self._must((self.round, self.starter), (view.round, view.starter), "round and starting seat")
        cards = view.deck + len(view.discards) + sum(self._sizes().values())
        # Cards that have been given but have not arrived yet are in nobody's hand.
        self._must(self._deck(), cards + self._in_between(), "cards in all")
        if self.stage != "exchange":
            self._must(self.hands[self.turn], Counter(game.view(self.turn).hand or ()), "hand")
            self._must(self.last, view.last_card, "last card")
            self._must(frozenset(self.out), view.out, "seats out")
        for seat in self._asked():
            self._check_choices(game, seat)
        if self.stage != "exchange":
            self._must(self._phase(), str(game.phase), "phase")

    def _phase(self) -> str:
        if self.stage == "drawn":
            return "turn"
        stuck = self.stage == "turn" and not self.found
        if stuck and "stuck_discard_one" in self.house:
            return "discard"
        return "redraw" if stuck and self._redraws() else self.stage

    def _in_between(self) -> int:
        if self.stage != "exchange":
            return 0
        return len(self.given) - len(self.arrived) + sum(card is not None for card in self.wishes.values())

    def _check_choices(self, game: Game, seat: int) -> None:
        legal = game.legal(seat)
        if self.stage in ("turn", "drawn"):
            self.found = naive.actions(self._position())
            if self.found:
                told = {self._told(game, seat, action) for action in legal}
                # Of a seven that very many pieces can share not all ways are listed.
                self._must(self.found & told if game.unlisted(seat) else self.found, told, "plays")
                return
        self._must(sorted(self._texts(seat)), sorted(map(str, legal)), "choices")

    def _told(self, game: Game, seat: int, action: Action) -> Found:
        """An action of the game in the form of the naive reading."""
        result = game.preview(seat, action)
        jump = None if result.jump is None else self._sides(result.jump)
        return Found(action.card or str(action), self._sides(result.placement), result.draws, jump)

    def _texts(self, seat: int) -> Iterable[str]:
        """What a seat may do apart from playing a card, as record texts."""
        cards = set(self.hands[seat])
        if self.stage == "exchange":
            if self._passes() != "request":
                return [f"give {card}" for card in cards]
            if seat in self.wishes:
                return [*(f"give {card}" for card in cards), "decline"]
            return [*(f"ask {card}" for card in cards), "none"]
        if self.stage == "place":
            return [f"place {rank}" for rank in "KNCJ"]
        if self.stage == "jump":
            return ["jump", "stay"]
        if self.stage == "turn" and not self._redraws() and "stuck_discard_one" not in self.house:
            return ["fold"]
        return [f"discard {card}" for card in cards]

    # -- after an action

    def note(self, before: Game, seat: int, action: Action, after: Game) -> None:
        """Follow an action that `before` allowed and that led to `after`."""
        getattr(self, f"_{action.kind}")(before, seat, action, after)

    def _give(self, before: Game, seat: int, action: Action, after: Game) -> None:
        self._take(seat, action.card)
        if self._passes() == "request":
            partner = self._partner(seat)
            wish = self.wishes[partner]
            self.hands[partner][action.card] += 1
            self.hands[seat][wish] += 1
            self.wishes[partner] = None
            self.answers |= {seat, partner}
            self._exchange_over()
            return
        self.given[seat] = action.card
        group = list(self.seats) if self._passes() == "next" else self.board.team(seat)
        if all(one in self.given for one in group):
            # All have chosen, so all may see: each card goes to the next of the group.
            for giver, taker in zip(group, group[1:] + group[:1], strict=True):
                self.hands[taker][self.given[giver]] += 1
                self._must(self.given[giver], after.view(taker).got, "card got")
            self.arrived |= set(group)
        if len(self.arrived) == len(self.seats):
            self._start()

    def _ask(self, before: Game, seat: int, action: Action, after: Game) -> None:
        self._take(seat, action.card)
        self._wish(seat, action.card)

    def _none(self, before: Game, seat: int, action: Action, after: Game) -> None:
        self._wish(seat, None)

    def _wish(self, seat: int, card: str | None) -> None:
        partner = self._partner(seat)
        self.wishes[seat] = card
        if partner in self.wishes:
            other = self.wishes[partner]
            if card is not None and other is not None:
                self.hands[seat][other] += 1
                self.hands[partner][card] += 1
                self.wishes[seat] = self.wishes[partner] = None
            if (card is None) == (other is None):
                self.answers |= {seat, partner}
            else:
                self.answers.add(seat if card is not None else partner)
        self._exchange_over()

    def _decline(self, before: Game, seat: int, action: Action, after: Game) -> None:
        partner = self._partner(seat)
        wish = self.wishes[partner]
        self.hands[partner][wish] += 1
        self.wishes[partner] = None
        self.answers.add(seat)
        self._exchange_over()

    def _exchange_over(self) -> None:
        if len(self.wishes) == len(self.answers) == len(self.seats):
            self._start()

    def _start(self) -> None:
        """The exchange is over: before the very first move of royal on to the placing, otherwise to the turns."""
        self.stage = "place" if self.board.ranked and self.round == 1 else "turn"

    def _place(self, before: Game, seat: int, action: Action, after: Game) -> None:
        texts = self.pieces[seat]
        texts[texts.index(f"{action.rank}-")] = f"{action.rank}{self.board.start(seat)}"
        self.turn = self._next(seat)
        if self.turn == self.starter:
            self.stage = "turn"

    def _play(self, before: Game, seat: int, action: Action, after: Game) -> None:
        told = self._told(before, seat, action)
        self._take(seat, action.card)
        if action.card != "=":
            self.last = action.named or action.card
        self.pieces = {side: list(texts) for side, texts in told.pieces}
        if self._done():
            self.stage = "end"
            return
        if action.victim is not None:
            self._must(self._victim(), {"victim": action.victim}, "whom it costs a card")
            self._robbed(before, action.victim, after)
            return
        if told.draws:
            self._draw(before, seat, after)
        if told.jump is not None:
            self.stage, self.jump = "jump", told.jump
            return
        self._turn_over(after)

    def _robbed(self, before: Game, victim: int, after: Game) -> None:
        """A 10 costs a card: by chance, and then the game says which one, or one of the victim's choice (cousins)."""
        if "complex" in self.house:
            self.stage, self.victim = "lose", victim
            return
        (lost,) = (event for event in after.history(after.number)[0].events if event.kind == "lost")
        self._must((victim, (self.turn,)), (lost.seat, lost.seats), "who lost a card to whom")
        self._take(victim, lost.card or "")
        self._turn_over(after)

    def _jump(self, before: Game, seat: int, action: Action, after: Game) -> None:
        self.pieces = {side: list(texts) for side, texts in self.jump}
        self._turn_over(after)

    def _stay(self, before: Game, seat: int, action: Action, after: Game) -> None:
        self._turn_over(after)

    def _fold(self, before: Game, seat: int, action: Action, after: Game) -> None:
        self.hands[seat] = Counter()
        self.out.add(seat)
        self._turn_over(after)

    def _discard(self, before: Game, seat: int, action: Action, after: Game) -> None:
        self._take(seat, action.card)
        if self.stage in ("discard", "lose") or "stuck_discard_one" in self.house:
            self._turn_over(after)
            return
        self._draw(before, seat, after)
        if naive.actions(self._position()):
            self.stage = "drawn"
        elif self.hands[seat].total():
            self.stage = "discard"
        else:
            self._turn_over(after)

    # -- small things

    def _draw(self, before: Game, seat: int, after: Game) -> None:
        """One card from the pile; the game says which one. No round may have begun since."""
        if after.round != self.round:
            raise Disagreement("a round ended although somebody has just drawn a card")
        drawn = Counter(after.view(seat).hand or ()) - self.hands[seat]
        self._must(1, drawn.total(), "cards drawn")
        self.hands[seat] += drawn

    def _turn_over(self, after: Game) -> None:
        """On to the next seat with cards, or to the next round."""
        self.stage = "turn"
        if not any(self._sizes().values()):
            self.round += 1
            self.starter = self._next(self.starter) if self._starts_changed() else self.starter
            self._deal(after)
            return
        self.turn = self._next(self.turn)
        while not self.hands[self.turn].total():
            self.turn = self._next(self.turn)

    def _next(self, seat: int) -> int:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def _take(self, seat: int, card: str) -> None:
        if not self.hands[seat][card]:
            raise Disagreement(f"seat {seat} does not hold {card}")
        self.hands[seat] = self.hands[seat] - Counter([card])

    def _shown_sizes(self) -> dict[int, int]:
        """The hand sizes that everybody sees: a call does not show until the partner has declared as well."""
        hidden = {seat for seat, wish in self.wishes.items() if wish and self._partner(seat) not in self.wishes}
        return {seat: size + (seat in hidden) for seat, size in self._sizes().items()}

    def _sizes(self) -> dict[int, int]:
        return {seat: hand.total() for seat, hand in self.hands.items()}

    def _done(self) -> set[int]:
        """Section 10: the seats that have won."""
        done = {seat for seat, texts in self.pieces.items() if all(text[-1] in LANE for text in texts)}
        return {seat for seat in done if set(self.board.team(seat)) <= done}

    def _sides(self, pieces: Mapping[int, Iterable[str]]) -> naive.Placement:
        return tuple((side, tuple(sorted(texts))) for side, texts in sorted(pieces.items()))

    def _must(self, wanted: object, told: object, what: str) -> None:
        if wanted != told:
            if isinstance(wanted, set) and isinstance(told, set):
                wanted, told = wanted - told, told - wanted
            raise Disagreement(f"{what}: the referee says {wanted}, the game {told}")


def choose(game: Game, seat: int, rng: random.Random) -> Action:
    """A choice that is random half of the time and otherwise brings pieces into lanes, so that games end."""
    legal = game.legal(seat)
    if legal[0].kind is ActionKind.PLAY and rng.random() < 0.5:
        return max(legal, key=lambda action: (_in_lanes(game, seat, action), rng.random()))
    return rng.choice(legal)


def _in_lanes(game: Game, seat: int, action: Action) -> int:
    placement = game.preview(seat, action).placement
    team = Board(game.system.id, game.players, house_of(game.options.to_json())).team(seat)
    texts = [text for side, pieces in placement.items() if side in team for text in pieces]
    return sum(3 if text[-1] in LANE else text[-1] != "-" for text in texts)


def follow(game: Game, rng: random.Random, most: int) -> Game:
    """Play on and watch, for at most this many actions; raises Disagreement with the whole log in its notes."""

    def some(game: Game) -> tuple[int, Action] | None:
        if not game.to_act:
            return None
        seat = rng.choice(game.to_act)
        return seat, choose(game, seat, rng)

    return _watched(game, some, most)


def replay(record: Record) -> Game:
    """Play a record and watch; raises Disagreement with the whole log in its notes."""
    rows = iter(record.log)

    def recorded(game: Game) -> tuple[int, Action] | None:
        seat, text = next(rows, (0, ""))
        return (seat, Action.parse(text)) if text else None

    return _watched(Game.new(record.system, record.players, record.seed, record.options), recorded, len(record.log) + 1)


def _watched(game: Game, following: Callable[[Game], tuple[int, Action] | None], most: int) -> Game:
    referee = Referee(game)
    try:
        for _ in range(most):
            referee.look(game)
            chosen = following(game)
            if chosen is None:
                return game
            seat, action = chosen
            after = game.play(seat, action)
            referee.note(game, seat, action, after)
            game = after
    except Disagreement as error:
        error.add_note(f"{game!r}, seed {game.seed.hex()}, log {list(game.log)}")
        raise
    return game
