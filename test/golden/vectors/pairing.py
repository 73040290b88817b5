"""Statuses, releases, what a baseline sees, rows of histories, pairs and vintages. Decisions are by hand."""

import csv
import io
import math
import statistics

from common import canonical, case, later, sha256, write

# ------------------------------------------------------------------ statuses
LEVELS = ["0.1", "0.5", "0.9"]
RULES = {"levels": LEVELS, "minimum": 0, "integer": True, "transform": {"kind": "identity"}}
DUE, END = "2026-01-08T00:00:00Z", "2026-01-15T00:00:00Z"
ROW = {
    "value": 50, "quantiles": [40, 50, 60], "generated_at": DUE, "target_at": None, "attempt": None,
    "input_available_at": None, "selection_data_through": None, "vintage_id": None, "vintage_sha256": None,
}
KEY = {
    "mode": "prospective", "registered_at": DUE, "due": DUE, "target_end": END, "settled": "2026-01-20T00:00:00Z",
    "as_of": "2026-01-20T00:00:00Z", "outcome": 55, "provenance_required": False, "rules": RULES, "row": ROW,
}
STATUS = {
    "not_matured": "ineligible", "outcome_missing": "missing", "timestamp_invalid": "ineligible", "target_mismatch": "ineligible",
    "lookahead": "ineligible", "provenance_missing": "ineligible", "generated_after_target": "ineligible", "published_late": "ineligible",
    "withdrawn": "ineligible", "not_committed": "ineligible", "committed_late": "ineligible", "before_registration": "ineligible",
    "forecast_missing": "missing", "recorded_abstention": "abstained", "recorded_failure": "failed", "quantiles_incomplete": "failed",
    "quantiles_cross": "failed", "out_of_range": "failed", "not_integer": "failed", "scored": "scored",
}
FULL = {"input_available_at": DUE, "selection_data_through": DUE, "vintage_id": "v", "vintage_sha256": "a" * 64}
BEFORE, AFTER = "2026-01-07T23:59:59Z", "2026-01-08T00:00:00.000001Z"
LOG = {**RULES, "integer": False, "minimum": None, "transform": {"kind": "log"}}
PLAIN = {**RULES, "integer": False, "minimum": None}


def key(row=(), **change):
    own = None if row is None else {**ROW, **dict(row)}
    return {**KEY, "row": own, **change}


ATTEMPT = {"value": None, "quantiles": [None] * 3}
STATUSES = [
    ("all is well", key(), "scored", None),
    ("late, of a target that ended when it was due", key({"generated_at": AFTER}, target_end=DUE), "generated_after_target", None),
    ("settled after the as-of", key(settled="2026-01-20T00:00:00.000001Z"), "not_matured", None),
    ("without an outcome", key(outcome=None), "outcome_missing", None),
    ("without either", key(None, outcome=None), "outcome_missing", "a missing forecast comes before a missing outcome"),
    ("no outcome yet, and late", key({"generated_at": AFTER}, settled="2026-02-01T00:00:00Z"), "not_matured", None),
    ("a time without an offset", key({"generated_at": "2026-01-08T00:00:00"}), "timestamp_invalid", None),
    ("a time finer than a microsecond", key({"input_available_at": "2026-01-07T00:00:00.1234567Z"}), "timestamp_invalid", None),
    ("the target that is said", key({"target_at": "2026-01-15T00:00:00+00:00"}), "scored", None),
    ("the same with another offset", key({"target_at": "2026-01-15T01:00:00+01:00"}), "scored", None),
    ("another target", key({"target_at": "2026-01-15T00:00:00.000001+00:00"}), "target_mismatch", None),
    ("inputs after it was due", key({"input_available_at": AFTER}), "lookahead", None),
    ("inputs when it was due", key({"input_available_at": DUE}), "scored", None),
    ("chosen by later data", key({"selection_data_through": AFTER}), "lookahead", None),
    ("provenance that is asked for", key(FULL, provenance_required=True), "scored", None),
    ("provenance without a vintage", key({**FULL, "vintage_sha256": None}, provenance_required=True), "provenance_missing", None),
    ("an attempt needs no provenance", key({**ATTEMPT, "attempt": "failed"}, provenance_required=True), "recorded_failure", None),
    ("a microsecond late", key({"generated_at": AFTER}), "published_late", "a second late is in time"),
    ("after the target, too", key({"generated_at": "2026-01-15T00:00:00.000001Z"}), "generated_after_target", None),
    ("when the target ended", key({"generated_at": END}), "published_late", None),
    ("late, of a target that was over when it was due", key({"generated_at": "2026-01-09T00:00:00Z"}, target_end="2026-01-05T00:00:00Z"), "published_late", None),
    ("no time at all", key({"generated_at": None}), "published_late", "a forecast without a time is in time"),
    ("late in a backtest", key({"generated_at": AFTER}, mode="backtest", registered_at=None), "scored", None),
    ("taken out of the history", key(None, committed="withdrawn"), "withdrawn", None),
    ("not in the log", key(committed=None), "not_committed", None),
    ("in the log when it was due", key(committed=DUE), "scored", None),
    ("in the log later", key(committed=AFTER), "committed_late", None),
    ("an attempt is not asked for in the log", key({**ATTEMPT, "attempt": "failed"}, committed=None), "recorded_failure", None),
    ("an attempt beside a committed forecast", key({"attempt": "failed"}, committed=DUE), "scored", None),
    ("late, and not in the log", key({"generated_at": AFTER}, committed=None), "published_late", None),
    ("registered after it was due", key(registered_at=AFTER), "before_registration", None),
    ("registered before it was due", key(registered_at=BEFORE), "scored", None),
    ("not there", key(None), "forecast_missing", None),
    ("not there, and not registered", key(None, registered_at=AFTER), "before_registration", None),
    ("an abstention", key({**ATTEMPT, "attempt": "abstained"}), "recorded_abstention", None),
    ("a failure", key({**ATTEMPT, "attempt": "failed"}), "recorded_failure", None),
    ("a failure beside a forecast, without a log", key({"attempt": "failed"}), "recorded_failure", None),
    ("a level is missing", key({"quantiles": [40, 50, None]}), "quantiles_incomplete", None),
    ("quantiles that cross", key({"quantiles": [55, 50, 60]}), "quantiles_cross", None),
    ("equal quantiles do not cross", key({"quantiles": [50, 50, 50]}), "scored", "equal quantiles cross"),
    ("a point beside its median", key({"value": 51}), "quantiles_cross", None),
    ("below the minimum", key({"quantiles": [-1, 50, 60]}), "out_of_range", None),
    ("at the minimum", key({"quantiles": [0, 50, 60]}), "scored", None),
    ("not whole", key({"quantiles": [40.5, 50, 60]}), "not_integer", None),
    ("below the minimum and not whole", key({"quantiles": [-0.5, 50, 60]}), "out_of_range", None),
    ("beyond 1e100", key({"quantiles": [40, 50, 1.1e100]}), "out_of_range", None),
    ("without a logarithm", key({"quantiles": [0, 50, 60]}, rules=LOG), "out_of_range", "a value without its transform is scored"),
    ("negative, where nothing forbids it", key({"value": -5, "quantiles": [-9, -5, 0.5]}, rules=PLAIN), "scored", None),
]
assert set(STATUS) == {reason for _, _, reason, _ in STATUSES}
write(
    "attempt-status",
    "docs/pairing.md, by hand",
    [case(name, given, {"status": STATUS[reason], "reason": reason}, against=why) for name, given, reason, why in STATUSES],
)

