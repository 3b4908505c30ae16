"""Proposals of players: what the others are asked, what became of it, what is said in private."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.consent import CONSENT, NOTICE, is_notice
from bot.languages import Language
from bot.languages import mark as _
from bot.moment import Moment
from bot.occupants import StandInReason
from bot.proposal import Proposal, ProposalKind
from bot.table import Note, NoteKind, Status, Table
from bot.tables.agreeing import DONE
from bot.tables.proposals import Seen, seen_in
from bot.texts import buttons
from bot.texts.markup import bold, moment, stack, user
from bot.texts.moves import tell
from bot.texts.names import MARKS, Names, said, said_of_table, sentences

taken_back = said("↩️ Taken back.")
_OTHERS_ASKED = said_of_table("{code}: the others have been asked.")
_TEAM_ASKED = said_of_table("{code}: your team has been asked.")

_AGREED = said_of_table("{code}: you agreed.")
_REFUSED = said_of_table("{code}: you disagreed.")
_WITHDREW = said_of_table("{code}: you withdrew the request.")


def done_taken_back(language: Language, told: str) -> str:
    """Say to a player that what they did, as it was told, has been taken back with what was done before it."""
    return f"{taken_back(language)} ~~{told}~~"


class ResultSentences(NamedTuple):
    """The sentences about a proposal that was refused, or closed by what happened meanwhile.

    That of a refusal stands on the game's board, so it does not begin with the game's code.
    """

    refused: str
    closed: str


_CONTINUES = _("{who} disagreed, so the game continues.")
_TURN_OVER = _("{code}: {name}'s turn is over, so this question is closed.")
_NONE_LEFT = _("{code}: no one is left to ask, so this question is closed.")

RESULTS: Mapping[ProposalKind, ResultSentences] = {
    ProposalKind.TAKEBACK: ResultSentences(
        _("{who} disagreed, so the move stands."),
        _("{code}: the game has moved on, so this question is closed."),
    ),
    ProposalKind.RESIGN: ResultSentences(_CONTINUES, _NONE_LEFT),
    ProposalKind.HINTS: ResultSentences(_("{who} disagreed, so hints stay off."), _NONE_LEFT),
    ProposalKind.WAIT: ResultSentences(_("{who} disagreed, so {name} gets no more time."), _TURN_OVER),
    ProposalKind.STAND_IN: ResultSentences(_("Too few agreed, so no computer plays for {name}."), _TURN_OVER),
    ProposalKind.OFFER: ResultSentences(
        _("Too few agreed, so {name}'s seat isn't offered."),
        _("{code}: {name}'s seat isn't offered any more, so this question is closed."),
    ),
    ProposalKind.CANCEL: ResultSentences(_("{who} disagreed, so the game isn't cancelled."), _NONE_LEFT),
    ProposalKind.PAUSE: ResultSentences(_CONTINUES, _NONE_LEFT),
    ProposalKind.RESUME: ResultSentences(
        _("{who} disagreed, so the game stays paused."),
        _("{code}: the pause is over, so this question is closed."),
    ),
}
"""For each kind of proposal, what became of it; what was agreed on shows."""

_PAUSE_RENEWED = ResultSentences(_("{who} disagreed, so the pause ends as planned."), _NONE_LEFT)
"""Results of the proposal to let a pause last longer."""

_ONCE_AGREED: Mapping[ProposalKind, str] = {
    ProposalKind.TAKEBACK: _("Once they agree, the move is taken back."),
    ProposalKind.RESIGN: _("Once they agree, the game is over."),
    ProposalKind.HINTS: _("Once they agree, hints are on."),
    ProposalKind.WAIT: _("Once they agree, {name} gets more time."),
    ProposalKind.STAND_IN: _("Once most agree, a computer plays for {name}."),
    ProposalKind.OFFER: _("Once most agree, {name}'s seat is open to others."),
    ProposalKind.CANCEL: _("Once they agree, the game is cancelled."),
    ProposalKind.PAUSE: _("Once they agree, the game is paused for seven days."),
    ProposalKind.RESUME: _("Once they agree, the game continues."),
}
"""The consequence of a proposal, for the player who has made it."""

OF_GAME = _("{code}: {told}")
"""The sentence about a game where its code does not stand already."""


def of_game(language: Language, table: Table, told: str) -> str:
    """Say of which game something is told."""
    return language.t(OF_GAME, code=bold(table.code), told=told)


_NEWER = _("{code}: {who} has since asked something else, so this question is closed.")
_UNDONE = _("{code}: {who} took their own move back, so this question is closed.")
_OPENED = _("{code}: {name}'s seat is open to others.")
_GAME_OVER = _("{code}: the game is over, so this question is closed.")
_GAME_PAUSED = _("{code}: the game is paused, so this question is closed.")
_ASKER_GONE = _("{code}: {asker} no longer plays, so this question is closed.")
_BACK = _("{code}: {name} is back, so this question is closed.")

_SEEN: Mapping[Seen, str] = {
    Seen.CARD: _("A card has been drawn since then."),
    Seen.EXCHANGE: _("The exchanged cards have been seen since then."),
    Seen.HAND: _("Folded cards have been seen since then."),
    Seen.ANSWER: _("Help has been asked for since then."),
}


def hints_in_lobby(language: Language) -> str:
    """Say where hints are allowed before the game starts."""
    arrange, hints = buttons.named(language, buttons.ARRANGE), buttons.named(language, buttons.HINTS_ON)
    return language.t(
        "The game hasn't started. The host can press {hints} under {arrange}.", hints=hints, arrange=arrange
    )


ASKS: Mapping[ProposalKind, str] = {
    ProposalKind.TAKEBACK: _("{who} asks to take a move back."),
    ProposalKind.RESIGN: _("{who} asks to resign."),
    ProposalKind.HINTS: _("{who} asks to allow hints."),
    ProposalKind.WAIT: _("{who} asks to wait longer for {name}."),
    ProposalKind.STAND_IN: _("{who} asks to let a computer play for {name}."),
    ProposalKind.OFFER: _("{who} asks to offer {name}'s seat to others."),
    ProposalKind.CANCEL: _("{who} asks to cancel the game."),
    ProposalKind.PAUSE: _("{who} asks to pause the game for seven days."),
    ProposalKind.RESUME: _("{who} asks to end the pause."),
}
"""The sentences with which a player asks the others."""

_SIGNS = {
    ProposalKind.TAKEBACK: "↩️",
    ProposalKind.RESIGN: "🏳️",
    ProposalKind.HINTS: "💡",
    ProposalKind.WAIT: "⏳",
    ProposalKind.STAND_IN: "🤖",
    ProposalKind.OFFER: "📣",
    ProposalKind.CANCEL: "🛑",
    ProposalKind.PAUSE: "⏸️",
    ProposalKind.RESUME: "▶️",
}

ROOM_FOR_MOVES = 600
"""Characters for the moves that a proposal names besides the one that is to be taken back: a usual lap of eight."""

_TAKES_BACK = _("{name} can take it back at any time.")
_FOLLOWS: Mapping[ProposalKind, str] = {
    ProposalKind.RESIGN: _("If the team agrees, the game ends and {winners} win."),
    ProposalKind.HINTS: _("The game would be unrated."),
    ProposalKind.STAND_IN: _TAKES_BACK,
    ProposalKind.OFFER: _TAKES_BACK,
    ProposalKind.CANCEL: _("The game wouldn't count."),
}
"""The consequences if they agree, where those are not plain."""


def asked_line(language: Language, table: Table, kind: ProposalKind) -> str:
    """Return in one line that a player asks the others something, for what stands beside the proposal itself."""
    proposal = table.proposals[kind]
    if is_notice(proposal):
        return proposal_line(language, table, kind)
    names = Names.of(table, language)
    name = "" if proposal.about is None else names.marked(proposal.about)
    return f"{_SIGNS[kind]} {language.t(ASKS[kind], who=names.marked(proposal.seat), name=name)}"


def proposal_line(language: Language, table: Table, kind: ProposalKind, pinged: Collection[int] = ()) -> str:
    """Return what a player asks the others, and whose answer is still missing; those in `pinged` are mentioned."""
    proposal = table.proposals[kind]
    names = Names.of(table, language)
    who, name = names.marked(proposal.seat), "" if proposal.about is None else names.marked(proposal.about)
    cost = ""
    if table.is_rated and kind is ProposalKind.OFFER:
        cost = language.t("It's rated: {name} loses once the seat is taken.", name=name)
    elif kind is ProposalKind.STAND_IN and proposal.about is not None and not _is_friends(table, proposal.about):
        cost = unless_back(language, table, proposal.about)
    if is_notice(proposal):
        when = moment(proposal.at + NOTICE)
        notice = language.t(
            "📣 {name}'s seat opens to others on {when}, unless they take it back.", name=name, when=when
        )
        return sentences(notice, cost)
    waiting = _waiting_for(language, table, proposal, pinged)
    if kind == ProposalKind.TAKEBACK:
        return stack(_takeback_lines(language, table, names, proposal), waiting)
    asks, follows = language.t(ASKS[kind], who=who, name=name), ""
    if kind in _FOLLOWS:
        side = (proposal.seat, *table.board.partners(proposal.seat))
        winners = names.listed(language, [seat for seat in table.seats if seat not in side])
        follows = language.t(_FOLLOWS[kind], name=name, winners=winners)
    voting = language.t("A majority decides.") if CONSENT[kind].most else ""
    return f"{_SIGNS[kind]} {sentences(asks, follows, cost, voting, waiting)}"


def _waiting_for(language: Language, table: Table, proposal: Proposal, pinged: Collection[int] = ()) -> str:
    """Return whose answer is still missing; those in `pinged` are mentioned."""
    answered, names = (*proposal.agreed, *proposal.refused), Names.of(table, language)
    missing = [user_id for user_id in proposal.must_agree if user_id not in answered]
    people = language.listed(_by_user(table, names, user_id, pinged=user_id in pinged) for user_id in missing)
    return language.t("Waiting for: {people}.", people=people)


def _is_friends(table: Table, seat: int) -> bool:
    """Return True if a friend plays a seat, whose silence is not held against an owner who is away."""
    return table.occupants[seat].why is StandInReason.FRIEND


def unless_back(language: Language, table: Table, seat: int) -> str:
    """Return what it costs a player if a computer keeps the seat; nothing in a game that is not rated."""
    name = Names.of(table, language).marked(seat)
    return language.t("It's rated: {name} loses unless they come back.", name=name) if table.is_rated else ""


def _takeback_lines(language: Language, table: Table, names: Names, proposal: Proposal) -> str:
    """Return a proposal that names the move to be taken back, those that go with it, and what was seen since."""
    entries = () if table.game is None else table.game.history(proposal.number)
    move, *later = [" ".join(tell(language, names, (entry,))) for entry in entries] or [""]
    asks = language.t(ASKS[ProposalKind.TAKEBACK], who=names.marked(proposal.seat))
    # The move names its player, who asks.
    line = language.t("↩️ Take this move back? {move}", move=move) if move else f"↩️ {asks}"
    with_it = language.t("These go with it: {moves}.", moves=name_moves(language, later)) if later else ""
    seen = seen_in(entries)
    return stack(line, with_it, _seen(language, seen) if seen else "")


def name_moves(language: Language, moves: Sequence[str]) -> str:
    """List moves, as many as there is room for, and how many more there are; gifts have no words of their own."""
    named: list[str] = []
    for text in (move.removesuffix(".") for move in moves if move):
        if sum(map(len, named)) + len(text) > ROOM_FOR_MOVES:
            break
        named.append(text)
    if more := len(moves) - len(named):
        named.append(language.n("{count} more move", "{count} more moves", more))
    return language.listed(named)


def team_question(language: Language, table: Table) -> str:
    """Return a player's proposal to resign the game, as their partner reads it in a direct message."""
    proposal, names = table.proposals[ProposalKind.RESIGN], Names.of(table, language)
    side = (proposal.seat, *table.board.partners(proposal.seat))
    return language.t(
        "🏳️ {code}: {who}, your partner, wants to resign. Then {winners} win. Do you agree?",
        code=bold(table.code),
        who=names.marked(proposal.seat),
        winners=names.listed(language, [seat for seat in table.seats if seat not in side]),
    )


