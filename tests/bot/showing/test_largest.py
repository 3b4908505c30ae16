"""The largest panel and the longest text of every kind, in all languages: complete, within Discord's limits.

Eight players have names of 32 characters, each of which takes two in a message. What is too long for one message is on
several pages; nothing is cut.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.choosing import Asks, Decided, NoSuchPath, choose, list_offered
from bot.cup import CUP_NAME, Cup, CupCourse, CupEntry, CupPlan, CupStage, Format, Match, Outcome, Round, sides_of
from bot.cups.changes import change_system
from bot.cups.standings import Standing
from bot.cups.standings import standings as standings_of
from bot.delivery import notices as notices_of
from bot.guild_records import MOST_HOUSES, House
from bot.languages import Language, language_for
from bot.message import About
from bot.moment import Moment
from bot.occupants import Occupant, StandInReason
from bot.preferences import AwayHow, Preferences
from bot.proposal import Proposal, ProposalKind
from bot.results import ALL_SYSTEMS, Count, RankedLine
from bot.showing import controls, cup_panels, panels, terms
from bot.showing.choices import Go, PlayNow
from bot.showing.components import view_of
from bot.showing.dialogue import IN_WORDS, WHOLE, AskHint, AskWhy, Dialogue, HandNews
from bot.showing.paging import TURN, menu_page, nearest, pages, split_page
from bot.showing.panels import LABEL_LIMIT, LINE_LIMIT, MENU_LIMIT, Button, Menu, Panel, Reply, line
from bot.showing.presses import LONGEST, MOST, Press, parse
from bot.table import IN_DMS, Logged, Lost, SeatClock, SeatTable, Stage, Status, Table, Terms
from bot.texts import cups, guild, positions, stats
from bot.texts.dialogue import letter_of, letters_for
from bot.texts.markup import ALT_LIMIT, MESSAGE_LIMIT, escape
from bot.texts.names import NAME_LIMIT, house_rules
from bot.texts.public import boards, history, lobbies, notices, proposals
from engine import SYSTEMS, Game, Options, SeatGame
from engine import available_options as sensible
from engine.rules.options import Teams
from tests.bot.shown import Drawn, table_of
from tests.engine.staging import LARGEST, course, staged
from tests.spoken import IDS, MEASURED, longest_of

CARDS = {"classic": "X J 7 A 4 2", "family": "X J 7 A 4 2", "dobney": "X J 7 A 4 Q", "swiss": "X J 7 A 4 2"}
CARDS |= {"royal-basic": "switch 1-7 4 1/11 2", "royal": "switch 1-7 4 1/11 2", "tock": "J 7 5 A 2 3"}
CARDS |= {"keezen": "J 7 A 2 3 4", "jackaroo": "J 7 A 2 3"}
"""The cards of each system with which the most can be done."""


@pytest.fixture(autouse=True)
def nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail at a label that is too long for its place."""

    def shorten(text: str, limit: int) -> str:
        assert len(text) <= limit, text
        return text

    monkeypatch.setattr(panels, "shorten", shorten)


def name_of(seat: int) -> str:
    return f"Ｗ{seat}".ljust(NAME_LIMIT, "_")


def seated(table: Table, **changes: Any) -> Table:
    """A table whose people have the longest names and ids."""
    people = {seat: Occupant(name_of(seat), 10**18 + seat, **changes) for seat in table.seats}
    return replace(table, occupants=people, host_id=10**18, guild_id=10**18, channel_id=10**18)


def crowded(system: str, players: int, options: Options | None = None) -> Game:
    """A game in which all pieces stand on the track, within reach of each other."""
    board = Game.new(system, players, bytes(32)).board
    ranks = [rank.letter for rank in board.system.ranks] or [""] * 4
    pieces = {
        side: " ".join(
            f"{rank}{(board.start(side) + step) % board.length + 1}"
            for rank, step in zip(ranks, (2, 5, 8, 11), strict=True)
        )
        for side in board.seats
    }
    hands = dict.fromkeys(board.seats, "5 6 8 9 10 Q" if options else "") | {0: CARDS[system]}
    return staged(system, players, hands=hands, pieces=pieces, options=options)


OPEN = Options(teams=Teams.TWO, open_hands=True)
"""House rules with which all hands are shown, and four players have the same piece to warn of."""

