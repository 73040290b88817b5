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
from typing import Any, Iterable, NamedTuple

from .documents import DOCUMENT, LINES, TABLE, Refused, canonical, micros, read_file, read_json
from .periods import read_periods
from .rows import attempt_status
from .scores import direction, loss

Row = dict[str, Any]
_TEXTS = ("generated_at", "input_available_at", "selection_data_through", "vintage_id", "vintage_sha256", "salt", "recorded_at")
_PLAIN = {"series", "origin", "horizon", "model", "value", "level", "quantiles", "status", "reason", *_TEXTS}


class Evidence(NamedTuple):
    """Tables of an evaluation: frames where pandas is installed, else lists of dicts."""

    scores: Any
    tests: Any
    losses: Any
    attempts: Any


def quantile_level(text: str, levels: Iterable[str]) -> str:
    """The spelling of a level: compared as a number, within 0.000001; others have at most six decimals."""
    if not re.fullmatch(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII) or not 0 < float(text) < 1:
        raise Refused(f"no level: {text}")
    for level in levels:
        if abs(float(level) - float(text)) <= 1e-6:
            return level
    spelt = f"{float(text):.6f}".rstrip("0")
    if float(spelt) != float(text):
        raise Refused(f"a level with more than six decimals: {text}")
    return spelt


def _records(frame: Any) -> list[Row]:
    rows = frame.to_dict("records") if hasattr(frame, "to_dict") else [dict(row) for row in frame]
    return [{name: _cell(value) for name, value in row.items()} for row in rows]


def _cell(value: Any) -> Any:
    """A plain value: nothing for NaN and empty texts, a text for times, Python's numbers for numpy's."""
    if hasattr(value, "tolist") and not hasattr(value, "isoformat"):
        value = value.tolist()
    try:
        if value is None or value == "" or value != value:
            return None
    except TypeError:  # pandas.NA compares as nothing.
        return None
    return value.isoformat() if hasattr(value, "isoformat") else value


def _forecast(row: Row, protocol: Row, place: dict[str, int], periods: list[Row]) -> Row:
    """One exported row, with its quantiles by level; raises Refused where it is not sound."""
    for name in ("series", "origin", "horizon", "model"):
        if row.get(name) is None and not (name == "series" and len(protocol["series"]) == 1):
            raise Refused(f"{name} is missing")
    series, step = str(row.get("series") or protocol["series"][0]["id"]), row["horizon"]
    if series not in {s["id"] for s in protocol["series"]}:
        raise Refused(f"no series of the protocol: {series}")
    if str(row["model"]) in {b["id"] for b in protocol.get("baselines", [])}:
        raise Refused(f"the name of a baseline of the protocol: {row['model']}")
    at = place.get(str(row["origin"]))
    if at is None or not periods[at]["origin"]:
        raise Refused(f"no origin of the list: {row['origin']}")
    if isinstance(step, bool) or not isinstance(step, (int, float)) or step not in (periods[at]["steps"] or protocol["horizons"]) or not 0 <= at + int(step) < len(periods):
        raise Refused(f"no horizon of this origin: {step}")
    found: Row = {"series": series, "origin": str(row["origin"]), "horizon": int(step), "model": str(row["model"])}
    provenance = {n: row[n] for n in ("input_available_at", "selection_data_through", "vintage_id", "vintage_sha256") if row.get(n) is not None}
    if provenance:
        found["provenance"] = {n: provenance.get(n) for n in ("input_available_at", "selection_data_through", "vintage_id", "vintage_sha256")}
    for name in ("generated_at", "recorded_at", "input_available_at", "selection_data_through"):
        if row.get(name) is not None:
            micros(str(row[name]))
    if row.get("status") is not None:
        if row["status"] not in ("failed", "abstained"):
            raise Refused(f"no status: {row['status']}")
        made = row.get("recorded_at") or row.get("generated_at")
        return found | {"status": row["status"], "reason": row.get("reason") or "not_recorded"} | ({"recorded_at": str(made)} if made else {})
    levels, quantiles = protocol["forecast"]["levels"], {}
    by_level = row.get("quantiles") or {}
    if not isinstance(by_level, dict):
        raise Refused("quantiles are no values by level")
    for name, value in [*by_level.items(), *((n[1:], v) for n, v in row.items() if re.fullmatch("q[0-9.].*", n) and v is not None)]:
        level = quantile_level(str(name), levels)
        if level in quantiles:
            raise Refused(f"the level {level} is given twice")
        quantiles[level] = value
    value = row.get("value") if row.get("value") is not None else quantiles.get("0.5")
    if "0.5" in levels and value is not None:
        quantiles.setdefault("0.5", value)
    numbers = [*quantiles.values(), *([value] if value is not None or not quantiles else [])]
    if any(isinstance(v, bool) or not isinstance(v, (int, float)) or not abs(v) <= sys.float_info.max for v in numbers):
        raise Refused("a value is missing, or is no number")
    for name in ("generated_at", "salt"):
        if row.get(name) is not None:
            found[name] = str(row[name])
    return found | {"value": value, "quantiles": quantiles}


