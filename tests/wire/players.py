"""People in games of every rule system who play on whatever happens, and write down everything that was acknowledged.

What they saw is compared with the log, the boards and the pings: see `Players.faults`, `Players.settled` and
`Players.playable`.
"""

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from engine import ActionKind, Game
from tests.wire.crowd import Stage, card_of
from tests.wire.figures import show
from tests.wire.filling import Place
from tests.wire.mirror import Logged, Mirror
from tests.wire.people import Answer, Person
from tests.wire.world import Channel, Message

SYSTEMS = "classic,family,dobney,royal-basic,royal"
DONE = "✅"
"""How an answer begins that says that an action is done."""
EXCHANGED = "ou gave the "
"""In the answer to whoever gives last, which tells what was exchanged instead."""


Asked = Callable[[int], Mapping[int, int]]
"""For each number of actions so far: the decision of each seat that is being asked."""


@dataclass(frozen=True)
class Call:
    """A message that mentions the person in a seat; `number`: how many actions were in the log when it arrived."""

    seat: int
    number: int
    text: str


def calls_by_decision(
    calls: list[Call], asked: Asked, by_people: Collection[int], since: int
) -> dict[tuple[int, int], list[Call]]:
    """What the pings were about, by seat and decision, for pings in the order in which they arrived.

    A message can be on its way while the person it pings is already acting; then it belongs to the decision just made.
    A ping may be about what the seat was asked before a person's last action, if that action made the decision and the
    seat had not been pinged for it yet. `by_people`: the numbers of the actions that people took; the others follow by
    themselves. `since`: the number of actions at the beginning; nobody was pinged before that.
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
    """An action that somebody tried: at which table, on which seat, after which row of the log."""

    game: int
    seat: int
    text: str
    after: int
    acknowledged: bool = False


@dataclass
class Report:
    """The outcome of a run. `faults`: whatever should not have happened; empty if all is well."""

    title: str
    rows: list[tuple[str, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        text = show(self.title, self.rows)
        return text + "".join(f"\n  FAULT {fault}" for fault in self.faults[:40])


class Players:
    """The people in the games that were filled in: each game is played one action after the other.

    `queues`: games that are played in sequence; several queues run side by side.
    """

    patience = 6.0
    """Seconds for which somebody waits for an answer."""

    def __init__(self, on: Stage, queues: Sequence[Sequence[int]], seed: int = 1) -> None:
        self.on = on
        self.games = [number for queue in queues for number in queue]
        self._queues = [list(queue) for queue in queues]
        self.mirror = self._open()
        self.deeds: list[Deed] = []
        self.calls: dict[int, list[Call]] = {game: [] for game in self.games}
        self._begun = {game: self.mirror.game(game).number for game in self.games}
        self.unanswered = 0
        self.waits: list[float] = []
        self._dice = random.Random(seed)
        self._seeds = {game: self._seed(game) for game in self.games}
        self._seen: dict[int, list[Logged]] = {game: [] for game in self.games}
        self._by_channel = {Place(game).channel: game for game in self.games}
        self._tasks: list[asyncio.Task[None]] = []
        self._going = True
        on.wire.world.on_message.append(self._called)

    def begin(self) -> None:
        """Start playing."""
        self._going = True
        self._tasks = [asyncio.create_task(self._play_all(queue)) for queue in self._queues]

    async def rest(self) -> None:
        """Let everybody finish what they are doing, and stop."""
        self._going = False
        await asyncio.gather(*self._tasks)
        self._tasks = []

    @property
    def done(self) -> int:
        """How many actions were acknowledged."""
        return sum(deed.acknowledged for deed in self.deeds)

    @property
    def playing(self) -> list[int]:
        """The games being played or next in line: the first one of every queue that is still going."""
        going = set(self.mirror.open_games())
        firsts = (next((one for one in queue if one in going), None) for queue in self._queues)
        return [one for one in firsts if one is not None]

    async def _play_all(self, queue: Sequence[int]) -> None:
        for number in queue:
            await self._play(number)

    async def _play(self, game: int) -> None:
        while self._going:
            if not self.on.bot.running or not self.on.wire.gateway.ready.is_set():
                await asyncio.sleep(0.05)
                continue
            if not await self.act(game):
                return
            await asyncio.sleep(self._dice.uniform(0.05, 0.4))

    async def act(self, number: int) -> bool:
        """Let one person who is to act in this game do so; False if it has ended."""
        self.look(number)
        game = self.mirror.game(number)
        if not game.to_act:
            return False
        if not free(game):
            # The bot folds by itself, which may take a moment.
            await asyncio.sleep(0.1)
            return True
        seat = self._dice.choice(game.to_act)
        legal = game.legal(seat)
        action = self._dice.choice(legal)
        if not free(game, seat):
            return True
        deed = Deed(number, seat, str(action), game.number)
        self.deeds.append(deed)
        place = Place(number)
        person = self.on.crowd.people[place.user(seat)]
        channel = self.on.wire.world.channels.get(place.channel)
        if channel is None:
            return False
        person.patience = self.patience
        answer = await person.slash(channel, "dog play", card=card_of(action), move=str(action), game=place.code)
        deed.acknowledged = is_done(answer.text, action.kind)
        self.counted(answer)
        if deed.acknowledged:
            await self.sees_board(number, answer.made.begun, 4)
        return True

    def counted(self, answer: Answer) -> Answer:
        """Count how soon somebody was answered, if at all; nobody looks at it any more."""
        if answer.acknowledged is None:
            self.unanswered += 1
        else:
            self.waits.append(answer.acknowledged)
        self.on.wire.interactions.forget(answer.made)
        return answer

    async def sees_board(self, number: int, since: float, seconds: float) -> None:
        """Look at the next board before going on, as people do, for at most so many seconds."""
        begun = time.perf_counter()
        while self._going and time.perf_counter() - begun < seconds:
            if self.on.crowd.shown.get(Place(number).channel, 0) > since:
                return
            await asyncio.sleep(0.03)

    def look(self, number: int) -> None:
        """Remember what the log says now."""
        seen = self._seen[number]
        seen.extend(self.mirror.log(number, seen[-1].number if seen else 0))

    def _called(self, message: Message) -> None:
        number = self._by_channel.get(message.channel_id)
        if number is None or not message.mentions:
            return
        game = self.mirror.game(number)
        for seat in range(game.players):
            if Place(number).user(seat) in message.mentions:
                self.calls[number].append(Call(seat, game.number, message.content))

    def _open(self) -> Mirror:
        """What the bot has committed."""
        return Mirror(self.on.bot.database)

    def _seed(self, number: int) -> bytes:
        return bytes(self.mirror.row(f"SELECT seed FROM games WHERE id = {number}")[0])

    def faults(self) -> list[str]:
        """Everything that is not as it should be."""
        return [*self.losses(), *self._called_twice()]

    def losses(self) -> list[str]:
        """Everything lost, duplicated or changed among what has been acknowledged and seen so far."""
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
                rows = [
                    row for row in log if row.number > deed.after and (row.seat, row.text) == (deed.seat, deed.text)
                ]
                if deed.acknowledged and not rows:
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
                    texts = "; ".join(f"after {one.number} actions {one.text!r}" for one in heard)
                    found.append(f"game {number}: seat {seat} was called {len(heard)} times for {decision}: {texts}")
        return found

    def _asked(self, number: int) -> Asked:
        """What the seats of a game were asked after this many actions, according to its log."""
        states = self.mirror.course(number)
        return lambda number: {seat: states[number].decision(seat) or 0 for seat in states[number].to_act}

    async def settled(self, *, within: float = 120) -> list[str]:
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
        """The games that have gone on since the beginning, if still wanted; no other has a board of the bot's."""
        return [game for game in self.games if self.mirror.log(game, self._begun[game])]

    def _board_fault(self, number: int) -> str | None:
        version, lost = self.mirror.row(f"SELECT version, lost FROM games WHERE id = {number}")
        shown, message_id = self.mirror.shown(number)
        channel = self.on.wire.world.channels.get(Place(number).channel)
        if channel is None or lost is not None:
            return None
        if version != shown:
            return f"game {number}: version {shown} is shown of {version}"
        live = [one for one in channel.messages.values() if one.live and one.attachments]
        if [one.id for one in live] != [message_id]:
            return f"game {number}: {len(live)} boards have buttons, the newest is {message_id}"
        return None

    async def playable(self, games: Sequence[int] | None = None, *, within: float = 60) -> tuple[float, list[str]]:
        """Seconds until somebody at every table (or at these) was shown their hand, and the tables where nobody was."""
        begun = time.perf_counter()

        async def one(number: int) -> str | None:
            place = Place(number)
            channel = self.on.wire.world.channels[place.channel]
            while time.perf_counter() - begun < within:
                answer = await self.ask(self.on.crowd.people[place.user(0)], channel, place.code)
                if place.code in answer.text:
                    return None
                if self.mirror.status(number) != "playing":
                    return None
                await asyncio.sleep(0.2)
            return f"game {number} cannot be played on"

        faults = [fault for fault in await asyncio.gather(*map(one, games or self.games)) if fault is not None]
        return time.perf_counter() - begun, faults

    async def ask(self, person: Person, channel: Channel, code: str) -> Answer:
        """Somebody looks at their hand."""
        made = person.type(channel, "dog hand", game=code)
        return self.counted(await person.hear(made, patience=self.patience))


def is_done(text: str, kind: ActionKind) -> bool:
    """Whether an answer says that an action of this kind is done."""
    done = any(line.startswith(DONE) for line in text.splitlines())
    return done or (kind is ActionKind.GIVE and EXCHANGED in text)


def free(game: Game, seat: int | None = None) -> bool:
    """Whether somebody (or this seat) has something to choose, so the bot does not fold for them."""
    seats = game.to_act if seat is None else (seat,)
    return any(any(action.kind is not ActionKind.FOLD for action in game.legal(one)) for one in seats)
