"""Transforms, scores, scales, baselines and what waiting is worth, from their definitions, with numpy."""

import math

import numpy as np

from common import EXACT, NEAR, case, write

IDENTITY, LOG, ROOT = {"kind": "identity"}, {"kind": "log"}, {"kind": "sqrt"}
SHIFT = {"kind": "log_shift", "offset": "2.5"}


def to(transform, value):
    """None where it is not defined."""
    if transform["kind"] == "identity":
        return value
    if transform["kind"] == "sqrt":
        return math.sqrt(value) if value >= 0 else None
    inner = value + float(transform.get("offset", "0"))
    return math.log(inner) if inner > 0 else None


def back(transform, value):
    if transform["kind"] == "identity":
        return value
    if transform["kind"] == "sqrt":
        return max(value, 0.0) ** 2
    return math.exp(value) - float(transform.get("offset", "0"))


TRANSFORMED = [
    (IDENTITY, -3.5), (LOG, math.e), (LOG, 1), (LOG, 1e-300), (LOG, 0), (LOG, -1), (SHIFT, 0), (SHIFT, -2.4), (SHIFT, -2.5), (ROOT, 2), (ROOT, 0), (ROOT, -0.5),
    ({"kind": "log_shift", "offset": "1"}, 41),
]
write(
    "transform",
    "Python's math",
    [
        case(f"{transform['kind']} {transform.get('offset', '')} of {value}".replace("  ", " "), {"transform": transform, "value": value}, to(transform, value), NEAR,
             against="the offset is left out" if transform == SHIFT and value == 0 else None)
        for transform, value in TRANSFORMED
    ],
)


def pinball(q, quantile, y):
    return q * (y - quantile) if y >= quantile else (1 - q) * (quantile - y)


def scaled(loss, given):
    return loss / given["scale"]


def absolute(given):
    return scaled(abs(to(given["transform"], given["value"]) - to(given["transform"], given["outcome"])), given)


ABSOLUTE = [
    ("by hand", {"value": 3, "outcome": 5.5, "transform": IDENTITY, "scale": 1}, None),
    ("scaled", {"value": 3, "outcome": 5.5, "transform": IDENTITY, "scale": 4}, "it is multiplied by the scale"),
    ("on the log", {"value": 10, "outcome": 1000, "transform": LOG, "scale": 1}, "the error is transformed"),
    ("on a shifted log", {"value": 0, "outcome": 7.5, "transform": SHIFT, "scale": 0.5}, None),
    ("on the root", {"value": 9, "outcome": 16, "transform": ROOT, "scale": 2}, None),
    ("no error", {"value": 2.5, "outcome": 2.5, "transform": LOG, "scale": 3}, None),
]
write("absolute-error", "by its definition", [case(name, given, absolute(given), NEAR, against=why) for name, given, why in ABSOLUTE])


def pinned(level, quantile, outcome, transform=IDENTITY, scale=1):
    given = {"level": level, "quantile": quantile, "outcome": outcome, "transform": transform, "scale": scale}
    return given, scaled(pinball(float(level), to(transform, quantile), to(transform, outcome)), given)


PINBALL = [
    ("Hyndman and Athanasopoulos, 5.9: half of 4.86", pinned("0.1", 744.54, 741.84), "it is doubled"),
    ("sktime, 3 and 2.5", pinned("0.5", 2.5, 3), None),
    ("sktime, 7 and 8", pinned("0.5", 8, 7), None),
    ("below at 0.9", pinned("0.9", 3, 1), "it is reversed"),
    ("above at 0.9", pinned("0.9", 1, 3), None),
    ("on the quantile", pinned("0.975", 5, 5), None),
    ("on the log, scaled", pinned("0.25", 10, 20, LOG, 0.3), None),
    ("a fine level", pinned("0.025", 10, 4, ROOT, 2), None),
]
assert round(PINBALL[0][1][1], 2) == 2.43
write("pinball", "Hyndman and Athanasopoulos, Forecasting: principles and practice, 5.9; sktime's documentation; its definition", [case(name, given, found, {"relative": 1e-12}, against=why) for name, (given, found), why in PINBALL])


def interval(lower, upper, low, high, y, transform=IDENTITY, scale=1):
    given = {"lower": lower, "upper": upper, "quantiles": [low, high], "outcome": y, "transform": transform, "scale": scale}
    l, u, x = (to(transform, value) for value in (low, high, y))
    return given, scaled((u - l) + max(0, l - x) / float(lower) + max(0, x - u) / float(lower), given)