# ------------------------------------------------------------------ statuses of hourly forecasts
FROM, TO, TARGET = "2026-01-08T00:00:00Z", "2026-01-08T02:00:00Z", "2026-01-08T02:00:00Z"
HOURLY_ROW = {
    "value": 64100, "source_price": 64000, "quantiles": [63000, 64000, 65000], "level": 0.8, "generated_at": FROM, "target_at": TARGET, "attempt": None,
    "input_available_at": None, "selection_data_through": None, "vintage_id": None, "vintage_sha256": None,
}
HOURLY_KEY = {
    "window": {"from": FROM, "to": TO}, "models": ["m"], "mode": "prospective", "registered_at": FROM, "due_minutes": 2, "as_of": TARGET,
    "provenance_required": False, "origin": FROM, "horizon": 2, "model": "m", "outcome": 64200, "row": HOURLY_ROW,
}
NO_PRICE = {"value": None, "source_price": None, "quantiles": [None] * 3, "generated_at": None, "target_at": None}
IN_TIME, LATE = "2026-01-08T00:02:00Z", "2026-01-08T00:02:00.000001Z"
BESIDE = {"horizon_not_in_protocol", "origin_off_grid", "model_not_in_plan"}


def hour(row=(), **change):
    own = None if row is None else {**HOURLY_ROW, **dict(row)}
    return {**HOURLY_KEY, "row": own, **change}


def full(at):
    return {"input_available_at": at, "selection_data_through": at, "vintage_id": "v", "vintage_sha256": "a" * 64}


