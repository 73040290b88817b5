# The equal-weighted cosine t-test, once more, in numpy. It shares nothing with foreproof: cosines as a
# matrix, Student's tail as an integral over the angle (t = sqrt(nu) tan(a)), by Gauss and Legendre.
# Reads a list of cases from standard input: components (numbers, null for a hole) and nu.
import json
import sys

import numpy

NODES, WEIGHTS = numpy.polynomial.legendre.leggauss(200)


def tail(t, nu):
    low = numpy.arctan(abs(t) / numpy.sqrt(nu))
    high = numpy.pi / 2

    def integral(a, b):
        x = (a + b) / 2 + (b - a) / 2 * NODES
        return (b - a) / 2 * numpy.sum(WEIGHTS * numpy.cos(x) ** (nu - 1))

    # Near the end the power is a power of the distance: from there, so that nothing is lost.
    end = high - low
    x = end / 2 + end / 2 * NODES
    upper = end / 2 * numpy.sum(WEIGHTS * numpy.sin(x) ** (nu - 1))
    return float(upper / integral(0, high))


def spectrum(components, nu):
    """Estimate, number of origins with a pair, and the first nu cosine sums."""
    series = numpy.array(components, dtype=float)
    here = ~numpy.isnan(series)
    counts = here.sum(axis=1)
    means = numpy.nansum(series, axis=1) / counts
    used = here.any(axis=0)
    n = int(used.sum())
    parts = numpy.where(here, (series - means[:, None]) * n / counts[:, None], 0.0)
    u = parts.mean(axis=0)[used]
    j = numpy.arange(1, nu + 1)[:, None]
    i = numpy.arange(n)[None, :]
    return float(means.mean()), n, numpy.sqrt(2 / n) * (numpy.cos(numpy.pi * j * (i + 0.5) / n) @ u)


def test(components, nu):
    estimate, n, sums = spectrum(components, nu)
    se = float(numpy.sqrt(numpy.mean(sums**2) / n))
    return {"estimate": estimate, "standardError": se, "p": tail(estimate / se, nu)}


if __name__ == "__main__":
    cases = json.load(sys.stdin)
    json.dump([test(case["components"], case["nu"]) for case in cases], sys.stdout)
