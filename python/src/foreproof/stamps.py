"""Time stamps (RFC 3161): openssl verifies a token; its time is read here from the DER form."""

from __future__ import annotations

import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
from typing import NamedTuple

from .documents import SMALL, Refused, Unchecked, micros, need, read_file

_TST_INFO = bytes.fromhex("060b2a864886f70d0109100104")


class Stamp(NamedTuple):
    """genTime, and that plus its accuracy, in microseconds."""

    moment: int
    latest: int


def _element(data: bytes, at: int) -> tuple[int, int, int]:
    """Tag, first byte of the content, and the byte after it."""
    tag, size, at = data[at], data[at + 1], at + 2
    if size & 0x80:
        count = size & 0x7F
        size, at = int.from_bytes(data[at : at + count], "big"), at + count
    return tag, at, at + size


def token_time(token: bytes) -> tuple[int, int | None, bytes]:
    """genTime and accuracy in microseconds, and the digest that was stamped (RFC 3161, 2.4.2)."""
    try:
        at = token.index(_TST_INFO) + len(_TST_INFO)
        for _ in range(3):  # [0], OCTET STRING, SEQUENCE
            at = _element(token, at)[1]
        for _ in range(2):  # version, policy
            at = _element(token, at)[2]
        _, inside, end = _element(token, at)
        _, start, stop = _element(token, _element(token, inside)[2])
        digest = token[start:stop]
        at = _element(token, end)[2]  # the serial number
        tag, start, stop = _element(token, at)
        text = token[start:stop].decode("ascii")
        match = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d(?:\.\d+)?)Z", text)
        if tag != 0x18 or not match:
            raise Refused("no genTime")
        moment = micros("{}-{}-{}T{}:{}:{}Z".format(*match.groups()))
        accuracy = None
        if stop < len(token) and token[stop] == 0x30:
            _, at, end = _element(token, stop)
            accuracy = 0
            while at < end:
                tag, start, after = _element(token, at)
                unit = {0x02: 1_000_000, 0x80: 1000, 0x81: 1}[tag]
                accuracy += int.from_bytes(token[start:after], "big") * unit
                at = after
        return moment, accuracy, digest
    except (IndexError, ValueError, KeyError) as error:
        raise Refused(f"no time stamp: {error}") from error


def anchor_digest(pem: str) -> str:
    """SHA-256 of the DER form of a certificate."""
    match = re.search("-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]+)-----END CERTIFICATE-", pem)
    if not match:
        raise Refused("no certificate")
    return hashlib.sha256(base64.b64decode(match[1])).hexdigest()


def need_openssl() -> str:
    program = shutil.which("openssl")
    if program is None:
        raise Unchecked("no openssl: install it to verify stamps")
    return program


def token_holds(token: pathlib.Path, digest: str, anchor: pathlib.Path) -> bool:
    """Whether openssl verifies a stamp over this digest to this anchor, now or at its own time."""
    program = need_openssl()
    moment, _, stamped_digest = token_time(read_file(token, SMALL))
    if stamped_digest.hex() != digest:
        return False
    command = [program, "ts", "-verify", "-digest", digest, "-in", str(token),
               "-CAfile", str(anchor)]
    return any(subprocess.run([*command, *more], capture_output=True, check=False).returncode == 0
               for more in ([], ["-attime", str(moment // 1_000_000)]))


def stamped(token: pathlib.Path, digest: str, authority: dict[str, str],
            anchors: pathlib.Path) -> Stamp:
    """When an authority stamped a digest, by its token."""
    name = authority["name"]
    anchor = anchors / f"{name}.pem"
    need(anchor.is_file(), f"{name}: its anchor is not there")
    need(anchor_digest(read_file(anchor, SMALL).decode()) == authority["anchor_sha256"],
         f"{name}: the anchor is another certificate")
    need(token_holds(token, digest, anchor), f"{name}: the stamp on {digest[:12]} does not hold")
    moment, accuracy, _ = token_time(read_file(token, SMALL))
    return Stamp(moment, moment + (accuracy or 0))


def earliest(own: list[Stamp]) -> Stamp | None:
    """The one of an authority that counts, of those on an entry of a ledger and later ones."""
    return min(own, key=lambda stamp: stamp.latest, default=None)


def is_in_time(stamp: Stamp, mode: str, first_inputs: str | None) -> bool:
    """A prospective registration has to be there before its first inputs."""
    return mode == "backtest" or (first_inputs is not None and stamp.latest < micros(first_inputs))


def shown_at(in_time: list[Stamp], at_least: int) -> int | None:
    """Since when enough authorities show it; one has to, even where none is asked for."""
    needed = max(1, at_least)
    return None if len(in_time) < needed else sorted(at for _, at in in_time)[needed - 1]
