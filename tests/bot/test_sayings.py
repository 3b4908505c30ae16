"""Sentences as a native speaker would say them, with cards, places and names filled in as for a reader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.errors import NothingToUndo, Resting
from bot.languages import Language, available, language_for, learn_commands
from bot.moment import Moment
from bot.occupants import Occupant
from bot.preferences import Notify
from bot.table import Note, NoteKind, SeatClock, Stage, Status, Table
from bot.texts import guild, moves, pictures, preferences, questions, refusals
from bot.texts.markup import MESSAGE_LIMIT
from bot.texts.names import Names
from bot.texts.public import boards, history, lobbies, notices, places
from bot.texts.teaching import rules
from bot.texts.teaching.learning import overview
from engine import SYSTEMS, Action, ActionKind, EventKind, Game, Options, StepKind
from tests.bot import shown

ENGLISH = Language("en")
PEOPLE = ("Kim", "Alex", "Luna", "Bello")


def table_of(game: Game, status: Status = Status.PLAYING) -> Table:
    people = {seat: Occupant(PEOPLE[seat], user_id=100 + seat) for seat in game.seats}
    return replace(shown.table_of(game), status=status, occupants=people)


def bare(text: str) -> str:
    """A text without bold type and the colours of seats."""
    for sign in ("**", "🔵 ", "🟠 ", "🟢 ", "🟣 "):
        text = text.replace(sign, "")
    return text


@pytest.fixture(scope="module")
def game() -> Game:
    """A game in its first exchange."""
    return Game.new("classic", 4, bytes(32), Options())


@pytest.fixture
def ids() -> Iterator[None]:
    """The ids of the commands, as if Discord had reported them."""
    learn_commands({"dog": 5, "dog-admin": 6})
    yield
    learn_commands({})


def played(game: Game) -> Iterator[Game]:
    """The states of a game in which everybody always takes their first legal action."""
    while game.to_act:
        yield game
        seat = game.to_act[0]
        game = game.play(seat, game.legal(seat)[0])


def test_a_fold_is_told_with_its_cards(game: Game) -> None:
    table = table_of(game)
    names = Names.of(table, ENGLISH)
    for state in played(game):
        event = next((one for entry in state.history(state.number) for one in entry.events), None)
        if event is not None and event.kind is EventKind.FOLDED and event.cards and event.seat is not None:
            told = moves.tell_event(ENGLISH, names.unmarked(), event)
            assert told.startswith(f"{PEOPLE[event.seat]} has no legal move and folds: ")
            return
    raise AssertionError("nobody folds")


def test_an_ace_brings_a_piece_out(game: Game) -> None:
    for state in played(game):
        seat = state.to_act[0]
        for action in state.legal(seat):
            outcome = state.preview(seat, action)
            if action.card == "A" and action.parts and outcome.steps[0].kind is StepKind.OUT:
                speaker = questions.Speaker.of(ENGLISH, table_of(state), seat)
                line = questions.confirm_line(speaker, action, outcome)
                assert bare(line) == f"Ace: a piece comes out to {1 + 16 * seat}."
                return
    raise AssertionError("no ace is ever held")


def test_a_gift_is_asked_for_and_confirmed(game: Game) -> None:
    speaker = questions.Speaker.of(ENGLISH, table_of(game), 0)
    gift = Action(ActionKind.GIVE, card="3")
    seat = game.to_act[0]
    outcome = game.preview(seat, game.legal(seat)[0])
    assert bare(questions.confirm_line(speaker, gift, outcome)) == "Give the 3 to Luna?"
    assert bare(questions.done_line(speaker, gift, outcome)) == "You gave the 3 to Luna."
    received = questions.received_line(ENGLISH, speaker.names, "6", "K", 2)
    assert bare(received) == "You gave the 6, Luna gave you the king."


def test_whose_time_is_up_is_called_by_name(game: Game) -> None:
    late = SeatClock(Moment(0, 1), 101, Stage.AUTO, 0, 60, 60, due_at=50, ends_at=50)
    table = replace(table_of(game), clocks={1: late})
    assert "Alex's time is up." in bare(notices.time_up(ENGLISH, table, 1, late))
    assert [line for line in boards.overdue_lines(ENGLISH, table) if "Alex's time is up." in bare(line)]


def test_a_game_sleeps_and_continues(game: Game) -> None:
    asleep = table_of(game, Status.PAUSED)
    assert "Nobody is playing right now." in boards.paused_line(ENGLISH, asleep)
    assert guild.resumed(ENGLISH, asleep) == "**ELK-4** continues."
    assert places.moved(ENGLISH, asleep, 9) == "**ELK-4** continues in <#9>."


def test_who_wants_no_notices_gets_none() -> None:
    assert "You won't be notified." in preferences.notify_set(ENGLISH, Notify.SILENT)


def test_the_first_steps_say_how_to_see_the_cards() -> None:
    assert "**My hand** shows your cards" in overview(ENGLISH)


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_the_rules_say_what_landing_does(system: str) -> None:
    found = {topic.id: topic.lines for topic in rules.topics(ENGLISH, SYSTEMS[system], SYSTEMS[system].players[0])}
    assert "Landing on any piece, even your own, sends it back to its kennel." in found["moving"]


@pytest.mark.usefixtures("ids")
def test_commands_can_be_clicked_in_messages_and_are_not_raw_markup_in_descriptions(game: Game) -> None:
    told = overview(ENGLISH)
    assert "</dog new:5>" in told
    assert "`/dog " not in told
    alt = pictures.replay_alt(ENGLISH, table_of(game))
    assert "as an animation" in alt
    assert "<" not in alt, "descriptions of pictures are shown as they are"


@pytest.mark.parametrize("code", available())
def test_the_help_fits_a_message_with_commands_to_click_in_every_language(code: str) -> None:
    learn_commands({"dog": 10**18, "dog-admin": 10**18})
    try:
        assert len(overview(language_for(code))) <= MESSAGE_LIMIT
    finally:
        learn_commands({})


def test_links_are_masked(game: Game) -> None:
    line = lobbies.game_line(ENGLISH, table_of(game), 100)
    assert "[**ELK-4**](<https://discord.com/channels/1/2>)" in line


@pytest.mark.parametrize(
    ("kind", "actor_id", "data", "told"),
    [
        (NoteKind.WAITED, 100, {}, "<@100> gives Alex more time."),
        (NoteKind.AUTO_PLAYED, 100, {}, "<@100> lets a computer play this turn for Alex."),
        (NoteKind.AUTO_PLAYED, None, {}, "A computer plays this turn for Alex."),
        (NoteKind.HANDED, 100, {}, "<@100> hands Alex's seat to a computer."),
        (NoteKind.HANDED, None, {}, "A computer plays for Alex from now on."),
        (NoteKind.OFFERED, 100, {}, "<@100> offers Alex's seat to others."),
        (NoteKind.TAKEN_OVER, 105, {"old_name": "Max", "old_user_id": 9}, "<@105> takes over Max's seat."),
        (NoteKind.RESIGNED, 9, {"name": "Max"}, "Max resigns; a computer plays on."),
        (NoteKind.NUDGED, 100, {}, "<@100> nudges Alex."),
        (NoteKind.PROPOSED, 100, {"kind": "concede"}, "<@100> proposes to give the game up."),
        (NoteKind.PROPOSED, 100, {"kind": "takeback"}, "<@100> asks to take a move back."),
        (NoteKind.DECLINED, 102, {"withdrawn": False}, "<@102> does not agree."),
    ],
)
def test_the_history_says_who_did_what_for_whose_seat(
    game: Game, kind: NoteKind, actor_id: int | None, data: dict[str, object], told: str
) -> None:
    (page,) = history.pages(ENGLISH, table_of(game), (), [Note(kind, 0, 0, actor_id, 1, data)], ())
    assert bare(page) == f"· {told}"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Resting(7, 3_600), "<@7> is resting until <t:3600:t>."),
        (NothingToUndo(), "You have nothing to take back."),
    ],
)
def test_refusals_say_why(error: Exception, told: str) -> None:
    assert refusals.refusal(ENGLISH, error) == told
