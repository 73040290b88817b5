"""Every vector of fixtures/vectors (docs/vectors.md)."""

from __future__ import annotations

import json
import math
import os
import pathlib
import struct
import unittest
from typing import Any, Callable

import reference
from foreproof import baselines, chain, documents, evaluate, frames, inference, logs, rows, scores, stamps
from foreproof.documents import HOUR, instant_text, later, micros, sha256
from foreproof.periods import Hours, Listed, in_level, periods_text, read_periods, settled_at

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = pathlib.Path(os.environ.get("FOREPROOF_VECTORS", HERE.parent.parent / "fixtures" / "vectors"))
Row = dict[str, Any]


def at(text: str | None) -> int | None:
    return None if text is None else micros(text)


def number(value: Any) -> Any:
    return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(value, value) if isinstance(value, str) else value


def hexes(values: list[str]) -> list[bytes]:
    return [bytes.fromhex(v) for v in values]


def leaves(i: Row) -> list[bytes]:
    return [logs.leaf_hash(e) for e in hexes(i["leaves"])]


def period_list(i: Row) -> Row:
    periods = read_periods(i["csv"])
    text = periods_text(periods)
    return {"text": text, "sha256": sha256(text), "count": len(periods), "first": periods[0]["period"], "last": periods[-1]["period"]}


def reason_of(i: Row, more: Row) -> str:
    key = {n: i[n] for n in ("mode", "outcome", "provenance_required", "row")} | {n: at(i[n]) for n in ("registered_at", "as_of")} | more
    if "committed" in i:
        key["committed"] = i["committed"] if i["committed"] in (None, "withdrawn") else micros(i["committed"])
    return rows.attempt_status(key)


def status(i: Row) -> Row:
    reason = reason_of(i, {n: at(i[n]) for n in ("due", "target_end", "settled")} | {"rules": i["rules"]})
    return {"status": rows.status_of(reason), "reason": reason}


def hours(minutes: float = 0) -> Hours:
    return Hours({"zone": "UTC", "origins": {"due": {"minutes": minutes}}})


def hourly_status(i: Row) -> Row:
    """What becomes of a row, or of a key without one."""
    row = i["row"] and {**i["row"], "source": i["row"]["source_price"]}
    rules = {"interval": "separate"}
    try:
        key = hours(i["due_minutes"]).instants(i["origin"], i["horizon"]) | {"row": row, "rules": rules}
    except documents.Refused:
        beside, reason = "timestamp_invalid", "timestamp_invalid"
    else:
        beside = reference.beside_grid(i, key["seen_until"])
        # Of rows beside the grid only times and target are asked before.
        reason = reason_of(i, key | ({"settled": 0, "outcome": 0.0} if beside else {"settled": key["target_end"]}))
        if beside and reason not in ("timestamp_invalid", "target_mismatch"):
            reason = beside
    return {"expected": beside is None, "status": rows.status_of(reason), "reason": reason, "interval_status": rows.interval_status(reason, row, rules)}


def registration_stamps(i: Row) -> Row:
    """Which authorities stamped a registration in time, and since when it is shown."""
    found: dict[str, stamps.Stamp | None] = {}
    for name in i["authorities"]:
        own = [(micros(s["gen_time"]), s["accuracy_seconds"] or 0) for s in i["stamps"] if s["authority"] == name and s["entry"] >= i["entry"]]
        found[name] = stamps.earliest([stamps.Stamp(time, time + round(accuracy * 1e6)) for time, accuracy in own])
    in_time = {name: stamp and stamps.is_in_time(stamp, i["mode"], i["first_inputs"]) for name, stamp in found.items()}
    counted = [stamp for name, stamp in found.items() if stamp and in_time[name]]
    shown = stamps.shown_at(counted, i["at_least"])
    return {"in_time": in_time, "stamped_at": shown and instant_text(shown), "holds": len(counted) >= i["at_least"]}


