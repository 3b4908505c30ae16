"""Made-up scenes that show everything the pictures can show: for the gallery, the golden pictures and the README."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine import ROYAL, STANDARD, Board, Card, Options, Step, StepKind, Teams, board_for
from render.chart import Ranked, Spell, Words, ranking_png, rating_png, scale
from render.curve import Mark, TeamCurve, curve_png
from render.scene import Scene
from render.share import Figure, Party

NAMES = ("Anna", "Bálint", "Çelik", "Íñigo", "Jürgen", "Őrsi", "Nguyễn", "Zoë")
BOARDS: tuple[tuple[str, int], ...] = (
    *(("classic", 4), ("family", 4), ("dobney", 4), ("dobney", 6)),
    *(("royal-basic", 2), ("royal-basic", 3), ("royal-basic", 4), ("royal-basic", 5), ("royal-basic", 6)),
    *(("royal", 2), ("royal", 3), ("royal", 4), ("royal", 5), ("royal", 6)),
    *(("swiss", 6), ("swiss", 8), ("keezen", 6), ("keezen", 7)),
    *(("tock", 4), ("tock", 6), ("tock", 8), ("jackaroo", 4)),
)


COMPLEX = board_for("jackaroo", 4, Options(complex=True)).system.cards
HANDS: dict[str, tuple[tuple[str, ...], frozenset[int] | None, Mapping[str, Card]]] = {
    "six": (("A", "7", "J", "X", "4", "K"), frozenset({0, 1, 5}), STANDARD),
    "five": (("Q", "10", "9", "8", "6"), None, STANDARD),
    "twins": (("5", "5", "3", "3", "2"), frozenset({0, 1}), STANDARD),
    "two": (("K", "4"), frozenset({1}), STANDARD),
    "one": (("2",), frozenset(), STANDARD),
    "royal-red": (("1/11", "13", "1-7", "switch", "magnet"), frozenset({0, 3}), ROYAL),
    "royal-mixed": (("=", "4", "10", "12", "8"), None, ROYAL),
    "jackaroo": (("A", "K", "J", "10", "5"), frozenset({0, 2, 4}), COMPLEX),
    "royal-seven": (("2", "3", "5", "6", "9", "13", "="), frozenset({2, 5, 6}), ROYAL),
}
"""The cards, the playable indices (all, if None), and the deck."""


def walk(board: Board, side: int, origin: int, count: int, into: int = 0, **more: object) -> Step:
    """Return a walk of `count` spaces (backward if negative) along the track, then `into` slots of the lane."""
    sign = 1 if count >= 0 else -1
    path = [str((origin - 1 + sign * i) % board.length + 1) for i in range(abs(count) + 1)]
    path += list("abcd"[:into])
    kind = StepKind.FORWARD if sign > 0 else StepKind.BACKWARD
    return replace(Step(kind, side, path[0], path[-1], tuple(path)), **more)  # type: ignore[arg-type]


def hop(kind: StepKind, side: int, origin: str, target: str, **more: object) -> Step:
    """Return a step that is not a walk."""
    return replace(Step(kind, side, origin, target, (origin, target)), **more)  # type: ignore[arg-type]


def _pieces(board: Board, places: Mapping[int, str]) -> dict[int, tuple[str, ...]]:
    """Return a placement from texts with blanks; with ranks, their letters are prefixed in order."""
    found = {}
    for side in board.seats:
        texts = places.get(side, "- - - -").split()
        if not board.system.marks_fresh:
            texts = [text.rstrip("*") for text in texts]
        if board.system.ranks:
            texts = [rank.letter + text for rank, text in zip(board.system.ranks, texts, strict=True)]
        found[side] = tuple(texts)
    return found


def _held(board: Board, turn: int) -> dict[int, int]:
    """Return the sizes of hands when it is this seat's turn and the two before it have played one of five cards."""
    at = board.seats.index(turn)
    return {seat: 5 - (seat in (board.seats[at - 1], board.seats[at - 2])) for seat in board.seats}


