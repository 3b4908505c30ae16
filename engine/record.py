"""A whole game as a text file that a person can read and programs can replay; the grammar is in `docs/records.md`.

A record is what cannot be derived (`Record`): who played what by which rules, with which secret. All its other lines
follow from that, so it is checked by writing it again and comparing (`Reading.differences`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import NoReturn

from engine.errors import DogError, NotationError, RecordError, SetupError
from engine.game import MOST_ACTIONS, Game, Log
from engine.public import PublicGame
from engine.rules.actions import Action, ActionKind, read_action
from engine.rules.board import board_for
from engine.rules.cards import CARD_ID
from engine.rules.checks import resolve
from engine.rules.definition import RuleSystem
from engine.rules.events import Entry, EventKind
from engine.rules.options import Options
from engine.rules.origins import check_origin, kept_hands
from engine.rules.resolved import carry_out
from engine.rules.shuffle import check_contribution, commitment_of, seed_of
from engine.rules.state import GameState
from engine.rules.systems import check_players, system_of
from engine.view import View

FORMAT = 1
MOST_BYTES = 4 << 20
"""The largest file that is read."""
LONGEST_NAME = 100
_LONGEST_LINE = 2_000
_LEVEL = r"[a-z]{1,16}"
_DECODER = json.JSONDecoder()
_ON_CARDS = re.compile(
    rf"\+ (?:shuffle [0-9]{{1,6}}|deal [0-9](?: {CARD_ID})+|(?:draw|lost) [0-9] {CARD_ID}|exchange(?: [0-9])+"
    r"|back [0-9])"
)


@dataclass(frozen=True, slots=True)
class Sitter:
    """The player of a seat: a name and, for a computer player, its level."""

    name: str
    computer: str | None = None

    def __str__(self) -> str:
        return f"{'person' if self.computer is None else f'computer {self.computer}'} {quote(self.name)}"


@dataclass(frozen=True, slots=True)
class Takeover:
    """A change of players: `sitter` plays the seat from the action with this number on."""

    number: int
    seat: int
    sitter: Sitter


@dataclass(frozen=True)
class Record:
    """The record of one game."""

    system: str
    rules: int
    """The version of its rule system."""
    players: int
    options: Options
    sitters: Mapping[int, Sitter]
    """Those who began it, by seat."""
    takeovers: tuple[Takeover, ...]
    """The changes of players."""
    commitment: bytes
    """The hash of the `secret`, which was published first."""
    secret: bytes = field(repr=False)
    contributions: Mapping[int, str]
    """By seat."""
    seed: bytes = field(repr=False)
    """As played."""
    winners: tuple[int, ...]
    """Empty if it was not played to an end."""
    awarded: bool
    """True if they won because the others resigned, or a cup decided it."""
    log: Log = field(repr=False)
    origin: str | None = None
    """The position it began from, if it did in the middle of another game."""
    event: tuple[int, str] | None = None
    """The round and the name of what it was a game of, if anything."""

    def states(self) -> Iterator[tuple[GameState, Entry]]:
        """Yield the state, which changes in place, and its entry, at the first deal and after each action.

        Raises:
            SetupError: there is no such game.
            NotationError, Refusal: the next action cannot be read, or is not allowed.
        """
        game = Game.new(system_of(self.system, self.rules), self.players, self.seed, self.options, self.origin)
        state = game.state.copy()
        yield state, game.history(0)[0]
        for seat, text in self.log:
            action = read_action(text, state.board.system.cards)
            resolved = resolve(state, seat, action)
            state.events = []
            carry_out(state, seat, resolved)
            yield state, state.entry(seat, action.kind)

    def game(self) -> Game:
        """Return the game at its end; raises what `states` raises."""
        system = system_of(self.system, self.rules)
        return Game.replay(system, self.players, self.seed, self.options, self.log, self.origin)

    def views(self) -> Iterator[View]:
        """Yield the spectators' views after the first deal and each action; raises what `states` raises."""
        return PublicGame(self.game()).views()

    def text(self) -> str:
        """Return the file, ending in a line with the SHA-256 of the others; raises what `states` raises."""
        lines = list(self.lines())
        return "".join(f"{line}\n" for line in [*lines, f"end: {_digest(lines)}"])

    def lines(self) -> Iterator[str]:
        """Yield all lines but the last; raises what `states` raises when it comes to that."""
        moments = self.states()
        state, entry = next(moments)
        yield f"DOG record {FORMAT}"
        yield f"system: {self.system} {self.rules}"
        yield f"players: {self.players}"
        yield f"options: {json.dumps(self.options.to_json(), sort_keys=True)}"
        yield from (f"seat {seat}: {self.sitters[seat]}" for seat in state.board.seats)
        yield from (f"from {takeover.number} seat {takeover.seat}: {takeover.sitter}" for takeover in self.takeovers)
        if self.event is not None:
            yield f"event {self.event[0]}: {quote(self.event[1])}"
        if self.origin is not None:
            yield f"origin: {self.origin}"
        deck = state.board.deck
        yield f"deck: {' '.join(f'{count}*{card}' for card in state.cards.order if (count := deck.get(card)))}"
        yield f"commitment: {self.commitment.hex()}"
        yield f"secret: {self.secret.hex()}"
        yield from (f"contribution {seat}: {quote(text)}" for seat, text in sorted(self.contributions.items()))
        yield f"seed: {self.seed.hex()}"
        yield f"first: {state.starter}"
        how = "awarded" if self.awarded else "won" if self.winners else "unfinished"
        yield " ".join([f"result: {how}", *map(str, self.winners)])
        kept = () if self.origin is None else tuple(f"+ deal {seat} " for seat in kept_hands(self.origin))
        yield from (line for line in _on_cards(state, entry) if not line.startswith(kept))
        for state, entry in moments:
            seat, text = self.log[entry.number - 1]
            yield f"{entry.number}. {seat} {text}"
            yield from _on_cards(state, entry)


