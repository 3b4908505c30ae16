"""Lawful positions drawn at random from a seed, favouring those where several rules meet.

Pieces stand near lanes and starts, fresh or not, on inner paths and special spaces, close behind one another; lanes are
partly filled, seats help, and hands favour the cards with most to say. Positions come in the analysis form.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

from engine import SYSTEMS as ENGINE_SYSTEMS
from engine import Options, why_refused
from tests.reference.board import (
    COUNTS,
    LANE,
    PATH_LEAVES,
    PATH_REJOINS,
    PATH_SPACES,
    RANKS,
    SYSTEMS,
    Board,
    options_of,
    spot,
)

Position = dict[str, Any]
Kind = tuple[str, int, str]
"""A system, a number of players, and house rules in words."""

CONFIGURATIONS: tuple[tuple[str, int], ...] = tuple((system, count) for system in SYSTEMS for count in COUNTS[system])

CANADIAN = "canadian_seven"
_SWITCHES = tuple(name for name in Options.names() if name != "teams")
HOUSES: tuple[Kind, ...] = (
    *((system, count, CANADIAN) for system, count in CONFIGURATIONS if system in ("classic", "family", "dobney")),
    ("classic", 4, "own_safe no_joker_finish"),
    ("classic", 4, "teams=alone quick"),
    ("family", 4, "own_safe no_joker_finish stuck_discard_one"),
    ("family", 4, "teams=alone starter_stays"),
    ("dobney", 4, "teams=alone no_joker_finish"),
    ("dobney", 6, "teams=two own_safe"),
    ("dobney", 6, "teams=two canadian_seven"),
    ("royal-basic", 6, "teams=two no_exchange"),
    ("royal", 4, "own_safe stuck_discard_one"),
    ("royal", 6, "teams=two open_hands"),
    ("swiss", 6, "teams=two"),
    ("swiss", 8, "teams=two own_safe no_joker_finish"),
    ("swiss", 8, "teams=two canadian_seven"),
    ("keezen", 4, "canadian_seven four_forward"),
    ("keezen", 6, "starter_stays own_safe quick"),
    ("keezen", 8, "teams=two canadian_seven"),
    ("keezen", 8, "teams=alone"),
    ("tock", 4, "teams=alone stuck_discard_one"),
    ("tock", 6, "own_safe no_exchange four_forward"),
    ("tock", 8, "teams=two no_exchange"),
    ("tock", 8, "teams=alone own_safe"),
    ("jackaroo", 4, "complex"),
    ("jackaroo", 4, "complex own_safe open_hands"),
    ("jackaroo", 4, "complex pass_own four_forward quick"),
    ("jackaroo", 4, "canadian_seven pass_pairs"),
)
"""Kinds with house rules: each rule, and each kind of team, in some system that has it."""

KINDS: tuple[Kind, ...] = (*((system, players, "") for system, players in CONFIGURATIONS), *HOUSES)
"""Every system and player count, and again with house rules."""

_TELLING = {
    "classic": ("7", "X", "4", "J", "A", "K"),
    "family": ("7", "X", "4", "J", "J", "A", "K"),
    "dobney": ("7", "X", "4", "J", "J", "A", "K"),
    "royal-basic": ("=", "4", "10", "switch", "magnet", "1-7", "1/11", "13"),
    "royal": ("=", "4", "10", "switch", "magnet", "1-7", "1/11", "13", "5", "9"),
    "swiss": ("7", "X", "4", "J", "A", "K"),
    "keezen": ("7", "7", "4", "J", "A", "K"),
    "tock": ("7", "4", "J", "A", "K", "5", "10"),
    "jackaroo": ("7", "7", "4", "J", "A", "K", "5", "10", "Q"),
}
"""Cards with more to say than their number, listed as often as they should be favoured."""


class _Setting:
    """A board being filled: what stands where so far."""

    def __init__(self, rng: random.Random, system: str, players: int, house: str) -> None:
        self.rng = rng
        self.board = Board(system, players, house)
        self.used: set[str] = set()
        self.pieces: dict[int, list[str]] = {seat: [] for seat in self.board.seats}

    def put(self, side: int, text: str) -> bool:
        """Put a piece of a side there if the space is free and the side has a piece left."""
        if len(self.pieces[side]) == 4 or (text != "-" and spot(side, text) in self.used):
            return False
        if text != "-":
            self.used.add(spot(side, text))
        self.pieces[side].append(text)
        return True

    def lane(self, side: int, count: int) -> None:
        for slot in self.rng.sample(LANE, count):
            self.put(side, slot)

    def loop(self, side: int, count: int, near: int | None = None) -> None:
        """Put that many pieces on the track or an inner path, where something may happen."""
        for _ in range(count):
            while not self.put(side, self.loop_text(side, near)):
                pass

    def loop_text(self, side: int, near: int | None) -> str:
        rng, board = self.rng, self.board
        start = board.start(side)
        choice = rng.random()
        if near is not None and choice < 0.6:
            space = near + rng.randint(-9, 9)
        elif choice < 0.14:
            space = start
        elif choice < 0.45:
            space = start + rng.randint(-14, 5)
        elif choice < 0.55:
            space = board.start(rng.randrange(board.sides)) + rng.choice((-4, -1, 0, 0, 0, 1, 3))
        elif choice < 0.75 and self.spaces():
            space = rng.choice(self.spaces()) + rng.choice((-13, -12, -11, -7, -5, -4, -3, -2, -1, 1, 2, 3, 4))
        elif choice < 0.83 and board.specials:
            space = rng.choice(board.specials) + rng.choice((-13, -11, -10, -6, -5, -4, -3, -2, -1, 0, 0, 4))
        elif choice < 0.95 and board.inner_paths:
            return self.path_text()
        else:
            space = rng.randint(1, board.length)
        space = (space - 1) % board.length + 1
        fresh = space == start and board.marks_fresh and rng.random() < 0.6
        return f"{space}*" if fresh else str(space)

    def path_text(self) -> str:
        """A place on an inner path, or close to where one leaves or rejoins the track."""
        rng = self.rng
        name = rng.choice("PQ")
        choice = rng.random()
        if choice < 0.2:
            return str(PATH_LEAVES[name] + rng.randint(-7, 1))
        if choice < 0.3:
            return str(PATH_REJOINS[name] + rng.randint(-2, 4))
        return f"{name}{4 if choice < 0.5 else rng.randint(1, PATH_SPACES)}"

    def spaces(self) -> list[int]:
        return sorted(int(name) for name in self.used if name.isdigit())

    def fill_kennels(self) -> None:
        for texts in self.pieces.values():
            texts.extend("-" * (4 - len(texts)))

    def json_pieces(self) -> dict[str, list[str]]:
        """The placement in the analysis form, each side in random order, with ranks in `royal`."""
        pieces = {}
        for side, texts in self.pieces.items():
            shuffled = self.rng.sample(texts, 4)
            if self.board.ranked:
                shuffled = [rank + text for rank, text in zip(self.rng.sample(RANKS, 4), shuffled, strict=True)]
            pieces[str(side)] = shuffled
        return pieces


def _scattered(setting: _Setting, seat: int) -> None:
    """Every side somewhere in the middle of a game."""
    rng = setting.rng
    for side in setting.pieces:
        lane = rng.choice((0, 0, 0, 1, 1, 2, 3))
        setting.lane(side, lane)
        setting.loop(side, rng.randint(0, 4 - lane))


def _crowded(setting: _Setting, seat: int) -> None:
    """Most pieces within a few spaces of one another, so that there is much passing, taking and blocking."""
    rng, board = setting.rng, setting.board
    near = board.start(rng.choice(board.seats)) + rng.randint(-6, 6)
    for side in setting.pieces:
        lane = rng.choice((0, 0, 1, 2))
        setting.lane(side, lane)
        setting.loop(side, rng.randint(1, min(3, 4 - lane)), near)


def _opening(setting: _Setting, seat: int) -> None:
    """Kennels nearly full, and pieces on many of the starts."""
    rng = setting.rng
    for side in setting.pieces:
        if rng.random() < 0.7:
            start = setting.board.start(side)
            setting.put(side, str(start) if not setting.board.marks_fresh or rng.random() < 0.25 else f"{start}*")
        if rng.random() < 0.4:
            setting.loop(side, 1)


def _ending(setting: _Setting, seat: int) -> None:
    """The seat's last piece is on its way, and its partner's is not far behind."""
    rng, board = setting.rng, setting.board
    partners = board.partners(seat)
    for side in setting.pieces:
        if side == seat:
            setting.lane(side, 3)
            _approach(setting, side)
        elif side in partners:
            setting.lane(side, rng.choice((1, 2, 3, 3, 3)))
            while len(setting.pieces[side]) < 4 and rng.random() < 0.8:
                _approach(setting, side)
        else:
            setting.lane(side, rng.choice((0, 2, 3)))
            setting.loop(side, rng.choice((0, 1)))


def _approach(setting: _Setting, side: int) -> None:
    """Put one piece of a side within a seven of its lane."""
    board = setting.board
    while True:
        space = (board.branch(side) - setting.rng.randint(-3, 6) - 1) % board.length + 1
        fresh = space == board.start(side) and board.marks_fresh and setting.rng.random() < 0.4
        if setting.put(side, f"{space}*" if fresh else str(space)):
            return


def _last_steps(setting: _Setting, seat: int) -> None:
    """The team's last pieces within one seven of the slots waiting for them; in games without teams the seat's."""
    rng, board = setting.rng, setting.board
    partners = board.partners(seat)
    helping = bool(partners) and rng.random() < 0.4
    for side in setting.pieces:
        if side == seat and helping:
            setting.lane(side, 4)
        elif side in (seat, *partners):
            free = rng.randrange(4)
            for slot in LANE[:free] + LANE[free + 1 :]:
                setting.put(side, slot)
            steps = rng.randint(free + 1, free + 4)
            space = (board.branch(side) - (steps - free - 1) - 1) % board.length + 1
            setting.put(side, str(space))
        else:
            setting.lane(side, rng.choice((0, 2, 3)))
            setting.loop(side, rng.choice((0, 0, 1)))


def _gates(setting: _Setting, seat: int) -> None:
    """Starts held by their own pieces, fresh or not, and others waiting to get by in either direction."""
    rng, board = setting.rng, setting.board
    for side in setting.pieces:
        if rng.random() < 0.7:
            fresh = board.marks_fresh and rng.random() < 0.5
            setting.put(side, f"{board.start(side)}*" if fresh else str(board.start(side)))
        if rng.random() < 0.4:
            setting.lane(side, 1)
    for side in setting.pieces:
        for _ in range(rng.randint(0, min(2, 4 - len(setting.pieces[side])))):
            near = board.start(rng.choice((side, *board.seats)))
            space = (near + rng.choice((-9, -6, -5, -4, -3, -2, -1, 1, 2, 3)) - 1) % board.length + 1
            setting.put(side, str(space))


def _visitors(setting: _Setting, seat: int) -> None:
    """A stranger stands on the start of the seat on turn, whose own pieces come out or come home to it."""
    rng, board = setting.rng, setting.board
    start = board.start(seat)
    setting.put(rng.choice([side for side in board.seats if side != seat]), str(start))
    for _ in range(rng.randint(1, 3)):
        setting.put(seat, str((start + rng.choice((-13, -11, -10, -9, -6, -5, -4, -3, -2, 4)) - 1) % board.length + 1))
    for side in setting.pieces:
        if rng.random() < 0.4 and len(setting.pieces[side]) < 4:
            setting.loop(side, 1)


def _helping(setting: _Setting, seat: int) -> None:
    """The seat has all four in and moves its partner's pieces."""
    rng = setting.rng
    partners = setting.board.partners(seat)
    if not partners:
        _ending(setting, seat)
        return
    setting.lane(seat, 4)
    for side in setting.pieces:
        if side in partners and rng.random() < 0.5:
            setting.lane(side, 3)
            _approach(setting, side)
        elif side != seat:
            lane = rng.randint(0, 2)
            setting.lane(side, lane)
            setting.loop(side, rng.randint(0, 4 - lane))


