"""Scores, scales and baselines of any series, computed by their definitions with numpy, to compare the project's with.

    python3 test/golden/series/series.py > test/golden/series/series.json

Nothing here is fast or clever: every error is made anew from what was public at each origin.
"""
import json
import math

import numpy as np

RANDOM = np.random.default_rng(20260901)
HOUR = 3600000000
DAY = 24 * HOUR
SEASONS = {"day": DAY, "week": 7 * DAY, "year": 365.25 * DAY}

TRANSFORMS = {
    "identity": (lambda x: x, lambda z: z),
    "log": (lambda x: np.log(x), lambda z: np.exp(z)),
    "log_shift": (lambda x: np.log(x + 2.5), lambda z: np.exp(z) - 2.5),
    "sqrt": (lambda x: np.sqrt(x), lambda z: max(z, 0.0) ** 2),
}


def transform_member(name):
    return {"kind": name, "offset": "2.5"} if name == "log_shift" else {"kind": name}


def truth(case, count):
    """Releases of a period: [instant or None, value or None], ascending, each another value than before."""
    level, releases, unit = 40.0, [], case["unit"]
    for period in range(count):
        level = abs(level + RANDOM.normal(0, 6)) + 0.01
        season = 12 * math.sin(2 * math.pi * period / 6)
        final = max(0.0, level + season) if case["zeros"] else level + 13 + season
        known = case["known"][period]
        if RANDOM.random() < 0.08:
            releases.append([])
        elif not case["dated"]:
            releases.append([[None, number(case, final)]])
        else:
            own, at = [], known + int(RANDOM.integers(-40, 20)) * unit
            for revision in range(int(RANDOM.integers(1, 5))):
                value = number(case, final * (1 + RANDOM.normal(0, 0.2) / (1 + revision)))
                value = None if RANDOM.random() < 0.1 else max(value, 0 if case["zeros"] else 0.5)
                if value != (own[-1][1] if own else None):
                    own.append([at, value])
                at += int(RANDOM.integers(1, 400)) * unit
            releases.append(own)
    return releases


def number(case, value):
    return int(round(value)) if case["integer"] else float(value)


def in_force(releases, known, at):
    found = None
    for instant, value in releases:
        if (known if instant is None else instant) <= at:
            found = value
    return found


def seen(releases, known, at):
    """What a baseline sees: nothing before a value could be known, whatever its date."""
    return in_force(releases, known, at) if known <= at else None


def counted(case, releases, known, settled):
    if case["release"]["rule"].startswith("as_of"):
        return in_force(releases, known, settled)
    for instant, value in releases:
        if value is not None and (known if instant is None else instant) <= settled:
            return value
    return None


def distance(case):
    """The median distance of the starts of the targets of what is asked."""
    starts = {case["starts"][o + h] for o in case["asked"] for h in case["horizons"] if 0 <= o + h < len(case["starts"])}
    return float(np.median(np.diff(sorted(starts))))


def point(case, baseline, view, target):
    present = [at for at, value in enumerate(view) if value is not None]
    if baseline["kind"] == "persistence":
        return view[present[-1]] if present else None
    if baseline["kind"] == "drift":
        steps = [k for k in range(20, 51) if present and present[-1] - k in present]
        if not steps:
            return None
        last, before = view[present[-1]], view[present[-1] - max(steps)]
        return last + (target - present[-1]) * (last - before) / max(steps)
    there = (view[at] for at in nearest(case, baseline["season"], target) if view[at] is not None)
    return next(there, None)


def nearest(case, name, target):
    """For each season back the period that ends nearest, where that is near."""
    season, ends = SEASONS[name], np.array(case["ends"], dtype=float)
    most = 7 * DAY if name == "year" else min(case["distance"] / 2, season / 14)
    for k in range(1, 40):
        away = np.abs(ends - (ends[target] - k * season))
        if away.min() <= most:
            yield max(at for at in range(len(ends)) if away[at] == away.min())


def sample(case, baseline, view, target):
    """The values of a climatology; None where there are too few."""
    present = [at for at, value in enumerate(view) if value is not None]
    if baseline["kind"] == "climatology":
        return [view[at] for at in present[-100:]] if len(present) >= 20 else None
    season, ends = SEASONS[baseline["season"]], case["ends"]
    if baseline["season"] == "year":
        wide = max(7 * DAY, case["distance"])
        near = lambda at: any(abs(ends[at] - (ends[target] - k * season)) <= wide for k in range(1, 40))
    else:
        own = set(nearest(case, baseline["season"], target))
        near = lambda at: at in own
    values = [view[at] for at in present if near(at)][-100:]
    return values if len(values) >= 5 else None


