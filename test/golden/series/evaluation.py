"""Histories and outcomes of three of the examples, paired, scored and tested by their definitions.

    python3 test/golden/series/evaluation.py

writes test/golden/series/evaluation/: what is imported (truth and forecasts), and what has to come out.
The protocols are the drafts of templates/series with the changes below. Nothing here is fast or clever: every view of
the outcomes is made anew from their releases, and every error of a baseline from the views.
"""
import gzip
import json
import math
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np

HERE = Path(__file__).parent
RANDOM = np.random.default_rng(20261123)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
UTC = timezone.utc


def instant(*parts):
    return datetime(*parts, tzinfo=UTC)


CASES = {
    "weekly": {
        "changes": {
            # The example gives waiting away.
            "origins": {"due": {"anchor": "end", "offset": "-PT73H"}},
            "series": [
                {"id": "US", "unit": "admissions", "source": "a hub", "group": "nation"},
                {"id": "06", "unit": "admissions", "source": "a hub", "group": "state"},
                {"id": "12", "unit": "admissions", "source": "a hub"},
            ],
            "baselines": [
                {"id": "last_value", "kind": "persistence", "errors": {"window": 30, "minimum": 10}},
                {"id": "last_season", "kind": "seasonal_naive", "season": "year", "errors": {"window": 25, "minimum": 12}},
            ],
            "comparisons": {"required": ["last_value", "last_season"]},
            "scores": [
                {"id": "wis_log", "kind": "weighted_interval", "transform": {"kind": "log_shift", "offset": "1"}, "primary": True},
                {"id": "wis", "kind": "weighted_interval"},
                {"id": "coverage_80", "kind": "coverage", "lower": "0.1", "upper": "0.9"},
                {"id": "turns", "kind": "direction", "epsilon": "0.02", "transform": {"kind": "log_shift", "offset": "1"}},
            ],
            "limits": {"availability": "0.05", "availability_stratum": "0.1", "harm": "0.05", "direction": "0.02", "practical_effect": "0.03"},
        },
        "list": "--weeks sunday --zone America/New_York --from 2025-02-02 --to 2028-01-29",
        "days": [date(2025, 2, 2), date(2028, 1, 29)],
        "window": ["2026-W46", "2028-W01"],
        "registered_at": instant(2026, 11, 1),
        "levels": {"US": 4000, "06": 400, "12": 90},
    },
    "load": {
        "changes": {
            "forecast": {"point": "median", "levels": ["0.1", "0.5", "0.9"], "minimum": "0", "integer": True},
            "baselines": [
                {"id": "last_week", "kind": "seasonal_naive", "season": "week", "errors": {"window": 25, "minimum": 15}}
            ],
            "comparisons": {"required": ["last_week"]},
            "dependence": {"block_origins": 7, "minimum_blocks": 10, "minimum_pairs": 60},
        },
        "list": "--hours --zone Europe/Berlin --from 2027-08-01 --to 2027-11-20 --origins 12:00 --steps tomorrow",
        "days": [date(2027, 8, 1), date(2027, 11, 20)],
        "window": ["2027-09-01T11:00", "2027-11-15T11:00"],
        "registered_at": instant(2027, 8, 20),
        "levels": {"DE": 900},
    },
    "daily": {
        "changes": {
            "series": [
                {"id": "north", "unit": "degrees Celsius", "source": "the weather service", "group": "coast"},
                {"id": "south", "unit": "degrees Celsius", "source": "the weather service"},
            ],
            "scores": [
                {"id": "wis", "kind": "weighted_interval"},
                {"id": "absolute_error", "kind": "absolute_error", "primary": True},
                {"id": "coverage_90", "kind": "coverage", "lower": "0.05", "upper": "0.95"},
            ],
            "dependence": {"block_origins": 3, "minimum_blocks": 16, "minimum_pairs": 80},
        },
        "list": "--days --zone Europe/Berlin --from 2027-01-01 --to 2027-06-30",
        "days": [date(2027, 1, 1), date(2027, 6, 30)],
        "window": ["2027-02-01", "2027-06-20"],
        "registered_at": instant(2027, 1, 31, 12),
        "levels": {"north": 8, "south": 14},
        # Little enough for a verdict: in the other two the candidate leaves out more than it may.
        "gone": 0.005,
        "faults": 0.03,
        # So that what is usual is far off.
        "walk": 0.96,
    },
}


# Periods ------------------------------------------------------------------------------------------------------------


def midnight(day, zone):
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def days_from(first, last, step=1):
    while first <= last:
        yield first
        first += timedelta(days=step)


def week_label(sunday):
    """The week is of the year that has most of its days, so that of its Wednesday."""
    wednesday = sunday + timedelta(days=3)
    return f"{wednesday.year}-W{(wednesday.timetuple().tm_yday - 1) // 7 + 1:02d}"


def periods_of(name, case, zone):
    """Label, start, end; None for no origin, or the steps of one (an empty list: all)."""
    first, last = case["days"]
    if name == "weekly":
        weeks = days_from(first, last, 7)
        return [[week_label(d), midnight(d, zone), midnight(d + 7 * DAY, zone), []] for d in weeks]
    if name == "daily":
        return [[str(d), midnight(d, zone), midnight(d + DAY, zone), []] for d in days_from(first, last)]
    hours, at, end = [], midnight(first, zone), midnight(last + DAY, zone)
    while at < end:
        label = at.astimezone(zone).strftime("%Y-%m-%dT%H:%M")
        again = hours and hours[-1][0] == label
        hours.append([label + ("/2" if again else ""), at, at + HOUR, None])
        at += HOUR
    for place, hour in enumerate(hours):
        clock = hour[2].astimezone(zone)
        if (clock.hour, clock.minute) != (12, 0):
            continue
        tomorrow = clock.date() + DAY
        steps = [at - place for at, each in enumerate(hours) if each[1].astimezone(zone).date() == tomorrow]
        hour[3] = steps or None
    return hours


