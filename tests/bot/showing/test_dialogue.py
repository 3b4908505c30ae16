"""The private dialogue as values, without Discord: what it asks, and with which buttons and letters."""

import random
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.choosing import Decided, Question, choose, list_offered
from bot.delivery.hands import Hands
from bot.errors import Busy
from bot.languages import Language
from bot.occupants import Occupant
from bot.plans import Plan
from bot.preferences import Preferences
from bot.showing.choices import AT_ONCE, Go, PlayNow
from bot.showing.dialogue import IN_WORDS, Dialogue, HandNews
from bot.showing.panels import Button, Menu, Reply, Style
from bot.showing.pictures import Pictures
from bot.table import Automatic, SeatTable, Status
from bot.tables.courses import Course, PublicCourse
from bot.texts import positions, refusals
from bot.texts.names import MARKS, Names, card_name, card_sign, printed, the_card
from bot.texts.public.history import MOST_SINCE, before_and_after, since, story
from engine import SYSTEMS, Action, ActionKind, EventKind, Game, Options, Phase, Reason, SeatGame, View
from engine.rules.cards import Forward, Split
from engine.rules.options import Teams
from engine.rules.placement import place_of
from tests.bot.shown import Drawn, leads_to, paths, rows, table_of
from tests.engine.staging import LARGEST, course, crowded, staged

ENGLISH = Language("en")


class TooMany(Drawn):
    """Draws nothing, because too many are waiting for pictures already."""

    async def preview(self, *words: Any, labels: Any = None, **named: Any) -> bytes:
        raise Busy

    async def hand(self, *words: Any, **named: Any) -> bytes:
        raise Busy


def dialogue(game: Game, seat: int, pictures: Drawn | None = None, **more: Any) -> Dialogue:
    seated = SeatTable(table_of(game), SeatGame(game, seat))
    news = HandNews(**{each.name: more.pop(each.name) for each in fields(HandNews) if each.name in more})
    return Dialogue(pictures or Drawn(), ENGLISH, seated, more.pop("theme", "slate"), news=news, **more)  # type: ignore[arg-type]


def states(system: str, players: int, seeds: range = range(60)) -> Iterator[Game]:
    """The states of random games; captures and sevens turn up sooner or later."""
    for dice in map(random.Random, seeds):
        yield from (one for one in course(Game.new(system, players, dice.randbytes(32)), dice, 150) if one.to_act)


def first_state(system: str, players: int, wanted: Callable[[View], bool]) -> tuple[Game, int]:
    for game in states(system, players):
        for seat in game.to_act:
            if wanted(game.view(seat)):
                return game, seat
    raise AssertionError("no such state")


def buttons(reply: Reply, verb: str) -> list[Button]:
    return [one for one in reply.panel.items if isinstance(one, Button) and one.press.verb == verb]


async def on_the_way(game: Game, seat: int, action: Action, drawn: Drawn | None = None) -> list[Reply]:
    """What is shown on the shortest way to an action, up to the reply with the button that takes it."""
    talk, found = dialogue(game, seat, drawn), list_offered(SeatGame(game, seat))
    path, shown = (), list[Reply]()
    while True:
        shown.append(await talk.at(path))
        pressed = paths(shown[-1])
        ready = [one for one, now in pressed if now and talk.chosen(one).action == action]
        if ready:
            return shown
        ends = [one for one, _ in pressed if len(one) > len(path) and leads_to(found, one, action)]
        path = max(ends, key=len)


def most_presses(game: Game, seat: int, action: Action) -> int:
    """How many presses an action may take: two for a card with one effect, one more for a choice and for each part.

    A joker takes one more, and so does a card that four pieces share.
    """
    cards = game.system.cards
    played = cards[action.named or action.card or ""]
    shares = len(action.parts) > 1 or any(isinstance(power, Split) for power in played.powers)
    many = len([power for power in played.powers if isinstance(power, Forward)]) > 2
    named = cards[action.card or ""].wild
    alone = sum(one.card == action.card for one in game.legal(seat)) == 1
    crowded = sum(place_of(piece) != "-" for piece in game.view(seat).pieces[seat]) > 3
    extra = len(action.parts) + (shares and crowded) if shares or many else 0
    return (2 if alone else 3) + extra + (named and not alone)


