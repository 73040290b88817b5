"""Verification of the demo's evidence, and of forged copies of it.

FOREPROOF_DEMO names the folder that `foreproof demo` wrote; FOREPROOF_HISTORY its prospective history
as NDJSON (foreproof history export). FOREPROOF_MORE: more evaluations, each a folder with evidence,
protocols, vintage and h.ndjson, separated by colons.
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
from typing import Any, Callable
from unittest import mock

from foreproof import stamps
from foreproof.__main__ import main
from foreproof.chain import entry_digests
from foreproof.documents import canonical, digest_without, plain, sha256
from foreproof.evaluate import Evaluation
from foreproof.verify import LINKS, Audit, near

DEMO = os.environ.get("FOREPROOF_DEMO")
HISTORY = os.environ.get("FOREPROOF_HISTORY")
Row = dict[str, Any]
NAMES = {says: name for name, says, _ in LINKS}


@functools.lru_cache(maxsize=None)
def _known(token: bytes, digest: str, anchor: bytes) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("token", "anchor")]
        for path, data in zip(paths, (token, anchor)):
            path.write_bytes(data)
        return REAL(paths[0], digest, paths[1])


REAL = stamps.token_holds


class Copy:
    """A copy of the demo's prospective evaluation, with everything that it was made from."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.root, self.evidence, self.protocols = folder, folder / "evaluation", folder / "protocols"
        source = pathlib.Path(DEMO or "")
        for name in ("evaluation", "protocols"):
            shutil.copytree(source / "prospective" / name, folder / name)
        shutil.copytree(source / "vintage", folder / "vintage")
        shutil.copy(source / "prospective" / "registration.json", folder)
        self.history = folder / "history.ndjson"
        if HISTORY:
            shutil.copy(HISTORY, self.history)

    @property
    def result(self) -> Row:
        return json.loads((self.evidence / "result.json").read_text())

    def edit(self, change: Callable[[Row], Any]) -> None:
        result = self.result
        change(result)
        (self.evidence / "result.json").write_text(canonical(result))

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
            found = Audit(self.evidence, self.protocols, self.history if HISTORY else None, self.root / "vintage").run()
        for method in vars(Evaluation).values():
            getattr(method, "cache_clear", int)()
        return [NAMES[says] for state, says, _ in found if state == "BROKEN"]


def row(rows: list[Row], model: str, at: int = 7) -> Row:
    return [r for r in rows if r["model"] == model][at]


def lines(path: pathlib.Path, change: Callable[[list[str]], Any]) -> None:
    found = path.read_text().splitlines(keepends=True)
    change(found)
    path.write_text("".join(found))


def test(r: Row, name: str = "clear_signal/persistence/point_loss/overall/all") -> Row:
    return next(t for t in r["reading"]["tests"] if t["name"] == name)


def first(folder: pathlib.Path, suffix: str) -> pathlib.Path:
    return sorted(folder.rglob("*" + suffix))[0]


def move(r: Row, of: Row, member: str, by: float = 1.001) -> None:
    of[member] *= by


