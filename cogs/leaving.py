"""Absence and leaving: the others' choices, seats taken back or over; cancelling, leaving, resigning."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import discord

from bot.delivery.members import find_member
from bot.errors import NotPossible, Problem, TurnOver
from bot.interactions.commands import REASON, DogCog, ReasonText, command
from bot.interactions.guests import find_friend, find_playable
from bot.interactions.hand import make_dialogue
from bot.interactions.lookup import GameScope
from bot.interactions.request import Request
from bot.languages import Language
from bot.languages import mark as _
from bot.moment import Moment
from bot.occupants import StandInReason
from bot.proposal import ProposalKind
from bot.rights import Deed
from bot.showing.controls import Absent, AskCancel, LeaveLobby, Reclaim, SayNo, StandIn, TakeOver, with_no
from bot.showing.panels import Panel, Reply, Style
from bot.showing.presses import Press
from bot.table import OPEN, Status, Table
from bot.tables.absence import Remedy
from bot.tables.effects import need
from bot.tables.seating import need_seat
from bot.tables.turns import need_consent_to_cancel
from bot.texts import buttons, guild, leaving
from bot.texts.markup import plain
from bot.texts.names import MARKS, Names


class TakeOverSure(TakeOver, verb="take_over_sure"):
    """Play on for a player, after the question."""


class _Sure(Press):
    """The answer to a question about the end of the game that was asked at this point (see `Table.point`)."""

    point: Moment


class CancelSure(_Sure, verb="cancel_sure", deed=Deed.CANCEL, even_broken=True):
    """Cancel the game for everyone."""


class LeaveSure(_Sure, verb="leave_sure", deed=Deed.LEAVE_GAME):
    """Leave the user's seat for good."""


class Resign(_Sure, verb="resign", deed=Deed.RESIGN):
    """Resign the game, once the partner agrees; at once where there is no player to ask."""