def allowed(case, value):
    if case["minimum"] is not None:
        value = max(value, float(case["minimum"]))
    return math.floor(value + 0.5) if case["integer"] else value


def moved(case, value):
    return None if value is None else allowed(case, value)


def forecasts(case, releases):
    """By origin, step and baseline: None for an abstention."""
    to, back = TRANSFORMS[case["transform"]]
    count = len(case["due"])
    views = [
        [seen(releases[p], case["known"][p], case["due"][o]) for p in range(count)] for o in range(count)
    ]
    targets = {o: [h for h in case["horizons"] if 0 <= o + h < count] for o in case["origins"]}
    # Of what has no transform there is neither an error nor a quantile.
    has = lambda value: value is not None and (case["transform"] != "log" or value > 0)
    case["distance"], rows = distance(case), []
    pointed = [(b["id"], o, h) for b in case["baselines"] if "errors" in b for o in case["origins"] for h in targets[o]]
    by_id = {each["id"]: each for each in case["baselines"]}
    points = {(b, o, h): moved(case, point(case, by_id[b], views[o], o + h)) for b, o, h in pointed}
    for origin in case["asked"]:
        for step in targets[origin]:
            for baseline in case["baselines"]:
                if "errors" not in baseline:
                    values = sample(case, baseline, views[origin], origin + step)
                    own = [] if values is None else np.quantile(values, [float(q) for q in case["levels"]])
                    own = [float(allowed(case, value)) for value in own]
                    made = None if values is None else float(allowed(case, np.median(values)))
                    rows.append([origin, step, baseline["id"], made, own or None])
                    continue
                made = points[baseline["id"], origin, step]
                errors = []
                for earlier in case["origins"]:
                    if earlier >= origin or step not in targets[earlier]:
                        continue
                    outcome = views[origin][earlier + step]
                    before = points[baseline["id"], earlier, step]
                    if case["known"][earlier + step] > case["due"][origin]:
                        continue
                    if has(outcome) and has(before):
                        errors.append(to(outcome) - to(before))
                errors = errors[-baseline["errors"]["window"] :]
                if not has(made) or len(errors) < baseline["errors"]["minimum"]:
                    rows.append([origin, step, baseline["id"], None, None])
                    continue
                both = np.concatenate([errors, -np.array(errors)])
                quantiles = []
                for level in case["levels"]:
                    shift = np.quantile(both, float(level), method="linear")
                    value = made if level == "0.5" else allowed(case, back(to(made) + shift))
                    quantiles.append(float(value))
                rows.append([origin, step, baseline["id"], float(made), quantiles])
    return rows


def pinball(level, quantile, outcome):
    return (outcome - quantile) * level if outcome >= quantile else (quantile - outcome) * (1 - level)


def kind_of(spec):
    return spec.get("transform", {"kind": "identity"})["kind"]


def score(case, spec, value, quantiles, outcome, scales):
    to = TRANSFORMS[kind_of(spec)][0]
    of = dict(zip(case["levels"], quantiles))
    if spec["kind"] == "coverage":
        return float(of[spec["lower"]] <= outcome <= of[spec["upper"]])
    if spec["kind"] == "absolute_error":
        loss = abs(to(value) - to(outcome))
    elif spec["kind"] == "pinball":
        loss = pinball(float(spec["level"]), to(of[spec["level"]]), to(outcome))
    elif spec["kind"] == "interval":
        low, high, alpha = to(of[spec["lower"]]), to(of[spec["upper"]]), 2 * float(spec["lower"])
        below, above = max(0, low - to(outcome)), max(0, to(outcome) - high)
        loss = high - low + 2 / alpha * below + 2 / alpha * above
    else:
        # As in the paper: the error of the median, and the interval scores by their weights.
        alphas = [2 * float(level) for level in case["levels"] if float(level) < 0.5]
        loss = 0.5 * abs(to(outcome) - to(of["0.5"]))
        for place, alpha in enumerate(alphas):
            low, high = to(quantiles[place]), to(quantiles[-1 - place])
            below, above = max(0, low - to(outcome)), max(0, to(outcome) - high)
            loss += alpha / 2 * (high - low) + below + above
        loss /= len(alphas) + 0.5
    return float(loss / scales[kind_of(spec)])


