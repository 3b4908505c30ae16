"""The private dialogue of a seat: the hand, then the walk down to one action, a preview, and `Play`.

Pure composition: a table and a path go in, a `Reply` comes out (text, one picture, a panel). Whether it is sent as an
ephemeral answer, an edit of one, or a direct message is up to the caller. Nothing is remembered between two presses;
the panel's custom ids carry the walk as small numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.languages import Language
from bot.showing.panels import Panel, Press, Reply, Style, option
from bot.showing.pictures import Pictures
from bot.table import Status, Table
from bot.texts import boards, questions, refusals
from bot.texts.clock import clock_lines
from bot.texts.words import Names, card_label
from bot.walk import Asks, Chosen, LostWay, Question, walk
from engine import ROYAL, SYSTEMS, Action, Outcome

BUTTONS = 15
"""Up to this many answers stand as buttons; more go into menus."""

SHORT = 24
"""An answer longer than this (characters) is easier to read in a menu than on a button."""


class Dialogue:
    """Makes the replies of one seat at one table in one language."""

    def __init__(self, pictures: Pictures, language: Language, table: Table, seat: int, theme: str) -> None:
        if table.game is None:
            raise ValueError("a table in its lobby has no hands")
        self._pictures = pictures
        self._language = language
        self._table = table
        self._seat = seat
        self._theme = theme
        self._game = table.game
        self._view = table.game.view(seat)
        self._names = Names.of(table, language)
        self._decision = table.decision(seat)
        self._undoable = False
        self._linked = False

    async def hand(self, note: str = "") -> Reply:
        """The seat's hand, and what can be done with it now. `note` is said first."""
        return await self.at((), note)

    def with_undo(self) -> Dialogue:
        """The same dialogue, which offers to take the last action back."""
        self._undoable = True
        return self

    def with_link(self) -> Dialogue:
        """The same dialogue, which leads to the board: for direct messages."""
        self._linked = True
        return self

    async def at(self, path: Sequence[int], note: str = "") -> Reply:
        """The dialogue after the answers in `path`.

        Raises:
            LostWay: the path belongs to other legal actions.
        """
        reply = await self._said(path, note)
        panel = reply.panel or Panel()
        if self._undoable and not path:
            panel.button(self._language.t("Undo"), self._press("undo", self._view.number), emoji="↩️")
        if self._linked:
            panel.link(self._language.t("To the board"), boards.board_link(self._table))
        return replace(reply, panel=panel)

    async def _said(self, path: Sequence[int], note: str) -> Reply:
        if self._decision is None or self._table.status is not Status.PLAYING:
            return await self._waiting(note)
        step = walk(self._view.legal, path)
        if isinstance(step, Chosen):
            return await self._confirm(step, note)
        return await self._question(step, note)

    def chosen(self, path: Sequence[int]) -> Action:
        """The action at the end of `path`.

        Raises:
            LostWay: the path does not end at an action.
        """
        step = walk(self._view.legal, path)
        if isinstance(step, Question):
            raise LostWay("there is still a question open")
        return step.action

    async def why(self, index: int) -> Reply:
        """The hand, with the reasons why its card number `index` (among the distinct ones) cannot be played."""
        cards = _distinct(self._view.hand or ())
        if not 0 <= index < len(cards):
            raise LostWay("no such card in this hand")
        card = cards[index]
        reasons = self._game.why_not(self._seat, card)
        told = refusals.reasons(self._language, self._names, self._seat, card, reasons)
        return await self.hand(told)

    async def _waiting(self, note: str) -> Reply:
        view, language = self._view, self._language
        lines = [self._head(), note, boards.next_line(language, self._table, view)]
        if self._table.status is Status.PAUSED:
            lines.append(language.t("This game is paused."))
        lines.extend(clock_lines(language, self._table) if self._table.status is Status.PLAYING else ())
        panel = Panel().button(language.t("Refresh"), self._press("hand", view.number), emoji="🔄")
        who = self._table.people[self._seat]
        if who.may_reclaim and self._table.is_open:
            panel.button(language.t("Take my seat back"), self._press("reclaim", view.number), emoji="🙋")
        return await self._with_hand(lines, panel, playable=None)

    async def _question(self, question: Question, note: str) -> Reply:
        language = self._language
        to = questions.receiver(self._table, self._names, self._seat)
        lines = [self._head(), note, questions.question_line(language, question, to)]
        if question.asks in (Asks.CARD, Asks.WHAT, Asks.RANK):
            panel = self._card_panel(question) if question.asks is Asks.CARD else self._answer_panel(question)
            playable = {action.card for action in self._view.legal if action.card}
            return await self._with_hand(lines, panel, playable)
        labels = self._labels(question)
        picture = await self._pictures.preview(
            self._table, self._view, self._names, language, self._theme, turned=self._seat, labels=labels
        )
        alt = " ".join((questions.question_line(language, question), *self._answer_texts(question)))
        return Reply(_joined(lines), self._answer_panel(question), picture, alt[: boards.ALT_LIMIT])

    async def _confirm(self, end: Chosen, note: str) -> Reply:
        language, view = self._language, self._view
        outcome = self._game.outcome(self._seat, end.action)
        line = questions.confirm_line(
            language,
            self._names,
            self._seat,
            end.action,
            outcome,
            questions.receiver(self._table, self._names, self._seat),
        )
        panel = Panel().button(
            language.t("Play") if end.action.parts else language.t("Confirm"),
            self._press("play", self._decision or 0, end.path),
            style=Style.YES,
        )
        self._add_back(panel, end.path)
        if not outcome.steps:
            return await self._with_hand(
                [self._head(), note, line], panel, {end.action.card} if end.action.card else set()
            )
        picture = await self._pictures.preview(
            self._table, view, self._names, language, self._theme, turned=self._seat, outcome=outcome
        )
        return Reply(_joined([self._head(), note, line]), panel, picture, line[: boards.ALT_LIMIT])

    def _head(self) -> str:
        return boards.title(self._language, self._table, self._view)

    def _press(self, verb: str, version: int, path: Sequence[int] = ()) -> Press:
        return Press(verb, self._table.id, version, tuple(path))

    async def _with_hand(self, lines: list[str], panel: Panel, playable: set[str] | None) -> Reply:
        hand = self._view.hand or ()
        told = questions.hand_line(self._language, hand)
        if not hand:
            return Reply(_joined([*lines, told]), panel)
        royal = SYSTEMS[self._table.system].cards is ROYAL
        picture = await self._pictures.hand(hand, playable, self._theme, royal=royal)
        return Reply(_joined(lines), panel, picture, told)

    def _card_panel(self, question: Question) -> Panel:
        """A button for every distinct card: bright ones go on, grey ones say why they cannot be played."""
        language, decision = self._language, self._decision or 0
        answers = {str(answer.value): index for index, answer in enumerate(question.answers)}
        panel = Panel()
        for index, card in enumerate(_distinct(self._view.hand or ())):
            label = card_label(language, card)
            if card in answers:
                press = self._press("go", decision, (*question.path, answers[card]))
                panel.button(label, press, style=Style.MAIN)
            else:
                panel.button(label, self._press("why", decision, (index,)), emoji="❔")
        self._add_back(panel, question.path)
        return panel

    def _answer_panel(self, question: Question) -> Panel:
        language, decision = self._language, self._decision or 0
        texts = self._answer_texts(question)
        panel = Panel()
        if len(texts) <= BUTTONS and all(len(text) <= SHORT for text in texts):
            for index, text in enumerate(texts):
                press = self._press("go", decision, (*question.path, index))
                panel.button(text, press, style=Style.MAIN)
        else:
            options = [option(text, index) for index, text in enumerate(texts)]
            panel.menu(questions.question_line(language, question), self._press("go", decision, question.path), options)
        self._add_back(panel, question.path)
        return panel

    def _answer_texts(self, question: Question) -> list[str]:
        texts = [
            questions.answer_label(self._language, self._names, self._seat, question, answer, self._outcome)
            for answer in question.answers
        ]
        if question.asks not in (Asks.PIECE, Asks.TARGET):
            return texts
        return [f"{letter} · {text}" for letter, text in zip(questions.LETTERS, texts, strict=False)] + texts[26:]

    def _labels(self, question: Question) -> dict[tuple[int, str], str]:
        """The letters in the preview picture, by (side, place)."""
        labels: dict[tuple[int, str], str] = {}
        for letter, answer in zip(questions.LETTERS, question.answers, strict=False):
            place = questions.place_of(self._outcome, self._seat, question, answer)
            if place is not None:
                labels[place] = letter
        return labels

    def _outcome(self, action: Action) -> Outcome:
        return self._game.outcome(self._seat, action)

    def _add_back(self, panel: Panel, path: Sequence[int]) -> None:
        if path:
            panel.button(self._language.t("Back"), self._press("go", self._decision or 0, path[:-1]), emoji="↩️")


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(line for line in lines if line)[: boards.MESSAGE_LIMIT]


def _distinct(hand: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hand))


def with_note(reply: Reply, note: str) -> Reply:
    """The same reply with a sentence before it."""
    return replace(reply, content=_joined([note, reply.content]))