# Of each: its reason, and the status of its interval where that is another than the point's.
HOURS = [
    ("all is well", hour(), "scored", None, None),
    ("the target is after the as-of", hour(as_of="2026-01-08T01:59:59.999999Z"), "not_matured", None, None),
    ("without an outcome", hour(outcome=None), "outcome_missing", None, None),
    ("without an outcome and without a row", hour(None, outcome=None), "outcome_missing", None, None),
    ("a time without an offset", hour({"selection_data_through": "2026-01-07T00:00:00"}), "timestamp_invalid", None, None),
    ("a forecast without a target", hour({"target_at": None}), "timestamp_invalid", None, None),
    ("another target", hour({"target_at": "2026-01-08T02:00:00.000001Z"}), "target_mismatch", None, None),
    ("the target with another offset", hour({"target_at": "2026-01-08T03:00:00+01:00"}), "scored", None, None),
    ("inputs between origin and deadline", hour({"input_available_at": "2026-01-08T00:01:00Z"}), "lookahead", None, "inputs may be as late as the forecast"),
    ("inputs of the origin", hour({"input_available_at": FROM}), "scored", None, None),
    ("all of the provenance", hour(full(FROM), provenance_required=True), "scored", None, None),
    ("provenance without the end of its selection", hour({**full(FROM), "selection_data_through": None}, provenance_required=True), "provenance_missing", None, None),
    ("made at the deadline", hour({"generated_at": IN_TIME}), "scored", None, None),
    ("made a microsecond later", hour({"generated_at": LATE}), "published_late", None, None),
    ("without a time", hour({"generated_at": None}), "published_late", None, None),
    ("made after the target", hour({"generated_at": "2026-01-08T02:00:00.000001Z"}), "generated_after_target", None, None),
    ("made after a target that comes before the deadline", hour({"generated_at": "2026-01-08T02:30:00Z"}, due_minutes=180), "generated_after_target", None, "the lag alone is a deadline"),
    ("made at a target that comes before the deadline", hour({"generated_at": TARGET}, due_minutes=180), "scored", None, None),
    ("late in a backtest", hour({"generated_at": LATE}, mode="backtest", registered_at=None), "scored", None, None),
    ("taken out of the history", hour(None, committed="withdrawn"), "withdrawn", "missing", None),
    ("not in the log", hour(committed=None), "not_committed", None, None),
    ("in the log at the deadline", hour(committed=IN_TIME), "scored", None, None),
    ("in the log later", hour(committed=LATE), "committed_late", None, None),
    ("in the log after a target that comes before the deadline", hour(committed="2026-01-08T02:30:00Z", due_minutes=180), "committed_late", None, None),
    ("registered after the origin, before the deadline", hour(registered_at="2026-01-08T00:01:00Z"), "before_registration", None, None),
    ("registered after the origin, and nothing there", hour(None, registered_at="2026-01-08T00:01:00Z"), "before_registration", "missing", None),
    ("nothing there", hour(None), "forecast_missing", None, None),
    ("an abstention", hour({**NO_PRICE, "attempt": "abstained"}), "recorded_abstention", "missing", None),
    ("a failure", hour({**NO_PRICE, "attempt": "failed"}), "recorded_failure", "missing", None),
    ("a failure beside a forecast", hour({"attempt": "failed"}), "recorded_failure", None, None),
    ("a failure beside a forecast in the log", hour({"attempt": "failed"}, committed=FROM), "scored", None, None),
    ("a price of 0", hour({"value": 0}), "out_of_range", None, None),
    ("a source price of 0", hour({"source_price": 0}), "out_of_range", None, "a source price does not matter"),
    ("a price beyond 1e100", hour({"value": 1.1e100}), "out_of_range", None, None),
    ("a price that is not its median", hour({"value": 66000}), "scored", None, None),
    ("no bounds", hour({"quantiles": [None] * 3}), "scored", "missing", "a forecast without bounds is missing"),
    ("a bound is missing", hour({"quantiles": [63000, None, 65000]}), "scored", "failed", None),
    ("a bound of 0", hour({"quantiles": [0, 64000, 65000]}), "scored", "failed", None),
    ("bounds that cross", hour({"quantiles": [64001, 64000, 65000]}), "scored", "failed", None),
    ("equal bounds", hour({"quantiles": [64000] * 3}), "scored", None, None),
    ("bounds of another level", hour({"level": 0.9}), "scored", "ineligible", "bounds of any level are scored"),
    ("bounds of another level that cross", hour({"level": 0.9, "quantiles": [64001, 64000, 65000]}), "scored", "failed", None),
    ("late, without bounds", hour({"generated_at": LATE, "quantiles": [None] * 3}), "published_late", "missing", None),
    ("no outcome, and bounds that cross", hour({"quantiles": [64001, 64000, 65000]}, outcome=None), "outcome_missing", None, None),
    ("three hours ahead", hour({"target_at": "2026-01-08T03:00:00Z"}, horizon=3), "horizon_not_in_protocol", None, "a row beside the grid is expected"),
    ("three hours ahead, with another target", hour({"target_at": "2026-01-08T04:00:00Z"}, horizon=3), "target_mismatch", None, "the horizon comes before the target"),
    ("half past", hour({"target_at": "2026-01-08T02:30:00Z"}, origin="2026-01-08T00:30:00Z"), "origin_off_grid", None, None),
    ("half past and three hours ahead", hour({"target_at": "2026-01-08T03:30:00Z"}, origin="2026-01-08T00:30:00Z", horizon=3), "horizon_not_in_protocol", None, None),
    ("another model", hour(model="other"), "model_not_in_plan", None, None),
    ("another model, late", hour({"generated_at": LATE}, model="other"), "model_not_in_plan", None, None),
    ("another model, without bounds", hour({"quantiles": [None] * 3}, model="other"), "model_not_in_plan", "missing", None),
    ("an origin without an offset", hour(origin="2026-01-08T00:00:00"), "timestamp_invalid", None, None),
]


