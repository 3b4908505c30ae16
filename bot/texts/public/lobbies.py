"""Opening a table: the lobby's message, private answers about it, and the list of a member's games."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from bot.consent import HOST_WAITS
from bot.languages import Language, own_name
from bot.languages import mark as _
from bot.occupants import Occupant
from bot.pace import NO_WEEKENDS, pace_of
from bot.table import INVITED, Note, NoteKind, Status, Table, Terms
from bot.texts import buttons, markup
from bot.texts.markup import ALT_LIMIT, bold, fit, heading, item, link, moment, role, safe, small, until, user
from bot.texts.names import (
    HOUSE_RULES,
    MARKS,
    Names,
    capital,
    colour,
    computers_line,
    house_rules,
    level_name,
    levels_of,
    option,
    pace_label,
    pace_name,
    quote,
    said,
    said_of_table,
    sentences,
    sign,
    system_name,
    with_level,
)
from bot.texts.positions import SHORT
from bot.texts.public import boards
from bot.texts.public.lengths import LENGTHS
from engine import SYSTEMS, Options, Teams, WhyNot, why_refused
from engine.rules.origins import kept_hands

_OPENED = said_of_table("Table {code} is open: {place}.")
_BEGUN = said_of_table("{code} has begun already: {place}.")
_SEATED = said_of_table("You're in {code}, playing {mark} {colour}.")
_BEGUN_IN_DMS = said_of_table("{code} has begun already, here in direct messages.")

not_here = said("I'm not on this server. Play in direct messages, or ask a server manager to add me.")
opened_in_dms = said_of_table(
    "Table {code} is open, here in direct messages. Friends can join with `/dog join` and this code. "
    "Or invite them: `/dog table invite`."
)
_BEGUN_FROM = said_of_table("{code} goes on from there. Computers have the other seats.")
_BEGUN_WITH_HAND = said_of_table("{code} goes on from there. You have the same cards, the computers have new ones.")
opened_in_your_dms = said_of_table(
    "Table {code} is open in our direct messages. Friends can join with `/dog join` and this code."
)
arranging = said_of_table("Change {code}. Everyone sees it in the lobby.")
"""Above the menus with which the host changes the game."""

ask_free = said_of_table("Remove {name} from {code}? They can come back only if you invite them.")
_stays_here = said_of_table("{code} stays in this channel.")
which_computer = said("Which computer? Pick its seat from the list.")
which_game = said("Which game do you mean?")
no_games = said("You have no open games. Open one with `/dog new`.")
games_head = said("Your games:")
no_turn = said("No game is waiting for you. See them all: `/dog games`.")


SYSTEM_KINDS: Mapping[str, str] = {
    "classic": _("Two against two: split sevens, swap with jacks, block from your start."),
    "family": _("Two teams, a shorter board: partners give cards only when asked, only fresh pieces block."),
    "dobney": _("For 4, or 6 with shortcuts through the middle. Fours can back into the lane."),
    "royal-basic": _("Two to six, with its own cards: magnets pull pieces ahead, everyone begins with one out."),
    "royal": _("Two to six, and every piece has a rank: king, knight, citizen and jester, each with a power."),
    "swiss": _("Two to eight, the boxed family game: fresh pieces block, and sevens are split."),
    "keezen": _("Two to eight, the Dutch game: no jokers, no card exchange, fours only go backwards."),
    "tock": _("Two to eight, the French and Canadian game: fives move other players' pieces, tens steal a card."),
    "jackaroo": _("Two teams, the Gulf game: aces can move 11, and you can't pass your own pieces."),
}
"""The kind of game of each rule system: one sentence, which fits into a line of a menu."""

_AGAIN = _("➜ {people}: press {join} if you want to play again.", "➜ {people}: press {join} if you want to play again.")
_INVITED = _("➜ {people}: you're invited, press {join}.", "➜ {people}: you're invited, press {join}.")

EXPIRED = _("The game wasn't started in time.")
"""The end of a lobby without a game, on its board and in its history."""

HOSTED = _("{who} is the host now.")
"""The news that another player is host, in a lobby and in a history."""

TURN_SECONDS = 30
"""The time of a turn when people sit together, for the estimate of a game's length."""

