"""Once a game is over: playing again, on the same seats or with a free one; replays, and a picture to share."""

import random
from io import BytesIO
from typing import Any

from PIL import Image

from bot.errors import NotAtTable, TooOften, WrongStatus
from bot.showing.controls import PostPicture
from bot.showing.replaying import told_scenes
from bot.table import Status, Table
from engine import Game
from tests.bot.shown import ENGLISH, table_of
from tests.cogs import playing
from tests.cogs.playing import meanwhile, resign, seat_everyone, the_table
from tests.cogs.timing import solo
from tests.engine.staging import course
from tests.simtable import Answer, SimTable


async def resigned(table: SimTable, computers: int = 0, **options: Any) -> Table:
    """A game that the first member's team has resigned; the partner, seat 2, is a computer or agrees."""
    ann, *others = table.members
    await table.slash(ann, "dog new", **options)
    for member, seat in list(zip(others, ("Amber", "Green", "Violet"), strict=True))[: 3 - computers]:
        settings = (await table.click(member, "Settings", on=table.board())).shown
        await table.choose(member, f"{seat}: free", on=settings)
    if computers:
        await table.click(ann, "Add computers", on=table.board())
    await table.click(ann, "Start", on=table.board())
    return await resign(table, ann)


async def join(table: SimTable, *members: Any) -> None:
    """Let these members accept the invitation."""
    for member in members:
        await table.click(member, "Join", on=table.board())


def names(table: Table) -> dict[int, str]:
    """Who sits where."""
    return {seat: who.name for seat, who in table.occupants.items()}


async def test_rematch_keeps_seats_and_terms(table: SimTable) -> None:
    await resigned(table, rules="dobney", pace="relaxed", house="canadian_seven")
    await table.restart(crash=True)
    ann, ben, cleo, dan = table.members
    await table.click(ben, "Rematch", on=table.board())
    assert names(await the_table(table)) == {1: "ben"}, "the others are only invited"
    lobby = table.board()
    for member in (ann, cleo, dan):
        assert f"<@{member.id}>" in lobby.text
        assert f"{member.name} (invited)" in lobby.text
    assert lobby.pinged == {ann.id, cleo.id, dan.id}
    await join(table, cleo, dan, ann)
    assert "invited" not in table.board().text
    after = await the_table(table)
    assert names(after) == {0: "ann", 1: "ben", 2: "cleo", 3: "dan"}
    assert after.host_id == table.members[1].id
    assert (after.system, after.terms.pace, after.options.canadian_seven) == ("dobney", "relaxed", True)
    assert "Start" in table.board().labels
    await table.click(table.members[1], "Start", on=table.board())
    assert (await the_table(table)).status is Status.PLAYING


async def test_rematch_with_a_free_seat_frees_a_computers(table: SimTable) -> None:
    assert names(await resigned(table, computers=2)) == {0: "ann", 1: "ben", 2: "Bello", 3: "Luna"}
    await table.click(table.members[1], "Rematch with a new player", on=table.board())
    assert names(await the_table(table)) == {1: "ben", 3: "Luna"}
    await join(table, table.members[0])
    guest = table.guild.add_member(table.env.create_user("guest"))
    await table.click(guest, "Join", on=table.board())
    assert names(await the_table(table)) == {0: "ann", 1: "ben", 3: "Luna", 2: "guest"}


async def test_rematch_alone_with_computers_starts_at_once(table: SimTable) -> None:
    before = await resigned(table, 3)
    ann = table.members[0]
    await table.click(ann, "Rematch", on=table.board())
    after = await the_table(table)
    assert (after.status, names(after), after.rematch_of) == (Status.PLAYING, names(before), before.id)
    assert (
        "Confirm" in (await table.click(ann, table.private(ann)[-1].labels[0], on=table.private(ann)[-1])).shown.labels
    )


async def test_a_rematch_that_has_started_says_so(table: SimTable) -> None:
    await resigned(table)
    ann, ben, *_ = table.members
    final = table.board()
    await table.click(ben, "Rematch", on=final)
    await table.click(ben, "Add computers", on=table.board())
    await table.click(ben, "Start", on=table.board())
    code = (await the_table(table)).code
    answer = await table.click(ann, "Rematch with a new player", on=final)
    assert answer.text.startswith(f"**{code}**: This game has already started.")
    assert f"**{code}** has begun already" in (await table.click(ben, "Rematch", on=final)).text
    assert len(await table.bot.tables.in_channel(table.channel.id)) == 1


