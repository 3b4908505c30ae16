"""Hands: a player's private view, in an answer or in a direct message, which follows the game.

In an answer that is open it comes below each new board. The settings of a lobby follow it too, until it is closed.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import takewhile

from bot.delivery.open_answers import Interaction, OpenAnswers, OpenHand, OpenSettings
from bot.delivery.presence import Presence
from bot.delivery.sending import TROUBLE, Recent
from bot.delivery.where_asked import is_away, is_in_dm
from bot.errors import BotError, Busy
from bot.languages import Language
from bot.moment import Moment
from bot.plans import Case, Plan
from bot.preferences import IN_WORDS, Preferences
from bot.showing.controls import board_panel, lobby_panel, settings_panel
from bot.showing.dialogue import Dialogue, HandNews
from bot.showing.lessons import Lessons, NoTips
from bot.showing.panels import Reply
from bot.showing.pictures import Pictures
from bot.table import Status, Table
from bot.tables.learning.hints import Tip, tip_for, tip_key
from bot.tables.playing import plays_only_move
from bot.tables.service import Tables
from bot.tasks import Background, Locks
from bot.texts import buttons, plans, positions, refusals
from bot.texts.markup import MESSAGE_LIMIT, stack
from bot.texts.moves import tell_own
from bot.texts.names import Names
from bot.texts.public import lobbies
from bot.texts.public.history import before_and_after
from bot.texts.public.notices import absent_lines
from bot.texts.public.proposals import done_taken_back
from bot.texts.teaching import learning
from engine import ActionKind, EventKind

log = logging.getLogger(__name__)

DONE = "✅"
"""The sign of a line that tells a player what they have done."""


class Hands:
    """Makes the hands of players, and keeps those in open answers up to date."""

    def __init__(self, tables: Tables, pictures: Pictures, presence: Presence) -> None:
        self._tables, self._pictures, self._presence = tables, pictures, presence
        self._open: OpenAnswers[OpenHand] = OpenAnswers()
        self._settings: OpenAnswers[OpenSettings] = OpenAnswers()
        self._in_dms: Recent[tuple[int, int], tuple[int, Moment | int | None, Moment | None]] = Recent()
        """By table and user: the newest direct message with the hand; what it shows (see `_shown`; None: a line alone);
        and the decision in the middle of which the player is."""
        self._held: Counter[tuple[int, int]] = Counter()
        self.letters: Locks[int | str] = Locks()
        """By direct message (its nonce until it is sent), held while it is changed."""
        self._background = Background()

    def close(self) -> None:
        """Let no hand follow any more."""
        self._background.close()

    # What a hand shows

    def dialogue(
        self,
        table: Table,
        user_id: int,
        language: Language,
        prefers: Preferences,
        *,
        in_dm: bool = False,
        asked_for: bool = False,
    ) -> Dialogue:
        """Return the dialogue of the player's seat; `asked_for`: by a command. Raises as `Tables.seated` does."""
        named = asked_for or self._open.is_elsewhere(table.id, user_id)
        is_owner = table.seat_of(user_id) is not None
        seated = self._tables.seated(table, user_id)
        return Dialogue.of(self._pictures, language, seated, prefers, in_dm=in_dm, is_owner=is_owner, named=named)

    async def find_news(self, dialogue: Dialogue, user_id: int) -> HandNews:
        """Return what has happened to the hand since the player acted, and whether that can be taken back."""
        table, seat, tables, language = dialogue.seated.table, dialogue.seated.seat, self._tables, dialogue.language
        log = await tables.log(table.id)
        course = tables.course(table)
        own = [row.number for row in reversed(log) if row.actor == user_id]
        last, played = next(iter(own), 0), list[int]()
        planned = not table.is_live and tables.planning.of(table, user_id).played == last
        if not planned and plays_only_move(table, await tables.users.preferences(user_id)):
            # What was played for them is news, too.
            played = list(takewhile(partial(course.was_only_move, alone=table.is_solo), own))
        since = next(iter(own[len(played) :]), 0)
        news = course.entries(since)
        entries = news[1:]
        happened = refusals.happened(language, table, seat, entries, log, course.why_folded, frozenset(played))
        acted, plan = "", None
        if played and since and news[0].kind is ActionKind.PLAY:
            acted = f"{DONE} {tell_own(language, Names.of(table, language), news[0])}"
        if not table.is_live and table.occupants[seat].plays == user_id and dialogue.is_owner:
            plan = tables.planning.of(table, user_id)
            happened = [*self._tell_plan(dialogue, plan, last), *happened]
        events = [event for entry in reversed(entries) for event in entry.events]
        folded = (event.cards for event in events if event.kind is EventKind.FOLDED and event.seat == seat)
        exchanges = (event for entry in news for event in entry.events if event.kind is EventKind.EXCHANGED)
        # What was played for them is a move of theirs, from which the board begins.
        by_board = not (dialogue.in_dm or played)
        told, told_after = before_and_after(language, table, entries, log, seat, by_board=by_board)
        return HandNews(
            since=entries,
            told=told,
            happened=[*happened, *told_after],
            acted=acted,
            folded=next(folded, ()),
            drawn=tables.list_drawn(table, user_id, max(since - 1, 0)),
            exchanged=any(seat in event.seats for event in exchanges),
            plan=plan,
            undoable=await tables.proposals.can_undo(table.id, user_id),
        )

    def _tell_plan(self, dialogue: Dialogue, plan: Plan, last: int) -> Iterator[str]:
        """Return that the player's `last` action was planned, or that a plan has lapsed."""
        table, language = dialogue.seated.table, dialogue.language
        if plan.played is not None and plan.played == last:
            entry = self._tables.course(table).entries(last)[0]
            yield plans.played(language, tell_own(language, Names.of(table, language), entry))
        exchanging = table.asks_for_cards
        meant = (step for step in plan.steps if (step.case is Case.EXCHANGE) == exchanging)
        if dialogue.seated.decision is not None and next(meant, None) is not None:
            yield plans.lapsed(language)

    async def compose(
        self,
        dialogue: Dialogue,
        user_id: int,
        notes: str = "",
        above: str = "",
        *,
        after: bool = False,
        tips: bool = True,
    ) -> Reply:
        """Return the hand with all that the player has to know: notes, and (with `tips`) a tip in their first games.

        `above`: a sentence above it all. `after`: right after an action, so that nothing that acts is where *Play* has
        just been pressed.
        """
        news = await self.find_news(dialogue, user_id)
        language, tip = dialogue.language, None
        table = dialogue.seated.table
        if tips and table.is_open:
            tip = await self._tip(dialogue, user_id)
        if table.in_dms:
            # No board in a channel says it.
            absent = absent_lines(language, table, await self._tables.users.several(table.people))
            notes = stack(notes, "\n".join(absent))
        above = above or (news.acted if table.is_open else "")
        if news.exchanged and above.startswith(DONE):
            # The gift: the hand itself shows what it brought.
            above = ""
        again = above.startswith(DONE) and news.is_next_turn_of(dialogue.seated)
        dialogue = replace(dialogue, news=news, again=again)
        note = stack(notes, "" if tip is None else learning.tip(language, tip, dialogue.seated.game.view))
        reply = await (dialogue.after(note, above) if after else dialogue.hand(note, above))
        if tip is not None and reply.panel is not None:
            reply.panel.button(language.t(buttons.NO_TIPS), NoTips(0), emoji="🔕")
        return reply

    async def lobby(self, table: Table, language: Language) -> Reply:
        """Return a lobby as a direct message to a player in it."""
        text = lobbies.lobby(language, table, await self._tables.notes(table.id))
        panel = lobby_panel(language, table, is_seated=True)
        try:
            picture = await self._pictures.lobby(table, language)
        except Busy:
            return Reply(text, panel)
        return Reply(text, panel, picture, lobbies.lobby_alt(language, table))

    async def end(self, table: Table, user_id: int, language: Language, prefers: Preferences, told: Reply) -> Reply:
        """Return the end of a game as a direct message: what is `told`, the last board, and its buttons."""
        panel = board_panel(language, table, in_words=prefers.in_words)
        panel.items += [] if told.panel is None else told.panel.items
        theme = prefers.theme or table.terms.theme
        if table.game is None:
            return replace(told, panel=panel)
        view = table.game.view()
        if theme == IN_WORDS:
            standing = positions.standing(language, table, view, MESSAGE_LIMIT - len(told.content) - 1)
            return replace(told, content=stack(told.content, standing), panel=panel)
        entries = self._tables.course(table).entries(max(table.number, 1))
        turned = None if prefers.as_public else table.played_by(user_id)
        try:
            picture = await self._pictures.board(table, view, entries, language, theme=theme, turned=turned)
        except Busy:
            return replace(told, panel=panel)
        return Reply(told.content, panel, picture, positions.alt(language, table, view, entries))

    async def _tip(self, dialogue: Dialogue, user_id: int) -> Tip | None:
        """Return a tip that fits the hand, counted as shown; None if none does, or the player wants none."""
        prefers = await self._tables.users.preferences(user_id)
        tip = tip_for(dialogue.seated.game, prefers.learned) if prefers.tips else None
        if tip is not None:
            shown = prefers.learned.get(tip_key(tip), 0) + 1
            await self._tables.users.prefer(user_id, learned={**prefers.learned, tip_key(tip): shown})
        return tip

    # Open answers

    @contextmanager
    def hold(self, table_id: int, user_id: int) -> Iterator[None]:
        """Leave the hand where it is while a press in it is answered; then let it catch up (`_follow_hand`)."""
        key = (table_id, user_id)
        self._held[key] += 1
        try:
            yield
        finally:
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]
                if self._open.find(*key) is not None:
                    self._begin(self._follow_hand, *key)

    def track(
        self,
        interaction: Interaction,
        table: Table,
        language: Language,
        *,
        moved: bool,
        choosing: Moment | None = None,
        done: str = "",
    ) -> None:
        """Remember that the answer to this interaction shows the hand of its user.

        `moved`: it is a new message, below what there was; `choosing` and `done`: as in `OpenHand`.
        """
        key, board = (table.id, interaction.user.id), _board(table)
        self._presence.note(*key)
        if is_away(interaction):
            # Only five messages can follow there.
            return
        if is_in_dm(interaction) and (pressed := interaction.message) is not None:
            if choosing is None or table.in_dms:
                self.show_in_dm(table, interaction.user.id, pressed.id, choosing)
            if any(letter.message_id == pressed.id for letter in table.messages):
                return
        before = self._open.find(*key)
        kept = board if moved or before is None else before.board_id
        seat = table.played_by(interaction.user.id)
        hand = OpenHand(
            interaction,
            language,
            board_id=kept,
            told=table.moment,
            choosing=choosing,
            done=done,
            acted=0 if seat is None else table.acted_at(seat).number,
            halted=table.halted,
        )
        self._open.keep(*key, hand)
        if moved and before is not None:
            self._begin(before.remove)

    def show_in_dm(self, table: Table, user_id: int, message_id: int, choosing: Moment | None = None) -> None:
        """Remember that a direct message shows the hand of the player's seat as it is now.

        `choosing`: the decision in the middle of which the player is.
        """
        self._in_dms[table.id, user_id] = (message_id, _shown(table, table.asked_of(user_id)), choosing)

    def fold_in_dm(self, table_id: int, user_id: int, message_id: int) -> None:
        """Remember that a direct message has only a line about a turn that is over."""
        self._in_dms[table_id, user_id] = (message_id, None, None)

    def is_shown_in_dm(self, table: Table, user_id: int, message_id: int) -> bool:
        """Return True if a direct message shows how things are for the seat, or the player is choosing there.

        A line alone is enough as long as the seat is not asked anything.
        """
        asked = table.asked_of(user_id)
        known_id, shown, choosing = self._in_dms.get((table.id, user_id), (0, None, None))
        is_enough = choosing == asked if asked is not None else shown is None and not table.in_dms
        is_newest = is_enough or shown == _shown(table, asked)
        return known_id == message_id and is_newest

    def drop_in_dm(self, table_id: int, user_id: int) -> None:
        """Remove the answer with a player's hand in direct messages, since a letter shows it below."""
        hand = self._open.find(table_id, user_id)
        if hand is not None and is_in_dm(hand.interaction):
            self._open.pop(table_id, user_id)
            self._begin(hand.remove)

    def expect(self, interaction: Interaction, table: Table, language: Language) -> None:
        """Bring the hand of this interaction's user below the next board."""
        if not is_in_dm(interaction) and not is_away(interaction):
            hand = OpenHand(interaction, language, 0, board_id=_board(table), told=table.moment)
            self._open.keep(table.id, interaction.user.id, hand)

    @staticmethod
    def settings(table: Table, user_id: int, language: Language) -> Reply:
        """Return what a user can see and choose in a lobby."""
        text = lobbies.settings(language, table, table.seat_of(user_id))
        panel = settings_panel(language, table, user_id)
        panel.button(language.t(buttons.LEARN), Lessons(table.id), emoji="🎓", row=0)
        return Reply(text, panel)

    def track_settings(
        self, interaction: Interaction, table: Table, language: Language, reply: Reply | None, *, moved: bool = False
    ) -> None:
        """Remember that the answer to this interaction shows the settings (`reply`) of a lobby, or the host's menus.

        `moved`: it is a new message, which replaces an earlier one.
        """
        before = self._settings.pop(table.id, interaction.user.id)
        if is_away(interaction):
            return
        self._settings.keep(table.id, interaction.user.id, OpenSettings(interaction, language, reply=reply))
        if moved and before is not None:
            self._begin(before.remove)

    def follow(self, table_id: int) -> None:
        """Bring the hands of those who are asked, or were played for, below the board that was just shown.

        What is open of a lobby's settings follows as well.
        """
        for user_id, settings in self._settings.at(table_id):
            self._begin(self._follow_settings, table_id, user_id, settings)
        for user_id, _ in self._open.at(table_id):
            if (table_id, user_id) not in self._held:
                self._begin(self._follow_hand, table_id, user_id)

    def _begin(self, change: Callable[..., Awaitable[None]], *about: object) -> None:
        """Begin to change an open answer; where that fails, it stays as it is."""

        async def work() -> None:
            try:
                await change(*about)
            except (BotError, *TROUBLE) as error:
                log.info("an open answer could not follow its table: %s", error)

        self._background.begin(work(), "change an open answer")

    async def _follow_settings(self, table_id: int, user_id: int, found: OpenSettings) -> None:
        """Show the settings of a lobby as they are now; remove them once it is closed."""
        table = await self._tables.get(table_id)
        if table.status is Status.CANCELLED and found.reply is None:
            # The host may have ended it there, and reads that.
            return
        if table.status is not Status.LOBBY:
            if self._settings.pop(table_id, user_id) is not None:
                await found.remove()
            return
        reply = self.settings(table, user_id, found.language)
        if found.reply not in (None, reply) and self._settings.find(table_id, user_id) is found:
            self._settings.swap(table_id, user_id, replace(found, reply=reply))
            await found.edit(reply)

    async def _follow_hand(self, table_id: int, user_id: int) -> None:
        """Show a hand as it is now: edited where it is, or as a new message if there is a board below it."""
        key = (table_id, user_id)
        table = await self._tables.get(table_id)
        hand = self._open.find(*key)
        if hand is None or not self._concerns(table, user_id, hand):
            return
        is_below = _board(table) == hand.board_id and hand.message_id != 0
        if is_below and table.moment == hand.told and table.halted == hand.halted:
            return
        if table.halted != hand.halted and hand.message_id != 0 and user_id not in table.waiting_for.values():
            # A pause and its end bring nothing for which the hand has to be beside the board.
            is_below = True
        prefers = await self._tables.users.preferences(user_id)
        dialogue = self.dialogue(table, user_id, hand.language, prefers)
        reply = await self.compose(dialogue, user_id, above=_tell_done(table, user_id, hand), after=True)
        if self._open.find(*key) is not hand or key in self._held:
            # The player has pressed something meanwhile, and sees what came of it.
            return
        if is_below:
            await hand.edit(reply)
            message_id = hand.message_id
        else:
            message_id = await hand.send_below(reply)
        shown = replace(
            hand,
            message_id=message_id,
            board_id=hand.board_id if is_below else _board(table),
            told=table.moment,
            choosing=None,
            done="",
            halted=table.halted,
        )
        self._open.swap(*key, shown)
        if not is_below:
            await hand.remove()

    def _concerns(self, table: Table, user_id: int, found: OpenHand) -> bool:
        """Return True if the player is asked something, their cards have changed without them, or a move is undone.

        A pause and its end concern all.
        """
        seat = table.played_by(user_id)
        if is_in_dm(found.interaction):
            # There letters follow the game.
            return False
        if seat is not None and table.is_open and table.halted != found.halted:
            return True
        if seat is None or table.status is not Status.PLAYING:
            # The last hand has no button left that is over.
            return seat is not None and not table.is_open
        if found.choosing is not None and table.decision(seat) == found.choosing:
            return False
        if table.takebacks != found.told.takebacks:
            return True
        entries = self._tables.course(table).entries(found.told.number + 1)
        exchanged = (event.seats for entry in entries for event in entry.events if event.kind is EventKind.EXCHANGED)
        changed = any(entry.seat == seat for entry in entries) or any(seat in seats for seats in exchanged)
        return changed or user_id in table.waiting_for.values()


def _tell_done(table: Table, user_id: int, hand: OpenHand) -> str:
    """Return what the player did last, or that others have agreed to take it back."""
    seat = table.played_by(user_id)
    if seat is None or not hand.done.startswith(DONE) or table.takebacks == hand.told.takebacks:
        return hand.done
    if table.acted_at(seat).number >= hand.acted:
        return hand.done
    return done_taken_back(hand.language, hand.done.removeprefix(DONE).strip())


def _shown(table: Table, asked: Moment | None) -> Moment | int:
    """Return what a direct message with the hand of a seat that is `asked` this shows.

    That is the state, at a table in direct messages; elsewhere what is asked, else the number of actions.
    """
    if table.in_dms:
        return table.version
    return table.number if asked is None else asked


def _board(table: Table) -> int:
    """Return the message that shows the table; 0 if there is none."""
    return 0 if table.shown is None else table.shown.posted_id
