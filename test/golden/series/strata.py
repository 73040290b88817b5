"""Levels of origins and their tests, from what evaluation.py wrote of the example daily.

    python3 test/golden/series/strata.py

writes test/golden/series/strata.json. The days are read from labels, the volatility from all rows that were public by
the time an origin was due, each view made anew.
"""
import csv
import gzip
import json
import math
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np

from evaluation import CASES, DAY, UTC, in_force, midnight, moved, tested

HERE = Path(__file__).parent
DRAFT = json.loads((HERE / "../../../templates/series/daily/draft.json").read_text())
PROTOCOL = {**DRAFT, **CASES["daily"]["changes"]}
ZONE = ZoneInfo(PROTOCOL["zone"])
CHANGES = {
    "dependence": {"block_origins": 3, "minimum_blocks": 10, "minimum_pairs": 30},
    "strata": [
        {
            "name": "day",
            "by": "weekday",
            "levels": [
                {"level": "early", "days": ["mon", "tue", "wed", "thu"]},
                {"level": "late", "days": ["fri", "sat"]},
            ],
        },
        {
            "name": "turmoil",
            "by": "past_volatility",
            "series": "north",
            "changes": 10,
            "transform": {"kind": "log_shift", "offset": "100"},
            "levels": [{"level": "calm", "below": "0.027"}, {"level": "rough"}],
        },
    ],
}


def rows(name):
    with gzip.open(HERE / "evaluation" / f"daily-{name}.csv.gz", "rt") as file:
        return list(csv.DictReader(file))


def days(first, last):
    return [first + timedelta(days=at) for at in range((last - first).days + 1)]


ALL = days(*CASES["daily"]["days"])
ENDS = [midnight(day + DAY, ZONE) for day in ALL]
DUE = [moved(end, PROTOCOL["origins"]["due"]["offset"], ZONE) for end in ENDS]
KNOWN = [moved(end, PROTOCOL["outcome"]["known"]["offset"], ZONE) for end in ENDS]


def releases(series):
    table = {str(day): [] for day in ALL}
    for row in rows("truth"):
        if row["series"] == series:
            as_of = datetime.fromisoformat(row["as_of"].replace("Z", "+00:00")).astimezone(UTC)
            table[row["period"]].append([as_of, float(row["value"]) if row["value"] else None])
    return [sorted(table[str(day)], key=lambda each: each[0]) for day in ALL]


def volatility(table, origin, changes):
    """The sample standard deviation of the last changes that are public; None if one of their values is missing."""
    at = DUE[origin]
    view = [in_force(own, at) if known <= at else None for own, known in zip(table, KNOWN)]
    there = [place for place, value in enumerate(view) if value is not None]
    last = view[max(0, there[-1] - changes) : there[-1] + 1] if there else []
    if len(last) <= changes or None in last:
        return None
    return float(np.std(np.diff(np.log(np.array(last) + 100)), ddof=1))


def levels_of(origins):
    early, late = (level["days"] for level in CHANGES["strata"][0]["levels"])
    table, name = releases("north"), lambda at: ALL[at].strftime("%a").lower()
    moves = {at: volatility(table, at, 10) for at in origins}
    return {
        "day/early": [at for at in origins if name(at) in early],
        "day/late": [at for at in origins if name(at) in late],
        "turmoil/calm": [at for at in origins if moves[at] is not None and moves[at] < 0.027],
        "turmoil/rough": [at for at in origins if moves[at] is not None and moves[at] >= 0.027],
    }


def written():
    first, last = (date.fromisoformat(label) for label in CASES["daily"]["window"])
    place = {str(day): at for at, day in enumerate(ALL)}
    window = [at for at, day in enumerate(ALL) if first <= day <= last]
    score = next(score for score in PROTOCOL["scores"] if score.get("primary"))
    losses = {}
    for row in rows("pairs"):
        if row["reason"] == "scored":
            key = (row["series"], place[row["origin"]], int(row["horizon"]))
            losses.setdefault(row["model"], {})[key] = float(row[score["id"]])
    world = {"protocol": {**PROTOCOL, **CHANGES}, "window": window, "primary": score, "due": DUE}
    series = sorted({row["series"] for row in rows("pairs")})
    models = sorted({row["model"] for row in rows("pairs")})
    baselines = [each["id"] for each in PROTOCOL["baselines"]]
    candidates = [model for model in models if model not in baselines]
    comparators = [name for name in PROTOCOL["comparisons"]["required"] if name in losses]
    golden = {"changes": CHANGES, "levels": {}, "tests": {}}
    for level, own in levels_of(window).items():
        golden["levels"][level] = [str(ALL[at]) for at in own]
        inside = lambda model: {key: loss for key, loss in losses[model].items() if key[1] in own}
        for candidate in candidates:
            for comparator in comparators:
                for step in ["overall", *PROTOCOL["horizons"]]:
                    cells = [(one, h) for one in series for h in PROTOCOL["horizons"] if step in ("overall", h)]
                    name = f"{candidate}/{comparator}/{score['id']}/{step}/stratum:{level.replace('/', '=')}"
                    golden["tests"][name] = tested(world, cells, inside(candidate), inside(comparator))
    return golden


if __name__ == "__main__":
    (HERE / "strata.json").write_text(json.dumps(written(), indent=1) + "\n")
