"""From pairs to verdicts: losses, tests, ladder, hypotheses, dispositions (docs/statistics.md)."""

from __future__ import annotations

import math
from datetime import datetime
from functools import lru_cache
from typing import Any, Callable
from zoneinfo import ZoneInfo

from .chain import scope_name, test_name
from .documents import micros
from .inference import (at_most, cosine_bounds, cosine_test, degrees_of_freedom, disposition, effective_blocks, fill,
                        origins_a_day, overall_mean, part_p, weighted_holm)
from .rows import HOUR, LATE
from .scores import direction, loss, share_left, waiting_worth

Row = dict[str, Any]
Values = list["float | None"]
Cell = tuple[str, int]
CHARGED = ("persistence", "drift", "seasonal_naive", "ema", "ar1", "strongest", "hourly")
# Charged where persistence is far off.
CHARGED_INSTEAD = ("climatology", "seasonal_climatology")
WIDTHS = ("pinball", "interval", "weighted_interval", "coverage")


class Hours:
    """The periods of version 1: full hours, each named by its end."""

    def span(self, label: str) -> tuple[int, int]:
        return micros(label) - HOUR, micros(label)


class Listed:
    """Periods of a list, by label."""

    def __init__(self, periods: list[Row]) -> None:
        self.spans = {p["period"]: (p["start"], p["end"]) for p in periods}

    def span(self, label: str) -> tuple[int, int]:
        return self.spans[label]


