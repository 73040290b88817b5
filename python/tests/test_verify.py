"""Verification of evidence, and of forged copies of it.

FOREPROOF_EVIDENCE names a folder of evaluations, each a folder with `evidence`, `protocols`, `vintage` and
`history.ndjson`. What is forged is `stamped days` in it: test/outside/python-package.test.ts makes all of them.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import io
import json
import os
import pathlib
import shutil
import tempfile
import unittest
from types import SimpleNamespace
from typing import Any, Callable
from unittest import mock

from foreproof import stamps
from foreproof.__main__ import main
from foreproof.baselines import Past
from foreproof.chain import entry_digests, read_ledger
from foreproof.compare import near, too_close
from foreproof.compile import _stratum
from foreproof.documents import DOCUMENT, INPUT, Refused, Unchecked, canonical, digest_without, plain, read_json, sha256
from foreproof.periods import Listed, read_periods
from foreproof.rows import history_digest, history_line
from foreproof.verdicts import _as_told, _left_out
from foreproof.verify import LEFT_OUT, Given, Protocol, check_plan, check_protocol, check_window, verify

EVIDENCE = pathlib.Path(os.environ.get("FOREPROOF_EVIDENCE", "."))
MADE = unittest.skipUnless("FOREPROOF_EVIDENCE" in os.environ, "no evidence: set FOREPROOF_EVIDENCE")
Row = dict[str, Any]
Forge = Callable[["Copy"], Any]


@functools.lru_cache(maxsize=None)
def _known(token: bytes, digest: str, anchor: bytes) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("token", "anchor")]
        for path, data in zip(paths, (token, anchor)):
            path.write_bytes(data)
        return REAL(paths[0], digest, paths[1])


REAL = stamps.token_holds


class Copy:
    """A copy of an evaluation, with everything that it was made from."""

    def __init__(self, folder: pathlib.Path, of: str = "stamped days") -> None:
        self.root, self.evidence, self.protocols, self.history = folder, folder / "evidence", folder / "protocols", folder / "history.ndjson"
        for name in ("evidence", "protocols", "vintage"):
            shutil.copytree(EVIDENCE / of / name, folder / name)
        for name in ("registration.json", "history.ndjson"):
            shutil.copy(EVIDENCE / of / name, folder)

    @property
    def result(self) -> Row:
        return json.loads((self.evidence / "result.json").read_text())

    def edit(self, change: Callable[[Row], Any]) -> None:
        result = self.result
        change(result)
        (self.evidence / "result.json").write_text(canonical(result) + "\n")

    def pairs(self, change: Callable[[list[Row]], Any]) -> None:
        file = self.evidence / "pairs.ndjson.gz"
        rows = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
        change(rows)
        file.write_bytes(gzip.compress("".join(plain(row) + "\n" for row in rows).encode(), 1))

    def fit(self) -> None:
        """Make every digest fit, as a forger would who has ledger and record."""
        data = gzip.decompress((self.evidence / "pairs.ndjson.gz").read_bytes())
        self.edit(lambda r: r["inputs"]["pairs"].update(sha256=sha256(data), rows=data.count(b"\n")))
        self.edit(lambda r: r.update(result_sha256=digest_without(r, "result_sha256", "exploratory", "earlier_readings")))
        sha = self.result["result_sha256"]
        access = [json.loads(line) for line in (self.evidence / "access.jsonl").read_text().splitlines()]
        access[-1]["result_sha256"] = sha
        access[-1]["entry_sha256"] = digest_without(access[-1], "entry_sha256")
        text = "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in access)
        (self.evidence / "access.jsonl").write_text(text)
        next(iter((self.protocols / "access").iterdir())).write_text(text)
        self.ledger(lambda entries: entries[-1].update(result_sha256=sha, readings=[access[-1]["entry_sha256"]]))

    def access(self, change: Callable[[list[Row]], Any]) -> None:
        """The record and its copy are chained anew, and the ledger names the last line."""
        file = self.evidence / "access.jsonl"
        entries = [json.loads(line) for line in file.read_text().splitlines()]
        previous = entries[0]["previous"]
        change(entries)
        for seq, entry in enumerate(entries, 1):
            entry.update(seq=seq, previous=previous)
            entry["entry_sha256"] = previous = digest_without(entry, "entry_sha256")
        text = "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries)
        for path in (file, next((self.protocols / "access").iterdir())):
            path.write_text(text)
        self.ledger(lambda e: e[-1].update(readings=[previous]))

    def ledger(self, change: Callable[[list[Row]], Any]) -> None:
        file, previous = self.protocols / "ledger.jsonl", "0" * 64
        entries = [json.loads(line) for line in file.read_text().splitlines()]
        change(entries)
        for entry in entries:
            entry["previous"] = previous
            entry["entry_sha256"] = previous = entry_digests(entry)[-1]
        file.write_text("".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries))

    def broken(self) -> list[str]:
        with mock.patch.object(stamps, "token_holds", lambda t, d, a: _known(t.read_bytes(), d, a.read_bytes())):
            links = verify(Given(self.evidence, self.protocols, self.history, self.root / "vintage"))
        return [link.name for link in links if link.state == "BROKEN"]


def row(rows: list[Row], model: str, at: int = 7) -> Row:
    return [r for r in rows if r["model"] == model][at]


def lines(path: pathlib.Path, change: Callable[[list[str]], Any]) -> None:
    found = path.read_text().splitlines(keepends=True)
    change(found)
    path.write_text("".join(found))


def replace(path: pathlib.Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test(r: Row, name: str = "mine/last_day/wis/overall/all") -> Row:
    return next(t for t in r["reading"]["tests"] if t["name"] == name)


def first(folder: pathlib.Path, suffix: str) -> pathlib.Path:
    return sorted(folder.rglob("*" + suffix))[0]


def move(of: Row, member: str, by: float = 1.001) -> None:
    of[member] *= by


def in_pairs(change: Callable[[list[Row]], Any]) -> Forge:
    return lambda c: c.pairs(change)


def in_result(change: Callable[[Row], Any]) -> Forge:
    return lambda c: c.edit(change)


def in_test(member: str, by: float = 1.001, of: str | None = None) -> Forge:
    return lambda c: c.edit(lambda r: move(test(r)[of] if of else test(r), member, by))


def in_log(change: Callable[[list[str]], Any]) -> Forge:
    return lambda c: lines(c.evidence / "time" / "log" / "entries.ndjson", change)


def fewer_rows(c: Copy) -> None:
    vintage = c.root / "vintage"
    lines(vintage / "releases.csv", lambda x: x.pop())
    sha = sha256((vintage / "releases.csv").read_bytes())
    manifest = json.loads((vintage / "manifest.json").read_text())
    (vintage / "manifest.json").write_text(json.dumps({**manifest, "sha256": sha}))
    c.edit(lambda r: r["inputs"]["outcomes"].update(sha256=sha))
    c.access(lambda e: [x.update(vintage_sha256=sha) for x in e])


def in_history(change: Callable[[list[str]], Any]) -> Forge:
    return lambda c: lines(c.history, change)


def mine(rows: list[Row], change: Callable[[Row], Any]) -> None:
    for each in rows:
        if each["model"] == "mine":
            change(each)


def spoil(path: pathlib.Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])


def closed_before(c: Copy) -> None:
    def change(entries: list[Row]) -> None:
        own = {n: entries[1][n] for n in ("protocol_version", "protocol_sha256", "registration_sha256")}
        end = {"as": "void", "reason": "None.", "closed_at": entries[1]["registered_at"]}
        entries.insert(-1, {"seq": len(entries), **own, **end})
        entries[-1]["seq"] += 1
    c.ledger(change)


def in_access(change: Callable[[list[Row]], Any]) -> Forge:
    return lambda c: c.access(change)


def read_before(entries: list[Row], **change: Any) -> None:
    """Another run, whose result was not liked."""
    entries[:0] = [{**entries[0], **change}, {**entries[1], **change, "result_sha256": "ef" * 32}]


def pad(path: pathlib.Path) -> None:
    """A hole as long as the limit: no disk is used."""
    with open(path, "ab") as file:
        file.truncate((1 << 28) + 1)


def keep(rows: list[Row], which: Callable[[Row], bool]) -> None:
    rows[:] = filter(which, rows)


# Name, what is forged, whether every digest is made to fit, the link that has to break.
FORGED: list[tuple[str, Forge, bool, str]] = [
    ("a forecast", in_pairs(lambda p: row(p, "mine").update(value=99.5)), False, "pairs"),
    ("a forecast, fitted", in_pairs(lambda p: row(p, "mine").update(value=99.5)), True, "pairs"),
    ("every forecast a little nearer", in_pairs(lambda p: mine(p, lambda r: r.update(value=r["value"] * 0.99 + r["outcome"] * 0.01))), True, "pairs"),
    ("a quantile", in_pairs(lambda p: row(p, "mine")["quantiles"].__setitem__(0, 1.5)), True, "pairs"),
    ("a status", in_pairs(lambda p: row(p, "mine").update(status="missing", reason="forecast_missing", value=None, outcome=None, base=None)), True, "pairs"),
    ("a status that is not the reason's", in_pairs(lambda p: row(p, "mine").update(status="missing")), True, "pairs"),
    ("a baseline", in_pairs(lambda p: row(p, "trend").update(value=row(p, "trend")["value"] * 1.01)), True, "pairs"),
    ("a quantile of a baseline", in_pairs(lambda p: row(p, "last_day")["quantiles"].__setitem__(2, 99999)), True, "pairs"),
    ("an outcome of all models", in_pairs(lambda p: [r.update(outcome=r["outcome"] + 1) for r in p if (r["series"], r["target"]) == (p[0]["series"], p[0]["target"])]), True, "pairs"),
    ("an outcome of one model", in_pairs(lambda p: p[0].update(outcome=1.5)), True, "pairs"),
    ("what persistence saw", in_pairs(lambda p: [r.update(base=r["base"] + 1) for r in p[:6]]), True, "pairs"),
    ("a target", in_pairs(lambda p: [r.update(target="2024-02-12") for r in p[:6]]), True, "pairs"),
    ("a line left out", in_pairs(lambda p: p.pop(3)), True, "pairs"),
    ("a line twice", in_pairs(lambda p: p.insert(3, dict(p[3]))), True, "pairs"),
    ("a model left out", in_pairs(lambda p: keep(p, lambda r: r["model"] != "usual")), True, "pairs"),
    ("a day left out", in_pairs(lambda p: keep(p, lambda r: r["origin"] != "2024-03-01")), True, "pairs"),
    ("a figure", in_test("observed"), False, "result"),
    ("a figure, fitted", in_test("observed"), True, "computation"),
    ("a p", in_test("p", 0.5), True, "computation"),
    ("an adjusted p", in_test("p_adjusted", 0.5), True, "computation"),
    ("a standard error", in_test("standard_error"), True, "computation"),
    ("a bound", in_test("upper", of="bounds"), True, "computation"),
    ("a simultaneous bound", in_test("lower", of="bounds_simultaneous"), True, "computation"),
    ("degrees of freedom", in_test("degrees_of_freedom", 2), True, "computation"),
    ("a decision", in_result(lambda r: test(r).update(decision="not_rejected")), True, "computation"),
    ("a weight", in_test("weight"), True, "computation"),
    ("a rank", in_test("rank", 2), True, "computation"),
    ("a bound of a group", in_result(lambda r: move(test(r, "mine/last_day/wis/overall/group=ga"), "group_bound")), True, "computation"),
    ("a test left out", in_result(lambda r: r["reading"]["tests"].pop()), True, "computation"),
    ("tests exchanged", in_result(lambda r: r["reading"]["tests"].reverse()), True, "computation"),
    ("p of the verdict", in_result(lambda r: move(r["reading"]["verdicts"][0], "p")), True, "computation"),
    ("a part of the verdict", in_result(lambda r: move(r["reading"]["verdicts"][0]["parts"][1], "limit", 1.1)), True, "computation"),
    ("a part left out", in_result(lambda r: r["reading"]["verdicts"][0]["parts"].pop()), True, "computation"),
    ("the disposition", in_result(lambda r: r["reading"]["dispositions"][0].update(disposition="negative")), True, "computation"),
    ("the disposition with a reason", in_result(lambda r: (r["reading"]["dispositions"][0].update(disposition="negative"), r["reading"]["dispositions"][0]["reasons"][0].update(leads_to="negative"))), True, "computation"),
    ("a reason that there is not", in_result(lambda r: r["reading"]["dispositions"][0]["reasons"][0].update(code="best")), True, "computation"),
    ("a reason left out", in_result(lambda r: r["reading"]["dispositions"][0]["reasons"].pop()), True, "computation"),
    ("an improvement", in_result(lambda r: move(r["reading"]["dispositions"][0]["reasons"][0], "found")), True, "computation"),
    ("what waiting is worth", in_result(lambda r: move(r["reading"]["waiting"][0], "w", 0.5)), True, "computation"),
    ("a mean difference", in_result(lambda r: move(r["reading"]["differences"][0]["observed"], "wis")), True, "computation"),
    ("what was lost", in_result(lambda r: r["reading"]["differences"][0]["lost"].update(candidate_not_scored=3)), True, "computation"),
    ("a mean", in_result(lambda r: move(r["reading"]["measures"][0]["means"], "wis")), True, "computation"),
    ("what became of attempts", in_result(lambda r: r["reading"]["accounting"][0]["point"].update(failed=2)), True, "computation"),
    ("a comparator far off", in_result(lambda r: r["reading"]["far_off"].append("trend")), True, "computation"),
    ("alpha", in_result(lambda r: r["settings"]["rules"].update(alpha=0.1)), True, "computation"),
    ("the divisor", in_result(lambda r: (r["registrations"].update(divisor=6, repetition=2), r["settings"]["rules"].update(alpha=0.05 / 6))), True, "computation"),
    ("a limit", in_result(lambda r: r["settings"]["rules"]["limits"].update(harm=0.2)), True, "registration"),
    ("the mode", in_result(lambda r: r["settings"].update(mode="backtest")), True, "registration"),
    ("a comparator", in_result(lambda r: r["settings"]["comparators"].pop()), True, "registration"),
    ("white space", lambda c: (c.evidence / "result.json").write_text(json.dumps(c.result)), False, "result"),
    ("cells", lambda c: lines(c.evidence / "cells.ndjson", lambda x: x.pop()), False, "result"),
    ("the registration", lambda c: replace(c.root / "registration.json", "made days", "made nights"), False, "registration"),
    ("the protocol", lambda c: replace(c.protocols / "daily-1.json", "0.05", "0.06"), False, "protocol"),
    ("the list of periods", lambda c: lines(c.protocols / "daily-1.periods.csv", lambda x: x.pop()), False, "protocol"),
    ("an entry of the ledger", lambda c: replace(c.protocols / "ledger.jsonl", "2024-02-05", "2024-02-04"), False, "ledger"),
    ("an entry, chained anew", lambda c: c.ledger(lambda e: e[1].update(registered_at="2024-02-04T00:00:00Z")), False, "registration"),
    ("an entry left out", lambda c: c.ledger(lambda e: (e.pop(0), [x.update(seq=n) for n, x in enumerate(e, 1)])), False, "ledger"),
    ("a result under another version", lambda c: c.ledger(lambda e: e[-1].update(protocol_version="daily-2")), False, "ledger"),
    ("a result under another protocol", lambda c: c.ledger(lambda e: e[-1].update(protocol_sha256="b" * 64)), False, "ledger"),
    ("a registration entered late", lambda c: c.ledger(lambda e: e[1].update(registered_at="2025-07-31T12:00:00Z")), False, "ledger"),
    ("how far the vintage goes", in_result(lambda r: r["inputs"]["outcomes"].update(complete_to="2024-06-01T12:00:00Z")), True, "outcomes"),
    ("a value of the vintage", lambda c: lines(c.root / "vintage" / "releases.csv", lambda x: x.__setitem__(99, x[99].replace("2", "3"))), False, "outcomes"),
    ("how many rows the vintage has", in_result(lambda r: r["inputs"]["outcomes"].update(rows=403)), True, "outcomes"),
    ("another source of the vintage", lambda c: replace(c.root / "vintage" / "manifest.json", '"source": "made"', '"source": "other"'), False, "outcomes"),
    ("a row of the vintage left out", fewer_rows, True, "outcomes"),
    ("a stamp removed", lambda c: first(c.evidence / "time" / "stamps", ".tsr").unlink(), False, "time"),
    ("a stamp of something else", lambda c: shutil.copy(first(c.evidence / "time" / "log" / "stamps", ".tsr"), first(c.evidence / "time" / "stamps", ".tsr")), False, "time"),
    ("a byte of a stamp", lambda c: spoil(first(c.evidence / "time" / "stamps", ".tsr")), False, "time"),
    ("the time of the stamp", in_result(lambda r: r["time"].update(stamped_at="2024-02-05T00:00:01Z")), True, "time"),
    ("an anchor removed", lambda c: first(c.evidence / "time" / "anchors", ".pem").unlink(), False, "time"),
    ("a leaf", in_log(lambda x: x.__setitem__(5, x[6])), False, "log"),
    ("an entry of the log left out", in_log(lambda x: x.pop(9)), False, "log"),
    ("a checkpoint", lambda c: replace(c.evidence / "time" / "log" / "checkpoints" / "100", "100", "101"), False, "log"),
    ("a stamp of the log removed", lambda c: (c.evidence / "time" / "log" / "stamps" / "100" / "alpha.tsr").unlink(), False, "log"),
    ("a reading removed", lambda c: lines(c.evidence / "access.jsonl", lambda x: x.pop(0)), False, "access"),
    ("the record beside the ledger removed", lambda c: shutil.rmtree(c.protocols / "access"), False, "ledger"),
    ("exploratory", in_result(lambda r: r.update(exploratory=True, earlier_readings=1)), True, "access"),
    ("a link among the files", lambda c: (c.evidence / "report.md").unlink() or (c.evidence / "report.md").symlink_to("report.html"), False, "folder"),
    ("alpha without registrations", in_result(lambda r: (r.update(registrations=None), r["settings"]["rules"].update(alpha=0.5))), True, "computation"),
    ("the verdicts left out", in_result(lambda r: r["reading"].update(verdicts=[])), True, "computation"),
    ("a measure left out", in_result(lambda r: r["reading"]["measures"].pop()), True, "computation"),
    ("a mean left out", in_result(lambda r: r["reading"]["measures"][0]["means"].pop("wis")), True, "computation"),
    ("a difference left out", in_result(lambda r: r["reading"]["differences"].pop()), True, "computation"),
    ("attempts twice", in_result(lambda r: r["reading"]["accounting"].__setitem__(0, r["reading"]["accounting"][1])), True, "computation"),
    ("waiting left out", in_result(lambda r: r["reading"]["waiting"].pop()), True, "computation"),
    ("a test under another name", in_result(lambda r: test(r).update(comparator="usual")), True, "computation"),
    ("the number of rejected tests", in_result(lambda r: r["reading"]["family"].update(rejected=1)), True, "computation"),
    ("a second reading", in_result(lambda r: r.update(second_reading={"late": 1, "counts_for": [], "reading": r["reading"]})), True, "computation"),
    ("the version of the format", in_result(lambda r: r.update(result_version=2)), True, "result"),
    ("a further member", in_result(lambda r: r["reading"].update(endorsed=True)), True, "result"),
    ("an empty bound", in_result(lambda r: test(r).update(bounds={})), True, "result"),
    ("the kind", in_result(lambda r: r.update(kind="not_decided")), True, "registration"),
    ("a setting left out", in_result(lambda r: r["settings"].pop("commitment")), True, "registration"),
    ("a rule left out", in_result(lambda r: r["settings"]["rules"].pop("limits")), True, "registration"),
    ("the rules of the registration", lambda c: replace(c.root / "registration.json", '"rules"', '"rulers"'), False, "registration"),
    ("bytes after the pairs", lambda c: (p := c.evidence / "pairs.ndjson.gz").write_bytes(gzip.compress(gzip.decompress(p.read_bytes()) + b"{}")), True, "pairs"),
    ("bytes after the readings", lambda c: lines(c.evidence / "access.jsonl", lambda x: x.append("{}")), False, "access"),
    ("line feeds after the result", lambda c: lines(c.evidence / "result.json", lambda x: x.append("\n")), False, "result"),
    ("a pipe instead of the result", lambda c: (c.evidence / "result.json").unlink() or os.mkfifo(c.evidence / "result.json"), False, "folder"),
    ("a forecast of a baseline called missing", in_pairs(lambda p: row(p, "last_week").update(status="missing", interval_status="missing", reason="forecast_missing")), True, "pairs"),
    ("a forecast of a baseline out of range", in_pairs(lambda p: row(p, "last_week").update(status="failed", interval_status="failed", reason="out_of_range")), True, "pairs"),
    ("a vintage of a baseline", in_pairs(lambda p: row(p, "last_week").update(vintage_sha256="b" * 64)), True, "pairs"),
    ("a reason that there is not, of an attempt", in_pairs(lambda p: row(p, "mine").update(status="ineligible", interval_status="ineligible", reason="late")), True, "pairs"),
    ("an interval that ends otherwise", in_pairs(lambda p: row(p, "mine").update(interval_status="missing")), True, "pairs"),
    ("lines in another order", in_pairs(lambda p: p.reverse()), True, "pairs"),
    ("a row beside the grid with an outcome", in_pairs(lambda p: p.append({**p[-1], "model": "other", "expected": False, "status": "ineligible", "interval_status": "ineligible", "reason": "model_not_in_plan"})), True, "pairs"),
    ("a row beside the grid that is not in the history", in_pairs(lambda p: p.append({**p[-1], "model": "other", "expected": False, "status": "ineligible", "interval_status": "ineligible", "reason": "model_not_in_plan", "outcome": None, "base": None, "seen": None})), True, "pairs"),
    ("waiting twice", in_result(lambda r: r["reading"]["waiting"].insert(0, {**r["reading"]["waiting"][0], "w": 0})), True, "computation"),
    ("a window that ends earlier", in_result(lambda r: r["window"].update(through="2024-04-08")), True, "pairs"),
    ("a row of the history", in_history(lambda x: x.__setitem__(50, x[50].replace('"value":', '"value":1'))), False, "history"),
    ("a row of the history left out", in_history(lambda x: x.pop(50)), False, "history"),
    ("what waiting is worth over all steps", in_result(lambda r: r["window"].update(waiting_worth=0.01)), True, "computation"),
    ("the number of origins", in_result(lambda r: r["window"].update(origins=600)), True, "computation"),
    ("the number of blocks", in_result(lambda r: r["window"].update(blocks=120)), True, "computation"),
    ("a second look as the first", in_access(read_before), False, "ledger"),
    ("a second look with other forecasts", in_access(lambda e: read_before(e, history_sha256="0" * 64)), False, "ledger"),
    ("a second look that says so in the record alone", in_access(lambda e: (read_before(e), [x.update(exploratory=True) for x in e[2:]])), False, "access"),
    ("one reading too many", in_result(lambda r: r.update(earlier_readings=1)), False, "access"),
    ("a result without its reading", in_access(lambda e: e.pop(0)), False, "ledger"),
    ("a reading by other code", in_access(lambda e: e[0].update(code_sha256="0" * 64)), False, "ledger"),
    ("readings by other code", in_access(lambda e: [x.update(code_sha256="0" * 64) for x in e]), False, "access"),
    ("a blank in the record", lambda c: [replace(c.evidence / "access.jsonl", '{"seq":1,', '{"seq":1, '), replace(next(c.protocols.glob("access/*")), '{"seq":1,', '{"seq":1, ')], False, "access"),
    ("a note in the record", in_access(lambda e: e[0].update(note="x")), False, "ledger"),
    ("a reading before outcomes were known", in_access(lambda e: e[0].update(at="2024-02-06T00:00:00Z")), False, "access"),
    ("the record beside the ledger removed, and named by no entry", lambda c: (shutil.rmtree(c.protocols / "access"), c.ledger(lambda e: e[-1].pop("readings"))), False, "access"),
    ("a registration closed before its result", closed_before, False, "access"),
    ("no readings", lambda c: c.ledger(lambda e: e[1].update(readings=[])), False, "ledger"),
    ("an entry of the future", lambda c: c.ledger(lambda e: e[-1].update(result_at="2131-01-01T00:00:00Z")), False, "ledger"),
    ("no proof of time", in_result(lambda r: r.update(time=None)), True, "time"),
    ("the level", in_result(lambda r: r["time"].update(level="self_declared")), True, "time"),
    ("how many stamps are asked for", in_result(lambda r: r["time"].update(at_least=2)), True, "time"),
    ("no time of the stamps", in_result(lambda r: r["time"].update(stamped_at=None)), True, "time"),
    ("another token", in_result(lambda r: r["time"]["authorities"][0]["stamp"].update(token_sha256="0" * 64)), True, "time"),
    ("a stamp on another entry", in_result(lambda r: r["time"]["authorities"][0]["stamp"].update(entry=9)), True, "time"),
    ("the last stamp of the log", in_result(lambda r: r["time"]["commitment"].update(last_stamped_at=None)), True, "log"),
    ("a result above the limit", lambda c: pad(c.evidence / "result.json"), False, "result"),
    ("a ledger above the limit", lambda c: pad(c.protocols / "ledger.jsonl"), False, "ledger"),
    ("a record above the limit", lambda c: pad(c.evidence / "access.jsonl"), False, "access"),
    ("the registration removed", lambda c: (c.root / "registration.json").unlink(), False, "registration"),
    ("the protocol removed", lambda c: (c.protocols / "daily-1.json").unlink(), False, "protocol"),
    ("a long line of pairs", in_pairs(lambda p: p[0].update(model="m" * (1 << 16))), True, "pairs"),
    ("0 for false", in_result(lambda r: r.update(exploratory=0)), True, "result"),
    ("false for 0", in_result(lambda r: r.update(earlier_readings=False)), True, "result"),
    ("true for 1", in_result(lambda r: r.update(result_version=True)), True, "result"),
    ("null for a list of bounds", in_result(lambda r: r["reading"]["measures"][0].update(bounds=None)), True, "result"),
    ("1 for true in pairs", in_pairs(lambda p: p[0].update(expected=1)), True, "pairs"),
    ("a note in pairs", in_pairs(lambda p: p[0].update(note="x")), True, "pairs"),
    ("a row of the history twice", in_history(lambda x: x.insert(50, x[50])), False, "history"),
]


# What of a registration does not follow from its rules and window, though every digest fits.
PLANS: list[tuple[str, Callable[[Row], Any]]] = [
    ("a required comparator left out", lambda r: (r["comparators"].pop(0), keep(r["family"]["tests"], lambda t: "/last_day/" not in t))),
    ("a name under which it is required", lambda r: r["comparators"][0].update(required_as=[])),
    ("a model instead of a baseline", lambda r: r["comparators"][0].update(source="history")),
    ("a baseline that is not asked of a series", lambda r: r["not_asked"].append({"comparator": "last_week", "series": ["a"]})),
    ("a test left out", lambda r: r["family"]["tests"].remove("mine/last_day/wis/1/all")),
    ("tests in another order", lambda r: r["family"]["tests"].reverse()),
    ("scales left out", lambda r: r.update(scales=[])),
    ("a scale left out", lambda r: r["scales"].pop()),
    ("scales of later values", lambda r: r.update(scales_as_of="2024-02-06T00:00:00Z")),
    ("registered late", lambda r: r.update(registered_at="2024-03-01T00:00:00Z")),
    ("a log without a commitment", lambda r: r.update(commitment_log="x")),
    ("another version", lambda r: r.update(registration_version=7)),
    ("first inputs later", lambda r: r["window"].update(first_inputs="2027-01-01T00:00:00Z")),
    ("due at another time", lambda r: r["window"].update(first_due="1999-01-01T00:00:00Z", last_due="1999-01-02T00:00:00Z")),
    ("settled earlier", lambda r: r["window"].update(last_settled="2024-02-14T12:00:00Z")),
    ("more origins", lambda r: r["window"].update(origins=600)),
    ("another end of the list", lambda r: r["rules"]["periods"].update(last="2024-06-29")),
    ("another commitment", lambda r: r.update(commitment="sworn")),
]


@MADE
class Evidence(unittest.TestCase):
    def verify(self, folder: pathlib.Path, *more: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = main(["verify", str(folder / "evidence"), "--protocols", str(folder / "protocols"), *more])
        return code, out.getvalue()

    def test_every_evaluation(self) -> None:
        folders = sorted(EVIDENCE.iterdir())
        self.assertTrue(folders)
        for folder in folders:
            with self.subTest(name=folder.name):
                code, text = self.verify(folder, "--outcomes", str(folder / "vintage"), "--history", str(folder / "history.ndjson"))
                # That a document of version 1 compiles to its rules is never checked.
                schema = json.loads((folder / "registration.json").read_text())["rules"]["schema"]
                self.assertEqual(code, 3 if schema == 1 else 0, text)
                self.assertEqual("believed: values of ar1" in text, schema == 1)

    def test_exit_codes(self) -> None:
        """Without an input, without openssl, and with a table above the limit: not checked."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(pathlib.Path(folder))
            for reason, patch, link in (
                ("not there: the vintage", contextlib.nullcontext(), "outcomes"),
                ("no openssl", mock.patch("shutil.which", lambda name: None), "time"),
                ("unpacked has more than 9 bytes", mock.patch("foreproof.verify.INPUT", INPUT._replace(size=9)), "pairs"),
            ):
                with self.subTest(reason=reason), patch:
                    code, text = self.verify(copy.root)
                    self.assertEqual(code, 3)
                    self.assertRegex(text, f"not checked  {link} .*{reason}")
                    self.assertEqual(self.verify(copy.root, "--allow-unchecked")[0], 0)
                    if reason == "no openssl":
                        self.assertRegex(text, "holds +computation")
            with mock.patch("foreproof.verify.DOCUMENT", DOCUMENT._replace(size=9)):
                code, text = self.verify(copy.root, "--allow-unchecked")
                self.assertEqual(code, 1)
                self.assertRegex(text, "BROKEN +registration .*has more than 9 bytes")
            copy.edit(lambda r: r.update(exploratory=True))
            self.assertEqual(self.verify(copy.root, "--allow-unchecked")[0], 1)

    def test_proof_that_nobody_asked_for(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(pathlib.Path(folder), "one of any series")
            proof = json.loads((EVIDENCE / "witnessed days" / "evidence" / "result.json").read_text())["time"]
            copy.edit(lambda r: r.update(time=proof))
            copy.fit()
            self.assertEqual(copy.broken(), ["time", "log"])

    def test_a_registration_that_was_moved_too_late(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(pathlib.Path(folder), "one of any series")
            copy.ledger(lambda e: e[1].update(moved_at="2024-02-12T00:00:00Z", moved_from=[{"seq": 2, "previous": e[0]["entry_sha256"]}]))
            self.assertEqual(copy.broken(), ["time"])
            copy.ledger(lambda e: e[1].update(moved_at="2024-02-10T00:00:00Z"))
            self.assertEqual(copy.broken(), [])

    def test_a_small_file_that_unpacks_to_a_large_one(self) -> None:
        """It is refused at its first line, or at the first one too many."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(pathlib.Path(folder))
            file = copy.evidence / "pairs.ndjson.gz"
            whole = gzip.decompress(file.read_bytes())
            for data, says in ((b" " * (1 << 24), "line 1: "), (whole * 2, f"line {copy.result['inputs']['pairs']['rows'] + 1}: ")):
                file.write_bytes(gzip.compress(data, 1))
                links = {link.name: link for link in verify(Given(copy.evidence, copy.protocols, None, None))}
                self.assertEqual(links["pairs"].state, "BROKEN")
                self.assertIn(says + "too many or too long", links["pairs"].note)

    def test_the_readme_names_what_is_left_out(self) -> None:
        readme = pathlib.Path(__file__).parents[1] / "README.md"
        self.assertIn(f"> {LEFT_OUT}\n", readme.read_text())

    def test_nothing_that_a_terminal_obeys_is_printed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(pathlib.Path(folder))
            (copy.evidence / "\x1b[2Jx").symlink_to("report.md")
            code, text = self.verify(copy.root)
            self.assertEqual(code, 1)
            self.assertIn("\\x1b[2Jx is no regular file", text)
            self.assertNotIn("\x1b", text)

    def test_a_result_that_the_ledger_lacks(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(pathlib.Path(folder))
            copy.ledger(lambda entries: entries.pop())
            code, text = self.verify(
                copy.root, "--outcomes", str(copy.root / "vintage"), "--history", str(copy.history))
            # As `foreproof audit` does: the link holds, with a warning.
            self.assertEqual(code, 0, text)
            self.assertIn(f"result-not-in-ledger: the ledger has no entry of the result {copy.result['result_sha256']}", text)

    def test_second_readings(self) -> None:
        for change in (lambda r: r.update(second_reading=None), lambda r: r["second_reading"].update(late=1), lambda r: r["second_reading"]["counts_for"].append("mine")):
            with tempfile.TemporaryDirectory() as folder:
                copy = Copy(pathlib.Path(folder), "witnessed days")
                copy.edit(change)
                copy.fit()
                self.assertEqual(copy.broken(), ["computation"])

    def test_an_interval_of_hours(self) -> None:
        for model in ("seer", "persistence"):
            with tempfile.TemporaryDirectory() as folder:
                copy = Copy(pathlib.Path(folder), "one with a verdict")
                copy.pairs(lambda rows: row(rows, model).update(interval_status="failed"))
                copy.fit()
                self.assertIn("pairs", copy.broken())

    def test_a_forecast_that_only_the_log_has(self) -> None:
        """Taken out of history and pairs alike, it is withdrawn, and no gap."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(pathlib.Path(folder))
            gone = {"series": "a", "origin": "2024-03-01", "model": "mine"}
            rows = [json.loads(line) for line in copy.history.read_text().splitlines()]
            kept = [r for r in rows if not gone.items() <= r.items()]
            copy.history.write_text("".join(plain(r) + "\n" for r in kept))
            days = [p["period"] for p in read_periods((copy.protocols / "daily-1.periods.csv").read_text())]
            sha, count = history_digest([(r, history_line(r)) for r in kept], json.loads((copy.root / "registration.json").read_text())["window"], days)
            copy.edit(lambda r: r["inputs"]["history"].update(sha256=sha, rows=count))
            none = {"status": "missing", "interval_status": "missing", "reason": "forecast_missing", "value": None, "quantiles": [None] * 3, "outcome": None, "base": None}
            copy.pairs(lambda pairs: [p.update(none) for p in pairs if gone.items() <= p.items()])
            copy.fit()
            links = {link.name: link for link in verify(Given(copy.evidence, copy.protocols, copy.history, copy.root / "vintage"))}
            self.assertEqual(links["history"].state, "holds")
            self.assertIn("withdrawn is not forecast_missing", links["pairs"].note)

    def test_what_an_author_may_not_choose(self) -> None:
        folder = EVIDENCE / "one of any series"
        text = (folder / "registration.json").read_text()
        rules = json.loads(text)["rules"]
        periods = Listed(read_periods(first(folder / "protocols", ".periods.csv").read_text()), rules)

        def check(registration: Row) -> str:
            check_window(registration, periods)
            return check_plan(registration, Protocol({}, periods)).unchecked

        self.assertEqual(check(json.loads(text)), "")
        for name, change in PLANS:
            with self.subTest(name=name), self.assertRaises(Refused):
                registration = json.loads(text)
                change(registration)
                check(registration)

    def test_altered_rules_are_no_other_time_zones(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(pathlib.Path(folder))
            given = Given(copy.evidence, copy.protocols, None, None)
            ledger = read_ledger((copy.protocols / "ledger.jsonl").read_bytes())
            registration = json.loads((copy.root / "registration.json").read_text())
            registration["rules"]["outcome"]["known"]["offset"] = "P9D"
            with self.assertRaisesRegex(Refused, "rules/outcome"):
                check_protocol(given, copy.result, ledger, registration)

    def test_forged_folders(self) -> None:
        self.assertGreaterEqual(len(FORGED), 60)
        for name, forge, fit, link in FORGED:
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                copy = Copy(pathlib.Path(folder))
                forge(copy)
                if fit:
                    copy.fit()
                self.assertIn(link, copy.broken())


class Baselines(unittest.TestCase):
    def point(self, kind: str, values: list[Any], target: int) -> float | None:
        ends = list(range(len(values)))
        return Past(ends, lambda i: values[i], len(values) - 1, 1).point(kind, None, target, 0.1)[0]

    def test_ema(self) -> None:
        # All but the newest are 1, so the mean is off by the newest weight: one over a geometric sum.
        self.assertAlmostEqual(self.point("ema", [1] * 19 + [2], 20), 1 + (1 - 9 / 11) / (1 - (9 / 11) ** 20), 14)
        self.assertIsNone(self.point("ema", [1] * 19 + [None] * 82 + [2] + [1] * 18, 140))

    def test_ar1(self) -> None:
        values = [2.0]
        for _ in range(24):
            values.append(3 - 0.5 * values[-1])
        self.assertAlmostEqual(self.point("ar1", [9, None, *values], 29), 3 - 0.5 * (3 - 0.5 * (3 - 0.5 * values[-1])), 12)
        # A slope of 2 is held at 1: the mean step, of means (2^20 - 1) / 20 and twice that, is added.
        doubled = [float(2**n) for n in range(21)]
        self.assertAlmostEqual(self.point("ar1", doubled, 21), 2**20 + (2**20 - 1) / 20, 6)
        self.assertEqual(self.point("ar1", [5] * 21, 40), 5)
        self.assertIsNone(self.point("ar1", [5] * 20, 40))


class Window(unittest.TestCase):
    def test_instants_follow_from_the_list(self) -> None:
        rules = {"periods": {"count": 2, "first": "a", "last": "b"}, "zone": "Europe/Berlin", "steps": [1], "origins": {"due": {"anchor": "end", "offset": "P1D"}}, "outcome": {"known": {"anchor": "end", "offset": "PT0H"}, "release": {"rule": "as_of_lag", "lag": "PT1H"}}}
        periods = Listed(read_periods("period,start,end\na,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\nb,2026-01-02T00:00:00Z,2026-01-03T00:00:00Z\n"), rules)
        window = {"from": "a", "to": "b", "origins": 2, "first_inputs": "2026-01-03T00:00:00Z", "first_due": "2026-01-03T00:00:00Z", "last_due": "2026-01-04T00:00:00Z", "last_settled": "2026-01-03T01:00:00Z"}
        instants = {"sha256": sha256("a,b,2026-01-03T00:00:00Z,2026-01-03T00:00:00Z,2026-01-03T01:00:00Z\n"), "tz": "2025c"}
        check_window({"rules": rules, "window": window, "instants": instants}, periods)
        for name in ("origins", "first_inputs", "first_due", "last_due", "last_settled"):
            with self.assertRaisesRegex(Refused, name):
                check_window({"rules": rules, "window": {**window, name: None}, "instants": instants}, periods)
        other = {"rules": rules, "window": window, "instants": {**instants, "sha256": "0" * 64}}
        with self.assertRaisesRegex(Unchecked, "2025c"):
            check_window(other, periods)
        # Without days no clock of a zone is asked, so another digest is no other table.
        rules["origins"]["due"]["offset"] = "PT24H"
        with self.assertRaises(Refused):
            check_window(other, Listed(periods.periods, rules))


class Rules(unittest.TestCase):
    def test_strata_with_all_that_a_registration_has(self) -> None:
        made = _stratum({"name": "turmoil", "by": "past_volatility", "series": "DE", "changes": 30, "levels": [{"level": "calm", "below": "0.02"}, {"level": "rough"}]})
        self.assertEqual(made, {"name": "turmoil", "by": "past_volatility", "series": "DE", "changes": 30, "transform": {"kind": "identity", "offset": None}, "levels": [{"level": "calm", "below": 0.02}, {"level": "rough", "below": None}]})
        night = {"name": "part", "by": "hour_of_day", "levels": [{"level": "night", "hours": [0, 1]}]}
        self.assertEqual(_stratum(night), night)


class Silence(unittest.TestCase):
    def left_out(self, series: int, silent: int, loss: float = 0.01, keys: int = 100, steps: int = 2) -> float:
        """Of series whose first ones are `silent`, with that loss; the others have a loss of 1."""
        cells = [(str(s), step) for s in range(series) for step in range(steps)]
        gone = {c for c in cells if int(c[0]) < silent}
        pairs = {"mine": {c: [c not in gone] * keys for c in cells}, "other": {c: [True] * keys for c in cells}}
        losses = {"other": {c: {"main": [loss if c in gone else 1.0]} for c in cells}}
        return _left_out(SimpleNamespace(
            rules={"limits": {"availability": 0.05, "availability_stratum": 0.1}}, registered=cells, series=[str(s) for s in range(series)], steps=range(steps), scopes={"all": None},
            not_asked={}, pairs=pairs, losses=losses, primary={"id": "main"}, outcome=lambda pair: True, scored=bool, shared=lambda a, b: a and b), "mine", "other", False)

    def test_one_of_fifty_series_may_be_silent(self) -> None:
        self.assertAlmostEqual(self.left_out(50, 1), 0.02 / 0.05)
        self.assertAlmostEqual(self.left_out(49, 1), 1 / 0.1)
        self.assertAlmostEqual(self.left_out(50, 2), 1 / 0.1)
        self.assertAlmostEqual(self.left_out(50, 1, loss=3), 1 / 0.1)

    def test_thirty_keys_a_step_are_asked_for(self) -> None:
        self.assertAlmostEqual(self.left_out(40, 1, keys=30), 1 / 0.1)
        self.assertAlmostEqual(self.left_out(40, 1, keys=29), 0.025 / 0.05)


class Near(unittest.TestCase):
    def test_figures_and_words(self) -> None:
        self.assertTrue(near({"a": [1.0, "x", None]}, {"a": [1.0 + 1e-12, "x", None]}))
        self.assertFalse(near({"a": 1.0}, {"a": 1.0 + 1e-8}))
        self.assertFalse(near({"a": 1}, {"a": True}) or near(1.0, True) or near(None, 0))
        self.assertFalse(near(10**12, 10**12 + 1))

    def test_an_integer_too_large_for_a_double(self) -> None:
        with self.assertRaises(Refused):
            read_json("1" + "0" * 400)

    def test_a_p_that_only_rounding_parts_is_that_of_the_result(self) -> None:
        self.assertEqual([_as_told(1.0, 1 - 2**-53), _as_told(1e-9, 1.1e-9), _as_told(None, 1.0), _as_told(1.0, None)], [1 - 2**-53, 1e-9, None, 1.0])

    def test_what_is_too_close_is_so_on_both_sides(self) -> None:
        self.assertTrue(too_close(0.05, 0.05, 0.05 * (1 + 1e-13)))
        for own, told in ((0.05, 0.05 * (1 + 1e-11)), (0.04, 0.05), (None, 0.05)):
            self.assertFalse(too_close(0.05, own, told))
            self.assertFalse(too_close(0.05, told, own))


if __name__ == "__main__":
    unittest.main()
