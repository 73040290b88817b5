"""From pairs to figures: losses, means and tests (docs/statistics.md)."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from .chain import scope_name, test_name
from .documents import HOUR
from .inference import (at_most, cosine_bounds, cosine_test, degrees_of_freedom, effective_blocks,
                        fill, origins_a_day, overall_mean)
from .periods import Hours, Listed, in_level
from .plan import group_of
from .rows import LATE
from .scores import direction, loss, plain_transform, share_left, waiting_worth

Row = dict[str, Any]
Values = list["float | None"]
Cell = tuple[str, int]
CHARGED = ("persistence", "drift", "seasonal_naive", "ema", "ar1", "strongest", "hourly")
# Charged where persistence is far off.
CHARGED_INSTEAD = ("climatology", "seasonal_climatology")
WIDTHS = ("pinball", "interval", "weighted_interval", "coverage")
WORDS = ("scored", "failed", "abstained", "missing", "ineligible")


class Evaluation:
    """One reading of the pairs. `late`: forecasts that were committed late or never count, too.

    A cell is a series at a step; its lists have a place for each origin. `counted` are the cells of
    which figures are shown, `registered` those of tests, `scopes` the origins of each stratum.
    """

    def __init__(self, rules: Row, registration: Row, through: str | None, pairs: list[Row],
                 periods: Hours | Listed, late: bool) -> None:
        self.rules, self.registration, self.through = rules, registration, through
        self.periods, self.late = periods, late
        self.alpha, scores = rules["alpha"], rules["scores"]
        self.primary: Row = next(s for s in scores if s["primary"])
        self.asks: Row | None = next((s for s in scores if s["kind"] == "direction"), None)
        self.candidates = [c["name"] for c in registration["candidates"]]
        self.comparators: list[Row] = registration["comparators"]
        self.not_asked = {n["comparator"]: set(n["series"]) for n in registration["not_asked"]}
        self.kinds = {b["id"]: b["kind"] for b in rules["baselines"]}
        self.separate = rules["forecast"]["interval"] == "separate"
        listed = rules.get("series") or [{"id": "BTC/USD"}]
        self.series = [s["id"] for s in listed]
        self.group_of = group_of(listed)
        self.scales = {(s["series"], s["transform"]): s["value"] for s in registration["scales"]}
        self._place(pairs)
        self._score()
        self._shares()
        self._scopes()
        self.far_off = self._far_off()
        self.tests: dict[str, Row] = {}

    def _place(self, pairs: list[Row]) -> None:
        """Pairs by model and cell, and of each cell one pair to show what all have."""
        expected = [pair for pair in pairs if pair["expected"]]
        self.origins = sorted({pair["origin"] for pair in expected}, key=self.periods.span)
        place = {label: at for at, label in enumerate(self.origins)}
        self.due = [self.periods.due(label) for label in self.origins]
        self.steps: list[int] = sorted({p["step"] for p in expected})
        self.pairs: dict[str, dict[Cell, list[Row | None]]] = {}
        self.keys: dict[Cell, list[Row | None]] = {}
        for pair in expected:
            at, cell = place[pair["origin"]], (pair["series"], pair["step"])
            empty: list[Row | None] = [None] * len(place)
            self.pairs.setdefault(pair["model"], {}).setdefault(cell, list(empty))[at] = pair
            self.keys.setdefault(cell, empty)[at] = pair
        self.cells = sorted(self.keys, key=lambda c: (self.series.index(c[0]), c[1]))
        least = self.rules["dependence"]["minimum_pairs"]
        self.registered = [c for c in self.cells
                           if sum(p is not None for p in self.keys[c]) >= least]
        self.tested = [step for step in self.steps if any(c[1] == step for c in self.registered)]
        # A single series has no other that could stand in for it. A window that is too short for
        # tests is still shown.
        shown = [c for c in self.registered
                 if len(self.series) == 1 or not self.mostly_missing(c[0])]
        self.counted = set(shown if self.registered else self.cells)

    # ---- one pair ----

    def scored(self, pair: Row | None) -> bool:
        if pair is None:
            return False
        late = self.late and pair["reason"] in LATE and pair["outcome"] is not None
        return pair["status"] == "scored" or late

    def interval(self, pair: Row | None) -> bool:
        if pair is None or not self.scored(pair):
            return False
        if not self.separate or pair["interval_status"] == "scored":
            return True
        q, late = pair["quantiles"], self.late and pair["reason"] in LATE
        return late and None not in q and q == sorted(q) and q[0] > 0

    def outcome(self, pair: Row | None) -> bool:
        return pair is not None and pair["reason"] not in ("outcome_missing", "not_matured")

    def shared(self, a: Row | None, b: Row | None) -> bool:
        return (a is not None and b is not None and self.scored(a) and self.scored(b)
                and one_vintage(a["vintage_sha256"], b["vintage_sha256"]))

    def _loss(self, score: Row, pair: Row | None) -> tuple[float | None, bool]:
        """The loss of a pair, and whether it calls a direction."""
        if pair is None or not self.scored(pair):
            return None, False
        value, outcome = pair["value"], pair["outcome"]
        if score["kind"] == "direction":
            return direction(value, outcome, pair["base"], float(score["epsilon"]),
                             score["transform"])[1:]
        if score["kind"] != "absolute_error" and not self.interval(pair):
            return None, False
        scaled = self.rules["scaling"]["kind"] != "none" and score["kind"] != "coverage"
        on = plain_transform(score["transform"])
        scale = self.scales[pair["series"], on] if scaled else 1.0
        levels = self.rules["forecast"]["levels"]
        found = loss(score, levels, value, pair["quantiles"], outcome, scale)
        return (math.nan if found is None else found), False

    def _score(self) -> None:
        self.losses: dict[str, dict[Cell, dict[str, Values]]] = {}
        self.calls: dict[str, dict[Cell, list[bool]]] = {}
        for model, cells in self.pairs.items():
            self.losses[model], self.calls[model] = {}, {}
            for cell, own in cells.items():
                self.losses[model][cell] = losses = {}
                for score in self.rules["scores"]:
                    both = [self._loss(score, pair) for pair in own]
                    losses[score["id"]] = [value for value, _ in both]
                    if score is self.asks:
                        self.calls[model][cell] = [calls for _, calls in both]

    # ---- what belongs to keys ----

    def _shares(self) -> None:
        """r of every key, and steps of which more than one in twenty targets have begun at due."""
        over = self.rules["outcome"]["over"]
        self.r: dict[Cell, list[float]] = {}
        begun: dict[int, list[bool]] = {step: [] for step in self.steps}
        for cell, keys in self.keys.items():
            shares = self.r[cell] = [0.0] * len(keys)
            for at, pair in enumerate(keys):
                if pair is not None:
                    start, end = self.periods.span(pair["target"])
                    seen = None if pair["seen"] is None else self.periods.span(pair["seen"])[1]
                    due = self.due[at]
                    shares[at] = share_left(start, end, due, seen, over)
                    begun[cell[1]].append(start < due if over == "period" else end <= due)
        self.nowcasts = [step for step, of in begun.items() if sum(of) > len(of) / 20]
        # What is left out of overall means; nothing where no tested step is anything else.
        self.beside = set(self.nowcasts) if set(self.tested) - set(self.nowcasts) else set()

    def _scopes(self) -> None:
        self.scopes: dict[str, set[int] | None] = {"all": None}
        self.left_out: list[str] = []
        self.levels_left_out: set[str] = set()
        for stratum in self.rules["strata"]:
            for level in stratum.get("levels", []):
                name = scope_name(
                    {"kind": "stratum", "name": stratum["name"], "level": level["level"]})
                if stratum["by"] in ("hour_of_day", "weekday", "period"):
                    self.scopes[name] = {at for at, label in enumerate(self.origins)
                                         if in_level(self.periods, stratum["by"], level, label)}
                else:
                    self.left_out.append(name)
                    self.levels_left_out.add(f"{stratum['name']}: {level['level']}")
        self.groups = {scope_name({"kind": "group", "group": g}): g for g in self.group_of.values()}
        self.scopes.update(dict.fromkeys(self.groups))

    def in_scope(self, cell: Cell, scope: str) -> bool:
        """Whether a cell has a part in a scope: all have, but for those of another group."""
        return scope not in self.groups or self.group_of.get(cell[0], "rest") == self.groups[scope]

    @lru_cache(maxsize=None)
    def mostly_missing(self, series: str) -> bool:
        there = [self.outcome(p) for (s, _), keys in self.keys.items() if s == series
                 for p in keys if p is not None]
        return sum(there) * 2 < len(there)

    # ---- comparisons ----

    @lru_cache(maxsize=None)
    def asked(self, comparator: str, cell: Cell) -> bool:
        """Whether a comparator calls directions often enough: 1.1 times the pairs of a test."""
        if self.asks is None:
            return False
        both = zip(self.losses[comparator][cell][self.asks["id"]], self.calls[comparator][cell])
        called = sum(1 for value, calls in both if value is not None and calls)
        return called >= 1.1 * self.rules["dependence"]["minimum_pairs"] - 1e-9

    def cells_of(self, comparator: str, step: int | str, scope: str,
                 every: bool = False) -> list[Cell]:
        """Cells of a comparison: those that are registered for tests, or every one."""
        own = [c for c in (self.cells if every else self.registered) if self.in_scope(c, scope)
               and c[0] not in self.not_asked.get(comparator, ())]
        return [c for c in own if c[1] == step or (step == "overall" and c[1] not in self.beside)]

    def shown_cells(self, model: str, step: int | str, scope: str) -> list[Cell]:
        return [c for c in self.cells_of(model, step, scope, every=True) if c in self.counted]

    @lru_cache(maxsize=None)
    def state(self, candidate: str, comparator: str, cell: Cell) -> list[str]:
        """Of each key: `pair`, `gap` (no outcome), or nothing."""
        both = zip(self.keys[cell], self.pairs[candidate][cell], self.pairs[comparator][cell])
        return ["" if key is None else "gap" if not self.outcome(key)
                else "pair" if self.shared(a, b) else "" for key, a, b in both]

    def differences(self, candidate: str, comparator: str, score: Row, cell: Cell, scope: str,
                    charged: bool = False) -> tuple[list[Any], Values]:
        """Keys of a cell (difference, None, or "gap"), and the comparator's losses at the pairs.

        `charged`: the comparator's losses are multiplied by r, the worth of waiting.
        """
        level, count = self.scopes[scope], len(self.origins)
        keys: list[Any] = [None] * count
        losses: Values = [None] * count
        mine, theirs = (self.losses[m][cell][score["id"]] for m in (candidate, comparator))
        calls = self.calls[comparator][cell] if score is self.asks else [True] * count
        for at, state in enumerate(self.state(candidate, comparator, cell)):
            if level is not None and at not in level:
                continue
            m, t = mine[at], theirs[at]
            if state == "gap":
                keys[at] = "gap"
            elif state == "pair" and calls[at] and m is not None and t is not None:
                keys[at], losses[at] = m - (self.r[cell][at] if charged else 1.0) * t, t
        return keys, losses

    def test(self, candidate: str, comparator: str, score: Row, step: int | str, scope: str) -> Row:
        """One registered test, without the ladder."""
        cells = self.cells_of(comparator, step, scope)
        if score is self.asks:
            # Of the cells in which the comparator is asked; where it is in none, of all.
            cells = [c for c in cells if c[1] not in self.beside]
            cells = [c for c in cells if self.asked(comparator, c)] or cells
        both = [self.differences(candidate, comparator, score, c, scope) for c in cells]
        shown = [own for own, c in zip(both, cells) if c in self.counted]
        mean = overall_mean([losses for _, losses in shown])
        more, widths = [], score["kind"] in WIDTHS
        if isinstance(step, int) and widths and self.withheld(candidate, step, scope):
            more.append("withheld")
        if score is self.primary and mean == 0:
            more.append("no_scale")
        found = self.figures([keys for keys, _ in shown], widths, scope, more)
        found.update(cells=len(cells), comparator_mean=mean, _cells=cells,
                     bounds=bounds(found, self.alpha))
        found["_keys"] = [self.filling(c, keys, losses) for c, (keys, losses) in zip(cells, both)]
        return found

    def filling(self, cell: Cell, keys: list[Any], losses: Values) -> Row:
        """A cell as `fill` takes it."""
        return {"step": cell[1], "keys": keys, "losses": losses,
                "mostly_missing": self.mostly_missing(cell[0])}

    def figures(self, cells: list[list[Any]], widths: bool, scope: str = "all",
                more: list[str] | None = None, filled: list[Values] | None = None) -> Row:
        """Pairs, blocks, reasons and figures of cells.

        `filled` are the same cells with what is missing filled in: that counts in the mean and in
        the minima of a cell.
        """
        found: Row = dict.fromkeys(("observed", "standard_error", "p", "degrees_of_freedom"))
        plain: list[Values] = [[None if v == "gap" else v for v in keys] for keys in cells]
        values = plain if filled is None else filled
        need, method = self.rules["dependence"], self.rules["test"]
        counted = "any" if method["counted"] == "any" else "least"
        pairs, blocks = effective_blocks(plain, need["block_origins"], counted)
        least, least_blocks = effective_blocks(values, need["block_origins"], "least")
        days = pairs / max(1, self.a_day(scope))
        minimum = max(need["minimum_pairs"], method["minimum_origins"])
        minimum_blocks = max(need["minimum_blocks"], method["minimum_blocks"])
        reasons = [name for name, holds in (
            ("no_pairs", least == 0), ("too_few_pairs", min(least, pairs) < minimum),
            ("too_few_blocks", min(least_blocks, blocks) < minimum_blocks),
            ("too_few_days", days < 16)) if holds] + (more or [])
        found.update(pairs=pairs, effective_blocks=blocks, blocked_reasons=reasons)
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
        return origins_a_day([due / HOUR for at, due in enumerate(self.due)
                              if level is None or at in level])

    @lru_cache(maxsize=None)
    def withheld(self, candidate: str, step: int, scope: str) -> bool:
        """Intervals that are left out at too many origins, over all of them or in the level."""
        if not self.separate or (scope != "all" and self.withheld(candidate, step, "all")):
            return self.separate
        level, limits = self.scopes[scope], self.rules["limits"]
        limit = limits["availability" if level is None else "availability_stratum"]
        there = [self.interval(self.pairs[candidate][cell][at])
                 for cell in self.registered if cell[1] == step
                 for at, key in enumerate(self.keys[cell])
                 if self.outcome(key) and (level is None or at in level)]
        if limit is None or not there:
            return False
        return not at_most(there.count(False) / len(there), limit)

    # ---- with what is missing filled in ----

    def filled(self, test: Row, end: str, cells: list[Row] | None = None) -> Row:
        """The figures of a test with what is missing filled in, and the comparator's loss.

        `cells`: others than the test's own. Those that stand in for cells of a group are of the
        whole comparison.
        """
        candidate, comparator, score, step, scope = test["of"]
        cells = test["_keys"] if cells is None else cells
        made = fill(cells, end)
        if scope in self.groups:
            whole = self.tests[test_name(candidate, comparator, score["id"], step, "all")]
            every = zip(whole["_cells"], fill(whole["_keys"], end))
            made = [one for cell, one in every if cell in test["_cells"]]
        mean = overall_mean([cell["losses"] for cell, (_, _, own) in zip(cells, made) if own])
        more = ["no_scale"] if score is self.primary and mean == 0 else []
        found = self.figures([keys for _, keys, _ in made], score["kind"] in WIDTHS, "all", more,
                             [values for values, _, _ in made])
        return {**found, "comparator_mean": mean}

    def worst(self, test: Row) -> Row:
        """The figures of a test with the worst of each cell filled in."""
        if "_worst" not in test:
            test["_worst"] = self.filled(test, "worst")
        return test["_worst"]  # type: ignore[no-any-return]

    def mean_loss(self, model: str, cells: list[Cell]) -> float:
        """The mean of the primary loss over cells; infinite where one has none."""
        if any(c[0] in self.not_asked.get(model, ()) for c in cells):
            return math.inf
        mean = overall_mean([self.losses[model][c][self.primary["id"]] for c in cells])
        return math.inf if mean is None else mean

    def _far_off(self) -> list[str]:
        """Standard comparators with a loss over 1.5 times that of the best, at every step, too.

        The best has the lowest overall loss over the cells for which the one in question is asked.
        """
        if self.rules["schema"] == 1:
            return []
        standard = [side["name"] for side in self.comparators if side["source"] == "built_in"]
        found = []
        for name in standard:
            overall = self.shown_cells(name, "overall", "all")
            best = min(standard, key=lambda model: self.mean_loss(model, overall))
            steps = {c[1] for c in self.counted if c[0] not in self.not_asked.get(name, ())}
            places = [overall, *(self.shown_cells(name, step, "all") for step in steps)]
            if all(self.mean_loss(name, cells) > 1.5 * self.mean_loss(best, cells)
                   for cells in places):
                found.append(name)
        return found

    def charged(self, side: Row) -> bool:
        """Whether waiting is worth something against a comparator."""
        kind = self.kinds.get(side["name"]) if side["source"] == "built_in" else None
        if kind not in CHARGED_INSTEAD:
            return kind in CHARGED
        last = {s["name"] for s in self.comparators if self.kinds.get(s["name"]) == "persistence"}
        return bool(last) and last <= set(self.far_off)

    @lru_cache(maxsize=None)
    def waiting(self) -> dict[tuple[str, int | str], float | None]:
        """What waiting is worth, by comparator and step."""
        return {
            (name, step): waiting_worth(
                (self.losses[name][c][self.primary["id"]], self.r[c])
                for c in self.shown_cells(name, step, "all"))
            for name in (side["name"] for side in self.comparators if self.charged(side))
            for step in ["overall", *self.steps]}

    # ---- tables of a result ----

    def difference(self, candidate: str, comparator: str, step: int, scope: str) -> Row:
        """What became of the keys of a step, and the mean differences of all scores."""
        level = self.scopes[scope]
        lost = {"candidate_not_scored": 0, "comparator_not_scored": 0, "neither_scored": 0,
                "vintage_mismatch": 0}
        expected = with_outcome = shared = 0
        for c in self.cells_of(comparator, step, scope, every=True):
            both = zip(self.keys[c], self.pairs[candidate][c], self.pairs[comparator][c])
            for at, (key, a, b) in enumerate(both):
                if key is None or (level is not None and at not in level):
                    continue
                expected += 1
                with_outcome += self.outcome(key)
                if self.shared(a, b):
                    shared += 1
                    continue
                lost[{(True, True): "vintage_mismatch", (True, False): "comparator_not_scored",
                      (False, True): "candidate_not_scored", (False, False): "neither_scored",
                      }[self.scored(a), self.scored(b)]] += 1
        found: Row = {"expected": expected, "with_outcome": with_outcome, "shared": shared,
                      "lost": lost, "observed": {}, "comparator_mean": {}}
        cells = self.shown_cells(comparator, step, scope)
        for score in self.rules["scores"]:
            both_of = [self.differences(candidate, comparator, score, c, scope) for c in cells]
            found["observed"][score["id"]] = overall_mean(
                [[None if v == "gap" else v for v in keys] for keys, _ in both_of])
            found["comparator_mean"][score["id"]] = overall_mean([losses for _, losses in both_of])
        return found

    def account(self, model: str, step: int | str, scope: str) -> Row:
        """How the expected attempts of a model ended."""
        level = self.scopes[scope]
        point, interval = dict.fromkeys(WORDS, 0), dict.fromkeys(WORDS, 0)
        reasons: dict[str, int] = {}
        without = 0
        for cell in self.cells:
            if step not in (cell[1], "overall") or not self.in_scope(cell, scope):
                continue
            for at, pair in enumerate(self.pairs[model][cell]):
                if pair is None or (level is not None and at not in level):
                    continue
                if not self.outcome(pair):
                    without += 1
                    continue
                scored = self.scored(pair)
                point["scored" if scored else pair["status"]] += 1
                interval["scored" if self.interval(pair) else pair["interval_status"]] += 1
                if not scored:
                    reasons[pair["reason"]] = reasons.get(pair["reason"], 0) + 1
        return {"expected": sum(point.values()), "without_outcome": without, "point": point,
                "interval": interval, "reasons": reasons}

    def means(self, model: str, step: int | str, scope: str) -> Row:
        """Means of a model over its own pairs, and how many; of directions only those it called."""
        level = self.scopes[scope]
        found: Row = {"means": {}, "pairs": {}}
        cells = self.shown_cells(model, step, scope)
        for score in self.rules["scores"]:
            values: list[Values] = []
            for c in cells:
                own = self.losses[model][c][score["id"]]
                calls = self.calls[model][c] if score is self.asks else [True] * len(own)
                values.append([v if (level is None or at in level) and calls[at] else None
                               for at, v in enumerate(own)])
            found["means"][score["id"]] = overall_mean(values)
            found["pairs"][score["id"]] = sum(v is not None for own in values for v in own)
        return found


def bounds(test: Row, level: float | None) -> Row | None:
    """Of a test without p there are none."""
    if test["p"] is None or level is None:
        return None
    lower, upper = cosine_bounds(test["observed"], test["standard_error"],
                                 test["degrees_of_freedom"], level)
    return {"lower": lower, "upper": upper}


def one_vintage(mine: str | None, theirs: str | None) -> bool:
    """Whether forecasts can be compared: both on one vintage, or one does not say its."""
    return None in (mine, theirs) or mine == theirs
