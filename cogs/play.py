"""Playing: the start, the hand, the questions that lead to an action, the click or line that plays it; taking back.

Hints are here as well, since what they suggest is played from the hand.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from discord import app_commands

from bot.choosing import Asks, Decided, NoSuchPath, Offered, Question, choose, list_offered
from bot.delivery.where_asked import is_in_dm
from bot.errors import NotPossible
from bot.interactions.answers import SayInstead
from bot.interactions.commands import DogCog, Option, command
from bot.interactions.hand import answer_in_hand, make_dialogue, open_hand, show_hand
from bot.interactions.lookup import GameScope, find_typed
from bot.interactions.request import Request
from bot.languages import Language
from bot.languages import mark as _
from bot.moment import Moment
from bot.proposal import ProposalKind
from bot.rights import Deed
from bot.showing.choices import Go, PlayNow
from bot.showing.controls import AnswerProposal, ShowHand, Start, Undo
from bot.showing.dialogue import AskHint, AskWhy, Dialogue
from bot.showing.panels import LINE_LIMIT
from bot.table import SeatTable, Status
from bot.texts import refusals
from bot.texts.dialogue import Speaker, choice_label, direct_label, done_line, fitted, is_harmful
from bot.texts.markup import stack
from bot.texts.names import Names
from bot.texts.public import lobbies, proposals
from bot.texts.teaching import advice
from engine import Action, ActionKind, DogError, SeatGame

THINKING = 1.5
"""Seconds that an answer waits for computer players; Discord waits for three."""


async def _card_choices(request: Request, current: str) -> Iterable[tuple[str, str]]:
    seated = await _my_seat(request)
    return () if seated is None else suggested_cards(request.language, seated.game)


async def _move_choices(request: Request, current: str) -> Iterable[tuple[str, str]]:
    seated = await _my_seat(request)
    if seated is None:
        return ()
    speaker = Speaker.of(request.language, seated.table, seated.seat)
    return suggested_moves(speaker, seated.game, str(getattr(request.interaction.namespace, "card", "") or ""))


def suggested_cards(language: Language, game: SeatGame) -> list[tuple[str, str]]:
    """Return what a seat can play, as `/dog play` takes it, and its label: a card, or an action without a card."""
    first_of: dict[str, Action] = {}
    for action in game.legal:
        first_of.setdefault(_card_of(action), action)
    return [(card, choice_label(language, action, game.preview(action))) for card, action in first_of.items()]


def suggested_moves(speaker: Speaker, game: SeatGame, card: str) -> list[tuple[str, str]]:
    """Return the moves of a card, as `/dog play` takes them, and their labels."""
    moves = [action for action in game.legal if _card_of(action) == card and len(str(action)) <= LINE_LIMIT]
    return [(str(action), fitted(speaker, LINE_LIMIT, partial(_tell_move, game, action))) for action in moves]


def _tell_move(game: SeatGame, action: Action, speaker: Speaker) -> str:
    return direct_label(speaker, Decided(action, action), game.preview(action))


async def _my_seat(request: Request) -> SeatTable | None:
    """Return the user's seat at the table in question; None if nothing can be suggested."""
    table = await find_typed(request)
    return None if table is None else request.tables.seated(table, request.user_id)


