"""The storage itself is tested as the program has it."""

from collections.abc import Iterator

import pytest

from tests import template


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """Let SQLite work in threads, and wait for the disk."""
    template.in_threads()
    yield
    template.in_turns()
