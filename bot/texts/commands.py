"""The slash commands in words: their names, what Discord shows beside them, their options and choices.

Only this file knows the names of commands. Sentences elsewhere name a command as it is typed in English, in code marks
("`/dog hand` shows your cards"); `bot.languages.mentions` turns that into the command in the reader's language, and
`python -m tools.catalogues check` accepts no others than these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bot.languages import Language
from bot.languages import mark as _
from bot.preferences import AwayHow, Notify, Openers
from bot.texts.markup import fixed
from bot.texts.names import EVERYONE, MODERATORS, PACE_NAMES

DOG, ADMIN, MODERATE = "dog", "dog-admin", "moderate"
"""The groups: everybody's commands, the moderators', and among these the ones about people."""


class Command(NamedTuple):
    """What Discord shows beside a command or group, and beside its options, keyed by name."""

    text: str
    options: Mapping[str, str] = {}


GAME = _("Code of the game, such as FOX-7")
"""The option of every command about one game."""

MEMBER = _("The member")
"""The option of the commands about somebody."""

COMMANDS: Mapping[str, Command] = {
    "dog": Command(_("Play DOG with friends, a move here and there")),
    "dog away": Command(
        _("Say how long you will be away, or that you are back"),
        {
            "until": _("The day you come back, such as 2026-12-24; leave it out to see, change or end it"),
            "meanwhile": _("What your games do (they wait for you if you leave it out)"),
        },
    ),
    "dog board": Command(
        _("Look at the newest board, in private"),
        {"text": _("In words instead of a picture, for screen readers and braille")},
    ),
    "dog cancel": Command(_("End a game for everyone (host)")),
    "dog card": Command(_("A picture of a finished game, to share")),
    "dog computer": Command(
        _("Add a computer player, or choose how strong one plays (host)"),
        {
            "level": _("How strong it plays (normal if you leave it out)"),
            "seat": _("Where (the first free seat if you leave it out)"),
        },
    ),
    "dog games": Command(_("List your games, everywhere")),
    "dog hand": Command(_("Look at your cards and play, in private")),
    "dog help": Command(_("How to play here")),
    "dog history": Command(_("Read what has happened in a game")),
    "dog move": Command(
        _("Continue a game in another channel"),
        {"to": _("Where to (here, if you leave it out)"), "thread": _("Open a thread for it there")},
    ),
    "dog new": Command(
        _("Open a table in this channel"),
        {
            "rules": _("Rule system (Classic DOG if you leave it out)"),
            "players": _("How many play (4 if you leave it out)"),
            "pace": _("Time for a move (24 hours if you leave it out)"),
            "hints": _("Let the players ask a computer player for advice (off if you leave it out)"),
            "canadian_seven": _("House rule: share a seven among your own and your partner's pieces"),
            "thread": _("Play in a thread of its own (the server's setting if you leave it out)"),
        },
    ),
    "dog next": Command(_("Open the hand of your most urgent game")),
    "dog notify": Command(
        _("Choose where you are told about your turns"), {"where": _("Where to tell you that it is your turn")}
    ),
    "dog nudge": Command(_("Nudge whoever you are waiting for, once per turn")),
    "dog play": Command(
        _("Play a card from the keyboard"),
        {"card": _("The card"), "move": _("What it does; leave it out to choose with buttons")},
    ),
    "dog quiet": Command(
        _("Hours during which your clock stands still"),
        {
            "from": _("Beginning, such as 22:00; leave everything out to see, change or end them"),
            "until": _("End, such as 07:30; at most 10 hours later"),
            "time_zone": _("Where you live, such as Europe/Zurich"),
        },
    ),
    "dog replay": Command(
        _("Watch the game again, in private"), {"since": _("From where (since your last turn if you leave it out)")}
    ),
    "dog review": Command(_("Review a finished game: its course, and turns of yours to think about")),
    "dog resign": Command(_("Leave a running game: a computer player takes your seat")),
    "dog rules": Command(
        _("Read the rules in short"),
        {
            "rules": _("Rule system (that of this channel's game if you leave it out)"),
            "players": _("How many play"),
        },
    ),
    "dog takeback": Command(_("Take your last move back, if the others agree")),
    "dog theme": Command(
        _("The look of boards and hands only you see"), {"look": _("The look; leave it out to see, change or end it")}
    ),
    "dog-admin": Command(_("Moderate DOG games on this server")),
    "dog-admin cancel": Command(_("End any game for everyone")),
    "dog-admin moderate": Command(_("Bans from games, and what moderators have done")),
    "dog-admin moderate ban": Command(
        _("Ban a member from all games"), {"member": MEMBER, "reason": _("What they are told")}
    ),
    "dog-admin moderate bans": Command(_("Who may not play here")),
    "dog-admin moderate log": Command(_("What moderators have done")),
    "dog-admin moderate unban": Command(_("Let a member play again"), {"member": MEMBER}),
    "dog-admin pause": Command(_("Stop a game's clock"), {"reason": _("What the history says about it")}),
    "dog-admin resume": Command(_("Continue a paused game")),
    "dog-admin settings": Command(
        _("How games work on this server"),
        {
            "games_in": _("Allow games in this channel, or forbid them if it was allowed"),
            "channels": _("Forget the list: games everywhere"),
            "rules": _("Default rule system"),
            "pace": _("Default time for a move"),
            "language": _("Language of public messages"),
            "theme": _("Look of public pictures"),
            "openers": _("Who may open games"),
            "role": _("Let this role open games, or stop letting it"),
            "per_channel": _("Most games open in one channel (0: no limit)"),
            "per_member": _("Most open games that one member may play or host (0: no limit)"),
            "threads": _("Give each game a thread of its own"),
            "old_pictures": _("Old boards keep a small picture"),
        },
    ),
}
"""Every command by its name as typed, without the slash."""

WHERE = {
    Notify.CHANNEL: _("in the channel"),
    Notify.DM: _("by direct message, with your hand"),
    Notify.BOTH: _("both"),
    Notify.SILENT: _("nowhere"),
}
MEANWHILE = {AwayHow.SLOW: _("they wait for me"), AwayHow.COMPUTER: _("a computer plays for me")}
OPENERS = {
    Openers.EVERYONE: EVERYONE,
    Openers.ROLES: _("certain roles"),
    Openers.MODERATORS: MODERATORS,
}
LAST_TURN, BEGINNING = _("my last turn"), _("the beginning")
ALL_CHANNELS = _("all channels")
IN_WORDS = _("text, without pictures")
"""The choices for some of the options."""


def names() -> Iterator[str]:
    """What Discord lists: the names of commands and options, word by word, and the choices."""
    for name, command in COMMANDS.items():
        yield name.split()[-1]
        yield from command.options
    yield "game"
    for choices in (WHERE, MEANWHILE, OPENERS):
        yield from choices.values()
    yield from (LAST_TURN, BEGINNING, ALL_CHANNELS, IN_WORDS, *PACE_NAMES.values())


def typed(name: str) -> str:
    """A command to be filled into a sentence, by its name in `COMMANDS`."""
    if name not in COMMANDS:
        raise ValueError(f"there is no command {name!r}")
    return fixed(f"/{name}")


def option(language: Language, name: str) -> str:
    """The name of an option in a sentence, as the reader's Discord shows it."""
    return fixed(language.t(name))
