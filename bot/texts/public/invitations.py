"""Invitations to tables, and searches for one; lists of tables to join and to watch."""

from __future__ import annotations

from collections.abc import Sequence

from bot.languages import Language
from bot.table import Seek, Table
from bot.texts import buttons
from bot.texts.markup import bold, item, link, moment, role, safe, user
from bot.texts.names import pace_name, said, said_of_table, sentences, system_name
from bot.texts.public import boards
from bot.texts.public.lobbies import players_option

found_anywhere = said_of_table("Found players for {code}: it's in your direct messages. They have a day to join.")


def told_role(role_id: int) -> str:
    """Mention the role that is told of new tables."""
    return f"🔔 {role(role_id)}"


def invitation(language: Language, table: Table, by: str, users: Sequence[int]) -> str:
    """Invite people to a lobby in the name of `by`; they are mentioned."""
    return language.t(
        "📨 {who} invites {people} to {code}: {system}. Press {join}, above or here.",
        who=bold(safe(by)),
        people=language.listed(map(user, users)),
        code=bold(table.code),
        system=system_name(language, table.system),
        join=buttons.named(language, buttons.JOIN),
    )


def invitation_here(language: Language, table: Table, by: str) -> str:
    """Invite the reader of a direct message to a lobby in the name of `by`."""
    return language.t(
        "📨 {who} invites you to {code}: {system}, {players} players, {pace}.",
        who=bold(safe(by)),
        code=bold(table.code),
        system=system_name(language, table.system),
        players=table.players,
        pace=pace_name(language, table.terms.pace),
    )


def found(language: Language, table: Table, users: Sequence[int]) -> str:
    """Tell people who were looking for a table like this one; they are mentioned."""
    return language.n(
        "🔎 {people}: {code} fits what you're looking for. Press {join}, above or here.",
        "🔎 {people}: {code} fits what you're looking for. Press {join}, above or here.",
        len(users),
        people=language.listed(map(user, users)),
        code=bold(table.code),
        join=buttons.named(language, buttons.JOIN),
    )


def invited(language: Language, users: Sequence[int]) -> str:
    """Tell a player that their invitations have gone out."""
    return language.t("Invited: {people}.", people=language.listed(map(user, users)))


def seek_found(language: Language, table: Table) -> str:
    """Tell a player who looked for a table and sits at one now."""
    return language.t(
        "Found one: you're at {code}, {link}.",
        code=bold(table.code),
        link=link(language.t("here"), boards.board_link(table)),
    )


def _what_is_sought(language: Language, seek: Seek) -> str:
    wanted = [system_name(language, seek.system)] if seek.system else []
    wanted += [players_option(language, seek.players)] if seek.players else []
    wanted += [pace_name(language, seek.pace)] if seek.pace else []
    return " · ".join(wanted) or language.t("any game")


def seek_waits_anywhere(language: Language, seek: Seek) -> str:
    """Tell a player who looks for people on any servers that there are not enough yet."""
    return language.t(
        "🔎 Not enough players yet ({what}). I'll message you if I find them before {when}.",
        what=_what_is_sought(language, seek),
        when=moment(seek.ends_at),
    )


def seek_waits(language: Language, seek: Seek, others: int) -> str:
    """Tell a player for whom there is no table yet; `others`: how many look for the same."""
    told = language.t(
        "🔎 No table yet ({what}). I'll ping you if one opens before {when}.",
        what=_what_is_sought(language, seek),
        when=moment(seek.ends_at),
    )
    if not others:
        return sentences(told, language.t("Or open one yourself: `/dog new`."))
    more = language.n(
        "{count} other person is looking, too. Open a table with `/dog new`, and I'll tell them.",
        "{count} other people are looking, too. Open a table with `/dog new`, and I'll tell them.",
        others,
    )
    return sentences(told, more)


reminded = said("🔔 I'll ping you if a seat comes free within a day, here or at a similar table.")
seek_ended = said("You've stopped looking for a table.")
waiting_head = said("Tables here with a free seat:")
running_head = said("Games here that you can watch:")
nobody_can_be_invited = said("You can't invite bots. Invite a person.")
enough_sent = said("You've sent enough invitations for now. Give people your table's code.")


def enough_invitations(language: Language, users: Sequence[int]) -> str:
    """Say that these people were not invited, since they have had enough invitations."""
    return language.n(
        "{people} can't get any more invitations today. Give them your table's code.",
        "{people} can't get any more invitations today. Give them your table's code.",
        len(users),
        people=language.listed(map(user, users)),
    )


def want_none(language: Language, users: Sequence[int]) -> str:
    """Say that these people were not invited, since they have chosen that."""
    return language.n(
        "{people} doesn't accept invitations, but can join with your table's code.",
        "{people} don't accept invitations, but can join with your table's code.",
        len(users),
        people=language.listed(map(user, users)),
    )


def waiting_line(language: Language, table: Table, free: int) -> str:
    """Return an open table with free seats in a list."""
    return item(
        language.n(
            "{code} · {system}, {players} players · {pace} · {count} free seat",
            "{code} · {system}, {players} players · {pace} · {count} free seats",
            free,
            code=link(bold(table.code), boards.board_link(table)),
            system=system_name(language, table.system),
            players=table.players,
            pace=pace_name(language, table.terms.pace),
        )
    )
