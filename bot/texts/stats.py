"""Statistics in words: a player's figures, the best of a server, and what a finished game has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.languages import Language
from bot.languages import mark as _
from bot.results import ALL_SYSTEMS, PROVISIONAL, Count, CupLine, Feat, RankedLine, Rating, Result, Season, Stats
from bot.table import Table
from bot.texts.markup import bold, item, moment, safe, stack
from bot.texts.names import UNNAMED, Names, quote, said, sentences, system_name

FEATS: Mapping[Feat, tuple[str, str]] = {
    Feat.FULL_LANE: (_("Moving day"), _("One seven filled a lane.")),
    Feat.WOLF: (_("Hungry wolf"), _("One seven sent back three pieces.")),
    Feat.SO_CLOSE: (_("So close"), _("Sent back from the last space before the start.")),
    Feat.FRIENDLY_FIRE: (_("Friendly fire"), _("Sent back a piece of their own team.")),
    Feat.NO_KING: (_("Republic"), _("Won without a king.")),
    Feat.SEVEN_LIVES: (_("Underdog"), _("Sent back seven times, and still won.")),
    Feat.LAMB: (_("Gentle as a lamb"), _("Won without sending a piece back.")),
    Feat.HELPER: (_("Helping paw"), _("Won by bringing a partner's piece home last.")),
}
"""The name of each feat, and the deed behind it."""

BAND = 2
"""The standard deviations shown around a rating, which lies within them nineteen times out of twenty."""

CUPS_SHOWN = 3
"""The most cups of a player that are named."""

only_your_own = said("Across all servers, you can see only your own games.")


def points(language: Language, value: float) -> str:
    """Return a rating, such as "1,494"."""
    return language.number(round(value))


def changes_by_game(
    language: Language, table: Table, results: Sequence[Result], ratings: Mapping[int, Rating]
) -> list[str]:
    """List the changes by a finished game, one line each: ratings, and rare feats."""
    names = Names.of(table, language)
    changes = [
        language.t(
            "{name} {before} → {after}",
            name=names.marked(result.seat),
            before=points(language, rating.mu - rating.gain),
            after=points(language, rating.mu),
        )
        for result in results
        if result.user_id is not None and not result.left_early and (rating := ratings.get(result.user_id)) is not None
    ]
    lines = [language.t("📈 Rating: {changes}.", changes=language.listed(changes))] if changes else []
    for result in results:
        for feat in result.feats:
            name, what = map(language.t, FEATS[feat])
            lines.append(
                language.t("🏅 {name}: *{feat}*. {what}", name=names.marked(result.seat), feat=name, what=what)
            )
    return lines


def title(language: Language, name: str, system: str) -> str:
    """Return a player's name, and by which rules the games were played."""
    rules = "" if system == ALL_SYSTEMS else f" · {system_name(language, system)}"
    return f"{name or language.t(UNNAMED)}{rules}"


def stats(language: Language, found: Stats, name: str, system: str, names: Mapping[int, str]) -> str:
    """Return all figures of a player; `names`: of the partners."""
    t = language.t
    head = bold(title(language, safe(name), system))
    if not found.results:
        return "\n".join((head, t("No finished games yet.")))
    lines = [head]
    if (rating := found.rating) is not None:
        lines.append(_rating_line(language, rating))
    kinds = found.by_kind
    if kinds:
        among = Count(sum(count.games for count in kinds.values()), sum(count.wins for count in kinds.values()))
        lines.append(t("Games between people: {count}", count=_count(language, among)))
        lines += [
            item(
                t(
                    "{system}, {players} players: {count}",
                    system=system_name(language, kind),
                    players=players,
                    count=_count(language, count),
                )
            )
            for (kind, players), count in kinds.items()
        ]
    if found.with_computers.games:
        lines.append(t("Games with computers: {count}", count=_count(language, found.with_computers)))
    if found.partners:
        partners = (
            t("{name} ({count})", name=safe(names.get(user, "") or t(UNNAMED)), count=count.wins)
            for user, count in found.partners.items()
        )
        lines.append(t("Won most often with {names}", names=language.listed(partners)))
    if found.cups:
        among = Count(len(found.cups), sum(line.place == 1 for line in found.cups))
        lines.append(t("Cups: {count}", count=_count(language, among)))
        lines += [
            item(t("#{place} in {cup}", place=line.place, cup=safe(line.cup))) for line in found.cups[:CUPS_SHOWN]
        ]
    total = {
        name: sum(getattr(game, name) for game in found.results) for name in ("captures", "suffered", "home", "rounds")
    }
    lines.append(
        t(
            "Hits: {captures} · Hits taken: {suffered} · Brought home: {home} · Rounds: {rounds}",
            **{name: language.number(value) for name, value in total.items()},
        )
    )
    lines.append(" · ".join(_records(language, found)))
    for feat, count in found.feats.items():
        name, what = map(t, FEATS[feat])
        lines.append(t("🏅 *{feat}* ({count}). {what}", feat=name, count=count, what=what))
    return stack(*lines)