@pytest.mark.parametrize(("system", "players"), LARGEST)
async def test_presses_are_counted_in_a_game(system: str, players: int) -> None:
    """Of forty turns, most take at most two presses; none takes more than it deserves.

    Each card is as likely to be played: the forty ways to share out a seven are not forty turns.
    """
    dice, counted = random.Random(players), list[int]()
    states = course(Game.new(system, players, dice.randbytes(32)), dice, 300)
    for game in dice.sample(states, len(states)):
        if game.phase is not Phase.TURN or len(counted) == 40:
            continue
        (seat,) = game.to_act
        legal = game.legal(seat)
        if legal[0].kind is not ActionKind.PLAY:
            continue
        card = dice.choice(sorted({one.card or "" for one in legal}))
        action = dice.choice([one for one in legal if (one.card or "") == card])
        took = len(await on_the_way(game, seat, action))
        assert took <= most_presses(game, seat, action), action
        counted.append(took)
    assert sum(took <= 2 for took in counted) >= 0.75 * len(counted)


async def test_few_moves_are_listed_directly_many_by_card() -> None:
    game = staged("classic", 4, hands={0: "5 6 K", 1: "2"}, pieces={0: "12 20"})
    labels = [one.label for one in buttons(await dialogue(game, 0).hand(), "go")]
    assert labels == [
        *("King: out to 1", "5: 12 → 17", "5: 20 → 25", "6: 12 → 18", "6: 20 → 26", "King: 12 → 25"),
        "King: 20 → 33",
    ]
    game = staged("classic", 4, hands={0: "5 7 K", 1: "2"}, pieces={0: "12 20"})
    labels = [one.label for one in buttons(await dialogue(game, 0).hand(), "go")]
    assert labels == ["King: out to 1", "5: 12 → 17", "5: 20 → 25", "King: 12 → 25", "King: 20 → 33", "7 …"]


async def test_letters_mean_pieces_and_numbers_spaces() -> None:
    game = staged("classic", 4, hands={0: "7", 1: "2"}, pieces={0: "12 25"})
    drawn = Drawn()
    reply = await dialogue(game, 0, drawn).at(())
    assert [one.label for one in buttons(reply, "go")] == ["E · 12 …", "E: +7 → 19", "F · 25 …", "F: +7 → 32"]
    assert "E · 12 … E: +7 → 19." in reply.alt
    assert drawn.labels == {(0, "12"): "E", (0, "25"): "F"}
    reply = await dialogue(game, 0, drawn).at((0,))
    assert [one.label for one in buttons(reply, "go")][:3] == [
        "E: +1 → 13, F: +6 → 31",
        "E: +2 → 14, F: +5 → 30",
        "E: +3 → 15, F: +4 → 29",
    ]
    assert drawn.labels == {(0, "12"): "E", **{(0, str(12 + steps)): str(steps) for steps in range(1, 8)}}
    assert "how far does E go?" in reply.content
    said = [reply.alt.index(one.label) for one in buttons(reply, "go") if one.label != "Back"]
    assert said == sorted(said), "the alt text has the order of the buttons"


async def test_each_split_is_offered_once() -> None:
    game = staged("classic", 4, hands={0: "7", 1: "2"}, pieces={0: "12 25 40"})
    found = list_offered(SeatGame(game, 0))
    first = choose(found, (0,))
    assert isinstance(first, Question)
    steps = [one.label for one in buttons(await dialogue(game, 0).at((0,)), "go")]
    assert steps[:3] == ["1 space → 13", "2 spaces → 14", "3 spaces → 15"]
    five = next(index for index, answer in enumerate(first.answers) if str(answer.value) == "12>17")
    reply = await dialogue(game, 0).at((0, five))
    assert [one.label for one in buttons(reply, "go")][:-1] == ["F: +1 → 26, G: +1 → 41", "F: +2 → 27", "G: +2 → 42"]
    assert "2 spaces left" in reply.content
    for path in [(), (0,), (0, five)]:
        ends = [choose(found, one) for one, _ in paths(await dialogue(game, 0).at(path)) if len(one) > len(path)]
        whole = [end.action for end in ends if isinstance(end, Decided)]
        assert len(whole) == len(set(whole))


async def test_pieces_of_unlisted_ways_have_letters() -> None:
    drawn = Drawn()
    talk = dialogue(crowded("7"), 0, drawn)
    asked = await talk.at(())
    assert len(drawn.labels) == 16
    found = [one for one, _ in paths(asked) if one]
    assert sorted(found) == [(number,) for number in range(16)], "each piece once, in a menu"