def _seen(language: Language, seen: Collection[Seen]) -> str:
    """List what has been seen since the move to be taken back."""
    return "⚠️ " + sentences(*(language.t(text) for kind, text in _SEEN.items() if kind in seen))


def proposal_message(language: Language, table: Table, kind: ProposalKind, pinged: Sequence[int]) -> str:
    """Return the message that asks those who must agree to a proposal; `pinged`: the users mentioned in it."""
    beside = (other for other in pinged if other not in table.proposals[kind].must_agree)
    head = " ".join((bold(table.code), *map(user, beside)))
    return f"{head} · {proposal_line(language, table, kind, pinged)}"


def outcome(
    language: Language, table: Table, kind: ProposalKind, notes: Sequence[Note], marks: Mapping[int, str]
) -> str:
    """Say what became of a proposal whose end is not known (see `is_known`), according to the table's notes.

    `marks`: by the asker's seat, when it was made.
    """
    asked, later = _find_note(kind, notes, marks)
    end = None if asked is None else _find_end(kind, asked, later)
    if asked is None or (end is not None and end.data.get("withdrawn")):
        return language.t("{code}: this question is closed.", code=bold(table.code))
    told = _gaps(language, table, asked, end)
    results = _results(kind, notes[: len(notes) - len(later) - 1])
    stands = _still_standing(language, table, asked, later) if kind is ProposalKind.TAKEBACK else ""
    if end is None:
        return sentences(language.t(_why_closed(table, kind, asked), **told), stands)
    if end.kind is NoteKind.DECLINED:
        return language.t(OF_GAME, code=told["code"], told=language.t(results.refused, **told))
    if end.kind is NoteKind.PROPOSED:
        return language.t(_NEWER, **told)
    return language.t(_OPENED, **told) if kind is ProposalKind.OFFER else sentences(language.t(_UNDONE, **told), stands)