INTERVALS = [
    ("Hyndman and Athanasopoulos, 5.9: 55.68", interval("0.1", "0.9", 744.54, 773.22, 741.84), "the penalty is 1 / alpha"),
    ("scores of the NCI: inside", interval("0.1", "0.9", 10, 20, 12), None),
    ("scores of the NCI: below", interval("0.1", "0.9", 15, 25, 14), None),
    ("scores of the NCI: above", interval("0.1", "0.9", 21, 30, 32), None),
    ("on a bound", interval("0.1", "0.9", 10, 20, 20), None),
    ("half", interval("0.25", "0.75", 10, 20, 22), "the penalty is that of 80 %"),
    ("on the log, scaled", interval("0.025", "0.975", 10, 20, 40, LOG, 0.7), None),
]
assert [round(found, 2) for _, (_, found), _ in INTERVALS[:5]] == [55.68, 10, 20, 29, 10]
write("interval-score", "Hyndman and Athanasopoulos, 5.9; tests of the package scores (github.com/nci/scores); its definition", [case(name, given, found, NEAR, against=why) for name, (given, found), why in INTERVALS])


def weighted(levels, quantiles, y, transform=IDENTITY, scale=1):
    """By its parts, as in Bracher et al. (2021): the median's error, and per interval spread, over- and underprediction."""
    given = {"levels": levels, "quantiles": quantiles, "outcome": y, "transform": transform, "scale": scale}
    own, x = [to(transform, value) for value in quantiles], to(transform, y)
    spread = under = over = 0.0
    count, half = len(levels), len(levels) // 2
    for at in range(half):
        l, u, alpha = own[at], own[count - 1 - at], 2 * float(levels[at])
        spread += alpha / 2 * (u - l)
        over += max(0, l - x)
        under += max(0, x - u)
    if count % 2:
        over += 0.5 * max(0, own[half] - x)
        under += 0.5 * max(0, x - own[half])
    return given, scaled((spread + over + under) / (count / 2), given), [2 * part / count for part in (spread, over, under)]


L3, L5, L23 = ["0.1", "0.5", "0.9"], ["0.025", "0.25", "0.5", "0.75", "0.975"], ["0.01", "0.025"] + [f"{n / 100:g}" for n in range(5, 100, 5)] + ["0.975", "0.99"]
WEIGHTED = [
    ("inside", weighted(L3, [10, 15, 20], 12), None),
    ("below all: overprediction", weighted(L3, [10, 15, 20], 5), "intervals and median weigh alike"),
    ("above all: underprediction", weighted(L3, [10, 15, 20], 30), "the median counts twice"),
    ("on the median: spread alone", weighted(L5, [1, 4, 5, 6, 9], 5), None),
    ("without a median", weighted(["0.1", "0.9"], [10, 20], 25), None),
    ("the median alone", weighted(["0.5"], [10], 13), None),
    ("23 levels of a hub, on a shifted log", weighted(L23, [100 + 8 * n for n in range(23)], 310, {"kind": "log_shift", "offset": "1"}), None),
    ("scaled, on the root", weighted(L5, [1, 4, 9, 16, 25], 36, ROOT, 4), None),
]
write("weighted-interval-score", "its parts (spread, over- and underprediction) as in Bracher, Ray, Gneiting and Reich (2021)", [case(name, given, found, NEAR, against=why) for name, (given, found, _), why in WEIGHTED])

COVERED = [("inside", 10, 20, 12, 1, None), ("on the lower bound", 10, 20, 10, 1, "an outcome on a bound is outside"), ("on the upper bound", 10, 20, 20, 1, None), ("below", 10, 20, 9.999, 0, None), ("above", 10, 20, 20.001, 0, None), ("no width", 5, 5, 5, 1, None)]
write("coverage", "by hand", [case(name, {"quantiles": [low, high], "outcome": y}, found, against=why) for name, low, high, y, found, why in COVERED])


def direction(value, outcome, base, epsilon="0.000001", transform=IDENTITY):
    given = {"value": value, "outcome": outcome, "base": base, "epsilon": epsilon, "transform": transform}
    if base is None:
        return given, {"error": None, "charged": None}
    e = float(epsilon)
    said, went = (to(transform, x) - to(transform, base) for x in (value, outcome))
    if abs(went) <= e:
        return given, {"error": None, "charged": None}
    if abs(said) <= e:
        return given, {"error": None, "charged": 0.5}
    found = int((said > 0) != (went > 0))
    return given, {"error": found, "charged": found}


