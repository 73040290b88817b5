"""Scores of one forecast, scales, and what waiting is worth.

Sources: docs/reference/series.md (scores and scales), docs/statistics.md (waiting, in the verdict
hypothesis). Hourly losses of docs/reference/scores.md are these, on logarithms.
"""

from __future__ import annotations

import math
from typing import Any, Iterable

Row = dict[str, Any]


def transformed(transform: Row, value: float) -> float | None:
    """ln(x), ln(x + offset), the root, or x; None where it is not defined."""
    kind = transform["kind"]
    if kind == "identity":
        return value
    if kind == "sqrt":
        return math.sqrt(value) if value >= 0 else None
    shifted = value + float(transform["offset"]) if kind == "log_shift" else value
    return math.log(shifted) if shifted > 0 else None


def plain_transform(transform: Row) -> str:
    """A transform as scales name it: its kind and, of log_shift, its offset."""
    offset = transform["offset"]
    return str(transform["kind"] if offset is None else f"{transform['kind']} {offset}")


def restored(transform: Row, value: float) -> float:
    """The inverse of `transformed`."""
    kind = transform["kind"]
    if kind == "identity":
        return value
    if kind == "sqrt":
        return value * value
    try:
        return math.exp(value) - (float(transform["offset"]) if kind == "log_shift" else 0)
    except OverflowError:
        return math.inf


def pinball(level: float, quantile: float, outcome: float) -> float:
    """max(q(y - Q), (q - 1)(y - Q)), not doubled."""
    return max(level * (outcome - quantile), (level - 1) * (outcome - quantile))


def interval_score(lower: float, upper: float, alpha: float, outcome: float) -> float:
    """Gneiting and Raftery (2007): width, and 2 / alpha for what lies outside."""
    return upper - lower + 2 / alpha * (max(0.0, lower - outcome) + max(0.0, outcome - upper))


def direction(value: float, outcome: float, base: float | None, epsilon: float,
              transform: Row) -> tuple[int | None, float | None, bool]:
    """The error, what a candidate is charged, and whether the forecast calls a direction."""
    point, end, start = (None if x is None else transformed(transform, x)
                         for x in (value, outcome, base))
    if point is None or end is None or start is None:
        return None, None, False
    called, moved = point - start, end - start
    calls = abs(called) > epsilon
    if abs(moved) <= epsilon:
        return None, None, calls
    if not calls:
        return None, 0.5, False
    wrong = int((called > 0) != (moved > 0))
    return wrong, wrong, True


def loss(score: Row, levels: list[str], value: float | None, quantiles: list[float | None],
         outcome: float, scale: float = 1.0) -> float | None:
    """The loss of a forecast by a score of the rules; None where it has none. Not for direction."""
    kind, transform = score["kind"], score["transform"]
    by_level = dict(zip(levels, quantiles))
    if kind == "coverage":
        low, high = by_level[score["lower"]], by_level[score["upper"]]
        return None if low is None or high is None else float(low <= outcome <= high)
    names = {"absolute_error": [], "pinball": [score["level"]], "weighted_interval": levels,
             "interval": [score["lower"], score["upper"]]}[kind]
    values = [value] if kind == "absolute_error" else [by_level[name] for name in names]
    moved = [at for x in values
             if x is not None and (at := transformed(transform, x)) is not None]
    y = transformed(transform, outcome)
    if y is None or len(moved) < len(values):
        return None
    if kind == "absolute_error":
        return abs(moved[0] - y) / scale
    if kind == "pinball":
        return pinball(float(score["level"]), moved[0], y) / scale
    if kind == "interval":
        return interval_score(moved[0], moved[1], 2 * float(score["lower"]), y) / scale
    # Bracher et al. (2021): the mean over all levels of twice the pinball loss.
    parts = (2 * pinball(float(level), q, y) for level, q in zip(levels, moved))
    return math.fsum(parts) / len(levels) / scale


def scale_of(values: list[float | None], period_steps: int, transform: Row) -> float:
    """Mean |y(t) - y(t - m)|, where at least 20 of these are not 0."""
    moved = [None if v is None else transformed(transform, v) for v in values]
    found = [abs(b - a) for a, b in zip(moved, moved[period_steps:])
             if a is not None and b is not None]
    if sum(1 for d in found if d) < 20:
        raise ValueError("fewer than 20 differences that are not 0")
    return math.fsum(found) / len(found)


def share_left(start: float, end: float, due: float, seen: float | None, over: str) -> float:
    """The share r of a target that is left when its forecast is due.

    `seen` is the end of the newest period that is seen.
    """
    if (seen is not None and seen >= end) or (end <= due if over == "end" else start < due):
        return 0.0
    return 1.0 if seen is None else min(1.0, (end - due) / (end - seen))


def waiting_worth(cells: Iterable[tuple[list[float | None], list[float]]]) -> float:
    """w = 1 - mean of r L / mean of L, means over cells of means over keys; 0 without a loss."""
    left, whole = 0.0, 0.0
    for losses, shares in cells:
        both = [(l, r) for l, r in zip(losses, shares) if l is not None]
        if not both:
            continue
        left += math.fsum(l * r for l, r in both) / len(both)
        whole += math.fsum(l for l, _ in both) / len(both)
    return 1 - left / whole if whole else 0.0
