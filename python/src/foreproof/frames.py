"""From a frame to what `foreproof history import` takes, and from evidence to frames.

A frame is a pandas DataFrame or a list of dicts. Columns are those of docs/any-series.md
(forecasts) and docs/reference/tables.md (scores, tests, losses, attempts).
"""

from __future__ import annotations

import gzip
import math
import pathlib
import re
import sys
from typing import Any, Callable, Iterable, NamedTuple

from .documents import (DOCUMENT, LINES, TABLE, Refused, canonical, micros, need, read_file,
                        read_json)
from .periods import read_periods
from .rows import attempt_status, stored_row
from .scores import direction, loss, plain_transform

Row = dict[str, Any]
_KEY = ("series", "origin", "horizon", "model")
_TIMES = ("generated_at", "recorded_at", "input_available_at", "selection_data_through")
_PROVENANCE = ("input_available_at", "selection_data_through", "vintage_id", "vintage_sha256")
_PLAIN = {*_KEY, *_TIMES, *_PROVENANCE, "value", "level", "quantiles", "status", "reason", "salt"}
_QUANTILE = re.compile("q[0-9.].*")


class Evidence(NamedTuple):
    """Tables of an evaluation: frames where pandas is installed, else lists of dicts."""

    scores: Any
    tests: Any
    losses: Any
    attempts: Any


def quantile_level(text: str, levels: Iterable[str]) -> str:
    """The spelling of a level, within 0.000001 of it; others have at most six decimals."""
    number = re.fullmatch(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII)
    need(number is not None and 0 < float(text) < 1, f"no level: {text}")
    for level in levels:
        if abs(float(level) - float(text)) <= 1e-6:
            return level
    spelt = f"{float(text):.6f}".rstrip("0")
    need(float(spelt) == float(text), f"a level with more than six decimals: {text}")
    return spelt


def _records(frame: Any) -> list[Row]:
    rows = frame.to_dict("records") if hasattr(frame, "to_dict") else [dict(row) for row in frame]
    return [{name: _cell(value) for name, value in row.items()} for row in rows]


def _cell(value: Any) -> Any:
    """A plain value: nothing for NaN and empty texts, a text for times, no numbers of numpy."""
    if hasattr(value, "tolist") and not hasattr(value, "isoformat"):
        value = value.tolist()
    try:
        if value is None or value == "" or value != value:
            return None
    except TypeError:  # pandas.NA compares as nothing.
        return None
    return value.isoformat() if hasattr(value, "isoformat") else value


class _Target(NamedTuple):
    """What rows are checked against: the frozen document and its list of periods."""

    protocol: Row
    periods: list[Row]
    place: dict[str, int]

    @property
    def levels(self) -> list[str]:
        return self.protocol["forecast"]["levels"]  # type: ignore[no-any-return]


def _read_target(protocol: str | pathlib.Path) -> _Target:
    file = pathlib.Path(protocol)
    document = read_json(read_file(file, DOCUMENT))
    need(document.get("schema_version") == 2,
         "a protocol of hourly BTC/USD: write a table as python/README.md says")
    listed = file.with_name(file.name.removesuffix(".json") + ".periods.csv")
    periods = read_periods(read_file(listed, TABLE).decode())
    return _Target(document, periods, {p["period"]: at for at, p in enumerate(periods)})


def _check_key(row: Row, to: _Target) -> Row:
    """Series, origin, horizon and model."""
    only = to.protocol["series"][0]["id"] if len(to.protocol["series"]) == 1 else None
    key = {name: row.get(name) for name in _KEY}
    key["series"] = key["series"] or only
    for name, value in key.items():
        need(value is not None, f"{name} is missing")
    series, origin, step, model = key.values()
    need(series in {s["id"] for s in to.protocol["series"]}, f"no series of the protocol: {series}")
    need(model not in {b["id"] for b in to.protocol.get("baselines", [])},
         f"the name of a baseline of the protocol: {model}")
    at = to.place.get(str(origin), -1)
    need(at >= 0 and to.periods[at]["origin"], f"no origin of the list: {origin}")
    is_number = isinstance(step, (int, float)) and not isinstance(step, bool)
    steps = to.periods[at]["steps"] or to.protocol["horizons"]
    need(is_number and step in steps and 0 <= at + step < len(to.periods),
         f"no horizon of this origin: {step}")
    return {"series": series, "origin": str(origin), "horizon": int(step), "model": str(model)}


def _quantiles(row: Row, levels: list[str]) -> dict[str, Any]:
    by_level, quantiles = row.get("quantiles") or {}, {}
    need(isinstance(by_level, dict), "quantiles are no values by level")
    columns = ((n[1:], v) for n, v in row.items() if _QUANTILE.fullmatch(n) and v is not None)
    for name, value in [*by_level.items(), *columns]:
        level = quantile_level(str(name), levels)
        need(level not in quantiles, f"the level {level} is given twice")
        quantiles[level] = value
    return quantiles