QUICK = frozenset({"live", "none"})
"""The paces at which people sit together."""


def opened(language: Language, table: Table) -> str:
    """Return that a table is open, and where."""
    return (opened_in_dms if table.in_dms else _OPENED)(language, table)


def begun(language: Language, table: Table) -> str:
    """Return that a rematch has started already, and where."""
    return (_BEGUN_IN_DMS if table.in_dms else _BEGUN)(language, table)


def begun_from(language: Language, table: Table, seat: int | None) -> str:
    """Return that a game goes on from a position, alone with computers; `seat`: whose hand it was to keep."""
    kept = () if table.terms.origin is None else kept_hands(table.terms.origin)
    return (_BEGUN_WITH_HAND if seat in kept else _BEGUN_FROM)(language, table)


def length_line(language: Language, terms: Terms) -> str:
    """Return how long a game takes, in words; empty if that was not measured, or if turns may take hours."""
    length = LENGTHS.get((terms.system, terms.players))
    if length is None or terms.pace not in QUICK:
        return ""
    _rounds, turns = length
    minutes = round(turns * terms.players * TURN_SECONDS / 60 / 10) * 10
    return language.t("About {minutes} minutes.", minutes=minutes)


def labels(language: Language, table: Table) -> str:
    """Return what else there is to know of a table before the start, in one line of labels."""
    t, terms = language.t, table.terms
    parts = [players_option(language, table.players), pace_label(language, terms.pace)]
    if terms.origin is not None:
        parts.append(language.p("label", "from a position, unrated"))
        parts += [t("💡 hints")] if terms.hints else []
    elif terms.hints:
        parts.append(t("💡 hints, unrated"))
    elif terms.options.open_hands:
        parts.append(language.p("label", "open hands, unrated"))
    elif any(who.is_computer for who in table.occupants.values()):
        parts.append(f"🤖 {t(buttons.UNRATED)}")
    elif not terms.rated:
        parts.append(t(buttons.UNRATED))
    else:
        parts.append(f"📈 {t(buttons.RATED)}")
    if terms.admits is not None:
        parts.append(admitted(language, terms.admits))
    if not terms.talk:
        parts.append(f"🤐 {t(buttons.TALK_OFF)}")
    return " · ".join(parts)


FEW_RULES = 2
"""The most house rules that a lobby calls by their names."""


def _house_label(language: Language, options: Options) -> str:
    """Return the house rules as a label: a few by their names, which stand before a colon; of more, how many."""
    rules = house_rules(options)
    if len(rules) > FEW_RULES:
        return language.n("🏠 {count} house rule", "🏠 {count} house rules", len(rules))
    names = (language.t(HOUSE_RULES[name]).partition(":")[0].strip().removesuffix(".") for name in rules)
    return " · ".join(f"🏠 {name}" for name in names)


def lobby(language: Language, table: Table, notes: Sequence[Note] = (), *, whole: bool = False) -> str:
    """Return the lobby: which game, its terms as labels, seats by team, news, and what it waits for.

    Those who are invited are mentioned. `notes`: what has happened there; the newest is told. `whole`: with the
    sentences behind the labels, as `settings` tells them. Once the lobby is closed, one line says what became of it.
    """
    system = system_name(language, table.system)
    if table.status is not Status.LOBBY:
        return " · ".join((bold(table.code), system, _lobby_status(language, table, {})))
    invited = table.expected
    teams, names = table.board.teams, Names.of(replace(table, occupants={**invited, **table.occupants}), language)
    seats = [" + ".join(_lobby_seat(language, table, names, seat, invited) for seat in team) for team in teams]
    if all(len(team) == 1 for team in teams):
        seats = [" · ".join(seats)]
    shown = (labels(language, table), "" if whole else _house_label(language, table.options))
    lines = [heading(f"{table.code} · {system}"), small(" · ".join(filter(None, shown))), *seats]
    lines += [_news(language, table, notes), _lobby_status(language, table, invited)]
    if table.announced is not None:
        lines.append(boards.announcement(language, table.announced))
    return markup.stack(*lines, *(_terms(language, table) if whole else ()))


