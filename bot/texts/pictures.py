"""Words in and beside pictures: on the board, on the picture to share, beside an animation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.languages import Language
from bot.languages import mark as _
from bot.languages.direction import keep_rightward
from bot.table import Table
from bot.texts.markup import bold
from bot.texts.names import FREE_SEAT, OUT, Names, place_name, round_name, said, said_of_table, system_name
from engine import SLOTS, Entry, EventKind, Step, StepKind, View


def plate(language: Language, table: Table) -> str:
    """Return the line on the plate in the lobby's picture: which rules, how many players."""
    return language.n(
        "{system} · {count} player",
        "{system} · {count} players",
        table.players,
        system=system_name(language, table.system),
    )


def free(language: Language) -> str:
    """Return the words on a free seat in the picture; the second line is for places with little room."""
    return f"{language.t(FREE_SEAT)}\n{language.p('board', 'free')}"


def invited(language: Language, name: str) -> str:
    """Return the words on a free seat kept for a player; the other lines are for places with little room."""
    p = language.p
    return f"{p('board', '{name} (invited)', name=name)}\n{p('board', 'invited')}\n?"


def summary(language: Language, view: View) -> Mapping[str, str]:
    """Return the words inside the picture, for `render.Scene.labels`."""
    return {
        "round": round_name(language, view.round),
        "cards": language.n("{count} card", "{count} cards", view.dealt),
        "out": language.t(OUT),
        "winner": language.p("winner", "wins in round {number}", number=view.round),
        "winners": language.p("winners", "win in round {number}", number=view.round),
        "free": free(language),
    }


def caption(language: Language, names: Names, entries: Sequence[Entry]) -> str:
    """Return the last move for the middle of the picture: who and, after two blanks, what: "Bálint  28 → 34".

    Nothing after the end: the picture names the winners itself.
    """
    for entry in reversed(entries):
        for event in reversed(entry.events):
            if event.kind is EventKind.WON:
                return ""
            if event.seat is None:
                continue
            who = names.label(event.seat)
            if event.kind is EventKind.FOLDED:
                return f"{who}  {language.p('seat', 'is out of this round')}"
            if event.kind in (EventKind.PLAYED, EventKind.PLACED, EventKind.JUMPED):
                return f"{who}  {_ways(language, event.steps)}".rstrip()
    return ""


def _ways(language: Language, steps: Sequence[Step]) -> str:
    """Return ways in signs: "28 → 34", "12 ⇄ 51", or for a split move only its parts, "3 + 2 + 2".

    In the picture, numbers beside the ribbons tell their order.
    """
    if len(steps) > 1 and all(step.value for step in steps):
        return " + ".join(str(step.value) for step in steps)
    ways = []
    for step in steps:
        sign = "⇄" if step.kind is StepKind.SWAP else "→"
        target = step.other[1] if step.kind is StepKind.SWAP and step.other else step.target
        here, there = _written(language, step.origin), _written(language, target, step.origin)
        ways.append(keep_rightward(f"{here} {sign} {there}") if language.is_leftward else f"{here} {sign} {there}")
    return ", ".join(ways)


def _written(language: Language, place: str, before: str = "") -> str:
    """Return a place as it is labelled on the board; a slot of the lane just named by its letter only."""
    spot = place.rstrip("*")
    if spot in SLOTS and before.rstrip("*") in SLOTS:
        return spot
    return spot if spot[0].isalpha() and spot[1:].isdigit() else place_name(language, place)


def whole_replay(language: Language, table: Table, seconds: int) -> str:
    """Head the replay of a game, which takes so many seconds."""
    return language.n(
        "{code} from the beginning, in {count} second",
        "{code} from the beginning, in {count} seconds",
        seconds,
        code=bold(table.code),
    )