async def test_owner_of_a_captured_piece_is_named() -> None:
    game = staged("dobney", 4, hands={0: "5 6 8", 1: "2"}, pieces={0: "12 17", 1: "20", 2: "18"})
    hand = await dialogue(game, 0).hand()
    marked = {one.label: (one.press, one.style) for one in buttons(hand, "go")}
    assert marked["5: 12 → 17 ⚠ your own"][1] is Style.DANGER
    assert marked["6: 12 → 18 ⚠ your partner's"][1] is Style.DANGER
    assert marked["8: 12 → 20 ⚔ Member 1"][1] is Style.MAIN
    assert [one.style for one in buttons(hand, "go")][-2:] == [Style.DANGER] * 2, "likely moves come first"
    said = {}
    for label, (press, _style) in marked.items():
        assert isinstance(press, Go)
        reply = await dialogue(game, 0).at(press.path)
        said[label] = reply.content.splitlines()[-1]
        assert ("⚠" in reply.alt) is ("⚠" in label)
        assert buttons(reply, "play")[0].style is (Style.DANGER if "⚠" in label else Style.YES)
    assert said["5: 12 → 17 ⚠ your own"] == "**5**: 12 → 17 (sends back ⚠ **your own piece on 17**)."
    assert "⚠ **your partner's piece on 18**" in said["6: 12 → 18 ⚠ your partner's"]
    assert said["8: 12 → 20 ⚔ Member 1"].endswith("(sends back ⚔ Member 1's piece on 20).")


async def test_captured_partner_is_named_among_two() -> None:
    teams = Options(teams=Teams.TWO)
    game = staged("swiss", 6, hands={0: "5 6", 1: "2"}, pieces={0: "12", 2: "17", 4: "18"}, options=teams)
    labels = {one.label: one.press for one in buttons(await dialogue(game, 0).hand(), "go")}
    assert {"5: 12 → 17 ⚠ your partner's (Member 2)", "6: 12 → 18 ⚠ your partner's (Member 4)"} <= set(labels)
    press = labels["5: 12 → 17 ⚠ your partner's (Member 2)"]
    assert isinstance(press, Go)
    assert "⚠ **your partner's piece on 17** (Member 2)" in (await dialogue(game, 0).at(press.path)).content


async def test_a_move_backwards_says_so() -> None:
    game = staged("classic", 4, hands={0: "4", 1: "2"}, pieces={0: "12"})
    assert [one.label for one in buttons(await dialogue(game, 0).hand(), "go")] == [
        "12 → 16",
        "backwards 12 → 8",
    ]


async def test_joker_and_jack_ask_in_their_own_words() -> None:
    game = staged("classic", 4, hands={0: "X", 1: "2"}, pieces={0: "12 20", 1: "30 31 50", 2: "60 3", 3: "40 41"})
    named = choose(list_offered(SeatGame(game, 0)))
    assert isinstance(named, Question)
    paths_of = {answer.value: (index,) for index, answer in enumerate(named.answers)}
    asked = {card: (await dialogue(game, 0).at(path)).content.splitlines()[-1] for card, path in paths_of.items()}
    assert asked["8"] == "Joker as 8: which piece?"
    assert asked["J"] == "Joker as jack: which pieces will you swap?"
    assert asked["7"] == "Joker as 7: which piece moves first?"
    outs = [(await dialogue(game, 0).at(paths_of[card])).panel for card in "AK"]
    assert all(panel is not None and "out to " in str(panel.items) for panel in outs)


async def test_only_playable_card_is_chosen_and_others_explained() -> None:
    game, seat = first_state(
        "classic",
        4,
        lambda view: (
            view.phase is Phase.TURN
            and len({action.card for action in view.legal}) == 1
            and len(set(view.hand or ())) > 1
        ),
    )
    view = game.view(seat)
    (card,) = {action.card for action in view.legal}
    reply = await dialogue(game, seat).hand()
    assert len(buttons(reply, "why")) == 1
    assert card is not None


async def test_back_leads_to_the_screen_before() -> None:
    talk = dialogue(staged("classic", 4, hands={0: "K 7 X 3"}, pieces={0: "32 20"}), 0)
    screens, seen = [()], set[tuple[int, ...]]()
    while screens and len(seen) < 60:
        shown = screens.pop()
        for button in buttons(await talk.at(shown), "go"):
            path = button.press.path
            if len(path) > len(shown) and path not in seen:
                seen.add(path)
                screens.append(path)
                (back,) = [one.press.path for one in buttons(await talk.at(path), "go") if one.label == "Back"]
                assert back == shown
    assert any(len(path) > 2 for path in seen)


async def test_back_after_a_hint_leads_to_the_hand() -> None:
    game = staged("classic", 4, hands={0: "K 7 X 3"}, pieces={0: "32 20"})
    talk = dialogue(game, 0)
    for action in game.legal(0):
        (back,) = [one for one in buttons(await talk.suggested(action, "💡"), "go") if one.label == "Back"]
        assert back.press.path == ()


async def test_forced_actions_happen_at_once() -> None:
    game, seat = first_state(
        "royal", 3, lambda view: any(a.kind is ActionKind.DISCARD for a in view.legal) and len(set(view.hand or ())) > 1
    )
    assert len(buttons(await dialogue(game, seat).hand(), "play")) == len(set(game.view(seat).hand or ()))
    game, seat = first_state("family", 4, lambda view: any(a.kind is ActionKind.NONE for a in view.legal))
    assert [one.label for one in buttons(await dialogue(game, seat).hand(), "play")] == ["Go on without help"]
    assert {ActionKind.DISCARD, ActionKind.NONE} == AT_ONCE


