"""The operator's commands: `dog-bot tables`, `pause`, `end`, `verify`, `announce`, `block`, `forget` ...

Queries read the database. What changes something is an order: a bot that runs here carries it out itself, so
that its memory, its clocks and its boards agree; it takes orders on a socket that only its owner can open. Where no bot
runs, the order is carried out on the spot, and boards follow at the next start.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import socket
import struct
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord

from bot.client import BLOCKED, DogBot, api_host, blocked_in
from bot.delivery.unix_time import now
from bot.errors import BotError, StorageError
from bot.languages import language_for
from bot.occupants import Person, Scope
from bot.operating.listening import listen
from bot.settings import Settings, application_of, load_settings
from bot.shards import Shards
from bot.storage import Store
from bot.storage.connection import file_of, lock_file, parse_url
from bot.storage.faults import faults_at, name_of
from bot.storage.files import is_on_read_only_drive, rescue
from bot.storage.migrating import check_not_empty, head, revision_of
from bot.table import Status, Table
from bot.tables.finished.records import faults_of
from bot.tables.service import Tables
from bot.texts.refusals import refusal

log = logging.getLogger(__name__)

LONGEST_ANNOUNCEMENT = 300
"""The longest announcement, in characters."""


class OrderError(BotError):
    """An order cannot be carried out; the text tells the operator why."""


@dataclass(frozen=True, slots=True)
class OrderResult:
    """The result of an order or a dry run: lines for people, data for scripts, exit status."""

    lines: tuple[str, ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    status: int = 0


@dataclass(frozen=True, slots=True)
class Site:
    """The place of an order: the tables and the store of this process, and the operator it is done by."""

    tables: Tables
    store: Store
    operator: Person
    blocked: Callable[[frozenset[int]], None] = lambda ids: None
    """Called with the ids blocked from now on."""


Order = Callable[[Site, Mapping[str, Any]], Awaitable[OrderResult]]


def count(number: int, noun: str) -> str:
    """Return `1 game`, `2 games`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def operator_of(user_id: int) -> Person:
    """Return the operator, who acts in the bot's name with a moderator's rights everywhere."""
    return Person(user_id, "DOG", moderates=frozenset(Scope))


# Orders


async def _find_table(site: Site, named: str) -> Table:
    """Return the table with this number or code. Raises OrderError."""
    ids = (int(named),) if named.isdecimal() else await site.store.games.ids_by_code(named.upper())
    if len(ids) > 1:
        raise OrderError(
            f"{named} is the code of several games: name one by its number, of {', '.join(map(str, ids))}."
        )
    try:
        return await site.tables.get_even_broken(ids[0] if ids else 0)
    except BotError:
        raise OrderError(f"There is no table {named}: `dog-bot tables` lists them.") from None


def _make_outcome(table: Table, what: str, **more: object) -> OrderResult:
    return OrderResult(
        (f"{table.code} (table {table.id}, server {table.guild_id}): {what}",), {"table": table.id, **more}
    )


async def pause(site: Site, given: Mapping[str, Any]) -> OrderResult:
    """Stop a table's clocks, or let them go on."""
    table = await _find_table(site, given["table"])
    done = "goes on" if given["resume"] else "paused"
    paused = table.status is Status.PAUSED and table.paused_by is not None
    if given["resume"] != paused or not table.is_open:
        state = "paused already" if paused else "over" if not table.is_open else "not paused"
        raise OrderError(f"{table.code} (table {table.id}) is {state}.")
    if given["dry_run"]:
        return _make_outcome(table, f"would be {done}" if not given["resume"] else "would go on", status=table.status)
    moderation = site.tables.moderation
    if given["resume"]:
        after = await moderation.resume(table.id, site.operator)
    else:
        after = await moderation.pause(table.id, site.operator, given["reason"])
    return _make_outcome(after, done, status=after.status)