DIRECTIONS = [
    ("right, up", direction(12, 11, 10), None),
    ("right, down", direction(8, 9, 10), None),
    ("wrong", direction(9, 11, 10), None),
    ("calls none though it moved", direction(10, 11, 10), "calling none costs nothing"),
    ("it has not moved", direction(11, 10, 10), None),
    ("neither", direction(10, 10, 10), None),
    ("on the edge of the band", direction(10.5, 12, 10, "0.5"), "the edge has a direction"),
    ("the outcome on the edge", direction(12, 9.5, 10, "0.5"), None),
    ("beyond it", direction(10.6, 9.4, 10, "0.5"), None),
    ("on the log", direction(150, 50, 100, "0.5", LOG), None),
    ("persistence sees nothing", direction(12, 11, None), None),
]
write("direction-error", "docs/reference/series.md, by hand", [case(name, given, found, EXACT, against=why) for name, (given, found), why in DIRECTIONS])


def hourly(p0, p1, forecast, quantiles):
    base = p1 if p0 is None else p0
    r, said = math.log(p1 / base), math.log(forecast / base)
    found = {
        "point_loss": abs(said - r), "absolute_percent_error": 100 * abs(forecast - p1) / p1, "log_return_bias": said - r,
        "percent_bias": 100 * (forecast - p1) / p1,
        "direction_error": None if p0 is None or min(abs(r), abs(said)) <= 1e-6 else int((r > 0) != (said > 0)),
    }
    names = ["interval_score", "pinball_0.1", "pinball_0.5", "pinball_0.9", "coverage", "width", "width_percent"]
    if quantiles is None:
        return {**found, **dict.fromkeys(names)}
    l, m, u = (math.log(q / base) for q in quantiles)
    score = (u - l) + 10 * max(0, l - r) + 10 * max(0, r - u)
    width = None if p0 is None else 100 * (quantiles[2] - quantiles[0]) / p0
    own = [score, pinball(0.1, l, r), pinball(0.5, m, r), pinball(0.9, u, r), int(l <= r <= u), u - l, width]
    return {**found, **dict(zip(names, own))}


HOURLY = [
    ("inside, up", (64000, 64500, 64200, [63000, 64200, 65000]), None),
    ("outside, down", (64000, 62000, 64200, [63000, 64200, 65000]), "percents are of the forecast"),
    ("no change said", (64000, 64500, 64000, None), None),
    ("no close at the origin", (None, 64500, 64200, [63000, 64200, 65000]), None),
    ("above", (64000, 66000, 65000, [64000, 65000, 65500]), None),
]
write(
    "hourly-measures",
    "docs/reference/scores.md; Python's math",
    [
        case(name, {"origin": given[0], "target": given[1], "forecast": given[2], "quantiles": given[3]}, hourly(*given), {"absolute": 1e-12}, against=why)
        for name, given, why in HOURLY
    ],
)


# ------------------------------------------------------------------ means and differences
def overall(cells):
    """The unweighted mean of the cells' means, None while one has none."""
    own = [[value for value in cell if value is not None] for cell in cells]
    return math.fsum(math.fsum(cell) / len(cell) for cell in own) / len(own) if all(own) else None


MEANS = [
    ("one cell", [[1, None, 2]], "what is missing is 0"),
    ("cells of unequal length", [[1], [4, 5, 6]], "keys weigh alike"),
    ("a cell without a value", [[1, 2], [None, None]], "a cell without a value drops out"),
    ("sums that cancel", [[1e16, 1, -1e16]], "rounding is lost"),
    ("many tenths", [[0.1] * 10], None),
]
write("overall-mean", "docs/reference/scores.md; Python's math.fsum", [case(name, {"cells": cells}, overall(cells), {"relative": 1e-12}, against=why) for name, cells, why in MEANS])
A, B = "a" * 64, "b" * 64


def differences(candidate, comparator, ours, theirs):
    return [x - y if None not in (x, y) and (None in (a, b) or a == b) else None for x, y, a, b in zip(candidate, comparator, ours, theirs)]


