"""How people play in these tests: only through commands, buttons and menus, as on Discord."""

from __future__ import annotations

import random
from typing import Any

from bot.panels import Press
from bot.table import Table
from tests.simtable import Answer, Seen, SimTable

FORWARD = {"go", "play"}
"""The verbs that lead on to an action; `Back` is a `go` with a shorter path."""


async def the_table(table: SimTable) -> Table:
    """The open table of the channel, as the service has it."""
    found = await table.bot.tables.in_channel(table.channel.id)
    assert found, "no open table"
    return found[0]  # type: ignore[no-any-return]


async def seat_everyone(table: SimTable, *, computers: int = 0, **options: Any) -> None:
    """Open a table with the first member, seat the others (or computer players) and start it."""
    players = int(options.get("players", 4))
    host, *others = table.members
    await table.slash(host, "dog new", **options)
    for member in others[: players - 1 - computers]:
        await table.click(member, "Join", on=table.board())
    for _ in range(computers):
        await table.click(host, "Add computer", on=table.board())
    await table.click(host, "Start", on=table.board())


async def take_turn(table: SimTable, member: Any, rng: random.Random, *, by: str = "button") -> None:
    """Open the hand and go forward at random until an action is played."""
    if by == "button":
        answer = await table.click(member, "My hand", on=table.board())
    else:
        answer = await table.slash(member, "dog hand")
    for _ in range(40):
        assert answer.private
        shown = _shown(table, member, answer)
        answer, done = await _one_click(table, member, shown, rng)
        if done:
            return
    raise AssertionError("the dialogue does not come to an end")


async def _one_click(table: SimTable, member: Any, shown: Seen, rng: random.Random) -> tuple[Answer, bool]:
    presses = {
        button.label: press
        for button in shown.buttons
        if button.custom_id and not button.disabled and (press := Press.parse(button.custom_id))
    }
    final = [label for label, press in presses.items() if press.verb == "play"]
    if final:
        return await table.click(member, final[0], on=shown), True
    if shown.menus:
        menu = rng.choice([menu for menu in shown.menus if not menu.disabled])
        return await table.choose(member, rng.choice(list(menu.options)), on=shown), False
    onward = [label for label, press in presses.items() if press.verb == "go" and label != "Back"]
    assert onward, f"nothing to click for {member.name}: {shown.text!r} {list(presses)}"
    return await table.click(member, rng.choice(onward), on=shown), False


def _shown(table: SimTable, member: Any, answer: Answer) -> Seen:
    assert answer.shown is not None
    return table.read(answer.shown)


async def play_on(table: SimTable, rng: random.Random, turns: int) -> bool:
    """Let whoever is asked play, `turns` times at most. Returns whether the game came to its end."""
    for turn in range(turns):
        found = await table.bot.tables.in_channel(table.channel.id)
        if not found:
            return True
        waiting = found[0].waiting_for
        assert waiting, f"the table waits for nobody: {found[0].status} {found[0].to_act}"
        user = rng.choice(sorted(waiting.values()))
        member = next(one for one in table.members if one.id == user)
        await take_turn(table, member, rng, by="button" if turn % 7 else "slash")
    return not await table.bot.tables.in_channel(table.channel.id)
