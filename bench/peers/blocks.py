# Moving-block bootstrap in numpy: by indexing origins, and by sums of precomputed blocks.
import sys, time
import numpy as np

origins, tests, replicates = map(int, sys.argv[1:4])
length = 24
starts, blocks = origins - length + 1, origins // length
rng = np.random.default_rng(410)
draws = rng.integers(0, starts, size=(replicates, blocks))
# A few tests stand for all: the cost of every test is the same, and the parent scales it.
series = rng.normal(size=(tests, origins))

def indexing():
    out = np.empty((tests, replicates))
    offsets = np.arange(length)
    for first in range(0, replicates, 500):
        index = (draws[first:first + 500, :, None] + offsets).reshape(-1, blocks * length)
        for test in range(tests):
            out[test, first:first + 500] = series[test][index].mean(axis=1)
    return out

def precomputed():
    total = np.concatenate([np.zeros((tests, 1)), np.cumsum(series, axis=1)], axis=1)
    sums = total[:, length:] - total[:, :-length]
    out = np.empty((tests, replicates))
    for test in range(tests):
        out[test] = sums[test][draws].sum(axis=1) / (blocks * length)
    return out

def seconds(run, repeats):
    best = 1e9
    for _ in range(repeats):
        began = time.process_time()
        result = run()
        best = min(best, time.process_time() - began)
    return best, result

slow, a = seconds(indexing, 1)
fast, b = seconds(precomputed, 3)
assert np.allclose(a, b)
print(f"{slow:.6f} {fast:.6f}")