GAMES = [*((system, players, None) for system, players in LARGEST), ("swiss", 8, OPEN)]


def check(reply: Reply) -> None:
    """The reply is one that Discord takes."""
    assert len(reply.content) <= MESSAGE_LIMIT
    assert reply.content.count("```") % 2 == 0
    assert len(reply.alt) <= ALT_LIMIT
    check_panel(reply.panel)


def check_panel(panel: Panel | None) -> None:
    # Discord's library refuses what does not fit into the rows.
    items = view_of(panel).children
    ids = [one.custom_id for one in items if getattr(one, "custom_id", None)]
    assert len(set(ids)) == len(ids)
    assert all(len(one) <= LONGEST and parse(one) is not None for one in ids)
    for item in () if panel is None else panel.items:
        if isinstance(item, Menu):
            assert 0 < len(item.lines) <= MENU_LIMIT
            assert len({one.value for one in item.lines}) == len(item.lines)
            assert all(0 < len(one.label) <= LINE_LIMIT for one in item.lines)
        else:
            assert 0 < len(item.label) <= LABEL_LIMIT


def pressed(reply: Reply) -> list[Press]:
    """Everything that the buttons and menus of a reply lead to."""
    found: list[Press] = []
    for item in () if reply.panel is None else reply.panel.items:
        if isinstance(item, Menu):
            found += [one for chosen in item.lines if (one := item.press.with_choice(int(chosen.value))) is not None]
        elif isinstance(item, Button) and not item.disabled:
            found.append(item.press)
    return found


async def read(talk: Dialogue, path: tuple[int, ...], note: str = "") -> list[Reply]:
    """All pages of a step, as its buttons lead to them."""
    found, following = [await talk.at(path, note)], True
    while following:
        onward = (press.path for press in pressed(found[-1]) if is_next(press, len(found) - bool(note)))
        here = split_page(next(onward, ()))[1]
        following = here is not None
        if here is not None:
            found.append(await talk.at((*path, TURN + here)))
    return found


def is_next(press: Press, at_least: int) -> bool:
    page = split_page(press.path)[1] if isinstance(press, Go) else None
    return page is not None and at_least <= page < WHOLE


def reached(found: Any, path: tuple[int, ...]) -> set[object]:
    """The actions that can still be chosen on a path."""
    step = choose(found, path)
    if isinstance(step, Decided):
        return {step.action}
    return {found[action] for answer in step.answers for action in answer.actions}


@pytest.mark.parametrize("look", ["slate", IN_WORDS])
@pytest.mark.parametrize(("system", "players", "options"), GAMES)
async def test_every_playable_action_is_on_a_page(
    system: str, players: int, options: Options | None, look: str
) -> None:
    """At the first question, and at those that lead to the most actions."""
    game = crowded(system, players, options)
    table = seated(table_of(game))
    seat = SeatTable(replace(table, terms=replace(table.terms, hints=True)), SeatGame(game, 0))
    found, ahead = list_offered(seat.game), {(): set(seat.game.legal)}
    for step in range(QUESTIONS):
        path = max(ahead, key=lambda one: len(ahead[one]))
        wanted = ahead.pop(path)
        for language in MEASURED:
            talk = Dialogue(Drawn(), language, seat, look, news=HandNews(undoable=True))  # type: ignore[arg-type]
            shown = await read(talk, path)
            presses = [one for reply in shown for one in pressed(reply) if isinstance(one, Go | PlayNow)]
            onward = {one.path for one in presses if len(split_page(one.path)[0]) > len(path)}
            for reply in shown:
                check(reply)
                if path:
                    assert any(isinstance(one, Go) and one.path == path[:-1] for one in pressed(reply)), "Back"
                else:
                    assert {AskHint, controls.Undo} <= {type(one) for one in pressed(reply)}
            if language is MEASURED[step % len(MEASURED)]:
                ends = {one: reached(found, one) for one in onward}
                assert set().union(*ends.values()) == wanted, path
        ahead |= {one: actions for one, actions in ends.items() if len(actions) > 1}


QUESTIONS = 4
"""The number of questions that are looked at."""


def words(shown: Iterable[Reply]) -> str:
    return "\n".join(reply.content for reply in shown)


