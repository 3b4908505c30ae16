"""From rows to tables: plain functions that replay the log of a game and read its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.errors import BrokenLog
from bot.moment import Moment
from bot.storage import LOBBY_SEAT, ActionRow, DeadlineRow, GameRow, Snapshot
from bot.table import (
    Lost,
    Occupant,
    Posting,
    Proposal,
    ProposalKind,
    SeatClock,
    Shown,
    Stage,
    StandInReason,
    Status,
    Table,
    Terms,
)
from engine import DogError, Game, Options, PublicGame, board_for, system_of


def replayed(row: GameRow, actions: Sequence[ActionRow]) -> Game | None:
    """The game of a log, or None in the lobby. Raises `BrokenLog`."""
    if row.seed is None:
        return None
    if [action.number for action in actions] != list(range(1, len(actions) + 1)):
        raise BrokenLog(row.id)
    try:
        options = Options.from_json(row.options)
        log = [(one.seat, one.text) for one in actions]
        return Game.replay(system_of(row.system, row.rules), row.players, row.seed, options, log)
    except DogError:
        # The engine's text may quote the log; it stays out of ours.
        raise BrokenLog(row.id) from None


def table_of(snapshot: Snapshot, game: PublicGame | None) -> Table:
    """The table that these rows hold, with its game."""
    row = snapshot.game
    shown = None
    if row.board_channel_id is not None and row.board_message_id is not None:
        shown = Shown(row.board_channel_id, row.board_message_id, row.shown_version or 0)
    return Table(
        id=row.id,
        code=row.code,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        host_id=row.host_id,
        status=Status(row.status),
        terms=Terms(
            system=row.system,
            players=row.players,
            options=Options.from_json(row.options),
            pace=row.pace,
            locale=row.locale,
            theme=row.theme,
            hints=bool(row.hints),
        ),
        seats=board_for(row.system, row.players).seats,
        people={
            one.seat: Occupant(
                one.name,
                one.user_id,
                one.computer,
                None if one.why is None else StandInReason(one.why),
                one.offered,
                one.missed,
            )
            for one in snapshot.seats
        },
        game=game,
        version=row.version,
        shown=shown,
        created_at=row.created_at,
        changed_at=row.changed_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        parent_id=row.parent_id,
        lost=None if row.lost is None else Lost(row.lost),
        rematch_of=row.rematch_of,
        takebacks=row.takebacks,
        anew={int(seat): number for seat, number in row.anew.items()},
        told=None if row.told is None else Moment.parse(row.told),
        called=called_of(row.called),
        paused_by=row.paused_by,
        posting=None if row.posting is None else posting_of(row.posting),
        won=_winners(row),
        expires_at=next((one.due_at for one in snapshot.deadlines if one.seat == LOBBY_SEAT), None),
        clocks={one.seat: clock_of(one) for one in snapshot.deadlines if one.seat != LOBBY_SEAT},
        proposals={
            ProposalKind(one.kind): Proposal(
                ProposalKind(one.kind), one.seat, one.user_id, one.number, one.at, one.asked, one.agreed
            )
            for one in snapshot.proposals
        },
    )


def called_of(values: Mapping[str, Any]) -> Mapping[int, Moment]:
    """For which decisions people were called, as a column holds it: with numbers for texts in rows of old versions."""
    return {int(seat): Moment.parse(str(decision)) for seat, decision in values.items()}


def posting_of(values: Mapping[str, Any]) -> Posting:
    """The post under way that a column holds."""
    return Posting(
        version=values["version"],
        channel_id=values["channel"],
        told=Moment.parse(str(values["told"])),
        called=called_of(values["called"]),
        letters=tuple((user_id, asked) for user_id, asked in values["letters"]),
        at=values["at"],
    )


def posting_column(posting: Posting) -> dict[str, object]:
    """What the column holds of a post under way."""
    return {
        "version": posting.version,
        "channel": posting.channel_id,
        "told": str(posting.told),
        "called": {str(seat): str(decision) for seat, decision in posting.called.items()},
        "letters": [list(letter) for letter in posting.letters],
        "at": posting.at,
    }


def clock_of(row: DeadlineRow) -> SeatClock:
    """The clock that a row holds."""
    return SeatClock(
        decision=Moment.parse(row.decision),
        user_id=row.user_id or 0,
        stage=Stage(row.stage),
        since=row.since,
        spent=row.spent,
        allowed=row.allowed,
        due_at=row.due_at,
        ends_at=row.ends_at,
        nudged=row.nudged,
    )


def _winners(row: GameRow) -> tuple[int, ...]:
    winners = row.outcome.get("winners") if row.outcome is not None else None
    return tuple(winners) if isinstance(winners, list) else ()
