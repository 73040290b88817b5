"""Scores, scales and baselines of any series, computed by their definitions with numpy, to compare the project's with.

    python3 test/golden/series/series.py > test/golden/series/series.json

Nothing here is fast or clever: every error is made anew from what was public at each origin.
"""
import json
import math

import numpy as np

RANDOM = np.random.default_rng(20260901)
STEP = 604800000000
HOUR = 3600000000

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
    level, releases = 40.0, []
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
            own, at = [], known + int(RANDOM.integers(-40, 20)) * HOUR
            for revision in range(int(RANDOM.integers(1, 5))):
                value = number(case, final * (1 + RANDOM.normal(0, 0.2) / (1 + revision)))
                value = None if RANDOM.random() < 0.1 else max(value, 0 if case["zeros"] else 0.5)
                if value != (own[-1][1] if own else None):
                    own.append([at, value])
                at += int(RANDOM.integers(1, 400)) * HOUR
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


def counted(case, releases, known, settled):
    if case["release"]["rule"].startswith("as_of"):
        return in_force(releases, known, settled)
    for instant, value in releases:
        if value is not None and (known if instant is None else instant) <= settled:
            return value
    return None


def point(case, baseline, view, origin, step):
    if baseline["kind"] == "persistence":
        present = [value for value in view if value is not None]
        value = present[-1] if present else None
    else:
        season = baseline["period_steps"]
        multiple = max(1, math.ceil(step / season))
        value = None
        while value is None and origin + step - multiple * season >= 0:
            value = view[origin + step - multiple * season]
            multiple += 1
    return None if value is None else allowed(case, value)


def allowed(case, value):
    if case["integer"]:
        value = math.floor(value + 0.5)
    return value if case["minimum"] is None else max(value, float(case["minimum"]))


def forecasts(case, releases):
    """By origin, step and baseline: None for an abstention."""
    to, back = TRANSFORMS[case["transform"]]
    count = len(case["due"])
    views = [
        [in_force(releases[p], case["known"][p], case["due"][o]) for p in range(count)] for o in range(count)
    ]
    targets = {o: [h for h in case["horizons"] if 0 <= o + h < count] for o in case["origins"]}
    rows = []
    for origin in case["origins"]:
        for step in targets[origin]:
            for baseline in case["baselines"]:
                made = point(case, baseline, views[origin], origin, step)
                errors = []
                for earlier in case["origins"]:
                    if earlier >= origin or step not in targets[earlier]:
                        continue
                    outcome = views[origin][earlier + step]
                    before = point(case, baseline, views[earlier], earlier, step)
                    if case["known"][earlier + step] > case["due"][origin]:
                        continue
                    if outcome is not None and before is not None:
                        errors.append(to(outcome) - to(before))
                errors = errors[-baseline["errors"]["window"] :]
                if made is None or len(errors) < baseline["errors"]["minimum"]:
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


def make_case(name, transform, **more):
    count = 48
    start = 1700000000000000
    case = {
        "name": name,
        "transform": transform,
        "levels": ["0.025", "0.1", "0.5", "0.9", "0.975"],
        "horizons": [-1, 0, 2],
        "minimum": "0",
        "integer": False,
        "dated": True,
        "zeros": True,
        "due": [start + (p + 1) * STEP + 40 * HOUR for p in range(count)],
        "known": [start + (p + 1) * STEP + 400 * HOUR for p in range(count)],
        "origins": list(range(count)),
        "jitter": 0,
        "release": {"rule": "as_of_lag", "lag": "P28D"},
        "baselines": [
            {"id": "last", "kind": "persistence", "errors": {"window": 12, "minimum": 4}},
            {"id": "season", "kind": "seasonal_naive", "period_steps": 6, "errors": {"window": 100, "minimum": 8}},
        ],
        **more,
    }
    case["due"] = [at + HOUR * int(RANDOM.integers(-case["jitter"], case["jitter"] + 1)) for at in case["due"]]
    lag = {"as_of_lag": 700 * HOUR}.get(case["release"]["rule"])
    case["settled"] = [known + (lag or 900 * HOUR) for known in case["known"]]
    if case["release"]["rule"] == "as_of_instant":
        case["settled"] = [start + (count + 20) * STEP] * count
    case["truth"] = [truth(case, count), truth(case, count)]
    case["counted"] = [
        [counted(case, own[p], case["known"][p], case["settled"][p]) for p in range(count)] for own in case["truth"]
    ]
    case["forecasts"] = [forecasts(case, own) for own in case["truth"]]
    to = TRANSFORMS[transform][0]
    at = case["due"][46]
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
        values = [in_force(own[p], case["known"][p], at) for p in range(count)]
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
            make_case("admissions, revised, on the log", "log_shift", integer=True),
            make_case("revised, by the first value, due out of order", "sqrt", release=FIRST, jitter=150),
            make_case(
                "not revised, on the log",
                "log",
                dated=False,
                zeros=False,
                release={"rule": "unrevised", "wait": "P1D"},
                minimum=None,
            ),
            make_case(
                "by an instant, every third period an origin",
                "identity",
                origins=list(range(1, 48, 3)),
                horizons=[1, 4, 8],
                minimum=None,
                release={"rule": "as_of_instant", "at": "2025-01-01T00:00:00Z"},
            ),
        ]
    )
)