async def test_what_was_drawn_is_said_and_marked() -> None:
    for before in states("royal", 3, range(6)):
        seat = before.to_act[0]
        for action in before.legal(seat):
            after = before.play(seat, action)
            cards = SeatGame(after, seat).cards_drawn_since(SeatGame(before, seat))
            if cards and action.kind is ActionKind.DISCARD:
                assert len(cards) == 1
                drawn = Drawn()
                assert "You drew the " in (await dialogue(after, seat, drawn, drawn=cards).hand()).content
                if drawn.marked:
                    assert drawn.marked == frozenset(cards)
                    return
    raise AssertionError("nobody drew")


async def test_exchanged_card_is_announced_and_marked() -> None:
    game, seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN and view.got is not None)
    other = next(one for one in game.seats if one != seat)
    for one in (seat, other):
        drawn = Drawn()
        view = game.view(one)
        told = f" {the_card(ENGLISH, view.gave)} and got {the_card(ENGLISH, view.got)}."
        assert told in (await dialogue(game, one, drawn).hand()).content
        if drawn.marked:
            assert drawn.marked == {view.got}


async def test_a_jump_names_its_target() -> None:
    game, seat = first_state("royal", 4, lambda view: view.phase is Phase.JUMP)
    jump = next(action for action in game.legal(seat) if action.kind is ActionKind.JUMP)
    target = game.preview(seat, jump).steps[0].target
    assert f"Jump ahead to {target}" in [one.label for one in buttons(await dialogue(game, seat).hand(), "go")]


async def test_a_royal_swap_names_both_ranks() -> None:
    game, seat = first_state("royal", 4, lambda view: any(part.swap for a in view.legal for part in a.parts))
    view = game.view(seat)
    swap = next(a for a in view.legal if any(part.swap for part in a.parts))
    step = game.preview(seat, swap).steps[0]
    owner, place = step.other
    assert f"{step.other_rank}{place}" in {piece.rstrip("*") for piece in view.pieces[owner]}


@pytest.mark.parametrize("system", sorted(SYSTEMS))
async def test_no_reply_is_larger_than_a_message_bears(system: str) -> None:
    players = SYSTEMS[system].players[-1]
    for number, game in enumerate(states(system, players, range(1))):
        if number % 7:
            continue
        for seat in game.to_act:
            step = choose(game.view(seat).legal)
            paths = [()] if not isinstance(step, Question) else [(), *((i,) for i in range(len(step.answers)))]
            for path in paths:
                reply = await dialogue(game, seat, undoable=True, in_dm=True).at(path)
                menus = [item for item in reply.panel.items if isinstance(item, Menu)]
                assert len(menus) + -(-(len(reply.panel.items) - len(menus)) // 5) <= 5
                assert len(reply.content) <= 2000


async def test_words_replace_pictures_when_too_many_wait() -> None:
    game, seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN and len(view.legal) > 3)
    busy = dialogue(game, seat, TooMany())
    said = await busy.hand()
    assert said.picture is None
    assert said.panel == (await dialogue(game, seat).hand()).panel
    for card in game.view(seat).hand or ():
        assert card_name(ENGLISH, card) in said.content
    assert " to lane a" not in said.content
    assert " to lane a" in (await dialogue(game, seat, TooMany(), in_dm=True).hand()).content, "no board is above"
    step, path = choose(game.view(seat).legal), list[int]()
    while isinstance(step, Question):
        path.append(0)
        step = choose(game.view(seat).legal, path)
    told, drawn = await busy.at(path), await dialogue(game, seat).at(path)
    assert told.picture is None
    assert drawn.picture is not None
    assert len(told.content) > len(drawn.content), "the board stands there in words"
    assert told.panel == drawn.panel


async def test_nothing_acts_where_play_has_just_been_pressed() -> None:
    game, seat = first_state("family", 4, lambda view: any(a.kind is ActionKind.NONE for a in view.legal))
    reply = await dialogue(game, seat).after()
    rows = {item.row: isinstance(item.press, PlayNow) for item in reply.panel.items if isinstance(item, Button)}
    assert rows == {0: False, 1: True}
    alone = staged("classic", 4, hands={0: "5", 1: "2"}, pieces={0: "12"})
    assert buttons(await dialogue(alone, 0).hand(), "play")[0].row is None
    only = await dialogue(alone, 0).after()
    assert buttons(only, "play")[0].row is None, "a second press takes the only action"
    assert not buttons(only, "history"), "the board above has it"
    assert len(buttons(await dialogue(alone, 0, in_dm=True).after(), "history")) == 1


