"""Tests, ladder, gaps, verdicts. Student's t is mpmath's; decisions are by hand."""

from fractions import Fraction

import mpmath
import numpy as np

from common import NEAR, case, special, write

mpmath.mp.dps = 40
NAN = float("nan")
RANDOM = np.random.default_rng(1309)


def tail(t, nu):
    """P(|T| > |t|)."""
    x = mpmath.mpf(nu) / (nu + mpmath.mpf(t) ** 2)
    return float(mpmath.betainc(mpmath.mpf(nu) / 2, mpmath.mpf(1) / 2, 0, x, regularized=True))


def quantile(level, nu):
    """By halving on a log, in forty digits."""
    low, high = mpmath.mpf(10) ** -20, mpmath.mpf(10) ** 20
    for _ in range(110):
        middle = mpmath.sqrt(low * high)
        outside = mpmath.betainc(mpmath.mpf(nu) / 2, 0.5, 0, nu / (nu + middle**2), regularized=True)
        low, high = (middle, high) if outside > mpmath.mpf(level) else (low, middle)
    return float(low)


# ------------------------------------------------------------------ blocks and degrees of freedom
def counts(components, block, counted):
    there = [[value is not None for value in row] for row in components]
    if counted == "any":
        there = [[any(column) for column in zip(*there)]]
    full = len(there[0]) // block
    blocks = [sum(any(row[at * block : (at + 1) * block]) for at in range(full)) for row in there]
    return {"pairs": min(map(sum, there)), "effective_blocks": min(blocks)}


ONES = [1] * 10
HALF = [1, None, None, None, 1, None, None, None, None, 1]
LATE = [None] * 9 + [1]
BLOCKS = [
    ("whole blocks of three", [ONES], 3, "least", "the rest of the window is a block"),
    ("gaps", [HALF], 2, "least", None),
    ("a pair in the rest alone", [LATE], 3, "least", None),
    ("blocks without a pair", [[1, None, None, None, None, None, None, None, 1, None]], 2, "least", "blocks are pairs divided by their length"),
    ("the smallest of two components", [ONES, HALF], 2, "least", None),
    ("origins with a pair in any of two", [HALF, [None, 1, None, None, None, None, 1, None, None, None]], 2, "any", None),
    ("a window shorter than a block", [ONES], 11, "least", None),
]
write(
    "effective-blocks",
    "docs/statistics.md, by hand",
    [case(name, {"components": c, "block_length": length, "counted": counted}, counts(c, length, counted), against=why) for name, c, length, counted, why in BLOCKS],
)


def a_day(dues):
    most = max(sum(due <= other < due + 23 for other in dues) for due in dues)
    return 24 if most == 23 else most


HOURLY = list(range(100))
DUES = [
    ("every hour", HOURLY, 24, "23 hourly origins are 23 a day"),
    ("once a day", [24 * n for n in range(9)], 1, None),
    ("once a day by a clock that goes forward", [0, 24, 47, 71], 1, "a day has 24 hours"),
    ("every twelve hours", [12 * n for n in range(9)], 2, None),
    ("every quarter of an hour", [n / 4 for n in range(200)], 92, None),
    ("once a week", [168 * n for n in range(9)], 1, None),
    ("a burst, then days", [0, 1, 2, 30, 60, 90], 3, None),
    ("out of order", [50, 1, 0, 25, 2], 3, None),
]
assert all(a_day(dues) == found for _, dues, found, _ in DUES)
write("origins-a-day", "docs/statistics.md, by hand", [case(name, {"due_hours": dues}, found, against=why) for name, dues, found, why in DUES])


