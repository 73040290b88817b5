"""The ledger: a line an entry, each with the digest of the line before (docs/protocols.md)."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from .documents import Refused, digest_without, micros, number_text, read_json, sha256

_SHA = re.compile(r"[0-9a-f]{64}")
_COMMON = {"seq", "protocol_version", "protocol_sha256", "previous", "entry_sha256"}
_OPTIONAL = {"readings", "moved_at", "moved_from"}
# By the member that says when: what the entry has besides, and what it may have.
_KINDS: dict[str, tuple[str, set[str], set[str]]] = {
    "frozen_at": ("frozen", {"file"}, {"supersedes"}),
    "registered_at": ("registered", {"registration_sha256", "file", "mode", "first_inputs", "last_settled"}, set()),
    "result_at": ("result", {"registration_sha256", "result_sha256"}, set()),
    "closed_at": ("closed", {"registration_sha256", "as", "reason"}, set()),
    "corrected_at": ("corrected", {"registration_sha256", "replaces", "result_sha256", "reason"}, set()),
}
_DIRECTION = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def _need(holds: bool, says: str) -> None:
    if not holds:
        raise Refused(says)


def _is_sha(value: Any) -> bool:
    return isinstance(value, str) and _SHA.fullmatch(value) is not None


def _check_members(entry: dict[str, Any], time: str) -> None:
    kind, own, may = _KINDS[time]
    names = set(entry)
    _need(names >= _COMMON | own | {time}, f"a member is missing: {sorted((_COMMON | own) - names)}")
    _need(names <= _COMMON | own | may | {time} | _OPTIONAL, f"unknown members: {sorted(names - _COMMON - own - may - {time} - _OPTIONAL)}")
    for name in names & {"protocol_sha256", "registration_sha256", "result_sha256", "previous", "entry_sha256", "replaces"}:
        _need(_is_sha(entry[name]), f"{name} is no digest")
    for name in names & {time, "moved_at", "first_inputs", "last_settled"}:
        if not (entry[name] is None and name in ("first_inputs", "last_settled")):
            _need(isinstance(entry[name], str), f"{name} is no text")
            micros(entry[name])
    _need(isinstance(entry["protocol_version"], str) and entry["protocol_version"] != "", "no version")
    if "file" in entry:
        file = entry["file"]
        _need(isinstance(file, str) and file != "" and "\\" not in file and not re.match(r"/|[A-Za-z]:", file), "no relative path")
        _need(kind != "frozen" or "/" not in file, "a protocol lies beside the ledger")
    if "mode" in entry:
        _need(entry["mode"] in ("prospective", "backtest"), "no mode")
    if "as" in entry:
        _need(entry["as"] in ("void", "abandoned"), "closed as something else")
    if "reason" in entry:
        reason = entry["reason"]
        _need(isinstance(reason, str) and 1 <= len(reason) <= 500, "a reason has 1 to 500 characters")
        _need(not any(unicodedata.category(c) == "Cc" or ord(c) in _DIRECTION for c in reason), "a reason with a control character")
    if "readings" in entry:
        _need(isinstance(entry["readings"], list) and all(map(_is_sha, entry["readings"])), "readings are digests")


def entry_digests(entry: dict[str, Any]) -> list[str]:
    """Its digests, those of its earlier places first."""
    places = entry.get("moved_from", [])
    found = []
    for at, place in enumerate(places):
        _need(isinstance(place, dict) and {"seq", "previous"} <= set(place) <= {"seq", "previous", "moved_at"}, "no place")
        _need(isinstance(place["seq"], int) and _is_sha(place["previous"]), "no place")
        there = {name: part for name, part in entry.items() if name not in ("moved_at", "moved_from")}
        there.update(place)
        if at:
            there["moved_from"] = places[:at]
        found.append(digest_without(there, "entry_sha256"))
    return [*found, digest_without(entry, "entry_sha256")]


def read_ledger(data: bytes | str) -> list[dict[str, Any]]:
    """Entries with `kind`, `time` and `digests`; refuses a chain that is broken."""
    if isinstance(data, bytes):
        data = data.decode("utf-8")
    found: list[dict[str, Any]] = []
    previous = "0" * 64
    _need(data == "" or data.endswith("\n"), "no line feed at the end")
    for at, line in enumerate(data.split("\n")[:-1], 1):
        entry = read_json(line)
        _need(isinstance(entry, dict), f"line {at}: no object")
        times = [name for name in _KINDS if name in entry]
        _need(len(times) == 1, f"line {at}: it has {len(times)} kinds")
        _check_members(entry, times[0])
        _need(entry["seq"] == at and entry["seq"] is not True, f"line {at}: its number is {entry['seq']}")
        _need(entry["previous"] == previous, f"line {at}: it does not follow the line before")
        digests = entry_digests(entry)
        _need(digests[-1] == entry["entry_sha256"], f"line {at}: its digest is not its own")
        previous = digests[-1]
        found.append({"kind": _KINDS[times[0]][0], "time": entry[times[0]], "digests": digests, "entry": entry})
    return found


def read_access(data: bytes | str, registration: str) -> list[dict[str, Any]]:
    """The record of readings: the first line follows the registration, each other the one before."""
    if isinstance(data, bytes):
        data = data.decode("utf-8")
    previous, found = registration, []
    _need(data == "" or data.endswith("\n"), "no line feed at the end")
    for at, line in enumerate(data.split("\n")[:-1], 1):
        entry = read_json(line)
        _need(entry["seq"] == at and entry["previous"] == previous, f"line {at} does not follow the one before")
        _need(entry["registration_sha256"] == registration, f"line {at} is of another registration")
        _need(digest_without(entry, "entry_sha256") == entry["entry_sha256"], f"line {at}: its digest is not its own")
        previous = entry["entry_sha256"]
        found.append(entry)
    return found


# ---- names of tests (docs/registration.md, the family) -------------------------------------------


def escaped(text: str) -> str:
    for letter, code in (("%", "%25"), ("/", "%2F"), ("=", "%3D"), (":", "%3A")):
        text = text.replace(letter, code)
    return text


def scope_name(scope: dict[str, Any]) -> str:
    if scope["kind"] == "stratum":
        return f"stratum:{escaped(scope['name'])}={escaped(scope['level'])}"
    return f"group={escaped(scope['group'])}" if scope["kind"] == "group" else "all"


def test_name(candidate: str, comparator: str, score: str, step: int | str, scope: dict[str, Any] | str) -> str:
    last = scope if isinstance(scope, str) else scope_name(scope)
    return "/".join([escaped(candidate), escaped(comparator), escaped(score), str(step), last])


def family_digest(names: list[str], weights: dict[str, float | None] | None) -> str:
    """SHA-256 of a line for each name and, with the cosine test, for each weight."""
    own = weights or {}
    kept = [f"{of} {number_text(own[of])}" for of in ("verdict", "deciding", "other") if own.get(of) is not None]  # type: ignore[arg-type]
    return sha256("".join(line + "\n" for line in [*names, *kept]))
