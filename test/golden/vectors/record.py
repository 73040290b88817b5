"""Ends, tables and chance of a record of registrations. By hand, and counted once more in fractions."""

import datetime
from fractions import Fraction

from common import NEAR, case, write

ENDS = "scored result_withheld broken_off cancelled closed file_missing overdue awaiting_outcomes running announced".split()


def day(number):
    return (datetime.datetime(2026, 1, 1) + datetime.timedelta(days=number)).isoformat() + "Z"


def registration(candidate="m", days=(10, 20), **change):
    """Its last forecast is due an hour after its last origin, its last outcome settled 16 hours after that origin."""
    first, last = days
    return {
        "candidates": [candidate], "mode": "prospective", "commitment": "stamped", "registered_at": day(1), "shown_at": day(2), "first_inputs": day(first),
        "last_due": day(last + 1 / 24), "last_settled": day(last + 16 / 24), "file": True, "closed_at": None, "closing_shown_at": None, "readings": 0, "result": None, "eligible": False,
    } | change


def scored(eligible=False, **change):
    return registration(readings=1, result="here", eligible=eligible, **change)


CLOSED = {"closed_at": day(5)}
IN_TIME, TOO_LATE = {**CLOSED, "closing_shown_at": day(6)}, {**CLOSED, "closing_shown_at": day(12)}
SHOWN, WORD, BACK = "shown_by_others", "own_word", "backtests"
ONE = [
    ("before its window", 3, registration(), "announced", SHOWN, None),
    ("within it", 12, registration(), "running", SHOWN, None),
    ("after its last forecast", 20.1, registration(), "awaiting_outcomes", SHOWN, None),
    ("thirty days later", 50.5, registration(), "awaiting_outcomes", SHOWN, None),
    ("more than thirty days later", 50.7, registration(), "overdue", SHOWN, None),
    ("a backtest, thirty days after its entry", 89, registration(mode="backtest", registered_at=day(60), shown_at=None), "awaiting_outcomes", BACK, None),
    ("a backtest, longer after its entry", 91, registration(mode="backtest", registered_at=day(60), shown_at=None), "overdue", BACK, None),
    ("scored", 40, scored(), "scored", SHOWN, None),
    ("scored, the result is not here", 40, scored() | {"result": "elsewhere"}, "result_withheld", SHOWN, "a result that is not here counts as none"),
    ("read, without a result", 40, registration(readings=1), "broken_off", SHOWN, None),
    ("closed, and shown in time", 60, registration(**IN_TIME), "cancelled", SHOWN, None),
    ("closed, shown too late", 60, registration(**TOO_LATE), "closed", SHOWN, "a closing is believed by its own date"),
    ("closed, shown by nobody", 60, registration(**CLOSED), "closed", SHOWN, None),
    ("read and closed", 60, registration(readings=1, closed_at=day(41)), "broken_off", SHOWN, None),
    ("its file is missing", 3, registration(file=False), "file_missing", SHOWN, None),
    ("shown after its first inputs", 12, registration(shown_at=day(11)), "running", WORD, None),
    ("shown by nobody", 12, registration(shown_at=None), "running", WORD, None),
    ("forecasts by its own word", 12, registration(commitment="self_declared"), "running", WORD, "a stamp on the registration is enough"),
]


def chance(alpha, now, rows):
    """Of (registration, end, table): what could be read, was read or closed, and is not cancelled."""
    known, total, judged, eligible = [], Fraction(0), 0, 0
    for row, end, table in rows:
        window = (row["first_inputs"], row["last_due"])
        before = max(sum(name in names for names, own in known if not (own[0] > window[1] or window[0] > own[1])) for name in row["candidates"])
        if end != "cancelled" and row["file"]:
            known.append((row["candidates"], window))
        j = before + 1 if row["file"] else 1
        divisor = 1 if j == 1 else j * (j + 1)
        read = day(now) >= row["last_settled"] or row["closed_at"] or row["readings"]
        if table != SHOWN or end == "cancelled" or not read:
            continue
        judged += 1
        total += Fraction(str(alpha)) / (2 * divisor)
        eligible += end == "scored" and row["eligible"]
    return {"evaluations": judged, "eligible": eligible, "waiting_given_away": 0, "expected_at_most": float(total)}


def record(now, rows):
    """Of (registration, end, table)."""
    given = {"alpha": 0.05, "now": day(now), "registrations": [row for row, _, _ in rows]}
    return given, {"ends": [end for _, end, _ in rows], "tables": [table for _, _, table in rows], "chance": chance(0.05, now, rows)}


SEVERAL = [
    ("ten candidates, eligible where shown", 60, [(scored(True, candidate="a"), "scored", SHOWN), (scored(candidate="b"), "scored", SHOWN), (registration("c"), "overdue", SHOWN), (registration("d", **TOO_LATE), "closed", SHOWN), (registration("e", readings=1), "broken_off", SHOWN), (scored(True, candidate="f") | {"result": "elsewhere"}, "result_withheld", SHOWN), (registration("g", file=False), "file_missing", SHOWN), (registration("h", **IN_TIME), "cancelled", SHOWN), (registration("i", (100, 110)), "announced", SHOWN), (scored(True, candidate="j", shown_at=None), "scored", WORD)], "only what was scored counts"),
    ("one candidate three times", 60, [(scored(candidate="a"), "scored", SHOWN), (scored(candidate="a", days=(12, 25)), "scored", SHOWN), (scored(True, candidate="a", days=(15, 18)), "scored", SHOWN)], "every registration has the same share"),
    ("windows that do not meet", 60, [(scored(candidate="a"), "scored", SHOWN), (scored(candidate="a", days=(30, 35)), "scored", SHOWN)], None),
    ("cancelled before, then again", 60, [(registration("a", **IN_TIME), "cancelled", SHOWN), (scored(candidate="a"), "scored", SHOWN)], None),
]
SHARES = [Fraction(1, 40), Fraction(1, 40) / 6, Fraction(1, 40) / 12]
assert record(*SEVERAL[0][1:3])[1]["chance"] == {"evaluations": 7, "eligible": 1, "waiting_given_away": 0, "expected_at_most": 0.175}
assert record(*SEVERAL[1][1:3])[1]["chance"]["expected_at_most"] == float(sum(SHARES))
cases = [(name, *record(now, [(row, end, table)]), why) for name, now, row, end, table, why in ONE]
cases += [(name, *record(now, rows), why) for name, now, rows, why in SEVERAL]
assert {end for _, _, _, end, _, _ in ONE} == set(ENDS)
write("record", "the rules of a record in docs/vectors.md, by hand", [case(name, given, found, NEAR, against=why) for name, given, found, why in cases])