def listed(i: Row, csv: str) -> Listed:
    at_end = {"anchor": "end", "offset": "PT0H"}
    outcome = {"known": i.get("known", at_end), "release": i.get("release")}
    return Listed(read_periods(csv), {"zone": i.get("zone", "UTC"), "origins": {"due": i.get("due", at_end)}, "outcome": outcome})


def stratum_level(i: Row) -> str | None:
    """The level of an origin."""
    by, levels = i["definition"]["by"], i["definition"]["levels"]
    if by not in ("hour_of_day", "weekday", "period"):
        return reference.past_level(i)
    periods = hours() if i["hourly"] else listed(i, f"period,start,end\nx,{i['start']},{i['end']}\n")
    return next((level["level"] for level in levels if in_level(periods, by, level, i["end"] if i["hourly"] else "x")), None)


def window_instants(i: Row) -> Row:
    """When the forecasts of a window are due, and their outcomes settled, with the digest of all instants."""
    periods = hours(i["due_minutes"]) if i["csv"] is None else listed(i, i["csv"])
    sha, window = periods.window({"steps": i["horizons"]}, i["window"]["from"], i["window"]["to"])
    return {**window, "sha256": sha}


def dated(i: Row) -> list[tuple[Any, Any]]:
    return [(r["value"], at(r["as_of"])) for r in i["rows"]]


def released(i: Row) -> Row:
    end, known = micros(i["end"]), micros(i["known"])
    settled = settled_at(i["release"], end, known, i["zone"])
    return {"settled": instant_text(settled), "value": rows.outcome_of(i["release"], dated(i), end, known, settled)}


def releases(i: Row) -> Row:
    known = {p["period"]: p for p in i["periods"]}
    kept = []
    for r in i["rows"]:
        period = known[r["period"]]
        kept += [(r["series"], r["period"], *one) for one in rows.usable([(r["value"], at(r["as_of"]))], micros(period["end"]), micros(period["known"]))]
    text = rows.releases_text(kept)
    reference.check_unrevised(kept, i["rule"])
    return {"text": text, "sha256": sha256(text)}


