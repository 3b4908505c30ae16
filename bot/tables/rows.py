"""How a table is stored: for each kind of row what it means, and right below that how it is written."""

from __future__ import annotations

from bot.moment import START, Moment
from bot.storage import LOBBY_SEAT, DeadlineRow, GameRow, MessageRow, ProposalRow, SeatRow, Snapshot
from bot.table import (
    About,
    Lost,
    Message,
    Occupant,
    Proposal,
    ProposalKind,
    SeatClock,
    Stage,
    StandInReason,
    Status,
    Table,
    Terms,
)
from bot.tables.seating import Occupants
from engine import Options, PublicGame, board_for
from engine.secret import whole


def table_of(snapshot: Snapshot, game: PublicGame | None) -> Table:
    """The table stored in these rows, with its game."""
    row = snapshot.game
    clocks = [one for one in snapshot.deadlines if one.seat != LOBBY_SEAT]
    proposals = map(proposal_of, snapshot.proposals)
    return Table(
        id=row.id,
        code=row.code,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        host_id=row.host_id,
        status=Status(row.status),
        terms=terms_of(row),
        seats=board_for(row.system, row.players).seats if game is None else game.seats,
        people={one.seat: occupant_of(one) for one in snapshot.seats},
        game=game,
        version=row.version,
        created_at=row.created_at,
        changed_at=row.changed_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        parent_id=row.parent_id,
        lost=None if row.lost is None else Lost(row.lost),
        rematch_of=row.rematch_of,
        takebacks=row.takebacks,
        anew={int(seat): number for seat, number in row.anew.items()},
        paused_by=row.paused_by,
        won=_winners(row),
        expires_at=next((one.due_at for one in snapshot.deadlines if one.seat == LOBBY_SEAT), None),
        clocks={one.seat: clock_of(one) for one in clocks},
        proposals={one.kind: one for one in proposals},
        messages=tuple(map(message_of, snapshot.messages)),
    )


def _winners(row: GameRow) -> tuple[int, ...]:
    winners = row.outcome.get("winners") if row.outcome is not None else None
    return tuple(winners) if isinstance(winners, list) else ()


_AS_THEY_ARE = (
    "status",
    "host_id",
    "channel_id",
    "started_at",
    "ended_at",
    "parent_id",
    "lost",
    "takebacks",
    "paused_by",
)
"""The fields of a table that, when they change, are written to columns of the same name."""


def changed_columns(before: Table, after: Table) -> dict[str, object]:
    """The columns of the game's row in which two snapshots differ.

    What people have been told is not among them (`bot.tables.messages` writes that), nor what never changes.
    """
    values: dict[str, object] = {}
    if after.game is not None and before.game is None:
        game = whole(after.game)
        values |= {"seed": game.seed, "rules": game.system.version}
    for name in _AS_THEY_ARE:
        if getattr(after, name) != getattr(before, name):
            values[name] = getattr(after, name)
    if after.anew != before.anew:
        values["anew"] = {str(seat): number for seat, number in after.anew.items()}
    if after.is_open != before.is_open:
        values["outcome"] = {"winners": list(after.won)}
    return values


def terms_of(row: GameRow) -> Terms:
    """The terms in the game's row."""
    return Terms(
        system=row.system,
        players=row.players,
        options=Options.from_json(row.options),
        pace=row.pace,
        locale=row.locale,
        theme=row.theme,
        hints=row.hints,
    )


def terms_columns(terms: Terms) -> dict[str, object]:
    """The columns for the terms."""
    return {
        "system": terms.system,
        "players": terms.players,
        "options": terms.options.to_json(),
        "pace": terms.pace,
        "locale": terms.locale,
        "theme": terms.theme,
        "hints": terms.hints,
    }


def message_of(row: MessageRow) -> Message:
    """The message in a row."""
    return Message(
        nonce=row.nonce,
        about=About(row.about),
        place_id=row.place_id,
        message_id=row.message_id,
        at=row.at,
        text=row.text,
        marks={int(seat): mark for seat, mark in row.marks.items()},
        version=row.version,
        told=Moment.parse(row.told),
    )


def message_row(message: Message) -> MessageRow:
    """The row for a message."""
    return MessageRow(
        nonce=message.nonce,
        about=message.about,
        place_id=message.place_id,
        message_id=message.message_id,
        at=message.at,
        text=message.text,
        marks={str(seat): mark for seat, mark in message.marks.items()},
        version=message.version,
        told=str(message.told),
    )


def occupant_of(row: SeatRow) -> Occupant:
    """Who sits in a seat, from its row."""
    why = None if row.why is None else StandInReason(row.why)
    return Occupant(row.name, row.user_id, row.computer, why, row.offered, row.missed)


def seat_rows(people: Occupants) -> list[SeatRow]:
    """The rows for the people."""
    return [
        SeatRow(seat, one.user_id, one.computer, one.name, one.why, one.offered, one.missed)
        for seat, one in people.items()
    ]


def clock_of(row: DeadlineRow) -> SeatClock:
    """The clock in a row."""
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


def deadline_rows(table: Table) -> list[DeadlineRow]:
    """The rows for the clocks, and for when a lobby expires."""
    found = [
        DeadlineRow(
            seat=seat,
            stage=clock.stage,
            decision=str(clock.decision),
            user_id=clock.user_id,
            since=clock.since,
            spent=clock.spent,
            allowed=clock.allowed,
            due_at=clock.due_at,
            ends_at=clock.ends_at,
            nudged=clock.nudged,
        )
        for seat, clock in table.clocks.items()
    ]
    return found if table.expires_at is None else [*found, lobby_deadline(table.expires_at)]


def lobby_deadline(at: int) -> DeadlineRow:
    """The row that says when a lobby expires."""
    return DeadlineRow(LOBBY_SEAT, "lobby", str(START), None, None, 0, 0, at, at)


def proposal_of(row: ProposalRow) -> Proposal:
    """The proposal in a row."""
    return Proposal(ProposalKind(row.kind), row.seat, row.user_id, row.number, row.at, row.asked, row.agreed)


def proposal_rows(table: Table) -> list[ProposalRow]:
    """The rows for what is waiting for others to agree."""
    return [
        ProposalRow(one.kind, one.seat, one.user_id, one.number, one.at, one.asked, one.agreed)
        for one in table.proposals.values()
    ]
