"""Taking moves back, and answering what somebody proposes to everybody."""

from __future__ import annotations

from bot.errors import NoProposal
from bot.rights import Deed
from bot.showing.controls import AnswerProposal
from bot.showing.dialogue import Undo
from bot.table import ProposalKind, Table
from bot.texts import proposals as texts
from cogs.answers import Interaction, SayInstead, dialogue_for, language_of, replace, say, send
from cogs.group import DogCog, Which, command
from cogs.guard import allow
from cogs.permissions import person_of
from cogs.presses import on_press


class ConsentCog(DogCog):
    """Undo, takebacks, and the answers to questions."""

    @on_press(Undo)
    async def undo(self, interaction: Interaction, press: Undo, table: Table) -> None:
        """Take one's own last action back, within a minute and as long as nothing has come of it."""
        if press.is_stale(table, interaction.user.id):
            raise SayInstead(texts.moved_on(language_of(interaction), table))
        table = await self.bot.tables.consent.undo(press.table, person_of(interaction))
        said = texts.taken_back(language_of(interaction))
        await replace(interaction, await (await dialogue_for(interaction, table)).hand(said))

    @command(
        "takeback",
        Deed.TAKE_BACK,
        game=Which.OWN,
    )
    async def takeback(self, interaction: Interaction, table: Table) -> None:
        """Take a move back: at once if that is allowed, otherwise with everybody's consent."""
        person, language = person_of(interaction), language_of(interaction)
        if await self.bot.tables.consent.can_undo(table.id, person.id) is not None:
            table = await self.bot.tables.consent.undo(table.id, person)
        else:
            await allow(interaction, Deed.ASK_BACK, table)
            table = await self.bot.tables.consent.request_takeback(table.id, person)
        if ProposalKind.TAKEBACK not in table.proposals:
            await send(interaction, await (await dialogue_for(interaction, table)).hand(texts.taken_back(language)))
            return
        await say(interaction, texts.others_asked(language, table))

    @on_press(AnswerProposal)
    async def answer(self, interaction: Interaction, press: AnswerProposal, table: Table) -> None:
        """Agree to what somebody proposes, or refuse it."""
        language = language_of(interaction)
        proposal = table.proposals.get(press.kind)
        if proposal is None or press.is_stale(table, interaction.user.id):
            raise NoProposal(press.kind).at(table.code)
        own = proposal.user_id == interaction.user.id
        table = await self.bot.tables.consent.answer(press.table, person_of(interaction), press.kind, press.yes)
        await say(interaction, texts.answered(language, table, yes=press.yes, own=own))
