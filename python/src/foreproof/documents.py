"""Documents: strict JSON, canonical form, digests, instants, durations, lists of periods.

Sources: RFC 8259, RFC 7493 and RFC 8785; docs/protocols.md (reading, digest) and
docs/reference/series.md (instants and durations, the normal form of a list).
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import pathlib
import re
import stat
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Iterable
from zoneinfo import ZoneInfo

MIB = 1 << 20
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Refused(ValueError):
    """A document that a strict reader does not accept."""


# ---- JSON ----------------------------------------------------------------------------------------


def _check_text(text: str) -> str:
    for letter in text:
        code = ord(letter)
        if code < 0xD800:
            continue
        if code <= 0xDFFF or 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE:
            raise Refused(f"a surrogate or noncharacter U+{code:04X}")
    return text


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Refused("a member name twice")
    return found


def _integer(text: str) -> int | float:
    value = int(text)
    if abs(value) >= 2**53 and number_text(value) != text:
        raise Refused(f"an integer that no double holds: {text}")
    return value


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Refused(f"too large for a double: {text}")
    if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise Refused(f"too small for a double: {text}")
    return value


def _constant(text: str) -> Any:
    raise Refused(f"no JSON: {text}")


def _check_value(value: Any) -> None:
    """At most 64 levels, and sound texts. Without recursion, for hostile depths."""
    left = [(value, 0)]
    while left:
        item, depth = left.pop()
        if isinstance(item, str):
            if not item.isascii():
                _check_text(item)
        elif isinstance(item, (dict, list)):
            if depth == 64:
                raise Refused("more than 64 levels")
            if isinstance(item, dict):
                left.extend((name, depth + 1) for name in item)
                item = list(item.values())
            left.extend((part, depth + 1) for part in item)


def content(path: pathlib.Path, limit: int) -> bytes:
    """A regular file of at most so many bytes; raises Refused for anything else."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
        raise Refused(f"{path.name} is no regular file of at most {limit} bytes")
    return path.read_bytes()


def read_json(data: bytes | str) -> Any:
    """The value of a JSON text by RFC 7493; raises Refused for anything else."""
    try:
        if isinstance(data, bytes):
            data = data.decode("utf-8")
        value = json.loads(data, object_pairs_hook=_pairs, parse_int=_integer, parse_float=_float,
                           parse_constant=_constant)
        _check_value(value)
    except Refused:
        raise
    except (ValueError, RecursionError) as error:
        raise Refused(str(error)) from error
    return value


def number_text(value: int | float) -> str:
    """A double as ECMAScript and RFC 8785, 3.2.2.3, write it."""
    value = float(value)
    if value != value or value in (float("inf"), float("-inf")):
        raise Refused("a number that JSON does not have")
    if value == 0:
        return "0"
    digits, _, power = repr(value).partition("e")
    if power and not -7 < int(power) < 21:
        return digits.removesuffix(".0") + f"e{int(power):+d}"
    return format(Decimal(repr(value)), "f").removesuffix(".0")