def _dealt_line(language: Language, table: Table, origin: str) -> str:
    """Return which cards are new in a game that begins with a position."""
    kept = kept_hands(origin)
    if table.board.system.open_hands or not kept:
        return language.t("It continues another game. Hidden cards are dealt again.")
    name = Names.of(table, language).marked(next(iter(kept)))
    return language.t("It continues another game. {name} has the same cards, all others are dealt again.", name=name)


def _terms(language: Language, table: Table) -> list[str]:
    """Return the kind of game, its length and its house rules, in sentences."""
    kind = language.t(SYSTEM_KINDS[table.system]) if table.system in SYSTEM_KINDS else ""
    lines = [sentences(kind, "" if table.terms.origin else length_line(language, table.terms))]
    if table.terms.origin is not None:
        lines.append(_dealt_line(language, table, table.terms.origin))
    return [*lines, *(f"🏠 {language.t(HOUSE_RULES[name])}" for name in house_rules(table.options))]


def settings(language: Language, table: Table, seat: int | None) -> str:
    """Return what stands above the menus of a lobby, for the player on a seat or (None) someone without one."""
    names = Names.of(table, language)
    own = "" if seat is None else language.t("Your seat: {name}", name=names.marked(seat))
    computers = computers_line(language, names, levels_of(table))
    return markup.stack(f"{bold(table.code)} · {labels(language, table)}", *_terms(language, table), computers, own)


def _news(language: Language, table: Table, notes: Sequence[Note]) -> str:
    """Return the last change in a lobby: terms, partners, or a computer player's seat."""
    kinds = (NoteKind.CHANGED, NoteKind.PARTNERS, NoteKind.REPLACED, NoteKind.HOSTED)
    last = next((note for note in reversed(notes) if note.kind in kinds), None)
    if last is None or table.status is not Status.LOBBY:
        return ""
    seat = table.seat_of(last.actor_id or 0)
    who = user(last.actor_id or 0) if seat is None else Names.of(table, language).marked(seat)
    return f"✏️ {change_line(language, last, who)}"


def change_line(language: Language, note: Note, who: str) -> str:
    """Say what a player (`who`) changed in the lobby, by the note about it."""
    t = language.t
    if note.kind is NoteKind.REPLACED:
        return t("{who} replaces {computer} 🤖.", who=who, computer=bold(safe(str(note.data["name"]))))
    if note.kind is NoteKind.HOSTED:
        return t(HOSTED, who=who)
    if note.kind is NoteKind.PARTNERS:
        return t("{who} swaps partners.", who=who)
    return t("{who} changes the game: {changes}.", who=who, changes=language.listed(_changes(language, note)))


def _changes(language: Language, note: Note) -> list[str]:
    """Return the new terms in a note about a change."""
    p, data = language.p, note.data
    changes = []
    if "system" in data:
        changes.append(system_name(language, str(data["system"])))
    if "players" in data:
        changes.append(players_option(language, int(str(data["players"]))))
    if "pace" in data:
        changes.append(pace_name(language, str(data["pace"])))
    if "hints" in data:
        changes.append(p("change", "with hints") if data["hints"] else p("change", "without hints"))
    if "talk" in data:
        changes.append(p("change", "with table talk") if data["talk"] else p("change", "without table talk"))
    if "by_hand" in data:
        changes.append(p("change", "the host starts it") if data["by_hand"] else p("change", "it starts automatically"))
    if "admits" in data:
        changes.append(
            p("change", "open to all") if data["admits"] is None else p("change", "for invited players only")
        )
    if "rated" in data:
        changes.append(p("change", "rated") if data["rated"] else p("change", "unrated"))
    if "options" in data:
        changes.append(p("change", "house rules"))
    if "locale" in data:
        changes.append(own_name(str(data["locale"])))
    return changes


