// A made market and five made forecasters none of whom is better than another: for the null
// calibration. Given the prices, the forecasters' errors have one law and are independent, so every
// expected difference between two of them is 0, for every measure and horizon.
export const HORIZONS = [2, 4, 8, 16]
const MEASURES = [
  'point_loss',
  'direction_error',
  'interval_score',
  'p10',
  'p50',
  'p90',
  'coverage',
]
const Z90 = 1.2815515655446004
const GAP_RATE = 0.02

/** Uniform numbers in [0, 1) (mulberry32). */
function uniforms(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

function normals(seed) {
  const random = uniforms(seed)
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** A stationary first-order autoregression with standard deviation 1. */
function autoregression(length, rho, normal) {
  const values = new Float64Array(length)
  let value = normal()
  for (let i = 0; i < length; i++) {
    values[i] = value
    value = rho * value + Math.sqrt(1 - rho * rho) * normal()
  }
  return values
}

/** Hourly log returns of about half a percent: volatility persists for days, shocks have fat tails. */
function returns(length, normal) {
  const volatility = autoregression(length, 0.98, normal)
  return Float64Array.from({ length }, (_, i) => {
    const tail = Math.sqrt(4 / (normal() ** 2 + normal() ** 2 + normal() ** 2 + normal() ** 2))
    return 0.004 * Math.exp(0.5 * volatility[i]) * normal() * tail
  })
}

/** Hourly memory of a forecaster's interval widths: gone within a block of 24, or lasting days. */
export const MEMORY = { hours: 0.9, days: 0.98 }

/** Losses of one forecaster per horizon and measure; NaN where it made no forecast. */
function losses(origins, realised, normal, random, memory) {
  const width = autoregression(origins, MEMORY[memory], normal)
  const made = Uint8Array.from({ length: origins }, () => (random() < GAP_RATE ? 0 : 1))
  return HORIZONS.map((horizon, h) => {
    // Errors live for hours, as those of a model that is fed overlapping windows do.
    const error = autoregression(origins, 0.9, normal)
    const scale = 0.006 * Math.sqrt(horizon)
    const rows = MEASURES.map(() => new Float64Array(origins).fill(Number.NaN))
    for (let i = 0; i < origins; i++) {
      if (made[i] === 0) continue
      const y = realised[h][i]
      const point = 0.3 * scale * error[i]
      const half = Z90 * scale * Math.exp(0.2 * width[i])
      const [low, high] = [point - half, point + half]
      const pinball = (q, bound) => Math.max(q * (y - bound), (q - 1) * (y - bound))
      const scores = [
        Math.abs(point - y),
        Math.sign(point) === Math.sign(y) ? 0 : 1,
        high - low + 10 * Math.max(0, low - y) + 10 * Math.max(0, y - high),
        ...[pinball(0.1, low), pinball(0.5, point), pinball(0.9, high)],
        low <= y && y <= high ? 1 : 0,
      ]
      scores.forEach((score, measure) => {
        rows[measure][i] = score
      })
    }
    return rows
  })
}

/** The family of one evaluation: a candidate against four comparators, 29 tests each. */
export function nullFamily(origins, seed, memory) {
  const normal = normals(seed)
  const random = uniforms(seed ^ 0x5bd1e995)
  const hourly = returns(origins + 16, normal)
  const realised = HORIZONS.map((horizon) =>
    Float64Array.from({ length: origins }, (_, i) =>
      hourly.subarray(i, i + horizon).reduce((sum, value) => sum + value, 0),
    ),
  )
  const [candidate, ...comparators] = [0, 1, 2, 3, 4].map(() =>
    losses(origins, realised, normal, random, memory),
  )
  const tests = []
  for (const [c, comparator] of comparators.entries()) {
    const series = candidate.map((rows, h) =>
      rows.map((row, measure) => ({ values: row.map((x, i) => x - comparator[h][measure][i]) })),
    )
    tests.push({ name: `${c}/overall`, components: series.map((rows) => rows[0]) })
    series.forEach((rows, h) => {
      rows.forEach((one, measure) => {
        tests.push({ name: `${c}/${HORIZONS[h]}h/${MEASURES[measure]}`, components: [one] })
      })
    })
  }
  return tests
}