class PlayCog(DogCog):
    """Commands and buttons of a seat that plays."""

    @command("dog hand", _("Look at your cards and play, in private"), Deed.HAND, game=GameScope.OWN, away=True)
    async def hand(self, request: Request, press: ShowHand | None = None) -> None:
        with request.hands.hold(request.table.id, request.user_id):
            await open_hand(request, request.table)

    @command("dog next", _("Open the hand of your most urgent game"), Deed.READ, away=True)
    async def next(self, request: Request) -> None:
        user = request.user_id
        waiting = [table for table in await request.tables.of_member(user) if user in table.waiting_for.values()]
        if not waiting:
            raise SayInstead(stack(await request.closed_note(), lobbies.no_turn(request.language)))
        table = min(waiting, key=lambda table: table.priority_for(user))
        await open_hand(request, table)

    async def start(self, request: Request, press: Start) -> None:
        """Deal the first round; the hand of the player who started it comes by itself, below the first board."""
        await request.done()
        request.hands.expect(request.interaction, request.table, request.language)
        await request.tables.lobby.start(press.table, request.person)

    async def go(self, request: Request, press: Go | AskWhy) -> None:
        """Answer a question, go back to the one before, or ask why a card cannot be played."""
        dialogue, choosing = await make_dialogue(request), None
        if isinstance(press, AskWhy) or not press.path:
            # Back at the hand: its news and *Undo* with it.
            dialogue = replace(dialogue, news=await request.hands.find_news(dialogue, request.user_id))
        if isinstance(press, AskWhy):
            reply = await dialogue.why()
        else:
            reply, choosing = await dialogue.at(press.path), press.decision if press.path else None
        await show_hand(request, reply, request.table, choosing=choosing)

    async def play(self, request: Request, press: PlayNow) -> None:
        """Play the action at the end of the path; a second click finds the decision gone."""
        dialogue = await make_dialogue(request)
        await self._act(request, dialogue.seated, press.decision, dialogue.chosen(press.path))

    async def _act(self, request: Request, before: SeatTable, decision: Moment | None, end: Decided) -> None:
        """Commit the action, then tell the player what they did and show the hand that is left."""
        speaker = Speaker.of(request.language, before.table, before.seat)
        done = f"✅ {done_line(speaker, end.chosen_as, before.game.preview(end.chosen_as))}"
        # As it was chosen: a joker that came out as a king is told as a king.
        after = await request.tables.turns.act(before.table.id, request.user_id, decision, end.chosen_as)
        request.fall_back_on(done)
        with contextlib.suppress(TimeoutError):
            # Computers answer at once, so people playing against them see what they are asked next.
            async with asyncio.timeout(THINKING):
                after = await request.tables.aftermath.drive(before.table.id) or after
        if end.action.kind is ActionKind.GIVE:
            exchanged = request.tables.seated(after, request.user_id).game.view.got is not None
            # The hand itself shows what an exchange brought.
            done = "" if exchanged else done
        await open_hand(request, after, after=True, done=done)

    @command(
        "dog play",
        _("Play a card from the keyboard"),
        Deed.PLAY,
        game=GameScope.OWN,
        away=True,
        card=Option(_("The card"), suggest=_card_choices),
        move=Option(_("What it does. Leave empty to choose with buttons"), suggest=_move_choices),
    )
    async def play_command(
        self,
        request: Request,
        card: app_commands.Range[str, 1, 100],
        move: app_commands.Range[str, 1, 100] | None = None,
    ) -> None:
        dialogue = await make_dialogue(request)
        seated = dialogue.seated
        legal, decision = seated.game.legal, seated.decision
        of_card = [action for action in legal if _card_of(action) == card]
        if not legal or decision is None:
            await request.send(await dialogue.hand())
        elif not of_card:
            await request.send(await dialogue.hand(_why_not(request, seated, card)))
        elif move is None:
            path = _path_of_card(list_offered(seated.game), card)
            end = _only_move(dialogue, path)
            if end is None:
                await request.send(await dialogue.at(path))
            else:
                await answer_in_hand(request, partial(self._act, request, seated, decision, end))
        else:
            action = _read_move(seated.game, card, move)
            if action is None:
                raise SayInstead(refusals.no_move(request.language))
            await answer_in_hand(request, partial(self._act, request, seated, decision, Decided(action, action)))

    async def hint(self, request: Request, press: AskHint) -> None:
        """Show what a computer player would do, and why; it is played only if the player presses `Play`."""
        hint = await request.tables.hints.hint(press.table, request.user_id, press.decision)
        table = await request.tables.get(press.table)
        reason = advice.why(request.language, Names.of(table, request.language), hint.motive)
        reply = await (await make_dialogue(request, table)).suggested(hint.action, reason)
        await show_hand(request, reply, table, choosing=press.decision)

    async def undo(self, request: Request, press: Undo) -> None:
        """Take the player's own last action back, as long as nothing has come of it."""
        try:
            table = await request.tables.proposals.undo(press.table, request.person, press.moment)
        except NotPossible as error:
            # The hand as it is now has no *Undo*.
            table = await request.tables.get(press.table)
            await open_hand(request, table, done=request.refusal(error))
            return
        done = request.fall_back_on(proposals.taken_back(request.language))
        await show_hand(request, await (await make_dialogue(request, table)).hand(done), table, done=done)

    @command(
        "dog takeback",
        _("Take a move back, if opponents and later players agree"),
        Deed.TAKE_BACK,
        game=GameScope.OWN,
    )
    async def takeback(self, request: Request) -> None:
        """Take a move back: at once if that is allowed, otherwise with the consent of the others."""
        tables, table_id = request.tables, request.table.id
        if await tables.proposals.can_undo(table_id, request.user_id):
            table = await tables.proposals.undo(table_id, request.person)
        else:
            await request.allow(Deed.ASK_BACK)
            table = await tables.proposals.request_takeback(table_id, request.person)
        if ProposalKind.TAKEBACK in table.proposals:
            await request.say_asked(table, ProposalKind.TAKEBACK)
        else:
            done = request.fall_back_on(proposals.taken_back(request.language))
            await show_hand(request, await (await make_dialogue(request, table)).hand(done), table, done=done)

    @command("dog table hints", _("Ask the others to allow hints"), Deed.ASK_HINTS, game=GameScope.OWN)
    async def ask_for_hints(self, request: Request) -> None:
        if request.table.status is Status.LOBBY:
            raise SayInstead(proposals.hints_in_lobby(request.language))
        table = await request.tables.proposals.propose_hints(request.table.id, request.person)
        await request.say_asked(table, ProposalKind.HINTS)

    async def answer(self, request: Request, press: AnswerProposal) -> None:
        table = await request.tables.proposals.answer(press.table, request.person, press.kind, press.yes, press.at)
        still_open = table.proposals.get(press.kind)
        if still_open is not None and is_in_dm(request.interaction):
            own = still_open.user_id == request.user_id
            await request.say(proposals.answered(request.language, table, yes=press.yes, own=own))
        else:
            # The question says whose answer is missing, and the board what became of it.
            await request.done()


