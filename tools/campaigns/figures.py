"""Figures for people: percentiles, milliseconds, small tables."""

from collections.abc import Iterable, Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of them lies; 0 if there are none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


def show(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"  {name:<50}{value:>14}" for name, value in rows]
    return "\n".join([title, *lines])
