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
pairs = pd.read_csv(folder / "pairs.csv", keep_default_na=False, na_values=[""])
losses = pd.read_csv(folder / "losses.csv", keep_default_na=False, na_values=[""])
[epsilon] = [score["epsilon"] for score in result["settings"]["rules"]["scores"] if score["kind"] == "direction"]
found = {}


def compare(name, ours, theirs):
    """Keeps the greatest distance; two missing figures are equal, one is infinitely far."""
    missing = [value is None or (isinstance(value, float) and np.isnan(value)) for value in (ours, theirs)]
    distance = 0.0 if all(missing) else np.inf if any(missing) else abs(ours - theirs)
    count, greatest = found.get(name, (0, 0.0))
    found[name] = (count + 1, max(greatest, float(distance)))


def measures(scored):
    """Every measure of every pair, from the prices."""
    p0, p1, forecast = (scored[c].to_numpy() for c in ("base", "outcome", "value"))
    ranged = (scored["interval_status"] == "scored").to_numpy()
    low, mid, high = (np.where(ranged, np.log(scored[f"q{q}"].to_numpy() / p0), np.nan) for q in (0.1, 0.5, 0.9))
    r, rhat = np.log(p1 / p0), np.log(forecast / p0)
    sided = (np.abs(r) > epsilon) & (np.abs(rhat) > epsilon)

    def pinball(q, quantile):
        return np.maximum(q * (r - quantile), (q - 1) * (r - quantile))

    width = high - low
    outside = np.where(r < low, low - r, 0) + np.where(r > high, r - high, 0)
    inside = np.where((low <= r) & (r <= high), 1.0, 0.0)
    return pd.DataFrame(
        {
            "point_loss": np.abs(rhat - r),
            "absolute_percent_error": 100 * np.abs(forecast - p1) / p1,
            "log_return_bias": rhat - r,
            "percent_bias": 100 * (forecast - p1) / p1,
            "direction_error": np.where(sided, (np.sign(r) != np.sign(rhat)).astype(float), np.nan),
            "interval_score": np.where(ranged, width + 10 * outside, np.nan),
            "pinball_0.1": pinball(0.1, low),
            "pinball_0.5": pinball(0.5, mid),
            "pinball_0.9": pinball(0.9, high),
            "coverage": np.where(ranged, inside, np.nan),
            "width": width,
            "width_percent": 100 * (np.exp(high) - np.exp(low)),
        },
        index=scored.index,
    )


scored = pairs[pairs["expected"] & (pairs["status"] == "scored")].reset_index(drop=True)
from_prices = measures(scored)
tested = [name for name in from_prices if name in losses]
assert list(scored["origin"]) == list(losses["origin"]), "losses are not of the scored pairs"
assert list(scored["model"]) == list(losses["model"])
for name in tested:
    ours, theirs = from_prices[name].to_numpy(), losses[name].to_numpy()
    assert (np.isnan(ours) == np.isnan(theirs)).all(), f"{name}: another pair has none"
    compare("losses", float(np.nanmax(np.abs(ours - theirs), initial=0)), 0.0)

for source, table in {
    "prices": pd.concat([scored[["model", "horizon"]], from_prices], axis=1),
    "losses": losses,
}.items():
    of = [name for name in from_prices if name in table]
    means = table.groupby(["model", "horizon"])[of].mean()
    # A model without a pair at a horizon has no mean there, nor over the horizons.
    names = [model["name"] for role in ("candidates", "comparators") for model in result["settings"][role]]
    means = means.reindex(pd.MultiIndex.from_product([names, result["settings"]["rules"]["steps"]]))
    overall = means.groupby(level=0).agg(lambda column: column.mean(skipna=False))
    for cell in result["reading"]["measures"]:
        if cell["scope"] != "all":
            continue
        model, step = cell["model"], cell["step"]
        row = overall.loc[model] if step == "overall" else means.loc[(model, step)]
        for measure in of:
            compare(f"scores from {source}", float(row[measure]), cell["means"].get(measure))

for test in result["reading"]["tests"]:
    if test["scope"] != "all" or test["step"] == "overall":
        continue
    of = losses[losses["horizon"] == test["step"]].set_index("origin")
    both = of[of["model"] == test["candidate"]].join(
        of[of["model"] == test["comparator"]], rsuffix="_other", how="inner"
    )
    named = both[["vintage_id", "vintage_sha256"]].notna().any(axis=1)
    named &= both[["vintage_id_other", "vintage_sha256_other"]].notna().any(axis=1)
    same = (both["vintage_id"].fillna("") == both["vintage_id_other"].fillna("")) & (
        both["vintage_sha256"].fillna("") == both["vintage_sha256_other"].fillna("")
    )
    both = both[~named | same]
    measure = test["score"]
    both = both[[measure, f"{measure}_other"]]
    if measure == "direction_error":
        # A direction that a candidate does not call counts half an error where the comparator calls one.
        both[measure] = both[measure].fillna(0.5)
    both = both.dropna()
    # A comparator that calls a direction in too few keys has no test of it.
    if test["observed"] is not None:
        compare("pairs of tests", len(both), test["pairs"])
        compare("tests", float((both[measure] - both[f"{measure}_other"]).mean()), test["observed"])
        compare("tests", float(both[f"{measure}_other"].mean()), test["comparator_mean"])

print(json.dumps({name: {"figures": count, "greatest": greatest} for name, (count, greatest) in found.items()}))