async def end(site: Site, given: Mapping[str, Any]) -> OrderResult:
    """End a table without a winner."""
    table = await _find_table(site, given["table"])
    if not table.is_open:
        raise OrderError(f"{table.code} (table {table.id}) is over.")
    if given["dry_run"]:
        return _make_outcome(table, "would be ended", status=table.status)
    after = await site.tables.turns.cancel(table.id, site.operator, given["reason"])
    return _make_outcome(after, "ended", status=after.status)


async def announce(site: Site, given: Mapping[str, Any]) -> OrderResult:
    """Tell all boards something and let all clocks stand, until that is over."""
    text = None if given["over"] else str(given["text"]).strip()
    if text is not None and not 0 < len(text) <= LONGEST_ANNOUNCEMENT:
        raise OrderError(f"An announcement has 1 to {LONGEST_ANNOUNCEMENT} characters.")
    if given["dry_run"]:
        open_ = len(await site.store.games.open_ids())
        return OrderResult((f"{count(open_, 'open table')} would be told.",), {"tables": open_})
    ids = await site.tables.moderation.announce(text)
    await site.tables.touch_in_turn(ids)
    said = "clocks go on" if text is None else "clocks stand until `dog-bot announce --over`"
    return OrderResult((f"{count(len(ids), 'table')} told; {said}.",), {"tables": len(ids)})


async def block(site: Site, given: Mapping[str, Any]) -> OrderResult:
    """Refuse a user or a whole server, which is left, or admit them again; without an id, list the blocked ids."""
    blocked = await blocked_in(site.store)
    if given["id"] is None:
        lines = tuple(f"{id_}: {why or 'no reason given'}" for id_, why in blocked.items())
        return OrderResult(
            lines or ("Nobody is blocked.",), {"blocked": {str(id_): why for id_, why in blocked.items()}}
        )
    id_ = int(given["id"])
    if given["undo"] and id_ not in blocked:
        raise OrderError(f"{id_} is not blocked.")
    would = "would be " if given["dry_run"] else "is "
    outcome = OrderResult(
        (f"{id_} {would}{'admitted again' if given['undo'] else 'refused from now on'}.",), {"id": id_}
    )
    if not given["dry_run"]:
        blocked.pop(id_, None)
        if not given["undo"]:
            blocked[id_] = given["reason"]
        await site.store.remember(BLOCKED, json.dumps({str(id_): why for id_, why in blocked.items()}))
        site.blocked(frozenset(blocked))
    return outcome


async def forget(site: Site, given: Mapping[str, Any]) -> OrderResult:
    """Forget a user: open games lose them, finished games have a player without a name in their place."""
    user_id = int(given["id"])
    if not given["dry_run"]:
        await site.tables.privacy.forget(user_id)
        return OrderResult((f"{user_id} is forgotten. Bans and blocks stay.",), {"id": user_id})
    rows_of = await site.store.privacy.export(user_id)
    counts = {table: len(rows) for table, rows in rows_of.items()}
    listing = ", ".join(f"{rows} of {table}" for table, rows in counts.items()) or "none"
    return OrderResult((f"{user_id} would be forgotten: rows about them: {listing}.",), {"id": user_id, "rows": counts})


async def rebuild(site: Site, given: Mapping[str, Any]) -> OrderResult:
    """Make results and ratings anew from the logs of all finished games."""
    if given["dry_run"]:
        games = len(await site.store.results.games_over())
        return OrderResult((f"{count(games, 'finished game')} would be counted anew.",), {"games": games})
    games = await site.tables.results.rebuild()
    return OrderResult((f"{count(games, 'finished game')} counted anew.",), {"games": games})


ORDERS: Mapping[str, Order] = {
    "pause": pause,
    "end": end,
    "announce": announce,
    "block": block,
    "forget": forget,
    "rebuild-stats": rebuild,
}