def write_forecasts(frame: Any, path: str | pathlib.Path, protocol: str | pathlib.Path) -> int:
    """Write a frame of forecasts as NDJSON for `foreproof history import`, if every row is sound.

    The protocol is the frozen document of any series, with its list of periods beside it. Returns
    how many rows were written; raises ValueError that names every bad row, and writes nothing.
    """
    file = pathlib.Path(protocol)
    document = read_json(read_file(file, DOCUMENT))
    if document.get("schema_version") != 2:
        raise Refused("a protocol of hourly BTC/USD: write a table as docs/data-in.md says")
    periods = read_periods(read_file(file.with_name(file.name.removesuffix(".json") + ".periods.csv"), TABLE).decode())
    place = {period["period"]: at for at, period in enumerate(periods)}
    forecast, primary = document["forecast"], next(s for s in document["scores"] if s.get("primary"))
    rules = dict(forecast, minimum=forecast.get("minimum"), transform=primary.get("transform", {"kind": "identity"}))
    faults: list[str] = []
    made: dict[tuple[Any, ...], Row] = {}
    first: dict[tuple[Any, ...], int] = {}
    named: set[str] = set()
    for at, row in enumerate(_records(frame)):
        try:
            unknown = [str(n) for n in row if n not in _PLAIN and not re.fullmatch("q[0-9.].*", str(n))]
            if unknown:
                if not set(unknown) <= named:
                    named |= set(unknown)
                    raise Refused(f"columns without a meaning: {', '.join(unknown)}")
                continue
            level = row.pop("level", None)
            if level is not None:
                if row.get("quantiles") is not None:
                    raise Refused("level stands beside quantiles")
                row["quantiles"] = {str(level): row.pop("value", None)}
            found = _forecast(row, document, place, periods)
            key = (found["series"], place[found["origin"]], found["horizon"], found["model"])
            canonical(found).encode("utf-8")
            if key in made and level is not None and "quantiles" in made[key]:
                twice = set(found["quantiles"]) & set(made[key]["quantiles"])
                if twice:
                    raise Refused(f"the level {min(twice)} is given twice")
                found["quantiles"] |= made[key]["quantiles"]
                found["value"] = found["quantiles"].get("0.5", made[key]["value"])
            elif key in made and canonical(made[key]) != canonical(found):
                raise Refused(f"another row has this key: row {first[key]}")
            first.setdefault(key, at)
            made[key] = found
        except (Refused, UnicodeEncodeError) as error:
            faults.append(f"row {at}: {error if isinstance(error, Refused) else 'a text that is no Unicode'}")
    for key, found in made.items():
        if "value" in found:
            row = {"value": found["value"], "quantiles": [found["quantiles"].get(level) for level in forecast["levels"]], "attempt": None, "generated_at": None, "target_at": None,
                   "input_available_at": None, "selection_data_through": None, "vintage_id": None, "vintage_sha256": None}
            reason = attempt_status({"mode": "backtest", "settled": 0, "as_of": 0, "outcome": 0.0, "due": 0, "target_end": 0, "registered_at": 0, "provenance_required": False, "rules": rules, "row": row})
            if reason != "scored":
                faults.append(f"row {first[key]}: {reason}")
    if faults:
        raise Refused("\n".join([*faults[:100], *([f"and {len(faults) - 100} more"] if len(faults) > 100 else [])]))
    data = "".join(canonical(made[key]) + "\n" for key in sorted(made)).encode("utf-8")
    pathlib.Path(path).write_bytes(data)
    return len(made)


# ---- evidence ------------------------------------------------------------------------------------