# Name, what is forged, whether every digest is made to fit, the link that has to break.
FORGED: list[tuple[str, Callable[[Copy], Any], bool, str]] = [
    ("a price", lambda c: c.pairs(lambda p: row(p, "clear_signal").update(value=70000.5)), False, "pairs"),
    ("a price, fitted", lambda c: c.pairs(lambda p: row(p, "clear_signal").update(value=70000.5)), True, "pairs"),
    ("every price a little nearer", lambda c: c.pairs(lambda p: [r.update(value=r["value"] * 0.99 + r["outcome"] * 0.01) for r in p if r["model"] == "clear_signal"]), True, "computation"),
    ("a quantile", lambda c: c.pairs(lambda p: row(p, "clear_signal")["quantiles"].__setitem__(0, 1.5)), True, "computation"),
    ("a status", lambda c: c.pairs(lambda p: row(p, "clear_signal").update(status="missing", reason="forecast_missing", value=None, outcome=None, base=None)), True, "computation"),
    ("a status that is not the reason's", lambda c: c.pairs(lambda p: row(p, "clear_signal").update(status="missing")), True, "pairs"),
    ("a baseline", lambda c: c.pairs(lambda p: row(p, "drift_24h").update(value=row(p, "drift_24h")["value"] * 1.01)), True, "pairs"),
    ("a quantile of a baseline", lambda c: c.pairs(lambda p: row(p, "persistence")["quantiles"].__setitem__(2, 99999)), True, "pairs"),
    ("an outcome of all models", lambda c: c.pairs(lambda p: [r.update(outcome=r["outcome"] + 1) for r in p if (r["origin"], r["step"]) == (p[0]["origin"], p[0]["step"])]), True, "pairs"),
    ("an outcome of one model", lambda c: c.pairs(lambda p: p[0].update(outcome=1.5)), True, "pairs"),
    ("what persistence saw", lambda c: c.pairs(lambda p: [r.update(base=r["base"] + 1) for r in p[:6]]), True, "pairs"),
    ("a target", lambda c: c.pairs(lambda p: [r.update(target="2026-06-09T00:00:00Z") for r in p[:6]]), True, "pairs"),
    ("a line left out", lambda c: c.pairs(lambda p: p.pop(3)), True, "pairs"),
    ("a line twice", lambda c: c.pairs(lambda p: p.insert(3, dict(p[3]))), True, "pairs"),
    ("a model left out", lambda c: c.pairs(lambda p: p.__setitem__(slice(None), [r for r in p if r["model"] != "ar1"])), True, "pairs"),
    ("an hour left out", lambda c: c.pairs(lambda p: p.__setitem__(slice(None), [r for r in p if r["origin"] != p[-1]["origin"]])), True, "pairs"),
    ("a figure", lambda c: c.edit(lambda r: move(r, test(r), "observed")), False, "result"),
    ("a figure, fitted", lambda c: c.edit(lambda r: move(r, test(r), "observed")), True, "computation"),
    ("a p", lambda c: c.edit(lambda r: move(r, test(r), "p", 0.5)), True, "computation"),
    ("an adjusted p", lambda c: c.edit(lambda r: move(r, test(r), "p_adjusted", 0.5)), True, "computation"),
    ("a standard error", lambda c: c.edit(lambda r: move(r, test(r), "standard_error")), True, "computation"),
    ("a bound", lambda c: c.edit(lambda r: move(r, test(r)["bounds"], "upper")), True, "computation"),
    ("a simultaneous bound", lambda c: c.edit(lambda r: move(r, test(r)["bounds_simultaneous"], "lower")), True, "computation"),
    ("degrees of freedom", lambda c: c.edit(lambda r: test(r).update(degrees_of_freedom=8)), True, "computation"),
    ("a decision", lambda c: c.edit(lambda r: test(r).update(decision="not_rejected")), True, "computation"),
    ("a weight", lambda c: c.edit(lambda r: move(r, test(r), "weight")), True, "computation"),
    ("a test left out", lambda c: c.edit(lambda r: r["reading"]["tests"].pop()), True, "computation"),
    ("tests exchanged", lambda c: c.edit(lambda r: r["reading"]["tests"].reverse()), True, "computation"),
    ("p of the verdict", lambda c: c.edit(lambda r: move(r, r["reading"]["verdicts"][0], "p")), True, "computation"),
    ("a part of the verdict", lambda c: c.edit(lambda r: move(r, r["reading"]["verdicts"][0]["parts"][3], "limit", 1.1)), True, "computation"),
    ("a part left out", lambda c: c.edit(lambda r: r["reading"]["verdicts"][0]["parts"].pop()), True, "computation"),
    ("the disposition", lambda c: c.edit(lambda r: r["reading"]["dispositions"][0].update(disposition="negative")), True, "computation"),
    ("the disposition with a reason", lambda c: c.edit(lambda r: (r["reading"]["dispositions"][0].update(disposition="negative"), r["reading"]["dispositions"][0]["reasons"][0].update(leads_to="negative"))), True, "computation"),
    ("an improvement", lambda c: c.edit(lambda r: move(r, r["reading"]["dispositions"][0]["reasons"][0], "found")), True, "computation"),
    ("what waiting is worth", lambda c: c.edit(lambda r: move(r, r["reading"]["waiting"][0], "w", 0.5)), True, "computation"),
    ("a mean difference", lambda c: c.edit(lambda r: move(r, r["reading"]["differences"][0]["observed"], "point_loss")), True, "computation"),
    ("what was lost", lambda c: c.edit(lambda r: r["reading"]["differences"][0]["lost"].update(candidate_not_scored=3)), True, "computation"),
    ("a mean", lambda c: c.edit(lambda r: move(r, r["reading"]["measures"][0]["means"], "point_loss")), True, "computation"),
    ("what became of attempts", lambda c: c.edit(lambda r: r["reading"]["accounting"][0]["point"].update(failed=2)), True, "computation"),
    ("alpha", lambda c: c.edit(lambda r: r["settings"]["rules"].update(alpha=0.1)), True, "computation"),
    ("the divisor", lambda c: c.edit(lambda r: (r["registrations"].update(divisor=6, repetition=2), r["settings"]["rules"].update(alpha=0.05 / 6))), True, "computation"),
    ("a limit", lambda c: c.edit(lambda r: r["settings"]["rules"]["limits"].update(harm=0.2)), True, "registration"),
    ("the mode", lambda c: c.edit(lambda r: r["settings"].update(mode="backtest")), True, "registration"),
    ("a comparator", lambda c: c.edit(lambda r: r["settings"]["comparators"].pop()), True, "registration"),
    ("white space", lambda c: (c.evidence / "result.json").write_text(json.dumps(c.result)), False, "result"),
    ("cells", lambda c: lines(c.evidence / "cells.ndjson", lambda x: x.pop()), False, "result"),
    ("the registration", lambda c: (c.root / "registration.json").write_text((c.root / "registration.json").read_text().replace("four weeks", "five weeks", 1)), False, "registration"),
    ("the protocol", lambda c: (c.protocols / "btcusd-hourly-3.json").write_text((c.protocols / "btcusd-hourly-3.json").read_text().replace("0.05", "0.06", 1)), False, "protocol"),
    ("an entry of the ledger", lambda c: lines(c.protocols / "ledger.jsonl", lambda x: x.__setitem__(1, x[1].replace("2026-05-31", "2026-05-30"))), False, "ledger"),
    ("an entry, chained anew", lambda c: c.ledger(lambda e: e[1].update(registered_at="2026-05-30T12:00:00Z")), False, "registration"),
    ("an entry left out", lambda c: c.ledger(lambda e: (e.pop(0), [x.update(seq=n) for n, x in enumerate(e, 1)])), False, "registration"),
    ("a registration entered late", lambda c: c.ledger(lambda e: e[1].update(registered_at="2026-07-31T12:00:00Z")), False, "ledger"),
    ("a close", lambda c: lines(c.root / "vintage" / "closes.csv", lambda x: x.__setitem__(99, x[99].replace("2", "3"))), False, "outcomes"),
    ("a stamp removed", lambda c: first(c.evidence / "time" / "stamps", ".tsr").unlink(), False, "time"),
    ("a stamp of something else", lambda c: shutil.copy(first(c.evidence / "time" / "log" / "stamps", ".tsr"), first(c.evidence / "time" / "stamps", ".tsr")), False, "time"),
    ("a byte of a stamp", lambda c: (lambda p: p.write_bytes(p.read_bytes()[:-9] + b"x" + p.read_bytes()[-8:]))(first(c.evidence / "time" / "stamps", ".tsr")), False, "time"),
    ("the time of the stamp", lambda c: c.edit(lambda r: r["time"].update(stamped_at="2026-05-30T12:00:01Z")), True, "time"),
    ("an anchor removed", lambda c: first(c.evidence / "time" / "anchors", ".pem").unlink(), False, "time"),
    ("a leaf", lambda c: lines(c.evidence / "time" / "log" / "entries.ndjson", lambda x: x.__setitem__(5, x[6])), False, "log"),
    ("an entry of the log left out", lambda c: lines(c.evidence / "time" / "log" / "entries.ndjson", lambda x: x.pop(9)), False, "log"),
    ("a checkpoint", lambda c: (lambda p: p.write_text(p.read_text().replace("100", "101")))(c.evidence / "time" / "log" / "checkpoints" / "100"), False, "log"),
    ("a stamp of the log removed", lambda c: (c.evidence / "time" / "log" / "stamps" / "100" / "demo-authority.tsr").unlink(), False, "log"),
    ("a reading removed", lambda c: lines(c.evidence / "access.jsonl", lambda x: x.pop(0)), False, "access"),
    ("the record beside the ledger removed", lambda c: shutil.rmtree(c.protocols / "access"), False, "ledger"),
    ("exploratory", lambda c: c.edit(lambda r: r.update(exploratory=True, earlier_readings=1)), True, "access"),
    ("a link among the files", lambda c: (c.evidence / "report.md").unlink() or (c.evidence / "report.md").symlink_to("report.html"), False, "folder"),
    ("a row of the history", lambda c: lines(c.history, lambda x: x.__setitem__(50, x[50].replace('"price_usd":6', '"price_usd":7'))), False, "history"),
    ("a row of the history left out", lambda c: lines(c.history, lambda x: x.pop(50)), False, "history"),
    ("a row of the history twice", lambda c: lines(c.history, lambda x: x.insert(50, x[50])), False, "history"),
]