class LeavingCog(DogCog):
    """Commands and buttons about absent players, coming back, and leaving a game."""

    @command("dog table nudge", _("Nudge the players you're waiting for"), Deed.NUDGE, game=GameScope.OWN)
    async def nudge(self, request: Request) -> None:
        await request.think()
        users = await request.tables.absence.nudge(request.table.id, request.person)
        table = await request.tables.get(request.table.id)
        who = Names.of(table, request.language).marked(table.owners[request.user_id])
        nudged = await self.bot.delivery.once.nudge(table, who, users)
        if nudged and table.channel_id == request.interaction.channel_id:
            # It stands right below.
            await request.done()
        else:
            await request.say(leaving.will_be_reminded(request.language, table, nudged))

    async def say_no(self, request: Request, press: SayNo) -> None:
        await request.replace(Reply(leaving.nothing_changed(request.language)))

    async def decide(self, request: Request, press: Absent) -> None:
        if press.seat is None:
            raise TurnOver
        answer = request.tables.absence.answer_absence
        table = await answer(press.table, request.person, press.seat, press.remedy, press.decision, press.waited)
        known = leaving.is_asked(request.table, press.remedy, press.seat) or table.in_dms
        asks = leaving.is_asked(table, press.remedy, press.seat)
        if (asks and not known) or (press.remedy is Remedy.WAIT and not asks and not table.in_dms):
            # The question itself, or the board's new time, appears there.
            await request.done()
        else:
            await request.say(leaving.chosen(request.language, table, press.remedy, press.seat, request.user_id))

    async def reclaim(self, request: Request, press: Reclaim) -> None:
        await self._need_return(request)
        table = await request.tables.absence.reclaim(press.table, request.person)
        done = request.fall_back_on(leaving.reclaimed(request.language, table))
        await request.send(await (await make_dialogue(request, table)).hand(done))

    async def _need_return(self, request: Request) -> None:
        """Raise `LEFT_SERVER` for one who has left the game's server, noted or not, and asks from elsewhere."""
        table, seat, user = request.table, request.seat, request.user_id
        if seat is None or table.in_dms or request.server_id == table.guild_id:
            return
        if table.occupants[seat].why is StandInReason.LEFT_GUILD:
            guild = self.bot.get_guild(table.guild_id)
            is_gone = guild is None or await find_member(guild, user) is None
        else:
            is_gone = user in await self.bot.members.find_left(table, [user])
        if is_gone:
            raise NotPossible(Problem.LEFT_SERVER)

    @command(
        "dog table friend",
        _("Let a friend play for you until you're back"),
        Deed.ASK_FRIEND,
        game=GameScope.OWN,
        friend=_("Who, if they agree"),
    )
    async def friend(self, request: Request, friend: discord.User) -> None:
        need(request.table, Status.PLAYING, Status.PAUSED)
        person, here = await find_friend(request, friend)
        table = await request.tables.friends.ask(request.table.id, request.person, person, here)
        reached = await self.bot.delivery.once.ask_friend(table, request.user_id, person.id)
        text = leaving.friend_asked(request.language, person.id, [table])
        await request.say(text if reached else leaving.friend_unreached(request.language, person.id))

    async def stand_in(self, request: Request, press: StandIn) -> None:
        """Play for the player who asked, or not; the letter that was pressed shows which."""
        language, friends = request.language, request.tables.friends
        if not press.agrees:
            await friends.stop(press.table, request.person)
            await request.replace(Reply(leaving.stood_down(language)))
            return
        playable = await find_playable(request, await friends.wanted(press.table, request.user_id))
        tables = await friends.agree(press.table, request.person, [table.id for table in playable])
        stop = StandIn(tables[0].id, agrees=False)
        panel = Panel().button(language.t(buttons.STOP_PLAYING_FOR), stop)
        await request.replace(Reply(leaving.stands_in(language, tables), panel))

    async def take_over(self, request: Request, press: TakeOver) -> None:
        await request.tables.absence.take_over(press.table, request.person, press.seat, rehearse=True)
        sure = TakeOverSure(press.table, press.seat)
        label, mark = request.language.t(buttons.YES_TAKE_OVER), MARKS[press.seat]
        panel = Panel().button(label, sure, style=Style.YES, emoji=mark)
        question = leaving.ask_take_over(request.language, request.table, press.seat)
        await request.send(Reply(question, with_no(request.language, panel)))

    async def take_over_yes(self, request: Request, press: TakeOverSure) -> None:
        table = await request.tables.absence.take_over(press.table, request.person, press.seat)
        done = request.fall_back_on(leaving.taken_over(request.language, table))
        await request.replace(await (await make_dialogue(request, table)).hand(done))

    @command("dog table cancel", _("Cancel a game, if all its players agree"), Deed.CANCEL, game=GameScope.EVEN_BROKEN)
    async def cancel(self, request: Request, press: AskCancel | None = None) -> None:
        """Ask before a game is cancelled, or its players are asked; the button is for a lobby."""
        need(request.table, *(OPEN if press is None else (Status.LOBBY,)))
        await self._ask_cancel(request)

    @command(
        "dog-admin cancel",
        _("End any game for everyone"),
        Deed.CANCEL,
        game=GameScope.EVEN_BROKEN,
        reason=REASON,
    )
    async def cancel_as_moderator(self, request: Request, reason: ReasonText = "") -> None:
        need(request.table, *OPEN)
        await self._ask_cancel(request, reason)

    async def _ask_cancel(self, request: Request, reason: str = "") -> None:
        table, language = request.table, request.language
        must_agree = need_consent_to_cancel(table, request.person, reason)
        ask = leaving.ask_to_cancel if must_agree else leaving.ask_cancel
        sure = CancelSure(table.id, table.point)
        label = language.t(buttons.YES_CANCEL, code=table.code)
        await request.confirm(guild.with_reason(ask(language, table), reason), label, sure)

    @command(
        "dog table resign",
        _("Leave a running game: a computer plays on"),
        Deed.LEAVE_GAME,
        game=GameScope.OWN,
    )
    async def leave(self, request: Request) -> None:
        table, language = request.table, request.language
        mine = need_seat(table.occupants, request.user_id)
        if table.status is Status.LOBBY:
            await request.confirm(
                leaving.ask_leave_lobby(language, table), language.t(buttons.LEAVE), LeaveLobby(table.id)
            )
            return
        text, point, teams = leaving.ask_leave_game(language, table, mine), table.point, table.board.teams
        if table.status is Status.PLAYING and len(teams) == 2 and len(table.owners) == 1:
            # For a person alone with computers the game would end by leaving, too.
            sure = Resign(table.id, point)
            await request.confirm(leaving.ask_resigning(language, table, mine), language.t(buttons.RESIGN), sure)
            return
        panel = Panel().button(language.t(buttons.YES_LEAVE), LeaveSure(table.id, point), style=Style.DANGER)
        if table.status is Status.PLAYING and len(teams) == 2:
            team = next(team for team in teams if mine in team)
            others_decide = any(table.occupants[seat].user_id in table.voices for seat in team if seat != mine)
            label = language.t(buttons.ASK_TO_RESIGN) if others_decide else language.t(buttons.RESIGN)
            panel.button(label, Resign(table.id, point), emoji="🏳️")
            text = f"{text}\n{leaving.ask_resigning(language, table, mine)}"
        await request.send(Reply(text, with_no(language, panel)))

    @command("dog table pause", _("Pause the game for a week, if the others agree"), Deed.ASK_PAUSE, game=GameScope.OWN)
    async def pause(self, request: Request) -> None:
        """Propose that the game be paused; with no one to ask, it is."""
        table = await request.tables.proposals.propose_pause(request.table.id, request.person)
        if ProposalKind.PAUSE in table.proposals:
            await request.say_asked(table, ProposalKind.PAUSE)
        else:
            await request.say(leaving.paused(request.language, table))

    @command("dog table resume", _("End a pause, if the others agree"), Deed.ASK_PAUSE, game=GameScope.OWN)
    async def resume(self, request: Request) -> None:
        """Propose that a pause end; with no one to ask, it does."""
        table = await request.tables.proposals.propose_resuming(request.table.id, request.person)
        if ProposalKind.RESUME in table.proposals:
            await request.say_asked(table, ProposalKind.RESUME)
        else:
            await request.say(guild.resumed(request.language, table))

    @command(
        "dog-admin pause",
        _("Pause a game"),
        Deed.PAUSE,
        game=GameScope.VISIBLE,
        reason=_("Reason, shown in the history"),
    )
    async def pause_as_moderator(self, request: Request, reason: ReasonText = "") -> None:
        """Pause a game; a moderator who plays it asks the others, as any player does."""
        if request.seat is not None:
            await request.allow(Deed.ASK_PAUSE)
            await self.pause(request)
            return
        table = await request.tables.moderation.pause(request.table.id, request.person, plain(reason))
        await request.say(guild.paused(request.language, table))

    @command("dog-admin resume", _("Resume a paused game"), Deed.RESUME, game=GameScope.VISIBLE)
    async def resume_as_moderator(self, request: Request) -> None:
        """Resume a game; a moderator who plays it asks the others, as any player does."""
        if request.seat is not None:
            await request.allow(Deed.ASK_PAUSE)
            await self.resume(request)
            return
        table = await request.tables.moderation.resume(request.table.id, request.person)
        said = guild.resumed_asleep if table.asleep else guild.resumed
        await request.say(said(request.language, table))

    async def sure(self, request: Request, press: CancelSure | LeaveSure | Resign) -> None:
        """End the game or the user's part in it, unless it has gone on since the question."""
        tables, person = request.tables, request.person
        match press:
            case CancelSure():
                # The reason is in the question.
                message = request.interaction.message
                reason = guild.reason_of("" if message is None or request.seat is not None else message.content)
                table = await tables.turns.cancel(press.table, person, reason, press.point)
            case LeaveSure():
                table = await tables.turns.leave_game(press.table, person, press.point)
            case Resign():
                table = await tables.proposals.propose_resigning(press.table, person, press.point)
        await request.replace(Reply(_ENDED[type(press)](request.language, table)))
        request.note_asked(table, _ASKS.get(type(press)))


_ASKS: Mapping[type[_Sure], ProposalKind] = {CancelSure: ProposalKind.CANCEL, Resign: ProposalKind.RESIGN}

_ENDED: Mapping[type[_Sure], Callable[[Language, Table], str]] = {
    CancelSure: leaving.cancelled,
    LeaveSure: leaving.left,
    Resign: leaving.resigned,
}
