"""Simple forecasts that are computed here: docs/reference/series.md and docs/reference/scores.md.

Not here, so taken from the pairs: strongest; of the hourly ones ar1, ema and strongest_simple, too.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import deque
from typing import Any, Callable

from .scores import restored, transformed

Row = dict[str, Any]
HOUR = 3_600_000_000
SEASONS = {"day": 24 * HOUR, "week": 168 * HOUR, "year": 8766 * HOUR}


def quantile(ascending: list[float], level: float) -> float:
    """Type 7 of Hyndman and Fan (1996): position (n - 1) q from 0, linear in between."""
    at = (len(ascending) - 1) * level
    low = math.floor(at)
    high = min(low + 1, len(ascending) - 1)
    return ascending[low] + (at - low) * (ascending[high] - ascending[low])


def own_quantiles(distances: list[float], window: int, levels: list[str]) -> list[float]:
    """Quantiles of the newest distances with both signs: position (2n - 1) q."""
    newest = distances[-window:]
    both = sorted([*newest, *(-d for d in newest)])
    return [quantile(both, float(level)) for level in levels]


# ---- any series ----------------------------------------------------------------------------------


def settle(value: float, rules: Row) -> float:
    """Clipped to the minimum and rounded, halves up, as the protocol asks."""
    if rules["minimum"] is not None:
        value = max(value, float(rules["minimum"]))
    return math.floor(value + 0.5) if rules["integer"] else value


class Past:
    """What baselines see of one series at one instant: ends and starts of periods, values, the newest."""

    def __init__(self, starts: list[int], ends: list[int], see: Callable[[int], float | None], newest: int | None, distance: float) -> None:
        self.starts, self.ends, self.see, self.newest, self.distance = starts, ends, see, newest, distance

    def point(self, kind: str, season: str | None, target: int, tail: float) -> tuple[float | None, list[float]]:
        """The plain point and, of the climatologies, the values that quantiles are of."""
        if self.newest is None:
            return None, []
        last = self.see(self.newest)
        assert last is not None
        if kind == "persistence":
            return last, []
        if kind == "drift":
            for k in range(min(50, self.newest), 19, -1):
                before = self.see(self.newest - k)
                if before is not None:
                    return last + (last - before) / k * (target - self.newest), []
            return None, []
        if kind == "ema":
            aged = [(age, value) for age in range(min(100, self.newest + 1)) if (value := self.see(self.newest - age)) is not None]
            weights = [(1 - 2 / 11) ** age for age, _ in aged]
            return (math.fsum(w * v for w, (_, v) in zip(weights, aged)) / math.fsum(weights), []) if len(aged) >= 20 else (None, [])
        if kind == "ar1":
            return self._regression(last, target - self.newest), []
        wanted, least = max(100, math.ceil(4 / tail)), max(20, math.ceil(1 / tail))
        values: list[float] = []
        if kind == "climatology":
            for at in range(self.newest, -1, -1):
                value = self.see(at)
                if value is not None:
                    values.append(value)
                    if len(values) == wanted:
                        break
        else:
            values = self._seasonal(str(season), target, 1 if kind == "seasonal_naive" else wanted)
            if kind == "seasonal_naive":
                return (values[0], []) if values else (None, [])
            least = 5
        if len(values) < least:
            return None, []
        values.sort()
        return quantile(values, 0.5), values

    def _regression(self, last: float, steps: int) -> float | None:
        """So many steps on, by the regression of each value on the one before."""
        assert self.newest is not None
        pairs = [(a, b) for i in range(max(1, self.newest - 99), self.newest + 1) if (a := self.see(i - 1)) is not None and (b := self.see(i)) is not None]
        if len(pairs) < 20:
            return None
        before, after = (math.fsum(side) / len(pairs) for side in zip(*pairs))
        spread = math.fsum((a - before) ** 2 for a, _ in pairs)
        slope = max(-1.0, min(1.0, math.fsum((a - before) * (b - after) for a, b in pairs) / spread)) if spread else 0.0
        for _ in range(steps):
            last = after + slope * (last - before)
        return last

    def _seasonal(self, season: str, target: int, wanted: int) -> list[float]:
        """Values of periods that end whole seasons before the target's end, the newest first."""
        length, found = SEASONS[season], []
        near = 168 * HOUR if season == "year" else min(self.distance / 2, length / 14)
        around = season == "year" and wanted > 1
        if around:
            near = max(self.distance, 168 * HOUR)
        at = self.ends[target] - length
        while at >= self.ends[0] - near and len(found) < wanted:
            place = bisect_left(self.ends, at)
            choice = [i for i in (place, place - 1) if 0 <= i < len(self.ends) and abs(self.ends[i] - at) <= near]
            if around:
                low, high = bisect_left(self.ends, at - near), bisect_left(self.ends, at + near + 1)
                choice = list(range(high - 1, low - 1, -1))
            else:
                choice = sorted(choice, key=lambda i: (abs(self.ends[i] - at), -i))[:1]
            found.extend(v for v in (self.see(i) for i in choice if i <= (self.newest or 0)) if v is not None)
            at -= length
        return found[:wanted]


