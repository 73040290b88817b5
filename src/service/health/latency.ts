/** Buckets grow by 2 %, so a quantile is off by at most 1 %. */
const GROWTH = Math.log(1.02)
const SMALLEST_SECONDS = 1e-6
const BUCKETS = 1024
const PERIODS = 5
const PERIOD_MS = 120_000

/**
 * Observed latencies of the last ten minutes in buckets of equal ratio, and their sum and count since
 * the start. Constant memory and a few operations per observation, whatever the load.
 */
export class LatencyWindow {
  private readonly periods = Array.from({ length: PERIODS }, () => new Uint32Array(BUCKETS))
  private current = 0
  private periodStart = 0
  sum = 0
  count = 0

  /** @param now milliseconds of a clock that never goes back. */
  observe(seconds: number, now: number): void {
    this.turn(now)
    this.sum += seconds
    this.count++
    const bucket = Math.ceil(
      Math.log(Math.max(seconds, SMALLEST_SECONDS) / SMALLEST_SECONDS) / GROWTH,
    )
    const counts = this.periods[this.current]!
    counts[Math.min(bucket, BUCKETS - 1)]!++
  }

  /** The q-quantile in seconds, or NaN when nothing was observed in the window. */
  quantile(q: number, now: number): number {
    this.turn(now)
    const total = new Float64Array(BUCKETS)
    let count = 0
    for (const period of this.periods) {
      for (let bucket = 0; bucket < BUCKETS; bucket++) {
        total[bucket]! += period[bucket]!
        count += period[bucket]!
      }
    }
    if (count === 0) return Number.NaN
    let rank = Math.ceil(q * count)
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      rank -= total[bucket]!
      // The middle of the bucket, by ratio.
      if (rank <= 0) return SMALLEST_SECONDS * Math.exp(GROWTH * (bucket - 0.5))
    }
    return Number.NaN
  }

  private turn(now: number): void {
    let elapsed = Math.floor((now - this.periodStart) / PERIOD_MS)
    if (elapsed <= 0) return
    this.periodStart += elapsed * PERIOD_MS
    for (elapsed = Math.min(elapsed, PERIODS); elapsed > 0; elapsed--) {
      this.current = (this.current + 1) % PERIODS
      this.periods[this.current]!.fill(0)
    }
  }
}
