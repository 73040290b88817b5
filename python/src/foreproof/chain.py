"""The ledger and the record of readings, chained by line (docs/protocols.md); names of tests."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from typing import Any

from .documents import Refused, digest_without, micros, need, number_text, read_json, sha256

Row = dict[str, Any]
_SHA = re.compile(r"[0-9a-f]{64}")
_COMMON = {"seq", "protocol_version", "protocol_sha256", "previous", "entry_sha256"}
_OPTIONAL = {"readings", "moved_at", "moved_from"}
# By the member that says when: the kind, what the entry has besides, and what it may have.
_KINDS: dict[str, tuple[str, set[str], set[str]]] = {
    "frozen_at": ("frozen", {"file"}, {"supersedes"}),
    "registered_at": ("registered", {
        "registration_sha256", "file", "mode", "first_inputs", "last_settled"}, set()),
    "result_at": ("result", {"registration_sha256", "result_sha256"}, set()),
    "closed_at": ("closed", {"registration_sha256", "as", "reason"}, set()),
    "corrected_at": ("corrected", {
        "registration_sha256", "replaces", "result_sha256", "reason"}, set()),
}
_DIGESTS = {"protocol_sha256", "registration_sha256", "result_sha256", "previous", "entry_sha256",
            "replaces"}
# What a result was made from. Whoever has read the same before sees nothing new.
MADE_FROM = ("vintage_sha256", "history_sha256", "code_sha256")
_READING = ("seq", "event", "at", "registration_sha256", *MADE_FROM, "exploratory",
            "result_sha256", "previous", "entry_sha256")
_DIRECTION = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def _is_sha(value: Any) -> bool:
    return isinstance(value, str) and _SHA.fullmatch(value) is not None


def _check_reason(reason: Any) -> None:
    need(isinstance(reason, str) and 1 <= len(reason) <= 500, "a reason has 1 to 500 characters")
    need(not any(unicodedata.category(c) == "Cc" or ord(c) in _DIRECTION for c in reason),
         "a reason with a control character")


def _check_file(file: Any, kind: str) -> None:
    need(isinstance(file, str) and file != "" and "\\" not in file, "no relative path")
    need(not re.match(r"/|[A-Za-z]:", file), "no relative path")
    need(kind != "frozen" or "/" not in file, "a protocol lies beside the ledger")


def _check_members(entry: Row, time: str) -> None:
    kind, own, may = _KINDS[time]
    names, asked = set(entry), _COMMON | own | {time}
    need(names >= asked, f"members are missing: {sorted(asked - names)}")
    unknown = names - asked - may - _OPTIONAL
    need(not unknown, f"unknown members: {sorted(unknown)}")
    for name in names & _DIGESTS:
        need(_is_sha(entry[name]), f"{name} is no digest")
    for name in names & {time, "moved_at", "first_inputs", "last_settled"}:
        if not (entry[name] is None and name in ("first_inputs", "last_settled")):
            need(isinstance(entry[name], str), f"{name} is no text")
            micros(entry[name])
    version = entry["protocol_version"]
    need(isinstance(version, str) and version != "", "no version")
    need(entry.get("mode", "backtest") in ("prospective", "backtest"), "no mode")
    need(entry.get("as", "void") in ("void", "abandoned"), "closed as something else")
    if "file" in entry:
        _check_file(entry["file"], kind)
    if "reason" in entry:
        _check_reason(entry["reason"])
    if "readings" in entry:
        readings = entry["readings"]
        need(isinstance(readings, list) and readings != [] and all(map(_is_sha, readings)),
             "readings are digests")


def entry_digests(entry: Row) -> list[str]:
    """Its digests, those of its earlier places first."""
    places = entry.get("moved_from", [])
    found = []
    for at, place in enumerate(places):
        need(isinstance(place, dict), "no place")
        need({"seq", "previous"} <= set(place) <= {"seq", "previous", "moved_at"}, "no place")
        need(isinstance(place["seq"], int) and _is_sha(place["previous"]), "no place")
        there = {name: part for name, part in entry.items() if name != "moved_at"} | place
        there["moved_from"] = places[:at]
        found.append(digest_without(there, "entry_sha256", *([] if at else ["moved_from"])))
    return [*found, digest_without(entry, "entry_sha256")]


def _lines(data: bytes | str) -> list[Row]:
    *lines, end = (data.decode("utf-8") if isinstance(data, bytes) else data).split("\n")
    need(end == "", "no line feed at the end")
    return [read_json(line) for line in lines]


def read_ledger(data: bytes | str) -> list[Row]:
    """Entries with `kind`, `time` and `digests`; refuses a chain that is broken."""
    found: list[Row] = []
    # The protocol of each frozen version and of each registration.
    frozen: dict[str, tuple[str, str]] = {}
    registered: dict[str, tuple[str, str]] = {}
    previous = "0" * 64
    for at, entry in enumerate(_lines(data), 1):
        need(isinstance(entry, dict), f"line {at}: no object")
        times = [name for name in _KINDS if name in entry]
        need(len(times) == 1, f"line {at}: it has {len(times)} kinds")
        time = times[0]
        _check_members(entry, time)
        need(entry["seq"] == at and entry["seq"] is not True, f"line {at}: its number is another")
        need(entry["previous"] == previous, f"line {at}: it does not follow the line before")
        digests = entry_digests(entry)
        previous = digests[-1]
        need(previous == entry["entry_sha256"], f"line {at}: its digest is not its own")
        version, _ = protocol = (entry["protocol_version"], entry["protocol_sha256"])
        if time == "frozen_at":
            need(version not in frozen, f"line {at}: the version was frozen before")
            frozen[version] = protocol
        else:
            own = entry["registration_sha256"]
            if time == "registered_at":
                need(own not in registered, f"line {at}: it was registered before")
                registered[own] = frozen.get(version, ("", ""))
            need(registered.get(own) == protocol, f"line {at}: nothing before it has its protocol")
        found.append(
            {"kind": _KINDS[time][0], "time": entry[time], "digests": digests, "entry": entry})
    return found


def entry_of(ledger: list[Row], kind: str, **members: str) -> Row:
    """The first entry of a kind with these members."""
    for entry in ledger:
        if entry["kind"] == kind and members.items() <= entry["entry"].items():
            return entry
    raise Refused(f"the ledger has no such entry: {kind} {members}")


def read_access(data: bytes, registration: str) -> list[tuple[Row, int]]:
    """The record of readings, each line with how many readings counted before it.

    Refused is what `score` cannot have written. A reading does not count for the same inputs and
    code until these gave a result: it broke off, and showed nothing that the next will not show.
    """
    record: list[tuple[Row, int]] = []
    previous, readings = registration, 0
    broken_off: Counter[tuple[str, ...]] = Counter()
    marked: dict[tuple[str, ...], set[bool]] = {}
    for at, entry in enumerate(_lines(data), 1):
        need(isinstance(entry, dict) and set(entry) == set(_READING), f"line {at}: its members")
        need(type(entry["seq"]) is int and isinstance(entry["exploratory"], bool)
             and isinstance(entry["at"], str) and all(_is_sha(entry[n]) for n in MADE_FROM),
             f"line {at}: a member of another type")
        need(entry["seq"] == at and entry["previous"] == previous, f"line {at} does not follow")
        need(entry["registration_sha256"] == registration, f"line {at} is of another registration")
        previous = digest_without(entry, "entry_sha256")
        need(previous == entry["entry_sha256"], f"line {at}: its digest is not its own")
        inputs = tuple(entry[name] for name in MADE_FROM)
        before, own = readings - broken_off[inputs], marked.setdefault(inputs, set())
        if entry["event"] == "outcomes_read":
            need(entry["result_sha256"] is None and entry["exploratory"] == (before > 0),
                 f"line {at}: {before} earlier readings count")
            readings += 1
            broken_off[inputs] += 1
            own.add(entry["exploratory"])
        else:
            need(entry["event"] == "result_written" and _is_sha(entry["result_sha256"])
                 and entry["exploratory"] in own, f"line {at}: a result without its reading")
            broken_off[inputs] = 0
        record.append((entry, before))
    return record


def readings_text(record: list[tuple[Row, int]]) -> str:
    """As `score` writes it: digests do not cover blanks, nor the order of members."""
    rows = [{name: entry[name] for name in _READING} for entry, _ in record]
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


# ---- names of tests (docs/registration.md, the family) -------------------------------------------


def escaped(text: str) -> str:
    for letter, code in (("%", "%25"), ("/", "%2F"), ("=", "%3D"), (":", "%3A")):
        text = text.replace(letter, code)
    return text


def scope_name(scope: Row) -> str:
    if scope["kind"] == "stratum":
        return f"stratum:{escaped(scope['name'])}={escaped(scope['level'])}"
    return f"group={escaped(scope['group'])}" if scope["kind"] == "group" else "all"


def test_name(candidate: str, comparator: str, score: str, step: int | str,
              scope: Row | str) -> str:
    last = scope if isinstance(scope, str) else scope_name(scope)
    return "/".join([escaped(candidate), escaped(comparator), escaped(score), str(step), last])


def family_digest(names: list[str], weights: dict[str, float | None] | None) -> str:
    """SHA-256 of a line for each name and, with the cosine test, for each weight."""
    shares = [(of, (weights or {}).get(of)) for of in ("verdict", "deciding", "other")]
    lines = [*names, *(f"{of} {number_text(share)}" for of, share in shares if share is not None)]
    return sha256("".join(line + "\n" for line in lines))
