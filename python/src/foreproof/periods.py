"""Lists of periods, and when things of a period happen (docs/reference/series.md)."""

from __future__ import annotations

import csv
import io
import re
from datetime import datetime
from typing import Any, Iterable
from zoneinfo import ZoneInfo

from .documents import HOUR, Refused, instant_text, later, micros, need, sha256

Row = dict[str, Any]
_COLUMNS = ("period", "start", "end", "origin", "steps", "due", "known")
_LABEL = re.compile(r"[\x20\x21\x23-\x2b\x2d-\x7e]{1,64}")
_STEPS = re.compile(r"(-?\d+)(?:-(-?\d+))?", re.ASCII)
# The instant of what a list leaves open.
NEVER = 2**60
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def read_steps(text: str) -> list[int] | None:
    """Steps such as `13-35,40`; None where the cell is empty."""
    steps: list[int] = []
    for part in text.split(",") if text else ():
        match = _STEPS.fullmatch(part.strip(" "))
        if not match:
            raise Refused(f"no steps: {text}")
        first, last = int(match[1]), int(match[2] or match[1])
        need(first <= last and (not steps or steps[-1] < first), f"steps do not ascend: {text}")
        steps.extend(range(first, last + 1))
    return steps or None


def steps_text(steps: list[int] | None) -> str:
    runs: list[list[int]] = []
    for step in steps or []:
        if runs and step == runs[-1][1] + 1:
            runs[-1][1] = step
        else:
            runs.append([step, step])
    text = ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
    return f'"{text}"' if "," in text else text


def _period(cells: dict[str, str], line: str) -> Row:
    period: Row = {name: micros(cells[name]) if cells.get(name) else None
                   for name in ("start", "end", "due", "known")}
    period.update(period=cells["period"], steps=read_steps(cells.get("steps", "")),
                  origin=cells.get("origin", "yes") == "yes", all_origins="origin" not in cells)
    need(cells.get("origin", "") in ("", "yes"), f"an origin is yes or nothing: {line}")
    need(_LABEL.fullmatch(cells["period"]) is not None, f"a label of a list: {line}")
    need(None not in (period["start"], period["end"]) and period["start"] < period["end"],
         f"a period without length: {line}")
    return period


def read_periods(text: str) -> list[Row]:
    """Periods of a list: label, instants in microseconds, whether it is an origin, steps."""
    header, *lines = [row for row in csv.reader(io.StringIO(text), strict=True) if row] or [[]]
    named = len(set(header)) == len(header) and {"period", "start", "end"} <= set(header)
    need(named and set(header) <= set(_COLUMNS), f"columns of a list: {header}")
    need(all(len(line) == len(header) for line in lines), "a line with too few or too many cells")
    periods = [_period(dict(zip(header, line)), ",".join(line)) for line in lines]
    need(any(period["origin"] for period in periods), "a list without an origin")
    need(len({period["period"] for period in periods}) == len(periods), "a label twice")
    need(all(a["end"] <= b["start"] for a, b in zip(periods, periods[1:])),
         "periods that overlap or descend")
    return periods


def periods_text(periods: Iterable[Row]) -> str:
    """The normal form of a list."""
    rows = []
    for period in periods:
        row = {name: "" if period[name] is None else instant_text(period[name])
               for name in ("start", "end", "due", "known")}
        row["period"], row["steps"] = period["period"], steps_text(period["steps"])
        row["origin"] = "yes" if period["origin"] and not period["all_origins"] else ""
        rows.append(row)
    columns = [name for name in _COLUMNS if any(row[name] for row in rows)]
    lines = [columns, *([row[name] for name in columns] for row in rows)]
    return "".join(",".join(line) + "\n" for line in lines)


def settled_at(release: Row, end: int, known: int, zone: str) -> int:
    """When the outcome of a period counts for good."""
    if release["rule"] == "as_of_instant":
        return micros(release["at"])
    if release["rule"] == "as_of_lag":
        return later(end, release["lag"], zone)
    return NEVER if known == NEVER else later(known, release["wait"], zone)


def _text(instant: int) -> str | None:
    return None if instant == NEVER else instant_text(instant)


def _window(inputs: int, due: list[int], settled: list[int]) -> Row:
    """The instants of a registration's window, by its origins."""
    ends = {"first_inputs": inputs, "first_due": NEVER if NEVER in due else min(due),
            "last_due": max(due), "last_settled": max(settled, default=NEVER)}
    return {"origins": len(due), **{name: _text(at) for name, at in ends.items()}}