DIFFERENCES = [
    ("keys that both have", [1, None, 3, None], [2, 2, None, None], [None] * 4, [None] * 4, "a missing loss is 0"),
    ("on one vintage", [1, 2], [3, 5], [A, A], [A, A], None),
    ("on two vintages", [1, 2], [3, 5], [A, A], [A, B], "vintages do not matter"),
    ("one does not say its vintage", [1, 2], [3, 5], [A, None], [None, B], "a vintage that is not said is another one"),
]
write(
    "differences",
    "docs/pairing.md, by hand",
    [
        case(name, {"candidate": x, "comparator": y, "candidate_vintage": a, "comparator_vintage": b}, differences(x, y, a, b), against=why)
        for name, x, y, a, b, why in DIFFERENCES
    ],
)

# ------------------------------------------------------------------ scales
RANDOM = np.random.default_rng(20261130)
WALK = [round(float(x), 3) for x in 100 + np.cumsum(RANDOM.normal(0, 2, 60))]
GAPPY = [None if at % 9 == 4 else value for at, value in enumerate(WALK)]
STILL = [5.0] * 40 + [5.0 + n for n in range(19)]


def scale(values, steps, transform):
    apart = [abs(to(transform, b) - to(transform, a)) for a, b in zip(values, values[steps:]) if a is not None and b is not None]
    return None if sum(d > 0 for d in apart) < 20 else math.fsum(apart) / len(apart)


SCALES = [
    ("one step", WALK, 1, IDENTITY, None), ("a season of seven, with gaps", GAPPY, 7, IDENTITY, "gaps close up"),
    ("on the log", WALK, 2, LOG, None), ("19 differences that are not 0", STILL, 1, IDENTITY, None), ("20 of them", STILL + [30.0], 1, IDENTITY, "differences of 0 are left out"),
    ("too short", WALK[:10], 1, IDENTITY, None),
]
write(
    "scale",
    "the mean absolute difference, with numpy's random numbers",
    [
        case(name, {"values": values, "period_steps": steps, "transform": transform}, scale(values, steps, transform), NEAR, error=scale(values, steps, transform) is None, against=why)
        for name, values, steps, transform, why in SCALES
    ],
)

# ------------------------------------------------------------------ quantiles of own errors
DISTANCES = [round(abs(float(x)), 4) for x in RANDOM.normal(0, 3, 30)]


def own_errors(distances, window, levels):
    newest = distances[-window:]
    both = np.array([*newest, *(-d for d in newest)])
    return [float(np.quantile(both, float(level), method="linear")) for level in levels]


ERRORS = [
    ("thirty", DISTANCES, 100, ["0.025", "0.1", "0.25", "0.5", "0.75", "0.9", "0.975"], "errors have one sign"),
    ("the newest twenty", DISTANCES, 20, ["0.1", "0.5", "0.9"], "the oldest errors are kept"),
    ("two", [1, 3], 50, ["0.1", "0.25", "0.5", "0.75", "0.9"], None),
    ("one", [2], 50, ["0.25", "0.75"], None),
    ("zeros among them", [0, 0, 1, 5], 50, ["0.3", "0.5", "0.7", "0.99"], None),
]
write("own-error-quantiles", "numpy.quantile of the distances with both signs", [case(name, {"distances": d, "window": w, "levels": levels}, own_errors(d, w, levels), {"absolute": 1e-12}, against=why) for name, d, w, levels, why in ERRORS])

# ------------------------------------------------------------------ baselines of hourly BTC/USD
CLOSES = [round(float(x), 2) for x in 64000 * np.exp(np.cumsum(RANDOM.normal(0, 0.005, 760)))]


def returns(closes):
    return [math.log(b / a) if a and b else None for a, b in zip(closes, closes[1:])]


def simple(name, closes, at, h):
    """The forecast at an hour; None where a close is missing."""
    here = closes[at]
    if here is None:
        return None
    if name == "persistence":
        return here
    if name == "seasonal_naive_24h":
        day = at + h - 24
        return closes[day] if day >= 0 else None
    if name in ("drift_24h", "drift_7d"):
        w = 24 if name == "drift_24h" else 168
        before = closes[at - w] if at >= w else None
        return here * math.exp(h * math.log(here / before) / w) if before else None
    count = 720 if name == "ar1" else 168
    own = returns(closes[at - count : at + 1]) if at >= count else [None]
    if None in own:
        return None
    if name == "ar1":
        slope, intercept = np.polyfit(own[:-1], own[1:], 1)
        step, total = own[-1], 0.0
        for _ in range(h):
            step = intercept + slope * step
            total += step
        return here * math.exp(total)
    weights = (1 - 2 / 25) ** np.arange(168)
    return here * math.exp(h * float(np.average(own[::-1], weights=weights)))


