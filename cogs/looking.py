"""Looking: the board, the history, the rules, the list of games, help."""

from __future__ import annotations

import asyncio

from discord import app_commands

from bot.client import DogBot
from bot.rights import Deed
from bot.showing.controls import ShowHand, ShowHistory, ShowText
from bot.showing.panels import Panel, Reply
from bot.showing.rulebook import ShowTopic
from bot.table import Status, Table
from bot.texts import boards, buttons, help_text, history, lobbies, positions
from cogs.answers import Interaction, closed_note, language_of, replace, rulebook_for, say, send, trouble_note
from cogs.arriving import think
from cogs.choices import SYSTEM_CHOICES
from cogs.group import DogCog, Which, command
from cogs.play import urgency
from cogs.presses import on_press
from engine import SYSTEMS, Options

ONLOOKERS = 2
"""How many boards for onlookers are drawn at the same time, so that players never wait for them."""


class LookingCog(DogCog):
    """Commands and buttons that change nothing."""

    def __init__(self, bot: DogBot) -> None:
        super().__init__(bot)
        self._drawing = asyncio.Semaphore(ONLOOKERS)

    @command("board", Deed.LOOK, game=Which.SEEN)
    async def board(self, interaction: Interaction, table: Table, text: bool = False) -> None:
        """Show the board with one's own side at the bottom; in words if that is asked for or preferred."""
        await self._board(interaction, table, in_words=text)

    @on_press(ShowText)
    async def board_in_words(self, interaction: Interaction, press: ShowText, table: Table) -> None:
        """Show the board in words."""
        await self._board(interaction, table, in_words=True)

    async def _board(self, interaction: Interaction, table: Table, *, in_words: bool) -> None:
        if self._drawing.locked():
            # There may be many onlookers: each is acknowledged first, and waits for its turn.
            await think(interaction)
        async with self._drawing:
            await self._show(interaction, table, in_words=in_words)

    async def _show(self, interaction: Interaction, table: Table, *, in_words: bool) -> None:
        language = language_of(interaction)
        note = trouble_note(interaction, table)
        look = (await self.bot.tables.people.person(interaction.user.id)).theme
        in_words = in_words or look == positions.IN_WORDS
        if table.game is None:
            text = "\n".join(line for line in (note, lobbies.lobby(language, table)) if line)
            if in_words:
                await send(interaction, Reply(text))
                return
            picture = await self.bot.pictures.lobby(table, language)
            await send(interaction, Reply(text, None, picture, lobbies.lobby_alt(language, table)))
            return
        seat = table.seat_of(interaction.user.id)
        view = table.game.view()
        entries = () if view.last is None else (view.last,)
        if in_words:
            panel = Panel()
            if seat is not None and table.status is Status.PLAYING:
                panel.button(language.t(buttons.MY_HAND), ShowHand(table.id), emoji="🃏")
            panel.button(language.t(buttons.HISTORY), ShowHistory(table.id), emoji="📜")
            told = positions.board(language, table, view, entries, room=positions.TEXT_LIMIT - len(note) - 1)
            await send(interaction, Reply("\n".join(line for line in (note, told) if line), panel))
            return
        people = await self.bot.tables.people.several(table.persons)
        picture = await self.bot.pictures.board(table, view, entries, language, theme=look, turned=seat)
        panel = Panel()
        if seat is not None and table.status is Status.PLAYING:
            panel.button(language.t(buttons.MY_HAND), ShowHand(table.id), emoji="🃏")
        panel.button(language.t(buttons.HISTORY), ShowHistory(table.id), emoji="📜")
        notes, log = await self.bot.tables.notes(table.id), await self.bot.tables.log(table.id)
        happened = history.story(language, table, entries, notes, log, {})
        told = boards.board(language, table, view, happened, people)
        computers = "" if boards.opens(view) else boards.computers(language, table)
        text = "\n".join(line for line in (note, told, computers) if line)[: boards.MESSAGE_LIMIT]
        await send(interaction, Reply(text, panel, picture, positions.alt(language, table, view, entries)))

    @command("history", Deed.LOOK, game=Which.SEEN)
    async def history_command(self, interaction: Interaction, table: Table) -> None:
        """Show the last page of the history."""
        await send(interaction, await self._page(interaction, table, None))

    @on_press(ShowHistory)
    async def history(self, interaction: Interaction, press: ShowHistory, table: Table) -> None:
        """Turn to a page of the history, by default the last one."""
        await replace(interaction, await self._page(interaction, table, press.page))

    async def _page(self, interaction: Interaction, table: Table, wanted: int | None) -> Reply:
        language = language_of(interaction)
        entries = await asyncio.to_thread(table.game.history, 0) if table.game is not None else ()
        notes, log = await self.bot.tables.notes(table.id), await self.bot.tables.log(table.id)
        pages = await asyncio.to_thread(history.pages, language, table, entries, notes, log)
        page = len(pages) - 1 if wanted is None else max(0, min(wanted, len(pages) - 1))
        panel = Panel()
        if len(pages) > 1:
            earlier = ShowHistory(table.id, max(page - 1, 0))
            later = ShowHistory(table.id, min(page + 1, len(pages) - 1))
            panel.button(language.t(buttons.EARLIER), earlier, emoji="◀️", disabled=page == 0)
            panel.button(language.t(buttons.LATER), later, emoji="▶️", disabled=page == len(pages) - 1)
        head = history.head(language, table, page, len(pages))
        return Reply(f"{head}\n{pages[page]}", panel)

    @command("rules", Deed.READ)
    @app_commands.choices(rules=SYSTEM_CHOICES)
    async def rules_command(
        self,
        interaction: Interaction,
        rules: str | None = None,
        players: app_commands.Range[int, 2, 6] | None = None,
    ) -> None:
        """Show the essentials of a rule system."""
        here = await self.bot.tables.in_channel(interaction.channel_id or 0)
        options = Options()
        chosen = SYSTEMS[rules or next(iter(SYSTEMS))]
        if rules is None and here:
            chosen, players, options = here[0].board.system, here[0].players, here[0].options
        if players not in chosen.players:
            players = 4 if 4 in chosen.players else chosen.players[0]
        await think(interaction)
        await send(interaction, await (await rulebook_for(interaction)).at(chosen, players, options))

    @on_press(ShowTopic)
    async def turn_to_topic(self, interaction: Interaction, press: ShowTopic, table: None) -> None:
        """Turn the rulebook to another topic."""
        await replace(interaction, await (await rulebook_for(interaction)).pressed(press))

    @command("games", Deed.READ)
    async def games(self, interaction: Interaction) -> None:
        """List the person's open games with links to their boards."""
        language = language_of(interaction)
        user = interaction.user.id
        tables = await self.bot.tables.of_member(user)
        if not tables:
            await say(interaction, lobbies.no_games(language))
            return
        lines = [note] if (note := await closed_note(interaction)) else []
        lines.append(lobbies.games_head(language))
        ordered = sorted(tables, key=lambda table: (user not in table.waiting_for.values(), *urgency(table, user)))
        lines.extend(lobbies.game_line(language, table, user) for table in ordered)
        text = ""
        for line in lines:
            if len(text) + len(line) + 1 > boards.MESSAGE_LIMIT:
                break
            text += f"{line}\n"
        await say(interaction, text.rstrip())

    @command("help", Deed.READ)
    async def help(self, interaction: Interaction) -> None:
        """Explain the first steps and the commands."""
        await say(interaction, help_text.overview(language_of(interaction)))
