"""How long games take."""

from collections.abc import Mapping

LENGTHS: Mapping[tuple[str, int], tuple[int, int]] = {}
