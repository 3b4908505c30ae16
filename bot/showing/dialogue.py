"""The private dialogue of a seat: the hand, the questions that lead to one action, a preview, and Play.

Pure composition: a table and a path go in, a `Reply` comes out (text, one picture, a panel); the caller sends it, as an
ephemeral answer, an edit or a direct message. Nothing is remembered between two presses; the panel's custom ids carry
the answers so far as small numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from bot.choosing import Asks, Decided, NoSuchPath, Question, choose, path_to
from bot.errors import Busy
from bot.languages import Language
from bot.moment import Moment
from bot.plans import EVENTS, Case, Plan
from bot.preferences import IN_WORDS, Preferences
from bot.rights import Deed
from bot.showing.choices import BUTTONS, Choice, Choices, OfDecision, PlanGo, PlayNow
from bot.showing.controls import (
    ShowHand,
    ShowHistory,
    ShowReview,
    ShowText,
    history_button,
    reclaim_button,
    talk_button,
    undo_button,
)
from bot.showing.paging import TURN, nearest, pages, split_page
from bot.showing.panels import A_ROW, MENU_LIMIT, ROWS, Button, Link, Panel, Reply, Style, line
from bot.showing.pictures import Held, Labels, Pictures
from bot.showing.presses import Press
from bot.table import SeatTable, Status, Table
from bot.texts import buttons, dialogue, plans, positions, refusals
from bot.texts.markup import ALT_LIMIT, MESSAGE_LIMIT, bold, fit, small, stack, unmarked
from bot.texts.names import Names, capital, card_label, round_name
from bot.texts.public import boards
from bot.texts.public.boards import overdue_lines
from bot.texts.teaching.rules import page_of
from engine import Action, ActionKind, Entry, Exchange, Phase, Preview, Step, StepKind, View

SHORT = 45
"""An answer with more characters than this is easier to read in a menu than on a button."""

MENUS = 3
"""The most menus on a page of answers: buttons need the other rows."""

MOST_ARROWS = 25
"""With more ways than this, none is drawn: they could not be told apart."""

WHOLE = 500
"""Added to the numbers of the pages that tell the whole board after a move."""

A_PAGE = MESSAGE_LIMIT - 50
"""The most characters on one of several pages, without its number."""

MOST_REASONS = 1_200
"""The most characters of reasons why cards cannot be played."""

InWords = Callable[[int], str]
"""Tells a board in words, in the long form if that has at most this many characters."""


class AskWhy(OfDecision, verb="why", deed=Deed.HAND):
    """Say why the other cards of the hand cannot be played."""


class PlanThis(OfDecision, verb="plan", deed=Deed.PLAN, menu="when"):
    """Plan the action at the end of a path; `when`: the case, by its index in `cases_for`."""

    when: int = 0
    path: tuple[int, ...] = ()

    def check(self, table: Table, user_id: int) -> None:
        """Raise `NoSuchPath` if the game has moved on."""
        if table.moment != self.decision:
            raise NoSuchPath("the game has moved on from this plan")


class PlanGift(Press, verb="plan_gift", deed=Deed.PLAN, menu="card"):
    """Plan a card for the next exchange, by its index among those of the game."""

    card: int | None = None


class DropPlans(Press, verb="drop_plans", deed=Deed.PLAN):
    """Drop what is planned."""


def cases_for(seats: Iterable[int], seat: int) -> tuple[tuple[Case, int | None], ...]:
    """Return the cases in which a plan for a turn can be carried out, with the seats that they are about."""
    others = [(case, other) for other in seats if other != seat for case in EVENTS]
    return ((Case.ANY, None), (Case.UNTOUCHED, None), *others)


class AskHint(OfDecision, verb="hint", deed=Deed.HINT):
    """Say what a computer player would do, and why."""

    def check(self, table: Table, user_id: int) -> None:
        """Leave it to `Hints.hint`, which has reasons of its own, besides that the game has moved on."""


_CALM = (AskWhy, AskHint, ShowHistory)
"""The presses of a hand that only tell its player something."""


@dataclass(frozen=True, slots=True)
class Said:
    """The contents of a step: lines, a picture or a board in words, and a panel for each page of answers."""

    lines: Sequence[str]
    panels: Sequence[Panel]
    picture: bytes | None = None
    alt: str = ""
    board: InWords | None = None


@dataclass(frozen=True, slots=True)
class HandNews:
    """The news of a hand since its player acted, and if that can be taken back."""

    since: Sequence[Entry] = ()
    """The actions since the player acted."""
    told: Sequence[str] = ()
    """The same in words."""
    happened: Sequence[str] = ()
    """Sentences about what happened to the hand since then, and what others did after that."""
    acted: str = ""
    """Their own action before, if moves were played for them since."""
    folded: Sequence[str] = ()
    """The cards laid down since then, because none could be played."""
    drawn: Sequence[str] = ()
    """The cards drawn since then, which are marked."""
    exchanged: bool = False
    """True if cards have changed hands since then, which is told even if the hand has been laid down."""
    plan: Plan | None = None
    """The plans of the player, at a table where that is possible."""
    undoable: bool = False
    """True with an offer to take the last action back."""

    def is_next_turn_of(self, seated: SeatTable) -> bool:
        """Return True if it is the player's next turn already, and nothing is told of what others did in between."""
        is_turn = seated.decision is not None and seated.game.view.phase is Phase.TURN
        others = any(entry.seat != seated.seat for entry in self.since)
        return is_turn and others and not self.told and not self.happened


