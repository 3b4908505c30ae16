"""Extras on a board: winks, a line for each round, the story at the end; and table talk."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto

from bot.languages import Language
from bot.languages import mark as _
from bot.rounds import RoundEnd
from bot.table import Table
from bot.texts.markup import small
from bot.texts.names import Names, round_name, said, the_card
from engine import Entry, Event, EventKind

MANY = 3
"""This many cards laid down at once are a turn of fate."""


class _Mood(Enum):
    """The kinds of winks."""

    TOOK = auto()
    SWEPT = auto()
    OWN = auto()
    HOME = auto()
    FOLDED = auto()


_WINKS: Mapping[_Mood, Sequence[str]] = {
    _Mood.TOOK: (
        _("{name} sends {other} on a long walk."),
        _("{other} had plans. {name} had others."),
        _("The kennel door opens for {other}, from outside."),
        _("{name} doesn't even say sorry."),
        _("{other} will remember that."),
        _("A short visit, {other}."),
        _("{name} was in a hurry, {other} was in the way."),
        _("Back to the basket, {other}!"),
        _("{other} takes the scenic route again."),
        _("That stings, {other}."),
        _("{name} barks, {other} runs."),
        _("So near, {other}, and yet so far."),
    ),
    _Mood.SWEPT: (
        _("{name} sweeps the street clean."),
        _("{name} takes no prisoners."),
        _("The kennels are filling up, thanks to {name}."),
        _("{name} brought a broom."),
        _("One card, and what a howl from {name}."),
        _("Will nothing stop {name}?"),
        _("{name} bowls a strike."),
        _("They'll be talking about this one, {name}."),
        _("{name} has cleaned up."),
        _("Hurricane {name} passes through."),
        _("{name} is making lots of friends today."),
        _("Please queue at the kennels, says {name}."),
    ),
    _Mood.OWN: (
        _("{name} keeps it in the family."),
        _("With friends like that, who needs enemies, {name}?"),
        _("Close to home, {name}: that was your own team."),
        _("{name} needed that space more."),
        _("{name} calls it a sacrifice."),
        _("That hurt {name} most of all."),
        _("{name} has some explaining to do."),
        _("Tough love, {name}."),
        _("{name} does some spring cleaning."),
        _("Friendly fire from {name}."),
        _("{name} is buying the next round."),
        _("That was the plan, {name}. Wasn't it?"),
    ),
    _Mood.HOME: (
        _("{name} wipes four paws at the door."),
        _("Smells like dinner at {name}'s."),
        _("{name} turns in, tail wagging."),
        _("Safe at last, {name}."),
        _("{name} has found the way, without a map."),
        _("The lights are on at {name}'s."),
        _("{name} hangs up the lead."),
        _("{name}'s piece is out of biting range."),
        _("{name} curls up on the mat."),
        _("Home is where {name}'s bone is."),
        _("{name} closes the garden gate."),
        _("A long way round, {name}, and worth it."),
    ),
    _Mood.FOLDED: (
        _("{name} has seen better hands."),
        _("So many cards, and not one of any use to {name}."),
        _("{name} goes and puts the kettle on."),
        _("Fate shrugs at {name}."),
        _("{name} is a spectator now, with a good view."),
        _("The cards owe {name} something."),
        _("{name} lies down and waits for the next deal."),
        _("Not {name}'s day for a lottery ticket."),
        _("{name} has time for a walk."),
        _("A better shuffle for {name}, please!"),
        _("All bark and no bite: {name}'s hand."),
        _("{name} looks out of the window."),
    ),
}
"""A dozen variants for each mood: `name` did it, `other` suffered it."""


def winks(language: Language, table: Table, entries: Sequence[Entry]) -> dict[int, list[str]]:
    """Return the wink at the newest of these entries that deserves one, in small print, by the entry's number."""
    for entry in reversed(entries):
        for event in entry.events:
            mood_and_other = _mood(table, event)
            if mood_and_other is not None:
                mood, other = mood_and_other
                names = Names.of(table, language)
                variants = _WINKS[mood]
                text = variants[zlib.crc32(f"{table.code} {entry.number}".encode()) % len(variants)]
                filled = {"other": names.marked(other)} if other is not None else {}
                wink = language.t(text, name=names.marked(event.seat or 0), **filled)
                return {entry.number: [small(f"🏠 {wink}" if mood is _Mood.HOME else wink)]}
    return {}


