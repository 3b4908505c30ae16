"""People in games of every rule system who play on through faults, and write down everything that was acknowledged.

The log, the boards and the pings are compared with that: see `Players.faults`, `Players.settle` and
`Players.find_stuck`.
"""

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bot.showing.controls import ShowHand
from engine import ActionKind, Game
from tools.campaigns.crowd import Stage
from tools.campaigns.figures import ms, percentile, show
from tools.campaigns.filling import Place, has_choice
from tools.wire.mirror import Logged, Mirror
from tools.wire.people import Answer, Person, to_play
from tools.wire.world import Channel, Message

SYSTEMS = "classic,family,dobney,royal-basic,royal"
CALLING = "it is your turn"
"""Part of a direct message that calls its reader."""
DONE = "✅"
"""The beginning of an answer that says that an action is done."""
LIMIT = 3.0
"""Seconds after which Discord says that an application did not respond."""
EXCHANGED, HELPED = "⇄ ", "ou gave the "
"""Part of the answer to the last giver, which tells what was exchanged instead."""


Asked = Callable[[int], Mapping[int, int]]
"""For each number of actions so far: the decision of each seat that is being asked."""


@dataclass(frozen=True)
class Call:
    """A message that mentions the person in a seat; `number`: the actions in the log when it arrived."""

    seat: int
    number: int
    text: str


def calls_by_decision(
    calls: list[Call], asked: Asked, by_people: Collection[int], since: int
) -> dict[tuple[int, int], list[Call]]:
    """Group pings, given in the order of arrival, by the seat and decision that they were about.

    A message can be on its way while the person it pings is already acting; then it belongs to the decision just made.
    A ping may be about what the seat was asked before a person's last action, if that action made the decision and the
    seat had not been pinged for it yet. `by_people`: the numbers of the actions that people took; the others follow by
    themselves. `since`: the number of actions at the beginning; there were no pings before that.
    """
    found: defaultdict[tuple[int, int], list[Call]] = defaultdict(list)
    for call in calls:
        now = asked(call.number).get(call.seat)
        last = max((number for number in by_people if since < number <= call.number), default=None)
        before = None if last is None else asked(last - 1).get(call.seat)
        if before is not None and before != now and not found[call.seat, before]:
            found[call.seat, before].append(call)
        elif now is not None:
            found[call.seat, now].append(call)
    return {key: heard for key, heard in found.items() if heard}


@dataclass
class Deed:
    """An action that a player tried: the table, the seat, and the row of the log before it.

    `text`: empty if it was pressed and is not acknowledged.
    """

    game: int
    seat: int
    text: str
    after: int
    acknowledged: bool = False


