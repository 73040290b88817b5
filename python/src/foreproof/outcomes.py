"""A vintage of outcomes: what counts at a key, and what baselines see (docs/any-series.md)."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

from .documents import HOUR, instant_text, micros
from .periods import NEVER, Listed
from .rows import Release, in_force, outcome_of

Row = dict[str, Any]


class Outcome(NamedTuple):
    """Of a key: when its outcome settles, the value, the newest period seen, and its value."""

    settled: int
    value: float | None
    seen: str | None
    base: float | None


class Closes:
    """Hourly closes, by the instant at which an hour ends."""

    def __init__(self, prices: dict[int, float]) -> None:
        self.prices, self.hours = prices, list(prices)

    def at(self, series: str, origin: str, step: int) -> Outcome:
        hour = micros(origin)
        before = bisect_right(self.hours, hour)
        newest = instant_text(self.hours[before - 1]) if before else None
        end = hour + step * HOUR
        return Outcome(end, self.prices.get(end), newest, self.prices.get(hour))


class Releases:
    """Values of listed periods, with every revision."""

    def __init__(self, rows: dict[tuple[str, str], list[Release]], periods: Listed,
                 rules: Row) -> None:
        self.rows, self.periods, self.rules = rows, periods, rules
        self._newest: dict[tuple[str, str], int | None] = {}

    def _of(self, series: str, at: int) -> tuple[list[Release], int, int]:
        period = self.periods.periods[at]
        return self.rows.get((series, period["period"]), []), period["end"], self.periods.known[at]

    def value(self, series: str, at: int, moment: int) -> float | None:
        """What is in force of a period."""
        return in_force(*self._of(series, at), moment)

    def seen(self, series: str, at: int, moment: int) -> float | None:
        """What baselines see of a period."""
        return in_force(*self._of(series, at), moment, seen=True)

    def newest(self, series: str, origin: str) -> int | None:
        """The newest period that baselines see when forecasts are due; maybe after the origin."""
        if (series, origin) not in self._newest:
            moment, known = self.periods.due(origin), self.periods.known
            self._newest[series, origin] = next((
                at for at in range(len(known) - 1, -1, -1)
                if known[at] <= moment and self.seen(series, at, moment) is not None), None)
        return self._newest[series, origin]

    def at(self, series: str, origin: str, step: int) -> Outcome:
        rule, target = self.rules["outcome"]["release"], self.periods.place[origin] + step
        rows, end, known = self._of(series, target)
        settled = self.periods.settled(target)
        value = None if settled == NEVER else outcome_of(rule, rows, end, known, settled)
        newest = self.newest(series, origin)
        if newest is None:
            return Outcome(settled, value, None, None)
        base = self.seen(series, newest, self.periods.due(origin))
        return Outcome(settled, value, self.periods.periods[newest]["period"], base)