async def carry_out(site: Site, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Carry out an order; returns its outcome as JSON has it, or `error` with a sentence."""
    try:
        outcome = await ORDERS[name](site, given)
    except StorageError as problem:
        return {"error": str(problem)}
    except OrderError as problem:
        return {"error": str(problem)}
    except BotError as refused:
        return {"error": refusal(language_for("en"), refused).replace("*", "")}
    return asdict(outcome)


# The socket of a bot that runs


def socket_of(settings: Settings) -> Path:
    """Return the path of the socket for orders: beside the database, or in data/ if that is a server."""
    file = file_of(parse_url(settings.database_url))
    if file is not None:
        return file.with_name(file.name + ".orders")
    shard = min(settings.shards.ids)
    return Path("data") / f"dog-{shard}.orders"


@asynccontextmanager
async def take_orders(bot: DogBot) -> AsyncIterator[None]:
    """Take orders on the socket until the block ends."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            arguments = json.loads(await reader.readline())
            site = Site(bot.tables, bot.store, operator_of(bot.user.id if bot.user else 0), bot.set_blocked)
            given = arguments["given"]
            answer = await carry_out(site, str(arguments["order"]), given)
            about = given.get("table") or given.get("id") or "everything"
            dry = " (dry run)" if given.get("dry_run") else ""
            result = answer.get("error", "done")
            log.info("order %s%s by %s, about %s: %s", arguments["order"], dry, _sender_of(writer), about, result)
        except Exception as problem:
            log.exception("an order failed")
            answer = {"error": f"The bot could not do it ({type(problem).__name__}); its log says why."}
        writer.write(json.dumps(answer).encode() + b"\n")
        with suppress(OSError):
            await writer.drain()
        writer.close()

    async with listen(socket_of(bot.settings), serve, "orders cannot be taken", logging.WARNING):
        yield


def _sender_of(writer: asyncio.StreamWriter) -> str:
    """Return the name of the user of this machine whose order it is, as the system tells."""
    try:
        credentials = writer.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        user_id = struct.unpack("3i", credentials)[1]
        # Not on every system.
        from pwd import getpwuid

        return getpwuid(user_id).pw_name
    except (OSError, AttributeError, ImportError):
        return "a user of this machine"
    except KeyError:
        return f"user {user_id}"


# The command line


async def _send_order(settings: Settings, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Have an order carried out: by the bot that runs here, or on the spot if none runs. Raises what a start raises."""
    path = socket_of(settings)
    try:
        reader, writer = await asyncio.open_unix_connection(path)
    except (OSError, AttributeError):
        pass
    else:
        writer.write(json.dumps({"order": name, "given": given}).encode() + b"\n")
        await writer.drain()
        answer: dict[str, Any] = json.loads(await reader.readline() or b'{"error": "The bot ended meanwhile."}')
        writer.close()
        return answer
    with lock_file(settings.database_url):
        store = Store(settings.database_url, settings.shards)
        try:
            await store.open()
            # Of a bot that shares the database, and runs elsewhere, this says where.
            await store.locks.take()
            token = settings.discord_token
            # A token begins with the id of its bot.
            own_id = int((token and application_of(token.get_secret_value())) or 0)
            tables = Tables(store, clock=now, shards=settings.shards)
            try:
                return await carry_out(Site(tables, store, operator_of(own_id)), name, given)
            finally:
                await tables.close(0)
        finally:
            await store.close()


@asynccontextmanager
async def _open_store(settings: Settings) -> AsyncIterator[Store]:
    """Yield a store to read from, beside a running bot; nothing is migrated. Raises what a start raises."""
    url = parse_url(settings.database_url)
    file = file_of(url)
    if file is not None and not file.exists():
        raise OrderError(f"There is no database {file} yet: --home FOLDER names where the bot runs.")
    address = settings.database_url
    with tempfile.TemporaryDirectory() as folder:
        if file is not None:
            check_not_empty(file)
            if is_on_read_only_drive(file):
                rescued = await asyncio.to_thread(rescue, file, Path(folder))
                address = f"sqlite+aiosqlite:///{rescued.as_posix()}"
        async with _opened(address, settings.shards, name_of(url)) as store:
            yield store


@asynccontextmanager
async def _opened(address: str, shards: Shards, where: str) -> AsyncIterator[Store]:
    store = Store(address, shards)
    try:
        with faults_at(where):
            async with store.reading() as connection:
                revision = await connection.run_sync(revision_of)
        if revision != head():
            raise OrderError(f"{where} has another version than this program: start the bot first.")
        yield store
    finally:
        await store.close()


async def _tables(arguments: argparse.Namespace) -> OrderResult:
    async with _open_store(load_settings()) as store:
        rows = [dict(row) for row in await store.games.overview()]
    moment = int(now())
    listed = []
    for row in rows:
        row = {name: getattr(value, "value", value) for name, value in row.items()}
        due = row.pop("due_at")
        row["behind"] = max(0, moment - due) if due is not None else 0
        if arguments.guild in (None, row["guild_id"]) and row["behind"] >= arguments.behind:
            listed.append(row)
    lines = [
        f"{row['id']:>6}  {row['code']:<8} {row['status']:<8} {row['system']:<12} {row['players']} players "
        f"{row['actions']:>4} actions  server {row['guild_id']}"
        + (f"  {row['behind']} s behind" if row["behind"] else "")
        + (f"  place lost ({row['lost']})" if row["lost"] else "")
        for row in listed
    ]
    return OrderResult((*lines, f"{count(len(listed), 'open table')}."), {"tables": listed})


async def _verify(arguments: argparse.Namespace) -> OrderResult:
    async with _open_store(load_settings()) as store:
        named: list[int] = []
        for name in arguments.table:
            named += (int(name),) if name.isdecimal() else await store.games.ids_by_code(name.upper())
        if arguments.table and not named:
            raise OrderError(f"There is no table {', '.join(arguments.table)}.")
        ids = tuple(named) or await store.games.ids()
        tables = Tables(store)
        try:
            broken = {id_: faults for id_ in ids if (faults := await faults_of(store, tables.records, id_))}
        finally:
            await tables.close(0)
    lines = [f"table {id_}: {'; '.join(faults)}" for id_, faults in broken.items()]
    data = {"checked": len(ids), "broken": {str(id_): faults for id_, faults in broken.items()}}
    return OrderResult((*lines, f"{count(len(ids), 'game')} checked, {len(broken)} broken."), data, 2 if broken else 0)


async def _servers(arguments: argparse.Namespace) -> OrderResult:
    """Ask Discord, which knows the servers of all processes, and the database, which knows the games."""
    settings = load_settings()
    client = discord.Client(intents=discord.Intents.none(), **settings.proxies.options(api_host()))
    try:
        await client.login(settings.require_token())
        assert client.user is not None
        guilds = [guild async for guild in client.fetch_guilds(limit=None, with_counts=True)]
        if arguments.leave is not None:
            name = next((guild.name for guild in guilds if guild.id == arguments.leave), None)
            if name is None:
                raise OrderError(f"The bot is in no server {arguments.leave}: `dog-bot servers` lists them.")
            if not arguments.dry_run:
                await client.http.leave_guild(arguments.leave)
            would = "would be left" if arguments.dry_run else "left; what is stored of it is deleted after 30 days"
            return OrderResult((f"{name} (server {arguments.leave}): {would}.",), {"left": arguments.leave})
        few = asyncio.Semaphore(5)

        async def since(guild: discord.Guild) -> str:
            async with few:
                member: Any = await client.http.get_member(guild.id, client.user.id if client.user else 0)
            return str(member["joined_at"])[:10]

        joined = await asyncio.gather(*map(since, guilds))
    finally:
        await client.close()
    async with _open_store(settings) as store:
        games = {row["guild_id"]: row for row in await store.games.by_guild()}
    servers = []
    for guild, day in zip(guilds, joined, strict=True):
        row: Mapping[Any, Any] = games.get(guild.id, {})
        last = row.get("last")
        servers.append(
            {
                "id": guild.id,
                "name": guild.name,
                "members": guild.approximate_member_count,
                "since": day,
                "games": row.get("games", 0),
                "last_game": last and datetime.fromtimestamp(last, UTC).strftime("%Y-%m-%d"),
            }
        )

    def members(server: dict[str, Any]) -> str:
        """Return how many members a server has, as far as Discord tells."""
        return count(server["members"], "member") if server["members"] else "? members"

    servers.sort(key=lambda server: (server["last_game"] or "", server["since"]))
    lines = [
        f"{server['id']:>20}  since {server['since']}  {members(server):>15}  {count(server['games'], 'game'):>12}"
        f"  last {server['last_game'] or 'never':<10}  {server['name']}"
        for server in servers
    ]
    return OrderResult((*lines, f"{count(len(servers), 'server')}."), {"servers": servers})


async def _export(arguments: argparse.Namespace) -> OrderResult:
    async with _open_store(load_settings()) as store:
        exported = await store.privacy.export(arguments.id)
    return OrderResult((json.dumps(exported, indent=1, ensure_ascii=False),), exported)


def _order(name: str) -> Callable[[argparse.Namespace], Awaitable[OrderResult]]:
    async def ordered(arguments: argparse.Namespace) -> OrderResult:
        given = {key: value for key, value in vars(arguments).items() if key not in ("work", "home", "json")}
        answer = await _send_order(load_settings(), name, given)
        if "error" in answer:
            raise OrderError(answer["error"])
        return OrderResult(**answer)

    return ordered


def _make_printer(work: Callable[[argparse.Namespace], Awaitable[OrderResult]]) -> Callable[[argparse.Namespace], Any]:
    async def printed(arguments: argparse.Namespace) -> int:
        outcome = await work(arguments)
        print(json.dumps(outcome.data, indent=1) if arguments.json else "\n".join(outcome.lines))
        return outcome.status

    return printed


def add_to(words: Any) -> None:
    """Add the operators' commands to those of the program."""

    def command(name: str, text: str, work: Callable[[argparse.Namespace], Awaitable[OrderResult]]) -> Any:
        parser = words.add_parser(name, help=text, description=text)
        parser.add_argument("--json", action="store_true", help="for scripts")
        if name in ORDERS:
            parser.add_argument("--dry-run", action="store_true", help="say what it would do")
        parser.set_defaults(work=_make_printer(work))
        return parser

    tables = command("tables", "list the open tables", _tables)
    tables.add_argument("--guild", type=int, metavar="SERVER", help="only those of this server")
    tables.add_argument("--behind", type=int, default=0, metavar="SECONDS", help="only those with something overdue")
    servers = command("servers", "list the servers where the bot is, or leave one", _servers)
    servers.add_argument("--leave", type=int, metavar="SERVER", help="leave this one")
    servers.add_argument("--dry-run", action="store_true", help="say what it would do")
    paused = command("pause", "stop a table's clock, or let it go on", _order("pause"))
    paused.add_argument("table", help="its number in `dog-bot tables`, or its code")
    paused.add_argument("--reason", default="", help="what its people are told")
    paused.add_argument("--resume", action="store_true", help="let it go on")
    ended = command("end", "end a table without a winner", _order("end"))
    ended.add_argument("table", help="its number or code")
    ended.add_argument("--reason", default="ended by the operator", help="what its people are told")
    verified = command("verify", "replay games and say which are broken", _verify)
    verified.add_argument("table", nargs="*", help="numbers or codes; all games if none is named")
    announced = command("announce", "tell all boards something while clocks stand", _order("announce"))
    announced.add_argument("text", nargs="?", default="", help="such as 'Update at 20:00, back within ten minutes.'")
    announced.add_argument("--over", action="store_true", help="it is over: clocks go on")
    blocked = command("block", "refuse a user or a server; without an id, list them", _order("block"))
    blocked.add_argument("id", nargs="?", type=int, help="of the user or the server")
    blocked.add_argument("--reason", default="", help="for your own memory")
    blocked.add_argument("--undo", action="store_true", help="admit them again")
    forgotten = command("forget", "forget a user, as they could themselves", _order("forget"))
    forgotten.add_argument("id", type=int, help="of the user")
    command("export", "print everything that is stored about a user, as JSON", _export).add_argument("id", type=int)
    command("rebuild-stats", "count all finished games anew, which may take a while", _order("rebuild-stats"))
