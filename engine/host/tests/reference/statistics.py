"""Generates statistics.json: reference values for the statistics, from NumPy, SciPy and exact integer arithmetic.

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python statistics.py > statistics.json

The data sets are seeded, and rounded for readability.
"""

import json

import numpy
import scipy
from scipy import optimize, stats

CONFIDENCE = 0.95
random = numpy.random.default_rng(20240229)


def data_sets():
    """Yields names and values; an optional third entry is the clock's resolution (default 0)."""
    yield "one", [42.5]
    yield "two", [10.0, 13.0]
    yield "five", random.normal(1_000, 50, 5)
    yield "six, the minimum for a median interval", random.normal(1_000, 50, 6)
    yield "normal 20", random.normal(1_000, 50, 20)
    yield "normal 100", random.normal(1_000, 50, 100)
    yield "lognormal", random.lognormal(5, 1, 60)
    yield "bimodal", numpy.concatenate([random.normal(100, 2, 30), random.normal(180, 3, 21)])
    yield "severe outliers", numpy.concatenate([random.normal(500, 10, 40), [590.0, 900.0, 12_000.0, 3.0]])
    yield "all equal", [7.25] * 12
    yield "all 0", [0.0] * 8
    yield "below 0", random.normal(-20, 4, 25)
    yield "around 0", random.normal(0.5, 4, 25)
    yield "large compared with the spread", 1e15 + numpy.round(random.normal(0, 1_000, 30))
    yield "huge", random.normal(3e17, 2e16, 30)
    yield "one differs, perfect clock", [5.0] * 11 + [6.0]
    yield "one differs, coarse clock", [5.0] * 11 + [6.0], 1.0
    yield "coarse clock with outliers", [5.0] * 20 + [6.0, 6.0, 7.0, 9.0, 1.0], 1.0


def summary(values, resolution):
    values = numpy.sort(values)
    n = len(values)
    q1, median, q3 = numpy.quantile(values, [0.25, 0.5, 0.75], method="linear")
    iqr = max(q3 - q1, resolution)
    distance = numpy.maximum(q1 - values, values - q3)
    extreme = distance > 3 * iqr
    mean_interval = interval_of_mean(values, resolution)
    holds_zero = mean_interval is None or mean_interval[0] <= 0 <= mean_interval[1]
    rank = median_rank(n)
    return {
        "n": n,
        "mean": values.mean(),
        "sd": values.std(ddof=1) if n > 1 else 0.0,
        "min": values.min(),
        "max": values.max(),
        "median": median,
        "q1": q1,
        "q3": q3,
        "mean_interval": mean_interval,
        "median_interval": [values[rank - 1] - resolution / 2, values[n - rank] + resolution / 2] if rank else None,
        "relative_half_width": None if holds_zero else (mean_interval[1] - mean_interval[0]) / 2 / abs(values.mean()),
        "mild_outliers": int(((distance > 1.5 * iqr) & ~extreme).sum()),
        "severe_outliers": int(extreme.sum()),
    }


def interval_of_mean(values, resolution):
    """Student's interval, but longer on the side of the skewness, and never narrower than the uncertainty of the clock's steps."""
    if len(values) < 2:
        return None
    mean, step = values.mean(), resolution / numpy.sqrt(len(values))
    if values.min() == values.max():  # SciPy returns NaN for a scale of 0.
        return [values[0] - step, values[0] + step]
    error, quantile = stats.sem(values), stats.t.ppf(1 - (1 - CONFIDENCE) / 2, len(values) - 1)
    skewness = stats.skew(values) if values.var() > resolution**2 else 0.0
    is_skewed = len(values) * skewness**2 > max(len(values) ** 2 / 25, 6 * stats.norm.ppf(0.975) ** 2)
    if len(values) < 32 and is_skewed:
        return None
    below = max(quantile, hall(quantile, skewness, len(values)))
    above = max(quantile, -hall(-quantile, skewness, len(values)))
    return [mean - max(below * error, step), mean + max(above * error, step)]


def hall(normal, skewness, n):
    """The t that Hall's transformation (1992) maps to `normal`."""
    g = skewness / numpy.sqrt(n)
    transformed = lambda t: t + g * t**2 / 3 + g**2 * t**3 / 27 + g / 6 - normal
    return optimize.brentq(transformed, -1_000, 1_000, xtol=1e-14, rtol=1e-14)


def median_rank(n):
    """The largest k such that the k-th smallest to the k-th greatest of n cover the median in 95% of cases; 0 if none does."""
    rank, ways, outside = 0, 1, 1
    while 40 * outside <= 2**n:  # outside / 2^n <= 0.025, in integers
        ways = ways * (n - rank) // (rank + 1)
        outside += ways
        rank += 1
    return rank


def entry(name, values, resolution=0.0):
    # Rounded, except for large values, which test precision.
    values = [float(f"{value:.9g}") if abs(value) < 1e12 else float(value) for value in values]
    expected = summary(numpy.array(values), resolution)
    return {"name": name, "resolution": resolution, "times": values, "summary": expected}


FREEDOMS = [*range(1, 31), 50, 100, 200, 500, 998, 999, 1_000, 1_001, 2_000, 4_999, 24_999]
COUNTS = [*range(1, 101), 200, 500, 1_000, 1_024, 5_000, 25_000]

def lines(entries):
    """A JSON list with one entry per line."""
    return "[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]"


made_with = json.dumps({"numpy": numpy.__version__, "scipy": scipy.__version__})
summaries = lines(entry(*data_set) for data_set in data_sets())
t_quantiles = lines([freedom, stats.t.ppf(1 - (1 - CONFIDENCE) / 2, freedom)] for freedom in FREEDOMS)
median_ranks = lines([n, median_rank(n)] for n in COUNTS)
print(f'{{"made_with": {made_with},')
print(f'"summaries": {summaries},')
print(f'"t_quantiles": {t_quantiles},')
print(f'"median_ranks": {median_ranks}}}')
