"""Rolling quantiles the vectorised numpy way: one window view, one call a series. Prints seconds."""
import sys
import time

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

series, hours = int(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(1)
errors = rng.standard_normal((series, hours)) * 0.01
start = time.process_time()
for own in errors:
    np.quantile(sliding_window_view(own, 720), [0.1, 0.5, 0.9], axis=1)
print(time.process_time() - start)
