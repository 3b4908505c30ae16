"""Settings of the operator, read from the environment and from `.env`.

There is no global object: the program calls `load_settings` once at its start and passes on what is needed.
"""

from __future__ import annotations

import base64
import os
import re
import stat
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.errors import SettingsError
from bot.proxies import Proxies
from bot.shards import Shards

ENV_FILE = Path(".env")
DEFAULT_DATABASE = "sqlite+aiosqlite:///data/dog.db"
MOST_SHARDS = 100_000
"""More than Discord's largest bots have."""

_TOKEN = re.compile(r"([\w-]{18,})\.[\w-]{5,8}\.[\w-]{25,}")
"""An application's id, a time and a signature, in base64."""

_QUOTED = re.compile(r"""(["'])(.*)\1(?:\s+#.*)?""", re.DOTALL)
_COMMENT = re.compile(r"\s+#.*", re.DOTALL)

_NAMED = re.compile(r"^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*([=:])", re.MULTILINE)

_NEARLY_ENV = (".env.txt", "env", "env.txt", ".env.example.txt")
"""Names under which `.env` gets lost, since editors and file managers hide or add a part of the name."""

_ALSO_READ = ("POSTGRES_PASSWORD", "COMPOSE_PROFILES", "HTTP_PROXY", "ALL_PROXY")
"""Names in `.env` that are for others; each resembles one of ours, or may come to."""