def standard(system: str, players: int) -> Scene:
    """Return a position in the middle of a game, without a move."""
    board = board_for(system, players)
    span = board.span
    places: dict[int, str] = {}
    spread = (
        ("-", 0, 7, "d"),
        ("-", "-", 10, 13),
        ("-", 3, "b", "c"),
        ("-", "-", "-", 12),
        (0, 6, 9, "d"),
        ("-", 4, "a", "d"),
        ("-", "-", 2, "c"),
        ("-", 0, 8, "d"),
    )
    for seat in board.seats:
        texts = []
        for item in spread[seat]:
            if isinstance(item, int):
                number = (seat * span + item) % board.length + 1
                texts.append(f"{number}{'*' if item == 0 else ''}")
            else:
                texts.append(item)
        places[seat] = " ".join(texts)
    second = board.seats[1]
    royal = board.system.special_offset is not None or "13" in board.system.cards
    return Scene(
        board=board,
        placement=_pieces(board, places),
        names={seat: NAMES[seat] for seat in board.seats},
        to_act=(second,),
        hands=_held(board, second),
        round=next(number for number in range(2, 9) if board.system.cards_dealt(number) == 5),
        dealt=5,
        pile=("4", "12", "8") if royal else ("4", "Q", "8"),
        computers=frozenset({board.seats[-1]}),
        actor=board.seats[0],
        deck=48,
    )


def classic(places: Mapping[int, str], steps: tuple[Step, ...], seat: int, caption: str, **more: object) -> Scene:
    """Return a scene on the classic board after a move of `seat`."""
    return scene_after("classic", 4, places, steps, seat, caption, **more)


def scene_after(
    system: str,
    players: int,
    places: Mapping[int, str],
    steps: tuple[Step, ...],
    seat: int,
    caption: str,
    **more: object,
) -> Scene:
    """Return a scene on any board after a move of `seat`."""
    board = board_for(system, players)
    following = board.seats[(board.seats.index(seat) + 1) % len(board.seats)]
    scene = replace(
        standard(system, players),
        placement=_pieces(board, places),
        moves=((seat, steps),),
        caption=caption,
        to_act=(following,),
        actor=seat,
    )
    hands = _held(board, more.get("chooser", following))  # type: ignore[arg-type]
    return replace(scene, **({"hands": hands} | more))  # type: ignore[arg-type]


_MID = {0: "- 1* 12 d", 1: "- - 27 d", 2: "- - 33* 51", 3: "- - - d"}


