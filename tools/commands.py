"""The tables of commands in docs: descriptions, rights and rates; and where each is in the code.

`python -m tools.commands` rewrites them between the marks of `commands.md`, `permissions.md` and the map of the cogs; a
test checks that they are up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bot.interactions.commands import GROUPS, specs
from bot.limits import EVERYTHING, IN_FLIGHT
from bot.rights import PARTS, Bound, Deed, Post, Rate, Relation
from cogs import COGS, all_commands

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- made by `python -m tools.commands` -->", "<!-- end -->"

WHO = {
    Relation.ANYONE: "all",
    Relation.PLAYER: "players",
    Relation.HOST: "host",
    Relation.STAND_IN: "friends who play for them",
    Relation.STRANDED: "players if its channel is lost",
    Relation.MODERATOR: "moderators",
    Relation.GUILD_MODERATOR: "server moderators",
    Relation.MANAGER: "managers",
    Relation.OWNER: "owner",
}
VIEWERS = "those who see it"
POSTS = {Post.NOWHERE: "", Post.THERE: "in its channel", Post.TARGET: "there"}


def command_tables() -> str:
    """Return a table for each group of commands: what a command does, its options, and the right it needs."""
    tables = []
    for group, about in GROUPS.items():
        rows = [
            (
                f"`/{path}`",
                spec.text,
                ", ".join(f"`{name.rstrip('_')}`" for name in spec.options),
                _name(spec.deed),
            )
            for path, spec in all_commands().items()
            if path.rpartition(" ")[0] == group
        ]
        tables.append(f"## /{group}\n\n{about}.\n\n{_table(('command', 'what it does', 'options', 'right'), rows)}")
    return "\n\n".join(tables)


def deeds_table() -> str:
    """Return the table of rights: who has them, where they must be able to post, how often; like rights share a row."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for deed in Deed:
        rule = deed.rule
        cells = (
            ", ".join(
                VIEWERS if who is Relation.ANYONE and rule.sight else WHO[who] for who in Relation if who in rule.who
            ),
            POSTS[rule.post],
            *_rates(rule.bound),
        )
        rows.setdefault(cells, []).append(_name(deed))
    lines = [(", ".join(deeds), *cells) for cells, deeds in rows.items()]
    lines += [(part, "", "", *_rates(bound)) for part, bound in PARTS.items()]
    lines.append((f"everything together, {IN_FLIGHT} at a time", "", "", _rate(EVERYTHING), ""))
    return _table(("right", "who", "must post", "a person", "a server"), lines)


def cogs_table() -> str:
    """Return a table of the cogs: the file, its subject as its first line says it, and its commands."""
    rows = []
    for cog in COGS:
        module = sys.modules[cog.__module__]
        about = (module.__doc__ or "").partition("\n")[0].rstrip(".")
        typed = ", ".join(f"`/{spec.path}`" for _method, spec in specs(cog))
        rows.append((f"`{cog.__module__.rpartition('.')[2]}.py`", about, typed))
    return _table(("file", "what is in it", "commands"), rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |".replace("  ", " ") for row in (heads, *rows)]
    return "\n".join([lines[0], "|---" * len(heads) + "|", *lines[1:]])


def _name(deed: Deed) -> str:
    return deed.name.lower().replace("_", " ")


def _rates(bound: Bound | None) -> tuple[str, str]:
    return ("", "") if bound is None else (_rate(bound.person), _rate(bound.guild))


def _rate(rate: Rate | None) -> str:
    """Return a rate as times/seconds."""
    return "" if rate is None else f"{rate.times}/{rate.seconds:g}"


PAGES: Mapping[str, Callable[[], str]] = {
    "commands.md": command_tables,
    "permissions.md": deeds_table,
    "../cogs/README.md": cogs_table,
}
"""The pages of docs with tables made here, and the functions that make them."""


def page(name: str) -> str:
    """Return a page with its tables as they should be."""
    text = (DOCS / name).read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}\n\n{PAGES[name]()}\n\n{END}{after}"


if __name__ == "__main__":
    for page_name in PAGES:
        (DOCS / page_name).write_text(page(page_name), encoding="utf-8")
