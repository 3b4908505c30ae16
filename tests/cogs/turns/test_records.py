"""What is mixed into the shuffles is shown; the record and its check come once the game is over, and not before."""

import re

from bot.showing.controls import SaveRecord
from engine.record import load_record
from tests.cogs.playing import elsewhere, resigned, seat_everyone, the_table, words_in
from tests.simtable import Answer, SimTable


def files(answer: Answer) -> list[bytes]:
    """The files of an answer."""
    return [data for seen in answer.pages for data in seen.pictures]


async def test_contributions_are_listed_and_in_the_record(table: SimTable) -> None:
    ann, ben, cleo, dan = table.members
    await table.slash(ann, "dog new")
    settings = await table.click(ann, "Settings", on=table.board())
    fixed = await table.click(ann, "Fair shuffle", on=settings.shown)
    assert "rain on" in (await table.slash(ben, "dog join", text="rain on  **Tuesday** @everyone")).text
    assert "rain on" not in table.board().text, "it is shown at the start"
    for member in (cleo, dan):
        await table.click(member, "Join", on=table.board())
    await table.slash(cleo, "dog join", text="my own")
    await table.click(ann, "Start", on=table.board())
    opened = await the_table(table)
    history = await table.slash(ben, "dog history")
    begun = await table.click(ben, "Fair shuffle", on=history.shown)
    assert "“rain on \\*\\*Tuesday\\*\\* @\u200beveryone” · 🟢 “my own”" in begun.text
    assert all(f"`{opened.contributions[seat]}`" in begun.text for seat in (0, 3))
    said = [seen.text for seen in table.messages()]
    over = await resigned(table, 6)
    proof = await table.click(dan, "Fair shuffle", on=(await table.click(dan, "History", on=table.board())).shown)
    assert "After the game" in begun.text
    assert "After the game" not in proof.text
    back = await table.click(dan, "History", on=proof.shown)
    proof = await table.click(dan, "Fair shuffle", on=back.shown)
    (data,) = files(await table.click(dan, "Record", on=proof.shown))
    record = load_record(data)
    assert record.contributions == {**opened.contributions, 1: "rain on **Tuesday** @everyone", 2: "my own"}
    assert f"`{record.commitment.hex()}`" in fixed.text
    assert fixed.text.splitlines()[1] == begun.text.splitlines()[1]
    assert not any(re.search(r"\b\d{17,}\b|[0-9a-f]{64}", re.sub(r"<[^>]*>", "", text)) for text in said), "in public"
    assert all(key.hex() not in text for key in (record.secret, record.seed) for text in said)
    verified = await table.slash(ann, "dog verify", game=over.code)
    assert "✅" in verified.text


async def test_running_game_gives_no_record_even_when_forged(table: SimTable) -> None:
    ann = table.members[0]
    await seat_everyone(table)
    opened = await the_table(table)
    assert "Record" not in [*table.board().labels, *(await table.slash(ann, "dog history")).shown.labels]
    for answer in (
        await table.slash(ann, "dog verify", game=opened.code),
        await table.forge(ann, SaveRecord(opened.id).custom_id(), on=table.board()),
        await table.forge(ann, SaveRecord(opened.id + 1).custom_id(), on=table.board()),
    ):
        assert "hidden cards" in answer.text or "private" in answer.text
        assert files(answer) == []


async def test_record_is_for_those_who_see_the_game(table: SimTable) -> None:
    ann, ida = table.members[0], table.guild.add_member(table.env.create_user("ida"))
    await seat_everyone(table)
    over = await resigned(table, 6)
    channel, (ida_there, ann_there) = await elsewhere(table, ida, ann)
    there = await words_in(table, ann_there, channel)
    press = SaveRecord(over.id).custom_id()
    assert files(await table.forge(ann_there, press, on=there))
    assert files(await table.forge(ida_there, press, on=there)) == []


async def test_a_text_that_no_client_offers_is_refused(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    for text in ("x" * 61, " ", "\x07"):
        await table.forge_slash(ben, "dog join", text=text)
    assert (await the_table(table)).seat_of(ben.id) is None
