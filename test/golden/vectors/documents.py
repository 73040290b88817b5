"""Documents, instants, lists of periods, the ledger and names of tests."""

import json
import struct

from common import canonical, case, digest_without, later, micros, normal, number, sha256, write

# ------------------------------------------------------------------ JSON
GOOD = [
    ("an object", '{"a":[1,true,false,null,"x"]}', {"a": [1, True, False, None, "x"]}, None),
    ("white space of JSON", ' \t\r\n[ 1 , 2 ]\n', [1, 2], None),
    ("no object is needed", '"text"', "text", None),
    ("a pair of surrogates", r'"\ud834\udd1e"', "\U0001d11e", None),
    ("minus zero", "[-0]", [0], None),
    ("the largest safe integer", "9007199254740991", 9007199254740991, None),
    ("an integer that RFC 8785 writes so", "9007199254740992", 9007199254740992, None),
    ("a double beyond it, spelt with an exponent", "1e300", 1e300, None),
    ("equal names at two depths", '{"a":{"a":1}}', {"a": {"a": 1}}, None),
    ("64 levels", "[" * 64 + "]" * 64, json.loads("[" * 64 + "]" * 64), None),
    ("an empty name", '{"":0}', {"": 0}, None),
    ("the smallest double", "5e-324", 5e-324, None),
    ("escapes", r'"\"\\\/\b\f\n\r\t\u0041"', '"\\/\b\f\n\r\tA', None),
]
BAD = [
    ("a name twice", '{"a":1,"a":1}', "the last of two equal names counts"),
    ("a name twice, once escaped", r'{"a":1,"\u0061":2}', None),
    ("a name twice, deep inside", '[{"x":{"b":1,"c":2,"b":3}}]', None),
    ("a lone high surrogate", r'"\ud800"', "a lone surrogate is kept"),
    ("a lone low surrogate", r'["\udc00"]', None),
    ("surrogates the wrong way round", r'"\udd1e\ud834"', None),
    ("a lone surrogate in a name", r'{"\ud800":1}', None),
    ("a noncharacter", r'"\uffff"', None),
    ("too large for a double", "1e400", "an overflow is infinite"),
    ("too small for a double", "1e-400", "an underflow is zero"),
    ("an integer that loses a digit", "9007199254740993", "an integer may lose a digit"),
    ("a negative integer that loses a digit", "[-9007199254740993]", None),
    ("65 levels", "[" * 65 + "]" * 65, None),
    ("a trailing comma in a list", "[1,]", None),
    ("a trailing comma in an object", '{"a":1,}', None),
    ("two commas", "[1,,2]", None),
    ("a leading zero", "01", None),
    ("a plus sign", "+1", None),
    ("no digit before the point", ".5", None),
    ("no digit after the point", "1.", None),
    ("no digit in the exponent", "1e", None),
    ("a hexadecimal number", "0x1F", None),
    ("NaN", "NaN", None),
    ("minus infinity", "-Infinity", None),
    ("a comment", "[1] // one", None),
    ("single quotes", "{'a':1}", None),
    ("a name without quotes", "{a:1}", None),
    ("a control character in a string", '"a\tb"', None),
    ("an unknown escape", r'"\x41"', None),
    ("an escape that is too short", r'"\u00"', None),
    ("two values", "1 2", None),
    ("an end that is missing", '{"a":[1', None),
    ("nothing", "", None),
    ("white space alone", "  \n", None),
    ("a word in capitals", "True", None),
    ("no-break space", "\u00a0[1]", None),
]
BYTES = [
    ("a byte order mark", "efbbbf7b7d"),
    ("UTF-16", "fffe7b007d00"),
    ("no UTF-8", "22ff22"),
    ("an overlong slash", "22c0af22"),
    ("a surrogate in UTF-8", "22eda08022"),
    ("Latin 1", "22e922"),
]
write(
    "read-json",
    "RFC 8259, RFC 7493 (I-JSON); many of the texts are those of JSONTestSuite (github.com/nst/JSONTestSuite)",
    [case(name, {"text": text}, value, against=why) for name, text, value, why in GOOD]
    + [case(name, {"text": text}, error=True, against=why) for name, text, why in BAD]
    + [case(name, {"bytes": data}, error=True) for name, data in BYTES]
    + [case("UTF-8", {"bytes": "22c3a922"}, "é")],
)

