"""Settings: where they come from, and what is said about wrong ones."""

import os
from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.program import WRONG, main, warn_of
from bot.settings import load_settings, misspelt, unknown
from bot.shards import Shards
from tests.bot.operating.portal import TOKEN

NAMES = ("SHARD_COUNT", "SHARD_IDS", "DISCORD_TOKEN", "DATABASE_URL", "LOG_LEVEL", "GUILD_IDS", "CACHE_GAMES")


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


def test_environment_overrides_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text(f"DISCORD_TOKEN= {TOKEN} \nGUILD_IDS=12, 34\nLOG_LEVEL=debug\nOTHER=1\n")
    monkeypatch.setenv("LOG_LEVEL", "warning")
    settings = load_settings(file)
    assert settings.require_token() == TOKEN
    assert settings.guild_ids == (12, 34)
    assert settings.log_level == "WARNING"


def test_empty_lines_of_the_example_mean_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("DISCORD_TOKEN=\nDATABASE_URL=\nGUILD_IDS=\nCACHE_GAMES= \n")
    settings = load_settings(file)
    assert settings.discord_token is None
    assert settings.database_url == "sqlite+aiosqlite:///data/dog.db"
    assert settings.guild_ids == ()


def test_the_example_file_can_be_read() -> None:
    assert load_settings(Path(__file__).parents[2] / ".env.example").discord_token is None


def test_faulty_setting_is_named_without_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize(
    ("name", "written", "meant"),
    [
        ("DISCORD_TOKEN", f'"{TOKEN}"', TOKEN),
        ("DISCORD_TOKEN", f"'{TOKEN}'  # mine", TOKEN),
        ("DISCORD_TOKEN", f"{TOKEN} # mine\r", TOKEN),
        ("LOG_LEVEL", '"debug"', "DEBUG"),
        ("GUILD_IDS", "'12, 34'", (12, 34)),
        ("CACHE_GAMES", "7 # few", 7),
        ("METRICS_PORT", '""', None),
    ],
)
def test_quotes_and_comments_that_docker_hands_on(
    monkeypatch: pytest.MonkeyPatch, name: str, written: str, meant: object
) -> None:
    monkeypatch.setenv(name, written)
    found = getattr(load_settings(None), name.lower())
    assert (found.get_secret_value() if name == "DISCORD_TOKEN" else found) == meant


def test_a_folder_in_place_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ".env"
    folder.mkdir()
    with pytest.raises(SettingsError, match="is a folder, and has to be a file"):
        load_settings(folder)
    # Some keep a virtual environment there, and their settings in the real one.
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert load_settings(folder).require_token() == TOKEN


def test_a_link_to_no_file(tmp_path: Path) -> None:
    link = tmp_path / ".env"
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(SettingsError, match="is a link to a file that is not there"):
        load_settings(link)


