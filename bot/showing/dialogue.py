"""The private dialogue of a seat: the hand, the questions that lead to one action, a preview, and Play.

Pure composition: a table and a path go in, a `Reply` comes out (text, one picture, a panel). Whether it is sent as an
ephemeral answer, as an edit of one, or as a direct message is up to the caller. Nothing is remembered between two
presses; the panel's custom ids carry the answers so far as small numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.choosing import Asks, Decided, NoSuchPath, Question, choose, path_to
from bot.errors import Busy
from bot.languages import Language
from bot.preferences import IN_WORDS, Preferences
from bot.rights import Deed
from bot.showing.choices import BUTTONS, Choice, Choices, Go, OfDecision, PlayNow
from bot.showing.controls import ShowHand, reclaim_button, undo_button
from bot.showing.panels import A_ROW, MENU_LIMIT, ROWS, Button, Link, Menu, Panel, Reply, Style, line
from bot.showing.pictures import Labels, Pictures
from bot.table import SeatTable, Status
from bot.texts import buttons, positions, questions, refusals
from bot.texts.markup import ALT_LIMIT, MESSAGE_LIMIT, stacked, unmarked
from bot.texts.names import card_label
from bot.texts.public import boards
from bot.texts.public.boards import overdue_lines
from engine import Action, ActionKind, Exchange, Preview, Step, StepKind

SHORT = 45
"""An answer with more characters than this is easier to read in a menu than on a button."""


class AskWhy(OfDecision, verb="why", deed=Deed.HAND):
    """Say why a card cannot be played; `card` is its index among the different cards of the hand."""

    card: int


class Hint(OfDecision, verb="hint", deed=Deed.HINT):
    """Say what a computer player would do, and why."""


@dataclass
class Dialogue:
    """Makes the replies for one seat at one table in one language.

    `as_public`: boards are turned as in public; `undoable`: with an offer to take the last action back; `linked`: with
    a link to the board, for direct messages; `happened`: what has happened to the hand since the person acted; `drawn`:
    the cards drawn since then, which are marked; `exchanged`: whether cards have changed hands since then, which is
    told even if the hand has been laid down.
    """

    pictures: Pictures
    language: Language
    seated: SeatTable
    theme: str
    as_public: bool = False
    undoable: bool = False
    linked: bool = False
    happened: Sequence[str] = ()
    drawn: Sequence[str] = ()
    exchanged: bool = False

    def __post_init__(self) -> None:
        self._table, self._seat, self._game = self.seated.table, self.seated.seat, self.seated.game
        self._view = self._game.view
        self._choices = Choices(self.language, self.seated)
        self._names = self._choices.speaker.names
        self._decision = self.seated.decision
        self._made_for = self._choices.made_for

    @staticmethod
    def of(pictures: Pictures, language: Language, seated: SeatTable, prefers: Preferences) -> Dialogue:
        """The dialogue of the person on a seat, in the look they prefer."""
        return Dialogue(pictures, language, seated, prefers.theme or seated.table.terms.theme, prefers.as_public)

    async def hand(self, note: str = "") -> Reply:
        """The seat's hand, and what can be done with it now, preceded by `note`."""
        return await self.at((), note)

    async def after(self, note: str = "") -> Reply:
        """The same right after an action: nothing that acts is where *Play* has just been pressed."""
        reply = await self.hand(note)
        items = () if reply.panel is None else reply.panel.items[:A_ROW]
        if not any(isinstance(item, Button) and isinstance(item.press, PlayNow) for item in items):
            return reply
        assert reply.panel is not None
        calm = Panel().button(self.language.t(buttons.REFRESH), ShowHand(self._table.id), emoji="🔄", row=0)
        for number, item in enumerate(reply.panel.items):
            calm.items.append(item if isinstance(item, Link) else replace(item, row=1 + number // A_ROW))
        return replace(reply, panel=calm)

    async def at(self, path: Sequence[int], note: str = "") -> Reply:
        """The dialogue after the answers in `path`. Raises NoSuchPath if it belongs to other legal actions."""
        reply = await self._said(tuple(path), note)
        panel = reply.panel if reply.panel is not None else Panel()
        is_asked = self._decision is not None and self._table.status is Status.PLAYING
        if self._table.hints and is_asked and not path:
            panel.button(self.language.t(buttons.HINT), Hint(self._table.id, self._made_for), emoji="💡")
        if self.undoable and not path:
            undo_button(panel, self.language, self._table, self._seat)
        if self.linked:
            panel.link(self.language.t(buttons.TO_BOARD), boards.board_link(self._table))
        return replace(reply, panel=panel)

    async def _said(self, path: tuple[int, ...], note: str) -> Reply:
        if self._decision is None or self._table.status is not Status.PLAYING:
            return await self._waiting(note)
        step = choose(self._choices.offered, path)
        if isinstance(step, Decided):
            return await self._confirm(step, note)
        return await self._question(step, note)

    async def suggested(self, action: Action, reason: str) -> Reply:
        """The end of the path to a suggested action. Raises NoSuchPath if it is not allowed (any more)."""
        return await self.at(path_to(self._choices.offered, action), reason)

    def chosen(self, path: Sequence[int]) -> Decided:
        """The action at the end of `path`. Raises NoSuchPath if it does not end at one."""
        step = choose(self._choices.offered, path)
        if isinstance(step, Question):
            raise NoSuchPath("there is still a question open")
        return step

    async def why(self, index: int) -> Reply:
        """The hand, with the reasons why its card number `index` (counting different cards) cannot be played."""
        cards = _distinct(self._view.hand or ())
        if not 0 <= index < len(cards):
            raise NoSuchPath("no such card in this hand")
        card = cards[index]
        told = refusals.why_not(self.language, self._names, self._seat, card, self._game.why_not(card))
        return await self.hand(told)

    async def _waiting(self, note: str) -> Reply:
        view, language = self._view, self.language
        lines = [self._head(), note, *self._news(()), *overdue_lines(language, self._table)]
        lines.append(boards.waiting_line(language, self._table, view))
        panel = Panel().button(language.t(buttons.REFRESH), ShowHand(self._table.id), emoji="🔄")
        who = self._table.occupants[self._seat]
        if who.may_reclaim and self._table.is_open:
            reclaim_button(panel, language, self._table)
        return await self._with_hand(lines, panel, playable=None)

    async def _question(self, question: Question, note: str) -> Reply:
        done = self._choices.done(question)
        line = questions.question_line(self._choices.speaker, question, self._choices.left(question))
        lines = [self._head(), note, *self._news(question.path), *self._only(question), line]
        if question.asks is Asks.CARD:
            return await self._with_hand(lines, self._card_panel(question), self._playable())
        choices = self._choices.answers(question)
        panel = self._answer_panel(question, choices, line)
        if question.asks not in (Asks.PIECE, Asks.MOVE):
            return await self._with_hand(lines, panel, self._playable())
        after = self._choices.after(done)
        ways = self._choices.ways(question)
        spots = self._choices.spots(question, ways)
        named = "" if question.named is None else f":{question.named}"
        shown = [step for step in ways if step.kind is not StepKind.OUT] if question.asks is Asks.MOVE else []
        picture = await self._preview(card=f"{question.card}{named}", preview=after, labels=spots, ways=shown)
        if picture is None:
            return Reply(self._told(lines, preview=after, spots=spots), panel)
        alt = " ".join((line, *(f"{choice.text}." for choice in choices)))
        return Reply(_joined(lines), panel, picture, alt[:ALT_LIMIT])

    async def _confirm(self, end: Decided, note: str) -> Reply:
        language, action = self.language, end.chosen_as
        preview = self._choices.preview_of(action)
        line = questions.confirm_line(self._choices.speaker, action, preview)
        only = self._only(end) if action.kind is ActionKind.PLAY else []
        lines = [self._head(), note, *self._news(end.path), *only, line]
        panel = Panel().button(
            language.t(buttons.PLAY) if action.parts else language.t(buttons.CONFIRM),
            PlayNow(self._table.id, self._made_for, end.path),
            style=Style.DANGER if questions.harms(self._choices.speaker, preview.steps) else Style.YES,
        )
        self._add_ways(panel, end.path, action.card)
        if not preview.steps:
            return await self._with_hand(lines, panel, {action.card} if action.card else set())
        named = "" if action.named is None else f":{action.named}"
        picture = await self._preview(card=f"{action.card}{named}" if action.card else None, preview=preview)
        if picture is None:
            return Reply(self._told(lines, preview=preview), panel)
        return Reply(_joined(lines), panel, picture, unmarked(line)[:ALT_LIMIT])

    async def _preview(
        self,
        *,
        card: str | None = None,
        preview: Preview | None = None,
        labels: Labels | None = None,
        ways: Sequence[Step] = (),
    ) -> bytes | None:
        """The board as it would be, or with what there is to choose from; None for words, which need no drawing."""
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
            )
        except Busy:
            # Too many pictures are being waited for, or it cannot be drawn.
            return None

    @property
    def _in_words(self) -> bool:
        """Whether the person wants words instead of pictures."""
        return self.theme == IN_WORDS

    def _told(self, lines: Sequence[str], preview: Preview | None = None, spots: positions.Spots | None = None) -> str:
        """Some lines and, below them, the board in words as a preview shows it."""
        view, said = self._view, _joined(lines)
        entries = () if view.last is None else (view.last,)
        room = MESSAGE_LIMIT - len(said) - 1
        pieces = None if preview is None else preview.placement
        told = positions.board(self.language, self._table, view, entries, pieces, spots, room)
        return f"{said}\n{told}"[:MESSAGE_LIMIT]

    def _news(self, path: Sequence[int]) -> list[str]:
        """What has happened to the hand since the person acted, told when it is opened."""
        if path:
            return []
        told: list[str] = []
        view = self._view
        if (self._received() or self.exchanged) and view.gave is not None and view.got is not None:
            giver = self._names.marked(questions.giver(self._table, self._seat))
            text = questions.HELPED if view.board.exchange is Exchange.ASK else questions.RECEIVED
            told.append(questions.exchanged(self.language, text, view.gave, view.got, giver))
        told += self.happened
        if self.drawn:
            told.append(questions.drawn_line(self.language, self.drawn))
        return told

    def _received(self) -> frozenset[str]:
        """The card from the exchange, until the person has played a card from this hand."""
        view = self._view
        return frozenset((view.got,)) if view.got and len(view.hand or ()) == view.dealt else frozenset()

    def _only(self, step: Question | Decided) -> list[str]:
        """Why no card is asked for, if the only playable one was chosen without asking."""
        card = step.card if isinstance(step, Question) else step.action.card
        if step.path or card is None or (isinstance(step, Question) and step.asks is Asks.CARD):
            return []
        return [questions.only_line(self.language, self._view.hand or (), card)]

    def _playable(self) -> set[str]:
        return {action.card for action in self._view.legal if action.card}

    def _head(self) -> str:
        return boards.title(self.language, self._table, self._view)

    async def _with_hand(self, lines: list[str], panel: Panel, playable: set[str] | None) -> Reply:
        hand = self._view.hand or ()
        told = questions.hand_line(self.language, hand)
        if not hand or self._in_words:
            return Reply(_joined([*lines, told]), panel)
        deck = self._view.board.system.cards
        marked = frozenset(self.drawn) or self._received()
        try:
            picture = await self.pictures.hand(hand, playable, self.theme, deck=deck, marked=marked)
        except Busy:
            # The cards are named in the text as well.
            return Reply(_joined([*lines, told]), panel)
        return Reply(_joined(lines), panel, picture, told)

    def _card_panel(self, question: Question) -> Panel:
        """What can be played, and why the other cards cannot be."""
        panel, playable = self._add_buttons(Panel(), self._choices.cards(question)), self._playable()
        for index, card in enumerate(_distinct(self._view.hand or ())):
            if card not in playable:
                self._add_why(panel, index, card)
        self._add_back(panel, question.path)
        return panel

    def _answer_panel(self, question: Question, choices: Sequence[Choice], hint: str) -> Panel:
        """Buttons for the answers; menus if they are many or long, one per piece if there are only a few pieces."""
        panel = Panel()
        pieces = {choice.group: number for number, choice in reversed(list(enumerate(choices)))}
        ordered = sorted(choices, key=lambda one: (one.harms, pieces[one.group], one.value))
        single = all(choice.press.path[:-1] == question.path for choice in choices)
        if len(choices) <= BUTTONS and not (single and any(len(choice.text) > SHORT for choice in choices)):
            self._add_buttons(panel, ordered)
        else:
            groups: dict[object, list[Choice]] = {}
            for choice in ordered:
                groups.setdefault(choice.group, []).append(choice)
            fits = len(groups) < ROWS and all(len(group) <= MENU_LIMIT for group in groups.values())
            press = self._choices.go(question.path)
            for group in groups.values() if fits else [ordered]:
                panel.menu(hint, press, [line(choice.text, choice.press.path[-1]) for choice in group])
        self._add_ways(panel, question.path, question.card)
        return panel

    def _add_buttons(self, panel: Panel, choices: Iterable[Choice]) -> Panel:
        """Add a button for each choice, red ones if they cost one's own team a piece; returns the panel."""
        for choice in choices:
            panel.button(choice.text, choice.press, style=Style.DANGER if choice.harms else Style.MAIN)
        return panel

    def _add_ways(self, panel: Panel, path: Sequence[int], card: str | None) -> None:
        """The way back; at the beginning, if a card was chosen for the person, why not the others."""
        self._add_back(panel, path)
        if path or card is None:
            return
        menus = sum(isinstance(item, Menu) for item in panel.items)
        # Hint, Undo and the link to the board may follow.
        room = (ROWS - menus) * A_ROW - (len(panel.items) - menus) - 3
        others = [(index, one) for index, one in enumerate(_distinct(self._view.hand or ())) if one != card]
        for index, one in others[: max(0, room)]:
            self._add_why(panel, index, one)

    def _add_why(self, panel: Panel, index: int, card: str) -> None:
        """A button that says why a card cannot be played."""
        press = AskWhy(self._table.id, self._made_for, index)
        panel.button(card_label(self.language, card), press, emoji="❔")

    def _add_back(self, panel: Panel, path: Sequence[int]) -> None:
        if path:
            press = Go(self._table.id, self._made_for, tuple(path[:-1]))
            panel.button(self.language.t(buttons.BACK), press, emoji="↩️")


def _joined(lines: Sequence[str]) -> str:
    return stacked(*lines)[:MESSAGE_LIMIT]


def _distinct(hand: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hand))


def with_note(reply: Reply, note: str) -> Reply:
    """The same reply, preceded by a sentence."""
    return replace(reply, content=_joined([note, reply.content]))
