"""The list of somebody's games, and of those that need them."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Status, Table
from bot.texts import boards
from bot.texts.markup import bold, item, link, until
from bot.texts.words import Names, computers_line, levels_of, listing, system_name


def none(language: Language) -> str:
    """There are no open games."""
    return language.t("You have no open games. Open one with `/dog new`.")


def head(language: Language) -> str:
    """Above the list."""
    return language.t("Your games:")


def no_turn(language: Language) -> str:
    """No game is waiting for the reader."""
    return language.t("It is not your turn in any game. `/dog games` lists your games.")


def line(language: Language, table: Table, user_id: int) -> str:
    """One game in the list: its code links to the board, and what it is waiting for."""
    code = link(bold(table.code), boards.board_link(table))
    game = f"{code} · {system_name(language, table.system)}"
    line = _line(language, table, table.seat_of(user_id), game)
    if levels := levels_of(table):
        line = f"{line} · {computers_line(language, Names.of(table, language), levels)}"
    return item(line)


def _line(language: Language, table: Table, seat: int | None, game: str) -> str:
    if table.status is Status.LOBBY:
        return language.t("{game} · waiting for players", game=game)
    if table.lost is not None:
        return language.t("{game} · ⚠️ has lost its place: `/dog move` takes it elsewhere", game=game)
    if table.status is Status.PAUSED:
        return language.t("{game} · paused", game=game)
    if seat is not None and seat in table.waiting_for:
        clock = table.clocks.get(seat)
        if clock is not None and clock.ends_at is not None:
            return language.t("{game} · **your turn**, time runs out {when}", game=game, when=until(clock.ends_at))
        return language.t("{game} · **your turn**", game=game)
    names = Names.of(table, language)
    waiting = listing(language, (names.marked(one) for one in table.to_act))
    return language.t("{game} · waiting for {names}", game=game, names=waiting or "…")
