"""Looking back: replays of what has happened, reviews of finished games, and their picture to share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable
from io import BytesIO

import discord

from bot.client import DogBot
from bot.delivery.sending import TROUBLE
from bot.errors import Busy, WrongStatus
from bot.interactions.answers import Attachment, SayInstead
from bot.interactions.commands import DogCog, Option, command
from bot.interactions.lookup import GameScope
from bot.interactions.request import Request
from bot.languages import Language
from bot.languages import mark as _
from bot.pools import MOST_FILMS
from bot.rights import Deed
from bot.showing import replaying
from bot.showing.controls import PostPicture, SaveRecord, SharePicture, ShowReplay, ShowReview, add_play_from
from bot.showing.emojis import dress
from bot.showing.paging import nearest, pages
from bot.showing.panels import Panel, Reply
from bot.showing.presses import Press
from bot.showing.replaying import best_move, replay, since_last_turn, still
from bot.table import Status, Table
from bot.tables.finished.records import need_ended
from bot.tables.finished.reviewing import need_over
from bot.tasks import SingleFlight
from bot.texts import buttons, pictures, positions
from bot.texts.markup import stack
from bot.texts.names import Names
from bot.texts.public import history, shuffles
from bot.texts.teaching import advice
from render import board_png
from render.film import Film

log = logging.getLogger(__name__)

WHOLE, MINE = "game", "mine"


class StepThrough(Press, verb="steps", deed=Deed.LOOK):
    """Step through the moments of a game, in a new message that begins with action number `at`."""

    at: int


class ShowMoment(Press, verb="moment", deed=Deed.LOOK):
    """Turn to the moment after action number `at`, and to a page of it."""

    at: int
    page: int = 0


class FinishedCog(DogCog):
    """Commands and buttons that look back on a game."""

    def __init__(self, bot: DogBot) -> None:
        super().__init__(bot)
        self._films: SingleFlight[Hashable, Film | None] = SingleFlight("film")

    @command(
        "dog replay",
        _("Watch the game again, in private"),
        Deed.FILM,
        game=GameScope.VISIBLE,
        since=Option(
            _("From where (default: your last turn)"),
            {MINE: _("my last turn"), WHOLE: _("the beginning")},
        ),
    )
    async def replay(self, request: Request, since: str | None = None, press: ShowReplay | None = None) -> None:
        table, language, seat = request.table, request.language, request.seat
        if table.game is None:
            raise WrongStatus(table.status, (Status.PLAYING,))
        # Drawing takes up to a few seconds: acknowledged first, sent when ready.
        await request.think()
        first = 0
        if seat is not None and since != WHOLE and table.is_open:
            first = since_last_turn(await request.tables.log(table.id), request.user_id)
        filming, theme, prefers = self.bot.pools.film, table.terms.theme, await request.preferences()
        if prefers.in_words:
            await self.moment(request, StepThrough(table.id, first))
            return
        bottom = prefers.bottom(seat)
        names = tuple(Names.of(table, language).plain.items())
        shown = (table.id, table.moment, table.status, first, theme, bottom, language.code, names)
        in_flight = self._films.in_flight
        if shown not in in_flight and len(in_flight) >= MOST_FILMS:
            raise Busy
        # If a person who asked has gone, the others still get the film.
        film = await asyncio.shield(
            self._films.begin(
                shown, lambda: replay(table, language, first=first, theme=theme, turned=bottom, filming=filming)
            )
        )
        if film is None:
            raise SayInstead(pictures.nothing_to_replay(language, table))
        caption = (
            pictures.replay_since_last_turn(language, table)
            if first
            else pictures.whole_replay(language, table, film.seconds)
        )
        panel = Panel().button(language.t(buttons.STEP_BY_STEP), StepThrough(table.id, first), emoji="⏯️")
        alt = pictures.replay_alt(language, table)
        await request.attach(caption, Attachment(film.data, "replay.gif", alt), panel=panel)

    async def moment(self, request: Request, press: StepThrough | ShowMoment) -> None:
        """Show a moment of a game, with the ways to the others; at first the film stays where it is."""
        table, language, prefers = request.table, request.language, await request.preferences()
        if table.game is None:
            raise WrongStatus(table.status, (Status.PLAYING,))
        answer = request.send if isinstance(press, StepThrough) else request.replace
        shown = await asyncio.to_thread(still, table, language, press.at, prefers.bottom(request.seat))
        here, panel = shown.view.number, Panel()
        if here < press.at:
            raise SayInstead(pictures.nothing_to_replay(language, table))
        for label, emoji, number in (
            (buttons.FIRST, "⏮️", shown.first),
            (buttons.EARLIER, "◀️", shown.before),
            (buttons.LATER, "▶️", shown.after),
            (buttons.LAST, "⏭️", shown.last),
        ):
            panel.button(language.t(label), ShowMoment(table.id, number), emoji=emoji, disabled=number == here)
        add_play_from(panel, language, table, here)
        entries = () if shown.view.last is None else (shown.view.last,)
        log = await request.tables.log(table.id)
        head = pictures.moment_of(language, table, here)
        story = history.story(language, table, entries, (), log)
        if prefers.in_words:
            lines = [head, *story, positions.next_line(language, Names.of(table, language), shown.view)]
            texts = pages(positions.board(language, table, shown.view, entries, heading=stack(*lines)))
            page = nearest(press.page if isinstance(press, ShowMoment) else 0, len(texts))
            for label, emoji, number in ((buttons.PAGE_BACK, "⬅️", page - 1), (buttons.PAGE_ON, "➡️", page + 1)):
                if len(texts) > 1:
                    turn = ShowMoment(table.id, here, nearest(number, len(texts)))
                    panel.button(language.t(label), turn, emoji=emoji, disabled=turn.page == page)
            await answer(Reply(texts[page], panel))
            return
        picture = await self.bot.pictures.draw(board_png, shown.scene, prefers.look(table.terms.theme))
        await answer(Reply(stack(head, *story), panel, picture, positions.alt(language, table, shown.view, entries)))

    @command(
        "dog review",
        _("Review a finished game and see what you missed"),
        Deed.REVIEW,
        game=GameScope.FINISHED,
    )
    async def review(self, request: Request, press: ShowReview | None = None) -> None:
        table, language, reviews = request.table, request.language, request.tables.reviews
        need_over(table)
        # It takes many seconds, and after a game all players ask: acknowledged first, sent when ready.
        await request.think()

        async def tell(ahead: int) -> None:
            await request.say(advice.in_line(language, ahead))

        # A whole table may wait in this line, without taking the room of those who play.
        with self.bot.limits.queued(request.user_id):
            review = await reviews.review(table.id, request.user_id, tell)
        for page in await replaying.pages(self.bot.pictures, language, table, review, await request.preferences()):
            files = [Attachment(data, f"{number}.png", alt) for number, (data, alt) in enumerate(page.pictures, 1)]
            panel = None if page.at is None else add_play_from(Panel(), language, table, page.at)
            await request.attach(page.content, *files, panel=panel)

    @command("dog verify", _("Check a finished game's shuffles"), Deed.RECORD, game=GameScope.FINISHED)
    async def verify(self, request: Request) -> None:
        """Say whether every card is what the secret and the contributions give, or what differs."""
        need_ended(request.table)
        await request.think()
        verdict = await request.tables.records.verify(request.table.id)
        await request.attach(shuffles.verdict(request.language, request.table, verdict))

    async def record(self, request: Request, press: SaveRecord) -> None:
        table, language = request.table, request.language
        need_ended(table)
        await request.think()
        text = await request.tables.records.text(table.id)
        file = Attachment(text.encode(), f"{table.code}.txt", shuffles.record_alt(language, table))
        await request.attach(shuffles.record(language, table), file)

    @command("dog card", _("A picture of a finished game, to share"), Deed.LOOK, game=GameScope.FINISHED)
    async def picture(self, request: Request, press: SharePicture | None = None) -> None:
        """Show the picture to share: of the end or, to a player who has lost, of their best move."""
        table, language = request.table, request.language
        if table.game is None or not table.won:
            raise SayInstead(pictures.not_over(language, table))
        await request.think()
        panel = Panel()
        if request.seat is not None and not table.in_dms:
            panel.button(language.t(buttons.POST_HERE), PostPicture(table.id), emoji="📣")
        shown, _best = await self._shared(table, language, request.seat)
        await request.attach("", shown, panel=panel)

    async def _shared(self, table: Table, language: Language, seat: int | None) -> tuple[Attachment, bool]:
        """Draw the picture to share of a game that was won, for the player on a seat, or for others.

        Also return whether it is the player's best move.
        """
        assert table.game is not None
        view, entries = table.game.view(), await asyncio.to_thread(table.game.history, 0)
        own = None if seat is None or seat in table.won else pictures.best_move(table, seat, entries)
        if seat is not None and own is not None:
            picture, alt = await best_move(self.bot.pictures, language, table, seat, own)
        else:
            facts = pictures.share_facts(language, table, view, entries)
            picture = await self.bot.pictures.shared(table, view, language, facts)
            alt = pictures.share_alt(language, table, facts)
        return Attachment(picture, f"{table.code}.png", alt), own is not None

    async def post_picture(self, request: Request, press: PostPicture) -> None:
        """Post a player's picture in the game's channel, in the table's language."""
        table, seat = request.table, request.seat
        if table.game is None or not table.won or table.in_dms or seat is None:
            raise SayInstead(pictures.not_over(request.language, table))
        shown, best = await self._shared(table, table.language, seat)
        place = self.bot.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        file = discord.File(BytesIO(shown.data), shown.name, description=shown.alt)
        try:
            text, quiet = pictures.posted_by(table.language, table, seat, best=best), discord.AllowedMentions.none()
            await place.send(dress(text), file=file, allowed_mentions=quiet, silent=True)
        except TROUBLE as error:
            log.info("table %s: a picture was not posted: %s", table.id, error)
            raise SayInstead(pictures.not_posted(request.language)) from None
        await request.replace(Reply(request.fall_back_on(pictures.posted(request.language))))