def admitted(language: Language, admits: int) -> str:
    """Return who may join a lobby that is not open to all, in a few words."""
    return language.t("🔒 invited players only") if admits == INVITED else f"🔒 {role(admits)}"


def players_option(language: Language, players: int, teams: Teams | None = None) -> str:
    """Return a number of players in a menu, with other teams than the usual ones."""
    label = language.t("{players} players", players=players)
    return label if teams is None else f"{label} · {teams_option(language, teams)}"


def teams_option(language: Language, teams: Teams | None) -> str:
    """Return the teams in a menu."""
    return language.t("The usual teams.") if teams is None else language.t(HOUSE_RULES[teams])


def players_menu(language: Language, table: Table) -> str:
    """Return the label of the menu of players: what it is set to, and what else it has."""
    parts = [players_option(language, table.players, table.options.teams), language.p("menu", "who can join")]
    if table.owners.keys() - {table.host_id}:
        parts.append(language.p("menu", "remove a player"))
    return " · ".join(parts)


def pace_menu(language: Language, table: Table) -> str:
    """Return the label of the menu of paces: what it is set to, and what else it has."""
    p, pace = language.p, table.terms.pace
    parts = [pace_label(language, pace), p("menu", "start")]
    if table.can_be_rated:
        parts.append(p("menu", "rating"))
    if pace_of(pace.removesuffix(NO_WEEKENDS) + NO_WEEKENDS) is not None:
        parts.append(p("menu", "weekends"))
    return " · ".join(parts)


def house_menu(language: Language, options: Options) -> str:
    """Return the label of a menu of house rules, with how many of them are on."""
    on = sum(value is True for value in options.to_json().values())
    return language.n("House rules: {count} on", "House rules: {count} on", on) if on else language.t(buttons.HOUSE)


WHY_NOT: Mapping[WhyNot, str] = {
    WhyNot.ALREADY: _("This game already has that rule."),
    WhyNot.NO_SUCH_TEAMS: _("Those teams don't fit that many players."),
    WhyNot.NO_PARTNERS: _("That needs partners, but everyone plays alone here."),
    WhyNot.NO_SEVEN: _("No card can be split among pieces here."),
    WhyNot.NO_JOKER: _("This game has no jokers."),
    WhyNot.NOT_COMPLEX: _("There's no complex version of this game."),
}
"""The reasons to refuse a house rule."""

no_such_house = said("There's no such house rule. Pick one from the list.")


def wrong_house(language: Language, option: str, why: WhyNot) -> str:
    """Say that a house rule makes no sense in this game, and why."""
    rule = language.t(HOUSE_RULES[option]) if option in HOUSE_RULES else ""
    return sentences("🏠", rule, language.t(WHY_NOT[why]))


def house_line(language: Language, options: Options) -> str:
    """List house rules in one line."""
    text = sentences(*(language.t(HOUSE_RULES[name]) for name in house_rules(options)))
    return text or language.t("No house rules.")


def contribution_line(language: Language, table: Table, seat: int, words: str | None) -> str:
    """Tell a player their seat and, if they chose any, the words that are mixed into the shuffles."""
    seated = _SEATED(language, table, seat)
    if words is None:
        return seated
    return sentences(seated, language.t("Mixed into the shuffles: {text}", text=quote(language, words)))


no_contribution = said("Write one line of at most 60 characters.")


