"""The buttons of a table: in the lobby, under a board, *Undo* under a hand, when time is up, and after the end."""

from __future__ import annotations

from collections.abc import Sequence

from bot.consent import GONE, can_wait_longer, is_notice
from bot.languages import Language
from bot.moment import Moment
from bot.occupants import USUAL, Level
from bot.proposal import ProposalKind
from bot.rights import Deed
from bot.settings import Settings
from bot.showing.panels import ROWS, MenuChoice, Panel, Style, line, lines_of
from bot.showing.presses import Press
from bot.table import Feature, Status, Table
from bot.tables.absence import Remedy
from bot.texts import buttons
from bot.texts.names import MARKS, Names, capital, colour, with_level
from bot.texts.public import lobbies
from bot.texts.public.winks import PHRASES

WAIT, PLAY = (Remedy.WAIT, buttons.WAIT, "⏳"), (Remedy.PLAY, buttons.PLAY_TURN, "🤖")
WAIT_AGAIN, STAND_IN = (Remedy.WAIT, buttons.WAIT_AGAIN, "⏳"), (Remedy.COMPUTER, buttons.STAND_IN, "🤖")
"""The others' choices about a player who does not answer: labels, and signs where the seat's mark is beside them."""


class Join(Press, verb="join", deed=Deed.JOIN):
    """Take the first free seat."""


class StopSeeking(Press, verb="stop_seeking", deed=Deed.SEEK):
    """Look for a table no longer; `anywhere`: for one in direct messages."""

    anywhere: bool = False


class SetInvited(Press, verb="invited", deed=Deed.PREFER):
    """Be invited to tables, or not."""

    invited: bool


class TakeSeat(Press, verb="seat", deed=Deed.JOIN, menu="seat"):
    """Take a certain seat, chosen in the menu."""

    seat: int | None = None


class LeaveLobby(Press, verb="leave_lobby", deed=Deed.LEAVE_LOBBY):
    """Free the user's seat."""


class Fill(Press, verb="fill", deed=Deed.FILL):
    """Seat computer players on all free seats."""


class SetComputer(Press, verb="computer", deed=Deed.FILL, menu="what"):
    """Seat a computer player, make it stronger or weaker, or remove it, by the index of a choice (`list_computers`)."""

    what: int | None = None


class OtherPartners(Press, verb="partners", deed=Deed.SET_TERMS):
    """Give all players other partners."""


class ShowSettings(Press, verb="settings", deed=Deed.LOOK):
    """Show what else there is to see and to choose in a lobby."""


class AskTerms(Press, verb="ask_terms", deed=Deed.SET_TERMS):
    """Show the menus with which the host changes the game."""


class Wait(Press, verb="wait", deed=Deed.SET_TERMS):
    """Keep a full lobby from starting by itself."""


class Start(Press, verb="start", deed=Deed.START):
    """Deal the first round."""


class OpenUsual(Press, verb="open_usual", deed=Deed.OPEN):
    """Open a table with the server's usual rules."""


class ReadRules(Press, verb="rules", deed=Deed.LOOK):
    """Read the rules of this table."""


class AskCancel(Press, verb="cancel", deed=Deed.CANCEL):
    """Ask for confirmation before the lobby is cancelled."""


class ShowHand(Press, verb="hand", deed=Deed.HAND):
    """Show the newest hand, whatever board the button was under."""


class ShowHistory(Press, verb="history", deed=Deed.LOOK):
    """Show a page of the history; the newest by default."""

    page: int | None = None


class ShowShuffle(Press, verb="shuffle", deed=Deed.LOOK):
    """Show what proves the shuffles: the commitment, the contributions and, after the end, the record."""


class AskTalk(Press, verb="ask_talk", deed=Deed.TALK):
    """Show what can be said at the table."""


class Talk(Press, verb="talk", deed=Deed.TALK, menu="phrase"):
    """Say something at the table, chosen by its index in the list."""

    phrase: int | None = None


class ShowReplay(Press, verb="replay", deed=Deed.FILM):
    """Show the whole game as an animation."""


class ShowText(Press, verb="text", deed=Deed.LOOK):
    """Show the board in words."""


class ShowReview(Press, verb="review", deed=Deed.REVIEW):
    """Review a finished game: its course, and the user's turns that could have been better."""


class PlayFrom(Press, verb="from", deed=Deed.PLAY_ON):
    """Open a table that begins with the position of a game that is over, after action number `at`."""

    at: int


class SaveRecord(Press, verb="record", deed=Deed.RECORD):
    """Send the record of a game that is over, as a file."""


class SharePicture(Press, verb="picture", deed=Deed.LOOK):
    """Show the picture of a finished game that is made for posting elsewhere."""


