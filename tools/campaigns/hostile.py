"""Hostile interactions against the real process: `python -m tools.campaigns.hostile --count 22000`.

Strangers send forged custom ids, numbers out of range, long and odd texts, unknown commands, other people's buttons and
wrong types. Each of these must be answered privately or ignored; nothing may change at the tables being played, and the
log may contain no traceback and at most one line for each.
"""

import argparse
import asyncio
import random
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import cogs  # noqa: F401 (all presses are known once the cogs are)
from bot.showing.presses import PRESSES
from tools.wire.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, FORM, LATER_UPDATE
from tools.wire.mirror import Mirror
from tools.wire.people import Answer, Person, boards, verbs
from tools.wire.process import BotProcess
from tools.wire.server import Wire
from tools.wire.world import Channel, Message

NUMBERS = (
    *("0", "1", "2", "3", "7", "00", "-1", "25", "31", "255", "1.5", "1e9", "0x1", "", " ", "+1", "1_0"),
    *(str(2**31), str(2**32), str(2**53), str(2**63 - 1), str(2**63), str(2**64), "9" * 19, "9" * 40, "9" * 80),
    *("١", "²", "１", "Ⅷ", "NaN", "None", "true"),
)
TEXTS = (
    *("", " ", "x", "FOX-1", "fox-1", "FOX-999999", "'; DROP TABLE games; --", "%s%n%x", "{0.__class__}", "{code}"),
    *("\x00", "a\x00b", "\n\n\n", "\u202egnol", "\u200b", "é" * 300, "👩‍👩‍👧‍👦" * 50, "A" * 100, "A" * 6000),
    *("@everyone", "<@1>", "**" * 500, "`" * 1999, "../../etc/passwd", "\ufffe", "ſ", "İ", "ß", "\ud800"),
)
TABLES = ("games", "seats", "actions", "proposals", "guilds", "bans", "guild_log")
"""The tables in which strangers must not change older rows."""


@dataclass
class Result:
    """The result of a run. `faults`: counts of what was wrong; `examples`: what had been sent then."""

    sent: int
    answered: int = 0
    ignored: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, object] = field(default_factory=dict)

    def wrong(self, why: str, example: object = "") -> None:
        self.faults[why] += 1
        self.examples[why] = example

    def __str__(self) -> str:
        found = [f"{count} times: {why}: {str(self.examples[why])[:2000]}" for why, count in self.faults.most_common()]
        said = f"{self.sent} hostile interactions: {self.answered} answered privately, {self.ignored} ignored"
        return "\n".join([said, *found])