def _forecast(row: Row, to: _Target) -> Row:
    """One exported row, with its quantiles by level; raises Refused where it is not sound."""
    found = _check_key(row, to)
    for name in _TIMES:
        if row.get(name) is not None:
            micros(str(row[name]))
    if any(row.get(name) is not None for name in _PROVENANCE):
        found["provenance"] = {name: row.get(name) for name in _PROVENANCE}
    if row.get("status") is not None:
        need(row["status"] in ("failed", "abstained"), f"no status: {row['status']}")
        made = row.get("recorded_at") or row.get("generated_at")
        found.update(status=row["status"], reason=row.get("reason") or "not_recorded")
        return {**found, "recorded_at": str(made)} if made else found
    quantiles = _quantiles(row, to.levels)
    value = row.get("value") if row.get("value") is not None else quantiles.get("0.5")
    if "0.5" in to.levels and value is not None:
        quantiles.setdefault("0.5", value)
    for number in [*quantiles.values(), *([value] if value is not None or not quantiles else [])]:
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        need(is_number and abs(number) <= sys.float_info.max, "a value is missing, or is no number")
    found.update({n: str(row[n]) for n in ("generated_at", "salt") if row.get(n) is not None})
    return {**found, "value": value, "quantiles": quantiles}


def _fault(found: Row, to: _Target) -> str:
    """Why a forecast could not be scored; nothing where it can."""
    if "value" not in found:
        return ""
    primary = next(s for s in to.protocol["scores"] if s.get("primary"))
    rules = {"minimum": None, **to.protocol["forecast"],
             "transform": primary.get("transform", {"kind": "identity"})}
    reason = attempt_status({
        "mode": "backtest", "settled": 0, "as_of": 0, "outcome": 0.0, "due": 0, "target_end": 0,
        "provenance_required": False, "rules": rules,
        "row": stored_row({"value": found["value"], "quantiles": found["quantiles"]}, to.levels)})
    return "" if reason == "scored" else reason


def _join(one: Row, other: Row) -> Row:
    """One forecast of two rows with a level each."""
    twice = set(one["quantiles"]) & set(other["quantiles"])
    need(not twice, f"the level {min(twice, default='')} is given twice")
    quantiles = one["quantiles"] | other["quantiles"]
    return {**one, "quantiles": quantiles, "value": quantiles.get("0.5", other["value"])}


def write_forecasts(frame: Any, path: str | pathlib.Path, protocol: str | pathlib.Path) -> int:
    """Write a frame of forecasts as NDJSON for `foreproof history import`, if every row is sound.

    The protocol is the frozen document of any series, with its list of periods beside it. Returns
    how many rows were written; raises ValueError that names every bad row, and writes nothing.
    """
    to = _read_target(protocol)
    faults: list[str] = []
    made: dict[tuple[Any, ...], Row] = {}
    first: dict[tuple[Any, ...], int] = {}
    named: set[str] = set()
    for at, row in enumerate(_records(frame)):
        unknown = {str(n) for n in row if n not in _PLAIN and not _QUANTILE.fullmatch(str(n))}
        try:
            if unknown:
                # Of all rows with a column that means nothing one is named.
                need(unknown <= named, f"columns without a meaning: {', '.join(sorted(unknown))}")
                continue
            level = row.pop("level", None)
            if level is not None:
                need(row.get("quantiles") is None, "level stands beside quantiles")
                row["quantiles"] = {str(level): row.pop("value", None)}
            found = _forecast(row, to)
            canonical(found).encode("utf-8")
            key = (found["series"], to.place[found["origin"]], found["horizon"], found["model"])
            before = made.get(key)
            if before is not None and level is not None and "quantiles" in before:
                found = _join(found, before)
            elif before is not None:
                need(canonical(before) == canonical(found),
                     f"another row has this key: row {first[key]}")
            first.setdefault(key, at)
            made[key] = found
        except Refused as error:
            named |= unknown
            faults.append(f"row {at}: {error}")
        except UnicodeEncodeError:
            faults.append(f"row {at}: a text that is no Unicode")
    faults += [f"row {first[key]}: {_fault(found, to)}" for key, found in made.items()
               if _fault(found, to)]
    if faults:
        more = [f"and {len(faults) - 100} more"] if len(faults) > 100 else []
        raise Refused("\n".join([*faults[:100], *more]))
    lines = [canonical(made[key]) + "\n" for key in sorted(made)]
    pathlib.Path(path).write_bytes("".join(lines).encode("utf-8"))
    return len(made)


# ---- evidence ------------------------------------------------------------------------------------


def _frame(rows: list[Row]) -> Any:
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _horizon(step: int | str) -> int | None:
    return step if isinstance(step, int) else None