class PostPicture(Press, verb="post_picture", deed=Deed.POST_PICTURE):
    """Post the picture of a finished game in its channel."""


class AnswerProposal(Press, verb="answer", deed=Deed.ANSWER):
    """Agree to a proposal, or refuse it; `at`: when it was made."""

    kind: ProposalKind
    at: int
    yes: bool


class Absent(Press, verb="absent", deed=Deed.DECIDE_ABSENCE, menu="seat"):
    """Choose what happens to the seat of a player who does not answer this `decision`; perhaps chosen in the menu.

    `waited`: how often the turn had been let wait, at most, when this was shown.
    """

    remedy: Remedy
    waited: int = 0
    seat: int | None = None
    decision: Moment | None = None


class Reclaim(Press, verb="reclaim", deed=Deed.RECLAIM):
    """Take the user's own seat back."""


class StandIn(Press, verb="stand_in", deed=Deed.STAND_IN):
    """Play for the player who asked, at this table and all others where they did; or not, or not any more."""

    agrees: bool


class TakeOver(Press, verb="take_over", deed=Deed.TAKE_OVER):
    """Ask for confirmation before a user plays on for a player."""

    seat: int


def offerable_seats(table: Table) -> tuple[int, ...]:
    """Return the seats of absent players that the others may offer."""
    if table.status is not Status.PLAYING or table.proposals.keys() & {ProposalKind.OFFER}:
        return ()
    absent = (seat for seat, who in sorted(table.occupants.items()) if who.why in GONE and not who.offered)
    return tuple(seat for seat in absent if table.others_of(seat))


class Undo(Press, verb="undo", deed=Deed.TAKE_BACK):
    """Take back the action that was the newest of the user's seat at this moment (see `Table.acted_at`)."""

    moment: Moment


class Rematch(Press, verb="rematch", deed=Deed.REMATCH):
    """Play again with the same people; `free_seat`: with room for a further player."""

    free_seat: bool = False


class SayNo(Press, verb="no", deed=Deed.READ):
    """Leave everything as it is, when asked for confirmation."""


def with_no(language: Language, panel: Panel) -> Panel:
    """Add the *No* of a request for confirmation; return the panel."""
    return panel.button(language.t(buttons.NO), SayNo(0))


def lobby_panel(language: Language, table: Table, *, is_seated: bool = False) -> Panel:
    """Return the lobby's buttons in one row; none once it is closed.

    `is_seated`: for a message that one player sees, who sits there already.
    """
    panel = Panel()
    if table.status is not Status.LOBBY:
        return panel
    if can_join(table) and not is_seated:
        # At a full table it takes a computer's seat, and is not what comes next.
        panel.button(language.t(buttons.JOIN), Join(table.id), style=Style.MAIN if table.free else Style.PLAIN)
    if table.free and Feature.COMPUTERS not in table.off:
        panel.button(language.t(buttons.FILL), Fill(table.id))
    style = Style.PLAIN if table.free else Style.YES
    panel.button(language.t(buttons.START), Start(table.id), style=style, disabled=bool(table.free))
    if table.starts_at is not None:
        panel.button(language.t(buttons.WAIT_TO_START), Wait(table.id), emoji="⏳")
    return panel.button(language.t(buttons.SETTINGS), ShowSettings(table.id))


def can_join(table: Table) -> bool:
    """Return True if a player can still sit down in a lobby: on a free seat, or in place of a computer player."""
    people = table.occupants.values()
    return table.status is Status.LOBBY and (bool(table.free) or any(who.user_id is None for who in people))


def join_panel(language: Language, table: Table) -> Panel:
    """Return the only button of a message that asks users into a lobby."""
    return Panel().button(language.t(buttons.JOIN), Join(table.id), style=Style.MAIN)


def stop_seeking_panel(language: Language, *, anywhere: bool = False) -> Panel:
    """Return the button that ends a search for a table."""
    return Panel().button(language.t(buttons.STOP_SEEKING), StopSeeking(0, anywhere=anywhere))


def friend_panel(language: Language, table: Table) -> Panel:
    """Return the buttons of a letter that asks a friend to play for a player."""
    panel = Panel().button(language.t(buttons.PLAY_FOR), StandIn(table.id, agrees=True), style=Style.YES)
    panel.button(language.t(buttons.NOT_NOW), StandIn(table.id, agrees=False))
    return no_invitations_button(panel, language)


def no_invitations_button(panel: Panel, language: Language) -> Panel:
    """Add the button by which its reader is not invited any more."""
    return panel.button(language.t(buttons.NO_INVITATIONS), SetInvited(0, invited=False), emoji="🔕")


def invitations_button(panel: Panel, language: Language) -> Panel:
    """Add the button by which its reader is invited again."""
    return panel.button(language.t(buttons.INVITATIONS), SetInvited(0, invited=True), emoji="🔔")


