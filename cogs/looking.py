"""Looking: the board, the history, the rules, the list of games, help."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from discord import app_commands

from bot.client import DogBot
from bot.interactions.commands import SYSTEM_CHOICES, DogCog, Option, command
from bot.interactions.lookup import GameScope
from bot.interactions.request import Request
from bot.languages import mark as _
from bot.rights import Deed
from bot.showing.controls import (
    ShowHistory,
    ShowShuffle,
    ShowText,
    hand_button,
    history_button,
    operators_links,
    record_button,
)
from bot.showing.lessons import Lessons
from bot.showing.paging import nearest
from bot.showing.panels import Panel, Reply, Style
from bot.showing.presses import Press
from bot.showing.rulebook import Rulebook, ShowPage
from bot.table import MOST_PLAYERS, Status
from bot.tables.finding import count_room
from bot.texts import buttons, positions, stats
from bot.texts.markup import MESSAGE_LIMIT, stack
from bot.texts.public import boards, history, invitations, lobbies, places, shuffles
from bot.texts.teaching.learning import list_commands, overview
from engine import SYSTEMS, Options

ONLOOKERS = 2
"""Number of boards for onlookers drawn at the same time, so that players never wait for them."""


class ShowCommands(Press, verb="commands", deed=Deed.READ):
    """List all commands."""


class LookingCog(DogCog):
    """Commands and buttons that change nothing."""

    def __init__(self, bot: DogBot) -> None:
        super().__init__(bot)
        self._drawing = asyncio.Semaphore(ONLOOKERS)

    @command(
        "dog board",
        _("Look at the latest board, in private"),
        Deed.LOOK,
        game=GameScope.VISIBLE,
        away=True,
        text=_("In words instead of a picture, for screen readers and braille"),
    )
    async def board(self, request: Request, text: bool = False) -> None:
        """Show the board with the user's own side at the bottom; in words if that is asked for or preferred."""
        if self._drawing.locked():
            # There may be many onlookers: each is acknowledged first, and waits for its turn.
            await request.think()
        async with self._drawing:
            await request.send(await self._board(request, in_words=text))

    async def board_in_words(self, request: Request, press: ShowText) -> None:
        await self.board(request, text=True)

    async def _board(self, request: Request, *, in_words: bool) -> Reply:
        table, language, note = request.table, request.language, request.trouble_note(request.table)
        if request.seat is not None and await self.bot.delivery.restore(table):
            note = stack(note, places.posted_again(language, table))
        prefers = await request.preferences()
        in_words = in_words or prefers.in_words
        if table.game is None:
            text = stack(note, lobbies.lobby(language, table, whole=True))
            if in_words:
                return Reply(text)
            picture = await self.bot.pictures.lobby(table, language)
            return Reply(text, None, picture, lobbies.lobby_alt(language, table))
        view = table.game.view()
        entries = () if view.last is None else (view.last,)
        panel = Panel()
        if request.seat is not None and table.status is Status.PLAYING:
            hand_button(panel, language, table)
        history_button(panel, language, table)
        if in_words:
            room = MESSAGE_LIMIT - len(note) - 1
            return Reply(stack(note, positions.board(language, table, view, entries, room=room)), panel)
        preferences = await request.tables.users.several(table.owners)
        bottom = prefers.bottom(request.seat)
        picture = await self.bot.pictures.board(table, view, entries, language, theme=prefers.theme, turned=bottom)
        notes, log = await request.tables.notes(table.id), await request.tables.log(table.id)
        happened = history.story(language, table, entries, notes, log)
        left: Sequence[str] = ()
        if table.status is Status.OVER:
            left = stats.changes_by_game(language, table, *await request.tables.results.of_game(table.id))
        content = boards.board(language, table, view, happened, preferences, left=left, whole=True)
        text = stack(note, content, boards.computers(language, table))
        return Reply(text, panel, picture, positions.alt(language, table, view, entries))

    @command("dog history", _("Read what happened in a game"), Deed.LOOK, game=GameScope.VISIBLE)
    async def history(self, request: Request, press: ShowHistory | None = None) -> None:
        """Turn to a page of the history, by default the last; that is a message of its own, so that a hand stays."""
        table, language, wanted = request.table, request.language, None if press is None else press.page
        entries = await asyncio.to_thread(table.game.history, 0) if table.game is not None else ()
        notes, log = await request.tables.notes(table.id), await request.tables.log(table.id)
        pages = await asyncio.to_thread(history.pages, language, table, entries, notes, log)
        page = nearest(len(pages) - 1 if wanted is None else wanted, len(pages))
        panel = Panel()
        if len(pages) > 1:
            earlier, later = (ShowHistory(table.id, nearest(page + step, len(pages))) for step in (-1, 1))
            panel.button(language.t(buttons.EARLIER), earlier, emoji="◀️", disabled=page == 0)
            panel.button(language.t(buttons.LATER), later, emoji="▶️", disabled=page == len(pages) - 1)
        text = f"{history.head(language, table, page, len(pages))}\n{pages[page]}"
        panel.button(language.t(buttons.FAIR_SHUFFLE), ShowShuffle(table.id), emoji="🎲")
        turns = press is not None and press.page is not None
        await (request.replace if turns else request.send)(Reply(text, panel))

    async def fair_shuffle(self, request: Request, press: ShowShuffle) -> None:
        table, language = request.table, request.language
        panel = record_button(Panel(), language, table)
        if table.game is not None:
            # It takes the place of the history, to whose last page that leads.
            panel.button(language.t(buttons.HISTORY), ShowHistory(table.id, table.number), emoji="📜")
        reply = Reply(shuffles.fair_shuffle(language, table), panel)
        # A lobby's settings stay, and follow it.
        await (request.send if table.status is Status.LOBBY else request.replace)(reply)

    @command(
        "dog rules",
        _("Read the rules in brief"),
        Deed.READ,
        game=GameScope.OPTIONAL,
        away=True,
        rules=Option(_("Rules (default: this game's)"), SYSTEM_CHOICES),
        players=_("Player count"),
    )
    async def rules(
        self,
        request: Request,
        rules: str | None = None,
        players: app_commands.Range[int, 2, MOST_PLAYERS] | None = None,
    ) -> None:
        """Show the first page of the rules of a system."""
        table, options = request.table_if_any, Options()
        chosen = SYSTEMS[rules or next(iter(SYSTEMS))]
        if rules is None and table is not None:
            chosen, players, options = table.board.system, table.players, table.options
        if players not in chosen.players:
            players = 4 if 4 in chosen.players else chosen.players[0]
        await request.think()
        await request.send(await (await self._rulebook(request)).at(chosen, players, options))

    async def turn_the_page(self, request: Request, press: ShowPage) -> None:
        await request.replace(await (await self._rulebook(request)).pressed(press))

    async def _rulebook(self, request: Request) -> Rulebook:
        return Rulebook.of(request.language, await request.preferences(), self.bot.settings.rules_url)

    @command("dog games", _("List your games, and tables here to join or watch"), Deed.READ, away=True)
    async def games(self, request: Request) -> None:
        language, user = request.language, request.user_id
        tables = await request.tables.of_member(user)
        lines = [note] if (note := await request.closed_note()) else []
        lines.append(lobbies.games_head(language) if tables else lobbies.no_games(language))
        ordered = sorted(tables, key=lambda table: (user not in table.waiting_for.values(), *table.priority_for(user)))
        lines.extend(lobbies.game_line(language, table, user) for table in ordered)
        guild = request.server_id
        waiting = () if guild is None else await request.tables.finding.waiting_tables(guild)
        others = [table for table in waiting if table.seat_of(user) is None and await request.can_see(table)]
        if others:
            lines.append(invitations.waiting_head(language))
            lines.extend(invitations.waiting_line(language, table, count_room(table)) for table in others)
        running = () if guild is None else await request.tables.finding.running_tables(guild)
        watched = [table for table in running if table.seat_of(user) is None and await request.can_see(table)]
        if watched:
            lines.append(invitations.running_head(language))
            lines.extend(lobbies.game_line(language, table, user) for table in watched)
        await request.say("\n".join(lines))

    @command("dog help", _("How to play here"), Deed.READ, away=True)
    async def help(self, request: Request) -> None:
        language = request.language
        panel = Panel().button(language.t(buttons.ALL_COMMANDS), ShowCommands(0))
        panel.button(language.t(buttons.LEARN), Lessons(0), style=Style.MAIN, emoji="🎓")
        await request.send(Reply(overview(language), operators_links(panel, language, self.bot.settings)))

    async def commands(self, request: Request, press: ShowCommands) -> None:
        await request.replace(Reply(list_commands(request.language)))
