"""The table in docs/permissions.md: who may do what and how often, taken from the code.

`python -m tools.who_may` rewrites them between the marks of the page; a test checks that they are up to date.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.limits import EVERYTHING, IN_FLIGHT
from bot.rights import Deed, Post, Rate, Relation
from cogs import all_commands

PAGE = Path(__file__).parents[1] / "docs" / "permissions.md"
BEGIN, END = "<!-- made by `python -m tools.who_may` -->", "<!-- end -->"

WHO = {
    Relation.ANYBODY: "everybody",
    Relation.PLAYER: "players",
    Relation.HOST: "host",
    Relation.STRANDED: "players if its channel is lost",
    Relation.MODERATOR: "moderators",
    Relation.GUILD_MODERATOR: "server moderators",
    Relation.MANAGER: "managers",
}
VIEWERS = "whoever sees it"
POSTS = {Post.NOWHERE: "", Post.THERE: "in its channel", Post.TARGET: "there"}


def asked_by(deed: Deed) -> list[str]:
    """The commands that ask for a deed; what it is called where there are only buttons for it."""
    return [f"`/{path}`" for path, spec in all_commands().items() if spec.deed is deed] or [
        deed.name.lower().replace("_", " ")
    ]


def deeds_table() -> str:
    """Who may do what, where they must be allowed to post, how often; like deeds share a row."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for deed in Deed:
        rule = deed.rule
        cells = (
            ", ".join(
                VIEWERS if one is Relation.ANYBODY and rule.sight else WHO[one] for one in Relation if one in rule.who
            ),
            POSTS[rule.post],
            *((_rate(rule.bound.person), _rate(rule.bound.guild)) if rule.bound else ("", "")),
        )
        rows.setdefault(cells, []).extend(asked_by(deed))
    lines = [(", ".join(deeds), *cells) for cells, deeds in rows.items()]
    lines.append((f"everything together, {IN_FLIGHT} at a time", "", "", _rate(EVERYTHING), ""))
    return _table(("what", "who", "must post", "a person", "a server"), lines)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |".replace("  ", " ") for row in (heads, *rows)]
    return "\n".join([lines[0], "|---" * len(heads) + "|", *lines[1:]])


def _rate(rate: Rate) -> str:
    """How many times in how many seconds."""
    return f"{rate.times}/{rate.seconds:g}"


def page() -> str:
    """The page with its tables as they should be."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}\n\n{deeds_table()}\n\n{END}{after}"


def main(arguments: Sequence[str] = ()) -> None:
    """Write the tables."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
