"""Documents: files, strict JSON, canonical form, digests, instants and durations.

Sources: RFC 8259, RFC 7493 and RFC 8785; docs/protocols.md (reading, digest) and
docs/reference/series.md (instants and durations).
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import re
import stat
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from functools import lru_cache
from typing import Any, Callable, Iterable, NamedTuple
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
# In microseconds, as all instants here.
HOUR = 3_600_000_000


class Refused(ValueError):
    """What a strict reader does not accept, or what does not hold."""


class TooLarge(Refused):
    """More bytes than are read here of rows that it was made from: nobody can tell."""


class Unchecked(Exception):
    """What could not be checked here."""


class Limit(NamedTuple):
    """The most bytes that are read of a file, and what it is to have more."""

    size: int
    above: type[Refused]


# Of a stamp, note or certificate; a document; a table; lines. And of inputs that may be larger.
SMALL, DOCUMENT, TABLE, LINES = (Limit(1 << power, Refused) for power in (20, 24, 28, 30))
INPUT = Limit(1 << 30, TooLarge)


def need(holds: bool, says: str) -> None:
    if not holds:
        raise Refused(says)


def read_file(path: pathlib.Path, limit: Limit) -> bytes:
    """A regular file with no more bytes than its limit."""
    need(stat.S_ISREG(path.stat().st_mode), f"{path.name} is not a regular file: put a copy there")
    with open(path, "rb") as file:
        data = file.read(limit.size + 1)
    if len(data) > limit.size:
        more = ", or raise the limit in foreproof/documents.py" if limit.above is TooLarge else ""
        raise limit.above(f"{path.name} has more than {limit.size} bytes: "
                          f"check that it is the right file{more}")
    return data


# ---- JSON ----------------------------------------------------------------------------------------

_PLANES = "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
_UNSOUND = re.compile(f"[\ud800-\udfff\ufdd0-\ufdef{_PLANES}]")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    need(len(members) == len(pairs), "a member name twice")
    return members


def _integer(text: str) -> int:
    value = int(text)
    need(abs(value) < 2**53 or number_text(value) == text, f"no double holds the integer {text}")
    return value


def _float(text: str) -> float:
    value = float(text)
    need(abs(value) != float("inf"), f"too large for a double: {text}")
    digits = re.split("[eE]", text)[0]
    need(value != 0 or not re.search("[1-9]", digits), f"too small for a double: {text}")
    return value


def _constant(text: str) -> Any:
    raise Refused(f"no JSON: {text}")


def _check_value(value: Any) -> None:
    """At most 64 levels, and sound texts. Without recursion, for hostile depths."""
    left = [(value, 0)]
    while left:
        item, depth = left.pop()
        if isinstance(item, str):
            need(item.isascii() or not _UNSOUND.search(item), "a surrogate or noncharacter")
        elif isinstance(item, (dict, list)):
            need(depth < 64, "more than 64 levels")
            if isinstance(item, dict):
                left.extend((name, depth + 1) for name in item)
                item = item.values()
            left.extend((part, depth + 1) for part in item)


def read_json(data: bytes | str) -> Any:
    """The value of a JSON text by RFC 7493; raises Refused for anything else."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        value = json.loads(text, object_pairs_hook=_pairs, parse_int=_integer, parse_float=_float,
                           parse_constant=_constant)
    except Refused:
        raise
    except (ValueError, OverflowError, RecursionError) as error:
        raise Refused(str(error)) from error
    # Most lines of a table cannot be unsound, by their letters alone.
    if not text.isascii() or "\\u" in text or text.count("{") + text.count("[") > 64:
        _check_value(value)
    return value


def number_text(value: int | float) -> str:
    """A double as ECMAScript and RFC 8785, 3.2.2.3, write it."""
    if isinstance(value, int) and abs(value) < 2**53:
        return str(value)
    text = repr(float(value))
    need(text not in ("nan", "inf", "-inf"), "a number that JSON does not have")
    if "e" not in text:
        return "0" if value == 0 else text.removesuffix(".0")
    digits, _, power = text.partition("e")
    return format(Decimal(text), "f") if -7 < int(power) < 21 else f"{digits}e{int(power):+d}"


_text = json.JSONEncoder(ensure_ascii=False).encode


def _by_utf_16(members: dict[str, Any]) -> list[str]:
    return sorted(members, key=lambda name: name.encode("utf-16-be"))


def plain(value: Any, order: Callable[[dict[str, Any]], Iterable[str]] = iter) -> str:
    """One line of JSON without spaces, members as ordered, numbers as RFC 8785 writes them."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_text(n)}:{plain(value[n], order)}" for n in order(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(plain(part, order) for part in value) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number_text(value)
    return _text(value)


def canonical(value: Any) -> str:
    """RFC 8785 form."""
    return plain(value, _by_utf_16)


def sha256(data: bytes | str) -> str:
    return hashlib.sha256(data.encode("utf-8") if isinstance(data, str) else data).hexdigest()


def digest_without(document: dict[str, Any], *members: str) -> str:
    """SHA-256 of the RFC 8785 form without some members of the top level."""
    return sha256(canonical({name: part for name, part in document.items() if name not in members}))


# ---- instants and durations ----------------------------------------------------------------------

_INSTANT = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?"
                      r"(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII)
_DURATION = re.compile(r"(-?)P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", re.ASCII)


@lru_cache(maxsize=1 << 16)
def micros(text: str) -> int:
    """Microseconds since 1970 of an RFC 3339 instant."""
    match = _INSTANT.fullmatch(text)
    if not match:
        raise Refused(f"no instant: {text}")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    fraction, sign, hours, minutes = match.groups()[6:]
    need(not fraction or not fraction[6:].strip("0"), f"finer than a microsecond: {text}")
    need(not hours or (int(hours) < 24 and int(minutes) < 60), f"no offset: {text}")
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc)
    except ValueError as error:
        raise Refused(f"no instant: {text}") from error
    value = (moment - EPOCH) // timedelta(microseconds=1) + int((fraction or "0")[:6].ljust(6, "0"))
    if sign:
        value -= int(sign + "1") * (int(hours) * 60 + int(minutes)) * 60_000_000
    need(abs(value) < 2**53, f"too far from 1970: {text}")
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
        local = (EPOCH + timedelta(microseconds=value)).astimezone(ZoneInfo(zone)).replace(fold=0)
        # Adding to a time with a zone goes by its clock.
        moved = (local + timedelta(days=days)).astimezone(timezone.utc)
        value = (moved - EPOCH) // timedelta(microseconds=1)
    return value + (hours * 3600 + minutes * 60 + seconds) * 1_000_000