def freedom(e, n, days, widths):
    a = max(4, min(8, e // 2, n // 10, int(days // 4)))
    return a if widths else max(a, min(16, e // 4, n // 10, int(days // 4)))


FREEDOM = [
    (180, 4320, 180, False, None), (180, 4320, 180, True, "widths may have sixteen"), (20, 480, 20, False, None), (16, 384, 16, False, None), (64, 1536, 64, False, None),
    (12, 60, 420, False, None), (12, 60, 420, True, None), (40, 79, 79, False, "origins do not matter"), (60, 300, 31.9, False, None), (16, 2000, 20.8, False, "days do not matter"),
    (8, 30, 16, True, None), (1, 5, 2, False, None), (36, 400, 100, False, None), (35, 400, 100, False, None),
]
write(
    "degrees-of-freedom",
    "docs/statistics.md, by hand",
    [
        case(f"{e} blocks, {n} origins, {days} days{', widths' if widths else ''}", {"effective_blocks": e, "pairs": n, "days": days, "sees_widths": widths}, freedom(e, n, days, widths), against=why)
        for e, n, days, widths, why in FREEDOM
    ],
)

# ------------------------------------------------------------------ Student's t
# R 4: 2 * pt(-t, nu).
FROM_R = [
    (2.5, 4, 6.676654481198813e-02), (20, 4, 3.688310580299728e-05), (2.5, 8, 3.694203771362407e-02), (8, 8, 4.366826031328020e-05),
    (60, 8, 6.615115847914812e-12), (0.5, 16, 6.238815553000459e-01), (20, 16, 9.569033625490086e-13), (60, 16, 2.891258273957666e-20),
]
assert all(abs(tail(t, nu) / p - 1) < 1e-12 for t, nu, p in FROM_R)
TAILS = [(t, nu, p) for t, nu, p in FROM_R] + [(t, nu, tail(t, nu)) for t, nu in ((0, 5, ), (-2.5, 8), (1e-3, 7), (1, 1), (1e10, 16), (0.99, 5), (1.01, 5))]
write(
    "student-tail",
    "R's pt for the first eight, mpmath's incomplete beta function for the others",
    [case(f"t {t}, nu {nu}", {"t": t, "nu": nu}, p, NEAR, against={(2.5, 4): "one tail", (2.5, 8): "the normal distribution"}.get((t, nu))) for t, nu, p in TAILS]
    + [case("t is infinite", {"t": special(float("inf")), "nu": 4}, 0)],
)
LEVELS = [(0.05, 4), (0.05, 16), (0.0015, 8), (0.2, 5), (0.5, 4), (1e-9, 16), (0.9, 7), (0.05, 1)]
assert [round(quantile(0.05, nu), 2) for nu in (4, 5, 8, 15, 16)] == [2.78, 2.57, 2.31, 2.13, 2.12]
write("student-quantile", "mpmath", [case(f"level {level}, nu {nu}", {"level": level, "nu": nu}, quantile(level, nu), NEAR, against="the level is of one tail" if (level, nu) == (0.2, 5) else None) for level, nu in LEVELS])


# ------------------------------------------------------------------ the cosine test
def cosine_test(components, nu):
    rows = [[NAN if value is None else value for value in row] for row in components]
    d = np.array(rows, dtype=float)
    here = ~np.isnan(d)
    means, n_c, some = np.nanmean(d, axis=1), here.sum(axis=1), here.any(axis=0)
    n = int(some.sum())
    theta = float(means.mean())
    u = np.where(here, (d - means[:, None]) * n / n_c[:, None], 0).sum(axis=0)[some] / len(d)
    i = np.arange(n)
    waves = [np.sqrt(2 / n) * float(u @ np.cos(np.pi * j * (i + 0.5) / n)) for j in range(1, nu + 1)]
    se = float(np.sqrt(np.mean(np.square(waves)) / n))
    if np.all(d[here] == 0):
        return {"estimate": 0, "standard_error": 0, "p": 1}
    if np.ptp(d[here]) == 0:
        return {"estimate": theta, "standard_error": 0, "p": None}
    return {"estimate": theta, "standard_error": se, "p": tail(theta / se, nu)}


PUBLISHED = [0.05 + float(np.sin(i / 7)) + 0.1 * ((37 * i % 11) - 5) for i in range(240)]
PUBLISHED = [float(f"{value:.12g}") for value in PUBLISHED]
R_FIGURES = {
    8: {"estimate": 0.106605831788951, "standard_error": 0.0855087460616455, "p": 0.247763179076593},
    4: {"estimate": 0.106605831788951, "standard_error": 0.0620920516507717, "p": 0.161133699730298},
    16: {"estimate": 0.106605831788951, "standard_error": 0.17611453260335, "p": 0.553455428923389},
}
for nu, figures in R_FIGURES.items():
    assert all(abs(cosine_test([PUBLISHED], nu)[name] / value - 1) < 1e-9 for name, value in figures.items())
NOISE = [round(float(x), 4) for x in RANDOM.normal(-0.2, 1, 48)]
OTHER = [round(float(x), 4) for x in RANDOM.normal(0.1, 2, 48)]
GAPS = [None if at % 5 == 2 else value for at, value in enumerate(NOISE)]
SOME = [None if at % 3 == 0 or at > 40 else value for at, value in enumerate(OTHER)]
COSINES = [
    ("noise", [NOISE], 4, "values are independent"),
    ("gaps are taken out", [GAPS], 5, "gaps are zeros"),
    ("two components", [NOISE, OTHER], 4, None),
    ("two components with gaps of their own", [GAPS, SOME], 6, "components are pooled"),
    ("all zero", [[0, 0, None, 0, 0, 0]], 4, "p is 0 where nothing differs"),
    ("constant", [[0.3] * 12], 4, "a constant difference is certain"),
]
write(
    "cosine-test",
    "R (published figures of d = 0.05 + sin(i / 7) + 0.1 ((37 i mod 11) - 5), in twelve digits), numpy and mpmath",
    [case(f"figures of R, nu {nu}", {"components": [PUBLISHED], "nu": nu}, figures, {"relative": 1e-9}) for nu, figures in list(R_FIGURES.items())[:1]]
    + [case(name, {"components": c, "nu": nu}, cosine_test(c, nu), {"absolute": 1e-15} if name == "constant" else {"relative": 1e-11}, against=why) for name, c, nu, why in COSINES],
)


def bounds(estimate, se, nu, level):
    half = quantile(level, nu) * se if se else 0
    return {"lower": estimate - half, "upper": estimate + half}


BOUNDS = [(0.106605831788951, 0.0855087460616455, 8, 0.05), (-0.02, 0.01, 4, 0.001), (-0.5, 0, 4, 0.05), (1, 0.5, 16, 0.2)]
assert abs(bounds(*BOUNDS[0])["upper"] - 0.303789353803229) < 1e-12
write(
    "cosine-bounds",
    "R for the first, mpmath for the others",
    [case(f"{estimate}, se {se}, nu {nu}, level {level}", {"estimate": estimate, "standard_error": se, "nu": nu, "level": level}, bounds(estimate, se, nu, level), {"absolute": 1e-12}, against="the normal distribution" if nu == 16 else None) for estimate, se, nu, level in BOUNDS],
)

# ------------------------------------------------------------------ given replicates
def bootstrap_p(replicates):
    r = len(replicates)
    return min(1, 2 * min(1 + sum(x <= 0 for x in replicates), 1 + sum(x >= 0 for x in replicates)) / (r + 1))


DRAWN = [round(float(x), 3) for x in RANDOM.normal(-1, 1, 199)]
REPLICATES = [
    ("all below 0", [-1 - n / 100 for n in range(99)], 0.02, "p may be 0"),
    ("all above 0", [1 + n for n in range(9)], 0.2, None),
    ("nineteen, one above", [-1] * 18 + [1], 0.2, "one tail"),
    ("all 0", [0] * 9, 1, "zeros count on one side"),
    ("even", [-1, 1] * 10, 1, None),
    ("199 drawn", DRAWN, bootstrap_p(DRAWN), None),
]
assert all(abs(bootstrap_p(values) - p) < 1e-15 for _, values, p, _ in REPLICATES)
write("bootstrap-p", "Davison and Hinkley (1997), 4.2, by hand", [case(name, {"replicates": values}, p, NEAR, against=why) for name, values, p, why in REPLICATES])
PERCENTILES = [("199 drawn at 5 %", DRAWN, 0.05, None), ("199 drawn at 1 %", DRAWN, 0.01, None), ("0 to 100 at 5 %", list(range(101))[::-1], 0.05, "the level is left outside on either side"), ("twenty at 10 %", [n * n for n in range(20)], 0.1, None)]
write(
    "bootstrap-bounds",
    "numpy.quantile, method linear (type 7)",
    [
        case(name, {"replicates": values, "level": level}, {"lower": float(np.quantile(values, level / 2)), "upper": float(np.quantile(values, 1 - level / 2))}, {"absolute": 1e-12}, against=why)
        for name, values, level, why in PERCENTILES
    ],
)


# ------------------------------------------------------------------ the ladder
def holm(tests, alpha, implies=()):
    """Step by step, in fractions. `implies` is (at, [places]): at its step those leave with its adjusted p."""
    p = [None if one["p"] is None else Fraction(str(one["p"])) for one in tests]
    w = [Fraction(str(one["weight"])) for one in tests]
    implies = dict(implies)
    left, found, adjusted, stopped = set(range(len(tests))), [None] * len(tests), Fraction(0), None
    waiting = {at for at in left if p[at] is not None}
    share_before, remaining = None, None
    while waiting:
        at = min(waiting, key=lambda n: (p[n] / w[n], n))
        if p[at] / w[at] != share_before:
            share_before, remaining = p[at] / w[at], sum(w[n] for n in left)
        adjusted = max(adjusted, min(Fraction(1), p[at] * remaining / w[at]))
        rejected = adjusted <= Fraction(str(alpha))
        if not rejected and stopped is None:
            stopped = remaining
        for n in [at, *(n for n in implies.get(at, ()) if n in waiting)]:
            level = Fraction(str(alpha)) * w[n] / (stopped or remaining)
            found[n] = {"adjusted_p": float(adjusted), "rejected": rejected, "level": float(level)}
            waiting.discard(n)
            left.discard(n)
    return found


def family(*pairs):
    return [{"p": p, "weight": weight} for p, weight in pairs]


def equal(*ps):
    return family(*((p, 1) for p in ps))


R_SIX = equal(0.002, 0.004, 0.006, 0.008, 0.010, 0.012)
R_TEN = equal(0.001, 0.002, 0.003, 0.004, 0.005, 0.05, 0.06, 0.07, 0.08, 0.09)
WEIGHTED = family((0.001, 0.4), (0.012, 0.4), (0.02, 0.05), (0.004, 0.05), (0.3, 0.05), (None, 0.05))
RETURNED = family((0.01, 0.1), (0.012, 0.1), (0.02, 0.1), (0.3, 0.1), (0.012, 0.6))
HOLMS = [
    ("R's p.adjust, six", R_SIX, 0.05, [], "p is multiplied by the size of the family"),
    ("R's p.adjust, ten", R_TEN, 0.05, [], "adjusted p may fall"),
    ("weights, one without p", WEIGHTED, 0.05, [], "a test without p leaves the family"),
    ("ties share the larger weight", family((0.01, 1), (0.02, 2), (0.01, 1), (0.4, 1)), 0.05, [], "the later of two ties has less to bear"),
    ("in another order", family((0.4, 1), (0.01, 1), (0.02, 2), (0.01, 1)), 0.05, [], None),
    ("equality is rejection", equal(0.025, 0.05), 0.05, [], "equality is no rejection"),
    ("weight returns: tests 1 and 4 with hypothesis 5", RETURNED, 0.05, [[4, [0, 3]]], "the weight of what a hypothesis rejects stays"),
    ("a hypothesis that is not rejected", family((0.01, 0.2), (0.2, 0.2), (0.3, 0.6)), 0.05, [[2, [1]]], None),
    ("one that comes after what it implies", family((0.0001, 0.2), (0.01, 0.2), (0.02, 0.6)), 0.05, [[2, [0, 1]]], None),
    ("a blocked hypothesis", family((0.001, 0.2), (0.2, 0.2), (None, 0.6)), 0.05, [[2, [0]]], None),
    ("two hypotheses", family((0.02, 0.1), (0.02, 0.1), (0.001, 0.4), (0.03, 0.4)), 0.05, [[2, [0]], [3, [1]]], None),
    ("nothing but blocked", family((None, 0.4), (None, 0.6)), 0.05, [], None),
    ("p is 0", family((0.0, 0.5), (0.6, 0.5)), 0.05, [], None),
]
assert [one["adjusted_p"] for one in holm(R_SIX, 0.05)] == [0.012, 0.02, 0.024, 0.024, 0.024, 0.024]
assert [one["adjusted_p"] for one in holm(R_TEN, 0.05)] == [0.01, 0.018, 0.024, 0.028, 0.03, 0.25, 0.25, 0.25, 0.25, 0.25]
assert [one and one["adjusted_p"] for one in holm(WEIGHTED, 0.05)] == [0.0025, 0.018, 0.06, 0.018, 0.6, None]
write(
    "weighted-holm",
    "R's p.adjust for equal weights; Holm (1979), section 4, step by step in fractions",
    [case(name, {"tests": tests, "alpha": alpha, "implies": implies}, holm(tests, alpha, implies), NEAR, against=why) for name, tests, alpha, implies, why in HOLMS],
)


# ------------------------------------------------------------------ gaps
def filled(cells, end):
    """Each key without an outcome (text "gap") by the mean of the k worst or best; None where there is no pair."""
    own = []
    for cell in cells:
        keys = cell["keys"]
        pairs = sorted((key for key in keys if isinstance(key, (int, float))), reverse=end == "worst")
        k = keys.count("gap")
        stand_in = sum(pairs[:k]) / len(pairs[:k]) if pairs and k else None
        values = [stand_in if key == "gap" else key for key in keys]
        there = [value for value in values if value is not None]
        own.append((values, sum(there) / len(there) if there else None))
    found = []
    for cell, (values, mean) in zip(cells, own):
        if not (cell["mostly_missing"] or mean is None):
            found.append(values)
            continue
        others = [(m, v) for other, (v, m) in zip(cells, own) if other["step"] == cell["step"] and not other["mostly_missing"] and m is not None]
        pick = max if end == "worst" else min
        found.append(pick(others, key=lambda one: one[0])[1] if others else values)
    return found


def cell(*keys, step=1, mostly=False):
    return {"step": step, "keys": list(keys), "mostly_missing": mostly}


GAPPED = [
    ("two gaps, worst", [cell(-3, "gap", 1, 5, "gap", -2)], "worst", "gaps are left out"),
    ("two gaps, best", [cell(-3, "gap", 1, 5, "gap", -2)], "best", "negative fills in the worst, too"),
    ("more gaps than pairs", [cell(2, "gap", "gap", 4, "gap")], "worst", "the worst alone stands for every gap"),
    ("none that counts, and none missing", [cell(1, None, 2)], "worst", None),
    ("a key without a pair is no gap", [cell(1, None, "gap", -4)], "worst", "what a model left out is filled in"),
    ("a cell without a pair", [cell("gap", "gap"), cell(1, 2), cell(3, 4), cell(9, 9, step=2)], "worst", None),
    ("a cell without a pair, best", [cell("gap", "gap"), cell(1, 2), cell(3, 4), cell(-9, -9, step=2)], "best", None),
    ("a series without half of its outcomes", [cell(-9, "gap", "gap", mostly=True), cell(1, 1, 1), cell(2, "gap", -1)], "worst", "a series without half of its outcomes counts by its own"),
    ("no others at the step", [cell(-9, "gap", "gap", mostly=True), cell(1, 1, 1, step=2)], "worst", None),
]
write(
    "gaps",
    "docs/statistics.md, by hand",
    [case(name, {"cells": cells, "end": end}, filled(cells, end), NEAR, against=why) for name, cells, end, why in GAPPED],
)


# ------------------------------------------------------------------ verdicts
def group(estimate, se, nu, loss, limit):
    upper = estimate + quantile(0.2, nu) * se
    return {"upper": upper, "within": upper <= limit * loss}


GROUPS = [(-0.05, 0.02, 8, 1, 0.05, None), (0.03, 0.02, 8, 1, 0.05, "the estimate is asked"), (0.02, 0.02, 8, 1, 0.05, "the bound is that of 95 %"), (-0.01, 0.1, 4, 2, 0.05, None)]
write(
    "group-bound",
    "docs/statistics.md; mpmath's quantile of 0.9",
    [
        case(f"{estimate}, se {se}, nu {nu}, loss {loss}", {"estimate": estimate, "standard_error": se, "nu": nu, "comparator_loss": loss, "limit": limit}, group(estimate, se, nu, loss, limit), {"absolute": 1e-12}, against=why)
        for estimate, se, nu, loss, limit, why in GROUPS
    ],
)


def part(estimate, se, nu, limit):
    return {"estimate": estimate, "standard_error": se, "nu": nu, "limit": limit}


def hypothesis(parts):
    found = []
    for one in parts:
        if one["estimate"] is None or one["limit"] is None:
            return None
        room = one["limit"] - one["estimate"]
        # Both tails beyond the room: twice the upper one.
        found.append(tail(room / one["standard_error"], one["nu"]) if room > 0 else 1)
    return max(found)


HYPOTHESES = [
    ("overall alone", [part(-0.1, 0.02, 8, 0)], "one tail"),
    ("the largest of three", [part(-0.1, 0.02, 8, 0), part(-0.02, 0.02, 8, 0.05), part(0, 0.01, 16, 0.02)], "the smallest part decides"),
    ("beyond a limit", [part(-0.1, 0.02, 8, 0), part(0.06, 0.02, 8, 0.05)], None),
    ("a worse overall loss", [part(0.1, 0.01, 8, 0)], "the side of a difference does not matter"),
    ("at the limit", [part(0.05, 0.02, 8, 0.05)], None),
    ("a part without an estimate", [part(-0.1, 0.02, 8, 0), part(None, None, 4, 0.05)], "a part without p drops out"),
    ("a limit that is not known", [part(-0.1, 0.02, 8, None)], None),
]
write("verdict-hypothesis", "docs/statistics.md; Berger (1982); mpmath", [case(name, {"parts": parts}, hypothesis(parts), NEAR, against=why) for name, parts, why in HYPOTHESES])
write(
    "simultaneous-level",
    "docs/statistics.md, by hand",
    [case(f"alpha {alpha}, {tests} tests", {"alpha": alpha, "tests": tests}, found, NEAR, against="each half is the whole alpha" if tests == 5 else None) for alpha, tests, found in ((0.05, 5, 0.005), (0.05, 1, 0.025), (0.02, 40, 0.00025))],
)

# Against a comparator: simultaneous lower bounds, the estimate and loss of the overall test, and steps.
def against(**change):
    step = {"lower": -0.02, "comparator_loss": 1, "direction_lower": None}
    return {"lower": -0.2, "estimate": -0.1, "comparator_loss": 1, "waiting_worth": 0, "steps": [step, step], "groups": [], "left_out": 0.01} | change


def steps(*lowers, direction=None):
    return [{"lower": lower, "comparator_loss": 1, "direction_lower": direction} for lower in lowers]


BASIS = {
    "mode": "prospective", "rejected": True, "floor": 0.03, "harm": 0.05, "direction": 0.02, "availability": 0.05,
    "outcomes_missing": False, "too_lax": False, "waiting_too_long": False, "only_nowcasts": False, "waiting_given_away": False, "shortened": False, "substituted": False,
}


def disposition(*comparisons, **change):
    return {**BASIS, **change, "comparisons": list(comparisons) or [against()]}


BLOCKED = against(lower=None, estimate=None)
NEGATIVE = against(lower=0.01, estimate=0.1)
DISPOSITIONS = [
    ("all holds", disposition(), "eligible_for_human_review", None),
    ("not rejected", disposition(rejected=False), "inconclusive", None),
    ("the floor is not reached", disposition(against(estimate=-0.029)), "inconclusive", "any improvement is enough"),
    ("just the floor", disposition(against(estimate=-0.03)), "eligible_for_human_review", None),
    ("the floor and what waiting is worth", disposition(against(estimate=-0.1, waiting_worth=0.08)), "inconclusive", "waiting is not added to the floor"),
    ("against one of two the floor is missing", disposition(against(), against(estimate=-0.01)), "inconclusive", "the best comparison decides"),
    ("worse overall", disposition(NEGATIVE, rejected=False), "negative", None),
    ("worse by the estimate alone", disposition(against(estimate=0.1, lower=-0.01), rejected=False), "inconclusive", "a worse estimate makes negative"),
    ("a limit at a step", disposition(against(steps=steps(-0.1, 0.051)), rejected=False), "negative", None),
    ("a stricter limit makes nobody negative", disposition(against(steps=steps(-0.1, 0.04)), rejected=False, harm=0.02), "inconclusive", "a stricter limit makes negative"),
    ("a limit of direction", disposition(against(steps=steps(-0.1, direction=0.021)), rejected=False), "negative", None),
    ("blocked outweighs negative", disposition(BLOCKED, NEGATIVE, rejected=False), "blocked", "negative outweighs blocked"),
    ("missing outcomes outweigh negative", disposition(NEGATIVE, rejected=False, outcomes_missing=True), "inconclusive", None),
    ("blocked outweighs missing outcomes", disposition(BLOCKED, outcomes_missing=True), "blocked", None),
    ("missing outcomes, else eligible", disposition(outcomes_missing=True), "inconclusive", None),
    ("too lax, else eligible", disposition(too_lax=True), "inconclusive", None),
    ("too lax leaves negative", disposition(NEGATIVE, rejected=False, too_lax=True), "negative", None),
    ("waiting is worth too much", disposition(waiting_too_long=True), "inconclusive", None),
    ("all steps are nowcasts", disposition(only_nowcasts=True), "inconclusive", None),
    ("waiting is part of the task", disposition(waiting_given_away=True), "eligible_waiting_given_away", None),
    ("a comparator that only bears the name of a built-in", disposition(substituted=True), "inconclusive", None),
    ("too much left out", disposition(against(left_out=0.051)), "blocked", "silence is free"),
    ("as much left out as is allowed", disposition(against(left_out=0.05)), "eligible_for_human_review", None),
    ("a group beyond its limit", disposition(against(groups=[{"upper": 0.06, "comparator_loss": 1}])), "inconclusive", None),
    ("a group at its limit", disposition(against(groups=[{"upper": 0.05, "comparator_loss": 1}])), "eligible_for_human_review", None),
    ("a group without a bound", disposition(against(groups=[{"upper": None, "comparator_loss": 1}])), "blocked", None),
    ("a backtest that would be eligible", disposition(mode="backtest"), "lower", "a backtest has a verdict"),
    ("a backtest that is worse", disposition(NEGATIVE, mode="backtest", rejected=False), "higher", None),
    ("a backtest beyond a limit", disposition(against(steps=steps(0.2)), mode="backtest", rejected=False), "neither", None),
    ("a backtest without enough", disposition(mode="backtest", rejected=False), "neither", None),
    ("a blocked backtest", disposition(BLOCKED, mode="backtest"), "blocked", None),
    ("a shortened window", disposition(shortened=True, mode="backtest"), "blocked", None),
]
write("disposition", "docs/statistics.md, by hand", [case(name, given, found, against=why) for name, given, found, why in DISPOSITIONS])
write(
    "alpha-divisor",
    "docs/registration.md, by hand",
    [case(f"{before} registered before", {"registered_before": before}, found, against="all are divided by their number" if before == 2 else None) for before, found in ((0, 1), (1, 6), (2, 12), (3, 20), (9, 110))],
)


def reading(disposition, *improvements):
    """Differences to comparators with a mean of 2; None: there is none."""
    return {"disposition": disposition, "differences": [{"estimate": None if one is None else -2 * one, "comparator_mean": 2} for one in improvements]}


ELIGIBLE = reading("eligible_for_human_review", 0.2)
READINGS = [
    ("equal", ELIGIBLE, ELIGIBLE, "first", None),
    ("a worse disposition", ELIGIBLE, reading("inconclusive", 0.3), "second", "the smaller improvement counts, whatever the disposition"),
    ("a better disposition", reading("inconclusive", 0.1), ELIGIBLE, "first", "the second reading always counts"),
    ("a smaller improvement", ELIGIBLE, reading("eligible_for_human_review", 0.1), "second", None),
    ("a larger improvement", ELIGIBLE, reading("eligible_for_human_review", 0.4), "first", None),
    ("the least of two improvements is smaller", reading("inconclusive", 0.2, 0.5), reading("inconclusive", 0.6, 0.1), "second", "the mean of improvements counts"),
    ("one of two is unknown in the second", reading("inconclusive", 0.2, 0.5), reading("inconclusive", None, 0.1), "first", "what is unknown drops out"),
    ("one of two is unknown in the first", reading("inconclusive", None, 0.1), reading("inconclusive", 0.4, 0.5), "second", None),
    ("shares of a comparator's own mean", reading("inconclusive", 0.2, 0.5), {"disposition": "inconclusive", "differences": [{"estimate": -0.5, "comparator_mean": 1}, {"estimate": -2, "comparator_mean": 10}]}, "first", None),
    ("a comparator without a loss", reading("inconclusive", 0.2), {"disposition": "inconclusive", "differences": [{"estimate": 0.5, "comparator_mean": 0}]}, "first", None),
    ("inconclusive is worse than eligible with waiting given away", reading("eligible_waiting_given_away", 0.2), reading("inconclusive", 0.2), "second", None),
    ("negative is worse than inconclusive", reading("inconclusive", 0.2), reading("negative", 0.2), "second", None),
    ("blocked is worse than negative", reading("negative", -0.2), reading("blocked", 0.2), "second", None),
]
write("second-reading", "docs/registration.md, by hand", [case(name, {"first": first, "second": second}, found, against=why) for name, first, second, found, why in READINGS])
