"""Tests, the ladder and verdicts. Every formula is in docs/statistics.md."""

from __future__ import annotations

import math
from functools import lru_cache
from operator import mul
from typing import Any

Row = dict[str, Any]
Components = list[list["float | None"]]
# A day on which clocks go forward.
SHORTEST_DAY = 23


@lru_cache(maxsize=65536)
def student_tail(t: float, nu: int) -> float:
    """P(|T| > t): the incomplete beta function I_x(nu/2, 1/2) by a series of positive terms."""
    t = abs(t)
    if math.isinf(t):
        return 0.0
    below, above = nu / (nu + t * t), t * t / (nu + t * t)
    if below <= 0.9:
        return _beta(below, above, nu / 2, 0.5)
    return 1 - _beta(above, below, 0.5, nu / 2)


def _beta(x: float, rest: float, a: float, b: float) -> float:
    term = total = 1.0
    at = 0
    while term > total * 1e-17:
        term *= x * (a + b + at) / (a + 1 + at)
        total += term
        at += 1
    return x**a * rest**b * total * math.gamma(a + b) / (math.gamma(a + 1) * math.gamma(b))


@lru_cache(maxsize=65536)
def student_quantile(level: float, nu: int) -> float:
    """q with P(|T| > q) = level, by Newton's method between bounds."""
    low, high = 0.0, 1.0
    while student_tail(high, nu) > level:
        low, high = high, high * 2
    at = high
    density = math.gamma((nu + 1) / 2) / (math.gamma(nu / 2) * math.sqrt(nu * math.pi))
    for _ in range(200):
        over = student_tail(at, nu) - level
        low, high = (at, high) if over > 0 else (low, at)
        following = at + over / (2 * density * (1 + at * at / nu) ** (-(nu + 1) / 2))
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - at) <= 1e-15 * at:
            return following
        at = following
    return at


# ---- how much evidence there is ------------------------------------------------------------------