def refusal(language: Language, table: Table, notes: Sequence[Note], declined: Note) -> str:
    """Say in public that a proposal was refused, by the note of that; nothing if that is no business of the others."""
    kind = ProposalKind(str(declined.data["kind"]))
    before = notes[: next(index for index, note in enumerate(notes) if note is declined)]
    asked = next((note for note in reversed(before) if _asks(note, kind)), None)
    if asked is None or kind is ProposalKind.RESIGN or declined.data["withdrawn"]:
        return ""
    earlier = before[: next(index for index, note in enumerate(before) if note is asked)]
    told = language.t(_results(kind, earlier).refused, **_gaps(language, table, asked, declined))
    return f"{_SIGNS[kind]} {told}"


def _asks(note: Note, kind: ProposalKind) -> bool:
    return note.kind is NoteKind.PROPOSED and note.data.get("kind") == kind


def _results(kind: ProposalKind, before: Sequence[Note]) -> ResultSentences:
    """Return the results of a proposal of this kind; `before`: what had happened when it was made."""
    return _PAUSE_RENEWED if kind is ProposalKind.PAUSE and _is_paused(before) else RESULTS[kind]


def _gaps(language: Language, table: Table, asked: Note, end: Note | None) -> Mapping[str, str]:
    """Return what fills the gaps of the sentences about the end of a proposal."""
    names, about = Names.of(table, language), asked.data.get("about")
    return {
        "code": bold(table.code),
        "asker": _by_user(table, names, asked.actor_id or 0),
        "name": names.marked(about) if isinstance(about, int) else "",
        "who": "" if end is None else _by_user(table, names, end.actor_id or 0),
    }