def plain(value: Any) -> str:
    """One line of JSON without spaces: members in their order, numbers as RFC 8785 writes them."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{plain(name)}:{plain(part)}" for name, part in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(plain, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: _sorted(value[name]) for name in names}
    return [_sorted(part) for part in value] if isinstance(value, list) else value


def canonical(value: Any) -> str:
    """RFC 8785 form."""
    return plain(_sorted(value))


def sha256(data: bytes | str) -> str:
    return hashlib.sha256(data.encode("utf-8") if isinstance(data, str) else data).hexdigest()


def digest_without(document: dict[str, Any], *members: str) -> str:
    """SHA-256 of the RFC 8785 form without some members of the top level."""
    return sha256(canonical({name: part for name, part in document.items() if name not in members}))


# ---- instants and durations ----------------------------------------------------------------------

_INSTANT = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII)
_DURATION = re.compile(r"(-?)P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", re.ASCII)


def micros(text: str) -> int:
    """Microseconds since 1970 of an RFC 3339 instant."""
    match = _INSTANT.fullmatch(text)
    if not match:
        raise Refused(f"no instant: {text}")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    fraction, sign, hours, minutes = match.groups()[6:]
    if fraction and fraction[6:].strip("0"):
        raise Refused(f"finer than a microsecond: {text}")
    if hours and (int(hours) > 23 or int(minutes) > 59):
        raise Refused(f"no offset: {text}")
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc)
    except ValueError as error:
        raise Refused(f"no instant: {text}") from error
    value = (moment - EPOCH) // timedelta(microseconds=1) + int((fraction or "0")[:6].ljust(6, "0"))
    if sign:
        value -= int(sign + "1") * (int(hours) * 60 + int(minutes)) * 60_000_000
    if abs(value) >= 2**53:
        raise Refused(f"too far from 1970: {text}")
    return value


def instant_text(value: int) -> str:
    moment = EPOCH + timedelta(microseconds=value)
    return moment.strftime("%Y-%m-%dT%H:%M:%S" + (".%f" if value % 1_000_000 else "") + "Z")


def later(value: int, duration: str, zone: str) -> int:
    """The instant so much later: days by the clock of the zone, then the rest."""
    match = _DURATION.fullmatch(duration)
    if not match or not any(match.groups()[1:]):
        raise Refused(f"no duration: {duration}")
    sign = -1 if match[1] else 1
    days, hours, minutes, seconds = (sign * int(part or 0) for part in match.groups()[1:])
    if days:
        # fold=0 takes the first of two equal times, and the offset before a gap.
        local = (EPOCH + timedelta(microseconds=value)).astimezone(ZoneInfo(zone))
        moved = (local.replace(tzinfo=None, fold=0) + timedelta(days=days)).replace(tzinfo=ZoneInfo(zone))
        value = (moved.astimezone(timezone.utc) - EPOCH) // timedelta(microseconds=1)
    return value + (hours * 3600 + minutes * 60 + seconds) * 1_000_000


# ---- lists of periods ----------------------------------------------------------------------------

_COLUMNS = ("period", "start", "end", "origin", "steps", "due", "known")
_LABEL = re.compile(r"[\x20\x21\x23-\x2b\x2d-\x7e]{1,64}")
_STEPS = re.compile(r"(-?\d+)(?:-(-?\d+))?", re.ASCII)


def read_steps(text: str) -> list[int] | None:
    """Steps such as `13-35,40`; None where the cell is empty."""
    if not text:
        return None
    found: list[int] = []
    for part in text.split(","):
        match = _STEPS.fullmatch(part.strip(" "))
        if not match:
            raise Refused(f"no steps: {text}")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last or (found and first <= found[-1]):
            raise Refused(f"steps that do not ascend: {text}")
        found.extend(range(first, last + 1))
    return found


def steps_text(steps: list[int] | None) -> str:
    parts: list[list[int]] = []
    for step in steps or []:
        if parts and step == parts[-1][1] + 1:
            parts[-1][1] = step
        else:
            parts.append([step, step])
    text = ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
    return f'"{text}"' if "," in text else text


def read_periods(text: str) -> list[dict[str, Any]]:
    """Periods of a list: label, instants in microseconds, whether it is an origin, steps."""
    lines = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    if len(lines) < 2:
        raise Refused("a list without periods")
    header = lines[0]
    if len(set(header)) != len(header) or not set(header) <= set(_COLUMNS) or not {"period", "start", "end"} <= set(header):
        raise Refused(f"columns of a list: {header}")
    periods: list[dict[str, Any]] = []
    for row in lines[1:]:
        if len(row) != len(header):
            raise Refused(f"cells of a line: {row}")
        cells = dict(zip(header, row))
        found: dict[str, Any] = {"period": cells["period"], "steps": read_steps(cells.get("steps", ""))}
        for name in ("start", "end", "due", "known"):
            found[name] = micros(cells[name]) if cells.get(name) else None
        if cells.get("origin", "") not in ("", "yes") or not _LABEL.fullmatch(found["period"]):
            raise Refused(f"a line of a list: {row}")
        found["origin"] = cells.get("origin", "yes") == "yes"
        if found["start"] is None or found["end"] is None or found["start"] >= found["end"]:
            raise Refused(f"a period without length: {row}")
        if periods and found["start"] < periods[-1]["end"]:
            raise Refused(f"periods that overlap or descend: {row}")
        periods.append(found)
    if len({period["period"] for period in periods}) != len(periods):
        raise Refused("a label twice")
    if not any(period["origin"] for period in periods):
        raise Refused("a list without an origin")
    for period in periods:
        period["all_origins"] = "origin" not in header
    return periods


def periods_text(periods: Iterable[dict[str, Any]]) -> str:
    """The normal form of a list."""
    rows = []
    for period in periods:
        row = {name: "" if period[name] is None else instant_text(period[name]) for name in ("start", "end", "due", "known")}
        row["period"], row["steps"] = period["period"], steps_text(period["steps"])
        row["origin"] = "yes" if period["origin"] and not period["all_origins"] else ""
        rows.append(row)
    columns = [name for name in _COLUMNS if any(row[name] for row in rows)]
    return "".join(",".join(line) + "\n" for line in [columns, *([row[name] for name in columns] for row in rows)])