def _on_cards(state: GameState, entry: Entry) -> Iterator[str]:
    """Yield what an action did to cards that it does not name, in order; before a deal, a comment."""
    cards, board = state.cards, state.board
    kinds = {event.kind for event in entry.events}
    if EventKind.DEALT in kinds:
        each = next(event.count for event in entry.events if event.kind is EventKind.DEALT)
        yield f"# round {state.round}: {f'{each} cards each' if each else 'dealt anew'}, seat {state.starter} begins"
    if EventKind.SHUFFLED in kinds or entry.number == 0:
        yield f"+ shuffle {cards.shuffles}"
    for event in entry.events:
        if event.kind is EventKind.DEALT:
            held = (seat for seat in board.turns[state.starter] if cards.hands[seat])
            yield from (f"+ deal {seat} {' '.join(cards.hands[seat])}" for seat in held)
        elif event.kind in (EventKind.PLAYED, EventKind.DREW) and event.count and event.seat is not None:
            yield f"+ draw {event.seat} {state.came[event.seat][-1]}"
        elif event.kind is EventKind.LOST and entry.kind is ActionKind.PLAY:
            yield f"+ lost {event.seat} {event.card}"
        elif event.kind is EventKind.EXCHANGED:
            yield f"+ exchange {' '.join(map(str, event.seats))}"
        elif event.kind is EventKind.DECLINED and event.seat is not None:
            yield from (f"+ back {seat}" for seat in board.team(event.seat) if state.declared[seat])


def quote(text: str) -> str:
    """Return a text as a JSON string in one line, with everything escaped that cannot be seen."""
    shown = json.dumps(text, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in shown)


def _digest(lines: list[str]) -> str:
    return sha256("".join(f"{line}\n" for line in lines if not line.startswith("#")).encode()).hexdigest()


# -- checking


@dataclass(frozen=True)
class Reading:
    """A record that could be read: its lines with their numbers, without comments and empty ones, the last apart."""

    record: Record
    lines: tuple[tuple[int, str], ...]
    last: tuple[int, str]

    def differences(self) -> Iterator[RecordError]:
        """Yield where the record is not what its rules, secret, contributions and actions give, in order.

        After an action that is not allowed nothing more is compared, since nothing follows from it.
        """
        given = iter((*self.lines, self.last))
        number, line = next(given)
        try:
            for meant in self._derive().lines():
                if meant.startswith("#"):
                    continue
                # What follows from the actions may be missing or too much; the actions themselves are the record's.
                while line.startswith("+") and not meant.startswith("+"):
                    yield RecordError(number, 1, f"{line!r} is too much")
                    number, line = next(given, self.last)
                if meant.startswith("+") and not line.startswith("+"):
                    yield RecordError(number, 1, f"{meant!r} is missing before this line")
                    continue
                yield from _compare_line(number, line, meant)
                number, line = next(given, self.last)
            while line.startswith("+"):
                yield RecordError(number, 1, f"{line!r} is too much")
                number, line = next(given, self.last)
        except DogError as error:
            while line.startswith("+"):
                number, line = next(given, self.last)
            yield RecordError(number, 1, f"{line!r} is not allowed here: {error}")
        digest = _digest([line for _, line in self.lines])
        if self.last[1] != f"end: {digest}":
            yield RecordError(self.last[0], 6, f"the lines above give {digest}")

    def _derive(self) -> Record:
        """Return the record as it should be, as far as it follows from the rest."""
        record = self.record
        seed = seed_of(record.secret, record.contributions)
        fair = replace(record, commitment=commitment_of(record.secret), seed=seed)
        try:
            won = fair.game().winners
        except DogError:
            return fair
        if won:
            return replace(fair, winners=won, awarded=False)
        return fair if record.awarded else replace(fair, winners=())