def _lobby_status(language: Language, table: Table, invited: Mapping[int, Occupant]) -> str:
    """Say what a lobby is waiting for, or how it ended."""
    if table.status is Status.CANCELLED and table.expires_at is not None and (table.ended_at or 0) >= table.expires_at:
        return f"{language.t(EXPIRED)} {language.t('Open another one with `/dog new`.')}"
    if table.status is Status.CANCELLED:
        return boards.cancelled(language)
    if table.status is not Status.LOBBY:
        board = link(language.t(buttons.TO_BOARD), boards.board_link(table))
        return sentences(language.t("The game has begun."), board)
    if invited:
        people = language.listed(user(who.user_id or 0) for who in invited.values())
        text = _AGAIN if table.rematch_of is not None else _INVITED
        return language.tn(text, len(invited), people=people, join=buttons.named(language, buttons.JOIN))
    if table.free:
        return language.n(
            "➜ {count} seat free.",
            "➜ {count} seats free.",
            len(table.free),
        )
    return everyone_here(language, table)


def everyone_here(language: Language, table: Table) -> str:
    """Return that a lobby is full, and how it starts."""
    if table.full_since is None:
        start = buttons.named(language, buttons.START)
        return language.t("All seats are taken. {host}, press {start}.", host=user(table.host_id), start=start)
    here = "" if table.not_before is not None or table.starts_at is not None else language.t("Everyone is here.")
    return sentences(here, how_it_starts(language, table))


def how_it_starts(language: Language, table: Table) -> str:
    """Return who starts a full lobby of several people and when, or when it starts by itself."""
    host = user(table.host_id)
    changed = "" if table.not_before is None else language.t("The host changed the game: look it over.")
    if table.starts_at is not None and changed:
        return sentences(changed, language.t("It starts automatically at {when}.", when=moment(table.starts_at, "T")))
    if table.starts_at is not None:
        start, wait = (buttons.named(language, button) for button in (buttons.START, buttons.WAIT_TO_START))
        text = _("It starts automatically at {when}. {host}: {start} or {wait}.")
        return language.t(text, when=moment(table.starts_at, "T"), host=host, start=start, wait=wait)
    anyone_at = (table.full_since or 0) + HOST_WAITS
    if table.not_before is None:
        when = moment(anyone_at, "T")
        return language.t("{host} can start the game. From {when}, any player can.", host=host, when=when)
    told = language.t(
        "{host} can start it from {when}, any player from {later}.",
        host=host,
        when=moment(table.not_before, "T"),
        later=moment(max(anyone_at, table.not_before), "T"),
    )
    return sentences(changed, told)


def you_start(language: Language, table: Table) -> str:
    """Return how a full lobby starts, to its host."""
    start = buttons.named(language, buttons.START)
    if table.starts_at is not None:
        when = moment(table.starts_at, "T")
        return language.t("It starts automatically at {when}, or once you press {start}.", when=when, start=start)
    if table.not_before is not None:
        return language.t("You can start it from {when}.", when=moment(table.not_before, "T"))
    return language.t("You can start it.")


def full(language: Language, table: Table, users: Sequence[int]) -> str:
    """Return that all have sat down, with a mention of these users."""
    return sentences(bold(table.code), *map(user, users), everyone_here(language, table))


def _lobby_seat(language: Language, table: Table, names: Names, seat: int, invited: Mapping[int, Occupant]) -> str:
    who = table.occupants.get(seat)
    if who is None and seat in invited:
        return language.t("{mark} {name} (invited)", mark=MARKS[seat], name=names.safe(seat))
    if who is None:
        return f"{MARKS[seat]} —"
    return f"{names.marked(seat)} 🤖" if who.is_computer else names.marked(seat)


