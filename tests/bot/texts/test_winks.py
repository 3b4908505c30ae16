"""What boards tell besides the facts: winks, rounds in short, and the story of a game."""

import random
import re
from dataclasses import replace

import pytest

from bot.languages import language_for
from bot.rounds import RoundLog
from bot.table import Note, NoteKind, Status, Terms
from bot.tables.courses import Course, PublicCourse
from bot.tables.service import Tables
from bot.texts import positions
from bot.texts.public import boards
from bot.texts.public.history import LAST_PAGE, MOST_NEWS, pages, story
from bot.texts.public.winks import _WINKS, has_round_end, round_lines, tale, winks
from engine import Entry, Event, EventKind, Options, Step, StepKind
from engine.rules.actions import ActionKind
from engine.secret import whole
from tests.bot.gaming import lobby, play_on, started
from tests.bot.people import ANN, BEN

pytestmark = pytest.mark.on_a_file

ENGLISH = language_for("en-US")


def played(number: int, *steps: Step, seat: int = 0) -> Entry:
    """An entry in which a seat plays a card that moves pieces like this."""
    return Entry(number, seat, ActionKind.PLAY, (Event(EventKind.PLAYED, seat, card="5", steps=steps),))


def walk(*sent: int, side: int = 0, target: str = "6") -> Step:
    """A step of five spaces that sends back pieces of these sides."""
    path = ("1", "2", "3", "4", "5", target)
    return Step(StepKind.FORWARD, side, "1", target, path, tuple((one, target) for one in sent), value=5)


async def test_a_wink_follows_from_what_everybody_knows(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, computers=2)
    told = {number: winks(ENGLISH, table, [played(number, walk(1))])[number] for number in range(1, 200)}
    assert told == {number: winks(ENGLISH, table, [played(number, walk(1))])[number] for number in range(1, 200)}
    assert len({lines[0] for lines in told.values()}) == 12
    assert all(line.startswith("-# ") and ("Ann" in line or "Ben" in line) for lines in told.values() for line in lines)
    other = replace(table, code="ANT-1")
    assert told != {number: winks(ENGLISH, other, [played(number, walk(1))])[number] for number in range(1, 200)}


async def test_each_mood_has_twelve_winks_and_tells_newest(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, computers=2)
    folded = Entry(9, 1, ActionKind.FOLD, (Event(EventKind.FOLDED, 1, cards=("4", "5", "6")),))
    entries = [played(5, walk(1)), played(6, walk(1, 3)), played(7, walk(2)), played(8, walk(target="a")), folded]
    lines = [winks(ENGLISH, table, [one])[one.number][0] for one in entries]
    assert len(set(lines)) == len(entries) == len(_WINKS)
    assert [len(set(variants)) for variants in _WINKS.values()] == [12] * len(_WINKS)
    assert list(winks(ENGLISH, table, entries)) == [9]
    assert winks(ENGLISH, table, [played(5, walk())]) == {}


async def test_round_is_told_when_the_next_is_dealt(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, computers=2)
    deals = [
        Entry(number, None, None, (Event(EventKind.DEALT, count=6, round=one),)) for number, one in ((0, 1), (9, 2))
    ]
    back = replace(walk(side=1), kind=StepKind.BACKWARD)
    course = [deals[0], played(5, walk(1)), played(6, walk(side=2)), played(7, back, seat=1), deals[1]]
    assert has_round_end(course)
    assert not has_round_end(course[:-1])
    (line,) = round_lines(ENGLISH, table, RoundLog().after(table.board, course).ended)[9]
    assert line == "-# Round 1: 🔵 **Ann** and 🟢 **Bello** gained 10 spaces · 1 piece sent back"


async def test_board_over_several_rounds_has_one_heading(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, computers=2)
    deals = [
        Entry(number, None, None, (Event(EventKind.DEALT, count=6, round=one),)) for number, one in ((3, 2), (6, 3))
    ]
    moves = [played(number, walk()) for number in (2, 4, 5, 7)]
    lines = story(ENGLISH, table, sorted((*deals, *moves), key=lambda entry: entry.number), (), ())
    assert len(lines) == len(moves) + 1
    assert lines[3].startswith("**Round 3**")


async def test_board_names_movers_and_marks_only_moves(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, computers=2)
    lines = story(ENGLISH, table, [played(4, walk()), played(5, walk(), seat=1)], (), (), only_moves=(5,))
    assert lines == ["🔵 **Ann** · 5: 1 → 6", "🟠 **Ben** · 5: Ann's piece 1 → 6 (only move)"]


