"""`dog-bot check`: would the bot start here, and is it welcome where it is? One line for each check.

Games and settings stay as they are, and a bot that runs is not disturbed. With a token, Discord is asked too.
"""

from __future__ import annotations

import shutil
import sys
import time
import zoneinfo
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import aiohttp
import discord
from discord.gateway import DiscordWebSocket

from bot.client import PERMISSIONS, api_host, invite_link
from bot.delivery.watching import missing_permissions
from bot.errors import SettingsError
from bot.languages import available, language_for
from bot.metrics import version_of_the_bot
from bot.operating import healthy
from bot.pace import DAY
from bot.proxies import Proxies
from bot.settings import ENV_FILE, Settings, application_of, load_settings, misspelt, no_file, others_can_read, unknown
from bot.storage.connection import file_of, lock_file, make_engine, parse_url, try_drive
from bot.storage.database import Database
from bot.storage.faults import Fault, FaultKind, faults_at, name_of
from bot.storage.locks import TAKEN as SHARDS_TAKEN
from bot.storage.locks import held_locks, refusal
from bot.storage.migrating import check_not_empty, head, revision_of
from bot.storage.users import chosen_channels
from bot.surroundings import RIVAL, RIVAL_SAID, wrong_clock
from engine import board_for, system_of
from render import Scene, board_png
from render.drawing.text import check_fonts

WRONG, LATER = 2, 75
"""The exit statuses of a start that cannot succeed: until something is changed, and for the moment."""

ROOM = 200
"""Megabytes that should be free where the games are kept."""

MOST_LOOKED_AT = 100
"""The most servers whose channels are asked for."""

RIVAL_LATELY = DAY
"""Seconds for which another bot with the same token is told of."""

ANSWERED = 10.0
"""Seconds to wait for Discord's clock."""

BUILT = 1_767_225_600.0
"""The beginning of 2026: a clock that is before it has never been set."""

TAKEN = SHARDS_TAKEN | {FaultKind.IN_USE}
"""The faults of a database on which another process of the bot runs, perhaps the one here."""

_WORDS = {0: "ok", WRONG: "wrong", LATER: "later"}

Explain = Callable[[BaseException], tuple[str, int] | None]
"""The program's line about an error, and the exit status."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A finding: its subject, the exit status of a start that it stops (0: none), and a line about it."""

    about: str
    status: int
    text: str

    def __str__(self) -> str:
        return f"{_WORDS[self.status]:<6} {self.about}: {self.text}"

    def to_json(self) -> dict[str, object]:
        """Return the finding for scripts."""
        return asdict(self)


class Trouble(Exception):
    """A problem and its remedy; `status` is that of a start."""

    def __init__(self, text: str, status: int = WRONG) -> None:
        super().__init__(text)
        self.status = status


async def check(explain: Explain, *, online: bool = True) -> list[CheckResult]:
    """Look at everything, in the order in which a start would meet it; `online`: ask Discord too."""
    findings: list[CheckResult] = []

    async def look(about: str, at: Callable[[], str | Awaitable[str]]) -> bool:
        """Add what was found; returns False if the look itself failed."""
        try:
            results = at()
            said = results if isinstance(results, str) else await results
        except Trouble as trouble:
            findings.append(CheckResult(about, trouble.status, str(trouble)))
        except Exception as problem:
            text, status = explain(problem) or (f"{type(problem).__name__}: {problem}", WRONG)
            findings.append(CheckResult(about, status, text))
            return False
        else:
            findings.append(CheckResult(about, 0, said))
        return True

    try:
        settings = load_settings()
    except SettingsError as problem:
        return [CheckResult("settings", WRONG, str(problem))]
    await look("version", lambda: f"{version_of_the_bot()}, Python {sys.version.split()[0]}")
    await look("settings", _settings)
    await look("token", lambda: f"has the shape of one, for the application {application_of(settings.require_token())}")
    if await look("database", lambda: _database(settings)):
        await look("other bots", lambda: _other_bots(settings))
    await look("disk", lambda: _disk(settings))
    await look("fonts", _fonts)
    await look("texts", _texts)
    await look("clock", _clock)
    await look("proxy", lambda: _proxy(settings.proxies))
    if online and settings.discord_token is not None:
        options = settings.proxies.options(api_host())
        client = discord.Client(intents=discord.Intents(guilds=True), **options)
        try:
            # Where that fails, no more is asked: a ban would become longer.
            answers = await look("Discord", lambda: _discords_clock(options))
            if answers and await look("login", lambda: _login(client, settings)):
                await look("intents", lambda: _intents(client))
                await look("permissions", lambda: _permissions(client))
                await look("channels", lambda: _channels(client, settings))
                await look("shards", lambda: _logins(client, settings))
        finally:
            await client.close()
    return findings


