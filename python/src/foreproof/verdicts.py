"""The ladder, and the hypothesis and disposition of each candidate (docs/statistics.md)."""

from __future__ import annotations

import math
from typing import Any

from .chain import test_name
from .evaluate import Cell, Evaluation, bounds
from .inference import (at_most, disposition, least_improvement, overall_mean, part_p,
                        weighted_holm)

Row = dict[str, Any]


def judge(e: Evaluation, names: list[str], stored: dict[str, Row],
          silent: set[tuple[str, str]]) -> Row:
    """All tests with the ladder, the verdict hypotheses and the dispositions.

    `names` is the family in its order; of tests in scopes that are left out `stored` has p, of the
    others the last bits of p, and `silent` the candidates and comparators of which one leaves out
    too much there.
    """
    known = {test_name(candidate, side["name"], score["id"], step, scope):
             (candidate, side["name"], score, step, scope)
             for candidate in e.candidates for side in e.comparators for score in e.rules["scores"]
             for step in ["overall", *e.steps] for scope in [*e.scopes, *e.left_out]}
    tests = [{"of": known[name], "name": name} for name in names]
    for test in tests:
        _, _, score, _, scope = test["of"]
        test["decides"] = score["tested"] == "deciding" and not scope.startswith("stratum:")
        if scope in e.left_out:
            test.update({n: stored[test["name"]][n] for n in ("p", "blocked_reasons")})
        else:
            test.update(e.test(*test["of"]))
            test["p"] = _as_told(test["p"], stored[test["name"]]["p"])
    weights, decides = e.rules["weights"], [test["decides"] for test in tests]
    for test in tests:
        share = weights["deciding" if test["decides"] else "other"]
        test["weight"] = share / decides.count(test["decides"])
    e.tests = {test["name"]: test for test in tests}
    share = weights["verdict"] / len(e.candidates)
    verdicts = [_verdict_hypothesis(e, candidate, share) for candidate in e.candidates]
    _ladder(e, tests, verdicts)
    _simultaneous(e, tests)
    return {"tests": tests, "verdicts": verdicts,
            "dispositions": [_disposition(e, verdict, silent) for verdict in verdicts]}


def _as_told(own: float | None, told: float | None) -> float | None:
    """The p of the result where only rounding parts the two: it would part ties of the ladder."""
    is_same = own is not None and told is not None and abs(own - told) <= 1e-12 * own
    return told if is_same else own


def _ladder(e: Evaluation, tests: list[Row], verdicts: list[Row]) -> None:
    implies = {
        at: [n for n, test in enumerate(tests) if test["of"][0] == verdict["candidate"]
             and test["of"][1] not in e.far_off and test["of"][3:] == ("overall", "all")]
        for at, verdict in enumerate(verdicts, len(tests))}
    both = [*tests, *verdicts]
    ladder = weighted_holm([(test["p"], test["weight"]) for test in both], e.alpha, implies)
    for test, rung in zip(both, ladder):
        test.update(p_adjusted=None, level_adjusted=None, multiplier=None, rank=None,
                    by_verdict=False, decision="blocked")
        if rung is not None:
            test.update(
                p_adjusted=rung["adjusted_p"], level_adjusted=rung["level"], rank=rung["rank"],
                multiplier=rung["multiplier"], by_verdict=rung["by_verdict"],
                decision="rejected" if rung["rejected"] else "not_rejected")
    for test in tests:
        if test["of"][4] in e.scopes:
            test["bounds_adjusted"] = bounds(test, test["level_adjusted"])


def _simultaneous(e: Evaluation, tests: list[Row]) -> None:
    """Bounds for *negative*: half of alpha for the overall tests, half for the other deciding."""
    steps = [test["of"][3] for test in tests if test["decides"] and test["of"][4] == "all"]
    overall = steps.count("overall")
    for test in tests:
        _, _, score, step, scope = test["of"]
        test["bounds_simultaneous"] = test["group_bound"] = None
        if test["decides"] and scope == "all":
            level = e.alpha / 2 / (overall if step == "overall" else len(steps) - overall)
            both = bounds(e.filled(test, "best"), level)
            test["bounds_simultaneous"] = both and {"level": level, **both}
        if scope in e.groups and score is e.primary and step == "overall":
            upper = (bounds(e.worst(test), 0.2) or {}).get("upper")
            test["group_bound"] = e.worst(test)["observed"] if len(e.groups) > 5 else upper


def _primary_test(e: Evaluation, candidate: str, comparator: str, step: int | str) -> Row | None:
    return e.tests.get(test_name(candidate, comparator, e.primary["id"], step, "all"))


def _part(test: str, comparator: str, score: Row, step: int | str, figures: Row,
          limit: float | None) -> Row:
    """A part of a verdict hypothesis: the difference is not below the limit."""
    p = None if figures["p"] is None else part_p(
        figures["observed"], figures["standard_error"], figures["degrees_of_freedom"], limit)
    return {"test": test, "comparator": comparator, "score": score["id"], "step": step,
            "limit": limit, "observed": figures["observed"], "p": p}


