# A whole evaluation by the method ewc-t, once more, from its pairs. It shares nothing with foreproof: it
# reads which attempts were scored and at what prices, the closes, and what was registered; what the built-in
# comparators forecast, the measures, strata, degrees of freedom, ladder and bounds are its own.
# Usage: family.py REGISTRATION PROTOCOL CLOSES PAIRS; writes a line of CSV for every test and, where the
# registration has verdict hypotheses, a line for each of these and for each pair of simultaneous bounds.
import csv
import functools
import gzip
import json
import math
import sys
from datetime import datetime, timedelta

import numpy

sys.dont_write_bytecode = True
from ewc import NODES, WEIGHTS, spectrum, tail, test  # noqa: E402

HOUR = timedelta(hours=1)
NAN = float("nan")
MEMORY = {"point_loss": 16, "direction_error": 16}  # all others: 8
# Of directions, so many times the least number of pairs.
PAIRS_FACTOR = 1.1
MEASURES = [
    "point_loss",
    "direction_error",
    "interval_score",
    "pinball_0.1",
    "pinball_0.5",
    "pinball_0.9",
    "coverage",
]


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def simple(name, prices, returns, t, h):
    """The forecast of a member of the pool at hour t, h hours ahead; NaN where a close that it needs is missing."""
    back = lambda hours: prices[t - hours] if t >= hours else NAN
    if name == "persistence":
        return prices[t]
    if name == "seasonal_naive_24h":
        return back(24 - h) + 0 * prices[t]
    if name in ("drift_24h", "drift_7d"):
        span = 24 if name == "drift_24h" else 168
        return prices[t] * (prices[t] / back(span)) ** (h / span)
    count = {"ema_return_24h": 168, "ar1": 720}[name]
    seen = returns[t - count:t]
    if t < count or numpy.isnan(seen).any():
        return NAN
    if name == "ema_return_24h":
        return prices[t] * math.exp(h * numpy.average(seen, weights=(23 / 25) ** numpy.arange(168)[::-1]))
    b, a = numpy.polyfit(seen[:-1], seen[1:], 1)
    steps = [seen[-1]]
    for _ in range(h):
        steps.append(a + b * steps[-1])
    return prices[t] * math.exp(math.fsum(steps[1:]))


def built_ins(names, pool, closes, origins, horizons):
    """What the built-ins among the names say at every origin: the forecast and its three quantiles."""
    hours = [min(closes) + k * HOUR for k in range(int((max(closes) - min(closes)) / HOUR) + 1)]
    place = {hour: t for t, hour in enumerate(hours)}
    prices = numpy.array([closes.get(hour, NAN) for hour in hours])
    returns, said = numpy.diff(numpy.log(prices)), {}
    for h in horizons:
        outcome = numpy.append(prices[h:], numpy.full(h, NAN))
        own = {name: numpy.array([simple(name, prices, returns, t, h) for t in range(len(hours))])
               for name in sorted({*pool, *names} - {"strongest_simple"})}
        losses = numpy.array([numpy.abs(numpy.log(own[name] / outcome)) for name in sorted(pool)])
        usable = ~numpy.isnan(losses).any(axis=0)
        sums = numpy.cumsum(numpy.where(usable, losses, 0), axis=1)
        best = numpy.array([NAN if t < 16 + h or not usable[:t - 16 - h + 1].any() else
                            own[sorted(pool)[numpy.argmin(sums[:, t - 16 - h])]][t] for t in range(len(hours))])
        for name in names:
            forecast = best if name == "strongest_simple" else own[name]
            errors = numpy.log(outcome / forecast)
            for origin in origins:
                t = place.get(origin)
                if t is None or numpy.isnan(forecast[t]):
                    continue
                past = errors[:max(0, t - h + 1)]
                past = past[~numpy.isnan(past)][-720:]
                quantiles = numpy.exp(numpy.quantile(past, (0.1, 0.5, 0.9))) if len(past) >= 168 else None
                said[name, h, origin] = forecast[t], None if quantiles is None else list(forecast[t] * quantiles)
    return said