def strongest(pool, closes, at, h):
    sums, count = dict.fromkeys(sorted(pool), 0.0), 0
    for origin in range(at - 16 - h + 1):
        said = {name: simple(name, closes, origin, h) for name in pool}
        if None in (*said.values(), closes[origin], closes[origin + h]):
            continue
        count += 1
        for name, price in said.items():
            sums[name] += abs(math.log(price / closes[origin + h]))
    if count == 0:
        return None
    return simple(min(sums, key=sums.get), closes, at, h)


def quantiles(name, closes, h):
    """Of the errors of the last 720 forecasts whose targets are there."""
    errors = []
    for origin in range(len(closes) - h):
        said, came = simple(name, closes, origin, h), closes[origin + h]
        if said is not None and came is not None:
            errors.append(math.log(came / said))
    made = simple(name, closes, len(closes) - 1, h)
    if made is None or len(errors) < 168:
        return None
    return [made * math.exp(float(np.quantile(errors[-720:], q))) for q in (0.1, 0.5, 0.9)]


def hourly_case(label, name, closes, h, pool=None, why=None):
    made = strongest(pool, closes, len(closes) - 1, h) if pool else simple(name, closes, len(closes) - 1, h)
    own = None if pool else quantiles(name, closes, h)
    given = {"closes": closes, "name": name, "horizon": h} | ({"pool": pool} if pool else {})
    return case(label, given, {"forecast": made, "quantiles": own}, NEAR, against=why)


def holed(closes, *at):
    return [None if n - len(closes) in at else value for n, value in enumerate(closes)]


POOL = ["drift_24h", "persistence", "seasonal_naive_24h"]
write(
    "hourly-baseline",
    "docs/reference/scores.md; numpy.polyfit, numpy.average, numpy.quantile",
    [
        hourly_case("persistence", "persistence", CLOSES[:3], 4),
        hourly_case("persistence with quantiles", "persistence", CLOSES[:180], 8),
        hourly_case("persistence, an error too few for quantiles", "persistence", CLOSES[:171], 4),
        hourly_case("seasonal naive", "seasonal_naive_24h", CLOSES[:30], 16, why="a day before the origin is taken"),
        hourly_case("seasonal naive, the close is missing", "seasonal_naive_24h", holed(CLOSES[:30], -9), 16),
        hourly_case("drift over a day", "drift_24h", CLOSES[:26], 2),
        hourly_case("drift over a week, with a hole within", "drift_7d", holed(CLOSES[:170], -50), 8),
        hourly_case("drift without its first close", "drift_24h", holed(CLOSES[:26], -25), 2),
        hourly_case("autoregression", "ar1", CLOSES[:721], 4),
        hourly_case("autoregression, a close too few", "ar1", CLOSES[:720], 4),
        hourly_case("mean of returns", "ema_return_24h", CLOSES[:169], 16, why=None),
        hourly_case("mean of returns with a hole", "ema_return_24h", holed(CLOSES[:175], -40), 16),
        hourly_case("the strongest of three", "strongest_simple", CLOSES[100:190], 4, POOL),
        hourly_case("the strongest, before anything has matured", "strongest_simple", CLOSES[:42], 4, POOL),
    ],
)

# ------------------------------------------------------------------ baselines of any series
HOUR = 1
SEASONS = {"day": 24, "week": 168, "year": 365.25 * 24}


def nearest(given, target):
    """For each season back the period that ends nearest, the later of two; only near ones. Ends in hours."""
    hours, season = given["hours"], SEASONS[given["baseline"]["season"]]
    ends = [(at + 1) * hours for at in range(target + 1)]
    most = 168 if given["baseline"]["season"] == "year" else min(hours, season) / 2
    for k in range(1, int(ends[target] / season) + 2):
        wanted = ends[target] - k * season
        away = [abs(end - wanted) for end in ends]
        if min(away) <= most:
            yield max(at for at in range(len(ends)) if away[at] == min(away))


