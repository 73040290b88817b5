import { type Instant, MICROS_PER_HOUR } from '../../contract/instant.js'
import { log10 } from '../../contract/logarithm.js'

/** Formats a coordinate with at most two decimals, so that equal data give equal, short text. */
export function at(value: number): string {
  const text = value.toFixed(2).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

export interface Scale {
  readonly min: number
  readonly max: number
  readonly ticks: readonly number[]
  /** The position of a value between 0 and 1; beyond them if the value is outside the scale. */
  readonly share: (value: number) => number
}

const powerOfTen = (power: number): number => Number(`1e${power}`)

/** More than there are powers of ten in double precision. */
const MOST_TICKS = 1000

/**
 * Whole numbers in ascending order; none where they are no ticks. A result that nobody audited may state any figure, also
 * one that never grows by 1, or an infinite one.
 */
function wholesBetween(low: number, high: number): number[] {
  const first = Math.ceil(low)
  const count = Math.floor(high) - first + 1
  return count >= 1 && count <= MOST_TICKS
    ? Array.from({ length: count }, (_, at) => first + at)
    : []
}

/** Steps of 1, 2 or 5 times a power of ten that cut the span into at most `count` parts. */
function step(span: number, count: number): number {
  const raw = span / Math.max(1, count)
  const power = powerOfTen(Math.floor(log10(raw)))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= raw * (1 - 1e-9)) ?? 10
  return factor * power
}

/**
 * A linear scale over all finite values, with round ticks. Without values, or with a single one, the scale is widened
 * so that it can be drawn.
 */
export function linear(values: readonly (number | null)[], count: number): Scale {
  const finite = values.filter((value): value is number => Number.isFinite(value))
  let low = finite.length === 0 ? 0 : Math.min(...finite)
  let high = finite.length === 0 ? 1 : Math.max(...finite)
  if (high - low < 1e-12) {
    const half = Math.max(Math.abs(high) * 0.1, 1e-6)
    low -= half
    high += half
  }
  const margin = (high - low) * 0.04
  low -= margin
  high += margin
  const by = step(high - low, count)
  const ticks = wholesBetween(low / by, high / by + 1)
    .filter((index) => index * by <= high)
    .map((index) => Number((index * by).toPrecision(12)))
  return { min: low, max: high, ticks, share: (value) => (value - low) / (high - low) }
}

/** A logarithmic scale between two positive ends, with a tick at every power of ten. */
export function logarithmic(low: number, high: number): Scale {
  const from = log10(low)
  const to = Math.max(log10(high), from + 1e-9)
  const ticks = wholesBetween(from - 1e-9, to + 1e-9).map(powerOfTen)
  return { min: low, max: high, ticks, share: (value) => (log10(value) - from) / (to - from) }
}

const DAY = 24 * MICROS_PER_HOUR
/** Steps between ticks, in days. */
const DAY_STEPS = [1, 2, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650, 7300, 18_250]
/** A tick nearer than this share to an end has no room for its date. */
const EDGE = 0.1

/** A time scale over all instants, with at most `count` ticks, at midnights in UTC. */
export function timeScale(instants: readonly Instant[], count: number): Scale {
  const first = Math.min(...instants)
  const span = Math.max(Math.max(...instants) - first, MICROS_PER_HOUR)
  const [min, max] = [first - 0.04 * span, first + 1.04 * span]
  const share = (value: number) => (value - min) / (max - min)
  const widest = ((1 - 2 * EDGE) * (max - min)) / (count - 1)
  const by = DAY * (DAY_STEPS.find((days) => days * DAY >= widest) ?? Math.ceil(widest / DAY))
  const ticks: Instant[] = []
  for (let tick = Math.ceil(min / by) * by; tick <= max; tick += by) {
    if (share(tick) > EDGE && share(tick) < 1 - EDGE) ticks.push(tick)
  }
  return { min, max, ticks, share }
}

/** Decimals needed to tell neighbouring ticks apart. */
export function tickDigits(scale: Scale, factor = 1): number {
  const by = scale.ticks.length > 1 ? (scale.ticks[1]! - scale.ticks[0]!) * factor : 1
  return Math.min(6, Math.max(0, -Math.floor(log10(by) + 1e-9)))
}