def lobby_alt(language: Language, table: Table) -> str:
    """Describe the lobby's picture: an empty board with the names at their sides."""
    invited = table.expected
    names = Names.of(replace(table, occupants={**invited, **table.occupants}), language, SHORT).unmarked()

    def listed(seats: Collection[int]) -> str:
        signed = (
            language.t("{name} ({sign})", name=names.plain[seat], sign=sign(language, seat))
            for seat in table.seats
            if seat in seats
        )
        return language.listed(signed)

    lines = [language.t("The empty DOG board of game {code}.", code=table.code)]
    if table.occupants:
        lines.append(language.t("Seated: {seats}.", seats=listed(table.occupants)))
    if invited:
        lines.append(language.t("Invited: {seats}.", seats=listed(invited)))
    if free := [sign(language, seat) for seat in table.free if seat not in invited]:
        lines.append(language.t("Free: {seats}.", seats=language.listed(free)))
    computers = computers_line(language, names, levels_of(table))
    return fit((*lines, *([computers] if computers else [])), ALT_LIMIT, " ")


def opened_here(language: Language, table: Table, reason: str) -> str:
    """Say that a table is open in the channel, because it could not have a thread, for that reason."""
    return sentences(reason, _stays_here(language, table))


def wrong_players(language: Language, system: str, players: int) -> str:
    """Refuse a number of players for a rule system; the systems that allow it are offered beside it."""
    allowed = language.listed(map(str, SYSTEMS[system].players), "or")
    return language.t(
        "{system} is for {allowed} players, not {players}. Choose rules for {players}:",
        system=system_name(language, system),
        allowed=allowed,
        players=players,
    )


def systems_for(players: int, options: Options) -> tuple[str, ...]:
    """Return the rule systems for this many people that have the house rules, if there are any."""
    systems = tuple(key for key, system in SYSTEMS.items() if players in system.players)
    return tuple(key for key in systems if why_refused(SYSTEMS[key], players, options) is None) or systems


def level_set(language: Language, table: Table, seat: int) -> str:
    """Say that a computer player plays at its level from now on."""
    level = level_name(language, table.occupants[seat].computer or "")
    return language.t("{name}'s level is now {level}.", name=Names.of(table, language).marked(seat), level=bold(level))


def seat_label(language: Language, table: Table, seat: int) -> str:
    """Return a free seat, or a computer player with its level, for a list."""
    its_colour, who = capital(colour(language, seat)), table.occupants.get(seat)
    if who is None:
        return language.t(buttons.SEAT_FREE, colour=its_colour)
    name = with_level(language, Names.of(table, language).label(seat), who.computer or "")
    return language.t(buttons.SEAT_OF, colour=its_colour, name=name)


def name_it(language: Language, code: str) -> str:
    """Say what to do when the command that asked which game was meant is forgotten."""
    return language.t(
        "That was a while ago. Type the command again with {option}.",
        option=option(language, "game", code),
    )


def game_line(language: Language, table: Table, user_id: int) -> str:
    """Return a game in the list: its code links to the board, and what it is waiting for."""
    code = link(bold(table.code), boards.board_link(table))
    game = f"{code} · {system_name(language, table.system)}"
    return item(_state_of(language, table, table.played_by(user_id), game))


def _state_of(language: Language, table: Table, seat: int | None, game: str) -> str:
    if table.status is Status.LOBBY:
        return language.t("{game} · waiting for players", game=game)
    if table.lost is not None:
        return language.t("{game} · ⚠️ channel gone: `/dog table move`", game=game)
    if table.status is Status.PAUSED or table.asleep:
        return language.t("{game} · paused", game=game)
    if seat is not None and seat in table.waiting_for:
        clock = table.clocks.get(seat)
        if clock is not None and clock.ends_at is not None:
            return language.t("{game} · **your turn** ⏳ {when}", game=game, when=until(clock.ends_at))
        return language.t("{game} · **your turn**", game=game)
    waiting = Names.of(table, language).listed(language, table.to_act)
    return language.t("{game} · waiting for {names}", game=game, names=waiting or "…")
