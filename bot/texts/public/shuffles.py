"""Proof that shuffles are fair: what fixes them, the record of a game, and its check."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Status, Table
from bot.tables.finished.records import Verdict
from bot.texts import buttons
from bot.texts.markup import block, bold, fixed
from bot.texts.names import MARKS, quote, said_of_table


def fair_shuffle(language: Language, table: Table) -> str:
    """Return what fixes the shuffles of a table: the commitment and, once it has begun, the contributions."""
    lines = [
        language.t(
            "🎲 {code}: the cards come from a secret, fixed before the first player joined, and from what each "
            "player adds. No player can choose them, and neither can I.",
            code=bold(table.code),
        ),
        language.t("Fingerprint of the secret: {commitment}", commitment=fixed(table.commitment.hex())),
    ]
    if table.status is Status.LOBBY:
        lines.append(language.t("Add words of your own: `/dog join`."))
    elif added := [f"{MARKS[seat]} {contribution(language, text)}" for seat, text in table.contributions.items()]:
        lines.append(language.t("Added by the players: {contributions}", contributions=" · ".join(added)))
        if any(map(_is_number, table.contributions.values())):
            lines.append(language.t("A number comes from Discord. `/dog join` takes words of your own instead."))
    record = buttons.named(language, buttons.RECORD)
    if table.is_open:
        check = language.t(
            "After the game, `/dog verify` checks it. {record}, which appears here then, has the secret, so you can "
            "check it yourself.",
            record=record,
        )
    else:
        check = language.t("Check it with `/dog verify`, or by yourself: {record} has the secret.", record=record)
    lines.append(check)
    return "\n".join(lines)


def contribution(language: Language, text: str) -> str:
    """Return a player's contribution to the shuffles: the id of a request, or their own words."""
    return fixed(text) if _is_number(text) else quote(language, text) or "…"


def _is_number(text: str) -> bool:
    """Return True for the id of a request, which stands for a player who has added no words."""
    return text.isascii() and text.isdigit()


record = said_of_table("The record of {code}, with the secret of its shuffles. Check it with `/dog verify`.")
record_alt = said_of_table("The record of {code} as text")


def verdict(language: Language, table: Table, found: Verdict) -> str:
    """Return the result of recomputing a game that is over."""
    if found.differences:
        head = language.t("⚠️ {code} doesn't match its secret, the players' words and the rules:", code=bold(table.code))
        lines = "\n".join(difference.replace("`", "'") for difference in found.differences)
        return f"{head}\n{block(lines)}"
    return language.t(
        "✅ {code}: the shuffles were fair. The order of every card was set before the first deal.",
        code=bold(table.code),
    )