def moved(at, offset, zone):
    """Days move the local date; hours the instant."""
    sign = -1 if offset.startswith("-") else 1
    days, _, time = offset.lstrip("-")[1:].partition("T")
    if days:
        local = at.astimezone(zone).replace(tzinfo=None) + sign * timedelta(days=int(days[:-1]))
        at = local.replace(tzinfo=zone).astimezone(UTC)
    if time:
        at += sign * timedelta(hours=int(time[:-1])) * (1 if time.endswith("H") else 0)
    return at


# Outcomes -----------------------------------------------------------------------------------------------------------


def made_truth(name, world):
    """By series and place: releases [as_of, value or None], ascending."""
    table = {}
    for series, level in world["case"]["levels"].items():
        walk, rows = 0.0, []
        for place, (_, start, end, _) in enumerate(world["periods"]):
            walk = world["case"].get("walk", 0.9) * walk + RANDOM.normal()
            rows.append(releases(name, world, series, level, walk, place))
        table[series] = rows
    return table


def releases(name, world, series, level, walk, place):
    _, start, end, _ = world["periods"][place]
    known, settled = world["known"][place], world["settled"][place]
    minutes = lambda: timedelta(minutes=int(RANDOM.integers(1, 59)))
    luck = RANDOM.random()
    # Of one series six weeks are never counted.
    gone = world["case"].get("gone", 0.02)
    if luck < gone or (series == "12" and 112 <= place < 118):
        return []
    if name == "daily":
        final = round(level + 3 * walk, 1)
        late = timedelta(hours=int(RANDOM.integers(0, 30)) if RANDOM.random() < 0.3 else 0)
        if luck < gone + 0.01:
            return [[settled + HOUR, final]]
        if luck < 0.05:
            return [[known, None], [known + 5 * HOUR, final]]
        if luck < 0.06:
            return [[settled, final]]
        own = [[known + late, final]]
        return own + ([[known + 3 * DAY, round(final + 0.4, 1)]] if luck > 0.8 else [])
    if name == "load":
        hour = start.astimezone(world["zone"]).hour
        final = int(level + 200 * math.sin((hour - 6) / 24 * 2 * math.pi) + 25 * walk)
        own = [[known + minutes(), final]]
        if luck < 0.05:
            own = [[end + timedelta(minutes=20), final - 30], [known + 30 * HOUR, final]]
        elif luck < 0.10:
            own += [[known + 2 * DAY + minutes(), final + 9]]
        elif luck < 0.14:
            own += [[settled, final + 7], [settled + HOUR, final + 11]]
        elif luck < 0.16:
            own += [[known + 2 * DAY, None]] + ([[settled + DAY, final]] if luck < 0.15 else [])
        return own
    season = math.sin(2 * math.pi * place / 26)
    final = int(round(level * math.exp(0.15 * walk + 0.5 * season)))
    own = [[known + DAY + minutes(), int(final * 0.9)], [known + 8 * DAY, int(final * 0.97)]]
    # A preliminary one, some of them at the very instant at which a forecast is due.
    if luck < 0.5:
        own.insert(0, [world["due"][place] + 7 * DAY if luck < 0.2 else end + HOUR, int(final * 0.8)])
    if luck < 0.05:
        own += [[known + 15 * DAY, None]] + ([[known + 40 * DAY, final]] if luck < 0.03 else [])
    elif luck < 0.15:
        own += [[settled, final], [settled + HOUR, final + 3]]
    else:
        own += [[known + 20 * DAY, final]]
    return sorted(own, key=lambda each: each[0])


def in_force(own, at):
    found = None
    for as_of, value in own:
        if as_of <= at:
            found = value
    return found


def seen_by(world, table, at):
    """Of each place what a baseline sees: nothing before a value could be known, whatever its date."""
    return [in_force(own, at) if known <= at else None for own, known in zip(table, world["known"])]


def counted(own, rule, settled):
    if rule == "as_of_lag":
        return in_force(own, settled)
    return next((value for as_of, value in own if value is not None and as_of <= settled), None)


# Forecasts ----------------------------------------------------------------------------------------------------------

FAULTS = ["gap", "failed", "abstained", "late", "lookahead", "cross", "incomplete", "below", "fraction"]


def made_forecasts(name, world, model, skill):
    protocol, rows = world["protocol"], []
    levels = protocol["forecast"]["levels"]
    least = protocol["forecast"].get("minimum")
    for origin in world["window"]:
        due = world["due"][origin]
        for series in sorted(world["truth"]):
            for step in world["steps"](origin):
                outcome = world["outcome"](series, origin + step)
                about = world["case"]["levels"][series] if outcome is None else outcome
                width = world["case"]["levels"][series] * 0.1
                point = about + RANDOM.normal(0, width * skill * math.sqrt(1 + abs(step) / world["reach"]))
                own = sorted(round(point + width * (float(q) - 0.5) * 3, 1) for q in levels)
                if least is not None:
                    own = [max(0.0, q) for q in own]
                if protocol["forecast"]["integer"]:
                    own = [round(q) for q in own]
                row = {"series": series, "origin": origin, "step": step, "model": model, "quantiles": own}
                row["made"] = due - timedelta(minutes=int(RANDOM.integers(0, 3)))
                if RANDOM.random() < world["case"].get("faults", 0.06):
                    fault = FAULTS[int(RANDOM.integers(len(FAULTS)))]
                    spoil(row, fault, due, protocol)
                if row.get("fault") != "gap":
                    rows.append(row)
    return rows