@unittest.skipUnless(DEMO, "no evidence: set FOREPROOF_DEMO to the folder of foreproof demo")
class Evidence(unittest.TestCase):
    def verify(self, *arguments: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = main(["verify", *arguments])
        return code, out.getvalue()

    def test_the_demo(self) -> None:
        for name in ("prospective", "prospective-late", "."):
            base = pathlib.Path(DEMO or "") / name
            code, text = self.verify(str(base / "evaluation"), "--protocols", str(base / "protocols"), "--outcomes", str(pathlib.Path(DEMO or "") / "vintage"))
            self.assertEqual(code, 3, text)
            self.assertNotIn("BROKEN", text)

    def test_exit_codes(self) -> None:
        base = pathlib.Path(DEMO or "") / "prospective-late"
        given = [str(base / "evaluation"), "--protocols", str(base / "protocols")]
        self.assertEqual(self.verify(*given)[0], 3)
        self.assertEqual(self.verify(*given, "--allow-unchecked")[0], 0)

    def test_other_evaluations(self) -> None:
        for folder in filter(None, os.environ.get("FOREPROOF_MORE", "").split(":")):
            code, text = self.verify(f"{folder}/evidence", "--protocols", f"{folder}/protocols", "--outcomes", f"{folder}/vintage", "--history", f"{folder}/h.ndjson")
            self.assertEqual(code, 0, text)

    def test_forged_folders(self) -> None:
        self.assertGreaterEqual(len(FORGED), 60)
        for name, forge, fit, link in FORGED:
            if not HISTORY and link == "history":
                continue
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                copy = Copy(pathlib.Path(folder))
                forge(copy)
                if fit:
                    copy.fit()
                broken = copy.broken()
                self.assertTrue(broken, "nothing was found")
                self.assertIn(link if HISTORY or link != "pairs" else broken[0], broken)


class Near(unittest.TestCase):
    def test_figures_and_words(self) -> None:
        self.assertTrue(near({"a": [1.0, "x", None]}, {"a": [1.0 + 1e-12, "x", None]}))
        self.assertFalse(near({"a": 1.0}, {"a": 1.0 + 1e-8}))
        self.assertFalse(near({"a": 1}, {"a": True}) and near(None, 0))


if __name__ == "__main__":
    unittest.main()