class Evaluation:
    """One reading of the pairs. `late`: forecasts that were committed late or never are scored, too."""

    def __init__(self, rules: Row, facts: Row, pairs: list[Row], periods: Hours | Listed, due: Callable[[str], int], late: bool = False) -> None:
        self.rules, self.facts, self.periods = rules, facts, periods
        self.alpha, self.levels = rules["alpha"], rules["forecast"]["levels"]
        self.candidates: list[str] = [c["name"] for c in facts["candidates"]]
        self.comparators: list[Row] = facts["comparators"]
        self.kinds = {b["id"]: b["kind"] for b in rules["baselines"]}
        self.primary: Row = next(s for s in rules["scores"] if s["primary"])
        self.separate = rules["forecast"]["interval"] == "separate"
        self.group_of: dict[str, str] = facts["groups"]
        self.not_asked = {n["comparator"]: set(n["series"]) for n in facts["not_asked"]}
        expected = [p for p in pairs if p["expected"]]
        labels = sorted({p["origin"] for p in expected}, key=lambda label: periods.span(label)[1])
        self.origins, self.place = labels, {label: at for at, label in enumerate(labels)}
        self.due = [due(label) for label in labels]
        self.series: list[str] = facts["series"]
        self.steps: list[int] = sorted({p["step"] for p in expected})
        self.keys: dict[Cell, list[Row | None]] = {}
        self.pairs: dict[tuple[str, str, int], list[Row | None]] = {}
        for pair in expected:
            at = self.place[pair["origin"]]
            for store, name in ((self.keys, (pair["series"], pair["step"])), (self.pairs, (pair["model"], pair["series"], pair["step"]))):
                store.setdefault(name, [None] * len(labels))[at] = pair  # type: ignore[index, attr-defined]
        self.cells = sorted(self.keys, key=lambda c: (self.series.index(c[0]), c[1]))
        self.late = late
        need = rules["dependence"]["minimum_pairs"]
        registered = self.registered = [c for c in self.cells if sum(p is not None for p in self.keys[c]) >= need]
        # A single series has no other that could stand in for it. A window that is too short for tests is still shown.
        shown = [c for c in registered if len(self.series) == 1 or not self.mostly_missing(c[0])]
        self.counted = set(shown if registered else self.cells)
        self.tested = [step for step in self.steps if any(c[1] == step for c in registered)]
        self.losses: dict[tuple[str, str, int], dict[str, Values]] = {}
        self.calls: dict[tuple[str, str, int], list[bool]] = {}
        for of, own in self.pairs.items():
            self._score(of, own)
        self._shares()
        self._scopes()

    # ---- one pair ----

    def scored(self, pair: Row | None) -> bool:
        return pair is not None and (pair["status"] == "scored" or (self.late and pair["reason"] in LATE and pair["outcome"] is not None))

    def interval(self, pair: Row | None) -> bool:
        if not self.scored(pair) or pair is None:
            return False
        if not self.separate or pair["interval_status"] == "scored":
            return True
        q = pair["quantiles"]
        return self.late and pair["reason"] in LATE and None not in q and q == sorted(q) and q[0] > 0

    def _score(self, of: tuple[str, str, int], own: list[Row | None]) -> None:
        found: dict[str, Values] = {}
        for score in self.rules["scores"]:
            values: Values = [None] * len(own)
            moved = [False] * len(own)
            scale = self.facts["scales"].get((of[1], plain_transform(score["transform"])), 1.0)
            for at, pair in enumerate(own):
                if pair is None or not self.scored(pair):
                    continue
                if score["kind"] == "direction":
                    error, charged, calls = direction(pair["value"], pair["outcome"], pair["base"], float(score["epsilon"]), score["transform"])
                    values[at], moved[at] = charged, calls
                    if error is None and charged is not None:
                        values[at] = 0.5
                elif score["kind"] in ("absolute_error",) or self.interval(pair):
                    values[at] = self._loss(score, pair) / (1.0 if score["kind"] == "coverage" else scale)
            found[score["id"]] = values
            if score["kind"] == "direction":
                self.calls[of] = moved
        self.losses[of] = found

    def _loss(self, score: Row, pair: Row) -> float:
        """The loss; hourly logarithms are of prices by the close at the origin (docs/reference/scores.md)."""
        found = loss(score, self.levels, pair["value"], pair["quantiles"], pair["outcome"])
        return math.nan if found is None else found

    # ---- what belongs to keys ----

    def _shares(self) -> None:
        """r of every key, and steps of which more than one in twenty targets have begun at due."""
        over, self.r = self.rules["outcome"]["over"], {}
        begun: dict[int, list[bool]] = {}
        for cell, keys in self.keys.items():
            shares = [0.0] * len(keys)
            for at, pair in enumerate(keys):
                if pair is not None:
                    start, end = self.periods.span(pair["target"])
                    seen = None if pair["seen"] is None else self.periods.span(pair["seen"])[1]
                    shares[at] = share_left(start, end, self.due[at], seen, over)
                    begun.setdefault(cell[1], []).append(start < self.due[at] if over == "period" else end <= self.due[at])
            self.r[cell] = shares
        self.nowcasts = [step for step in self.steps if sum(begun[step]) > len(begun[step]) / 20]
        # What is left out of overall means; nothing where no tested step is anything else.
        self.beside = set(self.nowcasts) if set(self.tested) - set(self.nowcasts) else set()

    def _scopes(self) -> None:
        self.scopes: dict[str, set[int] | None] = {"all": None}
        self.left_out: list[str] = []
        for stratum in self.rules["strata"]:
            for level in stratum.get("levels", []):
                name = scope_name({"kind": "stratum", "name": stratum["name"], "level": level["level"]})
                if stratum["by"] in ("hour_of_day", "weekday", "period"):
                    self.scopes[name] = {at for at, label in enumerate(self.origins) if self._in_level(stratum["by"], level, label)}
                else:
                    self.left_out.append(name)
        for group in dict.fromkeys(self.group_of.values()):
            self.scopes[scope_name({"kind": "group", "group": group})] = None

    def _in_level(self, by: str, level: Row, label: str) -> bool:
        start, end = self.periods.span(label)
        if by == "period":
            return self.periods.span(level["from"])[1] <= end <= self.periods.span(level["to"])[1]
        moment = end if isinstance(self.periods, Hours) else start
        local = datetime.fromtimestamp(moment / 1e6, ZoneInfo(self.rules["zone"]))
        if by == "hour_of_day":
            return local.hour in level["hours"]
        return ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[local.weekday()] in level["days"]

    def outcome(self, pair: Row | None) -> bool:
        return pair is not None and pair["reason"] not in ("outcome_missing", "not_matured")

    @lru_cache(maxsize=None)
    def mostly_missing(self, series: str) -> bool:
        keys = [self.outcome(p) for (s, _), cell in self.keys.items() if s == series for p in cell if p is not None]
        return sum(keys) * 2 < len(keys)

    def shared(self, a: Row | None, b: Row | None) -> bool:
        return a is not None and b is not None and self.scored(a) and self.scored(b) and one_vintage(a["vintage_sha256"], b["vintage_sha256"])

    # ---- comparisons ----

    @lru_cache(maxsize=None)
    def asked(self, comparator: str, cell: Cell) -> bool:
        """Whether a comparator calls directions often enough: 1.1 times the pairs of a test, its own count."""
        of = (comparator, *cell)
        score = next((s for s in self.rules["scores"] if s["kind"] == "direction"), None)
        if score is None or of not in self.losses:
            return False
        called = sum(1 for v, c in zip(self.losses[of][score["id"]], self.calls[of]) if v is not None and c)
        return called >= 1.1 * self.rules["dependence"]["minimum_pairs"] - 1e-9

    def cells_of(self, comparator: str, step: int | str, scope: str, every: bool = False) -> list[Cell]:
        """Cells of a comparison: those that are registered for tests, or every one."""
        group = scope[6:] if scope.startswith("group=") else None
        return [c for c in (self.cells if every else self.registered) if (c[1] == step or (step == "overall" and c[1] not in self.beside))
                and c[0] not in self.not_asked.get(comparator, ()) and (group is None or scope_name({"kind": "group", "group": self.group_of.get(c[0], "rest")}) == scope)]

    @lru_cache(maxsize=None)
    def state(self, candidate: str, comparator: str, cell: Cell) -> list[str]:
        """Of each key: `pair`, `gap` (no outcome), or nothing."""
        both = zip(self.keys[cell], self.pairs[(candidate, *cell)], self.pairs[(comparator, *cell)])
        return ["" if key is None else "gap" if not self.outcome(key) else "pair" if self.shared(a, b) else "" for key, a, b in both]

    def differences(self, candidate: str, comparator: str, score: Row, cell: Cell, scope: str, charged: bool = False) -> tuple[list[Any], Values]:
        """Keys of a cell (difference, None, or "gap" without an outcome), and the comparator's losses at the pairs."""
        empty: Values = [None] * len(self.origins)
        if (candidate, *cell) not in self.pairs or (comparator, *cell) not in self.pairs:
            return list(empty), empty
        mine, theirs = self.losses[(candidate, *cell)][score["id"]], self.losses[(comparator, *cell)][score["id"]]
        calls = self.calls[(comparator, *cell)] if score["kind"] == "direction" else [True] * len(mine)
        level = self.scopes[scope]
        state = [s if level is None or at in level else "" for at, s in enumerate(self.state(candidate, comparator, cell))]
        there = [s == "pair" and c and m is not None and t is not None for s, c, m, t in zip(state, calls, mine, theirs)]
        shares = self.r[cell] if charged else [1.0] * len(mine)
        keys = [m - r * t if p else "gap" if s == "gap" else None for p, s, m, t, r in zip(there, state, mine, theirs, shares)]  # type: ignore[operator]
        return keys, [t if p else None for p, t in zip(there, theirs)]

    def test(self, candidate: str, comparator: str, score: Row, step: int | str, scope: str) -> Row:
        """One registered test, without the ladder."""
        cells = self.cells_of(comparator, step, scope)
        if score["kind"] == "direction":
            # Of the cells in which the comparator is asked; where it is in none, of all; never of a nowcast.
            cells = [c for c in cells if c[1] not in self.beside]
            cells = [c for c in cells if self.asked(comparator, c)] or cells
        both = [self.differences(candidate, comparator, score, c, scope) for c in cells]
        widths, shown = score["kind"] in WIDTHS, [at for at, c in enumerate(cells) if c in self.counted]
        mean = overall_mean([both[at][1] for at in shown])
        more = ["withheld"] if self.separate and widths and step != "overall" and self.withheld(candidate, int(step), scope) else []
        more += ["no_scale"] if score is self.primary and mean == 0 else []
        found = self.figures([both[at][0] for at in shown], widths, scope, more)
        found.update(name=test_name(candidate, comparator, score["id"], step, scope), cells=len(cells), comparator_mean=mean, _cells=cells, _more=more)
        found["bounds"] = None if found["p"] is None else bounds(found, self.alpha)
        if scope == "all" or scope.startswith("group="):
            found["_keys"] = [{"step": c[1], "keys": k, "mostly_missing": self.mostly_missing(c[0]), "losses": losses} for c, (k, losses) in zip(cells, both)]
        return found

    def figures(self, cells: list[list[Any]], widths: bool, scope: str = "all", more: list[str] | None = None, filled: list[Values] | None = None) -> Row:
        """Pairs, blocks, reasons and figures of cells.

        `filled` are the same cells with what is missing filled in: that counts in the mean and in the minima of a cell.
        """
        plain: list[Values] = [[None if v == "gap" else v for v in keys] for keys in cells]
        if not plain:
            return {**NOTHING, "blocked_reasons": [*NOTHING["blocked_reasons"], *(more or [])]}
        values = plain if filled is None else filled
        need, method = self.rules["dependence"], self.rules["test"]
        pairs, blocks = effective_blocks(plain, need["block_origins"], "any" if method["counted"] == "any" else "least")
        least, least_blocks = effective_blocks(values, need["block_origins"], "least")
        days = pairs / self.a_day(scope)
        reasons = [name for name, holds in (
            ("no_pairs", least == 0), ("too_few_pairs", min(least, pairs) < max(need["minimum_pairs"], method["minimum_origins"])),
            ("too_few_blocks", min(least_blocks, blocks) < max(need["minimum_blocks"], method["minimum_blocks"])), ("too_few_days", days < 16)) if holds] + (more or [])
        found: Row = {"pairs": pairs, "effective_blocks": blocks, "observed": None, "standard_error": None, "p": None, "degrees_of_freedom": None, "blocked_reasons": reasons}
        if least:
            nu = degrees_of_freedom(blocks, pairs, days, widths)
            found["observed"], error, p = cosine_test(values, nu)
            if p is None:
                reasons.append("no_variance")
            if not reasons:
                found.update(standard_error=error, p=p, degrees_of_freedom=nu)
        return found

    @lru_cache(maxsize=None)
    def a_day(self, scope: str) -> int:
        level = self.scopes[scope]
        return origins_a_day([due / HOUR for at, due in enumerate(self.due) if level is None or at in level])

    @lru_cache(maxsize=None)
    def withheld(self, candidate: str, step: int, scope: str) -> bool:
        """Intervals that are left out at too many origins, over all of them or in the level."""
        if scope != "all" and self.withheld(candidate, step, "all"):
            return True
        level, limits = self.scopes[scope], self.rules["limits"]
        limit = limits["availability"] if level is None else limits["availability_stratum"]
        with_outcome = without = 0
        for cell in self.registered:
            for at, pair in enumerate(self.keys[cell] if cell[1] == step else ()):
                if self.outcome(pair) and (level is None or at in level):
                    with_outcome += 1
                    without += not self.interval(self.pairs[(candidate, *cell)][at])
        return limit is not None and with_outcome > 0 and not at_most(without / with_outcome, limit)

    # ---- the whole ----

    def family(self, names: list[str]) -> list[Row]:
        """Every test of the family in its order; None stands for one in a scope that is left out."""
        known = {}
        scopes = [*self.scopes, *self.left_out]
        for candidate in self.candidates:
            for side in self.comparators:
                for score in self.rules["scores"]:
                    for step in ["overall", *self.steps]:
                        for scope in scopes:
                            name = test_name(candidate, side["name"], score["id"], step, scope)
                            known[name] = (candidate, side["name"], score, step, scope)
        return [{"of": known[name], "name": name} for name in names]

    def judge(self, names: list[str], stored: dict[str, Row]) -> Row:
        """All tests with the ladder, the verdict hypotheses and the dispositions."""
        tests = self.family(names)
        for test in tests:
            candidate, comparator, score, step, scope = test["of"]
            if scope in self.left_out:
                test.update({n: stored[test["name"]][n] for n in ("p", "blocked_reasons")}, left_out=True, decides=False)
                continue
            test.update(self.test(*test["of"]))
            test["decides"] = score["tested"] == "deciding" and not scope.startswith("stratum:")
        weights = self.rules["weights"] or {}
        count = {True: sum(t["decides"] for t in tests), False: sum(not t["decides"] for t in tests)}
        for test in tests:
            test["weight"] = weights["deciding" if test["decides"] else "other"] / count[test["decides"]]
        self.tests = {t["name"]: t for t in tests}
        self.far_off = self._far_off()
        verdicts = [self.hypothesis(c, weights["verdict"] / len(self.candidates)) for c in self.candidates]
        ladder = weighted_holm([(t["p"], t["weight"]) for t in [*tests, *verdicts]], self.alpha, {
            len(tests) + at: [n for n, t in enumerate(tests) if t["of"][0] == v["candidate"] and t["of"][1] not in self.far_off and t["of"][3:] == ("overall", "all")]
            for at, v in enumerate(verdicts)})
        for test, place in zip([*tests, *verdicts], ladder):
            test["decision"] = "blocked" if place is None else "rejected" if place["rejected"] else "not_rejected"
            test.update({"p_adjusted": None, "level_adjusted": None, "multiplier": None, "rank": None, "by_verdict": False} if place is None else {
                "p_adjusted": place["adjusted_p"], "level_adjusted": place["level"], "multiplier": place["multiplier"], "rank": place["rank"], "by_verdict": place["by_verdict"]})
            if "candidate" not in test and not test.get("left_out"):
                test["bounds_adjusted"] = None if place is None else bounds(test, place["level"])
        self._simultaneous(tests)
        return {"tests": tests, "verdicts": verdicts, "dispositions": [self.disposition(v) for v in verdicts], "far_off": self.far_off, "nowcasts": self.nowcasts, "waiting": self.waiting()}

    def filled(self, test: Row, end: str, cells: list[Row] | None = None) -> Row:
        """The figures of a test with what is missing filled in, and the comparator's loss beside them.

        `cells`: others than the test's own. Those that stand in for cells of a group are of the whole comparison.
        """
        candidate, comparator, score, step, scope = test["of"]
        cells = test["_keys"] if cells is None else cells
        made = fill(cells, end)
        if scope.startswith("group="):
            whole = self.tests[test_name(candidate, comparator, score["id"], step, "all")]
            made = [m for c, m in zip(whole["_cells"], fill(whole["_keys"], end)) if c in test["_cells"]]
        mean = overall_mean([c["losses"] for c, (_, _, own) in zip(cells, made) if own])
        more = ["no_scale"] if score is self.primary and mean == 0 else []
        found = self.figures([keys for _, keys, _ in made], score["kind"] in WIDTHS, "all", more, [values for values, _, _ in made])
        return {**found, "comparator_mean": mean}

    def _simultaneous(self, tests: list[Row]) -> None:
        """Bounds for *negative*: half of alpha for the overall tests, half for the other deciding ones."""
        deciding = [t for t in tests if t["decides"] and t["of"][4] == "all"]
        for test in tests:
            test["bounds_simultaneous"] = test["group_bound"] = None
            if test["decides"] and test["of"][4] == "all":
                overall = test["of"][3] == "overall"
                level = self.alpha / 2 / sum((t["of"][3] == "overall") == overall for t in deciding)
                best = self.filled(test, "best")
                if best["p"] is not None:
                    test["bounds_simultaneous"] = {"level": level, **bounds(best, level)}
            if test["of"][4].startswith("group=") and test["of"][2] is self.primary and test["of"][3] == "overall":
                worst = test["_worst"] = self.filled(test, "worst")
                if len(set(self.group_of.values())) > 5:
                    test["group_bound"] = worst["observed"]
                elif worst["p"] is not None:
                    test["group_bound"] = bounds(worst, 0.2)["upper"]

    def _far_off(self) -> list[str]:
        """Standard comparators with a loss over 1.5 times that of the best, overall and at every step.

        The best is the one with the lowest overall loss, over the cells for which the comparator in question is required.
        """
        if self.rules["schema"] == 1:
            return []
        standard = [side["name"] for side in self.comparators if side["source"] == "built_in"]
        found = []
        for name in standard:
            def loss_of(model: str, step: int | str) -> float:
                cells = [c for c in self.cells_of(name, step, "all", every=True) if c in self.counted]
                asked = [self.losses[(model, *c)][self.primary["id"]] if c[0] not in self.not_asked.get(model, ()) else [None] for c in cells]
                mean = overall_mean(asked)
                return math.inf if mean is None else mean

            best = min(standard, key=lambda model: loss_of(model, "overall"))
            steps = {c[1] for c in self.counted if c[0] not in self.not_asked.get(name, ())}
            if all(loss_of(name, step) > 1.5 * loss_of(best, step) for step in ["overall", *steps]):
                found.append(name)
        return found

    def charged(self, side: Row) -> bool:
        """Whether waiting is worth something against a comparator; it is charged where the rules say so."""
        kind = self.kinds.get(side["name"]) if side["source"] == "built_in" else None
        if kind not in CHARGED_INSTEAD:
            return kind in CHARGED
        last = [s["name"] for s in self.comparators if self.kinds.get(s["name"]) == "persistence"]
        return bool(last) and set(last) <= set(self.far_off)

    @lru_cache(maxsize=None)
    def waiting(self) -> dict[tuple[str, int | str], float | None]:
        return {(side["name"], step): waiting_worth((self.losses[(side["name"], *c)][self.primary["id"]], self.r[c])
                                                    for c in self.cells_of(side["name"], step, "all", every=True) if c in self.counted)
                for side in self.comparators if self.charged(side) for step in ["overall", *self.steps]}

    def hypothesis(self, candidate: str, weight: float) -> Row:
        """E_c: against some comparator the overall loss is not lower, or a limit is exceeded."""
        parts, limits, charge = [], self.rules["limits"], self.rules["origins"]["waiting"] == "charged"
        asks = next((s for s in self.rules["scores"] if s["kind"] == "direction"), None)
        for side in self.comparators:
            name = side["name"]
            if name in self.far_off:
                continue
            for step in ["overall", *self.tested]:
                test = self.tests.get(test_name(candidate, name, self.primary["id"], step, "all"))
                if test is None:
                    continue
                figures = test["_worst"] = self.filled(test, "worst")
                if step == "overall" and charge and self.charged(side):
                    charged = [dict(k, keys=self.differences(candidate, name, self.primary, c, "all", True)[0]) for k, c in zip(test["_keys"], test["_cells"])]
                    figures = self.filled(test, "worst", charged)
                mean = test["_worst"]["comparator_mean"]
                limit = 0.0 if step == "overall" else None if mean is None else limits["harm"] * mean
                parts.append(part(test["name"], name, self.primary["id"], step, figures, limit))
            asked = [c for c in self.cells_of(name, "overall", "all") if asks and self.asked(name, c)]
            if asks and asked:
                keys = [{"step": c[1], "keys": self.differences(candidate, name, asks, c, "all")[0], "mostly_missing": self.mostly_missing(c[0]), "losses": []} for c in asked]
                of = {"of": (candidate, name, asks, "overall", "all")}
                parts.append(part(test_name(candidate, name, asks["id"], "mean", "all"), name, asks["id"], "overall", self.filled(of, "worst", keys), limits["direction"]))
        ps = [each["p"] for each in parts]
        return {"candidate": candidate, "weight": weight, "parts": parts, "p": None if None in ps or not ps else max(ps)}

    def difference(self, candidate: str, comparator: str, step: int, scope: str) -> Row:
        """What became of the keys of a step, and the mean differences of all scores."""
        level, cells = self.scopes[scope], self.cells_of(comparator, step, scope, every=True)
        found: Row = {"expected": 0, "with_outcome": 0, "shared": 0, "lost": dict.fromkeys(("candidate_not_scored", "comparator_not_scored", "neither_scored", "vintage_mismatch"), 0)}
        for c in cells:
            for at, (key, a, b) in enumerate(zip(self.keys[c], self.pairs[(candidate, *c)], self.pairs[(comparator, *c)])):
                if key is None or (level is not None and at not in level):
                    continue
                found["expected"] += 1
                found["with_outcome"] += self.outcome(key)
                mine, theirs = self.scored(a), self.scored(b)
                if self.shared(a, b):
                    found["shared"] += 1
                else:
                    found["lost"]["vintage_mismatch" if mine and theirs else "comparator_not_scored" if mine else "candidate_not_scored" if theirs else "neither_scored"] += 1
        found["observed"], found["comparator_mean"] = {}, {}
        for score in self.rules["scores"]:
            both = [self.differences(candidate, comparator, score, c, scope) for c in cells if c in self.counted]
            found["observed"][score["id"]] = overall_mean([[None if v == "gap" else v for v in keys] for keys, _ in both])
            found["comparator_mean"][score["id"]] = overall_mean([losses for _, losses in both])
        return found

    def within(self, step: int | str, scope: str) -> list[tuple[Cell, int]]:
        """Keys of a step, or of all, in a scope."""
        level = self.scopes[scope]
        cells = [c for c in self.cells if step in (c[1], "overall") and (not scope.startswith("group=") or scope_name({"kind": "group", "group": self.group_of[c[0]]}) == scope)]
        return [(c, at) for c in cells for at, key in enumerate(self.keys[c]) if key is not None and (level is None or at in level)]

    def account(self, model: str, step: int | str, scope: str) -> Row:
        """How the expected attempts of a model ended."""
        words = ("scored", "failed", "abstained", "missing", "ineligible")
        found: Row = {"expected": 0, "without_outcome": 0, "point": dict.fromkeys(words, 0), "interval": dict.fromkeys(words, 0), "reasons": {}}
        for cell, at in self.within(step, scope):
            pair = self.pairs.get((model, *cell), [None] * (at + 1))[at]
            if pair is None:
                continue
            if not self.outcome(pair):
                found["without_outcome"] += 1
                continue
            found["expected"] += 1
            found["point"]["scored" if self.scored(pair) else pair["status"]] += 1
            found["interval"]["scored" if self.interval(pair) else pair["interval_status"]] += 1
            if not self.scored(pair):
                found["reasons"][pair["reason"]] = found["reasons"].get(pair["reason"], 0) + 1
        return found

    def means(self, model: str, step: int | str, scope: str) -> tuple[dict[str, float | None], dict[str, int]]:
        """Means of a model over its own pairs, and how many these are; of a direction only where it called one."""
        level, found, pairs = self.scopes[scope], {}, {}
        cells = [c for c in self.cells_of(model, step, scope, every=True) if c in self.counted and (model, *c) in self.losses]
        for score in self.rules["scores"]:
            values = [[v if (level is None or at in level) and (score["kind"] != "direction" or self.calls[(model, *c)][at]) else None
                       for at, v in enumerate(self.losses[(model, *c)][score["id"]])] for c in cells]
            found[score["id"]] = overall_mean(values)
            pairs[score["id"]] = sum(v is not None for own in values for v in own)
        return found, pairs

    # ---- dispositions ----

    def left(self, candidate: str, comparator: str, of_comparator: bool) -> float:
        """The largest share that a model leaves out, by its limit: above 1 it is too much."""
        limits, largest = self.rules["limits"], 0.0
        if limits["availability"] is None:
            return 0.0
        scopes: list[tuple[str, list[Cell], float, int]] = [("all", [c for c in self.registered if c[1] == step], limits["availability"], 0) for step in self.steps]
        scopes.append(("all", self.registered, limits["availability"], 0))
        if limits["availability_stratum"] is not None:
            scopes += [(name, self.registered, limits["availability_stratum"], 30) for name, level in self.scopes.items() if level is not None]
            if len(self.series) > 1:
                scopes += [("all", [c for c in self.registered if c[0] == s], limits["availability_stratum"], 30) for s in self.series]
        for scope, cells, limit, least in scopes:
            level = self.scopes[scope]
            out = whole = 0
            for c in cells:
                if c[0] in self.not_asked.get(comparator, ()):
                    continue
                a, b = self.pairs[(candidate, *c)], self.pairs.get((comparator, *c))
                for at, pair in enumerate(self.keys[c]):
                    if self.outcome(pair) and (level is None or at in level):
                        whole += 1
                        mine = b[at] if of_comparator and b else a[at]
                        out += not self.scored(mine) or (not of_comparator and b is not None and self.scored(b[at]) and not self.shared(a[at], b[at]))
            if whole >= max(1, least * len(cells)):
                largest = max(largest, out / whole / limit if limit else math.inf if out else 0.0)
        return largest

    def disposition(self, verdict: Row) -> Row:
        candidate, sides, w = verdict["candidate"], [], self.waiting()
        charge = self.rules["origins"]["waiting"] == "charged"
        limits = self.rules["limits"]
        asks = next((s for s in self.rules["scores"] if s["kind"] == "direction"), None)
        for side in self.comparators:
            name = side["name"]
            overall = self.tests[test_name(candidate, name, self.primary["id"], "overall", "all")]
            # A far-off comparator has no part in the hypothesis, so it was not filled in yet.
            worst = overall.get("_worst") or self.filled(overall, "worst")
            steps, sound = [], all(p["p"] is not None for p in verdict["parts"] if p["comparator"] == name)
            for step in self.tested:
                test = self.tests.get(test_name(candidate, name, self.primary["id"], step, "all"))
                called = self.tests.get(test_name(candidate, name, asks["id"], step, "all")) if asks and step not in self.nowcasts else None
                if called is not None and not any(self.asked(name, c) for c in called["_cells"]):
                    called = None
                loss = (test.get("_worst") or self.filled(test, "worst"))["comparator_mean"] if test else None
                sound = sound and (test is None or loss is not None) and all(t is None or t["bounds_simultaneous"] is not None for t in (test, called))
                lower = [t["bounds_simultaneous"]["lower"] if t and t["bounds_simultaneous"] else None for t in (test, called)]
                steps.append({"lower": lower[0], "comparator_loss": loss, "direction_lower": lower[1]})
            sound = sound and worst["comparator_mean"] is not None
            left = max(self.left(candidate, name, False), self.left(candidate, name, True) if side["source"] == "history" else 0.0)
            groups = [{"upper": t["group_bound"], "comparator_loss": t["_worst"]["comparator_mean"]} for t in self.tests.values() if t["of"][:4] == (candidate, name, self.primary, "overall") and t["of"][4].startswith("group=")]
            bound = overall["bounds_simultaneous"]
            sides.append({"comparator": name, "lower": bound["lower"] if sound and bound else None, "estimate": worst["observed"], "comparator_loss": worst["comparator_mean"],
                          "waiting_worth": (w.get((name, "overall")) or 0.0) if charge else 0.0, "steps": steps, "groups": groups, "left_out": left * limits["availability"] if limits["availability"] else 0.0})
        known = {"mode": self.facts["mode"], "rejected": verdict["decision"] == "rejected", "floor": limits["practical_effect"], "harm": limits["harm"], "direction": limits["direction"],
                 "availability": limits["availability"] or 0.0, "comparisons": sides, "waiting_given_away": self.rules["origins"]["waiting"] != "charged", **self.conditions()}
        better = [-s["estimate"] / s["comparator_loss"] for s in sides if s["estimate"] is not None and s["comparator_loss"]]
        return {"candidate": candidate, "disposition": disposition(known), "comparisons": sides, "improvement": min(better) if better else None}

    def conditions(self) -> Row:
        """What stands in the way of a verdict, of all candidates."""
        limits, schema = self.rules["limits"], self.rules["schema"]
        keys = [self.outcome(p) for cell in self.keys.values() for p in cell if p is not None]
        missing = sum(not k for k in keys) > 0.02 * len(keys)
        for group in set(self.group_of.values()):
            own = [self.outcome(p) for c, cell in self.keys.items() if self.group_of.get(c[0], "rest") == group for p in cell if p is not None]
            missing = missing or sum(not k for k in own) > 0.1 * len(own)
        if self.rules["scaling"]["kind"] == "none" and len(self.series) > 1:
            missing = missing or any(self.mostly_missing(s) for s in self.series)
        lax = schema == 1 and (limits["practical_effect"] < 0.01 or limits["harm"] > 0.2 or (limits["direction"] or 0) > 0.05 or (limits["availability"] or 0) > 0.05
                               or (limits["availability_stratum"] or 0) > 0.1 or self.facts["protocol_alpha"] > 0.05 or not any(r["model"].get("built_in") == "persistence" for r in self.rules["required"]))
        built_in = {r["name"] for r in self.rules["required"] if "built_in" in r["model"]}
        persistence = next((s["name"] for s in self.comparators if self.kinds.get(s["name"]) == "persistence" or s["name"] == "persistence"), "")
        return {"outcomes_missing": missing, "too_lax": lax, "waiting_too_long": (self.waiting().get((persistence, "overall")) or 0.0) > 0.6 and self.rules["schema"] == 2, "only_nowcasts": len(self.nowcasts) == len(self.steps),
                "shortened": self.facts["through"] is not None, "substituted": any(c["source"] == "history" and built_in & set(c["required_as"]) for c in self.comparators)}


NOTHING: Row = {"pairs": 0, "effective_blocks": 0, "observed": None, "standard_error": None, "p": None, "degrees_of_freedom": None,
                "blocked_reasons": ["no_pairs", "too_few_pairs", "too_few_blocks", "too_few_days"]}


def bounds(test: Row, level: float) -> Row:
    return dict(zip(("lower", "upper"), cosine_bounds(test["observed"], test["standard_error"], test["degrees_of_freedom"], level)))


def part(test: str, comparator: str, score: str, step: int | str, figures: Row, limit: float | None) -> Row:
    """A part of a verdict hypothesis."""
    p = None if figures["p"] is None else part_p(figures["observed"], figures["standard_error"], figures["degrees_of_freedom"], limit)
    return {"test": test, "comparator": comparator, "score": score, "step": step, "limit": limit, "observed": figures["observed"], "p": p}


def one_vintage(mine: str | None, theirs: str | None) -> bool:
    """Whether forecasts can be compared: both on one vintage, or one does not say its."""
    return None in (mine, theirs) or mine == theirs


def plain_transform(transform: Row) -> str:
    """A transform as scales name it: its kind and, of log_shift, its offset."""
    return transform["kind"] if transform["offset"] is None else f"{transform['kind']} {transform['offset']}"
