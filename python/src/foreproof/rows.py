"""Outcomes, forecasts and attempts: which value counts, what became of a forecast, and their files.

Sources: docs/any-series.md (releases), docs/pairing.md (statuses, a line), docs/evidence.md (the
digest of a history), docs/reference/outcomes-formats.md (closes.csv), docs/reference/series.md.
"""

from __future__ import annotations

import csv
import io
import math
import re
from typing import Any, Iterable

from .documents import (Refused, canonical, instant_text, micros, need, number_text, plain,
                        sha256)
from .logs import leaf_hash
from .scores import transformed

Row = dict[str, Any]
# A value and its date, in microseconds; rows of a period are in the order of their dates.
Release = tuple["float | None", "int | None"]

# ---- releases ------------------------------------------------------------------------------------


def usable(rows: list[Release], end: int, known: int) -> list[Release]:
    """All rows but those dated both before the end of the period and before `known`."""
    return [(v, as_of) for v, as_of in rows if as_of is None or as_of >= end or as_of >= known]


def in_force(rows: list[Release], end: int, known: int, at: int,
             seen: bool = False) -> float | None:
    """The value in force at an instant.

    With `seen`: what baselines see, from the later of its date and `known` on.
    """
    found: float | None = None
    for value, as_of in usable(rows, end, known):
        since = max(end, known) if as_of is None else max(as_of, known) if seen else as_of
        if since <= at:
            found = value
    return found


def outcome_of(release: Row, rows: list[Release], end: int, known: int,
               settled: int) -> float | None:
    """The value that counts, of rows in the order of their dates."""
    if release["rule"] in ("as_of_lag", "as_of_instant"):
        return in_force(rows, end, known, settled)
    for value, as_of in usable(rows, end, known):
        if value is not None and (as_of is None or as_of <= settled):
            return value
    return None


def releases_text(rows: Iterable[tuple[str, str, float | None, int | None]]) -> str:
    """releases.csv: the rows that change what is in force, by series and period, then instant."""
    lines, before, force = ["series,period,value,as_of\n"], None, None
    ordered = sorted(set(rows), key=lambda r: (r[0], r[1], -(2**60) if r[3] is None else r[3]))
    need(len({(r[0], r[1], r[3]) for r in ordered}) == len(ordered), "two values at one instant")
    for series, period, value, as_of in ordered:
        if (series, period) != before:
            before, force = (series, period), None
        if value == force:
            continue
        force = value
        number = "" if value is None else number_text(value)
        lines.append(f"{series},{period},{number},{'' if as_of is None else instant_text(as_of)}\n")
    return "".join(lines)


def read_releases(text: str) -> dict[tuple[str, str], list[Release]]:
    """releases.csv by series and period; refuses another spelling."""
    lines = list(csv.reader(io.StringIO(text), strict=True))
    need(all(len(line) == 4 for line in lines), "no releases.csv")
    rows = [(s, p, float(v) if v else None, micros(a) if a else None) for s, p, v, a in lines[1:]]
    need(releases_text(rows) == text, "releases.csv is not in its normal form")
    found: dict[tuple[str, str], list[Release]] = {}
    for series, period, value, as_of in rows:
        found.setdefault((series, period), []).append((value, as_of))
    return found


