"""Playing: late and double clicks, other people's clicks, why not, the keyboard, deleted messages, failed posts."""

import random
from dataclasses import fields

from bot.showing.presses import PRESSES
from engine import Action, ActionKind
from engine.secret import whole
from tests.cogs.playing import (
    choosing,
    meanwhile,
    on_turn,
    past_the_exchange,
    play_on,
    seat_everyone,
    take_turn,
    the_table,
    to_the_play_button,
)
from tests.cogs.timing import play, solo
from tests.simtable import SimTable

RNG_SEED = 5


async def test_the_exchange_waits_for_everyone_and_pings_once(table: SimTable) -> None:
    await seat_everyone(table)
    first = table.board()
    rng = random.Random(RNG_SEED)
    game = (await the_table(table)).game
    # Whoever begins gives first: somebody who goes on themselves is not called.
    starter = game.view().starter
    members = [*table.members[starter:], *table.members[:starter]]
    for count, member in enumerate(members[:3], start=1):
        await take_turn(table, member, rng)
        now = table.board()
        assert now.id == first.id, "giving a card edits the board's message"
        assert len((await the_table(table)).waiting_for) == 4 - count
        assert str(member.id) not in now.text.splitlines()[-1]
    await take_turn(table, members[3], rng)
    then = table.board()
    assert then.id != first.id
    assert len(then.pinged) == 1


async def test_anothers_gift_does_not_spoil_my_dialogue(table: SimTable) -> None:
    await seat_everyone(table)
    ann, ben = table.members[:2]
    mine = await table.click(ann, "My hand", on=table.board())
    await take_turn(table, ben, random.Random(RNG_SEED))
    await table.press(ann, choosing(mine.shown)[0], on=mine.shown)
    assert "✅" in (await table.click(ann, "Confirm", on=table.read(mine.shown))).text
    assert 0 not in (await the_table(table)).waiting_for


async def test_waiting_player_sees_hand_without_stale_names(table: SimTable) -> None:
    await past_the_exchange(table)
    waiting = (await the_table(table)).waiting_for
    opened = await the_table(table)
    hands = opened.game.view().hands
    seat = next(seat for seat, cards in hands.items() if cards and seat not in waiting)
    other = next(member for member in table.members if member.id == opened.occupants[seat].user_id)
    answer = await table.click(other, "My hand", on=table.board())
    assert answer.text.splitlines()[-1].startswith("Next: ")
    assert "<@" not in answer.text
    assert answer.shown.labels == ["Plan ahead"]
    assert len(answer.shown.pictures) == 1


async def test_a_double_click_plays_once(table: SimTable) -> None:
    # With a piece on every start, others can play as well.
    await past_the_exchange(table, rules="royal-basic")
    before = (await the_table(table)).number
    member = await on_turn(table)
    shown = await to_the_play_button(table, member)
    first, _ = await table.click_together([(member, "Play", shown), (member, "Play", shown)])
    after = await the_table(table)
    assert [seat for seat, _ in whole(after.game).log[before:]].count(after.seat_of(member.id)) == 1
    assert "✅" in first.text, "both answers stand in one message, whichever came last"