@pytest.mark.parametrize(("system", "players", "options"), GAMES)
async def test_boards_in_words_are_complete(system: str, players: int, options: Options | None) -> None:
    game = crowded(system, players, options)
    table = seated(table_of(game))
    seat, counted = SeatTable(table, SeatGame(game, 0)), Counter[str]()
    for language in MEASURED:
        talk = Dialogue(Drawn(), language, seat, IN_WORDS)  # type: ignore[arg-type]
        for press in pressed(await talk.hand()):
            if not isinstance(press, Go):
                continue
            told, step = words(await read(talk, press.path)), choose(talk._choices.offered, press.path)
            if isinstance(step, Decided):
                after, before = seat.game.preview(step.chosen_as).placement, seat.game.view.pieces
                shown = {one for one in table.seats if sorted(after[one]) != sorted(before[one])}
                assert all(escape(name_of(one)) in told for one in shown)
                counted["changes"] += bool(shown)
            elif step.asks in (Asks.PIECE, Asks.MOVE):
                assert all(f"{one + 1}: {escape(name_of(one))}" in told for one in table.seats)
                counted["choices"] += 1
        everything = positions.board(language, table, game.view(None), (), room=MESSAGE_LIMIT)
        assert "".join(one.replace("```", "") for one in "".join(pages(everything)).split()) == "".join(
            one.replace("```", "") for one in everything.split()
        )
    assert counted.total()


async def longest_path(talk: Dialogue) -> tuple[int, ...]:
    """Return the choice of a hand that takes most pages."""
    found = [one.path for one in pressed(await talk.hand()) if isinstance(one, Go)]
    counted = {path: len(await read(talk, path)) for path in found}
    return max(counted, key=lambda path: counted[path])


async def test_words_said_once_do_not_move_the_pages() -> None:
    game = crowded("swiss", 8)
    seat = SeatTable(seated(table_of(game)), SeatGame(game, 0))
    talk = Dialogue(Drawn(), language_for("de"), seat, IN_WORDS)  # type: ignore[arg-type]
    path = await longest_path(talk)
    plain = await read(talk, path)
    assert len(plain) > 1
    for length in (20, 500, 1_900):
        note = "x" * length
        noted = await read(talk, path, note)
        for reply in noted:
            check(reply)
        assert [note in reply.content for reply in noted] == [True] + [False] * (len(noted) - 1)
        assert [reply.content for reply in noted][-len(plain) + 1 :] == [reply.content for reply in plain][1:]
        assert words(noted).count("```") == words(plain).count("```")


async def test_wrong_page_numbers_lead_to_the_nearest() -> None:
    game = crowded("swiss", 8)
    seat = SeatTable(seated(table_of(game)), SeatGame(game, 0))
    talk = Dialogue(Drawn(), language_for("de"), seat, IN_WORDS)  # type: ignore[arg-type]
    path = await longest_path(talk)
    shown = await read(talk, path)
    for page in (len(shown), 999, MOST - TURN):
        assert (await talk.at((*path, TURN + page))).content == shown[-1].content
    for wrong in ((TURN,) * 2, (TURN, 0), (99,)):
        with pytest.raises(NoSuchPath):
            await talk.at(wrong)
    assert [nearest(page, 3) for page in (-9, 0, 2, 3, MOST)] == [0, 0, 2, 2, 2]


async def test_pieces_beyond_z_have_marks() -> None:
    assert [letter_of(number) for number in (0, 15, 16, 17, 31, 32)] == ["E", "Z", "EE", "EF", "EZ", "FE"]
    game = crowded("swiss", 8)
    letters = letters_for(game.view(0), 0)
    assert len(letters) == len(set(letters.values())) == 32
    drawn = Ways()
    talk = Dialogue(drawn, language_for("en"), SeatTable(seated(table_of(game)), SeatGame(game, 0)), "slate")  # type: ignore[arg-type]
    path = next(one.path for one in pressed(await talk.hand()) if isinstance(one, Go) and is_jack(talk, one.path))
    shown = await read(talk, path)
    assert drawn.labels == letters
    assert drawn.ways == ()
    labels = [
        one.label for reply in shown for item in reply.panel.items if isinstance(item, Menu) for one in item.lines
    ]
    assert len(labels) == len(set(labels)) == 112


