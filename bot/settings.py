"""Settings: what the person who runs the bot can set, read from the environment and from `.env`.

There is no global object: the program calls `load_settings` once at its start and passes on what is needed.
"""

from __future__ import annotations

import base64
import os
import re
import stat
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.errors import SettingsError
from bot.shards import Shards

ENV_FILE = Path(".env")
DEFAULT_DATABASE = "sqlite+aiosqlite:///data/dog.db"
MOST_SHARDS = 100_000
"""More than Discord's largest bots have."""

_TOKEN = re.compile(r"([\w-]{18,})\.[\w-]{5,8}\.[\w-]{25,}")
"""An application's id, a time and a signature, in base64."""


class Settings(BaseSettings):
    """The settings, with names in lower case: `DISCORD_TOKEN` is `discord_token`, and so on."""

    model_config = SettingsConfigDict(env_file_encoding="utf-8", extra="ignore", frozen=True, hide_input_in_errors=True)

    discord_token: SecretStr | None = Field(None, description="the bot's token from the developer portal")
    database_url: str = Field(DEFAULT_DATABASE, description="where games are kept, as a SQLAlchemy async address")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="how much is logged")
    log_format: Literal["people", "json"] = Field("people", description="lines to read, or one JSON object a line")
    metrics_port: int | None = Field(
        None, ge=1, le=65_535, description="port on 127.0.0.1 for /healthz and Prometheus's /metrics; none if empty"
    )
    sentry_dsn: SecretStr | None = Field(None, description="where bugs are told, if you have a Sentry")
    guild_ids: Annotated[tuple[int, ...], NoDecode] = Field(
        (), description="guild ids, separated by commas: commands go to these only (for development)"
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
        description="after how many days names in finished games, what moderators did, and lobbies that nobody started "
        "are deleted",
    )
    rules_url: str = Field("", description="where docs/rules can be read: the folder's address on the web")
    shard_count: int | None = Field(
        None,
        ge=1,
        le=MOST_SHARDS,
        description="connections to Discord, for at most 2,500 servers each; as many as it advises",
    )
    shard_ids: Annotated[tuple[int, ...], NoDecode] = Field(
        (), description="which of the SHARD_COUNT connections this process has, where several share the servers: 0-2,5"
    )

    @model_validator(mode="before")
    @classmethod
    def _blank_is_default(cls, values: dict[str, object]) -> dict[str, object]:
        """Leave out what is set to nothing, as most lines of .env.example are; remove spaces around the rest."""
        tidy = {name: value.strip() if isinstance(value, str) else value for name, value in values.items()}
        return {name: value for name, value in tidy.items() if value != ""}

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

    @field_validator("guild_ids", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value

    @field_validator("guild_ids")
    @classmethod
    def _are_ids(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not all(0 < one < 2**63 for one in value):
            raise ValueError("an id is a number of up to 19 digits")
        return value

    @field_validator("rules_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if value and not value.startswith("https://"):
            raise ValueError("an address begins with https://")
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

    def require_token(self) -> str:
        """The bot's token. Raises `SettingsError` if it is not set, or cannot be one."""
        if self.discord_token is None:
            raise SettingsError(
                f"DISCORD_TOKEN is not set. Put the bot's token into {ENV_FILE.absolute()}, as DISCORD_TOKEN=... "
                "(https://discord.com/developers/applications, your application, Bot, Reset Token)."
            )
        token = self.discord_token.get_secret_value()
        if not application_of(token):
            raise SettingsError(
                "DISCORD_TOKEN does not look like a bot's token: copy it again (developer portal, your application, "
                "Bot, Reset Token); it is neither the client secret nor the public key."
            )
        return token


def application_of(token: str) -> str:
    """The id of the application that a token is for; empty if it has not the shape of one."""
    parts = _TOKEN.fullmatch(token)
    try:
        number = base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)).decode() if parts else ""
    except ValueError:
        return ""
    return number if number.isdecimal() else ""


def load_settings(env_file: Path | None = ENV_FILE) -> Settings:
    """Read the settings from the environment, then from `env_file`. Raises `SettingsError` naming what is wrong."""
    try:
        return Settings(_env_file=env_file)
    except ValidationError as problem:
        wrong = [
            ": ".join([*(str(name).upper() for name in one["loc"][:1]), _said(one["msg"])]) for one in problem.errors()
        ]
        raise SettingsError(f"Put these settings right in .env: {'; '.join(dict.fromkeys(wrong))}.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{env_file} is not a text file in UTF-8: write it again from .env.example.") from None
    except OSError as problem:
        raise SettingsError(f"{env_file} cannot be read ({problem.strerror}): let the bot's user read it.") from None


def _said(message: str) -> str:
    """Pydantic's message without its usual beginning."""
    return message.removeprefix("Value error, ").removesuffix(".")


def others_can_read(file: Path) -> bool:
    """Whether anybody but its owner may read this file; False if it does not exist or there are no such permissions."""
    try:
        mode = file.stat().st_mode
    except OSError:
        return False
    return os.name == "posix" and bool(mode & (stat.S_IRGRP | stat.S_IROTH))