def _compare_line(number: int, given: str, meant: str) -> Iterator[RecordError]:
    """Yield how a line differs from what it should be: card by card, or as a whole."""
    words, wanted = given.split(" "), meant.split(" ")
    if given[:9] != meant[:9] or words[0] != "+" or len(words) != len(wanted):
        if given != meant:
            yield RecordError(number, 1, f"{given!r} should be {meant!r}")
        return
    column = 1
    for index, (word, other) in enumerate(zip(words, wanted, strict=True)):
        if word != other:
            yield RecordError(number, column, f"card {index - 2} of seat {words[2]}: {word!r} should be {other!r}")
        column += len(word) + 1


def load_record(data: bytes) -> Record:
    """Read a record and check it; raises RecordError with the first place where it does not hold together."""
    reading = read(data)
    for error in reading.differences():
        raise error
    return reading.record


# -- reading


class _Line:
    """A line that is being read from left to right."""

    def __init__(self, number: int, text: str) -> None:
        self.number, self.text, self.at = number, text, 0

    def fail(self, detail: str, at: int | None = None) -> NoReturn:
        """Refuse the line, at this place or the current one."""
        raise RecordError(self.number, (self.at if at is None else at) + 1, detail)

    def word(self, pattern: str, what: str) -> str:
        """Read what matches a pattern."""
        found = re.compile(pattern).match(self.text, self.at)
        if found is None:
            self.fail(f"expected {what}")
        self.at = found.end()
        return found.group()

    def expect(self, text: str) -> None:
        """Read these characters."""
        if not self.text.startswith(text, self.at):
            self.fail(f"expected {text!r}")
        self.at += len(text)

    def count(self, what: str) -> int:
        """Read a whole number without a sign."""
        return int(self.word(r"(?:0|[1-9][0-9]{0,5})(?![0-9])", what))

    def seat(self, seats: tuple[int, ...]) -> int:
        """Read the number of a seat."""
        at = self.at
        seat = self.count("a seat")
        if seat not in seats:
            self.fail(f"there is no seat {seat}", at)
        return seat

    def seats(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Read one or more seats, each after a space."""
        found = []
        while self.at < len(self.text):
            self.expect(" ")
            found.append(self.seat(seats))
        return tuple(found) or self.fail("expected a seat")

    def key(self) -> bytes:
        """Read 32 bytes in hexadecimal."""
        return bytes.fromhex(self.word("[0-9a-f]{64}(?![0-9a-f])", "64 hexadecimal digits in lower case"))

    def json(self) -> object:
        """Read a JSON value."""
        try:
            value, self.at = _DECODER.raw_decode(self.text, self.at)
        except (ValueError, RecursionError):
            self.fail("is not JSON")
        return value

    def string(self, longest: int) -> str:
        """Read a quoted text that is not empty."""
        at = self.at
        text = self.json()
        if not isinstance(text, str) or not 0 < len(text) <= longest:
            self.fail(f"must be a quoted text of at most {longest} characters", at)
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            self.fail("holds half a character", at)
        return text

    def sitter(self) -> Sitter:
        """Read the player of a seat."""
        computer = None
        if self.word("person |computer ", "'person' or 'computer'") == "computer ":
            computer = self.word(_LEVEL, "the level of a computer player")
            self.expect(" ")
        return Sitter(self.string(LONGEST_NAME), computer)

    def expect_end(self) -> None:
        """Refuse anything more."""
        if self.at < len(self.text):
            self.fail("expected the end of the line")


class _Lines:
    """The lines that count, one after the other."""

    def __init__(self, data: bytes) -> None:
        if len(data) > MOST_BYTES:
            raise RecordError(1, 1, f"the file is larger than {MOST_BYTES} bytes")
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            before = data[: error.start].decode().rpartition("\n")
            number = before[0].count("\n") + (2 if before[1] else 1)
            raise RecordError(number, len(before[2]) + 1, "is not UTF-8") from None
        rows = ((number, row.removesuffix("\r")) for number, row in enumerate(text.split("\n"), start=1))
        self.rows = tuple((number, row) for number, row in rows if row and not row.startswith("#"))
        self.index = 0

    def next(self, begin: str) -> _Line:
        """Return the next line, past its beginning, which must be this."""
        if self.index == len(self.rows):
            number = self.rows[-1][0] if self.rows else 1
            raise RecordError(number, 1, f"the record ends where {begin!r} should follow")
        line = _Line(*self.rows[self.index])
        self.index += 1
        if len(line.text) > _LONGEST_LINE:
            line.fail(f"is longer than {_LONGEST_LINE} characters", _LONGEST_LINE)
        line.expect(begin)
        return line

    def begins(self, begin: str) -> bool:
        """Return True if the next line begins like this."""
        return self.index < len(self.rows) and self.rows[self.index][1].startswith(begin)


def read(data: bytes) -> Reading:
    """Read a file, without checking that it holds together. Raises RecordError with line and column."""
    lines = _Lines(data)
    line = lines.next("DOG record ")
    if line.count("the version of the format") != FORMAT:
        line.fail(f"only version {FORMAT} of the format is known", len("DOG record "))
    line.expect_end()
    system, players = _system(lines)
    seats = board_for(system, players).seats
    line = lines.next("options: ")
    at = line.at
    try:
        options = Options.from_json(line.json())
        board_for(system, players, options)
    except SetupError as error:
        line.fail(str(error), at)
    line.expect_end()
    sitters = {}
    for seat in seats:
        line = lines.next(f"seat {seat}: ")
        sitters[seat] = line.sitter()
        line.expect_end()
    takeovers = tuple(_takeovers(lines, seats))
    event = None
    if lines.begins("event "):
        line = lines.next("event ")
        number = line.count("the number of a round")
        line.expect(": ")
        event = number, line.string(LONGEST_NAME)
        line.expect_end()
    origin = None
    if lines.begins("origin: "):
        line = lines.next("origin: ")
        try:
            origin = check_origin(board_for(system, players, options), line.text[line.at :])
        except SetupError as error:
            line.fail(error.detail)
    line = lines.next("deck: ")
    line.word(rf"[1-9][0-9]?\*{CARD_ID}(?: [1-9][0-9]?\*{CARD_ID})*", "cards, such as 8*A")
    line.expect_end()
    commitment, secret = _key(lines, "commitment: "), _key(lines, "secret: ")
    contributions = dict(_contributions(lines, seats))
    seed = _key(lines, "seed: ")
    line = lines.next("first: ")
    line.seat(seats)
    line.expect_end()
    line = lines.next("result: ")
    how = line.word("won|awarded|unfinished", "'won', 'awarded' or 'unfinished'")
    winners = () if how == "unfinished" else line.seats(seats)
    line.expect_end()
    log = tuple(_log(lines, seats))
    line = lines.next("end: ")
    line.key()
    line.expect_end()
    if lines.index < len(lines.rows):
        _Line(*lines.rows[lines.index]).fail("nothing may follow the end")
    game = (system.id, system.version, players, options)
    chance = (commitment, secret, contributions, seed)
    record = Record(*game, sitters, takeovers, *chance, winners, how == "awarded", log, origin, event)
    return Reading(record, lines.rows[:-1], lines.rows[-1])


def _system(lines: _Lines) -> tuple[RuleSystem, int]:
    line = lines.next("system: ")
    at = line.at
    name = line.word("[a-z0-9-]{1,32}", "a rule system")
    line.expect(" ")
    try:
        system = system_of(name, line.count("the version of the rules"))
    except SetupError as error:
        line.fail(error.detail, at)
    line.expect_end()
    line = lines.next("players: ")
    at = line.at
    try:
        players = check_players(system, line.count("a number"))
    except SetupError as error:
        line.fail(error.detail, at)
    line.expect_end()
    return system, players


def _takeovers(lines: _Lines, seats: tuple[int, ...]) -> Iterator[Takeover]:
    while lines.begins("from "):
        line = lines.next("from ")
        number = line.count("the number of an action")
        line.expect(" seat ")
        seat = line.seat(seats)
        line.expect(": ")
        yield Takeover(number, seat, line.sitter())
        line.expect_end()


def _key(lines: _Lines, begin: str) -> bytes:
    line = lines.next(begin)
    key = line.key()
    line.expect_end()
    return key


def _contributions(lines: _Lines, seats: tuple[int, ...]) -> Iterator[tuple[int, str]]:
    left = seats
    while lines.begins("contribution "):
        line = lines.next("contribution ")
        seat = line.seat(left)
        left = tuple(other for other in left if other > seat)
        line.expect(": ")
        at = line.at
        try:
            yield seat, check_contribution(line.json())
        except SetupError as error:
            line.fail(error.detail, at)
        line.expect_end()


def _log(lines: _Lines, seats: tuple[int, ...]) -> Iterator[tuple[int, str]]:
    number = 0
    while not lines.begins("end: "):
        if lines.begins("+"):
            line = lines.next("+")
            if _ON_CARDS.fullmatch(line.text) is None:
                line.fail("is not one of shuffle, deal, draw, exchange and back with their seat and cards", 2)
            continue
        number += 1
        line = lines.next(f"{number}. ")
        if number > MOST_ACTIONS:
            line.fail(f"there are more than {MOST_ACTIONS} actions", 0)
        seat = line.seat(seats)
        line.expect(" ")
        try:
            yield seat, str(Action.parse(line.text[line.at :]))
        except NotationError as error:
            line.fail(str(error))
