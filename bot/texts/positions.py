"""A position in words, for people who do not see the picture: alt texts, and boards that are text only.

A text board is complete: whose turn it is, hands and deck, the last move, every piece with its way home, and a plan in
monospaced letters that a screen reader or a braille display can follow line by line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.languages import Language
from bot.table import Table
from bot.texts.markup import ALT_LIMIT, MESSAGE_LIMIT, block, escape, fit, item, stack
from bot.texts.moves import tell
from bot.texts.names import (
    Names,
    card_name,
    computers_line,
    levels_of,
    open_hands,
    place_name,
    rank_name,
    said,
    sentences,
    sign,
    system_name,
)
from bot.texts.public.boards import NEXT, asked_line
from engine import KENNEL_TEXT, SLOTS, Board, Entry, Phase, Preview, View, place_of, spaces_to_home

SHORT = 16
"""The most characters of a name where a picture is described."""

CLOSE = 13
"""The most spaces between pieces that are close to each other: as far as the longest card of most games goes."""

after_move = said("After this move:")
after_plan = said("If nothing changes, after this move:")
so_far = said("With the parts you've chosen:")
"""Headings above positions that are still to come."""

Spots = Mapping[tuple[int, str], str]
"""The letters of what can be chosen, by side and place."""

Placement = Mapping[int, tuple[str, ...]]
"""Where the pieces of each side are."""


def alt(language: Language, table: Table, view: View, entries: Sequence[Entry], room: int = ALT_LIMIT) -> str:
    """Describe the position and the last moves in at most `room` characters, for people who cannot see the picture.

    What happened is told in its order; where there is no room for all, the newest.
    """
    names = Names.of(table, language).unmarked()
    short = Names.of(table, language, SHORT).unmarked()
    state = [_head(language, table, view)]
    state += [f"{line}." for line in sides(language, short, view, view.pieces, ways=False)]
    state += _turn(language, table, short, view)
    moves = [text if text.endswith((".", "!")) else f"{text}." for text in tell(language, names, entries)]
    while moves and len(" ".join((*state, *moves))) > room:
        del moves[0]
    return fit([*state, *moves, computers_line(language, short, levels_of(table))], room, " ")


def board(
    language: Language,
    table: Table,
    view: View,
    entries: Sequence[Entry],
    spots: Spots | None = None,
    room: int = MESSAGE_LIMIT,
    *,
    heading: str = "",
    only_pieces: bool = False,
) -> str:
    """Describe the position as a text of its own, in a shorter form if it has more than `room` characters.

    Both forms are complete, and may need several pages. `spots`: what can be chosen there, by letter. Below the
    `heading` of another position it is not said whose turn it is. `only_pieces`: nothing of cards, turns and computer
    players, as in an exercise.
    """
    parts = (language, table, view, entries, spots, heading)
    text = _board(*parts, only_pieces=only_pieces, brief=False)
    return text if len(text) <= room else _board(*parts, only_pieces=only_pieces, brief=True)


def standing(language: Language, table: Table, view: View, room: int = MESSAGE_LIMIT) -> str:
    """Describe where everyone's pieces are, without the plan; in a shorter form if that is longer than `room`.

    Beside a hand, which says itself what is asked.
    """
    text = stack(*_standing(language, table, view, brief=False))
    return text if len(text) <= room else stack(*_standing(language, table, view, brief=True))


def _standing(language: Language, table: Table, view: View, *, brief: bool, hands: bool = True) -> list[str]:
    names = _names(language, table)
    lines = [language.t("Numbers in brackets: spaces to lane a.")] if brief else []
    lines += [item(line) for line in sides(language, names, view, view.pieces, ways=True, brief=brief, hands=hands)]
    if view.shown and hands:
        lines += [item(line) for line in open_hands(language, _labels(language, table, brief=brief), view.shown)]
    return lines


def choosing(language: Language, table: Table, view: View, room: int = MESSAGE_LIMIT, *, heading: str = "") -> str:
    """Describe where everyone's pieces are, in a shorter form if that is longer; buttons tell the choices."""

    def told(*, brief: bool) -> str:
        return stack(heading, *_standing(language, table, view, brief=brief, hands=False))

    whole = told(brief=False)
    return whole if len(whole) <= room else told(brief=True)


def changed(language: Language, table: Table, view: View, preview: Preview, heading: str) -> str:
    """Describe what an action changes in a view: the sides whose pieces it moves, and who then stands close to them.

    It may need several pages.
    """
    names, after = _names(language, table), preview.placement
    lines = [heading]
    lines += [
        item(_side(language, names, view.board, seat, pieces, ways=True))
        for seat, pieces in after.items()
        if sorted(pieces) != sorted(view.pieces[seat])
    ]
    for side, place in dict.fromkeys((step.side, step.target) for step in preview.steps):
        if place.isdigit() and any(place_of(piece) == place for piece in after[side]):
            lines += map(item, _close(language, names, view.board, after, side, int(place)))
    return stack(*lines)