def _alone(setting: _Setting, seat: int) -> None:
    """Nobody has a piece on the loop but the seat, or one more."""
    rng, board = setting.rng, setting.board
    partners = board.partners(seat)
    helping = bool(partners) and rng.random() < 0.3
    for side in setting.pieces:
        if side == seat and helping:
            setting.lane(side, 4)
        elif side in (partners if helping else [seat]):
            lane = rng.randint(0, 3)
            setting.lane(side, lane)
            setting.loop(side, rng.randint(1, 4 - lane))
        else:
            setting.lane(side, rng.choice((0, 0, 2)))
    if rng.random() < 0.4:
        side = rng.choice(board.seats)
        if len(setting.pieces[side]) < 4:
            setting.loop(side, 1)


_PROFILES: tuple[tuple[Callable[[_Setting, int], None], int], ...] = (
    (_scattered, 5),
    (_crowded, 5),
    (_opening, 2),
    (_ending, 4),
    (_last_steps, 2),
    (_gates, 2),
    (_visitors, 2),
    (_helping, 3),
    (_alone, 2),
)


def _hand(rng: random.Random, board: Board, size: int) -> list[str]:
    """A hand of that many cards, no more than two of a kind, favouring those with most to say."""
    hand: list[str] = []
    while len(hand) < size:
        card = rng.choice(_TELLING[board.system] if rng.random() < 0.5 else board.cards)
        if hand.count(card) < 2:
            hand.append(card)
    return hand