def _settings() -> str:
    if (problem := no_file(ENV_FILE)) is not None:
        return f"from the environment only: {problem}"
    if not ENV_FILE.exists():
        return f"from the environment (there is no {ENV_FILE.absolute()})"
    if wrong := misspelt():
        named = ", ".join(f"{name} is no setting ({meant}=?)" for name, meant in wrong.items())
        raise Trouble(f"in {ENV_FILE.absolute()}, {named}: write the names as in .env.example.")
    if others_can_read(ENV_FILE):
        raise Trouble(f"others on this machine can read the token: chmod 600 {ENV_FILE.absolute()}")
    others = ", ".join(unknown())
    return f"from {ENV_FILE.absolute()} and the environment" + (f"; not for the bot: {others}" if others else "")


async def _database(settings: Settings) -> str:
    url = parse_url(settings.database_url)
    file = file_of(url)
    if file is not None:
        folder = next(parent for parent in (file.parent, *file.parents) if parent.exists())
        try_drive(folder, file)
        if not file.exists():
            return f"{file} will be made at the first start"
        check_not_empty(file)
    engine = make_engine(settings.database_url)
    try:
        with faults_at(name_of(url)):
            async with engine.connect() as connection:
                revision = await connection.run_sync(revision_of)
                held = await connection.run_sync(held_locks) if file is None else ()
    finally:
        await engine.dispose()
    state = (
        "up to date" if revision == head() else f"brought from {revision or 'nothing'} to {head()} at the next start"
    )
    try:
        if (refused := refusal(settings.shards, held, name_of(url))) is not None:
            raise refused
        with lock_file(settings.database_url):
            pass
    except Fault as fault:
        if fault.kind not in TAKEN or not (said := healthy.ask()):
            raise
        if said != healthy.OK:
            raise Trouble(f"the bot that runs here says: {said}", LATER) from None
        return f"{fault.where}: the bot runs here, and is well; {state}"
    return f"{name_of(url)} can be written, {state}; nobody else serves {settings.shards}"


async def _other_bots(settings: Settings) -> str:
    file = file_of(parse_url(settings.database_url))
    if file is not None and not file.exists():
        return "none with this token is known of"
    database = Database(settings.database_url)
    try:
        seen = int(await database.recall(RIVAL) or 0)
    finally:
        await database.close()
    if (ago := time.time() - seen) < RIVAL_LATELY:
        raise Trouble(f"noticed {ago / 60:.0f} minutes ago: {RIVAL_SAID}")
    return "none with this token was noticed lately"


def _disk(settings: Settings) -> str:
    file = file_of(parse_url(settings.database_url))
    folder = next(parent for parent in (file or Path.cwd() / "x").parents if parent.exists())
    free = shutil.disk_usage(folder).free // 1_000_000
    if free < ROOM:
        raise Trouble(f"{free} MB free in {folder}: make room, {ROOM} MB at least.", LATER)
    return f"{free:,} MB free in {folder}"


def _fonts() -> str:
    count = check_fonts()
    system = system_of("classic")
    board = board_for(system, 4)
    picture = board_png(Scene(board=board, placement=dict.fromkeys(board.seats, ("-",) * 4), names={}), size=256)
    return f"{count} fonts, and a board of {len(picture) // 1024} KB drawn with them"


def _texts() -> str:
    codes = available()
    for code in codes:
        language_for(code)
    zoneinfo.ZoneInfo("Europe/Zurich")
    return f"{', '.join(codes)}; time zones are there"


def _clock() -> str:
    if time.time() < BUILT:
        raise Trouble("the clock of this machine is not set: let it follow a time server (timedatectl set-ntp true).")
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())