def hourly_status(given, reason, interval):
    status = "ineligible" if reason in BESIDE else STATUS[reason]
    there = reason not in BESIDE and given["horizon"] != 3 and given["origin"] == FROM
    return {"expected": there, "status": status, "reason": reason, "interval_status": interval or status}


assert {reason for _, _, reason, _, _ in HOURS} == BESIDE | set(STATUS) - {"quantiles_incomplete", "quantiles_cross", "not_integer"}
write(
    "hourly-status",
    "docs/pairing.md, by hand",
    [case(name, given, hourly_status(given, reason, interval), against=why) for name, given, reason, interval, why in HOURS],
)

# ------------------------------------------------------------------ levels of strata
def by_hours(*levels):
    return {"by": "hour_of_day", "levels": [{"level": name, "hours": list(range(*ends))} for name, ends in zip("abc", levels)]}


WEEKDAYS = {"by": "weekday", "levels": [{"level": "week", "days": ["mon", "tue", "wed", "thu", "fri"]}, {"level": "weekend", "days": ["sat", "sun"]}]}
EIGHTS = by_hours((0, 8), (8, 16), (16, 24))
DAYTIME = by_hours((8, 18))
JANUARY = {"by": "period", "levels": [{"level": "first", "from": "2026-01-01T01:00:00Z", "to": "2026-01-02T00:00:00Z"}, {"level": "second", "from": "2026-01-02T01:00:00Z", "to": "2026-01-03T00:00:00Z"}]}
PRICES = [100, 101, 99.5, 103, 102, 102.5, 101.25]
RETURNS = [math.log(after / before) for before, after in zip(PRICES, PRICES[1:])]
LAST = "2026-01-01T12:00:00Z"


def spread(values, *below):
    """Levels by a standard deviation with the divisor n - 1."""
    return "low" if statistics.stdev(values) < below[0] else "high"


def cut(by, below, **more):
    return {"by": by, "levels": [{"level": "low", "below": below}, {"level": "high"}], **more}


def of_hour(end, definition, closes=None):
    return {"definition": definition, "hourly": True, "end": end, **({"closes": closes} if closes else {})}


def of_period(start, end, zone, definition, values=None):
    return {"definition": definition, "hourly": False, "start": start, "end": end, "zone": zone, **({"values": values} if values else {})}


CHANGES = {"by": "past_volatility", "series": "s", "changes": 3, "transform": {"kind": "identity"}}
LEVELS_OF = [
    ("the hour that ends at eight", of_hour("2026-01-01T08:00:00Z", EIGHTS), "b", "an hour is named by its start"),
    ("the hour that ends at midnight", of_hour("2026-01-02T00:00:00Z", EIGHTS), "a", None),
    ("an hour in no level", of_hour("2026-01-01T18:00:00Z", DAYTIME), None, None),
    ("midnight from Friday to Saturday", of_hour("2026-01-03T00:00:00Z", WEEKDAYS), "weekend", None),
    ("the last hour of a level", of_hour("2026-01-02T00:00:00Z", JANUARY), "first", None),
    ("after all levels", of_hour("2026-01-03T01:00:00Z", JANUARY), None, None),
    ("a period that starts at seven in Berlin", of_period("2026-07-01T05:00:00Z", "2026-07-01T06:00:00Z", "Europe/Berlin", EIGHTS), "a", "a period is named by its end"),
    ("a period that starts at nine in Berlin", of_period("2026-07-01T07:00:00Z", "2026-07-01T08:00:00Z", "Europe/Berlin", EIGHTS), "b", "hours are those of UTC"),
    ("a day that starts on Saturday", of_period("2026-01-02T23:00:00Z", "2026-01-03T23:00:00Z", "Europe/Berlin", WEEKDAYS), "weekend", None),
    ("volatility of four returns", of_hour(LAST, cut("volatility", 0.022, lookback_hours=4), PRICES), spread(RETURNS[-4:], 0.022), None),
    ("volatility by the divisor n - 1", of_hour(LAST, cut("volatility", 0.019, lookback_hours=4), PRICES), spread(RETURNS[-4:], 0.019), "the divisor is n"),
    ("a close that is missing among five", of_hour(LAST, cut("volatility", 0.022, lookback_hours=4), [*PRICES[:3], None, *PRICES[4:]]), None, None),
    ("return over two hours, on its cut-point", of_hour(LAST, cut("trailing_return", 0, lookback_hours=2), [100, 102, 100]), "high", "a value on a cut-point is below it"),
    ("return over two hours with a gap between", of_hour(LAST, cut("trailing_return", 0, lookback_hours=2), [100, None, 99]), "low", None),
    ("volatility of three changes", of_period(FROM, TO, "UTC", {**CHANGES, "levels": [{"level": "low", "below": "2"}, {"level": "high"}]}, [9, 1, 2, 4, 3, None]), spread([1, 2, -1], 2), None),
    ("volatility of changes on its cut-point", of_period(FROM, TO, "UTC", {**CHANGES, "levels": [{"level": "low", "below": "2"}, {"level": "high"}]}, [0, 0, 2, 0]), spread([0, 2, -2], 2), None),
    ("a value that is missing among four", of_period(FROM, TO, "UTC", {**CHANGES, "levels": [{"level": "low", "below": "2"}, {"level": "high"}]}, [9, 1, None, 4, 3]), None, None),
]
write(
    "stratum-level",
    "docs/registration.md and docs/any-series.md, by hand; Python's statistics.stdev",
    [case(name, given, found, against=why) for name, given, found, why in LEVELS_OF],
)

