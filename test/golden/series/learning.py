"""Writes learning.json: forecasts of ema (pandas), ar1 (numpy) and strongest (numpy) for a series with gaps."""

import json
import pathlib

import numpy as np
import pandas as pd

RANDOM = np.random.default_rng(20261129)
HOUR = 3_600_000_000
COUNT, HORIZONS, LEAST = 170, [1, 3], 20


def values_of(slope, gaps):
    values, value = [], 50.0
    for _ in range(COUNT):
        value = 50 + slope * (value - 50) + RANDOM.normal(0, 4)
        values.append(None if RANDOM.random() < gaps else round(value, 6))
    return values


def ema(seen):
    """With its newest value last. Weights go by age in periods, gaps included."""
    newest = pd.Series(seen[-100:], dtype=float)
    if newest.notna().sum() < LEAST:
        return None
    return float(newest.ewm(span=10, adjust=True, ignore_na=False).mean().iloc[-1])


def ar1(seen, ahead):
    newest = np.array(seen[-101:], dtype=float)
    before, after = newest[:-1], newest[1:]
    both = ~np.isnan(before) & ~np.isnan(after)
    if both.sum() < LEAST:
        return None
    slope, intercept = np.polyfit(before[both], after[both], 1)
    # Beyond 1 it is 1, through the same means.
    bounded = min(1.0, max(-1.0, slope))
    if bounded != slope:
        slope, intercept = bounded, after[both].mean() - bounded * before[both].mean()
    value = newest[-1]
    for _ in range(ahead):
        value = intercept + slope * value
    return float(value)


def forecasts(values):
    rows, made = [], {step: [] for step in HORIZONS}
    for origin in range(COUNT):
        seen = values[: origin + 1]
        while seen and seen[-1] is None:
            seen = seen[:-1]
        for step in HORIZONS:
            target = origin + step
            if target >= COUNT:
                continue
            ahead = target - len(seen) + 1
            own = {"last": seen[-1] if seen else None, "level": ema(seen), "back": ar1(seen, ahead)}
            known = [
                (point, values[at])
                for at, point in made[step]
                if at <= origin and values[at] is not None and None not in point.values()
            ]
            chosen = None
            if len(known) >= LEAST:
                errors = {id: sum(abs(point[id] - value) for point, value in known) for id in sorted(own)}
                chosen = own[min(errors, key=errors.get)]
            made[step].append((target, own))
            point = {**own, "best": chosen}
            rows += [[origin, step, id, point[id]] for id in sorted(point)]
    return rows


SERIES = [values_of(0.3, 0.08), values_of(1.0, 0.0), values_of(0.9, 0.2)]
POOL = ["level", "last", "back"]
CASE = {
    "due": [(at + 1) * HOUR for at in range(COUNT)],
    "known": [(at + 1) * HOUR for at in range(COUNT)],
    "settled": [(at + 2) * HOUR for at in range(COUNT)],
    "origins": list(range(COUNT)),
    "horizons": HORIZONS,
    "levels": [],
    "minimum": None,
    "integer": False,
    "release": {"rule": "unrevised", "wait": "PT1H"},
    "scores": [{"id": "ae", "kind": "absolute_error", "primary": True}],
    "scaling": {"kind": "none"},
    "baselines": [
        {"id": "last", "kind": "persistence"},
        {"id": "level", "kind": "ema"},
        {"id": "back", "kind": "ar1"},
        {"id": "best", "kind": "strongest", "pool": POOL},
    ],
    "truth": [[[] if value is None else [[None, value]] for value in own] for own in SERIES],
    "forecasts": [forecasts(own) for own in SERIES],
}

file = pathlib.Path(__file__).with_name("learning.json")
file.write_text(json.dumps(CASE, separators=(",", ":")) + "\n")