async def test_abandoned_game_waits_for_no_answers(table: SimTable) -> None:
    ann = await solo(table)
    question = await table.slash(ann, "dog table resign")
    assert "Card exchange: ann." in table.board().alt[0]
    await table.click(ann, "Resign", on=question.shown)
    board = table.board()
    assert "Card exchange" not in board.alt[0]
    assert "resigns" not in board.text, "it is said once"
    assert board.text.count(f"<@{ann.id}>") == 1, "she is told how it ended"
    assert board.pinged == {ann.id}
    assert " resigned." in board.text.splitlines()[-1]
    guest = table.guild.add_member(table.env.create_user("guest"))
    assert (await table.click(guest, "Replay", on=board)).shown.pictures


def size(answer: Answer) -> tuple[int, int]:
    """The size of the only picture in a private answer."""
    (picture,) = answer.shown.pictures
    with Image.open(BytesIO(picture)) as opened:
        return opened.size


async def test_command_and_button_send_the_same_picture(table: SimTable) -> None:
    over = await resigned(table, 3)
    assert over.won
    ann = table.members[0]
    by_command = await table.slash(ann, "dog card", game=over.code)
    assert size(by_command) == (1200, 630)
    by_button = await table.click(ann, "Share a picture", on=table.board())
    assert size(by_button) == (1200, 630)
    assert by_command.shown.pictures == by_button.shown.pictures


async def test_loser_posts_their_best_move(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await seat_everyone(table)
    over = await playing.resigned(table, 60)
    winners = size(await table.click(ann, "Share a picture", on=table.board()))
    shown = (await table.click(ben, "Share a picture", on=table.board())).shown
    assert "best move" in shown.alt[0]
    before = table.posts()
    assert "Posted" in (await table.click(ben, "Post here", on=shown)).text
    assert winners == (1200, 630)
    assert table.posts() == before + 1
    assert table.newest().pictures == shown.pictures
    assert "**ben**'s best move in" in table.newest().text
    press = PostPicture(over.id).custom_id()
    assert (await table.forge(ben, press, on=table.board())).is_refused(TooOften)
    guest = table.guild.add_member(table.env.create_user("guest"))
    assert (await table.forge(guest, press, on=table.board())).is_refused(NotAtTable)
    table.refuse("POST", status=403, code=50013)
    assert "I can't post it here" in (await table.forge(ann, press, on=table.board())).text


async def test_running_game_has_no_summary_picture(table: SimTable) -> None:
    ann = await solo(table)
    assert "Share a picture" not in table.board().labels
    assert "hasn't been won yet" in (await table.slash(ann, "dog card")).text


def frames(answer: Answer) -> int:
    with Image.open(BytesIO(answer.shown.pictures[0])) as picture:
        assert picture.format == "GIF"
        return int(getattr(picture, "n_frames", 1))


async def test_replays_since_last_turn_and_whole_game(table: SimTable) -> None:
    await seat_everyone(table)
    ann = table.members[0]
    await meanwhile(table, random.Random(4), lambda now: now.number > 20 and [*now.waiting_for.values()] == [ann.id])
    whole = await table.slash(ann, "dog replay", since="game")
    assert frames(await table.slash(ann, "dog replay")) < frames(whole)
    steps = ["{} of {}".format(*scene.counter) for scene in told_scenes(await the_table(table), ENGLISH)]
    first = await table.click(ann, "Step by step", on=whole.shown)
    assert steps[0] in first.text
    second = await table.click(ann, "Later", on=first.shown)
    assert steps[1] in second.text
    assert second.shown.pictures != first.shown.pictures
    last = await table.click(ann, "Last", on=second.shown)
    assert steps[-1] in last.text
    assert steps[-2] in (await table.click(ann, "Earlier", on=last.shown)).text


async def test_a_lobby_has_no_replay(table: SimTable) -> None:
    await table.slash(table.members[0], "dog new")
    answer = await table.slash(table.members[0], "dog replay")
    assert (await the_table(table)).code in answer.text
    assert answer.is_refused(WrongStatus)


PLAYED = course(Game.new("classic", 4, bytes(32)), random.Random(4), 40)[-1]


def test_acting_seat_is_lit_instead_of_the_next() -> None:
    moved = [scene for scene in told_scenes(table_of(PLAYED), ENGLISH) if scene.moves]
    assert len(moved) >= 3
    for scene in moved:
        assert scene.to_act == (scene.moves[-1][0],)


def test_newest_moves_end_with_the_current_position() -> None:
    opened = table_of(PLAYED)
    told = told_scenes(opened, ENGLISH, opened.number - 3)
    assert told[0] == told[-1], "a still of the film says what the board says"
    assert dict(told[0].placement) == dict(PLAYED.view().pieces)
    counters = [scene.counter for scene in told[1:-1]]
    assert counters == [(number, opened.number) for number in range(opened.number - 3, opened.number)], (
        "as in the history"
    )
    whole = told_scenes(opened, ENGLISH)
    assert whole[0] != whole[-1]