# ------------------------------------------------------------------ releases
PERIOD = {"end": "2026-03-15T00:00:00Z", "known": "2026-03-16T00:00:00Z", "zone": "America/New_York"}


def rows(*pairs):
    return [{"value": value, "as_of": at} for value, at in pairs]


REVISED = rows((10, "2026-03-17T00:00:00Z"), (12, "2026-03-25T00:00:00Z"), (None, "2026-04-02T00:00:00Z"), (13, "2026-04-20T00:00:00Z"))
LAG, FIRST, ONLY = {"rule": "as_of_lag", "lag": "P28D"}, {"rule": "first", "wait": "P7D"}, {"rule": "unrevised", "wait": "P7D"}


def settled(release):
    if release["rule"] == "as_of_instant":
        return release["at"]
    if release["rule"] == "as_of_lag":
        return later(PERIOD["end"], release["lag"], PERIOD["zone"])
    return later(PERIOD["known"], release["wait"], PERIOD["zone"])


def at(instant):
    return {"rule": "as_of_instant", "at": instant}


RELEASES = [
    ("by a lag of 28 days", LAG, REVISED, None, None),
    ("by a lag of nine days", {"rule": "as_of_lag", "lag": "P9D"}, REVISED, 10, None),
    ("by a lag of eleven days", {"rule": "as_of_lag", "lag": "P11D"}, REVISED, 12, "the first value counts under every rule"),
    ("at an instant", at("2026-05-01T00:00:00Z"), REVISED, 13, None),
    ("at the instant of a row", at("2026-03-25T00:00:00Z"), REVISED, 12, None),
    ("at an instant before any row", at("2026-03-16T12:00:00Z"), REVISED, None, None),
    ("while it was withdrawn", at("2026-04-10T00:00:00Z"), REVISED, None, "a withdrawal is passed over"),
    ("the first", FIRST, REVISED, 10, None),
    ("the first that is not empty", FIRST, rows((None, "2026-03-17T00:00:00Z"), (11, "2026-03-20T00:00:00Z")), 11, None),
    ("the first came too late", FIRST, rows((11, "2026-03-24T00:00:00Z")), None, None),
    ("the first, withdrawn later", FIRST, rows((11, "2026-03-17T00:00:00Z"), (None, "2026-03-18T00:00:00Z")), 11, None),
    ("the only one, undated", ONLY, rows((7, None)), 7, None),
    ("the only one, dated", ONLY, rows((7, "2026-03-20T00:00:00Z")), 7, None),
    ("nothing", ONLY, [], None, None),
    ("dated before its end and before it can be known", FIRST, rows((7, "2026-03-14T00:00:00Z"), (8, "2026-03-16T00:00:00Z")), 8, None),
    ("dated after its end, before it can be known", FIRST, rows((7, "2026-03-15T12:00:00Z"), (8, "2026-03-17T00:00:00Z")), 7, None),
]
write(
    "released-value",
    "docs/any-series.md, by hand; settled by Python's zoneinfo",
    [
        case(name, {**PERIOD, "release": release, "rows": given}, {"settled": settled(release), "value": value}, against=why)
        for name, release, given, value, why in RELEASES
    ],
)
EARLY = {**PERIOD, "known": "2026-03-14T12:00:00Z"}
SEEN = [
    ("before its date", PERIOD, REVISED, "2026-03-16T23:59:59Z", None, None),
    ("at its date", PERIOD, REVISED, "2026-03-17T00:00:00Z", 10, None),
    ("revised", PERIOD, REVISED, "2026-04-01T00:00:00Z", 12, None),
    ("withdrawn", PERIOD, REVISED, "2026-04-03T00:00:00Z", None, None),
    ("dated before it can be known", PERIOD, rows((5, "2026-03-15T06:00:00Z")), "2026-03-15T12:00:00Z", None, "its date alone says when a value is seen"),
    ("from when it can be known", PERIOD, rows((5, "2026-03-15T06:00:00Z")), "2026-03-16T00:00:00Z", 5, None),
    ("undated", PERIOD, rows((5, None)), "2026-03-16T00:00:00Z", 5, None),
    ("undated, a moment earlier", PERIOD, rows((5, None)), "2026-03-15T23:59:59Z", None, None),
    ("undated, known before its end", EARLY, rows((5, None)), "2026-03-14T18:00:00Z", None, "an undated value is seen before its period ends"),
    ("undated, known before its end, at the end", EARLY, rows((5, None)), "2026-03-15T00:00:00Z", 5, None),
    ("dated, known before its end", EARLY, rows((5, "2026-03-14T13:00:00Z")), "2026-03-14T18:00:00Z", 5, None),
    ("dated before both", PERIOD, rows((5, "2026-03-14T13:00:00Z")), "2026-06-01T00:00:00Z", None, None),
]
write(
    "value-seen",
    "docs/any-series.md, by hand",
    [case(name, {"end": of["end"], "known": of["known"], "rows": given, "at": when}, value, against=why) for name, of, given, when, value, why in SEEN],
)