def operators_links(panel: Panel, language: Language, settings: Settings) -> Panel:
    """Add links to the operator's privacy policy and to where players find help, as far as there are any."""
    for label, address in ((buttons.SUPPORT, settings.support_url), (buttons.PRIVACY, settings.privacy_url)):
        if address:
            panel.link(language.t(label), address)
    return panel


def settings_panel(language: Language, table: Table, user_id: int) -> Panel:
    """Return what a user can do in a lobby besides its own buttons; the host can also change the game."""
    panel, seated = Panel(), table.seat_of(user_id) is not None
    panel.button(language.t(buttons.RULES), ReadRules(table.id), emoji="📖", row=0)
    panel.button(language.t(buttons.FAIR_SHUFFLE), ShowShuffle(table.id), emoji="🎲", row=0)
    if user_id == table.host_id:
        panel.button(language.t(buttons.ARRANGE), AskTerms(table.id), emoji="✏️", row=0)
    if seated:
        panel.button(language.t(buttons.LEAVE), LeaveLobby(table.id), row=0)
    _add_seats(panel, language, table)
    if seated and Feature.COMPUTERS not in table.off and (computers := lines_of(list_computers(language, table))):
        panel.menu(language.t(buttons.COMPUTERS), SetComputer(table.id), computers, row=3)
    return panel


def _add_seats(panel: Panel, language: Language, table: Table) -> None:
    """Add the menu of the seats that can be taken, by their colours."""
    options = [
        line(lobbies.seat_label(language, table, seat), seat, emoji=MARKS[seat])
        for seat in table.seats
        if seat not in table.occupants or table.occupants[seat].user_id is None
    ]
    if options:
        panel.menu(language.t(buttons.CHOOSE_SEAT), TakeSeat(table.id), options, row=2)


def list_computers(language: Language, table: Table) -> list[MenuChoice[tuple[int, Level | None]]]:
    """Return for each seat the levels of a computer player there, and that it goes (None)."""
    choices, names = [], Names.of(table, language)
    for seat in table.seats:
        who = table.occupants.get(seat)
        for level in (*Level, None):
            if who is None:
                label = language.t(buttons.ADD_HERE, colour=capital(colour(language, seat)))
            elif level is None:
                label = language.t(buttons.REMOVE, name=names.label(seat))
            else:
                label = with_level(language, names.label(seat), level)
            shown = level is USUAL if who is None else who.is_computer and level != who.computer
            choices.append(MenuChoice(label, (seat, level), shown, emoji=MARKS[seat]))
    return choices


def board_panel(language: Language, table: Table, *, in_words: bool = False) -> Panel:
    """Return the buttons under a board: hand, history, seats that can be taken and, after the end, another game.

    `in_words`: a player at the table reads boards as text.
    """
    panel = Panel()
    if table.status in (Status.PLAYING, Status.PAUSED):
        hand_button(panel, language, table)
    history_button(panel, language, table)
    if in_words:
        panel.button(language.t(buttons.AS_TEXT), ShowText(table.id), emoji="📝")
    talk_button(panel, language, table)
    if table.status is Status.OVER:
        panel.button(language.t(buttons.REPLAY), ShowReplay(table.id), emoji="🎞️")
        if table.won:
            panel.button(language.t(buttons.PICTURE), SharePicture(table.id), emoji="🖼️")
        panel.button(language.t(buttons.REVIEW), ShowReview(table.id), emoji="📈")
        panel.button(language.t(buttons.REMATCH), Rematch(table.id), style=Style.YES, emoji="🔁")
        panel.button(language.t(buttons.REMATCH_FREE), Rematch(table.id, free_seat=True), emoji="🪑")
    if table.status not in (Status.PLAYING, Status.PAUSED):
        return panel
    if any(who.may_reclaim for who in table.occupants.values()):
        reclaim_button(panel, language, table)
    names = Names.of(table, language)
    for seat in table.open_seats:
        label = language.t(buttons.TAKE_OVER, name=names.label(seat))
        panel.button(label, TakeOver(table.id, seat), emoji=MARKS[seat])
    for seat in offerable_seats(table):
        label = language.t(buttons.OFFER, name=names.label(seat))
        panel.button(label, Absent(table.id, Remedy.OFFER, seat=seat), emoji=MARKS[seat])
    return panel


def watch_panel(language: Language, table: Table) -> Panel:
    """Return the buttons for a person who has no seat: what has happened in the game, as a film and in words."""
    panel = Panel()
    if table.game is not None:
        panel.button(language.t(buttons.REPLAY), ShowReplay(table.id), emoji="🎞️")
        history_button(panel, language, table)
    return panel