class Ways(Drawn):
    """Remembers the arrows, too."""

    ways: Sequence[Any] = (None,)

    async def preview(self, *words: Any, labels: Any = None, **named: Any) -> bytes:
        self.ways = tuple(named.get("ways", ()))
        return await super().preview(*words, labels=labels, **named)


def is_jack(talk: Dialogue, path: tuple[int, ...]) -> bool:
    return getattr(choose(talk._choices.offered, path), "card", "") == "J"


@pytest.mark.parametrize("look", ["slate", IN_WORDS])
@pytest.mark.parametrize(("system", "players"), LARGEST)
async def test_waiting_or_stuck_players_read_it_all(system: str, players: int, look: str) -> None:
    game = crowded(system, players)
    clock = SeatClock(Moment(0, 1), 10**18, Stage.AUTO, 0, 60, 60, due_at=50, ends_at=1_800_000_000)
    clocks = dict.fromkeys(game.seats, clock)
    table = replace(seated(table_of(game)), clocks=clocks, channel_id=IN_DMS, guild_id=IN_DMS)
    for language in MEASURED:
        waiting = Dialogue(Drawn(), language, SeatTable(table, SeatGame(game, 1)), look)  # type: ignore[arg-type]
        waiting.happened = [f"{'x' * 300} {number}" for number in range(3)]
        shown = await read(waiting, ())
        for reply in shown:
            check(reply)
        assert all(escape(name_of(seat)) in words(shown) for seat in game.seats)
        seat = SeatTable(table, SeatGame(game, 0))
        talk = Dialogue(Drawn(), language, seat, look)  # type: ignore[arg-type]
        for press in pressed(await talk.hand()):
            if isinstance(press, AskWhy):
                for text in pages((await talk.why()).content):
                    assert len(text) <= MESSAGE_LIMIT


def proposed(table: Table, kinds: Iterable[ProposalKind]) -> Table:
    users = tuple(who.user_id for who in table.occupants.values() if who.user_id is not None)
    found = {kind: Proposal(kind, 0, users[0], table.number, 1_800_000_000, users[1:], about=1) for kind in kinds}
    return replace(table, proposals=found)


@pytest.mark.parametrize("language", MEASURED, ids=IDS)
def test_public_panels_have_all_seats(language: Language) -> None:
    game = crowded("swiss", 8)
    table = seated(table_of(game))
    gone = {
        seat: replace(who, computer="normal", why=StandInReason.ABSENT) if seat else who
        for seat, who in table.occupants.items()
    }
    absent = replace(table, occupants=gone)
    panel = controls.board_panel(language, absent, in_words=True)
    check_panel(panel)
    assert {one.seat for one in pressed(Reply("", panel)) if isinstance(one, controls.Absent)} == set(range(1, 8))
    offered = replace(
        table, occupants={seat: replace(who, offered=True) if seat else who for seat, who in gone.items()}
    )
    for kinds in ((), ProposalKind):
        panel = controls.board_panel(language, proposed(offered, kinds), in_words=True)
        check_panel(panel)
        assert {one.seat for one in pressed(Reply("", panel)) if isinstance(one, controls.TakeOver)} == set(range(1, 8))
    clock = SeatClock(Moment(0, 1), 10**18, Stage.AUTO, 0, 60, 60, due_at=50, ends_at=1_800_000_000)
    late = replace(table, clocks=dict.fromkeys(game.seats, clock))
    panel = controls.time_up_panel(language, late, tuple(game.seats))
    check_panel(panel)
    assert {one.seat for one in pressed(Reply("", panel)) if isinstance(one, controls.Absent)} == set(game.seats)


@pytest.mark.parametrize("language", MEASURED, ids=IDS)
def test_hosts_menus_reach_all_house_rules(language: Language) -> None:
    game = crowded("swiss", 8)
    table = replace(seated(table_of(game)), status=Status.LOBBY, game=None)
    houses = [House(number, "W" * 40, Options()) for number in range(1, MOST_HOUSES + 1)]
    ahead, values, seen = [None], set[int](), set[object]()
    while ahead:
        reply = terms.arranging(language, table, houses, ahead.pop())
        check(reply)
        for press in pressed(reply):
            if isinstance(press, terms.Arrange) and press.part is terms.TermsPart.HOUSE:
                if press.turns is None:
                    values.add(press.value or 0)
                elif press.turns not in seen:
                    seen.add(press.turns)
                    ahead.append(press.turns)
    assert {value for value in values if value < MOST_HOUSES} == set(range(MOST_HOUSES))
    choices = terms.list_choices(language, table, terms.TermsPart.HOUSE, houses)
    offered = [(terms.chosen(choices, value) or {})["options"] for value in values if value >= MOST_HOUSES]
    rules = {name for options in offered for name in terms.RULES if getattr(options, name)}
    assert rules == set(terms.RULES) & set(sensible(SYSTEMS["swiss"], 8))


