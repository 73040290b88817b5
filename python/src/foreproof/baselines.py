"""Simple forecasts that are computed here: docs/reference/series.md and docs/reference/scores.md.

Not here, so taken from the pairs: strongest; of the hourly ones ar1, ema and strongest_simple, too.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections import deque
from statistics import median
from typing import Any, Callable, Iterator

from .documents import HOUR
from .outcomes import Releases
from .periods import Listed
from .scores import restored, transformed

Row = dict[str, Any]
Key = tuple[str, str, int]
# The point, None where the baseline abstains, and its quantiles, if it has any.
Forecast = tuple["float | None", "list[float] | None"]
SEASONS = {"day": 24 * HOUR, "week": 168 * HOUR, "year": 8766 * HOUR}
HOURLY = ("persistence", "seasonal_naive_24h", "drift_24h", "drift_7d")
ABSTAINS: Forecast = (None, None)


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
    """What baselines see of one series at one instant.

    `see` gives the value of a period by its position, `newest` is the last one that has a value,
    and `distance` the median distance of targets in microseconds.
    """

    def __init__(self, ends: list[int], see: Callable[[int], float | None], newest: int | None,
                 distance: float) -> None:
        self.ends, self.see, self.newest, self.distance = ends, see, newest, distance

    def point(self, kind: str, season: str | None, target: int,
              tail: float) -> tuple[float | None, list[float]]:
        """The plain point and, of the climatologies, the values that quantiles are of."""
        newest = self.newest
        last = None if newest is None else self.see(newest)
        if newest is None or last is None:
            return None, []
        if kind == "persistence":
            return last, []
        if kind == "drift":
            return self._drift(newest, last, target), []
        if kind == "ema":
            return self._ema(newest), []
        if kind == "ar1":
            return self._regression(newest, last, target), []
        if kind == "seasonal_naive":
            return next(self._seasonal(newest, str(season), target, False), None), []
        wanted, least = max(100, math.ceil(4 / tail)), max(20, math.ceil(1 / tail))
        if kind == "climatology":
            found = (v for at in range(newest, -1, -1) if (v := self.see(at)) is not None)
        else:
            found, least = self._seasonal(newest, str(season), target, True), 5
        values = sorted(value for _, value in zip(range(wanted), found))
        return (quantile(values, 0.5), values) if len(values) >= least else (None, [])

    def _drift(self, newest: int, last: float, target: int) -> float | None:
        """The slope from the oldest value of the last 50 periods, 20 back at least."""
        for back in range(min(50, newest), 19, -1):
            before = self.see(newest - back)
            if before is not None:
                return last + (last - before) / back * (target - newest)
        return None

    def _ema(self, newest: int) -> float | None:
        aged = [(age, value) for age in range(min(100, newest + 1))
                if (value := self.see(newest - age)) is not None]
        weights = [(1 - 2 / 11) ** age for age, _ in aged]
        if len(aged) < 20:
            return None
        return math.fsum(w * v for w, (_, v) in zip(weights, aged)) / math.fsum(weights)

    def _regression(self, newest: int, last: float, target: int) -> float | None:
        """As many steps on as the target is, by the regression of each value on the one before."""
        pairs = [(a, b) for i in range(max(1, newest - 99), newest + 1)
                 if (a := self.see(i - 1)) is not None and (b := self.see(i)) is not None]
        if len(pairs) < 20:
            return None
        before, after = (math.fsum(side) / len(pairs) for side in zip(*pairs))
        spread = math.fsum((a - before) ** 2 for a, _ in pairs)
        moved = math.fsum((a - before) * (b - after) for a, b in pairs)
        slope = max(-1.0, min(1.0, moved / spread)) if spread else 0.0
        for _ in range(target - newest):
            last = after + slope * (last - before)
        return last

    def _seasonal(self, newest: int, season: str, target: int, many: bool) -> Iterator[float]:
        """Values of periods that end whole seasons before the target's end, the newest first.

        With `many`, of a year: all that end within a week, or the distance of targets, of it.
        """
        length, ends = SEASONS[season], self.ends
        near = 168 * HOUR if season == "year" else min(self.distance / 2, length / 14)
        around = season == "year" and many
        if around:
            near = max(self.distance, near)
        at = ends[target] - length
        while at >= ends[0] - near:
            low, high = bisect_left(ends, at - near), bisect_right(ends, at + near)
            choice = list(range(high - 1, low - 1, -1))
            if choice and not around:
                choice = [min(choice, key=lambda i: (abs(ends[i] - at), -i))]
            for i in choice:
                value = self.see(i) if i <= newest else None
                if value is not None:
                    yield value
            at -= length


def series_forecast(point: float | None, values: list[float], distances: list[float], baseline: Row,
                    levels: list[str], rules: Row, transform: Row) -> Forecast | None:
    """Point and quantiles by the rules; None where the baseline abstains."""
    if point is None:
        return None
    point, errors = settle(point, rules), baseline.get("errors")
    if not levels or not (values or errors):
        return point, []
    if values:
        return point, [settle(quantile(values, float(level)), rules) for level in levels]
    centre = transformed(transform, point)
    if len(distances[-errors["window"]:]) < errors["minimum"] or centre is None:
        return None
    found = []
    for level, off in zip(levels, own_quantiles(distances, errors["window"], levels)):
        value, q = settle(restored(transform, centre + off), rules), float(level)
        # Rounding moves no quantile over the point.
        beyond = q == 0.5 or (value > point if q < 0.5 else value < point)
        found.append(point if beyond else value)
    return point, found


def _tail(primary: Row, levels: list[str]) -> float:
    """How far out the quantiles lie that the primary score is about."""
    if primary["kind"] == "weighted_interval":
        lows = sorted(min(float(level), 1 - float(level)) for level in levels)
        return next(q for at, q in enumerate(lows, 1) if sum(lows[:at]) >= sum(lows) / 2)
    level = float(primary["level"] or primary["lower"] or 0.5)
    return min(level, 1 - level)


def _own_errors(releases: Releases, series: str, made: list[tuple[int, float]], moment: int,
                transform: Row, window: int) -> list[float]:
    """The newest distances of points from what is seen of their targets, oldest first."""
    found: list[float] = []
    for target, centre in reversed(made):
        if len(found) == window:
            break
        if releases.periods.known[target] <= moment:
            value = releases.seen(series, target, moment)
            outcome = None if value is None else transformed(transform, value)
            if outcome is not None:
                found.append(abs(outcome - centre))
    return found[::-1]


def series_forecasts(baseline: Row, rules: Row, releases: Releases,
                     wanted: dict[Key, Row]) -> Iterator[tuple[Row, Forecast]]:
    """The wanted pairs, each with its forecast made again.

    Points are made for all origins of the list up to the last wanted one, as quantiles are from
    those errors of theirs that were public.
    """
    periods: Listed = releases.periods
    forecast, primary = rules["forecast"], next(s for s in rules["scores"] if s["primary"])
    levels, transform, errors = forecast["levels"], primary["transform"], baseline["errors"]
    tail = _tail(primary, levels)
    starts, ends = ([period[end] for period in periods.periods] for end in ("start", "end"))
    targets = sorted({starts[periods.place[pair["target"]]] for pair in wanted.values()})
    distance = median(b - a for a, b in zip(targets, targets[1:])) if targets[1:] else 0
    last = max(periods.place[origin] for _, origin, _ in wanted)
    for series in sorted({series for series, _, _ in wanted}):
        made: dict[int, list[tuple[int, float]]] = {}
        for at in range(last + 1):
            if not periods.steps(at, rules):
                continue
            origin = periods.periods[at]["period"]
            moment = periods.due(origin)

            def see(position: int) -> float | None:
                return releases.seen(series, position, moment)

            past = Past(ends, see, releases.newest(series, origin), distance)
            for step in periods.steps(at, rules):
                point, values = past.point(baseline["kind"], baseline["season"], at + step, tail)
                own, pair = made.setdefault(step, []), wanted.get((series, origin, step))
                if point is not None and errors:
                    centre = transformed(transform, settle(point, forecast))
                    if centre is not None:
                        own.append((at + step, centre))
                if pair is not None:
                    ready = _own_errors(releases, series, own, moment, transform,
                                        errors["window"]) if errors else []
                    yield pair, series_forecast(point, values, ready, baseline, levels, forecast,
                                                transform) or ABSTAINS


# ---- hourly BTC/USD ------------------------------------------------------------------------------


def hourly_point(closes: dict[int, float], name: str, origin: int, horizon: int) -> float | None:
    """P of a built-in of one horizon, from closes up to the origin."""
    last = closes.get(origin)
    if last is None or name == "persistence":
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
        if len(self.queue) < 168:
            return None
        return [point * math.exp(quantile(self.sorted, q)) for q in (0.1, 0.5, 0.9)]


def hourly_forecasts(closes: dict[int, float], name: str, horizon: int, origins: set[int],
                     points: Callable[[int], float | None] | None = None) -> dict[int, Forecast]:
    """Forecasts of a built-in at these origins, with quantiles from its errors over all hours."""
    found: dict[int, Forecast] = {}
    made: dict[int, float | None] = {}
    matured = Matured()
    for at in range(min(closes), max(closes) + 1, HOUR):
        point = made[at] = points(at) if points else hourly_point(closes, name, at, horizon)
        before, outcome = made.pop(at - horizon * HOUR, None), closes.get(at)
        if before is not None and outcome is not None:
            matured.add(math.log(outcome / before))
        if at in origins:
            found[at] = ABSTAINS if point is None else (point, matured.quantiles(point))
    return found