_CLOSE = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:00:00Z),([0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)", re.ASCII)


def read_closes(text: str) -> dict[int, float]:
    """closes.csv: the close by the instant of its hour; refuses another spelling."""
    head, *lines, end = text.split("\n")
    need(head == "close_at,close_usd" and lines != [] and end == "", "no closes.csv")
    closes: dict[int, float] = {}
    last = -(2**60)
    for line in lines:
        match = _CLOSE.fullmatch(line)
        if not match:
            raise Refused(f"a line of closes.csv: {line}")
        hour, value = micros(match[1]), float(match[2])
        spelt = number_text(value)
        spelt = spelt if re.search("[.e]", spelt) else spelt + ".0"
        need(hour > last and value > 0 and spelt == match[2], f"a line of closes.csv: {line}")
        closes[hour] = value
        last = hour
    return closes


# ---- what became of a forecast (docs/pairing.md) -------------------------------------------------

LATE = ("committed_late", "not_committed")
# Of the intervals of version 1.
LEVEL = 0.8


def is_finite(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)


def _sound(value: Any, rules: Row) -> bool:
    return (is_finite(value) and abs(value) <= 1e100
            and (rules["minimum"] is None or value >= float(rules["minimum"]))
            and transformed(rules["transform"], value) is not None)


def _faults(row: Row, rules: Row) -> str:
    """Why a forecast that is there cannot be scored; "scored" where it can."""
    point, quantiles = row["value"], row["quantiles"]
    if rules.get("interval") == "separate":
        # Version 1 judges the interval apart; its values are prices, above 0.
        source = row.get("source", point)
        prices = all(is_finite(price) and price > 0 for price in (point, source))
        return "scored" if prices and point <= 1e100 else "out_of_range"
    if None in quantiles:
        return "quantiles_incomplete"
    middle = [q for level, q in zip(rules["levels"], quantiles) if level == "0.5"]
    if any(a > b for a, b in zip(quantiles, quantiles[1:])) or middle not in ([], [point]):
        return "quantiles_cross"
    values = [point, *quantiles]
    if not all(_sound(value, rules) for value in values):
        return "out_of_range"
    rounded = not rules["integer"] or all(value == math.floor(value) for value in values)
    return "scored" if rounded else "not_integer"


def attempt_status(key: Row) -> str:
    """The reason of an attempt: the first of the table in docs/pairing.md that applies.

    Instants are in microseconds; `committed` as in docs/vectors.md; `seen_until` is the origin in
    version 1, where inputs may not be later than that, and `due` elsewhere.
    """
    row, due, end = key["row"], key["due"], key["target_end"]
    until, prospective = key.get("seen_until", due), key["mode"] == "prospective"
    if key["settled"] is None or key["settled"] > key["as_of"]:
        return "not_matured"
    if key["outcome"] is None:
        return "outcome_missing"
    committed = key.get("committed", due)
    forecast = row is not None and row["value"] is not None
    separate = key["rules"].get("interval") == "separate"
    if row is not None:
        try:
            made, target, *inputs = (None if row[n] is None else micros(row[n]) for n in (
                "generated_at", "target_at", "input_available_at", "selection_data_through"))
        except Refused:
            return "timestamp_invalid"
        if separate and forecast and target is None:
            return "timestamp_invalid"
        if target is not None and target != end:
            return "target_mismatch"
        if any(at is not None and at > until for at in inputs):
            return "lookahead"
        provenance = [*inputs, row["vintage_id"], row["vintage_sha256"]]
        if forecast and key["provenance_required"] and None in provenance:
            return "provenance_missing"
        if forecast and prospective and (made is None or made > due):
            after = made is not None and made > end >= due
            return "generated_after_target" if after else "published_late"
    if committed == "withdrawn":
        return "withdrawn"
    if forecast and committed is None:
        return "not_committed"
    if forecast and committed > due:
        return "committed_late"
    if prospective and key["registered_at"] > until:
        return "before_registration"
    if row is None:
        return "forecast_missing"
    if row["attempt"] and not (forecast and "committed" in key):
        return "recorded_abstention" if row["attempt"] == "abstained" else "recorded_failure"
    return _faults(row, key["rules"]) if forecast else "forecast_missing"


_STATUSES = {
    "scored": "scored", "outcome_missing": "missing", "forecast_missing": "missing",
    "recorded_abstention": "abstained", "recorded_failure": "failed",
    "quantiles_incomplete": "failed", "quantiles_cross": "failed", "out_of_range": "failed",
    "not_integer": "failed",
}
# Of rows without an expected key.
BESIDE = ("timestamp_invalid", "target_mismatch", "horizon_not_in_protocol", "origin_off_grid",
          "model_not_in_plan")
_INELIGIBLE = (*BESIDE, *LATE, "not_matured", "lookahead", "provenance_missing", "published_late",
               "generated_after_target", "withdrawn", "before_registration")


def status_of(reason: str) -> str:
    need(reason in _STATUSES or reason in _INELIGIBLE, f"an unknown reason: {reason}")
    return _STATUSES.get(reason, "ineligible")


def interval_status(reason: str, row: Row | None, rules: Row) -> str:
    """It ends as the point does, but in version 1 it is judged apart, by the first that applies."""
    if rules["interval"] != "separate":
        return status_of(reason)
    bounds: list[Any] = row["quantiles"] if row else [None]
    if reason == "outcome_missing" or bounds.count(None) == len(bounds):
        return "missing"
    if None in bounds or bounds[0] <= 0 or bounds != sorted(bounds):
        return "failed"
    return status_of(reason) if row and row["level"] == LEVEL else "ineligible"


# ---- histories and pairs -------------------------------------------------------------------------


def history_line(row: Row) -> str:
    """What the leaf of a row is the hash of: canonical form, hourly forecasts without freshness."""
    return canonical({name: part for name, part in row.items() if name != "freshness"})


def row_key(row: Row) -> tuple[str, str, int, str]:
    """Series, origin, step and model of an exported row, or of an entry of a log."""
    if "series" in row:
        return row["series"], row["origin"], row["horizon"], row["model"]
    model = row["model"] if "model" in row else row["model_name"]
    name = model["name"] if isinstance(model, dict) else model
    return "BTC/USD", instant_text(micros(row["origin_at"])), row["horizon_hours"], name


def history_digest(rows: Iterable[tuple[Row, str]], window: Row,
                   labels: list[str] | None) -> tuple[str, int]:
    """SHA-256 and number of the rows (each with its line) of a window; labels: listed origins."""
    place = {label: at for at, label in enumerate(labels or [])}

    def position(origin: str) -> int:
        return micros(origin) if labels is None else place.get(origin, -1)

    first, last = position(window["from"]), position(window["to"])
    lines = []
    for row, line in rows:
        series, origin, step, model = row_key(row)
        at = position(origin)
        if first <= at <= last:
            # Labels as texts; of one key the attempt comes last, of any series first.
            of = (at, "status" in row) if labels is None else (origin, "status" not in row)
            lines.append(((series, of[0], step, model, of[1]), line))
    lines.sort()
    return sha256("".join(line + "\n" for _, line in lines)), len(lines)


def leaf_of(line: str) -> str:
    return leaf_hash(line.encode()).hex()


def stored_row(row: Row, levels: list[str]) -> Row:
    """An exported row with the members that `attempt_status` reads."""
    provenance = row.get("provenance") or row.get("lineage", {}).get("provenance") or {}
    found: Row = {name: provenance.get(name) for name in (
        "input_available_at", "selection_data_through", "vintage_id", "vintage_sha256")}
    found["target_at"] = row.get("target_at")
    if "estimate" in row:
        interval = row["interval"]
        quantiles = [interval[name] for name in ("lower_usd", "median_usd", "upper_usd")]
        return {**found, "attempt": None, "generated_at": row["run"]["generated_at"],
                "value": row["estimate"]["price_usd"], "quantiles": quantiles,
                "source": row["lineage"]["source"]["price_usd"], "level": interval["level"]}
    if "value" in row:
        return {**found, "attempt": None, "generated_at": row.get("generated_at"),
                "value": row["value"], "quantiles": [row["quantiles"].get(n) for n in levels]}
    return {**found, "attempt": row.get("status"), "generated_at": row.get("recorded_at"),
            "value": None, "quantiles": [None] * len(levels)}


PAIR = ("series", "origin", "step", "target", "model", "expected", "status", "reason",
        "interval_status", "value", "quantiles", "seen", "base", "outcome", "vintage_id",
        "vintage_sha256")


def pair_line(pair: Row) -> str:
    return plain({name: pair[name] for name in PAIR}) + "\n"