def spoil(row, fault, due, protocol):
    own = row["quantiles"]
    if fault == "fraction" and not protocol["forecast"]["integer"]:
        return
    if fault == "below" and "minimum" not in protocol["forecast"]:
        return
    row["fault"] = fault
    if fault == "late":
        row["made"] = due + timedelta(seconds=1)
    if fault == "lookahead":
        row["input"] = due + timedelta(seconds=1)
    if fault == "cross":
        own[0], own[1] = own[1] + 2, own[1]
    if fault == "incomplete":
        own[-1] = None
    if fault == "below":
        own[0] = -1
    if fault == "fraction":
        own[-1] += 0.5


REASON_OF = {
    "failed": "recorded_failure",
    "abstained": "recorded_abstention",
    "late": "published_late",
    "lookahead": "lookahead",
    "cross": "quantiles_cross",
    "incomplete": "quantiles_incomplete",
    "below": "out_of_range",
    "fraction": "not_integer",
}


# Baselines ----------------------------------------------------------------------------------------------------------

TO = {"identity": lambda x: x, "log_shift": lambda x: math.log(x + 1)}
BACK = {"identity": lambda z: z, "log_shift": lambda z: math.exp(z) - 1}


def transform_of(score):
    return score.get("transform", {"kind": "identity"})["kind"]


SEASONS = {"day": DAY, "week": 7 * DAY, "year": 365.25 * DAY}


def baseline_point(world, baseline, view, target):
    """Of each season back the value of the period that ends nearest, where that is near enough."""
    there = [at for at, value in enumerate(view) if value is not None]
    if baseline["kind"] == "persistence":
        return view[there[-1]] if there else None
    if baseline["kind"] == "drift":
        last = there[-1] if there else -1
        for k in range(50, 19, -1):
            if last >= k and view[last - k] is not None:
                return view[last] + (target - last) * (view[last] - view[last - k]) / k
        return None
    ends = [end for _, _, end, _ in world["periods"]]
    # A year is met up to seven days off, another season up to half of what targets lie apart or a fourteenth of itself.
    most = 7 * DAY if baseline["season"] == "year" else min(world["apart"] / 2, SEASONS[baseline["season"]] / 14)
    season = ends[target] - SEASONS[baseline["season"]]
    while season >= ends[0] - most:
        away, place = min((abs(end - season), -place) for place, end in enumerate(ends))
        if away <= most and view[-place] is not None:
            return view[-place]
        season -= SEASONS[baseline["season"]]
    return None


def sample_of(world, baseline, view, target):
    """The newest hundred values: of all, or of those that end near whole seasons before the target."""
    ends = [end for _, _, end, _ in world["periods"]]
    near = lambda at: True
    if "season" in baseline:
        length = SEASONS[baseline["season"]]
        most = max(7 * DAY, world["apart"]) if baseline["season"] == "year" else min(world["apart"] / 2, length / 14)
        # Seasons are far longer than what is near: of two whole ones at most one is.
        back = lambda at: max(1, round((ends[target] - ends[at]) / length))
        near = lambda at: abs(ends[target] - back(at) * length - ends[at]) <= most
    own = [view[at] for at in reversed(range(len(view))) if view[at] is not None and near(at)][:100]
    return own if len(own) >= (5 if "season" in baseline else 20) else None


def whole_or_not(protocol, value):
    if "minimum" in protocol["forecast"]:
        value = max(float(protocol["forecast"]["minimum"]), value)
    return math.floor(value + 0.5) if protocol["forecast"]["integer"] else value


def made_climatology(world, baseline):
    protocol, made = world["protocol"], {}
    for series, table in world["truth"].items():
        for origin in world["window"]:
            view = seen_by(world, table, world["due"][origin])
            for step in world["steps"](origin):
                own = sample_of(world, baseline, view, origin + step)
                levels = [float(q) for q in protocol["forecast"]["levels"]]
                made[series, origin, step] = own and [
                    whole_or_not(protocol, float(np.quantile(own, q, method="linear"))) for q in levels
                ]
    return made


def is_asked(world, baseline):
    """Whether it could forecast half of the keys if every value were there as soon as it can be known."""
    if "season" in baseline and SEASONS[baseline["season"]] <= 1.5 * world["apart"]:
        return False
    made = made_baseline({**world, "truth": {"any": [[[at, 1.0]] for at in world["known"]]}}, baseline)
    return 2 * sum(own is not None for own in made.values()) >= len(made)


def made_baseline(world, baseline):
    """By series, origin and step: None for an abstention, or the quantiles."""
    if baseline["kind"].endswith("climatology"):
        return made_climatology(world, baseline)
    protocol, due, known = world["protocol"], world["due"], world["known"]
    kind = transform_of(world["primary"])
    to, back, by = TO[kind], BACK[kind], baseline["errors"]
    made = {}
    for series, table in world["truth"].items():
        views = {o: seen_by(world, table, due[o]) for o in world["origins"]}
        points = {
            (o, h): baseline_point(world, baseline, views[o], o + h) for o in world["origins"] for h in world["steps"](o)
        }
        for origin in world["window"]:
            for step in world["steps"](origin):
                errors = []
                for earlier in world["origins"]:
                    if earlier >= origin or step not in world["steps"](earlier):
                        continue
                    outcome, point = views[origin][earlier + step], points[earlier, step]
                    if known[earlier + step] <= due[origin] and outcome is not None and point is not None:
                        errors.append(to(outcome) - to(point))
                errors = errors[-by["window"] :]
                point = points[origin, step]
                if point is None or len(errors) < by["minimum"]:
                    made[series, origin, step] = None
                    continue
                both = np.array(errors + [-error for error in errors])
                shifts = [np.quantile(both, float(q), method="linear") for q in protocol["forecast"]["levels"]]
                own = [whole_or_not(protocol, back(to(point) + float(shift))) for shift in shifts]
                own[protocol["forecast"]["levels"].index("0.5")] = point
                made[series, origin, step] = own
    return made


# Scores -------------------------------------------------------------------------------------------------------------