def series_forecast(point: float | None, values: list[float], distances: list[float], baseline: Row, levels: list[str], rules: Row, transform: Row) -> tuple[float, list[float]] | None:
    """Point and quantiles by the rules; None where the baseline abstains."""
    if point is None:
        return None
    point = settle(point, rules)
    if not levels or (not values and not baseline.get("errors")):
        return point, []
    if values:
        return point, [settle(quantile(values, float(level)), rules) for level in levels]
    errors, centre = baseline["errors"], transformed(transform, point)
    if len(distances[-errors["window"]:]) < errors["minimum"] or centre is None:
        return None
    found = []
    for level, off in zip(levels, own_quantiles(distances, errors["window"], levels)):
        value = settle(restored(transform, centre + off), rules)
        q = float(level)
        found.append(point if q == 0.5 or (value > point if q < 0.5 else value < point) else value)
    return point, found


# ---- hourly BTC/USD ------------------------------------------------------------------------------


def hourly_point(closes: dict[int, float], name: str, origin: int, horizon: int) -> float | None:
    """P of a built-in of one horizon, from closes up to the origin."""
    last = closes.get(origin)
    if last is None:
        return None
    if name == "persistence":
        return last
    if name == "seasonal_naive_24h":
        return closes.get(origin + (horizon - 24) * HOUR)
    width = {"drift_24h": 24, "drift_7d": 168}[name]
    before = closes.get(origin - width * HOUR)
    return None if before is None else last * math.exp(horizon * math.log(last / before) / width)


class Matured:
    """The last 720 matured log errors ln(P1 / P) of a built-in at a horizon, kept in order."""

    def __init__(self) -> None:
        self.queue: deque[float] = deque()
        self.sorted: list[float] = []

    def add(self, error: float) -> None:
        if len(self.queue) == 720:
            del self.sorted[bisect_left(self.sorted, self.queue.popleft())]
        self.queue.append(error)
        insort(self.sorted, error)

    def quantiles(self, point: float) -> list[float] | None:
        """P exp(e) at 0.1, 0.5 and 0.9; None below 168 errors."""
        return [point * math.exp(quantile(self.sorted, q)) for q in (0.1, 0.5, 0.9)] if len(self.queue) >= 168 else None


def hourly_forecasts(closes: dict[int, float], name: str, horizon: int, origins: set[int], points: Callable[[int], float | None] | None = None) -> dict[int, tuple[float | None, list[float] | None]]:
    """Forecasts of a built-in at these origins, with quantiles from its own errors over all hours."""
    found: dict[int, tuple[float | None, list[float] | None]] = {}
    if not closes:
        return found
    matured, made = Matured(), {}
    at, end = min(closes), max(closes)
    while at <= end:
        made[at] = points(at) if points else hourly_point(closes, name, at, horizon)
        before, outcome = made.pop(at - horizon * HOUR, None), closes.get(at)
        if before is not None and outcome is not None:
            matured.add(math.log(outcome / before))
        if at in origins:
            found[at] = (made[at], None if made[at] is None else matured.quantiles(made[at]))  # type: ignore[arg-type]
        at += HOUR
    return found
