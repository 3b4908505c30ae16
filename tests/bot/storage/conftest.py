"""The storage itself is tested as the program has it."""

import pytest


@pytest.fixture(autouse=True)
def threads(sqlite_in_threads: None) -> None:
    """Let SQLite work in threads."""