# ------------------------------------------------------------------ the canonical form
# RFC 8785, appendix B.
APPENDIX_B = """0000000000000000 0
8000000000000000 0
0000000000000001 5e-324
8000000000000001 -5e-324
7fefffffffffffff 1.7976931348623157e+308
ffefffffffffffff -1.7976931348623157e+308
4340000000000000 9007199254740992
c340000000000000 -9007199254740992
4430000000000000 295147905179352830000
44b52d02c7e14af5 9.999999999999997e+22
44b52d02c7e14af6 1e+23
44b52d02c7e14af7 1.0000000000000001e+23
444b1ae4d6e2ef4e 999999999999999700000
444b1ae4d6e2ef4f 999999999999999900000
444b1ae4d6e2ef50 1e+21
3eb0c6f7a0b5ed8c 9.999999999999997e-7
3eb0c6f7a0b5ed8d 0.000001
41b3de4355555553 333333333.3333332
41b3de4355555554 333333333.33333325
41b3de4355555555 333333333.3333333
41b3de4355555556 333333333.3333334
41b3de4355555557 333333333.33333343
becbf647612f3696 -0.0000033333333333333333
43143ff3c1cb0959 1424953923781206.2"""
WEIRD = {"€": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One", "\U0001f600": "Emoji: Grinning Face", "\x80": "Control", "ö": "Latin Small Letter O With Diaeresis"}
WEIRD_TEXT = '{"\\r":"Carriage Return","1":"One","\x80":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}'
VALUES = {"numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001], "string": "€$\x0f\nA'B\"\\\\\"/", "literals": [None, True, False]}
VALUES_TEXT = '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
assert canonical(WEIRD) == WEIRD_TEXT and canonical(VALUES) == VALUES_TEXT
cases = [
    case("RFC 8785, 3.2.2", {"value": VALUES}, VALUES_TEXT),
    case("RFC 8785, 3.2.3: order by UTF-16", {"value": WEIRD}, WEIRD_TEXT, against="names are ordered by code point"),
    case("names that are numbers", {"value": {"10": 1, "9": 2, "a": {"b": [], "": {}}}}, '{"10":1,"9":2,"a":{"":{},"b":[]}}'),
    case("no escape for a slash", {"value": "a/b<>&\u2028\x7f"}, '"a/b<>&\u2028\x7f"'),
    case("a whole number has no point", {"value": [1.0, -0.0, 1e2]}, "[1,0,100]", against=None),
    case("list in its order", {"value": ["b", "a", None]}, '["b","a",null]'),
]
for line in APPENDIX_B.splitlines():
    double, text = line.split(" ")
    assert number(struct.unpack(">d", bytes.fromhex(double))[0]) == text, line
    cases.append(case(f"the double {double}", {"double": double}, text))
for double, name in (("7ff0000000000000", "infinity"), ("fff0000000000000", "minus infinity"), ("7ff8000000000000", "NaN")):
    cases.append(case(f"{name} has none", {"double": double}, error=True))
write("canonical-form", "RFC 8785, sections 3.2.2 and 3.2.3 and appendix B; others by hand", cases)

DOCUMENT = {"b": 1.5, "a": {"sum_sha256": "kept", "list": [1e21, "é"]}, "sum_sha256": "left out"}
EMPTY_SHA = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
assert sha256("{}") == EMPTY_SHA
write(
    "digest-without",
    "hashlib over texts in RFC 8785 form; that of {} is printf '{}' | sha256sum",
    [
        case("an empty document", {"document": {"sum_sha256": "x"}, "member": "sum_sha256"}, EMPTY_SHA),
        case(
            "only at the top",
            {"document": DOCUMENT, "member": "sum_sha256"},
            sha256('{"a":{"list":[1e+21,"é"],"sum_sha256":"kept"},"b":1.5}'),
            against="the member is left out at every depth",
        ),
        case(
            "a member that is not there",
            {"document": {"a": None}, "member": "sum_sha256"},
            sha256('{"a":null}'),
        ),
    ],
)

# ------------------------------------------------------------------ instants
INSTANTS = [
    "1970-01-01T00:00:00Z",
    "1985-04-12T23:20:50.52Z",
    "1996-12-19T16:39:57-08:00",
    "1937-01-01T12:00:27.87+00:20",
    "2026-01-01T01:00:00+01:00",
    "2024-02-29T23:59:59.999999Z",
    "2000-02-29T00:00:00z",
    "2026-11-28t10:00:00-00:00",
    "2026-01-08T00:00:00.500-23:59",
    "1700-01-01T00:00:00Z",
    "2250-01-01T00:00:00Z",
    "2026-01-08T00:00:00.000001Z",
]
ZEROS = "2026-01-08T00:00:00.5000000000Z"
BAD_INSTANTS = [
    ("more than 2^53 microseconds before 1970", "1684-01-01T00:00:00Z", None),
    ("more than 2^53 microseconds after 1970", "2256-01-01T00:00:00Z", None),
    ("no offset", "2026-01-01T00:00:00", "a time without an offset is UTC"),
    ("a space", "2026-01-01 00:00:00Z", None),
    ("a date", "2026-01-01", None),
    ("no seconds", "2026-01-01T00:00Z", None),
    ("finer than a microsecond", "2026-01-01T00:00:00.1234567Z", None),
    ("29 February in a common year", "2026-02-29T00:00:00Z", None),
    ("29 February 1900", "1900-02-29T00:00:00Z", None),
    ("the month 13", "2026-13-01T00:00:00Z", None),
    ("the hour 24", "2026-01-01T24:00:00Z", None),
    ("a leap second", "1990-12-31T23:59:60Z", None),
    ("an offset of a day", "2026-01-01T00:00:00+24:00", None),
    ("an offset without a colon", "2026-01-01T00:00:00+0100", None),
    ("a comma before the fraction", "2026-01-01T00:00:00,5Z", None),
    ("no digit after the point", "2026-01-01T00:00:00.Z", None),
    ("five digits of a year", "12026-01-01T00:00:00Z", None),
]
write(
    "instant",
    "RFC 3339, section 5.8, and Python's datetime",
    [
        case(
            text,
            {"text": text},
            {"micros": micros(text), "text": normal(micros(text))},
            against="a fraction is as short as it can be" if ".500" in text else None,
        )
        for text in INSTANTS
    ]
    + [case("zeros after the sixth digit", {"text": ZEROS}, {"micros": micros("2026-01-08T00:00:00.5Z"), "text": "2026-01-08T00:00:00.500000Z"})]
    + [case(name, {"text": text}, error=True, against=why) for name, text, why in BAD_INSTANTS],
)

BERLIN, YORK = "Europe/Berlin", "America/New_York"
DURATIONS = [
    ("28 days over the change in spring", "2026-03-14T23:00:00Z", "P28D", BERLIN, "a day is 24 hours"),
    ("672 hours over the change in spring", "2026-03-14T23:00:00Z", "PT672H", BERLIN, None),
    ("28 days over the change in autumn", "2026-10-10T22:00:00Z", "P28D", BERLIN, None),
    ("back over a change", "2026-11-10T05:00:00Z", "-P14D", YORK, None),
    ("73 hours before", "2026-01-10T05:00:00Z", "-PT73H", YORK, None),
    ("days first, then hours", "2026-03-27T23:00:00Z", "P1DT12H", BERLIN, None),
    ("to a time that the clock skips", "2026-03-28T01:30:00Z", "P1D", BERLIN, None),
    ("to a time that comes twice", "2026-10-24T00:30:00Z", "P1D", BERLIN, None),
    ("from the second of two equal times", "2026-10-25T01:30:00Z", "P1D", BERLIN, None),
    ("the south", "2026-04-01T13:00:00Z", "P7D", "Australia/Melbourne", None),
    ("half an hour of summer time", "2026-04-01T13:00:00Z", "P7D", "Australia/Lord_Howe", None),
    ("a zone of 45 minutes", "2026-09-20T12:00:00Z", "P10D", "Pacific/Chatham", None),
    ("no change of clocks", "2026-03-14T23:00:00Z", "P28D", "UTC", None),
    ("seconds", "2026-03-14T23:00:00Z", "PT1M30S", BERLIN, None),
    ("nothing", "2026-03-14T23:00:00.250000Z", "PT0S", BERLIN, None),
    ("minus a day and an hour", "2026-03-30T10:00:00Z", "-P1DT1H", BERLIN, None),
]
BAD_DURATIONS = ["P1W", "P1M", "P1Y", "P", "PT", "P1DT", "1D", "P1.5D", "p1d", "+P1D", "P-1D", "PT1H2D", "P1D ", ""]
write(
    "duration-later",
    "Python's zoneinfo; ISO 8601 for what is refused",
    [case(name, {"from": at, "duration": d, "zone": zone}, later(at, d, zone), against=why) for name, at, d, zone, why in DURATIONS]
    + [case(f"no duration: {text or 'nothing'}", {"from": "2026-01-01T00:00:00Z", "duration": text, "zone": "UTC"}, error=True) for text in BAD_DURATIONS],
)

# ------------------------------------------------------------------ lists of periods
def facts(text):
    rows = text.splitlines()
    return {"text": text, "sha256": sha256(text), "count": len(rows) - 1, "first": rows[1].split(",")[0], "last": rows[-1].split(",")[0]}


HEAD = "period,start,end"
LIST = f"""{HEAD},origin,known,steps
w1,2026-01-01T01:00:00+01:00,2026-01-08T00:00:00.500Z,yes,,"1, 2, 3,5"
w2,2026-01-08T00:00:00.5Z,2026-01-15T00:00:00Z,,,
w3,2026-01-15T00:00:00Z,2026-01-22T00:00:00.0Z,yes,,"1,2"
"""
LIST_NORMAL = f"""{HEAD},origin,steps
w1,2026-01-01T00:00:00Z,2026-01-08T00:00:00.500000Z,yes,"1-3,5"
w2,2026-01-08T00:00:00.500000Z,2026-01-15T00:00:00Z,,
w3,2026-01-15T00:00:00Z,2026-01-22T00:00:00Z,yes,1-2
"""
TWO = "a,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z"
NEXT = "b,2026-01-02T00:00:00Z,2026-01-03T00:00:00Z"
PLAIN = f"{HEAD}\n{TWO}\n{NEXT}\n"
RANGE = f"{HEAD},steps\n{TWO},\"1-3\"\n{NEXT},\"4\"\n"
STEPS = f"{HEAD},steps\n{TWO},\"-1,0,1,7\"\n{NEXT},4-6\n"
write(
    "period-list",
    "docs/reference/series.md, by hand",
    [
        case("the example of the documents", {"csv": LIST}, facts(LIST_NORMAL), against="two neighbouring steps are no range"),
        case("a fraction of three digits", {"csv": LIST.replace("1, 2, 3,5", "1-3,5")}, facts(LIST_NORMAL), against="a fraction is as short as it can be"),
        case("one range of steps", {"csv": RANGE}, facts(RANGE.replace('"', "")), against="quotes stay as they were"),
        case("three columns", {"csv": PLAIN}, facts(PLAIN)),
        case("CR LF and an empty line", {"csv": PLAIN.replace("\n", "\r\n") + "\r\n"}, facts(PLAIN)),
        case("columns in another order", {"csv": f"end,period,start\n2026-01-02T00:00:00Z,a,2026-01-01T00:00:00Z\n"}, facts(f"{HEAD}\n{TWO}\n")),
        case("negative steps", {"csv": STEPS}, facts(f"{HEAD},steps\n{TWO},\"-1-1,7\"\n{NEXT},4-6\n")),
        case("due and known", {"csv": f"{HEAD},known,due\n{TWO},2026-01-05T00:00:00Z,2026-01-02T02:00:00+02:00\n"}, facts(f"{HEAD},due,known\n{TWO},2026-01-02T00:00:00Z,2026-01-05T00:00:00Z\n")),
        case("a gap between periods", {"csv": f"{HEAD}\n{TWO}\nc,2026-02-01T00:00:00Z,2026-02-02T00:00:00Z\n"}, facts(f"{HEAD}\n{TWO}\nc,2026-02-01T00:00:00Z,2026-02-02T00:00:00Z\n")),
        case("an overlap", {"csv": f"{HEAD}\n{TWO}\nb,2026-01-01T12:00:00Z,2026-01-03T00:00:00Z\n"}, error=True),
        case("a label twice", {"csv": f"{HEAD}\n{TWO}\n{NEXT.replace('b,', 'a,')}\n"}, error=True),
        case("a period without length", {"csv": f"{HEAD}\na,2026-01-01T00:00:00Z,2026-01-01T00:00:00Z\n"}, error=True),
        case("later periods first", {"csv": f"{HEAD}\n{NEXT}\n{TWO}\n"}, error=True),
        case("a label with a quote", {"csv": f'{HEAD}\na"b,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n'}, error=True),
        case("a column without a meaning", {"csv": f"{HEAD},zone\n{TWO},UTC\n"}, error=True),
        case("no end", {"csv": "period,start\na,2026-01-01T00:00:00Z\n"}, error=True),
        case("steps that fall", {"csv": f'{HEAD},steps\n{TWO},"2,1"\n'}, error=True),
        case("a step twice", {"csv": f'{HEAD},steps\n{TWO},"1-3,3"\n'}, error=True),
        case("an origin that is neither yes nor empty", {"csv": f"{HEAD},origin\n{TWO},no\n"}, error=True),
        case("no origin", {"csv": f"{HEAD},origin\n{TWO},\n"}, error=True),
        case("no period", {"csv": f"{HEAD}\n"}, error=True),
    ],
)

# ------------------------------------------------------------------ when the forecasts of a window are due, and settled
YORK_WEEKS = f"""{HEAD},origin
w1,2026-02-22T05:00:00Z,2026-03-01T05:00:00Z,yes
w2,2026-03-01T05:00:00Z,2026-03-08T05:00:00Z,yes
w3,2026-03-08T05:00:00Z,2026-03-15T04:00:00Z,yes
w4,2026-03-15T04:00:00Z,2026-03-22T04:00:00Z,
w5,2026-03-22T04:00:00Z,2026-03-29T04:00:00Z,yes
"""
# Of the second origin forecasts are due before those of the first; when the last value is known is left open.
COLUMNS = f"""{HEAD},origin,steps,due,known
a,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,yes,"1,2",2026-01-02T12:00:00Z,2026-01-03T00:00:00Z
b,2026-01-02T00:00:00Z,2026-01-03T00:00:00Z,yes,1,2026-01-02T06:00:00.250Z,2026-01-04T00:00:00Z
c,2026-01-03T00:00:00Z,2026-01-04T00:00:00Z,,,,2026-01-05T00:00:00Z
d,2026-01-04T00:00:00Z,2026-01-05T00:00:00Z,,,,
"""
AT_END, COLUMN = {"anchor": "end", "offset": "P1D"}, {"anchor": "column", "offset": None}
LAGGED, WAITED = {"rule": "as_of_lag", "lag": "P14D"}, {"rule": "first", "wait": "P1D"}


def window(name, csv, lines, instants, **given):
    """`lines`: of each key its labels and instants, by hand."""
    text = "".join(f"{line}\n" for line in lines)
    names = ("origins", "first_inputs", "first_due", "last_due", "last_settled")
    zone = {"zone": "America/New_York", "horizons": [1, 2], "due": AT_END, "known": {"anchor": "end", "offset": "P2D"}, "release": LAGGED}
    return name, {"csv": csv, **zone, **given}, {**dict(zip(names, instants)), "sha256": sha256(text)}


def due_and_settled(origin, target, due, known, settled):
    return f"w{origin},w{target},2026-03-{due}:00:00Z,2026-{known}:00:00Z,2026-{settled}:00:00Z"


WEEKS = [
    due_and_settled(1, 2, "02T05", "03-10T04", "03-22T04"),
    due_and_settled(1, 3, "02T05", "03-17T04", "03-29T04"),
    due_and_settled(2, 3, "09T04", "03-17T04", "03-29T04"),
    due_and_settled(2, 4, "09T04", "03-24T04", "04-05T04"),
    due_and_settled(3, 4, "16T04", "03-24T04", "04-05T04"),
    due_and_settled(3, 5, "16T04", "03-31T04", "04-12T04"),
]
OPEN = [
    "a,b,2026-01-02T12:00:00Z,2026-01-04T00:00:00Z,2026-01-05T00:00:00Z",
    "a,c,2026-01-02T12:00:00Z,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z",
    "b,c,2026-01-02T06:00:00.250000Z,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z",
]
WINDOWS = [
    (*window("weeks over a change of clocks", YORK_WEEKS, WEEKS, (3, "2026-03-02T05:00:00Z", "2026-03-02T05:00:00Z", "2026-03-16T04:00:00Z", "2026-04-12T04:00:00Z"), window={"from": "w1", "to": "w3"}), "a day is 24 hours"),
    (*window("targets outside the list", YORK_WEEKS, [], (1, "2026-03-30T04:00:00Z", "2026-03-30T04:00:00Z", "2026-03-30T04:00:00Z", None), window={"from": "w5", "to": "w5"}), None),
    (*window("columns, and a second origin that is due first", COLUMNS, OPEN, (2, "2026-01-02T12:00:00Z", "2026-01-02T06:00:00.250000Z", "2026-01-02T12:00:00Z", "2026-01-06T00:00:00Z"), due=COLUMN, known=COLUMN, release=WAITED, window={"from": "a", "to": "b"}), "the first inputs are those that are due first"),
    (*window("an instant that the list leaves open", COLUMNS.replace("yes,1,", "yes,2,"), [*OPEN[:2], "b,d,2026-01-02T06:00:00.250000Z,,"], (2, "2026-01-02T12:00:00Z", "2026-01-02T06:00:00.250000Z", "2026-01-02T12:00:00Z", None), due=COLUMN, known=COLUMN, release=WAITED, window={"from": "a", "to": "b"}), "what is open drops out"),
]
write(
    "window-instants",
    "docs/reference/series.md, by hand; sha256sum",
    [case(name, given, found, against=why) for name, given, found, why in WINDOWS]
    + [
        case(
            "full hours",
            {"csv": None, "due_minutes": 2, "horizons": [2, 4, 8, 16], "window": {"from": "2026-01-01T02:00:00+02:00", "to": "2026-01-02T00:00:00Z"}},
            {"origins": 25, "first_inputs": "2026-01-01T00:00:00Z", "first_due": "2026-01-01T00:02:00Z", "last_due": "2026-01-02T00:02:00Z", "last_settled": "2026-01-02T16:00:00Z", "sha256": None},
        )
    ],
)

# ------------------------------------------------------------------ the ledger
A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)
OF_PROTOCOL = {"protocol_version": "p-1", "protocol_sha256": A}
OF_REGISTRATION = {**OF_PROTOCOL, "registration_sha256": B}
FROZEN = {**OF_PROTOCOL, "file": "p-1.json", "frozen_at": "2026-01-01T00:00:00Z"}
REGISTERED = {**OF_REGISTRATION, "file": "../registrations/r.json", "mode": "prospective", "first_inputs": "2026-02-01T00:00:00Z", "last_settled": None, "registered_at": "2026-01-02T00:00:00Z"}
RESULT = {**OF_REGISTRATION, "result_sha256": C, "result_at": "2026-06-01T00:00:00Z"}
CLOSED = {**OF_REGISTRATION, "as": "void", "reason": "the series was stopped", "closed_at": "2026-03-01T00:00:00Z"}
CORRECTED = {**OF_REGISTRATION, "replaces": C, "result_sha256": D, "reason": "a wrong unit", "corrected_at": "2026-07-01T00:00:00Z"}
KINDS = {"frozen_at": "frozen", "registered_at": "registered", "result_at": "result", "closed_at": "closed", "corrected_at": "corrected"}
NONE = "0" * 64


def chained(*entries, seq=1, previous=NONE):
    made = []
    for fields in entries:
        entry = {"seq": seq, **fields, "previous": previous}
        previous = digest_without(entry, "entry_sha256")
        made.append({**entry, "entry_sha256": previous})
        seq += 1
    return made


def former(entry):
    """Its digests in the places it had before, oldest first."""
    kept = {name: value for name, value in entry.items() if name not in ("seq", "previous", "moved_at", "moved_from", "entry_sha256")}
    places, found = entry.get("moved_from", []), []
    for at, place in enumerate(places):
        there = {**kept, **place, **({"moved_from": places[:at]} if at else {})}
        found.append(sha256(canonical(there)))
    return found


def text_of(entries):
    return "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries)


def entry_facts(entries):
    kind = lambda entry: next(KINDS[name] for name in entry if name in KINDS)
    return [{"kind": kind(entry), "digests": [*former(entry), entry["entry_sha256"]]} for entry in entries]


ALL = chained(FROZEN, REGISTERED, RESULT, CORRECTED)
OLD = {**FROZEN, "protocol_version": "p-0", "protocol_sha256": D, "file": "p-0.json"}
ENDED = chained(OLD, {**FROZEN, "supersedes": "p-0"}, {**REGISTERED, "readings": [D]}, CLOSED)
# Two branches entered a registration each; the second was moved behind the first, then once more.
TRUNK = chained(FROZEN, {**REGISTERED, "registration_sha256": C, "file": "../registrations/other.json"})
FIRST_PLACE = {"seq": 2, "previous": TRUNK[0]["entry_sha256"]}
MOVED_AT = "2026-01-03T00:00:00Z"
ONCE = chained({**REGISTERED, "moved_at": MOVED_AT, "moved_from": [FIRST_PLACE]}, seq=3, previous=TRUNK[1]["entry_sha256"])
THIRD = chained({**REGISTERED, "registration_sha256": D, "file": "../registrations/third.json"}, seq=3, previous=TRUNK[1]["entry_sha256"])
SECOND_PLACE = {"seq": 3, "previous": TRUNK[1]["entry_sha256"], "moved_at": MOVED_AT}
TWICE = chained(
    {**REGISTERED, "moved_at": "2026-01-04T00:00:00Z", "moved_from": [FIRST_PLACE, SECOND_PLACE]},
    seq=4,
    previous=THIRD[0]["entry_sha256"],
)
# Its digest in the first place is that of a plain entry there; in the second that of the entry once moved.
assert former(TWICE[0]) == [chained(REGISTERED, **FIRST_PLACE)[0]["entry_sha256"], ONCE[0]["entry_sha256"]]


def broken(entries, at, **change):
    return text_of([{**entry, **change} if index == at else entry for index, entry in enumerate(entries)])


def rechained(fields):
    return text_of(chained(FROZEN, fields))


LEDGERS = [
    ("an entry of each kind", ALL, None),
    ("a closed registration, readings and a superseded version", ENDED, None),
    ("an entry moved once", TRUNK + ONCE, "a moved entry has its last digest alone"),
    ("an entry moved twice", TRUNK + THIRD + TWICE, None),
]
BAD_LEDGERS = [
    ("an edited entry", broken(ALL, 1, mode="backtest"), "digests of entries are believed"),
    ("a missing line", text_of([ALL[0], *ALL[2:]]), None),
    ("two lines exchanged", text_of([ALL[0], ALL[2], ALL[1], ALL[3]]), None),
    ("first entry with a previous one", text_of(chained(FROZEN, previous=A)), None),
    ("a number left out", text_of(chained(FROZEN, seq=2)), None),
    ("an unknown member", rechained({**RESULT, "note": "x"}), None),
    ("no kind", rechained({**OF_REGISTRATION, "opened_at": "2026-01-01T00:00:00Z"}), None),
    ("a missing member", rechained({name: value for name, value in RESULT.items() if name != "result_sha256"}), None),
    ("a mode that is none", rechained({**REGISTERED, "mode": "retrospective"}), None),
    ("a reason with a control character", rechained({**CLOSED, "reason": "a\u0007b"}), None),
    ("a reason of 501 characters", rechained({**CLOSED, "reason": "x" * 501}), None),
    ("closed as something else", rechained({**CLOSED, "as": "cancelled"}), None),
    ("a path that leaves by the root", rechained({**REGISTERED, "file": "/r.json"}), None),
    ("a digest in capitals", rechained({**RESULT, "result_sha256": "C" * 64}), None),
]
write(
    "ledger",
    "docs/protocols.md; hashlib over RFC 8785 forms",
    [case(name, {"text": text_of(entries)}, entry_facts(entries), against=why) for name, entries, why in LEDGERS]
    + [case(name, {"text": text}, error=True, against=why) for name, text, why in BAD_LEDGERS],
)

# ------------------------------------------------------------------ tests
NAMES = [
    ("over everything", {"candidate": "mine", "comparator": "persistence", "score": "wis_log", "step": "overall", "scope": {"kind": "all"}}, "mine/persistence/wis_log/overall/all", None),
    ("at a step", {"candidate": "mine", "comparator": "ar1", "score": "coverage", "step": -1, "scope": {"kind": "all"}}, "mine/ar1/coverage/-1/all", None),
    ("a level of a stratum", {"candidate": "m", "comparator": "c", "score": "s", "step": 16, "scope": {"kind": "stratum", "name": "session", "level": "00-07"}}, "m/c/s/16/stratum:session=00-07", None),
    ("a group", {"candidate": "m", "comparator": "c", "score": "s", "step": "overall", "scope": {"kind": "group", "group": "rest"}}, "m/c/s/overall/group=rest", None),
    ("separators", {"candidate": "a/b", "comparator": "50%", "score": "s", "step": 2, "scope": {"kind": "stratum", "name": "a:b", "level": "c=d"}}, "a%2Fb/50%25/s/2/stratum:a%3Ab=c%3Dd", "only slashes are escaped"),
    ("other characters stay", {"candidate": "größe & co", "comparator": "c", "score": "s", "step": 1, "scope": {"kind": "group", "group": "a b"}}, "größe & co/c/s/1/group=a b", None),
]
write("test-name", "docs/registration.md, by hand", [case(name, given, text, against=why) for name, given, text, why in NAMES])
FAMILY = [text for _, _, text, _ in NAMES]
LINES = "".join(f"{name}\n" for name in FAMILY)
WEIGHTS = {"verdict": 0.6, "deciding": 0.3, "other": 0.1}
write(
    "family-digest",
    "docs/registration.md; sha256sum of the lines",
    [
        case("names alone", {"family": FAMILY, "weights": None}, sha256(LINES)),
        case("names and weights", {"family": FAMILY, "weights": WEIGHTS}, sha256(LINES + "verdict 0.6\ndeciding 0.3\nother 0.1\n"), against="weights are no part of it"),
        case("two weights", {"family": FAMILY[:1], "weights": {"deciding": 0.4, "verdict": 0.6}}, sha256(FAMILY[0] + "\nverdict 0.6\ndeciding 0.4\n")),
        case("no test", {"family": [], "weights": None}, sha256("")),
    ],
)

LEVELS = ["0.025", "0.1", "0.3", "0.333333", "0.5"]
READ = [
    ("0.1", "0.1", None), ("0.10", "0.1", None), (".5", "0.5", None), ("00.5", "0.5", None), ("1e-1", "0.1", None), ("2.5e-2", "0.025", None),
    ("0.30000000000000004", "0.3", "levels are compared as floats"), ("0.3000001192092896", "0.3", None), ("0.3333333", "0.333333", None), ("0.4", "0.4", None), ("0.123456", "0.123456", None),
]
write(
    "quantile-level",
    "docs/any-series.md, by hand",
    [case(text, {"text": text, "levels": LEVELS}, level, against=why) for text, level, why in READ]
    + [case(f"no level: {text or 'nothing'}", {"text": text, "levels": LEVELS}, error=True) for text in ("0", "1", "1.0", "0.0", "-0.1", "5", "10%", "0,1", "NaN", "", "0.1234567")],
)
