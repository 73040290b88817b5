# The joint moving-block bootstrap a second time, from its description: seedrandom's generator in
# Python, hours drawn one by one, numpy for means and quantiles. Reads a family as JSON on standard
# input, writes figures per test as JSON. No block sums, no tiles, nothing shared with foreproof.
import json
import sys
import warnings

import numpy as np


def seedrandom(seed):
    """ARC4 keyed by the seed's characters, first 256 bytes dropped; doubles of 52 bits and more."""
    key, smear = {}, 0
    for place, character in enumerate(seed):
        smear ^= key.get(place & 255, 0) * 19
        key[place & 255] = (smear + ord(character)) & 255
    key = [key[place] for place in range(len(key))] or [0]
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + key[i % len(key)] + state[i]) & 255
        state[i], state[j] = state[j], state[i]
    i = j = 0

    def byte():
        nonlocal i, j
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        return state[(state[i] + state[j]) & 255]

    for _ in range(256):
        byte()

    def double():
        numerator = 0
        for _ in range(6):
            numerator = numerator * 256 + byte()
        denominator, last = 256**6, 0
        while numerator < 2**52:
            numerator = (numerator + last) * 256
            denominator *= 256
            last = byte()
        while numerator >= 2**53:
            numerator //= 2
            denominator //= 2
            last >>= 1
        return (numerator + last) / denominator

    return double


def holm(p):
    """Adjusted p-values; None stays None but counts."""
    order = sorted((value, place) for place, value in enumerate(p) if value is not None)
    adjusted, highest = [None] * len(p), 0.0
    for step, (value, place) in enumerate(order):
        highest = max(highest, min(1.0, (len(p) - step) * value))
        adjusted[place] = highest
    return adjusted


# A replicate without a pair has no mean, which is what is looked for.
warnings.simplefilter("ignore", RuntimeWarning)
family = json.load(sys.stdin)
origins, length, replicates = family["origins"], family["blockLength"], family["replicates"]
draw = seedrandom(str(family["seed"]))
blocks = origins // length
hours = np.empty((replicates, blocks * length), dtype=np.int64)
for replicate in range(replicates):
    starts = [int(draw() * (origins - length + 1)) for _ in range(blocks)]
    hours[replicate] = np.concatenate([np.arange(start, start + length) for start in starts])

figures = []
for test in family["tests"]:
    series = np.array(test, dtype=float)
    statistic = np.mean([np.nanmean(one[hours], axis=1) for one in series], axis=0)
    observed = np.mean(np.nanmean(series, axis=1))
    if np.isnan(statistic).any():
        figures.append({"p": None})
        continue
    below, above = int((statistic <= 0).sum()), int((statistic >= 0).sum())
    figures.append({
        "p": min(1.0, 2 * (1 + min(below, above)) / (replicates + 1)),
        "observed": observed,
        "mean": statistic.mean(),
        "standardDeviation": statistic.std(),
        "statistic": statistic,
    })
for figure, adjusted in zip(figures, holm([figure["p"] for figure in figures])):
    if figure["p"] is None:
        continue
    figure["adjustedP"] = adjusted
    statistic = figure.pop("statistic")
    alpha = family["alpha"]
    figure["bounds"] = list(np.quantile(statistic, [alpha / 2, 1 - alpha / 2]))
json.dump(figures, sys.stdout)