class Forger:
    """Makes hostile interactions, the same for the same seed."""

    def __init__(self, seed: int, commands: Sequence[dict[str, Any]], genuine: Sequence[str]) -> None:
        self._dice = random.Random(seed)
        self._commands = commands
        self._genuine = genuine
        self._verbs = sorted(PRESSES)

    def make(self) -> tuple[int, dict[str, Any]]:
        match self._dice.randrange(10):
            case 0 | 1 | 2 | 3 | 4:
                return COMPONENT, self._press()
            case 5 | 6 | 7:
                return COMMAND, self._command(focused=False)
            case 8:
                return AUTOCOMPLETE, self._command(focused=True)
            case _ if self._dice.random() < 0.3:
                return FORM, {"custom_id": self._custom_id(), "components": []}
            case _:
                return COMPONENT, self._press()

    def _number(self) -> str:
        dice = self._dice
        return str(dice.randrange(8)) if dice.random() < 0.6 else dice.choice(NUMBERS)

    def _press(self) -> dict[str, Any]:
        dice = self._dice
        data: dict[str, Any] = {"custom_id": self._custom_id(), "component_type": dice.choice((2, 2, 3, 3, 5, 8))}
        if data["component_type"] != 2 or dice.random() < 0.2:
            data["values"] = dice.choice(
                (
                    [self._number()],
                    [dice.choice(TEXTS)],
                    [],
                    [self._number() for _ in range(30)],
                    [dice.choice((7, None, {"a": 1}, [1]))],
                )
            )
        return data

    def _custom_id(self) -> str:
        dice = self._dice
        match dice.randrange(12):
            case 0:
                return dice.choice(TEXTS)
            case 1:
                return dice.choice(self._genuine) if self._genuine else "dog:hand:1"
            case 2:
                return f"dog:{dice.choice(TEXTS)}:1:1"
            case 3:
                numbers = [self._number() for _ in range(dice.randrange(6))]
                return ":".join(["dog", dice.choice(self._verbs), *numbers])
            case 4 if self._genuine:
                signs = list(dice.choice(self._genuine))
                signs[dice.randrange(len(signs))] = dice.choice("0123456789:.#x-")
                return "".join(signs)
            case _:
                table = dice.choice((self._number(), "1", "2", "3"))
                path = ".".join((table, *(self._number() for _ in range(dice.choice((0, 0, 1, 1, 2, 3, 30, 200))))))
                return f"dog:{dice.choice(self._verbs)}:{path}" + dice.choice(("", "#0", "#", "#" + "x" * 300))

    def _command(self, *, focused: bool) -> dict[str, Any]:
        dice = self._dice
        command = dice.choice(self._commands)
        listed = command.get("options", ())
        subs: list[tuple[tuple[str, ...], Any]] = [((), sub) for sub in listed if sub["type"] == 1]
        subs += [((group["name"],), sub) for group in listed if group["type"] == 2 for sub in group["options"]]
        name = command["name"] if dice.random() < 0.95 else dice.choice(("cat", "DOG", "dog ", ""))
        if not subs:
            return {"id": command["id"], "name": name, "type": 1, "options": []}
        groups, sub = dice.choice(subs)
        options: list[dict[str, Any]] = []
        for option in sub.get("options", ()):
            if dice.random() < 0.75:
                options.append({"name": option["name"], "type": option["type"], "value": self._value(option)})
        if dice.random() < 0.1:
            options.append({"name": dice.choice(TEXTS), "type": 3, "value": "x"})
        if focused and options and dice.random() < 0.95:
            dice.choice(options)["focused"] = True
        named = sub["name"] if dice.random() < 0.95 else dice.choice(("nothing", "NEW", "", "a" * 200))
        data: dict[str, Any] = {"id": command["id"], "name": name, "type": 1}
        if dice.random() < 0.98:
            data["options"] = [{"name": named, "type": 1, "options": options}]
            for group in groups:
                data["options"] = [{"name": group, "type": 2, "options": data["options"]}]
        return data

    def _value(self, option: dict[str, Any]) -> Any:
        dice = self._dice
        if dice.random() < 0.1:
            return dice.choice((None, True, -1, 2**70, 1.5, "x", [], {}))
        match option["type"]:
            case 4:
                return dice.choice((0, -1, 1, 4, 7, 100, 2**31, 2**53, -(2**53)))
            case 5:
                return dice.choice((True, False))
            case 6 | 7 | 8:
                return dice.choice(("0", "1", str(2**63), "999", "abc", ""))
            case _:
                choices = [choice["value"] for choice in option.get("choices", ())]
                return dice.choice(TEXTS) if not choices or dice.random() < 0.6 else dice.choice(choices)


def state(database: Path, games: int) -> dict[str, list[Any]]:
    """Return the rows that strangers must not change."""
    found: dict[str, list[Any]] = {}
    with closing(sqlite3.connect(f"file:{database.as_posix()}?mode=ro", uri=True)) as connection:
        for name in TABLES:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            kept = [column for column in columns if column != "changed_at"]
            own = "id" if name == "games" else "game_id" if "game_id" in columns and name != "guild_log" else None
            where = "" if own is None else f" WHERE {own} <= {games}"
            found[name] = connection.execute(f"SELECT {', '.join(kept)} FROM {name}{where}").fetchall()
    return found