async def test_board_of_four_tells_five_moves_or_four(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, computers=2)
    moves = [played(number, walk(), seat=number % 4) for number in range(4, 11)]
    told = [story(ENGLISH, table, moves[:count], (), ()) for count in (5, 6)]
    assert [len(lines) for lines in told] == [5, 4], "moves that have hurt no one need no line"
    moves[0] = played(4, walk(1))
    assert story(ENGLISH, table, moves[:6], (), ())[:2] == [
        "⚔ 🔵 **Ann** sent back 🟠 **Ben**",
        "-# 1 more move before these",
    ]
    hidden = story(ENGLISH, table, moves[:6], (), (), in_hand=(5, 6), after={6: ["Ouch."]})
    assert sum(line.startswith("🟠") for line in hidden) == 1, "the fifth is told elsewhere"
    assert [line[:1] for line in hidden[1:3]] == ["🟢", "O"], "unless lines follow it"


async def test_board_has_six_lines_of_news_at_most(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, computers=2)
    moves = [played(number, walk(1), seat=number % 4) for number in range(1, 12)]
    kinds = (NoteKind.HOSTED, NoteKind.AUTO_PLAYED, NoteKind.HANDED, NoteKind.RECLAIMED)
    notes = [Note(kind, 0, number, None, 1) for number in range(1, 12) for kind in kinds]
    extra = winks(ENGLISH, table, moves)
    for count in range(1, 12):
        lines = story(ENGLISH, table, moves[:count], notes[: 4 * count], (), after=extra)
        assert len(lines) <= MOST_NEWS
        assert not any("computer" in line for line in lines), "the robot before a move says it"
        assert lines[-1] == "· 🟠 **Ben** is back."
        assert all("before these" not in line for line in lines[2:]), "what is folded comes first"
    alone = story(ENGLISH, table, (), notes, ())
    assert len(alone) <= MOST_NEWS


async def test_only_move_is_public_with_the_last_card(tables: Tables) -> None:
    table = await play_on(tables, (await started(tables, ANN, computers=3)).id, random.Random(1), 60)
    assert table.game is not None
    course = Course.of(whole(table.game))
    public, known = PublicCourse(course), range(course.first + 1, course.game.number + 1)
    sizes = {at: public.at(at - 1).view().hands[public.entries(at)[0].seat or 0] for at in known}
    plain = {at for at in known if public.was_plainly_only_move(at)}
    assert plain == {at for at in known if public.was_only_move(at) and sizes[at] == 1}
    assert plain < {at for at in known if public.was_only_move(at)}


async def test_history_counts_every_action_on_full_pages(tables: Tables) -> None:
    table = await play_on(tables, (await started(tables, ANN, computers=3)).id, random.Random(1))
    assert table.game is not None
    *before, last = pages(ENGLISH, table, table.game.history(0), (), await tables.log(table.id))
    told = [number.split("–") for number in re.findall("`([ \\d–]+)`", "\n".join((*before, last)))]
    spans = dict.fromkeys((int(span[0]), int(span[-1])) for span in told)
    assert [first for first, _ in spans] == [1, *(until + 1 for _, until in spans)][:-1]
    assert len(told) == len(spans), "only moves have numbers"
    assert "\n· " in last, "the end has none"
    assert len(last) > 400
    assert max(map(len, (*before, last))) <= LAST_PAGE


async def test_last_board_tells_the_game_in_two_lines(tables: Tables) -> None:
    table = await play_on(tables, (await started(tables, ANN, computers=3)).id, random.Random(1))
    assert table.status is Status.OVER
    lines = tale(ENGLISH, table, tables.course(table).entries(0))
    assert "Rounds: " in lines[0]
    assert "Sent back the most: " in lines[0]
    assert all(line.startswith("📖 Biggest hit: ") for line in lines[1:])
    assert tale(ENGLISH, table, [entry for entry in tables.course(table).entries(0) if entry.number < 2]) == []


async def test_what_a_screen_reader_needs_has_no_winks(tables: Tables) -> None:
    table = await play_on(tables, (await started(tables, ANN, computers=3)).id, random.Random(1))
    view, course = table.game.view(), tables.course(table).entries(0)
    words = [max(re.split(r"\{\w+\}", one), key=len) for variants in _WINKS.values() for one in variants]

    def winking(text: str) -> bool:
        return any(one in text for one in words)

    told = [entry for entry in course if winks(ENGLISH, table, [entry])]
    assert len(told) > 20
    for entry in told:
        assert winking(winks(ENGLISH, table, [entry])[entry.number][0])
        assert not winking(positions.alt(ENGLISH, table, view, [entry]))
        assert not winking(positions.board(ENGLISH, table, view, [entry]))


async def test_open_hands_stand_on_every_board(tables: Tables) -> None:
    table = await started(tables, ANN, computers=3, terms=Terms(options=Options(open_hands=True)))
    assert boards.board(ENGLISH, table, table.game.view(), ()).count("🃏") == 4
    hidden = await started(tables, BEN, computers=3)
    assert "🃏" not in boards.board(ENGLISH, hidden, hidden.game.view(), ())