def point(given, baseline, values, origin, step):
    """Values up to the origin are seen."""
    seen = values[: origin + 1]
    there = [at for at, value in enumerate(seen) if value is not None]
    kind, target = baseline["kind"], origin + step
    if not there:
        return None
    last = there[-1]
    if kind == "persistence":
        return seen[last]
    if kind == "drift":
        k = next((k for k in range(50, 19, -1) if last - k in there), None)
        return None if k is None else seen[last] + (target - last) * (seen[last] - seen[last - k]) / k
    if kind == "seasonal_naive":
        return next((seen[at] for at in nearest(given, target) if at <= origin and seen[at] is not None), None)
    newest = seen[max(0, last - 99) : last + 1]
    if kind == "ema":
        pairs = [((9 / 11) ** age, value) for age, value in enumerate(reversed(newest)) if value is not None]
        return None if len(pairs) < 20 else math.fsum(w * v for w, v in pairs) / math.fsum(w for w, _ in pairs)
    if kind == "ar1":
        own = seen[max(0, last - 100) : last + 1]
        pairs = [(a, b) for a, b in zip(own, own[1:]) if a is not None and b is not None]
        if len(pairs) < 20:
            return None
        x, y = np.array(pairs).T
        slope = float(np.clip(np.cov(x, y, bias=True)[0, 1] / np.var(x), -1, 1))
        value = seen[last]
        for _ in range(target - last):
            value = y.mean() + slope * (value - x.mean())
        return float(value)
    raise ValueError(kind)


def sample(given, values, origin, step):
    seen = values[: origin + 1]
    if given["baseline"]["kind"] == "climatology":
        own = [value for value in seen if value is not None][-100:]
        return own if len(own) >= 20 else None
    hours, season, target = given["hours"], SEASONS[given["baseline"]["season"]], origin + step
    if given["baseline"]["season"] == "year":
        wide, end = max(168, hours), (target + 1) * hours
        near = [at for at in range(origin + 1) if any(abs((at + 1) * hours - (end - k * season)) <= wide for k in range(1, 30))]
    else:
        near = [at for at in sorted(nearest(given, target)) if at <= origin]
    own = [seen[at] for at in near if seen[at] is not None][-100:]
    return own if len(own) >= 5 else None


def allowed(given, value):
    if given["minimum"] is not None:
        value = max(value, float(given["minimum"]))
    return math.floor(value + 0.5) if given["integer"] else value


def seen_at(given, origin):
    """The values of all periods up to an origin that are in force when it ends, where its forecasts are due."""
    found = given["values"][: origin + 1]
    for change in given.get("revisions", []):
        if change["at"] <= (origin + 1) * given["hours"] and change["period"] <= origin:
            found[change["period"]] = change["value"]
    return found


def forecast(given):
    origin, step, levels = given["origin"], given["step"], given["levels"]
    values = seen_at(given, origin)
    on = given["transform"]
    if "climatology" in given["baseline"]["kind"]:
        own = sample(given, values, origin, step)
        if own is None:
            return None
        at = lambda q: allowed(given, float(np.quantile(own, q)))
        return {"value": at(0.5), "quantiles": [at(float(level)) for level in levels]}
    # Each forecast is of what was seen when it was due; each error is of what is seen now.
    made = lambda o: point(given, given["baseline"], seen_at(given, o), o, step)
    if given["baseline"]["kind"] == "strongest":
        made = lambda o: choice(given, values, o, step)
    value = made(origin)
    if value is None:
        return None
    value = allowed(given, value)
    if not levels:
        return {"value": value, "quantiles": []}
    errors = []
    for earlier in range(max(0, -step), origin):
        if earlier + step > origin or values[earlier + step] is None or made(earlier) is None:
            continue
        errors.append(abs(to(on, values[earlier + step]) - to(on, allowed(given, made(earlier)))))
    by = given["baseline"]["errors"]
    if len(errors) < by["minimum"]:
        return None
    shifts = own_errors(errors, by["window"], levels)
    found = []
    for level, shift in zip(levels, shifts):
        moved = allowed(given, back(on, to(on, value) + shift))
        found.append(value if level == "0.5" else max(value, moved) if float(level) > 0.5 else min(value, moved))
    return {"value": value, "quantiles": found}


def choice(given, values, origin, step):
    """The member with the smallest sum of errors over forecasts that all made, of targets that are seen."""
    pool = sorted(given["pool"], key=lambda each: each["id"])
    sums, count = [0.0] * len(pool), 0
    for earlier in range(origin):
        if earlier + step > origin or values[earlier + step] is None:
            continue
        said = [point(given, each, values, earlier, step) for each in pool]
        if None in said:
            continue
        count += 1
        sums = [total + abs(to(given["transform"], value) - to(given["transform"], values[earlier + step])) for total, value in zip(sums, said)]
    return point(given, pool[sums.index(min(sums))], values, origin, step) if count >= 20 else None


