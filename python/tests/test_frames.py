"""Frames in and out, the syntax of Python 3.10, and Ed25519 by RFC 8032."""

from __future__ import annotations

import ast
import json
import os
import pathlib
import sys
import tempfile
import unittest
from typing import Any
from unittest import mock

import foreproof
from foreproof.logs import ed25519_holds
from foreproof.periods import periods_text, read_periods

SOURCE = pathlib.Path(foreproof.__file__).parent
EVIDENCE = pathlib.Path(os.environ.get("FOREPROOF_EVIDENCE", "."))
LIST = "period,start,end,steps\n" + "".join(f"d{n},2026-01-{n:02}T00:00:00Z,2026-01-{n + 1:02}T00:00:00Z,\n" for n in range(1, 10))
PROTOCOL = {"schema_version": 2, "series": [{"id": "a", "unit": "u", "source": "s"}, {"id": "b", "unit": "u", "source": "s"}], "horizons": [1, 2],
            "forecast": {"levels": ["0.1", "0.5", "0.9"], "minimum": "0", "integer": False}, "scores": [{"id": "wis", "kind": "weighted_interval", "primary": True}], "baselines": [{"id": "last"}]}
GOOD = {"series": "a", "origin": "d1", "horizon": 1, "model": "m", "value": 5, "q0.1": 4, "q0.5": 5, "q0.9": 6.5}
# From RFC 8032, 7.1: public key, message, signature.
SIGNED = [
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
]


class Writing(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "p.json").write_text(json.dumps(PROTOCOL))
        (self.folder / "p.periods.csv").write_text(LIST)

    def write(self, rows: Any) -> list[dict[str, Any]]:
        foreproof.write_forecasts(rows, self.folder / "f.ndjson", self.folder / "p.json")
        return [json.loads(line) for line in (self.folder / "f.ndjson").read_text().splitlines()]

    def test_a_row(self) -> None:
        self.assertEqual(self.write([GOOD]), [{"series": "a", "origin": "d1", "horizon": 1, "model": "m", "value": 5, "quantiles": {"0.1": 4, "0.5": 5, "0.9": 6.5}}])
        self.assertEqual(self.write([{n: v for n, v in GOOD.items() if n != "value"}])[0]["value"], 5)

    def test_order_and_attempts(self) -> None:
        rows = [GOOD | {"origin": "d3"}, {"series": "a", "origin": "d2", "horizon": 2, "model": "m", "status": "failed", "reason": "no data"}, GOOD | {"series": "b", "q0.1": float("nan"), "q0.10": 4}]
        self.assertEqual([(r["series"], r["origin"]) for r in self.write(rows)], [("a", "d2"), ("a", "d3"), ("b", "d1")])

    def test_a_row_for_each_quantile(self) -> None:
        key = {n: GOOD[n] for n in ("series", "origin", "horizon", "model")}
        self.assertEqual(self.write([key | {"level": level, "value": value} for level, value in ((0.9, 6.5), (0.1, 4), (0.5, 5))]), self.write([GOOD]))

    def test_every_bad_row_is_named(self) -> None:
        bad = [({"series": "c"}, "no series"), ({"origin": "d99"}, "no origin"), ({"horizon": 3}, "no horizon"), ({"horizon": True}, "no horizon"), ({"origin": "d9"}, "no horizon"),
               ({"q0.1": 7}, "quantiles_cross"), ({"value": 5.1}, "quantiles_cross"), ({"q0.9": None}, "quantiles_incomplete"), ({"q0.1": -1}, "out_of_range"), ({"q1.5": 1}, "no level"),
               ({"value": "5"}, "no number"), ({"model": None}, "model is missing"), ({"mean": 5}, "without a meaning"), ({"generated_at": "2026-01-01"}, "no instant"), ({"status": "late"}, "no status"),
               ({"horizon": float("inf")}, "no horizon"), ({"value": 10**400}, "no number"), ({"quantiles": [4, 5]}, "no values by level"), ({"q0.10": 4}, "0.1 is given twice"),
               ({"model": "last"}, "name of a baseline"), ({"model": "\ud800"}, "no Unicode")]
        for change, says in bad:
            with self.subTest(change=change), self.assertRaisesRegex(ValueError, f"row 1: .*{says}"):
                self.write([GOOD | {"series": "b"}, GOOD | change])
        self.assertFalse((self.folder / "f.ndjson").exists())
        with self.assertRaisesRegex(ValueError, "row 1: another row has this key: row 0"):
            self.write([GOOD, GOOD | {"q0.9": 7}])
        self.assertEqual(len(self.write([GOOD, GOOD])), 1)
        level = {n: GOOD[n] for n in ("series", "origin", "horizon", "model")} | {"level": 0.5}
        with self.assertRaisesRegex(ValueError, "row 0: a value is missing.*\nrow 2: the level 0.5 is given twice"):
            self.write([level, level | {"value": 5}, level | {"value": 5}])
        with self.assertRaisesRegex(ValueError, "^row 0: columns without a meaning: mean$"):
            self.write([GOOD | {"mean": 5}, GOOD | {"mean": 6}])

    def test_pandas(self) -> None:
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas")
        frame = pandas.DataFrame([GOOD, GOOD | {"origin": "d2"}]).assign(generated_at=pandas.Timestamp("2026-01-02", tz="UTC"))
        self.assertEqual(self.write(frame)[1]["generated_at"], "2026-01-02T00:00:00+00:00")
        with self.assertRaisesRegex(ValueError, "row 1: a value is missing"):
            self.write(frame.astype(object).assign(**{"value": [5, pandas.NA], "q0.5": pandas.NA, "q0.1": pandas.NA, "q0.9": pandas.NA}))


