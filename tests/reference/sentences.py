"""Positions worked out by hand from single sentences of the rules, with every action that one card has there.

Pieces are written `0: 12 20* - - | 2: 40`; those left out wait in the kennel. An action is what it changes: `12>19
1.15>-` (own side unless stated), with `draw` and `jump C11>C27` behind it where a special space gives them.
"""

from typing import Any, NamedTuple

from tests.reference.board import RANKS, Board, options_of
from tests.reference.naive import Found, Placement


class Case(NamedTuple):
    """One sentence: where it stands in the rules, what it says, and a position that shows it."""

    section: str
    says: str
    system: str
    players: int
    pieces: str
    card: str
    wanted: tuple[str, ...]
    hand: str = ""
    seat: int = 0
    last: str | None = None
    house: str = ""
    victim: int | None = None

    def position(self) -> dict[str, Any]:
        return {
            "rules": self.system,
            "players": self.players,
            "pieces": {str(side): texts for side, texts in _pieces(self).items()},
            "seat": self.seat,
            "hand": self.hand.split() or [self.card],
            "last": self.last,
            "options": options_of(self.house),
        } | ({} if self.victim is None else {"victim": self.victim})

    def found(self) -> set[Found]:
        return {_found(self, change) for change in self.wanted}


def _pieces(case: Case) -> dict[int, list[str]]:
    pieces = {}
    written = dict(part.split(":") for part in case.pieces.split("|") if part.strip())
    given = {int(side): texts.split() for side, texts in written.items()}
    for side in Board(case.system, case.players, case.house).seats:
        texts = given.get(side, [])
        if case.system == "royal":
            ranks = {text[0] for text in texts}
            texts = texts + [f"{rank}-" for rank in RANKS if rank not in ranks]
        pieces[side] = texts + ["-"] * (4 - len(texts))
    return pieces


def _found(case: Case, change: str) -> Found:
    moves, _, jump = change.partition(" jump ")
    draws = moves.endswith("draw")
    pieces = _pieces(case)
    _apply(pieces, moves.removesuffix("draw"), _mover(case))
    after = _value(pieces)
    if not jump:
        return Found(case.card, after, int(draws), None)
    _apply(pieces, jump, _mover(case))
    return Found(case.card, after, int(draws), _value(pieces))


def _mover(case: Case) -> int:
    """Whose pieces are meant if a change names no side."""
    return case.seat


def _apply(pieces: dict[int, list[str]], change: str, mover: int) -> None:
    """Carry out the moves of a change, one after the other."""
    for move in change.split():
        origin, target = move.rsplit(">", 1)
        head, dot, rest = origin.partition(".")
        side, origin = (int(head), rest) if dot else (mover, origin)
        pieces[side][pieces[side].index(origin)] = target


def _value(pieces: dict[int, list[str]]) -> Placement:
    return tuple((side, tuple(sorted(texts))) for side, texts in sorted(pieces.items()))


def shares(first: int, second: int, side: str = "") -> tuple[str, ...]:
    """A seven shared by two pieces that do not meet, in every way."""
    return tuple(f"{first}>{first + points} {side}{second}>{second + 7 - points}" for points in range(8))


