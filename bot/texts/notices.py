"""Who is absent, and what is said beside the board: reminders, time that is up, questions, nudges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.clocks.ticking import MOST_MISSED
from bot.languages import Language
from bot.preferences import AwayHow, Preferences
from bot.table import Note, NoteKind, ProposalKind, SeatClock, StandInReason, Table
from bot.tables.undo import Seen, seen_in
from bot.texts.clock import day
from bot.texts.markup import bold, until, user
from bot.texts.words import Names, listing, sentences


def absent_lines(language: Language, table: Table, people: Mapping[int, Preferences]) -> list[str]:
    """Who is away, for whom a computer plays, and what the players are being asked. `people`: preferences by id."""
    if not table.is_open or table.game is None:
        return []
    names = Names.of(table, language)
    lines = []
    played_for = []
    for seat, who in table.people.items():
        if who.user_id is None:
            continue
        prefers = people.get(who.user_id, Preferences(who.user_id))
        date = "" if prefers.away_until is None else day(prefers.away_until, prefers.time_zone)
        name = names.marked(seat)
        if date and prefers.away_how is AwayHow.SLOW and who.plays is not None:
            lines.append(language.t("🏖️ {name} is away until {day}; the clock waits.", name=name, day=date))
        elif date and who.why == StandInReason.AWAY:
            lines.append(language.t("🏖️ {name} is away until {day}; a computer plays.", name=name, day=date))
        elif who.plays is None:
            played_for.append(seat)
    if played_for:
        listed = listing(language, (names.marked(one) for one in played_for))
        lines.append(language.t("🤖 A computer plays for {names}.", names=listed))
    if table.open_seats:
        lines.append(
            language.t(
                "🪑 Somebody else may take over: {seats}.",
                seats=listing(language, (names.marked(one) for one in table.open_seats)),
            )
        )
    lines.extend(proposal_line(language, table, kind) for kind in table.proposals)
    return lines


def proposal_line(language: Language, table: Table, kind: ProposalKind) -> str:
    """What somebody proposes, and whose answer is still missing."""
    proposal = table.proposals[kind]
    names = Names.of(table, language)
    missing = [one for one in proposal.asked if one not in proposal.agreed]
    people = listing(language, (_by_user(table, names, one) for one in missing))
    who = names.marked(proposal.seat)
    if kind == ProposalKind.TAKEBACK:
        count = table.number - proposal.number + 1
        asked = language.n(
            "↩️ {who} asks to take the last move back. Still to agree: {people}.",
            "↩️ {who} asks to take the last {count} moves back. Still to agree: {people}.",
            count,
            who=who,
            people=people,
        )
        seen = () if table.game is None else seen_in(table.game.history(proposal.number))
        return sentences(asked, _seen(language, seen)) if seen else asked
    return language.t("🏳️ {who} proposes to give the game up. Still to agree: {people}.", who=who, people=people)


def _seen(language: Language, seen: Collection[Seen]) -> str:
    """What has been seen since the move that somebody wants to take back."""
    said = {
        Seen.CARD: language.t("A card has been drawn since then."),
        Seen.EXCHANGE: language.t("The exchanged cards have been seen since then."),
        Seen.HAND: language.t("A hand has been laid down since then."),
        Seen.ANSWER: language.t("A call for help has been heard since then."),
    }
    return "⚠️ " + sentences(*(said[one] for one in Seen if one in seen))


def question(language: Language, table: Table, kind: ProposalKind, pinged: Sequence[int]) -> str:
    """The message that asks those who must agree to a proposal; `pinged`: the users mentioned in it."""
    head = " ".join((bold(table.code), *map(user, pinged)))
    return f"{head}\n{proposal_line(language, table, kind)}"


def settled(language: Language, table: Table, kind: ProposalKind, notes: Sequence[Note]) -> str:
    """What became of a proposal, according to the table's notes."""
    for note in reversed(notes):
        if note.kind == NoteKind.UNDONE and kind == ProposalKind.TAKEBACK:
            return language.t("{code}: everyone agreed, so the move was taken back.", code=bold(table.code))
        if note.kind == NoteKind.CONCEDED and kind == ProposalKind.CONCEDE:
            return language.t("{code}: both agreed, so the game was given up.", code=bold(table.code))
        if note.kind == NoteKind.DECLINED and note.data.get("kind") == kind and note.data.get("withdrawn"):
            who = user(note.actor_id or 0)
            return language.t("{code}: {who} withdrew the request.", code=bold(table.code), who=who)
        if note.kind == NoteKind.DECLINED and note.data.get("kind") == kind:
            who = user(note.actor_id or 0)
            return language.t("{code}: {who} did not agree, so the game continues.", code=bold(table.code), who=who)
        if note.kind == NoteKind.PROPOSED and note.data.get("kind") == kind:
            break
    return language.t("{code}: that question is settled; the game has moved on.", code=bold(table.code))


def _by_user(table: Table, names: Names, user_id: int) -> str:
    seat = table.seat_of(user_id)
    return user(user_id) if seat is None else names.marked(seat)


def reminder(language: Language, table: Table, who: str, clock: SeatClock) -> str:
    """The reminder at half and at nine tenths of the time. `who`: a mention, or a name."""
    return language.t(
        "⏳ {code}: {who}, the others are still waiting for you. Time runs out {when}.",
        code=bold(table.code),
        who=who,
        when=until(clock.ends_at or 0),
    )


def time_up(language: Language, table: Table, seat: int, clock: SeatClock) -> str:
    """What the others read when somebody's time is up, or that person if nobody else plays here."""
    who, when = table.people[seat], until(clock.ends_at or 0)
    told = {"code": bold(table.code), "name": Names.of(table, language).marked(seat), "when": when}
    for_good = who.missed + 1 >= MOST_MISSED
    if not others(table, seat):
        if for_good:
            return language.t("⌛ {code}: {name}'s time is up. A computer plays on {when}.", **told)
        return language.t("⌛ {code}: {name}'s time is up. A computer plays this turn {when}.", **told)
    if who.offered:
        head = language.t(
            "⌛ {code}: {name}'s time is up. The seat is on offer: any other member may take it over.",
            **told,
        )
    else:
        head = language.t("⌛ {code}: {name}'s time is up. The others at the table choose what happens.", **told)
    if for_good:
        return sentences(head, language.t("Without an answer a computer takes the seat {when}.", when=when))
    return sentences(head, language.t("Without an answer a computer plays this turn {when}.", when=when))


def others(table: Table, seat: int) -> bool:
    """Whether another person plays at the table who may choose what happens to this seat."""
    return any(who.plays is not None for one, who in table.people.items() if one != seat)


def called(language: Language, table: Table, asked: str) -> str:
    """Said in the channel to somebody who wanted to be told by direct message but could not be."""
    return language.t(
        "🎲 {code}: {asked}, it is your turn. I could not send you a direct message.",
        code=bold(table.code),
        asked=asked,
    )


def nudge(language: Language, table: Table, who: str, asked: str) -> str:
    """The public nudge. `who` asks, `asked` are those the game is waiting for."""
    return language.t(
        "👋 {code}: {asked}, {who} is waiting for your move.", code=bold(table.code), who=who, asked=asked
    )


def handed(language: Language, table: Table, who: str) -> str:
    """Said to a person who has just lost their seat to a computer for being absent. `who`: mentions or names."""
    return language.t(
        "🤖 {code}: {who}, a computer plays for you until you take your seat back.", code=bold(table.code), who=who
    )