def closes(i: Row) -> Row:
    ends = sorted(rows.read_closes(i["text"]))
    holes = [{"from": instant_text(a + HOUR), "to": instant_text(b - HOUR), "hours": (b - a) // HOUR - 1} for a, b in zip(ends, ends[1:]) if b - a > HOUR]
    return {"first": instant_text(ends[0]), "last": instant_text(ends[-1]), "count": len(ends), "gaps": holes, "sha256": sha256(i["text"])}


def digest(i: Row) -> Row:
    found = rows.history_digest([(r, rows.history_line(r)) for r in i["rows"]], i["window"], i.get("list"))
    return {"sha256": found[0], "rows": found[1]}


def score(kind: str, i: Row) -> Any:
    levels = i.get("levels") or [n for n in (i.get("level"), i.get("lower"), i.get("upper")) if n]
    quantiles = [i["quantile"]] if "quantile" in i else i.get("quantiles", [])
    if kind == "coverage":
        i, levels = i | {"lower": "a", "upper": "b", "transform": None}, ["a", "b"]
    rule = {"kind": kind} | {n: i.get(n) for n in ("transform", "level", "lower", "upper")}
    return scores.loss(rule, levels, i.get("value"), quantiles, i["outcome"], i.get("scale", 1))


def direction(i: Row) -> Row:
    error, charged, _ = scores.direction(i["value"], i["outcome"], i["base"], float(i["epsilon"]), i["transform"])
    return {"error": error, "charged": charged}


def differences(i: Row) -> list[float | None]:
    keys = zip(i["candidate"], i["comparator"], i["candidate_vintage"], i["comparator_vintage"])
    return [a - b if a is not None and b is not None and evaluate.one_vintage(x, y) else None for a, b, x, y in keys]


def hourly_baseline(i: Row) -> Row:
    prices = {n * HOUR: v for n, v in enumerate(i["closes"]) if v is not None}
    origin = (len(i["closes"]) - 1) * HOUR
    pick = (lambda o: reference.strongest_simple(prices, i["pool"], o, i["horizon"])) if "pool" in i else (lambda o: reference.any_hourly(prices, i["name"], o, i["horizon"]))
    forecast, quantiles = baselines.hourly_forecasts(prices, i["name"], i["horizon"], {origin}, pick).get(origin, (None, None))
    return {"forecast": forecast, "quantiles": quantiles}


def series_baseline(i: Row) -> Row | None:
    values, hours = i["values"], i["hours"] * HOUR
    count = i["origin"] + i["step"] + 1
    ends = [(n + 1) * hours for n in range(count)]

    def seen_at(origin: int) -> list[float | None]:
        found = values[: origin + 1]
        for r in i.get("revisions", []):
            if r["period"] <= origin and r["at"] <= (origin + 1) * i["hours"]:
                found[r["period"]] = r["value"]
        return found

    def point(base: Row, origin: int) -> tuple[float | None, list[float]]:
        seen = seen_at(origin)
        newest = max((n for n, v in enumerate(seen) if v is not None), default=None)
        if base["kind"] in ("ema", "ar1"):
            return reference.series_other(base["kind"], seen, origin + i["step"]), []
        past = baselines.Past(ends, lambda n: seen[n], newest, hours)
        return past.point(base["kind"], base.get("season"), origin + i["step"], 0.1)

    def settled(base: Row, origin: int) -> float | None:
        found = point(base, origin)[0]
        return None if found is None else baselines.settle(found, i)

    def distance(base: Row, origin: int) -> float | None:
        made, outcome = settled(base, origin), seen_at(i["origin"])[origin + i["step"]]
        both = [None if v is None else scores.transformed(i["transform"], v) for v in (made, outcome)]
        return None if None in both else abs(both[0] - both[1])  # type: ignore[operator]

    earlier = range(i["origin"] - i["step"] + 1)
    if i["baseline"]["kind"] == "strongest":
        made = {b["id"]: [distance(b, o) for o in earlier] for b in i["pool"]}
        whole = [n for n in range(len(earlier)) if all(d[n] is not None for d in made.values())]
        if len(whole) < 20:
            return None
        best = min(sorted(made), key=lambda name: math.fsum(made[name][n] for n in whole))  # type: ignore[misc]
        return {"value": settled(next(b for b in i["pool"] if b["id"] == best), i["origin"]), "quantiles": []}
    own = [d for d in (distance(i["baseline"], o) for o in earlier) if d is not None] if i["levels"] else []
    found = baselines.series_forecast(*point(i["baseline"], i["origin"]), own, i["baseline"], i["levels"], i, i["transform"])
    return None if found is None else {"value": found[0], "quantiles": found[1]}


def blocks(i: Row) -> Row:
    pairs, effective = inference.effective_blocks(i["components"], i["block_length"], i["counted"])
    return {"pairs": pairs, "effective_blocks": effective}


def holm(i: Row) -> list[Row | None]:
    found = inference.weighted_holm([(t["p"], t["weight"]) for t in i["tests"]], i["alpha"], dict(i["implies"]))
    return [None if f is None else {n: f[n] for n in ("adjusted_p", "rejected", "level")} for f in found]


def verdict(i: Row) -> float | None:
    parts = [inference.part_p(p["estimate"], p["standard_error"], p["nu"], p["limit"]) for p in i["parts"]]
    return None if None in parts else max(parts)  # type: ignore[type-var]


def group(i: Row) -> Row:
    upper = inference.cosine_bounds(i["estimate"], i["standard_error"], i["nu"], 0.2)[1]
    return {"upper": upper, "within": upper <= i["limit"] * i["comparator_loss"]}


def improvement(differences: list[Row]) -> float | None:
    return inference.least_improvement([(d["estimate"], d["comparator_mean"]) for d in differences])


def record(i: Row) -> Row:
    times = ("registered_at", "shown_at", "first_inputs", "last_due", "last_settled", "closed_at", "closing_shown_at")
    return reference.record([r | {n: at(r[n]) for n in times} for r in i["registrations"]], i["alpha"], micros(i["now"]))


def named(names: tuple[str, ...], values: Any) -> Row:
    return dict(zip(names, values))


FUNCTIONS: dict[str, Callable[[Row], Any]] = {
    "absolute-error": lambda i: score("absolute_error", i),
    "alpha-divisor": lambda i: inference.alpha_divisor(i["registered_before"]),
    "attempt-status": status,
    "bootstrap-bounds": lambda i: named(("lower", "upper"), reference.bootstrap_bounds(i["replicates"], i["level"])),
    "bootstrap-p": lambda i: reference.bootstrap_p(i["replicates"]),
    "canonical-form": lambda i: documents.canonical(struct.unpack(">d", bytes.fromhex(i["double"]))[0] if "double" in i else i["value"]),
    "checkpoint": lambda i: logs.read_checkpoint(i["note"]),
    "closes": closes,
    "commitment-time": lambda i: logs.commitment_time(i["checkpoints"], i["at_least"], i["witnessed"], i["entry"]),
    "cosignature": lambda i: logs.cosignature_times(i["note"], i["key"], i["now"]),
    "cosine-bounds": lambda i: named(("lower", "upper"), inference.cosine_bounds(i["estimate"], i["standard_error"], i["nu"], i["level"])),
    "cosine-test": lambda i: named(("estimate", "standard_error", "p"), inference.cosine_test(i["components"], i["nu"])),
    "coverage": lambda i: score("coverage", i),
    "degrees-of-freedom": lambda i: inference.degrees_of_freedom(i["effective_blocks"], i["pairs"], i["days"], i["sees_widths"]),
    "differences": differences,
    "digest-without": lambda i: documents.digest_without(i["document"], i["member"]),
    "direction-error": direction,
    "disposition": inference.disposition,
    "duration-later": lambda i: instant_text(later(micros(i["from"]), i["duration"], i["zone"])),
    "effective-blocks": blocks,
    "family-digest": lambda i: chain.family_digest(i["family"], i["weights"]),
    "gaps": lambda i: [values for values, _, _ in inference.fill(i["cells"], i["end"])],
    "group-bound": group,
    "history-digest": digest,
    "history-row": lambda i: {"line": rows.history_line(i["row"]), "leaf": rows.leaf_of(rows.history_line(i["row"]))},
    "hourly-baseline": hourly_baseline,
    "hourly-status": hourly_status,
    "hourly-measures": lambda i: reference.hourly_measures(i["origin"], i["target"], i["forecast"], i["quantiles"]),
    "instant": lambda i: {"micros": micros(i["text"]), "text": instant_text(micros(i["text"]))},
    "interval-score": lambda i: score("interval", i),
    "ledger": lambda i: [{"kind": e["kind"], "digests": e["digests"]} for e in chain.read_ledger(i["text"])],
    "log-consistency": lambda i: [h.hex() for h in reference.consistency(leaves(i), i["from"])],
    "log-consistency-holds": lambda i: reference.consistency_holds(i["from"], i["size"], hexes(i["path"]), *hexes([i["from_root"], i["root"]])),
    "log-inclusion": lambda i: [h.hex() for h in reference.inclusion(leaves(i), i["index"])],
    "log-inclusion-holds": lambda i: reference.inclusion_holds(bytes.fromhex(i["leaf"]), i["index"], i["size"], hexes(i["path"]), bytes.fromhex(i["root"])),
    "log-leaf": lambda i: logs.leaf_hash(bytes.fromhex(i["entry"])).hex(),
    "log-root": lambda i: logs.Tree(leaves(i)).root(len(i["leaves"])).hex(),
    "origins-a-day": lambda i: inference.origins_a_day(i["due_hours"]),
    "overall-mean": lambda i: inference.overall_mean(i["cells"]),
    "own-error-quantiles": lambda i: baselines.own_quantiles(i["distances"], i["window"], i["levels"]),
    "pair-line": lambda i: {"ndjson": rows.pair_line(i["pair"]), "csv": reference.pair_csv(i["pair"])},
    "period-list": period_list,
    "pinball": lambda i: score("pinball", i),
    "quantile-level": lambda i: frames.quantile_level(i["text"], i["levels"]),
    "read-json": lambda i: documents.read_json(bytes.fromhex(i["bytes"]) if "bytes" in i else i["text"]),
    "record": record,
    "registration-stamps": registration_stamps,
    "released-value": released,
    "releases": releases,
    "scale": lambda i: scores.scale_of(i["values"], i["period_steps"], i["transform"]),
    "second-reading": lambda i: "second" if inference.second_counts(*((i[n]["disposition"], improvement(i[n]["differences"])) for n in ("first", "second"))) else "first",
    "series-baseline": series_baseline,
    "share-left": lambda i: scores.share_left(i["start"], i["end"], i["due"], i["seen"], i["over"]),
    "signed-note": lambda i: logs.note_signed(i["note"], i["key"]),
    "simultaneous-level": lambda i: i["alpha"] / 2 / i["tests"],
    "stratum-level": stratum_level,
    "student-quantile": lambda i: inference.student_quantile(i["level"], i["nu"]),
    "student-tail": lambda i: inference.student_tail(number(i["t"]), i["nu"]),
    "test-name": lambda i: chain.test_name(**i),
    "transform": lambda i: scores.transformed(i["transform"], i["value"]),
    "value-seen": lambda i: rows.in_force(dated(i), micros(i["end"]), micros(i["known"]), micros(i["at"]), seen=True),
    "verdict-hypothesis": verdict,
    "waiting-worth": lambda i: scores.waiting_worth([(c["losses"], c["shares"]) for c in i["cells"]]),
    "weighted-holm": holm,
    "weighted-interval-score": lambda i: score("weighted_interval", i),
    "window-instants": window_instants,
    "witness-policy": lambda i: (lambda p: {"liars": p.liars(), "time": p.time(i["times"])})(reference.read_policy(i["policy"])),
}


def fits(found: Any, expected: Any, tolerance: Any) -> bool:
    expected = number(expected)
    if isinstance(expected, dict):
        return isinstance(found, dict) and found.keys() == expected.keys() and all(fits(found[k], expected[k], tolerance) for k in expected)
    if isinstance(expected, list):
        return isinstance(found, (list, tuple)) and len(found) == len(expected) and all(fits(f, e, tolerance) for f, e in zip(found, expected))
    if isinstance(expected, (int, float)) and not isinstance(expected, bool) and tolerance != "exact":
        if not isinstance(found, (int, float)):
            return False
        return abs(found - expected) <= tolerance.get("absolute", tolerance.get("relative", 0) * abs(expected))
    return bool(found == expected) and (found is None) == (expected is None)


@unittest.skipUnless(VECTORS.is_dir(), "no vectors: set FOREPROOF_VECTORS")
class Vectors(unittest.TestCase):
    def test_every_vector(self) -> None:
        files = sorted(VECTORS.glob("*.json"))
        self.assertEqual(sorted(f.stem for f in files), sorted(FUNCTIONS))
        for file in files:
            document = json.loads(file.read_text(encoding="utf-8"))
            for case in document["cases"]:
                with self.subTest(function=document["function"], name=case["name"]):
                    try:
                        found = FUNCTIONS[document["function"]](case["input"])
                    except ValueError as error:
                        self.assertIn("error", case, f"it was refused: {error}")
                    else:
                        self.assertNotIn("error", case, f"it was not refused: {found!r:.200}")
                        self.assertTrue(fits(found, case["expected"], case["tolerance"]), f"{found!r:.600}\n{case['expected']!r:.600}")


if __name__ == "__main__":
    unittest.main()