def _scores(reading: Row, role: Callable[[str], str]) -> list[Row]:
    """Means of each model, with the test that is hardest to pass beside each of a candidate."""
    tests: dict[tuple[Any, ...], list[Row]] = {}
    for test in reading["tests"]:
        of = (test["candidate"], test["step"], test["scope"], test["score"])
        tests.setdefault(of, []).append(test)

    def weakness(test: Row) -> tuple[float, float]:
        p = test["p_adjusted"]
        return (math.inf, 0.0) if p is None else (p, test["p"])

    rows = []
    for measure in reading["measures"]:
        model, step, scope = measure["model"], measure["step"], measure["scope"]
        for name, value in measure["means"].items():
            test = max(tests.get((model, step, scope, name), [{}]),
                       key=lambda t: weakness(t) if t else (0.0, 0.0))
            bounds = measure["bounds"].get(name) or {}
            rows.append({
                "model": model, "role": role(model), "horizon": _horizon(step), "scope": scope,
                "measure": name, "estimate": value, "n": measure["pairs"].get(name),
                "lower": bounds.get("lower"), "upper": bounds.get("upper"),
                "compare_against": test.get("comparator"), "difference": test.get("observed"),
                "pval": test.get("p"), "adj_pval": test.get("p_adjusted")})
    return rows


def _test(test: Row) -> Row:
    error, decision = test["standard_error"], test["decision"]
    bounds, adjusted, hln, memory = (
        test[n] or {} for n in ("bounds", "bounds_adjusted", "hln", "memory"))
    return {
        "test": test["name"], "model": test["candidate"], "compare_against": test["comparator"],
        "measure": test["score"], "horizon": _horizon(test["step"]), "scope": test["scope"],
        "cells": test["cells"], "decides": test["decides"], "n": test["pairs"],
        "effective_blocks": test["effective_blocks"], "estimate": test["observed"],
        "compare_against_mean": test["comparator_mean"],
        "lower": bounds.get("lower"), "upper": bounds.get("upper"), "standard_error": error,
        "statistic": test["observed"] / error if error else None,
        "degrees_of_freedom": test["degrees_of_freedom"], "pval": test["p"], "rank": test["rank"],
        "multiplier": test["multiplier"], "weight": test["weight"], "adj_pval": test["p_adjusted"],
        "adj_level": test["level_adjusted"], "adj_lower": adjusted.get("lower"),
        "adj_upper": adjusted.get("upper"), "decision": decision,
        "rejected": None if decision == "blocked" else decision == "rejected",
        "blocked_reasons": "; ".join(test["blocked_reasons"]),
        "hln_statistic": hln.get("statistic"), "hln_pval": hln.get("p"),
        "week_memory": memory.get("ratio"), "week_memory_limit": memory.get("limit"),
        "pval_nu_4": memory.get("p")}


def _losses(pair: Row, rules: Row, scales: dict[tuple[str, str], float]) -> Row:
    losses = {}
    for score in rules["scores"]:
        transform, value, outcome = score["transform"], pair["value"], pair["outcome"]
        if score["kind"] == "direction":
            losses[score["id"]] = direction(value, outcome, pair["base"], float(score["epsilon"]),
                                            transform)[0]
        elif pair["interval_status"] == "scored" or score["kind"] == "absolute_error":
            scale = scales.get((pair["series"], plain_transform(transform)), 1.0)
            losses[score["id"]] = loss(score, rules["forecast"]["levels"], value, pair["quantiles"],
                                       outcome, scale)
        else:
            losses[score["id"]] = None
    return losses


def read_evidence(folder: str | pathlib.Path) -> Evidence:
    """Scores, tests, losses and attempts of an evaluation.

    Nothing is verified: `python -m foreproof verify` does. Scales, by which losses are divided, are
    those of cells.ndjson.
    """
    folder = pathlib.Path(folder)
    result = read_json(read_file(folder / "result.json", TABLE))
    rules, candidates = result["settings"]["rules"], result["settings"]["candidates"]
    names = {candidate["name"] for candidate in candidates}

    def role(model: str) -> str:
        return "candidate" if model in names else "comparator"

    cells = map(read_json, read_file(folder / "cells.ndjson", LINES).splitlines())
    scales = {(cell["series"], scale["transform"]): scale["value"]
              for cell in cells for scale in cell["scales"]}
    attempts, losses = [], []
    with gzip.open(folder / "pairs.ndjson.gz") as file:
        for pair in map(read_json, file):
            row = {"horizon" if n == "step" else n: v for n, v in pair.items() if n != "quantiles"}
            levels = [f"q{level}" for level in rules["forecast"]["levels"]]
            attempts.append({**row, **dict(zip(levels, pair["quantiles"]))})
            if pair["status"] == "scored" and pair["expected"]:
                losses.append({
                    **{n: row[n] for n in ("series", "origin", "target", "horizon", "model")},
                    "role": role(pair["model"]), **_losses(pair, rules, scales),
                    **{n: row[n] for n in ("vintage_id", "vintage_sha256")}})
    reading = result["reading"]
    return Evidence(_frame(_scores(reading, role)), _frame([_test(t) for t in reading["tests"]]),
                    _frame(losses), _frame(attempts))