def record_button(panel: Panel, language: Language, table: Table) -> Panel:
    """Add the button for the record, if this game cannot be played on; return the panel."""
    if not table.is_open and table.game is not None:
        panel.button(language.t(buttons.RECORD), SaveRecord(table.id), emoji="📄")
    return panel


def add_play_from(panel: Panel, language: Language, table: Table, at: int) -> Panel:
    """Add the button to play on from a moment of a game that is over, if it was not won there."""
    if not table.is_open and table.game is not None and (at < table.number or not table.game.winners):
        panel.button(language.t(buttons.PLAY_FROM), PlayFrom(table.id, at))
    return panel


def add_answers(panel: Panel, language: Language, table: Table, kind: ProposalKind) -> Panel:
    """Add the buttons to agree to a proposal and to refuse it; for an announced offer, to take the seat back."""
    if is_notice(table.proposals[kind]):
        return reclaim_button(panel, language, table)
    at = table.proposals[kind].at
    panel.button(language.t(buttons.AGREE), AnswerProposal(table.id, kind, at, yes=True), style=Style.YES, emoji="👍")
    panel.button(language.t(buttons.REFUSE), AnswerProposal(table.id, kind, at, yes=False), emoji="👎")
    return panel


def talk_button(panel: Panel, language: Language, table: Table) -> Panel:
    """Add the button for phrases, while they can be said and another person plays; return the panel."""
    can_talk = table.terms.talk and Feature.PHRASES not in table.off and len(table.owners) > 1
    if can_talk and table.status is Status.PLAYING and not table.asleep:
        panel.button(language.t(buttons.TALK), AskTalk(table.id), emoji="💬")
    return panel


def hand_button(panel: Panel, language: Language, table: Table) -> Panel:
    """Add the button for the hand; return the panel."""
    return panel.button(language.t(buttons.MY_HAND), ShowHand(table.id), style=Style.MAIN, emoji="🃏")


def undo_button(panel: Panel, language: Language, table: Table, seat: int) -> Panel:
    """Add the button that takes back the last action of a seat; return the panel."""
    return panel.button(language.t(buttons.UNDO), Undo(table.id, table.acted_at(seat)), emoji="↩️")


def talk_panel(language: Language, table: Table) -> Panel:
    """Return the menu of what can be said at a table."""
    phrases = [line(language.t(text), index) for index, text in enumerate(PHRASES.values())]
    return Panel().menu(language.t(buttons.TALK), Talk(table.id), phrases)


def history_button(panel: Panel, language: Language, table: Table, row: int | None = None) -> Panel:
    """Add the button for the history; return the panel."""
    return panel.button(language.t(buttons.HISTORY), ShowHistory(table.id), emoji="📜", row=row)


def reclaim_button(panel: Panel, language: Language, table: Table) -> Panel:
    """Add the button that takes a seat back from a computer; return the panel."""
    return panel.button(language.t(buttons.TAKE_BACK_SEAT), Reclaim(table.id), emoji="🙋")


def time_up_panel(language: Language, table: Table, seats: Sequence[int]) -> Panel:
    """Return what the others can choose about players who do not answer: a row of buttons for each such seat.

    If there are more seats than rows, there is a menu for each choice instead.
    """
    panel, names = Panel(), Names.of(table, language)
    concerned = {seat: choices for seat in seats if (choices := _choices_about(table, seat))}
    if len(concerned) <= ROWS:
        for row, (seat, choices) in enumerate(concerned.items()):
            for remedy, text, _sign in choices:
                clock = table.clocks[seat]
                press = Absent(table.id, remedy, clock.waited, seat, clock.decision)
                panel.button(language.t(text, name=names.label(seat)), press, emoji=MARKS[seat], row=row)
        return panel
    by_choice: dict[tuple[Remedy, str, str], list[int]] = {}
    for seat, choices in concerned.items():
        for choice in choices:
            by_choice.setdefault(choice, []).append(seat)
    for row, ((remedy, text, _sign), found) in enumerate(by_choice.items()):
        options = [line(names.label(seat), seat, emoji=MARKS[seat]) for seat in found]
        waited = max(table.clocks[seat].waited for seat in found)
        panel.menu(language.t(text, name="…"), Absent(table.id, remedy, waited), options, row=row)
    return panel


def _choices_about(table: Table, seat: int) -> tuple[tuple[Remedy, str, str], ...]:
    """Return what the others can choose about this seat now, if anything; see `bot.consent`."""
    clock, others = table.clocks[seat], table.others_of(seat)
    if not others:
        return ()
    if clock.silent:
        return (STAND_IN,)
    if clock.overdue:
        return (WAIT, PLAY)
    return (WAIT_AGAIN,) if can_wait_longer(table, seat) else ()
