"""`/dog help`: first steps, and what each command is for."""

from __future__ import annotations

from bot.languages import Language
from bot.languages import mark as _
from bot.texts import buttons
from bot.texts.markup import heading
from bot.texts.names import option

_HELP = (
    _("New to it? `/dog learn` shows you how, `/dog rules` has a picture for each rule."),
    _(
        "`/dog new` opens a table: friends press {join}, computers take free seats ({fill}), and {start} deals. "
        "{my_hand} shows your cards, to you alone, and what you can play."
    ),
    _(
        "Others see what you play, how many cards you hold, and a hand that you lay down; "
        "only whoever gets it sees the card that you give."
    ),
    "",
    _("`/dog hand` shows your cards and lets you play, `/dog play` does so by keyboard"),
    _("`/dog board` shows the newest board; {text}: in words"),
    _("`/dog games` lists your games, `/dog next` the most urgent hand"),
    _("`/dog takeback` takes your last move back; `/dog nudge` nudges others"),
    _("`/dog history` tells the game, `/dog replay` shows it"),
    _("`/dog me notify` chooses how you are told of turns; `/dog me quiet` and `/dog me away` stop your clock"),
    _("`/dog me theme` changes the look, or puts boards into words"),
    _("`/dog me language` chooses the language of what only you see"),
    _("`/dog table computer` adds a computer player or sets its level (host); `/dog table hints` asks to allow hints"),
    _("`/dog move` takes a game elsewhere, `/dog resign` leaves it to a computer, `/dog cancel` ends it (host)"),
    _("`/dog review` looks back at a finished game, `/dog card` is a picture of it, `/dog verify` checks its shuffles"),
    _("`/dog puzzle` is new every day, `/dog stats` shows your games and rating, `/dog me privacy` your data"),
)
"""First steps, and the commands in the order in which people need them."""


def overview(language: Language) -> str:
    """First steps and all commands, in one message."""
    filled = {
        "join": buttons.named(language, buttons.JOIN),
        "fill": buttons.named(language, buttons.FILL),
        "start": buttons.named(language, buttons.START),
        "my_hand": buttons.named(language, buttons.MY_HAND),
        "text": option(language, "text"),
    }
    return "\n".join(
        [heading(language.t("DOG: a card race for partners")), *(language.t(one, **filled) for one in _HELP)]
    )