def is_known(kind: ProposalKind, notes: Sequence[Note], marks: Mapping[int, str]) -> bool:
    """Return True if the asker knows the end of a proposal: they withdrew it, or what all agreed on shows."""
    asked, later = _find_note(kind, notes, marks)
    end = None if asked is None else _find_end(kind, asked, later)
    return end is not None and bool(end.data.get("agreed") or end.data.get("withdrawn"))


def _find_note(
    kind: ProposalKind, notes: Sequence[Note], marks: Mapping[int, str]
) -> tuple[Note | None, Sequence[Note]]:
    """Return the note of a proposal with these marks, and those after it."""
    for index in reversed(range(len(notes))):
        if _is_of_proposal(notes[index], kind, marks):
            return notes[index], notes[index + 1 :]
    return None, ()


def _find_end(kind: ProposalKind, asked: Note, later: Iterable[Note]) -> Note | None:
    """Return the note of what ended a proposal; None if no one answered it before the game overtook it."""
    for note in later:
        if note.kind in (NoteKind.DECLINED, NoteKind.PROPOSED) and note.data.get("kind") == kind:
            return note
        if note.kind is DONE[kind]:
            done = note.actor_id == asked.actor_id and (bool(note.data.get("agreed")) or kind is ProposalKind.OFFER)
            if done or kind is ProposalKind.TAKEBACK:
                return note
    return None


