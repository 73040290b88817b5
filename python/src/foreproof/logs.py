"""Logs: trees (RFC 9162), notes, checkpoints, cosignatures, policies (C2SP); Ed25519 (RFC 8032)."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any, Iterable, Mapping

from .documents import Refused, need

# ---- Ed25519, verification alone (RFC 8032, 5.1) -------------------------------------------------

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_I = pow(2, (_P - 1) // 4, _P)
Point = tuple[int, int, int, int]


def _decode(data: bytes) -> Point | None:
    y = int.from_bytes(data, "little") & (2**255 - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _I % _P
    if (x * x - square) % _P or (x == 0 and data[31] >> 7):
        return None
    if x & 1 != data[31] >> 7:
        x = _P - x
    return (x, y, 1, x * y % _P)


def _add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % _P, (p[1] + p[0]) * (q[1] + q[0]) % _P
    c, d = 2 * p[3] * q[3] * _D % _P, 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(scalar: int, point: Point) -> Point:
    found: Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            found = _add(found, point)
        point = _add(point, point)
        scalar >>= 1
    return found


_BASE = _decode((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))


def ed25519_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    if len(key) != 32 or len(signature) != 64:
        return False
    point, scalar = _decode(key), int.from_bytes(signature[32:], "little")
    if point is None or scalar >= _L or _BASE is None:
        return False
    hashed = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % _L
    x, y, z, _ = _add(_times(scalar, _BASE), _times(_L - hashed, point))
    inverse = pow(z, _P - 2, _P)
    x, y = x * inverse % _P, y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


# ---- the tree (RFC 9162, 2.1) --------------------------------------------------------------------


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


class Tree:
    """Roots of every size of a growing list of leaves: full subtrees are hashed once."""

    def __init__(self, leaves: Iterable[bytes]) -> None:
        self.levels: list[list[bytes]] = [list(leaves)]
        while len(self.levels[-1]) > 1:
            below = self.levels[-1]
            self.levels.append([node_hash(a, b) for a, b in zip(below[::2], below[1::2])])

    def root(self, size: int) -> bytes:
        need(0 <= size <= len(self.levels[0]), "more leaves than there are")
        found = b""
        for level, hashes in enumerate(self.levels):
            if size >> level & 1:
                here = hashes[(size >> level) - 1]
                found = node_hash(here, found) if found else here
        return found or hashlib.sha256(b"").digest()


# ---- notes, checkpoints, cosignatures ------------------------------------------------------------

_NAME = re.compile(r"[^\s+]+")


def _base64(text: str) -> bytes:
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Refused("no base64") from error
    need(base64.b64encode(found).decode() == text, "no canonical base64")
    return found


def read_key(text: str, algorithm: int) -> tuple[str, bytes, bytes]:
    """Name, identifier and public key of a verifier key; algorithm 1 signs notes, 4 cosigns."""
    name, _, rest = text.partition("+")
    identifier, _, encoded = rest.partition("+")
    data = _base64(encoded)
    need(_NAME.fullmatch(name) is not None, f"no name of a verifier key: {text}")
    need(len(data) == 33 and data[0] == algorithm, f"another kind of verifier key: {text}")
    need(hashlib.sha256(name.encode() + b"\n" + data).hexdigest()[:8] == identifier,
         "an identifier that is not the key's")
    return name, bytes.fromhex(identifier), data[1:]


def read_note(note: str) -> tuple[str, list[tuple[str, bytes, bytes]]]:
    """Text and signatures (name, identifier, signature) of a note."""
    need(len(note.encode("utf-8")) <= 131_072 and note.endswith("\n"), "too long, or without end")
    need(not any(ord(c) < 32 and c != "\n" or ord(c) == 127 for c in note), "a control character")
    text, blank, block = note.rpartition("\n\n")
    if not blank:
        return note, []
    found = []
    for line in block.split("\n")[:-1]:
        match = re.fullmatch("\u2014 (\\S+) (\\S+)", line)
        data = _base64(match[2]) if match else b""
        if not match or not _NAME.fullmatch(match[1]) or len(data) < 5:
            raise Refused(f"no signature: {line}")
        found.append((match[1], data[:4], data[4:]))
    need(1 <= len(found) <= 100, "no signature, or more than a hundred")
    return text + "\n", found


def note_signed(note: str, key: str) -> bool:
    text, signatures = read_note(note)
    name, identifier, public = read_key(key, 1)
    own = [s for n, i, s in signatures if (n, i) == (name, identifier)]
    return bool(own) and all(ed25519_holds(public, text.encode(), s) for s in own)


def cosignature_times(note: str, key: str, now: int) -> list[int]:
    """Times of the valid cosignatures of a witness, ascending."""
    text, signatures = read_note(note)
    name, identifier, public = read_key(key, 4)
    found = []
    for n, i, signature in signatures:
        time = int.from_bytes(signature[:8], "big")
        if (n, i) != (name, identifier) or len(signature) != 72 or not 0 < time <= now + 300:
            continue
        if ed25519_holds(public, f"cosignature/v1\ntime {time}\n{text}".encode(), signature[8:]):
            found.append(time)
    return sorted(found)


def read_checkpoint(note: str) -> dict[str, Any]:
    lines = read_note(note)[0].split("\n")[:-1]
    need(len(lines) >= 3 and all(lines), "no checkpoint")
    need(re.fullmatch("0|[1-9][0-9]*", lines[1]) is not None, "no size of a checkpoint")
    root = _base64(lines[2])
    need(len(root) == 32, "no root")
    return {"origin": lines[0], "size": int(lines[1]), "root": root.hex()}


# ---- policies ------------------------------------------------------------------------------------


class Policy:
    """Which witnesses, in which groups, make a quorum (C2SP tlog-policy)."""

    def __init__(self, witnesses: dict[str, str], groups: dict[str, tuple[int, list[str]]],
                 quorum: str) -> None:
        self.witnesses, self.groups, self.quorum = witnesses, groups, quorum

    @staticmethod
    def registered(rule: dict[str, Any]) -> "Policy":
        """The policy of a registration (time.witnesses)."""
        return Policy({w["name"]: w["vkey"] for w in rule["witnesses"]},
                      {g["name"]: (g["k"], g["members"]) for g in rule["groups"]}, rule["quorum"])

    def time(self, times: Mapping[str, int | None], of: str | None = None) -> int | None:
        """When the quorum had cosigned: the k-th smallest time of k of n."""
        of = self.quorum if of is None else of
        if of == "none":
            return 0
        if of in self.witnesses:
            return times.get(of)
        k, members = self.groups[of]
        found = sorted(t for t in (self.time(times, m) for m in members) if t is not None)
        return found[k - 1] if len(found) >= k else None

    def liars(self, of: str | None = None) -> int:
        """How many witnesses have to lie so that two versions both have the quorum."""
        of = self.quorum if of is None else of
        if of == "none":
            return 0
        if of in self.witnesses:
            return 1
        k, members = self.groups[of]
        return sum(sorted(self.liars(m) for m in members)[: max(0, 2 * k - len(members))])


def commitment_time(checkpoints: list[dict[str, Any]], at_least: int, witnessed: bool,
                    entry: int) -> int | None:
    """From when an entry counts (docs/registration.md, commitments). None: it never does."""
    holding = [c for c in checkpoints if c["size"] > entry]
    stamped = [sorted(c["stamps"])[at_least - 1] for c in holding if len(c["stamps"]) >= at_least]
    seen = [c["witnessed"] for c in holding if c["witnessed"] is not None]
    if not stamped or (witnessed and not seen):
        return None
    return max(min(stamped), min(seen)) if witnessed else min(stamped)