def test_menu_of_any_length_reaches_all_lines() -> None:
    language = language_for("en")
    for count in (1, 25, 26, 48, 49, 70, 400):
        lines, page, found = [line(str(number), number) for number in range(count)], 0, []
        while True:
            shown = menu_page(language, lines, page)
            assert len(shown) <= MENU_LIMIT
            found += [one.value for one in shown if int(one.value) < TURN]
            if int(shown[-1].value) < TURN:
                break
            page = int(shown[-1].value) - TURN
        assert found == [str(number) for number in range(count)]
        assert menu_page(language, lines, 99) == menu_page(language, lines, page)


def long_board(language: Language, table: Table, game: Game) -> tuple[list[str], dict[str, Any]]:
    """A story and whatever else may stand on a board at the same time."""
    story = [f"{number} {name_of(number % 8)} {'x' * 100}" for number in range(30)]
    return story, {"undone": 3, "left": [f"left {number} {'x' * 150}" for number in range(12)]}


@pytest.mark.parametrize("language", MEASURED, ids=IDS)
def test_public_texts_say_where_the_rest_is_told(language: Language) -> None:
    game = crowded("swiss", 8, OPEN)
    table = replace(seated(table_of(game), contribution="_" * 60), announced="_" * 300, commitment=bytes(32))
    users = [10**18 + seat for seat in game.seats]
    clocks = {
        seat: SeatClock(Moment(0, 1), 10**18, Stage.HALF, 0, 60, 60, due_at=50, ends_at=1_800_000_000 + seat)
        for seat in game.seats
    }
    late = {seat: replace(clock, stage=Stage.AUTO) for seat, clock in clocks.items()}
    silent = {seat: replace(clock, stage=Stage.NONE) for seat, clock in clocks.items()}
    mixed = {**late, **dict(list(silent.items())[::2])}
    ping = " ".join(f"<@{user}>" for user in users)
    rated = seated(table_of(crowded("swiss", 8)), missed=2)
    assert rated.is_rated
    for found in (late, silent, mixed):
        up = replace(rated, clocks=found)
        told = f"{notices.time_up(language, up, found)}\n{ping}"
        assert len(told) <= MESSAGE_LIMIT
        assert all(escape(name_of(seat)) in told for seat in game.seats)
    for kind in ProposalKind:
        told = proposals.proposal_message(language, proposed(rated, (kind,)), kind, users)
        assert len(told) <= MESSAGE_LIMIT
    prefers = {user: Preferences(user) for user in range(10**18, 10**18 + 12)}
    waiting = replace(rated, clocks=clocks)
    seats = dict(zip(game.seats, users, strict=True))
    marks = {seat: str(user) for seat, user in seats.items()}
    for beside in (
        notices_of.reminder(waiting, seats, prefers),
        notices_of.nudge(waiting, seats, prefers, name_of(0)),
        notices_of.not_reached(waiting, seats),
        notices_of.state(replace(rated, lost=Lost.PERMISSIONS), About.LOST, {0: ""}, prefers, ()),
        notices_of.state(rated, About.HANDED, marks, prefers, ()),
        notices_of.invitation(rated, users, prefers, name_of(0)),
        notices_of.table_found(rated, [*users, *range(10**18 + 8, 10**18 + 12)], prefers),
    ):
        assert beside is not None
        assert len(beside.text) <= MESSAGE_LIMIT
        assert all(f"<@{user}>" in beside.text for user in users)
    away = {user: Preferences(user, away_until=1_800_000_000, away_how=AwayHow.SLOW) for user in users}
    story, more = long_board(language, table, game)
    for shown in (replace(table, clocks=clocks), replace(table, clocks=late), proposed(table, ProposalKind)):
        told = boards.board(language, shown, game.view(), story, away, **more)
        whole = boards.board(language, shown, game.view(), story, away, whole=True, **more)
        assert len(told) <= MESSAGE_LIMIT < len(whole)
        assert language.t("… See the rest: `/dog history`, `/dog board`.") in told
        assert boards.status_line(language, shown, game.view(), list(away)) in told
        assert all(one in whole for one in (*story, *more["left"]))
    past = boards.add_new_place(language, table, boards.past(language, story))
    assert len(past) <= MESSAGE_LIMIT
    rules = Options(**{name: True for name in sensible(SYSTEMS["swiss"], 8) if name != "teams"}, teams=Teams.TWO)
    lobby = replace(table, status=Status.LOBBY, game=None, terms=replace(table.terms, options=rules))
    told, whole = lobbies.lobby(language, lobby), lobbies.lobby(language, lobby, whole=True)
    assert len(told) <= MESSAGE_LIMIT
    assert all(escape(name_of(seat)) in told for seat in game.seats)
    for rest in (whole, lobbies.settings(language, lobby, None)):
        assert rest.count("🏠") == len(house_rules(rules)), "a sentence for each rule, and no label"


