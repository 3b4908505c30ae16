"""Texts about cups: their rules, rounds and standings, in a channel and in private."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bot.cup import MISSED, Cup, CupCourse, CupEntry, CupStage, Format, Match, Side
from bot.cups.hints import Hint, HintKind
from bot.cups.ladder import end_of
from bot.cups.pairing import rounds_of
from bot.cups.standings import Standing, is_beaten, sides_at, winner_of
from bot.cups.steps import goes_on
from bot.languages import Language
from bot.languages import mark as _
from bot.table import Lost, Table
from bot.texts.cup_rules import facts
from bot.texts.markup import (
    MESSAGE_LIMIT,
    abridge,
    bold,
    channel,
    fit,
    fixed,
    heading,
    moment,
    plain,
    safe,
    small,
    stack,
    user,
)
from bot.texts.names import UNNAMED, place_named, quote, round_name, said, shorten

_UNTIL = _("Ends {when}.")

_NOT_POSTED: Mapping[Lost, str] = {
    Lost.GONE: _("⚠️ The channel for {cup} is gone, but its tables go on. Move them: `/dog table move`."),
    Lost.FILTERED: _("⚠️ AutoMod is blocking my posts about {cup} in {place}. Exempt me from the rule."),
    Lost.PERMISSIONS: _("⚠️ I can't post about {cup} in {place}. Let me view it, send messages and attach files."),
    Lost.REFUSED: _("⚠️ Discord is rejecting my posts about {cup} in {place}. Try again: `/dog cup`."),
}
"""Notices to the host of a cup about what Discord has refused, and what would help."""

_LADDER_GONE = _(
    "⚠️ The channel of {cup} is gone. Its players can still see it with `/dog cup` until the end of the month."
)

SHOWN = (20, 10, 5, 1)
"""The most names in the channel's list; fewer if they are too long. `/dog cup` has all."""

LABEL = 100
"""The most characters in a line of a menu (Discord's limit)."""

FEW = 6
"""The most names in a list above the tables of a round."""

NAMES = (32, 16, 8, 4)
"""The most characters of a name in the winners' way; fewer if it is long."""

MOST_LINES = 16
"""The most lines of standings in a picture."""

none_here = said("No cups here right now.")
how_to_open = said("Plan one: `/dog cup` with a name.")
only_in_channels = said("Cups need a text channel, so that tables can have threads. Plan it there.")
cancelled = said("The cup is cancelled.")
asked_partner = said("You're in. I've asked your partner to confirm.")
left = said("You've left the cup.")
left_later = said("You've left the cup. Please finish this round's table.")
ask_cancel = said("Cancel the cup? Its tables end without a result.")
which_cup = said("Several cups are open here. Choose and enter yours first: `/dog cup`.")
no_pairs_here = said("No cup with fixed pairs is open here.")
extended = said("The round now lasts a day longer.")
table_decided = said("You've decided the result.")
draws = said("Here's everything that went into the draws: plan, seed, players and results.")
started = said("Entries are closed. The first round is being drawn.")
no_cup_here = said("No cup is being played in this channel.")
not_asked = said("That question isn't for you, or it's too late. Enter with `/dog cup`.")
could_not_ask = said("You're in, but I couldn't ask your partner. They can type `/dog cup` with your name.")


def name_of(language: Language, entry: CupEntry | None, limit: int = 32) -> str:
    """Return a player's name as plain text."""
    name = "" if entry is None else plain(entry.name)
    return shorten(name, limit) or language.t(UNNAMED)


def side_name(language: Language, cup: Cup, side: Iterable[int], limit: int = 32) -> str:
    """Return the names of a side or team as plain text."""
    return " & ".join(name_of(language, cup.entries.get(number), limit) for number in side)


def marked(language: Language, cup: Cup, side: Iterable[int], limit: int = 32) -> str:
    """Return the names of a side or team for a message."""
    return " & ".join(bold(safe(name_of(language, cup.entries.get(number), limit))) for number in side)


def title(cup: Cup) -> str:
    """Return the name of a cup for a message."""
    return f"🏆 {bold(safe(cup.name))}"


def starts(language: Language, cup: Cup) -> str:
    """Say when entries close, or when a ladder ends."""
    if cup.plan.is_ladder:
        return language.t(_UNTIL, when=moment(cup.rounds[-1].ends_at or 0))
    if cup.starts_at is None:
        return language.t("Entries are open until the host starts it.")
    return language.t("Entries close {when}.", when=moment(cup.starts_at))