def moves() -> dict[str, Scene]:
    """Return scenes with every kind of move, by name."""
    board = board_for("classic", 4)
    royal = board_for("royal", 4)
    swiss = board_for("swiss", 8)
    return {
        "forward": classic(
            _MID | {1: "- - 26 d"}, (walk(board, 1, 20, 6, value=6),), 1, "Bálint  20 → 26", pile=("4", "6")
        ),
        "corner": classic(
            _MID | {3: "- - 17 d"}, (walk(board, 3, 4, 13, value=13),), 3, "Íñigo  4 → 17", pile=("4", "K")
        ),
        "backward": classic(
            _MID | {2: "- - 33* 47"}, (walk(board, 2, 51, -4, value=4),), 2,
            "Çelik  51 → 47", pile=("6", "4"),
        ),
        "capture": classic(
            _MID | {2: "- - - 51", 1: "- - 27 d"},
            (walk(board, 1, 22, 5, value=5, sent_home=((2, "27"),)),),
            1,
            "Bálint  22 → 27",
            pile=("10", "5"),
        ),
        "out": classic(
            _MID, (hop(StepKind.OUT, 0, "-", "1"),), 0, "Anna  kennel → 1", pile=("9", "A")
        ),
        "out-capture": classic(
            {0: "- - - -", 1: "- 17* 40 d", 2: "- - 33* 51", 3: "- - - d"},
            (hop(StepKind.OUT, 1, "-", "17", sent_home=((0, "17"),)),),
            1,
            "Bálint  kennel → 17",
            pile=("9", "K"),
        ),
        "lane": classic(
            _MID | {0: "- - 12 c"}, (walk(board, 0, 62, 3, into=3, value=6),), 0,
            "Anna  62 → lane c", pile=("2", "6"),
        ),
        "swap": classic(
            _MID | {0: "- 1* 51 d", 2: "- - 12 33*"},
            (hop(StepKind.SWAP, 0, "12", "51", other=(2, "51")),),
            0,
            "Anna  12 ⇄ 51",
            pile=("3", "J"),
        ),
        "swap-across": classic(
            _MID | {1: "- - 59 d", 3: "- - 27 d"},
            (hop(StepKind.SWAP, 1, "27", "59", other=(3, "59")),),
            1,
            "Bálint  27 ⇄ 59",
            pile=("3", "J"),
        ),
        "seven": classic(
            {0: "- 5 15 a", 1: "- - - d", 2: "- - 33* 51", 3: "- - 9 d"},
            (
                walk(board, 0, 12, 3, value=3, sent_home=((1, "14"),)),
                walk(board, 0, 3, 2, value=2),
                replace(walk(board, 0, 64, 1, into=1, value=2), path=("64", "1", "a"), target="a"),
            ),
            0,
            "Anna  3 + 2 + 2",
            pile=("J", "7"),
        ),
        "joker": classic(
            _MID | {1: "- - 30 d"}, (walk(board, 1, 20, 10, value=10),), 1,
            "Bálint  20 → 30", pile=("4", "X:10"),
        ),
        "computers": classic(
            _MID | {1: "- - 26 d", 2: "- - 33* 58", 3: "- - 46 d"},
            (),
            3,
            "Íñigo  37 → 46",
            moves=(
                (1, (walk(board, 1, 14, 12, value=12),)),
                (2, (walk(board, 2, 50, 8, value=8),)),
                (3, (walk(board, 3, 37, 9, value=9),)),
            ),
            computers=frozenset({1, 2, 3}), strengths={1: 1, 2: 2, 3: 3}, hands={0: 5, 1: 4, 2: 4, 3: 4},
            pile=("Q", "8", "9"),
        ),
        "family-lane": scene_after(
            "family", 4, {0: "- - 12 b", 1: "- - 27 d", 2: "- - 31* 51", 3: "- - - d"},
            (Step(StepKind.BACKWARD, 0, "2", "b", ("2", "1", "60", "a", "b"), value=4),), 0,
            "Anna  2 → lane b", pile=("2", "4"),
        ),
        "inner-path": scene_after(
            "dobney", 6, {0: "- - 12 d", 1: "- P5 30 d", 2: "- - 33* 51", 3: "- - - d", 4: "- 71 77 d", 5: "- - 94 c"},
            (Step(StepKind.FORWARD, 1, "21", "P5", ("21", "22", "23", "P1", "P2", "P3", "P4", "P5"), value=7),), 1,
            "Bálint  21 → P5", pile=("2", "7"),
        ),
        "royal-magnet": scene_after(
            "royal", 4, {0: "- 11 - d", 1: "24 - 27 d", 2: "- 33 - 51", 3: "- 59 - d"},
            (replace(walk(royal, 1, 17, 7), kind=StepKind.MAGNET),), 1,
            "Bálint  17 → 24", pile=("10", "magnet"),
        ),
        "royal-jump": scene_after(
            "royal", 4, {0: "- 1 43 d", 1: "- 37 40 d", 2: "- 33 - 51", 3: "- 59 - d"},
            (walk(royal, 0, 17, 10, value=10), hop(StepKind.JUMP, 0, "27", "43")), 0,
            "Anna  17 → 27 → 43", pile=("10", "12", "10"),
        ),
        "royal-copy": scene_after(
            "royal", 4, {0: "- 1 26 d", 1: "- 17 37 d", 2: "- 33 - 51", 3: "- 59 - d"},
            (walk(royal, 2, 38, 13, value=13),), 2,
            "Çelik  38 → 51", pile=("6", "13", "=:13"),
        ),
        "eight": scene_after(
            "swiss", 8, {0: "- 31 100 d", 1: "- 17* 20 d", 2: "- - 33* 51", 3: "- - - d", 4: "- 90 95 d", 5: "a b c d",
                         6: "- 97* - d", 7: "- - 114 126"},
            (walk(swiss, 0, 22, 9, value=9, sent_home=((4, "31"),)),), 0, "Anna  22 → 31", pile=("J", "9"),
        ),
        "royal-place": scene_after(
            "royal", 4, {0: "- - - -", 1: "- 17 - -", 2: "33 - - -", 3: "- - - -"},
            (hop(StepKind.PLACE, 2, "-", "33", rank="K"),), 2,
            "Çelik  kennel → 33", pile=(), round=1,
        ),
    }  # fmt: skip


def _lobby(system: str, players: int, plate: str, free: set[int]) -> Scene:
    """Return a board before the game, with free seats."""
    placement = dict.fromkeys(range(players), ("-",) * 4)
    scene = Scene(
        board_for(system, players), placement, labels={"free": "free seat\nfree"}, free=frozenset(free), plate=plate
    )
    return replace(scene, names={seat: "" if seat in free else NAMES[seat] for seat in placement})


def _exchange(scene: Scene) -> Scene:
    """Return the same board while all players give a card to their group."""
    hands = dict.fromkeys(scene.hands, 5)
    return replace(scene, to_act=scene.board.seats, pile=(), exchange=scene.board.groups, hands=hands)