def make_case(name, transform, step=7 * DAY, count=48, season="year", weekdays=False, asked=range(48), **more):
    start = 1700006400000000
    unit = step // 168
    days = [d for d in range(2 * count) if not weekdays or d % 7 < 5][:count]
    starts = [start + d * step for d in days]
    ends = [at + step for at in starts]
    by_errors = {"window": 100, "minimum": 8}
    case = {
        "name": name,
        "transform": transform,
        "unit": unit,
        "starts": starts,
        "ends": ends,
        "asked": list(asked),
        "levels": ["0.025", "0.1", "0.5", "0.9", "0.975"],
        "horizons": [-1, 0, 2],
        "minimum": "0",
        "integer": False,
        "dated": True,
        "zeros": True,
        "due": [at + 40 * unit for at in ends],
        "known": [at + 400 * unit for at in ends],
        "origins": list(range(count)),
        "jitter": 0,
        "release": {"rule": "as_of_lag", "lag": "P28D"},
        "baselines": [
            {"id": "last", "kind": "persistence", "errors": {"window": 12, "minimum": 4}},
            {"id": "season", "kind": "seasonal_naive", "season": season, "errors": by_errors},
            {"id": "trend", "kind": "drift", "errors": by_errors},
            {"id": "usual", "kind": "climatology"},
            {"id": "usual_season", "kind": "seasonal_climatology", "season": season},
        ],
        **more,
    }
    case["due"] = [at + unit * int(RANDOM.integers(-case["jitter"], case["jitter"] + 1)) for at in case["due"]]
    lag = {"as_of_lag": 700 * unit}.get(case["release"]["rule"])
    case["settled"] = [known + (lag or 900 * unit) for known in case["known"]]
    if case["release"]["rule"] == "as_of_instant":
        case["settled"] = [ends[-1] + 20 * step] * count
    case["truth"] = [truth(case, count), truth(case, count)]
    case["counted"] = [
        [counted(case, own[p], case["known"][p], case["settled"][p]) for p in range(count)] for own in case["truth"]
    ]
    case["forecasts"] = [forecasts(case, own) for own in case["truth"]]
    to = TRANSFORMS[transform][0]
    at = case["due"][-2]
    case["scaling"] = {"kind": "seasonal_naive", "period_steps": 6, "at": at}
    case["scores"] = [
        {"id": "primary", "kind": "weighted_interval", "transform": transform_member(transform), "primary": True},
        {"id": "ae", "kind": "absolute_error", "transform": transform_member(transform)},
        {"id": "ae_raw", "kind": "absolute_error"},
        {"id": "pinball", "kind": "pinball", "level": "0.9", "transform": transform_member(transform)},
        {"id": "interval", "kind": "interval", "lower": "0.025", "upper": "0.975"},
        {"id": "covered", "kind": "coverage", "lower": "0.1", "upper": "0.9"},
    ]
    # Of each series, one for each transform of a loss.
    case["scales"] = []
    for own in case["truth"]:
        values = [seen(own[p], case["known"][p], at) for p in range(count)]
        pairs = [(a, b) for a, b in zip(values[6:], values[:-6]) if a is not None and b is not None]
        kinds = {kind_of(spec): TRANSFORMS[kind_of(spec)][0] for spec in case["scores"]}
        case["scales"].append({kind: float(np.mean([abs(to(a) - to(b)) for a, b in pairs])) for kind, to in kinds.items()})
    case["losses"] = []
    for series, rows in enumerate(case["forecasts"]):
        for origin, step, _, value, quantiles in rows[-40:]:
            outcome = case["counted"][series][origin + step]
            if value is None or outcome is None:
                continue
            given = [score(case, s, value, quantiles, outcome, case["scales"][series]) for s in case["scores"]]
            case["losses"].append([series, value, quantiles, outcome, given])
    return case


FIRST = {"rule": "first", "wait": "P30D"}
print(
    json.dumps(
        [
            make_case(
                "admissions, revised, on the log, years",
                "log_shift",
                integer=True,
                count=130,
                asked=range(100, 130),
            ),
            make_case(
                "weekdays, revised, by the first value, due out of order",
                "sqrt",
                release=FIRST,
                jitter=150,
                step=DAY,
                count=60,
                season="week",
                weekdays=True,
                asked=range(24, 60),
            ),
            make_case(
                "hours, not revised, on the log",
                "log",
                step=HOUR,
                count=175,
                season="day",
                asked=range(125, 165),
                dated=False,
                zeros=False,
                release={"rule": "unrevised", "wait": "P1D"},
                minimum=None,
            ),
            make_case(
                "by an instant, every third quarter of a day an origin",
                "identity",
                step=6 * HOUR,
                season="day",
                origins=list(range(1, 60, 3)),
                count=60,
                asked=range(1, 60, 3),
                horizons=[1, 4, 8],
                minimum=None,
                release={"rule": "as_of_instant", "at": "2025-01-01T00:00:00Z"},
            ),
        ]
    )
)