def not_posted(language: Language, cup: Cup, reason: Lost) -> str:
    """Say why the channel of a cup does not show what it has to say."""
    known = Lost.PERMISSIONS if reason is Lost.ACCESS else reason
    sentence = _NOT_POSTED.get(known, _NOT_POSTED[Lost.REFUSED])
    if cup.plan.is_ladder and known is Lost.GONE:
        sentence = _LADDER_GONE
    return language.t(sentence, cup=title(cup), place=channel(cup.channel_id))


def who_is_in(language: Language, cup: Cup, most: int) -> str:
    """List those who have entered, at most so many."""
    here = [entry for entry in cup.entries.values() if entry.until is None]
    if not here:
        return language.t("Be the first to enter.")
    sides = list(cup.sides(len(cup.rounds) + 1))
    placed = {number for side in sides for number in side}
    sides += [(entry.number,) for entry in here if entry.number not in placed]
    names = _some(language, cup, sides, most)
    return language.n("{count} in: {names}", "{count} in: {names}", len(here), names=names)


def _some(language: Language, cup: Cup, sides: Sequence[Side], most: int, limit: int = 32) -> str:
    """List sides, at most so many, and how many more there are; with names of at most `limit` characters."""
    names = [marked(language, cup, side, limit) for side in sides[:most]]
    if (more := len(sides) - most) > 0:
        names.append(language.n("{count} more", "{count} more", more))
    return language.listed(names)


def _shortest(texts: Iterable[str]) -> str:
    """Return the first of these texts, each shorter than the one before, that fits into a message; else the last."""
    text = ""
    for text in texts:
        if len(text) <= MESSAGE_LIMIT:
            break
    return text


def opened(language: Language, cup: Cup) -> str:
    """Announce a cup."""
    state = cancelled(language) if cup.stage is CupStage.CANCELLED else ""
    if cup.stage is CupStage.OPEN or (cup.plan.is_ladder and cup.is_open):
        state = starts(language, cup)
    lines = [heading(title(cup)), *facts(language, cup.plan), state]
    return _shortest(stack(*lines, who_is_in(language, cup, most)) for most in SHOWN)


def poster(language: Language, cup: Cup) -> list[str]:
    """Return the lines of the picture that announces a cup."""
    return [fact for fact in facts(language, cup.plan) if len(fact) <= 70]


def planning(language: Language, cup: Cup) -> str:
    """Return what is planned so far, above the menus."""
    lines = [title(cup), *facts(language, cup.plan)]
    if cup.plan.is_ladder:
        ends = moment(end_of(cup.created_at), "D")
        lines.append(language.t("It begins when you open it, and ends {day}.", day=ends))
    elif cup.starts_at is None:
        lines.append(language.t("It starts when you say so."))
    else:
        span = language.span(cup.starts_at - cup.created_at, "minute")
        lines.append(language.t("It starts {span} after you open it.", span=span))
    if not cup.plan.is_playable:
        lines.append(language.t("⚠️ These tables don't fit. Change the format, the cup type or the players."))
    return stack(*lines)


def round_begins(language: Language, cup: Cup, places: Mapping[int, int]) -> str:
    """Announce a round with its tables; `places`: by game, its channel."""
    number, round = len(cup.rounds), cup.rounds[-1]
    lines = [round_title(language, cup, number)]
    if round.ends_at is not None:
        lines.append(language.t(_UNTIL, when=moment(round.ends_at)))
    if round.byes:
        names = _some(language, cup, round.byes, FEW)
        lines.append(language.n("Bye: {names}.", "Byes: {names}.", len(round.byes), names=names))
    gone = [entry for entry in cup.entries.values() if entry.until == number - 1 and number > 1]
    if gone:
        names = _some(language, cup, [(entry.number,) for entry in gone], FEW)
        lines.append(language.n("Out: {names}.", "Out: {names}.", len(gone), names=names))
    if number == 1:
        lines.append(small(language.t("Seed of the draw: {seed}", seed=fixed(cup.seed.hex()))))
    first = len(lines)
    for match in round.matches:
        place = place_named(language, places[match.games[-1]])
        lines.append(language.point(table_line(language, cup, match), place))
    return abridge(lines, reversed(range(first, len(lines))), language.t("All tables: `/dog cup`."))


