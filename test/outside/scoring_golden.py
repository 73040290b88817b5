"""Independent figures for the measures and the built-in baselines, in numpy.

Usage: python3 test/outside/scoring_golden.py FOLDER
Writes FOLDER/measures.json and FOLDER/baselines.json: inputs and expected figures. Everything is
computed the plain way, from the definitions, origin by origin: no running sums, no shared code.
"""
import json
import math
import pathlib
import sys

import numpy as np

HORIZONS = [2, 4, 8, 16]
NAN = float("nan")


def made_closes(hours, seed):
    rng = np.random.default_rng(seed)
    returns = np.zeros(hours)
    for t in range(1, hours):
        returns[t] = -0.15 * returns[t - 1] + 0.005 * (1 + 0.5 * math.sin(t / 200)) * rng.standard_normal()
    closes = np.round(60000 * np.exp(np.cumsum(returns)), 2)
    for gap in (40, 1500, 1501):
        closes[gap] = NAN
    return closes


def ema(returns):
    alpha = 2 / 25
    weights = (1 - alpha) ** np.arange(len(returns))[::-1]
    return float(np.average(returns, weights=weights))


def simple_forecast(name, closes, t, h):
    p0 = closes[t]
    back = lambda hours: closes[t - hours] if t - hours >= 0 else NAN
    if name == "persistence":
        return p0
    if name == "seasonal_naive_24h":
        return back(24 - h) if not math.isnan(p0) else NAN
    if name == "drift_24h":
        return p0 * math.exp(h * math.log(p0 / back(24)) / 24)
    if name == "drift_7d":
        return p0 * math.exp(h * math.log(p0 / back(168)) / 168)
    count = {"ar1": 720, "ema_return_24h": 168}[name]
    if t < count:
        return NAN
    returns = np.diff(np.log(closes[t - count : t + 1]))
    if np.isnan(returns).any():
        return NAN
    if name == "ema_return_24h":
        return p0 * math.exp(h * ema(returns))
    design = np.column_stack([np.ones(count - 1), returns[:-1]])
    (a, b), *_ = np.linalg.lstsq(design, returns[1:], rcond=None)
    total, step = 0.0, returns[-1]
    for _ in range(h):
        step = a + b * step
        total += step
    return p0 * math.exp(total)


POOL = ["ar1", "drift_24h", "drift_7d", "ema_return_24h", "persistence", "seasonal_naive_24h"]


def at(values, index):
    return values[index] if 0 <= index < len(values) else NAN


def baselines():
    closes = made_closes(2400, 7)
    hours = len(closes)
    samples = list(range(3, hours, 89)) + [hours - 1]
    forecasts = {
        name: {h: np.array([simple_forecast(name, closes, t, h) for t in range(hours)]) for h in HORIZONS}
        for name in POOL
    }
    forecasts["strongest_simple"] = {}
    for h in HORIZONS:
        target = np.array([at(closes, t + h) for t in range(hours)])
        losses = np.array([np.abs(np.log(forecasts[name][h] / closes) - np.log(target / closes)) for name in POOL])
        usable = ~np.isnan(losses).any(axis=0)
        strongest = np.full(hours, NAN)
        for t in range(hours):
            earlier = [s for s in range(0, t - 16 - h + 1) if usable[s]]
            if not earlier:
                continue
            means = [math.fsum(losses[m][earlier]) / len(earlier) for m in range(len(POOL))]
            strongest[t] = forecasts[POOL[int(np.argmin(means))]][h][t]
        forecasts["strongest_simple"][h] = strongest

    def quantiles(name, h, t):
        own = forecasts[name][h]
        errors = [math.log(closes[s + h] / own[s]) for s in range(0, t - h + 1) if not math.isnan(closes[s + h] / own[s])]
        if len(errors) < 168 or math.isnan(own[t]):
            return [NAN] * 3
        return [own[t] * math.exp(np.quantile(errors[-720:], q)) for q in (0.1, 0.5, 0.9)]

    expected = {
        name: {str(h): [[float(own[h][t]), *map(float, quantiles(name, h, t))] for t in samples] for h in HORIZONS}
        for name, own in forecasts.items()
    }
    return {"closes": closes.tolist(), "origins": samples, "expected": expected}


def made_pairs(rng, n, missing, silent, vintages):
    p0 = np.round(60000 * np.exp(0.1 * rng.standard_normal(n)), 2)
    p1 = np.round(p0 * np.exp(0.01 * rng.standard_normal(n)), 2)
    return p0, p1, [made_model(rng, p0, p1, miss, hush, vint) for miss, hush, vint in zip(missing, silent, vintages)]