def _card_of(action: Action) -> str:
    """Return the value of an action in the list of cards: its card, or its kind if it has none."""
    return action.card or action.kind.value


def _only_move(dialogue: Dialogue, path: tuple[int, ...]) -> Decided | None:
    """Return the only move at the end of a path; None if there are several, or if a player should see it first.

    They should if it plays no card, as in an exchange, or sends back a piece of their own team.
    """
    with contextlib.suppress(NoSuchPath):
        end, seated = dialogue.chosen(path), dialogue.seated
        speaker = Speaker.of(dialogue.language, seated.table, seated.seat)
        steps = seated.game.preview(end.chosen_as).steps
        if end.action.kind is ActionKind.PLAY and not is_harmful(speaker, steps):
            return end
    return None


def _read_move(game: SeatGame, card: str, move: str) -> Action | None:
    """Return the action of a card that a text names; None if the rules do not allow it now."""
    with contextlib.suppress(DogError):
        action = Action.parse(move)
        if _card_of(action) == card:
            game.preview(action)
            return action
    return None


def _path_of_card(legal: Offered, card: str) -> tuple[int, ...]:
    """Return the beginning of the path on which this card is chosen, as far as the questions before it allow."""
    step = choose(legal)
    path: tuple[int, ...] = ()
    while isinstance(step, Question) and step.asks in (Asks.WHAT, Asks.CARD):
        matching = [
            index
            for index, answer in enumerate(step.answers)
            if any(_card_of(action) == card for action in answer.actions)
        ]
        if not matching:
            break
        path = (*path, matching[0])
        step = choose(legal, path)
    return path


def _why_not(request: Request, seated: SeatTable, card: str) -> str:
    """Return the reasons why a card cannot be played by this seat."""
    if card not in (seated.game.view.hand or ()):
        return refusals.not_in_hand(request.language, card)
    names = Names.of(seated.table, request.language)
    why = refusals.in_words(request.language, names, seated.seat, seated.game.why_not(card))
    return refusals.why_not(request.language, (card,), why)
