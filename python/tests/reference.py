"""Functions of docs/vectors.md that `verify` does not need: they show that the documents suffice."""

from __future__ import annotations

import math
import re
from statistics import stdev
from typing import Any, Iterable

from foreproof.baselines import HOUR, hourly_point, quantile
from foreproof.documents import Refused, plain
from foreproof.inference import alpha_divisor
from foreproof.logs import Policy, Tree, node_hash, read_key
from foreproof.rows import PAIR
from foreproof.scores import interval_score, pinball, transformed

# ---- paths of the log (RFC 9162, 2.1.3 and 2.1.4) ------------------------------------------------


def root_of(leaves: list[bytes]) -> bytes:
    return Tree(leaves).root(len(leaves))


def _split(size: int) -> int:
    """The largest power of 2 below size."""
    return 1 << (size - 1).bit_length() - 1


def inclusion(leaves: list[bytes], index: int) -> list[bytes]:
    if not 0 <= index < len(leaves):
        raise Refused("an index outside")
    if len(leaves) == 1:
        return []
    at = _split(len(leaves))
    if index < at:
        return [*inclusion(leaves[:at], index), root_of(leaves[at:])]
    return [*inclusion(leaves[at:], index - at), root_of(leaves[:at])]


def consistency(leaves: list[bytes], size: int, whole: bool = True) -> list[bytes]:
    if not 0 <= size <= len(leaves):
        raise Refused("more leaves than there are")
    if size == 0:
        return []
    if size == len(leaves):
        return [] if whole else [root_of(leaves)]
    at = _split(len(leaves))
    if size <= at:
        return [*consistency(leaves[:at], size, whole), root_of(leaves[at:])]
    return [*consistency(leaves[at:], size - at, False), root_of(leaves[:at])]


