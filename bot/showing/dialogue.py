"""The private dialogue of a seat: the hand, the questions that lead to one action, a preview, and Play.

Pure composition: a table and a path go in, a `Reply` comes out (text, one picture, a panel). Whether it is sent as an
ephemeral answer, as an edit of one, or as a direct message is up to the caller. Nothing is remembered between two
presses; the panel's custom ids carry the answers so far as small numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from bot.choosing import Asks, Decided, NoSuchPath, Question, choose, path_to
from bot.errors import Busy
from bot.languages import Language
from bot.moment import START, Moment
from bot.rights import Deed
from bot.showing.controls import Reclaim, ShowHand
from bot.showing.panels import MENU_LIMIT, Menu, Panel, Reply, Style, option
from bot.showing.pictures import Labels, Pictures
from bot.showing.presses import Press
from bot.table import SeatTable, Status, Table
from bot.texts import boards, buttons, positions, questions, reasons
from bot.texts.boards import overdue_lines
from bot.texts.markup import ALT_LIMIT, MESSAGE_LIMIT, unmarked
from bot.texts.names import Names, card_label
from bot.texts.questions import Marks, letters_for
from engine import Action, ActionKind, Exchange, Part, Placement, Preview, Step

BUTTONS = 15
"""Up to this many answers get buttons; more go into menus."""

SHORT = 45
"""An answer with more characters than this is easier to read in a menu than on a button."""

ROWS, A_ROW = 5, 5
"""The rows of a message and the buttons in each (Discord's limits); a menu takes a whole row."""

AT_ONCE = frozenset({ActionKind.DISCARD, ActionKind.NONE})
"""What is done as soon as it is chosen, since there is nothing to preview."""


class _OfDecision(Press):
    """Part of the private dialogue about one decision."""

    decision: Moment

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether by now the seat is being asked something else, or nothing."""
        seat = table.seat_of(user_id)
        return table.game is None or seat is None or table.decision(seat) != self.decision


class Go(_OfDecision, verb="go", deed=Deed.PLAY, menu="path"):
    """Answer the next question on the way to an action, or go back; `path`: the answers so far."""

    path: tuple[int, ...] = ()


class AskWhy(_OfDecision, verb="why", deed=Deed.PLAY):
    """Say why a card cannot be played; `card` is its index among the different cards of the hand."""

    card: int


class Hint(_OfDecision, verb="hint", deed=Deed.HINT):
    """Say what a computer player would do, and why."""


class PlayNow(_OfDecision, verb="play", deed=Deed.PLAY):
    """Play the action at the end of `path`."""

    path: tuple[int, ...] = ()


def acted_at(table: Table, seat: int) -> Moment:
    """The moment of a seat's last action, whatever others have done since; that of the deal if it has not acted."""
    return Moment(table.takebacks, 0 if table.game is None else table.game.last_of(seat))


class Undo(Press, verb="undo", deed=Deed.TAKE_BACK):
    """Take back the action that was the newest of one's own seat at this moment (see `acted_at`)."""

    moment: Moment

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether the seat has acted again, or something was taken back."""
        seat = table.seat_of(user_id)
        return seat is None or acted_at(table, seat) != self.moment


class Dialogue:
    """Makes the replies for one seat at one table in one language."""

    def __init__(self, pictures: Pictures, language: Language, seated: SeatTable, theme: str) -> None:
        self._pictures = pictures
        self._language = language
        self._table = seated.table
        self._seat = seated.seat
        self._bottom: int | None = seated.seat
        self._theme = theme
        self._game = seated.game
        self._view = seated.game.view
        self._names = Names.of(seated.table, language)
        self._decision = seated.decision
        self._made_for = seated.decision or START
        """What the presses carry; there are none of a decision if there is no decision."""
        self._preview_of = cache(seated.game.preview)
        self._undoable = False
        self._linked = False
        self._drawn: tuple[str, ...] = ()

    async def hand(self, note: str = "") -> Reply:
        """The seat's hand, and what can be done with it now, preceded by `note`."""
        return await self.at((), note)

    def turned(self, side: int | None) -> Dialogue:
        """The same dialogue with this side at the bottom of its boards; None: as on public boards."""
        self._bottom = side
        return self

    def with_undo(self) -> Dialogue:
        """The same dialogue with an offer to take the last action back."""
        self._undoable = True
        return self

    def with_drawn(self, cards: Sequence[str]) -> Dialogue:
        """The same dialogue, naming the cards that the person has just drawn and marking them in the hand."""
        self._drawn = tuple(cards)
        return self

    def with_link(self) -> Dialogue:
        """The same dialogue with a link to the board: for direct messages."""
        self._linked = True
        return self

    async def at(self, path: Sequence[int], note: str = "") -> Reply:
        """The dialogue after the answers in `path`.

        Raises:
            NoSuchPath: the path belongs to other legal actions.
        """
        reply = await self._said(path, note)
        panel = reply.panel if reply.panel is not None else Panel()
        asked = self._decision is not None and self._table.status is Status.PLAYING
        if self._table.terms.hints and asked and not path:
            panel.button(self._language.t(buttons.HINT), Hint(self._table.id, self._made_for), emoji="💡")
        if self._undoable and not path:
            panel.button(
                self._language.t(buttons.UNDO), Undo(self._table.id, acted_at(self._table, self._seat)), emoji="↩️"
            )
        if self._linked:
            panel.link(self._language.t(buttons.TO_BOARD), boards.board_link(self._table))
        return replace(reply, panel=panel)

    async def _said(self, path: Sequence[int], note: str) -> Reply:
        if self._decision is None or self._table.status is not Status.PLAYING:
            return await self._waiting(note)
        step = choose(self._view.legal, path)
        if isinstance(step, Decided):
            return await self._confirm(step, note)
        return await self._question(step, note)

    async def suggested(self, action: Action, reason: str) -> Reply:
        """The end of the path to a suggested action: what it would do, Play, and why.

        Raises:
            NoSuchPath: it is not allowed (any more).
        """
        return await self.at(path_to(self._view.legal, action), reason)

    def chosen(self, path: Sequence[int]) -> Action:
        """The action at the end of `path`.

        Raises:
            NoSuchPath: the path does not end at an action.
        """
        step = choose(self._view.legal, path)
        if isinstance(step, Question):
            raise NoSuchPath("there is still a question open")
        return step.action

    async def why(self, index: int) -> Reply:
        """The hand, with the reasons why its card number `index` (counting different cards) cannot be played."""
        cards = _distinct(self._view.hand or ())
        if not 0 <= index < len(cards):
            raise NoSuchPath("no such card in this hand")
        card = cards[index]
        told = reasons.why_not(self._language, self._names, self._seat, card, self._game.why_not(card))
        return await self.hand(told)

    async def _waiting(self, note: str) -> Reply:
        view, language = self._view, self._language
        lines = [self._head(), note, *self._news(()), *overdue_lines(language, self._table)]
        lines.append(boards.waiting_line(language, self._table, view))
        panel = Panel().button(language.t(buttons.REFRESH), ShowHand(self._table.id), emoji="🔄")
        who = self._table.people[self._seat]
        if who.may_reclaim and self._table.is_open:
            panel.button(language.t(buttons.TAKE_BACK_SEAT), Reclaim(self._table.id), emoji="🙋")
        return await self._with_hand(lines, panel, playable=None)

    async def _question(self, question: Question, note: str) -> Reply:
        language = self._language
        to = questions.receiver(self._table, self._names, self._seat)
        lines = [self._head(), note, *self._news(question.path)]
        asked = questions.question_line(language, question, to)
        if question.asks is Asks.CARD:
            return await self._with_hand([*lines, asked], self._card_panel(question), self._playable())
        lines += [*self._only(question.path, question.card), asked]
        if question.asks in (Asks.WHAT, Asks.RANK):
            texts = self._answer_texts(question)
            return await self._with_hand(lines, self._answer_panel(question, texts), self._playable())
        steps = self._steps(question) if question.asks is Asks.MOVE else []
        letters = letters_for(steps) if question.asks is Asks.MOVE else None
        texts = self._answer_texts(question, letters)
        spots = {} if letters is None else letters.spots
        panel = self._answer_panel(question, texts)
        ways = [step for step in steps if step is not None and (step.side, step.target) in spots]
        picture = await self._preview(card=question.card, labels=spots, ways=ways)
        if picture is None:
            return Reply(self._told(lines, spots=spots), panel)
        alt = " ".join((asked, *(f"{text}." for text in texts)))
        return Reply(_joined(lines), panel, picture, alt[:ALT_LIMIT])

    async def _confirm(self, end: Decided, note: str) -> Reply:
        language = self._language
        preview = self._preview_of(end.action)
        to = questions.receiver(self._table, self._names, self._seat)
        line = questions.confirm_line(language, self._names, self._seat, end.action, preview, to)
        lines = [self._head(), note, *self._news(end.path), *self._only(end.path, end.action.card), line]
        panel = Panel().button(
            language.t(buttons.PLAY) if end.action.parts else language.t(buttons.CONFIRM),
            PlayNow(self._table.id, self._made_for, end.path),
            style=Style.YES,
        )
        self._add_ways(panel, end.path, end.action.card)
        if not preview.steps:
            return await self._with_hand(lines, panel, {end.action.card} if end.action.card else set())
        named = "" if end.action.named is None else f":{end.action.named}"
        picture = await self._preview(card=f"{end.action.card}{named}" if end.action.card else None, preview=preview)
        if picture is None:
            return Reply(self._told(lines, pieces=preview.placement), panel)
        return Reply(_joined(lines), panel, picture, unmarked(line)[:ALT_LIMIT])

    async def _preview(
        self,
        *,
        card: str | None = None,
        preview: Preview | None = None,
        labels: Labels | None = None,
        ways: Sequence[Step] = (),
    ) -> bytes | None:
        """The board as it would be, or with the places to choose from; None for words, which need no drawing."""
        if self._in_words:
            return None
        try:
            return await self._pictures.preview(
                self._table,
                self._view,
                self._language,
                self._theme,
                turned=self._bottom,
                card=card,
                preview=preview,
                labels=labels,
                ways=ways,
            )
        except Busy:
            # Too many pictures are being waited for.
            return None

    @property
    def _in_words(self) -> bool:
        """Whether the person wants words instead of pictures."""
        return self._theme == positions.IN_WORDS

    def _told(self, lines: Sequence[str], pieces: Placement | None = None, spots: positions.Spots | None = None) -> str:
        """Some lines and, below them, the board in words as a preview shows it."""
        view, said = self._view, _joined(lines)
        entries = () if view.last is None else (view.last,)
        room = MESSAGE_LIMIT - len(said) - 1
        told = positions.board(self._language, self._table, view, entries, pieces, spots, room)
        return f"{said}\n{told}"[:MESSAGE_LIMIT]

    def _news(self, path: Sequence[int]) -> list[str]:
        """What came into the hand last, told when the hand is opened."""
        if path:
            return []
        if self._drawn:
            return [questions.drawn_line(self._language, self._drawn)]
        view = self._view
        if self._received() and view.gave is not None and view.got is not None:
            giver = questions.giver(self._table, self._seat)
            asking = view.board.exchange is Exchange.ASK
            line = questions.helped_line if asking else questions.received_line
            return [line(self._language, self._names, view.gave, view.got, giver)]
        return []

    def _received(self) -> frozenset[str]:
        """The card from the exchange, until the person has played a card from this hand."""
        view = self._view
        return frozenset((view.got,)) if view.got and len(view.hand or ()) == view.dealt else frozenset()

    def _only(self, path: Sequence[int], card: str | None) -> list[str]:
        """Why no card is asked for, if the only playable one was chosen without asking."""
        if path or card is None:
            return []
        return [questions.only_line(self._language, self._view.hand or (), card)]

    def _playable(self) -> set[str]:
        return {action.card for action in self._view.legal if action.card}

    def _head(self) -> str:
        return boards.title(self._language, self._table, self._view)

    async def _with_hand(self, lines: list[str], panel: Panel, playable: set[str] | None) -> Reply:
        hand = self._view.hand or ()
        told = questions.hand_line(self._language, hand)
        if not hand or self._in_words:
            return Reply(_joined([*lines, told]), panel)
        deck = self._view.board.system.cards
        marked = frozenset(self._drawn) or self._received()
        try:
            picture = await self._pictures.hand(hand, playable, self._theme, deck=deck, marked=marked)
        except Busy:
            # Too many pictures are being waited for; the cards are named in the text as well.
            return Reply(_joined([*lines, told]), panel)
        return Reply(_joined(lines), panel, picture, told)

    def _card_panel(self, question: Question) -> Panel:
        """A button for every different card: bright ones go on, grey ones explain why they cannot be played."""
        answers = {str(answer.value): index for index, answer in enumerate(question.answers)}
        panel = Panel()
        for index, card in enumerate(_distinct(self._view.hand or ())):
            if card in answers:
                press = self._press_for((*question.path, answers[card]))
                panel.button(card_label(self._language, card), press, style=Style.MAIN)
            else:
                self._add_why(panel, index, card)
        self._add_back(panel, question.path)
        return panel

    def _answer_panel(self, question: Question, texts: Sequence[str]) -> Panel:
        """Buttons for the answers; menus if they are many or long, one per piece if there are only a few pieces."""
        panel = Panel()
        if len(texts) <= BUTTONS and all(len(text) <= SHORT for text in texts):
            for index in self._order(question):
                panel.button(texts[index], self._press_for((*question.path, index)), style=Style.MAIN)
        else:
            press = Go(self._table.id, self._made_for, question.path)
            hint = questions.question_line(self._language, question)
            for group in self._groups(question):
                panel.menu(hint, press, [option(texts[index], index) for index in group])
        self._add_ways(panel, question.path, question.card)
        return panel

    def _order(self, question: Question) -> list[int]:
        """The answers' numbers in the order in which they are shown: piece by piece, fewest steps first."""
        if question.asks is not Asks.MOVE:
            return list(range(len(question.answers)))
        steps = self._steps(question)
        pieces = list(dict.fromkeys((step.side, step.origin) for step in steps if step is not None))

        def rank(index: int) -> tuple[int, int]:
            step = steps[index]
            return (len(pieces), 0) if step is None else (pieces.index((step.side, step.origin)), step.value)

        return sorted(range(len(steps)), key=rank)

    def _groups(self, question: Question) -> list[list[int]]:
        """The answers' numbers for each menu: those of one piece together, as long as there are rows for them."""
        order = self._order(question)
        if question.asks is not Asks.MOVE:
            return [order]
        steps = self._steps(question)
        pieces: dict[tuple[int, str] | None, list[int]] = {}
        for index in order:
            step = steps[index]
            pieces.setdefault(None if step is None else (step.side, step.origin), []).append(index)
        groups = list(pieces.values())
        fits = len(groups) < ROWS and all(len(group) <= MENU_LIMIT for group in groups)
        return groups if fits else [order]

    def _steps(self, question: Question) -> list[Step | None]:
        """How the piece of each answer would move; None for an answer that moves nothing."""
        return [
            questions.step_of(self._preview_of(answer.actions[0]), answer.value, self._seat)
            if isinstance(answer.value, Part)
            else None
            for answer in question.answers
        ]

    def _answer_texts(self, question: Question, letters: Marks | None = None) -> list[str]:
        texts = [
            questions.answer_label(self._language, self._names, self._seat, question, answer, self._preview_of)
            for answer in question.answers
        ]
        if letters is None:
            return texts
        return [f"{head} · {text}" if head else text for head, text in zip(letters.heads, texts, strict=True)]

    def _press_for(self, path: Sequence[int]) -> Press:
        """The press that gives the last answer of `path`: it goes on, or plays at once if a preview is not needed."""
        step = choose(self._view.legal, path)
        at_once = isinstance(step, Decided) and step.action.kind in AT_ONCE
        return (PlayNow if at_once else Go)(self._table.id, self._made_for, tuple(path))

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
        panel.button(card_label(self._language, card), press, emoji="❔")

    def _add_back(self, panel: Panel, path: Sequence[int]) -> None:
        if path:
            press = Go(self._table.id, self._made_for, tuple(path[:-1]))
            panel.button(self._language.t(buttons.BACK), press, emoji="↩️")


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(line for line in lines if line)[:MESSAGE_LIMIT]


def _distinct(hand: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hand))


def with_note(reply: Reply, note: str) -> Reply:
    """The same reply, preceded by a sentence."""
    return replace(reply, content=_joined([note, reply.content]))