def round_title(language: Language, cup: Cup, number: int) -> str:
    """Return the heading of a round."""
    last = rounds_of(cup.plan, len(cup.sides(1)))
    if cup.plan.course is CupCourse.KNOCKOUT and number == last:
        return heading(language.t("{cup}: the final", cup=title(cup)))
    return heading(language.t("{cup}: round {round} of {last}", cup=title(cup), round=number, last=last))


def table_line(language: Language, cup: Cup, match: Match) -> str:
    """Return who plays against whom at a table."""
    return " · ".join(marked(language, cup, team) for team in match.teams)


def thread_name(cup: Cup, game: int, code: str) -> str:
    """Return the name of the thread of a cup's game; its number in the cup and its code make it the only one."""
    return f"{shorten(plain(cup.name) or 'DOG', 60)} · {game} · {code}"


def in_thread(language: Language, cup: Cup, match: Match, ping: Iterable[int]) -> str:
    """Greet the players of a table in its place; those in `ping` are mentioned."""
    number = len(cup.rounds)
    where = language.t("{cup}, round {round}", cup=title(cup), round=number)
    line = f"{where}: {table_line(language, cup, match)}"
    calls = " ".join(map(user, ping))
    return stack(
        line, language.t("Your table is open, but it isn't your turn yet: {people}", people=calls) if calls else ""
    )


def out_of_reach(language: Language, cup: Cup, table: Table) -> str:
    """Tell the players of a table in direct messages, one of whom no message reaches, how to play; not whom or why."""
    return language.t(
        "{people}: your table {code} of {cup} is open. See your hand: `/dog hand`.",
        people=" ".join(map(user, table.owners)),
        code=bold(table.code),
        cup=title(cup),
    )


def to_decide(language: Language, cup: Cup) -> str:
    """Ask moderators to decide the tables that are left."""
    left = sum(not match.is_over(cup.plan.best_of) for match in cup.rounds[-1].matches)
    sentence = language.n(
        "⌛ {cup}: the round is over, but {count} table isn't. A moderator decides it: `/dog cup`.",
        "⌛ {cup}: the round is over, but {count} tables aren't. A moderator decides them: `/dog cup`.",
        left,
        cup=title(cup),
    )
    return f"{sentence} {user(cup.host_id)}"


