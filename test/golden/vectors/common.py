"""What the scripts of this folder share. Each writes files of fixtures/vectors, or of a folder that it is given; nothing here knows foreproof's code:

    for file in test/golden/vectors/*.py; do PYTHONDONTWRITEBYTECODE=1 python3 "$file"; done
"""

import datetime
import decimal
import hashlib
import json
import math
import pathlib
import re
import sys
import zoneinfo

FOLDER = pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).parents[3] / "fixtures" / "vectors"
EXACT, NEAR = "exact", {"relative": 1e-12}


def case(name, given, expected=None, tolerance=EXACT, error=False, against=None):
    """One vector. `against` says which mistake a case was made for."""
    found = {"name": name, "input": given}
    found |= {"error": True} if error else {"expected": expected, "tolerance": tolerance}
    return found | ({"against": against} if against else {})


def write(function, source, cases):
    names = [each["name"] for each in cases]
    assert len(set(names)) == len(names), f"{function}: a name twice"
    lines = ",\n".join("    " + json.dumps(each, allow_nan=False) for each in cases)
    head = f'{{\n  "function": {json.dumps(function)},\n  "source": {json.dumps(source)},\n  "cases": [\n'
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{function}.json").write_text(f"{head}{lines}\n  ]\n}}\n")


def sha256(data):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()


def number(x):
    """As ECMAScript writes a number, from Python's shortest digits."""
    if not math.isfinite(x):
        raise ValueError(x)
    if x == 0:
        return "0"
    digits, _, power = repr(float(x)).partition("e")
    if power and not -7 < int(power) < 21:
        return digits.removesuffix(".0") + f"e{int(power):+d}"
    return format(decimal.Decimal(repr(float(x))), "f").removesuffix(".0")


def canonical(of):
    """RFC 8785."""
    if isinstance(of, dict):
        names = sorted(of, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(of[name]) for name in names) + "}"
    if isinstance(of, list):
        return "[" + ",".join(map(canonical, of)) + "]"
    if isinstance(of, (int, float)) and not isinstance(of, bool):
        return number(of)
    return json.dumps(of, ensure_ascii=False)


def digest_without(document, member):
    return sha256(canonical({name: value for name, value in document.items() if name != member}))


def special(x):
    """A number as vectors spell it: what JSON has no number for is a text."""
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    return x


EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MICRO = datetime.timedelta(microseconds=1)


def micros(text):
    return (datetime.datetime.fromisoformat(text.upper().replace("Z", "+00:00")) - EPOCH) // MICRO


def normal(at):
    found = (EPOCH + at * MICRO).isoformat().replace("+00:00", "")
    return found + "Z"


DURATION = re.compile(r"(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")


def later(start, duration, zone):
    sign, *parts = DURATION.fullmatch(duration).groups()
    days, hours, minutes, seconds = ((-1 if sign else 1) * int(part or 0) for part in parts)
    at = datetime.datetime.fromisoformat(start.replace("Z", "+00:00"))
    if days:
        wall = at.astimezone(zoneinfo.ZoneInfo(zone)).replace(tzinfo=None) + datetime.timedelta(days=days)
        # fold=0: the first of two, and of a time that is skipped the offset before.
        at = wall.replace(tzinfo=zoneinfo.ZoneInfo(zone), fold=0).astimezone(datetime.timezone.utc)
    at += datetime.timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return normal((at - EPOCH) // MICRO)