def _is_of_proposal(note: Note, kind: ProposalKind, marks: Mapping[int, str]) -> bool:
    """Return True for the note of a proposal with these marks, whose time may have been moved on since."""
    if not _asks(note, kind):
        return False
    return note.seat is not None and note.seat in marks and note.at <= int(marks[note.seat])


def _is_paused(notes: Sequence[Note]) -> bool:
    """Return True if a game was paused after these notes."""
    paused = (note.kind for note in reversed(notes) if note.kind in (NoteKind.PAUSED, NoteKind.RESUMED))
    return next(paused, None) is NoteKind.PAUSED


def _why_closed(table: Table, kind: ProposalKind, asked: Note) -> str:
    """Return why a proposal has no answer: what has happened since at its table."""
    about = asked.data.get("about")
    if not table.is_open:
        return _GAME_OVER
    if asked.actor_id not in table.voices:
        return _ASKER_GONE
    match kind:
        case ProposalKind.WAIT | ProposalKind.STAND_IN if table.status is Status.PAUSED:
            return _GAME_PAUSED
        case ProposalKind.WAIT | ProposalKind.STAND_IN if isinstance(about, int) and _is_on(table, about, asked):
            return _NONE_LEFT
        case ProposalKind.OFFER if isinstance(about, int) and table.occupants[about].plays is not None:
            return _BACK
        case _:
            return RESULTS[kind].closed


def _is_on(table: Table, seat: int, asked: Note) -> bool:
    """Return True if the turn that a proposal was about is not over."""
    decision = table.decision(seat) if seat in table.waiting_for else None
    return decision is not None and decision.number == Moment.parse(str(asked.data["move"])).number


def _still_standing(language: Language, table: Table, asked: Note, later: Sequence[Note]) -> str:
    """Name the move that a takeback was about, unless it has been taken back all the same."""
    number = Moment.parse(str(asked.data["move"])).number
    cut = [int(str(note.data["number"])) for note in later if note.kind is NoteKind.UNDONE]
    if table.game is None or any(first <= number for first in cut):
        return ""
    move = " ".join(tell(language, Names.of(table, language), table.game.history(number)[:1]))
    return language.t("This move stands: {move}", move=move) if move else ""


def _by_user(table: Table, names: Names, user_id: int, *, pinged: bool = False) -> str:
    """Name a user by their seat, or mention them there."""
    seat = table.seat_of(user_id)
    if seat is None:
        return user(user_id)
    return f"{MARKS[seat]} {user(user_id)}" if pinged else names.marked(seat)


def others_asked(language: Language, table: Table, kind: ProposalKind) -> str:
    """Say that the others have been asked, or who if that is one player, and what follows once they agree."""
    proposal, names = table.proposals.get(kind), Names.of(table, language)
    if proposal is None:
        return _OTHERS_ASKED(language, table)
    if kind is ProposalKind.RESIGN:
        asked = _TEAM_ASKED(language, table)
    elif len(proposal.must_agree) == 1:
        name = _by_user(table, names, proposal.must_agree[0])
        asked = language.t("{code}: {name} has been asked.", code=bold(table.code), name=name)
    else:
        asked = _OTHERS_ASKED(language, table)
    about = "" if proposal.about is None else names.marked(proposal.about)
    return sentences(asked, language.t(_ONCE_AGREED[kind], name=about))


def agreed_to(language: Language, table: Table, kind: ProposalKind) -> str:
    """Confirm that the reader has agreed to an open proposal, and say whose answer is still missing."""
    return sentences(_AGREED(language, table), _waiting_for(language, table, table.proposals[kind]))


def answered(language: Language, table: Table, *, yes: bool, own: bool) -> str:
    """Confirm the reader's answer; `own`: the proposal was theirs."""
    return (_AGREED if yes else _WITHDREW if own else _REFUSED)(language, table)