def made_model(rng, p0, p1, missing, silent, vintage):
    n = len(p0)
    forecast = np.round(p0 * np.exp(0.6 * np.log(p1 / p0) + 0.006 * rng.standard_normal(n)), 2)
    forecast[rng.random(n) < 0.05] = p0[0]
    still = rng.random(n) < 0.06
    forecast[still] = p0[still]
    width = 0.012 * np.exp(0.2 * rng.standard_normal(n))
    quantiles = [np.round(forecast * np.exp(z * width), 2) for z in (-1, 0.05, 1)]
    gone = rng.random(n) < missing
    mute = gone | (rng.random(n) < silent)
    return {
        "forecast": np.where(gone, NAN, forecast),
        "q10": np.where(mute, NAN, quantiles[0]),
        "q50": np.where(mute, NAN, quantiles[1]),
        "q90": np.where(mute, NAN, quantiles[2]),
        "vintage": np.where(rng.random(n) < 0.3, vintage, 0),
    }


def columns(p0, p1, model):
    r = np.log(p1) - np.log(p0)
    f = np.log(model["forecast"]) - np.log(p0)
    low, mid, high = (np.log(model[q]) - np.log(p0) for q in ("q10", "q50", "q90"))
    def pin(q, v):
        return np.where(r >= v, q * (r - v), (1 - q) * (v - r)) + 0 * v
    eligible = (np.abs(r) > 1e-6) & (np.abs(f) > 1e-6)
    return {
        "pointLoss": np.abs(f - r),
        "absolutePercentError": 100 * np.abs(model["forecast"] - p1) / p1,
        "logReturnBias": f - r,
        "percentBias": 100 * (model["forecast"] - p1) / p1,
        "directionError": np.where(eligible, (np.sign(f) != np.sign(r)).astype(float), NAN),
        "pinball_0.1": pin(0.1, low),
        "pinball_0.5": pin(0.5, mid),
        "pinball_0.9": pin(0.9, high),
        "intervalScore": (high - low) + 10 * np.maximum(low - r, 0) + 10 * np.maximum(r - high, 0),
        "coverage": np.where(np.isnan(low), NAN, ((model["q10"] <= p1) & (p1 <= model["q90"])).astype(float)),
        "width": high - low,
        "widthPercent": 100 * (model["q90"] - model["q10"]) / p0,
    }


def fmean(values):
    kept = [float(v) for v in values if not math.isnan(v)]
    return {"count": len(kept), "mean": math.fsum(kept) / len(kept) if kept else None}


def measures():
    rng = np.random.default_rng(11)
    n = 700
    p0, p1, models = made_pairs(rng, n, (0.04, 0.09), (0.03, 0.05), (1, 2))
    mask = (rng.random(n) < 0.35).astype(int)
    cols = [columns(p0, p1, model) for model in models]
    means = [
        {name: {"all": fmean(values), "masked": fmean(values[mask == 1])} for name, values in own.items()} for own in cols
    ]
    a, b = (model["vintage"] for model in models)
    same = (a == b) | (a == 0) | (b == 0)
    comparisons = {}
    for name in ("pointLoss", "directionError", "intervalScore", "pinball_0.1", "pinball_0.5", "pinball_0.9", "coverage"):
        difference = np.where(same, cols[0][name] - cols[1][name], NAN)
        kept = ~np.isnan(difference)
        comparisons[name] = {
            "all": {**fmean(difference), "comparator": fmean(cols[1][name][kept])["mean"]},
            "masked": {**fmean(difference[mask == 1]), "comparator": fmean(cols[1][name][kept & (mask == 1)])["mean"]},
        }
    plain = lambda values: [None if isinstance(v, float) and math.isnan(v) else v for v in values.tolist()]
    return {
        "p0": plain(p0),
        "p1": plain(p1),
        "mask": mask.tolist(),
        "models": [{key: plain(values) for key, values in model.items()} for model in models],
        "means": means,
        "comparisons": comparisons,
    }


def without_nan(value):
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, dict):
        return {key: without_nan(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_nan(each) for each in value]
    return value


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        for name, content in (("measures", measures()), ("baselines", baselines())):
            text = json.dumps(without_nan(content), separators=(",", ":"), allow_nan=False)
            (folder / f"{name}.json").write_text(text + "\n")