def states() -> dict[str, Scene]:
    """Return scenes with every state of a table, by name."""
    exchange = replace(
        standard("classic", 4),
        placement=_pieces(board_for("classic", 4), {}),
        to_act=(0, 1, 2, 3),
        hands=dict.fromkeys(range(4), 6),
        round=1,
        dealt=6,
        pile=(),
        exchange=((0, 2), (1, 3)),
    )
    threes, fours = (board_for(*game, Options(teams=Teams.TWO)) for game in (("dobney", 6), ("swiss", 8)))
    ended = {0: "a b c d", 1: "- 40 c d", 2: "a b c d", 3: "- - 9 d"}
    board = board_for("classic", 4)
    return {
        "lobby": replace(
            _lobby("classic", 4, "Classic DOG · 4 players", {1, 3}),
            computers=frozenset({2}),
            invited={1: f"{NAMES[1]} (invited)\ninvited\n?"},
        ),
        "lobby-six": replace(_lobby("dobney", 6, "Dobney DOG · 6 players", {1, 3, 5}), computers=frozenset({4})),
        "exchange": exchange,
        "exchange-six": _exchange(standard("dobney", 6)),
        "exchange-eight": _exchange(standard("swiss", 8)),
        "lobby-eight": _lobby("swiss", 8, "Swiss DOG · 8 players", {1, 3, 6}),
        "winners-eight": replace(
            standard("swiss", 8), board=fours, to_act=(),
            winners=(0, 2, 4, 6), finished=frozenset({0, 2, 4, 6}), labels={"winners": "win in round 9"},
            placement={**standard("swiss", 8).placement, **dict.fromkeys((0, 2, 4, 6), tuple("abcd"))},
        ),
        "exchange-teams": _exchange(replace(standard("swiss", 8), board=fours)),
        "exchange-six-teams": _exchange(replace(standard("dobney", 6), board=threes)),
        "exchange-circle": replace(_exchange(standard("royal", 6)), exchange=(tuple(range(6)),)),
        "out-this-round": replace(
            standard("classic", 4), out=frozenset({2, 3}), hands={0: 2, 1: 3, 2: 0, 3: 0},
            caption="Çelik  is out of this round",
        ),
        "finished": classic(
            {0: "a b c d", 1: "- 40 c d", 2: "- - 33* 51", 3: "- - 9 d"},
            (walk(board, 2, 49, 2, value=2),),
            0,
            "Anna  49 → 51",
            finished=frozenset({0}),
            pile=("K", "2"),
        ),
        "winners": classic(
            ended,
            (Step(StepKind.FORWARD, 2, "31", "a", ("31", "32", "33", "a"), value=3),),
            2,
            "",
            to_act=(),
            labels={"winners": "win in round 9"},
            winners=(0, 2),
            finished=frozenset({0, 2}),
            pile=("K", "3"),
            round=9,
            dealt=3,
        ),
        "winners-six": replace(
            standard("dobney", 6), to_act=(), winners=(2, 5), finished=frozenset({2, 5}),
            labels={"winners": "win in round 9"},
            placement=_pieces(board_for("dobney", 6), {
                0: "- - 9 d", 1: "- 40 c d", 2: "a b c d", 3: "- - P3 d", 4: "- - - 62", 5: "a b c d",
            }),
        ),
        "winners-three": replace(
            standard("dobney", 6), board=threes, to_act=(),
            winners=(0, 2, 4), finished=frozenset({0, 2, 4}), labels={"winners": "win in round 9"},
            placement=_pieces(board_for("dobney", 6), {
                **dict.fromkeys((0, 2, 4), "a b c d"), 1: "- 40 c d", 3: "- - 51 d", 5: "- - P6 c",
            }),
        ),
        "turned": replace(standard("classic", 4), turned=2),
        "long-names": replace(
            standard("classic", 4),
            names={0: "Ｗ" * 32, 1: "محمد عبد الله", 2: "山田 太郎 🐶", 3: "דוד המלך"},
        ),
        "many-scripts": replace(
            standard("dobney", 6),
            names={0: "Влад Ιώνα", 1: "अनन्या शर्मा", 2: "김민준", 3: "𝓕𝓪𝓷𝓬𝔂 ☆彡", 4: "สมชาย", 5: "🦊 fox 👩‍🚀"},
        ),
    }  # fmt: skip


FACTS = (
    *(Figure("9", "rounds"), Figure("31", "pieces sent back")),
    *(Figure("23", "longest walk"), Figure("3 hours", "playing time")),
)