def calls(score, value, base):
    """To which side a value lies of what persistence says; 0 where it lies too near, None where nothing is known."""
    if base is None:
        return None
    to = TO[transform_of(score)]
    move = to(value) - to(base)
    return 0 if abs(move) <= float(score["epsilon"]) else math.copysign(1, move)


def loss_of(score, levels, quantiles, outcome, scale, base):
    of = dict(zip(levels, quantiles))
    if score["kind"] == "direction":
        ours, real = calls(score, of["0.5"], base), calls(score, outcome, base)
        return float(ours != real) if ours and real else None
    if score["kind"] == "coverage":
        return float(of[score["lower"]] <= outcome <= of[score["upper"]])
    to = TO[transform_of(score)]
    y = to(outcome)
    if score["kind"] == "absolute_error":
        return abs(to(of["0.5"]) - y) / scale
    # The mean over all levels of twice the pinball loss.
    losses = [2 * max(float(q) * (y - to(v)), (float(q) - 1) * (y - to(v))) for q, v in of.items()]
    return sum(losses) / len(losses) / scale


def scale_of(world, series, transform):
    """The mean absolute difference of values in force when it was registered, on the transform of a score."""
    scaling = world["protocol"]["scaling"]
    if scaling["kind"] == "none":
        return 1.0
    to, at = TO[transform], world["case"]["registered_at"]
    view = seen_by(world, world["truth"][series], at)
    steps = scaling["period_steps"]
    pairs = [(a, b) for a, b in zip(view[steps:], view) if a is not None and b is not None]
    return math.fsum(abs(to(a) - to(b)) for a, b in pairs) / len(pairs)


# Tests --------------------------------------------------------------------------------------------------------------


