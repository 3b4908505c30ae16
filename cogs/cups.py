"""Cups: `/dog cup` plans one, enters one and shows what there is; the buttons under announcements and in private."""

from __future__ import annotations

from dataclasses import replace

import discord
from discord import app_commands

from bot import rights
from bot.cup import Cup, CupPlan, CupStage, Format, is_pair
from bot.cups import published
from bot.cups.changes import is_host, takes_entries
from bot.cups.hints import find_hints
from bot.errors import CupProblem, NotInCup
from bot.guild_records import House
from bot.interactions.answers import Attachment, SayInstead
from bot.interactions.commands import REASON, DogCog, ReasonText, command
from bot.interactions.guests import check_named
from bot.interactions.permissions import allowed_at, everywhere
from bot.interactions.places import check_place
from bot.interactions.request import Request
from bot.languages import mark as _
from bot.occupants import Person, Scope
from bot.rights import Deed
from bot.showing import cup_panels
from bot.showing.panels import Reply, chosen
from bot.table import Terms
from bot.texts import buttons, cups, guild, refusals
from bot.texts.markup import plain, stack, unmarked


class CupsCog(DogCog):
    """Cups of a server."""

    @command(
        "dog cup",
        _("Enter, view or plan a cup on this server"),
        Deed.READ,
        name=_("Plan a new cup with this name"),
        partner=_("Your partner, who has to confirm"),
    )
    async def cup(
        self,
        request: Request,
        name: app_commands.Range[str, 1, 60] | None = None,
        partner: discord.User | None = None,
    ) -> None:
        if name is not None:
            await self._plan(request, plain(name))
        elif partner is not None:
            await self._ask_partner(request, partner)
        else:
            await self._show_newest(request)

    async def _plan(self, request: Request, name: str) -> None:
        """Begin to plan a cup in this channel."""
        await request.allow(Deed.OPEN_CUP)
        place = await check_place(request, request.interaction.channel, thread=True)
        if not isinstance(place, discord.TextChannel):
            raise SayInstead(cups.only_in_channels(request.language))
        settings = await request.tables.moderation.guild(request.guild_id)
        terms = replace(settings.terms(), locale=settings.locale or request.language.code)
        planned = await self.bot.cups.plan(request.person, request.guild_id, place.id, name, CupPlan(terms))
        await request.send(cup_panels.planning(request.language, planned))

    async def change_plan(self, request: Request, press: cup_panels.PlanCup) -> None:
        houses = tuple[House, ...]()
        if press.topic is cup_panels.PlanPart.HOUSE:
            houses = await request.tables.moderation.houses(request.guild_id)

        def change(cup: Cup) -> Cup:
            after = chosen(cup_panels.list_choices(request.language, cup, press.topic, houses), press.value)
            if after is None:
                raise SayInstead(refusals.not_understood(request.language))
            return after

        cup = await self.bot.cups.change_plan(press.cup, request.person, request.guild_id, change)
        await request.replace(cup_panels.planning(request.language, cup))

    async def choose_house(self, request: Request, press: cup_panels.PlanHouse) -> None:
        houses = await request.tables.moderation.houses(request.guild_id)
        cup = await self.bot.cups.change_plan(press.cup, request.person, request.guild_id, lambda cup: cup)
        await request.replace(cup_panels.choosing_house(request.language, cup, houses))

    async def open(self, request: Request, press: cup_panels.OpenCup) -> None:
        cup = await self.bot.cups.open(press.cup, request.person, request.guild_id)
        await self._show(request, cup, instead=True)

    async def _ask_partner(self, request: Request, partner: discord.User) -> None:
        """Enter the cup of pairs that takes entries with a partner, who is asked in its channel."""
        await request.allow(Deed.ASK_PARTNER)
        open_cups = [cup for cup in await self._seen(request) if takes_entries(cup)]
        pairs = [cup for cup in open_cups if cup.plan.format is Format.PAIRS]
        entered = [cup for cup in pairs if cup.entry_of(request.user_id) is not None]
        if not pairs:
            raise SayInstead(cups.no_pairs_here(request.language))
        if len(pairs) > 1 and len(entered) != 1:
            raise SayInstead(cups.which_cup(request.language))
        named = check_named(request, partner)
        if not named:
            raise NotInCup(CupProblem.NOT_YOURSELF)
        if not rights.may_play(named[0], await request.tables.moderation.guild(request.guild_id)):
            raise NotInCup(CupProblem.PARTNER_BARRED)
        await self._check_willing(request, (entered or pairs)[0], named[0])
        await self._enter_with(request, (entered or pairs)[0].id, named[0])

    async def _check_willing(self, request: Request, cup: Cup, partner: Person) -> None:
        """Raise `PARTNER_UNWILLING` for one who wants no invitations, unless they have asked the user themselves."""
        theirs = cup.entry_of(partner.id)
        has_asked = theirs is not None and theirs.asked == request.user_id
        if not has_asked and await request.tables.users.find_uninvited([partner.id]):
            raise NotInCup(CupProblem.PARTNER_UNWILLING)

    async def _enter_with(self, request: Request, cup_id: int, partner: Person) -> None:
        """Enter with a partner: ask them, or say that both are a pair now."""
        language, person = request.language, request.person
        before = (await self.bot.cups.get(cup_id, request.guild_id)).entry_of(person.id)
        cup = await self._enter(request, cup_id, partner)
        mine = cup.entry_of(person.id)
        assert mine is not None, "they have just entered"
        self.bot.cup_runner.refresh(cup)
        if is_pair(cup.entries, mine):
            await request.say(cups.paired(language, cup, (mine.number, mine.partner or 0)))
            return
        await request.think()
        # Asking the same player again says nothing new to them; one who has blocked this player is not told.
        reached = await request.tables.users.without_blockers(person.id, [partner.id])
        again = not reached or (before is not None and before.asked == partner.id)
        is_asked = again or await self.bot.cup_runner.ask_partner(cup, mine, partner.id)
        await request.say((cups.asked_partner if is_asked else cups.could_not_ask)(language))

    async def _enter(self, request: Request, cup_id: int, partner: Person | None = None) -> Cup:
        cup = await self.bot.cups.get(cup_id, request.guild_id)
        if not await _can_see(request, cup):
            raise NotInCup(CupProblem.GONE)
        outside = everywhere(request.interaction).name
        return await self.bot.cups.enter(cup_id, request.person, request.guild_id, partner, outside)

    async def partner_yes(self, request: Request, press: cup_panels.PartnerYes) -> None:
        """Become a player's partner: both must have said so, whatever the button says."""
        cup = await self.bot.cups.get(press.cup, request.guild_id)
        asker = cup.entry_of(press.asker)
        if press.asked != request.user_id or asker is None or asker.asked != request.user_id:
            raise SayInstead(cups.not_asked(request.language))
        await self._enter_with(request, cup.id, Person(asker.user_id, asker.name))

    async def enter(self, request: Request, press: cup_panels.EnterCup) -> None:
        cup = await self._enter(request, press.cup)
        self.bot.cup_runner.refresh(cup)
        await self._show(request, cup, instead=True)

    async def leave(self, request: Request, press: cup_panels.LeaveCup) -> None:
        cup = await self.bot.cups.leave(press.cup, request.person, request.guild_id)
        self.bot.cup_runner.refresh(cup)
        said = cups.left_later if cup.stage is CupStage.RUNNING and not cup.plan.is_ladder else cups.left
        await request.replace(Reply(said(request.language)))

    async def show(self, request: Request, press: cup_panels.ShowCup) -> None:
        await self._show(request, await self._of_guild(request, press.cup), instead=True)

    async def standings(self, request: Request, press: cup_panels.ShowStandings) -> None:
        cup = await self._of_guild(request, press.cup)
        language, prefers = request.language, await request.preferences()
        await request.think()
        lines = await self.bot.cups.standings(cup)
        text = cups.standings(language, cup, lines)
        if prefers.in_words or not lines:
            await request.say(text)
            return
        picture, alt = await self.bot.cup_runner.standings(cup, lines, language, prefers.look(Terms().theme))
        await request.send(Reply(text, None, picture, alt))

    async def save_draws(self, request: Request, press: cup_panels.SaveDraws) -> None:
        cup, language = await self._of_guild(request, press.cup), request.language
        if not cup.seed:
            raise NotInCup(CupProblem.NOT_RUNNING)
        await request.think()
        text = cups.draws(language)
        await request.attach(text, Attachment(published.write(cup).encode(), f"cup-{cup.id}.json", unmarked(text)))

    async def start(self, request: Request, press: cup_panels.StartCup) -> None:
        await self.bot.cups.begin_now(press.cup, request.person, request.guild_id)
        await request.replace(Reply(cups.started(request.language)))

    async def extend(self, request: Request, press: cup_panels.ExtendRound) -> None:
        await self.bot.cups.extend(press.cup, request.person, request.guild_id)
        await request.replace(Reply(cups.extended(request.language)))

    async def repeat(self, request: Request, press: cup_panels.RepeatLadder) -> None:
        cup = await self.bot.cups.repeat(press.cup, request.person, request.guild_id, again=press.again)
        self.bot.cup_runner.refresh(cup)
        await self._show(request, cup, instead=True)

    @command(
        "dog-admin cup",
        _("End the cup in this channel"),
        Deed.RUN_CUP,
        reason=REASON,
    )
    async def cancel_played(self, request: Request, reason: ReasonText) -> None:
        """Ask before a cup that is played is cancelled."""
        here, language = request.interaction.channel_id, request.language
        running = [cup for cup in await self._seen(request) if cup.stage is CupStage.RUNNING and cup.channel_id == here]
        if not running:
            raise SayInstead(cups.no_cup_here(language))
        sure = cup_panels.CancelCup(0, running[0].id, True)
        question = stack(cups.title(running[0]), cups.ask_cancel(language))
        await request.confirm(guild.with_reason(question, reason), language.t(buttons.YES_CANCEL_CUP), sure)

    async def cancel(self, request: Request, press: cup_panels.CancelCup) -> None:
        language = request.language
        if not press.sure:
            label, sure = language.t(buttons.YES_CANCEL_CUP), cup_panels.CancelCup(0, press.cup, True)
            await request.confirm(cups.ask_cancel(language), label, sure, instead=True)
            return
        # The reason for ending a cup that is played is in the question.
        message = request.interaction.message
        reason = guild.reason_of("" if message is None else message.content)
        cup = await self.bot.cups.cancel(press.cup, request.person, request.guild_id, reason)
        self.bot.cup_runner.refresh(cup)
        await request.replace(Reply(cups.cancelled(language)))

    async def decide(self, request: Request, press: cup_panels.DecideTable) -> None:
        if press.value is None:
            raise SayInstead(refusals.not_understood(request.language))
        game, team = divmod(press.value, 10)
        won = None if team == cup_panels.NO_TEAM else team
        await self.bot.cups.decide(press.cup, request.person, request.guild_id, game, won)
        await request.replace(Reply(cups.table_decided(request.language)))

    async def _show_newest(self, request: Request) -> None:
        """Show what the person plans, or the cup they are in, or the newest."""
        seen = await self._seen(request)
        draft = await self.bot.cups.draft_of(request.person, request.guild_id)
        if draft is not None:
            await request.send(cup_panels.planning(request.language, draft))
            return
        if not seen:
            may = await self.bot.cups.may_open(request.person, request.guild_id)
            language = request.language
            await request.say(stack(cups.none_here(language), cups.how_to_open(language) if may else ""))
            return
        mine = [cup for cup in seen if cup.is_open and cup.entry_of(request.user_id) is not None]
        await self._show(request, (mine or seen)[0])

    async def _show(self, request: Request, cup: Cup, *, instead: bool = False) -> None:
        """Show a cup in private, with what this person can do; `instead`: in place of the private message pressed."""
        cup = await self.bot.cups.played(cup)
        language, person, mine = request.language, request.person, cup.entry_of(request.user_id)
        games = await self.bot.cups.games(cup)
        places = {} if mine is None else await self.bot.cup_runner.places(cup, mine.number)
        others = [other for other in await self._seen(request) if other.id != cup.id]
        moderates = Scope.MODERATE_GUILD in person.moderates
        panel = cup_panels.in_private(language, cup, mine, others, games, runs=is_host(cup, person), decides=moderates)
        text = cups.view(language, cup, mine, places)
        if is_host(cup, person) and (refused := self.bot.cup_runner.refused(cup)) is not None:
            text = stack(cups.not_posted(language, cup, refused), text)
            await self.bot.cup_runner.try_again(cup)
        if moderates and mine is None:
            text = stack(text, cups.hints(language, cup, find_hints(cup)))
        reply = Reply(text, panel or None)
        await (request.replace(reply) if instead else request.send(reply))

    async def _of_guild(self, request: Request, cup_id: int) -> Cup:
        """Return a cup of this server that is announced where the person can see it. Raises `GONE`."""
        cup = await self.bot.cups.get(cup_id, request.guild_id)
        if cup.stage is CupStage.DRAFT or not await _can_see(request, cup):
            raise NotInCup(CupProblem.GONE)
        return cup

    async def _seen(self, request: Request) -> list[Cup]:
        """Return the cups of this server that the person can see."""
        return [cup for cup in await self.bot.cups.of_guild(request.guild_id) if await _can_see(request, cup)]


async def _can_see(request: Request, cup: Cup) -> bool:
    """Return True if a person can see a cup's channel, or all could before it was deleted, or they are in the cup."""
    mine = cup.entry_of(request.user_id) is not None
    return mine or cup.was_public or (await allowed_at(request.interaction, cup.channel_id)).sees