@pytest.mark.parametrize("language", MEASURED, ids=IDS)
def test_histories_and_lists_are_complete_on_several_pages(language: Language) -> None:
    dice = random.Random(8)
    states = course(Game.new("swiss", 8, bytes(32)), dice, 120)
    table = seated(table_of(states[-1]))
    log = [Logged(number, seat, str(10**18 + seat), 0) for number, (seat, _) in enumerate(states[-1].log, 1)]
    found = history.pages(language, table, states[-1].history(0), (), log)
    assert len(found) > 1
    head = history.head(language, table, len(found) - 1, len(found))
    assert all(len(f"{head}\n{page}") <= MESSAGE_LIMIT for page in found)
    houses = [House(number, "_" * 40, OPEN) for number in range(1, MOST_HOUSES + 1)]
    best = [RankedLine(user, "_" * 32, 1.0, 1.0, Count(9, 3), True) for user in range(30)]
    for told, names in (
        (guild.houses(language, houses, 1), [escape("_" * 40)] * MOST_HOUSES),
        (guild.off_leaderboard(language, range(10**18, 10**18 + 200)), [str(10**18 + 199)]),
        (stats.ranking(language, best, ALL_SYSTEMS, ""), [escape("_" * 32)]),
    ):
        shown = pages(told)
        assert all(len(page) <= MESSAGE_LIMIT for page in shown)
        assert "\n".join(shown) == told
        assert all(name in told for name in names)


def test_pages_end_at_lines_outside_blocks() -> None:
    dice = random.Random(3)
    for _ in range(200):
        parts = []
        for _ in range(dice.randrange(1, 12)):
            lines = ["word " * dice.randrange(1, 12) + str(dice.random()) for _ in range(dice.randrange(1, 9))]
            parts.append("```\n{}\n```".format("\n".join(lines)) if dice.random() < 0.4 else "\n".join(lines))
        text = "\n".join(parts)
        for limit in (100, 300, 2_000):
            found = pages(text, limit)
            assert all(len(page) <= limit and page.count("```") % 2 == 0 for page in found)
            assert " ".join("\n".join(found).replace("```", " ").split()) == " ".join(text.replace("```", " ").split())
    assert pages("x" * 4_500) == ["x" * 2_000, "x" * 2_000, "x" * 500]


def crowd(kind: Format, course: CupCourse, system: str, players: int, teams: Teams | None) -> Cup:
    """A cup with as many players as can enter, all with long names, in its last round; no table has ended."""
    terms_ = Terms(system=system, players=players, options=Options(teams=teams), pace="8h+3d")
    plan = CupPlan(terms_, kind, course, best_of=3 if course is CupCourse.KNOCKOUT else 1, cap=8)
    names = {number: name_of(number) for number in range(1, plan.most + 1)}
    entries = {
        number: CupEntry(
            number, 10**18 + number, name, partner=None if plan.size == 1 else number - 1 + 2 * (number % 2)
        )
        for number, name in names.items()
    }
    sides, per = sides_of(plan, entries, 1), plan.sides_at_table
    tables = [
        tuple(number for side in sides[first : first + per] for number in side) for first in range(0, len(sides), per)
    ]
    seated_ = [
        tuple(tuple(numbers[seat] for seat in team) for team in plan.teams)
        for numbers in tables
        if len(numbers) == players
    ]
    matches = tuple(Match(each, (number,)) for number, each in enumerate(seated_, start=1))
    over = tuple(replace(match, outcomes=(Outcome(0, (4,) * len(match.teams)),)) for match in matches)
    rounds = (*[Round(over, sides[:40], 10**9)] * 14, Round(matches, sides[:40], 10**9))
    name = "_" * CUP_NAME
    return Cup(7, 1, 2, 3, name, CupStage.RUNNING, plan, bytes(32), 1, 0, 10**9, rounds=rounds, entries=entries)


