"""The buttons under public messages: the lobby's, the board's, those of a time that is up, and of a game's end."""

from __future__ import annotations

from collections.abc import Sequence

from bot.languages import Language
from bot.showing.panels import Option, Panel, Press, Style
from bot.table import ProposalKind, Status, Table
from bot.texts.notices import others
from bot.texts.words import MARKS, Names, colour
from engine import View

ROWS = 5
"""The rows of buttons that Discord allows under a message."""


def lobby_panel(language: Language, table: Table) -> Panel:
    """The lobby's buttons; none once it is closed."""
    panel = Panel()
    if table.status is not Status.LOBBY:
        return panel

    def press(verb: str) -> Press:
        return Press(verb, table.id, table.version)

    names = Names.of(table, language)
    panel.button(language.t("Join"), press("join"), style=Style.MAIN, row=0)
    panel.button(language.t("Leave"), press("leave"), row=0)
    panel.button(language.t("Start"), press("start"), style=Style.YES, disabled=bool(table.free), row=0)
    panel.button(language.t("Cancel"), press("cancel"), style=Style.DANGER, row=0)
    panel.button(language.t("Rules"), press("rules"), emoji="📖", row=0)
    panel.button(language.t("Add computer"), press("add_computer"), emoji="🤖", disabled=not table.free, row=1)
    some = any(who.user_id is None for who in table.people.values())
    panel.button(language.t("Remove computer"), press("remove_computer"), disabled=not some, row=1)
    options = [
        Option(
            label=language.t("{colour}: {name}", colour=colour(language, seat).capitalize(), name=names.bare(seat))
            if seat in table.people
            else language.t("{colour}: free", colour=colour(language, seat).capitalize()),
            value=str(seat),
            emoji=MARKS[seat],
        )
        for seat in table.seats
        if seat not in table.people or table.people[seat].user_id is None
    ]
    if options:
        panel.menu(language.t("Choose your seat"), press("seat"), options, row=2)
    return panel


def board_panel(language: Language, table: Table, view: View) -> Panel:
    """The buttons under a board: the hand, the history, seats that can be taken, and after the end another game."""
    panel = Panel()
    if table.status in (Status.PLAYING, Status.PAUSED):
        press = Press("hand", table.id, view.number)
        panel.button(language.t("My hand"), press, style=Style.MAIN, emoji="🃏")
    panel.button(language.t("History"), Press("history", table.id, view.number), emoji="📜")
    if table.status is Status.OVER:
        panel.button(language.t("Replay"), Press("replay", table.id), emoji="🎞️")
        panel.button(language.t("Rematch"), Press("rematch", table.id), style=Style.YES, emoji="🔁")
        panel.button(language.t("Again with a free seat"), Press("again", table.id), emoji="🪑")
    if table.status not in (Status.PLAYING, Status.PAUSED):
        return panel
    if any(who.may_reclaim for who in table.people.values()):
        panel.button(language.t("Take my seat back"), Press("reclaim", table.id, view.number), emoji="🙋")
    names = Names.of(table, language)
    for seat in table.open_seats[:6]:
        label = language.t("Take over: {name}", name=names.bare(seat))
        panel.button(label, Press("take_over", table.id, view.number, (seat,)), emoji=MARKS[seat])
    for kind in table.proposals:
        add_answers(panel, language, table, kind)
    return panel


def proposal_panel(language: Language, table: Table, kind: str) -> Panel:
    """The buttons under the question whether one agrees to a proposal."""
    panel = Panel()
    add_answers(panel, language, table, kind)
    return panel


def add_answers(panel: Panel, language: Language, table: Table, kind: str) -> None:
    """Add the buttons that agree to a proposal and refuse it; a press carries the kind's place in `ProposalKind`."""
    number = table.proposals[kind].at
    path = (tuple(ProposalKind).index(ProposalKind(kind)),)
    panel.button(language.t("Agree"), Press("agree", table.id, number, path), style=Style.YES, emoji="👍")
    panel.button(language.t("Refuse"), Press("refuse", table.id, number, path), emoji="👎")


def hand_panel(language: Language, table: Table) -> Panel:
    """The one button under a message that calls somebody."""
    press = Press("hand", table.id, table.number)
    return Panel().button(language.t("My hand"), press, style=Style.MAIN, emoji="🃏")


def reclaim_panel(language: Language, table: Table) -> Panel:
    """The one button that takes a seat back from a computer."""
    return Panel().button(language.t("Take my seat back"), Press("reclaim", table.id, table.number), emoji="🙋")


def time_up_panel(language: Language, table: Table, seats: Sequence[int]) -> Panel:
    """What the others can choose when somebody's time is up: a row of buttons for each such seat.

    For more seats than there are rows, a menu for each choice.
    """
    panel = Panel()
    if len(seats) > ROWS:
        names = Names.of(table, language)
        options = [Option(label=names.bare(one), value=str(one), emoji=MARKS[one]) for one in seats]
        for row, (verb, label) in enumerate(
            (
                ("absent_wait", language.t("Wait longer")),
                ("absent_play", language.t("Computer plays this turn")),
                ("absent_computer", language.t("Hand the seat to a computer")),
                ("absent_offer", language.t("Offer the seat to others")),
            )
        ):
            panel.menu(label, Press(verb, table.id), options, row=row)
        return panel
    for row, seat in enumerate(one for one in seats if others(table, one)):
        decision = table.clocks[seat].decision

        def press(verb: str, seat: int = seat, decision: int = decision) -> Press:
            return Press(verb, table.id, decision, (seat,))

        panel.button(language.t("Wait longer"), press("absent_wait"), emoji="⏳", row=row)
        panel.button(language.t("Computer plays this turn"), press("absent_play"), emoji="🤖", row=row)
        panel.button(language.t("Hand the seat to a computer"), press("absent_computer"), emoji="🪑", row=row)
        if table.people[seat].offered:
            label = language.t("Take over: {name}", name=Names.of(table, language).bare(seat))
            panel.button(label, press("take_over"), emoji=MARKS[seat], row=row)
        else:
            panel.button(language.t("Offer the seat to others"), press("absent_offer"), emoji="📣", row=row)
    return panel