def _close(language: Language, names: Names, board: Board, pieces: Placement, side: int, place: int) -> list[str]:
    """Return which pieces of other sides stand close behind and close ahead of a piece on the track."""
    behind, ahead = dict[int, str](), dict[int, str]()
    for other, own in pieces.items():
        for at in (int(place_of(piece)) for piece in own if other != side and place_of(piece).isdigit()):
            at_place = language.p("side", "{name} on {place}", name=names.plain[other], place=at)
            if 0 < (back := (place - at) % board.length) <= CLOSE:
                behind[back] = at_place
            elif 0 < (on := (at - place) % board.length) <= CLOSE:
                ahead[on] = at_place
    lines = []
    if behind:
        near = language.listed(behind[far] for far in sorted(behind))
        lines.append(
            language.t("Up to {count} spaces behind {place}: {pieces}.", count=CLOSE, place=place, pieces=near)
        )
    if ahead:
        near = language.listed(ahead[far] for far in sorted(ahead))
        lines.append(
            language.t("Up to {count} spaces ahead of {place}: {pieces}.", count=CLOSE, place=place, pieces=near)
        )
    return lines


def _board(
    language: Language,
    table: Table,
    view: View,
    entries: Sequence[Entry],
    spots: Spots | None,
    heading: str,
    *,
    only_pieces: bool,
    brief: bool,
) -> str:
    labels = _labels(language, table, brief=brief)
    lines = [heading]
    if not (heading or only_pieces):
        asked = next_line(language, labels, view) if table.is_open else ""
        lines = [_head(language, table, view), asked, *tell(language, labels, entries[-1:])]
    lines += _standing(language, table, view, brief=brief, hands=not only_pieces)
    if not only_pieces:
        lines += [_cards(language, view), computers_line(language, labels, levels_of(table))]
    if spots:
        lines.append(choices(language, labels, spots))
    elif not heading:
        # What comes move by move stays short.
        lines.append(_key(language, view.board))
    return stack(*lines, block(plan(view.board, view.pieces, spots or {})))


def _names(language: Language, table: Table) -> Names:
    plain = Names.of(table, language).plain
    names = {seat: escape(name) for seat, name in plain.items()}
    return Names(names, in_message=False, always_isolated=language.is_leftward)


def _labels(language: Language, table: Table, *, brief: bool) -> Names:
    """Return what players are called: in the short form each is named once, beside the number that stands for it."""
    names = _names(language, table)
    return Names({seat: str(seat + 1) for seat in names.plain}, in_message=False) if brief else names


def _key(language: Language, board: Board) -> str:
    """Say what stands in the plan."""
    if board.system.ranks:
        return language.t(
            "The board as text: each row goes on from the space at its left; numbers in it are players, letters are "
            "ranks. Below it are the lanes, from a to d, with kennels in brackets."
        )
    return language.t(
        "The board as text: each row goes on from the space at its left; numbers in it are players, * is protected. "
        "Below it are the lanes, from a to d, with kennels in brackets."
    )


def _head(language: Language, table: Table, view: View) -> str:
    return language.t(
        "DOG board, game {code}, {system}, round {round}.",
        code=table.code,
        system=system_name(language, view.system),
        round=view.round,
    )


def _turn(language: Language, table: Table, names: Names, view: View) -> list[str]:
    if not table.is_open:
        return []
    line = asked_line(language, view, {seat: names.marked(seat) for seat in view.to_act})
    return [line.removeprefix("➜ ")]


def next_line(language: Language, names: Names, view: View) -> str:
    """Return whose turn it is in a view, to a reader who may be another; else who is asked for what."""
    if view.phase is Phase.TURN:
        return language.t(NEXT, names=names.listed(language, view.to_act))
    return asked_line(language, view, {seat: names.marked(seat) for seat in view.to_act}).removeprefix("➜ ")


def _cards(language: Language, view: View) -> str:
    deck = language.n("{count} card left to draw.", "{count} cards left to draw.", view.deck)
    if not view.discards:
        return sentences(deck, language.t("No card has been discarded yet."))
    return sentences(
        deck, language.t("The card on top of the discards: {card}.", card=card_name(language, view.discards[-1]))
    )


def sides(
    language: Language,
    names: Names,
    view: View,
    pieces: Placement,
    *,
    ways: bool,
    brief: bool = False,
    hands: bool = True,
) -> list[str]:
    """Return a line for each side: who it is and where the pieces are.

    With `ways`, also the side's number in the plan, how far it is from home, and the hand (unless `hands` is False);
    `brief`: in fewer letters.
    """
    kind = view.board
    lines = []
    for seat, own in pieces.items():
        line = _side(language, names, kind, seat, own, ways=ways, brief=brief)
        if ways:
            held = view.hands.get(seat, 0)
            more = [language.n("{count} card in hand", "{count} cards in hand", held, context="side")]
            if seat in view.out:
                more = [language.p("side", "out of this round")]
            if not hands:
                more = []
            for partner in kind.partners(seat):
                more.append(language.p("side", "partner {name}", name=partner + 1 if brief else names.plain[partner]))
            line = f"{seat + 1}: {'; '.join((line, *([', '.join(more)] if more else [])))}"
        lines.append(line)
    return lines


