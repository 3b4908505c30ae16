"""Taking moves back and giving a game up: what the others are asked, what became of it, what is said in private."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.languages import Language
from bot.table import Note, NoteKind, ProposalKind, Table
from bot.tables.consent import Seen, seen_in
from bot.texts.markup import bold, user
from bot.texts.names import Names, listing, sentences


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


def taken_back(language: Language) -> str:
    """The reader's move has been taken back."""
    return language.t("↩️ Taken back.")


def moved_on(language: Language, table: Table) -> str:
    """It is too late for *Undo*."""
    return language.t(
        "{code} has moved on since: `/dog takeback` goes back further, if the others agree.", code=bold(table.code)
    )


def others_asked(language: Language, table: Table) -> str:
    """The takeback is waiting for the others."""
    return language.t("{code}: the others have been asked.", code=bold(table.code))


def answered(language: Language, table: Table, *, yes: bool, own: bool) -> str:
    """The reader's answer has been noted; `own`: the question was theirs."""
    if yes:
        return language.t("{code}: you agreed.", code=bold(table.code))
    if own:
        return language.t("{code}: you withdrew the request.", code=bold(table.code))
    return language.t("{code}: you refused.", code=bold(table.code))
