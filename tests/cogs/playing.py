"""How people play in these tests: through commands, buttons and menus, as on Discord; and how games get there."""

import random
import re
from collections import deque
from collections.abc import Callable
from typing import Any

from bot.choosing import Offered, list_offered
from bot.occupants import Person
from bot.showing.choices import Go, PlayNow
from bot.showing.presses import parse
from bot.showing.scenarios import Scenario
from bot.table import IN_DMS, Status, Table
from bot.texts import buttons
from engine import Action, ActionKind, Game, Phase, SeatGame, players
from engine.secret import whole
from tests.bot.shown import leads_to
from tests.simtable import Answer, Seen, SimTable
from tools.scenarios import make_opener


async def the_table(table: SimTable) -> Table:
    """The channel's open table, as the service has it; if there is none, the first member's in direct messages."""
    found = await table.bot.tables.in_channel(table.channel.id)
    found = found or [each for each in await table.bot.tables.of_member(table.members[0].id) if each.in_dms]
    assert found, "no open table"
    return found[0]


async def seat_everyone(table: SimTable, *, computers: int = 0, **options: Any) -> None:
    """A game that the first member has opened, with the others (or computer players) in the other seats."""
    players, lobby = int(options.get("players", 4)), table.bot.tables.lobby
    people = [Person(member.id, member.name) for member in table.members[: players - computers]]
    await table.slash(table.members[0], "dog new", **options)
    opened = await the_table(table)

    async def sit() -> None:
        for person in people[1:]:
            await lobby.join(opened.id, person)
        if computers:
            await lobby.fill(opened.id, people[0])

    await table.run(sit())
    await table.click(table.members[0], opened.language.t(buttons.START), on=table.board())


async def take_turn(
    table: SimTable, member: Any, rng: random.Random, *, by: str = "button", wanted: Action | None = None
) -> tuple[Action, int]:
    """Open the hand and click on, step by step, until an action is done: the one that a computer player would take.

    Returns that action, and how many presses it took once the hand was open. `by`: the board's "button", "slash", or
    "letter": in the newest direct message.
    """
    opened = await the_table(table)
    seat = opened.played_by(member.id)
    wanted = wanted or players.choose("heuristic", whole(opened.game), seat, rng)
    legal = list_offered(SeatGame(whole(opened.game), seat))
    if by == "letter":
        shown = table.letters(member)[-1]
    elif by == "button":
        shown = (await table.click(member, opened.language.t(buttons.MY_HAND), on=table.board())).shown
    else:
        shown = (await table.slash(member, "dog hand")).shown
    for presses in range(40):
        shown = table.read(shown)
        for custom_id in shown.custom_ids:
            press = parse(custom_id)
            if isinstance(press, PlayNow) and leads_to(legal, press.path, wanted):
                await table.press(member, custom_id, on=shown)
                return wanted, presses + 1
        shown = (await _onward(table, member, shown, legal, wanted)).shown
    raise AssertionError("the dialogue does not come to an end")


async def _onward(table: SimTable, member: Any, shown: Seen, legal: Offered, wanted: Action) -> Answer:
    """One click towards the wanted action."""
    for menu in shown.menus:
        press = parse(menu.custom_id)
        assert isinstance(press, Go)
        for label, value in menu.options.items():
            if leads_to(legal, (*press.path, int(value)), wanted):
                return await table.choose(member, label, on=shown)
    for button in shown.buttons:
        press = parse(button.custom_id or "")
        if not isinstance(press, Go):
            continue
        if leads_to(legal, press.path, wanted):
            return await table.press(member, str(button.custom_id), on=shown)
    raise AssertionError(f"no way to {wanted} for {member.name}: {shown.text!r} {shown.labels} {shown.choices}")


async def in_hand(table: SimTable, member: Any, *labels: str) -> Answer:
    """Open the hand and click on these buttons, one after the other; returns the last answer."""
    answer = await table.click(member, "My hand", on=table.board())
    for label in labels:
        answer = await table.click(member, label, on=answer.shown)
    return answer


def _further(shown: Seen) -> str:
    """The first button of a dialogue that leads on."""
    return next(one.custom_id for one in shown.buttons if ":go:" in str(one.custom_id) and one.label != "Back")


async def any_card(table: SimTable, member: Any, question: Answer) -> Answer:
    """Choose the first card offered, and confirm it."""
    chosen = await table.press(member, _further(question.shown), on=question.shown)
    return await table.click(member, "Confirm", on=chosen.shown)


async def to_the_play_button(table: SimTable, member: Any) -> Seen:
    """Open the hand, and click on until one click is left to a move."""
    answer = await table.slash(member, "dog hand")
    for _ in range(20):
        shown = table.read(answer.shown)
        if "Play" in shown.labels:
            return shown
        if shown.menus:
            answer = await table.choose(member, shown.choices[0], on=shown)
        else:
            answer = await table.press(member, _further(shown), on=shown)
    raise AssertionError("no Play button")


