"""Sentences as a native speaker would say them, with cards, places and names filled in as for a reader."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.languages import Language, available, language_for, learn_commands
from bot.showing.controls import lobby_panel
from bot.showing.panels import Menu, Style
from bot.showing.terms import arranging
from bot.table import IN_DMS, Note, NoteKind, Status, Table
from bot.texts import dialogue, moves, pictures
from bot.texts.dialogue import Speaker
from bot.texts.markup import MESSAGE_LIMIT
from bot.texts.names import Names
from bot.texts.public import boards, history, letters, lobbies, notices
from bot.texts.teaching.learning import list_commands, overview
from engine import Action, ActionKind, EventKind, Game, Options, Phase
from tests.bot.shown import PEOPLE, peopled, rows, table_of

ENGLISH = Language("en")


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
    names = Names.of(peopled(game), ENGLISH)
    for state in played(game):
        event = next((one for entry in state.history(state.number) for one in entry.events), None)
        if event is not None and event.kind is EventKind.FOLDED and event.cards and event.seat is not None:
            told = moves.tell_event(ENGLISH, names.unmarked(), event)
            assert told.startswith(f"{PEOPLE[event.seat]} folds: ")
            return
    raise AssertionError("nobody folds")


def test_a_gift_is_asked_for_and_confirmed(game: Game) -> None:
    speaker = dialogue.Speaker.of(ENGLISH, peopled(game), 0)
    gift = Action(ActionKind.GIVE, card="3")
    seat = game.to_act[0]
    outcome = game.preview(seat, game.legal(seat)[0])
    assert bare(dialogue.confirm_line(speaker, gift, outcome)) == "Give the 3 to Luna?"
    assert bare(dialogue.done_line(speaker, gift, outcome)) == "You gave the 3 to Luna."
    luna, bello = speaker.names.marked(2), speaker.names.marked(3)
    received = dialogue.exchange_line(ENGLISH, "6", "K", luna, luna)
    assert bare(received) == "⇄ You gave Luna the 6 and got the king."
    assert bare(dialogue.exchange_line(ENGLISH, "6", "K", luna, bello)).endswith(" and got the king from Bello.")


def test_exchange_is_one_line_of_the_history() -> None:
    game = Game.new("classic", 4, bytes(32))
    while game.phase is Phase.EXCHANGE:
        seat = game.to_act[0]
        game = game.play(seat, game.legal(seat)[0])
    (page,) = history.pages(ENGLISH, peopled(game), game.history(0), (), rows(game))
    told = [line for line in page.splitlines() if "exchanged cards" in line]
    assert len(told) == 1
    assert told[0].startswith("`1–4` ")
    assert told[0].count("exchanged cards") == 2


@pytest.mark.usefixtures("ids")
def test_commands_are_clickable_in_messages_not_in_descriptions(game: Game) -> None:
    told = overview(ENGLISH)
    assert "</dog new:5>" in told
    assert "`/dog " not in told
    alt = pictures.replay_alt(ENGLISH, peopled(game))
    assert "Animation" in alt
    assert "<" not in alt, "descriptions of pictures are shown as they are"


@pytest.mark.parametrize("code", available())
def test_help_with_commands_fits_in_every_language(code: str) -> None:
    learn_commands({"dog": 10**18, "dog-admin": 10**18})
    try:
        assert len(list_commands(language_for(code))) <= MESSAGE_LIMIT
    finally:
        learn_commands({})


def test_those_who_wait_say_what_for(game: Game) -> None:
    later = next(state for state in played(game) if state.phase is Phase.TURN)
    for state, what, waiting in (
        (game, "card", "Waiting for the other cards."),
        (later, "move", f"Next: {Names.of(table_of(later), ENGLISH).listed(ENGLISH, later.to_act)}."),
    ):
        table = table_of(state)
        assert f"waiting for your {what}." in letters.nudged(ENGLISH, table)
        assert f"Kim is waiting for your {what}." in notices.nudge(ENGLISH, table, "Kim", "Alex", 1)
        assert boards.waiting_line(ENGLISH, table, state.view(0)) == waiting


def test_full_lobby_offers_its_start(game: Game) -> None:
    full = replace(table_of(game), status=Status.LOBBY, game=None, starts_at=99)
    free = replace(full, occupants={0: full.occupants[0]}, starts_at=None)
    shown = [{one.press.verb: one.style for one in lobby_panel(ENGLISH, each).items} for each in (free, full)]
    assert ["fill" in each for each in shown] == [True, False]
    assert [each["start"] for each in shown] == [Style.PLAIN, Style.YES]


def test_lobby_names_a_few_house_rules_and_counts_more(game: Game) -> None:
    def second_line(**rules: bool) -> str:
        table = replace(peopled(game, Status.LOBBY), game=None)
        options = Options(**rules)
        return lobbies.lobby(ENGLISH, replace(table, terms=replace(table.terms, options=options))).splitlines()[1]

    assert "🏠" not in second_line()
    named = second_line(canadian_seven=True, no_exchange=True)
    assert named.endswith(" · 🏠 Canadian seven · 🏠 No card exchange")
    assert second_line(canadian_seven=True, no_exchange=True, own_safe=True).endswith(" · 🏠 3 house rules")


def test_settings_menus_say_what_is_inside(game: Game) -> None:
    table = replace(peopled(game, Status.LOBBY), game=None, host_id=100)

    def menus(asked: Table) -> list[str]:
        panel = arranging(ENGLISH, asked, ()).panel
        assert panel is not None
        return [item.hint for item in panel.items if isinstance(item, Menu)]

    labels = [
        "Classic DOG · English",
        "4 players · who can join · remove a player",
        "24 h per turn · start · rating · weekends",
    ]
    assert menus(table) == [*labels, "House rules: on or off"]
    alone = replace(table, occupants={0: table.occupants[0]})
    options = replace(table.terms, options=Options(no_exchange=True, own_safe=True))
    assert menus(replace(alone, terms=options))[1::2] == ["4 players · who can join", "House rules: 2 on"]


def test_letter_of_a_full_lobby_speaks_to_its_reader(game: Game) -> None:
    table = replace(peopled(game, Status.LOBBY), game=None, host_id=100, full_since=60)
    host, guest = (letters.full(ENGLISH, table, seat).partition("all seats are taken. ")[2] for seat in (0, 1))
    assert host == "You can start it."
    assert guest == "<@100> can start the game. From <t:3660:T>, any player can."
    soon = letters.full(ENGLISH, replace(table, starts_at=180), 0)
    assert soon.endswith("It starts automatically at <t:180:T>, or once you press **Start**.")
    changed = letters.full(ENGLISH, replace(table, not_before=180), 0)
    assert changed.endswith("You can start it from <t:180:T>.")


def test_links_are_masked(game: Game) -> None:
    line = lobbies.game_line(ENGLISH, peopled(game), 100)
    assert "[**ELK-4**](<https://discord.com/channels/1/2>)" in line


@pytest.mark.parametrize(
    ("kind", "actor_id", "data", "told"),
    [
        (NoteKind.WAITED, 100, {}, "<@100> gives Alex more time."),
        (NoteKind.AUTO_PLAYED, None, {}, "A computer plays this turn for Alex."),
        (NoteKind.TAKEN_OVER, 105, {"old_name": "Max", "old_user_id": 9}, "<@105> takes over Max's seat."),
        (NoteKind.LEFT, 9, {"name": "Max"}, "Max leaves. A computer plays on."),
    ],
)
def test_history_says_who_acted_for_whose_seat(
    game: Game, kind: NoteKind, actor_id: int | None, data: dict[str, object], told: str
) -> None:
    (page,) = history.pages(ENGLISH, peopled(game), (), [Note(kind, 0, 0, actor_id, 1, data)], ())
    assert bare(page) == f"· {told}"


def test_lobby_is_described_with_its_free_seats(game: Game) -> None:
    """Seats are not told as if they were taken, and nothing ends with a blank."""
    table = replace(peopled(game, Status.LOBBY), game=None, started_at=None)
    empty = lobbies.lobby_alt(ENGLISH, replace(table, occupants={}))
    assert empty.endswith("Free: blue circle, amber triangle, green square and violet diamond.")
    assert "Seated" not in empty
    some = lobbies.lobby_alt(ENGLISH, replace(table, occupants={0: table.occupants[0]}))
    assert "Seated: Kim (blue circle). Free: amber triangle" in some
    assert "Free" not in lobbies.lobby_alt(ENGLISH, table)
    three = {seat: who for seat, who in table.occupants.items() if seat != 1}
    expected = lobbies.lobby_alt(ENGLISH, replace(table, occupants=three, invited={1: table.occupants[1]}))
    assert expected.endswith(f"Invited: {table.occupants[1].name} (amber triangle).")


def test_board_tells_neither_lobby_nor_past_pause(game: Game) -> None:
    kinds = (NoteKind.CHANGED, NoteKind.STARTED, NoteKind.PAUSED)
    notes = [Note(kind, 0, 0, 100, None, {"pace": "brisk"}) for kind in kinds]
    table = peopled(game, Status.PAUSED)
    assert history.story(ENGLISH, table, (), notes, ()) == [], "the line of the state says it"
    notes += [Note(NoteKind.PAUSED, 0, 0, 100, None, {"reason": "storm"})]
    (paused,) = history.story(ENGLISH, table, (), notes, ())
    assert "storm" in paused
    notes += [Note(NoteKind.RESUMED, 0, 0, 100), Note(NoteKind.CHANGED, 0, 0, 100, None, {"hints": True})]
    (hints,) = history.story(ENGLISH, replace(table, status=Status.PLAYING), (), notes, ())
    assert "with hints" in hints


def test_gift_to_an_opponent_says_so() -> None:
    for system, players, is_said in (("royal-basic", 2, True), ("classic", 4, False)):
        table = peopled(Game.new(system, players, bytes(32)))
        assert Speaker.of(ENGLISH, table, 0).to_opponent is is_said


def test_posted_picture_says_what_it_shows(game: Game) -> None:
    table = peopled(game, Status.OVER)
    assert bare(pictures.posted_by(ENGLISH, table, 2, best=True)) == "🖼️ Luna's best move in ELK-4"
    assert bare(pictures.posted_by(ENGLISH, table, 2, best=False)) == "🖼️ The end of ELK-4, posted by Luna"


def test_letter_of_an_end_says_why_it_came(game: Game) -> None:
    over = replace(peopled(game), status=Status.OVER, won=(1, 3), guild_id=IN_DMS, channel_id=IN_DMS)
    code = f"**{over.code}**"
    assert bare(letters.because(letters.ended, ())(ENGLISH, over, 1)) == bare(
        f"🏆 {code} is over: you won! Kim and Luna resigned. Not rated: it ended before round 3."
    )
    off = replace(over, status=Status.CANCELLED, won=())
    cancelled = Note(NoteKind.CANCELLED, 0, 9, None, 1, {"asleep": True})
    told = letters.because(letters.cancelled, (cancelled,))(ENGLISH, off, 0)
    assert told.endswith("This game ended after half a year without a move.")
    played_out = replace(over, game=None, guild_id=1, channel_id=7)
    assert letters.because(letters.ended, ())(ENGLISH, played_out, 0) == f"🏁 {code} in <#7> is over: you lost."
