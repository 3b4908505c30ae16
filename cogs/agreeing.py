"""Taking moves back, and agreeing to what somebody asks everyone."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import locale_str

from bot.showing.panels import Press
from bot.table import ProposalKind
from cogs.answers import Advice, Interaction, dialogue_for, guarded, language_of, replace, say, send
from cogs.choices import game_choices
from cogs.permissions import need_post, person_of
from cogs.presses import on_press
from cogs.room import Room
from cogs.which import table_for


class Agreeing(Room):
    """Undo, takebacks, and the answers to questions."""

    @on_press("undo")
    async def undo(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Take one's own last action back, within a minute and while nothing has come of it."""
        table = await self.bot.tables.get(press.table)
        if table.number != press.version:
            raise Advice(
                language_of(interaction).t(
                    "**{code}** has gone on since: `/dog takeback` goes back further, if the others agree.",
                    code=table.code,
                )
            )
        table = await self.bot.tables.consent.undo(press.table, person_of(interaction))
        said = language_of(interaction).t("↩️ Taken back.")
        await replace(interaction, await (await dialogue_for(interaction, table)).hand(said))

    @app_commands.command(
        name=locale_str("takeback"), description=locale_str("Take your last move back, if the others agree")
    )
    @app_commands.describe(game=locale_str("Code of the game, such as FOX-7"))
    @app_commands.autocomplete(game=game_choices)
    async def takeback(self, interaction: Interaction, game: str | None = None) -> None:
        """Take a move back: at once where that is allowed, else with everyone's consent."""
        await guarded(interaction, self._takeback(interaction, game))

    async def _takeback(self, interaction: Interaction, game: str | None) -> None:
        table = await table_for(interaction, game, seated=True)
        person, language = person_of(interaction), language_of(interaction)
        if await self.bot.tables.consent.can_undo(table.id, person.id) is not None:
            table = await self.bot.tables.consent.undo(table.id, person)
        else:
            await need_post(interaction, table)
            table = await self.bot.tables.consent.request_takeback(table.id, person)
        if ProposalKind.TAKEBACK not in table.proposals:
            await send(interaction, await (await dialogue_for(interaction, table)).hand(language.t("↩️ Taken back.")))
            return
        await say(interaction, language.t("**{code}**: the others are asked.", code=table.code))

    @on_press("agree")
    async def agree(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Agree to what somebody proposes."""
        await self._answer(interaction, press, agrees=True)

    @on_press("refuse")
    async def refuse(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Refuse what somebody proposes."""
        await self._answer(interaction, press, agrees=False)

    async def _answer(self, interaction: Interaction, press: Press, *, agrees: bool) -> None:
        kinds = tuple(ProposalKind)
        kind = kinds[press.path[0]] if press.path and press.path[0] < len(kinds) else kinds[0]
        language = language_of(interaction)
        table = await self.bot.tables.get(press.table)
        proposal = table.proposals.get(kind)
        if proposal is None or proposal.at != press.version:
            raise Advice(language.t("**{code}**: that question is settled already.", code=table.code))
        own = proposal.user_id == interaction.user.id
        table = await self.bot.tables.consent.answer(press.table, person_of(interaction), kind, agrees)
        await say(
            interaction,
            language.t("**{code}**: you agreed.", code=table.code)
            if agrees
            else language.t("**{code}**: you withdrew the question.", code=table.code)
            if own
            else language.t("**{code}**: you refused.", code=table.code),
        )
