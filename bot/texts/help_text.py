"""The answer to `/dog help`."""

from __future__ import annotations

from bot.languages import Language
from bot.texts import buttons
from bot.texts.markup import fixed, heading
from bot.texts.names import look_name
from bot.texts.positions import IN_WORDS


def overview(language: Language) -> str:
    """First steps and all commands, in one message."""
    t = language.t
    lines = [
        heading(t("DOG: a card race for partners")),
        t(
            "Open a table with `/dog new`, let friends join or add computer players, and press {start}. "
            "Press {my_hand} to see your cards; nobody else ever sees them. "
            "Partners do not tell each other their cards.",
            start=buttons.named(language, buttons.START),
            my_hand=buttons.named(language, buttons.MY_HAND),
        ),
        "",
        t(
            "`/dog new` opens a table in this channel; hints are off unless its host turns them on with {option}",
            option=fixed(t("hints")),
        ),
        t("`/dog hand` shows your cards and lets you play"),
        t("`/dog play` plays a card from the keyboard"),
        t(
            "`/dog board` shows the newest board, with your own side at the bottom; with {option}, in words",
            option=fixed(t("text")),
        ),
        t("`/dog history` tells what has happened, `/dog replay` shows it as an animation"),
        t("`/dog games` lists your games, `/dog next` opens the most urgent one"),
        t(
            "`/dog me notify` chooses where you are told about your turns; "
            "`/dog me quiet` and `/dog me away` stop your clock"
        ),
        t("`/dog computer` adds a computer player or chooses how strong one plays (host)"),
        t("`/dog review` looks back at a finished game"),
        t("`/dog card` makes a picture of a finished game, to share"),
        t(
            "`/dog me theme` changes the look of what only you see; {text} plays without pictures",
            text=look_name(language, IN_WORDS),
        ),
        t("`/dog nudge` nudges whoever you are waiting for; `/dog takeback` takes your last move back"),
        t("`/dog move` takes a game to another channel or thread"),
        t("`/dog-admin` is for moderators: settings, pausing, ending any game, bans"),
        t("`/dog rules` explains the rules"),
        t("`/dog resign` hands your seat to a computer player"),
        t("`/dog cancel` ends a game for everyone (host and moderators)"),
    ]
    return "\n".join(lines)