@pytest.mark.parametrize("in_dm", [False, True])
@pytest.mark.parametrize("pieces", ["12", "12 20"])
async def test_only_move_stands_with_the_whole_hand(pieces: str, in_dm: bool) -> None:
    """Also the only card that can be played, when it asks at once which piece moves."""
    game, drawn = staged("classic", 4, hands={0: "5 J", 1: "2"}, pieces={0: pieces}), Drawn()
    talk = dialogue(game, 0, drawn, in_dm=in_dm)
    reply = await talk.hand()
    assert drawn.below is not None
    assert (drawn.below.cards, drawn.below.playable) == (game.view(0).hand, {"5"})
    assert reply.alt.endswith("Your hand: 5 and jack.")
    first = next(path for path, _now in paths(reply))
    if first:
        await talk.at(first)
        assert drawn.below is None, "the way back leads to the hand"
    assert "Your hand: 5 and jack." in (await dialogue(game, 0, theme=IN_WORDS).hand()).content


async def test_hand_tells_what_happened_to_it_meanwhile() -> None:
    for game in states("classic", 4):
        folds = [entry for entry in game.history(1) if any(event.kind is EventKind.FOLDED for event in entry.events)]
        if folds and folds[0].seat is not None:
            fold, course = folds[0], PublicCourse(Course((game,)))
            break
    seat = fold.seat
    table, log = table_of(game), rows(game)
    told = refusals.happened(ENGLISH, table, seat, (fold,), log, course.why_folded)
    cards = next(event.cards for event in fold.events if event.kind is EventKind.FOLDED)
    assert told[0].startswith("You couldn't play: ")
    assert " ".join(printed(ENGLISH, card) for card in cards) in told[0]
    assert told[0].count(". "), "and why"
    computer = [replace(row, actor=Automatic.CLOCK) for row in log]
    played = next(one for one in game.history(1) if any(event.kind is EventKind.PLAYED for event in one.events))
    (line,) = refusals.happened(ENGLISH, table, played.seat or 0, (played,), computer, course.why_folded)
    assert line.startswith("🤖 Played for you: ")
    assert refusals.happened(ENGLISH, table, played.seat or 0, (played,), log, course.why_folded) == []
    assert line in (await dialogue(game, game.to_act[0], happened=(line,)).hand()).content


def test_reasons_say_nothing_of_pieces_that_are_done() -> None:
    names = Names.of(table_of(Game.new("classic", 4, bytes(32))), ENGLISH)
    home, lane = (Reason("lane_overrun", {"side": 0, "place": place, "steps": 9}) for place in "db")
    swap = (Reason("in_kennel", {}), Reason("no_own_swap", {}))
    told = [refusals.in_words(ENGLISH, names, 0, why) for why in ((home, lane), (home,), swap, ())]
    assert told[0] == ["Your piece on lane b doesn't have 9 spaces left in the lane."]
    assert told[1:] == [["You have no piece on the track."], ["You have no piece on the track."], []]


async def test_ways_of_one_length_begin_with_their_origin() -> None:
    shown = dialogue(staged("classic", 4, hands={0: "3 4"}, pieces={0: "64"}), 0)
    labels = [button.label for button in buttons(await shown.hand(), "go")]
    fours = [label for label in labels if label.startswith("4: ")]
    assert len(fours) == 3
    assert all("64" in label for label in fours)


def test_hand_names_what_was_done_in_every_round() -> None:
    game = next(each for each in states("classic", 4) if each.round == 6)
    table, entries, why = table_of(game), game.history(1), PublicCourse(Course((game,))).why_folded
    computer = [replace(row, actor=Automatic.CLOCK) for row in rows(game)]
    told = refusals.happened(ENGLISH, table, 0, entries, computer, why)
    assert [line.split(":")[0].split(",")[0] for line in told] == ["Before that", "Round 3", "Round 4", "Round 5"]
    assert all("🤖 A computer gave 🟢 **Member 2** a card for you." in line for line in told[1:])
    forced = {each.number for each in entries if each.kind is ActionKind.PLAY}
    folded = "You couldn't play"
    for line in refusals.happened(ENGLISH, table, 0, entries, rows(game), why, forced):
        assert line.startswith("Before that") or "(`/dog me forced`)" in line or folded in line


def test_board_tells_that_a_computer_chose_a_card() -> None:
    game = next(each for each in states("classic", 4) if each.phase is Phase.TURN)
    table, entries = table_of(game), game.history(1)
    gifts = [entry for entry in entries if any(event.kind is EventKind.GAVE for event in entry.events)]
    late = gifts[-1].number
    log = [replace(row, actor=Automatic.CLOCK) if row.number == late else row for row in rows(game)]
    told = [line for line in story(ENGLISH, table, entries, (), log) if "chose" in line]
    assert told == [f"🤖 A computer chose {Names.of(table, ENGLISH).marked(gifts[-1].seat)}'s card."]
    assert not any("chose" in line for line in story(ENGLISH, table, entries, (), rows(game)))