def _proxy(proxies: Proxies) -> str:
    if not proxies.address:
        return "none: Discord is reached directly"
    gateway = DiscordWebSocket.DEFAULT_GATEWAY.host or ""
    through = [host for host in (api_host(), gateway) if proxies.serves(host)]
    user = ", with a user and password" if proxies.auth else ""
    return f"{proxies.address}{user}, for {' and '.join(through) or 'neither of Discord (NO_PROXY)'}"


async def _discords_clock(options: Mapping[str, Any]) -> str:
    sent_at = time.time()
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ANSWERED)) as session,
        session.get(f"{discord.http.Route.BASE}/gateway", **options) as answer,
    ):
        if answer.status != 200:
            raise discord.HTTPException(answer, await answer.text())
        said = answer.headers.get("Date")
    if wrong := wrong_clock(said, (sent_at + time.time()) / 2):
        raise Trouble(wrong)
    return "answers" if said is None else "answers, and its clock agrees with ours"


async def _login(client: discord.Client, settings: Settings) -> str:
    await client.login(settings.require_token())
    assert client.user is not None
    return f"the bot's user is {client.user.id}; invite it with {invite_link(client.application_id or client.user.id)}"


async def _intents(client: discord.Client) -> str:
    flags = (await client.application_info()).flags
    needless = [name for name, on in flags if on and name.startswith("gateway_")]
    if needless:
        return f"none that is privileged is used; in the developer portal, under Bot, these can go off: {needless}"
    return "none that is privileged is asked for, and none is used"


async def _permissions(client: discord.Client) -> str:
    """Check that the bot has in each server the permissions it asks for when it is invited."""
    short, count, after = [], 0, None
    while True:
        page = await client.http.get_guilds(200, after=after, with_counts=False)
        for guild in page:
            has = discord.Permissions(int(guild.get("permissions", "0")))
            if not (has.administrator or has >= PERMISSIONS):
                short.append(str(guild["id"]))
        count += len(page)
        if len(page) < 200:
            break
        after = int(page[-1]["id"])
    if short:
        named = ", ".join(short[:5]) + (" ..." if len(short) > 5 else "")
        raise Trouble(
            f"{len(short)} of {count} servers do not give the bot's role all it needs ({named}): use the link above "
            "again there. Channels may still allow it."
        )
    return f"complete in {count} server{'' if count == 1 else 's'}"


async def _channels(client: discord.Client, settings: Settings) -> str:
    """Check the channels that servers have chosen for games or for the puzzle of the day."""
    file = file_of(parse_url(settings.database_url))
    if file is not None and not file.exists():
        return "none is chosen yet"
    database = Database(settings.database_url)
    try:
        chosen = await chosen_channels(database)
    finally:
        await database.close()
    short, count = [], 0
    for guild_id, channel_ids in list(chosen.items())[:MOST_LOOKED_AT]:
        try:
            guild = await client.fetch_guild(guild_id, with_counts=False)
            me = await guild.fetch_member(client.user.id if client.user else 0)
            places = {place.id: place for place in await guild.fetch_channels()}
        except (discord.NotFound, discord.Forbidden):
            # The bot has left it.
            continue
        for channel_id in channel_ids:
            count += 1
            place = places.get(channel_id)
            if place is not None and (lacks := missing_permissions(place.permissions_for(me), place)):
                short.append(f"{channel_id} in server {guild_id} ({', '.join(lacks)})")
    if short:
        named = "; ".join(short[:5]) + (" ..." if len(short) > 5 else "")
        raise Trouble(f"something is missing in chosen channels: {named}. /dog-admin status tells moderators there.")
    return f"{count} chosen by servers, and the bot may do there what it has to"


async def _logins(client: discord.Client, settings: Settings) -> str:
    shards, _, limit = await client.http.get_bot_gateway()
    wanted = settings.shard_count or shards
    if limit["remaining"] < wanted:
        minutes = limit["reset_after"] // 60_000 + 1
        raise Trouble(f"Discord allows {limit['remaining']} more logins for now, again in {minutes} minutes.", LATER)
    if wanted < shards // 2:
        raise Trouble(f"SHARD_COUNT is {wanted}, Discord recommends {shards}: raise it before servers are left out.")
    return f"{settings.shards} here, Discord recommends {shards}; {limit['remaining']} of {limit['total']} logins left"