async def test_late_click_on_play_says_what_happened(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await on_turn(table)
    stale = await to_the_play_button(table, member)
    await table.slash(member, "dog hand")
    await take_turn(table, member, random.Random(RNG_SEED))
    number = (await the_table(table)).number
    (late,) = [button.custom_id for button in stale.buttons if button.label == "Play"]
    assert "Already done" in (await table.forge(member, str(late), on=table.private(member)[-1])).text
    assert (await the_table(table)).number == number


async def test_press_shown_at_another_moment_changes_nothing(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await on_turn(table)
    await play_on(table, random.Random(RNG_SEED), 1)
    before = await the_table(table)
    shown_then = [kind for kind in PRESSES.values() if any("Moment" in field.type for field in fields(kind))]
    assert len(shown_then) >= 11
    for kind in shown_then:
        carried = [field.type for field in fields(kind)[1:] if "tuple" not in field.type]
        press = kind.of_numbers([str(before.id), *("7-7" if "Moment" in what else "0" for what in carried)])
        assert (await table.forge(member, press.custom_id(), on=table.board())).text
        assert await the_table(table) == before, kind
        await table.wait(10)


async def test_a_card_that_cannot_be_played_says_why(table: SimTable) -> None:
    await past_the_exchange(table)
    rng = random.Random(RNG_SEED)
    for _ in range(60):
        member = await on_turn(table)
        answer = await table.click(member, "My hand", on=table.board())
        grey = [button for button in answer.shown.buttons if button.custom_id and ":why:" in button.custom_id]
        if grey:
            told = await table.press(member, str(grey[0].custom_id), on=answer.shown)
            assert "You can't play " in told.text
            assert "- " in told.text, "with at least one reason"
            return
        await take_turn(table, member, rng)
    raise AssertionError("every card could always be played")


async def test_keyboard_people_play_with_autocompletion(table: SimTable) -> None:
    await past_the_exchange(table)
    opened, member = await the_table(table), await on_turn(table)
    cards = await table.suggestions(member, "dog play", "card")
    assert cards
    card = next(iter(cards.values()))
    moves = await table.suggestions(member, "dog play", "move", "", card=card)
    assert moves
    assert "✅" in (await table.slash(member, "dog play", card=card, move=next(iter(moves.values())))).text
    assert (await the_table(table)).number > opened.number


async def test_the_keyboard_plays_a_cards_only_move(table: SimTable) -> None:
    """At once; one with several moves, or a gift, is asked about."""
    await seat_everyone(table)
    rng, seen = random.Random(RNG_SEED), set[bool]()
    while len(seen) < 2:
        opened, member = await the_table(table), await on_turn(table)
        seat = opened.played_by(member.id)
        moves: dict[str, list[Action]] = {}
        for action in whole(opened.game).legal(seat):
            moves.setdefault(action.card or "", []).append(action)
        for card, (first, *others) in moves.items():
            asks = first.kind is not ActionKind.PLAY or bool(others)
            steps = whole(opened.game).preview(seat, first).steps
            if asks not in seen and card and not any(step.sent_home for step in steps):
                seen.add(asks)
                told = await table.slash(member, "dog play", card=card)
                assert ((await the_table(table)).number == opened.number) == asks, told.text
                break
        await take_turn(table, await on_turn(table), rng)


async def test_the_keyboard_refuses_nonsense_kindly(table: SimTable) -> None:
    await past_the_exchange(table)
    opened, member = await the_table(table), await on_turn(table)
    legal = next(iter((await table.suggestions(member, "dog play", "card")).values()))
    for card, move in ((legal, "nonsense"), ("99", None), (legal, "7 1>2 3>4")):
        options = {"card": card} | ({"move": move} if move else {})
        assert (await table.slash(member, "dog play", **options)).text
    assert (await the_table(table)).number == opened.number


async def test_forbidden_posts_are_told_privately(table: SimTable) -> None:
    await past_the_exchange(table)
    await table.deny_bot("send_messages")
    await play_on(table, random.Random(RNG_SEED), 1)
    assert "can't post" in (await table.slash(table.members[0], "dog hand")).text
    await table.deny_bot()
    await take_turn(table, await on_turn(table), random.Random(RNG_SEED), by="slash")
    assert {"My hand", "History"} <= set(table.board().labels)


async def test_history_turns_pages(table: SimTable) -> None:
    await seat_everyone(table, computers=3)
    await meanwhile(table, random.Random(RNG_SEED), lambda now: now.number > 60)
    ann = table.members[0]
    answer = await table.slash(ann, "dog history")
    assert "Earlier" in answer.shown.labels
    while "Earlier" in table.read(answer.shown).labels:
        answer = await table.click(ann, "Earlier", on=answer.shown)
    assert "**Round 1** · 6 cards · <t:" in answer.text, "by rounds with their dates"


async def test_the_hand_says_to_whom_a_card_goes(table: SimTable) -> None:
    await seat_everyone(table)
    ann, _, cleo, _ = table.members
    assert "Which card for 🟢 **cleo**?" in (await table.slash(ann, "dog hand")).text
    assert "Which card for 🔵 **ann**?" in (await table.slash(cleo, "dog hand")).text


async def test_open_hand_follows_the_game(table: SimTable) -> None:
    await past_the_exchange(table)
    rng, met = random.Random(RNG_SEED), set[int]()
    for member in table.members:
        await table.slash(member, "dog hand")
    for _ in range(6):
        member = await on_turn(table)
        (hand,) = [seen for seen in table.private(member) if seen.labels]
        assert hand.id > table.board().id
        met.add(member.id)
        await take_turn(table, member, rng)
    assert len(met) > 1


async def test_starter_finds_the_hand_below_the_first_board(table: SimTable) -> None:
    await seat_everyone(table)
    ann, ben, *_ = table.members
    (came,) = [seen for seen in table.private(ann) if choosing(seen)]
    assert came.id > table.board().id
    assert "💡" in came.text, "with a tip, like a hand that was opened"
    assert not any(choosing(seen) for seen in table.private(ben))
    opened = await table.slash(ann, "dog hand")
    assert [seen.id for seen in table.private(ann) if choosing(seen)] == [opened.shown.id]


async def test_player_who_is_choosing_is_not_interrupted(table: SimTable) -> None:
    await seat_everyone(table)
    ann, *others = table.members
    mine = await table.click(ann, "My hand", on=table.board())
    chosen = await table.press(ann, choosing(mine.shown)[0], on=mine.shown)
    for member in others:
        await take_turn(table, member, random.Random(RNG_SEED))
    assert table.read(chosen.shown).text == chosen.shown.text


async def test_confirmation_can_be_declined(table: SimTable) -> None:
    await seat_everyone(table)
    question = await table.slash(table.members[0], "dog table cancel")
    answer = await table.click(table.members[0], "No, don't", on=question.shown)
    assert answer.shown.labels == []
    assert (await the_table(table)).is_open


async def test_last_move_of_a_round_is_told(table: SimTable) -> None:
    ann = await solo(table)
    was = then = whole((await the_table(table)).game)
    mine = None
    while then.round == was.round or mine is not ActionKind.PLAY:
        was = then
        await play(table, ann)
        then = whole((await the_table(table)).game)
        mine = next(entry.kind for entry in then.history(was.number + 1) if entry.seat == 0)
    assert "✅" in table.private(ann)[-1].text