@pytest.mark.parametrize("language", longest_of("bot/texts/cups.py", "bot/texts/cup_rules.py"), ids=IDS)
@pytest.mark.parametrize(
    ("kind", "course", "system", "players", "teams"),
    [
        (Format.DRAWN, CupCourse.SWISS, "classic", 4, None),
        (Format.PAIRS, CupCourse.ALL, "classic", 4, None),
        (Format.ALONE, CupCourse.SWISS, "keezen", 8, Teams.ALONE),
    ],
)
def test_cups_say_all_within_the_limits(
    language: Language, kind: Format, course: CupCourse, system: str, players: int, teams: Teams | None
) -> None:
    cup = crowd(kind, course, system, players, teams)
    places = {game: 10**18 for match in cup.rounds[-1].matches for game in match.games}
    lines = standings_of(cup.plan, cup.seed, cup.all_sides, cup.rounds)
    told = [
        cups.opened(language, replace(cup, stage=CupStage.OPEN, rounds=())),
        cups.round_begins(language, cup, places),
        cups.in_thread(language, cup, cup.rounds[-1].matches[0], [10**18] * players),
        cups.to_decide(language, cup),
        cups.ended(language, replace(cup, stage=CupStage.OVER), lines),
    ]
    for text in told:
        assert len(text) <= MESSAGE_LIMIT
    assert "`/dog " in told[1].rpartition("\n")[2], "the tables that have no room are told elsewhere"
    whole = cups.view(language, cup, None, {})
    entered = cups.view(language, replace(cup, stage=CupStage.OPEN, rounds=()), None, {})
    for number, entry in cup.entries.items():
        assert escape(entry.name) in entered
        assert escape(entry.name) in whole or all(number not in match.players for match in cup.rounds[-1].matches)
    games = {match.games[-1]: (match.games[-1], Status.PLAYING) for match in cup.rounds[-1].matches}
    others = [replace(cup, id=number) for number in range(8)]
    for reply in (
        cup_panels.planning(language, replace(cup, stage=CupStage.DRAFT)),
        Reply("", cup_panels.in_private(language, cup, None, others, games, runs=True, decides=True)),
    ):
        check(reply)


@pytest.mark.parametrize("language", MEASURED, ids=IDS)
def test_ladders_say_all_within_the_limits(language: Language) -> None:
    crowded = crowd(Format.ALONE, CupCourse.SWISS, "keezen", 8, Teams.ALONE)
    plan = replace(crowded.plan, course=CupCourse.LADDER, any_rules=True, again=True)
    cup = replace(crowded, plan=plan, rounds=(replace(crowded.rounds[0], ends_at=10**9),))
    lines = [Standing(number, (number,), 1_234, 12, 34, home=128) for number in cup.entries]
    for text in (cups.opened(language, cup), cups.ended(language, replace(cup, stage=CupStage.OVER), lines)):
        assert len(text) <= MESSAGE_LIMIT
    assert escape(cup.entries[128].name) in cups.view(language, cup, cup.entries[1], {})
    others = [replace(cup, id=number) for number in range(8)]
    for reply in (
        cup_panels.planning(language, replace(cup, stage=CupStage.DRAFT)),
        Reply("", cup_panels.in_private(language, cup, cup.entries[1], others, {}, runs=True, decides=True)),
    ):
        check(reply)


@pytest.mark.parametrize("language", MEASURED, ids=IDS)
def test_every_system_can_be_planned(language: Language) -> None:
    for system in SYSTEMS:
        draft = Cup(7, 1, 2, 3, "W" * CUP_NAME, CupStage.DRAFT, change_system(CupPlan(), system), b"", 1, 0, 10**9)
        check(cup_panels.planning(language, draft))