def inclusion_holds(leaf: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    """RFC 9162, 2.1.3.2."""
    if not 0 <= index < size:
        return False
    fn, sn, found = index, size - 1, leaf
    for part in path:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            found = node_hash(part, found)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            found = node_hash(found, part)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and found == root


def consistency_holds(first: int, second: int, path: list[bytes], first_root: bytes, root: bytes) -> bool:
    """RFC 9162, 2.1.4.2. Nothing is consistent with everything, without a path."""
    if first > second:
        return False
    if first == second:
        return not path and first_root == root
    if first == 0:
        return not path and first_root == root_of([])
    parts = list(path) if first & (first - 1) else [first_root, *path]
    if not parts:
        return False
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    old = new = parts[0]
    for part in parts[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            old, new = node_hash(part, old), node_hash(part, new)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            new = node_hash(new, part)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and old == first_root and new == root


def read_policy(text: str) -> Policy:
    witnesses: dict[str, str] = {}
    groups: dict[str, tuple[int, list[str]]] = {}
    members: set[str] = set()
    keys: set[bytes] = set()
    quorum: str | None = None
    for line in text.split("\n"):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "log" and len(words) in (2, 3):
            read_key(words[1], 1)
        elif words[0] == "witness" and len(words) in (3, 4):
            public = read_key(words[2], 4)[2]
            if words[1] in witnesses or words[1] in groups or words[1] == "none" or public in keys:
                raise Refused(f"a name or key twice: {line}")
            keys.add(public)
            witnesses[words[1]] = words[2]
        elif words[0] == "group" and len(words) > 3:
            name, asked, own = words[1], words[2], words[3:]
            if name in witnesses or name in groups or name == "none":
                raise Refused(f"a name twice: {line}")
            if len(set(own)) != len(own) or set(own) & members or any(m not in witnesses and m not in groups for m in own):
                raise Refused(f"members of a group: {line}")
            k = {"all": len(own), "any": 1}.get(asked) or (int(asked) if re.fullmatch("[1-9][0-9]*", asked) else 0)
            if not 1 <= k <= len(own):
                raise Refused(f"a group that asks for {asked}")
            members.update(own)
            groups[name] = (k, own)
        elif words[0] == "quorum" and len(words) == 2 and quorum is None:
            quorum = words[1]
            if quorum != "none" and quorum not in witnesses and quorum not in groups:
                raise Refused(f"a quorum that is not defined: {line}")
        else:
            raise Refused(f"no line of a policy: {line}")
    if quorum is None:
        raise Refused("no quorum")
    return Policy(witnesses, groups, quorum)


Row = dict[str, Any]


def pair_csv(pair: Row) -> str:
    cells: list[str] = []
    for name in PAIR:
        for value in pair[name] if name == "quantiles" else [pair[name]]:
            text = "" if value is None else value if isinstance(value, str) else plain(value)
            cells.append('"' + text.replace('"', '""') + '"' if re.search('[",\r\n]', text) else text)
    return ",".join(cells) + "\n"


# ---- what `verify` believes (docs/pairing.md, docs/registration.md, docs/any-series.md) -----------


def beside_grid(i: Row, origin: int) -> str | None:
    """Why a row of hours has no expected key; None where it has one."""
    if i["horizon"] not in (2, 4, 8, 16):
        return "horizon_not_in_protocol"
    if origin % HOUR:
        return "origin_off_grid"
    return None if i["model"] in i["models"] else "model_not_in_plan"


def past_level(i: Row) -> str | None:
    """The level of an origin by what was seen before it."""
    of, values = i["definition"], i["closes"] if i["hourly"] else i["values"]
    while not i["hourly"] and values[-1] is None:
        values = values[:-1]
    past = values[-1 - of["lookback_hours" if i["hourly"] else "changes"] :]
    if of["by"] == "trailing_return":
        past = [past[0], past[-1]]
    if None in past:
        return None
    on = [math.log(v) for v in past] if i["hourly"] else [transformed(of["transform"], v) for v in past]
    changes = [b - a for a, b in zip(on, on[1:])]
    found = changes[0] if of["by"] == "trailing_return" else stdev(changes)
    return next((at["level"] for at in of["levels"] if found < float(at.get("below", math.inf))), None)


# ---- the bootstrap (docs/statistics.md) ----------------------------------------------------------


def bootstrap_p(replicates: list[float]) -> float:
    low, high = sum(r <= 0 for r in replicates), sum(r >= 0 for r in replicates)
    return min(1.0, 2 * min(1 + low, 1 + high) / (len(replicates) + 1))


def bootstrap_bounds(replicates: list[float], level: float) -> tuple[float, float]:
    rising = sorted(replicates)
    return quantile(rising, level / 2), -quantile(sorted(-r for r in rising), level / 2)


# ---- baselines that are taken from the pairs -----------------------------------------------------


def regression(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """Intercept and slope by least squares."""
    mx, my = (math.fsum(p[at] for p in pairs) / len(pairs) for at in (0, 1))
    sxx = math.fsum((x - mx) ** 2 for x, _ in pairs)
    slope = math.fsum((x - mx) * (y - my) for x, y in pairs) / sxx if sxx else 0.0
    return my - slope * mx, slope


def hourly_other(closes: dict[int, float], name: str, origin: int, horizon: int) -> float | None:
    """ar1 and ema_return_24h of docs/reference/scores.md."""
    count = {"ar1": 720, "ema_return_24h": 168}[name]
    prices = [closes.get(origin - at * HOUR) for at in range(count, -1, -1)]
    if None in prices:
        return None
    returns = [math.log(b / a) for a, b in zip(prices, prices[1:])]  # type: ignore[operator]
    if name == "ema_return_24h":
        weights = [(1 - 2 / 25) ** (len(returns) - 1 - at) for at in range(len(returns))]
        return prices[-1] * math.exp(horizon * math.fsum(w * r for w, r in zip(weights, returns)) / math.fsum(weights))  # type: ignore[operator]
    intercept, slope = regression(list(zip(returns, returns[1:])))
    step, total = returns[-1], 0.0
    for _ in range(horizon):
        step = intercept + slope * step
        total += step
    return prices[-1] * math.exp(total)  # type: ignore[operator]


def any_hourly(closes: dict[int, float], name: str, origin: int, horizon: int) -> float | None:
    return (hourly_other if name in ("ar1", "ema_return_24h") else hourly_point)(closes, name, origin, horizon)


def strongest_simple(closes: dict[int, float], pool: list[str], origin: int, horizon: int) -> float | None:
    """The member with the lowest mean point loss over earlier origins whose targets matured 16 h before."""
    sums, at = {name: 0.0 for name in sorted(pool)}, min(closes)
    count = 0
    while at + horizon * HOUR <= origin - 16 * HOUR:
        made = {name: any_hourly(closes, name, at, horizon) for name in pool}
        outcome = closes.get(at + horizon * HOUR)
        if outcome is not None and None not in made.values():
            count += 1
            for name, forecast in made.items():
                sums[name] += abs(math.log(forecast / outcome))  # type: ignore[operator]
        at += HOUR
    return any_hourly(closes, min(sums, key=lambda name: sums[name]), origin, horizon) if count else None


def series_other(kind: str, values: list[float | None], target: int) -> float | None:
    """ema and ar1 of docs/reference/series.md, of the values seen up to the newest."""
    while values and values[-1] is None:
        values = values[:-1]
    newest = len(values) - 1
    if kind == "ema":
        there = [(newest - at, v) for at, v in enumerate(values) if v is not None and newest - at < 100]
        if len(there) < 20:
            return None
        weights = [(1 - 2 / 11) ** age for age, _ in there]
        return math.fsum(w * v for w, (_, v) in zip(weights, there)) / math.fsum(weights)
    pairs = [(a, b) for a, b in list(zip(values, values[1:]))[-100:] if a is not None and b is not None]
    if len(pairs) < 20:
        return None
    intercept, slope = regression(pairs)
    if abs(slope) > 1:
        mx, my = (math.fsum(p[at] for p in pairs) / len(pairs) for at in (0, 1))
        slope = math.copysign(1, slope)
        intercept = my - slope * mx
    found = values[-1]
    for _ in range(target - newest):
        found = intercept + slope * found  # type: ignore[operator]
    return found


# ---- the record (docs/vectors.md) ----------------------------------------------------------------

THIRTY_DAYS = 30 * 24 * HOUR


def record_end(r: Row, now: int) -> str:
    if r["result"]:
        return "scored" if r["result"] == "here" else "result_withheld"
    if r["readings"]:
        return "broken_off"
    if r["closed_at"] is not None:
        return "cancelled" if r["closing_shown_at"] is not None and r["closing_shown_at"] < r["first_inputs"] else "closed"
    if not r["file"]:
        return "file_missing"
    if now > max(r["last_settled"], r["registered_at"]) + THIRTY_DAYS:
        return "overdue"
    return "awaiting_outcomes" if now >= r["last_due"] else "running" if now >= r["first_inputs"] else "announced"


def record(registrations: list[Row], alpha: float, now: int) -> Row:
    ends, tables, chance = [], [], {"evaluations": 0, "eligible": 0, "waiting_given_away": 0, "expected_at_most": 0.0}
    for at, r in enumerate(registrations):
        end = record_end(r, now)
        shown = r["shown_at"] is not None and r["shown_at"] < r["first_inputs"] and (r["commitment"] in ("stamped", "witnessed") or not r["file"])
        table = "backtests" if r["mode"] == "backtest" else "shown_by_others" if shown else "own_word"
        if table == "shown_by_others" and end != "cancelled" and (
                end in ("scored", "result_withheld", "broken_off", "closed") or now >= r["last_settled"]):
            before = sum(1 for other, e in zip(registrations[:at], ends) if e != "cancelled" and set(other["candidates"]) & set(r["candidates"])
                         and other["first_inputs"] <= r["last_due"] and r["first_inputs"] <= other["last_due"])
            chance["evaluations"] += 1
            chance["eligible"] += end == "scored" and r["eligible"]
            chance["expected_at_most"] += alpha / (2 * alpha_divisor(before))
        ends.append(end)
        tables.append(table)
    return {"ends": ends, "tables": tables, "chance": chance}


# ---- hourly measures, and values that may not be revised ----------------------------------------


def hourly_measures(origin: float | None, target: float, forecast: float, quantiles: list[float | None] | None) -> Row:
    """Every measure of hourly BTC/USD (docs/reference/scores.md)."""
    base = target if origin is None else origin
    f, r = math.log(forecast / base), math.log(target / base)
    called = origin is not None and abs(f) > 1e-6 and abs(r) > 1e-6
    found: Row = {
        "point_loss": abs(f - r), "absolute_percent_error": 100 * abs(forecast - target) / target, "log_return_bias": f - r,
        "percent_bias": 100 * (forecast - target) / target, "direction_error": float((f > 0) != (r > 0)) if called else None}
    bounds = quantiles if quantiles and None not in quantiles else None
    q = [math.log(x / base) for x in bounds] if bounds else None  # type: ignore[operator]
    found["interval_score"] = interval_score(q[0], q[2], 0.2, r) if q else None
    for at, level in enumerate((0.1, 0.5, 0.9)):
        found[f"pinball_{level}"] = pinball(level, q[at], r) if q else None
    found["coverage"] = float(q[0] <= r <= q[2]) if q else None
    found["width"] = q[2] - q[0] if q else None
    found["width_percent"] = 100 * (math.exp(q[2]) - math.exp(q[0])) if q and origin is not None else None
    return found


def check_unrevised(rows: Iterable[tuple[str, str, float | None, int | None]], rule: str) -> None:
    values: dict[tuple[str, str], float] = {}
    for series, period, value, _ in rows if rule == "unrevised" else []:
        if value is not None and values.setdefault((series, period), value) != value:
            raise Refused(f"two values of {series} {period} where none is revised")