class Settings(BaseSettings):
    """The settings, with names in lower case: `DISCORD_TOKEN` is `discord_token`, and so on."""

    model_config = SettingsConfigDict(env_file_encoding="utf-8", extra="ignore", frozen=True, hide_input_in_errors=True)

    discord_token: SecretStr | None = Field(None, description="the bot's token from the developer portal")
    discord_token_file: str = Field("", description="a file with the token, in place of DISCORD_TOKEN")
    database_url: str = Field(DEFAULT_DATABASE, description="where games are kept, as a SQLAlchemy async address")
    pgpassword: SecretStr | None = Field(None, description="the password of a PostgreSQL, if DATABASE_URL has none")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="how much is logged")
    log_format: Literal["people", "json"] = Field("people", description="lines to read, or one JSON object a line")
    metrics_port: int | None = Field(
        None, ge=1, le=65_535, description="port on 127.0.0.1 for /healthz and Prometheus's /metrics; none if empty"
    )
    sentry_dsn: SecretStr | None = Field(None, description="where bugs are told, if you have a Sentry")
    guild_ids: Annotated[tuple[int, ...], NoDecode] = Field(
        (), description="guild ids, separated by commas: commands go to these only (for development)"
    )
    allowed_guilds: Annotated[tuple[int, ...], NoDecode] = Field(
        (), description="guild ids, separated by commas: the bot leaves all other guilds; none: it stays everywhere"
    )
    cache_games: int = Field(1_000, ge=1, le=1_000_000, description="how many loaded games are kept in memory")
    drawing_processes: int = Field(
        1,
        ge=0,
        le=64,
        description="how many processes draw pictures, and as many again in which computer players think; with 0, "
        "threads of the bot's own do both, and what is late there cannot be stopped",
    )
    keep_days: int = Field(
        365,
        ge=1,
        le=36_500,
        description="after how many days names in finished games, what moderators did, and lobbies that never started "
        "are deleted",
    )
    rules_url: str = Field("", description="where docs/rules can be read: the folder's address on the web")
    privacy_url: str = Field("", description="where your privacy policy can be read, for a link in /dog help")
    support_url: str = Field("", description="where players find help, such as an invite to a server, for the same")
    shard_count: int | None = Field(
        None,
        ge=1,
        le=MOST_SHARDS,
        description="connections to Discord, for at most 2,500 servers each; as many as it advises",
    )
    shard_ids: Annotated[tuple[int, ...], NoDecode] = Field(
        (), description="which of the SHARD_COUNT connections this process has, where several share the servers: 0-2,5"
    )
    https_proxy: SecretStr | None = Field(None, description="the proxy through which Discord is reached, if any")
    no_proxy: str = Field("", description="hosts that are reached without it, separated by commas")

    @model_validator(mode="before")
    @classmethod
    def _blank_is_default(cls, values: dict[str, object]) -> dict[str, object]:
        """Leave out what is set to nothing, as most lines of .env.example are; read the rest as `.env` is read."""
        tidy = {name: _plain(value) if isinstance(value, str) else value for name, value in values.items()}
        given = {name: value for name, value in tidy.items() if value != ""}
        if "discord_token" not in given and (file := given.get("discord_token_file")):
            try:
                given["discord_token"] = Path(str(file)).read_text("utf-8-sig").strip()
            except (OSError, ValueError) as problem:
                why = getattr(problem, "strerror", None) or "no text"
                raise ValueError(f"DISCORD_TOKEN_FILE: {file} cannot be read ({why})") from None
        return given

    @field_validator("discord_token")
    @classmethod
    def _can_be_sent(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not all("!" <= sign <= "~" for sign in value.get_secret_value()):
            raise ValueError("a token has no spaces and no other signs than ASCII; copy it again, without 'Bot'")
        return value

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("guild_ids", "allowed_guilds", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value

    @field_validator("guild_ids", "allowed_guilds")
    @classmethod
    def _are_ids(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not all(0 < number < 2**63 for number in value):
            raise ValueError("an id is a number of up to 19 digits")
        return value

    @field_validator("rules_url", "privacy_url", "support_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if value and (not value.startswith("https://") or not urlsplit(value).hostname):
            raise ValueError("an address begins with https://")
        return value

    @field_validator("https_proxy")
    @classmethod
    def _is_a_proxy(cls, value: SecretStr | None) -> SecretStr | None:
        Proxies.of(value.get_secret_value() if value else "")
        return value

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _ranges(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        ids: list[int] = []
        for part in value.replace(",", " ").split():
            first, _, last = part.partition("-")
            if not (first.isascii() and first.isdigit()) or ("-" in part and not (last.isascii() and last.isdigit())):
                raise ValueError("numbers and ranges, separated by commas, such as 0-2,5")
            begin, end = int(first[:7]), int((last or first)[:7])
            if end < begin or end - begin > MOST_SHARDS:
                raise ValueError(f"the range {part[:20]} has no shards; write the smaller number first")
            ids += range(begin, end + 1)
        return tuple(ids)

    @model_validator(mode="after")
    def _shards_fit(self) -> Settings:
        """Check `SHARD_IDS` if it is set, and say what is wrong with it."""
        ids, count = self.shard_ids, self.shard_count
        if not ids:
            return self
        if count is None:
            raise ValueError("SHARD_IDS needs SHARD_COUNT, the number of shards of all processes together")
        if len(set(ids)) < len(ids):
            raise ValueError("SHARD_IDS names a shard twice")
        if min(ids) < 0 or max(ids) >= count:
            raise ValueError(f"SHARD_IDS must lie between 0 and {count - 1}, since SHARD_COUNT is {count}")
        if self.database_url.startswith("sqlite"):
            raise ValueError("SHARD_IDS needs a database that several processes can share: name a PostgreSQL")
        return self

    @property
    def shards(self) -> Shards:
        """The shards that this process serves."""
        return Shards.of(self.shard_count, self.shard_ids)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Everything in the settings that no log may show."""
        hidden = (self.discord_token, self.pgpassword, self.sentry_dsn, self.https_proxy)
        sentry = urlsplit(self.sentry_dsn.get_secret_value()).username if self.sentry_dsn else None
        passwords = (
            address.rpartition("@")[0].rpartition("://")[2].partition(":")[2] for address in (self.database_url,)
        )
        proxy = self.proxies.auth
        secrets = [
            *(secret.get_secret_value() for secret in hidden if secret),
            *passwords,
            proxy.password if proxy else "",
            sentry,
        ]
        return tuple(secret for secret in secrets if secret)

    @property
    def proxies(self) -> Proxies:
        """The proxy through which Discord is reached, and the hosts that are reached without it."""
        return Proxies.of(self.https_proxy.get_secret_value() if self.https_proxy else "", self.no_proxy)

    def require_token(self) -> str:
        """Return the bot's token. Raises `SettingsError` if it is not set, or cannot be one."""
        if self.discord_token is None:
            raise SettingsError(
                f"DISCORD_TOKEN is not set. {_instead()}Put the bot's token into {ENV_FILE.absolute()}, as "
                "DISCORD_TOKEN=... (https://discord.com/developers/applications, your application, Bot, Reset Token)."
            )
        token = self.discord_token.get_secret_value()
        if not application_of(token):
            raise SettingsError(
                "DISCORD_TOKEN does not look like a bot's token: copy it again (developer portal, your application, "
                "Bot, Reset Token); it is neither the client secret nor the public key."
            )
        return token


def application_of(token: str) -> str:
    """Return the id of the application that a token is for; empty if it has not the shape of one."""
    parts = _TOKEN.fullmatch(token)
    try:
        number = base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)).decode() if parts else ""
    except ValueError:
        return ""
    return number if number.isdecimal() else ""


def load_settings(env_file: Path | None = ENV_FILE) -> Settings:
    """Read the settings from the environment, then from `env_file`. Raises `SettingsError` naming what is wrong."""
    try:
        # A folder of this name does no harm where the environment has everything: some keep a virtual one in it.
        if env_file is not None and not os.environ.get("DISCORD_TOKEN") and (problem := no_file(env_file)):
            raise SettingsError(problem)
        if env_file is not None and env_file.is_file() and b"\0" in env_file.read_bytes():
            raise SettingsError(f"{env_file} {_NO_TEXT}")
        if env_file is not None and env_file.is_file():
            for number, line in enumerate(env_file.read_text(encoding="utf-8").splitlines(), 1):
                if not re.match(r"\s*(#|$)|[^=]*=", line):
                    raise SettingsError(f"{env_file}, line {number}: write NAME=value, or put a # before it.")
        settings = Settings(_env_file=env_file)
    except ValidationError as problem:
        wrong = [
            ": ".join([*(str(name).upper() for name in error["loc"][:1]), _said(error)]) for error in problem.errors()
        ]
        raise SettingsError(f"Put these settings right in .env: {'; '.join(dict.fromkeys(wrong))}.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{env_file} {_NO_TEXT}") from None
    except OSError as problem:
        raise SettingsError(f"{env_file} cannot be read ({problem.strerror}): let the bot's user read it.") from None
    if settings.pgpassword is not None:
        # The driver reads it there.
        os.environ["PGPASSWORD"] = settings.pgpassword.get_secret_value()
    return settings


_NO_TEXT = "is not a text file in UTF-8: write it again from .env.example."


def no_file(env_file: Path) -> str | None:
    """Return why there is no settings file although something has its name; None if there is a file, or nothing."""
    there = env_file.absolute()
    if env_file.is_dir():
        return (
            f"{there} is a folder, and has to be a file (Docker makes a folder where a file that it should mount is "
            "missing): remove the folder, then write the file from .env.example."
        )
    if env_file.is_symlink() and not env_file.exists():
        return f"{there} is a link to a file that is not there: put the file there, or remove the link."
    return None


def misspelt(env_file: Path = ENV_FILE) -> dict[str, str]:
    """Return names in `env_file` that are no setting but resemble one, with the one that is probably meant."""
    return {name: meant for name, meant in unknown(env_file).items() if meant}


def unknown(env_file: Path = ENV_FILE) -> dict[str, str]:
    """Return names in `env_file` that are no setting, with the one that is probably meant; empty: none is."""
    try:
        written = _NAMED.findall(env_file.read_text("utf-8-sig")) if env_file.is_file() else []
    except (OSError, ValueError):
        return {}
    known = [name.upper() for name in Settings.model_fields]
    hints = {}
    for name, sign in written:
        if sign == ":" and name.upper() in known:
            # As in other kinds of files.
            hints[f"{name}:"] = name.upper()
        elif sign != ":" and name.upper() not in (*known, *_ALSO_READ):
            close = ["DISCORD_TOKEN"] if name.endswith("TOKEN") else get_close_matches(name.upper(), known, 1, 0.8)
            hints[name] = close[0] if close else ""
    return hints


def _instead() -> str:
    """Return a sentence about where a missing token seems to be; empty if nothing like it is there."""
    names = [name for name, meant in misspelt().items() if meant == "DISCORD_TOKEN"]
    names += [name for name in os.environ if name in ("TOKEN", "BOT_TOKEN", "DISCORD_BOT_TOKEN")]
    if names:
        return f"{names[0]} is: that is another name. "
    # A file manager that hides endings shows this as .env.
    files = [name for name in _NEARLY_ENV if not ENV_FILE.exists() and Path(name).is_file()]
    return f"There is a file {files[0]}: its name has to be {ENV_FILE}. " if files else ""


def _plain(value: str) -> str:
    """Return a value as in `.env`: without the quotes and comments that `docker run --env-file` hands on."""
    value = value.strip()
    quoted = _QUOTED.fullmatch(value)
    return (quoted[2] if quoted else _COMMENT.sub("", value)).strip()


def _said(error: ErrorDetails) -> str:
    """Return what Pydantic found wrong, in words for operators."""
    words = _WRONG.get(error["type"], error["msg"].removeprefix("Value error, ").removesuffix("."))
    return words.format(**error.get("ctx", {}))


_WRONG = {
    "int_parsing": "write a whole number",
    "int_from_float": "write a whole number",
    "greater_than_equal": "write {ge} or more",
    "less_than_equal": "write {le} or less",
    "literal_error": "write {expected}",
}
"""The fault of a value, by Pydantic's name of the fault. Others say it well themselves."""


def others_can_read(file: Path) -> bool:
    """Return True if people other than its owner may read this file; False if it is missing, or without permissions."""
    try:
        mode = file.stat().st_mode
    except OSError:
        return False
    return os.name == "posix" and bool(mode & (stat.S_IRGRP | stat.S_IROTH))