def _rating_line(language: Language, rating: Rating) -> str:
    text = language.t(
        "Rating: {points} ± {spread}",
        points=bold(points(language, rating.mu)),
        spread=points(language, BAND * rating.sigma),
    )
    if not rating.provisional:
        return text
    still = language.n(
        "Provisional: {count} more rated game to go.",
        "Provisional: {count} more rated games to go.",
        PROVISIONAL - rating.games,
    )
    return sentences(f"{text}.", still)


def _records(language: Language, found: Stats) -> list[str]:
    """Return the longest seven, the fastest win, the time to move, as far as there are any."""
    lines = []
    if (seven := max(result.seven for result in found.results)) > 1:
        lines.append(language.t("Most pieces moved with one 7: {count}", count=seven))
    if found.fastest is not None:
        lines.append(language.n("Fastest win: {count} round", "Fastest win: {count} rounds", found.fastest))
    if found.time_to_move is not None:
        lines.append(language.t("Time per turn: {time}", time=language.span(found.time_to_move)))
    return lines


def _count(language: Language, count: Count) -> str:
    """Return the number of games, and of those won."""
    return language.n("{games} ({count} won)", "{games} ({count} won)", count.wins, games=language.number(count.games))


def chart_words(language: Language, games: int = 0) -> dict[str, str]:
    """Return the words in the pictures of ratings: number of ratings, and meaning of lines, bars and discs."""
    return {
        "rating": language.p("chart", "rating"),
        "range": language.p("chart", "likely range"),
        "quiet": language.p("chart", "provisional"),
        "games": language.n("{count} rated game", "{count} rated games", games),
        "form": language.t("Form"),
        "won": language.p("chart", "won"),
        "lost": language.p("chart", "lost"),
    }


def ranking_title(language: Language, system: str, period: str) -> str:
    """Return the title of a leaderboard; `period`: of which time, empty for always."""
    parts = [language.t("Leaderboard"), *([] if system == ALL_SYSTEMS else [system_name(language, system)])]
    return " · ".join([*parts, *filter(None, [period])])


def season_name(language: Language, number: int) -> str:
    """Return what a season is called."""
    return language.t("Season {number}", number=number)


def season_line(language: Language, season: Season) -> str:
    """Say from when to when a season lasts, why it began, and why it ended if that was without another."""
    began, reason = moment(season.began_at, "d"), quote(language, season.reason)
    if season.ended_at is None:
        text = language.t("Since {began}", began=began)
    else:
        text = language.t("{began} to {ended}", began=began, ended=moment(season.ended_at, "d"))
    text = f"{text} · {reason}" if season.reason else text
    if not season.end_reason:
        return text
    return stack(text, language.t("A moderator ended it: {reason}", reason=quote(language, season.end_reason)))


def ranked_points(language: Language, ranked: RankedLine, period: str) -> str:
    """Return the points of a line: a rating, or of a time what was gained."""
    return language.change(round(ranked.points)) if period else points(language, ranked.points)


_NO_RATED = _(
    "No rated games yet: only games between people without hints count. See your other games with `/dog stats`."
)

taken_off = said("A moderator has taken you off this server's leaderboard.")


def cups_won(language: Language, won: Sequence[CupLine]) -> str:
    """List who has won the last cups of a server, one line each."""
    names: dict[tuple[int, str], list[str]] = {}
    for line in won:
        names.setdefault((line.cup_id, line.cup), []).append(bold(safe(line.name or language.t(UNNAMED))))
    return stack(
        *(f"🏆 {safe(cup)}: {language.listed(people)}" for (_id, cup), people in names.items()),
    )


def ranking(language: Language, best: Sequence[RankedLine], system: str, period: str, about: str = "") -> str:
    """List the best of a server, one line each; `about` stands below the title."""
    head = stack(bold(ranking_title(language, system, period)), about)
    if not best:
        return "\n".join((head, language.t(_NO_RATED)))
    lines = [head]
    for number, ranked in enumerate(best, start=1):
        line = language.t(
            "{number}. {name}: {points}, {count}",
            number=number,
            name=bold(safe(ranked.name or language.t(UNNAMED))),
            points=ranked_points(language, ranked, period),
            count=_count(language, ranked.count),
        )
        lines.append(language.t("{line}, provisional", line=line) if ranked.provisional else line)
    return "\n".join(lines)