replay_since_last_turn = said_of_table("{code} since your last turn")
nothing_to_replay = said_of_table("{code}: nothing has happened since your last turn.")
not_over = said_of_table("{code} hasn't been won yet. Get its picture after the game.")
"""The answer to a request for a picture to share before the game is won."""


def replay_alt(language: Language, table: Table) -> str:
    """Describe the animation for people who cannot see it."""
    return language.t(
        "Animation of the moves of game {code}. The history has them in words.",
        code=table.code,
    )


def moment_of(language: Language, table: Table, number: int) -> str:
    """Head one moment of a replay that is stepped through, by the number of its last action."""
    return language.t("{code}: {number} of {count}", code=bold(table.code), number=number, count=table.number)


def share_title(language: Language, table: Table) -> str:
    """Return the rules, the number of players and the game's code."""
    return language.n(
        "{system} · {count} player · {code}",
        "{system} · {count} players · {code}",
        table.players,
        system=system_name(language, table.system),
        code=table.code,
    )


def share_parties(language: Language, table: Table) -> list[tuple[tuple[int, ...], tuple[str, ...], bool]]:
    """Return those who played together: seats, names, and whether they have won."""
    names = Names.of(table, language)
    return [
        (team, tuple(names.plain[seat] for seat in team), any(seat in table.won for seat in team))
        for team in table.board.teams
    ]


def share_facts(language: Language, table: Table, view: View, entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """Return figures of a game that is over, from its public history, each with what it counts."""
    steps = [step for entry in entries for event in entry.events for step in event.steps]
    captures = sum(len(step.sent_home) for step in steps)
    walks = (StepKind.FORWARD, StepKind.BACKWARD, StepKind.MAGNET)
    longest = max((len(step.path) - 1 for step in steps if step.kind in walks), default=0)
    facts = [
        (language.number(view.round), language.n("round", "rounds", view.round, context="figure")),
        (language.number(captures), language.n("piece sent back", "pieces sent back", captures, context="figure")),
        (language.number(longest), language.p("figure", "spaces in one move")),
    ]
    if table.started_at is not None and table.ended_at is not None:
        lasted = language.span(max(1, table.ended_at - table.started_at), "minute")
        facts.append((lasted, language.p("figure", "playing time")))
    return facts


def best_move(table: Table, seat: int, entries: Iterable[Entry]) -> int | None:
    """Return the number of a player's best move to look at: the most opponents' pieces sent back, else a piece home.

    The newest of several; None if there is none.
    """
    best, number, team = 0, None, table.board.team(seat)
    for entry in entries:
        for event in entry.events:
            if event.kind is not EventKind.PLAYED or event.seat != seat:
                continue
            foes = sum(side not in team for step in event.steps for side, _place in step.sent_home)
            home = any(step.comes_home for step in event.steps)
            worth = 2 * foes + home
            if worth and worth >= best:
                best, number = worth, entry.number
    return number


_BEST = _("{name}'s best move in {code}")


def best_caption(language: Language, table: Table, seat: int) -> str:
    """Return the caption of a player's best move."""
    return language.t(_BEST, name=Names.of(table, language).plain[seat], code=table.code)


def posted_by(language: Language, table: Table, seat: int, *, best: bool) -> str:
    """Return the line above a picture that a player has posted: their `best` move, or the end."""
    text = _BEST if best else _("The end of {code}, posted by {name}")
    return f"🖼️ {language.t(text, name=Names.of(table, language).marked(seat), code=bold(table.code))}"


posted = said("✅ Posted.")
not_posted = said("I can't post it here. Save the picture and post it yourself.")


def share_alt(language: Language, table: Table, told: Iterable[tuple[str, str]]) -> str:
    """Describe the picture to share for people who cannot see it."""
    return language.t(
        "The end of game {code}: {names} won. {facts}.",
        code=table.code,
        names=Names.of(table, language).unmarked().listed(language, table.won),
        facts=", ".join(language.p("figure", "{value} {what}", value=value, what=what) for value, what in told),
    )
