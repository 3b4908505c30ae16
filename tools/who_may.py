"""The tables in docs/security.md and docs/costs.md: who may do what, and what it costs, taken from the code.

`python -m tools.who_may` rewrites them between the marks in both pages; a test checks that they are up to date.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.rates import AT_ONCE, COMMANDS, DEAD, EVERYTHING, REFUSALS, SUGGESTIONS
from bot.rights import Cost, Deed, Post, Rate, Relation
from bot.showing.presses import PRESSES
from cogs.commands import COGS
from cogs.group import specs

DOCS = Path(__file__).parents[1] / "docs"

WHO = {
    Relation.ANYBODY: "everybody",
    Relation.PLAYER: "whoever has a seat",
    Relation.HOST: "the host",
    Relation.STRANDED: "its players, once its channel is lost",
    Relation.MODERATOR: "whoever may manage messages in the game's channel, or the server itself",
    Relation.GUILD_MODERATOR: "whoever may manage messages in the whole server, or the server itself",
    Relation.MANAGER: "whoever may manage the server",
}
POSTS = {Post.NOWHERE: "", Post.THERE: "in the game's channel", Post.TARGET: "in the channel or thread that is meant"}

WORK = {
    Cost.LOOK: "a few reads; at most one picture",
    Cost.CHANGE: "one transaction, and the board or hand that follows",
    Cost.POST: "one transaction, and a new message that others see",
    Cost.THINK: "seconds of thinking in other processes; acknowledged first, refused when too much of it waits",
    Cost.FILM: "seconds of drawing in a pool of its own; acknowledged first, kept by what it shows",
}


def asked_by(deed: Deed) -> tuple[list[str], list[str]]:
    """The commands and the kinds of buttons that ask for a deed."""
    commands = []
    for cog in COGS:
        for _, spec in specs(cog):
            if spec.deed is deed:
                inner = f"{spec.within} " if spec.within else ""
                commands.append(f"`/{cog.GROUP} {inner}{spec.name}`")
    return commands, sorted(f"*{kind.verb}*" for kind in PRESSES.values() if kind.deed is deed)


def rights_table() -> str:
    """Who may do what, one line per deed."""
    lines = [
        "| asked by (commands, *buttons*) | who may | must see the game | must be allowed to post |",
        "|---|---|---|---|",
    ]
    for deed in Deed:
        rule = deed.rule
        commands, presses = asked_by(deed)
        who = "; ".join(WHO[relation] for relation in Relation if relation in rule.who)
        asked = ", ".join(commands + presses) or f"({deed.name.lower().replace('_', ' ')})"
        lines.append(f"| {asked} | {who} | {'yes, or sit there' if rule.sight else ''} | {POSTS[rule.post]} |")
    return "\n".join(lines)


def costs_table() -> str:
    """What every command and button costs, and how often it may be used."""
    lines = [
        "| asked by (commands, *buttons*) | costs | one person, a command | one person, in all | a server |",
        "|---|---|---|---|---|",
    ]
    for deed in Deed:
        commands, presses = asked_by(deed)
        if not commands and not presses:
            commands = [f"({deed.name.lower().replace('_', ' ')})"]
        cost, bound = deed.rule.cost, deed.rule.bound
        command = _rate(COMMANDS[cost]) if any(one.startswith("`") for one in commands) else ""
        person, guild = ("", "") if bound is None else (_rate(bound.person), _rate(bound.guild))
        lines.append(
            f"| {', '.join(commands + presses)} | {cost.value}: {WORK[cost]} | {command} | {person} | {guild} |"
        )
    lines.append(
        f"| suggestions while typing | look: a few reads | | {_rate(SUGGESTIONS.person)} | {_rate(SUGGESTIONS.guild)} |"
    )
    lines.append(f"| buttons that lead nowhere any more | a look at the game | | {_rate(DEAD)} | |")
    lines.append(f"| everything together | | | {_rate(EVERYTHING)}; {AT_ONCE} at the same time | |")
    lines.append(f"| being told that it was too much | one answer | | {_rate(REFUSALS)} | |")
    return "\n".join(lines)


def _rate(rate: Rate) -> str:
    return f"{rate.times} in {rate.seconds:g} s"


PAGES = {"security.md": rights_table, "costs.md": costs_table}
BEGIN, END = "<!-- made by `python -m tools.who_may` -->", "<!-- end -->"


def pages() -> Iterator[tuple[Path, str]]:
    """Each page with its table as it should be."""
    for name, table in PAGES.items():
        text = (DOCS / name).read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        yield DOCS / name, f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


def main(arguments: Sequence[str] = ()) -> None:
    """Write the tables."""
    for page, text in pages():
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