class Reading(unittest.TestCase):
    @unittest.skipUnless("FOREPROOF_EVIDENCE" in os.environ, "no evidence: set FOREPROOF_EVIDENCE")
    def test_tables(self) -> None:
        for folder, model, measure in (("one with a verdict", "seer", "point_loss"), ("one of any series", "mine", "wis"), ("one of any series", "mine", "coverage_80")):
            with self.subTest(folder=folder, measure=measure), mock.patch.dict(sys.modules, {"pandas": None}):
                found = foreproof.read_evidence(EVIDENCE / folder / "evidence")
                mean = next(r for r in found.scores if (r["model"], r["horizon"], r["scope"], r["measure"]) == (model, 2, "all", measure))
                own = [r[measure] for r in found.losses if r["model"] == model and r["horizon"] == 2]
                # No key of a series is without a forecast where there are several: the mean of cells is that of all.
                self.assertAlmostEqual(sum(own) / len(own), mean["estimate"], 13)
                self.assertEqual(len(found.losses), sum(r["status"] == "scored" and r["expected"] for r in found.attempts))
                self.assertEqual(found.tests[0]["rejected"], None if found.tests[0]["decision"] == "blocked" else found.tests[0]["decision"] == "rejected")


class Sources(unittest.TestCase):
    def test_python_3_10(self) -> None:
        for file in [*SOURCE.glob("*.py"), *pathlib.Path(__file__).parent.glob("*.py")]:
            with self.subTest(file=file.name):
                ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 10))

    def test_standard_library_only(self) -> None:
        allowed = set(sys.stdlib_module_names) | {"pandas"}
        for file in SOURCE.glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
                self.assertLessEqual({name.split(".")[0] for name in names}, allowed, file.name)

    def test_ed25519(self) -> None:
        for key, message, signature in SIGNED:
            parts = [bytes.fromhex(part) for part in (key, message, signature)]
            self.assertTrue(ed25519_holds(*parts))
            self.assertFalse(ed25519_holds(parts[0], parts[1] + b"x", parts[2]))
            self.assertFalse(ed25519_holds(parts[0], parts[1], parts[2][:32] + bytes(32)))
            more = int.from_bytes(parts[2][32:], "little") + 2**252 + 27742317777372353535851937790883648493
            self.assertFalse(ed25519_holds(parts[0], parts[1], parts[2][:32] + more.to_bytes(32, "little")))

    def test_a_list_is_its_own_normal_form(self) -> None:
        text = periods_text(read_periods(LIST))
        self.assertEqual(periods_text(read_periods(text)), text)


if __name__ == "__main__":
    unittest.main()
