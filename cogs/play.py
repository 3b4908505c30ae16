"""Playing: the hand, the questions that lead to an action, the click that plays it, and the same by keyboard."""

from __future__ import annotations

import asyncio
import contextlib

from discord import app_commands

from bot.choosing import Asks, NoSuchPath, Question, choose
from bot.errors import StaleBoard
from bot.languages import Language
from bot.moment import Moment
from bot.rights import Deed
from bot.showing.controls import ShowHand
from bot.showing.dialogue import AskWhy, Go, PlayNow, with_note
from bot.showing.panels import Reply
from bot.table import SeatTable, Table
from bot.texts import lobbies, questions, reasons, refusals
from bot.texts.moves import tell
from bot.texts.names import Names, card_label, shorten
from cogs.answers import (
    Interaction,
    SayInstead,
    closed_note,
    dialogue_for,
    language_of,
    refusal_at,
    replace,
    seated_at,
    send,
    trouble_note,
)
from cogs.group import DogCog, Which, command
from cogs.presses import on_press
from cogs.which import table_for
from engine import Action, ActionKind, Refusal

THINKING = 1.5
"""Seconds that an answer waits for computer players; Discord waits for three."""


async def _card_choices(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    found = await _my_seat(interaction)
    if found is None:
        return []
    language = language_of(interaction)
    cards = dict.fromkeys(_card_of(action) for action in found.game.legal)
    choices = [app_commands.Choice(name=card_label(language, card) or card, value=card) for card in cards if card]
    return [choice for choice in choices if current.lower() in choice.name.lower()][:25]


async def _move_choices(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    found = await _my_seat(interaction)
    if found is None:
        return []
    language = language_of(interaction)
    names = Names.of(found.table, language)
    card = str(getattr(interaction.namespace, "card", "") or "")
    choices = []
    for action in found.game.legal:
        if _card_of(action) != card or len(str(action)) > 100:
            continue
        named = f"{card_label(language, action.named)}: " if action.named else ""
        told = questions.action_label(language, names.unmarked(), found.seat, found.game.preview(action))
        label = shorten(named + told, 100)
        if current.lower() in label.lower():
            choices.append(app_commands.Choice(name=label, value=str(action)))
        if len(choices) == 25:
            break
    return choices


async def _my_seat(interaction: Interaction) -> SeatTable | None:
    """The person's seat at the table in question; None if nothing can be suggested."""
    code = getattr(interaction.namespace, "game", None)
    try:
        return seated_at(interaction, await table_for(interaction, code, seated=True))
    except Exception:
        return None


class PlayCog(DogCog):
    """Commands and buttons of a seat that plays."""

    @command("hand", Deed.PLAY, game=Which.OWN)
    async def hand_command(self, interaction: Interaction, table: Table) -> None:
        """Show the hand."""
        await send(interaction, await self._open_hand(interaction, table))

    async def _open_hand(self, interaction: Interaction, table: Table, drawn: tuple[str, ...] = ()) -> Reply:
        """The hand, with whatever else the person has to know. `drawn`: the cards they have just drawn."""
        dialogue = (await dialogue_for(interaction, table)).with_drawn(drawn)
        if await self.bot.tables.consent.can_undo(table.id, interaction.user.id) is not None:
            dialogue = dialogue.with_undo()
        notes = (await closed_note(interaction), trouble_note(interaction, table))
        return await dialogue.hand("\n".join(note for note in notes if note))

    @command("next", Deed.READ)
    async def next(self, interaction: Interaction) -> None:
        """Show the hand in the game that needs the person most urgently."""
        user = interaction.user.id
        waiting = [table for table in await self.bot.tables.of_member(user) if user in table.waiting_for.values()]
        if not waiting:
            note = await closed_note(interaction)
            told = lobbies.no_turn(language_of(interaction))
            raise SayInstead(f"{note}\n{told}".strip())
        await send(interaction, await self._open_hand(interaction, min(waiting, key=lambda one: urgency(one, user))))

    @on_press(ShowHand)
    async def hand(self, interaction: Interaction, press: ShowHand, table: Table) -> None:
        """Show the newest hand, whatever board the button was under."""
        await replace(interaction, await self._open_hand(interaction, table))

    @on_press(Go)
    async def go(self, interaction: Interaction, press: Go, table: Table) -> None:
        """Answer one question, or go back to the one before."""
        dialogue = await dialogue_for(interaction, table)
        if press.is_stale(table, interaction.user.id):
            await replace(interaction, await dialogue.hand(_moved_on(interaction)))
            return
        try:
            await replace(interaction, await dialogue.at(press.path))
        except NoSuchPath:
            await replace(interaction, await dialogue.hand(_moved_on(interaction)))

    @on_press(AskWhy)
    async def why(self, interaction: Interaction, press: AskWhy, table: Table) -> None:
        """Say why a card cannot be played."""
        dialogue = await dialogue_for(interaction, table)
        if press.is_stale(table, interaction.user.id):
            await replace(interaction, await dialogue.hand(_moved_on(interaction)))
            return
        await replace(interaction, await dialogue.why(press.card))

    @on_press(PlayNow)
    async def play(self, interaction: Interaction, press: PlayNow, table: Table) -> None:
        """Play the action at the end of the path; a second click finds the decision gone."""
        dialogue = await dialogue_for(interaction, table)
        if press.is_stale(table, interaction.user.id):
            await replace(interaction, await dialogue.hand(_already(interaction, table, press.decision)))
            return
        try:
            action = dialogue.chosen(press.path)
            await self._act(interaction, seated_at(interaction, table), press.decision, action)
        except (NoSuchPath, StaleBoard, Refusal) as error:
            table = await self.bot.tables.get(press.table)
            if isinstance(error, Refusal):
                text = refusal_at(interaction, table, error)
            else:
                text = _already(interaction, table, press.decision)
            await replace(interaction, await (await dialogue_for(interaction, table)).hand(text))

    async def _act(self, interaction: Interaction, before: SeatTable, decision: Moment | None, action: Action) -> None:
        """Commit the action, then tell the person what they did and show the hand that is left."""
        language, table, seat = language_of(interaction), before.table, before.seat
        preview = before.game.preview(action)
        names = Names.of(table, language)
        to = questions.receiver(table, names, seat)
        done = questions.done_line(language, names, seat, action, preview, to)
        after = await self.bot.tables.turns.act(table.id, interaction.user.id, decision, action)
        with contextlib.suppress(TimeoutError):
            # Computers answer at once, so people playing against them see what they are asked next.
            async with asyncio.timeout(THINKING):
                after = await self.bot.tables.drive(table.id) or after
        now = seated_at(interaction, after).game
        reply = await self._open_hand(interaction, after, now.drawn_since(before.game))
        swapped = action.kind is ActionKind.GIVE and now.view.got is not None
        # The hand itself shows what an exchange brought.
        await replace(interaction, reply if swapped else with_note(reply, f"✅ {done}"))

    @command(
        "play",
        Deed.PLAY,
        game=Which.OWN,
        suggest={"card": _card_choices, "move": _move_choices},
    )
    async def play_command(
        self,
        interaction: Interaction,
        table: Table,
        card: app_commands.Range[str, 1, 100],
        move: app_commands.Range[str, 1, 100] | None = None,
    ) -> None:
        """Play a card and a move chosen from the lists."""
        dialogue = await dialogue_for(interaction, table)
        language, seated = language_of(interaction), seated_at(interaction, table)
        legal, decision = seated.game.legal, seated.decision
        of_card = [action for action in legal if _card_of(action) == card]
        if not legal or decision is None:
            await send(interaction, await dialogue.hand())
            return
        if not of_card:
            await send(interaction, await dialogue.hand(_why_not(language, seated, card)))
            return
        if move is None:
            await send(interaction, await dialogue.at(_path_of_card(legal, card)))
            return
        action = next((one for one in of_card if str(one) == move), None)
        if action is None:
            raise SayInstead(refusals.no_move(language))
        await self._act(interaction, seated, decision, action)


def urgency(table: Table, user: int) -> tuple[float, int]:
    """How urgently a table needs this person: lower is more urgent; the one whose time ends first comes first."""
    ends = [clock.ends_at for clock in table.clocks.values() if clock.user_id == user and clock.ends_at is not None]
    return (min(ends, default=float("inf")), table.changed_at)


def _card_of(action: Action) -> str:
    """What represents an action in the list of cards: its card, or its kind if it has none."""
    return action.card or action.kind.value


def _path_of_card(legal: tuple[Action, ...], card: str) -> tuple[int, ...]:
    """The beginning of the path on which this card is chosen, as far as the questions before it allow."""
    step = choose(legal)
    path: tuple[int, ...] = ()
    while isinstance(step, Question) and step.asks in (Asks.WHAT, Asks.CARD):
        found = [
            index
            for index, answer in enumerate(step.answers)
            if any(_card_of(action) == card for action in answer.actions)
        ]
        if not found:
            break
        path = (*path, found[0])
        step = choose(legal, path)
    return path


def _already(interaction: Interaction, table: Table, decision: Moment) -> str:
    """What to say to a late click on Play: what the person did in that decision, or that the board has moved on."""
    seat = table.seat_of(interaction.user.id)
    if table.game is None or seat is None or table.takebacks:
        return _moved_on(interaction)
    mine = next((entry for entry in table.game.history(decision.number + 1) if entry.seat == seat), None)
    if mine is None:
        return _moved_on(interaction)
    language = language_of(interaction)
    told = " ".join(tell(language, Names.of(table, language), (mine,)))
    return questions.already_done(language, told)


def _why_not(language: Language, seated: SeatTable, card: str) -> str:
    """Why a card cannot be played by this seat."""
    if card not in (seated.game.view.hand or ()):
        return refusals.not_in_hand(language, card)
    names = Names.of(seated.table, language)
    return reasons.why_not(language, names, seated.seat, card, seated.game.why_not(card))


def _moved_on(interaction: Interaction) -> str:
    return refusals.moved_on(language_of(interaction))