def measures(line, epsilon):
    """What one attempt scored, by the definitions; absent measures are left out."""
    if line["status"] != "scored":
        return {}
    close = line["outcome"]
    base = line["base"] or close
    went, said = math.log(close / base), math.log(line["value"] / base)
    found = {"point_loss": abs(said - went)}
    if min(abs(said), abs(went)) > epsilon:
        found["direction_error"] = found["charged"] = float((said > 0) != (went > 0))
    elif abs(went) > epsilon:
        found["charged"] = 0.5
    if line["interval_status"] == "scored":
        low, middle, high = (math.log(q / base) for q in line["quantiles"])
        outside = max(low - went, 0.0) + max(went - high, 0.0)
        found["interval_score"] = high - low + outside / 0.1
        for name, level, at in (("0.1", 0.1, low), ("0.5", 0.5, middle), ("0.9", 0.9, high)):
            found[f"pinball_{name}"] = (level - (went < at)) * (went - at)
        found["coverage"] = float(low <= went <= high)
        for name, quantile in zip("159", line["quantiles"]):
            found[f"below_0.{name}"] = float(close < quantile)
    return found


def levels_of(strata, closes, origins):
    """(stratum, level) and which origins are in it."""
    for stratum in strata:
        if stratum["by"] == "hour_of_day":
            for level in stratum["levels"]:
                yield stratum["name"], level["level"], [o.hour in level["hours"] for o in origins]
        elif stratum["by"] == "volatility":
            count, low = stratum["lookback_hours"], 0.0
            spread = numpy.array([
                numpy.std(numpy.diff(numpy.log([closes.get(o - k * HOUR, NAN) for k in range(count, -1, -1)])), ddof=1)
                for o in origins
            ])
            for level in stratum["levels"]:
                high = level.get("below") or math.inf
                yield stratum["name"], level["level"], (low <= spread) & (spread < high)
                low = high


@functools.lru_cache(maxsize=None)
def quantile(level, nu):
    """t > 0 with both tails beyond it holding `level`: by halving."""
    low, high = 1e-6, 1e6
    for _ in range(100):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if tail(middle, nu) > level else (low, middle)
    return math.sqrt(low * high)


def origins_a_day(members):
    """Most hours of a level in a stretch of 23; 23 of them are a day of 24."""
    most = max(numpy.convolve(numpy.asarray(members, dtype=int), numpy.ones(23, dtype=int)))
    return 24 if most == 23 else max(1, int(most))