def _mood(table: Table, event: Event) -> tuple[_Mood, int | None] | None:
    """Return the wink that an event deserves, and who suffered it; None if there is none."""
    if event.seat is None:
        return None
    if event.kind is EventKind.FOLDED:
        return (_Mood.FOLDED, None) if len(event.cards) >= MANY else None
    sent = [side for step in event.steps for side, _place in step.sent_home]
    if not sent:
        came = any(step.comes_home for step in event.steps)
        return (_Mood.HOME, None) if came else None
    team = table.board.team(event.seat)
    others = [side for side in sent if side not in team and side in table.seats]
    if len(sent) > 1 and others:
        return _Mood.SWEPT, None
    return (_Mood.TOOK, others[0]) if others else (_Mood.OWN, None)


def has_round_end(entries: Iterable[Entry]) -> bool:
    """Return True if a round has ended in these entries."""
    later = (entry for entry in entries if entry.number)
    return any(event.kind is EventKind.DEALT for entry in later for event in entry.events)


def round_lines(language: Language, table: Table, ended: Iterable[RoundEnd]) -> dict[int, list[str]]:
    """Return a line about every ended round, by the number of the entry in which the next one was dealt.

    It tells who went farthest, and how many pieces were sent back.
    """
    names = Names.of(table, language)
    lines: dict[int, list[str]] = {}
    for end in ended:
        team = names.listed(language, end.team)
        line = language.n("{names} gained {count} space", "{names} gained {count} spaces", end.spaces, names=team)
        if end.sent:
            line = f"{line} · {language.n('{count} piece sent back', '{count} pieces sent back', end.sent)}"
        lines[end.number] = [small(f"{round_name(language, end.round)}: {line}")]
    return lines


def tale(language: Language, table: Table, course: Sequence[Entry]) -> list[str]:
    """Tell the story of a finished game in two lines at most: how long it was, who sent back most, the hardest blow."""
    t, names = language.t, Names.of(table, language)
    rounds = turns = 0
    hunters: Counter[int] = Counter()
    blow: tuple[int, int, Event] | None = None
    for entry in course:
        for event in entry.events:
            rounds = event.round if event.kind is EventKind.DEALT else rounds
            if event.kind is not EventKind.PLAYED or event.seat is None:
                continue
            turns += 1
            foes = [side for step in event.steps for side, _place in step.sent_home]
            foes = [side for side in foes if side not in table.board.team(event.seat)]
            hunters[event.seat] += len(foes)
            if foes and (blow is None or len(foes) > blow[0]):
                blow = (len(foes), rounds, event)
    if not turns:
        return []
    if blow is None:
        return [t("📖 Rounds: {rounds} · Cards: {turns} · No opponent sent back", rounds=rounds, turns=turns)]
    seat, most = hunters.most_common(1)[0]
    lines = [
        t(
            "📖 Rounds: {rounds} · Cards: {turns} · Sent back the most: {name} ({count})",
            rounds=rounds,
            turns=turns,
            name=names.marked(seat),
            count=most,
        )
    ]
    count, when, event = blow
    if count > 1:
        lines.append(
            t(
                "📖 Biggest hit: {name} in round {round} with {card}, {count} pieces",
                name=names.marked(event.seat or 0),
                round=when,
                card=the_card(language, event.card or ""),
                count=count,
            )
        )
    return lines


PHRASES = {
    "hello": _("👋 Hello, everyone!"),
    "luck": _("🎲 Good luck!"),
    "well": _("👍 Well played!"),
    "thanks": _("🙋 Thanks, partner!"),
    "sorry": _("🙏 Sorry about that."),
    "mean": _("😠 That was mean."),
    "wow": _("🏆 What a turn!"),
    "oops": _("💡 Oops."),
    "hmm": _("💡 Hmm, let me think."),
    "time": _("⏳ Take your time."),
    "soon": _("⏳ Back in a moment."),
    "there": _("💤 Still there?"),
    "woof": _("💬 Woof!"),
    "howl": _("💬 Awooooo!"),
    "never": _("🏳️ We're not beaten yet."),
    "again": _("🔁 Another game after this?"),
    "night": _("🌙 Good night, see you tomorrow."),
    "game": _("🏁 Good game!"),
}
"""The phrases of table talk, by the word under which they are noted: nothing about cards."""

ask_talk = said("What do you want to say? Once a turn, for the whole table.")


def phrase(language: Language, key: object) -> str:
    """Return a phrase by the word under which it is noted; empty if there is none any more."""
    return language.t(PHRASES[key]) if isinstance(key, str) and key in PHRASES else ""