def _verdict_hypothesis(e: Evaluation, candidate: str, weight: float) -> Row:
    """E_c: against some comparator the overall loss is not lower, or a limit is exceeded."""
    parts, limits = [], e.rules["limits"]
    for side in e.comparators:
        name = side["name"]
        if name in e.far_off:
            continue
        for step in ["overall", *e.tested]:
            test = _primary_test(e, candidate, name, step)
            if test is None:
                continue
            figures, mean = e.worst(test), e.worst(test)["comparator_mean"]
            if step != "overall":
                limit = None if mean is None else limits["harm"] * mean
            else:
                limit = 0.0
                if e.rules["origins"]["waiting"] == "charged" and e.charged(side):
                    charged = [{**own, "keys": e.differences(candidate, name, e.primary, c, "all",
                                                             charged=True)[0]}
                               for own, c in zip(test["_keys"], test["_cells"])]
                    figures = e.filled(test, "worst", charged)
            parts.append(_part(test["name"], name, e.primary, step, figures, limit))
        asked = [c for c in e.cells_of(name, "overall", "all") if e.asked(name, c)]
        if e.asks and asked:
            keys = [e.filling(c, *e.differences(candidate, name, e.asks, c, "all")) for c in asked]
            figures = e.filled({"of": (candidate, name, e.asks, "overall", "all")}, "worst", keys)
            called = test_name(candidate, name, e.asks["id"], "mean", "all")
            parts.append(_part(called, name, e.asks, "overall", figures, limits["direction"]))
    ps = [part["p"] for part in parts]
    return {"candidate": candidate, "weight": weight, "parts": parts,
            "p": None if None in ps or not ps else max(ps)}


# A level or series is looked at where it has as many keys with an outcome a step; one in so many
# series may be silent.
LEAST_KEYS, EXCEPTION = 30, 50


def _left_out(e: Evaluation, candidate: str, comparator: str, of_comparator: bool) -> float:
    """The largest share that a model leaves out, by its limit: above 1 it is too much."""
    limit, by_stratum = (e.rules["limits"][n] for n in ("availability", "availability_stratum"))
    asked = [c for c in e.registered if c[0] not in e.not_asked.get(comparator, ())]

    def share(cells: list[Cell], most: float, scope: str = "all", least: int = 0) -> float | None:
        """What is left out of cells, by the limit; None where they have too few keys."""
        level, out, keys = e.scopes[scope], 0, 0
        for c in cells:
            for at, (a, b) in enumerate(zip(e.pairs[candidate][c], e.pairs[comparator][c])):
                if e.outcome(a) and (level is None or at in level):
                    keys += 1
                    if of_comparator:
                        out += not e.scored(b)
                    else:
                        out += not e.scored(a) or (e.scored(b) and not e.shared(a, b))
        if keys < max(1, least * len({step for _, step in cells})):
            return None
        return out / keys / most if most else math.inf if out else 0.0

    if limit is None:
        return 0.0
    found = [share([c for c in asked if c[1] == step], limit) for step in e.steps]
    found.append(share(asked, limit))
    if by_stratum is not None:
        found += [share(asked, by_stratum, scope, LEAST_KEYS)
                  for scope, level in e.scopes.items() if level is not None]
        if len(e.series) > 1:
            found += _by_series(e, comparator, {
                s: own for s in e.series if (own := share(
                    [c for c in asked if c[0] == s], by_stratum, least=LEAST_KEYS)) is not None})
    return max((one for one in found if one is not None), default=0.0)


def _by_series(e: Evaluation, comparator: str, shares: dict[str, float]) -> list[float]:
    """Without the series that may be silent: few of many, with little of the comparator's loss."""
    silent = [s for s, share in shares.items() if not at_most(share, 1)]
    loss = dict.fromkeys(e.series, 0.0)
    for c in e.registered:
        if c[0] not in e.not_asked.get(comparator, ()):
            own = overall_mean([e.losses[comparator][c][e.primary["id"]]])
            loss[c[0]] += own or 0.0
    little = sum(loss[s] for s in silent) <= e.rules["limits"]["availability"] * sum(loss.values())
    excepted = silent if little and len(silent) <= len(shares) // EXCEPTION else []
    return [share for s, share in shares.items() if s not in excepted]


def _lower(test: Row | None) -> float | None:
    return test["bounds_simultaneous"]["lower"] if test and test["bounds_simultaneous"] else None