def effective_blocks(components: Components, length: int, counted: str) -> tuple[int, int]:
    """Pairs and blocks: of the component with the fewest, or of origins with a pair in any."""
    if counted == "any":
        components = [[0.0 if at.count(None) < len(at) else None for at in zip(*components)]]
    found = []
    for values in components:
        there = [at for at, v in enumerate(values) if v is not None]
        blocks = {at // length for at in there} - {len(values) // length}
        found.append((len(there), len(blocks)))
    return min((n for n, _ in found), default=0), min((b for _, b in found), default=0)


def origins_a_day(due_hours: list[float]) -> int:
    """The most origins due within 23 hours, the end excluded; 23 count as 24."""
    due, best, first = sorted(due_hours), 0, 0
    for at, hour in enumerate(due):
        while hour - due[first] >= SHORTEST_DAY:
            first += 1
        best = max(best, at - first + 1)
    return 24 if best == 23 else best


def degrees_of_freedom(blocks: int, pairs: int, days: float, sees_widths: bool) -> int:
    most = min(pairs // 10, math.floor(days / 4))
    least = max(4, min(8, blocks // 2, most))
    return least if sees_widths else max(least, min(16, blocks // 4, most))


# ---- the cosine test -----------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _wave(n: int, j: int) -> list[float]:
    return [math.cos(math.pi * j * (i + 0.5) / n) for i in range(n)]


def cosine_test(components: Components, nu: int) -> tuple[float, float, float | None]:
    """Estimate, standard error and p, which is None without variance.

    Lazarus, Lewis, Stock and Watson (2018).
    """
    count = len(components)
    means, sizes = [], []
    for values in components:
        there = [v for v in values if v is not None]
        means.append(math.fsum(there) / len(there))
        sizes.append(len(there))
    estimate = math.fsum(means) / count
    if count == 1:
        u = [v - means[0] for v in components[0] if v is not None]
        n = len(u)
    else:
        used = [at for at in zip(*components) if at.count(None) < count]
        n = len(used)
        factors = [n / size / count for size in sizes]
        u = [sum((v - m) * f for v, m, f in zip(at, means, factors) if v is not None)
             for at in used]
    largest = max(abs(estimate), *map(abs, u))
    omega = math.fsum(2 / n * sum(map(mul, u, _wave(n, j))) ** 2 for j in range(1, nu + 1)) / nu
    error = math.sqrt(omega / n)
    if estimate == 0:
        return estimate, error, 1.0
    if error <= largest * 2**-40:
        return estimate, 0.0, None
    return estimate, error, student_tail(estimate / error, nu)


def cosine_bounds(estimate: float, error: float, nu: int, level: float) -> tuple[float, float]:
    off = student_quantile(level, nu) * error
    return estimate - off, estimate + off


def part_p(estimate: float | None, error: float | None, nu: int,
           limit: float | None) -> float | None:
    """One part of a verdict hypothesis: 2 P(T > (limit - d) / se), at most 1."""
    if estimate is None or error is None or limit is None:
        return None
    if error == 0:
        return 0.0 if estimate < limit else 1.0
    t = (limit - estimate) / error
    return student_tail(t, nu) if t > 0 else 1.0


# ---- many tests ----------------------------------------------------------------------------------


def weighted_holm(tests: list[tuple[float | None, float]], alpha: float,
                  implies: dict[int, list[int]]) -> list[Row | None]:
    """Holm's step-down with weights; a hypothesis takes the tests that it implies out with it.

    Of a test that is blocked there is None. W is what remained at the step of a test or, where it
    is not rejected, at the step at which the procedure stopped.
    """
    found: list[Row | None] = [None] * len(tests)
    ratios = {at: p / weight for at, (p, weight) in enumerate(tests)
              if p is not None and weight > 0}
    remaining = math.fsum(weight for _, weight in tests)
    largest, rank, stopped = 0.0, 0, None
    for ratio in sorted(set(ratios.values())):
        # All of one ratio leave at one step.
        new = [at for at in ratios if ratios[at] == ratio and found[at] is None]
        if not new:
            continue
        whole, place = remaining, rank + 1
        largest = max(largest, min(1.0, ratio * whole))
        rejected = stopped is None and largest <= alpha * (1 + 2**-48)
        if not rejected and stopped is None:
            stopped = whole
        for i in new:
            implied = [j for j in implies.get(i, []) if j in ratios and j not in new]
            group = [i, *(j for j in implied if found[j] is None)]
            for j in group:
                weight = tests[j][1]
                found[j] = {
                    "adjusted_p": largest, "rejected": rejected, "rank": place,
                    "level": alpha * weight / (whole if stopped is None else stopped),
                    "multiplier": whole / weight, "by_verdict": j != i}
                remaining -= weight
            rank += len(group)
    return found


def mean_of(values: list[float | None]) -> float:
    there = [v for v in values if v is not None]
    return math.fsum(there) / len(there)


def overall_mean(cells: Components) -> float | None:
    """The unweighted mean over cells of their means; None where there are none, or one is empty."""
    if not cells or any(all(v is None for v in cell) for cell in cells):
        return None
    return math.fsum(map(mean_of, cells)) / len(cells)


def fill(cells: list[Row], end: str) -> list[tuple[list[float | None], list[Any], bool]]:
    """Differences of each cell, with gaps filled in by the mean of its k worst (or best).

    A key is a difference, None (it counts in no pair) or "gap" (it has no outcome). Another cell of
    the step stands in for one without a pair, or whose series is mostly missing. With the values
    come the keys that they are of, and whether the cell counts itself.
    """
    filled: list[list[float | None]] = []
    for cell in cells:
        there = [v for v in cell["keys"] if v is not None and v != "gap"]
        part = sorted(there, reverse=end == "worst")[: cell["keys"].count("gap")]
        mean = math.fsum(part) / len(part) if part else None
        filled.append([mean if v == "gap" else v for v in cell["keys"]])
    sound = [not cell["mostly_missing"] and any(v is not None for v in keys)
             for cell, keys in zip(cells, filled)]
    found = []
    for at, cell in enumerate(cells):
        others = [i for i, o in enumerate(cells) if sound[i] and o["step"] == cell["step"]]
        own, extreme = sound[at] or not others, max if end == "worst" else min
        by = at if own else extreme(others, key=lambda i: mean_of(filled[i]))
        found.append((filled[by], cells[by]["keys"], own))
    return found


# ---- verdicts ------------------------------------------------------------------------------------

_FROM_WORST = ("blocked", "negative", "inconclusive", "eligible_waiting_given_away",
               "eligible_for_human_review")


def at_most(value: float, limit: float) -> bool:
    """Not above a limit, with an allowance for rounding."""
    return value <= limit + 1e-12 * abs(limit)


def _harm_beyond(known: Row) -> bool:
    """Whether the loss at a step, or its direction, is shown to be above what is allowed."""
    harm, direction = max(known["harm"], 0.05), max(known["direction"] or 0, 0.02)
    steps = [step for side in known["comparisons"] for step in side["steps"]]
    return (any(step["lower"] is not None and step["lower"] > harm * step["comparator_loss"]
                for step in steps)
            or any((step["direction_lower"] or 0) > direction for step in steps))


def _is_blocked(known: Row) -> bool:
    sides = known["comparisons"]
    return bool(known["shortened"]) or any(
        side["lower"] is None or not at_most(side["left_out"], known["availability"])
        or any(None in (g["upper"], g["comparator_loss"]) for g in side["groups"])
        for side in sides)


def _is_eligible(known: Row) -> bool:
    """Only of what is not blocked."""
    sides = known["comparisons"]
    reached = all(
        side["estimate"] is not None
        and at_most(known["floor"] + (side["waiting_worth"] or 0),
                    -side["estimate"] / side["comparator_loss"]) for side in sides)
    groups = all(at_most(group["upper"], known["harm"] * group["comparator_loss"])
                 for side in sides for group in side["groups"])
    in_the_way = ("outcomes_missing", "too_lax", "waiting_too_long", "only_nowcasts", "substituted")
    return known["rejected"] and reached and groups and not any(known[n] for n in in_the_way)


def disposition(known: Row) -> str:
    """The word of result.json; members as in docs/vectors.md."""
    if _is_blocked(known):
        return "blocked"
    higher = any(side["lower"] > 0 for side in known["comparisons"])
    beyond, eligible = _harm_beyond(known), _is_eligible(known)
    if known["mode"] == "backtest":
        if higher and not known["outcomes_missing"]:
            return "higher"
        return "lower" if eligible and not beyond else "neither"
    if known["outcomes_missing"]:
        return "inconclusive"
    if higher or beyond:
        return "negative"
    if not eligible:
        return "inconclusive"
    return ("eligible_waiting_given_away" if known["waiting_given_away"]
            else "eligible_for_human_review")


def second_counts(first: tuple[str, float | None], second: tuple[str, float | None]) -> bool:
    """Whether the second reading is worse: the worse disposition, else the smaller improvement."""
    if first[0] != second[0]:
        return _FROM_WORST.index(second[0]) < _FROM_WORST.index(first[0])
    return second[1] is not None and (first[1] is None or second[1] < first[1])


def least_improvement(differences: list[tuple[float | None, float | None]]) -> float | None:
    """The least share of a comparator's mean by which means (difference, comparator's) are lower.

    None where one is unknown.
    """
    shares = [-d / m for d, m in differences if d is not None and m]
    return min(shares) if shares and len(shares) == len(differences) else None


def alpha_divisor(registered_before: int) -> int:
    j = registered_before + 1
    return 1 if j == 1 else j * (j + 1)