async def test_seven_is_shown_in_the_order_chosen() -> None:
    shown = dialogue(staged("classic", 4, hands={0: "7"}, pieces={0: "20 61"}), 0)
    second = next(button for button in buttons(await shown.hand(), "go") if button.label == "F · 61 …")
    five = next(
        button for button in buttons(await shown.at(second.press.path), "go") if "5 spaces → lane" in button.label
    )
    assert "**7**: 61 → lane a, 20 → 22." in (await shown.at(five.press.path)).content


async def test_way_by_a_short_cut_is_called_so() -> None:
    shown = dialogue(staged("dobney", 6, hands={0: "Q"}, pieces={0: "20"}), 0)
    labels = [button.label for button in buttons(await shown.hand(), "go")]
    assert any(label.endswith("20 → 76 via the shortcut") for label in labels)
    assert any(label.endswith("20 → 32") for label in labels)


async def test_cards_laid_down_are_drawn_above_the_next_hand() -> None:
    game, seat = first_state("classic", 4, lambda view: any(action.card for action in view.legal))
    usual, folded = dialogue(game, seat, Pictures()), dialogue(game, seat, Pictures(), folded=("4", "5", "9"))
    sizes = [Image.open(BytesIO((await each.hand()).picture or b"")).size for each in (usual, folded)]
    assert sizes[1][1] > 1.4 * sizes[0][1]


async def test_hand_names_its_game_where_another_may_be_meant() -> None:
    game, seat = first_state("classic", 4, lambda view: any(action.card for action in view.legal))
    code = table_of(game).code
    for named in (False, True):
        talk = dialogue(game, seat, Pictures())
        talk.named = named
        assert (code in (await talk.hand()).content) is named


def test_hand_begins_with_three_lines_of_what_others_did() -> None:
    for game in states("classic", 4, range(1)):
        seat, entries = game.to_act[0], game.history(max(game.number - 11, 1))
        lines = since(ENGLISH, table_of(game), entries, rows(game), seat)
        played = [entry for entry in entries if entry.seat != seat and entry.kind in (ActionKind.PLAY, ActionKind.FOLD)]
        assert len(lines) == min(len(played), MOST_SINCE)
        if len(played) > MOST_SINCE:
            assert lines[0].endswith(" before these") <= ("⚔" in lines[0] or "🏠" in lines[0])
        assert not any(line.startswith(MARKS[seat]) for line in lines)


def test_moves_of_others_stand_around_ones_own() -> None:
    met = 0
    for game in states("classic", 4, range(1)):
        seat, entries = game.to_act[0], game.history(max(game.number - 5, 1))
        before, after = before_and_after(ENGLISH, table_of(game), entries, rows(game), seat, by_board=False)
        own = [number for number, entry in enumerate(entries) if entry.seat == seat]
        later = entries[own[-1] + 1 :] if own else ()
        assert after == since(ENGLISH, table_of(game), later, rows(game), seat)
        assert len(before) + len(after) <= MOST_SINCE + 1
        met += bool(before and after)
    assert met


async def test_news_come_in_order_before_the_rounds_question() -> None:
    game = next(each for each in states("classic", 4) if each.round == 2 and each.phase is Phase.EXCHANGE)
    shown = await dialogue(game, game.to_act[0], theme=IN_WORDS, told=("Moved.",)).hand()
    lines = shown.content.splitlines()
    assert lines.index("Moved.") < next(number for number, line in enumerate(lines) if "Round 2" in line)
    later = next(each for each in states("classic", 4) if len(each.log) > 8 and each.phase is Phase.TURN)
    moves = tuple(entry for entry in later.history(1) if entry.kind is ActionKind.PLAY)
    seat = moves[0].seat or 0
    shown = await dialogue(later, seat, told=("Moved.",), happened=("Mine.",), since=moves, exchanged=True).hand()
    assert [line[0] for line in shown.content.splitlines()][:3] == ["⇄", "M", "M"]


def test_hand_beside_its_board_tells_what_touches_the_team() -> None:
    touched = 0
    for game in states("classic", 4, range(3)):
        seat, entries = game.to_act[0], game.history(max(game.number - 4, 1))
        lines = since(ENGLISH, table_of(game), entries, rows(game), seat, by_board=True)
        others = [step for entry in entries if entry.seat != seat for event in entry.events for step in event.steps]
        lost = [step for step in others if {seat, (seat + 2) % 4} & {side for side, _ in step.sent_home}]
        assert len(lines) <= min(len(others), MOST_SINCE)
        assert not lost or any("⚔" in line for line in lines)
        touched += bool(lost)
    assert touched