def figures(series, most, protocol, members, filled=None):
    """estimate, standard error, p and degrees of freedom; or why there are none. What stands for missing outcomes counts in
    the first three alone."""
    block = protocol["uncertainty"]["block_length_origins"]
    minimum = protocol["sampling"]["minimum_effective_sample"]
    here = ~numpy.isnan(series)
    whole = here.shape[1] // block * block
    blocks = min(int(row[:whole].reshape(-1, block).any(axis=1).sum()) for row in here)
    least = int(here.sum(axis=1).min())
    reasons = ["no_pairs"] if least == 0 else []
    if least < minimum["paired_origins_per_horizon"]:
        reasons.append("too_few_pairs")
    if blocks < max(16, minimum["effective_independent_blocks_per_comparison"]):
        reasons.append("too_few_blocks")
    days = least / origins_a_day(members)
    if days < 16:
        reasons.append("too_few_days")
    slow = min(8, blocks // 2, least // 10, int(days // 4))
    quick = min(16, blocks // 4, least // 10, int(days // 4)) if most == 16 else 0
    nu = max(4, slow, quick)
    if least == 0:
        return {"reasons": reasons}
    if filled is not None:
        series, here = filled, ~numpy.isnan(filled)
    if numpy.all((series == 0) | ~here):
        found = {"estimate": 0.0, "standardError": 0.0, "p": 1.0}
    elif max(numpy.ptp(row[~numpy.isnan(row)]) for row in series) < 1e-12 * numpy.nanmax(numpy.abs(series)):
        # They are a constant and what rounding made of it.
        found, reasons = {}, [*reasons, "no_variance"]
    else:
        found = test(series, nu)
    return {"reasons": reasons, "nu": nu, "blocks": blocks, **found}


def filled(series, lacking, end):
    """A row a horizon: where an outcome is lacking the mean of the k worst (or best) differences, k being so many."""
    rows = []
    for row, gaps in zip(series, lacking):
        pairs = numpy.sort(row[~numpy.isnan(row)])
        k = int(gaps.sum())
        if k == 0 or len(pairs) == 0:
            rows.append(row)
            continue
        used = pairs[max(0, len(pairs) - k):] if end == "worst" else pairs[:k]
        rows.append(numpy.where(gaps, used.mean(), row))
    return numpy.array(rows)


def ladder(tests, alpha):
    """Holm's procedure with weights, step by step: adjusted p, and the level of the bounds.
    What implies others rejects them in its own step."""
    left = [t for t in tests if not t["reasons"]]
    blocked = [t["weight"] for t in tests if t["reasons"]]
    adjusted, stopped = 0.0, None
    while left:
        remaining = math.fsum(blocked + [t["weight"] for t in left])
        first = min(t["p"] / t["weight"] for t in left)
        ties = [t for t in left if t["p"] / t["weight"] == first]
        names = {t["name"] for t in ties}.union(*({i["name"] for i in t.get("implies", [])} for t in ties))
        step = [t for t in left if t["name"] in names]
        adjusted = max(adjusted, min(1.0, first * remaining))
        if adjusted > alpha and stopped is None:
            stopped = remaining
        for t in step:
            t["adjusted"], t["rejected"] = adjusted, adjusted <= alpha
            t["level"] = alpha * t["weight"] / (stopped or remaining)
        left = [t for t in left if t["name"] not in names]


def left(comparator, horizon, registration):
    """The share of the time that is left when a forecast is due: of a built-in, which sees the close of the origin."""
    lag = registration["rules"]["origins"]["due"]["minutes"] / 60 if comparator["source"] == "built_in" else 0.0
    return (horizon - lag) / horizon


def hypothesis(candidate, tests, asked, registration, protocol):
    """The verdict hypothesis of a candidate: the largest p of its parts, or a reason why it has none."""
    limits, name = registration["rules"]["limits"], candidate["name"]
    own = [t for t in tests if t["decides"] and t["candidate"] == name]
    parts = [(t["charged"], 0.0) if t["horizon"] == "overall" else (t["worst"], limits["harm"] * t["mean"])
             for t in own if t["measure"] == "point_loss"]
    for comparator in registration["comparators"]:
        called = [t for t in own
                  if t["measure"] == "direction_error" and t["comparator"] == comparator["name"]
                  and asked[comparator["name"], t["horizon"]]]
        if called:
            series, worst = (numpy.array([t[of][0] for t in called]) for of in ("series", "filled_worst"))
            parts.append((figures(series, 16, protocol, numpy.ones(series.shape[1]), worst), limits["direction"]))
    found = {"name": f"verdict/{name}", "implies": [t for t in own if t["horizon"] == "overall"], "reasons": []}
    if any(t["reasons"] for t, _ in parts):
        return found | {"reasons": ["a part has none"]}
    def part(t, limit):
        if t["estimate"] >= limit:
            return 1.0
        return tail((limit - t["estimate"]) / t["standardError"], t["nu"]) if t["standardError"] else 0.0
    return found | {"p": max(part(t, limit) for t, limit in parts)}


def simultaneous(tests, alpha):
    """Bounds that hold for all deciding tests at once."""
    deciding = [t for t in tests if t["decides"] and t["weight"] > 0]
    for t in deciding:
        sharing = sum((each["horizon"] == "overall") == (t["horizon"] == "overall") for each in deciding)
        if not t["reasons"]:
            best = t["best"]
            half = best["standardError"] and quantile(alpha / 2 / sharing, best["nu"]) * best["standardError"]
            t["least"], t["most"] = best["estimate"] - half, best["estimate"] + half
    return [t for t in deciding if not t["reasons"]]


@functools.lru_cache(maxsize=None)
def one_percent_point(quick):
    """Of Fisher's F with 8 and `quick` degrees of freedom: by halving an integral of the beta density."""
    def integral(end):
        t = end / 2 + end / 2 * NODES
        return end / 2 * numpy.sum(WEIGHTS * t ** (quick / 2 - 1) * (1 - t) ** 3)
    low, high = 1e-3, 1e3
    for _ in range(100):
        middle = math.sqrt(low * high)
        beyond = integral(quick / (quick + 8 * middle)) / integral(1.0)
        low, high = (middle, high) if beyond > 0.01 else (low, middle)
    return math.sqrt(low * high)


def week_memory(t):
    """How strong waves 1 to 8 are beside those up to half of the blocks, the 1 % point, and p with nu = 4."""
    if t["standardError"] == 0:
        return [1.0]
    p = [test(t["series"], 4)["p"]]
    if t["blocks"] < 40:
        return p
    squares = spectrum(t["series"], t["blocks"] // 2)[2] ** 2
    return [squares[:8].mean() / squares[8:].mean(), one_percent_point(t["blocks"] // 2 - 8)] + p


def hln(t):
    """Harvey, Leybourne and Newbold: statistic and p, or nothing where the variance is not positive."""
    d, h = t["series"][0][~numpy.isnan(t["series"][0])], t["horizon"]
    n, u = len(d), d - d.mean()
    full = numpy.correlate(u, u, "full")[n - 1 : n - 1 + h]
    variance = (2 * full.sum() - full[0]) / n / n
    if not variance > 0:
        return []
    statistic = d.mean() * math.sqrt((n + 1 - 2 * h + h * (h - 1) / n) / n / variance)
    return [statistic, tail(statistic, n - 1)]


def reliability(series, alpha, protocol):
    """Share below a quantile, and its bounds where outcomes lie on both sides."""
    if numpy.all(numpy.isnan(series)):
        return []
    anything = {"paired_origins_per_horizon": 1, "effective_independent_blocks_per_comparison": 1}
    found = figures(series[None], 8, protocol | {"sampling": {"minimum_effective_sample": anything}}, numpy.ones(len(series)))
    share = numpy.nanmean(series)
    if found["reasons"] or share in (0, 1):
        return [share]
    half = quantile(alpha, found["nu"]) * found["standardError"]
    return [share, share - half, share + half]


def disposition(verdict, tests, registration, protocol, worth):
    """Of candidates that leave out no more than they may, in a window that has its outcomes."""
    limits, own = registration["rules"]["limits"], [t for t in tests if f"verdict/{t['candidate']}" == verdict["name"]]
    if verdict["reasons"]:
        return "blocked"
    def limit(t):
        if t["horizon"] == "overall":
            return 0.0
        return limits["harm"] * t["mean"] if t["measure"] == "point_loss" else limits["direction"]
    backtest = registration["mode"] == "backtest"
    if any("least" in t and t["least"] > limit(t) for t in own):
        overall = any("least" in t and t["horizon"] == "overall" and t["least"] > 0 for t in own)
        return "negative" if not backtest else "higher" if overall else "neither"
    overall = [t for t in own if t["decides"] and t["horizon"] == "overall"]
    floor = protocol["design"]["practical_effect_floor"]
    better = verdict["rejected"] and all(-t["worst"]["estimate"] >= (floor + worth[t["comparator"]]) * t["mean"] for t in overall)
    if backtest:
        return "lower" if better else "neither"
    return "eligible_for_human_review" if better else "inconclusive"


def main(registration, protocol, closes, pairs):
    registration, protocol = json.load(open(registration)), json.load(open(protocol))
    closes = {instant(row["close_at"]): float(row["close_usd"]) for row in csv.DictReader(open(closes))}
    first, last = (instant(registration["window"][end]) for end in ("from", "to"))
    origins = [first + k * HOUR for k in range(int((last - first) / HOUR) + 1)]
    index = {origin: k for k, origin in enumerate(origins)}
    horizons, columns = registration["rules"]["steps"], {}
    names = [c["name"] for c in registration["comparators"] if c["source"] == "built_in"]
    pool = protocol["estimands"]["comparisons"]["simple_baseline_pool"]
    said = built_ins(names, pool, closes, origins, horizons)
    [epsilon] = [score["epsilon"] for score in registration["rules"]["scores"] if score["kind"] == "direction"]
    for text in gzip.open(pairs):
        line = json.loads(text)
        assert line["expected"] and line["vintage_id"] is None
        if line["model"] in names:
            value, quantiles = said.get((line["model"], line["step"], instant(line["origin"])), (None, None))
            assert (line["status"] == "scored") <= (value is not None), line
            assert (line["status"] == "forecast_missing") <= (value is None), line
            assert line["status"] != "scored" or (line["interval_status"] == "scored") == (quantiles is not None), line
            line |= {"value": value, "quantiles": quantiles}
        for name, value in measures(line, epsilon).items():
            key = line["model"], line["step"], name
            column = columns.setdefault(key, numpy.full(len(origins), NAN))
            column[index[instant(line["origin"])]] = value
    strata = [("", "", [True] * len(origins)), *levels_of(registration["rules"]["strata"], closes, origins)]
    nothing, tests = numpy.full(len(origins), NAN), []
    shares = registration["rules"]["weights"]
    least = protocol["sampling"]["minimum_effective_sample"]["paired_origins_per_horizon"]
    column = lambda model, h, name: columns.get((model["name"], h, name), nothing)
    asked = {(c["name"], h): numpy.sum(~numpy.isnan(column(c, h, "direction_error"))) >= PAIRS_FACTOR * least
             for c in registration["comparators"] for h in horizons}
    outcome = {h: numpy.array([o + h * HOUR in closes for o in origins]) for h in horizons}

    def withheld(model, h, members, limit):
        there = outcome[h] & numpy.array(members)
        return numpy.sum(there & numpy.isnan(column(model, h, "interval_score"))) > limit * there.sum()
    for candidate in registration["candidates"]:
        for comparator in registration["comparators"]:
            for stratum, level, members in strata:
                for measure, horizon in [("point_loss", "overall"), *((m, h) for h in horizons for m in MEASURES)]:
                    mine = "charged" if measure == "direction_error" and "verdict" in shares else measure
                    over = horizons if horizon == "overall" else [horizon]
                    series = numpy.array([column(candidate, h, mine) - column(comparator, h, measure) for h in over])
                    series = numpy.where(numpy.array(members), series, NAN)
                    lacking = [~outcome[h] for h in over]
                    decides = stratum == "" and measure in MEMORY
                    where = f"stratum:{stratum}={level}" if stratum else "all"
                    at = horizon if horizon == "overall" else str(horizon)
                    name = "/".join([candidate["name"], comparator["name"], measure, at, where])
                    if horizon == "overall" and stratum == "":
                        rest = numpy.array([
                            column(candidate, h, mine) - left(comparator, h, registration) * column(comparator, h, measure)
                            for h in over
                        ])
                        worst = filled(rest, lacking, "worst")
                        charged = figures(rest, MEMORY[measure], protocol, members, worst)
                    test = {"name": name, "decides": decides, "charged": charged} | figures(series, MEMORY.get(measure, 8), protocol, members)
                    for end in ("worst", "best") if decides else ():
                        own = filled(series, lacking, end)
                        test[f"filled_{end}"] = own
                        test[end] = figures(series, MEMORY[measure], protocol, members, own)
                    if "verdict" in shares and measure not in MEMORY:
                        all_, level_ = (registration["rules"]["limits"]["availability" + x] for x in ("", "_stratum"))
                        if withheld(candidate, horizon, strata[0][2], all_) or (
                            stratum and withheld(candidate, horizon, members, level_)
                        ):
                            late = [r for r in test["reasons"] if r == "no_variance"]
                            test["reasons"] = [r for r in test["reasons"] if r not in late] + ["withheld"] + late
                    other = [column(comparator, h, measure)[~numpy.isnan(row)] for h, row in zip(over, series)]
                    mean = float(numpy.mean([row.mean() for row in other])) if all(map(len, other)) else NAN
                    keys = {"candidate": candidate["name"], "comparator": comparator["name"], "measure": measure}
                    ruled_out = (measure, comparator["source"], comparator["name"]) == (
                        "direction_error", "built_in", "persistence") and "verdict" in shares
                    tests.append(test | keys | {"horizon": horizon, "series": series, "mean": mean, "out": ruled_out})
    for t in tests:
        kind = "deciding" if t["decides"] else "other"
        same = sum(each["decides"] == t["decides"] and not each["out"] for each in tests)
        t["weight"] = 0.0 if t["out"] else shares[kind] / same
    alpha = protocol["uncertainty"]["multiplicity"]["alpha"]
    verdicts = [hypothesis(c, tests, asked, registration, protocol) | {"weight": shares["verdict"] / len(registration["candidates"])}
                for c in registration["candidates"] if "verdict" in shares]
    ladder(tests + verdicts, alpha)
    print("name,decision,observed,standard_error,p,lower,upper,p_adjusted,lower_adjusted,upper_adjusted")
    for t in tests:
        if t["reasons"]:
            print(t["name"], "+".join(t["reasons"]), *[""] * 8, sep=",")
            continue
        error = t["standardError"]
        half, wide = (error and quantile(level, t["nu"]) * error for level in (alpha, t["level"]))
        decision = "rejected" if t["rejected"] else "not_rejected"
        m = t["estimate"]
        numbers = [m, error, t["p"], m - half, m + half, t["adjusted"], m - wide, m + wide]
        print(t["name"], decision, *(f"{number:.13g}" for number in numbers), sep=",")
    for t in simultaneous(tests, alpha) if verdicts else []:
        print("simultaneous", t["name"], f"{t['least']:.13g}", f"{t['most']:.13g}", sep=",")
    written = lambda *cells: print(*(c if isinstance(c, str) else f"{c:.13g}" for c in cells), sep=",")
    for t in tests if verdicts else []:
        if t["decides"] and not t["reasons"]:
            overall = t["horizon"] == "overall"
            written("week_memory" if overall else "hln", t["name"], *(week_memory(t) if overall else hln(t)))
    for model in [*registration["candidates"], *registration["comparators"]] if verdicts else []:
        for h in horizons:
            for q in ("0.1", "0.5", "0.9"):
                written(f"below/{model['name']}/{h}h/{q}", *reliability(column(model, h, f"below_{q}"), alpha, protocol))
    worth = {}
    for comparator in registration["comparators"]:
        name, losses = comparator["name"], {h: numpy.nanmean(column(comparator, h, "point_loss")) for h in horizons}
        rest = {h: left(comparator, h, registration) * loss for h, loss in losses.items()}
        worth[name] = 1 - sum(rest.values()) / sum(losses.values())
        if verdicts and comparator["source"] == "built_in":
            written("waiting", name, "overall", worth[name])
            for h in horizons:
                written("waiting", name, f"{h}h", 1 - rest[h] / losses[h])
    for v in verdicts:
        figures_ = [] if v["reasons"] else [f"{v['p']:.13g}", f"{v['adjusted']:.13g}"]
        print(v["name"], disposition(v, tests, registration, protocol, worth), *figures_, sep=",")


main(*sys.argv[1:])