def ended(language: Language, cup: Cup, lines: Sequence[Standing]) -> str:
    """Announce the end of a cup: the podium, and the winners' way there."""
    if cup.stage is CupStage.CANCELLED or not any(round.matches for round in cup.rounds):
        return stack(f"{title(cup)}: {cancelled(language)}", quote(language, cup.reason) or _too_few(language, cup))
    winners = [line for line in lines if line.place == 1]
    lines_of_end = [heading(title(cup))]
    names = _some(language, cup, [line.side for line in winners], FEW // 2)
    lines_of_end.append(
        language.n("🏅 {names} wins!", "🏅 {names} win!", sum(len(line.side) for line in winners), names=names)
    )
    lines_of_end += [standing_line(language, cup, line) for line in (lines[:3] if cup.plan.is_ladder else lines[1:3])]
    sides = [line.side for line in winners[: FEW // 2]]
    whole = _shortest(
        stack(*lines_of_end, *(line for side in sides for line in path(language, cup, side, limit, len(sides) > 1)))
        for limit in NAMES
    )
    return fit(whole.split("\n"))


def _too_few(language: Language, cup: Cup) -> str:
    """Say that too few took part, if that is why a cup ended before it was over."""
    ended_at = cup.ended_at or 0
    if cup.plan.is_ladder and (cup.rounds[-1].ends_at or 0) <= ended_at:
        return language.t("Too few players had rated games.")
    by_itself = not cup.rounds and cup.starts_at is not None and cup.starts_at <= ended_at
    return language.t("Too few players entered.") if by_itself else ""


def path(language: Language, cup: Cup, side: Side, limit: int, named: bool = False) -> list[str]:
    """Return a side's way through a cup, one line a round, with names of at most so many characters.

    `named`: it is one of several.
    """
    if cup.plan.is_ladder:
        matches = [match for round in cup.rounds for match in round.matches if set(side) <= set(match.players)]
        beaten = Counter(
            team
            for match in matches
            for index, team in enumerate(match.teams)
            if match.outcomes[0].won not in (None, index) and side[0] not in team
        )
        names = _some(language, cup, [team for team, _count in beaten.most_common()], FEW, limit)
        own = marked(language, cup, side, limit)
        return [language.t("{name} won against {names}.", name=own, names=names)] if beaten else []
    own = marked(language, cup, side, limit)
    road = [language.t("{name}'s road to victory:", name=own) if named else language.t("Their road to victory:")]
    for number, round in enumerate(cup.rounds, start=1):
        line = language.t("Round {round}: bye", round=number) if side in round.byes else ""
        for match in round.matches:
            mine = next((team for team in range(len(match.teams)) if side in sides_at(cup.plan, match, team)), None)
            if mine is None:
                continue
            line = _path_line(language, cup, match, mine, number, limit)
        if line:
            road.append(line)
    return road


def _path_line(language: Language, cup: Cup, match: Match, mine: int, number: int, limit: int) -> str:
    """Say how a table of round `number` ended for the team `mine`: won, lost to those who won, or for no one."""
    games = {team: match.won_games(team) for team in range(len(match.teams))}
    best = {team for team in games if games[team] == max(games.values())}
    if cup.plan.course is CupCourse.KNOCKOUT:
        best = {winner_of(cup.seed, match)}
    is_undecided = best == set(games)
    against = [team for team in games if team != mine and (is_undecided or mine in best or team in best)]
    names = " · ".join(marked(language, cup, match.teams[team], limit) for team in against)
    if is_undecided:
        return language.t("Round {round}: no winner against {names}", round=number, names=names)
    if mine in best:
        return language.t("Round {round}: won against {names}", round=number, names=names)
    return language.t("Round {round}: lost to {names}", round=number, names=names)


def points(language: Language, cup: Cup, value: int) -> str:
    """Return points as they are shown."""
    if cup.plan.is_ladder:
        return language.number(value)
    return language.number(value / cup.plan.points.unit)


def standing_line(language: Language, cup: Cup, line: Standing) -> str:
    """Return a line of the standings in words."""
    if cup.plan.is_ladder:
        return language.t(
            "{place}. {name}: {points} points ({wins} of {games} won, pieces home {home})",
            place=line.place,
            name=marked(language, cup, line.side),
            points=points(language, cup, line.points),
            wins=line.wins,
            games=line.played,
            home=line.home,
        )
    return language.t(
        "{place}. {name}: {points} points (opponents' points {strength}, pieces home {home}, rounds to win {rounds})",
        place=line.place,
        name=marked(language, cup, line.side),
        points=points(language, cup, line.points),
        strength=points(language, cup, line.strength),
        home=line.home,
        rounds=line.rounds,
    )


def standings(language: Language, cup: Cup, lines: Sequence[Standing]) -> str:
    """Return the standings in words."""
    head = language.t("{cup}: standings", cup=title(cup))
    rows = [head, *(standing_line(language, cup, line) for line in lines)]
    return stack(*rows)


def standings_title(language: Language, cup: Cup) -> str:
    """Return the title of the picture of the standings."""
    name = shorten(plain(cup.name), 40)
    if cup.plan.is_ladder:
        return name
    done = len(cup.rounds) if cup.stage is CupStage.OVER else max(0, len(cup.rounds) - 1)
    return language.n("{name} after {count} round", "{name} after {count} rounds", done, name=name)


def heads(language: Language, cup: Cup) -> tuple[str, str, str, str]:
    """Return the words above the figures in the picture of the standings."""
    t, first, home = language.t, language.t("Points"), language.t("Home")
    if cup.plan.is_ladder:
        return first, t("Games"), t("Won"), home
    return first, t("Opponents"), home, t("Rounds")


def figures(language: Language, cup: Cup, line: Standing) -> tuple[str, str, str, str]:
    """Return the figures of a line in that picture."""
    shown, number = points(language, cup, line.points), language.number
    if cup.plan.is_ladder:
        return shown, number(line.played), number(line.wins), number(line.home)
    return shown, points(language, cup, line.strength), number(line.home), number(line.rounds)


def view(language: Language, cup: Cup, mine: CupEntry | None, places: Mapping[int, int]) -> str:
    """Show a cup to one person: its state, and what they have to do."""
    lines = [title(cup), *facts(language, cup.plan)]
    match cup.stage:
        case CupStage.OPEN:
            lines += [starts(language, cup), who_is_in(language, cup, len(cup.entries))]
        case CupStage.RUNNING if cup.plan.is_ladder:
            played = len(cup.rounds[-1].matches)
            lines += [starts(language, cup), who_is_in(language, cup, len(cup.entries))]
            lines.append(language.n("{count} game counts so far.", "{count} games count so far.", played))
        case CupStage.RUNNING:
            last = rounds_of(cup.plan, len(cup.sides(1)))
            lines.append(round_name(language, len(cup.rounds), last))
            ends_at = cup.rounds[-1].ends_at
            if ends_at is not None:
                lines.append(language.t("This round ends {when}.", when=moment(ends_at)))
            here = cup.rounds[-1].matches
            lines += [table_line(language, cup, match) for match in here if not match.is_over(cup.plan.best_of)]
        case CupStage.CANCELLED:
            lines.append(cancelled(language))
        case _:
            lines.append(language.t("It ended on {day}.", day=moment(cup.ended_at or 0, "d")))
    if mine is not None and cup.is_open:
        lines.append(_my_state(language, cup, mine, places))
    return stack(*lines)


def _my_state(language: Language, cup: Cup, mine: CupEntry, places: Mapping[int, int]) -> str:
    """Say where a player of a cup stands."""
    partner = cup.entries.get(mine.partner or 0)
    if cup.stage is CupStage.RUNNING:
        for match in cup.rounds[-1].matches:
            if mine.number not in match.players or match.is_over(cup.plan.best_of):
                continue
            if match.games[-1] not in places:
                return language.t("You're in. Your table opens in a moment.")
            return language.t("➜ Your table: {place}", place=place_named(language, places[match.games[-1]]))
    if mine.missed >= MISSED:
        return language.t("You're out of the cup: you missed {count} tables.", count=mine.missed)
    if mine.until is not None:
        return language.t("You're no longer in the cup.")
    if cup.plan.is_ladder:
        return language.t("You're in. Play rated games with the others in the cup: `/dog new`.")
    if cup.stage is CupStage.RUNNING:
        if is_beaten(cup, mine.number):
            return language.t("You've been knocked out of the cup.")
        if not goes_on(cup):
            return language.t("You've played all your tables. The result comes after the last one.")
        return language.t("You're in. Your next table opens with the next round.")
    if cup.plan.format is Format.PAIRS and partner is None:
        if mine.asked is not None:
            return language.t("You're in. Waiting for {user} to confirm.", user=user(mine.asked))
        return language.t("You're in, and you'll get a partner at the start. Or pick one: `/dog cup`.")
    if partner is not None:
        return language.t("You're in, with {name}.", name=marked(language, cup, (partner.number,)))
    return language.t("You're in.")


def question(language: Language, cup: Cup, asker: CupEntry, user_id: int) -> str:
    """Ask a member in the cup's channel to be a player's partner."""
    name = bold(safe(name_of(language, asker)))
    return language.t(
        "🙋 {user}, {name} would like you as a partner in {cup}.", user=user(user_id), name=name, cup=title(cup)
    )


def paired(language: Language, cup: Cup, side: Side) -> str:
    """Say that two are partners now."""
    return language.t("✅ {names} are partners.", names=marked(language, cup, side))


def match_label(language: Language, cup: Cup, match: Match, team: int | None) -> str:
    """Return the line of a menu that decides a table for a team, or for none."""
    result = ""
    for limit in (14, 10, 6, 3):
        versus = " · ".join(side_name(language, cup, each, limit) for each in match.teams)
        if team is None:
            result = language.t("No winner: {table}", table=versus)
        else:
            name = side_name(language, cup, match.teams[team], limit)
            result = language.t("{name} won ({table})", name=name, table=versus)
        if len(result) <= LABEL:
            break
    return result


_HINTS: Mapping[HintKind, str] = {
    HintKind.RESIGNED: _("{one} resigned {count} times against {two}"),
    HintKind.EARLY: _("{one} resigned within three rounds against {two}"),
    HintKind.ABSENT: _("{one} missed {count} games against {two}"),
    HintKind.FOLDED: _("{one} lost to {two} {count} times, folding in most rounds"),
    HintKind.TOGETHER: _("{one} and {two} resigned together {count} times"),
}


def hints(language: Language, cup: Cup, found: Sequence[Hint]) -> str:
    """List what moderators may want to look at; it decides nothing."""
    if not found:
        return ""
    lines = [
        language.t(
            _HINTS[hint.kind],
            one=marked(language, cup, (hint.one,)),
            two=marked(language, cup, (hint.two,)),
            count=hint.count,
        )
        for hint in found
    ]
    return stack(language.t("🔎 Worth a look (only moderators see this):"), *lines)