def share(
    system: str, players: int, options: Options | None = None
) -> tuple[Scene, str, tuple[Party, ...], tuple[Figure, ...]]:
    """Return what the picture to share shows of a game that the first team has won."""
    scene, board = standard(system, players), board_for(system, players, options or Options())
    won, letters = board.teams[0], [rank.letter for rank in board.system.ranks] or [""] * 4
    home = tuple(letter + slot for letter, slot in zip(letters, "abcd", strict=True))
    scene = replace(
        scene, board=board, placement={**scene.placement, **dict.fromkeys(won, home)}, finished=frozenset(won)
    )
    parties = tuple(Party(team, tuple(NAMES[seat] for seat in team), team == won) for team in board.teams)
    return scene, f"{board.system.name} · {players} players · FOX-1234", parties, FACTS


SHARES: dict[str, tuple[str, int, Options | None]] = {
    **{f"{system}-{players}": (system, players, None) for system, players in BOARDS if system != "royal-basic"},
    "three": ("dobney", 6, Options(teams=Teams.TWO)),
    "four": ("swiss", 8, Options(teams=Teams.TWO)),
    "alone": ("royal", 6, Options(teams=Teams.ALONE)),
}
"""Games whose pictures to share are drawn: every board, larger teams, and every player alone."""


RISE = tuple(0.5 + 0.4 * (at / 60) ** 2 - 0.15 * (at % 13 > 8) for at in range(61))
FALL = tuple(1 - chance for chance in RISE)
SPELLS = tuple(Spell(1400 + 12 * at - 60 * (at % 7 == 3), 400 - 9 * at) for at in range(30))
BEST = tuple(Ranked(name, 1700 - 60 * at, f"{1700 - 60 * at}", 60 + 9 * at, at > 5) for at, name in enumerate(NAMES))
WORDS = Words("rating", "likely range", "provisional", "30 rated games", "Form", "won", "lost")
CHARTS: dict[str, Callable[[str], bytes]] = {
    "curve": lambda theme: curve_png(
        (TeamCurve((0, 2), RISE, ("Anna", "Çelik"), "90%"), TeamCurve((1, 3), FALL, ("Bálint", "Íñigo"))),
        {1: 0, 2: 17, 3: 34, 4: 51}, "FOX-1234", (Mark(9, 1, "1"), Mark(22, 0, "2"), Mark(55, 0, "3")), theme,
        "Round 1", "chance of winning",
    ),
    "curve-three": lambda theme: curve_png(
        [
            TeamCurve(
                (seat, seat + 3), tuple(chance / 3 * way for chance in RISE), (NAMES[seat], NAMES[seat + 3]),
                f"{30 * way:.0f}%",
            )
            for seat, way in ((0, 2.0), (1, 0.7), (2, 0.3))
        ],
        {1: 0, 2: 17, 3: 34, 4: 51}, "FOX-1234", (Mark(9, 1, "1"), Mark(22, 0, "2")), theme,
        "Round 1", "chance of winning",
    ),
    "rating": lambda theme: rating_png(
        SPELLS, (True, True, False, True, False), "Anna", WORDS,
        {at: f"{at:.0f}" for at in (*scale(SPELLS), SPELLS[-1].points)}, theme,
    ),
    "ranking": lambda theme: ranking_png(BEST, "Leaderboard", WORDS, theme),
}  # fmt: skip
"""Charts of a review and of the figures of a server, in a theme."""