def student_tail(t, nu):
    """Two-sided, for a whole even or odd nu, in closed form (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    theta = math.atan2(abs(t), math.sqrt(nu))
    sine, cosine = math.sin(theta), math.cos(theta)
    if nu % 2 == 0:
        term, total = 1.0, 1.0
        for k in range(1, nu // 2):
            term *= (2 * k - 1) / (2 * k) * cosine**2
            total += term
        return 1 - sine * total
    term, total = cosine, cosine
    for k in range(1, (nu - 1) // 2):
        term *= 2 * k / (2 * k + 1) * cosine**2
        total += term
    return 1 - 2 / math.pi * (theta + (sine * total if nu > 1 else 0))


def origins_a_day(dues):
    """Most forecasts that are due within one stretch of 23 hours; 23 of them are a day of 24."""
    most = max(sum(first <= due < first + timedelta(hours=23) for due in dues) for first in dues)
    return 24 if most == 23 else most


CHARGED = ["persistence", "drift", "seasonal_naive"]


def has_begun(world, origin, step):
    """Whether a part of a target is over when its forecast is due."""
    _, start, end, _ = world["periods"][origin + step]
    due = world["due"][origin]
    return start < due if world["protocol"]["outcome"]["over"] == "period" else end <= due


def left(world, series, origin, step):
    """The share of the time that is left when a forecast is due, since the end of the newest period with a value in force."""
    if has_begun(world, origin, step):
        return 0.0
    due, periods = world["due"][origin], world["periods"]
    seen = [at for at, value in enumerate(seen_by(world, world["truth"][series], due)) if value is not None]
    if not seen:
        return 1.0
    end, since = periods[origin + step][2], periods[seen[-1]][2]
    return 0.0 if since >= end else min(1.0, (end - due) / (end - since))


def differences(world, cells, own, other, share=None):
    """By cell: candidate minus comparator, or minus a share of it, at each origin of the window, NaN without a pair."""
    part = lambda key: 1.0 if share is None else share[key]
    both = lambda key: own[key] - part(key) * other[key] if key in own and key in other else math.nan
    return {(one, h): np.array([both((one, o, h)) for o in world["window"]]) for one, h in cells}


def with_gaps(world, cells, own, other, end, share=None):
    """
    The same with the mean of the k worst (or best) in the place of k outcomes that are missing; and the cell that counts,
    which is another of its step where it has no pair, or its series no outcome at more than half of its keys.
    """
    lacking, silent = world["lacking"], world["silent"]
    filled, means = {}, {}
    for cell, row in differences(world, cells, own, other, share).items():
        there = np.sort(row[~np.isnan(row)])
        k = int(lacking[cell].sum())
        if k and len(there):
            row = np.where(lacking[cell], np.mean(there[-k:] if end == "worst" else there[:k]), row)
        filled[cell] = (row, lacking[cell], True)
        if len(there) and cell[0] not in silent:
            means[cell] = np.nanmean(row)
    best = max if end == "worst" else min
    for cell in cells:
        others = [other for other in means if other[1] == cell[1]]
        if cell not in means and others:
            row, lacks, _ = filled[best(others, key=means.get)]
            filled[cell] = (row, lacks, False)
    return filled


def tested(world, cells, own, other, gaps=None, widths=True):
    """
    The mean over cells of the mean differences, with the origin as the unit; None where it is blocked.
    gaps: as with_gaps has them; what they fill is part of the mean, and no pair.
    widths: whether what is tested sees widths of intervals, where the primary score does.
    """
    by, origins = world["protocol"]["dependence"], world["window"]
    block, whole = by["block_origins"], len(origins) // by["block_origins"]
    if gaps is None:
        gaps = {cell: (row, np.zeros(len(row), bool), True) for cell, row in differences(world, cells, own, other).items()}
    d = np.array([gaps[cell][0] for cell in cells])
    there = ~np.isnan(d)
    pair = there & ~np.array([gaps[cell][1] for cell in cells]) if cells else there
    blocks = lambda row: len({at // block for at in np.flatnonzero(row) if at // block < whole})
    if not cells or min(there.sum(axis=1)) < by["minimum_pairs"]:
        return None
    if min(blocks(row) for row in there) < max(10, by["minimum_blocks"]):
        return None
    means = np.array([math.fsum(row[k]) / k.sum() for row, k in zip(d, there)])
    estimate = math.fsum(means) / len(cells)
    union = there.any(axis=0)
    n, pairs, e = int(union.sum()), int(pair.any(axis=0).sum()), blocks(pair.any(axis=0))
    u = np.zeros(n)
    for row, k, mean in zip(d, there, means):
        u += np.where(k, np.nan_to_num(row) - mean, 0.0)[union] * n / k.sum() / len(cells)
    most = 16 if not widths or world["primary"]["kind"] == "absolute_error" else 8
    days = pairs / origins_a_day([world["due"][o] for o in origins])
    if days < 16 or pairs < by["minimum_pairs"] or e < max(10, by["minimum_blocks"]):
        return None
    slow, quick = (min(m, e // b, pairs // 10, int(days // 4)) for m, b in ((8, 2), (16, 4)))
    nu = max(4, slow, quick if most == 16 else 0)
    i = np.arange(n)
    mine = [cell for cell in cells if gaps[cell][2]]
    shared = [[other[s, o, h] for o in origins if (s, o, h) in own and (s, o, h) in other] for s, h in mine]
    theirs = [math.fsum(each) / len(each) for each in shared]
    waves = [math.sqrt(2 / n) * math.fsum(u * np.cos(np.pi * j * (i + 0.5) / n)) for j in range(1, nu + 1)]
    error = math.sqrt(math.fsum(wave**2 for wave in waves) / nu / n)
    figures = {"estimate": estimate, "error": error, "nu": nu, "pairs": pairs, "blocks": e}
    return {**figures, "comparator": math.fsum(theirs) / len(theirs), "p": student_tail(estimate / error, nu)}


def student_quantile(level, nu):
    """The t that leaves a level outside, both ends together."""
    low, high = 0.0, 1e6
    while high - low > 1e-13 * max(1.0, low):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tail(middle, nu) > level else (low, middle)
    return (low + high) / 2


def missing_of(world, groups):
    """Shares of outcomes that are missing: of all keys, of groups, of large series without scales, before the window."""
    keys, lacking, found = world["keys"], world["lacking"], []
    share = lambda of: sum(int(lacking[c].sum()) for c in of) / sum(int(keys[c].sum()) for c in of)
    if share(keys) > 0.02:
        found.append(share(keys))
    for group in dict.fromkeys(groups.values()):
        own = share([c for c in keys if groups[c[0]] == group])
        if group is not None and own > 0.1:
            found.append(own)
    if world["protocol"]["scaling"]["kind"] == "none" and len(world["truth"]) > 1:
        found += [share([c for c in keys if c[0] == one]) for one in sorted(world["silent"])]
    before = [world["outcome"](one, at) is None for one in world["truth"] for at in range(world["window"][0])]
    if sum(before) > 0.1 * len(before):
        found.append(sum(before) / len(before))
    return found


def verdict_p(own, harm, directions, limit_of_direction):
    """The largest over all parts: better over all cells, and at no horizon worse by the limit; None where one is blocked."""
    found = []
    for figures in directions:
        if figures is None:
            return None
        room = limit_of_direction - figures["estimate"]
        found.append(student_tail(room / figures["error"], figures["nu"]) if room > 0 else 1.0)
    for test, figures in own.items():
        if "group=" in test.split("/")[-1] or test.split("/")[2] == "turns":
            continue
        if figures is None:
            return None
        limit = 0 if test.endswith("/overall") else harm * figures["comparator"]
        room = limit - figures["estimate"]
        found.append(student_tail(room / figures["error"], figures["nu"]) if room > 0 else 1.0)
    return max(found)


def ladder(tests, verdicts, alpha, far):
    """
    Weighted Holm, by name: what becomes of it, its adjusted p, and the level that is left to its bounds. A verdict takes the
    overall tests of its candidate with it.
    """
    p = {name: figures and figures["p"] for name, figures in tests.items()} | verdicts
    weight = {name: 0.4 / len(tests) for name in tests} | {name: 0.6 / len(verdicts) for name in verdicts}
    left, adjusted, stopped = set(p), 0.0, None
    found = {name: ["blocked", None, None] for name in p if p[name] is None}
    while known := sorted((p[name] / weight[name], name) for name in left if p[name] is not None):
        first = known[0][1]
        of = math.fsum(weight[name] for name in left)
        adjusted = max(adjusted, min(1.0, known[0][0] * of))
        stopped = of if adjusted > alpha and stopped is None else stopped
        step = {first}
        if first in verdicts:
            own = [name for name in tests if name.startswith(first + "/") and name.endswith("/overall")]
            step |= {name for name in own if name in left and p[name] is not None and name.split("/")[1] not in far}
        for name in step:
            word = "rejected" if adjusted <= alpha else "not_rejected"
            found[name] = [word, adjusted, alpha * weight[name] / (stopped or of)]
        left -= step
    return found


def about(figures, level):
    half = student_quantile(level, figures["nu"]) * figures["error"]
    return [figures["estimate"] - half, figures["estimate"] + half]


def silence(world, found, candidate):
    """Whether a candidate leaves out more of the keys with an outcome than it may: of a step, of all, of a series."""
    limits, keys = world["protocol"]["limits"], {}
    for (model, one, _, h), (reason, _) in found.items():
        if model == candidate and reason != "outcome_missing":
            keys.setdefault((one, h), []).append(reason != "scored")
    share = lambda of: sum(map(sum, of)) / sum(map(len, of))
    steps = world["protocol"]["horizons"]
    parts = [[row for (_, h), row in keys.items() if h == step] for step in steps] + [list(keys.values())]
    if any(share(of) > float(limits["availability"]) for of in parts):
        return True
    ones = [[row for (s, _), row in keys.items() if s == one and len(row) >= 30] for one in world["truth"]]
    return any(share(of) > float(limits["availability_stratum"]) for of in ones if of)


def disposition(candidate, world, of, steps, missing, is_silent):
    """What is said of a candidate in the end."""
    own = lambda table: {name: value for name, value in table.items() if name.startswith(candidate + "/")}
    limits = {name: float(value) for name, value in world["protocol"]["limits"].items()}

    def limit(name, harm):
        if name.endswith("/overall"):
            return 0.0
        return limits["direction"] if "/turns/" in name else harm * of["worst"][name]["comparator"]

    whole = {name: of["best"][name] for name in own(of["best"]) if "group=" not in name}
    asked = {name for name in whole if "/turns/" not in name or name in steps}
    groups = [name for name in own(of["worst"]) if "group=" in name and "/turns/" not in name]
    if is_silent or of["verdicts"][candidate] is None:
        return "blocked"
    if any(whole[name] is None for name in asked) or any(name not in of["group_bounds"] for name in groups):
        return "blocked"
    if missing:
        return "inconclusive"
    if any(of["simultaneous"][name][0] > limit(name, max(0.05, limits["harm"])) for name in asked):
        return "negative"
    better = of["decisions"][candidate] == "rejected" and all(found >= least for least, found in own(of["floors"]).values())
    safe = all(of["group_bounds"][name] <= limits["harm"] * of["worst"][name]["comparator"] for name in groups)
    return "eligible_for_human_review" if better and safe else "inconclusive"


# All of it ----------------------------------------------------------------------------------------------------------


def world_of(name):
    case = CASES[name]
    draft = json.loads((HERE / "../../../templates/series" / name / "draft.json").read_text())
    protocol = {**draft, **case["changes"]}
    zone = ZoneInfo(protocol["zone"])
    periods = periods_of(name, case, zone)
    due = [moved(p[2], protocol["origins"]["due"]["offset"], zone) for p in periods]
    known = [moved(p[2], protocol["outcome"]["known"]["offset"], zone) for p in periods]
    release = protocol["outcome"]["release"]
    if "lag" in release:
        settled = [moved(p[2], release["lag"], zone) for p in periods]
    else:
        settled = [moved(at, release["wait"], zone) for at in known]

    def steps(origin):
        own = periods[origin][3]
        return [] if own is None else [h for h in own or protocol["horizons"] if 0 <= origin + h < len(periods)]

    origins = [at for at in range(len(periods)) if steps(at)]
    first, last = [[p[0] for p in periods].index(label) for label in case["window"]]
    world = {
        **{"case": case, "protocol": protocol, "zone": zone, "periods": periods},
        **{"due": due, "known": known, "settled": settled, "steps": steps, "origins": origins},
        "window": [at for at in origins if first <= at <= last],
        "reach": max(protocol["horizons"]),
        "primary": next(score for score in protocol["scores"] if score.get("primary")),
    }
    targets = sorted({o + h for o in world["window"] for h in steps(o)})
    starts = [periods[at][1] for at in targets]
    apart = [(late - early).total_seconds() for early, late in zip(starts, starts[1:])]
    world["apart"] = timedelta(seconds=float(np.median(apart)))
    world["truth"] = made_truth(name, world)
    world["outcome"] = lambda series, at: counted(world["truth"][series][at], release["rule"], settled[at])
    return world


def judged(world, forecasts, baselines):
    """Reason and quantiles of every expected attempt: by model, series, origin and step."""
    rows = {(r["model"], r["series"], r["origin"], r["step"]): r for r in forecasts}
    models = sorted({r["model"] for r in forecasts}) + sorted(baselines)
    found = {}
    for model in models:
        for series in sorted(world["truth"]):
            for origin in world["window"]:
                for step in world["steps"](origin):
                    key = (series, origin, step)
                    row = rows.get((model, *key))
                    if world["outcome"](series, origin + step) is None:
                        found[model, *key] = ("outcome_missing", None)
                    elif model in baselines:
                        own = baselines[model][key]
                        found[model, *key] = ("recorded_abstention" if own is None else "scored", own)
                    elif row is None:
                        found[model, *key] = ("forecast_missing", None)
                    else:
                        found[model, *key] = (REASON_OF.get(row.get("fault"), "scored"), row["quantiles"])
    return models, found


def results(world, models, found):
    protocol, window = world["protocol"], world["window"]
    levels, series = protocol["forecast"]["levels"], sorted(world["truth"])
    transforms = {transform_of(score) for score in protocol["scores"]}
    scales = {(one, on): scale_of(world, one, on) for one in series for on in transforms}
    seen = {}

    def base(one, origin):
        if (one, origin) not in seen:
            view = seen_by(world, world["truth"][one], world["due"][origin])
            seen[one, origin] = baseline_point(world, {"kind": "persistence"}, view, None)
        return seen[one, origin]

    losses = {
        (model, score["id"]): {
            (one, o, h): loss_of(score, levels, q, world["outcome"](one, o + h), scales[one, transform_of(score)], base(one, o))
            for (name, one, o, h), (reason, q) in found.items()
            if name == model and reason == "scored"
        }
        for model in models
        for score in protocol["scores"]
    }
    # A forecast without a direction has no error of its own.
    losses = {of: {key: loss for key, loss in own.items() if loss is not None} for of, own in losses.items()}
    minimum, cells = protocol["dependence"]["minimum_pairs"], []
    everywhere = [(one, h) for one in series for h in protocol["horizons"]]
    world["keys"] = keys = {(one, h): np.array([h in world["steps"](o) for o in window]) for one, h in everywhere}
    world["lacking"] = lacking = {
        (one, h): np.array([bool(k) and world["outcome"](one, o + h) is None for o, k in zip(window, keys[one, h])])
        for one, h in everywhere
    }
    count = lambda table, one: sum(int(row.sum()) for (s, _), row in table.items() if s == one)
    world["silent"] = silent = {one for one in series if 2 * count(lacking, one) > count(keys, one)}
    for one, h in everywhere:
        asked = int(keys[one, h].sum()) >= minimum
        cells.append((one, h, asked, asked and one not in silent))
    registered = [(one, h) for one, h, asked, _ in cells if asked]
    overall = [(one, h) for one, h, _, shown in cells if shown]
    begun = {
        h: [has_begun(world, o, h) for one in series for at, o in enumerate(window) if keys[one, h][at]]
        for h in protocol["horizons"]
    }
    nowcasts = [h for h, of in begun.items() if sum(of) > 0.05 * len(of)]
    if all(h in nowcasts for _, h in registered):
        raise ValueError("only nowcasts")
    deciding = [cell for cell in registered if cell[1] not in nowcasts]
    shown = [cell for cell in overall if cell in deciding]
    groups = {each["id"]: each.get("group") for each in protocol["series"]}
    if any(groups.values()):
        groups = {one: group or "rest" for one, group in groups.items()}
    tests = {"overall": deciding}
    for h in protocol["horizons"]:
        if any(step == h for _, step in registered):
            tests[str(h)] = [cell for cell in registered if cell[1] == h]
    for group in dict.fromkeys(group for group in groups.values() if group):
        tests[f"group={group}"] = [cell for cell in deciding if groups[cell[0]] == group]
    primary, required = world["primary"]["id"], world["asked"]
    outcome, charged, best, bounds, overalls, waiting = {}, {}, {}, {}, {}, {}
    kinds = {each["id"]: each["kind"] for each in protocol["baselines"]}
    shares = {(one, o, h): left(world, one, o, h) for one, h in registered for o in window if h in world["steps"](o)}
    for comparator in [name for name in required if kinds[name] in CHARGED]:
        for h in ["overall", *protocol["horizons"]]:
            own = [cell for cell in (shown if h == "overall" else overall) if h in ("overall", cell[1])]
            loss = losses[comparator, primary]
            at = {cell: [key for key in loss if (key[0], key[2]) == cell] for cell in own}
            mean = lambda of: math.fsum(math.fsum(of(key) for key in each) / len(each) for each in at.values()) / len(own)
            if not own:
                waiting[f"{comparator}/{h}"] = 0.0
                continue
            waiting[f"{comparator}/{h}"] = 1 - mean(lambda key: shares[key] * loss[key]) / mean(lambda key: loss[key])
    for candidate in [model for model in models if model not in required]:
        for comparator in required:
            both = losses[candidate, primary], losses[comparator, primary]
            worst, kind = (with_gaps(world, registered, *both, end) for end in ("worst", "best"))
            if kinds[comparator] in CHARGED:
                part = with_gaps(world, registered, *both, "worst", shares)
            else:
                part = worst
            overalls[f"{candidate}/{comparator}/overall"] = tested(world, deciding, *both, part)
            for test, own in tests.items():
                name = f"{candidate}/{comparator}/{test}"
                outcome[name] = tested(world, [cell for cell in own if cell in overall], *both)
                charged[name] = tested(world, own, *both, worst)
                best[name] = tested(world, own, *both, kind)
                if test.startswith("group=") and charged[name]:
                    made = charged[name]
                    bounds[name] = made["estimate"] + student_quantile(0.2, made["nu"]) * made["error"]
    turns = next((score for score in protocol["scores"] if score["kind"] == "direction"), None)
    turned = set()
    directions = {model: [] for model in models}
    for candidate in [model for model in models if turns and model not in required]:
        # Half an error where it calls none although the outcome moved.
        ours = dict(losses[candidate, "turns"])
        for (name, one, o, h), (reason, q) in found.items():
            moved_to = name == candidate and reason == "scored" and calls(turns, world["outcome"](one, o + h), base(one, o))
            if moved_to and (one, o, h) not in ours:
                ours[one, o, h] = 0.5
        for comparator in required:
            if next(each for each in protocol["baselines"] if each["id"] == comparator)["kind"] == "persistence":
                continue
            both = ours, losses[comparator, "turns"]
            said = lambda cell: sum((one, step) == cell for one, _, step in both[1])
            enough = {cell for cell in deciding if said(cell) >= math.ceil(1.1 * max(30, minimum) - 1e-9)}
            worst, kind = (with_gaps(world, registered, *both, end) for end in ("worst", "best"))
            mean = []
            for test, own in tests.items():
                if test == "overall":
                    continue
                own = [cell for cell in own if cell in enough]
                mean += [] if test.startswith("group=") else own
                name = f"{candidate}/{comparator}/turns/{test}"
                turned |= {name} if own else set()
                outcome[name] = tested(world, [cell for cell in own if cell in overall], *both, None, False)
                charged[name] = tested(world, own, *both, worst, False)
                best[name] = tested(world, own, *both, kind, False)
            if mean:
                directions[candidate].append((comparator, tested(world, mean, *both, worst, False)))
    means = {}
    for model in models:
        for score in protocol["scores"]:
            own = losses[model, score["id"]]
            by_cell = {
                (one, h): [value for (s, _, step), value in own.items() if (s, step) == (one, h)] for one, h, _, _ in cells
            }
            if all(by_cell[cell] for cell in shown):
                mean = math.fsum(math.fsum(by_cell[c]) / len(by_cell[c]) for c in shown) / len(shown)
                means[f"{model}/{score['id']}"] = mean
    limits, alpha = protocol["limits"], float(protocol["uncertainty"]["alpha"])
    # A standard comparator far beyond the best one is no part of a verdict.
    far = []
    for name in required:
        at = lambda of, model: math.fsum(
            math.fsum(v for (s, _, h), v in losses[model, primary].items() if (s, h) == cell)
            / sum((s, h) == cell for s, _, h in losses[model, primary])
            for cell in of
        ) / len(of)
        # Here each is asked of every series, or of none.
        nearest = min(required, key=lambda other: at(shown, other))
        parts = [shown] + [[cell for cell in overall if cell[1] == h] for h in {cell[1] for cell in overall}]
        if all(at(of, name) > 1.5 * at(of, nearest) for of in parts):
            far.append(name)
    # Else waiting would be charged against the usual values, too.
    assert not any(each["kind"] == "persistence" and each["id"] in far for each in protocol["baselines"])
    own = lambda model: {
        k: v
        for k, v in {**charged, **overalls}.items()
        if k.startswith(f"{model}/") and k.split("/")[1] not in far
    }
    # What an improvement has to reach, and does.
    floors = {}
    for name, figures in charged.items():
        if figures and name.endswith("/overall"):
            asked = float(limits["practical_effect"]) + waiting.get(name.split("/", 1)[1], 0.0)
            floors[name] = [asked, -figures["estimate"] / figures["comparator"]]
    verdicts = {
        model: verdict_p(own(model), float(limits["harm"]), [of for name, of in directions[model] if name not in far], float(limits.get("direction", 0)))
        for model in models
        if model not in required
    }
    rungs, whole = ladder(outcome, verdicts, alpha, far), [name for name in outcome if "group=" not in name]
    ends = lambda name: name.endswith("/overall")
    sharing = {True: sum(map(ends, whole)), False: sum(not ends(name) for name in whole)}
    golden = {
        "verdicts": verdicts,
        "decisions": {name: word for name, (word, _, _) in rungs.items()},
        "adjusted": {name: p for name, (_, p, _) in rungs.items() if p is not None},
        "bounds": {name: about(own, alpha) for name, own in outcome.items() if own},
        "bounds_adjusted": {name: about(own, rungs[name][2]) for name, own in outcome.items() if own},
        "simultaneous": {name: about(best[name], alpha / 2 / sharing[ends(name)]) for name in whole if best[name]},
        "scales": {one: scales[one, transform_of(world["primary"])] for one in series if protocol["scaling"]["kind"] != "none"},
        "cells": [[one, h, whole, own] for one, h, whole, own in cells],
        "tests": outcome,
        "worst": charged,
        "overall_parts": overalls,
        "waiting": waiting,
        "nowcasts": nowcasts,
        "far_off": far,
        "floors": floors,
        "best": best,
        "group_bounds": bounds,
        "missing": missing_of(world, groups),
        "not_asked": [name for name in protocol["comparisons"]["required"] if name not in required],
        "means": means,
    }
    golden["dispositions"] = {
        one: disposition(one, world, golden, turned, golden["missing"], silence(world, found, one)) for one in verdicts
    }
    return losses, golden


def text(at):
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def figure(value):
    return "" if value is None else f"{value:.14g}"


def write(name, header, rows):
    body = "\n".join([header, *[",".join(row) for row in rows]]) + "\n"
    with open(HERE / "evaluation" / f"{name}.csv.gz", "wb") as file:
        # Without a name and a time, so that the same rows are the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            packed.write(body.encode())


def written(name):
    world = world_of(name)
    protocol, periods, case = world["protocol"], world["periods"], world["case"]
    labels, levels = [p[0] for p in periods], protocol["forecast"]["levels"]
    forecasts = made_forecasts(name, world, "mine", 0.8)
    if name == "daily":
        # Too often without a forecast three days ahead for a test there, or of all.
        yours = made_forecasts(name, world, "yours", 1.3)
        forecasts += [row for row in yours if row["step"] < 3 or RANDOM.random() < 0.5]
    required = [each for each in protocol["baselines"] if each["id"] in protocol["comparisons"]["required"]]
    ids = [each["id"] for each in required if is_asked(world, each)]
    world["asked"] = [name for name in protocol["comparisons"]["required"] if name in ids]
    baselines = {each["id"]: made_baseline(world, each) for each in protocol["baselines"] if each["id"] in ids}
    models, found = judged(world, forecasts, baselines)
    losses, golden = results(world, models, found)
    write(
        f"{name}-truth",
        "series,period,as_of,value",
        [
            [series, labels[at], text(as_of), figure(value)]
            for series, table in world["truth"].items()
            for at, own in enumerate(table)
            for as_of, value in own
        ],
    )
    quiet = {"failed", "abstained"}
    write(
        f"{name}-forecasts",
        "series,origin,horizon,model," + ",".join(f"q{q}" for q in levels) + ",generated_at,input_available_at,status",
        [
            [r["series"], labels[r["origin"]], str(r["step"]), r["model"]]
            + ["" if r.get("fault") in quiet else figure(q) for q in r["quantiles"]]
            + [text(r["made"]), text(r["input"]) if "input" in r else ""]
            + [r["fault"] if r.get("fault") in quiet else ""]
            for r in forecasts
        ],
    )
    # Of a baseline the quantiles, too; those of a candidate were imported.
    write(
        f"{name}-pairs",
        "model,series,origin,horizon,reason," + ",".join(f"q{q}" for q in levels) + "," + ",".join(s["id"] for s in protocol["scores"]),
        [
            [model, series, labels[o], str(h), reason]
            + [figure(q) if model in baselines and reason == "scored" else "" for q in own or [None] * len(levels)]
            + [figure(losses[model, score["id"]].get((series, o, h))) for score in protocol["scores"]]
            for (model, series, o, h), (reason, own) in found.items()
        ],
    )
    asked = {
        "changes": case["changes"],
        "list": case["list"],
        "window": case["window"],
        "registered_at": text(case["registered_at"]),
    }
    return {**asked, **golden}


if __name__ == "__main__":
    (HERE / "evaluation").mkdir(exist_ok=True)
    golden = {name: written(name) for name in CASES}
    (HERE / "evaluation" / "evaluation.json").write_text(json.dumps(golden, indent=1) + "\n")