def _over(setting: _Setting) -> bool:
    done = {side for side, texts in setting.pieces.items() if all(text in LANE for text in texts)}
    return any(set(setting.board.team(seat)) <= done for seat in done)


def lawful(rng: random.Random, system: str, players: int, house: str = "") -> Position:
    """One lawful position in the analysis form; the game in it is not over."""
    while True:
        setting = _Setting(rng, system, players, house)
        seat = rng.choice(setting.board.seats)
        rng.choices([profile for profile, _ in _PROFILES], [weight for _, weight in _PROFILES])[0](setting, seat)
        setting.fill_kennels()
        if not _over(setting):
            break
    board = setting.board
    position: Position = {
        "rules": system,
        "players": players,
        "pieces": setting.json_pieces(),
        "seat": seat,
        "hand": _hand(rng, board, rng.choice((1, 1, 2, 3, 4, 5, 6))),
        "last": rng.choice([c for c in board.cards if c != "="]) if board.royal and rng.random() < 0.85 else None,
        "options": options_of(house),
    }
    if board.robs and rng.random() < 0.8:
        position["victim"] = rng.choice([other for other in board.seats if other not in board.team(seat)])
    return position


def team_on_loop(position: Position) -> int:
    """How many loop pieces the seat's team has; the cost of a canadian seven grows with this."""
    team = Board.of(position).team(position["seat"])
    texts = [text for side in team for text in position["pieces"][str(side)]]
    return sum(text not in ("-", *LANE) for text in texts)


def name(system: str, players: int, house: str) -> str:
    return " ".join(filter(None, (system, str(players), house)))


def random_houses(rng: random.Random) -> list[Kind]:
    """For each system and number of players, some of the house rules that it has (this much the engine says)."""
    found = []
    for system, players in CONFIGURATIONS:
        words = [word for word in (*_SWITCHES, "teams=alone", "teams=two") if rng.random() < 0.3]
        while True:
            refused = why_refused(ENGINE_SYSTEMS[system], players, Options.from_words(" ".join(words)))
            if refused is None:
                break
            words = [word for word in words if not word.startswith(refused[0])]
        found.append((system, players, " ".join(words)))
    return found


def stream(seed: int, system: str, players: int, house: str = "", most: int = 8) -> Iterator[Position]:
    """An endless stream of positions from a seed; canadian ones with at most this many loop pieces of the team."""
    rng = random.Random(f"{seed} {system} {players} {house}")
    while True:
        position = lawful(rng, system, players, house)
        if CANADIAN not in house or team_on_loop(position) <= most:
            yield position
