"""A player's hand as the answer to a request; also to a press for which it is too late."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress

import discord

from bot.choosing import NoSuchPath
from bot.delivery.where_asked import is_in_dm
from bot.errors import MovedOn, StorageError
from bot.interactions.request import Request
from bot.moment import Moment
from bot.showing.choices import OfDecision
from bot.showing.dialogue import Dialogue
from bot.showing.panels import Reply
from bot.table import Table
from bot.texts.dialogue import already_done
from bot.texts.markup import stack
from bot.texts.moves import tell_own
from bot.texts.names import Names
from engine import Refusal


def lock_letter(request: Request) -> AbstractAsyncContextManager[None]:
    """Return a lock on the direct message that was pressed, against changes by others; of no use elsewhere."""
    message = request.interaction.message
    if not is_in_dm(request.interaction) or message is None:
        return nullcontext()
    return request.hands.letters.of(message.id)


async def make_dialogue(request: Request, table: Table | None = None) -> Dialogue:
    """Return the private dialogue of the user's seat, in their preferred theme, by default at the request's table.

    Raises:
        NotAtTable: they have no seat there.
        WrongStatus: the game has not started, so there are no hands yet.
    """
    prefers, locale = await request.preferences(), str(request.interaction.locale)
    if prefers.locale != locale:
        # Letters are written in it. The hand is shown even if the database cannot remember that.
        with suppress(StorageError):
            await request.tables.users.prefer(request.user_id, locale=locale)
    table, in_dm, typed = table or request.table, is_in_dm(request.interaction), _is_typed(request)
    return request.hands.dialogue(table, request.user_id, request.language, prefers, in_dm=in_dm, asked_for=typed)


async def open_hand(request: Request, table: Table, *, after: bool = False, done: str = "") -> None:
    """Answer with the user's hand and what they have to know about direct messages and the channel.

    `after` and `done`: right after an action, told in these words; else `done` stands above the hand for once.
    """
    notes = stack(await request.closed_note(table), request.trouble_note(table))
    if table.in_dms and _is_typed(request):
        # They ask for the game, so perhaps they can be written to again.
        await request.tables.users.try_dms_again(request.user_id)
    dialogue = await make_dialogue(request, table)
    reply = await request.hands.compose(dialogue, request.user_id, notes, done, after=after, tips=not after)
    await show_hand(request, reply, table, done=done if after else "")


async def show_hand(
    request: Request, reply: Reply, table: Table, *, choosing: Moment | None = None, done: str = ""
) -> None:
    """Answer with a hand, which follows the game from then on.

    `choosing`: the decision in the middle of which the user is; `done`: what they have just done.
    """
    moved = not request.is_private
    await request.replace(reply)
    request.hands.track(request.interaction, table, request.language, moved=moved, choosing=choosing, done=done)


async def answer_in_hand(
    request: Request, answer: Callable[[], Awaitable[None]], press: OfDecision | None = None
) -> None:
    """Answer a press in a hand, which is not moved meanwhile; what the rules refuse is said above the hand.

    If the game has moved on from what the `press` was made for, or a path leads nowhere any more, the hand is shown as
    it is now.
    """
    with request.hands.hold(request.table.id, request.user_id):
        try:
            if press is not None:
                press.check(request.table, request.user_id)
            await answer()
        except (NoSuchPath, MovedOn, Refusal) as error:
            table = await request.tables.get(request.table.id)
            await open_hand(request, table, done=_tell_late(request, error, table))


def _tell_late(request: Request, error: NoSuchPath | MovedOn | Refusal, table: Table) -> str:
    """Return what is said to a press that comes too late: what the user did in that decision, else the refusal."""
    decision, seat = getattr(error, "decision", None), table.played_by(request.user_id)
    if decision is not None and table.game is not None and not table.takebacks:
        mine = next((entry for entry in table.game.history(decision.number + 1) if entry.seat == seat), None)
        if mine is not None:
            return already_done(request.language, tell_own(request.language, Names.of(table, request.language), mine))
    return request.refusal(error if isinstance(error, Refusal) else MovedOn(decision), table)


def _is_typed(request: Request) -> bool:
    return request.interaction.type is discord.InteractionType.application_command
