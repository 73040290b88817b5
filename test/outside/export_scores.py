"""Scores from exported tables alone, by formulas of docs/reference/scores.md written down a second time.

Usage: export_scores.py FOLDER. Reads pairs.csv, losses.csv and result.json in it and prints, as JSON, the greatest
difference to the result of each figure, and how many figures were compared.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

folder = Path(sys.argv[1])
result = json.loads((folder / "result.json").read_text())
text = {"vintage_id": str, "vintage_sha256": str, "origin_text": str}
pairs = pd.read_csv(folder / "pairs.csv", dtype=text, keep_default_na=False, na_values=[""])
losses = pd.read_csv(folder / "losses.csv", dtype=text, keep_default_na=False, na_values=[""])
epsilon = result["settings"]["direction_epsilon"]
found = {}


def compare(name, ours, theirs):
    """Keeps the greatest distance; two missing figures are equal, one is infinitely far."""
    missing = [value is None or (isinstance(value, float) and np.isnan(value)) for value in (ours, theirs)]
    distance = 0.0 if all(missing) else np.inf if any(missing) else abs(ours - theirs)
    count, greatest = found.get(name, (0, 0.0))
    found[name] = (count + 1, max(greatest, float(distance)))


def measures(scored):
    """Every measure of every pair, from the prices."""
    p0, p1, forecast = (scored[c].to_numpy() for c in ("origin_close_usd", "target_close_usd", "predicted_price_usd"))
    ranged = (scored["interval_status"] == "scored").to_numpy()
    low, mid, high = (np.where(ranged, np.log(scored[f"q{q}_usd"].to_numpy() / p0), np.nan) for q in (10, 50, 90))
    r, rhat = np.log(p1 / p0), np.log(forecast / p0)
    sided = (np.abs(r) > epsilon) & (np.abs(rhat) > epsilon)

    def pinball(q, quantile):
        return np.maximum(q * (r - quantile), (q - 1) * (r - quantile))

    width = high - low
    outside = np.where(r < low, low - r, 0) + np.where(r > high, r - high, 0)
    inside = np.where((low <= r) & (r <= high), 1.0, 0.0)
    median_error = np.abs(r - mid)
    return pd.DataFrame(
        {
            "ae_point": np.abs(rhat - r),
            "absolute_percent_error": 100 * np.abs(forecast - p1) / p1,
            "log_return_bias": rhat - r,
            "percent_bias": 100 * (forecast - p1) / p1,
            "direction_error": np.where(sided, (np.sign(r) != np.sign(rhat)).astype(float), np.nan),
            "interval_score": np.where(ranged, width + 10 * outside, np.nan),
            "pinball_0.1": pinball(0.1, low),
            "pinball_0.5": pinball(0.5, mid),
            "pinball_0.9": pinball(0.9, high),
            "interval_coverage_80": np.where(ranged, inside, np.nan),
            "width": width,
            "width_percent": 100 * (np.exp(high) - np.exp(low)),
            "ae_median": median_error,
            # Bracher et al. (2021): half the error of the median and a tenth of the interval score, over 1.5.
            "wis": np.where(ranged, (median_error / 2 + 0.1 * (width + 10 * outside)) / 1.5, np.nan),
        },
        index=scored.index,
    )


def stored(cell, measure):
    """The figure of a result that a column is the mean of."""
    interval = cell["interval"]
    if measure.startswith("pinball_"):
        return interval["pinball"][measure[8:]]
    places = {
        "ae_point": cell["point_loss"],
        "direction_error": cell["direction"]["error_rate"],
        "interval_score": interval["score"],
        "interval_coverage_80": interval["coverage"],
        "width": interval["width"],
        "width_percent": interval["width_percent"],
    }
    return places[measure] if measure in places else cell[measure]


scored = pairs[pairs["expected"] & (pairs["status"] == "scored")].reset_index(drop=True)
from_prices = measures(scored)
assert list(scored["origin_at"]) == list(losses["origin_at"]), "losses are not of the scored pairs"
assert list(scored["model"]) == list(losses["model"])
for name in from_prices:
    ours, theirs = from_prices[name].to_numpy(), losses[name].to_numpy()
    assert (np.isnan(ours) == np.isnan(theirs)).all(), f"{name}: another pair has none"
    compare("losses", float(np.nanmax(np.abs(ours - theirs), initial=0)), 0.0)

tables = {
    "prices": pd.concat([scored[["model", "horizon"]], from_prices], axis=1),
    "losses": losses,
}
for source, table in tables.items():
    means = table.groupby(["model", "horizon"])[list(from_prices)].mean()
    # A model without a pair at a horizon has no mean there, nor over the horizons.
    full = pd.MultiIndex.from_product([[m["name"] for m in result["models"]], result["settings"]["horizons_hours"]])
    means = means.reindex(full)
    overall = means.groupby(level=0).agg(lambda column: column.mean(skipna=False))
    for cell in result["measures"]:
        if cell["stratum"] != "all":
            continue
        model, horizon = cell["model"], cell["horizon"]
        row = overall.loc[model] if horizon == "overall" else means.loc[(model, horizon)]
        for measure in from_prices:
            if measure not in ("ae_median", "wis"):
                compare(f"scores from {source}", float(row[measure]), stored(cell, measure))

NAMES = {"point_loss": "ae_point", "coverage": "interval_coverage_80"}
# With a verdict hypothesis a direction that a candidate does not call counts half an error where the comparator calls one.
uncalled = "verdict" in result["settings"].get("inference", {}).get("weights", {})
for test in result["tests"]:
    if test["stratum"] != "all" or test["horizon"] == "overall":
        continue
    of = losses[losses["horizon"] == test["horizon"]].set_index("origin_at")
    both = of[of["model"] == test["candidate"]].join(
        of[of["model"] == test["comparator"]], rsuffix="_other", how="inner"
    )
    named = both[["vintage_id", "vintage_sha256"]].notna().any(axis=1)
    named &= both[["vintage_id_other", "vintage_sha256_other"]].notna().any(axis=1)
    same = (both["vintage_id"].fillna("") == both["vintage_id_other"].fillna("")) & (
        both["vintage_sha256"].fillna("") == both["vintage_sha256_other"].fillna("")
    )
    both = both[~named | same]
    measure = NAMES.get(test["measure"], test["measure"])
    both = both[[measure, f"{measure}_other"]]
    if measure == "direction_error" and uncalled:
        both[measure] = both[measure].fillna(0.5)
    both = both.dropna()
    compare("pairs of tests", len(both), test["pairs"])
    if test["observed"] is not None:
        compare("tests", float((both[measure] - both[f"{measure}_other"]).mean()), test["observed"])
        compare("tests", float(both[f"{measure}_other"].mean()), test["comparator_mean"])

print(json.dumps({name: {"figures": count, "greatest": greatest} for name, (count, greatest) in found.items()}))