def _comparison(e: Evaluation, verdict: Row, side: Row, silent: set[tuple[str, str]]) -> Row:
    """One comparator in a disposition, with the members of docs/vectors.md."""
    candidate, name, limits = verdict["candidate"], side["name"], e.rules["limits"]
    overall = _primary_test(e, candidate, name, "overall")
    assert overall is not None
    worst, steps, every = e.worst(overall), [], [overall]
    for step in e.tested:
        test = _primary_test(e, candidate, name, step)
        called = e.tests.get(test_name(candidate, name, e.asks["id"], step, "all")
                             ) if e.asks and step not in e.nowcasts else None
        if called is not None and not any(e.asked(name, c) for c in called["_cells"]):
            called = None
        steps.append({"lower": _lower(test), "direction_lower": _lower(called),
                      "comparator_loss": e.worst(test)["comparator_mean"] if test else None})
        every += [each for each in (test, called) if each is not None]
    sound = all([
        worst["comparator_mean"] is not None,
        *(part["p"] is not None for part in verdict["parts"] if part["comparator"] == name),
        *(_lower(each) is not None for each in every),
        *(e.worst(each)["comparator_mean"] is not None for each in every
          if each["of"][2] is e.primary),
    ])
    left = math.inf if (candidate, name) in silent else _left_out(e, candidate, name, False)
    if side["source"] == "history":
        left = max(left, _left_out(e, candidate, name, True))
    charge = e.rules["origins"]["waiting"] == "charged"
    groups = [e.tests.get(test_name(candidate, name, e.primary["id"], "overall", scope))
              for scope in e.groups]
    return {
        "comparator": name, "lower": _lower(overall) if sound else None,
        "estimate": worst["observed"], "comparator_loss": worst["comparator_mean"],
        "waiting_worth": (e.waiting().get((name, "overall")) or 0.0) if charge else 0.0,
        "steps": steps, "left_out": left * (limits["availability"] or 0.0),
        "groups": [{"upper": t["group_bound"], "comparator_loss": e.worst(t)["comparator_mean"]}
                   for t in groups if t],
    }


def _disposition(e: Evaluation, verdict: Row, silent: set[tuple[str, str]]) -> Row:
    limits = e.rules["limits"]
    sides = [_comparison(e, verdict, side, silent) for side in e.comparators]
    overall = [_primary_test(e, verdict["candidate"], side["name"], "overall")
               for side in e.comparators]
    improvement = least_improvement([(t["observed"], t["comparator_mean"]) for t in overall if t])
    word = disposition({
        "mode": e.registration["mode"], "rejected": verdict["decision"] == "rejected",
        "floor": limits["practical_effect"], "harm": limits["harm"],
        "direction": limits["direction"], "availability": limits["availability"] or 0.0,
        "comparisons": sides, "waiting_given_away": e.rules["origins"]["waiting"] != "charged",
        **_conditions(e)})
    return {"candidate": verdict["candidate"], "disposition": word, "comparisons": sides,
            "improvement": improvement}


def _outcomes_missing(e: Evaluation) -> bool:
    """More than 2 % of all keys, or 10 % of a group; without scales, most of a series."""
    by_group: dict[str, list[bool]] = {}
    for (series, _), keys in e.keys.items():
        own = by_group.setdefault(e.group_of.get(series, "rest"), [])
        own += [e.outcome(key) for key in keys if key is not None]
    every = sum(by_group.values(), [])
    return (every.count(False) > 0.02 * len(every)
            or any(own.count(False) > 0.1 * len(own) for own in by_group.values() if e.groups)
            or (e.rules["scaling"]["kind"] == "none" and len(e.series) > 1
                and any(map(e.mostly_missing, e.series))))


def _too_lax(e: Evaluation) -> bool:
    """Limits of version 1 that are wider than version 2 allows."""
    limits, required = e.rules["limits"], e.rules["required"]
    most = {"harm": 0.2, "direction": 0.05, "availability": 0.05, "availability_stratum": 0.1}
    return e.rules["schema"] == 1 and (
        limits["practical_effect"] < 0.01 or e.registration["rules"]["alpha"] > 0.05
        or any((limits[name] or 0) > limit for name, limit in most.items())
        or not any(r["model"].get("built_in") == "persistence" for r in required))


def _conditions(e: Evaluation) -> Row:
    """What stands in the way of a verdict, of all candidates."""
    built_in = {r["name"] for r in e.rules["required"] if "built_in" in r["model"]}
    persistence = next((s["name"] for s in e.comparators
                        if "persistence" in (e.kinds.get(s["name"]), s["name"])), "")
    waited = e.waiting().get((persistence, "overall")) or 0.0
    return {
        "outcomes_missing": _outcomes_missing(e), "too_lax": _too_lax(e),
        "waiting_too_long": waited > 0.6 and e.rules["schema"] == 2,
        "only_nowcasts": len(e.nowcasts) == len(e.steps), "shortened": e.through is not None,
        "substituted": any(c["source"] == "history" and built_in & set(c["required_as"])
                           for c in e.comparators)}