async def play_on(table: SimTable, rng: random.Random, turns: int) -> bool:
    """Let anybody who is asked play, at most `turns` times. Returns whether the game is over."""
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


async def meanwhile(table: SimTable, rng: random.Random, until: Callable[[Table], bool]) -> Table:
    """Let everybody act without a click, as computer players would, until this holds."""

    async def play() -> Table:
        while not until(now := await the_table(table)):
            seat, user = next(iter(now.waiting_for.items()))
            action = players.choose("heuristic", whole(now.game), seat, rng)
            await table.bot.tables.turns.act(now.id, user, None, action)
            await table.bot.tables.settled(now.id)
        return now

    return await table.run(play())


async def play_to_the_end(
    table: SimTable,
    system: str,
    left: int,
    locale: str = "en",
    lap: int | None = None,
    by: str = "button",
    *,
    in_dms: bool = False,
) -> None:
    """Open a game of the four members `left` actions before its end, in this language, and play these by hand.

    `lap`: of each four laps only this one is clicked; in the others people act without a click; `by`: see `take_turn`.
    """
    dice, game = random.Random(1), Game.new(system, 4, bytes(32))
    states = deque([game], maxlen=left + 1)
    while game.to_act:
        seat = game.to_act[0]
        game = game.play(seat, players.choose("heuristic", game, seat, dice))
        states.append(game)
    scenario = Scenario(system, "", system, 4, people=" ".join(one.name for one in table.members))
    begin = make_opener(table.bot, scenario, (bytes(32), states[0]), locale)
    place = (IN_DMS, IN_DMS) if in_dms else (table.guild.id, table.channel.id)
    await table.run(begin(*place, {one.name: one.id for one in table.members}))
    while (opened := await table.bot.tables.get(1)).status is Status.PLAYING:
        seat, text = game.log[opened.number]
        wanted, user = Action.parse(text), opened.waiting_for[seat]
        if lap in (None, opened.number // 4 % 4):
            await take_turn(table, member_of(table, user), random.Random(1), by=by, wanted=wanted)
        else:
            await table.run(table.bot.tables.turns.act(opened.id, user, None, wanted))
    assert opened.status is Status.OVER


def choosing(seen: Seen) -> list[str]:
    """The custom ids of a hand's buttons that lead to an action; none unless the reader is asked for one."""
    return [one for one in seen.custom_ids if type(parse(one)) in (Go, PlayNow)]


def member_of(table: SimTable, user_id: int) -> Any:
    """The member with this id."""
    return next(member for member in table.members if member.id == user_id)


async def on_turn(table: SimTable) -> Any:
    """The member whose turn it is (the first of several)."""
    return member_of(table, next(iter((await the_table(table)).waiting_for.values())))


async def pass_time(table: SimTable, seconds: float) -> None:
    """Let a long time pass, an hour at a time."""
    while seconds > 0:
        await table.wait(min(seconds, 3_600))
        seconds -= 3_600


async def alone_on_turn(table: SimTable, rng: random.Random) -> Any:
    """Play on until a turn that no forced fold follows, play it, and return whose it was."""
    for _ in range(40):
        member = await on_turn(table)
        number = (await the_table(table)).number
        await take_turn(table, member, rng)
        after = await the_table(table)
        if after.number == number + 1 and await table.bot.tables.proposals.can_undo(after.id, member.id) is not None:
            return member
    raise AssertionError("somebody folds after every turn")


async def past_the_exchange(table: SimTable, *, seed: int = 5, **options: Any) -> None:
    """A game of the members, after the first exchange."""
    await seat_everyone(table, **options)
    opened, rng, tables = await the_table(table), random.Random(seed), table.bot.tables

    async def give() -> None:
        # What the board shows after each gift, tests of exchanges look at.
        for seat, user in opened.waiting_for.items():
            game = whole((await tables.get(opened.id)).game)
            await tables.turns.act(opened.id, user, None, players.choose("heuristic", game, seat, rng))
        await tables.settled(opened.id)

    await table.run(give())
    await meanwhile(table, rng, lambda now: whole(now.game).phase is not Phase.EXCHANGE)


def question(table: SimTable) -> Seen:
    """The newest message that asks for consent."""
    return next(seen for seen in reversed(table.messages()) if "Agree" in seen.labels and not seen.pictures)


def asked_directly(table: SimTable, member: Any) -> Seen:
    """The newest direct message that asks a member for consent."""
    return next(seen for seen in reversed(table.letters(member)) if "Agree" in seen.labels)


async def spoil(table: SimTable, table_id: int) -> None:
    """Damage the stored log of a running game so that it no longer replays."""
    table.provoked = True

    async def write() -> None:
        async with table.bot.store.writing() as connection:
            await connection.exec_driver_sql(
                f"INSERT OR REPLACE INTO actions (game_id, number, seat, text, actor, at) "
                f"VALUES ({table_id}, 1, 0, 'fold', 'rule', 0)"
            )
            await connection.exec_driver_sql(f"UPDATE actions SET text = 'fold' WHERE game_id = {table_id}")
            await connection.exec_driver_sql(f"UPDATE games SET version = version + 1 WHERE id = {table_id}")

    await table.run(write())
    table.bot.tables._memory.forget(table_id)


async def come_back(table: SimTable, member: Any) -> Answer:
    """End an absence: look at it, and press End."""
    return await table.click(member, "End", on=(await table.slash(member, "dog me away")).shown)


async def ban(table: SimTable, moderator: Any, member: Any, **options: Any) -> Answer:
    """Ban a member from games, and confirm it."""
    question = await table.slash(moderator, "dog-admin moderate ban", member=member.user, **options)
    return await table.click(moderator, "Yes, ban", on=question.shown)


async def cancel(table: SimTable, member: Any, code: str, *, command: str = "dog table cancel") -> Answer:
    """Cancel a game, and confirm it."""
    question = await table.slash(member, command, game=code)
    return await table.click(member, f"Yes, cancel {code}", on=question.shown)


async def resign(table: SimTable, member: Any) -> Table:
    """Resign the game with one's partner, who agrees, or with a computer; returns the table as it ended."""
    opened = await the_table(table)
    (partner,) = opened.board.partners(opened.owners[member.id])
    person = opened.occupants[partner].user_id if partner is not None else None
    reply = await table.slash(member, "dog table resign")
    await table.click(member, "Resign" if person is None else "Ask my team to resign", on=reply.shown)
    if person is not None:
        member = member_of(table, person)
        await table.click(member, "Agree", on=asked_directly(table, member))
    return await table.bot.tables.get(opened.id)


async def resigned(table: SimTable, actions: int) -> Table:
    """The running game of four, resigned by seats 1 and 3 after at least this many actions."""
    await meanwhile(table, random.Random(2), lambda now: now.number >= actions)
    return await resign(table, member_of(table, (await the_table(table)).occupants[1].user_id))


async def act(table: SimTable, opened: Table, *, settled: bool = False) -> int:
    """Do what a computer player would, for the first person asked, without a click; returns whose action it was."""
    seat, user = next(iter(opened.waiting_for.items()))
    action = players.choose("heuristic", whole(opened.game), seat, random.Random(1))
    await table.bot.tables.turns.act(opened.id, user, None, action)
    if settled:
        await table.bot.tables.settled(opened.id)
    return user


async def elsewhere(table: SimTable, *members: Any) -> tuple[Any, list[Any]]:
    """A channel of another server with the bot and these people in it, the first as its manager."""
    other = table.env.create_guild("Elsewhere")
    return other.create_text_channel("dog"), [other.add_member(member.user) for member in members]


async def words_in(table: SimTable, member: Any, channel: Any) -> Seen:
    """A message by this member in a channel, to press forged buttons on."""
    said = await member.send(channel, "here")
    return next(seen for seen in table.messages(channel=channel) if seen.id == said.id)


def next_seat(now: Table) -> int:
    return now.board.next_seat(next(iter(now.waiting_for)))


def can_plan(now: Table) -> bool:
    """Return True if a first legal move of the player on turn leaves the first card of the next one playable."""
    game = whole(now.game)
    if game.phase.value != "turn" or len(now.waiting_for) != 1:
        return False
    (on_turn,), seat = now.waiting_for, next_seat(now)
    ahead = SeatGame(game, seat).if_asked()
    after = game.play(on_turn, game.legal(on_turn)[0])
    wanted = [] if ahead is None else [one for one in ahead.legal if one.kind is ActionKind.PLAY]
    return bool(wanted) and len(after.legal(seat)) > 1 and set(wanted) <= set(after.legal(seat))


async def open_in_dms(table: SimTable, *joining: object, **options: object) -> Table:
    """A lobby that the first member has opened in direct messages, and the others have joined by its code."""
    ann = table.members[0]
    await table.slash(ann, "dog new", channel=ann.user.dm_channel, rules="royal-basic", **options)
    opened = await the_table(table)
    for member in joining:
        await table.slash(member, "dog join", game=opened.code)
    return await the_table(table)


def shown_lobby(table: SimTable, member: object) -> Seen:
    """The message that shows a lobby to a member."""
    return next(seen for seen in reversed(table.letters(member)) if re.match(r"## [A-Z]+-\d", seen.text))


def command(name: str, *options: tuple[str, int, Any], group: str = "dog", focused: str = "") -> dict[str, Any]:
    """The data of a command as Discord sends it."""
    filled = [
        {"name": one, "type": kind, "value": value, **({"focused": True} if one == focused else {})}
        for one, kind, value in options
    ]
    *outer, last = name.split(" ")
    inner = {"name": last, "type": 1, "options": filled}
    for one in outer:
        inner = {"name": one, "type": 2, "options": [inner]}
    return {"id": "1", "name": group, "type": 1, "options": [inner]}