def previews() -> dict[str, Scene]:
    """Return scenes with choices marked by letters."""
    board = board_for("classic", 4)
    royal = board_for("royal", 4)
    dobney = board_for("dobney", 6)
    swiss = board_for("swiss", 8)
    return {
        "pieces": replace(
            standard("classic", 4),
            candidates={(1, "27"): "A", (1, "30"): "B", (1, "-"): "C"},
            moves=(),
            chooser=1,
            pile=("A",),
            actor=1,
        ),
        "targets": classic(
            {0: "- 1* 26 d", 1: "- - - 30", 2: "- 45 b c", 3: "- - 34 61"},
            (),
            1,
            "",
            moves=(),
            candidates={(1, "34"): "A", (1, "26"): "B"},
            to_act=(1,),
            chooser=1,
            pile=("4",),
            ways=(
                walk(board, 1, 30, 4, value=4, sent_home=((3, "34"),)),
                walk(board, 1, 30, -4, value=4, sent_home=((0, "26"),)),
            ),
        ),
        "move": classic(
            {0: "- 1* 12 d", 1: "- - 27 34", 2: "- 36 b c", 3: "- - - 61"},
            (walk(board, 1, 30, 4, value=4),),
            1,
            "",
            to_act=(1,),
            chooser=1,
            pile=("4",),
        ),
        "royal-kennel": scene_after(
            "royal", 4, dict.fromkeys(range(4), "- - - -"), (), 0, "", moves=(), to_act=(0,), pile=(), chooser=0,
            candidates={(0, f"{rank}-"): letter for rank, letter in zip("KNCJ", "ABCD", strict=True)},
            round=1, hands=dict.fromkeys(range(4), 5),
        ),
        "royal-jump": scene_after(
            "royal", 4, {0: "- 1 27 d", 1: "- 37 40 d", 2: "- 33 - 51", 3: "- 59 - d"},
            (walk(royal, 0, 17, 10, value=10),), 0, "", to_act=(0,), candidates={(0, "43"): "A"}, chooser=0,
            pile=("10",), ways=(hop(StepKind.JUMP, 0, "27", "43"),),
        ),
        "eight": scene_after(
            "swiss", 8, {1: "- - 30 22", 2: "- 26 - d", 5: "- 34 b c"}, (), 1, "", moves=(), to_act=(1,), chooser=1,
            pile=("4",), candidates={(1, "34"): "A", (1, "26"): "B"},
            ways=(
                walk(swiss, 1, 30, 4, value=4, sent_home=((5, "34"),)),
                walk(swiss, 1, 30, -4, value=4, sent_home=((2, "26"),)),
            ),
        ),
        "partner-taken": scene_after(
            "dobney", 6, {0: "- - 12 d", 1: "- P5 40 d", 2: "- - - 51", 3: "- - - d", 4: "- 36 77 d", 5: "- - 94 c"},
            (), 1, "", moves=(), to_act=(1,), candidates={(1, "44"): "A", (1, "36"): "B"}, chooser=1, pile=("4",),
            ways=(
                walk(dobney, 1, 40, 4, value=4), walk(dobney, 1, 40, -4, value=4, sent_home=((4, "36"),)),
            ),
        ),
    }  # fmt: skip


def story() -> list[Scene]:
    """Return a few turns in a row, for a replay: numbered, with the acting seat lit."""
    board = board_for("classic", 4)
    now = {seat: ["-", "-", "33*", "51"] if seat == 2 else ["-", "-", "-", "-"] for seat in board.seats}
    told: list[Scene] = []

    def tell(seat: int, card: str, before: str, step: Step, caption: str) -> None:
        now[seat][now[seat].index(before)] = step.target + ("*" if step.kind is StepKind.OUT else "")
        for side, place in step.sent_home:
            now[side][now[side].index(place)] = "-"
        places = {side: " ".join(sorted(texts)) for side, texts in now.items()}
        pile = (*(told[-1].pile if told else ()), card)[-3:]
        hands = {side: 6 - sum(1 for scene in told if scene.moves[0][0] == side) for side in board.seats}
        hands[seat] -= 1
        told.append(
            classic(
                places, (step,), seat, f"{NAMES[seat]}  {caption}",
                to_act=(seat,), pile=pile, round=1, dealt=6, hands=hands,
            )
        )  # fmt: skip

    tell(0, "A", "-", hop(StepKind.OUT, 0, "-", "1"), "kennel → 1")
    tell(1, "K", "-", hop(StepKind.OUT, 1, "-", "17"), "kennel → 17")
    tell(2, "8", "51", walk(board, 2, 51, 8, value=8), "51 → 59")
    tell(3, "X:A", "-", hop(StepKind.OUT, 3, "-", "49"), "kennel → 49")
    tell(0, "10", "1*", walk(board, 0, 1, 10, value=10), "1 → 11")
    tell(1, "Q", "17*", walk(board, 1, 17, 12, value=12), "17 → 29")
    tell(2, "5", "59", walk(board, 2, 59, 5, value=5), "59 → 64")
    tell(3, "6", "49*", walk(board, 3, 49, 6, value=6), "49 → 55")
    tell(0, "4", "11", walk(board, 0, 11, -4, value=4), "11 → 7")
    tell(1, "2", "29", walk(board, 1, 29, 2, value=2), "29 → 31")
    tell(2, "7", "64", walk(board, 2, 64, 7, value=7, sent_home=((0, "7"),)), "64 → 7")
    return [replace(scene, counter=(number, len(told))) for number, scene in enumerate(told, start=1)]