def _side(
    language: Language, names: Names, kind: Board, seat: int, own: Sequence[str], *, ways: bool, brief: bool = False
) -> str:
    """Return who a side is, and where its pieces are."""
    return language.t(
        "{name} ({sign}): {pieces}",
        name=names.plain[seat],
        sign=sign(language, seat),
        pieces=_pieces(language, kind, seat, own, ways=ways, brief=brief),
    )


def _pieces(
    language: Language, kind: Board, seat: int, pieces: Sequence[str], *, ways: bool, brief: bool = False
) -> str:
    n, ranks = language.n, bool(kind.system.ranks)
    words = []
    homes = sum(place_of(piece) == "-" for piece in pieces)
    if homes and not ranks:
        words.append(n("{count} in the kennel", "{count} in the kennel", homes, context="side"))
    for piece in pieces:
        place = place_of(piece)
        if place == "-" and not ranks:
            continue
        word = place_name(language, place)
        if piece.endswith("*") and ways:
            word = language.p("side", "{place} (protected)", place=word)
        left = 0 if place == "-" else spaces_to_home(kind, seat, piece)
        if brief and left:
            word = f"{word} ({left})"
        elif ways and left:
            if place.isdigit():
                word = language.p("side", "on {place}", place=word)
            word = n(
                "{place}, {count} space to lane a",
                "{place}, {count} spaces to lane a",
                left,
                context="side",
                place=word,
            )
        if ranks:
            word = language.p("side", "{rank} {place}", rank=rank_name(language, piece[0]), place=word)
        words.append(word)
    return ("; " if ways else ", ").join(words)


def choices(language: Language, names: Names, spots: Spots) -> str:
    """List the choices, letter by letter."""
    parts = [
        f"{letter}: {place_name(language, place)} ({names.plain[side]})"
        for (side, place), letter in sorted(spots.items(), key=lambda item: item[1])
    ]
    return language.t("Choices: {choices}.", choices=", ".join(parts))


EMPTY = "."
CELL = 3
"""Letters per space: what is on it (two), and a blank before the next; one more if choices have two letters."""


def plan(board: Board, pieces: Placement, spots: Spots | None = None) -> str:
    """Return the board in monospaced letters: two lines for each side's stretch of the track, from its start.

    Each line is preceded by the number of its first space. A piece is the number of its side, counting from 1, followed
    by its rank, or by `*` while it is guarded; `.` is a free space. A choice has its letter in
    front. Below come the inner paths and, for each side, its lane from `a` to `d`, the last part of the way, and in
    brackets the number of its pieces in the kennel.
    """
    at: dict[tuple[int | None, str], str] = {}
    for side, own in pieces.items():
        for piece in own:
            mark = piece[0] if board.system.ranks else "*" if piece.endswith("*") else ""
            at[_cell(side, piece)] = f"{side + 1}{mark}"
    letters = [letter for letter in (spots or {}).values() if letter.isalpha()]
    cell = CELL + max(map(len, letters), default=1) - 1
    for (side, text), letter in (spots or {}).items():
        here = at.get(_cell(side, text), "")
        at[_cell(side, text)] = f"{letter}{here}"[: cell - 1]
    crossing = [(None, f"{name}{number}") for name, number in board.crossing]
    known = next((at[spot] for spot in crossing if spot in at), None)
    if known is not None:
        at |= dict.fromkeys(crossing, known)
    rows = []
    half, wide = (board.span + 1) // 2, len(str(board.length))
    for side in range(board.sides):
        numbers = range(board.start(side), board.start(side) + board.span)
        for part in (numbers[:half], numbers[half:]):
            rows.append(_row(f"{part[0]:>{wide}}", [at.get((None, str(number)), EMPTY) for number in part], cell))
    for path in board.paths:
        spaces = range(1, path.spaces + 1)
        rows.append(
            _row(f"{path.name:>{wide}}", [at.get((None, f"{path.name}{number}"), EMPTY) for number in spaces], cell)
        )
    for side in board.seats:
        homes = sum(place_of(piece) == KENNEL_TEXT for piece in pieces[side])
        rows.append(
            _row(f"{side + 1:>{wide}}:", [*(at.get((side, slot), EMPTY) for slot in SLOTS), f"({homes})"], cell)
        )
    return "\n".join(rows)


def _cell(side: int, text: str) -> tuple[int | None, str]:
    """Return the spot of a piece or place in the plan: slots belong to a side; a kennel has no spot."""
    place = place_of(text)
    return side if place in SLOTS else None, place


def _row(head: str, cells: Sequence[str], wide: int) -> str:
    return f"{head} " + "".join(cell.ljust(wide) for cell in cells).rstrip()