def _frame(rows: list[Row]) -> Any:
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _scores(reading: Row, candidates: set[str]) -> list[Row]:
    tests: dict[tuple[Any, ...], list[Row]] = {}
    for test in reading["tests"]:
        tests.setdefault((test["candidate"], test["step"], test["scope"], test["score"]), []).append(test)
    rows = []
    for measure in reading["measures"]:
        for name, value in measure["means"].items():
            own = tests.get((measure["model"], measure["step"], measure["scope"], name), [])
            weakest = max(own, key=lambda t: (math.inf, 0.0) if t["p_adjusted"] is None else (t["p_adjusted"], t["p"]), default=None)
            bounds = measure["bounds"].get(name) or {}
            rows.append({"model": measure["model"], "role": "candidate" if measure["model"] in candidates else "comparator", "horizon": None if measure["step"] == "overall" else measure["step"],
                         "scope": measure["scope"], "measure": name, "estimate": value, "n": measure["pairs"].get(name), "lower": bounds.get("lower"), "upper": bounds.get("upper"),
                         "compare_against": weakest and weakest["comparator"], "difference": weakest and weakest["observed"], "pval": weakest and weakest["p"], "adj_pval": weakest and weakest["p_adjusted"]})
    return rows


def _test(test: Row) -> Row:
    bounds, adjusted, error = test["bounds"] or {}, test["bounds_adjusted"] or {}, test["standard_error"]
    return {"test": test["name"], "model": test["candidate"], "compare_against": test["comparator"], "measure": test["score"], "horizon": None if test["step"] == "overall" else test["step"],
            "scope": test["scope"], "cells": test["cells"], "decides": test["decides"], "n": test["pairs"], "effective_blocks": test["effective_blocks"], "estimate": test["observed"],
            "compare_against_mean": test["comparator_mean"], "lower": bounds.get("lower"), "upper": bounds.get("upper"), "standard_error": error,
            "statistic": test["observed"] / error if error else None, "degrees_of_freedom": test["degrees_of_freedom"], "pval": test["p"], "rank": test["rank"], "multiplier": test["multiplier"],
            "weight": test["weight"], "adj_pval": test["p_adjusted"], "adj_level": test["level_adjusted"], "adj_lower": adjusted.get("lower"), "adj_upper": adjusted.get("upper"),
            "decision": test["decision"], "rejected": None if test["decision"] == "blocked" else test["decision"] == "rejected", "blocked_reasons": "; ".join(test["blocked_reasons"]),
            **{name: (test[of] or {}).get(member) for name, of, member in (("hln_statistic", "hln", "statistic"), ("hln_pval", "hln", "p"), ("week_memory", "memory", "ratio"),
                                                                          ("week_memory_limit", "memory", "limit"), ("pval_nu_4", "memory", "p"))}}


def read_evidence(folder: str | pathlib.Path) -> Evidence:
    """Scores, tests, losses and attempts of an evaluation. Nothing is verified: `python -m foreproof verify` does.

    Scales, by which losses are divided, are those of cells.ndjson.
    """
    folder = pathlib.Path(folder)
    result = read_json(read_file(folder / "result.json", TABLE))
    settings, scales = result["settings"], {}
    rules = settings["rules"]
    levels = rules["forecast"]["levels"]
    with open(folder / "cells.ndjson", "rb") as file:
        for line in file:
            cell = read_json(line)
            scales.update({(cell["series"], scale["transform"]): scale["value"] for scale in cell["scales"]})
    candidates = {c["name"] for c in settings["candidates"]}
    attempts, losses = [], []
    with gzip.open(folder / "pairs.ndjson.gz") as file:
        for line in file:
            pair = read_json(line)
            quantiles = pair.pop("quantiles")
            attempts.append({"horizon" if n == "step" else n: v for n, v in pair.items()} | {f"q{level}": q for level, q in zip(levels, quantiles)})
            if pair["status"] != "scored" or not pair["expected"]:
                continue
            row = {n: pair[n] for n in ("series", "origin", "target")} | {"horizon": pair["step"], "model": pair["model"], "role": "candidate" if pair["model"] in candidates else "comparator"}
            for score in rules["scores"]:
                transform = score["transform"]
                if score["kind"] == "direction":
                    row[score["id"]] = direction(pair["value"], pair["outcome"], pair["base"], float(score["epsilon"]), transform)[0]
                    continue
                name = transform["kind"] if transform["offset"] is None else f"{transform['kind']} {transform['offset']}"
                scale = 1.0 if score["kind"] == "coverage" else scales.get((pair["series"], name), 1.0)
                ready = pair["interval_status"] == "scored" or score["kind"] == "absolute_error"
                row[score["id"]] = loss(score, levels, pair["value"], quantiles, pair["outcome"], scale) if ready else None
            losses.append(row | {n: pair[n] for n in ("vintage_id", "vintage_sha256")})
    reading = result["reading"]
    return Evidence(_frame(_scores(reading, candidates)), _frame([_test(t) for t in reading["tests"]]), _frame(losses), _frame(attempts))