LEVEL = [round(float(50 + 12 * math.sin(2 * math.pi * n / 7) + x), 2) for n, x in enumerate(RANDOM.normal(0, 3, 130))]
HOLES = [None if n % 11 in (3, 7) else value for n, value in enumerate(LEVEL)]
COUNTS = [max(0, int(round(float(x)))) for x in RANDOM.normal(2, 2, 80)]
YEARS = [round(float(10 + 8 * math.sin(2 * math.pi * n / 52.18) + x), 2) for n, x in enumerate(RANDOM.normal(0, 1, 170))]
BY = {"window": 60, "minimum": 20}
THREE = ["0.1", "0.5", "0.9"]


# Values in force from an instant on, in hours since 1970; null takes one back.
REVISED = [{"period": n, "value": round(LEVEL[n] + 20, 2), "at": (n + 5) * 24} for n in range(30, 50)]
WITHDRAWN = [{"period": n, "value": None, "at": (n + 3) * 24} for n in range(25, 45, 2)]


def revised_case(name, kind, values, step, revisions, why=None):
    given = series_case(name, kind, values, step, THREE)["input"] | {"revisions": revisions}
    return case(name, given, forecast(given), NEAR, against=why)


def series_case(name, kind, values, step, levels=(), why=None, hours=24, minimum=None, integer=False, transform=IDENTITY, season=None, pool=None):
    baseline = {"kind": kind} | ({"season": season} if season else {})
    if levels and "climatology" not in kind:
        baseline["errors"] = BY
    given = {"hours": hours, "values": values, "origin": len(values) - 1, "step": step, "baseline": baseline, "levels": list(levels), "minimum": minimum, "integer": integer, "transform": transform}
    if pool:
        given["pool"] = pool
    return case(name, given, forecast(given), NEAR, against=why)


write(
    "series-baseline",
    "docs/reference/series.md; numpy",
    [
        series_case("persistence", "persistence", LEVEL[:3], 2),
        series_case("persistence after a gap", "persistence", [*LEVEL[:5], None, None], 1, why="a missing value is 0"),
        series_case("persistence with quantiles", "persistence", HOLES[:70], 2, THREE),
        series_case("persistence on a log", "persistence", LEVEL[:60], 1, ["0.025", "0.975"], transform=SHIFT, why="an error is added to the plain point"),
        series_case("too few own errors", "persistence", LEVEL[:20], 1, THREE),
        series_case("counts", "persistence", COUNTS, 1, THREE, minimum="0", integer=True, transform=ROOT),
        series_case("counts on a log", "persistence", COUNTS[:75], 1, ["0.2", "0.8"], minimum="0", integer=True, transform=SHIFT, why="quantiles are not rounded"),
        revised_case("own errors of revised values", "persistence", LEVEL[:60], 1, REVISED, why="an error stays as it was first"),
        revised_case("past forecasts of values that were revised later", "persistence", LEVEL[:60], 2, REVISED, why="past forecasts are made again"),
        revised_case("a value that was withdrawn", "persistence", LEVEL[:60], 1, WITHDRAWN, why="a withdrawn value leaves its error"),
        revised_case("a revision that is not yet seen", "persistence", LEVEL[:60], 1, [{"period": 40, "value": 99.5, "at": 60 * 24 + 1}]),
        revised_case("drift over revised values", "drift", LEVEL[:90], 1, REVISED),
        series_case("drift over 50", "drift", LEVEL[:60], 3, why="the slope is that of the last step"),
        series_case("drift where the 50th is missing", "drift", HOLES[:61], 3),
        series_case("drift of a short past", "drift", LEVEL[:20], 1),
        series_case("climatology", "climatology", LEVEL, 5, THREE),
        series_case("climatology of counts", "climatology", COUNTS, 1, ["0.25", "0.75"], minimum="0", integer=True),
        series_case("halves are rounded up", "climatology", [2] * 10 + [3] * 10, 1, ["0.25", "0.75"], minimum="0", integer=True, why="halves are rounded to even"),
        series_case("climatology of nineteen", "climatology", LEVEL[:19], 1, THREE),
        series_case("a week back", "seasonal_naive", LEVEL[:40], 3, season="week", why="a season is counted from the origin"),
        series_case("two weeks back, for one is missing", "seasonal_naive", [None if n == 35 else v for n, v in enumerate(LEVEL[:40])], 3, season="week"),
        series_case("a season shorter than a week", "seasonal_naive", LEVEL[:5], 1, season="week"),
        series_case("hours of a day", "seasonal_naive", LEVEL[:60], 2, hours=1, season="day"),
        series_case("weeks of a year", "seasonal_naive", YEARS, 2, hours=168, season="year"),
        series_case("climatology of a week", "seasonal_climatology", HOLES[:90], 2, THREE, season="week"),
        series_case("climatology of a week, four values", "seasonal_climatology", LEVEL[:28], 1, THREE, season="week"),
        series_case("climatology of a year", "seasonal_climatology", YEARS, 3, ["0.25", "0.75"], hours=168, season="year"),
        series_case("exponentially weighted", "ema", HOLES[:50], 1, why="weights go by the place among values"),
        series_case("exponentially weighted of more than a hundred", "ema", LEVEL[:125], 1),
        series_case("autoregression", "ar1", LEVEL[:90], 2),
        series_case("autoregression with gaps", "ar1", HOLES, 4),
        series_case("autoregression, its slope held at 1", "ar1", [float(2 ** (n / 4)) for n in range(40)], 1),
        series_case("the strongest of two", "strongest", LEVEL[:60], 1, pool=[{"id": "last", "kind": "persistence"}, {"id": "back", "kind": "ar1"}]),
    ],
)

