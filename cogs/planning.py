"""Planning ahead: a move for the next turn, a card for the next exchange; seen by their owner alone."""

from __future__ import annotations

from bot.choosing import NoSuchPath
from bot.interactions.answers import SayInstead
from bot.interactions.commands import DogCog
from bot.interactions.hand import make_dialogue, open_hand
from bot.interactions.request import Request
from bot.plans import Case, Planned
from bot.showing.choices import PlanGo
from bot.showing.dialogue import Dialogue, DropPlans, PlanGift, PlanThis, cases_for
from bot.texts import plans, refusals
from engine import Exchange


class PlanningCog(DogCog):
    """Buttons in the hand of a player who waits."""

    async def plan(self, request: Request, press: PlanGo) -> None:
        """Look at what could be played on the board as it stands, or choose a card for the next exchange."""
        table, language = request.table, request.language
        ahead = await self._ahead(request)
        if ahead is not None:
            await request.replace(await ahead.at(press.path, "" if press.path else plans.on_top(language)))
        elif table.board.exchange is Exchange.NONE:
            raise SayInstead(plans.nothing(language))
        else:
            text = (plans.after_exchange if table.asks_for_cards else plans.only_gifts)(language)
            await request.replace((await make_dialogue(request)).gifts(text))

    async def plan_this(self, request: Request, press: PlanThis) -> None:
        table, ahead = request.table, await self._ahead(request)
        if ahead is None:
            raise NoSuchPath("no move can be planned")
        cases = cases_for(table.seats, ahead.seated.seat)
        if press.when >= len(cases):
            raise SayInstead(refusals.not_understood(request.language))
        case, about = cases[press.when]
        await self._add(request, Planned(str(ahead.chosen(press.path).action), case, about, table.moment))

    async def plan_gift(self, request: Request, press: PlanGift) -> None:
        table, cards = request.table, tuple(request.table.board.system.cards)
        if table.board.exchange is Exchange.NONE or (press.card or 0) >= len(cards):
            raise SayInstead(refusals.not_understood(request.language))
        if press.card is None:
            await request.replace((await make_dialogue(request)).gifts(""))
        else:
            await self._add(request, Planned(f"give {cards[press.card]}", Case.EXCHANGE, None, table.moment))

    async def drop(self, request: Request, press: DropPlans) -> None:
        await request.tables.planning.drop(request.table.id, request.person)
        await open_hand(request, request.table, done=plans.dropped(request.language))

    async def _add(self, request: Request, step: Planned) -> None:
        await request.tables.planning.add(request.table.id, request.person, step)
        table = await request.tables.get(request.table.id)
        await open_hand(request, table, done=plans.planned(request.language))

    async def _ahead(self, request: Request) -> Dialogue | None:
        """Return the dialogue of the user's seat as if it were their turn; None if there is no move to plan."""
        seated = request.tables.seated_ahead(request.table, request.user_id)
        if seated is None:
            return None
        return Dialogue.of(self.bot.pictures, request.language, seated, await request.preferences())