# ------------------------------------------------------------------ rows of a history
def hourly(origin, target, horizon, model, price, **more):
    return {
        "forecast_id": f"{origin}:{model}:{horizon}", "origin_at": origin, "target_at": target, "horizon_hours": horizon,
        "model": {"name": model, "configuration_id": "c1"},
        "estimate": {"price_usd": price, "change_pct": 100 * (price / 64000 - 1)},
        "interval": {"level": 0.8, "lower_usd": 63000.1, "median_usd": 64000, "upper_usd": 65000.25},
        "confidence": {"score": 0.75, "label": "model_agreement", "evidence": {"model_agreement": 0.75}},
        "run": {"id": None, "generated_at": origin.replace(":00:00+", ":01:00+")},
        "lineage": {
            "history_key": {"origin_at": origin, "model_name": model, "horizon_hours": horizon},
            "source": {"name": "made", "pair": "BTC/USD", "price_usd": 64000},
            "manifest": {"manifest_version": 1, "é": [1e21, 1e-7]},
        },
        "freshness": {"observed_at": origin, "age_seconds": 12.5, "status": "fresh"},
        **more,
    }


O1, O2, O3, T = ("2026-01-01T00:00:00+00:00", "2026-01-01T01:00:00+00:00", "2026-01-01T02:00:00+00:00", "2026-01-01T06:00:00+00:00")
HOURLY = [
    hourly(O1, "2026-01-01T02:00:00+00:00", 2, "a", 64100.5),
    hourly(O1, "2026-01-01T02:00:00+00:00", 2, "B", 64000),
    hourly(O1, "2026-01-01T04:00:00+00:00", 4, "a", 1e-7),
    {"origin_at": O2, "model_name": "a", "horizon_hours": 2, "status": "failed", "reason": "no data", "recorded_at": O2},
    hourly(O3, "2026-01-01T04:00:00+00:00", 2, "a", 64000.125),
]
SERIES = [
    {"series": "US", "origin": "w2", "horizon": 1, "model": "m", "value": 41.5, "quantiles": {"0.1": 40, "0.5": 41.5, "0.9": 1e21}},
    {"series": "US", "origin": "w1", "horizon": 2, "model": "m", "value": 5, "quantiles": {"0.5": 5}, "generated_at": "2026-01-01T00:00:00+00:00"},
    {"series": "AB", "origin": "w2", "horizon": -1, "model": "n", "value": -0.001, "quantiles": {"0.025": -1, "0.5": -0.001}},
    {"series": "US", "origin": "w2", "horizon": 1, "model": "Z", "status": "abstained", "reason": "closed"},
    {"series": "US", "origin": "w3", "horizon": 1, "model": "m", "value": 6, "quantiles": {"0.5": 6}, "salt": "AAAAAAAAAAAAAAAAAAAAAA"},
]
LIST = ["w1", "w2", "w3"]
# Days whose labels do not ascend as text, and a step of two digits.
DAYS = ["d8", "d9", "d10", "d11"]
OF_DAYS = [
    {"series": "US", "origin": day, "horizon": step, "model": "m", "value": 6, "quantiles": {"0.5": 6}, "generated_at": "2026-01-01T00:00:00+00:00"}
    for day in DAYS for step in (-1, 2, 10)
]
# A half hour, three hours ahead, of a model that nobody registered.
OFF_GRID = [HOURLY[0], hourly("2026-01-01T00:30:00+00:00", "2026-01-01T03:30:00+00:00", 3, "another", 64000)]


def place(row):
    """Series, origin, step, model; texts by code point."""
    if "series" in row:
        return row["series"], row["origin"], row["horizon"], row["model"]
    name = row.get("model_name") or row["model"]["name"]
    return "", row["origin_at"], row["horizon_hours"], name


def line(row):
    return canonical({name: value for name, value in row.items() if name != "freshness"})


def history(given, wanted):
    text = "".join(line(row) + "\n" for row in sorted(filter(wanted, given), key=place))
    return {"sha256": sha256(text), "rows": text.count("\n")}


def leaf(row):
    return sha256(b"\0" + line(row).encode())