# ------------------------------------------------------------------ what waiting is worth
def left(start, end, due, seen, over):
    if due >= end if over == "end" else due > start:
        return 0
    if seen is None:
        return 1
    return 0 if seen >= end else min(1, (end - due) / (end - seen))


LEFT = [
    ("one of two hours is gone", (10, 12, 11, 10, "end"), 0.5, "the root of the share is charged"),
    ("two minutes of two hours", (10, 12, 10.125, 10, "end"), 0.9375, None),
    ("nothing seen", (10, 12, 11, None, "end"), 1, None),
    ("a value from long before", (10, 12, 10, 4, "end"), 0.25, None),
    ("due before the newest value", (10, 12, 9, 10, "end"), 1, "the share may be above 1"),
    ("the target is over", (10, 12, 12, 10, "end"), 0, None),
    ("a total that has begun", (10, 12, 10.5, 10, "period"), 0, "a total that has begun is charged in part"),
    ("a total due at its start", (10, 12, 10, 9, "period"), 2 / 3, None),
    ("its own value is seen", (10, 12, 11, 12, "end"), 0, None),
    ("a later value is seen", (10, 12, 11, 13, "end"), 0, None),
]
assert all(abs(left(*given) - found) < 1e-15 for _, given, found, _ in LEFT)
write(
    "share-left",
    "docs/statistics.md, by hand",
    [case(name, dict(zip(("start", "end", "due", "seen", "over"), given)), found, NEAR, against=why) for name, given, found, why in LEFT],
)


def worth(cells):
    pairs = [[(loss, share) for loss, share in zip(cell["losses"], cell["shares"]) if loss is not None] for cell in cells]
    pairs = [own for own in pairs if own]
    whole = [sum(loss for loss, _ in own) / len(own) for own in pairs]
    rest = [sum(loss * share for loss, share in own) / len(own) for own in pairs]
    return 1 - (sum(rest) / len(rest)) / (sum(whole) / len(whole)) if sum(whole) > 0 else 0.0


WORTH = [
    ("a cell", [{"losses": [1, 3, 2], "shares": [0.5, 1, 1]}], "losses do not weigh the shares"),
    ("two cells of unequal length", [{"losses": [1, None, None], "shares": [0.5, 0, 0]}, {"losses": [4, 2, 6], "shares": [1, 0.5, 1]}], "all keys weigh alike"),
    ("nothing is left", [{"losses": [1, 2], "shares": [0, 0]}], None),
    ("nothing is gained", [{"losses": [1, 2], "shares": [1, 1]}], None),
    ("no loss", [{"losses": [0, 0], "shares": [0.5, 1]}, {"losses": [None, None], "shares": [0.5, 1]}], None),
]
write("waiting-worth", "docs/statistics.md, by hand", [case(name, {"cells": cells}, worth(cells), {"absolute": 1e-12}, against=why) for name, cells, why in WORTH])