async def attack(count: int, *, seed: int = 1, at_once: int = 16, within: float = 3.0) -> Result:
    """Send this many hostile interactions, against a lobby, a game of four people and a game with computers.

    `within`: the seconds in which each must be acknowledged; Discord's three, unless the machine is busy.
    """
    result = Result(count)
    with tempfile.TemporaryDirectory() as name:
        async with Wire(everywhere=None, buckets=False) as wire, BotProcess(wire, Path(name)) as bot:
            wire.interactions.answer_within = within
            guild = wire.world.add_guild()
            owner = wire.world.add_user("owner", guild)
            guild.owner_id = owner.id
            channels = [wire.world.add_channel(guild, f"table{number}") for number in range(3)]
            # What strangers may do, such as opening a lobby, does no harm in their own channel.
            elsewhere = wire.world.add_channel(guild, "elsewhere")
            members = [Person(wire, wire.world.add_user(f"m{number}", guild)) for number in range(4)]
            await _begin(channels, members)
            await _at_rest(bot, members[0])
            board = [boards(channel)[-1] for channel in channels]
            genuine = [custom_id for message in board for custom_id in message.live]
            forger = Forger(seed, wire.world.commands, genuine)
            before = state(bot.database, 3)
            lines = bot.log_text().count("\n")
            room = asyncio.Semaphore(at_once)
            dice = random.Random(seed)

            async def send(number: int) -> None:
                async with room:
                    kind, data = forger.make()
                    stranger = Person(wire, wire.world.add_user(f"s{number}", guild), patience=within + 0.5)
                    await _judge(result, stranger, kind, data, dice.choice((*channels, elsewhere)), dice.choice(board))
                    wire.world.users.pop(stranger.id)
                    guild.members.discard(stranger.id)

            await asyncio.gather(*(send(number) for number in range(count)))
            text = bot.log_text()
            if bot.tracebacks():
                result.wrong("a traceback", text[text.index("Traceback (") :])
            if text.count("\n") - lines > count:
                result.wrong("more lines in the log than were sent")
            if not bot.is_running:
                result.wrong("the bot has ended", text[-2000:])
            for table, rows in state(bot.database, 3).items():
                if before[table] != rows:
                    result.wrong(f"{table} has changed")
            for refused in wire.refusals:
                if "40060" not in refused:
                    result.wrong("refused by Discord", refused)
    return result


def _offers(channel: Channel, verb: str | None = None) -> bool:
    """Return True if the channel shows a board, with this button if it is named."""
    found = boards(channel)
    return bool(found) and (verb is None or verb in verbs(found[-1]))


async def _begin(channels: Sequence[Channel], members: Sequence[Person]) -> None:
    """Set up a full lobby, a game of four people, and a game against computers."""
    host = members[0]
    for index, channel in enumerate(channels):
        await host.slash(channel, "dog new")
        await host.wait_for(partial(_offers, channel))
        if index == 2:
            await host.click(boards(channel)[-1], "fill")
        else:
            for member in members[1:]:
                await member.click(boards(channel)[-1], "join")
        if index:
            await host.wait_for(partial(_offers, channel, "start"))
            await host.click(boards(channel)[-1], "start")
            await host.wait_for(partial(_offers, channel, "hand"))


async def _at_rest(bot: BotProcess, host: Person) -> None:
    """Wait until everything is shown and noted, so that any later change must be the strangers' doing."""
    mirror = Mirror(bot.database)
    await host.wait_for(lambda: not mirror.behind() and not mirror.unfinished())
    mirror.close()


async def _judge(
    result: Result, stranger: Person, kind: int, data: dict[str, Any], channel: Channel, board: Message
) -> None:
    made = stranger.raw(kind, channel, data, board if kind == COMPONENT else None)
    ours = kind in (COMMAND, AUTOCOMPLETE) or (kind == COMPONENT and data["custom_id"].startswith("dog:"))
    answer: Answer = await stranger.hear(made, patience=None if ours else 0.3)
    if answer.acknowledged is not None and not made.complete and made.answer_kind != LATER_UPDATE:
        # An answer announced in time may take longer: drawing, for example.
        answer = await stranger.hear(made, patience=60)
    if answer.acknowledged is None:
        result.ignored += 1
        if ours:
            result.wrong("not answered", data)
        if made.faults or made.late is not None:
            result.wrong(f"its answer was refused: {made.faults}", data)
    else:
        result.answered += 1
        # A press may be acknowledged without words: then there is no message from the bot to look at.
        silent = made.answer_kind == LATER_UPDATE
        if not silent and not answer.private:
            result.wrong(f"answered in public: {answer.text[:80]}", data)
        if not silent and not made.complete:
            result.wrong("announced, but never answered", data)
        if made.faults:
            result.wrong(f"an answer was refused: {made.faults}", data)
    stranger.wire.interactions.forget(made)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.hostile", description=__doc__)
    parser.add_argument("--count", type=int, default=22_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    result = asyncio.run(attack(chosen.count, seed=chosen.seed))
    print(result)
    return 1 if result.faults else 0


if __name__ == "__main__":
    sys.exit(main())
