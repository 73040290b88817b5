"""What the rules give to a registration: comparators, scales, and the tests of the family.

Sources: docs/registration.md, docs/reference/series.md (which baselines are asked).
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Any, Iterator

from .baselines import SEASONS, quantile, series_forecasts
from .chain import scope_name, test_name
from .documents import HOUR
from .outcomes import Releases
from .periods import Hours, Listed
from .scores import plain_transform

Row = dict[str, Any]
LOSSES = ("absolute_error", "pinball", "interval", "weighted_interval")


def comparators(rules: Row, not_asked: dict[str, set[str]]) -> list[Row]:
    """One for each model that is required and asked of a series, with all its names."""
    found: dict[str, Row] = {}
    every = {series["id"] for series in rules["series"]}
    for required in rules["required"]:
        for source, name in required["model"].items():
            new = {"source": source, "name": name, "required_as": []}
            found.setdefault(name, new)["required_as"].append(required["name"])
    return [own for own in found.values() if not every <= not_asked.get(own["name"], set())]


def scales(rules: Row) -> list[tuple[str, str]]:
    """Each series with each transform on which losses are scaled."""
    scaled = [] if rules["scaling"]["kind"] == "none" else [
        plain_transform(s["transform"]) for s in rules["scores"] if s["kind"] in LOSSES]
    return [(series["id"], on) for series in rules["series"] for on in dict.fromkeys(scaled)]


def group_of(series: list[Row]) -> dict[str, str]:
    """The group of each series, `rest` where it names none; empty where no series names one."""
    grouped = any(s.get("group") for s in series)
    return {s["id"]: s.get("group") or "rest" for s in series if grouped}


def _begins(rules: Row, periods: Listed) -> dict[str, int]:
    """Of each series the position of the first period in which a value is expected."""
    return {s["id"]: periods.place[s["from"]] if s["from"] else 0 for s in rules["series"]}


def _is_asked_for(season: str, starts: list[int]) -> bool:
    """Whether a season is longer than targets lie apart, or they lie in other parts of it."""
    apart, length = sorted(b - a for a, b in zip(starts, starts[1:])), SEASONS[season]
    near = 168 * HOUR if season == "year" else length / 14
    other = [d for d in apart if d < 4 * length and min(d % length, length - d % length) > near]
    short = quantile(list(map(float, apart)), 0.25) if apart else 0
    return length > 1.5 * short or 4 * len(other) >= max(1, len(apart))


def not_asked(rules: Row, periods: Listed, window: Row) -> list[Row]:
    """Baselines and series of which they could not forecast half of the keys from full values."""
    begins = _begins(rules, periods)
    every = sorted(periods.keys(rules, window["from"], window["to"]))
    targets = {periods.place[origin] + step for _, origin, step in every}
    starts = [periods.periods[at]["start"] for at in sorted(targets)]
    baselines, found = {b["id"]: b for b in rules["baselines"]}, []
    for name in (r["name"] for r in rules["required"] if r["name"] in baselines):
        baseline, reaches = baselines[name], dict[int, bool]()
        asked = not baseline["season"] or _is_asked_for(baseline["season"], starts)
        for series, begin in begins.items() if asked else ():
            if begin in reaches:
                continue
            wanted = {key: {"target": periods.target(*key[1:])} for key in every
                      if key[0] == series}
            places = [periods.place[pair["target"]] for pair in wanted.values()]
            values = Releases({(series, period["period"]): [(1.0, periods.known[at])]
                               for at, period in enumerate(periods.periods) if at >= begin},
                              periods, rules)
            half = sum(at >= begin for at in places) / 2
            made = (1 for _, (point, _) in series_forecasts(baseline, rules, values, wanted)
                    if point is not None)
            reaches[begin] = sum(islice(made, math.ceil(half))) >= half
        without = [series for series, begin in begins.items() if not reaches.get(begin, False)]
        found += [{"comparator": name, "series": without}] if without else []
    return found


def registered_cells(rules: Row, periods: Hours | Listed, window: Row) -> set[tuple[str, int]]:
    """Series and steps with as many keys as a test needs; of full hours all."""
    cells = {(series["id"], step) for series in rules["series"] for step in rules["steps"]}
    if isinstance(periods, Hours):
        return cells
    begins = _begins(rules, periods)
    count = dict.fromkeys(cells, 0)
    for series, origin, step in periods.keys(rules, window["from"], window["to"]):
        if periods.place[origin] + step >= begins[series]:
            count[series, step] += 1
    return {cell for cell in cells if count[cell] >= rules["dependence"]["minimum_pairs"]}


def family(registration: Row, periods: Hours | Listed, not_asked: dict[str, set[str]]) -> list[str]:
    """The names of all tests, in their order."""
    rules = registration["rules"]
    cells = registered_cells(rules, periods, registration["window"])
    candidates, sides = ([model["name"] for model in registration[name]]
                         for name in ("candidates", "comparators"))
    return [test_name(candidate, side, *of) for candidate in candidates for side in sides
            for of in _tests(rules, side, {
                c for c in cells if c[0] not in not_asked.get(side, ())})]


def _tests(rules: Row, comparator: str,
           cells: set[tuple[str, int]]) -> Iterator[tuple[str, int | str, str]]:
    """Score, step and scope of every test against a comparator, which is asked of these cells."""
    still = {b["id"] for b in rules["baselines"] if b["kind"] == "persistence"}
    scores = [s for s in rules["scores"] if s["tested"] is not None
              and not (s["kind"] == "direction" and comparator in still)]
    levels = [{"kind": "stratum", "name": stratum["name"], "level": level["level"]}
              for stratum in rules["strata"] for level in stratum.get("levels") or []]
    for scope in ["all", *map(scope_name, levels)]:
        yield from ((s["id"], "overall", scope) for s in scores if s["primary"])
        for step in rules["steps"]:
            if any(own == step for _, own in cells):
                yield from ((s["id"], step, scope) for s in scores)
    groups = group_of(rules["series"])
    for group in dict.fromkeys(groups.values()):
        if any(groups[series] == group for series, _ in cells):
            scope = scope_name({"kind": "group", "group": group})
            yield from ((s["id"], "overall", scope) for s in scores if s["tested"] == "deciding")