write(
    "history-row",
    "docs/evidence.md and docs/time.md; RFC 8785 and hashlib",
    [
        case("an hourly forecast", {"row": HOURLY[0]}, {"line": line(HOURLY[0]), "leaf": leaf(HOURLY[0])}, against="it keeps its freshness"),
        case("a small price", {"row": HOURLY[2]}, {"line": line(HOURLY[2]), "leaf": leaf(HOURLY[2])}),
        case("an attempt", {"row": HOURLY[3]}, {"line": line(HOURLY[3]), "leaf": leaf(HOURLY[3])}),
        case("a forecast of a series", {"row": SERIES[0]}, {"line": line(SERIES[0]), "leaf": leaf(SERIES[0])}),
        case("an attempt of a series", {"row": SERIES[3]}, {"line": line(SERIES[3]), "leaf": leaf(SERIES[3])}),
        case("a salt", {"row": SERIES[4]}, {"line": line(SERIES[4]), "leaf": leaf(SERIES[4])}),
    ],
)
write(
    "history-digest",
    "docs/evidence.md; RFC 8785 and hashlib",
    [
        case("hours of a window", {"rows": HOURLY[::-1], "window": {"from": O1, "to": O2}}, history(HOURLY, lambda row: row["origin_at"] <= O2), against="rows stay in the order in which they came"),
        case("an hour alone", {"rows": HOURLY, "window": {"from": O3, "to": O3}}, history(HOURLY, lambda row: row["origin_at"] == O3)),
        case("no row", {"rows": HOURLY, "window": {"from": T, "to": T}}, {"sha256": sha256(""), "rows": 0}),
        case("origins of a list", {"rows": SERIES, "window": {"from": "w1", "to": "w2"}, "list": LIST}, history(SERIES, lambda row: row["origin"] in LIST[:2])),
        case("all of a list", {"rows": SERIES[::-1], "window": {"from": "w1", "to": "w3"}, "list": LIST}, history(SERIES, lambda row: True)),
        case("labels that do not ascend as text", {"rows": OF_DAYS, "window": {"from": "d9", "to": "d10"}, "list": DAYS}, history(OF_DAYS, lambda row: row["origin"] in DAYS[1:3]), against="origins are in the order of the list"),
        case("rows of periods that are no origins", {"rows": OF_DAYS, "window": {"from": "d8", "to": "d11"}, "list": DAYS[::3]}, history(OF_DAYS, lambda row: row["origin"] in DAYS[::3]), against="every period between the ends counts"),
        case("an hour off the grid", {"rows": OFF_GRID, "window": {"from": O1, "to": O2}}, history(OFF_GRID, lambda row: True), against="rows beside the grid are left out"),
    ],
)

# ------------------------------------------------------------------ lines of pairs
MEMBERS = "series origin step target model expected status reason interval_status value quantiles seen base outcome vintage_id vintage_sha256".split()
PAIR = {
    "series": "load", "origin": "w1", "step": 1, "target": "w2", "model": "mine", "expected": True, "status": "scored", "reason": "scored",
    "interval_status": "scored", "value": 41.5, "quantiles": [40, 41.5, 1e21], "seen": "w1", "base": 1e-7, "outcome": 42, "vintage_id": None, "vintage_sha256": None,
}
OTHERS = {
    "the example of the documents": {},
    "a forecast that is missing": {"status": "missing", "reason": "forecast_missing", "interval_status": "missing", "value": None, "quantiles": [None] * 3, "seen": None, "base": None, "outcome": None},
    "quotes, commas and letters beyond ASCII": {"model": 'a"b, é\n', "vintage_id": "v,1"},
    "no step, no target": {"step": 0.5, "target": None, "expected": False, "status": "ineligible", "reason": "horizon_not_in_protocol"},
    "long and small numbers": {"value": 0.1 + 0.2, "base": 5e-324, "outcome": 123456789012345680000.0},
    "a whole number": {"value": 1e20, "outcome": -0.0},
}


def ndjson(pair):
    spelt = lambda value: "[" + ",".join(map(spelt, value)) + "]" if isinstance(value, list) else canonical(value)
    return "{" + ",".join(f'"{name}":{spelt(pair[name])}' for name in MEMBERS) + "}\n"


def cells(pair):
    own = [one for name in MEMBERS for one in (pair[name] if name == "quantiles" else [pair[name]])]
    text = lambda cell: "" if cell is None else cell if isinstance(cell, str) else canonical(cell)
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow(map(text, own))
    return file.getvalue()


EXAMPLE = '{"series":"load","origin":"w1","step":1,"target":"w2","model":"mine","expected":true,"status":"scored","reason":"scored","interval_status":"scored","value":41.5,"quantiles":[40,41.5,1e+21],"seen":"w1","base":1e-7,"outcome":42,"vintage_id":null,"vintage_sha256":null}\n'
assert ndjson(PAIR) == EXAMPLE
write(
    "pair-line",
    "docs/pairing.md; RFC 8785 for numbers and texts, Python's csv",
    [case(name, {"pair": {**PAIR, **change}, "levels": LEVELS}, {"ndjson": ndjson({**PAIR, **change}), "csv": cells({**PAIR, **change})}, against="numbers have fifteen digits" if "long" in name else None) for name, change in OTHERS.items()],
)