def test_settings_file_in_utf_16(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    for text in (f"DISCORD_TOKEN={TOKEN}\n".encode("utf-16"), f"DISCORD_TOKEN={TOKEN}\n".encode("utf-16-le")):
        file.write_bytes(text)
        with pytest.raises(SettingsError, match="not a text file in UTF-8"):
            load_settings(file)


def test_names_that_are_nearly_right(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        "DATABSE_URL=x\nBOT_TOKEN=x\nDISCORD_TOKEN: x\nlog_level=debug\nPGPASSWORD=x\nPOSTGRES_PASSWORD=x\nEDITOR=x\n"
    )
    meant = {"DATABSE_URL": "DATABASE_URL", "BOT_TOKEN": "DISCORD_TOKEN", "DISCORD_TOKEN:": "DISCORD_TOKEN"}
    assert misspelt(file) == meant
    assert misspelt(tmp_path) == {}
    assert unknown(file) == {**meant, "EDITOR": ""}
    with pytest.raises(SettingsError, match=r"DATABSE_URL in .* write DATABASE_URL="):
        warn_of(file)


def test_token_and_password_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # So that what is set here is taken back.
    monkeypatch.setenv("PGPASSWORD", "")
    monkeypatch.delenv("PGPASSWORD")
    file, token = tmp_path / ".env", tmp_path / "token"
    file.write_text(f"DISCORD_TOKEN_FILE={token}\nPGPASSWORD='correct horse'\n")
    with pytest.raises(SettingsError, match=r"DISCORD_TOKEN_FILE: .*No such file"):
        load_settings(file)
    token.write_text(f"{TOKEN}\n")
    settings = load_settings(file)
    assert settings.require_token() == TOKEN
    assert os.environ["PGPASSWORD"] == "correct horse", "where the driver looks"
    assert "correct horse" in settings.secrets


@pytest.mark.parametrize(
    ("file", "said"),
    [(".env.txt", "There is a file .env.txt: its name has to be .env"), (".env", "BOT_TOKEN is: that is another name")],
)
def test_where_a_missing_token_seems_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(f"BOT_TOKEN={TOKEN}\n")
    with pytest.raises(SettingsError, match=said) as caught:
        load_settings().require_token()
    assert TOKEN not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("METRICS_PORT", "many", "METRICS_PORT: write a whole number"),
        ("CACHE_GAMES", "0", "CACHE_GAMES: write 1 or more"),
        ("CACHE_GAMES", "9999999", "CACHE_GAMES: write 1000000 or less"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL: write 'DEBUG', 'INFO', 'WARNING' or 'ERROR'"),
    ],
)
def test_wrong_values_are_told_in_plain_words(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=said):
        load_settings(None)


# Shards

SERVER = "postgresql+asyncpg://dog@localhost/dog"


def shards(monkeypatch: pytest.MonkeyPatch, ids: str, count: str, url: str = SERVER) -> Shards:
    monkeypatch.setenv("SHARD_IDS", ids)
    monkeypatch.setenv("SHARD_COUNT", count)
    monkeypatch.setenv("DATABASE_URL", url)
    return load_settings(None).shards


@pytest.mark.parametrize(("ids", "numbers"), [("0", {0}), ("3,5", {3, 5}), ("0-2, 8", {0, 1, 2, 8}), ("4-4 7", {4, 7})])
def test_shards_are_numbers_and_ranges(monkeypatch: pytest.MonkeyPatch, ids: str, numbers: set[int]) -> None:
    found = shards(monkeypatch, ids, "9")
    assert (found.count, found.ids) == (9, numbers)
    assert not found.everything


def test_without_ids_one_process_serves_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    for count in ("", "9"):
        found = shards(monkeypatch, "", count)
        assert found.everything
        assert found.serves(5 << 22)
        assert found.serves(None)


@pytest.mark.parametrize(
    ("ids", "count", "url", "said"),
    [
        ("0", "", SERVER, "SHARD_IDS needs SHARD_COUNT"),
        ("9", "9", SERVER, "SHARD_IDS must lie between 0 and 8, since SHARD_COUNT is 9"),
        ("1,2,1", "9", SERVER, "SHARD_IDS names a shard twice"),
        ("0-3,2", "9", SERVER, "SHARD_IDS names a shard twice"),
        ("3-1", "9", SERVER, "SHARD_IDS: the range 3-1 has no shards"),
        ("one", "9", SERVER, "SHARD_IDS: numbers and ranges"),
        ("-1", "9", SERVER, "SHARD_IDS: numbers and ranges"),
        ("0-999999999999", "9", SERVER, "SHARD_IDS: the range"),
        ("0", "9", "", "SHARD_IDS needs a database that several processes can share"),
    ],
)
def test_faulty_shards_are_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ids: str, count: str, url: str, said: str
) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        shards(monkeypatch, ids, count, url)
    assert "\n" not in str(caught.value)
    monkeypatch.setattr(os, "umask", lambda mask: mask)
    assert main([]) == WRONG
    assert said in capsys.readouterr().err


def test_shard_of_a_server_is_discords() -> None:
    mine = Shards(9, frozenset({0, 4}))
    assert mine.shard_of(197038439483310086) == (197038439483310086 >> 22) % 9
    assert [number for number in range(9) if mine.serves(number << 22)] == [0, 4]
    assert mine.serves(None), "direct messages are shard 0's"
    assert not Shards(9, frozenset({4})).serves(None)