async def test_hand_that_must_be_laid_down_says_why() -> None:
    reply = await dialogue(staged("classic", 4, hands={0: "5 6 9", 1: "2"}), 0).hand()
    only = "You have no piece on the track, and only the ace, the king or the joker brings one out."
    assert f"Nothing to play this round. {only}" in reply.content
    keezen = await dialogue(staged("keezen", 4, hands={0: "5 6 9", 1: "2"}), 0).hand()
    assert "only the ace or the king brings one out" in keezen.content
    stuck = await dialogue(staged("classic", 4, hands={0: "5 6 9", 1: "2"}, pieces={0: "c"}), 0).hand()
    assert "brings one out" not in stuck.content
    assert [button.label for button in buttons(reply, "play")] == ["Fold"]
    assert buttons(reply, "hint") == []


async def test_plans_of_those_out_are_for_the_exchange() -> None:
    for system, labels in (("classic", ["Plan the exchange"]), ("keezen", [])):
        game = next(state for state in states(system, 4) if 0 in state.view().hands.values())
        out = next(seat for seat, size in game.view().hands.items() if not size)
        panel = (await dialogue(game, out, plan=Plan(100 + out)).hand()).panel
        assert [item.label for item in panel.items if "lan" in item.label] == labels
    waiting = next(seat for seat in game.seats if seat not in game.to_act and game.view().hands[seat])
    panel = (await dialogue(game, waiting, plan=Plan(100 + waiting)).hand()).panel
    assert [item.label for item in panel.items] == ["Plan ahead"]


async def test_ways_of_one_piece_tell_how_far() -> None:
    shown = dialogue(staged("royal", 4, hands={0: "1-7 2"}, pieces={0: "K20"}), 0)
    labels = [button.label for button in buttons(await shown.hand(), "go")]
    assert "1-7: +3 → 23" in labels
    assert "2: 20 → 22" in [label.replace("king ", "") for label in labels]


async def test_a_card_stands_beside_its_moves() -> None:
    game, seat = first_state("royal", 4, lambda view: len({action.card for action in view.legal if action.card}) > 2)
    cards = {action.card for action in game.view(seat).legal if action.card}
    found = {button.emoji for button in buttons(await dialogue(game, seat).hand(), "go")}
    assert found == {card_sign(SYSTEMS["royal"].cards[card]) for card in cards}


@pytest.mark.parametrize("in_dm", [False, True])
async def test_hand_in_words_says_the_board(in_dm: bool) -> None:
    """Where everyone's pieces are and how far they have to go; the plan is behind the button."""
    game, seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN and "1*" in view.pieces[0])
    table, view = table_of(game), game.view(seat)
    reply = await dialogue(game, seat, in_dm=in_dm, theme=IN_WORDS).hand()
    names = Names.of(table, ENGLISH)
    lines = positions.sides(ENGLISH, names, view, view.pieces, ways=True)
    assert len(lines) == 4
    assert all(f"- {line}" in reply.content for line in lines)
    assert "```" not in reply.content
    assert buttons(reply, "text")


async def test_end_in_words_says_the_board() -> None:
    game, _seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN)
    hands, prefers = Hands(None, Drawn(), None), Preferences(100, theme=IN_WORDS)  # type: ignore[arg-type]
    told = await hands.end(table_of(game), 100, ENGLISH, prefers, Reply("It is over."))
    assert told.content.startswith("It is over.\n- 1: ")
    assert buttons(told, "text")


async def test_preview_in_words_says_what_changes() -> None:
    """Of those who stay where they are only who stands close; the whole board is behind the button."""
    game = staged("classic", 4, hands={0: "5 6", 1: "2"}, pieces={0: "13", 1: "18 45", 2: "4", 3: "30"})
    seated = SeatTable(table_of(game), SeatGame(game, 0))
    for ahead, heading in ((False, "After this move:"), (True, "If nothing changes, after this move:")):
        talk = Dialogue(Drawn(), ENGLISH, replace(seated, ahead=ahead), IN_WORDS)  # type: ignore[arg-type]
        reply = await talk.suggested(game.legal(0)[0], "")
        assert reply.content.splitlines() == [
            "**5**: 13 → 18 (sends back ⚔ Member 1's piece on 18).",
            *(["When shall I play it?"] if ahead else []),
            heading,
            "- Member 0 (blue circle): 3 in the kennel; on 18, 48 spaces to lane a",
            "- Member 1 (amber triangle): 3 in the kennel; on 45, 37 spaces to lane a",
            "- Up to 13 spaces ahead of 18: Member 3 on 30.",
        ]
        (whole,) = [item for item in reply.panel.items if isinstance(item, Button) and item.label == "Whole board"]
        after = await talk.at(whole.press.path)
        assert after.content.startswith(f"{heading}\n- 1: Member 0 (blue circle): 3 in the kennel; on 18")
        assert after.content.endswith(
            f"{positions.plan(game.view(0).board, game.preview(0, game.legal(0)[0]).placement)}\n```"
        )
        (back,) = after.panel.items
        assert (await talk.at(back.press.path)).content == reply.content
    two = staged("classic", 4, hands={0: "5 6", 1: "2"}, pieces={0: "2", 1: "64 60", 2: "58"})
    told = (
        await Dialogue(Drawn(), ENGLISH, SeatTable(table_of(two), SeatGame(two, 0)), IN_WORDS).suggested(
            two.legal(0)[0], ""
        )
    ).content  # type: ignore[arg-type]
    assert told.endswith("- Up to 13 spaces behind 7: Member 1 on 64, Member 1 on 60 and Member 2 on 58.")