class Hours:
    """The periods of version 1: full hours, each named by its end."""

    asks_zone = False

    def __init__(self, rules: Row) -> None:
        self.zone: str = rules["zone"]
        self.wait = round(rules["origins"]["due"]["minutes"] * 60e6)

    def span(self, label: str) -> tuple[int, int]:
        return micros(label) - HOUR, micros(label)

    def due(self, label: str) -> int:
        """When forecasts of an origin are due."""
        return micros(label) + self.wait

    def instants(self, origin: str, step: int) -> Row:
        """Of a key, as `attempt_status` takes them: inputs may not be later than the origin."""
        end = micros(self.target(origin, step))
        return {"due": min(self.due(origin), end), "seen_until": micros(origin), "target_end": end}

    def window(self, rules: Row, first: str, last: str) -> tuple[str | None, Row]:
        """Of instants that need no list there is no digest."""
        hours = range(micros(first), micros(last) + 1, HOUR)
        settled = hours[-1] + max(rules["steps"]) * HOUR
        return None, _window(hours[0], [at + self.wait for at in hours], [settled])

    def target(self, origin: str, step: int) -> str:
        return instant_text(micros(origin) + step * HOUR)

    def keys(self, rules: Row, first: str, last: str) -> set[tuple[str, str, int]]:
        """Series, origin and step of every expected forecast of a window."""
        hours = range(micros(first), micros(last) + 1, HOUR)
        return {("BTC/USD", instant_text(at), step) for at in hours for step in rules["steps"]}


class Listed:
    """Periods of a list, with the position of each label, and when each value is public."""

    def __init__(self, periods: list[Row], rules: Row) -> None:
        self.periods, self.zone = periods, rules["zone"]
        self.place = {period["period"]: at for at, period in enumerate(periods)}
        self.rule, known = rules["origins"]["due"], rules["outcome"]["known"]
        self.release = rules["outcome"]["release"]
        self.asks_zone = bool(re.search("[1-9][0-9]*D", str([self.rule, known, self.release])))
        self.known = [self._instant(period, known, "known") for period in periods]
        self._due: dict[str, int] = {}

    def _instant(self, period: Row, rule: Row, column: str) -> int:
        if rule["anchor"] == "column":
            return NEVER if period[column] is None else int(period[column])
        return later(period[rule["anchor"]], rule["offset"], self.zone)

    def span(self, label: str) -> tuple[int, int]:
        period = self.periods[self.place[label]]
        return period["start"], period["end"]

    def due(self, label: str) -> int:
        """When forecasts of an origin are due."""
        if label not in self._due:
            self._due[label] = self._instant(self.periods[self.place[label]], self.rule, "due")
        return self._due[label]

    def instants(self, origin: str, step: int) -> Row:
        """Of a key, as `attempt_status` takes them."""
        due, end = self.due(origin), self.span(self.target(origin, step))[1]
        return {"due": due, "seen_until": due, "target_end": end}

    def settled(self, at: int) -> int:
        """When the outcome of a period counts for good."""
        return settled_at(self.release, self.periods[at]["end"], self.known[at], self.zone)

    def window(self, rules: Row, first: str, last: str) -> tuple[str | None, Row]:
        """Digest and ends of the instants of a window (docs/reference/series.md)."""
        origins = [at for at in range(self.place[first], self.place[last] + 1)
                   if self.periods[at]["origin"]]
        labels = [period["period"] for period in self.periods]
        due = {at: self.due(labels[at]) for at in origins}
        keys = [(at, at + step) for at in origins for step in self.steps(at, rules)]
        over = {target: self.settled(target) for _, target in keys}
        rows = [[_text(due[at]), _text(self.known[to]), _text(over[to])] for at, to in keys]
        text = "".join(f"{labels[at]},{labels[to]},{','.join(instant or '' for instant in row)}\n"
                       for (at, to), row in zip(keys, rows))
        return sha256(text), _window(due[origins[0]], list(due.values()), list(over.values()))

    def target(self, origin: str, step: int) -> str:
        return str(self.periods[self.place[origin] + step]["period"])

    def steps(self, at: int, rules: Row) -> list[int]:
        """Steps of an origin whose targets are in the list; none of a period that is no origin."""
        period = self.periods[at]
        steps = (period["steps"] or rules["steps"]) if period["origin"] else []
        return [step for step in steps if 0 <= at + step < len(self.periods)]

    def keys(self, rules: Row, first: str, last: str) -> set[tuple[str, str, int]]:
        """Series, origin and step of every expected forecast of a window."""
        window = range(self.place[first], self.place[last] + 1)
        return {(series["id"], self.periods[at]["period"], step)
                for series in rules["series"] for at in window for step in self.steps(at, rules)}


def in_level(periods: Hours | Listed, by: str, level: Row, label: str) -> bool:
    """Whether an origin is in a level of a stratum by the calendar."""
    start, end = periods.span(label)
    if by == "period":
        first, last = (periods.span(level[name])[1] for name in ("from", "to"))
        return first <= end <= last
    moment = end if isinstance(periods, Hours) else start
    local = datetime.fromtimestamp(moment / 1e6, ZoneInfo(periods.zone))
    return (local.hour in level["hours"] if by == "hour_of_day"
            else DAYS[local.weekday()] in level["days"])