@dataclass
class Report:
    """The outcome of a run. `faults`: all that should not have happened; empty if all is well."""

    title: str
    rows: list[tuple[str, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        text = show(self.title, self.rows)
        return text + "".join(f"\n  FAULT {fault}" for fault in self.faults[:40])


@dataclass
class Tally:
    """Waits of people, in seconds. Without an answer, the wait is as long as Discord's."""

    waits: list[float] = field(default_factory=list)
    """Until an interaction was acknowledged."""
    boards: list[float] = field(default_factory=list)
    """From an action to its board."""
    unanswered: int = 0

    @property
    def rows(self) -> list[tuple[str, str]]:
        return [
            ("interactions without an answer", f"{self.unanswered} of {len(self.waits)}"),
            ("acknowledged p50", ms(percentile(self.waits, 0.5))),
            ("acknowledged p99", ms(percentile(self.waits, 0.99))),
            ("acknowledged max", ms(max(self.waits, default=0))),
        ]


class Players:
    """The people in the games that were filled in: each game is played one action after the other.

    `queues`: games that are played in sequence; several queues run side by side.
    """

    patience = 6.0
    """Seconds for which a player waits for an answer."""
    pressing = 0.0
    """The share of actions that are pressed, not typed."""
    looks = 4.0
    """Seconds for which a player waits for the next board before going on."""

    def __init__(self, on: Stage, queues: Sequence[Sequence[int]], seed: int = 1) -> None:
        self.on = on
        self.games = [number for queue in queues for number in queue]
        self._queues = [list(queue) for queue in queues]
        self.mirror = self._open()
        self.deeds: list[Deed] = []
        self.done = 0
        """Number of acknowledged actions."""
        self.tally = Tally()
        self.calls: dict[int, list[Call]] = {game: [] for game in self.games}
        self._begun = {game: self.mirror.game(game).number for game in self.games}
        self._dice = random.Random(seed)
        self._seeds = {game: self._seed(game) for game in self.games}
        self._seen: dict[int, list[Logged]] = {game: [] for game in self.games}
        self._in_dms = [game for game in self.games if game in on.crowd.in_dms]
        self._by_channel = {Place(game).channel: game for game in self.games}
        places = [(game, seat) for game in self._in_dms for seat in self.mirror.game(game).seats]
        self._by_dm = {on.crowd.place_of(*place).id: place for place in places}  # type: ignore[union-attr]
        self._tasks: list[asyncio.Task[None]] = []
        self._going = True
        on.wire.world.on_message.append(self._called)

    def begin(self) -> None:
        self._going = True
        self._tasks = [asyncio.create_task(self._play_all(queue)) for queue in self._queues]

    async def rest(self) -> None:
        """Let all players finish what they are doing, and stop."""
        self._going = False
        await asyncio.gather(*self._tasks)
        self._tasks = []

    @property
    def ended(self) -> bool:
        """True if play has stopped: all games are over, or the players themselves have failed."""
        return all(task.done() for task in self._tasks)

    @property
    def playing(self) -> list[int]:
        """The games being played or next in line: the first open game of every queue."""
        going = set(self.mirror.open_games())
        firsts = (next((game for game in queue if game in going), None) for queue in self._queues)
        return [game for game in firsts if game is not None]

    async def _play_all(self, queue: Sequence[int]) -> None:
        for number in queue:
            while self._going:
                if self.on.is_up(number) and not await self.act(number):
                    break
                await asyncio.sleep(self._dice.uniform(0.02, 0.3))

    async def act(self, number: int) -> bool:
        """Let a person who is to act in this game do so; False if it has ended."""
        self.look(number)
        game, place = self.mirror.game(number), Place(number)
        if not game.to_act or self.on.crowd.place_of(number) is None:
            return False
        seats = [seat for seat in game.to_act if has_choice(game, seat)]
        if not seats:
            # The bot folds by itself, which may take a moment.
            await asyncio.sleep(0.1)
            return True
        seat, begun = self._dice.choice(seats), time.perf_counter()
        person, deed = self.on.crowd.people[place.user(seat)], Deed(number, seat, "", game.number)
        channel = self.on.crowd.place_of(number, seat)
        if channel is None:
            return False
        # On a busy machine, an answer that was announced at once may be long in coming.
        person.patience = person.grace = self.patience
        answer = await (self._press(person, deed) if self._presses() else self._type(person, channel, game, deed))
        if answer is not None and is_done(answer.text, game.legal(seat)[0].kind):
            if not deed.text:
                # What was pressed is in the log by now, or it is lost.
                mine = (row.text for row in self.mirror.log(number, deed.after) if row.seat == seat)
                deed.text = next(mine, "the pressed action")
            deed.acknowledged = True
            self.done += 1
            if await self.on.crowd.wait_for_board(channel.id, begun, self.looks):
                self.tally.boards.append(self.on.crowd.shown[channel.id] - begun)
        return True

    async def _type(self, person: Person, channel: Channel, game: Game, deed: Deed) -> Answer:
        action = self._dice.choice(game.legal(deed.seat))
        deed.text = str(action)
        self.deeds.append(deed)
        card = action.card or action.kind.value
        words = {"card": card, "move": deed.text, "game": Place(deed.game).code}
        return self.count(await person.slash(channel, "dog play", **words))

    async def _press(self, person: Person, deed: Deed) -> Answer | None:
        """Press on from a button that shows the hand to *Play*; None if it does not lead there."""
        hand = self.count(await person.press(self._hand_message(person, deed.game), ShowHand(deed.game).custom_id()))
        self.deeds.append(deed)
        played = await to_play(person, hand.shown, self._dice, self.count)
        if played is None:
            self.deeds.remove(deed)
        return played

    def _presses(self) -> bool:
        """Return True if the next action is pressed instead of typed."""
        return self._dice.random() < self.pressing

    def _hand_message(self, person: Person, number: int) -> Message:
        """Return the message with the button that a player presses first."""
        return Message(Place(number).board, Place(number).channel, self.on.wire.world.bot)

    def count(self, answer: Answer) -> Answer:
        """Count the wait for an answer, and drop its interaction."""
        self.tally.unanswered += answer.acknowledged is None
        self.tally.waits.append(LIMIT if answer.acknowledged is None else answer.acknowledged)
        self.on.wire.interactions.forget(answer.made)
        return answer

    def look(self, number: int) -> None:
        seen = self._seen[number]
        seen.extend(self.mirror.log(number, seen[-1].number if seen else 0))

    def _called(self, message: Message) -> None:
        if (there := self._by_dm.get(message.channel_id)) is not None:
            if CALLING in message.content:
                self.calls[there[0]].append(Call(there[1], self.mirror.game(there[0]).number, message.content))
            return
        number = self._by_channel.get(message.channel_id)
        if number is None or not message.mentions:
            return
        game = self.mirror.game(number)
        for seat in range(game.players):
            if Place(number).user(seat) in message.mentions:
                self.calls[number].append(Call(seat, game.number, message.content))

    def _open(self) -> Mirror:
        """Open the bot's committed data."""
        return Mirror(self.on.bot.database)

    def _seed(self, number: int) -> bytes:
        return bytes(self.mirror.row(f"SELECT seed FROM games WHERE id = {number}")[0])

    def faults(self) -> list[str]:
        return [*self.losses(), *self._called_twice()]

    def losses(self) -> list[str]:
        """Return what was lost, duplicated or changed of all that was acknowledged and seen so far."""
        found = []
        for number in sorted({deed.game for deed in self.deeds}):
            if self._seed(number) != self._seeds[number]:
                found.append(f"game {number} has another seed")
            log = self.mirror.log(number)
            seen = self._seen[number]
            if log[: len(seen)] != seen:
                found.append(f"game {number}: rows of its log have changed")
            mine = [deed for deed in self.deeds if deed.game == number]
            for deed in mine:
                texts = [row.text for row in log if row.number > deed.after and row.seat == deed.seat]
                if deed.acknowledged and deed.text not in texts:
                    found.append(f"game {number}: {deed.text!r} of seat {deed.seat} was acknowledged and is lost")
            first = min((deed.after for deed in mine), default=len(log))
            played = [row for row in log if row.number > first and row.actor.isdigit()]
            if len(played) > len(mine):
                found.append(f"game {number}: {len(played)} actions in the log, {len(mine)} were tried")
        return found

    def _called_twice(self) -> list[str]:
        found = []
        for number, calls in self.calls.items():
            if not calls:
                continue
            people = [row.number for row in self.mirror.log(number) if row.actor.isdigit()]
            decisions = calls_by_decision(calls, self._asked(number), people, self._begun[number])
            for (seat, decision), heard in decisions.items():
                if len(heard) > 1:
                    texts = "; ".join(f"after {call.number} actions {call.text!r}" for call in heard)
                    found.append(f"game {number}: seat {seat} was called {len(heard)} times for {decision}: {texts}")
        return found

    def _asked(self, number: int) -> Asked:
        """Return what the seats of a game were asked after each number of actions, according to its log."""
        states = self.mirror.course(number)
        return lambda number: {seat: states[number].decision(seat) or 0 for seat in states[number].to_act}

    async def settle(self, *, within: float) -> list[str]:
        """Wait until the newest state of every game that was started is shown on the only board with buttons.

        Returns what is still wrong with any of them at the end.
        """
        until = time.perf_counter() + within
        wrong: list[str] = []
        while time.perf_counter() < until:
            wrong = [fault for number in self._acted_in() if (fault := self._board_fault(number)) is not None]
            if not wrong:
                return []
            await asyncio.sleep(0.25)
        return wrong

    def _acted_in(self) -> list[int]:
        """Return the games that have gone on since the beginning, if still wanted; only they have boards of the bot."""
        return [game for game in self.games if self.mirror.log(game, self._begun[game])]

    def _board_fault(self, number: int) -> str | None:
        if number in self._in_dms:
            return self._letter_fault(number)
        version, lost = self.mirror.row(f"SELECT version, lost FROM games WHERE id = {number}")
        shown, message_id = self.mirror.shown(number)
        channel = self.on.wire.world.channels.get(Place(number).channel)
        if channel is None or lost is not None:
            return None
        if version != shown:
            return f"game {number}: version {shown} is shown of {version}"
        live = [message for message in channel.messages.values() if message.live and message.attachments]
        if [message.id for message in live] != [message_id]:
            return f"game {number}: {len(live)} boards have buttons, the newest is {message_id}"
        return None

    def _letter_fault(self, number: int) -> str | None:
        """Return what is wrong with the direct messages that show a game: each player's newest shows it, alone."""
        if self.mirror.status(number) != "playing":
            return None
        (version,) = self.mirror.row(f"SELECT version FROM games WHERE id = {number}")
        for seat in self.mirror.game(number).seats:
            channel, known = self.on.crowd.place_of(number, seat), self.mirror.letters(number, Place(number).user(seat))
            if channel is None or not known:
                return f"game {number}: seat {seat} has no direct message"
            shown, message_id = known[-1]
            if shown != version:
                return f"game {number}: seat {seat} sees version {shown} of {version}"
            live = [old for _, old in known if old in channel.messages and channel.messages[old].live]
            if live != [message_id]:
                return f"game {number}: of the letters to seat {seat} {live} have buttons, the newest is {message_id}"
        return None

    async def find_stuck(self, games: Sequence[int] | None = None, *, within: float) -> list[str]:
        """Return faults for the tables (of these, or of all) where no hand was shown within this many seconds."""
        begun = time.perf_counter()

        async def ask(number: int) -> str | None:
            while time.perf_counter() - begun < within:
                if Place(number).code in (await self.ask(number)).text or self.mirror.status(number) != "playing":
                    return None
                await asyncio.sleep(0.2)
            return f"game {number} cannot be played on"

        asked = self.games if games is None else games
        return [fault for fault in await asyncio.gather(*map(ask, asked)) if fault is not None]

    async def ask(self, number: int) -> Answer:
        """Let a player at a table look at their hand."""
        place = Place(number)
        person, channel = self.on.crowd.people[place.user(0)], self.on.crowd.place_of(number)
        assert channel is not None
        made = person.type(channel, "dog hand", game=place.code)
        return self.count(await person.hear(made, patience=self.patience))


def is_done(text: str, kind: ActionKind) -> bool:
    """Return True if an answer says that an action of this kind is done."""
    lines = text.splitlines()
    done = any(line.startswith(DONE) for line in lines)
    exchanged = HELPED in text or any(line.rpartition(" · ")[2].startswith(EXCHANGED) for line in lines)
    return done or (kind is ActionKind.GIVE and exchanged)