async def test_question_about_the_only_piece_asks_where() -> None:
    game = staged("classic", 4, hands={0: "X", 1: "2"}, pieces={0: "20"})
    talk, found = dialogue(game, 0), list_offered(SeatGame(game, 0))
    asked = [path for path, now in paths(await talk.at(())) if not now and isinstance(choose(found, path), Question)]
    assert "Joker as 4: where to?" in [(await talk.at(path)).content for path in asked]


async def test_nothing_but_review_is_left_at_the_end() -> None:
    game, seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN and bool(view.hand))
    seated = SeatTable(replace(table_of(game), status=Status.OVER), SeatGame(game, seat))
    reply = await Dialogue(Drawn(), ENGLISH, seated, "slate").hand()  # type: ignore[arg-type]
    assert (reply.picture, [item.label for item in reply.panel.items]) == (None, ["Review"])


class Scenes:
    """Keeps the scenes that are to be drawn, and draws none."""

    def __init__(self) -> None:
        self.scenes: list[Any] = []

    async def draw(self, _draw: Any, scene: Any, *_rest: Any) -> bytes:
        self.scenes.append(scene)
        return b""


async def test_lobbys_picture_names_who_is_invited() -> None:
    drawn = Scenes()
    game = Game.new("classic", 4, bytes(32))
    table = table_of(game)
    table = replace(
        table,
        status=Status.LOBBY,
        game=None,
        occupants={0: table.occupants[0]},
        invited={1: Occupant("Alex", 7)},
    )
    await Pictures(drawn.draw).lobby(table, ENGLISH)
    assert drawn.scenes[0].invited == {1: "Alex (invited)\ninvited\n?"}
    assert drawn.scenes[0].free == {1, 2, 3}


async def test_turn_again_is_not_asked_twice() -> None:
    game, seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN and len(view.legal) > 3)
    reply = await dialogue(game, seat, again=True).hand("", "✅ 5: 12 → 17")
    assert reply.content.splitlines()[0] == "✅ 5: 12 → 17 · Your move?"
    assert reply.content.count("Your move?") == 1
    assert "ELK-4" not in reply.content


def test_own_last_move_is_told_apart() -> None:
    game, seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN and bool(view.last))
    last = game.history(game.number)
    assert last[0].seat != seat
    seated = dialogue(game, seat).seated
    assert HandNews(since=last).is_next_turn_of(seated)
    assert not HandNews().is_next_turn_of(seated), "the turn goes on"
    assert not HandNews(since=last, told=("News.",)).is_next_turn_of(seated)
    assert not HandNews(since=last).is_next_turn_of(dialogue(game, last[0].seat).seated)


async def test_last_picture_of_a_resigned_game_shows_winners() -> None:
    drawn = Scenes()
    game = Game.new("classic", 4, bytes(32))
    table = table_of(game)
    for each in (table, replace(table, status=Status.OVER, won=(1, 3))):
        await Pictures(drawn.draw).board(each, game.view(None), (), ENGLISH)
    assert [(bool(scene.exchange), scene.winners) for scene in drawn.scenes] == [(True, ()), (False, (1, 3))]


async def test_last_hand_leaves_what_happened_to_the_board() -> None:
    game, seat = first_state("classic", 4, lambda view: view.phase is Phase.TURN)
    news = HandNews(told=("⚔ Kim sent back Luna",), happened=("You couldn't play: 2.",))
    seated = SeatTable(replace(table_of(game), status=Status.OVER, won=(1, 3)), SeatGame(game, seat))
    reply = await Dialogue(Drawn(), ENGLISH, seated, "slate", news=news).hand()  # type: ignore[arg-type]
    assert not any(line in reply.content for line in (*news.told, *news.happened))
