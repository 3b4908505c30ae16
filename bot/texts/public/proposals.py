"""Questions of players: what the others are asked, what became of it, what is said in private."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.consent import CONSENT, NOTICE, is_notice
from bot.languages import Language
from bot.languages import mark as _
from bot.occupants import StandInReason
from bot.table import Note, NoteKind, Proposal, ProposalKind, Table
from bot.tables.turns import Seen, seen_in
from bot.texts import buttons
from bot.texts.markup import bold, until, user
from bot.texts.moves import tell
from bot.texts.names import Names, said, said_of_table, sentences

taken_back = said("↩️ Taken back.")
others_asked = said_of_table("{code}: the others have been asked.")

_AGREED = said_of_table("{code}: you agreed.")
_REFUSED = said_of_table("{code}: you disagreed.")
_WITHDREW = said_of_table("{code}: you withdrew the request.")
_TAKEN_BACK = said_of_table("{code}: everyone agreed, so the move was taken back.")
_CONCEDED = said_of_table("{code}: the team agreed to resign.")
_HINTS_ON = said_of_table("{code}: everyone agreed, so hints are on. The game is now unrated.")
_DONE_SO = said_of_table("{code}: agreed.")
_SETTLED = said_of_table("{code}: too late, the game has moved on.")

_DONE = {
    ProposalKind.TAKEBACK: (NoteKind.UNDONE, _TAKEN_BACK),
    ProposalKind.CONCEDE: (NoteKind.CONCEDED, _CONCEDED),
    ProposalKind.HINTS: (NoteKind.CHANGED, _HINTS_ON),
    ProposalKind.WAIT: (NoteKind.WAITED, _DONE_SO),
    ProposalKind.STAND_IN: (NoteKind.HANDED, _DONE_SO),
    ProposalKind.OFFER: (NoteKind.OFFERED, _DONE_SO),
    ProposalKind.CANCEL: (NoteKind.CANCELLED, _DONE_SO),
    ProposalKind.PAUSE: (NoteKind.PAUSED, _DONE_SO),
    ProposalKind.RESUME: (NoteKind.RESUMED, _DONE_SO),
}
"""For each proposal, the note that it has happened and the sentence about that."""

_SEEN: Mapping[Seen, str] = {
    Seen.CARD: _("A card has been drawn since then."),
    Seen.EXCHANGE: _("The exchanged cards have been seen since then."),
    Seen.HAND: _("A hand has been laid down since then."),
    Seen.ANSWER: _("A call for help has been heard since then."),
}


def hints_in_lobby(language: Language) -> str:
    """Say where hints are allowed before the game starts."""
    arrange, hints = buttons.named(language, buttons.ARRANGE), buttons.named(language, buttons.HINTS_ON)
    return language.t(
        "The game hasn't started. The host can press {hints} under {arrange}.", hints=hints, arrange=arrange
    )


ASKS: Mapping[ProposalKind, str] = {
    ProposalKind.TAKEBACK: _("{who} asks to take a move back."),
    ProposalKind.CONCEDE: _("{who} asks to resign."),
    ProposalKind.HINTS: _("{who} asks to allow hints."),
    ProposalKind.WAIT: _("{who} asks to wait longer for {name}."),
    ProposalKind.STAND_IN: _("{who} asks to let a computer play for {name}."),
    ProposalKind.OFFER: _("{who} asks to offer {name}'s seat to others."),
    ProposalKind.CANCEL: _("{who} asks to cancel the game."),
    ProposalKind.PAUSE: _("{who} asks to pause the game for seven days."),
    ProposalKind.RESUME: _("{who} asks to end the pause."),
}
"""The questions that a player has asked the others."""

_SIGNS = {
    ProposalKind.TAKEBACK: "↩️",
    ProposalKind.CONCEDE: "🏳️",
    ProposalKind.HINTS: "💡",
    ProposalKind.WAIT: "⏳",
    ProposalKind.STAND_IN: "🤖",
    ProposalKind.OFFER: "📣",
    ProposalKind.CANCEL: "🛑",
    ProposalKind.PAUSE: "⏸️",
    ProposalKind.RESUME: "▶️",
}

_ALL_DECIDE, _MOST_DECIDE = _("Waiting for: {people}."), _("A majority decides. Waiting for: {people}.")
_TAKES_BACK = _("{name} can take it back at any time.")
_FOLLOWS: Mapping[ProposalKind, str] = {
    ProposalKind.HINTS: _("The game would be unrated."),
    ProposalKind.STAND_IN: _TAKES_BACK,
    ProposalKind.OFFER: _TAKES_BACK,
    ProposalKind.CANCEL: _("The game wouldn't count."),
}
"""The consequences if they agree, where those are not plain."""


def proposal_line(language: Language, table: Table, kind: ProposalKind) -> str:
    """Return what a player asks the others, and whose answer is still missing."""
    proposal = table.proposals[kind]
    names = Names.of(table, language)
    who, name = names.marked(proposal.seat), "" if proposal.about is None else names.marked(proposal.about)
    cost = ""
    if table.is_rated and kind is ProposalKind.OFFER:
        cost = language.t("It's rated: {name} loses once the seat is taken.", name=name)
    elif kind is ProposalKind.STAND_IN and proposal.about is not None and not _is_friends(table, proposal.about):
        cost = unless_back(language, table, proposal.about)
    if is_notice(proposal):
        when = until(proposal.at + NOTICE)
        notice = language.t(
            "📣 {name}'s seat opens to others {when}, unless {name} takes it back.", name=name, when=when
        )
        return sentences(notice, cost)
    answered = (*proposal.agreed, *proposal.refused)
    missing = [user_id for user_id in proposal.must_agree if user_id not in answered]
    people = language.listed(_by_user(table, names, user_id) for user_id in missing)
    if kind == ProposalKind.TAKEBACK:
        return _takeback_line(language, table, names, proposal, people)
    asks = language.t(ASKS[kind], who=who, name=name)
    follows = language.t(_FOLLOWS[kind], name=name) if kind in _FOLLOWS else ""
    voting = _MOST_DECIDE if CONSENT[kind].most else _ALL_DECIDE
    return f"{_SIGNS[kind]} {sentences(asks, follows, cost, language.t(voting, people=people))}"


def _is_friends(table: Table, seat: int) -> bool:
    """Return True if a friend plays a seat, whose silence is not held against an owner who is away."""
    return table.occupants[seat].why is StandInReason.FRIEND


def unless_back(language: Language, table: Table, seat: int) -> str:
    """Return what it costs a player if a computer keeps the seat; nothing in a game that is not rated."""
    name = Names.of(table, language).marked(seat)
    return language.t("It's rated: {name} must come back, or {name} loses.", name=name) if table.is_rated else ""


def answer_label(language: Language, table: Table, kind: ProposalKind, names: Names, answer: str) -> str:
    """Return the line of a menu for an answer to a question; `names`: as players are called there."""
    proposal = table.proposals[kind]
    name = "" if proposal.about is None else names.label(proposal.about)
    question = language.t(ASKS[kind], who=names.label(proposal.seat), name=name)
    return language.t("{answer}: {question}", answer=answer, question=question)


def _takeback_line(language: Language, table: Table, names: Names, proposal: Proposal, people: str) -> str:
    """Return a question that names the move to be taken back, and what has been seen since."""
    count, who = table.number - proposal.number + 1, names.marked(proposal.seat)
    entries = () if table.game is None else table.game.history(proposal.number)
    move = " ".join(tell(language, names, entries[:1])) or "…"
    line = language.n(
        "↩️ {who} asks to take this move back: {move}",
        "↩️ {who} asks to take this move back, with the {count} since: {move}",
        count if count < 2 else count - 1,
        who=who,
        move=move,
    )
    line = sentences(line, language.t(_ALL_DECIDE, people=people))
    seen = seen_in(entries)
    return sentences(line, _seen(language, seen)) if seen else line


def _seen(language: Language, seen: Collection[Seen]) -> str:
    """List what has been seen since the move to be taken back."""
    return "⚠️ " + sentences(*(language.t(text) for kind, text in _SEEN.items() if kind in seen))


def question(language: Language, table: Table, kind: ProposalKind, pinged: Sequence[int]) -> str:
    """Return the message that asks those who must agree to a proposal; `pinged`: the users mentioned in it."""
    head = " ".join((bold(table.code), *map(user, pinged)))
    return f"{head}\n{proposal_line(language, table, kind)}"


def outcome(language: Language, table: Table, kind: ProposalKind, notes: Sequence[Note]) -> str:
    """Say what became of a proposal, according to the table's notes."""
    done, told = _DONE[kind]
    for note in reversed(notes):
        if note.kind == done:
            return told(language, table)
        if note.data.get("kind") != kind:
            continue
        if note.kind == NoteKind.PROPOSED:
            break
        code, who = bold(table.code), user(note.actor_id or 0)
        if note.kind == NoteKind.DECLINED and note.data["withdrawn"]:
            return language.t("{code}: {who} withdrew the request.", code=code, who=who)
        if note.kind == NoteKind.DECLINED:
            return language.t("{code}: {who} disagreed, so the game continues.", code=code, who=who)
    return _SETTLED(language, table)


def _by_user(table: Table, names: Names, user_id: int) -> str:
    seat = table.seat_of(user_id)
    return user(user_id) if seat is None else names.marked(seat)


def answered(language: Language, table: Table, *, yes: bool, own: bool) -> str:
    """Confirm the reader's answer; `own`: the question was theirs."""
    return (_AGREED if yes else _WITHDREW if own else _REFUSED)(language, table)
