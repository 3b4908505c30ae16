"""Settings: where they come from, and what is said when one is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.settings import load_settings

NAMES = ("SHARD_COUNT", "DISCORD_TOKEN", "DATABASE_URL", "LOG_LEVEL", "GUILD_IDS", "CACHE_GAMES")


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_everything_has_a_default_but_the_token() -> None:
    settings = load_settings(None)
    assert settings.database_url == "sqlite+aiosqlite:///data/dog.db"
    assert settings.log_level == "INFO"
    assert settings.guild_ids == ()
    assert settings.shard_count is None
    with pytest.raises(SettingsError, match="DISCORD_TOKEN is not set"):
        settings.require_token()


def test_the_file_is_read_and_the_environment_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("DISCORD_TOKEN= abc.def \nGUILD_IDS=12, 34\nLOG_LEVEL=debug\nOTHER=1\n")
    monkeypatch.setenv("LOG_LEVEL", "warning")
    settings = load_settings(file)
    assert settings.require_token() == "abc.def"
    assert settings.guild_ids == (12, 34)
    assert settings.log_level == "WARNING"


def test_empty_lines_of_the_example_mean_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("DISCORD_TOKEN=\nDATABASE_URL=\nGUILD_IDS=\n")
    settings = load_settings(file)
    assert settings.discord_token is None
    assert settings.database_url == "sqlite+aiosqlite:///data/dog.db"
    assert settings.guild_ids == ()


def test_the_example_file_can_be_read() -> None:
    assert load_settings(Path(__file__).parents[2] / ".env.example").discord_token is None


def test_what_is_wrong_is_named_and_no_value_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "LOUD-SECRET")
    monkeypatch.setenv("GUILD_IDS", "12,here")
    with pytest.raises(SettingsError) as caught:
        load_settings(None)
    assert "LOG_LEVEL" in str(caught.value)
    assert "GUILD_IDS" in str(caught.value)
    assert "SECRET" not in str(caught.value)


def test_the_token_is_in_no_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "very-secret")
    settings = load_settings(None)
    assert "very-secret" not in repr(settings)
    assert "very-secret" not in str(settings.model_dump())