# ------------------------------------------------------------------ vintages
CLOSES = "close_at,close_usd\n2024-01-01T01:00:00Z,42452.66\n2024-01-01T02:00:00Z,42594.0\n2024-01-01T05:00:00Z,1e-7\n2024-01-01T06:00:00Z,1e+21\n"
GAP = [{"from": "2024-01-01T03:00:00Z", "to": "2024-01-01T04:00:00Z", "hours": 2}]
HEAD = "close_at,close_usd\n"
ONE = "2024-01-01T01:00:00Z,42000.0\n"
write(
    "closes",
    "docs/reference/outcomes-formats.md, by hand; sha256sum",
    [
        case("four closes and a gap", {"text": CLOSES}, {"first": "2024-01-01T01:00:00Z", "last": "2024-01-01T06:00:00Z", "count": 4, "gaps": GAP, "sha256": sha256(CLOSES)}),
        case("one close", {"text": HEAD + ONE}, {"first": "2024-01-01T01:00:00Z", "last": "2024-01-01T01:00:00Z", "count": 1, "gaps": [], "sha256": sha256(HEAD + ONE)}),
        case("a whole number without .0", {"text": HEAD + ONE.replace(".0", "")}, error=True, against="a whole number needs no point"),
        case("a zero too many", {"text": HEAD + ONE.replace("42000.0", "42000.50")}, error=True),
        case("two digits of an exponent", {"text": HEAD + ONE.replace("42000.0", "1e-07")}, error=True),
        case("an offset", {"text": HEAD + ONE.replace("Z", "+00:00")}, error=True),
        case("off the hour", {"text": HEAD + ONE.replace("01:00:00", "01:30:00")}, error=True),
        case("an hour twice", {"text": HEAD + ONE + ONE}, error=True),
        case("newest first", {"text": HEAD + ONE.replace("01:00:00", "02:00:00") + ONE}, error=True),
        case("zero", {"text": HEAD + ONE.replace("42000.0", "0.0")}, error=True),
        case("no closes", {"text": HEAD}, error=True),
        case("no line feed at the end", {"text": (HEAD + ONE)[:-1]}, error=True),
        case("CR LF", {"text": (HEAD + ONE).replace("\n", "\r\n")}, error=True),
    ],
)
PERIODS = [{"period": name, "end": f"2026-01-{8 + 7 * n:02}T00:00:00Z", "known": f"2026-01-{9 + 7 * n:02}T00:00:00Z"} for n, name in enumerate(("w1", "w2", "w10"))]
TABLE = [
    ("load", "w2", 1e-7, None),
    ("load", "w1", 41.5, "2026-01-09T10:00:00Z"),
    ("load", "w1", None, "2026-01-23T10:00:00Z"),
    ("load", "w1", 42, "2026-01-16T11:00:00.250+01:00"),
    ("load", "w1", 42.0, "2026-01-17T10:00:00Z"),
    ("Load", "w10", 5, "2026-02-01T00:00:00Z"),
    ("load", "w10", None, "2026-02-01T00:00:00Z"),
    ("load", "w10", 6, "2026-01-05T00:00:00Z"),
    ("load", "w10", 1e21, "2026-02-02T00:00:00Z"),
]
NORMAL = """series,period,value,as_of
Load,w10,5,2026-02-01T00:00:00Z
load,w1,41.5,2026-01-09T10:00:00Z
load,w1,42,2026-01-16T10:00:00.250000Z
load,w1,,2026-01-23T10:00:00Z
load,w10,1e+21,2026-02-02T00:00:00Z
load,w2,1e-7,2026-01-17T00:00:00Z
"""


def as_rows(table):
    return [dict(zip(("series", "period", "value", "as_of"), row)) for row in table]


DATED = [row if row[3] else (*row[:3], "2026-01-17T00:00:00Z") for row in TABLE]
UNDATED = [("load", "w2", 3, None), ("load", "w1", -0.0, None), ("Load", "w1", None, None)]
write(
    "releases",
    "docs/reference/series.md, by hand; sha256sum",
    [
        case("revised, out of order", {"periods": PERIODS, "rule": "first", "rows": as_rows(DATED)}, {"text": NORMAL, "sha256": sha256(NORMAL)}, against="periods are in the order of the list"),
        case("not revised", {"periods": PERIODS, "rule": "unrevised", "rows": as_rows(UNDATED)}, {"text": "series,period,value,as_of\nload,w1,0,\nload,w2,3,\n", "sha256": sha256("series,period,value,as_of\nload,w1,0,\nload,w2,3,\n")}),
        case("two values where none is revised", {"periods": PERIODS, "rule": "unrevised", "rows": as_rows([("load", "w1", 1, None), ("load", "w1", 2, None)])}, error=True),
        case("two values at one instant", {"periods": PERIODS, "rule": "first", "rows": as_rows([("load", "w1", 1, "2026-01-10T00:00:00Z"), ("load", "w1", 2, "2026-01-10T00:00:00Z")])}, error=True),
        case("equal rows count once", {"periods": PERIODS, "rule": "first", "rows": as_rows([("load", "w1", 1, "2026-01-10T00:00:00Z")] * 2)}, {"text": "series,period,value,as_of\nload,w1,1,2026-01-10T00:00:00Z\n", "sha256": sha256("series,period,value,as_of\nload,w1,1,2026-01-10T00:00:00Z\n")}),
    ],
)