CASES: tuple[Case, ...] = (
    # ------------------------------------------------------------------------------------------------ the board
    Case("2", "the track closes", "classic", 4, "1: 60", "6", ("60>2",), seat=1),
    Case("2", "family's track has 60 spaces", "family", 4, "1: 58", "6", ("58>4",), seat=1),
    Case("2", "six sides have 96 spaces", "royal-basic", 6, "1: 94", "6", ("94>4",), seat=1),
    Case("2", "two players sit at 0 and 2", "royal-basic", 2, "2: 30", "5", ("30>35", "30>b"), seat=2),
    Case("2", "from before a path: in or on", "dobney", 6, "0: 20", "5", ("20>25", "20>P2")),
    Case("2", "from where the path leaves: in or on", "dobney", 6, "0: 23", "3", ("23>26", "23>P3")),
    Case("2", "path Q leaves at 71", "dobney", 6, "0: 70", "3", ("70>73", "70>Q2")),
    Case("2", "path P rejoins at 75", "dobney", 6, "0: P6", "3", ("P6>76",)),
    Case("2", "path Q rejoins at 27", "dobney", 6, "0: Q7", "2", ("Q7>28",)),
    Case("2", "no backward from a path", "dobney", 6, "0: P2", "4", ("P2>P6",)),
    Case("2", "no backward into a path", "dobney", 6, "0: 76", "4", ("76>80", "76>72")),
    Case("2", "the crossing is one space: taking", "dobney", 6, "0: P2|1: Q4", "2", ("P2>P4 1.Q4>-",)),
    Case("2", "the crossing is one space: passing", "dobney", 6, "0: P2|1: Q4", "3", ("P2>P5",)),
    Case("2", "the crossing is one space: burning", "dobney", 6, "0: P2|1: Q4", "7", ("P2>76 1.Q4>-",)),
    Case("2", "a J onto the crossing takes the path too", "dobney", 6, "0: 40|1: Q4", "J", ("40>Q4 1.Q4>40",)),
    Case("2", "four players have no paths", "dobney", 4, "0: 20", "5", ("20>25",)),
    # ------------------------------------------------------------------------------------------------ moving
    Case("4.2", "in a lane forward only, never beyond d", "classic", 4, "0: b", "3", ()),
    Case("4.2", "in a lane forward only, slot by slot", "classic", 4, "0: b", "2", ("b>d",)),
    Case("4.3", "four back from a track space", "classic", 4, "1: 3", "4", ("3>7", "3>63"), seat=1),
    Case("4.3", "never four back in a lane", "classic", 4, "0: d", "4", ()),
    Case("4.3", "a fresh piece may go back, and is fresh no more", "classic", 4, "0: 1*", "4", ("1*>5", "1*>61")),
    Case("4.4", "one's own piece is taken too", "classic", 4, "0: 20 28", "8", ("20>28 28>-", "28>36")),
    Case("4.4", "the partner's piece is taken too", "classic", 4, "0: 20|2: 28", "8", ("20>28 2.28>-",)),
    Case("4.4", "who is protected is not taken", "classic", 4, "0: 12|1: 17", "5", ()),
    Case("4.4", "on another's start nobody is protected", "classic", 4, "0: 12|2: 17", "5", ("12>17 2.17>-",)),
    Case("4.5", "classic: always blocking on the own start", "classic", 4, "0: 12|1: 17", "6", ()),
    Case("4.5", "royal: always blocking on the own start", "royal-basic", 4, "0: 12|1: 17", "6", ()),
    Case("4.5", "dobney: blocking while fresh", "dobney", 4, "0: 12|1: 17*", "6", ()),
    Case("4.5", "dobney: not fresh, not blocking", "dobney", 4, "0: 12|1: 17", "6", ("12>18",)),
    Case("4.5", "family: not fresh, not protected", "family", 4, "0: 12|1: 16", "4", ("12>16 1.16>-", "12>8")),
    Case("4.5", "family: blocking while fresh", "family", 4, "0: 12|1: 16*", "5", ()),
    Case("4.5", "blocking backward too", "classic", 4, "0: 18|1: 17*", "4", ("18>22",)),
    Case("4.5", "blocking one's own pieces too", "classic", 4, "0: 63 1*", "5", ("1*>6",)),
    Case("4.5", "nobody passes in a lane", "classic", 4, "0: a b", "2", ("b>d",)),
    Case("4.5", "nobody lands on a piece in a lane", "classic", 4, "0: a c", "2", ()),
    Case("4.6", "out of the kennel, 1 or 11", "classic", 4, "0: 20", "A", ("->1*", "20>21", "20>31")),
    Case("4.6", "out of the kennel or 13", "family", 4, "0: 20", "K", ("->1*", "20>33")),
    Case("4.6", "coming out takes who stands there", "classic", 4, "2: 1", "K", ("->1* 2.1>-",)),
    Case("4.6", "classic: not one's own piece", "classic", 4, "0: 1", "K", ("1>14",)),
    Case("4.6", "dobney: one's own, no longer fresh", "dobney", 4, "0: 1", "K", ("1>14", "1>1*")),
    Case("4.6", "family: one's own, no longer fresh", "family", 4, "0: 1", "K", ("1>14", "1>1*")),
    Case("4.6", "dobney: not one's own fresh piece", "dobney", 4, "0: 1*", "K", ("1*>14",)),
    Case("4.6", "in royal nobody is fresh", "royal-basic", 4, "", "13", ("->1",)),
    # ------------------------------------------------------------------------------------------------ the lane
    Case("5", "past the own start: in or on", "classic", 4, "0: 62", "5", ("62>3", "62>b")),
    Case("5", "classic: standing there, not fresh", "classic", 4, "0: 1", "3", ("1>4", "1>c")),
    Case("5", "classic: not fresh from the start", "classic", 4, "0: 1*", "3", ("1*>4",)),
    Case("5", "dobney: standing there, not fresh", "dobney", 4, "0: 1", "3", ("1>4", "1>c")),
    Case("5", "dobney: not fresh from the start", "dobney", 4, "0: 1*", "3", ("1*>4",)),
    Case("5", "royal: never from the start", "royal-basic", 4, "0: 1", "3", ("1>4",)),
    Case("5", "family: from the space before the start", "family", 4, "0: 60", "3", ("60>3", "60>c")),
    Case("5", "family: not from the start itself", "family", 4, "0: 1", "3", ("1>4",)),
    Case("5", "family: past the space before the start", "family", 4, "0: 58", "5", ("58>3", "58>c")),
    Case("5", "own piece on the start stops the entry", "classic", 4, "0: 62 1", "5", ("1>6",)),
    Case("5", "royal: own piece on the start stops it", "royal-basic", 4, "0: 62 1", "5", ("1>6",)),
    Case("5", "dobney: a fresh one stops the entry", "dobney", 4, "0: 62 1*", "5", ("1*>6",)),
    Case("5", "dobney: not one no longer fresh", "dobney", 4, "0: 62 1", "5", ("62>3", "62>b", "1>6")),
    Case("5", "family: the fresh piece lies behind the branch", "family", 4, "0: 58 1*", "5", ("58>c", "1*>6")),
    Case("5", "a stranger on the branching space is passed", "classic", 4, "0: 62|2: 1", "5", ("62>3", "62>b")),
    Case("5", "classic: never backward", "classic", 4, "0: 3", "4", ("3>7", "3>63")),
    Case("5", "family: backward from start+1 to b", "family", 4, "0: 2", "4", ("2>6", "2>58", "2>b")),
    Case("5", "family: backward from start+2 to a", "family", 4, "0: 3", "4", ("3>7", "3>59", "3>a")),
    Case("5", "family: never from the own start itself", "family", 4, "0: 1", "4", ("1>5", "1>57")),
    Case("5", "family: from start+3 on the branch", "family", 4, "0: 4", "4", ("4>8", "4>60")),
    Case("5", "family: from the branch forward only", "family", 4, "0: 60 a", "4", ("60>4", "60>56")),
    Case("5", "family: a fresh piece blocks it", "family", 4, "0: 2 1*", "4", ("2>6", "1*>5", "1*>57")),
    Case(
        "5", "family: one no longer fresh does not", "family", 4, "0: 2 1", "4", ("2>6", "2>58", "2>b", "1>5", "1>57")
    ),
    Case("5", "family: nor past a piece in the lane", "family", 4, "0: 2 a", "4", ("2>6", "2>58")),
    Case("5", "dobney: backward from start+3 to a", "dobney", 4, "0: 4", "4", ("4>8", "4>64", "4>a")),
    Case("5", "dobney: backward from start+2 to b", "dobney", 4, "0: 3", "4", ("3>7", "3>63", "3>b")),
    Case("5", "dobney: backward from start+1 to c", "dobney", 4, "0: 2", "4", ("2>6", "2>62", "2>c")),
    Case("5", "dobney: from the start itself to d", "dobney", 4, "0: 1", "4", ("1>5", "1>61", "1>d")),
    Case("5", "dobney: not fresh from the start", "dobney", 4, "0: 1*", "4", ("1*>5", "1*>61")),
    Case("5", "dobney: a fresh piece blocks it", "dobney", 4, "0: 3 1*", "4", ("3>7", "1*>5", "1*>61")),
    # ------------------------------------------------------------------------------------------------ the seven
    Case("6", "shared in any order", "classic", 4, "0: 20 40", "7", shares(20, 40)),
    Case("6", "passed pieces go home", "classic", 4, "0: 20|1: 22|2: 25", "7", ("20>27 1.22>- 2.25>-",)),
    Case("6", "blocking pieces are not passed", "classic", 4, "0: 12|1: 17", "7", ()),
    Case("6", "dobney: ending on a piece takes it", "dobney", 4, "0: 20|1: 27", "7", ("20>27 1.27>-",)),
    Case("6", "family: a part ends on a free space", "family", 4, "0: 20|1: 27", "7", ()),
    Case("6", "family: also on the own start", "family", 4, "0: 54|1: 1", "7", ("54>a",)),
    Case(
        *("6", "a burned piece takes no points", "classic", 4, "0: 20 22", "7"),
        (
            *("22>29", "20>27 22>-", "20>21 22>28", "20>22 22>27", "20>23 22>26", "20>24 22>25"),
            *("20>25 22>-", "20>26 22>-"),
        ),
    ),
    Case(
        *("6", "a start left by an earlier part is open", "classic", 4, "0: 62 1*", "7"),
        (
            *("1*>8", "62>63 1*>7", "62>64 1*>6", "62>1 1*>5", "62>2 1*>4", "62>a 1*>4"),
            *("62>3 1*>-", "62>b 1*>3", "62>4 1*>-", "62>c 1*>2"),
        ),
    ),
    Case(
        *("6", "classic: a start reached by an earlier part is shut", "classic", 4, "0: 63 61", "7"),
        (
            *("63>6", "61>4 63>-", "61>c 63>-", "61>3 63>-", "61>b 63>-", "63>2 61>1", "63>a 61>1"),
            *("63>3 61>64", "63>b 61>64", "63>4 61>63", "63>c 61>63", "63>5 61>62", "63>d 61>62"),
        ),
    ),
    Case(
        *("6", "dobney: there it can be burned", "dobney", 4, "0: 63 61", "7"),
        (
            *("63>6", "61>4 63>-", "61>c 63>-", "61>3 63>-", "61>b 63>-", "63>2 61>1", "63>a 61>1"),
            *("63>3 61>64", "63>b 61>64", "63>4 61>63", "63>c 61>63", "63>5 61>62", "63>d 61>62"),
            *("61>2 63>-", "61>a 63>-"),
        ),
    ),
    Case(
        *("6", "classic: the rest to exactly one piece of the partner", "classic", 4, "0: 63 b c d|2: 20 40", "7"),
        ("63>6", "63>a 2.20>24", "63>a 2.40>44"),
    ),
    Case(
        *("6", "family: the rest to exactly one piece of the partner", "family", 4, "0: 58 b c d|2: 20 40", "7"),
        ("58>5", "58>a 2.20>24", "58>a 2.40>44"),
    ),
    Case(
        *("6", "dobney: the rest shared among the partner's pieces", "dobney", 4, "0: 63 b c d|2: 20 40", "7"),
        ("63>6", *(f"63>a 2.20>{20 + points} 2.40>{44 - points}" for points in range(5))),
    ),
    Case("6", "no partner's piece, no spill", "classic", 4, "0: 63 b c d", "7", ("63>6",)),
    Case(
        *("6", "spilled points move in the partner's lane", "classic", 4, "0: 61 b c d|2: a", "7"),
        ("61>4", "61>a 2.a>c"),
    ),
    Case(
        *("6", "spilled points burn", "classic", 4, "0: 63 b c d|2: 20|1: 22", "7"),
        ("63>6", "63>a 2.20>24 1.22>-"),
    ),
    Case("6", "a helper spills to nobody", "classic", 4, "0: a b c d|2: 31 b c d", "7", ("2.31>38",)),
    Case(
        "6", "family: the eighth piece's rest lapses", "family", 4, "0: a b c d|2: 28 b c d", "7", ("2.28>35", "2.28>a")
    ),
    Case(
        *("6", "family: it lapses in a spill", "family", 4, "0: 58 b c d|2: 28 b c d", "7"),
        ("58>5", "58>a 2.28>a", "58>a 2.28>32"),
    ),
    Case(
        *("6", "dobney: it does not lapse", "dobney", 4, "0: 63 b c d|2: 31 b c d", "7"),
        ("63>6", "63>a 2.31>35"),
    ),
    Case(
        "6", "family: it lapses for the seat's own last", "family", 4, "0: 58 b c d|2: a b c d", "7", ("58>5", "58>a")
    ),
    Case(
        *("13", "canadian: shared with the partner", "classic", 4, "0: 20|2: 40", "7", shares(20, 40, "2.")),
        house="canadian_seven",
    ),
    Case("13", "canadian: own ones or none", "family", 4, "2: 40", "7", ("2.40>47",), house="canadian_seven"),
    Case(
        *("13", "canadian: it lapses too", "family", 4, "0: a b c d|2: 28 b c d", "7", ("2.28>35", "2.28>a")),
        house="canadian_seven",
    ),
    # ------------------------------------------------------------------------------------------------ swapping
    Case("7", "with any other seat", "classic", 4, "0: 20|1: 30|2: 40", "J", ("20>30 1.30>20", "20>40 2.40>20")),
    Case("7", "never two of one's own", "classic", 4, "0: 20 30", "J", ()),
    Case("7", "not a fresh one", "classic", 4, "0: 20|1: 17*", "J", ()),
    Case("7", "not one's own fresh one", "classic", 4, "0: 1*|1: 30", "J", ()),
    Case("7", "classic: on the own start, not fresh", "classic", 4, "0: 20|1: 17", "J", ("20>17 1.17>20",)),
    Case("7", "royal: not on the own start", "royal-basic", 4, "0: 20|1: 17", "switch", ()),
    Case("7", "put on the own start, not fresh", "classic", 4, "0: 20|1: 1", "J", ("20>1 1.1>20",)),
    Case("7", "dobney: an opponent", "dobney", 4, "0: 20|1: 30|2: 40", "J", ("20>30 1.30>20",)),
    Case("7", "dobney: the partner if no opponent can be", "dobney", 4, "0: 20|1: 17*|2: 40", "J", ("20>40 2.40>20",)),
    Case("7", "dobney: six players, four opponents", "dobney", 6, "0: 20|1: 30|3: 40", "J", ("20>30 1.30>20",)),
    Case("7", "family: without effect", "family", 4, "0: 20 30", "J", ("",)),
    Case("7", "family: without effect though others move", "family", 4, "0: 20", "J", ("",), hand="J 2"),
    Case("7", "family: not with a stranger about", "family", 4, "0: 20|2: 31*", "J", ()),
    Case("7", "family: not with nobody about", "family", 4, "", "J", ()),
    Case("7", "dobney: without effect if nothing else goes", "dobney", 4, "0: 20", "J", ("",)),
    Case("7", "dobney: not if something else goes", "dobney", 4, "0: 20", "J", (), hand="J 2"),
    Case("7", "dobney: nothing else goes", "dobney", 4, "0: d 1*", "J", ("",), hand="J J"),
    Case("7", "classic: never without effect", "classic", 4, "0: 20", "J", ()),
    Case("7", "a helper swaps the partner's pieces", "classic", 4, "0: a b c d|2: 20|1: 30", "J", ("2.20>30 1.30>20",)),
    Case("7", "a helper's J without effect", "dobney", 4, "0: a b c d|2: 20", "J", ("",)),
    # ------------------------------------------------------------------------------------------------ the magnet
    Case("8", "behind the next piece, whoever's", "royal-basic", 4, "0: 12|1: 30", "magnet", ("12>29",)),
    Case("8", "behind one's own, and round the track", "royal-basic", 4, "0: 12 20", "magnet", ("12>19", "20>11")),
    Case("8", "at least one space", "royal-basic", 4, "0: 12 13", "magnet", ("13>11",)),
    Case("8", "nobody there", "royal-basic", 4, "0: 12", "magnet", ()),
    Case("8", "it stays on the track", "royal-basic", 4, "0: 62|1: 5", "magnet", ("62>4",)),
    Case("8", "not out of a lane", "royal-basic", 4, "0: a|1: 5", "magnet", ()),
    # ------------------------------------------------------------------------------------------------ helping
    Case("10", "out of the partner's kennel", "classic", 4, "0: a b c d", "K", ("2.->33*",)),
    Case("10", "into the partner's lane", "family", 4, "0: a b c d|2: 30", "3", ("2.30>33", "2.30>c")),
    Case("10", "three steps round a table of six", "dobney", 6, "1: a b c d", "K", ("4.->65*",), seat=1),
    Case("10", "over at once", "classic", 4, "0: a b c d|2: a b c d|1: 20", "5", (), seat=1),
    Case("10", "over for the winner too", "family", 4, "0: a b c d|2: a b c d|1: 20", "J", ()),
    Case("10", "alone, four are enough", "royal-basic", 3, "0: a b c d|1: 20", "5", (), seat=1),
    Case("10", "the partner's freshness", "dobney", 4, "0: a b c d|2: 33*", "3", ("2.33*>36",)),
    # ------------------------------------------------------------------------------------------------ royal cards
    Case("3.2", "1-7 moves one piece", "royal-basic", 4, "0: 20", "1-7", tuple(f"20>{20 + n}" for n in range(1, 8))),
    Case("3.2", "1-7 takes nobody it passes", "royal-basic", 4, "0: d|1: 22", "1-7", ()),
    Case("3.2", "1-7 in the lane", "royal-basic", 4, "0: b", "1-7", ("b>c", "b>d")),
    Case("3.2", "1/11", "royal-basic", 4, "0: 20", "1/11", ("->1", "20>21", "20>31")),
    Case("3.2", "a copy, any way the card allows", "royal-basic", 4, "0: 20", "=", ("->1", "20>33"), last="13"),
    Case("3.2", "no copy of nothing", "royal-basic", 4, "0: 20", "=", ()),
    Case("3.2", "royal-basic has no special spaces", "royal-basic", 4, "0: 6", "5", ("6>11",)),
    # ------------------------------------------------------------------------------------------------ ranks
    Case("12", "nobody passes a higher rank", "royal", 4, "0: J20|1: C22", "5", ()),
    Case("12", "the same rank is passed", "royal", 4, "0: J20|1: J22", "5", ("J20>J25",)),
    Case("12", "green passes anybody", "royal", 4, "0: J20|1: K22", "10", ("J20>J30",)),
    Case("12", "green 4 back passes anybody", "royal", 4, "0: J20|1: K18", "4", ("J20>J24", "J20>J16")),
    Case("12", "green 4 forward passes anybody", "royal", 4, "0: J20|1: K22", "4", ("J20>J24", "J20>J16")),
    Case("12", "any rank takes any but a king", "royal", 4, "0: J20|1: N25", "5", ("J20>J25 1.N25>N-",)),
    Case("12", "a start blocks green too", "royal", 4, "0: K14 J15|1: J17", "4", ("K14>K10", "J15>J11 draw")),
    Case("12", "a king is not taken", "royal", 4, "0: N20|1: K25", "5", ()),
    Case("12", "but by a king", "royal", 4, "0: K20|1: K25", "5", ("K20>K25 1.K25>K-",)),
    Case("12", "even the partner's", "royal", 4, "0: K20|2: K25", "5", ("K20>K25 2.K25>K-",)),
    Case("12", "the king has 1 to 7", "royal", 4, "0: K20", "8", ()),
    Case("12", "not 9", "royal", 4, "0: K20", "9", ()),
    Case("12", "not 10", "royal", 4, "0: K20", "10", ()),
    Case("12", "not 12", "royal", 4, "0: K20", "12", ()),
    Case("12", "not 13, but out", "royal", 4, "0: K20", "13", ("N->N1", "C->C1", "J->J1")),
    Case("12", "1 of 1/11", "royal", 4, "0: K20", "1/11", ("K20>K21", "N->N1", "C->C1", "J->J1")),
    Case("12", "his copy counts as the card", "royal", 4, "0: K20", "=", (), last="8"),
    Case("12", "swapping is free to him", "royal", 4, "0: K20|1: J30", "switch", ("K20>K30 1.J30>J20",)),
    Case("12", "the magnet is free to him", "royal", 4, "0: K20|1: J40", "magnet", ("K20>K39",)),
    Case("12", "the knight passes a start", "royal", 4, "0: N12|1: C17", "6", ("N12>N18",)),
    Case("12", "never ends there", "royal", 4, "0: N12|1: C17", "5", ()),
    Case("12", "by rank", "royal", 4, "0: N12|1: K17", "6", ()),
    Case("12", "or with green", "royal", 4, "0: N12|1: K17", "10", ("N12>N22",)),
    Case("12", "and backward", "royal", 4, "0: N18|1: K17", "4", ("N18>N22", "N18>N14")),
    Case("12", "into the lane past the own start", "royal", 4, "0: N62 C1", "5", ("N62>N3", "N62>Nb", "C1>C6")),
    Case("12", "not past the king with blue", "royal", 4, "0: N62 K1", "5", ("K1>K6",)),
    Case("12", "the others do not", "royal", 4, "0: K62 C1", "5", ("C1>C6",)),
    Case("12", "the jester may leave two", "royal", 4, "0: J62", "6", ("J62>J4", "J62>Jc", "J62>Jb", "J62>Ja")),
    Case("12", "one or two of an 8", "royal", 4, "0: J62", "8", ("J62>J6", "J62>Jd", "J62>Jc")),
    Case("12", "not three", "royal", 4, "0: J62", "10", ("J62>J8",)),
    Case("12", "not inside the lane", "royal", 4, "0: Ja", "4", ()),
    Case("12", "not from the start", "royal", 4, "0: J1", "5", ("J1>J6",)),
    Case("12", "nobody but the jester", "royal", 4, "0: N62", "8", ("N62>N6",)),
    Case("12", "also as the team's last", "royal", 4, "0: Ka Nb Cc Jd|2: K31 Nb Cc Jd", "6", ("2.K31>K37",)),
    Case("12", "last jester in", "royal", 4, "0: Ka Nb Cc Jd|2: J31 Nb Cc Kd", "5", ("2.J31>J36", "2.J31>Ja")),
    Case("12", "a king on one's start is taken", "royal", 4, "0: J60|1: K1", "5", ("J60>J1 1.K1>K-",)),
    Case("12", "also going back", "royal", 4, "0: J5|1: K1", "4", ("J5>J9", "J5>J1 1.K1>K-")),
    Case(
        *("12", "and by who comes out", "royal", 4, "1: K1", "13"),
        tuple(f"{rank}->{rank}1 1.K1>K-" for rank in "KNCJ"),
    ),
    Case("12", "a special space gives a card", "royal", 4, "0: N6", "5", ("N6>N11 draw",)),
    Case("12", "going back too", "royal", 4, "0: N15", "4", ("N15>N19", "N15>N11 draw")),
    Case("12", "with a magnet too", "royal", 4, "0: N5|1: J12", "magnet", ("N5>N11 draw",)),
    Case("12", "copied too", "royal", 4, "0: N6", "=", ("N6>N11 draw",), last="5"),
    Case("12", "a switch does not", "royal", 4, "0: N6|1: J11", "switch", ("N6>N11 1.J11>J6",)),
    Case("12", "unused sides' count too", "royal", 2, "0: N54", "5", ("N54>N59 draw",)),
    Case("12", "the citizen jumps on", "royal", 4, "0: C6", "5", ("C6>C11 draw jump C11>C27",)),
    Case("12", "to the next free one", "royal", 4, "0: C6|1: J27|2: K43", "5", ("C6>C11 draw jump C11>C59",)),
    Case("12", "round the track", "royal", 6, "1: C86", "5", ("C86>C91 draw jump C91>C11",), seat=1),
    Case("12", "or nowhere", "royal", 4, "0: C6|1: J27|2: K43 J59", "5", ("C6>C11 draw",)),
    Case("12", "by magnet too", "royal", 4, "0: C5|1: J12", "magnet", ("C5>C11 draw jump C11>C27",)),
    Case(
        *("12", "a helper uses the partner's powers", "royal", 4, "0: Ka Nb Cc Jd|2: C38", "5"),
        ("2.C38>C43 draw jump 2.C43>C59",),
    ),
    # ------------------------------------------------------------------------------------------------ options
    Case("options", "own pieces are safe", "classic", 4, "0: 20 28", "8", ("28>36",), house="own_safe"),
    Case("options", "the partner's too", "classic", 4, "0: 20|2: 28", "8", (), house="own_safe"),
    Case("options", "no seven past one's own", "classic", 4, "0: 20 d|2: 24", "7", (), house="own_safe"),
    Case("options", "but past an opponent", "classic", 4, "0: 20|1: 24", "7", ("20>27 1.24>-",), house="own_safe"),
    Case("options", "a 4 goes forward", "keezen", 4, "0: 20", "4", ("20>16", "20>24"), house="four_forward"),
    Case("options", "nor onto one's own coming out", "dobney", 4, "0: 1", "K", ("1>14",), house="own_safe"),
    Case(
        *("options", "the last piece does not come home by a joker", "classic", 4, "0: 63 b c d", "X"),
        tuple(f"63>{space}" for space in (59, 64, *range(1, 13))),
        house="no_joker_finish",
    ),
    Case(
        *("options", "nor the partner's, in a joker's spill", "classic", 4, "0: 63 b c d|2: 29 b c d", "X"),
        (*(f"63>{space}" for space in (59, 64, *range(1, 13))), "63>29 2.29>63"),
        house="no_joker_finish",
    ),
    Case("options", "another may", "classic", 4, "0: a c d", "X", ("a>b", "->1*"), house="no_joker_finish"),
    Case(
        *("options", "and the last one by its own card", "classic", 4, "0: 63 b c d", "3"),
        ("63>a", "63>2"),
        house="no_joker_finish",
    ),
    Case(
        *("options", "canadian: at most two pieces in all where two may share", "keezen", 4, "0: 20 30|2: 40", "7"),
        tuple(dict.fromkeys((*shares(20, 30), *shares(20, 40, "2."), *shares(30, 40, "2.")))),
        house="canadian_seven",
    ),
    Case(
        *(
            "options",
            "canadian: among all of a team of three",
            "swiss",
            6,
            "0: 20|2: 40|4: d",
            "7",
            shares(20, 40, "2."),
        ),
        house="canadian_seven teams=two",
    ),
    Case("options", "alone, four are enough", "classic", 4, "0: a b c d|1: 20", "5", (), house="teams=alone", seat=1),
    Case("options", "alone, nobody spills", "dobney", 4, "0: 63 b c d|2: 20", "7", ("63>6",), house="teams=alone"),
)
