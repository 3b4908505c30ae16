"""Time and absence in words: deadlines, reminders, whose time is up, who is away, and what the others may do."""

from __future__ import annotations

from bot.languages import Language
from bot.table import SeatClock, Status, Table
from bot.texts.words import MARKS, Names, listing


def until(moment: int) -> str:
    """A moment as Discord shows it in the reader's own words, such as "in 3 hours"."""
    return f"<t:{moment}:R>"


def clock_lines(language: Language, table: Table) -> list[str]:
    """The deadlines under a board: until when each seat has time, or that the clock stands still."""
    if table.status is Status.PAUSED:
        return [language.t("⏸️ This game is paused. The clock stands still.")]
    if table.status is not Status.PLAYING:
        return []
    names = Names.of(table, language)
    lines = []
    by_end: dict[int, list[int]] = {}
    for seat, clock in table.clocks.items():
        if clock.ends_at is None:
            continue
        if clock.overdue:
            lines.append(
                language.t(
                    "⌛ The time of {name} is up. The others choose what happens; else a computer plays {when}.",
                    name=names.marked(seat),
                    when=until(clock.ends_at),
                )
            )
        else:
            by_end.setdefault(clock.ends_at, []).append(seat)
    for moment, seats in sorted(by_end.items()):
        if len(by_end) == 1:
            lines.append(language.t("⏳ Time until {when}", when=until(moment)))
        else:
            marks = " ".join(MARKS[seat] for seat in seats)
            lines.append(language.t("⏳ {marks} time until {when}", marks=marks, when=until(moment)))
    return lines


def absent_lines(language: Language, table: Table) -> list[str]:
    """Which seats a computer plays for somebody, and what is being asked of the players."""
    if not table.is_open or table.game is None:
        return []
    names = Names.of(table, language)
    lines = []
    away = [seat for seat, who in table.people.items() if who.user_id is not None and who.plays is None]
    if away:
        lines.append(
            language.t("🤖 A computer plays for {names}.", names=listing(language, (names.marked(one) for one in away)))
        )
    if table.open_seats:
        lines.append(
            language.t(
                "🪑 Somebody else may take over: {seats}.",
                seats=listing(language, (names.marked(one) for one in table.open_seats)),
            )
        )
    lines.extend(proposal_line(language, table, kind) for kind in table.proposals)
    return lines


def proposal_line(language: Language, table: Table, kind: str) -> str:
    """What somebody proposes, and whose answer is still missing."""
    proposal = table.proposals[kind]
    names = Names.of(table, language)
    missing = [user for user in proposal.asked if user not in proposal.agreed]
    people = listing(language, (_by_user(table, names, user) for user in missing))
    who = names.marked(proposal.seat)
    if kind == "takeback":
        return language.t("↩️ {who} asks to take a move back. Still to agree: {people}.", who=who, people=people)
    return language.t("🏳️ {who} proposes to give the game up. Still to agree: {people}.", who=who, people=people)


def _by_user(table: Table, names: Names, user_id: int) -> str:
    seat = table.seat_of(user_id)
    return f"<@{user_id}>" if seat is None else names.marked(seat)


def reminder(language: Language, table: Table, who: str, clock: SeatClock) -> str:
    """The reminder at half and at nine tenths of the time. `who`: a mention, or a name."""
    return language.t(
        "⏳ **{code}**: {who}, it is still your turn. Time until {when}.",
        code=table.code,
        who=who,
        when=until(clock.ends_at or 0),
    )


def time_up(language: Language, table: Table, seat: int, clock: SeatClock) -> str:
    """What the others read when somebody's time is up."""
    name = Names.of(table, language).marked(seat)
    return language.t(
        "⌛ **{code}**: the time of {name} is up. What shall happen? "
        "Without an answer a computer plays this turn {when}.",
        code=table.code,
        name=name,
        when=until(clock.ends_at or 0),
    )


def nudge(language: Language, table: Table, who: str, asked: str) -> str:
    """The public nudge. `who` asks, `asked` are those who are waited for."""
    return language.t("👋 **{code}**: {asked}, {who} waits for your move.", code=table.code, who=who, asked=asked)
