"""Forecasts as a pandas frame, written in every way that needs no further library: tables.py FOLDER"""

import sys

import pandas

origins = pandas.date_range("2026-01-31 12:00", periods=50, freq="h", tz="UTC")
rows = [
    {
        "origin_at": origin,
        "horizon_hours": hours,
        "model": model,
        "price_usd": round(50000.1 + hours / 3, 4),
        "q10_usd": 49000.0,
        "q50_usd": 50000.1,
        "q90_usd": 51000.7,
        "generated_at": origin + pandas.Timedelta(microseconds=30500001),
        "run_id": "r1",
        "source_price_usd": 50000.0,
        "source_name": "kraken",
    }
    for origin in origins
    for hours in (2, 4, 8, 16)
    for model in ("seer", 'naïve, "drift"')
]
frame = pandas.DataFrame(rows)
frame.loc[1::7, ["q10_usd", "q50_usd", "q90_usd"]] = None
folder = sys.argv[1]
frame.to_csv(f"{folder}/indexed.csv")
frame.to_csv(f"{folder}/frame.csv", index=False)
frame.to_json(f"{folder}/frame.ndjson", orient="records", lines=True, date_format="iso", date_unit="us", double_precision=15)