@dataclass
class Dialogue:
    """Makes the replies for a seat at a table, in one language. Nothing of it is changed once it is made."""

    pictures: Pictures
    language: Language
    seated: SeatTable
    theme: str
    as_public: bool = False
    """True if boards are turned as in public."""
    in_dm: bool = False
    """True in a direct message, which has the board above the hand, the board's buttons, and a link to it."""
    is_owner: bool = True
    """True for the owner of the seat, False for a friend who plays it."""
    named: bool = False
    """True if they may not know which game it is: a command asked for it, or other hands of theirs are open."""
    news: HandNews = field(default_factory=HandNews)
    called: bool = False
    """True if the line above names the game and says that it is their turn."""
    again: bool = False
    """True if the line above says what they did in their turn before."""

    def __post_init__(self) -> None:
        self._table, self._seat, self._game = self.seated.table, self.seated.seat, self.seated.game
        self._view = self._game.view
        self._decision = self.seated.decision

    @cached_property
    def _choices(self) -> Choices:
        return Choices(self.language, self.seated)

    @property
    def _names(self) -> Names:
        return self._choices.speaker.names

    @property
    def _made_for(self) -> Moment:
        return self._choices.made_for

    @staticmethod
    def of(
        pictures: Pictures,
        language: Language,
        seated: SeatTable,
        prefers: Preferences,
        *,
        in_dm: bool = False,
        is_owner: bool = True,
        named: bool = False,
    ) -> Dialogue:
        """Return the dialogue of the player on a seat, in the theme they prefer."""
        theme = prefers.theme or seated.table.terms.theme
        return Dialogue(pictures, language, seated, theme, prefers.as_public, in_dm, is_owner, named)

    async def hand(self, note: str = "", above: str = "") -> Reply:
        """Return the seat's hand, and what can be done with it now, with `note`; `above`: a sentence above it all."""
        return await self.at((), note, above)

    async def after(self, note: str = "", above: str = "") -> Reply:
        """Return the hand right after an action, with no button that acts where *Play* has just been pressed."""
        reply = await self.hand(note, above)
        items = [] if reply.panel is None else reply.panel.items
        acts = any(isinstance(item, Button) and isinstance(item.press, PlayNow) for item in items[:A_ROW])
        if not acts or len(self._view.legal) == 1:
            # Their only action is lost to no one.
            return reply
        calm = Panel()
        telling = (item for item in items if isinstance(item, Button) and isinstance(item.press, _CALM))
        calm.items += [replace(item, row=0) for item in telling][:A_ROW]
        if not calm.items:
            history_button(calm, self.language, self._table, row=0)
        others = [item for item in items if isinstance(item, Link) or replace(item, row=0) not in calm.items]
        for number, item in enumerate(others):
            calm.items.append(item if isinstance(item, Link) else replace(item, row=1 + number // A_ROW))
        return replace(reply, panel=calm)

    async def at(self, path: Sequence[int], note: str = "", above: str = "") -> Reply:
        """Return the dialogue after the answers in `path`, on the page to which it turns.

        Raises NoSuchPath if it belongs to other legal actions.
        """
        answers, page = split_page(path)
        whole = page is not None and page >= WHOLE and self._is_preview(answers)
        said = self._whole(answers) if whole else await self._compose(answers)
        lines = list(said.lines)
        if self.again and lines and not answers and not self._is_preview(()):
            # Otherwise it could be taken for this turn's move.
            above = f"{above} · {lines.pop(0)}"
        said = replace(said, lines=self._headed(lines, answers))
        reply = self._on_page(said, answers, page, note, above, first=WHOLE if whole else 0)
        panel = reply.panel if reply.panel is not None else Panel()
        if self._has_hints and not answers:
            panel.button(self.language.t(buttons.HINT), AskHint(self._table.id, self._made_for), emoji="💡")
        if self.seated.ahead and not answers:
            panel.button(self.language.t(buttons.BACK), ShowHand(self._table.id), emoji="↩️")
            if self._table.board.exchange is not Exchange.NONE:
                panel.button(self.language.t(buttons.PLAN_GIFT), PlanGift(self._table.id))
        if self.news.undoable and not answers:
            undo_button(panel, self.language, self._table, self._seat)
        if self._in_words and not whole:
            self._add_board(panel, answers)
        if self.in_dm:
            if not answers:
                history_button(panel, self.language, self._table)
                if self.is_owner:
                    talk_button(panel, self.language, self._table)
            if not self._table.in_dms:
                panel.link(self.language.t(buttons.TO_BOARD), boards.board_link(self._table))
        return replace(reply, panel=panel)

    @property
    def _has_hints(self) -> bool:
        can_choose = len(self._view.legal) > 1 or bool(self._choices.offered.unlisted)
        return self._table.hints and self._is_asked and can_choose and not self.seated.ahead

    @property
    def _is_asked(self) -> bool:
        return self.seated.ahead or (self._decision is not None and self._seat in self._table.to_act)

    def _is_preview(self, path: tuple[int, ...]) -> bool:
        """Return True if a path leads to what an action changes."""
        return self._is_asked and isinstance(choose(self._choices.offered, path), Decided)

    async def _compose(self, path: tuple[int, ...]) -> Said:
        if not self._is_asked:
            return await self._waiting()
        step = choose(self._choices.offered, path)
        if isinstance(step, Decided):
            return await self._confirm(self._choices.as_chosen(step))
        return await self._question(step)

    def _whole(self, path: tuple[int, ...]) -> Said:
        """Return the whole board in words after the action at the end of a path. Raises NoSuchPath."""
        after = self._choices.preview_of(self.chosen(path).chosen_as).placement
        back = Panel().button(self.language.t(buttons.BACK), self._choices.go(path), emoji="↩️")
        view, heading = replace(self._view, pieces=after), self._heading
        return Said(
            [],
            [back],
            board=lambda room: positions.board(
                self.language, self._table, view, (), room=room, heading=heading, only_pieces=True
            ),
        )

    def _add_board(self, panel: Panel, answers: tuple[int, ...]) -> None:
        """Add the button for the whole board in words: in a preview the one after the move."""
        after, now = self._choices.go((*answers, TURN + WHOLE)), ShowText(self._table.id)
        press = after if self._is_preview(answers) else now
        panel.button(self.language.t(buttons.WHOLE_BOARD), press, emoji="📝")

    @property
    def _heading(self) -> str:
        """The heading of what an action changes, in words."""
        return (positions.after_plan if self.seated.ahead else positions.after_move)(self.language)

    def _on_page(
        self, said: Said, answers: tuple[int, ...], page: int | None, note: str, above: str, *, first: int
    ) -> Reply:
        """Return a page with buttons to the others; `note` and `above` only before any page is turned.

        `first`: the number of the first page.
        """
        page = None if page is None else page - first
        whole = self._text(said, note, above)
        if not page and len(whole) <= MESSAGE_LIMIT and len(said.panels) == 1:
            return Reply(whole, said.panels[0], said.picture, said.alt)
        texts, panels = pages(self._text(said), A_PAGE), said.panels
        count = max(len(texts), len(panels))
        number = nearest(page or 0, count)
        text, further = texts[min(number, len(texts) - 1)], number + 1
        if page is None and (once := stack(above, note)):
            text, further = (joined, 1) if len(joined := stack(once, text)) <= A_PAGE else (once, 0)
        panel = panels[min(number, len(panels) - 1)]
        press, language = self._choices.go, self.language
        earlier = press((*answers, TURN + first + max(number - 1, 0)))
        later = press((*answers, TURN + first + min(further, count - 1)))
        panel.button(language.t(buttons.PAGE_BACK), earlier, emoji="◀️", disabled=not number)
        panel.button(language.t(buttons.PAGE_ON), later, emoji="▶️", disabled=further == count)
        numbered = small(page_of(language, number, count)) if further else ""
        return Reply(stack(text, numbered), panel, said.picture, said.alt)

    def _text(self, said: Said, note: str = "", above: str = "") -> str:
        """Return the whole text, without buttons."""
        told = stack(above, note, *said.lines)
        return told if said.board is None else stack(told, said.board(MESSAGE_LIMIT - len(told) - 1))

    async def suggested(self, action: Action, reason: str) -> Reply:
        """Return the end of the path to a suggested action, from where *Back* leads to the hand.

        Raises NoSuchPath if it is not allowed (any more).
        """
        path = path_to(self._choices.offered, action)
        reply, back = await self.at(path, reason), self._choices.go(self._choices.before(path))
        items, hand = [] if reply.panel is None else reply.panel.items, self._choices.go(())
        items = [
            replace(item, press=hand) if isinstance(item, Button) and item.press == back else item for item in items
        ]
        return replace(reply, panel=Panel(items))

    def chosen(self, path: Sequence[int]) -> Decided:
        """Return the action at the end of `path`. Raises NoSuchPath if a question is still open there."""
        step = choose(self._choices.offered, path)
        if isinstance(step, Question):
            raise NoSuchPath("there is still a question open")
        return self._choices.as_chosen(step)

    async def why(self) -> Reply:
        """Return the hand with the reasons why its other cards cannot be played, as many as there is room for."""
        alike: dict[tuple[str, ...], list[str]] = {}
        for card in dict.fromkeys(self._view.hand or ()):
            if card not in self._playable():
                why = refusals.in_words(self.language, self._names, self._seat, self._game.why_not(card))
                alike.setdefault(tuple(why), []).append(card)
        told = (refusals.why_not(self.language, cards, why) for why, cards in alike.items())
        # The empty line keeps what follows out of the list.
        return await self.hand(f"{fit(told, MOST_REASONS)}\n")

    async def _waiting(self) -> Said:
        view, language = self._view, self.language
        lines = [*self._news(()), *(overdue_lines(language, self._table) if self._table.in_dms else ())]
        lines.append(boards.waiting_line(language, self._table, view))
        panel = Panel()
        if not self._table.is_open:
            # The cards that are left mean nothing any more.
            if self._table.status is Status.OVER:
                panel.button(language.t(buttons.REVIEW), ShowReview(self._table.id), emoji="📈")
            return Said(lines, [panel])
        who = self._table.occupants[self._seat]
        if self.news.plan is not None and who.plays is not None and self._table.status is Status.PLAYING:
            lines += [plans.plan_line(language, self._names, step) for step in self.news.plan.steps]
            if view.hand:
                panel.button(language.t(buttons.PLAN), PlanGo(self._table.id, self._table.moment), emoji="📌")
            elif self._table.board.exchange is not Exchange.NONE:
                # Out of the round, there is no move to plan.
                panel.button(language.t(buttons.PLAN_GIFT), PlanGift(self._table.id), emoji="📌")
            if self.news.plan.steps:
                panel.button(language.t(buttons.DROP_PLANS), DropPlans(self._table.id))
        if self.is_owner and who.may_reclaim and self._table.is_open:
            reclaim_button(panel, language, self._table)
        return await self._with_hand(lines, [panel], playable=None)

    async def _question(self, question: Question) -> Said:
        done = self._choices.done(question)
        left, letters = self._choices.left(question), self._choices.letters
        line = dialogue.question_line(self._choices.speaker, question, left, letters)
        lines = [*self._news(question.path), line]
        if question.asks is Asks.CARD:
            kind = question.answers[0].actions[0].kind
            if (self.called or len(lines) > 1) and kind is ActionKind.PLAY and self._view.phase is Phase.TURN:
                # The line above asks that, or the moves below the news do.
                lines.pop()
            return await self._with_hand(lines, [self._card_panel(question)], self._playable())
        choices = _in_order(self._choices.answers(question))
        panels = self._answer_panels(question, choices, line)
        if question.asks not in (Asks.PIECE, Asks.MOVE):
            return await self._with_hand(lines, panels, self._playable())
        after = self._choices.after(done)
        ways = self._choices.ways(question)
        spots = self._choices.spots(question, ways)
        named = "" if question.named is None else f":{question.named}"
        shown = [step for step in ways if step.kind is not StepKind.OUT] if question.asks is Asks.MOVE else []
        if len(shown) > MOST_ARROWS:
            shown = []
        below = self._below(question.path, self._playable())
        card = f"{question.card}{named}"
        picture = await self._preview(card=card, preview=after, labels=spots, ways=shown, below=below)
        hand = [] if question.path else [dialogue.hand_line(self.language, self._view.hand or ())]
        if picture is None:
            lines += hand
            if after is None:
                return Said(lines, panels, board=self._choosing(self._view, spots))
            view = replace(self._view, pieces=after.placement)
            return Said(lines, panels, board=self._choosing(view, spots, positions.so_far(self.language)))
        told = (choice.text if choice.text.endswith("…") else f"{choice.text}." for choice in choices)
        return Said(lines, panels, picture, fit((line, *told, *hand), ALT_LIMIT, " "))

    async def _confirm(self, end: Decided) -> Said:
        language, action = self.language, end.chosen_as
        preview = self._choices.preview_of(action)
        line, label = dialogue.confirm_line(self._choices.speaker, action, preview), language.t(buttons.CONFIRM)
        if action.parts:
            label = language.t(buttons.PLAY)
        elif action.kind is ActionKind.FOLD:
            why = (reason for card in dict.fromkeys(self._view.hand or ()) for reason in self._game.why_not(card))
            cards = self._view.board.system.cards
            line = refusals.nothing_to_play(language, self._names, self._seat, cards, why, self._view.round)
            label = dialogue.kind_label(language, action.kind, preview)
        lines = [*self._news(end.path), line, *([plans.asked(language)] if self.seated.ahead else [])]
        panel = (
            self._plan_panel(end.path)
            if self.seated.ahead
            else Panel().button(
                label,
                PlayNow(self._table.id, self._made_for, end.path),
                style=Style.DANGER if dialogue.is_harmful(self._choices.speaker, preview.steps) else Style.YES,
            )
        )
        self._add_ways(panel, end.path, action.card)
        if not preview.steps:
            return await self._with_hand(lines, [panel], {action.card} if action.card else set())
        named = "" if action.named is None else f":{action.named}"
        card = f"{action.card}{named}" if action.card else None
        below = self._below(end.path, {action.card} if action.card else set())
        picture = await self._preview(card=card, preview=preview, below=below)
        hand = [] if end.path else [dialogue.hand_line(language, self._view.hand or ())]
        if picture is None:
            lines += hand
            return Said(lines, [panel], board=self._changed(preview, self._heading))
        return Said(lines, [panel], picture, fit(unmarked(" ".join((line, *hand))).split(" "), ALT_LIMIT, " "))

    async def _preview(
        self,
        *,
        card: str | None = None,
        preview: Preview | None = None,
        labels: Labels | None = None,
        ways: Sequence[Step] = (),
        below: Held | None = None,
    ) -> bytes | None:
        """Draw the board as it would be, or with what there is to choose from; None if it is told in words.

        `below`: the hand to draw below it.
        """
        if self._in_words:
            return None
        try:
            return await self.pictures.preview(
                self._table,
                self._view,
                self.language,
                self.theme,
                turned=None if self.as_public else self._seat,
                card=card,
                preview=preview,
                labels=labels,
                ways=ways,
                below=below,
            )
        except Busy:
            # Too many pictures are being waited for, or it cannot be drawn.
            return None

    @property
    def _in_words(self) -> bool:
        """Return True if the player wants words instead of pictures."""
        return self.theme == IN_WORDS

    def _choosing(self, view: View, spots: positions.Spots, heading: str = "") -> InWords:
        """Return the board in words, without the `spots` of a picture; `view`: after the parts chosen so far."""
        return partial(positions.choosing, self.language, self._table, view, heading=heading)

    def _changed(self, preview: Preview, heading: str) -> InWords:
        """Return in words what an action changes; the whole board is behind a button."""
        return lambda _room: positions.changed(self.language, self._table, self._view, preview, heading)

    def _news(self, path: Sequence[int]) -> list[str]:
        """Return what has happened to the hand since the player acted, told when it is opened."""
        if path:
            return []
        view, told = self._view, list[str]()
        if not self._table.is_open:
            # The last board tells it.
            return []
        if (self._received() or self.news.exchanged) and view.gave is not None and view.got is not None:
            told.append(self._exchanged(view.gave, view.got))
        # The moves of a round come after its exchange.
        has_moved = not self._received() and any(entry.kind is ActionKind.PLAY for entry in self.news.since)
        told = [*told, *self.news.told] if has_moved else [*self.news.told, *told]
        told += self.news.happened
        if self.news.drawn:
            told.append(dialogue.drawn_line(self.language, self.news.drawn))
        return told

    def _exchanged(self, gave: str, got: str) -> str:
        """Return what an exchange brought."""
        to, giver = self._choices.speaker.to, self._names.marked(dialogue.giver(self._table, self._seat))
        tell = dialogue.help_line if self._view.board.exchange is Exchange.ASK else dialogue.exchange_line
        return tell(self.language, gave, got, to, giver)

    def _received(self) -> frozenset[str]:
        """Return the card from the exchange, until the player has played a card from this hand."""
        view = self._view
        return frozenset((view.got,)) if view.got and len(view.hand or ()) == view.dealt else frozenset()

    def _playable(self) -> set[str]:
        return {action.card for action in self._view.legal if action.card}

    def _headed(self, lines: Sequence[str], answers: Sequence[int]) -> Sequence[str]:
        """Return the lines of a hand, headed by what it belongs to; more in a direct message, with no board above."""
        if answers or self.called:
            return lines
        if self.in_dm:
            return [boards.title(self.language, self._table, self._view), *lines]
        heads = [bold(self._table.code)] if self.named or not (lines or self.again) else []
        has_news = bool(self.news.told or self.news.happened)
        if self._in_words and self._is_asked and self._view.phase is Phase.EXCHANGE:
            # Elsewhere the board above says it.
            heading = round_name(self.language, self._view.round, self._table.cap)
            if has_news:
                # What has happened belongs to the round before.
                count = len(self._news(()))
                lines = [*lines[:count], heading, *lines[count:]]
            else:
                heads.append(heading)
        if has_news:
            # What has happened may begin with a round of its own.
            return [" · ".join(heads), *lines] if heads else lines
        return [" · ".join((*heads, *lines[:1])), *lines[1:]]

    def _held(self, playable: set[str] | None) -> Held:
        """Return the hand as it is drawn; `playable`: the cards that are not dimmed (None: all are)."""
        marked = frozenset(self.news.drawn) or self._received()
        return Held(self._view.hand or (), playable, self._view.board.system.cards, marked, self.news.folded)

    def _below(self, path: Sequence[int], playable: set[str]) -> Held | None:
        """Return the hand to draw below a board: where the way begins with it, since there is only one card or move."""
        return None if path or not self._view.hand else self._held(playable)

    async def _with_hand(self, lines: list[str], panels: list[Panel], playable: set[str] | None) -> Said:
        hand = self._view.hand or ()
        told = dialogue.hand_line(self.language, hand)
        standing = partial(positions.standing, self.language, self._table, self._view)
        if self._in_words:
            return Said([*lines, told], panels, board=standing)
        if not (hand or self.news.folded):
            return Said([*lines, told], panels)
        board = (self._table, self._view, self.news.since, self.language, None if self.as_public else self._seat)
        above = board if self.in_dm else None
        try:
            picture = await self.pictures.hand(self._held(playable), self.theme, above=above)
        except Busy:
            # The cards are named in the text as well and, where no board is above, the pieces.
            return Said([*lines, told], panels, board=standing if self.in_dm else None)
        if above is not None:
            told = (
                f"{told} "
                f"{positions.alt(self.language, self._table, self._view, self.news.since, ALT_LIMIT - len(told) - 1)}"
            )
        return Said(lines, panels, picture, told)

    def _card_panel(self, question: Question) -> Panel:
        """Return buttons for what can be played, and for why the other cards cannot be."""
        panel = self._add_buttons(Panel(), self._choices.cards(question))
        self._add_why(panel)
        self._add_back(panel, question.path)
        return panel

    def _answer_panels(self, question: Question, choices: Sequence[Choice], hint: str) -> list[Panel]:
        """Return buttons for the answers; menus if they are many or long, each for a piece if there are few pieces.

        What does not fit into the menus of one message goes on other pages.
        """
        single = all(choice.press.path[:-1] == question.path for choice in choices)
        if len(choices) <= BUTTONS and not (single and any(len(choice.text) > SHORT for choice in choices)):
            panels = [self._add_buttons(Panel(), choices)]
        else:
            groups: dict[object, list[Choice]] = {}
            for choice in choices:
                groups.setdefault(choice.group, []).append(choice)
            # The pages of a board in words have buttons too.
            fits = len(groups) < ROWS - self._in_words and all(len(group) <= MENU_LIMIT for group in groups.values())
            most = MENUS * MENU_LIMIT
            parts = [choices[first : first + most] for first in range(0, len(choices), most)]
            press, panels = self._choices.go(question.path), []
            for some in [list(groups.values())] if fits else [[part] for part in parts]:
                panel = Panel()
                for group in some:
                    lines = [line(choice.text, choice.press.path[-1], emoji=choice.sign) for choice in group]
                    panel.menu(hint, press, lines)
                panels.append(panel)
        for panel in panels:
            self._add_ways(panel, question.path, question.card)
        return panels

    def _add_buttons(self, panel: Panel, choices: Iterable[Choice]) -> Panel:
        """Add a button for each choice, red if it costs one's own team a piece; return the panel."""
        for choice in choices:
            style = Style.DANGER if choice.harms else Style.MAIN
            panel.button(choice.text, choice.press, style=style, emoji=choice.sign)
        return panel

    def _add_ways(self, panel: Panel, path: Sequence[int], card: str | None) -> None:
        """Add the way back; at the beginning, if a card was chosen for the player, why not the others."""
        self._add_back(panel, path)
        if not path and card is not None:
            self._add_why(panel)

    def _plan_panel(self, path: tuple[int, ...]) -> Panel:
        """Return the cases in which an action can be planned."""
        language, (anyway, untouched, *others) = self.language, cases_for(self._table.seats, self._seat)
        panel = Panel()
        for number, (case, seat) in enumerate((anyway, untouched)):
            press = PlanThis(self._table.id, self._made_for, number, path)
            panel.button(capital(plans.case(language, self._names, case, seat)), press, style=Style.YES, row=0)
        names = Names.of(self._table, language).unmarked()
        lines = [
            line(capital(plans.case(language, names, case, seat)), number)
            for number, (case, seat) in enumerate(others, start=2)
        ]
        return panel.menu(language.t(buttons.PLAN_IF), PlanThis(self._table.id, self._made_for, 0, path), lines, row=1)

    def gifts(self, above: str) -> Reply:
        """Return the menu of cards that can be planned for the next exchange."""
        cards = self._view.board.system.cards
        lines = [line(card_label(self.language, card), number) for number, card in enumerate(cards)][:MENU_LIMIT]
        panel = Panel().menu(self.language.t(buttons.PLAN_GIFT), PlanGift(self._table.id), lines)
        return Reply(
            stack(bold(self._table.code), above), panel.button(self.language.t(buttons.BACK), ShowHand(self._table.id))
        )

    def _add_why(self, panel: Panel) -> None:
        """Add a button that says why other cards cannot be played, if there are any; not in a plan."""
        if not self.seated.ahead and set(self._view.hand or ()) - self._playable():
            panel.button(self.language.t(buttons.WHY_NOT), AskWhy(self._table.id, self._made_for), emoji="❔")

    def _add_back(self, panel: Panel, path: Sequence[int]) -> None:
        if path:
            panel.button(self.language.t(buttons.BACK), self._choices.go(self._choices.before(path)), emoji="↩️")


def _in_order(choices: Sequence[Choice]) -> list[Choice]:
    """Sort choices as they are offered: piece by piece, each by how far it goes; what harms one's own team last."""
    pieces = {choice.group: number for number, choice in reversed(list(enumerate(choices)))}
    return sorted(choices, key=lambda choice: (choice.harms, pieces[choice.group], choice.value))
